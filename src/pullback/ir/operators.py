"""Python's operators on tensors and variables, and the table of functions that `ir` calls by name.

`ir` never imports `ops`; the modules of ops put what operators mean into `METHODS` when they are imported, which happens when it is asked
for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from ..base.errors import InvalidArgumentError
from .registry import Registry

#: What operators and methods of tensors call, by name: `ir` never imports `ops`, which fills this in.
METHODS: Registry[Callable[..., Any]] = Registry("methods")


class Reference:
    """A hashable handle of a tensor or variable, compared by identity."""

    __slots__ = ("_object",)

    def __init__(self, referenced: Any) -> None:
        self._object = referenced

    def deref(self) -> Any:
        """The tensor or variable this stands for."""
        return self._object

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Reference) and self._object is other._object

    def __hash__(self) -> int:
        return id(self._object)

    def __repr__(self) -> str:
        return f"<Reference wrapping {self._object!r}>"


class Operators:
    """Python's operators, each a call by name of the op that means it."""

    __slots__ = ()
    __array_priority__ = 100

    def __add__(self, other: Any) -> Any:
        return METHODS["add"](self, other, "add")

    def __radd__(self, other: Any) -> Any:
        return METHODS["add"](other, self, "add")

    def __sub__(self, other: Any) -> Any:
        return METHODS["sub"](self, other, "sub")

    def __rsub__(self, other: Any) -> Any:
        return METHODS["sub"](other, self, "sub")

    def __mul__(self, other: Any) -> Any:
        try:
            return METHODS["mul"](self, other, "mul")
        except (InvalidArgumentError, TypeError, ValueError) as error:
            return METHODS["mul_of_bool"](self, other, error)

    def __rmul__(self, other: Any) -> Any:
        try:
            return METHODS["mul"](other, self, "mul")
        except (InvalidArgumentError, TypeError, ValueError) as error:
            return METHODS["mul_of_bool"](other, self, error)

    def __truediv__(self, other: Any) -> Any:
        return METHODS["truediv"](self, other, "truediv")

    def __rtruediv__(self, other: Any) -> Any:
        return METHODS["truediv"](other, self, "truediv")

    def __floordiv__(self, other: Any) -> Any:
        return METHODS["floordiv"](self, other, "floordiv")

    def __rfloordiv__(self, other: Any) -> Any:
        return METHODS["floordiv"](other, self, "floordiv")

    def __mod__(self, other: Any) -> Any:
        return METHODS["mod"](self, other, "mod")

    def __rmod__(self, other: Any) -> Any:
        return METHODS["mod"](other, self, "mod")

    def __pow__(self, other: Any) -> Any:
        return METHODS["pow"](self, other, "pow")

    def __rpow__(self, other: Any) -> Any:
        return METHODS["pow"](other, self, "pow")

    def __matmul__(self, other: Any) -> Any:
        return METHODS["matmul"](self, other, name="matmul")

    def __rmatmul__(self, other: Any) -> Any:
        return METHODS["matmul"](other, self, name="matmul")

    def __and__(self, other: Any) -> Any:
        return METHODS["and"](self, other, "and")

    def __rand__(self, other: Any) -> Any:
        return METHODS["and"](other, self, "and")

    def __or__(self, other: Any) -> Any:
        return METHODS["or"](self, other, "or")

    def __ror__(self, other: Any) -> Any:
        return METHODS["or"](other, self, "or")

    def __xor__(self, other: Any) -> Any:
        return METHODS["xor"](self, other, "xor")

    def __rxor__(self, other: Any) -> Any:
        return METHODS["xor"](other, self, "xor")

    def __lshift__(self, other: Any) -> Any:
        return METHODS["lshift"](self, other)

    def __rlshift__(self, other: Any) -> Any:
        return METHODS["lshift"](other, self)

    def __rshift__(self, other: Any) -> Any:
        return METHODS["rshift"](self, other)

    def __rrshift__(self, other: Any) -> Any:
        return METHODS["rshift"](other, self)

    def __invert__(self) -> Any:
        return METHODS["invert"](self)

    def __neg__(self) -> Any:
        return METHODS["neg"](self)

    def __pos__(self) -> Any:
        return self

    def __abs__(self) -> Any:
        return METHODS["abs"](self)

    def __lt__(self, other: Any) -> Any:
        return METHODS["less"](self, other)

    def __le__(self, other: Any) -> Any:
        return METHODS["less_equal"](self, other)

    def __gt__(self, other: Any) -> Any:
        return METHODS["greater"](self, other)

    def __ge__(self, other: Any) -> Any:
        return METHODS["greater_equal"](self, other)

    def __getitem__(self, key: Any) -> Any:
        return METHODS["getitem"](self, key)

    def __setitem__(self, key: Any, value: Any) -> NoReturn:
        raise TypeError(
            f"'{type(self).__name__}' object does not support item assignment. A tensor does not change: make a new one, as in "
            "x = tf.tensor_scatter_nd_update(x, [[0]], [3.0]) for x[0] = 3.0. A part of a tf.Variable is assigned by v[0].assign(3.0)."
        )
