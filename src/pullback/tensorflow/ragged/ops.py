"""Operations on ragged tensors as TensorFlow's graphs have them: partitions of rows beside flat values.

A ragged tensor is a tensor of flat values with, for each ragged axis, the row splits: row i has the items from `splits[i]` to
`splits[i + 1]`.  All operations here move whole items, so their gradients gather at the places where items went.
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from ...base.dtypes import ANY, FROM_NUMPY, INDEX, bfloat16, bool as bool_, float32, float64, int32, int64
from ...ir.apply import ShapeError
from ...ir.op import Op, define
from ...ir.tensor import TensorType
from ...kernels.constant_fill import steps_between
from ...kernels.native_loops import LEAST_ENTRIES, as_words, run_natively
from ...ops.array.gather import rows_of
from ...ops.array.type_rules import invalid_argument, known_int, known_value, require_equal, require_rank
from ...ops.batching import stack_rows
from ...ops.sparse.count import ROWS
from ...ops.sparse.empty_rows import fill_grad, fill_grad_back, fill_grad_type
from ...ops.sparse.indices import SPARSE, entries
from . import entry_loops

Array = np.ndarray[Any, Any]
__all__ = ["CHECKED", "FILL_ROWS", "GATHER", "RANGE", "ROWS", "ranges"]


def ranges(starts: Array, lengths: Array, step: int = 1) -> Array:
    """The numbers `start, start + step, ...` of each row, one row after the other: a running sum of steps, and of jumps between rows,
    which takes a fifth of the time that repeating the starts takes.
    """
    least = int(lengths.min(initial=1))
    if least < 0:
        raise invalid_argument(f"a row cannot have {least} items: row splits must never fall")
    if not least:
        there = lengths > 0
        starts, lengths = starts[there], lengths[there]
    ends = np.cumsum(lengths)
    out = np.full(int(ends[-1]) if len(ends) else 0, step, np.int64)
    if len(out):
        out[0] = starts[0]
        out[ends[:-1]] = starts[1:] - (starts[:-1] + (lengths[:-1] - 1) * step)
    return np.cumsum(out, out=out)


def rows_of_lengths(lengths: Array) -> Array:
    """The row of each item, of rows of such lengths."""
    return ranges(np.arange(len(lengths)), lengths, 0)


def constants(*types: Any) -> list[Array] | None:
    """The values of inputs, where all are known: then a type rule can say what the kernel will give."""
    found = [known_value(t) for t in types]
    return None if any(a is None for a in found) else found  # type: ignore[return-value]  # all are there


def infer_exactly(*arrays: Array) -> tuple[TensorType, ...]:
    """The types of outputs that are known."""
    return tuple(TensorType(a.shape, FROM_NUMPY[a.dtype], a) for a in arrays)


def splits_of(lengths: Array, dtype: Any = np.int64) -> Array:
    """Row splits of row lengths."""
    return np.concatenate([[0], np.cumsum(lengths)]).astype(dtype)


# ---- splits that are none


def _check_splits(splits: Array, count: Array) -> Array:
    """Axes in front are those of many counts, when rows are computed at once."""
    problem = ""
    if splits.ndim != count.ndim + 1 or not splits.shape[-1]:
        problem = f"row_splits must be a vector with at least one element, not of shape {list(splits.shape)}"
    elif splits[..., 0].any():
        problem = f"zero: the first of row_splits must be 0, not {splits[..., 0].max()}"
    elif (splits[..., 1:] < splits[..., :-1]).any():
        problem = "monotonic: row_splits must never fall"
    elif (splits[..., -1] != count).any():
        problem = f"the last of row_splits must be the number of values, {count}, not {splits[..., -1]}"
    if problem:
        raise invalid_argument(f"Arguments to from_row_splits do not form a valid RaggedTensor: {problem}")
    return splits


#: Row splits as they are, refused where they do not part so many values.
CHECKED = define(
    "RaggedCheckedSplits",
    "splits count:int64",
    lambda splits, count: TensorType((None,) if splits.dims is None else splits.dims, splits.dtype, splits.constant),
    _check_splits,
    {},
    dtypes=INDEX,
    batch=stack_rows(),
)


def _splits_of_rows(rowids: Array, count: Array) -> Array:
    rows = int(rowids[-1]) + 1 if int(count) < 0 and len(rowids) else max(int(count), 0)
    if len(rowids) and ((rowids[1:] < rowids[:-1]).any() or rowids[0] < 0 or rowids[-1] >= rows):
        raise invalid_argument(
            "Arguments to from_value_rowids do not form a valid RowPartition: the rows must not be negative, never fall, and be less than "
            f"nrows={rows}"
        )
    return np.searchsorted(rowids, np.arange(rows + 1)).astype(rowids.dtype)


def _splits_of_rows_type(rowids: Any, count: Any) -> TensorType:
    given = constants(rowids, count)
    if given is not None:
        return infer_exactly(_splits_of_rows(*given))[0]
    rows = known_value(count)
    return TensorType((None if rows is None or int(rows) < 0 else int(rows) + 1,), rowids.dtype)


#: Row splits of the row of each value; the number of rows is the last row and one where it is given as -1.
SPLITS_OF_ROWS = define(
    "RaggedSplitsOfRows",
    "rowids count:int64",
    _splits_of_rows_type,
    _splits_of_rows,
    {},
    dtypes=INDEX,
    batch="shape depends on values",
)


# ---- ranges


def _range(starts: Array, limits: Array, deltas: Array, *, Tsplits: Any = int64) -> tuple[Array, Array]:
    sizes = {len(x) for x in (starts, limits, deltas) if x.ndim}
    if len(sizes) > 1:
        raise invalid_argument("starts, limits, and deltas must have the same shape")
    count = sizes.pop() if sizes else 1
    low, high, step = (np.broadcast_to(x, (count,)) for x in (starts, limits, deltas))
    if (step == 0).any():
        raise invalid_argument("Requires delta != 0")
    if starts.dtype.kind not in "iu":
        if not (np.isfinite(low).all() and np.isfinite(high).all() and np.isfinite(step).all()):
            raise invalid_argument("Requires starts, limits and deltas to be finite")
        lengths = np.where((low < high) == (step > 0), steps_between(low, high, step), 0).astype(np.int64)
        return splits_of(lengths, Tsplits.numpy_dtype), _step_rows(low, step, lengths)
    wide = [x.astype(np.int64) for x in (low, high, step)]
    lengths = np.maximum(np.ceil((wide[1] - wide[0]) / wide[2]), 0).astype(np.int64)
    if count and starts.dtype.kind == "i" and (wide[2] == wide[2][0]).all():
        values = ranges(wide[0], lengths, int(wide[2][0]))
    else:
        within = ranges(np.zeros(count, np.int64), lengths)
        values = np.repeat(wide[0], lengths) + within * np.repeat(wide[2], lengths)
    return splits_of(lengths, Tsplits.numpy_dtype), values.astype(starts.dtype)


def _step_rows(starts: Array, deltas: Array, lengths: Array) -> Array:
    """Rows of floats, each of which is the one before it and a step."""
    longest = int(lengths.max(initial=0))
    out, firsts = np.empty(int(lengths.sum()), starts.dtype), np.cumsum(lengths) - lengths
    if len(lengths) <= longest:
        for start, delta, first, length in zip(starts, deltas, firsts, lengths, strict=True):
            row = out[first : first + length]
            row[:1], row[1:] = start, delta
            np.add.accumulate(row, out=row)
        return out
    values = np.array(starts)
    for i in range(longest):
        going_on = lengths > i
        out[(firsts + i)[going_on]] = values[going_on]
        values = values + deltas
    return out


def _range_type(starts: Any, limits: Any, deltas: Any, *, Tsplits: Any = int64) -> tuple[TensorType, TensorType]:
    for t in (starts, limits, deltas):
        if t.dims is not None and len(t.dims) > 1:
            raise ShapeError(
                f"Shape must be at most rank 1 but is rank {len(t.dims)}", "starts, limits and deltas must be scalars or vectors"
            )
    counts = [t.dims[0] for t in (starts, limits, deltas) if t.dims]
    for a, b in itertools.combinations(counts, 2):
        require_equal(a, b, None)
    count = next((n for n in counts if n is not None), None if counts or any(t.dims is None for t in (starts, limits, deltas)) else 1)
    return TensorType((None if count is None else count + 1,), Tsplits), TensorType((None,), starts.dtype)


RANGE = define(
    "RaggedRange",
    "starts:T=int32 limits deltas",
    _range_type,
    _range,
    {},
    outputs="rt_nested_splits rt_dense_values",
    dtypes={bfloat16, float32, float64, int32, int64},
    batch="shape depends on values",
)


# ---- rows by number


def _gather_splits(splits: list[Array], indices: Array) -> tuple[list[Array], Array]:
    """The splits of the rows gathered, and which items of the flat values they have."""
    rows = indices.reshape(-1)
    count = len(splits[0]) - 1
    if rows.size and not 0 <= rows.min() <= rows.max() < count:
        at = int(np.flatnonzero((rows < 0) | (rows >= count))[0])
        raise invalid_argument(f"indices[{at}] = {rows[at]} is not in [0, {count})")
    out: list[Array] = []
    before = 1
    for n in indices.shape[:-1]:
        before *= n
        width = indices.shape[len(out) + 1]
        out.append((np.arange(before + 1) * width).astype(splits[0].dtype))
    for one in splits:
        starts = one[rows]
        lengths = one[rows + 1] - starts
        out.append(splits_of(lengths, one.dtype))
        rows = ranges(starts, lengths)
    return (out if indices.ndim else out[1:]), rows


def _gather(params_nested_splits: list[Array], params_dense_values: Array, indices: Array, *, OUTPUT_RAGGED_RANK: int) -> list[Array]:
    found = None
    if len(params_nested_splits) == params_dense_values.ndim == indices.ndim == params_nested_splits[0].ndim == 1:
        found = _gathered_rows(params_nested_splits[0], params_dense_values, indices)
    if found is not None:
        return found
    out, items = _gather_splits(params_nested_splits, indices)
    return [*out, params_dense_values[items]]


def _gathered_rows(splits: Array, values: Array, indices: Array) -> list[Array] | None:
    """Rows of numbers by number, natively; None where that is not so."""
    count, height = len(indices), len(splits) - 1
    if len(values) < LEAST_ENTRIES:
        return None
    new = np.empty(count + 1, splits.dtype)
    size = run_natively(entry_loops.lengths, len(values), new, splits, indices, count, height, len(values))
    if size is None or not 0 <= size <= np.iinfo(splits.dtype).max:
        return None
    out = np.empty(size, values.dtype)
    done = run_natively(entry_loops.move_rows, len(values), *as_words(out, values), splits, indices, count)
    return None if done is None else [new, out]


def _gather_type(params_nested_splits: Any, params_dense_values: Any, indices: Any, *, OUTPUT_RAGGED_RANK: int) -> tuple[TensorType, ...]:
    given = constants(*params_nested_splits, indices)
    if given is not None and params_dense_values.dims is not None:
        out, items = _gather_splits(given[:-1], given[-1])
        return (*infer_exactly(*out), TensorType((len(items), *params_dense_values.dims[1:]), params_dense_values.dtype))
    dtype = params_nested_splits[0].dtype
    dims = indices.dims
    outer: list[Any] = [None] * OUTPUT_RAGGED_RANK
    if dims is not None:
        size: Any = 1
        for i in range(len(dims)):
            size = None if size is None or dims[i] is None else size * dims[i]
            if i < len(outer):
                outer[i] = None if size is None else size + 1
    inner = None if params_dense_values.dims is None else (None, *params_dense_values.dims[1:])
    return (*(TensorType((n,), dtype) for n in outer), TensorType(inner, params_dense_values.dtype))


def _items_type(params_nested_splits: Any, indices: Any) -> TensorType:
    given = constants(*params_nested_splits, indices)
    dtype = params_nested_splits[0].dtype
    return TensorType((None,), dtype) if given is None else TensorType((len(_gather_splits(given[:-1], given[-1])[1]),), dtype)


GATHER_ITEMS = define(
    "RaggedGatherItems",
    "*params_nested_splits:Tsplits indices:Tindices",
    _items_type,
    lambda params_nested_splits, indices: _gather_splits(params_nested_splits, indices)[1].astype(params_nested_splits[0].dtype),
    {},
    dtypes={"Tsplits": INDEX, "Tindices": INDEX},
    batch="shape depends on values",
)


def _gather_back(gs: Any, params_nested_splits: Any, params_dense_values_type: Any, indices: Any) -> Any:
    return rows_of(gs[-1], params_dense_values_type, GATHER_ITEMS(list(params_nested_splits), indices))


#: The outputs are the nested splits of the result, then its flat values.
GATHER: Op = define(
    "RaggedGather",
    "*params_nested_splits:Tsplits params_dense_values:Tvalues indices:Tindices",
    _gather_type,
    _gather,
    {"params_dense_values": _gather_back},
    outputs="*output",
    dtypes={"Tsplits": INDEX, "Tvalues": ANY, "Tindices": INDEX},
    holomorphic=False,
)


# ---- rows without items


def _fill_rows(value_rowids: Array, values: Array, nrows: Array, default_value: Array) -> tuple[Array, Array, Array, Array]:
    if nrows.ndim or default_value.ndim:
        raise ValueError("the type rule finds the words")
    for name, given in (("value_rowids", value_rowids), ("values", values)):
        if given.ndim != 1:
            raise invalid_argument(f"{name} must be a vector, saw: {list(given.shape)}")
    if len(values) != len(value_rowids):
        length = len(value_rowids)
        raise invalid_argument(f"The length of `values` ({len(values)}) must match the first dimension of `value_rowids` ({length}).")
    count = int(nrows)
    if len(values) == len(value_rowids) >= LEAST_ENTRIES:
        found = _fill_natively(value_rowids, values, count, default_value)
        if found is not None:
            return found
    wrong = np.flatnonzero((value_rowids < 0) | (value_rowids >= count))
    if len(wrong):
        raise invalid_argument(f"value_rowids({wrong[0]}) is invalid: {value_rowids[wrong[0]]} is not in [0, {count})")
    empty = np.bincount(value_rowids, minlength=count) == 0
    if (value_rowids[1:] >= value_rowids[:-1]).all():
        return _fill_in_order(value_rowids, values, empty, default_value)
    rows = np.concatenate([value_rowids, np.flatnonzero(empty)])
    order = np.argsort(rows, kind="stable")
    places = np.empty(len(order), np.int64)
    places[order] = np.arange(len(order))
    filled = np.concatenate([values, np.full(int(empty.sum()), default_value, values.dtype)])
    return rows[order], filled[order], empty, places[: len(value_rowids)]


def _fill_natively(rowids: Array, values: Array, height: int, default_value: Array) -> tuple[Array, Array, Array, Array] | None:
    """The same for rows that never fall, natively; None where that is not so."""
    count = len(rowids)
    rows, filled = np.empty(count + max(height, 0), np.int64), np.empty(count + max(height, 0), values.dtype)
    empty, places = np.ones(max(height, 0), bool), np.empty(count, np.int64)
    new, old, default = as_words(filled, values, np.array(default_value, values.dtype).reshape(1))
    size = run_natively(entry_loops.fill_empty_rows, count, rows, new, empty, places, rowids, old, default, count, height)
    return None if size is None or size < 0 else (rows[:size], filled[:size], empty, places)


def _fill_in_order(rowids: Array, values: Array, empty: Array, default_value: Array) -> tuple[Array, Array, Array, Array]:
    """The same for rows that never fall: an item moves on by as many places as rows before its own are empty."""
    places = np.cumsum(empty)[rowids] + np.arange(len(rowids))
    gaps = np.flatnonzero(empty)
    behind = np.searchsorted(rowids, gaps) + np.arange(len(gaps))
    rows, filled = np.empty(len(rowids) + len(gaps), np.int64), np.empty(len(rowids) + len(gaps), values.dtype)
    rows[places], rows[behind] = rowids, gaps
    filled[places], filled[behind] = values, default_value
    return rows, filled, empty, places


def _fill_type(value_rowids: Any, values: Any, nrows: Any, default_value: Any) -> tuple[TensorType, ...]:
    for name, given in (("nrows", nrows), ("default_value", default_value)):
        require_rank(given, 0, f"{name} must be a scalar, saw: {given.dims}")
    require_equal(require_rank(value_rowids, 1, None)[0], require_rank(values, 1, None)[0], None)
    rows = known_int(nrows)
    return (
        TensorType((None,), int64),
        TensorType((None,), values.dtype),
        TensorType((rows,), bool_),
        TensorType((entries(value_rowids, values),), int64),
    )


FILL_ROWS = define(
    "RaggedFillEmptyRows",
    "value_rowids:int64 values nrows:int64 default_value",
    _fill_type,
    _fill_rows,
    {("values", "default_value"): lambda g_output_values, reverse_index_map: FILL_ROWS_GRAD(reverse_index_map, g_output_values)},
    outputs="output_value_rowids output_values empty_row_indicator reverse_index_map",
    dtypes=ANY,
    holomorphic=False,
)
FILL_ROWS_GRAD: Op = define(
    "RaggedFillEmptyRowsGrad",
    "reverse_index_map:int64 grad_values",
    fill_grad_type,
    fill_grad,
    {"grad_values": fill_grad_back},
    outputs="d_values d_default_value",
    dtypes=SPARSE,
    holomorphic=False,
)
