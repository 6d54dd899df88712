"""Scalar functions of complex numbers, which are pairs of reals in registers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .. import llvm_ir as ir
from ..lowering.builder import Unsupported
from ..vector.math import REAL_VALUED, emit_complex, supported_complex
from ..vector.registers import PARTS, intrinsic, make_pair, parts


def complex_function(b: ir.IRBuilder, function: str, args: list[ir.Value], dtype: np.dtype[Any]) -> ir.Value:
    """A function of complex numbers of a dtype."""
    pairs = [parts(b, a) for a in args]
    if function in _BY_PARTS:
        return make_pair(b, *(_BY_PARTS[function](b, *each) for each in zip(*pairs, strict=True)))
    if function in _OTHERS:
        return _OTHERS[function](b, *pairs)
    if function == "rsqrt":
        root = emit_complex(b, "sqrt", *pairs)
        return make_pair(b, *emit_complex(b, "reciprocal", root))
    if not supported_complex(function, 8 * PARTS[dtype].itemsize):
        raise Unsupported(f"no native code for {function} of {dtype}")
    found = emit_complex(b, function, *pairs)
    return found if function in REAL_VALUED else make_pair(b, *found)


def _compare_equal(b: ir.IRBuilder, x: Any, y: Any) -> ir.Value:
    return b.and_(b.fcmp_ordered("==", x[0], y[0]), b.fcmp_ordered("==", x[1], y[1]))


def _conjugate(b: ir.IRBuilder, x: Any) -> ir.Value:
    return make_pair(b, x[0], b.fneg(x[1]))


_BY_PARTS: dict[str, Callable[..., ir.Value]] = {
    "add": lambda b, x, y: b.fadd(x, y),
    "sub": lambda b, x, y: b.fsub(x, y),
    "neg": lambda b, x: b.fneg(x),
    "rint": lambda b, x: intrinsic(b, "rint", [x]),
}
_OTHERS: dict[str, Callable[..., ir.Value]] = {
    "eq": _compare_equal,
    "ne": lambda b, x, y: b.not_(_compare_equal(b, x, y)),
    "conj": _conjugate,
    "real": lambda b, x: x[0],
    "imag": lambda b, x: x[1],
}
