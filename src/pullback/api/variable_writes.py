"""The ways to write a variable: assign, add, subtract, and by rows or elements.

Eagerly each gives the variable itself, in a graph the variable as it is then, for a ref variable the tensor of the new value (or the
operation, with `read_value=False`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..base.dtypes import DType
from ..base.errors import InvalidArgumentError
from ..base.lazy_import import LazyModule
from ..base.shapes import TensorShape, show
from ..ir.apply import convert_to_tensor
from ..ir.context import current
from ..ir.convert import is_tensor_like
from ..ir.graph import Graph
from ..ir.op import Op
from ..ir.tensor import Dims, IndexedSlices, NumberLike, Tensor, TensorLike
from ..ir.tracebacks import trim, trims_errors
from ..ops.array.join import stack
from ..ops.indexing.index import slice_of_key
from ..ops.state.variables import ASSIGN, ASSIGN_ADD, ASSIGN_SUB, SCATTER

if TYPE_CHECKING:
    from ..ops.resources import operations as resources
    from .variable import Variable
else:
    resources = LazyModule("pullback.ops.resources.operations")


class Writes:
    """What writes to the storage behind `handle`."""

    handle: Any
    _graph: Graph | None
    _dtype: DType
    _dims: Dims
    _name: str
    _validates: bool
    _is_ref: bool

    def value(self) -> Tensor:
        """The current value, a tensor."""
        raise NotImplementedError

    def _write(self, op: Op, value: TensorLike, name: str | None) -> Tensor:
        graph = current().graph
        label = None
        if self._is_ref and graph is not None and graph is self._graph and not is_tensor_like(value):  # its own constant, beside the write
            name = graph.unique_name(name or op.name) + "/"
            label = f"{name}value/"
        tensor = convert_to_tensor(value.value() if isinstance(value, Writes) else value, dtype=self._dtype, name=label)
        if graph is None and op is not ASSIGN:
            self._check_eagerly(tensor, op.name)
        self._check(tensor)
        return self._apply(op, tensor, name=name)

    def _apply(self, op: Any, *inputs: Any, **attrs: Any) -> Tensor:
        """The result of an operation on the variable's handle that writes it."""
        return op.call(self.handle, *inputs, **attrs)

    def _check_eagerly(self, value: Tensor, op_name: str) -> None:
        """An update in place is refused by the operation itself, with the class that operations raise."""
        if self._dims is not None and value.dims != self._dims and None not in self._dims:
            shapes = f"variable '{self._name}' with shape {show(self._dims)} using a Tensor with shape {show(value.dims)}"
            raise InvalidArgumentError(None, None, f"Cannot update {shapes}, shapes must be equal. [Op:{op_name}] name: ")

    def _check(self, value: Tensor) -> None:
        if self._dims is None or value.dims == self._dims or not self._validates:
            return
        if not TensorShape(self._dims).is_compatible_with(TensorShape(value.dims)):
            raise ValueError(
                f"Cannot assign value to variable ' {self._name}': Shape mismatch.The variable shape {TensorShape(self._dims)}, and the "
                f"assigned value shape {TensorShape(value.dims)} are incompatible."
            )

    def _finish_write(self, result: Tensor, read_value: bool) -> Any:
        if self._graph is None:
            graph = current().graph
            if graph is None or not getattr(getattr(graph, "keeper", None), "runs_what_is_needed", False):
                return self._as_written() if read_value else None
        return self._after(result) if read_value else result.op

    def _as_written(self) -> Any:
        """What an eager write gives."""
        raise NotImplementedError

    def _after(self, result: Any) -> Any:
        """What a write in a graph gives, whose tensor of the new value is `result`."""
        raise NotImplementedError

    def assign(self, value: TensorLike, use_locking: bool | None = False, name: str | None = None, read_value: bool = True) -> Variable:
        """Make `value` the new value.  Eagerly gives this variable, in a graph the variable as it is then."""
        try:
            return self._finish_write(self._write(ASSIGN, value, name), read_value)
        except Exception as error:
            trim(error)
            raise

    @trims_errors
    def _assign_part(self, key: Any, value: Any, name: str | None = None) -> Any:
        """Write `value` into the part of the variable that `variable[key]` reads; result as `assign`."""
        begin, end, strides, masks = slice_of_key(key)
        given = convert_to_tensor(value, dtype=self._dtype)
        label = name or "strided_slice/_assign"
        return self._finish_write(self._apply(resources.STRIDED_SLICE_ASSIGN, begin, end, strides, given, name=label, **masks), True)

    def assign_add(self, delta: NumberLike, use_locking: bool | None = False, name: str | None = None, read_value: bool = True) -> Variable:
        """Add `delta` to the value; result as `assign`."""
        try:
            return self._finish_write(self._write(ASSIGN_ADD, delta, name), read_value)
        except Exception as error:
            trim(error)
            raise

    def assign_sub(self, delta: NumberLike, use_locking: bool | None = False, name: str | None = None, read_value: bool = True) -> Variable:
        """Subtract `delta` from the value; result as `assign`."""
        try:
            return self._finish_write(self._write(ASSIGN_SUB, delta, name), read_value)
        except Exception as error:
            trim(error)
            raise

    def _scatter(self, how: str, slices: IndexedSlices, name: str | None) -> Any:
        if not isinstance(slices, IndexedSlices):
            raise TypeError(f"sparse_delta is not IndexedSlices: {slices!r}")
        values = convert_to_tensor(slices.values, dtype=self._dtype)
        return self._finish_write(self._apply(SCATTER[how], slices.indices, values, shape=self._dims, name=name), True)

    def scatter_update(self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None) -> Variable:
        """Replace the rows `sparse_delta.indices` by `sparse_delta.values`."""
        return self._scatter("update", sparse_delta, name)

    def scatter_add(self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None) -> Variable:
        """Add rows; those of equal index add up."""
        return self._scatter("add", sparse_delta, name)

    def scatter_sub(self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None) -> Variable:
        """Subtract rows; those of equal index add up."""
        return self._scatter("sub", sparse_delta, name)

    def scatter_mul(self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None) -> Variable:
        """Multiply rows."""
        return self._scatter("mul", sparse_delta, name)

    def scatter_div(self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None) -> Variable:
        """Divide rows."""
        return self._scatter("div", sparse_delta, name)

    def scatter_min(self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None) -> Variable:
        """Take the element-wise minimum with rows."""
        return self._scatter("min", sparse_delta, name)

    def scatter_max(self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None) -> Variable:
        """Take the element-wise maximum with rows."""
        return self._scatter("max", sparse_delta, name)

    def batch_scatter_update(self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None) -> Variable:
        """Replace, in each batch of the leading dimensions, the rows `sparse_delta.indices[..., :]` by `sparse_delta.values`.

        Raises ValueError where the shape of the indices is not known.
        """
        indices = convert_to_tensor(sparse_delta.indices)
        if indices.dims is None or None in indices.dims:
            raise ValueError(f"batch_scatter_update needs indices of known shape, got {show(indices.dims)}")
        batch = np.indices(tuple(n for n in indices.dims if n is not None), indices.dtype.base_dtype.numpy_dtype)[:-1]
        return self.scatter_nd_update(stack([*batch, indices], -1), sparse_delta.values, name)

    def _scatter_nd(self, how: str, indices: Any, updates: Any, name: str | None) -> Any:
        updates = convert_to_tensor(updates, dtype=self._dtype)
        return self._finish_write(self._apply(resources.SCATTER_ND[how], indices, updates, name=name), True)

    def scatter_nd_update(self, indices: TensorLike, updates: TensorLike, name: str | None = None) -> Variable:
        """Replace the elements or slices at `indices`."""
        return self._scatter_nd("ScatterNdUpdate", indices, updates, name)

    def scatter_nd_add(self, indices: TensorLike, updates: TensorLike, name: str | None = None) -> Variable:
        """Add to the elements or slices at `indices`."""
        return self._scatter_nd("ScatterNdAdd", indices, updates, name)

    def scatter_nd_sub(self, indices: TensorLike, updates: TensorLike, name: str | None = None) -> Variable:
        """Subtract from the elements or slices at `indices`."""
        return self._scatter_nd("ScatterNdSub", indices, updates, name)
