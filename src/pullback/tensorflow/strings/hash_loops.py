"""Hashes of strings, to the bit: FarmHash's 64-bit fingerprint, MurmurHash64A, SipHash-2-4.

A loop puts each string's hash into `found`, or, where `buckets` is not 0, which of so many buckets that is.
Sources: G. Pike, FarmHash (2014); A. Appleby, MurmurHash2 (2008); J.-P. Aumasson and D. Bernstein, SipHash (2012).
"""

from __future__ import annotations

import numpy as np

from ...kernels.loops import Bytes, Ints, Word, Words, load32, load64, word

_K0, _K1, _K2 = np.uint64(0xC3A5C85C97CB3127), np.uint64(0xB492B66FBE98F273), np.uint64(0x9AE16A3B2F90404F)
_SEED, _FACTOR = np.uint64(0xDECAFCAFFE), np.uint64(0xC6A4A7935BD1E995)


def _rotate_right(x: Word, by: int) -> Word:
    """Turned to the right."""
    return (x >> word(by)) | (x << word(64 - by))


def _mix_bits(x: Word) -> Word:
    return x ^ (x >> 47)


def _pair(u: Word, v: Word, factor: Word) -> Word:
    a = _mix_bits((u ^ v) * factor)
    return _mix_bits((v ^ a) * factor) * factor


def _hash_short(s: Bytes, at: int, size: int) -> Word:
    """Up to 16 bytes."""
    n = word(size)
    factor = _K2 + n * 2
    if size >= 8:
        a = load64(s, at) + _K2
        b = load64(s, at + size - 8)
        return _pair(_rotate_right(b, 37) * factor + a, (_rotate_right(a, 25) + b) * factor, factor)
    if size >= 4:
        return _pair(n + (load32(s, at) << 3), load32(s, at + size - 4), factor)
    if size > 0:
        first = word(s[at])
        middle = word(s[at + (size >> 1)])
        last = word(s[at + size - 1])
        return _mix_bits((first + (middle << 8)) * _K2 ^ (n + (last << 2)) * _K0) * _K2
    return _K2


def _middle(s: Bytes, at: int, size: int) -> Word:
    """17 to 64 bytes."""
    end = at + size
    factor = _K2 + word(size) * 2
    a = load64(s, at) * (_K1 if size <= 32 else _K2)
    b = load64(s, at + 8)
    c = load64(s, end - 8) * factor
    d = load64(s, end - 16) * _K2
    y = _rotate_right(a + b, 43) + _rotate_right(c, 30) + d
    z = _pair(y, a + _rotate_right(b + _K2, 18) + c, factor)
    if size <= 32:
        return z
    e = load64(s, at + 16) * factor
    f = load64(s, at + 24)
    g = (y + load64(s, end - 32)) * factor
    h = (z + load64(s, end - 24)) * factor
    return _pair(_rotate_right(e + f, 43) + _rotate_right(g, 30) + h, e + _rotate_right(f + a, 18) + g, factor)


def _hash_weak(s: Bytes, at: int, a: Word, b: Word) -> tuple[Word, Word]:
    z = load64(s, at + 24)
    a += load64(s, at)
    b = _rotate_right(b + a + z, 21)
    c = a
    a += load64(s, at + 8) + load64(s, at + 16)
    return a + z, b + _rotate_right(a, 44) + c


