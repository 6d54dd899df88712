"""Batching rules of lists of tensors.

The lists of all rows are one list of the same length, each of whose elements has a leading axis of rows.  Indices that differ from row to
row read and write the elements as one tensor.  Lists that differ in length from row to row cannot be batched.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...base.shapes import as_dims
from ..array.basic import identity
from ..array.gather import GATHER as GATHER_V2
from ..array.join import STACK as PACK
from ..array.scatter import tensor_scatter_nd_update
from ..array.shape import expand_dims, squeeze
from ..batching import Batched, Same, batches, content
from ..tensor_list.concat_scatter import CONCAT as CONCAT_OF_SIZES, CONCAT_LISTS, ELEMENT_SHAPE, SCATTER_NEW, SCATTER_NEW_V2
from ..tensor_list.declared import DECLARE
from ..tensor_list.items import CLEAR, GATHER, GET, PLACE, RESIZE, SCATTER, SET, TAKE
from ..tensor_list.push_pop import ADD, ADD_ALIKE, DROP, LENGTH, POP, PUSH, SKIP, ZEROS
from ..tensor_list.stack import CONCAT as WHOLE_CONCAT, FROM_TENSOR, JOIN, ROWS, SPLIT, STACK
from ..tensor_list.vmap_rules import REPEAT, SUM, SWAP
from .base import Rows, cut_start, join_vectors, sizes

if TYPE_CHECKING:
    from ...base.dtypes import DType
    from ...ir.tensor import Tensor


def _element_shape(rows: Rows, shape: Any) -> Any:
    """What is told of an element's shape, for an element with rows; the scalar -1 tells nothing."""
    return shape if shape.dims == () else rows.before(shape)


def _insert_rows(rows: Rows, shape: Any) -> Any:
    """A shape with the number of rows behind its first entry."""
    known = content(shape)
    entries = known if known is not None else shape
    return join_vectors(join_vectors(entries[:1], [rows.count()]), cut_start(shape, 1))


@batches(CONCAT_LISTS, PUSH, SKIP, DROP, ZEROS, ADD, ADD_ALIKE)
def batch_elements(rows: Rows, *lists: Any, **attrs: Any) -> Batched:
    """For an op of lists and of elements to put into them."""
    return rows.op(*rows.all_stacked(lists), **attrs)


@batches(POP)
def pop(rows: Rows, input_handle: Tensor, *, element_dtype: DType, dims: Any) -> Batched:
    """The last element of every row's list."""
    known = rows.size if isinstance(rows.size, int) else None
    return POP(input_handle, element_dtype=element_dtype, dims=None if dims is None else (known, *dims))


@batches(DECLARE)
def declare(rows: Rows, input_handle: Tensor, element_shape: Tensor, most: Tensor, *, element_dtype: DType) -> Batched:
    """Every row's list as it is: its elements have an axis more than declared."""
    return input_handle


@batches(LENGTH)
def length(rows: Rows, input_handle: Tensor) -> Batched:
    """All lists are of one length."""
    return Same(LENGTH(input_handle))


@batches(CLEAR, RESIZE)
def batch_at_indices(rows: Rows, input_handle: Tensor, indices: Tensor) -> Batched:
    """For an op of a list and indices that all rows share."""
    return NotImplemented if rows.has(indices) else rows.op(input_handle, indices)


@batches(GET)
def get(rows: Rows, input_handle: Tensor, index: Tensor, element_shape: Tensor, *, element_dtype: DType) -> Batched:
    """An element of every row's list; where rows have indices of their own, of all elements as one tensor."""
    if rows.has(element_shape):
        return NotImplemented
    if not rows.has(index):
        return rows.op(input_handle, index, _element_shape(rows, element_shape), element_dtype=element_dtype)
    if not rows.has(input_handle):
        return GATHER(input_handle, index, element_shape, element_dtype=element_dtype)
    whole = _stack_list(rows, input_handle, _element_shape(rows, element_shape), element_dtype)
    found = GATHER_V2(whole, expand_dims(index, np.int32(1)), np.int32(1), batch_dims=1)
    return squeeze(found, axis=(1,))


def _stack_list(rows: Rows, input_handle: Any, element_shape: Any, element_dtype: Any) -> Any:
    """All elements of a stacked list as one tensor, rows first."""
    return rows.swap_axes(STACK(input_handle, element_shape, element_dtype=element_dtype, num_elements=-1))


@batches(SET)
def set_item(rows: Rows, input_handle: Tensor, index: Tensor, item: Tensor, **attrs: Any) -> Tensor:
    """An element of every row's list; where rows have indices of their own, all elements become one tensor meanwhile."""
    input_handle, item = rows.stack(input_handle), rows.stack(item)
    if not rows.has(index):
        return rows.op(input_handle, index, item, **attrs)
    whole = _stack_list(rows, input_handle, sizes(item), item.dtype)
    places = PACK([identity(rows.numbers(index)), index], axis=1)
    changed = tensor_scatter_nd_update(whole, places, item)
    return FROM_TENSOR(rows.swap_axes(changed), np.int32(-1))


@batches(TAKE)
def take(rows: Rows, input_handle: Tensor, indices: Tensor, shape: Tensor, *, element_dtype: DType, last: bool) -> Batched:
    """Elements at places that all rows share."""
    if rows.has(indices, shape) or indices.dims is None:
        return NotImplemented
    if indices.dims == ():
        return rows.op(input_handle, indices, rows.before(shape), element_dtype=element_dtype, last=last)
    return rows.swap_axes(rows.op(input_handle, indices, _insert_rows(rows, shape), element_dtype=element_dtype, last=last))


