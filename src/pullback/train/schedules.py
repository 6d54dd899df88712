"""TensorFlow 1's learning rates that change with the number of steps.

Each formula is written once, with public ops: so it works eagerly and in graphs, for a step that is a number, a tensor or a variable.
Eagerly the functions give a function without arguments, which optimizers call at every step.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from ..api.names import name_scope
from ..base.export import export
from ..ir.apply import convert_to_tensor
from ..ir.context import executing_eagerly
from ..ir.tensor import IntLike, Tensor, TensorLike
from ..ops.array.gather import gather
from ..ops.array.join import stack
from ..ops.array.where import where
from ..ops.math.arithmetic import ADD, ceil, floor, minimum, multiply
from ..ops.math.division import divide
from ..ops.math.functions import exp, log
from ..ops.math.trigonometric import cos
from ..ops.primitives.cast import cast
from ..ops.primitives.compare import equal, greater, less_equal

#: What the functions give: a scalar tensor; eagerly a function that gives it, for the step may be a variable.
Rate = Tensor | Callable[[], Tensor]
#: Of the first rate, the step in its dtype, the cast of other numbers to that, and the result's name.
Formula = Callable[[Any, Any, Callable[[Any], Any], str], Any]


def decay(function: str, name: str, learning_rate: TensorLike, global_step: IntLike | None, formula: Formula) -> Rate:
    """What a function gives whose rates are a formula's, in a scope of the name; a ValueError without `global_step`."""

    def rate_now(scope: str) -> Any:
        rate = convert_to_tensor(learning_rate, name="initial_learning_rate")

        def number(value: Any) -> Any:
            return cast(value, rate.dtype.base_dtype)

        return formula(rate, number(global_step), number, scope)

    return _in_scope(function, name, global_step, rate_now)


def _in_scope(function: str, name: str, global_step: Any, rate_now: Callable[[str], Any]) -> Rate:
    if global_step is None:
        raise ValueError(f"global_step is required for {function}.")

    def call() -> Any:
        with name_scope(name) as scope:
            return rate_now(scope)

    return call if executing_eagerly() else call()


def _check_positive(**arguments: Any) -> None:
    for name, value in arguments.items():
        if isinstance(value, (int, float)) and value <= 0:
            raise ValueError(f"Argument `{name}` must be > 0. Received: {name}={value}")


def cosine_wave(done: Tensor) -> Any:
    """From 1 at 0 to 0 at 1, half a wave."""
    return (cos(done * math.pi) + 1.0) * 0.5


@export(v1="train.exponential_decay")
def exponential_decay(
    learning_rate: TensorLike,
    global_step: IntLike | None,
    decay_steps: TensorLike,
    decay_rate: TensorLike,
    staircase: bool = False,
    name: str | None = None,
) -> Rate:
    """`learning_rate * decay_rate ** (global_step / decay_steps)`.

    Args:
        learning_rate, decay_steps, decay_rate: numbers or scalar tensors. global_step: a scalar tensor or variable.
        staircase: round the exponent down. name: of the op.

    Returns:
        A scalar tensor; eagerly a function that gives it.

    Raises:
        ValueError: no `global_step`, or `decay_steps` is not above 0.

    >>> with tf1.Graph().as_default(), tf1.Session() as sess:
    ...     print(sess.run(tf1.train.exponential_decay(0.5, tf1.constant(2), 1, 0.5)))
    0.125
    """
    _check_positive(decay_steps=decay_steps)

    def formula(rate: Any, step: Any, number: Callable[[Any], Any], scope: str) -> Any:
        power = step / number(decay_steps)
        return multiply(rate, number(decay_rate) ** (floor(power) if staircase else power), name=scope)

    return decay("exponential_decay", name or "ExponentialDecay", learning_rate, global_step, formula)


@export(v1="train.natural_exp_decay")
def natural_exp_decay(
    learning_rate: TensorLike,
    global_step: IntLike | None,
    decay_steps: TensorLike,
    decay_rate: TensorLike,
    staircase: bool = False,
    name: str | None = None,
) -> Rate:
    """`learning_rate * exp(-decay_rate * global_step / decay_steps)`; arguments and errors as `exponential_decay`.

    >>> rate = tf.compat.v1.train.natural_exp_decay(0.1, 200, 100, 0.5)  # eagerly a function, for the step may be a variable
    >>> round(float(rate()), 4)
    0.0368
    """
    _check_positive(decay_steps=decay_steps)

    def formula(rate: Any, step: Any, number: Callable[[Any], Any], scope: str) -> Any:
        done = step / number(decay_steps)
        return multiply(rate, exp(-number(decay_rate) * (floor(done) if staircase else done)), name=scope)

    return decay("natural_exp_decay", name or "ExponentialDecay", learning_rate, global_step, formula)


