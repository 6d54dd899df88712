"""What type checkers know of the public names: mypy reads this file in `make lint`, nobody runs it.

An `ignore` that silences no error is an error.
"""

from typing import assert_type

import pullback as tf
import pullback.compat.v1 as tf1
from pullback.base.dtypes import DType
from pullback.compat.v1.nn import rnn_cell

tf.reduce_sum([1.0, 2.0], axis=0, keepdims=True)
tf.reduce_sum([1.0, 2.0], keep_dims=True)  # type: ignore[call-arg]
tf1.reduce_summ([1.0, 2.0])  # type: ignore[attr-defined]
tf.reduce_summ([1.0, 2.0])  # type: ignore[attr-defined]
tf.nn.reluu([1.0, 2.0])  # type: ignore[attr-defined]
tf.placeholder(tf.float32)  # type: ignore[attr-defined]
tf1.placeholder(tf.float32)
rnn_cell.LSTMCell(3)
assert_type(tf.float32, DType)
assert_type(tf.dtypes.half, DType)
tf.experimental.numpy.sin(tf.experimental.numpy.pi)
tf.hvp  # noqa: B018  # ours
