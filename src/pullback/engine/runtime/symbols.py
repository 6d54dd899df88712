"""The addresses of what native code calls by name: the BLAS, SciPy's functions, routines, and the threads that share its loops."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ...base.lazy_import import LazyModule
from ...kernels import blas
from . import threads
from .loaded import ROUTINES, UFUNC, NativeError

if TYPE_CHECKING:
    from ...kernels import lapack
    from . import routines, ufunc_loops
else:  # few programs need them
    lapack = LazyModule("pullback.kernels.lapack")
    routines = LazyModule("pullback.engine.runtime.routines")
    ufunc_loops = LazyModule("pullback.engine.runtime.ufunc_loops")

_BLAS = ("cblas_", "LAPACKE_")


def compile_ahead(name: str) -> None:
    """Have what has a name compiled, where it is ours."""
    if name.startswith(ROUTINES):
        routines.compile_ahead(name)
    elif name in threads.NAMES:
        threads.compile_ahead()


def addresses(names: Iterable[str]) -> dict[str, int]:
    """The addresses of those of the names that are ours to give; others are the C library's.

    Raises:
        NativeError: a library that they are of cannot be loaded, or has none of that name.
    """
    wanted = list(names)
    if any(name.startswith("LAPACKE_") for name in wanted):
        lapack.is_ready()
    try:
        found = {name: blas.pointer(name) for name in wanted if name.startswith(_BLAS)}
    except LookupError as error:
        raise NativeError(str(error)) from error
    found |= {name: at for name in wanted if name.startswith(UFUNC) and (at := ufunc_loops.address(name)) is not None}
    found |= {name: routines.address(name, addresses) for name in wanted if name.startswith(ROUTINES)}
    return found | (threads.symbols() if not set(wanted).isdisjoint(threads.NAMES) else {})
