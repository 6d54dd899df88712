"""TensorFlow 1's recurrent cells: one step of a recurrent layer, as an object that owns its variables.

A cell makes its variables when it is first called, in a variable scope of its own inside the one it is called in ("basic_lstm_cell" and
then "kernel", "bias"), and uses them from then on.  Loops call `prepare` first, so that no variable is made inside a loop.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ...api.initializers import Ones, Zeros
from ...api.variable_scope import get_variable, variable_scope
from ...base import nest
from ...base.export import export
from ...base.shapes import TensorShape
from ...ir.apply import convert_to_tensor
from ...ir.tensor import DTypeLike, IntLike, NumberLike, ShapeLike, TensorLike
from ...nn import activations
from ...ops.array.basic import shape_of
from ...ops.array.create import zeros
from ...ops.array.join import concat, split, stack
from ...ops.linalg.products import matmul
from ...ops.math.functions import sigmoid, tanh
from ...ops.math.saturate import clip_by_value
from ...ops.nn.bias import bias_add
from ...train.module import snake_case


def activation_of(given: object) -> Any:
    """An activation as users give it: a function, its name in `tf.nn`, or None for tanh."""
    if given is None:
        return tanh
    if callable(given):
        return given
    known = {"tanh": tanh, "sigmoid": sigmoid, "softmax": activations.softmax, "swish": activations.silu, "gelu": activations.gelu}
    if given not in known:
        raise ValueError(f"Unknown activation: {given!r}; give a function such as tf.nn.relu")
    return known[given]


def zero_states(state_size: object, batch_size: IntLike, dtype: DTypeLike) -> Any:
    """Zeros for a structure of sizes, each a number or the shape of one example's state."""

    def make_zeros(size: Any) -> Any:
        dims = [size] if isinstance(size, int) else list(size)
        return zeros(stack([batch_size, *dims]) if not isinstance(batch_size, int) else [batch_size, *dims], dtype)

    return nest.map_structure(make_zeros, state_size)


@export(v1=("nn.rnn_cell.RNNCell", "contrib.rnn.RNNCell"))
class RNNCell:
    """What a recurrent cell is: `output, new_state = cell(inputs, state)`, and the sizes of both.

    A subclass gives `state_size` and `output_size` (numbers, shapes, or structures of them), and either `call(inputs, state)`, with
    `build(inputs_shape)` for its variables, or `__call__` itself.

    >>> class Sum(tf1.nn.rnn_cell.RNNCell):
    ...     state_size = output_size = 2
    ...     def __call__(self, inputs, state, scope=None):
    ...         return inputs + state, inputs + state
    >>> with tf1.Graph().as_default(), tf1.Session() as session:
    ...     outputs, _ = tf1.nn.dynamic_rnn(Sum(), tf1.ones([1, 3, 2]), dtype=tf1.float32)
    ...     print(session.run(outputs).tolist())
    [[[1.0, 1.0], [2.0, 2.0], [3.0, 3.0]]]
    """

    def __init__(self, trainable: bool = True, name: str | None = None, dtype: Any = None, **kwargs: Any) -> None:
        self._reuse = kwargs.pop("_reuse", None)
        if kwargs:
            raise TypeError(f"{type(self).__name__} got unexpected arguments {sorted(kwargs)}")
        self._name, self.trainable, self.dtype = name, trainable, dtype
        self._scope: Any = None
        self._weights: list[Any] = []
        self.built = self._called = False

    @property
    def state_size(self) -> Any:
        """The size of the state, or a structure of sizes."""
        raise NotImplementedError(f"{type(self).__name__} must have a state_size")

    @property
    def output_size(self) -> Any:
        """The size of the output."""
        raise NotImplementedError(f"{type(self).__name__} must have an output_size")

    def build(self, inputs_shape: ShapeLike) -> None:
        """Make the variables; called once, in the cell's scope."""

    def call(self, inputs: Any, state: Any) -> tuple[Any, Any]:
        """One step: the output and the new state."""
        raise NotImplementedError(f"{type(self).__name__} must have a call")

    def __call__(self, inputs: TensorLike, state: Any, scope: Any = None) -> tuple[Any, Any]:
        with self._enter_scope(scope):
            self._build_once(inputs)
            found = self.call(inputs, state)
            self._called = True
            return found

    def prepare(self, inputs: TensorLike) -> None:
        """Make the variables for such inputs, if they are not there."""
        if not self.built:
            with self._enter_scope(None):
                self._build_once(inputs)

    def _build_once(self, inputs: TensorLike) -> None:
        if not self.built:
            first = nest.flatten(inputs)[0]
            self.dtype = self.dtype or convert_to_tensor(first).dtype.base_dtype
            self.build(convert_to_tensor(first).shape)
            self.built = True

    @contextmanager
    def _enter_scope(self, scope: Any) -> Iterator[None]:
        """The cell's variable scope; entered again, it hands out the variables that are there."""
        if scope is not None:
            with variable_scope(scope):
                yield
        elif self._scope is not None:
            with variable_scope(self._scope, reuse=True if self._called else self._reuse, auxiliary_name_scope=False):
                yield
        else:
            with variable_scope(self._name, default_name=snake_case(type(self).__name__), reuse=self._reuse) as entered:
                self._scope = entered
                yield

    def add_variable(self, name: str, shape: ShapeLike, initializer: Callable[..., Any] | TensorLike | None = None) -> Any:
        """A variable of the cell, made or found in the current scope."""
        variable = get_variable(name, shape, self.dtype, initializer, trainable=self.trainable)
        self._weights.append(variable)
        return variable

    @property
    def variables(self) -> list[Any]:
        """The cell's variables."""
        return list(self._weights)

    weights = variables

    @property
    def trainable_variables(self) -> list[Any]:
        """The variables that optimizers change."""
        return list(self._weights) if self.trainable else []

    trainable_weights = trainable_variables

    def zero_state(self, batch_size: IntLike, dtype: DTypeLike) -> Any:
        """A state of zeros for a batch."""
        return zero_states(self.state_size, batch_size, dtype)

    def get_initial_state(self, inputs: object = None, batch_size: IntLike | None = None, dtype: DTypeLike | None = None) -> Any:
        """`zero_state`, of the batch size and dtype of `inputs` where they are given."""
        if inputs is not None:
            inputs = convert_to_tensor(inputs)
            batch_size, dtype = shape_of(inputs)[0], inputs.dtype
        if batch_size is None or dtype is None:
            raise ValueError(
                f"batch_size and dtype cannot be None while constructing initial state: batch_size={batch_size}, dtype={dtype}"
            )
        return self.zero_state(batch_size, dtype)


