"""Functions of two arrays, element by element: operands become tensors of the dtype they come to, then TensorFlow's function is called."""

from __future__ import annotations

import numbers
from collections.abc import Callable
from typing import Any

import numpy as np

from ..base.export import export
from ..compat import v2 as tf
from ..ir.tensor import NumberLike, Tensor, TensorLike
from .arrays import array, number, promote_arrays, promote_pair, spread, to_floating
from .dtypes import default_float, is_inexact
from .unary import abs as magnitude, exp, exp2, isnan, log1p, sqrt, square

Binary = Callable[[Any, Any], Any]


def _set_name(of: Binary, name: str, what: str) -> Binary:
    of.__name__ = of.__qualname__ = name
    of.__doc__ = f"{what}, element by element, the arrays broadcast together.\n\nSee `numpy.{name}`; gradients flow where it has them."
    return of


def _pair(name: str, formula: Binary, what: str, truths: Any = None, met: Callable[..., list[Any]] = promote_pair) -> Binary:
    """A function of two arrays of one dtype.

    truths: what to do with truth values: a dtype to compute in, or a function of their own; None: as with all others.
    met: how the arrays come to one dtype.
    """

    def call_pair(x1: Any, x2: Any) -> Any:
        x1, x2 = met(x1, x2)
        if truths is None or not x1.dtype.is_bool:
            return formula(x1, x2)
        if callable(truths):
            return truths(x1, x2)
        return formula(tf.cast(x1, truths), tf.cast(x2, truths))

    return _set_name(call_pair, name, what)


def _define_comparison(name: str, formula: Binary, what: str, truths: Any = None) -> Binary:
    return _pair(name, formula, f"Whether x1 is {what} x2", truths, promote_arrays)


def _logical(name: str, formula: Binary, what: str) -> Binary:
    return _set_name(lambda x1, x2: formula(array(x1, bool), array(x2, bool)), name, f"Whether {what}, anything but 0 being true")


def _bits(name: str, formula: Binary, what: str) -> Binary:
    def truths(x1: Any, x2: Any) -> Any:
        return tf.cast(formula(tf.cast(x1, tf.int8), tf.cast(x2, tf.int8)), tf.bool)

    return _pair(name, formula, what, truths)


def _truediv(x1: Tensor, x2: Tensor) -> Any:
    return tf.truediv(tf.cast(x1, default_float()), tf.cast(x2, default_float())) if x1.dtype.is_bool else tf.truediv(x1, x2)


add = export(v2="experimental.numpy.add")(_pair("add", tf.add, "x1 + x2; for truth values `or`", tf.logical_or))
subtract = export(v2="experimental.numpy.subtract")(_pair("subtract", tf.subtract, "x1 - x2"))
multiply = export(v2="experimental.numpy.multiply")(_pair("multiply", tf.multiply, "x1 * x2; for truth values `and`", tf.logical_and))
true_divide = export(v2="experimental.numpy.true_divide")(_pair("true_divide", _truediv, "x1 / x2, a float"))
divide = export(v2="experimental.numpy.divide")(_pair("divide", _truediv, "x1 / x2, a float"))
floor_divide = _pair("floor_divide", tf.math.floordiv, "The integer part of x1 / x2, rounded down", tf.int8)
export(v2="experimental.numpy.floor_divide")(floor_divide)
mod = _pair("mod", tf.math.mod, "What the division x1 / x2, rounded down, leaves; it has the sign of x2", tf.int8)
export(v2="experimental.numpy.mod")(mod)
remainder = _pair("remainder", tf.math.mod, "What the division x1 / x2, rounded down, leaves; it has the sign of x2", tf.int8)
export(v2="experimental.numpy.remainder")(remainder)
power = export(v2="experimental.numpy.power")(_pair("power", tf.pow, "x1 to the power of x2"))
float_power = export(v2="experimental.numpy.float_power")(_pair("float_power", tf.pow, "x1 to the power of x2"))
arctan2 = export(v2="experimental.numpy.arctan2")(_pair("arctan2", tf.atan2, "The angle of the point (x2, x1)"))
nextafter = export(v2="experimental.numpy.nextafter")(_pair("nextafter", tf.math.nextafter, "The number next to x1 towards x2"))
minimum = export(v2="experimental.numpy.minimum")(_pair("minimum", tf.minimum, "The smaller one; for truth values `and`", tf.logical_and))
bitwise_and = export(v2="experimental.numpy.bitwise_and")(_bits("bitwise_and", tf.bitwise.bitwise_and, "The bits that both have"))
bitwise_or = export(v2="experimental.numpy.bitwise_or")(_bits("bitwise_or", tf.bitwise.bitwise_or, "The bits that one has"))
bitwise_xor = export(v2="experimental.numpy.bitwise_xor")(_bits("bitwise_xor", tf.bitwise.bitwise_xor, "The bits that just one has"))
equal = export(v2="experimental.numpy.equal")(_define_comparison("equal", tf.equal, "equal to"))
not_equal = export(v2="experimental.numpy.not_equal")(_define_comparison("not_equal", tf.not_equal, "not equal to"))
less = export(v2="experimental.numpy.less")(_define_comparison("less", tf.less, "less than", tf.int32))
less_equal = export(v2="experimental.numpy.less_equal")(_define_comparison("less_equal", tf.less_equal, "at most", tf.int32))
greater = export(v2="experimental.numpy.greater")(_define_comparison("greater", tf.greater, "greater than", tf.int32))
greater_equal = export(v2="experimental.numpy.greater_equal")(_define_comparison("greater_equal", tf.greater_equal, "at least", tf.int32))
logical_and = export(v2="experimental.numpy.logical_and")(_logical("logical_and", tf.logical_and, "both are true"))
logical_or = export(v2="experimental.numpy.logical_or")(_logical("logical_or", tf.logical_or, "one is true"))
logical_xor = export(v2="experimental.numpy.logical_xor")(_logical("logical_xor", tf.math.logical_xor, "just one is true"))


