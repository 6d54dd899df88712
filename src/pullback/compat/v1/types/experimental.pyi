"""The names of `pullback.compat.v1.types.experimental`, written by docs/make_exports.py."""

from pullback.api.types import TensorLike as TensorLike
from pullback.trace.function_type import FunctionType as FunctionType

__all__ = [
    "FunctionType",
    "TensorLike",
]