@export(v1="train.inverse_time_decay")
def inverse_time_decay(
    learning_rate: TensorLike,
    global_step: IntLike | None,
    decay_steps: TensorLike,
    decay_rate: TensorLike,
    staircase: bool = False,
    name: str | None = None,
) -> Rate:
    """`learning_rate / (1 + decay_rate * global_step / decay_steps)`; arguments and errors as `exponential_decay`.

    >>> with tf1.Graph().as_default(), tf1.Session() as session:
    ...     print(session.run(tf1.train.inverse_time_decay(0.1, tf1.constant(100), 100, 1.0)))
    0.05
    """
    _check_positive(decay_steps=decay_steps)

    def formula(rate: Any, step: Any, number: Callable[[Any], Any], scope: str) -> Any:
        done = step / number(decay_steps)
        return divide(rate, number(decay_rate) * (floor(done) if staircase else done) + 1.0, name=scope)

    return decay("inverse_time_decay", name or "InverseTimeDecay", learning_rate, global_step, formula)


@export(v1="train.polynomial_decay")
def polynomial_decay(
    learning_rate: TensorLike,
    global_step: IntLike | None,
    decay_steps: TensorLike,
    end_learning_rate: TensorLike = 0.0001,
    power: TensorLike = 1.0,
    cycle: bool = False,
    name: str | None = None,
) -> Rate:
    """From one rate to another in `decay_steps`: `(rate - end) * (1 - step / decay_steps) ** power + end`.

    Args:
        learning_rate, decay_steps, end_learning_rate, power: numbers or scalar tensors. global_step: a scalar tensor or variable.
        cycle: after `decay_steps` go on over twice, three times, ... as many steps, instead of staying at the end.
        name: of the op.

    Result and errors are as `exponential_decay`.

    >>> with tf1.Graph().as_default(), tf1.Session() as session:
    ...     print(session.run(tf1.train.polynomial_decay(1.0, tf1.constant(25), 100, end_learning_rate=0.0)))
    0.75
    """
    _check_positive(decay_steps=decay_steps)

    def formula(rate: Any, step: Any, number: Callable[[Any], Any], scope: str) -> Any:
        steps, end = number(decay_steps), number(end_learning_rate)
        if cycle:
            steps = steps * where(less_equal(step, number(0)), number(1), ceil(step / steps))
        else:
            step = minimum(step, steps)
        return ADD.call((rate - end) * (1.0 - step / steps) ** number(power), end, name=scope)

    return decay("polynomial_decay", name or "PolynomialDecay", learning_rate, global_step, formula)


@export(v1=("train.piecewise_constant", "train.piecewise_constant_decay"))
def piecewise_constant(x: TensorLike, boundaries: Sequence[Any], values: Sequence[Any], name: str | None = None) -> Rate:
    """`values[0]` while `x` is at most `boundaries[0]`, `values[1]` up to `boundaries[1]`, and so on; the last after all.

    Args:
        x: the step, a scalar tensor or variable. boundaries: rising numbers or scalar tensors. values: the rates, one more.
        name: of the op.

    Returns:
        A scalar tensor; eagerly a function that gives it.

    Raises:
        ValueError: there are not as many values as boundaries and one more.

    >>> with tf1.Graph().as_default(), tf1.Session() as session:
    ...     print(session.run(tf1.train.piecewise_constant(tf1.constant(101), [100, 200], [1.0, 0.5, 0.25])))
    0.5
    """
    if len(boundaries) != len(values) - 1:
        raise ValueError(
            "The length of boundaries should be 1 less than the length of values. "
            f"Received: boundaries={boundaries} of length {len(boundaries)}, and values={values} of length {len(values)}."
        )

    def value_now(scope: str) -> Any:
        step = convert_to_tensor(x)
        rates = stack([convert_to_tensor(v) for v in values])
        place = convert_to_tensor(0)
        for boundary in boundaries:
            place = place + cast(greater(step, cast(boundary, step.dtype.base_dtype)), place.dtype)
        return gather(rates, place, name=scope)

    return _in_scope("piecewise_constant", name or "PiecewiseConstant", x, value_now)


