"""The names of `pullback.compat.v2.test`, written by docs/make_exports.py."""

from pullback.interop.options import gpu_device_name as gpu_device_name
from pullback.interop.options import is_built_with_cuda as is_built_with_cuda
from pullback.interop.options import is_gpu_available as is_gpu_available
from pullback.testing.case import TestCase as TestCase
from pullback.testing.case import main as main
from pullback.testing.compute_gradient import compute_gradient as compute_gradient

__all__ = [
    "TestCase",
    "compute_gradient",
    "gpu_device_name",
    "is_built_with_cuda",
    "is_gpu_available",
    "main",
]
