"""Native code for parts of kernels, compiled when first wanted and kept for this process."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

from ..kernels import blocked
from .background import COMPILER
from .jit_policy import Settings
from .llvm_loading import native


class Fragments:
    """What has been compiled so far, by lowering and the dims and dtypes of the inputs."""

    def __init__(self) -> None:
        self._found: dict[Any, Any] = {}

    def __call__(self, lower: Callable[..., Any], *kinds: tuple[tuple[int, ...], np.dtype[Any]], waits: bool) -> Any:
        """A function of arrays like these, None where there is no native code, or none yet unless it `waits` for that."""
        if Settings.jit is False:
            return None
        key = (lower, kinds)
        if key not in self._found:
            if waits or Settings.compiles_at_once():
                self._found[key] = _compile_fragment(lower, kinds)
            else:
                COMPILER.submit((self, key), lambda: self._found.setdefault(key, _compile_fragment(lower, kinds)))
        return self._found.get(key)


def _compile_fragment(lower: Callable[..., Any], kinds: Any) -> Any:
    engine, machine, steps = (native(name) for name in ("fragment_code", "runtime.machine", "lowering.builder"))
    if engine is None:
        return None
    try:
        return engine.fragment(lower, kinds)
    except (steps.Unsupported, machine.NativeError):
        return None


def shuffle(words: np.ndarray[Any, Any], count: int) -> Any:
    """`range(count)` shuffled natively, None where there is no native code."""
    engine, machine = (native(name) for name in ("shuffling", "runtime.machine"))
    if Settings.jit is False or machine is None:
        return None
    try:
        return engine.shuffle_range(words, count)
    except machine.NativeError:
        return None


def fourier(x: np.ndarray[Any, Any], inverse: bool) -> Any:
    """The Fourier transform along the second of three axes; None where it is not native."""
    engine, machine = (native(name) for name in ("fourier", "runtime.machine"))
    if Settings.jit is False or engine is None or not engine.fits(x.shape):
        return None
    try:
        return engine.transform(x, inverse)
    except machine.NativeError:
        return None


def fourier_of_real(x: np.ndarray[Any, Any]) -> Any:
    """The first half of the Fourier transform of each row of a matrix of float32; None where it is not native."""
    engine, machine = (native(name) for name in ("fourier", "runtime.machine"))
    if Settings.jit is False or engine is None or not engine.fits_real(x.shape):
        return None
    try:
        return engine.transform_real(x)
    except machine.NativeError:
        return None


#: Elements of systems from which native elimination is quicker, and calls with so many before there is code for it.
_ELIMINATED, _PATIENCE = 1 << 12, 4
_eliminations: Counter[str] = Counter()


def _elimination(what: str, elements: int, *arrays: np.ndarray[Any, Any]) -> Any:
    """The module for systems of so many elements; None where their kernels do them."""
    mode = Settings.jit
    if mode is False or not elements or any(x.dtype.char not in "fd" or not x.dtype.isnative for x in arrays):
        return None
    if mode is not True:
        if elements < _ELIMINATED:
            return None
        _eliminations[what] += 1
        if elements < blocked.SHARED and _eliminations[what] <= _PATIENCE:
            return None
    return native("elimination")


def _try_native(function: Callable[..., Any], *arguments: Any) -> Any:
    try:
        return function(*arguments)
    except native("runtime.machine").NativeError:
        return None


def eliminate(a: np.ndarray[Any, Any], sides: np.ndarray[Any, Any] | None) -> Any:
    """The factors of square matrices [count, n, n], the orders of their rows, whether each is singular, as numbers, and the solutions for
    `sides` [count, n, columns].  None where these are large, or there is no native code.
    """
    arrays = (a,) if sides is None else (a, sides)
    engine = _elimination("small", sum(x.size for x in arrays), *arrays)
    if engine is None or not engine.fits(a.shape[1], 0 if sides is None else sides.shape[2]):
        return None
    return _try_native(engine.factor_and_solve, a, sides)


def solve_tridiagonal(rows: np.ndarray[Any, Any], sides: np.ndarray[Any, Any]) -> Any:
    """The solution of a tridiagonal system, and whether the matrix is not singular; None where there is no native code."""
    engine = _elimination("tridiagonal", sides.size, rows, sides)
    return None if engine is None else _try_native(engine.tridiagonal, rows, sides)


def solve_banded(bands: np.ndarray[Any, Any], sides: np.ndarray[Any, Any], upwards: bool) -> Any:
    """The solution of a banded triangular system, the last row first if `upwards`; None where there is no native code."""
    engine = _elimination("banded", sides.size, bands, sides)
    return None if engine is None else _try_native(engine.solve_bands, bands, sides, upwards)


def multiply_narrow(a: np.ndarray[Any, Any], b: np.ndarray[Any, Any]) -> Any:
    """The product of two matrices of bfloat16, None where there is no native code for it."""
    engine = None if Settings.jit is False else native("narrow_products")
    return None if engine is None or not engine.fits() else _try_native(engine.product, a, b)


find_part = Fragments()
