"""`python -m benchmarks.accuracy`: how far mathematical functions are from mpmath's values, in units in the last place.

Each function is asked at random points spread over the exponents of its domain, over the interval where most happens, and beside its
roots and poles; in float32 and float64, by its NumPy kernel and natively.  `--write` writes docs/accuracy.md.
"""

from __future__ import annotations

import argparse
import math
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import mpmath
import numpy as np

import pullback as tf
from pullback.engine.jit_policy import Settings
from pullback.kernels import blocked

PAGE = Path(__file__).parents[1] / "docs" / "accuracy.md"
HEAD = """# How exact mathematical functions are

Made by `python -m benchmarks.accuracy --write`: the greatest distance from mpmath's value at {points} random points (a part of them where
mpmath takes long), in units in the last place of that value, and where it is. Points are spread over the exponents of the domain, over the
interval where most happens, and beside roots and poles; the kernel that serves small arrays and the native code that serves large ones are
both asked, and the worse one counts. The promise is 4 units.

Where a function swings (Bessel's J and Y), units are those of its amplitude; for `lgamma` and `digamma` of negative numbers, which have a
root beside every pole, those of log |x| or 1. Values below the least normal number are left out.

| function | float32 | float64 | float32's worst at | float64's worst at |
|---|--:|--:|---|---|
"""
Draw = Callable[[Any, int, int], Any]
SPECIAL, MATH = tf.math.special, tf.math


@dataclass(frozen=True)
class Row:
    """A function: what it is, what is true, where its arguments come from, and a least size whose unit counts.

    draws: of each kind of points, one function for each argument: from a generator, how many and the bits of the format.
    """

    call: Callable[..., Any]
    truth: Callable[..., Any]
    draws: Sequence[Sequence[Draw]]
    least: Callable[..., float] = field(default=lambda *at: 0.0)
    share: float = 1.0  # of the points that are asked for: some truths take long


# ---- where


def powers(low: float, high: float, signs: str = "+") -> Draw:
    """Numbers of every magnitude from 2^low to 2^high, within the format."""

    def drawn(rng: Any, n: int, bits: int) -> Any:
        least, most = (-149, 127) if bits == 32 else (-1074, 1023)
        size = 2.0 ** rng.uniform(max(low, least), min(high, most), n)
        return size * rng.choice([-1.0, 1.0], n) if signs == "±" else -size if signs == "-" else size

    return drawn


def between(low: float, high: float) -> Draw:
    return lambda rng, n, bits: rng.uniform(low, high, n)


def beside(*centres: float, widest: float = -2) -> Draw:
    """Numbers at every distance from one of these."""

    def drawn(rng: Any, n: int, bits: int) -> Any:
        away = 2.0 ** rng.uniform(-24 if bits == 32 else -53, widest, n) * rng.choice([-1.0, 1.0], n)
        return rng.choice(centres, n) + away

    return drawn


def below(centre: float) -> Draw:
    return lambda rng, n, bits: centre - 2.0 ** rng.uniform(-24 if bits == 32 else -53, -2, n)


def above(centre: float) -> Draw:
    return lambda rng, n, bits: centre + 2.0 ** rng.uniform(-23 if bits == 32 else -52, 3, n)


def whole(low: int, high: int) -> Draw:
    return lambda rng, n, bits: rng.integers(low, high, n).astype(float)


def ones(*draws: Draw) -> list[list[Draw]]:
    return [[d] for d in draws]


# ---- what is true


def quantile(p: Any) -> Any:
    """Of the normal distribution, by Newton's method on the logarithm of the nearer tail."""
    tail = min(p, 1 - p)
    y = mpmath.sqrt(-2 * mpmath.log(tail)) * mpmath.mpf("0.9") if tail < 0.1 else mpmath.mpf(1)
    for _ in range(100):
        reached = mpmath.ncdf(-y)
        step = mpmath.log(reached / tail) * reached / mpmath.npdf(y)
        y += step
        if abs(step) < mpmath.mpf(2) ** -110 * (1 + abs(y)):
            break
    return y if p > 0.5 else -y


