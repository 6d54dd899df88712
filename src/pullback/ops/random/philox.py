"""Philox 4x32-10, the counter-based generator behind every random operation, in vectorised NumPy.

The algorithm is Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3" (SC 2011).  TensorFlow draws from the same
generator, so the same key and counter give the same bits: that is what makes seeded programs reproduce TensorFlow's numbers.

A `Philox` is a key (two 32-bit words) and a 128-bit counter.  Block `i` of the stream is the cipher applied to `counter + i`; a block is
four 32-bit words.  Blocks are independent, so any number of them is computed at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from ...kernels.loops import native_loop
from . import entry_loops

Words = npt.NDArray[np.uint32]

BLOCKS_PER_SAMPLE = 256  # what a stateful draw reserves for each number, used or not
ROUNDS = 10
WEYL = (0x9E3779B9, 0xBB67AE85)
MULTIPLIERS = (0xD2511F53, 0xCD9E8D57)
_LOW32 = np.uint64(0xFFFFFFFF)
_32 = np.uint64(32)
_MASK32, _MASK64, _MASK128 = 2**32 - 1, 2**64 - 1, 2**128 - 1
_FEW, _CHUNK = 8, 1 << 14  # blocks
SCRAMBLE_KEY = (0x3EC8F720, 0x02461E29)


@dataclass(frozen=True)
class Philox:
    """A position in one of the generator's 2**64 streams."""

    key: tuple[int, int]
    counter: int

    def skip(self, blocks: int) -> Philox:
        """The same stream, `blocks` blocks later."""
        return Philox(self.key, (self.counter + blocks) & _MASK128)

    def arrays(self) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64]]:
        """Key and counter, of one and of two 64-bit words."""
        key = np.array([self.key[0] | self.key[1] << 32], np.uint64)
        return key, np.array([self.counter & _MASK64, self.counter >> 64], np.uint64)

    def words_of(self) -> tuple[tuple[int, int], list[int]]:
        """Key and counter in words, the lowest first."""
        return self.key, [self.counter >> shift & _MASK32 for shift in (0, 32, 64, 96)]

    def words(self, count: int) -> Words:
        """The first `count` 32-bit words."""
        blocks = -(-count // 4)
        if blocks <= _FEW:
            return np.array([word for i in range(blocks) for word in _block((self.counter + i) & _MASK128, self.key)], np.uint32)[:count]
        native = native_loop(entry_loops.philox, ROUNDS * blocks)
        if native is not None:
            out = np.empty(4 * blocks, np.uint32)
            key, counter = self.words_of()
            if native(out, *counter, *key, blocks) is not None:
                return out[:count]
        return self.blocks(np.arange(blocks, dtype=np.uint64)).reshape(-1)[:count]

    def blocks(self, offsets: npt.NDArray[np.uint64]) -> Words:
        """The blocks at `counter + offsets`, a vector: shape `[len(offsets), 4]`."""
        out = np.empty((len(offsets), 4), np.uint32)
        keys = [(np.uint64(k0), np.uint64(k1)) for k0, k1 in _round_keys(self.key)]
        start = np.uint64(self.counter & _MASK64)
        for at in range(0, len(offsets), _CHUNK):
            low = offsets[at : at + _CHUNK] + start  # wraps around
            high = np.uint64(self.counter >> 64) + (low < start).astype(np.uint64)
            _cipher(low & _LOW32, low >> _32, high & _LOW32, high >> _32, keys, out[at : at + _CHUNK])
        return out


@lru_cache(64)
def _round_keys(key: tuple[int, int]) -> list[tuple[int, int]]:
    return [((key[0] + i * WEYL[0]) & _MASK32, (key[1] + i * WEYL[1]) & _MASK32) for i in range(ROUNDS)]


def _block(counter: int, key: tuple[int, int]) -> tuple[int, int, int, int]:
    """One block in plain integers: for a few of them quicker than arrays."""
    c0, c1, c2, c3 = (counter >> shift & _MASK32 for shift in (0, 32, 64, 96))
    for k0, k1 in _round_keys(key):
        first, second = c0 * MULTIPLIERS[0], c2 * MULTIPLIERS[1]
        c0, c1, c2, c3 = second >> 32 ^ c1 ^ k0, second & _MASK32, first >> 32 ^ c3 ^ k1, first & _MASK32
    return c0, c1, c2, c3


def _cipher(c0: Any, c1: Any, c2: Any, c3: Any, keys: list[tuple[np.uint64, np.uint64]], out: Words) -> None:
    """Encrypt the counters, whose arrays it uses up, into `out`; a chunk of them stays in the processor's cache."""
    first, second = np.empty_like(c0), np.empty_like(c0)
    for k0, k1 in keys:
        np.multiply(c0, np.uint64(MULTIPLIERS[0]), out=first)
        np.multiply(c2, np.uint64(MULTIPLIERS[1]), out=second)
        np.right_shift(second, _32, out=c0)
        c0 ^= c1
        c0 ^= k0
        np.bitwise_and(second, _LOW32, out=c1)
        np.right_shift(first, _32, out=c2)
        c2 ^= c3
        c2 ^= k1
        np.bitwise_and(first, _LOW32, out=c3)
    for i, words in enumerate((c0, c1, c2, c3)):
        out[:, i] = words


def from_seeds(seed: int, seed2: int) -> Philox:
    """The stream of an operation whose attributes are `seed` and `seed2`."""
    seed, seed2 = seed & _MASK64, seed2 & _MASK64
    return Philox((seed & _MASK32, seed >> 32), seed2 << 64)


def from_key(key: npt.NDArray[Any], counter: npt.NDArray[Any]) -> Philox:
    """The stream of a `(key, counter)` pair: one and two 64-bit words, as `scramble` makes them."""
    words = [int(w) & _MASK64 for w in (*np.ravel(key), *np.ravel(counter))]
    return Philox((words[0] & _MASK32, words[0] >> 32), words[1] | words[2] << 64)


def scramble(seed: npt.NDArray[Any]) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64]]:
    """Turn a user's two-element seed into `(key, counter)`: mixed, so that no bit of the seed matters more than another."""
    low, high = np.ravel(seed).tolist()
    mix = _block(low & _MASK64 | (high & _MASK64) << 64, SCRAMBLE_KEY)
    return np.array([mix[0] | mix[1] << 32], np.uint64), np.array([0, mix[2] | mix[3] << 32], np.uint64)
