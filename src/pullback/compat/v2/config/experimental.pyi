"""The names of `pullback.compat.v2.config.experimental`, written by docs/make_exports.py."""

from pullback.interop.options import LogicalDeviceConfiguration as VirtualDeviceConfiguration
from pullback.interop.options import get_logical_device_configuration as get_virtual_device_configuration
from pullback.interop.options import get_visible_devices as get_visible_devices
from pullback.interop.options import list_logical_devices as list_logical_devices
from pullback.interop.options import list_physical_devices as list_physical_devices
from pullback.interop.options import set_logical_device_configuration as set_virtual_device_configuration
from pullback.interop.options import set_memory_growth as set_memory_growth
from pullback.interop.options import set_visible_devices as set_visible_devices
from pullback.interop.settings import enable_op_determinism as enable_op_determinism
from pullback.interop.settings import enable_tensor_float_32_execution as enable_tensor_float_32_execution
from pullback.interop.settings import get_synchronous_execution as get_synchronous_execution
from pullback.interop.settings import set_synchronous_execution as set_synchronous_execution
from pullback.interop.settings import tensor_float_32_execution_enabled as tensor_float_32_execution_enabled

__all__ = [
    "VirtualDeviceConfiguration",
    "enable_op_determinism",
    "enable_tensor_float_32_execution",
    "get_synchronous_execution",
    "get_virtual_device_configuration",
    "get_visible_devices",
    "list_logical_devices",
    "list_physical_devices",
    "set_memory_growth",
    "set_synchronous_execution",
    "set_virtual_device_configuration",
    "set_visible_devices",
    "tensor_float_32_execution_enabled",
]
