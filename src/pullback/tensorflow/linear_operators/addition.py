"""Sums of linear operators, each of the simplest kind that holds it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...ir.context import scope
from ...ops.array.create import ones
from .dense import LinearOperatorFullMatrix, LinearOperatorLowerTriangular
from .diagonal import LinearOperatorDiag, LinearOperatorIdentity, LinearOperatorScaledIdentity
from .operator import LinearOperator

_Sum = Callable[..., LinearOperator]


def _multiplier(operator: Any) -> Any:
    if isinstance(operator, LinearOperatorScaledIdentity):
        return operator.multiplier
    return ones(operator.batch_shape_tensor(), operator.dtype)


def _add_identities(left: Any, right: Any, **hints: Any) -> LinearOperator:
    size = left.range_dimension.value
    rows = left.range_dimension_tensor() if size is None else size
    return LinearOperatorScaledIdentity(rows, _multiplier(left) + _multiplier(right), **hints)


def _add_diagonals(left: Any, right: Any, **hints: Any) -> LinearOperator:
    return LinearOperatorDiag(left.diag_part() + right.diag_part(), **hints)


def _add_triangles(left: Any, right: Any, **hints: Any) -> LinearOperator:
    return LinearOperatorLowerTriangular(left.to_dense() + right.to_dense(), **hints)


def _add_matrices(left: Any, right: Any, **hints: Any) -> LinearOperator:
    return LinearOperatorFullMatrix(left.to_dense() + right.to_dense(), **hints)


#: From the simplest kind of sum: the classes that a tier takes beside those before it, and how it adds two of them.
_TIERS: tuple[tuple[tuple[type, ...], _Sum], ...] = (
    ((LinearOperatorIdentity, LinearOperatorScaledIdentity), _add_identities),
    ((LinearOperatorDiag,), _add_diagonals),
    ((LinearOperatorLowerTriangular,), _add_triangles),
    ((LinearOperatorFullMatrix,), _add_matrices),
)


def _hints(left: LinearOperator, right: LinearOperator) -> dict[str, Any]:
    positive = True if left.is_positive_definite and right.is_positive_definite else None
    adjoint = True if left.is_self_adjoint and right.is_self_adjoint else None
    return {"is_non_singular": positive, "is_self_adjoint": adjoint, "is_positive_definite": positive}


def _check(operators: list[LinearOperator]) -> None:
    if not operators:
        raise ValueError("Argument `operators` must contain at least one operator. Received: [].")
    if not all(isinstance(operator, LinearOperator) for operator in operators):
        raise TypeError(f"Argument `operators` must contain only LinearOperator instances. Received: {operators}.")
    for what in ("range_dimension", "domain_dimension"):
        sizes = [(operator.name, getattr(operator, what).value) for operator in operators]
        if len({size for _, size in sizes if size is not None}) > 1:
            raise ValueError(f"All `operators` must have the same `{what}`. Received: {sizes}.")
    kinds = tuple(kind for taken, _ in _TIERS for kind in taken)
    for operator in operators if len(operators) > 1 else []:
        if not isinstance(operator, kinds):
            names = ", ".join(kind.__name__ for kind in kinds)
            raise TypeError(f"add_operators adds {names}, not {operator!r}; add matrices from to_dense() instead.")


def add_operators(
    operators: Sequence[LinearOperator], operator_name: str | None = None, *, name: str | None = None
) -> list[LinearOperator]:
    """The sum of `operators` as a list of one operator: a scaled identity, diagonal, triangle or matrix, the first that holds it.

    operator_name: the name of the sum; made of the names of the parts when None.

    Raises:
        TypeError: an operator of another kind.
        ValueError: no operators, or such of other sizes.

    >>> add_operators([tf.linalg.LinearOperatorIdentity(2), tf.linalg.LinearOperatorDiag([1.0, 2.0])])[0].diag_part().numpy().tolist()
    [2.0, 3.0]
    """
    left = list(operators)
    _check(left)
    taken: tuple[type, ...] = ()
    with scope(name, "add_operators"):
        for kinds, add in _TIERS:
            taken += kinds
            left = _add_tier(left, taken, add, operator_name)
    return left


def _add_tier(operators: list[LinearOperator], kinds: tuple[type, ...], add: _Sum, name: str | None) -> list[LinearOperator]:
    fitting = [operator for operator in operators if isinstance(operator, kinds)]
    if len(fitting) < 2:
        return operators[::-1]
    total, *others = fitting
    for other in others:
        total = add(total, other, **_hints(total, other), name=name or f"Add/{total.name}__{other.name}/")
    return [total, *(operator for operator in operators if not isinstance(operator, kinds))][::-1]
