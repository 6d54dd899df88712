"""None against zeros, and which dtypes let a gradient through, in graphs."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.golden.programs.kit import gradients, ours, raised, raises, run_all

FACE = "v1"


def unconnected(tf: Any) -> dict[str, Any]:
    x = tf.constant([1.0, 2.0])
    u = tf.constant([[3.0]])
    i = tf.constant([1, 2])
    v = tf.Variable([1.0, 2.0, 3.0])
    y = x * x
    zero = {"unconnected_gradients": tf.UnconnectedGradients.ZERO}
    return {
        "None by default": gradients(tf, y, u),
        "none by name": gradients(tf, y, u, unconnected_gradients="none"),
        "zero by enum": gradients(tf, y, u, **zero),
        "zero by name": gradients(tf, y, u, unconnected_gradients="zero"),
        "mixed": gradients(tf, y, [x, u], **zero),
        "mixed with None": gradients(tf, y, [x, u]),
        "integer zeros": gradients(tf, y, i, **zero),
        "integer zeros keep the dtype": tf.gradients(y, i, **zero)[0].dtype,
        "variable zeros": gradients(tf, y, v, **zero),
        "variable zeros shape": str(tf.gradients(y, v, **zero)[0].shape),
        "empty ys": gradients(tf, [], x, **zero),
        "float64 zeros": gradients(tf, y, tf.constant(1.0, tf.float64), **zero),
        "unknown value": raises(lambda: tf.gradients(y, u, unconnected_gradients="zeros"), "zeros"),
    }


def ops_that_cut(tf: Any) -> dict[str, Any]:
    x = tf.constant([1.5, -2.5])
    cuts = {
        "floor": tf.floor(x),
        "ceil": tf.ceil(x),
        "round": tf.round(x),
        "rint": tf.rint(x),
        "argmax": tf.cast(tf.argmax(x), tf.float32),
        "argmin": tf.cast(tf.argmin(x), tf.float32),
        "floordiv": x // 2.0,
        "equal": tf.cast(tf.equal(x, 1.0), tf.float32),
        "greater": tf.cast(x > 0.0, tf.float32),
        "shape": tf.cast(tf.shape(x), tf.float32),
        "size": tf.cast(tf.size(x), tf.float32),
        "rank": tf.cast(tf.rank(x), tf.float32),
        "ones_like": tf.ones_like(x),
        "zeros_like": tf.zeros_like(x),
        "cast to integer and back": tf.cast(tf.cast(x, tf.int32), tf.float32),
        "cast to bool and back": tf.cast(tf.cast(x, tf.bool), tf.float32),
        "stop_gradient": tf.stop_gradient(x),
        "one_hot of argmax": tf.one_hot(tf.argmax(x), 2),
        "sign": tf.sign(x),
        "is_finite": tf.cast(tf.is_finite(x), tf.float32),
        "random_uniform": tf.random_uniform([2]),
    }
    found: dict[str, Any] = {name: gradients(tf, y, x) for name, y in cuts.items()}
    found |= {
        f"{name} beside a live path": gradients(tf, y * x, x) for name, y in cuts.items() if name in ("floor", "sign", "stop_gradient")
    }
    return found


def several_outputs(tf: Any) -> dict[str, Any]:
    x = tf.constant([1.0, 2.0, 3.0, 4.0])
    a, b = tf.split(x, 2)
    values, indices = tf.nn.top_k(x, 2)
    first, second = tf.identity_n([x, x * 2.0])
    mean, variance = tf.nn.moments(x, [0])
    parts = tf.unstack(x)
    return {
        "split, first": gradients(tf, a, x),
        "split, second": gradients(tf, b, x),
        "split, both": gradients(tf, [a, b], x),
        "split, first by second": gradients(tf, a * b, x),
        "top_k values": gradients(tf, values, x),
        "top_k indices": gradients(tf, tf.cast(indices, tf.float32), x),
        "identity_n, first": gradients(tf, first, x),
        "identity_n, both": gradients(tf, [first, second], x),
        "moments, mean": gradients(tf, mean, x),
        "moments, variance": gradients(tf, variance, x),
        "unstack, one part": gradients(tf, parts[2], x),
        "unstack, two parts": gradients(tf, parts[0] * parts[3], x),
        "identity_n, the unused input": (lambda p, q: lambda: gradients(tf, tf.identity_n([p, q])[0], [p, q]))(
            tf.constant(1.0), tf.constant(2.0)
        ),
    }


def integers_as_tensorflow_1(tf: Any) -> dict[str, Any]:
    """TensorFlow 2.21 answers None to these; programs for TensorFlow 1 expect numbers."""
    w = tf.Variable([[1, 2]])
    product = tf.matmul(w, [[2], [1]])
    a = tf.constant([1, 2, 3])
    b = tf.constant([4, 5, 6])
    s = tf.constant(3)
    i32 = np.int32
    return {
        "matmul of variables": ours([np.array([[2, 1]], i32)], lambda: gradients(tf, product, w)),
        "product": ours([np.array([4, 5, 6], i32), np.array([1, 2, 3], i32)], lambda: gradients(tf, a * b, [a, b])),
        "sum of products": ours([np.array([4, 5, 6], i32)], lambda: gradients(tf, tf.reduce_sum(a * b), a)),
        "square": ours([i32(6)], lambda: gradients(tf, s * s, s)),
        "add and subtract": ours([i32(1), i32(-1)], lambda: (lambda t: gradients(tf, s - t, [s, t]))(tf.constant(1))),
        "broadcast": ours([i32(15)], lambda: gradients(tf, s * b, s)),
        "grad_ys": ours([np.array([8, 10, 12], i32)], lambda: gradients(tf, a * b, a, grad_ys=[tf.constant([2, 2, 2])])),
        "dtype": ours("dtype int32", lambda: tf.gradients(a * b, a)[0].dtype),
        "int64": ours([np.array([4], np.int64)], lambda: (lambda x: gradients(tf, x * x, x))(tf.constant([2], tf.int64))),
        "transpose and reshape": ours([np.array([[2, 2]], i32)], lambda: gradients(tf, 2 * tf.reshape(tf.transpose(w), [-1]), w)),
        "seed: two products": ours([i32(6), i32(9)], lambda: (lambda x, y: gradients(tf, x * x + 9 * y, [x, y]))(s, tf.constant(1))),
        "through float": gradients(tf, tf.cast(a, tf.float32) * 2.0, a),
        "float to integer": (lambda x: lambda: gradients(tf, tf.cast(x, tf.int32), x))(tf.constant(1.5)),
    }


def other_dtypes(tf: Any) -> dict[str, Any]:
    i = tf.constant([1, 2])
    b = tf.constant(True)
    return {
        "integer x is y": gradients(tf, i, i),
        "bool x is y": gradients(tf, b, b),
        "comparison": gradients(tf, tf.greater(i, 1), i),
        "logical": gradients(tf, tf.logical_not(b), b),
        "bool where": (lambda x: lambda: gradients(tf, tf.where(b, x, x * 2.0), [x, b]))(tf.constant(1.0)),
        "gather indices": (lambda x: lambda: gradients(tf, tf.gather(x, [0, 0]) * 1.0, x))(tf.constant([1.0, 2.0])),
        "indices have none": (lambda k: lambda: gradients(tf, tf.gather([1.0, 2.0], k), k))(tf.constant([0])),
        "string y": ours(raised("TypeError"), raises(lambda: tf.gradients(tf.constant("a"), i))),
        "mixed precision": (lambda x: lambda: gradients(tf, tf.cast(x, tf.float64) * 2.0, x))(tf.constant(1.0)),
        "half to float": (lambda x: lambda: gradients(tf, tf.cast(x, tf.float32) * 2.0, x))(tf.constant(1.0, tf.float16)),
    }


def fills(tf: Any) -> dict[str, Any]:
    x = tf.constant(2.0)
    p = tf.placeholder(tf.float32, [None])
    return {
        "fill": gradients(tf, tf.fill([3], x), x),
        "tile": gradients(tf, tf.tile([x], [4]), x),
        "pack": gradients(tf, tf.stack([x, x, x * x]), x),
        "list of tensors as an operand": gradients(tf, [x, x * x] * tf.constant([1.0, 10.0]), x),
        "nested y is packed": gradients(tf, [[x, x * x]], x),
        "shape of a placeholder": gradients(tf, tf.cast(tf.shape(p)[0], tf.float32) * p, p, {p: [1.0, 2.0]}),
        "reduce_mean of unknown": gradients(tf, tf.reduce_mean(p), p, {p: [1.0, 2.0, 3.0, 4.0]}),
        "zeros of unknown": run_all(tf, tf.gradients(tf.zeros([2]), p, unconnected_gradients="zero"), {p: [1.0, 2.0]}),
    }
