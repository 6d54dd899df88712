"""Random functions of TensorFlow 1 whose names or arguments TensorFlow 2 changed."""

from __future__ import annotations

from typing import Any

from ...base.dtypes import float32
from ...base.export import export
from ...ir.tensor import DTypeLike, IntLike, NumberLike, ShapeLike, Tensor
from ...ops.random import functions as random
from ...ops.random.seed import set_seed
from ...ops.random.stateless_draws import stateless_categorical


@export(v1=("set_random_seed", "random.set_random_seed"))
def set_random_seed(seed: IntLike) -> None:
    """Set the seed of the default graph, from which operations without a seed of their own take theirs (eagerly: the global one).

    >>> tf.compat.v1.set_random_seed(7)
    >>> first = tf.random.uniform([2]).numpy()
    >>> tf.compat.v1.set_random_seed(7)
    >>> bool(tf.reduce_all(tf.random.uniform([2]) == first))
    True
    """
    set_seed(seed)


def random_shuffle(value: Any, seed: Any = None, name: str | None = None) -> Tensor:
    """`tf.random.shuffle` of TensorFlow 2."""
    return random.shuffle(value, seed, name)


def random_gamma(shape: Any, alpha: Any, beta: Any = None, dtype: Any = float32, seed: Any = None, name: str | None = None) -> Tensor:
    """`tf.random.gamma` of TensorFlow 2."""
    return random.gamma(shape, alpha, beta, dtype, seed, name)


@export(v1=("multinomial", "random.multinomial"))
def multinomial(
    logits: NumberLike, num_samples: NumberLike, seed: IntLike | None = None, name: str | None = None, output_dtype: DTypeLike | None = None
) -> Tensor:
    """`tf.random.categorical` of TensorFlow 2, with `output_dtype` for `dtype`.

    >>> tf.compat.v1.multinomial([[0.0, 100.0], [100.0, 0.0]], 3, output_dtype=tf.int32).numpy().tolist()
    [[1, 1, 1], [0, 0, 0]]
    """
    return random.categorical(logits, num_samples, output_dtype, seed, name or "multinomial")


@export(v1="random.stateless_multinomial")
def stateless_multinomial(
    logits: NumberLike, num_samples: NumberLike, seed: IntLike, output_dtype: DTypeLike = "int64", name: str | None = None
) -> Tensor:
    """`tf.random.stateless_categorical` of TensorFlow 2, with `output_dtype` for `dtype`.

    >>> tf.compat.v1.random.stateless_multinomial([[0.0, 100.0]], 3, seed=[1, 2], output_dtype=tf.int32).numpy()
    array([[1, 1, 1]], dtype=int32)
    """
    return stateless_categorical(logits, num_samples, seed, output_dtype, name)


@export(v1=("random_poisson", "random.poisson"))
def random_poisson(
    lam: NumberLike, shape: ShapeLike, dtype: DTypeLike = float32, seed: IntLike | None = None, name: str | None = None
) -> Tensor:
    """`tf.random.poisson` of TensorFlow 2, with the rates first.

    >>> tf.compat.v1.random_poisson([0.0, 5.0], [4]).shape
    TensorShape([4, 2])
    """
    return random.poisson(shape, lam, dtype, seed, name)
