"""The names of `tf.compat.v1.ragged`."""

from typing import TYPE_CHECKING

from ...interop.faces import missing as _missing
from ..v2 import ragged as _ragged

if TYPE_CHECKING:  # these load when first asked for
    from ...ops.ragged.convert import constant_value
    from ...ops.ragged.value import RaggedTensorValue
    from ..legacy.ragged import placeholder
    from ..v2.ragged import *

__all__ = ["RaggedTensorValue", "constant_value", "placeholder"]
__all__ += _ragged.__all__

__getattr__ = _missing("tf1.ragged", __all__, __name__)
