"""Values and shapes that calls must take as TensorFlow does: Python's booleans as numbers, windows beyond their image, unknown ranks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.golden import observe

from .kit import Answers, raises

FACE = "v2"
_DTYPES = "float16 float32 float64 bfloat16 int8 int16 int32 int64 uint8 uint16 uint32 uint64 complex64 complex128 bool string".split()


def booleans_as_numbers(tf: Any) -> Answers:
    x, i = tf.constant([1.0, 2.0]), tf.constant([1, 2])
    answers: Answers = {
        "add": lambda: tf.add(np.array([1, 2]), True),
        "operator": lambda: [x + True, True + x, i * True, x == True, i == [True, False], x < True],  # noqa: E712
        "operations": lambda: [tf.multiply(x, True), tf.maximum(x, [True, True]), tf.less(i, [True, False]), tf.pow(x, True)],
        "two": lambda: [
            tf.where([True, False], x, True),
            tf.concat([x, [True]], 0),
            tf.stack([1, True], 0),
            tf.clip_by_value(x, False, True),
        ],
        "variable": lambda: [tf.Variable(True, dtype=tf.float32), tf.Variable(1.0).assign_add(True)],
        "function": lambda: tf.function(lambda: [tf.add(x, True), x * True, tf.maximum(i, True), tf.add(tf.cast(x, tf.int8), True)])(),
        "no index": raises(lambda: tf.gather(x, [True])),
        "no shape": raises(lambda: tf.reshape(x, [True, 2])),
    }
    for dtype in _DTYPES:
        for value in (True, [True, False], [True, 1], [True, 1.5], [1, True]):
            answers[f"{value} {dtype}"] = answered(lambda value=value, dtype=dtype: tf.constant(value, dtype))
            answers[f"{value} {dtype} in a graph"] = answered(lambda value=value, dtype=dtype: _in_graph(tf, value, dtype))
            answers[f"{value} hint {dtype}"] = answered(lambda value=value, dtype=dtype: tf.convert_to_tensor(value, dtype_hint=dtype))
    return answers


def answered(call: Callable[[], Any]) -> Callable[[], Any]:
    """The call's value, or the class of its error."""

    def answer() -> Any:
        found: list[Any] = []
        failed = observe.attempt(lambda: found.append(call()))
        return found[0] if failed is None else failed["class"]

    return answer


def _in_graph(tf: Any, value: Any, dtype: str) -> Any:
    with tf.Graph().as_default():
        return tf.compat.v1.Session().run(tf.constant(value, dtype))


def windows_beyond_the_image(tf: Any) -> Answers:
    """A window that reaches less than a stride beyond an image has no place there; one that reaches further is an error."""
    image = tf.reshape(tf.range(4.0), [1, 2, 2, 1])
    answers: Answers = {}
    for k, s in ((2, 1), (3, 1), (3, 2), (4, 1), (4, 2), (5, 2), (6, 2), (7, 3)):
        each = {
            "max": lambda z, k=k, s=s: tf.nn.max_pool2d(z, k, s, "VALID"),
            "average": lambda z, k=k, s=s: tf.nn.avg_pool2d(z, k, s, "VALID"),
            "argmax": lambda z, k=k, s=s: tf.nn.max_pool_with_argmax(z, k, s, "VALID")[1],
            "volume": lambda z, k=k, s=s: tf.nn.max_pool3d(z[None], k, s, "VALID"),
            "convolution": lambda z, k=k, s=s: tf.nn.conv2d(z, tf.ones([k, k, 1, 1]), s, "VALID"),
            "volume convolution": lambda z, k=k, s=s: tf.nn.conv3d(z[None], tf.ones([k, k, k, 1, 1]), [1, s, s, s, 1], "VALID"),
            "depthwise": lambda z, k=k, s=s: tf.nn.depthwise_conv2d(z, tf.ones([k, k, 1, 1]), [1, s, s, 1], "VALID"),
            "line": lambda z, k=k, s=s: tf.nn.conv1d(z[0], tf.ones([k, 1, 1]), s, "VALID"),
            "dilation": lambda z, k=k, s=s: tf.nn.dilation2d(z, tf.ones([k, k, 1]), [1, s, s, 1], "VALID", "NHWC", [1] * 4),
            "patches": lambda z, k=k, s=s: tf.image.extract_patches(z, [1, k, k, 1], [1, s, s, 1], [1] * 4, "VALID"),
        }
        for name, f in each.items():
            answers[f"{name} {k} {s}"] = answered(lambda f=f: f(image))
            answers[f"{name} {k} {s} in a function"] = answered(lambda f=f: tf.function(f)(image))
            answers[f"{name} {k} {s} of unknown size"] = answered(lambda f=f: _unknown(tf, f)(image))
    with tf.GradientTape() as tape:
        tape.watch(image)
        y = tf.nn.avg_pool2d(image, 3, 1, "VALID")
    answers["gradient"] = lambda: tape.gradient(y, image)
    return answers


