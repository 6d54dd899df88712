"""Element-wise operations where TensorFlow's recorded answers cannot be the measure: where it errs, or where its two modes differ."""

from __future__ import annotations

import logging
from typing import Any

import numpy as np
import pytest

import pullback as tf
from pullback.ops.math.igamma import igamma_grad_a


@pytest.mark.parametrize(
    ("function", "dx", "dy"),
    [
        (tf.math.multiply_no_nan, lambda x, y: y, lambda x, y: x),
        (tf.math.xlogy, lambda x, y: np.log(y), lambda x, y: x / y),
        (tf.math.xlog1py, lambda x, y: np.log1p(y), lambda x, y: x / (1 + y)),
        (tf.math.xdivy, lambda x, y: 1 / y, lambda x, y: -x / y**2),
    ],
)
def test_complex_gradients_are_conjugated(function, dx, dy):
    """TensorFlow 2.21 forgets it for these four."""
    x, y = np.array([1 + 2j, -0.5j]), np.array([0.3 - 1j, 2 + 1j])
    g = np.array([1 - 1j, 2 + 3j])
    tx, ty = tf.constant(x), tf.constant(y)
    with tf.GradientTape() as tape:
        tape.watch([tx, ty])
        out = function(tx, ty)
    gx, gy = tape.gradient(out, [tx, ty], output_gradients=tf.constant(g))
    np.testing.assert_allclose(gx.numpy(), g * np.conj(dx(x, y)), rtol=1e-12)
    np.testing.assert_allclose(gy.numpy(), g * np.conj(dy(x, y)), rtol=1e-12)


def test_complex_squared_difference_is_a_squared_modulus():
    """TensorFlow 2.21 is right for real cotangents only."""
    x, y, g = np.array([1 + 2j, -0.5j]), np.array([0.3 - 1j, 2 + 1j]), np.array([1 - 1j, 2 + 3j])
    tx, ty = tf.constant(x), tf.constant(y)
    with tf.GradientTape() as tape:
        tape.watch([tx, ty])
        out = tf.math.squared_difference(tx, ty)
    gx, gy = tape.gradient(out, [tx, ty], output_gradients=tf.constant(g))
    np.testing.assert_allclose(out.numpy(), np.abs(x - y) ** 2, rtol=1e-12)
    np.testing.assert_allclose(gx.numpy(), 2 * g.real * (x - y), rtol=1e-12)
    np.testing.assert_allclose(gy.numpy(), -2 * g.real * (x - y), rtol=1e-12)


def test_equality_of_eager_tensors_compares_values():
    x = tf.constant([1.0, 2.0])
    assert (x == [1.0, 3.0]).numpy().tolist() == [True, False]
    assert (x != 2.0).numpy().tolist() == [True, False]
    assert (x == 2.0).numpy().tolist() == [False, True]
    assert x != None  # noqa: E711


def test_equality_of_shapes_that_do_not_fit_is_false():
    x, y = tf.constant([1.0, 2.0]), tf.constant([1.0, 2.0, 3.0])
    assert not bool(x == y)
    assert bool(x != y)


def test_equality_in_graphs_is_identity():
    with tf.compat.v1.Graph().as_default():
        x = tf.compat.v1.placeholder(tf.float32, [2])
        y = x
        assert x == y
        assert x != 1.0
        assert len({x, x}) == 1


def test_bits_and_logic_share_their_operators():
    bits, flags = tf.constant([5, 6]), tf.constant([True, False])
    assert (bits & 4).numpy().tolist() == [4, 4]
    assert (bits | 1).numpy().tolist() == [5, 7]
    assert (bits ^ 1).numpy().tolist() == [4, 7]
    assert (~bits).numpy().tolist() == [-6, -7]
    assert (flags & True).numpy().tolist() == [True, False]
    assert (flags ^ True).numpy().tolist() == [False, True]
    assert (~flags).numpy().tolist() == [False, True]


@pytest.mark.parametrize("scale", [0.01, 0.5, 0.99, 1.01, 1.5, 4.0])
def test_incomplete_gamma_by_its_order(scale):
    """Against differences of the smaller of P and Q, so that no digits cancel."""
    special = pytest.importorskip("scipy.special")
    a = np.array([0.1, 0.5, 1.0, 2.0, 5.0, 50.0, 1000.0])
    x, h = a * scale, 1e-5 * a
    upper = -(special.gammaincc(a + h, x) - special.gammaincc(a - h, x)) / (2 * h)
    lower = (special.gammainc(a + h, x) - special.gammainc(a - h, x)) / (2 * h)
    np.testing.assert_allclose(igamma_grad_a(a, x), upper if scale > 1 else lower, rtol=2e-6, atol=1e-12)


def test_incomplete_gamma_by_its_order_at_the_ends():
    found = igamma_grad_a(np.array([1.0, 0.0, -1.0, 2.0]), np.array([0.0, 1.0, 1.0, np.inf]))
    np.testing.assert_array_equal(found, [0.0, np.nan, np.nan, 0.0])


