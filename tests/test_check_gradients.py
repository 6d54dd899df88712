"""`check_gradients`: what it passes, and what it says of a wrong derivative."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pullback as tf

RANDOM = np.random.default_rng(2)
RIGHT: dict[str, tuple[Callable[[Any], Any], Any, str]] = {
    "analytic": (lambda x: tf.sin(x) * x, np.array([1.0, 2.0]), "complex step"),
    "a product of matrices": (lambda x: tf.matmul(x, x, transpose_b=True), RANDOM.normal(size=(3, 4)), "complex step"),
    "maximum": (lambda x: tf.maximum(x, 0.5) * x, np.array([1.0, 2.0]), "differences"),
    "real and imaginary parts": (lambda x: tf.math.imag(tf.complex(x, x) ** 2), np.array([1.0, 2.0]), "differences"),
    "a function that is zero": (lambda x: tf.math.real(tf.complex(x, x) ** 2), np.array([1.0, 2.0]), "differences"),
    "complex numbers": (lambda z: tf.abs(z) ** 2 + tf.math.real(z), np.array([1.0 + 2.0j, 3.0]), "differences"),
    "singular values": (lambda x: tf.linalg.svd(x, compute_uv=False), RANDOM.normal(size=(3, 3)), "differences"),
    "single precision": (lambda x: tf.tanh(x), np.float32([0.1, 0.2]), "differences"),
    "structures": (lambda p: {"y": p["a"] * p["b"][0], "n": tf.constant(3)}, {"a": np.ones(3), "b": [np.ones(3)]}, "complex step"),
    "linear": (lambda x: 3.0 * x, np.array(1.0), "complex step"),
    "a function": (tf.function(lambda x: tf.exp(x) / (1.0 + x * x)), np.array([0.3, 0.4]), "complex step"),
    "nothing connected": (lambda p: p[0] * 2.0, [np.ones(2), np.ones(2)], "complex step"),
}


@pytest.mark.parametrize("name", RIGHT)
def test_right_derivatives_pass(name: str) -> None:
    f, x, method = RIGHT[name]
    verdict = tf.check_gradients(f, x)
    assert verdict, str(verdict)
    assert verdict.method == method
    assert verdict.checks == ("reverse mode", "forward mode", "second order")
    assert "agree" in str(verdict)


def test_a_complex_step_is_exact() -> None:
    assert tf.check_gradients(lambda x: tf.exp(tf.sin(x)) * x, RANDOM.normal(size=20), order=1, tolerance=1e-13)


@tf.custom_gradient
def cube(x: Any) -> Any:
    """A wrong slope at the element of index 2."""
    return x**3, lambda g: g * 3.0 * x**2 * tf.constant(np.where(np.arange(4) == 2, 0.5, 1.0))


def test_a_wrong_element_is_named() -> None:
    verdict = tf.check_gradients(lambda p: cube(p["a"][1]) + p["b"], {"a": [np.ones(3), np.full(4, 2.0)], "b": np.zeros(4)})
    assert not verdict
    assert verdict.check == "reverse mode"
    assert verdict.source == "x['a'][1]"
    assert verdict.element == (2,)
    assert verdict.derivative == pytest.approx(6.0)
    assert verdict.expected == pytest.approx(12.0)
    assert str(verdict) == "wrong: reverse mode, source x['a'][1], element (2,): the derivative is 6, by complex step 12"


def test_a_derivative_of_nan_is_wrong() -> None:
    verdict = tf.check_gradients(lambda x: tf.where(x > 0.0, tf.math.log(x), 0.0), np.array([1.0, 0.0]), order=1)
    assert not verdict
    assert verdict.element == (1,)


def test_a_wrong_second_derivative_is_found() -> None:
    @tf.custom_gradient
    def f(x: Any) -> Any:
        frozen = tf.stop_gradient(x)
        return x**3, lambda g: g * 3.0 * frozen**2

    assert tf.check_gradients(f, np.array([1.0, 2.0]), order=1)
    verdict = tf.check_gradients(f, np.array([1.0, 2.0]))
    assert not verdict
    assert verdict.check == "second order"


def test_forward_mode_is_checked_by_itself() -> None:
    from pullback.ir.op import OPS
    from pullback.transforms.tangents import forward_rule

    sin = OPS["Sin"]
    rule = sin.jvp
    object.__setattr__(sin, "jvp", lambda node, given: [given[0]])  # records are frozen
    forward_rule.cache_clear()
    try:
        verdict = tf.check_gradients(tf.sin, np.array([1.0, 2.0]))
    finally:
        object.__setattr__(sin, "jvp", rule)
        forward_rule.cache_clear()
    assert not verdict
    assert verdict.check == "forward mode"


def test_what_is_refused() -> None:
    with pytest.raises(TypeError, match="int64"):
        tf.check_gradients(lambda x: x, np.array([1, 2]))
    with pytest.raises(ValueError, match="order must be 1 or 2"):
        tf.check_gradients(lambda x: x, np.array([1.0]), order=3)
    with pytest.raises(ValueError, match="nothing in the result is floating"):
        tf.check_gradients(lambda x: tf.cast(x, tf.int32), np.array([1.0]))


@pytest.mark.parametrize("order", ["C", "F"])
def test_the_element_at_fault_is_found_in_arrays_of_any_order(order: str) -> None:
    @tf.custom_gradient
    def wrong(x: Any) -> Any:
        return x * x, lambda g: g * (2.0 * x + tf.constant([[0.0, 0.0, 0.0], [0.0, 1.0, 0.0]], tf.float64))

    point = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], order=order)  # type: ignore[call-overload]
    verdict = tf.check_gradients(lambda x: wrong(x) if order == "C" else tf.transpose(wrong(x)), point)
    assert not verdict
    assert verdict.element == (1, 1)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_function_of_nothing_that_reads_variables(dtype: Any) -> None:
    v, w = tf.Variable(np.array([1.0, 2.0], dtype)), tf.Variable(np.array(3.0, dtype))
    assert tf.check_gradients(lambda: tf.reduce_sum(v**2) * w, {"v": v, "w": w})
    assert v.numpy().tolist() == [1.0, 2.0] and w.numpy() == 3.0

    @tf.custom_gradient
    def square(x: Any) -> Any:
        return x**2, lambda g: g * 3.0 * x

    verdict = tf.check_gradients(lambda: square(tf.convert_to_tensor(v)), [v], order=1)
    assert not verdict and verdict.check == "reverse mode" and verdict.source == "x[0]"
    assert v.numpy().tolist() == [1.0, 2.0]
    with pytest.raises(TypeError, match="int32"):
        tf.check_gradients(lambda: tf.reduce_sum(v), tf.Variable([1, 2]))
