"""What type checkers know of the public names."""

from typing import assert_type

import pullback as tf
import pullback.compat.v1 as tf1
from pullback.base.dtypes import DType
from pullback.compat.v1.nn import rnn_cell

assert_type(tf.reduce_sum([1.0, 2.0], axis=0, keepdims=True), tf.Tensor)
assert_type(2.0 * tf.Variable(1.0) - tf.constant(1.0), tf.Tensor)
assert_type(tf.float32, DType)
assert_type(tf.dtypes.half, DType)
assert_type(tf1.trainable_variables(), list[tf.Variable])
print(tf.experimental.numpy.sin(tf.experimental.numpy.pi), rnn_cell.LSTMCell(3), tf.hvp)
