"""Scalar functions as operations of StableHLO and CHLO: the one table that says what each of the engine's functions is there."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..lowering.builder import Unsupported
from .module import BOOL, Value, Writer

#: One operation each, for every dtype that it takes.
_SAME = {
    "add": "add", "sub": "subtract", "mul": "multiply", "div": "divide", "max": "maximum", "min": "minimum", "neg": "negate",
    "and": "and", "or": "or", "xor": "xor", "not": "not", "shl": "shift_left", "popcount": "popcnt", "truncdiv": "divide",
    "truncmod": "remainder", "fmod": "remainder", "floor": "floor", "ceil": "ceil", "rint": "round_nearest_even", "sqrt": "sqrt",
    "rsqrt": "rsqrt", "exp": "exponential", "expm1": "exponential_minus_one", "log": "log", "log1p": "log_plus_one", "sin": "sine",
    "cos": "cosine", "tan": "tan", "tanh": "tanh", "sigmoid": "logistic", "atan2": "atan2", "cbrt": "cbrt", "pow": "power",
    "sinh": "chlo.sinh", "cosh": "chlo.cosh", "asin": "chlo.asin", "acos": "chlo.acos", "atan": "chlo.atan", "asinh": "chlo.asinh",
    "acosh": "chlo.acosh", "atanh": "chlo.atanh", "erf": "chlo.erf", "erfc": "chlo.erfc", "erfinv": "chlo.erf_inv",
    "lgamma": "chlo.lgamma", "digamma": "chlo.digamma", "zeta": "chlo.zeta", "i1e": "chlo.bessel_i1e",
}  # fmt: skip
_COMPARISONS = {"lt": "LT", "le": "LE", "gt": "GT", "ge": "GE", "eq": "EQ", "ne": "NE"}
_OF_BOOL = {"max": "or", "min": "and", "mul": "and", "and": "and", "or": "or", "xor": "xor", "not": "not"}


def scalar(w: Writer, function: str, args: Sequence[Value], dtype: np.dtype[Any]) -> Value:
    """A scalar function of tensors of the same dims, whose result is of `dtype`."""
    given = args[-1].dtype
    if function == "cast":
        return cast(w, args[0], dtype)
    if function in _COMPARISONS:
        return compare(w, _COMPARISONS[function], *args)
    if function in _BY_PARTS:
        return _BY_PARTS[function](w, *args, dtype=dtype)
    if given == BOOL:
        if function not in _OF_BOOL:
            raise Unsupported(f"XLA has no {function} of bool")
        return w.op(_OF_BOOL[function], args, args[0].dims, dtype)
    op = _SAME.get(function)
    if op is None or (given.kind == "c" and op.startswith("chlo") and op not in _OF_COMPLEX):
        raise Unsupported(f"XLA has no {function} of {given.name}")
    if given.itemsize == 2 and given.kind not in "iu" and op not in _EXACT:
        # As the kernels do: in float32, rounded once.
        wide = [cast(w, a, np.dtype(np.float32)) for a in args]
        return cast(w, scalar(w, function, wide, np.dtype(np.float32)), dtype)
    return w.op(op, args, args[0].dims, dtype)


_OF_COMPLEX = frozenset({"chlo.sinh", "chlo.cosh", "chlo.asin", "chlo.acos", "chlo.atan", "chlo.asinh", "chlo.acosh", "chlo.atanh"})
_EXACT = frozenset({"maximum", "minimum", "negate", "floor", "ceil", "round_nearest_even"})


def compare(w: Writer, direction: str, x: Value, y: Value) -> Value:
    """A comparison."""
    kind = "UNSIGNED" if x.dtype.kind in "ub" else "SIGNED" if x.dtype.kind == "i" else "FLOAT"
    attributes = f"comparison_direction = #stablehlo<comparison_direction {direction}>, compare_type = #stablehlo<comparison_type {kind}>"
    return w.op("compare", (x, y), x.dims, BOOL, attributes)


def number(w: Writer, value: object, like: Value) -> Value:
    """One number, of the dims and dtype of a value."""
    return w.constant(value, like.dtype, like.dims)


def select(w: Writer, condition: Value, yes: Value, no: Value) -> Value:
    """`yes` where a condition holds, `no` elsewhere."""
    return w.op("select", (condition, yes, no), yes.dims, yes.dtype)


# ---- casts


def cast(w: Writer, x: Value, dtype: np.dtype[Any]) -> Value:
    """The same values as another dtype, rounded as the engine's own casts."""
    if x.dtype == dtype:
        return x
    if x.dtype.kind == "c" and dtype.kind != "c":
        real = np.zeros(0, x.dtype).real.dtype
        return cast(w, w.op("real", (x,), x.dims, real), dtype)
    if dtype.kind == "c" and x.dtype.kind != "c":
        part = cast(w, x, np.zeros(0, dtype).real.dtype)
        return w.op("complex", (part, number(w, 0, part)), x.dims, dtype)
    if dtype == BOOL:
        return compare(w, "NE", x, number(w, 0, x))
    if dtype.kind in "iu" and x.dtype.kind not in "iub":
        return _cast_whole(w, x, dtype)
    return w.op("convert", (x,), x.dims, dtype)


