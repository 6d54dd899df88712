"""What is found by looking at values: distinct elements, set differences, places in sorted rows, indices taken apart.

None of these has a gradient.
"""

from __future__ import annotations

import math
from typing import Any, Literal, NamedTuple

import numpy as np

from ...base.dtypes import ANY, INDEX, REAL, DType, int32
from ...base.export import export
from ...base.shapes import show
from ...ir.apply import convert_to_tensor
from ...ir.attributes import refused_value
from ...ir.op import Op, define
from ...ir.tensor import DTypeLike, IntLike, NumberLike, Tensor, TensorLike, TensorType
from ...kernels import blocked
from ..array.basic import reshape, shape_of
from ..array.type_rules import Array, invalid_argument, rank_of, require_rank
from ..batching import fold_rows
from ..lowering import search as native_search

# ---- distinct elements


def distinct(x: Array) -> tuple[Array, Array, Array]:
    """The distinct elements in the order they first appear, each element's place among them, and their counts."""
    if x.ndim != 1:
        raise ValueError("unique expects a 1D vector.")
    if x.dtype == object:
        places = dict.fromkeys(x.tolist())
        number = {value: i for i, value in enumerate(places)}
        index = np.array([number[v] for v in x.tolist()], np.int64)
        return np.array(list(places), object), index, np.bincount(index, minlength=len(number))
    values, first, inverse, counts = blocked.distinct(x)
    order = blocked.order(first)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return values[order], rank[inverse], counts[order]


def _unique_type(x: Any, *, out_idx: DType = int32) -> tuple[TensorType, TensorType]:
    dims = require_rank(x, 1, "unique expects a 1D vector.")
    return TensorType((None,), x.dtype), TensorType(dims, out_idx)


def _counted_type(x: Any, *, out_idx: DType = int32) -> tuple[TensorType, TensorType, TensorType]:
    return TensorType((None,), x.dtype), TensorType(x.dims, out_idx), TensorType((None,), out_idx)


def _unique(x: Array, *, out_idx: DType = int32) -> tuple[Array, Array]:
    values, index, _ = distinct(x)
    return values, index.astype(out_idx.numpy_dtype)


def _count_values(x: Array, *, out_idx: DType = int32) -> tuple[Array, Array, Array]:
    values, index, counts = distinct(x)
    return values, index.astype(out_idx.numpy_dtype), counts.astype(out_idx.numpy_dtype)


UNIQUE = define("Unique", "x", _unique_type, _unique, None, outputs="y idx", dtypes=ANY, batch="shape depends on values")
UNIQUE_WITH_COUNTS = define(
    "UniqueWithCounts", "x", _counted_type, _count_values, None, outputs="y idx count", dtypes=ANY,
    batch="shape depends on values",
)


class Unique(NamedTuple):
    """What `unique` returns."""

    y: Tensor
    idx: Tensor


class UniqueWithCounts(NamedTuple):
    """What `unique_with_counts` returns."""

    y: Tensor
    idx: Tensor
    count: Tensor  # type: ignore[assignment]  # TensorFlow's name, which hides that of tuples


@export("unique")
def unique(x: TensorLike, out_idx: DTypeLike = int32, name: str | None = None) -> Unique:
    """The distinct elements of a vector in the order they first appear (`y`), and each element's place among them (`idx`).

    Raises InvalidArgumentError (ValueError in a graph) for what is no vector.

    >>> [t.numpy().tolist() for t in tf.unique([7, 3, 7])]
    [[7, 3], [0, 1, 0]]
    """
    return Unique(*UNIQUE(x, out_idx=out_idx, name=name))


@export("unique_with_counts")
def unique_with_counts(x: TensorLike, out_idx: DTypeLike = int32, name: str | None = None) -> UniqueWithCounts:
    """As `unique`, with how often each distinct element appears (`count`).

    >>> tf.unique_with_counts([7, 3, 7]).count.numpy().tolist()
    [2, 1]
    """
    return UniqueWithCounts(*UNIQUE_WITH_COUNTS(x, out_idx=out_idx, name=name))


# ---- set difference


def _difference_type(x: Any, y: Any, *, out_idx: DType = int32) -> tuple[TensorType, TensorType]:
    require_rank(x, 1, "x should be a 1D vector.")
    require_rank(y, 1, "y should be a 1D vector.")
    return TensorType((None,), x.dtype), TensorType((None,), out_idx)


def _difference(x: Array, y: Array, *, out_idx: DType = int32) -> tuple[Array, Array]:
    if x.ndim != 1 or y.ndim != 1:
        raise ValueError("two vectors")
    if x.dtype.kind in "biuf":
        places = np.flatnonzero(~np.isin(x, y))
    else:
        gone = set(y.tolist())
        places = np.array([i for i, value in enumerate(x.tolist()) if value not in gone], np.intp)
    return x[places], places.astype(out_idx.numpy_dtype)


LIST_DIFF = define("ListDiff", "x y", _difference_type, _difference, None, outputs="out idx", dtypes=ANY, batch="shape depends on values")


class ListDiff(NamedTuple):
    """What `setdiff1d` returns."""

    out: Tensor
    idx: Tensor


@export(v1="setdiff1d")
def setdiff1d(x: TensorLike, y: TensorLike, index_dtype: DTypeLike = int32, name: str | None = None) -> ListDiff:
    """The elements of `x` that are not in `y` (`out`), duplicates kept, and their places in `x` (`idx`).

    >>> tf.compat.v1.setdiff1d([1, 2, 3], [2]).out.numpy().tolist()
    [1, 3]
    """
    return ListDiff(*LIST_DIFF(x, y, out_idx=index_dtype, name=name))


