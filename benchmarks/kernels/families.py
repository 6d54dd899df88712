"""What is measured, continued: special functions, quantisation, images, transforms, volumes, sparse matrices."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from .table import SIDE, N, Rows, inside, integers, numbers, tensors


def special_functions(tf: Any) -> Rows:
    t = tensors(tf, p=inside(0.1, 20, N), d=inside(0.1, 4, N).astype("float64"), e=inside(0.1, 4, N, seed=2).astype("float64"))
    special, m = tf.math.special, tf.math
    for name in ("j0", "j1", "y0", "y1", "i0", "i0e", "i1", "i1e", "k0", "k0e", "k1", "k1e"):
        yield f"Bessel{name[0].upper()}{name[1:]}", partial(getattr(special, f"bessel_{name}"), t.p)
    yield "Dawsn", lambda: special.dawsn(t.p)
    yield "Expint", lambda: special.expint(t.p)
    yield "FresnelCos", lambda: special.fresnel_cos(t.p)
    yield "FresnelSin", lambda: special.fresnel_sin(t.p)
    yield "Spence", lambda: special.spence(t.p)
    for name, function in {"BesselY0": special.bessel_y0, "Expint": special.expint, "Digamma": m.digamma, "Lgamma": m.lgamma}.items():
        yield f"{name}, float64", partial(function, t.d)
    for name, two in {"Igamma": m.igamma, "Igammac": m.igammac}.items():
        yield f"{name}, float64", partial(two, t.d, t.e)
    yield "Zeta, float64", lambda: m.zeta(t.d + 1.0, t.e)
    yield "Betainc, float64", lambda: m.betainc(t.d, t.e, t.e / 4.0)


def halves(tf: Any) -> Rows:
    m = tf.math
    for dtype in (tf.float16, tf.bfloat16):
        x, y = tf.cast(numbers(N), dtype), tf.cast(inside(0.1, 4, N), dtype)
        for name, function in {"Mul": m.multiply, "RealDiv": m.divide, "Maximum": m.maximum, "Less": m.less}.items():
            yield f"{name}, {dtype.name}", partial(function, x, y)
        for name, function in {"Exp": m.exp, "Tanh": m.tanh, "Sigmoid": m.sigmoid, "Sqrt": m.sqrt, "Relu": tf.nn.relu}.items():
            yield f"{name}, {dtype.name}", partial(function, y)


def complexes(tf: Any) -> Rows:
    t = tensors(tf, c=numbers(N) + 1j * numbers(N, seed=1))
    m = tf.math
    for name in ("log", "sqrt", "sin", "tanh", "sigmoid", "reciprocal"):
        yield f"{name.title()}, complex64", partial(getattr(m, name), t.c)
    yield "RealDiv, complex64", lambda: m.divide(t.c, t.c)


def quantisation(tf: Any) -> Rows:
    high = np.full(SIDE, 2.0, "float32")
    t = tensors(tf, x=numbers(SIDE, SIDE), g=numbers(SIDE, SIDE, seed=1), low=-high, high=high)
    q, raw = tf.quantization, tf.raw_ops
    yield "FakeQuantWithMinMaxArgs", lambda: q.fake_quant_with_min_max_args(t.x, -2.0, 2.0)
    yield "FakeQuantWithMinMaxArgsGradient", lambda: q.fake_quant_with_min_max_args_gradient(t.g, t.x, -2.0, 2.0)
    yield "FakeQuantWithMinMaxVars", lambda: q.fake_quant_with_min_max_vars(t.x, -2.0, 2.0)
    yield "FakeQuantWithMinMaxVarsPerChannel", lambda: q.fake_quant_with_min_max_vars_per_channel(t.x, t.low, t.high)
    yield "QuantizeAndDequantizeV4", lambda: q.quantize_and_dequantize_v2(t.x, -2.0, 2.0)
    yield "QuantizeAndDequantizeV2", lambda: raw.QuantizeAndDequantizeV2(input=t.x, input_min=-2.0, input_max=2.0, range_given=True)


def pictures(tf: Any) -> Rows:
    t = tensors(tf, x=inside(0, 1, 4, 256, 256, 3), v=numbers(2, 16, 32, 32, 16), w=numbers(3, 3, 3, 16, 16))
    for method in ("bilinear", "nearest", "bicubic", "area"):
        yield f"resize, {method}", partial(tf.image.resize, t.x, [300, 300], method)
    yield "RGBToHSV", lambda: tf.image.rgb_to_hsv(t.x)
    yield "AdjustContrastv2", lambda: tf.image.adjust_contrast(t.x, 0.5)
    yield "Conv3D", lambda: tf.nn.conv3d(t.v, t.w, [1, 1, 1, 1, 1], "SAME")
    yield "MaxPool3D", lambda: tf.nn.max_pool3d(t.v, 2, 2, "SAME")
    yield "AvgPool3D", lambda: tf.nn.avg_pool3d(t.v, 2, 2, "SAME")


def transforms(tf: Any) -> Rows:
    t = tensors(tf, c=numbers(N) + 1j * numbers(N, seed=1), m=numbers(SIDE, SIDE) + 1j * numbers(SIDE, SIDE, seed=1), x=numbers(SIDE, SIDE))
    signal = tf.signal
    yield "FFT, vector", lambda: signal.fft(t.c)
    yield "FFT, rows", lambda: signal.fft(t.m)
    yield "FFT2D", lambda: signal.fft2d(t.m)
    yield "RFFT, rows", lambda: signal.rfft(t.x)
    yield "IFFT, rows", lambda: signal.ifft(t.m)


def sparse_matrices(tf: Any) -> Rows:
    places = np.unique(integers(N, 200_000, dtype="int64"))
    order = np.random.default_rng(1).permutation(len(places))
    at = np.stack([places // SIDE, places % SIDE], 1)
    values = numbers(len(places))
    one = tf.sparse.SparseTensor(at, values, [SIDE, SIDE])
    mixed = tf.sparse.SparseTensor(at[order], values, [SIDE, SIDE])
    gaps = tf.sparse.SparseTensor(at * np.array([2, 1]), values, [2 * SIDE, SIDE])
    dense = tf.constant(numbers(SIDE, 64))
    sparse = tf.sparse
    yield "SparseReorder", lambda: sparse.reorder(mixed)
    yield "SparseFillEmptyRows", lambda: sparse.fill_empty_rows(gaps, 0.0)
    yield "SparseTensorDenseMatMul", lambda: sparse.sparse_dense_matmul(one, dense)
    yield "SparseToDense", lambda: sparse.to_dense(one)
    yield "SparseAdd", lambda: sparse.add(one, one)
    yield "SparseConcat", lambda: sparse.concat(0, [one, one])
    yield "sparse softmax", lambda: sparse.softmax(one)
