"""Exponentials of stacks of matrices by scaling and squaring: Pade approximants of several degrees, all matrices that ask for one at once.

The products and solutions are those of `kernels.gemm` and `kernels.lapack`.  SciPy goes through one matrix at a time, and its BLAS may
share the work of small ones among threads that wait for each other.
Formula: N. Higham, "The scaling and squaring method for the matrix exponential revisited" (2005), table 2.3.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...kernels import gemm, lapack

Array = np.ndarray[Any, Any]

#: Degrees, and the largest 1-norm for which each is exact to double precision.
_DEGREES = ((3, 1.495585217958292e-2), (5, 2.539398330063230e-1), (7, 9.504178996162932e-1), (9, 2.097847961257068))
_LAST, _MOST = 13, 5.371920351148152


def _coefficients(degree: int) -> list[float]:
    """Of the numerator, of which the denominator's differ in sign."""
    f = math.factorial
    return [float(f(2 * degree - k) // (f(k) * f(degree - k))) for k in range(degree + 1)]


def _approximant(x: Array, degree: int) -> Array:
    """(V - U)^-1 (V + U), with the odd powers in U and the even ones in V."""
    b, one = _coefficients(degree), np.eye(x.shape[-1], dtype=x.dtype)
    square = gemm.multiply_stacks(x, x)
    if degree < _LAST:
        powers = [one, square]
        while 2 * len(powers) < degree:
            powers.append(gemm.multiply_stacks(powers[-1], square))
        odd: Any = sum(b[2 * i + 1] * p for i, p in enumerate(powers))
        even: Any = sum(b[2 * i] * p for i, p in enumerate(powers))
    else:
        fourth = gemm.multiply_stacks(square, square)
        sixth = gemm.multiply_stacks(fourth, square)
        odd = gemm.multiply_stacks(sixth, b[13] * sixth + b[11] * fourth + b[9] * square)
        odd += b[7] * sixth + b[5] * fourth + b[3] * square + b[1] * one
        even = gemm.multiply_stacks(sixth, b[12] * sixth + b[10] * fourth + b[8] * square)
        even += b[6] * sixth + b[4] * fourth + b[2] * square + b[0] * one
    odd = gemm.multiply_stacks(x, np.broadcast_to(odd, x.shape))
    return lapack.solve(even - odd, even + odd)


def expm(x: Array) -> Array:
    """The exponentials of the matrices in the last two axes, float64 or complex128; NaN for those that are not finite."""
    n = x.shape[-1]
    flat = x.reshape(-1, n, n)
    out = np.full(flat.shape, np.nan, x.dtype)
    norms = np.abs(flat).sum(axis=1).max(axis=1)
    low = -1.0
    for degree, high in (*_DEGREES, (_LAST, _MOST)):
        some = (norms > low) & (norms <= high)
        if some.any():
            out[some] = _approximant(flat[some], degree)
        low = high
    some = (norms > _MOST) & np.isfinite(norms)
    if some.any():
        out[some] = _square_repeatedly(flat[some], norms[some])
    return out.reshape(x.shape)


def _square_repeatedly(x: Array, norms: Array) -> Array:
    """Of large matrices: of fractions of them, squared again and again."""
    times = np.ceil(np.log2(norms / _MOST)).astype(np.int64)
    found = _approximant(np.ldexp(1.0, -times)[:, None, None] * x, _LAST)
    for i in range(int(times.max())):
        more = times > i
        part = found if more.all() else found[more]
        part = gemm.multiply_stacks(part, part)
        if len(part) == len(found):
            found = part
        else:
            found[more] = part
    return found
