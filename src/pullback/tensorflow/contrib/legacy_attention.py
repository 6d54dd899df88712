"""The decoders of `tf.contrib.legacy_seq2seq` that look at what the encoder gave."""

from __future__ import annotations

import copy
from typing import Any

from ...api.variable_scope import VariableScope, get_variable, variable_scope
from ...base import nest
from ...base.export import export
from ...ir.apply import convert_to_tensor
from ...ir.tensor import DTypeLike, TensorLike
from ...nn.activations import softmax
from ...nn.convolution import conv2d
from ...nn.embedding import embedding_lookup
from ...ops.array.basic import reshape, shape_of
from ...ops.array.create import zeros
from ...ops.array.join import concat, stack
from ...ops.math.functions import tanh
from ...ops.reduce.reductions import reduce_sum
from ..rnn.loops import static_rnn
from .legacy_seq2seq import Loop, Steps, decode_either_way, dense_of, feed_back
from .rnn import EmbeddingWrapper, OutputProjectionWrapper


class _Attention:
    """What decoders see of the encoder's states: weighted sums, a query's weights for each head."""

    def __init__(self, states: Any, heads: int) -> None:
        self.size = states.shape.as_list()[2]
        known = states.shape.as_list()[1]
        self._length = shape_of(states)[1] if known is None else known
        self._hidden = reshape(states, [-1, self._length, 1, self.size])
        self._features, self._vectors = [], []
        for a in range(heads):
            self._features.append(conv2d(self._hidden, get_variable(f"AttnW_{a}", [1, 1, self.size, self.size]), [1, 1, 1, 1], "SAME"))
            self._vectors.append(get_variable(f"AttnV_{a}", [self.size]))

    def first(self, batch: Any) -> list[Any]:
        """Nothing seen."""
        found = [zeros(stack([batch, self.size]), self._hidden.dtype) for _ in self._vectors]
        for one in found:
            one.set_shape([None, self.size])
        return found

    def __call__(self, query: Any) -> list[Any]:
        found, parts = [], nest.flatten(query)
        for a, (features, vector) in enumerate(zip(self._features, self._vectors, strict=True)):
            with variable_scope(f"Attention_{a}"):
                y = reshape(dense_of(parts, self.size), [-1, 1, 1, self.size])
                weights = softmax(reduce_sum(vector * tanh(features + y), [2, 3]))
                seen = reduce_sum(reshape(weights, [-1, self._length, 1, 1]) * self._hidden, [1, 2])
                found.append(reshape(seen, [-1, self.size]))
        return found


@export(v1="contrib.legacy_seq2seq.attention_decoder")
def attention_decoder(
    decoder_inputs: Steps,
    initial_state: Any,
    attention_states: TensorLike,
    cell: Any,
    output_size: int | None = None,
    num_heads: int = 1,
    loop_function: Loop | None = None,
    dtype: DTypeLike | None = None,
    scope: str | VariableScope | None = None,
    initial_state_attention: bool = False,
) -> tuple[list[Any], Any]:
    """`rnn_decoder` that looks at the encoder's states [batch, steps, size] (Bahdanau et al., 2014; Vinyals et al., 2014).

    Args:
        output_size: that of the cell when None.
        num_heads: how many weighted sums of the states it sees.
        initial_state_attention: whether it looks with the first state, before the first step.

    Raises:
        ValueError: there are no inputs, no heads, or sizes that are not known.

    >>> with tf1.Graph().as_default():
    ...     cell = tf1.contrib.rnn.GRUCell(4)
    ...     state, seen = cell.zero_state(2, tf1.float32), tf1.zeros([2, 6, 5])
    ...     outputs, _ = tf1.contrib.legacy_seq2seq.attention_decoder([tf1.zeros([2, 3])] * 3, state, seen, cell)
    ...     outputs[0].shape
    TensorShape([2, 4])
    """
    if not decoder_inputs:
        raise ValueError("Must provide at least 1 input to attention decoder.")
    if num_heads < 1:
        raise ValueError("With less than 1 heads, use a non-attention decoder.")
    attention_states = convert_to_tensor(attention_states)
    if attention_states.shape.as_list()[2] is None:
        raise ValueError(f"Shape[2] of attention_states must be known: {attention_states.shape}")
    size = cell.output_size if output_size is None else output_size
    with variable_scope(scope or "attention_decoder", dtype=dtype) as entered:
        attention = _Attention(attention_states, num_heads)
        state = initial_state
        outputs: list[Any] = []
        seen = attention.first(shape_of(decoder_inputs[0])[0])
        if initial_state_attention:
            seen = attention(initial_state)
        for number, given in enumerate(decoder_inputs):
            if number:
                entered.reuse_variables()
            if loop_function is not None and outputs:
                with variable_scope("loop_function", reuse=True):
                    given = loop_function(outputs[-1], number)
            output, state = cell(dense_of([given, *seen], given.shape.as_list()[1]), state)
            with variable_scope(entered, reuse=True if initial_state_attention else None, auxiliary_name_scope=False):
                seen = attention(state)
            with variable_scope("AttnOutputProjection"):
                outputs.append(dense_of([output, *seen], size))
        return outputs, state


@export(v1="contrib.legacy_seq2seq.embedding_attention_decoder")
def embedding_attention_decoder(
    decoder_inputs: Steps,
    initial_state: Any,
    attention_states: TensorLike,
    cell: Any,
    num_symbols: int,
    embedding_size: int,
    num_heads: int = 1,
    output_size: int | None = None,
    output_projection: tuple[TensorLike, TensorLike] | None = None,
    feed_previous: bool = False,
    update_embedding_for_previous: bool = True,
    dtype: DTypeLike | None = None,
    scope: str | VariableScope | None = None,
    initial_state_attention: bool = False,
) -> tuple[list[Any], Any]:
    """`attention_decoder` over ids; arguments as there and as `embedding_rnn_decoder`.

    >>> with tf1.Graph().as_default():
    ...     cell, ids = tf1.contrib.rnn.GRUCell(4), [tf1.constant([1, 2])] * 3
    ...     state, seen = cell.zero_state(2, tf1.float32), tf1.zeros([2, 6, 5])
    ...     outputs, _ = tf1.contrib.legacy_seq2seq.embedding_attention_decoder(ids, state, seen, cell, 10, 6)
    ...     outputs[0].shape
    TensorShape([2, 4])
    """
    with variable_scope(scope or "embedding_attention_decoder", dtype=dtype):
        embedding = get_variable("embedding", [num_symbols, embedding_size])
        loop = feed_back(embedding, output_projection, update_embedding_for_previous) if feed_previous else None
        rows = [embedding_lookup(embedding, ids) for ids in decoder_inputs]
        return attention_decoder(
            rows, initial_state, attention_states, cell, output_size, num_heads, loop, initial_state_attention=initial_state_attention
        )


@export(v1="contrib.legacy_seq2seq.embedding_attention_seq2seq")
def embedding_attention_seq2seq(
    encoder_inputs: Steps,
    decoder_inputs: Steps,
    cell: Any,
    num_encoder_symbols: int,
    num_decoder_symbols: int,
    embedding_size: int,
    num_heads: int = 1,
    output_projection: tuple[TensorLike, TensorLike] | None = None,
    feed_previous: TensorLike = False,
    dtype: DTypeLike | None = None,
    scope: str | VariableScope | None = None,
    initial_state_attention: bool = False,
) -> tuple[list[Any], Any]:
    """`embedding_rnn_seq2seq` whose decoder looks at the outputs of the encoder.

    >>> with tf1.Graph().as_default():
    ...     ids = [tf1.constant([1, 2])] * 3
    ...     logits, _ = tf1.contrib.legacy_seq2seq.embedding_attention_seq2seq(ids, ids, tf1.contrib.rnn.GRUCell(4), 10, 12, 6)
    ...     logits[0].shape
    TensorShape([2, 12])
    """
    with variable_scope(scope or "embedding_attention_seq2seq", dtype=dtype) as entered:
        encoder = EmbeddingWrapper(copy.deepcopy(cell), num_encoder_symbols, embedding_size)
        outputs, state = static_rnn(encoder, encoder_inputs, dtype=entered.dtype)
        states = concat([reshape(y, [-1, 1, cell.output_size]) for y in outputs], 1)
        decoder, size = cell, None
        if output_projection is None:
            decoder, size = OutputProjectionWrapper(cell, num_decoder_symbols), num_decoder_symbols

        def decode(feed: bool) -> tuple[list[Any], Any]:
            return embedding_attention_decoder(
                decoder_inputs, state, states, decoder, num_decoder_symbols, embedding_size, num_heads, size, output_projection, feed,
                initial_state_attention=initial_state_attention,
            )  # fmt: skip

        return decode_either_way(feed_previous, decode)
