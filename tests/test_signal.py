"""Signal processing where the golden files cannot speak: TensorFlow's gradient fails there, or it crashes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import pullback as tf
from tests.cases.case import floats


def _gradient(f: Any, x: Any) -> Any:
    x = tf.constant(x)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
        weights = tf.cast(tf.reshape(tf.range(1, tf.size(y) + 1), y.shape), y.dtype)
    return tape.gradient(y, x, output_gradients=weights).numpy()


@pytest.mark.parametrize("n", [1, 3, 4])
def test_gradient_of_a_cropped_transform_is_zero_beyond(n: int) -> None:
    """TensorFlow adds tensors of two sizes here, and fails."""
    x = floats(2, 5, dtype="float64")
    found = _gradient(lambda t: tf.signal.rfft(t, [n]), x)
    np.testing.assert_allclose(found, _gradient(lambda t: tf.signal.rfft(t[:, :n]), x), atol=1e-12)
    assert not found[:, n:].any() and found[:, :n].any()


def test_gradient_of_a_cropped_inverse_is_zero_beyond() -> None:
    x = floats(2, 5, dtype="complex128")
    found = _gradient(lambda t: tf.signal.irfft(t, [4]), x)
    np.testing.assert_allclose(found, _gradient(lambda t: tf.signal.irfft(t[:, :3]), x), atol=1e-12)


@pytest.mark.parametrize("f", [tf.signal.rfft, tf.signal.irfft])
def test_no_length_gives_nothing(f: Any) -> None:
    """TensorFlow ends the process."""
    assert f(tf.zeros([3], tf.float32 if f is tf.signal.rfft else tf.complex64), [0]).shape == [0]


def test_axes_are_checked() -> None:
    x = tf.zeros([2, 3], tf.complex64)
    for axes, said in (([2], r"2 is not in \[-2, 2\)"), ([0, 0], "must be different")):
        with pytest.raises(tf.errors.InvalidArgumentError, match=said):
            tf.fftnd(x, [2] * len(axes), axes)
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"same length|must have shape"):
        tf.fftnd(x, [2], [0, 1])
    with pytest.raises(ValueError, match="norm"):
        tf.signal.fftnd(x, norm="backwards")


def test_axes_unknown_while_a_graph_is_built() -> None:
    x = floats(2, 3, 4)

    @tf.function
    def along(t: Any, n: Any, axes: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(t)
            y = tf.signal.irfftnd(tf.signal.rfftnd(t, n, axes), n, axes)
        return y, tape.gradient(y, t)

    specs = [tf.TensorSpec(None, tf.float32), tf.TensorSpec([2], tf.int32), tf.TensorSpec([2], tf.int32)]
    y, slope = along.get_concrete_function(*specs)(tf.constant(x), tf.constant([3, 2]), tf.constant([1, 0]))
    np.testing.assert_allclose(y.numpy(), x, atol=1e-6)
    np.testing.assert_allclose(slope.numpy(), np.ones_like(x), atol=1e-6)


@pytest.mark.parametrize("shape", [(300, 700), (97, 31, 101), (99991,)])
def test_threads_do_not_change_a_bit(shape: tuple[int, ...]) -> None:
    x = floats(*shape, dtype="complex64")
    axes = list(range(len(shape)))
    found = []
    for count in (1, 2, 3):
        tf.config.threading.set_intra_op_parallelism_threads(count)
        found.append([tf.signal.fft(x).numpy(), tf.fftnd(x, list(shape), axes).numpy(), tf.signal.rfft(x.real).numpy()])
    tf.config.threading.set_intra_op_parallelism_threads(0)
    for one in found[1:]:
        for a, b in zip(found[0], one, strict=True):
            assert np.array_equal(a, b)
    np.testing.assert_allclose(found[0][1], np.fft.fftn(x), rtol=1e-4, atol=1e-2)
