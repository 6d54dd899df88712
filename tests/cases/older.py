"""Cases for operations that are another's older version or second name, called as raw operations."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.cases.case import Case, ErrorCase, bools, case, error, floats, ints
from tests.cases.linalg import regular


def raw(op: str, *names: str, **attrs: Any) -> Any:
    """`f(tf, *tensors)` that calls the raw operation with the tensors by name."""
    return lambda tf, *xs: getattr(tf.raw_ops, op)(**dict(zip(names, xs, strict=True)), **attrs)


def raw_list(op: str, name: str, **attrs: Any) -> Any:
    """As `raw`, the tensors being one input."""
    return lambda tf, *xs: getattr(tf.raw_ops, op)(**{name: list(xs)}, **attrs)


def traced(f: Any) -> Any:
    """`f` inside a function: TensorFlow has no eager kernel."""
    return lambda tf, *xs: tf.function(lambda *given: f(tf, *given))(*xs)


def _einsum(equation: str) -> Any:
    """XlaEinsum, which TensorFlow has on accelerators only: its numbers are Einsum's."""

    def f(tf: Any, a: Any, b: Any) -> Any:
        if hasattr(tf.raw_ops, "XlaEinsum"):
            return tf.raw_ops.XlaEinsum(a=a, b=b, equation=equation)
        return tf.einsum(equation, a, b)

    return f


def _arithmetic() -> list[Case]:
    div, mod = raw("Div", "x", "y"), raw("Mod", "x", "y")
    x, y = floats(3, low=0.5), floats(2, 1, low=0.5, seed=1)
    return [
        case("Div", "broadcast", div, x, y),
        case("Div", "float64", div, floats(3, dtype="float64"), floats(3, low=0.5, dtype="float64", seed=1)),
        case("Div", "complex64", div, floats(2, dtype="complex64"), floats(2, low=0.5, dtype="complex64", seed=1)),
        case("Div", "integers round towards zero", div, np.int32([-7, 7, -8]), np.int32([2, -2, 3])),
        case("Div", "unsigned", div, np.uint8([7, 9]), np.uint8([2, 4])),
        case("Inv", "vector", raw("Inv", "x"), floats(3, low=0.5)),
        case("Inv", "complex128", raw("Inv", "x"), floats(2, low=0.5, dtype="complex128")),
        case("InvGrad", "vector", raw("InvGrad", "y", "dy"), floats(3, low=0.5), floats(3, seed=1)),
        case("Mod", "float32", mod, np.float32([-7, 7, 7.5, -2.25]), np.float32([3, -3, 2, 1])),
        case("Mod", "int64", mod, np.int64([-7, 7]), np.int64([3, -3])),
        case("TruncateMod", "gradient", raw("TruncateMod", "x", "y"), np.float64([-7.3, 7.1]), np.float64([3.1, -3.2])),
        case("AccumulateNV2", "three", traced(raw_list("AccumulateNV2", "inputs", shape=[2])), *(floats(2, seed=i) for i in range(3))),
        case("ApproximateEqual", "near", raw("ApproximateEqual", "x", "y"), [1.0, 2.0], [1.000001, 2.1], smooth=False),
        case("ApproximateEqual", "tolerance", raw("ApproximateEqual", "x", "y", tolerance=0.5), np.float64([1, 2]), np.float64([1.4, 2.6])),
        case("ApproximateEqual", "integers", raw("ApproximateEqual", "x", "y"), ints(3), ints(3)),
        case("PopulationCount", "int8", raw("PopulationCount", "x"), np.int8([-1, 7, 0, -128])),
        case("PopulationCount", "uint64", raw("PopulationCount", "x"), np.uint64([2**64 - 1, 5])),
        case("PopulationCount", "int32 scalar", raw("PopulationCount", "x"), np.int32(-2)),
    ]  # fmt: skip


