"""Functions of matrices, LU factors, eigenvalues of general matrices, tridiagonal and banded systems.

Eigenvalues of general matrices come in no order, and their vectors with any phase: what is compared is symmetric in the first and free of
the second.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.cases.case import Array, Case, ErrorCase, case, error, floats, ints
from tests.cases.linalg import SINGULAR, la, positive, regular


def values(f: Any) -> Any:
    """`f` without its gradient, where TensorFlow's is wrong or missing."""
    return lambda tf, *xs: f(tf, *(tf.stop_gradient(x) for x in xs))


SMALL = {"low": -0.7, "high": 0.7}


def _functions() -> list[Case]:
    exp, log, root = la("expm"), la("logm"), la("sqrtm")
    jordan = np.array([[2, 1], [0, 2]], np.float64)
    return [
        case("MatrixExponential", "three", exp, floats(3, 3, **SMALL)),
        case("MatrixExponential", "batch", exp, floats(2, 2, 2, **SMALL)),
        case("MatrixExponential", "float64", exp, floats(3, 3, dtype="float64")),
        case("MatrixExponential", "complex64", exp, floats(2, 2, dtype="complex64", **SMALL)),
        case("MatrixExponential", "complex128", exp, floats(3, 3, dtype="complex128", **SMALL)),
        case("MatrixExponential", "one", exp, floats(1, 1)),
        case("MatrixExponential", "zero", exp, np.zeros((2, 2), np.float64)),
        case("MatrixExponential", "no diagonal form", exp, jordan),
        case("MatrixExponential", "large", exp, 20 * floats(2, 2, dtype="float64", **SMALL)),
        case("MatrixExponential", "empty", lambda tf, x: exp(tf, tf.stop_gradient(x)), floats(0, 0), smooth=False),
        case("MatrixExponential", "empty batch", lambda tf, x: exp(tf, tf.stop_gradient(x)), floats(0, 2, 2), smooth=False),
        case("MatrixLogarithm", "two", log, positive(2, dtype="complex64")),
        case("MatrixLogarithm", "three", log, positive(3, dtype="complex128")),
        case("MatrixLogarithm", "batch", log, positive(2, 2, dtype="complex128")),
        case("MatrixLogarithm", "no diagonal form", log, jordan.astype(np.complex128)),
        case("MatrixLogarithm", "singular", lambda tf, x: log(tf, tf.stop_gradient(x)), SINGULAR.astype(np.complex64), smooth=False),
        case("MatrixLogarithm", "empty", lambda tf, x: log(tf, tf.stop_gradient(x)), floats(0, 2, 2, dtype="complex64"), smooth=False),
        case("MatrixSquareRoot", "two", root, positive(2)),
        case("MatrixSquareRoot", "three", root, positive(3, dtype="float64")),
        case("MatrixSquareRoot", "batch", root, positive(2, 2, dtype="float64")),
        # TensorFlow's complex gradients lack a conjugation, here and in tridiagonal systems: test_linalg_more.py has them
        case("MatrixSquareRoot", "complex64", values(root), positive(2, dtype="complex64"), smooth=False),
        case("MatrixSquareRoot", "complex128", values(root), positive(3, dtype="complex128"), smooth=False),
        case("MatrixSquareRoot", "no symmetry", root, np.array([[3, 1], [-2, 4]], np.float64)),
        case("MatrixSquareRoot", "negative", lambda tf, x: root(tf, tf.stop_gradient(x)), -positive(2), smooth=False),
        case("MatrixSquareRoot", "empty", lambda tf, x: root(tf, tf.stop_gradient(x)), floats(0, 0), smooth=False),
        case("MatrixSquareRoot", "matrix_square_root", lambda tf, x: tf.matrix_square_root(x), positive(2), face="v1"),
    ]


