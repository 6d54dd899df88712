"""The names of `pullback.compat.v2.experimental`, written by docs/make_exports.py."""

from pullback import tnp as numpy
from pullback.api.dispatch import dispatch_for_api
from pullback.api.dispatch import unregister_dispatch_for
from pullback.compat.elementwise import dispatch_for_binary_elementwise_apis
from pullback.compat.elementwise import dispatch_for_binary_elementwise_assert_apis
from pullback.compat.elementwise import dispatch_for_unary_elementwise_apis
from pullback.compat.v2.experimental import dlpack
from pullback.compat.v2.experimental import extension_type
from pullback.datasets.optional import Optional
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
    "dlpack",
    "extension_type",
    "numpy",
    "unregister_dispatch_for",
]
