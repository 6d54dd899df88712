"""The names of `tf.compat.v1.config`."""

from ...compile.function import functions_run_eagerly, run_functions_eagerly
from ...interop.names import missing as _missing
from ...interop.options import (
    LogicalDevice,
    PhysicalDevice,
    get_visible_devices,
    list_logical_devices,
    list_physical_devices,
    set_visible_devices,
)
from ..v2.config import optimizer, threading

__all__ = [
    "LogicalDevice",
    "PhysicalDevice",
    "functions_run_eagerly",
    "get_visible_devices",
    "list_logical_devices",
    "list_physical_devices",
    "optimizer",
    "run_functions_eagerly",
    "set_visible_devices",
    "threading",
]

__getattr__ = _missing("tf1.config", __all__)
