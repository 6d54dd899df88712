"""The names of `tf.config.experimental`."""

from ....interop.names import missing as _missing
from ....interop.options import get_visible_devices, list_logical_devices, list_physical_devices, set_memory_growth, set_visible_devices

__all__ = [
    "get_visible_devices",
    "list_logical_devices",
    "list_physical_devices",
    "set_memory_growth",
    "set_visible_devices",
]

__getattr__ = _missing("tf.config.experimental", __all__)
