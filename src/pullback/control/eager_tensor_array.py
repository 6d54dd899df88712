"""What a `TensorArray` is eagerly, as in TensorFlow: a Python list of tensors, each of which is by itself for a tape.

A method that writes changes the list and returns the array.  Where a function, branch or loop of a graph is given one, it is given a list
of tensors of dtype variant, made of it.
"""

from __future__ import annotations

import operator
from threading import Lock
from typing import Any, Self

from ..base.dtypes import int32
from ..base.errors import InvalidArgumentError, OutOfRangeError
from ..base.shapes import TensorShape, is_fully_known
from ..ir.apply import convert_to_tensor
from ..ir.tensor import Tensor, TensorLike
from ..ops.array.create import zeros
from ..ops.array.join import concat, split, stack, unstack
from ..ops.tensor_list.items import RESERVE, SET
from .tensor_array_checks import CheckedArray

#: Held by whoever makes a list longer: what another thread wrote meanwhile stays.
_GROWING = Lock()


class ElementList(CheckedArray):
    """A Python list of tensors with the methods of a `TensorArray`; None where nothing was written."""

    _dynamic: bool
    _elements: list[Any]
    _cleared: set[int]
    _size: int | None

    def _reserve(self, size: Any, flow: Any, name: str) -> None:
        if size is None:
            raise ValueError("Size must be declared for TensorArrays when eager execution is enabled.")
        self._dynamic = bool(self._dynamic)
        self._cleared = set()
        self._hold([None] * operator.index(size))

    def _hold(self, elements: list[Any]) -> Self:
        """Have these elements from now on."""
        self._elements = elements
        self._size = None if self._dynamic else len(elements)
        return self

    @property
    def flow(self) -> Tensor:
        """A zero, as in TensorFlow: eagerly there is no list of dtype variant."""
        return convert_to_tensor(0, int32)

    def _components(self) -> list[Any]:
        flow = RESERVE(self._element_shape(), len(self._elements), element_dtype=self._dtype)
        for at, element in enumerate(self._elements):
            if element is not None:
                flow = SET(flow, at, element)
        return [flow]

    def _place(self, index: Any, method: str, grows: bool = False) -> int:
        """An index in range, of a list that grows or not."""
        at, size = operator.index(index), len(self._elements)
        if at < 0:
            doing = "Writing to" if method == "write" else "Reading from"
            raise OutOfRangeError(None, None, f"{doing} negative indices (index {at}) is not allowed. ({self._where(method)})")
        if at >= size and not grows:
            doing = f"write to index {at} but array is not resizeable and" if method == "write" else f"read from index {at} but array"
            raise OutOfRangeError(None, None, f"Tried to {doing} size is: {size} ({self._where(method)})")
        if at >= size:
            with _GROWING:
                self._elements.extend([None] * (at + 1 - len(self._elements)))
        return at

    def _element(self, at: int) -> Any:
        """An element; zeros where nothing is, from now on."""
        element = self._elements[at]
        if element is None:
            element = self._elements[at] = zeros(TensorShape.of(self._known.dims), self._dtype)
        return element

    def write(self, index: Any, value: Any, name: str | None = None) -> Self:
        """This array, with `value` at `index` from now on."""
        at = self._place(index, "write", self._dynamic)
        value = self._value(value)
        self._check(value, value.dims)
        self._elements[at] = value
        return self

    def read(self, index: TensorLike, name: str | None = None) -> Tensor:
        """The element at `index`; zeros where nothing was written and the shape is known."""
        at = self._place(index, "read")
        if at in self._cleared and self._elements[at] is None:
            wrong = f"Could not read index {at} twice because it was cleared after a previous read"
            way_out = f"(perhaps try setting clear_after_read = false?) ({self._where('read')})"
            raise InvalidArgumentError(None, None, f"{wrong} {way_out}")
        element: Tensor = self._element(at)
        if self._clears:
            self._elements[at] = None
            self._cleared.add(at)
        return element

    def gather(self, indices: TensorLike, name: str | None = None) -> Tensor:
        """The elements at `indices`, as the rows of one tensor; negative ones count from the end."""
        return stack([self._element(at) for at in _numbers(indices)])

    def scatter(self, indices: Any, value: Any, name: str | None = None) -> Self:
        """This array, with the rows of `value` at `indices` from now on; more of either than of the other are left out."""
        for index, row in zip(_numbers(indices), unstack(value), strict=False):
            self.write(index, row)
        return self

    def stack(self, name: str | None = None) -> Tensor:
        """All elements as the rows of one tensor."""
        elements = [self._element(at) for at in range(len(self._elements))]
        dims = self._known.dims
        if not elements and dims is not None and is_fully_known(dims):
            return zeros([0, *dims], self._dtype)
        return convert_to_tensor(elements, self._dtype, name=name)

    def unstack(self, value: Any, name: str | None = None) -> Self:
        """This array, whose elements are the rows of `value` from now on."""
        rows = unstack(value, name=name or "unstack")
        if len(rows) > len(self._elements) and not self._dynamic:
            wrong = f"Cannot unstack {len(rows)} tensors into a TensorArray of static size {len(self._elements)}"
            raise ValueError(f"{wrong} ({self._where('unstack')})")
        return self._hold(rows)

    def concat(self, name: str | None = None) -> Tensor:
        """All elements, of rank 1 or more, one after the other along their first dimension."""
        elements = [self._element(at) for at in range(len(self._elements))]
        ranks = [len(element.dims) for element in elements]
        if len(ranks) > 1 and 0 in ranks:
            raise InvalidArgumentError(None, None, f"Concat saw a scalar shape at index {ranks.index(0)} but requires at least vectors.")
        return concat(elements, 0, name=name or "concat")

    def split(self, value: Any, lengths: Any, name: str | None = None) -> Self:
        """This array, whose elements are consecutive pieces of `value`, of these lengths along its first dimension, from now on."""
        value, lengths = convert_to_tensor(value, dtype_hint=self._dtype), convert_to_tensor(lengths)
        size, wrong = len(self._elements), ""
        if lengths.ndim != 1:
            wrong = f"Expected lengths to be a vector, received shape: {list(lengths.shape)}"
        elif not value.dims:
            wrong = "Expected value to be at least a vector, but received shape: []"
        elif (total := lengths.numpy().sum()) != value.dims[0]:
            wrong = "Expected sum of lengths to be equal to values.shape[0], but sum of lengths is "
            wrong += f"{total} and value's shape is: {list(value.dims)}"
        elif not self._dynamic and len(lengths) != size:
            wrong = f"TensorArray's size is not equal to the size of lengths ({size} vs. {len(lengths)}), and the TensorArray is not "
            wrong += "marked as dynamically resizeable."
        if wrong:
            raise InvalidArgumentError(None, None, f"{wrong} ({self._where('split')})")
        return self._hold(split(value, lengths, name=name or "split"))

    def size(self, name: str | None = None) -> Tensor:
        """How many elements there are, an int32 scalar."""
        return convert_to_tensor(len(self._elements), int32)

    def identity(self) -> Self:
        """This array."""
        return self

    def close(self, name: str | None = None) -> None:
        """Drop all elements."""
        self._hold([])

    def grad(self, source: str, flow: object = None, name: str | None = None) -> Self:
        """Not there, as in TensorFlow: eager gradients go through an array without it."""
        raise NotImplementedError(
            "TensorArray.grad is not supported when executing eagerly; eager's gradient implementation does not use/need this function to "
            "compute gradients of operations that use TensorArrays."
        )


def _numbers(indices: Any) -> Any:
    """Indices as Python goes through them."""
    return indices.numpy().tolist() if isinstance(indices, Tensor) else indices
