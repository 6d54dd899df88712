"""Python's operators on tensors and variables, and the table of functions that `ir` calls by name.

`ir` never imports `ops`; the modules of ops put what operators mean into `LATE_BOUND` when they are imported, which happens when it is
asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from numbers import Number
from types import FunctionType
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from ..base.errors import InvalidArgumentError
from .context import ScopeName, current, executing_eagerly
from .registry import Registry
from .tracebacks import trim, trims_errors

if TYPE_CHECKING:
    from .tensor import Index, NumberLike, Tensor, TensorLike

#: What operators have used of `LATE_BOUND`: a plain table is asked twice as fast.
_used: dict[str, Callable[..., Any]] = {}


class _Methods(Registry[Callable[..., Any]]):
    """What is exchanged, as by `experimental_enable_numpy_behavior`, operators ask for again."""

    def __setitem__(self, name: str, function: Callable[..., Any]) -> None:
        super().__setitem__(name, function)
        _used.pop(name, None)

    def update(self, *tables: Any, **named: Callable[..., Any]) -> None:
        super().update(*tables, **named)
        _used.clear()


#: What operators and methods of tensors call, by name: `ir` never imports `ops`, which fills this in.
LATE_BOUND = _Methods("methods")


class TensorCounterpart:
    """`tf.__internal__.types.Tensor`: what `tf.is_tensor` says so of.

    Tensors and variables are of it, and so is a class of a library's that says by a method `__tf_tensor__` which tensor it stands for.
    """

    __slots__ = ()


class Reference:
    """A hashable handle of a tensor or variable, compared and ordered by identity."""

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

    def __lt__(self, other: Reference) -> bool:
        if not isinstance(other, Reference):
            raise TypeError("Cannot compare wrapped object with unwrapped object")
        return id(self._object) < id(other._object)

    def __repr__(self) -> str:
        return f"<Reference wrapping {self._object!r}>"


def _ask_right_operand(self: Any, other: Any, name: str) -> Any:
    """What a right operand that is no tensor, number or array says by its reflected operator; NotImplemented where it has none.

    A `SparseTensor` has one for tensors and variables only, as in TensorFlow: it is among the functions of its class.
    """
    if isinstance(other, (Operators, Number, np.ndarray)):
        return NotImplemented
    own = getattr(other, "_function", lambda name: None)
    reflected = getattr(type(other), f"__r{name}__", None) or own(f"r{name}")
    try:
        return NotImplemented if reflected is None else reflected(other, self)
    except (TypeError, ValueError):
        return NotImplemented  # as in TensorFlow, whose error is the operation's then: it says more


def _operator(name: str, scope: str | None = None, otherwise: str | None = None) -> Callable[[Any, NumberLike], Tensor]:
    """An operator that is an operation's function, whose errors end at the line of the operator.

    scope: the name it gives in a graph.  otherwise: what is called where the operands are refused, with the error.
    """
    given = scope and ScopeName(scope)

    def call(self: Any, other: NumberLike) -> Tensor:
        try:
            function = _used[name]
        except KeyError:
            function = _used[name] = LATE_BOUND[name]
        try:
            try:
                return function(self, other, given)
            except (InvalidArgumentError, TypeError, ValueError) as error:
                found = _ask_right_operand(self, other, name)
                if found is not NotImplemented:
                    return found
                if otherwise is None:
                    raise
                return LATE_BOUND[otherwise](self, other, error)
        except Exception as error:
            trim(error)
            raise

    return call


def _reflect(name: str, scope: str | None = None, otherwise: str | None = None) -> Callable[[Any, NumberLike], Tensor]:
    """`_operator` of the operand on the right."""
    given = scope and ScopeName(scope)

    def call(self: Any, other: NumberLike) -> Tensor:
        try:
            function = _used[name]
        except KeyError:
            function = _used[name] = LATE_BOUND[name]
        try:
            try:
                return function(other, self, given)
            except (InvalidArgumentError, TypeError, ValueError) as error:
                if isinstance(other, (np.ndarray, list, tuple)) and not self.dtype.is_bool and not executing_eagerly():
                    return function(LATE_BOUND["array_of"](other, self.dtype.base_dtype), self, given)
                if otherwise is None:
                    raise
                return LATE_BOUND[otherwise](other, self, error)
        except Exception as error:
            trim(error)
            raise

    return call


class Operators:
    """Python's operators, each a call by name of the op that means it."""

    __slots__ = ()
    __array_priority__ = 100
    #: Above that of pandas' tables, so that `column + tensor` is a tensor.
    __pandas_priority__ = 5000

    if TYPE_CHECKING:  # text can be added, and nothing else

        def __add__(self, other: TensorLike) -> Tensor: ...
        def __radd__(self, other: TensorLike) -> Tensor: ...
    else:
        __add__ = _operator("add", "add")
        __radd__ = _reflect("add", "add")
    __sub__ = _operator("sub", "sub")
    __rsub__ = _reflect("sub", "sub")
    __mul__ = _operator("mul", "mul", "mul_of_bool")
    __rmul__ = _reflect("mul", "mul", "mul_of_bool")
    __truediv__ = _operator("truediv", "truediv")
    __rtruediv__ = _reflect("truediv", "truediv")
    __div__ = _operator("div", "div")  # Python 2's, which libraries take from the class still
    __rdiv__ = _reflect("div", "div")
    __floordiv__ = _operator("floordiv", "floordiv")
    __rfloordiv__ = _reflect("floordiv", "floordiv")
    __mod__ = _operator("mod", "mod")
    __rmod__ = _reflect("mod", "mod")
    __pow__ = _operator("pow", "pow")
    __rpow__ = _reflect("pow", "pow")
    __matmul__ = _operator("matmul", "matmul")
    __rmatmul__ = _reflect("matmul", "matmul")
    __and__ = _operator("and", "and")
    __rand__ = _reflect("and", "and")
    __or__ = _operator("or", "or")
    __ror__ = _reflect("or", "or")
    __xor__ = _operator("xor", "xor")
    __rxor__ = _reflect("xor", "xor")
    __lshift__ = _operator("lshift")
    __rlshift__ = _reflect("lshift")
    __rshift__ = _operator("rshift")
    __rrshift__ = _reflect("rshift")

    @trims_errors
    def __invert__(self) -> Tensor:
        return LATE_BOUND["invert"](self)

    def __neg__(self) -> Tensor:
        try:
            return LATE_BOUND["neg"](self)
        except Exception as error:
            trim(error)
            raise

    def __pos__(self) -> Any:
        return self

    @trims_errors
    def __abs__(self) -> Tensor:
        return LATE_BOUND["abs"](self)

    __lt__ = _operator("less")
    __le__ = _operator("less_equal")
    __gt__ = _operator("greater")
    __ge__ = _operator("greater_equal")

    def __getitem__(self, key: Index) -> Tensor:
        try:
            return LATE_BOUND["getitem"](self, key)
        except Exception as error:
            trim(error)
            raise

    if not TYPE_CHECKING:  # so that type checkers refuse it too

        @trims_errors
        def __setitem__(self, key: Any, value: Any) -> NoReturn:
            raise TypeError(
                f"'{type(self).__name__}' object does not support item assignment. A tensor does not change: make a new one, as in "
                "x = tf.tensor_scatter_nd_update(x, [[0]], [3.0]) for x[0] = 3.0. A part of a tf.Variable is assigned by v[0].assign(3.0)."
            )


def _read_first(operator: Callable[..., Any]) -> Callable[..., Any]:
    """An operator of a variable: in a graph the variable is read before the operator's scope begins, as TensorFlow reads it."""

    def call(self: Any, *others: Any) -> Any:
        try:
            return operator(self if current().graph is None else self.__as_tensor__(), *others)
        except Exception as error:
            trim(error)
            raise

    return call


class VariableOperators(Operators):
    """The operators of variables."""

    __slots__ = ()


for _name, _given in vars(Operators).items():
    if isinstance(_given, FunctionType) and _name not in ("__pos__", "__getitem__", "__setitem__"):
        setattr(VariableOperators, _name, _read_first(_given))
