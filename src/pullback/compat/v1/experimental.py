"""The names of TensorFlow 1's `tf.experimental`."""

from typing import TYPE_CHECKING

from ...interop.faces import missing as _missing

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
    "extension_type",
    "output_all_intermediates",
    "unregister_dispatch_for",
]

__getattr__ = _missing("tf1.experimental", __all__, __name__)

if TYPE_CHECKING:  # these load when first asked for
    from ...api.dispatch import dispatch_for_api, unregister_dispatch_for
    from ...interop.behavior import output_all_intermediates
    from ...ops.extension.spec import ExtensionTypeBatchEncoder, ExtensionTypeSpec
    from ...ops.extension.types import BatchableExtensionType, ExtensionType
    from ...ops.ragged.whole import DynamicRaggedShape, RowPartition
    from ...ops.structured.tensor import StructuredTensor
    from ..elementwise import (
        dispatch_for_binary_elementwise_apis,
        dispatch_for_binary_elementwise_assert_apis,
        dispatch_for_unary_elementwise_apis,
    )
    from ..v2.experimental import extension_type
