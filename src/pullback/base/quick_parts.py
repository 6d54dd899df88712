"""Where kernels ask for native code for a part of their work: a function of arrays of fixed shapes, made by a lowering.

The engine is above the kernels and puts itself here; without it there is no such code, and kernels do all on NumPy.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Kind = tuple[tuple[int, ...], np.dtype[Any]]


class Host:
    """Who has the code.

    find: of a lowering, and dims and dtype of each input; a function that gives a tuple of arrays, or None.
    shuffled: `range(count)` shuffled by words, given these and the count; None where there is no code.
    fourier: of an array of complex64 with three axes and whether to go back, its Fourier transform along the second; None as before.
    fourier_of_real: of a matrix of float32, the first half of the transform of each row; None as before.
    narrow_product: of two matrices of bfloat16, their product; None where the processor has no instruction for it.
    eliminated: of small matrices in a stack and their right sides or None, what elimination with pivots gives; None as before.
    tridiagonal, banded: of the diagonals of a matrix and its right sides, the solution; None as before.
    """

    find: Callable[..., Any] | None = None
    shuffled: Callable[..., Any] | None = None
    fourier: Callable[..., Any] | None = None
    fourier_of_real: Callable[..., Any] | None = None
    eliminated: Callable[..., Any] | None = None
    narrow_product: Callable[..., Any] | None = None
    tridiagonal: Callable[..., Any] | None = None
    banded: Callable[..., Any] | None = None


HOST = Host()


def native_part(lower: Callable[..., Any], *kinds: Kind) -> Callable[..., Any] | None:
    """Native code for arrays of `kinds`, or None.

    Called, it answers the arrays of its results, which are used again once nobody holds them, or a number where it could not give them.
    lower: of `steps` and the inputs' forms; one object for one function, for it is the key under which the code is kept.
    """
    found = None if HOST.find is None else HOST.find(lower, *kinds)
    return None if found is None else found.call
