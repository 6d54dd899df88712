"""The names of `pullback.compat.v1.experimental`, written by docs/make_exports.py."""

from pullback.base.dtypes import float4_e2m1fn as float4_e2m1fn
from pullback.base.dtypes import float8_e4m3b11fnuz as float8_e4m3b11fnuz
from pullback.base.dtypes import float8_e4m3fn as float8_e4m3fn
from pullback.base.dtypes import float8_e4m3fnuz as float8_e4m3fnuz
from pullback.base.dtypes import float8_e5m2 as float8_e5m2
from pullback.base.dtypes import float8_e5m2fnuz as float8_e5m2fnuz
from pullback.base.dtypes import int2 as int2
from pullback.base.dtypes import int4 as int4
from pullback.base.dtypes import uint2 as uint2
from pullback.base.dtypes import uint4 as uint4
from pullback.compat.elementwise import dispatch_for_binary_elementwise_apis as dispatch_for_binary_elementwise_apis
from pullback.compat.elementwise import dispatch_for_binary_elementwise_assert_apis as dispatch_for_binary_elementwise_assert_apis
from pullback.compat.elementwise import dispatch_for_unary_elementwise_apis as dispatch_for_unary_elementwise_apis
from pullback.compat.v1.experimental import extension_type as extension_type
from pullback.interop.behavior import output_all_intermediates as output_all_intermediates
from pullback.tensorflow.datasets.optional import Optional as Optional
from pullback.tensorflow.extension.dispatch import dispatch_for_api as dispatch_for_api
from pullback.tensorflow.extension.dispatch import unregister_dispatch_for as unregister_dispatch_for
from pullback.tensorflow.extension.extension_type import BatchableExtensionType as BatchableExtensionType
from pullback.tensorflow.extension.extension_type import ExtensionType as ExtensionType
from pullback.tensorflow.extension.spec import ExtensionTypeBatchEncoder as ExtensionTypeBatchEncoder
from pullback.tensorflow.extension.spec import ExtensionTypeSpec as ExtensionTypeSpec
from pullback.tensorflow.ragged.classes import DynamicRaggedShape as DynamicRaggedShape
from pullback.tensorflow.ragged.classes import RowPartition as RowPartition
from pullback.tensorflow.structured.tensor import StructuredTensor as StructuredTensor

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
    "float4_e2m1fn",
    "float8_e4m3b11fnuz",
    "float8_e4m3fn",
    "float8_e4m3fnuz",
    "float8_e5m2",
    "float8_e5m2fnuz",
    "int2",
    "int4",
    "output_all_intermediates",
    "uint2",
    "uint4",
    "unregister_dispatch_for",
]
