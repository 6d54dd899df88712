"""Poisson-distributed numbers, drawn as TensorFlow draws them.

Below a rate of 10 by Knuth's product of uniform numbers; from there by Hörmann's transformed rejection ("The transformed rejection method
for generating Poisson random variables", 1993).  Every output owns a stretch of the stream, as with gamma numbers.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from ...base.dtypes import INDEX, DType, as_dtype, float16, float32, float64, int32, int64
from ...ir.op import define
from ...ir.tensor import TensorType
from ..array.type_rules import Array, invalid_argument, shape_in
from ..vmap_rules.random import draw_for_each
from . import gamma_loops
from .kernels import doubles, reserved_blocks
from .lanes import Pairs, count_rounds, starts_of, try_lanes
from .operations import next_stream, sizes_of
from .philox import Philox, from_key, scramble
from .stateless import seeded_type

_RATES = {float16, float32, float64, int32, int64}
_LARGE = 10.0


def poisson_numbers(stream: Philox, rate: Array, samples: int) -> Array:
    """`samples` draws for each element of `rate`, 0 for a negative one: float64 of shape `(samples,) + rate.shape`."""
    rates = np.repeat(rate.astype(np.float64).reshape(-1), samples)
    position = starts_of(rate.size, samples)
    uniforms = Pairs.empty(len(rates))
    out: Array = np.zeros(len(rates))
    finite = np.isfinite(rates)
    _draw_by_products(stream, uniforms, position, rates, np.flatnonzero((rates < _LARGE) & finite & (rates > 0)), out)
    _draw_by_rejection(stream, uniforms, position, rates, np.flatnonzero((rates >= _LARGE) & finite), out)
    out[~finite & (rates > 0)] = np.inf
    out[np.isnan(rates)] = np.nan
    return out.reshape(rate.size, samples).T.reshape(samples, *rate.shape)


def _draw_by_products(stream: Philox, uniforms: Pairs, position: Array, rates: Array, lanes: Array, out: Array) -> None:
    product, limit = np.ones(len(rates)), np.exp(-rates)
    lanes = count_rounds(gamma_loops.count_factors, stream, position, product, (limit,), lanes, out)
    while lanes.size:
        product[lanes] *= uniforms.take(lanes, position, stream, doubles)
        lanes = lanes[product[lanes] > limit[lanes]]
        out[lanes] += 1


def _draw_by_rejection(stream: Philox, uniforms: Pairs, position: Array, rates: Array, lanes: Array, out: Array) -> None:
    lanes = try_lanes(gamma_loops.transform_poisson, stream, position, (rates,), lanes, out)
    while lanes.size:
        rate = rates[lanes]
        b = 0.931 + 2.53 * np.sqrt(rate)
        a = -0.059 + 0.02483 * b
        u = uniforms.take(lanes, position, stream, doubles) - 0.5
        v = uniforms.take(lanes, position, stream, doubles)
        edge = 0.5 - np.abs(u)
        k = np.floor((2 * a / edge + b) * u + rate + 0.43)
        quick = (edge >= 0.07) & (v <= 0.9277 - 3.6224 / (b - 2))
        possible = (k >= 0) & ~((edge < 0.013) & (v > edge))
        height = np.log(v * (1.1239 + 1.1328 / (b - 3.4)) / (a / (edge * edge) + b))
        accepted = quick | (possible & (height <= -rate + k * np.log(rate) - _log_factorial()(np.maximum(k, 0) + 1)))
        out[lanes[accepted]] = k[accepted]
        lanes = lanes[~accepted]


@cache
def _log_factorial() -> Any:
    import scipy.special

    return scipy.special.gammaln


def _cast_numbers(numbers: Array, dtype: DType) -> Array:
    """The numbers in `dtype`; a whole number has no infinity, and 0 stands there as it does in TensorFlow."""
    kept = np.where(np.isfinite(numbers), numbers, 0) if dtype.is_integer else numbers
    return kept.astype(dtype.numpy_dtype)


def _poisson(shape: Array, rate: Array, *, site: Any, seed: int = 0, seed2: int = 0, dtype: DType = int64) -> Array:
    sizes = sizes_of(shape)
    count = int(np.prod(sizes, dtype=np.int64))
    stream = next_stream(site, "RandomPoissonV2", seed, seed2, (shape.dtype, rate.dtype, dtype), reserved_blocks(count * rate.size))
    return _cast_numbers(poisson_numbers(stream, rate, count).reshape(sizes + rate.shape), dtype)


def _poisson_type(shape: Any, rate: Any, *, seed: int = 0, seed2: int = 0, dtype: DType = int64) -> TensorType:
    sizes = shape_in(shape)
    return TensorType(None if sizes is None or rate.dims is None else (*sizes, *rate.dims), dtype)


RANDOM_POISSON = define(
    "RandomPoissonV2",
    "shape:S rate:R=float64",
    _poisson_type,
    _poisson,
    None,
    dtypes={"S": INDEX, "R": _RATES, "dtype": _RATES},
    stateful=True,
    batch=draw_for_each,
)

RANDOM_POISSON_OLDER = define(
    "RandomPoisson",
    "shape:S rate:dtype",
    lambda shape, rate, *, seed=0, seed2=0: _poisson_type(shape, rate, dtype=rate.dtype),
    lambda shape, rate, *, site, seed=0, seed2=0: _poisson(shape, rate, site=site, seed=seed, seed2=seed2, dtype=as_dtype(rate.dtype)),
    None,
    dtypes={"S": INDEX, "dtype": {float16, float32, float64}},
    stateful=True,
    batch=draw_for_each,
)


def _stateless(shape: Array, seed: Array, lam: Array, *, dtype: DType = float32) -> Array:
    sizes = sizes_of(shape)
    if seed.shape != (2,):
        raise invalid_argument(f"seed must have shape [2], not {list(seed.shape)}")
    if sizes[len(sizes) - lam.ndim :] != lam.shape:
        raise invalid_argument(f"Shape passed in must end with broadcasted shape: {list(sizes)} vs. {list(lam.shape)}")
    samples = int(np.prod(sizes[: len(sizes) - lam.ndim], dtype=np.int64))
    return _cast_numbers(poisson_numbers(from_key(*scramble(seed)), lam, samples).reshape(sizes), dtype)


STATELESS_POISSON = define(
    "StatelessRandomPoisson",
    "shape:T seed:Tseed lam:Rtype",
    lambda shape, seed, lam, *, dtype=float32: seeded_type(shape, seed, dtype),
    _stateless,
    {},
    dtypes={"T": INDEX, "Tseed": INDEX, "Rtype": _RATES, "dtype": _RATES},
    batch="numbers by their place in a stream",
)
