"""Batching rules of neural networks' ops: convolutions, pools, normalisation, biases.

Images of all rows are one batch as long as rows share the filter.  Rows with filters of their own are one grouped convolution: their
channels stand side by side, each group with its filter.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ..array.basic import reshape
from ..batching import Batched, Same, content
from ..math.arithmetic import ADD, multiply, square
from ..reduce.reductions import SUM
from .base import Rows, join_vectors, times

if TYPE_CHECKING:
    from ...ir.tensor import Tensor


def _channel(data_format: str) -> int:
    return 1 if data_format.startswith("NC") else len(data_format) - 1


def output_dim(rows: Rows, axis: int, output: int = 0) -> Any:
    """The size of an axis of a row of an output, where it is known."""
    dims = rows.node.outputs[output].dims
    return None if dims is None else dims[axis]


def _has_no_rows(rows: Rows) -> bool:
    """Whether there are surely no rows, so that no group of channels is left."""
    return isinstance(rows.size, int) and rows.size == 0


def convolution(filter_channels: int) -> Callable[..., Any]:
    """The rule of a convolution whose output channels are the filter's axes from `filter_channels` on."""

    def rule(rows: Rows, input: Any, filter: Any, *, data_format: str, **attrs: Any) -> Batched:
        attrs = {**attrs, "data_format": data_format}
        if not rows.has(filter):
            return rows.unfold(rows.op(rows.fold(input), filter, **attrs), output_dim(rows, 0))
        if _has_no_rows(rows):
            return NotImplemented
        at = _channel(data_format)
        found = rows.op(rows.merge(input, at), rows.merge(filter, filter_channels), **attrs)
        return rows.unmerge(found, at, output_dim(rows, at))

    return rule


def convolution_to_input(filter_channels: int) -> Callable[..., Any]:
    """The rule of the gradient of a convolution for its input."""

    def rule(rows: Rows, input_sizes: Any, filter: Any, out_backprop: Any, *, data_format: str, **attrs: Any) -> Batched:
        attrs = {**attrs, "data_format": data_format}
        if rows.has(input_sizes):
            return NotImplemented
        if not rows.has(filter):
            found = rows.op(multiply_axis(rows, input_sizes, 0), filter, rows.fold(out_backprop), **attrs)
            return rows.unfold(found, output_dim(rows, 0))
        if _has_no_rows(rows):
            return NotImplemented
        at = _channel(data_format)
        whole = multiply_axis(rows, input_sizes, at)
        found = rows.op(whole, rows.merge(filter, filter_channels), rows.merge(out_backprop, at), **attrs)
        return rows.unmerge(found, at, output_dim(rows, at))

    return rule


def convolution_to_filter(filter_channels: int) -> Callable[..., Any]:
    """The rule of the gradient of a convolution for its filter: one filter for each row."""

    def rule(rows: Rows, input: Any, filter_sizes: Any, out_backprop: Any, *, data_format: str, **attrs: Any) -> Batched:
        attrs = {**attrs, "data_format": data_format}
        if rows.has(filter_sizes) or _has_no_rows(rows):
            return NotImplemented
        at = _channel(data_format)
        whole = multiply_axis(rows, filter_sizes, filter_channels)
        found = rows.op(rows.merge(input, at), whole, rows.merge(out_backprop, at), **attrs)
        return rows.unmerge(found, filter_channels, output_dim(rows, filter_channels))

    return rule


def multiply_axis(rows: Rows, shape: Any, axis: int) -> Any:
    """`shape` with an axis for as many rows as there are."""
    known = content(shape)
    entries = known if known is not None else shape
    return join_vectors(join_vectors(entries[:axis], [times(entries[axis], rows.count())], shape.dtype), entries[axis + 1 :], shape.dtype)


def average_pool_grad(rows: Rows, orig_input_shape: Tensor, grad: Tensor, *borders: Any, **attrs: Any) -> Batched:
    """Images of all rows are one batch; borders: those of windows that are not all of one size."""
    if rows.has(orig_input_shape, *borders):
        return NotImplemented
    return rows.unfold(rows.op(multiply_axis(rows, orig_input_shape, 0), rows.fold(grad), *borders, **attrs), output_dim(rows, 0))


