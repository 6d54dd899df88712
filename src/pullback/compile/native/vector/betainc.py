"""The incomplete beta function, in float64.

I(a, b, x) = x^a (1 - x)^b / (a B(a, b)) times a continued fraction (NIST DLMF 8.17.22) by Steed's recurrence; where x is beyond the mean,
1 less the same of b, a and 1 - x.  float64 results take powers and products for small a and b, which lose less than logarithms do, and
SciPy's function for others; so does what is outside the domain.
"""

from __future__ import annotations

from .code import Code, Number
from .exp_log import exp, log, log1p_of
from .lgamma import inverse_gamma, of_positive
from .power import power
from .special_calls import with_scipy
from .wide import repeated

_LEAST, _GREATEST = {32: 1e-6, 64: 0.1}, {32: 200.0, 64: 8.0}
_STEPS = 2000
_REST = {32: 2.0**-32, 64: 2.0**-55}  # changes below this part of the sum are left out


def _fraction(c: Code, bits: int, a: Number, b: Number, x: Number, active: Number) -> Number:
    def step(m: Number, d: Number, change: Number, total: Number) -> tuple[Number, list[Number]]:
        for above, below in (
            ((m - 1.0 + a) * (m - 1.0 + a + b) * -x, (m + m + a - 2.0) * (m + m + a - 1.0)),
            (m * (b - m) * x, (m + m + a - 1.0) * (m + m + a)),
        ):
            d = below / c.fma(above, d, below)
            change = (d - 1.0) * change
            total = total + change
        return c.abs(change) > c.abs(total) * _REST[bits], [d, change, total]

    one = c.real(1.0)
    return repeated(c, active, [one, one, one], step, _STEPS)[2]


def _betainc(c: Code, bits: int, a: Number, b: Number, x: Number) -> tuple[Number, Number]:
    least, most = _LEAST[bits], _GREATEST[bits]
    inside = (a >= least) & (a <= most) & (b >= least) & (b <= most) & (x >= 0.0) & (x <= 1.0)
    first, second, place = c.select(inside, a, 1.0), c.select(inside, b, 1.0), c.select(inside, x, 0.5)
    beyond = place * (first + second + 2.0) > first + 1.0
    rest = 1.0 - place
    p, q = c.select(beyond, second, first), c.select(beyond, first, second)
    near, far = c.select(beyond, rest, place), c.select(beyond, place, rest)
    if bits == 32:
        logarithm = p * log(c, near) + q * log1p_of(c, -near)
        scale = exp(c, logarithm + of_positive(c, bits, p + q) - of_positive(c, bits, p) - of_positive(c, bits, q)) / p
    else:
        gammas = inverse_gamma(c, bits, p, 8) * inverse_gamma(c, bits, q, 8) / inverse_gamma(c, bits, p + q, 16)
        scale = power(c, near, p) * power(c, far, q) * gammas * (q / (p + q))
    value = scale * _fraction(c, bits, p, q, near, inside)
    return c.select(beyond, 1.0 - value, value), inside


betainc = with_scipy("betainc", _betainc, wide=True)  # of float32 SciPy loses half of the digits
