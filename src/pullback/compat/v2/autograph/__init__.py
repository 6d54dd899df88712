"""The names of `tf.autograph`."""

from typing import TYPE_CHECKING

from ....interop.faces import missing as _missing

if TYPE_CHECKING:  # these load when first asked for
    from ....compile.autograph import to_code, to_graph
    from ....compile.autograph_log import set_verbosity, trace
    from . import experimental

__all__ = [
    "experimental",
    "set_verbosity",
    "to_code",
    "to_graph",
    "trace",
]

__getattr__ = _missing("tf.autograph", __all__, __name__)
