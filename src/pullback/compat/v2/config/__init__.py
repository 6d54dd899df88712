"""The names of `tf.config`."""

from typing import TYPE_CHECKING

from ....interop.faces import missing as _missing

if TYPE_CHECKING:  # these load when first asked for
    from ....compile.function import functions_run_eagerly, run_functions_eagerly
    from ....compile.function import functions_run_eagerly as experimental_functions_run_eagerly
    from ....compile.function import run_functions_eagerly as experimental_run_functions_eagerly
    from ....interop.options import (
        LogicalDevice,
        LogicalDeviceConfiguration,
        PhysicalDevice,
        get_logical_device_configuration,
        get_visible_devices,
        list_logical_devices,
        list_physical_devices,
        set_logical_device_configuration,
        set_visible_devices,
    )
    from ....interop.settings import get_soft_device_placement, set_soft_device_placement
    from . import experimental, optimizer, threading

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

__getattr__ = _missing("tf.config", __all__, __name__)