def windows_grad(rows: Rows, grads: Any, shape: Any, *offsets: Any, **attrs: Any) -> Batched:
    """Of what reads windows of images, whose shape is told: images of all rows are one batch, and so are offsets of their windows."""
    if rows.has(shape):
        return NotImplemented
    return rows.unfold(rows.op(rows.fold(grads), multiply_axis(rows, shape, 0), *map(rows.fold, offsets), **attrs), output_dim(rows, 0))


def batch_norm(
    rows: Rows, x: Any, scale: Any, offset: Any, mean: Any, variance: Any, *, data_format: str, is_training: bool, **attrs: Any
) -> Batched:
    """Statistics are of one row's images: channels of all rows stand side by side.  Where statistics are given, images are one batch."""
    attrs = {**attrs, "data_format": data_format, "is_training": is_training}
    vectors = (scale, offset, mean, variance)
    if not is_training and not rows.has(*vectors):
        y, *rest = rows.op(rows.fold(x), *vectors, **attrs)
        return (rows.unfold(y, output_dim(rows, 0)), *(Same(t) for t in rest))
    at = _channel(data_format)
    given = [rows.merge(v, 0) if v.dims is None or v.dims[-1] != 0 else v for v in vectors]
    y, *rest = rows.op(rows.merge(x, at), *given, **attrs)
    return (rows.unmerge(y, at, output_dim(rows, at)), *(rows.unmerge(t, 0, output_dim(rows, 0, i)) for i, t in enumerate(rest, 1)))


def batch_norm_v1(rows: Rows, t: Any, *vectors: Any, **attrs: Any) -> Batched:
    """Images are one batch where vectors are shared; else, and for gradients, sums of a row's images, channels stand side by side.

    vectors: those by channel, and the cotangents of images, of their rank.
    """
    several = len(rows.node.outputs) > 1
    if any(v.dims is None for v in (t, *vectors)):
        return NotImplemented
    if not several and not rows.has(*vectors):
        return rows.unfold(rows.op(rows.fold(t), *vectors, **attrs), output_dim(rows, 0))
    ranks = [rows.rank(v) for v in (t, *vectors)]
    found = rows.op(*(rows.merge(v, rank - 1) for v, rank in zip((t, *vectors), ranks, strict=True) if rank), **attrs)
    if not several:
        return rows.unmerge(found, 3, output_dim(rows, 3))
    dx, *rest = found
    return (rows.unmerge(dx, 3, output_dim(rows, 3)), *(rows.unmerge(v, 0, output_dim(rows, 0, i)) for i, v in enumerate(rest, 1)))


def bias_add(rows: Rows, value: Any, bias: Any, *, data_format: str) -> Batched:
    """Channels are where they were; a bias of each row's own is added along them."""
    first = data_format.startswith("NC")
    rank = rows.rank(value)
    if not rows.has(bias):
        if first:
            return rows.unfold(rows.op(rows.fold(value), bias, data_format=data_format), output_dim(rows, 0))
        return rows.op(value, bias, data_format=data_format)
    if rank is None:
        return NotImplemented
    after = (1,) * (rank - 2) if first else ()
    spread = join_vectors(join_vectors((1,) * (rank - 1 - len(after)), rows.shape(bias)), after)
    return ADD(rows.stack(value), reshape(bias, rows.before(spread)))


def bias_add_grad(rows: Rows, out_backprop: Any, *, data_format: str) -> Batched:
    """The sum of each row over all but the channels."""
    rank = rows.rank(out_backprop)
    if rank is None:
        return NotImplemented
    at = 2 if data_format.startswith("NC") else rank
    return SUM(out_backprop, np.array([i for i in range(1, rank + 1) if i != at], np.int32), keep_dims=False)


def l2_loss(rows: Rows, t: Tensor) -> Tensor:
    """Half the sum of the squares of each row."""
    rank = rows.rank(t)
    if rank is None:
        return NotImplemented
    total = SUM(square(t), np.arange(1, rank + 1, dtype=np.int32), keep_dims=False)
    return multiply(total, np.array(0.5, t.dtype.numpy_dtype))
