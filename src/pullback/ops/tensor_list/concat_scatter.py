"""Lists of tensors joined, scattered anew, and asked for their shape."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.dtypes import INDEX, DType, int32, int64
from ...base.shapes import Shape, as_dims, show
from ...ir.apply import ShapeError
from ...ir.op import Traits, define
from ...ir.tensor import TensorType
from ..array.basic import shape_of
from ..array.type_rules import invalid_argument
from .declared import Declared
from .items import LIST, TAKE, declared_dims, rows_of
from .stack import SPLIT, _concat as concat_items, check_rows
from .value import ListValue

Array = np.ndarray[Any, Any]


def _attribute(element_shape: Any) -> Array:
    dims: Shape = as_dims(element_shape)
    return np.array(-1, np.int32) if dims is None else np.array([-1 if n is None else n for n in dims], np.int32)


def _concat_type(input_handle: Any, *, element_dtype: DType, element_shape: Any = None) -> tuple[TensorType, TensorType]:
    dims: Shape = as_dims(element_shape)
    if dims == ():
        raise ShapeError("Shapes must be equal rank, but are 1 and 0", "Concat saw a scalar shape but requires at least vectors.")
    return TensorType(None if dims is None else (None, *dims[1:]), element_dtype), TensorType((None,), int64)


CONCAT = define(
    "TensorListConcat",
    "input_handle:variant",
    _concat_type,
    lambda input_handle, *, element_dtype, element_shape=None: concat_items(
        input_handle, _attribute(element_shape), np.zeros(0, np.int64), element_dtype=element_dtype
    ),
    {"input_handle": lambda g_tensor, lengths: None if g_tensor is None else SPLIT(g_tensor, -1, lengths)},
    outputs="tensor lengths",
    holomorphic=False,
)


def _scatter(tensor: Array, indices: Array, element_shape: Array, num_elements: Any = -1) -> ListValue:
    if not tensor.ndim or indices.ndim != 1 or len(tensor) != len(indices):
        raise invalid_argument(
            f"Invalid number of rows in input tensor. Expected {indices.size} Actual: {tensor.shape[0] if tensor.ndim else 0}"
        )
    check_rows(tensor, element_shape)
    if (indices < 0).any():
        raise invalid_argument(f"Indices in TensorListScatter must all be non-negative, got {int(indices.min())}")
    count = int(num_elements)
    if count < -1:
        raise invalid_argument(f"TensorListScatter expects num_elements >= -1, found: {count}")
    if count < 0:
        count = int(indices.max(initial=-1)) + 1
    elif indices.size and indices.max() >= count:
        raise invalid_argument(f"TensorListScatter: Trying to scatter at index {int(indices.max())} in list with size {count}")
    items: list[Any] = [None] * count
    for i, row in zip(indices.tolist(), rows_of(tensor), strict=True):
        items[i] = row
    return ListValue(items)


def _scatter_back(g: Any, indices: Any, tensor_type: Any) -> Any:
    return TAKE(g, indices, shape_of(tensor_type), element_dtype=tensor_type.dtype, last=True)


def _scatter_type(tensor: Any, indices: Any, element_shape: Any, num_elements: Any = None) -> TensorType:
    declared_dims(element_shape)
    return LIST


SCATTER_NEW = define(
    "TensorListScatter",
    "tensor:any indices:int32 element_shape:Tshape=",
    lambda tensor, indices, element_shape: _scatter_type(tensor, indices, element_shape),
    lambda tensor, indices, element_shape: _scatter(tensor, indices, element_shape),
    {"tensor": _scatter_back},
    dtypes={"Tshape": INDEX},
    holomorphic=False,
)
SCATTER_NEW_V2 = define(
    "TensorListScatterV2",
    "tensor:any indices:int32 element_shape:Tshape= num_elements:int32",
    lambda tensor, indices, element_shape, num_elements: _scatter_type(tensor, indices, element_shape, num_elements),
    _scatter,
    {"tensor": _scatter_back},
    dtypes={"Tshape": INDEX},
    holomorphic=False,
)


def _concat_lists(input_a: ListValue, input_b: ListValue, *, element_dtype: DType) -> ListValue:
    for name, one in (("input_a", input_a), ("input_b", input_b)):
        if one.kind is not None and one.kind.dtype is not element_dtype:
            raise invalid_argument(f"{name}[0].dtype != element_dtype.  Saw: {one.kind.dtype.name} vs. {element_dtype.name}")
    joined, kind = ListValue([*input_a.items(), *input_b.items()]), input_a.kind
    if kind is None:
        return joined
    if input_b.kind is not None and kind.dims != input_b.kind.dims:
        saw = f"Saw {show(kind.dims)} vs. {show(input_b.kind.dims)}"
        raise invalid_argument(f"input_a and input_b TensorList element shapes are not identical at index 0.  {saw}")
    return Declared(joined, kind)


CONCAT_LISTS = define(
    "TensorListConcatLists",
    "input_a:variant input_b:variant",
    lambda input_a, input_b, *, element_dtype: LIST,
    _concat_lists,
    {},
)


def _element_shape(input_handle: ListValue, *, shape_type: DType, without: int = 0) -> Array:
    """without: how many axes in front do not count."""
    kind = input_handle.kind
    sizes = input_handle.element_sizes() if kind is None else kind.dims and [-1 if n is None else n for n in kind.dims]
    return np.array(-1 if sizes is None else sizes[without:], shape_type.numpy_dtype)


#: The shape of the elements, -1 for sizes that differ and for the whole where nothing was written: what a list here knows of itself.
ELEMENT_SHAPE = define(
    "TensorListElementShape",
    "input_handle:variant",
    lambda input_handle, *, shape_type=int32, without=0: TensorType(None, shape_type),
    _element_shape,
    {},
    traits=Traits(internal=("without",)),
)
