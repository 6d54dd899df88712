"""The names of TensorFlow 1's `tf.experimental`."""

from ...interop.names import missing as _missing
from ...ops.ragged.whole import DynamicRaggedShape

__all__ = ["DynamicRaggedShape"]

__getattr__ = _missing("tf1.experimental", __all__)
