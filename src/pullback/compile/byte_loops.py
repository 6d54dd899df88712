"""Loops over bytes that kernels are written in, compiled when first wanted and kept for this process."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

from ..base.byte_loops import HOST, Loop
from .late import native
from .tiers import Settings

#: How many strings or bytes a loop has been asked to go over when it is compiled.
_WORTH = 1 << 13


class Loops:
    """What has been compiled so far, and how much other loops were asked for."""

    def __init__(self) -> None:
        self._found: dict[Loop, Callable[..., Any] | None] = {}
        self._asked: dict[Loop, int] = {}

    def __call__(self, loop: Loop, work: int | None) -> Callable[..., Any] | None:
        """The compiled function, None where there is no native code, or none yet."""
        if Settings.jit is False:
            return None
        if loop not in self._found:
            if work is not None and Settings.jit is None:
                self._asked[loop] = self._asked.get(loop, 0) + work
                if self._asked[loop] < _WORTH:
                    return None
            self._found[loop] = self._compiled(loop)
        return self._found[loop]

    def _compiled(self, loop: Loop) -> Callable[..., Any] | None:
        calls = native("byte_loop_calls") if find_spec("llvmlite") is not None else None
        if calls is None:
            return None
        try:
            found: Callable[..., Any] = calls.compiled(loop)
        except (calls.NativeError, OSError):  # no code generator, or no source to read
            return None
        return found


def install() -> None:
    """Let kernels have their loops from now on."""
    HOST.compiled = Loops()


__all__ = ["Loops", "install"]
