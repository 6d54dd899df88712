"""Values that TensorFlow's own tests found to be others here."""

from __future__ import annotations

import numpy as np
import pytest

import pullback as tf


@pytest.mark.parametrize("dtype", [np.float64, np.complex64, np.complex128])
def test_eigenvectors_belong_to_the_matrix_with_beta_above_its_diagonal(dtype: type) -> None:
    random = np.random.default_rng(0)
    alpha = random.uniform(-1, 1, 6).astype(dtype)
    beta = random.uniform(-1, 1, 5) + 1j * random.uniform(-1, 1, 5)
    beta = (beta if np.iscomplexobj(alpha) else beta.real).astype(dtype)
    whole = np.diag(alpha) + np.diag(beta, 1) + np.diag(beta.conj(), -1)
    values, vectors = tf.linalg.eigh_tridiagonal(alpha, beta, eigvals_only=False)
    np.testing.assert_allclose(whole @ vectors.numpy(), vectors.numpy() * values.numpy(), atol=1e-5)


def test_no_trial_succeeds_whatever_its_probability() -> None:
    drawn = tf.random.Generator.from_seed(1).binomial([3], [5.0, 0.0, 0.0], [np.nan, np.nan, 2.0], dtype=tf.float32)
    np.testing.assert_array_equal(drawn.numpy(), [np.nan, 0.0, 0.0])


def test_a_dense_left_operand_scales_a_sparse_tensor() -> None:
    s, rows = tf.sparse.from_dense([[1.0, 0.0, 2.0], [0.0, 3.0, 0.0]]), tf.Variable([[1.0], [2.0]])
    for left in (rows, tf.constant([[1.0], [2.0]])):
        assert tf.sparse.to_dense(left * s).numpy().tolist() == [[1.0, 0.0, 2.0], [0.0, 6.0, 0.0]]
    with tf.GradientTape() as tape:
        total = tf.sparse.reduce_sum(rows * s)
    assert tape.gradient(total, rows).numpy().tolist() == [[3.0], [3.0]]
    for refused in (lambda: 2.0 * s, lambda: np.ones((2, 1)) * s):  # Python and NumPy ask the class, which says nothing
        with pytest.raises(TypeError, match="unsupported operand"):
            refused()
    with pytest.raises(ValueError, match="unsupported type"):
        tf.constant(1.0) / s


def test_a_regulariser_may_be_a_tensor_of_the_matrix_dtype() -> None:
    for dtype in (tf.float32, tf.float64):
        x = tf.linalg.lstsq(tf.eye(2, dtype=dtype), tf.ones([2, 1], dtype), l2_regularizer=tf.constant(1.0, dtype))
        np.testing.assert_allclose(x, [[0.5], [0.5]])


def test_tolerances_of_a_test_may_be_arrays() -> None:
    case = tf.test.TestCase()
    case.assertAllClose([1.0, 2.0], [1.1, 2.2], atol=np.array([0.5, 0.5]))
    with pytest.raises(AssertionError, match="Mismatched value"):
        case.assertAllClose([1.0, 2.0], [1.1, 3.2], atol=np.array([0.5, 0.5]))
