"""A shared library loaded once more, beside the one that the process has of the same file.  Linux, ELF of 64 bits.

The dynamic linker takes paths that lead to one file for one library, so the second is loaded from a file in memory.  That file holds what
the linker reads and what a process changes, some 4 MB of OpenBLAS's 25; the machine code is mapped from the library's own file once the
linker is done, so that it is neither copied nor kept twice.  The functions that a library has called when it is loaded are part of that
code: the linker is not told of them, and they are called here.  Those that it has called at the end of the process give back memory, and
are left out.

Format: System V ABI, generic part, chapters 4 (header), 5 (program header, dynamic section).
"""

from __future__ import annotations

import ctypes
import mmap
import os
import platform
import struct
from pathlib import Path
from typing import BinaryIO

import numpy as np

from ..base.named_values import NamedValues

_HEADER, _SEGMENT, _ENTRY = struct.Struct("=16sHHIQQQIHHHHHH"), struct.Struct("=IIQQQQQQ"), struct.Struct("=QQ")
_RELOCATION = np.dtype([("place", "u8"), ("kind", "u4"), ("symbol", "u4"), ("addend", "i8")])
_SYMBOL = np.dtype([("name", "u4"), ("kind", "u1"), ("other", "u1"), ("section", "u2"), ("value", "u8"), ("size", "u8")])
_ELF_64, _LOAD, _DYNAMIC = b"\x7fELF\x02", 1, 2
_EXECUTED, _WRITTEN = 1, 2
_PLTRELSZ, _SYMTAB, _RELA, _RELASZ, _TEXTREL, _JMPREL = 2, 6, 7, 8, 22, 23
_INIT, _FINI, _INIT_ARRAY, _FINI_ARRAY, _INIT_ARRAYSZ = 12, 13, 25, 26, 27
#: An entry of the dynamic section that means nothing to any linker.
_IGNORED = 0x6000000D
#: Relocations and symbols whose value is what a function of the library itself says; other processors' are not known here.
_SAYS_RELOCATION, _SAYS_SYMBOL = {"x86_64": 37, "aarch64": 1032}, 10
_RTLD_DI_LINKMAP, _MAP_FIXED = 2, 0x10


class _Segment(NamedValues):
    """A part of a library's file, and where it lies in memory, counted from the library's begin."""

    kind: int
    flags: int
    offset: int
    address: int
    physical: int
    size: int
    memory: int
    alignment: int


def load_again(path: Path) -> ctypes.CDLL:
    """A library beside the one that was loaded from the same file.  What it needs itself is there by then.

    Raises OSError for a file that is no such library, and where the system does not map one.
    """
    with path.open("rb") as file, open(os.memfd_create(path.name, os.MFD_CLOEXEC), "wb") as copy:
        elf = _Elf(file)
        mapped = [] if elf.asks_its_code else [part for part in elf.segments if part.flags & _EXECUTED and not part.flags & _WRITTEN]
        copy.truncate(os.fstat(file.fileno()).st_size)
        for part in elf.segments:
            if part not in mapped:
                _copy(file.fileno(), copy.fileno(), part.offset, part.size)
        if mapped:
            for number, (tag, value) in enumerate(elf.dynamic):
                if tag in (_INIT, _INIT_ARRAY, _FINI, _FINI_ARRAY):
                    os.pwrite(copy.fileno(), _ENTRY.pack(_IGNORED, value), elf.dynamic_offset + number * _ENTRY.size)
        library = ctypes.CDLL(f"/proc/self/fd/{copy.fileno()}")
        if mapped:
            base = _find_base(library)
            for part in mapped:
                _map_code(file.fileno(), base, part)
            _initialise(base, dict(elf.dynamic))
        return library


class _Elf:
    """What a library's file says of its parts."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        ident, *_, at, _, _, _, size, count, _, _, _ = _HEADER.unpack(self._take(0, _HEADER.size).ljust(_HEADER.size, b"\0"))
        if not ident.startswith(_ELF_64) or size != _SEGMENT.size:
            raise OSError("not a shared library of 64 bits")
        parts = [_Segment(*fields) for fields in _SEGMENT.iter_unpack(self._take(at, count * size))]
        self.segments = [part for part in parts if part.kind == _LOAD]
        table = next(part for part in parts if part.kind == _DYNAMIC)
        self.dynamic_offset = table.offset
        self.dynamic = list(_ENTRY.iter_unpack(self._take(table.offset, table.size)))

    @property
    def asks_its_code(self) -> bool:
        """Whether the linker changes the code, or calls it to find addresses: then it has to be there."""
        says, tags = _SAYS_RELOCATION.get(platform.machine()), dict(self.dynamic)
        if says is None or _TEXTREL in tags:
            return True
        tables = [self._read(tags[at], tags[size]) for at, size in ((_RELA, _RELASZ), (_JMPREL, _PLTRELSZ)) if at in tags]
        relocations = np.frombuffer(b"".join(tables), _RELOCATION)
        count = int(relocations["symbol"].max(initial=0)) + 1
        symbols = np.frombuffer(self._read(tags[_SYMTAB], count * _SYMBOL.itemsize), _SYMBOL)
        return bool((relocations["kind"] == says).any() or (symbols["kind"] & 15 == _SAYS_SYMBOL).any())

    def _read(self, address: int, size: int) -> bytes:
        part = next(part for part in self.segments if part.address <= address < part.address + part.size)
        return self._take(part.offset + address - part.address, size)

    def _take(self, offset: int, size: int) -> bytes:
        return os.pread(self._file.fileno(), size, offset)


def _copy(file: int, copy: int, offset: int, size: int) -> None:
    os.lseek(copy, offset, os.SEEK_SET)
    while size and (done := os.sendfile(copy, file, offset, size)):
        offset, size = offset + done, size - done


def _find_base(library: ctypes.CDLL) -> int:
    """Where a library begins in memory: the first word of what the linker knows of it."""
    known = ctypes.POINTER(ctypes.c_size_t)()
    if ctypes.CDLL(None).dlinfo(ctypes.c_void_p(library._handle), _RTLD_DI_LINKMAP, ctypes.byref(known)):
        raise OSError("the dynamic linker does not say where a library lies")
    return int(known[0])


def _map_code(file: int, base: int, part: _Segment) -> None:
    system = ctypes.CDLL(None, use_errno=True).mmap
    system.restype = ctypes.c_void_p
    ahead = part.address % mmap.PAGESIZE
    at = base + part.address - ahead
    place = ctypes.c_void_p(at), ctypes.c_size_t(part.size + ahead)
    how = mmap.PROT_READ | mmap.PROT_EXEC, mmap.MAP_PRIVATE | _MAP_FIXED
    if system(*place, *how, file, ctypes.c_long(part.offset - ahead)) != at:
        raise OSError(ctypes.get_errno(), "the code of a library cannot be mapped")


def _initialise(base: int, tags: dict[int, int]) -> None:
    """Call what a library has called when it is loaded."""
    call = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
    if _INIT in tags:
        call(base + tags[_INIT])(0, None, None)
    count = tags.get(_INIT_ARRAYSZ, 0) // ctypes.sizeof(ctypes.c_size_t)
    for function in (ctypes.c_size_t * count).from_address(base + tags.get(_INIT_ARRAY, 0)):
        call(function)(0, None, None)
