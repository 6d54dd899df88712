"""The names of `pullback.compat.v1.contrib.opt`, written by docs/make_exports.py."""

from pullback.interop.external_optimizer import ExternalOptimizerInterface
from pullback.interop.external_optimizer import ScipyOptimizerInterface

__all__ = [
    "ExternalOptimizerInterface",
    "ScipyOptimizerInterface",
]
