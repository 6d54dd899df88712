"""Factorisations by our own library are NumPy's, for large matrices and small."""

from typing import Any

import numpy as np
import pytest

import pullback as tf
from pullback.kernels import lapack, parallel

DTYPES = ["float32", "float64", "complex64", "complex128"]
SIZES = [(5,), (40,), (3, 40), (2, 2, 33), (0, 40), (2, 130)]


def matrices(dtype: str, *shape: int, seed: int = 0) -> Any:
    draw = np.random.default_rng(seed)
    x = draw.standard_normal(shape)
    return (x + 1j * draw.standard_normal(shape) if np.dtype(dtype).kind == "c" else x).astype(dtype)


def hermitian(dtype: str, *shape: int) -> Any:
    x = matrices(dtype, *shape)
    return x @ x.conj().swapaxes(-1, -2) + shape[-1] * np.eye(shape[-1], dtype=dtype)


def close(found: Any, expected: Any, dtype: str) -> None:
    assert found.dtype == expected.dtype and found.shape == expected.shape
    size = np.abs(expected).max(initial=1)
    np.testing.assert_allclose(found / size, expected / size, rtol=0, atol=3e3 * np.finfo(dtype).eps)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("size", SIZES)
def test_factorisations_are_numpys(dtype: str, size: tuple[int, ...]) -> None:
    x, s = matrices(dtype, *size, size[-1]), hermitian(dtype, *size, size[-1])
    b = matrices(dtype, *size, 7, seed=1)
    close(lapack.inv(s), np.linalg.inv(s), dtype)
    close(lapack.solve(s, b), np.linalg.solve(s, b), dtype)
    close(lapack.solve(s, b[..., :1]), np.linalg.solve(s, b[..., :1]), dtype)
    close(lapack.cholesky(s), np.linalg.cholesky(s), dtype)
    close(lapack.det(x / 6), np.asarray(np.linalg.det(x / 6)), dtype)
    for one, other in zip(lapack.slogdet(x), np.linalg.slogdet(x), strict=True):
        close(one, np.asarray(other), dtype)
    values, vectors = lapack.eigh(s)
    close(values, np.linalg.eigvalsh(s), dtype)
    close(s @ vectors, vectors * values[..., None, :], dtype)
    close(vectors.conj().swapaxes(-1, -2) @ vectors, np.broadcast_to(np.eye(size[-1], dtype=dtype), s.shape), dtype)
    close(lapack.eigh(s, vectors=False)[0], np.linalg.eigvalsh(s), dtype)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("n", [40, 70, 130])
def test_cholesky_reads_the_lower_triangle_and_writes_zeros_above_it(dtype: str, n: int) -> None:
    s = hermitian(dtype, 2, n, n)
    above = np.triu(np.full((n, n), np.nan, s.real.dtype), 1)
    found = lapack.cholesky(np.where(np.isnan(above), above, s))
    np.testing.assert_array_equal(found, lapack.cholesky(s))
    assert not np.triu(found, 1).any()


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_matrices_are_factored_however_they_lie(dtype: str) -> None:
    wide = hermitian(dtype, 140, 140)
    odd = np.frombuffer(b"x" + np.ascontiguousarray(wide).tobytes(), "i1")[1:].view(dtype).reshape(wide.shape)
    for view in (wide.T, wide[5:105, 5:105], wide[:100, :100][::-1, ::-1], wide[::2, ::2], odd):
        for found, expected in zip(lapack.lu(view), lapack.lu(view.copy()), strict=True):
            np.testing.assert_array_equal(found, expected)
        np.testing.assert_array_equal(lapack.cholesky(view), lapack.cholesky(view.copy()))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("size", [(5,), (40,), (3, 40), (100,)])
def test_triangles_are_those_of_the_rows_in_order(dtype: str, size: tuple[int, ...]) -> None:
    x = matrices(dtype, *size, size[-1])
    factors, order = tf.linalg.lu(x)
    lower, upper = np.tril(factors, -1) + np.eye(size[-1], dtype=dtype), np.triu(factors)
    close(lower @ upper, np.take_along_axis(x, order.numpy()[..., None].astype(int), -2), dtype)
    assert np.abs(lower).max() <= 1 + (np.dtype(dtype).kind == "c")  # the largest of each column was taken


@pytest.mark.parametrize("n", [3, 40])
def test_a_singular_matrix_has_no_triangles(n: int) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="not invertible"):
        tf.linalg.lu(np.zeros((n, n), np.float32))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(40, 60), (60, 40), (50, 50), (2, 60, 40), (3, 40, 60), (7, 40)])
@pytest.mark.parametrize("full", [True, False])
def test_svd_and_qr_are_numpys(dtype: str, shape: tuple[int, ...], full: bool) -> None:
    x = matrices(dtype, *shape)
    for one, other in zip(lapack.svd(x, full), np.linalg.svd(x, full_matrices=full), strict=True):
        assert one.dtype == other.dtype and one.shape == other.shape
    u, values, v = lapack.svd(x, full)
    close(values, np.linalg.svd(x, compute_uv=False), dtype)
    k = values.shape[-1]
    close((u[..., :k] * values[..., None, :]) @ v[..., :k, :], x, dtype)
    close(u.conj().swapaxes(-1, -2) @ u, np.broadcast_to(np.eye(u.shape[-1], dtype=dtype), (*shape[:-2], u.shape[-1], u.shape[-1])), dtype)
    for one, other in zip(lapack.qr(x, full), np.linalg.qr(x, mode="complete" if full else "reduced"), strict=True):
        close(one, other, dtype)