def test_cast_from_complex_says_what_is_lost(caplog):
    with caplog.at_level(logging.WARNING):
        tf.cast(tf.constant([1 + 2j]), tf.float64)
    assert "discard the imaginary part" in caplog.text


def test_sparse_values_stay_sparse():
    slices = tf.IndexedSlices(tf.constant([[3.0, 4.0]]), tf.constant([1]), tf.constant([2, 2]))
    for made in (
        tf.cast(slices, tf.float64),
        tf.clip_by_value(slices, 0.0, 3.5),
        tf.clip_by_norm(slices, 1.0),
        tf.math.scalar_mul(2.0, slices),
    ):
        assert isinstance(made, tf.IndexedSlices)
        assert made.indices.numpy().tolist() == [1]
    (clipped,), norm = tf.clip_by_global_norm([slices], 1.0)
    np.testing.assert_allclose(clipped.values.numpy(), [[0.6, 0.8]], rtol=1e-6)
    assert norm.numpy() == 5.0


def test_gradients_of_sums_stay_sparse():
    table = tf.constant([[1.0], [2.0], [3.0]])
    with tf.GradientTape() as tape:
        tape.watch(table)
        rows = tf.cast(tf.gather(table, [0, 2]), tf.float64) + tf.constant([[1.0], [1.0]], tf.float64)
    found = tape.gradient(rows, table)
    assert isinstance(found, tf.IndexedSlices)
    assert found.dtype == tf.float32


def test_saturate_cast_keeps_the_largest_float_that_fits():
    found = tf.saturate_cast(tf.constant([-1e20, 1e20]), tf.int32).numpy()
    assert found[0] == np.iinfo(np.int32).min
    assert found[1] == 2147483520  # the greatest float32 below 2**31


@pytest.mark.parametrize("target", [tf.float16, tf.bfloat16, tf.float32, tf.float64, tf.int64, tf.uint64, tf.int8])
@pytest.mark.parametrize("source", [tf.int64, tf.uint64, tf.uint32])
def test_saturate_cast_of_long_integers_keeps_what_fits(source: tf.DType, target: tf.DType):
    """TensorFlow's limits go through floats: int64 to itself and to float32 is -2**63 there, whatever the number."""
    found = tf.saturate_cast(tf.constant([0, 1, 7, 100], source), target)
    assert found.dtype is target
    assert found.numpy().astype(np.int64).tolist() == [0, 1, 7, 100]
    far = tf.saturate_cast(tf.constant([int(source.max)], source), target).numpy()
    assert far.astype(float)[0] == pytest.approx(min(float(target.max), float(source.max)), rel=1e-12 + 2.0**-8 * target.is_floating)


def test_nodes_have_tensorflows_names():
    v1 = tf.compat.v1
    with tf.Graph().as_default():
        x, c = v1.placeholder(tf.float32, [2], name="x"), v1.placeholder(tf.bool, [2], name="c")
        named = {
            "add": x + 1.0, "sub": x - 1.0, "mul": x * 2.0, "truediv": x / 2.0, "floordiv": x // 2.0, "mod": x % 2.0, "pow": x**2.0,
            "Neg": -x, "Abs": abs(x), "Less": x < 1.0, "Add_1": tf.add(x, x), "Pow_1": tf.pow(x, x), "truediv_1": tf.truediv(x, x),
            "truediv_2": tf.divide(x, x), "floordiv_1": tf.math.floordiv(x, x), "and": c & c, "or": c | c, "LogicalNot": ~c, "xor": c ^ c,
            "div_no_nan": tf.math.divide_no_nan(x, x), "multiply_no_nan": tf.math.multiply_no_nan(x, x),
            "xlog1py/Xlog1py": tf.math.xlog1py(x, x), "Xlogy": tf.math.xlogy(x, x), "Sigmoid": tf.sigmoid(x),
            "LogSigmoid": tf.math.log_sigmoid(x), "SelectV2": tf.where(c, x, x), "Cast": tf.cast(x, tf.int32),
            "clip_by_value": tf.clip_by_value(x, 0.0, 1.0), "clip_by_norm": tf.clip_by_norm(x, 1.0),
            "global_norm/global_norm": tf.linalg.global_norm([x]),
            "clip_by_global_norm/clip_by_global_norm/_0": tf.clip_by_global_norm([x], 1.0)[0][0], "Round": tf.round(x), "Sign": tf.sign(x),
            "AddN": tf.math.accumulate_n([x, x]), "erfinv/Erfinv": tf.math.erfinv(x), "lbeta/sub": tf.math.lbeta(x),
            "saturate_cast": tf.saturate_cast(x, tf.int8), "reciprocal_no_nan": tf.math.reciprocal_no_nan(x),
            "LogicalXor": tf.math.logical_xor(c, c), "Complex": tf.complex(x, x), "Angle/Select": tf.math.angle(x), "div": v1.div(x, x),
            "clip_by_average_norm": v1.clip_by_average_norm(x, 1.0), "VerifyFinite/control_dependency": v1.verify_tensor_all_finite(x, "m"),
            "ToFloat": v1.to_float(tf.cast(x, tf.int32)), "polyval/add": tf.math.polyval([1.0, 2.0], x), "IsNan": tf.math.is_nan(x),
        }  # fmt: skip
    assert [t.op.name for t in named.values()] == list(named)