def _hash_long(s: Bytes, at: int, size: int) -> Word:
    """More than 64 bytes: blocks of 64, of which the last may begin within the one before."""
    end = at + size
    last = at + (size - 1) // 64 * 64
    y = _K1 * 81 + 113
    z = _mix_bits(y * _K2 + 113) * _K2
    x = _K2 * 81 + load64(s, at)
    v0 = word(0)
    v1 = word(0)
    w0 = word(0)
    w1 = word(0)
    factor = _K1
    while at < last:
        x = _rotate_right(x + y + v0 + load64(s, at + 8), 37) * factor
        y = _rotate_right(y + v1 + load64(s, at + 48), 42) * factor
        x ^= w1
        y += v0 + load64(s, at + 40)
        z = _rotate_right(z + w0, 33) * factor
        v0, v1 = _hash_weak(s, at, v1 * factor, x + w0)
        w0, w1 = _hash_weak(s, at + 32, z + w1, y + load64(s, at + 16))
        x, z = z, x
        at += 64
    factor = _K1 + ((z & 0xFF) << 1)
    at = end - 64
    w0 += word((size - 1) & 63)
    v0 += w0
    w0 += v0
    x = _rotate_right(x + y + v0 + load64(s, at + 8), 37) * factor
    y = _rotate_right(y + v1 + load64(s, at + 48), 42) * factor
    x ^= w1 * 9
    y += v0 * 9 + load64(s, at + 40)
    z = _rotate_right(z + w0, 33) * factor
    v0, v1 = _hash_weak(s, at, v1 * factor, x + w0)
    w0, w1 = _hash_weak(s, at + 32, z + w1, y + load64(s, at + 16))
    return _pair(_pair(v0, w0, factor) + _mix_bits(y) * _K0 + x, _pair(v1, w1, factor) + z, factor)


def _fingerprint(s: Bytes, at: int, size: int) -> Word:
    if size <= 16:
        return _hash_short(s, at, size)
    return _middle(s, at, size) if size <= 64 else _hash_long(s, at, size)


def _bucket(found: Word, buckets: Word) -> Word:
    return found % buckets if buckets > 0 else found


def fingerprints(data: Bytes, starts: Ints, count: int, buckets: Word, found: Words) -> None:
    """FarmHash's Fingerprint64."""
    for i in range(count):
        found[i] = _bucket(_fingerprint(data, starts[i], starts[i + 1] - starts[i]), buckets)


def _rest(s: Bytes, at: int, end: int) -> Word:
    """The bytes that are left, less than a word."""
    found = word(0)
    while end > at:
        end -= 1
        found = found << 8 | word(s[end])
    return found


def murmur_hashes(data: Bytes, starts: Ints, count: int, buckets: Word, found: Words) -> None:
    """MurmurHash64A, with TensorFlow's seed."""
    for i in range(count):
        at = starts[i]
        end = starts[i + 1]
        h = _SEED ^ word(end - at) * _FACTOR
        while end - at >= 8:
            k = load64(data, at) * _FACTOR
            h = (h ^ (k ^ (k >> 47)) * _FACTOR) * _FACTOR
            at += 8
        if at < end:
            h = (h ^ _rest(data, at, end)) * _FACTOR
        h = (h ^ (h >> 47)) * _FACTOR
        found[i] = _bucket(h ^ (h >> 47), buckets)


def _round(v0: Word, v1: Word, v2: Word, v3: Word) -> tuple[Word, Word, Word, Word]:
    v0 += v1
    v1 = _rotate_right(v1, 51) ^ v0
    v0 = _rotate_right(v0, 32)
    v2 += v3
    v3 = _rotate_right(v3, 48) ^ v2
    v0 += v3
    v3 = _rotate_right(v3, 43) ^ v0
    v2 += v1
    v1 = _rotate_right(v1, 47) ^ v2
    v2 = _rotate_right(v2, 32)
    return v0, v1, v2, v3


def sip_hashes(data: Bytes, starts: Ints, count: int, k0: Word, k1: Word, buckets: Word, found: Words) -> None:
    """SipHash-2-4 with a key of two words."""
    for i in range(count):
        at = starts[i]
        end = starts[i + 1]
        size = word(end - at) << 56
        v0 = k0 ^ 0x736F6D6570736575
        v1 = k1 ^ 0x646F72616E646F6D
        v2 = k0 ^ 0x6C7967656E657261
        v3 = k1 ^ 0x7465646279746573
        more = True
        while more:
            more = end - at >= 8
            if more:
                k = load64(data, at)
                at += 8
            else:
                k = _rest(data, at, end) | size
            v3 ^= k
            v0, v1, v2, v3 = _round(v0, v1, v2, v3)
            v0, v1, v2, v3 = _round(v0, v1, v2, v3)
            v0 ^= k
        v2 ^= 0xFF
        for _ in range(4):
            v0, v1, v2, v3 = _round(v0, v1, v2, v3)
        found[i] = _bucket(v0 ^ v1 ^ v2 ^ v3, buckets)
