"""The names of `tf.compat.v1.signal`, the same in both versions."""

from typing import TYPE_CHECKING

from ...interop.faces import missing as _missing
from ..v2.signal import __all__

if TYPE_CHECKING:  # these load when first asked for
    from ..v2.signal import *

__getattr__ = _missing("tf1.signal", __all__, __name__)
