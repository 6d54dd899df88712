"""The regularised incomplete beta function I(a, b, x) of float64, to a few units in the last place.

As in `incomplete_gamma`, the logarithm of T = x^a (1 - x)^b / B(a, b) is a pair, so are 1 - x, the sums and the fractions, and with
I(a, b, x) = 1 - I(b, a, 1 - x) one of the two sides is
- a and b of at least `LARGE`: T / (1 - x) times an integral, whose integrand falls smoothly from 1;
- both above 1, or 1 - x not small next to 1 / a: T over a continued fraction (Didonato and Morris, 1992), on x's side of the mean;
- else T / a times the sum of (a + b) ... (a + b + n - 1) / ((a + 1) ... (a + n)) x^n, for x up to 1/2 or b x up to 0.7.
Where b is tiny and that sum would leave 1 less nearly 1, the 1 is left out.
"""

from __future__ import annotations

from typing import Any

from . import pairs
from .incomplete_gamma import EXACT, LARGE, REACH, SHIFT, STIRLING, TINY, difference, lgamma1p, pair_of_single, rising_factorial, stirling
from .pairs import Pair

_OVER_2_PI: Pair = (0.15915494309189535, -9.839338337591243e-18)


def _shift_parameter(w: Any, z: Pair) -> tuple[Any, Pair, Pair]:
    """How far a parameter is moved for Stirling's formula, where it is then, and Gamma(there) / Gamma(z) of small z."""
    small = z[0] < LARGE
    by = w.select(small, z[0] - z[0] + SHIFT, 0.0)
    bounded = w.select(small, z[0], 1.0), w.select(small, z[1], 0.0)
    product = pairs.multiply(w, rising_factorial(w, bounded), bounded)
    return by, pairs.plus(z, by), (w.select(small, product[0], 1.0), w.select(small, product[1], 0.0))


def _power_terms(w: Any, a: Any, b: Any, x: Pair, y: Pair) -> tuple[Pair, Any]:
    """T, as a pair and a power of two."""
    (m, p, first), (n, q, second), (k, s, both) = (
        _shift_parameter(w, z) for z in (pair_of_single(a), pair_of_single(b), pairs.two_sum(a, b))
    )
    exponent = pairs.multiply(w, p, pairs.log(w, pairs.divide(w, pairs.multiply(w, x, s), p)))
    exponent = pairs.add(exponent, pairs.multiply(w, q, pairs.log(w, pairs.divide(w, pairs.multiply(w, y, s), q))))
    exponent = pairs.add(exponent, pairs.times(w, pairs.log(w, x), -m))
    exponent = pairs.add(exponent, pairs.times(w, pairs.log(w, y), -n))
    exponent = pairs.add(exponent, pairs.times(w, pairs.plus(pairs.log(w, s), -1.0), k - m - n))
    rest = pairs.add(stirling(w, s), pairs.negative(pairs.add(stirling(w, p), stirling(w, q))))
    value, power = pairs.exp(w, pairs.add(exponent, rest))
    under = pairs.multiply(w, pairs.divide(w, p, s), pairs.multiply(w, q, _OVER_2_PI))
    value = pairs.multiply(w, value, pairs.root(w, under))
    return pairs.multiply(w, pairs.multiply(w, value, second), pairs.divide(w, first, both)), power


def _side(w: Any, value: Pair, n: Any, flipped: Any) -> Any:
    """value 2^n, or 1 less that."""
    high, low = w.scale_by_power(value[0], n), w.scale_by_power(value[1], n)
    return w.select(flipped > 0.5, pairs.plus((-high, -low), 1.0)[0], high)


def _evaluate_sum(w: Any, a: Any, b: Any, x: Any, x_low: Any, y: Any, y_low: Any, flipped: Any, terms: Any, terms_low: Any, n: Any) -> Any:
    both, place = pairs.two_sum(a, b), (x, x_low)

    def step_plain(n: Any, total: Any) -> list[Any]:
        return [total * (x * (both[0] + (n - 1.0)) / (a + n)) + 1.0]

    def step_exact(n: Any, total: Any, low: Any) -> list[Any]:
        above = pairs.multiply(w, pairs.plus(both, n - 1.0), place)
        part = pairs.multiply(w, pairs.divide(w, above, pairs.two_sum(a, n)), (total, low))
        return [*pairs.plus(part, 1.0)]

    count = w.floor(x * 82.0 + 19.0)
    (total,) = w.down(count, EXACT, [x - x + 1.0], step_plain)
    total, low = w.down(w.minimum(count, float(EXACT)), 0, [total, total - total], step_exact)
    return _side(w, pairs.divide(w, pairs.multiply(w, (terms, terms_low), (total, low)), pair_of_single(a)), n, flipped)


