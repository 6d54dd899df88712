"""PNG files, chunk by chunk: written, and read where they have 16 bits a channel, of which Pillow keeps 8 for colours."""

from __future__ import annotations

import struct
import zlib

import numpy as np

from ...base.errors import UnimplementedError
from ...ops.array.type_rules import Array, invalid_argument
from . import png_loops


def _chunks(data: bytes) -> dict[bytes, bytes]:
    found: dict[bytes, bytes] = {}
    at = len(png_loops.SIGNATURE)
    while at + 8 <= len(data):
        (size,), kind = struct.unpack(">I", data[at : at + 4]), data[at + 4 : at + 8]
        found[kind] = found.get(kind, b"") + data[at + 8 : at + 8 + size]
        at += size + 12
    return found


def bit_depth(data: bytes) -> int:
    """How many bits a sample of a PNG file has."""
    return data[24] if data.startswith(png_loops.SIGNATURE) and len(data) > 24 else 8


def read_16(data: bytes, channels: int) -> Array:
    """A PNG of 16 bits a channel as uint16, [height, width, channels]; an InvalidArgumentError for what is none."""
    try:
        chunks = _chunks(data)
        width, height, _, colour, _, _, interlaced = struct.unpack(">IIBBBBB", chunks[b"IHDR"][:13])
        count = png_loops.CHANNELS[colour]
        if interlaced:
            raise UnimplementedError(None, None, "interlaced PNG of 16 bits are not read: save it without interlacing")
        plain = png_loops.unfilter_lines(zlib.decompress(chunks[b"IDAT"]), height, 2 * count * width, 2 * count)
    except (struct.error, zlib.error, KeyError, ValueError) as error:
        raise invalid_argument(f"Invalid PNG data: {error}") from error
    pixels: Array = plain.view(">u2").astype(np.uint16).reshape(height, width, count)
    return _convert_channels(pixels, channels)


def _convert_channels(pixels: Array, channels: int) -> Array:
    """The channels asked for, of 1 (grey), 2 (with opacity), 3 or 4."""
    count = pixels.shape[2]
    if channels in (0, count):
        return pixels
    opacity = pixels[:, :, -1:] if count in (2, 4) else np.full_like(pixels[:, :, :1], np.iinfo(pixels.dtype).max)
    colours = pixels[:, :, :1] if count < 3 else pixels[:, :, :3]
    if channels < 3 and colours.shape[2] == 3:
        colours = np.rint(colours @ np.array([0.299, 0.587, 0.114])).astype(pixels.dtype)[:, :, None]
    if channels >= 3 and colours.shape[2] == 1:
        colours = np.repeat(colours, 3, axis=2)
    return np.concatenate([colours, opacity], axis=2) if channels in (2, 4) else np.ascontiguousarray(colours)


def write(pixels: Array, level: int) -> bytes:
    """A PNG of [height, width, channels], each line the differences of neighbouring pixels."""
    height, width, count = pixels.shape
    wide = pixels.astype(pixels.dtype.newbyteorder(">"))
    line = np.frombuffer(wide.tobytes(), np.uint8).reshape(height, -1)
    step = count * pixels.dtype.itemsize
    rows = np.empty((height, line.shape[1] + 1), np.uint8)
    rows[:, 0], rows[:, 1 : step + 1], rows[:, step + 1 :] = 1, line[:, :step], line[:, step:] - line[:, :-step]
    colour = next(kind for kind, channels in png_loops.CHANNELS.items() if channels == count)
    header = struct.pack(">IIBBBBB", width, height, 8 * pixels.dtype.itemsize, colour, 0, 0, 0)
    parts = [(b"IHDR", header), (b"IDAT", zlib.compress(rows.tobytes(), level)), (b"IEND", b"")]
    chunks = [struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body)) for kind, body in parts]
    return png_loops.SIGNATURE + b"".join(chunks)
