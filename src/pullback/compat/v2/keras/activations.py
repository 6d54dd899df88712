"""The names of `tf.keras.activations`."""

from ....interop.names import missing as _missing
from ....ops.math_functions import log_sigmoid, sigmoid, tanh
from ....ops.nn_activations import elu, leaky_relu, relu, relu6, selu, softplus, softsign

__all__ = [
    "elu",
    "leaky_relu",
    "log_sigmoid",
    "relu",
    "relu6",
    "selu",
    "sigmoid",
    "softplus",
    "softsign",
    "tanh",
]

__getattr__ = _missing("tf.keras.activations", __all__)