def _evaluate_fraction(
    w: Any, a: Any, b: Any, x: Any, x_low: Any, y: Any, y_low: Any, flipped: Any, terms: Any, terms_low: Any, n: Any
) -> Any:
    place, rest = (x, x_low), (y, y_low)
    both = pairs.two_sum(a, b)
    apart = pairs.add(pairs.times(w, rest, a), pairs.negative(pairs.times(w, place, b)))
    square = x * x

    def step_plain(n: Any, f: Any) -> list[Any]:
        m = n - 1.0
        below = a + (n + m)
        above = (a + m) * (both[0] + m) * (n * (b - n) * square)
        added = m * (b - m) * x / (below - 2.0) + (a + m) * (apart[0] + 1.0 + m * (y + 1.0)) / below
        return [m + added + above / (below * below * f)]

    def step_exact(n: Any, f: Any, low: Any) -> list[Any]:
        m = n - 1.0
        start, below = pairs.two_sum(a, m), pairs.two_sum(a, n + m)
        above = pairs.multiply(w, pairs.multiply(w, start, pairs.plus(both, m)), pairs.times(w, pairs.two_sum(b, -n), n))
        above = pairs.multiply(w, above, pairs.multiply(w, place, place))
        above = pairs.divide(w, above, pairs.multiply(w, pairs.multiply(w, below, below), (f, low)))
        first = pairs.multiply(w, pairs.times(w, pairs.two_sum(b, -m), m), place)
        first = pairs.divide(w, first, pairs.plus(below, -2.0))
        second = pairs.plus(pairs.add(apart, pairs.times(w, pairs.plus(rest, 1.0), m)), 1.0)
        second = pairs.divide(w, pairs.multiply(w, start, second), below)
        return [*pairs.add(pairs.add(above, pairs.plus(first, m)), second)]

    count = _count_terms(w, a, y)
    (f,) = w.down(count, EXACT, [count], step_plain)
    f, low = w.down(w.minimum(count, float(EXACT)), 0, [f, f - f], step_exact)
    return _side(w, pairs.divide(w, (terms, terms_low), (f, low)), n, flipped)


def _count_terms(w: Any, a: Any, y: Any) -> Any:
    """How many the fraction needs: as that of the gamma function's, or so many for each digit."""
    by_place, by_digits = 110.0 / (a * y) + 10.0, 8.0 / w.sqrt(y) + 8.0
    return w.floor(w.select(by_place < by_digits, by_place, by_digits))


def _evaluate_integral(
    w: Any, a: Any, b: Any, x: Any, x_low: Any, y: Any, y_low: Any, flipped: Any, terms: Any, terms_low: Any, n: Any
) -> Any:
    place, rest = (x, x_low), (y, y_low)
    ratio = x / y
    p, q = a - 1.0, b - 1.0
    apart = pairs.add(pairs.times(w, rest, p), pairs.negative(pairs.times(w, place, q)))
    slope, slope_low = pairs.divide(w, apart, rest)
    # Where the logarithm of the integrand, which bends down, is -REACH: by its first two powers, then by Newton's method from beyond.
    bend = p + q * (ratio * ratio)
    end = 2.0 * REACH / (slope + w.sqrt(slope * slope + bend * (2.0 * REACH)))
    for _ in range(4):
        end = w.minimum(end, 0.999)
        value = p * w.log1p(-end) + q * w.log1p(ratio * end) + REACH
        end = end + value / (p / (1.0 - end) - q * ratio / (1.0 + ratio * end))
    end = w.minimum(end, 1.0)

    def integrand(u: Any) -> Any:
        return w.exp(p * difference(w, -u) + q * difference(w, ratio * u) - slope * u - slope_low * u)

    value = pairs.multiply(w, (terms, terms_low), w.product(w.mean(integrand, end), end))
    return _side(w, pairs.divide(w, value, rest), n, flipped)


def _slope_of_stirling(w: Any, b: Any, z: Any) -> Any:
    """stirling(z + b) - stirling(z), right to its own last places: Horner's rule on differences."""
    u, v = 1.0 / (z + b), 1.0 / z
    first, second = u * u, v * v
    value, change = z - z + STIRLING[-1], z - z
    for c in [*STIRLING[-2::-1], 1.0 / 12.0]:
        change = change * second + value
        value = value * first + c
    return -b * u * v * (value + v * (u + v) * change)


