"""Operators made of operators: products, adjoints, inverses, Kronecker products; and how two operators make one.

Where two kinds know each other (diagonal, identity, circulant, triangular, blocks) the result is of such a kind too; else it is the
product itself, kept as its factors.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...base.export import export
from ...ir.tensor import Dims
from ...ops.array.basic import TRANSPOSE
from ...ops.array.shape import expand_dims
from ...ops.families import broadcast_dims
from ...ops.linalg.factor import cholesky as cholesky_factor
from ...ops.math.arithmetic import conj
from ...ops.primitives.cast import CAST
from . import hints
from .circulant import _Circulant
from .dense import LinearOperatorLowerTriangular
from .diagonal import LinearOperatorDiag, LinearOperatorIdentity, LinearOperatorScaledIdentity
from .facts import convert
from .operator import LinearOperator
from .solving import common_sizes, join_sizes
from .zeros import LinearOperatorZeros


@export("linalg.LinearOperatorAdjoint")
class LinearOperatorAdjoint(LinearOperator):
    """The conjugate transpose of an operator; its hints are the operator's, and contradictions a ValueError.

    >>> tf.linalg.LinearOperatorAdjoint(tf.linalg.LinearOperatorFullMatrix([[1.0, 2.0]])).to_dense().numpy().tolist()
    [[1.0], [2.0]]
    """

    def __init__(
        self,
        operator: LinearOperator,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str | None = None,
    ) -> None:
        self._operator = operator
        words = "An operator is {0} if and only if its adjoint is {0}."
        super().__init__(
            operator.dtype, None,
            *hints.share_all(operator, words, is_non_singular, is_self_adjoint, is_positive_definite, is_square),
            name or f"{operator.name}_adjoint", {"operator": operator},
        )  # fmt: skip

    @property
    def operator(self) -> LinearOperator:
        """The operator whose adjoint this is."""
        return self._operator

    def _dims(self) -> Dims:
        dims = self._operator._dims()
        return None if dims is None else (*dims[:-2], dims[-1], dims[-2])

    def _run_time_sizes(self) -> Any:
        sizes = self._operator._sizes()
        return join_sizes(sizes[:-2], sizes[-1:], sizes[-2:-1])

    def _times(self, x: Any, adjoint: bool) -> Any:
        return self._operator._times(x, not adjoint)

    def _solve_columns(self, rhs: Any, adjoint: bool) -> Any:
        return self._operator._solve_columns(rhs, not adjoint)

    def _dense(self) -> Any:
        from_rows = self._operator._dense()
        return conj(_swap_axes(from_rows))

    def _diagonal(self) -> Any:
        return conj(self._operator._diagonal())

    def _determinant(self) -> Any:
        return conj(self._operator._determinant())

    def _log_determinant(self) -> Any:
        return self._operator._log_determinant()

    def _adjoint(self) -> LinearOperator:
        return self._operator


def _swap_axes(x: Any) -> Any:
    from_last = len(x.dims)
    order = [*range(from_last - 2), from_last - 1, from_last - 2]
    return TRANSPOSE.call(x, convert(order))


@export("linalg.LinearOperatorInversion")
class LinearOperatorInversion(LinearOperator):
    """The inverse of a square, non-singular operator; its hints are the operator's, and contradictions a ValueError.

    >>> tf.linalg.LinearOperatorInversion(tf.linalg.LinearOperatorDiag([2.0, 4.0])).matvec([2.0, 4.0]).numpy().tolist()
    [1.0, 1.0]
    """

    def __init__(
        self,
        operator: LinearOperator,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str | None = None,
    ) -> None:
        for hint in ("is_non_singular", "is_square"):
            if getattr(operator, hint) is False or {"is_non_singular": is_non_singular, "is_square": is_square}[hint] is False:
                raise ValueError(f"Argument `{hint}` or argument `operator` must have supplied hint `{hint}` equal to `True` or `None`.")
        self._operator = operator
        words = "An operator is {0} if and only if its inverse is {0}."
        super().__init__(
            operator.dtype, None,
            *hints.share_all(operator, words, is_non_singular, is_self_adjoint, is_positive_definite, is_square),
            name or f"{operator.name}_inv", {"operator": operator},
        )  # fmt: skip

    @property
    def operator(self) -> LinearOperator:
        """The operator whose inverse this is."""
        return self._operator

    def _dims(self) -> Dims:
        return self._operator._dims()

    def _run_time_sizes(self) -> Any:
        return self._operator._sizes()

    def _times(self, x: Any, adjoint: bool) -> Any:
        return self._operator._solve_columns(x, adjoint)

    def _solve_columns(self, rhs: Any, adjoint: bool) -> Any:
        return self._operator._times(rhs, adjoint)

    def _determinant(self) -> Any:
        return 1.0 / self._operator._determinant()

    def _log_determinant(self) -> Any:
        return -self._operator._log_determinant()

    def _eigenvalues(self) -> Any:
        return 1.0 / self._operator._eigenvalues()

    def _condition(self) -> Any:
        return self._operator._condition()

    def _inverse(self) -> LinearOperator:
        return self._operator


@export("linalg.LinearOperatorComposition")
class LinearOperatorComposition(LinearOperator):
    """The product of operators, kept as its factors.

    operators: of one dtype (else TypeError), the leftmost first; ValueError for none, and for hints that the factors deny.

    >>> matrix = tf.linalg.LinearOperatorFullMatrix([[1.0, 2.0], [3.0, 4.0]])
    >>> tf.linalg.LinearOperatorComposition([matrix, matrix]).to_dense().numpy().tolist()
    [[7.0, 10.0], [15.0, 22.0]]
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
        regular = all(o.is_non_singular for o in self._operators)
        is_non_singular = hints.imply_hint(is_non_singular, regular, "The composition of non-singular operators is always non-singular.")
        mirrored = self._is_mirrored()
        alone = len(self._operators) == 1 and bool(self._operators[0].is_self_adjoint)
        is_self_adjoint = hints.imply_hint(is_self_adjoint, mirrored or alone, "The composition was determined to be self-adjoint.")
        is_square = hints.imply_hint(is_square, mirrored, "The composition was determined have the form A @ A.H, hence it must be square.")
        is_positive_definite = hints.imply_hint(
            is_positive_definite, mirrored and bool(is_non_singular), "The composition has the form A @ A.H, and is positive-definite."
        )
        super().__init__(
            self._operators[0].dtype, None, is_non_singular, is_self_adjoint, is_positive_definite, is_square,
            name or "_o_".join(o.name for o in self._operators), {"operators": operators},
        )  # fmt: skip

    def _is_mirrored(self) -> bool:
        """Whether the factors are A ... B B^H ... A^H."""
        count = len(self._operators)
        if count % 2:
            return False
        pairs = zip(self._operators[: count // 2], reversed(self._operators[count // 2 :]), strict=True)
        return all(isinstance(right, LinearOperatorAdjoint) and right.operator is left for left, right in pairs)

    @property
    def operators(self) -> list[LinearOperator]:
        """The factors."""
        return self._operators

    def _dims(self) -> Dims:
        together: Any = ()
        for operator in self._operators:
            dims = operator._dims()
            together = broadcast_dims(together, None if dims is None else dims[:-2])
        if together is None:
            return None
        return (*together, self._operators[0].rows, self._operators[-1].columns)

    def _run_time_sizes(self) -> Any:
        sizes = [o._sizes() for o in self._operators]
        return join_sizes(common_sizes([s[:-2] for s in sizes]), sizes[0][-2:-1], sizes[-1][-1:])

    def _times(self, x: Any, adjoint: bool) -> Any:
        for operator in self._operators if adjoint else reversed(self._operators):
            x = operator._times(x, adjoint)
        return x

    def _solve_columns(self, rhs: Any, adjoint: bool) -> Any:
        for operator in reversed(self._operators) if adjoint else self._operators:
            rhs = operator._solve_columns(rhs, adjoint)
        return rhs

    def _determinant(self) -> Any:
        if any(o.is_square is False for o in self._operators):
            return super()._determinant()
        found = self._operators[0]._determinant()
        for operator in self._operators[1:]:
            found = found * operator._determinant()
        return found

    def _log_determinant(self) -> Any:
        if any(o.is_square is False for o in self._operators):
            return super()._log_determinant()
        found = self._operators[0]._log_determinant()
        for operator in self._operators[1:]:
            found = found + operator._log_determinant()
        return found

    def _cholesky(self) -> LinearOperator:
        if len(self._operators) == 2 and self._is_mirrored() and isinstance(self._operators[0], LinearOperatorLowerTriangular):
            return self._operators[0]
        return super()._cholesky()


# ---- two operators as one


def _product(left: LinearOperator, right: LinearOperator) -> LinearOperator:
    found = _known_product(left, right)
    if found is not None:
        return found
    square = True if left.is_square and right.is_square else None
    dims = (left.rows, right.columns)
    if None not in dims:
        square = dims[0] == dims[1]
    flags: Any = (None, None, None) if square is not False else (False, False, False)
    regular = hints.are_regular(left, right) if square else flags[0]
    return LinearOperatorComposition([left, right], regular, flags[1], flags[2], square)


def _known_product(left: LinearOperator, right: LinearOperator) -> LinearOperator | None:
    """The product of kinds that know each other."""
    if isinstance(left, LinearOperatorIdentity):
        return right
    if isinstance(right, LinearOperatorIdentity):
        return left
    for zero, other in ((left, right), (right, left)):
        if isinstance(zero, LinearOperatorZeros):
            if not zero.is_square or not other.is_square:
                raise ValueError("Matmul with non-square `LinearOperator`s or non-square `LinearOperatorZeros` not supported at this time.")
            return zero
    if (isinstance(left, LinearOperatorInversion) and left.operator is right) or (
        isinstance(right, LinearOperatorInversion) and right.operator is left
    ):
        sizes = left._sizes()
        return LinearOperatorIdentity(sizes[-1], sizes[:-2] if left.batch_shape.rank else None, left.dtype)
    flags: Any = {
        "is_non_singular": hints.are_regular(left, right), "is_self_adjoint": hints.are_self_adjoint(left, right),
        "is_positive_definite": hints.are_positive(left, right),
    }  # fmt: skip
    if isinstance(left, _Circulant) and type(left) is type(right):
        return type(left)(left.spectrum * right.spectrum, input_output_dtype=left.dtype, **flags)
    if isinstance(left, LinearOperatorScaledIdentity) and isinstance(right, LinearOperatorScaledIdentity):
        return LinearOperatorScaledIdentity(left._rows, left.multiplier * right.multiplier, **flags)
    if isinstance(left, LinearOperatorScaledIdentity) and isinstance(right, _Circulant):
        return _scale_ring(right, left, flags)
    if isinstance(right, LinearOperatorScaledIdentity) and isinstance(left, _Circulant):
        return _scale_ring(left, right, flags)
    a, b = _entries(left), _entries(right)
    if a is not None and b is not None:
        return LinearOperatorDiag(a * b, **flags)
    flags = {"is_non_singular": flags["is_non_singular"]}
    if a is not None and isinstance(right, LinearOperatorLowerTriangular):
        return LinearOperatorLowerTriangular(expand_dims(a, -1) * right._dense(), **flags)
    if b is not None and isinstance(left, LinearOperatorLowerTriangular):
        return LinearOperatorLowerTriangular(left._dense() * expand_dims(b, -2), **flags)
    if isinstance(left, LinearOperatorLowerTriangular) and isinstance(right, LinearOperatorLowerTriangular):
        return LinearOperatorLowerTriangular(left._times(right._dense(), False), **flags)
    return None


def _scale_ring(ring: _Circulant, scale: LinearOperatorScaledIdentity, flags: dict[str, Any]) -> LinearOperator:
    factor = scale.multiplier if scale.dtype is ring.spectrum.dtype else CAST.call(scale.multiplier, DstT=ring.spectrum.dtype)
    for _ in range(ring.block_depth):
        factor = expand_dims(factor, -1)
    return type(ring)(ring.spectrum * factor, input_output_dtype=ring.dtype, **flags)


def _entries(operator: LinearOperator) -> Any:
    """The diagonal of an operator that is one, or a number for it; None for others."""
    if isinstance(operator, LinearOperatorDiag):
        return operator.diag
    return expand_dims(operator.multiplier, -1) if isinstance(operator, LinearOperatorScaledIdentity) else None


def _solution(left: LinearOperator, right: LinearOperator) -> LinearOperator:
    if left is right:
        sizes = left._sizes()
        return LinearOperatorIdentity(sizes[-1], sizes[:-2] if left.batch_shape.rank else None, left.dtype)
    return _product(left.inverse(), right)


def _define_kin(kind: Any) -> Any:
    def make(operator: LinearOperator) -> LinearOperator:
        return kind(
            operator, operator.is_non_singular, operator.is_self_adjoint, operator.is_positive_definite, operator.is_square
        )

    return make


def _factor(operator: LinearOperator) -> LinearOperator:
    return LinearOperatorLowerTriangular(cholesky_factor(operator._dense()), is_non_singular=True, is_self_adjoint=False, is_square=True)


LinearOperator.combine.update(
    matmul=_product,
    solve=_solution,
    adjoint=_define_kin(LinearOperatorAdjoint),
    inverse=_define_kin(LinearOperatorInversion),
    cholesky=_factor,
)

