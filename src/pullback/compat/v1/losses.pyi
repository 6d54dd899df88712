"""The names of `pullback.compat.v1.losses`, written by docs/make_exports.py."""

from pullback.tensorflow.losses.pairwise import mean_pairwise_squared_error as mean_pairwise_squared_error
from pullback.tensorflow.losses.v1 import Reduction as Reduction
from pullback.tensorflow.losses.v1 import absolute_difference as absolute_difference
from pullback.tensorflow.losses.v1 import add_loss as add_loss
from pullback.tensorflow.losses.v1 import compute_weighted_loss as compute_weighted_loss
from pullback.tensorflow.losses.v1 import cosine_distance as cosine_distance
from pullback.tensorflow.losses.v1 import get_losses as get_losses
from pullback.tensorflow.losses.v1 import get_regularization_loss as get_regularization_loss
from pullback.tensorflow.losses.v1 import get_regularization_losses as get_regularization_losses
from pullback.tensorflow.losses.v1 import get_total_loss as get_total_loss
from pullback.tensorflow.losses.v1 import hinge_loss as hinge_loss
from pullback.tensorflow.losses.v1 import huber_loss as huber_loss
from pullback.tensorflow.losses.v1 import log_loss as log_loss
from pullback.tensorflow.losses.v1 import mean_squared_error as mean_squared_error
from pullback.tensorflow.losses.v1 import sigmoid_cross_entropy as sigmoid_cross_entropy
from pullback.tensorflow.losses.v1 import softmax_cross_entropy as softmax_cross_entropy
from pullback.tensorflow.losses.v1 import sparse_softmax_cross_entropy as sparse_softmax_cross_entropy

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
