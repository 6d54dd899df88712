"""`experimental_enable_numpy_behavior`: tensors with NumPy's methods, operators that promote, and keys with arrays of integers.

As in TensorFlow the switch is for the whole process. What operators do is exchanged in the table that they go through, so gradients stay
what they are; the methods are put on the class. In the modes "off" and "legacy" `tf.add` and all other functions want one dtype as before;
in "safe" and "all" the functions that TensorFlow names (weak.py) are exchanged in the faces, for such as find a common dtype.
"""

from __future__ import annotations

import logging
import numbers
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from ..api.variable import Variable
from ..base.dtypes import DType
from ..base.export import export
from ..compat import v2 as tf
from ..ir.fast_dispatch import use_operators
from ..ir.operators import LATE_BOUND
from ..ir.tensor import EagerTensor, Tensor
from ..ops.math.arithmetic import has_bool, multiply_bool
from .arrays import convert_array
from .binary import clip
from .dtypes import prefer_float32 as set_preference, result_type
from .keys import getitem
from .products import matmul
from .promotion import Mode
from .reductions import amax, amin, mean
from .shapes import flatten, ravel, reshape, size, transpose
from .unary import around
from .weak import convert_written, exchanged_names, harden, keep_weakness, unify_weakness

_PROMOTED = (
    "add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor",
    "less", "less_equal", "greater", "greater_equal", "equal_operator", "not_equal_operator",
)  # fmt: skip
_KEPT = ("neg", "abs", "invert")
_MET = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul")
_WRITES = ("assign", "assign_add", "assign_sub")
_before: dict[str, Callable[..., Any]] = {}
_faces: list[tuple[types.ModuleType, str, Any]] = []
_log = logging.getLogger("pullback")


@export(v2="experimental.numpy.experimental_enable_numpy_behavior")
def experimental_enable_numpy_behavior(prefer_float32: bool = False, dtype_conversion_mode: str = "legacy") -> None:
    """Let tensors behave as NumPy's arrays, in the whole process.

    They get the methods T, astype, clip, data, flatten, max, mean, min, ravel, reshape, size, tolist and transpose; and keys may hold
    arrays of integers. What operators do with different dtypes is the mode's:

    - "legacy": they promote operands as NumPy does.
    - "off": they want one dtype on both sides.
    - "all": the table in `numpy_api/promotion.py` says what dtypes come to, in operators, in functions as `tf.add` and `tf.reduce_sum`,
    and in
      what is written to variables. Tensors made of Python's numbers are weak (`weak=True`): their dtype gives way to others'. Python's
      integers are int32 and floats float32.
    - "safe": the same, and a TypeError for what might lose precision or need more bits.

    Args:
        prefer_float32: whether Python's floats count as float32 where a dtype is to be found, not as float64.
        dtype_conversion_mode: one of these; a ValueError for any other word.

    >>> tf.experimental.numpy.experimental_enable_numpy_behavior()
    >>> (tf.constant([[1, 2]]).T + 0.5).tolist()
    [[1.5], [2.5]]
    >>> disable_numpy_behavior()
    """
    if dtype_conversion_mode not in ("off", "legacy", "safe", "all"):
        raise ValueError(
            f"The provided promotion mode {dtype_conversion_mode} does not exist. Make sure the provided dtype conversion mode is one of "
            "the followings: 'off', 'legacy', 'safe' or 'all'."
        )
    disable_numpy_behavior()
    _exchange("getitem", lambda before: lambda tensor, key: getitem(tensor, key, before))
    Mode.name = dtype_conversion_mode
    if Mode.is_automatic():
        _log.warning("Enabling the new type promotion must happen at the beginning of the program: tensors made before are not weak.")
        _find_dtypes()
    elif dtype_conversion_mode == "legacy":
        for name in _PROMOTED:
            _exchange(name, _wrap_promotion)
        _exchange("matmul", _wrap_vectors)
    for tensors, name, new, _ in _METHODS:
        setattr(tensors, name, _wrap_method(name, new) if Mode.is_automatic() else new)
    set_preference(prefer_float32)


def _find_dtypes() -> None:
    """Exchange the operators, functions and methods of variables that find a common dtype."""
    for name in _KEPT:
        _exchange(name, keep_weakness)
    for name in _MET:
        _exchange(name, unify_weakness)
    _exchange("mul", _wrap_multiplication)
    _exchange("equal_operator", _wrap_comparison)
    for module, name, new in list(exchanged_names()):
        _faces.append((module, name, getattr(module, name)))
        setattr(module, name, new)
    for name in _WRITES:
        setattr(Variable, name, convert_written(getattr(Variable, name)))


