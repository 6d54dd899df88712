"""Who has native code for kernels: the engine, which is above them and loads when first asked for.  Without it they do all on NumPy."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
Kind = tuple[tuple[int, ...], np.dtype[Any]]


#: Which module of `compile` fills in what, when it is imported.
_MODULES = {
    **dict.fromkeys(("loops", "programs", "updates"), "eager_code"),
    **dict.fromkeys(
        ("part", "shuffled", "fourier", "fourier_of_real", "narrow_product", "eliminated", "tridiagonal", "banded"), "fragments"
    ),
    "written": "loop_code",
}


class Engine:
    """What there is native code for.  Each is None where there is no engine, and gives None where it has no code for what is asked.

    In a kernel's place:
    loops: for kernels in blocks; of the kernel, one block of it, flat arrays and attributes.
    programs: for kernels as a whole; of the kernel as it is registered, itself, arrays and attributes.
    updates: for rules that give the first arrays new values; of the rule, flat arrays, attributes, and where the new values go, which may
        be where the old ones are: whether it has been done.

    For a part of a kernel's work:
    part: of a lowering, dims and dtype of each input, and whether to wait for it; a function that gives a tuple of arrays.
    shuffled: `range(count)` shuffled by words, given these and the count.
    fourier: of an array of complex64 with three axes and whether to go back, its Fourier transform along the second.
    fourier_of_real: of a matrix of float32, the first half of the transform of each row.
    written: of a loop written in Python (`kernels.loops`) and how much it has to do this time; a function of its arguments that gives what
    it     returns, or None where there is no code for these.
    narrow_product: of two matrices of bfloat16, their product.
    eliminated: of small matrices in a stack and their right sides or None, what elimination with pivots gives.
    tridiagonal, banded: of the diagonals of a matrix and its right sides, the solution.
    """

    loops: Callable[..., Array | None] | None
    programs: Callable[..., Array | None] | None
    updates: Callable[..., bool] | None

    part: Callable[..., Any] | None
    shuffled: Callable[..., Any] | None
    fourier: Callable[..., Any] | None
    fourier_of_real: Callable[..., Any] | None
    written: Callable[..., Callable[..., Any] | None] | None
    narrow_product: Callable[..., Any] | None
    eliminated: Callable[..., Any] | None
    tridiagonal: Callable[..., Any] | None
    banded: Callable[..., Any] | None

    def __getattr__(self, name: str) -> Any:
        if name not in _MODULES:
            raise AttributeError(f"the engine has no {name!r}", name=name)
        importlib.import_module(f"pullback.engine.{_MODULES[name]}")
        return vars(self).get(name)


ENGINE = Engine()


def native_part(lower: Callable[..., Any], *kinds: Kind, waits: bool = True) -> Callable[..., Any] | None:
    """Native code for arrays of `kinds`, or None.

    waits: until it is compiled; otherwise calls before that get None, and what they do instead may differ by rounding.

    Called, it answers the arrays of its results, which are used again once nobody holds them, or a number where it could not give them.
    lower: of `steps` and the inputs' forms; one object for one function, for it is the key under which the code is kept.
    """
    found = None if ENGINE.part is None else ENGINE.part(lower, *kinds, waits=waits)
    return None if found is None else found.call
