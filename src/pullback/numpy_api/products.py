"""Products of vectors, matrices and arrays."""

from __future__ import annotations

from typing import Any

from ..base.export import export
from ..compat import v2 as tf
from ..ir.tensor import DTypeLike, IntLike, NumberLike, Tensor
from .arrays import asarray, axis_of, expand_rank, promote_arrays, promote_pair, rank_of, spread
from .dtypes import asked_dtype
from .indexing import diagonal
from .reductions import sum as total
from .shapes import moveaxis


@export(v2="experimental.numpy.dot")
def dot(a: Any, b: Any) -> Tensor:
    """The sum of products over the last axis of `a` and the last but one of `b`, or its only one; scalars multiply.

    >>> int(tf.experimental.numpy.dot([1, 2], [3, 4]))
    11
    """
    a, b = promote_pair(a, b)
    if 0 in (rank_of(a, "dot"), rank_of(b, "dot")):
        return tf.multiply(a, b)
    return tf.tensordot(a, b, [[-1], [-1 if b.shape.rank == 1 else -2]])


@export(v2="experimental.numpy.inner")
def inner(a: NumberLike, b: NumberLike) -> Tensor:
    """The sum of products over the last axes; scalars multiply.

    >>> int(tf.experimental.numpy.inner([1, 2], [3, 4]))
    11
    """
    a, b = promote_pair(a, b)
    if 0 in (rank_of(a, "inner"), rank_of(b, "inner")):
        return tf.multiply(a, b)
    return tf.tensordot(a, b, [[-1], [-1]])


@export(v2="experimental.numpy.vdot")
def vdot(a: NumberLike, b: NumberLike) -> Tensor:
    """The sum of products of all elements, those of a complex `a` conjugated.

    >>> tf.experimental.numpy.vdot([1j], [1j]).numpy()
    np.complex128(1+0j)
    """
    a, b = (tf.reshape(t, [-1]) for t in promote_arrays(a, b))
    return dot(tf.math.conj(a), b)


@export(v2="experimental.numpy.outer")
def outer(a: NumberLike, b: NumberLike) -> Tensor:
    """All products of an element of `a`, the row, and one of `b`, the column.

    >>> tf.experimental.numpy.outer([1, 2], [3, 4]).numpy().tolist()
    [[3, 4], [6, 8]]
    """
    a, b = promote_pair(a, b)
    return tf.multiply(tf.reshape(a, [-1, 1]), tf.reshape(b, [-1]))


@export(v2="experimental.numpy.kron")
def kron(a: NumberLike, b: NumberLike) -> Tensor:
    """Kronecker's product: `b`, multiplied by each element of `a`, in its place.

    >>> tf.experimental.numpy.kron([1, 10], [1, 2]).numpy().tolist()
    [1, 2, 10, 20]
    """
    a, b = promote_arrays(a, b)
    rank = max(rank_of(a, "kron"), rank_of(b, "kron"))
    a, b = expand_rank(a, rank), expand_rank(b, rank)
    blocks, sizes = tf.shape(a), tf.shape(b)
    ones = tf.ones_like(blocks)
    of_a = tf.reshape(tf.stack([blocks, ones], 1), [-1])
    of_b = tf.reshape(tf.stack([ones, sizes], 1), [-1])
    return tf.reshape(tf.multiply(tf.reshape(a, of_a), tf.reshape(b, of_b)), tf.multiply(blocks, sizes))


@export(v2="experimental.numpy.matmul")
def matmul(x1: NumberLike, x2: NumberLike) -> Tensor:
    """The product of matrices, batches of them, or a vector on either side; a ValueError where shapes do not fit.

    >>> tf.experimental.numpy.matmul([[1, 2], [3, 4]], [1, 1]).numpy().tolist()
    [3, 7]
    """
    x1, x2 = promote_pair(x1, x2)
    try:
        if rank_of(x2, "matmul") == 1:
            return tf.tensordot(x1, x2, 1)
        if rank_of(x1, "matmul") == 1:
            return tf.tensordot(x1, x2, [[0], [-2]])
        return tf.matmul(x1, x2)
    except tf.errors.InvalidArgumentError as error:
        raise ValueError(str(error)) from error