def side(a: Any, x: Any, upper: bool) -> Any:
    """The incomplete gamma functions: by the sum of positive terms, beyond a by the continued fraction."""
    with mpmath.workprec(300):
        density = mpmath.exp(a * mpmath.log(x) - x - mpmath.loggamma(a + 1))
        if x <= max(a + 1, 2):
            term = total = mpmath.mpf(1)
            n = 1
            while term > total * mpmath.mpf(2) ** -300:
                term *= x / (a + n)
                total += term
                n += 1
            return 1 - density * total if upper else density * total
        d = change = total = 1 / (x + 1 - a)
        n = 1
        while abs(change) > abs(total) * mpmath.mpf(2) ** -200:
            b = x + 1 - a + 2 * n
            d = 1 / (n * (a - n) * d + b)
            change *= b * d - 1
            total += change
            n += 1
        found = density * a * total
        return found if upper else 1 - found


def beta_sum(a: Any, b: Any, x: Any, y: Any) -> Any:
    term = total = mpmath.mpf(1)
    n = 1
    while term > total * mpmath.mpf(2) ** -mpmath.mp.prec or (a + b + n) * x > a + n + 1:
        term *= (a + b + n - 1) / (a + n) * x
        total += term
        n += 1
    factor = a * mpmath.log(x) + b * mpmath.log(y) + mpmath.loggamma(a + b) - mpmath.loggamma(a) - mpmath.loggamma(b)
    return total * mpmath.exp(factor) / a


def beta(a: Any, b: Any, x: Any) -> Any:
    with mpmath.workprec(300):
        y = 1 - x
        return 1 - beta_sum(b, a, y, x) if x > 0.9 or (x > 0.5 and a * y < b * x) else beta_sum(a, b, x, y)


def hurwitz(x: Any, q: Any) -> Any:
    """By Euler and Maclaurin's formula: mpmath's own is right to so many places after the point only."""
    with mpmath.workprec(200):
        w = q + 40
        total = sum((q + n) ** -x for n in range(40)) + w**-x * (w / (x - 1) + mpmath.mpf(1) / 2)
        product = x * w ** (-x - 1)
        for k in range(1, 41):
            total += mpmath.bernoulli(2 * k) / mpmath.factorial(2 * k) * product
            product *= (x + 2 * k - 1) * (x + 2 * k) / (w * w)
        return total


def polygamma(a: Any, x: Any) -> Any:
    return mpmath.digamma(x) if a == 0 else (-1) ** (int(a) + 1) * mpmath.factorial(a) * hurwitz(a + 1, x)


def dawson(x: Any) -> Any:
    if abs(x) > 50:  # its asymptotic series
        return sum(mpmath.fac2(2 * k - 1) / (mpmath.mpf(2) ** (k + 1) * x ** (2 * k + 1)) for k in range(40))
    with mpmath.workprec(200 + int(abs(x) ** 2 * 3)):
        return mpmath.sqrt(mpmath.pi) / 2 * mpmath.exp(-x * x) * mpmath.erfi(x)


def dilogarithm(x: Any) -> Any:
    with mpmath.workprec(250):
        return mpmath.re(mpmath.polylog(2, 1 - x))


def bessel(f: Callable[..., Any], order: int, scaled: int = 0) -> Callable[[Any], Any]:
    return lambda x: f(order, x) * (mpmath.exp(scaled * abs(x)) if scaled else 1)


def lgamma(x: Any) -> Any:
    with mpmath.workprec(300):
        return mpmath.log(abs(mpmath.gamma(x))) if x < 1e5 else mpmath.loggamma(x)


def amplitude(x: float) -> float:
    return math.sqrt(2 / (math.pi * abs(x))) if abs(x) > 1.2 else 0.0


def of_negative(x: float) -> float:
    """Beside the roots between two poles."""
    return max(1.0, math.log(abs(x))) if x < 0 else 0.0


# ---- the functions

