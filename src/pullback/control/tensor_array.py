"""`TensorArray`: an array of tensors written and read one by one, in loops above all.

In a graph it is a handle on a list of tensors (dtype variant, `ops/tensor_list/items.py`): every write gives a new list, in constant time,
and a new TensorArray; all of it has gradients to any order.  What is known of the elements' shape is shared by all that come from one
constructor, so that after a loop `stack` knows the shape that the loop's body wrote.  Eagerly it is a Python list of tensors that a write
changes (`EagerTensorArray`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..base.dtypes import DType, as_dtype, float32, int32, int64, variant
from ..base.errors import InvalidArgumentError
from ..base.export import export
from ..base.lazy_import import LazyModule
from ..base.shapes import TensorShape, as_dims
from ..ir.apply import convert_to_tensor
from ..ir.composite import CompositeSpec
from ..ir.context import current, scope
from ..ir.tensor import DTypeLike, IntLike, NumberLike, Tensor, TensorLike
from ..ir.tracebacks import trims_methods
from ..ir.type_spec import TypeSpec, describe, type_spec_from_value
from ..ops.array.basic import identity
from ..ops.constant import TensorSpec
from ..ops.primitives.cast import cast
from ..ops.tensor_list.items import GATHER, GET, PLACE, RESERVE, SCATTER, SET
from ..ops.tensor_list.push_pop import ADD, LENGTH
from ..ops.tensor_list.stack import CONCAT, FROM_TENSOR, SPLIT, STACK
from .eager_tensor_array import ElementList
from .tensor_array_checks import CheckedArray, Known, is_version_1, row_dims

if TYPE_CHECKING:
    from ..ops.effects import asserts, operations
else:
    asserts, operations = (LazyModule(f"pullback.ops.effects.{name}") for name in ("asserts", "operations"))


@export("TensorArray")
class TensorArray(CheckedArray):
    """An array of tensors of one dtype, written and read element by element.

    dtype: of every element.  size: how many there are, an int or an int32 scalar; needed eagerly.  dynamic_size: whether a write past
    the end makes it longer.  clear_after_read: whether an element may be read once only (None and True mean yes; eagerly, and
    in graphs where TensorFlow 2's behaviour is disabled).
    infer_shape: whether all elements have one shape.  element_shape: that shape, as far as it is known.  flow: a list of tensors to
    begin with.  tensor_array_name, colocate_with_first_write_call, name: accepted.  handle: always None.

    Gradients of any order flow through all methods.  A method that writes returns the TensorArray to go on with.
    Raises InvalidArgumentError and OutOfRangeError: an index out of range, another dtype, an element read twice (or, in graphs where
    TensorFlow 2's behaviour is disabled, written twice); ValueError: another shape.

    >>> ta = tf.TensorArray(tf.float32, size=3)
    >>> ta = ta.write(0, 1.0).write(1, 2.0).write(2, 3.0)
    >>> ta.stack().numpy().tolist()
    [1.0, 2.0, 3.0]
    """

    _is_composite = True
    _counts_as_tensor = False

    def __new__(cls, *args: Any, **options: Any) -> TensorArray:
        flow = args[6] if len(args) > 6 else options.get("flow")
        is_list = cls is TensorArray and current().graph is None and getattr(flow, "dtype", None) is not variant
        return object.__new__(EagerTensorArray if is_list else cls)

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
        self._size: int | None = size if isinstance(size, int) and not dynamic_size else None
        self._reserve(size, flow, name or "TensorArrayV2")

    def _reserve(self, size: Any, flow: Any, name: str) -> None:
        """Make the places for `size` elements, where no list is given to begin with."""
        if flow is None:
            count = size if type(size) is int else convert_to_tensor(size, int32)
            flow = RESERVE(self._element_shape(), count, element_dtype=self._dtype, name=name)
            flow = self._note_reads(flow)
        self._flow = flow

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
        return self._on(parts[0])

    def _on(self, flow: Any, size: int | None = None) -> TensorArray:
        """The same array on another list."""
        new: TensorArray = object.__new__(TensorArray if isinstance(self, EagerTensorArray) else type(self))
        new._dtype, new._dynamic, new._clears, new._known = self._dtype, self._dynamic, self._clears, self._known
        new._size, new._flow = self._size if size is None else size, flow
        return new

    def __as_tensor__(self, name: str | None = None) -> Any:
        raise TypeError("a TensorArray is not a tensor; stack(), concat() or gather() give one")

    # ---- elements

    def write(self, index: Any, value: Any, name: str | None = None) -> TensorArray:
        """The array with `value` at `index`, an int32 scalar."""
        with scope(name, "TensorArrayV2Write"):
            value = self._value(value)
            self._check(value, value.dims)
            value = self._ensure_shape(value)
            index, grows = convert_to_tensor(index, int32, name="TensorListSetItem/index"), bool(self._dynamic)
            flow = self._once(index, writes=True)
            return self._on(SET(flow, index, value, resize_if_index_out_of_bounds=grows, once=is_version_1()))

    def read(self, index: TensorLike, name: str | None = None) -> Tensor:
        """The element at `index`, an int32 scalar; zeros where nothing was written and the shape is known."""
        with scope(name, "TensorArrayV2Read"):
            index = convert_to_tensor(index, int32, name="TensorListGetItem/index")
            return GET(self._once(index), index, self._element_shape(), element_dtype=self._dtype)

    def gather(self, indices: TensorLike, name: str | None = None) -> Tensor:
        """The elements at `indices`, an int32 vector, as the rows of one tensor."""
        with scope(name, "TensorListGather") as full:
            indices = convert_to_tensor(indices, int32, name="indices")
            return GATHER(self._once(indices), indices, self._element_shape(), element_dtype=self._dtype, name=full)

    def scatter(self, indices: Any, value: Any, name: str | None = None) -> TensorArray:
        """The array with the rows of `value` at `indices`."""
        with scope(name, "TensorArrayScatter"):
            value = self._value(value)
            self._check(value, row_dims(value.dims))
            value = self._ensure_shape(value, (None,))
            indices = convert_to_tensor(indices, int32, name="TensorListScatterIntoExistingList/indices")
            return self._on(SCATTER(self._once(indices, writes=True), value, indices))

    # ---- the whole

    def stack(self, name: str | None = None) -> Tensor:
        """All elements as the rows of one tensor."""
        count = -1 if self._size is None else max(self._size, 0)
        with scope(name, "TensorArrayV2Stack"):
            return STACK(self._once(every=True), self._element_shape(), element_dtype=self._dtype, num_elements=count)

    def unstack(self, value: Any, name: str | None = None) -> TensorArray:
        """The array whose elements are the rows of `value`."""
        with scope(name, "TensorArrayUnstack"):
            value = self._value(value)
            self._check(value, row_dims(value.dims))
            value = self._ensure_shape(value, (None,))
            return self._on(self._note_reads(FROM_TENSOR(value, self._element_shape())))

    def concat(self, name: str | None = None) -> Tensor:
        """All elements, of rank 1 or more, one after the other along their first dimension."""
        dims = self._known.dims
        shape = -1 if dims is None else [-1 if n is None else n for n in dims]
        leading: list[int] = []
        flow, name = self._once(every=True), name or "TensorListConcatV2"
        return CONCAT(flow, convert_to_tensor(shape, int32), convert_to_tensor(leading, int64), element_dtype=self._dtype, name=name)[0]

    def split(self, value: Any, lengths: Any, name: str | None = None) -> TensorArray:
        """The array whose elements are consecutive pieces of `value`, of these lengths along its first dimension."""
        value = self._value(value)
        lengths = cast(convert_to_tensor(lengths), int64)
        if self._known.infer and value.dims:
            self._check(value, (None, *value.dims[1:]))
        value = self._ensure_shape(value, (None,), 1)
        return self._on(self._note_reads(SPLIT(value, self._element_shape(), lengths, name=name or "TensorArraySplit")))

    def size(self, name: str | None = None) -> Tensor:
        """How many elements there are, an int32 scalar."""
        if self._size is not None:
            return convert_to_tensor(self._size, int32)
        return LENGTH(self._flow, name=name)

    def identity(self) -> TensorArray:
        """The same array, after all control dependencies."""
        return self._on(identity(self._flow))

    def close(self, name: str | None = None) -> Any:
        """Nothing: memory is freed when nobody holds the array."""
        return None if current().graph is None else operations.no_op(name)

    def grad(self, source: str, flow: object = None, name: str | None = None) -> TensorArray:
        """In TensorFlow 1's graphs: an array as long as this one to whose places what is written is added; one for each `source`."""
        if not is_version_1():
            raise NotImplementedError("TensorArray.grad is TensorFlow 1's alone: gradients flow through TensorArrays without it.")
        made = self._known.gradients
        if source not in made:
            made[source] = Gradients(self, self.flow if flow is None else flow, name)
        found: TensorArray = made[source].last[0]
        return found


@trims_methods
class EagerTensorArray(ElementList, TensorArray):
    """What `TensorArray` makes eagerly."""


@trims_methods
class Gradients(TensorArray):
    """`TensorArray.grad`: in TensorFlow 1's graphs, an array to which programs write the gradients of another's elements by hand.

    What is written to a place is added to it.  TensorFlow's arrays of one source share their elements; here the next one asked for goes
    on from what the graph has written so far.
    """

    def __init__(self, of: TensorArray, flow: Any, name: str | None) -> None:
        count = LENGTH(flow)
        made = RESERVE(of._element_shape(), count, element_dtype=of.dtype, name=name or "TensorArrayGrad")
        super().__init__(of.dtype, flow=made, clear_after_read=False, dynamic_size=False, infer_shape=of._known.infer)
        self._known = Known(of._known.dims, of._known.infer)
        self._count = count
        #: The last array of this source in the graph that made it.
        self.last = [self]

    def _on(self, flow: Any, size: int | None = None) -> Gradients:
        new = super()._on(flow, size)
        assert isinstance(new, Gradients)
        new._count, new.last = self._count, self.last
        if flow.graph is self.last[0].flow.graph:
            self.last[0] = new
        return new

    def _place_rows(self, value: Any, indices: Any) -> Gradients:
        inside = asserts.assert_less(indices, self._count, message="an index is past the end of this TensorArray of gradients")
        return self._on(ADD(asserts.wait_for([inside], self._flow), PLACE(value, indices)))

    def write(self, index: Any, value: Any, name: str | None = None) -> TensorArray:
        """The array with `value` added at `index`."""
        value, index = self._value(value), convert_to_tensor(index, int32)
        self._check(value, value.dims)
        return self._place_rows(value, index)

    def scatter(self, indices: Any, value: Any, name: str | None = None) -> TensorArray:
        """The array with the rows of `value` added at `indices`."""
        value, indices = self._value(value), convert_to_tensor(indices, int32)
        self._check(value, value.dims and value.dims[1:])
        return self._place_rows(value, indices)

    def unstack(self, value: Any, name: str | None = None) -> TensorArray:
        """The array with the rows of `value` added to its elements."""
        value = self._value(value)
        self._check(value, value.dims and value.dims[1:])
        return self._whole(FROM_TENSOR(value, self._element_shape()))

    def split(self, value: TensorLike, lengths: TensorLike, name: str | None = None) -> TensorArray:
        """The array with consecutive pieces of `value` added to its elements."""
        return self._whole(SPLIT(self._value(value), -1, cast(convert_to_tensor(lengths), int64)))

    def _whole(self, elements: Any) -> Gradients:
        wrong = "TensorArray's size is not equal to the number of elements written to it"
        whole = asserts.assert_equal(LENGTH(elements), self._count, message=wrong)
        return self._on(ADD(asserts.wait_for([whole], self._flow), elements))

    def grad(self, source: str, flow: object = None, name: str | None = None) -> TensorArray:
        """Not there, as in TensorFlow: write to this array."""
        raise InvalidArgumentError(None, None, "a TensorArray of gradients has no gradients of its own: tf.gradients goes through it")


@export("TensorArraySpec")
class TensorArraySpec(CompositeSpec):
    """What is known of a `TensorArray` beforehand: the shape of its elements, their dtype, and whether it grows.

    >>> total = tf.function(lambda ta: tf.reduce_sum(ta.stack()), input_signature=[tf.TensorArraySpec([2])])
    >>> total(tf.TensorArray(tf.float32, size=3, element_shape=[2]).unstack(tf.ones([3, 2]))).numpy().item()
    6.0
    """

    def __init__(self, element_shape: Any = None, dtype: Any = float32, dynamic_size: bool = False, infer_shape: bool = True) -> None:
        self._element_shape, self._dtype = TensorShape(element_shape), as_dtype(dtype)
        self._dynamic_size, self._infer_shape = dynamic_size, infer_shape

    @property
    def value_type(self) -> type[TensorArray]:
        """The class of what it describes."""
        return TensorArray

    @staticmethod
    def from_value(value: Any) -> TensorArraySpec:
        """The spec of a `TensorArray`; a TypeError for anything else."""
        if not isinstance(value, TensorArray):
            raise TypeError(f"Expected value to be a TensorArray, but got: `{type(value)}`")
        return TensorArraySpec(value.element_shape, value.dtype, bool(value.dynamic_size), value._known.infer)

    def is_compatible_with(self, other: Any) -> bool:
        """Whether a `TensorArray` or spec has this dtype, elements of a shape that fits, and grows likewise."""
        spec = other if isinstance(other, TypeSpec) else type_spec_from_value(other)
        if not isinstance(spec, TensorArraySpec) or not self.is_subtype_of(spec):
            return False
        return self._element_shape.is_compatible_with(spec._element_shape)

    def is_subtype_of(self, other: Any) -> bool:
        """Whether `other` has the same dtype and grows likewise."""
        return isinstance(other, TensorArraySpec) and (self._dtype, self._dynamic_size) == (other._dtype, other._dynamic_size)

    def most_specific_common_supertype(self, others: Sequence[Any]) -> Any:
        """The narrowest spec that this and all `others` fit; None where there is none."""
        others = list(others)
        if not all(self.is_subtype_of(other) for other in others):
            return None
        shape = self._element_shape.most_specific_common_supertype(other._element_shape for other in others)
        infer = self._infer_shape and all(other._infer_shape for other in others)
        return TensorArraySpec(shape, self._dtype, self._dynamic_size, infer)

    def to_tensors(self, value: Any) -> list[Any]:
        """The list of tensors that a `TensorArray` is; a TypeError for anything else, or one that does not fit."""
        if not self.is_compatible_with(self.from_value(value)):
            raise TypeError(f"Can not cast {self.from_value(value)!r} to {self!r}")
        return value._components()

    def _serialize(self) -> tuple[Any, ...]:
        return self._element_shape, self._dtype, self._dynamic_size, self._infer_shape

    def _components(self) -> list[Any]:
        return [TensorSpec([], variant)]

    def _from_components(self, parts: Sequence[Any]) -> TensorArray:
        return TensorArray(
            self._dtype, dynamic_size=self._dynamic_size, flow=parts[0], infer_shape=self._infer_shape,
            element_shape=as_dims(self._element_shape),
        )  # fmt: skip

    @property
    def _form(self) -> Any:
        return self._dtype, as_dims(self._element_shape), self._infer_shape, self._dynamic_size, True, None

    def _cast(self, value: Any) -> Any:
        if isinstance(value, TensorArraySpec):
            if not self.is_compatible_with(value):
                raise TypeError(f"Can not cast {value!r} to {self!r}")
            return self
        return self._from_components(self.to_tensors(value))


describe([TensorArray], TensorArraySpec.from_value)
