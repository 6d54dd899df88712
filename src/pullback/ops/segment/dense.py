"""Segment reductions: rows of a tensor reduced by the segment each belongs to.

Sorted segments (`SegmentSum`...) have ids that never fall, one for each row, and end with the last id.  Unsorted ones have ids in
any order, of any rank, a number of segments of their own, and drop rows with negative ids.
Numbers are reduced one by one, rows as `blocked.combine_rows` does; large arrays of rows have native programs, of unsorted segments for
sorted ones too, whose number nobody knows beforehand: a round one, so that few programs serve.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np

from ...base import tolerance
from ...base.dtypes import INDEX, NUMERIC, REAL, int16
from ...base.export import export
from ...base.shapes import show as show_dims
from ...ir.apply import ShapeError, convert_to_tensor
from ...ir.composite import takes_composites
from ...ir.context import scope
from ...ir.op import Op, Traits, define
from ...ir.tensor import NumberLike, Tensor, TensorType
from ...kernels import blocked
from ...kernels.native_loops import run_natively
from ..array.basic import SHAPE, fill, ones_of, reshape, shape_of, zeros_of
from ..array.gather import gather
from ..array.join import CONCAT, stack
from ..array.shape import size
from ..array.type_rules import invalid_argument, known_size, known_value
from ..array.where import where
from ..lowering import segment as native_segment
from ..math.arithmetic import maximum
from ..math.complex import REAL_PART
from ..math.functions import sqrt
from ..math.kernels import truncate_div
from ..primitives.cast import CAST
from ..primitives.compare import equal, greater_equal, logical_and
from ..reduce.reductions import is_narrow, limits, quotient

Array = np.ndarray[Any, Any]


# ---- types


def _sorted_type(data: Any, segment_ids: Any) -> TensorType:
    if segment_ids.dims is not None and len(segment_ids.dims) != 1:
        raise ShapeError(f"Shape must be rank 1 but is rank {len(segment_ids.dims)}", "segment_ids should be a vector.")
    if data.dims is None:
        return TensorType(None, data.dtype)
    if not data.dims:
        raise ShapeError("Shape must be at least rank 1 but is rank 0", "input must be at least rank 1")
    ids = known_value(segment_ids)
    return TensorType((None if ids is None else int(ids[-1]) + 1 if len(ids) else 0, *data.dims[1:]), data.dtype)


def _unsorted_type(data: Any, segment_ids: Any, num_segments: Any) -> TensorType:
    number = known_size(num_segments, f"num_segments should be a scalar, not shape {show_dims(num_segments.dims)}")
    if number is not None and number < 0:
        raise ShapeError(
            f"Dimension size, given by scalar input 2 must be non-negative but is {number}",
            f"Input num_segments == {number} must not be negative.",
        )
    if data.dims is None or segment_ids.dims is None:
        return TensorType(None, data.dtype)
    rank = len(segment_ids.dims)
    fits = len(data.dims) >= rank and all(m is None or n is None or m == n for m, n in zip(data.dims, segment_ids.dims, strict=False))
    if not fits:
        text = f"data.shape = {show_dims(data.dims)} does not start with segment_ids.shape = {show_dims(segment_ids.dims)}"
        raise ShapeError(f"Dimensions must be equal: {text}", text)
    return TensorType((number, *data.dims[rank:]), data.dtype)


# ---- kernels


def _reduce_rows(combine: np.ufunc, rows: Array, ids: Array, count: int, empty: Any, rising: bool) -> Array:
    """Rows reduced by id; `empty` where an id has no rows."""
    out = np.full((count, *rows.shape[1:]), empty, rows.dtype)
    if not rising and rows.ndim == 1 and rows.size >= blocked.LARGE and rows.dtype.kind in "fiu" and not is_narrow(rows):
        neutrals: dict[Any, Any] = {np.add: 0, np.multiply: 1, np.maximum: limits(rows.dtype)[0], np.minimum: limits(rows.dtype)[1]}
        neutral = neutrals[combine]
        found = np.full(count, neutral, rows.dtype)
        combine.at(found, ids.astype(np.intp), rows)
        if empty != neutral and (found == neutral).any():
            return np.where(np.bincount(ids, minlength=count) > 0, found, out)
        return found
    if len(ids):
        found_ids, found = blocked.combine_rows(combine, rows.astype(np.float32) if is_narrow(rows) else rows, ids)
        out[found_ids] = found.astype(rows.dtype, copy=False)
    return out


def _check_sorted(data: Array, segment_ids: Array) -> None:
    if segment_ids.ndim != 1 or not data.ndim:
        raise ValueError("the ids do not fit")  # the type rule finds the words
    if len(segment_ids) != len(data):
        raise invalid_argument(f"segment_ids should be the same size as dimension 0 of input: {len(segment_ids)} ids for {len(data)} rows")
    if len(segment_ids) and segment_ids[0] < 0:
        raise invalid_argument(f"Segment id {segment_ids[0]} out of range, segment_ids must not be negative")
    if (segment_ids[1:] < segment_ids[:-1]).any():
        raise invalid_argument("segment ids are not increasing")


def _multiply_segments(out: Any, x: Any, ids: Any, count: int) -> int:
    """A loop (`kernels.loops`) that multiplies the numbers of each segment, in order; ids never fall.  out: ones."""
    at = 0
    while at < count:
        segment = ids[at]
        total = x[at]
        at += 1
        while at < count and ids[at] == segment:
            total = total * x[at]
            at += 1
        out[segment] = total
    return 0


def _sorted_kernel(combine: np.ufunc, empty: float) -> Callable[..., Array]:
    def kernel(data: Array, segment_ids: Array) -> Array:
        _check_sorted(data, segment_ids)
        count = int(segment_ids[-1]) + 1 if len(segment_ids) else 0
        if combine is np.multiply and data.ndim == 1 and data.dtype.kind in "fiu":
            out = np.ones(count, data.dtype)
            if run_natively(_multiply_segments, data.size, out, data, segment_ids, data.size) is not None:
                return out
        if data.size >= blocked.SHARED and data.ndim > 1:
            return _as_unsorted(combine, data, segment_ids, count, empty)
        return _reduce_rows(combine, data, segment_ids, count, empty, True)

    return kernel


def _as_unsorted(combine: np.ufunc, data: Array, segment_ids: Array, count: int, empty: float) -> Array:
    """Rows of rising ids, reduced by the kernel for any ids."""
    grain = 1 << max(count.bit_length() - 4, 0)
    number = -(-count // grain) * grain
    out: Array = _UNSORTED[combine].kernel(data, segment_ids, np.asarray(number))[:count]
    if combine in (np.maximum, np.minimum) and int((segment_ids[1:] != segment_ids[:-1]).sum()) + 1 < count:
        out = out.copy()
        out[_sizes(segment_ids, count) == 0] = empty
    return out


def _sizes(segment_ids: Array, count: int) -> Array:
    """How many rows each segment has, of rising ids."""
    if len(segment_ids) >= 64 * count:
        return np.diff(np.searchsorted(segment_ids, np.arange(count + 1, dtype=segment_ids.dtype)))
    bounds = np.concatenate(([0], np.flatnonzero(segment_ids[1:] != segment_ids[:-1]) + 1, [len(segment_ids)]))
    sizes = np.zeros(count, np.int64)
    sizes[segment_ids[bounds[:-1]]] = bounds[1:] - bounds[:-1]
    return sizes


def _mean(data: Array, segment_ids: Array) -> Any:
    total = _sorted_kernel(np.add, 0)(data, segment_ids)
    number = _sizes(segment_ids, len(total)).reshape(-1, *(1,) * (data.ndim - 1))
    if data.dtype.kind in "iu":
        return truncate_div(total, np.maximum(number, 1).astype(total.dtype)).astype(data.dtype)
    return total / np.maximum(number, 1).astype(data.dtype)


def _empty_of(kind: str, dtype: np.dtype[Any]) -> Any:
    """What a segment without rows holds."""
    if kind in ("Sum", "Prod"):
        return kind == "Prod"
    info = np.iinfo(dtype) if dtype.kind in "iu" else ml_dtypes.finfo(dtype)
    return info.min if kind == "Max" else info.max


def _unsorted_kernel(combine: np.ufunc, kind: str) -> Callable[..., Array]:
    def kernel(data: Array, segment_ids: Array, num_segments: Array) -> Array:
        count, rank = int(num_segments), segment_ids.ndim
        if count < 0 or data.shape[:rank] != segment_ids.shape:
            raise ValueError("the ids do not fit")  # the type rule finds the words
        ids = segment_ids.ravel()
        if ids.size and ids.max() >= count:
            at = int(np.flatnonzero(ids >= count)[0])
            place = ",".join(map(str, np.unravel_index(at, segment_ids.shape)))
            raise invalid_argument(f"segment_ids[{place}] = {ids[at]} is out of range [0, {count})")
        rows = data.reshape(len(ids), *data.shape[rank:])
        if ids.size and ids.min() < 0:
            rows, ids = rows[ids >= 0], ids[ids >= 0]
        return _reduce_rows(combine, rows, ids, count, _empty_of(kind, data.dtype), False)

    return kernel


# ---- gradients


def _cast(x: Any, like: Any) -> Any:
    return CAST.call(x, DstT=like.dtype.base_dtype)


def _clamp_to_one(x: Any) -> Any:
    if x.dtype.is_complex:
        return _cast(maximum(REAL_PART.call(x), 1), x)
    return maximum(x, ones_of(x))


def _widen_rank(x: Any, like: Any) -> Tensor:
    """`x` with axes of size 1 added behind, up to the rank of `like`."""
    if x.dims is not None and like.dims is not None:
        extra = len(like.dims) - len(x.dims)
        shape = shape_of(x)
        if isinstance(shape, np.ndarray):
            return reshape(x, np.append(shape, np.ones(extra, np.int32)))
        return reshape(x, CONCAT.call([shape, np.ones(extra, np.int32)], 0)) if extra else x
    shape, wanted = SHAPE.call(x), SHAPE.call(like)
    missing = size(wanted) - size(shape)
    return reshape(x, CONCAT.call([shape, fill(stack([missing], 0), 1)], 0))


def _sum_back(g: Any, segment_ids: Any) -> Any:
    return gather(g, segment_ids)


def _mean_back(g: Any, segment_ids: Any) -> Any:
    number = SEGMENT_SUM(_cast(ones_of(segment_ids), g), segment_ids)
    return gather(quotient(g, _widen_rank(_clamp_to_one(number), g)), segment_ids)


def _extreme_back(g: Any, data: Any, segment_ids: Any, out: Any) -> Any:
    """The cotangent to the elements that equal their segment's extreme, in equal parts where several do."""
    chosen = equal(data, gather(out, segment_ids))
    number = _clamp_to_one(SEGMENT_SUM(_cast(chosen, g), segment_ids))
    share = gather(quotient(g, number), segment_ids)
    return where(chosen, share, zeros_of(share))


