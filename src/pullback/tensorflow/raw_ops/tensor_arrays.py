"""`tf.raw_ops.TensorArrayV3` and what goes with it, in all three versions: TensorArrays by a handle and a flow.

In TensorFlow the handle is a resource that ops change, and the flow, a number nobody reads, puts them in order.  Here the flow is the
list of tensors itself and the handle says what kind of elements it has; so a program that hands each flow on to the next op, which it
has to for the order's sake, computes the same, and its gradients come from the list's own ops, to any order and eagerly too.
A program that does not hand a flow on after a write hears so at the next op.

An array of gradients (`TensorArrayGradV3`) is a list whose places are added to.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ...base.dtypes import as_dtype, int32, int64, variant
from ...base.errors import InvalidArgumentError
from ...base.shapes import are_compatible, as_dims, merge, show
from ...ir.apply import convert_to_tensor
from ...ir.context import current
from ...ir.tensor import Dims, DTypeLike, EagerTensor, ShapeLike, Tensor, TensorLike
from ...ops.array.shape import ensure_shape
from ...ops.effects.asserts import assert_equal, assert_less, wait_for
from ...ops.effects.operations import no_op
from ...ops.tensor_list.items import GATHER, GET, PLACE, RESERVE, SCATTER, SET
from ...ops.tensor_list.once import FRESH, ONCE
from ...ops.tensor_list.push_pop import ADD, LENGTH
from ...ops.tensor_list.stack import CONCAT, FROM_TENSOR, SPLIT, STACK


class Handle:
    """What kind of array a flow is of; made by the ops that make TensorArrays.

    dtype: of the elements.  dims: what is known of their shape; with `same`, more with every write.  grows: whether a write past the
    end makes it longer.  clears: whether an element is read once only.  sums: whether writing adds, as in arrays of gradients.
    """

    def __init__(self, dtype: Any, dims: Dims, size: Any, grows: bool, clears: bool, same: bool, sums: bool = False) -> None:
        self.dtype, self.dims, self.grows, self.clears, self.same, self.sums = dtype, dims, grows, clears, same, sums
        made = RESERVE(self.shape(), size, element_dtype=dtype)
        self.start = FRESH(made) if clears else made
        self._replaced: set[int] = set()
        self.sources: set[Any] = set()

    def shape(self) -> Any:
        """The `element_shape` input of ops on lists."""
        return convert_to_tensor(-1 if self.dims is None else [-1 if n is None else n for n in self.dims], int32)

    def list(self, flow: Any) -> Any:
        """The list of tensors that a flow is; any number is the flow to begin with."""
        if not (isinstance(flow, Tensor) and flow.dtype is variant):
            flow = self.start
        if flow.uid in self._replaced:
            wrong = "this flow is from before a write: hand the flow that the last write returned on to the next op"
            raise InvalidArgumentError(None, None, f"{wrong} ({self!r})")
        return flow

    def reads(self, flow: Tensor, dtype: DTypeLike, indices: TensorLike | None = None) -> Any:
        """`list` for an op that gives the elements at `indices`, or all of them."""
        if as_dtype(dtype) is not self.dtype:
            wrong = f"TensorArray dtype is {self.dtype.name} but Op requested dtype {as_dtype(dtype).name}."
            raise InvalidArgumentError(None, None, wrong)
        found = self.list(flow)
        if not self.clears:
            return found
        return ONCE(found, -1, every=True) if indices is None else ONCE(found, indices)

    def writes(self, flow: TensorLike, indices: TensorLike | None = None) -> Any:
        """`list` for an op that writes."""
        found = self.list(flow)
        if isinstance(found, EagerTensor):
            self._replaced.add(found.uid)
        return ONCE(found, indices, writes=True) if self.clears and indices is not None else found

    def value(self, value: TensorLike, leading: int) -> Any:
        """What an op writes: elements under `leading` dimensions, of the dtype and shape of this array."""
        value = value if isinstance(value, Tensor) else convert_to_tensor(value, self.dtype)
        if value.dtype.base_dtype is not self.dtype:
            wrong = f"TensorArray dtype is {self.dtype.name} but Op is trying to write dtype {value.dtype.name}."
            raise InvalidArgumentError(None, None, wrong)
        dims = None if value.dims is None else value.dims[leading:]
        if not are_compatible(dims, self.dims):
            wrong = f"the value's shape is {show(dims)}, which is incompatible with the TensorArray's element shape {show(self.dims)}"
            raise InvalidArgumentError(None, None, f"Could not write to TensorArray because {wrong}.")
        if self.same:
            self.dims = merge(dims, self.dims)
        return value

    def __repr__(self) -> str:
        return f"<handle of a TensorArray: dtype={self.dtype.name}, shape={show(self.dims)}>"


class Made(NamedTuple):
    """A new TensorArray."""

    handle: Handle
    flow: Any


class Grad(NamedTuple):
    """A new TensorArray of gradients."""

    grad_handle: Handle
    flow_out: Any


class Concatenated(NamedTuple):
    """All elements one after the other, and how long each is."""

    value: Any
    lengths: Any


def tensor_array(
    size: TensorLike, dtype: DTypeLike, element_shape: ShapeLike | None = None, dynamic_size: bool = False, clear_after_read: bool = True,
    identical_element_shapes: bool = False, tensor_array_name: str = "", name: str | None = None,
) -> Made:  # fmt: skip
    """A new TensorArray: its handle, and the flow to hand to the first op on it.

    >>> made = tf.raw_ops.TensorArrayV3(size=2, dtype=tf.float32)
    >>> flow = tf.raw_ops.TensorArrayWriteV3(handle=made.handle, index=1, value=3.0, flow_in=made.flow)
    >>> float(tf.raw_ops.TensorArrayReadV3(handle=made.handle, index=1, flow_in=flow, dtype=tf.float32))
    3.0
    """
    dims = None if element_shape is None else as_dims(element_shape)
    handle = Handle(as_dtype(dtype), dims, convert_to_tensor(size, int32), dynamic_size, clear_after_read, identical_element_shapes)
    return Made(handle, handle.start)


def _array_v2(size: TensorLike, dtype: DTypeLike, *args: Any, **kwargs: Any) -> Handle:
    """`tensor_array` as versions 1 and 2 had it: the handle alone, and any number is the flow to begin with."""
    return tensor_array(size, dtype, *args, **kwargs).handle


def grad(handle: Handle, flow_in: TensorLike, source: str, name: str | None = None) -> Grad:
    """An array, as long as that of `flow_in`, of the gradients of its elements: what is written to a place is added to it.

    Raises InvalidArgumentError where `source` has made one of this array before: use its handle and hand on its flow.
    """
    return grad_with_shape(handle, flow_in, (), source)


def grad_with_shape(handle: Handle, flow_in: TensorLike, shape_to_prepend: Any, source: str, name: str | None = None) -> Grad:
    """`grad` whose elements' shape begins with `shape_to_prepend`, dimensions known before anything runs."""
    if source in handle.sources:
        raise InvalidArgumentError(None, None, f"source {source!r} has a TensorArray of gradients of this one: hand on its handle and flow")
    handle.sources.add(source)
    known = shape_to_prepend.constant if isinstance(shape_to_prepend, Tensor) else shape_to_prepend
    if known is None:
        raise InvalidArgumentError(None, None, "shape_to_prepend has to be known before anything runs")
    more = tuple(int(n) for n in known)
    dims = None if handle.dims is None else (*more, *handle.dims)
    made = Handle(handle.dtype, dims, LENGTH(handle.list(flow_in)), False, False, True, sums=True)
    return Grad(made, made.start)


