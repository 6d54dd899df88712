"""Makes compile/native/vector_bessel_coefficients.py with mpmath: `python tests/make_bessel.py`.

Each is a function of u from one end of an interval to the other as a polynomial in the place between them, from -1 to 1: the Chebyshev
interpolant, whose error is near the least one.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import mpmath as mp
import numpy as np

OUT = Path(__file__).parents[1] / "src/pullback/compile/native/vector_bessel_coefficients.py"
I, K, root = mp.besseli, mp.besselk, mp.sqrt
NEVER_0 = mp.mpf(10) ** -9

#: What, from where, to where, and the degree.
TABLES: dict[str, tuple[Callable[[Any], Any], Any, Any, int]] = {
    "I0E_NEAR": (lambda x: I(0, x) * mp.exp(-x), 0, 8, 20),
    "I0E_FAR": (lambda u: I(0, 1 / u) * mp.exp(-1 / u) / root(u), NEVER_0, 0.125, 8),
    "I1E_NEAR": (lambda x: I(1, x) * mp.exp(-x) / x, 0, 8, 20),
    "I1E_FAR": (lambda u: I(1, 1 / u) * mp.exp(-1 / u) / root(u), NEVER_0, 0.125, 8),
    "K0_LOG": (lambda w: I(0, root(w)), 0, 4, 6),
    "K0_REST": (lambda w: K(0, root(w)) + mp.log(root(w) / 2) * I(0, root(w)), 0, 4, 6),
    "K1_LOG": (lambda w: I(1, root(w)) / root(w), 0, 4, 6),
    "K1_REST": (lambda w: root(w) * (K(1, root(w)) - mp.log(root(w) / 2) * I(1, root(w))), 0, 4, 6),
    "K0E_FAR": (lambda u: K(0, 1 / u) * mp.exp(1 / u) / root(u), NEVER_0, 0.5, 10),
    "K1E_FAR": (lambda u: K(1, 1 / u) * mp.exp(1 / u) / root(u), NEVER_0, 0.5, 10),
}
NEAR = 1e-9


def polynomial(f: Callable[[Any], Any], low: Any, high: Any, degree: int) -> list[float]:
    places = np.cos((2 * np.arange(2 * degree + 2) + 1) * np.pi / (4 * degree + 4))
    exact = np.array([float(f(low + (mp.mpf(high) - low) * (mp.mpf(float(t)) + 1) / 2)) for t in places])
    found = np.polynomial.chebyshev.cheb2poly(np.polynomial.chebyshev.chebfit(places, exact, degree))
    far = np.abs(np.polynomial.polynomial.polyval(places, found) / exact - 1).max()
    if far > NEAR:
        raise ValueError(f"off by {far:.1e}")
    return [float(c) for c in found]


def main() -> None:
    mp.mp.dps = 40
    lines = ['"""Polynomials of Bessel functions, lowest power first, within 1e-9: made by tests/make_bessel.py."""', ""]
    for name, (f, low, high, degree) in TABLES.items():
        lines += [f"{name} = (", *(f"    {c!r}," for c in polynomial(f, low, high, degree)), ")"]
    OUT.write_text("\n".join([*lines, ""]))


if __name__ == "__main__":
    main()