def _prod_parts(g: Any, data: Any, total: Callable[[Any], Any], product: Callable[[Any], Any], take: Callable[[Any], Any]) -> Any:
    """The product of the others in the segment, as that of the others that are not zero times that of the others that are.

    The latter is 1 of none, the element itself of one (0, but its derivative is 1), and 0 of several.
    """
    zero = equal(data, zeros_of(data))
    safe = where(zero, ones_of(data), data)
    among = _cast(zero, g)
    zeros = take(total(among)) - among
    of_zeros = where(zero, data, zeros_of(data))
    single = take(total(of_zeros)) - of_zeros
    none, one = (equal(zeros, _cast(convert_to_tensor(n), zeros)) for n in (0, 1))
    rest = where(none, ones_of(data), where(one, single, zeros_of(data)))
    return take(g) * quotient(take(product(safe)), safe) * rest


def _prod_back(g: Any, data: Any, segment_ids: Any) -> Any:
    def total(x: Any) -> Any:
        return SEGMENT_SUM(x, segment_ids)

    def product(x: Any) -> Any:
        return segment_prod(x, segment_ids)

    return _prod_parts(g, data, total, product, lambda x: gather(x, segment_ids))


def _take_kept(x: Any, segment_ids: Any) -> tuple[Any, Any]:
    """Rows of `x` by id, zeros for the negative ids; and where the ids are not negative."""
    ids = maximum(segment_ids, zeros_of(segment_ids))
    rows = gather(x, ids)
    there = _widen_rank(greater_equal(segment_ids, zeros_of(segment_ids)), rows)
    return where(there, rows, zeros_of(rows)), there


