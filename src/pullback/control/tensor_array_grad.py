"""`TensorArray.grad`: in TensorFlow 1's graphs, an array to which programs write the gradients of another's elements by hand.

What is written to a place is added to it.  TensorFlow's arrays of one source share their elements; here the next one asked for goes on
from what the graph has written so far.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..base.dtypes import int32, int64
from ..base.errors import InvalidArgumentError
from ..ir.apply import convert_to_tensor
from ..ops.effects.asserts import after, assert_equal, assert_less
from ..ops.primitives.cast import cast
from ..ops.tensor_list.items import PLACE, RESERVE
from ..ops.tensor_list.push_pop import ADD, LENGTH
from ..ops.tensor_list.stack import FROM_TENSOR, SPLIT
from .tensor_array import Known, TensorArray

if TYPE_CHECKING:
    from ..ir.tensor import TensorLike


class Gradients(TensorArray):
    """The array of gradients of one source."""

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

    def _placed(self, value: Any, indices: Any) -> Gradients:
        inside = assert_less(indices, self._count, message="an index is past the end of this TensorArray of gradients")
        return self._on(ADD(after([inside], self._flow), PLACE(value, indices)))

    def write(self, index: Any, value: Any, name: str | None = None) -> TensorArray:
        """The array with `value` added at `index`."""
        value, index = self._value(value), convert_to_tensor(index, int32)
        self._check(value, value.dims)
        return self._placed(value, index)

    def scatter(self, indices: Any, value: Any, name: str | None = None) -> TensorArray:
        """The array with the rows of `value` added at `indices`."""
        value, indices = self._value(value), convert_to_tensor(indices, int32)
        self._check(value, value.dims and value.dims[1:])
        return self._placed(value, indices)

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
        whole = assert_equal(LENGTH(elements), self._count, message=wrong)
        return self._on(ADD(after([whole], self._flow), elements))

    def grad(self, source: str, flow: object = None, name: str | None = None) -> TensorArray:
        """Not there, as in TensorFlow: write to this array."""
        raise InvalidArgumentError(None, None, "a TensorArray of gradients has no gradients of its own: tf.gradients goes through it")


def gradients_of(array: TensorArray, source: str, flow: object, name: str | None) -> TensorArray:
    """The array of gradients that goes by `source`; one for each."""
    made = array._known.gradients
    if source not in made:
        made[source] = Gradients(array, array.flow if flow is None else flow, name)
    found: TensorArray = made[source].last[0]
    return found
