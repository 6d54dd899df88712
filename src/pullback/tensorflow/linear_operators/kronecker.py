"""Kronecker products of operators, and operators plus a product of few columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np

from ...base.export import export
from ...ir.tensor import Dims, Tensor
from ...ops.array.basic import TRANSPOSE, ones_of, reshape, shape_of
from ...ops.array.shape import expand_dims
from ...ops.families import broadcast_dims
from ...ops.linalg.diag import diag_part, set_diag
from ...ops.linalg.factor import cholesky, cholesky_solve, det, slogdet
from ...ops.linalg.products import batch_matmul
from ...ops.math.arithmetic import conj
from ...ops.math.division import FLOOR_DIV
from ...ops.math.functions import log
from ...ops.primitives.cast import CAST
from ...ops.reduce.reductions import reduce_prod, reduce_sum
from . import hints
from .diagonal import size_of
from .facts import Parameter, convert
from .operator import LinearOperator
from .solving import common_sizes, join_sizes, solve_with_broadcast


def _batch_of(operators: Sequence[LinearOperator]) -> Dims:
    together: Any = ()
    for operator in operators:
        dims = operator._dims()
        together = broadcast_dims(together, None if dims is None else dims[:-2])
    return together


def _size(operator: LinearOperator, axis: int) -> Any:
    dims = operator._dims()
    if dims is not None and dims[axis] is not None:
        return np.array([dims[axis]], np.int32)
    return operator._sizes()[slice(axis, axis + 1 or None)]


@export("linalg.LinearOperatorKronecker")
class LinearOperatorKronecker(LinearOperator):
    """The Kronecker product of operators of one dtype: blocks a_ij B for each element of A.

    operators: one or more, else ValueError; TypeError for several dtypes.  Hints follow where all factors have them.

    >>> a, b = tf.linalg.LinearOperatorDiag([1.0, 2.0]), tf.linalg.LinearOperatorFullMatrix([[3.0]])
    >>> tf.linalg.LinearOperatorKronecker([a, b]).to_dense().numpy().tolist()
    [[3.0, 0.0], [0.0, 6.0]]
    """

    def __init__(
        self,
        operators: Sequence[LinearOperator],
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str | None = None,
    ) -> None:
        self._operators = list(operators)
        hints.one_dtype(self._operators)
        words = "The Kronecker product of {0} operators is always {0}."
        super().__init__(
            self._operators[0].dtype, None,
            *hints.imply_all(self._operators, words, is_non_singular, is_self_adjoint, is_positive_definite),
            is_square, name or "_x_".join(o.name for o in self._operators), {"operators": operators},
        )  # fmt: skip

    @property
    def operators(self) -> list[LinearOperator]:
        """The factors."""
        return self._operators

    def _dims(self) -> Dims:
        batch = _batch_of(self._operators)
        sizes = [[o.rows for o in self._operators], [o.columns for o in self._operators]]
        return None if batch is None else (*batch, *(None if None in some else prod(some) for some in sizes))  # type: ignore[arg-type]

    def _run_time_sizes(self) -> Any:
        sizes = [convert(o._sizes()) for o in self._operators]
        found = sizes[0][-2:]
        for s in sizes[1:]:
            found = found * s[-2:]
        return join_sizes(common_sizes([s[:-2] for s in sizes]), found)

    def _apply_factors(self, x: Any, axis: int, work: Callable[[LinearOperator, Any], Any]) -> Any:
        """Each factor to its own axis of the rows, the first factor first."""
        return _apply_factors(self._operators, x, axis, work)

    def _times(self, x: Any, adjoint: bool) -> Any:
        return self._apply_factors(x, -2 if adjoint else -1, lambda operator, columns: operator._times(columns, adjoint))

    def _solve_columns(self, rhs: Any, adjoint: bool) -> Any:
        if any(o.is_square is False for o in self._operators):
            return super()._solve_columns(rhs, adjoint)
        return self._apply_factors(rhs, -1, lambda operator, columns: operator._solve_columns(columns, adjoint))

    def _multiply_out(self, parts: Sequence[Any]) -> Any:
        """The Kronecker product of vectors."""
        found = parts[0]
        for part in parts[1:]:
            pairs = expand_dims(found, -1) * expand_dims(part, -2)
            found = reshape(pairs, join_sizes(shape_of(pairs)[:-2], [-1]))
        return found

    def _diagonal(self) -> Any:
        if any(o.is_square is False for o in self._operators):
            return super()._diagonal()
        return self._multiply_out([o._diagonal() for o in self._operators])

    def _eigenvalues(self) -> Any:
        return self._multiply_out([o._eigenvalues() for o in self._operators])

    def _product(self, parts: Sequence[Any]) -> Any:
        found = parts[0]
        for part in parts[1:]:
            found = found * part
        return found

    def _trace(self) -> Any:
        if any(o.is_square is False for o in self._operators):
            return super()._trace()
        return self._product([o._trace() for o in self._operators])

    def _times_each(self, operator: LinearOperator) -> Any:
        """How often a factor's determinant counts: the product of the others' sizes."""
        if self.columns is not None and operator.columns:
            return np.array(self.columns // operator.columns, self._dtype.numpy_dtype)
        whole = reduce_prod(convert(join_sizes(*(_size(o, -1) for o in self._operators))))
        return CAST.call(FLOOR_DIV.call(whole, convert(_size(operator, -1))[0]), DstT=self._dtype)

    def _determinant(self) -> Any:
        if any(o.is_square is False for o in self._operators):
            return super()._determinant()
        return self._product([o._determinant() ** self._times_each(o) for o in self._operators])

    def _log_determinant(self) -> Any:
        if any(o.is_square is False for o in self._operators):
            return super()._log_determinant()
        total = None
        for operator in self._operators:
            term = operator._log_determinant() * self._times_each(operator)
            total = term if total is None else total + term
        return total

    def _kin(self, parts: Sequence[LinearOperator]) -> LinearOperator:
        flags = (self.is_non_singular, self.is_self_adjoint, self.is_positive_definite, self.is_square)
        return LinearOperatorKronecker(parts, *flags)

    def _adjoint(self) -> LinearOperator:
        return self._kin([o.adjoint() for o in self._operators])

    def _inverse(self) -> LinearOperator:
        if any(o.is_square is False or o.is_non_singular is False for o in self._operators):
            return super()._inverse()
        return self._kin([o.inverse() for o in self._operators])

    def _cholesky(self) -> LinearOperator:
        if not all(o._can_use_cholesky() for o in self._operators):
            return super()._cholesky()
        return LinearOperatorKronecker([o.cholesky() for o in self._operators], is_non_singular=True, is_self_adjoint=None, is_square=True)


def _apply_factors(operators: Sequence[LinearOperator], x: Any, axis: int, work: Callable[[LinearOperator, Any], Any]) -> Any:
    """The rows [..., n1 n2, k] as [..., n1, n2 k] for the first factor, then its rows apart and n2 for the others.

    axis: the axis of an operator whose size the rows of its argument have.
    """
    if len(operators) == 1:
        return work(operators[0], x)
    first, others = operators[0], operators[1:]
    columns = shape_of(x)[-1:]
    tall = reshape(x, join_sizes(shape_of(x)[:-2], _size(first, axis), [-1]))
    done = work(first, tall)
    rows = shape_of(done)[-2:-1]
    apart = reshape(done, join_sizes(shape_of(done)[:-1], [-1], columns))
    inner = _swap_axes(apart)
    wide = reshape(inner, join_sizes(shape_of(inner)[:-2], [-1]))
    rest = _apply_factors(others, wide, axis, work)
    back = _swap_axes(reshape(rest, join_sizes(shape_of(rest)[:-1], rows, columns)))
    return reshape(back, join_sizes(shape_of(back)[:-3], [-1], columns))


def _swap_axes(x: Any) -> Any:
    """The axes -3 and -2 exchanged."""
    rank = len(x.dims)
    return TRANSPOSE.call(x, np.array([*range(rank - 3), rank - 2, rank - 3, rank - 1], np.int32))


@export("linalg.LinearOperatorLowRankUpdate")
class LinearOperatorLowRankUpdate(LinearOperator):
    """L + U D V^H, for an operator L and few columns U and V: solved by Woodbury's formula.

    base_operator: L.  u: [..., m, k].  diag_update: D, [..., k], ones where None.  v: [..., n, k], U where None.  is_diag_update_positive:
    a hint for D.  Hints that these deny are a ValueError.

    >>> base = tf.linalg.LinearOperatorIdentity(2)
    >>> tf.linalg.LinearOperatorLowRankUpdate(base, [[1.0], [2.0]]).determinant().numpy().round(3).item()
    6.0
    """

    _u, _v, _d = Parameter(), Parameter(), Parameter()

    def __init__(
        self,
        base_operator: LinearOperator,
        u: Any,
        diag_update: Any = None,
        v: Any = None,
        is_diag_update_positive: bool | None = None,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str = "LinearOperatorLowRankUpdate",
    ) -> None:
        if diag_update is None:
            if is_diag_update_positive is False:
                raise ValueError("Default diagonal is the identity, which is positive.")
            is_diag_update_positive = True
        hermitian = bool(base_operator.is_self_adjoint) and v is None
        self._by_cholesky = bool(base_operator.is_positive_definite and hermitian and is_diag_update_positive)
        real = hermitian and not base_operator.dtype.is_complex
        is_self_adjoint = hints.imply_hint(is_self_adjoint, real, "A = L + UDU^H with L self-adjoint and D real is self-adjoint.")
        if self._by_cholesky:
            if is_positive_definite is False or is_self_adjoint is False or is_non_singular is False:
                raise ValueError("Arguments imply this is self-adjoint positive-definite operator.")
            is_positive_definite = is_self_adjoint = True
        self._base, self._u, self._positive = base_operator, u, is_diag_update_positive
        self._v, self._d = u if v is None else v, diag_update
        given = {"base_operator": base_operator, "u": u, "diag_update": diag_update, "v": v}
        super().__init__(base_operator.dtype, None, is_non_singular, is_self_adjoint, is_positive_definite, is_square, name, given)
        self._check_sizes()

    def _check_sizes(self) -> None:
        for x, size, what in ((self._u, self._base.rows, "u"), (self._v, self._base.columns, "v")):
            if x.dims is not None and None not in (x.dims[-2], size) and x.dims[-2] != size:
                raise ValueError(f"Argument `{what}` must have {size} rows, as the base operator asks, not {x.dims[-2]}")

    @property
    def base_operator(self) -> LinearOperator:
        """L."""
        return self._base

    @property
    def u(self) -> Tensor:
        """U."""
        return self._u

    @property
    def v(self) -> Tensor:
        """V."""
        return self._v

    @property
    def diag_update(self) -> Any:
        """The diagonal of D; None for the identity."""
        return self._d

    @property
    def is_diag_update_positive(self) -> bool | None:
        """The hint for D."""
        return self._positive

    def _dims(self) -> Dims:
        dims = self._base._dims()
        if dims is None:
            return None
        together: Any = dims[:-2]
        for x in (self._u, self._v, *(() if self._d is None else (expand_dims(self._d, -1),))):
            together = broadcast_dims(together, None if x.dims is None else x.dims[:-2])
        return None if together is None else (*together, *dims[-2:])

    def _scale_rows(self, x: Any, adjoint: bool) -> Any:
        if self._d is None:
            return x
        return expand_dims(conj(self._d) if adjoint else self._d, -1) * x

    def _sides(self, adjoint: bool) -> tuple[Any, Any]:
        return (self._v, self._u) if adjoint else (self._u, self._v)

    def _times(self, x: Any, adjoint: bool) -> Any:
        left, right = self._sides(adjoint)
        return self._base._times(x, adjoint) + batch_matmul(left, self._scale_rows(batch_matmul(right, x, adj_x=True), adjoint))

    def _dense(self) -> Any:
        return self._base._dense() + batch_matmul(self._u, self._scale_rows(_adjoint(self._v), False))

    def _capacitance(self, adjoint: bool) -> tuple[Any, Any]:
        """D^-1 + V^H L^-1 U, and L^-1 U."""
        left, right = self._sides(adjoint)
        solved = self._base._solve_columns(left, adjoint)
        inner = batch_matmul(right, solved, adj_x=True)
        if self._d is None:
            inverse = ones_of(diag_part(inner))
        else:
            inverse = 1.0 / (conj(self._d) if adjoint else self._d)
        return set_diag(inner, diag_part(inner) + inverse), solved

    def _solve_columns(self, rhs: Any, adjoint: bool) -> Any:
        capacitance, solved = self._capacitance(adjoint)
        _, right = self._sides(adjoint)
        half = self._base._solve_columns(rhs, adjoint)
        seen = batch_matmul(right, half, adj_x=True)
        if self._by_cholesky:
            inner = cholesky_solve(cholesky(capacitance), seen)
        else:
            inner = solve_with_broadcast(capacitance, seen)
        return half - batch_matmul(solved, inner)

    def _diagonal(self) -> Any:
        weights = self._u * conj(self._v)
        if self._d is not None:
            weights = weights * expand_dims(self._d, -2)
        return self._base._diagonal() + reduce_sum(weights, [-1])

    def _determinant(self) -> Any:
        found = det(self._capacitance(False)[0]) * self._base._determinant()
        return found if self._d is None else found * reduce_prod(self._d, [-1])

    def _log_determinant(self) -> Any:
        found = slogdet(self._capacitance(False)[0])[1] + self._base._log_determinant()
        if self._d is None:
            return found
        logs = reduce_sum(log(size_of(self._d)), [-1])
        return found + (CAST.call(logs, DstT=self._dtype) if self._dtype.is_complex else logs)


def _adjoint(x: Any) -> Any:
    rank = len(x.dims)
    return conj(TRANSPOSE.call(x, np.array([*range(rank - 2), rank - 1, rank - 2], np.int32)))
