"""Python callables that lead straight into native code.

`callable_of` makes a built-in function (a `PyCFunction` with METH_FASTCALL) whose code is native: it finds the arrays' data pointers,
checks them against what the program was made for, makes the outputs, and calls `i32 program(ptr buffers, ptr context)`.  A call with
five arrays costs 26 ns, an output made a tensor 60 ns more, where ctypes takes several microseconds.  One piece of code serves all
programs (`entry_code`): what a program expects is written in the function's `self`, a bytes object, which also keeps the program alive.

Outputs are written into arrays that were handed out before and that nobody holds any more: fresh memory costs a page fault for each 4 KB,
more than most programs take to fill it.

The layouts of CPython's and NumPy's objects that this relies on are checked once, by reading objects whose content is known.  Where the
check fails (another interpreter, a build without the GIL) the same callable is made of ctypes.
"""

from __future__ import annotations

import ctypes
import itertools
import os
import struct
import sys
import threading
from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ...base.lazy_import import LazyModule
from ...base.named_values import NamedValues
from ...kernels.aligned import numpy_function
from ...kernels.memory import reserve_aligned
from .loaded import Loaded, NativeError, python_symbols
from .objects import load_named, order_named

if TYPE_CHECKING:
    from . import entry_code
else:  # what is on the disk has its name
    entry_code = LazyModule("pullback.engine.runtime.entry_code")

#: Offsets in bytes, read back from objects that are known before the native code is used.
TYPE = 8
DATA, RANK, DIMS, DTYPE, FLAGS = 16, 24, 32, 56, 64
#: Where a list refers to its items, and where a tuple has them.
ITEMS = 24
SELF = bytes.__basicsize__ - 1
#: Programs share a few locks, which a forked child can then open: the thread that held one is not there.
LOCKS = 256
YIELD = "SwitchToThread" if sys.platform == "win32" else "sched_yield"
#: What the native code calls of CPython.
_FUNCTIONS = (
    "PyEval_SaveThread",
    "PyEval_RestoreThread",
    "Py_IncRef",
    "Py_DecRef",
    "PyLong_FromLongLong",
    "PyTuple_New",
    "PyTuple_SetItem",
    "PyType_GenericAlloc",
    "PyObject_CallNoArgs",
)

C_CONTIGUOUS, ALIGNED, WRITEABLE = 0x1, 0x100, 0x400

Call = Callable[..., Any]


class Argument(NamedValues):
    """What a program expects of an array: a dtype (any when None), a shape (any when None), and how it lies in memory."""

    dtype: np.dtype[Any] | None = None
    shape: tuple[int, ...] | None = None
    contiguous: bool = True
    writeable: bool = False

    @property
    def flags(self) -> int:
        """The flags, of NumPy's C interface, that the array must have."""
        return ALIGNED | (C_CONTIGUOUS if self.contiguous else 0) | (WRITEABLE if self.writeable else 0)

    def words(self) -> list[int]:
        """The argument as `entry_code` reads it: dtype, flags, number of dimensions (-1: any), dimensions."""
        kind = 0 if self.dtype is None else id(self.dtype)
        return [kind, self.flags, *((-1,) if self.shape is None else (len(self.shape), *self.shape))]

    def accepts(self, value: object) -> bool:
        """Whether `value` is an array as the program expects it."""
        return (
            type(value) is np.ndarray
            and (self.dtype is None or value.dtype is self.dtype)
            and (self.shape is None or value.shape == self.shape)
            and value.flags.aligned
            and (value.flags.c_contiguous or not self.contiguous)
            and (value.flags.writeable or not self.writeable)
        )


class Output(NamedValues):
    """An array that a program fills: its dtype and shape, and how many are kept to be filled again once nobody holds them."""

    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    kept: int = 2


class Wrapper(NamedValues):
    """A class of tensors: objects with an array in the attribute `slot` and a number, from `counter`, in `counter_slot`."""

    kind: type
    slot: str
    make: Callable[[np.ndarray], Any]
    counter_slot: str
    counter: Callable[[], int]

    def offsets(self) -> tuple[int, int] | None:
        """Where in an instance its array and its number are referred to; None when that cannot be found."""
        array = np.zeros(3)
        made = self.make(array)
        if type(made) is not self.kind:
            return None
        number = getattr(made, self.counter_slot)
        words = {_word(id(made) + offset): offset for offset in range(TYPE + 8, self.kind.__basicsize__, 8)}
        found = words.get(id(array)), words.get(id(number))
        return None if found[0] is None or found[1] is None else (found[0], found[1])


class _Self(bytes):
    """The `self` of a native callable: numbers for the code, and the objects that must live as long."""

    keep: Any


class _MethodDef(ctypes.Structure):
    """CPython's PyMethodDef."""

    _fields_ = (("name", ctypes.c_char_p), ("code", ctypes.c_void_p), ("flags", ctypes.c_int), ("doc", ctypes.c_char_p))


_METH_FASTCALL = 0x80
#: The place of PyArray_NewFromDescr in the table of NumPy's C interface.
_NEW_FROM_DESCR = 94


