"""Functions of complex numbers as pairs of reals, in terms of the real ones.

Products and quotients are NumPy's formulas (Smith's division), rounded alike.  The others scale so that nothing overflows before the
result does, and keep the digits of what is small: log |z| next to 1, the smaller part of a root.  Where a part is infinite or NaN
the answer is what the formula gives: it is infinite or NaN too, but not always in the part in which the C library has it.
"""

from __future__ import annotations

import math

from .code import Code, Number
from .exp_log import exp, exp_not_above, log, log1p_of
from .inverse import atan2, cosh, sinh
from .trig import cos, sin, tan

Pair = tuple[Number, Number]


def multiply(c: Code, x: Pair, y: Pair) -> Pair:
    """The product."""
    return x[0] * y[0] - x[1] * y[1], x[0] * y[1] + x[1] * y[0]


def square(c: Code, x: Pair) -> Pair:
    """The product with itself."""
    return multiply(c, x, x)


def divide(c: Code, x: Pair, y: Pair) -> Pair:
    """The quotient, by Smith's method: the divisor's smaller part is divided by the greater."""
    steep = c.abs(y[0]) < c.abs(y[1])
    greater, smaller = c.select(steep, y[1], y[0]), c.select(steep, y[0], y[1])
    first, second = c.select(steep, x[1], x[0]), c.select(steep, x[0], x[1])
    ratio = c.select(greater.equals(0.0), c.real(0.0), smaller / greater)
    scale = 1.0 / (greater + smaller * ratio)
    real, cross = (first + second * ratio) * scale, (second - first * ratio) * scale
    nought = greater.equals(0.0)
    real = c.select(nought, x[0] / c.abs(y[0]), real)
    cross = c.select(nought, x[1] / c.abs(y[1]), c.select(steep, -cross, cross))
    return real, cross


