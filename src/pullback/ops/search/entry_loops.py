"""Plain loops over rows, which run natively where they can (`kernels.native_loops`): what stops early, or remembers what it has seen.

All arrays are flat: row i of `size` numbers begins at `i * size`.
"""

from __future__ import annotations

from ...kernels.loops import Array


def in_top(found: Array, rows: Array, targets: Array, k: int, count: int, size: int, *, glance: int) -> int:
    """Whether fewer than k numbers of a row exceed the one at its target; not where the target is outside or a number is not finite.

    A row is left as soon as that shows, which is looked at after every `glance` numbers.
    """
    for i in range(count):
        target = targets[i]
        ahead = k
        if target >= 0 and target < size:
            own = rows[i * size + target]
            ahead = 0
            at = i * size
            end = at + size
            while at < end and ahead < k:
                stop = min(at + glance, end)
                odd = 0
                for j in range(at, stop):
                    x = rows[j]
                    ahead += int(x > own)
                    odd += int(x - x != 0)
                if odd > 0:
                    ahead = k
                at = stop
        found[i] = ahead < k
    return 0


def distinct_rows(number: Array, first: Array, counts: Array, table: Array, rows: Array, count: int, size: int, mask: int) -> int:
    """Numbers the distinct rows of integers in the order they first appear; returns how many there are.

    table: as many places as `mask` and one, all -1, for the numbers of rows by their hash.
    """
    known = 0
    for i in range(count):
        code = 0
        for j in range(size):
            code = ((code ^ int(rows[i * size + j])) * 2654435769) & 9007199254740991
            code = code ^ (code >> 29)
        at = code & mask
        mine = -1
        while mine < 0:
            other = table[at]
            if other < 0:
                table[at] = known
                first[known] = i
                counts[known] = 0
                mine = known
                known += 1
            else:
                begin = first[other] * size
                same = 0
                while same < size and rows[begin + same] == rows[i * size + same]:
                    same += 1
                if same == size:
                    mine = other
            at = (at + 1) & mask
        number[i] = mine
        counts[mine] += 1
    return known


def histogram(counts: Array, places: Array, values: Array, low: Array, step: Array, count: int, bins: int) -> int:
    """Adds one to the bin of each number, those outside to the first or the last; returns how many numbers are NaN.

    counts: four tables, so that equal neighbours need not wait for each other.  places: room for 1024
    bins, found at a time.  low, step: arrays of one number.
    """
    odd = 0
    for begin in range(0, count, 1024):
        end = min(begin + 1024, count)
        for i in range(begin, end):
            x = values[i]
            odd += int(x != x)  # noqa: PLR0124  # NaN
            places[i - begin] = int(min(max(0.0, (x - low[0]) / step[0]), bins - 1))
        for i in range(begin, end):
            counts[(i & 3) * bins + places[i - begin]] += 1
    return odd


def upper_bounds(found: Array, x: Array, edges: Array, count: int, size: int) -> int:
    """How many of the rising `edges`, at least one, are not above a number; all for NaN.

    Many numbers take a step of halving together, so that none waits for what is read, nor for a guess.
    """
    for begin in range(0, count, 1024):
        end = min(begin + 1024, count)
        for i in range(begin, end):
            found[i] = 0
        span = size
        while span > 1:
            half = span >> 1
            for i in range(begin, end):
                v = x[i]
                at = found[i]
                edge = edges[at + half - 1]
                found[i] = at + (0 if v < edge else half)
            span = span - half
        for i in range(begin, end):
            v = x[i]
            at = found[i]
            edge = edges[at]
            found[i] = at + (0 if v < edge else 1)
    return 0
