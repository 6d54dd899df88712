"""Sparse cotangents: `IndexedSlices` added up without making them dense, and made dense when something needs it."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

from ..base.dtypes import int64
from ..base.lazy_import import LazyModule
from ..base.shapes import num_elements
from ..ir.tensor import IndexedSlices, SymbolicTensor
from ..ops.array.join import CONCAT
from ..ops.primitives.cast import cast

if TYPE_CHECKING:
    from ..ops.segment import dense as segments
else:
    segments = LazyModule("pullback.ops.segment.dense")

_LARGE = 100_000_000


def densify(g: object, name: str | None = None) -> Any:
    """`g` as a tensor: rows of equal index are summed.  A tensor is returned as it is.

    Raises ValueError where the slices do not say their dense shape.
    """
    if not isinstance(g, IndexedSlices):
        return g
    if g.dense_shape is None:
        raise ValueError(f"Tensor conversion requested for IndexedSlices for argument `value` without dense_shape: {g}")
    dims = g.dims
    if isinstance(g.values, SymbolicTensor) and (num_elements(dims) or 0) >= _LARGE:
        warnings.warn(
            f"Converting sparse IndexedSlices to a dense Tensor with {num_elements(dims)} elements. This may consume a large amount "
            "of memory.",
            stacklevel=2,
        )
    rows = g.dense_shape[0]
    return segments.unsorted_segment_sum(g.values, g.indices, rows, name=name)


def add_sparse(slices: list[IndexedSlices]) -> IndexedSlices:
    """The sum of several slices of one dense shape: their rows one after the other, duplicates kept."""
    indices = [s.indices for s in slices]
    if any(i.dtype is not indices[0].dtype for i in indices):
        indices = [cast(i, int64) for i in indices]
    dense_shape = next((s.dense_shape for s in slices if s.dense_shape is not None), None)
    concat = CONCAT.call
    return IndexedSlices(concat([s.values for s in slices], 0), concat(indices, 0), dense_shape)