def _scale(c: Code, x: Number, y: Number) -> tuple[Number, Number]:
    """A power of two for two sizes, so that their squares are normal numbers, and its inverse."""
    greater = c.select(x > y, x, y)
    big, small = greater > 2.0 ** (c.bias // 2 - 2), greater < 2.0 ** (-c.bias // 2 + c.mantissa)
    half = 2.0 ** (c.bias // 2 + 2)
    return (
        c.select(big, c.real(1 / half), c.select(small, c.real(half), 1.0)),
        c.select(big, c.real(half), c.select(small, c.real(1 / half), 1.0)),
    )


def hypot(c: Code, x: Number, y: Number) -> Number:
    """sqrt(x^2 + y^2); infinite where one is, even beside NaN."""
    a, b = c.abs(x), c.abs(y)
    scale, back = _scale(c, a, b)
    s, t = a * scale, b * scale
    answer = c.sqrt(c.fma(s, s, t * t)) * back
    return c.select(a.equals(math.inf) | b.equals(math.inf), math.inf, answer)


def absolute(c: Code, x: Pair) -> Number:
    """The modulus."""
    return hypot(c, *x)


def angle(c: Code, x: Pair) -> Number:
    """The argument, from -pi to pi."""
    return atan2(c, x[1], x[0])


def log_of_pair(c: Code, x: Pair) -> Pair:
    """The logarithm."""
    a, b = c.abs(x[0]), c.abs(x[1])
    steep = a < b
    greater, smaller = c.select(steep, b, a), c.select(steep, a, b)
    size = hypot(c, a, b)
    near = (size > 0.5) & (size < 2.0)
    # |z|^2 - 1, the rounding of whose parts would be most of what is left.
    less, more = greater - 1.0, greater + 1.0
    product, square = less * more, smaller * smaller
    lost = c.fma(less, more, -product) + c.fma(smaller, smaller, -square)
    excess = c.select(near, (product + square) + lost, 0.0)
    scale, back = _scale(c, a, b)
    scaled = hypot(c, a * scale, b * scale)
    far = log(c, scaled) + log(c, back)
    return c.select(near, log1p_of(c, excess) * 0.5, far), angle(c, x)


def exp_of_pair(c: Code, x: Pair) -> Pair:
    """The exponential; by halves, so that it overflows no earlier than its parts."""
    half = exp(c, x[0] * 0.5)
    real, imaginary = half * cos(c, x[1]) * half, half * sin(c, x[1]) * half
    return real, c.select(x[1].equals(0.0), x[1], imaginary)


def sqrt_of_pair(c: Code, x: Pair) -> Pair:
    """The square root with a real part that is not negative."""
    a, b = c.abs(x[0]), c.abs(x[1])
    greater = c.select(a > b, a, b)
    big, small = greater > 2.0 ** (c.bias - 3), greater < 2.0 ** (1 - c.bias + c.mantissa)
    # Powers of 4, whose roots are powers of 2.
    power = 2 * (c.mantissa // 2 + 1)
    scale = c.select(big, c.real(0.0625), c.select(small, c.real(2.0**power), 1.0))
    back = c.select(big, c.real(4.0), c.select(small, c.real(2.0 ** (-power // 2)), 1.0))
    s, t = a * scale, b * scale
    root = c.sqrt((s + hypot(c, s, t)) * 0.5)
    other = c.select(root.equals(0.0), c.real(0.0), t / (root + root))
    root, other = root * back, other * back
    negative = c.copysign(c.real(1.0), x[0]) < 0.0
    return c.select(negative, other, root), c.copysign(c.select(negative, root, other), x[1])


def sinh_of_pair(c: Code, x: Pair) -> Pair:
    """The hyperbolic sine."""
    return sinh(c, x[0]) * cos(c, x[1]), cosh(c, x[0]) * sin(c, x[1])


def cosh_of_pair(c: Code, x: Pair) -> Pair:
    """The hyperbolic cosine."""
    return cosh(c, x[0]) * cos(c, x[1]), sinh(c, x[0]) * sin(c, x[1])


def tanh_of_pair(c: Code, x: Pair) -> Pair:
    """The hyperbolic tangent, by Kahan's formula with the tangent of the imaginary part; far out 1 and what is left of the other."""
    size = c.abs(x[0])
    far = size > {32: 10.0, 64: 20.0}[c.bits]
    s, t = sinh(c, c.select(far, c.real(1.0), x[0])), tan(c, x[1])
    root, beta = c.sqrt(c.fma(s, s, 1.0)), c.fma(t, t, 1.0)
    below = c.fma(beta * s, s, 1.0)
    rest = 4.0 * sin(c, x[1]) * cos(c, x[1]) * exp_not_above(c, size * -2.0)
    return c.select(far, c.copysign(c.real(1.0), x[0]), beta * root * s / below), c.select(far, rest, t / below)


def _multiply_by_i(c: Code, x: Pair) -> Pair:
    """i times x."""
    return -x[1], x[0]


def _divide_by_i(c: Code, x: Pair) -> Pair:
    """-i times x."""
    return x[1], -x[0]


def sin_of_pair(c: Code, x: Pair) -> Pair:
    """The sine, -i sinh(i x)."""
    return _divide_by_i(c, sinh_of_pair(c, _multiply_by_i(c, x)))


def cos_of_pair(c: Code, x: Pair) -> Pair:
    """The cosine, cosh(i x)."""
    return cosh_of_pair(c, _multiply_by_i(c, x))


def tan_of_pair(c: Code, x: Pair) -> Pair:
    """The tangent, -i tanh(i x)."""
    return _divide_by_i(c, tanh_of_pair(c, _multiply_by_i(c, x)))


def reciprocal(c: Code, x: Pair) -> Pair:
    """1 / x."""
    return divide(c, (c.real(1.0), c.real(0.0)), x)


def sigmoid_of_pair(c: Code, x: Pair) -> Pair:
    """1 / (1 + exp(-x))."""
    real, imaginary = exp_of_pair(c, (-x[0], -x[1]))
    return reciprocal(c, (real + 1.0, imaginary))
