"""The learning rate that Bello and others (2017) found by search: a falling line with noise, times cosine waves."""

from __future__ import annotations

from typing import Any

from ..api.names import name_scope
from ..base.export import export
from ..ir.tensor import IntLike, TensorLike
from ..ops.math.arithmetic import minimum, multiply
from ..ops.random.functions import normal
from .schedules import LearningRateSchedule, Rate, cosine_wave, rate_at


class NoisyLinearCosineDecay(LearningRateSchedule):
    """`(alpha + 1 - p + noise) * (1 + cos(2 pi num_periods p)) / 2 + beta` of the initial rate.

    p is the part of `decay_steps` that is done; the noise is normal, its variance `initial_variance / (1 + step) ** variance_decay`.
    """

    def __init__(
        self,
        initial_learning_rate: Any,
        decay_steps: Any,
        initial_variance: Any = 1.0,
        variance_decay: Any = 0.55,
        num_periods: Any = 0.5,
        alpha: Any = 0.0,
        beta: Any = 0.001,
        name: str = "NoisyLinearCosineDecay",
    ) -> None:
        self.initial_learning_rate, self.decay_steps, self.num_periods = initial_learning_rate, decay_steps, num_periods
        self.initial_variance, self.variance_decay = initial_variance, variance_decay
        self.alpha, self.beta, self.name = alpha, beta, name

    def __call__(self, step: Any) -> Any:
        """The rate after `step` steps, drawn anew each time."""
        with name_scope(self.name) as scope:
            rate, step, number = self._progress(step)
            steps = number(self.decay_steps)
            step = minimum(step, steps)
            variance = number(self.initial_variance) / (1.0 + step) ** number(self.variance_decay)
            line = (steps - step) / steps + normal(step.shape, stddev=variance**0.5, dtype=rate.dtype)
            wave = cosine_wave(number(self.num_periods) * (step / steps) * 2.0)
            return multiply(rate, (number(self.alpha) + line) * wave + number(self.beta), name=scope)


@export(v1="train.noisy_linear_cosine_decay")
def noisy_linear_cosine_decay(
    learning_rate: TensorLike,
    global_step: IntLike | None,
    decay_steps: TensorLike,
    initial_variance: TensorLike = 1.0,
    variance_decay: TensorLike = 0.55,
    num_periods: TensorLike = 0.5,
    alpha: TensorLike = 0.0,
    beta: TensorLike = 0.001,
    name: str | None = None,
) -> Rate:
    """A falling line with noise times cosine waves; arguments as the class, result and errors as `exponential_decay`.

    >>> import pullback.compat.v1 as tf
    >>> with tf.Graph().as_default(), tf.Session() as session:
    ...     print(session.run(tf.train.noisy_linear_cosine_decay(1.0, tf.constant(50), 100, initial_variance=0.0)).round(4))
    0.251
    """
    schedule = NoisyLinearCosineDecay(
        learning_rate, decay_steps, initial_variance, variance_decay, num_periods, alpha, beta, name or "NoisyLinearCosineDecay"
    )
    return rate_at(schedule, global_step, "noisy_linear_cosine_decay")
