"""TensorFlow 1's ref variables in a session: what a read waits for, what a fetch shows, how shapes print. Values as TensorFlow 2.21's."""

from collections.abc import Iterator

import pytest

import pullback.compat.v1 as tf
from pullback.interop.behavior import disable_v2_behavior


@pytest.fixture(autouse=True)
def _first_face() -> Iterator[None]:
    disable_v2_behavior()
    with tf.Graph().as_default():
        yield


def test_a_read_in_a_control_dependencies_block_waits() -> None:
    x = tf.Variable(1.0)
    with tf.control_dependencies([tf.assign_add(x, 1.0)]):
        seen, doubled = tf.identity(x), x * 2.0
    slope = tf.gradients(doubled, x)[0]
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        assert sess.run(seen) == 2.0
        assert sess.run(doubled) == 6.0
        assert sess.run(slope) == 2.0


def test_a_block_that_forgets_dependencies_reads_the_snapshot() -> None:
    x = tf.Variable(1.0)
    with tf.control_dependencies([tf.assign_add(x, 1.0)]), tf.control_dependencies(None):
        assert x.value() is x.value()


def test_a_fetched_variable_shows_what_the_run_left_in_it() -> None:
    x, step = tf.Variable(1.0), tf.Variable(0, trainable=False)
    train = tf.train.GradientDescentOptimizer(0.1).minimize(x * x, global_step=step)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        _, at, value = sess.run([train, step, x])
        assert at == 1
        assert value == pytest.approx(0.8)
        assert sess.run([step, train])[0] == 2


def test_a_fed_variable_shows_what_it_was_fed() -> None:
    x = tf.Variable(1.0)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        assert sess.run([x, x.assign(5.0).op], {x.value(): 9.0})[0] == 9.0


def test_a_resource_variable_is_read_where_its_read_stands() -> None:
    x = tf.Variable(1.0, use_resource=True)
    before = x.read_value()
    with tf.control_dependencies([before]):
        change = x.assign(5.0)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        assert sess.run([before, change.op])[0] == 1.0


def test_unknown_dimensions_print_as_question_marks() -> None:
    assert str(tf.placeholder(tf.float32, [None, 4])) == 'Tensor("Placeholder:0", shape=(?, 4), dtype=float32)'
    assert str(tf.placeholder(tf.float32)) == 'Tensor("Placeholder_1:0", dtype=float32)'
    assert repr(tf.placeholder(tf.float32, [None])) == "<tf.Tensor 'Placeholder_2:0' shape=(?,) dtype=float32>"


def test_initialized_value_is_the_value_once_there_is_one() -> None:
    with tf.Graph().as_default(), tf.Session() as session:
        v = tf.Variable(1.0)
        w = tf.Variable(v.initialized_value() * 2.0)
        value = v.initialized_value()
        session.run(tf.global_variables_initializer())
        assert session.run(w) == 2.0
        session.run(v.assign(8.0))
        assert session.run(value) == 8.0


def test_a_session_forgets_the_oldest_of_very_many_plans() -> None:
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, None)
        for k in range(600):
            assert session.run(x + float(k), {x: 1.0}) == k + 1
        assert len(session._plans) <= 512


def test_variables_of_subclasses_are_refused() -> None:
    class Named(tf.Variable):
        pass

    class Scaled(tf.Variable):
        def __init__(self, value: float, by: float) -> None:
            super().__init__(value * by)

    for make in (lambda: Named(1.0), lambda: Scaled(1.0, 2.0), lambda: Scaled(1.0, by=2.0)):
        with pytest.raises(NotImplementedError, match="is a subclass of"):
            make()


def test_a_gradient_of_a_gradient_that_reads_a_loop_is_the_derivative() -> None:
    """TensorFlow 2.21 gives zeros where control flow is TensorFlow 1's."""
    v = tf.get_variable("v", initializer=tf.constant([0.3, -0.2]))
    x = tf.constant([0.5, -1.1, 0.9])
    z = tf.identity(x)
    inner = tf.gradients(tf.map_fn(lambda t: t * v[0], x) * z, z)[0]
    (found,) = tf.gradients(inner, v)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        assert sess.run(found).tolist() == pytest.approx([0.3, 0.0])
