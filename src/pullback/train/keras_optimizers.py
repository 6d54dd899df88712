"""Keras 3's optimizers over the same rules as TensorFlow 1's (`ops.training`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..api.variable import Variable
from ..base.export import export
from ..ir.tensor import IndexedSlices
from ..ops import training
from ..ops.math.arithmetic import ADD
from ..ops.math.cast import cast
from ..ops.math.division import POW
from .keras_optimizer import Optimizer
from .keras_variables import through_float32


class RuleOptimizer(Optimizer):
    """An optimizer whose step is one of the rules of `ops.training`."""

    #: Whether a row without a gradient stays as it is, so that a sparse step needs to touch no other.
    _leaves_rows = False

    def _step(self, g: Any, v: Any, rate: Any) -> tuple[training.Update, list[Any], dict[str, Any]]:
        """The rule, its inputs with the values of the gradient among them, and its attributes."""
        raise NotImplementedError

    def _handles(self, v: Any, *slots: list[Any]) -> list[Any]:
        return [v.handle, *(own[self._get_variable_index(v)].handle for own in slots)]

    def update_step(self, gradient: Any, variable: Any, learning_rate: Any) -> None:
        """Change one variable."""
        rate = cast(learning_rate.read_value() if isinstance(learning_rate, Variable) else learning_rate, variable.dtype.base_dtype)
        if isinstance(gradient, IndexedSlices):
            rule, inputs, attrs = self._step(gradient.values, variable, rate)
            self._note(rule.sparse(*inputs, gradient.indices, every_row=not self._leaves_rows, **attrs))
        else:
            rule, inputs, attrs = self._step(gradient, variable, rate)
            self._note(rule.dense(*inputs, **attrs))


@export(v2="keras.optimizers.SGD")
class SGD(RuleOptimizer):
    """Gradient descent, with momentum: `a = momentum * a - learning_rate * g; v += a`.

    Args:
        learning_rate: a float, a schedule, or a function without arguments.
        momentum: a float of 0 to 1. nesterov: `v += momentum * a - learning_rate * g` instead.
        kwargs: as `Optimizer`.

    Raises:
        ValueError: `momentum` is no float of 0 to 1; else as `Optimizer`.

    >>> import pullback as tf
    >>> v = tf.Variable(2.0)
    >>> with tf.GradientTape() as tape:
    ...     loss = v * v
    >>> count = tf.keras.optimizers.SGD(0.25).apply_gradients([(tape.gradient(loss, v), v)])
    >>> v.numpy().item()
    1.0
    """

    _arguments = ("momentum", "nesterov")

    def __init__(self, learning_rate: Any = 0.01, momentum: Any = 0.0, nesterov: bool = False, **kwargs: Any) -> None:
        if not isinstance(momentum, float) or not 0 <= momentum <= 1:
            raise ValueError("`momentum` must be a float between [0, 1].")
        super().__init__(learning_rate, **kwargs)
        self.momentum, self.nesterov = momentum, nesterov
        self._leaves_rows = momentum == 0

    def build(self, variables: Sequence[Any]) -> None:
        """Make a momentum for each variable."""
        if not self.built:
            super().build(variables)
            self.momentums = self.add_optimizer_variables(variables, "momentum") if self.momentum else []

    def _step(self, g: Any, v: Any, rate: Any) -> Any:
        if not self.momentum:
            return training.GRADIENT_DESCENT, [v.handle, rate, g], {}
        momentum = through_float32(self.momentum, v.dtype.base_dtype)
        return training.KERAS_MOMENTUM, [*self._handles(v, self.momentums), rate, g, momentum], {"use_nesterov": self.nesterov}


@export(v2="keras.optimizers.Adam")
class Adam(RuleOptimizer):
    """Adam (Kingma and Ba, 2014), in the form of the paper's section 2 with `epsilon` beside the uncorrected root.

    Args:
        learning_rate: a float, a schedule, or a function without arguments.
        beta_1, beta_2: the decays of the averages of the gradient and of its square. epsilon: keeps the divisor from 0.
        amsgrad: divide by the largest average so far (Reddi, Kale and Kumar, 2018).
        kwargs: as `Optimizer`.

    >>> import pullback as tf
    >>> v = tf.Variable([1.0, -2.0])
    >>> with tf.GradientTape() as tape:
    ...     loss = tf.reduce_sum(v * v)
    >>> optimizer = tf.optimizers.Adam(learning_rate=0.1)
    >>> _ = optimizer.apply_gradients([(tape.gradient(loss, v), v)])
    >>> v.numpy().round(3)
    array([ 0.9, -1.9], dtype=float32)
    """

    _arguments = ("beta_1", "beta_2", "epsilon", "amsgrad")

    def __init__(
        self,
        learning_rate: Any = 0.001,
        beta_1: float = 0.9,
        beta_2: float = 0.999,
        epsilon: float = 1e-7,
        amsgrad: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(learning_rate, **kwargs)
        self.beta_1, self.beta_2, self.epsilon, self.amsgrad = beta_1, beta_2, epsilon, amsgrad

    def build(self, variables: Sequence[Any]) -> None:
        """Make the averages of each variable."""
        if not self.built:
            super().build(variables)
            self._momentums, self._velocities = self.add_optimizer_variables(variables, ["momentum", "velocity"])
            self._velocity_hats = self.add_optimizer_variables(variables, "velocity_hat") if self.amsgrad else []

    def _step(self, g: Any, v: Any, rate: Any) -> Any:
        step = cast(ADD.call(self.iterations, 1), v.dtype.base_dtype)
        powers = [POW.call(through_float32(beta, step.dtype), step) for beta in (self.beta_1, self.beta_2)]
        numbers = [rate, 1 - self.beta_1, 1 - self.beta_2, self.epsilon]
        slots = [self._momentums, self._velocities, *([self._velocity_hats] if self.amsgrad else [])]
        return training.ADAM_AMSGRAD if self.amsgrad else training.ADAM, [*self._handles(v, *slots), *powers, *numbers, g], {}


@export(v2="keras.optimizers.RMSprop")
class RMSprop(RuleOptimizer):
    """RMSProp (Tieleman and Hinton, 2012), with momentum.

    Args:
        learning_rate: a float, a schedule, or a function without arguments.
        rho: the decay of the average square. momentum: a number. epsilon: keeps the divisor from 0.
        centered: take the square of the average gradient from the average square.
        kwargs: as `Optimizer`.

    >>> import pullback as tf
    >>> v = tf.Variable([1.0, -2.0])
    >>> with tf.GradientTape() as tape:
    ...     loss = tf.reduce_sum(v * v)
    >>> _ = tf.optimizers.RMSprop(learning_rate=0.1).apply_gradients([(tape.gradient(loss, v), v)])
    >>> v.numpy().round(3)
    array([ 0.684, -1.684], dtype=float32)
    """

    _arguments = ("rho", "momentum", "epsilon", "centered")

    def __init__(
        self,
        learning_rate: Any = 0.001,
        rho: float = 0.9,
        momentum: float = 0.0,
        epsilon: float = 1e-7,
        centered: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(learning_rate, **kwargs)
        self.rho, self.momentum, self.epsilon, self.centered = rho, momentum, epsilon, centered

    def build(self, variables: Sequence[Any]) -> None:
        """Make the averages of each variable."""
        if not self.built:
            super().build(variables)
            self._velocities = self.add_optimizer_variables(variables, "velocity")
            self._momentums = self.add_optimizer_variables(variables, "momentum") if self.momentum > 0 else []
            self._average_gradients = self.add_optimizer_variables(variables, "average_gradient") if self.centered else []

    def _step(self, g: Any, v: Any, rate: Any) -> Any:
        slots = [*([self._average_gradients] if self.centered else []), self._velocities, *([self._momentums] if self.momentum > 0 else [])]
        numbers = [rate, 1 - self.rho, *([self.momentum] if self.momentum > 0 else []), self.epsilon]
        rules = {
            (False, False): training.PLAIN_RMS_PROP,
            (False, True): training.RMS_PROP,
            (True, False): training.PLAIN_CENTERED_RMS_PROP,
            (True, True): training.CENTERED_RMS_PROP,
        }
        return rules[self.centered, self.momentum > 0], [*self._handles(v, *slots), *numbers, g], {}


@export(v2="keras.optimizers.Adagrad")
class Adagrad(RuleOptimizer):
    """Adagrad (Duchi, Hazan and Singer, 2011): `s += g^2; v -= learning_rate * g / sqrt(s + epsilon)`.

    Args:
        learning_rate: a float, a schedule, or a function without arguments.
        initial_accumulator_value: what `s` starts with. epsilon: keeps the divisor from 0.
        kwargs: as `Optimizer`.

    >>> import pullback as tf
    >>> v = tf.Variable([1.0, -2.0])
    >>> with tf.GradientTape() as tape:
    ...     loss = tf.reduce_sum(v * v)
    >>> _ = tf.optimizers.Adagrad(learning_rate=0.1).apply_gradients([(tape.gradient(loss, v), v)])
    >>> v.numpy().round(3)
    array([ 0.901, -1.9  ], dtype=float32)
    """

    _arguments = ("initial_accumulator_value", "epsilon")
    _leaves_rows = True

    def __init__(self, learning_rate: Any = 0.001, initial_accumulator_value: float = 0.1, epsilon: float = 1e-7, **kwargs: Any) -> None:
        super().__init__(learning_rate, **kwargs)
        self.initial_accumulator_value, self.epsilon = initial_accumulator_value, epsilon

    def build(self, variables: Sequence[Any]) -> None:
        """Make the sum of squares of each variable."""
        if not self.built:
            super().build(variables)
            self._accumulators_ = self.add_optimizer_variables(variables, "accumulator", self.initial_accumulator_value)

    def _step(self, g: Any, v: Any, rate: Any) -> Any:
        return training.ADAGRAD, [*self._handles(v, self._accumulators_), rate, self.epsilon, g], {}


@export(v2="keras.optimizers.Adadelta")
class Adadelta(RuleOptimizer):
    """Adadelta (Zeiler, 2012); the paper's learning rate is 1.

    Args:
        learning_rate: a float, a schedule, or a function without arguments.
        rho: the decay of the averages. epsilon: keeps roots and divisors from 0.
        kwargs: as `Optimizer`.

    >>> import pullback as tf
    >>> v = tf.Variable([1.0, -2.0])
    >>> with tf.GradientTape() as tape:
    ...     loss = tf.reduce_sum(v * v)
    >>> _ = tf.optimizers.Adadelta(learning_rate=1.0, epsilon=1e-2).apply_gradients([(tape.gradient(loss, v), v)])
    >>> v.numpy().round(3)
    array([ 0.564, -1.556], dtype=float32)
    """

    _arguments = ("rho", "epsilon")

    def __init__(self, learning_rate: Any = 0.001, rho: float = 0.95, epsilon: float = 1e-7, **kwargs: Any) -> None:
        super().__init__(learning_rate, **kwargs)
        self.rho, self.epsilon = rho, epsilon

    def build(self, variables: Sequence[Any]) -> None:
        """Make the averages of each variable."""
        if not self.built:
            super().build(variables)
            self._gradients, self._deltas = self.add_optimizer_variables(variables, ["accumulated_grad", "accumulated_delta_var"])

    def _step(self, g: Any, v: Any, rate: Any) -> Any:
        return training.ADADELTA, [*self._handles(v, self._gradients, self._deltas), rate, self.rho, 1 - self.rho, self.epsilon, g], {}


@export(v2="keras.optimizers.Ftrl")
class Ftrl(RuleOptimizer):
    """FTRL-proximal (McMahan and others, 2013), which makes weights exactly 0 by L1 regularization.

    Args:
        learning_rate: a float, a schedule, or a function without arguments.
        learning_rate_power: how the rate falls with the sum of squared gradients, at most 0.
        initial_accumulator_value: what that sum starts with, at least 0.
        l1_regularization_strength, l2_regularization_strength, l2_shrinkage_regularization_strength: at least 0.
        beta: the paper's beta.
        kwargs: as `Optimizer`.

    Raises:
        ValueError: a number out of its range; else as `Optimizer`.

    >>> import pullback as tf
    >>> v = tf.Variable([1.0, -2.0])
    >>> with tf.GradientTape() as tape:
    ...     loss = tf.reduce_sum(v * v)
    >>> _ = tf.optimizers.Ftrl(learning_rate=0.1, l1_regularization_strength=1.0).apply_gradients([(tape.gradient(loss, v), v)])
    >>> v.numpy().round(3)
    array([ 0.696, -1.718], dtype=float32)
    """

    _arguments = (
        "learning_rate_power", "initial_accumulator_value", "l1_regularization_strength", "l2_regularization_strength",
        "l2_shrinkage_regularization_strength", "beta",
    )  # fmt: skip

    def __init__(
        self,
        learning_rate: Any = 0.001,
        learning_rate_power: float = -0.5,
        initial_accumulator_value: float = 0.1,
        l1_regularization_strength: float = 0.0,
        l2_regularization_strength: float = 0.0,
        l2_shrinkage_regularization_strength: float = 0.0,
        beta: float = 0.0,
        **kwargs: Any,
    ) -> None:
        super().__init__(learning_rate, **kwargs)
        self.learning_rate_power, self.initial_accumulator_value, self.beta = learning_rate_power, initial_accumulator_value, beta
        self.l1_regularization_strength, self.l2_regularization_strength = l1_regularization_strength, l2_regularization_strength
        self.l2_shrinkage_regularization_strength = l2_shrinkage_regularization_strength
        for argument in self._arguments[1:5]:
            if getattr(self, argument) < 0.0:
                raise ValueError(f"`{argument}` needs to be positive or zero. Received: {argument}={getattr(self, argument)}.")
        if learning_rate_power > 0.0:
            raise ValueError(f"`learning_rate_power` needs to be negative or zero. Received: learning_rate_power={learning_rate_power}.")

    def build(self, variables: Sequence[Any]) -> None:
        """Make the two sums of each variable."""
        if not self.built:
            super().build(variables)
            starts = [self.initial_accumulator_value, 0.0]
            self._sums, self._linears = self.add_optimizer_variables(variables, ["accumulator", "linear"], starts)

    def _step(self, g: Any, v: Any, rate: Any) -> Any:
        l2 = self.l2_regularization_strength + self.beta / (2.0 * rate)
        numbers = [rate, self.l1_regularization_strength, l2, self.l2_shrinkage_regularization_strength, self.learning_rate_power]
        return training.FTRL, [*self._handles(v, self._sums, self._linears), g, *numbers], {}