def _unsorted_sum_back(g: Any, segment_ids: Any) -> Tensor:
    return _take_kept(g, segment_ids)[0]


def _unsorted_extreme_back(g: Any, data: Any, segment_ids: Any, num_segments: Any, out: Any) -> Any:
    best, there = _take_kept(out, segment_ids)
    chosen = logical_and(equal(data, best), there)
    number = _clamp_to_one(UNSORTED_SUM(_cast(chosen, g), segment_ids, num_segments))
    share = _take_kept(quotient(g, number), segment_ids)[0]
    return where(chosen, share, zeros_of(share))


def _unsorted_prod_back(g: Any, data: Any, segment_ids: Any, num_segments: Any) -> Any:
    def total(x: Any) -> Any:
        return UNSORTED_SUM(x, segment_ids, num_segments)

    def product(x: Any) -> Any:
        return unsorted_segment_prod(x, segment_ids, num_segments)

    return _prod_parts(g, data, total, product, lambda x: _take_kept(x, segment_ids)[0])


# ---- records


def _define_sorted(
    name: str, kernel: Callable[..., Any], back: Callable[..., Any], dtypes: Any, holomorphic: bool = False, **more: Any
) -> Op:
    allowed = {"T": dtypes, "Tindices": INDEX}
    return define(
        name,
        "data segment_ids:Tindices",
        _sorted_type,
        kernel,
        {"data": back},
        dtypes=allowed,
        holomorphic=holomorphic,
        lower=native_segment.lower_sorted(name.removeprefix("Segment")),
        **more,
    )


