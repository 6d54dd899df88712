"""What the type rules and kernels of neural-network operations share."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.shapes import show
from ...ir.apply import ShapeError
from ...ir.tensor import Dims, TensorType
from ..array.type_rules import Array, invalid


def merged(a: Dims, b: Dims, what: str) -> Dims:
    """What two shapes that must agree say together; refuses those that do not."""
    if a is None or b is None:
        return b if a is None else a
    if len(a) != len(b):
        raise ShapeError(f"Shapes must be equal rank, but are {len(a)} and {len(b)}", f"{what}: {show(a)} vs. {show(b)}")
    for m, n in zip(a, b, strict=True):
        if m is not None and n is not None and m != n:
            raise ShapeError(f"Dimensions must be equal, but are {m} and {n}", f"{what}: {show(a)} vs. {show(b)}")
    return tuple(n if m is None else m for m, n in zip(a, b, strict=True))


def same_type(a: Any, b: Any) -> TensorType:
    """The type rule of operations on two tensors of one shape."""
    return TensorType(merged(a.dims, b.dims, "Inputs must have the same size"), a.dtype)


def require_same(a: Array, b: Array) -> None:
    """The kernel's side of `same_type`."""
    if a.shape != b.shape:
        raise invalid(f"Inputs must have the same size: {show(a.shape)} vs. {show(b.shape)}")


def one_of(value: str, allowed: tuple[str, ...], name: str) -> None:
    """Refuse an attribute that is none of the words `allowed`."""
    if value not in allowed:
        text = f"Value for attr '{name}' of \"{value}\" is not in the list of allowed values: {', '.join(allowed)}"
        raise ShapeError(text, text)


def layout_of(data_format: Any, default: str) -> str:
    """The order of dimensions that is given, the default for None; an AttributeError for what is no word, as TensorFlow's."""
    if data_format is None:
        return default
    if not isinstance(data_format, str):
        kind = type(data_format).__name__
        raise AttributeError(f"'{kind}' object has no attribute 'startswith': data_format is a word, not {data_format!r}")
    return data_format or default


def where_open(g: Array, gate: Array) -> Array:
    """`g` where `gate` holds, 0 elsewhere: its bits times 0 or 1, which costs no branch and lets infinities pass or not."""
    if g.dtype.kind in "iu":
        return g * gate
    out: Array = (g.view(_BITS[g.dtype.itemsize]) * gate).view(g.dtype)
    return out


def times_gate(g: Array, gate: Array) -> Array:
    """`g` times 1 where `gate` holds and 0 elsewhere, so what is not finite in `g` is NaN there, as TensorFlow gives."""
    out: Array = g * gate.astype(g.dtype)
    return out


_BITS: dict[int, np.dtype[Any]] = {2: np.dtype(np.int16), 4: np.dtype(np.int32), 8: np.dtype(np.int64)}