# ---- places in sorted rows


def _bound_type(sorted_inputs: Any, values: Any, *, out_type: DType = int32) -> TensorType:
    for name, t in (("sorted_inputs", sorted_inputs), ("values", values)):
        require_rank(t, 2, f"Shape must be rank 2 but is rank {rank_of(t)} for `{name}` argument")
    return TensorType(values.dims, out_type)


_FAR = 1 << 16  # how long a row is whose halves are far apart in memory


def _define_bound(name: str, side: Literal["left", "right"]) -> Op:
    def kernel(sorted_inputs: Array, values: Array, *, out_type: DType = int32) -> Array:
        if sorted_inputs.ndim != 2 or values.ndim != 2:
            raise ValueError("two matrices")  # the type rule finds the words
        if len(sorted_inputs) != len(values):
            raise invalid_argument("Leading dim_size of both tensors must match.")
        out = np.empty(values.shape, out_type.numpy_dtype)
        for i, (row, wanted) in enumerate(zip(sorted_inputs, values, strict=True)):
            if min(row.size, wanted.size) < _FAR:
                out[i] = np.searchsorted(row, wanted, side=side)
            else:  # one after the other in their order, which the cache likes
                places = blocked.order(wanted)
                out[i, places] = np.searchsorted(row, wanted[places], side=side)
        if side == "left" and values.dtype.kind not in "iu":
            out[np.isnan(values)] = 0  # no number is less than NaN
        return out

    batch = fold_rows("sorted_inputs", "values")
    lower = native_search.lower_search(side)
    return define(name, "sorted_inputs values", _bound_type, blocked.allow_native(kernel), None, dtypes=REAL, batch=batch, lower=lower)


LOWER_BOUND = _define_bound("LowerBound", "left")
UPPER_BOUND = _define_bound("UpperBound", "right")


@export("searchsorted")
def searchsorted(
    sorted_sequence: NumberLike, values: NumberLike, side: str = "left", out_type: DTypeLike = int32, name: str | None = None
) -> Tensor:
    """Where each of `values` belongs in a sorted row.

    sorted_sequence: rows in ascending order along the last axis.  values: the same leading dimensions.  side: "left" for the first place
    that keeps the order, "right" for the last; else ValueError.  Returns integers of the shape of `values`.

    >>> tf.searchsorted([1, 3, 5], [3, 6]).numpy().tolist()
    [1, 3]
    """
    rows = convert_to_tensor(sorted_sequence, name="sorted_sequence")
    wanted = convert_to_tensor(values, name="values")
    if side not in ("left", "right"):
        raise ValueError(f"Argument `side` must be either 'right' or 'left'. Received: `side` = '{side}'. (searchsorted)")
    op = LOWER_BOUND if side == "left" else UPPER_BOUND
    flat = [reshape(t, _matrix_shape(t)) for t in (rows, wanted)]
    return reshape(op(*flat, out_type=out_type), shape_of(wanted), name=name)


def _matrix_shape(t: Any) -> Any:
    """The shape of `t` as rows: everything but the last axis in one."""
    sizes = shape_of(t)
    if isinstance(sizes, np.ndarray):
        if not sizes.size:
            raise refused_value("slice index -1 of dimension 0 out of bounds: a scalar is no sorted row")
        return np.array([int(np.prod(sizes[:-1])), sizes[-1]], np.int32)
    return convert_to_tensor([-1, sizes[-1]])


# ---- indices of a flat array


def _unravel_type(indices: Any, dims: Any) -> TensorType:
    require_rank(dims, 1, "The indices can only be scalar or vector and dims a vector.")
    if indices.dims is None or len(indices.dims) > 1:
        return TensorType(None, indices.dtype)
    return TensorType((None if dims.dims is None else dims.dims[0], *indices.dims), indices.dtype)


def _unravel(indices: Array, dims: Array) -> Array:
    if indices.ndim > 1 or dims.ndim != 1:
        raise ValueError(f"The indices can only be scalar or vector, got {show(indices.shape)}, and the sizes are a vector.")
    if not indices.size or not dims.size:
        name, empty = ("dims", dims) if indices.size else ("indices", indices)
        raise invalid_argument(f"received empty tensor {name}: {list(empty.shape)}")
    if int(dims.min()) <= 0:
        zero = "Input dims cannot contain a dim of zero, but dims contains zero" if 0 in dims else "Input dims must be positive"
        raise invalid_argument(f"{zero} at index {int(dims.argmin())}: {dims.tolist()}")
    size = math.prod(dims.tolist())
    if size > np.iinfo(dims.dtype).max:
        raise invalid_argument(
            f"Input dims product is causing integer overflow: {dims.tolist()} has {size}, more than {dims.dtype.name} holds"
        )
    if int(indices.min()) < 0 or int(indices.max()) >= size:
        raise invalid_argument("index is out of bound as with dims")
    return np.array(np.unravel_index(indices, tuple(dims.tolist())), indices.dtype)


UNRAVEL_INDEX = define(
    "UnravelIndex", "indices:Tidx dims:Tidx", _unravel_type, _unravel, None, dtypes={"Tidx": INDEX},
    lower=native_search.unravel_index,
)  # fmt: skip


@export("unravel_index")
def unravel_index(indices: NumberLike, dims: IntLike, name: str | None = None) -> Tensor:
    """The index vectors, one a column, of flat indices into an array of shape `dims`.

    Raises InvalidArgumentError for an index beyond the array.

    >>> tf.unravel_index([2, 5], [3, 3]).numpy().tolist()
    [[0, 1], [2, 2]]
    """
    return UNRAVEL_INDEX(indices, dims, name=name)
