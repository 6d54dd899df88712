"""Margins that mirror what is inside: `MirrorPad`, and `MirrorPadGrad`, its adjoint, which folds margins back."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ir.op import Op, define
from ...ir.tensor import TensorType
from ..lowering import moves as native_moves
from .slice import PAD_DTYPES, find_margins, infer_pad, pad_with_zeros
from .type_rules import Array, check_one_of, invalid_argument


def _overlap(mode: str) -> int:
    """1 where the edge itself is not repeated."""
    return 1 if mode == "REFLECT" else 0


_MODES = ("REFLECT", "SYMMETRIC")


def _check_mirror(sizes: tuple[int, ...], paddings: Array, mode: str) -> None:
    if paddings.shape != (len(sizes), 2) or (paddings.size and paddings.min() < 0):
        raise ValueError("two sizes of at least 0 for each dimension")
    check_one_of(mode, _MODES, "mode")
    edge = _overlap(mode)
    for n, (a, b) in zip(sizes, paddings.tolist(), strict=True):
        if max(a, b) > n - edge:
            limit = (
                f"less than the dimension size: {a}, {b} not less than {n}"
                if edge
                else f"no greater than the dimension size: {a}, {b} greater than {n}"
            )
            raise invalid_argument(f"paddings must be {limit}")


def _mirror_type(input: Any, paddings: Any, *, mode: str) -> TensorType:
    check_one_of(mode, _MODES, "mode")
    return infer_pad(input, paddings)


def _mirror(input: Array, paddings: Array, *, mode: str) -> Array:
    _check_mirror(input.shape, paddings, mode)
    if not input.size or not input.ndim:
        return pad_with_zeros(input, paddings)
    return np.pad(input, [(int(a), int(b)) for a, b in paddings], mode="reflect" if mode == "REFLECT" else "symmetric")


def _fold_type(input: Any, paddings: Any, *, mode: str) -> TensorType:
    check_one_of(mode, _MODES, "mode")
    pairs = find_margins(input, paddings)
    if pairs is None:
        return TensorType(None, input.dtype)
    dims = input.dims or (None,) * len(pairs)
    inner = tuple(None if n is None or a is None or b is None else n - a - b for n, (a, b) in zip(dims, pairs, strict=True))
    return TensorType(inner, input.dtype)


def _fold(input: Array, paddings: Array, *, mode: str) -> Array:
    sizes = tuple(n - int(a) - int(b) for n, (a, b) in zip(input.shape, paddings, strict=True))
    _check_mirror(sizes, paddings, mode)
    edge, out = _overlap(mode), input.copy()
    for axis, (n, (a, b)) in enumerate(zip(sizes, paddings.tolist(), strict=True)):
        padded = np.moveaxis(out, axis, 0)
        inner = padded[a : a + n]
        inner[edge : edge + a] += padded[:a][::-1]
        inner[n - edge - b : n - edge] += padded[a + n :][::-1]
        out = np.moveaxis(inner, 0, axis)
    return out if out.flags.c_contiguous else out.copy()


MIRROR_PAD: Op = define(
    "MirrorPad",
    "input paddings:Tpaddings",
    _mirror_type,
    _mirror,
    {"input": lambda g, paddings, mode: MIRROR_PAD_GRAD(g, paddings, mode=mode)},
    dtypes=PAD_DTYPES,
    holomorphic=False,
    lower=native_moves.mirror_pad,
)
MIRROR_PAD_GRAD: Op = define(
    "MirrorPadGrad",
    "input paddings:Tpaddings",
    _fold_type,
    _fold,
    {"input": lambda g, paddings, mode: MIRROR_PAD(g, paddings, mode=mode)},
    dtypes=PAD_DTYPES,
    holomorphic=False,
    lower=native_moves.mirror_pad_grad,
)
