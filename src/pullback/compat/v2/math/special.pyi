"""The names of `pullback.compat.v2.math.special`, written by docs/make_exports.py."""

from pullback.ops.special.bessel import bessel_j0 as bessel_j0
from pullback.ops.special.bessel import bessel_j1 as bessel_j1
from pullback.ops.special.bessel import bessel_k0 as bessel_k0
from pullback.ops.special.bessel import bessel_k0e as bessel_k0e
from pullback.ops.special.bessel import bessel_k1 as bessel_k1
from pullback.ops.special.bessel import bessel_k1e as bessel_k1e
from pullback.ops.special.bessel import bessel_y0 as bessel_y0
from pullback.ops.special.bessel import bessel_y1 as bessel_y1
from pullback.ops.special.functions import bessel_i0 as bessel_i0
from pullback.ops.special.functions import bessel_i0e as bessel_i0e
from pullback.ops.special.functions import bessel_i1 as bessel_i1
from pullback.ops.special.functions import bessel_i1e as bessel_i1e
from pullback.ops.special.integrals import dawsn as dawsn
from pullback.ops.special.integrals import expint as expint
from pullback.ops.special.integrals import fresnel_cos as fresnel_cos
from pullback.ops.special.integrals import fresnel_sin as fresnel_sin
from pullback.ops.special.integrals import spence as spence

__all__ = [
    "bessel_i0",
    "bessel_i0e",
    "bessel_i1",
    "bessel_i1e",
    "bessel_j0",
    "bessel_j1",
    "bessel_k0",
    "bessel_k0e",
    "bessel_k1",
    "bessel_k1e",
    "bessel_y0",
    "bessel_y1",
    "dawsn",
    "expint",
    "fresnel_cos",
    "fresnel_sin",
    "spence",
]
