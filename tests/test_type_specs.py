"""Specs, functions for them, rows of ragged tensors: what TensorFlow does not answer, or answers with an error."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import pullback as tf
from tests.programs import python

ROWS = [[1.0, 2.0], [], [3.0]]


class TestSignatures:
    def test_an_array(self) -> None:
        traces = []

        def total(ta: Any) -> Any:
            traces.append(1)
            return tf.reduce_sum(ta.stack())

        f = tf.function(total, input_signature=[tf.TensorArraySpec([2])])
        made = [tf.TensorArray(tf.float32, size=n, element_shape=[2]).unstack(tf.ones([n, 2])) for n in (2, 3)]
        assert [f(ta).numpy() for ta in made] == [4.0, 6.0] and len(traces) == 1
        with pytest.raises(TypeError, match="Can not cast TensorArraySpec"):
            f(tf.TensorArray(tf.int32, size=1))
        with pytest.raises(TypeError, match="Expected value to be a TensorArray"):
            f(tf.ones([2, 2]))

    def test_gradients_flow_through_an_array(self) -> None:
        f = tf.function(lambda ta: tf.reduce_sum(ta.stack() ** 2), input_signature=[tf.TensorArraySpec([], tf.float32)])
        x = tf.constant([1.0, 2.0])
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(tf.TensorArray(tf.float32, size=2, element_shape=[]).unstack(x))
        assert tape.gradient(y, x).numpy().tolist() == [2.0, 4.0]

    @pytest.mark.parametrize(
        ("spec", "value"),
        [
            (lambda: tf.SparseTensorSpec([2, 3]), lambda: tf.SparseTensor([[0, 1]], [1.0], [2, 3])),
            (lambda: tf.RaggedTensorSpec([None, None]), lambda: tf.ragged.constant(ROWS)),
            (lambda: tf.IndexedSlicesSpec([9, 2], indices_dtype=tf.int32), lambda: tf.IndexedSlices(tf.ones([1, 2]), tf.constant([4]))),
        ],
    )
    def test_a_concrete_function_is_the_one_that_is_called(self, spec: Any, value: Any) -> None:
        traces = []
        f = tf.function(lambda x: traces.append(1) or tf.reduce_sum(x.values), input_signature=[spec()])
        f.get_concrete_function()
        assert f(value()).numpy() > 0 and len(traces) == 1

    def test_what_is_no_slices(self) -> None:
        f = tf.function(lambda x: x.values, input_signature=[tf.IndexedSlicesSpec([9, 2])])
        with pytest.raises(TypeError, match="it is no IndexedSlices"):
            f(tf.ones([1, 2]))


class Weighed:
    """A tensor and a weight, which says for itself what it is to a trace."""

    def __init__(self, weight: float, tensor: Any) -> None:
        self.weight, self.tensor = weight, tensor

    def __tf_tracing_type__(self, context: Any) -> Any:
        return WeighedType(self.weight, tf.TensorSpec.from_tensor(self.tensor))


class WeighedType(tf.types.experimental.TraceType):
    def __init__(self, weight: float, spec: Any) -> None:
        self.weight, self.spec = weight, spec

    def is_subtype_of(self, other: Any) -> bool:
        return isinstance(other, WeighedType) and self.weight == other.weight and self.spec.is_subtype_of(other.spec)

    def most_specific_common_supertype(self, others: Any) -> Any:
        return self if all(self == other for other in others) else None

    def placeholder_value(self, placeholder_context: Any) -> Any:
        return Weighed(self.weight, self.spec.placeholder_value(placeholder_context))

    def flatten(self) -> Any:
        return self.spec.flatten()

    def to_tensors(self, value: Any) -> Any:
        return self.spec.to_tensors(value.tensor)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, WeighedType) and (self.weight, self.spec) == (other.weight, other.spec)

    def __hash__(self) -> int:
        return hash(self.weight)


def test_a_class_with_tensors_says_what_it_is_to_a_trace() -> None:
    traces = []

    @tf.function
    def f(w: Any) -> Any:
        traces.append(1)
        return w.weight * w.tensor

    found = [f(Weighed(2.0, tf.constant(3.0))), f(Weighed(2.0, tf.constant(4.0))), f(Weighed(3.0, tf.constant(1.0)))]
    assert [t.numpy() for t in found] == [6.0, 8.0, 3.0] and len(traces) == 2
    concrete = f.get_concrete_function(Weighed(2.0, tf.constant(1.0)))
    assert concrete(Weighed(2.0, tf.constant(7.0))).numpy() == 14.0
    (given,), _ = concrete.structured_input_signature
    assert given == WeighedType(2.0, tf.TensorSpec([]))


class TestRows:
    @pytest.mark.parametrize("way", [lambda f: f, tf.function])
    def test_gradients_of_rows(self, way: Any) -> None:
        x = tf.ragged.constant(ROWS)
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            squares = way(lambda x: tf.map_fn(lambda row: row * row, x))(x)
            sums = way(lambda x: tf.map_fn(lambda row: tf.reduce_sum(row**2), x, fn_output_signature=tf.float32))(x)
        assert squares.to_list() == [[1.0, 4.0], [], [9.0]] and sums.numpy().tolist() == [5.0, 0.0, 9.0]
        assert tape.gradient(squares.flat_values, x).to_list() == [[2.0, 4.0], [], [6.0]]
        assert tape.gradient(sums, x).to_list() == [[2.0, 4.0], [], [6.0]]

    def test_rows_beside_a_tensor(self) -> None:
        x, y = tf.ragged.constant(ROWS), tf.constant([1.0, 2.0, 3.0])
        rows, doubled = tf.map_fn(lambda p: (p[0] * p[1], 2.0 * p[1]), (x, y))
        assert rows.to_list() == [[1.0, 2.0], [], [9.0]] and doubled.numpy().tolist() == [2.0, 4.0, 6.0]

    def test_rows_to_sparse(self) -> None:
        def on_diagonal(row: Any) -> Any:
            n = tf.cast(tf.size(row), tf.int64)
            return tf.SparseTensor(tf.stack([tf.range(n), tf.range(n)], 1), row, [2, 2])

        found = tf.map_fn(on_diagonal, tf.ragged.constant(ROWS), fn_output_signature=tf.SparseTensorSpec([2, 2]))
        assert tf.sparse.to_dense(found).numpy().tolist() == [[[1, 0], [0, 2]], [[0, 0], [0, 0]], [[3, 0], [0, 0]]]

    def test_a_row_of_another_dtype(self) -> None:
        with pytest.raises(ValueError, match="fn_output_signature asks for RaggedTensorSpec"):
            tf.map_fn(tf.range, tf.constant([1, 2]), fn_output_signature=tf.RaggedTensorSpec([None], tf.float32))

    def test_shapes(self) -> None:
        shape = tf.experimental.DynamicRaggedShape.from_lengths([2, (1, 2), 2])
        assert (shape.rank, shape.num_row_partitions, shape.inner_rank, shape.static_lengths()) == (3, 1, 2, [2, (1, 2), 2])
        assert [shape.is_uniform(i) for i in range(3)] == [True, False, True] and int(shape[-1]) == 2
        assert tf.fill(shape, 7).to_list() == [[[7, 7]], [[7, 7], [7, 7]]]
        with pytest.raises(ValueError, match="Index 1 is not uniform"):
            _ = shape[1]
        with pytest.raises(ValueError, match="there are 2 rows, and 3 lengths"):
            tf.experimental.DynamicRaggedShape.from_lengths([2, (1, 2, 3)])

    def test_the_shape_of_an_argument(self) -> None:
        f = tf.function(lambda x: tf.ones(tf.shape(x)), input_signature=[tf.RaggedTensorSpec([None, None])])
        assert f(tf.ragged.constant(ROWS)).to_list() == [[1.0, 1.0], [], [1.0]]

    def test_printed_in_a_function(self, tmp_path: Path) -> None:
        path = tmp_path / "printed"

        @tf.function
        def show(x: Any, y: Any) -> Any:
            tf.print("rows:", x, y, output_stream=f"file://{path}", summarize=1)
            return tf.reduce_sum(x)

        show(tf.ragged.constant([[1, 2, 3], [4]]), tf.SparseTensor([[0, 1]], [5], [2, 3]))
        assert path.read_text() == "rows: [[1, ..., 3], [4]] 'SparseTensor(indices=[[0 1]], values=[5], shape=[2 3])'\n"


def test_specs_cost_nothing_at_the_start() -> None:
    found = python("-c", "import sys, pullback; print([m for m in sys.modules if m.startswith('pullback.tensorflow.ragged')])")
    assert found.stdout.strip() == "[]"


def test_specs_of_tensors_are_dense_and_go_by_rows() -> None:
    names = [kind.__name__ for kind in tf.TensorSpec.__mro__]
    assert names[:4] == ["TensorSpec", "DenseSpec", "BatchableTypeSpec", "TypeSpec"]  # as in TensorFlow 2.21


def test_specs_of_elements_refuse_one_another() -> None:
    element = tf.TensorSpec([], tf.int64)
    specs = [tf.data.DatasetSpec(element), tf.data.IteratorSpec(element), tf.OptionalSpec(element)]
    assert len({*specs}) == 3
    for i, spec in enumerate(specs):
        assert [spec == other for other in specs] == [i == j for j in range(3)]
        assert spec.element_spec is element
        assert spec._cast(spec) is spec
        with pytest.raises(TypeError, match="Can not cast"):
            spec._cast(specs[i - 1])
