"""The stateless functions of `tf.random`: the same seed gives the same numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.dtypes import as_dtype, float32, int32, int64, uint32, uint64
from ...base.export import export
from ...ir.apply import convert_to_tensor
from ...ir.context import scope
from ...ir.tensor import DTypeLike, IntLike, NumberLike, ShapeLike, Tensor, TensorLike
from ..array.basic import broadcast_to, reshape, shape_of
from ..math.arithmetic import add, maximum, multiply, subtract
from ..primitives.cast import cast
from .algorithm import number_of
from .functions import DRAWN, class_dtype, scale_draw, shape_input
from .poisson import STATELESS_POISSON
from .stateless import (
    AUTO_SELECT,
    GET_KEY_COUNTER,
    PHILOX,
    STATELESS_FULL_INT,
    STATELESS_GAMMA,
    STATELESS_INT,
    STATELESS_MULTINOMIAL,
    STATELESS_NORMAL,
    STATELESS_SHUFFLE,
    STATELESS_TRUNCATED_NORMAL,
    STATELESS_UNIFORM,
    THREEFRY,
)


def _key_of_seed(seed: Any, alg: Any) -> tuple[Any, Any, Any]:
    """Key, counter and number of the algorithm."""
    number = number_of(alg)
    if isinstance(number, int) and number == THREEFRY:
        words = cast(cast(convert_to_tensor(seed, name="seed"), uint32), uint64)
        return reshape(words[0] + words[1] * np.uint64(2**32), [1]), np.zeros(1, np.uint64), np.array(THREEFRY, np.int32)
    return *GET_KEY_COUNTER(seed), np.array(PHILOX if number == AUTO_SELECT else number, np.int32) if isinstance(number, int) else number


@export("random.stateless_uniform")
def stateless_uniform(
    shape: ShapeLike,
    seed: NumberLike,
    minval: NumberLike | None = 0,
    maxval: NumberLike | None = None,
    dtype: DTypeLike = float32,
    name: str | None = None,
    alg: object = "auto_select",
) -> Tensor:
    """Uniformly distributed numbers in [minval, maxval), the same for the same `seed`.

    seed: two integers.  dtype: floating, int32, int64; with both bounds None also uint32 and uint64, over all their numbers.
    Raises ValueError for other dtypes and for one bound of integers without the other, InvalidArgumentError (in graphs ValueError)
    for a seed of another shape.

    >>> tf.random.stateless_uniform([2], seed=[1, 2], minval=0, maxval=100, dtype=tf.int32).numpy().tolist()
    [40, 49]
    """
    kind = as_dtype(dtype)
    accepted = (*DRAWN, uint32, uint64)
    if kind not in accepted:
        raise ValueError(f"Argument `dtype` got invalid value {kind!r}. Accepted dtypes are {accepted}.")
    if kind.is_integer and (minval is None) != (maxval is None):
        raise ValueError(
            f"For integer `dtype` argument {kind!r}, argument `minval` and `maxval` must be both None or not None. "
            f"Got `minval`={minval} and `maxval`={maxval}."
        )
    if kind in (uint32, uint64) and minval is not None:
        raise ValueError(
            f"Argument `dtype` got invalid value {kind!r} when argument `minval` is not None. Use a signed dtype, or no bounds."
        )
    with scope(name, "stateless_random_uniform") as inner:
        sizes = shape_input(shape)
        if minval is None and kind.is_integer:
            return STATELESS_FULL_INT(sizes, *_key_of_seed(seed, alg), dtype=kind, name=inner)
        low = convert_to_tensor(minval, kind, name="min")
        high = convert_to_tensor(1 if maxval is None else maxval, kind, name="max")
        if kind.is_integer:
            return STATELESS_INT(sizes, *_key_of_seed(seed, alg), low, high, name=inner)
        drawn = STATELESS_UNIFORM(sizes, *_key_of_seed(seed, alg), dtype=kind)
        return add(multiply(drawn, subtract(high, low, "sub"), "mul"), low, inner)


@export("random.stateless_normal")
def stateless_normal(
    shape: ShapeLike,
    seed: IntLike,
    mean: NumberLike = 0.0,
    stddev: NumberLike = 1.0,
    dtype: DTypeLike = float32,
    name: str | None = None,
    alg: object = "auto_select",
) -> Tensor:
    """Normally distributed numbers, the same for the same `seed` (two integers); the rest as `normal`.

    >>> tf.random.stateless_normal([2], seed=[1, 2]).numpy().round(3).tolist()
    [0.5440000295639038, 0.2070000022649765]
    """
    return _spread(STATELESS_NORMAL, "stateless_random_normal", shape, seed, mean, stddev, dtype, name, alg)


@export("random.stateless_truncated_normal")
def stateless_truncated_normal(
    shape: ShapeLike,
    seed: IntLike,
    mean: NumberLike = 0.0,
    stddev: NumberLike = 1.0,
    dtype: DTypeLike = float32,
    name: str | None = None,
    alg: object = "auto_select",
) -> Tensor:
    """Truncated normal numbers, the same for the same `seed` (two integers); the rest as `truncated_normal`.

    >>> tf.random.stateless_truncated_normal([2], seed=[1, 2]).shape
    TensorShape([2])
    """
    return _spread(STATELESS_TRUNCATED_NORMAL, "stateless_truncated_normal", shape, seed, mean, stddev, dtype, name, alg)


def _spread(op: Any, default: str, shape: Any, seed: Any, mean: Any, stddev: Any, dtype: Any, name: str | None, alg: Any) -> Any:
    kind = as_dtype(dtype)
    with scope(name, default) as inner:
        sizes = shape_input(shape)
        mean, stddev = convert_to_tensor(mean, kind, name="mean"), convert_to_tensor(stddev, kind, name="stddev")
        return scale_draw(op(sizes, *_key_of_seed(seed, alg), dtype=kind), mean, stddev, inner)


@export("random.stateless_categorical")
def stateless_categorical(
    logits: NumberLike, num_samples: NumberLike, seed: IntLike, dtype: DTypeLike = int64, name: str | None = None
) -> Tensor:
    """Classes drawn with unnormalised log-probabilities `logits`, the same for the same `seed`; the rest as `categorical`.

    >>> tf.random.stateless_categorical([[-1e9, 0.0]], 3, seed=[1, 2]).numpy().tolist()
    [[1, 1, 1]]
    """
    with scope(name, "stateless_categorical"):
        return STATELESS_MULTINOMIAL(logits, num_samples, seed, output_dtype=class_dtype(dtype))


@export("random.stateless_gamma")
def stateless_gamma(
    shape: ShapeLike, seed: IntLike, alpha: NumberLike, beta: NumberLike | None = None, dtype: DTypeLike = float32, name: str | None = None
) -> Tensor:
    """Gamma-distributed numbers of `shape`, whose last dimensions are those of `alpha` and `beta`; the same for the same `seed`.

    >>> tf.random.stateless_gamma([5, 2], [1, 2], [1.0, 2.0]).shape
    TensorShape([5, 2])
    """
    kind = as_dtype(dtype)
    with scope(name, "stateless_random_gamma"):
        sizes = shape_input(shape)
        alpha = convert_to_tensor(alpha, kind, name="alpha")
        rate = convert_to_tensor(1 if beta is None else beta, kind, name="beta")
        if alpha.dims != rate.dims:
            alpha = broadcast_to(alpha, shape_of(alpha + rate))
        drawn = STATELESS_GAMMA(sizes, *_key_of_seed(seed, "auto_select"), alpha)
        return maximum(np.finfo(np.dtype(kind.numpy_dtype)).tiny, drawn / rate)


@export("random.stateless_poisson")
def stateless_poisson(shape: ShapeLike, seed: IntLike, lam: NumberLike, dtype: DTypeLike = int32, name: str | None = None) -> Tensor:
    """Poisson-distributed numbers of `shape`, whose last dimensions are those of `lam`; the same for the same `seed`.

    >>> tf.random.stateless_poisson([5, 2], [1, 2], [1.0, 20.0]).shape
    TensorShape([5, 2])
    """
    if dtype is None:
        raise TypeError("Expected DataType for argument 'dtype' not None.")
    with scope(name, "stateless_random_poisson"):
        return STATELESS_POISSON(shape_input(shape), seed, lam, dtype=dtype)


@export("random.experimental.stateless_shuffle")
def stateless_shuffle(value: TensorLike, seed: IntLike, alg: object = "auto_select", name: str | None = None) -> Tensor:
    """`value` with its rows in an order that `seed` decides; without a gradient.

    >>> tf.random.experimental.stateless_shuffle([1, 2, 3], [1, 2]).shape
    TensorShape([3])
    """
    with scope(name, "stateless_shuffle"):
        return STATELESS_SHUFFLE(value, *_key_of_seed(seed, alg))


@export("random.split", "random.experimental.stateless_split")
def split(seed: Any, num: Any = 2, alg: Any = "auto_select") -> Tensor:
    """`num` new seeds that one seed decides: integers of shape [num, 2].

    >>> tf.random.split([1, 2], num=3).shape
    TensorShape([3, 2])
    """
    seed = convert_to_tensor(seed)
    return stateless_uniform([num, 2], seed, None, None, seed.dtype, None, alg)


@export("random.fold_in", "random.experimental.stateless_fold_in")
def fold_in(seed: NumberLike, data: NumberLike, alg: object = "auto_select") -> Tensor:
    """A new seed made of a seed and the integer `data`.

    >>> tf.random.fold_in([1, 2], 3).numpy().tolist()[1]
    3
    """
    data = convert_to_tensor(data)
    first = stateless_uniform([], seed, None, None, data.dtype, None, alg)
    return convert_to_tensor([first, data])