def _define_unsorted(kind: str, combine: np.ufunc, back: Callable[..., Any], dtypes: Any, holomorphic: bool = False, **more: Any) -> Op:
    allowed = {"T": dtypes, "Tindices": INDEX | {int16}, "Tnumsegments": INDEX}
    inputs = "data segment_ids:Tindices num_segments:Tnumsegments"
    kernel = _unsorted_kernel(combine, kind)
    return define(
        f"UnsortedSegment{kind}",
        inputs,
        _unsorted_type,
        blocked.allow_native(kernel),
        {"data": back},
        dtypes=allowed,
        holomorphic=holomorphic,
        lower=native_segment.lower_unsorted(kind, _empty_of),
        **more,
    )


_DROPS = Traits(moves=True, chooses="the segments took")
SEGMENT_SUM = _define_sorted("SegmentSum", _sorted_kernel(np.add, 0), _sum_back, NUMERIC, traits=Traits(moves=True))
SEGMENT_MEAN = _define_sorted("SegmentMean", _mean, _mean_back, NUMERIC, traits=Traits(moves=True))
SEGMENT_PROD = _define_sorted("SegmentProd", _sorted_kernel(np.multiply, 1), _prod_back, NUMERIC, holomorphic=True, gradient_names="mul")
SEGMENT_MAX = _define_sorted(
    "SegmentMax", _sorted_kernel(np.maximum, 0), _extreme_back, REAL, traits=Traits(chooses="the maxima were among")
)
SEGMENT_MIN = _define_sorted(
    "SegmentMin", _sorted_kernel(np.minimum, 0), _extreme_back, REAL, traits=Traits(chooses="the minima were among")
)
UNSORTED_SUM = _define_unsorted("Sum", np.add, _unsorted_sum_back, NUMERIC, tolerance=tolerance.SUMS, traits=_DROPS)
UNSORTED_PROD = _define_unsorted(
    "Prod", np.multiply, _unsorted_prod_back, NUMERIC, holomorphic=True, tolerance=tolerance.SUMS, gradient_names="mul"
)
UNSORTED_MAX = _define_unsorted("Max", np.maximum, _unsorted_extreme_back, REAL, traits=Traits(chooses="the maxima were among"))
UNSORTED_MIN = _define_unsorted("Min", np.minimum, _unsorted_extreme_back, REAL, traits=Traits(chooses="the minima were among"))
_UNSORTED: dict[np.ufunc, Op] = {np.add: UNSORTED_SUM, np.multiply: UNSORTED_PROD, np.maximum: UNSORTED_MAX, np.minimum: UNSORTED_MIN}


