"""`experimental_enable_numpy_behavior`: tensors with NumPy's methods, operators that promote, and keys with arrays of integers.

As in TensorFlow the switch is for the whole process. What operators do is exchanged in the table that they go through, so gradients stay
what they are; the methods are put on the class. `tf.add` and all other functions want one dtype as before.
"""

from __future__ import annotations

import numbers
from collections.abc import Callable
from typing import Any

import numpy as np

from ..base.dtypes import DType
from ..compat import v2 as tf
from ..ir.operators import METHODS
from ..ir.tensor import EagerTensor, Tensor
from .arrays import converted
from .binary import clip
from .dtypes import prefer_float32 as set_preference
from .dtypes import result_type
from .keys import getitem
from .reductions import amax, amin, mean
from .shapes import flatten, ravel, reshape, size, transpose
from .unary import around

_PROMOTED = (
    "add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor",
    "less", "less_equal", "greater", "greater_equal", "equal_operator", "not_equal_operator",
)  # fmt: skip
_before: dict[str, Callable[..., Any]] = {}


def experimental_enable_numpy_behavior(prefer_float32: bool = False, dtype_conversion_mode: str = "legacy") -> None:
    """Let tensors behave as NumPy's arrays, in the whole process.

    They get the methods T, astype, clip, data, flatten, max, mean, min, ravel, reshape, size, tolist and transpose; operators promote
    operands of different dtypes as NumPy does; and keys may hold arrays of integers.

    Args:
        prefer_float32: whether Python's floats count as float32 where a dtype is to be found, not as float64.
        dtype_conversion_mode: "legacy", or "off" for operators that want one dtype on both sides. TensorFlow's "safe" and "all" are a
            NotImplementedError here. A ValueError for any other word.

    >>> import pullback as tf
    >>> tf.experimental.numpy.experimental_enable_numpy_behavior()  # doctest: +SKIP
    >>> tf.constant([[1, 2]]).T + 0.5  # doctest: +SKIP
    """
    if dtype_conversion_mode not in ("off", "legacy", "safe", "all"):
        raise ValueError(f"The provided promotion mode {dtype_conversion_mode} does not exist; there are 'off' and 'legacy'.")
    if dtype_conversion_mode in ("safe", "all"):
        raise NotImplementedError(f"the promotion mode {dtype_conversion_mode!r} is not in Pullback; 'legacy' promotes as NumPy does")
    _exchange("getitem", lambda tensor, key: getitem(tensor, key, _before["getitem"]))
    for name in _PROMOTED:
        if dtype_conversion_mode == "off":
            METHODS[name] = _before.get(name, METHODS[name])
        else:
            _exchange(name, _promoting(name))
    for tensors, name, new, _ in _METHODS:
        setattr(tensors, name, new)
    set_preference(prefer_float32)


def disable_numpy_behavior() -> None:
    """Make tensors what they were, which TensorFlow cannot."""
    METHODS.update(_before)
    _before.clear()
    for tensors, name, new, old in _METHODS:
        if old is not None:
            setattr(tensors, name, old)
        elif vars(tensors).get(name) is new:
            delattr(tensors, name)
    set_preference(False)


def _exchange(name: str, new: Callable[..., Any]) -> None:
    _before.setdefault(name, METHODS[name])
    METHODS[name] = new


def _promoting(name: str) -> Callable[..., Any]:
    def promoted(x: Any, y: Any, *rest: Any, **named: Any) -> Any:
        if _has_type(x) and _has_type(y):
            dtype = getattr(x, "dtype", None)
            if not isinstance(dtype, DType) or getattr(y, "dtype", None) != dtype:
                dtype = result_type(x, y)
                x, y = _of_type(x, dtype), _of_type(y, dtype)
        return _before[name](x, y, *rest, **named)

    return promoted


def _of_type(x: Any, dtype: DType) -> Any:
    """An operand of a dtype; ragged and sparse tensors stay what they are."""
    own = getattr(x, "dtype", None)
    if not isinstance(own, DType):
        return converted(x, dtype)
    return x if own == dtype else tf.cast(x, dtype)


def _has_type(x: Any) -> bool:
    """Whether NumPy can tell a dtype of an operand: numbers, arrays, tensors and variables, and sequences of them."""
    if isinstance(x, (list, tuple)):
        return all(_has_type(v) for v in x)
    return isinstance(x, (numbers.Number, np.ndarray, np.generic)) or isinstance(getattr(x, "dtype", None), DType)


def _reshaped(a: Any, *newshape: Any, **kwargs: Any) -> Any:
    order = kwargs.pop("order", "C")
    if kwargs:
        raise ValueError(f"Unsupported arguments: {sorted(kwargs)}; reshape takes `order`")
    return reshape(a, newshape[0] if len(newshape) == 1 and not isinstance(newshape[0], int) else newshape, order=order)


def _tolist(a: Any) -> Any:
    if not isinstance(a, EagerTensor):
        raise ValueError(f"Symbolic Tensors do not support the tolist API: {a} has no value until a session runs it.")
    return a.value.tolist()


def _size(a: Any) -> Any:
    return size(a) if a.shape.is_fully_defined() else None


_NEW: dict[str, Any] = {
    "T": property(transpose),
    "astype": lambda a, dtype: tf.cast(a, dtype),
    "clip": clip,
    "data": property(lambda a: a),
    "flatten": flatten,
    "max": amax,
    "mean": mean,
    "min": amin,
    "ravel": ravel,
    "reshape": _reshaped,
    "size": property(_size),
    "tolist": _tolist,
    "transpose": transpose,
}
# Class, name, new method, method before; EagerTensor has a __round__ of its own, for scalars.
_METHODS: list[tuple[type, str, Any, Any]] = [
    *((Tensor, name, method, vars(Tensor).get(name)) for name, method in _NEW.items()),
    *((tensors, "__round__", around, vars(tensors).get("__round__")) for tensors in (Tensor, EagerTensor)),
]
