"""The names of `pullback.compat.v1.contrib.rnn`, written by docs/make_exports.py."""

from pullback.tensorflow.contrib.rnn import EmbeddingWrapper as EmbeddingWrapper
from pullback.tensorflow.contrib.rnn import InputProjectionWrapper as InputProjectionWrapper
from pullback.tensorflow.contrib.rnn import LSTMBlockCell as LSTMBlockCell
from pullback.tensorflow.contrib.rnn import LayerNormBasicLSTMCell as LayerNormBasicLSTMCell
from pullback.tensorflow.contrib.rnn import OutputProjectionWrapper as OutputProjectionWrapper
from pullback.tensorflow.contrib.rnn import stack_bidirectional_dynamic_rnn as stack_bidirectional_dynamic_rnn
from pullback.tensorflow.rnn.cell_classes import BasicLSTMCell as BasicLSTMCell
from pullback.tensorflow.rnn.cell_classes import BasicRNNCell as BasicRNNCell
from pullback.tensorflow.rnn.cell_classes import GRUCell as GRUCell
from pullback.tensorflow.rnn.cell_classes import LSTMCell as LSTMCell
from pullback.tensorflow.rnn.cell_classes import LSTMStateTuple as LSTMStateTuple
from pullback.tensorflow.rnn.cell_classes import RNNCell as RNNCell
from pullback.tensorflow.rnn.loops import static_bidirectional_rnn as static_bidirectional_rnn
from pullback.tensorflow.rnn.loops import static_rnn as static_rnn
from pullback.tensorflow.rnn.loops import static_state_saving_rnn as static_state_saving_rnn
from pullback.tensorflow.rnn.wrappers import DeviceWrapper as DeviceWrapper
from pullback.tensorflow.rnn.wrappers import DropoutWrapper as DropoutWrapper
from pullback.tensorflow.rnn.wrappers import MultiRNNCell as MultiRNNCell
from pullback.tensorflow.rnn.wrappers import ResidualWrapper as ResidualWrapper

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