_numbers = itertools.count()


_NAME = "native callables"


def _make_text() -> str:
    return entry_code.make_text(
        TYPE=TYPE, DATA=DATA, RANK=RANK, DIMS=DIMS, DTYPE=DTYPE, FLAGS=FLAGS, ITEMS=ITEMS, SELF=SELF, LOCKS=LOCKS, YIELD=YIELD
    )  # fmt: skip


def compile_ahead() -> None:
    """Have the code of all native callables compiled, if it is not there yet."""
    if not _entry.cache_info().currsize:
        order_named(_NAME, _make_text, level=0)


@cache
def _entry() -> Loaded | None:
    """The code of all native callables; None where objects do not lie in memory as it expects."""
    if sys.implementation.name != "cpython" or struct.calcsize("P") != 8 or "free-threading" in sys.version:
        return None
    if not _layout_is_known():
        return None
    symbols = python_symbols(_FUNCTIONS)
    symbols |= {"array_type": id(np.ndarray), "none": id(None), "PyArray_NewFromDescr": numpy_function(_NEW_FROM_DESCR)}
    try:
        code = load_named(_NAME, _make_text, symbols, level=0)
    except NativeError:
        return None
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=lambda: ctypes.memset(code.address("locks"), 0, 4 * LOCKS))
    return code if _works(code) else None


def _works(code: Loaded) -> bool:
    """Whether a callable gives what it should, and counts references as it should."""
    double = np.dtype(np.float64, metadata={"of": "probe"})  # its own: other threads refer to the one that all share
    call = _native(code, code.address("probe"), 0, [Argument(double, ())], [Output(double, (), kept=1)], None, None, single=True)
    given = np.array(1.5, double)
    first, second = call(given), call(given)
    counts = sys.getrefcount(given), sys.getrefcount(double)
    held = sys.getrefcount(first), sys.getrefcount(second)
    for _ in range(10):
        second = call(given)
    again = sys.getrefcount(first), sys.getrefcount(second)
    if (sys.getrefcount(given), sys.getrefcount(double)) != counts or again != held:
        return False
    return type(first) is np.ndarray and first is not second and (first.item(), second.item()) == (2.5, 2.5) and call(1.5) == -2


def _word(address: int) -> int:
    return ctypes.c_int64.from_address(address).value


def _layout_is_known() -> bool:
    """Whether NumPy's arrays and CPython's bytes have their fields where `entry_code` looks for them."""
    content = bytes(range(24))
    probe = _Self(content)
    if ctypes.string_at(id(probe) + SELF, len(content)) != content:
        return False
    items, pair = [probe, content], (probe, content)
    if _word(_word(id(items) + ITEMS) + 8) != id(content) or _word(id(pair) + ITEMS + 8) != id(content):
        return False
    frozen = np.zeros((2, 3, 5), np.int16)
    frozen.setflags(write=False)
    for array in (np.zeros((4, 7), np.float32), np.zeros((), np.float64), np.zeros((6, 8, 3), np.complex64)[::2, 1:], frozen):
        where, dims = id(array), _word(id(array) + DIMS)
        found = (
            _word(where + TYPE),
            _word(where + DATA),
            ctypes.c_int32.from_address(where + RANK).value,
            tuple(_word(dims + 8 * i) for i in range(array.ndim)),
            _word(where + DTYPE),
            ctypes.c_int32.from_address(where + FLAGS).value & (C_CONTIGUOUS | ALIGNED | WRITEABLE),
        )
        flags = array.flags
        known = (flags.c_contiguous and C_CONTIGUOUS) | (flags.aligned and ALIGNED) | (flags.writeable and WRITEABLE)
        if found != (id(np.ndarray), array.ctypes.data, array.ndim, array.shape, id(array.dtype), known):
            return False
    return True


def callable_of(
    program: int,
    context: int,
    arguments: Sequence[Argument],
    outputs: Sequence[Output] = (),
    *,
    wrapper: Wrapper | None = None,
    bare: bool = False,
    single: bool = False,
    release_gil: bool = False,
    flushes: bool = False,
    keep: object = None,
    name: str = "program",
) -> Call:
    """A callable that takes arrays and runs a program on them.

    Args:
        program: the address of a function `i32 program(ptr buffers, ptr context)`; `buffers` are the data pointers of the arrays it is
            given and then of the outputs.
        context: the address that the program is given as its second argument.
        arguments: what is expected of each array.
        outputs: the arrays that are made for the program to fill.
        wrapper: the class of tensors: they may be given in place of arrays, and outputs are made tensors unless `bare`.
        single: the only output is given as it is, instead of in a tuple.
        release_gil: whether other Python threads may run meanwhile, which costs about 40 ns.  One that calls the same program waits:
            programs have memory of their own, reached by `context`.
        flushes: whether floats below the least normal one are zeros to the program (`float_mode`), which costs about 10 ns.
        keep: kept alive by the callable, for instance the code and what `context` points to.

    Returns:
        A callable of as many positional arguments.  It answers a tuple of the outputs, None when there are none, when the program returned
        0, and else what the program returned.  -1 says that the number of arguments is wrong and -2 - i that argument i is not what was
        expected; then the program did not run.
    """
    if single and len(outputs) != 1:
        raise ValueError(f"single is for one output, not for {len(outputs)}")
    code = _entry()
    offsets = None if wrapper is None else wrapper.offsets()
    if code is None or (wrapper is not None and offsets is None):
        return _wrap_with_ctypes(program, context, tuple(arguments), tuple(outputs), wrapper, bare, single, release_gil, keep)
    found = None if wrapper is None or offsets is None else (wrapper, *offsets)
    return _native(code, program, context, arguments, outputs, found, keep, bare, single, release_gil, flushes, name)


