"""Large eager kernels over windows as native programs of one operation: the same numbers as the kernels themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import pytest

import pullback as tf
from pullback.engine import eager_code
from pullback.engine.background import wait_for_compiles
from pullback.engine.jit_policy import Settings
from pullback.kernels.backend import ENGINE

pytest.importorskip("llvmlite")

DRAW = np.random.default_rng(0)
X = DRAW.normal(size=(4, 64, 64, 16)).astype(np.float32)
EACH = DRAW.normal(size=(3, 3, 16, 1)).astype(np.float32)
SAME: dict[str, Any] = {"strides": [1, 1, 1, 1], "padding": "SAME"}
POOL: dict[str, Any] = {"ksize": [1, 3, 3, 1], "strides": [1, 2, 2, 1], "padding": "SAME"}
TOP = np.array(tf.raw_ops.MaxPool(input=X, **POOL).numpy())

EXACT: dict[str, Callable[[], Any]] = {
    "DepthwiseConv2dNative": lambda: tf.raw_ops.DepthwiseConv2dNative(input=X, filter=EACH, **SAME),
    "DepthwiseConv2dNativeBackpropInput": lambda: tf.raw_ops.DepthwiseConv2dNativeBackpropInput(
        input_sizes=X.shape, filter=EACH, out_backprop=X, **SAME
    ),
    "MaxPool": lambda: tf.raw_ops.MaxPool(input=X, **POOL),
    "MaxPoolGrad": lambda: tf.raw_ops.MaxPoolGrad(orig_input=X, orig_output=TOP, grad=TOP, **POOL),
    "MaxPoolGradGrad": lambda: tf.raw_ops.MaxPoolGradGrad(orig_input=X, orig_output=TOP, grad=X, **POOL),
    "AvgPool": lambda: tf.raw_ops.AvgPool(value=X, **POOL),
    "MaxPoolWithArgmax": lambda: tf.raw_ops.MaxPoolWithArgmax(input=X, **POOL)[1],
    "Dilation2D": lambda: tf.raw_ops.Dilation2D(input=X, filter=EACH[..., 0], rates=[1, 1, 1, 1], **SAME),
    "SpaceToBatchND": lambda: tf.space_to_batch(X, [2, 2], [[0, 2], [1, 1]]),
    "BatchToSpaceND": lambda: tf.batch_to_space(X, [2, 2], [[0, 2], [1, 1]]),
    "HSVToRGB": lambda: tf.image.hsv_to_rgb(np.resize(np.abs(X) % 1, (256, 256, 3))),
    "AvgPoolGrad": lambda: tf.raw_ops.AvgPoolGrad(orig_input_shape=(8, 64, 64, 16), grad=np.concatenate([TOP, TOP]), **POOL),
}
CLOSE: dict[str, Callable[[], Any]] = {
    "DepthwiseConv2dNativeBackpropFilter": lambda: tf.raw_ops.DepthwiseConv2dNativeBackpropFilter(
        input=X, filter_sizes=EACH.shape, out_backprop=X, **SAME
    ),
    "LRN": lambda: tf.raw_ops.LRN(input=X),
    "FusedBatchNormV3": lambda: tf.raw_ops.FusedBatchNormV3(
        x=X, scale=np.ones(16, np.float32), offset=np.ones(16, np.float32), mean=np.zeros(0, np.float32), variance=np.zeros(0, np.float32)
    )[0],
}
W = DRAW.normal(size=(3, 3, 16, 8)).astype(np.float32)
G = DRAW.normal(size=(4, 64, 64, 8)).astype(np.float32)
VOLUME: dict[str, Any] = {"strides": [1, 1, 1, 1, 1], "padding": "SAME"}
PRODUCTS: dict[str, Callable[[], Any]] = {
    "Conv2D": lambda: tf.raw_ops.Conv2D(input=X, filter=W, **SAME),
    "Conv2DBackpropInput": lambda: tf.raw_ops.Conv2DBackpropInput(input_sizes=X.shape, filter=W, out_backprop=G, **SAME),
    "Conv2DBackpropFilter": lambda: tf.raw_ops.Conv2DBackpropFilter(input=X, filter_sizes=W.shape, out_backprop=G, **SAME),
    "Conv3D": lambda: tf.raw_ops.Conv3D(input=X[None], filter=W[None], **VOLUME),
    "Conv3DBackpropInputV2": lambda: tf.raw_ops.Conv3DBackpropInputV2(
        input_sizes=X[None].shape, filter=W[None], out_backprop=G[None], **VOLUME
    ),
    "Conv3DBackpropFilterV2": lambda: tf.raw_ops.Conv3DBackpropFilterV2(
        input=X[None], filter_sizes=W[None].shape, out_backprop=G[None], **VOLUME
    ),
}


@pytest.fixture
def programs() -> Iterator[eager_code.KernelPrograms]:
    """Fresh programs, and the settings as they were afterwards."""
    before, settings = ENGINE.run_program, Settings.jit
    ENGINE.run_program = found = eager_code.KernelPrograms()
    Settings.jit = None
    yield found
    ENGINE.run_program, Settings.jit = before, settings


def _on_numpy(f: Callable[[], Any]) -> Any:
    programs, ENGINE.run_program = ENGINE.run_program, lambda *_: None
    try:
        return np.array(f().numpy())
    finally:
        ENGINE.run_program = programs


def _and_wait(f: Callable[[], Any]) -> Any:
    """What a call gives; what it has had compiled is ready for the next."""
    found = np.array(f().numpy())
    wait_for_compiles()
    return found


@pytest.mark.parametrize("name", EXACT)
def test_programs_take_over_unseen(name: str, programs: eager_code.KernelPrograms) -> None:
    """After some calls, with the kernel's bits."""
    answers = [_and_wait(EXACT[name]) for _ in range(12)]
    assert [program is not None for program in programs._found.values()] == [True]
    assert all(a.tobytes() == _on_numpy(EXACT[name]).tobytes() for a in answers)


