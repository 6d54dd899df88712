"""The functions of `tf.random`.

Numbers with a spread are made as TensorFlow makes them, a standard draw scaled and shifted by ordinary operations, so gradients reach
the mean and the deviation (reparametrisation) and the bounds.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.dtypes import INDEX, DType, as_dtype, bfloat16, float16, float32, float64, int32, int64
from ...base.export import export
from ...base.shapes import Dimension
from ...ir.apply import convert_to_tensor
from ...ir.context import executing_eagerly, scope
from ...ir.tensor import DTypeLike, IntLike, NumberLike, ShapeLike, Tensor, TensorLike
from ..array.basic import broadcast_to, shape_of
from ..math.arithmetic import add, maximum, multiply, subtract
from .operations import MULTINOMIAL, RANDOM_GAMMA, RANDOM_NORMAL, RANDOM_SHUFFLE, RANDOM_UNIFORM, RANDOM_UNIFORM_INT, TRUNCATED_NORMAL
from .poisson import RANDOM_POISSON
from .seed import get_seed, seed_attributes, set_seed

DRAWN = (float16, bfloat16, float32, float64, int32, int64)


def shape_input(shape: object, dtype: DType | None = None) -> Any:
    """A shape as users write it, as the operations take it: of one dtype, or of its own where that is None."""
    if isinstance(shape, (list, tuple)) and not shape:
        return convert_to_tensor(np.zeros(0, np.int32), name="shape")
    return convert_to_tensor(list(map(_size, shape)) if isinstance(shape, (list, tuple)) else shape, dtype, name="shape")


def _size(n: Any) -> Any:
    return n.value if isinstance(n, Dimension) else n


def scale_draw(draw: Tensor, mean: Tensor, stddev: Tensor, name: str) -> Tensor:
    """`draw * stddev + mean`."""
    return add(multiply(draw, stddev, "mul"), mean, name)


@export("random.normal", v1="random_normal")
def normal(
    shape: ShapeLike,
    mean: NumberLike = 0.0,
    stddev: NumberLike = 1.0,
    dtype: DTypeLike = float32,
    seed: IntLike | None = None,
    name: str | None = None,
) -> Tensor:
    """Normally distributed numbers.

    shape: 1-D integers.  mean, stddev: numbers or tensors of `dtype` that broadcast; gradients reach them.  dtype: floating.
    seed: the operation's own seed, see `set_seed`.  Raises InvalidArgumentError for a negative size.

    >>> tf.random.normal([2, 3], seed=1).shape
    TensorShape([2, 3])
    """
    return _spread(RANDOM_NORMAL, "random_normal", shape, mean, stddev, dtype, seed, name)


@export("random.truncated_normal", v1="truncated_normal")
def truncated_normal(
    shape: ShapeLike,
    mean: NumberLike = 0.0,
    stddev: NumberLike = 1.0,
    dtype: DTypeLike = float32,
    seed: IntLike | None = None,
    name: str | None = None,
) -> Tensor:
    """Normally distributed numbers, those two or more deviations from the mean drawn again; arguments and errors as `normal`.

    >>> bool((abs(tf.random.truncated_normal([100])) < 2.0).numpy().all())
    True
    """
    return _spread(TRUNCATED_NORMAL, "truncated_normal", shape, mean, stddev, dtype, seed, name)


def _spread(op: Any, default: str, shape: Any, mean: Any, stddev: Any, dtype: Any, seed: Any, name: str | None) -> Tensor:
    kind = as_dtype(dtype)
    with scope(name, default) as inner:
        sizes = shape_input(shape)
        mean, stddev = convert_to_tensor(mean, kind, name="mean"), convert_to_tensor(stddev, kind, name="stddev")
        return scale_draw(op(sizes, dtype=kind, **seed_attributes(seed)), mean, stddev, inner)


@export("random.uniform", v1="random_uniform")
def uniform(
    shape: ShapeLike,
    minval: NumberLike = 0,
    maxval: NumberLike | None = None,
    dtype: DTypeLike = float32,
    seed: IntLike | None = None,
    name: str | None = None,
) -> Tensor:
    """Uniformly distributed numbers in [minval, maxval).

    shape: 1-D integers.  maxval: 1 when None; integers must have one.  dtype: floating, int32 or int64.  seed: see `set_seed`.
    Gradients reach floating bounds.  Raises ValueError for other dtypes or a missing bound, InvalidArgumentError for an empty range
    of integers or a negative size.

    >>> tf.random.uniform([4], maxval=10, dtype=tf.int32).dtype
    tf.int32
    """
    kind = as_dtype(dtype)
    if kind not in DRAWN:
        raise ValueError(f"Argument `dtype` got invalid value {kind!r}. Accepted dtypes are {DRAWN}.")
    if maxval is None:
        if kind.is_integer:
            raise ValueError(f"Must specify maxval for integer dtype {kind!r}")
        maxval = 1
    with scope(name, "random_uniform") as inner:
        sizes = shape_input(shape)
        attributes = seed_attributes(seed)
        from_zero = _is(minval, 0)
        if from_zero and _is(maxval, 1) and not kind.is_integer:
            return RANDOM_UNIFORM(sizes, dtype=kind, **attributes)
        low, high = convert_to_tensor(minval, kind, name="min"), convert_to_tensor(maxval, kind, name="max")
        if kind.is_integer:
            return RANDOM_UNIFORM_INT(sizes, low, high, **attributes, name=inner)
        drawn = RANDOM_UNIFORM(sizes, dtype=kind, **attributes)
        return multiply(drawn, high) if from_zero else add(multiply(drawn, subtract(high, low, "sub"), "mul"), low, inner)


def _is(bound: Any, number: int) -> bool:
    """Whether an end of a range needs no operation: while a graph is built, TensorFlow goes by whole numbers alone."""
    kinds = (int, float) if executing_eagerly() else int
    return isinstance(bound, kinds) and not isinstance(bound, bool) and bound == number


@export("random.shuffle", v1="random_shuffle")
def shuffle(value: TensorLike, seed: IntLike | None = None, name: str | None = None) -> Tensor:
    """`value` with its rows (the first dimension) in random order; not differentiable.

    >>> sorted(tf.random.shuffle([3, 1, 2]).numpy().tolist())
    [1, 2, 3]
    """
    return RANDOM_SHUFFLE(value, **seed_attributes(seed), name=name)


def class_dtype(dtype: Any) -> DType:
    """The dtype of classes that are drawn: int64 for None; a ValueError for any but the two of indices."""
    kind = int64 if dtype is None else as_dtype(dtype)
    if kind not in INDEX:
        raise ValueError(f"Argument `dtype` got invalid value {kind!r}. Accepted dtypes are (tf.int32, tf.int64).")
    return kind


@export("random.categorical")
def categorical(
    logits: NumberLike, num_samples: NumberLike, dtype: DTypeLike | None = None, seed: IntLike | None = None, name: str | None = None
) -> Tensor:
    """Classes drawn with unnormalised log-probabilities `logits`: integers of shape [rows, num_samples].

    logits: a matrix, one row for each distribution.  dtype: int64 (when None) or int32.  Raises InvalidArgumentError (in graphs
    ValueError) for another rank, no classes, or a negative count.

    >>> tf.random.categorical([[-1e9, 0.0]], 3).numpy().tolist()
    [[1, 1, 1]]
    """
    with scope(name, "categorical"):
        return MULTINOMIAL(logits, num_samples, **seed_attributes(seed), output_dtype=class_dtype(dtype))


@export("random.gamma", v1="random_gamma")
def gamma(
    shape: ShapeLike,
    alpha: NumberLike,
    beta: NumberLike | None = None,
    dtype: DTypeLike = float32,
    seed: IntLike | None = None,
    name: str | None = None,
) -> Tensor:
    """Gamma-distributed numbers: `shape` of them for each pair of `alpha` (form) and `beta` (rate, 1 when None).

    alpha, beta: of `dtype`, broadcast against each other.  The result has shape `shape + broadcast`.  Gradients reach alpha
    (implicitly) and beta.

    >>> tf.random.gamma([5], [1.0, 2.0]).shape
    TensorShape([5, 2])
    """
    kind = as_dtype(dtype)
    with scope(name, "random_gamma"):
        sizes = shape_input(shape, int32)
        alpha = convert_to_tensor(alpha, kind, name="alpha")
        rate = convert_to_tensor(1 if beta is None else beta, kind, name="beta")
        if alpha.dims != rate.dims:
            alpha = broadcast_to(alpha, shape_of(alpha + rate))
        return maximum(np.finfo(np.dtype(kind.numpy_dtype)).tiny, RANDOM_GAMMA(sizes, alpha, **seed_attributes(seed)) / rate)


@export(v2="random.poisson")
def poisson(shape: ShapeLike, lam: NumberLike, dtype: DTypeLike = float32, seed: IntLike | None = None, name: str | None = None) -> Tensor:
    """Poisson-distributed numbers: `shape` of them for each rate in `lam`; the result has shape `shape + lam.shape`.

    lam: the rates, of any real dtype.  dtype: of the result.  Without a gradient.

    >>> tf.random.poisson([5], [1.0, 20.0]).shape
    TensorShape([5, 2])
    """
    with scope(name, "random_poisson"):
        sizes = shape_input(shape, int32)
        return RANDOM_POISSON(sizes, lam, **seed_attributes(seed), dtype=dtype)


__all__ = ["categorical", "gamma", "get_seed", "normal", "poisson", "set_seed", "shuffle", "truncated_normal", "uniform"]
