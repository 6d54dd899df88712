"""The names of `tf.experimental`."""

from typing import TYPE_CHECKING

from ....interop.names import missing as _missing

__all__ = ["DynamicRaggedShape", "dlpack", "numpy"]

__getattr__ = _missing("tf.experimental", __all__, __name__)

if TYPE_CHECKING:  # these load when first asked for
    from .... import tnp as numpy
    from ....ops.ragged.whole import DynamicRaggedShape as DynamicRaggedShape
    from . import dlpack as dlpack
