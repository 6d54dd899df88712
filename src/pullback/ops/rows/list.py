"""Batching rules of lists of tensors.

The lists of all rows are one list of the same length, each of whose elements has a leading axis of rows.  Indices that differ from row to
row read and write the elements as one tensor.  Lists that differ in length from row to row cannot be batched.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.shapes import as_dims
from ...ir.op import OPS
from .kinds import Rows, Same, content, cut, joined, sizes


def _element_shape(rows: Rows, shape: Any) -> Any:
    """What is told of an element's shape, for an element with rows; the scalar -1 tells nothing."""
    return shape if shape.dims == () else rows.before(shape)


def _behind(rows: Rows, shape: Any) -> Any:
    """A shape with the number of rows behind its first entry."""
    known = content(shape)
    entries = known if known is not None else shape
    return joined(joined(entries[:1], [rows.count()]), cut(shape, 1))


def both(rows: Rows, *lists: Any, **attrs: Any) -> Any:
    """For an op of lists and of elements to put into them."""
    return rows.op(*rows.all_stacked(lists), **attrs)


def pop(rows: Rows, input_handle: Any, *, element_dtype: Any, dims: Any) -> Any:
    """The last element of every row's list."""
    known = rows.size if isinstance(rows.size, int) else None
    return OPS["TensorListPopBack"](input_handle, element_dtype=element_dtype, dims=None if dims is None else (known, *dims))


def length(rows: Rows, input_handle: Any) -> Any:
    """All lists are of one length."""
    return Same(OPS["TensorListLength"](input_handle))


def at_indices(rows: Rows, input_handle: Any, indices: Any) -> Any:
    """For an op of a list and indices that all rows share."""
    return NotImplemented if rows.has(indices) else rows.op(input_handle, indices)


def get(rows: Rows, input_handle: Any, index: Any, element_shape: Any, *, element_dtype: Any) -> Any:
    """An element of every row's list; where rows have indices of their own, of all elements as one tensor."""
    if rows.has(element_shape):
        return NotImplemented
    if not rows.has(index):
        return rows.op(input_handle, index, _element_shape(rows, element_shape), element_dtype=element_dtype)
    if not rows.has(input_handle):
        return OPS["TensorListGather"](input_handle, index, element_shape, element_dtype=element_dtype)
    whole = _whole(rows, input_handle, _element_shape(rows, element_shape), element_dtype)
    found = OPS["GatherV2"](whole, OPS["ExpandDims"](index, np.int32(1)), np.int32(1), batch_dims=1)
    return OPS["Squeeze"](found, squeeze_dims=(1,))


def _whole(rows: Rows, input_handle: Any, element_shape: Any, element_dtype: Any) -> Any:
    """All elements of a stacked list as one tensor, rows first."""
    return rows.swapped(OPS["TensorListStack"](input_handle, element_shape, element_dtype=element_dtype, num_elements=-1))


def set_item(rows: Rows, input_handle: Any, index: Any, item: Any, **attrs: Any) -> Any:
    """An element of every row's list; where rows have indices of their own, all elements become one tensor meanwhile."""
    input_handle, item = rows.stacked(input_handle), rows.stacked(item)
    if not rows.has(index):
        return rows.op(input_handle, index, item, **attrs)
    whole = _whole(rows, input_handle, sizes(item), item.dtype)
    places = OPS["Pack"]([OPS["Identity"](rows.numbers(index)), index], axis=1)
    changed = OPS["TensorScatterUpdate"](whole, places, item)
    return OPS["TensorListFromTensor"](rows.swapped(changed), np.int32(-1))


def take(rows: Rows, input_handle: Any, indices: Any, shape: Any, *, element_dtype: Any, last: bool) -> Any:
    """Elements at places that all rows share."""
    if rows.has(indices, shape) or indices.dims is None:
        return NotImplemented
    if indices.dims == ():
        return rows.op(input_handle, indices, rows.before(shape), element_dtype=element_dtype, last=last)
    return rows.swapped(rows.op(input_handle, indices, _behind(rows, shape), element_dtype=element_dtype, last=last))


def place(rows: Rows, tensor: Any, indices: Any, *, last: bool) -> Any:
    """Elements put at places that all rows share."""
    if rows.has(indices) or indices.dims is None:
        return NotImplemented
    return rows.op(tensor if indices.dims == () else rows.swapped(tensor), indices, last=last)


def gather(rows: Rows, input_handle: Any, indices: Any, element_shape: Any, *, element_dtype: Any) -> Any:
    """Elements at places that all rows share, or else out of all elements as one tensor."""
    if rows.has(element_shape):
        return NotImplemented
    shape = _element_shape(rows, element_shape)
    if not rows.has(indices):
        return rows.swapped(rows.op(input_handle, indices, shape, element_dtype=element_dtype))
    whole = _whole(rows, rows.stacked(input_handle), shape, element_dtype)
    return OPS["GatherV2"](whole, indices, np.int32(1), batch_dims=1)


