"""The names of `tf.compat.v1.nn`."""

from ...interop.names import missing as _missing
from ...ops.array_blocks import depth_to_space, space_to_depth
from ...ops.math_functions import sigmoid, tanh
from ...ops.nn_activations import elu, leaky_relu, relu, relu6, selu, softplus, softsign
from ...ops.nn_bias import bias_add, l2_loss
from ...ops.reduce_composed import zero_fraction
from ...ops.sort import in_top_k, top_k

__all__ = [
    "bias_add",
    "depth_to_space",
    "elu",
    "in_top_k",
    "l2_loss",
    "leaky_relu",
    "relu",
    "relu6",
    "selu",
    "sigmoid",
    "softplus",
    "softsign",
    "space_to_depth",
    "tanh",
    "top_k",
    "zero_fraction",
]

__getattr__ = _missing("tf1.nn", __all__)
