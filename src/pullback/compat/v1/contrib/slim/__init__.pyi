"""The names of `pullback.compat.v1.contrib.slim`, written by docs/make_exports.py."""

from pullback.compat.v1.contrib.slim import learning as learning
from pullback.compat.v1.contrib.slim import losses as losses
from pullback.compat.v1.contrib.slim import utils as utils
from pullback.tensorflow.contrib.arg_scope import add_arg_scope as add_arg_scope
from pullback.tensorflow.contrib.arg_scope import arg_scope as arg_scope
from pullback.tensorflow.contrib.arg_scope import arg_scoped_arguments as arg_scoped_arguments
from pullback.tensorflow.contrib.arg_scope import current_arg_scope as current_arg_scope
from pullback.tensorflow.contrib.arg_scope import has_arg_scope as has_arg_scope
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
from pullback.tensorflow.contrib.dense import flatten as flatten
from pullback.tensorflow.contrib.dense import fully_connected as fully_connected
from pullback.tensorflow.contrib.dense import one_hot_encoding as one_hot_encoding
from pullback.tensorflow.contrib.dense import softmax as softmax
from pullback.tensorflow.contrib.normalization import batch_norm as batch_norm
from pullback.tensorflow.contrib.normalization import instance_norm as instance_norm
from pullback.tensorflow.contrib.normalization import layer_norm as layer_norm
from pullback.tensorflow.contrib.regularizers import apply_regularization as apply_regularization
from pullback.tensorflow.contrib.regularizers import l1_l2_regularizer as l1_l2_regularizer
from pullback.tensorflow.contrib.regularizers import l1_regularizer as l1_regularizer
from pullback.tensorflow.contrib.regularizers import l2_regularizer as l2_regularizer
from pullback.tensorflow.contrib.regularizers import variance_scaling_initializer as variance_scaling_initializer
from pullback.tensorflow.contrib.regularizers import xavier_initializer as xavier_initializer
from pullback.tensorflow.contrib.regularizers import xavier_initializer as xavier_initializer_conv2d
from pullback.tensorflow.contrib.variables import add_model_variable as add_model_variable
from pullback.tensorflow.contrib.variables import assign_from_checkpoint_fn as assign_from_checkpoint_fn
from pullback.tensorflow.contrib.variables import assign_from_values as assign_from_values
from pullback.tensorflow.contrib.variables import assign_from_values_fn as assign_from_values_fn
from pullback.tensorflow.contrib.variables import filter_variables as filter_variables
from pullback.tensorflow.contrib.variables import get_local_variables as get_local_variables
from pullback.tensorflow.contrib.variables import get_model_variables as get_model_variables
from pullback.tensorflow.contrib.variables import get_trainable_variables as get_trainable_variables
from pullback.tensorflow.contrib.variables import get_unique_variable as get_unique_variable
from pullback.tensorflow.contrib.variables import get_variables as get_variables
from pullback.tensorflow.contrib.variables import get_variables_by_name as get_variables_by_name
from pullback.tensorflow.contrib.variables import get_variables_by_suffix as get_variables_by_suffix
from pullback.tensorflow.contrib.variables import get_variables_to_restore as get_variables_to_restore
from pullback.tensorflow.contrib.variables import local_variable as local_variable
from pullback.tensorflow.contrib.variables import model_variable as model_variable
from pullback.tensorflow.contrib.variables import variable as variable
from pullback.train.global_step import create_global_step as create_global_step
from pullback.train.global_step import get_global_step as get_global_step
from pullback.train.global_step import get_or_create_global_step as get_or_create_global_step

__all__ = [
    "add_arg_scope",
    "add_model_variable",
    "apply_regularization",
    "arg_scope",
    "arg_scoped_arguments",
    "assign_from_checkpoint_fn",
    "assign_from_values",
    "assign_from_values_fn",
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
    "create_global_step",
    "current_arg_scope",
    "dropout",
    "filter_variables",
    "flatten",
    "fully_connected",
    "get_global_step",
    "get_local_variables",
    "get_model_variables",
    "get_or_create_global_step",
    "get_trainable_variables",
    "get_unique_variable",
    "get_variables",
    "get_variables_by_name",
    "get_variables_by_suffix",
    "get_variables_to_restore",
    "has_arg_scope",
    "instance_norm",
    "l1_l2_regularizer",
    "l1_regularizer",
    "l2_regularizer",
    "layer_norm",
    "learning",
    "local_variable",
    "losses",
    "max_pool2d",
    "model_variable",
    "one_hot_encoding",
    "repeat",
    "separable_conv2d",
    "separable_convolution2d",
    "softmax",
    "stack",
    "utils",
    "variable",
    "variance_scaling_initializer",
    "xavier_initializer",
    "xavier_initializer_conv2d",
]