def _products() -> list[Case]:
    v1 = raw("BatchMatMul", "x", "y")
    v3 = lambda dtype, **k: lambda tf, x, y: tf.raw_ops.BatchMatMulV3(x=x, y=y, Tout=getattr(tf, dtype), **k)
    return [
        case("BatchMatMul", "stack", v1, floats(2, 2, 3), floats(2, 3, 2, seed=1)),
        case("BatchMatMul", "flags", raw("BatchMatMul", "x", "y", adj_x=True, adj_y=True), floats(2, 3, 2), floats(2, 2, 3, seed=1)),
        case("BatchMatMulV3", "broadcast", v3("float32"), floats(2, 2, 3), floats(3, 2, seed=1)),
        case(
            "BatchMatMulV3", "complex flags", v3("complex64", adj_x=True), floats(3, 2, dtype="complex64"),
            floats(3, 2, dtype="complex64", seed=1),
        ),
        case("BatchMatMulV3", "bytes", v3("int32"), ints(2, 2, dtype="int8"), ints(2, 2, dtype="uint8")),
        case("XlaEinsum", "product", _einsum("ab,bc->ac"), floats(2, 3), floats(3, 2, seed=1)),
        case("XlaEinsum", "batch", _einsum("bij,bjk->bik"), floats(2, 2, 3), floats(2, 3, 1, seed=1)),
        case("CholeskyGrad", "bare", raw("CholeskyGrad", "l", "grad"), regular(3, dtype="float64"), floats(3, 3, dtype="float64")),
        case("CholeskyGrad", "batch", raw("CholeskyGrad", "l", "grad"), regular(2, 2), floats(2, 2, 2)),
    ]  # fmt: skip


def _diagonals() -> list[Case]:
    v2 = lambda tf, d, k, p: tf.raw_ops.MatrixDiagV2(diagonal=d, k=k, num_rows=3, num_cols=3, padding_value=p)
    part = raw("MatrixDiagPartV2", "input", "k", "padding_value")
    change = lambda tf, x, d, k: tf.raw_ops.MatrixSetDiagV2(input=x, diagonal=d, k=k)
    band = np.int32([-1, 1])
    return [
        case("MatrixDiag", "vector", raw("MatrixDiag", "diagonal"), floats(3)),
        case("MatrixDiag", "batch of integers", raw("MatrixDiag", "diagonal"), ints(2, 2)),
        case("MatrixDiag", "truth", raw("MatrixDiag", "diagonal"), bools(3)),
        case("MatrixDiagPart", "wide", raw("MatrixDiagPart", "input"), floats(2, 2, 3)),
        case("MatrixSetDiag", "wide", raw("MatrixSetDiag", "input", "diagonal"), floats(2, 3), floats(2, seed=1)),
        case("MatrixDiagV2", "above", lambda tf, d, p: v2(tf, d, 1, p), floats(2), floats(), smooth=False),
        case("MatrixDiagV2", "band to the left", lambda tf, d, p: v2(tf, d, [-1, 0], p), floats(2, 3), floats(seed=1), smooth=False),
        case("MatrixDiagV2", "by the diagonal", lambda tf, d: v2(tf, d, 1, np.float32(0.5)), floats(2)),
        case("MatrixDiagPartV2", "band", lambda tf, x, p: part(tf, x, band, p), floats(3, 4), floats(seed=1), smooth=False),
        case("MatrixDiagPartV2", "below", lambda tf, x: part(tf, x, np.int32(-1), np.float32(0)), floats(3, 3)),
        # TensorFlow's gradient of a band is aligned as in MatrixSetDiagV3: here the values alone are asked for
        case("MatrixSetDiagV2", "band", lambda tf, x: change(tf, x, floats(3, 3, seed=1), band), floats(3, 3)),
        case("MatrixSetDiagV2", "below", lambda tf, x, d: change(tf, x, d, -1), floats(3, 3), floats(2, seed=1)),
    ]  # fmt: skip


