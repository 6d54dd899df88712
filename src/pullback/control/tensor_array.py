"""`TensorArray`: an array of tensors written and read one by one, in loops above all.

It is a handle on a list of tensors (dtype variant, `ops/tensor_list/items.py`): every write gives a new list, in constant time, and all
of it has gradients to any order.  In a graph a method that writes gives a new TensorArray; eagerly it changes this one and returns it,
as TensorFlow's does.  What is known of the elements' shape is shared by all that come from one constructor, so that after a loop
`stack` knows the shape that the loop's body wrote.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from threading import RLock
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from ..base.dtypes import DType, as_dtype, int32, int64
from ..base.errors import InvalidArgumentError, OutOfRangeError
from ..base.export import export
from ..base.lazy_import import LateModule
from ..base.shapes import TensorShape, as_dims, compatible, merge, show
from ..ir.apply import convert_to_tensor
from ..ir.context import current, scope
from ..ir.convert import is_tensor_like
from ..ir.node import show_source, user_frame
from ..ir.tensor import Dims, DTypeLike, EagerTensor, IntLike, NumberLike, Tensor, TensorLike
from ..ir.type_spec import describe
from ..ops.array.basic import identity
from ..ops.array.shape import ensure_shape
from ..ops.effects.operations import no_op
from ..ops.primitives.cast import cast
from ..ops.tensor_list.items import CLEAR, GATHER, GET, RESERVE, SCATTER, SET
from ..ops.tensor_list.once import FRESH, ONCE
from ..ops.tensor_list.push_pop import LENGTH
from ..ops.tensor_list.stack import CONCAT, FROM_TENSOR, SPLIT, STACK

if TYPE_CHECKING:
    from . import tensor_array_grad, tensor_array_spec
else:
    tensor_array_grad = LateModule("pullback.control.tensor_array_grad")
    tensor_array_spec = LateModule("pullback.control.tensor_array_spec")


class Ways:
    """Whether arrays in graphs are TensorFlow 1's, in which each element is written once, and read once where it is cleared."""

    version_1 = False


class Known:
    """What all TensorArrays of one origin share: the elements' shape as far as it is known, and whether they have one."""

    __slots__ = ("declared", "dims", "gradients", "infer")

    def __init__(self, dims: Dims, infer: bool) -> None:
        self.dims = self.declared = dims
        self.infer = infer
        #: The arrays of gradients, by their source.
        self.gradients: dict[str, Any] = {}


def _is_version_1() -> bool:
    """Whether arrays here are TensorFlow 1's: in a graph, but not in a function."""
    graph = current().graph
    return Ways.version_1 and graph is not None and getattr(graph, "keeper", None) is None


P = ParamSpec("P")
R = TypeVar("R")
#: Held by whoever changes an array eagerly, as a write reads the list and replaces it.
_CHANGING = RLock()


def _alone(method: Callable[P, R]) -> Callable[P, R]:
    """A method that no two threads run on arrays at once, eagerly: none of their writes is lost."""

    @functools.wraps(method)
    def called(*args: P.args, **options: P.kwargs) -> R:
        if current().graph is not None:
            return method(*args, **options)
        with _CHANGING:
            return method(*args, **options)

    return called


