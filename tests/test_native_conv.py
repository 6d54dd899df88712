"""Convolutions and pools inside native programs: shapes drawn at random give what the NumPy kernels give, on any number of threads."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import pullback as tf
from pullback.engine.emission import blas_calls, segment
from pullback.engine.jit_policy import native_program
from pullback.engine.lowering import convolution
from pullback.ir.plan import Plan, Run
from pullback.ir.tensor import TensorType
from pullback.kernels import parallel
from pullback.kernels.backend import ENGINE
from pullback.ops.windows import conv_lowering, pool_lowering


@pytest.fixture(params=["as it is", "cut small"])
def blocks(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Tasks and windows as they are for such sizes, or so small that there are many, with everything in tiles."""
    if request.param == "cut small":
        monkeypatch.setattr(conv_lowering, "FEW", 0)
        monkeypatch.setattr(pool_lowering, "MANY", 3)
        for module in (convolution, segment, blas_calls):
            monkeypatch.setattr(module, "_BLOCK_WORK", 64)
        for name in ("_WINDOW", "_SUM", "_SUMS"):
            monkeypatch.setattr(convolution, name, 256)
    before = parallel.threads()
    yield
    parallel.set_threads(before)


def _compared(f: Callable[..., Any], arrays: list[Any], rtol: float) -> None:
    """A function's answers compiled and on kernels; nothing of it may be called, and threads may change no bit."""
    plan = tf.function(f).get_concrete_function(*[tf.TensorSpec(a.shape, a.dtype) for a in arrays]).body.plan()
    run_plan, ENGINE.run_plan = ENGINE.run_plan, Plan.run_on_kernels
    try:
        expected = [np.asarray(y) for y in plan.run(arrays, Run({}, {}))]
    finally:
        ENGINE.run_plan = run_plan
    program, reason = native_program(plan, [TensorType(a.shape, t.dtype) for a, t in zip(arrays, plan.fed, strict=True)])
    assert program is not None, reason
    assert not program.refusals
    answers = []
    for threads in (1, 2, 3):
        parallel.set_threads(threads)
        found = program.run(arrays, Run({}, {}))
        assert found is not None
        answers.append([np.array(y) for y in found])
    for i, (first, wanted) in enumerate(zip(answers[0], expected, strict=True)):
        assert first.dtype == wanted.dtype
        assert first.shape == wanted.shape
        assert all(first.tobytes() == other[i].tobytes() for other in answers[1:])
        np.testing.assert_allclose(first, wanted, rtol, rtol * max(float(np.abs(wanted).max(initial=0)), 1e-30))


def _drawn(rng: np.random.Generator, dtype: Any, *dims: int) -> Any:
    return rng.integers(-4, 5, dims).astype(dtype) if np.dtype(dtype).kind == "i" else rng.normal(size=dims).astype(dtype)


def _tolerance(dtype: Any) -> float:
    return 1e-12 if dtype == np.float64 else 1e-5


def _image(rng: np.random.Generator) -> tuple[dict[str, Any], tuple[int, int], tuple[int, int]]:
    """Attributes of a convolution, and sizes of image and filter that go with them."""
    size, taps = rng.integers(1, 20, 2), rng.integers(1, 6, 2)
    strides, dilations = rng.integers(1, 4, 2), rng.integers(1, 3, 2)
    padding = rng.choice(["SAME", "VALID", "EXPLICIT"])
    explicit = [0, 0, *(int(n) for n in rng.integers(0, 4, 4)), 0, 0] if padding == "EXPLICIT" else []
    size = np.maximum(size, (taps - 1) * dilations + 1)
    attributes = {"strides": [1, *map(int, strides), 1], "dilations": [1, *map(int, dilations), 1], "padding": str(padding)}
    return {**attributes, "explicit_paddings": explicit}, tuple(map(int, size)), tuple(map(int, taps))  # type: ignore[return-value]  # pairs


@pytest.mark.usefixtures("blocks")
@pytest.mark.parametrize("seed", range(36))
def test_convolutions_of_random_shapes(seed: int) -> None:
    """Any strides, dilations, paddings, groups and numbers of channels; with both gradients, and channels first."""
    rng = np.random.default_rng(seed)
    dtype = [np.float32, np.float64, np.float32, np.int32][seed % 4]
    attributes, size, taps = _image(rng)
    groups, channels, depth = int(rng.choice([1, 1, 2, 3, 9])), int(rng.integers(1, 20)), int(rng.integers(1, 50))
    batch = int(rng.integers(1, 5))
    x, w = _drawn(rng, dtype, batch, *size, channels * groups), _drawn(rng, dtype, *taps, channels, depth * groups)
    y = tf.raw_ops.Conv2D(input=x, filter=w, **attributes)
    g = _drawn(rng, dtype, *y.shape)

    def every(x: Any, w: Any, g: Any) -> Any:
        back = tf.raw_ops.Conv2DBackpropInput(input_sizes=x.shape, filter=w, out_backprop=g, **attributes)
        to_filter = tf.raw_ops.Conv2DBackpropFilter(input=x, filter_sizes=w.shape, out_backprop=g, **attributes)
        return tf.raw_ops.Conv2D(input=x, filter=w, **attributes), back, to_filter

    _compared(every, [x, w, g], _tolerance(dtype))


