"""Inverses, determinants, factorisations and solutions of linear systems.

A factorisation of symmetric matrices reads one triangle only, so a difference along any direction that is not symmetric tells nothing:
smooth cases build the symmetric matrix inside `f`; the bare op is golden only.  Vectors of `svd` and `eigh` are known up to a sign or a
phase, so what is compared is free of it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.cases.case import Array, Case, ErrorCase, case, error, floats, ints


def la(called: str, *args: Any, **kwargs: Any) -> Any:
    """`f(tf, *tensors)` that calls `tf.linalg.<called>` with the tensors first."""
    return lambda tf, *xs: getattr(tf.linalg, called)(*xs, *args, **kwargs)


def regular(n: int, *batch: int, dtype: Any = "float32", seed: int = 0) -> Array:
    """Well-conditioned square matrices: a strong diagonal of both signs."""
    noise = floats(*batch, n, n, low=-0.5, high=0.5, dtype=dtype, seed=seed)
    return noise + np.diag([2.0 + k if k % 2 == 0 else -1.5 - k for k in range(n)]).astype(noise.dtype)


def positive(n: int, *batch: int, dtype: Any = "float32", seed: int = 0) -> Array:
    """Hermitian positive definite matrices with distinct eigenvalues."""
    a = regular(n, *batch, dtype=dtype, seed=seed)
    return (a @ np.conj(np.swapaxes(a, -1, -2))).astype(a.dtype)


def spd(tf: Any, x: Any) -> Any:
    """A Hermitian positive definite matrix that depends smoothly on all of `x`."""
    return tf.matmul(x, x, adjoint_b=True)


SINGULAR = np.array([[1, 2], [2, 4]], np.float32)


def _complex(op: str, f: Any) -> list[Case]:
    """TensorFlow's gradient of a complex determinant lacks a conjugation: the differences deny it.  Only the values are golden there.

    That of `slogdet` leaves the phase out.
    """
    values = op == "MatrixDeterminant"
    kept = (lambda tf, x: f(tf, tf.stop_gradient(x))) if values else f
    smooth = op == "MatrixInverse"
    return [
        case(op, "complex64", kept, regular(2, dtype="complex64"), smooth=smooth),
        case(op, "complex128", kept, regular(3, dtype="complex128"), smooth=smooth),
    ]


def _inverses() -> list[Case]:
    found: list[Case] = []
    for op, name in (("MatrixInverse", "inv"), ("MatrixDeterminant", "det"), ("LogMatrixDeterminant", "slogdet")):
        f = la(name)
        found += [
            case(op, "two", f, regular(2)),
            case(op, "three", f, regular(3)),
            case(op, "batch", f, regular(2, 3)),
            case(op, "one", f, regular(1)),
            case(op, "float64", f, regular(3, dtype="float64")),
            *_complex(op, f),
            case(op, "empty batch", f, floats(0, 2, 2), smooth=False),
        ]
    return [
        *found,
        case("MatrixInverse", "adjoint", la("inv", adjoint=True), regular(3)),
        case("MatrixInverse", "complex adjoint", la("inv", adjoint=True), regular(2, dtype="complex64")),
        case("MatrixInverse", "empty", la("inv"), floats(0, 0), smooth=False),
        case("MatrixInverse", "v1", lambda tf, x: tf.matrix_inverse(x), regular(2), face="v1"),
        case("MatrixInverse", "twice", lambda tf, x: tf.linalg.inv(x + tf.linalg.inv(x)), regular(2, dtype="float64")),
        case("MatrixDeterminant", "empty", lambda tf, x: tf.linalg.det(tf.stop_gradient(x)), floats(2, 0, 0), smooth=False),
        case("MatrixDeterminant", "singular, value", lambda tf, x: tf.linalg.det(tf.stop_gradient(x)), SINGULAR, smooth=False),
        case("MatrixDeterminant", "v1", lambda tf, x: tf.matrix_determinant(x), regular(2), face="v1"),
        case("LogMatrixDeterminant", "log only", lambda tf, x: tf.linalg.slogdet(x)[1], regular(3)),
        case(
            "LogMatrixDeterminant",
            "singular, value",
            lambda tf, x: tf.linalg.slogdet(tf.stop_gradient(x)),
            np.zeros((2, 2), np.float32),
            smooth=False,
        ),
        case("LogMatrixDeterminant", "field names", lambda tf, x: tf.linalg.slogdet(x).log_abs_determinant, regular(2)),
        case("Cholesky", "logdet", lambda tf, x: tf.linalg.logdet(spd(tf, x)), regular(3)),
        case("Cholesky", "logdet batch", lambda tf, x: tf.linalg.logdet(spd(tf, x)), regular(2, 2, dtype="float64")),
    ]


def _cholesky() -> list[Case]:
    f = la("cholesky")
    through = lambda tf, x: tf.linalg.cholesky(spd(tf, x))
    return [
        case("Cholesky", "bare", f, positive(3), smooth=False),
        case("Cholesky", "bare batch", f, positive(2, 3), smooth=False),
        case("Cholesky", "bare complex", f, positive(2, dtype="complex64"), smooth=False),
        case("Cholesky", "one triangle is read", f, np.array([[2, 9], [1, 3]], np.float32), smooth=False),
        case("Cholesky", "through", through, regular(3)),
        case("Cholesky", "through batch", through, regular(2, 2)),
        case("Cholesky", "through float64", through, regular(3, dtype="float64")),
        case("Cholesky", "through complex128", through, regular(2, dtype="complex128")),
        case("Cholesky", "one", f, np.array([[4]], np.float32)),
        case("Cholesky", "empty batch", f, floats(0, 2, 2), smooth=False),
        case("Cholesky", "v1", lambda tf, x: tf.cholesky(spd(tf, x)), regular(2), face="v1"),
        case(
            "MatrixTriangularSolve",
            "cholesky_solve",
            lambda tf, x, b: tf.linalg.cholesky_solve(tf.linalg.cholesky(spd(tf, x)), b),
            regular(2),
            floats(2, 3),
        ),
        case("MatrixTriangularSolve", "cholesky_solve batch", la("cholesky_solve"), regular(2, 2), floats(2, 2, 1)),
        case(
            "MatrixTriangularSolve",
            "cholesky_solve complex",
            la("cholesky_solve"),
            regular(2, dtype="complex64"),
            floats(2, 2, dtype="complex64"),
        ),
    ]


def _solves() -> list[Case]:
    solve, tri = la("solve"), la("triangular_solve")
    pairs = [("complex64", 2), ("complex128", 3), ("float64", 3)]
    found: list[Case] = []
    for op, f in (("MatrixSolve", solve), ("MatrixTriangularSolve", tri)):
        found += [
            case(op, "one column", f, regular(3), floats(3, 1)),
            case(op, "three columns", f, regular(2), floats(2, 3)),
            case(op, "batch", f, regular(2, 3), floats(3, 2, 2)),
            case(op, "no columns", f, regular(2), floats(2, 0), smooth=False),
            case(op, "empty batch", f, floats(0, 2, 2), floats(0, 2, 1), smooth=False),
            *(case(op, dtype, f, regular(n, dtype=dtype), floats(n, 2, dtype=dtype)) for dtype, n in pairs),
        ]
    for lower in (True, False):
        for adjoint in (True, False):
            f = la("triangular_solve", lower=lower, adjoint=adjoint)
            where = f"{'lower' if lower else 'upper'}{', adjoint' if adjoint else ''}"
            found.append(case("MatrixTriangularSolve", where, f, regular(3), floats(3, 2)))
            found.append(
                case("MatrixTriangularSolve", f"complex {where}", f, regular(2, dtype="complex64"), floats(2, 2, dtype="complex64"))
            )
    return [
        *found,
        case("MatrixSolve", "adjoint", la("solve", adjoint=True), regular(3), floats(3, 2)),
        case("MatrixSolve", "complex adjoint", la("solve", adjoint=True), regular(2, dtype="complex64"), floats(2, 1, dtype="complex64")),
        case("MatrixSolve", "v1", lambda tf, a, b: tf.matrix_solve(a, b), regular(2), floats(2, 1), face="v1"),
        case("MatrixTriangularSolve", "one matrix, many sides", tri, regular(2), floats(3, 2, 1)),
        case("MatrixTriangularSolve", "many matrices, one side", tri, regular(2, 3), floats(2, 1)),
        case("MatrixTriangularSolve", "upper, batches stretch", la("triangular_solve", lower=False), regular(2, 2, 1), floats(3, 2, 2)),
        case("MatrixTriangularSolve", "v1", lambda tf, a, b: tf.matrix_triangular_solve(a, b), regular(2), floats(2, 1), face="v1"),
    ]


def _unknown_size(tf: Any) -> Any:
    """The gradient of lstsq for a matrix whose size is known only when the graph runs."""
    v1 = tf.compat.v1
    with v1.Graph().as_default():
        matrix = v1.placeholder(tf.float64, [None, None])
        x = tf.linalg.lstsq(matrix, tf.constant([[1.0], [2.0]], tf.float64), l2_regularizer=0.5)
        gradients = v1.gradients(x, matrix)
        with v1.Session() as session:
            found = session.run(gradients[0], {matrix: floats(2, 4, dtype="float64")})
    return tf.constant(found)


def _least_squares() -> list[Case]:
    fit = lambda tf, a, b, **k: tf.linalg.lstsq(a, b, **k)
    tall, wide = floats(4, 2, dtype="float64"), floats(2, 4, dtype="float64")
    loose = {"rtol": 1e-3}  # the normal equations square the condition number
    return [
        case("MatrixSolveLs", "tall", fit, tall, floats(4, 1, dtype="float64", seed=1)),
        case("MatrixSolveLs", "tall, two columns", fit, tall, floats(4, 2, dtype="float64", seed=1)),
        case("MatrixSolveLs", "wide", fit, wide, floats(2, 1, dtype="float64", seed=1)),
        case(
            "MatrixSolveLs",
            "tall, regularised",
            lambda tf, a, b: fit(tf, a, b, l2_regularizer=0.5),
            tall,
            floats(4, 1, dtype="float64", seed=1),
        ),
        case(
            "MatrixSolveLs",
            "wide, regularised",
            lambda tf, a, b: fit(tf, a, b, l2_regularizer=0.5),
            wide,
            floats(2, 1, dtype="float64", seed=1),
        ),
        case("MatrixSolveLs", "size known when the graph runs", _unknown_size, smooth=False),
        case("MatrixSolveLs", "square", fit, regular(2), floats(2, 1), **loose),
        case("MatrixSolveLs", "batch", fit, floats(2, 4, 2), floats(2, 4, 1, seed=1), **loose),
        case(
            "MatrixSolveLs",
            "not fast, value",
            lambda tf, a, b: fit(tf, tf.stop_gradient(a), tf.stop_gradient(b), fast=False),
            tall,
            floats(4, 1, dtype="float64", seed=1),
            smooth=False,
        ),
    ]


def _spectra() -> list[Case]:
    symmetric = lambda tf, x: x + tf.linalg.adjoint(x)
    values = lambda tf, x: tf.linalg.eigvalsh(symmetric(tf, x))

    def spectral(tf: Any, x: Any) -> list[Any]:
        """Eigenvalues, and a function of the matrix (its square root) that does not know the vectors' signs."""
        e, v = tf.linalg.eigh(spd(tf, x))
        root = tf.cast(tf.sqrt(tf.math.real(e)), v.dtype) if v.dtype.is_complex else tf.sqrt(e)
        return [e, tf.matmul(v * root[..., None, :], v, adjoint_b=True)]

    def projectors(tf: Any, x: Any, full: bool = False) -> list[Any]:
        """Singular values, and the matrices that the vectors span, free of their signs."""
        s, u, v = tf.linalg.svd(x, full_matrices=full)
        k = min(x.shape[-2], x.shape[-1])
        return [s, tf.matmul(u[..., :k] * tf.cast(s, u.dtype)[..., None, :] ** 2, v[..., :k], adjoint_b=True)]

    def positive_qr(tf: Any, x: Any, full: bool = False) -> list[Any]:
        """Q and R with a positive diagonal in R."""
        q, r = tf.linalg.qr(x, full_matrices=full)
        k = min(x.shape[-2], x.shape[-1])
        sign = tf.sign(tf.linalg.diag_part(r[..., :k, :k]))
        return [q[..., :k] * sign[..., None, :], r[..., :k, :] * sign[..., :, None]]

    return [
        case("SelfAdjointEigV2", "values, bare", la("eigvalsh"), positive(3), smooth=False),
        case("SelfAdjointEigV2", "values", values, regular(3)),
        case("SelfAdjointEigV2", "values, batch", values, regular(2, 2, dtype="float64")),
        case("SelfAdjointEigV2", "values, complex", values, regular(2, dtype="complex128")),
        case("SelfAdjointEigV2", "values, one", la("eigvalsh"), regular(1)),
        case("SelfAdjointEigV2", "vectors", spectral, regular(3), atol=1e-5),  # its gradient divides by differences of eigenvalues
        case("SelfAdjointEigV2", "vectors, float64 batch", spectral, regular(3, 2, dtype="float64")),
        case("SelfAdjointEigV2", "vectors, complex", spectral, regular(2, dtype="complex128")),
        case("SelfAdjointEigV2", "v1 values", lambda tf, x: tf.self_adjoint_eigvals(x + tf.matrix_transpose(x)), regular(2), face="v1"),
        case("Svd", "values", la("svd", compute_uv=False), floats(2, 3)),
        case("Svd", "values, tall", la("svd", compute_uv=False), floats(4, 2, dtype="float64")),
        case("Svd", "values, batch", la("svd", compute_uv=False), regular(2, 2)),
        case("Svd", "square", projectors, regular(3)),
        case("Svd", "wide", projectors, floats(2, 3, dtype="float64")),
        case("Svd", "tall", projectors, floats(3, 2)),
        case("Svd", "batch", projectors, regular(2, 2, dtype="float64")),
        case("Svd", "full", lambda tf, x: projectors(tf, x, True), floats(2, 3, dtype="float64")),
        case("Svd", "values, complex", la("svd", compute_uv=False), floats(2, 3, dtype="complex128")),
        case("Svd", "spectral norm", lambda tf, x: tf.norm(x, 2, axis=[0, 1]), floats(2, 3)),
        case("Svd", "spectral norm of complex", lambda tf, x: tf.norm(x, 2, axis=[-2, -1]), floats(2, 3, dtype="complex128")),
        case("Svd", "matrix_rank", la("matrix_rank"), SINGULAR, smooth=False),
        case("PseudoInverse", "tall", la("pinv"), floats(3, 2, dtype="float64")),
        case("PseudoInverse", "wide", la("pinv"), floats(2, 3)),
        case("PseudoInverse", "batch, a cutoff each", la("pinv", rcond=[0.1, 0.6]), np.array([[[1.0, 0.0], [0.0, 0.5]]] * 2), smooth=False),
        case("Qr", "square", positive_qr, regular(3)),
        case("Qr", "tall", positive_qr, floats(3, 2, dtype="float64")),
        case("Qr", "wide", positive_qr, floats(2, 3, dtype="float64")),
        case("Qr", "batch", positive_qr, regular(2, 2)),
        case("Qr", "full of square", lambda tf, x: positive_qr(tf, x, True), regular(2)),
    ]


