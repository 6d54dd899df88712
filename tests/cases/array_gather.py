"""Gather and scatter: rows and entries by index, and their adjoints."""

from __future__ import annotations

import numpy as np

from tests.cases.case import Case, ErrorCase, bools, case, error, floats, ints


def at(*values, dtype="int32"):
    """Indices as an array: `at(0, 2)`, `at([0], [2])`."""
    return np.array(values, dtype)


CASES: list[Case] = [
    case("GatherV2", "rows", lambda tf, x, i: tf.gather(x, i), floats(4, 3), at(2, 0)),
    case("GatherV2", "the same row twice", lambda tf, x, i: tf.gather(x, i), floats(4, 3), at(1, 3, 1)),
    case("GatherV2", "one row", lambda tf, x, i: tf.gather(x, i), floats(4, 3), 1),
    case("GatherV2", "matrix of indices", lambda tf, x, i: tf.gather(x, i), floats(4, 2), at([0, 1], [3, 0])),
    case("GatherV2", "no rows", lambda tf, x, i: tf.gather(x, i), floats(4, 3), at()),
    case("GatherV2", "int64 indices", lambda tf, x, i: tf.gather(x, i), floats(3, dtype="float64"), at(2, 2, dtype="int64")),
    case("GatherV2", "indices in Python", lambda tf, x: tf.gather(x, [0, 2]), floats(3, 2)),
    case("GatherV2", "columns", lambda tf, x, i: tf.gather(x, i, axis=1), floats(2, 4), at(3, 0, 3)),
    case("GatherV2", "last axis", lambda tf, x, i: tf.gather(x, i, axis=-1), floats(2, 2, 3, dtype="float64"), at([0, 2])),
    case("GatherV2", "middle axis, one index", lambda tf, x, i: tf.gather(x, i, axis=1), floats(2, 3, 2), 2),
    case("GatherV2", "axis is an input", lambda tf, x, i, a: tf.gather(x, i, axis=a), floats(2, 4), at(1), 1),
    case("GatherV2", "batch_dims 1", lambda tf, x, i: tf.gather(x, i, batch_dims=1), floats(2, 4), at([0, 3], [1, 1])),
    case(
        "GatherV2", "batch_dims 1 and axis 2", lambda tf, x, i: tf.gather(x, i, axis=2, batch_dims=1), floats(2, 3, 4), at([0, 3], [1, 1])
    ),
    case(
        "GatherV2",
        "batch_dims 2",
        lambda tf, x, i: tf.gather(x, i, axis=2, batch_dims=2),
        floats(2, 2, 3, 2),
        at([[0, 2], [1, 1]], [[2, 2], [0, 1]]),
    ),
    case(
        "GatherV2", "batch_dims of all indices", lambda tf, x, i: tf.gather(x, i, batch_dims=1), floats(3, 4, dtype="float64"), at(0, 3, 1)
    ),
    case("GatherV2", "negative batch_dims", lambda tf, x, i: tf.gather(x, i, axis=-1, batch_dims=-1), floats(2, 4), at([0, 3], [1, 1])),
    case("GatherV2", "integers", lambda tf, x, i: tf.gather(x, i), ints(4), at(3, 1)),
    case("GatherV2", "complex64", lambda tf, x, i: tf.gather(x, i), floats(4, dtype="complex64"), at(3, 1, 1)),
    case("GatherV2", "float16", lambda tf, x, i: tf.gather(x, i), floats(4, 2, dtype="float16"), at(3, 1)),
    case("GatherV2", "then multiplied", lambda tf, x, i: tf.gather(x, i) * 2.0, floats(4, 2), at(3, 1, 3)),
    case("GatherV2", "two gathers added", lambda tf, x, i, j: tf.gather(x, i) + tf.gather(x, j), floats(4, 2), at(3, 1), at(1, 1)),
    case(
        "GatherV2", "a gather and the whole", lambda tf, x, i: tf.reduce_sum(tf.gather(x, i)) + tf.reduce_sum(x * x), floats(4, 2), at(3, 1)
    ),
    case("GatherV2", "of an identity", lambda tf, x, i: tf.gather(tf.identity(x), i), floats(4, 2), at(3, 1)),
    case("GatherV2", "of a product", lambda tf, x, i: tf.gather(x * x, i), floats(4, 2), at(3, 3)),
    case("GatherV2", "of a gather", lambda tf, x, i, j: tf.gather(tf.gather(x, i), j), floats(4, 2), at(3, 1, 0), at(0, 0)),
    case("GatherV2", "of a reshape", lambda tf, x, i: tf.gather(tf.reshape(x, [6, 1]), i), floats(2, 3), at(5, 1)),
    case("GatherV2", "version 1", lambda tf, x, i: tf.gather(params=x, indices=i, axis=1), floats(2, 3), at(2, 0), face="v1"),
    case("GatherV2", "batch_gather", lambda tf, x, i: tf.batch_gather(x, i), floats(2, 4), at([0, 3], [1, 1]), face="v1"),
    case(
        "GatherV2",
        "of a concatenation",
        lambda tf, x, y, i: tf.gather(tf.concat([x, y], 0), i),
        floats(3, 2),
        floats(2, 2, seed=1),
        at(0, 4, 2, 0),
    ),
    case("GatherV2", "empty batch", lambda tf, x, i: tf.gather(x, i, batch_dims=1), floats(0, 4), np.zeros((0, 2), np.int32)),
    case("GatherV2", "columns of nothing", lambda tf, x, i: tf.gather(x, i, axis=1), floats(0, 3), at(2, 0)),
    case("GatherV2", "rows without elements", lambda tf, x, i: tf.gather(x, i), floats(3, 0), at(2, 0)),
    case("Gather", "rows", lambda tf, x, i: tf.raw_ops.Gather(params=x, indices=i), floats(4, 3), at(2, 0, 2)),
    case("Gather", "one entry", lambda tf, x, i: tf.raw_ops.Gather(params=x, indices=i), floats(4, dtype="float64"), 2),
    case("GatherNd", "entries", lambda tf, x, i: tf.gather_nd(x, i), floats(3, 4), at([0, 1], [2, 3], [0, 1])),
    case("GatherNd", "rows", lambda tf, x, i: tf.gather_nd(x, i), floats(3, 4), at([2], [0], [2])),
    case("GatherNd", "one entry", lambda tf, x, i: tf.gather_nd(x, i), ints(3, 4), at(1, 2)),
    case("GatherNd", "matrix of indices", lambda tf, x, i: tf.gather_nd(x, i), floats(2, 3, 2), at([[0, 1], [1, 2]], [[1, 0], [0, 0]])),
    case("GatherNd", "no index columns", lambda tf, x, i: tf.gather_nd(x, i), ints(2, 3), np.zeros((2, 0), np.int32)),
    case("GatherNd", "nothing", lambda tf, x, i: tf.gather_nd(x, i), floats(2, 3), np.zeros((0, 2), np.int32)),
    case("GatherNd", "int64 indices", lambda tf, x, i: tf.gather_nd(x, i), floats(3), at([1], [1], dtype="int64")),
    case("GatherNd", "batch_dims 1", lambda tf, x, i: tf.gather_nd(x, i, batch_dims=1), floats(2, 3), at([1], [0])),
    case(
        "GatherNd", "batch_dims 1 of a cube", lambda tf, x, i: tf.gather_nd(x, i, batch_dims=1), floats(2, 3, 2), at([[1], [0]], [[2], [2]])
    ),
    case("GatherNd", "integers", lambda tf, x, i: tf.gather_nd(x, i), ints(3), at([2], [1])),
    case("GatherNd", "version 1", lambda tf, x, i: tf.gather_nd(x, i, name="g"), floats(3, 4), at([0, 1]), face="v1"),
    case("ScatterNd", "entries", lambda tf, i, u: tf.scatter_nd(i, u, [6]), at([4], [1], [3]), floats(3)),
    case("ScatterNd", "the same place twice", lambda tf, i, u: tf.scatter_nd(i, u, [4]), at([1], [1], [3]), floats(3, dtype="float64")),
    case("ScatterNd", "rows", lambda tf, i, u: tf.scatter_nd(i, u, [3, 2]), at([2], [0]), floats(2, 2)),
    case("ScatterNd", "into a matrix", lambda tf, i, u: tf.scatter_nd(i, u, (3, 2)), at([2, 0], [0, 1]), floats(2)),
    case("ScatterNd", "shape is an input", lambda tf, i, u, s: tf.scatter_nd(i, u, s), at([2], [0]), floats(2), at(5)),
    case("ScatterNd", "int64", lambda tf, i, u, s: tf.scatter_nd(i, u, s), at([2], [0], dtype="int64"), floats(2), at(3, dtype="int64")),
    case("ScatterNd", "nothing", lambda tf, i, u: tf.scatter_nd(i, u, [3]), np.zeros((0, 1), np.int32), floats(0)),
    case("ScatterNd", "integers", lambda tf, i, u: tf.scatter_nd(i, u, [3]), at([2], [2]), ints(2)),
    case("ScatterNd", "complex64", lambda tf, i, u: tf.scatter_nd(i, u, [3]), at([2], [2]), floats(2, dtype="complex64")),
    case(
        "TensorScatterAdd",
        "entries",
        lambda tf, x, i, u: tf.tensor_scatter_nd_add(x, i, u),
        floats(4),
        at([3], [1], [3]),
        floats(3, seed=1),
    ),
    case(
        "TensorScatterAdd",
        "rows",
        lambda tf, x, i, u: tf.tensor_scatter_nd_add(x, i, u),
        floats(3, 2, dtype="float64"),
        at([2], [0]),
        floats(2, 2, seed=1, dtype="float64"),
    ),
    case("TensorScatterAdd", "integers", lambda tf, x, i, u: tf.tensor_scatter_nd_add(x, i, u), ints(4), at([3]), ints(1)),
    case("TensorScatterAdd", "version 1", lambda tf, x, i, u: tf.tensor_scatter_add(x, i, u), floats(4), at([3]), floats(1), face="v1"),
    case(
        "TensorScatterSub",
        "entries",
        lambda tf, x, i, u: tf.tensor_scatter_nd_sub(x, i, u),
        floats(4),
        at([3], [1], [3]),
        floats(3, seed=1),
    ),
    case(
        "TensorScatterSub",
        "into a matrix",
        lambda tf, x, i, u: tf.tensor_scatter_nd_sub(x, i, u),
        floats(3, 2),
        at([2, 0], [0, 1]),
        floats(2, seed=1),
    ),
    case(
        "TensorScatterUpdate",
        "entries",
        lambda tf, x, i, u: tf.tensor_scatter_nd_update(x, i, u),
        floats(4),
        at([3], [1]),
        floats(2, seed=1),
    ),
    case(
        "TensorScatterUpdate",
        "rows",
        lambda tf, x, i, u: tf.tensor_scatter_nd_update(x, i, u),
        floats(3, 2, dtype="float64"),
        at([2], [0]),
        floats(2, 2, seed=1, dtype="float64"),
    ),
    case(
        "TensorScatterUpdate",
        "nothing",
        lambda tf, x, i, u: tf.tensor_scatter_nd_update(x, i, u),
        floats(3),
        np.zeros((0, 1), np.int32),
        floats(0),
    ),
    case("TensorScatterUpdate", "bools", lambda tf, x, i, u: tf.tensor_scatter_nd_update(x, i, u), bools(4), at([3]), bools(1, seed=1)),
    case("TensorScatterMax", "entries", lambda tf, x, i, u: tf.tensor_scatter_nd_max(x, i, u), floats(4), at([3], [1]), floats(2, seed=1)),
    case(
        "TensorScatterMax",
        "a tie",
        lambda tf, x, i, u: tf.tensor_scatter_nd_max(x, i, u),
        np.array([1, 2, 3], np.float32),
        at([1], [2]),
        np.array([2, 9], np.float32),
        smooth=False,
    ),
    case(
        "TensorScatterMax", "rows", lambda tf, x, i, u: tf.tensor_scatter_nd_max(x, i, u), floats(3, 2), at([2], [0]), floats(2, 2, seed=1)
    ),
    case("TensorScatterMin", "entries", lambda tf, x, i, u: tf.tensor_scatter_nd_min(x, i, u), floats(4), at([3], [1]), floats(2, seed=1)),
    case(
        "TensorScatterMin",
        "a tie",
        lambda tf, x, i, u: tf.tensor_scatter_nd_min(x, i, u),
        np.array([1, 2, 3], np.float32),
        at([1], [2]),
        np.array([2, -9], np.float32),
        smooth=False,
    ),
    case("BooleanMask", "vector", lambda tf, x, m: tf.boolean_mask(x, m), floats(4), at(1, 0, 1, 0, dtype="bool")),
    case("BooleanMask", "rows", lambda tf, x, m: tf.boolean_mask(x, m), floats(3, 2), at(1, 0, 1, dtype="bool")),
    case(
        "BooleanMask",
        "entries",
        lambda tf, x, m: tf.boolean_mask(x, m),
        floats(2, 3, dtype="float64"),
        at([1, 0, 1], [0, 0, 1], dtype="bool"),
    ),
    case("BooleanMask", "along an axis", lambda tf, x, m: tf.boolean_mask(x, m, axis=1), floats(2, 3), at(1, 0, 1, dtype="bool")),
    case("BooleanMask", "mask in Python", lambda tf, x: tf.boolean_mask(x, [True, False, True]), floats(3)),
    case("BooleanMask", "nothing left", lambda tf, x, m: tf.boolean_mask(x, m), floats(3), at(0, 0, 0, dtype="bool")),
    case("BooleanMask", "mask from the tensor", lambda tf, x: tf.boolean_mask(x, x > 0.0) * 2.0, floats(2, 3)),
    case("BooleanMask", "integers", lambda tf, x, m: tf.boolean_mask(x, m), ints(3), at(1, 0, 1, dtype="bool")),
    case("BooleanMask", "version 1", lambda tf, x, m: tf.boolean_mask(x, m, name="b"), floats(3), at(1, 0, 1, dtype="bool"), face="v1"),
]