def _lu() -> list[Case]:
    factors = lambda tf, x: tf.linalg.lu(x)[0]
    given = lambda called, *more: lambda tf, x, *sides: getattr(tf.linalg, called)(*tf.linalg.lu(x), *sides, *more)
    swapped = np.array([[0.1, 1, 2], [3, 4, 5], [6, 7, 9]], np.float64)
    return [
        case("Lu", "factors", factors, regular(3)),
        case("Lu", "rows change places", lambda tf, x: tuple(tf.linalg.lu(x)), swapped),
        case("Lu", "batch", factors, regular(2, 3)),
        case("Lu", "complex128", factors, regular(3, dtype="complex128")),
        case("Lu", "int64", lambda tf, x: tf.linalg.lu(x, output_idx_type=tf.int64)[1], swapped, smooth=False),
        case("Lu", "empty", lambda tf, x: factors(tf, tf.stop_gradient(x)), floats(0, 0), smooth=False),
        case("Lu", "lu_solve", given("lu_solve"), swapped, floats(3, 2, dtype="float64")),
        case("Lu", "lu_solve batch", given("lu_solve"), regular(2, 2, dtype="float64"), floats(2, 2, 1, dtype="float64")),
        case("Lu", "lu_matrix_inverse", given("lu_matrix_inverse"), swapped),
        case("Lu", "lu_reconstruct", given("lu_reconstruct"), swapped),
        case("Lu", "lu_reconstruct complex", given("lu_reconstruct"), regular(2, dtype="complex64")),
        case(
            "Lu", "solve from constant factors", lambda tf, b: tf.linalg.lu_solve(np.float32([[2, 1], [0.5, 2]]), [1, 0], b), floats(2, 1)
        ),
    ]


def _eig() -> list[Case]:
    def symmetric(tf: Any, x: Any) -> Any:
        e = tf.linalg.eigvals(x)
        return [tf.reduce_sum(tf.exp(e)), tf.reduce_sum(e * e * e)]

    def rebuilt(tf: Any, x: Any) -> Any:
        """The square root of the matrix, by its eigenvalues."""
        e, v = tf.linalg.eig(x)
        return tf.matmul(v * tf.sqrt(e)[..., None, :], tf.linalg.inv(v))

    def lengths(tf: Any, x: Any) -> Any:
        """Sizes of the eigenvectors' elements, in the order of the eigenvalues' real parts."""
        e, v = tf.linalg.eig(x)
        order = tf.argsort(tf.math.real(e), axis=-1)
        return tf.gather(tf.abs(v), order, axis=-1, batch_dims=len(e.shape) - 1)

    sheared = np.array([[3, 1], [-0.5, 4]], np.float64)
    return [
        case("Eig", "eigvals", symmetric, regular(3, dtype="float64")),
        case("Eig", "eigvals float32", symmetric, regular(2)),
        case("Eig", "eigvals batch", symmetric, regular(2, 2, dtype="float64")),
        case("Eig", "eigvals complex128", symmetric, regular(3, dtype="complex128")),
        case("Eig", "eigvals complex64", symmetric, regular(2, dtype="complex64")),
        case("Eig", "a turn", symmetric, np.array([[0.2, -1], [1, 0]], np.float64)),
        case("Eig", "rebuilt", rebuilt, sheared),
        case("Eig", "rebuilt complex", rebuilt, positive(2, dtype="complex128")),
        case("Eig", "rebuilt batch", rebuilt, positive(2, 2, dtype="float64")),
        case("Eig", "lengths", lengths, sheared),
        case("Eig", "lengths complex", lengths, regular(3, dtype="complex128")),
        case("Eig", "one", lambda tf, x: tuple(tf.linalg.eig(tf.stop_gradient(x))), floats(1, 1), smooth=False),
        case("Eig", "empty", lambda tf, x: tf.linalg.eigvals(tf.stop_gradient(x)), floats(2, 0, 0), smooth=False),
        case("Eig", "tf.eig", lambda tf, x: tf.reduce_sum(tf.eig(x)[0]), regular(2)),
        case("Eig", "tf.eigvals", lambda tf, x: tf.reduce_sum(tf.eigvals(x)), regular(2)),
    ]


def _rows(n: int, *batch: int, dtype: Any = "float32", seed: int = 0) -> Array:
    """The three diagonals of well-conditioned tridiagonal matrices."""
    found = floats(*batch, 3, n, low=-1.0, high=1.0, dtype=dtype, seed=seed)
    found[..., 1, :] += 3
    return found


