"""The names of `pullback.compat.v2.config`, written by docs/make_exports.py."""

from pullback.compat.v2.config import experimental as experimental
from pullback.compat.v2.config import optimizer as optimizer
from pullback.compat.v2.config import threading as threading
from pullback.interop.options import LogicalDevice as LogicalDevice
from pullback.interop.options import LogicalDeviceConfiguration as LogicalDeviceConfiguration
from pullback.interop.options import PhysicalDevice as PhysicalDevice
from pullback.interop.options import get_logical_device_configuration as get_logical_device_configuration
from pullback.interop.options import get_visible_devices as get_visible_devices
from pullback.interop.options import list_logical_devices as list_logical_devices
from pullback.interop.options import list_physical_devices as list_physical_devices
from pullback.interop.options import set_logical_device_configuration as set_logical_device_configuration
from pullback.interop.options import set_visible_devices as set_visible_devices
from pullback.interop.settings import get_soft_device_placement as get_soft_device_placement
from pullback.interop.settings import set_soft_device_placement as set_soft_device_placement
from pullback.trace.function import functions_run_eagerly as experimental_functions_run_eagerly
from pullback.trace.function import functions_run_eagerly as functions_run_eagerly
from pullback.trace.function import run_functions_eagerly as experimental_run_functions_eagerly
from pullback.trace.function import run_functions_eagerly as run_functions_eagerly

__all__ = [
    "LogicalDevice",
    "LogicalDeviceConfiguration",
    "PhysicalDevice",
    "experimental",
    "experimental_functions_run_eagerly",
    "experimental_run_functions_eagerly",
    "functions_run_eagerly",
    "get_logical_device_configuration",
    "get_soft_device_placement",
    "get_visible_devices",
    "list_logical_devices",
    "list_physical_devices",
    "optimizer",
    "run_functions_eagerly",
    "set_logical_device_configuration",
    "set_soft_device_placement",
    "set_visible_devices",
    "threading",
]
