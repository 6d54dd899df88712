"""Lists joined and scattered, optional and composite values: several tensors as one, and its parts again."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.cases.case import Case, ErrorCase, case, error, floats


def _stacked(tf: Any, handle: Any, like: Any, shape: Any) -> Any:
    return tf.raw_ops.TensorListStack(input_handle=handle, element_shape=np.int32(shape), element_dtype=like.dtype)


def _scattered(tf: Any, x: Any) -> Any:
    handle = tf.raw_ops.TensorListScatter(tensor=x * x, indices=[2, 0], element_shape=np.int32([2]))
    return _stacked(tf, handle, x, [2])


def _scattered_among(tf: Any, x: Any) -> Any:
    handle = tf.raw_ops.TensorListScatterV2(tensor=x * x, indices=[2, 0], element_shape=np.int32([2]), num_elements=5)
    return _stacked(tf, handle, x, [2])


def _from(tf: Any, x: Any) -> Any:
    return tf.raw_ops.TensorListFromTensor(tensor=x, element_shape=np.int32([2]))


def _joined(tf: Any, x: Any) -> Any:
    return list(tf.raw_ops.TensorListConcat(input_handle=_from(tf, x * x), element_dtype=x.dtype, element_shape=[2]))


def _two_lists(tf: Any, x: Any) -> Any:
    handle = _from(tf, tf.stop_gradient(x))
    both = tf.raw_ops.TensorListConcatLists(input_a=handle, input_b=handle, element_dtype=x.dtype)
    return _stacked(tf, both, x, [2])


def _optional(tf: Any, x: Any, y: Any) -> Any:
    value = tf.raw_ops.OptionalFromValue(components=[x * x, y])
    return tf.raw_ops.OptionalGetValue(optional=value, output_types=[x.dtype, y.dtype], output_shapes=[x.shape, y.shape])


def _composite(tf: Any, x: Any, y: Any) -> Any:
    value = tf.raw_ops.CompositeTensorVariantFromComponents(components=[x * x, y * x[0]], metadata="")
    return tf.raw_ops.CompositeTensorVariantToComponents(encoded=value, metadata="", Tcomponents=[x.dtype, y.dtype])


CASES: list[Case] = [
    case("TensorListScatter", "rows", _scattered, floats(2, 2)),
    case("TensorListScatterV2", "rows among more", _scattered_among, floats(2, 2)),
    case("TensorListConcat", "vectors", _joined, floats(3, 2)),
    case("TensorListConcatLists", "twice one", _two_lists, floats(3, 2), smooth=False),
    case("TensorListSum", "a list and its square", lambda tf, x: _stacked(
        tf, tf.add_n([_from(tf, x), _from(tf, x * x)]), x, [2]), floats(3, 2)),
    case("TensorListElementShape", "vectors", lambda tf, x: tf.reshape(tf.raw_ops.TensorListElementShape(
        input_handle=_from(tf, tf.stop_gradient(x)), shape_type=tf.int32), []), floats(3, 2), smooth=False),
    case("OptionalGetValue", "two parts", _optional, floats(3), floats(2, 2, seed=1)),
    case("OptionalHasValue", "one, and none", lambda tf, x: [
        tf.raw_ops.OptionalHasValue(optional=tf.raw_ops.OptionalFromValue(components=[x])),
        tf.raw_ops.OptionalHasValue(optional=tf.raw_ops.OptionalNone())], np.int32([1])),
    case("CompositeTensorVariantToComponents", "two parts", _composite, floats(3), floats(2, 2, seed=1)),
]  # fmt: skip
ERRORS: list[ErrorCase] = [
    error("OptionalGetValue: none", lambda tf, x: tf.raw_ops.OptionalGetValue(
        optional=tf.raw_ops.OptionalNone(), output_types=[tf.float32], output_shapes=[[]]), floats()),
    error("TensorListScatterV2: past the end", lambda tf, x: tf.raw_ops.TensorListScatterV2(
        tensor=x, indices=[7, 0], element_shape=np.int32([2]), num_elements=5), floats(2, 2)),
]  # fmt: skip
