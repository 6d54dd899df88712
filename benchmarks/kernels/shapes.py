"""What is measured, continued: the rest of the operations on shapes, places and order, and older forms of them."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from .table import SIDE, N, Rows, inside, integers, numbers, tensors


def padded_and_placed(tf: Any) -> Rows:
    t = tensors(tf, x=numbers(SIDE, SIDE), g=numbers(SIDE + 2, SIDE + 4), v=numbers(N), rows=numbers(200, SIDE))
    raw = tf.raw_ops
    ids, two = tf.constant(integers(SIDE, 200, 1)), [[1, 1], [2, 2]]
    yield "PadV2", partial(raw.PadV2, input=t.x, paddings=two, constant_values=1.0)
    yield "MirrorPadGrad", partial(raw.MirrorPadGrad, input=t.g, paddings=two, mode="REFLECT")
    steps: dict[str, Any] = {"begin": [10, 0], "end": [210, SIDE], "strides": [1, 1]}
    yield "TensorStridedSliceUpdate", partial(raw.TensorStridedSliceUpdate, input=t.x, value=t.rows, **steps)
    for name in ("TensorScatterSub", "TensorScatterMin"):
        yield name, partial(getattr(raw, name), tensor=t.x, indices=ids, updates=t.rows)
    yield "ScatterNdNonAliasingAdd", partial(raw.ScatterNdNonAliasingAdd, input=t.x, indices=ids, updates=t.rows)
    yield "Gather", partial(raw.Gather, params=t.x, indices=ids)
    yield "Concat", partial(raw.Concat, concat_dim=0, values=[t.x, t.x])
    yield "ParallelConcat", partial(raw.ParallelConcat, values=[t.x[None], t.x[None]], shape=[2, SIDE, SIDE])
    yield "Reverse", partial(raw.Reverse, tensor=t.x, dims=[True, False])
    image = tf.reshape(t.v, [1, 250, 250, 16])
    none = [[0, 0], [0, 0]]
    yield "SpaceToBatch", partial(raw.SpaceToBatch, input=image, paddings=none, block_size=2)
    yield "BatchToSpace", partial(raw.BatchToSpace, input=tf.reshape(t.v, [4, 125, 125, 16]), crops=none, block_size=2)
    yield "DataFormatDimMap", partial(raw.DataFormatDimMap, x=tf.constant(integers(4, N)))
    yield "DataFormatVecPermute", partial(raw.DataFormatVecPermute, x=tf.constant([7, 4, 9, 3]))
    halves = [tf.constant(ids) for ids in np.split(np.random.default_rng(0).permutation(SIDE).astype("int32"), 2)]
    yield "ParallelDynamicStitch", partial(raw.ParallelDynamicStitch, indices=halves, data=[t.x[:500], t.x[500:]])


def found(tf: Any) -> Rows:
    t = tensors(
        tf,
        v=numbers(N),
        x=numbers(SIDE, SIDE),
        i=integers(100_000, N),
        few=integers(1000, N),
        odd=np.arange(1, 100_000, 2, dtype="int32"),
        rows=integers(2, 20_000, 10),
        targets=integers(SIDE, SIDE),
        w=numbers(N, seed=1),
    )
    raw = tf.raw_ops
    yield "ListDiff", partial(raw.ListDiff, x=t.i, y=t.odd)
    yield "UnravelIndex", partial(raw.UnravelIndex, indices=t.i, dims=[SIDE, SIDE])
    yield "UniqueV2", partial(raw.UniqueV2, x=t.few, axis=[0])
    yield "UniqueV2, rows", partial(raw.UniqueV2, x=t.rows, axis=[0])
    yield "UniqueWithCountsV2", partial(raw.UniqueWithCountsV2, x=t.few, axis=[0])
    yield "Bincount", partial(raw.Bincount, arr=t.few, size=SIDE, weights=t.w)
    yield "InTopK", partial(raw.InTopK, predictions=t.x, targets=t.targets, k=10)
    yield "ApproxTopK", partial(raw.ApproxTopK, input=t.x, k=10)
    yield "IsotonicRegression", partial(raw.IsotonicRegression, input=t.x)


def older_matrices(tf: Any) -> Rows:
    t = tensors(tf, d=numbers(SIDE), batch=numbers(100, 100, 100), rows=numbers(100, 100), a=numbers(32, 128, 256), b=numbers(32, 256, 128))
    t.x = tf.constant(numbers(SIDE, SIDE))
    raw = tf.raw_ops
    yield "Diag", partial(raw.Diag, diagonal=t.d)
    yield "DiagPart", partial(raw.DiagPart, input=t.x)
    yield "MatrixDiag", partial(raw.MatrixDiag, diagonal=t.rows)
    yield "MatrixDiagPart", partial(raw.MatrixDiagPart, input=t.batch)
    yield "MatrixSetDiag", partial(raw.MatrixSetDiag, input=t.batch, diagonal=t.rows)
    yield "MatrixDiagV2", partial(raw.MatrixDiagV2, diagonal=t.rows, k=0, num_rows=-1, num_cols=-1, padding_value=0.0)
    yield "MatrixDiagPartV2", partial(raw.MatrixDiagPartV2, input=t.batch, k=0, padding_value=0.0)
    yield "MatrixSetDiagV2", partial(raw.MatrixSetDiagV2, input=t.batch, diagonal=t.rows, k=0)
    yield "BatchMatMul", partial(raw.BatchMatMul, x=t.a, y=t.b)
    yield "BatchMatMulV3", partial(raw.BatchMatMulV3, x=t.a, y=t.b, Tout=tf.float32)
    sparse = tf.constant(numbers(500, 500) * (numbers(500, 500, seed=1) > 1.5))
    yield "SparseMatMul", partial(raw.SparseMatMul, a=sparse, b=t.x[:500, :500], a_is_sparse=True)
    yield "BiasAddV1", partial(raw.BiasAddV1, value=t.x, bias=t.d)


def matrices(tf: Any) -> Rows:
    many = numbers(500, 8, 8, dtype="float64")
    positive = many @ many.swapaxes(1, 2) + 8 * np.eye(8)
    t = tensors(tf, m=many / 8, p=positive, x=numbers(300, 300, dtype="float64"), lower=np.linalg.cholesky(positive))
    t.rhs, t.d = tf.constant(numbers(10_000, 10)), tf.constant(numbers(3, 10_000) + np.array([[0], [9], [0]], "float32"))
    raw = tf.raw_ops
    yield "Eig", partial(raw.Eig, input=t.m, Tout=tf.complex128)
    yield "MatrixExponential", partial(tf.linalg.expm, t.m)
    yield "MatrixLogarithm", partial(raw.MatrixLogarithm, input=tf.cast(t.p[:50], tf.complex128))
    yield "MatrixSquareRoot", partial(raw.MatrixSquareRoot, input=t.p)
    yield "Lu, 500 x 8", partial(raw.Lu, input=t.m)
    yield "Lu, 300", partial(raw.Lu, input=t.x)
    yield "CholeskyGrad", partial(raw.CholeskyGrad, l=t.lower, grad=t.m)
    above, middle, below = (t.d[None, k] for k in range(3))
    yield "TridiagonalMatMul", partial(raw.TridiagonalMatMul, superdiag=above, maindiag=middle, subdiag=below, rhs=t.rhs)
    yield "TridiagonalSolve", partial(raw.TridiagonalSolve, diagonals=t.d, rhs=t.rhs)
    bands = tf.constant(inside(0.1, 0.2, 3, SIDE) + np.array([[2], [0], [0]], "float32"))
    yield "BandedTriangularSolve", partial(raw.BandedTriangularSolve, matrix=bands, rhs=tf.constant(numbers(SIDE, 100)))
