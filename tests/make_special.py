"""Makes the tables of `ops/special/kernels.py`: `python tests/make_special.py` writes special/coefficients.txt.

Each is the Chebyshev series, interpolated in 50 digits, of what is left of a function on an interval when its growth or its root is divided
out; as many terms as the last that matters to float64.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import mpmath as mp

from pullback.base.number_tables import text_of
from pullback.ops.special import coefficients

mp.mp.dps = 50
OUT = Path(__file__).parents[1] / "src/pullback/ops/special/coefficients.txt"
POINTS = 60
Y0_ROOT = mp.findroot(lambda x: mp.bessely(0, x), 0.89)
EI_ROOT = mp.findroot(mp.ei, 0.37)


def dawson(x: mp.mpf) -> mp.mpf:
    return mp.sqrt(mp.pi) / 2 * mp.exp(-x * x) * mp.erfi(x)


def scaled_erfc(t: mp.mpf) -> mp.mpf:
    """(1 + 2 x) exp(x^2) erfc(x) of t = (x - 4) / (x + 4)."""
    x = 4 * (1 + t) / (1 - t)
    return (1 + 2 * x) * mp.exp(x * x) * mp.erfc(x)


def cotangent_rest(z: mp.mpf) -> mp.mpf:
    """1 / f^2 less pi cot(pi f) / f of z = f^2."""
    return (1 - mp.pi * mp.sqrt(z) * mp.cot(mp.pi * mp.sqrt(z))) / z if z else mp.pi**2 / 3


def over_roots(x: mp.mpf) -> mp.mpf:
    """lgamma over the distances from its roots."""
    return mp.loggamma(x) / ((x - 1) * (x - 2))


def over_second_root(x: mp.mpf) -> mp.mpf:
    return mp.loggamma(x) / (x - 2)


def spence(x: mp.mpf) -> mp.mpf:
    return mp.re(mp.polylog(2, 1 - x))


def bessel_pair(order: int, second: bool) -> Callable[[mp.mpf], mp.mpf]:
    """a or b of 1/x, where (a cos x + b sin x) / sqrt(pi x) is J0 and (a sin x - b cos x) / sqrt(pi x) is Y0; -Y1 and J1 at order 1."""

    def of(u: mp.mpf) -> mp.mpf:
        x = 1 / u
        with mp.workdps(90):  # x may be large
            first, other = mp.besselj(order, x), mp.bessely(order, x)
            even, odd = (-other, first) if order else (first, other)
            c, s = mp.cos(x), mp.sin(x)
            return mp.sqrt(mp.pi * x) * (even * s - odd * c if second else even * c + odd * s)

    return of


def fresnel_pair(second: bool) -> Callable[[mp.mpf], mp.mpf]:
    """x f or x g of 1/x^2, where 1/2 + f sin(t) - g cos(t) is C(x) and 1/2 - f cos(t) - g sin(t) is S(x), t = pi x^2 / 2."""

    def of(u: mp.mpf) -> mp.mpf:
        x = 1 / mp.sqrt(u)
        if x > 1000:
            return sum((-1) ** m * mp.fac2(4 * m + 2 * second - 1) / (mp.pi * x * x) ** (2 * m + second) for m in range(8)) / mp.pi
        with mp.workdps(90):
            c, s = 0.5 - mp.fresnelc(x), 0.5 - mp.fresnels(x)
            t = mp.pi * x * x / 2
            return x * (c * mp.cos(t) + s * mp.sin(t) if second else s * mp.cos(t) - c * mp.sin(t))

    return of


def k0_rest(u: mp.mpf) -> mp.mpf:
    """K0 without its logarithm, of x^2."""
    x = mp.sqrt(u)
    return mp.besselk(0, x) + (mp.log(x / 2) + mp.euler) * mp.besseli(0, x)


def from_inverse(f: Callable[[mp.mpf], mp.mpf]) -> Callable[[mp.mpf], mp.mpf]:
    return lambda u: f(1 / u)


#: name: (the function of the table's variable, the interval of that variable)
TABLES: dict[str, tuple[Callable[[mp.mpf], mp.mpf], float, float]] = {
    "I0_REST": (lambda u: mp.besseli(0, mp.sqrt(u)) - 1, 0.0, 0.16),
    "K0_REST": (k0_rest, 1e-30, 0.16),
    "K0E": (from_inverse(lambda x: mp.sqrt(x) * mp.exp(x) * mp.besselk(0, x)), 0.5, 2.5),
    "K1E": (from_inverse(lambda x: mp.sqrt(x) * mp.exp(x) * mp.besselk(1, x)), 0.5, 2.5),
    "ERFCX": (scaled_erfc, -7 / 9, 0.76),
    "Y0_NEAR_ROOT": (lambda x: mp.bessely(0, x) / (x - Y0_ROOT), 0.65, 1.2),
    "EI_NEAR_ROOT": (lambda x: mp.ei(x) / (x - EI_ROOT), 0.25, 0.5),
    "EI_HALF": (mp.ei, 0.5, 1.0),
    "EI_1": (mp.ei, 1.0, 2.0),
    "EI_2": (mp.ei, 2.0, 3.5),
    "EI_3": (mp.ei, 3.5, 5.0),
    "EI_5": (from_inverse(lambda x: x * mp.exp(-x) * mp.ei(x)), 0.1, 0.2),
    "EI_10": (from_inverse(lambda x: x * mp.exp(-x) * mp.ei(x)), 0.05, 0.1),
    "EI_20": (from_inverse(lambda x: x * mp.exp(-x) * mp.ei(x)), 0.025, 0.05),
    "EI_40": (from_inverse(lambda x: x * mp.exp(-x) * mp.ei(x)), 1e-30, 0.025),
    "DAWSN_0": (lambda u: dawson(mp.sqrt(u)) / mp.sqrt(u) if u else mp.mpf(1), 0.0, 1.0),
    "DAWSN_1": (dawson, 1.0, 2.0),
    "DAWSN_2": (dawson, 2.0, 3.0),
    "DAWSN_3": (lambda u: 2 * dawson(1 / mp.sqrt(u)) / mp.sqrt(u), 1 / 36, 1 / 9),
    "DAWSN_6": (lambda u: 2 * dawson(1 / mp.sqrt(u)) / mp.sqrt(u), 1e-30, 1 / 36),
    "NDTRI": (lambda q: mp.sqrt(2) * mp.erfinv(1 - 2 * q), 0.03, 0.14),
    "LGAMMA_1": (over_roots, 0.49, 1.76),
    "LGAMMA_2": (over_second_root, 1.74, 3.51),
    "COTANGENT": (cotangent_rest, 0.0, 0.25),
    "SPENCE_LOW": (spence, 0.25, 0.6),
    "SPENCE_MIDDLE": (lambda x: spence(x) / (1 - x), 0.6, 1.5),
    "SPENCE_HIGH": (spence, 1.5, 2.5),
    **{
        f"BESSEL_{'AB'[second]}{order}_{name}": (bessel_pair(order, second), low, high)
        for order in (0, 1)
        for second in (False, True)
        for name, low, high in (("2", 0.2, 0.5), ("5", 1 / 12, 0.2), ("12", 1e-20, 1 / 12))
    },
    "FRESNEL_C": (lambda u: mp.fresnelc(u ** mp.mpf("0.25")) / u ** mp.mpf("0.25") if u else mp.mpf(1), 0.0, 5.1),
    "FRESNEL_S": (lambda u: mp.fresnels(u ** mp.mpf("0.25")) / u ** mp.mpf("0.75") if u else mp.pi / 6, 0.0, 5.1),
    **{
        f"FRESNEL_{'FG'[second]}_{name}": (fresnel_pair(second), low, high)
        for second in (False, True)
        for name, low, high in (("1", 0.16, 0.5), ("2", 0.04, 0.16), ("5", 1e-20, 0.04))
    },
}


def series(f: Callable[[mp.mpf], mp.mpf], low: float, high: float) -> list[float]:
    """The coefficients of the Chebyshev series on [low, high], lowest first."""
    middle, half = (mp.mpf(low) + high) / 2, (mp.mpf(high) - low) / 2
    angles = [mp.pi * (mp.mpf(k) + 0.5) / POINTS for k in range(POINTS)]
    values = [f(middle + half * mp.cos(a)) for a in angles]
    found = [2 * mp.fsum(v * mp.cos(j * a) for v, a in zip(values, angles, strict=True)) / POINTS for j in range(POINTS)]
    found[0] /= 2
    least = max(abs(v) for v in values) * mp.mpf(2) ** -58
    while abs(found[-1]) < least:
        found.pop()
    return [float(c) for c in found]


def main() -> None:
    rows = {name: [(low, high, *series(f, low, high))] for name, (f, low, high) in TABLES.items()}
    for name, root in (("Y0_ROOT", Y0_ROOT), ("EI_ROOT", EI_ROOT)):
        assert getattr(coefficients, name) == (float(root), float(root - float(root)))
    OUT.write_text(text_of(rows))


if __name__ == "__main__":
    main()
