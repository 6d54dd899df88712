"""Functions made of array operations: linspace, meshgrid, repeat, sequence_mask."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.dtypes import INDEX, as_dtype, bool as bool_, int32, string
from ...base.export import export
from ...ir.apply import convert_to_tensor
from ...ir.context import scope
from ...ir.tensor import DTypeLike, IntLike, NumberLike, Tensor, TensorLike
from ..array.basic import BROADCAST_TO, reshape, shape_of
from ..array.create import range as range_
from ..array.gather import gather
from ..array.join import CONCAT
from ..array.shape import EXPAND_DIMS, broadcast_dynamic_shape
from ..array.tile import TILE
from ..array.type_rules import known_int, known_value, times
from ..array.where import where
from ..indexing.index import getitem
from ..indexing.mask import boolean_mask
from ..math.arithmetic import maximum
from ..primitives.cast import cast
from ..primitives.compare import less
from ..reduce.reductions import reduce_max


@export("linspace", v1="lin_space")
def linspace(start: Any, stop: Any, num: IntLike, name: str | None = None, axis: int = 0) -> Tensor:
    """`num` evenly spaced numbers from `start` to `stop`, both included, along a new axis.

    start, stop: numbers of one dtype, broadcast to one shape (integers become float32 or float64, as they do in a division).
    num: an integer or scalar tensor of integers, else TypeError; InvalidArgumentError where it is negative.  The first number is `start`
    itself and the last one `stop`, so infinite ones are kept.  Gradient: the i-th number is `start + i * (stop - start) / (num - 1)`.

    >>> tf.linspace(0.0, 1.0, 3).numpy().tolist()
    [0.0, 0.5, 1.0]
    """
    with scope(name, "linspace"):
        start = convert_to_tensor(start, name="start")
        stop = convert_to_tensor(stop, start.dtype, name="stop")
        count = convert_to_tensor(num, dtype_hint=int32, name="num")
        if not count.dtype.is_integer:
            raise TypeError(f"Argument `num` of linspace must be an integer, not {num!r} of dtype {count.dtype.name}")
        whole = known_int(count)
        steps: Any
        end: Any
        if whole is None:
            count = cast(count, int32)
            steps, end = maximum(count - 1, 1), where(count < 0, -1, maximum(count - 1, 1))
        else:
            steps = max(whole - 1, 1)
            end = steps if whole >= 0 else -1
        if start.dims is None or start.dims != stop.dims:
            shape = broadcast_dynamic_shape(shape_of(start), shape_of(stop))
            start, stop = BROADCAST_TO(start, shape), BROADCAST_TO(stop, shape)
        start, stop = (EXPAND_DIMS(t, axis) for t in (start, stop))
        delta = (stop - start) / cast(steps, start.dtype)
        start, stop = (cast(t, delta.dtype) for t in (start, stop))
        rank = len(start.dims) if start.dims is not None else 1
        at = axis + rank if axis < 0 else axis
        inner = cast(range_(1, end), delta.dtype)
        inner = reshape(inner, [-1 if i == at else 1 for i in range(rank)])
        numbers = CONCAT([start, start + delta * inner, stop], at, name="Slice")
        return numbers if whole is not None and whole > 1 else getitem(numbers, (*[slice(None)] * at, slice(count)))


@export("meshgrid")
def meshgrid(*args: NumberLike, **kwargs: Any) -> list[Tensor]:
    """Coordinate arrays of a grid from its axes.

    args: vectors.  indexing: "xy" (the first two axes of the result exchanged) or "ij", else ValueError.
    Gradient: the upstream gradient summed over the copies.

    >>> [t.numpy().tolist() for t in tf.meshgrid([1, 2], [3, 4])]
    [[[1, 2], [1, 2]], [[3, 3], [4, 4]]]
    """
    indexing, name = kwargs.pop("indexing", "xy"), kwargs.pop("name", "meshgrid")
    if kwargs:
        raise TypeError(f"'{next(iter(kwargs))}' is an invalid keyword argument for this function (meshgrid)")
    if indexing not in ("xy", "ij"):
        raise ValueError(f"Argument `indexing` parameter must be either 'xy' or 'ij', got '{indexing}' (meshgrid)")
    if any(t is None for t in args):
        raise TypeError("meshgrid: an axis is a vector, not None")
    with scope(name, "meshgrid"):
        axes = [reshape(t, [-1]) for t in map(convert_to_tensor, args)]
        if any(t.dtype is string for t in axes):
            raise TypeError("meshgrid makes grids of numbers, not of strings: Cannot convert 1 to EagerTensor of dtype string")
        order = list(range(len(axes)))
        if indexing == "xy" and len(axes) > 1:
            order[:2] = [1, 0]
        sizes = [shape_of(axes[i]) for i in order]
        known = all(isinstance(n, np.ndarray) for n in sizes)
        whole = np.concatenate(sizes) if known and sizes else CONCAT(sizes, 0) if sizes else None
        found = [BROADCAST_TO(reshape(t, [-1 if i == k else 1 for i in order]), whole) for k, t in enumerate(axes)]
        # The operator says that dtypes differ, or with NumPy's behaviour makes one of them.
        return [t if t.dtype is axes[0].dtype else t * convert_to_tensor(1, axes[0].dtype) for t in found]


@export("repeat")
def repeat(input: TensorLike, repeats: IntLike, axis: int | None = None, name: str | None = None) -> Tensor:
    """Each element (each slice along `axis`) `repeats` times in a row.

    repeats: an integer, or one for each element; a TypeError for floats.  axis: the flattened input when None.
    Gradient: the upstream one summed over the copies.

    >>> tf.repeat([1, 2], [1, 3]).numpy().tolist()
    [1, 2, 2, 2]
    """
    with scope(name, "Repeat"):
        data = convert_to_tensor(input, name="input")
        counts = convert_to_tensor(repeats, dtype_hint=int32, name="repeats")
        if not counts.dtype.is_integer:
            text = f"Argument `tensor` (name: repeats) must be of type integer. Received `tensor` = {counts}"
            raise TypeError(f"{text} of dtype: {counts.dtype}")
        counts = cast(counts, int32)
        if axis is not None and not isinstance(axis, (int, np.integer)):
            raise TypeError(f"Argument `axis` must be an int. Received `axis` = {axis} of type {type(axis).__name__}")
        if axis is not None and data.dims is not None and not -len(data.dims) <= axis < len(data.dims):
            raise ValueError(f"axis={axis} out of bounds: expected -{len(data.dims)}<=axis<{len(data.dims)}")
        if axis is None:
            data, axis = reshape(data, [-1]), 0
        if data.dims is None:
            if axis < 0:
                raise ValueError(f"repeat: with `input` of unknown rank, axis = {axis} says no axis; count it from the first")
            each = sequence_mask(_spread_counts(data, counts, axis))
            return gather(data, reshape(where(each)[:, :1], [-1]), axis=axis)
        rank = len(data.dims)
        axis = axis + rank if axis < 0 else axis
        if counts.dims not in ((), (1,)):
            return _repeat_each(data, counts, axis)
        count = known_int(counts)
        copies = [(reshape(counts, []) if count is None else count) if i == axis + 1 else 1 for i in range(rank + 1)]
        tiled = TILE(EXPAND_DIMS(data, axis + 1), copies)
        middle = times(data.dims[axis], count)
        return reshape(tiled, _replace_size(data, axis, -1 if middle is None else middle))


def _repeat_each(data: Any, counts: Any, axis: int) -> Tensor:
    """Every slice as often as the largest count, then those beyond its own count dropped."""
    if counts.dims is None or None in (counts.dims[0], data.dims[axis]):
        counts = _spread_counts(data, counts, axis)
    most = maximum(reduce_max(counts), 0)
    copies = [most if i == axis + 1 else 1 for i in range(len(data.dims) + 1)]
    out = boolean_mask(TILE(EXPAND_DIMS(data, axis + 1), copies), sequence_mask(counts, most), axis)
    each = known_value(counts)
    out.set_shape([*data.dims[:axis], None if each is None else int(each.sum()), *data.dims[axis + 1 :]])
    return out


def _spread_counts(data: Any, counts: Any, axis: int) -> Tensor:
    """The counts, one for each slice of `data` along `axis`: a single one is that of all."""
    return BROADCAST_TO(reshape(counts, [-1]), shape_of(data)[axis : axis + 1])


def _replace_size(data: Any, axis: int, size: int) -> Any:
    """The shape of `data` with another size for `axis`."""
    sizes = shape_of(data)
    return [size if i == axis else n if n is not None else sizes[i] for i, n in enumerate(data.dims)]


@export("sequence_mask")
def sequence_mask(
    lengths: NumberLike, maxlen: NumberLike | None = None, dtype: DTypeLike | None = bool_, name: str | None = None
) -> Tensor:
    """Rows that are true in their first `lengths[i]` places.

    lengths: integers of any shape.  maxlen: the length of the rows, a scalar, of whose dtype the places are; the largest of `lengths`
    when None.
    Returns lengths.shape + [maxlen], of `dtype`.  Raises ValueError where `maxlen` is no scalar.

    >>> tf.sequence_mask([1, 3], dtype=tf.int32).numpy().tolist()
    [[1, 0, 0], [1, 1, 1]]
    """
    with scope(name, "SequenceMask"):
        lengths = convert_to_tensor(lengths, name="lengths")
        if maxlen is None:
            maxlen = maximum(reduce_max(lengths), 0)
        else:
            maxlen = convert_to_tensor(maxlen, name="maxlen")
            if maxlen.dtype.is_bool or maxlen.dtype is string:
                raise TypeError(f"sequence_mask: maxlen is a number, not of dtype {maxlen.dtype.name}")
        if maxlen.dims not in (None, ()):
            raise ValueError(
                f"Argument `maxlen` must be scalar for sequence_mask, received `maxlen` = {maxlen} with shape '{maxlen.shape}' instead"
            )
        columns = range_(cast(maxlen, int32) if maxlen.dtype.is_integer and maxlen.dtype not in INDEX else maxlen)
        mask = less(columns, cast(EXPAND_DIMS(lengths, -1), columns.dtype))
        return mask if dtype is None or as_dtype(dtype) is bool_ else cast(mask, dtype)
