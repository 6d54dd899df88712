"""TensorFlow 1's functions that change rows of variables, over the variables' methods."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from ...api.collections import write_variable
from ...base.export import export
from ...ir.apply import convert_to_tensor
from ...ir.tensor import IndexedSlices, Tensor, TensorLike

if TYPE_CHECKING:
    from ...api.variable import Variable


class _Scatter(Protocol):
    def __call__(
        self, ref: Variable, indices: TensorLike, updates: TensorLike, use_locking: bool = ..., name: str | None = ...
    ) -> Tensor: ...


def _rows(method: str, what: str) -> _Scatter:
    def scatter(ref: Any, indices: Any, updates: Any, use_locking: bool = True, name: str | None = None) -> Any:
        slices = IndexedSlices(convert_to_tensor(updates, ref.dtype.base_dtype), convert_to_tensor(indices))
        return write_variable(ref, method, slices, use_locking, name)

    scatter.__name__ = scatter.__qualname__ = method
    scatter.__doc__ = f"""{what} the rows `indices` of the variable `ref` with the rows `updates`.

    Returns what `ref.{method}` returns: in a graph the new value.  Raises InvalidArgumentError for an index outside.

    >>> v = tf.Variable([8.0, 2.0])
    >>> tf.compat.v1.{method}(v, [0], [4.0]).numpy().shape
    (2,)
    """
    return scatter


def _places(method: str, what: str) -> _Scatter:
    def scatter(ref: Any, indices: Any, updates: Any, use_locking: bool = True, name: str | None = None) -> Any:
        return write_variable(ref, method, indices, updates, name)

    scatter.__name__ = scatter.__qualname__ = method
    scatter.__doc__ = f"""{what} the elements or slices of the variable `ref` at `indices` with `updates`.

    Returns what `ref.{method}` returns: in a graph the new value.  Raises InvalidArgumentError for an index outside.

    >>> v = tf.Variable([8.0, 2.0])
    >>> tf.compat.v1.{method}(v, [[1]], [4.0]).numpy().shape
    (2,)
    """
    return scatter


scatter_add = export(v1="scatter_add")(_rows("scatter_add", "Add to"))
scatter_sub = export(v1="scatter_sub")(_rows("scatter_sub", "Subtract from"))
scatter_mul = export(v1="scatter_mul")(_rows("scatter_mul", "Multiply"))
scatter_div = export(v1="scatter_div")(_rows("scatter_div", "Divide"))
scatter_min = export(v1="scatter_min")(_rows("scatter_min", "Take the minimum of"))
scatter_max = export(v1="scatter_max")(_rows("scatter_max", "Take the maximum of"))
scatter_update = export(v1="scatter_update")(_rows("scatter_update", "Replace"))
scatter_nd_add = export(v1="scatter_nd_add")(_places("scatter_nd_add", "Add to"))
scatter_nd_sub = export(v1="scatter_nd_sub")(_places("scatter_nd_sub", "Subtract from"))
scatter_nd_update = export(v1="scatter_nd_update")(_places("scatter_nd_update", "Replace"))


@export(v1="batch_scatter_update")
def batch_scatter_update(
    ref: Any, indices: TensorLike, updates: TensorLike, use_locking: bool = True, name: str | None = None
) -> Tensor | Variable:
    """Replaces the rows `indices` of each matrix of the variable `ref` with `updates`; gives the new value.

    indices: their leading dimensions are those of the variable.  Raises ValueError where their shape is not known.

    >>> v = tf.Variable([[1, 2], [3, 4]])
    >>> tf.compat.v1.batch_scatter_update(v, [[0], [1]], [[7], [8]]).numpy().tolist()
    [[7, 2], [3, 8]]
    """
    places = convert_to_tensor(indices)
    return ref.batch_scatter_update(IndexedSlices(convert_to_tensor(updates, dtype=ref.dtype.base_dtype), places), use_locking, name)
