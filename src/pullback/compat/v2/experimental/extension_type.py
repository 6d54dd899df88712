"""The names of `tf.experimental.extension_type`."""

from ....interop.names import missing as _missing
from ....ops.extension.types import as_dict

__all__ = ["as_dict"]

__getattr__ = _missing("tf.experimental.extension_type", __all__)
