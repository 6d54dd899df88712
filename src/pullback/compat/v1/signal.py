"""The names of `tf.compat.v1.signal`, the same in both versions."""

from ...interop.names import missing as _missing
from ..v2.signal import *  # noqa: F403  # the same names in both namespaces
from ..v2.signal import __all__

__getattr__ = _missing("tf1.signal", __all__)
