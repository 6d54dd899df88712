"""The names of `pullback.compat.v2.types.experimental`, written by docs/make_exports.py."""

from pullback.api.types import SupportsTracingProtocol as SupportsTracingProtocol
from pullback.api.types import TensorLike as TensorLike
from pullback.base.dtypes import TraceType as TraceType
from pullback.compat.v2.types.experimental import distributed as distributed
from pullback.trace.concrete import AtomicFunction as AtomicFunction
from pullback.trace.concrete import ConcreteFunction as ConcreteFunction
from pullback.trace.function import Function as GenericFunction
from pullback.trace.function import Function as PolymorphicFunction
from pullback.trace.function_type import Callable as Callable
from pullback.trace.function_type import FunctionType as FunctionType

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
    "distributed",
]
