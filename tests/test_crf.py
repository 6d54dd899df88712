"""`tf.contrib.crf` against all sequences of tags, one by one."""

import itertools

import numpy as np
import pytest

import pullback
from pullback.compat import v1 as tf

LENGTHS = [4, 2, 1]
RNG = np.random.default_rng(3)
INPUTS, TRANSITIONS = RNG.normal(size=(3, 4, 3)), RNG.normal(size=(3, 3))
TAGS = RNG.integers(0, 3, (3, 4))


def _score(example: int, tags: tuple[int, ...]) -> float:
    potentials = sum(INPUTS[example, i, tag] for i, tag in enumerate(tags))
    return float(potentials + sum(TRANSITIONS[a, b] for a, b in itertools.pairwise(tags)))


def _all(example: int) -> dict[tuple[int, ...], float]:
    return {tags: _score(example, tags) for tags in itertools.product(range(3), repeat=LENGTHS[example])}


def test_the_likelihood_is_the_share_of_all_sequences() -> None:
    found, transitions = tf.contrib.crf.crf_log_likelihood(INPUTS, TAGS, LENGTHS, TRANSITIONS)
    expected = [_score(i, tuple(TAGS[i, :n])) - np.log(sum(np.exp(list(_all(i).values())))) for i, n in enumerate(LENGTHS)]
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    assert transitions is TRANSITIONS


def test_the_best_sequence_is_the_best_of_all() -> None:
    tags, scores = tf.contrib.crf.crf_decode(INPUTS, TRANSITIONS, LENGTHS)
    for i, n in enumerate(LENGTHS):
        every = _all(i)
        best = max(every, key=every.__getitem__)
        assert tags[i].numpy().tolist() == [*best, *[0] * (4 - n)]
        assert float(scores[i]) == pytest.approx(every[best])
        found, score = tf.contrib.crf.viterbi_decode(INPUTS[i, :n], TRANSITIONS)
        assert (tuple(found), score) == (best, pytest.approx(every[best]))


def test_an_example_of_no_steps_counts_for_nothing() -> None:
    found, _ = tf.contrib.crf.crf_log_likelihood(INPUTS, TAGS, [0, 4, 4], TRANSITIONS)
    assert float(found[0]) == 0.0


def test_gradients_are_differences_of_expectations() -> None:
    """The slope by a potential is whether the tag is there, less its probability."""
    inputs = pullback.constant(INPUTS)
    with pullback.GradientTape() as tape:
        tape.watch(inputs)
        likelihood, _ = tf.contrib.crf.crf_log_likelihood(inputs, TAGS, LENGTHS, TRANSITIONS)
    every = _all(0)
    total = sum(np.exp(list(every.values())))
    expected = np.zeros([4, 3])
    for tags, score in every.items():
        for i, tag in enumerate(tags):
            expected[i, tag] -= np.exp(score) / total
    expected[range(4), TAGS[0]] += 1
    np.testing.assert_allclose(tape.gradient(likelihood, inputs)[0], expected, atol=1e-12)


def test_a_tagger_learns_in_a_session() -> None:
    """As programs have it: lengths and tags are fed, the transitions are a variable."""
    with tf.Graph().as_default(), tf.Session() as session:
        x, y, n = tf.placeholder(tf.float32, [None, None, 3]), tf.placeholder(tf.int32, [None, None]), tf.placeholder(tf.int32, [None])
        likelihood, transitions = tf.contrib.crf.crf_log_likelihood(tf.layers.dense(x, 3), y, n)
        loss = tf.reduce_mean(-likelihood)
        step = tf.train.AdamOptimizer(0.3).minimize(loss)
        tf.get_variable_scope().reuse_variables()
        tags, _ = tf.contrib.crf.crf_decode(tf.layers.dense(x, 3, name="dense"), transitions, n)
        session.run(tf.global_variables_initializer())
        feed = {x: np.eye(3)[TAGS], y: TAGS, n: LENGTHS}
        before = session.run(loss, feed)
        for _ in range(40):
            session.run(step, feed)
        assert transitions.op.name == "transitions" and session.run(loss, feed) < 0.1 * before
        assert [row[:k].tolist() for row, k in zip(session.run(tags, feed), LENGTHS, strict=True)] == [
            row[:k].tolist() for row, k in zip(TAGS, LENGTHS, strict=True)
        ]
