"""Which dtype a value takes that leaves it open, where an operation has one of its own: arrays, numbers and lists, eagerly and in functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .kit import Answers

FACE = "v2"
Calls = dict[str, Callable[[Any], Any]]


def _seen(call: Callable[[Any], Any], value: Any) -> Callable[[], Any]:
    """The dtypes of what comes out, or the class of the error."""

    def answer() -> Any:
        try:
            found = call(value)
        except Exception as error:
            return type(error).__name__
        return [x.dtype for x in found] if isinstance(found, (list, tuple)) else found.dtype

    return answer


def _crossed(tf: Any, calls: Calls, values: dict[str, Any], apart: tuple[str, ...] = ()) -> Answers:
    found: Answers = {}
    for name, call in calls.items():
        for kind, value in values.items():
            if f"{name} of {kind}" not in apart:
                found[f"{name} of {kind}"] = _seen(call, value)
                found[f"{name} of {kind} in a function"] = _seen(
                    lambda value, call=call: tf.function(lambda: call(value), autograph=False)(), value
                )
    return found


def axes(tf: Any) -> Answers:
    """What is int32 where a value leaves it open: axes, numbers of segments, counts."""
    x = tf.ones([2, 2])
    raw = tf.raw_ops
    calls: Calls = {
        "Sum": lambda v: raw.Sum(input=x, axis=v),
        "reduce_sum": lambda v: tf.reduce_sum(x, v),
        "reduce_all": lambda v: tf.reduce_all(x > 0.0, v),
        "reduce_logsumexp": lambda v: tf.reduce_logsumexp(x, v),
        "expand_dims": lambda v: tf.expand_dims(x, v),
        "cumsum": lambda v: tf.cumsum(x, v),
        "argmax": lambda v: tf.argmax(x, v),
        "argmin": lambda v: tf.argmin(x, v),
        "concat": lambda v: tf.concat([x, x], v),
        "concat of lists": lambda v: tf.concat([[1.0], [2.0]], v),
        "top_k": lambda v: tf.math.top_k(x, v),
        "in_top_k": lambda v: tf.math.in_top_k([0, 1], x, v),
        "unsorted_segment_sum": lambda v: tf.math.unsorted_segment_sum(x, tf.constant([0, 0]), v),
        "unsorted_segment_sum of lists": lambda v: tf.math.unsorted_segment_sum([1.0, 2.0], [0, 0], v),
        "linspace": lambda v: tf.linspace(0.0, 1.0, v),
        "unsorted_segment_join": lambda v: tf.strings.unsorted_segment_join(["a", "b"], [0, 0], v),
    }
    values = {
        "a float": 1.5, "True": True, "an array of float64": np.array(1.5), "an array of bool": np.array(True), "np.float32": np.float32(1),
        "np.int8": np.int8(1), "np.int64": np.int64(1), "a complex number": 1j, "a word": "a", "a list of floats": [1.0],
    }  # fmt: skip
    return _crossed(tf, calls, values)


def shapes(tf: Any) -> Answers:
    """Shapes, permutations, paddings and seeds."""
    x = tf.ones([1, 1])
    calls: Calls = {
        "reshape": lambda v: tf.reshape(x, v),
        "tile": lambda v: tf.tile(x, v),
        "broadcast_to": lambda v: tf.broadcast_to(1.0, v),
        "fill": lambda v: tf.fill(v, 1.0),
        "space_to_batch_nd": lambda v: tf.space_to_batch_nd(tf.ones([1, 1, 1, 1]), v, [[0, 0], [0, 0]]),
        "stateless_uniform's seed": lambda v: tf.random.stateless_uniform([2], v),
        "sparse.segment_sum": lambda v: tf.sparse.segment_sum(tf.ones([2, 2]), v, [0, 0]),
        "segment_sum": lambda v: tf.math.segment_sum(tf.ones([2, 2]), v),
        "one_hot": lambda v: tf.one_hot(v, 3),
    }
    values = {
        "floats": [1.0, 1.0], "booleans": [True, True], "an array of float64": np.ones(2), "an array of bool": np.ones(2, bool),
        "an array of int8": np.ones(2, np.int8), "an array of int64": np.ones(2, np.int64), "np.int64 in a list": [np.int64(1), np.int64(1)],
        "np.float64 in a list": [np.float64(1), np.float64(1)], "complex numbers": [1j, 1j], "a nested list": [[1, 1]],
    }  # fmt: skip
    return _crossed(tf, calls, values)


def numbers(tf: Any) -> Answers:
    """What is transformed, pooled, coloured: float32 and complex64 where a value leaves it open."""
    tf.signal.fft(tf.constant([1j]))  # TensorFlow's first call of all takes another way
    raw = tf.raw_ops
    vector: Calls = {
        "fft": tf.signal.fft,
        "ifft": tf.signal.ifft,
        "LeakyRelu": lambda v: raw.LeakyRelu(features=v),
        "Real": lambda v: raw.Real(input=v),
        "math.real": tf.math.real,
        "invert_permutation": lambda v: tf.math.invert_permutation(v),
        "nextafter": lambda v: tf.math.nextafter(v, v),
        "where": lambda v: tf.where(v),
        "in_top_k": lambda v: tf.math.in_top_k(v, tf.ones([2, 3]), 1),
        "broadcast_dynamic_shape": lambda v: tf.broadcast_dynamic_shape(v, v),
        "range": lambda v: tf.range(v[0]),
    }
    values = {
        "float64": np.arange(2.0), "float32": np.arange(2, dtype=np.float32), "int64": np.arange(2), "int8": np.arange(2, dtype=np.int8),
        "complex128": np.arange(2) + 0j, "a list of ints": [0, 1], "a list of floats": [0.0, 1.0], "a list of np.float64": [np.float64(0), np.float64(1)],
        "words": ["a", "b"],
    }  # fmt: skip
    apart = ("Real of", "where of complex", "math.real of words", "range of complex", "range of words", "range of int8")
    left_out = tuple(f"{name} of {kind}" for name in vector for kind in values if f"{name} of {kind}".startswith(apart))
    image: Calls = {
        "max_pool2d": lambda v: tf.nn.max_pool2d(v, 1, 1, "VALID"),
        "rgb_to_hsv": tf.image.rgb_to_hsv,
        "lrn": tf.nn.lrn,
    }
    images = {"float64": np.ones([1, 1, 1, 3]), "float32": np.ones([1, 1, 1, 3], np.float32), "uint8": np.ones([1, 1, 1, 3], np.uint8)}
    return _crossed(tf, vector, values, left_out) | _crossed(tf, image, images, ("max_pool2d of uint8",))


def beside_others(tf: Any) -> Answers:
    """A tensor, an array or a list beside: which of them says the dtype, and the class of the error."""
    single, double, word = tf.constant([1.0]), tf.constant([1.0], tf.float64), tf.constant(["a"])
    values = {"float32": single, "float64": double, "an array": np.ones(1), "a list": [1.0], "a variable": tf.Variable([1.0]), "words": word, "a word": "a"}
    calls: dict[str, Callable[[Any, Any], Any]] = {
        "LeakyReluGrad": lambda a, b: tf.raw_ops.LeakyReluGrad(gradients=a, features=b),
        "Mul": lambda a, b: tf.raw_ops.Mul(x=a, y=b),
        "SquaredDifference": lambda a, b: tf.raw_ops.SquaredDifference(x=a, y=b),
        "StringSplit": lambda a, b: tf.raw_ops.StringSplit(input=a, delimiter=b),
    }
    return {
        f"{name} of {p} and {q}": _seen(lambda given, call=call: call(*given), (values[p], values[q]))
        for name, call in calls.items()
        for p in values
        for q in values
    }
