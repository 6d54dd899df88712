"""The incomplete beta function: of float64 as `ops.special.incomplete_beta` has it.

float32 needs less: I(a, b, x) = x^a (1 - x)^b / (a B(a, b)) times a continued fraction (NIST DLMF 8.17.22) by Steed's recurrence, in
float64; where x is beyond the mean, 1 less the same of b, a and 1 - x.  Large a and b, and what is outside the domain, are SciPy's.
"""

from __future__ import annotations

from ...ops.special.incomplete_beta import evaluate_incomplete
from .code import Code, Number
from .exp_log import exp, log, log1p_of
from .formulas import Words
from .lgamma import lgamma_of_positive
from .special_calls import fall_back_on_scipy
from .wide import repeat_while

_LEAST, _GREATEST = 0.05, 200.0  # of less the sum's rest would show in what 1 has left
_STEPS = 2000
_REST = 2.0**-32  # changes below this part of the sum are left out


def _fraction(c: Code, a: Number, b: Number, x: Number, active: Number) -> Number:
    def step(m: Number, d: Number, change: Number, total: Number) -> tuple[Number, list[Number]]:
        for above, below in (
            ((m - 1.0 + a) * (m - 1.0 + a + b) * -x, (m + m + a - 2.0) * (m + m + a - 1.0)),
            (m * (b - m) * x, (m + m + a - 1.0) * (m + m + a)),
        ):
            d = below / c.fma(above, d, below)
            change = (d - 1.0) * change
            total = total + change
        return c.abs(change) > c.abs(total) * _REST, [d, change, total]

    one = c.real(1.0)
    return repeat_while(c, active, [one, one, one], step, _STEPS)[2]


def _betainc(c: Code, bits: int, a: Number, b: Number, x: Number) -> tuple[Number, Number]:
    if bits == 64:
        return evaluate_incomplete(Words(c), a, b, x)
    inside = (a >= _LEAST) & (a <= _GREATEST) & (b >= _LEAST) & (b <= _GREATEST) & (x >= 0.0) & (x <= 1.0)
    first, second, place = c.select(inside, a, 1.0), c.select(inside, b, 1.0), c.select(inside, x, 0.5)
    beyond = place * (first + second + 2.0) > first + 1.0
    rest = 1.0 - place
    p, q = c.select(beyond, second, first), c.select(beyond, first, second)
    near = c.select(beyond, rest, place)
    logarithm = p * log(c, near) + q * log1p_of(c, -near)
    scale = exp(c, logarithm + lgamma_of_positive(c, bits, p + q) - lgamma_of_positive(c, bits, p) - lgamma_of_positive(c, bits, q)) / p
    value = scale * _fraction(c, p, q, near, inside)
    return c.select(beyond, 1.0 - value, value), inside


betainc = fall_back_on_scipy("betainc", _betainc, wide=True)  # of float32 SciPy loses half of the digits
