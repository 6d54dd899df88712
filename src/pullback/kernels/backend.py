"""Who has native code for kernels and plans: the engine, which is above them and loads when first asked for."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from typing import Any, Protocol, cast

import numpy as np

Array = np.ndarray[Any, Any]
Kind = tuple[tuple[int, ...], np.dtype[Any]]


class Backend(Protocol):
    """What there may be native code for.  Where there is none for what is asked the answer is None, and NumPy does it."""

    def run_plan(self, plan: object, values: Sequence[Any], run: object) -> Sequence[Any]:
        """The values that an `ir.plan.Plan` fetches in a run, from a native program where there is one, else from its kernels."""

    # In a kernel's place:

    def run_blockwise(
        self, kernel: object, plain: Callable[..., Any], arrays: Sequence[Array], attributes: dict[str, Any], checked: bool
    ) -> Array | None:
        """What a kernel gives for flat arrays.  plain: one block of it.  checked: whether the numbers that it refuses were looked for."""

    def run_program(self, kernel: object, plain: Callable[..., Any], arrays: Sequence[Array], attributes: dict[str, Any]) -> Any:
        """What a kernel gives as a whole.  kernel: as it is registered.  plain: itself on NumPy."""

    def run_update(self, rule: Callable[..., Any], arrays: Sequence[Array], attributes: dict[str, Any], targets: Sequence[Array]) -> bool:
        """Whether a rule has given the first of some flat arrays new values, in `targets`, which may be where the old ones are."""

    # For a part of a kernel's work:

    def find_part(self, lower: Callable[..., Any], *kinds: Kind, waits: bool) -> Any:
        """The code of a lowering for dims and dtypes of its inputs; its `call` gives a tuple of arrays."""

    def find_loop(self, function: Callable[..., Any], work: int | None, is_only: bool) -> Callable[..., Any] | None:
        """The code of a loop written in Python (`kernels.loops`) that has so much to do; it gives None for arrays it has no code for.

        is_only: whether Python runs the loop where there is no code.
        """

    def shuffle(self, words: Array, count: int) -> Array | None:
        """`range(count)` shuffled by words."""

    def fourier(self, x: Array, inverse: bool) -> Array | None:
        """The Fourier transform of complex64 [before, length, after] along the second axis."""

    def fourier_of_real(self, x: Array) -> Array | None:
        """The first half of the transform of each row of a matrix of float32."""

    def multiply_narrow(self, a: Array, b: Array) -> Array | None:
        """The product of two matrices of bfloat16."""

    def eliminate(self, a: Array, sides: Array | None) -> tuple[Array, Array, Array, Array] | None:
        """Factors of small matrices [count, n, n], orders of their rows, whether each is singular, and solutions for `sides`."""

    def solve_tridiagonal(self, rows: Array, sides: Array) -> tuple[Array, bool] | None:
        """The solution for the diagonals [3, n] and right sides [n, columns], and whether the matrix is not singular."""

    def solve_banded(self, bands: Array, sides: Array, upwards: bool) -> Array | None:
        """The solution of a triangular system with bands, the last row first if `upwards`."""


#: The module of `pullback.engine` that has each function; `run_plan` alone is asked for by programs without large arrays.
_MODULES = {
    "run_plan": "jit_policy",
    **dict.fromkeys(("run_blockwise", "run_program", "run_update"), "eager_code"),
    "find_loop": "loop_code",
}


class _Engine:
    """The functions of the engine, each from its module, which is imported when the function is first asked for."""

    def __getattr__(self, name: str) -> Any:
        if name not in vars(Backend):
            raise AttributeError(f"the engine has no {name!r}", name=name)
        function = getattr(importlib.import_module(f"pullback.engine.{_MODULES.get(name, 'fragments')}"), name)
        setattr(self, name, function)
        return function


ENGINE = cast("Backend", _Engine())


def native_part(lower: Callable[..., Any], *kinds: Kind, waits: bool = True) -> Callable[..., Any] | None:
    """Native code for arrays of `kinds`, or None.

    waits: until it is compiled; otherwise calls before that get None, and what they do instead may differ by rounding.

    Called, it answers the arrays of its results, which are used again once nobody holds them, or a number where it could not give them.
    lower: of a builder and the inputs' index expressions; one object for one function, for it is the key under which the code is kept.
    """
    found = ENGINE.find_part(lower, *kinds, waits=waits)
    return None if found is None else found.call
