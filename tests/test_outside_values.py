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