# ---- functions


@export("math.segment_sum", v1="segment_sum")
def segment_sum(data: NumberLike, segment_ids: NumberLike, name: str | None = None) -> Tensor:
    """The sum of the rows of each segment; 0 for a segment without rows.

    data: numeric, rank 1 or more.  segment_ids: one id for each row, from 0, never falling; the result has one row more than the
    last id.  Raises InvalidArgumentError for ids that fall, are negative or do not match the rows (in graphs ValueError for the last).

    >>> tf.math.segment_sum([1, 2, 3], [0, 0, 1]).numpy().tolist()
    [3, 3]
    """
    return SEGMENT_SUM(data, segment_ids, name=name)


@export("math.segment_mean", v1="segment_mean")
def segment_mean(data: NumberLike, segment_ids: NumberLike, name: str | None = None) -> Tensor:
    """The mean of the rows of each segment; arguments and errors as `segment_sum`.

    >>> tf.math.segment_mean([1.0, 2.0, 3.0], [0, 0, 1]).numpy().tolist()
    [1.5, 3.0]
    """
    return SEGMENT_MEAN(data, segment_ids, name=name)


@export("math.segment_prod", v1="segment_prod")
def segment_prod(data: NumberLike, segment_ids: NumberLike, name: str | None = None) -> Tensor:
    """The product of the rows of each segment, 1 for none; arguments and errors as `segment_sum`.

    >>> tf.math.segment_prod([2, 3, 4], [0, 0, 1]).numpy().tolist()
    [6, 4]
    """
    return SEGMENT_PROD(data, segment_ids, name=name)


@export("math.segment_max", v1="segment_max")
def segment_max(data: NumberLike, segment_ids: NumberLike, name: str | None = None) -> Tensor:
    """The greatest of the rows of each segment, 0 for none; real dtypes, the rest as `segment_sum`.  Equals share the gradient.

    >>> tf.math.segment_max([2, 3, 4], [0, 0, 1]).numpy().tolist()
    [3, 4]
    """
    return SEGMENT_MAX(data, segment_ids, name=name)


@export("math.segment_min", v1="segment_min")
def segment_min(data: NumberLike, segment_ids: NumberLike, name: str | None = None) -> Tensor:
    """The least of the rows of each segment, 0 for none; real dtypes, the rest as `segment_sum`.  Equals share the gradient.

    >>> tf.math.segment_min([2, 3, 4], [0, 0, 1]).numpy().tolist()
    [2, 4]
    """
    return SEGMENT_MIN(data, segment_ids, name=name)


@export("math.unsorted_segment_sum", v1="unsorted_segment_sum")
@takes_composites
def unsorted_segment_sum(data: NumberLike, segment_ids: NumberLike, num_segments: NumberLike, name: str | None = None) -> Tensor:
    """The sum of the rows of each of `num_segments` segments; 0 for a segment without rows.

    data: numeric.  segment_ids: integers in any order whose shape begins data's shape; rows with negative ids are dropped.
    Raises InvalidArgumentError for an id that is too great (in graphs ValueError for shapes that do not fit).

    >>> tf.math.unsorted_segment_sum([1, 2, 3], [1, 0, 1], 2).numpy().tolist()
    [2, 4]
    """
    return UNSORTED_SUM(data, segment_ids, num_segments, name=name)


