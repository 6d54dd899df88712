"""Keras 3's optimizers beyond the rules of TensorFlow 1: AdamW, Adamax, Nadam, Lion, Lamb, Adafactor.

Their steps are written in tensors, from the new value of what they keep. A sparse gradient is made dense first, as in Keras.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..api.variable import Variable
from ..base.export import export
from ..ir.apply import convert_to_tensor
from ..ir.tensor import IndexedSlices
from ..ops.array.where import where
from ..ops.math.arithmetic import ADD, maximum, minimum, sign, square
from ..ops.math.cast import cast
from ..ops.math.compare import logical_and
from ..ops.math.division import POW
from ..ops.math.functions import sqrt
from ..ops.reduce.reductions import reduce_mean, reduce_sum
from ..transforms.sparse import densify
from .keras_optimizer import Optimizer
from .keras_optimizers import Adam
from .keras_variables import through_float32


@export(v2="keras.optimizers.AdamW")
class AdamW(Adam):
    """Adam with decay of the weights beside the gradient's step (Loshchilov and Hutter, 2019).

    Args:
        learning_rate, beta_1, beta_2, epsilon, amsgrad: as `Adam`.
        weight_decay: every step takes `learning_rate * weight_decay * v` from each variable.
        kwargs: as `Optimizer`.

    Raises:
        ValueError: no `weight_decay`; else as `Optimizer`.

    >>> import pullback as tf
    >>> v = tf.Variable([1.0, -2.0])
    >>> optimizer = tf.optimizers.AdamW(learning_rate=0.1, weight_decay=0.5)
    >>> optimizer.apply([tf.constant([2.0, -4.0])], [v])
    >>> v.numpy().round(3)
    array([ 0.85, -1.8 ], dtype=float32)
    """

    def __init__(
        self,
        learning_rate: Any = 0.001,
        weight_decay: float | None = 0.004,
        beta_1: float = 0.9,
        beta_2: float = 0.999,
        epsilon: float = 1e-7,
        amsgrad: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(learning_rate, beta_1, beta_2, epsilon, amsgrad, weight_decay=weight_decay, **kwargs)
        if weight_decay is None:
            raise ValueError("Argument `weight_decay` must be a float. Received: weight_decay=None")


class StepOptimizer(Optimizer):
    """An optimizer whose step is a formula of the gradient and of what it keeps."""

    def update_step(self, gradient: Any, variable: Any, learning_rate: Any) -> None:
        """Change one variable."""
        dtype = variable.dtype.base_dtype
        rate = cast(learning_rate.read_value() if isinstance(learning_rate, Variable) else learning_rate, dtype)
        gradient = densify(gradient) if isinstance(gradient, IndexedSlices) else gradient
        self._step(cast(gradient, dtype), variable, rate, cast(ADD.call(self.iterations, 1), dtype))

    def _step(self, g: Any, variable: Any, rate: Any, step: Any) -> None:
        raise NotImplementedError

    def _kept(self, slots: list[Any], variable: Any) -> Any:
        return slots[self._get_variable_index(variable)]

    def _moved(self, average: Any, towards: Any, by: Any) -> Any:
        """A running average's new value, assigned."""
        old = average.read_value()
        new = old + (towards - old) * by
        self.assign(average, new)
        return new


class _TwoAverages(StepOptimizer):
    """With averages of the gradient and of its square, or what stands for it."""

    _arguments = ("beta_1", "beta_2", "epsilon")
    _slots = ("momentum", "velocity")

    def __init__(
        self, learning_rate: Any = 0.001, beta_1: float = 0.9, beta_2: float = 0.999, epsilon: float = 1e-7, **kwargs: Any
    ) -> None:
        super().__init__(learning_rate, **kwargs)
        self.beta_1, self.beta_2, self.epsilon = beta_1, beta_2, epsilon

    def build(self, variables: Sequence[Any]) -> None:
        """Make the averages of each variable."""
        if not self.built:
            super().build(variables)
            self._firsts, self._seconds = self.add_optimizer_variables(variables, self._slots)


@export(v2="keras.optimizers.Adamax")
class Adamax(_TwoAverages):
    """Adamax (Kingma and Ba, 2014): Adam by the infinity norm, `v -= rate * m / ((1 - beta_1^t) (max(beta_2 u, |g|) + epsilon))`.

    Args:
        learning_rate: a float, a schedule, or a function without arguments.
        beta_1, beta_2: the decays of the average of the gradient and of its largest magnitude. epsilon: keeps the divisor from 0.
        kwargs: as `Optimizer`.

    >>> import pullback as tf
    >>> v = tf.Variable([1.0, -2.0])
    >>> tf.optimizers.Adamax(learning_rate=0.1).apply([tf.constant([2.0, -4.0])], [v])
    >>> v.numpy().round(3)
    array([ 0.9, -1.9], dtype=float32)
    """

    _slots = ("momentum", "norm")

    def _step(self, g: Any, variable: Any, rate: Any, step: Any) -> None:
        norm = self._kept(self._seconds, variable)
        m = self._moved(self._kept(self._firsts, variable), g, 1 - self.beta_1)
        largest = maximum(norm.read_value() * self.beta_2, abs(g))
        self.assign(norm, largest)
        power = POW.call(through_float32(self.beta_1, step.dtype), step)
        self.assign_sub(variable, rate * m / ((1 - power) * (largest + self.epsilon)))


