"""Lists of tensors as one tensor: stack and from-tensor, concat and split.

Adjoint partners: a tensor's rows made a list, and a list's elements made rows with zeros where nothing is (`ROWS`); a tensor split in
pieces, and pieces joined with zeros where nothing is (`JOIN`).
"""

from __future__ import annotations

from itertools import accumulate
from typing import Any

import numpy as np

from ...base.dtypes import INDEX, DType, int64
from ...base.errors import InvalidArgumentError
from ...base.shapes import show
from ...ir.apply import ShapeError
from ...ir.op import Op, Traits, define
from ...ir.tensor import Dims, TensorType
from ..array.basic import shape_of
from ..array.type_rules import dims_in, invalid_argument, merge_dims
from .items import LIST, Array, check_elements, declared_dims, element_dims, full_shape, rows_of, stack_elements, zeros
from .value import ListValue


def _stack(input_handle: ListValue, element_shape: Array, *, element_dtype: DType, num_elements: int) -> np.ndarray:
    count = input_handle.length
    if num_elements not in (-1, count):
        raise InvalidArgumentError(
            None, None, f"Operation expected a list with {num_elements} elements but got a list with {count} elements."
        )
    if count and input_handle.rows is not None:
        if input_handle.kind is not None:
            input_handle.kind.read(element_shape, element_dtype)
        return input_handle.rows
    items, element_shape = input_handle.items(), check_elements(input_handle, element_shape, element_dtype)
    if not items:
        refused = "Tried to stack elements of an empty list with non-fully-defined element_shape: {}"
        return zeros((0, *full_shape(items, element_shape, refused)), element_dtype)
    if any(item is None for item in items):
        refused = "Tried to stack list which only contains uninitialized tensors and has a non-fully-defined element_shape: {}"
        shape = full_shape(items, element_shape, refused)
        items = [zeros(shape, element_dtype) if item is None else item for item in items]
    return stack_elements(items)


def _stack_type(input_handle: Any, element_shape: Any, *, element_dtype: DType, num_elements: int = -1) -> TensorType:
    rest = element_dims(element_shape)
    return TensorType(None if rest is None else (None if num_elements < 0 else num_elements, *rest), element_dtype)


STACK: Op = define(
    "TensorListStack", "input_handle:variant element_shape:int32", _stack_type, _stack,
    {"input_handle": lambda g: FROM_TENSOR(g, -1) if g.dtype.trainable else None}, holomorphic=False,
    traits=Traits(moves=True),
)  # fmt: skip


def _from_tensor_type(tensor: Any, element_shape: Any) -> TensorType:
    if tensor.dims == ():
        raise ShapeError("Shape must be at least rank 1 but is rank 0", "Tensor must be at least a vector, but saw shape: []")
    rows = None if tensor.dims is None else tensor.dims[1:]
    merge_dims(rows, declared_dims(element_shape), "the shape of the elements, and the one that they are to have")
    return LIST


def check_rows(tensor: Any, element_shape: Array) -> None:
    """Refuse rows that are not of the shape that a list's items have."""
    if element_shape.ndim > 1 or (not element_shape.ndim and element_shape != -1):
        raise invalid_argument(f"element_shape must be a vector, or -1 for shapes that are not known, got {element_shape.tolist()}")
    wanted, dims = element_shape.tolist(), tensor.shape[1:]
    if element_shape.ndim == 1 and (len(wanted) != len(dims) or any(m not in (-1, n) for m, n in zip(wanted, dims, strict=True))):
        raise invalid_argument(f"Specified a list with shape {wanted} from a tensor with shape {list(dims)}")


def _from_tensor(tensor: Any, element_shape: Array) -> ListValue:
    check_rows(tensor, element_shape)
    return ListValue.cut(rows_of(tensor), rows=tensor)


def _from_tensor_vjp(g: Any, tensor_type: Any) -> Any:
    return ROWS(g, shape_of(tensor_type), element_dtype=tensor_type.dtype) if tensor_type.dtype.trainable else None


FROM_TENSOR: Op = define(
    "TensorListFromTensor", "tensor:any element_shape:Tshape=", _from_tensor_type, _from_tensor,
    {"tensor": _from_tensor_vjp}, holomorphic=False,
    dtypes={"Tshape": INDEX},
    gradient_names="TensorListStack",
    traits=Traits(moves=True),
)  # fmt: skip


def _rows_or_zeros(input_handle: ListValue, shape: Array, *, element_dtype: DType) -> np.ndarray:
    found = zeros(shape, element_dtype)
    for i, item in enumerate(input_handle.items()[: int(shape[0])]):
        if item is not None:
            found[i] = item
    return found


ROWS: Op = define(
    "TensorListRowsOrZeros", "input_handle:variant shape:int32",
    lambda input_handle, shape, *, element_dtype: TensorType(dims_in(shape), element_dtype), _rows_or_zeros,
    {"input_handle": lambda g: FROM_TENSOR(g, -1)}, holomorphic=False,
)  # fmt: skip


