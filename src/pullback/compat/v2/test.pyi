"""The names of `pullback.compat.v2.test`, written by docs/make_exports.py."""

from pullback.interop.options import gpu_device_name
from pullback.interop.options import is_built_with_cuda
from pullback.interop.options import is_gpu_available
from pullback.testing.case import TestCase
from pullback.testing.case import main
from pullback.testing.compute_gradient import compute_gradient

__all__ = [
    "TestCase",
    "compute_gradient",
    "gpu_device_name",
    "is_built_with_cuda",
    "is_gpu_available",
    "main",
]
