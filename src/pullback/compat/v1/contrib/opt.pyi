"""The names of `pullback.compat.v1.contrib.opt`, written by docs/make_exports.py."""

from pullback.tensorflow.external_optimizer import ExternalOptimizerInterface as ExternalOptimizerInterface
from pullback.tensorflow.external_optimizer import ScipyOptimizerInterface as ScipyOptimizerInterface

__all__ = [
    "ExternalOptimizerInterface",
    "ScipyOptimizerInterface",
]
