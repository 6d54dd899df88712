"""The filters of PNG (ISO/IEC 15948, clause 9) undone by a loop, and files of 8 bits a channel read so."""

from __future__ import annotations

import struct
import zlib

import numpy as np

from ...kernels.loops import Array, native_or_python

SIGNATURE = b"\x89PNG\r\n\x1a\n"
#: The format's number of a kind of colours -> its channels.
CHANNELS = {0: 1, 2: 3, 4: 2, 6: 4}
_MOST = 1 << 26  # pixels: a small file may claim more, and Pillow says whether to believe it


def unfilter(raw: Array, out: Array, height: int, line: int, step: int) -> int:
    """The bytes of lines from the differences that a file keeps, each line behind the number of its filter; -1 for one there is not."""
    for y in range(height):
        source = y * (line + 1) + 1
        to = y * line
        kind = raw[source - 1]
        if kind > 4:
            return -1
        if kind == 0:
            for i in range(line):
                out[to + i] = raw[source + i]
        elif kind == 1:
            add_left(raw, out, source, to, line, step)
        elif kind == 2:
            for i in range(line):
                out[to + i] = (int(raw[source + i]) + (int(out[to + i - line]) if y > 0 else 0)) & 255
        elif kind == 3:
            for i in range(line):
                left = int(out[to + i - step]) if i >= step else 0
                up = int(out[to + i - line]) if y > 0 else 0
                out[to + i] = (int(raw[source + i]) + ((left + up) >> 1)) & 255
        else:
            for i in range(line):
                left = int(out[to + i - step]) if i >= step else 0
                up = int(out[to + i - line]) if y > 0 else 0
                corner = int(out[to + i - line - step]) if y > 0 and i >= step else 0
                a, b, c = abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)
                nearest = left if a <= b and a <= c else (up if b <= c else corner)
                out[to + i] = (int(raw[source + i]) + nearest) & 255
    return 0


def add_left(raw: Array, out: Array, source: int, to: int, line: int, step: int) -> int:
    """A line of differences from the pixel before; that of three bytes stays in registers."""
    if step == 3:
        a = 0
        b = 0
        c = 0
        for i in range(0, line, 3):
            a = (a + int(raw[source + i])) & 255
            b = (b + int(raw[source + i + 1])) & 255
            c = (c + int(raw[source + i + 2])) & 255
            out[to + i] = a
            out[to + i + 1] = b
            out[to + i + 2] = c
    else:
        for i in range(line):
            out[to + i] = (int(raw[source + i]) + (int(out[to + i - step]) if i >= step else 0)) & 255
    return 0


def unfilter_lines(raw: bytes, height: int, line: int, step: int) -> Array:
    """The bytes of lines; `step` bytes are a pixel.  A ValueError for another number of bytes, or a filter that there is not."""
    out = np.empty((height, line), np.uint8)
    if len(raw) != height * (line + 1):
        raise ValueError(f"{height} lines of {line} bytes are not in {len(raw)}")
    if native_or_python(unfilter, len(raw))(np.frombuffer(raw, np.uint8), out.reshape(-1), height, line, step):
        raise ValueError("no such filter")
    return out


def read(data: bytes, channels: int) -> Array | None:
    """The pixels of a file of 8 bits a channel that is neither interlaced nor moving, of as many channels as it has or 0.

    None for any other, or one with a fault: Pillow says what.
    """
    found = _read_header(data)
    if found is None or channels not in (0, found[2]):
        return None
    width, height, count, parts = found
    line = width * count
    inflater = zlib.decompressobj()
    try:
        raw = inflater.decompress(b"".join(parts), height * (line + 1) + 1)
        return unfilter_lines(raw, height, line, count).reshape(height, width, count) if inflater.eof else None
    except (zlib.error, ValueError):
        return None


def _read_header(data: bytes) -> tuple[int, int, int, list[bytes]] | None:
    """Width, height, channels, and the parts of what is compressed."""
    if not data.startswith(SIGNATURE) or data[12:16] != b"IHDR" or len(data) < 33:
        return None
    width, height, bits, colour, packing, filters, interlaced = struct.unpack_from(">IIBBBBB", data, 16)
    kinds = bits == 8 and colour in CHANNELS and not (packing or filters or interlaced)
    if not kinds or not 0 < width * height <= _MOST or zlib.crc32(data[12:29]) != int.from_bytes(data[29:33], "big"):
        return None
    at, parts = 33, []
    while at + 12 <= len(data):
        size, kind = int.from_bytes(data[at : at + 4], "big"), data[at + 4 : at + 8]
        if kind in (b"tRNS", b"acTL"):  # opacity by colour, frames
            return None
        if kind == b"IDAT":
            parts.append(data[at + 8 : at + 8 + size])
        if kind == b"IEND":
            return (width, height, CHANNELS[colour], parts) if parts else None
        at += size + 12
    return None
