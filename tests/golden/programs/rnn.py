"""Recurrent layers of TensorFlow 1: names of variables, outputs, states and gradients, for every cell, wrapper and loop."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.golden.programs.kit import Answers, raises

FACE = "v1"
X = (np.linspace(-1, 1, 24).reshape(3, 4, 2) ** 3).astype(np.float32)
LENGTHS = [4, 2, 0]


def _cells(tf: Any) -> Any:
    """`tf.nn.rnn_cell`, which TensorFlow 2.21 has in its public face only beside Keras 2."""
    if "tensorflow" in tf.__name__:
        return importlib.import_module("tensorflow.python.keras.layers.legacy_rnn.rnn_cell_impl")
    return tf.nn.rnn_cell


def _found(tf: Any, layer: Callable[[Any], Any]) -> Callable[[], dict[str, Any]]:
    """The variables' names, what the layer gives, and the gradients of all that with respect to the variables and the input."""

    def answer() -> dict[str, Any]:
        with tf.Graph().as_default(), tf.Session() as session:
            x = tf.constant(X)
            with tf.variable_scope("v", initializer=tf.random_uniform_initializer(-1, 1, seed=3)):
                found = tf.nest.flatten(layer(x))
            variables = tf.trainable_variables()
            gradients = tf.gradients(found, [x, *variables])
            session.run(tf.global_variables_initializer())
            return {"names": [v.name for v in variables], "outputs": session.run(found), "gradients": session.run(gradients)}

    return answer


def _makers(tf: Any) -> dict[str, Callable[[], Any]]:
    c = _cells(tf)
    return {
        "BasicRNNCell": lambda: c.BasicRNNCell(3),
        "BasicRNNCell, relu, named": lambda: c.BasicRNNCell(3, activation=tf.nn.relu, name="mine"),
        "GRUCell": lambda: c.GRUCell(3),
        "BasicLSTMCell": lambda: c.BasicLSTMCell(3),
        "BasicLSTMCell, one state": lambda: c.BasicLSTMCell(3, forget_bias=0.3, state_is_tuple=False),
        "LSTMCell": lambda: c.LSTMCell(3, use_peepholes=True, num_proj=2, cell_clip=0.3, proj_clip=0.2, forget_bias=0.5),
        "LSTMCell, one state": lambda: c.LSTMCell(3, num_proj=2, state_is_tuple=False),
        "MultiRNNCell": lambda: c.MultiRNNCell([c.GRUCell(3), c.BasicLSTMCell(2)]),
        "ResidualWrapper": lambda: c.ResidualWrapper(c.GRUCell(2)),
        "MultiRNNCell of ResidualWrapper": lambda: c.MultiRNNCell([c.ResidualWrapper(c.BasicLSTMCell(2)) for _ in range(2)]),
        "DropoutWrapper, variational": lambda: c.DropoutWrapper(
            c.GRUCell(3),
            input_keep_prob=0.6,
            output_keep_prob=0.5,
            state_keep_prob=0.7,
            seed=5,
            variational_recurrent=True,
            input_size=2,
            dtype=tf.float32,
        ),
    }


def dynamic(tf: Any) -> Answers:
    """In a loop, with and without lengths."""
    makers = _makers(tf)
    answers = {
        name: _found(tf, lambda x, make=make: tf.nn.dynamic_rnn(make(), x, sequence_length=LENGTHS, dtype=tf.float32))
        for name, make in makers.items()
    }
    whole = {
        f"{name}, all steps": _found(tf, lambda x, name=name: tf.nn.dynamic_rnn(makers[name](), x, dtype=tf.float32))
        for name in ("GRUCell", "LSTMCell")
    }
    return answers | whole


def static(tf: Any) -> Answers:
    """Step by step."""
    c = _cells(tf)
    makers = _makers(tf)
    makers["DropoutWrapper"] = lambda: c.DropoutWrapper(
        c.BasicLSTMCell(3), input_keep_prob=0.6, output_keep_prob=0.5, state_keep_prob=0.7, seed=5
    )

    def layer(make: Any) -> Any:
        return lambda x: tf.nn.static_rnn(make(), tf.unstack(x, axis=1), sequence_length=LENGTHS, dtype=tf.float32)

    return {name: _found(tf, layer(make)) for name, make in makers.items()}


def both_ways(tf: Any) -> Answers:
    c = _cells(tf)
    return {
        "dynamic, lengths": _found(
            tf,
            lambda x: tf.nn.bidirectional_dynamic_rnn(c.GRUCell(3), c.BasicLSTMCell(3), x, sequence_length=LENGTHS, dtype=tf.float32),
        ),
        "dynamic": _found(tf, lambda x: tf.nn.bidirectional_dynamic_rnn(c.GRUCell(3), c.GRUCell(3), x, dtype=tf.float32)),
        "static, lengths": _found(
            tf,
            lambda x: tf.nn.static_bidirectional_rnn(
                c.GRUCell(3), c.BasicLSTMCell(3), tf.unstack(x, axis=1), sequence_length=LENGTHS, dtype=tf.float32
            ),
        ),
    }


