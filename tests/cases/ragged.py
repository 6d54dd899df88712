"""Ragged tensors: flat values in, and what functions of ragged tensors give, by flat values and row splits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.cases.case import Array, Case, ErrorCase, case, error, floats, ints

SPLITS = [0, 2, 2, 5]
OUTER = [0, 2, 2, 3]
INNER = [0, 1, 3, 5]


def ragged(tf: Any, values: Any, *splits: Any) -> Any:
    """A ragged tensor of flat values."""
    if values.dtype.is_floating or values.dtype.is_complex:
        values = values * 1  # whether the gradient of the flat values themselves is sparse is of no interest
    return tf.RaggedTensor.from_nested_row_splits(values, [np.array(s, np.int64) for s in (splits or (SPLITS,))])


def parts(x: Any) -> Any:
    """What a ragged tensor consists of; of lists, of each."""
    if isinstance(x, (list, tuple)):
        return [parts(one) for one in x]
    return [x.flat_values, *x.nested_row_splits] if hasattr(x, "row_splits") else x


def sparse_parts(x: Any) -> list[Any]:
    """What a sparse tensor consists of."""
    return [x.indices, x.values, x.dense_shape]


def of(f: Callable[..., Any], *splits: Any) -> Callable[..., Any]:
    """`f(tf, ragged tensor, ...)` as a function of the flat values."""
    return lambda tf, values, *more: parts(f(tf, ragged(tf, values, *splits), *more))


def stopped(f: Callable[..., Any]) -> Callable[..., Any]:
    """The same without gradients."""

    def call(tf: Any, *inputs: Any) -> Any:
        return f(tf, *(tf.stop_gradient(x) if x.dtype.is_floating else x for x in inputs))

    return call


V = floats(5)
P = floats(5, low=0.5)
D = floats(5, dtype="float64")
ROWS = floats(5, 2)
TWO = (OUTER, INNER)


def _reductions() -> list[Case]:
    ops = {"sum": "Sum", "mean": "Sum", "prod": "Prod", "max": "Max", "min": "Min"}
    found = []
    for name, kind in ops.items():
        op = f"UnsortedSegment{kind}"
        smooth = name in ("sum", "prod")
        full = [0, 2, 3, 5]
        reduce = f"reduce_{name}"
        found += [
            case(op, f"{name} of rows", of(lambda tf, x, r=reduce: getattr(tf, r)(x, 1), full), P, smooth=smooth or name == "mean"),
            case(op, f"{name} of columns", of(lambda tf, x, r=reduce: getattr(tf, r)(x, axis=0)), P, smooth=smooth or name == "mean"),
            case(op, f"{name} of all", of(lambda tf, x, r=reduce: getattr(tf, r)(x)), P),
            case(op, f"{name} of inner rows", of(lambda tf, x, r=reduce: getattr(tf, r)(x, axis=2), *TWO), P),
            case(op, f"{name} across rows of rows", of(lambda tf, x, r=reduce: getattr(tf, r)(x, axis=0), *TWO), P, smooth=smooth),
            case(op, f"{name} under rows", of(lambda tf, x, r=reduce: getattr(tf, r)(x, axis=2)), ROWS),
            case(op, f"{name} kept", of(lambda tf, x, r=reduce: getattr(tf, r)(x, axis=1, keepdims=True), full), P),
        ]
    return found


def _binary(op: str, label: str, f: Callable[..., Any], *inputs: Any, splits: Any = ()) -> Case:
    return case(op, label, of(f, *splits), *inputs)


def _through_variant(tf: Any, values: Any) -> Any:
    """Encoded as one variant, and back."""
    encoded = tf.raw_ops.RaggedTensorToVariant(rt_nested_splits=[np.int64(SPLITS)], rt_dense_values=values * values, batched_input=False)
    found = tf.raw_ops.RaggedTensorFromVariant(encoded_ragged=encoded, input_ragged_rank=1, output_ragged_rank=1, Tvalues=values.dtype)
    return tf.reshape(found[-1], [5])


CASES: list[Case] = [
    case("RaggedTensorToVariant", "there and back", _through_variant, V),
    # made
    case("RaggedCheckedSplits", "row splits", lambda tf, v: parts(tf.RaggedTensor.from_row_splits(v, [0, 2, 2, 5])), V),
    case("Cumsum", "row lengths", lambda tf, v: parts(tf.RaggedTensor.from_row_lengths(v, [2, 0, 3])), V),
    case("RaggedSplitsOfRows", "rows of values", lambda tf, v: parts(tf.RaggedTensor.from_value_rowids(v, [0, 0, 2, 2, 2])), V),
    case("RaggedSplitsOfRows", "more rows", lambda tf, v: parts(tf.RaggedTensor.from_value_rowids(v, [0, 0, 2, 2, 2], 5)), V),
    case("ConcatV2", "row starts", lambda tf, v: parts(tf.RaggedTensor.from_row_starts(v, [0, 2, 2])), V),
    case("ConcatV2", "row limits", lambda tf, v: parts(tf.RaggedTensor.from_row_limits(v, [2, 2, 5])), V),
    case("Mul", "uniform rows", lambda tf, v: parts(tf.RaggedTensor.from_uniform_row_length(v, 2)), floats(6)),
    case("RaggedCheckedSplits", "int32", lambda tf, v: parts(tf.RaggedTensor.from_row_splits(v, np.int32([0, 5]))), V),
    case("Reshape", "from a tensor", lambda tf, x: parts(tf.RaggedTensor.from_tensor(x)), floats(2, 3)),
    case("Reshape", "from a tensor, two axes", lambda tf, x: parts(tf.RaggedTensor.from_tensor(x, ragged_rank=2)), floats(2, 2, 2)),
    case("GatherNd", "from a tensor by lengths", lambda tf, x: parts(tf.RaggedTensor.from_tensor(x, lengths=[1, 3])), floats(2, 3)),
    case("GatherNd", "from a tensor without padding", lambda tf, x: parts(tf.RaggedTensor.from_tensor(x, padding=0)),
         np.float32([[1, 2, 0], [3, 0, 0], [0, 0, 0], [0, 5, 0]]), smooth=False),
    case("RaggedSparseRows", "from a sparse tensor", lambda tf, v: parts(tf.RaggedTensor.from_sparse(
        tf.SparseTensor([[0, 0], [0, 1], [2, 0]], v, [3, 3]))), floats(3)),
    case("Const", "constant", lambda tf: parts(tf.ragged.constant([[1, 2], [], [3]])) + parts(tf.ragged.constant([[[1.0], []], []]))),
    case("RaggedRange", "limits", lambda tf: parts(tf.ragged.range([3, 0, 2])) + parts(tf.ragged.range([0, 5], [3, 12], 4))),
    case("RaggedRange", "down", lambda tf: parts(tf.ragged.range([5.0, 1.0], 0.0, [-2.0, -0.25]))),
    case("RaggedRange", "int32 splits", lambda tf, n: parts(tf.ragged.range(n, row_splits_dtype=tf.int32)), np.int64([2, 1])),
    case("RaggedRows", "segment ids", lambda tf: tf.ragged.row_splits_to_segment_ids([0, 2, 2, 3])),
    case("RaggedSplitsOfRows", "splits of segment ids", lambda tf: tf.ragged.segment_ids_to_row_splits([0, 0, 2], num_segments=4)),
    case("RaggedStableOrder", "partitions", lambda tf, v: parts(tf.ragged.stack_dynamic_partitions(v, [1, 0, 1, 3, 0], 4)), V),
    case("RaggedStableOrder", "partitions of rows", lambda tf, v: parts(tf.ragged.stack_dynamic_partitions(v, [1, 0, 1, 1, 0], 2)), ROWS),
    # read
    case("RaggedRows", "rows of values", of(lambda tf, x: [x.value_rowids(), x.row_lengths(), x.nrows(), x.bounding_shape()]), V,
         smooth=False),
    case("RaggedTensorToTensor", "padded", of(lambda tf, x: x.to_tensor()), V),
    case("RaggedTensorToTensor", "default", lambda tf, v, d: ragged(tf, v).to_tensor(d), V, floats()),
    case("RaggedTensorToTensor", "cut", of(lambda tf, x: x.to_tensor(shape=[2, 1])), V),
    case("RaggedTensorToTensor", "widened", of(lambda tf, x: x.to_tensor(-1.0, shape=[None, 4])), V),
    case("RaggedTensorToTensor", "rows of rows", of(lambda tf, x: x.to_tensor(), *TWO), V),
    case("RaggedTensorToTensor", "items", of(lambda tf, x: x.to_tensor()), ROWS),
    case("RaggedTensorToTensor", "items by default", lambda tf, v, d: ragged(tf, v).to_tensor(d), ROWS, floats(2)),
    case("RaggedTensorToTensor", "float64", of(lambda tf, x: x.to_tensor()), D),
    case("RaggedTensorToTensor", "integers", of(lambda tf, x: x.to_tensor(7)), ints(5)),
    case("RaggedTensorToTensor", "strings", of(lambda tf, x: x.to_tensor("-")), np.array([b"a", b"b", b"c", b"d", b"e"], object)),
    case("RaggedTensorToTensor", "no items", of(lambda tf, x: x.to_tensor(), [0, 0, 0]), floats(0), smooth=False),
    case("RaggedTensorToTensor", "rows of values", lambda tf, v: tf.raw_ops.RaggedTensorToTensor(
        shape=[4, -1], values=v, default_value=0.0, row_partition_tensors=[np.int64(3), np.int64([0, 0, 2, 2, 2])],
        row_partition_types=["FIRST_DIM_SIZE", "VALUE_ROWIDS"]), V),
    case("RaggedTensorToSparse", "rows", lambda tf, v: sparse_parts(ragged(tf, v).to_sparse()), V),
    case("RaggedTensorToSparse", "rows of rows of items", lambda tf, v: sparse_parts(
        ragged(tf, v, *TWO).to_sparse()), ROWS),
    case("Reshape", "merge_dims, inner", of(lambda tf, x: x.merge_dims(1, 2), *TWO), V),
    case("Reshape", "merge_dims, outer", of(lambda tf, x: x.merge_dims(0, 1), *TWO), V),
    case("Reshape", "merge_dims, items", of(lambda tf, x: x.merge_dims(1, 2)), ROWS),
    case("Identity", "with other values", of(lambda tf, x: x.with_values(x.values * 2.0)), V),
    # indexed
    *(case("StridedSlice", f"row {i}", of(lambda tf, x, i=i: x[i]), V) for i in (0, 1, -1)),
    case("StridedSlice", "an item", of(lambda tf, x: x[2, 1]), V),
    case("StridedSlice", "under rows", of(lambda tf, x: x[..., 0]), ROWS),
    case("StridedSlice", "a row of rows", of(lambda tf, x: x[0], *TWO), V),
    case("RaggedGather", "rows", of(lambda tf, x: x[1:]), V),
    case("RaggedGather", "rows backwards", of(lambda tf, x: x[::-1]), V),
    case("RaggedSlices", "the first of each", of(lambda tf, x: x[:, :1]), V),
    case("RaggedSlices", "the last two of each", of(lambda tf, x: x[:, -2:]), V),
    case("RaggedSlices", "backwards", of(lambda tf, x: x[:, ::-1]), V),
    case("RaggedSlices", "every other, from the second", of(lambda tf, x: x[:, 1::2]), V),
    case("RaggedSlices", "inner rows", of(lambda tf, x: x[:, :, :1], *TWO), V),
    case("Mul", "a new axis", of(lambda tf, x: x[:, None]), V),
    # element by element
    _binary("AddV2", "a number", lambda tf, x: x + 1.5, V),
    _binary("Sub", "from a number", lambda tf, x: 2.0 - x, V),
    _binary("RealDiv", "integers", lambda tf, x: x / 2, ints(5)),
    _binary("Pow", "a power", lambda tf, x: x**2.0, P),
    _binary("Less", "compared", lambda tf, x: [x < 0.5, tf.equal(x, x), ~(x > 0.0)], V),
    case("Mul", "the same rows", lambda tf, a, b: parts(ragged(tf, a) * ragged(tf, b)), V, floats(5, seed=1)),
    case("RaggedBroadcast", "a column", of(lambda tf, x, y: x * y), V, floats(3, 1, seed=1)),
    case("RaggedBroadcast", "one row of one", of(lambda tf, x, y: x * y), V, floats(1, 1, seed=1)),
    case("RaggedBroadcast", "under rows", of(lambda tf, x, y: x + y), ROWS, floats(3, 1, 2, seed=1)),
    case("RaggedBroadcast", "rows of rows", of(lambda tf, x, y: x * y, *TWO), V, floats(3, 1, 1, seed=1)),
    case("RaggedBroadcast", "uniform rows", lambda tf, a, b: parts(
        tf.RaggedTensor.from_uniform_row_length(a, 1) + ragged(tf, b)), floats(3), V),
    _binary("Add", "a vector under rows", lambda tf, x, y: x + y, ROWS, floats(2, seed=1)),
    _binary("Sin", "a function", lambda tf, x: tf.sin(x), V),
    _binary("Exp", "rows of rows", lambda tf, x: tf.exp(x), V, splits=TWO),
    _binary("Cast", "cast", lambda tf, x: tf.cast(x, tf.float64), V),
    _binary("ClipByValue", "clipped", lambda tf, x: tf.clip_by_value(x, -0.5, 0.5), V),
    _binary("OnesLike", "like it", lambda tf, x: [tf.zeros_like(x), tf.ones_like(x)], V),
    _binary("Gelu", "gelu, abs", lambda tf, x: [tf.nn.gelu(x), tf.abs(x)], V),
    case("SelectV2", "a choice", lambda tf, a, b: parts(tf.where(ragged(tf, a) > 0.0, ragged(tf, a), ragged(tf, b))), V, floats(5, seed=1)),
    _binary("Where", "places", lambda tf, x: tf.where(x > 0), ints(5, low=-2, high=3)),
    _binary("OneHot", "one hot", lambda tf, x: tf.one_hot(x, 4), ints(5, high=4)),
    _binary("AddN", "sum of several", lambda tf, x: tf.add_n([x, x, x]), V),
    case("Mul", "map_flat_values", lambda tf, a, b: parts(tf.ragged.map_flat_values(tf.multiply, ragged(tf, a), ragged(tf, b))), V,
         floats(5, seed=1)),
    _binary("Softmax", "softmax of rows", lambda tf, x: tf.nn.softmax(x), V),
    _binary("Cumsum", "running sum of rows", lambda tf, x: tf.cumsum(x, 1), V),
    # reduced
    *_reductions(),
    case("UnsortedSegmentSum", "any, all", of(lambda tf, x: [tf.reduce_any(x > 1, 1), tf.reduce_all(x > 1, 1)]), ints(5, high=4)),
    case("UnsortedSegmentSum", "variance, std", of(
        lambda tf, x: [tf.math.reduce_variance(x, 1), tf.math.reduce_std(x)], [0, 2, 5]), V),
    case("UnsortedSegmentSum", "logsumexp", of(lambda tf, x: tf.reduce_logsumexp(x, 1), [0, 2, 5]), V),
    case("UnsortedSegmentSum", "rows by segment", of(lambda tf, x: tf.math.unsorted_segment_sum(x, [0, 1, 0], 2)), V),
    case("UnsortedSegmentSum", "several axes", of(lambda tf, x: [tf.reduce_sum(x, [0, 1]), tf.reduce_sum(x, [1, 2])], *TWO), V),
    # gathered and joined
    _binary("RaggedGather", "gather", lambda tf, x: tf.gather(x, [2, 0, 2]), V),
    _binary("RaggedGather", "gather, matrix", lambda tf, x: tf.gather(x, [[2], [0]]), V),
    _binary("RaggedGather", "gather, rows of rows", lambda tf, x: tf.gather(x, [2, 0]), V, splits=TWO),
    _binary("RaggedGather", "gather, complex", lambda tf, x: tf.gather(x, [2, 0, 2]), floats(5, dtype="complex64")),
    case("GatherV2", "ragged indices", lambda tf, v: parts(tf.gather(v, tf.ragged.constant([[2], [], [0, 2]]))), floats(3)),
    case("RaggedWithin", "row by row", of(lambda tf, x: tf.gather(x, tf.ragged.constant([[1], [], [0, 2]]), batch_dims=1)), V),
    case("RaggedColumns", "columns", of(lambda tf, x: tf.gather(x, [1, 0], axis=1), [0, 2, 5]), V),
    _binary("GatherNd", "items", lambda tf, x: tf.gather_nd(x, [[0, 1], [2, 0]]), V),
    case("ConcatV2", "below", lambda tf, a, b: parts(tf.concat([ragged(tf, a), ragged(tf, b)], 0)), V, floats(5, seed=1)),
    case("RaggedSameSplits", "beside", lambda tf, a, b: parts(tf.concat([ragged(tf, a), ragged(tf, b, [0, 1, 4, 5])], 1)), V,
         floats(5, seed=1)),
    case("ConcatV2", "under rows", lambda tf, a, b: parts(tf.concat([ragged(tf, a), ragged(tf, b)], 2)), ROWS, floats(5, 1, seed=1)),
    case("ConcatV2", "a tensor beside", of(lambda tf, x, y: tf.concat([x, y], 1)), V, floats(3, 2, seed=1)),
    case("ConcatV2", "stack", lambda tf, a, b: parts(tf.stack([ragged(tf, a), ragged(tf, b)], 0).flat_values), V, floats(5, seed=1)),
    case("ConcatV2", "ragged.stack", lambda tf, a, b: parts(tf.ragged.stack([a, b])), floats(2), floats(3)),
    _binary("GatherV2", "tile, reverse", lambda tf, x: [tf.tile(x, [2, 1]).to_tensor(), tf.reverse(x, [0]), tf.reverse(x, [1])], V),
    _binary("StridedSlice", "split", lambda tf, x: tf.split(x, 3), V),
    _binary("ExpandDims", "expand, squeeze", lambda tf, x: [tf.expand_dims(x, 2), tf.squeeze(tf.expand_dims(x, 2), 2)], V),
    _binary("GatherV2", "mask of rows", lambda tf, x: tf.ragged.boolean_mask(x, [True, False, True]), V),
    case("GatherV2", "mask of items", of(lambda tf, x: tf.ragged.boolean_mask(x, x > 1)), ints(5, high=4)),
    case("GatherV2", "mask of a tensor", lambda tf, x: tf.ragged.boolean_mask(x, [[True, False], [True,
         True]]).to_tensor(shape=[2, 2]), floats(2, 2)),
    case("BatchMatMulV2", "matrices with rows of their own", of(lambda tf, x, y: tf.matmul(x, y), [0, 2, 5]), ROWS, floats(2, 2, 3)),
    case("GatherV2", "embedding", lambda tf, t: parts(tf.nn.embedding_lookup(t, tf.ragged.constant([[2], [], [0, 2]]))), floats(3, 2)),
    case("SparseSegmentMean", "embedding of rows", lambda tf, t: tf.nn.embedding_lookup_sparse(
        t, tf.ragged.constant([[2], [0, 1]]), None), floats(3, 2)),
    case("RaggedFillEmptyRows", "rows", lambda tf, v, d: list(tf.ragged_fill_empty_rows(
        value_rowids=np.int64([0, 0, 2, 2, 4]), values=v, nrows=np.int64(6), default_value=d)), V, floats()),
    case("RaggedFillEmptyRowsGrad", "as TensorFlow has it", stopped(lambda tf, g: list(tf.ragged_fill_empty_rows_grad(
        np.int64([1, 4, 0]), g))), V, smooth=False),
]  # fmt: skip



def _made(f: Callable[[Any, Array], Any]) -> Callable[..., Any]:
    return lambda tf, v: parts(f(tf, v))


ERRORS: list[ErrorCase] = [
    error("splits that end early", _made(lambda tf, v: tf.RaggedTensor.from_row_splits(v, [0, 2])), V),
    error("splits that do not begin with 0", _made(lambda tf, v: tf.RaggedTensor.from_row_splits(v, [1, 5])), V),
    error("splits that fall", _made(lambda tf, v: tf.RaggedTensor.from_row_splits(v, [0, 3, 1, 5])), V),
    error("lengths that do not add up", _made(lambda tf, v: tf.RaggedTensor.from_row_lengths(v, [1, 2])), V),
    error("rows that fall", _made(lambda tf, v: tf.RaggedTensor.from_value_rowids(v, [1, 0, 0, 2, 2])), V),
    error("fewer rows than there are", _made(lambda tf, v: tf.RaggedTensor.from_value_rowids(v, [0, 0, 0, 2, 7], 3)), V),
    error("other values", of(lambda tf, x: x.with_values(tf.zeros([2]))), V),
    error("rows of other lengths", lambda tf, v: ragged(tf, v) + ragged(tf, v, [0, 1, 2, 5]), V),
    error("a column of rows", of(lambda tf, x: x[:, 0]), V),
    error("no such row", of(lambda tf, x: x[5]), V),
    error("RaggedGather: no such row", of(lambda tf, x: tf.gather(x, [5])), V),
    error("no such axis", of(lambda tf, x: tf.reduce_sum(x, 5)), V),
    error("RaggedRange: a step of 0", lambda tf, v: tf.ragged.range([0], [5], 0), V),
    error("RaggedTensorToTensor: another rank", of(lambda tf, x: x.to_tensor(shape=[3])), V),
    error("scalars at different depths", lambda tf, v: tf.ragged.constant([[1], 2]), V),
    error("not as deep", lambda tf, v: tf.ragged.constant([[1]], ragged_rank=3), V),
    error("of no use as a condition", of(lambda tf, x: bool(x)), V),
    error("not as many items", of(lambda tf, x: tf.ragged.map_flat_values(tf.reduce_sum, x)), V),
    error("not right-ragged", lambda tf, v: tf.RaggedTensor.from_sparse(tf.SparseTensor([[0, 1], [2, 0]], v[:2], [3, 3])), V),
    error("a product of ragged matrices", of(lambda tf, x: tf.matmul(x, tf.ones([3, 2]))), V),
]
