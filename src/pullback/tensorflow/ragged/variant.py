"""A whole ragged tensor as one tensor of dtype variant, and back: row splits and flat values in a list.

TensorFlow's `batched_input`, a vector with a variant for each row, is refused: a variant here is a scalar.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.dtypes import ANY, INDEX, int64
from ...ir.op import Op, define
from ...ir.tensor import TensorType
from ...ops.array.basic import shape_of
from ...ops.array.type_rules import invalid_argument, match_dims, require_rank_between
from ...ops.tensor_list.items import LIST, TAKE
from ...ops.tensor_list.value import ListValue

Array = np.ndarray[Any, Any]


def _variant_type(rt_nested_splits: Any, rt_dense_values: Any, *, batched_input: bool) -> TensorType:
    for splits in rt_nested_splits:
        match_dims("_", splits)
    if rt_nested_splits:
        require_rank_between(rt_dense_values, 1, None, "the values of a ragged tensor have an axis of rows")
    return LIST


def _to_variant(rt_nested_splits: list[Array], rt_dense_values: Array, *, batched_input: bool) -> ListValue:
    if batched_input:
        raise invalid_argument(
            "batched_input=True wants a vector of variants, one for each row; encode the whole tensor with batched_input=False"
        )
    counts = [*[s.size - 1 for s in rt_nested_splits[1:]], rt_dense_values.shape[0] if rt_dense_values.ndim else None]
    for splits, count in zip(rt_nested_splits, counts, strict=True):
        if splits.ndim != 1 or not splits.size:
            raise invalid_argument(f"Invalid partition: row splits are a vector of at least one number, not of shape {list(splits.shape)}")
        if count != splits.item(-1):
            raise invalid_argument(f"Invalid partition: row splits end with {splits[-1]}, which is not the number of what they split")
    return ListValue([*rt_nested_splits, rt_dense_values])


def _values_back(g: Any, rt_nested_splits_type: Any, rt_dense_values_type: Any) -> Any:
    dtype = rt_dense_values_type.dtype.base_dtype
    return TAKE(g, len(rt_nested_splits_type), shape_of(rt_dense_values_type), element_dtype=dtype)


TO_VARIANT: Op = define(
    "RaggedTensorToVariant",
    "*rt_nested_splits:Tsplits rt_dense_values:Tvalues",
    _variant_type,
    _to_variant,
    {"rt_dense_values": _values_back},
    dtypes={"Tsplits": INDEX, "Tvalues": ANY},
    holomorphic=False,
    batch="one value that is no tensor",
)


def _from_variant(
    encoded_ragged: ListValue, *, input_ragged_rank: int, output_ragged_rank: int, Tvalues: Any, Tsplits: Any = int64
) -> list[Any]:
    items = encoded_ragged.items()
    if len(items) != output_ragged_rank + 1 or input_ragged_rank not in (-1, output_ragged_rank):
        raise invalid_argument(f"The encoded tensor has {len(items) - 1} ragged axes, {output_ragged_rank} are asked for")
    for item, dtype in zip(items, [Tsplits] * output_ragged_rank + [Tvalues], strict=True):
        if np.asarray(item).dtype != dtype.numpy_dtype:
            raise invalid_argument(f"The encoded tensor has dtype {np.asarray(item).dtype} where {dtype.name} is asked for")
    return items


#: The outputs are the nested splits, then the flat values.
FROM_VARIANT = define(
    "RaggedTensorFromVariant",
    "encoded_ragged:variant",
    lambda encoded_ragged, *, input_ragged_rank, output_ragged_rank, Tvalues, Tsplits=int64: (
        *(TensorType((None,), Tsplits),) * output_ragged_rank,
        TensorType(None, Tvalues),
    ),
    _from_variant,
    {"encoded_ragged": lambda gs, output: TO_VARIANT(list(output[:-1]), gs[-1], batched_input=False)},
    outputs="*output",
    holomorphic=False,
    batch="one value that is no tensor",
)
