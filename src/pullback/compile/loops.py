"""Native code for loops written in Python (`base.loops`), compiled when first wanted and kept for this process and on the disk."""

from __future__ import annotations

import ctypes
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ..base import blas, loops, quick
from .late import native
from .tiers import Settings

#: Calls with little to do before a loop is compiled, and from how much on it is at once.
_CALLS, _MUCH = 4, quick.SHARED
_C = {int: ctypes.c_int64, float: ctypes.c_float}
_ARRAY = np.ndarray


class Loops:
    """What has been compiled so far, by function, the dtypes of arrays, which arguments are floats, and constants."""

    def __init__(self) -> None:
        self._calls: Counter[Any] = Counter()
        self._used: dict[Any, Callable[..., int | None]] = {}
        self._found: dict[Any, Any] = {}

    def __call__(self, function: loops.Loop, work: int) -> Callable[..., int | None] | None:
        if Settings.jit is False:
            return None
        used = self._used.get(function)
        if used is None:
            self._calls[function] += 1
            if Settings.jit is not True and work < _MUCH and self._calls[function] <= _CALLS:
                return None
            used = self._used[function] = partial(self._run, function)
        return used

    def _run(self, function: loops.Loop, *given: Any, **constants: int) -> int | None:
        kinds = tuple([x.dtype if type(x) is _ARRAY else type(x) for x in given])
        key = function, kinds, *constants.values()
        if key not in self._found:
            self._found[key] = _compiled(function, kinds, constants)
        code = self._found[key]
        if code is None:
            return None
        for x in given:
            if type(x) is _ARRAY and not x.flags.c_contiguous:
                raise ValueError(f"{function.__name__}: an array has gaps")
        return int(code(*[blas.address(x) if type(x) is _ARRAY else x for x in given]))


def _compiled(function: loops.Loop, kinds: tuple[Any, ...], constants: dict[str, int]) -> Any:
    objects, machine = native("host.objects"), native("host.machine")
    if machine is None:
        return None
    shown = [kind.str if isinstance(kind, np.dtype) else kind.__name__ for kind in kinds]
    name = f"{function.__module__}.{function.__qualname__}({', '.join(shown)}) {constants}"

    def text() -> str:
        return native("written").module_of(function, kinds, constants)  # type: ignore[no-any-return]  # loaded late, so untyped

    try:
        # The name stands for the text of our own functions alone: others may change while our source files do not.
        is_ours = function.__module__.startswith("pullback.")
        loaded = objects.load_named(name, text, level=4) if is_ours else objects.load_cached(text(), level=4)
    except machine.NativeError:
        return None
    types = [ctypes.c_void_p if isinstance(kind, np.dtype) else _C[kind] for kind in kinds]
    return loaded.function("loop", ctypes.c_int64, *types)


def install() -> None:
    """Let kernels ask for native loops from now on."""
    loops.FOUND.loop = Loops()


__all__ = ["Loops", "install"]
