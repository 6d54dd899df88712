"""Padding in all modes, and the space, batch and depth rearrangements built on blocks."""

from __future__ import annotations

import numpy as np

from tests.cases.case import Case, ErrorCase, case, error, floats, ints

PADS = np.array([[1, 2], [0, 1]], np.int32)

CASES: list[Case] = [
    case("Pad", "constant zeros", lambda tf, x: tf.pad(x, [[1, 2], [0, 1]]), floats(2, 3)),
    case("Pad", "vector float64", lambda tf, x: tf.pad(x, [[0, 2]]), floats(3, dtype="float64")),
    case("Pad", "nothing", lambda tf, x: tf.pad(x, [[0, 0], [0, 0]]), floats(2, 3)),
    case("Pad", "paddings are an input", lambda tf, x, p: tf.pad(x, p), floats(2, 3), PADS),
    case("Pad", "paddings of int64", lambda tf, x, p: tf.pad(x, p), floats(2, 3), PADS.astype(np.int64)),
    case("Pad", "scalar", lambda tf, x: tf.pad(x, tf.zeros([0, 2], tf.int32)), floats()),
    case("Pad", "empty input", lambda tf, x: tf.pad(x, [[1, 1], [0, 1]]), floats(0, 2)),
    case("Pad", "integers", lambda tf, x: tf.pad(x, [[1, 1]]), ints(2)),
    case("Pad", "complex64", lambda tf, x: tf.pad(x, [[1, 1]]), floats(2, dtype="complex64")),
    case("Pad", "mode in lower case", lambda tf, x: tf.pad(x, [[1, 0]], mode="constant"), floats(2)),
    case("Pad", "rows from a shape", lambda tf, x: tf.pad(x, [[0, 4 - tf.shape(x)[0]], [0, 0]]), floats(2, 2)),
    case("Pad", "version 1", lambda tf, x: tf.pad(tensor=x, paddings=[[1, 0]], mode="CONSTANT"), floats(2), face="v1"),
    case("PadV2", "constant value", lambda tf, x: tf.pad(x, [[1, 2], [0, 1]], constant_values=7), floats(2, 3)),
    case("PadV2", "fractional value", lambda tf, x: tf.pad(x, [[1, 2]], "CONSTANT", -0.5), floats(3, dtype="float64")),
    # The value has no gradient, as TensorFlow has it, so differences along both inputs would not agree.
    case(
        "PadV2",
        "value is an input",
        lambda tf, x, c: tf.pad(x, [[1, 2], [0, 1]], constant_values=c),
        floats(2, 3),
        floats(seed=1),
        smooth=False,
    ),
    case("PadV2", "integers", lambda tf, x: tf.pad(x, [[1, 1]], constant_values=3), ints(2)),
    case("MirrorPad", "reflect", lambda tf, x: tf.pad(x, [[1, 1], [2, 1]], mode="REFLECT"), floats(2, 3)),
    case("MirrorPad", "symmetric", lambda tf, x: tf.pad(x, [[2, 1], [3, 2]], mode="SYMMETRIC"), floats(2, 3)),
    case("MirrorPad", "reflect vector float64", lambda tf, x: tf.pad(x, [[2, 0]], mode="REFLECT"), floats(3, dtype="float64")),
    case("MirrorPad", "paddings are an input", lambda tf, x, p: tf.pad(x, p, "reflect"), floats(3, 3), PADS),
    case("MirrorPad", "nothing", lambda tf, x: tf.pad(x, [[0, 0], [0, 0]], mode="SYMMETRIC"), floats(2, 3)),
    case("MirrorPad", "integers", lambda tf, x: tf.pad(x, [[1, 1]], mode="SYMMETRIC"), ints(2)),
    case(
        "MirrorPadGrad", "reflect", lambda tf, x: tf.raw_ops.MirrorPadGrad(input=x, paddings=[[1, 1], [2, 1]], mode="REFLECT"), floats(4, 6)
    ),
    case(
        "MirrorPadGrad",
        "symmetric",
        lambda tf, x: tf.raw_ops.MirrorPadGrad(input=x, paddings=[[2, 1], [3, 2]], mode="SYMMETRIC"),
        floats(5, 8),
    ),
    case(
        "MirrorPadGrad",
        "paddings are an input",
        lambda tf, x, p: tf.raw_ops.MirrorPadGrad(input=x, paddings=p, mode="SYMMETRIC"),
        floats(5, 4, dtype="float64"),
        PADS,
    ),
    case("SpaceToDepth", "block of two", lambda tf, x: tf.nn.space_to_depth(x, 2), floats(1, 4, 2, 3)),
    case("SpaceToDepth", "batch of two float64", lambda tf, x: tf.nn.space_to_depth(x, block_size=2), floats(2, 2, 4, 1, dtype="float64")),
    case("SpaceToDepth", "integers", lambda tf, x: tf.nn.space_to_depth(x, 2), ints(1, 2, 2, 1)),
    case("SpaceToDepth", "version 1", lambda tf, x: tf.space_to_depth(x, 2), floats(1, 2, 2, 1), face="v1"),
    case("DepthToSpace", "block of two", lambda tf, x: tf.nn.depth_to_space(x, 2), floats(1, 2, 1, 8)),
    case("DepthToSpace", "batch of two float64", lambda tf, x: tf.nn.depth_to_space(x, block_size=2), floats(2, 1, 2, 4, dtype="float64")),
    case("DepthToSpace", "integers", lambda tf, x: tf.nn.depth_to_space(x, 2), ints(1, 1, 1, 4)),
    case("DepthToSpace", "version 1", lambda tf, x: tf.depth_to_space(x, 2), floats(1, 1, 1, 4), face="v1"),
    case("SpaceToBatchND", "image", lambda tf, x: tf.space_to_batch(x, [2, 2], [[0, 0], [0, 0]]), floats(1, 4, 2, 1)),
    case(
        "SpaceToBatchND",
        "with paddings",
        lambda tf, x: tf.space_to_batch(x, block_shape=[2, 3], paddings=[[1, 0], [2, 1]]),
        floats(2, 3, 3, 2, dtype="float64"),
    ),
    case("SpaceToBatchND", "one dimension", lambda tf, x: tf.space_to_batch_nd(x, [3], [[1, 1]]), floats(2, 4, 2)),
    case(
        "SpaceToBatchND",
        "blocks are an input",
        lambda tf, x, b, p: tf.space_to_batch_nd(x, b, p),
        floats(2, 4),
        np.array([2], np.int32),
        np.array([[0, 2]], np.int32),
    ),
    case("BatchToSpaceND", "image", lambda tf, x: tf.batch_to_space(x, [2, 2], [[0, 0], [0, 0]]), floats(4, 2, 1, 1)),
    case(
        "BatchToSpaceND",
        "with crops",
        lambda tf, x: tf.batch_to_space(x, block_shape=[2, 3], crops=[[1, 0], [2, 1]]),
        floats(12, 2, 2, 2, dtype="float64"),
    ),
    case("BatchToSpaceND", "one dimension", lambda tf, x: tf.batch_to_space(x, [3], [[1, 1]]), floats(6, 2, 2)),
    case("BatchToSpaceND", "version 1", lambda tf, x: tf.batch_to_space_nd(x, [2], [[0, 1]]), floats(4, 2), face="v1"),
]

