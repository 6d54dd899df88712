"""Recurrent cells made of others: several one on top of another, with dropout, with the input added to the output, on a device."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

from ...api.names import device as on_device
from ...api.variable_scope import VariableScope, variable_scope
from ...base import nest
from ...base.export import export
from ...ir.apply import convert_to_tensor
from ...ir.tensor import DTypeLike, IntLike, Tensor, TensorLike
from ...nn.dropout import dropout
from ...ops.array.create import zeros
from ...ops.array.join import concat
from ...ops.math.arithmetic import floor
from ...ops.random.functions import uniform
from .cell_classes import LSTMStateTuple, RNNCell


@export(v1=("nn.rnn_cell.MultiRNNCell", "contrib.rnn.MultiRNNCell"))
class MultiRNNCell(RNNCell):
    """Cells one on top of another: each takes the output of the one before.

    cells: a list of cells.  state_is_tuple: the state is a tuple with one state for each, else they stand side by side.

    >>> with tf1.Graph().as_default():
    ...     cell = tf1.nn.rnn_cell.MultiRNNCell([tf1.nn.rnn_cell.GRUCell(4), tf1.nn.rnn_cell.GRUCell(3)])
    ...     output, state = cell(tf1.zeros([2, 4]), cell.zero_state(2, tf1.float32))
    ...     print(output.shape, [s.shape for s in state])
    (2, 3) [TensorShape([2, 4]), TensorShape([2, 3])]
    """

    def __init__(self, cells: Any, state_is_tuple: bool = True) -> None:
        super().__init__()
        if not cells:
            raise ValueError("Must specify at least one cell for MultiRNNCell.")
        if not isinstance(cells, (list, tuple)):
            raise TypeError(f"cells must be a list or tuple, but saw: {cells}.")
        if not state_is_tuple and any(nest.is_nested(cell.state_size) for cell in cells):
            raise ValueError("Some cells return tuples of states, but the flag state_is_tuple is not set.")
        self._cells, self._state_is_tuple = list(cells), state_is_tuple

    @property
    def state_size(self) -> Any:
        """The sizes of the inner cells' states."""
        sizes = tuple(cell.state_size for cell in self._cells)
        return sizes if self._state_is_tuple else sum(sizes)

    @property
    def output_size(self) -> Any:
        """How long the output is."""
        return self._cells[-1].output_size

    @property
    def variables(self) -> list[Any]:
        """The variables of the inner cells."""
        return [v for cell in self._cells for v in getattr(cell, "variables", [])]

    @property
    def trainable_variables(self) -> list[Any]:
        """Those of `variables` that are trained."""
        return [v for cell in self._cells for v in getattr(cell, "trainable_variables", [])]

    def zero_state(self, batch_size: IntLike, dtype: DTypeLike) -> Any:
        """Zeros of a dtype as the first state of every inner cell, each part [batch_size, its size]."""
        if self._state_is_tuple:
            return tuple(cell.zero_state(batch_size, dtype) for cell in self._cells)
        return super().zero_state(batch_size, dtype)

    def prepare(self, inputs: TensorLike) -> None:
        """Make the inner cells' variables for inputs of this shape."""
        if self.built:
            return
        with self._enter_scope(None):
            x = convert_to_tensor(nest.flatten(inputs)[0])
            for i, cell in enumerate(self._cells):
                with variable_scope(f"cell_{i}"):
                    if hasattr(cell, "prepare"):
                        cell.prepare(x)
                x = zeros([1, cell.output_size], x.dtype) if isinstance(cell.output_size, int) else x
        self.built = True

    def call(self, inputs: Any, state: Any) -> tuple[Any, Any]:
        """The output and the next states for inputs [batch, length] and the states of the inner cells."""
        states, at = [], 0
        for i, cell in enumerate(self._cells):
            with variable_scope(f"cell_{i}"):
                if self._state_is_tuple:
                    own = state[i]
                else:
                    own, at = state[:, at : at + cell.state_size], at + cell.state_size
                inputs, new = cell(inputs, own)
                states.append(new)
        return inputs, tuple(states) if self._state_is_tuple else concat(states, 1)


