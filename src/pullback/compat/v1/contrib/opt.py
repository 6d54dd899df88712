"""The names of `tf.compat.v1.contrib.opt`."""

from typing import TYPE_CHECKING

from ....interop.faces import missing as _missing

if TYPE_CHECKING:  # these load when first asked for
    from ....interop.external_optimizer import ExternalOptimizerInterface, ScipyOptimizerInterface

__all__ = [
    "ExternalOptimizerInterface",
    "ScipyOptimizerInterface",
]

__getattr__ = _missing("tf1.contrib.opt", __all__, __name__)
