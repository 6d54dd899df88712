"""The Array API's linear algebra, on stacks of matrices, differentiable."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ..compat import v2 as tf
from ..ir.tensor import DTypeLike, Tensor
from ._dtypes import kind_of, promote_arrays
from ._manipulation import axes_of, broadcast_to, moveaxis
from ._statistics import sum as _sum


class EighResult(NamedTuple):
    """What `eigh` gives."""

    eigenvalues: Any
    eigenvectors: Any


class QRResult(NamedTuple):
    """What `qr` gives."""

    Q: Any
    R: Any


class SlogdetResult(NamedTuple):
    """What `slogdet` gives."""

    sign: Any
    logabsdet: Any


class SVDResult(NamedTuple):
    """What `svd` gives: x = U @ diag(S) @ Vh."""

    U: Any
    S: Any
    Vh: Any


def cholesky(x: Tensor, /, *, upper: bool = False) -> Tensor:
    """The lower triangular factor of positive definite matrices, or (`upper`) its conjugate transpose.

    >>> xp.linalg.cholesky(xp.asarray([[4.0, 0.0], [0.0, 9.0]]), upper=True).numpy().tolist()
    [[2.0, 0.0], [0.0, 3.0]]
    """
    factor = tf.linalg.cholesky(x)
    return tf.linalg.adjoint(factor) if upper else factor


def cross(x1: Tensor, x2: Tensor, /, *, axis: int = -1) -> Tensor:
    """The cross product of vectors of three elements along an axis.

    >>> xp.linalg.cross(xp.asarray([1, 0, 0]), xp.asarray([0, 1, 0])).numpy().tolist()
    [0, 0, 1]
    """
    x1, x2 = promote_arrays(x1, x2)
    if not -min(len(x1.shape), len(x2.shape)) <= axis < 0:
        raise IndexError(f"cross: axis {axis}; it is counted from the end, and both arrays have it")
    x1, x2 = moveaxis(x1, axis, -1), moveaxis(x2, axis, -1)
    if x1.shape[-1] != 3 or x2.shape[-1] != 3:
        raise ValueError(f"cross: vectors of three elements, not of {x1.shape[-1]} and {x2.shape[-1]}")
    shape = np.broadcast_shapes(tuple(x1.shape), tuple(x2.shape))
    (a, b, c), (d, e, f) = tf.unstack(broadcast_to(x1, shape), axis=-1), tf.unstack(broadcast_to(x2, shape), axis=-1)
    return moveaxis(tf.stack([b * f - c * e, c * d - a * f, a * e - b * d], -1), -1, axis)


def det(x: Tensor, /) -> Tensor:
    """Determinants.

    >>> round(xp.linalg.det(xp.asarray([[1.0, 2.0], [3.0, 4.0]])).numpy().item(), 4)
    -2.0
    """
    return tf.linalg.det(x)


def diagonal(x: Tensor, /, *, offset: int = 0) -> Tensor:
    """The diagonals of matrices, the one `offset` above the main one.

    >>> xp.linalg.diagonal(xp.asarray([[1, 2], [3, 4]]), offset=1).numpy().tolist()
    [2]
    """
    rows, columns = x.shape[-2], x.shape[-1]
    size = max(0, min(rows, columns - offset) if offset >= 0 else min(rows + offset, columns))
    at = tf.range(size)
    flat = tf.reshape(x, [*x.shape[:-2], rows * columns])
    return tf.gather(flat, (at + max(-offset, 0)) * columns + at + max(offset, 0), axis=-1)


def eigh(x: Tensor, /) -> EighResult:
    """Eigenvalues in rising order, and eigenvectors in columns, of symmetric (Hermitian) matrices.

    >>> xp.linalg.eigh(xp.asarray([[2.0, 0.0], [0.0, 1.0]])).eigenvalues.numpy().round(4).tolist()
    [1.0, 2.0]
    """
    return EighResult(*tf.linalg.eigh(x))


def eigvalsh(x: Tensor, /) -> Tensor:
    """Eigenvalues of symmetric (Hermitian) matrices.

    >>> xp.linalg.eigvalsh(xp.asarray([[2.0, 0.0], [0.0, 1.0]])).numpy().round(4).tolist()
    [1.0, 2.0]
    """
    return tf.linalg.eigvalsh(x)


def inv(x: Tensor, /) -> Tensor:
    """Inverses.

    >>> xp.linalg.inv(xp.asarray([[2.0, 0.0], [0.0, 4.0]])).numpy().tolist()
    [[0.5, 0.0], [0.0, 0.25]]
    """
    return tf.linalg.inv(x)


def matmul(x1: Tensor, x2: Tensor, /) -> Tensor:
    """Products of matrices; of a vector too, which is a row on the left and a column on the right.

    >>> xp.matmul(xp.asarray([[1.0, 2.0], [3.0, 4.0]]), xp.asarray([1.0, 1.0])).numpy().tolist()
    [3.0, 7.0]
    """
    x1, x2 = promote_arrays(x1, x2)
    if not len(x1.shape) or not len(x2.shape):
        raise ValueError("matmul: a scalar is no matrix; use multiply")
    left, right = x1[None, :] if len(x1.shape) == 1 else x1, x2[:, None] if len(x2.shape) == 1 else x2
    if left.shape[-1] != right.shape[-2]:
        raise ValueError(f"matmul: shapes {tuple(x1.shape)} and {tuple(x2.shape)} do not go together")
    found = _product(left, right)
    drop = [a for a, one in ((-2, len(x1.shape) == 1), (-1, len(x2.shape) == 1)) if one]
    return tf.squeeze(found, drop) if drop else found


def _product(left: Any, right: Any) -> Any:
    """`left @ right` for every dtype: TensorFlow has no products of small integers, which are computed in wider ones."""
    small = kind_of(left.dtype) == "integral" and left.dtype.name not in ("int32", "int64", "uint32", "uint64")
    if small:
        return tf.cast(tf.matmul(tf.cast(left, "int32"), tf.cast(right, "int32")), left.dtype)
    return tf.matmul(left, right)


def matrix_norm(x: Tensor, /, *, keepdims: bool = False, ord: float | str = "fro") -> Tensor:
    """Norms of matrices: "fro", "nuc", 1, -1, 2, -2, inf, -inf.

    >>> xp.linalg.matrix_norm(xp.asarray([[3.0, 0.0], [0.0, 4.0]])).numpy().item()
    5.0
    """
    size = tf.abs(x)
    if ord in ("fro", None):
        found = tf.sqrt(tf.reduce_sum(size * size, [-2, -1], True))
    elif ord in ("nuc", 2, -2):
        values = tf.linalg.svd(x, compute_uv=False)[..., None]
        reduce = {"nuc": tf.reduce_sum, 2: tf.reduce_max, -2: tf.reduce_min}[ord]
        found = reduce(values, -2, True)
    elif ord in (1, -1, math.inf, -math.inf):
        lines = tf.reduce_sum(size, -2 if ord in (1, -1) else -1, True)
        found = (tf.reduce_max if ord > 0 else tf.reduce_min)(lines, [-2, -1], True)
    else:
        raise ValueError(f"matrix_norm: ord is 'fro', 'nuc', 1, -1, 2, -2, inf or -inf, not {ord!r}")
    return found if keepdims else tf.squeeze(found, [-2, -1])


def matrix_power(x: Tensor, n: int, /) -> Tensor:
    """Matrices to a whole power, by squaring; of the inverse where it is negative.

    >>> xp.linalg.matrix_power(xp.asarray([[1.0, 1.0], [0.0, 1.0]]), 5).numpy().tolist()
    [[1.0, 5.0], [0.0, 1.0]]
    """
    base = inv(x) if n < 0 else x
    n, found = abs(n), None
    while n:
        if n & 1:
            found = base if found is None else tf.matmul(found, base)
        n >>= 1
        base = tf.matmul(base, base) if n else base
    return tf.eye(x.shape[-1], batch_shape=x.shape[:-2], dtype=x.dtype) if found is None else tf.identity(found)


def matrix_rank(x: Tensor, /, *, rtol: float | Tensor | None = None) -> Tensor:
    """How many singular values are larger than `rtol` times the largest; by default max(m, n) times the dtype's epsilon.

    >>> xp.linalg.matrix_rank(xp.asarray([[1.0, 2.0], [2.0, 4.0]])).numpy().item()
    1
    """
    values = tf.linalg.svd(x, compute_uv=False)
    if rtol is None:
        rtol = max(x.shape[-2], x.shape[-1]) * float(np.finfo(values.dtype.numpy_dtype).eps)
    limit = tf.reduce_max(values, -1) * tf.cast(rtol, values.dtype) if values.shape[-1] else tf.zeros(values.shape[:-1], values.dtype)
    return tf.reduce_sum(tf.cast(values > limit[..., None], "int64"), -1)


def matrix_transpose(x: Tensor, /) -> Tensor:
    """The last two axes exchanged.

    >>> xp.matrix_transpose(xp.asarray([[1, 2], [3, 4]])).numpy().tolist()
    [[1, 3], [2, 4]]
    """
    if len(x.shape) < 2:
        raise ValueError(f"matrix_transpose: shape {tuple(x.shape)} has no matrices")
    return tf.linalg.matrix_transpose(x)


def outer(x1: Tensor, x2: Tensor, /) -> Tensor:
    """All products of the elements of two vectors.

    >>> xp.linalg.outer(xp.asarray([1, 2]), xp.asarray([10, 20])).numpy().tolist()
    [[10, 20], [20, 40]]
    """
    x1, x2 = promote_arrays(x1, x2)
    if len(x1.shape) != 1 or len(x2.shape) != 1:
        raise ValueError(f"outer: two vectors, not shapes {tuple(x1.shape)} and {tuple(x2.shape)}")
    return x1[:, None] * x2[None, :]


def pinv(x: Tensor, /, *, rtol: float | Tensor | None = None) -> Tensor:
    """Pseudo-inverses; singular values up to `rtol` times the largest count as zero.

    >>> xp.linalg.pinv(xp.asarray([[2.0], [0.0]])).numpy().round(4).tolist()
    [[0.5, 0.0]]
    """
    if rtol is None:
        rtol = max(x.shape[-2], x.shape[-1]) * float(np.finfo(x.dtype.real_dtype.numpy_dtype).eps)
    return tf.linalg.pinv(x, tf.cast(rtol, x.dtype.real_dtype))


def qr(x: Tensor, /, *, mode: str = "reduced") -> QRResult:
    """x = Q @ R with orthonormal Q and upper triangular R.  mode: "reduced", or "complete" for a square Q.

    >>> q, r = xp.linalg.qr(xp.asarray([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]))
    >>> q.shape, r.shape
    (TensorShape([3, 2]), TensorShape([2, 2]))
    """
    if mode not in ("reduced", "complete"):
        raise ValueError(f"qr: mode is 'reduced' or 'complete', not {mode!r}")
    return QRResult(*tf.linalg.qr(x, full_matrices=mode == "complete"))


def slogdet(x: Tensor, /) -> SlogdetResult:
    """Signs of determinants, and logarithms of their absolute values (real).

    >>> [part.numpy().round(4).item() for part in xp.linalg.slogdet(xp.asarray([[0.0, 1.0], [1.0, 0.0]]))]
    [-1.0, 0.0]
    """
    sign, log = tf.linalg.slogdet(x)
    return SlogdetResult(sign, tf.math.real(log) if kind_of(log.dtype) == "complex floating" else log)


def solve(x1: Tensor, x2: Tensor, /) -> Tensor:
    """The solutions of x1 @ x = x2; a vector x2 is one right-hand side for all matrices.

    >>> xp.linalg.solve(xp.asarray([[2.0, 0.0], [0.0, 4.0]]), xp.asarray([2.0, 8.0])).numpy().tolist()
    [1.0, 2.0]
    """
    x1, x2 = promote_arrays(x1, x2)
    column = len(x2.shape) == 1
    right = x2[:, None] if column else x2
    batch = np.broadcast_shapes(tuple(x1.shape[:-2]), tuple(right.shape[:-2]))
    left = broadcast_to(x1, (*batch, *x1.shape[-2:]))
    right = broadcast_to(right, (*batch, *right.shape[-2:]))
    found = tf.linalg.solve(left, right)
    return found[..., 0] if column else found


def svd(x: Tensor, /, *, full_matrices: bool = True) -> SVDResult:
    """The singular value decomposition x = U @ diag(S) @ Vh, the values from large to small.

    >>> u, s, vh = xp.linalg.svd(xp.asarray([[3.0, 0.0], [0.0, 4.0], [0.0, 0.0]]), full_matrices=False)
    >>> u.shape, s.numpy().round(4).tolist(), vh.shape
    (TensorShape([3, 2]), [4.0, 3.0], TensorShape([2, 2]))
    """
    s, u, v = tf.linalg.svd(x, full_matrices=full_matrices)
    return SVDResult(u, s, tf.linalg.adjoint(v))


def svdvals(x: Tensor, /) -> Tensor:
    """Singular values, from large to small.

    >>> xp.linalg.svdvals(xp.asarray([[3.0, 0.0], [0.0, 4.0]])).numpy().round(4).tolist()
    [4.0, 3.0]
    """
    return tf.linalg.svd(x, compute_uv=False)


def tensordot(x1: Tensor, x2: Tensor, /, *, axes: int | tuple[Sequence[int], Sequence[int]] = 2) -> Tensor:
    """The products of two arrays summed over some of their axes: so many last and first ones, or two lists of axes.

    >>> xp.tensordot(xp.asarray([[1, 2], [3, 4]]), xp.asarray([[1, 0], [0, 1]]), axes=2).numpy().item()
    5
    """
    x1, x2 = promote_arrays(x1, x2)
    if kind_of(x1.dtype) == "integral" and x1.dtype.name not in ("int32", "int64"):
        return tf.cast(tf.tensordot(tf.cast(x1, "int64"), tf.cast(x2, "int64"), axes), x1.dtype)
    return tf.tensordot(x1, x2, axes if isinstance(axes, int) else [list(a) for a in axes])


def trace(x: Tensor, /, *, offset: int = 0, dtype: DTypeLike | None = None) -> Tensor:
    """The sums of diagonals, the one `offset` above the main one.

    >>> xp.linalg.trace(xp.asarray([[1, 2], [3, 4]])).numpy().item()
    5
    """
    return _sum(diagonal(x, offset=offset), axis=-1, dtype=dtype)


def vecdot(x1: Tensor, x2: Tensor, /, *, axis: int = -1) -> Tensor:
    """The inner products of vectors along an axis, the first one's conjugate taken.

    >>> xp.vecdot(xp.asarray([[1, 2], [3, 4]]), xp.asarray([1, 10])).numpy().tolist()
    [21, 43]
    """
    x1, x2 = promote_arrays(x1, x2)
    if not -min(len(x1.shape), len(x2.shape)) <= axis < 0:
        raise IndexError(f"vecdot: axis {axis}; it is counted from the end, and both arrays have it")
    if x1.shape[axis] != x2.shape[axis]:
        raise ValueError(f"vecdot: vectors of {x1.shape[axis]} and {x2.shape[axis]} elements")
    first = tf.math.conj(x1) if kind_of(x1.dtype) == "complex floating" else x1
    return tf.cast(tf.reduce_sum(first * x2, axis), x1.dtype)


def vector_norm(x: Tensor, /, *, axis: int | tuple[int, ...] | None = None, keepdims: bool = False, ord: float = 2) -> Tensor:
    """Norms of the vectors along axes, of all elements where None: sums of powers `ord`, or 0, inf, -inf.

    >>> xp.linalg.vector_norm(xp.asarray([3.0, 4.0])).numpy().item()
    5.0
    """
    axes = axes_of(axis, len(x.shape), "vector_norm")
    size = tf.abs(x)
    if ord in (math.inf, -math.inf):
        return (tf.reduce_max if ord > 0 else tf.reduce_min)(size, axes, keepdims)
    if ord == 0:
        return tf.reduce_sum(tf.cast(size != 0, size.dtype), axes, keepdims)
    if ord == 1:
        return tf.reduce_sum(size, axes, keepdims)
    if ord == 2:
        if len(axes) == 1:
            return tf.norm(size if x.dtype.is_complex else x, axis=axes[0], keepdims=keepdims)
        return tf.sqrt(tf.reduce_sum(size * size, axes, keepdims))
    return tf.reduce_sum(size**ord, axes, keepdims) ** (1 / ord)


__all__ = [
    "cholesky", "cross", "det", "diagonal", "eigh", "eigvalsh", "inv", "matmul", "matrix_norm", "matrix_power", "matrix_rank",
    "matrix_transpose", "outer", "pinv", "qr", "slogdet", "solve", "svd", "svdvals", "tensordot", "trace", "vecdot", "vector_norm",
]  # fmt: skip
