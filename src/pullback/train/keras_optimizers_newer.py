"""Keras 3's newest optimizers: Muon, and AdamW without a schedule."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, ClassVar

from ..base.export import export
from ..ops.array.basic import matrix_transpose
from ..ops.linalg.products import matmul
from ..ops.math.arithmetic import minimum, square
from ..ops.math.cast import cast
from ..ops.math.division import POW
from ..ops.math.functions import sqrt
from ..ops.reduce.reductions import reduce_sum
from .keras_optimizers_more import StepOptimizer
from .keras_variables import through_float32


@export(v2="keras.optimizers.Muon")
class Muon(StepOptimizer):
    """Muon (Jordan and others, 2024): a momentum of each matrix made orthogonal by Newton and Schulz's iteration; Adam for the others.

    Args:
        learning_rate: a float, a schedule, or a function without arguments.
        adam_beta_1, adam_beta_2, adam_weight_decay, epsilon: of Adam's steps. weight_decay: of the matrices'.
        exclude_layers: patterns of names that Adam takes. exclude_embeddings: whether it takes names with "embedding".
        muon_a, muon_b, muon_c, ns_steps: the iteration's polynomial, and how often. adam_lr_ratio: Adam's rate by the matrices'.
        momentum: its decay. nesterov: whether to look ahead. rms_rate: scales steps by the matrix's greater size; None: not at all.
        kwargs: as `Optimizer`.

    >>> import pullback as tf
    >>> v = tf.Variable([[1.0, 0.0], [0.0, 1.0]])
    >>> tf.optimizers.Muon(learning_rate=0.1, weight_decay=None).apply([tf.constant([[1.0, 0.0], [0.0, 1.0]])], [v])
    >>> bool(v[0, 0] < 1.0) and bool(v[0, 1] == 0.0)
    True
    """

    _more: ClassVar[dict[str, Any]] = {
        "exclude_layers": None, "exclude_embeddings": True, "muon_a": 3.4445, "muon_b": -4.7750, "muon_c": 2.0315, "adam_lr_ratio": 1,
        "momentum": 0.95, "ns_steps": 5, "nesterov": True, "rms_rate": 0.2,
    }  # fmt: skip
    _arguments = ("adam_beta_1", "adam_beta_2", "adam_weight_decay", "epsilon", *_more)

    def __init__(
        self,
        learning_rate: Any = 0.001,
        adam_beta_1: float = 0.9,
        adam_beta_2: float = 0.999,
        adam_weight_decay: float | None = 0.004,
        epsilon: float = 1e-7,
        weight_decay: float | None = 0.004,
        **kwargs: Any,
    ) -> None:
        own = {name: kwargs.pop(name, default) for name, default in self._more.items()}
        super().__init__(learning_rate, weight_decay, **kwargs)
        self.adam_beta_1, self.adam_beta_2, self.adam_weight_decay, self.epsilon = adam_beta_1, adam_beta_2, adam_weight_decay, epsilon
        vars(self).update({**own, "exclude_layers": own["exclude_layers"] or []})

    exclude_layers: list[str]
    exclude_embeddings: bool
    muon_a: float
    muon_b: float
    muon_c: float
    adam_lr_ratio: float
    momentum: float
    ns_steps: int
    nesterov: bool
    rms_rate: float | None

    def _is_adams(self, variable: Any) -> bool:
        name = variable.name
        excluded = self.exclude_embeddings and "embedding" in name.lower()
        return len(variable.shape) != 2 or excluded or any(re.search(pattern, name) for pattern in self.exclude_layers)

    def build(self, variables: Sequence[Any]) -> None:
        """Make a momentum for each variable, and an average square for each that Adam takes."""
        if self.built:
            return
        super().build(variables)
        self._momentums, self._velocities = [], []
        for v in variables:
            self._momentums.append(self.add_variable_from_reference(v, "momentum"))
            self._velocities.append(self.add_variable_from_reference(v, "velocity") if self._is_adams(v) else None)

    def _apply_weight_decay(self, variables: Sequence[Any], rate: Any) -> None:
        matrices = self.weight_decay
        for kind, decay in ((False, matrices), (True, self.adam_weight_decay)):
            self.weight_decay = decay
            super()._apply_weight_decay([v for v in variables if self._is_adams(v) is kind], rate)
        self.weight_decay = matrices

    def _step(self, g: Any, variable: Any, rate: Any, step: Any) -> None:
        kept, velocity = self._kept(self._momentums, variable), self._kept(self._velocities, variable)
        if velocity is None:
            m = kept.read_value() * self.momentum + g
            self.assign(kept, m)
            update = rate * self._orthogonal(g + m * self.momentum if self.nesterov else m)
            longest = max(variable.shape.as_list()) ** 0.5
            self.assign_sub(variable, update if self.rms_rate is None else update * longest * self.rms_rate)
            return
        first, second = (POW.call(through_float32(beta, step.dtype), step) for beta in (self.adam_beta_1, self.adam_beta_2))
        alpha = rate * self.adam_lr_ratio * sqrt(1 - second) / (1 - first)
        m = self._moved(kept, g, 1 - self.adam_beta_1)
        v = self._moved(velocity, square(g), 1 - self.adam_beta_2)
        self.assign_sub(variable, m * alpha / (sqrt(v) + self.epsilon))

    def _orthogonal(self, x: Any) -> Any:
        """A matrix with the same singular vectors and singular values of about 1."""
        rows, columns = x.shape.as_list()
        x = matrix_transpose(x) if rows > columns else x
        x = x / (sqrt(reduce_sum(square(x))) + 1e-7)
        for _ in range(self.ns_steps):
            squared = matmul(x, x, transpose_b=True)
            x = self.muon_a * x + matmul(self.muon_b * squared + self.muon_c * matmul(squared, squared), x)
        return matrix_transpose(x) if rows > columns else x


@export(v2="keras.optimizers.ScheduleFreeAdamW")
class ScheduleFreeAdamW(StepOptimizer):
    """AdamW by an average of its iterates instead of a falling rate (Defazio and others, 2024).

    The variables are where gradients are wanted, between the average and the iterate.

    Args:
        learning_rate: a float, a schedule, or a function without arguments.
        beta_1: how near the average the variables stay. beta_2: the decay of the average square. epsilon: keeps the divisor from 0.
        warmup_steps: over how many steps the rate grows to its value.
        kwargs: as `Optimizer`.

    >>> import pullback as tf
    >>> v = tf.Variable([1.0, -2.0])
    >>> tf.optimizers.ScheduleFreeAdamW(learning_rate=0.1).apply([tf.constant([2.0, -4.0])], [v])
    >>> v.numpy().round(3)
    array([ 0.9, -1.9], dtype=float32)
    """

    _arguments = ("beta_1", "beta_2", "epsilon", "warmup_steps")

    def __init__(
        self,
        learning_rate: Any = 0.0025,
        beta_1: float = 0.9,
        beta_2: float = 0.999,
        epsilon: float = 1e-8,
        warmup_steps: int = 0,
        **kwargs: Any,
    ) -> None:
        super().__init__(learning_rate, **kwargs)
        self.beta_1, self.beta_2, self.epsilon, self.warmup_steps = beta_1, beta_2, epsilon, warmup_steps

    def build(self, variables: Sequence[Any]) -> None:
        """Make the iterate of each variable, which begins where the variable is, and the average square."""
        if not self.built:
            super().build(variables)
            self._iterates, self._velocities = self.add_optimizer_variables(variables, ["momentum", "velocity"])
            for iterate, v in zip(self._iterates, variables, strict=True):
                self.assign(iterate, v.read_value())

    def _step(self, g: Any, variable: Any, rate: Any, step: Any) -> None:
        beta_1, beta_2, epsilon = (through_float32(number, step.dtype) for number in (self.beta_1, self.beta_2, self.epsilon))
        if self.warmup_steps > 0:
            rate = rate * minimum(step / cast(self.warmup_steps, step.dtype), 1.0)
        kept = self._kept(self._iterates, variable)
        v = self._moved(self._kept(self._velocities, variable), square(g), 1 - beta_2)
        iterate = kept.read_value() - rate * g / (sqrt(v / (1 - POW.call(beta_2, step))) + epsilon)
        self.assign(kept, iterate)
        # Keras, too, finds the old average by the new iterate
        average = (variable.read_value() - (1 - beta_1) * iterate) / beta_1
        weight = 1.0 / step
        average = (1 - weight) * average + weight * iterate
        self.assign(variable, (1 - beta_1) * iterate + beta_1 * average)
