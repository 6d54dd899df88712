"""The names of TensorFlow 1's `tf.types.experimental`."""

from typing import TYPE_CHECKING

from ....interop.faces import missing as _missing

if TYPE_CHECKING:  # these load when first asked for
    from ....api.types import TensorLike
    from ....compile.function_type import FunctionType

__all__ = ["FunctionType", "TensorLike"]

__getattr__ = _missing("tf1.types.experimental", __all__, __name__)
