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
    from ....api.dispatch import dispatch_for_api, unregister_dispatch_for
    from ....ops.extension.spec import ExtensionTypeBatchEncoder, ExtensionTypeSpec
    from ....ops.extension.types import BatchableExtensionType, ExtensionType
    from ....ops.ragged.whole import DynamicRaggedShape, RowPartition
    from ....ops.structured.tensor import StructuredTensor
    from ...elementwise import (
        dispatch_for_binary_elementwise_apis,
        dispatch_for_binary_elementwise_assert_apis,
        dispatch_for_unary_elementwise_apis,
    )
    from . import dlpack, extension_type
