"""ApproxTopK: the greatest or least elements along an axis.  TensorFlow's may miss some on accelerators; here, as on its CPU, none is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...base.dtypes import bfloat16, float16, float32, int32
from ...base.export import export
from ...ir.apply import ShapeError, convert_to_tensor
from ...ir.op import define
from ...ir.tensor import NumberLike, TensorType
from ..array.basic import TRANSPOSE, shape_of
from ..indexing.index import getitem
from .sort import PUT, TOP_K

if TYPE_CHECKING:
    from ..vmap_rules.base import Rows

Array = np.ndarray[Any, Any]


class ApproxTopK(NamedTuple):
    """What `approx_max_k` and `approx_min_k` return."""

    values: Any
    indices: Any


def _axis(rank: int, reduction_dimension: int) -> int:
    if not -rank <= reduction_dimension < rank:
        text = f"reduction_dimension must be in [-{rank}, {rank}), got {reduction_dimension}"
        raise ShapeError(text, text)
    return reduction_dimension % rank


def _type(
    input: Any, *, k: int, reduction_dimension: int = -1, recall_target: float = 0.95, is_max_k: bool = True,
    reduction_input_size_override: int = -1, aggregate_to_topk: bool = True,
) -> tuple[TensorType, TensorType]:  # fmt: skip
    dims = input.dims
    if not 0 < recall_target <= 1:
        raise ShapeError(f"Invalid recall target: {recall_target:g}. Valid value range in : [0, 1.0].", None)
    if dims is None:
        return TensorType(None, input.dtype), TensorType(None, int32)
    axis = _axis(len(dims), reduction_dimension)
    if k < 0 or (dims[axis] is not None and dims[axis] < k):
        text = f"input must have last dimension >= k = {k} but is {dims[axis]}"
        raise ShapeError(text, text)
    found = (*dims[:axis], k, *dims[axis + 1 :])
    return TensorType(found, input.dtype), TensorType(found, int32)


def _kernel(input: Array, *, k: int, reduction_dimension: int = -1, is_max_k: bool = True, **hints: Any) -> tuple[Array, Array]:
    axis = _axis(input.ndim, reduction_dimension)
    last = np.moveaxis(input, axis, -1)
    values, indices = TOP_K.kernel(last if is_max_k else -last, np.array(k))
    return tuple(np.moveaxis(found, -1, axis) for found in (values if is_max_k else -values, indices))


def _move_axis(x: Any, axis: int, to: int) -> Any:
    if axis == to:
        return x
    order = [i for i in range(len(x.dims)) if i != axis]
    order.insert(to, axis)
    return TRANSPOSE.call(x, np.array(order, np.int32))


def _pull_back(g_values: Any, indices: Any, input_type: Any, reduction_dimension: int) -> Any:
    if input_type.dims is None:
        raise ValueError("ApproxTopK: the gradient needs an input of known rank")
    last = len(input_type.dims) - 1
    axis = reduction_dimension % (last + 1)
    size = getitem(convert_to_tensor(shape_of(input_type)), axis)
    return _move_axis(PUT(_move_axis(g_values, axis, last), _move_axis(indices, axis, last), size), last, axis)


def _rows(rows: Rows, input: Any, **attrs: Any) -> Any:
    axis = attrs["reduction_dimension"]
    return rows.op(rows.stack(input), **{**attrs, "reduction_dimension": axis + 1 if axis >= 0 else axis})


APPROX_TOP_K = define(
    "ApproxTopK", "input", _type, _kernel, {"input": _pull_back}, outputs="values indices", dtypes={float16, bfloat16, float32},
    holomorphic=False, batch=_rows, gradient_names="ScatterNd",
)  # fmt: skip


@export("approx_top_k")
def approx_top_k(
    input: NumberLike,
    k: int,
    reduction_dimension: int = -1,
    recall_target: float = 0.95,
    is_max_k: bool = True,
    reduction_input_size_override: int = -1,
    aggregate_to_topk: bool = True,
    name: str | None = None,
) -> ApproxTopK:
    """The k greatest (`is_max_k`) or least elements along an axis, in order, and their positions, int32.

    input: float16, bfloat16 or float32.  Nothing is missed, so the hints `recall_target`, `reduction_input_size_override` and
    `aggregate_to_topk` change nothing.  Raises InvalidArgumentError (in graphs ValueError) where there are fewer than k.

    >>> tf.approx_top_k([3.0, 1.0, 2.0], k=2).indices.numpy().tolist()
    [0, 2]
    """
    found = APPROX_TOP_K(
        input, k=k, reduction_dimension=reduction_dimension, recall_target=recall_target, is_max_k=is_max_k,
        reduction_input_size_override=reduction_input_size_override, aggregate_to_topk=aggregate_to_topk, name=name,
    )  # fmt: skip
    return ApproxTopK(*found)


@export("math.approx_max_k", "nn.approx_max_k")
def approx_max_k(
    operand: NumberLike,
    k: int,
    reduction_dimension: int = -1,
    recall_target: float = 0.95,
    reduction_input_size_override: int = -1,
    aggregate_to_topk: bool = True,
    name: str | None = None,
) -> ApproxTopK:
    """The k greatest elements along an axis; see `approx_top_k`.

    >>> tf.math.approx_max_k([3.0, 1.0, 2.0], k=2).values.numpy().tolist()
    [3.0, 2.0]
    """
    return approx_top_k(
        operand, k, reduction_dimension, recall_target, True, reduction_input_size_override, aggregate_to_topk, name
    )  # fmt: skip


@export("math.approx_min_k", "nn.approx_min_k")
def approx_min_k(
    operand: NumberLike,
    k: int,
    reduction_dimension: int = -1,
    recall_target: float = 0.95,
    reduction_input_size_override: int = -1,
    aggregate_to_topk: bool = True,
    name: str | None = None,
) -> ApproxTopK:
    """The k least elements along an axis; see `approx_top_k`.

    >>> tf.math.approx_min_k([3.0, 1.0, 2.0], k=2).values.numpy().tolist()
    [1.0, 2.0]
    """
    return approx_top_k(
        operand, k, reduction_dimension, recall_target, False, reduction_input_size_override, aggregate_to_topk, name
    )  # fmt: skip
