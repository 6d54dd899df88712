"""Python callables that lead straight into native code.

`callable_of` makes a built-in function (a `PyCFunction` with METH_FASTCALL) whose code is native: it finds the arrays' data pointers,
checks them against what the program was made for, and calls `i32 program(ptr buffers, ptr context)`.  A call with five arrays costs
about 60 ns, where ctypes takes several microseconds.  One piece of code serves all programs: what a program expects is written in the
function's `self`, a bytes object, which also keeps the program alive.

The layouts of CPython's and NumPy's objects that this relies on are checked once, by reading objects whose content is known.  Where the
check fails (another interpreter, a build without the GIL) the same callable is made of ctypes.
"""

from __future__ import annotations

import ctypes
import struct
import sys
import sysconfig
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from .machine import Loaded, NativeError
from .objects import load_cached

C_CONTIGUOUS, ALIGNED, WRITEABLE = 0x1, 0x100, 0x400

Call = Callable[..., int | None]


@dataclass(frozen=True)
class Argument:
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
        """The argument as `_ENTRY` reads it: dtype, flags, number of dimensions (-1: any), dimensions."""
        kind = 0 if self.dtype is None else id(self.dtype)
        return [kind, self.flags, *((-1,) if self.shape is None else (len(self.shape), *self.shape))]

    def accepts(self, value: Any) -> bool:
        """Whether `value` is an array as the program expects it."""
        return (
            type(value) is np.ndarray
            and (self.dtype is None or value.dtype is self.dtype)
            and (self.shape is None or value.shape == self.shape)
            and value.flags.aligned
            and (value.flags.c_contiguous or not self.contiguous)
            and (value.flags.writeable or not self.writeable)
        )


class _Self(bytes):
    """The `self` of a native callable: numbers for the code, and the objects that must live as long."""

    keep: tuple[Any, ...]


# Offsets in bytes; the self-test below reads them back.
_TYPE = 8
_DATA, _RANK, _DIMS, _DTYPE, _FLAGS = 16, 24, 32, 56, 64
_SELF = bytes.__basicsize__ - 1

