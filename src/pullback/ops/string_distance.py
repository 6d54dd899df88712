"""How many insertions, deletions and replacements turn one sequence into another (V. Levenshtein, 1966)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ..base.dtypes import ANY, float32, resource, variant
from ..base.shapes import show
from ..ir.op import define
from ..ir.tensor import TensorType
from .array_types import Array, dims_in, invalid, require_equal, require_rank


def _distance_type(
    hypothesis_indices: Any,
    hypothesis_values: Any,
    hypothesis_shape: Any,
    truth_indices: Any,
    truth_values: Any,
    truth_shape: Any,
    *,
    normalize: bool = True,
) -> TensorType:
    for t in (hypothesis_indices, truth_indices):
        require_rank(t, 2, f"indices should be a matrix, but got shape {show(t.dims)}")
    for t in (hypothesis_values, truth_values, hypothesis_shape, truth_shape):
        require_rank(t, 1, f"values and shapes should be vectors, but got shape {show(t.dims)}")
    a, b = dims_in(hypothesis_shape), dims_in(truth_shape)
    if a is None or b is None:
        return TensorType(None, float32)
    require_equal(len(a), len(b), f"Expected truth and hypothesis to have matching ranks, but their shapes are: [{len(b)}] and [{len(a)}]")
    return TensorType(tuple(None if m is None or n is None else max(m, n) for m, n in zip(a[:-1], b[:-1], strict=True)), float32)


def _sequences(indices: Array, values: Array, shape: Array, name: str) -> dict[tuple[int, ...], list[Any]]:
    """The values of each row, in the order in which they stand."""
    if indices.ndim != 2 or indices.shape != (len(values), len(shape)):
        raise invalid(f"{name}_indices should be a matrix of {len(values)} rows and {len(shape)} columns, got {show(indices.shape)}")
    found: dict[tuple[int, ...], list[Any]] = {}
    for at, value in zip(indices.tolist(), values.tolist(), strict=True):
        if any(not 0 <= i < n for i, n in zip(at, shape.tolist(), strict=True)):
            raise invalid(f"{name}_indices {at} is out of bounds of the shape {shape.tolist()}")
        found.setdefault(tuple(at[:-1]), []).append(value)
    return found


def _levenshtein(a: list[Any], b: list[Any]) -> int:
    """A row of the table at a time; what comes from the left along it is a running minimum."""
    numbers: dict[Any, int] = {}
    x, y = (np.array([numbers.setdefault(v, len(numbers)) for v in row], np.intp) for row in (a, b))
    places = np.arange(len(y) + 1)
    costs = places
    for i, value in enumerate(x):
        changed = np.minimum(costs[:-1] + (y != value), costs[1:] + 1)
        costs = np.minimum.accumulate(np.concatenate([[i + 1], changed]) - places) + places
    return int(costs[-1])


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
    if hypothesis_shape.shape != truth_shape.shape:
        raise invalid(
            "Expected truth and hypothesis to have matching ranks, but their shapes are: "
            f"{show(truth_shape.shape)} and {show(hypothesis_shape.shape)}"
        )
    found = _sequences(hypothesis_indices, hypothesis_values, hypothesis_shape, "hypothesis")
    wanted = _sequences(truth_indices, truth_values, truth_shape, "truth")
    out = np.zeros(np.maximum(hypothesis_shape, truth_shape)[:-1].tolist(), np.float32)
    for row in _both(found, wanted):
        a, b = found.get(row, []), wanted.get(row, [])
        count = _levenshtein(a, b)
        out[row] = count if not normalize else count / len(b) if b else np.inf
    return out


def _both(a: Iterable[Any], b: Iterable[Any]) -> set[Any]:
    return {*a, *b}


EDIT_DISTANCE = define(
    "EditDistance",
    "hypothesis_indices:int64 hypothesis_values:T hypothesis_shape:int64 truth_indices:int64 truth_values:T truth_shape:int64",
    _distance_type,
    _distance,
    {},
    dtypes=ANY - {resource, variant},
)


def edit_distance(hypothesis: Any, truth: Any, normalize: bool = True, name: str = "edit_distance") -> Any:
    """The edit distance of each row of two sparse tensors, whose last dimension is along the sequences: float32.

    hypothesis, truth: SparseTensors of one dtype and rank.  normalize: whether it is divided by the length of `truth` (inf where that is
    empty and the other is not).  Raises TypeError for what is no SparseTensor, InvalidArgumentError for ranks that differ.

    >>> import pullback as tf
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
        normalize=bool(normalize), name=name,
    )  # fmt: skip


