"""What the public suite of the array API standard is pointed at, by `make array-api`: the namespace that `start` gives.

The suite holds `x.shape` to be a tuple, and operators to promote. A tensor's shape is TensorFlow's `TensorShape`, and its operators want
one dtype; so here, for the suite only, shapes are tuples that know what a `TensorShape` does, and NumPy's operators are switched on.
"""

import math
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np

import pullback as tf
import pullback.array_api as xp
from pullback.array_api import _elementwise as elementwise
from pullback.array_api import _manipulation
from pullback.array_api._dtypes import kind_of
from pullback.base.dtypes import DType, as_dtype, complex64, float32
from pullback.base.shapes import TensorShape
from pullback.ir.apply import convert_to_tensor
from pullback.ir.operators import METHODS
from pullback.ir.tensor import EagerTensor, Tensor
from pullback.ops.cast import cast


class Shape(tuple[int, ...]):
    """A tuple with a `TensorShape`'s methods."""

    def __getattr__(self, name: str) -> Any:
        return getattr(TensorShape(tuple(self)), name)


_EXCHANGED = ("add", "sub", "mul", "truediv", "and", "or", "xor", "less", "less_equal", "greater", "greater_equal", "lshift", "rshift")
_STANDARD = {"floordiv": elementwise.floor_divide, "mod": elementwise.remainder, "pow": elementwise.pow}
_before: dict[str, Callable[..., Any]] = {}


def enable() -> None:
    """Exchange the operators."""
    if _before:
        return
    names = (*_EXCHANGED, *_STANDARD, "neg", "abs", "matmul", "equal_operator", "not_equal_operator", "getitem")
    _before.update({name: METHODS[name] for name in names})
    as_they_are = (*_EXCHANGED, "matmul", "equal_operator", "not_equal_operator")
    METHODS.update({name: _promoting(_before[name]) for name in as_they_are})
    METHODS.update({name: _promoting(lambda x, y, name=None, of=of: of(x, y)) for name, of in _STANDARD.items()})
    METHODS.update(neg=elementwise.negative, abs=elementwise.abs)
    METHODS["getitem"] = lambda tensor, key: getitem(tensor, key, _before["getitem"])


def _promoting(operator: Callable[..., Any]) -> Callable[..., Any]:
    def promoted(x: Any, y: Any, *rest: Any, **named: Any) -> Any:
        return operator(*_alike(x, y), *rest, **named)

    return promoted


def _alike(x: Any, y: Any) -> tuple[Any, Any]:
    """Two operands with the dtype they come to; Python's numbers and what is no array go on as they are."""
    pair = [convert_to_tensor(v) if isinstance(v, (np.ndarray, np.generic)) or hasattr(v, "_to_tensor") else v for v in (x, y)]
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
    if kind_of(a) == kind_of(b) or "complex floating" in (kind_of(a), kind_of(b)):
        return as_dtype(np.promote_types(a.numpy, b.numpy))
    return as_dtype(np.promote_types(a.numpy, b.numpy))


def _with_number(dtype: DType, number: Any) -> DType:
    kind = kind_of(dtype)
    if isinstance(number, complex) and kind != "complex floating":
        return xp.result_type(dtype, number) if kind == "real floating" else complex64
    if isinstance(number, float) and kind in ("integral", "bool"):
        return float32 if dtype.size < 4 else as_dtype("float64")
    return dtype


def getitem(x: Any, key: Any, otherwise: Any) -> Any:
    """`x[key]` as the standard and NumPy have it, arrays of integers among the parts of the key; other keys go `otherwise`."""
    parts = key if isinstance(key, tuple) else (key,)
    if len(parts) == 1 and (isinstance(parts[0], (bool, np.bool_)) or _is_mask(parts[0])):
        mask = tf.convert_to_tensor(parts[0])
        return tf.boolean_mask(x, mask) if len(mask.shape) else tf.boolean_mask(x[None], tf.reshape(mask, [1]))
    if not any(_is_indices(p) for p in parts):
        return otherwise(x, key)
    spelled = _spelled_out(parts, len(x.shape))
    axes = [a for a, p in enumerate(spelled) if _is_indices(p) or isinstance(p, (int, np.integer))]
    arrays = [tf.convert_to_tensor(spelled[a]) for a in axes]
    whole = otherwise(x, tuple(slice(None) if a in axes else p for a, p in enumerate(spelled)))
    shape = np.broadcast_shapes(*(tuple(i.shape) for i in arrays))
    flat = tf.constant(0, "int64")
    for a, i in zip(axes, arrays, strict=True):
        flat = flat * x.shape[a] + xp.broadcast_to(_manipulation.from_front(_within(i, x.shape[a], a), x.shape[a]), shape)
    rest = [a for a in range(len(spelled)) if a not in axes]
    front = tf.transpose(whole, axes + rest)
    rows = tf.reshape(front, [math.prod(x.shape[a] for a in axes), *(whole.shape[a] for a in rest)])
    found = tf.gather(rows, tf.reshape(flat, [-1]))
    found = tf.reshape(found, [*shape, *(whole.shape[a] for a in rest)])
    if axes != list(range(axes[0], axes[0] + len(axes))):
        return found
    return xp.moveaxis(found, tuple(range(len(shape))), tuple(range(axes[0], axes[0] + len(shape))))


def _is_indices(part: Any) -> bool:
    """Whether a part of a key is an array of integers."""
    return isinstance(part, (Tensor, np.ndarray)) and part.dtype not in (bool, tf.bool) and len(part.shape) > 0


def _is_mask(part: Any) -> bool:
    return isinstance(part, (Tensor, np.ndarray)) and part.dtype in (bool, tf.bool)


def _spelled_out(parts: tuple[Any, ...], rank: int) -> list[Any]:
    """A key with a part for each axis."""
    if any(p is None for p in parts):
        raise IndexError("arrays of integers and new axes do not go into one key; use expand_dims afterwards")
    missing = rank - sum(p is not Ellipsis for p in parts)
    if missing < 0:
        raise IndexError(f"too many indices: {len(parts)} for {rank} axes")
    at = next((i for i, p in enumerate(parts) if p is Ellipsis), len(parts))
    return [*parts[:at], *[slice(None)] * missing, *parts[at + 1 :]]


def _within(indices: Any, size: int, axis: int) -> Any:
    if isinstance(indices, EagerTensor) and indices.value.size and not (-size <= indices.value.min() and indices.value.max() < size):
        raise IndexError(f"an index of axis {axis} is out of range for size {size}: they go from {-size} to {size - 1}")
    return indices


def start() -> ModuleType:
    """The namespace, in a process that is the suite's alone."""
    Tensor.shape = property(lambda self: Shape(self.dims))  # type: ignore[assignment,method-assign]
    enable()
    return xp
