"""TensorFlow 1's optimizers: each names its slots and numbers, and leaves the arithmetic to the rules of `ops.training`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeAlias

from ..api.names import control_dependencies
from ..base.dtypes import DType
from ..base.export import export
from ..ir.apply import convert_to_tensor
from ..ir.context import executing_eagerly
from ..ir.tensor import IndexedSlices, NumberLike, Tensor
from ..ops import training
from ..ops.array.basic import shape_of
from ..ops.array.create import ones
from ..ops.math.arithmetic import maximum, subtract
from ..ops.primitives.cast import cast
from .optimizer import Optimizer, beside, operations

#: A number of an optimizer: itself, or a function that gives it.
Rate: TypeAlias = NumberLike | Callable[[], NumberLike]


class RuleOptimizer(Optimizer):
    """An optimizer whose step is one of the rules of `ops.training`."""

    #: Whether a sparse gradient changes every row, as a dense one with zeros would.
    _every_row = False

    def _numbers(self, **values: Any) -> None:
        """Make the numbers of a step tensors named as the arguments."""
        self._tensors = {name: convert_to_tensor(self._call_if_callable(value), name=name) for name, value in values.items()}
        self._in_dtype: dict[tuple[str, DType], Any] = {}

    def _number(self, name: str, var: Any) -> Tensor:
        """The number `name` in the dtype of `var`; made once a step."""
        return self._once(name, var, lambda dtype: cast(self._tensors[name], dtype))

    def _gain(self, name: str, var: Any) -> Tensor:
        """1 - the number `name`."""
        return self._once(f"1 - {name}", var, lambda dtype: subtract(convert_to_tensor(1.0, dtype=dtype), self._number(name, var)))

    def _once(self, key: str, var: Any, make: Callable[[DType], Any]) -> Tensor:
        dtype = var.dtype.base_dtype
        if (key, dtype) not in self._in_dtype:
            self._in_dtype[key, dtype] = make(dtype)
        return self._in_dtype[key, dtype]

    def _step(self, grad: Any, var: Any) -> tuple[training.Update, list[Any], dict[str, Any]]:
        """The rule, its inputs with the values of the gradient among them, and its attributes."""
        raise NotImplementedError

    def _slot_handles(self, var: Any, *names: str) -> list[Any]:
        return [var.handle, *(self._slots[name][var._uid].handle for name in names)]

    def _changes_at_once(self) -> bool:
        return type(self).__module__ == __name__  # which a program's own subclass may not

    def _apply_dense(self, grad: Any, var: Any) -> Tensor:
        rule, inputs, attrs = self._step(grad, var)
        return rule.dense(*inputs, **attrs)

    def _apply_sparse_duplicate_indices(self, grad: IndexedSlices, var: Any) -> Any:
        rule, inputs, attrs = self._step(grad.values, var)
        return rule.sparse(*inputs, grad.indices, every_row=self._every_row, **attrs)


@export(v1="train.GradientDescentOptimizer")
class GradientDescentOptimizer(RuleOptimizer):
    """Gradient descent: `v -= learning_rate * g`.

    Args:
        learning_rate: a number, a tensor, or a function without arguments that gives one.
        use_locking: accepted. name: of the operations.

    >>> tf1.train.GradientDescentOptimizer(0.1).get_name()
    'GradientDescent'
    """

    def __init__(self, learning_rate: Rate, use_locking: bool = False, name: str = "GradientDescent") -> None:
        super().__init__(use_locking, name)
        self._learning_rate = learning_rate

    def _prepare(self) -> None:
        self._numbers(learning_rate=self._learning_rate)

    def _step(self, grad: Any, var: Any) -> Any:
        return training.GRADIENT_DESCENT, [var.handle, self._number("learning_rate", var), grad], {}


@export(v1="train.MomentumOptimizer")
class MomentumOptimizer(RuleOptimizer):
    """Momentum: `a = momentum * a + g; v -= learning_rate * a`.

    Args:
        learning_rate, momentum: numbers, tensors, or functions without arguments that give one.
        use_nesterov: `v -= learning_rate * (g + momentum * a)` instead (Sutskever and others, 2013).
        use_locking: accepted. name: of the operations and slots.

    >>> with tf1.Graph().as_default(), tf1.Session() as session:
    ...     v = tf1.Variable([1.0, -2.0])
    ...     step = tf1.train.MomentumOptimizer(0.1, momentum=0.9).minimize(tf1.reduce_sum(v * v))
    ...     session.run(tf1.global_variables_initializer())
    ...     session.run(step)
    ...     print(session.run(v).round(3))
    [ 0.8 -1.6]
    """

    def __init__(
        self, learning_rate: Rate, momentum: Rate, use_locking: bool = False, name: str = "Momentum", use_nesterov: bool = False
    ) -> None:
        super().__init__(use_locking, name)
        self._learning_rate, self._momentum, self._use_nesterov = learning_rate, momentum, use_nesterov

    def _create_slots(self, var_list: Sequence[Any]) -> None:
        for v in var_list:
            self._zeros_slot(v, "momentum", self._name)

    def _prepare(self) -> None:
        self._numbers(learning_rate=self._learning_rate, momentum=self._momentum)

    def _step(self, grad: Any, var: Any) -> Any:
        inputs = [*self._slot_handles(var, "momentum"), self._number("learning_rate", var), grad, self._number("momentum", var)]
        return training.MOMENTUM, inputs, {"use_nesterov": self._use_nesterov}


@export(v1="train.AdamOptimizer")
class AdamOptimizer(RuleOptimizer):
    """Adam (Kingma and Ba, 2014), in the form of the paper's section 2 with `epsilon` beside the uncorrected root.

    `m += (1 - beta1) (g - m); s += (1 - beta2) (g^2 - s); v -= learning_rate sqrt(1 - beta2^t) / (1 - beta1^t) m / (sqrt(s) + epsilon)`.
    A sparse gradient counts as a dense one: the averages of rows without gradient decay, and those rows move on.

    Args:
        learning_rate, beta1, beta2, epsilon: numbers, tensors, or functions without arguments that give one.
        use_locking: accepted. name: of the operations and slots. use_own_namescope_for_non_slot_vars: accepted.

    >>> with tf1.Graph().as_default(), tf1.Session() as session:
    ...     v = tf1.Variable([1.0, -2.0])
    ...     step = tf1.train.AdamOptimizer(0.1).minimize(tf1.reduce_sum(v * v))
    ...     session.run(tf1.global_variables_initializer())
    ...     session.run(step)
    ...     print(session.run(v).round(3))
    [ 0.9 -1.9]
    """

    _every_row = True

    def __init__(
        self,
        learning_rate: Rate = 0.001,
        beta1: Rate = 0.9,
        beta2: Rate = 0.999,
        epsilon: Rate = 1e-8,
        use_locking: bool = False,
        name: str = "Adam",
        use_own_namescope_for_non_slot_vars: bool = False,
    ) -> None:
        super().__init__(use_locking, name, use_own_namescope_for_non_slot_vars)
        self._lr, self._beta1, self._beta2, self._epsilon = learning_rate, beta1, beta2, epsilon

    def _create_slots(self, var_list: Sequence[Any]) -> None:
        first = min(var_list, key=lambda v: v.name)
        for name, beta in (("beta1_power", self._beta1), ("beta2_power", self._beta2)):
            self._create_non_slot_variable(self._call_if_callable(beta), name, first)
        for v in var_list:
            self._zeros_slot(v, "m", self._name)
            self._zeros_slot(v, "v", self._name)
        self._powers = [self._get_non_slot_variable(name, first._graph) for name in ("beta1_power", "beta2_power")]

    def _get_beta_accumulators(self) -> tuple[Any, Any]:
        return self._powers[0], self._powers[1]

    def _prepare(self) -> None:
        self._numbers(learning_rate=self._lr, beta1=self._beta1, beta2=self._beta2, epsilon=self._epsilon)
        self._tensors |= {"beta1_power": self._powers[0].value(), "beta2_power": self._powers[1].value()}

    def _step(self, grad: Any, var: Any) -> Any:
        powers = [self._number("beta1_power", var), self._number("beta2_power", var)]
        numbers = [self._number("learning_rate", var), self._gain("beta1", var), self._gain("beta2", var), self._number("epsilon", var)]
        return training.ADAM, [*self._slot_handles(var, "m", "v"), *powers, *numbers, grad], {}

    def _finish(self, update_ops: Sequence[Any], name_scope: str) -> Any:
        with control_dependencies(operations(update_ops)), beside(self._powers[0]):
            decayed = [
                power.assign(self._tensors[f"{beta}_power"] * self._tensors[beta], read_value=not executing_eagerly())
                for power, beta in zip(self._powers, ("beta1", "beta2"), strict=True)
            ]
        return super()._finish([*update_ops, *decayed], name_scope)


@export(v1="train.RMSPropOptimizer")
class RMSPropOptimizer(RuleOptimizer):
    """RMSProp (Tieleman and Hinton, 2012), with momentum.

    `s += (1 - decay) (g^2 - s); a = momentum * a + learning_rate * g / sqrt(s + epsilon); v -= a`; with `centered` the square of
    the average gradient is taken from `s`.

    Args:
        learning_rate, decay, momentum, epsilon: numbers, tensors, or functions without arguments that give one.
        use_locking: accepted. centered: normalise by the variance. name: of the operations and slots.

    >>> with tf1.Graph().as_default(), tf1.Session() as session:
    ...     v = tf1.Variable([1.0, -2.0])
    ...     step = tf1.train.RMSPropOptimizer(0.1).minimize(tf1.reduce_sum(v * v))
    ...     session.run(tf1.global_variables_initializer())
    ...     session.run(step)
    ...     print(session.run(v).round(3))
    [ 0.825 -1.747]
    """

    def __init__(
        self,
        learning_rate: Rate,
        decay: Rate = 0.9,
        momentum: Rate = 0.0,
        epsilon: Rate = 1e-10,
        use_locking: bool = False,
        centered: bool = False,
        name: str = "RMSProp",
    ) -> None:
        super().__init__(use_locking, name)
        self._learning_rate, self._decay, self._momentum, self._epsilon, self._centered = learning_rate, decay, momentum, epsilon, centered

    def _create_slots(self, var_list: Sequence[Any]) -> None:
        for v in var_list:
            self._fill_slot(v, 1.0, "rms", self._name)
            if self._centered:
                self._zeros_slot(v, "mg", self._name)
            self._zeros_slot(v, "momentum", self._name)

    def _prepare(self) -> None:
        self._numbers(learning_rate=self._learning_rate, decay=self._decay, momentum=self._momentum, epsilon=self._epsilon)

    def _step(self, grad: Any, var: Any) -> Any:
        names = ("mg", "rms", "momentum") if self._centered else ("rms", "momentum")
        numbers = [
            self._number("learning_rate", var),
            self._gain("decay", var),
            self._number("momentum", var),
            self._number("epsilon", var),
        ]
        rule = training.CENTERED_RMS_PROP if self._centered else training.RMS_PROP
        return rule, [*self._slot_handles(var, *names), *numbers, grad], {}


@export(v1="train.AdagradOptimizer")
class AdagradOptimizer(RuleOptimizer):
    """Adagrad (Duchi, Hazan and Singer, 2011): `s += g^2; v -= learning_rate * g / sqrt(s)`.

    Args:
        learning_rate: a number, a tensor, or a function without arguments that gives one.
        initial_accumulator_value: what `s` starts with, above 0.
        use_locking: accepted. name: of the operations and slots.

    Raises:
        ValueError: `initial_accumulator_value` is not above 0.

    >>> with tf1.Graph().as_default(), tf1.Session() as session:
    ...     v = tf1.Variable([1.0, -2.0])
    ...     step = tf1.train.AdagradOptimizer(0.1).minimize(tf1.reduce_sum(v * v))
    ...     session.run(tf1.global_variables_initializer())
    ...     session.run(step)
    ...     print(session.run(v).round(3))
    [ 0.901 -1.9  ]
    """

    def __init__(
        self, learning_rate: Rate, initial_accumulator_value: float = 0.1, use_locking: bool = False, name: str = "Adagrad"
    ) -> None:
        if initial_accumulator_value <= 0.0:
            raise ValueError(f"initial_accumulator_value must be positive: {initial_accumulator_value}")
        super().__init__(use_locking, name)
        self._learning_rate, self._initial_accumulator_value = learning_rate, initial_accumulator_value

    def _create_slots(self, var_list: Sequence[Any]) -> None:
        for v in var_list:
            self._fill_slot(v, self._initial_accumulator_value, "accumulator", self._name)

    def _prepare(self) -> None:
        self._numbers(learning_rate=self._learning_rate)

    def _step(self, grad: Any, var: Any) -> Any:
        epsilon = self._once("epsilon", var, lambda dtype: convert_to_tensor(0.0, dtype=dtype))
        return training.ADAGRAD, [*self._slot_handles(var, "accumulator"), self._number("learning_rate", var), epsilon, grad], {}


@export(v1="train.AdadeltaOptimizer")
class AdadeltaOptimizer(RuleOptimizer):
    """Adadelta (Zeiler, 2012).

    `s = rho * s + (1 - rho) g^2; d = sqrt(u + epsilon) / sqrt(s + epsilon) * g; u = rho * u + (1 - rho) d^2; v -= learning_rate * d`.

    Args:
        learning_rate, rho, epsilon: numbers, tensors, or functions without arguments that give one; the paper's rate is 1.
        use_locking: accepted. name: of the operations and slots.

    >>> with tf1.Graph().as_default(), tf1.Session() as session:
    ...     v = tf1.Variable([1.0, -2.0])
    ...     step = tf1.train.AdadeltaOptimizer(1.0, rho=0.95, epsilon=1e-2).minimize(tf1.reduce_sum(v * v))
    ...     session.run(tf1.global_variables_initializer())
    ...     session.run(step)
    ...     print(session.run(v).round(3))
    [ 0.564 -1.556]
    """

    def __init__(
        self, learning_rate: Rate = 0.001, rho: Rate = 0.95, epsilon: Rate = 1e-8, use_locking: bool = False, name: str = "Adadelta"
    ) -> None:
        super().__init__(use_locking, name)
        self._lr, self._rho, self._epsilon = learning_rate, rho, epsilon

    def _create_slots(self, var_list: Sequence[Any]) -> None:
        for v in var_list:
            self._zeros_slot(v, "accum", self._name)
            self._zeros_slot(v, "accum_update", self._name)

    def _prepare(self) -> None:
        self._numbers(lr=self._lr, rho=self._rho, epsilon=self._epsilon)

    def _step(self, grad: Any, var: Any) -> Any:
        numbers = [self._number("lr", var), self._number("rho", var), self._gain("rho", var), self._number("epsilon", var)]
        return training.ADADELTA, [*self._slot_handles(var, "accum", "accum_update"), *numbers, grad], {}


@export(v1="train.FtrlOptimizer")
class FtrlOptimizer(RuleOptimizer):
    """FTRL-proximal (McMahan and others, 2013), which makes weights exactly 0 by L1 regularization.

    Args:
        learning_rate: a number, a tensor, or a function without arguments that gives one.
        learning_rate_power: how the rate falls with the sum of squared gradients, at most 0.
        initial_accumulator_value: what that sum starts with, at least 0.
        l1_regularization_strength, l2_regularization_strength: at least 0.
        use_locking: accepted. name: of the operations and slots. accum_name, linear_name: of the two slots.
        l2_shrinkage_regularization_strength: a penalty on the size of weights, at least 0.
        beta: the paper's beta, added as `beta / (2 learning_rate)` to the L2 strength.

    Raises:
        ValueError: a number out of its range.

    >>> with tf1.Graph().as_default(), tf1.Session() as session:
    ...     v = tf1.Variable([1.0, -2.0])
    ...     step = tf1.train.FtrlOptimizer(0.1, l1_regularization_strength=1.0).minimize(tf1.reduce_sum(v * v))
    ...     session.run(tf1.global_variables_initializer())
    ...     session.run(step)
    ...     print(session.run(v).round(3))
    [ 0.696 -1.718]
    """

    def __init__(
        self,
        learning_rate: Rate,
        learning_rate_power: float = -0.5,
        initial_accumulator_value: float = 0.1,
        l1_regularization_strength: float = 0.0,
        l2_regularization_strength: float = 0.0,
        use_locking: bool = False,
        name: str = "Ftrl",
        accum_name: str | None = None,
        linear_name: str | None = None,
        l2_shrinkage_regularization_strength: float = 0.0,
        beta: float | None = None,
    ) -> None:
        super().__init__(use_locking, name)
        not_negative = {
            "initial_accumulator_value": initial_accumulator_value,
            "l1_regularization_strength": l1_regularization_strength,
            "l2_regularization_strength": l2_regularization_strength,
            "l2_shrinkage_regularization_strength": l2_shrinkage_regularization_strength,
        }
        for argument, value in not_negative.items():
            if value < 0.0:
                raise ValueError(f"{argument} {value:f} needs to be positive or zero")
        if learning_rate_power > 0.0:
            raise ValueError(f"learning_rate_power {learning_rate_power:f} needs to be negative or zero")
        self._learning_rate, self._learning_rate_power, self._beta = learning_rate, learning_rate_power, beta or 0.0
        self._initial_accumulator_value = initial_accumulator_value
        self._l1, self._l2, self._l2_shrinkage = (
            l1_regularization_strength,
            l2_regularization_strength,
            l2_shrinkage_regularization_strength,
        )
        self._accum_name, self._linear_name = accum_name, linear_name

    def _create_slots(self, var_list: Sequence[Any]) -> None:
        for v in var_list:
            self._get_or_make_slot(v, partial(self._initial_accumulator, v), "accum", self._accum_name or self._name)
            self._zeros_slot(v, "linear", self._linear_name or self._name)

    def _initial_accumulator(self, var: Any) -> Tensor:
        shape = var.dims if var.shape.is_fully_defined() else shape_of(var.initialized_value())
        return ones(shape, var.dtype.base_dtype) * self._initial_accumulator_value

    def _prepare(self) -> None:
        self._numbers(
            learning_rate=self._learning_rate,
            l1_regularization_strength=self._l1,
            adjusted_l2_regularization_strength=self._add_beta,
            beta=self._beta,
            l2_shrinkage_regularization_strength=self._l2_shrinkage,
            learning_rate_power=self._learning_rate_power,
        )

    def _add_beta(self) -> Any:
        """The L2 strength with what `beta` adds."""
        return self._l2 + self._beta / (2.0 * maximum(self._call_if_callable(self._learning_rate), 1e-36))

    def _step(self, grad: Any, var: Any) -> Any:
        numbers = [
            self._number("learning_rate", var),
            self._number("l1_regularization_strength", var),
            self._number("adjusted_l2_regularization_strength", var),
            self._number("l2_shrinkage_regularization_strength", var),
            self._number("learning_rate_power", var),
        ]
        return training.FTRL, [*self._slot_handles(var, "accum", "linear"), grad, *numbers], {}
