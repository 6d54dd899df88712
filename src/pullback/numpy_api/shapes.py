"""The same elements in another shape or order."""

from __future__ import annotations

from typing import Any, overload

import numpy as np

from ..base.export import export
from ..base.shapes import Dimension, TensorShape
from ..compat import v2 as tf
from ..ir.tensor import IntLike, ShapeLike, Tensor, TensorLike
from .arrays import asarray, axis_of, expand_rank, extents, known_dims, rank_of, spread


@export(v2="experimental.numpy.shape")
def shape(a: TensorLike) -> TensorShape:
    """The shape, a `TensorShape`.

    >>> tf.experimental.numpy.shape([[1, 2]])
    TensorShape([1, 2])
    """
    return asarray(a).shape


@export(v2="experimental.numpy.ndim")
def ndim(a: Any) -> int:
    """The number of dimensions.

    >>> tf.experimental.numpy.ndim([[1, 2]])
    2
    """
    return int(asarray(a).ndim)


@export(v2="experimental.numpy.isscalar")
def isscalar(num: IntLike) -> bool:
    """Whether `num` has no dimensions.

    >>> tf.experimental.numpy.isscalar(1.0)
    True
    """
    return ndim(num) == 0


@export(v2="experimental.numpy.size")
def size(x: TensorLike, axis: IntLike | None = None) -> Any:
    """The number of elements, of the whole array only; a tensor where it is unknown while a graph is built.

    >>> int(tf.experimental.numpy.size([[1, 2]]))
    2
    """
    if axis is not None:
        raise NotImplementedError("axis argument is not supported in the current `np.size` implementation; take shape(x)[axis]")
    if isinstance(x, (int, float, np.int32, np.int64, np.float32)):
        return 1
    x = asarray(x)
    known = known_dims(x)
    return tf.size(x) if known is None else np.prod(known, dtype=int)


@export(v2="experimental.numpy.reshape")
def reshape(a: TensorLike, newshape: ShapeLike, order: str = "C") -> Tensor:
    """The elements in a new shape, one of whose sizes may be -1; by rows ("C") or columns ("F").

    >>> tf.experimental.numpy.reshape([1, 2, 3, 4], [2, -1]).numpy().tolist()
    [[1, 2], [3, 4]]
    """
    if order not in ("C", "F"):
        raise ValueError(f"Unsupported order argument {order}; reshape goes by rows, 'C', or by columns, 'F'.")
    a = asarray(a)
    wanted = [newshape] if isinstance(newshape, (int, np.integer, Dimension)) else newshape
    if order == "F":
        return tf.transpose(tf.reshape(tf.transpose(a), wanted[::-1]))
    return tf.reshape(a, wanted)


@export(v2="experimental.numpy.ravel")
def ravel(a: TensorLike) -> Tensor:
    """The elements as a vector.

    >>> tf.experimental.numpy.ravel([[1, 2], [3, 4]]).numpy().tolist()
    [1, 2, 3, 4]
    """
    return tf.reshape(asarray(a), [-1])


@export(v2="experimental.numpy.flatten")
def flatten(a: TensorLike, order: str = "C") -> Tensor:
    """The elements as a vector, by rows ("C", "A", "K") or columns ("F").

    >>> tf.experimental.numpy.flatten(tf.constant([[1, 2], [3, 4]]), "F").numpy().tolist()
    [1, 3, 2, 4]
    """
    if order not in ("C", "A", "K", "F"):
        raise ValueError("order can only be C, A, K (all row major) or F (column major).")
    return ravel(tf.transpose(asarray(a)) if order == "F" else a)


@export(v2="experimental.numpy.expand_dims")
def expand_dims(a: TensorLike, axis: IntLike) -> Tensor:
    """`a` with a new axis of size 1.

    >>> tf.experimental.numpy.expand_dims([1, 2], 0).shape
    TensorShape([1, 2])
    """
    return tf.expand_dims(asarray(a), axis)


@export(v2="experimental.numpy.squeeze")
def squeeze(a: TensorLike, axis: IntLike | None = None) -> Tensor:
    """`a` without axes of size 1, all or those named.

    >>> tf.experimental.numpy.squeeze([[1, 2]]).shape
    TensorShape([2])
    """
    return tf.squeeze(asarray(a), axis)


@export(v2="experimental.numpy.transpose")
def transpose(a: TensorLike, axes: IntLike | None = None) -> Tensor:
    """`a` with its axes in another order, reversed by default.

    >>> tf.experimental.numpy.transpose([[1, 2], [3, 4]]).numpy().tolist()
    [[1, 3], [2, 4]]
    """
    return tf.transpose(asarray(a), None if axes is None else asarray(axes))


