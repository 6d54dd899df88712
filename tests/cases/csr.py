"""CSR matrices: values in, and every operation on them, with gradients through the matrices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.cases.case import Case, ErrorCase, case, error, floats

PLACES = [[0, 0], [0, 2], [1, 2], [2, 0]]
BATCH = [[0, 0, 1], [0, 1, 0], [1, 1, 1], [1, 1, 2]]


def csr(tf: Any, values: Any, places: Any = PLACES, shape: Any = (3, 3)) -> Any:
    """A CSR matrix of values in places."""
    return tf.raw_ops.SparseTensorToCSRSparseMatrix(indices=np.int64(places), values=values, dense_shape=np.int64(shape))


def dense(tf: Any, matrix: Any, like: Any) -> Any:
    """The matrix as a tensor."""
    return tf.raw_ops.CSRSparseMatrixToDense(sparse_input=matrix, type=like.dtype)


def product(**flags: Any) -> Callable[..., Any]:
    """With a dense matrix."""
    return lambda tf, v, b: tf.raw_ops.SparseMatrixMatMul(a=csr(tf, v), b=b, **flags)


def square(**flags: Any) -> Callable[..., Any]:
    """Of two CSR matrices; TensorFlow's gradient of it does not run eagerly (tests/test_sparse_beyond.py has ours)."""

    def call(tf: Any, v: Any, w: Any) -> Any:
        v, w = tf.stop_gradient(v), tf.stop_gradient(w)
        other = csr(tf, w, [[0, 1], [1, 0], [2, 1], [2, 2]])
        return dense(tf, tf.raw_ops.SparseMatrixSparseMatMul(a=csr(tf, v), b=other, type=v.dtype, **flags), v)

    return call


def _products(dtype: str) -> list[Case]:
    v, b = floats(4, dtype=dtype), floats(3, 3, dtype=dtype, seed=1)
    w = floats(4, dtype=dtype, seed=2)
    flags = ({}, {"transpose_a": True}, {"transpose_b": True}, {"adjoint_a": True}, {"adjoint_b": True},
             {"transpose_a": True, "transpose_b": True}, {"adjoint_a": True, "adjoint_b": True})  # fmt: skip
    outputs = ({"transpose_output": True}, {"conjugate_output": True}, {"transpose_a": True, "transpose_output": True})
    return [
        *(case("SparseMatrixMatMul", f"{', '.join(f) or 'plain'}, {dtype}", product(**f), v, b) for f in (*flags, *outputs)),
        *(case("SparseMatrixSparseMatMul", f"{', '.join(f) or 'plain'}, {dtype}", square(**f), v, w, smooth=False) for f in flags),
    ]


def _greatest(**flags: Any) -> Callable[..., Any]:
    """The greatest entries of a product of two CSR matrices, which TensorFlow has no gradient for."""

    def call(tf: Any, v: Any, w: Any) -> Any:
        other = csr(tf, w, [[0, 1], [1, 0], [2, 1], [2, 2]])
        whole = tf.raw_ops.SparseMatrixSparseMatMul(a=csr(tf, v), b=other, type=v.dtype, **flags)
        indices, values, shape = tf.raw_ops.CSRSparseMatrixToSparseTensor(sparse_matrix=whole, type=v.dtype)
        return tf.raw_ops.SparseReduceMax(input_indices=indices, input_values=values, input_shape=shape, reduction_axes=[1])

    return call


def _sum(tf: Any, v: Any, w: Any, alpha: Any, beta: Any) -> Any:
    other = csr(tf, w, [[0, 1], [0, 2], [2, 1], [2, 2]])
    return dense(tf, tf.raw_ops.SparseMatrixAdd(a=csr(tf, v), b=other, alpha=alpha, beta=beta), v)


def _scaled(tf: Any, v: Any, b: Any) -> Any:
    return dense(tf, tf.raw_ops.SparseMatrixMul(a=csr(tf, v), b=b), v)


def _of_batch(tf: Any, v: Any, b: Any) -> Any:
    return tf.raw_ops.SparseMatrixMatMul(a=csr(tf, v, BATCH, (2, 2, 3)), b=b)


def _read(tf: Any, v: Any) -> Any:
    indices, values, shape = tf.raw_ops.CSRSparseMatrixToSparseTensor(sparse_matrix=csr(tf, v), type=v.dtype)
    return [indices, values, shape]


