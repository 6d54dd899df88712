"""Reshape and its kin: the elements stay in their order, only the shape changes or is asked for."""

from __future__ import annotations

import numpy as np

from tests.cases.case import Case, ErrorCase, bools, case, error, floats, ints

CASES: list[Case] = [
    case("Reshape", "to a matrix", lambda tf, x: tf.reshape(x, [3, 2]), floats(2, 3)),
    case("Reshape", "minus one", lambda tf, x: tf.reshape(x, [-1, 2]), floats(2, 3, dtype="float64")),
    case("Reshape", "flatten", lambda tf, x: tf.reshape(x, [-1]), floats(2, 1, 3)),
    case("Reshape", "scalar from one element", lambda tf, x: tf.reshape(x, []), floats(1, 1)),
    case("Reshape", "scalar to a vector", lambda tf, x: tf.reshape(x, (1,)), floats()),
    case("Reshape", "empty", lambda tf, x: tf.reshape(x, [3, 0, 2]), floats(0, 6)),
    case("Reshape", "shape is an input", lambda tf, x, s: tf.reshape(x, s), floats(2, 6), np.array([4, -1], np.int32)),
    case("Reshape", "shape of int64", lambda tf, x, s: tf.reshape(x, s), floats(2, 6), np.array([3, 4], np.int64)),
    case("Reshape", "shape from another tensor", lambda tf, x, y: tf.reshape(x, tf.shape(y)) * y, floats(6), floats(2, 3, seed=1)),
    case("Reshape", "shape packed from sizes", lambda tf, x: tf.reshape(x, [tf.shape(x)[0], -1]), floats(2, 3, 2)),
    case("Reshape", "complex64", lambda tf, x: tf.reshape(x, [2, 2]), floats(4, dtype="complex64")),
    case("Reshape", "bfloat16", lambda tf, x: tf.reshape(x, [2, 2]), floats(4, dtype="bfloat16")),
    case("Reshape", "float16", lambda tf, x: tf.reshape(x, [2, 2]), floats(4, dtype="float16")),
    case("Reshape", "integers", lambda tf, x: tf.reshape(x, [2, 2]), ints(4)),
    case("Reshape", "bools", lambda tf, x: tf.reshape(x, [2, 2]), bools(4)),
    case("ExpandDims", "front", lambda tf, x: tf.expand_dims(x, 0), floats(2, 3)),
    case("ExpandDims", "middle", lambda tf, x: tf.expand_dims(x, axis=1), floats(2, 3)),
    case("ExpandDims", "back", lambda tf, x: tf.expand_dims(x, -1), floats(2, 3)),
    case("ExpandDims", "most negative", lambda tf, x: tf.expand_dims(x, -3), floats(2, 3)),
    case("ExpandDims", "scalar", lambda tf, x: tf.expand_dims(x, 0), floats(dtype="float64")),
    case("ExpandDims", "integers", lambda tf, x: tf.expand_dims(x, 1), ints(3, dtype="int64")),
    case("ExpandDims", "axis is an input", lambda tf, x, a: tf.expand_dims(x, a), floats(2, 3), 1),
    case("ExpandDims", "version 1 dim", lambda tf, x: tf.expand_dims(x, dim=1), floats(2, 3), face="v1"),
    case("Squeeze", "all", lambda tf, x: tf.squeeze(x), floats(1, 3, 1)),
    case("Squeeze", "one axis", lambda tf, x: tf.squeeze(x, 0), floats(1, 3, 1)),
    case("Squeeze", "several axes", lambda tf, x: tf.squeeze(x, [0, -1]), floats(1, 3, 1, 1)),
    case("Squeeze", "nothing to do", lambda tf, x: tf.squeeze(x), floats(2, 3)),
    case("Squeeze", "to a scalar", lambda tf, x: tf.squeeze(x), floats(1, 1, dtype="complex128")),
    case("Squeeze", "integers", lambda tf, x: tf.squeeze(x, axis=[1]), ints(3, 1)),
    case("Squeeze", "empty", lambda tf, x: tf.squeeze(x, axis=1), floats(0, 1, 2)),
    case("Squeeze", "version 1 squeeze_dims", lambda tf, x: tf.squeeze(x, squeeze_dims=[0]), floats(1, 3, 1), face="v1"),
    case("Shape", "matrix", lambda tf, x: tf.shape(x), floats(2, 3), smooth=False),
    case("Shape", "scalar", lambda tf, x: tf.shape(x), floats(), smooth=False),
    case("Shape", "as int64", lambda tf, x: tf.shape(x, out_type=tf.int64), floats(2, 0, 3), smooth=False),
    case("Shape", "cast to float", lambda tf, x: tf.cast(tf.shape(x), tf.float32), floats(2, 3), smooth=False),
    case("Shape", "scales a tensor", lambda tf, x: x * tf.cast(tf.shape(x)[0], x.dtype), floats(2, 3)),
    case("ShapeN", "three tensors", lambda tf, x, y, z: tf.shape_n([x, y, z]), floats(2, 3), floats(), floats(0, 1), smooth=False),
    case("ShapeN", "as int64", lambda tf, x, y: tf.shape_n([x, y], out_type=tf.int64), floats(4), floats(1, 2), smooth=False),
    case("Size", "matrix", lambda tf, x: tf.size(x), floats(2, 3), smooth=False),
    case("Size", "empty", lambda tf, x: tf.size(x), floats(2, 0), smooth=False),
    case("Size", "as int64", lambda tf, x: tf.size(x, out_type=tf.int64), ints(4), smooth=False),
    case("Size", "divides a sum", lambda tf, x: tf.reduce_sum(x) / tf.cast(tf.size(x), x.dtype), floats(2, 3)),
    case("Rank", "matrix", lambda tf, x: tf.rank(x), floats(2, 3), smooth=False),
    case("Rank", "scalar", lambda tf, x: tf.rank(x), floats(), smooth=False),
    case("Rank", "sums over the last axis", lambda tf, x: tf.reduce_sum(x, axis=tf.rank(x) - 1), floats(2, 3)),
    case("BroadcastTo", "row", lambda tf, x: tf.broadcast_to(x, [2, 3]), floats(3)),
    case("BroadcastTo", "column", lambda tf, x: tf.broadcast_to(x, [2, 3]), floats(2, 1)),
    case("BroadcastTo", "scalar", lambda tf, x: tf.broadcast_to(x, [2, 3]), floats(dtype="float64")),
    case("BroadcastTo", "same shape", lambda tf, x: tf.broadcast_to(x, [2, 3]), floats(2, 3)),
    case("BroadcastTo", "both ways", lambda tf, x: tf.broadcast_to(x, [4, 2, 3]), floats(2, 1)),
    case("BroadcastTo", "to nothing", lambda tf, x: tf.broadcast_to(x, [0, 3]), floats(1, 3)),
    case("BroadcastTo", "from a scalar to a scalar", lambda tf, x: tf.broadcast_to(x, []) * 2.0, floats()),
    case("BroadcastTo", "shape is an input", lambda tf, x, s: tf.broadcast_to(x, s), floats(3), np.array([2, 3], np.int32)),
    case("BroadcastTo", "shape of int64", lambda tf, x, s: tf.broadcast_to(x, s), floats(1, 3), np.array([2, 3], np.int64)),
    case("BroadcastTo", "shape of another tensor", lambda tf, x, y: tf.broadcast_to(x, tf.shape(y)) * y, floats(3), floats(2, 3, seed=1)),
    case("BroadcastTo", "integers", lambda tf, x: tf.broadcast_to(x, [2, 3]), ints(3)),
    case("BroadcastTo", "complex64", lambda tf, x: tf.broadcast_to(x, [2, 2]), floats(2, dtype="complex64")),
    case("BroadcastTo", "float16", lambda tf, x: tf.broadcast_to(x, [2, 2]), floats(2, dtype="float16")),
    case("SumTo", "row", lambda tf, g, x: _adjoint(tf, g, x, [2, 3]), floats(2, 3), floats(3, seed=1)),
    case("SumTo", "column", lambda tf, g, x: _adjoint(tf, g, x, [2, 3]), floats(2, 3), floats(2, 1, seed=1)),
    case("SumTo", "scalar", lambda tf, g, x: _adjoint(tf, g, x, [2, 3]), floats(2, 3, dtype="float64"), floats(seed=1, dtype="float64")),
    case("SumTo", "both ways", lambda tf, g, x: _adjoint(tf, g, x, [4, 2, 3]), floats(4, 2, 3), floats(2, 1, seed=1)),
    case("SumTo", "of nothing", lambda tf, g, x: _adjoint(tf, g, x, [0, 3]), floats(0, 3), floats(1, 3)),
    case(
        "BroadcastArgs",
        "dynamic",
        lambda tf, x, y: tf.broadcast_dynamic_shape(tf.shape(x), tf.shape(y)),
        floats(2, 1),
        floats(3),
        smooth=False,
    ),
    case(
        "BroadcastArgs",
        "given shapes",
        lambda tf, a, b: tf.broadcast_dynamic_shape(a, b),
        np.array([5, 1, 3], np.int32),
        np.array([4, 1], np.int32),
        smooth=False,
    ),
    case(
        "BroadcastArgs",
        "with a scalar's shape",
        lambda tf, a, b: tf.broadcast_dynamic_shape(a, b),
        np.array([2, 3], np.int64),
        np.array([], np.int64),
        smooth=False,
    ),
    case(
        "BroadcastArgs",
        "static",
        lambda tf, x: tf.constant(tf.broadcast_static_shape(tf.TensorShape([2, 1]), tf.TensorShape([3])).as_list()),
        floats(3),
        smooth=False,
    ),
    case(
        "BroadcastGradientArgs",
        "row and matrix",
        lambda tf, a, b: tf.raw_ops.BroadcastGradientArgs(s0=a, s1=b),
        np.array([2, 3], np.int32),
        np.array([3], np.int32),
        smooth=False,
    ),
    case(
        "BroadcastGradientArgs",
        "both sides",
        lambda tf, a, b: tf.raw_ops.BroadcastGradientArgs(s0=a, s1=b),
        np.array([2, 1], np.int32),
        np.array([4, 1, 3], np.int32),
        smooth=False,
    ),
    case(
        "BroadcastGradientArgs",
        "equal shapes",
        lambda tf, a, b: tf.raw_ops.BroadcastGradientArgs(s0=a, s1=b),
        np.array([2, 1], np.int64),
        np.array([2, 1], np.int64),
        smooth=False,
    ),
    case(
        "BroadcastGradientArgs",
        "a scalar",
        lambda tf, a, b: tf.raw_ops.BroadcastGradientArgs(s0=a, s1=b),
        np.array([], np.int32),
        np.array([2, 3], np.int32),
        smooth=False,
    ),
    case("EnsureShape", "exact", lambda tf, x: tf.ensure_shape(x, [2, 3]), floats(2, 3)),
    case("EnsureShape", "partial", lambda tf, x: tf.ensure_shape(x, [None, 3]), floats(2, 3, dtype="float64")),
    case("EnsureShape", "unknown", lambda tf, x: tf.ensure_shape(x, None), floats(2)),
    case("EnsureShape", "integers", lambda tf, x: tf.ensure_shape(x, [2]), ints(2)),
]

