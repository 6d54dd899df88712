"""Linear functions of loop variables: what the indices of views are, and when a reshape of them is linear again."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

#: A constant and (loop variable, factor) pairs, by variable; no factor is 0.
Lin = tuple[int, tuple[tuple[int, int], ...]]
ZERO: Lin = (0, ())


class Split(Exception):
    """A loop variable must become two, the inner one of `factor` steps, for an index to be linear."""

    def __init__(self, variable: int, factor: int) -> None:
        super().__init__(variable, factor)
        self.variable, self.factor = variable, factor


class NotLinear(Exception):
    """No split makes an index linear: the argument must be put in memory first."""


def combine_linear(pairs: Sequence[tuple[int, Lin]], constant: int = 0) -> Lin:
    """The sum of factors times linear functions."""
    found: dict[int, int] = {}
    for factor, (c, terms) in pairs:
        constant += factor * c
        for variable, k in terms:
            found[variable] = found.get(variable, 0) + factor * k
    return constant, tuple(sorted((v, k) for v, k in found.items() if k))


def strides(dims: Sequence[int]) -> list[int]:
    """How far apart neighbours along each axis are, row by row."""
    return [math.prod(dims[i + 1 :]) for i in range(len(dims))]


def flatten_index(index: Sequence[Lin], dims: Sequence[int]) -> Lin:
    """The position of an index in memory, row by row."""
    return combine_linear(list(zip(strides(dims), index, strict=True)))


def bounds(lin: Lin, extents: Mapping[int, int]) -> tuple[int, int]:
    """The least and the greatest value of a linear function."""
    low = high = lin[0]
    for variable, k in lin[1]:
        reach = k * (extents[variable] - 1)
        low, high = low + min(reach, 0), high + max(reach, 0)
    return low, high


def unravel_position(position: Lin, dims: Sequence[int], extents: Mapping[int, int]) -> list[Lin]:
    """The index in an array of `dims` of a position in it; raises `Split` or `NotLinear` where that is not linear."""
    found: list[Lin] = []
    for size in reversed(dims[1:]):
        constant, terms = position
        rest: Lin = (constant % size, tuple((v, k) for v, k in terms if k % size))
        low, high = bounds(rest, extents)
        if low < 0 or high >= size:
            raise _split_for(rest, size, extents)
        found.append(rest)
        position = constant // size, tuple((v, k // size) for v, k in terms if not k % size)
    return [*([position] if dims else []), *reversed(found)]


def _split_for(rest: Lin, size: int, extents: Mapping[int, int]) -> Exception:
    for variable, k in rest[1]:
        if k > 0 and size % k == 0 and size // k < extents[variable] and extents[variable] % (size // k) == 0:
            return Split(variable, size // k)
    return NotLinear()
