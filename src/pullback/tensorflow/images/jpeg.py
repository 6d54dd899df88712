"""What the header of a JPEG file says (ITU T.81, annex B): segments, each a marker, its length and its bytes, up to the frame's."""

from __future__ import annotations

import struct

_ALONE = frozenset({0x01, *range(0xD0, 0xD9)})  # markers without a segment
_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}


def shape(data: bytes) -> tuple[int, int, int] | None:
    """Height, width and channels of a file; None where it has no frame.

    >>> shape(bytes.fromhex("ffd8ffc0000b080010002001011100"))
    (16, 32, 1)
    """
    if data[:2] != b"\xff\xd8":
        return None
    at = 2
    while at + 10 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker in _FRAMES:
            height, width, channels = struct.unpack_from(">HHB", data, at + 5)
            return height, width, channels
        if marker == 0xFF:  # fills up
            at += 1
        else:
            at += 2 if marker in _ALONE else 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return None
