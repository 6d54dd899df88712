"""`tf.contrib.seq2seq` against what TensorFlow Addons answered (tests/golden/make_seq2seq.py), and what it does not have."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import pullback
from tests.golden import make_seq2seq as given

tf = pullback.compat.v1
seq2seq = tf.contrib.seq2seq
ANSWERS = json.loads(given.TARGET.read_text())


def run(session: Any, fetches: list[Any], feeds: dict[Any, Any] | None = None) -> list[np.ndarray]:
    """The values once the variables are those that were recorded with."""
    session.run(tf.global_variables_initializer())
    for variable in tf.global_variables():
        ends = [key for key in given.variables if variable.op.name.endswith(key)]
        variable.load(given.variables[max(ends, key=len)], session)
    return session.run(fetches, feeds)


def check(name: str, got: list[Any]) -> None:
    assert len(got) == len(ANSWERS[name])
    for value, wanted in zip(got, ANSWERS[name], strict=True):
        wanted = np.asarray(wanted, np.float64)
        assert value.shape == wanted.shape
        np.testing.assert_allclose(value, wanted, rtol=2e-5, atol=3e-6)


@pytest.fixture
def session():
    with tf.Graph().as_default(), tf.Session() as session:
        yield session


@pytest.mark.parametrize("options", given.LOSSES, ids=str)
def test_sequence_loss(session, options) -> None:
    logits = tf.constant(given.logits)
    loss = seq2seq.sequence_loss(logits, given.targets, given.weights, *map(bool, options))
    check(f"loss {options}", session.run([loss, tf.gradients(loss, logits)[0]]))


@pytest.mark.parametrize("placeholders", [False, True], ids=["constants", "placeholders"])
@pytest.mark.parametrize("impute", [False, True], ids=["", "imputed"])
@pytest.mark.parametrize("name", given.ATTENTIONS)
def test_attention(session, name, impute, placeholders) -> None:
    feeds = {}

    def take(array: np.ndarray) -> Any:
        if not placeholders:
            return tf.constant(array)
        place = tf.placeholder(array.dtype, [None, None, *array.shape[2:]][: array.ndim])
        feeds[place] = array
        return place

    kind, options = given.ATTENTIONS[name]
    attention = getattr(seq2seq, kind)(given.UNITS, take(given.memory), take(given.memory_lengths), **options)
    cell = seq2seq.AttentionWrapper(tf.nn.rnn_cell.BasicLSTMCell(given.UNITS), attention, given.SEEN, alignment_history=True)
    inputs = take(given.inputs)
    helper = seq2seq.TrainingHelper(inputs, take(given.lengths))
    state = cell.zero_state(tf.shape(inputs)[0] if placeholders else given.BATCH, tf.float32)
    decoder = seq2seq.BasicDecoder(cell, helper, state, tf.layers.Dense(given.SYMBOLS, name="seen"))
    outputs, state, lengths = seq2seq.dynamic_decode(decoder, impute_finished=impute)
    (kernel,) = [v for v in tf.trainable_variables() if v.op.name == "decoder/attention_wrapper/attention_layer/kernel"]
    gradient = tf.gradients(tf.reduce_sum(tf.sin(outputs.rnn_output)), kernel)[0]
    fetches = [outputs.rnn_output, outputs.sample_id, lengths, gradient, state.alignments, state.attention]
    check(f"{name} {impute}", run(session, [*fetches, state.alignment_history.stack(), state.cell_state.h], feeds))


def first_state() -> Any:
    h, c = given.first
    return tf.nn.rnn_cell.LSTMStateTuple(tf.constant(c), tf.constant(h))


@pytest.mark.parametrize("impute", [False, True], ids=["", "imputed"])
def test_greedy(session, impute) -> None:
    helper = seq2seq.GreedyEmbeddingHelper(given.table, given.starts, given.END)
    layer = tf.layers.Dense(given.SYMBOLS, use_bias=False, name="plain")
    decoder = seq2seq.BasicDecoder(tf.nn.rnn_cell.BasicLSTMCell(given.UNITS), helper, first_state(), layer)
    outputs, _, lengths = seq2seq.dynamic_decode(decoder, impute_finished=impute, maximum_iterations=given.MOST)
    check(f"greedy {impute}", run(session, [outputs.rnn_output, outputs.sample_id, lengths]))


@pytest.mark.parametrize("penalty", [0.0, 0.8])
def test_beams(session, penalty) -> None:
    cell, layer = tf.nn.rnn_cell.BasicLSTMCell(given.UNITS), tf.layers.Dense(given.SYMBOLS, use_bias=False, name="plain")
    state = seq2seq.tile_batch(first_state(), given.BEAMS)
    decoder = seq2seq.BeamSearchDecoder(cell, given.table, given.starts, given.END, state, given.BEAMS, layer, penalty)
    outputs, state, lengths = seq2seq.dynamic_decode(decoder, maximum_iterations=given.MOST)
    scores = outputs.beam_search_decoder_output.scores
    check(f"beams {penalty}", run(session, [outputs.predicted_ids, scores, lengths, state.lengths, state.log_probs]))


def test_gather_tree(session) -> None:
    check("tree", [session.run(seq2seq.gather_tree(given.steps, given.parents, [6, 4], 2))])


def test_scheduled_sampling(session) -> None:
    """A probability of 1 goes on with what was drawn, one of 0 with what is given."""
    peaks = tf.one_hot([[2, 3]] * given.BATCH, given.SYMBOLS, 100.0)[:, 0]
    for probability, wanted in ((1.0, given.table[2]), (0.0, given.inputs[0, 1])):
        helper = seq2seq.ScheduledEmbeddingTrainingHelper(given.inputs, given.lengths, given.table, probability)
        _, following, _ = helper.next_inputs(0, peaks, (), helper.sample(0, peaks, ()))
        np.testing.assert_allclose(session.run(following)[0], wanted)
    beside = seq2seq.ScheduledOutputTrainingHelper(given.inputs, given.lengths, 1.0, auxiliary_inputs=given.inputs[:, :, :2])
    _, following, _ = beside.next_inputs(0, tf.ones([given.BATCH, given.DEPTH]), (), tf.ones([given.BATCH], tf.int32))
    np.testing.assert_allclose(session.run(following)[1], [1, 1, 1, 1, *given.inputs[1, 1, :2]])


def test_two_mechanisms(session) -> None:
    make = lambda: seq2seq.LuongAttention(given.UNITS, tf.constant(given.memory))
    cell = seq2seq.AttentionWrapper(tf.nn.rnn_cell.GRUCell(given.UNITS), [make(), make()], [3, 4])
    output, state = cell(tf.zeros([given.BATCH, given.DEPTH]), cell.zero_state(given.BATCH, tf.float32))
    assert output.shape == [given.BATCH, 7] and len(state.alignments) == 2
    kernels = [v.op.name for v in tf.trainable_variables() if "attention_layer" in v.op.name]
    assert kernels == ["attention_wrapper/attention_layer/kernel", "attention_wrapper/attention_layer_1/kernel"]


class TestRefused:
    def test_shapes(self, session) -> None:
        with pytest.raises(ValueError, match="Logits must be a tensor of rank 3"):
            seq2seq.sequence_loss(tf.zeros([2, 3]), tf.zeros([2, 3], tf.int32), tf.zeros([2, 3]))
        with pytest.raises(ValueError, match="cannot be set to True at same time"):
            seq2seq.sequence_loss(given.logits, given.targets, given.weights, sum_over_timesteps=True)
        with pytest.raises(ValueError, match="start_tokens must be a vector"):
            seq2seq.GreedyEmbeddingHelper(given.table, 1, 2)
        with pytest.raises(ValueError, match="Incompatible or unknown inner dimensions"):
            seq2seq.LuongAttention(3, given.memory)(tf.zeros([3, 4]), None)

    def test_arguments(self, session) -> None:
        attention = seq2seq.LuongAttention(3, given.memory)
        cell = seq2seq.AttentionWrapper(tf.nn.rnn_cell.GRUCell(3), attention)
        with pytest.raises(ValueError, match="Non-matching batch sizes"):
            cell.zero_state(4, tf.float32)
        with pytest.raises(ValueError, match="exactly one entry per attention_mechanism"):
            seq2seq.AttentionWrapper(tf.nn.rnn_cell.GRUCell(3), attention, [1, 2])
        with pytest.raises(TypeError, match="Expected decoder to be type Decoder"):
            seq2seq.dynamic_decode(cell)
        with pytest.raises(NotImplementedError, match="coverage_penalty_weight"):
            seq2seq.BeamSearchDecoder(cell, given.table, [1], 0, (), 2, coverage_penalty_weight=0.1)
        with pytest.raises(AttributeError, match=r"Instead: tf\.contrib\.seq2seq\.dynamic_decode"):
            _ = seq2seq.dynamic_rnn_decoder
