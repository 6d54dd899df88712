"""Lists of tensors joined, scattered anew and asked for their shape; optional values, and composite ones, that are such lists too.

An optional value and an encoded composite one are tensors of dtype variant that hold several tensors of any dtypes and shapes: here,
lists of them.  Cotangents of their parts are read with zeros where nothing came (`TensorListTakeOrZeros`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.dtypes import INDEX, DType, int32, int64, variant
from ...base.dtypes import bool as bool_
from ...base.shapes import Shape, as_dims
from ...ir.apply import ShapeError
from ...ir.op import Op, define
from ...ir.tensor import TensorType
from ..array.basic import shape_of
from ..array.type_rules import invalid
from .items import LIST, TAKE, element_dims, rows_of
from .stack import SPLIT, check_rows
from .stack import _concat as concat_items
from .value import ListValue

Array = np.ndarray[Any, Any]


# ---- lists


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
        raise invalid(f"Invalid number of rows in input tensor. Expected {indices.size} Actual: {tensor.shape[0] if tensor.ndim else 0}")
    check_rows(tensor, element_shape)
    if (indices < 0).any():
        raise invalid(f"Indices in TensorListScatter must all be non-negative, got {int(indices.min())}")
    count = int(num_elements)
    if count < 0:
        count = int(indices.max(initial=-1)) + 1
    elif indices.size and indices.max() >= count:
        raise invalid(f"TensorListScatter: Trying to scatter at index {int(indices.max())} in list with size {count}")
    items: list[Any] = [None] * count
    for i, row in zip(indices.tolist(), rows_of(tensor), strict=True):
        items[i] = row
    return ListValue(items)


def _scatter_back(g: Any, indices: Any, tensor_type: Any) -> Any:
    return TAKE(g, indices, shape_of(tensor_type), element_dtype=tensor_type.dtype, last=True)


def _scatter_type(tensor: Any, indices: Any, element_shape: Any, num_elements: Any = None) -> TensorType:
    if tensor.dims == ():
        raise ShapeError("Shape must be at least rank 1 but is rank 0", "Tensor must be at least a vector, but saw shape: []")
    element_dims(element_shape)
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
CONCAT_LISTS = define(
    "TensorListConcatLists",
    "input_a:variant input_b:variant",
    lambda input_a, input_b, *, element_dtype: LIST,
    lambda input_a, input_b, *, element_dtype: ListValue([*input_a.items(), *input_b.items()]),
    {},
)


def _element_shape(input_handle: ListValue, *, shape_type: DType, without: int = 0) -> Array:
    """without: how many axes in front do not count."""
    sizes = input_handle.element_sizes()
    return np.array(-1 if sizes is None else sizes[without:], shape_type.numpy)


#: The shape of the elements, -1 for sizes that differ and for the whole where nothing was written: what a list here knows of itself.
ELEMENT_SHAPE = define(
    "TensorListElementShape",
    "input_handle:variant",
    lambda input_handle, *, shape_type=int32, without=0: TensorType(None, shape_type),
    _element_shape,
    {},
)


# ---- several tensors as one


def _types(dtypes: Any, shapes: Any) -> tuple[TensorType, ...]:
    dims = [None] * len(dtypes) if shapes is None else [as_dims(s) for s in shapes]
    return tuple(TensorType(d, t) for d, t in zip(dims, dtypes, strict=True))


def _opened(value: ListValue, dtypes: Any) -> list[Any]:
    items = value.items()
    if len(items) != len(dtypes):
        raise invalid(f"The value has {len(items)} components, {len(dtypes)} are asked for")
    for item, dtype in zip(items, dtypes, strict=True):
        if not hasattr(item, "tensor_dtype") and np.asarray(item).dtype != dtype.numpy:
            raise invalid(f"A component has dtype {np.asarray(item).dtype}, {dtype.name} is asked for")
    return items


def _parts_back(g: Any, components: Any) -> Any:
    return [TAKE(g, i, shape_of(c), element_dtype=c.dtype.base_dtype) for i, c in enumerate(components)]


ENCODED: Op = define(
    "CompositeTensorVariantFromComponents",
    "*components:any",
    lambda components, *, metadata="": LIST,
    lambda components, *, metadata="": ListValue(list(components)),
    {"components": lambda g, components_type: _parts_back(g, components_type)},
    holomorphic=False,
    batch="one value that is no tensor",
)
define(
    "CompositeTensorVariantToComponents",
    "encoded:variant",
    lambda encoded, *, metadata="", Tcomponents: _types(Tcomponents, None),
    lambda encoded, *, metadata="", Tcomponents: _opened(encoded, Tcomponents),
    {"encoded": lambda gs: ENCODED(list(gs))},
    outputs="*components",
    holomorphic=False,
    batch="one value that is no tensor",
)


class Nothing:
    """The value of an optional that has none."""

    tensor_dtype = variant


def _value(optional: Any, *, output_types: Any, output_shapes: Any = None) -> list[Any]:
    if isinstance(optional, Nothing):
        raise invalid("The given optional does not have a value.")
    return _opened(optional, output_types)


OPTIONAL: Op = define(
    "OptionalFromValue",
    "*components:any",
    lambda components: LIST,
    lambda components: ListValue(list(components)),
    {"components": lambda g, components_type: _parts_back(g, components_type)},
    holomorphic=False,
    batch="one value that is no tensor",
)
OPTIONAL_VALUE: Op = define(
    "OptionalGetValue",
    "optional:variant",
    lambda optional, *, output_types, output_shapes=None: _types(output_types, output_shapes),
    _value,
    {"optional": lambda gs: OPTIONAL(list(gs))},
    outputs="*components",
    holomorphic=False,
    batch="one value that is no tensor",
)
OPTIONAL_HAS_VALUE: Op = define(
    "OptionalHasValue",
    "optional:variant",
    lambda optional: TensorType((), bool_),
    lambda optional: np.array(not isinstance(optional, Nothing)),
    {},
    batch="one value that is no tensor",
)
OPTIONAL_NONE: Op = define("OptionalNone", "", lambda: LIST, Nothing, {})
