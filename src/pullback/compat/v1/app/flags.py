"""The names of `tf.compat.v1.app.flags`, those of `tf.compat.v1.flags`."""

from typing import TYPE_CHECKING

from ....interop.faces import missing as _missing
from ..flags import __all__

if TYPE_CHECKING:  # these load when first asked for
    from ..flags import *

__getattr__ = _missing("tf1.app.flags", __all__, __name__)