@export(v2="experimental.numpy.tensordot")
def tensordot(a: NumberLike, b: NumberLike, axes: IntLike = 2) -> Tensor:
    """The sum of products over axes of both.

    Args:
        a: an array.
        b: an array.
        axes: how many of the last of `a` and the first of `b`, or which of each.

    >>> int(tf.experimental.numpy.tensordot([[1, 2]], [[3], [4]], [[0, 1], [1, 0]]))
    11
    """
    a, b = promote_pair(a, b)
    return tf.tensordot(a, b, axes)


@export(v2="experimental.numpy.einsum")
def einsum(subscripts: str, *operands: Any, **kwargs: Any) -> Tensor:
    """Einstein's sum: products of elements whose indices agree, summed over the indices that the result does not name.

    Args:
        subscripts: the indices of each operand, separated by commas, and after "->" those of the result.
        *operands: arrays, promoted to one dtype unless `casting="no"`.
        **kwargs: `casting`, "safe" or "no"; `optimize`, "greedy" (as True and False) or "optimal".

    >>> tf.experimental.numpy.einsum("ij,j->i", [[1, 2], [3, 4]], [1.0, 1.0]).numpy().tolist()
    [3.0, 7.0]
    """
    casting, optimize = kwargs.get("casting", "safe"), kwargs.get("optimize", False)
    if casting not in ("safe", "no"):
        raise ValueError(f"einsum: casting is 'safe' or 'no', got {casting!r}.")
    if optimize not in (True, False, "greedy", "optimal"):
        raise ValueError(f"einsum: optimize is True, False, 'greedy' or 'optimal', got {optimize!r}.")
    arrays = promote_arrays(*operands) if casting == "safe" else [asarray(x) for x in operands]
    return tf.einsum(subscripts, *arrays, optimize="optimal" if optimize == "optimal" else "greedy")


@export(v2="experimental.numpy.cross")
def cross(a: Any, b: Any, axisa: int = -1, axisb: int = -1, axisc: int = -1, axis: int | None = None) -> Tensor:
    """The vector products of vectors of two or three components; of two times two, the third component alone.

    Args:
        a: vectors along `axisa`.
        b: vectors along `axisb`.
        axisa: an axis of `a`.
        axisb: an axis of `b`.
        axisc: the axis of the result.
        axis: all three at once.

    >>> tf.experimental.numpy.cross([1, 0, 0], [0, 1, 0]).numpy().tolist()
    [0, 0, 1]
    """
    a, b = promote_pair(a, b)
    if axis is not None:
        axisa = axisb = axisc = axis
    a, b = moveaxis(a, axisa, -1), moveaxis(b, axisb, -1)
    flat = [t.shape.as_list()[-1] == 2 for t in (a, b)]
    a, b = (tf.pad(t, [[0, 0]] * (t.shape.rank - 1) + [[0, 1]]) if two else t for t, two in zip((a, b), flat, strict=True))
    found = tf.linalg.cross(*spread(a, b))
    if all(flat):
        return found[..., 2]
    return moveaxis(found, -1, axis_of(axisc, found.ndim, "cross"))


@export(v2="experimental.numpy.trace")
def trace(a: NumberLike, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: DTypeLike | None = None) -> Tensor:
    """The sums of the diagonals of matrices along two axes, `offset` places right of the main one.

    >>> int(tf.experimental.numpy.trace([[1, 2], [3, 4]]))
    5
    """
    wanted = asked_dtype(dtype)
    a = asarray(a, wanted)
    rank = rank_of(a, "trace")
    if offset == 0 and [axis_of(axis, rank, "trace") for axis in (axis1, axis2)] == [rank - 2, rank - 1]:
        return tf.linalg.trace(a)
    return total(diagonal(a, offset, axis1, axis2), -1, wanted)
