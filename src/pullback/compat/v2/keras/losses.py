"""The names of `tf.keras.losses`, those of `tf.losses`."""

from typing import TYPE_CHECKING

from ....interop.faces import missing as _missing
from ..losses import __all__

if TYPE_CHECKING:  # these load when first asked for
    from ..losses import *

__getattr__ = _missing("tf.keras.losses", __all__, __name__)
