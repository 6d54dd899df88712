"""Shapes and orders of arrays, and elements by index."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..compat import v2 as tf
from ..ir.tensor import EagerTensor, Tensor
from ._dtypes import result_type


def normalize_axis(axis: int, rank: int, name: str) -> int:
    """`axis` counted from the front; an IndexError where there is none."""
    if not -rank <= axis < rank:
        raise IndexError(f"{name}: axis {axis} of an array of {rank} axes")
    return axis % rank


def axes_of(axis: int | tuple[int, ...] | None, rank: int, name: str) -> tuple[int, ...]:
    """One axis, several or (None) all, counted from the front."""
    given = tuple(range(rank)) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    found = tuple(normalize_axis(a, rank, name) for a in given)
    if len(set(found)) < len(found):
        raise ValueError(f"{name}: an axis is named twice in {axis}")
    return found


def broadcast_arrays(*arrays: Any) -> list[Any]:
    """All arrays with the shape they broadcast to.

    >>> [x.shape for x in xp.broadcast_arrays(xp.zeros((2, 1)), xp.zeros((3,)))]
    [TensorShape([2, 3]), TensorShape([2, 3])]
    """
    shape = np.broadcast_shapes(*(tuple(x.shape) for x in arrays))
    return [broadcast_to(x, shape) for x in arrays]


def broadcast_to(x: Tensor, /, shape: Sequence[int]) -> Tensor:
    """`x` repeated along axes of size one and new ones in front, to `shape`.

    >>> xp.broadcast_to(xp.asarray([1, 2]), (2, 2)).numpy().tolist()
    [[1, 2], [1, 2]]
    """
    return tf.broadcast_to(x, tf.constant(list(shape), "int32"))


def concat(arrays: Sequence[Tensor], /, *, axis: int | None = 0) -> Tensor:
    """Arrays put together along an axis; axis None: each made flat before.

    >>> xp.concat([xp.asarray([[1], [2]]), xp.asarray([[3], [4]])], axis=1).numpy().tolist()
    [[1, 3], [2, 4]]
    """
    same = _unify_dtypes(arrays)
    if axis is None:
        return tf.concat([tf.reshape(x, [-1]) for x in same], 0)
    return tf.concat(same, normalize_axis(axis, len(same[0].shape), "concat"))


def _unify_dtypes(arrays: Any) -> list[Any]:
    dtype = result_type(*arrays)
    return [tf.cast(x, dtype) for x in arrays]


def expand_dims(x: Tensor, /, axis: int = 0) -> Tensor:
    """`x` with a new axis of size one.

    >>> xp.expand_dims(xp.zeros((2, 3)), axis=1).shape
    TensorShape([2, 1, 3])
    """
    return tf.expand_dims(x, normalize_axis(axis, len(x.shape) + 1, "expand_dims"))


def flip(x: Tensor, /, *, axis: int | tuple[int, ...] | None = None) -> Tensor:
    """`x` in reverse order along axes, along all where None.

    >>> xp.flip(xp.asarray([[1, 2], [3, 4]]), axis=1).numpy().tolist()
    [[2, 1], [4, 3]]
    """
    return tf.reverse(x, axes_of(axis, len(x.shape), "flip")) if len(x.shape) else tf.identity(x)


def moveaxis(x: Tensor, source: int | tuple[int, ...], destination: int | tuple[int, ...], /) -> Tensor:
    """`x` with some axes in other places; the others keep their order.

    >>> xp.moveaxis(xp.zeros((2, 3, 4)), 0, -1).shape
    TensorShape([3, 4, 2])
    """
    rank = len(x.shape)
    start, end = (
        axes_of(source if isinstance(source, tuple) else (source,), rank, "moveaxis"),
        axes_of(destination if isinstance(destination, tuple) else (destination,), rank, "moveaxis"),
    )
    if len(start) != len(end):
        raise ValueError(f"moveaxis: {len(start)} axes to {len(end)} places")
    order = [a for a in range(rank) if a not in start]
    for at, a in sorted(zip(end, start, strict=True)):
        order.insert(at, a)
    return tf.transpose(x, order)


def permute_dims(x: Tensor, /, axes: tuple[int, ...]) -> Tensor:
    """`x` with its axes in another order.

    >>> xp.permute_dims(xp.zeros((2, 3, 4)), (2, 0, 1)).shape
    TensorShape([4, 2, 3])
    """
    return tf.transpose(x, axes_of(tuple(axes), len(x.shape), "permute_dims"))


def repeat(x: Tensor, repeats: int | Tensor, /, *, axis: int | None = None) -> Tensor:
    """Each element, or slice along an axis, so many times; axis None: of `x` made flat.

    >>> xp.repeat(xp.asarray([1, 2]), xp.asarray([3, 1])).numpy().tolist()
    [1, 1, 1, 2]
    """
    times = repeats if isinstance(repeats, int) else tf.cast(repeats, "int32")
    if axis is None:
        return tf.repeat(tf.reshape(x, [-1]), times, axis=0)
    return tf.repeat(x, times, axis=normalize_axis(axis, len(x.shape), "repeat"))


def reshape(x: Tensor, /, shape: Sequence[int], *, copy: bool | None = None) -> Tensor:
    """`x` row by row in another shape; one size may be -1, for what is left.  copy: accepted; an array that nothing changes needs none.

    >>> xp.reshape(xp.asarray([1, 2, 3, 4]), (2, -1)).numpy().tolist()
    [[1, 2], [3, 4]]
    """
    return tf.reshape(x, tf.constant(list(shape), "int32"))


def roll(x: Tensor, /, shift: int | tuple[int, ...], *, axis: int | tuple[int, ...] | None = None) -> Tensor:
    """`x` moved along axes, what leaves at the end coming in at the front; axis None: of `x` made flat.

    >>> xp.roll(xp.asarray([1, 2, 3]), 1).numpy().tolist()
    [3, 1, 2]
    """
    if axis is None:
        return tf.reshape(tf.roll(tf.reshape(x, [-1]), shift, 0), tf.shape(x))
    axes = axis if isinstance(axis, tuple) else (axis,)
    shifts = shift if isinstance(shift, tuple) else (shift,) * len(axes)
    return tf.roll(x, list(shifts), [normalize_axis(a, len(x.shape), "roll") for a in axes])


def squeeze(x: Tensor, /, axis: int | tuple[int, ...]) -> Tensor:
    """`x` without axes of size one; a ValueError where one is of another size.

    >>> xp.squeeze(xp.zeros((1, 2, 1)), 0).shape
    TensorShape([2, 1])
    """
    axes = axes_of(axis, len(x.shape), "squeeze")
    if any(x.shape[a] != 1 for a in axes):
        raise ValueError(f"squeeze: the axes {axes} of shape {tuple(x.shape)} are not all of size one")
    return tf.squeeze(x, axes) if axes else tf.identity(x)


def stack(arrays: Sequence[Tensor], /, *, axis: int = 0) -> Tensor:
    """Arrays of one shape put beside each other along a new axis.

    >>> xp.stack([xp.asarray([1, 2]), xp.asarray([3, 4])], axis=1).numpy().tolist()
    [[1, 3], [2, 4]]
    """
    same = _unify_dtypes(arrays)
    return tf.stack(same, normalize_axis(axis, len(same[0].shape) + 1, "stack"))


def tile(x: Tensor, repetitions: tuple[int, ...], /) -> Tensor:
    """`x` so many times along each axis, with new axes in front where there are more numbers than axes.

    >>> xp.tile(xp.asarray([1, 2]), (2, 2)).numpy().tolist()
    [[1, 2, 1, 2], [1, 2, 1, 2]]
    """
    times = (1,) * max(len(x.shape) - len(repetitions), 0) + tuple(repetitions)
    shaped = tf.reshape(x, (1,) * (len(times) - len(x.shape)) + tuple(x.shape))
    return tf.tile(shaped, list(times)) if times else tf.identity(x)


def unstack(x: Tensor, /, *, axis: int = 0) -> tuple[Tensor, ...]:
    """The slices of `x` along an axis, without it.

    >>> [x.numpy().tolist() for x in xp.unstack(xp.asarray([[1, 2], [3, 4]]), axis=1)]
    [[1, 3], [2, 4]]
    """
    return tuple(tf.unstack(x, axis=normalize_axis(axis, len(x.shape), "unstack")))


# ---- elements by index


def take(x: Tensor, indices: Tensor, /, *, axis: int | None = None) -> Tensor:
    """The slices of `x` at `indices`, a vector, along an axis; negative ones count from the end.

    >>> xp.take(xp.asarray([[1, 2], [3, 4]]), xp.asarray([1, 1]), axis=0).numpy().tolist()
    [[3, 4], [3, 4]]
    """
    if axis is None:
        if len(x.shape) != 1:
            raise ValueError(f"take: an array of {len(x.shape)} axes needs `axis`")
        axis = 0
    axis = normalize_axis(axis, len(x.shape), "take")
    return tf.gather(x, count_from_front(indices, x.shape[axis]), axis=axis)


def take_along_axis(x: Tensor, indices: Tensor, /, *, axis: int = -1) -> Tensor:
    """The elements of `x` at `indices` along an axis, which has `x`'s number of axes; the others broadcast.

    >>> xp.take_along_axis(xp.asarray([[1, 2], [3, 4]]), xp.asarray([[1], [0]]), axis=1).numpy().tolist()
    [[2], [3]]
    """
    rank = len(x.shape)
    axis = normalize_axis(axis, rank, "take_along_axis")
    shape = [1 if a == axis else n for a, n in enumerate(np.broadcast_shapes(_drop_axis(x, axis), _drop_axis(indices, axis)))]
    x = broadcast_to(x, [x.shape[axis] if a == axis else n for a, n in enumerate(shape)])
    indices = broadcast_to(indices, [indices.shape[axis] if a == axis else n for a, n in enumerate(shape)])
    order = [a for a in range(rank) if a != axis] + [axis]
    found = tf.gather(tf.transpose(x, order), count_from_front(tf.transpose(indices, order), x.shape[axis]), batch_dims=rank - 1)
    return tf.transpose(found, [int(i) for i in np.argsort(order)])


def _drop_axis(x: Any, axis: int) -> tuple[int, ...]:
    return tuple(1 if a == axis else n for a, n in enumerate(x.shape))


def count_from_front(indices: Tensor, size: int) -> Tensor:
    """Indices with negative ones counted from the end."""
    if indices.dtype.numpy_dtype.kind == "u":
        return tf.cast(indices, "int64")
    wide = tf.cast(indices, "int64")
    return tf.where(wide < 0, wide + size, wide)


def getitem(x: Tensor, key: object, otherwise: Callable[[Tensor, Any], Tensor]) -> Tensor:
    """`x[key]` as the standard and NumPy have it, arrays of integers among the parts of the key; other keys go `otherwise`."""
    parts = key if isinstance(key, tuple) else (key,)
    if len(parts) == 1 and (isinstance(parts[0], (bool, np.bool_)) or _is_mask(parts[0])):
        mask = tf.convert_to_tensor(parts[0])
        return tf.boolean_mask(x, mask) if len(mask.shape) else tf.boolean_mask(x[None], tf.reshape(mask, [1]))
    parts = tuple(widen_scalars(part) for part in parts)
    if not any(_is_indices(p) for p in parts):
        return otherwise(x, parts)
    spelled = _expand_key(parts, len(x.shape))
    axes = [a for a, p in enumerate(spelled) if _is_indices(p) or isinstance(p, (int, np.integer))]
    arrays = [tf.convert_to_tensor(spelled[a]) for a in axes]
    whole = otherwise(x, tuple(slice(None) if a in axes else p for a, p in enumerate(spelled)))
    shape = np.broadcast_shapes(*(tuple(i.shape) for i in arrays))
    flat = tf.constant(0, "int64")
    for a, i in zip(axes, arrays, strict=True):
        flat = flat * x.shape[a] + broadcast_to(count_from_front(_check_range(i, x.shape[a], a), x.shape[a]), shape)
    rest = [a for a in range(len(spelled)) if a not in axes]
    front = tf.transpose(whole, axes + rest)
    rows = tf.reshape(front, [math.prod(x.shape[a] for a in axes), *(whole.shape[a] for a in rest)])
    found = tf.gather(rows, tf.reshape(flat, [-1]))
    found = tf.reshape(found, [*shape, *(whole.shape[a] for a in rest)])
    if axes != list(range(axes[0], axes[0] + len(axes))):
        return found
    return moveaxis(found, tuple(range(len(shape))), tuple(range(axes[0], axes[0] + len(shape))))


def widen_scalars(part: Any) -> Any:
    """A part of a key, or a slice by its bounds, with scalar tensors of any integer dtype as int64, which every key takes."""
    if isinstance(part, slice):
        return slice(*(widen_scalars(bound) for bound in (part.start, part.stop, part.step)))
    return tf.cast(part, tf.int64) if isinstance(part, Tensor) and part.dtype.is_integer and part.shape.rank == 0 else part


def _is_indices(part: Any) -> bool:
    """Whether a part of a key is an array of integers."""
    return isinstance(part, (Tensor, np.ndarray)) and part.dtype not in (bool, tf.bool) and len(part.shape) > 0


def _is_mask(part: Any) -> bool:
    return isinstance(part, (Tensor, np.ndarray)) and part.dtype in (bool, tf.bool)


def _expand_key(parts: tuple[Any, ...], rank: int) -> list[Any]:
    """A key with a part for each axis."""
    if any(p is None for p in parts):
        raise IndexError("arrays of integers and new axes do not go into one key; use expand_dims afterwards")
    missing = rank - sum(p is not Ellipsis for p in parts)
    if missing < 0:
        raise IndexError(f"too many indices: {len(parts)} for {rank} axes")
    at = next((i for i, p in enumerate(parts) if p is Ellipsis), len(parts))
    return [*parts[:at], *[slice(None)] * missing, *parts[at + 1 :]]


def _check_range(indices: Any, size: int, axis: int) -> Any:
    if isinstance(indices, EagerTensor) and indices.value.size and not (-size <= indices.value.min() and indices.value.max() < size):
        raise IndexError(f"an index of axis {axis} is out of range for size {size}: they go from {-size} to {size - 1}")
    return indices
