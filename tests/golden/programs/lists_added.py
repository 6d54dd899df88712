"""Lists of tensors added up and made zero, as `AddN` and `ZerosLike` do with variants."""

from __future__ import annotations

from typing import Any

from tests.golden.programs.kit import Answers, raises

FACE = "v2"


def _list(tf: Any, *values: list[float], dtype: Any = None) -> Any:
    found = tf.raw_ops.EmptyTensorList(element_shape=tf.constant([-1]), max_num_elements=-1, element_dtype=dtype or tf.float32)
    for value in values:
        found = tf.raw_ops.TensorListPushBack(input_handle=found, tensor=tf.constant(value, dtype or tf.float32))
    return found


def _elements(tf: Any, of: Any, count: int, size: int = -1) -> list[Any]:
    shape = tf.constant([size])
    return [tf.raw_ops.TensorListGetItem(input_handle=of, index=i, element_shape=shape, element_dtype=tf.float32) for i in range(count)]


def of_sums(tf: Any) -> Answers:
    """Of two lists, of three, of one; by either name; eagerly, in a function, and the gradient."""
    raw = tf.raw_ops
    two = lambda: [_list(tf, [1.0], [2.0, 3.0]), _list(tf, [10.0], [20.0, 30.0])]  # noqa: E731
    reserved = lambda: raw.TensorListReserve(element_shape=tf.constant([1]), num_elements=1, element_dtype=tf.float32)  # noqa: E731

    def differentiated() -> Any:
        x = tf.constant([1.0, 2.0])
        with tf.GradientTape() as tape:
            tape.watch(x)
            lists = [raw.TensorListFromTensor(tensor=n * x * x, element_shape=tf.constant([], tf.int32)) for n in (1.0, 3.0)]
            total = raw.TensorListStack(
                input_handle=tf.add_n(lists), element_shape=tf.constant([], tf.int32), element_dtype=tf.float32, num_elements=2
            )
        return tape.gradient(total, x)

    return {
        "two": lambda: _elements(tf, raw.AddN(inputs=two()), 2),
        "two by add_n": lambda: _elements(tf, tf.add_n(two()), 2),
        "three": lambda: _elements(tf, raw.AddN(inputs=[_list(tf, [n]) for n in (1.0, 10.0, 100.0)]), 1),
        "one": lambda: _elements(tf, raw.AddN(inputs=[_list(tf, [1.0])]), 1),
        "in a function": lambda: tf.function(lambda: _elements(tf, tf.add_n(two()), 2))(),
        "a place without a value": lambda: _elements(tf, raw.AddN(inputs=[reserved(), _list(tf, [1.0])]), 1),
        "no values": lambda: _elements(tf, raw.AddN(inputs=[reserved(), reserved()]), 1, 1),
        "the gradient": differentiated,
        "of two lengths": raises(lambda: tf.add_n([_list(tf, [1.0]), _list(tf, [1.0], [2.0])])),
        "of two shapes": raises(lambda: tf.add_n([_list(tf, [1.0]), _list(tf, [1.0, 2.0])])),
        "of two dtypes": raises(lambda: tf.add_n([_list(tf, [1.0]), _list(tf, [1], dtype=tf.int32)])),
        "numbers": lambda: raw.AddN(inputs=[[1.0, 2.0], [3.0, 4.0]]),
    }


def of_zeros(tf: Any) -> Answers:
    """Of lists and strings."""
    raw = tf.raw_ops
    return {
        "of a list": lambda: _elements(tf, raw.ZerosLike(x=_list(tf, [1.0], [2.0, 3.0])), 2),
        "of a list by function": lambda: _elements(tf, tf.zeros_like(_list(tf, [1.0], [2.0, 3.0])), 2),
        "of a list in a function": lambda: tf.function(lambda: _elements(tf, tf.zeros_like(_list(tf, [1.0], [2.0, 3.0])), 2))(),
        "of a list, version 1": lambda: _elements(tf, tf.compat.v1.zeros_like(_list(tf, [1.0])), 1),
        "ones of a list": raises(lambda: tf.ones_like(_list(tf, [1.0]))),
        "of words": lambda: raw.ZerosLike(x=["a", "b"]),
        "of a word": lambda: raw.ZerosLike(x="a"),
        "of numbers": lambda: raw.ZerosLike(x=[1.0, 2.0]),
    }
