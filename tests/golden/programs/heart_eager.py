"""Constants of tensors, gates of activations at what is not finite, updates that broadcast, sparse gradients of branches: eager and functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.golden.programs.kit import Answers, raises

FACE = "v2"
POINTS = np.array([-2.0, -0.5, -0.0, 0.0, 0.5, 3.0, 6.0, 7.0, np.nan, np.inf, -np.inf], "f4")


def constants(tf: Any) -> Answers:
    def taped(f: Callable[[Any, Any], Any], value: Any) -> Callable[[], Any]:
        def answer() -> list[Any]:
            v, x = tf.Variable(value), tf.constant(value)
            with tf.GradientTape() as t:
                t.watch(x)
                y = f(v, x)
            return [y, *t.gradient(y, [v, x])]

        return answer

    def captured() -> Any:
        e = tf.constant(3.0)

        @tf.function
        def f() -> Any:
            with tf.GradientTape() as t:
                t.watch(e)
                y = tf.constant(e) * e
            return y, t.gradient(y, e)

        return f()

    def is_itself() -> bool:
        x = tf.zeros([3])
        return tf.constant(x) is x

    v = tf.Variable(2.0)
    return {
        "of a result": taped(lambda v, x: tf.constant(v + v), [1.0, 2.0]),
        "of a result, v1": taped(lambda v, x: tf.compat.v1.constant(v + v), [1.0, 2.0]),
        "of a tensor and its dtype": taped(lambda v, x: tf.constant(x, dtype=tf.float32), 1.0),
        "of a tensor and its shape": taped(lambda v, x: tf.constant(x, shape=[2]), [1.0, 2.0]),
        "of a tensor in another shape": taped(lambda v, x: tf.constant(x, shape=[2, 1]), [1.0, 2.0]),
        "of a tensor in a sum": taped(lambda v, x: tf.constant([1.0, 2.0]) * tf.constant(x), 1.0),
        "of a variable": taped(lambda v, x: tf.constant(v), [1.0, 2.0]),
        "of a variable, another dtype": taped(lambda v, x: tf.constant(v, tf.float64), 1.0),
        "of a variable, a shape": taped(lambda v, x: tf.constant(v, shape=[2]), 1.0),
        "is the tensor itself": is_itself,
        "of another dtype": raises(lambda: tf.constant(tf.constant(1.0), tf.float64)),
        "of a variable in a function": raises(lambda: tf.function(lambda: tf.constant(v))(), "only available when eager"),
        "of an eager tensor in a function": captured,
    }


def gates(tf: Any) -> Answers:
    """Gradients at cotangents that are NaN, infinite and finite: eagerly, in a function often enough to be compiled, and row by row."""

    def pulled(f: Callable[[Any], Any], cotangent: Any, kind: Any) -> Callable[[], Any]:
        def gradient(x: Any, g: Any) -> Any:
            with tf.GradientTape() as t:
                t.watch(x)
                y = f(tf.cast(x, kind))
            return t.gradient(y, x, output_gradients=tf.cast(g, y.dtype))

        def answer() -> list[Any]:
            x, g = tf.constant(POINTS), tf.constant(cotangent)
            compiled = tf.function(gradient)
            rows = tf.vectorized_map(lambda row: gradient(row[0], row[1]), (tf.stack([x, x]), tf.stack([g, g])))
            return [gradient(x, g), [compiled(x, g) for _ in range(4)][-1], rows]

        return answer

    functions: dict[str, Callable[[Any], Any]] = {
        "relu": tf.nn.relu,
        "relu of a negative": lambda x: tf.nn.relu(-x),
        "relu6": tf.nn.relu6,
        "leaky_relu": tf.nn.leaky_relu,
        "elu": tf.nn.elu,
        "selu": tf.nn.selu,
        "crelu": lambda x: tf.nn.crelu(x)[5:16],
        "softplus": tf.nn.softplus,
        "softsign": tf.nn.softsign,
        "abs": tf.abs,
        "sign": tf.sign,
        "maximum": lambda x: tf.maximum(x, 0.0),
        "minimum": lambda x: tf.minimum(0.0, x),
        "clip_by_value": lambda x: tf.clip_by_value(x, -1.0, 1.0),
        "where": lambda x: tf.where(x > 0.0, x, 0.0),
        "dropout": lambda x: tf.nn.experimental.stateless_dropout(x, 0.5, seed=[1, 2]),
        "fake_quant": lambda x: tf.quantization.fake_quant_with_min_max_args(x, -1.0, 1.0),
        "fake_quant of a range": lambda x: tf.quantization.fake_quant_with_min_max_vars(x, -1.0, 1.0),
        "fake_quant of no range": lambda x: tf.quantization.fake_quant_with_min_max_vars(x, 0.0, 0.0),
        "fake_quant, its low end": lambda x: tf.quantization.fake_quant_with_min_max_vars(tf.constant(POINTS), x[1] - 1.0, 1.0),
        "quantize_and_dequantize": lambda x: tf.quantization.quantize_and_dequantize_v2(x, -1.0, 1.0, range_given=True),
    }
    cotangents = {"NaN": np.full(11, np.nan, "f4"), "inf": np.full(11, np.inf, "f4"), "numbers": np.arange(1.0, 12.0, dtype="f4")}
    found = {f"{name}, {of}": pulled(f, g, tf.float32) for name, f in functions.items() for of, g in cotangents.items()}
    for kind in (tf.float16, tf.bfloat16, tf.float64):
        for name in ("relu", "relu6"):
            found |= {f"{name}, {of}, {kind.name}": pulled(functions[name], g, kind) for of, g in cotangents.items()}
    return found


def strided_updates(tf: Any) -> Answers:
    def update(value: Any, begin: Any, end: Any, strides: Any, **masks: int) -> Callable[[], Any]:
        def answer() -> list[Any]:
            x, v = tf.reshape(tf.range(12.0), (3, 4)), tf.constant(value)
            with tf.GradientTape() as t:
                t.watch([x, v])
                y = tf.raw_ops.TensorStridedSliceUpdate(input=x, begin=begin, end=end, strides=strides, value=v, **masks)
            return [y, t.gradient(y, [x, v], output_gradients=tf.reshape(tf.range(12.0), (3, 4)))]

        return answer

    ones = np.ones
    return {
        "a scalar": update(np.float32(7.0), [0, 0], [2, 2], [1, 1]),
        "a row": update(ones((1, 2), "f4"), [0, 0], [2, 2], [1, 1]),
        "a vector": update(ones(2, "f4"), [0, 0], [2, 2], [1, 1]),
        "a column": update(ones((2, 1), "f4"), [0, 0], [2, 2], [1, 1]),
        "all of it": update(ones((2, 2), "f4"), [0, 0], [2, 2], [1, 1]),
        "a row of one axis": update(np.float32(7.0), [0, 0], [1, 2], [1, 1], shrink_axis_mask=1),
        "a new axis": update(ones((1, 1, 2), "f4"), [0, 0, 0], [0, 2, 2], [1, 1, 1], new_axis_mask=1),
        "backwards": update(ones((1, 2), "f4"), [2, 3], [0, 1], [-1, -1]),
    }


def sparse_branches(tf: Any) -> Answers:
    def of(f: Callable[[Any, Any], Any], *preds: Any) -> Callable[[], Any]:
        def answer() -> list[Any]:
            v = tf.Variable(np.arange(6.0, dtype="f4").reshape(3, 2))
            g = tf.function(lambda p: f(v, p))
            found = []
            for pred in preds or (True, False):
                with tf.GradientTape() as t:
                    y = g(tf.constant(pred))
                gradient = t.gradient(y, v)
                found.append([type(gradient).__name__ == "IndexedSlices", tf.convert_to_tensor(gradient)])
            return found

        return answer

    def optimized() -> list[Any]:
        v = tf.Variable(np.arange(6.0, dtype="f4").reshape(3, 2))

        @tf.function
        def step(p: Any) -> Any:
            with tf.GradientTape() as t:
                y = tf.cond(p, lambda: tf.reduce_sum(tf.gather(v, [0, 2]) ** 2), lambda: tf.reduce_sum(tf.gather(v, [1, 1])))
            d = t.gradient(y, v)
            v.scatter_sub(tf.IndexedSlices(d.values * 0.1, d.indices))
            return d.values

        return [[step(tf.constant(k % 2 == 0)) for k in range(8)][-2:], v]

    def twice() -> list[Any]:
        v = tf.Variable(np.arange(6.0, dtype="f4").reshape(3, 2))

        @tf.function
        def f(p: Any) -> Any:
            with tf.GradientTape() as outer:
                with tf.GradientTape() as t:
                    y = tf.cond(p, lambda: tf.reduce_sum(tf.gather(v, [0, 2]) ** 3), lambda: tf.reduce_sum(v[1:] ** 2))
                z = tf.linalg.global_norm([t.gradient(y, v)])
            return z, tf.convert_to_tensor(outer.gradient(z, v))

        return [f(tf.constant(True)), f(tf.constant(False))]

    def jacobian() -> list[Any]:
        v = tf.Variable(np.arange(6.0, dtype="f4").reshape(3, 2))

        @tf.function
        def f(p: Any) -> Any:
            with tf.GradientTape() as t:
                y = tf.cond(p, lambda: tf.gather(v, [0, 2]) ** 2, lambda: tf.gather(v, [1, 1]))
            return t.jacobian(y, v)

        return [f(tf.constant(True)), f(tf.constant(False))]

    def some(v: Any, indices: Any) -> Any:
        return tf.reduce_sum(tf.gather(v, indices))

    wide = tf.constant([1], tf.int64)
    return {
        "sparse and none": of(lambda v, p: tf.cond(p, lambda: some(v, [0, 2]), lambda: 0.0)),
        "sparse and sparse": of(lambda v, p: tf.cond(p, lambda: some(v, [0, 2]), lambda: some(v, [1]))),
        "sparse and dense": of(lambda v, p: tf.cond(p, lambda: some(v, [0, 2]), lambda: tf.reduce_sum(v * v))),
        "indices of two dtypes": of(lambda v, p: tf.cond(p, lambda: some(v, [0, 2]), lambda: some(v, wide))),
        "nested": of(lambda v, p: tf.cond(p, lambda: tf.cond(p, lambda: some(v, [0, 2]), lambda: 0.0), lambda: 0.0)),
        "with another": of(lambda v, p: tf.cond(p, lambda: some(v, [0, 2]), lambda: 0.0) + some(v, [1])),
        "a switch": of(lambda v, p: tf.switch_case(p, [lambda: some(v, [0, 2]), lambda: some(v, [1]), lambda: 0.0]), 0, 1, 2),
        "in a loop": of(lambda v, p: tf.while_loop(lambda i, s: i < 2, lambda i, s: (i + 1, s + some(v, [0, 2])), [0, 0.0])[1]),
        "steps of an optimizer": optimized,
        "twice": twice,
        "jacobian": jacobian,
    }


def targets(tf: Any) -> Answers:
    """A variable as the target of a tape, in a function."""
    v, w = tf.Variable([2.0, 3.0]), tf.Variable(2.0)

    def of(f: Callable[[], Any], **options: Any) -> Callable[[], Any]:
        @tf.function
        def gradients() -> list[Any]:
            with tf.GradientTape() as t:
                y = f()
            return [tf.constant(-1.0) if g is None else g for g in t.gradient(y, [v, w], **options)]

        return lambda: gradients()

    return {
        "one": of(lambda: v),
        "two": of(lambda: [v, w]),
        "beside a tensor": of(lambda: [v, v * v * w]),
        "weighed": of(lambda: [v, w], output_gradients=[tf.constant([5.0, 6.0]), tf.constant(7.0)]),
        "zeros for the other": of(lambda: w, unconnected_gradients="zero"),
    }


def recomputed(tf: Any) -> Answers:
    made: list[Any] = []

    @tf.recompute_grad
    def f(x: Any) -> Any:
        if not made:
            made.append(tf.Variable(2.0))
        return x * made[0] * made[0]

    def answer() -> list[Any]:
        x = tf.constant(3.0)
        with tf.GradientTape() as t:
            t.watch(x)
            y = f(x)
        return [len(made), t.gradient(y, [x, *made])]

    return {"a variable made at the first run": answer}
