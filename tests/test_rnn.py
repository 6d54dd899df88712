"""Recurrent layers beyond what TensorFlow can be asked: reference variables in loops, eager loops, TensorFlow 2's wrappers."""

from __future__ import annotations

import numpy as np
import pytest

import pullback
import pullback.compat.v1 as tf

X = (np.linspace(-1, 1, 24).reshape(3, 4, 2) ** 3).astype(np.float32)


@pytest.mark.parametrize("use_resource", [True, False])
def test_gradients_reach_variables_that_loops_and_branches_read(use_resource: bool) -> None:
    with tf.Graph().as_default(), tf.Session() as session:
        w = tf.get_variable("w", [2, 2], initializer=tf.ones_initializer(), use_resource=use_resource)
        y = tf.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, tf.matmul(x, w)), (0, tf.ones([1, 2])))[1]
        z = tf.cond(tf.reduce_sum(y) > 0, lambda: tf.matmul(y, w), lambda: y)
        found = tf.gradients(z, w)[0]
        session.run(tf.global_variables_initializer())
        assert session.run(found).tolist() == [[32.0, 32.0], [32.0, 32.0]]


def test_a_variable_may_be_made_in_the_body_of_a_loop() -> None:
    def body(i: object, x: object) -> tuple[object, object]:
        return i + 1, tf.matmul(x, tf.get_variable("w", [2, 2], initializer=tf.ones_initializer()))  # type: ignore[operator]

    with tf.Graph().as_default(), tf.Session() as session:
        y = tf.while_loop(lambda i, x: i < 2, body, (0, tf.ones([1, 2])))[1]
        session.run(tf.global_variables_initializer())
        assert [v.name for v in tf.global_variables()] == ["w:0"]
        assert session.run(y).tolist() == [[4.0, 4.0]]


def test_layers_run_eagerly_and_under_a_tape() -> None:
    cell = tf.nn.rnn_cell.BasicLSTMCell(3)
    x = pullback.constant(X)
    with pullback.GradientTape() as tape:
        tape.watch(x)
        outputs, state = tf.nn.dynamic_rnn(cell, x, sequence_length=[4, 2, 0], dtype=tf.float32)
        y = pullback.reduce_sum(outputs) + pullback.reduce_sum(state.c)
    slope = tape.gradient(y, x)
    assert outputs.shape == (3, 4, 3)
    assert not outputs.numpy()[1, 2:].any()
    assert not slope.numpy()[2].any()
    assert slope.numpy()[0].all()
    assert len(cell.trainable_variables) == 2


def test_wrappers_of_version_2_are_those_of_version_1() -> None:
    cell = tf.nn.rnn_cell.GRUCell(2)
    wrapped = pullback.nn.RNNCellResidualWrapper(pullback.nn.RNNCellDeviceWrapper(pullback.nn.RNNCellDropoutWrapper(cell), "CPU:0"))
    x, state = pullback.ones([1, 2]), cell.zero_state(1, tf.float32)
    plain, _ = cell(x, state)
    output, _ = wrapped(x, state)
    np.testing.assert_allclose(output.numpy(), plain.numpy() + 1.0, rtol=1e-6)


def test_a_state_saver_is_asked_and_told() -> None:
    class Saver:
        def __init__(self) -> None:
            self.saved: dict[str, object] = {}

        def state(self, name: str) -> object:
            return pullback.ones([3, 2])

        def save_state(self, name: str, value: object) -> object:
            self.saved[name] = value
            return pullback.constant(0)

    saver, cell = Saver(), tf.nn.rnn_cell.GRUCell(2)
    outputs, state = tf.nn.static_state_saving_rnn(cell, list(pullback.unstack(pullback.constant(X), axis=1)), saver, "s")
    expected, last = tf.nn.static_rnn(cell, list(pullback.unstack(pullback.constant(X), axis=1)), initial_state=pullback.ones([3, 2]))
    assert np.array_equal(outputs[-1], expected[-1])
    assert np.array_equal(saver.saved["s"], last)
    assert np.array_equal(state, last)