ERRORS: list[ErrorCase] = [
    *(
        found
        for mode in ("eager", "graph")
        for found in (
            error("Pad: paddings too short", lambda tf, x: tf.pad(x, [[1, 1]]), floats(2, 2), mode=mode),
            error("Pad: paddings not pairs", lambda tf, x: tf.pad(x, [1, 1]), floats(2), mode=mode),
            error("Pad: negative padding", lambda tf, x: tf.pad(x, [[-1, 0]]), floats(2), mode=mode),
            error("Pad: unknown mode", lambda tf, x: tf.pad(x, [[1, 1]], mode="WRAP"), floats(2), mode=mode),
            error("SpaceToDepth: size not divisible", lambda tf, x: tf.nn.space_to_depth(x, 2), floats(1, 3, 2, 1), mode=mode),
            error("DepthToSpace: depth not divisible", lambda tf, x: tf.nn.depth_to_space(x, 2), floats(1, 2, 2, 3), mode=mode),
            error("SpaceToBatchND: size not divisible", lambda tf, x: tf.space_to_batch_nd(x, [2], [[0, 0]]), floats(1, 3), mode=mode),
            error("BatchToSpaceND: batch not divisible", lambda tf, x: tf.batch_to_space(x, [2], [[0, 0]]), floats(3, 2), mode=mode),
        )
    ),
    error("MirrorPad: reflects too far", lambda tf, x: tf.pad(x, [[2, 0]], mode="REFLECT"), floats(2)),
    error("MirrorPad: mirrors too far", lambda tf, x: tf.pad(x, [[3, 0]], mode="SYMMETRIC"), floats(2)),
]
