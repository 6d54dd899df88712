"""JPEG files that `native_jpeg` reads: what their segments say, and the pixels of all of one or of a window."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...kernels.loops import Array, native_loop
from .jpeg_loops import PAD, TABLE, build, colour, decode, squeeze

_ZIGZAG = np.array(
    [
        *(0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21, 28),
        *(35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63),
    ],
    np.int32,
)
_TABLES, _QUANTISERS, _START, _DRI, _APP0, _APP14 = 0xC4, 0xDB, 0xDA, 0xDD, 0xE0, 0xEE
_FRAMES = (0xC0, 0xC1)
_MOST = 1 << 26  # pixels: a small file may claim more, and Pillow says whether to believe it


@dataclass
class Component:
    """One of a picture's: what it is called, its blocks across and down in a unit, and its tables."""

    name: int
    across: int
    down: int
    quantiser: int
    dc: int = 0
    ac: int = 0


@dataclass
class File:
    """What a file says before its scan."""

    height: int = 0
    width: int = 0
    components: list[Component] = field(default_factory=list)
    quantisers: dict[int, bytes] = field(default_factory=dict)
    codes: dict[int, bytes] = field(default_factory=dict)  # by 16 for AC and the number
    scan: tuple[int, int] = (0, 0)

    @property
    def fits(self) -> bool:
        """Whether it is of the kind that is read here: one component, or three whose chroma has all, half or a quarter of the numbers."""
        first, rest = self.components[0], self.components[1:]
        tables = all(c.quantiser in self.quantisers and {c.dc, 16 + c.ac} <= self.codes.keys() for c in self.components)
        if not tables or not 0 < self.height * self.width <= _MOST:
            return False
        if not rest:
            return first.across == first.down == 1
        shares = (first.across, first.down) in ((1, 1), (2, 1), (2, 2)) and all(c.across == c.down == 1 for c in rest)
        return len(rest) == 2 and shares and (first.across == 1 or self.width > 4)


def _segments(data: bytes) -> Iterator[tuple[int, bytes, int]]:
    """The segments up to the first scan: marker, what it holds, where the next one begins."""
    at = 2
    while at + 4 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        end = at + 2 + int.from_bytes(data[at + 2 : at + 4], "big")
        yield marker, data[at + 4 : end], end
        if marker == _START:
            return
        at = end


def parsed(data: bytes) -> File | None:
    """What a file says; None where it is not of the kind that is read here."""
    file = File()
    if data[:2] != b"\xff\xd8":
        return None
    for marker, held, end in _segments(data):
        if marker == _QUANTISERS:
            if len(held) % 65 or any(held[k] > 3 for k in range(0, len(held), 65)):
                return None
            file.quantisers |= {held[k]: held[k + 1 : k + 65] for k in range(0, len(held), 65)}
        elif marker == _TABLES:
            if not _read_codes(held, file.codes):
                return None
        elif marker in _FRAMES:
            if len(held) < 6 or held[0] != 8 or len(held) != 6 + 3 * held[5] or file.components or held[5] not in (1, 3):
                return None
            file.height, file.width = struct.unpack_from(">HH", held, 1)
            file.components = [Component(held[k], held[k + 1] >> 4, held[k + 1] & 15, held[k + 2]) for k in range(6, len(held), 3)]
            if held[5] == 1:  # nothing to be sampled against
                file.components[0].across = file.components[0].down = 1
        elif marker == _START:
            return file if _read_scan(data, held, end, file) and file.fits else None
        elif marker == _APP14 and held[:5] == b"Adobe" and held[11:12] != b"\x01":
            return None  # other colours
        elif marker == _DRI or 0xC2 <= marker <= 0xCF:
            return None
    return None


def _read_codes(held: bytes, codes: dict[int, bytes]) -> bool:
    at = 0
    while at + 17 <= len(held):
        count = sum(held[at + 1 : at + 17])
        if held[at] not in (0, 1, 2, 3, 16, 17, 18, 19) or count > 256 or at + 17 + count > len(held):
            return False
        codes[held[at]] = held[at + 1 : at + 17 + count]
        at += 17 + count
    return at == len(held)


