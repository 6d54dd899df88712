"""The names of `tf.types`."""

from typing import TYPE_CHECKING

from ....interop.faces import missing as _missing

if TYPE_CHECKING:  # these load when first asked for
    from . import experimental

__all__ = ["experimental"]

__getattr__ = _missing("tf.types", __all__, __name__)