class Wrapper(RNNCell):
    """A cell that passes on what it is asked to another."""

    def __init__(self, cell: Any, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        if not hasattr(cell, "state_size") or not hasattr(cell, "output_size") or not callable(cell):
            raise TypeError(f"The argument 'cell' ({cell}) is not an RNNCell: it must have state_size, output_size and be callable")
        self.cell = cell

    @property
    def wrapped_cell(self) -> Any:
        """The cell inside."""
        return self.cell

    @property
    def state_size(self) -> Any:
        """The sizes of the inner cells' states."""
        return self.cell.state_size

    @property
    def output_size(self) -> Any:
        """How long the output is."""
        return self.cell.output_size

    @property
    def variables(self) -> list[Any]:
        """The variables of the inner cells."""
        return list(self.cell.variables)

    @property
    def trainable_variables(self) -> list[Any]:
        """Those of `variables` that are trained."""
        return list(self.cell.trainable_variables)

    def zero_state(self, batch_size: IntLike, dtype: DTypeLike) -> Any:
        """Zeros of a dtype as the first state of every inner cell, each part [batch_size, its size]."""
        return self.cell.zero_state(batch_size, dtype)

    def prepare(self, inputs: TensorLike) -> None:
        """Make the inner cells' variables for inputs of this shape."""
        if hasattr(self.cell, "prepare"):
            self.cell.prepare(inputs)

    def __call__(self, inputs: TensorLike, state: Any, scope: Any = None) -> tuple[Any, Any]:
        return self.call_wrapped(inputs, state, scope)

    def call_wrapped(self, inputs: Any, state: Any, scope: str | VariableScope | None) -> tuple[Any, Any]:
        """One step of the cell inside, and what this one adds."""
        raise NotImplementedError(f"{type(self).__name__} does not say what it adds to a step of its cell")


def _keep_memory(substate: Any) -> Any:
    """What of a state dropout may touch: all, but not the cell state of an LSTM."""
    return LSTMStateTuple(c=False, h=True) if isinstance(substate, LSTMStateTuple) else True


@export(v1=("nn.rnn_cell.DropoutWrapper", "contrib.rnn.DropoutWrapper"))
class DropoutWrapper(Wrapper):
    """A cell whose inputs, states and outputs go through dropout.

    input_keep_prob, output_keep_prob, state_keep_prob: the probabilities to keep an element, numbers or scalar tensors; 1 for no
    dropout.  variational_recurrent: the same elements in every step (Gal and Ghahramani, 2015); then dtype must be given, and
    input_size where inputs are dropped.  seed: makes the draws repeatable.  dropout_state_filter_visitor: of a state, what dropout may
    touch; unless given, all but the cell state c of an LSTM.

    >>> with tf1.Graph().as_default():
    ...     cell = tf1.nn.rnn_cell.DropoutWrapper(tf1.nn.rnn_cell.GRUCell(3), output_keep_prob=0.5)
    ...     output, state = cell(tf1.zeros([2, 4]), cell.zero_state(2, tf1.float32))
    ...     print(output.shape)
    (2, 3)
    """

    def __init__(
        self,
        cell: Any,
        input_keep_prob: Any = 1.0,
        output_keep_prob: Any = 1.0,
        state_keep_prob: Any = 1.0,
        variational_recurrent: bool = False,
        input_size: Any = None,
        dtype: Any = None,
        seed: Any = None,
        dropout_state_filter_visitor: Callable[[Any], Any] | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(cell, dtype=dtype, **kwargs)
        for name, keep in (("input", input_keep_prob), ("state", state_keep_prob), ("output", output_keep_prob)):
            if isinstance(keep, (int, float)) and not 0.0 <= keep <= 1.0:
                raise ValueError(f"Parameter {name}_keep_prob must be between 0 and 1: {keep}")
        self._keep = {"input": input_keep_prob, "state": state_keep_prob, "output": output_keep_prob}
        self._variational, self._seed = variational_recurrent, seed
        self._filter = dropout_state_filter_visitor or _keep_memory
        self._noise: dict[str, list[Any]] = {}
        if variational_recurrent:
            self._draw(input_size, dtype)

    def _draw(self, input_size: Any, dtype: Any) -> None:
        """The numbers that decide for all steps alike: one row, the same for every example."""
        if dtype is None:
            raise ValueError("When variational_recurrent=True, dtype must be provided")
        if _drops(self._keep["input"]) and input_size is None:
            raise ValueError("When variational_recurrent=True and input_keep_prob < 1.0 or is unknown, input_size must be provided")
        for part, sizes in (("input", input_size), ("state", self.cell.state_size), ("output", self.cell.output_size)):
            flat = [] if sizes is None else nest.flatten(sizes)
            shapes = [[1, size] if isinstance(size, int) else [1, *size] for size in flat]
            self._noise[part] = [uniform(shape, dtype=dtype, seed=self._own_seed(part, i)) for i, shape in enumerate(shapes)]

    def _own_seed(self, part: str, index: int) -> int | None:
        if self._seed is None:
            return None
        text = f"{self._seed}{part}_{index}".encode()
        return int(hashlib.md5(text, usedforsecurity=False).hexdigest()[:8], 16) & 0x7FFFFFFF

    def _drop_values(self, values: TensorLike, part: str, allowed: Any = True) -> Any:
        keep = self._keep[part]
        if not _drops(keep):
            return values
        flat = nest.flatten(values)
        flags = nest.flatten(allowed) if nest.is_nested(allowed) else [allowed] * len(flat)
        for i, (value, flag) in enumerate(zip(flat, flags, strict=True)):
            if flag is False:
                continue
            if self._variational:
                flat[i] = value / keep * floor(keep + self._noise[part][i])
            else:
                flat[i] = dropout(value, rate=1.0 - keep, seed=self._own_seed(part, i))
        return nest.pack_sequence_as(values, flat)

    def call_wrapped(self, inputs: TensorLike, state: Any, scope: str | VariableScope | None) -> tuple[Any, Any]:
        """The output and the next state of the inner cell with parts of its input, state and output dropped."""
        output, new = self.cell(self._drop_values(inputs, "input"), state, *([] if scope is None else [scope]))
        if isinstance(new, tuple) and not isinstance(new, LSTMStateTuple):
            allowed: Any = tuple(self._filter(part) for part in new)
            new = tuple(self._drop_values(part, "state", flag) for part, flag in zip(new, allowed, strict=True))
        else:
            new = self._drop_values(new, "state", self._filter(new))
        return self._drop_values(output, "output"), new


def _drops(keep: Any) -> bool:
    return not isinstance(keep, (int, float)) or keep < 1


@export(v1=("nn.rnn_cell.ResidualWrapper", "contrib.rnn.ResidualWrapper"))
class ResidualWrapper(Wrapper):
    """A cell with its inputs added to its outputs (He et al., 2015), or whatever `residual_fn(inputs, outputs)` says.

    >>> with tf1.Graph().as_default():
    ...     cell = tf1.nn.rnn_cell.ResidualWrapper(tf1.nn.rnn_cell.GRUCell(4))
    ...     output, state = cell(tf1.zeros([2, 4]), cell.zero_state(2, tf1.float32))
    ...     print(output.shape)
    (2, 4)
    """

    def __init__(self, cell: Any, residual_fn: Callable[[Any, Any], Any] | None = None, **kwargs: Any) -> None:
        super().__init__(cell, **kwargs)
        self._residual_fn = residual_fn

    def call_wrapped(self, inputs: Any, state: Any, scope: str | VariableScope | None) -> tuple[Any, Any]:
        """The output and the next state of the inner cell with the input added to its output, which has the same shape."""
        outputs, new = self.cell(inputs, state, *([] if scope is None else [scope]))
        return (self._residual_fn or _add_outputs)(inputs, outputs), new


def _add_outputs(inputs: Tensor, outputs: Tensor) -> Any:
    nest.assert_same_structure(inputs, outputs)
    for x, y in zip(nest.flatten(inputs), nest.flatten(outputs), strict=True):
        if not convert_to_tensor(x).shape.is_compatible_with(y.shape):
            raise ValueError(f"Shapes {convert_to_tensor(x).shape} and {y.shape} are incompatible")
    return nest.map_structure(lambda x, y: x + y, inputs, outputs)


@export(v1=("nn.rnn_cell.DeviceWrapper", "contrib.rnn.DeviceWrapper"))
class DeviceWrapper(Wrapper):
    """A cell that runs on a device of a name; here there is one.

    >>> with tf1.Graph().as_default():
    ...     cell = tf1.nn.rnn_cell.DeviceWrapper(tf1.nn.rnn_cell.GRUCell(3), "/cpu:0")
    ...     output, state = cell(tf1.zeros([2, 4]), cell.zero_state(2, tf1.float32))
    ...     print(output.shape)
    (2, 3)
    """

    def __init__(self, cell: Any, device: Any, **kwargs: Any) -> None:
        super().__init__(cell, **kwargs)
        self._device = device

    def call_wrapped(self, inputs: Any, state: Any, scope: str | VariableScope | None) -> tuple[Any, Any]:
        """The output and the next state of the inner cell on the device."""
        with on_device(self._device):
            output, new = self.cell(inputs, state, *([] if scope is None else [scope]))
        return output, new


@export(v2="nn.RNNCellDropoutWrapper")
class RNNCellDropoutWrapper(DropoutWrapper):
    """`DropoutWrapper` under TensorFlow 2's name; the same arguments.

    >>> cell = tf.nn.RNNCellDropoutWrapper(tf.compat.v1.nn.rnn_cell.GRUCell(4), output_keep_prob=0.5)
    >>> cell.output_size, cell.state_size
    (4, 4)
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)


@export(v2="nn.RNNCellResidualWrapper")
class RNNCellResidualWrapper(ResidualWrapper):
    """`ResidualWrapper` under TensorFlow 2's name; the same arguments.

    >>> cell = tf.nn.RNNCellResidualWrapper(tf.compat.v1.nn.rnn_cell.GRUCell(4))
    >>> cell.output_size, cell.state_size
    (4, 4)
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)


@export(v2="nn.RNNCellDeviceWrapper")
class RNNCellDeviceWrapper(DeviceWrapper):
    """`DeviceWrapper` under TensorFlow 2's name; the same arguments.

    >>> cell = tf.nn.RNNCellDeviceWrapper(tf.compat.v1.nn.rnn_cell.GRUCell(4), "/cpu:0")
    >>> cell.output_size, cell.state_size
    (4, 4)
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
