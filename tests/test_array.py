"""Array operations beyond the case table: shapes known while a graph is built, random keys against NumPy, TensorFlow's faults mended."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import pullback as tf
from pullback.compat import v1

# p: [?, 4], q: [?], u: unknown, i: int32 scalar, n: int32 [2], m: int32 [?]; the answers are TensorFlow 2.21's.
STATIC: dict[str, Any] = {
    "q[1:3]": (None,),
    "q[:2]": (None,),
    "p[0:5:2]": (None, 4),
    "p[i]": (4,),
    "p[:i]": (None, 4),
    "p[:, i:]": (None, None),
    "p[:, 1:3]": (None, 2),
    "p[:, :-1]": (None, 3),
    "p[:, ::-1]": (None, 4),
    "u[0]": None,
    "u[..., 0]": None,
    "tf.concat([p, p], 0)": (None, 4),
    "tf.concat([p, p], 1)": (None, 8),
    "tf.concat([p, u], 0)": (None, 4),
    "tf.concat([u, u], 0)": None,
    "tf.concat([p, p], i)": (None, None),
    "tf.stack([p, u])": (2, None, 4),
    "tf.unstack(p, axis=1)[0]": (None,),
    "tf.unstack(p, num=3)[0]": (4,),
    "tf.split(p, 2)[0]": (None, 4),
    "tf.split(p, 2, axis=1)[0]": (None, 2),
    "tf.split(p, 2, axis=i)[0]": (None, None),
    "tf.split(p, [1, -1], axis=1)[1]": (None, 3),
    "tf.split(p, n)[0]": (None, 4),
    "tf.tile(p, [2, 3])": (None, 12),
    "tf.tile(p, n)": (None, None),
    "tf.tile(u, m)": None,
    "tf.pad(p, [[1, 1], [2, 2]])": (None, 8),
    "tf.pad(u, [[1, 1]])": (None,),
    "tf.gather(p, [1, 2])": (2, 4),
    "tf.gather(p, m)": (None, 4),
    "tf.gather(p, [1], axis=i)": (None, None),
    "tf.gather(u, [1])": None,
    "tf.gather(p, n[:, None], batch_dims=1)": (None, 1),
    "tf.gather_nd(p, [[1, 2]])": (1,),
    "tf.gather_nd(p, [[1]])": (1, 4),
    "tf.scatter_nd([[1]], [2.0], [i])": (None,),
    "tf.boolean_mask(p, p > 0.0)": (None,),
    "tf.boolean_mask(p, p[:, 0] > 0.0)": (None, 4),
    "tf.reshape(p, [-1, 2])": (None, 2),
    "tf.reshape(p, n)": (None, None),
    "tf.reshape(p, m)": None,
    "tf.reshape(p, [i, 4])": (None, 4),
    "tf.reshape(p, [tf.shape(p)[0], 2, 2])": (None, 2, 2),
    "tf.reshape(p, tf.concat([tf.shape(p)[:1], [2, 2]], 0))": (None, 2, 2),
    "tf.reshape(u, [-1, 3])": (None, 3),
    "tf.squeeze(p)": None,
    "tf.expand_dims(u, 0)": None,
    "tf.transpose(p)": (4, None),
    "tf.transpose(p, n)": (None, None),
    "tf.transpose(u, [1, 0])": (None, None),
    "tf.fill([i, 2], 1.0)": (None, 2),
    "tf.zeros(tf.shape(p))": (None, 4),
    "tf.range(i)": (None,),
    "tf.range(0, 7, 2)": (4,),
    "tf.one_hot(m, 3)": (None, 3),
    "tf.one_hot(m, i)": (None, None),
    "tf.slice(p, [0, 1], [-1, 2])": (None, 2),
    "tf.slice(p, [1, 1], [-1, -1])": (None, 3),
    "tf.slice(p, n, [1, 2])": (1, 2),
    "tf.broadcast_to(q, [2, i])": (2, None),
    "tf.linspace(0.0, 1.0, 3)": (3,),
    "tf.dynamic_partition(p, m, 2)[0]": (None, 4),
    "tf.dynamic_stitch([[0, 1], [4]], [tf.zeros([2, 3]), tf.zeros([1, 3])])": (5, 3),
    "tf.unique(m)[0]": (None,),
    "tf.eye(i)": (None, None),
    "tf.eye(2, batch_shape=[3])": (3, 2, 2),
    "tf.repeat(p, 2, axis=1)": (None, 8),
    "tf.repeat(p, [1, 2, 0, 1], axis=1)": (None, 4),
    "tf.meshgrid(q, q)[0]": (None, None),
    "tf.sequence_mask(m, 4)": (None, 4),
    "tf.ensure_shape(u, [None, 2])": (None, 2),
    "tf.searchsorted(q, q)": (None,),
    "tf.bitcast(p, tf.uint8)": (None, 4, 4),
}


@pytest.mark.parametrize("text", STATIC)
def test_shape_known_while_the_graph_is_built(text: str) -> None:
    with tf.Graph().as_default():
        names = {
            "p": v1.placeholder(tf.float32, [None, 4]),
            "q": v1.placeholder(tf.float32, [None]),
            "u": v1.placeholder(tf.float32),
            "i": v1.placeholder(tf.int32, []),
            "n": v1.placeholder(tf.int32, [2]),
            "m": v1.placeholder(tf.int32, [None]),
        }
        found = eval(text, {"tf": tf, **names})
        assert found.dims == STATIC[text]


def bound() -> Any:
    return st.one_of(st.none(), st.integers(-6, 6))


def part() -> Any:
    step = st.one_of(st.none(), st.integers(-3, 3).filter(bool))
    return st.one_of(st.builds(slice, bound(), bound(), step), st.integers(-2, 1), st.just(None))


@settings(max_examples=150, deadline=None)
@given(parts=st.lists(part(), max_size=4), star=st.one_of(st.none(), st.integers(0, 4)))
def test_brackets_mean_what_they_mean_in_numpy(parts: list[Any], star: int | None) -> None:
    """Value, and gradient: the cotangent stands where the elements were taken."""
    if star is not None:
        parts = [*parts[:star], Ellipsis, *parts[star:]]
    array = np.arange(2 * 3 * 4, dtype=np.float64).reshape(2, 3, 4)
    key = tuple(parts)
    if sum(p is not None and p is not Ellipsis for p in key) > 3:
        with pytest.raises(tf.errors.InvalidArgumentError, match="StridedSlice"):
            tf.constant(array)[key]
        return
    x = tf.constant(array)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x[key]
    expected = np.zeros_like(array)
    expected[key] = np.cos(array[key])
    assert np.array_equal(y.numpy(), array[key])
    assert np.array_equal(tape.gradient(y, x, output_gradients=tf.constant(np.cos(array[key]))).numpy(), expected)


def test_brackets_with_indices_of_every_kind() -> None:
    x = tf.constant([[1, 2, 3], [4, 5, 6]])
    for at in (1, np.int64(1), np.int8(1), np.array(1), tf.constant(1), tf.constant(1, tf.int64), tf.Variable(1), v1.Dimension(1)):
        assert x[at].numpy().tolist() == [4, 5, 6]
        assert x[:, at].numpy().tolist() == [2, 5]
        assert x[0, at:].numpy().tolist() == [2, 3]


def test_a_stitch_that_overwrites_sends_no_gradient_to_what_it_overwrote() -> None:
    """TensorFlow gives overwritten values the gradient of their successors; differences say otherwise."""
    first, second = tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0])
    with tf.GradientTape() as tape:
        tape.watch([first, second])
        y = tf.dynamic_stitch([[0, 1], [1, 2]], [first, second])
    g1, g2 = tape.gradient(y, [first, second], output_gradients=tf.constant([10.0, 20.0, 30.0]))
    assert y.numpy().tolist() == [1.0, 3.0, 4.0]
    assert (g1.numpy().tolist(), g2.numpy().tolist()) == ([10.0, 0.0], [20.0, 30.0])


def test_a_stitch_that_repeats_an_index_in_one_list() -> None:
    x = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.dynamic_stitch([[0, 1, 0]], [x])
    assert y.numpy().tolist() == [[5.0, 6.0], [3.0, 4.0]]
    assert tape.gradient(y, x).numpy().tolist() == [[0.0, 0.0], [1.0, 1.0], [1.0, 1.0]]


def test_gradient_of_a_concatenation_of_unknown_sizes() -> None:
    with tf.Graph().as_default(), v1.Session() as session:
        x, y = v1.placeholder(tf.float32, [None, 2]), v1.placeholder(tf.float32, [None, 2])
        z = tf.concat([x, y], 0)
        dx, dy = v1.gradients(z * z, [x, y])
        feed = {x: np.ones((3, 2)), y: np.full((1, 2), 5.0)}
        assert [g.tolist() for g in session.run([dx, dy], feed)] == [[[2.0, 2.0]] * 3, [[10.0, 10.0]]]


def test_gather_refuses_a_negative_row_also_in_a_session() -> None:
    with tf.Graph().as_default(), v1.Session() as session:
        i = v1.placeholder(tf.int32, [None])
        rows = tf.gather(tf.constant([1.0, 2.0]), i)
        with pytest.raises(tf.errors.InvalidArgumentError, match="not in"):
            session.run(rows, {i: [-1]})


def test_a_policy_that_is_not_there_says_so() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"'ignored'; it is one of .*IGNORE"):
        tf.gather_nd([1.0, 2.0], [[5]], bad_indices_policy="ignored")


def test_index_vectors_that_are_left_out_are_left_out_of_each_row() -> None:
    x, at = tf.reshape(tf.range(6.0), [3, 2]), tf.constant([[[1], [9]], [[-1], [0]]])
    found = tf.vectorized_map(lambda i: tf.gather_nd(x, i, bad_indices_policy="IGNORE"), at)
    assert found.numpy().tolist() == [[[2.0, 3.0], [0.0, 0.0]], [[0.0, 0.0], [0.0, 1.0]]]
    held = tf.Variable([1.0, 2.0, 3.0])
    tf.raw_ops.ResourceScatterNdAdd(ref=held.handle, indices=[[1], [3], [-1]], updates=[5.0, 6.0, 7.0], bad_indices_policy="IGNORE")
    assert held.numpy().tolist() == [1.0, 7.0, 3.0]


def test_required_paddings() -> None:
    paddings, crops = tf.required_space_to_batch_paddings([5, 4], [2, 2], [[1, 0], [0, 0]])
    assert (paddings.numpy().tolist(), crops.numpy().tolist()) == ([[1, 0], [0, 0]], [[0, 0], [0, 0]])
    paddings, crops = tf.required_space_to_batch_paddings([5], [3])
    assert (paddings.numpy().tolist(), crops.numpy().tolist()) == ([[0, 1]], [[0, 1]])


def test_arguments_of_version_1_by_both_names() -> None:
    with tf.Graph().as_default():
        x = v1.constant([[1.0]])
        with pytest.raises(ValueError, match="dim"):
            v1.expand_dims(x, axis=0, dim=0)
        with pytest.raises(ValueError, match="squeeze_dims"):
            v1.squeeze(x, axis=0, squeeze_dims=[0])
        with pytest.raises(ValueError, match="axis"):
            v1.expand_dims(x)
        assert v1.space_to_batch(v1.zeros([1, 2, 2, 1]), [[0, 0], [0, 0]], 2).dims == (4, 1, 1, 1)
        assert v1.batch_to_space(v1.zeros([4, 1, 1, 1]), [[0, 0], [0, 0]], 2).dims == (1, 2, 2, 1)
        assert v1.parallel_stack([x, x]).dims == (2, 1, 1)
        assert v1.lin_space(0.0, 1.0, 3).dims == (3,)
        assert v1.reverse_v2(x, [0]).dims == (1, 1)


@pytest.mark.parametrize("dtype", ["bfloat16", "float16", "float32", "float64"])
def test_nan_is_the_greatest_wherever_it_stands(dtype: str) -> None:
    x = tf.constant([1.0, np.nan, 3.0, -2.0, np.inf, 0.0], dtype)
    values, indices = tf.math.top_k(x, 6)
    assert indices.numpy().tolist() == [1, 4, 2, 0, 5, 3] and values.dtype == dtype
    assert np.isnan(np.float32(tf.raw_ops.NthElement(input=x, n=5).numpy()))
    assert tf.raw_ops.NthElement(input=x, n=4).numpy() == np.inf


def test_a_part_of_nothing_may_begin_where_only_a_run_knows() -> None:
    """The empty constant was cut while the graph was built, at a place that is not known there."""

    @tf.function
    def cut(at: tf.Tensor) -> tf.Tensor:
        return tf.slice(tf.zeros([8, 0], tf.int32), tf.stack([at, 0]), [1, 0])

    assert cut(tf.constant(2)).shape == (1, 0)


def test_where_of_tensorflow_1_knows_what_its_branches_and_conditions_say_together() -> None:
    """The shapes and errors are TensorFlow 2.21's."""
    tf1 = tf.compat.v1
    with tf.Graph().as_default():

        def shape(*shapes: Any) -> Any:
            condition, x, y = (tf1.placeholder(tf.float32, s) for s in shapes)
            return tf1.where(condition > 0, x, y).shape.as_list()

        assert shape(None, None, [3]) == shape([3], [None], [3]) == [3]
        assert shape([3], None, [3, None]) == [3, None]
        assert shape([3, 4], [None, None], None) == shape([3, None], [None, None], [None, 4]) == [3, 4]
        assert shape([], [2, None], [None, 3]) == [2, 3]
        with pytest.raises(ValueError, match=r"Dimension 0 in both shapes must be equal, but are 2 and 3\. Shapes are"):
            shape([2], [None, 4], [3, None])
        with pytest.raises(ValueError, match="Shapes must be equal rank, but are 1 and 2"):
            shape([2, 2], None, [2])


@pytest.mark.parametrize("shape", [(7, 0, 5), (3, 0)])
def test_entries_of_nothing_are_refused(shape: tuple[int, ...]) -> None:
    """In TensorFlow's words, eagerly, and compiled for shapes that are known when it runs."""
    x, index, updates = np.zeros(shape, np.float32), np.zeros((1, 1), np.int32), np.zeros((1, *shape[1:]), np.float32)
    calls = {
        "Requested more than 0 entries, but params is empty": lambda x, i, u: tf.gather_nd(x, i),
        "Indices and updates specified for empty output shape": lambda x, i, u: tf.tensor_scatter_nd_update(x, i, u),
    }
    for words, call in calls.items():
        anything = [tf.TensorSpec(None, t.dtype) for t in (x, index, updates)]
        for f in (call, tf.function(call, jit_compile=True, input_signature=anything)):
            with pytest.raises(tf.errors.InvalidArgumentError, match=words):
                f(x, index, updates)
    assert tf.gather_nd(x, index[:0]).shape == (0, *shape[1:])
