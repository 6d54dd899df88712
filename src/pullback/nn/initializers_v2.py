"""The initializers that `tf` itself has in TensorFlow 2, which draw anew at each call."""

from __future__ import annotations

from typing import Any

from ..api import initializers as base
from ..base.export import export
from ..ir.tensor import Tensor
from ..ops.constant import constant


@export(v2="random_normal_initializer")
class RandomNormalV2(base.RandomNormal):
    """`tf.random_normal_initializer`: stateless with a seed, by the global seed without one.

    >>> initializer = tf.random_normal_initializer(stddev=2.0, seed=1)
    >>> bool(tf.reduce_all(initializer([2, 3]) == initializer([2, 3])))
    True
    """

    def __init__(self, mean: Any = 0.0, stddev: Any = 0.05, seed: Any = None) -> None:
        super().__init__(mean, stddev, seed)
        self.stateful = seed is None


@export(v2="random_uniform_initializer")
class RandomUniformV2(base.RandomUniform):
    """`tf.random_uniform_initializer`: stateless with a seed, by the global seed without one.

    >>> drawn = tf.random_uniform_initializer(2.0, 3.0, seed=1)([1000])
    >>> bool(tf.reduce_all((drawn >= 2.0) & (drawn < 3.0)))
    True
    """

    def __init__(self, minval: Any = -0.05, maxval: Any = 0.05, seed: Any = None) -> None:
        super().__init__(minval, maxval, seed)
        self.stateful = seed is None


@export(v2="constant_initializer")
class ConstantV2(base.Constant):
    """`tf.constant_initializer`: of the values' own dtype where none is asked for.

    >>> tf.constant_initializer([1.0, 2.0, 3.0, 4.0])([2, 2]).numpy().tolist()
    [[1.0, 2.0], [3.0, 4.0]]
    """

    def __init__(self, value: Any = 0, support_partition: bool = False) -> None:
        super().__init__(value, None)

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None, verify_shape: Any = None, **kwargs: Any) -> Tensor:
        """The value: a tensor of `shape`, of `dtype` (that of the numbers when None)."""
        return constant(self.value, dtype, base.sizes(shape))
