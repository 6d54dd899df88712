"""Classes drawn for a loss that looks at few of many, word for word as TensorFlow draws them.

A sampler gives as many samples as it is asked for, one after the other from a stream of words, and the probability of each class.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from ...kernels.loops import native_loop, native_or_python
from ..array.type_rules import Array
from . import entry_loops
from .kernels import doubles
from .philox import Philox, Words


class Source:
    """The words of a stream, from the first on."""

    def __init__(self, stream: Philox) -> None:
        self.stream = stream
        self.left = np.zeros(0, np.uint32)

    def words(self, count: int) -> Words:
        """The next words."""
        missing = count - len(self.left)
        if missing > 0:
            blocks = -(-missing // 4)
            self.left = np.concatenate([self.left, self.stream.words(4 * blocks)])
            self.stream = self.stream.skip(blocks)
        found, self.left = self.left[:count], self.left[count:]
        return found

    def below(self, n: int, count: int, bits: int) -> npt.NDArray[np.uint64]:
        """Integers in [0, n), each of `bits` random bits; those that would prefer small numbers are drawn again."""
        parts: list[npt.NDArray[np.uint64]] = []
        have = 0
        skewed = _count_skewed(n, bits)
        while have < count:
            words = self.words((count - have) * (bits // 32))
            given = words.astype(np.uint64) if bits == 32 else words[::2] | words[1::2].astype(np.uint64) << np.uint64(32)
            refused = given < np.uint64(skewed)
            kept = given[~refused] if refused.any() else given
            kept = kept - kept // np.uint64(n) * np.uint64(n)  # quicker than NumPy's remainder
            parts.append(kept)
            have += len(kept)
        return parts[0] if len(parts) == 1 else np.concatenate(parts) if parts else np.zeros(0, np.uint64)


def _count_skewed(n: int, bits: int) -> int:
    """How many of the smallest integers of so many bits are refused, so that remainders by n come equally often."""
    return 0 if n & (n - 1) == 0 else ((1 << bits) - 1) % n + 1


class Sampler(Protocol):
    """What draws classes."""

    range: int

    def sample(self, source: Source, count: int) -> npt.NDArray[np.int64]:
        """The next classes."""
        ...

    def probability(self, classes: Array) -> npt.NDArray[np.float32]:
        """The probability of each class; one number where that is the same for all."""
        ...


class Uniform:
    """All classes alike."""

    def __init__(self, range: int) -> None:
        self.range = range

    def sample(self, source: Source, count: int) -> npt.NDArray[np.int64]:
        """The next classes."""
        return source.below(self.range, count, 64).astype(np.int64)

    def distinct(self, stream: Philox, count: int) -> tuple[npt.NDArray[np.int64], int] | None:
        """As `draw_classes` gives them, from the start of a stream, in one native loop; None where there is none."""
        native = native_loop(entry_loops.distinct_below, 16 * count)
        if native is None or self.range >= 1 << 61:
            return None
        found, table, (key, counter) = np.empty(count, np.int64), _table(count), stream.words_of()
        tries = native(
            found, table, np.empty(4, np.uint32), *counter, *key, count, len(table) - 1, self.range, _count_skewed(self.range, 64)
        )
        return None if tries is None else (found, tries)

    def probability(self, classes: Array) -> npt.NDArray[np.float32]:
        """1 / range."""
        return np.array(1.0 / self.range, np.float32)


class LogUniform:
    """Class k with a probability proportional to log((k + 2) / (k + 1)): about Zipf's law, for classes sorted by how often they are."""

    def __init__(self, range: int) -> None:
        self.range = range
        self.whole = np.log1p(float(range))

    def sample(self, source: Source, count: int) -> npt.NDArray[np.int64]:
        """The next classes."""
        found: npt.NDArray[np.int64] = np.exp(doubles(source.words(2 * count)) * self.whole).astype(np.int64) - 1
        return found % self.range

    def probability(self, classes: Array) -> npt.NDArray[np.float32]:
        """The probability of each class."""
        found: npt.NDArray[np.float32] = (np.log((classes + 2.0) / (classes + 1.0)) / self.whole).astype(np.float32)
        return found


class Weighted:
    """Classes by whole weights, one each at first, which count what is true."""

    def __init__(self, range: int) -> None:
        self.range = self.total = range
        self.weights = np.ones(range, np.int64)
        self._tree: npt.NDArray[np.int64] | None = None  # their sums, once they are wanted

    def sample(self, source: Source, count: int) -> npt.NDArray[np.int64]:
        """The next classes."""
        bits = 32 if self.total <= 1 << 32 else 64  # so far TensorFlow counts; its sums overflow before
        given = source.below(self.total, count, bits).view(np.int64)
        found, tree = np.empty(len(given), np.int64), self._sums()
        native_or_python(entry_loops.pick_classes, 8 * len(given))(found, given, tree, len(given), len(tree) >> 1)
        return found

    def _sums(self) -> npt.NDArray[np.int64]:
        if self._tree is None:
            size = 1 << self.range.bit_length()
            whole = np.zeros(size + 1, np.int64)
            np.cumsum(self.weights, out=whole[1 : self.range + 1])
            whole[self.range + 1 :] = self.total
            at = np.arange(size + 1)
            self._tree = whole - whole[at - (at & -at)]
        return self._tree

    def probability(self, classes: Array) -> npt.NDArray[np.float32]:
        """The probability of each class."""
        return self.weights[classes].astype(np.float32) / np.float32(self.total)

    def count(self, classes: Array) -> None:
        """Let each of these weigh one more."""
        np.add.at(self.weights, classes, 1)
        self.total += classes.size
        if (tree := self._tree) is not None:
            count = native_or_python(entry_loops.count_classes, 8 * classes.size)
            count(tree, np.ascontiguousarray(classes).reshape(-1), classes.size, len(tree) - 1)


