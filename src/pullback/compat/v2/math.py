"""The names of `tf.math`."""

from typing import TYPE_CHECKING

from ...interop.faces import missing as _missing
from ..common import math as _math

if TYPE_CHECKING:  # these load when first asked for
    from ...nn.activations import log_softmax, softmax
    from ...nn.normalization import l2_normalize
    from ...ops.reduce.composed import count_nonzero, reduce_logsumexp
    from ...ops.reduce.reductions import reduce_all, reduce_any, reduce_max, reduce_mean, reduce_min, reduce_prod, reduce_sum
    from ...ops.search.counting import bincount, confusion_matrix
    from ...ops.search.sort import argmax, argmin, in_top_k
    from ..common.math import *
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

__getattr__ = _missing("tf.math", __all__, __name__)
