"""Partition and stitch, and what is found by looking at values: unique, searchsorted, set difference."""

from __future__ import annotations

import numpy as np

from tests.cases.array_gather import at
from tests.cases.case import Case, ErrorCase, case, error, floats, ints

CASES: list[Case] = [
    case("DynamicPartition", "vector", lambda tf, x, p: tf.dynamic_partition(x, p, 2), floats(5), at(0, 1, 1, 0, 1)),
    case("DynamicPartition", "rows", lambda tf, x, p: tf.dynamic_partition(x, p, num_partitions=3), floats(4, 2), at(2, 0, 2, 0)),
    case(
        "DynamicPartition",
        "matrix of partitions",
        lambda tf, x, p: tf.dynamic_partition(x, p, 2),
        floats(2, 3, dtype="float64"),
        at([0, 1, 1], [1, 0, 0]),
    ),
    case("DynamicPartition", "scalar", lambda tf, x, p: tf.dynamic_partition(x, p, 2), floats(), 1),
    case("DynamicPartition", "one part used", lambda tf, x, p: tf.dynamic_partition(x, p, 2)[1] * 3.0, floats(4), at(0, 1, 1, 0)),
    case("DynamicPartition", "integers", lambda tf, x, p: tf.dynamic_partition(x, p, 2), ints(3), at(1, 0, 1)),
    case("DynamicPartition", "empty", lambda tf, x, p: tf.dynamic_partition(x, p, 2), floats(0, 2), at()),
    case(
        "DynamicStitch", "two", lambda tf, i, j, x, y: tf.dynamic_stitch([i, j], [x, y]), at(0, 3), at(1, 2), floats(2), floats(2, seed=1)
    ),
    case(
        "DynamicStitch",
        "rows",
        lambda tf, i, j, x, y: tf.dynamic_stitch([i, j], [x, y]),
        at(2),
        at(0, 1),
        floats(1, 3),
        floats(2, 3, seed=1),
    ),
    case(
        "DynamicStitch",
        "scalar index",
        lambda tf, i, j, x, y: tf.dynamic_stitch([i, j], [x, y]),
        1,
        at([0, 2]),
        floats(2, dtype="float64"),
        floats(1, 2, 2, seed=1, dtype="float64"),
    ),
    case("DynamicStitch", "a gap", lambda tf, i, x: tf.dynamic_stitch([i], [x])[1:2], at(0, 1, 3), floats(3)),
    case(
        "DynamicStitch",
        "undoes a partition",
        lambda tf, x, p: tf.dynamic_stitch(tf.dynamic_partition(tf.range(4), p, 2), tf.dynamic_partition(x * x, p, 2)),
        floats(4),
        at(0, 1, 1, 0),
    ),
    case("DynamicStitch", "integers", lambda tf, i, j, x, y: tf.dynamic_stitch([i, j], [x, y]), at(0, 3), at(1, 2), ints(2), ints(2)),
    case(
        "DynamicStitch",
        "overlap: the last one wins",
        lambda tf, i, j, x, y: tf.stop_gradient(tf.dynamic_stitch([i, j], [x, y])),
        at(0, 1),
        at(1, 2),
        floats(2),
        floats(2, seed=1),
        smooth=False,
    ),
    case(
        "ParallelDynamicStitch",
        "two",
        lambda tf, i, j, x, y: tf.raw_ops.ParallelDynamicStitch(indices=[i, j], data=[x, y]),
        at(0, 3),
        at(1, 2),
        floats(2),
        floats(2, seed=1),
    ),
    case(
        "ParallelDynamicStitch",
        "rows",
        lambda tf, i, j, x, y: tf.raw_ops.ParallelDynamicStitch(indices=[i, j], data=[x, y]),
        at(2),
        at(0, 1),
        floats(1, 3),
        floats(2, 3, seed=1),
    ),
    case("Unique", "integers", lambda tf, x: tf.unique(x), ints(8, high=4), smooth=False),
    case(
        "Unique",
        "floats in order of appearance",
        lambda tf, x: tf.unique(tf.stop_gradient(x))[0],
        np.array([3, 1, 3, 2, 1], np.float64),
        smooth=False,
    ),
    case("Unique", "positions of int64", lambda tf, x: tf.unique(x, out_idx=tf.int64)[1], np.array([3, 1, 3], np.int32), smooth=False),
    case("Unique", "empty", lambda tf, x: tf.unique(x), np.array([], np.int32), smooth=False),
    case("UniqueWithCounts", "integers", lambda tf, x: tf.unique_with_counts(x), ints(8, high=4), smooth=False),
    case(
        "UniqueWithCounts",
        "counts of int64",
        lambda tf, x: tf.unique_with_counts(x, out_idx=tf.int64).count,
        np.array([3, 1, 3], np.int32),
        smooth=False,
    ),
    case("ListDiff", "integers", lambda tf, x, y: tf.raw_ops.ListDiff(x=x, y=y), at(1, 2, 3, 4, 5, 6), at(1, 3, 5), smooth=False),
    case("ListDiff", "version 1", lambda tf, x, y: tf.setdiff1d(x, y), at(5, 2, 5), at(2), face="v1", smooth=False),
    case(
        "LowerBound",
        "left",
        lambda tf, s, v: tf.searchsorted(s, v),
        np.array([1, 3, 5, 7], np.float32),
        np.array([0, 3, 6, 9], np.float32),
        smooth=False,
    ),
    case(
        "LowerBound",
        "rows of int64 answers",
        lambda tf, s, v: tf.searchsorted(s, v, side="left", out_type=tf.int64),
        at([1, 3, 5], [2, 4, 6]),
        at([3, 9], [1, 4]),
        smooth=False,
    ),
    case(
        "UpperBound",
        "right",
        lambda tf, s, v: tf.searchsorted(s, v, side="right"),
        np.array([1, 3, 3, 7], np.float64),
        np.array([0, 3, 7], np.float64),
        smooth=False,
    ),
    case(
        "UpperBound",
        "batches",
        lambda tf, s, v: tf.searchsorted(s, v, side="right"),
        at([[1, 3, 3]], [[2, 4, 6]]),
        at([[3]], [[5]]),
        smooth=False,
    ),
    case("UnravelIndex", "vector", lambda tf, i, d: tf.unravel_index(i, d), at(2, 5, 7), at(3, 3), smooth=False),
    case("UnravelIndex", "scalar", lambda tf, i, d: tf.unravel_index(i, d), 5, at(2, 4), smooth=False),
]

