"""The names of `pullback.compat.v1.contrib.eager.metrics`, written by docs/make_exports.py."""

from pullback.tensorflow.contrib.eager import Accuracy as Accuracy
from pullback.tensorflow.contrib.eager import Mean as Mean

__all__ = [
    "Accuracy",
    "Mean",
]
