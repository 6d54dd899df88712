"""The names of `tf.compat.v1.losses`."""

from typing import TYPE_CHECKING

from ...interop.faces import missing as _missing

if TYPE_CHECKING:  # these load when first asked for
    from ...nn.losses_pairwise import mean_pairwise_squared_error
    from ...nn.losses_v1 import (
        Reduction,
        absolute_difference,
        add_loss,
        compute_weighted_loss,
        cosine_distance,
        get_losses,
        get_regularization_loss,
        get_regularization_losses,
        get_total_loss,
        hinge_loss,
        huber_loss,
        log_loss,
        mean_squared_error,
        sigmoid_cross_entropy,
        softmax_cross_entropy,
        sparse_softmax_cross_entropy,
    )

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

__getattr__ = _missing("tf1.losses", __all__, __name__)
