"""Reductions composed of others: log-sum-exp, variance, norms, counts.  Their gradients follow from their parts."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.dtypes import as_dtype, float32, int64, string
from ...base.export import export
from ...ir.apply import convert_to_tensor
from ...ir.composite import takes_composites
from ...ir.context import executing_eagerly, scope
from ...ir.tensor import DTypeLike, IntLike, NumberLike, Tensor
from ..array.basic import reshape, shape_of
from ..array.identity import stop_gradient
from ..array.shape import squeeze
from ..array.where import where
from ..math.arithmetic import add, square, subtract
from ..math.complex import IMAG_PART, REAL_PART
from ..math.functions import exp, log, sqrt
from ..primitives.cast import CAST, cast
from ..primitives.compare import equal, is_finite, not_equal
from .reductions import reduce_max, reduce_mean, reduce_sum


def squeeze_reduced(x: Any, axis: Any) -> Tensor:
    """`x` without the axes of size 1 that a reduction kept: `axis` is the reduction's, None for all."""
    if axis is None:
        return reshape(x, np.zeros(0, np.int32)) if x.dims is None or executing_eagerly() else squeeze(x)
    return squeeze(x, axis=tuple(int(a) for a in np.ravel(axis)))


@export(v2=("reduce_logsumexp", "math.reduce_logsumexp"))
@takes_composites
def reduce_logsumexp(input_tensor: NumberLike, axis: IntLike | None = None, keepdims: bool = False, name: str | None = None) -> Tensor:
    """log(sum(exp(x))) along `axis`, shifted by the greatest element so that nothing overflows.

    input_tensor: floating.  axis, keepdims and errors as `reduce_sum`.

    >>> print(tf.reduce_logsumexp([1000.0, 1000.0]).numpy().round(3))
    1000.693
    """
    with scope(name, "ReduceLogSumExp") as whole:
        x = convert_to_tensor(input_tensor)
        greatest = reduce_max(x, axis, keepdims=True)
        finite = is_finite(greatest)
        shift = stop_gradient(where(finite, greatest, np.zeros((), x.dtype.numpy_dtype)))
        result = log(reduce_sum(exp(subtract(x, shift)), axis, keepdims=keepdims))
        return add(result, shift if keepdims else reshape(shift, shape_of(result)), name=whole)


@export("math.reduce_variance")
@takes_composites
def reduce_variance(input_tensor: NumberLike, axis: IntLike | None = None, keepdims: bool = False, name: str | None = None) -> Tensor:
    """The mean square distance from the mean along `axis`; of complex numbers a real one.

    input_tensor: floating or complex; integers are a TypeError.  axis, keepdims as `reduce_sum`.

    >>> tf.math.reduce_variance([1.0, 3.0]).numpy().item()
    1.0
    """
    with scope(name, "reduce_variance"):
        x = convert_to_tensor(input_tensor)
        if x.dtype.is_integer:
            raise TypeError(f"reduce_variance: the input must be either real or complex. Received integer type {x.dtype!r}; cast it first")
        away = x - reduce_mean(x, axis, keepdims=True)
        if x.dtype.is_complex:
            squares = square(REAL_PART.call(away)) + square(IMAG_PART.call(away))
        else:
            squares = square(away)
        return reduce_mean(squares, axis, keepdims)


@export("math.reduce_std")
@takes_composites
def reduce_std(input_tensor: NumberLike, axis: IntLike | None = None, keepdims: bool = False, name: str | None = None) -> Tensor:
    """The square root of `reduce_variance`; its gradient is NaN where all elements are equal.

    >>> tf.math.reduce_std([1.0, 3.0]).numpy().item()
    1.0
    """
    with scope(name, "reduce_std"):
        return sqrt(reduce_variance(input_tensor, axis, keepdims))


@export(v2="math.count_nonzero")
def count_nonzero(
    input: NumberLike, axis: IntLike | None = None, keepdims: bool | None = None, dtype: DTypeLike = int64, name: str | None = None
) -> Tensor:
    """How many elements along `axis` are not zero (false, empty strings).  No gradient.

    dtype: of the result.

    >>> tf.math.count_nonzero([[0, 1], [2, 3]], axis=0).numpy().tolist()
    [1, 2]
    """
    with scope(name, "count_nonzero"):
        x = convert_to_tensor(input)
        nonzero = CAST.call(not_equal(x, convert_to_tensor(_zero_of(x), name="zeros")), DstT=int64)
        return cast(reduce_sum(nonzero, axis, bool(keepdims)), as_dtype(dtype))


def _zero_of(x: Tensor) -> Any:
    """The zero of a tensor's dtype: of strings the one without letters."""
    return np.array(b"", object) if x.dtype is string else np.zeros((), x.dtype.numpy_dtype)


@export("math.zero_fraction", "nn.zero_fraction")
def zero_fraction(value: NumberLike, name: str | None = None) -> Tensor:
    """The fraction of the elements of `value` that are zero, float32.  No gradient.

    >>> tf.math.zero_fraction([0.0, 1.0, 2.0, 0.0]).numpy().item()
    0.5
    """
    with scope(name, "zero_fraction"):
        x = convert_to_tensor(value)
        zero = equal(x, _zero_of(x))
        return reduce_mean(CAST.call(zero, DstT=float32), name="fraction")
