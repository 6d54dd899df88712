"""The names of `pullback.compat.v1.experimental`, written by docs/make_exports.py."""

from pullback.api.dispatch import dispatch_for_api
from pullback.api.dispatch import unregister_dispatch_for
from pullback.compat.elementwise import dispatch_for_binary_elementwise_apis
from pullback.compat.elementwise import dispatch_for_binary_elementwise_assert_apis
from pullback.compat.elementwise import dispatch_for_unary_elementwise_apis
from pullback.compat.v1.experimental import extension_type
from pullback.datasets.optional import Optional
from pullback.interop.behavior import output_all_intermediates
from pullback.ops.extension.spec import ExtensionTypeBatchEncoder
from pullback.ops.extension.spec import ExtensionTypeSpec
from pullback.ops.extension.types import BatchableExtensionType
from pullback.ops.extension.types import ExtensionType
from pullback.ops.ragged.whole import DynamicRaggedShape
from pullback.ops.ragged.whole import RowPartition
from pullback.ops.structured.tensor import StructuredTensor

__all__ = [
    "BatchableExtensionType",
    "DynamicRaggedShape",
    "ExtensionType",
    "ExtensionTypeBatchEncoder",
    "ExtensionTypeSpec",
    "Optional",
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