def write(handle: Handle, index: TensorLike, value: TensorLike, flow_in: TensorLike, name: str | None = None) -> Any:
    """The flow of the array with `value` at `index`, an int32 scalar; a place is written once."""
    value, index = handle.value(value, 0), convert_to_tensor(index, int32)
    if handle.sums:
        return _add_to_array(handle, index, value, flow_in, name)
    return SET(handle.writes(flow_in, index), index, value, resize_if_index_out_of_bounds=handle.grows, once=True, name=name)


def scatter(handle: Handle, indices: TensorLike, value: TensorLike, flow_in: TensorLike, name: str | None = None) -> Any:
    """The flow of the array with the rows of `value` at `indices`, an int32 vector."""
    value, indices = handle.value(value, 1), convert_to_tensor(indices, int32)
    if handle.sums:
        return _add_to_array(handle, indices, value, flow_in, name)
    return SCATTER(handle.writes(flow_in, indices), value, indices, name=name)


def unpack(handle: Handle, value: TensorLike, flow_in: TensorLike, name: str | None = None) -> Any:
    """The flow of the array whose elements are the rows of `value`, as many as the array has."""
    value = handle.value(value, 1)
    return _replace_all(handle, FROM_TENSOR(value, handle.shape()), flow_in, name)


def split(handle: Handle, value: TensorLike, lengths: TensorLike, flow_in: TensorLike, name: str | None = None) -> Any:
    """The flow of the array whose elements are consecutive pieces of `value`, of these int64 `lengths`."""
    value = value if isinstance(value, Tensor) else convert_to_tensor(value, handle.dtype)
    return _replace_all(handle, SPLIT(value, handle.shape(), convert_to_tensor(lengths, int64)), flow_in, name)


