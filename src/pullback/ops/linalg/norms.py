"""Norms of vectors and matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.dtypes import string
from ...base.export import export
from ...ir.apply import convert_to_tensor
from ...ir.context import scope
from ...ir.tensor import IntLike, NumberLike, Tensor
from ..array.basic import TRANSPOSE, shape_of
from ..array.join import concat
from ..array.order import INVERT_PERMUTATION
from ..array.shape import expand_dims
from ..array.type_rules import invalid_argument
from ..math.arithmetic import ABS, CONJ
from ..math.complex import COMPLEX_ABS, REAL_PART
from ..math.functions import sqrt
from ..math.power import POW
from ..primitives.cast import CAST
from ..reduce.composed import squeeze_reduced
from ..reduce.reductions import part_axes, reduce_max, reduce_sum
from .spectral import SVD

MATRIX_NORMS = ("euclidean", "fro", 1, 2, np.inf)


def _norm_axes(axis: Any, order: Any) -> tuple[int, int] | None:
    """The two axes of a matrix norm, None for a vector norm; a ValueError for what is neither."""
    problem = ValueError(f"'axis' must be None, an integer, or a tuple of 2 unique integers, got {axis}")
    if isinstance(axis, (tuple, list)):
        axes = tuple(int(a) for a in axis)
        if len(axes) != 2 or axes[0] == axes[1]:
            raise problem
        if order not in MATRIX_NORMS:
            raise ValueError(f"'ord' must be a supported matrix norm in {list(MATRIX_NORMS)}, got {order}")
        return axes
    if axis is not None and not isinstance(axis, (int, np.integer)):
        raise problem
    if isinstance(order, (list, tuple)) or (isinstance(order, str) and order != "euclidean") or (not isinstance(order, str) and order <= 0):
        raise ValueError(f"'ord' must be a supported vector norm, got {order}")
    return None


def _spectral(x: Any, axes: tuple[int, int]) -> Any:
    """The greatest singular value of the matrices along two axes, which stay with size 1."""
    order = _order_to_last(x, axes)
    values = SVD.call(TRANSPOSE.call(x, order), compute_uv=False)[0]
    if values.dtype.is_complex:
        values = REAL_PART.call(values)
    greatest = expand_dims(reduce_max(values, -1, keepdims=True), -1)
    return TRANSPOSE.call(greatest, INVERT_PERMUTATION.call(order) if isinstance(order, Tensor) else np.argsort(order).astype(np.int32))


def _order_to_last(x: Any, axes: tuple[int, int]) -> Any:
    """The order of axes that brings two of them to the end: a tensor where only a run knows the rank."""
    if x.dims is None:
        last, others = part_axes(convert_to_tensor(axes), shape_of(x))
        return concat([others, last], 0)
    rank = len(x.dims)
    if not all(-rank <= a < rank for a in axes):
        raise invalid_argument(f"norm: the axes {axes} are out of range for a tensor of rank {rank} [Op:Transpose]")
    axes = (axes[0] % rank, axes[1] % rank)
    return [i for i in range(rank) if i not in axes] + list(axes)


def _compute_norm(x: Any, order: Any, axis: Any, matrix: tuple[int, int] | None) -> Tensor:
    """The norm with the axes it was taken along kept."""
    if matrix is not None and order == 2:
        return _spectral(x, matrix)
    if order in ("fro", "euclidean", 2):
        return sqrt(reduce_sum(x * (CONJ.call(x) if x.dtype.is_complex else x), axis, keepdims=True))
    size = COMPLEX_ABS.call(x) if x.dtype.is_complex else ABS.call(x)
    if matrix is not None:
        inner, outer = matrix if order == 1 else matrix[::-1]
        return reduce_max(reduce_sum(size, inner, keepdims=True), outer, keepdims=True)
    if order == 1:
        return reduce_sum(size, axis, keepdims=True)
    if order == np.inf:
        return reduce_max(size, axis, keepdims=True)
    return POW.call(reduce_sum(POW.call(size, order), axis, keepdims=True), 1.0 / order)


@export(v2=("norm", "linalg.norm"))
def norm(
    tensor: NumberLike, ord: object = "euclidean", axis: IntLike | None = None, keepdims: bool | None = None, name: str | None = None
) -> Tensor:
    """The norm of vectors (`axis` an int, or None for all elements as one vector) or of matrices (`axis` two ints).

    tensor: floating or complex.  ord: for vectors "euclidean" or any positive number or infinity; for matrices "euclidean" or
    "fro" (Frobenius), 1 (greatest column sum), infinity (greatest row sum), 2 (greatest singular value).  ValueError for others.
    The euclidean norm's gradient is NaN at the origin.

    >>> tf.norm([[3.0, 4.0], [6.0, 8.0]], axis=1).numpy().tolist()
    [5.0, 10.0]
    """
    matrix = _norm_axes(axis, ord)
    with scope(name, "norm"):
        x = convert_to_tensor(tensor)
        if x.dtype.is_bool or x.dtype is string:
            raise TypeError(f"norm: Expected numeric or variant tensor, got dtype {x.dtype!r}.")
        result = _compute_norm(x, ord, axis, matrix)
        return result if keepdims else squeeze_reduced(result, axis)


@export("linalg.normalize")
def normalize(tensor: NumberLike, ord: object = "euclidean", axis: IntLike | None = None, name: str | None = None) -> tuple[Tensor, Tensor]:
    """`tensor` divided by its norm, and the norm with its axes kept; arguments and errors as `norm`.

    >>> normalized, length = tf.linalg.normalize([3.0, 4.0])
    >>> print(normalized.numpy().round(2), length.numpy())
    [0.6 0.8] [5.]
    """
    with scope(name, "normalize"):
        x = convert_to_tensor(tensor)
        if x.dtype.is_bool:
            if ord in ("fro", "euclidean", 2):  # which TensorFlow conjugates first
                raise TypeError("Expected numeric or variant tensor, got dtype tf.bool.")
            raise invalid_argument("normalize: a tensor of numbers is needed, not of dtype bool")
        length = norm(x, ord, axis, keepdims=True)
        if length.dtype is not x.dtype:
            length = CAST.call(length, DstT=x.dtype)
        return x / length, length
