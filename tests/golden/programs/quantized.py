"""Arithmetic of quantised tensors, TensorFlow 1's functions and the raw operations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.golden.programs.kit import Answers, ours, raises

FACE = "v2"

RANDOM = np.random.default_rng(5)
A, B, C = (RANDOM.integers(0, 256, shape).astype(np.uint8) for shape in ((2, 3), (3, 4), (3,)))
IMAGE, FILTER = RANDOM.integers(0, 256, (2, 4, 5, 2)).astype(np.uint8), RANDOM.integers(0, 256, (2, 3, 2, 3)).astype(np.uint8)
WIDE = np.int32([[-84051, -53640, -204], [231, 0, 147790], [7, -2045, 90000]])
ENDS, OTHER, POSITIVE = (np.float32(-1.25), np.float32(2.0)), (np.float32(-0.5), np.float32(0.75)), (np.float32(0.0), np.float32(6.5))


def _plain(tf: Any, found: Any) -> Any:
    """Quantised tensors as their integers."""
    whole = {"quint8": tf.uint8, "qint8": tf.int8, "qint32": tf.int32, "qint16": tf.int16, "quint16": tf.uint16}
    return [tf.bitcast(t, whole[t.dtype.name]).numpy() if t.dtype.name in whole else t.numpy() for t in found]


def _answers(tf: Any, calls: dict[str, Callable[[], Any]]) -> Answers:
    return {label: (lambda call=call: _plain(tf, call())) for label, call in calls.items()}


def _q(tf: Any, numbers: Any) -> Any:
    kind = {"uint8": tf.quint8, "int8": tf.qint8, "int32": tf.qint32}[numbers.dtype.name]
    return tf.bitcast(tf.constant(numbers), kind)


def products(tf: Any) -> Answers:
    """Matrices, elements, convolutions: integers and ranges."""
    raw, a, b, c = tf.raw_ops, _q(tf, A), _q(tf, B), _q(tf, C)

    def ends(x: str, y: str, first: Any = ENDS, second: Any = OTHER) -> dict[str, Any]:
        return {f"min_{x}": first[0], f"max_{x}": first[1], f"min_{y}": second[0], f"max_{y}": second[1]}

    def conv(strides: Any, padding: str, first: Any = ENDS, second: Any = OTHER, **more: Any) -> Any:
        return raw.QuantizedConv2D(
            input=_q(tf, IMAGE), filter=_q(tf, FILTER), strides=strides, padding=padding, **ends("input", "filter", first, second), **more
        )

    found = _answers(
        tf,
        {
            "matmul": lambda: raw.QuantizedMatMul(a=a, b=b, **ends("a", "b")),
            "matmul, transposed": lambda: raw.QuantizedMatMul(a=a, b=a, transpose_b=True, **ends("a", "b", ENDS, ENDS)),
            "matmul, both transposed": lambda: raw.QuantizedMatMul(a=b, b=a, transpose_a=True, transpose_b=True, **ends("a", "b", POSITIVE)),
            "mul": lambda: raw.QuantizedMul(x=a, y=a, **ends("x", "y")),
            "mul, a row": lambda: raw.QuantizedMul(x=a, y=c, **ends("x", "y", POSITIVE, ENDS)),
            "conv": lambda: conv([1, 1, 1, 1], "VALID"),
            "conv, same": lambda: conv([1, 1, 1, 1], "SAME"),
            "conv, strides": lambda: conv([1, 2, 2, 1], "SAME", POSITIVE),
        },
    )
    return found | {"conv, dilations": raises(lambda: conv([1, 1, 1, 1], "VALID", dilations=[1, 2, 2, 1]), "dilated rate")}


def in_range(tf: Any) -> Answers:
    """What stays in its range: pools, rectifiers, shapes."""
    raw, image, a = tf.raw_ops, _q(tf, IMAGE), _q(tf, A)
    low, high = ENDS
    given = {"input": image, "min_input": low, "max_input": high}
    features = {"min_features": low, "max_features": high}
    return _answers(
        tf,
        {
            "avg": lambda: raw.QuantizedAvgPool(**given, ksize=[1, 2, 2, 1], strides=[1, 1, 1, 1], padding="VALID"),
            "avg, same": lambda: raw.QuantizedAvgPool(**given, ksize=[1, 3, 2, 1], strides=[1, 2, 1, 1], padding="SAME"),
            "max": lambda: raw.QuantizedMaxPool(**given, ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="VALID"),
            "max, same": lambda: raw.QuantizedMaxPool(**given, ksize=[1, 3, 2, 1], strides=[1, 2, 1, 1], padding="SAME"),
            "relu": lambda: raw.QuantizedRelu(features=a, **features),
            "relu6": lambda: raw.QuantizedRelu6(features=a, min_features=np.float32(-3), max_features=np.float32(10)),
            "relu of 32 bits": lambda: raw.QuantizedRelu(features=_q(tf, WIDE), out_type=tf.qint32, **features),
            "reshape": lambda: raw.QuantizedReshape(tensor=a, shape=[3, 2], input_min=low, input_max=high),
        },
    )


def requantized(tf: Any) -> Answers:
    """From 32 bits to 8."""
    raw, wide = tf.raw_ops, _q(tf, WIDE)
    given = {"input": wide, "input_min": np.float32(-1e5), "input_max": np.float32(1e5)}

    def to(low: float, high: float, out_type: Any) -> Any:
        return raw.Requantize(**given, requested_output_min=np.float32(low), requested_output_max=np.float32(high), out_type=out_type)

    positive = {**given, "input": _q(tf, np.abs(WIDE) + np.int32(5))}
    return _answers(
        tf,
        {
            "range": lambda: raw.RequantizationRange(**given),
            "range of positive": lambda: raw.RequantizationRange(**positive),
            "quint8": lambda: to(-4.0, 7.0, tf.quint8),
            "quint8, narrow": lambda: to(-1.0, 0.5, tf.quint8),
            "quint8, from 0": lambda: to(0.0, 6.0, tf.quint8),
            "qint8": lambda: to(-4.0, 7.0, tf.qint8),
            "shrunk": lambda: raw.QuantizeDownAndShrinkRange(**given, out_type=tf.quint8),
            "shrunk, positive": lambda: raw.QuantizeDownAndShrinkRange(**positive, out_type=tf.quint8),
        },
    ) | {"above 0": raises(lambda: to(0.5, 1.0, tf.quint8), "requested_output_min must be <= 0")}


def functions(tf: Any) -> Answers:
    """TensorFlow 1's functions, run by a session; the rectifier with a bound of its own has no kernel in TensorFlow."""
    v1 = tf.compat.v1

    def run(call: Callable[[Any, Any], Any], whole: Any) -> Callable[[], Any]:
        def answer() -> Any:
            with tf.Graph().as_default(), v1.Session() as session:
                found = call(v1.nn, v1.placeholder(tf.float32, []))
                low = session.graph.get_tensor_by_name("Placeholder:0")
                return session.run([tf.bitcast(found[0], whole), *found[1:]], {low: ENDS[0]})

        return answer

    def conv(nn: Any, low: Any) -> Any:
        return nn.quantized_conv2d(_q(tf, IMAGE), _q(tf, FILTER), low, ENDS[1], OTHER[0], OTHER[1], [1, 1, 1, 1], "SAME")

    def pooled(name: str) -> Callable[[Any, Any], Any]:
        return lambda nn, low: getattr(nn, name)(_q(tf, IMAGE), low, ENDS[1], [1, 2, 2, 1], [1, 1, 1, 1], "SAME")

    zero = np.uint8(round(1.25 * 255 / 3.25))
    level = np.uint8(zero + round(255 / 3.25))
    bounded = [np.clip(A, zero, level), *ENDS]
    return {
        "conv": run(conv, tf.int32),
        "avg_pool": run(pooled("quantized_avg_pool"), tf.uint8),
        "max_pool": run(pooled("quantized_max_pool"), tf.uint8),
        "relu_x": ours(bounded, run(lambda nn, low: nn.quantized_relu_x(_q(tf, A), 1.0, low, ENDS[1]), tf.uint8)),
    }