@batches(PLACE)
def place(rows: Rows, tensor: Tensor, indices: Tensor, *, last: bool) -> Batched:
    """Elements put at places that all rows share."""
    if rows.has(indices) or indices.dims is None:
        return NotImplemented
    return rows.op(tensor if indices.dims == () else rows.swap_axes(tensor), indices, last=last)


@batches(GATHER)
def gather(rows: Rows, input_handle: Tensor, indices: Tensor, element_shape: Tensor, *, element_dtype: DType) -> Batched:
    """Elements at places that all rows share, or else out of all elements as one tensor."""
    if rows.has(element_shape):
        return NotImplemented
    shape = _element_shape(rows, element_shape)
    if not rows.has(indices):
        return rows.swap_axes(rows.op(input_handle, indices, shape, element_dtype=element_dtype))
    whole = _stack_list(rows, rows.stack(input_handle), shape, element_dtype)
    return GATHER_V2(whole, indices, np.int32(1), batch_dims=1)


@batches(SCATTER)
def scatter(rows: Rows, input_handle: Tensor, tensor: Tensor, indices: Tensor) -> Batched:
    """Elements at places that all rows share."""
    if rows.has(indices):
        return NotImplemented
    return rows.op(rows.stack(input_handle), rows.swap_axes(rows.stack(tensor)), indices)


@batches(SCATTER_NEW, SCATTER_NEW_V2)
def scatter_new(rows: Rows, tensor: Tensor, indices: Tensor, element_shape: Tensor, *count: Any) -> Batched:
    """A list of elements at places that all rows share."""
    if rows.has(indices, element_shape, *count):
        return NotImplemented
    return rows.op(rows.swap_axes(rows.stack(tensor)), indices, _element_shape(rows, element_shape), *count)


@batches(STACK)
def stack(rows: Rows, input_handle: Tensor, element_shape: Tensor, *, element_dtype: DType, num_elements: int) -> Tensor:
    """All elements as one tensor, rows first."""
    if rows.has(element_shape):
        return NotImplemented
    shape = _element_shape(rows, element_shape)
    return rows.swap_axes(rows.op(input_handle, shape, element_dtype=element_dtype, num_elements=num_elements))


@batches(FROM_TENSOR)
def from_tensor(rows: Rows, tensor: Tensor, element_shape: Tensor) -> Tensor:
    """The entries of the second axis are the elements."""
    return NotImplemented if rows.has(element_shape) else rows.op(rows.swap_axes(tensor), _element_shape(rows, element_shape))


@batches(ROWS)
def rows_or_zeros(rows: Rows, input_handle: Tensor, shape: Tensor, *, element_dtype: DType) -> Batched:
    """The adjoint of `from_tensor`."""
    if rows.has(shape):
        return NotImplemented
    return rows.swap_axes(rows.op(input_handle, _insert_rows(rows, shape), element_dtype=element_dtype))


@batches(WHOLE_CONCAT)
def concat(rows: Rows, input_handle: Tensor, element_shape: Tensor, leading_dims: Tensor, *, element_dtype: DType) -> Batched:
    """Elements are joined along their second axis."""
    if rows.has(element_shape, leading_dims):
        return NotImplemented
    shape = element_shape if element_shape.dims == () else _insert_rows(rows, element_shape)
    joint, lengths = rows.op(SWAP(input_handle), shape, leading_dims, element_dtype=element_dtype)
    return rows.swap_axes(joint), Same(lengths)


@batches(CONCAT_OF_SIZES)
def concat_v1(rows: Rows, input_handle: Tensor, *, element_dtype: DType, element_shape: object) -> Batched:
    """The same where the shape of an element is an attribute."""
    known = rows.size if isinstance(rows.size, int) else None
    if element_shape is not None:
        first, *rest = as_dims(element_shape) or ()
        element_shape = (first, known, *rest)
    joint, lengths = rows.op(SWAP(input_handle), element_dtype=element_dtype, element_shape=element_shape)
    return rows.swap_axes(joint), Same(lengths)


@batches(ELEMENT_SHAPE)
def element_shape(rows: Rows, input_handle: Tensor, *, shape_type: object, without: int) -> Batched:
    """Elements have rows in front, which no row knows of."""
    return Same(rows.op(input_handle, shape_type=shape_type, without=without + 1))


@batches(SPLIT)
def split(rows: Rows, tensor: Tensor, element_shape: Tensor, lengths: Tensor) -> Batched:
    """Rows are cut along their first axis, in pieces of lengths that all share."""
    if rows.has(element_shape, lengths):
        return NotImplemented
    shape = element_shape if element_shape.dims == () else _insert_rows(rows, element_shape)
    return SWAP(rows.op(rows.swap_axes(tensor), shape, lengths))


@batches(JOIN)
def join(rows: Rows, input_handle: Tensor, lengths: Tensor, shape: Tensor, *, element_dtype: DType) -> Batched:
    """The adjoint of `split`."""
    if rows.has(lengths, shape):
        return NotImplemented
    found = rows.op(SWAP(input_handle), lengths, _insert_rows(rows, shape), element_dtype=element_dtype)
    return rows.swap_axes(found)


@batches(REPEAT)
def repeat(rows: Rows, input_handle: Tensor, number: Tensor) -> Batched:
    """Rows of the batching inside another: the new axis stands behind the one that is there."""
    if rows.has(number):
        return NotImplemented
    return SWAP(rows.op(input_handle, number))


@batches(SUM)
def sum_rows(rows: Rows, input_handle: Tensor, number: Tensor) -> Batched:
    """The adjoint of `repeat`."""
    if rows.has(number):
        return NotImplemented
    return rows.op(SWAP(input_handle), number)


@batches(SWAP)
def swap(rows: Rows, input_handle: Tensor, *, axis: int) -> Batched:
    """The axes of each element stand one further back."""
    return rows.op(input_handle, axis=axis + 1)
