"""What operations make of NaN, infinities, nothing and parameters that no distribution has: as TensorFlow, and never without end."""

from typing import Any

import numpy as np
import pytest

import pullback as tf

NAN, INF = np.nan, np.inf


@pytest.mark.parametrize("alpha", [-1.0, -2.0 / 3.0, NAN])
@pytest.mark.parametrize(
    "draw", [lambda a: tf.random.gamma([3], a), lambda a: tf.random.stateless_gamma([3], [1, 2], a)], ids=["state", "key"]
)
def test_a_gamma_distribution_that_is_none_gives_nan(draw: Any, alpha: float) -> None:
    assert np.isnan(draw(alpha).numpy()).all()


def test_other_lanes_of_gamma_draws_are_as_without_it() -> None:
    alone = tf.random.stateless_gamma([4, 2], [1, 2], [2.0, 2.0]).numpy()
    assert tf.random.stateless_gamma([4, 2], [1, 2], [2.0, -1.0]).numpy()[:, 0].tolist() == alone[:, 0].tolist()


@pytest.mark.parametrize(("dtype", "infinite"), [(tf.float32, INF), (tf.float64, INF), (tf.int32, 0)])
def test_poisson_rates_at_the_ends(dtype: Any, infinite: float) -> None:
    found = tf.random.stateless_poisson([2, 3], [1, 2], [INF, 5.0, -3.0], dtype).numpy()
    assert found.tolist() == [[infinite, 8.0, 0.0]] * 2
    assert tf.random.poisson([2], [-1.0]).numpy().tolist() == [[0.0], [0.0]]


@pytest.mark.parametrize("of", [tf.linalg.eigh, tf.linalg.eigvalsh], ids=["eigh", "eigvalsh"])
@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64"])
def test_eigenvalues_of_nan_are_refused(of: Any, dtype: str) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="SelfAdjointEigV2"):
        of(np.array([[NAN, 0.0], [0.0, 1.0]], dtype))


def test_singular_values_of_what_is_not_finite_are_nan_and_others_are_not() -> None:
    s, u, v = tf.linalg.svd([[[NAN, 0.0], [0.0, 1.0]], [[3.0, 0.0], [0.0, 4.0]], [[INF, 0.0], [0.0, 1.0]]])
    for part in (s, u, v):
        assert np.isnan(part.numpy()).reshape(3, -1).all(-1).tolist() == [True, False, True]
    assert np.allclose(s.numpy()[1], [4.0, 3.0])
    assert tf.linalg.matrix_rank([[NAN, 0.0], [0.0, 1.0]]).numpy() == 0


def test_weights_that_sum_to_nothing() -> None:
    for weights in ([0.0, 0.0, 0.0], [1.0, -1.0, 0.0]):
        assert [t.numpy() for t in tf.nn.weighted_moments([1.0, 2.0, 3.0], [0], weights)] == [0.0, 0.0]


@pytest.mark.parametrize(("of", "answer"), [(tf.reduce_all, True), (tf.reduce_any, False), (tf.logical_not, []), (tf.logical_or, [])])
def test_a_list_of_nothing_is_boolean_where_nothing_else_will_do(of: Any, answer: Any) -> None:
    found = of([], []) if of is tf.logical_or else of([])
    assert found.dtype == tf.bool
    assert found.numpy().tolist() == answer


def test_a_stack_of_nothing() -> None:
    assert tf.stack([]).numpy().shape == (0,)
    with pytest.raises(IndexError, match="no axis 1"):
        tf.stack([], axis=1)


@pytest.mark.parametrize("size", [1, 20_000])
def test_each_nan_is_distinct(size: int) -> None:
    x = np.tile(np.array([1.0, NAN, NAN, 1.0, -0.0, 0.0], np.float32), size)
    found = tf.unique_with_counts(x)
    assert int(np.isnan(found.y.numpy()).sum()) == 2 * size
    assert found.y.numpy()[[0, 3]].tolist() == [1.0, 0.0]
    assert found.idx.numpy()[:6].tolist() == [0, 1, 2, 0, 3, 3]
    assert found.count.numpy()[:4].tolist() == [2 * size, 1, 1, 2 * size]


@pytest.mark.parametrize(
    ("dims", "sizes", "found"),
    [([0, 5], [0, -1], [0, 5]), ([3, 0, 5], [0, -1], [0, 15]), ([3, 0, 5], [2, 0, -1], [2, 0, 7]), ([0], [0, 3, -1], [0, 3, 0])],
)
def test_a_size_left_open_beside_a_zero_is_what_the_other_sizes_leave(dims: list[int], sizes: list[int], found: list[int]) -> None:
    assert tf.reshape(tf.zeros(dims), sizes).shape == found
    known = tf.function(lambda x: tf.reshape(x, sizes))
    unknown = tf.function(lambda x: tf.reshape(x, sizes), input_signature=[tf.TensorSpec(None)])
    assert known.get_concrete_function(tf.TensorSpec(dims)).outputs[0].shape == found
    for _ in range(3):
        assert known(tf.zeros(dims)).shape == unknown(tf.zeros(dims)).shape == found
    with pytest.raises(tf.errors.InvalidArgumentError, match="reshape"):
        tf.reshape(tf.zeros([2, 2]), [0, -1])


def test_booleans_and_numbers_make_no_tensor() -> None:
    for mixed in ([True, 1], [True, 1.5], [[True], [0]]):
        with pytest.raises(ValueError, match="mixed types"):
            tf.constant(mixed)


