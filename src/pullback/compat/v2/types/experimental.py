"""The names of `tf.types.experimental`."""

from typing import TYPE_CHECKING

from ....compile.function import Function as PolymorphicFunction
from ....interop.faces import missing as _missing

if TYPE_CHECKING:  # these load when first asked for
    from ....api.types import SupportsTracingProtocol, TensorLike
    from ....compile.concrete import AtomicFunction, ConcreteFunction
    from ....compile.function_type import Callable, FunctionType
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

__getattr__ = _missing("tf.types.experimental", __all__, __name__)