@export(v2="keras.optimizers.Nadam")
class Nadam(_TwoAverages):
    """Nadam (Dozat, 2016): Adam with Nesterov's momentum, whose weight grows from step to step.

    Args:
        learning_rate: a float, a schedule, or a function without arguments.
        beta_1, beta_2: the decays of the averages of the gradient and of its square. epsilon: keeps the divisor from 0.
        kwargs: as `Optimizer`.

    >>> import pullback as tf
    >>> v = tf.Variable([1.0, -2.0])
    >>> tf.optimizers.Nadam(learning_rate=0.1).apply([tf.constant([2.0, -4.0])], [v])
    >>> v.numpy().round(3)
    array([ 0.894, -1.894], dtype=float32)
    """

    def build(self, variables: Sequence[Any]) -> None:
        """Make the averages of each variable, and the product of the momentum's weights."""
        if not self.built:
            super().build(variables)
            dtype = variables[0].dtype if variables else "float32"
            self._product = self.add_variable((), 1.0, dtype, name="u_product")

    def _weight(self, step: Any) -> Any:
        return through_float32(self.beta_1, step.dtype) * (1.0 - 0.5 * POW.call(through_float32(0.96, step.dtype), step))

    def _update_all(self, grads: list[Any], variables: list[Any]) -> None:
        step = cast(ADD.call(self.iterations, 1), self._product.dtype.base_dtype)
        decay = convert_to_tensor(0.96, step.dtype)  # here Keras takes its numbers as they are
        self._so_far = self._product.read_value() * self.beta_1 * (1.0 - 0.5 * POW.call(decay, step))
        self.assign(self._product, self._so_far)
        super()._update_all(grads, variables)

    def _step(self, g: Any, variable: Any, rate: Any, step: Any) -> None:
        now, then = self._weight(step), self._weight(step + 1)
        so_far = cast(self._so_far, step.dtype)
        beta_1, beta_2 = (through_float32(beta, step.dtype) for beta in (self.beta_1, self.beta_2))
        m = self._moved(self._kept(self._firsts, variable), g, 1 - beta_1)
        v = self._moved(self._kept(self._seconds, variable), square(g), 1 - beta_2)
        ahead = then * m / (1 - so_far * then) + (1 - now) * g / (1 - so_far)
        self.assign_sub(variable, ahead * rate / (sqrt(v / (1 - POW.call(beta_2, step))) + self.epsilon))


@export(v2="keras.optimizers.Lamb")
class Lamb(_TwoAverages):
    """LAMB (You and others, 2020): Adam's step, as long as the variable for each of them.

    Args:
        learning_rate: a float, a schedule, or a function without arguments.
        beta_1, beta_2: the decays of the averages of the gradient and of its square. epsilon: keeps the divisor from 0.
        kwargs: as `Optimizer`.

    >>> import pullback as tf
    >>> v = tf.Variable([3.0, -4.0])
    >>> tf.optimizers.Lamb(learning_rate=0.1).apply([tf.constant([2.0, -4.0])], [v])
    >>> v.numpy().round(3)
    array([ 2.646, -3.646], dtype=float32)
    """

    def _step(self, g: Any, variable: Any, rate: Any, step: Any) -> None:
        first, second = (1.0 - POW.call(through_float32(beta, step.dtype), step) for beta in (self.beta_1, self.beta_2))
        m = self._moved(self._kept(self._firsts, variable), g, 1 - self.beta_1)
        v = self._moved(self._kept(self._seconds, variable), square(g), 1 - self.beta_2)
        update = m / first / (sqrt(v / second) + self.epsilon)
        own, long = sqrt(reduce_sum(square(variable.read_value()))), sqrt(reduce_sum(square(update)))
        both = logical_and(own > 0, long > 0)
        ratio = where(both, own / where(both, long, 1), 1)
        self.assign_sub(variable, ratio * rate * update)


