"""The names of `tf.compat.v1.quantization`, the same in both versions."""

from ...interop.names import missing as _missing
from ..v2.quantization import *  # noqa: F403  # the same names in both namespaces
from ..v2.quantization import __all__

__getattr__ = _missing("tf1.quantization", __all__)