@export(v2="experimental.numpy.logical_not")
def logical_not(x: NumberLike) -> Tensor:
    """Whether an element is 0 or False.

    >>> tf.experimental.numpy.logical_not([0, 2]).numpy().tolist()
    [True, False]
    """
    return tf.logical_not(array(x, bool))


@export(v2="experimental.numpy.maximum")
def maximum(x1: Any, x2: Any) -> Tensor:
    """The larger one, element by element; for truth values `or`. Against the number 0 it is `relu`, whose derivative at 0 is 0.

    >>> tf.experimental.numpy.maximum([1.0, 4.0], 2.0).numpy().tolist()
    [2.0, 4.0]
    """
    is_number = isinstance(x2, numbers.Real) and not isinstance(x2, bool)
    if is_number and x2 == 0 and isinstance(x1, tf.Tensor) and not x1.dtype.is_bool:
        return tf.nn.relu(x1)
    x1, x2 = promote_pair(x1, x2)
    return tf.logical_or(x1, x2) if x1.dtype.is_bool else tf.maximum(x1, x2)


@export(v2="experimental.numpy.divmod")
def divmod(x1: NumberLike, x2: NumberLike) -> tuple[Tensor, Tensor]:
    """What `floor_divide` and `mod` give.

    >>> [int(t) for t in tf.experimental.numpy.divmod(7, 3)]
    [2, 1]
    """
    return floor_divide(x1, x2), mod(x1, x2)


@export(v2="experimental.numpy.hypot")
def hypot(x1: NumberLike, x2: NumberLike) -> Tensor:
    """The square root of x1 * x1 + x2 * x2.

    >>> float(tf.experimental.numpy.hypot(3.0, 4.0))
    5.0
    """
    return sqrt(add(square(x1), square(x2)))


@export(v2="experimental.numpy.heaviside")
def heaviside(x1: Any, x2: Any) -> Tensor:
    """0 where x1 is negative, 1 where it is positive, x2 where it is 0; floats.

    >>> tf.experimental.numpy.heaviside([-1.0, 0.0, 2.0], 0.5).numpy().tolist()
    [0.0, 0.5, 1.0]
    """
    x1, x2 = promote_pair(x1, x2)
    return to_floating(tf.where(x1 < 0, number(0, x2.dtype), tf.where(x1 > 0, number(1, x2.dtype), x2)))


def _log_of_sum(x1: NumberLike, x2: NumberLike, power_of: Callable[[Any], Any], base: float | None) -> Any:
    x1, x2 = promote_pair(x1, x2)
    delta = subtract(x1, x2)
    more = log1p(power_of(tf.negative(magnitude(delta))))
    # the difference is nan for nan, and for infinities of one sign
    found = add(maximum(x1, x2), more if base is None else more / np.log(base))
    return tf.where(isnan(delta), tf.cast(add(x1, x2), found.dtype), found)


@export(v2="experimental.numpy.logaddexp")
def logaddexp(x1: NumberLike, x2: NumberLike) -> Tensor:
    """log(exp(x1) + exp(x2)), without overflow.

    >>> round(float(tf.experimental.numpy.logaddexp(1000.0, 1000.0)), 4)
    1000.6931
    """
    return _log_of_sum(x1, x2, exp, None)


@export(v2="experimental.numpy.logaddexp2")
def logaddexp2(x1: NumberLike, x2: NumberLike) -> Tensor:
    """log2(2**x1 + 2**x2), without overflow.

    >>> float(tf.experimental.numpy.logaddexp2(1000.0, 1000.0))
    1001.0
    """
    return _log_of_sum(x1, x2, exp2, 2.0)


