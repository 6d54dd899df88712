"""Modified Bessel functions of the orders 0 and 1, in float64.

I(x) is its power series up to 4; exp(-x) I(x) is a polynomial of x up to 8, and beyond one of 1 / x over the root of x; I(inf) is NaN, as
SciPy's and TensorFlow's.  K(x) is, up to 1/2, log(x) I(x) and a rest, a polynomial of x^2; sqrt(x) exp(x) K(x) is a polynomial of x up to
2, and beyond one of 1 / x.
"""

from __future__ import annotations

import math

from . import tables as tables
from .code import Code, Number
from .exp_log import exp, exp_times, log
from .wide import Build, compute_in_double, evaluate_table, where_any

_I_NEAR, _I_MIDDLE, _K_NEAR, _K_MIDDLE = 4.0, 8.0, 0.5, 2.0
_HALF_OF_E_TO_GAMMA = 0.5 * math.exp(0.5772156649015329)


def _series(c: Code, bits: int, x: Number, order: int) -> Number:
    """I(x) for x up to 4."""
    value = evaluate_table(c, bits, x * x, tables.I1_NEAR if order else tables.I0_NEAR)
    return value * x if order else value


def _i(order: int, decayed: bool) -> Build:
    middle, far = (tables.I1E_MIDDLE, tables.I1E_FAR) if order else (tables.I0E_MIDDLE, tables.I0E_FAR)

    def evaluate_far(c: Code, bits: int, x: Number) -> Number:
        """exp(-x) I(x) for x from 8 on."""
        u = 1.0 / x
        return evaluate_table(c, bits, u, far) * c.sqrt(u)

    def build(c: Code, bits: int, x: Number) -> Number:
        size = c.abs(x)
        near = size <= _I_NEAR
        value = _series(c, bits, c.at_most(size, _I_NEAR), order)
        large = c.select(size.is_nan(), size, 1.0)
        large = where_any(c, size > _I_NEAR, lambda: evaluate_table(c, bits, size, middle), large)
        large = where_any(c, size > _I_MIDDLE, lambda: evaluate_far(c, bits, c.at_least(size, _I_MIDDLE)), large)
        if decayed:
            value = c.select(near, value * exp(c, -c.at_most(size, _I_NEAR)), large)
        else:
            value = where_any(c, ~near, lambda: exp_times(c, size, large), value)
        return c.copysign(value, x) if order else value

    return build


def _k(order: int, grown: bool) -> Build:
    rest = tables.K1_REST if order else tables.K0_REST
    middle, far = (tables.K1E_MIDDLE, tables.K1E_FAR) if order else (tables.K0E_MIDDLE, tables.K0E_FAR)

    def evaluate_near(c: Code, bits: int, x: Number) -> Number:
        """K(x) for x up to 1/2."""
        left = evaluate_table(c, bits, x * x, rest)
        if order:
            return 1.0 / x + c.fma(left, x, log(c, x * 0.5) * _series(c, bits, x, 1))
        return c.fma(-log(c, x * _HALF_OF_E_TO_GAMMA), _series(c, bits, x, 0), left)

    def build(c: Code, bits: int, x: Number) -> Number:
        u = 1.0 / x
        value = evaluate_table(c, bits, x, middle)
        value = where_any(c, x > _K_MIDDLE, lambda: evaluate_table(c, bits, u, far), value) * c.sqrt(u)
        value = value if grown else value * exp(c, -x)
        small = c.at_most(x, _K_NEAR)
        return where_any(
            c, x <= _K_NEAR, lambda: evaluate_near(c, bits, small) * exp(c, small) if grown else evaluate_near(c, bits, small), value
        )

    return build


#: By SciPy's names; K for positive x.
BESSEL = {f"i{order}{'e' * decayed}": compute_in_double(_i(order, decayed)) for order in (0, 1) for decayed in (False, True)} | {
    f"k{order}{'e' * grown}": compute_in_double(_k(order, grown)) for order in (0, 1) for grown in (False, True)
}
