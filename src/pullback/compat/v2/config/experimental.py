"""The names of `tf.config.experimental`."""

from typing import TYPE_CHECKING

from ....interop.faces import missing as _missing

if TYPE_CHECKING:  # these load when first asked for
    from ....interop.options import get_visible_devices, list_logical_devices, list_physical_devices, set_memory_growth, set_visible_devices
    from ....interop.settings import (
        enable_op_determinism,
        enable_tensor_float_32_execution,
        get_synchronous_execution,
        set_synchronous_execution,
        tensor_float_32_execution_enabled,
    )

__all__ = [
    "enable_op_determinism",
    "enable_tensor_float_32_execution",
    "get_synchronous_execution",
    "get_visible_devices",
    "list_logical_devices",
    "list_physical_devices",
    "set_memory_growth",
    "set_synchronous_execution",
    "set_visible_devices",
    "tensor_float_32_execution_enabled",
]

__getattr__ = _missing("tf.config.experimental", __all__, __name__)
