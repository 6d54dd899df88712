"""`tf.init_scope`: out of every function that is built, with the scope of names, without control dependencies and tapes."""

from __future__ import annotations

import pullback as tf


def test_names_keep_their_scope_out_of_functions() -> None:
    names = []

    @tf.function
    def build() -> None:
        with tf.name_scope("a"):
            with tf.init_scope():
                names.append((tf.Variable(1.0, name="v").name, tf.executing_eagerly()))
            with tf.name_scope("b"), tf.init_scope(), tf.name_scope("c"):
                names.append((tf.Variable(1.0, name="v").name, tf.executing_eagerly()))
        with tf.init_scope():
            names.append((tf.Variable(1.0, name="w").name, tf.executing_eagerly()))

    build.get_concrete_function()
    assert names == [("a/v:0", True), ("a/b/c/v:0", True), ("w:0", True)]


def test_a_graph_that_is_no_function_stays() -> None:
    graph = tf.Graph()
    with graph.as_default():
        with tf.name_scope("o"):
            first = tf.constant(1.0, name="c")
            with tf.control_dependencies([first]), tf.init_scope():
                inside = tf.identity(first, name="d")
        assert inside.graph is graph and inside.name == "o/d:0" and inside.op.control_inputs == []
        with tf.name_scope("o"), tf.init_scope():
            assert tf.constant(1.0, name="c").name == "o_1/c:0"
        made = []

        @tf.function
        def inner() -> tf.Tensor:
            with tf.name_scope("i"), tf.init_scope():
                made.append(tf.constant(2.0, name="q"))
            return tf.constant(1.0)

        inner()
        assert made[0].graph is graph and made[0].name == "i/q:0"


def test_tapes_do_not_hear_what_is_in_it() -> None:
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        with tf.init_scope():
            square = x * x
        total = square + 2.0 * x
    assert tape.gradient(total, x).numpy() == 2.0
