"""Kernels of Bessel functions and named integrals: SciPy's, and in float64 Chebyshev series where SciPy's are off by more than 4 ulp.

SciPy computes float32 in float64, so all it needs is rounding.  In float64 SciPy loses digits of an oscillating function's phase, and
beside the roots of Y0 and Ei.  What replaces it there is made by tests/make_special.py, and tests/test_special.py holds it against mpmath:
4 ulp of the value, for oscillating functions 4 ulp of their amplitude.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import factorial, inf, pi
from typing import Any

import numpy as np

from ...kernels import blocked
from ..math.kernels import block_costly, define_special
from . import coefficients as tables, incomplete_beta, incomplete_gamma
from .arrays import Arrays, chebyshev
from .piecewise import Array, Piece, piece_together

Table = tuple[float, float, list[float]]


def _compute_exactly(scipys: Callable[..., Any], formula: Callable[..., tuple[Array, Array]]) -> Callable[..., Any]:
    """A kernel of float64 by a formula where that is, and by SciPy elsewhere and for other dtypes."""

    def chunk(*arrays: Array) -> Array:
        with np.errstate(all="ignore"):
            value, inside = formula(*arrays)
        if not inside.all():
            value[~inside] = scipys(*(x[~inside] for x in arrays))
        return value

    def kernel(*arrays: Array) -> Any:
        if arrays[0].dtype != np.float64:
            return scipys(*arrays)
        given = np.broadcast_arrays(*arrays)
        flat = [x.reshape(-1) for x in given]
        out = np.empty(flat[0].size)
        for start in range(0, out.size, _CHUNK):
            at = slice(start, start + _CHUNK)
            out[at] = chunk(*(x[at] for x in flat))
        return out.reshape(given[0].shape)

    return kernel


def _prefer_native(kernel: Callable[..., Any], scipys: Callable[..., Any], broadcasts: bool = True) -> Callable[..., Any]:
    """A kernel in blocks that gives way to native code for arrays of any size, single numbers too: it is hundreds of passes.

    scipys: what serves small arrays of other dtypes.  broadcasts: False refuses arrays of different shapes, but for single numbers.
    """

    def call(*arrays: Array) -> Any:
        if not broadcasts and len({x.shape for x in arrays if x.ndim}) > 1:
            raise ValueError("one shape")  # the type rule finds the words
        if arrays[0].dtype != np.float64 and all(x.size < blocked.COSTLY for x in arrays):
            return scipys(*arrays)
        if any(x.ndim for x in arrays):
            return blocks(*arrays)
        return blocks(*(x.reshape(1) for x in arrays)).reshape(())

    blocks = blocked.block_kernel(kernel, known_as=call, least=1)
    return call


def _wide_betainc(a: Array, b: Array, x: Array) -> np.ndarray:
    """In float64: of float32 SciPy loses three digits."""
    return np.asarray(_BETAINC(*(np.asarray(v, np.float64) for v in (a, b, x)))).astype(x.dtype)


def _define_incomplete(scipys: Callable[..., Any], formula: Callable[..., tuple[Array, Array]]) -> Callable[..., Any]:
    return _prefer_native(_compute_exactly(scipys, formula), scipys)


_CHUNK = 1 << 11  # numbers whose integrals' nodes stay in the cache
igamma = _define_incomplete(define_special("gammainc"), partial(incomplete_gamma.evaluate_incomplete, Arrays, False))
igammac = _define_incomplete(define_special("gammaincc"), partial(incomplete_gamma.evaluate_incomplete, Arrays, True))
betainc = _prefer_native(
    _compute_exactly(_wide_betainc, partial(incomplete_beta.evaluate_incomplete, Arrays)), _wide_betainc, broadcasts=False
)


_GAMMALN, _BETAINC = define_special("gammaln"), define_special("betainc")


# ---- the gamma function


def _lgamma(x: Array) -> np.ndarray:
    """log |Gamma(x)|; infinite at both ends, and finite next to 0, where SciPy's has overflowed."""
    size = np.abs(x)
    tiny = (size < x.dtype.type(1e-30)) & (x != x.dtype.type(0))
    found = np.where(np.isinf(x), size, _GAMMALN(x))
    return np.where(tiny, -np.log(np.where(tiny, size, x.dtype.type(1))), found) if tiny.any() else found


lgamma = piece_together(
    _lgamma,
    (0.5, 1.75, lambda x: (x - 1.0) * (x - 2.0) * chebyshev(tables.LGAMMA_1, x)),
    (1.75, 3.5, lambda x: (x - 2.0) * chebyshev(tables.LGAMMA_2, x)),
)


# ---- Bessel functions


