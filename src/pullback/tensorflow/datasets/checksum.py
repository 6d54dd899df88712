"""CRC-32C, the checksum of records in TFRecord files, which are masked so that a record may hold checksums itself."""

from __future__ import annotations

import numpy as np

from ...kernels.loops import Bytes, Ints, native_or_python


def _make_table() -> list[int]:
    found = []
    for value in range(256):
        for _ in range(8):
            value = value >> 1 ^ (0x82F63B78 if value & 1 else 0)
        found.append(value)
    return found


_TABLE = np.array(_make_table(), np.int64)


def crc32c(data: Bytes, table: Ints, count: int) -> int:
    """The checksum of `count` bytes."""
    crc = 0xFFFFFFFF
    for i in range(count):
        crc = table[(crc ^ data[i]) & 0xFF] ^ (crc >> 8)
    return crc ^ 0xFFFFFFFF


def masked_checksum(data: bytes) -> int:
    """The masked checksum of some bytes.

    >>> hex(masked_checksum(b"123456789"))
    '0xc78ab0e5'
    """
    crc = int(native_or_python(crc32c, len(data))(np.frombuffer(data, np.uint8), _TABLE, len(data)))
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF
