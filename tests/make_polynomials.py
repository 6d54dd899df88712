"""Makes the polynomials of the native engine's vector math: `python tests/make_polynomials.py` writes vector/coefficients.txt.

Each is a minimax approximation by Remez's exchange, in 60 digits, of a function divided by what the code multiplies it with, so that
the relative error of the result is what is levelled.  Coefficients are rounded to the format one after another from the lowest power,
and the others fitted again to what is left: the rounding of one is made good by the next.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import mpmath as mp
import numpy as np

from pullback.base.number_tables import rows_of, text_of
from pullback.engine.vector import coefficients

mp.mp.dps = 60
OUT = Path(__file__).parents[1] / "src/pullback/engine/vector/coefficients.txt"
GRID = 500


@dataclass(frozen=True)
class Fit:
    """A polynomial of `terms` coefficients for f on [low, high]; the error is measured relative to `scale` (f where None)."""

    name: str
    f: Callable[[mp.mpf], mp.mpf]
    low: float | mp.mpf
    high: float | mp.mpf
    terms: tuple[int, int]  # of the float32 and of the float64 polynomial; 0 makes none
    scale: Callable[[mp.mpf], mp.mpf] | None = None
    exact: Sequence[float] = field(default_factory=tuple)  # lowest coefficients that are given


def round_to(value: mp.mpf, bits: int) -> mp.mpf:
    """The nearest number of the format."""
    digits = 24 if bits == 32 else 53
    with mp.workprec(digits):
        return +value


def remez(xs: list[mp.mpf], fs: list[mp.mpf], ws: list[mp.mpf], first: int, terms: int) -> tuple[list[mp.mpf], mp.mpf]:
    """Coefficients of x^first ... x^(first + terms - 1) with the least weighted error on the grid, and that error."""
    if not terms:
        return [], max(abs(f * w) for f, w in zip(fs, ws, strict=True))
    n = len(xs)
    at = sorted({round((n - 1) * (1 - float(mp.cos(mp.pi * k / terms))) / 2) for k in range(terms + 1)})
    best: tuple[list[mp.mpf], mp.mpf] | None = None
    for _ in range(30):
        if len(at) < terms + 1:
            break
        rows = mp.matrix(terms + 1, terms + 1)
        right = mp.matrix(terms + 1, 1)
        for i, k in enumerate(at):
            for j in range(terms):
                rows[i, j] = xs[k] ** (first + j) * ws[k]
            rows[i, terms] = (-1) ** i
            right[i] = fs[k] * ws[k]
        solved = mp.lu_solve(rows, right)
        coefficients = [solved[j] for j in range(terms)]
        errors = [w * (f - x**first * mp.polyval(coefficients[::-1], x)) for x, f, w in zip(xs, fs, ws, strict=True)]
        worst = max(abs(e) for e in errors)
        if best is None or worst < best[1]:
            best = coefficients, worst
        if worst <= abs(solved[terms]) * mp.mpf("1.01"):
            break
        at = exchange(errors, terms + 1)
    assert best is not None
    return best


def exchange(errors: list[mp.mpf], wanted: int) -> list[int]:
    """Where the error is greatest between its changes of sign; the weakest at the ends are left out."""
    peaks: list[int] = []
    for k, e in enumerate(errors):
        if peaks and (e > 0) == (errors[peaks[-1]] > 0):
            if abs(e) > abs(errors[peaks[-1]]):
                peaks[-1] = k
        else:
            peaks.append(k)
    while len(peaks) > wanted:
        peaks.pop(0 if abs(errors[peaks[0]]) < abs(errors[peaks[-1]]) else -1)
    return peaks


def fit(wanted: Fit, bits: int, terms: int) -> tuple[list[float], float]:
    """The coefficients, lowest power first, and the greatest relative error, in units of the format's half ulp."""
    low, high = mp.mpf(wanted.low), mp.mpf(wanted.high)
    xs = [low + (high - low) * (1 - mp.cos(mp.pi * (k + mp.mpf("0.5")) / GRID)) / 2 for k in range(GRID)]
    fs = [wanted.f(x) for x in xs]
    ws = [1 / (wanted.scale(x) if wanted.scale else f) for x, f in zip(xs, fs, strict=True)]
    done = [mp.mpf(c) for c in wanted.exact]
    rest = [f - mp.polyval(done[::-1], x) if done else f for x, f in zip(xs, fs, strict=True)]
    plain = done + [round_to(k, bits) for k in remez(xs, rest, ws, len(done), terms - len(done))[0]]
    while len(done) < terms:
        rest = [f - mp.polyval(done[::-1], x) if done else f for x, f in zip(xs, fs, strict=True)]
        found, _ = remez(xs, rest, ws, len(done), terms - len(done))
        done.append(round_to(found[0], bits))
    found = [(max(abs(w * (f - mp.polyval(k[::-1], x))) for x, f, w in zip(xs, fs, ws, strict=True)), k) for k in (done, plain)]
    # Where 0 is inside the interval, powers without the lowest ones may fit badly: the exchange is not sure to end well for them.
    worst, best = min(found, key=lambda pair: pair[0])
    return [float(c) for c in best], float(worst * 2 ** (24 if bits == 32 else 53))


def near_zero(f: Callable[[mp.mpf], mp.mpf], limit: Sequence[float | mp.mpf]) -> Callable[[mp.mpf], mp.mpf]:
    """f, by its Taylor coefficients where the formula would lose digits."""

    def value(x: mp.mpf) -> mp.mpf:
        return mp.polyval([mp.mpf(c) for c in limit][::-1], x) if abs(x) < mp.mpf(10) ** -9 else f(x)

    return value


LN2 = mp.log(2)
HALF_LN2 = float(LN2 / 2) * 1.0001
EIGHTH = float(mp.pi / 4) * 1.0001


def odd(f: Callable[[mp.mpf], mp.mpf]) -> Callable[[mp.mpf], mp.mpf]:
    """f(x) / x as a function of x^2."""
    return lambda z: f(mp.sqrt(z)) / mp.sqrt(z)


def scaled_erfcx(centre: float) -> Callable[[mp.mpf], mp.mpf]:
    """(1 + 2 x) exp(x^2) erfc(x) as a function of t = (x - centre) / (x + centre)."""

    def value(t: mp.mpf) -> mp.mpf:
        x = centre * (1 + t) / (1 - t)
        return (1 + 2 * x) * mp.exp(x * x) * mp.erfc(x)

    return value


def inverse_erfc(w: mp.mpf) -> mp.mpf:
    """y with 1 - erf(y)^2 = exp(-w), by Newton's method on the logarithm of erfc."""
    x = mp.sqrt(-mp.expm1(-w))
    wanted = -w - mp.log1p(x)
    y = mp.mpf(x) if w < 1 else mp.sqrt(w) - mp.mpf("0.3")
    for _ in range(60):
        tail = mp.erfc(y)
        step = (mp.log(tail) - wanted) * tail * mp.exp(y * y) * mp.sqrt(mp.pi) / 2
        y += step
        if abs(step) < abs(y) * mp.mpf(10) ** -45:
            break
    return y


def erfinv_by_root(centre: float) -> Callable[[mp.mpf], mp.mpf]:
    """erfinv(x) / x as a function of sqrt(-log(1 - x^2)) - centre."""
    return lambda v: inverse_erfc((v + centre) ** 2) / mp.sqrt(-mp.expm1(-((v + centre) ** 2)))


def erfinv_by_log(w: mp.mpf) -> mp.mpf:
    """erfinv(x) / x as a function of -log(1 - x^2) - 3."""
    return inverse_erfc(w + 3) / mp.sqrt(-mp.expm1(-(w + 3)))


