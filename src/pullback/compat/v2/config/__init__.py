"""The names of `tf.config`."""

from ....compile.function import functions_run_eagerly, run_functions_eagerly
from ....compile.function import run_functions_eagerly as experimental_run_functions_eagerly
from ....interop.names import missing as _missing
from ....interop.options import (
    LogicalDevice,
    PhysicalDevice,
    get_visible_devices,
    list_logical_devices,
    list_physical_devices,
    set_visible_devices,
)
from . import experimental, optimizer, threading

__all__ = [
    "LogicalDevice",
    "PhysicalDevice",
    "experimental",
    "experimental_run_functions_eagerly",
    "functions_run_eagerly",
    "get_visible_devices",
    "list_logical_devices",
    "list_physical_devices",
    "optimizer",
    "run_functions_eagerly",
    "set_visible_devices",
    "threading",
]

__getattr__ = _missing("tf.config", __all__)
