"""Native elimination against LAPACK's: stacks of small matrices, tridiagonal systems, banded triangular ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import pullback as tf
from pullback.engine.fragments import _eliminations, eliminate, solve_banded, solve_tridiagonal
from pullback.engine.jit_policy import Settings
from pullback.kernels.backend import ENGINE

pytest.importorskip("llvmlite")
pytest.importorskip("pullback.engine.elimination")

DTYPES = ["float32", "float64"]
ULPS = 500


def numbers(dtype: str, *shape: int, seed: int = 0) -> Any:
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


def assert_near(found: Any, exact: Any) -> None:
    assert found.dtype == exact.dtype
    tolerance = ULPS * float(np.finfo(found.dtype).eps)
    np.testing.assert_allclose(found, exact, rtol=tolerance, atol=tolerance * np.abs(exact).max(initial=0, where=np.isfinite(exact)))


def without(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("eliminate", "solve_tridiagonal", "solve_banded"):
        monkeypatch.setattr(ENGINE, name, lambda *_: None)


@pytest.fixture
def at_once() -> None:
    """Small systems are done natively too; conftest puts the setting back."""
    Settings.jit = True


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("n", [1, 2, 5, 8, 16])
def test_factors_of_small_matrices(n: int, dtype: str, at_once: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same rows are chosen; whole numbers have many pivots of one size, of which the first counts."""
    whole = np.random.default_rng(1).integers(-1, 2, (40, n, n)).astype(dtype)[: 40 if n <= 5 else 0]  # beyond, roundings part them
    for x in (numbers(dtype, 3, 50, n, n), numbers(dtype, n, n), whole[np.abs(np.linalg.det(whole)) > 0.5], numbers(dtype, 0, n, n)):
        x.flags.writeable = False
        assert not x.size or eliminate(x.reshape(-1, n, n), None) is not None
        factors, order = (t.numpy() for t in tf.linalg.lu(x))
        with monkeypatch.context() as patch:
            without(patch)
            exact, rows = (t.numpy() for t in tf.linalg.lu(x))
        np.testing.assert_array_equal(order, rows)
        assert order.dtype == np.int32
        assert_near(factors, exact)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("n", "columns"), [(1, 1), (3, 16), (8, 5), (16, 1)])
def test_small_systems(n: int, columns: int, dtype: str, at_once: None) -> None:
    a, b = numbers(dtype, 2, 70, n, n) + 3 * np.eye(n, dtype=dtype), numbers(dtype, 2, 70, columns, n, seed=1).swapaxes(-1, -2)
    before = a.copy(), b.copy()
    assert_near(tf.linalg.solve(a, b).numpy(), np.linalg.solve(a, b))
    assert_near(tf.linalg.solve(a, b, adjoint=True).numpy(), np.linalg.solve(a.swapaxes(-1, -2), b))
    assert (a == before[0]).all() and (b == before[1]).all()


@pytest.mark.parametrize("n", [1, 4])
def test_a_singular_matrix_among_others_is_an_error(n: int, at_once: None) -> None:
    x = numbers("float32", 20, n, n)
    x[7] = 0
    for call in (lambda: tf.linalg.lu(x), lambda: tf.linalg.solve(x, x)):
        with pytest.raises(tf.errors.InvalidArgumentError, match="not invertible"):
            call()


def test_numbers_that_are_not_finite_stay_in_their_matrix(at_once: None) -> None:
    x, b = numbers("float64", 3, 4, 4), numbers("float64", 3, 4, 2, seed=1)
    x[1, 2, 1], b[2, 0, 0] = np.nan, np.inf
    found = tf.linalg.solve(x, b).numpy()
    assert_near(found[0], np.linalg.solve(x[0], b[0]))
    assert np.isnan(found[1]).all()
    assert_near(found[2][:, 1], np.linalg.solve(x[2], b[2, :, 1]))
    assert not np.isfinite(found[2][:, 0]).any()


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("n", [2, 3, 40])
def test_tridiagonal_systems(n: int, dtype: str, at_once: None) -> None:
    """With zeros on the diagonal, which ask for other pivots; of as many columns as fill vectors and not."""
    for columns in (1, 10, 16, 37):
        rows, rhs = numbers(dtype, 3, n), numbers(dtype, columns, n, seed=1).T
        rows[1, ::5] = 0
        matrix = np.diag(rows[1]) + np.diag(rows[0, :-1], 1) + np.diag(rows[2, 1:], -1)
        rows[0, -1] = rows[2, 0] = np.nan  # outside the matrix
        assert solve_tridiagonal(rows, rhs) is not None
        found = tf.linalg.tridiagonal_solve(rows, rhs).numpy()
        assert found.dtype == dtype
        assert np.abs(matrix.astype(np.float64) @ found - rhs).max() <= ULPS * float(np.finfo(dtype).eps) * np.abs(found).max() * 4


@pytest.mark.parametrize("rows", [[[1, 1, 0], [0, 0, 1], [0, 0, 1]], [[2, 1, 0], [4, 1, 0], [0, 2, 0]], [[0, 0, 0], [1, 1, 0], [0, 0, 0]]])
def test_a_singular_tridiagonal_matrix_gives_nan(rows: Any, at_once: None) -> None:
    assert np.isnan(tf.linalg.tridiagonal_solve(np.float32(rows), np.ones((3, 2), np.float32)).numpy()).all()


@pytest.mark.parametrize("adjoint", [False, True])
@pytest.mark.parametrize("lower", [False, True])
def test_banded_triangular_systems(lower: bool, adjoint: bool, at_once: None) -> None:
    for dtype, count, n, columns in (("float32", 3, 50, 33), ("float64", 1, 4, 1), ("float64", 6, 5, 8), ("float32", 5, 3, 2)):
        bands, rhs = numbers(dtype, 2, count, n), numbers(dtype, 2, n, columns, seed=1)
        bands[:, 0 if lower else -1] += 5
        spread = range(1 - count, 1) if lower else range(count)
        matrix = np.zeros((2, n, n), dtype)
        for d in spread:
            for i in range(max(-d, 0), n - max(d, 0)):
                matrix[:, i, i + d] = bands[:, -d if lower else count - 1 - d, i]
        assert solve_banded(np.ascontiguousarray(bands[0]), rhs[0], False) is not None
        found = tf.linalg.banded_triangular_solve(bands, rhs, lower=lower, adjoint=adjoint).numpy()
        assert_near(found, np.linalg.solve(matrix.swapaxes(-1, -2) if adjoint else matrix, rhs))


def test_what_native_code_does_not_do() -> None:
    """Too little to be worth it, too large for it, and complex numbers; the first calls; and nothing at all when it is not wanted."""
    x = numbers("float64", 100, 8, 8)
    _eliminations.clear()
    assert [eliminate(x, None) is None for _ in range(5)] == [True] * 4 + [False]
    assert eliminate(x[:10], None) is None
    assert eliminate(numbers("float64", 100, 17, 17), None) is None
    assert eliminate(x.astype(np.complex128), None) is None
    assert solve_tridiagonal(x[0, :3], x[0, :, :1]) is None
    assert solve_banded(x[0, :3], x[0], True) is None
    Settings.jit = False
    assert eliminate(x, None) is None
