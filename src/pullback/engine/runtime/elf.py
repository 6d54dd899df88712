"""Object code laid out for memory without LLVM: ELF for x86-64, as our own compiler writes it.

Loading LLVM takes longer than all else that a second process has to do for a program it finds on the disk.  What LLVM emits for us is
small and of one kind: position-independent code with a handful of relocations.  Whatever is not of that kind is `Foreign`, and LLVM's own
linker takes it.

Calls of functions elsewhere go through stubs, and addresses of data elsewhere through a table, because other libraries may be further
away than the 2 GB that such code reaches.

Formats: System V ABI, AMD64 supplement, chapters 4.1 (object files) and 4.4 (relocation).
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

from ...base.named_values import NamedValues
from .loaded import Image, ObjectCode

_PAGE = 4096
_SECTION, _SYMBOL, _RELOCATION = struct.Struct("<IIQQQQIIQQ"), struct.Struct("<IBBHQQ"), struct.Struct("<QQq")
_RELA, _NOBITS, _SYMTAB, _UNWIND = 4, 8, 2, 0x70000001
_WRITE, _ALLOC, _THREAD = 1, 2, 0x400
_UNDEFINED, _COMMON = 0, 0xFFF2
_ABS64, _PC32, _PLT32, _PC64 = 1, 2, 4, 24
_THROUGH_TABLE = frozenset({9, 41, 42})
#: jmp *(%rip): the address follows.
_JUMP = b"\xff\x25\x00\x00\x00\x00"
_SLOT = 16


class Foreign(Exception):
    """Object code that is not of the kind that is laid out here."""


class _Section(NamedValues):
    name: int
    kind: int
    flags: int
    address: int
    offset: int
    size: int
    link: int
    info: int
    alignment: int
    entry: int


class _Symbol(NamedValues):
    name: str
    section: int
    value: int


def lay_out(made: ObjectCode) -> Image:
    """Object code as an image.

    Raises:
        Foreign: the code is of another kind.
    """
    layout = _Layout(made.code, frozenset(made.needs))
    places = {symbol.name: layout.place[symbol.section] + symbol.value for symbol in layout.symbols if layout.is_here(symbol)}
    missing = [name for name in made.defines if name not in places]
    if missing:
        raise Foreign(f"no {missing[0]} in the symbol table")
    content = bytes(layout.memory.rstrip(b"\0"))
    return Image(content, layout.fixed, layout.size, {name: places[name] for name in made.defines}, made.needs, tuple(layout.words))


class _Layout:
    """The sections of an object file, side by side in memory, and relocated; words: as an image has them."""

    def __init__(self, code: bytes, needs: frozenset[str]) -> None:
        self._code, self._needs = code, needs
        if code[:6] != b"\x7fELF\x02\x01":
            raise Foreign("not a 64-bit little-endian ELF file")
        start, size, count = (struct.unpack_from(kind, code, at)[0] for kind, at in (("<Q", 0x28), ("<H", 0x3A), ("<H", 0x3C)))
        self._sections = [_Section(*_SECTION.unpack_from(code, start + size * i)) for i in range(count)]
        self.symbols = list(self._read_symbols())
        self.place: dict[int, int] = {}
        self.words: list[tuple[int, str, int]] = []
        # what is for unwinding serves exceptions, which no native code of ours throws
        loaded = [i for i, s in enumerate(self._sections) if s.flags & _ALLOC and s.kind != _UNWIND]
        if any(self._sections[i].flags & _THREAD for i in loaded):
            raise Foreign("thread-local data")
        self._tables = [s for s in self._sections if s.kind == _RELA and s.info in loaded]
        elsewhere = [i for i, s in enumerate(self.symbols) if s.section == _UNDEFINED and s.name]
        asked = [number for table in self._tables for _, kind, number, _ in self._entries(table) if kind in _THROUGH_TABLE]
        listed = sorted({*elsewhere, *asked})
        end = self._arrange([i for i in loaded if not self._sections[i].flags & _WRITE], 0)
        #: Where a symbol's stub is, which ends with its address: for names elsewhere, and for those whose address is asked for.
        self._stubs = {number: -(-end // _SLOT) * _SLOT + _SLOT * n for n, number in enumerate(listed)}
        self.fixed = -(-(end + _SLOT * (len(listed) + 1)) // _PAGE) * _PAGE
        self.size = max(self._arrange([i for i in loaded if self._sections[i].flags & _WRITE], self.fixed), self.fixed)
        self.memory = bytearray(self.size)
        self._fill()

    def is_here(self, symbol: _Symbol) -> bool:
        """Whether a symbol is in a section that is loaded."""
        return symbol.section in self.place and bool(symbol.name)

    def _text(self, at: int) -> str:
        return self._code[at : self._code.index(b"\0", at)].decode()

    def _read_symbols(self) -> Iterator[_Symbol]:
        for table in self._sections:
            if table.kind == _SYMTAB:
                texts = self._sections[table.link].offset
                for at in range(table.offset, table.offset + table.size, _SYMBOL.size):
                    name, _, _, section, value, _ = _SYMBOL.unpack_from(self._code, at)
                    if section == _COMMON:
                        raise Foreign("a common symbol")
                    yield _Symbol(self._text(texts + name), section, value)

    def _arrange(self, numbers: list[int], at: int) -> int:
        """Give sections their places, from `at` on; the end of the last one."""
        for i in numbers:
            section = self._sections[i]
            if section.alignment > _PAGE:
                raise Foreign("a section that is aligned to more than a page")
            at = -(-at // max(section.alignment, 1)) * max(section.alignment, 1)
            self.place[i] = at
            at += section.size
        return at

    def _fill(self) -> None:
        for i, at in self.place.items():
            section = self._sections[i]
            if section.kind != _NOBITS:
                self.memory[at : at + section.size] = self._code[section.offset : section.offset + section.size]
        for number, at in self._stubs.items():
            self.memory[at : at + len(_JUMP)] = _JUMP
            self._add_word(at + len(_JUMP), number, 0)
        for table in self._tables:
            self._relocate(table, self.place[table.info])

    def _entries(self, table: _Section) -> Iterator[tuple[int, int, int, int]]:
        """The relocations of a section: where, of what type, of which symbol, and what is added."""
        for offset, info, addend in _RELOCATION.iter_unpack(self._code[table.offset : table.offset + table.size]):
            yield offset, info & 0xFFFFFFFF, info >> 32, addend

    def _relocate(self, table: _Section, start: int) -> None:
        for offset, kind, number, addend in self._entries(table):
            at = start + offset
            if kind in _THROUGH_TABLE:
                struct.pack_into("<i", self.memory, at, self._stubs[number] + len(_JUMP) + addend - at)
            elif kind == _PLT32 and self.symbols[number].section == _UNDEFINED:
                struct.pack_into("<i", self.memory, at, self._stubs[number] + addend - at)
            elif kind in (_PC32, _PLT32):
                struct.pack_into("<i", self.memory, at, self._here(number) + addend - at)
            elif kind == _PC64:
                struct.pack_into("<q", self.memory, at, self._here(number) + addend - at)
            elif kind == _ABS64:
                self._add_word(at, number, addend)
            else:
                raise Foreign(f"a relocation of type {kind}")

    def _here(self, number: int) -> int:
        """Where in the image a symbol is."""
        symbol = self.symbols[number]
        if symbol.section not in self.place:
            raise Foreign(f"{symbol.name or 'a symbol'} is in no section that is loaded")
        return self.place[symbol.section] + symbol.value

    def _add_word(self, at: int, number: int, addend: int) -> None:
        """Have the address of a symbol, and so much more, written to a place when the image is loaded."""
        symbol = self.symbols[number]
        if symbol.section != _UNDEFINED:
            self.words.append((at, "", self._here(number) + addend))
        elif symbol.name in self._needs:
            self.words.append((at, symbol.name, addend))
        else:
            raise Foreign(f"no address for {symbol.name}")
