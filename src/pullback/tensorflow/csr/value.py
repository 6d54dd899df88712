"""The value of a CSR matrix: index vectors in row-major order, values, and a shape of two axes, or three for a batch of matrices.

A batch is multiplied as one matrix with the matrices of the batch along its diagonal, so nothing here loops over them.  Of that matrix
it is known where each row begins, and the columns (`Rows`); SciPy's matrix is made of these for what has no native loop.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...base.dtypes import variant
from ...ir.tensor import ShapeLike
from ...kernels.native_loops import as_words, run_natively
from ...ops.sparse import entry_loops as entries_walks
from ...ops.sparse.keys import check_inside, check_matrix, columns_of, find_places, groups_of, is_rising, keys_of, places_in
from . import entry_loops

Array = np.ndarray[Any, Any]


#: How many columns of a product are computed together.
_BLOCK = 64


class Rows(NamedTuple):
    """Where each row begins, and behind them the end; the column of each entry, in order within a row."""

    pointers: Array
    columns: Array


class CsrValue:
    """A matrix, or a batch of them, of which only some entries are stored; it never changes."""

    __slots__ = ("_indices", "_rows", "shape", "values")
    tensor_dtype = variant

    def __init__(self, indices: Array | None, values: Array, shape: tuple[int, ...], rows: Rows | None = None) -> None:
        """indices: those that `rows` says, where None."""
        self._indices, self.values, self.shape, self._rows = indices, values, shape, rows

    @staticmethod
    def of(indices: Array, values: Array, shape: ShapeLike) -> CsrValue:
        """The matrix with these entries, in any order; equal index vectors add up."""
        sizes = np.asarray(shape, np.int64)
        check_matrix(indices, values, sizes)
        if run_natively(entries_walks.check_entries, len(values), indices, sizes, len(values), rank=len(sizes)) == 1:
            return CsrValue(indices, np.array(values), tuple(sizes.tolist()))
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
            pointers, columns = self.rows()
            rows = np.repeat(np.arange(len(pointers) - 1), np.diff(pointers))
            columns = columns.astype(np.int64)
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
        places = find_places(indices, self.indices)
        padded = np.append(self.values, np.zeros(1, self.values.dtype))
        return np.asarray(padded[places])

    def dense(self) -> Array:
        """The matrix as an array."""
        out = np.zeros(self.shape, self.values.dtype)
        if len(self.shape) == 2:
            words = as_words(out, self.values)
            if run_natively(entry_loops.spread, len(self.values), words[0], *self.rows(), words[1], *self.shape) == 0:
                return out
            return np.asarray(self.diagonal().toarray())
        out.reshape(-1)[places_in(columns_of(self.indices), [0] * len(self.shape), self.shape)] = self.values
        return out

    def transpose(self, conjugate: bool) -> CsrValue:
        """The transpose of each matrix."""
        *batch, height, width = self.shape
        values, rows = self._turn_entries()
        return CsrValue(None, values.conj() if conjugate and values.dtype.kind == "c" else values, (*batch, width, height), rows)

    def _turn_entries(self) -> tuple[Array, Rows]:
        """The values and the rows of the transpose."""
        (pointers, columns), count = self.rows(), len(self.values)
        height, width = self._sizes()
        new = Rows(np.zeros(width + 2, columns.dtype), np.empty(count, columns.dtype))
        values = np.empty(count, self.values.dtype)
        words = as_words(values, self.values)
        if run_natively(entry_loops.transpose_rows, count, *new, words[0], pointers, columns, words[1], height, width, count) == 0:
            return values, Rows(new.pointers[:-1], new.columns)
        turned = self.diagonal().T.tocsr()
        return turned.data, Rows(turned.indptr, turned.indices)

    def rows(self) -> Rows:
        """The rows of the matrix that has the matrices of the batch along its diagonal; of one matrix as it is."""
        if self._rows is None:
            *batch, height, width = self.shape
            count = int(np.prod(batch))
            kind = np.int32 if max(len(self.values), count * height, count * width) < 1 << 31 else np.int64
            made = Rows(np.empty(count * height + 1, kind), np.empty(len(self.values), kind))
            if batch or run_natively(entry_loops.split, len(self.values), *made, self.indices, len(self.values), height) is None:
                block = self.indices[:, 0] if batch else 0
                above = self.indices[:, -2] + block * height
                pointers, columns = np.searchsorted(above, np.arange(count * height + 1)), self.indices[:, -1] + block * width
                made = Rows(pointers.astype(kind), columns.astype(kind))
            self._rows = made
        return self._rows

    def _sizes(self) -> tuple[int, int]:
        *batch, height, width = self.shape
        count = int(np.prod(batch))
        return count * height, count * width

    def diagonal(self) -> Any:
        """SciPy's matrix of these rows."""
        from scipy.sparse import csr_array

        pointers, columns = self.rows()
        return csr_array((self.values, columns, pointers), shape=self._sizes())

    def times(self, dense: Array) -> Array:
        """The product with a matrix, or of each matrix of the batch with one of a batch."""
        *batch, height, _ = self.shape
        width = dense.shape[-1]
        flat, rows = np.ascontiguousarray(dense).reshape(-1, width), self._sizes()[0]
        out = np.empty((rows, width), dense.dtype)
        if run_natively(entry_loops.product, len(self.values), out, *self.rows(), self.values, flat, rows, width, block=_BLOCK) is None:
            out = np.asarray(self.diagonal() @ flat)
        return out.reshape(*batch, height, width)

    def times_sparse(self, other: CsrValue) -> CsrValue:
        """The product with another such matrix, or batch."""
        turned = other.diagonal().T.tocsr() @ self.diagonal().T.tocsr()  # turned back its columns are in order, without a sort
        product = turned.T.tocsr()
        return CsrValue(None, product.data, (*self.shape[:-1], other.shape[-1]), Rows(product.indptr, product.indices))
