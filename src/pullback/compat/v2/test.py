"""The names of `tf.test`."""

from ...interop.names import missing as _missing
from ...interop.options import gpu_device_name, is_built_with_cuda, is_gpu_available
from ...testing.compute_gradient import compute_gradient

__all__ = [
    "compute_gradient",
    "gpu_device_name",
    "is_built_with_cuda",
    "is_gpu_available",
]

__getattr__ = _missing("tf.test", __all__)
