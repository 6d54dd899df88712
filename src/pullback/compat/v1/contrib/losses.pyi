"""The names of `pullback.compat.v1.contrib.losses`, written by docs/make_exports.py."""

from pullback.tensorflow.contrib.losses import absolute_difference as absolute_difference
from pullback.tensorflow.contrib.losses import add_loss as add_loss
from pullback.tensorflow.contrib.losses import get_total_loss as get_total_loss
from pullback.tensorflow.contrib.losses import hinge_loss as hinge_loss
from pullback.tensorflow.contrib.losses import log_loss as log_loss
from pullback.tensorflow.contrib.losses import mean_squared_error as mean_squared_error
from pullback.tensorflow.contrib.losses import sigmoid_cross_entropy as sigmoid_cross_entropy
from pullback.tensorflow.contrib.losses import softmax_cross_entropy as softmax_cross_entropy
from pullback.tensorflow.contrib.losses import sparse_softmax_cross_entropy as sparse_softmax_cross_entropy
from pullback.tensorflow.losses.v1 import get_losses as get_losses
from pullback.tensorflow.losses.v1 import get_regularization_losses as get_regularization_losses

__all__ = [
    "absolute_difference",
    "add_loss",
    "get_losses",
    "get_regularization_losses",
    "get_total_loss",
    "hinge_loss",
    "log_loss",
    "mean_squared_error",
    "sigmoid_cross_entropy",
    "softmax_cross_entropy",
    "sparse_softmax_cross_entropy",
]
