"""What is taken by a mask of booleans."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.export import export
from ...base.shapes import are_compatible
from ...ir.apply import convert_to_tensor
from ...ir.composite import takes_composites
from ...ir.context import executing_eagerly, scope
from ...ir.tensor import LATE_BOUND, IntLike, NumberLike, Tensor, TensorLike
from ..array.basic import reshape, shape_of
from ..array.gather import GATHER
from ..array.join import CONCAT
from ..array.type_rules import invalid_argument, known_int
from ..array.where import WHERE
from ..reduce.reductions import PROD


@export(v2="boolean_mask")
@takes_composites
def boolean_mask(tensor: TensorLike, mask: NumberLike, axis: IntLike | None = None, name: str = "boolean_mask") -> Tensor:
    """The entries of `tensor` where `mask` is true, in order.

    mask: booleans of known rank at least 1 whose shape is that of `tensor` from `axis` on (0 when None), else ValueError.
    Returns tensor.shape[:axis] + [number of trues] + tensor.shape[axis + rank of the mask:].
    Gradient: the upstream gradient put back, zeros elsewhere.

    >>> tf.boolean_mask([1, 2, 3], [True, False, True]).numpy().tolist()
    [1, 3]
    """
    with scope(name, "boolean_mask"):
        return _mask_tensor(tensor, mask, axis)


def _mask_tensor(tensor: Any, mask: Any, axis: Any) -> Tensor:
    tensor, mask = convert_to_tensor(tensor, name="tensor"), convert_to_tensor(mask, name="mask")
    if isinstance(axis, bool) and executing_eagerly():
        raise invalid_argument("Value for attr 'Index' of bool is not in the list of allowed values: int16, int32, int64 (boolean_mask)")
    if isinstance(axis, (bool, float, str, bytes, list, tuple)):
        raise TypeError(f"boolean_mask: `axis` must be an integer, got {axis!r}")
    at = 0 if axis is None else known_int(convert_to_tensor(axis))
    if mask.dims is None:
        raise ValueError(
            "Number of mask dimensions must be specified, even if some dimensions are None. E.g. shape=[None] is ok, but shape=None is not."
        )
    count = len(mask.dims)
    if count == 0:
        raise ValueError("mask cannot be scalar. (boolean_mask)")
    if at is None:
        return _mask_along(tensor, mask, convert_to_tensor(axis))
    if tensor.dims is not None:
        at = at + len(tensor.dims) if at < 0 else at
        part = tensor.dims[at : at + count]
        if not are_compatible(part, mask.dims):
            raise ValueError(f"Shapes {part} and {mask.dims} are incompatible (boolean_mask)")
    sizes = shape_of(tensor)
    if not isinstance(sizes, np.ndarray):
        return _mask_along(tensor, mask, at)
    flat = [*sizes[:at].tolist(), int(np.prod(sizes[at : at + count])), *sizes[at + count :].tolist()]
    return GATHER(reshape(tensor, flat), reshape(WHERE(reshape(mask, [-1])), [-1]), at)


def _mask_along(tensor: Any, mask: Any, axis: Any) -> Tensor:
    """`boolean_mask` of a tensor whose shape, or from an axis on that, only a run knows."""
    sizes, end = convert_to_tensor(shape_of(tensor)), axis + len(mask.dims)
    one = PROD(sizes[axis:end], np.zeros(1, np.int32), keep_dims=True)
    flat = CONCAT([sizes[:axis], one, sizes[end:]], 0)
    return GATHER(reshape(tensor, flat), reshape(WHERE(reshape(mask, [-1])), [-1]), axis)


LATE_BOUND.update(boolean_mask=boolean_mask)