CASES: list[Case] = [*_inverses(), *_cholesky(), *_solves(), *_least_squares(), *_spectra()]


def _errors() -> list[ErrorCase]:
    found: list[ErrorCase] = []
    square = {
        "MatrixInverse": "inv",
        "MatrixDeterminant": "det",
        "LogMatrixDeterminant": "slogdet",
        "Cholesky": "cholesky",
        "SelfAdjointEigV2": "eigh",
    }
    for mode in ("eager", "graph"):

        def wrong(label: str, f: Any, *inputs: Any, mode: Any = mode) -> None:
            found.append(error(label, f, *inputs, mode=mode))

        for op, name in square.items():
            wrong(f"{op}: not square", la(name), floats(2, 3))
            wrong(f"{op}: vector", la(name), floats(2))
            wrong(f"{op}: integers", la(name), ints(2, 2))
        wrong("Svd: vector", la("svd"), floats(2))
        wrong("Qr: vector", la("qr"), floats(2))
        wrong("MatrixSolve: rows differ", la("solve"), regular(2), floats(3, 1))
        wrong("MatrixSolve: vector on the right", la("solve"), regular(2), floats(2))
        wrong("MatrixSolve: not square", la("solve"), floats(2, 3), floats(2, 1))
        wrong("MatrixSolve: two dtypes", la("solve"), regular(2), floats(2, 1, dtype="float64"))
        wrong("MatrixTriangularSolve: rows differ", la("triangular_solve"), regular(2), floats(3, 1))
        wrong("MatrixTriangularSolve: not square", la("triangular_solve"), floats(2, 3), floats(2, 1))
        wrong("MatrixInverse: singular", la("inv"), SINGULAR)
        wrong("MatrixSolve: singular", la("solve"), SINGULAR, floats(2, 1))
    return found


ERRORS: list[ErrorCase] = _errors()