def test_integer_gradients_of_graphs():
    """TensorFlow 1's programs differentiate integers in graphs; what only floats have a slope in stays None."""
    v1 = tf.compat.v1
    with tf.Graph().as_default(), v1.Session() as session:
        x, y = tf.constant([3, -2, 5]), tf.constant([2, 4, 1])
        found = {
            name: [None if g is None else session.run(g).tolist() for g in v1.gradients(z, [x, y])]
            for name, z in {
                "square": tf.square(x),
                "pow": tf.pow(x, y),
                "maximum": tf.maximum(x, y),
                "squared_difference": tf.math.squared_difference(x, y),
                "floormod": x % y,
                "floordiv": x // y,
                "clip": tf.clip_by_value(x, 0, 4),
                "truediv": x / y,
            }.items()
        }
    assert found == {
        "square": [[6, -4, 10], None],
        "pow": [[6, -32, 1], None],
        "maximum": [[1, 0, 1], [0, 1, 0]],
        "squared_difference": [[2, -12, 8], [-2, 12, -8]],
        "floormod": [[1, 1, 1], [-1, 1, -5]],
        "floordiv": [None, None],
        "clip": [[1, 0, 0], None],
        "truediv": [None, None],
    }


@pytest.mark.parametrize("dtype", [tf.float16, tf.bfloat16, tf.float32, tf.float64, tf.complex64])
def test_numbers_take_the_dtype_of_the_tensor_beside_them(dtype):
    x = tf.cast(tf.constant([1.0, 2.0]), dtype)
    for made in (x * 2, 2 * x, x + 0.5, 0.5 - x, x / 4, 4 / x, x**2):
        assert made.dtype == dtype
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = 3 * x**2 / 2
    assert tape.gradient(y, x).numpy().tolist() == [3.0, 6.0]


def test_whole_numbers_lose_the_bits_that_do_not_fit_and_others_are_refused():
    x = tf.constant([1, 2], tf.int8)
    assert (x + 100).numpy().tolist() == [101, 102]
    assert (x + 200).numpy().tolist() == [-55, -54]
    with pytest.raises(tf.errors.InvalidArgumentError, match="int8"):
        tf.add(x, 1.5)


@pytest.mark.parametrize("compiled", [False, True])
def test_means_of_the_least_integer(compiled: bool) -> None:
    least = -(2**63)
    x = tf.constant([least] * 5, tf.int64)
    run = tf.function(lambda f: f(), jit_compile=True) if compiled else lambda f: f()
    assert int(run(lambda: tf.reduce_mean(x))) == -1844674407370955161
    assert run(lambda: tf.math.segment_mean(x, [0] * 5)).numpy().tolist() == [-1844674407370955161]
    assert int(tf.reduce_mean(tf.constant([-7, -2]))) == -4


def test_the_norm_of_nothing_has_a_second_derivative() -> None:
    x, w = tf.zeros([3, 0]), tf.ones([3])
    with tf.GradientTape() as second:
        second.watch(w)
        with tf.GradientTape() as first:
            first.watch(x)
            norms = tf.math.reduce_euclidean_norm(x, 1) / w
        slope = first.gradient(norms, x)
    assert second.gradient(slope, w).numpy().tolist() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("weights", [[1.0, 0.0, 3.0, 4.0], [0.0, 1.0, 0.0, 0.0], [1.0, -2.0, 0.0, 1.0]])
def test_the_gradient_of_cumulative_logsumexp_is_linear_in_its_cotangent_where_that_is_zero_too(weights: list[float]) -> None:
    """TensorFlow 2.21 gives NaN for the zeros."""
    x, v = tf.constant([0.4, -1.0, 2.0, 0.3], tf.float64), tf.constant([0.3, -1.0, 2.0, 0.7], tf.float64)

    def by_cotangent(given: Any) -> Any:
        w = tf.constant(given, tf.float64)
        with tf.GradientTape() as outer:
            outer.watch(w)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = tf.math.cumulative_logsumexp(x)
            z = tf.reduce_sum(inner.gradient(y, x, w) * v)
        return outer.gradient(z, w).numpy()

    np.testing.assert_allclose(by_cotangent(weights), by_cotangent([1.0, 2.0, 3.0, 4.0]), rtol=1e-12)
