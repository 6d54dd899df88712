"""Cases: simulated quantisation, and quantised tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .case import Case, ErrorCase, case, error, floats

X = floats(3, 8, low=-7.0, high=7.0)
LOW, HIGH = np.linspace(-5, 0, 8, dtype=np.float32), np.linspace(0, 6, 8, dtype=np.float32)
RANGES = ((-6.0, 6.0), (0.0, 1.0), (-0.3, 0.9), (1.0, 3.0), (-3.0, -1.0))


def args(low: float, high: float, **options: Any) -> Callable[..., Any]:
    return lambda tf, x: tf.quantization.fake_quant_with_min_max_args(x, low, high, **options)


def ends(name: str, **options: Any) -> Callable[..., Any]:
    return lambda tf, x, a, b: getattr(tf.quantization, name)(x, a, b, **options)


def value(f: Callable[..., Any]) -> Callable[..., Any]:
    """Without gradients, which TensorFlow has none of."""
    return lambda tf, *xs: f(tf, *(tf.stop_gradient(x) for x in xs))


def there_and_back(T: str, mode: str, axis: int | None = None, **options: Any) -> Callable[..., Any]:
    """Quantised, and what the numbers stand for."""

    def call(tf: Any, x: Any, a: Any, b: Any) -> Any:
        x, a, b = (tf.stop_gradient(t) for t in (x, a, b))
        found, low, high = tf.quantization.quantize(x, a, b, getattr(tf, T), mode=mode, axis=axis, **options)
        narrow = {"narrow_range": True} if options.get("narrow_range") else {}
        return [tf.quantization.dequantize(found, low, high, mode=mode, axis=axis, **narrow), low, high]

    return call


VARS, CHANNELS = "fake_quant_with_min_max_vars", "fake_quant_with_min_max_vars_per_channel"
F32 = np.float32
CASES: list[Case] = [
    *(case("FakeQuantWithMinMaxArgs", f"{r}", args(*r), X, smooth=False) for r in RANGES),
    *(
        case("FakeQuantWithMinMaxArgs", f"{n} bits, narrow {w}", args(-6.0, 6.0, num_bits=n, narrow_range=w), X, smooth=False)
        for n in (2, 16)
        for w in (False, True)
    ),
    case("FakeQuantWithMinMaxArgs", "scalar", args(-6.0, 6.0), 1.3, smooth=False),
    case("FakeQuantWithMinMaxArgs", "empty", args(-6.0, 6.0), floats(0), smooth=False),
    *(case("FakeQuantWithMinMaxVars", f"{r}", ends(VARS), X, F32(r[0]), F32(r[1]), smooth=False) for r in RANGES),
    case("FakeQuantWithMinMaxVars", "3 bits, narrow", ends(VARS, num_bits=3, narrow_range=True), X, F32(-2), F32(5), smooth=False),
    case("FakeQuantWithMinMaxVars", "nothing", ends(VARS), X, F32(0), F32(0), smooth=False),
    case("FakeQuantWithMinMaxVarsPerChannel", "matrix", ends(CHANNELS), X, LOW, HIGH, smooth=False),
    case("FakeQuantWithMinMaxVarsPerChannel", "vector", ends(CHANNELS, num_bits=4), X[0], LOW, HIGH, smooth=False),
    case("FakeQuantWithMinMaxVarsPerChannel", "images", ends(CHANNELS, narrow_range=True), floats(1, 2, 2, 8), LOW, HIGH, smooth=False),
    case(
        "FakeQuantWithMinMaxArgsGradient",
        "values",
        value(lambda tf, g, x: tf.quantization.fake_quant_with_min_max_args_gradient(g, x)),
        floats(3, 8),
        X,
        smooth=False,
    ),
    case(
        "FakeQuantWithMinMaxVarsGradient",
        "values",
        value(lambda tf, g, x: tf.quantization.fake_quant_with_min_max_vars_gradient(g, x, -2.0, 3.0)),
        floats(3, 8),
        X,
        smooth=False,
    ),
    case(
        "FakeQuantWithMinMaxVarsPerChannelGradient",
        "values",
        value(lambda tf, g, x: tf.quantization.fake_quant_with_min_max_vars_per_channel_gradient(g, x, LOW, HIGH)),
        floats(3, 8),
        X,
        smooth=False,
    ),
]
for name, op in (("quantize_and_dequantize", "QuantizeAndDequantizeV2"), ("quantize_and_dequantize_v2", "QuantizeAndDequantizeV4")):
    CASES += [
        *(
            case(
                op,
                f"{d}, signed {s}, given {g}",
                ends(name, signed_input=s, range_given=g),
                X.astype(d),
                np.asarray(-3, d),
                np.asarray(5, d),
                smooth=False,
            )
            for d in ("float32", "float64")
            for s in (True, False)
            for g in (True, False)
        ),
        case(
            op,
            "half up, narrow, 4 bits",
            ends(name, round_mode="HALF_UP", narrow_range=True, num_bits=4, range_given=True),
            X,
            F32(-3),
            F32(5),
            smooth=False,
        ),
        case(op, "one range for each column", ends(name, range_given=True, axis=1), X, LOW, HIGH, smooth=False, beyond=True),
        case(op, "one range for each row", ends(name, range_given=True, axis=-2), X, LOW[:3], HIGH[5:], smooth=False, beyond=True),
        case(op, "empty", ends(name), floats(0), F32(0), F32(1), smooth=False),
    ]
CASES += [
    *(
        case(
            "QuantizeAndDequantizeV3",
            f"{n} bits, given {g}",
            lambda tf, x, a, b, n=n, g=g: tf.raw_ops.QuantizeAndDequantizeV3(input=x, input_min=a, input_max=b, num_bits=n, range_given=g),
            X,
            F32(-3),
            F32(5),
            smooth=False,
        )
        for n in (3, 8)
        for g in (True, False)
    ),
    case(
        "QuantizeAndDequantize",
        "version 1",
        lambda tf, x: tf.raw_ops.QuantizeAndDequantize(input=x, input_min=-3.0, input_max=5.0, range_given=True),
        X,
        smooth=False,
    ),
    case(
        "QuantizeAndDequantizeV4Grad",
        "values",
        value(lambda tf, g, x: list(tf.raw_ops.QuantizeAndDequantizeV4Grad(gradients=g, input=x, input_min=-3.0, input_max=5.0))),
        floats(3, 8),
        X,
        smooth=False,
    ),
    *(
        case("QuantizeV2", f"{T}, {mode}, {r}", there_and_back(T, mode), X, F32(r[0]), F32(r[1]), smooth=False)
        for T in ("qint8", "quint8", "qint16", "quint16", "qint32")
        for mode in ("MIN_COMBINED", "MIN_FIRST", "SCALED")
        for r in (RANGES[2], RANGES[4])
        if not (T == "quint8" and r[1] < 0 and mode == "SCALED")  # an empty range: infinite, and cut as the processor cuts it
        and not (T == "quint16" and r[1] < 0 and mode == "SCALED")
    ),
    *(
        case("QuantizeV2", f"{mode}, columns", there_and_back("qint8", mode, axis=1), X, LOW, HIGH, smooth=False)
        for mode in ("MIN_COMBINED", "SCALED")
    ),
    case("QuantizeV2", "narrow", there_and_back("qint8", "SCALED", narrow_range=True), X, F32(-3), F32(5), smooth=False),
    case("QuantizeV2", "half to even", there_and_back("qint8", "SCALED", round_mode="HALF_TO_EVEN"), X, F32(-3), F32(5), smooth=False),
    case(
        "QuantizeV2", "a wider range", there_and_back("quint8", "MIN_COMBINED", ensure_minimum_range=0.5), X, F32(0), F32(0.1), smooth=False
    ),
    case("QuantizeV2", "version 1", lambda tf, x: tf.quantize_v2(tf.stop_gradient(x), -1.0, 2.0, tf.qint8)[1:], X, smooth=False, face="v1"),
]


def concat(T: str, axis: int) -> Callable[..., Any]:
    def call(tf: Any, x: Any) -> Any:
        x = tf.stop_gradient(x)
        parts = [tf.quantization.quantize(x, a, b, getattr(tf, T)) for a, b in ((-3.0, 2.0), (-1.0, 7.0), (-3.0, 7.0))]
        found, low, high = tf.quantization.quantized_concat(axis, *([p[i] for p in parts] for i in range(3)))
        return [tf.quantization.dequantize(found, low, high), low, high]

    return call


CASES += [case("QuantizedConcat", f"{T}, axis {axis}", concat(T, axis), X, smooth=False) for T in ("quint8", "qint32") for axis in (0, 1)]

ERRORS: list[ErrorCase] = [
    error("FakeQuantWithMinMaxArgs: range", args(3.0, 1.0), X),
    error("FakeQuantWithMinMaxArgs: bits", args(0.0, 1.0, num_bits=17), X),
    error("FakeQuantWithMinMaxVars: vectors", ends(VARS), X, LOW, HIGH),
    error("FakeQuantWithMinMaxVars: vectors", ends(VARS), X, LOW, HIGH, mode="graph"),
    error("FakeQuantWithMinMaxVarsPerChannel: fewer", ends(CHANNELS), X, LOW[:3], HIGH[:3]),
    error("FakeQuantWithMinMaxVarsPerChannel: fewer", ends(CHANNELS), X, LOW[:3], HIGH[:3], mode="graph"),
    error("FakeQuantWithMinMaxVars: integers", ends(VARS), np.arange(3), F32(0), F32(1)),
    error("QuantizeAndDequantizeV4: range", ends("quantize_and_dequantize_v2", range_given=True), X, F32(2), F32(1)),
    error("QuantizeAndDequantizeV4: axis", ends("quantize_and_dequantize_v2", range_given=True, axis=3), X, LOW, HIGH),
    error("QuantizeAndDequantizeV2: bits", ends("quantize_and_dequantize", num_bits=0), X, F32(0), F32(1)),
    error("QuantizeAndDequantizeV2: vectors", ends("quantize_and_dequantize", range_given=True), X, LOW, HIGH),
    error("QuantizeV2: range", lambda tf, x: tf.quantization.quantize(x, 3.0, 1.0, tf.qint8), X),
    error("QuantizeV2: rounding", lambda tf, x: tf.quantization.quantize(x, 0.0, 1.0, tf.qint8, round_mode="HALF_TO_EVEN"), X),
    error("QuantizeV2: float type", lambda tf, x: tf.quantization.quantize(x, 0.0, 1.0, tf.float32), X),
    error("Dequantize: of floats", lambda tf, x: tf.quantization.dequantize(x, 0.0, 1.0), X),
]
