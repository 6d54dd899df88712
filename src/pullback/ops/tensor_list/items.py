"""Lists of tensors by their elements: reserve, get, set, gather, scatter, resize, with what they are adjoint to.

The cotangent of reading is a list with one place filled, which costs the same for a long list as for a short one; whoever adds it
to another list writes one place.  Reading a cotangent (`TAKE`) gives zeros for an empty place and past the end.
Adjoint partners: `TAKE` and `PLACE`; `CLEAR` is its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...base.dtypes import INDEX, DType, as_dtype, variant
from ...base.errors import InvalidArgumentError
from ...base.shapes import show
from ...ir.apply import ShapeError
from ...ir.op import Op, Traits, define
from ...ir.tensor import Dims, SymbolicTensor, Tensor, TensorType
from ..array.basic import shape_of
from ..array.type_rules import dims_in, known_int, shape_in
from ..batching import answer_once
from .value import ListValue

Array = np.ndarray[Any, Any]
LIST = TensorType((), variant)


def element_dims(element_shape: Tensor) -> Dims:
    """The dims that an `element_shape` input (a vector with -1 for unknown sizes, or the scalar -1) describes."""
    return None if element_shape.dims == () else dims_in(element_shape)


def declared_dims(element_shape: Tensor) -> Dims:
    """`element_dims` of a list that is made, where the scalar must be -1, known while a graph is built, and no size may be below it."""
    if element_shape.dims == ():
        known = known_int(element_shape)
        if known != -1 and (known is not None or isinstance(element_shape, SymbolicTensor)):
            text = "A shape that is a scalar is not known, which the value -1 says"
            raise ShapeError(text, text)
        return None
    return shape_in(element_shape)


def check_elements(listed: ListValue, element_shape: Array, dtype: DType) -> Array:
    """Refuse to read elements as of another dtype, or of another shape than the first one's; the shape with all that is known of it."""
    if listed.kind is not None:
        element_shape = listed.kind.read(element_shape, dtype)
    if element_shape.ndim:
        sizes = element_shape.tolist()
        first = next((np.shape(item) for item in listed.items() if item is not None), tuple(sizes))
        if list(first) != sizes and (len(first) != len(sizes) or any(n not in (-1, m) for m, n in zip(first, sizes, strict=True))):
            wrong = f"PartialTensorShape: Incompatible shapes during merge: {sizes} vs. {show(first)}"
            raise InvalidArgumentError(None, None, wrong)
    return element_shape


def full_shape(items: Sequence[Any], element_shape: Array, refused: str) -> tuple[int, ...]:
    """The shape of an element that was never written: the one given, or that of any other element."""
    given = None if element_shape.ndim == 0 else tuple(int(n) for n in element_shape)
    if given is not None and -1 not in given:
        return given
    for item in items:
        if item is not None:
            return tuple(item.shape)
    known = None if given is None else tuple(None if n < 0 else n for n in given)
    raise InvalidArgumentError(None, None, refused.format(show(known)))


def zeros(shape: Any, dtype: DType) -> Any:
    """What an element never written is read as."""
    kind = dtype.base_dtype.numpy_dtype
    return np.full(tuple(shape), b"", object) if kind.kind == "O" else np.zeros(tuple(shape), kind)


def _reserve(element_shape: Array, num_elements: Array, *, element_dtype: DType) -> ListValue:
    if num_elements < 0:
        raise InvalidArgumentError(None, None, f"The num_elements to reserve must be a non negative number, but got {num_elements}")
    return ListValue([None] * int(num_elements))


def rows_of(tensor: Any) -> list[Any]:
    """The rows of an array, each an array."""
    if tensor.dtype.kind == "O":
        return [tensor[i : i + 1].reshape(tensor.shape[1:]) for i in range(len(tensor))]
    return list(tensor) if tensor.ndim > 1 else [np.asarray(row) for row in tensor]


RESERVE: Op = define(
    "TensorListReserve",
    "element_shape:Tshape= num_elements:int32",
    lambda element_shape, num_elements, *, element_dtype: LIST,
    _reserve,
    {},
    dtypes={"Tshape": INDEX},
    batch=answer_once,
)

# ---- adjoint partners: places of a list taken out with zeros where nothing is, and tensors put in places


def _numbers(indices: Any) -> list[int]:
    found: list[int] = np.ravel(indices).tolist()
    return found


def _item(items: Sequence[Any], i: int, shape: Any, dtype: DType) -> np.ndarray:
    item = items[i] if i < len(items) else None
    return zeros(shape, dtype) if item is None else item


