"""What is measured, continued: rows that move, order, multiply or draw numbers."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from .table import SIDE, N, Rows, inside, integers, numbers, tensors


def softmaxes(tf: Any) -> Rows:
    for rows, columns in ((SIDE, SIDE), (100_000, 10)):
        t = tensors(tf, x=numbers(rows, columns), y=inside(0, 1, rows, columns), i=integers(columns, rows))
        size = f"{rows} x {columns}"
        yield f"Softmax, {size}", partial(tf.nn.softmax, t.x)
        yield f"LogSoftmax, {size}", partial(tf.nn.log_softmax, t.x)
        yield f"SoftmaxCrossEntropyWithLogits, {size}", partial(tf.nn.softmax_cross_entropy_with_logits, t.y, t.x)
        yield f"SparseSoftmaxCrossEntropyWithLogits, {size}", partial(tf.nn.sparse_softmax_cross_entropy_with_logits, t.i, t.x)
        yield f"InTopKV2, {size}", partial(tf.math.in_top_k, t.i, t.x, 3)
    yield "sigmoid cross-entropy", partial(tf.nn.sigmoid_cross_entropy_with_logits, t.y, t.x)


def orders(tf: Any) -> Rows:
    t = tensors(
        tf,
        v=numbers(N),
        x=numbers(SIDE, SIDE),
        i=integers(1000, N),
        big=integers(1 << 30, N),
        s=np.sort(numbers(N)),
        few=numbers(1000, 100),
    )
    yield "sort, vector", lambda: tf.sort(t.v)
    yield "sort, rows", lambda: tf.sort(t.x)
    yield "argsort, vector", lambda: tf.argsort(t.v)
    yield "argsort, rows", lambda: tf.argsort(t.x)
    for k in (1, 10, 100):
        yield f"TopKV2, {k} of rows", partial(tf.math.top_k, t.x, k)
    yield "TopKV2, 100 of a vector", lambda: tf.math.top_k(t.v, 100)
    yield "NthElement", lambda: tf.raw_ops.NthElement(input=t.x, n=10, reverse=False)
    yield "Unique, few", lambda: tf.unique(t.i)
    yield "Unique, many", lambda: tf.unique(t.big)
    yield "UniqueWithCounts", lambda: tf.unique_with_counts(t.i)
    yield "LowerBound", lambda: tf.searchsorted(t.s, t.v)
    yield "UpperBound", lambda: tf.searchsorted(t.s, t.v, side="right")
    yield "DenseBincount", lambda: tf.math.bincount(t.i, minlength=1000, maxlength=1000)
    yield "HistogramFixedWidth", lambda: tf.histogram_fixed_width(t.v, [-3.0, 3.0], 100)
    yield "Where", lambda: tf.where(t.x > 0.0)
    yield "InvertPermutation", lambda: tf.math.invert_permutation(tf.argsort(t.few[:, 0]))
    yield "boolean_mask", lambda: tf.boolean_mask(t.v, t.v > 0.0)


def gathers(tf: Any) -> Rows:
    t = tensors(
        tf,
        v=numbers(N),
        x=numbers(SIDE, SIDE),
        table=numbers(100_000, 64),
        ids=integers(100_000, 16_000),
        i=integers(N, N),
        r=integers(SIDE, SIDE),
        pairs=integers(SIDE, N // 4, 2),
        rows=numbers(16_000, 64),
        g=numbers(N // 4),
        m=numbers(SIDE, SIDE) > 0,
        batch=integers(SIDE, SIDE, 100),
    )
    yield "GatherV2, rows of 64", lambda: tf.gather(t.table, t.ids)
    yield "GatherV2, numbers", lambda: tf.gather(t.v, t.i)
    yield "GatherV2, rows of 1000", lambda: tf.gather(t.x, t.r)
    yield "GatherV2, columns", lambda: tf.gather(t.x, t.r, axis=1)
    yield "GatherV2, batch", lambda: tf.gather(t.x, t.batch, batch_dims=1)
    yield "GatherNd", lambda: tf.gather_nd(t.x, t.pairs)
    yield "ScatterNd, numbers", lambda: tf.scatter_nd(t.pairs, t.g, [SIDE, SIDE])
    yield "ScatterNd, rows", lambda: tf.scatter_nd(t.ids[:, None], t.rows, [100_000, 64])
    yield "TensorScatterUpdate", lambda: tf.tensor_scatter_nd_update(t.x, t.pairs, t.g)
    yield "TensorScatterAdd", lambda: tf.tensor_scatter_nd_add(t.x, t.pairs, t.g)
    yield "TensorScatterMax", lambda: tf.tensor_scatter_nd_max(t.x, t.pairs, t.g)
    yield "OneHot, 100", lambda: tf.one_hot(t.ids[:10_000] % 100, 100)
    yield "OneHot, 1000", lambda: tf.one_hot(t.r, SIDE)
    yield "DynamicPartition", lambda: tf.dynamic_partition(t.v, t.i % 4, 4)
    yield "DynamicStitch", lambda: tf.dynamic_stitch([tf.range(0, N, 2), tf.range(1, N, 2)], [t.v[: N // 2], t.v[N // 2 :]])


def segments(tf: Any) -> Rows:
    t = tensors(
        tf,
        v=numbers(N),
        x=numbers(16_000, 64),
        s=np.sort(integers(1000, N)),
        ids=integers(1000, N),
        rows=integers(1000, 16_000),
        sr=np.sort(integers(1000, 16_000)),
    )
    m = tf.math
    for kind in ("sum", "mean", "max", "min", "prod"):
        name = f"Segment{kind.title()}"
        yield f"{name}, numbers", partial(getattr(m, f"segment_{kind}"), t.v, t.s)
        yield f"{name}, rows", partial(getattr(m, f"segment_{kind}"), t.x, t.sr)
        if kind != "mean":
            yield f"Unsorted{name}, numbers", partial(getattr(m, f"unsorted_segment_{kind}"), t.v, t.ids, 1000)
        yield f"Unsorted{name}, rows", partial(getattr(m, f"unsorted_segment_{kind}"), t.x, t.rows, 1000)


def shapes(tf: Any) -> Rows:
    t = tensors(
        tf,
        v=numbers(N),
        x=numbers(SIDE, SIDE),
        k=numbers(100, 100, 100),
        image=numbers(16, 64, 64, 16),
        half=numbers(SIDE, SIDE // 2),
        small=numbers(100, 100),
        c=numbers(SIDE, SIDE) + 1j,
    )
    yield "Transpose", lambda: tf.transpose(t.x)
    for order in ([0, 2, 1], [1, 0, 2], [2, 0, 1], [2, 1, 0]):
        yield f"Transpose, {order}", partial(tf.transpose, t.k, order)
    yield "Transpose, NHWC to NCHW", lambda: tf.transpose(t.image, [0, 3, 1, 2])
    yield "ConjugateTranspose", lambda: tf.transpose(t.c, conjugate=True)
    yield "ConcatV2, axis 0", lambda: tf.concat([t.half, t.half], 0)
    yield "ConcatV2, axis 1", lambda: tf.concat([t.half, t.half], 1)
    yield "Pack, axis 0", lambda: tf.stack([t.half, t.half], 0)
    yield "Pack, last axis", lambda: tf.stack([t.half, t.half], -1)
    yield "Unpack, axis 0", lambda: tf.unstack(t.k, axis=0)
    yield "Unpack, last axis", lambda: tf.unstack(t.k, axis=-1)
    yield "Split, axis 0", lambda: tf.split(t.x, 4, 0)
    yield "Split, axis 1", lambda: tf.split(t.x, 4, 1)
    yield "SplitV", lambda: tf.split(t.x, [100, 300, 600], 1)
    yield "Tile, rows", lambda: tf.tile(t.small, [100, 1])
    yield "Tile, columns", lambda: tf.tile(t.small, [1, 100])
    yield "Tile, both", lambda: tf.tile(t.small, [10, 10])
    yield "repeat", lambda: tf.repeat(t.small, 100, axis=0)
    yield "BroadcastTo, row", lambda: tf.broadcast_to(t.v[:SIDE], [SIDE, SIDE])
    yield "BroadcastTo, column", lambda: tf.broadcast_to(t.x[:, :1], [SIDE, SIDE])
    yield "Fill", lambda: tf.fill([SIDE, SIDE], 2.0)
    yield "Range", lambda: tf.range(N)
    yield "Range, float", lambda: tf.range(0.0, float(N), 1.0)
    yield "LinSpace", lambda: tf.linspace(0.0, 1.0, N)
    yield "Pad", lambda: tf.pad(t.x, [[1, 1], [2, 2]])
    yield "MirrorPad, REFLECT", lambda: tf.pad(t.x, [[1, 1], [2, 2]], "REFLECT")
    yield "MirrorPad, SYMMETRIC", lambda: tf.pad(t.x, [[1, 1], [2, 2]], "SYMMETRIC")
    yield "Slice", lambda: tf.slice(t.x, [10, 10], [900, 900])
    yield "StridedSlice, steps", lambda: t.x[::2, ::2]
    yield "StridedSlice, backwards", lambda: t.x[:, ::-1]
    yield "StridedSlice, rows", lambda: t.x[10:900]
    yield "ReverseV2, rows", lambda: tf.reverse(t.x, [0])
    yield "ReverseV2, columns", lambda: tf.reverse(t.x, [1])
    yield "ReverseSequence", lambda: tf.reverse_sequence(t.x, tf.range(SIDE), seq_axis=1, batch_axis=0)
    yield "Roll", lambda: tf.roll(t.x, [10, 20], [0, 1])
    yield "SpaceToDepth", lambda: tf.nn.space_to_depth(t.image, 2)
    yield "DepthToSpace", lambda: tf.nn.depth_to_space(t.image, 2)
    yield "SpaceToBatchND", lambda: tf.space_to_batch(t.image, [2, 2], [[0, 0], [0, 0]])
    yield "BatchToSpaceND", lambda: tf.batch_to_space(t.image, [2, 2], [[0, 0], [0, 0]])
    yield "meshgrid", lambda: tf.meshgrid(t.v[:SIDE], t.v[:SIDE])
    yield "Reshape", lambda: tf.reshape(t.x, [-1, 10])
    yield (
        "StridedSliceGrad",
        lambda: tf.raw_ops.StridedSliceGrad(shape=[SIDE, SIDE], begin=[10, 0], end=[900, SIDE // 2], strides=[1, 1], dy=t.half[:890]),
    )


def diagonals(tf: Any) -> Rows:
    t = tensors(tf, x=numbers(SIDE, SIDE), d=numbers(SIDE), batch=numbers(100, 100, 100), rows=numbers(100, 100))
    yield "MatrixDiagV3", lambda: tf.linalg.diag(t.d)
    yield "MatrixDiagPartV3", lambda: tf.linalg.diag_part(t.batch)
    yield "MatrixSetDiagV3", lambda: tf.linalg.set_diag(t.batch, t.rows)
    yield "MatrixBandPart", lambda: tf.linalg.band_part(t.x, -1, 0)
    yield "eye", lambda: tf.eye(SIDE)
    yield "trace", lambda: tf.linalg.trace(t.batch)


def products(tf: Any) -> Rows:
    t = tensors(
        tf,
        x=numbers(SIDE, SIDE),
        y=numbers(SIDE, SIDE, seed=1),
        v=numbers(SIDE, 1),
        a=numbers(32, 128, 256),
        b=numbers(32, 256, 128),
        w=numbers(256, 256),
        small=numbers(60_000, 4, 4),
        d=numbers(SIDE, SIDE, dtype="float64"),
        i=integers(100, 300, 300),
        h=numbers(500, 500, dtype="float16"),
        u=numbers(N),
        p=numbers(333_333, 3),
        act=numbers(128, 784),
        weights=numbers(784, 512),
        heads=numbers(8, 128, 4, 64),
    )
    z = tf.cast(t.x[:500, :500], tf.bfloat16)
    yield "MatMul, 1000", lambda: tf.matmul(t.x, t.y)
    yield "MatMul, 1000 float64", lambda: tf.matmul(t.d, t.d)
    yield "MatMul, 1000 transposed", lambda: tf.matmul(t.x, t.y, transpose_a=True, transpose_b=True)
    yield "MatMul, vector", lambda: tf.matmul(t.x, t.v)
    yield "MatMul, transposed vector", lambda: tf.matmul(t.x, t.v, transpose_a=True)
    yield "MatMul, dense layer", lambda: tf.matmul(t.act, t.weights)
    yield "MatMul, dense layer, weights' gradient", lambda: tf.matmul(t.act, t.act, transpose_a=True)
    yield "MatMul, int32", lambda: tf.matmul(t.i, t.i)
    yield "MatMul, float16", lambda: tf.matmul(t.h, t.h)
    yield "MatMul, bfloat16", lambda: tf.matmul(z, z)
    yield "BatchMatMulV2, 32 x 128", lambda: tf.matmul(t.a, t.b)
    yield "BatchMatMulV2, shared factor", lambda: tf.matmul(t.a, t.w)
    yield "BatchMatMulV2, 4 x 4", lambda: tf.matmul(t.small, t.small)
    yield "Einsum, attention", lambda: tf.einsum("bqhd,bkhd->bhqk", t.heads, t.heads)
    yield "Einsum, dot products", lambda: tf.einsum("ij,ij->i", t.x, t.y)
    yield "tensordot", lambda: tf.tensordot(t.u, t.u, 1)
    yield "Cross", lambda: tf.linalg.cross(t.p, t.p)


def factors(tf: Any) -> Rows:
    rng = numbers(300, 300, dtype="float64")
    many = numbers(2000, 8, 8, dtype="float64")
    t = tensors(
        tf,
        x=rng,
        s=rng @ rng.T + 300 * np.eye(300),
        m=many,
        ms=many @ many.swapaxes(1, 2) + 8 * np.eye(8),
        b=numbers(300, 300),
        low=np.tril(rng) + 20 * np.eye(300),
    )
    linalg = tf.linalg
    for label, x, s in (("300", t.x, t.s), ("2000 x 8", t.m, t.ms)):
        yield f"Cholesky, {label}", partial(linalg.cholesky, s)
        yield f"MatrixInverse, {label}", partial(linalg.inv, x)
        yield f"MatrixSolve, {label}", partial(linalg.solve, x, s)
        yield f"MatrixDeterminant, {label}", partial(linalg.det, x / 17.0)
        yield f"LogMatrixDeterminant, {label}", partial(linalg.slogdet, x)
        yield f"SelfAdjointEigV2, {label}", partial(linalg.eigh, s)
        yield f"Svd, {label}", partial(linalg.svd, x)
        yield f"Qr, {label}", partial(linalg.qr, x)
    yield "MatrixTriangularSolve", lambda: linalg.triangular_solve(t.low, t.x)
    yield "MatrixSolveLs", lambda: linalg.lstsq(t.x[:, :50], t.x[:, :5])


def images(tf: Any) -> Rows:
    t = tensors(
        tf,
        x=numbers(16, 64, 64, 16),
        g=numbers(16, 32, 32, 16),
        w=numbers(3, 3, 16, 32),
        point=numbers(1, 1, 16, 64),
        first=numbers(5, 5, 1, 32),
        digits=numbers(64, 28, 28, 1),
        deep=numbers(64, 14, 14, 32),
        w5=numbers(5, 5, 32, 64),
        each=numbers(3, 3, 16, 1),
        two=numbers(3, 3, 16, 2),
        dy=numbers(16, 64, 64, 32),
        dy5=numbers(64, 14, 14, 64),
        scale=numbers(16),
        dye=numbers(16, 64, 64, 16),
    )
    nn, raw = tf.nn, tf.raw_ops
    same: dict[str, Any] = {"strides": [1, 1, 1, 1], "padding": "SAME"}
    yield "Conv2D, 3 x 3", lambda: nn.conv2d(t.x, t.w, 1, "SAME")
    yield "Conv2D, 3 x 3 by 2", lambda: nn.conv2d(t.x, t.w, 2, "SAME")
    yield "Conv2D, 1 x 1", lambda: nn.conv2d(t.x, t.point, 1, "SAME")
    yield "Conv2D, 5 x 5 on digits", lambda: nn.conv2d(t.digits, t.first, 1, "SAME")
    yield "Conv2D, 5 x 5 x 32", lambda: nn.conv2d(t.deep, t.w5, 1, "SAME")
    yield "Conv2DBackpropFilter, 3 x 3", lambda: raw.Conv2DBackpropFilter(input=t.x, filter_sizes=[3, 3, 16, 32], out_backprop=t.dy, **same)
    yield "Conv2DBackpropInput, 3 x 3", lambda: raw.Conv2DBackpropInput(input_sizes=[16, 64, 64, 16], filter=t.w, out_backprop=t.dy, **same)
    yield (
        "Conv2DBackpropFilter, 5 x 5 x 32",
        lambda: raw.Conv2DBackpropFilter(input=t.deep, filter_sizes=[5, 5, 32, 64], out_backprop=t.dy5, **same),
    )
    yield (
        "Conv2DBackpropInput, 5 x 5 x 32",
        lambda: raw.Conv2DBackpropInput(input_sizes=[64, 14, 14, 32], filter=t.w5, out_backprop=t.dy5, **same),
    )
    yield "Conv2DBackpropInput, by 2", lambda: nn.conv2d_transpose(t.g, t.w[:, :, :, :16], [16, 64, 64, 16], 2, "SAME")
    yield "DepthwiseConv2dNative", lambda: nn.depthwise_conv2d(t.x, t.each, [1, 1, 1, 1], "SAME")
    yield "DepthwiseConv2dNative, 2 each", lambda: nn.depthwise_conv2d(t.x, t.two, [1, 1, 1, 1], "SAME")
    yield (
        "DepthwiseConv2dNativeBackpropFilter",
        lambda: raw.DepthwiseConv2dNativeBackpropFilter(input=t.x, filter_sizes=[3, 3, 16, 1], out_backprop=t.dye, **same),
    )
    yield (
        "DepthwiseConv2dNativeBackpropInput",
        lambda: raw.DepthwiseConv2dNativeBackpropInput(input_sizes=[16, 64, 64, 16], filter=t.each, out_backprop=t.dye, **same),
    )
    for k, s in ((2, 2), (3, 2), (3, 1)):
        yield f"MaxPool, {k} by {s}", partial(nn.max_pool2d, t.x, k, s, "SAME")
        yield f"AvgPool, {k} by {s}", partial(nn.avg_pool2d, t.x, k, s, "SAME")
    pool: dict[str, Any] = {"ksize": [1, 2, 2, 1], "strides": [1, 2, 2, 1], "padding": "SAME"}
    top = nn.max_pool2d(t.x, 2, 2, "SAME")
    yield "MaxPoolGrad", lambda: raw.MaxPoolGrad(orig_input=t.x, orig_output=top, grad=t.g, **pool)
    yield "AvgPoolGrad", lambda: raw.AvgPoolGrad(orig_input_shape=[16, 64, 64, 16], grad=t.g, **pool)
    yield "LRN", lambda: nn.local_response_normalization(t.x)
    yield "FusedBatchNormV3", lambda: tf.compat.v1.nn.fused_batch_norm(t.x, t.scale, t.scale, is_training=True)
    yield "BiasAddGrad", lambda: raw.BiasAddGrad(out_backprop=t.x)
    yield "moments", lambda: nn.moments(t.x, [0, 1, 2])


def draws(tf: Any) -> Rows:
    random, few = tf.random, [N]
    seed = [1, 2]
    yield "RandomUniform", lambda: random.uniform(few)
    yield "RandomStandardNormal", lambda: random.normal(few)
    yield "TruncatedNormal", lambda: random.truncated_normal(few)
    yield "RandomUniformInt", lambda: random.uniform(few, 0, 100, tf.int32)
    yield "StatelessRandomUniformV2", lambda: random.stateless_uniform(few, seed)
    yield "StatelessRandomNormalV2", lambda: random.stateless_normal(few, seed)
    yield "RandomGamma", lambda: random.gamma([N // 10], 2.0)
    yield "RandomPoissonV2", lambda: random.poisson([N // 10], 3.0)
    yield "Multinomial", lambda: random.categorical([[0.1, 0.2, 0.7]], N // 10)
    rows = tf.constant(numbers(10_000, 100))
    yield "RandomShuffle", lambda: random.shuffle(rows)


def updates(tf: Any) -> Rows:
    variables = [tf.Variable(numbers(N)) for _ in range(4)]
    table = tf.Variable(numbers(100_000, 10))
    t = tensors(tf, g=numbers(N), ids=integers(100_000, 16_000), rows=numbers(16_000, 10))
    yield "AssignAddVariableOp", lambda: variables[0].assign_add(t.g)
    yield "AssignVariableOp", lambda: variables[1].assign(t.g)
    yield "ScatterAdd", lambda: table.scatter_add(tf.IndexedSlices(t.rows, t.ids))
    yield "ScatterUpdate", lambda: table.scatter_update(tf.IndexedSlices(t.rows, t.ids))