def _read_scan(data: bytes, held: bytes, start: int, file: File) -> bool:
    count = len(file.components)
    if not count or len(held) != 4 + 2 * count or held[0] != count or held[1 + 2 * count :] != b"\0\x3f\0":
        return False
    for component, k in zip(file.components, range(1, 1 + 2 * count, 2), strict=True):
        if held[k] != component.name:
            return False
        component.dc, component.ac = held[k + 1] >> 4, held[k + 1] & 15
    names = [c.name for c in file.components]
    end = data.rfind(b"\xff\xd9")
    if end < start or (count == 3 and names not in ([1, 2, 3], [0, 1, 2])):
        return False
    file.scan = start, end
    return True


def _tables(file: File) -> tuple[Array, dict[int, int]] | None:
    """The Huffman tables side by side, and where each begins."""
    tables, places = np.empty(TABLE * len(file.codes), np.int32), {}
    for i, (number, held) in enumerate(file.codes.items()):
        loop, bytes_ = native_loop(build, 1 << 20), np.frombuffer(held + b"\0", np.uint8)
        places[number] = i * TABLE
        if loop is None or loop(bytes_[:16].copy(), bytes_[16:].copy(), tables, i * TABLE, int(number < 16)) != 0:
            return None
    return tables, places


def _scan(data: bytes, start: int, end: int) -> tuple[Array, int] | None:
    """The bytes of a scan as they are coded, and how many they are."""
    loop = native_loop(squeeze, 1 << 20)
    every = np.frombuffer(data, np.uint8)
    marks = np.flatnonzero(every[start:end] == 0xFF)
    out = np.empty(end - start + PAD, np.uint8)
    size = -1 if loop is None else loop(every, start, end, marks, len(marks), out)
    return None if size is None or size < 0 else (out, size)


def pixels(data: bytes, channels: int, window: tuple[int, int, int, int] | None = None) -> Array | None:
    """The pixels of a file, or those of a window (top, left, height, width) within it; None for a file that is not read here.

    channels: 0, or as many as the file has.
    """
    loops = native_loop(decode, len(data)), native_loop(colour, len(data))
    file = parsed(data) if None not in loops else None
    if file is None or channels not in (0, len(file.components)):
        return None
    top, left, height, width = window or (0, 0, file.height, file.width)
    if min(top, left) < 0 or min(height, width) <= 0 or top + height > file.height or left + width > file.width:
        return None
    tables, scan = _tables(file), _scan(data, *file.scan)
    return None if tables is None or scan is None else _decoded(loops, file, tables, scan, (top, left, height, width))


def _decoded(
    loops: Any, file: File, found: tuple[Array, dict[int, int]], scan: tuple[Array, int], window: tuple[int, int, int, int]
) -> Array | None:
    top, left, height, width = window
    wide, high = file.components[0].across, file.components[0].down
    across, down = (-(-n // (8 * k)) for n, k in ((file.width, wide), (file.height, high)))
    rows, columns = (
        (max((first - 2) // (8 * k), 0), min((first + size + 1) // (8 * k), most - 1))
        for first, size, k, most in ((top, height, high, down), (left, width, wide, across))
    )
    tables, places = found
    frame, start = [], 0
    units = rows[1] - rows[0] + 1, columns[1] - columns[0] + 1
    for c in file.components:
        step = 8 * units[1] * c.across
        frame += [c.across, c.down, places[c.dc], places[16 + c.ac], 64 * c.quantiser, start, step, 0]
        start += 8 * units[0] * c.down * step
    quantisers = np.zeros(256, np.int32)
    for number, held in file.quantisers.items():
        quantisers[64 * number : 64 * number + 64] = np.frombuffer(held, np.uint8)
    numbers = np.array(frame, np.int64)
    planes, work = np.empty(start, np.uint8), (np.empty(64, np.int32), np.empty(64, np.int32))
    room, count = np.empty(4, np.int64), len(file.components)
    limits = across, rows[0], rows[1], columns[0], columns[1], count
    if loops[0](*scan, tables, quantisers, _ZIGZAG, numbers, *work, planes, room, *limits) != 0:
        return None
    if count == 1:
        return planes.reshape(8 * units[0], -1)[top - 8 * rows[0] :, left - 8 * columns[0] :][:height, :width, None].copy()
    out, lines = np.empty((height, width, 3), np.uint8), [np.empty(width + 4, np.int32) for _ in range(3)]
    chroma = -(-file.height // high), -(-file.width // wide)
    where = rows[0], columns[0], top, left, height, width, *chroma
    return None if loops[1](planes, out, numbers, *lines, *where, wide=wide, high=high) is None else out
