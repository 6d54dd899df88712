"""Plain loops over words of a stream and what is drawn from them, which run natively where they can (`kernels.loops`)."""

from __future__ import annotations

from typing import Any

from ...kernels.loops import Array, unroll


def philox(out: Array, c0: int, c1: int, c2: int, c3: int, key0: int, key1: int, blocks: int) -> int:
    """The blocks of Philox from a counter on, four words each; counter and key as words, the lowest first."""
    for i in range(blocks):
        a = c0 + i
        b = c1 + (a >> 32)
        c = c2 + (b >> 32)
        d = (c3 + (c >> 32)) & 0xFFFFFFFF
        a = a & 0xFFFFFFFF
        b = b & 0xFFFFFFFF
        c = c & 0xFFFFFFFF
        k0 = key0
        k1 = key1
        for _ in unroll(10):
            first = a * 0xD2511F53
            second = c * 0xCD9E8D57
            a = ((second >> 32) & 0xFFFFFFFF) ^ b ^ k0
            b = second & 0xFFFFFFFF
            c = ((first >> 32) & 0xFFFFFFFF) ^ d ^ k1
            d = first & 0xFFFFFFFF
            k0 = (k0 + 0x9E3779B9) & 0xFFFFFFFF
            k1 = (k1 + 0xBB67AE85) & 0xFFFFFFFF
        out[4 * i] = a
        out[4 * i + 1] = b
        out[4 * i + 2] = c
        out[4 * i + 3] = d
    return 0


def add_number(out: Array, table: Array, value: int, have: int, mask: int) -> int:
    """Put a number after the `have` that `out` has, unless it is among them; how many that makes.

    table: what was put so far, by its hash, -1 where there is nothing; its size is a power of two, more than there will be, less `mask` 1.
    """
    at = ((value * 0x9E3779B1) >> 15) & mask
    while table[at] >= 0 and table[at] != value:
        at = (at + 1) & mask
    if table[at] == value:
        return have
    table[at] = value
    out[have] = value
    return have + 1


def distinct(out: Any, values: Array, table: Any, wanted: int, count: int, mask: int) -> int:
    """The first `wanted` different numbers among `count`, in the order they come; how many had to be looked at, or -1 if there are too few.

    values: not negative.  table, mask: as `add_number` takes them.
    """
    have = 0
    for i in range(count):
        have = add_number(out, table, values[i], have, mask)
        if have == wanted:
            return i + 1
    return -1


def distinct_below(
    out: Any, table: Any, block: Array, c0: int, c1: int, c2: int, c3: int, key0: int, key1: int, wanted: int, mask: int, n: int,
    skewed: int,
) -> int:  # fmt: skip
    """The first `wanted` different integers below n from a stream's pairs of words, less those below `skewed`; how many it took.

    block: room for four words.  n: less than 2**61.
    """
    have = 0
    tries = 0
    i = 0
    while have < wanted:
        philox(block, c0 + i, c1, c2, c3, key0, key1, 1)
        i += 1
        for pair in unroll(2):
            last = block[2 * pair] & 1
            half = (block[2 * pair + 1] << 31) | (block[2 * pair] >> 1)  # of the pair as one number, which has no sign to spare
            if have < wanted and (half >= skewed or 2 * half + last >= skewed):
                rest = (half % n) * 2 + last
                have = add_number(out, table, rest - n if rest >= n else rest, have, mask)
                tries += 1
    return tries


def pick_classes(out: Array, values: Array, tree: Array, count: int, top: int) -> int:
    """How many of the weights before each value add up to it at most: the class in whose share of the sum of weights it lies.

    tree: sums of weights as Fenwick (1994) keeps them, `2 * top` and one of them, `top` a power of two.  values: less than their sum.
    """
    for i in range(count):
        left = values[i]
        at = 0
        step = top
        while step > 0:
            part = tree[at + step]
            goes = part <= left
            at = at + step if goes else at
            left = left - part if goes else left
            step = step >> 1
        out[i] = at
    return 0


def count_classes(tree: Array, classes: Array, count: int, size: int) -> int:
    """One more for each of the classes in a tree of sums."""
    for i in range(count):
        at = classes[i] + 1
        while at <= size:
            tree[at] += 1
            at += at & -at
    return 0


def mix_round(x: int, bits: int, mask: int) -> int:
    """What a round of Simon makes of half a block."""
    once = ((x << 1) | (x >> (bits - 1))) & mask
    eight = ((x << 8) | (x >> (bits - 8))) & mask
    twice = ((x << 2) | (x >> (bits - 2))) & mask
    return (once & eight) ^ twice


def shuffle_indices(out: Array, index: Array, largest: Array, keys: Array, count: int, rounds: int, stride: int, bits: int) -> int:
    """Each index enciphered in a block of twice so many bits, again and again until it is no more than the largest.

    keys: a word for each round, and for each index those `stride` further on.  rounds: even.  bits: less than 32.
    """
    mask = (1 << bits) - 1
    for i in range(count):
        value = index[i]
        outside = True
        while outside:
            left = (value >> bits) & mask
            right = value & mask
            at = i * stride
            for _ in range(rounds // 2):
                left = left ^ mix_round(right, bits, mask) ^ keys[at]
                right = right ^ mix_round(left, bits, mask) ^ keys[at + 1]
                at += 2
            value = (left << bits) | right
            outside = value > largest[i]
        out[i] = value
    return 0