@pytest.mark.parametrize("pairs", [[[1, 0], [1, 2], [0, 1], [0, 0]], [[0, 0], [1, 2], [0, 1], [0, 1]], [[0, 0], [-1, 2], [0, 1], [0, 0]]])
def test_images_and_channels_are_not_padded_nor_anything_by_less_than_nothing(pairs: list[list[int]]) -> None:
    x, w = np.ones((1, 3, 3, 1), np.float32), np.ones((2, 2, 1, 1), np.float32)
    calls: dict[str, Any] = {
        "conv2d": lambda: tf.nn.conv2d(x, w, 1, pairs),
        "depthwise": lambda: tf.nn.depthwise_conv2d(x, w, [1, 1, 1, 1], pairs),
        "max_pool2d": lambda: tf.nn.max_pool2d(x, 2, 1, pairs),
        "transpose": lambda: tf.nn.conv2d_transpose(x, w, [1, 3, 3, 1], 1, pairs),
    }
    for name, call in calls.items():
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"explicit.padding"):
            call()
        if name != "transpose":
            with pytest.raises(ValueError, match=r"explicit.padding"):
                tf.function(call)()


@pytest.mark.parametrize("kept_times_rate", [False, True])
def test_a_refused_raw_step_of_ftrl_changes_nothing(kept_times_rate: bool) -> None:
    slots = {name: tf.Variable([[0.5, 0.25], [1.0, 2.0]]) for name in ("var", "accum", "linear")}
    numbers = {name: np.float32(0.1) for name in ("lr", "l1", "l2")}
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.raw_ops.ResourceSparseApplyFtrl(
            **{name: v.handle for name, v in slots.items()}, **numbers, lr_power=np.float32(-0.5), grad=np.ones((1, 3), np.float32),
            indices=[0], multiply_linear_by_lr=kept_times_rate,
        )  # fmt: skip
    for variable in slots.values():
        assert variable.numpy().tolist() == [[0.5, 0.25], [1.0, 2.0]]


@pytest.mark.parametrize("dtype", ["uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64"])
@pytest.mark.parametrize("given", ["float16", "bfloat16", "float32", "float64"])
def test_floats_that_an_integer_cannot_hold_are_cast_alike_wherever_they_stand(given: str, dtype: str) -> None:
    values = [NAN, INF, -INF, -1.0, -300.0, 300.0, 1e10, 1e20, -1e20, 5e9, -5e9, 2.0**63, 2.0**64, -(2.0**63), 1.5]
    x = tf.cast(tf.constant(values, tf.float64), given)
    alone = [tf.cast(v, dtype).numpy().item() for v in x]
    assert tf.cast(x, dtype).numpy().tolist() == alone
    assert tf.cast(tf.tile(x, [2000]), dtype).numpy().tolist() == alone * 2000
    for jit in (None, True):
        compiled = tf.function(lambda x: tf.cast(x, dtype), jit_compile=jit)
        assert compiled(x).numpy().tolist() == alone
        assert compiled(tf.tile(x, [2000])).numpy().tolist() == alone * 2000
    if dtype == "uint64":
        assert alone[:3] == [2**63] * 3


@pytest.mark.parametrize("jit", [None, True])
def test_the_gradient_of_a_maximum_that_is_nan_goes_to_the_nan(jit: bool | None) -> None:
    values = np.array([NAN, 1.0, 3.0, 2.0, NAN, 5.0], np.float32)
    pools = {
        (1, 6, 1): lambda x: tf.nn.max_pool1d(x, 2, 1, "VALID"),
        (1, 6, 1, 1): lambda x: tf.nn.max_pool2d(x, [2, 1], 1, "VALID"),
        (1, 6, 1, 1, 1): lambda x: tf.nn.max_pool3d(x, [2, 1, 1], 1, "VALID"),
    }
    for shape, pool in pools.items():

        def slope(x: Any, pool: Any = pool) -> Any:
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = pool(x)
            return tape.gradient(y, x)

        for f in (slope, tf.function(slope, jit_compile=jit)):
            assert f(tf.constant(values.reshape(shape))).numpy().ravel().tolist() == [1.0, 0.0, 2.0, 0.0, 2.0, 0.0]


@pytest.mark.parametrize("jit", [None, True])
@pytest.mark.parametrize("reverse", [False, True])
def test_what_an_exclusive_product_does_not_read_leaves_no_nan_in_the_gradient(jit: bool | None, reverse: bool) -> None:
    """TensorFlow 2.21 gives the same but for the last element, which no product reads: a NaN."""

    @tf.function(jit_compile=jit)
    def slope(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.math.cumprod(x, exclusive=True, reverse=reverse)
        return tape.gradient(y, x, output_gradients=tf.constant([1.0, 2.0, 3.0, 4.0][:: -1 if reverse else 1]))

    x = tf.constant([0.5, -2.0, 3.0, np.nan][:: -1 if reverse else 1])
    found = slope(x).numpy()[:: -1 if reverse else 1]
    np.testing.assert_allclose(found, [-28.0, 7.5, -4.0, 0.0])


@pytest.mark.parametrize("jit", [None, True])
@pytest.mark.parametrize("axis", [-1, 1])
def test_a_nan_has_no_part_in_the_range_of_quantised_numbers(jit: bool | None, axis: int) -> None:
    """TensorFlow 2.21 gives these levels."""

    @tf.function(jit_compile=jit)
    def quantise(x: Any) -> Any:
        return tf.quantization.quantize_and_dequantize_v2(x, 0.0, 0.0, num_bits=4, axis=None if axis < 0 else axis)

    x = np.linspace(-2, 6, 24).reshape(3, 8)
    x[0, 5] = NAN
    wanted = {-1: [-12 / 7, NAN, 0.0, 18 / 7, 36 / 7], 1: [-270 / 161, NAN, 0.0, 366 / 161, 798 / 161]}[axis]
    np.testing.assert_allclose(quantise(tf.constant(x)).numpy().ravel()[[1, 5, 6, 13, 20]], wanted)
