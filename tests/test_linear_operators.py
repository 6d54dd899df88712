"""Linear operators in graphs, with variables, and to the second order."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import pullback as tf
from tests.test_linalg_beyond import _check

RNG = np.random.default_rng(11)


def _regular(*shape: int) -> np.ndarray[Any, Any]:
    return RNG.normal(size=shape) * 0.3 + np.diag(np.arange(2.0, 2.0 + shape[-1]))


def test_a_variable_is_read_when_it_is_used() -> None:
    v = tf.Variable([1.0, 2.0])
    operator = tf.linalg.LinearOperatorDiag(v)
    v.assign([3.0, 4.0])
    with tf.GradientTape() as tape:
        y = operator.log_abs_determinant()
    assert y.numpy() == pytest.approx(np.log(12.0))
    assert tape.gradient(y, v).numpy().tolist() == pytest.approx([1 / 3, 1 / 4])
    assert isinstance(operator, tf.Module) and operator.trainable_variables == (v,)
    assert tf.linalg.LinearOperatorKronecker([operator, operator]).variables == (v,)


@pytest.mark.parametrize(
    "make",
    [
        lambda a, d: tf.linalg.LinearOperatorFullMatrix(a),
        lambda a, d: tf.linalg.LinearOperatorLowerTriangular(a),
        lambda a, d: tf.linalg.LinearOperatorDiag(d),
        lambda a, d: tf.linalg.LinearOperatorHouseholder(d),
        lambda a, d: tf.linalg.LinearOperatorKronecker([tf.linalg.LinearOperatorFullMatrix(a)]),
        lambda a, d: tf.linalg.LinearOperatorBlockDiag([tf.linalg.LinearOperatorFullMatrix(a)]),
        lambda a, d: tf.linalg.LinearOperatorLowRankUpdate(tf.linalg.LinearOperatorDiag(d), a),
        lambda a, d: tf.linalg.LinearOperatorFullMatrix(a) @ tf.linalg.LinearOperatorDiag(d),
        lambda a, d: tf.linalg.LinearOperatorFullMatrix(a).adjoint(),
        lambda a, d: tf.linalg.LinearOperatorKronecker([tf.linalg.LinearOperatorDiag(d[:1]), tf.linalg.LinearOperatorDiag(d)]),
        lambda a, d: tf.linalg.LinearOperatorTridiag([d, d + 4.0, d], diagonals_format="sequence"),
        lambda a, d: tf.linalg.LinearOperatorCirculant(d, input_output_dtype=tf.float64),
    ],
)
def test_sizes_known_late(make: Any) -> None:
    matrix, diagonal, side = _regular(3, 3), np.array([1.0, 2.0, -1.5]), RNG.normal(size=(3, 2))

    def numbers(a: Any, d: Any, x: Any) -> list[Any]:
        operator = make(a, d)
        return [operator.matmul(x), operator.matmul(x, adjoint=True), operator.solve(x), operator.to_dense(), operator.shape_tensor()]

    specs = [tf.TensorSpec(shape, tf.float64) for shape in ([None, None], [None], [None, None])]
    traced = tf.function(numbers, input_signature=specs)
    given = [tf.constant(x) for x in (matrix, diagonal, side)]
    for here, there in zip(numbers(*given), traced(*given), strict=True):
        assert np.allclose(here.numpy(), there.numpy(), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(
    ("make", "shape"),
    [
        (lambda t: tf.linalg.LinearOperatorFullMatrix(t), (3, 3)),
        (lambda t: tf.linalg.LinearOperatorTridiag(t), (3, 3)),
        (lambda t: tf.linalg.LinearOperatorToeplitz(t, t), (3,)),
        (lambda t: tf.linalg.LinearOperatorCirculant(t, input_output_dtype=tf.float64), (3,)),
        (lambda t: tf.linalg.LinearOperatorHouseholder(t), (3,)),
    ],
)
def test_gradients_of_solutions_to_the_second_order(make: Any, shape: tuple[int, ...]) -> None:
    start = RNG.normal(size=shape) * 0.3
    start += 3.0 * np.eye(3)[1][:, None] if shape == (3, 3) else np.array([4.0, 0.5, -0.5])
    if make(tf.constant(start)).name.endswith("FullMatrix"):
        start = start + 3 * np.eye(3)
    side = tf.constant(RNG.normal(size=(3, 1)))

    def gradient(t: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(t)
            y = tf.reduce_sum(make(t).solve(side) ** 3)
        return tape.gradient(y, t)

    _check(gradient, start)


def test_the_adjoint_of_a_circulant_operator_keeps_the_dtype() -> None:
    operator = tf.linalg.LinearOperatorCirculant(np.array([1 + 2j, 3.0, -1j]), input_output_dtype=tf.complex128)
    assert operator.H.dtype is tf.complex128
    assert np.allclose(operator.H.to_dense().numpy(), operator.to_dense().numpy().conj().T)


def test_conjugate_gradients_can_be_differentiated() -> None:
    matrix = _regular(3, 3)
    matrix = matrix @ matrix.T

    def solution(b: Any) -> Any:
        operator = tf.linalg.LinearOperatorFullMatrix(matrix, is_self_adjoint=True, is_positive_definite=True)
        return tf.linalg.experimental.conjugate_gradient(operator, b, tol=1e-14, max_iter=3).x

    _check(solution, RNG.normal(size=3))
