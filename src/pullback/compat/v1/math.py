"""The names of `tf.compat.v1.math`."""

from typing import TYPE_CHECKING

from ...interop.faces import missing as _missing
from ..common import math as _math

if TYPE_CHECKING:  # these load when first asked for
    from ..common.math import *
    from ..legacy.nn import l2_normalize, log_softmax, softmax
    from ..legacy.reduce import (
        argmax,
        argmin,
        bincount,
        confusion_matrix,
        count_nonzero,
        in_top_k,
        reduce_all,
        reduce_any,
        reduce_logsumexp,
        reduce_max,
        reduce_mean,
        reduce_min,
        reduce_prod,
        reduce_sum,
    )
    from . import special

__all__ = [
    "argmax",
    "argmin",
    "bincount",
    "confusion_matrix",
    "count_nonzero",
    "in_top_k",
    "l2_normalize",
    "log_softmax",
    "reduce_all",
    "reduce_any",
    "reduce_logsumexp",
    "reduce_max",
    "reduce_mean",
    "reduce_min",
    "reduce_prod",
    "reduce_sum",
    "softmax",
    "special",
]
__all__ += _math.__all__

__getattr__ = _missing("tf1.math", __all__, __name__)
