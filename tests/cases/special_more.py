"""Cases for the Bessel functions and integrals of `tf.math.special`."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from .case import Case, ErrorCase, case, error, floats, ints
from .math import REAL, Unary, derivative, inf, nan, via

BOTH_SIDES = (0.0, 1.0, -1.0, 0.5, -2.5, 9.0, nan)
POSITIVE = (1.0, 0.5, 2.5, 9.0, nan)
FUNCTIONS = (
    Unary("BesselJ0", "math.special.bessel_j0", low=0.3, high=3.0, dtypes=REAL, points=BOTH_SIDES),
    Unary("BesselJ1", "math.special.bessel_j1", low=0.3, high=3.0, dtypes=REAL, points=BOTH_SIDES),
    Unary("BesselY0", "math.special.bessel_y0", low=0.4, high=3.0, dtypes=REAL, points=(-1.0, *POSITIVE)),
    Unary("BesselY1", "math.special.bessel_y1", low=0.4, high=3.0, dtypes=REAL, points=POSITIVE),
    Unary("BesselK0", "math.special.bessel_k0", low=0.4, high=3.0, dtypes=REAL, points=(0.0, -1.0, *POSITIVE)),
    Unary("BesselK0e", "math.special.bessel_k0e", low=0.4, high=3.0, dtypes=REAL, points=POSITIVE),
    Unary("BesselK1", "math.special.bessel_k1", low=0.4, high=3.0, dtypes=REAL, points=POSITIVE),
    Unary("BesselK1e", "math.special.bessel_k1e", low=0.4, high=3.0, dtypes=REAL, points=POSITIVE),
    Unary("Dawsn", "math.special.dawsn", low=-2.0, high=2.0, dtypes=REAL, points=(*BOTH_SIDES, inf)),
    Unary("Expint", "math.special.expint", low=0.5, high=3.0, dtypes=REAL, points=(0.0, *POSITIVE)),
    Unary("FresnelCos", "math.special.fresnel_cos", low=-1.2, high=1.2, dtypes=REAL, points=BOTH_SIDES),
    Unary("FresnelSin", "math.special.fresnel_sin", low=-1.2, high=1.2, dtypes=REAL, points=BOTH_SIDES),
    Unary("Spence", "math.special.spence", low=0.3, high=3.0, dtypes=REAL, points=(0.0, -1.0, 1.03, *POSITIVE)),
)


def second_orders() -> Iterator[Case]:
    for function in FUNCTIONS:
        x = floats(3, low=max(function.low, 0.4), high=min(function.high, 2.0), dtype="float64")
        yield case(function.op, "second order", derivative(via(function.path)), x, floats(3, dtype="float64", seed=1))
    wide = np.array([3.0, 8.0, 15.0, 40.0, 300.0])
    for op, path in (("BesselJ0", "bessel_j0"), ("BesselJ1", "bessel_j1"), ("BesselY0", "bessel_y0"), ("FresnelCos", "fresnel_cos")):
        yield case(op, "far out", via(f"math.special.{path}"), wide, smooth=False)


CASES: list[Case] = [made for function in FUNCTIONS for made in function.cases()] + [*second_orders()]
ERRORS: list[ErrorCase] = [
    error(f"{op}: {what}", via(path), given, mode=mode)  # type: ignore[arg-type]  # a literal
    for op, path in (("BesselK1e", "math.special.bessel_k1e"), ("Spence", "math.special.spence"))
    for what, given in (("integers", ints(2)), ("complex", floats(2, dtype="complex64")))
    for mode in ("eager", "graph")
]
