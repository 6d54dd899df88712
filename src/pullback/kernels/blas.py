"""An OpenBLAS of our own: matrix products and LAPACK by address, for machine code and for kernels with large factors.

On Linux it is the file that NumPy brings with it, loaded a second time (`shared_library`): a library's settings are the process's, and
those of NumPy's are the user's.  Elsewhere, and wherever that is installed, it is the wheel `scipy-openblas64`, whose file all processes
share.  Its symbols stay out of NumPy's and SciPy's way, and it is loaded at the first use.

It runs on one thread: whoever has much to multiply cuts the work into blocks whose sizes depend on the shapes only and hands them to
threads of ours (`kernels.parallel`), so that no bit of a result depends on how many threads there are.  OpenBLAS's own threads cut by
their number, and spin while they wait.

`OPENBLAS_CORETYPE` and `OPENBLAS_NUM_THREADS` in the environment are meant for the copy that NumPy uses; ours picks the kernels that
suit the processor.  `PULLBACK_BLAS` is the variable it reads: the name of a core (`Haswell`, ...), or `numpy` to do without it.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..base.lazy_import import LazyModule

if TYPE_CHECKING:
    from . import shared_library
else:  # what multiplies nothing needs none of it
    shared_library = LazyModule("pullback.kernels.shared_library")

WHEEL = "scipy_openblas64"
_NUMPY = Path(np.__file__).parents[1] / "numpy.libs"
_lock = threading.Lock()  # of the environment, while it is another


class Library:
    """The loaded library."""

    def __init__(self, path: Path, core: str | None) -> None:
        with _environment(OPENBLAS_CORETYPE=core, OPENBLAS_NUM_THREADS="1"):
            self.handle = shared_library.load_again(path) if path.parent == _NUMPY else ctypes.CDLL(str(path))
        self.path = path
        #: The file, and those that it needs beside it.
        self.files = sorted(path.parent.glob("lib*.so*")) if path.parent == _NUMPY else [path]
        self._text = ctypes.CFUNCTYPE(ctypes.c_char_p)
        # The file may have been in the process before: then its threads are somebody's setting.
        ctypes.CFUNCTYPE(None, ctypes.c_int)(self.address("openblas_set_num_threads"))(1)

    def symbol(self, name: str) -> str:
        """What the library calls the function `name`; a LookupError when there is none."""
        for symbol in (f"scipy_{name}64_", f"scipy_{name}_64_"):
            if hasattr(self.handle, symbol):
                return symbol
        raise LookupError(f"{self.path.name} has no function {name}")

    def address(self, name: str) -> int:
        """Where the function `name` lies; a LookupError when there is none."""
        return ctypes.cast(getattr(self.handle, self.symbol(name)), ctypes.c_void_p).value or 0

    def core(self) -> str:
        """The family of processors whose kernels it uses."""
        return str(self._text(self.address("openblas_get_corename"))().decode())

    def version(self) -> str:
        """OpenBLAS's version."""
        return str(self._text(self.address("openblas_get_config"))().decode().split()[1])


@contextmanager
def _environment(**values: str | None) -> Iterator[None]:
    """The environment with `values` in it (None: without the variable) for as long as the block runs."""
    before = {name: os.environ.get(name) for name in values}
    _update(values)
    try:
        yield
    finally:
        _update(before)


def _update(values: dict[str, str | None]) -> None:
    for name, value in values.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


@cache
def _find() -> Path | str:
    """The library's file, or why there is none; the wheel's without importing it, which would show its symbols to the whole process."""
    if os.environ.get("PULLBACK_BLAS") == "numpy":
        return "PULLBACK_BLAS=numpy asks for NumPy's"
    spec = importlib.util.find_spec(WHEEL)
    wheel, package = spec.submodule_search_locations if spec else None, WHEEL.replace("_", "-")
    if not wheel and sys.platform != "linux":
        return f"the package {package} is not installed"
    ending = {"win32": "dll", "darwin": "dylib"}.get(sys.platform, "so")
    files = sorted((Path(wheel[0], "lib") if wheel else _NUMPY).glob(f"libscipy_openblas64*.{ending}"))
    if not files:
        return f"the package {package} has no library for {sys.platform}" if wheel else f"NumPy brings none: pip install {package}"
    return files[0]


@cache
def _load() -> Library | str:
    """The library, loaded by the first call; or why there is none."""
    found = _find()
    if isinstance(found, str):
        return found
    try:
        with _lock:
            return Library(found, os.environ.get("PULLBACK_BLAS") or None)
    except (OSError, LookupError) as error:
        return str(error)


def explain_not_found() -> str | None:
    """Why there is no library, in words, as far as that is known: it is not loaded for this, which would take some milliseconds."""
    found = _load() if _load.cache_info().currsize else _find()
    return found if isinstance(found, str) else None


def library() -> Library | None:
    """The library; None where `explain_missing` says why."""
    found = _load()
    return found if isinstance(found, Library) else None


def explain_missing() -> str | None:
    """Why there is no OpenBLAS of our own, in words; None when there is one.

    >>> from pullback.kernels import blas
    >>> (blas.explain_missing() is None) == (blas.library() is not None)
    True
    """
    found = _load()
    return found if isinstance(found, str) else None


def pointer(name: str) -> int:
    """The address of a function of BLAS, LAPACK or LAPACKE, all with 64-bit integers.

    name: as in C, `cblas_dgemm` or `LAPACKE_dgetrf`; or as in Fortran without its underscore, `dgetrf`, every argument by reference.
    Raises LookupError when the library has no such function, or there is no library: the message says why.
    """
    found = _load()
    if isinstance(found, str):
        raise LookupError(f"no {name}: {found}")
    return found.address(name)


# ---- addresses of arrays


def _slow_address(array: np.ndarray[Any, Any]) -> int:
    return array.ctypes.data


def _address_of(array: np.ndarray[Any, Any]) -> int:
    # The first field after an object's head is the address of its elements; `_check_access` made sure of that.
    return _word(id(array) + _HEAD).value or 0


_HEAD = object.__basicsize__
_word = ctypes.c_void_p.from_address


def _check_access() -> bool:
    """Whether the quick way reads what the slow way does (it takes a tenth of the time, as much as a small product)."""
    if sys.implementation.name != "cpython":
        return False
    samples: list[np.ndarray[Any, Any]] = [np.empty(3), np.empty((4, 5))[1:, 2:], np.zeros((2, 3), np.float32).T]
    return all(_address_of(x) == _slow_address(x) for x in samples)


address = _address_of if _check_access() else _slow_address
"""The address of an array's first element.  The caller keeps the array alive."""
