"""The names of `pullback.compat.v1.nn.rnn_cell`, written by docs/make_exports.py."""

from pullback.tensorflow.rnn.cell_classes import BasicLSTMCell
from pullback.tensorflow.rnn.cell_classes import BasicRNNCell
from pullback.tensorflow.rnn.cell_classes import GRUCell
from pullback.tensorflow.rnn.cell_classes import LSTMCell
from pullback.tensorflow.rnn.cell_classes import LSTMStateTuple
from pullback.tensorflow.rnn.cell_classes import RNNCell
from pullback.tensorflow.rnn.wrappers import DeviceWrapper
from pullback.tensorflow.rnn.wrappers import DropoutWrapper
from pullback.tensorflow.rnn.wrappers import MultiRNNCell
from pullback.tensorflow.rnn.wrappers import ResidualWrapper

__all__ = [
    "BasicLSTMCell",
    "BasicRNNCell",
    "DeviceWrapper",
    "DropoutWrapper",
    "GRUCell",
    "LSTMCell",
    "LSTMStateTuple",
    "MultiRNNCell",
    "RNNCell",
    "ResidualWrapper",
]