@export("TensorArray")
class TensorArray:
    """An array of tensors of one dtype, written and read element by element.

    dtype: of every element.  size: how many there are, an int or an int32 scalar; needed eagerly.  dynamic_size: whether a write past
    the end makes it longer.  clear_after_read: whether an element may be read once only (None and True mean yes; eagerly, and
    in graphs where TensorFlow 2's behaviour is disabled).
    infer_shape: whether all elements have one shape.  element_shape: that shape, as far as it is known.  flow: a list of tensors to
    begin with.  tensor_array_name, colocate_with_first_write_call, name: accepted.  handle: always None.

    Gradients of any order flow through all methods.  A method that writes returns the TensorArray to go on with.
    Raises InvalidArgumentError and OutOfRangeError: an index out of range, another dtype, an element read twice (or, in graphs where
    TensorFlow 2's behaviour is disabled, written twice); ValueError: another shape.

    >>> import pullback as tf
    >>> ta = tf.TensorArray(tf.float32, size=3)
    >>> ta = ta.write(0, 1.0).write(1, 2.0).write(2, 3.0)
    >>> ta.stack().numpy().tolist()
    [1.0, 2.0, 3.0]
    """

    _is_composite = True

    def __init__(
        self,
        dtype: DTypeLike,
        size: IntLike | NumberLike | None = None,
        dynamic_size: bool | None = None,
        clear_after_read: bool | None = None,
        tensor_array_name: str | None = None,
        handle: Any = None,
        flow: Any = None,
        infer_shape: bool = True,
        element_shape: Any = None,
        colocate_with_first_write_call: bool = True,
        name: str | None = None,
    ) -> None:
        if handle is not None and size is not None:
            raise ValueError("Cannot provide both a `handle` and `size` arguments at the same time.")
        if handle is not None and dynamic_size is not None:
            raise ValueError("Cannot provide both a `handle` and `dynamic_size` arguments at the same time.")
        if flow is None and size is None:
            raise ValueError("Size must be declared for TensorArrays; give `size=0, dynamic_size=True` for one that grows.")
        self._dtype = as_dtype(dtype).base_dtype
        self._dynamic = dynamic_size
        self._clears = clear_after_read is None or bool(clear_after_read)
        self._known = Known(None if element_shape is None else as_dims(element_shape), infer_shape)
        self._read: set[int] = set()  # eagerly: the elements read and cleared
        self._size: int | None = size if isinstance(size, int) and not dynamic_size else None
        if flow is not None:
            self._flow = flow
        else:
            count = convert_to_tensor(size, int32)
            self._flow = self._noted(RESERVE(self._element_shape(), count, element_dtype=self._dtype, name=name or "TensorArrayV2"))

    # ---- what it is

    @property
    def dtype(self) -> DType:
        """The dtype of every element."""
        return self._dtype

    @property
    def element_shape(self) -> TensorShape:
        """The shape of every element, as far as it is known."""
        return TensorShape.of(self._known.dims)

    @property
    def dynamic_size(self) -> bool | None:
        """Whether a write past the end makes it longer; None where nobody said."""
        return self._dynamic

    @property
    def flow(self) -> Tensor:
        """The list of tensors, a tensor of dtype variant."""
        return self._flow

    @property
    def handle(self) -> None:
        """None: there is no resource behind it."""
        return None

    def __repr__(self) -> str:
        size = "unknown" if self._size is None else self._size
        return f"<tf.TensorArray: dtype={self._dtype.name}, element_shape={self.element_shape}, size={size}>"

    def _components(self) -> list[Any]:
        return [self._flow]

    @property
    def _form(self) -> Any:
        """What functions called with arrays share a trace by."""
        return self._dtype, self._known.dims, self._known.infer, self._dynamic, self._clears, self._size

    def _from_components(self, parts: Sequence[Any]) -> TensorArray:
        return self if parts[0] is self._flow else self._on(parts[0])

    def _on(self, flow: Any, size: int | None = None) -> TensorArray:
        """The same array on another list."""
        new = type(self).__new__(type(self))
        new._dtype, new._dynamic, new._clears, new._known = self._dtype, self._dynamic, self._clears, self._known
        new._size, new._flow = self._size if size is None else size, flow
        new._read = set(self._read) if isinstance(self._flow, EagerTensor) and isinstance(flow, EagerTensor) else set()
        return new

    def _gone_on(self, flow: Any, size: int | None = None) -> TensorArray:
        """What a method that writes returns: eagerly this array, changed."""
        if not isinstance(flow, EagerTensor):
            return self._on(flow, size)
        self._flow = flow
        self._size = self._size if size is None else size
        return self

    def __as_tensor__(self, name: str | None = None) -> Any:
        raise TypeError("a TensorArray is not a tensor; stack(), concat() or gather() give one")

    # ---- elements

    @_alone
    def write(self, index: Any, value: Any, name: str | None = None) -> TensorArray:
        """The array with `value` at `index`, an int32 scalar."""
        value = self._value(value)
        self._check(value, value.dims)
        value = self._ensured(value)
        if self._eager():
            at = self._place(index, "write")
            self._read.discard(at)
            index = at
        index, grows = convert_to_tensor(index, int32), bool(self._dynamic)
        with scope(name, "TensorArrayV2Write"):
            flow = self._once(index, writes=True)
            return self._gone_on(SET(flow, index, value, resize_if_index_out_of_bounds=grows, once=_is_version_1()))

    @_alone
    def read(self, index: TensorLike, name: str | None = None) -> Tensor:
        """The element at `index`, an int32 scalar; zeros where nothing was written and the shape is known."""
        at = -1
        if self._eager():
            index = at = self._place(index, "read")
            if at in self._read:
                raise self._cleared(at, "read")
        with scope(name, "TensorArrayV2Read"):
            index = convert_to_tensor(index, int32)
            value = GET(self._once(index), index, self._element_shape(), element_dtype=self._dtype)
        if at >= 0 and self._clears:
            self._flow = CLEAR(self._flow, at)
            self._read.add(at)
        return value

    def gather(self, indices: TensorLike, name: str | None = None) -> Tensor:
        """The elements at `indices`, an int32 vector, as the rows of one tensor."""
        indices = convert_to_tensor(indices, int32)
        for index in indices.numpy().tolist() if self._eager() and isinstance(indices, EagerTensor) else ():
            if index in self._read:
                raise self._cleared(index, "gather")
        return GATHER(self._once(indices), indices, self._element_shape(), element_dtype=self._dtype, name=name or "TensorListGather")

    @_alone
    def scatter(self, indices: Any, value: Any, name: str | None = None) -> TensorArray:
        """The array with the rows of `value` at `indices`."""
        value = self._value(value)
        self._check(value, _tail(value.dims))
        value = self._ensured(value, (None,))
        indices = convert_to_tensor(indices, int32)
        if self._eager() and isinstance(indices, EagerTensor):
            for index in indices.numpy().tolist():
                self._place(index, "scatter")
                self._read.discard(index)
        with scope(name, "TensorArrayScatter"):
            return self._gone_on(SCATTER(self._once(indices, writes=True), value, indices))

    # ---- the whole

    def stack(self, name: str | None = None) -> Tensor:
        """All elements as the rows of one tensor."""
        shape = self._element_shape()
        if self._eager():
            self._refuse_cleared("stack")
            if self._known.dims is None and not int(LENGTH(self._flow)):
                shape = convert_to_tensor([], int32)
        count = -1 if self._size is None or self._eager() else max(self._size, 0)
        with scope(name, "TensorArrayV2Stack"):
            return STACK(self._once(every=True), shape, element_dtype=self._dtype, num_elements=count)

    @_alone
    def unstack(self, value: Any, name: str | None = None) -> TensorArray:
        """The array whose elements are the rows of `value`."""
        value = self._value(value)
        self._check(value, _tail(value.dims))
        value = self._ensured(value, (None,))
        count = None if value.dims is None else value.dims[0] if value.dims else None
        if self._eager() and not self._dynamic and count is not None and self._size is not None and count > self._size:
            raise ValueError(f"Cannot unstack {count} tensors into a TensorArray of static size {self._size} ({self._where('unstack')})")
        self._read = set()
        with scope(name, "TensorArrayUnstack"):
            return self._gone_on(self._noted(FROM_TENSOR(value, self._element_shape())))

    def concat(self, name: str | None = None) -> Tensor:
        """All elements, of rank 1 or more, one after the other along their first dimension."""
        if self._eager():
            self._refuse_cleared("concat")
        dims = self._known.dims
        shape = -1 if dims is None else [-1 if n is None else n for n in dims]
        leading: list[int] = []
        flow, name = self._once(every=True), name or "TensorListConcatV2"
        return CONCAT(flow, shape, convert_to_tensor(leading, int64), element_dtype=self._dtype, name=name)[0]

    @_alone
    def split(self, value: Any, lengths: Any, name: str | None = None) -> TensorArray:
        """The array whose elements are consecutive pieces of `value`, of these lengths along its first dimension."""
        value = self._value(value)
        lengths = cast(convert_to_tensor(lengths), int64)
        if self._known.infer and value.dims:
            self._check(value, (None, *value.dims[1:]))
        value = self._ensured(value, (None,), 1)
        if self._eager() and isinstance(lengths, EagerTensor):
            self._check_split(value, lengths)
        return self._gone_on(self._noted(SPLIT(value, self._element_shape(), lengths, name=name or "TensorArraySplit")))

    def _check_split(self, value: Any, lengths: Any) -> None:
        each = lengths.numpy().tolist()
        wrong = ""
        if not value.dims:
            wrong = f"Expected value to be at least a vector, but received shape: {show(value.dims)}"
        elif sum(each) != value.dims[0]:
            wrong = "Expected sum of lengths to be equal to values.shape[0], but sum of lengths is "
            wrong += f"{sum(each)} and value's shape is: {show(value.dims)}"
        elif not self._dynamic and self._size not in (None, len(each)):
            wrong = f"TensorArray's size is not equal to the size of lengths ({self._size} vs. {len(each)}), and the TensorArray is not "
            wrong += "marked as dynamically resizeable."
        if wrong:
            raise InvalidArgumentError(None, None, f"{wrong} ({self._where('split')})")

    def size(self, name: str | None = None) -> Tensor:
        """How many elements there are, an int32 scalar."""
        if self._size is not None and not self._eager():
            return convert_to_tensor(self._size, int32)
        return LENGTH(self._flow, name=name)

    def identity(self) -> TensorArray:
        """The same array, after all control dependencies."""
        return self._on(identity(self._flow))

    def close(self, name: str | None = None) -> Any:
        """Nothing: memory is freed when nobody holds the array."""
        return None if current().graph is None else no_op(name)

    def grad(self, source: str, flow: object = None, name: str | None = None) -> TensorArray:
        """In TensorFlow 1's graphs: an array as long as this one to whose places what is written is added; one for each `source`."""
        if not _is_version_1():
            raise NotImplementedError("TensorArray.grad is TensorFlow 1's alone: gradients flow through TensorArrays without it.")
        return tensor_array_grad.gradients_of(self, source, flow, name)

    # ---- checks

    def _noted(self, flow: Any) -> Any:
        """A list whose elements are read once, where they are."""
        return FRESH(flow) if self._clears and _is_version_1() else flow

    def _once(self, indices: Any = -1, every: bool = False, writes: bool = False) -> Any:
        """The list, once it is sure that its elements at `indices` may be read (and now have been), or written."""
        if not (self._clears and _is_version_1()):
            return self._flow
        return ONCE(self._flow, indices, every=every, writes=writes)

    def _eager(self) -> bool:
        return isinstance(self._flow, EagerTensor) and current().graph is None

    def _element_shape(self) -> Any:
        dims = self._known.dims
        return -1 if dims is None else convert_to_tensor([-1 if n is None else n for n in dims], int32)

    def _value(self, value: Any) -> Any:
        if not is_tensor_like(value):
            return convert_to_tensor(value, self._dtype)
        value = convert_to_tensor(value)
        if value.dtype.base_dtype is not self._dtype:
            wrong = f"TensorArray dtype is {self._dtype.name} but Op is trying to write dtype {value.dtype.name}"
            raise InvalidArgumentError(None, None, f"{wrong} ({self._where('write')}); cast it")
        return value

    def _check(self, value: Any, dims: Dims) -> None:
        """Refuse elements of another shape; learn what is new."""
        known = self._known
        if not compatible(dims, known.dims):
            seen, wanted = show_tuple(dims), show_tuple(known.dims)
            wrong = f"Inconsistent shapes: saw {seen} but expected {wanted}"
            if isinstance(value, EagerTensor):
                wrong = f"Incompatible shape for value ({seen}), expected ({wanted})"
            way_out = "; pass infer_shape=False for elements of several shapes" if known.infer else ""
            raise ValueError(f"{wrong} ({self._where('write')}){way_out}")
        if known.infer:
            known.dims = merge(dims, known.dims)

    def _ensured(self, value: Any, lead: tuple[None, ...] = (), start: int = 0) -> Any:
        """A tensor of a graph whose shape is not known, checked when it runs: dimensions `lead`, and an element's from `start` on."""
        wanted = self._known.declared
        if wanted is None or isinstance(value, EagerTensor):
            return value
        whole = (*lead, *wanted[start:])
        known = value.dims is not None and all(n is None or m is not None for m, n in zip(value.dims, whole, strict=True))
        return value if known else ensure_shape(value, whole)

    def _place(self, index: Any, method: str) -> int:
        """An index that is known, in range."""
        at = int(index)
        size = self._flow.value.length
        writes = method != "read"
        if at < 0:
            doing = "Writing to" if writes else "Reading from"
            raise OutOfRangeError(None, None, f"{doing} negative indices (index {at}) is not allowed. ({self._where(method)})")
        if at >= size and not (self._dynamic and writes):
            doing = f"write to index {at} but array is not resizeable and" if writes else f"read from index {at} but array"
            raise OutOfRangeError(None, None, f"Tried to {doing} size is: {size} ({self._where(method)})")
        return at

    def _refuse_cleared(self, method: str) -> None:
        if self._read:
            raise self._cleared(min(self._read), method)

    def _cleared(self, at: int, method: str) -> InvalidArgumentError:
        wrong = (
            f"Could not read index {at} twice because it was cleared after a previous read (perhaps try setting clear_after_read = false?)"
        )
        return InvalidArgumentError(None, None, f"{wrong} ({self._where(method)})")

    def _where(self, method: str) -> str:
        return f"TensorArray.{method} at {show_source(user_frame())}"


def show_tuple(dims: Dims) -> str:
    """A shape as Python writes a tuple."""
    return "<unknown>" if dims is None else str(tuple(dims))


def _tail(dims: Dims) -> Dims:
    return dims[1:] if dims else None


describe([TensorArray], lambda array: tensor_array_spec.TensorArraySpec.from_value(array))