FITS = [
    Fit("EXP", mp.exp, -HALF_LN2, HALF_LN2, (7, 12), exact=(1.0, 1.0)),
    Fit("EXP2", lambda x: mp.mpf(2) ** x, -0.5, 0.5, (7, 13), exact=(1.0,)),
    Fit("LOG1P", lambda m: mp.log1p(m) / m, -0.25, 0.5, (10, 0), exact=(1.0, -0.5)),
    Fit("ATANH", odd(mp.atanh), 1e-12, 0.0401, (0, 9), exact=(1.0,)),
    # What is left of atanh(s) / s after 1 + z / 3, z = s^2, in units of z^2: for logarithms to twice the precision.
    Fit("ATANH_REST", lambda z: (odd(mp.atanh)(z) - 1 - z / 3) / z**2, 1e-9, 0.0401, (0, 9), scale=lambda z: 1 / z**2 / 2**12),
    Fit("SIN", odd(mp.sin), 1e-12, float(mp.pi / 2) ** 2 * 1.0001, (5, 10), exact=(1.0,)),
    Fit("COS", lambda z: mp.cos(mp.sqrt(z)), 1e-12, EIGHTH**2, (5, 8), exact=(1.0, -0.5)),
    Fit("ATAN", odd(mp.atan), 1e-12, 0.17158, (6, 12), exact=(1.0,)),
    Fit("ASIN", odd(mp.asin), 1e-12, 0.2501, (6, 13), exact=(1.0,)),
    Fit("ERF_LESS_1", lambda z: odd(mp.erf)(z) - 1, 1e-12, 0.93**2, (7, 13), scale=odd(mp.erf)),
    Fit("MINUS_LOG_ERFC", lambda x: -mp.log(mp.erfc(x)), 0.92, 4.0, (7, 0), scale=lambda x: mp.erf(x) / mp.erfc(x)),
    Fit("ERFCX", scaled_erfcx(4.0), -1.0, 0.746, (12, 24)),
    # erfinv(x) / x: next to 0, and in three pieces towards 1; erfinv's arguments end in the second of float32, the third of float64.
    Fit("ERFINV_NEAR", erfinv_by_log, -2.999999, 3.001, (11, 24)),
    Fit("ERFINV_FAR", erfinv_by_root(3.5), -1.06, 1.5, (10, 25)),
    Fit("ERFINV_FARTHER", erfinv_by_root(8.0), -3.01, 3.01, (11, 25)),
    Fit("ERFINV_FARTHEST", erfinv_by_root(19.0), -8.01, 8.5, (0, 22)),
    # log2 and 2^x in float64 for float32 powers: to 2^-34 and 2^-28.
    Fit("LOG2_OF_FLOAT", lambda m: mp.log1p(m) / m / LN2, -0.25, 0.5, (0, 13)),
    Fit("EXP2_OF_FLOAT", lambda x: mp.mpf(2) ** x, -0.5, 0.5, (0, 7), exact=(1.0,)),
]


def written(made: dict[int, tuple[float, ...]]) -> list[tuple[float, ...]]:
    """The rows of one entry."""
    return [(bits, *(float(np.float32(c)) if bits == 32 else c for c in found)) for bits, found in made.items()]


def main() -> None:
    """Writes the file: what is named on the command line anew and the rest as it is, or all anew, in five minutes."""
    only = sys.argv[1:]
    rows: dict[str, list[tuple[float, ...]]] = {}
    for wanted in FITS:
        if only and wanted.name not in only:
            rows[wanted.name] = rows_of(coefficients.__file__, wanted.name)
            continue
        made = {}
        for bits, terms in zip((32, 64), wanted.terms, strict=True):
            if terms:
                found, error = fit(wanted, bits, terms)
                made[bits] = tuple(found)
                print(f"{wanted.name} {bits}: {error:.3g} half ulps", file=sys.stderr)
        rows[wanted.name] = written(made)
    OUT.write_text(text_of(rows))


if __name__ == "__main__":
    main()
