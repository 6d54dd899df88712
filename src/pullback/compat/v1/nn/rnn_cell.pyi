"""The names of `pullback.compat.v1.nn.rnn_cell`, written by docs/make_exports.py."""

from pullback.nn.rnn_cells import BasicLSTMCell
from pullback.nn.rnn_cells import BasicRNNCell
from pullback.nn.rnn_cells import GRUCell
from pullback.nn.rnn_cells import LSTMCell
from pullback.nn.rnn_cells import LSTMStateTuple
from pullback.nn.rnn_cells import RNNCell
from pullback.nn.rnn_wrappers import DeviceWrapper
from pullback.nn.rnn_wrappers import DropoutWrapper
from pullback.nn.rnn_wrappers import MultiRNNCell
from pullback.nn.rnn_wrappers import ResidualWrapper

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
