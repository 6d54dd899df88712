"""What one case is, and the deterministic numbers that cases are made of.

Inputs come from a generator written here, not from NumPy's: the same numbers on every NumPy version, for ever, so that golden files
stay true.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import ml_dtypes
import numpy as np

Array = np.ndarray[Any, Any]
Face = Literal["v1", "v2"]
Mode = Literal["eager", "graph"]


@dataclass(frozen=True)
class Case:
    """One use of one op.

    `f(tf, *tensors)` returns a tensor or a list, tuple or dict of tensors.  `tf` is TensorFlow or Pullback (with `face="v1"` their
    `compat.v1`), so `f` uses only names that both have.  `smooth=False` marks kinks, special points and what is not differentiable:
    golden values are recorded, finite differences are not taken.  `rtol` and `atol` (for small
    numbers beside large ones that cancelled) only where rounding needs it, with a reason beside it.
    `beyond=True` marks what TensorFlow refuses and Pullback takes on purpose: only the laws judge it.
    """

    op: str
    label: str
    f: Callable[..., Any]
    inputs: tuple[Array, ...]
    smooth: bool = True
    rtol: float | None = None
    atol: float | None = None
    face: Face = "v2"
    beyond: bool = False

    @property
    def id(self) -> str:
        return f"{self.op}/{self.label}"


@dataclass(frozen=True)
class ErrorCase:
    """A call that TensorFlow refuses, eagerly or while a graph is built (`mode="graph"`: the inputs are placeholders).

    The label begins with the op type where the message ought to name one: "MatMul: inner sizes differ".
    """

    label: str
    f: Callable[..., Any]
    inputs: tuple[Array, ...]
    mode: Mode = "eager"
    face: Face = "v2"

    @property
    def id(self) -> str:
        return f"{self.label}/{self.mode}"


def case(op: str, label: str, f: Callable[..., Any], *inputs: Any, **options: Any) -> Case:
    """A case; inputs that are not arrays yet become arrays (`1.5` is float32, `3` is int32, `b"x"` a string)."""
    return Case(op, label, f, tuple(map(_array, inputs)), **options)


def error(label: str, f: Callable[..., Any], *inputs: Any, mode: Mode = "eager", face: Face = "v2") -> ErrorCase:
    """An error case; inputs as in `case`."""
    return ErrorCase(label, f, tuple(map(_array, inputs)), mode, face)


def floats(*shape: int, low: float = -2.0, high: float = 2.0, dtype: Any = "float32", seed: int = 0) -> Array:
    """Floating or complex numbers spread over `[low, high)`, all different, in no order."""
    kind = dtype_of(dtype)
    real = low + (high - low) * _spread(math.prod(shape), seed)
    if kind.kind == "c":
        return (real + 1j * (low + (high - low) * _spread(math.prod(shape), seed + 1000))).reshape(shape).astype(kind)
    return real.reshape(shape).astype(kind)


def ints(*shape: int, low: int = 0, high: int = 10, dtype: Any = "int32", seed: int = 0) -> Array:
    """Whole numbers in `[low, high)`."""
    whole: Array = np.floor(low + (high - low) * _spread(math.prod(shape), seed))
    return whole.reshape(shape).astype(dtype_of(dtype))


def bools(*shape: int, seed: int = 0) -> Array:
    """Truth values, about half of them true."""
    flags: Array = _spread(math.prod(shape), seed) < 0.5
    return flags.reshape(shape)


def cotangent(shape: tuple[int, ...], dtype: Any) -> Array:
    """The cotangent of every golden gradient: `cos(0.5 + k)` over the flat index; `+ 1j sin(0.3 + k)` where complex."""
    kind = dtype_of(dtype)
    steps = np.arange(math.prod(shape), dtype=np.float64)
    flat = np.cos(0.5 + steps) + 1j * np.sin(0.3 + steps) if kind.kind == "c" else np.cos(0.5 + steps)
    return flat.reshape(shape).astype(kind)


def dtype_of(dtype: Any) -> np.dtype[Any]:
    """NumPy's dtype for a name, "bfloat16" included."""
    kind: np.dtype[Any] = np.dtype(ml_dtypes.bfloat16 if dtype == "bfloat16" else dtype)
    return kind


def is_float(dtype: Any) -> bool:
    """Whether gradients flow through this dtype (floating or complex; `bfloat16` is of no NumPy kind)."""
    kind = dtype_of(dtype)
    return kind.kind in "fc" or kind.name == "bfloat16"


def _spread(count: int, seed: int) -> Array:
    """`count` numbers in [0, 1): splitmix64 of their position."""
    with np.errstate(over="ignore"):
        z = (np.arange(1, count + 1, dtype=np.uint64) + np.uint64(seed * 1_000_003)) * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        z ^= z >> np.uint64(31)
    return (z >> np.uint64(11)).astype(np.float64) / 2.0**53


def _array(value: Any) -> Array:
    if isinstance(value, (np.ndarray, np.generic)):
        return np.asarray(value)
    found = np.asarray(value)
    if found.dtype.kind == "f":
        return found.astype(np.float32)
    if found.dtype.kind == "i":
        return found.astype(np.int32)
    return found.astype(object) if found.dtype.kind in "SU" else found
