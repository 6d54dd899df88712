"""The names of `tf.compat.v1.dtypes`."""

from typing import TYPE_CHECKING

from ...interop.faces import missing as _missing
from ..v2 import dtypes as _dtypes

if TYPE_CHECKING:  # these load when first asked for
    from ...ops.string.numbers import as_string
    from ..v2.dtypes import *

__all__ = ["as_string"]
__all__ += _dtypes.__all__

__getattr__ = _missing("tf1.dtypes", __all__, __name__)
