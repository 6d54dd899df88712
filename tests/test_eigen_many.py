"""Native loops for the eigenvalues of many small matrices, against LAPACK's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import pullback as tf
from pullback.engine.jit_policy import Settings
from pullback.ops.linalg import eigen_many

pytest.importorskip("llvmlite")


@pytest.fixture(autouse=True)
def at_once() -> None:
    """Not after some calls; conftest puts the setting back."""
    Settings.jit = True


SIZES = [2, 3, 5, 8, 16]


def numbers(n: int, dtype: str = "float64", count: int | None = None, seed: int = 0) -> Any:
    """Enough matrices to be many."""
    rng = np.random.default_rng(seed)
    shape = (2, -(-eigen_many._FEW // (2 * n * n)) if count is None else count, n, n)
    found = rng.standard_normal(shape)
    return (found + 1j * rng.standard_normal(shape) if dtype[0] == "c" else found).astype(dtype)


def assert_eigen(x: Any, values: Any, vectors: Any, eps: float) -> None:
    """Of length 1, and turned only in length, as far as rounding allows."""
    size = np.abs(x).max()
    assert np.abs(x @ vectors - vectors * values[..., None, :]).max() <= 200 * eps * size
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=-2), 1, rtol=20 * eps)


def nearest(found: Any, wanted: Any) -> Any:
    """How far each of some numbers is from the nearest of others."""
    return np.abs(found[..., :, None] - wanted[..., None, :]).min(axis=-1).max()


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
@pytest.mark.parametrize("n", SIZES)
def test_general_matrices(n: int, dtype: str) -> None:
    x = numbers(n, dtype)
    x[0, 0] = np.triu(x[0, 0])
    x[0, 1] = x[0, 1].T.conj() @ x[0, 1]
    x.flags.writeable = False
    values, vectors = (t.numpy() for t in tf.linalg.eig(x))
    assert values.dtype == vectors.dtype == np.result_type(dtype, np.complex64)
    assert_eigen(x, values, vectors, float(np.finfo(dtype).eps))
    exact = np.linalg.eigvals(x.astype(np.complex128))
    near = 1e-10 if dtype in ("float64", "complex128") else 1e-4
    assert nearest(values, exact) < near
    assert nearest(exact, values) < near
    longest = np.take_along_axis(vectors, np.abs(vectors).argmax(axis=-2, keepdims=True), axis=-2)
    assert (longest.real > 0).all() and np.abs(longest.imag).max() < 1e-6
    np.testing.assert_array_equal(tf.linalg.eigvals(x), values)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("n", SIZES)
def test_symmetric_matrices(n: int, dtype: str) -> None:
    """The lower triangle is read; values rise, also where they coincide."""
    x = numbers(n, dtype)
    x[0, 0], x[0, 1] = np.eye(n), np.diag(np.arange(n) // 2)
    x.flags.writeable = False
    whole = np.tril(x) + np.tril(x, -1).swapaxes(-1, -2)
    values, vectors = (t.numpy() for t in tf.linalg.eigh(x))
    assert values.dtype == vectors.dtype == dtype
    eps = float(np.finfo(dtype).eps)
    assert_eigen(whole, values, vectors, eps)
    np.testing.assert_allclose(values, np.linalg.eigvalsh(whole.astype(np.float64)), rtol=0, atol=200 * eps * np.abs(whole).max())
    assert np.abs(vectors.swapaxes(-1, -2) @ vectors - np.eye(n)).max() < 100 * eps


def test_many_matrices_are_cut_into_blocks_and_no_result_depends_on_threads() -> None:
    x = numbers(8, count=400)
    found = []
    for threads in (1, 2):
        tf.config.threading.set_intra_op_parallelism_threads(threads)
        found.append([t.numpy() for pair in (tf.linalg.eig(x), tf.linalg.eigh(x)) for t in pair])
    tf.config.threading.set_intra_op_parallelism_threads(0)
    for one, two in zip(*found, strict=True):
        np.testing.assert_array_equal(one, two)


def test_what_loops_do_not_do() -> None:
    """Few matrices, large ones, complex Hermitian ones; numbers whose squares are none, and none at all; and without an engine."""
    x = numbers(8)
    assert eigen_many.eig(x[:, :4]) is None
    assert eigen_many.eig(numbers(17, count=20)) is None
    assert eigen_many.eig(numbers(1, count=5000)) is None
    assert eigen_many.eigh(x + 0j) is None
    for strange in (np.inf, np.nan, 1e-200, 1e200):
        other = x.copy()
        other[1, 1] *= strange
        assert eigen_many.eigh(other) is None
        assert eigen_many.eig(other) is None


@pytest.mark.parametrize("dtype", ["float64", "complex128"])
def test_loops_go_on_as_the_first_calls_began(dtype: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same vectors, also in length and phase, whether a loop or LAPACK found them."""
    used: list[Any] = []
    monkeypatch.setattr(eigen_many, "_run_in_blocks", lambda *given, plain=eigen_many._run_in_blocks: used.append(given) or plain(*given))
    x = numbers(8, dtype)
    native = [eigen_many.eig(x), eigen_many.eigh(x)]
    assert len(used) == (2 if dtype == "float64" else 1)
    Settings.jit = False
    plain = [eigen_many.eig(x), eigen_many.eigh(x)]
    assert len(used) == (2 if dtype == "float64" else 1)
    if dtype == "float64":
        for one, other in zip(native[1], plain[1], strict=True):
            np.testing.assert_allclose(one, other, atol=1e-10)
    else:
        assert native[1] is plain[1] is None
    order = [np.argsort(found[0].real, axis=-1) for found in (native[0], plain[0])]
    if dtype == "complex128":
        one, other = (np.take_along_axis(f[1], at[..., None, :], axis=-1) for f, at in zip((native[0], plain[0]), order, strict=True))
        np.testing.assert_allclose(one, other, atol=1e-8)