def _tridiagonal() -> list[Case]:
    solve, product = la("tridiagonal_solve"), la("tridiagonal_matmul")
    whole = lambda n: (np.diag(_rows(n)[1]) + np.diag(_rows(n)[0, :-1], 1) + np.diag(_rows(n)[2, 1:], -1)).astype(np.float32)
    parts = lambda f: lambda tf, a, b, c, x: f(tf, (a, b, c), x)
    sequence = {"diagonals_format": "sequence"}
    mine = lambda f: values(f) if f is solve else f
    found: list[Case] = []
    for op, f in (("TridiagonalSolve", solve), ("TridiagonalMatMul", product)):
        found += [
            case(op, "one column", f, _rows(4), floats(4, 1)),
            case(op, "batch", f, _rows(3, 2), floats(2, 3, 2)),
            case(op, "float64", f, _rows(5, dtype="float64"), floats(5, 2, dtype="float64")),
            case(op, "complex64", mine(f), _rows(3, dtype="complex64"), floats(3, 2, dtype="complex64"), smooth=f is product),
            case(op, "complex128", mine(f), _rows(3, dtype="complex128"), floats(3, 1, dtype="complex128"), smooth=f is product),
            case(op, "two", f, _rows(2), floats(2, 1)),
            case(op, "one", f, _rows(1), floats(1, 2)),
            case(op, "matrix", la(f"tridiagonal_{'solve' if f is solve else 'matmul'}", diagonals_format="matrix"), whole(4), floats(4, 2)),
        ]
    return [
        *found,
        case("TridiagonalSolve", "vector", solve, _rows(4), floats(4)),
        case("TridiagonalSolve", "zero pivots", solve, np.float64([[1, 2, 0], [0, 0, 1], [0, 3, 1]]), floats(3, 1, dtype="float64")),
        case("TridiagonalSolve", "singular", solve, ints(3, 3, high=1, dtype="float32"), floats(3, 1), smooth=False),
        case("TridiagonalSolve", "no pivoting", la("tridiagonal_solve", partial_pivoting=False), _rows(4), floats(4, 1)),
        case("TridiagonalSolve", "right side lies", la("tridiagonal_solve", transpose_rhs=True), _rows(3), floats(2, 3)),
        case(
            "TridiagonalSolve",
            "conjugate",
            values(la("tridiagonal_solve", conjugate_rhs=True)),
            _rows(3, dtype="complex64"),
            floats(3, 1, dtype="complex64"),
            smooth=False,
        ),
        case(
            "TridiagonalSolve",
            "sequence",
            parts(la("tridiagonal_solve", **sequence)),
            floats(2),
            3 + floats(3),
            floats(2, seed=1),
            floats(3, 1),
        ),
        case("TridiagonalSolve", "perturbed", la("tridiagonal_solve", perturb_singular=True), _rows(3), floats(3, 1)),
        case(
            "TridiagonalMatMul",
            "sequence",
            parts(la("tridiagonal_matmul", **sequence)),
            *(floats(3, seed=s) for s in (0, 1, 2)),
            floats(3, 1),
        ),
    ]


def _banded() -> list[Case]:
    f = lambda **k: la("banded_triangular_solve", **k)

    def bands(count: int, n: int, *batch: int, lower: bool = True, dtype: Any = "float32") -> Array:
        found = floats(*batch, count, n, low=-1.0, high=1.0, dtype=dtype)
        found[..., 0 if lower else count - 1, :] += 3
        return found

    return [
        case("BandedTriangularSolve", "lower", f(), bands(2, 4), floats(4, 2)),
        case("BandedTriangularSolve", "upper", f(lower=False), bands(3, 4, lower=False), floats(4, 1)),
        case("BandedTriangularSolve", "lower, adjoint", f(adjoint=True), bands(2, 3, dtype="complex64"), floats(3, 2, dtype="complex64")),
        case(
            "BandedTriangularSolve",
            "upper, adjoint",
            f(lower=False, adjoint=True),
            bands(2, 3, lower=False, dtype="complex128"),
            floats(3, 1, dtype="complex128"),
        ),
        case("BandedTriangularSolve", "batch", f(), bands(2, 3, 2), floats(2, 3, 1)),
        case("BandedTriangularSolve", "broadcast", f(), bands(2, 3), floats(2, 3, 1)),
        case(
            "BandedTriangularSolve",
            "diagonal",
            lambda tf, x, b: f()(tf, tf.stop_gradient(x), b),
            bands(1, 3, dtype="float64"),
            floats(3, 1, dtype="float64"),
            smooth=False,
        ),
    ]


