"""The names of `tf.keras.metrics`, those of `tf.metrics`."""

from typing import TYPE_CHECKING

from ....interop.faces import missing as _missing
from ..metrics import __all__

if TYPE_CHECKING:  # these load when first asked for
    from ..metrics import *

__getattr__ = _missing("tf.keras.metrics", __all__, __name__)