@export(v2="experimental.numpy.swapaxes")
def swapaxes(a: TensorLike, axis1: int, axis2: int) -> Tensor:
    """`a` with two axes exchanged.

    >>> tf.experimental.numpy.swapaxes([[1, 2]], 0, 1).shape
    TensorShape([2, 1])
    """
    a = asarray(a)
    rank = rank_of(a, "swapaxes")
    one, two = (axis_of(int(i), rank, "swapaxes", IndexError) for i in (axis1, axis2))
    order = list(range(rank))
    order[one], order[two] = two, one
    return tf.transpose(a, order)


@export(v2="experimental.numpy.moveaxis")
def moveaxis(a: TensorLike, source: Any, destination: Any) -> Tensor:
    """`a` with axes moved to new places, the others in their order.

    >>> tf.experimental.numpy.moveaxis(tf.zeros([2, 3, 4]), 0, -1).shape
    TensorShape([3, 4, 2])
    """
    a = asarray(a)
    rank = rank_of(a, "moveaxis")
    given = (list(v) if isinstance(v, (tuple, list)) else [v] for v in (source, destination))
    sources, places = ([axis_of(int(i), rank, "moveaxis") for i in axes] for axes in given)
    if len(sources) != len(places):
        raise ValueError("The lengths of source and destination must equal")
    order = [i for i in range(rank) if i not in sources]
    for place, axis in sorted(zip(places, sources, strict=True)):
        order.insert(place, axis)
    return tf.transpose(a, order)


@export(v2="experimental.numpy.broadcast_to")
def broadcast_to(array: Any, shape: ShapeLike) -> Tensor:
    """`array`, repeated along axes of size 1 and new ones in front to be of a shape.

    >>> tf.experimental.numpy.broadcast_to([1, 2], [2, 2]).numpy().tolist()
    [[1, 2], [1, 2]]
    """
    dims = shape if isinstance(shape, tf.Tensor) else tf.convert_to_tensor(shape, dtype_hint=tf.int32)
    return tf.broadcast_to(asarray(array), expand_rank(dims, 1))


@export(v2="experimental.numpy.broadcast_arrays")
def broadcast_arrays(*args: Any, **kwargs: Any) -> list[Tensor]:
    """Arrays, repeated to be of the shape they have together. `subok` must be False.

    >>> [t.shape.as_list() for t in tf.experimental.numpy.broadcast_arrays([1, 2], [[3], [4]])]
    [[2, 2], [2, 2]]
    """
    if kwargs.pop("subok", False):
        raise ValueError("subok=True is not supported.")
    if kwargs:
        raise ValueError(f"Received unsupported arguments {sorted(kwargs)}; broadcast_arrays takes arrays only.")
    return spread(*(asarray(a) for a in args))


def _map_arrays(arys: tuple[Any, ...], grown: Any) -> Any:
    found = [grown(asarray(a)) for a in arys]
    return found[0] if len(found) == 1 else found


@overload
def atleast_1d(arys: TensorLike | None, /) -> Tensor: ...
@overload
def atleast_1d(*arys: Any) -> Tensor | list[Tensor]: ...
@export(v2="experimental.numpy.atleast_1d")
def atleast_1d(*arys: Any) -> Tensor | list[Tensor]:
    """Arrays, scalars as vectors of one element.

    >>> tf.experimental.numpy.atleast_1d(1).shape
    TensorShape([1])
    """
    return _map_arrays(arys, lambda a: expand_rank(a, 1))


@overload
def atleast_2d(arys: TensorLike | None, /) -> Tensor: ...
@overload
def atleast_2d(*arys: Any) -> Tensor | list[Tensor]: ...
@export(v2="experimental.numpy.atleast_2d")
def atleast_2d(*arys: Any) -> Tensor | list[Tensor]:
    """Arrays, those of fewer than two dimensions with axes of size 1 in front.

    >>> tf.experimental.numpy.atleast_2d([1, 2]).shape
    TensorShape([1, 2])
    """
    return _map_arrays(arys, lambda a: expand_rank(a, 2))


@overload
def atleast_3d(arys: TensorLike | None, /) -> Tensor: ...
@overload
def atleast_3d(*arys: Any) -> Tensor | list[Tensor]: ...
@export(v2="experimental.numpy.atleast_3d")
def atleast_3d(*arys: Any) -> Tensor | list[Tensor]:
    """Arrays of at least three dimensions: vectors get an axis of size 1 on either side, matrices one at the end.

    >>> tf.experimental.numpy.atleast_3d([1, 2]).shape
    TensorShape([1, 2, 1])
    """
    return _map_arrays(arys, lambda a: tf.expand_dims(expand_rank(a, 2), -1) if rank_of(a, "atleast_3d") < 3 else a)


