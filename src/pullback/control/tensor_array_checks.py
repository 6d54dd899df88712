"""What a `TensorArray` checks and notes of its elements: their shape, their dtype, and in TensorFlow 1's graphs that each is read once."""

from __future__ import annotations

from typing import Any

from ..base.dtypes import DType, int32
from ..base.errors import InvalidArgumentError
from ..base.shapes import are_compatible, merge
from ..ir.apply import convert_to_tensor
from ..ir.context import current
from ..ir.node import show_source, user_frame
from ..ir.tensor import Dims, EagerTensor, Tensor
from ..ops.array.shape import ensure_shape
from ..ops.tensor_list.once import FRESH, ONCE


class Ways:
    """Whether loops, branches and arrays of graphs are TensorFlow 1's: an element is written once, and read once where it is cleared."""

    version_1 = False


class Known:
    """What all TensorArrays of one origin share: the elements' shape as far as it is known, and whether they have one."""

    __slots__ = ("declared", "dims", "gradients", "infer")

    def __init__(self, dims: Dims, infer: bool) -> None:
        self.dims = self.declared = dims
        self.infer = infer
        #: The arrays of gradients, by their source.
        self.gradients: dict[str, Any] = {}


def is_version_1() -> bool:
    """Whether loops, branches and arrays made here are TensorFlow 1's: in a graph, but not in a function."""
    graph = current().graph
    return Ways.version_1 and graph is not None and getattr(graph, "keeper", None) is None


class CheckedArray:
    """The checks of an array of tensors, above its methods."""

    _dtype: DType
    _dynamic: bool | None
    _clears: bool
    _known: Known
    _flow: Any

    def _note_reads(self, flow: Any) -> Tensor:
        """A list whose elements are read once, where they are."""
        return FRESH(flow) if self._clears and is_version_1() else flow

    def _once(self, indices: Any = -1, every: bool = False, writes: bool = False) -> Tensor:
        """The list, once it is sure that its elements at `indices` may be read (and now have been), or written."""
        if not (self._clears and is_version_1()):
            return self._flow
        return ONCE(self._flow, indices, every=every, writes=writes)

    def _element_shape(self) -> Any:
        dims = self._known.dims
        return -1 if dims is None else [-1 if n is None else n for n in dims] or convert_to_tensor([], int32)

    def _value(self, value: Any) -> Tensor:
        value = convert_to_tensor(value, dtype_hint=self._dtype, name="value")
        if value.dtype.base_dtype is not self._dtype:
            wrong = f"TensorArray dtype is {self._dtype.name} but Op is trying to write dtype {value.dtype.name}"
            raise InvalidArgumentError(None, None, f"{wrong} ({self._where('write')}); cast it")
        return value

    def _check(self, value: Any, dims: Dims) -> None:
        """Refuse elements of another shape; learn what is new."""
        known = self._known
        if not are_compatible(dims, known.dims):
            seen, wanted = show_tuple(dims), show_tuple(known.dims)
            wrong = f"Inconsistent shapes: saw {seen} but expected {wanted}"
            if isinstance(value, EagerTensor):
                wrong = f"Incompatible shape for value ({seen}), expected ({wanted})"
            way_out = "; pass infer_shape=False for elements of several shapes" if known.infer else ""
            raise ValueError(f"{wrong} ({self._where('write')}){way_out}")
        if known.infer:
            known.dims = merge(dims, known.dims)

    def _ensure_shape(self, value: Any, lead: tuple[None, ...] = (), start: int = 0) -> Tensor:
        """A tensor of a graph whose shape is not known, checked when it runs: dimensions `lead`, and an element's from `start` on."""
        wanted = self._known.declared
        if wanted is None or isinstance(value, EagerTensor):
            return value
        whole = (*lead, *wanted[start:])
        known = value.dims is not None and all(n is None or m is not None for m, n in zip(value.dims, whole, strict=True))
        return value if known else ensure_shape(value, whole)

    def _where(self, method: str) -> str:
        return f"TensorArray.{method} at {show_source(user_frame())}"


def show_tuple(dims: Dims) -> str:
    """A shape as Python writes a tuple."""
    return "<unknown>" if dims is None else str(tuple(dims))


def row_dims(dims: Dims) -> Dims:
    """The shape of the rows of what has such a shape."""
    return dims[1:] if dims else None
