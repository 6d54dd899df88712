"""Sparse and ragged tensors as values: through functions, branches, loops, structures, tapes, and sessions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import pullback as tf

A = [[1.0, 2.0], [], [3.0]]


def sparse() -> Any:
    return tf.SparseTensor([[0, 1], [1, 0]], [1.0, 2.0], [2, 3])


def dense(x: Any) -> Any:
    return tf.sparse.to_dense(x).numpy().tolist()


class TestStructures:
    def test_parts(self) -> None:
        x, y = sparse(), tf.ragged.constant(A)
        assert tf.nest.flatten([x, y]) == [x, y] or len(tf.nest.flatten([x, y])) == 2
        assert [t.shape.as_list() for t in tf.nest.flatten([x, y], expand_composites=True)] == [[2, 2], [2], [2], [3], [4]]
        again = tf.nest.map_structure(lambda t: t, [x, y], expand_composites=True)
        assert dense(again[0]) == dense(x) and again[1].to_list() == A

    def test_they_are_tensors_of_a_kind(self) -> None:
        assert tf.is_tensor(sparse()) and tf.is_tensor(tf.ragged.constant(A))
        assert not tf.is_tensor(tf.RaggedTensorSpec([None, None]))

    @pytest.mark.parametrize("f", [tf.matmul, tf.linalg.det, tf.transpose])
    def test_a_function_that_wants_a_tensor_says_so(self, f: Any) -> None:
        args = (sparse(), tf.ones([3, 2])) if f is tf.matmul else (sparse(),)
        with pytest.raises(ValueError, match="SparseTensor"):
            f(*args)


class TestFunctions:
    def test_arguments_and_results(self) -> None:
        twice = tf.function(lambda x, y: (x * tf.constant(2.0), y * 2.0))
        x, y = twice(sparse(), tf.ragged.constant(A))
        assert dense(x) == [[0, 2, 0], [4, 0, 0]] and y.to_list() == [[2.0, 4.0], [], [6.0]]

    def test_what_is_known_of_shapes(self) -> None:
        seen = []
        tf.function(lambda x, y: seen.append((x.shape, y.shape)))(sparse(), tf.ragged.constant(A))
        assert seen[0][0].as_list() == [2, 3] and seen[0][1].as_list() == [3, None]

    def test_one_trace_for_a_signature(self) -> None:
        traces = []

        def total(x: Any, y: Any) -> Any:
            traces.append(1)
            return tf.sparse.reduce_sum(x) + tf.reduce_sum(y)

        f = tf.function(total, input_signature=[tf.SparseTensorSpec([None, None]), tf.RaggedTensorSpec([None, None])])
        assert f(sparse(), tf.ragged.constant(A)).numpy() == 9.0
        assert f(tf.sparse.eye(4), tf.ragged.constant([[1.0]])).numpy() == 5.0
        assert len(traces) == 1

    def test_what_does_not_fit_a_signature(self) -> None:
        f = tf.function(lambda x: x, input_signature=[tf.SparseTensorSpec([2, 2])])
        with pytest.raises(TypeError, match="Can not cast SparseTensorSpec"):
            f(sparse())
        g = tf.function(lambda x: x, input_signature=[tf.RaggedTensorSpec([None, None], tf.int32)])
        with pytest.raises(TypeError, match="Can not cast RaggedTensorSpec"):
            g(tf.ragged.constant(A))

    def test_a_concrete_function(self) -> None:
        f = tf.function(lambda x: tf.reduce_sum(x, 1)).get_concrete_function(tf.RaggedTensorSpec([None, None], tf.float32))
        assert f(tf.ragged.constant(A)).numpy().tolist() == [3.0, 0.0, 3.0]

    @pytest.mark.parametrize("taken", [True, False])
    def test_branches(self, taken: bool) -> None:
        f = tf.function(lambda x, y, p: tf.cond(p, lambda: (x, y + 1.0), lambda: (x * tf.constant(5.0), y)))
        x, y = f(sparse(), tf.ragged.constant(A), tf.constant(taken))
        assert dense(x) == [[0, 1, 0], [2, 0, 0]] if taken else [[0, 5, 0], [10, 0, 0]]
        assert y.to_list() == ([[2.0, 3.0], [], [4.0]] if taken else A)

    def test_loops(self) -> None:
        def body(i: Any, x: Any, y: Any) -> Any:
            return i + 1, x * tf.constant(2.0), y + 1.0

        f = tf.function(lambda x, y: tf.while_loop(lambda i, x, y: i < 3, body, (tf.constant(0), x, y)))
        _, x, y = f(sparse(), tf.ragged.constant(A))
        assert dense(x) == [[0, 8, 0], [16, 0, 0]] and y.to_list() == [[4.0, 5.0], [], [6.0]]

    def test_loops_over_the_graph(self) -> None:
        @tf.function
        def f(x: Any) -> Any:
            for _ in tf.range(3):
                x = x * 2.0
            return x

        assert f(tf.ragged.constant(A)).to_list() == [[8.0, 16.0], [], [24.0]]


class TestGradients:
    def test_a_ragged_source_and_target(self) -> None:
        x = tf.ragged.constant(A)
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = x * x
            z = tf.reduce_sum(y, axis=1)
        assert tape.gradient(y, x).to_list() == [[2.0, 4.0], [], [6.0]]
        assert tape.gradient(z, x, output_gradients=tf.constant([1.0, 5.0, 10.0])).to_list() == [[2.0, 4.0], [], [60.0]]
        assert tape.gradient(y, x, output_gradients=x).to_list() == [[2.0, 8.0], [], [18.0]]
        assert tape.gradient(tf.constant(1.0), x) is None
        assert tape.gradient(tf.constant(1.0), x, unconnected_gradients="zero").to_list() == [[0.0, 0.0], [], [0.0]]

    def test_among_others(self) -> None:
        x, w = tf.ragged.constant(A), tf.Variable(3.0)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(x * w)
        found = tape.gradient(y, {"x": x, "w": w})
        assert found["x"].to_list() == [[3.0, 3.0], [], [3.0]] and found["w"].numpy() == 6.0

    def test_in_a_graph(self) -> None:
        f = tf.function(lambda x: tf.gradients(tf.reduce_sum(x * x), x)[0])
        assert f(tf.ragged.constant(A)).to_list() == [[2.0, 4.0], [], [6.0]]

    def test_second_order(self) -> None:
        x = tf.ragged.constant(A)
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = tf.reduce_sum(x * x * x)
            first = inner.gradient(y, x)
        assert outer.gradient(first, x).to_list() == [[6.0, 12.0], [], [18.0]]

    def test_a_sparse_source_is_its_values(self) -> None:
        x = sparse()
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x.values)
            y = tf.sparse.sparse_dense_matmul(x, tf.ones([3, 2]))
        assert tape.gradient(y, x.values).numpy().tolist() == [2.0, 2.0]
        with pytest.raises(ValueError, match="SparseTensor is not supported as a gradient source"):
            tape.gradient(y, x)

    def test_a_sparse_derivative_as_a_sparse_tensor(self) -> None:
        x = tf.SparseTensor.from_scipy(tf.sparse_jacobian(lambda x: x[1:] * x[:-1], tf.constant([1.0, 2.0, 3.0])))
        assert dense(x) == [[2.0, 1.0, 0.0], [0.0, 3.0, 2.0]]
        assert x.to_scipy().toarray().tolist() == dense(x)


class TestSessions:
    def test_sparse(self) -> None:
        v1 = tf.compat.v1
        with v1.Graph().as_default(), v1.Session() as session:
            x = v1.sparse_placeholder(v1.float32, [None, 3])
            y = x * 2.0
            assert x.shape.as_list() == [None, 3]
            value = v1.SparseTensorValue(np.int64([[0, 1]]), np.float32([3.0]), np.int64([2, 3]))
            found = session.run({"y": y, "whole": v1.sparse_tensor_to_dense(y)}, {x: value})
            assert isinstance(found["y"], v1.SparseTensorValue) and found["y"].values.tolist() == [6.0]
            assert found["whole"].tolist() == [[0.0, 6.0, 0.0], [0.0, 0.0, 0.0]]
            assert session.run(y, {x: ([[0, 1]], [3.0], [2, 3])}).values.tolist() == [6.0]
            (slope,) = v1.gradients(v1.sparse_reduce_sum(y), x.values)
            assert session.run(slope, {x: value}).tolist() == [2.0]

    def test_ragged(self) -> None:
        v1 = tf.compat.v1
        with v1.Graph().as_default(), v1.Session() as session:
            x = v1.ragged.placeholder(v1.float32, 1)
            value = v1.ragged.constant_value([[1.0, 2.0], [3.0]])
            found = session.run(x * 2.0, {x: value})
            assert isinstance(found, v1.ragged.RaggedTensorValue) and found.to_list() == [[2.0, 4.0], [6.0]]
            with pytest.raises(ValueError, match="only supported in eager mode"):
                x.to_list()


def test_columns_of_a_cross_have_equally_many_rows() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"Expected batch size 2, got \[2, 1\]"):
        tf.sparse.cross([tf.constant([["a"], ["b"]]), tf.constant([["c"]])])


class TestEmbeddings:
    TABLE = np.float32([[1, 10], [2, 20], [4, 40], [8, 80]])
    IDS = tf.SparseTensor([[0, 0], [0, 1], [2, 0]], np.int64([1, 3, 0]), [3, 2])
    WEIGHTS = tf.SparseTensor([[0, 0], [0, 1], [2, 0]], np.float32([1.0, 3.0, 2.0]), [3, 2])

    @pytest.mark.parametrize(
        ("combiner", "wanted"), [("sum", [26, 0, 2]), ("mean", [6.5, 0, 1]), ("sqrtn", [26 / np.sqrt(10), 0, 1]), (None, [6.5, 0, 1])]
    )
    def test_weighted(self, combiner: str | None, wanted: list[float]) -> None:
        found = tf.nn.embedding_lookup_sparse(tf.constant(self.TABLE), self.IDS, self.WEIGHTS, combiner=combiner)
        assert np.allclose(found[:, 0].numpy(), wanted)

    def test_several_tables(self) -> None:
        tables = [tf.constant(self.TABLE[:2]), tf.constant(self.TABLE[2:])]
        found = tf.nn.embedding_lookup_sparse(tables, self.IDS, None, combiner="sum")
        assert found[:, 0].numpy().tolist() == [10.0, 0.0, 1.0]

    def test_the_gradient_is_sparse(self) -> None:
        table = tf.Variable(self.TABLE)
        with tf.GradientTape() as tape:
            y = tf.nn.embedding_lookup_sparse(table, self.IDS, None, combiner="sum")
        found = tape.gradient(y, table)
        assert isinstance(found, tf.IndexedSlices) and sorted(found.indices.numpy().tolist()) == [0, 1, 3]

    def test_safe(self) -> None:
        ids = tf.SparseTensor([[0, 0], [0, 1], [2, 0]], np.int64([1, -3, 0]), [3, 2])
        found = tf.nn.safe_embedding_lookup_sparse(tf.constant(self.TABLE), ids, combiner="sum")
        assert found[:, 0].numpy().tolist() == [2.0, 0.0, 1.0]
        found = tf.nn.safe_embedding_lookup_sparse(tf.constant(self.TABLE), ids, combiner="sum", default_id=3)
        assert found[:, 0].numpy().tolist() == [2.0, 8.0, 1.0]

    def test_a_wrong_combiner(self) -> None:
        with pytest.raises(ValueError, match="combiner must be one of"):
            tf.nn.embedding_lookup_sparse(tf.constant(self.TABLE), self.IDS, None, combiner="max")
        with pytest.raises(TypeError, match="sp_ids must be SparseTensor"):
            tf.nn.embedding_lookup_sparse(tf.constant(self.TABLE), tf.constant([1]), None)


@pytest.mark.parametrize("make", [sparse, lambda: tf.IndexedSlices(tf.constant([[1.0]]), tf.constant([0]), tf.constant([2, 1]))])
def test_a_tuple_keeps_composite_tensors(make: Any) -> None:
    """Asked of TensorFlow 2.21: the class stays, and their parts wait for the others."""
    v = tf.Variable(0.0)

    @tf.function
    def f() -> Any:
        kept, nothing, one = tf.tuple([make(), None, tf.constant(1.0)], control_inputs=[v.assign_add(3.0)])
        assert nothing is None
        return kept, one

    kept, one = f()
    assert type(kept) is type(make()) and one.numpy() == 1.0 and v.numpy() == 3.0
    assert tf.convert_to_tensor(kept.values).numpy().tolist() == make().values.numpy().tolist()
    with tf.Graph().as_default():
        waiting = tf.compat.v1.tuple([make()])[0]
        assert [part.op.type for part in (waiting.values, waiting.indices)] == ["Identity", "Identity"]


def test_sparse_tensors_keep_the_shape_that_all_branches_give_them() -> None:
    @tf.function(input_signature=[tf.SparseTensorSpec([None, 3], tf.float32), tf.TensorSpec([], tf.int32), tf.SparseTensorSpec([2, None])])
    def shapes(x: Any, choice: Any, other: Any) -> Any:
        seen.append(tf.switch_case(choice, [lambda: x, lambda: tf.sparse.reorder(x)]).shape.as_list())
        seen.append(tf.switch_case(choice, [lambda: tf.sparse.reorder(x), lambda: tf.sparse.reorder(other)]).shape.as_list())
        return x.values

    seen: list[list[int | None]] = []
    shapes.get_concrete_function()
    assert seen == [[None, 3], [None, None]]  # as TensorFlow 2.21 answers
