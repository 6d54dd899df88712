"""Where the golden files cannot speak: TensorFlow's gradient is wrong there, or it refuses less clearly.

Gradients are held against differences along random directions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pullback as tf

Array = np.ndarray[Any, Any]


def _slope(f: Callable[[Any], Any], x: Array, u: Array, v: Array, eps: float = 1e-6) -> float:
    """Re <u, J v> by central differences."""
    step = (f(tf.constant(x + eps * v)).numpy() - f(tf.constant(x - eps * v)).numpy()) / (2 * eps)
    return float(np.sum(np.conj(u) * step).real)


def _random(rng: np.random.Generator, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
    real = rng.normal(size=shape)
    return (real + 1j * rng.normal(size=shape)).astype(dtype) if dtype.kind == "c" else real.astype(dtype)


def _check(f: Callable[[Any], Any], x: Array) -> None:
    rng = np.random.default_rng(0)
    given = tf.constant(x)
    with tf.GradientTape() as tape:
        tape.watch(given)
        y = f(given)
    for _ in range(3):
        u, v = _random(rng, tuple(y.shape), x.dtype), _random(rng, x.shape, x.dtype)
        with tf.GradientTape() as tape:
            tape.watch(given)
            y = f(given)
        gradient = tape.gradient(y, given, output_gradients=tf.constant(u)).numpy()
        assert float(np.sum(np.conj(gradient) * v).real) == pytest.approx(_slope(f, x, u, v), rel=1e-6, abs=1e-8)


@pytest.mark.parametrize("exclusive", [False, True])
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize(
    "x",
    [
        np.array([2.0, 0.0, 3.0, -1.5]),
        np.array([0.0, 2.0, 0.0, 5.0]),
        np.zeros(3),
        np.array([1 + 2j, 0.5j, 3 - 1j]),
        np.array([1 + 2j, 0, 3j]),
    ],
    ids=["one zero", "two zeros", "all zeros", "complex", "complex with a zero"],
)
def test_running_product(x: Array, exclusive: bool, reverse: bool) -> None:
    _check(lambda t: tf.math.cumprod(t, exclusive=exclusive, reverse=reverse), x)


def test_running_product_through_a_zero_to_the_second_order() -> None:
    def gradient(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(tf.math.cumprod(x) ** 2)
        return tape.gradient(y, x)

    _check(gradient, np.array([2.0, 0.0, 3.0, 0.0]))


def test_the_spectral_norm_of_complex_matrices_to_the_second_order() -> None:
    def gradient(parts: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(parts)
            y = tf.norm(tf.complex(parts[0], parts[1]), 2, axis=[-2, -1])
        return tape.gradient(y, parts)

    _check(gradient, np.random.default_rng(3).normal(size=(2, 2, 3)))


def test_running_product_known_answer() -> None:
    x = tf.constant([[2.0, 0.0, 3.0]])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.math.cumprod(x, axis=1)
    assert tape.gradient(y, x).numpy().tolist() == [[1.0, 8.0, 0.0]]


@pytest.mark.parametrize("x", [np.array([1 + 2j, 0.5j, 3 - 1j]), np.array([1 + 2j, 0, 3j]), np.array([0.0, 0.0, 2.0])])
def test_segment_products(x: Array) -> None:
    _check(lambda t: tf.math.segment_prod(t, [0, 0, 1]), x)
    _check(lambda t: tf.math.unsorted_segment_prod(t, [1, 0, 1], 2), x)


def test_complex_determinant() -> None:
    rng = np.random.default_rng(1)
    _check(tf.linalg.det, _random(rng, (2, 3, 3), np.dtype(np.complex128)))


def test_complex_singular_vectors_in_a_function_free_of_their_phases() -> None:
    def polar(x: Any) -> Any:
        _, u, v = tf.linalg.svd(x)
        return tf.matmul(u, v, adjoint_b=True)

    rng = np.random.default_rng(2)
    _check(polar, _random(rng, (3, 3), np.dtype(np.complex128)))
    _check(polar, _random(rng, (4, 2), np.dtype(np.complex128)))
    _check(polar, _random(rng, (2, 4), np.dtype(np.complex128)))


def test_complex_qr() -> None:
    def projector(x: Any) -> Any:
        q, _ = tf.linalg.qr(x)
        return tf.matmul(q, q, adjoint_b=True)

    _check(projector, _random(np.random.default_rng(3), (4, 2), np.dtype(np.complex128)))


def test_least_squares_with_a_regulariser_that_is_a_tensor() -> None:
    rng = np.random.default_rng(4)
    side = tf.constant(rng.normal(size=(3, 1)))
    _check(lambda a: tf.linalg.lstsq(a, side, tf.constant(0.3, tf.float64)), rng.normal(size=(3, 5)))


@pytest.mark.parametrize(("k", "size"), [(1, 3), (-2, 4), (0, 2)])
def test_a_matrix_as_small_as_its_diagonal_allows(k: int, size: int) -> None:
    assert tf.linalg.diag([1.0, 2.0], k=k).numpy().tolist() == np.diag([1.0, 2.0], k).tolist()
    with tf.compat.v1.Graph().as_default():
        unknown = tf.compat.v1.placeholder(tf.float32, [None])
        assert tf.linalg.diag(unknown, k=k).shape.as_list() == [None, None]
        assert tf.linalg.diag(tf.constant([1.0, 2.0]), k=k).shape.as_list() == [size, size]


def test_refusals_name_what_was_asked_for() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"sort: axis 4 is out of range for an input of rank 2"):
        tf.sort([[1.0, 2.0]], axis=4)
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"incompatible: \[3,2\] vs\. \[2,1\] \[Op:MatrixSolveLs\]"):
        tf.linalg.lstsq(np.ones((3, 2), np.float32), np.ones((2, 1), np.float32))
    with pytest.raises(IndexError, match=r"tensordot: axis 2 is out of range"):
        tf.tensordot(np.ones((2, 2), np.float32), np.ones((2, 2), np.float32), [[2], [0]])


def test_a_gradient_that_is_not_defined_says_so() -> None:
    x = tf.constant(np.eye(4, 2))
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        q, _ = tf.linalg.qr(x, full_matrices=True)
        _, u, _ = tf.linalg.svd(x, full_matrices=True)
        z = tf.linalg.lstsq(x, tf.constant(np.ones((4, 1))), fast=False)
    with pytest.raises(NotImplementedError, match="nrows > ncols"):
        tape.gradient(q, x)
    with pytest.raises(NotImplementedError, match="full_matrices"):
        tape.gradient(u, x)
    with pytest.raises(ValueError, match="fast=False"):
        tape.gradient(z, x)


@pytest.mark.parametrize("shape", [[None, None], None])
@pytest.mark.parametrize("name", ["reduce_sum", "reduce_mean", "reduce_max"])
def test_axes_and_shapes_known_only_when_the_graph_runs(name: str, shape: list[None] | None) -> None:
    v1 = tf.compat.v1
    value = np.array([[1.0, 5.0, 2.0], [4.0, 3.0, 9.0]], np.float32)
    with v1.Graph().as_default():
        x = v1.placeholder(tf.float32, shape)
        axes = v1.placeholder(tf.int32, [None])
        y = getattr(tf, name)(x, axes)
        (g,) = v1.gradients(y * y, x)
        with v1.Session() as session:
            found = session.run([y, g], {x: value, axes: [-1]})
    given = tf.constant(value)
    with tf.GradientTape() as tape:
        tape.watch(given)
        expected = getattr(tf, name)(given, [-1])
        squares = expected * expected
    np.testing.assert_allclose(found[0], expected.numpy())
    np.testing.assert_allclose(found[1], tape.gradient(squares, given).numpy())


def test_unknown_rank_in_graphs() -> None:
    v1 = tf.compat.v1
    with v1.Graph().as_default():
        x = v1.placeholder(tf.float32)
        y = tf.reduce_mean(x * x)
        z = tf.linalg.matrix_transpose(x)
        (g,) = v1.gradients(y, x)
        with v1.Session() as session:
            found = session.run([y, g, z], {x: np.arange(6.0).reshape(2, 3)})
    assert found[0] == pytest.approx(55 / 6)
    np.testing.assert_allclose(found[1], np.arange(6.0).reshape(2, 3) / 3, rtol=1e-6)
    np.testing.assert_array_equal(found[2], np.arange(6.0).reshape(2, 3).T)


@pytest.mark.parametrize("shape", [(4, 2), (2, 4)])
def test_least_squares_of_a_size_known_only_when_the_graph_runs(shape: tuple[int, int]) -> None:
    v1 = tf.compat.v1
    rng = np.random.default_rng(5)
    matrix, side = rng.normal(size=shape), rng.normal(size=(shape[0], 1))
    with v1.Graph().as_default():
        a = v1.placeholder(tf.float64, [None, None])
        x = tf.linalg.lstsq(a, tf.constant(side), l2_regularizer=0.1)
        (g,) = v1.gradients(x, a)
        with v1.Session() as session:
            found = session.run(g, {a: matrix})
    given = tf.constant(matrix)
    with tf.GradientTape() as tape:
        tape.watch(given)
        y = tf.linalg.lstsq(given, tf.constant(side), l2_regularizer=0.1)
    np.testing.assert_allclose(found, tape.gradient(y, given).numpy(), rtol=1e-10)


def test_matrices_without_elements_have_exponentials_of_any_dtype() -> None:
    for dtype in (tf.bfloat16, tf.int32):
        assert tf.linalg.expm(tf.zeros([2, 0, 0], dtype)).dtype == dtype
        with pytest.raises(ValueError, match="does not support"):
            tf.linalg.expm(tf.zeros([0, 3, 3], dtype))


def test_a_list_times_a_matrix_of_bfloat16() -> None:
    """A list is of float32, and the product too."""
    found = tf.matmul([[1.0, 2.0], [3.0, 4.0]], tf.constant([[1.0, 2.0], [3.0, 4.0]], tf.bfloat16), output_type=tf.int32)
    assert found.dtype == tf.float32
    np.testing.assert_array_equal(found.numpy(), [[7, 10], [15, 22]])
    with pytest.raises(tf.errors.InvalidArgumentError, match="BatchMatMulV2"):
        tf.matmul(tf.ones([2, 2, 2]), tf.ones([2, 2], tf.bfloat16))


@pytest.mark.parametrize("weight", [0.0, 0.3])
@pytest.mark.parametrize("dtype", ["float64", "complex128"])
@pytest.mark.parametrize("shape", [(4, 2), (2, 4), (2, 3, 3)])
def test_derivatives_of_least_squares_of_an_unknown_size(shape: tuple[int, ...], dtype: str, weight: float) -> None:
    """Of second and third order, by all that the gradient reads, as where the size is known."""
    rng = np.random.default_rng(6)
    sides, seeds = (*shape[:-1], 2), (*shape[:-2], shape[-1], 2)
    a, b, g, h, k = (rng.normal(size=s).astype(dtype) for s in (shape, sides, seeds, shape, sides))
    if dtype == "complex128":
        a += 1j * rng.normal(size=shape)

    def derivatives(a: Any, b: Any, g: Any) -> Any:
        with tf.GradientTape() as outer:
            outer.watch([a, b, g])
            with tf.GradientTape() as middle:
                middle.watch([a, b, g])
                with tf.GradientTape() as inner:
                    inner.watch([a, b])
                    x = tf.linalg.lstsq(a, b, l2_regularizer=weight)
                first = inner.gradient(x, [a, b], output_gradients=g)
            second = middle.gradient(first, [a, b, g], output_gradients=[h, k])
        return [*second, *outer.gradient(second, [a, b, g], output_gradients=[h, k, tf.ones_like(g)])]

    open_ended = [tf.TensorSpec([None] * len(shape), dtype)] * 3
    found = tf.function(derivatives, input_signature=open_ended)(*map(tf.constant, (a, b, g)))
    for mine, known in zip(found, derivatives(*map(tf.constant, (a, b, g))), strict=True):
        np.testing.assert_allclose(mine.numpy(), known.numpy(), rtol=1e-7, atol=1e-7 * np.abs(known.numpy()).max())


@pytest.mark.parametrize(
    ("f", "expected"),
    [
        (lambda x: tf.reduce_sum(x), [[1, 1], [1, 1]]),
        (lambda x: tf.reduce_max(x), [[0, 0], [1, 0]]),
        (lambda x: tf.reduce_prod(x), [[30, 60], [24, 40]]),
        (lambda x: tf.matmul(x, x), [[15, 17], [11, 13]]),
        (lambda x: tf.math.cumprod(x), [[6, 4], [4, 2]]),
        (lambda x: tf.math.segment_max(x, [0, 0]), [[0, 0], [1, 1]]),
        (lambda x: tf.math.segment_prod(x, [0, 0]), [[5, 3], [4, 2]]),
        (lambda x: tf.math.unsorted_segment_min(x, [1, 1], 2), [[1, 1], [0, 0]]),
        (lambda x: tf.math.top_k(x, 1)[0], [[1, 0], [1, 0]]),
        (lambda x: tf.einsum("ij,jk", x, x), [[15, 17], [11, 13]]),
    ],
)
def test_integers_in_graphs_keep_their_type(f: Callable[[Any], Any], expected: list[list[int]]) -> None:
    """As TensorFlow 1 differentiated them."""
    v1 = tf.compat.v1
    with v1.Graph().as_default(), v1.Session() as session:
        x = tf.constant([[4, 2], [5, 3]])
        found = session.run(v1.gradients(f(x), x)[0])
    assert found.dtype == np.int32
    assert found.tolist() == expected


@pytest.mark.parametrize("adjoint", [False, True])
@pytest.mark.parametrize("size", [1, 2])
def test_what_stacks_of_small_systems_are_given_stays_as_it_was(adjoint: bool, size: int) -> None:
    matrix = tf.constant(np.full((40, 3, size, size), 2.0, np.float32))
    sides = np.ones((40, 3, size, 1), np.float32)
    side = tf.constant(sides)
    tf.linalg.triangular_solve(matrix, side, adjoint=adjoint)
    assert side.numpy().tolist() == sides.tolist()
    with tf.GradientTape() as tape:
        tape.watch(matrix)
        factor = tf.linalg.cholesky(matrix[..., :1, :1])
    assert tape.gradient(factor, matrix).numpy().max() == pytest.approx(0.5 / np.sqrt(2.0))