@export(v1="train.cosine_decay")
def cosine_decay(
    learning_rate: TensorLike, global_step: IntLike | None, decay_steps: TensorLike, alpha: TensorLike = 0.0, name: str | None = None
) -> Rate:
    """Half a cosine wave from the rate down to `alpha` of it (Loshchilov and Hutter, 2016).

    learning_rate, decay_steps, alpha: numbers or scalar tensors.  Result and errors are as `exponential_decay`.

    >>> with tf1.Graph().as_default(), tf1.Session() as session:
    ...     print(session.run(tf1.train.cosine_decay(1.0, tf1.constant(50), 100)).round(4))
    0.5
    """
    _check_positive(decay_steps=decay_steps)

    def formula(rate: Any, step: Any, number: Callable[[Any], Any], scope: str) -> Any:
        steps, least = number(decay_steps), number(alpha)
        return multiply(rate, (1.0 - least) * cosine_wave(minimum(step, steps) / steps) + least, name=scope)

    return decay("cosine_decay", name or "CosineDecay", learning_rate, global_step, formula)


@export(v1="train.cosine_decay_restarts")
def cosine_decay_restarts(
    learning_rate: TensorLike,
    global_step: IntLike | None,
    first_decay_steps: TensorLike,
    t_mul: Any = 2.0,
    m_mul: TensorLike = 1.0,
    alpha: TensorLike = 0.0,
    name: str | None = None,
) -> Rate:
    """Cosine decay that starts again and again (Loshchilov and Hutter, 2016).

    Args:
        learning_rate, first_decay_steps, alpha: numbers or scalar tensors. global_step: a scalar tensor or variable.
        t_mul: how much longer each period is than the one before. m_mul: how much lower its first rate is. name: of the op.

    Result and errors are as `exponential_decay`.

    >>> with tf1.Graph().as_default(), tf1.Session() as session:
    ...     print(session.run(tf1.train.cosine_decay_restarts(1.0, tf1.constant(100), 100)).round(4))
    1.0
    """
    _check_positive(first_decay_steps=first_decay_steps)

    def formula(rate: Any, step: Any, number: Callable[[Any], Any], scope: str) -> Any:
        least, done = number(alpha), step / number(first_decay_steps)
        if isinstance(t_mul, (int, float)):
            restarts, part = _restart_evenly(done) if t_mul == 1 else _restart_later(done, number(t_mul))
        else:
            unchanging = equal(t_mul, 1.0)
            both = zip(_restart_evenly(done), _restart_later(done, number(t_mul)), strict=True)
            restarts, part = (where(unchanging, even, growing) for even, growing in both)
        height = number(m_mul) ** restarts * cosine_wave(part)
        return multiply(rate, (1.0 - least) * height + least, name=scope)

    return decay("cosine_decay_restarts", name or "SGDRDecay", learning_rate, global_step, formula)


def _restart_evenly(done: Any) -> tuple[Any, Any]:
    """How often periods of one length have begun again, and which part of the last is done."""
    restarts = floor(done)
    return restarts, done - restarts


def _restart_later(done: Any, t_mul: Any) -> tuple[Any, Any]:
    """The same, each period `t_mul` times as long as the one before."""
    restarts = floor(log(1.0 - done * (1.0 - t_mul)) / log(t_mul))
    before = (1.0 - t_mul**restarts) / (1.0 - t_mul)
    return restarts, (done - before) / t_mul**restarts


@export(v1="train.linear_cosine_decay")
def linear_cosine_decay(
    learning_rate: TensorLike,
    global_step: IntLike | None,
    decay_steps: TensorLike,
    num_periods: TensorLike = 0.5,
    alpha: TensorLike = 0.0,
    beta: TensorLike = 0.001,
    name: str | None = None,
) -> Rate:
    """A falling line times cosine waves (Bello and others, 2017).

    `(alpha + 1 - p) * (1 + cos(2 pi num_periods p)) / 2 + beta` of the rate, where p is the part of `decay_steps` that is done.
    Arguments are numbers or scalar tensors; result and errors are as `exponential_decay`.

    >>> with tf1.Graph().as_default(), tf1.Session() as session:
    ...     print(session.run(tf1.train.linear_cosine_decay(1.0, tf1.constant(50), 100)).round(4))
    0.251
    """

    def formula(rate: Any, step: Any, number: Callable[[Any], Any], scope: str) -> Any:
        steps = number(decay_steps)
        step = minimum(step, steps)
        wave = cosine_wave(number(num_periods) * (step / steps) * 2.0)
        return multiply(rate, (number(alpha) + (steps - step) / steps) * wave + number(beta), name=scope)

    return decay("linear_cosine_decay", name or "LinearCosineDecay", learning_rate, global_step, formula)
