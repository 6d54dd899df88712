"""The names of `tf.compat.v1.contrib`."""

from typing import TYPE_CHECKING

from ....interop.faces import missing as _missing

if TYPE_CHECKING:  # these load when first asked for
    from . import layers, opt

__all__ = [
    "layers",
    "opt",
]

__getattr__ = _missing("tf1.contrib", __all__, __name__)