ERRORS: list[ErrorCase] = [
    *(
        found
        for mode in ("eager", "graph")
        for found in (
            error(
                "DynamicPartition: partitions do not fit", lambda tf, x, p: tf.dynamic_partition(x, p, 2), floats(3), at(0, 1), mode=mode
            ),
            error("DynamicPartition: no partitions", lambda tf, x, p: tf.dynamic_partition(x, p, 0), floats(2), at(0, 1), mode=mode),
            error("DynamicStitch: data do not fit", lambda tf, i, x: tf.dynamic_stitch([i], [x]), at(0, 1), floats(3), mode=mode),
            error("DynamicStitch: nothing", lambda tf: tf.dynamic_stitch([], []), mode=mode),
            error("Unique: matrix", lambda tf, x: tf.unique(x), ints(2, 2), mode=mode),
            error("searchsorted: side", lambda tf, x: tf.searchsorted(x, x, side="up"), floats(2), mode=mode),
        )
    ),
    error("DynamicPartition: partition out of range", lambda tf, x, p: tf.dynamic_partition(x, p, 2), floats(2), at(0, 2)),
    error("DynamicStitch: negative index", lambda tf, i, x: tf.dynamic_stitch([i], [x]), at(-1), floats(1)),
    error("UnravelIndex: beyond the shape", lambda tf, i: tf.unravel_index(i, [2, 2]), at(4)),
]
