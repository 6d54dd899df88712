"""The learning rate that Bello and others (2017) found by search: a falling line with noise, times cosine waves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..base.export import export
from ..ir.tensor import IntLike, TensorLike
from ..ops.math.arithmetic import minimum, multiply
from ..ops.random.functions import normal
from .schedules import Rate, cosine_wave, decay


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
    """A falling line with noise, drawn anew each time, times cosine waves.

    `(alpha + 1 - p + noise) * (1 + cos(2 pi num_periods p)) / 2 + beta` of the rate, where p is the part of `decay_steps` that is done;
    the noise is normal, its variance `initial_variance / (1 + step) ** variance_decay`.
    Arguments are numbers or scalar tensors; result and errors are as `exponential_decay`.

    >>> with tf1.Graph().as_default(), tf1.Session() as session:
    ...     print(session.run(tf1.train.noisy_linear_cosine_decay(1.0, tf1.constant(50), 100, initial_variance=0.0)).round(4))
    0.251
    """

    def formula(rate: Any, step: Any, number: Callable[[Any], Any], scope: str) -> Any:
        steps = number(decay_steps)
        step = minimum(step, steps)
        variance = number(initial_variance) / (1.0 + step) ** number(variance_decay)
        line = (steps - step) / steps + normal(step.shape, stddev=variance**0.5, dtype=rate.dtype)
        wave = cosine_wave(number(num_periods) * (step / steps) * 2.0)
        return multiply(rate, (number(alpha) + line) * wave + number(beta), name=scope)

    return decay("noisy_linear_cosine_decay", name or "NoisyLinearCosineDecay", learning_rate, global_step, formula)