def _eigh_tridiagonal() -> list[Case]:
    f = lambda **k: la("eigh_tridiagonal", **k)
    a, b = np.array([1.0, 2.0, 3.5]), np.array([0.5, 0.25])

    def squares(tf: Any, x: Any, y: Any) -> Any:
        values, vectors = tf.linalg.eigh_tridiagonal(x, y, eigvals_only=False)
        return values, vectors * vectors

    return [
        # TensorFlow bisects, to less than full precision, and its gradient is wrong: test_linalg_more.py has it
        case("SelfAdjointEigV2", "tridiagonal", values(f()), a, b, smooth=False, rtol=1e-8),
        case("SelfAdjointEigV2", "tridiagonal, numbered", values(f(select="i", select_range=(1, 2))), a, b, smooth=False, rtol=1e-8),
        case("SelfAdjointEigV2", "tridiagonal, between", values(f(select="v", select_range=(1.0, 2.5))), a, b, smooth=False, rtol=1e-8),
        case("SelfAdjointEigV2", "tridiagonal, vectors", values(squares), a, b, smooth=False, rtol=1e-7),
    ]


CASES: list[Case] = [*_functions(), *_lu(), *_eig(), *_tridiagonal(), *_banded(), *_eigh_tridiagonal()]
ERRORS: list[ErrorCase] = [
    *(
        error(f"{op}: not square", la(name), floats(2, 3, dtype=dtype), mode=mode)  # type: ignore[arg-type]  # a literal
        for op, name, dtype in (
            ("MatrixLogarithm", "logm", "complex64"),
            ("MatrixSquareRoot", "sqrtm", "float32"),
            ("Lu", "lu", "float32"),
            ("Eig", "eig", "float32"),
        )
        for mode in ("eager", "graph")
    ),
    error("expm: integers", la("expm"), ints(2, 2)),
    error("MatrixSquareRoot: a vector", la("sqrtm"), floats(2)),
    error("MatrixLogarithm: real", la("logm"), floats(2, 2)),
    error("Lu: singular", la("lu"), SINGULAR),
    error("Eig: not finite", la("eig"), np.full((2, 2), np.nan, np.float32)),
    error("lu_solve: a vector", lambda tf, x, b: tf.linalg.lu_solve(x, [0, 1], b), regular(2), floats(2)),
    error("lu_solve: ranks", lambda tf, x, b: tf.linalg.lu_solve(x, 1, b), regular(2), floats(2, 1)),
    error("tridiagonal_solve: two rows", la("tridiagonal_solve"), floats(2, 3), floats(3, 1)),
    error("tridiagonal_solve: sizes", la("tridiagonal_solve"), floats(3, 3), floats(2, 1)),
    error("tridiagonal_solve: format", la("tridiagonal_solve", diagonals_format="x"), floats(3, 3), floats(3, 1)),
    error(
        "tridiagonal_solve: perturbed without pivots",
        la("tridiagonal_solve", partial_pivoting=False, perturb_singular=True),
        _rows(3),
        floats(3),
    ),
    error("TridiagonalMatMul: ranks", la("tridiagonal_matmul"), _rows(3), floats(3)),
    error("TridiagonalMatMul: batches", la("tridiagonal_matmul"), _rows(3), floats(2, 3, 1)),
    error("BandedTriangularSolve: sizes", la("banded_triangular_solve"), floats(2, 3), floats(2, 1)),
    error("BandedTriangularSolve: singular", la("banded_triangular_solve"), ints(2, 3, high=1, dtype="float32"), floats(3, 1)),
    error("eigh_tridiagonal: selection", la("eigh_tridiagonal", select="q"), floats(3), floats(2)),
    error("eigh_tridiagonal: dtypes", la("eigh_tridiagonal"), floats(3), floats(2, dtype="float64")),
]
