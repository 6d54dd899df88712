"""How far a NaN reaches: the gradient beside a diagonal that einsum takes, and ranges of quantisation with a NaN in them."""

from __future__ import annotations

from typing import Any

FACE = "v2"
NAN = float("nan")


def diagonals(tf: Any) -> dict[str, Any]:
    x = tf.constant([[1.0, NAN], [3.0, 4.0]])
    found: dict[str, Any] = {}
    for equation in ("ii->i", "ii->", "ij->ji", "...ii->..."):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.einsum(equation, x)
        found[equation] = tape.gradient(y, x, output_gradients=tf.fill(y.shape, NAN)).numpy()
    return found


def ranges(tf: Any) -> dict[str, Any]:
    x, raw = tf.ones([3]), tf.raw_ops
    found: dict[str, Any] = {}
    for low, high in ((-3.0, NAN), (NAN, 3.0), (NAN, NAN), (2.0, 1.0), (-1.0, 1.0)):
        for name in ("QuantizeAndDequantizeV2", "QuantizeAndDequantizeV3", "QuantizeAndDequantizeV4"):
            more = {"num_bits": 8} if name.endswith("V3") else {}
            try:
                y = getattr(raw, name)(input=x, input_min=low, input_max=high, range_given=True, **more)
                found[f"{name}, {low} to {high}"] = y.numpy()
            except tf.errors.InvalidArgumentError:
                found[f"{name}, {low} to {high}"] = "InvalidArgumentError"
    return found
