"""The names of `pullback.compat.v1.losses`, written by docs/make_exports.py."""

from pullback.tensorflow.losses.pairwise import mean_pairwise_squared_error
from pullback.tensorflow.losses.v1 import Reduction
from pullback.tensorflow.losses.v1 import absolute_difference
from pullback.tensorflow.losses.v1 import add_loss
from pullback.tensorflow.losses.v1 import compute_weighted_loss
from pullback.tensorflow.losses.v1 import cosine_distance
from pullback.tensorflow.losses.v1 import get_losses
from pullback.tensorflow.losses.v1 import get_regularization_loss
from pullback.tensorflow.losses.v1 import get_regularization_losses
from pullback.tensorflow.losses.v1 import get_total_loss
from pullback.tensorflow.losses.v1 import hinge_loss
from pullback.tensorflow.losses.v1 import huber_loss
from pullback.tensorflow.losses.v1 import log_loss
from pullback.tensorflow.losses.v1 import mean_squared_error
from pullback.tensorflow.losses.v1 import sigmoid_cross_entropy
from pullback.tensorflow.losses.v1 import softmax_cross_entropy
from pullback.tensorflow.losses.v1 import sparse_softmax_cross_entropy

__all__ = [
    "Reduction",
    "absolute_difference",
    "add_loss",
    "compute_weighted_loss",
    "cosine_distance",
    "get_losses",
    "get_regularization_loss",
    "get_regularization_losses",
    "get_total_loss",
    "hinge_loss",
    "huber_loss",
    "log_loss",
    "mean_pairwise_squared_error",
    "mean_squared_error",
    "sigmoid_cross_entropy",
    "softmax_cross_entropy",
    "sparse_softmax_cross_entropy",
]