def _arrays() -> list[Case]:
    pads = np.int32([[0, 0], [0, 2]])
    reverse = lambda *flags: lambda tf, x: tf.raw_ops.Reverse(tensor=x, dims=list(flags))
    concat = lambda axis: lambda tf, *xs: tf.raw_ops.Concat(concat_dim=axis, values=list(xs))
    offsets = lambda axis: lambda tf, *xs: tf.raw_ops.ConcatOffset(concat_dim=axis, shape=list(xs))
    unique = lambda op: lambda tf, x, axis: tuple(getattr(tf.raw_ops, op)(x=x, axis=axis))
    none = np.zeros(0, np.int64)
    parallel = lambda tf, *xs: tf.raw_ops.ParallelConcat(values=[tf.ensure_shape(x, [1, 2]) for x in xs], shape=[2, 2])
    scatter = lambda tf, x, u: tf.raw_ops.ScatterNdNonAliasingAdd(input=x, indices=[[1], [1]], updates=u)
    return [
        case("SpaceToBatch", "blocks", lambda tf, x: tf.raw_ops.SpaceToBatch(input=x, paddings=pads, block_size=2), floats(1, 2, 4, 1)),
        case("BatchToSpace", "blocks", lambda tf, x: tf.raw_ops.BatchToSpace(input=x, crops=pads, block_size=2), floats(4, 1, 3, 1)),
        case("SpaceToBatch", "v1", lambda tf, x: tf.space_to_batch(x, pads, 2), floats(1, 2, 4, 1), face="v1"),
        case("BatchToSpace", "v1", lambda tf, x: tf.batch_to_space(x, pads, 2), floats(4, 1, 3, 1), face="v1"),
        case("Concat", "rows", concat(0), floats(1, 2), floats(2, 2, seed=1)),
        case("Concat", "columns of integers", concat(1), ints(2, 1), ints(2, 2)),
        case("ConcatOffset", "columns", offsets(1), np.int32([2, 3]), np.int32([2, 5]), np.int32([2, 1])),
        case("ParallelConcat", "rows", parallel, floats(1, 2), floats(1, 2, seed=1)),
        case("ParallelConcat", "parallel_stack", traced(lambda tf, x, y: tf.parallel_stack([x, y])), ints(2), ints(2, seed=1)),
        case("Reverse", "rows", reverse(True, False), floats(2, 3)),
        case("Reverse", "both axes of integers", reverse(True, True), ints(2, 3)),
        case("ScatterNdNonAliasingAdd", "repeated", scatter, floats(3), floats(2, seed=1)),
        case("Snapshot", "vector", raw("Snapshot", "input"), floats(3)),
        case("DeepCopy", "vector", raw("DeepCopy", "x"), floats(3)),
        case("CheckNumericsV2", "finite", raw("CheckNumericsV2", "tensor", message="here"), floats(3)),
        case("UniqueV2", "rows", unique("UniqueV2"), np.float32([[1, 2], [3, 4], [1, 2]]), np.int64([0]), smooth=False),
        case("UniqueV2", "columns", unique("UniqueV2"), ints(2, 4, high=2), np.int32([1]), smooth=False),
        case("UniqueV2", "vector", unique("UniqueV2"), ints(6, high=3), none, smooth=False),
        case("UniqueWithCountsV2", "columns", unique("UniqueWithCountsV2"), ints(2, 6, high=2), np.int64([1]), smooth=False),
        case("UniqueWithCountsV2", "text", unique("UniqueWithCountsV2"), np.array([b"b", b"a", b"b"], object), none, smooth=False),
        case("DataFormatDimMap", "axes", raw("DataFormatDimMap", "x"), np.int32([0, 1, 2, -1]), smooth=False),
        case("DataFormatVecPermute", "sizes", raw("DataFormatVecPermute", "x"), np.int32([1, 2, 3, 4]), smooth=False),
        case(
            "DataFormatVecPermute", "pairs", raw("DataFormatVecPermute", "x", src_format="NHWC", dst_format="HWNC"),
            np.int64([[1, 2], [3, 4], [5, 6], [7, 8]]), smooth=False,
        ),
        case("DataFormatVecPermute", "height and width", raw("DataFormatVecPermute", "x"), np.int32([7, 3]), smooth=False),
        case("Bucketize", "floats", raw("Bucketize", "input", boundaries=[0.0, 3.0, 9.0]), [-5.0, 0.0, 1.0, 3.0, 10.0], smooth=False),
        case("Bucketize", "integers", raw("Bucketize", "input", boundaries=[0.0, 3.0]), np.int64([[-1, 0], [3, 4]])),
    ]  # fmt: skip