def _replace_all(handle: Handle, new: TensorLike, flow_in: TensorLike, name: str | None) -> Any:
    """The flow of the array with all its elements replaced by those of `new`, or these added to them."""
    old = handle.writes(flow_in)
    if not handle.grows:
        wrong = "TensorArray's size is not equal to the number of elements written to it"
        old = wait_for([assert_equal(LENGTH(new), LENGTH(old), message=wrong)], old)
    if handle.sums:
        return ADD(old, new, name=name)
    return FRESH(new, name=name) if handle.clears else new


def _add_to_array(handle: Handle, indices: TensorLike, value: TensorLike, flow_in: TensorLike, name: str | None) -> Any:
    """The flow of an array of gradients with tensors added to its places."""
    flow = handle.writes(flow_in)
    inside = assert_less(indices, LENGTH(flow), message="an index is past the end of this TensorArray of gradients")
    return ADD(wait_for([inside], flow), PLACE(value, indices), name=name)


def read(handle: Handle, index: Any, flow_in: Any, dtype: Any, name: str | None = None) -> Tensor:
    """The element at `index`, an int32 scalar."""
    index = convert_to_tensor(index, int32)
    return GET(handle.reads(flow_in, dtype, index), index, handle.shape(), element_dtype=handle.dtype, name=name)


def gather(handle: Handle, indices: Any, flow_in: Any, dtype: Any, element_shape: Any = None, name: str | None = None) -> Tensor:
    """The elements at `indices` as the rows of one tensor, whose shape is `element_shape` as far as that is known."""
    indices = convert_to_tensor(indices, int32)
    rows = GATHER(handle.reads(flow_in, dtype, indices), indices, handle.shape(), element_dtype=handle.dtype, name=name)
    return _set_shape(rows, element_shape)


def pack(handle: Handle, flow_in: Any, dtype: Any, element_shape: Any = None, name: str | None = None) -> Tensor:
    """All elements as the rows of one tensor, whose shape is `element_shape` as far as that is known."""
    return _set_shape(STACK(handle.reads(flow_in, dtype), handle.shape(), element_dtype=handle.dtype, name=name), element_shape)


def concat(handle: Handle, flow_in: Any, dtype: Any, element_shape_except0: Any = None, name: str | None = None) -> Concatenated:
    """All elements one after the other along their first dimension, and the length of each, int64."""
    found, unknown = handle.reads(flow_in, dtype), np.zeros(0, np.int64)
    value, lengths = CONCAT(found, handle.shape(), unknown, element_dtype=handle.dtype, name=name)
    return Concatenated(_set_shape(value, element_shape_except0), lengths)


def _set_shape(value: Tensor, rest: Any) -> Any:
    dims = None if rest is None else as_dims(rest)
    return value if dims is None else ensure_shape(value, (None, *dims))


def size(handle: Handle, flow_in: TensorLike, name: str | None = None) -> Any:
    """How many elements there are, an int32 scalar."""
    return LENGTH(handle.list(flow_in), name=name)


def close(handle: Handle, name: str | None = None) -> Any:
    """Nothing: memory is freed when nobody holds the array."""
    return None if current().graph is None else no_op(name)


def _versions(name: str, function: Callable[..., Any]) -> dict[str, Callable[..., Any]]:
    return {f"TensorArray{name}{version}": function for version in ("", "V2", "V3")}


#: The operations by name.
TENSOR_ARRAYS: dict[str, Callable[..., Any]] = {
    "TensorArray": _array_v2,
    "TensorArrayV2": _array_v2,
    "TensorArrayV3": tensor_array,
    "TensorArrayPack": pack,
    "TensorArrayUnpack": unpack,
    "TensorArrayGradWithShape": grad_with_shape,
    **_versions("Grad", grad),
    **_versions("Write", write),
    **_versions("Scatter", scatter),
    **_versions("Split", split),
    **_versions("Read", read),
    **_versions("Gather", gather),
    **_versions("Concat", concat),
    **_versions("Size", size),
    **_versions("Close", close),
}
