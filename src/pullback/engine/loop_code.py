"""Native code for loops written in Python (`kernels.loops`), compiled when first wanted and kept for this process and on the disk."""

from __future__ import annotations

import ctypes
from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial
from importlib.util import find_spec
from typing import Any

import numpy as np

from ..kernels import blas, loops
from .jit_policy import Settings
from .llvm_loading import native

#: How often a loop has been asked to go around when it is compiled, which NumPy does until then, and one that Python does.  A call counts a
#: fifth of it at least.
_WORTH, _WORTH_OF_ONLY = 1 << 13, 1 << 10
_C: dict[loops.Kind, Any] = {
    int: ctypes.c_int64,
    bool: ctypes.c_int64,
    float: ctypes.c_float,
    np.float64: ctypes.c_double,
    np.uint64: ctypes.c_uint64,
}
_ARRAY = np.ndarray
#: How LLVM optimises: with vectors along arrays where a loop is for any dtypes; loops that name theirs go over strings, which are short.
_WITH_VECTORS, _WITHOUT = 4, 3
_OBJECTS = ("PyBytes_FromStringAndSize", "Py_DecRef")


class Loops:
    """What has been compiled so far, by function, and where its annotations leave that open the kinds of arguments, and constants."""

    def __init__(self) -> None:
        self._asked: Counter[Any] = Counter()
        self._used: dict[Any, Callable[..., Any] | None] = {}
        self._found: dict[Any, Any] = {}

    def __call__(self, function: loops.Loop, work: int | None, is_only: bool = False) -> Callable[..., Any] | None:
        if Settings.jit is False and not is_only:
            return None
        if function not in self._used:
            if Settings.jit is not True and work is not None:
                worth = _WORTH_OF_ONLY if is_only else _WORTH
                self._asked[function] += max(work, -(-worth // 5))
                if self._asked[function] < worth:
                    return None
            is_open = any(kind is None for kind in loops.signature(function).parameters.values())  # `==` takes None for float64
            self._used[function] = partial(self._run, function, is_only) if is_open else _compile_declared(function)
        return self._used[function]

    def _run(self, function: loops.Loop, is_only: bool, *given: Any, **constants: int) -> Any:
        kinds = tuple([x.dtype if type(x) is _ARRAY else type(x) for x in given])
        key = function, kinds, *constants.values()
        if key not in self._found:
            self._found[key] = _compile_loop(function, kinds, constants, _WITH_VECTORS)
        code = self._found[key]
        if code is None:
            return loops.run_in_python(function, *given, **constants) if is_only else None
        for x in given:
            if type(x) is _ARRAY and not x.flags.c_contiguous:
                raise ValueError(f"{function.__name__}: an array has gaps")
        return code(*[blas.address(x) if type(x) is _ARRAY else x for x in given])


def _compile_loop(function: loops.Loop, kinds: tuple[Any, ...], constants: dict[str, int], level: int) -> Any:
    """A loop's code as a function of addresses and numbers; None where there is none."""
    if find_spec("llvmlite") is None:
        return None
    objects, loaded = native("runtime.objects"), native("runtime.loaded")
    shown = [kind.str if isinstance(kind, np.dtype) else kind.__name__ for kind in kinds]
    name = f"{function.__module__}.{function.__qualname__}({', '.join(shown)}) {constants}"
    of_python: list[str] = []

    def text() -> str:
        source: str = native("loop_compiler").module_of(function, kinds, constants)
        return source

    def addresses(names: Iterable[str]) -> dict[str, int]:
        of_python.extend(wanted := [name for name in _OBJECTS if name in names])
        return {name: ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value or 0 for name in wanted}

    try:
        # The name stands for the text of our own functions alone: others may change while our source files do not.
        is_ours = function.__module__.startswith("pullback.")
        code = objects.load_named(name, text, addresses, level) if is_ours else objects.load_cached(text(), addresses, level=level)
    except loaded.NativeError:
        return None
    results = loops.signature(function).results
    types = [ctypes.c_void_p if isinstance(kind, np.dtype) else _C[kind] for kind in kinds]
    kind = ctypes.PYFUNCTYPE if of_python else ctypes.CFUNCTYPE  # who makes objects holds the interpreter's lock
    call: Any = kind(_C[results[0]] if results else ctypes.c_int64, *types)(code.address("loop"))
    call.code = code
    return call


def _compile_declared(function: loops.Loop) -> Callable[..., Any] | None:
    """The code of a loop whose annotations say all kinds, as a function that looks whether arrays are of theirs."""
    signature = loops.signature(function)
    call = _compile_loop(function, tuple(signature.parameters.values()), {}, _WITHOUT)
    if call is None:
        return None
    scope: dict[str, Any] = {"call": call, "address": blas.address, "ndarray": _ARRAY, "refused": _refuse_array}
    lines, given = [], []
    for name, kind in signature.parameters.items():
        if isinstance(kind, np.dtype):
            scope[f"dtype_{name}"] = kind
            lines += [
                f" if type({name}) is ndarray:",
                f"  if {name}.dtype is not dtype_{name} or not {name}.flags.c_contiguous: refused({name!r}, {name}, dtype_{name})",
                f"  place_{name} = address({name})",
                f" else: place_{name} = {name}",
            ]
        given.append(f"place_{name}" if isinstance(kind, np.dtype) else name)
    lines.append(f" return call({', '.join(given)})" + (" != 0" if signature.results == (bool,) else ""))
    exec(f"def {function.__name__}({', '.join(signature.parameters)}):\n" + "\n".join(lines), scope)
    found: Callable[..., Any] = scope[function.__name__]
    return found


def _refuse_array(name: str, array: Any, dtype: Any) -> None:
    if array.dtype != dtype or not array.flags.c_contiguous:
        raise TypeError(f"{name} is a contiguous array of {dtype}, not {array.dtype} with strides {array.strides}")


find_loop = Loops()