def _wrap_multiplication(met: Callable[..., Any]) -> Callable[..., Any]:
    return lambda x, y, *rest: multiply_bool(harden(x), harden(y)) if has_bool(x, y) else met(x, y, *rest)


def _wrap_comparison(of: Callable[..., Any]) -> Callable[..., Any]:
    met = unify_weakness(of, compares=True)
    return lambda x, y, *rest: (met if _has_type(x) and _has_type(y) else of)(x, y, *rest)


def _wrap_method(name: str, method: Any) -> Any:
    """A method of tensors that is weak where the tensor is; `clip` takes all its arguments for one dtype, and others have none."""
    if isinstance(method, property):
        return property(keep_weakness(method.fget)) if name == "T" and method.fget is not None else method
    return method if name in ("astype", "clip", "tolist") else keep_weakness(method)


def disable_numpy_behavior() -> None:
    """Make tensors what they were, which TensorFlow cannot."""
    LATE_BOUND.update(_before)
    use_operators(True)
    _before.clear()
    for module, name, old in reversed(_faces):
        setattr(module, name, old)
    _faces.clear()
    if Mode.is_automatic():
        for name in _WRITES:
            delattr(Variable, name)
    Mode.name = "off"
    for tensors, name, _, old in _METHODS:
        if old is not None:
            setattr(tensors, name, old)
        elif name in vars(tensors):
            delattr(tensors, name)
    set_preference(False)


def _exchange(name: str, around: Callable[[Callable[..., Any]], Callable[..., Any]]) -> None:
    """Put what `around` makes of it in the place of what an operator calls."""
    _before.setdefault(name, LATE_BOUND[name])
    LATE_BOUND[name] = around(LATE_BOUND[name])
    use_operators(False)


def _wrap_promotion(of_one_dtype: Callable[..., Any]) -> Callable[..., Any]:
    def call_promoted(x: Any, y: Any, *rest: Any, **named: Any) -> Any:
        if _has_type(x) and _has_type(y):
            dtype = getattr(x, "dtype", None)
            if not isinstance(dtype, DType) or getattr(y, "dtype", None) != dtype:
                dtype = result_type(x, y)
                x, y = _convert_to_type(x, dtype), _convert_to_type(y, dtype)
        return of_one_dtype(x, y, *rest, **named)

    return call_promoted


def _wrap_vectors(of_matrices: Callable[..., Any]) -> Callable[..., Any]:
    def product(x: Any, y: Any, *rest: Any, **named: Any) -> Any:
        ranks = [v.shape.rank if isinstance(v, (Tensor, Variable)) else np.ndim(v) for v in (x, y)]
        return matmul(x, y) if {0, 1}.intersection(ranks) else of_matrices(x, y, *rest, **named)

    return product


def _convert_to_type(x: Any, dtype: DType) -> Any:
    """An operand of a dtype; ragged and sparse tensors stay what they are."""
    own = getattr(x, "dtype", None)
    if not isinstance(own, DType):
        return convert_array(x, dtype)
    return x if own == dtype else tf.cast(x, dtype)


def _has_type(x: Any) -> bool:
    """Whether NumPy can tell a dtype of an operand: numbers, arrays, tensors and variables, and sequences of them."""
    if isinstance(x, (list, tuple)):
        return all(_has_type(v) for v in x)
    return isinstance(x, (numbers.Number, np.ndarray, np.generic)) or isinstance(getattr(x, "dtype", None), DType)


def _reshape_method(a: Tensor, *newshape: Any, **kwargs: Any) -> Any:
    order = kwargs.pop("order", "C")
    if kwargs:
        raise ValueError(f"Unsupported arguments: {sorted(kwargs)}; reshape takes `order`")
    return reshape(a, newshape[0] if len(newshape) == 1 and not isinstance(newshape[0], int) else newshape, order=order)


def _tolist(a: Tensor) -> Any:
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
    "reshape": _reshape_method,
    "size": property(_size),
    "tolist": _tolist,
    "transpose": transpose,
}
# Class, name, new method, method before; EagerTensor has a __round__ of its own, for scalars.
_METHODS: list[tuple[type, str, Any, Any]] = [
    *((Tensor, name, method, vars(Tensor).get(name)) for name, method in _NEW.items()),
    *((tensors, "__round__", around, vars(tensors).get("__round__")) for tensors in (Tensor, EagerTensor)),
]
