"""Modified Bessel functions of float32, computed in float64, where a polynomial of nine digits needs no care.

exp(-x) I(x) is a polynomial up to 8, and beyond one of 1 / x over the root of x; I(inf) is NaN, as SciPy's and TensorFlow's.  K(x) is,
up to 2, log(x / 2) I(x) and a rest, each a polynomial of x^2, and beyond exp(-x) times a polynomial of 1 / x over the root of x.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from . import vector_bessel_coefficients as tables
from .vector_code import Code, Number
from .vector_exp_log import exp, log

_I_NEAR, _K_NEAR = 8.0, 2.0


def _far(c: Code, x: Number, least: float, coefficients: Sequence[float]) -> Number:
    """A polynomial of 1 / x from 0 to 1 / least, over the root of x."""
    u = 1.0 / x
    return c.polynomial(c.fma(u, 2.0 * least, -1.0), coefficients) * c.sqrt(u)


def _i(order: int, decayed: bool) -> Callable[[Code, Number], Number]:
    near, far = (tables.I1E_NEAR, tables.I1E_FAR) if order else (tables.I0E_NEAR, tables.I0E_FAR)

    def build(narrow: Code, x: Number) -> Number:
        given = narrow.widened(x)
        c = given.code
        size = c.abs(given)
        below = c.polynomial(c.fma(c.at_most(size, _I_NEAR), 2.0 / _I_NEAR, -1.0), near)
        value = c.select(size <= _I_NEAR, below * size if order else below, _far(c, size, _I_NEAR, far))
        value = value if decayed else value * exp(c, size)
        return narrow.narrowed(c.copysign(value, given) if order else value)

    return build


def _k(order: int, grown: bool) -> Callable[[Code, Number], Number]:
    factor, rest = (tables.K1_LOG, tables.K1_REST) if order else (tables.K0_LOG, tables.K0_REST)
    far = tables.K1E_FAR if order else tables.K0E_FAR

    def build(narrow: Code, x: Number) -> Number:
        given = narrow.widened(x)
        c = given.code
        small = c.at_most(given, _K_NEAR)
        place = c.fma(small * small, 0.5, -1.0)
        logarithm, of_log, of_rest = log(c, small * 0.5), c.polynomial(place, factor), c.polynomial(place, rest)
        below = of_rest / small + logarithm * small * of_log if order else of_rest - logarithm * of_log
        above = _far(c, given, _K_NEAR, far)
        near = given <= _K_NEAR
        if grown:
            return narrow.narrowed(c.select(near, below * exp(c, small), above))
        return narrow.narrowed(c.select(near, below, above * exp(c, -given)))

    return build


#: By SciPy's names: what gives each for x of float32; K for positive ones.
BESSEL = {f"i{order}{'e' * decayed}": _i(order, decayed) for order in (0, 1) for decayed in (False, True)} | {
    f"k{order}{'e' * grown}": _k(order, grown) for order in (0, 1) for grown in (False, True)
}
