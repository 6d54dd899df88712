"""The regularised incomplete gamma functions P and Q = 1 - P of float64, to a few units in the last place.

What loses digits elsewhere is D = x^a exp(-x) / Gamma(a + 1): here its logarithm is a pair (see `pairs`), and so is what it is multiplied
with, so that 1 - P is as good as P.
- a below 10: P = D times the sum of x^n / ((a + 1) ... (a + n)), up to x = max(2, a + 1); beyond Q = a D times a continued fraction
  (NIST DLMF 8.9.2).  Both are evaluated from their last term to their first.  Where a is below 1/32, so that Q is about a, up to x = 2
  Q = 1 - x^a / Gamma(a + 1) (1 + a times an alternating sum), without the 1.
- else what lies on x's side of the median is D times an integral from x on, whose integrand falls smoothly from 1: a fixed rule has it.
"""

from __future__ import annotations

from typing import Any

from . import pairs
from .pairs import Pair

LARGE = 10.0  # from here on integrals, and Stirling's formula without a shift
TINY = 0.03125
SHIFT = 17.0
EXACT = 12  # how many of the last steps of a sum or fraction are exact: errors of those before hardly count
REACH = 39.0  # how far an integrand falls: exp(-39) is nothing
_OVER_2_PI: Pair = (0.15915494309189535, -9.839338337591243e-18)
# What Stirling's formula lacks, beyond 1 / (12 z): Bernoulli's numbers over 2k (2k - 1).
_TWELFTH: Pair = (0.08333333333333333, 4.625929269271485e-18)
STIRLING = (
    -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156, -3617 / 122400, 43867 / 244188, -174611 / 125400, 77683 / 5796,
)  # fmt: skip
# log Gamma(1 + a) + EULER a over a^2: zeta(k) / k with alternating signs.
_LGAMMA1P = (
    0.8224670334241132, -0.40068563438653143, 0.27058080842778454, -0.20738555102867398, 0.16955717699740818, -0.1440498967688461,
    0.12550966952474304, -0.11133426586956469, 0.1000994575127818, -0.09095401714582904, 0.083353840546109, -0.0769325164113522,
    0.07143294629536133, -0.06666870588242046,
)  # fmt: skip
# u - log(1 + u) = u s - 2 s^3 (1/3 + s^2 / 5 + ...) with s = u / (2 + u)
_ATANH_REST = tuple(1.0 / k for k in range(3, 27, 2))


def pair_of_single(x: Any) -> Pair:
    """A finite number as a pair."""
    return x, x - x


def stirling(w: Any, z: Pair) -> Pair:
    """log Gamma(z) less (z - 1/2) log(z) - z + log(2 pi) / 2, for z of at least 10."""
    u = pairs.divide(w, pair_of_single(z[0] - z[0] + 1.0), z)
    square = u[0] * u[0]
    return pairs.plus(pairs.multiply(w, u, _TWELFTH), u[0] * square * w.polynomial(square, STIRLING))


def rising_factorial(w: object, a: Pair) -> Pair:
    """(a + 1) (a + 2) ... (a + 16)."""
    v = pairs.multiply(w, pairs.plus(a, SHIFT), a)
    product = pairs.plus(v, 16.0)
    for k in range(2, 9):
        product = pairs.multiply(w, product, pairs.plus(v, k * (17.0 - k)))
    return product


def _density(w: Any, a: Any, x: Any) -> tuple[Pair, Any]:
    """D for a below `LARGE`, as a pair and a power of two."""
    z = pairs.two_sum(a, SHIFT)
    exponent = pairs.times(w, pairs.log(w, pair_of_single(x)), a)
    exponent = pairs.add(exponent, pairs.negative(pairs.multiply(w, pairs.plus(z, -0.5), pairs.log(w, z))))
    exponent = pairs.add(exponent, pairs.add(z, pairs.negative(pairs.add(stirling(w, z), pairs.HALF_LOG_2_PI))))
    value, n = pairs.exp(w, pairs.plus(exponent, -x))
    return pairs.multiply(w, value, rising_factorial(w, pair_of_single(a))), n


def _sum(w: Any, a: Any, x: Any) -> Pair:
    """The sum of x^n / ((a + 1) ... (a + n))."""
    count = w.floor(w.sqrt(x) * 7.0 + x * 0.7 + 15.0)

    def step_plain(n: Any, total: Any) -> list[Any]:
        return [total * (x / (a + n)) + 1.0]

    def step_exact(n: Any, total: Any, low: Any) -> list[Any]:
        below = pairs.two_sum(a, n)
        ratio = pairs.divide(w, pair_of_single(x), below)
        part = pairs.multiply(w, ratio, (total, low))
        return [*pairs.plus(part, 1.0)]

    one = x - x + 1.0
    (total,) = w.down(count, EXACT, [one], step_plain)
    high, low = w.down(w.minimum(count, float(EXACT)), 0, [total, one - one], step_exact)
    return high, low


def _evaluate_sum(w: Any, upper: bool, a: Any, x: Any) -> Any:
    density, n = _density(w, a, x)
    value = pairs.multiply(w, density, _sum(w, a, x))
    if not upper:
        return w.scale_by_power(value[0], n)
    return pairs.plus((w.scale_by_power(-value[0], n), w.scale_by_power(-value[1], n)), 1.0)[0]


