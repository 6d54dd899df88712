"""Makes the nodes and weights of `ops/special/quadrature.py`: `python tests/make_quadrature.py`.

Gauss and Legendre's rule moved to [0, 1], in 50 digits: NumPy's nodes next to 0 have lost some of theirs.
"""

from __future__ import annotations

from pathlib import Path

import mpmath as mp
import numpy as np

mp.mp.dps = 50
OUT = Path(__file__).parents[1] / "src/pullback/ops/special/quadrature.py"
COUNT = 28  # which the integrands of the incomplete functions need for 2^-56


def legendre(t: mp.mpf) -> tuple[mp.mpf, mp.mpf]:
    """Legendre's polynomial and its derivative."""
    before, value = mp.mpf(1), t
    for k in range(2, COUNT + 1):
        before, value = value, ((2 * k - 1) * t * value - (k - 1) * before) / k
    return value, COUNT * (t * value - before) / (t * t - 1)


def rule() -> list[tuple[float, float]]:
    found = []
    for start in np.polynomial.legendre.leggauss(COUNT)[0]:
        t = mp.mpf(float(start))
        for _ in range(5):
            value, slope = legendre(t)
            t -= value / slope
        slope = legendre(t)[1]
        found.append((float((t + 1) / 2), float(1 / ((1 - t * t) * slope * slope))))
    return found


def main() -> None:
    lines = [
        '"""Gauss and Legendre\'s rule on [0, 1], made by tests/make_quadrature.py."""',
        "",
        "from __future__ import annotations",
        "",
        "import numpy as np",
        "",
    ]
    for name, numbers in zip(("NODES", "WEIGHTS"), zip(*rule(), strict=True), strict=True):
        lines.append(f"{name} = np.array([")
        lines += ["    " + " ".join(f"{v!r}," for v in numbers[at : at + 6]) for at in range(0, COUNT, 6)]
        lines.append("])")
    OUT.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
