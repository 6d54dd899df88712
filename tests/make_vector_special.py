"""Makes engine/vector/tables.txt with mpmath: `python tests/make_vector_special.py`; named tables anew, the rest kept.

Each table is what is left of a function on an interval when its growth or its root is divided out, as a polynomial in the place between
the ends, from -1 to 1: the Chebyshev interpolant, cut where the rest no longer matters to the result's format.  Short tables are for
float32 results, long ones for float64; both are evaluated in float64.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import mpmath as mp

from pullback.base.number_tables import rows_of, text_of
from pullback.engine.vector import tables

mp.mp.dps = 45
OUT = Path(__file__).parents[1] / "src/pullback/engine/vector/tables.txt"
POINTS = 72
#: What is left out, relative to the least value, by the bits of the result.
CUT = {32: mp.mpf(2) ** -32, 64: mp.mpf(2) ** -57}
Y0_ROOT = mp.findroot(lambda x: mp.bessely(0, x), 0.89)
EI_ROOT = mp.findroot(mp.ei, 0.37)
DIGAMMA_ROOT = mp.findroot(mp.digamma, 1.46)
Real = Callable[[mp.mpf], mp.mpf]


def of_root(f: Real) -> Real:
    """f of the square root."""
    return lambda z: f(mp.sqrt(z))


def inverted(f: Real) -> Real:
    """f of the reciprocal, or its limit."""
    return lambda u: f(1 / u)


def bessel_part(order: int, second: bool) -> Real:
    """P, or x Q, of 1 / x^2, where J = A (P cos t - Q sin t) and Y = A (P sin t + Q cos t), t = x - (2 order + 1) pi / 4."""

    def of(w: mp.mpf) -> mp.mpf:
        x = 1 / mp.sqrt(w)
        with mp.workdps(70):
            t, size = x - (2 * order + 1) * mp.pi / 4, mp.sqrt(mp.pi * x / 2)
            first, other, c, s = mp.besselj(order, x), mp.bessely(order, x), mp.cos(t), mp.sin(t)
            return size * x * (other * c - first * s) if second else size * (first * c + other * s)

    return of


def decayed_i(order: int, x: mp.mpf) -> mp.mpf:
    """exp(-x) I(x)."""
    return mp.besseli(order, x) * mp.exp(-x)


def grown_k(order: int, x: mp.mpf) -> mp.mpf:
    """sqrt(x) exp(x) K(x)."""
    return mp.sqrt(x) * mp.besselk(order, x) * mp.exp(x)


def k_rest(order: int, x: mp.mpf) -> mp.mpf:
    """K without its logarithm and its pole: K0 + log(x exp(euler) / 2) I0, or (K1 - log(x / 2) I1 - 1 / x) / x."""
    if order:
        return (mp.besselk(1, x) - mp.log(x / 2) * mp.besseli(1, x) - 1 / x) / x
    return mp.besselk(0, x) + (mp.log(x / 2) + mp.euler) * mp.besseli(0, x)


def fresnel_part(second: bool) -> Real:
    """x f, or x^3 g, of 1 / x^2, where C = 1/2 + f sin t - g cos t and S = 1/2 - f cos t - g sin t, t = pi x^2 / 2."""

    def of(w: mp.mpf) -> mp.mpf:
        x = 1 / mp.sqrt(w)
        if x > 300:
            terms = ((-1) ** m * mp.fac2(4 * m + 2 * second - 1) / (mp.pi * x * x) ** (2 * m + second) for m in range(8))
            return mp.fsum(terms) / mp.pi * (x * x if second else 1)
        with mp.workdps(70):
            c, s = mp.mpf(1) / 2 - mp.fresnelc(x), mp.mpf(1) / 2 - mp.fresnels(x)
            t = mp.pi * x * x / 2
            return x**3 * (c * mp.cos(t) + s * mp.sin(t)) if second else x * (s * mp.cos(t) - c * mp.sin(t))

    return of


def dawson(x: mp.mpf) -> mp.mpf:
    """Dawson's integral."""
    return mp.sqrt(mp.pi) / 2 * mp.exp(-x * x) * mp.erfi(x)


def spence_part(x: mp.mpf) -> mp.mpf:
    """Spence's integral over 1 - x."""
    return mp.re(mp.polylog(2, 1 - x)) / (1 - x) if x != 1 else mp.mpf(1)


def ei_powers(high: int, bits: int) -> list[float]:
    """(Ei(x) - log(x / root)) / (x - root) in powers of x / high, all positive: divided term by term, as many as matter up to 6."""
    powers = [mp.euler + mp.log(EI_ROOT), *(1 / (k * mp.factorial(k)) for k in range(1, 80))]
    found = [mp.fsum(p * EI_ROOT ** (j - k - 1) for j, p in enumerate(powers) if j > k) * mp.mpf(high) ** k for k in range(60)]
    count = len(found)
    sizes = [c * mp.mpf(0.75) ** k for k, c in enumerate(found)]
    while mp.fsum(sizes[count - 1 :]) < mp.fsum(sizes) * CUT[bits]:
        count -= 1
    return [float(c) for c in found[:count]]


