"""Hashes of strings, to the bit: FarmHash's 64-bit fingerprint, MurmurHash64A, SipHash-2-4.

All strings of one length go through a hash together, as rows of bytes, so no loop is over strings.
Sources: G. Pike, FarmHash (2014); A. Appleby, MurmurHash2 (2008); J.-P. Aumasson and D. Bernstein, SipHash (2012).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Words = npt.NDArray[np.uint64]
Rows = npt.NDArray[np.uint8]


def _u(n: int) -> np.uint64:
    return np.uint64(n & 0xFFFFFFFFFFFFFFFF)


_K0, _K1, _K2 = _u(0xC3A5C85C97CB3127), _u(0xB492B66FBE98F273), _u(0x9AE16A3B2F90404F)


def by_length(strings: Sequence[bytes], hash_of: Callable[[Rows], Words]) -> Words:
    """The hash of each string."""
    lengths = np.fromiter(map(len, strings), np.intp, len(strings))
    out = np.zeros(len(strings), np.uint64)
    for n in np.unique(lengths).tolist():
        places = np.flatnonzero(lengths == n)
        rows = np.frombuffer(b"".join([strings[i] for i in places.tolist()]), np.uint8).reshape(len(places), n)
        out[places] = hash_of(rows)
    return out


def _fetch(rows: Rows, at: int, width: int = 8) -> Words:
    """The little-endian integers at a place of every row."""
    part = np.zeros((len(rows), 8), np.uint8)
    part[:, :width] = rows[:, at : at + width]
    return part.view("<u8").reshape(-1).astype(np.uint64, copy=False)


def _rotated(x: Any, by: int) -> Any:
    """Turned to the right."""
    return (x >> _u(by)) | (x << _u(64 - by))


# ---- FarmHash


def _mixed(x: Any) -> Any:
    return x ^ (x >> _u(47))


def _pair(u: Any, v: Any, factor: Any) -> Any:
    a = _mixed((u ^ v) * factor)
    return _mixed((v ^ a) * factor) * factor


def fingerprint(rows: Rows) -> Words:
    """FarmHash's Fingerprint64 of rows of bytes."""
    n = rows.shape[1]
    if n > 64:
        return _long(rows)
    if n == 0:
        return np.full(len(rows), _K2)
    if n < 4:
        first, middle, last = (rows[:, i].astype(np.uint64) for i in (0, n >> 1, n - 1))
        found: Words = _mixed((first + (middle << _u(8))) * _K2 ^ (_u(n) + (last << _u(2))) * _K0) * _K2
        return found
    factor = _u(int(_K2) + 2 * n)
    if n < 8:
        found = _pair(_u(n) + (_fetch(rows, 0, 4) << _u(3)), _fetch(rows, n - 4, 4), factor)
    elif n <= 16:
        a, b = _fetch(rows, 0) + _K2, _fetch(rows, n - 8)
        found = _pair(_rotated(b, 37) * factor + a, (_rotated(a, 25) + b) * factor, factor)
    else:
        found = (_middle if n <= 32 else _larger)(rows, factor)
    return found


def _middle(rows: Rows, factor: Any) -> Any:
    n = rows.shape[1]
    a, b = _fetch(rows, 0) * _K1, _fetch(rows, 8)
    c, d = _fetch(rows, n - 8) * factor, _fetch(rows, n - 16) * _K2
    return _pair(_rotated(a + b, 43) + _rotated(c, 30) + d, a + _rotated(b + _K2, 18) + c, factor)


def _larger(rows: Rows, factor: Any) -> Any:
    n = rows.shape[1]
    a, b = _fetch(rows, 0) * _K2, _fetch(rows, 8)
    c, d = _fetch(rows, n - 8) * factor, _fetch(rows, n - 16) * _K2
    y = _rotated(a + b, 43) + _rotated(c, 30) + d
    z = _pair(y, a + _rotated(b + _K2, 18) + c, factor)
    e, f = _fetch(rows, 16) * factor, _fetch(rows, 24)
    g, h = (y + _fetch(rows, n - 32)) * factor, (z + _fetch(rows, n - 24)) * factor
    return _pair(_rotated(e + f, 43) + _rotated(g, 30) + h, e + _rotated(f + a, 18) + g, factor)


def _weak(rows: Rows, at: int, a: Any, b: Any) -> tuple[Any, Any]:
    w, x, y, z = (_fetch(rows, at + 8 * i) for i in range(4))
    a = a + w
    b = _rotated(b + a + z, 21)
    c = a
    a = a + x + y
    return a + z, b + _rotated(a, 44) + c