def _unknown(tf: Any, f: Callable[[Any], Any]) -> Any:
    return tf.function(f, input_signature=[tf.TensorSpec([1, None, None, 1])])


def repeat_of_unknown_rank(tf: Any) -> Answers:
    shapes: list[Any] = []

    def repeated(x_shape: Any, n_shape: Any, x: Any, n: Any, **options: Any) -> Any:
        def called(x: Any, n: Any) -> Any:
            out = tf.repeat(x, n, **options)
            shapes.append(out.shape.as_list() if out.shape.rank is not None else None)
            return out

        made = tf.function(called, input_signature=[tf.TensorSpec(x_shape, tf.float32), tf.TensorSpec(n_shape, tf.int32)])
        return made(tf.constant(x), n), shapes[-1]

    answers: Answers = {}
    for options in ({}, {"axis": 0}, {"axis": 1}, {"axis": -1}):
        for x in ([1.0, 2.0], [[1.0, 2.0], [3.0, 4.0]]):
            for n in (2, [2], [1, 3], [1, 2, 3, 1]):
                answers[f"{x} {n} {options}"] = answered(lambda x=x, n=n, options=options: repeated(None, None, x, n, **options)[0])
    x = [[1.0, 2.0], [3.0, 4.0]]
    for x_shape, n_shape in ((None, []), (None, [1]), ([None, None], None), ([None, None], [None]), ([2, 2], None), ([None, 2], [2])):
        for options in ({}, {"axis": 0}, {"axis": 1}):
            if options or n_shape != [2]:  # TensorFlow takes two counts for four elements
                n = 2 if not n_shape else [2] * (n_shape[0] or 2)
                answers[f"{x_shape} {n_shape} {options}"] = answered(
                    lambda a=x_shape, b=n_shape, n=n, options=options: repeated(a, b, x, n, **options)
                )
    signature = [tf.TensorSpec(None, tf.float32), tf.TensorSpec(None, tf.int32)]
    slope = tf.function(lambda x, n: tf.gradients(tf.reduce_sum(tf.repeat(x, n, axis=1) * [[1.0], [2.0]]), x)[0], input_signature=signature)
    answers["gradient"] = lambda: slope(tf.constant(x), [1, 2])
    return answers


def boolean_mask_along_a_tensor(tf: Any) -> Answers:
    matrix, mask = tf.constant([[1, 2], [3, 4]]), [True, False]

    def masked(axis: Any) -> Any:
        return tf.boolean_mask(matrix, mask, axis=axis)

    return {
        "eager": lambda: [masked(tf.constant(1)), masked(tf.constant(0, tf.int64)), masked(tf.Variable(1)), masked(np.int64(1))],
        "constant": lambda: tf.function(lambda: masked(tf.constant(1)))(),
        "argument": lambda: [tf.function(masked)(tf.constant(axis)) for axis in (0, 1)],
        "too far": raises(lambda: masked(5)),
    }


def one_block_size(tf: Any) -> Answers:
    """`batch_to_space` with one size for two dimensions."""
    x = np.arange(36.0).reshape(9, 2, 2, 1)
    sizes = {"1": 1, "2": 2, "3": 3, "a pair": [3, 3], "a vector": np.array([3, 1])}
    found: Answers = {name: answered(lambda s=size: tf.batch_to_space(x, s, [[0, 1], [1, 0]])) for name, size in sizes.items()}
    return found | {f"{name}, in a function": answered(lambda s=size: tf.function(lambda y: tf.batch_to_space(y, s, [[0, 1], [1, 0]]))(x)) for name, size in sizes.items()}