@export(v2="experimental.numpy.flip")
def flip(m: Any, axis: Any = None) -> Tensor:
    """The elements in reverse order along an axis, or all of them.

    >>> tf.experimental.numpy.flip([1, 2, 3]).numpy().tolist()
    [3, 2, 1]
    """
    m = asarray(m)
    rank = rank_of(m, "flip")
    return tf.reverse(m, list(range(rank)) if axis is None else [axis_of(int(axis), rank, "flip")])


@export(v2="experimental.numpy.flipud")
def flipud(m: TensorLike) -> Tensor:
    """The rows in reverse order.

    >>> tf.experimental.numpy.flipud([[1, 2], [3, 4]]).numpy().tolist()
    [[3, 4], [1, 2]]
    """
    return flip(m, 0)


@export(v2="experimental.numpy.fliplr")
def fliplr(m: TensorLike) -> Tensor:
    """The columns in reverse order.

    >>> tf.experimental.numpy.fliplr([[1, 2], [3, 4]]).numpy().tolist()
    [[2, 1], [4, 3]]
    """
    return flip(m, 1)


@export(v2="experimental.numpy.rot90")
def rot90(m: Any, k: int = 1, axes: Any = (0, 1)) -> Tensor:
    """`m` turned k times by 90 degrees, from the first of two axes to the second.

    >>> tf.experimental.numpy.rot90([[1, 2], [3, 4]]).numpy().tolist()
    [[2, 4], [1, 3]]
    """
    m = asarray(m)
    one, two = axes
    k %= 4
    if k == 0:
        return m
    if k == 2:
        return flip(flip(m, one), two)
    return swapaxes(flip(m, two), one, two) if k == 1 else flip(swapaxes(m, one, two), two)


@export(v2="experimental.numpy.roll")
def roll(a: TensorLike, shift: IntLike, axis: IntLike | None = None) -> Tensor:
    """Elements moved along axes by `shift` places, those at the end to the front; by default the flattened array's.

    >>> tf.experimental.numpy.roll([1, 2, 3], 1).numpy().tolist()
    [3, 1, 2]
    """
    a = asarray(a)
    if axis is not None:
        return tf.roll(a, shift, axis)
    return tf.reshape(tf.roll(tf.reshape(a, [-1]), shift, 0), extents(a))


@export(v2="experimental.numpy.repeat")
def repeat(a: TensorLike, repeats: Any, axis: int | None = None) -> Tensor:
    """Each element so many times over, along an axis or of the flattened array.

    >>> tf.experimental.numpy.repeat([1, 2], 2).numpy().tolist()
    [1, 1, 2, 2]
    """
    return tf.repeat(asarray(a), asarray(repeats), axis)


@export(v2="experimental.numpy.tile")
def tile(a: TensorLike, reps: TensorLike) -> Tensor:
    """`a` so many times over along each axis; the shorter of shape and `reps` counts as having ones in front.

    >>> tf.experimental.numpy.tile([1, 2], [2, 1]).numpy().tolist()
    [[1, 2], [1, 2]]
    """
    a, counts = asarray(a), tf.reshape(asarray(reps, tf.int32), [-1])
    times = counts.shape.as_list()[0]
    rank = rank_of(a, "tile")
    if times is None:
        raise ValueError("tile needs to know how many counts there are, which is unknown while this graph is built.")
    if times < rank:
        counts = tf.concat([tf.ones([rank - times], tf.int32), counts], 0)
    return tf.tile(expand_rank(a, times), counts)


@export(v2="experimental.numpy.pad")
def pad(array: Any, pad_width: Any, mode: str, **kwargs: Any) -> Tensor:
    """`array` with elements added before and after those along each axis.

    Args:
        array: the elements in the middle.
        pad_width: two numbers for each axis.
        mode: "constant", "reflect" (the edge is not repeated) or "symmetric" (it is).
        **kwargs: `constant_values`, one number, 0 by default.

    >>> tf.experimental.numpy.pad([1, 2], [[1, 2]], "constant").numpy().tolist()
    [0, 1, 2, 0, 0]
    """
    if mode not in ("constant", "reflect", "symmetric"):
        raise ValueError(f"Unsupported padding mode: {mode}. pad knows 'constant', 'reflect' and 'symmetric'.")
    array = asarray(array)
    return tf.pad(array, asarray(pad_width, tf.int32), mode.upper(), kwargs.get("constant_values", 0))
