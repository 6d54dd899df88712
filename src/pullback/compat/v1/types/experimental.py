"""The names of TensorFlow 1's `tf.types.experimental`."""

from ....api.types import TensorLike
from ....compile.function_type import FunctionType
from ....interop.names import missing as _missing

__all__ = ["FunctionType", "TensorLike"]

__getattr__ = _missing("tf1.types.experimental", __all__)