def _flag_last(numbers: list[int]) -> list[bool]:
    """Of places written in turn, whether nothing comes after in the same place."""
    last = {i: at for at, i in enumerate(numbers)}
    return [last[i] == at for at, i in enumerate(numbers)]


def _take(input_handle: ListValue, indices: Array, shape: Array, *, element_dtype: DType, last: bool) -> Any:
    items = input_handle.items()
    if np.ndim(indices) == 0:
        return _item(items, int(indices), shape, element_dtype)
    numbers = _numbers(indices)
    rows = [_item(items, i, shape[1:], element_dtype) for i in numbers]
    if last:
        rows = [row if kept else zeros(shape[1:], element_dtype) for row, kept in zip(rows, _flag_last(numbers), strict=True)]
    return np.stack(rows) if rows else zeros(shape, element_dtype)


def _place(tensor: Any, indices: Array, *, last: bool) -> ListValue:
    if np.ndim(indices) == 0:
        return ListValue.of([(int(indices), tensor)])
    places: dict[int, Any] = {}
    numbers = _numbers(indices)
    for i, row, kept in zip(numbers, rows_of(tensor), _flag_last(numbers), strict=True):
        if kept or not last:
            places[i] = places[i] + row if i in places else row
    return ListValue.of(list(places.items()))


def _clear(input_handle: ListValue, indices: Array) -> ListValue:
    numbers = [i for i in _numbers(indices) if i < input_handle.length]
    return input_handle.put(numbers, [None] * len(numbers)) if numbers else input_handle


TAKE: Op = define(
    "TensorListTakeOrZeros", "input_handle:variant indices:int32 shape:int32",
    lambda input_handle, indices, shape, *, element_dtype, last=False: TensorType(dims_in(shape), element_dtype), _take,
    {"input_handle": lambda g, indices, last: PLACE(g, indices, last=last)}, holomorphic=False,
)  # fmt: skip
PLACE: Op = define(
    "TensorListPlace", "tensor:any indices:int32", lambda tensor, indices, *, last=False: LIST, _place,
    {"tensor": lambda g, indices, tensor_type, last: TAKE(g, indices, shape_of(tensor_type), element_dtype=tensor_type.dtype, last=last)},
    holomorphic=False,
)  # fmt: skip
CLEAR: Op = define(
    "TensorListClear", "input_handle:variant indices:int32", lambda input_handle, indices: LIST, _clear,
    {"input_handle": lambda g, indices: CLEAR(g, indices)}, holomorphic=False,
)  # fmt: skip

# ---- one element


def _get(input_handle: ListValue, index: Array, element_shape: Array, *, element_dtype: DType) -> np.ndarray:
    at = int(index)
    if not 0 <= at < input_handle.length:
        raise InvalidArgumentError(None, None, f"Trying to access element {at} in a list with {input_handle.length} elements.")
    items = input_handle.items()
    if input_handle.kind is not None:
        input_handle.kind.check_dtype(element_dtype)
    if items[at] is not None:
        return items[at]
    if input_handle.kind is not None:
        element_shape = input_handle.kind.merge_shape(element_shape)
    refused = f"Trying to read an uninitialized tensor (index {at}) but element_shape is not fully defined: {{}} and no element is set."
    return zeros(full_shape(items, element_shape, refused), element_dtype)


GET: Op = define(
    "TensorListGetItem", "input_handle:variant index:int32 element_shape:Tshape",
    lambda input_handle, index, element_shape, *, element_dtype: TensorType(element_dims(element_shape), element_dtype), _get,
    {"input_handle": lambda g, index: PLACE(g, index) if g.dtype.trainable else None}, dtypes={"Tshape": INDEX}, holomorphic=False,
    traits=Traits(chooses="the reader took"),
)  # fmt: skip


def _set(input_handle: ListValue, index: Array, item: Any, *, resize_if_index_out_of_bounds: bool, once: bool) -> ListValue:
    at = int(index)
    if resize_if_index_out_of_bounds and at >= input_handle.length:
        input_handle = input_handle.resize(at + 1)
    if not 0 <= at < input_handle.length:
        raise InvalidArgumentError(None, None, f"Trying to modify element {at} in a list with {input_handle.length} elements.")
    if once and input_handle.items()[at] is not None:
        raise InvalidArgumentError(None, None, f"Could not write to TensorArray index {at} because it has already been written to.")
    return input_handle.write(at, item)


def _set_vjp(g: Any, index: Any, item_type: Any) -> tuple[Any, Any]:
    taken = TAKE(g, index, shape_of(item_type), element_dtype=item_type.dtype) if item_type.dtype.trainable else None
    return CLEAR(g, index), taken


