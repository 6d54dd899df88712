"""The digamma function, in float64.

From 1 to 4 polynomials times the distance from the root; below 1 psi(1 + x) - 1 / x; from 4 on log(x) - 1 / (2 x) less a polynomial of
1 / x^2 times that; for negative x psi(1 - x) - pi cot(pi x): the reciprocal of what is left of x after a whole
number, less that times a polynomial of its square.
"""

from __future__ import annotations

import math

from . import tables as tables
from .code import Code, Number
from .exp_log import log
from .wide import compute_in_double, evaluate_table, where_any

_ROOT, _ROOT_LOW = tables.DIGAMMA_ROOT


def digamma_of(c: Code, bits: int, x: Number) -> Number:
    """The derivative of lgamma; NaN at its poles."""
    positive = x > 0.0
    answer = _digamma_of_positive(c, bits, c.select(positive, x, 1.0 - x))
    return where_any(c, ~positive, lambda: _reflect_digamma(c, bits, x, answer), answer)


def _reflect_digamma(c: Code, bits: int, x: Number, answer: Number) -> Number:
    """digamma of x <= 0 by that of 1 - x."""
    fraction = x - c.rint(x)
    inverse = 1.0 / fraction
    lost = c.fma(-inverse, fraction, 1.0) * inverse
    rest = fraction * evaluate_table(c, bits, fraction * fraction, tables.COTANGENT)
    return c.select(fraction.equals(0.0), math.nan, (answer - inverse) + (rest - lost))


def _digamma_of_positive(c: Code, bits: int, x: Number) -> Number:
    """digamma of x > 0."""
    small = x < 1.0
    near = c.at_most(c.select(small, x + 1.0, x), 2.0)
    apart = (c.select(small, x - (_ROOT - 1.0), x - _ROOT)) - _ROOT_LOW
    value = apart * evaluate_table(c, bits, near, tables.DIGAMMA_1)
    value = where_any(c, x > 2.0, lambda: apart * evaluate_table(c, bits, x, tables.DIGAMMA_2), value)
    inverse = 1.0 / x

    def evaluate_far() -> Number:
        return log(c, x) - c.fma(inverse * inverse, evaluate_table(c, bits, inverse * inverse, tables.DIGAMMA_4), 0.5 * inverse)

    value = where_any(c, x > 4.0, evaluate_far, value)
    return c.select(small, value - inverse, value)


digamma = compute_in_double(digamma_of)
