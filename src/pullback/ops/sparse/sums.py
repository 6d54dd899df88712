"""Sparse tensors added, compared and reduced: operations whose result has entries where others had some.

Each value of the result stands for some values of the inputs, and `SparseFound` says which: so gradients are gathered and summed.
TensorFlow has no gradients for the element-wise maximum and minimum, for reductions to sparse tensors and for maxima; here they have
those of their dense relatives, with equal elements of a reduction sharing the gradient.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...base.dtypes import REAL, int64
from ...ir.apply import ShapeError
from ...ir.op import OPS, Op, define
from ...ir.tensor import TensorType
from ...kernels.native_loops import as_words, run_natively
from ..array.basic import ONES_LIKE, ZEROS_LIKE, reshape, shape_of
from ..array.type_rules import dims_in, invalid_argument, known_value
from ..array.where import where
from ..batching import fold_rows
from ..math.arithmetic import ADD as ADD_V2, maximum
from ..primitives.cast import CAST
from ..primitives.compare import equal
from ..reduce.reductions import is_narrow, quotient
from . import entry_loops
from .indices import FOUND, SPARSE, check_types, columns, entries, put_values, sparse_type, take_values
from .keys import check_inside, check_matrix, find_places, groups_of, unite_keys

Array = np.ndarray[Any, Any]


def require_same_shapes(a_shape: Array, b_shape: Array) -> None:
    """Refuse two sparse tensors of different shapes."""
    if len(a_shape) != len(b_shape):
        raise invalid_argument(f"Operands do not have the same ranks; got shapes: {a_shape.tolist()} and {b_shape.tolist()}")
    for d, (m, n) in enumerate(zip(a_shape, b_shape, strict=True)):
        if m != n:
            raise invalid_argument(f"Operands' shapes do not match: got {m} and {n} for dimension {d}")


def _check_two(a: tuple[Array, Array, Array], b: tuple[Array, Array, Array]) -> None:
    check_matrix(*a)
    check_matrix(*b)
    require_same_shapes(a[2], b[2])


# ---- sums of two


def _add_type(
    a_indices: Any, a_values: Any, a_shape: Any, b_indices: Any, b_values: Any, b_shape: Any, thresh: Any
) -> tuple[TensorType, ...]:
    check_types(a_indices, a_values, a_shape)
    check_types(b_indices, b_values, b_shape)
    if thresh.dims:
        raise ShapeError(f"Shape must be rank 0 but is rank {len(thresh.dims)}", "The magnitude threshold must be a scalar")
    rank = columns(a_shape, a_indices)
    return (*sparse_type(None, rank, a_values.dtype), TensorType((rank,), int64, known_value(a_shape)))


def _add(a_indices: Array, a_values: Array, a_shape: Array, b_indices: Array, b_values: Array, b_shape: Array, thresh: Array) -> Any:
    if thresh.ndim:
        raise ValueError("the threshold is no scalar")  # the type rule finds the words
    _check_two((a_indices, a_values, a_shape), (b_indices, b_values, b_shape))
    union, of_a, of_b = unite_keys(a_indices, b_indices)
    if of_a is of_b:
        total = a_values + b_values
    else:
        total = np.zeros(len(union), a_values.dtype)
        np.add.at(total, of_a, a_values)
        np.add.at(total, of_b, b_values)
    small = np.abs(total) < thresh if thresh else np.zeros((), bool)
    if small.any():  # what only one of them has stays, as TensorFlow has it
        small &= (np.bincount(of_a, minlength=len(union)) > 0) & (np.bincount(of_b, minlength=len(union)) > 0)
    if not small.any():
        return union, total, a_shape
    kept = ~small
    return union[kept], total[kept], a_shape


def _add_back(g_sum_values: Any, a_indices: Any, b_indices: Any, sum_indices: Any) -> Any:
    return ADD_GRAD(g_sum_values, a_indices, b_indices, sum_indices)


ADD = define(
    "SparseAdd",
    "a_indices:int64 a_values a_shape:int64 b_indices:int64 b_values b_shape:int64 thresh:Treal=",
    _add_type,
    _add,
    {("a_values", "b_values"): _add_back},
    outputs="sum_indices sum_values sum_shape",
    dtypes={"T": SPARSE, "Treal": REAL},
    holomorphic=False,
    batch="shape depends on values",
)


def _add_grad(backprop_val_grad: Array, a_indices: Array, b_indices: Array, sum_indices: Array) -> tuple[Array, Array]:
    if len(backprop_val_grad) != len(sum_indices):
        raise invalid_argument(f"# elements in backprop_val_grad {len(backprop_val_grad)} and sum_indices {len(sum_indices)} do not match")
    found = _split_in_order(backprop_val_grad, a_indices, b_indices, sum_indices)
    if found is not None:
        return found
    padded = np.append(backprop_val_grad, np.zeros(1, backprop_val_grad.dtype))
    return padded[find_places(a_indices, sum_indices)], padded[find_places(b_indices, sum_indices)]


def _split_in_order(values: Array, a: Array, b: Array, whole: Array) -> tuple[Array, Array] | None:
    """The values of `whole` at its entries `a` and `b`; None where these do not come in the same order, or it is not native."""
    rank = whole.shape[1]
    if not (len(a) and len(b) and rank == a.shape[1] == b.shape[1]):
        return None
    of_a, of_b = np.empty(len(a) + 1, values.dtype), np.empty(len(b) + 1, values.dtype)
    counts = len(a), len(b), len(whole)
    found = run_natively(entry_loops.pick_entries, len(whole), *as_words(of_a, of_b, values), a, b, whole, *counts, rank=rank)
    return (of_a[:-1], of_b[:-1]) if found == len(a) + len(b) else None


def _add_grad_back(
    g_a_val_grad: Any, g_b_val_grad: Any, backprop_val_grad_type: Any, a_indices: Any, b_indices: Any, sum_indices: Any
) -> Any:
    count = shape_of(backprop_val_grad_type)[0]
    of_a, of_b = FOUND(a_indices, sum_indices), FOUND(b_indices, sum_indices)
    return ADD_V2.call(put_values(g_a_val_grad, of_a, count), put_values(g_b_val_grad, of_b, count))


ADD_GRAD: Op = define(
    "SparseAddGrad",
    "backprop_val_grad a_indices:int64 b_indices:int64 sum_indices:int64",
    lambda backprop_val_grad, a_indices, b_indices, sum_indices: (
        TensorType((entries(a_indices),), backprop_val_grad.dtype),
        TensorType((entries(b_indices),), backprop_val_grad.dtype),
    ),
    _add_grad,
    {"backprop_val_grad": _add_grad_back},
    outputs="a_val_grad b_val_grad",
    dtypes=SPARSE,
    holomorphic=False,
)


# ---- the greater and the lesser of two


def _two_type(a_indices: Any, a_values: Any, a_shape: Any, b_indices: Any, b_values: Any, b_shape: Any) -> tuple[TensorType, TensorType]:
    check_types(a_indices, a_values, a_shape)
    check_types(b_indices, b_values, b_shape)
    return sparse_type(None, columns(a_shape, a_indices), a_values.dtype)


def _extreme_of_two(choose: np.ufunc) -> Callable[..., Any]:
    def kernel(a_indices: Array, a_values: Array, a_shape: Array, b_indices: Array, b_values: Array, b_shape: Array) -> Any:
        _check_two((a_indices, a_values, a_shape), (b_indices, b_values, b_shape))
        union, of_a, of_b = unite_keys(a_indices, b_indices)
        a, b = np.zeros(len(union), a_values.dtype), np.zeros(len(union), a_values.dtype)
        a[of_a], b[of_b] = a_values, b_values
        return union, choose(a, b)

    return kernel


def _two_back(wins: str) -> Callable[..., Any]:
    """The cotangent to the winner, to the first of two equals; an input without the entry counts as 0 there."""

    def pull_back(g_output_values: Any, a_indices: Any, a_values: Any, b_indices: Any, b_values: Any, output_indices: Any) -> Any:
        of_a, of_b = FOUND(a_indices, output_indices), FOUND(b_indices, output_indices)
        count = shape_of(output_indices)[0]
        first = OPS[wins].call(put_values(a_values, of_a, count), put_values(b_values, of_b, count))
        none = ZEROS_LIKE.call(g_output_values)
        to_a = where(first, g_output_values, none)
        to_b = where(first, none, g_output_values)
        return take_values(to_a, of_a), take_values(to_b, of_b)

    return pull_back


for _name, _choose, _wins in (("Maximum", np.maximum, "GreaterEqual"), ("Minimum", np.minimum, "LessEqual")):
    define(
        f"SparseSparse{_name}",
        "a_indices:int64 a_values a_shape:int64 b_indices:int64 b_values b_shape:int64",
        _two_type,
        _extreme_of_two(_choose),
        {("a_values", "b_values"): _two_back(_wins)},
        outputs="output_indices output_values",
        dtypes=REAL,
        holomorphic=False,
        batch="shape depends on values",
    )


# ---- reductions


def _axes(axes: Any, rank: int) -> list[int]:
    for axis in np.ravel(axes):
        if not -rank <= axis < rank:
            raise invalid_argument(f"Invalid reduction dimension {axis}, for input with {rank} dimensions.")
    return sorted({int(a) % rank for a in np.ravel(axes)})


def _reduced_shape(shape: Array, axes: Array, keep_dims: bool) -> Array:
    gone = _axes(axes, len(shape))
    if keep_dims:
        sizes = shape.astype(np.int64)
        sizes[gone] = 1
        return sizes
    return np.delete(shape, gone)


def _reduced_indices(indices: Array, rank: int, axes: Array, keep_dims: bool) -> Array:
    gone = _axes(axes, rank)
    if not keep_dims:
        return np.delete(indices, gone, axis=1)
    out = indices.copy()
    out[:, gone] = 0
    return out


def _combine_groups(combine: np.ufunc, values: Array, groups: Array, count: int) -> Array:
    """Values combined by group; every group has some."""
    given = values.astype(np.float32) if is_narrow(values) else values
    if combine is np.add:
        out = np.zeros(count, given.dtype)
        np.add.at(out, groups, given)
    else:
        order = np.argsort(groups, kind="stable")
        first = np.searchsorted(groups[order], np.arange(count))
        out = combine.reduceat(given[order], first) if count else given[:0]
    return np.asarray(out.astype(values.dtype, copy=False))


def _dense(combine: np.ufunc) -> Callable[..., Any]:
    def kernel(input_indices: Array, input_values: Array, input_shape: Array, reduction_axes: Array, *, keep_dims: bool = False) -> Any:
        check_matrix(input_indices, input_values, input_shape)
        check_inside(input_indices, input_shape)
        sizes = _reduced_shape(input_shape, reduction_axes, keep_dims)
        kept = _reduced_indices(input_indices, len(input_shape), reduction_axes, keep_dims)
        found, groups = groups_of(kept)
        out = np.zeros(tuple(sizes.tolist()), input_values.dtype)
        if len(found):
            out[tuple(found.T)] = (
                _combine_groups(combine, input_values, groups, len(found)) if found.shape[1] else combine.reduce(input_values)
            )
        return out

    return kernel


def _dense_type(input_indices: Any, input_values: Any, input_shape: Any, reduction_axes: Any, *, keep_dims: bool = False) -> TensorType:
    check_types(input_indices, input_values, input_shape)
    sizes, axes = dims_in(input_shape), known_value(reduction_axes)
    if sizes is None or axes is None:
        return TensorType(None, input_values.dtype)
    gone = _axes(axes, len(sizes))
    dims = tuple(1 if d in gone else n for d, n in enumerate(sizes) if keep_dims or d not in gone)
    return TensorType(dims, input_values.dtype)


def _sparse(combine: np.ufunc) -> Callable[..., Any]:
    def kernel(input_indices: Array, input_values: Array, input_shape: Array, reduction_axes: Array, *, keep_dims: bool = False) -> Any:
        check_matrix(input_indices, input_values, input_shape)
        sizes = _reduced_shape(input_shape, reduction_axes, keep_dims)
        found, groups = groups_of(_reduced_indices(input_indices, len(input_shape), reduction_axes, keep_dims))
        return found, _combine_groups(combine, input_values, groups, len(found)), sizes

    return kernel


def _sparse_type(
    input_indices: Any, input_values: Any, input_shape: Any, reduction_axes: Any, *, keep_dims: bool = False
) -> tuple[TensorType, ...]:
    check_types(input_indices, input_values, input_shape)
    rank, axes = columns(input_shape, input_indices), known_value(reduction_axes)
    left = None if rank is None or (axes is None and not keep_dims) else rank if keep_dims else rank - len(_axes(axes, rank))
    return (*sparse_type(None, left, input_values.dtype), TensorType((left,), int64))


#: Where the entries go in a reduction: the index vectors without the reduced axes, or with 0 in their place.
KEPT = define(
    "SparseKeptIndices",
    "indices:int64 axes:int32",
    lambda indices, axes, *, keep_dims: TensorType(
        (entries(indices), None if not indices.dims or known_value(axes) is None or keep_dims is False else indices.dims[1]), int64
    ),
    lambda indices, axes, *, keep_dims: _reduced_indices(indices, indices.shape[1], axes, keep_dims),
    {},
    batch=fold_rows("indices"),
)


def _number_kept(indices: Array, shape: Array, axes: Array) -> Array:
    gone = _axes(axes, len(shape))
    places = np.zeros(len(indices), np.int64)
    for column, size in enumerate(shape):
        if column not in gone:
            places = places * size + indices[:, column]
    return places


#: The place of each entry in a dense reduction, one number for each.
KEPT_PLACES = define(
    "SparseKeptPlaces",
    "indices:int64 shape:int64 axes:int32",
    lambda indices, shape, axes: TensorType((entries(indices),), int64),
    _number_kept,
    {},
    batch=fold_rows("indices"),
)


def _flatten(x: Any) -> Any:
    return reshape(x, [-1])


def _sum_back(g: Any, input_indices: Any, input_shape: Any, reduction_axes: Any) -> Any:
    return take_values(_flatten(g), KEPT_PLACES(input_indices, input_shape, reduction_axes))


def _share_cotangent(g: Any, largest: Any, values: Any, total: Callable[[Any], Any], spread: Callable[[Any], Any]) -> Any:
    """The cotangent of a group's greatest value to the values equal to it, in equal parts."""
    chosen = equal(values, spread(largest))
    number = total(CAST.call(chosen, DstT=g.dtype.base_dtype))
    share = spread(quotient(g, maximum(number, ONES_LIKE.call(number))))
    return where(chosen, share, ZEROS_LIKE.call(share))


