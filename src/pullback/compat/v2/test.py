"""The names of `tf.test`."""

from typing import TYPE_CHECKING

from ...interop.faces import missing as _missing

if TYPE_CHECKING:  # these load when first asked for
    from ...interop.options import gpu_device_name, is_built_with_cuda, is_gpu_available
    from ...testing.compute_gradient import compute_gradient

__all__ = [
    "compute_gradient",
    "gpu_device_name",
    "is_built_with_cuda",
    "is_gpu_available",
]

__getattr__ = _missing("tf.test", __all__, __name__)
