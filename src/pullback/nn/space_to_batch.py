"""Filters and windows with gaps: images are cut into those that a window with gaps sees at once, worked on, and put together again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..base.export import export
from ..ir.apply import convert_to_tensor
from ..ir.tensor import IntLike, Tensor, TensorLike
from ..ops.array.basic import shape_of
from ..ops.array.blocks import batch_to_space, space_to_batch_nd
from ..ops.array.join import stack
from ..ops.windows.layout import padding_of


@export("nn.with_space_to_batch")
def with_space_to_batch(
    input: TensorLike,
    dilation_rate: IntLike,
    padding: Any,
    op: Callable[[Any, int, str], Any],
    filter_shape: Any = None,
    spatial_dims: Sequence[int] | None = None,
    data_format: str | None = None,
) -> Tensor:
    """`op(input, number of spatial axes, padding)` as if its window's points lay `dilation_rate` apart.

    input: [batch, ...spatial axes..., channels], channels first when data_format begins with "NC".  dilation_rate: one positive number
    for each spatial axis.  padding: "VALID", or "SAME" together with the window's sizes `filter_shape`, or a pair for each dimension.
    spatial_dims: which axes are spatial, rising.  Raises ValueError for arguments that do not fit.

    >>> x, w = tf.ones([1, 5, 5, 1]), tf.ones([2, 2, 1, 1])
    >>> tf.nn.with_space_to_batch(x, [2, 2], "VALID", lambda x, count, padding: tf.nn.conv2d(x, w, 1, padding)).shape
    TensorShape([1, 3, 3, 1])
    """
    x = convert_to_tensor(input, name="input")
    rates = np.asarray(dilation_rate)
    if rates.ndim != 1:
        raise ValueError(f"`dilation_rate.shape.rank` must be 1. Received: dilation_rate={dilation_rate} of rank {rates.ndim}")
    if (rates < 1).any():
        raise ValueError(f"`dilation_rate` must be positive. Received: dilation_rate={dilation_rate}")
    first = data_format is not None and data_format.startswith("NC")
    axes = _axes(spatial_dims, len(rates), first)
    needed = axes[-1] if first else axes[-1] + 1
    if x.dims is not None and len(x.dims) < needed:
        raise ValueError(f"`input.shape.rank` must be at least {needed}. Received: input.shape={x.shape} with rank {len(x.dims)}")
    if (rates == 1).all():
        return op(x, len(rates), padding)
    sizes = shape_of(x)
    base = _base_paddings(padding, filter_shape, rates, first).astype(np.int32)
    lengths = sizes[axes].astype(np.int32) if isinstance(sizes, np.ndarray) else stack([sizes[axis] for axis in axes])
    extra = (-(lengths + base.sum(axis=1, dtype=np.int32))) % rates.astype(np.int32)
    paddings, crops = stack([base[:, 0], base[:, 1] + extra], 1), stack([np.zeros(len(rates), np.int32), extra], 1)
    blocks, none = _spread(rates.astype(np.int32), axes, 1), np.zeros(2, np.int32)
    parts = op(space_to_batch_nd(x, blocks, _spread(paddings, axes, none)), len(rates), "VALID")
    return batch_to_space(parts, blocks, _spread(crops, axes, none))


def _axes(spatial_dims: Sequence[int] | None, count: int, first: bool) -> list[int]:
    axes = list(range(1 + first, count + 1 + first)) if spatial_dims is None else [int(axis) for axis in spatial_dims]
    if axes != sorted(set(axes)) or any(axis < 1 for axis in axes):
        raise ValueError(
            f"`spatial_dims` must be a monotonically increasing sequence of positive integers. Received: spatial_dims={spatial_dims}"
        )
    return axes


def _base_paddings(padding: Any, filter_shape: Any, rates: Any, first: bool) -> Any:
    """What a window with gaps asks for on each side of each spatial axis."""
    word = padding
    if not isinstance(padding, str):
        word, explicit = padding_of(padding)
        pairs = np.reshape(explicit, (-1, 2))
        return pairs[2:] if first else pairs[1:-1]
    if word == "VALID":
        return np.zeros((len(rates), 2), np.int32)
    if word != "SAME":
        raise ValueError(f"`padding` must be one of 'SAME' or 'VALID'. Received: padding={padding}")
    if filter_shape is None:
        raise ValueError("`filter_shape` must be specified for `padding='SAME'`. Received: filter_shape=None and padding=SAME")
    extra = (np.asarray(filter_shape)[: len(rates)] - 1) * rates
    return np.stack([extra // 2, extra - extra // 2], axis=1)


def _spread(values: Any, axes: Sequence[int], other: Any) -> Any:
    """`values`, which has an entry for each of `axes`, with `other` for the axes from 1 on that lie between."""
    if list(axes) == list(range(1, len(axes) + 1)):
        return values
    return convert_to_tensor([values[axes.index(axis)] if axis in axes else other for axis in range(1, axes[-1] + 1)])