def y0_rest(x: mp.mpf) -> mp.mpf:
    """Y0 without its logarithm."""
    return mp.bessely(0, x) - 2 / mp.pi * mp.log(x) * mp.besselj(0, x)


def y1_rest(x: mp.mpf) -> mp.mpf:
    """Y1 without its logarithm and its pole, over x."""
    return (mp.bessely(1, x) - 2 / mp.pi * (mp.log(x) * mp.besselj(1, x) - 1 / x)) / x


def cotangent_rest(x: mp.mpf) -> mp.mpf:
    """1 / x^2 less pi cot(pi x) / x."""
    return (1 - mp.pi * x * mp.cot(mp.pi * x)) / (x * x) if x else mp.pi**2 / 3


def digamma_part(x: mp.mpf) -> mp.mpf:
    """digamma over the distance from its root."""
    return mp.digamma(x) / (x - DIGAMMA_ROOT)


def lgamma_less(x: mp.mpf) -> mp.mpf:
    """What Stirling's formula leaves of lgamma, times x."""
    return x * (mp.loggamma(x) - (x - 0.5) * mp.log(x) + x - mp.log(2 * mp.pi) / 2)


NEVER_0 = mp.mpf(10) ** -9
#: name: (the function of the table's variable, the ends of that variable)
TABLES: dict[str, tuple[Real, mp.mpf | float, mp.mpf | float]] = {
    "J0_NEAR": (of_root(lambda x: mp.besselj(0, x)), 0, 4),
    "J1_NEAR": (of_root(lambda x: mp.besselj(1, x) / x), 0, 4),
    "Y0_NEAR": (of_root(y0_rest), 0, 4),
    "Y1_NEAR": (of_root(y1_rest), 0, 4),
    "Y0_ROUND": (lambda x: mp.bessely(0, x) / (x - Y0_ROOT), 0.6, 1.2),
    **{f"J{order}_MIDDLE": (partial(mp.besselj, order), 2, 4) for order in (0, 1)},
    **{f"Y{order}_MIDDLE": (partial(mp.bessely, order), 2, 4) for order in (0, 1)},
    **{
        name: row
        for order in (0, 1)
        for name, row in {
            f"I{order}E_MIDDLE": (partial(decayed_i, order), 4, 8),
            f"I{order}E_FAR": (inverted(lambda x, order=order: mp.sqrt(x) * decayed_i(order, x)), NEVER_0, 0.125),
            f"K{order}_REST": (of_root(partial(k_rest, order)), mp.mpf(10) ** -30, 0.25),
            f"K{order}E_MIDDLE": (partial(grown_k, order), 0.5, 2),
            f"K{order}E_FAR": (inverted(partial(grown_k, order)), NEVER_0, 0.5),
        }.items()
    },
    **{f"{'PQ'[second]}{order}": (bessel_part(order, bool(second)), NEVER_0, 1 / mp.mpf(16)) for order in (0, 1) for second in (0, 1)},
    "EI_6": (inverted(lambda x: x * mp.exp(-x) * mp.ei(x)), 0.1, mp.mpf(1) / 6),
    "EI_10": (inverted(lambda x: x * mp.exp(-x) * mp.ei(x)), 0.05, 0.1),
    "EI_20": (inverted(lambda x: x * mp.exp(-x) * mp.ei(x)), 0.025, 0.05),
    "EI_40": (inverted(lambda x: x * mp.exp(-x) * mp.ei(x)), NEVER_0, 0.025),
    "DAWSN_0": (of_root(lambda x: dawson(x) / x), 0, 1),
    "DAWSN_1": (dawson, 1, 2),
    "DAWSN_2": (dawson, 2, 3),
    "DAWSN_3": (of_root(inverted(lambda x: 2 * x * dawson(x))), mp.mpf(1) / 36, mp.mpf(1) / 9),
    "DAWSN_6": (of_root(inverted(lambda x: 2 * x * dawson(x))), NEVER_0, mp.mpf(1) / 36),
    "FRESNEL_C": (lambda u: mp.fresnelc(u ** mp.mpf("0.25")) / u ** mp.mpf("0.25") if u else mp.mpf(1), 0, 1.25**4),
    "FRESNEL_S": (lambda u: mp.fresnels(u ** mp.mpf("0.25")) / u ** mp.mpf("0.75") if u else mp.pi / 6, 0, 1.25**4),
    **{
        f"FRESNEL_{'FG'[second]}_{name}": (fresnel_part(bool(second)), low, high)
        for second in (0, 1)
        for name, low, high in (("1", 0.16, 0.64), ("2", 0.04, 0.16), ("5", NEVER_0, 0.04))
    },
    "SPENCE": (spence_part, 0.3, 1),
    "DIGAMMA_1": (digamma_part, 1, 2),
    "DIGAMMA_2": (digamma_part, 2, 4),
    "DIGAMMA_4": (of_root(inverted(lambda x: x * x * (mp.log(x) - 1 / (2 * x) - mp.digamma(x)))), NEVER_0, mp.mpf(1) / 16),
    "COTANGENT": (of_root(cotangent_rest), 0, 0.25),
    "LGAMMA_1": (lambda x: mp.loggamma(x) / ((x - 1) * (x - 2)), 0.75, 1.75),
    "LGAMMA_2": (lambda x: mp.loggamma(x) / (x - 2) if x != 2 else mp.digamma(2), 1.75, 3.5),
    "LGAMMA_4": (lambda x: mp.loggamma(x) / (x - 2), 3.5, 8),
    "LGAMMA_8": (of_root(inverted(lgamma_less)), NEVER_0, mp.mpf(1) / 64),
    "INVERSE_GAMMA": (mp.rgamma, 1, 2),
    "ATANH_REST": (lambda z: (mp.atanh(mp.sqrt(z)) / mp.sqrt(z) - 1) / z, NEVER_0, mp.mpf("0.1112")),
}