@export(v2="keras.optimizers.Lion")
class Lion(StepOptimizer):
    """Lion (Chen and others, 2023): steps of one length, in the direction that the signs of a momentum say.

    Args:
        learning_rate: a float, a schedule, or a function without arguments.
        beta_1: the momentum's weight in a step, above 0, at most 1. beta_2: its decay.
        kwargs: as `Optimizer`.

    Raises:
        ValueError: `beta_1` out of its range; else as `Optimizer`.

    >>> import pullback as tf
    >>> v = tf.Variable([1.0, -2.0])
    >>> tf.optimizers.Lion(learning_rate=0.1).apply([tf.constant([2.0, -4.0])], [v])
    >>> v.numpy().round(3)
    array([ 0.9, -1.9], dtype=float32)
    """

    _arguments = ("beta_1", "beta_2")

    def __init__(self, learning_rate: Any = 0.001, beta_1: float = 0.9, beta_2: float = 0.99, **kwargs: Any) -> None:
        super().__init__(learning_rate, **kwargs)
        self.beta_1, self.beta_2 = beta_1, beta_2
        if beta_1 <= 0 or beta_1 > 1:
            raise ValueError(
                "Argument `beta_1` must be in the [0, 1] range. Otherwise, the optimizer degenerates to SignSGD. "
                f"Received: beta_1={beta_1}."
            )

    def build(self, variables: Sequence[Any]) -> None:
        """Make a momentum for each variable."""
        if not self.built:
            super().build(variables)
            self._momentums = self.add_optimizer_variables(variables, "momentum")

    def _step(self, g: Any, variable: Any, rate: Any, step: Any) -> None:
        beta_1, beta_2 = (through_float32(beta, step.dtype) for beta in (self.beta_1, self.beta_2))
        kept = self._kept(self._momentums, variable)
        m = kept.read_value()
        self.assign_sub(variable, rate * sign(m * beta_1 + g * (1.0 - beta_1)))
        self.assign(kept, m * beta_2 + g * (1.0 - beta_2))


@export(v2="keras.optimizers.Adafactor")
class Adafactor(StepOptimizer):
    """Adafactor (Shazeer and Stern, 2018): average squares kept by rows and columns only, steps relative to the variable's size.

    Args:
        learning_rate: a float, a schedule, or a function without arguments.
        beta_2_decay: the power of the step that the weight of a new square falls with.
        epsilon_1, epsilon_2: keep the average squares, and the variable's size, from 0.
        clip_threshold: the largest root mean square of a step before it is scaled.
        relative_step: bound the rate by 1 over the square root of the step.
        kwargs: as `Optimizer`.

    >>> import pullback as tf
    >>> v = tf.Variable([3.0, -4.0])
    >>> tf.optimizers.Adafactor(learning_rate=0.1).apply([tf.constant([2.0, -4.0])], [v])
    >>> v.numpy().round(3)
    array([ 2.646, -3.646], dtype=float32)
    """

    _arguments = ("beta_2_decay", "epsilon_1", "epsilon_2", "clip_threshold", "relative_step")

    def __init__(
        self,
        learning_rate: Any = 0.001,
        beta_2_decay: float = -0.8,
        epsilon_1: float = 1e-30,
        epsilon_2: float = 1e-3,
        clip_threshold: float = 1.0,
        relative_step: bool = True,
        **kwargs: Any,
    ) -> None:
        super().__init__(learning_rate, **kwargs)
        self.beta_2_decay, self.epsilon_1, self.epsilon_2 = beta_2_decay, epsilon_1, epsilon_2
        self.clip_threshold, self.relative_step = clip_threshold, relative_step

    def build(self, variables: Sequence[Any]) -> None:
        """Make the average squares of each variable, of its rows and of its columns."""
        if self.built:
            return
        super().build(variables)
        self._rows, self._columns, self._squares = [], [], []
        for v in variables:
            dims = v.shape.as_list()
            wide = len(dims) >= 2
            name = v.name.removesuffix(":0")
            self._rows.append(self.add_variable(dims[:-1], dtype=v.dtype, name=name) if wide else None)
            self._columns.append(self.add_variable([*dims[:-2], dims[-1]], dtype=v.dtype, name=name) if wide else None)
            self._squares.append(self.add_variable_from_reference(v, "velocity"))

    def _step(self, g: Any, variable: Any, rate: Any, step: Any) -> None:
        slowing = 1 / sqrt(step)
        rate = minimum(rate, slowing) if self.relative_step and isinstance(self._learning_rate, Variable) else rate
        scale = maximum(through_float32(self.epsilon_2, step.dtype), _size(variable.read_value())) * minimum(rate, slowing)
        of, weight = square(g) + self.epsilon_1, POW.call(step, self.beta_2_decay)
        kept = self._kept(self._squares, variable)
        if len(variable.shape) < 2:
            v = self._moved(kept, of, weight)
        else:
            rows = self._moved(self._kept(self._rows, variable), reduce_mean(of, -1), weight)
            columns = self._moved(self._kept(self._columns, variable), reduce_mean(of, -2), weight)
            v = (rows / reduce_mean(rows, -1, keepdims=True))[..., None] * columns[..., None, :]
            self.assign(kept, v)
        update = g / sqrt(v)
        self.assign_sub(variable, scale * update / maximum(_size(update) / self.clip_threshold, 1))


def _size(x: Any) -> Any:
    return sqrt(reduce_mean(square(x)))
