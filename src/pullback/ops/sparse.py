"""Sparse tensors with all that belongs to them: who asks for the class here has its operators and functions too."""

from __future__ import annotations

from . import sparse_arithmetic, sparse_count, sparse_dense, sparse_functions, sparse_indices, sparse_join, sparse_rows, sparse_sums
from .sparse_tensor import SparseTensor, SparseTensorSpec, SparseTensorValue, convert_to_tensor_or_sparse_tensor

MODULES = (sparse_arithmetic, sparse_count, sparse_dense, sparse_functions, sparse_indices, sparse_join, sparse_rows, sparse_sums)
__all__ = ["MODULES", "SparseTensor", "SparseTensorSpec", "SparseTensorValue", "convert_to_tensor_or_sparse_tensor"]
