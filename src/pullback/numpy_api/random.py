"""Random arrays: `tf.experimental.numpy.random`, on TensorFlow's streams, so that `seed` makes its numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base.export import export
from ..compat import v2 as tf
from ..interop.faces import explain_missing
from ..ir.tensor import DTypeLike, IntLike, NumberLike, Tensor, TensorLike
from ..ir.tracebacks import trims_errors
from .arrays import asarray
from .dtypes import default_float, result_type

__all__ = ["poisson", "rand", "randint", "randn", "random", "seed", "standard_normal", "uniform"]


def _shape(size: Any) -> Any:
    return () if size is None else (size,) if isinstance(size, (int, np.integer)) else size


@export(v2="experimental.numpy.random.seed")
@trims_errors
def seed(s: Any) -> None:
    """Start the streams anew from a number, as `tf.random.set_seed` does.

    >>> tf.experimental.numpy.random.seed(1)
    """
    try:
        number = int(s)
    except TypeError as error:
        raise ValueError(f"Argument `s` got an invalid value {s}. Only integers are supported.") from error
    tf.random.set_seed(number)


@export(v2="experimental.numpy.random.uniform")
def uniform(low: TensorLike = 0.0, high: TensorLike = 1.0, size: IntLike | None = None) -> Tensor:
    """Numbers anywhere in [low, high), float64; without `size` in the shape of the bounds together.

    >>> tf.experimental.numpy.random.uniform(size=[2, 3]).shape
    TensorShape([2, 3])
    """
    dtype = default_float()
    low, high = asarray(low, dtype), asarray(high, dtype)
    shape = tf.broadcast_dynamic_shape(tf.shape(low), tf.shape(high)) if size is None else _shape(size)
    return tf.random.uniform(shape, low, high, dtype)


@export(v2="experimental.numpy.random.random")
def random(size: IntLike | None = None) -> Tensor:
    """Numbers anywhere in [0, 1), float64.

    >>> tf.experimental.numpy.random.random([2]).shape
    TensorShape([2])
    """
    return uniform(0.0, 1.0, size)


@export(v2="experimental.numpy.random.rand")
def rand(*size: Any) -> Tensor:
    """Numbers anywhere in [0, 1), float64, in an array of these sizes.

    >>> tf.experimental.numpy.random.rand(2, 3).shape
    TensorShape([2, 3])
    """
    return uniform(0.0, 1.0, size)


@export(v2="experimental.numpy.random.standard_normal")
def standard_normal(size: IntLike | None = None) -> Tensor:
    """Normally distributed numbers around 0 with deviation 1, float64.

    >>> tf.experimental.numpy.random.standard_normal(3).shape
    TensorShape([3])
    """
    return tf.random.normal(_shape(size), dtype=default_float())


@export(v2="experimental.numpy.random.randn")
def randn(*args: Any) -> Tensor:
    """Normally distributed numbers around 0 with deviation 1, float64, in an array of these sizes.

    >>> tf.experimental.numpy.random.randn(2, 3).dtype
    tf.float64
    """
    return standard_normal(args)


@export(v2="experimental.numpy.random.poisson")
def poisson(lam: NumberLike = 1.0, size: IntLike | None = None) -> Tensor:
    """Poisson-distributed integers, int64; the shape is `size` and then that of the rates `lam`.

    >>> tf.experimental.numpy.random.poisson(3.0, 4).shape
    TensorShape([4])
    """
    return tf.random.poisson(_shape(size), lam, tf.int64)


@export(v2="experimental.numpy.random.randint")
@trims_errors
def randint(low: Any, high: Any = None, size: IntLike | None = None, dtype: DTypeLike = np.int64) -> Tensor:
    """Integers from `low` to below `high`, or from 0 to below `low`.

    dtype: int32 or int64; a ValueError for any other.

    >>> tf.experimental.numpy.random.randint(1, size=[2]).numpy().tolist()
    [0, 0]
    """
    wanted = result_type(dtype)
    if wanted not in (tf.int32, tf.int64):
        raise ValueError(f"Argument `dtype` got an invalid value {dtype}. Only those convertible to int32 or int64 are supported.")
    first, end = (0, int(low)) if high is None else (int(low), high)
    return tf.random.uniform(_shape(size), first, end, wanted)


__getattr__ = explain_missing("tf.experimental.numpy.random")


def __dir__() -> list[str]:
    return __all__