def _evaluate_fraction(w: Any, upper: bool, a: Any, x: Any) -> Any:
    first = pairs.plus(pairs.two_sum(x, -a), 1.0)
    count = w.floor(88.0 / x + 12.0)

    def step_plain(n: Any, f: Any) -> list[Any]:
        return [(first[0] + (n + n - 2.0)) + n * (a - n) / f]

    def step_exact(n: Any, f: Any, low: Any) -> list[Any]:
        above = pairs.times(w, pairs.two_sum(a, -n), n)
        return [*pairs.add(pairs.plus(first, n + n - 2.0), pairs.divide(w, above, (f, low)))]

    (f,) = w.down(count, EXACT, [first[0] + (count + count)], step_plain)
    fraction = w.down(w.minimum(count, float(EXACT)), 0, [f, f - f], step_exact)
    density, n = _density(w, a, x)
    value = pairs.divide(w, pairs.times(w, density, a), (fraction[0], fraction[1]))
    found = w.scale_by_power(value[0], n)
    return found if upper else 1.0 - found


def lgamma1p(w: Any, a: Any) -> Pair:
    """log Gamma(1 + a) for a from 0 to `TINY`."""
    return pairs.plus(pairs.times(w, pairs.negative(pairs.EULER), a), (a * a) * w.polynomial(a, _LGAMMA1P))


def _upper_of_tiny(w: Any, upper: bool, a: Any, x: Any) -> Any:
    """Q for a below `TINY` and x up to 2."""
    exponent = pairs.times(w, pairs.log(w, pair_of_single(x)), a)
    grown = pairs.expm1(w, pairs.add(exponent, pairs.negative(lgamma1p(w, a))))

    def step_exact(n: Any, total: Any, low: Any) -> list[Any]:
        over = pairs.divide(w, pair_of_single(x - x + 1.0), pairs.two_sum(a, n))
        rest = pairs.multiply(w, (total, low), pairs.divide(w, pair_of_single(x), pair_of_single(x - x + (n + 1.0))))
        return [*pairs.add(over, pairs.negative(rest))]

    total = w.down(w.floor(w.sqrt(x) * 6.0 + 20.0), 0, [x - x, x - x], step_exact)
    rest = pairs.times(w, pairs.times(w, (total[0], total[1]), -x), a)
    found = pairs.add(pairs.add(grown, rest), pairs.multiply(w, grown, rest))
    return -found[0]


def difference(w: Any, u: Any) -> Any:
    """log(1 + u) - u, right to its own last places."""
    s = u / (u + 2.0)
    z = s * s
    near = 2.0 * (s * z * w.polynomial(z, _ATANH_REST)) - u * s
    return w.select((u > -0.3) & (u < 0.3), near, w.log1p(u) - u)


def _evaluate_integral(w: Any, upper: bool, a: Any, x: Any) -> Any:
    above = x >= a - 1.0 / 3.0
    sign = w.select(above, x - x + 1.0, -1.0)
    order = a - 1.0
    slope = sign * ((x - a) + 1.0)
    # Where slope u + order (sign u - log(1 + sign u)) is `REACH`, the logarithm by a quotient of polynomials; not beyond 0.
    bend = sign * (4.0 / 3.0)
    half = slope - bend * (REACH / 2.0)
    square = order + bend * slope
    discriminant = half * half + square * (2.0 * REACH)
    below = half + w.sqrt(w.maximum(discriminant, 0.0))
    end = 2.0 * REACH / w.maximum(below, 1e-300)
    end = w.select(above, end, w.minimum(end, 1.0))

    def integrand(u: Any) -> Any:
        return w.exp(order * difference(w, sign * u) - slope * u)

    exponent = pairs.times(w, pairs.log(w, pairs.divide(w, pair_of_single(x), pair_of_single(a))), a)
    exponent = pairs.add(exponent, pairs.two_sum(a, -x))
    value, n = pairs.exp(w, pairs.add(exponent, pairs.negative(stirling(w, pair_of_single(a)))))
    value = pairs.multiply(w, value, pairs.root(w, pairs.times(w, _OVER_2_PI, a)))
    value = pairs.multiply(w, value, w.product(w.mean(integrand, end), end))
    found = w.scale_by_power(value[0], n)
    return w.select(above, found, 1.0 - found) if upper else w.select(above, 1.0 - found, found)


def evaluate_incomplete(w: Any, upper: bool, a: Any, x: Any) -> tuple[Any, Any]:
    """Q if `upper`, else P; and where it is: for the rest NaN or a value of the limit."""
    inside = (a >= 1e-290) & (a <= 1e100) & (x > 0.0) & (x <= 1e100)
    order, place = w.select(inside, a, 1.0), w.select(inside, x, 1.0)
    small = order < LARGE
    far = (place > 2.0) & (place > order + 1.0)
    tiny = (order < TINY) & ~far if upper else small & ~small

    def bind(f: Any) -> Any:
        return lambda a, x: f(w, upper, a, x)

    choices = [
        (small & ~far & ~tiny, bind(_evaluate_sum), (1.0, 1.0)),
        (small & far, bind(_evaluate_fraction), (1.0, 4.0)),
        (~small, bind(_evaluate_integral), (16.0, 16.0)),
    ]
    if upper:
        choices.append((tiny, bind(_upper_of_tiny), (0.01, 1.0)))
    return w.pieces(place - place, choices, order, place), inside