ERRORS: list[ErrorCase] = [
    *(
        found
        for mode in ("eager", "graph")
        for found in (
            error("GatherV2: axis out of range", lambda tf, x, i: tf.gather(x, i, axis=2), floats(2, 3), at(0), mode=mode),
            error("GatherV2: scalar params", lambda tf, x, i: tf.gather(x, i), floats(), at(0), mode=mode),
            error("GatherV2: float indices", lambda tf, x, i: tf.gather(x, i), floats(3), floats(2), mode=mode),
            error(
                "GatherV2: batch_dims beyond the indices", lambda tf, x, i: tf.gather(x, i, batch_dims=2), floats(2, 3), at(0), mode=mode
            ),
            error("GatherNd: index too long", lambda tf, x, i: tf.gather_nd(x, i), floats(2, 3), at([0, 0, 0]), mode=mode),
            error("GatherNd: float indices", lambda tf, x, i: tf.gather_nd(x, i), floats(3), floats(2, 1), mode=mode),
            error("ScatterNd: updates do not fit", lambda tf, i, u: tf.scatter_nd(i, u, [4]), at([0], [1]), floats(3), mode=mode),
            error(
                "TensorScatterAdd: updates do not fit",
                lambda tf, x, i, u: tf.tensor_scatter_nd_add(x, i, u),
                floats(4),
                at([0], [1]),
                floats(3),
                mode=mode,
            ),
            error(
                "TensorScatterUpdate: dtypes differ",
                lambda tf, x, i, u: tf.tensor_scatter_nd_update(x, i, u),
                floats(4),
                at([0]),
                ints(1),
                mode=mode,
            ),
            error("boolean_mask: scalar mask", lambda tf, x: tf.boolean_mask(x, True), floats(3), mode=mode),
            error("boolean_mask: another shape", lambda tf, x, m: tf.boolean_mask(x, m), floats(3), bools(4), mode=mode),
        )
    ),
    error("GatherV2: batch sizes differ", lambda tf, x, i: tf.gather(x, i, batch_dims=1), floats(2, 3), at([0], [1], [2])),
    error("ScatterNd: index too long", lambda tf, i, u: tf.scatter_nd(i, u, [4]), at([0, 1]), floats(1)),
    error("GatherV2: index out of range", lambda tf, x, i: tf.gather(x, i), floats(2), at(5)),
    error("GatherV2: negative index", lambda tf, x, i: tf.gather(x, i), floats(2), at(-1)),
    error("GatherV2: index out of range in a matrix", lambda tf, x, i: tf.gather(x, i, axis=1), floats(2, 3), at([0, 1], [3, 0])),
    error("GatherV2: index out of range in a batch", lambda tf, x, i: tf.gather(x, i, batch_dims=1), floats(2, 3), at([0], [3])),
    error("GatherNd: index out of range", lambda tf, x, i: tf.gather_nd(x, i), floats(2, 3), at([0, 0], [1, 3])),
    error("ScatterNd: index out of range", lambda tf, i, u: tf.scatter_nd(i, u, [4]), at([4]), floats(1)),
    error(
        "TensorScatterUpdate: index out of range", lambda tf, x, i, u: tf.tensor_scatter_nd_update(x, i, u), floats(4), at([-1]), floats(1)
    ),
]
