"""Cutting signals into frames that overlap, and adding such frames up again: each is the other's transpose.

Both work on pieces as long as the greatest common divisor of length and step, or of the step: whole pieces are gathered, or summed, not
single samples.  The divisor must therefore be known while a graph is built; lengths and steps that are not work sample by sample.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...base.dtypes import int32, name_in_c
from ...base.export import export
from ...base.shapes import TensorShape
from ...ir.apply import convert_to_tensor
from ...ir.attributes import refused_value
from ...ir.context import executing_eagerly, scope
from ...ir.tensor import IntLike, NumberLike, Tensor
from ..array.basic import reshape, shape_of
from ..array.create import range as range_of
from ..array.gather import gather
from ..array.join import concat, stack
from ..array.shape import rank
from ..array.slice import PAD, PAD_V2, slice
from ..array.transpose import transpose
from ..array.type_rules import invalid_argument
from ..math.arithmetic import maximum
from ..math.division import floormod
from ..primitives.cast import cast
from ..reduce.reductions import PROD, SUM
from .windows import apply_to_rows, known_scalar, require_scalar, resolve_scalar


@export("signal.frame")
def frame(
    signal: NumberLike,
    frame_length: IntLike,
    frame_step: IntLike,
    pad_end: bool = False,
    pad_value: NumberLike = 0,
    axis: IntLike = -1,
    name: str | None = None,
) -> Tensor:
    """`signal` with one axis cut into frames of `frame_length` samples, each `frame_step` after the one before.

    signal: [..., samples, ...], of any dtype.  frame_length, frame_step: integer scalars.  pad_end: whether frames that reach beyond the
    end are there too, filled up with `pad_value`.  axis: an integer.  The result has [frames, frame_length] in place of the axis.
    Raises ValueError for what ought to be a scalar and is not, or for a signal without axes.

    >>> tf.signal.frame([1, 2, 3, 4, 5], 3, 2).numpy().tolist()
    [[1, 2, 3], [3, 4, 5]]
    """
    with scope(name, "frame"):
        x = convert_to_tensor(signal, name="signal")
        length, step, place = (convert_to_tensor(n) for n in (frame_length, frame_step, axis))
        TensorShape(x.dims).with_rank_at_least(1)
        for scalar in (length, step, place):
            require_scalar(scalar)
        if not place.dtype.is_integer:
            raise TypeError(f"frame: `axis` is a whole number, not {axis!r}")
        at = known_scalar(place)
        if at is None or x.dims is None:
            return _frame_unknown_axis(x, length, step, pad_end, pad_value, place)
        if not -len(x.dims) <= at < len(x.dims):
            raise ValueError(f"frame: axis {at} is out of range for a signal of shape {x.shape}")
        return _frame_axis(x, length, step, pad_end, pad_value, at % len(x.dims))


def _frame_axis(x: Any, length: Any, step: Any, pad_end: bool, pad_value: Any, axis: int) -> Any:
    for what, given in (("frame_length", length), ("frame_step", step)):
        if given.dtype is not int32:
            text = f"cannot compute FloorDiv as {what} was expected to be a int32 tensor but is a {name_in_c(given.dtype)} tensor"
            raise invalid_argument(text) if executing_eagerly() else TypeError(text)
    samples = _size(x, axis)
    size, hop = resolve_scalar(length), resolve_scalar(step)
    if isinstance(size, int) and size < 0:
        raise refused_value(f"frame: frame_length must be at least 0, got {size}")
    if isinstance(hop, int) and hop < 1:
        raise invalid_argument(f"frame: frame_step must be at least 1, got {hop}")
    if pad_end:
        value = convert_to_tensor(pad_value, x.dtype)
        require_scalar(value)
        count = -(-samples // hop)
        x = _extend_axis(x, axis, _clamp_to_zero(size + hop * (count - 1) - samples), value)
        samples = _size(x, axis)
    else:
        count = _clamp_to_zero(1 + (samples - size) // hop)
    piece = math.gcd(size, hop) if isinstance(size, int) and isinstance(hop, int) else 1
    if piece == 0:
        piece = 1
    starts = reshape(range_of(count) * (hop // piece if isinstance(hop, int) else hop), [-1, 1])
    chosen = starts + reshape(range_of(size // piece if isinstance(size, int) else size), [1, -1])
    pieces = _cut_in_pieces(x, axis, samples // piece, piece) if piece > 1 else x
    found = gather(pieces, chosen, axis=axis)
    return found if piece == 1 else _shape_frames(found, x, axis, [count, size])


def _frame_unknown_axis(x: Any, length: Any, step: Any, pad_end: bool, pad_value: Any, axis: Any) -> Any:
    """The axes before the one that is cut count as one meanwhile, and so do those behind it."""
    sizes, known = convert_to_tensor(shape_of(x)), x.dims
    at = floormod(axis, cast(rank(x), axis.dtype))
    before, behind = sizes[:at], sizes[at + 1 :]
    x = reshape(x, stack([PROD.call(before, 0), sizes[at], PROD.call(behind, 0)]))
    found = _frame_axis(x, length, step, pad_end, pad_value, 1)
    whole = reshape(found, concat([before, shape_of(found)[1:3], behind], 0))
    whole.set_shape(TensorShape(None if known is None else [None] * (len(known) + 1)))
    return whole


def _size(x: Any, axis: int) -> Any:
    n = x.dims[axis]
    return shape_of(x)[axis] if n is None else n


def _clamp_to_zero(n: Any) -> Any:
    return max(0, n) if isinstance(n, int) else maximum(n, 0)


def _extend_axis(x: Any, axis: int, missing: Any, value: Any) -> Any:
    if isinstance(missing, int):
        margins: Any = np.zeros((len(x.dims), 2), np.int32)
        margins[axis, 1] = missing
        if not missing:
            return x
    else:
        margins = stack([[0, 0]] * axis + [stack([0, missing])] + [[0, 0]] * (len(x.dims) - axis - 1))
    return PAD_V2.call(x, margins, value)


def _cut_in_pieces(x: Any, axis: int, count: Any, piece: int) -> Any:
    """The axis in `count` pieces; what is left over at its end is dropped."""
    used = count * piece
    if not isinstance(used, int) or used != x.dims[axis]:
        end = [shape_of(x)[i] if i != axis else used for i in range(len(x.dims))]
        x = slice(x, np.zeros(len(x.dims), np.int32), _vector(end))
    return _shape_frames(x, x, axis, [count, piece])


def _shape_frames(found: Any, like: Any, axis: int, sizes: list[Any]) -> Any:
    """`found` in the shape of `like` with `sizes` in place of an axis."""
    whole = [_size(like, i) for i in range(len(like.dims))]
    return reshape(found, _vector([*whole[:axis], *sizes, *whole[axis + 1 :]]))


def _vector(sizes: list[Any]) -> Any:
    return np.array(sizes, np.int32) if all(isinstance(n, (int, np.integer)) for n in sizes) else stack([cast(n, int32) for n in sizes])


@export("signal.overlap_and_add")
def overlap_and_add(signal: NumberLike, frame_step: IntLike, name: str | None = None) -> Tensor:
    """Frames, each shifted by `frame_step` samples against the one before, added up: [..., frames, frame_length] to [..., samples].

    frame_step: an integer scalar.  There are frame_length + frame_step (frames - 1) samples.  Raises ValueError for a step that is not an
    integer scalar, or a signal of less than two axes.

    >>> tf.signal.overlap_and_add([[1, 2, 3], [4, 5, 6]], 2).numpy().tolist()
    [1, 2, 7, 5, 6]
    """
    with scope(name, "overlap_and_add"):
        x = convert_to_tensor(signal, name="signal")
        TensorShape(x.dims).with_rank_at_least(2)
        step = convert_to_tensor(frame_step, name="frame_step")
        require_scalar(step)
        if not step.dtype.is_integer:
            raise ValueError(f"frame_step must be an integer. Got {step.dtype}")
        hop = resolve_scalar(cast(step, int32))
        if isinstance(hop, int) and hop < 1:
            refuse = invalid_argument if (x.dims or (None,))[-1] is None else refused_value  # TensorFlow's padding is known then
            raise refuse(f"overlap_and_add: frame_step must be at least 1, got {hop}")
        return apply_to_rows(x, 2, lambda frames: _add_frames(frames, hop))


def _add_frames(x: Any, hop: Any) -> Any:
    """Each frame is cut into parts of a step; part j of frame i comes to place i + j, and parts of one place are added."""
    axes = len(x.dims)
    outer = [_size(x, i) for i in range(axes - 2)]
    frames, length = _size(x, axes - 2), _size(x, axes - 1)
    samples = length + hop * (frames - 1)
    if isinstance(hop, int) and hop == x.dims[-1]:
        return reshape(x, _vector([*outer, samples]))
    parts = -(-length // hop)
    x = _extend_twice(x, parts, parts * hop - length)
    x = reshape(x, _vector([*outer, frames + parts, parts, hop]))
    x = transpose(x, [*range(axes - 2), axes - 1, axes - 2, axes])
    places = frames + parts - 1
    x = reshape(x, _vector([*outer, (frames + parts) * parts, hop]))
    x = x[..., : places * parts, :]  # one place fewer a row: each row of parts is shifted by one against the row before
    x = SUM.call(reshape(x, _vector([*outer, parts, places, hop])), axes - 2)
    return reshape(x, _vector([*outer, places * hop]))[..., :samples]


def _extend_twice(x: Any, rows: Any, columns: Any) -> Any:
    pair = [stack([0, n]) if not isinstance(n, int) else [0, n] for n in (rows, columns)]
    if all(isinstance(n, int) for n in (rows, columns)):
        return PAD.call(x, np.array([[0, 0]] * (len(x.dims) - 2) + pair, np.int32))
    return PAD.call(x, stack([*([[0, 0]] * (len(x.dims) - 2)), *pair]))