def _from_dense(tf: Any, x: Any) -> Any:
    return dense(tf, tf.raw_ops.DenseToCSRSparseMatrix(dense_input=x, indices=np.int64(PLACES)), x)


def _transposed(conjugate: bool) -> Callable[..., Any]:
    return lambda tf, v: dense(tf, tf.raw_ops.SparseMatrixTranspose(input=csr(tf, v), type=v.dtype, conjugate=conjugate), v)


CASES: list[Case] = [
    case("CSRSparseMatrixToDense", "float32", lambda tf, v: dense(tf, csr(tf, v), v), floats(4)),
    case("CSRSparseMatrixToDense", "float64", lambda tf, v: dense(tf, csr(tf, v), v), floats(4, dtype="float64")),
    case("CSRSparseMatrixToDense", "complex64", lambda tf, v: dense(tf, csr(tf, v), v), floats(4, dtype="complex64")),
    case("CSRSparseMatrixToDense", "batch", lambda tf, v: dense(tf, csr(tf, v, BATCH, (2, 2, 3)), v), floats(4)),
    case("CSRSparseMatrixToDense", "twice", lambda tf, v: dense(tf, csr(tf, v * v), v) * dense(tf, csr(tf, v), v), floats(4)),
    case("CSRSparseMatrixToSparseTensor", "parts", _read, floats(4)),
    case("DenseToCSRSparseMatrix", "some entries", _from_dense, floats(3, 3)),
    case("DenseToCSRSparseMatrix", "complex64", _from_dense, floats(3, 3, dtype="complex64")),
    case("SparseMatrixTranspose", "float32", _transposed(False), floats(4)),
    case("SparseMatrixTranspose", "conjugate", _transposed(True), floats(4, dtype="complex64")),
    *_products("float32"),
    *_products("complex64"),
    case("SparseMatrixMatMul", "batch", _of_batch, floats(4), floats(2, 3, 2, seed=1)),
    case("SparseMatrixMatMul", "float64", product(), floats(4, dtype="float64"), floats(3, 2, dtype="float64")),
    *(case("SparseMatrixSparseMatMul", f"the greatest, {', '.join(f) or 'plain'}", _greatest(**f), floats(4), floats(4, seed=1))
      for f in ({}, {"transpose_a": True}, {"adjoint_b": True})),
    # TensorFlow has kernels for these on graphics cards only
    case("SparseMatrixAdd", "two", _sum, floats(4), floats(4, seed=1), floats(), floats(seed=1)),
    case("SparseMatrixMul", "a number", _scaled, floats(4), floats()),
    case("SparseMatrixMul", "a row", _scaled, floats(4), floats(3, seed=1)),
    case("SparseMatrixSoftmax", "rows", lambda tf, v: dense(tf, tf.raw_ops.SparseMatrixSoftmax(
        logits=csr(tf, v), type=v.dtype), v), floats(4)),
    case("SparseMatrixZeros", "none", lambda tf: tf.raw_ops.CSRSparseMatrixToDense(
        sparse_input=tf.raw_ops.SparseMatrixZeros(dense_shape=np.int64([2, 3]), type=tf.float32), type=tf.float32)),
    case("SparseMatrixNNZ", "matrix", lambda tf, v: tf.raw_ops.SparseMatrixNNZ(sparse_matrix=csr(tf, v)), floats(4), smooth=False),
    case("SparseMatrixNNZ", "batch", lambda tf, v: tf.raw_ops.SparseMatrixNNZ(
        sparse_matrix=csr(tf, tf.stop_gradient(v), BATCH, (2, 2, 3))), floats(4), smooth=False),
    case("CSRSparseMatrixComponents", "second of a batch", lambda tf, v: list(tf.raw_ops.CSRSparseMatrixComponents(
        csr_sparse_matrix=csr(tf, tf.stop_gradient(v), BATCH, (2, 2, 3)), index=1, type=v.dtype)), floats(4), smooth=False),
]  # fmt: skip
ERRORS: list[ErrorCase] = [
    error("SparseMatrixMatMul: inner sizes differ", product(), floats(4), floats(2, 2)),
    error("CSRSparseMatrixComponents: no such matrix", lambda tf, v: tf.raw_ops.CSRSparseMatrixComponents(
        csr_sparse_matrix=csr(tf, v), index=1, type=v.dtype), floats(4)),
]  # fmt: skip
