"""Exponential moving averages of variables and tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..api.collections import trainable_variables
from ..api.default import get_default_graph
from ..api.names import GraphKeys, control_dependencies, name_scope
from ..api.variable import Variable
from ..base.dtypes import bfloat16, float16, float32, float64
from ..base.export import export
from ..base.shapes import TensorShape
from ..ir.apply import convert_to_tensor
from ..ir.context import executing_eagerly
from ..ir.tensor import Tensor
from ..ops.array.basic import fill
from ..ops.math.arithmetic import minimum
from ..ops.math.division import divide
from ..ops.primitives.cast import cast
from ..ops.state.variables import NO_OP
from .optimizer import operations, slot_variable, within_scope

_DTYPES = (float16, bfloat16, float32, float64)


@export("train.ExponentialMovingAverage")
class ExponentialMovingAverage:
    """Keeps averages of variables or tensors: `average -= (1 - decay) * (average - value)` at every `apply`.

    The average of a variable starts with its initial value, that of a tensor with 0.

    Args:
        decay: near 1. num_updates: a count of steps; then the decay is at most `(1 + num_updates) / (10 + num_updates)`.
        zero_debias: divide the averages of tensors by `1 - decay^t`, which corrects their start at 0.
        name: of the averages.

    >>> v, average = tf.Variable(1.0), tf.train.ExponentialMovingAverage(0.75)
    >>> _ = average.apply([v])
    >>> _ = v.assign(5.0)
    >>> _ = average.apply([v])
    >>> average.average(v).numpy().item()
    2.0
    """

    def __init__(self, decay: Any, num_updates: Any = None, zero_debias: bool = False, name: str = "ExponentialMovingAverage") -> None:
        self._decay, self._num_updates, self._zero_debias, self._name = decay, num_updates, zero_debias, name
        self._averages: dict[int, Any] = {}
        self._starts: dict[int, tuple[Any, Any]] = {}

    @property
    def name(self) -> str:
        """The name given to the averages."""
        return self._name

    def apply(self, var_list: Sequence[Any] | None = None) -> Any:
        """Update the averages.

        Args:
            var_list: variables or tensors; None for all trainable variables.

        Returns:
            The operation to run; eagerly it is done, and the result None.

        Raises:
            TypeError: a dtype that is not floating.
        """
        things = list(trainable_variables() if var_list is None else var_list)
        for thing in things:
            if thing.dtype.base_dtype not in _DTYPES:
                raise TypeError(f"The variables must be half, float, or double: {thing.name}")
            if _key(thing) not in self._averages:
                self._averages[_key(thing)] = self._new_average(thing)
        with name_scope(self._name) as scope:
            updates = [self._update_average(thing, self._decay_for(thing)) for thing in things]
            with control_dependencies(operations(updates)):
                return None if executing_eagerly() else NO_OP(name=scope)

    def _new_average(self, thing: Any) -> Variable:
        graph = get_default_graph()
        if isinstance(thing, Variable):
            average = slot_variable(thing, thing.initialized_value, self._name)
            graph.add_to_collections([GraphKeys.MOVING_AVERAGE_VARIABLES], thing)
            return average
        if executing_eagerly() or not isinstance(thing, Tensor):
            raise TypeError(f"ExponentialMovingAverage takes variables, and in graphs tensors, not {thing!r}")
        average = self._beside(thing, f"{thing.op.name}/{self._name}", thing.dims)
        if self._zero_debias:
            biased, step = (f"{average._shared_name}/{kind}" for kind in ("biased", "local_step"))
            self._starts[_key(thing)] = (self._beside(thing, biased, thing.dims), self._beside(thing, step, ()))
        return average

    def _beside(self, tensor: Any, name: str, dims: Any) -> Any:
        name = within_scope(name)
        zeros = fill(TensorShape(dims).as_list(), convert_to_tensor(0.0, dtype=tensor.dtype))
        return Variable(zeros, trainable=False, name=name, full_name=name, first_version=True)

    def _decay_for(self, thing: Any) -> Tensor:
        """The decay, in the dtype of `thing`."""
        dtype = thing.dtype.base_dtype
        decay = cast(convert_to_tensor(self._decay, name="decay"), dtype)
        if self._num_updates is not None:
            updates = cast(self._num_updates, dtype)
            decay = minimum(decay, (1.0 + updates) / (10.0 + updates))
        return decay

    def _update_average(self, thing: Any, decay: Tensor) -> Any:
        with name_scope("AssignMovingAvg") as scope:
            rate, average = 1.0 - decay, self._averages[_key(thing)]
            value = thing.read_value() if isinstance(thing, Variable) else thing
            if _key(thing) not in self._starts:
                return average.assign_sub((average.read_value() - value) * rate, name=scope, read_value=False)
            biased, step = self._starts[_key(thing)]
            counted = step.assign_add(1.0)
            grown = biased.assign_sub((biased.read_value() - value) * rate)
            return average.assign(divide(grown, 1.0 - (1.0 - rate) ** counted), name=scope, read_value=False)

    def average(self, var: Variable | Tensor) -> Any:
        """The variable that holds the average of `var`, or None if there is none."""
        return self._averages.get(_key(var))

    def average_name(self, var: Variable | Tensor) -> str:
        """The name under which the average of `var` is, or would be, saved."""
        if _key(var) in self._averages:
            return str(self._averages[_key(var)]._shared_name)
        return f"{var._shared_name if isinstance(var, Variable) else var.op.name}/{self._name}"

    def variables_to_restore(self, moving_avg_variables: Sequence[Any] | None = None) -> dict[str, Any]:
        """For a `Saver`: all variables by the names to restore them from, those with averages from the averages' names.

        Args:
            moving_avg_variables: the variables to restore from averages; None for all trainable ones and all averaged ones.
        """
        graph = get_default_graph()
        averaged = list(moving_avg_variables) if moving_avg_variables is not None else [
            *trainable_variables(), *graph.get_collection(GraphKeys.MOVING_AVERAGE_VARIABLES)
        ]  # fmt: skip
        found = {self.average_name(v): v for v in averaged}
        taken = {id(v) for v in averaged}
        others = {v._shared_name: v for v in graph.get_collection(GraphKeys.GLOBAL_VARIABLES) if id(v) not in taken}
        return found | {name: v for name, v in others.items() if name not in found}  # the averages themselves stay behind


def _key(thing: Any) -> int:
    return int(thing._uid if isinstance(thing, Variable) else -thing.uid)
