"""Concatenate, stack, split and tile: tensors put together and taken apart."""

from __future__ import annotations

import numpy as np

from tests.cases.case import Case, ErrorCase, case, error, floats, ints

CASES: list[Case] = [
    case("ConcatV2", "rows", lambda tf, x, y: tf.concat([x, y], 0), floats(2, 3), floats(1, 3, seed=1)),
    case("ConcatV2", "columns", lambda tf, x, y: tf.concat([x, y], axis=-1), floats(2, 3), floats(2, 2, seed=1)),
    case(
        "ConcatV2",
        "three float64",
        lambda tf, x, y, z: tf.concat((x, y, z), 1),
        floats(2, 1, dtype="float64"),
        floats(2, 2, dtype="float64", seed=1),
        floats(2, 3, dtype="float64", seed=2),
    ),
    case("ConcatV2", "axis is an input", lambda tf, x, y, a: tf.concat([x, y], a), floats(2, 2), floats(2, 2, seed=1), 1),
    case("ConcatV2", "one tensor", lambda tf, x: tf.concat([x], 0), floats(2, 3)),
    case("ConcatV2", "a single tensor without a list", lambda tf, x: tf.concat(x, 0), floats(2, 3)),
    case("ConcatV2", "with an empty one", lambda tf, x, y: tf.concat([x, y], 0), floats(2, 3), floats(0, 3)),
    case("ConcatV2", "the same tensor twice", lambda tf, x: tf.concat([x, x], 1), floats(2, 2)),
    case("ConcatV2", "with a constant list", lambda tf, x: tf.concat([x, [9.0]], 0), floats(3)),
    case("ConcatV2", "integers", lambda tf, x, y: tf.concat([x, y], 0), ints(2), ints(3)),
    case(
        "ConcatV2", "complex64", lambda tf, x, y: tf.concat([x, y], 0), floats(2, dtype="complex64"), floats(1, dtype="complex64", seed=1)
    ),
    case("ConcatV2", "float16", lambda tf, x, y: tf.concat([x, y], 0), floats(2, dtype="float16"), floats(1, dtype="float16", seed=1)),
    case(
        "ConcatV2", "sparse gradients of two gathers", lambda tf, x: tf.concat([tf.gather(x, [0, 2]), tf.gather(x, [2])], 0), floats(3, 2)
    ),
    case(
        "ConcatV2",
        "gathered rows among dense",
        lambda tf, x, y: tf.concat([tf.gather(x, [1, 1]), y], 0),
        floats(3, 2),
        floats(1, 2, seed=1),
    ),
    case("ConcatV2", "gathered columns", lambda tf, x, y: tf.concat([tf.gather(x, [1, 0]), y], 1), floats(3, 2), floats(2, 1, seed=1)),
    case("ConcatV2", "version 1", lambda tf, x, y: tf.concat(values=[x, y], axis=0), floats(2), floats(3, seed=1), face="v1"),
    case("Pack", "scalars", lambda tf, x, y: tf.stack([x, y]), floats(), floats(seed=1)),
    case("Pack", "first axis", lambda tf, x, y: tf.stack([x, y]), floats(2, 3), floats(2, 3, seed=1)),
    case("Pack", "middle axis", lambda tf, x, y: tf.stack([x, y], axis=1), floats(2, 3), floats(2, 3, seed=1)),
    case(
        "Pack",
        "last axis",
        lambda tf, x, y: tf.stack([x, y], axis=-1),
        floats(2, 3, dtype="float64"),
        floats(2, 3, dtype="float64", seed=1),
    ),
    case("Pack", "most negative axis", lambda tf, x, y: tf.stack([x, y], -3), floats(2, 3), floats(2, 3, seed=1)),
    case("Pack", "one tensor", lambda tf, x: tf.stack([x]), floats(2)),
    case("Pack", "rows of one tensor", lambda tf, x: tf.stack(x, axis=1), floats(2, 3)),
    case("Pack", "with Python numbers", lambda tf, x: tf.stack([x, 2.0, x * x]), floats()),
    case("Pack", "a list converts to one tensor", lambda tf, x, y: tf.convert_to_tensor([x, y]), floats(2), floats(2, seed=1)),
    case("Pack", "nested lists convert", lambda tf, x, y: tf.convert_to_tensor([[x, 1.0], [y, x]]), floats(), floats(seed=1)),
    case("Pack", "integers", lambda tf, x, y: tf.stack([x, y]), ints(2), ints(2)),
    case("Pack", "empty", lambda tf, x, y: tf.stack([x, y]), floats(0), floats(0)),
    case("Unpack", "rows", lambda tf, x: tf.unstack(x), floats(2, 3)),
    case("Unpack", "columns", lambda tf, x: tf.unstack(x, axis=1), floats(2, 3)),
    case("Unpack", "negative axis", lambda tf, x: tf.unstack(x, axis=-1), floats(2, 3, 2, dtype="float64")),
    case("Unpack", "num given", lambda tf, x: tf.unstack(x, num=2), floats(2, 3)),
    case("Unpack", "one of them used", lambda tf, x: tf.unstack(x)[1], floats(3)),
    case("Unpack", "integers", lambda tf, x: tf.unstack(x), ints(2, 2)),
    case("Unpack", "product of entries", lambda tf, x: tf.unstack(x)[0] * tf.unstack(x)[1], floats(2)),
    case("Split", "two halves", lambda tf, x: tf.split(x, 2), floats(4, 3)),
    case("Split", "along the last axis", lambda tf, x: tf.split(x, 3, axis=-1), floats(2, 3, dtype="float64")),
    case("Split", "one part used", lambda tf, x: tf.split(x, 2, axis=1)[1], floats(2, 4)),
    case("Split", "one part", lambda tf, x: tf.split(x, 1), floats(3)),
    case("Split", "axis is an input", lambda tf, x, a: tf.split(x, 2, a), floats(2, 4), 1),
    case("Split", "integers", lambda tf, x: tf.split(x, 2), ints(4)),
    case("Split", "version 1", lambda tf, x: tf.split(x, num_or_size_splits=2, axis=1), floats(2, 4), face="v1"),
    case("SplitV", "sizes", lambda tf, x: tf.split(x, [1, 3]), floats(4, 2)),
    case("SplitV", "rest by minus one", lambda tf, x: tf.split(x, [1, -1, 2], axis=1), floats(2, 6)),
    case("SplitV", "an empty part", lambda tf, x: tf.split(x, [2, 0, 1]), floats(3)),
    case("SplitV", "one part used", lambda tf, x: tf.split(x, [1, 2])[1] * 2.0, floats(3, dtype="float64")),
    case("SplitV", "sizes are an input", lambda tf, x, s: tf.split(x, s, axis=0, num=2), floats(4), np.array([3, 1], np.int32)),
    case("SplitV", "integers", lambda tf, x: tf.split(x, [1, 1]), ints(2, 2)),
    case("Tile", "vector", lambda tf, x: tf.tile(x, [3]), floats(2)),
    case("Tile", "matrix", lambda tf, x: tf.tile(x, [2, 3]), floats(2, 3)),
    case("Tile", "once", lambda tf, x: tf.tile(x, [1, 1]), floats(2, 3, dtype="float64")),
    case("Tile", "zero times", lambda tf, x: tf.tile(x, [2, 0]), floats(2, 3)),
    case("Tile", "scalar", lambda tf, x: tf.tile(x, tf.constant([], tf.int32)), floats()),
    case("Tile", "multiples are an input", lambda tf, x, m: tf.tile(x, m), floats(2, 1), np.array([1, 4], np.int64)),
    case("Tile", "multiples from a shape", lambda tf, x: tf.tile(x, tf.shape(x)), floats(2, 3)),
    case("Tile", "integers", lambda tf, x: tf.tile(x, [2]), ints(3)),
    case("Tile", "complex64", lambda tf, x: tf.tile(x, [2]), floats(2, dtype="complex64")),
    case("Tile", "repeat of a scalar count", lambda tf, x: tf.repeat(x, 3), floats(2)),
    case("Repeat", "along an axis", lambda tf, x: tf.repeat(x, 2, axis=1), floats(2, 3)),
    case("Repeat", "a count for each", lambda tf, x: tf.repeat(x, [2, 0, 3], axis=0), floats(3, 2)),
    case("Repeat", "a count for each without axis", lambda tf, x: tf.repeat(x, [1, 2, 0, 1]), floats(2, 2)),
    case("Repeat", "counts are an input", lambda tf, x, n: tf.repeat(x, repeats=n, axis=-1), floats(2, 3), np.array([1, 2, 1], np.int32)),
    case("Repeat", "integers", lambda tf, x: tf.repeat(x, [1, 2], axis=0), ints(2)),
    case("Meshgrid", "two", lambda tf, x, y: tf.meshgrid(x, y), floats(3), floats(2, seed=1)),
    case("Meshgrid", "matrix indexing", lambda tf, x, y: tf.meshgrid(x, y, indexing="ij"), floats(3), floats(2, seed=1)),
    case("Meshgrid", "three", lambda tf, x, y, z: tf.meshgrid(x, y, z), floats(2), floats(3, seed=1), floats(1, seed=2)),
    case("Meshgrid", "integers", lambda tf, x, y: tf.meshgrid(x, y), ints(2), ints(3)),
    case("Meshgrid", "one", lambda tf, x: tf.meshgrid(x), floats(3)),
]