def _depth(inputs_shape: TensorShape) -> int:
    size = inputs_shape[-1]
    if size is None:
        raise ValueError(f"Expected inputs.shape[-1] to be known, saw shape: {inputs_shape}")
    return int(size)


@export(v1=("nn.rnn_cell.BasicRNNCell", "contrib.rnn.BasicRNNCell"))
class BasicRNNCell(RNNCell):
    """output = activation([inputs, state] . kernel + bias), which is the new state as well.

    >>> with tf1.Graph().as_default():
    ...     cell = tf1.nn.rnn_cell.BasicRNNCell(4)
    ...     output, state = cell(tf1.zeros([2, 3]), cell.zero_state(2, tf1.float32))
    ...     print(output.shape, [v.name for v in tf1.trainable_variables()])
    (2, 4) ['basic_rnn_cell/kernel:0', 'basic_rnn_cell/bias:0']
    """

    def __init__(
        self, num_units: int, activation: Any = None, reuse: Any = None, name: str | None = None, dtype: Any = None, **kwargs: Any
    ) -> None:
        super().__init__(name=name, dtype=dtype, _reuse=reuse, **kwargs)
        self._num_units, self._activation = num_units, activation_of(activation)

    @property
    def state_size(self) -> int:
        """How long each part of the state is."""
        return self._num_units

    @property
    def output_size(self) -> int:
        """How long the output is."""
        return self._num_units

    def build(self, inputs_shape: Any) -> None:
        """Make the variables for inputs of a shape [batch, length]."""
        self._kernel = self.add_variable("kernel", [_depth(inputs_shape) + self._num_units, self._num_units])
        self._bias = self.add_variable("bias", [self._num_units], Zeros())

    def call(self, inputs: TensorLike, state: TensorLike) -> tuple[Any, Any]:
        """The output and the next state, each [batch, its size], of inputs [batch, length] and a state, all of one floating dtype."""
        output = self._activation(bias_add(matmul(concat([inputs, state], 1), self._kernel), self._bias))
        return output, output