def _wave(order: int, first: bool, start: str) -> Callable[[Array], Array]:
    """J or Y, from the tables of its amplitudes by cosine and sine, with nothing taken from x before these."""
    a, b = (getattr(tables, f"BESSEL_{which}{order}_{start}") for which in "AB")

    def f(x: Array) -> Array:
        u, cosine, sine = 1.0 / x, np.cos(x), np.sin(x)
        by_cosine, by_sine = chebyshev(a, u), chebyshev(b, u)
        if first != bool(order):
            value = by_cosine * cosine + by_sine * sine
        else:
            value = by_cosine * sine - by_sine * cosine
        return np.asarray((-value if order and not first else value) / np.sqrt(pi * x))

    return f


def _waves(order: int, first: bool) -> list[Piece]:
    ends = (("2", 2.0, 5.0), ("5", 5.0, 12.0), ("12", 12.0, inf))
    return [(low, high, _wave(order, first, name)) for name, low, high in ends]


def _guard_pole(base: Callable[..., Any], beyond: float) -> Callable[..., Any]:
    """A function that TensorFlow gives the value of its pole for all x that are not positive."""
    return lambda x: blocked.select(x <= x.dtype.type(0), np.full((), beyond, x.dtype), np.asarray(base(x)))


def _evaluate_near_root(table: Table, root: tuple[float, float]) -> Callable[[Array], Array]:
    """A function with a root whose first digits and next digits are given: the difference is exact."""
    return lambda x: np.asarray(((x - root[0]) - root[1]) * chebyshev(table, x))


def _k0e(x: Array) -> Array:
    return np.asarray(chebyshev(tables.K0E, 1.0 / x) / np.sqrt(x))


def _k1e(x: Array) -> Array:
    return np.asarray(chebyshev(tables.K1E, 1.0 / x) / np.sqrt(x))


def _small_k0(x: Array) -> Array:
    logarithm, square = np.log(_HALF_E_TO_GAMMA * x), x * x
    return np.asarray(chebyshev(tables.K0_REST, square) - logarithm * chebyshev(tables.I0_REST, square) - logarithm)


def _modified_bessel(order: int, scaled: bool) -> Callable[..., Any]:
    """I0 or I1, by their power series below 8."""
    name = f"i{order}e" if scaled else f"i{order}"
    coefficients = [1.0 / (factorial(k) * factorial(k + order)) for k in range(27)]

    def evaluate_near(x: Array) -> Array:
        half = 0.5 * x
        value = Arrays.polynomial(half * half, coefficients)
        value = value * half if order else value
        return value * np.exp(-x) if scaled else value

    return piece_together(define_special(name), (0.0, 8.0, evaluate_near), symmetry=-1 if order else 1)


bessel_i0, bessel_i0e, bessel_i1, bessel_i1e = (_modified_bessel(order, scaled) for order in (0, 1) for scaled in (False, True))
_HALF_E_TO_GAMMA = 0.890536208995099
_PHASE = 1e4  # beyond, what SciPy rounds off a phase shows in a float32
bessel_j0 = piece_together(define_special("j0"), *_waves(0, True), symmetry=1, reach=_PHASE)
bessel_j1 = piece_together(define_special("j1"), *_waves(1, True), symmetry=-1, reach=_PHASE)
bessel_y0 = piece_together(
    _guard_pole(define_special("y0"), -inf),
    (0.65, 1.2, _evaluate_near_root(tables.Y0_NEAR_ROOT, tables.Y0_ROOT)),
    *_waves(0, False),
    reach=_PHASE,
)
bessel_y1 = piece_together(_guard_pole(define_special("y1"), -inf), *_waves(1, False), reach=_PHASE)
bessel_k0 = piece_together(
    _guard_pole(define_special("k0"), inf), (5e-324, 0.4, _small_k0), (0.4, 2.0, lambda x: np.asarray(np.exp(-x) * _k0e(x)))
)
bessel_k0e = piece_together(
    _guard_pole(define_special("k0e"), inf), (5e-324, 0.4, lambda x: np.asarray(np.exp(x) * _small_k0(x))), (0.4, 2.0, _k0e)
)
bessel_k1 = piece_together(_guard_pole(define_special("k1"), inf), (0.4, 2.0, lambda x: np.asarray(np.exp(-x) * _k1e(x))))
bessel_k1e = piece_together(_guard_pole(define_special("k1e"), inf), (0.4, 2.0, _k1e))


# ---- integrals


def _ei(table: Table) -> Callable[[Array], Array]:
    return lambda x: np.asarray(np.exp(x) / x * chebyshev(table, 1.0 / x))