def scatter(rows: Rows, input_handle: Any, tensor: Any, indices: Any) -> Any:
    """Elements at places that all rows share."""
    if rows.has(indices):
        return NotImplemented
    return rows.op(rows.stacked(input_handle), rows.swapped(rows.stacked(tensor)), indices)


def scatter_new(rows: Rows, tensor: Any, indices: Any, element_shape: Any, *count: Any) -> Any:
    """A list of elements at places that all rows share."""
    if rows.has(indices, element_shape, *count):
        return NotImplemented
    return rows.op(rows.swapped(rows.stacked(tensor)), indices, _element_shape(rows, element_shape), *count)


def stack(rows: Rows, input_handle: Any, element_shape: Any, *, element_dtype: Any, num_elements: int) -> Any:
    """All elements as one tensor, rows first."""
    if rows.has(element_shape):
        return NotImplemented
    shape = _element_shape(rows, element_shape)
    return rows.swapped(rows.op(input_handle, shape, element_dtype=element_dtype, num_elements=num_elements))


def from_tensor(rows: Rows, tensor: Any, element_shape: Any) -> Any:
    """The entries of the second axis are the elements."""
    return NotImplemented if rows.has(element_shape) else rows.op(rows.swapped(tensor), _element_shape(rows, element_shape))


def rows_or_zeros(rows: Rows, input_handle: Any, shape: Any, *, element_dtype: Any) -> Any:
    """The adjoint of `from_tensor`."""
    if rows.has(shape):
        return NotImplemented
    return rows.swapped(rows.op(input_handle, _behind(rows, shape), element_dtype=element_dtype))


def concat(rows: Rows, input_handle: Any, element_shape: Any, leading_dims: Any, *, element_dtype: Any) -> Any:
    """Elements are joined along their second axis."""
    if rows.has(element_shape, leading_dims):
        return NotImplemented
    shape = element_shape if element_shape.dims == () else _behind(rows, element_shape)
    joint, lengths = rows.op(OPS["TensorListSwapAxes"](input_handle), shape, leading_dims, element_dtype=element_dtype)
    return rows.swapped(joint), Same(lengths)


def concat_older(rows: Rows, input_handle: Any, *, element_dtype: Any, element_shape: Any) -> Any:
    """The same where the shape of an element is an attribute."""
    known = rows.size if isinstance(rows.size, int) else None
    if element_shape is not None:
        first, *rest = as_dims(element_shape) or ()
        element_shape = (first, known, *rest)
    joint, lengths = rows.op(OPS["TensorListSwapAxes"](input_handle), element_dtype=element_dtype, element_shape=element_shape)
    return rows.swapped(joint), Same(lengths)


def element_shape(rows: Rows, input_handle: Any, *, shape_type: Any, without: int) -> Any:
    """Elements have rows in front, which no row knows of."""
    return Same(rows.op(input_handle, shape_type=shape_type, without=without + 1))


def split(rows: Rows, tensor: Any, element_shape: Any, lengths: Any) -> Any:
    """Rows are cut along their first axis, in pieces of lengths that all share."""
    if rows.has(element_shape, lengths):
        return NotImplemented
    shape = element_shape if element_shape.dims == () else _behind(rows, element_shape)
    return OPS["TensorListSwapAxes"](rows.op(rows.swapped(tensor), shape, lengths))


def join(rows: Rows, input_handle: Any, lengths: Any, shape: Any, *, element_dtype: Any) -> Any:
    """The adjoint of `split`."""
    if rows.has(lengths, shape):
        return NotImplemented
    found = rows.op(OPS["TensorListSwapAxes"](input_handle), lengths, _behind(rows, shape), element_dtype=element_dtype)
    return rows.swapped(found)


def repeat(rows: Rows, input_handle: Any, number: Any) -> Any:
    """Rows of the batching inside another: the new axis stands behind the one that is there."""
    if rows.has(number):
        return NotImplemented
    return OPS["TensorListSwapAxes"](rows.op(input_handle, number))


def sum_rows(rows: Rows, input_handle: Any, number: Any) -> Any:
    """The adjoint of `repeat`."""
    if rows.has(number):
        return NotImplemented
    return rows.op(OPS["TensorListSwapAxes"](input_handle), number)



def swap(rows: Rows, input_handle: Any, *, axis: int) -> Any:
    """The axes of each element stand one further back."""
    return rows.op(input_handle, axis=axis + 1)
