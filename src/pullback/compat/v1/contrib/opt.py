"""The names of `tf.compat.v1.contrib.opt`."""

from ....interop.external_optimizer import ExternalOptimizerInterface, ScipyOptimizerInterface
from ....interop.names import missing as _missing

__all__ = [
    "ExternalOptimizerInterface",
    "ScipyOptimizerInterface",
]

__getattr__ = _missing("tf1.contrib.opt", __all__)
