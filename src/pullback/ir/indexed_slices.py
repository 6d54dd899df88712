"""`IndexedSlices`: rows of a larger tensor, the form in which the gradient of `gather` stays sparse."""

from __future__ import annotations

from abc import ABCMeta
from typing import TYPE_CHECKING, Any

from ..base.counterparts import name_class
from ..base.dtypes import DType
from ..base.export import export, is_hot
from ..base.lazy_import import LazyModule
from ..base.shapes import TensorShape, as_dims
from .context import Dispatch
from .operators import LATE_BOUND

if TYPE_CHECKING:
    from ..pictures import values as pictures
    from .tensor import Dims, Tensor
else:
    pictures = LazyModule("pullback.pictures.values")


@export("IndexedSlices")
@name_class("framework.indexed_slices.IndexedSlices")
class IndexedSlices(metaclass=ABCMeta):  # noqa: B024  # as `CompositeTensor`
    """Rows of a larger tensor: `values[i]` belongs to row `indices[i]` of a tensor of shape `dense_shape`; equal indices add up.

    values: a tensor of shape [k, ...]; indices: integers of shape [k]; dense_shape: integers or None.

    >>> table = tf.Variable([[1.0], [2.0], [3.0]])
    >>> with tf.GradientTape() as tape:
    ...     y = tf.reduce_sum(tf.gather(table, [2, 0, 2]))
    >>> g = tape.gradient(y, table)
    >>> g.indices.numpy(), tf.convert_to_tensor(g).numpy().ravel()
    (array([2, 0, 2], dtype=int32), array([1., 0., 2.], dtype=float32))
    """

    _is_composite = True

    def __init__(self, values: Tensor, indices: Tensor, dense_shape: Any = None) -> None:
        self.values = values
        self.indices = indices
        self.dense_shape = dense_shape

    @property
    @is_hot
    def dtype(self) -> DType:
        """The dtype of the values."""
        return self.values.dtype

    @property
    def dims(self) -> Dims:
        """The dense shape as far as it is known, as a plain tuple."""
        if not hasattr(self.dense_shape, "constant"):  # None, or sizes as the program has them
            return as_dims(self.dense_shape)
        known = self.dense_shape.constant
        return None if known is None else tuple(None if n is None else int(n) for n in known)

    @property
    def shape(self) -> TensorShape:
        """The dense shape as far as it is known."""
        return TensorShape.of(self.dims)

    @property
    def name(self) -> str:
        """The name of the values."""
        return str(self.values.name)  # eager tensors raise, as TensorFlow's do

    @property
    def op(self) -> Any:
        """The operation that makes the values."""
        return self.values.op

    @property
    def graph(self) -> Any:
        """The graph of the values."""
        return self.values.graph

    @property
    def device(self) -> Any:
        """The device of the values."""
        return self.values.device

    def __as_tensor__(self, dtype: DType | None = None, name: str | None = None) -> Tensor:
        return LATE_BOUND["densify"](self, dtype, name)

    def _take_rows(self, rows: Any) -> tuple[Any, Any]:
        """The values and the indices of some of its rows."""
        return LATE_BOUND["gather"](self.values, rows), LATE_BOUND["gather"](self.indices, rows)

    def _invariant_dims(self, dims: Dims, as_it_is: bool) -> list[Any]:
        """The shapes of its parts in a loop; `dims`: what stays of that of the values, all of it if that is `as_it_is`."""
        if as_it_is:
            return [t.dims for t in self._components()]
        known = [dims, None if dims is None else dims[:1], (None if dims is None else len(dims),)]
        return known[: len(self._components())]

    def _components(self) -> list[Any]:
        return [self.values, self.indices] + ([] if self.dense_shape is None else [Dispatch.convert(self.dense_shape)])

    def _from_components(self, components: list[Any]) -> IndexedSlices:
        return IndexedSlices(*components)

    def __neg__(self) -> IndexedSlices:
        return IndexedSlices(-self.values, self.indices, self.dense_shape)

    def _repr_html_(self) -> str:
        return pictures.html_of_parts(self, self._components())

    def __repr__(self) -> str:
        shape = "" if self.dense_shape is None else f", dense_shape={self.dense_shape!s}"
        return f"IndexedSlices(indices={self.indices!s}, values={self.values!s}{shape})"
