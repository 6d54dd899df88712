"""Hashes of strings, to the bit: FarmHash's 64-bit fingerprint, MurmurHash64A, SipHash-2-4.

The strings lie in one buffer, and a hash reads the words of many of them at once, so no loop is over strings: FarmHash takes strings of
a range of lengths together, the others go from word to word with the strings that are still so long.
Sources: G. Pike, FarmHash (2014); A. Appleby, MurmurHash2 (2008); J.-P. Aumasson and D. Bernstein, SipHash (2012).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ...kernels.strings import StringArray

Words = npt.NDArray[np.uint64]
Places = npt.NDArray[np.intp]


def _u(n: int) -> np.uint64:
    return np.uint64(n & 0xFFFFFFFFFFFFFFFF)


_K0, _K1, _K2 = _u(0xC3A5C85C97CB3127), _u(0xB492B66FBE98F273), _u(0x9AE16A3B2F90404F)
_WORD = 8
_MASKS = np.array([(1 << 8 * width) - 1 for width in range(_WORD + 1)], np.uint64)  # of the first bytes of a word


class Strings(NamedTuple):
    """Strings in a buffer: the little-endian word that begins at each of its bytes, where each string begins, and its length."""

    words: Words
    starts: Places
    lengths: Places

    def some(self, places: Any) -> Strings:
        """Those at some places."""
        return Strings(self.words, self.starts[places], self.lengths[places])

    def fetch(self, at: Any, width: Any = _WORD) -> Words:
        """The integers at a place of every string, of so many bytes."""
        found: Words = self.words[self.starts + at]
        return found if isinstance(width, int) and width == _WORD else found & _MASKS[width]

    def back(self, by: int, width: int = _WORD) -> Words:
        """The integers so many bytes before the ends."""
        return self.fetch(self.lengths - by, width)

    def sizes(self) -> Words:
        """How many bytes each has."""
        return self.lengths.astype(np.uint64)


def _words(data: bytes) -> Words:
    """The words of a buffer; one of zeros follows it."""
    return np.ndarray((len(data) + 1,), "<u8", data + bytes(_WORD), 0, (1,))


def strings_of(x: StringArray) -> Strings:
    """The strings of an array, one after the other."""
    return Strings(_words(x.data.tobytes()), x.starts[:-1], x.lengths())


def _longest_first(strings: Strings) -> tuple[Places, Strings]:
    longest = int(strings.lengths.max(initial=0))
    kind: Any = np.uint16 if longest < 1 << 16 else np.intp  # which NumPy sorts by its digits
    order = np.argsort((longest - strings.lengths).astype(kind), kind="stable")
    return order, strings.some(order)


def _counts(strings: Strings, step: int) -> list[int]:
    """How many strings, of which the longest come first, have a first word, a second one, and so on."""
    words = strings.lengths[::-1] // step
    longest = int(words[-1]) if len(words) else 0
    found: list[int] = (len(words) - np.searchsorted(words, np.arange(1, longest + 1))).tolist()
    return found


def _rotate_right(x: Any, by: int) -> np.ndarray:
    """Turned to the right."""
    return (x >> _u(by)) | (x << _u(64 - by))


# ---- FarmHash


def _mix_bits(x: Any) -> np.ndarray:
    return x ^ (x >> _u(47))


def _pair(u: Any, v: Any, factor: Any) -> np.ndarray:
    a = _mix_bits((u ^ v) * factor)
    return _mix_bits((v ^ a) * factor) * factor


def fingerprint(strings: Strings) -> Words:
    """FarmHash's Fingerprint64."""
    out = np.full(len(strings.lengths), _K2)
    for low, high, hash_of in ((1, 3, _hash_tiny), (4, 7, _hash_small), (8, 16, _hash_short), (17, 32, _middle), (33, 64, _hash_larger)):
        places = np.flatnonzero((strings.lengths >= low) & (strings.lengths <= high))
        if len(places):
            out[places] = hash_of(strings.some(places))
    blocks = np.where(strings.lengths > 64, (strings.lengths - 1) // 64, 0)
    for count in np.unique(blocks).tolist() if blocks.any() else ():
        if count:
            places = np.flatnonzero(blocks == count)
            out[places] = _hash_long(strings.some(places), count)
    return out


def _hash_tiny(s: Strings) -> np.ndarray:
    first, middle, last = s.fetch(0, 1), s.fetch(s.lengths >> 1, 1), s.back(1, 1)
    return _mix_bits((first + (middle << _u(8))) * _K2 ^ (s.sizes() + (last << _u(2))) * _K0) * _K2


def _factor(s: Strings) -> np.ndarray:
    return _K2 + _u(2) * s.sizes()


def _hash_small(s: Strings) -> Any:
    return _pair(s.sizes() + (s.fetch(0, 4) << _u(3)), s.back(4, 4), _factor(s))


def _hash_short(s: Strings) -> Any:
    factor = _factor(s)
    a, b = s.fetch(0) + _K2, s.back(8)
    return _pair(_rotate_right(b, 37) * factor + a, (_rotate_right(a, 25) + b) * factor, factor)


def _middle(s: Strings) -> Any:
    factor = _factor(s)
    a, b = s.fetch(0) * _K1, s.fetch(8)
    c, d = s.back(8) * factor, s.back(16) * _K2
    return _pair(_rotate_right(a + b, 43) + _rotate_right(c, 30) + d, a + _rotate_right(b + _K2, 18) + c, factor)


def _hash_larger(s: Strings) -> np.ndarray:
    factor = _factor(s)
    a, b = s.fetch(0) * _K2, s.fetch(8)
    c, d = s.back(8) * factor, s.back(16) * _K2
    y = _rotate_right(a + b, 43) + _rotate_right(c, 30) + d
    z = _pair(y, a + _rotate_right(b + _K2, 18) + c, factor)
    e, f = s.fetch(16) * factor, s.fetch(24)
    g, h = (y + s.back(32)) * factor, (z + s.back(24)) * factor
    return _pair(_rotate_right(e + f, 43) + _rotate_right(g, 30) + h, e + _rotate_right(f + a, 18) + g, factor)


def _hash_weak(words: Sequence[Words], a: Any, b: Any) -> tuple[Any, Any]:
    w, x, y, z = words
    a = a + w
    b = _rotate_right(b + a + z, 21)
    c = a
    a = a + x + y
    return a + z, b + _rotate_right(a, 44) + c


def _step(block: Sequence[Words], state: tuple[Any, ...], factor: Any, last: bool) -> tuple[Any, ...]:
    """One block of eight words; the last one takes other factors."""
    x, y, z, v, w = state
    nine = _u(9 if last else 1)
    x = _rotate_right(x + y + v[0] + block[1], 37) * factor
    y = _rotate_right(y + v[1] + block[6], 42) * factor
    x = x ^ w[1] * nine
    y = y + v[0] * nine + block[5]
    z = _rotate_right(z + w[0], 33) * factor
    v = _hash_weak(block[:4], v[1] * factor, x + w[0])
    w = _hash_weak(block[4:], z + w[1], y + block[2])
    return z, y, x, v, w


def _hash_long(s: Strings, blocks: int) -> Any:
    zero = np.zeros(len(s.lengths), np.uint64)
    y = zero + _u(81 * int(_K1) + 113)
    z = _mix_bits(y * _K2 + _u(113)) * _K2
    x = _u(81 * int(_K2)) + s.fetch(0)
    state: tuple[Any, ...] = (x, y, z, (zero, zero), (zero, zero))
    for at in range(0, 64 * blocks, 64):
        state = _step([s.fetch(at + i) for i in range(0, 64, _WORD)], state, _K1, last=False)
    x, y, z, v, w = state
    factor = _K1 + ((z & _u(0xFF)) << _u(1))
    w = (w[0] + ((s.sizes() - _u(1)) & _u(63)), w[1])
    v = (v[0] + w[0], v[1])
    w = (w[0] + v[0], w[1])
    x, y, z, v, w = _step([s.back(64 - i) for i in range(0, 64, _WORD)], (x, y, z, v, w), factor, last=True)
    return _pair(_pair(v[0], w[0], factor) + _mix_bits(y) * _K0 + z, _pair(v[1], w[1], factor) + x, factor)


# ---- MurmurHash64A


def murmur(strings: Strings) -> Words:
    """MurmurHash64A, with TensorFlow's seed."""
    order, s = _longest_first(strings)
    factor = _u(0xC6A4A7935BD1E995)
    h: Words = _u(0xDECAFCAFFE) ^ s.sizes() * factor
    for word, count in enumerate(_counts(s, _WORD)):
        k = s.some(slice(count)).fetch(_WORD * word) * factor
        h[:count] = (h[:count] ^ (k ^ (k >> _u(47))) * factor) * factor
    left = s.lengths % _WORD
    h = np.where(left, (h ^ s.fetch(s.lengths - left, left)) * factor, h)
    h = (h ^ (h >> _u(47))) * factor
    h ^= h >> _u(47)
    out = np.empty_like(h)
    out[order] = h
    return out


# ---- SipHash


def make_keyed_hash(key: Sequence[int]) -> Callable[[Strings], Words]:
    """SipHash-2-4 with a key of two words."""
    k0, k1 = (_u(int(k)) for k in key)
    names = (0x736F6D6570736575, 0x646F72616E646F6D, 0x6C7967656E657261, 0x7465646279746573)
    first = [k ^ _u(c) for k, c in zip((k0, k1, k0, k1), names, strict=True)]

    def hash_of(strings: Strings) -> Words:
        order, s = _longest_first(strings)
        v = [np.full(len(order), c) for c in first]
        for word, count in enumerate(_counts(s, _WORD)):
            _absorb_word([part[:count] for part in v], s.some(slice(count)).fetch(_WORD * word))
        left = s.lengths % _WORD
        _absorb_word(v, s.fetch(s.lengths - left, left) | s.sizes() << _u(56))
        v[2] ^= _u(0xFF)
        for _ in range(4):
            _round(v)
        out = np.empty_like(v[0])
        out[order] = v[0] ^ v[1] ^ v[2] ^ v[3]
        return out

    return hash_of


def _absorb_word(v: list[Words], word: Words) -> None:
    """Changes the four arrays."""
    v[3] ^= word
    _round(v)
    _round(v)
    v[0] ^= word


def _round(v: list[Words]) -> None:
    v0, v1, v2, v3 = v
    v0 += v1
    np.bitwise_xor(_rotate_right(v1, 51), v0, out=v1)
    v0[:] = _rotate_right(v0, 32)
    v2 += v3
    np.bitwise_xor(_rotate_right(v3, 48), v2, out=v3)
    v0 += v3
    np.bitwise_xor(_rotate_right(v3, 43), v0, out=v3)
    v2 += v1
    np.bitwise_xor(_rotate_right(v1, 47), v2, out=v1)
    v2[:] = _rotate_right(v2, 32)
