"""Linear operators: what every kind does, against TensorFlow's, and gradients through them."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.cases.case import floats
from tests.golden.programs.kit import raises

FACE = "v2"


def _regular(n: int, *batch: int, dtype: str = "float64", seed: int = 0) -> Any:
    noise = floats(*batch, n, n, low=-0.5, high=0.5, dtype=dtype, seed=seed)
    return noise + np.diag([2.0 + k if k % 2 == 0 else -1.5 - k for k in range(n)]).astype(noise.dtype)


def _positive(n: int, *batch: int, dtype: str = "float64") -> Any:
    a = _regular(n, *batch, dtype=dtype)
    return a @ np.conj(np.swapaxes(a, -1, -2))


def _kinds(tf: Any) -> dict[str, tuple[Any, list[Any]]]:
    """A function that makes an operator of tensors, and the tensors."""
    la = tf.linalg
    full, dia, low = la.LinearOperatorFullMatrix, la.LinearOperatorDiag, la.LinearOperatorLowerTriangular
    wave = np.array([4.0, 1 + 0.5j, 2.0, 1 - 0.5j])
    rows = floats(3, 4, dtype="float64")
    rows[1] += 4
    col = np.array([4.0, 1.0, -0.5])
    row = np.array([4.0, 0.3, 0.7])
    real = {"input_output_dtype": tf.float64}
    return {
        "full": (full, [_regular(3)]),
        "full batch": (full, [_regular(2, 3)]),
        "full complex": (full, [_regular(2, dtype="complex128")]),
        "full positive": (lambda m: full(m, is_self_adjoint=True, is_positive_definite=True), [_positive(3)]),
        "full tall": (full, [floats(3, 2, dtype="float64")]),
        "lower": (low, [_regular(3)]),
        "lower complex": (low, [_regular(2, 2, dtype="complex128")]),
        "diag": (dia, [np.array([2.0, -1.0, 0.5])]),
        "diag batch": (dia, [floats(2, 3, low=0.5, dtype="float64")]),
        "diag complex": (dia, [np.array([2.0 + 1j, -1.0])]),
        "identity": (lambda: la.LinearOperatorIdentity(3, dtype=tf.float64), []),
        "identity batch": (lambda: la.LinearOperatorIdentity(2, batch_shape=[2], dtype=tf.float64), []),
        "scaled": (lambda m: la.LinearOperatorScaledIdentity(3, m), [np.array(-2.0)]),
        "scaled batch": (lambda m: la.LinearOperatorScaledIdentity(2, m), [np.array([1.5, -2.0])]),
        "zeros": (lambda: la.LinearOperatorZeros(3, dtype=tf.float64), []),
        "tridiagonal": (la.LinearOperatorTridiag, [rows]),
        "toeplitz": (la.LinearOperatorToeplitz, [col, row]),
        "householder": (la.LinearOperatorHouseholder, [np.array([1.0, -2.0, 0.5])]),
        "householder complex": (la.LinearOperatorHouseholder, [np.array([1.0j, -2.0])]),
        "permutation": (lambda: la.LinearOperatorPermutation([2, 0, 1], dtype=tf.float64), []),
        "permutation batch": (lambda: la.LinearOperatorPermutation([[2, 0, 1], [1, 0, 2]], dtype=tf.float64), []),
        "circulant": (lambda s: la.LinearOperatorCirculant(s, **real), [wave]),
        "circulant of real numbers": (lambda s: la.LinearOperatorCirculant(s, **real), [np.array([3.0, 1.0, 2.0, 1.0])]),
        "circulant complex": (lambda s: la.LinearOperatorCirculant(s, input_output_dtype=tf.complex128), [np.array([1 + 2j, 3.0, -1j])]),
        "circulant 2": (lambda s: la.LinearOperatorCirculant2D(s, input_output_dtype=tf.complex128), [floats(2, 3, dtype="complex128")]),
        "circulant 3": (lambda s: la.LinearOperatorCirculant3D(s, input_output_dtype=tf.complex128), [floats(2, 1, 2, dtype="complex128")]),
        "kronecker": (lambda a, b: la.LinearOperatorKronecker([full(a), dia(b)]), [_regular(2), np.array([1.0, 2.0, -1.0])]),
        "kronecker of three": (
            lambda a, b, c: la.LinearOperatorKronecker([low(a), full(b), full(c)]), [_regular(2), _regular(2, seed=1), _regular(2, seed=2)]
        ),
        "kronecker tall": (lambda a, b: la.LinearOperatorKronecker([full(a), full(b)]), [floats(2, 1, dtype="float64"), _regular(2)]),
        "block diag": (lambda a, b: la.LinearOperatorBlockDiag([full(a), dia(b)]), [_regular(2), np.array([1.0, -2.0])]),
        "block diag batch": (lambda a, b: la.LinearOperatorBlockDiag([full(a), full(b)]), [_regular(2, 3), _regular(1)]),
        "block lower": (
            lambda a, b, c: la.LinearOperatorBlockLowerTriangular([[full(a)], [full(b), low(c)]]),
            [_regular(2), floats(3, 2, dtype="float64"), _regular(3, seed=1)],
        ),
        "composition": (lambda a, b: la.LinearOperatorComposition([full(a), dia(b)]), [_regular(2), np.array([1.0, -2.0])]),
        "adjoint": (lambda a: la.LinearOperatorAdjoint(full(a)), [_regular(2, dtype="complex128")]),
        "inversion": (lambda a: la.LinearOperatorInversion(full(a)), [_regular(3)]),
        "low rank": (
            lambda d, u, v: la.LinearOperatorLowRankUpdate(dia(d), u, v=v),
            [np.array([2.0, 3.0, -1.5]), 0.3 * floats(3, 2, dtype="float64"), 0.3 * floats(3, 2, dtype="float64", seed=1)],
        ),
        "low rank positive": (
            lambda d, u, w: la.LinearOperatorLowRankUpdate(
                dia(d, is_positive_definite=True), u, diag_update=w, is_diag_update_positive=True
            ),
            [np.array([2.0, 3.0, 1.5]), floats(3, 1, dtype="float64"), np.array([0.5])],
        ),
    }  # fmt: skip


def _operator(tf: Any, kind: str) -> Any:
    make, given = _kinds(tf)[kind]
    return make(*(tf.constant(x) for x in given))


def _argument(op: Any, rows: int, columns: int = 2, seed: int = 7) -> Any:
    batch = [n or 1 for n in op.batch_shape.as_list()]
    return floats(*batch, rows, columns, dtype=op.dtype.name, seed=seed)


def _square(tf: Any) -> list[str]:
    return [kind for kind in _kinds(tf) if _operator(tf, kind).is_square is not False]


def facts(tf: Any) -> dict[str, Any]:
    def told(kind: str) -> Any:
        op = _operator(tf, kind)
        flags = [str(hint) for hint in (op.is_non_singular, op.is_self_adjoint, op.is_positive_definite, op.is_square)]
        sizes = [op.tensor_rank, int(op.domain_dimension), int(op.range_dimension)]
        return [op.shape, op.batch_shape, *sizes, op.dtype, op.name, *flags]

    return {kind: lambda kind=kind: told(kind) for kind in _kinds(tf)}


def shapes(tf: Any) -> dict[str, Any]:
    def told(kind: str) -> Any:
        op = _operator(tf, kind)
        return [
            op.shape_tensor(), op.batch_shape_tensor(), op.tensor_rank_tensor(), op.domain_dimension_tensor(), op.range_dimension_tensor(),
        ]  # fmt: skip

    return {kind: lambda kind=kind: told(kind) for kind in _kinds(tf)}


def matrices(tf: Any) -> dict[str, Any]:
    return {kind: lambda kind=kind: _operator(tf, kind).to_dense() for kind in _kinds(tf)}


def products(tf: Any) -> dict[str, Any]:
    def told(kind: str) -> Any:
        op = _operator(tf, kind)
        m, n = _sizes(tf, kind)
        x, y = _argument(op, n), _argument(op, m)
        turned = np.conj(np.swapaxes(_argument(op, n, 3), -1, -2))
        return [
            op.matmul(x), op.matmul(y, adjoint=True), op.matmul(turned, adjoint_arg=True), op.matvec(x[..., 0]), op @ x,
            op.matvec(y[..., 0], adjoint=True),
        ]  # fmt: skip

    return {kind: lambda kind=kind: told(kind) for kind in _kinds(tf)}


def solutions(tf: Any) -> dict[str, Any]:
    def told(kind: str) -> Any:
        op = _operator(tf, kind)
        y = _argument(op, int(op.range_dimension))
        return [op.solve(y), op.solve(y, adjoint=True), op.solvevec(y[..., 0])]

    return {kind: lambda kind=kind: told(kind) for kind in _square(tf) if kind != "zeros"}


def numbers(tf: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for kind in _square(tf):
        for name in ("diag_part", "trace", "determinant"):
            found[f"{kind}: {name}"] = lambda kind=kind, name=name: getattr(_operator(tf, kind), name)()
        if kind != "zeros":
            found[f"{kind}: logarithm"] = lambda kind=kind: _operator(tf, kind).log_abs_determinant()
            found[f"{kind}: condition"] = lambda kind=kind: tf.abs(_operator(tf, kind).cond())
        if _operator(tf, kind).is_self_adjoint:
            found[f"{kind}: eigenvalues"] = lambda kind=kind: tf.sort(tf.math.real(_operator(tf, kind).eigvals()))
        found[f"{kind}: added"] = lambda kind=kind: _operator(tf, kind).add_to_tensor(_argument(_operator(tf, kind), *_sizes(tf, kind)))
    return found


def _sizes(tf: Any, kind: str) -> tuple[int, int]:
    op = _operator(tf, kind)
    return int(op.range_dimension), int(op.domain_dimension)


def relatives(tf: Any) -> dict[str, Any]:
    # TensorFlow's adjoint of a circulant operator forgets the dtype
    kinds = [kind for kind in _kinds(tf) if "circulant" not in kind or "real" in kind]
    found: dict[str, Any] = {kind: lambda kind=kind: _operator(tf, kind).adjoint().to_dense() for kind in kinds}
    for kind in _square(tf):
        if kind != "zeros":
            found[f"{kind}: inverse"] = lambda kind=kind: _operator(tf, kind).inverse().to_dense()
    for kind in ("full positive", "low rank positive", "identity"):
        found[f"{kind}: cholesky"] = lambda kind=kind: _operator(tf, kind).cholesky().to_dense()
    return found


def pairs(tf: Any) -> dict[str, Any]:
    kinds = ("full", "lower", "diag", "identity", "scaled", "zeros", "permutation", "toeplitz", "householder")

    def told(a: str, b: str) -> Any:
        left, right = _operator(tf, a), _operator(tf, b)
        product = left.matmul(right)
        return [product.to_dense(), *(str(h) for h in (product.is_non_singular, product.is_square))]

    def solved(a: str, b: str) -> Any:
        return _operator(tf, a).solve(_operator(tf, b)).to_dense()

    found: dict[str, Any] = {f"{a} by {b}": lambda a=a, b=b: told(a, b) for a in kinds for b in kinds}
    found |= {f"{a} solved for {b}": lambda a=a, b=b: solved(a, b) for a in ("full", "diag", "lower") for b in ("full", "diag", "identity")}
    classes = [("diag", "diag"), ("diag", "scaled"), ("diag", "lower"), ("identity", "full"), ("full", "full"), ("scaled", "scaled")]
    for a, b in classes:
        found[f"kind of {a} by {b}"] = lambda a=a, b=b: type(_operator(tf, a) @ _operator(tf, b)).__name__
    for kind in ("diag", "identity", "scaled", "full", "circulant", "kronecker", "block diag", "householder", "adjoint"):
        found[f"kind of the adjoint of {kind}"] = lambda kind=kind: type(_operator(tf, kind).H).__name__
        found[f"kind of the inverse of {kind}"] = lambda kind=kind: type(_operator(tf, kind).inverse()).__name__
    return found


def gradients(tf: Any) -> dict[str, Any]:
    def told(kind: str, what: str) -> Any:
        make, given = _kinds(tf)[kind]
        tensors = [tf.constant(x) for x in given]
        with tf.GradientTape() as tape:
            tape.watch(tensors)
            op = make(*tensors)
            x = tf.constant(_argument(op, int(op.range_dimension)))
            y = op.solve(x) if what == "solution" else op.matmul(x) if what == "product" else op.log_abs_determinant()
            loss = tf.reduce_sum(tf.math.real(y * tf.cast(tf.constant(0.5), y.dtype) + y * y))
        return tape.gradient(loss, tensors)

    kinds = [kind for kind in _square(tf) if _kinds(tf)[kind][1] and "tall" not in kind]
    return {f"{kind}: {what}": lambda kind=kind, what=what: told(kind, what) for kind in kinds for what in ("product", "solution", "log")}


def blocks(tf: Any) -> dict[str, Any]:
    x = [floats(2, 1, dtype="float64"), floats(2, 1, dtype="float64", seed=1)]

    def told(f: Any) -> Any:
        return lambda: list(f(_operator(tf, "block diag"), [tf.constant(p) for p in x]))

    return {
        "product": told(lambda op, parts: op.matmul(parts)),
        "vectors": told(lambda op, parts: op.matvec([p[:, 0] for p in parts])),
        "solution": told(lambda op, parts: op.solve(parts)),
    }


def functions(tf: Any) -> dict[str, Any]:
    op = tf.linalg.LinearOperatorDiag([1.0, 2.0], is_positive_definite=True)
    full = tf.linalg.LinearOperatorFullMatrix(_regular(3, dtype="float32"))
    x, y = tf.constant(floats(3, 2)), tf.constant(floats(2, 3))
    return {
        "matmul": lambda: tf.matmul(full, x),
        "matmul, adjoint": lambda: tf.matmul(full, x, adjoint_a=True),
        "matmul from the left": lambda: tf.matmul(y, full),
        "matmul from the left, adjoint": lambda: tf.matmul(x, full, adjoint_a=True),
        "matvec": lambda: tf.linalg.matvec(op, [1.0, 2.0]),
        "solve": lambda: tf.linalg.solve(full, x, adjoint=True),
        "det": lambda: tf.linalg.det(op),
        "logdet": lambda: tf.linalg.logdet(op),
        "inv": lambda: tf.linalg.inv(op).to_dense(),
        "adjoint": lambda: tf.linalg.adjoint(full).to_dense(),
        "trace": lambda: tf.linalg.trace(op),
        "diag_part": lambda: tf.linalg.diag_part(full),
        "cholesky": lambda: tf.linalg.cholesky(op).to_dense(),
    }


def iteration(tf: Any) -> dict[str, Any]:
    def solved(**options: Any) -> Any:
        op = tf.linalg.LinearOperatorFullMatrix(_positive(3), is_self_adjoint=True, is_positive_definite=True)
        found = tf.linalg.experimental.conjugate_gradient(op, tf.constant([1.0, -2.0, 0.5], tf.float64), **options)
        return [found.i, found.x]

    start = np.array([0.1, 0.2, 0.3])
    return {
        "solution": lambda: solved(),
        "one step": lambda: solved(max_iter=1),
        "started": lambda: solved(x=tf.constant(start)),
        "preconditioned": lambda: solved(
            preconditioner=tf.linalg.LinearOperatorDiag(1 / np.diag(_positive(3)), is_positive_definite=True)
        ),
        "not positive": raises(lambda: tf.linalg.experimental.conjugate_gradient(_operator(tf, "full"), tf.zeros([3], tf.float64))),
    }


def refusals(tf: Any) -> dict[str, Any]:
    la = tf.linalg
    diag = la.LinearOperatorDiag([1.0, 2.0])
    return {
        "not self-adjoint": raises(lambda: la.LinearOperatorDiag([1.0], is_self_adjoint=False)),
        "positive and singular": raises(lambda: la.LinearOperatorFullMatrix([[1.0]], is_positive_definite=True, is_non_singular=False)),
        "not square": raises(lambda: la.LinearOperatorFullMatrix([[1.0]], is_non_singular=True, is_square=False)),
        "no matrix": raises(lambda: la.LinearOperatorFullMatrix([1.0])),
        "integers": raises(lambda: la.LinearOperatorFullMatrix([[1]])),
        "dtype": raises(lambda: diag.matmul(tf.ones([2, 1], tf.float64))),
        "sizes": raises(lambda: diag.matmul(tf.ones([3, 1]))),
        "operators of other sizes": raises(lambda: diag.matmul(la.LinearOperatorDiag([1.0]))),
        "solve tall": raises(lambda: _operator(tf, "full tall").solve(tf.ones([3, 1], tf.float64))),
        "solve zeros": raises(lambda: la.LinearOperatorZeros(2).solve(tf.ones([2, 1]))),
        "inverse of zeros": raises(lambda: la.LinearOperatorZeros(2).inverse()),
        "cholesky without hints": raises(lambda: _operator(tf, "full").cholesky()),
        "eigenvalues without hints": raises(lambda: _operator(tf, "full").eigvals()),
        "no operators": raises(lambda: la.LinearOperatorComposition([])),
        "dtypes": raises(lambda: la.LinearOperatorBlockDiag([diag, la.LinearOperatorIdentity(2, dtype=tf.float64)])),
        "identity denied": raises(lambda: la.LinearOperatorIdentity(2, is_self_adjoint=False)),
        "reflection denied": raises(lambda: la.LinearOperatorHouseholder([1.0], is_positive_definite=True)),
        "zeros of two sizes": raises(lambda: la.LinearOperatorZeros(2, 3)),
        "toeplitz of two sizes": raises(
            lambda: la.LinearOperatorToeplitz([1.0, 2.0], [1.0]), otherwise=("ValueError", "InvalidArgumentError")
        ),
        "blocks that do not fit": raises(
            lambda: la.LinearOperatorBlockLowerTriangular([[diag], [la.LinearOperatorFullMatrix([[1.0]]), diag]])
        ),
        "rows of blocks": raises(lambda: la.LinearOperatorBlockLowerTriangular([[diag, diag], [diag]])),
        "inverse denied": raises(lambda: la.LinearOperatorInversion(diag, is_non_singular=False)),
        "assert singular": raises(lambda: la.LinearOperatorDiag([1.0, 0.0]).assert_non_singular()),
        "assert self-adjoint": raises(lambda: la.LinearOperatorFullMatrix([[1.0, 2.0], [0.0, 1.0]]).assert_self_adjoint()),
        "assert positive": raises(lambda: la.LinearOperatorDiag([1.0, -1.0]).assert_positive_definite()),
    }  # fmt: skip
