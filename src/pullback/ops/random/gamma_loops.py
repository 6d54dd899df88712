"""Gamma, Poisson and binomial numbers in native code: a round of tries for many outputs at once, each from its own stretch of the stream.

The kernels (`random_gamma`, `random_poisson`, `random_binomial`) say what a try is and go on with those that it leaves; block by block and
number by number this takes what they take, and decisions fall alike but where a rounding of logarithms decides.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .philox import BLOCKS_PER_SAMPLE
from .random_lowering import blocks_at, normal_of, uniform_of

#: Outputs that go through the code together.
LANES = 1 << 12
#: Blocks that a round of products takes.
ROUND = 4
_DOUBLE = np.dtype(np.float64)


def first_try(builder: Any, key: Any, counter: Any, alpha: Any) -> tuple[Any, Any]:
    """A gamma number of shape `alpha` for each output, and whether it was accepted."""
    places = builder.iota((LANES,), 0, np.uint64) * BLOCKS_PER_SAMPLE
    first = blocks_at(builder, key, counter, places)
    x, alone = normal_of(builder, first, _DOUBLE)[1], uniform_of(builder, first, _DOUBLE)[1]
    boost, u = uniform_of(builder, blocks_at(builder, key, counter, places + 1), _DOUBLE)
    small = builder.compare("lt", alpha, 1)
    d = builder.select(small, alpha + 2 / 3, alpha - 1 / 3)
    root = x / (builder.sqrt(d) * 3.0) + 1.0
    cube = root * root * root
    squared = x * x
    likely = builder.compare("lt", u, 1.0 - squared * squared * 0.0331)
    possible = builder.compare("lt", builder.log(u), squared * 0.5 + d * (1.0 - cube + builder.log(cube)))
    value = d * cube
    value = builder.select(small, value * boost ** (1.0 / alpha), value)
    exponential = builder.compare("eq", alpha, 1)
    accepted = exponential | (builder.compare("lt", 0, cube) & (likely | possible))
    return builder.select(exponential, -builder.log1p(-alone), value), accepted


def count_factors(builder: Any, key: Any, counter: Any, places: Any, product: Any, limit: Any) -> tuple[Any, Any, Any]:
    """How many of the next uniform numbers leave the product above its limit; the product, and whether it still is."""
    count: Any = None
    for i in range(ROUND):
        for u in uniform_of(builder, blocks_at(builder, key, counter, places + i), _DOUBLE)[::-1]:
            product = product * u
            above = builder.cast(builder.compare("lt", limit, product), _DOUBLE)
            count = above if count is None else count + above
    return count, product, builder.compare("lt", limit, product)


def count_waits(builder: Any, key: Any, counter: Any, places: Any, waited: Any, trials: Any, rate: Any) -> tuple[Any, Any, Any]:
    """How many of the next waits for a success end within the trials; how long all took, and whether the last ended within."""
    count: Any = None
    for i in range(ROUND):
        for u in uniform_of(builder, blocks_at(builder, key, counter, places + i), _DOUBLE)[::-1]:
            waited = waited + builder.ceil(builder.log(u) / rate)
            within = builder.cast(builder.compare("le", waited, trials), _DOUBLE)
            count = within if count is None else count + within
    return count, waited, builder.compare("le", waited, trials)


def transform_poisson(builder: Any, key: Any, counter: Any, places: Any, rate: Any) -> tuple[Any, Any]:
    """A Poisson number by transformed rejection for each output, and whether it was accepted."""
    v, u = uniform_of(builder, blocks_at(builder, key, counter, places), _DOUBLE)
    u = u - 0.5
    b = builder.sqrt(rate) * 2.53 + 0.931
    a = b * 0.02483 - 0.059
    edge = 0.5 - builder.abs(u)
    k = builder.floor((a * 2.0 / edge + b) * u + rate + 0.43)
    quick = builder.compare("le", 0.07, edge) & builder.compare("le", v, 0.9277 - 3.6224 / (b - 2.0))
    possible = builder.compare("le", 0, k) & ~(builder.compare("lt", edge, 0.013) & builder.compare("lt", edge, v))
    height = builder.log(v * (1.1239 + 1.1328 / (b - 3.4)) / (a / (edge * edge) + b))
    below = builder.compare("le", height, k * builder.log(rate) - rate - builder.pointwise("lgamma", builder.max(k, 0) + 1.0))
    return k, quick | (possible & below)