@export(v2="experimental.numpy.clip")
def clip(a: NumberLike, a_min: TensorLike | None, a_max: TensorLike | None) -> Tensor:
    """Elements moved into [a_min, a_max], one of which may be None; a ValueError where both are.

    >>> tf.experimental.numpy.clip([1.0, 5.0], 2.0, None).numpy().tolist()
    [2.0, 5.0]
    """
    if a_min is None and a_max is None:
        raise ValueError("clip: not both a_min and a_max may be None.")
    if a_min is None:
        return minimum(a, a_max)
    if a_max is None:
        return maximum(a, a_min)
    return tf.clip_by_value(*spread(*promote_arrays(a, a_min, a_max)))


@export(v2="experimental.numpy.isclose")
def isclose(a: Any, b: Any, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> Tensor:
    """Whether |a - b| <= atol + rtol |b|; integers and truth values have to be equal.

    >>> tf.experimental.numpy.isclose([1.0, 2.0], [1.0 + 1e-9, 2.1]).numpy().tolist()
    [True, False]
    """
    a, b = promote_pair(a, b)
    if not is_inexact(a):
        return tf.equal(a, b)
    bound = number(atol, a.dtype.real_dtype) + number(rtol, a.dtype.real_dtype) * tf.abs(b)
    near = tf.abs(a - b) <= bound
    return tf.logical_or(near, tf.logical_and(tf.math.is_nan(a), tf.math.is_nan(b))) if equal_nan else near


@export(v2="experimental.numpy.allclose")
def allclose(a: NumberLike, b: NumberLike, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> Tensor:
    """Whether `isclose` holds everywhere.

    >>> bool(tf.experimental.numpy.allclose([1.0, 2.0], [1.0, 2.0 + 1e-9]))
    True
    """
    return tf.reduce_all(isclose(a, b, rtol, atol, equal_nan))


@export(v2="experimental.numpy.array_equal")
def array_equal(a1: Any, a2: Any) -> Tensor:
    """Whether shapes and all elements are the same.

    >>> bool(tf.experimental.numpy.array_equal([1, 2], [1.0, 2.0])), bool(tf.experimental.numpy.array_equal([1, 2], 1))
    (True, False)
    """
    a1, a2 = promote_arrays(a1, a2)
    if not a1.shape.is_compatible_with(a2.shape):
        return tf.constant(False)
    if a1.shape.is_fully_defined() and a2.shape.is_fully_defined():
        return tf.reduce_all(tf.equal(a1, a2))
    if None in (a1.shape.rank, a2.shape.rank):
        raise ValueError("array_equal needs to know the ranks of its arguments while this graph is built. Use set_shape.")
    same = tf.reduce_all(tf.equal(tf.shape(a1), tf.shape(a2)))
    return tf.cond(same, lambda: tf.reduce_all(tf.equal(a1, a2)), lambda: tf.constant(False))


def _greatest_common_divisor(x1: Any, x2: Any) -> Any:
    """Euclid's algorithm for all elements at once, until no remainder is left."""
    if not (x1.dtype.is_integer and x2.dtype.is_integer):
        raise ValueError(f"gcd and lcm are of integers; got {x1.dtype.name}.")
    zero, one = number(0, x1.dtype), number(1, x1.dtype)

    def step(a: Any, b: Any) -> tuple[Any, Any]:
        left = tf.math.mod(a, tf.where(tf.equal(b, 0), one, b))
        return tf.where(tf.equal(b, 0), a, b), tf.where(tf.equal(b, 0), zero, left)

    return tf.while_loop(lambda _, b: tf.reduce_any(tf.not_equal(b, 0)), step, [tf.abs(t) for t in spread(x1, x2)])[0]


@export(v2="experimental.numpy.gcd")
def gcd(x1: NumberLike, x2: NumberLike) -> Tensor:
    """The greatest common divisor of integers, never negative.

    >>> tf.experimental.numpy.gcd([12, -9], 6).numpy().tolist()
    [6, 3]
    """
    return _greatest_common_divisor(*promote_pair(x1, x2))


@export(v2="experimental.numpy.lcm")
def lcm(x1: NumberLike, x2: NumberLike) -> Tensor:
    """The least common multiple of integers, never negative; 0 if one of them is 0.

    >>> tf.experimental.numpy.lcm([4, 0], 6).numpy().tolist()
    [12, 0]
    """
    x1, x2 = promote_pair(x1, x2)
    divisor = _greatest_common_divisor(x1, x2)
    none = tf.equal(divisor, 0)
    multiple = tf.abs(x1) * (tf.abs(x2) // tf.where(none, number(1, divisor.dtype), divisor))
    return tf.where(none, number(0, divisor.dtype), multiple)


@export(v2="experimental.numpy.polyval")
def polyval(p: Any, x: NumberLike) -> Tensor:
    """The polynomial with coefficients p, the highest power first, at x, by Horner's rule.

    >>> float(tf.experimental.numpy.polyval([1.0, 0.0, 2.0], 3.0))
    11.0
    """
    p, x = promote_pair(p, x)
    coefficients = tf.unstack(tf.reshape(p, [1]) if p.shape.rank == 0 else p)
    found = tf.math.polyval(coefficients, x)
    return tf.broadcast_to(found, tf.shape(x)) if len(coefficients) == 1 else found
