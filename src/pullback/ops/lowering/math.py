"""How element-wise ops that are more than one scalar function are lowered for the engine: division, powers, shifts, parts, special ones.

An integer divided by zero, and an integer to a negative power, are checked; the kernel then says what is wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from ...engine.lowering.builder import Builder
    from ...engine.lowering.index_expr import IndexExpr

_WIDE = (np.float32, np.float64)


def _is_whole(x: Any) -> bool:
    return x.dtype.kind in "iu"


def _refuse(builder: Builder, bad: Any, among: Any) -> None:
    """Let the program report a fault where `bad` holds, if it computes anything."""
    if among.size:
        builder.check(bad)


def _lower_division(function: str, of_floats: Callable[..., Any]) -> Callable[..., Any]:
    """The lowering of a division: one of integers, and what it is of floats."""

    def lower(builder: Any, x: Any, y: Any) -> Any:
        if not _is_whole(x):
            return of_floats(builder, x, y)
        _refuse(builder, builder.compare("eq", y, 0), x)
        return builder.pointwise(function, x, y)

    return lower


floor_div = _lower_division("floordiv", lambda builder, x, y: builder.floor(x / y))
truncate_div = _lower_division("truncdiv", lambda builder, x, y: builder.trunc(x / y))
floor_mod = _lower_division("floormod", lambda builder, x, y: builder.floormod(x, y))
truncate_mod = _lower_division("truncmod", lambda builder, x, y: builder.fmod(x, y))


truncated_quotient = _lower_division("truncdiv", lambda builder, x, y: x / y)


def power(builder: Builder, x: IndexExpr, y: IndexExpr) -> IndexExpr:
    """Pow."""
    if _is_whole(y) and y.dtype.kind == "i":
        _refuse(builder, builder.compare("lt", y, 0), y)
    return builder.pow(x, y)


def shift(function: str) -> Callable[..., Any]:
    """LeftShift, RightShift: by a number of bits kept within the width."""
    return lambda builder, x, y: builder.pointwise(function, x, builder.min(builder.max(y, 0), 8 * x.dtype.itemsize - 1))


def _keep_zero(builder: Builder, x: Any, value: Any) -> IndexExpr:
    return builder.select(builder.compare("eq", x, 0), 0, value)


def xlogy(builder: Builder, x: IndexExpr, y: IndexExpr) -> IndexExpr:
    """Xlogy."""
    return _keep_zero(builder, x, x * builder.log(y))


def xlog1py(builder: Builder, x: IndexExpr, y: IndexExpr) -> IndexExpr:
    """Xlog1py."""
    return _keep_zero(builder, x, x * builder.log1p(y))


def xdivy(builder: Builder, x: IndexExpr, y: IndexExpr) -> IndexExpr:
    """Xdivy."""
    return _keep_zero(builder, x, x / y)


def squared_difference(builder: Builder, x: IndexExpr, y: IndexExpr) -> IndexExpr:
    """SquaredDifference: of complex numbers the square of the modulus."""
    difference = x - y
    return (builder.conj(difference) if difference.dtype.kind == "c" else difference) * difference


def compare_near(builder: Builder, x: IndexExpr, y: IndexExpr, *, tolerance: float = 1e-5) -> IndexExpr:
    """ApproximateEqual."""
    apart = x - y
    apart = builder.pointwise("abs", apart, dtype=np.zeros(0, apart.dtype).real.dtype) if apart.dtype.kind == "c" else builder.abs(apart)
    return builder.compare("lt", builder.cast(apart, np.float64), float(np.float32(tolerance)))


def population_count(builder: Builder, x: IndexExpr) -> IndexExpr:
    """PopulationCount: how many bits are set."""
    return builder.cast(builder.popcount(builder.pointwise("bits", x, dtype=f"u{x.dtype.itemsize}")), np.uint8)


# ---- complex numbers


def lower_real_valued(function: str) -> Callable[..., Any]:
    """The lowering of a function of complex numbers whose values are real: real, imag, abs, angle."""

    def lower(builder: Any, x: Any) -> Any:
        return builder.pointwise(function, x, dtype=np.zeros(0, x.dtype).real.dtype)

    return lower


def conjugate(builder: Builder, x: Any) -> IndexExpr:
    """Conj; real numbers are their own."""
    return builder.conj(x) if x.dtype.kind == "c" else x


def conjugate_transpose(builder: Builder, x: IndexExpr, perm: IndexExpr) -> IndexExpr:
    """ConjugateTranspose."""
    return builder.permute(conjugate(builder, x), [int(p) % max(len(x.dims), 1) for p in builder.get_constant(perm).ravel()])


# ---- bits and checks


def bitcast(builder: Builder, input: IndexExpr, *, type: Any) -> IndexExpr:
    """Bitcast: the same bytes under another dtype; a last axis comes or goes where the sizes differ."""
    wanted, given = np.dtype(type.numpy_dtype), input.dtype
    if wanted.itemsize == given.itemsize and "c" not in (wanted.kind, given.kind):
        return builder.pointwise("bits", input, dtype=wanted)
    if wanted.itemsize == given.itemsize:
        dims = input.dims
    elif wanted.itemsize < given.itemsize:
        dims = (*input.dims, given.itemsize // wanted.itemsize)
    else:
        dims = input.dims[:-1]
    return builder.reread(input, dims, wanted)


def check_numerics(builder: Builder, tensor: IndexExpr, *, message: str) -> IndexExpr:
    """CheckNumerics: the tensor itself; a fault where a number is not finite."""
    builder.check(~builder.pointwise("isfinite", tensor, dtype=np.bool_))
    return tensor


# ---- special functions


def lower_positive(name: str, beyond: float) -> Callable[..., Any]:
    """The lowering of a function of positive numbers; beyond: the value elsewhere."""
    return lambda builder, x: builder.select(builder.compare("le", x, 0), beyond, builder.pointwise(name, x))


def _odd_pole(builder: Builder, x: Any, q: Any) -> IndexExpr:
    """Where the zeta function is neither finite nor of one sign: at the poles q = 0, -1, ... of an x that is not even."""
    pole = builder.compare("le", q, 0) & builder.compare("eq", q, builder.floor(q)) & builder.compare("gt", x, 1)
    return pole & builder.compare("ne", builder.floormod(x, builder.scalar(2, x)), 0)


def zeta(builder: Builder, x: IndexExpr, q: IndexExpr) -> IndexExpr:
    """Zeta."""
    return builder.select(_odd_pole(builder, x, q), np.nan, builder.zeta(x, q))


def polygamma(builder: Builder, a: IndexExpr, x: IndexExpr) -> IndexExpr:
    """Polygamma, in float64 as its kernel has it."""
    order, at = builder.cast(a, np.float64), builder.cast(x, np.float64)
    is_order = builder.compare("ge", order, 0) & builder.compare("eq", order, builder.floor(order))
    even = builder.compare("eq", builder.floormod(order, builder.scalar(2, order)), 0)
    first = builder.select(builder.compare("le", at, 0) & builder.compare("eq", at, builder.floor(at)), np.nan, builder.digamma(at))
    size = builder.gamma(order + 1.0) * zeta(builder, order + 1.0, at)
    higher = builder.select(even, -size, size)
    found = builder.select(builder.compare("eq", order, 0), first, higher)
    return builder.cast(builder.select(is_order, found, np.nan), x.dtype)
