"""The names of `tf.experimental`."""

from typing import TYPE_CHECKING

from ....interop.faces import missing as _missing

__all__ = [
    "BatchableExtensionType",
    "DynamicRaggedShape",
    "ExtensionType",
    "ExtensionTypeBatchEncoder",
    "ExtensionTypeSpec",
    "RowPartition",
    "StructuredTensor",
    "dispatch_for_api",
    "dispatch_for_binary_elementwise_apis",
    "dispatch_for_binary_elementwise_assert_apis",
    "dispatch_for_unary_elementwise_apis",
    "dlpack",
    "extension_type",
    "numpy",
    "unregister_dispatch_for",
]

__getattr__ = _missing("tf.experimental", __all__, __name__)

if TYPE_CHECKING:  # these load when first asked for
    from .... import tnp as numpy
    from ....api.dispatch import dispatch_for_api as dispatch_for_api
    from ....api.dispatch import unregister_dispatch_for as unregister_dispatch_for
    from ....ops.extension.spec import ExtensionTypeBatchEncoder as ExtensionTypeBatchEncoder
    from ....ops.extension.spec import ExtensionTypeSpec as ExtensionTypeSpec
    from ....ops.extension.types import BatchableExtensionType as BatchableExtensionType
    from ....ops.extension.types import ExtensionType as ExtensionType
    from ....ops.ragged.whole import DynamicRaggedShape as DynamicRaggedShape
    from ....ops.ragged.whole import RowPartition as RowPartition
    from ....ops.structured.tensor import StructuredTensor as StructuredTensor
    from ...elementwise import dispatch_for_binary_elementwise_apis as dispatch_for_binary_elementwise_apis
    from ...elementwise import dispatch_for_binary_elementwise_assert_apis as dispatch_for_binary_elementwise_assert_apis
    from ...elementwise import dispatch_for_unary_elementwise_apis as dispatch_for_unary_elementwise_apis
    from . import dlpack as dlpack
    from . import extension_type as extension_type