def _max_back(g: Any, input_indices: Any, input_values: Any, input_shape: Any, reduction_axes: Any, out: Any, keep_dims: bool) -> Any:
    kept = KEPT_PLACES(input_indices, input_shape, reduction_axes)

    def total(x: Any) -> Any:
        return REDUCE_SUM(input_indices, x, input_shape, reduction_axes, keep_dims=keep_dims)

    return _share_cotangent(g, out, input_values, total, lambda x: take_values(_flatten(x), kept))


def _places(input_indices: Any, reduction_axes: Any, output_indices: Any, keep_dims: bool) -> Any:
    return FOUND(KEPT(input_indices, reduction_axes, keep_dims=keep_dims), output_indices)


def _sum_sparse_back(g_output_values: Any, input_indices: Any, reduction_axes: Any, output_indices: Any, keep_dims: bool) -> Any:
    return take_values(g_output_values, _places(input_indices, reduction_axes, output_indices, keep_dims))


def _max_sparse_back(
    g_output_values: Any,
    input_indices: Any,
    input_values: Any,
    reduction_axes: Any,
    output_indices: Any,
    output_values: Any,
    keep_dims: bool,
) -> Any:
    places = _places(input_indices, reduction_axes, output_indices, keep_dims)
    count = shape_of(output_indices)[0]
    return _share_cotangent(
        g_output_values, output_values, input_values, lambda x: put_values(x, places, count), lambda x: take_values(x, places)
    )


_INPUTS = "input_indices:int64 input_values input_shape:int64 reduction_axes:int32"
REDUCE_SUM = define(
    "SparseReduceSum",
    _INPUTS,
    _dense_type,
    _dense(np.add),
    {"input_values": _sum_back},
    dtypes=SPARSE,
    holomorphic=False,
    gradient_names="GatherNd",
)
REDUCE_MAX = define(
    "SparseReduceMax", _INPUTS, _dense_type, _dense(np.maximum), {"input_values": _max_back}, dtypes=REAL, holomorphic=False,
)  # fmt: skip
_OUTPUTS = "output_indices output_values output_shape"
REDUCE_SUM_SPARSE = define(
    "SparseReduceSumSparse",
    _INPUTS,
    _sparse_type,
    _sparse(np.add),
    {"input_values": _sum_sparse_back},
    outputs=_OUTPUTS,
    dtypes=SPARSE,
    holomorphic=False,
)
REDUCE_MAX_SPARSE = define(
    "SparseReduceMaxSparse",
    _INPUTS,
    _sparse_type,
    _sparse(np.maximum),
    {"input_values": _max_sparse_back},
    outputs=_OUTPUTS,
    dtypes=REAL,
    holomorphic=False,
)