@export(v1=("nn.rnn_cell.GRUCell", "contrib.rnn.GRUCell"))
class GRUCell(RNNCell):
    """A gated recurrent unit (Cho et al., 2014); the biases of the gates begin at 1 unless told otherwise.

    >>> with tf1.Graph().as_default():
    ...     cell = tf1.nn.rnn_cell.GRUCell(4)
    ...     output, state = cell(tf1.zeros([2, 4]), cell.zero_state(2, tf1.float32))
    ...     print(output.shape, [v.name for v in tf1.trainable_variables()])
    (2, 4) ['gru_cell/gates/kernel:0', 'gru_cell/gates/bias:0', 'gru_cell/candidate/kernel:0', 'gru_cell/candidate/bias:0']
    """

    def __init__(
        self,
        num_units: int,
        activation: Any = None,
        reuse: Any = None,
        kernel_initializer: Any = None,
        bias_initializer: Any = None,
        name: str | None = None,
        dtype: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(name=name, dtype=dtype, _reuse=reuse, **kwargs)
        self._num_units, self._activation = num_units, activation_of(activation)
        self._kernel_initializer, self._bias_initializer = kernel_initializer, bias_initializer

    @property
    def state_size(self) -> int:
        """How long each part of the state is."""
        return self._num_units

    @property
    def output_size(self) -> int:
        """How long the output is."""
        return self._num_units

    def build(self, inputs_shape: Any) -> None:
        """Make the variables for inputs of a shape [batch, length]."""
        units, rows = self._num_units, _depth(inputs_shape) + self._num_units
        self._gate_kernel = self.add_variable("gates/kernel", [rows, 2 * units], self._kernel_initializer)
        self._gate_bias = self.add_variable("gates/bias", [2 * units], self._bias_initializer or Ones())
        self._candidate_kernel = self.add_variable("candidate/kernel", [rows, units], self._kernel_initializer)
        self._candidate_bias = self.add_variable("candidate/bias", [units], self._bias_initializer or Zeros())

    def call(self, inputs: TensorLike, state: NumberLike) -> tuple[Any, Any]:
        """The output and the next state, each [batch, its size], of inputs [batch, length] and a state, all of one floating dtype."""
        gates = sigmoid(bias_add(matmul(concat([inputs, state], 1), self._gate_kernel), self._gate_bias))
        r, u = split(gates, 2, 1)
        candidate = bias_add(matmul(concat([inputs, r * state], 1), self._candidate_kernel), self._candidate_bias)
        new = u * state + (1.0 - u) * self._activation(candidate)
        return new, new


@export(v1=("nn.rnn_cell.LSTMStateTuple", "contrib.rnn.LSTMStateTuple"))
class LSTMStateTuple(namedtuple("LSTMStateTuple", "c h")):
    """The state of an LSTM: the cell state c and the output h.

    >>> state = tf.compat.v1.nn.rnn_cell.LSTMStateTuple(c=tf.zeros([2, 4]), h=tf.ones([2, 4]))
    >>> state.h.shape, state.dtype
    (TensorShape([2, 4]), tf.float32)
    """

    __slots__ = ()

    @property
    def dtype(self) -> Any:
        """The dtype of both."""
        if self.c.dtype != self.h.dtype:
            raise TypeError(f"Inconsistent internal state: {self.c.dtype} vs {self.h.dtype}")
        return self.c.dtype


@export(v1=("nn.rnn_cell.BasicLSTMCell", "contrib.rnn.BasicLSTMCell"))
class BasicLSTMCell(RNNCell):
    """A long short-term memory cell without peepholes (Hochreiter and Schmidhuber, 1997; Zaremba et al., 2014).

    >>> with tf1.Graph().as_default():
    ...     cell = tf1.nn.rnn_cell.BasicLSTMCell(4)
    ...     output, state = cell(tf1.zeros([2, 4]), cell.zero_state(2, tf1.float32))
    ...     print(output.shape, state.c.shape, state.h is output)
    (2, 4) (2, 4) True
    """

    def __init__(
        self,
        num_units: int,
        forget_bias: float = 1.0,
        state_is_tuple: bool = True,
        activation: Any = None,
        reuse: Any = None,
        name: str | None = None,
        dtype: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(name=name, dtype=dtype, _reuse=reuse, **kwargs)
        self._num_units, self._forget_bias, self._state_is_tuple = num_units, forget_bias, state_is_tuple
        self._activation = activation_of(activation)

    @property
    def state_size(self) -> Any:
        """How long each part of the state is."""
        return LSTMStateTuple(self._num_units, self._num_units) if self._state_is_tuple else 2 * self._num_units

    @property
    def output_size(self) -> int:
        """How long the output is."""
        return self._num_units

    def build(self, inputs_shape: Any) -> None:
        """Make the variables for inputs of a shape [batch, length]."""
        units = self._num_units
        self._kernel = self.add_variable("kernel", [_depth(inputs_shape) + units, 4 * units])
        self._bias = self.add_variable("bias", [4 * units], Zeros())

    def call(self, inputs: TensorLike, state: Any) -> tuple[Any, Any]:
        """The output and the next state, each [batch, its size], of inputs [batch, length] and a state, all of one floating dtype."""
        c, h = state if self._state_is_tuple else split(state, 2, 1)
        i, j, f, o = split(bias_add(matmul(concat([inputs, h], 1), self._kernel), self._bias), 4, 1)
        new_c = c * sigmoid(f + self._forget_bias) + sigmoid(i) * self._activation(j)
        new_h = self._activation(new_c) * sigmoid(o)
        return new_h, LSTMStateTuple(new_c, new_h) if self._state_is_tuple else concat([new_c, new_h], 1)


@export(v1=("nn.rnn_cell.LSTMCell", "contrib.rnn.LSTMCell"))
class LSTMCell(RNNCell):
    """A long short-term memory cell with peepholes, clipping and a projection of the output, each if asked for (Sak et al., 2014).

    >>> with tf1.Graph().as_default():
    ...     cell = tf1.nn.rnn_cell.LSTMCell(4, num_proj=3)
    ...     output, state = cell(tf1.zeros([2, 4]), cell.zero_state(2, tf1.float32))
    ...     print(output.shape, state.c.shape, state.h.shape)
    (2, 3) (2, 4) (2, 3)
    """

    def __init__(
        self,
        num_units: int,
        use_peepholes: bool = False,
        cell_clip: float | None = None,
        initializer: Any = None,
        num_proj: int | None = None,
        proj_clip: float | None = None,
        num_unit_shards: Any = None,
        num_proj_shards: Any = None,
        forget_bias: float = 1.0,
        state_is_tuple: bool = True,
        activation: Any = None,
        reuse: Any = None,
        name: str | None = None,
        dtype: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(name=name, dtype=dtype, _reuse=reuse, **kwargs)
        if num_unit_shards is not None or num_proj_shards is not None:
            raise ValueError("num_unit_shards and num_proj_shards are deprecated in TensorFlow and not in Pullback: nothing is split here")
        self._num_units, self._use_peepholes, self._cell_clip, self._initializer = num_units, use_peepholes, cell_clip, initializer
        self._num_proj, self._proj_clip, self._forget_bias, self._state_is_tuple = num_proj, proj_clip, forget_bias, state_is_tuple
        self._activation = activation_of(activation)

    @property
    def state_size(self) -> Any:
        """How long each part of the state is."""
        out = self.output_size
        return LSTMStateTuple(self._num_units, out) if self._state_is_tuple else self._num_units + out

    @property
    def output_size(self) -> int:
        """How long the output is."""
        return self._num_proj or self._num_units

    def build(self, inputs_shape: Any) -> None:
        """Make the variables for inputs of a shape [batch, length]."""
        units = self._num_units
        self._kernel = self.add_variable("kernel", [_depth(inputs_shape) + self.output_size, 4 * units], self._initializer)
        self._bias = self.add_variable("bias", [4 * units], Zeros())
        if self._use_peepholes:
            names = ("w_f_diag", "w_i_diag", "w_o_diag")
            self._peepholes = [self.add_variable(name, [units], self._initializer) for name in names]
        if self._num_proj is not None:
            self._projection = self.add_variable("projection/kernel", [units, self._num_proj], self._initializer)

    def call(self, inputs: TensorLike, state: Any) -> tuple[Any, Any]:
        """The output and the next state, each [batch, its size], of inputs [batch, length] and a state, all of one floating dtype."""
        c, m = state if self._state_is_tuple else (state[:, : self._num_units], state[:, self._num_units :])
        i, j, f, o = split(bias_add(matmul(concat([inputs, m], 1), self._kernel), self._bias), 4, 1)
        f = f + self._forget_bias
        if self._use_peepholes:
            f, i = f + self._peepholes[0] * c, i + self._peepholes[1] * c
        new_c = sigmoid(f) * c + sigmoid(i) * self._activation(j)
        if self._cell_clip is not None:
            new_c = clip_by_value(new_c, -self._cell_clip, self._cell_clip)
        new_m = sigmoid(o + self._peepholes[2] * new_c if self._use_peepholes else o) * self._activation(new_c)
        if self._num_proj is not None:
            new_m = matmul(new_m, self._projection)
            if self._proj_clip is not None:
                new_m = clip_by_value(new_m, -self._proj_clip, self._proj_clip)
        return new_m, LSTMStateTuple(new_c, new_m) if self._state_is_tuple else concat([new_c, new_m], 1)
