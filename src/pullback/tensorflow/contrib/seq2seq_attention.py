"""Attention of `tf.contrib.seq2seq`: how a query weighs what is remembered, and a cell that looks at it in every step."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Sequence
from typing import Any

from ...api.initializers import Constant, Zeros
from ...api.variable_scope import get_variable, variable_scope
from ...base import nest
from ...base.export import export
from ...base.shapes import TensorShape
from ...control.tensor_array import TensorArray
from ...ir.apply import convert_to_tensor
from ...ir.tensor import DTypeLike, Tensor, TensorLike
from ...nn.activations import softmax
from ...ops.array.basic import identity, reshape, shape_of
from ...ops.array.create import one_hot, zeros
from ...ops.array.join import concat
from ...ops.array.shape import expand_dims, squeeze
from ...ops.array.where import where
from ...ops.linalg.products import matmul
from ...ops.math.functions import rsqrt, tanh
from ...ops.primitives.cast import cast
from ...ops.reduce.reductions import reduce_sum
from ...ops.search.composed import sequence_mask
from ...ops.search.sort import argmax
from ..layers.classes import Dense
from ..rnn.cell_classes import RNNCell
from .seq2seq_decoding import lengths_of


@export(v1="contrib.seq2seq.hardmax")
def hardmax(logits: TensorLike, name: str | None = None) -> Tensor:
    """1 for the largest of each row, 0 for the others.

    >>> tf1.contrib.seq2seq.hardmax([[1.0, 3.0, 2.0]]).numpy().tolist()
    [[0.0, 1.0, 0.0]]
    """
    logits = convert_to_tensor(logits)
    return one_hot(argmax(logits, -1), lengths_of(logits)[-1], dtype=logits.dtype)


@export(v1="contrib.seq2seq.AttentionMechanism")
class AttentionMechanism:
    """How a query weighs the entries of a memory: a subclass says in `score(query)` how well each fits.

    Args:
        memory: what is remembered, [batch, time, ...]; entries beyond `memory_sequence_length` are zero and get no weight.
        query_layer, memory_layer: what queries and entries go through first; None for as they are.
        probability_fn: of the scores, gives the weights.
        score_mask_value: the score of what is beyond the length; minus infinity when None.

    >>> with tf1.Graph().as_default():
    ...     attention = tf1.contrib.seq2seq.LuongAttention(4, tf1.zeros([2, 5, 4]))
    ...     weights, _ = attention(tf1.zeros([2, 4]), attention.initial_state(2, tf1.float32))
    ...     isinstance(attention, tf1.contrib.seq2seq.AttentionMechanism), weights.shape
    (True, TensorShape([2, 5]))
    """

    _scope = "attention"

    def __init__(
        self, memory: Any, query_layer: Any = None, memory_layer: Any = None, probability_fn: Callable[[Any], Any] | None = None,
        memory_sequence_length: TensorLike | None = None, score_mask_value: Any = None,
    ) -> None:  # fmt: skip
        memory = convert_to_tensor(memory)
        self._lengths = None if memory_sequence_length is None else convert_to_tensor(memory_sequence_length)
        if self._lengths is not None:
            mask = sequence_mask(self._lengths, shape_of(memory)[1], memory.dtype)
            memory = memory * reshape(mask, concat([shape_of(mask), [1] * (len(memory.shape) - 2)], 0))
        self.values, self.query_layer, self.memory_layer = memory, query_layer, memory_layer
        self.keys = memory if memory_layer is None else memory_layer(memory)
        self.dtype = self.keys.dtype
        self._weigh, self._beyond = probability_fn or softmax, float("-inf") if score_mask_value is None else score_mask_value

    @property
    def batch_size(self) -> Tensor:
        """How many memories there are."""
        return lengths_of(self.keys)[0]

    @property
    def alignments_size(self) -> Tensor:
        """How many entries a memory has."""
        return lengths_of(self.keys)[1]

    state_size = alignments_size

    def initial_alignments(self, batch_size: Any, dtype: DTypeLike) -> Tensor:
        """The weights before the first step: none."""
        return zeros([batch_size, self.alignments_size], dtype)

    initial_state = initial_alignments

    def score(self, query: Any) -> Tensor:
        """How well each entry fits a query, [batch, time]."""
        raise NotImplementedError(f"{type(self).__name__} must have a score")

    def __call__(self, query: TensorLike, state: TensorLike | None) -> tuple[Any, Any]:
        """The weights of the entries for a query, and the next state, which is the same."""
        with variable_scope(None, default_name=self._scope):
            score = self.score(query)
        if self._lengths is not None:
            score = where(sequence_mask(self._lengths, shape_of(score)[1]), score, cast(self._beyond, score.dtype))
        weights = self._weigh(score)
        return weights, weights


@export(v1="contrib.seq2seq.BahdanauAttention")
class BahdanauAttention(AttentionMechanism):
    """Scores are `v . tanh(keys + query)` (Bahdanau et al., 2014).

    Args:
        num_units: the size of keys and queries.
        normalize: `v` has a length of its own, and the sum a bias (Salimans and Kingma, 2016).

    >>> with tf1.Graph().as_default():
    ...     attention = tf1.contrib.seq2seq.BahdanauAttention(4, tf1.zeros([2, 5, 3]), memory_sequence_length=[5, 2])
    ...     weights, _ = attention(tf1.zeros([2, 6]), attention.initial_state(2, tf1.float32))
    ...     weights.shape, [v.name for v in tf1.trainable_variables()]
    (TensorShape([2, 5]), ['memory_layer/kernel:0', 'bahdanau_attention/query_layer/kernel:0', 'bahdanau_attention/attention_v:0'])
    """

    _scope = "bahdanau_attention"

    def __init__(
        self, num_units: int, memory: Any, memory_sequence_length: TensorLike | None = None, normalize: bool = False,
        probability_fn: Callable[[Any], Any] | None = None, score_mask_value: Any = None, dtype: DTypeLike | None = None,
        name: str = "BahdanauAttention",
    ) -> None:  # fmt: skip
        of_query, of_memory = (Dense(num_units, use_bias=False, name=part, dtype=dtype) for part in ("query_layer", "memory_layer"))
        super().__init__(memory, of_query, of_memory, probability_fn, memory_sequence_length, score_mask_value)
        self._num_units, self._normalize = num_units, normalize

    def score(self, query: TensorLike) -> Tensor:
        """How well a query [batch, depth] fits each place of the memory: [batch, places]."""
        total = self.keys + expand_dims(self.query_layer(query), 1)
        vector = get_variable("attention_v", [self._num_units], total.dtype)
        if self._normalize:
            length = get_variable("attention_g", [], total.dtype, Constant(self._num_units**-0.5))
            total = total + get_variable("attention_b", [self._num_units], total.dtype, Zeros())
            vector = length * vector * rsqrt(reduce_sum(vector * vector))
        return reduce_sum(vector * tanh(total), [2])


@export(v1="contrib.seq2seq.LuongAttention")
class LuongAttention(AttentionMechanism):
    """Scores are `keys . query` (Luong et al., 2015).

    Args:
        num_units: the size of keys and queries.
        scale: times a variable.

    Raises:
        ValueError: queries have another size.

    >>> with tf1.Graph().as_default():
    ...     attention = tf1.contrib.seq2seq.LuongAttention(4, tf1.zeros([2, 5, 3]), scale=True)
    ...     weights, _ = attention(tf1.zeros([2, 4]), attention.initial_state(2, tf1.float32))
    ...     weights.shape, [v.name for v in tf1.trainable_variables()]
    (TensorShape([2, 5]), ['memory_layer/kernel:0', 'luong_attention/attention_g:0'])
    """

    _scope = "luong_attention"

    def __init__(
        self, num_units: int, memory: Any, memory_sequence_length: TensorLike | None = None, scale: bool = False,
        probability_fn: Callable[[Any], Any] | None = None, score_mask_value: Any = None, dtype: DTypeLike | None = None,
        name: str = "LuongAttention",
    ) -> None:  # fmt: skip
        layer = Dense(num_units, use_bias=False, name="memory_layer", dtype=dtype)
        super().__init__(memory, None, layer, probability_fn, memory_sequence_length, score_mask_value)
        self._num_units, self._scale = num_units, scale

    def score(self, query: Any) -> Tensor:
        """How well a query [batch, depth] fits each place of the memory: [batch, places]."""
        depths = query.shape[-1], self.keys.shape[-1]
        if depths[0] != depths[1]:
            raise ValueError(
                f"Incompatible or unknown inner dimensions between query and keys. Query ({query}) has units: {depths[0]}. Keys "
                f"({self.keys}) have units: {depths[1]}. Perhaps you need to set num_units to the keys' dimension ({depths[1]})?"
            )
        score = squeeze(matmul(expand_dims(query, 1), self.keys, transpose_b=True), [1])
        return get_variable("attention_g", [], query.dtype, Constant(1.0)) * score if self._scale else score


@export(v1="contrib.seq2seq.AttentionWrapperState")
class AttentionWrapperState(namedtuple("AttentionWrapperState", "cell_state attention time alignments alignment_history attention_state")):
    """The state of an `AttentionWrapper`: that of its cell, what it saw last, the step, and weights.

    >>> tf1.contrib.seq2seq.AttentionWrapperState(1, 2, 3, 4, 5, 6).clone(cell_state=7).cell_state
    7
    """

    def clone(self, **kwargs: Any) -> AttentionWrapperState:
        """The state with other fields.

        Raises:
            ValueError: a tensor of another shape.
        """

        def check(old: Any, new: Any) -> Any:
            if not hasattr(new, "shape") or not hasattr(old, "shape"):
                return new
            if not new.shape.is_compatible_with(old.shape):
                raise ValueError(f"The shape of the AttentionWrapperState is expected to be {old.shape}, and not {new.shape}")
            return new

        return self._replace(**{key: nest.map_structure(check, getattr(self, key), new) for key, new in kwargs.items()})


@export(v1="contrib.seq2seq.AttentionWrapper")
class AttentionWrapper(RNNCell):
    """A cell that in every step looks at memories, by its output, and is given what it saw with its next inputs.

    Args:
        attention_mechanism: how it looks; or a list of mechanisms.
        attention_layer_size: the size of a layer over output and context, a list for several mechanisms; None for the context itself.
        alignment_history: whether weights of all steps are kept, in a `TensorArray` of the state.
        cell_input_fn: of inputs and what was seen, gives the inputs of the cell: side by side when None.
        output_attention: the output is what was seen, and not the cell's output.
        initial_cell_state: the cell's state in `zero_state`.
        attention_layer: in place of `attention_layer_size`, a layer, or a list of layers.

    Raises:
        TypeError: a mechanism or a function is none.
        ValueError: as many layers as mechanisms are wanted; a batch of another size than the memory has.

    >>> with tf1.Graph().as_default():
    ...     attention = tf1.contrib.seq2seq.LuongAttention(4, tf1.zeros([2, 5, 3]))
    ...     cell = tf1.contrib.seq2seq.AttentionWrapper(tf1.nn.rnn_cell.GRUCell(4), attention, attention_layer_size=6)
    ...     output, state = cell(tf1.zeros([2, 3]), cell.zero_state(2, tf1.float32))
    ...     output.shape, state.alignments.shape
    (TensorShape([2, 6]), TensorShape([2, 5]))
    """

    def __init__(
        self, cell: Any, attention_mechanism: Any, attention_layer_size: int | Sequence[int] | None = None, alignment_history: bool = False,
        cell_input_fn: Callable[[Any, Any], Any] | None = None, output_attention: bool = True, initial_cell_state: Any = None,
        name: str | None = None, attention_layer: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(name=name)
        self._is_multi = isinstance(attention_mechanism, (list, tuple))
        self._mechanisms = list(attention_mechanism) if self._is_multi else [attention_mechanism]
        for one in self._mechanisms:
            if not isinstance(one, AttentionMechanism):
                raise TypeError(f"attention_mechanism must contain only instances of AttentionMechanism, saw type: {type(one).__name__}")
        if cell_input_fn is not None and not callable(cell_input_fn):
            raise TypeError(f"cell_input_fn must be callable, saw type: {type(cell_input_fn).__name__}")
        if attention_layer_size is not None and attention_layer is not None:
            raise ValueError("Only one of attention_layer_size and attention_layer should be set")
        if attention_layer_size is not None:
            sizes = attention_layer_size if isinstance(attention_layer_size, (list, tuple)) else [attention_layer_size]
            attention_layer = [Dense(size, use_bias=False, name="attention_layer") for size in sizes]
        layers = attention_layer if isinstance(attention_layer, (list, tuple)) else [attention_layer] * len(self._mechanisms)
        if len(layers) != len(self._mechanisms):
            raise ValueError(
                "If provided, attention_layer_size or attention_layer must contain exactly one entry per attention_mechanism, saw: "
                f"{len(layers)} vs {len(self._mechanisms)}"
            )
        self._layers, self._cell, self._joined = list(layers), cell, cell_input_fn or (lambda inputs, seen: concat([inputs, seen], -1))
        self._keeps_history, self._gives_attention, self._first = alignment_history, output_attention, initial_cell_state
        self._attention_size = sum(
            one.values.shape[-1] if layer is None else layer.compute_output_shape([None, cell.output_size + one.values.shape[-1]])[-1]
            for one, layer in zip(self._mechanisms, self._layers, strict=True)
        )

    @property
    def output_size(self) -> Any:
        """How long the output is."""
        return self._attention_size if self._gives_attention else self._cell.output_size

    @property
    def state_size(self) -> Any:
        """The sizes of the parts of the state."""
        sizes = self._as_given([one.alignments_size for one in self._mechanisms])
        history = sizes if self._keeps_history else ()
        return AttentionWrapperState(self._cell.state_size, self._attention_size, TensorShape([]), sizes, history, sizes)

    def _as_given(self, parts: Sequence[Any]) -> Any:
        """One entry, or a tuple where mechanisms were given as a list."""
        return tuple(parts) if self._is_multi else parts[0]

    def _list_parts(self, parts: Any) -> list[Any]:
        return list(parts) if self._is_multi else [parts]

    def zero_state(self, batch_size: Any, dtype: DTypeLike) -> Any:
        """The first state of `batch_size` sequences, of a dtype; ValueError where the memory has another batch."""
        state = self._cell.zero_state(batch_size, dtype) if self._first is None else self._first
        for one in self._mechanisms:
            known = [size for size in (one.keys.dims[0], batch_size) if isinstance(size, int)]
            if len(set(known)) == 2:
                raise ValueError(
                    f"When calling zero_state of AttentionWrapper {self._name or ''}: Non-matching batch sizes between the memory (encoder "
                    f"output), {known[0]}, and what is asked for, {known[1]}. Are you using the BeamSearchDecoder? Then tile the encoder "
                    "output by tf.contrib.seq2seq.tile_batch, and give zero_state the batch_size times beam_width."
                )
        weights = [one.initial_alignments(batch_size, dtype) for one in self._mechanisms]
        arrays = [TensorArray(dtype, 0, dynamic_size=True, element_shape=one.shape) for one in weights]
        return AttentionWrapperState(
            nest.map_structure(identity, state),
            zeros([batch_size, self._attention_size], dtype),
            convert_to_tensor(0),
            self._as_given(weights),
            self._as_given(arrays) if self._keeps_history else (),
            self._as_given([one.initial_state(batch_size, dtype) for one in self._mechanisms]),
        )

    def call(self, inputs: Any, state: Any) -> tuple[Any, Any]:
        """The attention or the cell's output, [batch, length], and the next state, for inputs [batch, length]."""
        if not isinstance(state, AttentionWrapperState):
            raise TypeError(f"Expected state to be instance of AttentionWrapperState. Received type {type(state)} instead.")
        output, cell_state = self._cell(self._joined(inputs, state.attention), state.cell_state)
        seen, weights, states = [], [], []
        for one, layer, last in zip(self._mechanisms, self._layers, self._list_parts(state.attention_state), strict=True):
            found, following = one(output, last)
            context = squeeze(matmul(expand_dims(found, 1), one.values), [1])
            seen.append(context if layer is None else layer(concat([output, context], 1)))
            weights.append(found)
            states.append(following)
        history: Any = ()
        if self._keeps_history:
            arrays = self._list_parts(state.alignment_history)
            history = self._as_given([array.write(state.time, found) for array, found in zip(arrays, weights, strict=True)])
        attention = concat(seen, 1)
        following = AttentionWrapperState(cell_state, attention, state.time + 1, self._as_given(weights), history, self._as_given(states))
        return attention if self._gives_attention else output, following
