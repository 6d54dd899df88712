"""The value of a CSR matrix: index vectors in row-major order, values, and a shape of two axes, or three for a batch of matrices.

A batch is multiplied as one matrix with the matrices of the batch along its diagonal, so nothing here loops over them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.dtypes import variant
from ..sparse.keys import check_inside, check_matrix, columns_of, found_at, groups_of, is_rising, keys_of, places_in

Array = np.ndarray[Any, Any]


class CsrValue:
    """A matrix, or a batch of them, of which only some entries are stored; it never changes."""

    __slots__ = ("_diagonal", "_indices", "shape", "values")
    tensor_dtype = variant

    def __init__(self, indices: Array | None, values: Array, shape: tuple[int, ...], diagonal: Any = None) -> None:
        """indices: those of `diagonal`, whose columns are in order, where None."""
        self._indices, self.values, self.shape, self._diagonal = indices, values, shape, diagonal

    @staticmethod
    def of(indices: Array, values: Array, shape: Any) -> CsrValue:
        """The matrix with these entries, in any order; equal index vectors add up."""
        sizes = np.asarray(shape, np.int64)
        check_matrix(indices, values, sizes)
        check_inside(indices, sizes)
        (keys,) = keys_of(indices)
        if not is_rising(keys, strictly=True):
            indices, groups = groups_of(indices)
            total = np.zeros(len(indices), values.dtype)
            np.add.at(total, groups, values)
            values = total
        return CsrValue(indices, np.array(values), tuple(int(n) for n in sizes))

    @property
    def indices(self) -> Array:
        """The index vectors, made when they are first wanted."""
        if self._indices is None:
            height, width = self.shape[-2:]
            rows = np.repeat(np.arange(self._diagonal.shape[0]), np.diff(self._diagonal.indptr))
            columns = self._diagonal.indices.astype(np.int64)
            lead = [rows // height] if len(self.shape) == 3 else []
            if lead:
                rows, columns = rows % height, columns % width
            self._indices = np.stack([*lead, rows, columns], 1)
        return self._indices

    def items(self) -> list[Any]:
        """Nothing: a list without elements stands for zeros, of a matrix too."""
        return []

    def __add__(self, other: Any) -> CsrValue:
        if not isinstance(other, CsrValue):
            return self
        both = np.concatenate([self.indices, other.indices]), np.concatenate([self.values, other.values])
        return CsrValue.of(*both, self.shape)

    def __radd__(self, other: Any) -> CsrValue:
        return self

    def at(self, indices: Array) -> Array:
        """The values at index vectors, 0 where no entry is."""
        places = found_at(indices, self.indices)
        padded = np.append(self.values, np.zeros(1, self.values.dtype))
        return np.asarray(padded[places])

    def dense(self) -> Array:
        """The matrix as an array."""
        if len(self.shape) == 2:
            return np.asarray(self.diagonal().toarray())
        out = np.zeros(self.shape, self.values.dtype)
        out.reshape(-1)[places_in(columns_of(self.indices), [0] * len(self.shape), self.shape)] = self.values
        return out

    def transposed(self, conjugate: bool) -> CsrValue:
        """The transpose of each matrix."""
        *batch, height, width = self.shape
        turned = self.diagonal().T.tocsr()
        turned = turned.conj() if conjugate else turned
        return CsrValue(None, turned.data, (*batch, width, height), turned)

    def diagonal(self) -> Any:
        """SciPy's CSR matrix that has the matrices of the batch along its diagonal; one matrix as it is."""
        if self._diagonal is None:
            self._diagonal = self._made_diagonal()
        return self._diagonal

    def _made_diagonal(self) -> Any:
        from scipy.sparse import csr_array

        *batch, height, width = self.shape
        count = int(np.prod(batch))
        block = self.indices[:, 0] if batch else 0
        rows = self.indices[:, -2] + block * height
        pointers = np.searchsorted(rows, np.arange(count * height + 1))
        return csr_array((self.values, self.indices[:, -1] + block * width, pointers), shape=(count * height, count * width))

    def times(self, dense: Array) -> Array:
        """The product with a matrix, or of each matrix of the batch with one of a batch."""
        *batch, height, _ = self.shape
        columns = dense.shape[-1]
        product = self.diagonal() @ np.ascontiguousarray(dense).reshape(-1, columns)
        return np.asarray(product).reshape(*batch, height, columns)

    def times_sparse(self, other: CsrValue) -> CsrValue:
        """The product with another such matrix, or batch."""
        turned = other.diagonal().T.tocsr() @ self.diagonal().T.tocsr()  # turned back its columns are in order, without a sort
        product = turned.T.tocsr()
        return CsrValue(None, product.data, (*self.shape[:-1], other.shape[-1]), product)
