"""The names of `tf.compat.v1.test`."""

from ...interop.names import missing as _missing
from ...interop.options import gpu_device_name, is_built_with_cuda, is_gpu_available

__all__ = [
    "gpu_device_name",
    "is_built_with_cuda",
    "is_gpu_available",
]

__getattr__ = _missing("tf1.test", __all__)
