"""Gradients of sparse operations where TensorFlow has none, or fails: against differences, in both modes and to second order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pullback as tf
from pullback.tensorflow.csr.matrix import CSRSparseMatrix, matmul
from pullback.testing.check import check_gradients
from tests.cases.case import floats
from tests.cases.sparse import CUBE, OTHERS, sparse

V = floats(3, dtype="float64")
W = floats(3, dtype="float64", seed=1)
RAW = tf.raw_ops
CSR_PLACES = [[0, 0], [0, 2], [1, 2], [2, 0]]
IDS = {"indices": np.int32([3, 0, 0]), "segment_ids": np.int32([0, 0, 1])}


def _values(x: Any) -> Any:
    return x.values


def _weighted_counts(w: Any) -> Any:
    dense = tf.sparse.bincount(np.int32([[1, 1, 3]]), weights=tf.reshape(w, [1, 3]), axis=-1)
    return [dense.values, tf.sparse.bincount(sparse(tf, np.int32([5, 1, 1])), weights=sparse(tf, w), axis=-1).values]


def _csr(values: Any, places: Any = CSR_PLACES, shape: Any = (3, 3)) -> Any:
    return RAW.SparseTensorToCSRSparseMatrix(indices=np.int64(places), values=values, dense_shape=np.int64(shape))


def _dense(matrix: Any, dtype: Any = tf.float64) -> Any:
    return RAW.CSRSparseMatrixToDense(sparse_input=matrix, type=dtype)


def _product(dtype: Any, **flags: Any) -> Callable[..., Any]:
    def call(v: Any) -> Any:
        other = _csr(v[1], [[0, 1], [1, 0], [2, 1], [2, 2]])
        whole = _dense(RAW.SparseMatrixSparseMatMul(a=_csr(v[0]), b=other, type=dtype, **flags), dtype)
        return tf.abs(whole[:2]) if dtype.is_complex else whole

    return call


def _scaled_sum(v: Any) -> Any:
    other = _csr(v[1], [[0, 1], [0, 2], [2, 1], [2, 2]])
    return _dense(RAW.SparseMatrixAdd(a=_csr(v[0]), b=other, alpha=v[2], beta=v[3]))


CSR_V, CSR_W = floats(4, dtype="float64"), floats(4, dtype="float64", seed=1)
BEYOND: dict[str, tuple[Callable[..., Any], Any]] = {
    "concat": (lambda v: _values(tf.sparse.concat(1, [sparse(tf, v[0]), sparse(tf, v[1], OTHERS)])), [V, W]),
    "concat, rows": (lambda v: _values(tf.sparse.concat(0, [sparse(tf, v[0]), sparse(tf, v[1], OTHERS)])), [V, W]),
    "split": (lambda v: [p.values for p in tf.sparse.split(sparse(tf, v * v), 2, 1)], V),
    "maximum": (lambda v: _values(tf.sparse.maximum(sparse(tf, v[0]), sparse(tf, v[1] * v[1], OTHERS))), [V, W]),
    "minimum": (lambda v: _values(tf.sparse.minimum(sparse(tf, v[0] * v[0]), sparse(tf, v[1], OTHERS))), [V, W]),
    "reduce_max": (lambda v: tf.sparse.reduce_max(sparse(tf, v * v), 1), V),
    "reduce_max, all": (lambda v: tf.sparse.reduce_max(sparse(tf, v * v)), V),
    "reduce_max, kept": (lambda v: tf.sparse.reduce_max(sparse(tf, v * v), 0, keepdims=True), V),
    "reduce_max, sparse": (lambda v: _values(tf.sparse.reduce_max(sparse(tf, v * v), 1, output_is_sparse=True)), V),
    "reduce_sum, sparse": (lambda v: _values(tf.sparse.reduce_sum(sparse(tf, v * v), 1, output_is_sparse=True)), V),
    "reduce_sum, sparse, all": (lambda v: _values(tf.sparse.reduce_sum(sparse(tf, v * v), output_is_sparse=True)), V),
    "reduce_sum, sparse, cube": (
        lambda v: _values(tf.sparse.reduce_sum(sparse(tf, v * v, CUBE, (2, 2, 2)), [0, 2], output_is_sparse=True)),
        floats(4, dtype="float64"),
    ),
    "times a scalar": (lambda v: _values(sparse(tf, v[0]) * v[1]), [V, np.float64(1.5)]),
    "plus a row": (
        lambda v: RAW.SparseDenseCwiseAdd(
            sp_indices=OTHERS, sp_values=v[0] * v[0], sp_shape=[2, 3], dense=v[1]
        ),
        [V, W],
    ),
    "times a row, complex": (
        lambda v: tf.abs(_values(sparse(tf, v[0]) * v[1])),
        [floats(3, dtype="complex128"), floats(3, dtype="complex128", seed=1)],
    ),
    "one value at many places": (
        lambda v: RAW.SparseToDense(sparse_indices=[1, 2], output_shape=[4], sparse_values=v[0], default_value=v[1]),
        [np.float64(2.0), np.float64(0.5)],
    ),
    "SparseAddGrad": (
        lambda g: list(RAW.SparseAddGrad(backprop_val_grad=g * g, a_indices=OTHERS, b_indices=OTHERS[:1], sum_indices=OTHERS)), V,
    ),
    "SparseFillEmptyRowsGrad": (
        lambda g: list(RAW.SparseFillEmptyRowsGrad(reverse_index_map=np.int64([1, 0]), grad_values=g * g)), V,
    ),
    "SparseSliceGrad": (
        lambda g: RAW.SparseSliceGrad(
            backprop_val_grad=g[:2] * g[1:], input_indices=OTHERS, input_start=np.int64([0, 1]), output_indices=np.int64([[0, 0], [1, 1]])
        ),
        V,
    ),
    "weights of counts": (_weighted_counts, V),
    "weights of counts in rows": (
        lambda w: [
            RAW.SparseBincount(indices=OTHERS, values=np.int32([1, 1, 9]), dense_shape=[2, 3], size=4, weights=w * w),
            RAW.SparseBincount(indices=[[0], [2], [3]], values=np.int32([1, 1, 2]), dense_shape=[5], size=3, weights=w),
            RAW.RaggedBincount(splits=[0, 2, 3], values=np.int32([5, 1, 1]), size=4, weights=w),
            RAW.RaggedCountSparseOutput(splits=[0, 2, 3], values=np.int32([1, 1, 1]), weights=w * w, binary_output=False)[1],
        ],
        V,
    ),
    "CSR sum": (_scaled_sum, [CSR_V, CSR_W, np.float64(1.5), np.float64(-0.5)]),
    "CSR times a row": (lambda v: _dense(RAW.SparseMatrixMul(a=_csr(v[0] * v[0]), b=v[1])), [CSR_V, W]),
    "CSR times a number": (lambda v: _dense(RAW.SparseMatrixMul(a=_csr(v[0]), b=v[1])), [CSR_V, np.float64(1.5)]),
    "CSR softmax": (lambda v: _dense(RAW.SparseMatrixSoftmax(logits=_csr(v), type=tf.float64)), CSR_V),
    **{
        f"CSR product, {', '.join(flags) or 'plain'}": (_product(tf.float64, **flags), [CSR_V, CSR_W])
        for flags in ({}, {"transpose_a": True}, {"transpose_b": True}, {"adjoint_a": True, "adjoint_b": True})
    },
    "CSR product, complex": (
        _product(tf.complex128, adjoint_a=True), [floats(4, dtype="complex128"), floats(4, dtype="complex128", seed=1)],
    ),
    **{
        f"SparseSegment{how}Grad": (
            lambda g, how=how: getattr(RAW, f"SparseSegment{how}Grad")(grad=g * g, output_dim0=4, **IDS), floats(2, 2, dtype="float64"),
        )
        for how in ("Sum", "Mean", "SqrtN")
    },
    **{
        f"SparseSegment{how}GradV2": (
            lambda g, how=how: getattr(RAW, f"SparseSegment{how}GradV2")(grad=g * g, dense_output_dim0=4, **IDS)[0],
            floats(2, 2, dtype="float64"),
        )
        for how in ("Sum", "Mean", "SqrtN")
    },
}  # fmt: skip


@pytest.mark.parametrize("name", BEYOND)
def test_derivatives(name: str) -> None:
    f, x = BEYOND[name]
    verdict = check_gradients(f, x)
    assert verdict.passed, str(verdict)


def test_equal_maxima_share_the_gradient() -> None:
    x = tf.constant([2.0, 2.0, 1.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.sparse.reduce_max(sparse(tf, x, [[0, 0], [0, 1], [0, 2]]), 1)
    assert tape.gradient(y, x).numpy().tolist() == [0.5, 0.5, 0.0]


def test_a_huge_dense_shape_needs_no_memory() -> None:
    """Index vectors whose numbers no int64 holds."""
    large = 2**40
    x = tf.SparseTensor([[large - 1, 5], [3, large - 1], [3, 2]], [1.0, 2.0, 3.0], [large, large])
    assert tf.sparse.reorder(x).values.numpy().tolist() == [3.0, 2.0, 1.0]
    total = tf.sparse.add(tf.sparse.reorder(x), tf.sparse.reorder(x))
    assert total.values.numpy().tolist() == [6.0, 4.0, 2.0]


class TestMatrix:
    """The class of CSR matrices."""

    A = np.array([[1.0, 0.0, 2.0], [0.0, 0.0, 3.0]])
    B = np.array([[1.0, 2.0], [0.0, 4.0]])

    @pytest.mark.parametrize("turn", [{}, {"transpose": True}, {"adjoint": True}])
    def test_products(self, turn: dict[str, bool]) -> None:
        a, b = CSRSparseMatrix(tf.constant(self.A)), CSRSparseMatrix(tf.constant(self.B))
        flags = {f"{k}_a": v for k, v in turn.items()}
        wanted = self.A.T @ self.B if turn else self.B @ self.A
        if turn:
            assert np.array_equal(matmul(a, self.B, **flags).numpy(), wanted)
            assert np.array_equal(matmul(a, b, **flags).to_dense().numpy(), wanted)
            assert np.array_equal(matmul(self.A, b, **flags).numpy(), wanted)
            turned_b = {f"{k}_b": v for k, v in turn.items()}
            assert np.array_equal(matmul(self.A.T, b, **turned_b).numpy(), self.A.T @ self.B.T)
        else:
            assert np.array_equal(matmul(b, self.A).numpy(), wanted)
            assert np.array_equal(matmul(self.B, a).numpy(), wanted)
            assert np.array_equal(matmul(b, a).to_dense().numpy(), wanted)

    def test_methods(self) -> None:
        a = CSRSparseMatrix(tf.constant(self.A))
        assert a.shape.as_list() == [2, 3] and a.dtype == tf.float64 and a.nnz().numpy() == 3
        assert a.transpose().shape.as_list() == [3, 2]
        assert np.array_equal(a.hermitian_transpose().to_dense().numpy(), self.A.T)
        assert a.sorted_indices().numpy().tolist() == [[0, 0], [0, 2], [1, 2]]
        assert np.array_equal(tf.sparse.to_dense(CSRSparseMatrix(a.to_sparse_tensor()).to_sparse_tensor()).numpy(), self.A)