def arguments(tf: Any) -> Answers:
    c = _cells(tf)

    def twice(x: Any) -> Any:
        first = tf.nn.dynamic_rnn(c.GRUCell(3), x, dtype=tf.float32, scope="one")
        return first[0], tf.nn.dynamic_rnn(c.GRUCell(3), x, dtype=tf.float32, scope="two")[0]

    def shared(x: Any) -> Any:
        first = tf.nn.dynamic_rnn(c.GRUCell(3), x, dtype=tf.float32)
        with tf.variable_scope(tf.get_variable_scope(), reuse=True):
            return first[0], tf.nn.dynamic_rnn(c.GRUCell(3), x, dtype=tf.float32)[0]

    def clash(x: Any) -> Any:
        tf.nn.dynamic_rnn(c.GRUCell(3), x, dtype=tf.float32)
        return tf.nn.dynamic_rnn(c.GRUCell(3), x, dtype=tf.float32)

    def direct(x: Any) -> Any:
        cell = c.BasicLSTMCell(3)
        first, state = cell(x[:, 0], cell.zero_state(3, tf.float32))
        return first, cell(x[:, 1], state)

    def steps_first(x: Any) -> Any:
        return tf.nn.dynamic_rnn(c.GRUCell(3), tf.transpose(x, [1, 0, 2]), LENGTHS, dtype=tf.float32, time_major=True, scope="S")

    return {
        "steps first": _found(tf, steps_first),
        "initial state": _found(tf, lambda x: tf.nn.dynamic_rnn(c.GRUCell(3), x, initial_state=tf.ones([3, 3]))),
        "two scopes": _found(tf, twice),
        "shared": _found(tf, shared),
        "a cell called twice": _found(tf, direct),
        "the same names": raises(lambda: clash(tf.constant(X))),
        "neither state nor dtype": raises(lambda: tf.nn.dynamic_rnn(c.GRUCell(3), tf.constant(X)), "dtype"),
        "no cell": raises(lambda: tf.nn.dynamic_rnn(3, tf.constant(X), dtype=tf.float32)),
        "no cells": raises(lambda: c.MultiRNNCell([]), "at least one cell"),
        "a probability above 1": raises(lambda: c.DropoutWrapper(c.GRUCell(3), input_keep_prob=1.5), "input_keep_prob"),
        "no inputs": raises(lambda: tf.nn.static_rnn(c.GRUCell(3), [], dtype=tf.float32), "must not be empty"),
    }


def own_cells(tf: Any) -> Answers:
    """Cells that programs write themselves, in both styles, and a loop that a function steers."""
    c = _cells(tf)

    class Mine(c.RNNCell):  # type: ignore[misc, name-defined]  # known only when it runs
        @property
        def state_size(self) -> int:
            return 3

        @property
        def output_size(self) -> int:
            return 2

        def __call__(self, inputs: Any, state: Any, scope: Any = None) -> Any:
            with tf.variable_scope(scope or "mine"):
                return self.call(inputs, state)

        def call(self, inputs: Any, state: Any) -> Any:
            w, p = tf.get_variable("w", [5, 3]), tf.get_variable("p", [3, 2])
            new = tf.tanh(tf.matmul(tf.concat([inputs, state], 1), w))
            return tf.matmul(new, p), new

    class Called(Mine):
        def __call__(self, inputs: Any, state: Any, scope: Any = None) -> Any:
            return c.RNNCell.__call__(self, inputs, state, scope)

    def steered(x: Any) -> Any:
        cell, inputs = c.GRUCell(3), tf.TensorArray(tf.float32, 4).unstack(tf.transpose(x, [1, 0, 2]))

        def step(time: Any, output: Any, state: Any, unused: Any) -> Any:
            finished = time >= tf.constant([4, 2, 1])
            given = tf.cond(tf.reduce_all(finished), lambda: tf.zeros([3, 2]), lambda: inputs.read(time))
            given.set_shape([3, 2])
            return finished, given, cell.zero_state(3, tf.float32) if output is None else state, output, None

        emitted, state, _ = tf.nn.raw_rnn(cell, step)
        return emitted.stack(), state

    return {
        "call overridden": _found(tf, lambda x: tf.nn.dynamic_rnn(Mine(), x, sequence_length=LENGTHS, dtype=tf.float32)),
        "call overridden, step by step": _found(tf, lambda x: tf.nn.static_rnn(Mine(), tf.unstack(x, axis=1), dtype=tf.float32)),
        "call given": _found(tf, lambda x: tf.nn.dynamic_rnn(Called(), x, sequence_length=LENGTHS, dtype=tf.float32)),
        "raw_rnn": _found(tf, steered),
    }
