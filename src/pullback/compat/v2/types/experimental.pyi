"""The names of `pullback.compat.v2.types.experimental`, written by docs/make_exports.py."""

from pullback.api.types import SupportsTracingProtocol
from pullback.api.types import TensorLike
from pullback.compile.concrete import AtomicFunction
from pullback.compile.concrete import ConcreteFunction
from pullback.compile.function import Function as GenericFunction
from pullback.compile.function import Function as PolymorphicFunction
from pullback.compile.function_type import Callable
from pullback.compile.function_type import FunctionType
from pullback.ir.type_spec import TraceType

__all__ = [
    "AtomicFunction",
    "Callable",
    "ConcreteFunction",
    "FunctionType",
    "GenericFunction",
    "PolymorphicFunction",
    "SupportsTracingProtocol",
    "TensorLike",
    "TraceType",
]
