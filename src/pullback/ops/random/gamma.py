"""Gamma-distributed numbers, drawn as TensorFlow draws them.

Marsaglia and Tsang, "A simple method for generating gamma variables" (2000): cube a shifted normal number, accept it against a uniform
one.  Every output owns a stretch of the stream, and within it takes blocks as it needs them: one block makes two normal or two uniform
numbers, both used from the second to the first.  All outputs go through the loop together; those accepted drop out.  Of many outputs
the first try is native, which is all that most of them need.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ...kernels.backend import native_part
from . import gamma_loops
from .gamma_loops import LANES
from .kernels import STREAM, box_muller_64, doubles, reserved_blocks
from .lanes import MANY, Pairs, run_in_lanes, starts_of
from .philox import Philox

Array = npt.NDArray[Any]


def gamma(stream: Philox, alpha: Array, samples: int) -> Array:
    """`samples` draws for each element of `alpha`: shape `(samples,) + alpha.shape`, unit rate."""
    flat = alpha.astype(np.float64).reshape(-1)
    out = _draw(stream, np.repeat(flat, samples)).reshape(flat.size, samples)
    return out.T.reshape(samples, *alpha.shape).astype(alpha.dtype)


def _draw(stream: Philox, alpha: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """One number for each of `alpha`, each from the stretch of its own."""
    out: Array = np.empty(len(alpha))
    starts, lanes = starts_of(len(alpha), 1), np.arange(len(alpha))
    first_try = native_part(gamma_loops.first_try, *STREAM, ((LANES,), alpha.dtype)) if len(alpha) >= MANY else None
    if first_try is not None:
        done = run_in_lanes(first_try, lambda at: (*stream.skip(reserved_blocks(int(at.start))).arrays(), alpha[at]), lanes.size, out)
        lanes = lanes if done is None else np.flatnonzero(~done)
    out[lanes] = _draw_by_trying(stream, starts[lanes], alpha[lanes])
    return out


def _subtract_third(alpha: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """alpha - 1/3, of an alpha below 1 that of alpha + 1, whose numbers are made smaller afterwards."""
    return alpha + np.where(alpha < 1, 2 / 3, -1 / 3)


def _draw_by_trying(stream: Philox, position: npt.NDArray[np.uint64], alpha: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    out: Array = np.full(len(alpha), np.nan)
    uniforms, normals = Pairs.empty(len(alpha)), Pairs.empty(len(alpha))
    exponential = np.flatnonzero(alpha == 1)
    out[exponential] = -np.log1p(-uniforms.take(exponential, position, stream, doubles))
    lanes = np.flatnonzero((alpha != 1) & (_subtract_third(alpha) > 0))  # there is no such distribution of others
    while lanes.size:
        d = _subtract_third(alpha[lanes])
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