def _cast_whole(w: Writer, x: Value, dtype: np.dtype[Any]) -> Value:
    """A float as an integer: for what it cannot hold, what an x86 gives."""
    if x.dtype.itemsize == 2:
        x = w.op("convert", (x,), x.dims, np.float32)
    if dtype == np.uint64:
        large = compare(w, "GE", x, number(w, 2.0**63, x))
        small = _cast_whole(w, x, _I64)
        top = number(w, -(2**63), small)
        rest = _cast_whole(w, w.op("subtract", (x, number(w, 2.0**63, x)), x.dims, x.dtype), _I64)
        rest = select(w, compare(w, "GE", x, number(w, 2.0**64, x)), top, w.op("xor", (rest, top), x.dims, _I64))
        return w.op("convert", (select(w, large, rest, small),), x.dims, dtype)
    bits = 64 if dtype.itemsize == 8 or dtype == np.uint32 else 32
    whole = np.dtype(f"i{bits // 8}")
    if x.dtype == np.float64 and bits == 32:  # what is cut to the least one fits too
        above = compare(w, "GT", x, number(w, -(2.0**31) - 1, x))
    else:
        above = compare(w, "GE", x, number(w, -(2.0 ** (bits - 1)), x))
    fits = w.op("and", (above, compare(w, "LT", x, number(w, 2.0 ** (bits - 1), x))), x.dims, BOOL)
    found = w.op("convert", (select(w, fits, x, number(w, 0, x)),), x.dims, whole)
    found = select(w, fits, found, number(w, -(2 ** (bits - 1)), found))
    return found if whole == dtype else w.op("convert", (found,), x.dims, dtype)


_I64 = np.dtype(np.int64)


# ---- what is more than one operation, or other for some dtypes


def _bits(w: Writer, x: Value, *, dtype: np.dtype[Any]) -> Value:
    return x if x.dtype == dtype else w.op("bitcast_convert", (x,), x.dims, dtype)


def _magnitude(w: Writer, x: Value, *, dtype: np.dtype[Any]) -> Value:
    return x if x.dtype.kind == "u" else w.op("abs", (x,), x.dims, dtype)


def _sign(w: Writer, x: Value, *, dtype: np.dtype[Any]) -> Value:
    if x.dtype.kind == "u":
        return w.op("minimum", (x, number(w, 1, x)), x.dims, dtype)
    return w.op("sign", (x,), x.dims, dtype)


def _truncate(w: Writer, x: Value, *, dtype: np.dtype[Any]) -> Value:
    up, down = (w.op(op, (x,), x.dims, dtype) for op in ("ceil", "floor"))
    return select(w, compare(w, "LT", x, number(w, 0, x)), up, down)


def _square(w: Writer, x: Value, *, dtype: np.dtype[Any]) -> Value:
    return w.op("multiply", (x, x), x.dims, dtype)


def _shift_right(w: Writer, x: Value, y: Value, *, dtype: np.dtype[Any]) -> Value:
    return w.op("shift_right_arithmetic" if dtype.kind == "i" else "shift_right_logical", (x, y), x.dims, dtype)


def _floor_modulo(w: Writer, x: Value, y: Value, *, dtype: np.dtype[Any]) -> Value:
    rest = w.op("remainder", (x, y), x.dims, dtype)
    if dtype.kind == "u":
        return rest
    return select(w, _is_apart(w, rest, y), w.op("add", (rest, y), x.dims, dtype), rest)