def compute_in_float64(kernel: Callable[[Array], Any]) -> Callable[[Array], Any]:
    """The kernel of float64 for narrower numbers too: SciPy's own is slower."""

    def narrow(x: Array) -> Any:
        return kernel(x) if x.dtype == np.float64 else np.asarray(kernel(x.astype(np.float64))).astype(x.dtype)

    return block_costly(narrow)


def _ei_of_positive(x: Array) -> Array:
    """Ei where TensorFlow has it: from 0 on, below infinity."""
    return np.asarray(np.where((x >= 0) & (x < inf), define_special("expi")(x), x.dtype.type(np.nan)))


_expint = piece_together(
    _ei_of_positive,
    (0.25, 0.5, _evaluate_near_root(tables.EI_NEAR_ROOT, tables.EI_ROOT)),
    (0.5, 1.0, lambda x: chebyshev(tables.EI_HALF, x)),
    (1.0, 2.0, lambda x: chebyshev(tables.EI_1, x)),
    (2.0, 3.5, lambda x: chebyshev(tables.EI_2, x)),
    (3.5, 5.0, lambda x: chebyshev(tables.EI_3, x)),
    (5.0, 10.0, _ei(tables.EI_5)),
    (10.0, 20.0, _ei(tables.EI_10)),
    (20.0, 40.0, _ei(tables.EI_20)),
    (40.0, 700.0, _ei(tables.EI_40)),
)
expint = compute_in_float64(_expint)
dawsn = piece_together(
    define_special("dawsn"),
    (0.0, 1.0, lambda x: x * chebyshev(tables.DAWSN_0, x * x)),
    (1.0, 2.0, lambda x: chebyshev(tables.DAWSN_1, x)),
    (2.0, 3.0, lambda x: chebyshev(tables.DAWSN_2, x)),
    (3.0, 6.0, lambda x: chebyshev(tables.DAWSN_3, 1.0 / (x * x)) * 0.5 / x),
    (6.0, inf, lambda x: chebyshev(tables.DAWSN_6, 1.0 / (x * x)) * 0.5 / x),
    symmetry=-1,
)


def _spence_of_small(x: Array) -> Array:
    """pi^2 / 6 - log(x) log(1 - x) less the power series of the dilogarithm of x."""
    return np.asarray(pi * pi / 6 - (np.log(x) * np.log1p(-x) + x * Arrays.polynomial(x, _DILOGARITHM)))


_DILOGARITHM = tuple(1.0 / k**2 for k in range(1, 27))
spence = piece_together(
    define_special("spence"),
    (5e-324, 0.25, _spence_of_small),
    (0.25, 0.6, lambda x: chebyshev(tables.SPENCE_LOW, x)),
    (0.6, 1.5, lambda x: (1.0 - x) * chebyshev(tables.SPENCE_MIDDLE, x)),
    (1.5, 2.5, lambda x: chebyshev(tables.SPENCE_HIGH, x)),
)


def _quarter_turns(x: Array) -> Array:
    """x^2 modulo 4, without the rounding of x^2: the parts of Veltkamp's splitting multiply exactly."""
    big = x * 134217729.0
    high = big - (big - x)
    low = x - high
    square = x * x
    lost = ((high * high - square) + 2.0 * high * low) + low * low
    return np.asarray(np.fmod(square, 4.0) + lost)


def _fresnel(cosine: bool, start: str) -> Callable[[Array], Array]:
    f, g = (getattr(tables, f"FRESNEL_{which}_{start}") for which in "FG")

    def value(x: Array) -> Array:
        u, angle = 1.0 / (x * x), (pi / 2) * _quarter_turns(x)
        by_f, by_g = chebyshev(f, u) / x, chebyshev(g, u) / x
        if cosine:
            return np.asarray(0.5 + (by_f * np.sin(angle) - by_g * np.cos(angle)))
        return np.asarray(0.5 - (by_f * np.cos(angle) + by_g * np.sin(angle)))

    return value


def _fresnel_kernel(cosine: bool) -> Callable[[Array], Any]:
    start: Piece = (0.0, 1.5, lambda x: x * chebyshev(tables.FRESNEL_C, (x * x) * (x * x)))
    if not cosine:
        start = (0.0, 1.5, lambda x: x * (x * x) * chebyshev(tables.FRESNEL_S, (x * x) * (x * x)))
    pieces = [start] + [(low, high, _fresnel(cosine, name)) for name, low, high in (("1", 1.5, 2.5), ("2", 2.5, 5.0), ("5", 5.0, 1e150))]
    return piece_together(define_special("fresnel", 1 if cosine else 0), *pieces, symmetry=-1)


fresnel_cos, fresnel_sin = _fresnel_kernel(True), _fresnel_kernel(False)
