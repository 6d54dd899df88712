"""TensorFlow 1's optimizers with an L1 and an L2 penalty in each step: proximal descent, proximal AdaGrad, AdaGrad by dual averaging."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..base.export import export
from ..ops import training
from ..ops.math.arithmetic import add
from ..ops.primitives.cast import cast
from .optimizers import RuleOptimizer


class _Penalized(RuleOptimizer):
    """What the three have in common: a rate, and the strengths of the penalties."""

    def __init__(self, learning_rate: Any, l1: float, l2: float, use_locking: bool, name: str) -> None:
        super().__init__(use_locking, name)
        self._learning_rate, self._l1, self._l2 = learning_rate, l1, l2

    def _prepare(self) -> None:
        self._numbers(learning_rate=self._learning_rate, l1_regularization_strength=self._l1, l2_regularization_strength=self._l2)

    def _rates(self, var: Any) -> list[Any]:
        return [self._number(n, var) for n in ("learning_rate", "l1_regularization_strength", "l2_regularization_strength")]


@export(v1="train.ProximalGradientDescentOptimizer")
class ProximalGradientDescentOptimizer(_Penalized):
    """Gradient descent with a proximal step (Duchi and Singer, 2009).

    `p = v - learning_rate * g; v = sign(p) max(|p| - learning_rate * l1, 0) / (1 + learning_rate * l2)`.

    Args:
        learning_rate: a number, a tensor, or a function without arguments that gives one.
        l1_regularization_strength, l2_regularization_strength: the strengths of the two penalties.
        use_locking: accepted. name: of the operations.

    >>> with tf1.Graph().as_default(), tf1.Session() as session:
    ...     v = tf1.Variable([1.0, -2.0])
    ...     step = tf1.train.ProximalGradientDescentOptimizer(0.1, l1_regularization_strength=10.0).minimize(tf1.reduce_sum(v * v))
    ...     session.run(tf1.global_variables_initializer())
    ...     session.run(step)
    ...     print(session.run(v).round(3))
    [ 0.  -0.6]
    """

    def __init__(
        self, learning_rate: Any, l1_regularization_strength: float = 0.0, l2_regularization_strength: float = 0.0,
        use_locking: bool = False, name: str = "ProximalGradientDescent",
    ) -> None:  # fmt: skip
        super().__init__(learning_rate, l1_regularization_strength, l2_regularization_strength, use_locking, name)

    def _step(self, grad: Any, var: Any) -> Any:
        return training.PROXIMAL_DESCENT, [var.handle, *self._rates(var), grad], {}


@export(v1="train.ProximalAdagradOptimizer")
class ProximalAdagradOptimizer(_Penalized):
    """AdaGrad with a proximal step (Duchi and Singer, 2009).

    `s += g^2; r = learning_rate / sqrt(s); p = v - r g; v = sign(p) max(|p| - r * l1, 0) / (1 + r * l2)`.

    Args:
        learning_rate: a number, a tensor, or a function without arguments that gives one.
        initial_accumulator_value: what `s` starts with, above 0.
        l1_regularization_strength, l2_regularization_strength: the strengths of the two penalties.
        use_locking: accepted. name: of the operations and slots.

    Raises:
        ValueError: `initial_accumulator_value` is not above 0.

    >>> with tf1.Graph().as_default(), tf1.Session() as session:
    ...     v = tf1.Variable([1.0, -2.0])
    ...     step = tf1.train.ProximalAdagradOptimizer(0.1, l1_regularization_strength=1.0).minimize(tf1.reduce_sum(v * v))
    ...     session.run(tf1.global_variables_initializer())
    ...     session.run(step)
    ...     print(session.run(v).round(3))
    [ 0.852 -1.875]
    """

    def __init__(
        self, learning_rate: Any, initial_accumulator_value: float = 0.1, l1_regularization_strength: float = 0.0,
        l2_regularization_strength: float = 0.0, use_locking: bool = False, name: str = "ProximalAdagrad",
    ) -> None:  # fmt: skip
        if initial_accumulator_value <= 0.0:
            raise ValueError(f"initial_accumulator_value must be positive: {initial_accumulator_value}")
        super().__init__(learning_rate, l1_regularization_strength, l2_regularization_strength, use_locking, name)
        self._initial_accumulator_value = initial_accumulator_value

    def _create_slots(self, var_list: Sequence[Any]) -> None:
        for v in var_list:
            self._fill_slot(v, self._initial_accumulator_value, "accumulator", self._name)

    def _step(self, grad: Any, var: Any) -> Any:
        return training.PROXIMAL_ADAGRAD, [*self._slot_handles(var, "accumulator"), *self._rates(var), grad], {}


@export(v1="train.AdagradDAOptimizer")
class AdagradDAOptimizer(_Penalized):
    """AdaGrad by dual averaging (Duchi, Hazan and Singer, 2011), for sparse linear models.

    With t the number of steps, this one included: `a += g; s += g^2;
    v = -learning_rate sign(a) max(|a| - l1 * t, 0) / (l2 * t * learning_rate + sqrt(s))`.

    Args:
        learning_rate: a number, a tensor, or a function without arguments that gives one.
        global_step: the variable that counts steps; hand it to `apply_gradients` or `minimize` too, which make it grow.
        initial_gradient_squared_accumulator_value: what `s` starts with, above 0.
        l1_regularization_strength, l2_regularization_strength: the strengths of the two penalties.
        use_locking: accepted. name: of the operations and slots.

    Raises:
        ValueError: `initial_gradient_squared_accumulator_value` is not above 0.

    >>> with tf1.Graph().as_default(), tf1.Session() as session:
    ...     v, count = tf1.Variable([1.0, -2.0]), tf1.Variable(0, dtype=tf1.int64, trainable=False)
    ...     step = tf1.train.AdagradDAOptimizer(0.1, count).minimize(tf1.reduce_sum(v * v), global_step=count)
    ...     session.run(tf1.global_variables_initializer())
    ...     session.run(step)
    ...     print(session.run(v).round(3))
    [-0.099  0.1  ]
    """

    def __init__(
        self, learning_rate: Any, global_step: Any, initial_gradient_squared_accumulator_value: float = 0.1,
        l1_regularization_strength: float = 0.0, l2_regularization_strength: float = 0.0, use_locking: bool = False,
        name: str = "AdagradDA",
    ) -> None:  # fmt: skip
        if initial_gradient_squared_accumulator_value <= 0.0:
            raise ValueError(f"initial_gradient_squared_accumulator_value must be positive: {initial_gradient_squared_accumulator_value}")
        super().__init__(learning_rate, l1_regularization_strength, l2_regularization_strength, use_locking, name)
        self._global_step, self._initial_squares = global_step, initial_gradient_squared_accumulator_value

    def _create_slots(self, var_list: Sequence[Any]) -> None:
        for v in var_list:
            self._zeros_slot(v, "gradient_accumulator", self._name)
            self._fill_slot(v, self._initial_squares, "gradient_squared_accumulator", self._name)

    def _step(self, grad: Any, var: Any) -> Any:
        step = self._once("step", var, lambda dtype: cast(add(self._global_step, 1), dtype))
        handles = self._slot_handles(var, "gradient_accumulator", "gradient_squared_accumulator")
        return training.ADAGRAD_DA, [*handles, grad, *self._rates(var), step], {}
