"""Smaller public names: templates, older scopes, gradients of convolutions by value, initializers as dictionaries, where one is."""

import functools
import threading
from typing import Any

import numpy as np
import pytest

import pullback as tf

v1 = tf.compat.v1


class TestTemplates:
    def scaled(self, x: Any, factor: float = 1.0) -> Any:
        return x * v1.get_variable("w", [], initializer=v1.ones_initializer()) * factor

    def test_calls_share_variables(self) -> None:
        with tf.Graph().as_default() as graph:
            scale = v1.make_template("tm", self.scaled, factor=3.0)
            assert scale.variable_scope is None
            first, second = scale(1.0), scale(2.0)
            other = v1.make_template("tm", self.scaled)(1.0)
            names = [v.name for v in v1.global_variables()]
            with v1.Session(graph=graph) as session:
                session.run(v1.global_variables_initializer())
                values = session.run([first, second, other])
        assert values == [3.0, 6.0, 1.0]
        assert [t.name.partition("/")[0] for t in (first, second, other)] == ["tm", "tm_1", "tm_2"]
        assert names == ["tm/w:0", "tm_1/w:0"]
        assert scale.name == "tm"

    def test_gradient_of_what_is_shared(self) -> None:
        with tf.Graph().as_default() as graph:
            scale = v1.make_template("tm", self.scaled)
            y = scale(2.0) * scale(3.0)
            slopes = v1.gradients(y, v1.global_variables())
            with v1.Session(graph=graph) as session:
                session.run(v1.global_variables_initializer())
                assert session.run(slopes) == [12.0]

    def test_scope_now(self) -> None:
        with tf.Graph().as_default():
            later, now = v1.make_template("a", self.scaled), v1.make_template("a", self.scaled, create_scope_now_=True)
            later(1.0)
            now(1.0)
            assert [now.variable_scope_name, later.variable_scope_name] == ["a/", "a_1/"]
            v1.make_template("a", self.scaled, unique_name_="own")(1.0)
            assert v1.global_variables()[-1].name == "own/w:0"

    def test_bad_input(self) -> None:
        with pytest.raises(ValueError, match="func_ is a function"):
            v1.make_template("tm", None)  # type: ignore[arg-type]
        with tf.Graph().as_default():
            names = iter("ab")
            changing = v1.make_template("tm", lambda: v1.get_variable(next(names), []))
            changing()
            with pytest.raises(ValueError, match="tm/b"):
                changing()


def test_op_scope() -> None:
    with tf.Graph().as_default():
        with v1.op_scope([1.0], None, "dflt") as scope:
            assert (scope, v1.identity(1.0).name) == ("dflt/", "dflt/Identity:0")
        with v1.op_scope([1.0], "nm", "dflt") as scope:
            assert scope == "nm/"


def test_where_one_is() -> None:
    assert not tf.inside_function() and not tf.is_symbolic_tensor(tf.constant(1.0)) and not tf.is_symbolic_tensor(1.0)
    traced = tf.function(lambda x: tf.constant([tf.inside_function(), tf.is_symbolic_tensor(x)]))
    assert traced(tf.constant(1.0)).numpy().tolist() == [True, True]
    with tf.Graph().as_default():
        assert not tf.inside_function() and tf.is_symbolic_tensor(tf.constant(1.0))


def test_gradients_of_a_convolution() -> None:
    x, w = tf.random.stateless_normal([2, 5, 5, 3], [1, 2]), tf.random.stateless_normal([3, 3, 3, 4], [3, 4])
    strided: dict[str, Any] = {"strides": [1, 2, 2, 1], "padding": "SAME"}
    dilated: dict[str, Any] = {"strides": [1] * 4, "padding": "VALID", "dilations": [1, 2, 2, 1]}
    for options in (strided, dilated):
        with tf.GradientTape() as tape:
            tape.watch([x, w])
            y = tf.nn.conv2d(x, w, **options)
        of_x, of_w = tape.gradient(y, [x, w], output_gradients=tf.sin(y))
        np.testing.assert_allclose(tf.conv2d_backprop_input_v2(x, w, tf.sin(y), **options), of_x, rtol=1e-6)
        np.testing.assert_allclose(tf.conv2d_backprop_filter_v2(x, w, tf.sin(y), **options), of_w, rtol=1e-6)


def test_resources_of_ones_own() -> None:
    class Demo(tf.saved_model.experimental.TrackableResource):
        def __init__(self) -> None:
            super().__init__()
            self._initialize()

        def _create_resource(self) -> Any:
            return tf.raw_ops.VarHandleOp(dtype=tf.float32, shape=[2])

        def _initialize(self) -> None:
            tf.raw_ops.AssignVariableOp(resource=self.resource_handle, value=tf.ones([2]))

    demo = Demo()
    assert demo.resource_handle is demo.resource_handle
    assert tf.raw_ops.ReadVariableOp(resource=demo.resource_handle, dtype=tf.float32).numpy().tolist() == [1.0, 1.0]
    with pytest.raises(NotImplementedError, match="_create_resource not implemented"):
        tf.saved_model.experimental.TrackableResource().resource_handle  # noqa: B018


def test_dropout_asks_for_numbers_by_name() -> None:
    sampler = functools.partial(tf.random.stateless_uniform, seed=[1, 2])
    x = tf.ones([4])
    assert (
        tf.nn.experimental.general_dropout(x, 0.5, sampler).numpy().tolist()
        == tf.nn.experimental.stateless_dropout(x, 0.5, [1, 2]).numpy().tolist()
    )


def test_two_threads_may_be_in_one_object_of_a_name_scope() -> None:
    scope, first, second = tf.name_scope("layer"), threading.Event(), threading.Event()
    found: list[str] = []

    def stay(entered: threading.Event, leaves: threading.Event) -> None:
        with scope as name:
            entered.set()
            assert leaves.wait(30)
        found.append(name)

    one = threading.Thread(target=stay, args=(first, second))
    one.start()
    assert first.wait(30)
    with scope as name:
        second.set()
        one.join()  # it leaves first, and what it leaves is what was entered last
        found.append(name)
    assert found == ["layer/", "layer/"]
