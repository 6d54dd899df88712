"""What hints say of an operator made of operators."""

from __future__ import annotations

from collections.abc import Sequence

from .operator import LinearOperator


def imply_hint(hint: bool | None, of_all: bool, what: str) -> bool | None:
    """A hint that follows where all parts have it; a ValueError for one that denies it."""
    if not of_all:
        return hint
    if hint is False:
        raise ValueError(what)
    return True


def imply_all(
    operators: Sequence[LinearOperator],
    what: str,
    is_non_singular: bool | None,
    is_self_adjoint: bool | None,
    is_positive_definite: bool | None,
    positive: str = "positive-definite",
) -> tuple[bool | None, bool | None, bool | None]:
    """Hints of what has a property where all its parts have it; `what` says so, {0} standing for the property."""

    def imply_every(name: str, hint: bool | None, word: str) -> bool | None:
        return imply_hint(hint, all(getattr(o, name) for o in operators), what.format(word))

    return (
        imply_every("is_non_singular", is_non_singular, "non-singular"),
        imply_every("is_self_adjoint", is_self_adjoint, "self-adjoint"),
        imply_every("is_positive_definite", is_positive_definite, positive),
    )


def share_hint(operator: LinearOperator, name: str, hint: bool | None, what: str) -> bool | None:
    """A hint that the operator and what is made of it have in common; a ValueError where they differ."""
    own = getattr(operator, name)
    if hint is not None and own is not None and hint != own:
        raise ValueError(what)
    return own if hint is None else hint


def share_all(
    operator: LinearOperator,
    what: str,
    is_non_singular: bool | None,
    is_self_adjoint: bool | None,
    is_positive_definite: bool | None,
    is_square: bool | None,
) -> tuple[bool | None, bool | None, bool | None, bool | None]:
    """All four hints, in common with the operator; `what` says so, {0} standing for the property."""
    return (
        share_hint(operator, "is_non_singular", is_non_singular, what.format("non-singular")),
        share_hint(operator, "is_self_adjoint", is_self_adjoint, what.format("self-adjoint")),
        share_hint(operator, "is_positive_definite", is_positive_definite, what.format("positive-definite")),
        share_hint(operator, "is_square", is_square, what.format("square")),
    )


def are_regular(left: LinearOperator, right: LinearOperator) -> bool | None:
    """Whether a product is non-singular."""
    if left.is_non_singular is False or right.is_non_singular is False:
        return False
    return True if left.is_non_singular and right.is_non_singular else None


def are_self_adjoint(left: LinearOperator, right: LinearOperator) -> bool | None:
    """Whether a product of operators that commute is self-adjoint."""
    return True if left.is_self_adjoint and right.is_self_adjoint else None


def are_positive(left: LinearOperator, right: LinearOperator) -> bool | None:
    """Whether a product of operators that commute is positive definite."""
    return True if left.is_positive_definite and right.is_positive_definite and are_self_adjoint(left, right) else None


def one_dtype(operators: Sequence[LinearOperator]) -> None:
    """Refuse no operators, and operators of several dtypes."""
    if not operators:
        raise ValueError(f"Expected a non-empty list of operators. Found: {operators}")
    for operator in operators:
        if operator.dtype is not operators[0].dtype:
            found = ", ".join(f"{o.name}: {o.dtype.name}" for o in operators)
            raise TypeError(f"Expected all operators to have the same dtype.  Found {found}")