@export("math.unsorted_segment_prod", v1="unsorted_segment_prod")
@takes_composites
def unsorted_segment_prod(data: NumberLike, segment_ids: NumberLike, num_segments: NumberLike, name: str | None = None) -> Tensor:
    """The product of the rows of each segment, 1 for none; arguments and errors as `unsorted_segment_sum`.

    >>> tf.math.unsorted_segment_prod([2, 3, 4], [1, 0, 1], 2).numpy().tolist()
    [3, 8]
    """
    return UNSORTED_PROD(data, segment_ids, num_segments, name=name)


@export("math.unsorted_segment_max", v1="unsorted_segment_max")
@takes_composites
def unsorted_segment_max(data: NumberLike, segment_ids: NumberLike, num_segments: NumberLike, name: str | None = None) -> Tensor:
    """The greatest of the rows of each segment, the dtype's least finite value for none; the rest as `unsorted_segment_sum`.

    >>> tf.math.unsorted_segment_max([2, 3, 4], [1, 0, 1], 2).numpy().tolist()
    [3, 4]
    """
    return UNSORTED_MAX(data, segment_ids, num_segments, name=name)


@export("math.unsorted_segment_min", v1="unsorted_segment_min")
@takes_composites
def unsorted_segment_min(data: NumberLike, segment_ids: NumberLike, num_segments: NumberLike, name: str | None = None) -> Tensor:
    """The least of the rows of each segment, the dtype's greatest finite value for none; the rest as `unsorted_segment_sum`.

    >>> tf.math.unsorted_segment_min([2, 3, 4], [1, 0, 1], 2).numpy().tolist()
    [3, 2]
    """
    return UNSORTED_MIN(data, segment_ids, num_segments, name=name)


def _numbers(data: Any, ids: Any, num_segments: Any, total: Any) -> Any:
    """How many rows each segment has, at least 1, with the dtype of `data` and axes to divide `total` by."""
    number = UNSORTED_SUM(_cast(ones_of(ids), data), ids, num_segments)
    return _widen_rank(_clamp_to_one(number), total)


@export("math.unsorted_segment_mean", v1="unsorted_segment_mean")
@takes_composites
def unsorted_segment_mean(data: NumberLike, segment_ids: NumberLike, num_segments: NumberLike, name: str | None = None) -> Tensor:
    """The mean of the rows of each segment, 0 for none; arguments and errors as `unsorted_segment_sum`.

    >>> tf.math.unsorted_segment_mean([1.0, 2.0, 3.0], [1, 0, 1], 2).numpy().tolist()
    [2.0, 2.0]
    """
    with scope(name, "UnsortedSegmentMean"):
        x, ids = convert_to_tensor(data), convert_to_tensor(segment_ids)
        total = UNSORTED_SUM(x, ids, num_segments)
        return total / _numbers(x, ids, num_segments, total)


@export("math.unsorted_segment_sqrt_n", v1="unsorted_segment_sqrt_n")
@takes_composites
def unsorted_segment_sqrt_n(data: NumberLike, segment_ids: NumberLike, num_segments: NumberLike, name: str | None = None) -> Tensor:
    """The sum of the rows of each segment divided by the square root of their number.

    data: floating or complex; the rest as `unsorted_segment_sum`.

    >>> tf.math.unsorted_segment_sqrt_n([1.0, 2.0, 3.0, 3.0, 3.0], [1, 0, 1, 1, 1], 2).numpy().tolist()
    [2.0, 5.0]
    """
    with scope(name, "UnsortedSegmentSqrtN"):
        x, ids, num_segments = convert_to_tensor(data), convert_to_tensor(segment_ids), convert_to_tensor(num_segments)
        total = UNSORTED_SUM(x, ids, num_segments)
        return total / sqrt(_numbers(x, ids, num_segments, total))
