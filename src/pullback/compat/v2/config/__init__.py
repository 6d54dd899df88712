"""The names of `tf.config`."""

from ....interop.names import missing as _missing
from ....interop.options import (
    LogicalDevice,
    PhysicalDevice,
    get_visible_devices,
    list_logical_devices,
    list_physical_devices,
    set_visible_devices,
)
from . import experimental

__all__ = [
    "LogicalDevice",
    "PhysicalDevice",
    "experimental",
    "get_visible_devices",
    "list_logical_devices",
    "list_physical_devices",
    "set_visible_devices",
]

__getattr__ = _missing("tf.config", __all__)
