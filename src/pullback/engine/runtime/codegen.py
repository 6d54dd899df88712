"""Text in LLVM's language to object code.

Object code is emitted here and linked elsewhere (`linking`): the same bytes then come from the compiler or from the disk, and dropping a
`Loaded` frees its code.  Names that a module declares and does not define are given addresses when it is linked, so object code holds no
address of this process and can be kept on disk.

The pipeline hands constants on to the functions called with them, inlines what is marked so as long as little code comes of it, and
simplifies: the text that comes in has explicit vectors, and neither vectorisers nor unrolling would gain anything.  The code generator
works at its level 1, whose code is that of level 2 without a second scheduling of instructions: that takes a third of the time for long
blocks, and processors that run instructions out of order gain nothing by it.

Two threads may compile at once, each with what LLVM keeps for one; others who call LLVM in this process wait (`llvm_lock`).
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any

from ...kernels.parallel import processors
from ..background import COMPILER, run_interruptibly
from ..llvm_loading import CODE_GENERATORS
from . import llvm_library
from .ahead import AHEAD
from .linking import Pieces, lay_out, link
from .llvm_lock import llvmlite_lock
from .loaded import Loaded, ObjectCode, find_runtime_needs
from .machine import Machine, create_target_machine, host, initialize
from .pieces import split

_GROWTH = 1500
#: How many runs a builder of passes serves: it leaves 1.5 kB behind that nothing gives back, and each of its runs makes the next slower.
_RUNS = 16


class _CodeGenerator:
    """What LLVM keeps for one thread at a time, made once: the passes of level 1 and the machines. `lock` is held by who uses it."""

    def __init__(self, lock: threading.RLock) -> None:
        self.lock = lock
        self._targets: dict[tuple[Machine, int], Any] = {}
        self._manager: Any = None
        self._builder: Any = None
        self._left = 0

    def target(self, machine: Machine, effort: int) -> Any:
        """LLVM's code generator for a machine."""
        found = self._targets.get((machine, effort))
        if found is None:
            found = self._targets[machine, effort] = create_target_machine(machine, effort)
        return found

    def simplify(self, module: Any, target: Any, level: int) -> None:
        """Run the passes of a level."""
        if level > 1:
            llvm_library.run_pipeline(target, module, level)
        elif level == 1:
            if self._manager is None:
                self._manager = llvm_library.new_pass_manager()
            if not self._left:
                if self._builder is not None:
                    self._builder.close()
                self._builder, self._left = llvm_library.PassBuilder(target), _RUNS
            self._left -= 1
            self._builder.run(self._manager, module)


_GENERATORS = [_CodeGenerator(lock) for lock in CODE_GENERATORS]


@contextmanager
def _generator() -> Iterator[_CodeGenerator]:
    """A code generator that nobody uses meanwhile."""
    free = next((g for g in _GENERATORS if g.lock.acquire(blocking=False)), None)
    if free is None:
        free = _GENERATORS[0]
        free.lock.acquire()
    try:
        yield free
    finally:
        free.lock.release()


class _PlainAddresses:
    """While threads are within, addresses stay as they are written: to look for cheaper ones takes a third of code generation.

    LLVM has this as an option of the process, so it is set back for others who use it when the last thread leaves.
    """

    def __init__(self) -> None:
        self._lock, self._within = threading.Lock(), 0

    def __enter__(self) -> None:
        with self._lock:
            self._within += 1
            if self._within == 1:
                llvm_library.set_option("-disable-lsr")

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._within -= 1
            if not self._within:
                llvm_library.set_option("-disable-lsr=false")


_plain_addresses = _PlainAddresses()


@contextmanager
def plain_addresses(level: int) -> Iterator[None]:
    """Addresses as they are written, at level 1, for threads that hold llvmlite's lock together."""
    if level > 1:
        yield
        return
    with llvmlite_lock().together(), _plain_addresses:
        yield


def prepare() -> None:
    """Have LLVM ready for the host."""
    with _generator() as generator:
        generator.target(host(), 1)


_INLINED = re.compile(r'^define [^\n]*@"?([\w.]+)"?\([^\n]*\balwaysinline\b[^{]*\{(.*?)^\}', re.MULTILINE | re.DOTALL)


