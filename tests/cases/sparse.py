"""Sparse tensors: indices and values in, and every function of `tf.sparse` with the gradients of the values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.cases.case import Case, ErrorCase, case, error, floats, ints

PLACES = [[0, 1], [1, 0], [1, 2]]
OTHERS = [[0, 1], [0, 2], [1, 2]]
SHAPE = (2, 3)


def sparse(tf: Any, values: Any, places: Any = None, shape: Any = SHAPE) -> Any:
    """A sparse tensor of these values."""
    return tf.SparseTensor(np.array(PLACES if places is None else places, np.int64).reshape(-1, len(shape)), values, shape)


def parts(x: Any) -> list[Any]:
    """What a sparse tensor consists of."""
    return [x.indices, x.values, x.dense_shape]


def one(f: Callable[[Any, Any], Any], places: Any = None, shape: Any = SHAPE) -> Callable[..., Any]:
    """`f(tf, sparse tensor)` as a function of its values; a sparse result by its parts."""

    def call(tf: Any, values: Any, *more: Any) -> Any:
        found = f(tf, sparse(tf, values, places, shape), *more)  # type: ignore[call-arg]  # some take more
        return parts(found) if hasattr(found, "dense_shape") else found

    return call


def two(f: Callable[[Any, Any, Any], Any], first: Any = None, second: Any = None) -> Callable[..., Any]:
    """`f(tf, a, b)` of two sparse tensors as a function of their values."""
    return lambda tf, a, b: parts(f(tf, sparse(tf, a, first), sparse(tf, b, OTHERS if second is None else second)))


def stopped(f: Callable[..., Any]) -> Callable[..., Any]:
    """The same without gradients: for what TensorFlow has none for, and we do (see tests/test_sparse_beyond.py)."""

    def call(tf: Any, *inputs: Any) -> Any:
        return f(tf, *(tf.stop_gradient(x) if x.dtype.is_floating or x.dtype.is_complex else x for x in inputs))

    return call


def beyond(op: str, label: str, f: Callable[..., Any], *inputs: Any) -> Case:
    """A case of values alone."""
    return case(op, label, stopped(f), *inputs, smooth=False)


V = floats(3)
D = floats(3, dtype="float64")
C = floats(3, dtype="complex64")
H = floats(3, dtype="float16")
EMPTY = floats(0)
CUBE = [[0, 0, 1], [0, 1, 0], [0, 1, 1], [1, 0, 0]]


def _raw(op: str, **options: Any) -> Callable[..., Any]:
    return lambda tf, x, *more: getattr(tf.raw_ops, op)(**options)


def _matmul(**options: Any) -> Callable[..., Any]:
    return one(lambda tf, x, b: tf.sparse.sparse_dense_matmul(x, b, **options))  # type: ignore[misc]  # takes b


def _reduce(name: str, **options: Any) -> Callable[..., Any]:
    return one(lambda tf, x: getattr(tf.sparse, name)(x, **options))


def _fill(tf: Any, values: Any, default: Any) -> Any:
    x, empty = tf.sparse.fill_empty_rows(sparse(tf, values, [[1, 0], [1, 2], [3, 1]], (5, 3)), default)
    return [*parts(x), empty]


def _reversed_rows(tf: Any, values: Any) -> Any:
    return parts(tf.sparse.reorder(sparse(tf, values, [[1, 2], [0, 1], [1, 0]])))


def _indexed(tf: Any, values: Any) -> Any:
    x = tf.sparse.mask(tf.IndexedSlices(values, tf.constant([3, 0, 1]), tf.constant([4, 2])), [0, 2])
    return [x.values, x.indices]


def _products(dtype: Any, at: str) -> list[Case]:
    a, b, bt = floats(3, dtype=dtype), floats(3, 2, dtype=dtype, seed=1), floats(2, 3, dtype=dtype, seed=2)
    op = "SparseTensorDenseMatMul"
    return [
        case(op, f"plain, {at}", _matmul(), a, b),
        case(op, f"adjoint_a, {at}", _matmul(adjoint_a=True), a, bt),
        case(op, f"adjoint_b, {at}", _matmul(adjoint_b=True), a, bt),
        case(op, f"both, {at}", _matmul(adjoint_a=True, adjoint_b=True), a, floats(4, 2, dtype=dtype, seed=3)),
    ]


CASES: list[Case] = [
    # made and read
    case("SparseToDense", "matrix", one(lambda tf, x: tf.sparse.to_dense(x)), V),
    case("SparseToDense", "default", lambda tf, v, d: tf.sparse.to_dense(sparse(tf, v), d), V, floats()),
    case("SparseToDense", "cube", one(lambda tf, x: tf.sparse.to_dense(x), CUBE, (2, 2, 2)), floats(4)),
    case("SparseToDense", "no entries", one(lambda tf, x: tf.sparse.to_dense(x), np.zeros((0, 2))), EMPTY, smooth=False),
    case("SparseToDense", "float64", one(lambda tf, x: tf.sparse.to_dense(x)), D),
    case("SparseToDense", "complex64", one(lambda tf, x: tf.sparse.to_dense(x)), C),
    case("SparseToDense", "integers", one(lambda tf, x: tf.sparse.to_dense(x, default_value=7)), ints(3)),
    case("SparseToDense", "strings", one(lambda tf, x: tf.sparse.to_dense(x, default_value="-")), np.array([b"a", b"b", b"c"], object)),
    case(
        "SparseToDense", "in any order", one(lambda tf, x: tf.sparse.to_dense(x, validate_indices=False), [[1, 0], [0, 1], [0, 0]]), V
    ),
    beyond("SparseToDense", "a vector of places", lambda tf, v: tf.raw_ops.SparseToDense(
        sparse_indices=[1, 2, 4], output_shape=[5], sparse_values=v, default_value=1.0), V),
    beyond("SparseToDense", "one value", lambda tf, v: tf.raw_ops.SparseToDense(
        sparse_indices=[1, 2], output_shape=[4], sparse_values=v, default_value=1.0), floats()),
    case("SparseToDense", "TensorFlow 1's name", lambda tf, v: tf.sparse_to_dense(PLACES, [2, 3], v, 0.5), V, face="v1"),
    case("Where", "from_dense", lambda tf, x: parts(tf.sparse.from_dense(x)), np.float32([[0, 2, 0], [3, 0, 4]]), smooth=False),
    case("Range", "eye", lambda tf: parts(tf.sparse.eye(2, 3)) + parts(tf.sparse.eye(2, dtype=tf.int32))),
    # arranged
    case("SparseReorder", "rows turned round", _reversed_rows, V),
    case("SparseReorder", "integers", _reversed_rows, ints(3)),
    case("SparseReorder", "complex64", _reversed_rows, C),
    case("SparseReorder", "transpose", one(lambda tf, x: tf.sparse.transpose(x)), V),
    case("SparseReorder", "transpose by axes", one(lambda tf, x: tf.sparse.transpose(x, [2, 0, 1]), CUBE, (2, 2, 2)), floats(4)),
    case("SparseReorder", "TensorFlow 1's name", one(lambda tf, x: tf.sparse_transpose(x)), V, face="v1"),
    case("SparseReshape", "a vector", one(lambda tf, x: tf.sparse.reshape(x, [6])), V),
    case("SparseReshape", "an open size", one(lambda tf, x: tf.sparse.reshape(x, [3, -1])), V),
    case("SparseReshape", "no entries", one(lambda tf, x: tf.sparse.reshape(x, [3, 2]), np.zeros((0, 2))), EMPTY, smooth=False),
    case("SparseReshape", "a cube", one(lambda tf, x: tf.sparse.reshape(x, [4, -1]), CUBE, (2, 2, 2)), floats(4)),
    case("SparseSlice", "part", one(lambda tf, x: tf.sparse.slice(x, [0, 1], [2, 2])), V),
    case("SparseSlice", "over the end", one(lambda tf, x: tf.sparse.slice(x, [1, 0], [9, 9])), V),
    case("SparseSlice", "nothing", one(lambda tf, x: tf.sparse.slice(x, [0, 0], [1, 1])), V, smooth=False),
    case("SparseSlice", "complex64", one(lambda tf, x: tf.sparse.slice(x, [0, 1], [2, 2])), C),
    case("ExpandDims", "sparse, end", one(lambda tf, x: tf.sparse.expand_dims(x)), V),
    case("ExpandDims", "sparse, front", one(lambda tf, x: tf.sparse.expand_dims(x, 0)), V),
    case("ExpandDims", "sparse, middle", one(lambda tf, x: tf.sparse.expand_dims(x, -2)), V),
    case("GatherV2", "retain", one(lambda tf, x: tf.sparse.retain(x, [True, False, True])), V),
    case("Identity", "reset_shape", one(lambda tf, x: tf.sparse.reset_shape(x)), V),
    case("Identity", "reset_shape, larger", one(lambda tf, x: tf.sparse.reset_shape(x, [4, 5])), V),
    case("ListDiff", "mask of IndexedSlices", _indexed, floats(3, 2)),
    beyond("SparseConcat", "along columns", two(lambda tf, a, b: tf.sparse.concat(1, [a, b])), V, floats(3, seed=1)),
    beyond("SparseConcat", "along rows", two(lambda tf, a, b: tf.sparse.concat(-2, [a, b])), V, floats(3, seed=1)),
    beyond("SparseConcat", "other sizes grow", lambda tf, a, b: parts(
        tf.sparse.concat(0, [sparse(tf, a), sparse(tf, b, [[0, 3]], (1, 5))], expand_nonconcat_dims=True)), V, floats(1)),
    beyond("SparseConcat", "TensorFlow 1's name", lambda tf, a, b: parts(tf.compat.v1.sparse_concat(
        1, [sparse(tf, a), sparse(tf, b, OTHERS)])), V, floats(3, seed=1)),
    case("SparseSplit", "two, the first longer", lambda tf, v: [parts(p) for p in tf.sparse.split(sparse(tf, v), 2, 1)], V),
    case("SparseSplit", "rows", lambda tf, v: [parts(p) for p in tf.sparse.split(sparse(tf, v), num_split=2, axis=0)], V),
    case("SparseFillEmptyRows", "rows", _fill, V, floats()),
    case("SparseFillEmptyRows", "float64", _fill, D, floats(dtype="float64")),
    case("SparseFillEmptyRows", "strings", _fill, np.array([b"a", b"b", b"c"], object), np.array(b"-", object)),
    case("SparseFillEmptyRowsGrad", "as TensorFlow has it", lambda tf, g: list(
        tf.raw_ops.SparseFillEmptyRowsGrad(reverse_index_map=np.int64([1, 4, 0]), grad_values=g)), floats(5)),
    case("SparseReorder", "to_indicator", lambda tf, v: tf.sparse.to_indicator(sparse(tf, v, PLACES), 5), np.int64([4, 0, 2])),
    case("SparseReorder", "merge", lambda tf, i, v: parts(tf.sparse.merge(sparse(tf, i), sparse(tf, v), 5)), np.int64([4, 2, 0]), V,
         face="v1"),
    # sums
    case("SparseAdd", "two", two(lambda tf, a, b: tf.sparse.add(a, b)), V, floats(3, seed=1)),
    case("SparseAdd", "threshold", two(lambda tf, a, b: tf.sparse.add(a, b, threshold=1.0)), V, floats(3, seed=1), smooth=False),
    case("SparseAdd", "complex64", two(lambda tf, a, b: tf.sparse.add(a, b)), C, floats(3, dtype="complex64", seed=1)),
    case("SparseAdd", "float64", two(lambda tf, a, b: tf.sparse.add(a, b)), D, floats(3, dtype="float64", seed=1)),
    case("SparseAdd", "integers", two(lambda tf, a, b: tf.sparse.add(a, b)), ints(3), ints(3, seed=1)),
    case("SparseAdd", "one without entries", two(lambda tf, a, b: tf.sparse.add(a, b), None, np.zeros((0, 2))), V, EMPTY, smooth=False),
    case("SparseAdd", "TensorFlow 1's name", two(lambda tf, a, b: tf.sparse_add(a, b, thresh=0.5)), V, floats(3, seed=1), face="v1"),
    beyond("SparseAddGrad", "as TensorFlow has it", lambda tf, g: list(tf.raw_ops.SparseAddGrad(
        backprop_val_grad=g, a_indices=np.int64(PLACES), b_indices=np.int64(OTHERS),
        sum_indices=np.int64([[0, 1], [0, 2], [1, 0]]))), floats(3)),
    case("SparseTensorDenseAdd", "matrix", one(lambda tf, x, b: tf.sparse.add(x, b)), V, floats(2, 3, seed=1)),
    case("SparseTensorDenseAdd", "dense first", one(lambda tf, x, b: tf.sparse.add(b, x)), V, floats(2, 3, seed=1)),
    case("SparseTensorDenseAdd", "complex64", one(lambda tf, x, b: tf.sparse.add(x, b)), C, floats(2, 3, dtype="complex64", seed=1)),
    case("SparseTensorDenseAdd", "an entry twice", one(lambda tf, x, b: tf.sparse.add(x, b), [[0, 1], [0, 1], [1, 1]]), V, floats(2, 3)),
    *(case(f"SparseSparse{name}", "the greatest of both", lambda tf, a, b, f=f: tf.sparse.reduce_max(getattr(tf.sparse, f)(
        sparse(tf, a), sparse(tf, b, OTHERS)), 1), V, floats(3, seed=1)) for name, f in (("Maximum", "maximum"), ("Minimum", "minimum"))),
    case("SparseConcat", "the greatest of both", lambda tf, a, b: tf.sparse.reduce_max(tf.sparse.concat(
        1, [sparse(tf, a), sparse(tf, b, OTHERS)]), 1), V, floats(3, seed=1)),
    beyond("SparseSparseMaximum", "two", two(lambda tf, a, b: tf.sparse.maximum(a, b)), V, floats(3, seed=1)),
    beyond("SparseSparseMinimum", "two", two(lambda tf, a, b: tf.sparse.minimum(a, b)), V, floats(3, seed=1)),
    beyond("SparseSparseMinimum", "integers", two(lambda tf, a, b: tf.sparse.minimum(a, b)), ints(3), ints(3, seed=1)),
    # reductions
    *(case("SparseReduceSum", label, _reduce("reduce_sum", **options), V) for label, options in {
        "all": {}, "rows": {"axis": 1}, "columns": {"axis": [0]}, "kept": {"axis": -1, "keepdims": True}, "both": {"axis": [0, -1]},
    }.items()),
    case("SparseReduceSum", "float64", _reduce("reduce_sum", axis=1), D),
    case("SparseReduceSum", "complex64", _reduce("reduce_sum", axis=1), C),
    case("SparseReduceSum", "integers", _reduce("reduce_sum", axis=0), ints(3)),
    case("SparseReduceSum", "cube", one(lambda tf, x: tf.sparse.reduce_sum(x, [0, 2]), CUBE, (2, 2, 2)), floats(4)),
    case("SparseReduceSum", "no entries", one(lambda tf, x: tf.sparse.reduce_sum(x, 0), np.zeros((0, 2))), EMPTY, smooth=False),
    case("SparseReduceSum", "TensorFlow 1's name", one(lambda tf, x: tf.sparse_reduce_sum(x, reduction_axes=[1], keep_dims=True)), V,
         face="v1"),
    case("SparseReduceMax", "rows", _reduce("reduce_max", axis=1), V),
    case("SparseReduceMax", "all", _reduce("reduce_max"), np.float32([-3, -1, -2])),
    case("SparseReduceMax", "kept, integers", _reduce("reduce_max", axis=0, keepdims=True), ints(3, low=-5, high=0)),
    case("SparseReduceSumSparse", "columns", _reduce("reduce_sum", axis=0, output_is_sparse=True), V),
    case("SparseReduceSumSparse", "all", _reduce("reduce_sum", output_is_sparse=True), V),
    case("SparseReduceSumSparse", "kept", _reduce("reduce_sum", axis=1, keepdims=True, output_is_sparse=True), V),
    case("SparseReduceMaxSparse", "rows", _reduce("reduce_max", axis=1, output_is_sparse=True), V),
    # with dense tensors
    case("SparseDenseCwiseMul", "same shape", one(lambda tf, x, y: x * y), V, floats(2, 3, seed=1)),
    case("SparseDenseCwiseMul", "a row", one(lambda tf, x, y: x * y), V, floats(3, seed=1)),
    case("SparseDenseCwiseMul", "a column", one(lambda tf, x, y: x * y), V, floats(2, 1, seed=1)),
    case("SparseDenseCwiseMul", "float64", one(lambda tf, x, y: x * y), D, floats(3, dtype="float64", seed=1)),
    beyond("SparseDenseCwiseMul", "a scalar", one(lambda tf, x, y: x * y), V, floats()),
    case("SparseDenseCwiseDiv", "a row", one(lambda tf, x, y: x / y), V, floats(3, low=0.5, seed=1)),
    case("SparseDenseCwiseDiv", "a column", one(lambda tf, x, y: x / y), V, floats(2, 1, low=0.5, seed=1)),
    case("SparseDenseCwiseDiv", "integers", one(lambda tf, x, y: x / y), ints(3), ints(3, low=1)),
    beyond("SparseDenseCwiseAdd", "a row", lambda tf, v, y: tf.raw_ops.SparseDenseCwiseAdd(
        sp_indices=PLACES, sp_values=v, sp_shape=[2, 3], dense=y), V, floats(3, seed=1)),
    *_products("float32", "float32"),
    *_products("float64", "float64"),
    *_products("complex64", "complex64"),
    case("SparseTensorDenseMatMul", "bfloat16", _matmul(), floats(3, dtype="bfloat16"), floats(3, 2, dtype="bfloat16"), smooth=False),
    case("SparseTensorDenseMatMul", "integers", _matmul(), ints(3), ints(3, 2)),
    case("SparseTensorDenseMatMul", "dense by sparse", lambda tf, v, b: tf.sparse.sparse_dense_matmul(b, sparse(tf, v)), V, floats(4, 2)),
    case("SparseTensorDenseMatMul", "no columns", _matmul(), V, floats(3, 0), smooth=False),
    case("SparseTensorDenseMatMul", "in any order, repeated", one(
        lambda tf, x, b: tf.sparse.sparse_dense_matmul(x, b), [[1, 0], [0, 1], [1, 0]]), V, floats(3, 2)),
    case("SparseSoftmax", "rows", one(lambda tf, x: tf.sparse.softmax(x)), V),
    case("SparseSoftmax", "cube", one(lambda tf, x: tf.sparse.softmax(x), CUBE, (2, 2, 2)), floats(4)),
    case("SparseSoftmax", "float64", one(lambda tf, x: tf.sparse.softmax(x)), D),
    case("SparseSoftmax", "float16", one(lambda tf, x: tf.sparse.softmax(x)), H, smooth=False),
    case("GatherNd", "sampled_addmm", lambda tf, v, a, b: list(tf.sparse.sampled_addmm(PLACES, v, [2, 3], a, b, beta=0.5, alpha=2.0)), V,
         floats(2, 4), floats(4, 3, seed=1)),
    case("AddV2", "map_values", two(lambda tf, a, b: tf.sparse.map_values(tf.add, a, b), None, PLACES), V, floats(3, seed=1)),
    case("Square", "of a sparse tensor", one(lambda tf, x: tf.square(tf.abs(tf.cast(x, tf.float64)))), V),
    case("Size", "of a sparse tensor", lambda tf, v: [tf.size(sparse(tf, v)), tf.rank(sparse(tf, v)), tf.shape(sparse(tf, v))], V,
         smooth=False),
    # counts
    case("SparseBincount", "rows", lambda tf, w: tf.raw_ops.SparseBincount(
        indices=PLACES, values=np.int32([1, 1, 2]), dense_shape=[2, 3], size=4, weights=tf.stop_gradient(w)), V, smooth=False),
    case("SparseBincount", "how often", lambda tf: tf.raw_ops.SparseBincount(
        indices=PLACES, values=np.int32([1, 1, 5]), dense_shape=[2, 3], size=4, weights=tf.zeros([0], tf.int32))),
    case("SparseBincount", "whether", lambda tf: tf.raw_ops.SparseBincount(
        indices=[[0], [2]], values=np.int32([1, 1]), dense_shape=[5], size=2, weights=tf.zeros([0]), binary_output=True)),
    case("RaggedBincount", "rows", lambda tf, w: tf.raw_ops.RaggedBincount(
        splits=[0, 2, 2, 3], values=np.int32([5, 1, 1]), size=4, weights=tf.stop_gradient(w)), V, smooth=False),
    case("DenseCountSparseOutput", "vector", lambda tf, x: parts(tf.sparse.bincount(x)), np.int32([1, 1, 3])),
    case("DenseCountSparseOutput", "rows", lambda tf, x: parts(tf.sparse.bincount(x, axis=-1)), np.int64([[1, 1, 3], [0, 2, 2]])),
    case("DenseCountSparseOutput", "weights", lambda tf, x, w: parts(tf.sparse.bincount(x, weights=tf.stop_gradient(w), minlength=6)),
         np.int32([1, 1, 3]), V, smooth=False),
    case("DenseCountSparseOutput", "whether, bounded", lambda tf, x: parts(tf.sparse.bincount(x, maxlength=2, binary_output=True)),
         np.int32([1, 1, 3])),
    case("SparseCountSparseOutput", "rows", one(lambda tf, x: tf.sparse.bincount(x, axis=-1)), np.int32([5, 1, 1])),
    case("DenseCountSparseOutput", "of a sparse tensor", one(lambda tf, x: tf.sparse.bincount(x)), np.int32([5, 1, 1])),
    case("RaggedCountSparseOutput", "rows", lambda tf: list(tf.raw_ops.RaggedCountSparseOutput(
        splits=[0, 2, 2, 3], values=np.int32([5, 1, 1]), weights=tf.zeros([0]), binary_output=False))),
]  # fmt: skip




ERRORS: list[ErrorCase] = [
    error("SparseToDense: out of range", one(lambda tf, x: tf.sparse.to_dense(x), [[0, 5], [1, 0], [1, 1]]), V),
    error("SparseToDense: out of order", one(lambda tf, x: tf.sparse.to_dense(x), [[1, 0], [0, 1], [1, 1]]), V),
    error("SparseToDense: repeated", one(lambda tf, x: tf.sparse.to_dense(x), [[0, 1], [0, 1], [1, 1]]), V),
    error("more values than indices", one(lambda tf, x: tf.sparse.to_dense(x)), floats(4)),
    error("indices no matrix", lambda tf, v: tf.SparseTensor([0, 1], v, [3]), floats(2)),
    error("SparseAdd: other shapes", lambda tf, a: tf.sparse.add(sparse(tf, a), sparse(tf, a, PLACES, (2, 4))), V),
    error("neither is sparse", lambda tf, a: tf.sparse.add(a, a), V),
    error("SparseTensorDenseAdd: other shapes", one(lambda tf, x: tf.sparse.add(x, tf.ones([2, 2]))), V),
    error("SparseTensorDenseMatMul: inner sizes differ", _matmul(), V, floats(2, 2)),
    error("SparseTensorDenseMatMul: inner sizes differ", _matmul(), V, floats(2, 2), mode="graph"),
    error("SparseTensorDenseMatMul: out of range", one(
        lambda tf, x: tf.sparse.sparse_dense_matmul(x, tf.ones([3, 2])), [[0, 7], [1, 0], [1, 1]]), V),
    error("SparseReduceSum: no such axis", _reduce("reduce_sum", axis=2), V),
    error("SparseReduceMax: no such axis", _reduce("reduce_max", axis=-3), V),
    error("SparseSlice: a negative size", one(lambda tf, x: tf.sparse.slice(x, [0, 1], [-2, 5])), V),
    error("SparseSoftmax: a vector", one(lambda tf, x: tf.sparse.softmax(x), [[0], [1], [2]], (3,)), V),
    error("SparseConcat: other sizes", lambda tf, a: tf.sparse.concat(0, [sparse(tf, a), sparse(tf, a, PLACES, (2, 4))]), V),
    error("SparseSplit: too many", lambda tf, a: tf.sparse.split(sparse(tf, a), 4, 1), V),
    error("SparseReshape: another number of elements", one(lambda tf, x: tf.sparse.reshape(x, [4, 2])), V),
    error("SparseFillEmptyRows: out of range", one(lambda tf, x: tf.sparse.fill_empty_rows(x, 0.0), [[7, 0], [0, 1], [1, 1]]), V),
    error("SparseDenseCwiseMul: does not broadcast", one(lambda tf, x: x * tf.ones([2])), V),
    error("SparseDenseCwiseMul: the dense one has more axes", one(lambda tf, x: x * tf.ones([1, 2, 3])), V),
    error("no sum of a sparse tensor and a number", one(lambda tf, x: x + 2.0), V),
    error("no square root of a matrix product", one(lambda tf, x: tf.matmul(x, tf.ones([3, 2]))), V),
    error("a gradient with respect to a sparse tensor", one(lambda tf, x: tf.GradientTape(persistent=True).gradient(x.values, x)), V),
    error("DenseCountSparseOutput: negative", lambda tf, x: tf.sparse.bincount(x), np.int32([1, -1])),
]  # fmt: skip
