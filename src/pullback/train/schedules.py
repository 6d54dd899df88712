"""Learning rates that change with the number of steps: TensorFlow 1's decay functions, each by an object that is the formula.

Each formula is written once, in the `__call__` of a schedule, with public ops: so it works eagerly and in graphs, for a step
that is a number, a tensor or a variable. TensorFlow 1's functions build a schedule and call it with the global step; eagerly
they give a function without arguments, which optimizers call at every step.
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
from ..ops.primitives.compare import equal, greater, less, less_equal


class LearningRateSchedule:
    """A function from the number of steps to a learning rate: subclasses define `__call__(step)`."""

    def __call__(self, step: Any) -> Any:
        """The learning rate after `step` steps, a scalar tensor."""
        raise NotImplementedError(f"Learning rate schedule '{type(self).__name__}' must override `__call__(self, step)`.")

    def _progress(self, step: TensorLike) -> tuple[Any, Any, Callable[[Any], Any]]:
        """The initial rate, the step in its dtype, and the cast of other numbers to it."""
        rate = convert_to_tensor(self.initial_learning_rate, name="initial_learning_rate")  # type: ignore[attr-defined]

        def number(value: Any) -> Any:
            return cast(value, rate.dtype.base_dtype)

        return rate, number(step), number


def _positive_steps(**arguments: Any) -> None:
    for name, value in arguments.items():
        if isinstance(value, (int, float)) and value <= 0:
            raise ValueError(f"Argument `{name}` must be > 0. Received: {name}={value}")


class ExponentialDecay(LearningRateSchedule):
    """`initial_learning_rate * decay_rate ** (step / decay_steps)`, with `staircase` in whole steps of the exponent.

    Args:
        initial_learning_rate, decay_steps, decay_rate: numbers or scalar tensors. staircase: round the exponent down. name: of the op.

    Raises:
        ValueError: `decay_steps` is not above 0.
    """

    def __init__(
        self, initial_learning_rate: Any, decay_steps: Any, decay_rate: Any, staircase: bool = False, name: str = "ExponentialDecay"
    ) -> None:
        _positive_steps(decay_steps=decay_steps)
        self.initial_learning_rate, self.decay_steps, self.decay_rate = initial_learning_rate, decay_steps, decay_rate
        self.staircase, self.name = staircase, name

    def __call__(self, step: TensorLike) -> Any:
        """The rate after `step` steps."""
        with name_scope(self.name) as scope:
            rate, step, number = self._progress(step)
            power = step / number(self.decay_steps)
            return multiply(rate, number(self.decay_rate) ** (floor(power) if self.staircase else power), name=scope)


class NaturalExpDecay(LearningRateSchedule):
    """`initial_learning_rate * exp(-decay_rate * step / decay_steps)`; arguments as `ExponentialDecay`."""

    def __init__(
        self, initial_learning_rate: Any, decay_steps: Any, decay_rate: Any, staircase: bool = False, name: str = "NaturalExpDecay"
    ) -> None:
        _positive_steps(decay_steps=decay_steps)
        self.initial_learning_rate, self.decay_steps, self.decay_rate = initial_learning_rate, decay_steps, decay_rate
        self.staircase, self.name = staircase, name

    def __call__(self, step: Any) -> Any:
        """The rate after `step` steps."""
        with name_scope(self.name) as scope:
            rate, step, number = self._progress(step)
            done = step / number(self.decay_steps)
            return multiply(rate, exp(-number(self.decay_rate) * (floor(done) if self.staircase else done)), name=scope)


class InverseTimeDecay(LearningRateSchedule):
    """`initial_learning_rate / (1 + decay_rate * step / decay_steps)`; arguments as `ExponentialDecay`."""

    def __init__(
        self, initial_learning_rate: Any, decay_steps: Any, decay_rate: Any, staircase: bool = False, name: str = "InverseTimeDecay"
    ) -> None:
        _positive_steps(decay_steps=decay_steps)
        self.initial_learning_rate, self.decay_steps, self.decay_rate = initial_learning_rate, decay_steps, decay_rate
        self.staircase, self.name = staircase, name

    def __call__(self, step: Any) -> Any:
        """The rate after `step` steps."""
        with name_scope(self.name) as scope:
            rate, step, number = self._progress(step)
            done = step / number(self.decay_steps)
            return divide(rate, number(self.decay_rate) * (floor(done) if self.staircase else done) + 1.0, name=scope)


class PolynomialDecay(LearningRateSchedule):
    """From one rate to another in `decay_steps`: `(initial - end) * (1 - step / decay_steps) ** power + end`.

    Args:
        initial_learning_rate, decay_steps, end_learning_rate, power: numbers or scalar tensors.
        cycle: after `decay_steps` go on over twice, three times, ... as many steps, instead of staying at the end.
        name: of the op.

    Raises:
        ValueError: `decay_steps` is not above 0.
    """

    def __init__(
        self,
        initial_learning_rate: Any,
        decay_steps: Any,
        end_learning_rate: Any = 0.0001,
        power: Any = 1.0,
        cycle: bool = False,
        name: str = "PolynomialDecay",
    ) -> None:
        _positive_steps(decay_steps=decay_steps)
        self.initial_learning_rate, self.decay_steps, self.end_learning_rate = initial_learning_rate, decay_steps, end_learning_rate
        self.power, self.cycle, self.name = power, cycle, name

    def __call__(self, step: Any) -> Any:
        """The rate after `step` steps."""
        with name_scope(self.name) as scope:
            rate, step, number = self._progress(step)
            steps, end = number(self.decay_steps), number(self.end_learning_rate)
            if self.cycle:
                steps = steps * where(less_equal(step, number(0)), number(1), ceil(step / steps))
            else:
                step = minimum(step, steps)
            return ADD.call((rate - end) * (1.0 - step / steps) ** number(self.power), end, name=scope)


class PiecewiseConstantDecay(LearningRateSchedule):
    """`values[0]` up to and with step `boundaries[0]`, `values[1]` up to `boundaries[1]`, and so on; the last after all.

    Args:
        boundaries: rising numbers or scalar tensors. values: the rates, one more. name: of the op.

    Raises:
        ValueError: there are not as many values as boundaries and one more.
    """

    def __init__(self, boundaries: Sequence[Any], values: Sequence[Any], name: str = "PiecewiseConstant") -> None:
        if len(boundaries) != len(values) - 1:
            raise ValueError(
                "The length of boundaries should be 1 less than the length of values. "
                f"Received: boundaries={boundaries} of length {len(boundaries)}, and values={values} of length {len(values)}."
            )
        self.boundaries, self.values, self.name = boundaries, values, name

    def __call__(self, step: Any) -> Any:
        """The rate after `step` steps."""
        with name_scope(self.name) as scope:
            step = convert_to_tensor(step)
            values = stack([convert_to_tensor(v) for v in self.values])
            place = convert_to_tensor(0)
            for boundary in self.boundaries:
                place = place + cast(greater(step, cast(boundary, step.dtype.base_dtype)), place.dtype)
            return gather(values, place, name=scope)


def cosine_wave(done: Tensor) -> Any:
    """From 1 at 0 to 0 at 1, half a wave."""
    return (cos(done * math.pi) + 1.0) * 0.5


class CosineDecay(LearningRateSchedule):
    """Half a cosine wave from the initial rate down to `alpha` of it (Loshchilov and Hutter, 2016), after an optional linear rise.

    Args:
        initial_learning_rate, decay_steps, alpha: numbers or scalar tensors.
        warmup_target: None, or the rate to rise to from the initial one within `warmup_steps`, before the decay. name: of the op.

    Raises:
        ValueError: `decay_steps` is not above 0.
    """

    def __init__(
        self,
        initial_learning_rate: Any,
        decay_steps: Any,
        alpha: Any = 0.0,
        name: str = "CosineDecay",
        warmup_target: Any = None,
        warmup_steps: Any = 0,
    ) -> None:
        _positive_steps(decay_steps=decay_steps)
        self.initial_learning_rate, self.decay_steps, self.alpha = initial_learning_rate, decay_steps, alpha
        self.name, self.warmup_target, self.warmup_steps = name, warmup_target, warmup_steps

    def __call__(self, step: Any) -> Any:
        """The rate after `step` steps."""
        with name_scope(self.name) as scope:
            rate, step, number = self._progress(step)
            steps, alpha = number(self.decay_steps), number(self.alpha)

            def decay(top: Any, since: Any, name: str | None) -> Any:
                return multiply(top, (1.0 - alpha) * cosine_wave(minimum(since, steps) / steps) + alpha, name=name)

            if self.warmup_target is None:
                return decay(rate, step, scope)
            top, rise = number(self.warmup_target), number(self.warmup_steps)
            return where(less(step, rise), (top - rate) * (step / rise) + rate, decay(top, step - rise, None), name=scope)


class CosineDecayRestarts(LearningRateSchedule):
    """Cosine decay that starts again and again (Loshchilov and Hutter, 2016).

    Args:
        initial_learning_rate, first_decay_steps, alpha: numbers or scalar tensors.
        t_mul: how much longer each period is than the one before. m_mul: how much lower its first rate is. name: of the op.

    Raises:
        ValueError: `first_decay_steps` is not above 0.
    """

    def __init__(
        self,
        initial_learning_rate: Any,
        first_decay_steps: Any,
        t_mul: Any = 2.0,
        m_mul: Any = 1.0,
        alpha: Any = 0.0,
        name: str = "SGDRDecay",
    ) -> None:
        _positive_steps(first_decay_steps=first_decay_steps)
        self.initial_learning_rate, self.first_decay_steps = initial_learning_rate, first_decay_steps
        self.t_mul, self.m_mul, self.alpha, self.name = t_mul, m_mul, alpha, name

    def __call__(self, step: Any) -> Any:
        """The rate after `step` steps."""
        with name_scope(self.name) as scope:
            rate, step, number = self._progress(step)
            alpha, done = number(self.alpha), step / number(self.first_decay_steps)
            if isinstance(self.t_mul, (int, float)) and self.t_mul == 1:
                restarts, part = self._even(done)
            elif isinstance(self.t_mul, (int, float)):
                restarts, part = self._growing(done, number(self.t_mul))
            else:
                unchanging = equal(self.t_mul, 1.0)
                both = zip(self._even(done), self._growing(done, number(self.t_mul)), strict=True)
                restarts, part = (where(unchanging, even, growing) for even, growing in both)
            height = number(self.m_mul) ** restarts * cosine_wave(part)
            return multiply(rate, (1.0 - alpha) * height + alpha, name=scope)

    @staticmethod
    def _even(done: Any) -> tuple[Any, Any]:
        restarts = floor(done)
        return restarts, done - restarts

    @staticmethod
    def _growing(done: Any, t_mul: Any) -> tuple[Any, Any]:
        restarts = floor(log(1.0 - done * (1.0 - t_mul)) / log(t_mul))
        before = (1.0 - t_mul**restarts) / (1.0 - t_mul)
        return restarts, (done - before) / t_mul**restarts


class LinearCosineDecay(LearningRateSchedule):
    """`(alpha + 1 - p) * (1 + cos(2 pi num_periods p)) / 2 + beta` of the initial rate (Bello and others, 2017).

    p is the part of `decay_steps` that is done.
    """

    def __init__(
        self,
        initial_learning_rate: Any,
        decay_steps: Any,
        num_periods: Any = 0.5,
        alpha: Any = 0.0,
        beta: Any = 0.001,
        name: str = "LinearCosineDecay",
    ) -> None:
        self.initial_learning_rate, self.decay_steps, self.num_periods = initial_learning_rate, decay_steps, num_periods
        self.alpha, self.beta, self.name = alpha, beta, name

    def __call__(self, step: Any) -> Any:
        """The rate after `step` steps."""
        with name_scope(self.name) as scope:
            rate, step, number = self._progress(step)
            steps = number(self.decay_steps)
            step = minimum(step, steps)
            wave = cosine_wave(number(self.num_periods) * (step / steps) * 2.0)
            return multiply(rate, (number(self.alpha) + (steps - step) / steps) * wave + number(self.beta), name=scope)


# ---- TensorFlow 1's functions

#: What they give: a scalar tensor; eagerly a function that gives it, for the step may be a variable.
Rate = Tensor | Callable[[], Tensor]


def rate_at(schedule: LearningRateSchedule, global_step: Any, function: str) -> Rate:
    """What TensorFlow 1's function gives: the rate, eagerly a function that gives it; a ValueError without `global_step`."""
    if global_step is None:
        raise ValueError(f"global_step is required for {function}.")
    return (lambda: schedule(global_step)) if executing_eagerly() else schedule(global_step)


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
        ValueError: no `global_step`.

    >>> import pullback.compat.v1 as tf
    >>> with tf.Graph().as_default(), tf.Session() as sess:
    ...     print(sess.run(tf.train.exponential_decay(0.5, tf.constant(2), 1, 0.5)))
    0.125
    """
    return rate_at(
        ExponentialDecay(learning_rate, decay_steps, decay_rate, staircase, name or "ExponentialDecay"), global_step, "exponential_decay"
    )


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

    >>> import pullback as tf
    >>> rate = tf.compat.v1.train.natural_exp_decay(0.1, 200, 100, 0.5)  # eagerly a function, for the step may be a variable
    >>> round(float(rate()), 4)
    0.0368
    """
    return rate_at(
        NaturalExpDecay(learning_rate, decay_steps, decay_rate, staircase, name or "ExponentialDecay"), global_step, "natural_exp_decay"
    )


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

    >>> import pullback.compat.v1 as tf
    >>> with tf.Graph().as_default(), tf.Session() as session:
    ...     print(session.run(tf.train.inverse_time_decay(0.1, tf.constant(100), 100, 1.0)))
    0.05
    """
    return rate_at(
        InverseTimeDecay(learning_rate, decay_steps, decay_rate, staircase, name or "InverseTimeDecay"), global_step, "inverse_time_decay"
    )


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
    """From one rate to another; arguments as `PolynomialDecay`, result and errors as `exponential_decay`.

    >>> import pullback.compat.v1 as tf
    >>> with tf.Graph().as_default(), tf.Session() as session:
    ...     print(session.run(tf.train.polynomial_decay(1.0, tf.constant(25), 100, end_learning_rate=0.0)))
    0.75
    """
    schedule = PolynomialDecay(learning_rate, decay_steps, end_learning_rate, power, cycle, name or "PolynomialDecay")
    return rate_at(schedule, global_step, "polynomial_decay")


@export(v1=("train.piecewise_constant", "train.piecewise_constant_decay"))
def piecewise_constant(x: TensorLike, boundaries: Sequence[Any], values: Sequence[Any], name: str | None = None) -> Rate:
    """`values[i]` while `x` is at most `boundaries[i]`; arguments and errors as `PiecewiseConstantDecay`, result as `exponential_decay`.

    >>> import pullback.compat.v1 as tf
    >>> with tf.Graph().as_default(), tf.Session() as session:
    ...     print(session.run(tf.train.piecewise_constant(tf.constant(101), [100, 200], [1.0, 0.5, 0.25])))
    0.5
    """
    return rate_at(PiecewiseConstantDecay(boundaries, values, name or "PiecewiseConstant"), x, "piecewise_constant")


@export(v1="train.cosine_decay")
def cosine_decay(
    learning_rate: TensorLike, global_step: IntLike | None, decay_steps: TensorLike, alpha: TensorLike = 0.0, name: str | None = None
) -> Rate:
    """Half a cosine wave down to `alpha` of the rate; arguments as `CosineDecay`, result and errors as `exponential_decay`.

    >>> import pullback.compat.v1 as tf
    >>> with tf.Graph().as_default(), tf.Session() as session:
    ...     print(session.run(tf.train.cosine_decay(1.0, tf.constant(50), 100)).round(4))
    0.5
    """
    return rate_at(CosineDecay(learning_rate, decay_steps, alpha, name or "CosineDecay"), global_step, "cosine_decay")


@export(v1="train.cosine_decay_restarts")
def cosine_decay_restarts(
    learning_rate: TensorLike,
    global_step: IntLike | None,
    first_decay_steps: Any,
    t_mul: Any = 2.0,
    m_mul: Any = 1.0,
    alpha: TensorLike = 0.0,
    name: str | None = None,
) -> Rate:
    """Cosine decay with restarts; arguments as `CosineDecayRestarts`, result and errors as `exponential_decay`.

    >>> import pullback.compat.v1 as tf
    >>> with tf.Graph().as_default(), tf.Session() as session:
    ...     print(session.run(tf.train.cosine_decay_restarts(1.0, tf.constant(100), 100)).round(4))
    1.0
    """
    schedule = CosineDecayRestarts(learning_rate, first_decay_steps, t_mul, m_mul, alpha, name or "SGDRDecay")
    return rate_at(schedule, global_step, "cosine_decay_restarts")


@export(v1="train.linear_cosine_decay")
def linear_cosine_decay(
    learning_rate: TensorLike,
    global_step: IntLike | None,
    decay_steps: TensorLike,
    num_periods: Any = 0.5,
    alpha: TensorLike = 0.0,
    beta: TensorLike = 0.001,
    name: str | None = None,
) -> Rate:
    """A falling line times cosine waves; arguments as `LinearCosineDecay`, result and errors as `exponential_decay`.

    >>> import pullback.compat.v1 as tf
    >>> with tf.Graph().as_default(), tf.Session() as session:
    ...     print(session.run(tf.train.linear_cosine_decay(1.0, tf.constant(50), 100)).round(4))
    0.251
    """
    schedule = LinearCosineDecay(learning_rate, decay_steps, num_periods, alpha, beta, name or "LinearCosineDecay")
    return rate_at(schedule, global_step, "linear_cosine_decay")
