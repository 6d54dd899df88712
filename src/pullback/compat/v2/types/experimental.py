"""The names of `tf.types.experimental`."""

from ....api.types import SupportsTracingProtocol, TensorLike
from ....compile.concrete import AtomicFunction, ConcreteFunction
from ....compile.function import Function as PolymorphicFunction
from ....compile.function_type import Callable, FunctionType
from ....interop.names import missing as _missing
from ....ir.type_spec import TraceType

GenericFunction = PolymorphicFunction

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

__getattr__ = _missing("tf.types.experimental", __all__)
