"""The names of TensorFlow 1's `tf.experimental`."""

from typing import TYPE_CHECKING

from ...interop.names import missing as _missing
from ...ops.ragged.whole import DynamicRaggedShape

__all__ = [
    "BatchableExtensionType",
    "DynamicRaggedShape",
    "ExtensionType",
    "ExtensionTypeBatchEncoder",
    "ExtensionTypeSpec",
    "extension_type",
]

__getattr__ = _missing("tf1.experimental", __all__, __name__)

if TYPE_CHECKING:  # these load when first asked for
    from ...ops.extension.spec import ExtensionTypeBatchEncoder as ExtensionTypeBatchEncoder
    from ...ops.extension.spec import ExtensionTypeSpec as ExtensionTypeSpec
    from ...ops.extension.types import BatchableExtensionType as BatchableExtensionType
    from ...ops.extension.types import ExtensionType as ExtensionType
    from ..v2.experimental import extension_type as extension_type