def i_powers(order: int, bits: int) -> list[float]:
    """I0, or I1 / x, in powers of x^2 / 16, all positive: as many as matter up to x = 4."""
    found = [mp.mpf(4) ** k / (mp.factorial(k) * mp.factorial(k + order) * 2**order) for k in range(40)]
    count = len(found)
    while mp.fsum(found[count - 1 :]) < mp.fsum(found) * CUT[bits]:
        count -= 1
    return [float(c) for c in found[:count]]


def series(f: Real, low: mp.mpf, high: mp.mpf) -> tuple[list[mp.mpf], mp.mpf]:
    """The coefficients of the Chebyshev series on [low, high], lowest first, and the least size of the function."""
    middle, half = (mp.mpf(low) + high) / 2, (mp.mpf(high) - low) / 2
    angles = [mp.pi * (mp.mpf(k) + 0.5) / POINTS for k in range(POINTS)]
    values = [f(middle + half * mp.cos(a)) for a in angles]
    found = [2 * mp.fsum(v * mp.cos(j * a) for v, a in zip(values, angles, strict=True)) / POINTS for j in range(POINTS)]
    found[0] /= 2
    return found, min(abs(v) for v in values)


def polynomial(chebyshev: list[mp.mpf]) -> list[float]:
    """The same sum in powers, lowest first."""
    before, last = [mp.mpf(1)], [mp.mpf(0), mp.mpf(1)]
    total = [mp.mpf(0)] * max(len(chebyshev), 2)
    for c in chebyshev:
        for k, p in enumerate(before):
            total[k] += c * p
        following = [mp.mpf(0), *(2 * p for p in last)]
        for k, p in enumerate(before):
            following[k] -= p
        before, last = last, following
    return [float(t) for t in total]


def rows_between(name: str, f: Real, low: mp.mpf, high: mp.mpf) -> list[tuple[float, ...]]:
    """The rows of a table: the bits of the result, scale, shift, coefficients."""
    found, least = series(f, low, high)
    scale, shift = float(2 / (mp.mpf(high) - low)), float(-(mp.mpf(high) + low) / (mp.mpf(high) - low))
    rows: list[tuple[float, ...]] = []
    for bits, cut in CUT.items():
        count = len(found)
        while count > 2 and mp.fsum(map(abs, found[count - 1 :])) < least * cut:
            count -= 1
        coefficients = polynomial(found[:count])
        growth = sum(map(abs, coefficients)) / float(least)
        print(name, bits, len(coefficients), f"sizes of the terms by the least value: {growth:.3g}", file=sys.stderr)
        rows.append((bits, scale, shift, *coefficients))
    return rows


def main() -> None:
    only = sys.argv[1:]
    out = {
        name: rows_of(tables.__file__, name) if only and name not in only else rows_between(name, f, low, high)
        for name, (f, low, high) in TABLES.items()
    }
    powers = {"EI_NEAR": (1 / 8, partial(ei_powers, 8))}
    powers |= {f"I{order}_NEAR": (1 / 16, partial(i_powers, order)) for order in (0, 1)}
    for name, (scale, made) in powers.items():
        out[name] = [(bits, scale, 0.0, *made(bits)) for bits in CUT]
    for name, root in (("Y0_ROOT", Y0_ROOT), ("EI_ROOT", EI_ROOT), ("DIGAMMA_ROOT", DIGAMMA_ROOT)):
        assert getattr(tables, name) == (float(root), float(root - float(root)))
    OUT.write_text(text_of(out))


if __name__ == "__main__":
    main()
