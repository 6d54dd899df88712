"""Operators whose matrix follows from few numbers: tridiagonal, Toeplitz, reflections, permutations."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...api.variable import is_variable
from ...base.dtypes import FLOAT_OR_COMPLEX, INDEX, as_dtype, complex64, complex128, float32, float64, int32
from ...base.export import export
from ...base.shapes import show as show_dims
from ...ir.apply import convert_to_tensor
from ...ir.tensor import Dims, Tensor
from ...ops.array.basic import TRANSPOSE, fill, ones_of, shape_of, zeros_of
from ...ops.array.create import ONE_HOT
from ...ops.array.gather import gather
from ...ops.array.join import concat
from ...ops.array.order import reverse
from ...ops.array.shape import expand_dims
from ...ops.families import broadcast_dims
from ...ops.indexing.index import getitem
from ...ops.linalg.diag import diag
from ...ops.linalg.products import batch_matmul
from ...ops.linalg.tridiagonal import _transpose_diagonals
from ...ops.linalg.tridiagonal_functions import _three_rows, tridiagonal_matmul, tridiagonal_solve
from ...ops.math.arithmetic import conj
from ...ops.math.complex import REAL_PART
from ...ops.primitives.cast import CAST
from ...ops.reduce.reductions import reduce_sum
from ...ops.search.sort import argsort
from ...ops.signal.fft import FFT, IFFT
from .facts import Parameter, convert
from .operator import LinearOperator
from .solving import broadcast_batch, common_batch, square_sizes


def part(x: Tensor, *key: Any) -> Any:
    """x[..., key]."""
    return getitem(x, (..., *key))


def _ones(sizes: Any, dtype: Any) -> Any:
    return fill(sizes, np.ones((), dtype.numpy_dtype))


@export("linalg.LinearOperatorTridiag")
class LinearOperatorTridiag(LinearOperator):
    """The operator of a tridiagonal matrix.

    diagonals, diagonals_format: as for `tf.linalg.tridiagonal_solve`.

    >>> operator = tf.linalg.LinearOperatorTridiag([[1.0, 0.0], [2.0, 2.0], [0.0, 3.0]])
    >>> operator.to_dense().numpy().tolist()
    [[2.0, 1.0], [3.0, 2.0]]
    """

    def __init__(
        self,
        diagonals: Any,
        diagonals_format: str = "compact",
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str = "LinearOperatorTridiag",
    ) -> None:
        if diagonals_format not in ("compact", "matrix", "sequence"):
            raise ValueError(f"Argument `diagonals_format` must be one of compact, matrix, or sequence. Received : {diagonals_format}.")
        several = diagonals_format == "sequence"
        self._given = [d if is_variable(d) else convert(d) for d in (diagonals if several else [diagonals])]
        self._format = diagonals_format
        given = {"diagonals": diagonals, "diagonals_format": diagonals_format}
        super().__init__(self._rows.dtype, None, is_non_singular, is_self_adjoint, is_positive_definite, is_square, name, given)

    @property
    def diagonals(self) -> Any:
        """The diagonals as they were given."""
        return self._given if self._format == "sequence" else self._given[0]

    @property
    def _rows(self) -> Any:
        return _three_rows([convert(d) for d in self._given] if self._format == "sequence" else convert(self._given[0]), self._format)

    @property
    def diagonals_format(self) -> str:
        """The form they were given in."""
        return self._format

    def _dims(self) -> Dims:
        dims = self._rows.dims
        return None if dims is None else (*dims[:-2], dims[-1], dims[-1])

    def _run_time_sizes(self) -> Any:
        return square_sizes(part(self._rows, 0, slice(None)))

    def _both(self, x: Any, adjoint: bool) -> tuple[Any, Any]:
        rows = _transpose_diagonals(self._rows) if adjoint else self._rows
        batch = common_batch(rows, x)
        return broadcast_batch(rows, batch), broadcast_batch(x, batch)

    def _times(self, x: Any, adjoint: bool) -> Any:
        return tridiagonal_matmul(*self._both(x, adjoint))

    def _solve_columns(self, rhs: Any, adjoint: bool) -> Any:
        return tridiagonal_solve(*self._both(rhs, adjoint))

    def _diagonal(self) -> Any:
        return part(self._rows, 1, slice(None))

    def _dense(self) -> Any:
        if self._rows.dims is not None and self._rows.dims[-1] == 1:
            return part(self._rows, slice(1, 2), slice(None))
        return diag(self._rows, k=(-1, 1), align="LEFT_RIGHT")


@export("linalg.LinearOperatorToeplitz")
class LinearOperatorToeplitz(LinearOperator):
    """The operator of a matrix that is constant along its diagonals; products by Fourier transforms.

    col, row: [..., n], the first column and the first row, whose first elements are one.

    >>> tf.linalg.LinearOperatorToeplitz([1.0, 2.0], [1.0, 3.0]).to_dense().numpy().tolist()
    [[1.0, 3.0], [2.0, 1.0]]
    """

    _col, _row = Parameter(), Parameter()

    def __init__(
        self,
        col: Any,
        row: Any,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str = "LinearOperatorToeplitz",
    ) -> None:
        self._col, self._row = col, row
        for x, argument in ((self._col, "col"), (self._row, "row")):
            if x.dims is not None and not x.dims:
                raise ValueError(f"Argument `{argument}` must have at least 1 dimension. Found: []")
        sizes = [x.dims[-1] for x in (self._col, self._row) if x.dims is not None]
        if len(sizes) == 2 and None not in sizes and sizes[0] != sizes[1]:
            raise ValueError(f"Expected square matrix, got row and column sizes {sizes[1]} and {sizes[0]}.")
        if is_square is False:
            raise ValueError("Only square Toeplitz operators currently supported.")
        given = {"col": col, "row": row}
        super().__init__(self._row.dtype, None, is_non_singular, is_self_adjoint, is_positive_definite, True, name, given)

    @property
    def col(self) -> Tensor:
        """The first column."""
        return self._col

    @property
    def row(self) -> Tensor:
        """The first row."""
        return self._row

    def _dims(self) -> Dims:
        together = broadcast_dims(self._row.dims, self._col.dims)
        return None if together is None else (*together, together[-1])

    def _run_time_sizes(self) -> Any:
        return square_sizes(self._row + zeros_of(self._col))

    def _ring(self, adjoint: bool) -> Any:
        """The circle of which each row of the matrix is a stretch: the column, and the row backwards."""
        col, row = (conj(self._row), conj(self._col)) if adjoint else (self._col, self._row)
        zeros = zeros_of(row) + zeros_of(col)
        return concat([col + zeros, reverse(part(row + zeros, slice(1, None)), [-1])], -1)

    def _times(self, x: Any, adjoint: bool) -> Any:
        wide = {float32: complex64, float64: complex128}.get(self._dtype, self._dtype)
        if wide not in (complex64, complex128):
            return batch_matmul(self._dense(), x, adj_x=adjoint)
        ring = self._ring(adjoint)
        size = convert_to_tensor(shape_of(x, int32))[-2]
        pads = zeros_of(part(x, slice(1, None), slice(None)))
        columns = _swap_axes(concat([x, pads], -2))
        waves = FFT.call(_cast(columns, wide)) * expand_dims(FFT.call(_cast(ring, wide)), -2)
        found = _swap_axes(IFFT.call(waves))
        found = part(found, slice(None, size), slice(None))
        return found if self._dtype.is_complex else REAL_PART.call(found)

    def _dense(self) -> Any:
        size = self.columns
        if size is None:
            raise ValueError("a Toeplitz matrix is written down only where its size is known")
        places = np.arange(size)[:, None] - np.arange(size)[None, :]
        return gather(self._ring(False), np.where(places >= 0, places, 2 * size - 1 + places).astype(np.int32), axis=-1)

    def _diagonal(self) -> Any:
        zeros = zeros_of(self._row) + zeros_of(self._col)
        return part(self._col, slice(0, 1)) + zeros

    def _trace(self) -> Any:
        return reduce_sum(self._diagonal(), [-1])


def _swap_axes(x: Any) -> Any:
    rank = len(x.dims)
    return TRANSPOSE.call(x, np.array([*range(rank - 2), rank - 1, rank - 2], np.int32))


def _cast(x: Any, dtype: Any) -> Any:
    return x if x.dtype is dtype else CAST.call(x, DstT=dtype)


@export("linalg.LinearOperatorHouseholder")
class LinearOperatorHouseholder(LinearOperator):
    """The reflection at the plane orthogonal to a vector, x - 2 v (v^H x) / (v^H v).

    reflection_axis: [..., n], of any length but 0.  Hints that deny what a reflection is are a ValueError.

    >>> tf.linalg.LinearOperatorHouseholder([0.0, 2.0]).matvec([3.0, 4.0]).numpy().tolist()
    [3.0, -4.0]
    """

    _axis = Parameter()

    def __init__(
        self,
        reflection_axis: Any,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str = "LinearOperatorHouseholder",
    ) -> None:
        self._axis = reflection_axis
        if self._axis.dtype not in FLOAT_OR_COMPLEX:
            raise TypeError(f"Argument `reflection_axis` must have a floating or complex dtype, found {self._axis.dtype.name}")
        if self._axis.dims is not None and not self._axis.dims:
            raise ValueError("Argument reflection_axis must have at least 1 dimension. Found: []")
        if is_self_adjoint is False:
            raise ValueError("A Householder operator is always self adjoint.")
        if is_positive_definite is True:
            raise ValueError("A Householder operator is always non-positive definite.")
        if is_square is False:
            raise ValueError("A Householder operator is always square.")
        super().__init__(self._axis.dtype, None, is_non_singular, True, False, True, name, {"reflection_axis": reflection_axis})

    @property
    def reflection_axis(self) -> Tensor:
        """The vector."""
        return self._axis

    def _dims(self) -> Dims:
        dims = self._axis.dims
        return None if dims is None else (*dims, dims[-1])

    def _run_time_sizes(self) -> Any:
        return square_sizes(self._axis)

    def _times(self, x: Any, adjoint: bool) -> Any:
        v = expand_dims(self._axis, -1)
        squares = batch_matmul(v, v, adj_x=True)
        return x - (2.0 * v / squares) * batch_matmul(v, x, adj_x=True)

    def _solve_columns(self, rhs: Any, adjoint: bool) -> Any:
        return self._times(rhs, adjoint)

    def _inverse(self) -> LinearOperator:
        return self

    def _determinant(self) -> Any:
        return -_ones(self._sizes()[:-2], self._dtype)

    def _log_determinant(self) -> Any:
        return zeros_of(self._determinant())

    def _trace(self) -> Any:
        size = _cast(convert(self._sizes()[-1]), self._dtype)
        return (size - 2) * _ones(self._sizes()[:-2], self._dtype)

    def _condition(self) -> Any:
        return _ones(self._sizes()[:-2], self._dtype)

    def _eigenvalues(self) -> Any:
        ones = ones_of(self._axis)
        return concat([-part(ones, slice(0, 1)), part(ones, slice(1, None))], -1)


@export("linalg.LinearOperatorPermutation")
class LinearOperatorPermutation(LinearOperator):
    """The operator that puts element perm[i] in place i.

    perm: [..., n], int32 or int64, the numbers 0 to n - 1 in some order.  dtype: of what it is applied to.

    >>> tf.linalg.LinearOperatorPermutation([2, 0, 1]).matvec([1.0, 2.0, 3.0]).numpy().tolist()
    [3.0, 1.0, 2.0]
    """

    def __init__(
        self,
        perm: Any,
        dtype: Any = float32,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str = "LinearOperatorPermutation",
    ) -> None:
        self._perm = convert(perm)
        if self._perm.dtype not in INDEX:
            raise TypeError(f"Argument `perm` must be an integer vector, found {self._perm.dtype.name}")
        if self._perm.dims is not None and not self._perm.dims:
            raise ValueError("Argument `perm` must have at least 1 dimension. Found: []")
        known = self._perm.constant
        if known is not None and known.dtype != object and (np.sort(known, -1) != np.arange(known.shape[-1])).any():
            raise ValueError(f"Argument `perm` must be a vector of unique integers from 0 to {known.shape[-1] - 1}.")
        if is_non_singular is False:
            raise ValueError("A Permutation operator is always non-singular.")
        if is_square is False:
            raise ValueError("A Permutation operator is always square.")
        given = {"perm": perm, "dtype": dtype}
        super().__init__(as_dtype(dtype), None, is_non_singular, is_self_adjoint, is_positive_definite, True, name, given)

    @property
    def perm(self) -> Tensor:
        """The order."""
        return self._perm

    def _dims(self) -> Dims:
        dims = self._perm.dims
        return None if dims is None else (*dims, dims[-1])

    def _run_time_sizes(self) -> Any:
        return square_sizes(self._perm)

    def _times(self, x: Any, adjoint: bool) -> Any:
        order = argsort(self._perm, axis=-1) if adjoint else self._perm
        if order.dims is None:
            raise ValueError(f"perm must have a known rank, its shape is {show_dims(order.dims)}")
        if len(order.dims) == 1:
            return gather(x, order, axis=-2)
        column = expand_dims(order, -1)
        batch = common_batch(column, x)
        x, order = broadcast_batch(x, batch), part(broadcast_batch(column, batch), 0)
        count = len(order.dims) - 1
        return gather(x, order, axis=np.int32(count), batch_dims=count)

    def _solve_columns(self, rhs: Any, adjoint: bool) -> Any:
        return self._times(rhs, not adjoint)

    def _dense(self) -> Any:
        size = self._sizes()[-1]
        return ONE_HOT(self._perm, size, np.ones((), self._dtype.numpy_dtype), np.zeros((), self._dtype.numpy_dtype), axis=-1)

    def _log_determinant(self) -> Any:
        return fill(self._sizes()[:-2], np.zeros((), self._dtype.numpy_dtype))

    def _condition(self) -> Any:
        return _ones(self._sizes()[:-2], self._dtype)