# Words of a `_Self`: program, context, number of arguments, tensor type, offset of a tensor's array, whether to release the GIL; then
# the arguments' words one after the other.
_ENTRY = f"""
define ptr @entry(ptr %self, ptr %arguments, i64 %count) {{
start:
  %w = getelementptr i8, ptr %self, i64 {_SELF}
  %w1 = getelementptr i64, ptr %w, i64 1
  %w2 = getelementptr i64, ptr %w, i64 2
  %w3 = getelementptr i64, ptr %w, i64 3
  %w4 = getelementptr i64, ptr %w, i64 4
  %w5 = getelementptr i64, ptr %w, i64 5
  %signature = getelementptr i64, ptr %w, i64 6
  %expected = load i64, ptr %w2, align 1
  %right_count = icmp eq i64 %count, %expected
  br i1 %right_count, label %take, label %mismatch

take:
  %tensor_type = load ptr, ptr %w3, align 1
  %slot = load i64, ptr %w4, align 1
  %buffers = alloca ptr, i64 %count, align 16
  %none = icmp eq i64 %count, 0
  br i1 %none, label %run, label %argument

argument:
  %i = phi i64 [ 0, %take ], [ %next, %accepted ]
  %s = phi ptr [ %signature, %take ], [ %after, %accepted ]
  %from = getelementptr ptr, ptr %arguments, i64 %i
  %given = load ptr, ptr %from
  %given_type_at = getelementptr i8, ptr %given, i64 {_TYPE}
  %given_type = load ptr, ptr %given_type_at
  %is_array = icmp eq ptr %given_type, @array_type
  br i1 %is_array, label %array, label %unwrap

unwrap:
  %is_tensor = icmp eq ptr %given_type, %tensor_type
  br i1 %is_tensor, label %tensor, label %mismatch

tensor:
  %value_at = getelementptr i8, ptr %given, i64 %slot
  %value = load ptr, ptr %value_at
  %empty = icmp eq ptr %value, null
  br i1 %empty, label %mismatch, label %filled

filled:
  %value_type_at = getelementptr i8, ptr %value, i64 {_TYPE}
  %value_type = load ptr, ptr %value_type_at
  %holds_array = icmp eq ptr %value_type, @array_type
  br i1 %holds_array, label %array, label %mismatch

array:
  %a = phi ptr [ %given, %argument ], [ %value, %filled ]
  %dtype = load ptr, ptr %s, align 1
  %a_dtype_at = getelementptr i8, ptr %a, i64 {_DTYPE}
  %a_dtype = load ptr, ptr %a_dtype_at
  %any_dtype = icmp eq ptr %dtype, null
  %same_dtype = icmp eq ptr %dtype, %a_dtype
  %dtype_fits = or i1 %any_dtype, %same_dtype
  %flags_at = getelementptr i64, ptr %s, i64 1
  %flags = load i64, ptr %flags_at, align 1
  %a_flags_at = getelementptr i8, ptr %a, i64 {_FLAGS}
  %a_flags_32 = load i32, ptr %a_flags_at
  %a_flags = zext i32 %a_flags_32 to i64
  %common = and i64 %flags, %a_flags
  %flags_fit = icmp eq i64 %common, %flags
  %fits = and i1 %dtype_fits, %flags_fit
  br i1 %fits, label %shape, label %mismatch

shape:
  %rank_at = getelementptr i64, ptr %s, i64 2
  %rank = load i64, ptr %rank_at, align 1
  %dims = getelementptr i64, ptr %s, i64 3
  %any_shape = icmp slt i64 %rank, 0
  br i1 %any_shape, label %accepted, label %ranks

ranks:
  %a_rank_at = getelementptr i8, ptr %a, i64 {_RANK}
  %a_rank_32 = load i32, ptr %a_rank_at
  %a_rank = sext i32 %a_rank_32 to i64
  %same_rank = icmp eq i64 %rank, %a_rank
  %a_dims_at = getelementptr i8, ptr %a, i64 {_DIMS}
  %a_dims = load ptr, ptr %a_dims_at
  br i1 %same_rank, label %dimension, label %mismatch

dimension:
  %d = phi i64 [ 0, %ranks ], [ %d_next, %same ]
  %done = icmp eq i64 %d, %rank
  br i1 %done, label %accepted, label %compare

compare:
  %dim_at = getelementptr i64, ptr %dims, i64 %d
  %dim = load i64, ptr %dim_at, align 1
  %a_dim_at = getelementptr i64, ptr %a_dims, i64 %d
  %a_dim = load i64, ptr %a_dim_at
  %same_dim = icmp eq i64 %dim, %a_dim
  br i1 %same_dim, label %same, label %mismatch

same:
  %d_next = add i64 %d, 1
  br label %dimension

accepted:
  %length = phi i64 [ 0, %shape ], [ %rank, %dimension ]
  %data_at = getelementptr i8, ptr %a, i64 {_DATA}
  %data = load ptr, ptr %data_at
  %to = getelementptr ptr, ptr %buffers, i64 %i
  store ptr %data, ptr %to
  %after = getelementptr i64, ptr %dims, i64 %length
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %count
  br i1 %more, label %argument, label %run

run:
  %program = load ptr, ptr %w, align 1
  %context = load ptr, ptr %w1, align 1
  %release = load i64, ptr %w5, align 1
  %releases = icmp ne i64 %release, 0
  br i1 %releases, label %run_released, label %run_held

run_released:
  %thread = call ptr @PyEval_SaveThread()
  %status_released = call i32 %program(ptr %buffers, ptr %context)
  call void @PyEval_RestoreThread(ptr %thread)
  br label %finish

run_held:
  %status_held = call i32 %program(ptr %buffers, ptr %context)
  br label %finish

finish:
  %status = phi i32 [ %status_released, %run_released ], [ %status_held, %run_held ]
  %good = icmp eq i32 %status, 0
  br i1 %good, label %nothing, label %number

nothing:
  call void @Py_IncRef(ptr @none)
  ret ptr @none

number:
  %wide = sext i32 %status to i64
  %boxed = call ptr @PyLong_FromLongLong(i64 %wide)
  ret ptr %boxed

mismatch:
  %which = phi i64 [ -1, %start ], [ %i, %unwrap ], [ %i, %tensor ], [ %i, %filled ], [ %i, %array ], [ %i, %ranks ], [ %i, %compare ]
  %negative = sub i64 -2, %which
  %refusal = call ptr @PyLong_FromLongLong(i64 %negative)
  ret ptr %refusal
}}

@array_type = external global i8
@none = external global i8
declare ptr @PyEval_SaveThread()
declare void @PyEval_RestoreThread(ptr)
declare void @Py_IncRef(ptr)
declare ptr @PyLong_FromLongLong(i64)
"""
_FUNCTIONS = ("PyEval_SaveThread", "PyEval_RestoreThread", "Py_IncRef", "PyLong_FromLongLong")


class _MethodDef(ctypes.Structure):
    """CPython's PyMethodDef."""

    _fields_ = (("name", ctypes.c_char_p), ("code", ctypes.c_void_p), ("flags", ctypes.c_int), ("doc", ctypes.c_char_p))


_METH_FASTCALL = 0x80


@cache
def _entry() -> Loaded | None:
    """The code of all native callables; None where objects do not lie in memory as it expects."""
    if sys.implementation.name != "cpython" or struct.calcsize("P") != 8 or sysconfig.get_config_var("Py_GIL_DISABLED"):
        return None
    if not _layout_is_known():
        return None
    symbols = {name: ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value or 0 for name in _FUNCTIONS}
    try:
        return load_cached(lambda: (_ENTRY, None), symbols={**symbols, "array_type": id(np.ndarray), "none": id(None)})[0]
    except NativeError:
        return None


