"""Several arrays into one, and one into several."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from ..base.export import export
from ..compat import v2 as tf
from ..ir.tensor import IntLike, Tensor, TensorLike
from .arrays import array, asarray, promote_arrays, rank_of
from .dtypes import result_type
from .shapes import atleast_1d, atleast_2d, atleast_3d, ravel, swapaxes


@export(v2="experimental.numpy.concatenate")
def concatenate(arys: Any, axis: IntLike = 0) -> Tensor:
    """Arrays one after the other along an axis, promoted to one dtype; a ValueError for none.

    >>> tf.experimental.numpy.concatenate([[1, 2], [3.0]]).numpy().tolist()
    [1.0, 2.0, 3.0]
    """
    parts = list(arys) if isinstance(arys, (list, tuple)) else [arys]
    if not parts:
        raise ValueError(f"Need at least one array to concatenate. Received empty input: arys={arys}")
    dtype = result_type(*parts)
    return tf.concat([array(part, dtype) for part in parts], axis)


@export(v2="experimental.numpy.append")
def append(arr: TensorLike, values: TensorLike, axis: IntLike | None = None) -> Tensor:
    """`values` after the elements of `arr`, along an axis or both flattened.

    >>> tf.experimental.numpy.append([[1, 2]], 3).numpy().tolist()
    [1, 2, 3]
    """
    return concatenate([ravel(arr), ravel(values)] if axis is None else [arr, values], 0 if axis is None else axis)


@export(v2="experimental.numpy.stack")
def stack(arrays: Any, axis: int = 0) -> Tensor:
    """Arrays of one shape side by side along a new axis.

    >>> tf.experimental.numpy.stack([[1, 2], [3, 4]], axis=1).numpy().tolist()
    [[1, 3], [2, 4]]
    """
    if isinstance(arrays, tf.Tensor):
        return arrays if axis == 0 else swapaxes(arrays, 0, axis)
    return tf.stack(promote_arrays(*arrays), axis)


@export(v2="experimental.numpy.hstack")
def hstack(tup: Any) -> Tensor:
    """Arrays side by side: along the second axis, vectors along the first.

    >>> tf.experimental.numpy.hstack([1, [2, 3]]).numpy().tolist()
    [1, 2, 3]
    """
    parts = promote_arrays(*(atleast_1d(a) for a in tup))
    return tf.concat(parts, 0 if rank_of(parts[0], "hstack") == 1 else 1)


@export(v2="experimental.numpy.vstack")
def vstack(tup: Any) -> Tensor:
    """Arrays one below the other; vectors are rows.

    >>> tf.experimental.numpy.vstack([[1, 2], [3, 4]]).numpy().tolist()
    [[1, 2], [3, 4]]
    """
    return tf.concat(promote_arrays(*(atleast_2d(a) for a in tup)), 0)


@export(v2="experimental.numpy.dstack")
def dstack(tup: Any) -> Tensor:
    """Arrays one behind the other, along the third axis.

    >>> tf.experimental.numpy.dstack([[1, 2], [3, 4]]).numpy().tolist()
    [[[1, 3], [2, 4]]]
    """
    return tf.concat(promote_arrays(*(atleast_3d(a) for a in tup)), 2)


@export(v2="experimental.numpy.split")
def split(ary: TensorLike, indices_or_sections: IntLike | None, axis: int = 0) -> list[Tensor]:
    """Parts of an array along an axis: so many of one size, or those between the places of a list.

    >>> [t.numpy().tolist() for t in tf.experimental.numpy.split([1, 2, 3, 4], [1, 3])]
    [[1], [2, 3], [4]]
    """
    ary = asarray(ary)
    if not isinstance(indices_or_sections, int):
        indices_or_sections = _sizes(ary, indices_or_sections, axis)
    return tf.split(ary, indices_or_sections, axis)


def _sizes(ary: Any, boundaries: Any, axis: int) -> list[int]:
    if axis >= rank_of(ary, "split"):
        raise ValueError(f"axis {axis} is out of bound for shape {ary.shape}")
    total = ary.shape.as_list()[axis]
    if total is None:
        raise ValueError(f"split needs to know the size of axis {axis} of {ary.shape} while a graph is built. Use set_shape first.")
    places = [0, *(int(b) for b in boundaries)]
    if sorted(places) != places:
        raise ValueError(f"split: the boundaries {places[1:]} must not be negative, and none smaller than the one before.")
    places = [min(b, total) for b in [*places, total]]
    return [end - start for start, end in pairwise(places)]


def _split_along(ary: Any, indices_or_sections: Any, axis: int) -> Any:
    ary = asarray(ary)
    size = ary.shape.as_list()[axis]
    if isinstance(indices_or_sections, int) and size is not None and size % indices_or_sections:
        raise ValueError(f"array split does not result in an equal division: {size} elements in {indices_or_sections} parts")
    return split(ary, indices_or_sections, axis)


@export(v2="experimental.numpy.vsplit")
def vsplit(ary: TensorLike, indices_or_sections: IntLike | None) -> list[Tensor]:
    """`split` along the first axis.

    >>> [t.numpy().tolist() for t in tf.experimental.numpy.vsplit([[1], [2]], 2)]
    [[[1]], [[2]]]
    """
    return _split_along(ary, indices_or_sections, 0)


@export(v2="experimental.numpy.hsplit")
def hsplit(ary: TensorLike, indices_or_sections: IntLike | None) -> list[Tensor]:
    """`split` along the second axis, of vectors along the first.

    >>> [t.numpy().tolist() for t in tf.experimental.numpy.hsplit([1, 2], 2)]
    [[1], [2]]
    """
    ary = asarray(ary)
    return _split_along(ary, indices_or_sections, 0 if rank_of(ary, "hsplit") == 1 else 1)


@export(v2="experimental.numpy.dsplit")
def dsplit(ary: TensorLike, indices_or_sections: IntLike | None) -> list[Tensor]:
    """`split` along the third axis.

    >>> [t.shape.as_list() for t in tf.experimental.numpy.dsplit(tf.zeros([1, 2, 4]), 2)]
    [[1, 2, 2], [1, 2, 2]]
    """
    return _split_along(ary, indices_or_sections, 2)
