"""Reductions composed of others: log-sum-exp, variance, norms, counts.  Their gradients follow from their parts."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.dtypes import as_dtype, float32, int64, string
from ...base.export import export
from ...ir.apply import convert_to_tensor
from ...ir.composite import takes_composites
from ...ir.op import OPS
from ...ir.tracebacks import trims_errors
from ..array.basic import TRANSPOSE, reshape, shape_of, zeros_of
from ..array.identity import stop_gradient
from ..array.shape import expand_dims, squeeze
from ..array.types import invalid
from ..array.where import where
from ..scopes import scope
from .reductions import reduce_max, reduce_mean, reduce_sum


def _convert(x: Any) -> Any:
    return convert_to_tensor(x)


def _squeezed(x: Any, axis: Any) -> Any:
    """`x` without the axes of size 1 that a reduction kept: `axis` is the reduction's, None for all."""
    if axis is None:
        return reshape(x, np.zeros(0, np.int32))
    return squeeze(x, axis=tuple(int(a) for a in np.ravel(axis)))


@export(v2=("reduce_logsumexp", "math.reduce_logsumexp"))
@takes_composites
def reduce_logsumexp(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Any:
    """log(sum(exp(x))) along `axis`, shifted by the greatest element so that nothing overflows.

    input_tensor: floating.  axis, keepdims and errors as `reduce_sum`.

    >>> import pullback as tf
    >>> print(tf.reduce_logsumexp([1000.0, 1000.0]).numpy().round(3))
    1000.693
    """
    with scope(name, "ReduceLogSumExp"):
        x = _convert(input_tensor)
        greatest = reduce_max(x, axis, keepdims=True)
        finite = OPS["IsFinite"].call(greatest)
        shift = stop_gradient(where(finite, greatest, zeros_of(greatest)))
        result = OPS["Log"].call(reduce_sum(OPS["Exp"].call(x - shift), axis, keepdims=keepdims))
        return result + (shift if keepdims else reshape(shift, shape_of(result)))


@export("math.reduce_variance")
@takes_composites
def reduce_variance(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Any:
    """The mean square distance from the mean along `axis`; of complex numbers a real one.

    input_tensor: floating or complex; integers are a TypeError.  axis, keepdims as `reduce_sum`.

    >>> import pullback as tf
    >>> tf.math.reduce_variance([1.0, 3.0]).numpy().item()
    1.0
    """
    with scope(name, "reduce_variance"):
        x = _convert(input_tensor)
        if x.dtype.is_integer:
            raise TypeError(f"reduce_variance: the input must be real or complex floating point, not {x.dtype!r}; cast it first")
        away = x - reduce_mean(x, axis, keepdims=True)
        if x.dtype.is_complex:
            squares = OPS["Square"].call(OPS["Real"].call(away)) + OPS["Square"].call(OPS["Imag"].call(away))
        else:
            squares = OPS["Square"].call(away)
        return reduce_mean(squares, axis, keepdims)


@export("math.reduce_std")
@takes_composites
def reduce_std(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Any:
    """The square root of `reduce_variance`; its gradient is NaN where all elements are equal.

    >>> import pullback as tf
    >>> tf.math.reduce_std([1.0, 3.0]).numpy().item()
    1.0
    """
    with scope(name, "reduce_std"):
        return OPS["Sqrt"].call(reduce_variance(input_tensor, axis, keepdims))


@export(v2="math.count_nonzero")
@trims_errors
def count_nonzero(input: Any, axis: Any = None, keepdims: bool | None = None, dtype: Any = int64, name: str | None = None) -> Any:
    """How many elements along `axis` are not zero (false, empty strings).  No gradient.

    dtype: of the result.

    >>> import pullback as tf
    >>> tf.math.count_nonzero([[0, 1], [2, 3]], axis=0).numpy().tolist()
    [1, 2]
    """
    with scope(name, "count_nonzero"):
        x = _convert(input)
        nothing = np.array(b"", object) if x.dtype is string else np.zeros((), x.dtype.numpy)
        nonzero = OPS["Cast"].call(OPS["NotEqual"].call(x, nothing), DstT=int64)
        return OPS["Cast"].call(reduce_sum(nonzero, axis, bool(keepdims)), DstT=as_dtype(dtype))


@export("math.zero_fraction", "nn.zero_fraction")
@trims_errors
def zero_fraction(value: Any, name: str | None = None) -> Any:
    """The fraction of the elements of `value` that are zero, float32.  No gradient.

    >>> import pullback as tf
    >>> tf.math.zero_fraction([0.0, 1.0, 2.0, 0.0]).numpy().item()
    0.5
    """
    with scope(name, "zero_fraction"):
        x = _convert(value)
        zero = OPS["Equal"].call(x, np.zeros((), x.dtype.numpy))
        return reduce_mean(OPS["Cast"].call(zero, DstT=float32))


# ---- norms

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
    if (isinstance(order, str) and order != "euclidean") or (not isinstance(order, str) and order <= 0):
        raise ValueError(f"'ord' must be a supported vector norm, got {order}")
    return None


def _spectral(x: Any, axes: tuple[int, int]) -> Any:
    """The greatest singular value of the matrices along two axes, which stay with size 1."""
    if x.dims is None:
        raise ValueError("norm: the matrix norm of order 2 needs a tensor of known rank")
    rank = len(x.dims)
    if not all(-rank <= a < rank for a in axes):
        raise invalid(f"norm: the axes {axes} are out of range for a tensor of rank {rank} [Op:Transpose]")
    axes = (axes[0] % rank, axes[1] % rank)
    order = [i for i in range(rank) if i not in axes] + list(axes)
    values = OPS["Svd"].call(TRANSPOSE.call(x, order), compute_uv=False)[0]
    if values.dtype.is_complex:
        values = OPS["Real"].call(values)
    greatest = expand_dims(reduce_max(values, -1, keepdims=True), -1)
    return TRANSPOSE.call(greatest, np.argsort(order).astype(np.int32))


def _kept_norm(x: Any, order: Any, axis: Any, matrix: tuple[int, int] | None) -> Any:
    """The norm with the axes it was taken along kept."""
    if matrix is not None and order == 2:
        return _spectral(x, matrix)
    if order in ("fro", "euclidean", 2):
        return OPS["Sqrt"].call(reduce_sum(x * (OPS["Conj"].call(x) if x.dtype.is_complex else x), axis, keepdims=True))
    size = OPS["ComplexAbs"].call(x) if x.dtype.is_complex else OPS["Abs"].call(x)
    if matrix is not None:
        inner, outer = matrix if order == 1 else matrix[::-1]
        return reduce_max(reduce_sum(size, inner, keepdims=True), outer, keepdims=True)
    if order == 1:
        return reduce_sum(size, axis, keepdims=True)
    if order == np.inf:
        return reduce_max(size, axis, keepdims=True)
    return OPS["Pow"].call(reduce_sum(OPS["Pow"].call(size, order), axis, keepdims=True), 1.0 / order)


@export(v2=("norm", "linalg.norm"))
@trims_errors
def norm(tensor: Any, ord: Any = "euclidean", axis: Any = None, keepdims: bool | None = None, name: str | None = None) -> Any:
    """The norm of vectors (`axis` an int, or None for all elements as one vector) or of matrices (`axis` two ints).

    tensor: floating or complex.  ord: for vectors "euclidean" or any positive number or infinity; for matrices "euclidean" or
    "fro" (Frobenius), 1 (greatest column sum), infinity (greatest row sum), 2 (greatest singular value).  ValueError for others.
    The euclidean norm's gradient is NaN at the origin.

    >>> import pullback as tf
    >>> tf.norm([[3.0, 4.0], [6.0, 8.0]], axis=1).numpy().tolist()
    [5.0, 10.0]
    """
    matrix = _norm_axes(axis, ord)
    with scope(name, "norm"):
        x = _convert(tensor)
        if x.dtype.is_bool or x.dtype is string:
            raise TypeError(f"norm: Expected numeric or variant tensor, got dtype {x.dtype!r}.")
        result = _kept_norm(x, ord, axis, matrix)
        return result if keepdims else _squeezed(result, axis)


@export("linalg.normalize")
@trims_errors
def normalize(tensor: Any, ord: Any = "euclidean", axis: Any = None, name: str | None = None) -> tuple[Any, Any]:
    """`tensor` divided by its norm, and the norm with its axes kept; arguments and errors as `norm`.

    >>> import pullback as tf
    >>> normalized, length = tf.linalg.normalize([3.0, 4.0])
    >>> print(normalized.numpy().round(2), length.numpy())
    [0.6 0.8] [5.]
    """
    with scope(name, "normalize"):
        x = _convert(tensor)
        length = norm(x, ord, axis, keepdims=True)
        if length.dtype is not x.dtype:
            length = OPS["Cast"].call(length, DstT=x.dtype)
        return x / length, length