SET: Op = define(
    "TensorListSetItem", "input_handle:variant index:int32 item:any",
    lambda input_handle, index, item, *, resize_if_index_out_of_bounds=False, once=False: LIST, _set,
    {("input_handle", "item"): _set_vjp}, holomorphic=False, gradient_names="TensorListSetItem TensorListGetItem",
    traits=Traits(moves=True, internal=("once",)),
)  # fmt: skip

# ---- several elements


def _gather(input_handle: ListValue, indices: Array, element_shape: Array, *, element_dtype: DType) -> Any:
    items = input_handle.items()
    numbers = _numbers(indices)
    if numbers and not 0 <= min(numbers) <= max(numbers) < len(items):
        wrong = next(i for i in numbers if not 0 <= i < len(items))
        raise InvalidArgumentError(None, None, f"Index {wrong} out of range; list only has {len(items)} elements.")
    if numbers and input_handle.rows is not None:
        if input_handle.kind is not None:
            input_handle.kind.read(element_shape, element_dtype)
        return input_handle.rows.take(np.ravel(indices), axis=0)
    element_shape = check_elements(input_handle, element_shape, element_dtype)
    rows = [items[i] for i in numbers]
    if None in [None if row is None else True for row in rows] or not rows:
        refused = "Tried to gather elements never written from a list with non-fully-defined element_shape: {}"
        shape = full_shape(items, element_shape, refused)
        if not rows:
            return zeros((0, *shape), element_dtype)
        rows = [zeros(shape, element_dtype) if row is None else row for row in rows]
    return stack_elements(rows)


def stack_elements(rows: Sequence[Any]) -> np.ndarray:
    """The elements as the rows of one array."""
    first = rows[0].shape
    if len({row.shape for row in rows}) > 1:
        i, other = next((i, row.shape) for i, row in enumerate(rows) if row.shape != first)
        raise InvalidArgumentError(
            None, None, f"Tried to stack tensors with unequal shapes: {show(first)} at index 0 and {show(other)} at index {i}"
        )
    return np.concatenate(rows).reshape(len(rows), *first) if first else np.stack(rows)  # the former asks less of each row


def _gather_type(input_handle: Any, indices: Any, element_shape: Any, *, element_dtype: DType) -> TensorType:
    rest, count = element_dims(element_shape), None if indices.dims is None else indices.dims[0]
    return TensorType(None if rest is None else (count, *rest), element_dtype)


GATHER: Op = define(
    "TensorListGather", "input_handle:variant indices:int32 element_shape:int32", _gather_type, _gather,
    {"input_handle": lambda g, indices: PLACE(g, indices) if g.dtype.trainable else None}, holomorphic=False,
    traits=Traits(moves=True),
)  # fmt: skip


def _scatter(input_handle: ListValue, tensor: Any, indices: Array) -> ListValue:
    numbers = _numbers(indices)
    if len(numbers) != len(tensor):
        raise InvalidArgumentError(
            None, None, f"Specified a list with {len(tensor)} elements but number of indices is {len(numbers)} in the scatter"
        )
    if numbers and min(numbers) < 0:
        raise InvalidArgumentError(None, None, f"Indices in TensorListScatter must all be non-negative, got {min(numbers)}")
    if numbers and input_handle.kind is not None:
        input_handle.kind.check_dtype(as_dtype(tensor.dtype))
    if numbers and max(numbers) >= input_handle.length:
        input_handle = input_handle.resize(max(numbers) + 1)
    return input_handle.put(numbers, rows_of(tensor)) if numbers else input_handle


def _scatter_vjp(g: Any, tensor_type: Any, indices: Any) -> tuple[Any, Any]:
    dtype = tensor_type.dtype
    return CLEAR(g, indices), TAKE(g, indices, shape_of(tensor_type), element_dtype=dtype, last=True) if dtype.trainable else None


SCATTER: Op = define(
    "TensorListScatterIntoExistingList", "input_handle:variant tensor:any indices:int32",
    lambda input_handle, tensor, indices: LIST, _scatter,
    {("input_handle", "tensor"): _scatter_vjp}, holomorphic=False,
)  # fmt: skip
RESIZE: Op = define(
    "TensorListResize", "input_handle:variant size:int32", lambda input_handle, size: LIST,
    lambda input_handle, size: input_handle.resize(_require_not_negative(size)),
    {"input_handle": lambda g, size: RESIZE(g, size)}, holomorphic=False,
)  # fmt: skip


def _require_not_negative(size: Array) -> int:
    if size < 0:
        raise InvalidArgumentError(None, None, f"TensorListResize expects size to be non-negative, got {size}")
    return int(size)
