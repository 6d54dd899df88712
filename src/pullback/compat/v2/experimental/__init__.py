"""The names of `tf.experimental`."""

from typing import TYPE_CHECKING

from ....interop.names import missing as _missing

__all__ = [
    "BatchableExtensionType",
    "DynamicRaggedShape",
    "ExtensionType",
    "ExtensionTypeBatchEncoder",
    "ExtensionTypeSpec",
    "dlpack",
    "extension_type",
    "numpy",
]

__getattr__ = _missing("tf.experimental", __all__, __name__)

if TYPE_CHECKING:  # these load when first asked for
    from .... import tnp as numpy
    from ....ops.extension.spec import ExtensionTypeBatchEncoder as ExtensionTypeBatchEncoder
    from ....ops.extension.spec import ExtensionTypeSpec as ExtensionTypeSpec
    from ....ops.extension.types import BatchableExtensionType as BatchableExtensionType
    from ....ops.extension.types import ExtensionType as ExtensionType
    from ....ops.ragged.whole import DynamicRaggedShape as DynamicRaggedShape
    from . import dlpack as dlpack
    from . import extension_type as extension_type
