"""The names of `pullback.compat.v1.nn.rnn_cell`, written by docs/make_exports.py."""

from pullback.tensorflow.rnn.cell_classes import BasicLSTMCell as BasicLSTMCell
from pullback.tensorflow.rnn.cell_classes import BasicRNNCell as BasicRNNCell
from pullback.tensorflow.rnn.cell_classes import GRUCell as GRUCell
from pullback.tensorflow.rnn.cell_classes import LSTMCell as LSTMCell
from pullback.tensorflow.rnn.cell_classes import LSTMStateTuple as LSTMStateTuple
from pullback.tensorflow.rnn.cell_classes import RNNCell as RNNCell
from pullback.tensorflow.rnn.wrappers import DeviceWrapper as DeviceWrapper
from pullback.tensorflow.rnn.wrappers import DropoutWrapper as DropoutWrapper
from pullback.tensorflow.rnn.wrappers import MultiRNNCell as MultiRNNCell
from pullback.tensorflow.rnn.wrappers import ResidualWrapper as ResidualWrapper

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