def _lgamma_change(w: Any, a: Any, b: Any) -> Pair:
    """log Gamma(1 + a + b) - log Gamma(1 + a) for b up to `TINY`."""
    small = a < LARGE
    z = pairs.plus(pair_of_single(a), w.select(small, a - a + SHIFT, 1.0))
    change = pairs.multiply(w, pairs.plus(pairs.plus(z, -0.5), b), pairs.log1p(w, pairs.divide(w, pair_of_single(b), z)))
    change = pairs.add(change, pairs.times(w, pairs.plus(pairs.log(w, z), -1.0), b))
    change = pairs.plus(change, _slope_of_stirling(w, b, z[0]))
    product = pair_of_single(a - a)
    start = w.select(small, a, 1.0)
    for k in range(1, 17):
        part = pairs.divide(w, pair_of_single(b), pairs.two_sum(start, float(k)))
        product = pairs.add(product, pairs.add(part, pairs.multiply(w, part, product)))
    shift = pairs.log1p(w, product)
    return pairs.add(change, (w.select(small, -shift[0], 0.0), w.select(small, -shift[1], 0.0)))


def _evaluate_tiny(w: Any, a: Any, b: Any, x: Any, x_low: Any, y: Any, y_low: Any, flipped: Any, terms: Any, terms_low: Any, n: Any) -> Any:
    """I for b below `TINY`, 1 - x up to 1/2 and a (1 - x) up to 0.7."""
    rest = (y, y_low)
    exponent = pairs.add(pairs.times(w, pairs.log(w, rest), b), _lgamma_change(w, a, b))
    grown = pairs.expm1(w, pairs.add(exponent, pairs.negative(lgamma1p(w, b))))

    def step_exact(n: Any, total: Any, low: Any) -> list[Any]:
        ratio = pairs.divide(w, pairs.multiply(w, pairs.two_sum(-a, n + 1.0), rest), pair_of_single(x - x + (n + 1.0)))
        over = pairs.divide(w, pair_of_single(x - x + 1.0), pairs.two_sum(b, n))
        return [*pairs.add(over, pairs.multiply(w, ratio, (total, low)))]

    total, low = w.down(w.floor(y * 82.0 + 20.0), 0, [x - x, x - x], step_exact)
    added = pairs.multiply(w, pairs.multiply(w, pairs.two_sum(-a, 1.0), rest), pairs.times(w, (total, low), b))
    change = pairs.add(pairs.add(grown, added), pairs.multiply(w, grown, added))
    value = pairs.add(pair_of_single(b), pairs.negative(pairs.times(w, change, a)))
    return pairs.divide(w, value, pairs.two_sum(a, b))[0]


def evaluate_incomplete(w: Any, a: Any, b: Any, x: Any) -> tuple[Any, Any]:
    """I(a, b, x), and where it is: for the rest any number."""
    inside = (a >= 1e-100) & (a <= 1e30) & (b >= 1e-100) & (b <= 1e30) & (x > 0.0) & (x < 1.0)
    a, b, x = w.select(inside, a, 1.0), w.select(inside, b, 1.0), w.select(inside, x, 0.5)
    y, y_low = pairs.two_sum(x - x + 1.0, -x)
    integral = (a >= LARGE) & (b >= LARGE)
    above = a * y < b * x
    central, first, second = (a > 1.0) & (b > 1.0), b <= 1.0, a <= 1.0
    near, far = x <= 0.5, x > 0.5
    # One parameter is at most 1: the first to turn to is b.
    tiny = first & far & (second | (a * y <= 0.7))
    fraction = (central & ~integral) | (first & far & ~tiny) | (~first & second & near & (b * x > 0.7))
    flipped = (central & above) | (tiny & (b >= TINY)) | (~first & second & (far | (b * x > 0.7)))
    tiny = tiny & (b < TINY)
    turned = w.select(flipped, x - x + 1.0, 0.0)
    args = [w.select(flipped, one, other) for one, other in ((b, a), (a, b), (y, x), (y_low, 0.0), (x, y), (0.0, y_low))]

    def bind(f: Any) -> Any:
        return lambda *args: f(w, *args)

    terms, n = _power_terms(w, args[0], args[1], (args[2], args[3]), (args[4], args[5]))
    rest = (0.5, 0.0, 0.5, 0.0, 0.0, 1.0, 0.0, 0.0)
    choices = [
        (~(integral | fraction | tiny), bind(_evaluate_sum), (1.0, 1.0, *rest)),
        (fraction, bind(_evaluate_fraction), (2.0, 2.0, *rest)),
        (integral, bind(_evaluate_integral), (16.0, 16.0, *rest)),
        (tiny, bind(_evaluate_tiny), (1.0, 0.01, *rest)),
    ]
    return w.pieces(x - x, choices, *args, turned, *terms, n), inside
