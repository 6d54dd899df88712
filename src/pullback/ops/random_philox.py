"""Philox 4x32-10, the counter-based generator behind every random operation, in vectorised NumPy.

The algorithm is Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3" (SC 2011).  TensorFlow draws from the same
generator, so the same key and counter give the same bits: that is what makes seeded programs reproduce TensorFlow's numbers.

A `Philox` is a key (two 32-bit words) and a 128-bit counter.  Block `i` of the stream is the cipher applied to `counter + i`; a block is
four 32-bit words.  Blocks are independent, so any number of them is computed at once.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["Philox", "from_key", "from_seeds", "scramble"]

Words = npt.NDArray[np.uint32]

_ROUNDS = 10
_WEYL = (0x9E3779B9, 0xBB67AE85)
_MULTIPLIERS = (np.uint64(0xD2511F53), np.uint64(0xCD9E8D57))
_LOW32 = np.uint64(0xFFFFFFFF)
_32 = np.uint64(32)
_MASK32, _MASK64, _MASK128 = 2**32 - 1, 2**64 - 1, 2**128 - 1
_SCRAMBLE_KEY = (0x3EC8F720, 0x02461E29)


@dataclass(frozen=True)
class Philox:
    """A position in one of the generator's 2**64 streams."""

    key: tuple[int, int]
    counter: int

    def skip(self, blocks: int) -> Philox:
        """The same stream, `blocks` blocks later."""
        return replace(self, counter=(self.counter + blocks) & _MASK128)

    def words(self, count: int) -> Words:
        """The first `count` 32-bit words."""
        return self.blocks(np.arange(-(-count // 4), dtype=np.uint64)).reshape(-1)[:count]

    def blocks(self, offsets: npt.NDArray[np.uint64]) -> Words:
        """The blocks at `counter + offsets`: shape `offsets.shape + (4,)`."""
        start = np.uint64(self.counter & _MASK64)
        low = offsets + start  # wraps around
        high = np.uint64(self.counter >> 64) + (low < start).astype(np.uint64)
        return _cipher(low & _LOW32, low >> _32, high & _LOW32, high >> _32, self.key)


def _cipher(c0: Any, c1: Any, c2: Any, c3: Any, key: tuple[int, int]) -> Words:
    k0, k1 = key
    for _ in range(_ROUNDS):
        first, second = c0 * _MULTIPLIERS[0], c2 * _MULTIPLIERS[1]
        c0, c1, c2, c3 = (
            (second >> _32) ^ c1 ^ np.uint64(k0),
            second & _LOW32,
            (first >> _32) ^ c3 ^ np.uint64(k1),
            first & _LOW32,
        )
        k0, k1 = (k0 + _WEYL[0]) & _MASK32, (k1 + _WEYL[1]) & _MASK32
    return np.stack([c0, c1, c2, c3], axis=-1).astype(np.uint32)


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
    low, high = (int(s) & _MASK64 for s in np.ravel(seed))
    mix = [int(w) for w in Philox(_SCRAMBLE_KEY, low | high << 64).words(4)]
    return np.array([mix[0] | mix[1] << 32], np.uint64), np.array([0, mix[2] | mix[3] << 32], np.uint64)