ERRORS: list[ErrorCase] = [
    *(
        found
        for mode in ("eager", "graph")
        for found in (
            error("ConcatV2: other sizes differ", lambda tf, x, y: tf.concat([x, y], 0), floats(2, 2), floats(2, 3), mode=mode),
            error("ConcatV2: ranks differ", lambda tf, x, y: tf.concat([x, y], 0), floats(2, 2), floats(2), mode=mode),
            error("ConcatV2: axis out of range", lambda tf, x, y: tf.concat([x, y], 2), floats(2, 2), floats(2, 2), mode=mode),
            error("ConcatV2: dtypes differ", lambda tf, x, y: tf.concat([x, y], 0), floats(2), ints(2), mode=mode),
            error("ConcatV2: scalars", lambda tf, x, y: tf.concat([x, y], 0), floats(), floats(), mode=mode),
            error("Pack: shapes differ", lambda tf, x, y: tf.stack([x, y]), floats(2), floats(3), mode=mode),
            error("Pack: axis out of range", lambda tf, x, y: tf.stack([x, y], axis=3), floats(2), floats(2), mode=mode),
            error("Pack: dtypes differ", lambda tf, x, y: tf.stack([x, y]), floats(2), ints(2), mode=mode),
            error("Unpack: scalar", lambda tf, x: tf.unstack(x), floats(), mode=mode),
            error("Unpack: axis out of range", lambda tf, x: tf.unstack(x, axis=2), floats(2, 2), mode=mode),
            error("Unpack: num is wrong", lambda tf, x: tf.unstack(x, num=3), floats(2, 2), mode=mode),
            error("Split: does not divide", lambda tf, x: tf.split(x, 2), floats(3), mode=mode),
            error("Split: axis out of range", lambda tf, x: tf.split(x, 2, axis=1), floats(4), mode=mode),
            error("SplitV: sizes do not add up", lambda tf, x: tf.split(x, [1, 1]), floats(3), mode=mode),
            error("SplitV: two minus ones", lambda tf, x: tf.split(x, [-1, -1]), floats(3), mode=mode),
            error("Tile: multiples too short", lambda tf, x: tf.tile(x, [2]), floats(2, 2), mode=mode),
            error("Meshgrid: unknown indexing", lambda tf, x: tf.meshgrid(x, x, indexing="zz"), floats(2), mode=mode),
        )
    ),
    error("Tile: negative multiple", lambda tf, x: tf.tile(x, [-1]), floats(2)),
    error("Unpack: unknown size", lambda tf, x: tf.unstack(tf.boolean_mask(x, x > 0)), floats(3), mode="graph"),
]
