"""Counting: bincount, histograms, the confusion matrix."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from ...base.dtypes import INDEX, DType, as_dtype, float32, float64, int32, int64
from ...base.export import export
from ...ir.apply import ShapeError, convert_to_tensor
from ...ir.composite import takes_composites
from ...ir.context import scope
from ...ir.op import OPS, Traits, define
from ...ir.tensor import DTypeLike, IntLike, NumberLike, Tensor, TensorType
from ...kernels import blocked
from ...kernels.native_loops import run_natively
from ..array.basic import ONES_LIKE, reshape, shape_of, zeros_of
from ..array.gather import gather
from ..array.gather_nd import SCATTER_ND
from ..array.join import CONCAT, stack
from ..array.shape import SIZE, squeeze
from ..array.type_rules import invalid_argument, known_size
from ..effects.asserts import assert_less, assert_non_negative, wait_for
from ..indexing.index import getitem
from ..lowering import search as native_search
from ..math.arithmetic import floor, maximum, minimum
from ..primitives.cast import CAST
from ..primitives.compare import greater
from ..reduce.reductions import PROD, reduce_max
from . import entry_loops

if TYPE_CHECKING:
    from ...engine.lowering.builder import Builder
    from ...engine.lowering.index_expr import IndexExpr

Array = np.ndarray[Any, Any]
COUNTED = frozenset({int32, int64, float32, float64})


# ---- bincount


ONE_SIZE = "Shape must be rank 0: the size is one number"


def _count_of(size: Any) -> int | None:
    """The number of bins, where it is known; refused below zero."""
    count = known_size(size, ONE_SIZE)
    if count is not None and count < 0:
        text = f"size ({count}) must be non-negative"
        raise ShapeError(text, text)
    return count


def _bincount_type(input: Any, size: Any, weights: Any, *, binary_output: bool = False) -> TensorType:
    if input.dims is not None and len(input.dims) > 2:
        raise ShapeError(f"Shape must be at most rank 2 but is rank {len(input.dims)}", "Shape must be at most rank 2")
    count = _count_of(size)
    rows = None if input.dims is None else input.dims[:-1]
    return TensorType(None if rows is None else (*rows, count), weights.dtype)


def _bincount(input: Array, size: Array, weights: Array, *, binary_output: bool = False) -> Array:
    if (input < 0).any():
        raise invalid_argument("Input arr must be non-negative!")
    if weights.size and weights.shape != input.shape:
        raise invalid_argument(
            f"`weights` must be the same shape as `arr` or a length-0 `Tensor`; they are {list(weights.shape)} and {list(input.shape)}"
        )
    length = int(size)
    rows = input if input.ndim == 2 else input.reshape(1, -1)
    places = rows + np.arange(len(rows)).reshape(-1, 1) * length
    inside = rows < length
    counted = places.reshape(-1) if inside.all() else places[inside]
    if binary_output:
        out = np.zeros(len(rows) * length, weights.dtype)
        out[counted] = 1
    elif weights.size:
        out = np.zeros(len(rows) * length, weights.dtype)
        np.add.at(out, counted, weights.reshape(rows.shape)[inside])
    else:
        out = np.bincount(counted, minlength=len(rows) * length).astype(weights.dtype)
    return out.reshape(*input.shape[:-1], length)


def _weights_back(g: Any, input: Any, size: Any, weights_type: Any, binary_output: bool) -> Any:
    """To each weight the cotangent of its bin; zeros for what no bin counts.  No weights at all (an empty vector) get none."""
    if binary_output:
        return None
    if input.dims is None:  # rows, of which a vector is one
        sizes = shape_of(input)
        rows = PROD.call(sizes[:-1], 0)
        input, g = (reshape(x, stack([rows, last])) for x, last in ((input, sizes[-1]), (g, CAST.call(size, DstT=int32))))
    rank = max(len(input.dims), 1)
    nothing = zeros_of(getitem(g, (..., slice(0, 1))))
    padded = CONCAT.call([g, nothing], -1)
    # a bin too many holds what falls beyond; where there are no bins at all it is the only one
    padded = padded if g.dims is None or g.dims[-1] != 0 else zeros_of(TensorType((*g.dims[:-1], 1), g.dtype))
    places = minimum(input, size)
    found = gather(padded, places, axis=np.int32(rank - 1), batch_dims=rank - 1)
    flat = getitem(reshape(found, [-1]), slice(None, SIZE.call(convert_to_tensor(zeros_of(weights_type)))))
    return reshape(flat, shape_of(weights_type))


DENSE_BINCOUNT = define(
    "DenseBincount",
    "input:Tidx= size:Tidx weights",
    _bincount_type,
    blocked.allow_native(_bincount),
    {"weights": _weights_back},
    dtypes={"Tidx": INDEX, "T": COUNTED},
    lower=native_search.bincount,
)


def _flat_type(arr: Any, size: Any, weights: Any) -> TensorType:
    return TensorType((_count_of(size),), weights.dtype)


def _flat_bincount(arr: Array, size: Array, weights: Array) -> Array:
    if weights.size and weights.shape != arr.shape:
        return _bincount(arr, size, weights)  # for the words
    found: Array = DENSE_BINCOUNT.kernel(arr.reshape(-1), size, weights.reshape(-1), binary_output=False)
    return found


def _flat_weights_back(g: Any, arr: Any, size: Any, weights_type: Any) -> Any:
    return _weights_back(g, reshape(arr, [-1]), size, weights_type, False)


def _flat_rows(rows: Any, arr: Any, size: Any, weights: Any) -> Any:
    """The elements of each row as a row of a matrix, weights, where there are any, with them."""
    if rows.has(size) or weights.dims is None:
        return NotImplemented
    weighted = rows.has(weights) or weights.dims != (0,)
    given = (arr, weights) if weighted else (arr,)
    flat = [reshape(rows.stack(t), rows.before([rows.element_count(t)])) for t in given]
    return DENSE_BINCOUNT(flat[0], size, flat[1] if weighted else weights, binary_output=False)


BINCOUNT = define(
    "Bincount",
    "arr:int32 size:int32 weights",
    _flat_type,
    _flat_bincount,
    {"weights": _flat_weights_back},
    dtypes={"T": COUNTED},
    batch=_flat_rows,
)


@export(v2="math.bincount")
@takes_composites
def bincount(
    arr: NumberLike,
    weights: NumberLike | None = None,
    minlength: IntLike | None = None,
    maxlength: IntLike | None = None,
    dtype: DTypeLike = int32,
    name: str | None = None,
    axis: int | None = None,
    binary_output: bool = False,
) -> Tensor:
    """How often each number 0, 1, 2 ... is among `arr`, up to the greatest that is.

    arr: non-negative integers; InvalidArgumentError for negative ones.  weights: what each counts for, of arr's shape.
    minlength, maxlength: bounds of the result's length.  dtype: of the counts, where there are no weights.
    axis: None and 0 count all elements together, -1 each row of a matrix.  binary_output: whether, not how often.
    No gradient: differentiating through weights is a LookupError.

    >>> tf.math.bincount([1, 1, 3]).numpy().tolist()
    [0, 2, 0, 1]
    """
    if axis not in (None, 0, -1):
        raise ValueError(f"Unsupported value for argument axis={axis}. Only 0 and -1 are currently supported.")
    with scope(name, "bincount"):
        numbers = convert_to_tensor(arr)
        if not numbers.dtype.is_integer:
            numbers = CAST.call(numbers, DstT=int32)
        amounts = convert_to_tensor(np.zeros(0, as_dtype(dtype).numpy_dtype) if weights is None else weights)
        if axis != -1:
            numbers = reshape(numbers, [-1])
            amounts = amounts if weights is None else reshape(amounts, [-1])
        size = _length(numbers, minlength, maxlength)
        return DENSE_BINCOUNT(numbers, size, amounts, binary_output=binary_output)


def _length(numbers: Any, minlength: Any, maxlength: Any) -> Any:
    """One more than the greatest number, 0 of none, within the bounds."""
    some = CAST.call(greater(_size(numbers), 0), DstT=numbers.dtype)
    size = some * (reduce_max(numbers) + 1)
    for bound, op in ((minlength, "Maximum"), (maxlength, "Minimum")):
        if bound is not None:
            size = OPS[op].call(size, convert_to_tensor(bound, numbers.dtype))
    return size


def _size(x: Any) -> Any:
    return PROD.call(shape_of(x), [0])


# ---- confusion matrix


def _squeeze_last(x: Any, other: Any) -> Any:
    """`x` without a last axis of size 1 that `other` does not have."""
    if x.dims is not None and other.dims is not None and len(x.dims) == len(other.dims) + 1 and x.dims[-1] in (1, None):
        return squeeze(x, axis=(-1,))
    return x


@export(v2="math.confusion_matrix")
def confusion_matrix(
    labels: NumberLike,
    predictions: NumberLike,
    num_classes: IntLike | None = None,
    weights: NumberLike | None = None,
    dtype: DTypeLike | None = int32,
    name: str | None = None,
) -> Tensor:
    """How often each label (row) was predicted as each class (column).

    labels, predictions: vectors of class numbers (or columns).  num_classes: one more than the greatest number when None.
    weights: what each pair counts for.  dtype: of the result, int64 or that of the weights when None.  InvalidArgumentError for a number
    outside the classes.

    >>> tf.math.confusion_matrix([0, 1, 1], [0, 0, 1]).numpy().tolist()
    [[1, 0], [1, 1]]
    """
    with scope(name, "confusion_matrix"):
        truth, guess = convert_to_tensor(labels), convert_to_tensor(predictions)
        truth, guess = _squeeze_last(truth, guess), _squeeze_last(guess, truth)
        guess, truth = (x if x.dtype is int64 else CAST.call(x, DstT=int64) for x in (guess, truth))
        truth, guess = (
            wait_for([assert_non_negative(x, message=f"`{what}` contains negative values")], x)
            for x, what in ((truth, "labels"), (guess, "predictions"))
        )
        if num_classes is None:
            size = maximum(reduce_max(guess), reduce_max(truth)) + 1
        else:
            given = convert_to_tensor(num_classes)
            size = given if given.dtype is int64 else CAST.call(given, DstT=int64)
            truth, guess = (
                wait_for([assert_less(x, size, message=f"`{what}` out of bound")], x)
                for x, what in ((truth, "labels"), (guess, "predictions"))
            )
        result = None if dtype is None else as_dtype(dtype)
        amounts = ONES_LIKE.call(guess) if weights is None else convert_to_tensor(weights)
        if weights is not None and not amounts.shape.is_compatible_with(guess.shape):
            raise ValueError(f"confusion_matrix: Shapes {guess.dims} and {amounts.dims} are incompatible (predictions and weights)")
        if result is not None and amounts.dtype is not result:
            amounts = CAST.call(amounts, DstT=result)
        return SCATTER_ND.call(stack([truth, guess], 1), amounts, stack([size, size], 0))


# ---- histograms


def _histogram_type(values: Any, value_range: Any, nbins: Any, *, dtype: DType = int32, by_row: bool = False) -> TensorType:
    bins = known_size(nbins, "nbins should be a scalar.")
    if bins is not None and bins <= 0:
        raise ShapeError(f"Requires nbins > 0: {bins}", f"nbins should be a positive number, but got '{bins}'")
    if by_row:
        return TensorType((None if values.dims is None else values.dims[0], bins), dtype)
    if value_range.dims is not None and value_range.dims != (2,) and None not in value_range.dims:
        raise ShapeError("value_range should be a vector of 2 elements", "value_range should be a vector of 2 elements.")
    return TensorType((bins,), dtype)


def _histogram(values: Array, value_range: Array, nbins: Array, *, dtype: DType = int32, by_row: bool = False) -> Array:
    bins = int(nbins)
    if by_row:
        return _histograms(values.reshape(len(values), math.prod(values.shape[1:])), value_range, bins).astype(dtype.numpy_dtype)
    if bins <= 0 or value_range.shape != (2,):
        raise ValueError("the bins do not fit")  # the type rule finds the words
    low, high = value_range
    if not low < high:
        raise invalid_argument(f"value_range should satisfy value_range[0] < value_range[1], but got '[{low}, {high}]'")
    step = (float(high) - float(low)) / bins
    counts, places = np.zeros(4 * bins, np.int64), np.empty(1024, np.int64)
    bounds = np.array([low], np.float64), np.array([step], np.float64)
    count = values.size
    odd = run_natively(entry_loops.histogram, count if bins < count else 0, counts, places, values.reshape(-1), *bounds, count, bins)
    if odd:
        raise invalid_argument("Histogram values must not contain NaN")
    if odd is not None:
        return np.asarray(counts.reshape(4, bins).sum(axis=0), dtype.numpy_dtype)
    if values.dtype.kind == "f" and np.isnan(values).any():
        raise invalid_argument("Histogram values must not contain NaN")
    places = np.clip((values.ravel().astype(np.float64) - float(low)) / step, 0, bins - 1).astype(np.int64)
    return np.bincount(places, minlength=bins).astype(dtype.numpy_dtype)


def _histograms(values: Array, value_range: Array, bins: int) -> Array:
    """Of each row of a matrix, in a range of its own or one for all."""
    low, high = np.moveaxis(np.broadcast_to(value_range, (len(values), 2)), 1, 0).astype(np.float64)
    if bins <= 0 or not (low < high).all():
        raise invalid_argument(f"nbins should be positive and value_range[0] < value_range[1], but got {bins} and '{value_range.tolist()}'")
    if values.dtype.kind == "f" and np.isnan(values).any():
        raise invalid_argument("Histogram values must not contain NaN")
    step = (high - low) / bins
    places = np.clip((values.astype(np.float64) - low[:, None]) / step[:, None], 0, bins - 1).astype(np.int64)
    places += np.arange(len(values))[:, None] * bins
    return np.bincount(places.reshape(-1), minlength=len(values) * bins).reshape(len(values), bins)


def _lowered_histogram(builder: Builder, values: IndexExpr, value_range: IndexExpr, nbins: IndexExpr, *, dtype: DType, by_row: bool) -> Any:
    if by_row:
        raise builder.Unsupported("several histograms are computed by their kernel")
    return native_search.histogram(builder, values, value_range, nbins, dtype=dtype)


def _histogram_rows(rows: Any, values: Any, value_range: Any, nbins: Any, *, dtype: DType, by_row: bool) -> Any:
    """One histogram for each row."""
    if by_row or rows.has(nbins):
        return NotImplemented
    return HISTOGRAM(rows.stack(values), value_range, nbins, dtype=dtype, by_row=True)


HISTOGRAM = define(
    "HistogramFixedWidth", "values value_range nbins:int32", _histogram_type, _histogram, None, dtypes=COUNTED,
    batch=_histogram_rows, lower=_lowered_histogram,
    traits=Traits(internal=("by_row",)),
)  # fmt: skip


@export("histogram_fixed_width")
def histogram_fixed_width(
    values: NumberLike, value_range: NumberLike, nbins: IntLike = 100, dtype: DTypeLike = int32, name: str | None = None
) -> Tensor:
    """How many of `values` fall in each of `nbins` equal parts of `value_range`; what is outside counts in the first or last.

    values: int32, int64, float32 or float64.  value_range: [low, high], of the same dtype.  Raises InvalidArgumentError unless
    low < high and nbins > 0, and for NaN.  No gradient.

    >>> tf.histogram_fixed_width([-1.0, 0.0, 1.5, 2.0, 5.0, 15.0], [0.0, 5.0], nbins=5).numpy().tolist()
    [2, 1, 1, 0, 2]
    """
    return HISTOGRAM(values, value_range, nbins, dtype=as_dtype(dtype), name=name or "histogram_fixed_width")


@export("histogram_fixed_width_bins")
def histogram_fixed_width_bins(
    values: NumberLike, value_range: NumberLike, nbins: IntLike = 100, dtype: DTypeLike = int32, name: str | None = None
) -> Tensor:
    """Which of `nbins` equal parts of `value_range` each of `values` falls in; what is outside belongs to the first or last.

    >>> tf.histogram_fixed_width_bins([-1.0, 0.0, 1.5, 2.0, 5.0, 15.0], [0.0, 5.0], nbins=5).numpy().tolist()
    [0, 0, 1, 2, 4, 4]
    """
    with scope(name, "histogram_fixed_width_bins"):
        x = convert_to_tensor(values)
        bounds = convert_to_tensor(value_range, x.dtype)
        bins = convert_to_tensor(nbins, int32)
        low, high = getitem(bounds, 0), getitem(bounds, 1)
        scaled = (x - low) / (high - low)
        places = floor(CAST.call(bins, DstT=scaled.dtype) * scaled)
        last = CAST.call(bins - 1, DstT=scaled.dtype)
        inside = minimum(maximum(places, np.zeros((), scaled.dtype.numpy_dtype)), last)
        return CAST.call(inside, DstT=as_dtype(dtype))