def test_matrices_broadcast() -> None:
    a, b = hermitian("float64", 1, 40, 40), matrices("float64", 3, 40, 2)
    close(lapack.solve(a, b), np.linalg.solve(a, b), "float64")
    close(lapack.solve(a[0], b), np.linalg.solve(a[0], b), "float64")


@pytest.mark.parametrize("n", [3, 40])
def test_what_cannot_be_factored_raises_numpys_error(n: int) -> None:
    singular = np.ones((n, n))
    for call in (
        lambda: lapack.inv(np.zeros((n, n))),
        lambda: lapack.solve(np.zeros((n, n)), singular),
    ):
        with pytest.raises(np.linalg.LinAlgError):
            call()
    sign, logarithm = lapack.slogdet(np.zeros((n, n)))
    assert (sign, logarithm, lapack.det(np.zeros((n, n)))) == (0, -np.inf, 0)


@pytest.mark.parametrize("n", [3, 40])
def test_a_matrix_without_a_cholesky_factor_gets_nan_and_the_others_theirs(n: int) -> None:
    found = lapack.cholesky(np.stack([np.eye(n), -np.eye(n), 4 * np.eye(n)]))
    np.testing.assert_array_equal(found, np.stack([np.eye(n), np.tril(np.full((n, n), np.nan)), 2 * np.eye(n)]))


def test_nan_goes_through_as_in_numpy() -> None:
    x = np.eye(40)
    x[3, 3] = np.nan
    assert np.isnan(lapack.solve(x, np.ones((40, 1)))).any() and np.isnan(lapack.det(x))


def test_no_bit_depends_on_the_number_of_threads() -> None:
    x, before, found = hermitian("float64", 5, 60, 60), parallel.threads(), []
    for threads in (1, 2, 3):
        parallel.set_threads(threads)
        found.append((lapack.inv(x), lapack.cholesky(x), *lapack.eigh(x), *lapack.svd(x), *lapack.qr(x, False)))
    parallel.set_threads(before)
    for one, *others in zip(*found, strict=True):
        assert all(np.array_equal(one, other) for other in others)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("lower", [True, False])
@pytest.mark.parametrize("adjoint", [True, False])
def test_triangular_systems_are_solved(dtype: str, lower: bool, adjoint: bool) -> None:
    a, b = matrices(dtype, 3, 9, 9) + 9 * np.eye(9, dtype=dtype), matrices(dtype, 3, 9, 4, seed=1)
    triangle = np.tril(a) if lower else np.triu(a)
    if adjoint:
        triangle = triangle.conj().swapaxes(-1, -2)
    found = lapack.solve_triangular(np.broadcast_to(a, a.shape), b, lower, adjoint)
    assert found is not None
    close(found, np.linalg.solve(triangle, b), dtype)


@pytest.mark.parametrize("dtype", DTYPES)
def test_many_right_sides_are_solved_as_they_lie(dtype: str) -> None:
    """In a stack, from strided sides; a singular matrix is refused there too."""
    a, b = matrices(dtype, 2, 40, 40) + 8 * np.eye(40, dtype=dtype), matrices(dtype, 2, 40, 100, seed=1)[..., ::-1]
    a[1] = a[1, ::-1]
    close(lapack.solve(a, b), np.linalg.solve(a, b), dtype)
    a[1, 3] = 0
    with pytest.raises(np.linalg.LinAlgError, match="Singular"):
        lapack.solve(a, b)


@pytest.mark.parametrize("n", [3, 40])
@pytest.mark.parametrize("at", [(0, 0), (1, 1), (2, 0), (0, 2)])
@pytest.mark.parametrize("dtype", ["f4", "f8", "c8", "c16"])
def test_a_matrix_with_a_nan_solves_nothing(n: int, at: tuple[int, int], dtype: str) -> None:
    """OpenBLAS skips a pivot that is NaN, and gives numbers; of a stack the other matrices keep theirs."""
    a = np.random.default_rng(0).normal(size=(2, n, n)).astype(dtype)
    b, sound = np.ones((2, n, 1), dtype), a[1].copy()
    a[(0, *at)] = np.nan
    for found in (lapack.solve(a, b), lapack.inv(a)):
        assert np.isnan(found[0]).all()
        assert np.isfinite(found[1]).all()
    assert np.isnan(lapack.solve(a[0], b[0])).all() and np.isnan(lapack.inv(a[0])).all()
    np.testing.assert_allclose(lapack.solve(a, b)[1], np.linalg.solve(sound, b[1]), rtol=1e-3)


@pytest.mark.parametrize("shape", [(3, 3), (40, 40), (3000, 3, 3), (2, 40, 40)])
def test_what_a_nan_would_have_divided_is_nan_in_lu_factors(shape: tuple[int, ...]) -> None:
    a = np.random.default_rng(0).normal(size=shape)
    a[..., 1, 1] = np.nan
    factors, order = (t.numpy() for t in tf.linalg.lu(a))
    pivot = np.isnan(np.diagonal(factors, axis1=-2, axis2=-1)).argmax(-1).reshape(-1)
    for lu, k in zip(factors.reshape(-1, *shape[-2:]), pivot, strict=True):
        assert np.isnan(lu[k + 1 :, k:]).all() and np.isfinite(lu[:k, :k]).all()
    assert np.isnan(tf.linalg.lu_solve(factors, order, np.ones((*shape[:-1], 1))).numpy()).all()