def _native(
    code: Loaded,
    program: int,
    context: int,
    arguments: Sequence[Argument],
    outputs: Sequence[Output],
    wrapper: tuple[Wrapper, int, int] | None,
    keep: Any,
    bare: bool = False,
    single: bool = False,
    release_gil: bool = False,
    flushes: bool = False,
    name: str = "program",
) -> Call:
    """`callable_of` by native code; `wrapper` comes with the offsets of its slots."""
    records, kept = _records(outputs)
    tensors, slot, counter_slot = wrapper or (None, 0, 0)
    words = [
        program,
        context,
        len(arguments),
        0 if tensors is None else id(tensors.kind),
        slot,
        release_gil + 2 * flushes,
        len(outputs),
        ctypes.addressof(records),
        0 if tensors is None or bare else id(tensors.counter),
        counter_slot,
        int(single),
        code.address("locks") + 4 * (next(_numbers) % LOCKS),
    ]
    for argument in arguments:
        words += argument.words()
    owner = _Self(struct.pack(f"{len(words)}q", *words))
    owner.keep = (code, keep, tensors, records, kept, [argument.dtype for argument in arguments])
    return _new_function(_define_method(name, code.address("entry")), owner)


def redirect(call: Call, program: int, keep: object) -> None:
    """Have a callable run another program from its next call on.

    program, keep: as `callable_of` has them; what was kept alive stays so, since a call may be running it.
    """
    owner: Any = getattr(call, "__self__", call)
    owner.keep = (owner.keep, keep)
    if isinstance(owner, _Self):
        ctypes.c_int64.from_address(id(owner) + SELF).value = program
    else:
        owner.function = type(owner.function)(program)


@cache
def _define_method(name: str, code: int) -> _MethodDef:
    """What a built-in function refers to until it is gone.

    It is never freed: the garbage collector may empty the function's `self` before it drops the function.
    """
    made = _MethodDef(name.encode(), code, _METH_FASTCALL, None)
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(made))
    return made


def _records(outputs: Sequence[Output]) -> tuple[Any, list[Any]]:
    """The outputs as `entry_code` reads them, and the objects that are referred to."""
    records = (ctypes.c_int64 * (6 * len(outputs)))()
    kept: list[Any] = []
    for i, output in enumerate(outputs):
        dims = (ctypes.c_int64 * len(output.shape))(*output.shape)
        before = [reserve_aligned(output.shape, output.dtype) for _ in range(output.kept)]
        kept += [output.dtype, dims, before]
        records[6 * i : 6 * i + 6] = [id(output.dtype), len(output.shape), ctypes.addressof(dims), id(before), output.kept, 0]
    return records, kept


def _new_function(definition: _MethodDef, owner: _Self) -> Call:
    make = ctypes.pythonapi.PyCFunction_NewEx
    make.restype, make.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p)
    made: Call = make(ctypes.addressof(definition), owner, None)
    return made


def _wrap_with_ctypes(
    program: int,
    context: int,
    arguments: tuple[Argument, ...],
    outputs: tuple[Output, ...],
    wrapper: Wrapper | None,
    bare: bool,
    single: bool,
    release_gil: bool,
    keep: Any,
) -> Call:
    """`callable_of` where objects' layouts are not known."""
    kind = ctypes.CFUNCTYPE if release_gil else ctypes.PYFUNCTYPE
    buffers_type = ctypes.c_void_p * (len(arguments) + len(outputs))
    lock = threading.Lock()

    def run(*values: Any) -> Any:
        if len(values) != len(arguments):
            return -1
        arrays = [getattr(value, wrapper.slot) if wrapper is not None and type(value) is wrapper.kind else value for value in values]
        for i, (array, argument) in enumerate(zip(arrays, arguments, strict=True)):
            if not argument.accepts(array):
                return -2 - i
        made = [np.empty(output.shape, output.dtype) for output in outputs]
        with lock:
            status = call.function(buffers_type(*(array.ctypes.data for array in (*arrays, *made))), context)
        if status or not made:
            return status or None
        results = tuple(made if wrapper is None or bare else map(wrapper.make, made))
        return results[0] if single else results

    call: Any = run  # functions take attributes
    call.keep, call.function = keep, kind(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p)(program)
    return run