def _counts() -> list[Case]:
    count = lambda tf, arr, w: tf.raw_ops.Bincount(arr=arr, size=5, weights=w)
    dense = lambda size: lambda tf, arr, w: tf.raw_ops.DenseBincount(input=arr, size=np.int32(size), weights=w)
    arr = np.int32([1, 4, 7, 1])
    return [
        case("Bincount", "weights", lambda tf, w: count(tf, arr, w), floats(4)),
        case("Bincount", "matrix of weights", lambda tf, w: count(tf, arr.reshape(2, 2), w), floats(2, 2, dtype="float64")),
        case("Bincount", "no weights", lambda tf, a: count(tf, a, np.zeros(0, np.int32)), arr),
        case("Bincount", "dense, weights", lambda tf, w: dense(5)(tf, arr, w), floats(4, dtype="float64")),
        case("Bincount", "dense, rows of weights", lambda tf, w: dense(5)(tf, arr.reshape(2, 2), w), floats(2, 2)),
        case("Bincount", "dense, no bins", lambda tf, w: dense(0)(tf, arr, w), floats(4)),
        case("Bincount", "dense, bincount", lambda tf, w: tf.math.bincount(arr, weights=w), floats(4)),
        case("Bincount", "dense, bincount of rows", lambda tf, w: tf.math.bincount(arr.reshape(2, 2), weights=w, axis=-1), floats(2, 2)),
    ]


def _samples() -> list[Case]:
    top = lambda **k: lambda tf, x: tuple(tf.math.approx_max_k(x, 2, **k))
    some = lambda tf, x: tf.raw_ops.SobolSample(dim=3, num_results=4, skip=x, dtype=tf.float64)
    return [
        case("ApproxTopK", "greatest", top(), floats(4)),
        case("ApproxTopK", "rows", top(), floats(2, 3)),
        case("ApproxTopK", "columns", top(reduction_dimension=0), floats(3, 2)),
        case("ApproxTopK", "least", lambda tf, x: tuple(tf.math.approx_min_k(x, 2)), floats(4)),
        case("ApproxTopK", "float16", top(), floats(4, dtype="float16")),
        case("SobolSample", "skipped", some, np.int32(5), smooth=False),
        case("SobolSample", "sobol_sample", lambda tf, n: tf.math.sobol_sample(5, n), np.int32(9), smooth=False),
    ]


CASES: list[Case] = [*_samples(), *_arithmetic(), *_products(), *_diagonals(), *_arrays(), *_counts()]
ERRORS: list[ErrorCase] = [
    error("Div: integers by zero", raw("Div", "x", "y"), ints(2), np.int32([1, 0])),
    error("BatchMatMul: batches that broadcast", raw("BatchMatMul", "x", "y"), floats(2, 2, 2), floats(2, 2)),
    error("BatchMatMul: batches that differ", raw("BatchMatMul", "x", "y"), floats(1, 2, 2), floats(3, 2, 2)),
    error("ApproximateEqual: shapes", raw("ApproximateEqual", "x", "y"), floats(2), floats()),
    error("Reverse: too few flags", lambda tf, x: tf.raw_ops.Reverse(tensor=x, dims=[True]), floats(2, 3)),
    error("ConcatOffset: sizes", lambda tf, a, b: tf.raw_ops.ConcatOffset(concat_dim=1, shape=[a, b]), np.int32([2, 3]), np.int32([3, 3])),
    error("DataFormatVecPermute: sizes", raw("DataFormatVecPermute", "x"), np.int32([1, 2, 3])),
    error("Bucketize: not sorted", raw("Bucketize", "input", boundaries=[3.0, 0.0]), floats(2)),
    error("SpaceToBatch: rank", lambda tf, x: tf.raw_ops.SpaceToBatch(input=x, paddings=[[0, 0], [0, 0]], block_size=2), floats(2, 2)),
    error("Bincount: negative", lambda tf, a: tf.raw_ops.Bincount(arr=a, size=2, weights=np.zeros(0, np.int32)), np.int32([-1])),
    error("UniqueV2: no axis", lambda tf, x: tf.raw_ops.UniqueV2(x=x, axis=np.zeros(0, np.int64)), ints(2, 2)),
    error("CheckNumericsV2: infinite", raw("CheckNumericsV2", "tensor", message="here"), [np.inf]),
    error("SobolSample: no dimension", lambda tf, n: tf.math.sobol_sample(n, 3), np.int32(0)),
    error("SobolSample: no points", lambda tf, n: tf.math.sobol_sample(2, n), np.int32(-3)),
    error("ApproxTopK: too few", lambda tf, x: tf.math.approx_max_k(x, 5), floats(3)),
    error("parallel_stack: eagerly", lambda tf, x: tf.parallel_stack([x, x]), floats(2)),
]