WAVE = ones(powers(-300, 40, "±"), between(-60, 60), between(-6, 6))
WAVE_OF_POSITIVE = ones(powers(-300, 40), between(0, 60), between(0, 6), beside(0.8935769662791675, 2.197141326031017))
FADING = ones(powers(-1000, 9.4), between(0, 20), beside(2.0, 8.0))
SCALED = ones(powers(-1000, 20), between(0, 20), beside(2.0, 8.0))
GROWING = ones(powers(-300, 9.4, "±"), between(-20, 20), beside(-8.0, 8.0))
BOTH_SIDES = ones(powers(-1060, 300, "±"), between(-20, 20))
ANGLE = ones(powers(-300, 300, "±"), between(-20, 20), lambda rng, n, bits: rng.integers(-1000, 1000, n) * (math.pi / 4))
PAIRS = [[powers(-300, 300, "±"), powers(-300, 300)], [between(-5, 5), between(0, 5)], [between(-5, 5), beside(1.0)]]
NEGATIVE = ones(between(-20, 0), beside(-1.0, -2.0, -5.0), powers(-1000, 7, "-"))
GAMMA_PLACES = [
    [powers(-33, 20), powers(-33, 20)],
    [between(0.01, 20), between(0, 30)],
    [powers(-33, 0), between(0, 3)],
    [powers(3, 12), powers(3, 12)],
]
BETA_PLACES = [
    [powers(-33, 8), powers(-33, 8), between(0, 1)],
    [between(0.01, 20), between(0.01, 20), between(0, 1)],
    [powers(-33, 8), powers(-33, 8), powers(-33, 0)],
    [powers(-4, 8), powers(-4, 8), below(1.0)],
]
ROWS: dict[str, Row] = {
    "erf": Row(MATH.erf, mpmath.erf, ones(powers(-1070, 4, "±"), between(-6, 6))),
    "erfc": Row(MATH.erfc, mpmath.erfc, ones(powers(-1070, 4.75, "±"), between(-6, 27), between(-1, 10))),
    "erfinv": Row(MATH.erfinv, mpmath.erfinv, ones(powers(-1060, 0, "±"), between(-1, 1), below(1.0)), share=0.5),
    "erfcinv": Row(
        MATH.erfcinv, lambda x: -quantile(x / 2) / mpmath.sqrt(2), ones(powers(-124, 1), between(0, 2), beside(1.0), below(2.0)), share=0.3
    ),
    "ndtri": Row(MATH.ndtri, quantile, ones(powers(-1000, 0), between(0, 1), beside(0.5), below(1.0)), share=0.5),
    "lgamma": Row(MATH.lgamma, lgamma, [*ones(powers(-1070, 1000), between(0, 20), beside(1.0, 2.0)), *NEGATIVE], of_negative),
    "digamma": Row(
        MATH.digamma, mpmath.digamma, [*ones(powers(-1000, 1000), between(0, 20), beside(1.4616321449683622)), *NEGATIVE], of_negative
    ),
    "polygamma": Row(MATH.polygamma, polygamma, [[whole(0, 12), powers(-20, 60)], [whole(0, 30), between(0, 20)]], share=0.5),
    "zeta": Row(
        MATH.zeta, hurwitz, [[powers(0.001, 6), powers(-20, 30)], [between(1, 20), between(0, 20)], [above(1.0), between(0, 5)]], share=0.1
    ),
    "igamma": Row(MATH.igamma, lambda a, x: side(a, x, False), GAMMA_PLACES, share=0.5),
    "igammac": Row(MATH.igammac, lambda a, x: side(a, x, True), GAMMA_PLACES, share=0.5),
    "betainc": Row(MATH.betainc, beta, BETA_PLACES, share=0.5),
    "bessel_i0": Row(SPECIAL.bessel_i0, bessel(mpmath.besseli, 0), GROWING, share=0.5),
    "bessel_i1": Row(SPECIAL.bessel_i1, bessel(mpmath.besseli, 1), GROWING, share=0.5),
    "bessel_i0e": Row(SPECIAL.bessel_i0e, bessel(mpmath.besseli, 0, -1), ones(powers(-300, 20, "±"), between(-20, 20)), share=0.5),
    "bessel_i1e": Row(SPECIAL.bessel_i1e, bessel(mpmath.besseli, 1, -1), ones(powers(-300, 20, "±"), between(-20, 20)), share=0.5),
    "bessel_k0": Row(SPECIAL.bessel_k0, bessel(mpmath.besselk, 0), FADING, share=0.5),
    "bessel_k1": Row(SPECIAL.bessel_k1, bessel(mpmath.besselk, 1), FADING, share=0.5),
    "bessel_k0e": Row(SPECIAL.bessel_k0e, bessel(mpmath.besselk, 0, 1), SCALED, share=0.5),
    "bessel_k1e": Row(SPECIAL.bessel_k1e, bessel(mpmath.besselk, 1, 1), SCALED, share=0.5),
    "bessel_j0": Row(SPECIAL.bessel_j0, bessel(mpmath.besselj, 0), WAVE, amplitude, share=0.5),
    "bessel_j1": Row(SPECIAL.bessel_j1, bessel(mpmath.besselj, 1), WAVE, amplitude, share=0.5),
    "bessel_y0": Row(SPECIAL.bessel_y0, bessel(mpmath.bessely, 0), WAVE_OF_POSITIVE, amplitude, share=0.5),
    "bessel_y1": Row(SPECIAL.bessel_y1, bessel(mpmath.bessely, 1), WAVE_OF_POSITIVE, amplitude, share=0.5),
    "dawsn": Row(SPECIAL.dawsn, dawson, ones(powers(-1000, 300, "±"), between(-10, 10)), share=0.5),
    "expint": Row(SPECIAL.expint, mpmath.ei, ones(powers(-1000, 9.4), between(0, 20), beside(0.3725074107813666, 1.0))),
    "fresnel_cos": Row(SPECIAL.fresnel_cos, mpmath.fresnelc, ones(powers(-300, 20, "±"), between(-6, 6)), share=0.5),
    "fresnel_sin": Row(SPECIAL.fresnel_sin, mpmath.fresnels, ones(powers(-300, 20, "±"), between(-6, 6)), share=0.5),
    "spence": Row(SPECIAL.spence, dilogarithm, ones(powers(-1000, 300), between(0, 5), beside(1.0, 2.0))),
    "xlogy": Row(MATH.xlogy, lambda x, y: x * mpmath.log(y), PAIRS),
    "xlog1py": Row(
        MATH.xlog1py, lambda x, y: x * mpmath.log1p(y), [*PAIRS, [between(-5, 5), above(-1.0)], [between(-5, 5), powers(-1000, 0, "±")]]
    ),
    "exp": Row(MATH.exp, mpmath.exp, ones(powers(-300, 9.4, "±"), between(-20, 20))),
    "expm1": Row(MATH.expm1, mpmath.expm1, ones(powers(-1000, 9.4, "±"), between(-20, 20))),
    "log": Row(MATH.log, mpmath.log, ones(powers(-1070, 1020), beside(1.0))),
    "log1p": Row(MATH.log1p, mpmath.log1p, ones(powers(-1000, 1000), powers(-1000, 0, "±"), between(-1, 2))),
    "sin": Row(MATH.sin, mpmath.sin, ANGLE),
    "cos": Row(MATH.cos, mpmath.cos, ANGLE),
    "tan": Row(MATH.tan, mpmath.tan, ANGLE),
    "asin": Row(MATH.asin, mpmath.asin, ones(powers(-300, 0, "±"), between(-1, 1), below(1.0))),
    "acos": Row(MATH.acos, mpmath.acos, ones(powers(-300, 0, "±"), between(-1, 1), below(1.0))),
    "atan": Row(MATH.atan, mpmath.atan, BOTH_SIDES),
    "sinh": Row(MATH.sinh, mpmath.sinh, ones(powers(-1000, 9.4, "±"), between(-20, 20))),
    "cosh": Row(MATH.cosh, mpmath.cosh, ones(powers(-300, 9.4, "±"), between(-20, 20))),
    "tanh": Row(MATH.tanh, mpmath.tanh, ones(powers(-1000, 6, "±"), between(-20, 20))),
    "asinh": Row(MATH.asinh, mpmath.asinh, BOTH_SIDES),
    "acosh": Row(
        MATH.acosh, mpmath.acosh, ones(lambda rng, n, bits: 1 + 2.0 ** rng.uniform(-24 if bits == 32 else -52, 100, n), between(1, 20))
    ),
    "atanh": Row(MATH.atanh, mpmath.atanh, ones(powers(-1000, 0, "±"), between(-1, 1), below(1.0))),
    "sigmoid": Row(MATH.sigmoid, lambda x: 1 / (1 + mpmath.exp(-x)), ones(powers(-300, 9.4, "±"), between(-20, 20))),
    "softplus": Row(MATH.softplus, lambda x: mpmath.log1p(mpmath.exp(x)), ones(powers(-300, 9.4, "±"), between(-20, 20))),
    "log_sigmoid": Row(MATH.log_sigmoid, lambda x: -mpmath.log1p(mpmath.exp(-x)), ones(powers(-300, 9.4, "±"), between(-20, 20))),
    "pow": Row(MATH.pow, lambda x, y: x**y, [[powers(-60, 60), between(-15, 15)], [beside(1.0), between(-900, 900)]]),
}


