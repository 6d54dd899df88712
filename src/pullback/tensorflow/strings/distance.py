"""How many insertions, deletions and replacements turn one sequence into another (V. Levenshtein, 1966)."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ...base.dtypes import ANY, float32, resource, variant
from ...base.export import export
from ...base.shapes import show
from ...ir.op import define
from ...ir.tensor import Tensor, TensorType
from ...kernels.loops import Ints, native_or_python
from ...ops.array.type_rules import Array, dims_in, invalid_argument, require_equal, require_rank
from ...ops.vmap_rules import sparse as rows_sparse


def _distance_type(
    hypothesis_indices: Any,
    hypothesis_values: Any,
    hypothesis_shape: Any,
    truth_indices: Any,
    truth_values: Any,
    truth_shape: Any,
    **_: Any,
) -> TensorType:
    for t in (hypothesis_indices, truth_indices):
        require_rank(t, 2, f"indices should be a matrix, but got shape {show(t.dims)}")
    for t in (hypothesis_values, truth_values, hypothesis_shape, truth_shape):
        require_rank(t, 1, f"values and shapes should be vectors, but got shape {show(t.dims)}")
    for t, which in ((hypothesis_shape, "hypothesis"), (truth_shape, "truth")):
        if t.dims is not None and t.dims[0] in (0, 1):
            raise invalid_argument(f"Input SparseTensors must have rank at least 2, but {which}_shape rank is: {t.dims[0]}")
    a, b = dims_in(hypothesis_shape), dims_in(truth_shape)
    if a is None or b is None:
        return TensorType(None, float32)
    require_equal(len(a), len(b), f"Expected truth and hypothesis to have matching ranks, but their shapes are: [{len(b)}] and [{len(a)}]")
    return TensorType(tuple(None if m is None or n is None else max(m, n) for m, n in zip(a[:-1], b[:-1], strict=True)), float32)


class _Rows(NamedTuple):
    """Sequences: the values of all, row by row, and in which place of the result each row stands, as one number."""

    values: Array
    places: Array
    starts: Array
    lengths: Array


def _rows(indices: Array, values: Array, shape: Array, out: tuple[int, ...], name: str) -> _Rows:
    """The values of each row, in the order in which they stand."""
    if indices.ndim != 2 or indices.shape != (len(values), len(shape)):
        raise invalid_argument(
            f"{name}_indices should be a matrix of {len(values)} rows and {len(shape)} columns, got {show(indices.shape)}"
        )
    sizes = np.maximum(shape, 0).astype(np.uint64)
    if any((column.view(np.uint64) >= n).any() for column, n in zip(indices.T, sizes, strict=True)):  # below zero is large
        outside = ((indices < 0) | (indices >= shape)).any(axis=1)
        raise invalid_argument(f"{name}_indices {indices[int(outside.argmax())].tolist()} is out of bounds of the shape {shape.tolist()}")
    places = np.zeros(len(values), np.int64)
    for column, n in zip(indices.T, out, strict=False):  # the last one is along the sequences
        places = places * n + column
    if (places[1:] < places[:-1]).any():
        order = np.argsort(places, kind="stable")
        places, values = places[order], values[order]
    new = np.flatnonzero(np.concatenate([[True], places[1:] != places[:-1]])) if len(places) else np.zeros(0, np.intp)
    return _Rows(values, places[new], new, np.diff(np.append(new, len(places))))


def _spread(rows: _Rows, count: int) -> tuple[Array, Array]:
    """Where the sequence of each place begins, and its length: 0 where there is none."""
    starts, lengths = np.zeros(count, np.int64), np.zeros(count, np.int64)
    starts[rows.places], lengths[rows.places] = rows.starts, rows.lengths
    return starts, lengths


def _levenshtein_of_pairs(
    a: Ints, a_starts: Ints, a_lengths: Ints, b: Ints, b_starts: Ints, b_lengths: Ints, count: int, costs: Ints, out: Ints
) -> None:
    """The distance of each pair, a row of its table after another: costs[j] is that of what has been seen of `a` and j numbers of `b`.

    A column of the table is two words where `a` is no longer than these: where costs rise along it by one, and where they fall (H. Hyyro,
    2003).
    """
    for k in range(count):
        m = int(a_lengths[k])
        n = int(b_lengths[k])
        first = a_starts[k]
        second = b_starts[k]
        if 0 < m < 64:
            rising = -1
            falling = 0
            cost = m
            last = 1 << (m - 1)
            for j in range(n):
                x = b[second + j]
                same = 0
                for i in range(m):
                    same = same | int(a[first + i] == x) << i
                down = same | falling
                across = ((same & rising) + rising ^ rising) | same
                more = falling | ~(across | rising)
                less = rising & across
                cost += int(more & last != 0) - int(less & last != 0)
                more = more << 1 | 1
                rising = less << 1 | ~(down | more)
                falling = more & down
            out[k] = cost
            continue
        for j in range(n + 1):
            costs[j] = j
        for i in range(m):
            x = a[first + i]
            before = costs[0]
            left = i + 1
            costs[0] = left
            for j in range(n):
                above = costs[j + 1]
                best = min(before + int(b[second + j] != x), min(left, above) + 1)
                costs[j + 1] = best
                left = best
                before = above
        out[k] = costs[n]


def _distances(a: _Rows, b: _Rows, count: int) -> tuple[Array, Array]:
    """The distance of each pair, and the length of the second sequence."""
    (p, m), (q, n) = _spread(a, count), _spread(b, count)
    x, y = (np.ascontiguousarray(rows.values).astype(np.int64, copy=False) for rows in (a, b))
    out, costs = np.empty(count, np.int64), np.empty(int(n.max(initial=0)) + 1, np.int64)
    native_or_python(_levenshtein_of_pairs, int((m * n).sum()))(x, p, m, y, q, n, count, costs, out)
    return out, n


def _distance(
    hypothesis_indices: Array,
    hypothesis_values: Array,
    hypothesis_shape: Array,
    truth_indices: Array,
    truth_values: Array,
    truth_shape: Array,
    *,
    normalize: bool = True,
) -> Array:
    if min(hypothesis_shape.size, truth_shape.size) < 2:
        raise ValueError("sequences stand in rows")  # the type rule finds the words
    if hypothesis_shape.shape != truth_shape.shape:
        raise invalid_argument(
            "Expected truth and hypothesis to have matching ranks, but their shapes are: "
            f"{show(truth_shape.shape)} and {show(hypothesis_shape.shape)}"
        )
    out = tuple(np.maximum(hypothesis_shape, truth_shape)[:-1].tolist())
    if not math.prod(out):
        raise invalid_argument(f"Got output shape {show(out)} which has 0 elements")
    found = _rows(hypothesis_indices, hypothesis_values, hypothesis_shape, out, "hypothesis")
    wanted = _rows(truth_indices, truth_values, truth_shape, out, "truth")
    if found.values.dtype.kind not in "iu":
        numbers: dict[Any, int] = {}
        found, wanted = (r._replace(values=_number_values(r.values, numbers)) for r in (found, wanted))
    distances, lengths = _distances(found, wanted, math.prod(out))
    if normalize:
        distances = np.where(distances > 0, np.where(lengths > 0, distances / np.maximum(lengths, 1), np.inf), 0)
    return np.asarray(distances, np.float32).reshape(out)


def _number_values(values: Array, numbers: dict[Any, int]) -> Array:
    """A number for each string or float, the same for equal ones."""
    return np.fromiter((numbers.setdefault(x, len(numbers)) for x in values.tolist()), np.int64, len(values))


EDIT_DISTANCE = define(
    "EditDistance",
    "hypothesis_indices:int64 hypothesis_values:T hypothesis_shape:int64 truth_indices:int64 truth_values:T truth_shape:int64",
    _distance_type,
    _distance,
    {},
    batch=rows_sparse.batch_sets,
    dtypes=ANY - {resource, variant},
)


@export("edit_distance")
def edit_distance(hypothesis: Any, truth: Any, normalize: bool = True, name: str = "edit_distance") -> Tensor:
    """The edit distance of each row of two sparse tensors, whose last dimension is along the sequences: float32.

    hypothesis, truth: SparseTensors of one dtype and rank.  normalize: whether it is divided by the length of `truth` (inf where that is
    empty and the other is not).  Raises TypeError for what is no SparseTensor, InvalidArgumentError for ranks that differ.

    >>> a = tf.sparse.from_dense([["a", "b"], ["c", ""]])
    >>> b = tf.sparse.from_dense([["a", ""], ["d", ""]])
    >>> tf.edit_distance(a, b).numpy().tolist()
    [1.0, 1.0]
    """
    for which, given in (("Hypothesis", hypothesis), ("Truth", truth)):
        if not all(hasattr(given, part) for part in ("indices", "values", "dense_shape")):
            raise TypeError(f"{which} must be a SparseTensor.")
    return EDIT_DISTANCE(
        hypothesis.indices, hypothesis.values, hypothesis.dense_shape, truth.indices, truth.values, truth.dense_shape,
        normalize=normalize, name=name,
    )  # fmt: skip
