"""Operators that are diagonal: of a vector, of a number, the identity, and zeros."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.dtypes import FLOAT_OR_COMPLEX, as_dtype, float32
from ...base.export import export
from ...ir.tensor import Dims, Tensor
from ...ops.array.basic import fill, ones_of, reshape, shape, zeros_of
from ...ops.array.shape import expand_dims
from ...ops.linalg.diag import diag
from ...ops.math.arithmetic import ABS, conj
from ...ops.math.complex import COMPLEX_ABS
from ...ops.math.functions import log, sqrt
from ...ops.primitives.cast import CAST
from ...ops.reduce.reductions import reduce_max, reduce_min, reduce_prod, reduce_sum
from .facts import Parameter, convert
from .operator import LinearOperator, add_diagonal
from .solving import join_sizes, square_sizes


def size_of(x: Tensor) -> Tensor:
    """The absolute value, real."""
    return COMPLEX_ABS.call(x) if x.dtype.is_complex else ABS.call(x)


def _cast_to(x: Any, dtype: Any) -> Any:
    return x if x.dtype is dtype else CAST.call(x, DstT=dtype)


@export("linalg.LinearOperatorDiag")
class LinearOperatorDiag(LinearOperator):
    """The operator of a diagonal matrix.

    diag: [..., n], floating or complex.  A real one is self-adjoint; hints that say otherwise are a ValueError.

    >>> tf.linalg.LinearOperatorDiag([2.0, 4.0]).inverse().to_dense().numpy().tolist()
    [[0.5, 0.0], [0.0, 0.25]]
    """

    _diag = Parameter()

    def __init__(
        self,
        diag: Any,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str = "LinearOperatorDiag",
    ) -> None:
        self._diag = diag
        if self._diag.dtype not in FLOAT_OR_COMPLEX:
            raise TypeError(f"Argument `diag` must have a floating or complex dtype, found {self._diag.dtype.name}")
        if self._diag.dims is not None and not self._diag.dims:
            raise ValueError("Argument `diag` must have at least 1 dimension. Found: []")
        if not self._diag.dtype.is_complex:
            if is_self_adjoint is False:
                raise ValueError("A real diagonal operator is always self adjoint.")
            is_self_adjoint = True
        if is_square is False:
            raise ValueError("Only square diagonal operators currently supported.")
        super().__init__(self._diag.dtype, None, is_non_singular, is_self_adjoint, is_positive_definite, True, name, {"diag": diag})

    @property
    def diag(self) -> Tensor:
        """The diagonal."""
        return self._diag

    def _dims(self) -> Dims:
        dims = self._diag.dims
        return None if dims is None else (*dims, dims[-1])

    def _run_time_sizes(self) -> Any:
        return square_sizes(self._diag)

    def _entries(self, adjoint: bool) -> Any:
        return expand_dims(conj(self._diag) if adjoint else self._diag, -1)

    def _times(self, x: Any, adjoint: bool) -> Any:
        return self._entries(adjoint) * x

    def _solve_columns(self, rhs: Any, adjoint: bool) -> Any:
        return rhs / self._entries(adjoint)

    def _dense(self) -> Any:
        return diag(self._diag)

    def _diagonal(self) -> Any:
        return self._diag

    def _determinant(self) -> Any:
        return reduce_prod(self._diag, [-1])

    def _log_determinant(self) -> Any:
        return _cast_to(reduce_sum(log(size_of(self._diag)), [-1]), self._dtype)

    def _eigenvalues(self) -> Any:
        return self._diag

    def _condition(self) -> Any:
        sizes = size_of(self._diag)
        return _cast_to(reduce_max(sizes, [-1]) / reduce_min(sizes, [-1]), self._dtype)

    def _add_matrix(self, x: Any) -> Any:
        return add_diagonal(x, self._diag)

    def _kin(self, entries: Any, **hints: Any) -> LinearOperator:
        kept = {"is_non_singular": self.is_non_singular, "is_self_adjoint": self.is_self_adjoint}
        return LinearOperatorDiag(entries, **{**kept, "is_positive_definite": self.is_positive_definite, **hints})

    def _adjoint(self) -> LinearOperator:
        return self._kin(conj(self._diag))

    def _inverse(self) -> LinearOperator:
        return self._kin(ones_of(self._diag) / self._diag, is_non_singular=True)

    def _cholesky(self) -> LinearOperator:
        return LinearOperatorDiag(sqrt(self._diag), is_self_adjoint=True, is_positive_definite=True)


def static_size(x: object) -> int | None:
    """A number of rows that may be a tensor, where it is known."""
    if isinstance(x, (int, np.integer)):
        return int(x)
    known = convert(x).constant
    return None if known is None or known.dtype == object else int(known)


def static_shape(x: object) -> Dims:
    """A batch shape that may be a tensor, where it is known; () for None."""
    if x is None:
        return ()
    known = np.asarray(x) if not hasattr(x, "constant") else x.constant
    return None if known is None else tuple(None if n is None else int(n) for n in known.tolist())


class Sized(LinearOperator):
    """What the operators that are given their size have in common."""

    _rows: Any
    _columns: Any
    _batch: Any

    def _size_given(self, rows: Any, columns: Any, batch: Any) -> None:
        self._rows, self._columns, self._batch = rows, columns, batch
        if (known := static_size(rows)) is not None and known < 0:
            raise ValueError(f"num_rows must be non-negative, got {known}")

    def _batch_dims(self) -> Dims:
        return static_shape(self._batch)

    def _dims(self) -> Dims:
        batch = self._batch_dims()
        return None if batch is None else (*batch, static_size(self._rows), static_size(self._columns))

    def _run_time_sizes(self) -> Any:
        ends = [reshape(convert(n), [1]) if hasattr(n, "uid") else np.array([n], np.int32) for n in (self._rows, self._columns)]
        return join_sizes(self._batch_sizes(), *ends)

    def _batch_sizes(self) -> Any:
        if self._batch is None:
            return np.zeros(0, np.int32)
        return self._batch if hasattr(self._batch, "uid") else np.asarray(self._batch, np.int32)


@export("linalg.LinearOperatorIdentity")
class LinearOperatorIdentity(Sized):
    """The identity, [..., num_rows, num_rows].

    batch_shape: of as many equal matrices; None is one.  dtype: float32 by default.  Hints that deny what an identity is are a ValueError.

    >>> tf.linalg.LinearOperatorIdentity(2).to_dense().numpy().tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """

    def __init__(
        self,
        num_rows: Any,
        batch_shape: Any = None,
        dtype: Any = None,
        is_non_singular: bool | None = True,
        is_self_adjoint: bool | None = True,
        is_positive_definite: bool | None = True,
        is_square: bool | None = True,
        assert_proper_shapes: bool = False,
        name: str = "LinearOperatorIdentity",
    ) -> None:
        for hint, what in (
            (is_self_adjoint, "self adjoint"),
            (is_non_singular, "non-singular"),
            (is_positive_definite, "positive-definite"),
            (is_square, "square"),
        ):
            if not hint:
                raise ValueError(f"An identity operator is always {what}.")
        given = {"num_rows": num_rows, "batch_shape": batch_shape, "dtype": dtype}
        super().__init__(as_dtype(dtype or float32), None, True, True, True, True, name, given)
        self._size_given(num_rows, num_rows, batch_shape)

    def _ones(self) -> Any:
        return fill(self._sizes()[:-1], np.ones((), self._dtype.numpy_dtype))

    def _times(self, x: Any, adjoint: bool) -> Any:
        return x if self._batch is None else x + fill(join_sizes(self._batch_sizes(), [1, 1]), np.zeros((), self._dtype.numpy_dtype))

    def _solve_columns(self, rhs: Any, adjoint: bool) -> Any:
        return self._times(rhs, adjoint)

    def _dense(self) -> Any:
        return diag(self._ones())

    def _diagonal(self) -> Any:
        return self._ones()

    def _determinant(self) -> Any:
        return fill(self._batch_sizes(), np.ones((), self._dtype.numpy_dtype))

    def _log_determinant(self) -> Any:
        return fill(self._batch_sizes(), np.zeros((), self._dtype.numpy_dtype))

    def _condition(self) -> Any:
        return self._determinant()

    def _eigenvalues(self) -> Any:
        return self._ones()

    def _add_matrix(self, x: Any) -> Any:
        return add_diagonal(x, self._ones())

    def _inverse(self) -> LinearOperator:
        return self

    def _cholesky(self) -> LinearOperator:
        return self


@export("linalg.LinearOperatorScaledIdentity")
class LinearOperatorScaledIdentity(Sized):
    """The identity times a number for each matrix of the batch.

    multiplier: [...], floating or complex.  Hints as for `LinearOperatorDiag`.

    >>> tf.linalg.LinearOperatorScaledIdentity(2, 3.0).determinant().numpy().item()
    9.0
    """

    _multiplier = Parameter()

    def __init__(
        self,
        num_rows: Any,
        multiplier: Any,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = True,
        assert_proper_shapes: bool = False,
        name: str = "LinearOperatorScaledIdentity",
    ) -> None:
        self._multiplier = multiplier
        if not self._multiplier.dtype.is_complex:
            if is_self_adjoint is False:
                raise ValueError("A real diagonal operator is always self adjoint.")
            is_self_adjoint = True
        if not is_square:
            raise ValueError("A ScaledIdentity operator is always square.")
        given = {"num_rows": num_rows, "multiplier": multiplier}
        super().__init__(self._multiplier.dtype, None, is_non_singular, is_self_adjoint, is_positive_definite, True, name, given)
        self._size_given(num_rows, num_rows, None)

    @property
    def multiplier(self) -> Tensor:
        """The numbers."""
        return self._multiplier

    def _batch_dims(self) -> Dims:
        return self._multiplier.dims

    def _batch_sizes(self) -> Any:
        dims = self._multiplier.dims
        return np.array(dims, np.int32) if dims is not None and None not in dims else shape(self._multiplier)

    def _factor(self, adjoint: bool) -> Any:
        x = conj(self._multiplier) if adjoint else self._multiplier
        return expand_dims(expand_dims(x, -1), -1)

    def _times(self, x: Any, adjoint: bool) -> Any:
        return self._factor(adjoint) * x

    def _solve_columns(self, rhs: Any, adjoint: bool) -> Any:
        return rhs / self._factor(adjoint)

    def _diagonal(self) -> Any:
        spread = fill(self._sizes()[:-1], np.ones((), self._dtype.numpy_dtype))
        return expand_dims(self._multiplier, -1) * spread

    def _dense(self) -> Any:
        return diag(self._diagonal())

    def _power(self) -> Any:
        rows = static_size(self._rows)
        return convert(np.asarray(rows, self._dtype.numpy_dtype)) if rows is not None else CAST.call(convert(self._rows), DstT=self._dtype)

    def _trace(self) -> Any:
        return self._multiplier * self._power()

    def _determinant(self) -> Any:
        return self._multiplier ** self._power()

    def _log_determinant(self) -> Any:
        return self._power() * _cast_to(log(size_of(self._multiplier)), self._dtype)

    def _condition(self) -> Any:
        return ones_of(self._multiplier) if static_size(self._rows) != 0 else zeros_of(self._multiplier)

    def _eigenvalues(self) -> Any:
        return self._diagonal()

    def _add_matrix(self, x: Any) -> Any:
        return add_diagonal(x, expand_dims(self._multiplier, -1))

    def _kin(self, multiplier: Any, **hints: Any) -> LinearOperator:
        kept = {"is_non_singular": self.is_non_singular, "is_self_adjoint": self.is_self_adjoint}
        hints = {**kept, "is_positive_definite": self.is_positive_definite, **hints}
        return LinearOperatorScaledIdentity(self._rows, multiplier, **hints)

    def _adjoint(self) -> LinearOperator:
        return self._kin(conj(self._multiplier))

    def _inverse(self) -> LinearOperator:
        return self._kin(ones_of(self._multiplier) / self._multiplier, is_non_singular=True)

    def _cholesky(self) -> LinearOperator:
        return self._kin(sqrt(self._multiplier), is_self_adjoint=True)
