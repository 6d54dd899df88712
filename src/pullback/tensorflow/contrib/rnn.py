"""Cells and wrappers that only `tf.contrib.rnn` had; those of `tf.nn.rnn_cell` are there too, under the same names."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ...api.initializers import Constant, RandomUniform, Zeros
from ...api.variable_scope import VariableScope, get_variable_scope, variable_scope
from ...base.export import export
from ...ir.tensor import DTypeLike, NumberLike, Tensor
from ...nn.dropout import dropout
from ...nn.embedding import embedding_lookup
from ...ops.array.basic import reshape
from ...ops.array.create import zeros
from ...ops.array.join import concat, split
from ...ops.linalg.products import matmul
from ...ops.math.functions import sigmoid, tanh
from ...ops.nn.bias import bias_add
from ..rnn.cell_classes import LSTMCell, LSTMStateTuple, RNNCell
from ..rnn.loops import bidirectional_dynamic_rnn
from ..rnn.wrappers import Wrapper
from .normalization import normalize_alone


@export(v1="contrib.rnn.LayerNormBasicLSTMCell")
class LayerNormBasicLSTMCell(RNNCell):
    """A long short-term memory cell with layer normalisation (Ba et al., 2016) and recurrent dropout (Semeniuta et al., 2016).

    >>> with tf1.Graph().as_default():
    ...     cell = tf1.contrib.rnn.LayerNormBasicLSTMCell(4)
    ...     output, state = cell(tf1.zeros([2, 3]), cell.zero_state(2, tf1.float32))
    ...     print(output.shape, [v.name for v in tf1.trainable_variables()][1])
    (2, 4) layer_norm_basic_lstm_cell/input/gamma:0
    """

    def __init__(
        self,
        num_units: int,
        forget_bias: float = 1.0,
        input_size: Any = None,
        activation: Any = tanh,
        layer_norm: bool = True,
        norm_gain: float = 1.0,
        norm_shift: float = 0.0,
        dropout_keep_prob: Any = 1.0,
        dropout_prob_seed: Any = None,
        reuse: Any = None,
    ) -> None:
        super().__init__(_reuse=reuse)
        self._num_units, self._forget_bias, self._activation, self._layer_norm = num_units, forget_bias, activation, layer_norm
        self._gain, self._shift, self._keep_prob, self._seed = norm_gain, norm_shift, dropout_keep_prob, dropout_prob_seed
        self._norms: dict[str, tuple[Any, Any]] = {}

    @property
    def state_size(self) -> Any:
        """How long each part of the state is."""
        return LSTMStateTuple(self._num_units, self._num_units)

    @property
    def output_size(self) -> Any:
        """How long the output is."""
        return self._num_units

    def build(self, inputs_shape: Any) -> None:
        """Make the variables for inputs of a shape [batch, length]."""
        units = self._num_units
        self._kernel = self.add_variable("kernel", [inputs_shape.as_list()[-1] + units, 4 * units])
        if not self._layer_norm:
            self._bias = self.add_variable("bias", [4 * units], Zeros())
            return
        for part in ("input", "transform", "forget", "output", "state"):
            gamma = self.add_variable(f"{part}/gamma", [units], Constant(self._gain))
            self._norms[part] = gamma, self.add_variable(f"{part}/beta", [units], Constant(self._shift))

    def _norm(self, x: Any, part: str) -> Tensor:
        if not self._layer_norm:
            return x
        gamma, beta = self._norms[part]
        return normalize_alone(x, [1], beta, gamma)

    def call(self, inputs: Any, state: Any) -> tuple[Any, Any]:
        """The output and the next state, each [batch, its size], of inputs [batch, length] and a state, all of one floating dtype."""
        c, h = state
        product = matmul(concat([inputs, h], 1), self._kernel)
        gates = split(product if self._layer_norm else bias_add(product, self._bias), 4, 1)
        i, j, f, o = (self._norm(gate, part) for gate, part in zip(gates, ("input", "transform", "forget", "output"), strict=True))
        g = self._activation(j)
        if not isinstance(self._keep_prob, float) or self._keep_prob < 1:
            g = dropout(g, 1 - self._keep_prob, seed=self._seed)
        new_c = self._norm(c * sigmoid(f + self._forget_bias) + sigmoid(i) * g, "state")
        new_h = self._activation(new_c) * sigmoid(o)
        return new_h, LSTMStateTuple(new_c, new_h)


@export(v1="contrib.rnn.LSTMBlockCell")
class LSTMBlockCell(LSTMCell):
    """`LSTMCell` with the arguments of the fused one.

    >>> with tf1.Graph().as_default():
    ...     cell = tf1.contrib.rnn.LSTMBlockCell(4)
    ...     output, state = cell(tf1.zeros([2, 4]), cell.zero_state(2, tf1.float32))
    ...     print([v.name for v in tf1.trainable_variables()])
    ['lstm_cell/kernel:0', 'lstm_cell/bias:0']
    """

    def __init__(
        self,
        num_units: int,
        forget_bias: float = 1.0,
        cell_clip: float | None = None,
        use_peephole: bool = False,
        dtype: Any = None,
        reuse: Any = None,
        name: str = "lstm_cell",
    ) -> None:
        clip = cell_clip if cell_clip is not None and cell_clip > 0 else None
        super().__init__(num_units, use_peephole, clip, forget_bias=forget_bias, reuse=reuse, name=name, dtype=dtype)


class _Inside(Wrapper):
    """A cell that has another in its scope, and variables of its own."""

    __call__, prepare = RNNCell.__call__, RNNCell.prepare

    def __init__(self, cell: Any, reuse: Any = None) -> None:
        super().__init__(cell, _reuse=reuse)

    @property
    def variables(self) -> list[Any]:
        return [*self._weights, *self.cell.variables]

    @property
    def trainable_variables(self) -> list[Any]:
        return [*self._weights, *self.cell.trainable_variables]

    def _prepare_inside(self, size: int) -> None:
        if hasattr(self.cell, "prepare"):
            self.cell.prepare(zeros([1, size], self.dtype))


@export(v1="contrib.rnn.OutputProjectionWrapper")
class OutputProjectionWrapper(_Inside):
    """A cell whose output goes through a dense layer of `output_size` units.

    >>> with tf1.Graph().as_default():
    ...     cell = tf1.contrib.rnn.OutputProjectionWrapper(tf1.contrib.rnn.GRUCell(4), 7)
    ...     output, state = cell(tf1.zeros([2, 3]), cell.zero_state(2, tf1.float32))
    ...     print(output.shape, state.shape)
    (2, 7) (2, 4)
    """

    def __init__(self, cell: Any, output_size: int, activation: Any = None, reuse: Any = None) -> None:
        super().__init__(cell, reuse)
        if output_size < 1:
            raise ValueError(f"Parameter output_size must be > 0: {output_size}.")
        self._size, self._activation = output_size, activation

    @property
    def output_size(self) -> Any:
        """How long the output is."""
        return self._size

    def build(self, inputs_shape: Any) -> None:
        """Make the variables for inputs of a shape [batch, length]."""
        self._prepare_inside(inputs_shape.as_list()[-1])
        self._kernel = self.add_variable("kernel", [self.cell.output_size, self._size])
        self._bias = self.add_variable("bias", [self._size], Zeros())

    def call(self, inputs: Any, state: Any) -> tuple[Any, Any]:
        """The output and the next state, each [batch, its size], of inputs [batch, length] and a state, all of one floating dtype."""
        output, new = self.cell(inputs, state)
        projected = bias_add(matmul(output, self._kernel), self._bias)
        return projected if self._activation is None else self._activation(projected), new


@export(v1="contrib.rnn.InputProjectionWrapper")
class InputProjectionWrapper(_Inside):
    """A cell whose input goes through a dense layer of `num_proj` units first.

    >>> with tf1.Graph().as_default():
    ...     cell = tf1.contrib.rnn.InputProjectionWrapper(tf1.contrib.rnn.GRUCell(4), 5)
    ...     output, _ = cell(tf1.zeros([2, 3]), cell.zero_state(2, tf1.float32))
    ...     print([v.shape for v in tf1.trainable_variables()][0])
    (3, 5)
    """

    def __init__(self, cell: Any, num_proj: int, activation: Any = None, input_size: Any = None, reuse: Any = None) -> None:
        super().__init__(cell, reuse)
        self._size, self._activation = num_proj, activation

    def build(self, inputs_shape: Any) -> None:
        """Make the variables for inputs of a shape [batch, length]."""
        self._kernel = self.add_variable("kernel", [inputs_shape.as_list()[-1], self._size])
        self._bias = self.add_variable("bias", [self._size], Zeros())
        self._prepare_inside(self._size)

    def call(self, inputs: Any, state: Any) -> tuple[Any, Any]:
        """The output and the next state, each [batch, its size], of inputs [batch, length] and a state, all of one floating dtype."""
        projected = bias_add(matmul(inputs, self._kernel), self._bias)
        found: tuple[Any, Any] = self.cell(projected if self._activation is None else self._activation(projected), state)
        return found


@export(v1="contrib.rnn.EmbeddingWrapper")
class EmbeddingWrapper(_Inside):
    """A cell whose inputs are ids, for which it is given rows of a variable "embedding" [embedding_classes, embedding_size].

    >>> with tf1.Graph().as_default():
    ...     cell = tf1.contrib.rnn.EmbeddingWrapper(tf1.contrib.rnn.GRUCell(4), embedding_classes=10, embedding_size=3)
    ...     output, _ = cell(tf1.constant([1, 2]), cell.zero_state(2, tf1.float32))
    ...     print(output.shape)
    (2, 4)
    """

    def __init__(self, cell: Any, embedding_classes: int, embedding_size: int, initializer: Any = None, reuse: Any = None) -> None:
        super().__init__(cell, reuse)
        if embedding_classes <= 0 or embedding_size <= 0:
            raise ValueError(f"Both embedding_classes and embedding_size must be > 0: {embedding_classes}, {embedding_size}.")
        self._shape, self._first = [embedding_classes, embedding_size], initializer

    def build(self, inputs_shape: Any) -> None:
        """Make the variables for inputs of a shape [batch, length]."""
        self.dtype = get_variable_scope().dtype  # not that of the inputs, which are ids
        first = self._first or get_variable_scope().initializer or RandomUniform(-math.sqrt(3), math.sqrt(3))
        self._embedding = self.add_variable("embedding", self._shape, first)
        self._prepare_inside(self._shape[1])

    def call(self, inputs: Any, state: Any) -> tuple[Any, Any]:
        """The output and the next state of the inner cell for the rows that integers [batch] or [batch, 1] name."""
        found: tuple[Any, Any] = self.cell(embedding_lookup(self._embedding, reshape(inputs, [-1])), state)
        return found


@export(v1="contrib.rnn.stack_bidirectional_dynamic_rnn")
def stack_bidirectional_dynamic_rnn(
    cells_fw: Sequence[Any],
    cells_bw: Sequence[Any],
    inputs: NumberLike,
    initial_states_fw: Sequence[Any] | None = None,
    initial_states_bw: Sequence[Any] | None = None,
    dtype: DTypeLike | None = None,
    sequence_length: NumberLike | None = None,
    parallel_iterations: int | None = None,
    time_major: bool = False,
    scope: str | VariableScope | None = None,
    swap_memory: bool = False,
) -> tuple[Any, tuple[Any, ...], tuple[Any, ...]]:
    """Bidirectional layers one on top of another: (outputs of both directions side by side, states forwards, states backwards).

    Raises:
        ValueError: the lists of cells, or of states, have not the same length, or none.

    >>> with tf1.Graph().as_default():
    ...     make = lambda: [tf1.contrib.rnn.GRUCell(4) for _ in range(2)]
    ...     y, states, _ = tf1.contrib.rnn.stack_bidirectional_dynamic_rnn(make(), make(), tf1.zeros([2, 3, 5]), dtype=tf1.float32)
    ...     print(y.shape, len(states))
    (2, 3, 8) 2
    """
    if not cells_fw or len(cells_fw) != len(cells_bw):
        raise ValueError(f"Forward and Backward cells must have the same depth, at least 1: {len(cells_fw)} and {len(cells_bw)}.")
    forwards, backwards = ([None] * len(cells_fw) if given is None else list(given) for given in (initial_states_fw, initial_states_bw))
    if not len(forwards) == len(backwards) == len(cells_fw):
        raise ValueError("initial_states_fw and initial_states_bw must have a state for each layer.")
    states: list[tuple[Any, Any]] = []
    with variable_scope(scope or "stack_bidirectional_rnn"):
        for number, (fw, bw, first, last) in enumerate(zip(cells_fw, cells_bw, forwards, backwards, strict=True)):
            with variable_scope(f"cell_{number}"):
                outputs, state = bidirectional_dynamic_rnn(fw, bw, inputs, sequence_length, first, last, dtype, time_major=time_major)
                inputs = concat(outputs, 2)
                states.append(state)
    return inputs, tuple(fw for fw, _ in states), tuple(bw for _, bw in states)