def test_derivatives_of_many() -> None:
    """The gradient of a function of eigenvalues of symmetric matrices is that function's derivative, in the same basis."""
    x = tf.constant(numbers(5) + numbers(5).swapaxes(-1, -2))
    with tf.GradientTape() as tape:
        tape.watch(x)
        values, vectors = tf.linalg.eigh(x)
        y = tf.reduce_sum(tf.exp(values / 4.0))
    found = tape.gradient(y, x)
    wanted = vectors * tf.exp(values / 4.0)[..., None, :] / 4.0 @ tf.linalg.adjoint(vectors)
    np.testing.assert_allclose(tf.linalg.diag_part(found), tf.linalg.diag_part(wanted), rtol=1e-9)


@pytest.mark.parametrize("function", ["logm", "sqrtm"])
def test_functions_of_many_matrices(function: str) -> None:
    """Among them one without a basis of eigenvectors, one that is not symmetric, and one with a negative eigenvalue."""
    x = numbers(5, count=60) / 4
    x = x @ x.swapaxes(-1, -2) + np.eye(5)
    x[0, 0] = np.eye(5) * 2 + np.eye(5, k=1)
    x[0, 1] += np.eye(5, k=2)
    f = getattr(tf.linalg, function)
    given = x.astype(np.complex128) if function == "logm" else x
    root = f(given).numpy()
    back = root @ root if function == "sqrtm" else tf.linalg.expm(root).numpy()
    np.testing.assert_allclose(back, given, rtol=1e-9, atol=1e-9)
    if function == "sqrtm":
        x[1, 3] = -np.diag(np.arange(1.0, 6.0))
        found = f(x).numpy()
        assert np.isnan(found[1, 3]).all()
        assert np.isnan(found).sum() == 25


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
def test_exponentials_of_a_stack_that_asks_for_every_degree(dtype: str) -> None:
    """From nearly nothing to many squarings, against sums of powers of a fraction in twice the precision."""
    scales = np.array([0, 1e-3, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0])
    x = (numbers(4, dtype, count=4).reshape(8, 4, 4) * scales[:, None, None] / 2).astype(dtype)
    wide = x.astype(np.clongdouble) / 1024
    term = wanted = np.broadcast_to(np.eye(4, dtype=np.clongdouble), wide.shape)
    for k in range(1, 12):
        term = term @ wide / k
        wanted = wanted + term
    for _ in range(10):
        wanted = wanted @ wanted
    found = tf.linalg.expm(x).numpy()
    assert found.dtype == dtype
    size = np.abs(wanted).max(axis=(1, 2), keepdims=True)
    assert (np.abs(found - wanted) <= 4000 * float(np.finfo(dtype).eps) * size).all()


def test_exponentials_of_what_is_not_finite_or_becomes_so() -> None:
    """As TensorFlow has them: no numbers in the whole matrix, and in no other."""
    x = np.zeros((4, 2, 2))
    x[0, 0, 1], x[1, 0, 0], x[2] = np.nan, np.inf, np.diag([1e5, 1])
    found = tf.linalg.expm(x).numpy()
    assert np.isnan(found[:3]).all()
    np.testing.assert_array_equal(found[3], np.eye(2))
