"""Sums whose bits depend on the terms and their order, and not on how many processes hold them.

The terms 0, 1, ..., n-1 are the leaves of a binary tree: level by level, term 2k is added to term 2k+1, and a last one without a partner
goes up as it is.  A process that holds the terms `[start, start + k)` adds up the branches that are whole in its part.  What is left
over at the two ends, at most two sums a level, goes to the others; everyone then adds those up along the same tree.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

Array = np.ndarray[Any, Any]


class Branch(NamedTuple):
    """Where a sum stands in the tree: the terms from `place * 2**level` on, `2**level` of them or as many as there are."""

    level: int
    place: int


def whole_branches(start: int, count: int, total: int) -> list[Branch]:
    """The branches that the terms `[start, start + count)` of `total` fill, as large as can be, in the order of `sums_of_branches`."""
    return [branch for branch, _ in _climb(start, count, total, None)]


def sums_of_branches(terms: Array, start: int, total: int) -> list[Array]:
    """The sums of the branches that these terms fill; the first axis of `terms` numbers them from `start`."""
    return [found for _, found in _climb(start, len(terms), total, terms) if found is not None]


def _climb(start: int, count: int, total: int, terms: Array | None) -> list[tuple[Branch, Array | None]]:
    """The branches, with their sums where the terms are given."""
    found: list[tuple[Branch, Array | None]] = []
    first, last, width, level = start, start + count, total, 0  # of one level: the places held, and how many places there are
    while first < last:
        if width == 1:
            found.append((Branch(level, 0), None if terms is None else terms[0]))
            break
        if first % 2:
            found.append((Branch(level, first), None if terms is None else terms[0]))
            terms = None if terms is None else terms[1:]
            first += 1
        if first < last and last % 2 and last != width:
            last -= 1
            found.append((Branch(level, last), None if terms is None else terms[-1]))
            terms = None if terms is None else terms[:-1]
        if terms is not None:
            terms = _pair_terms(terms)
        first, last, width, level = first // 2, (last + 1) // 2, (width + 1) // 2, level + 1
    return found


def _pair_terms(terms: Array) -> Array:
    even = len(terms) // 2 * 2
    sums = terms[0:even:2] + terms[1:even:2]
    return sums if even == len(terms) else np.concatenate([sums, terms[even:]])


def sum_of_tree(sums: dict[Branch, Array], total: int, changeable: set[Branch]) -> Array:
    """The sum of all terms, from sums of branches that cover each term once; those of `changeable` may be overwritten.

    Raises KeyError if a branch is missing.
    """
    level, width = 0, total
    while width > 1:
        for place in sorted(branch.place for branch in sums if branch.level == level):
            if place % 2 == 0:
                first, second, both = Branch(level, place), Branch(level, place + 1), Branch(level + 1, place // 2)
                found = sums.pop(first)
                if place + 1 < width:
                    other = sums.pop(second)
                    into = found if first in changeable else other if second in changeable else None
                    found = np.add(found, other, out=into)
                    changeable.add(both)
                elif first in changeable:
                    changeable.add(both)
                sums[both] = found
        level, width = level + 1, (width + 1) // 2
    return sums[Branch(level, 0)]