@pytest.mark.parametrize("name", CLOSE)
def test_sums_are_programs_after_the_first_call(name: str, programs: eager_code.KernelPrograms) -> None:
    _and_wait(CLOSE[name])
    found = CLOSE[name]().numpy()
    assert [program is not None for program in programs._found.values()] == [True]
    expected = _on_numpy(CLOSE[name])
    np.testing.assert_allclose(found, expected, 2e-5, 2e-5 * np.abs(expected).max())


@pytest.mark.parametrize("name", PRODUCTS)
def test_products_are_programs_after_the_second_call(name: str, programs: eager_code.KernelPrograms) -> None:
    _and_wait(PRODUCTS[name])
    assert not programs._found
    _and_wait(PRODUCTS[name])
    found = PRODUCTS[name]().numpy()
    assert [program is not None for program in programs._found.values()] == [True]
    expected = _on_numpy(PRODUCTS[name])
    np.testing.assert_allclose(found, expected, 2e-5, 2e-5 * np.abs(expected).max())


def test_views_are_copied_for_a_program(programs: eager_code.KernelPrograms) -> None:
    Settings.jit = True
    wide = tf.constant(DRAW.normal(size=(3, 3, 16, 20)).astype(np.float32))
    convolve = partial(tf.nn.conv2d, X, wide[..., ::2], 1, "SAME")
    found = convolve().numpy()
    assert [program is not None for program in programs._found.values()] == [True]
    np.testing.assert_allclose(found, _on_numpy(convolve), 2e-5, 1e-4)


def test_shapes_attributes_and_sizes_have_programs_of_their_own(programs: eager_code.KernelPrograms) -> None:
    Settings.jit = True
    for size in (2, 3):
        pool = partial(tf.nn.avg_pool2d, X, size, 2, "VALID")
        assert pool().numpy().tobytes() == _on_numpy(pool).tobytes()
    half = partial(tf.nn.avg_pool2d, np.ascontiguousarray(X[:3]), 2, 2, "VALID")
    assert half().numpy().tobytes() == _on_numpy(half).tobytes()
    assert len(programs._found) == 3


def test_errors_are_the_kernels(programs: eager_code.KernelPrograms) -> None:
    Settings.jit = True
    with pytest.raises(tf.errors.OpError):
        tf.raw_ops.MaxPoolGrad(orig_input=X, orig_output=TOP, grad=TOP[:2], **POOL)
    with pytest.raises(tf.errors.OpError):
        tf.raw_ops.AvgPool(value=X, ksize=[2, 1, 1, 1], strides=[1, 1, 1, 1], padding="VALID")
    for _ in range(3):
        with pytest.raises(tf.errors.InvalidArgumentError):
            tf.raw_ops.Conv2D(input=X, filter=W[:, :, :5], **SAME)


def test_nothing_is_compiled_where_that_is_turned_off(programs: eager_code.KernelPrograms) -> None:
    Settings.jit = False
    for f in (*EXACT.values(), *CLOSE.values()):
        f()
    assert not programs._found
    assert not programs._calls