def _word(address: int) -> int:
    return ctypes.c_int64.from_address(address).value


def _layout_is_known() -> bool:
    """Whether NumPy's arrays and CPython's bytes have their fields where `_ENTRY` looks for them."""
    content = bytes(range(24))
    probe = _Self(content)
    if ctypes.string_at(id(probe) + _SELF, len(content)) != content:
        return False
    frozen = np.zeros((2, 3, 5), np.int16)
    frozen.flags.writeable = False
    for array in (np.zeros((4, 7), np.float32), np.zeros((), np.float64), np.zeros((6, 8, 3), np.complex64)[::2, 1:], frozen):
        where, dims = id(array), _word(id(array) + _DIMS)
        found = (
            _word(where + _TYPE),
            _word(where + _DATA),
            ctypes.c_int32.from_address(where + _RANK).value,
            tuple(_word(dims + 8 * i) for i in range(array.ndim)),
            _word(where + _DTYPE),
            ctypes.c_int32.from_address(where + _FLAGS).value & (C_CONTIGUOUS | ALIGNED | WRITEABLE),
        )
        flags = array.flags
        known = (flags.c_contiguous and C_CONTIGUOUS) | (flags.aligned and ALIGNED) | (flags.writeable and WRITEABLE)
        if found != (id(np.ndarray), array.ctypes.data, array.ndim, array.shape, id(array.dtype), known):
            return False
    return True


def slot_offset(kind: type, make: Callable[[np.ndarray], Any]) -> int | None:
    """Where in an instance of `kind`, made by `make(array)`, the array is referred to; None when it is not found."""
    array = np.zeros(3)
    made = make(array)
    if type(made) is not kind:
        return None
    for offset in range(_TYPE + 8, kind.__basicsize__, 8):
        if _word(id(made) + offset) == id(array):
            return offset
    return None


@dataclass(frozen=True)
class Wrapper:
    """A class whose instances hold an array, which native callables may be given in its place; `slot` is its attribute's name."""

    kind: type
    slot: str
    make: Callable[[np.ndarray], Any]

    @property
    def offset(self) -> int | None:
        """Where the array is referred to in an instance."""
        return slot_offset(self.kind, self.make)


def callable_of(
    program: int,
    context: int,
    arguments: Sequence[Argument],
    *,
    release_gil: bool = False,
    wrapper: Wrapper | None = None,
    keep: Any = None,
    name: str = "program",
) -> Call:
    """A callable that takes arrays and runs a program on them.

    Args:
        program: the address of a function `i32 program(ptr buffers, ptr context)`; `buffers` are the arrays' data pointers.
        context: the address that the program is given as its second argument.
        arguments: what is expected of each array.
        release_gil: whether other Python threads may run meanwhile, which costs about 50 ns.
        wrapper: a class whose instances may be given in place of arrays.
        keep: kept alive by the callable, for instance the code and what `context` points to.

    Returns:
        A callable of as many positional arguments.  It answers None when the program returned 0, and else what it returned.  -1 says
        that the number of arguments is wrong and -2 - i that argument i is not what was expected; then the program did not run.
    """
    code = _entry()
    if code is None:
        return _through_ctypes(program, context, tuple(arguments), release_gil, wrapper, keep)
    offset = None if wrapper is None else wrapper.offset
    tensor_type = 0 if wrapper is None or offset is None else id(wrapper.kind)
    words = [program, context, len(arguments), tensor_type, offset or 0, int(release_gil)]
    for argument in arguments:
        words += argument.words()
    owner = _Self(struct.pack(f"{len(words)}q", *words))
    definition = _MethodDef(name.encode(), code.address("entry"), _METH_FASTCALL, None)
    owner.keep = (definition, code, keep, wrapper, [argument.dtype for argument in arguments])
    return _new_function(definition, owner)


def _new_function(definition: _MethodDef, owner: _Self) -> Call:
    make = ctypes.pythonapi.PyCFunction_NewEx
    make.restype, make.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p)
    made: Call = make(ctypes.addressof(definition), owner, None)
    return made


def _through_ctypes(
    program: int, context: int, arguments: tuple[Argument, ...], release_gil: bool, wrapper: Wrapper | None, keep: Any
) -> Call:
    """`callable_of` where objects' layouts are not known."""
    kind = ctypes.CFUNCTYPE if release_gil else ctypes.PYFUNCTYPE
    function = kind(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p)(program)
    buffers_type = ctypes.c_void_p * len(arguments)

    def call(*values: Any) -> int | None:
        if len(values) != len(arguments):
            return -1
        buffers = buffers_type()
        for i, (value, argument) in enumerate(zip(values, arguments, strict=True)):
            array = getattr(value, wrapper.slot) if wrapper is not None and type(value) is wrapper.kind else value
            if not argument.accepts(array):
                return -2 - i
            buffers[i] = array.ctypes.data
        return function(buffers, context) or None

    call.keep = keep  # type: ignore[attr-defined]
    return call
