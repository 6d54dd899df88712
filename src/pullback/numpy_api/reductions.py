"""Sums, extremes, means and what else goes along axes.

Sums and products of small integers and truth values are int64 (uint64), means of integers are the default float.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..base.export import export
from ..compat import v2 as tf
from ..ir.tensor import DTypeLike, IntLike, NumberLike, Tensor, TensorLike
from .arrays import array, asarray, axis_of, convert_array, invalid_argument, rank_of, to_floating
from .binary import subtract, true_divide
from .dtypes import asked_dtype, default_float, default_int, is_inexact, result_type
from .unary import isnan


def _axes(axis: Any) -> Any:
    return tf.cast(axis, tf.int64) if isinstance(axis, tf.Tensor) and axis.dtype not in (tf.int32, tf.int64) else axis


def _widen(a: Tensor) -> Any:
    """Smaller integers and truth values as NumPy adds them."""
    if is_inexact(a):
        return a
    wide = default_int(unsigned=np.dtype(a.dtype.as_numpy_dtype).kind == "u")
    return a if a.dtype.size >= wide.size else tf.cast(a, wide)


def _floats(a: Tensor) -> Any:
    return a if is_inexact(a) else tf.cast(a, default_float())


def _reduce_axes(of: Callable[..., Any], a: Any, axis: Any, dtype: Any, keepdims: Any, widen: Callable[[Any], Any]) -> Any:
    wanted = asked_dtype(dtype)
    x = convert_array(a, wanted)
    return of(widen(x) if wanted is None else x, axis=_axes(axis), keepdims=bool(keepdims))


@export(v2="experimental.numpy.sum")
def sum(a: NumberLike, axis: IntLike | None = None, dtype: Any = None, keepdims: bool | None = None) -> Tensor:
    """The sum along axes, of all elements by default. With `dtype=bool`, whether any is true.

    >>> tf.experimental.numpy.sum([[1, 2], [3, 4]], axis=0).numpy().tolist()
    [4, 6]
    """
    of = tf.reduce_any if asked_dtype(dtype) == tf.bool else tf.reduce_sum
    return _reduce_axes(of, a, axis, dtype, keepdims, _widen)


@export(v2="experimental.numpy.prod")
def prod(a: TensorLike, axis: IntLike | None = None, dtype: DTypeLike | None = None, keepdims: bool | None = None) -> Tensor:
    """The product along axes, of all elements by default. With `dtype=bool`, whether all are true.

    >>> int(tf.experimental.numpy.prod([2, 3, 4]))
    24
    """
    of = tf.reduce_all if asked_dtype(dtype) == tf.bool else tf.reduce_prod
    return _reduce_axes(of, a, axis, dtype, keepdims, _widen)


@export(v2="experimental.numpy.mean")
def mean(
    a: TensorLike, axis: IntLike | None = None, dtype: DTypeLike | None = None, out: object = None, keepdims: bool | None = None
) -> Tensor:
    """The mean along axes, of all elements by default; `out` is refused.

    >>> float(tf.experimental.numpy.mean([1, 2]))
    1.5
    """
    _refuse_out("mean", out)
    return _reduce_axes(tf.reduce_mean, a, axis, dtype, keepdims, _floats)


def _refuse_out(who: str, out: Any) -> None:
    if out is not None:
        raise ValueError(f"Setting out is not supported. {who} returns a new array, tensors do not change.")


def _extreme(of: Callable[..., Any], truths: Callable[..., Any], a: Any, axis: Any, keepdims: Any) -> Any:
    x = asarray(a)
    return (truths if x.dtype.is_bool else of)(x, axis=_axes(axis), keepdims=bool(keepdims))


@export(v2="experimental.numpy.amax")
def amax(a: TensorLike, axis: IntLike | None = None, out: object = None, keepdims: bool | None = None) -> Tensor:
    """The largest element along axes; of truth values, whether any is true. `out` is refused.

    >>> float(tf.experimental.numpy.amax([1.0, 3.0, 2.0]))
    3.0
    """
    _refuse_out("amax", out)
    return _extreme(tf.reduce_max, tf.reduce_any, a, axis, keepdims)


@export(v2="experimental.numpy.amin")
def amin(a: TensorLike, axis: IntLike | None = None, out: object = None, keepdims: bool | None = None) -> Tensor:
    """The smallest element along axes; of truth values, whether all are true. `out` is refused.

    >>> float(tf.experimental.numpy.amin([1.0, 3.0, 2.0]))
    1.0
    """
    _refuse_out("amin", out)
    return _extreme(tf.reduce_min, tf.reduce_all, a, axis, keepdims)


@export(v2="experimental.numpy.max")
def max(a: TensorLike, axis: IntLike | None = None, keepdims: bool | None = None) -> Tensor:
    """As `amax`.

    >>> int(tf.experimental.numpy.max([1, 3, 2]))
    3
    """
    return amax(a, axis=axis, keepdims=keepdims)


@export(v2="experimental.numpy.min")
def min(a: TensorLike, axis: IntLike | None = None, keepdims: bool | None = None) -> Tensor:
    """As `amin`.

    >>> int(tf.experimental.numpy.min([1, 3, 2]))
    1
    """
    return amin(a, axis=axis, keepdims=keepdims)


@export(v2="experimental.numpy.ptp")
def ptp(a: TensorLike, axis: IntLike | None = None, keepdims: bool | None = None) -> Tensor:
    """The largest less the smallest element along axes.

    >>> int(tf.experimental.numpy.ptp([1, 3, 2]))
    2
    """
    return subtract(amax(a, axis=axis, keepdims=keepdims), amin(a, axis=axis, keepdims=keepdims))


@export(v2="experimental.numpy.all")
def all(a: TensorLike, axis: IntLike | None = None, keepdims: bool | None = None) -> Tensor:
    """Whether all elements along axes are true, anything but 0 being true.

    >>> bool(tf.experimental.numpy.all([1, 0]))
    False
    """
    return tf.reduce_all(asarray(a, bool), axis=axis, keepdims=bool(keepdims))


@export(v2="experimental.numpy.any")
def any(a: TensorLike, axis: IntLike | None = None, keepdims: bool | None = None) -> Tensor:
    """Whether an element along axes is true, anything but 0 being true.

    >>> bool(tf.experimental.numpy.any([1, 0]))
    True
    """
    return tf.reduce_any(asarray(a, bool), axis=axis, keepdims=bool(keepdims))


@export(v2="experimental.numpy.std")
def std(a: TensorLike, axis: IntLike | None = None, keepdims: bool | None = None) -> Tensor:
    """The standard deviation along axes.

    >>> float(tf.experimental.numpy.std([1, 3]))
    1.0
    """
    return _reduce_axes(tf.math.reduce_std, a, axis, None, keepdims, _floats)


@export(v2="experimental.numpy.var")
def var(
    a: TensorLike, axis: IntLike | None = None, dtype: DTypeLike | None = None, out: object = None, ddof: int = 0,
    keepdims: bool | None = None,
) -> Tensor:  # fmt: skip
    """The variance along axes: squared deviations from the mean, divided by their number less `ddof`.

    dtype: of the result; the computation is in what it and the array's come to.

    >>> float(tf.experimental.numpy.var([1.0, 3.0], ddof=1))
    2.0
    """
    _refuse_out("var", out)
    wanted = None if dtype is None else tf.as_dtype(dtype)
    x = _floats(asarray(a)) if wanted is None else convert_array(a, result_type(a, dtype))
    if ddof:
        found = _variance(x, _axes(axis), ddof, bool(keepdims))
    else:
        found = tf.math.reduce_variance(x, axis=_axes(axis), keepdims=bool(keepdims))
    return found if wanted is None else tf.cast(found, wanted)


def _variance(x: Tensor, axis: IntLike | None, ddof: int, keepdims: bool) -> Any:
    away = x - tf.reduce_mean(x, axis=axis, keepdims=True)
    squares = tf.cast(tf.math.real(away * tf.math.conj(away)), x.dtype) if x.dtype.is_complex else tf.square(away)
    total = tf.reduce_sum(squares, axis=axis, keepdims=keepdims)
    return total / tf.cast(_count(x, axis) - ddof, x.dtype)


def _count(x: Any, axis: Any) -> Any:
    """How many elements a reduction along `axis` takes together."""
    if axis is None:
        return tf.size(x)
    rank = rank_of(x, "var")
    axes = axis if isinstance(axis, (tuple, list)) else [axis]
    return tf.reduce_prod(tf.gather(tf.shape(x), [axis_of(int(i), rank, "var") for i in axes]))


@export(v2="experimental.numpy.average")
def average(a: TensorLike, axis: int | None = None, weights: TensorLike | None = None, returned: bool = False) -> Any:
    """The mean along an axis, each element as heavy as `weights` says.

    Args:
        a: the elements; integers become floats.
        axis: one axis, None for all.
        weights: of the shape of `a`, or one for each place along the axis.
        returned: whether to return the sums of the weights beside the means.

    >>> float(tf.experimental.numpy.average([1.0, 4.0], weights=[2.0, 1.0]))
    2.0
    """
    if axis is not None and not isinstance(axis, int):
        raise ValueError(f"average: axis must be an integer or None, got {axis!r}.")
    if weights is None:
        x = to_floating(a)
        found = tf.reduce_mean(x, axis=axis)
        total = tf.cast(tf.size(x) if axis is None else tf.shape(x)[axis], x.dtype)
    else:
        x = asarray(a)
        dtype = result_type(x, weights) if is_inexact(x) else result_type(x, weights, default_float())
        found, total = _weight_mean(convert_array(x, dtype), convert_array(weights, dtype), axis)
    return (found, tf.broadcast_to(total, tf.shape(found))) if returned else found


def _weight_mean(x: Tensor, weights: Tensor, axis: int | None) -> tuple[Any, Any]:
    if axis is None or rank_of(x, "average") == rank_of(weights, "average"):
        if not x.shape.is_compatible_with(weights.shape):
            raise _unfit_error(x, weights, "give one for each element")
        total = tf.reduce_sum(weights, axis=axis)
        return tf.reduce_sum(x * weights, axis=axis) / total, total
    if weights.shape.rank != 1:
        raise _unfit_error(x, weights, f"give one for each place along axis {axis}")
    total = tf.reduce_sum(weights)
    return tf.tensordot(x, weights, [[axis], [0]]) / total, total


def _unfit_error(x: Tensor, weights: Tensor, way_out: str) -> Exception:
    said = f"average: weights of shape {weights.shape} do not fit an array of shape {x.shape}; {way_out}."
    return invalid_argument(said)


def _replace_nan(a: Any, instead: int) -> Any:
    x = array(a)
    return tf.where(isnan(x), tf.cast(instead, x.dtype), x) if is_inexact(x) else x


@export(v2="experimental.numpy.nansum")
def nansum(a: TensorLike, axis: IntLike | None = None, dtype: DTypeLike | None = None, keepdims: bool = False) -> Tensor:
    """The sum along axes of what is a number.

    >>> float(tf.experimental.numpy.nansum([1.0, float("nan")]))
    1.0
    """
    return sum(_replace_nan(a, 0), axis=axis, dtype=dtype, keepdims=keepdims)


@export(v2="experimental.numpy.nanprod")
def nanprod(a: TensorLike, axis: IntLike | None = None, dtype: DTypeLike | None = None, keepdims: bool = False) -> Tensor:
    """The product along axes of what is a number.

    >>> float(tf.experimental.numpy.nanprod([2.0, float("nan")]))
    2.0
    """
    return prod(_replace_nan(a, 1), axis=axis, dtype=dtype, keepdims=keepdims)


@export(v2="experimental.numpy.nanmean")
def nanmean(a: TensorLike, axis: IntLike | None = None, dtype: DTypeLike | None = None, keepdims: bool | None = None) -> Tensor:
    """The mean along axes of what is a number.

    >>> float(tf.experimental.numpy.nanmean([1.0, 3.0, float("nan")]))
    2.0
    """
    x = array(a)
    if not is_inexact(x):
        return mean(x, axis=axis, dtype=dtype, keepdims=keepdims)
    numbers = sum(tf.logical_not(isnan(x)), axis=axis, dtype=dtype or x.dtype, keepdims=keepdims)
    return true_divide(nansum(x, axis=axis, dtype=dtype or x.dtype, keepdims=bool(keepdims)), numbers)


@export(v2="experimental.numpy.count_nonzero")
def count_nonzero(a: TensorLike, axis: IntLike | None = None) -> Tensor:
    """How many elements along axes are not 0.

    >>> int(tf.experimental.numpy.count_nonzero([0, 3, 4]))
    2
    """
    return tf.math.count_nonzero(array(a), axis)


def _accumulate_along(of: Callable[..., Any], a: TensorLike, axis: int | None, dtype: Any, who: str) -> Any:
    x = asarray(a, dtype)
    if dtype is None and x.dtype.is_integer:
        x = tf.cast(x, np.promote_types(x.dtype.as_numpy_dtype, default_int().as_numpy_dtype))
    if axis is None:
        return of(tf.reshape(x, [-1]), 0)
    return of(x, axis_of(axis, rank_of(x, who), who))


@export(v2="experimental.numpy.cumsum")
def cumsum(a: TensorLike, axis: int | None = None, dtype: DTypeLike | None = None) -> Tensor:
    """Running sums along an axis, of the flattened array by default.

    >>> tf.experimental.numpy.cumsum([1, 2, 3]).numpy().tolist()
    [1, 3, 6]
    """
    return _accumulate_along(tf.cumsum, a, axis, dtype, "cumsum")


@export(v2="experimental.numpy.cumprod")
def cumprod(a: TensorLike, axis: int | None = None, dtype: DTypeLike | None = None) -> Tensor:
    """Running products along an axis, of the flattened array by default.

    >>> tf.experimental.numpy.cumprod([1, 2, 3]).numpy().tolist()
    [1, 2, 6]
    """
    return _accumulate_along(tf.math.cumprod, a, axis, dtype, "cumprod")


@export(v2="experimental.numpy.diff")
def diff(a: TensorLike, n: int = 1, axis: int = -1) -> Tensor:
    """Differences of neighbours along an axis, n times over; of truth values, whether they differ.

    >>> tf.experimental.numpy.diff([1, 4, 9]).numpy().tolist()
    [3, 5]
    """
    x = asarray(a)
    if n < 0:
        raise ValueError(f"diff: n must not be negative, got {n}.")
    place = axis_of(axis, rank_of(x, "diff"), "diff", ValueError)
    before = (slice(None),) * place
    for _ in range(n):
        later, earlier = x[(*before, slice(1, None))], x[(*before, slice(None, -1))]
        x = tf.not_equal(later, earlier) if x.dtype.is_bool else tf.subtract(later, earlier)
    return x