class Fixed:
    """Classes by fixed weights, with a table of aliases (A. Walker, 1977): a number chooses a place, another it or its alias."""

    def __init__(self, weights: npt.NDArray[np.float32]) -> None:
        self.range = len(weights)
        self.weights = weights
        total = np.add.accumulate(weights)
        self.total = total[-1] if len(total) else np.float32(0)
        self.chance, self.alias = _aliases(weights)

    def sample(self, source: Source, count: int) -> npt.NDArray[np.int64]:
        """The next classes."""
        n = self.range
        skewed = 0 if n & (n - 1) == 0 else (2**32 - 1) % n + 1
        pairs = source.words(2 * count).reshape(-1, 2)
        if (pairs[:, 1] < np.uint32(skewed)).any():
            pairs = _patch_pairs(pairs, source, skewed)
        place = (pairs[:, 1] % np.uint32(n)).astype(np.intp)
        draw = ((pairs[:, 0] & np.uint32(0x7FFFFF)) | np.uint32(0x3F800000)).view(np.float32) - np.float32(1)
        return np.where(draw < self.chance[place], place, self.alias[place]).astype(np.int64)

    def probability(self, classes: Array) -> npt.NDArray[np.float32]:
        """The probability of each class."""
        return (self.weights[classes] / self.total).astype(np.float32)


def _patch_pairs(pairs: Words, source: Source, skewed: int) -> Words:
    """Pairs again, where the second word of one is refused and the words behind it move up."""
    words = pairs.ravel()
    rows: list[tuple[np.uint32, np.uint32]] = []
    at = 0
    while len(rows) < len(pairs):
        if at + 2 > len(words):
            words = np.concatenate([words, source.words(2)])
            continue
        first, at = words[at], at + 1
        while at >= len(words) or words[at] < skewed:
            if at >= len(words):
                words = np.concatenate([words, source.words(1)])
            else:
                at += 1
        rows.append((first, words[at]))
        at += 1
    source.left = np.concatenate([words[at:], source.left])
    return np.array(rows, np.uint32)


def _aliases(weights: npt.NDArray[np.float32]) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.intp]]:
    n = len(weights)
    chance = weights.astype(np.float64) * n / weights.astype(np.float64).sum()
    alias = np.arange(n, dtype=np.intp)
    low, high = (np.flatnonzero(which).tolist() for which in (chance < 1.0, chance >= 1.0))
    while high and low:
        small, large = low.pop(), high.pop()
        alias[small] = large
        chance[large] -= 1.0 - chance[small]
        (low if chance[large] < 1.0 else high).append(large)
    chance[[*high, *low]] = 1.0
    return chance.astype(np.float32), alias


def draw_classes(sampler: Sampler, source: Source, count: int, unique: bool) -> tuple[npt.NDArray[np.int64], int]:
    """`count` classes, and how many samples it took to have them."""
    if not unique:
        return sampler.sample(source, count), count
    if isinstance(sampler, Uniform) and (at_once := sampler.distinct(source.stream, count)) is not None:
        return at_once
    seen = sampler.sample(source, count + count // 8 + 8)  # a few more than are wanted: a second call costs as much as the first
    while True:
        found, tries = _distinct(seen, count)
        if tries >= 0:
            return found, tries
        seen = np.concatenate([seen, sampler.sample(source, max(count, 8))])


def _distinct(seen: npt.NDArray[np.int64], count: int) -> tuple[npt.NDArray[np.int64], int]:
    """The first `count` different classes, and how many had to be looked at for them; -1 where there are too few."""
    found, table = np.empty(count, np.int64), _table(count)
    tries = native_or_python(entry_loops.distinct, len(seen))(found, seen, table, count, len(seen), len(table) - 1)
    return found, int(tries)


def _table(count: int) -> npt.NDArray[np.int64]:
    """An empty table of hashes for so many numbers."""
    table = np.empty(2 << count.bit_length(), np.int64)
    table.fill(-1)
    return table


def expected_count(probability: npt.NDArray[np.float32], count: int, tries: int) -> npt.NDArray[np.float32]:
    """How often a class is expected among `count` classes that took so many tries."""
    if tries == count:
        return probability * np.float32(count)
    return -np.expm1(np.float32(tries) * np.log1p(-probability))


def weights_of(lines: Sequence[float], distortion: float, reserved: int, shards: int, shard: int) -> npt.NDArray[np.float32]:
    """The weights of one shard: none for reserved classes, then those given, to the power `distortion`."""
    head = np.zeros(sum(i % shards == shard for i in range(reserved)), np.float32)
    numbers = np.arange(len(head), len(head) + len(lines))
    chosen = np.asarray(lines, np.float32)[numbers % shards == shard]
    return np.concatenate([head, np.power(chosen, np.float32(distortion))])
