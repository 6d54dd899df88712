"""Neural-network operations where TensorFlow is wrong, ends the process, or has no derivative to compare with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pullback as tf
from pullback.compat import v1
from pullback.tensorflow.ctc import decoders as ctc_decoders
from tests.cases.case import floats


@pytest.mark.parametrize(
    ("given", "means", "segments"),
    [
        ([1.0, np.inf], [np.inf, np.inf], [0, 0]),
        ([np.inf, np.inf], [np.inf, np.inf], [0, 1]),
        ([-np.inf, 1.0, 2.0], [-np.inf, -np.inf, -np.inf], [0, 0, 0]),
        ([1.0, np.nan, 2.0], [1.0, np.nan, 2.0], [0, 1, 2]),
    ],
)
def test_isotonic_regression_of_what_is_not_finite(given: list[float], means: list[float], segments: list[int]) -> None:
    """TensorFlow's answers."""
    found = tf.nn.isotonic_regression(given)
    np.testing.assert_array_equal(found.output, means)
    assert found.segments.numpy().tolist() == segments


def test_the_gradient_of_isotonic_regression_of_a_vector_is_the_mean_over_its_segments() -> None:
    x = tf.constant([3.0, 1.0, 2.0, 0.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.nn.isotonic_regression(x)[0] * [1.0, 2.0, 4.0, 8.0]
    assert tape.gradient(y, x).numpy().tolist() == [1.0, 3.0, 3.0, 8.0]


def test_the_rule_of_lrn_grad_is_the_second_derivative_of_lrn() -> None:
    x, g, v = (tf.constant(floats(2, 1, 2, 5, seed=seed)) for seed in range(3))
    attrs = {"depth_radius": 1, "bias": 1.5, "alpha": 0.3, "beta": 0.75}
    with tf.GradientTape() as outer:
        outer.watch([x, g])
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = tf.nn.lrn(x, **attrs)
        first = inner.gradient(y, x, output_gradients=g)
    with tf.GradientTape() as raw:
        raw.watch([x, g])
        same = tf.raw_ops.LRNGrad(input_grads=g, input_image=x, output_image=tf.stop_gradient(tf.nn.lrn(x, **attrs)), **attrs)
    np.testing.assert_allclose(same, first, rtol=1e-5, atol=1e-6)
    expected = outer.gradient(first, [x, g], output_gradients=v)
    found = raw.gradient(same, [x, g], output_gradients=v)
    for a, b in zip(found, expected, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-6)


def test_places_outside_the_image_are_refused() -> None:
    given = {"input": tf.zeros([1, 2, 2, 1]), "grad": tf.ones([1, 1, 1, 1]), "argmax": tf.fill([1, 1, 1, 1], np.int64(99))}
    with pytest.raises(tf.errors.InvalidArgumentError, match="places must lie in"):
        tf.raw_ops.MaxPoolGradWithArgmax(**given, ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="VALID")


@pytest.mark.parametrize("lowest", [-np.inf, np.float32(np.finfo(np.float32).min)])
def test_places_of_maxima_are_inside_where_all_is_as_low_as_the_padding(lowest: float) -> None:
    x = tf.fill([1, 3, 3, 1], np.float32(lowest))
    places = tf.nn.max_pool_with_argmax(x, 3, 1, "SAME")[1].numpy().ravel()
    assert places.tolist() == [0, 0, 1, 0, 0, 1, 3, 3, 4]


@pytest.mark.parametrize("moved", ["mean", "variance"])
def test_given_statistics_of_batch_normalisation_are_constants_to_the_second_order_too(moved: str) -> None:
    """TensorFlow gives zero for the first order and for the second."""
    given = {name: tf.constant(floats(3, seed=k) + 2) for k, name in enumerate(("scale", "offset", "mean", "variance"))}
    with tf.GradientTape() as outer:
        outer.watch(list(given.values()))
        with tf.GradientTape() as inner:
            inner.watch(list(given.values()))
            y = tf.square(tf.raw_ops.FusedBatchNormV3(x=floats(2, 3, 2, 3), **given, is_training=False).y)
        slope, first = inner.gradient(y, [given["scale"], given[moved]], unconnected_gradients="zero")
    second, curve = outer.gradient(slope, [given[moved], given["scale"]], unconnected_gradients="zero")
    assert not np.any(first.numpy()) and not np.any(second.numpy()) and np.all(curve.numpy())


@pytest.mark.parametrize("jit", [False, True])
def test_the_place_of_a_nan_is_its_own_also_where_windows_reach_outside(jit: bool) -> None:
    """A NaN is the largest number of a max pool; its gradient arrives where it is."""
    x = np.arange(9.0, dtype=np.float32).reshape(1, 3, 3, 1)
    x[0, 0, 1] = np.nan

    def pool(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            top, places = tf.nn.max_pool_with_argmax(x, 2, 2, "SAME")
        return places, tape.gradient(top, x)

    def padded(x: Any) -> Any:
        return tf.nn.max_pool_with_argmax(x, 3, 2, "SAME")[1]

    places, slope = tf.function(pool, jit_compile=jit)(tf.constant(x))
    assert places.numpy().ravel().tolist() == [1, 5, 7, 8]
    assert slope.numpy().ravel().tolist() == [0, 1, 0, 0, 0, 1, 0, 1, 1]
    assert tf.function(padded, jit_compile=jit)(tf.constant(x)).numpy().ravel().tolist() == [1, 1, 7, 8]


def _ctc_derivatives(loss: Callable[[Any], Any], x: Any, vectors: list[Any]) -> list[Any]:
    """The gradient, its derivative along the first vector, that one's along the second, and so on."""
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        found = [tape.gradient(loss(x), x)]
        for v in vectors:
            found.append(tape.gradient(found[-1], x, output_gradients=v))
    return found


@pytest.mark.parametrize(("dense", "merge"), [(True, True), (False, True), (False, False)])
def test_the_ctc_loss_has_derivatives_of_any_order(dense: bool, merge: bool) -> None:
    lengths = [5, 3]
    if dense:

        def loss(x: Any) -> Any:
            return tf.nn.ctc_loss([[1, 2, 2], [2, 0, 0]], x, [3, 1], lengths)
    else:
        labels = v1.SparseTensor([[0, 0], [0, 1], [0, 2], [1, 0]], np.int32([1, 0, 0, 2]), [2, 3])

        def loss(x: Any) -> Any:
            return v1.nn.ctc_loss(labels, x, lengths, ctc_merge_repeated=merge)

    x, *vectors = (floats(5, 2, 4, seed=seed, dtype="float64") for seed in range(4))
    found = _ctc_derivatives(loss, tf.constant(x), vectors)
    step = 1e-6
    for order, v in enumerate(vectors):
        there, back = (_ctc_derivatives(loss, tf.constant(x + s * v), vectors[:order])[-1].numpy() for s in (step, -step))
        np.testing.assert_allclose(found[order + 1], (there - back) / (2 * step), rtol=1e-5, atol=1e-8)
    assert np.abs(found[-1].numpy()).max() > 1e-3


def test_the_best_class_of_many_frames_is_the_first_of_several() -> None:
    x = floats(100, 16, 20)
    x[3, 2, 5] = x[3, 2, 9] = 9.0
    for changed in (x, np.where(np.arange(20) == 1, np.nan, x)):
        best, most = ctc_decoders._find_best(changed)
        np.testing.assert_array_equal(best, changed.argmax(axis=2))
        np.testing.assert_array_equal(most, changed.max(axis=2))
    x[1, 1, 1] = np.nan  # none is best there, and two elsewhere
    np.testing.assert_array_equal(ctc_decoders._find_best(x)[0], x.argmax(axis=2))


def test_fractional_pools_without_a_seed_differ_from_call_to_call() -> None:
    x = tf.zeros([1, 50, 50, 1])
    borders = {tuple(tf.nn.fractional_max_pool(x, 1.5).row_pooling_sequence.numpy().tolist()) for _ in range(8)}
    assert len(borders) > 1


@pytest.mark.parametrize("scaled", [True, False])
def test_the_gradient_of_the_first_batch_normalisation_has_a_gradient(scaled: bool) -> None:
    inputs = [floats(2, 1, 2, 3, dtype="float64"), *(floats(3, low=0.5, dtype="float64", seed=k) for k in (1, 2, 3))]
    inputs.append(floats(2, 1, 2, 3, dtype="float64", seed=4))
    along = [floats(*x.shape, dtype="float64", seed=9 + k) for k, x in enumerate(inputs)]

    def measure(tensors: list[tf.Tensor]) -> tf.Tensor:
        op = tf.raw_ops.BatchNormWithGlobalNormalizationGrad
        named = dict(zip(("t", "m", "v", "gamma", "backprop"), tensors, strict=True))
        found = op(**named, variance_epsilon=0.01, scale_after_normalization=scaled)
        return tf.add_n([tf.reduce_sum(tf.sin(y)) for y in found])

    tensors = [tf.constant(x) for x in inputs]
    with tf.GradientTape() as tape:
        tape.watch(tensors)
        y = measure(tensors)
    slope = sum(float(np.sum(g.numpy() * d)) for g, d in zip(tape.gradient(y, tensors), along, strict=True))
    ahead, behind = (measure([tf.constant(x + s * 1e-6 * d) for x, d in zip(inputs, along, strict=True)]) for s in (1, -1))
    assert slope == pytest.approx(float(ahead - behind) / 2e-6, rel=1e-6)


def test_local_responses_of_fewer_channels_than_their_radius_have_second_derivatives() -> None:
    x = tf.constant(np.random.default_rng(3).standard_normal((1, 2, 1, 3)).astype(np.float32))
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = tf.nn.lrn(x, depth_radius=5)
        y = tf.reduce_sum(inner.gradient(y, x) ** 2)
    whole = outer.gradient(y, x).numpy()
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = x * (1.0 + tf.reduce_sum(x * x, -1, keepdims=True)) ** -0.5
        y = tf.reduce_sum(inner.gradient(y, x) ** 2)
    np.testing.assert_allclose(whole, outer.gradient(y, x).numpy(), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("compiled", [None, False, True])
@pytest.mark.parametrize(("pool", "first"), [(tf.nn.avg_pool2d, 6.0), (tf.nn.max_pool2d, 12.0)])
def test_a_window_of_one_channel_gives_every_channel_whatever_its_stride(pool: Any, first: float, compiled: bool | None) -> None:
    """As TensorFlow 2.21 answers; its gradient of the means is the same, that of the maxima it refuses."""
    x = tf.reshape(tf.range(32.0), [2, 2, 2, 4])

    def both(x: Any) -> Any:
        y = pool(x, [1, 2, 2, 1], [1, 2, 2, 2], "VALID")
        return y, tf.gradients(y, x)[0] if not tf.executing_eagerly() else None

    y, g = (both if compiled is None else tf.function(both, jit_compile=compiled))(x)
    assert y.shape == [2, 1, 1, 4] and y.numpy().ravel().tolist() == [first + n for n in (0, 1, 2, 3, 16, 17, 18, 19)]
    if g is not None:
        assert g.shape == x.shape and float(tf.reduce_sum(g)) == 8.0


def test_the_number_of_images_stays_where_a_pool_over_images_is_refused() -> None:
    with v1.Graph().as_default(), v1.Session() as sess:
        y = v1.nn.max_pool(v1.ones([4, 2, 2, 1]), [1, 1, 1, 1], [1, 1, 1, 1], "VALID")
        pooled = v1.nn.avg_pool(y, [1, 1, 1, 1], [2, 1, 1, 1], "VALID")
        assert pooled.shape == [4, 2, 2, 1]
        with pytest.raises(tf.errors.UnimplementedError, match="batch dimension"):
            sess.run(pooled)
        with pytest.raises(tf.errors.UnimplementedError, match="batch dimension"):
            sess.run(v1.gradients(pooled, y))