def _concat(input_handle: ListValue, element_shape: Array, leading_dims: Array, *, element_dtype: DType) -> tuple[Any, Any]:
    items = input_handle.items()
    if input_handle.kind is not None:
        element_shape = input_handle.kind.read(element_shape, element_dtype)
    wanted: Dims = None if element_shape.ndim == 0 else tuple(int(n) for n in element_shape)
    if () in [np.shape(item) for item in items if item is not None]:
        i = next(i for i, item in enumerate(items) if item is not None and not np.shape(item))
        raise InvalidArgumentError(None, None, f"Concat saw a scalar shape at index {i} but requires at least vectors.")
    if not items or any(item is None for item in items):
        if wanted is None or -1 in wanted:
            what = "an empty list" if not items else "a list with uninitialized elements"
            raise InvalidArgumentError(None, None, f"Tried to concat elements of {what} with non-fully-defined element_shape")
        items = [zeros(wanted, element_dtype) if item is None else item for item in items]
    if not items:
        return zeros((0, *wanted[1:]), element_dtype), np.zeros(0, np.int64)  # type: ignore[index]
    rest = np.shape(items[0])[1:]
    for i, item in enumerate(items):
        if np.shape(item)[1:] != rest:
            shapes = f"{show(np.shape(items[0]))} and {show(np.shape(item))} at index {i}"
            raise InvalidArgumentError(None, None, f"Tried to concat tensors with unequal shapes: {shapes}")
    lengths = np.array([len(item) for item in items], np.int64)
    return (np.concatenate(items) if input_handle.parts is None else input_handle.parts), lengths


def _concat_type(input_handle: Any, element_shape: Any, leading_dims: Any, *, element_dtype: DType) -> tuple[TensorType, TensorType]:
    dims = element_dims(element_shape)
    if dims == ():
        eagerly = "Concat saw a scalar shape at index 0 but requires at least vectors."
        raise ShapeError("Shapes must be equal rank, but are 1 and 0", eagerly)
    return TensorType(None if dims is None else (None, *dims[1:]), element_dtype), TensorType((None,), int64)


CONCAT: Op = define(
    "TensorListConcatV2", "input_handle:variant element_shape:Tshape= leading_dims:int64", _concat_type, _concat,
    {"input_handle": lambda g_tensor, lengths: None if g_tensor is None else SPLIT(g_tensor, -1, lengths)},
    outputs="tensor lengths", dtypes={"Tshape": INDEX}, holomorphic=False,
)  # fmt: skip


def _split(tensor: Any, element_shape: Array, lengths: Array) -> ListValue:
    if not np.ndim(tensor):
        raise InvalidArgumentError(None, None, f"Tensor must be at least a vector, but saw shape: {show(np.shape(tensor))}")
    sizes = lengths.tolist()
    if min(sizes, default=0) < 0:
        raise InvalidArgumentError(None, None, f"Invalid value in lengths: {min(sizes)}")
    used = sum(sizes)
    if used > len(tensor):
        raise InvalidArgumentError(None, None, f"Attempting to slice [0, {used}] from tensor with length {len(tensor)}")
    if used < len(tensor):
        raise InvalidArgumentError(None, None, f"Unused values in tensor. Length of tensor: {len(tensor)} Values used: {used}")
    return ListValue.cut([tensor[end - n : end] for n, end in zip(sizes, accumulate(sizes), strict=True)], parts=tensor)


def _split_type(tensor: Any, element_shape: Any, lengths: Any) -> TensorType:
    if tensor.dims == ():
        raise ShapeError("Shape must be at least rank 1 but is rank 0", "Tensor must be at least a vector, but saw shape: []")
    return LIST


SPLIT: Op = define(
    "TensorListSplit", "tensor:any element_shape:Tshape= lengths:int64", _split_type, _split,
    {"tensor": lambda g, lengths, tensor_type: JOIN(g, lengths, shape_of(tensor_type), element_dtype=tensor_type.dtype)}, holomorphic=False,
    dtypes={"Tshape": INDEX},
)  # fmt: skip


def _join(input_handle: ListValue, lengths: Array, shape: Array, *, element_dtype: DType) -> Any:
    found = zeros(shape, element_dtype)
    for item, n, end in zip(input_handle.items(), lengths, np.cumsum(lengths), strict=False):
        if item is not None:
            found[end - n : end] = item
    return found


JOIN: Op = define(
    "TensorListJoinOrZeros", "input_handle:variant lengths:int64 shape:int32",
    lambda input_handle, lengths, shape, *, element_dtype: TensorType(dims_in(shape), element_dtype), _join,
    {"input_handle": lambda g, lengths: SPLIT(g, -1, lengths)}, holomorphic=False,
)  # fmt: skip
