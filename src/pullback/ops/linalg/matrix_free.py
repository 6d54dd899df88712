"""What functions of matrices do with a matrix that is known only by what it does: they ask it.

`tf.linalg.LinearOperator` is such a matrix; it stands in a layer above, and this is all that operations know of it.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, TypeVar

from ...ir.op import set_signature

Function = TypeVar("Function", bound=Callable[..., Any])


class MatrixFree:
    """The base of what stands for a matrix, and has the methods that the functions are given for."""


def asks_operator(answer: Callable[..., Any]) -> Callable[[Function], Function]:
    """A function of a matrix that gives `answer(operator, *others)` where its first argument is an operator."""

    def decorate(f: Function) -> Function:
        signature = inspect.signature(f)
        first = next(iter(signature.parameters))

        @functools.wraps(f)
        def call(*args: Any, **kwargs: Any) -> Any:
            x = args[0] if args else kwargs.get(first)
            if not isinstance(x, MatrixFree):
                return f(*args, **kwargs)
            kwargs.pop(first, None)
            return answer(x, *args[1:], **kwargs)

        set_signature(call, signature)
        return call  # type: ignore[return-value]  # of f's signature

    return decorate


def product(a: Any, b: Any, adjoint_a: bool, adjoint_b: bool, turn: Callable[[Any], Any]) -> Any:
    """a b where one of them is an operator; (b^H a^H)^H, by `turn`, where only b is."""
    if isinstance(a, MatrixFree):
        return a.matmul(b, adjoint=adjoint_a, adjoint_arg=adjoint_b)  # type: ignore[attr-defined]  # an operator, asked above
    return turn(b.matmul(a, adjoint=not adjoint_b, adjoint_arg=not adjoint_a))