def answers(row: Row, args: Sequence[Any], native: bool) -> Any:
    """By native code, for arrays so large that it is taken at once, or by the kernel."""
    before, Settings.jit = Settings.jit, native
    try:
        given = [np.resize(a, blocked.SHARED) if native else a for a in args]
        return row.call(*(tf.constant(a) for a in given)).numpy()[: args[0].size]
    finally:
        Settings.jit = before


WAYS = ("kernel", "native")


def worst(name: str, dtype: str, points: int, ways: Sequence[str] = WAYS) -> dict[str, tuple[float, tuple[float, ...]]]:
    """By way: the greatest distance, and where it is."""
    row, kind = ROWS[name], np.dtype(dtype).type
    rng = np.random.default_rng(zlib.crc32(name.encode()))
    each = max(int(points * row.share) // len(row.draws), 1)
    with np.errstate(all="ignore"):
        drawn = [[draw(rng, each, 8 * kind().itemsize) for draw in place] for place in row.draws]
        args = [np.concatenate(parts).astype(dtype) for parts in zip(*drawn, strict=True)]
    found = {way: answers(row, args, way == "native") for way in ways}
    info = np.finfo(kind)
    greatest: dict[str, tuple[float, tuple[float, ...]]] = dict.fromkeys(found, (0.0, ()))
    for i, at in enumerate(zip(*(a.tolist() for a in args), strict=True)):
        try:
            exact = row.truth(*(mpmath.mpf(x) for x in at))
        except (ZeroDivisionError, ValueError):  # a pole
            continue
        if isinstance(exact, mpmath.mpc) or not mpmath.isfinite(exact) or not float(info.tiny) <= abs(exact) <= float(info.max):
            continue
        unit = mpmath.mpf(float(np.spacing(kind(max(abs(float(exact)), row.least(*at))))))
        for way, values in found.items():
            value = float(values[i])
            far = float(abs(mpmath.mpf(value) - exact) / unit) if math.isfinite(value) else math.inf
            if far > greatest[way][0]:
                greatest[way] = far, at
    return greatest


def main() -> None:
    parser = argparse.ArgumentParser(description="How far mathematical functions are from the truth.")
    parser.add_argument("--points", type=int, default=10_000, help="for a function and dtype")
    parser.add_argument("--only", nargs="*", help="names of functions")
    parser.add_argument("--write", action="store_true", help="write docs/accuracy.md")
    options = parser.parse_args()
    if options.write and options.only:
        parser.error("the page has all functions")
    mpmath.mp.prec = 140
    lines = []
    for name in options.only or ROWS:
        cells: list[str] = []
        places: list[str] = []
        for dtype in ("float32", "float64"):
            by_way = worst(name, dtype, options.points)
            print(name, dtype, *(f"{way} {far:.2f} at {at}" for way, (far, at) in by_way.items()), flush=True)
            far, at = max(by_way.values())
            cells.append(f"{far:.2f}")
            places.append(", ".join(f"{x:.6g}" for x in at))
        lines.append(f"| `{name}` | {' | '.join(cells)} | {' | '.join(places)} |")
    if options.write:
        PAGE.write_text(HEAD.format(points=options.points) + "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
