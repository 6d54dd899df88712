"""The names of `pullback.compat.v1.contrib.rnn`, written by docs/make_exports.py."""

from pullback.tensorflow.contrib.rnn import EmbeddingWrapper
from pullback.tensorflow.contrib.rnn import InputProjectionWrapper
from pullback.tensorflow.contrib.rnn import LSTMBlockCell
from pullback.tensorflow.contrib.rnn import LayerNormBasicLSTMCell
from pullback.tensorflow.contrib.rnn import OutputProjectionWrapper
from pullback.tensorflow.contrib.rnn import stack_bidirectional_dynamic_rnn
from pullback.tensorflow.rnn.cell_classes import BasicLSTMCell
from pullback.tensorflow.rnn.cell_classes import BasicRNNCell
from pullback.tensorflow.rnn.cell_classes import GRUCell
from pullback.tensorflow.rnn.cell_classes import LSTMCell
from pullback.tensorflow.rnn.cell_classes import LSTMStateTuple
from pullback.tensorflow.rnn.cell_classes import RNNCell
from pullback.tensorflow.rnn.loops import static_bidirectional_rnn
from pullback.tensorflow.rnn.loops import static_rnn
from pullback.tensorflow.rnn.loops import static_state_saving_rnn
from pullback.tensorflow.rnn.wrappers import DeviceWrapper
from pullback.tensorflow.rnn.wrappers import DropoutWrapper
from pullback.tensorflow.rnn.wrappers import MultiRNNCell
from pullback.tensorflow.rnn.wrappers import ResidualWrapper

__all__ = [
    "BasicLSTMCell",
    "BasicRNNCell",
    "DeviceWrapper",
    "DropoutWrapper",
    "EmbeddingWrapper",
    "GRUCell",
    "InputProjectionWrapper",
    "LSTMBlockCell",
    "LSTMCell",
    "LSTMStateTuple",
    "LayerNormBasicLSTMCell",
    "MultiRNNCell",
    "OutputProjectionWrapper",
    "RNNCell",
    "ResidualWrapper",
    "stack_bidirectional_dynamic_rnn",
    "static_bidirectional_rnn",
    "static_rnn",
    "static_state_saving_rnn",
]