@pytest.mark.usefixtures("blocks")
@pytest.mark.parametrize("seed", range(16))
def test_depthwise_convolutions_of_random_shapes(seed: int) -> None:
    """One filter for each channel, with both gradients."""
    rng = np.random.default_rng(seed)
    dtype = [np.float32, np.float64][seed % 2]
    attributes, size, taps = _image(rng)
    attributes["strides"][2] = attributes["strides"][1]
    batch, channels, times = (int(rng.integers(1, n)) for n in (5, 40, 4))
    x, w = _drawn(rng, dtype, batch, *size, channels), _drawn(rng, dtype, *taps, channels, times)
    g = _drawn(rng, dtype, *tf.raw_ops.DepthwiseConv2dNative(input=x, filter=w, **attributes).shape)

    def every(x: Any, w: Any, g: Any) -> Any:
        back = tf.raw_ops.DepthwiseConv2dNativeBackpropInput(input_sizes=x.shape, filter=w, out_backprop=g, **attributes)
        to_filter = tf.raw_ops.DepthwiseConv2dNativeBackpropFilter(input=x, filter_sizes=w.shape, out_backprop=g, **attributes)
        return tf.raw_ops.DepthwiseConv2dNative(input=x, filter=w, **attributes), back, to_filter

    _compared(every, [x, w, g], _tolerance(dtype))


@pytest.mark.usefixtures("blocks")
@pytest.mark.parametrize("seed", range(24))
def test_pools_of_random_shapes(seed: int) -> None:
    """Windows that overlap, touch or leave gaps, with ties among the maxima; second derivatives too."""
    rng = np.random.default_rng(seed)
    dtype = [np.float32, np.float64, np.float16][seed % 3]
    size, taps = rng.integers(4, 14, 2), rng.integers(1, 5, 2)
    strides = taps if seed % 4 == 0 else rng.integers(1, 5, 2)
    options = {"ksize": [1, *map(int, taps), 1], "strides": [1, *map(int, strides), 1], "padding": str(rng.choice(["SAME", "VALID"]))}
    x = rng.integers(-3, 4, (int(rng.integers(1, 4)), *map(int, size), int(rng.integers(1, 35)))).astype(dtype)
    y = tf.raw_ops.MaxPool(input=tf.constant(x), **options).numpy()
    g, gg = _drawn(rng, dtype, *y.shape), _drawn(rng, dtype, *x.shape)

    def every(x: Any, y: Any, g: Any, gg: Any) -> Any:
        raw = tf.raw_ops
        highest = raw.MaxPool(input=x, **options), raw.MaxPoolGrad(orig_input=x, orig_output=y, grad=g, **options)
        second = raw.MaxPoolGradGrad(orig_input=x, orig_output=y, grad=gg, **options)
        return *highest, second, raw.AvgPool(value=x, **options), raw.AvgPoolGrad(orig_input_shape=x.shape, grad=g, **options)

    _compared(every, [x, y, g, gg], 2e-3 if dtype == np.float16 else _tolerance(dtype))


@pytest.mark.parametrize("image", [(1, 40, 40, 16), (32, 6, 5, 70), (3, 17, 9, 130)])
def test_large_convolutions_in_whole_tasks(image: tuple[int, ...]) -> None:
    """Several tasks, units and blocks of columns, as training steps have them."""
    rng = np.random.default_rng(1)
    x, w = _drawn(rng, np.float32, *image), _drawn(rng, np.float32, 3, 3, image[-1], 96)

    def step(x: Any, w: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch([x, w])
            y = tf.nn.max_pool2d(tf.nn.relu(tf.nn.conv2d(x, w, 1, "SAME")), 2, 2, "SAME")
            loss = tf.reduce_sum(y * y)
        return y, *tape.gradient(loss, [x, w])

    before = parallel.threads()
    try:
        _compared(step, [x, w], 1e-4)
    finally:
        parallel.set_threads(before)
