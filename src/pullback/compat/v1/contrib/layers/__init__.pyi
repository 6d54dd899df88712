"""The names of `pullback.compat.v1.contrib.layers`, written by docs/make_exports.py."""

from pullback.compat.v1.contrib.layers import utils as utils
from pullback.tensorflow.contrib.composition import optimize_loss as optimize_loss
from pullback.tensorflow.contrib.composition import repeat as repeat
from pullback.tensorflow.contrib.composition import stack as stack
from pullback.tensorflow.contrib.convolutions import avg_pool2d as avg_pool2d
from pullback.tensorflow.contrib.convolutions import convolution as convolution
from pullback.tensorflow.contrib.convolutions import convolution1d as conv1d
from pullback.tensorflow.contrib.convolutions import convolution1d as convolution1d
from pullback.tensorflow.contrib.convolutions import convolution2d as conv2d
from pullback.tensorflow.contrib.convolutions import convolution2d as convolution2d
from pullback.tensorflow.contrib.convolutions import convolution2d_transpose as conv2d_transpose
from pullback.tensorflow.contrib.convolutions import convolution2d_transpose as convolution2d_transpose
from pullback.tensorflow.contrib.convolutions import convolution3d as conv3d
from pullback.tensorflow.contrib.convolutions import convolution3d as convolution3d
from pullback.tensorflow.contrib.convolutions import max_pool2d as max_pool2d
from pullback.tensorflow.contrib.convolutions import separable_convolution2d as separable_conv2d
from pullback.tensorflow.contrib.convolutions import separable_convolution2d as separable_convolution2d
from pullback.tensorflow.contrib.dense import bias_add as bias_add
from pullback.tensorflow.contrib.dense import dropout as dropout
from pullback.tensorflow.contrib.dense import embed_sequence as embed_sequence
from pullback.tensorflow.contrib.dense import flatten as flatten
from pullback.tensorflow.contrib.dense import fully_connected as fully_connected
from pullback.tensorflow.contrib.dense import linear as linear
from pullback.tensorflow.contrib.dense import one_hot_encoding as one_hot_encoding
from pullback.tensorflow.contrib.dense import softmax as softmax
from pullback.tensorflow.contrib.dense import unit_norm as unit_norm
from pullback.tensorflow.contrib.normalization import batch_norm as batch_norm
from pullback.tensorflow.contrib.normalization import instance_norm as instance_norm
from pullback.tensorflow.contrib.normalization import layer_norm as layer_norm
from pullback.tensorflow.contrib.regularizers import apply_regularization as apply_regularization
from pullback.tensorflow.contrib.regularizers import l1_l2_regularizer as l1_l2_regularizer
from pullback.tensorflow.contrib.regularizers import l1_regularizer as l1_regularizer
from pullback.tensorflow.contrib.regularizers import l2_regularizer as l2_regularizer
from pullback.tensorflow.contrib.regularizers import sum_regularizer as sum_regularizer
from pullback.tensorflow.contrib.regularizers import variance_scaling_initializer as variance_scaling_initializer
from pullback.tensorflow.contrib.regularizers import xavier_initializer as xavier_initializer
from pullback.tensorflow.contrib.regularizers import xavier_initializer as xavier_initializer_conv2d

__all__ = [
    "apply_regularization",
    "avg_pool2d",
    "batch_norm",
    "bias_add",
    "conv1d",
    "conv2d",
    "conv2d_transpose",
    "conv3d",
    "convolution",
    "convolution1d",
    "convolution2d",
    "convolution2d_transpose",
    "convolution3d",
    "dropout",
    "embed_sequence",
    "flatten",
    "fully_connected",
    "instance_norm",
    "l1_l2_regularizer",
    "l1_regularizer",
    "l2_regularizer",
    "layer_norm",
    "linear",
    "max_pool2d",
    "one_hot_encoding",
    "optimize_loss",
    "repeat",
    "separable_conv2d",
    "separable_convolution2d",
    "softmax",
    "stack",
    "sum_regularizer",
    "unit_norm",
    "utils",
    "variance_scaling_initializer",
    "xavier_initializer",
    "xavier_initializer_conv2d",
]