ERRORS: list[ErrorCase] = [
    *(
        found
        for mode in ("eager", "graph")
        for found in (
            error("Reshape: element counts differ", lambda tf, x: tf.reshape(x, [3]), floats(2, 2), mode=mode),
            error("Reshape: not divisible", lambda tf, x: tf.reshape(x, [3, -1]), floats(2, 2), mode=mode),
            error("Reshape: negative size", lambda tf, x: tf.reshape(x, [-2, 2]), floats(2, 2), mode=mode),
            error("Reshape: fractional shape", lambda tf, x: tf.reshape(x, [2.0, 2.0]), floats(2, 2), mode=mode),
            error("ExpandDims: axis out of range", lambda tf, x: tf.expand_dims(x, 3), floats(2, 2), mode=mode),
            error("ExpandDims: axis below range", lambda tf, x: tf.expand_dims(x, -4), floats(2, 2), mode=mode),
            error("Squeeze: size is not one", lambda tf, x: tf.squeeze(x, 0), floats(2, 1), mode=mode),
            error("Squeeze: axis out of range", lambda tf, x: tf.squeeze(x, 5), floats(2, 1), mode=mode),
            error("BroadcastTo: incompatible", lambda tf, x: tf.broadcast_to(x, [2, 3]), floats(2), mode=mode),
            error("BroadcastTo: fewer dimensions", lambda tf, x: tf.broadcast_to(x, [3]), floats(2, 3), mode=mode),
            error("EnsureShape: another shape", lambda tf, x: tf.ensure_shape(x, [3, 2]), floats(2, 3), mode=mode),
            error("EnsureShape: another rank", lambda tf, x: tf.ensure_shape(x, [6]), floats(2, 3), mode=mode),
            error(
                "broadcast_static_shape: incompatible",
                lambda tf, x: tf.broadcast_static_shape(x.shape, tf.TensorShape([3])),
                floats(2),
                mode=mode,
            ),
        )
    ),
    error("Reshape: two minus ones", lambda tf, x: tf.reshape(x, [-1, -1]), floats(2, 2)),
]


def _adjoint(tf, g, x, shape):
    """The gradient of broadcasting `x` to `shape` for the upstream gradient `g`: it sums `g` back to the shape of `x`."""
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.broadcast_to(x, shape)
    return tape.gradient(y, x, output_gradients=g)
