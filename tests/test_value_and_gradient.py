"""`value_and_gradient` of functions of several arguments, `argnums` and `has_aux`, and Python's floats beside other dtypes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import pullback as tf


def f(a: Any, b: Any, k: int = 2) -> Any:
    return tf.reduce_sum(a * b**k)


def test_several_arguments_have_a_gradient_each() -> None:
    value, gradients = tf.value_and_gradient(f, tf.constant([1.0, 2.0]), {"x": tf.constant(3.0)}["x"])
    assert value.numpy() == 27.0
    assert isinstance(gradients, tuple)
    np.testing.assert_array_equal(gradients[0], [9, 9])
    assert gradients[1].numpy() == 18.0


@pytest.mark.parametrize(("argnums", "expected"), [(0, 9.0), (1, 12.0), (-2, 12.0), ((1, 0), (12.0, 9.0)), ([0], (9.0,))])
def test_argnums(argnums: Any, expected: Any) -> None:
    gradient = tf.value_and_gradient(f, 2.0, 3.0, 2, argnums=argnums)[1]
    assert tf.nest.map_structure(float, gradient) == expected


def test_what_is_no_source_may_be_anything() -> None:
    def loss(w: Any, words: list[str], settings: Any) -> Any:
        return w * len(words) if settings is marker else None

    marker = object()
    assert tf.value_and_gradient(loss, 2.0, ["a", "b"], marker, argnums=0)[1].numpy() == 2.0


def test_aux_comes_beside_the_value() -> None:
    (value, aux), gradient = tf.value_and_gradient(lambda x: (x * x, {"twice": 2.0 * x, "text": "t"}), 3.0, has_aux=True)
    assert (value.numpy(), aux["twice"].numpy(), aux["text"], gradient.numpy()) == (9.0, 6.0, "t", 6.0)


def test_in_a_function_and_to_second_order() -> None:
    @tf.function
    def step(a: Any, b: Any) -> Any:
        return tf.value_and_gradient(lambda a, b: (a * b * b, a + b), a, b, argnums=1, has_aux=True)

    (value, aux), gradient = step(tf.constant(2.0), tf.constant(3.0))
    assert (value.numpy(), aux.numpy(), gradient.numpy()) == (18.0, 5.0, 12.0)
    assert tf.value_and_gradient(lambda b: tf.value_and_gradient(f, 2.0, b, argnums=1)[1], 3.0)[1].numpy() == 4.0


def test_variables_and_functions_of_nothing() -> None:
    v, w = tf.Variable(2.0), tf.Variable(3.0)
    assert tf.nest.map_structure(float, tf.value_and_gradient(lambda: v * w, [v, w])[1]) == [3.0, 2.0]
    assert tf.nest.map_structure(float, tf.value_and_gradient(lambda: v * w, v, w)[1]) == (3.0, 2.0)


def test_what_is_refused() -> None:
    with pytest.raises(TypeError, match="there is no source"):
        tf.value_and_gradient(f)
    with pytest.raises(ValueError, match="argnums has 2, and the function is given 2 arguments"):
        tf.value_and_gradient(f, 1.0, 2.0, argnums=2)
    with pytest.raises(ValueError, match="returns a pair of its value"):
        tf.value_and_gradient(f, 1.0, 2.0, has_aux=True)
    with tf.Graph().as_default():
        x = tf.constant(1.0)
        with pytest.raises(TypeError, match="argnums and has_aux are for functions"):
            tf.value_and_gradient(x * x, x, argnums=0)


POINT = {"a": 2.0, "b": np.array([1.0, 2.0])}


def cubic(p: Any) -> Any:
    return p["a"] * tf.reduce_sum(p["b"] ** 2)


def test_floats_of_python_take_the_dtype_beside_them() -> None:
    hessian = tf.hessian(cubic, POINT)
    assert hessian["a"]["b"].dtype == tf.float64
    np.testing.assert_array_equal(hessian["a"]["b"], [2, 4])
    assert tf.value_and_gradient(cubic, POINT)[1]["a"].dtype == tf.float64
    assert tf.jvp(cubic, POINT, POINT)[1].dtype == tf.float64
    assert tf.optimize.minimize(lambda p: cubic(p) ** 2, POINT).x["a"].dtype == tf.float64
    assert tf.sparse_hessian(cubic, POINT).shape == (3, 3)


def test_floats_of_python_alone_or_beside_several_dtypes_are_float32() -> None:
    assert tf.value_and_gradient(lambda a: a * a, 2.0)[0].dtype == tf.float32
    mixed = [1.0, tf.constant(2.0), tf.constant(3.0, tf.float64)]
    gradients = tf.value_and_gradient(lambda p: p[0] * p[1] * tf.cast(p[2], tf.float32), mixed)[1]
    assert [g.dtype.name for g in gradients] == ["float32", "float32", "float64"]
