"""Sparse tensors with all that belongs to them: who asks for the class here has its operators and functions too."""

from __future__ import annotations

from ...base.export import export
from . import (
    arithmetic as sparse_arithmetic,
    count as sparse_count,
    dense as sparse_dense,
    empty_rows as sparse_rows,
    functions as sparse_functions,
    indices as sparse_indices,
    join as sparse_join,
    sums as sparse_sums,
)
from .tensor import SparseTensor, SparseTensorSpec, SparseTensorValue, convert_to_tensor_or_sparse_tensor

MODULES = (sparse_arithmetic, sparse_count, sparse_dense, sparse_functions, sparse_indices, sparse_join, sparse_rows, sparse_sums)
export("SparseTensor", "sparse.SparseTensor")(SparseTensor)
export("SparseTensorSpec")(SparseTensorSpec)
export(v1="SparseTensorValue")(SparseTensorValue)
export(v1="convert_to_tensor_or_sparse_tensor")(convert_to_tensor_or_sparse_tensor)
__all__ = ["MODULES", "SparseTensor", "SparseTensorSpec", "SparseTensorValue", "convert_to_tensor_or_sparse_tensor"]
