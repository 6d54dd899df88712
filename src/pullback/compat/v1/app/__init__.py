"""The names of `tf.compat.v1.app`."""

from typing import TYPE_CHECKING

from ....interop.faces import missing as _missing

if TYPE_CHECKING:  # these load when first asked for
    from ....interop.flags import run
    from . import flags

__all__ = [
    "flags",
    "run",
]

__getattr__ = _missing("tf1.app", __all__, __name__)
