"""What the case table does not ask of neural-network functions: where TensorFlow is wrong, sparse gradients, large images, effects."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest

import pullback as tf
from pullback.kernels import parallel
from pullback.ops.effects.text import first_elements, summary
from pullback.ops.windows import conv_kernels as nn_conv_kernels
from tests.cases.case import floats

v1 = tf.compat.v1
LOGITS, LABELS = floats(2, 3, dtype="float64"), np.array([[0.2, 0.3, 0.5], [0.1, 0.1, 0.8]])


def gradient(f: Any, x: Any) -> Any:
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return tape.gradient(y, x)


def slope(f: Any, x: np.ndarray[Any, Any], direction: np.ndarray[Any, Any], step: float = 1e-5) -> float:
    ahead, behind = (float(f(tf.constant(x + s * direction))) for s in (step, -step))
    return (ahead - behind) / (2 * step)


def check_second_order(f: Any, x: np.ndarray[Any, Any]) -> None:
    """The gradient of a weighted sum of first gradients, against differences."""
    weights, direction = floats(*x.shape, dtype="float64", seed=5), floats(*x.shape, dtype="float64", seed=6)

    def weighted(t: Any) -> Any:
        return tf.reduce_sum(gradient(f, t) * weights)

    found = float(np.sum(gradient(weighted, tf.constant(x)).numpy() * direction))
    assert found == pytest.approx(slope(weighted, x, direction), rel=1e-6, abs=1e-8)


def test_cross_entropy_is_differentiable_twice_in_labels_and_logits_together() -> None:
    def loss(both: Any) -> Any:
        labels = tf.nn.softmax(both[1])
        return tf.nn.softmax_cross_entropy_with_logits(labels, both[0])

    check_second_order(loss, np.stack([LOGITS, LABELS]))


def test_moments_are_differentiable_twice() -> None:
    check_second_order(lambda x: tf.nn.moments(x, [0])[1] ** 2, floats(4, 2, dtype="float64"))


def test_fused_batch_norm_is_differentiable_twice() -> None:
    with tf.GradientTape() as outer:
        x = tf.constant(floats(2, 2, 2, 1))
        outer.watch(x)
        first = gradient(lambda t: v1.nn.fused_batch_norm(t, [1.5], [0.5])[0] ** 2, x)
    composed = gradient(
        lambda t: gradient(lambda u: tf.nn.batch_normalization(u, *tf.nn.moments(u, [0, 1, 2]), [0.5], [1.5], 0.001) ** 2, t),
        x,
    )
    assert outer.gradient(first, x).numpy() == pytest.approx(composed.numpy(), abs=2e-3)


def test_dilated_convolutions_have_gradients_in_double_precision() -> None:
    x, w = floats(1, 6, 6, 2, dtype="float64"), floats(2, 2, 2, 3, dtype="float64", seed=1)

    def f(t: Any) -> Any:
        return tf.reduce_sum(tf.nn.conv2d(t, w, 1, "SAME", dilations=2) ** 2)

    direction = floats(1, 6, 6, 2, dtype="float64", seed=2)
    assert float(np.sum(gradient(f, tf.constant(x)).numpy() * direction)) == pytest.approx(slope(f, x, direction), rel=1e-7)


def test_average_pools_count_windows_beyond_the_image_right() -> None:
    x, direction = floats(1, 3, 2, 1, dtype="float64"), floats(1, 3, 2, 1, dtype="float64", seed=1)

    def f(t: Any) -> Any:
        return tf.reduce_sum(tf.nn.avg_pool2d(t, 5, 1, "SAME") ** 2)

    assert float(np.sum(gradient(f, tf.constant(x)).numpy() * direction)) == pytest.approx(slope(f, x, direction), rel=1e-7)


@pytest.mark.parametrize("shape", [(4, 4), (4, 4, 3), ()])
def test_convolving_what_is_no_image_is_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"Conv2D"):
        tf.nn.conv2d(tf.ones(shape), tf.ones([2, 2, 3, 2]), 1, "VALID")


def test_a_filter_larger_than_the_image_is_refused() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"subtracting 6 from 4.*Conv2D"):
        tf.nn.conv2d(tf.ones([1, 4, 4, 1]), tf.ones([6, 6, 1, 1]), 1, "VALID")


def products_and_gradients(x: np.ndarray, w: np.ndarray, strides: int, padding: str, rates: int) -> list[np.ndarray]:
    """A convolution and a depthwise one, with their gradients for a cotangent that is no constant."""
    found = []
    for op, filters in ((tf.nn.conv2d, w), (tf.nn.depthwise_conv2d, np.ascontiguousarray(w[..., :2]))):
        steps = strides if op is tf.nn.conv2d else [1, strides, strides, 1]
        image, filters = tf.constant(x), tf.constant(filters)
        with tf.GradientTape() as tape:
            tape.watch([image, filters])
            out = op(image, filters, steps, padding, dilations=[rates, rates])
        scale = floats(*out.shape, seed=3)
        found += [out.numpy(), *(g.numpy() for g in tape.gradient(out, [image, filters], tf.constant(scale)))]
    return found


@pytest.mark.parametrize("channels", [1, 3, 8])
@pytest.mark.parametrize(("strides", "padding", "rates"), [(1, "SAME", 1), (1, "VALID", 1), (2, "SAME", 1), (1, "SAME", 2)])
def test_convolutions_in_blocks_are_convolutions(
    monkeypatch: pytest.MonkeyPatch, channels: int, strides: int, padding: str, rates: int
) -> None:
    arguments = floats(5, 16, 15, channels), floats(3, 3, channels, 4, seed=1), strides, padding, rates
    whole = products_and_gradients(*arguments)
    for block in (4 * 15 * 9 * channels * 4, 3 * 16 * 15 * 9 * channels * 4, 1):  # rows, images, single rows
        monkeypatch.setattr(nn_conv_kernels, "BLOCK", block)
        for one, other in zip(whole, products_and_gradients(*arguments), strict=True):
            assert other == pytest.approx(one, rel=1e-4, abs=1e-4)


def test_convolutions_have_the_same_bits_on_any_number_of_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nn_conv_kernels, "SHARED", 1)
    monkeypatch.setattr(nn_conv_kernels, "BLOCK", 1 << 14)
    before, found = parallel.threads(), []
    for threads in (1, 2, 3):
        parallel.set_threads(threads)
        found.append(products_and_gradients(floats(7, 16, 15, 3), floats(3, 3, 3, 4, seed=1), 1, "SAME", 1))
    parallel.set_threads(before)
    for one, *others in zip(*found, strict=True):
        assert all(np.array_equal(one, other) for other in others)


@pytest.mark.parametrize("layout", ["NHWC", "NCHW"])
def test_pools_and_their_gradients_in_both_layouts(layout: str) -> None:
    x = floats(2, 5, 4, 3)
    given = x if layout == "NHWC" else x.transpose(0, 3, 1, 2)
    for pool in (tf.nn.max_pool2d, tf.nn.avg_pool2d):
        expected = gradient(lambda t, pool=pool: pool(t, 2, 2, "SAME") ** 2, tf.constant(x)).numpy()
        found = gradient(lambda t, pool=pool: pool(t, 2, 2, "SAME", data_format=layout) ** 2, tf.constant(given)).numpy()
        assert (found if layout == "NHWC" else found.transpose(0, 2, 3, 1)) == pytest.approx(expected, rel=1e-6)


def test_pooling_over_channels_has_a_gradient() -> None:
    x = tf.constant(floats(1, 1, 2, 4))
    found = gradient(lambda t: tf.nn.max_pool2d(t, [1, 1, 1, 2], [1, 1, 1, 2], "VALID"), x).numpy()
    pairs = x.numpy().reshape(-1, 2)
    assert np.array_equal(found.reshape(-1, 2), (pairs == pairs.max(1, keepdims=True)).astype(np.float32))


def test_embeddings_have_sparse_gradients() -> None:
    table = tf.Variable(floats(5, 2))
    with tf.GradientTape() as tape:
        y = tf.nn.embedding_lookup(table, [3, 0, 3])
    found = tape.gradient(y, table)
    assert isinstance(found, tf.IndexedSlices)
    assert found.indices.numpy().tolist() == [3, 0, 3]
    assert tf.convert_to_tensor(found).numpy().tolist() == [[1, 1], [0, 0], [0, 0], [2, 2], [0, 0]]


# ---------------------------------------------------------------------- effects


def test_text_of_tensors() -> None:
    assert summary(np.array([0.1, 1e-10, 1e20, np.inf, np.nan, -0.0], np.float32), 3) == "[0.1 1e-10 1e+20 inf nan -0]"
    assert summary(np.arange(7), 3) == "[0 1 2 ... 4 5 6]"
    assert summary(np.arange(10), 1) == "[0 ... 9]"
    assert summary(np.arange(8).reshape(2, 2, 2), 3) == "[[[0 1]\n  [2 3]]\n\n [[4 5]\n  [6 7]]]"
    assert summary(np.array([b"a", b"b"], object), 3) == '["a" "b"]'
    assert summary(np.array([True, False]), 3) == "[1 0]"
    assert summary(np.array(0.1, np.float16), 3) == "0.0999755859"
    assert first_elements(np.array([[1, 2], [3, 4]]), 3) == "[[1 2][3...]...]"
    assert first_elements(np.arange(8).reshape(2, 2, 2) + 1, 3) == "[[[1 2][3...]]...]"
    assert first_elements(np.array([[1, 2], [3, 4]]), -1) == "[[1 2][3 4]]"


def test_print(capsys: pytest.CaptureFixture[str]) -> None:
    c = tf.constant
    tf.print("x is", c([1.0, 2.0]), {"b": c(1), "a": [c(2.0), "s"]}, output_stream=sys.stdout)
    tf.print("a", "b", sep="|", end="!\n", output_stream=sys.stdout)
    tf.print(c("just"), output_stream=sys.stdout)
    tf.print(3, 4.5, None, "x", [1, "y"], output_stream=sys.stdout)
    tf.print("{}", c(1), tf.Variable(2.0), output_stream=sys.stdout)
    tf.print("to stderr", c([1.5]))
    said = capsys.readouterr()
    assert said.out == "x is [1 2] {'a': [2, 's'], 'b': 1}\na|b!\njust\n3 4.5 None x [1, 'y']\n{} 1 2\n"
    assert said.err == "to stderr [1.5]\n"


def test_print_to_a_file(tmp_path: Any) -> None:
    for i in range(2):
        tf.print("step", tf.constant(i), output_stream=f"file://{tmp_path}/log")
    assert (tmp_path / "log").read_text() == "step 0\nstep 1\n"


def test_print_in_a_graph(capsys: pytest.CaptureFixture[str]) -> None:
    with tf.Graph().as_default():
        x = v1.placeholder(tf.float32, [None])
        seen = v1.Print(x, [x, tf.constant("and")], message="x: ", first_n=2)
        said = tf.print("g", x)
        with v1.Session() as session:
            for _ in range(4):
                session.run(seen, {x: [1.0, 2.0]})
            assert session.run(said, {x: [1.0]}) is None
    assert capsys.readouterr().err == "x: [1 2][and]\nx: [1 2][and]\ng [1]\n"


def test_assertions_in_a_graph_hold_when_it_runs() -> None:
    with tf.Graph().as_default():
        x = v1.placeholder(tf.float32, [None], name="x")
        check = tf.debugging.assert_less(x, 3.0, message="too much")
        with tf.control_dependencies([check]):
            y = x * 2.0
        with v1.Session() as session:
            assert session.run(y, {x: [1.0]}).tolist() == [2.0]
            with pytest.raises(
                tf.errors.InvalidArgumentError, match=r"assertion failed: \[too much\] \[Condition x < y did not hold"
            ) as failed:
                session.run(y, {x: [1.0, 4.0, 5.0, 6.0]})
    assert "[1 4 5...]" in failed.value.message


def test_ranks_and_shapes_unknown_while_building_are_checked_when_running() -> None:
    with tf.Graph().as_default():
        x, y = v1.placeholder(tf.float32), v1.placeholder(tf.float32, [None, None])
        checks = [v1.assert_rank(x, 1), v1.debugging.assert_shapes([(y, ("N", "N"))])]
        with v1.Session() as session:
            session.run(checks, {x: [1.0], y: np.ones((2, 2))})
            with pytest.raises(tf.errors.InvalidArgumentError):
                session.run(checks[0], {x: [[1.0]]})
            with pytest.raises(tf.errors.InvalidArgumentError):
                session.run(checks[1], {y: np.ones((2, 3))})


def test_group_and_tuple_wait() -> None:
    with tf.Graph().as_default():
        v = v1.get_variable("v", initializer=1.0)
        changed = v1.assign(v, 5.0)
        with v1.Session() as session:
            session.run(v1.global_variables_initializer())
            assert session.run(tf.group(changed, tf.no_op())) is None
            assert session.run(v) == 5.0
            first, nothing, second = tf.tuple([tf.constant(1.0), None, v1.assign_add(v, 1.0)])
            assert nothing is None
            assert session.run(first) == 1.0
            assert session.run(v) == 6.0
            assert session.run(second) == 7.0
