"""JPEG files (ITU T.81), read by libjpeg-turbo, and what their headers say.

JPEG leaves the last bits to its decoders: TensorFlow's is libjpeg-turbo, so that the same pixels come from the same library.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

from ...kernels.memory_limit import require_room
from ...ops.array.type_rules import Array, invalid_argument

SIGNATURE = b"\xff\xd8\xff"
#: The methods of `dct_method`, and whether each is the quick one.
DCT_METHODS = {"": True, "INTEGER_FAST": True, "INTEGER_ACCURATE": False}

_ALONE = frozenset({0x01, *range(0xD0, 0xD9)})  # markers without a segment
_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}


@cache
def _turbo() -> Any:
    try:
        import simplejpeg
    except ImportError as error:
        raise ImportError("JPEG files are read with simplejpeg, which is not installed: `pip install simplejpeg`") from error
    return simplejpeg


def _segments(data: bytes) -> Iterator[tuple[int, int]]:
    """The markers up to the frame's, and where what follows each begins."""
    at = 2 if data[:2] == b"\xff\xd8" else len(data)
    while at + 10 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        yield marker, at + 2
        if marker in _FRAMES:
            return
        if marker == 0xFF:  # fills up
            at += 1
        else:
            at += 2 if marker in _ALONE else 2 + int.from_bytes(data[at + 2 : at + 4], "big")


def shape(data: bytes) -> tuple[int, int, int] | None:
    """Height, width and channels of a file; None where it has no frame.

    >>> shape(bytes.fromhex("ffd8ffc0000b080010002001011100"))
    (16, 32, 1)
    """
    for marker, at in _segments(data):
        if marker in _FRAMES:
            height, width, channels = struct.unpack_from(">HHB", data, at + 3)
            return height, width, channels
    return None


def read(data: bytes, channels: int = 0, ratio: int = 1, dct_method: str = "", fancy_upscaling: bool = True) -> Array:
    """The pixels of a file [height, width, channels], each side `ratio` times smaller, with 1 or 3 channels, or those of the file for 0."""
    if dct_method not in DCT_METHODS:
        raise invalid_argument(f"dct_method must be one of {{'', 'INTEGER_FAST', 'INTEGER_ACCURATE'}}, got {dct_method!r}")
    height, width, own = shape(data) or (0, 0, 0)
    if own == 4 and channels == 1:
        raise invalid_argument("a JPEG file of cyan, magenta, yellow and black is read as 3 channels, not as 1")
    height, width = -(-height // ratio), -(-width // ratio)
    require_room((height, width, max(own, channels)), np.dtype(np.uint8))
    colours = "CMYK" if own == 4 else "GRAY" if (channels or own) == 1 else "RGB"
    options = {"fastdct": DCT_METHODS[dct_method], "fastupsample": not fancy_upscaling, "min_height": height, "min_width": width}
    try:
        pixels: Array = _turbo().decode_jpeg(data, colours, **options)
    except ValueError as error:  # what it raises for files that it cannot read
        raise invalid_argument(f"Invalid JPEG data or crop window, data size {len(data)}: {error}") from error
    return _mix_inks(data, pixels) if own == 4 else pixels


def _mix_inks(data: bytes, inks: Array) -> Array:
    """Red, green and blue of cyan, magenta, yellow and black, which Adobe's programs write upside down."""
    if not any(marker == 0xEE and data[at + 2 : at + 7] == b"Adobe" for marker, at in _segments(data)):
        inks = ~inks
    light = inks.astype(np.uint16)
    return (light[:, :, :3] * light[:, :, 3:] // 255).astype(np.uint8)
