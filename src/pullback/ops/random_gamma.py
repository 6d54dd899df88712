"""Gamma-distributed numbers, drawn as TensorFlow draws them.

Marsaglia and Tsang, "A simple method for generating gamma variables" (2000): cube a shifted normal number, accept it against a uniform
one.  Every output owns a stretch of the stream, and within it takes blocks as it needs them: one block makes two normal or two uniform
numbers, both used from the second to the first.  All outputs go through the loop together; those accepted drop out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from .random_kernels import box_muller_64, doubles, reserved
from .random_philox import Philox

Array = npt.NDArray[Any]


def gamma(stream: Philox, alpha: Array, samples: int) -> Array:
    """`samples` draws for each element of `alpha`: shape `(samples,) + alpha.shape`, unit rate."""
    flat = alpha.astype(np.float64).reshape(-1)
    shapes = np.tile(flat, (samples, 1))
    starts = starts_of(samples, flat.size)
    out = _draw(stream, starts, shapes.reshape(-1))
    return out.reshape(samples, *alpha.shape).astype(alpha.dtype)


def starts_of(samples: int, elements: int) -> npt.NDArray[np.uint64]:
    """Where in the stream each output's stretch begins; outputs are numbered element by element but stored sample by sample."""
    order = np.arange(samples * elements).reshape(elements, samples).T
    return order.reshape(-1).astype(np.uint64) * np.uint64(reserved(1))


@dataclass
class Pairs:
    """For each output the two doubles of its last block and how many of them are left."""

    values: npt.NDArray[np.float64]
    left: npt.NDArray[np.int8]

    @classmethod
    def empty(cls, count: int) -> Pairs:
        return cls(np.zeros((count, 2)), np.zeros(count, np.int8))

    def take(self, lanes: Array, position: Array, stream: Philox, transform: Any) -> Array:
        dry = lanes[self.left[lanes] == 0]
        self.values[dry] = transform(stream.blocks(position[dry]).reshape(-1)).reshape(-1, 2)
        position[dry] += np.uint64(1)
        self.left[dry] = 2
        self.left[lanes] -= 1
        return self.values[lanes, self.left[lanes]]


def _draw(stream: Philox, position: npt.NDArray[np.uint64], alpha: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    out: Array = np.empty(len(alpha))
    uniforms, normals = Pairs.empty(len(alpha)), Pairs.empty(len(alpha))
    exponential = np.flatnonzero(alpha == 1)
    out[exponential] = -np.log1p(-uniforms.take(exponential, position, stream, doubles))
    lanes = np.flatnonzero(alpha != 1)
    while lanes.size:
        d = alpha[lanes] + np.where(alpha[lanes] < 1, 2 / 3, -1 / 3)
        x = normals.take(lanes, position, stream, box_muller_64)
        cube = (1 + x / (3 * np.sqrt(d))) ** 3
        possible = np.flatnonzero(cube > 0)
        tried, x, d, cube = lanes[possible], x[possible], d[possible], cube[possible]
        u = uniforms.take(tried, position, stream, doubles)
        accepted = (u < 1 - 0.0331 * x**4) | (np.log(u) < 0.5 * x * x + d * (1 - cube + np.log(cube)))
        done = tried[accepted]
        out[done] = (d * cube)[accepted]
        small = done[alpha[done] < 1]
        out[small] *= uniforms.take(small, position, stream, doubles) ** (1 / alpha[small])
        lanes = np.setdiff1d(lanes, done, assume_unique=True)
    return out
