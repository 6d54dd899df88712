"""What the public suite of the array API standard is pointed at, by `make array-api`: the namespace that `start` gives.

The suite holds `x.shape` to be a tuple, and operators to promote. A tensor's shape is TensorFlow's `TensorShape`, and its operators want
one dtype; so here, for the suite only, shapes are tuples that know what a `TensorShape` does, and NumPy's operators are switched on.
"""

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np

import pullback.array_api as xp
from pullback.array_api import _elementwise as elementwise, _manipulation
from pullback.array_api._dtypes import kind_of
from pullback.base.dtypes import DType, as_dtype, complex64, float32
from pullback.base.shapes import TensorShape
from pullback.ir.apply import convert_to_tensor
from pullback.ir.operators import LATE_BOUND
from pullback.ir.tensor import Tensor
from pullback.ops.primitives.cast import cast


class Shape(tuple[int, ...]):
    """A tuple with a `TensorShape`'s methods."""

    def __getattr__(self, name: str) -> Any:
        return getattr(TensorShape(tuple(self)), name)


_EXCHANGED = ("add", "sub", "mul", "truediv", "and", "or", "xor", "less", "less_equal", "greater", "greater_equal", "rshift")
_STANDARD = {
    "floordiv": elementwise.floor_divide, "mod": elementwise.remainder, "pow": elementwise.pow, "lshift": elementwise.bitwise_left_shift,
}  # fmt: skip
_before: dict[str, Callable[..., Any]] = {}


def enable() -> None:
    """Exchange the operators."""
    if _before:
        return
    names = (*_EXCHANGED, *_STANDARD, "neg", "abs", "matmul", "equal_operator", "not_equal_operator", "getitem")
    _before.update({name: LATE_BOUND[name] for name in names})
    as_they_are = (*_EXCHANGED, "matmul", "equal_operator", "not_equal_operator")
    LATE_BOUND.update({name: _promoting(_before[name]) for name in as_they_are})
    LATE_BOUND.update({name: _promoting(lambda x, y, name=None, of=of: of(x, y)) for name, of in _STANDARD.items()})
    LATE_BOUND.update(neg=elementwise.negative, abs=elementwise.abs)
    LATE_BOUND["getitem"] = lambda tensor, key: _manipulation.getitem(tensor, key, _before["getitem"])


def _promoting(operator: Callable[..., Any]) -> Callable[..., Any]:
    def promoted(x: Any, y: Any, *rest: Any, **named: Any) -> Any:
        return operator(*_alike(x, y), *rest, **named)

    return promoted


def _alike(x: Any, y: Any) -> tuple[Any, Any]:
    """Two operands with the dtype they come to; Python's numbers and what is no array go on as they are."""
    pair = [convert_to_tensor(v) if isinstance(v, (np.ndarray, np.generic)) or hasattr(v, "__as_tensor__") else v for v in (x, y)]
    kinds: list[DType | None] = [getattr(v, "dtype", None) for v in pair]
    if kinds[0] is None or kinds[1] is None:
        known = kinds[0] or kinds[1]
        number = pair[0] if kinds[0] is None else pair[1]
        if known is None or not isinstance(number, (int, float, complex)) or isinstance(number, bool):
            return pair[0], pair[1]
        dtype = _with_number(known, number)
        return tuple(cast(v, dtype) if hasattr(v, "dtype") else convert_to_tensor(v, dtype) for v in pair)
    if kinds[0] == kinds[1]:
        return pair[0], pair[1]
    dtype = _of_two(kinds[0], kinds[1])
    return cast(pair[0], dtype), cast(pair[1], dtype)


def _of_two(a: DType, b: DType) -> DType:
    return as_dtype(np.promote_types(a.numpy_dtype, b.numpy_dtype))


def _with_number(dtype: DType, number: Any) -> DType:
    kind = kind_of(dtype)
    if isinstance(number, complex) and kind != "complex floating":
        return xp.result_type(dtype, number) if kind == "real floating" else complex64
    if isinstance(number, float) and kind in ("integral", "bool"):
        return float32 if dtype.size < 4 else as_dtype("float64")
    return dtype


def start() -> ModuleType:
    """The namespace, in a process that is the suite's alone."""
    Tensor.shape = property(lambda self: Shape(self.dims))  # type: ignore[assignment,method-assign]
    enable()
    return xp
