"""`tf.make_tensor_proto` and `tf.make_ndarray`; the bytes are TensorFlow 2.21's."""

from typing import Any

import numpy as np
import pytest

import pullback as tf

BYTES = [
    ([1.0, 2.0], b'\x08\x01\x12\x04\x12\x02\x08\x02"\x08\x00\x00\x80?\x00\x00\x00@'),
    (3, b"\x08\x03\x12\x00:\x01\x03"),
    (["a", "bc"], b"\x08\x07\x12\x04\x12\x02\x08\x02B\x01aB\x02bc"),
    ([], b"\x08\x01\x12\x02\x12\x00"),
    ([[1 + 2j]], b"\x08\x12\x12\x08\x12\x02\x08\x01\x12\x02\x08\x01b\x10\x00\x00\x00\x00\x00\x00\xf0?\x00\x00\x00\x00\x00\x00\x00@"),
]


@pytest.mark.parametrize("values, expected", BYTES)
def test_messages_are_tensorflows(values: Any, expected: bytes) -> None:
    message = tf.make_tensor_proto(values)
    assert message.SerializeToString() == expected
    np.testing.assert_array_equal(tf.make_ndarray(message), tf.constant(values).numpy())


def test_the_last_number_stands_for_the_rest() -> None:
    assert tf.make_ndarray(tf.make_tensor_proto([1, 2], shape=[2, 2])).tolist() == [[1, 2], [2, 2]]
    assert tf.make_ndarray(tf.make_tensor_proto(["a"], shape=[2])).tolist() == [b"a", b"a"]


def test_what_is_refused() -> None:
    with pytest.raises(ValueError, match="None values not supported"):
        tf.make_tensor_proto(None)
    with pytest.raises(TypeError, match=r"Expected Tensor's shape: \(2, 1\), but got \(2,\)"):
        tf.make_tensor_proto([1, 2], shape=[2, 1], verify_shape=True)
    with pytest.raises(ValueError, match="Too many elements"):
        tf.make_tensor_proto([1, 2, 3], shape=[2])
    with pytest.raises(ValueError, match="not known before it is run"), tf.Graph().as_default():
        tf.make_tensor_proto(tf.compat.v1.placeholder(tf.float32, [2]))
