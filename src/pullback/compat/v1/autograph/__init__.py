"""The names of `tf.compat.v1.autograph`."""

from typing import TYPE_CHECKING

from ....interop.faces import missing as _missing

if TYPE_CHECKING:  # these load when first asked for
    from ....compat.legacy.core import to_code, to_graph
    from ....compile.autograph_log import set_verbosity, trace
    from . import experimental

__all__ = [
    "experimental",
    "set_verbosity",
    "to_code",
    "to_graph",
    "trace",
]

__getattr__ = _missing("tf1.autograph", __all__, __name__)
