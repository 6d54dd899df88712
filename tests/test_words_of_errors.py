"""Errors name what is wrong in the words of TensorFlow 2.21, for which programs and their tests look."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pullback as tf

tf1 = tf.compat.v1


def _one() -> Any:
    return tf.constant(1.0)


def _pair() -> Any:
    return tf.constant(1.0), tf.constant(2.0)


def _distance_of_nothing() -> Any:
    none = tf.sparse.from_dense(np.zeros((0, 2), np.int64))
    return tf.edit_distance(none, none)


_INVALID = tf.errors.InvalidArgumentError
_ROW = tf.constant([1, 2])

EAGERLY: dict[str, tuple[Callable[[], Any], type[Exception], str]] = {
    "two names of a branch": (lambda: tf1.cond(True, _one, _one, fn1=_one), TypeError, "'true_fn' and 'fn1' may not be set"),
    "two names of the other": (lambda: tf1.cond(True, _one, _one, fn2=_one), TypeError, "'false_fn' and 'fn2' may not be set"),
    "a branch's number that is none": (lambda: tf.switch_case(1, [_one, _one]), TypeError, "branch_index.*Tensor"),  # type: ignore[arg-type]  # no tensor
    "branches with a gap": (lambda: tf.switch_case(tf.constant(1), {0: _one, 2: _one}), ValueError, "must form contiguous"),
    "a branch twice": (lambda: tf.switch_case(tf.constant(1), [(0, _one), (0, _one)]), ValueError, "must form contiguous"),
    "branches named by tensors": (lambda: tf.switch_case(tf.constant(1), [(_ROW[0], _one)]), TypeError, "must be a Python `int`"),  # type: ignore[list-item]  # no int
    "too many dimensions": (lambda: tf.reshape([1], [1] * 254), _INVALID, "too many dimensions"),
    "an axis of two numbers": (lambda: tf.expand_dims(1, [0, 1]), _INVALID, "must be a tensor with a single value"),
    "a shape that does not broadcast": (lambda: tf.broadcast_to([1, 2], [2, 1]), _INVALID, "Unable to broadcast tensor of shape"),
    "shapes of which neither broadcasts": (lambda: tf.broadcast_to([1, 2], [3]), _INVALID, "Incompatible shapes"),
    "bits that do not fit": (lambda: tf.bitcast(tf.constant([[1]], tf.int8), tf.int32), _INVALID, "Cannot bitcast from 6 to 3"),
    "crops below 0": (lambda: tf.batch_to_space(tf.ones([4, 1, 1, 1]), [2, 2], [[-1, 0], [0, 0]]), _INVALID, "Crops must be non-negative"),
    "no room for an index": (lambda: tf.unravel_index([1], [2**30, 2**30]), _INVALID, "dims product is causing integer overflow"),
    "a dimension of 0": (lambda: tf.unravel_index([1], [3, 0]), _INVALID, "dims cannot contain a dim of zero"),
    "rows that are none": (lambda: tf.raw_ops.LowerBound(sorted_inputs=[[1.0]], values=[1.0]), _INVALID, "must be rank 2 but is rank 1"),
    "offsets of other ranks": (lambda: tf.raw_ops.ConcatOffset(concat_dim=1, shape=[[2, 3], [2, 3, 4]]), _INVALID, "should contain 2 elem"),
    "offsets of other sizes": (
        lambda: tf.raw_ops.ConcatOffset(concat_dim=1, shape=[[2, 3, 5], [2, 7, 10]]),
        _INVALID,
        r"Input 1 has shape \[2 7 10\] and doesn't match input 0 with shape \[2 3 5\]",
    ),
    "an integer beyond 64 bits": (lambda: tf.constant([2**70]), ValueError, "out-of-range integer"),
    "an integer beyond floats": (lambda: tf.constant(10**400, tf.float64), ValueError, "out-of-range integer"),
    "a list among numbers": (lambda: tf.constant([1, [1]]), ValueError, "mixed types"),
    "rows of two lengths": (lambda: tf.constant([[1, 2], [3]]), ValueError, "non-rectangular"),
    "a size beyond int32": (lambda: tf.convert_to_tensor(tf.TensorShape([2**31]), tf.int32), ValueError, "a dimension is too large"),
    "a variance of integers": (lambda: tf.math.reduce_variance([1, 2]), TypeError, "must be either real or complex"),
    "a tensor as initial value": (lambda: tf.constant_initializer(_one()), TypeError, "Invalid type for initial value: .*Tensor"),
    "a rate of another dtype": (lambda: tf.nn.dropout(_one(), tf.constant(0.5, tf.float64)), ValueError, "compatible with `rate.dtype`"),
    "an axis that is a matrix": (lambda: tf.concat([[1], [2]], [[0]]), _INVALID, "axis tensor should be a scalar integer"),
    "a shift that is a matrix": (lambda: tf.roll([1, 2], [[1]], [[0]]), _INVALID, "shift must be a scalar or a 1-D vector"),
    "an index of eight bits": (lambda: _ROW[tf.constant(1, tf.int8)], TypeError, "are valid indices"),
    "distances of nothing": (_distance_of_nothing, _INVALID, "has 0 elements"),
    "a list of probabilities": (lambda: tf1.nn.dropout(_one(), keep_prob=[0.5]), ValueError, "must be a floating point number or Tensor"),
}

IN_A_FUNCTION: dict[str, tuple[Callable[[Any], Any], type[Exception], str]] = {
    "branches of two structures": (lambda x: tf.cond(x > 0, _one, _pair), TypeError, "same number, type, and overall structure of return"),
    "a loop that changes dtype": (
        lambda x: tf.while_loop(lambda v: v < 9, lambda v: tf.cast(v, tf.float16), [x]),
        TypeError,
        "with type <dtype: 'float32'> but has type <dtype: 'float16'> after 1 iteration. .* type should remain constant",
    ),
    "two conditions": (lambda x: tf.cond(tf.stack([x, x]) > 0, _one, _one), _INVALID, "must be a scalar, but it has shape \\[2\\]"),
    "an axis of two numbers": (lambda x: tf.expand_dims(x, [0, 1]), ValueError, "must be a tensor with a single value"),
    "crops below 0": (lambda x: tf.batch_to_space(tf.ones([4, 1, 1, 1]), [2, 2], [[-1, 0], [0, 0]]), ValueError, "cannot be negative"),
    "rows of two lengths": (lambda x: tf.constant([[1, 2], [3]]), ValueError, "setting an array element with a sequence"),
    "an integer beyond 64 bits": (lambda x: tf.constant(2**70), TypeError, "Failed to convert elements of"),
}


@pytest.mark.parametrize("name", EAGERLY)
def test_words_of_errors_eagerly(name: str) -> None:
    call, kind, words = EAGERLY[name]
    with pytest.raises(kind, match=words):
        call()


@pytest.mark.parametrize("name", IN_A_FUNCTION)
def test_words_of_errors_in_functions(name: str) -> None:
    call, kind, words = IN_A_FUNCTION[name]
    with pytest.raises(kind, match=words):
        tf.function(call, autograph=False)(tf.constant(1.0))


class Own:
    """No tensor, but it knows what to do with one on its left."""

    def __radd__(self, other: Any) -> str:
        return f"{type(other).__name__} + own"

    def __rmul__(self, other: Any) -> str:
        return "times own"

    def __rmatmul__(self, other: Any) -> str:
        return "matmul own"

    def __rpow__(self, other: Any) -> Any:
        return NotImplemented


@pytest.mark.parametrize("make", [tf.constant, tf.Variable])
def test_right_operands_answer_where_they_are_no_tensors(make: Callable[[float], Any]) -> None:
    left = make(2.0)
    assert (left + Own()).endswith(" + own")
    assert left * Own() == "times own"
    assert left @ Own() == "matmul own"
    with pytest.raises(ValueError, match="Attempt to convert a value"):
        left ** Own()
    with pytest.raises(ValueError, match="Attempt to convert a value"):
        left - Own()


def test_one_condition_may_have_dimensions() -> None:
    chosen = tf.function(lambda p: tf.cond(p, lambda: 1.0, lambda: 2.0))
    for _ in range(30):  # native code too
        assert float(chosen(tf.constant([[True]]))) == 1.0
        assert float(chosen(tf.constant([[False]]))) == 2.0


def test_branches_agree_about_the_shape_of_sparse_tensors() -> None:
    def sparse(*shape: int) -> Callable[[], Any]:
        return lambda: tf.SparseTensor([[0, 0]], [1.0], list(shape))

    @tf.function
    def shapes(p: Any) -> list[list[int | None]]:
        found.extend(tf.cond(p, sparse(3, 4), other).shape.as_list() for other in (sparse(3, 4), sparse(3, 5), sparse(4, 5)))
        return []

    found: list[list[int | None]] = []
    shapes(tf.constant(True))
    assert found == [[3, 4], [3, None], [None, None]]


@pytest.mark.parametrize("small", [tf.int8, tf.uint8])
@pytest.mark.parametrize("stack", [(), (2,)])
def test_matmul_takes_bfloat16_and_small_integers(small: Any, stack: tuple[int, ...]) -> None:
    a, b = tf.cast(tf.ones([*stack, 2, 3]), tf.bfloat16), tf.cast(tf.fill([*stack, 3, 2], 2), small)
    product = tf.matmul(a, b, output_type=tf.bfloat16)
    assert product.dtype == tf.bfloat16
    assert tf.cast(product, tf.float32).numpy().tolist() == np.full([*stack, 2, 2], 6.0).tolist()


def test_shapes_beyond_32_bits_become_int64() -> None:
    made = tf.convert_to_tensor(tf.TensorShape([2**31, 1]))
    assert (made.dtype, made.numpy().tolist()) == (tf.int64, [2**31, 1])


def test_rows_of_ragged_numbers_are_looked_up_by_either_name() -> None:
    table, numbers = tf.constant([[1.0], [2.0], [3.0]]), tf.ragged.constant([[0, 2], [1]])
    for lookup in (tf.nn.embedding_lookup, tf1.nn.embedding_lookup):
        assert lookup(table, numbers).to_list() == [[[1.0], [3.0]], [[2.0]]]


def test_a_test_case_keeps_its_variables_between_evaluations() -> None:
    class Cases(tf.test.TestCase):
        def runTest(self) -> None:
            with tf.Graph().as_default():
                count = tf1.get_variable("count", initializer=1.0)
                self.evaluate(tf1.global_variables_initializer())
                self.evaluate(count.assign_add(2.0))
                self.assertAllClose(self.evaluate(count), 3.0)

    Cases().debug()


_NO_TENSORS = [object(), [1.0, object()], [None, 1.0], {"a": 1}, {1, 2}, len, ["a", 1.0], ..., np.array([object()])]


@pytest.mark.parametrize("value", _NO_TENSORS, ids=lambda value: type(value).__name__)
@pytest.mark.parametrize("function", [tf.constant, tf.sin, tf.reduce_sum, lambda v: tf.matmul(tf.ones([1, 1]), v)])
def test_what_is_no_tensor_is_a_type_error_in_graphs(value: Any, function: Callable[[Any], Any]) -> None:
    with pytest.raises(ValueError, match=r"unsupported type|mixed types"):
        function(value)
    with tf.Graph().as_default(), pytest.raises(TypeError, match="Failed to convert elements of"):
        function(value)


def test_none_is_a_value_error_in_graphs_too() -> None:
    with tf.Graph().as_default(), pytest.raises(ValueError, match="None values not supported"):
        tf.constant(None)


def _square() -> Any:
    return tf.ones([2, 2])


def _image(*shape: int) -> Any:
    return tf.ones(shape or (1, 4, 4, 1))


_STRINGS = [tf.SparseTensor([[0]], [word], [1]) for word in "ab"]
_EAGERLY: dict[str, tuple[Callable[[], Any], type[Exception], str]] = {
    "edit_distance": (lambda: tf.edit_distance(*_STRINGS), tf.errors.InvalidArgumentError, "must have rank at least 2"),
    "rebatch": (lambda: tf.data.Dataset.range(4).batch(2).rebatch([[1], [2]]), ValueError, "to be a scalar or a vector"),
    "shuffle": (lambda: list(tf.data.Dataset.range(3).shuffle(2).repeat(0)), tf.errors.InvalidArgumentError, "count must be greater"),
    "labels": (lambda: tf.math.confusion_matrix([1, -2], [1, 2]), tf.errors.InvalidArgumentError, "`labels` contains negative values"),
    "predictions": (lambda: tf.math.confusion_matrix([1], [-2]), tf.errors.InvalidArgumentError, "`predictions` contains negative"),
    "classes": (lambda: tf.math.confusion_matrix([2], [1], 2), tf.errors.InvalidArgumentError, "`labels` out of bound"),
    "predicted": (lambda: tf.math.confusion_matrix([1], [2], 2), tf.errors.InvalidArgumentError, "`predictions` out of bound"),
    "split": (lambda: tf.split([1, 2, 3], 2), tf.errors.InvalidArgumentError, "Number of ways to split should evenly divide"),
    "sizes": (lambda: tf.split([1, 2, 3], [1, 1]), tf.errors.InvalidArgumentError, "Determined shape must either match input shape"),
    "one size": (lambda: tf.split([1, 2], [3]), tf.errors.InvalidArgumentError, "there is only one output.*Input size: 2 output size: 3"),
    "matrix": (lambda: tf.split([1, 2, 3], [[1, 2]]), tf.errors.InvalidArgumentError, "split_tensor must be 1-D .* got 2 -D and 2 elem"),
    "num": (lambda: tf.split([1, 2, 3], [1, 2], num=3), tf.errors.InvalidArgumentError, "the same elements as outputs got 1 -D and 2"),
    "dim": (lambda: tf.math.sobol_sample([2], 3), tf.errors.InvalidArgumentError, "dim must be a scalar"),
    "skip": (lambda: tf.math.sobol_sample(2, 3, 2**31 - 2), tf.errors.InvalidArgumentError, "num_results.skip must be less than"),
    "diagonal": (lambda: tf.linalg.set_diag(_square(), [1.0] * 3), tf.errors.InvalidArgumentError, "Expected diagonal shape: .2."),
    "diagonals": (lambda: tf.linalg.set_diag(_square(), [[1.0, 1.0]], k=(0, 1)), tf.errors.InvalidArgumentError, "number of diagonals"),
    "scalar": (lambda: tf.linalg.set_diag(_square(), 1.0), tf.errors.InvalidArgumentError, "diagonal must be at least 1-dim"),
    "three": (lambda: tf.linalg.set_diag(_square(), [1.0], k=[0, 1, 2]), tf.errors.InvalidArgumentError, "must have only one or two"),
    "none": (lambda: tf.linalg.set_diag(_square(), [1.0], k=tf.range(0)), tf.errors.InvalidArgumentError, "at least one element"),
    "pool": (lambda: tf.nn.max_pool2d(_image(1, 2, 2), 2, 1, "VALID"), tf.errors.InvalidArgumentError, "Input must be 4 or 5-dimensional"),
    "window": (lambda: tf.nn.max_pool2d(_image(), 0, 1, "VALID"), tf.errors.InvalidArgumentError, "inferred ksize is: 1,0,0,1"),
    "depth": (lambda: tf.nn.max_pool2d(_image(1, 2, 2, 2), [1, 2, 2, 2], 1, "VALID"), tf.errors.UnimplementedError, "exactly one of"),
    "uneven": (lambda: tf.nn.max_pool2d(_image(1, 2, 2, 3), [1, 1, 1, 2], 2, "VALID"), tf.errors.UnimplementedError, "evenly divide"),
    "stride": (lambda: tf.nn.max_pool2d(_image(1, 2, 2, 4), [1, 1, 1, 2], 1, "VALID"), tf.errors.UnimplementedError, "equal the depth"),
    "reshape": (lambda: tf.reshape([1, 2, 3], [-1, 0]), tf.errors.InvalidArgumentError, "3 values, but the requested shape has 0"),
    "sizes of sizes": (lambda: tf.reshape([1], [[1]]), tf.errors.InvalidArgumentError, r"must be 1-D, not \[1,1\]"),
    "many": (lambda: tf.reshape([1], [2**40, 2**40]), tf.errors.InvalidArgumentError, "has too many elements"),
}


@pytest.mark.parametrize("case", _EAGERLY)
def test_words_that_programs_look_for(case: str) -> None:
    call, kind, words = _EAGERLY[case]
    with pytest.raises(kind, match=words):
        call()


@pytest.mark.parametrize(("side", "name"), [*enumerate(["Top", "Bottom", "Left", "Right"])])
def test_padding_is_smaller_than_the_window(side: int, name: str) -> None:
    margins = [1, 1, 1, 1]
    margins[side] = 2
    paddings = [[0, 0], margins[:2], margins[2:], [0, 0]]
    for way in (lambda f: f(), lambda f: tf.function(f)(), lambda f: tf.function(f, jit_compile=True)()):
        with pytest.raises(tf.errors.InvalidArgumentError, match=f"{name} padding 2 needs to be smaller than the window size 2"):
            way(lambda: tf.nn.max_pool2d(_image(), 2, 1, paddings))


_TRACING: dict[str, tuple[Callable[[], Any], type[Exception], str]] = {
    "split": (lambda: tf.split([1, 2, 3], [[1, 2]], num=2), ValueError, "Length of size_splits should be equal to num_outputs"),
    "diagonal": (lambda: tf.linalg.set_diag(_square(), 1.0), ValueError, "Shape must be at least rank 1 but is rank 0"),
    "diagonals": (lambda: tf.linalg.set_diag(_square(), [1.0, 2.0], k=(0, 1)), ValueError, "Shape must be rank 2 but is rank 1"),
    "reshape": (lambda: tf.reshape([1, 2, 3], [-1, 0]), ValueError, "Cannot reshape a tensor with 3 elements to shape"),
    "sobol": (lambda: tf.math.sobol_sample(2, [3]), ValueError, "Shape must be rank 0 but is rank 1"),
    "stack": (lambda: tf.stack([3, None, 2]), TypeError, r"have types \[int32, <NOT CONVERTIBLE TO TENSOR>, int32\] that don't all match"),
    "first": (lambda: tf.stack([None]), ValueError, "None values not supported"),
    "concat": (lambda: tf.concat([[3], None], 0), TypeError, "'values' of 'ConcatV2' Op have types"),
    "words": (lambda: tf.stack([3, "a"]), TypeError, r"have types \[int32, string\] that don't all match"),
    "mixed": (lambda: tf.concat([tf.constant([1]), tf.constant([1.0])], 0), TypeError, r"\[int32, float32\] that don't all match"),
    "add_n": (lambda: tf.add_n([1.0, None]), ValueError, "Inputs must be an iterable of at least one Tensor"),
    "sum": (lambda: tf.reduce_sum(None), ValueError, "None values not supported"),
}


@pytest.mark.parametrize("case", _TRACING)
def test_words_of_functions_being_traced(case: str) -> None:
    call, kind, words = _TRACING[case]
    with pytest.raises(kind, match=words):
        tf.function(lambda: (call(), 0)[1])()


def test_a_confusion_matrix_checks_its_labels_in_functions() -> None:
    matrix = tf.function(lambda labels, guesses: tf.math.confusion_matrix(labels, guesses, 2))
    assert matrix([0, 1], [1, 1]).numpy().tolist() == [[0, 1], [0, 1]]
    with pytest.raises(tf.errors.InvalidArgumentError, match="`labels` contains negative values"):
        matrix([0, -1], [1, 1])


@pytest.mark.parametrize(("bounds", "size"), [({"minlength": 4, "maxlength": 4}, 4), ({"minlength": 9}, 9), ({"maxlength": 5}, 5), ({}, 8)])
def test_the_length_of_a_bincount_of_constants_is_known(bounds: dict[str, int], size: int) -> None:
    found: list[Any] = []

    @tf.function
    def count() -> int:
        found.append(tf.math.bincount(tf.constant([1, 2, 7]), **bounds).shape)
        found.append(tf.math.bincount(tf.constant([[1, 2, 7]]), axis=-1, **bounds).shape)
        return 0

    count()
    assert found == [[size], [1, size]]


@pytest.mark.parametrize("dtype", [tf.qint8, tf.quint8, tf.qint16, tf.quint16, tf.qint32], ids=str)
def test_quantised_numbers_are_equal_or_not(dtype: Any) -> None:
    whole = tf.as_dtype(dtype.name.removeprefix("q") if dtype.name[1] != "u" else dtype.name[1:])
    a, b = (tf.bitcast(tf.constant(values, whole), dtype) for values in ([1, 2], [1, 3]))
    for same, other in ((tf.equal(a, b), tf.not_equal(a, b)), (a == b, a != b), tf.function(lambda: (tf.equal(a, b), a != b))()):
        assert (same.numpy().tolist(), other.numpy().tolist()) == ([True, False], [False, True])


def test_strings_that_are_scattered_to_one_place_follow_each_other() -> None:
    for scatter in (tf.scatter_nd, tf.function(tf.scatter_nd)):
        assert scatter([[0], [2], [0]], ["a", "b", "c"], [4]).numpy().tolist() == [b"ac", b"", b"b", b""]
    with pytest.raises(tf.errors.InvalidArgumentError, match="Value for attr 'T' of string"):
        tf.tensor_scatter_nd_add(["x"], [[0]], ["a"])


@pytest.mark.parametrize(
    ("sizes", "batches"),
    [([0, 1], [[], [0], [], [1], [], [2], []]), ([1, 0], [[0], [], [1], [], [2], []]), ([2, 0, 0], [[0, 1], [], [], [2]])],
)
def test_batches_of_no_elements(sizes: list[int], batches: list[list[int]]) -> None:
    dataset = tf.data.Dataset.range(3).batch(2)
    assert [batch.numpy().tolist() for batch in dataset.rebatch(sizes)] == batches
    assert int(dataset.rebatch(sizes).cardinality()) == tf.data.UNKNOWN_CARDINALITY
    assert [batch.numpy().tolist() for batch in dataset.rebatch([2, 0, 2], drop_remainder=True)] == [[0, 1], []]


_CLASSES: dict[str, tuple[Callable[[], Any], type[Exception], str]] = {
    "labels": (lambda: tf.nn.weighted_cross_entropy_with_logits(tf.constant([1]), tf.constant([1.0]), 0.5), TypeError, "int32"),
    "logits": (
        lambda: tf.nn.weighted_cross_entropy_with_logits(tf.constant([1.0]), tf.constant([1]), 0.5),
        tf.errors.InvalidArgumentError,
        "to be a float tensor but is a int32",
    ),
    "average loss": (lambda: tf.nn.compute_average_loss(tf.ones([4]), None, -1), tf.errors.InvalidArgumentError, "must be non-negative"),
    "clip": (lambda: tf1.clip_by_average_norm(tf.ones([2], tf.float64), 0.1), tf.errors.InvalidArgumentError, "expected to be a double"),
    "sparse labels": (
        lambda: tf1.losses.sparse_softmax_cross_entropy(tf.zeros([1, 3], tf.int32), tf.ones([3, 4])),
        ValueError,
        "labels|Rank",
    ),
    "rank": (lambda: _separable(tf.ones([1, 1, 1, 6, 4])), ValueError, r"Shape \(1, 1, 1, 6, 4\) must have rank 4"),
    "dtype": (lambda: _separable(np.ones([1, 1, 6, 4], np.int8)), tf.errors.InvalidArgumentError, "float tensor but is a int8"),
    "no axis": (lambda: tf.reverse_sequence(tf.ones([3, 3]), [1, 2, 3]), TypeError, "Expected int for argument 'seq_dim' not None"),
    "vector": (lambda: tf.reverse_sequence(tf.ones([3, 3]), [1, 2, 3], 1, tf.constant([0])), TypeError, "for argument 'batch_dim'"),
    "blocks": (lambda: tf1.space_to_batch(_image(), [[0, 0], [0, 0]], [2, 2]), tf.errors.InvalidArgumentError, "block_shape"),
    "axes": (lambda: tf.tensordot(tf.ones([2]), tf.ones([2]), "bogus"), TypeError, "Cannot convert 'bogus'"),
}


def _separable(pointwise: Any) -> Any:
    return tf.nn.separable_conv2d(tf.ones([2, 5, 4, 3]), tf.ones([3, 2, 3, 2]), pointwise, [1, 1, 1, 1], "SAME")


@pytest.mark.parametrize("case", _CLASSES)
def test_classes_of_errors(case: str) -> None:
    call, kind, words = _CLASSES[case]
    with pytest.raises(kind, match=words) as raised:
        call()
    assert type(raised.value) is kind or kind is ValueError


@pytest.mark.parametrize("axis", [-100, 99, 1.5, [1, 2]])
def test_cross_entropy_refuses_axes_that_are_none(axis: Any) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="`axis` is a whole number"):
        tf.nn.softmax_cross_entropy_with_logits(tf.ones([2, 3]), tf.ones([2, 3]), axis)


def test_statistics_are_along_whole_axes() -> None:
    with pytest.raises(TypeError, match="cannot be interpreted as an integer"):
        tf.nn.sufficient_statistics(tf.ones([2, 3]), [1.5])


@pytest.mark.parametrize("name", ["TensorListFromTensor", "TensorListScatter"])
def test_raw_lists_refuse_what_they_do_not_know(name: str) -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'bogus'"):
        getattr(tf.raw_ops, name)(tensor=tf.ones([2, 2]), element_shape=[2], indices=[0, 1], bogus=1)
