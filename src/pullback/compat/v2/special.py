"""The names of `tf.math.special`."""

from typing import TYPE_CHECKING

from ...interop.faces import missing as _missing

if TYPE_CHECKING:  # these load when first asked for
    from ...ops.special.bessel import bessel_j0, bessel_j1, bessel_k0, bessel_k0e, bessel_k1, bessel_k1e, bessel_y0, bessel_y1
    from ...ops.special.functions import bessel_i0, bessel_i0e, bessel_i1, bessel_i1e
    from ...ops.special.integrals import dawsn, expint, fresnel_cos, fresnel_sin, spence

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

__getattr__ = _missing("tf.math.special", __all__, __name__)