def _limit_inlining(text: str) -> str:
    """The text, with functions to be inlined that are called in so many places that it would grow by more than `_GROWTH` lines made calls.

    The smallest growth is granted first.  Code generation takes 50 us a line, so that a program of hundreds of sines and tangents would
    take a second, and gain 15 percent.
    """
    found = [(match.group(2).count("\n") * _uses(text, match.group(1)), match) for match in _INLINED.finditer(text)]
    left = _GROWTH
    for growth, match in sorted(found, key=lambda pair: pair[0]):
        left -= growth
        if left < 0:
            head = text[match.start() : match.start(2)]
            text = text.replace(head, head.replace("alwaysinline", "noinline"), 1)
    return text


def _uses(text: str, name: str) -> int:
    return text.count(f'@"{name}"(') + text.count(f"@{name}(") - 1


def _set_layout(text: str, target: Any) -> str:
    """The text with the target's layout of data: without it, LLVM takes a layout with other alignments."""
    layout = f'target datalayout = "{llvm_library.layout_of(target)}"\n'
    given = re.search(r'^target datalayout = "(.*)"\n', text, re.MULTILINE)
    if given is None:
        return layout + text
    return text if given.group(1) else text[: given.start()] + layout + text[given.end() :]


def compile_object(text: str, machine: Machine | None = None, level: int = 1) -> ObjectCode:
    """Object code of a module in LLVM's language.

    Args:
        machine: what it is made for; the host when None.
        level: 0 leaves the module as it is, 1 simplifies each function, 2 and 3 the module as a whole, 4 makes vectors of plain loops too.

    Raises:
        NativeError: the text is not a module that LLVM accepts.
    """
    return run_interruptibly(lambda: object_of(_limit_inlining(text), machine or host(), level))


def compile_laid_out(text: str, level: int = 1) -> Pieces:
    """Object code of a module for the host, laid out for memory; arguments and errors are as `compile_object` has them."""
    return (lay_out(compile_object(text, level=level)),)


def compile_pieces(text: str, machine: Machine, level: int = 1) -> Pieces:
    """Object code of a module, laid out, in pieces that two threads compile: each is linked with those before it, the last is asked.

    Arguments and errors are as `compile_object` has them.
    """
    return run_interruptibly(lambda: _compile_together(text, machine, level))


def _compile_together(text: str, machine: Machine, level: int) -> Pieces:
    text = _limit_inlining(text)
    # what nobody waits for leaves the other processor to the calls that go on
    alone = level > 1 or processors() == 1 or COMPILER.is_current()
    pieces = [text] if alone else split(text)
    if len(pieces) > 1:
        for piece in pieces:
            AHEAD.order(piece.encode(), partial(_compile_piece, piece, machine, level), len(piece))
        AHEAD.help()
    return tuple([made for piece in pieces for made in AHEAD.take(piece.encode()) or _compile_piece(piece, machine, level)])


def _compile_piece(text: str, machine: Machine, level: int) -> Pieces:
    return (lay_out(object_of(text, machine, level)),)


def object_of(text: str, machine: Machine, level: int) -> ObjectCode:
    """Object code of a module, compiled on this thread."""
    initialize()
    # what is not of level 1 keeps its addresses, so it shares the option with nobody
    with _generator() as generator, llvmlite_lock().together() if level < 2 else llvmlite_lock().alone():
        target = generator.target(machine, min(level, 2))
        with llvm_library.parse_module(_set_layout(text, target)) as module:
            generator.simplify(module, target, level)
            defines, needs = llvm_library.names_of(module)
            with plain_addresses(level):
                code = llvm_library.emit(target, module)
            needs = [name for name in dict.fromkeys([*needs, *find_runtime_needs(code)]) if name not in defines]
            return ObjectCode(code, tuple(defines), tuple(needs))


def load(text: str, symbols: Mapping[str, int] | None = None, machine: Machine | None = None, level: int = 1, keep: Any = None) -> Loaded:
    """A module in LLVM's language, compiled and linked; arguments as `compile_object` and `link` have them.

    >>> import ctypes
    >>> code = load("define i32 @twice(i32 %x) { %y = add i32 %x, %x ret i32 %y }")
    >>> code.function("twice", ctypes.c_int, ctypes.c_int)(21)
    42
    """
    return link(compile_object(text, machine, level), symbols, keep)
