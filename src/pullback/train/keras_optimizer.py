"""Keras 3's `Optimizer`: applies gradients to the variables it was first called with.

A step clips, decays weights, updates each variable by `update_step`, keeps averages and counts itself. It is all or nothing:
if one variable cannot be updated, none is changed. Subclasses define `build` and `update_step`, as in Keras. In a graph the
same calls add operations, and `apply_gradients` gives the one to run.

Sparse gradients count as dense ones, with repeated rows summed first (Keras 3 squares repeated rows one by one, which neither
Keras 2 nor TensorFlow 1 does).
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..api.gradients import gradients as graph_gradients
from ..api.names import control_dependencies, name_scope
from ..api.tape import GradientTape
from ..api.variable import Variable
from ..base import nest
from ..base.export import export
from ..base.late import LateModule
from ..ir.apply import convert_to_tensor
from ..ir.context import executing_eagerly
from ..ir.tensor import IndexedSlices
from ..ir.tracebacks import trims_errors
from ..ops.math.cast import cast
from ..ops.math.clip import clip_by_global_norm, clip_by_norm, clip_by_value
from ..ops.math.compare import greater
from ..ops.math.division import FLOOR_DIV
from ..transforms.sparse import densify
from .keras_schedules import deserialize
from .keras_variables import VariableHolder, auto_name
from .optimizer import all_or_nothing, operations
from .schedules import LearningRateSchedule

if TYPE_CHECKING:
    from ..diagnose import reasons
else:
    reasons = LateModule("pullback.diagnose.reasons")


@export(v2="keras.optimizers.Optimizer")
class Optimizer(VariableHolder):
    """The base class of Keras' optimizers.

    Args:
        learning_rate: a float, a schedule, or a function without arguments.
        weight_decay: every step takes `learning_rate * weight_decay * v` from each variable.
        clipnorm, clipvalue, global_clipnorm: at most one: bound the norm of each gradient, its elements, or the norm of all together.
        use_ema, ema_momentum, ema_overwrite_frequency: keep moving averages of the variables, and write them into the variables
            every so many steps, or only in `finalize_variable_values`.
        loss_scale_factor: what gradients are divided by, where `scale_loss` multiplied the loss.
        gradient_accumulation_steps: apply the mean of so many gradients, once in so many calls.
        name: of the optimizer and its variables.

    Raises:
        ValueError: an argument out of its range, two ways to clip, or an unknown argument.

    >>> import pullback as tf
    >>> v = tf.Variable([1.0, -2.0])
    >>> optimizer = tf.optimizers.SGD(learning_rate=0.1, clipnorm=1.0)
    >>> isinstance(optimizer, tf.optimizers.Optimizer)
    True
    >>> _ = optimizer.minimize(lambda: tf.reduce_sum(v * v), [v])  # the gradient [2, -4] is made one of norm 1
    >>> v.numpy().round(3)
    array([ 0.955, -1.911], dtype=float32)
    """

    _arguments: tuple[str, ...] = ()

    def __init__(
        self,
        learning_rate: Any,
        weight_decay: float | None = None,
        clipnorm: float | None = None,
        clipvalue: float | None = None,
        global_clipnorm: float | None = None,
        use_ema: bool = False,
        ema_momentum: float = 0.99,
        ema_overwrite_frequency: int | None = None,
        loss_scale_factor: float | None = None,
        gradient_accumulation_steps: int | None = None,
        name: str | None = None,
        **kwargs: Any,
    ) -> None:
        if kwargs.pop("decay", None) is not None:
            warnings.warn("Argument `decay` is no longer supported and will be ignored.", stacklevel=3)
        if kwargs:
            raise ValueError(f"Argument(s) not recognized: {kwargs}")
        super().__init__(name or auto_name(type(self).__name__))
        self.weight_decay, self.clipnorm, self.clipvalue, self.global_clipnorm = weight_decay, clipnorm, clipvalue, global_clipnorm
        self.use_ema, self.ema_momentum, self.ema_overwrite_frequency = use_ema, ema_momentum, ema_overwrite_frequency
        self.loss_scale_factor, self.gradient_accumulation_steps = loss_scale_factor, gradient_accumulation_steps
        self._check_arguments()
        self.built = False
        self._trainable_variables: list[Any] = []
        self._indices: dict[int, int] = {}
        self._updates: list[Any] = []
        self._undecayed: tuple[set[int], str | None] = (set(), None)
        self._iterations = self.add_variable((), dtype="int64", name="iteration")
        if isinstance(learning_rate, LearningRateSchedule) or callable(learning_rate):
            self._learning_rate: Any = learning_rate
        elif isinstance(learning_rate, float):
            self._learning_rate = self.add_variable((), initializer=learning_rate, name="learning_rate")
        else:
            raise ValueError(
                "Argument `learning_rate` should be float, or an instance of LearningRateSchedule, or a callable (that takes in the "
                "current iteration value and returns the corresponding learning rate value). "
                f"Received instead: learning_rate={learning_rate}"
            )

    def _check_arguments(self) -> None:
        steps, frequency = self.gradient_accumulation_steps, self.ema_overwrite_frequency
        if steps and not steps >= 2:
            raise ValueError(f"`gradient_accumulation_steps` must be an integer >= 2. Received: gradient_accumulation_steps={steps}")
        if self.use_ema and not 0 <= self.ema_momentum <= 1:
            raise ValueError(f"`ema_momentum` must be in the range [0, 1]. Received: ema_momentum={self.ema_momentum}")
        if self.use_ema and frequency and (frequency != int(frequency) or frequency < 1):
            raise ValueError(f"`ema_overwrite_frequency` must be an integer >= 1 or None. Received: ema_overwrite_frequency={frequency}")
        if sum(clip is not None for clip in (self.clipnorm, self.clipvalue, self.global_clipnorm)) > 1:
            raise ValueError(
                f"Only one of `clipnorm`, `clipvalue` and `global_clipnorm` can be set. Received: clipnorm={self.clipnorm}, "
                f"clipvalue={self.clipvalue}, global_clipnorm={self.global_clipnorm}"
            )

    # ---- the optimizer's variables

    @property
    def iterations(self) -> Any:
        """How many steps were taken."""
        return (
            FLOOR_DIV.call(self._iterations, self.gradient_accumulation_steps)
            if self.gradient_accumulation_steps
            else self._iterations
        )

    @property
    def learning_rate(self) -> Any:
        """The current learning rate. May be set to a number, unless it is a schedule's (TypeError), or to a schedule."""
        if isinstance(self._learning_rate, LearningRateSchedule):
            return self._learning_rate(self._iterations)
        return self._learning_rate if isinstance(self._learning_rate, Variable) else self._learning_rate()

    @learning_rate.setter
    def learning_rate(self, learning_rate: Any) -> None:
        current = self._learning_rate
        if not isinstance(learning_rate, Variable) and callable(learning_rate):
            self._learning_rate = learning_rate
            self._variables[:] = [v for v in self._variables if v is not current]
        elif isinstance(current, Variable):
            current.assign(learning_rate)
        else:
            raise TypeError(
                "This optimizer was created with a `LearningRateSchedule` object as its `learning_rate` constructor argument, hence its "
                "learning rate is not settable. If you need the learning rate to be settable, you should instantiate the optimizer with a "
                "float `learning_rate` argument."
            )

    def build(self, variables: Sequence[Any]) -> None:
        """Make the optimizer's variables for these. Subclasses add theirs."""
        if self.use_ema:
            self._averages = self.add_optimizer_variables(variables, "average")
        if self.gradient_accumulation_steps:
            self._accumulators = [self.add_variable_from_reference(v, "gradient_accumulator") for v in variables]
        self._indices = {v._uid: i for i, v in enumerate(variables)}
        self._trainable_variables = list(variables)
        self.built = True

    def _get_variable_index(self, variable: Any) -> int:
        return self._indices[variable._uid]

    def _trackable_children(self) -> dict[str, Any]:
        rate = {"_learning_rate": self._learning_rate} if isinstance(self._learning_rate, Variable) else {}
        return {"_iterations": self._iterations, **rate, "_variables": self._variables}

    # ---- a step

    @trims_errors
    def apply_gradients(self, grads_and_vars: Iterable[tuple[Any, Any]]) -> Any:
        """Change variables by their gradients.

        Args:
            grads_and_vars: pairs of gradient and variable. The first call fixes which variables the optimizer is for.

        Returns:
            The variable that counts steps; in a graph the operation to run.

        Raises:
            ValueError: no pairs, no gradient at all, or a variable unknown to the optimizer. InvalidArgumentError: a gradient that
                does not fit its variable; then nothing has changed.
        """
        pairs = list(grads_and_vars)
        if not pairs:
            raise ValueError("not enough values to unpack (expected 2, got 0): apply_gradients needs pairs of gradient and variable")
        done = self.apply([g for g, _ in pairs], [v for _, v in pairs])
        return self._iterations if executing_eagerly() else done

    def apply(self, grads: Sequence[Any], trainable_variables: Sequence[Any] | None = None) -> Any:
        """Change variables by their gradients, given apart; with the variables of the first call if none are given.

        Raises:
            ValueError: as `apply_gradients`; no variables and none known, or not as many gradients as variables.
        """
        if not len(grads):
            return None
        variables = self._variables_for(grads, trainable_variables)
        live = self._with_gradients(grads, variables)
        with name_scope(self.name), all_or_nothing([*variables, *self._variables]):
            self._updates = []
            self._change([self._gradient(g, v) for g, v in live], [v for _, v in live])
            for _, v in live:
                if v.constraint is not None:
                    with control_dependencies(operations(self._updates)):
                        self.assign(v, v.constraint(v.read_value()))
            with control_dependencies(operations(self._updates)):
                counted = self._iterations.assign_add(1, read_value=False)
        return None if executing_eagerly() else counted

    def _variables_for(self, grads: Sequence[Any], given: Sequence[Any] | None) -> list[Any]:
        if given is not None:
            variables = list(given)
            if not self.built:
                self.build(variables)
            for v in variables:
                if v._uid not in self._indices:
                    raise ValueError(
                        f"Unknown variable: {v}. This optimizer can only be called for the variables it was originally built with. When "
                        "working with a new set of variables, you should recreate a new optimizer instance."
                    )
            return variables
        if not self.built:
            raise ValueError(
                "When passing `grads` without `variables`, the optimizer must already be built on a list of variables. Call "
                "`optimizer.build(trainable_variables)` first. "
            )
        if len(grads) != len(self._trainable_variables):
            raise ValueError(
                f"When passing `grads` as a list of gradient tensors, the gradients must match `optimizer.variables` one-to-on. Received a "
                f"list of {len(grads)} gradients, but the optimizer is tracking {len(self._trainable_variables)} trainable variables."
            )
        return self._trainable_variables

    @staticmethod
    def _with_gradients(grads: Sequence[Any], variables: Sequence[Any]) -> list[tuple[Any, Any]]:
        pairs = list(zip(grads, variables, strict=True))
        missing = [v.name for g, v in pairs if g is None]
        told = reasons.why_none_for([v for g, v in pairs if g is None]) if missing else ""
        if len(missing) == len(pairs):
            raise ValueError(f"No gradients provided for any variable.{told}")
        if missing:
            warnings.warn(
                f"Gradients do not exist for variables {missing} when minimizing the loss. If using `model.compile()`, did you forget to "
                f"provide a `loss` argument?{told}",
                stacklevel=4,
            )
        return [(g, v) for g, v in pairs if g is not None]

    def _gradient(self, g: Any, v: Any) -> Any:
        """A gradient in its variable's dtype, unscaled; repeated rows of a sparse one are summed later or here."""
        dtype = v.dtype.base_dtype
        if not isinstance(g, IndexedSlices):
            g = cast(g if hasattr(g, "dtype") else convert_to_tensor(g, dtype=dtype), dtype)
            return g if self.loss_scale_factor is None else g / self.loss_scale_factor
        values = cast(g.values, dtype)
        values = values if self.loss_scale_factor is None else values / self.loss_scale_factor
        g = IndexedSlices(values, g.indices, v.shape.as_list() if g.dense_shape is None else g.dense_shape)
        clips = self.clipnorm or self.clipvalue or self.global_clipnorm or self.gradient_accumulation_steps
        return densify(g) if clips else g

    def _change(self, grads: list[Any], variables: list[Any]) -> None:
        if not self.gradient_accumulation_steps:
            self._update_all(grads, variables)
        else:
            self._accumulate(grads, variables)
        if self.use_ema:
            self._average()

    def _update_all(self, grads: list[Any], variables: list[Any]) -> None:
        grads = self._clip_gradients(grads)
        rate = self.learning_rate
        self._apply_weight_decay(variables, rate)
        with control_dependencies(operations(self._updates)):
            for g, v in zip(grads, variables, strict=True):
                self.update_step(g, v, rate)

    def _accumulate(self, grads: list[Any], variables: list[Any]) -> None:
        if not executing_eagerly():
            raise NotImplementedError("gradient_accumulation_steps needs eager execution")
        steps = self.gradient_accumulation_steps
        kept = [self._accumulators[self._get_variable_index(v)] for v in variables]
        if (int(self._iterations) + 1) % steps:  # type: ignore[operator]
            for own, g in zip(kept, grads, strict=True):
                self.assign_add(own, g)
            return
        self._update_all([(g + own) / float(steps) for g, own in zip(grads, kept, strict=True)], variables)  # type: ignore[arg-type]
        for own in self._accumulators:
            self.assign(own, np.zeros(own.shape.as_list(), own.dtype.as_numpy_dtype))

    def update_step(self, gradient: Any, variable: Any, learning_rate: Any) -> Any:
        """Change one variable; subclasses define it, with `assign`, `assign_add` and `assign_sub`."""
        raise NotImplementedError(f"{type(self).__name__} does not define update_step(gradient, variable, learning_rate)")

    def assign(self, variable: Any, value: Any) -> None:
        """Set a variable as part of a step."""
        self._note(variable.assign(cast(value, variable.dtype.base_dtype), read_value=False))

    def assign_add(self, variable: Any, value: Any) -> None:
        """Add to a variable as part of a step; `value` may be sparse."""
        sparse = isinstance(value, IndexedSlices)
        self._note(variable.scatter_add(value) if sparse else variable.assign_add(cast(value, variable.dtype.base_dtype), read_value=False))

    def assign_sub(self, variable: Any, value: Any) -> None:
        """Subtract from a variable as part of a step; `value` may be sparse."""
        sparse = isinstance(value, IndexedSlices)
        self._note(variable.scatter_sub(value) if sparse else variable.assign_sub(cast(value, variable.dtype.base_dtype), read_value=False))

    def _note(self, update: Any) -> None:
        if not executing_eagerly():
            self._updates.append(update)

    # ---- clipping, decay, averages

    def _clip_gradients(self, grads: list[Any]) -> list[Any]:
        if self.clipnorm and self.clipnorm > 0:
            return [clip_by_norm(g, self.clipnorm) for g in grads]
        if self.global_clipnorm and self.global_clipnorm > 0:
            return clip_by_global_norm(grads, self.global_clipnorm)[0]
        if self.clipvalue and self.clipvalue > 0:
            return [clip_by_value(g, -self.clipvalue, self.clipvalue) for g in grads]
        return grads

    def exclude_from_weight_decay(self, var_list: Sequence[Any] | None = None, var_names: Sequence[str] | None = None) -> None:
        """Name the variables that `weight_decay` leaves alone: by themselves, or by patterns found in their names.

        Raises:
            ValueError: the optimizer is built already.
        """
        if self.built:
            raise ValueError("`exclude_from_weight_decay()` can only be configured before the optimizer is built.")
        self._undecayed = {v._uid for v in var_list or ()}, "|".join(var_names) if var_names else None

    def _apply_weight_decay(self, variables: Sequence[Any], rate: Any) -> None:
        if self.weight_decay is None:
            return
        uids, pattern = self._undecayed
        for v in variables:
            if v._uid not in uids and not (pattern and re.search(pattern, v.name)):
                self.assign_sub(v, v.read_value() * self.weight_decay * cast(rate, v.dtype.base_dtype))

    def _average(self) -> None:
        started = greater(self.iterations, 0)
        with control_dependencies(operations(self._updates)):
            for v, average in zip(self._trainable_variables, self._averages, strict=True):
                momentum = cast(started, v.dtype.base_dtype) * self.ema_momentum
                self.assign(average, momentum * average.read_value() + (1.0 - momentum) * v.read_value())
        if not self.ema_overwrite_frequency:
            return
        if not executing_eagerly():
            raise NotImplementedError("ema_overwrite_frequency needs eager execution")
        if (int(self.iterations) + 1) % self.ema_overwrite_frequency == 0:
            self.finalize_variable_values(self._trainable_variables)

    def finalize_variable_values(self, var_list: Sequence[Any]) -> None:
        """Write the averages into the variables, with `use_ema`."""
        if not self.use_ema:
            return
        if len(var_list) != len(self._averages):
            raise ValueError(f"The optimizer keeps {len(self._averages)} averages, {len(var_list)} variables are given")
        for v, average in zip(var_list, self._averages, strict=True):
            self.assign(v, average.read_value())

    def scale_loss(self, loss: Any) -> Any:
        """The loss times `loss_scale_factor`."""
        return loss if self.loss_scale_factor is None else loss * self.loss_scale_factor

    # ---- conveniences

    @trims_errors
    def minimize(self, loss: Any, var_list: Any = None, grad_loss: Any = None, name: str | None = None, tape: Any = None) -> Any:
        """One step towards a smaller `loss`, as Keras 2 has it.

        Args:
            loss: a function without arguments; or a tensor, with the tape that recorded it, or in a graph.
            var_list: variables, or a function that gives them; None for those that `loss` reads.
            grad_loss: the cotangent of `loss`. name: accepted. tape: the tape that recorded `loss`.

        Raises:
            ValueError: eagerly, a tensor without its tape; a tensor without `var_list`.
        """
        if callable(loss) and tape is None:
            with GradientTape() as own:
                value = loss()
            variables = own.watched_variables() if var_list is None else _listed(var_list)
            return self.apply_gradients(zip(own.gradient(value, variables, grad_loss), variables, strict=True))
        if var_list is None:
            raise ValueError("minimize needs `var_list`, the variables to change, when `loss` is a tensor")
        if tape is None and executing_eagerly():
            raise ValueError(f"`tape` is required when a `Tensor` loss is passed. Received: loss={loss}, tape={tape}.")
        variables = _listed(var_list)
        found = graph_gradients(loss, variables, grad_loss) if tape is None else tape.gradient(loss, variables, grad_loss)
        return self.apply_gradients(zip(found, variables, strict=True))

    def set_weights(self, weights: Sequence[Any]) -> None:
        """Set the optimizer's variables, in the order of `variables`. Raises ValueError before `build`, or for another shape."""
        if not self.built:
            raise ValueError(
                "You are calling `set_weights()` on an optimizer that has not yet been built. Please call "
                "`optimizer.build(trainable_variables)` to create the optimizer weights before calling `set_weights()`."
            )
        with all_or_nothing(self._variables):
            for v, weight in zip(self._variables, weights, strict=False):
                v.assign(weight)

    def get_config(self) -> dict[str, Any]:
        """The arguments that make this optimizer again."""
        rate = self._learning_rate
        if isinstance(rate, LearningRateSchedule):
            rate = {"class_name": type(rate).__name__, "config": rate.get_config()}
        elif isinstance(rate, Variable):
            rate = float(rate.numpy())
        return {"name": self.name, "learning_rate": rate, **{key: getattr(self, key) for key in (*_COMMON, *self._arguments)}}

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> Any:
        """An optimizer from the arguments that `get_config` gave."""
        rate = config.get("learning_rate")
        return cls(**{**config, "learning_rate": deserialize(rate, custom_objects)} if isinstance(rate, dict) else config)


_COMMON = (
    "weight_decay",
    "clipnorm",
    "global_clipnorm",
    "clipvalue",
    "use_ema",
    "ema_momentum",
    "ema_overwrite_frequency",
    "loss_scale_factor",
    "gradient_accumulation_steps",
)


def _listed(var_list: Any) -> list[Any]:
    return nest.flatten(var_list() if callable(var_list) and not isinstance(var_list, Variable) else var_list)
