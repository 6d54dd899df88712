"""Lists that were declared, as `tf.raw_ops` makes them: their elements have one dtype and shape, and there are at most so many."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...base.dtypes import FROM_NUMPY, INDEX, DType, as_dtype
from ...base.shapes import show
from ...ir.op import Op, define
from ...ir.tensor import Dims, TensorType
from ..array.type_rules import invalid_argument
from .items import LIST, declared_dims
from .value import ListValue


class Kind(NamedTuple):
    """What the elements of a list are.  most: how many a push makes at most; -1 for any number."""

    dtype: DType
    dims: Dims
    most: int

    def check(self, value: Any, doing: str) -> None:
        """Refuse an element of another kind."""
        if type(value) is np.ndarray and value.shape == self.dims and FROM_NUMPY.get(value.dtype) is self.dtype:
            return
        dtype, shape = (value.tensor_dtype, ()) if isinstance(value, ListValue) else (as_dtype(value.dtype), value.shape)
        self.check_dtype(dtype)
        if self.dims is not None and not _fit(shape, self.dims):
            raise invalid_argument(f"{doing} element shape: {show(shape)} list shape: {show(self.dims)}")

    def check_dtype(self, dtype: DType) -> None:
        """Refuse elements of another dtype."""
        if dtype.base_dtype is not self.dtype:
            raise invalid_argument(f"Invalid data types; op elements {dtype.name} but list elements {self.dtype.name}")

    def read(self, element_shape: object, dtype: DType) -> Any:
        """Refuse to read elements as of another kind; `element_shape` with the sizes that it leaves open."""
        self.check_dtype(dtype)
        return self.merge_shape(element_shape)

    def merge_shape(self, element_shape: Any) -> Any:
        """`element_shape` with the sizes that it leaves open."""
        sizes = None if self.dims is None else [-1 if n is None else n for n in self.dims]
        if sizes is None or sizes == element_shape.tolist():
            return element_shape
        own = np.array(sizes, np.int32)
        if not element_shape.ndim:
            return own
        if len(own) != len(element_shape) or ((own != element_shape) & (own >= 0) & (element_shape >= 0)).any():
            raise invalid_argument(f"PartialTensorShape: Incompatible shapes during merge: {element_shape.tolist()} vs. {own.tolist()}")
        return np.maximum(own, element_shape)


def _fit(shape: tuple[int, ...], dims: tuple[int | None, ...]) -> bool:
    return len(shape) == len(dims) and all(n in (None, m) for m, n in zip(shape, dims, strict=True))


class Declared(ListValue):
    """A list with a kind; what is made of it by writing has that kind too."""

    __slots__ = ("kind", "plain")

    def __init__(self, plain: ListValue, kind: Kind) -> None:
        self.plain, self.kind, self.length = plain, kind, plain.length

    @property
    def cleared(self) -> set[int] | None:
        """The places that were read once and are empty since."""
        return self.plain.cleared

    @property
    def rows(self) -> Any:
        """The elements as one array where they lie so."""
        return self.plain.rows

    @property
    def parts(self) -> Any:
        """The elements in pieces where they lie so."""
        return self.plain.parts

    def noting(self, cleared: set[int]) -> ListValue:
        """This list, with other places as cleared."""
        return Declared(self.plain.noting(cleared), self.kind)

    def items(self) -> list[Any]:
        """The elements, None where none is."""
        return self.plain.items()

    def push(self, value: object) -> ListValue:
        """This list with one more element at the end, which is checked against what is declared."""
        if 0 <= self.kind.most <= self.length:
            raise invalid_argument(f"Tried to push item into a full list list size: {self.length} max_num_elements: {self.kind.most}")
        self.kind.check(value, "Tried to append a tensor with incompatible shape to a list. Op")
        return Declared(self.plain.push(value), self.kind)

    def pop(self, *, element_dtype: DType | None = None) -> tuple[ListValue, Any]:
        """The last element and the list without it; InvalidArgumentError where it is empty."""
        rest, value = self.plain.pop()
        self.kind.check_dtype(element_dtype or self.kind.dtype)
        return Declared(rest, self.kind), value

    def write(self, index: int, value: object) -> ListValue:
        """This list with another element at a place, which is checked against what is declared."""
        self.kind.check(value, "Tried to set a tensor with incompatible shape at a list index. Item")
        return Declared(self.plain.write(index, value), self.kind)

    def put(self, places: list[int], values: list[Any]) -> ListValue:
        """This list with other elements at places."""
        return Declared(self.plain.put(places, values), self.kind)

    def without_limit(self) -> ListValue:
        """The same list, to which any number of elements may be pushed."""
        return Declared(self.plain, self.kind._replace(most=-1))

    def resize(self, length: int) -> ListValue:
        """This list with so many places, new ones empty."""
        return Declared(self.plain.resize(length), self.kind)


def declare_elements(input_handle: ListValue, element_shape: Any, most: Any, *, element_dtype: DType) -> ListValue:
    """The list as one of elements of that shape (-1: unknown; a scalar: of any rank) and dtype, and of at most so many (-1: any)."""
    if most.ndim:
        raise invalid_argument(f"max_num_elements expected to be a scalar but got shape: {list(most.shape)}")
    sizes = element_shape.tolist()
    if not element_shape.ndim:
        if sizes != -1:
            raise invalid_argument(f"A shape that is a scalar is not known, which the value -1 says, not {sizes}")
        return Declared(input_handle, Kind(element_dtype, None, int(most)))
    if sizes and min(sizes) < -1:
        raise invalid_argument(f"Invalid value in tensor used for shape: {min(sizes)}")
    return Declared(input_handle, Kind(element_dtype, tuple([None if n < 0 else n for n in sizes]), int(most)))


def _declare_type(input_handle: Any, element_shape: Any, most: Any, *, element_dtype: DType) -> TensorType:
    declared_dims(element_shape)
    return LIST


#: A batch's lists are not declared: their elements have an axis more.
DECLARE: Op = define(
    "TensorListDeclare", "input_handle:variant element_shape:Tshape= most:int32",
    _declare_type, declare_elements,
    {"input_handle": lambda g: g}, dtypes={"Tshape": INDEX}, holomorphic=False,
)  # fmt: skip