def _step(rows: Rows, at: int, state: tuple[Any, ...], factor: Any, last: bool) -> tuple[Any, ...]:
    """One block of 64 bytes; the last one takes other factors."""
    x, y, z, v, w = state
    nine = _u(9 if last else 1)
    x = _rotated(x + y + v[0] + _fetch(rows, at + 8), 37) * factor
    y = _rotated(y + v[1] + _fetch(rows, at + 48), 42) * factor
    x = x ^ w[1] * nine
    y = y + v[0] * nine + _fetch(rows, at + 40)
    z = _rotated(z + w[0], 33) * factor
    v = _weak(rows, at, v[1] * factor, x + w[0])
    w = _weak(rows, at + 32, z + w[1], y + _fetch(rows, at + 16))
    return z, y, x, v, w


def _long(rows: Rows) -> Words:
    count, n = rows.shape
    zero = np.zeros(count, np.uint64)
    y = zero + _u(81 * int(_K1) + 113)
    z = _mixed(y * _K2 + _u(113)) * _K2
    x = _u(81 * int(_K2)) + _fetch(rows, 0)
    state: tuple[Any, ...] = (x, y, z, (zero, zero), (zero, zero))
    for block in range((n - 1) // 64):
        state = _step(rows, 64 * block, state, _K1, last=False)
    x, y, z, v, w = state
    factor = _K1 + ((z & _u(0xFF)) << _u(1))
    w = (w[0] + _u((n - 1) & 63), w[1])
    v = (v[0] + w[0], v[1])
    w = (w[0] + v[0], w[1])
    x, y, z, v, w = _step(rows, n - 64, (x, y, z, v, w), factor, last=True)
    found: Words = _pair(_pair(v[0], w[0], factor) + _mixed(y) * _K0 + z, _pair(v[1], w[1], factor) + x, factor)
    return found


# ---- MurmurHash64A


def murmur(rows: Rows) -> Words:
    """MurmurHash64A of rows of bytes, with TensorFlow's seed."""
    n = rows.shape[1]
    factor = _u(0xC6A4A7935BD1E995)
    h: Words = np.full(len(rows), _u(0xDECAFCAFFE ^ n * int(factor)))
    for at in range(0, n - 7, 8):
        k = _fetch(rows, at) * factor
        h = (h ^ (k ^ (k >> _u(47))) * factor) * factor
    if n % 8:
        h = (h ^ _fetch(rows, n - n % 8, n % 8)) * factor
    h = (h ^ (h >> _u(47))) * factor
    h ^= h >> _u(47)
    return h


# ---- SipHash


def keyed(key: Sequence[int]) -> Callable[[Rows], Words]:
    """SipHash-2-4 with a key of two words."""
    k0, k1 = (_u(int(k)) for k in key)

    def hash_of(rows: Rows) -> Words:
        n = rows.shape[1]
        zero = np.zeros(len(rows), np.uint64)
        v = [zero + (k ^ _u(c)) for k, c in zip(
            (k0, k1, k0, k1), (0x736F6D6570736575, 0x646F72616E646F6D, 0x6C7967656E657261, 0x7465646279746573), strict=True
        )]  # fmt: skip
        for at in range(0, n - n % 8, 8):
            _absorbed(v, _fetch(rows, at))
        _absorbed(v, _fetch(rows, n - n % 8, n % 8) | _u(n << 56))
        v[2] = v[2] ^ _u(0xFF)
        for _ in range(4):
            _round(v)
        found: Words = v[0] ^ v[1] ^ v[2] ^ v[3]
        return found

    return hash_of


def _absorbed(v: list[Words], word: Words) -> None:
    v[3] = v[3] ^ word
    _round(v)
    _round(v)
    v[0] = v[0] ^ word


def _round(v: list[Words]) -> None:
    v[0] = v[0] + v[1]
    v[1] = _rotated(v[1], 51) ^ v[0]
    v[0] = _rotated(v[0], 32)
    v[2] = v[2] + v[3]
    v[3] = _rotated(v[3], 48) ^ v[2]
    v[0] = v[0] + v[3]
    v[3] = _rotated(v[3], 43) ^ v[0]
    v[2] = v[2] + v[1]
    v[1] = _rotated(v[1], 47) ^ v[2]
    v[2] = _rotated(v[2], 32)
