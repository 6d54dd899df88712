"""`tf.contrib.legacy_seq2seq`: encoders and decoders over lists of steps."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Any

from ...api.initializers import Zeros
from ...api.variable_scope import VariableScope, get_variable, get_variable_scope, variable_scope
from ...base import nest
from ...base.export import export
from ...control.cond import cond
from ...ir.tensor import DTypeLike, Tensor, TensorLike
from ...nn.embedding import embedding_lookup
from ...ops.array.identity import stop_gradient
from ...ops.array.join import concat
from ...ops.linalg.products import matmul
from ...ops.nn.bias import bias_add
from ...ops.search.sort import argmax
from ..rnn.loops import static_rnn
from .rnn import EmbeddingWrapper, OutputProjectionWrapper

Steps = Sequence[Any]
Loop = Callable[[Any, int], Any]


def dense_of(args: list[Any], size: int) -> Tensor:
    """The inputs side by side through a dense layer of the current scope."""
    x = args[0] if len(args) == 1 else concat(args, 1)
    kernel = get_variable("kernel", [x.shape.as_list()[1], size], x.dtype)
    return bias_add(matmul(x, kernel), get_variable("bias", [size], x.dtype, Zeros()))


def feed_back(embedding: Any, projection: Any, update: bool) -> Loop:
    """A function that embeds the likeliest symbol of the step before."""

    def loop(prev: Any, _: int) -> Any:
        if projection is not None:
            prev = bias_add(matmul(prev, projection[0]), projection[1])
        row = embedding_lookup(embedding, argmax(prev, 1))
        return row if update else stop_gradient(row)

    return loop


@export(v1="contrib.legacy_seq2seq.rnn_decoder")
def rnn_decoder(
    decoder_inputs: Steps, initial_state: Any, cell: Any, loop_function: Loop | None = None, scope: str | VariableScope | None = None
) -> tuple[list[Any], Any]:
    """Run a cell over a list of inputs: (outputs, state).

    Args:
        loop_function: (output of the step before, number of the step) -> its input, in place of the one given; the first is always given.

    >>> with tf1.Graph().as_default():
    ...     cell = tf1.contrib.rnn.GRUCell(4)
    ...     outputs, _ = tf1.contrib.legacy_seq2seq.rnn_decoder([tf1.zeros([2, 3])] * 5, cell.zero_state(2, tf1.float32), cell)
    ...     len(outputs), outputs[0].shape
    (5, TensorShape([2, 4]))
    """
    with variable_scope(scope or "rnn_decoder") as entered:
        state = initial_state
        outputs: list[Any] = []
        for number, given in enumerate(decoder_inputs):
            if loop_function is not None and outputs:
                with variable_scope("loop_function", reuse=True):
                    given = loop_function(outputs[-1], number)
            if number:
                entered.reuse_variables()
            output, state = cell(given, state)
            outputs.append(output)
        return outputs, state


@export(v1="contrib.legacy_seq2seq.basic_rnn_seq2seq")
def basic_rnn_seq2seq(
    encoder_inputs: Steps, decoder_inputs: Steps, cell: Any, dtype: DTypeLike = "float32", scope: str | VariableScope | None = None
) -> tuple[list[Any], Any]:
    """A copy of the cell reads the encoder's inputs; the cell begins with its last state: (outputs, state).

    >>> with tf1.Graph().as_default():
    ...     steps = [tf1.zeros([2, 3])] * 4
    ...     outputs, _ = tf1.contrib.legacy_seq2seq.basic_rnn_seq2seq(steps, steps, tf1.contrib.rnn.GRUCell(5))
    ...     len(outputs), len(tf1.trainable_variables())
    (4, 8)
    """
    with variable_scope(scope or "basic_rnn_seq2seq"):
        _, state = static_rnn(copy.deepcopy(cell), encoder_inputs, dtype=dtype)
        return rnn_decoder(decoder_inputs, state, cell)


@export(v1="contrib.legacy_seq2seq.tied_rnn_seq2seq")
def tied_rnn_seq2seq(
    encoder_inputs: Steps,
    decoder_inputs: Steps,
    cell: Any,
    loop_function: Loop | None = None,
    dtype: DTypeLike = "float32",
    scope: str | VariableScope | None = None,
) -> tuple[list[Any], Any]:
    """As `basic_rnn_seq2seq`, with the same variables for both.

    >>> with tf1.Graph().as_default():
    ...     steps = [tf1.zeros([2, 3])] * 4
    ...     outputs, _ = tf1.contrib.legacy_seq2seq.tied_rnn_seq2seq(steps, steps, tf1.contrib.rnn.GRUCell(5))
    ...     len(outputs), len(tf1.trainable_variables())
    (4, 4)
    """
    with variable_scope("combined_tied_rnn_seq2seq"):
        inner = scope or "tied_rnn_seq2seq"
        _, state = static_rnn(cell, encoder_inputs, dtype=dtype, scope=inner)
        get_variable_scope().reuse_variables()
        return rnn_decoder(decoder_inputs, state, cell, loop_function, inner)


@export(v1="contrib.legacy_seq2seq.embedding_rnn_decoder")
def embedding_rnn_decoder(
    decoder_inputs: Steps,
    initial_state: Any,
    cell: Any,
    num_symbols: int,
    embedding_size: int,
    output_projection: tuple[TensorLike, TensorLike] | None = None,
    feed_previous: bool = False,
    update_embedding_for_previous: bool = True,
    scope: str | VariableScope | None = None,
) -> tuple[list[Any], Any]:
    """`rnn_decoder` over ids, for which it looks up rows of a variable "embedding".

    Args:
        output_projection: weights and biases that make logits of an output, where `feed_previous` has to choose a symbol.
        feed_previous: each step but the first reads the likeliest symbol of the one before.

    >>> with tf1.Graph().as_default():
    ...     cell, ids = tf1.contrib.rnn.GRUCell(4), [tf1.constant([1, 2])] * 3
    ...     state = cell.zero_state(2, tf1.float32)
    ...     outputs, _ = tf1.contrib.legacy_seq2seq.embedding_rnn_decoder(ids, state, cell, num_symbols=10, embedding_size=6)
    ...     outputs[0].shape
    TensorShape([2, 4])
    """
    with variable_scope(scope or "embedding_rnn_decoder"):
        embedding = get_variable("embedding", [num_symbols, embedding_size])
        loop = feed_back(embedding, output_projection, update_embedding_for_previous) if feed_previous else None
        return rnn_decoder([embedding_lookup(embedding, ids) for ids in decoder_inputs], initial_state, cell, loop)


@export(v1="contrib.legacy_seq2seq.embedding_rnn_seq2seq")
def embedding_rnn_seq2seq(
    encoder_inputs: Steps,
    decoder_inputs: Steps,
    cell: Any,
    num_encoder_symbols: int,
    num_decoder_symbols: int,
    embedding_size: int,
    output_projection: tuple[TensorLike, TensorLike] | None = None,
    feed_previous: TensorLike = False,
    dtype: DTypeLike | None = None,
    scope: str | VariableScope | None = None,
) -> tuple[list[Any], Any]:
    """`basic_rnn_seq2seq` over ids: (logits of each step, state); outputs of the cell where an `output_projection` is given.

    >>> with tf1.Graph().as_default():
    ...     ids = [tf1.constant([1, 2])] * 3
    ...     logits, _ = tf1.contrib.legacy_seq2seq.embedding_rnn_seq2seq(ids, ids, tf1.contrib.rnn.GRUCell(4), 10, 12, 6)
    ...     logits[0].shape
    TensorShape([2, 12])
    """
    with variable_scope(scope or "embedding_rnn_seq2seq", dtype=dtype) as entered:
        encoder = EmbeddingWrapper(copy.deepcopy(cell), num_encoder_symbols, embedding_size)
        _, state = static_rnn(encoder, encoder_inputs, dtype=entered.dtype)
        decoder = OutputProjectionWrapper(cell, num_decoder_symbols) if output_projection is None else cell

        def decode(feed: bool) -> tuple[list[Any], Any]:
            return embedding_rnn_decoder(decoder_inputs, state, decoder, num_decoder_symbols, embedding_size, output_projection, feed)

        return decode_either_way(feed_previous, decode)


def decode_either_way(feed_previous: Any, decode: Callable[[bool], tuple[list[Any], Any]]) -> tuple[list[Any], Any]:
    """What `decode` gives with its own outputs fed back or not, where a tensor decides with both in a `cond`."""
    if isinstance(feed_previous, bool):
        return decode(feed_previous)
    forms: list[Any] = []

    def branch(feed: bool) -> list[Any]:
        with variable_scope(get_variable_scope(), reuse=True if forms else None):
            found = decode(feed)
        forms.append(found)
        return nest.flatten(found)

    flat = cond(feed_previous, lambda: branch(True), lambda: branch(False))
    outputs, state = nest.pack_sequence_as(forms[0], flat)
    return list(outputs), state