def _is_apart(w: Writer, rest: Value, y: Value) -> Value:
    """Whether a remainder is not 0 and of another sign than the divisor."""
    signs = [compare(w, "LT", v, number(w, 0, v)) for v in (rest, y)]
    return w.op("and", (compare(w, "NE", rest, number(w, 0, rest)), w.op("xor", signs, rest.dims, BOOL)), rest.dims, BOOL)


def _floor_quotient(w: Writer, x: Value, y: Value, *, dtype: np.dtype[Any]) -> Value:
    quotient = w.op("divide", (x, y), x.dims, dtype)
    if dtype.kind == "u":
        return quotient
    rest = w.op("remainder", (x, y), x.dims, dtype)
    return select(w, _is_apart(w, rest, y), w.op("subtract", (quotient, number(w, 1, quotient)), x.dims, dtype), quotient)


def _is_finite(w: Writer, x: Value, *, dtype: np.dtype[Any]) -> Value:
    return w.op("is_finite", (x,), x.dims, BOOL)


def _is_nan(w: Writer, x: Value, *, dtype: np.dtype[Any]) -> Value:
    return compare(w, "NE", x, x)


def _is_infinite(w: Writer, x: Value, *, dtype: np.dtype[Any]) -> Value:
    return compare(w, "EQ", w.op("abs", (x,), x.dims, x.dtype), number(w, math.inf, x))


def _softplus(w: Writer, x: Value, *, dtype: np.dtype[Any]) -> Value:
    if dtype.itemsize == 2:
        return cast(w, _softplus(w, cast(w, x, np.dtype(np.float32)), dtype=np.dtype(np.float32)), dtype)
    size = w.op("negate", (w.op("abs", (x,), x.dims, dtype),), x.dims, dtype)
    tail = w.op("log_plus_one", (w.op("exponential", (size,), x.dims, dtype),), x.dims, dtype)
    return w.op("add", (w.op("maximum", (x, number(w, 0, x)), x.dims, dtype), tail), x.dims, dtype)


def _real_part(w: Writer, x: Value, *, dtype: np.dtype[Any]) -> Value:
    return w.op("real", (x,), x.dims, dtype)


def _imaginary(w: Writer, x: Value, *, dtype: np.dtype[Any]) -> Value:
    return w.op("imag", (x,), x.dims, dtype)


def _angle(w: Writer, x: Value, *, dtype: np.dtype[Any]) -> Value:
    return w.op("atan2", (_imaginary(w, x, dtype=dtype), _real_part(w, x, dtype=dtype)), x.dims, dtype)


def _pair(w: Writer, x: Value, y: Value, *, dtype: np.dtype[Any]) -> Value:
    return w.op("complex", (x, y), x.dims, dtype)


def _conjugate(w: Writer, x: Value, *, dtype: np.dtype[Any]) -> Value:
    part = np.zeros(0, dtype).real.dtype
    return _pair(w, _real_part(w, x, dtype=part), w.op("negate", (_imaginary(w, x, dtype=part),), x.dims, part), dtype=dtype)


def _choose(w: Writer, condition: Value, yes: Value, no: Value, *, dtype: np.dtype[Any]) -> Value:
    return select(w, condition, yes, no)


def _next_after(w: Writer, x: Value, y: Value, *, dtype: np.dtype[Any]) -> Value:
    return w.op("chlo.broadcast_next_after", (x, y), x.dims, dtype)


def _reciprocal(w: Writer, x: Value, *, dtype: np.dtype[Any]) -> Value:
    return w.op("divide", (number(w, 1, x), x), x.dims, dtype)


_BY_PARTS: dict[str, Callable[..., Value]] = {
    "bits": _bits, "abs": _magnitude, "sign": _sign, "trunc": _truncate, "square": _square, "shr": _shift_right,
    "floormod": _floor_modulo, "floordiv": _floor_quotient, "isfinite": _is_finite, "isnan": _is_nan, "isinf": _is_infinite,
    "softplus": _softplus, "real": _real_part, "imag": _imaginary, "angle": _angle, "complex": _pair, "conj": _conjugate,
    "select": _choose, "nextafter": _next_after, "reciprocal": _reciprocal,
}  # fmt: skip
