"""Draws by rejection, many outputs at once: each owns a stretch of the stream and takes blocks of it as it needs them.

On NumPy `Pairs` hands every output its next number.  Of many outputs the first rounds are native code, a fixed number of blocks for each,
which is all that most of them need; those that are left go on by the kernel, from the block they have come to.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ...kernels.backend import native_part
from .gamma_loops import LANES, ROUND
from .kernels import STREAM, reserved_blocks
from .philox import Philox

Array = npt.NDArray[Any]
MANY = 1 << 14  # draws from which native code pays


def starts_of(elements: int, samples: int) -> npt.NDArray[np.uint64]:
    """Where in the stream each output's stretch begins: outputs are numbered element by element."""
    return np.arange(elements * samples, dtype=np.uint64) * np.uint64(reserved_blocks(1))


@dataclass
class Pairs:
    """For each output the two doubles of its last block and how many of them are left."""

    values: npt.NDArray[np.float64]
    left: npt.NDArray[np.int8]

    @classmethod
    def empty(cls, count: int) -> Pairs:
        """Lanes of which none has a number left over."""
        return cls(np.zeros((count, 2)), np.zeros(count, np.int8))

    def take(self, lanes: Array, position: Array, stream: Philox, transform: Callable[..., Any]) -> Array:
        """The next number of each of some lanes, from the pair begun or a new one."""
        dry = lanes[self.left[lanes] == 0]
        self.values[dry] = transform(stream.blocks(position[dry]).reshape(-1)).reshape(-1, 2)
        position[dry] += np.uint64(1)
        self.left[dry] = 2
        self.left[lanes] -= 1
        return self.values[lanes, self.left[lanes]]


def run_in_lanes(code: Callable[..., Any], given: Callable[[slice], tuple[Array, ...]], count: int, *outs: Array) -> Array | None:
    """Run native code for `LANES` elements at a time, the last of them filled up with ones.

    given: what the code takes for a stretch of elements.  outs: where its results go, but for the last one, which is answered.  None where
    the code could not give its results.
    """
    last = np.empty(count, bool)
    for start in range(0, count, LANES):
        at = slice(start, min(start + LANES, count))
        missing = start + LANES - at.stop
        arrays = given(at)
        if missing:
            arrays = tuple(x if len(x) < 3 else np.concatenate([x, np.ones(missing, x.dtype)]) for x in arrays)
        found = code(*arrays)
        if type(found) is int:
            return None
        for out, part in zip((*outs, last), found, strict=True):
            out[at] = part[: at.stop - start]
    return last


def _run_chosen(code: Callable[..., Any], stream: Philox, arrays: tuple[Array, ...], chosen: Any, *outs: Array) -> Array | None:
    """Run native code for what `chosen`, lanes or a slice of all, picks of some arrays."""
    words, picked = stream.arrays(), [x[chosen] for x in arrays]
    return run_in_lanes(code, lambda at: (*words, *[x[at] for x in picked]), len(picked[0]), *outs)


def count_rounds(
    lowering: Callable[..., Any], stream: Philox, position: Array, moving: Array, fixed: tuple[Array, ...], lanes: Array, out: Array
) -> Array:
    """Native rounds of code that counts into `out` and moves a number on; the lanes that are left, all of which have used whole blocks."""
    kinds = [((LANES,), x.dtype) for x in (position, moving, *fixed)]
    code = native_part(lowering, *STREAM, *kinds) if len(lanes) >= MANY else None
    while code is not None and len(lanes) >= LANES:
        chosen: Any = slice(None) if len(lanes) == len(out) else lanes
        counts, left = np.empty(len(lanes)), np.empty(len(lanes))
        open_ = _run_chosen(code, stream, (position, moving, *fixed), chosen, counts, left)
        if open_ is None:
            break
        out[chosen] += counts
        moving[chosen] = left
        position[chosen] += np.uint64(ROUND)
        lanes = lanes[open_]
    return lanes


def try_lanes(lowering: Callable[..., Any], stream: Philox, position: Array, fixed: tuple[Array, ...], lanes: Array, out: Array) -> Array:
    """Native tries, each of which takes one block; the lanes that are left."""
    kinds = [((LANES,), x.dtype) for x in (position, *fixed)]
    code = native_part(lowering, *STREAM, *kinds) if len(lanes) >= MANY else None
    while code is not None and len(lanes) >= LANES:
        chosen: Any = slice(None) if len(lanes) == len(out) else lanes
        found = np.empty(len(lanes))
        accepted = _run_chosen(code, stream, (position, *fixed), chosen, found)
        if accepted is None:
            break
        out[lanes[accepted]] = found[accepted]
        position[chosen] += np.uint64(1)
        lanes = lanes[~accepted]
    return lanes
