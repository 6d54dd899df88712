"""How element-wise ops that are more than one scalar function are lowered for the engine: division, powers, shifts, parts, special ones.

An integer divided by zero, and an integer to a negative power, are checked; the kernel then says what is wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

_WIDE = (np.float32, np.float64)


def _is_whole(x: Any) -> bool:
    return x.dtype.kind in "iu"


def _refuse(steps: Any, bad: Any, among: Any) -> None:
    """Let the program report a fault where `bad` holds, if it computes anything."""
    if among.size:
        steps.check(bad)


def _divided(function: str, of_floats: Callable[..., Any]) -> Callable[..., Any]:
    """The lowering of a division: one of integers, and what it is of floats."""

    def lower(steps: Any, x: Any, y: Any) -> Any:
        if not _is_whole(x):
            return of_floats(steps, x, y)
        _refuse(steps, steps.compare("eq", y, 0), x)
        return steps.pointwise(function, x, y)

    return lower


floor_div = _divided("floordiv", lambda steps, x, y: steps.floor(x / y))
truncate_div = _divided("truncdiv", lambda steps, x, y: steps.trunc(x / y))
floor_mod = _divided("floormod", lambda steps, x, y: steps.floormod(x, y))
truncate_mod = _divided("truncmod", lambda steps, x, y: steps.fmod(x, y))


truncated_quotient = _divided("truncdiv", lambda steps, x, y: x / y)


def power(steps: Any, x: Any, y: Any) -> Any:
    """Pow."""
    if _is_whole(y) and y.dtype.kind == "i":
        _refuse(steps, steps.compare("lt", y, 0), y)
    return steps.pow(x, y)


def shift(function: str) -> Callable[..., Any]:
    """LeftShift, RightShift: by a number of bits kept within the width."""
    return lambda steps, x, y: steps.pointwise(function, x, steps.min(steps.max(y, 0), 8 * x.dtype.itemsize - 1))


def _nought_or(steps: Any, x: Any, value: Any) -> Any:
    return steps.select(steps.compare("eq", x, 0), 0, value)


def xlogy(steps: Any, x: Any, y: Any) -> Any:
    """Xlogy."""
    return _nought_or(steps, x, x * steps.log(y))


def xlog1py(steps: Any, x: Any, y: Any) -> Any:
    """Xlog1py."""
    return _nought_or(steps, x, x * steps.log1p(y))


def xdivy(steps: Any, x: Any, y: Any) -> Any:
    """Xdivy."""
    return _nought_or(steps, x, x / y)


def squared_difference(steps: Any, x: Any, y: Any) -> Any:
    """SquaredDifference: of complex numbers the square of the modulus."""
    difference = x - y
    return (steps.conj(difference) if difference.dtype.kind == "c" else difference) * difference


def near(steps: Any, x: Any, y: Any, *, tolerance: float = 1e-5) -> Any:
    """ApproximateEqual."""
    apart = x - y
    apart = steps.pointwise("abs", apart, dtype=np.zeros(0, apart.dtype).real.dtype) if apart.dtype.kind == "c" else steps.abs(apart)
    return steps.compare("lt", steps.cast(apart, np.float64), float(np.float32(tolerance)))


def population_count(steps: Any, x: Any) -> Any:
    """PopulationCount: how many bits are set."""
    return steps.cast(steps.popcount(steps.pointwise("bits", x, dtype=f"u{x.dtype.itemsize}")), np.uint8)


# ---- complex numbers


def real_valued(function: str) -> Callable[..., Any]:
    """The lowering of a function of complex numbers whose values are real: real, imag, abs, angle."""

    def lower(steps: Any, x: Any) -> Any:
        return steps.pointwise(function, x, dtype=np.zeros(0, x.dtype).real.dtype)

    return lower


def conjugate(steps: Any, x: Any) -> Any:
    """Conj; real numbers are their own."""
    return steps.conj(x) if x.dtype.kind == "c" else x


def conjugate_transpose(steps: Any, x: Any, perm: Any) -> Any:
    """ConjugateTranspose."""
    return steps.permute(conjugate(steps, x), [int(p) % max(len(x.dims), 1) for p in steps.known(perm).ravel()])


# ---- bits and checks


def bitcast(steps: Any, input: Any, *, type: Any) -> Any:
    """Bitcast: the same bytes under another dtype; a last axis comes or goes where the sizes differ."""
    wanted, given = np.dtype(type.numpy), input.dtype
    if wanted.itemsize == given.itemsize and "c" not in (wanted.kind, given.kind):
        return steps.pointwise("bits", input, dtype=wanted)
    if wanted.itemsize == given.itemsize:
        dims = input.dims
    elif wanted.itemsize < given.itemsize:
        dims = (*input.dims, given.itemsize // wanted.itemsize)
    else:
        dims = input.dims[:-1]
    return steps.reread(input, dims, wanted)


def check_numerics(steps: Any, tensor: Any, *, message: str) -> Any:
    """CheckNumerics: the tensor itself; a fault where a number is not finite."""
    steps.check(~steps.pointwise("isfinite", tensor, dtype=np.bool_))
    return tensor


# ---- special functions


def of_positive(name: str, beyond: float) -> Callable[..., Any]:
    """The lowering of a function of positive numbers; beyond: the value elsewhere."""
    return lambda steps, x: steps.select(steps.compare("le", x, 0), beyond, steps.pointwise(name, x))


def _odd_pole(steps: Any, x: Any, q: Any) -> Any:
    """Where the zeta function is neither finite nor of one sign: at the poles q = 0, -1, ... of an x that is not even."""
    pole = steps.compare("le", q, 0) & steps.compare("eq", q, steps.floor(q)) & steps.compare("gt", x, 1)
    return pole & steps.compare("ne", steps.floormod(x, steps.scalar(2, x)), 0)


def zeta(steps: Any, x: Any, q: Any) -> Any:
    """Zeta."""
    return steps.select(_odd_pole(steps, x, q), np.nan, steps.zeta(x, q))


def polygamma(steps: Any, a: Any, x: Any) -> Any:
    """Polygamma, in float64 as its kernel has it."""
    order, at = steps.cast(a, np.float64), steps.cast(x, np.float64)
    is_order = steps.compare("ge", order, 0) & steps.compare("eq", order, steps.floor(order))
    even = steps.compare("eq", steps.floormod(order, steps.scalar(2, order)), 0)
    first = steps.select(steps.compare("le", at, 0) & steps.compare("eq", at, steps.floor(at)), np.nan, steps.digamma(at))
    size = steps.gamma(order + 1.0) * zeta(steps, order + 1.0, at)
    higher = steps.select(even, -size, size)
    found = steps.select(steps.compare("eq", order, 0), first, higher)
    return steps.cast(steps.select(is_order, found, np.nan), x.dtype)
