"""A native segment ready to be called: its code, its arena and table of addresses, and what it takes and gives."""

from __future__ import annotations

import ctypes
import math
import weakref
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...base.lazy_import import LazyModule
from ...base.named_values import NamedValues
from ...kernels.memory import reserve_pages
from ...kernels.memory_limit import ASKED, require_room
from ...ops.state.variables import make_own
from .entry import Argument, Output, callable_of, redirect
from .loaded import Loaded, library_symbol

if TYPE_CHECKING:
    from . import baseline
else:  # optimised code is as good as it gets
    baseline = LazyModule("pullback.engine.runtime.baseline")

Dims = tuple[int, ...]
Kind = tuple[Dims, np.dtype[Any]]


class Fault(Exception):
    """A native program could not give its results; nothing was changed."""


class Layout(NamedValues):
    """All that a segment's code needs to run.

    name: of its function.  arena: bytes for temporary results.  constants: arrays that it reads.  words: how many words its table has for
    itself.  stacks: for each stack the number of its first word, and the kind of its elements where it has any.
    inputs, outputs: dims and dtypes.  long: whether other threads of Python get their turn meanwhile.
    """

    name: str
    arena: int
    constants: tuple[np.ndarray, ...]
    words: int
    stacks: tuple[tuple[int, Kind | None], ...]
    inputs: tuple[Kind, ...]
    outputs: tuple[Kind, ...]
    long: bool


class Native:
    """A segment in memory; it makes the arrays of its results.

    again: how many of each result it uses again once nobody else holds them.  flushes: whether floats below the least normal one are zeros.
    """

    #: It writes new values of variables to arrays of their own, or changes the old ones as `Sources.changed` says.
    takes: Collection[int] = ()
    give_away = staticmethod(make_own)

    def __init__(self, layout: Layout, code: Loaded, again: int = 2, flushes: bool = False) -> None:
        require_room((layout.arena,), np.dtype(np.uint8))
        arena = reserve_pages(layout.arena + 64)
        start = arena.ctypes.data - arena.ctypes.data % -64
        table = np.array([start, *(c.ctypes.data for c in layout.constants), *[0] * layout.words], np.uint64)
        words = [1 + len(layout.constants) + word for word, _ in layout.stacks]
        for at, (_, kind) in zip(words, layout.stacks, strict=True):
            if kind is not None:
                table[at : at + 2] = _first_room(*kind)
        if words:
            # not with this object: whoever has the callable alone may be running it; nor at exit, where other threads may
            weakref.finalize(arena, _free_stacks, table, words).atexit = False
        self._inputs, self._name = layout.inputs, layout.name
        self.is_long = layout.long
        self.asks = [(dims, dtype) for dims, dtype in layout.outputs if math.prod(dims) * dtype.itemsize >= ASKED]
        self.call = callable_of(
            code.address(layout.name),
            table.ctypes.data,
            [Argument(dtype, dims) for dims, dtype in layout.inputs],
            [Output(dtype, dims, again) for dims, dtype in layout.outputs],
            bare=True,
            release_gil=layout.long,
            flushes=flushes,
            keep=(code, arena, table, layout.constants),
        )
        if code.source is not None:
            baseline.order_optimised(self, code)

    def take_code(self, code: Loaded) -> None:
        """Run other code of the same segment from the next call on."""
        redirect(self.call, code.address(self._name), code)

    def __call__(self, *values: Any) -> Sequence[np.ndarray]:
        for dims, dtype in self.asks:
            require_room(dims, dtype)
        answers = self.call(*values)
        if type(answers) is int and answers < 0:
            answers = self.call(*[_fit_value(v, *kind) for v, kind in zip(values, self._inputs, strict=True)])
        if type(answers) is int:
            raise Fault(f"status {answers}")
        return answers or ()


def _fit_value(value: Any, dims: Dims, dtype: np.dtype[Any]) -> np.ndarray:
    """A value as the array that a segment takes; a Fault where it is of another shape or dtype."""
    array = np.asarray(value)
    if array.shape != dims or array.dtype != dtype:
        raise Fault(f"{array.dtype}{list(array.shape)} given for {dtype}{list(dims)}")
    return np.require(array, dtype, ["C", "A"]).reshape(dims)


#: How many elements a stack that keeps some has memory for at first.
FIRST_ROOM = 64


def _first_room(dims: Dims, dtype: np.dtype[Any]) -> tuple[int, int]:
    """Memory for the first elements of a stack, which native code makes more of with realloc, and for how many it is."""
    malloc = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_size_t)(library_symbol("malloc") or 0)
    address = malloc(FIRST_ROOM * max(math.prod(dims) * dtype.itemsize, 1))
    if not address:
        raise MemoryError(f"no memory for {FIRST_ROOM} elements of {dtype}{list(dims)} that a loop keeps")
    return address, FIRST_ROOM


def _free_stacks(table: np.ndarray, words: Sequence[int]) -> None:
    """Give the memory of a program's stacks back."""
    free = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(library_symbol("free") or 0)
    for word in words:
        free(int(table[word]))
