"""Normal numbers between bounds of one's own, drawn as TensorFlow draws them on one thread.

For each set of parameters numbers are proposed until enough are accepted: normal ones where the mean and 1.3 deviations lie inside,
uniform ones between near bounds, else exponential ones (C. Robert, "Simulation of truncated normal variables", 1995).  The sets follow
one another along the stream, each beginning with a block of its own.  TensorFlow cuts large draws among its threads, by their number; its
numbers then hang on that, ours do not.

The gradient is that of implicit reparametrisation (Figurnov, Mohamed and Mnih, 2018): a sample moves so that its place among the
probabilities stays what it is.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...base.dtypes import INDEX, as_dtype, float16, float32, float64
from ...base.errors import InternalError
from ...base.export import export
from ...base.shapes import show
from ...ir.apply import convert_to_tensor
from ...ir.context import scope
from ...ir.op import define
from ...ir.tensor import DTypeLike, IntLike, NumberLike, ShapeLike, Tensor, TensorType
from ...ir.tracebacks import trims_errors
from ..array.basic import sum_to
from ..array.type_rules import Array, invalid_argument, rank_of, require_rank, shape_in
from ..array.where import where
from ..families import broadcast_dims
from ..math.arithmetic import ABS
from ..math.functions import exp, log, log1p
from ..math.saturate import clip_by_value
from ..primitives.compare import greater, less
from ..special.errors import erf, erfc
from ..vmap_rules import random as rows_random
from .functions import shape_input
from .kernels import normal, uniform
from .operations import next_stream, sizes_of
from .philox import Philox, from_key
from .seed import seed_attributes
from .stateless import key_of, key_type

_LONGEST = 1000  # proposals for one number
_INSIDE = 1.3  # deviations
_RUN = 100  # samples in a row, where all have the same parameters
_REFUSED = "TruncatedNormal: the rejection sampler failed to accept a sample."
_KINDS = {float16, float32, float64}


@dataclass(frozen=True)
class _Plan:
    """How numbers of one distribution are proposed: a turn takes `blocks` of the stream and proposes between a and b."""

    propose: Callable[..., tuple[Array, Array]]
    blocks: int
    a: Any
    b: Any
    deviation: Any
    mean: Any

    def proposals(self, stream: Philox, turns: int) -> tuple[Array, Array]:
        """A row for each turn, and which of them are accepted."""
        return self.propose(stream, turns, self.a, self.b)

    def scale_draw(self, found: Array) -> Array:
        return np.asarray((found * self.deviation + self.mean).astype(self.mean.dtype))


def _plan(parameters: list[Array]) -> _Plan:
    mean, deviation, low, high = parameters
    kind = mean.dtype.type
    if not (deviation > 0 and low < high and (np.isfinite(low) or np.isfinite(high))):
        raise invalid_argument("Invalid parameters")
    if (np.isinf(low) and low < 0) or high < mean:
        low, high, deviation = high, low, -deviation
    a, b = kind((low - mean) / deviation), kind((high - mean) / deviation)
    root = np.sqrt(a * a + kind(4))
    cutoff = kind(2) * np.exp(kind(0.5) + (a * (a - root)) / kind(4)) / (a + root)
    if (a < -_INSIDE and b >= 0) or (b > _INSIDE and a <= 0):
        return _Plan(_normal_proposals, 1, a, b, deviation, mean)
    if b - a < cutoff:
        return _Plan(_uniform_proposals, 2, a, b, deviation, mean)
    return _Plan(_exponential_proposals, 1, a, b, deviation, mean)


def _fill_samples(stream: Philox, parameters: list[Array], samples: int) -> tuple[Array, Philox]:
    """So many samples of one distribution, and where the stream stands afterwards."""
    plan = _plan(parameters)
    found, stream = _accept_numbers(stream, plan, samples)
    return plan.scale_draw(found), stream


def _accept_numbers(stream: Philox, plan: _Plan, samples: int) -> tuple[Array, Philox]:
    """The first numbers that are accepted, and the stream behind the last block that was looked at."""
    parts: list[Array] = []
    have = refused = 0
    turns = max(4, samples // 2)
    while have < samples:
        proposed, good = plan.proposals(stream, turns)
        places = np.flatnonzero(good)[: samples - have]
        if not places.size:
            refused += good.size
            if refused > _LONGEST:
                raise InternalError(None, None, _REFUSED)
        else:
            refused = 0
        parts.append(proposed.reshape(-1)[places])
        have += len(places)
        used = turns if have < samples else int(places[-1]) // proposed.shape[1] + 1
        stream = stream.skip(used * plan.blocks)
    return np.concatenate(parts), stream


def _draw_in_runs(stream: Philox, parameters: list[Array], samples: int, runs: int) -> Array:
    """Runs of so many samples of one distribution, one run after the other; each begins with a turn of its own."""
    plan = _plan(parameters)
    turns = runs * -(-samples // 2) + 4
    while True:
        proposed, good = plan.proposals(stream, turns)
        starts = _starts(np.count_nonzero(good, axis=1), samples, runs)
        places = np.flatnonzero(good)
        if starts is not None:
            return plan.scale_draw(proposed.reshape(-1)[places[starts[:, None] + np.arange(samples)]])
        if places.size * _LONGEST < good.size:
            raise InternalError(None, None, _REFUSED)
        turns *= 2


def _starts(counts: Array, samples: int, runs: int) -> Array | None:
    """How many numbers are accepted before each run, given how many are in each turn; None where there are not turns enough."""
    before = np.append(0, np.cumsum(counts))
    if samples == 1:
        found = before[:-1][counts > 0][:runs]
        return found if len(found) == runs else None
    behind = np.searchsorted(before, before + samples).tolist()  # the turn after that with the last sample of a run from here
    at, turns = 0, []
    for _ in range(runs):
        turns.append(at)
        at = behind[at]
        if at >= len(behind):
            return None
    return np.asarray(before[turns])


def _width(dtype: Any) -> int:
    return 2 if dtype == np.float64 else 4


def _normal_proposals(stream: Philox, turns: int, a: Any, b: Any) -> tuple[Array, Array]:
    width = _width(a.dtype)
    z = normal(stream, (turns, width), a.dtype)
    return z, (z >= a) & (z <= b)


def _uniform_proposals(stream: Philox, turns: int, a: Any, b: Any) -> tuple[Array, Array]:
    width = _width(a.dtype)
    both = uniform(stream, (turns, 2, width), a.dtype)
    z = both[:, 0] * (b - a) + a
    most = a.dtype.type(0) if a < 0 else a * a
    return z, both[:, 1] <= np.exp((most - z * z) / a.dtype.type(2))


def _exponential_proposals(stream: Philox, turns: int, a: Any, b: Any) -> tuple[Array, Array]:
    rate = (a + np.sqrt(a * a + a.dtype.type(4))) / a.dtype.type(2)
    pairs = uniform(stream, (turns, _width(a.dtype) // 2, 2), a.dtype)
    z = -np.log(pairs[..., 0]) / rate + a
    x = rate - z if a < rate else np.full_like(z, a - rate)
    return z, (pairs[..., 1] <= np.exp(-x * x / a.dtype.type(2))) & (z < b)


# ---- with a memory: parameters for each entry of the first axis


def _draw_samples(
    shape: Array, means: Array, stdevs: Array, minvals: Array, maxvals: Array, *, site: Any, seed: int = 0, seed2: int = 0
) -> Array:
    sizes = sizes_of(shape)
    if not sizes:
        raise invalid_argument("Shape tensor must not be empty, got []")
    parameters = {"means": means, "stddevs": stdevs, "minvals": minvals, "maxvals": maxvals}
    for name, x in parameters.items():
        if x.ndim > 1:
            raise invalid_argument(f"Input {name} should be a scalar or vector, got shape: {show(x.shape)}")
    total = math.prod(sizes)
    alike = means.size == 1 and stdevs.size == 1 and not minvals.ndim and not maxvals.ndim
    batches, samples = (-(-total // _RUN), _RUN) if alike else (sizes[0], math.prod(sizes[1:]))
    for name, x in parameters.items():
        if x.size != 1 and x.size != sizes[0]:
            raise invalid_argument(f"Input {name} should have length 1 or shape[0], got shape: {show(x.shape)}")
    blocks = batches * 2 * _LONGEST * (samples + 3) // 4
    stream = next_stream(site, "ParameterizedTruncatedNormal", seed, seed2, (shape.dtype, means.dtype), blocks)
    if total and all(x.size == 1 for x in parameters.values()):
        numbers = _draw_in_runs(stream, [x.reshape(-1)[0] for x in parameters.values()], samples, batches)
        return numbers.reshape(-1)[:total].reshape(sizes)
    out = np.empty(total, means.dtype)
    for batch in range(batches):
        run = out[batch * samples : (batch + 1) * samples]
        chosen = [x.reshape(-1)[batch if x.size > 1 else 0] for x in parameters.values()]
        run[:], stream = _fill_samples(stream, chosen, len(run)) if len(run) else (run, stream)
    return out.reshape(sizes)


def _remembering_type(shape: Any, means: Any, stdevs: Any, minvals: Any, maxvals: Any, *, seed: int = 0, seed2: int = 0) -> TensorType:
    require_rank(shape, 1, f"Input shape should be a vector, got shape: {show(shape.dims)}")
    for name, t in (("means", means), ("stddevs", stdevs), ("minvals", minvals), ("maxvals", maxvals)):
        if (rank_of(t) or 0) > 1:
            require_rank(t, 1, f"Input {name} should be a scalar or vector, got shape: {show(t.dims)}")
    return TensorType(shape_in(shape), means.dtype)


PARAMETERIZED = define(
    "ParameterizedTruncatedNormal",
    "shape:T means:dtype stdevs:dtype minvals:dtype maxvals:dtype",
    _remembering_type,
    _draw_samples,
    {},
    dtypes={"T": INDEX, "dtype": _KINDS},
    stateful=True,
    batch=rows_random.draw_for_batches,
)


@trims_errors
def parameterized_truncated_normal(
    shape: ShapeLike,
    means: NumberLike = 0.0,
    stddevs: NumberLike = 1.0,
    minvals: NumberLike = -2.0,
    maxvals: NumberLike = 2.0,
    dtype: DTypeLike = float32,
    seed: IntLike | None = None,
    name: str | None = None,
) -> Tensor:
    """Normally distributed numbers within bounds; the parameters are scalars or vectors, one for each row of the result.

    TensorFlow has it in `tensorflow.python.ops.random_ops` alone; `tf.random.stateless_parameterized_truncated_normal` is public.

    >>> x = parameterized_truncated_normal([100], minvals=1.0, maxvals=3.0)
    >>> bool(((x >= 1.0) & (x <= 3.0)).numpy().all())
    True
    """
    kind = as_dtype(dtype)
    with scope(name, "parameterized_truncated_normal") as inner:
        parameters = [convert_to_tensor(x, kind) for x in (means, stddevs, minvals, maxvals)]
        return PARAMETERIZED.call(shape_input(shape), *parameters, name=inner, **seed_attributes(seed))


# ---- without: parameters that broadcast, for the last axes


def _stateless(shape: Array, seed: Array, means: Array, stddevs: Array, minvals: Array, maxvals: Array) -> Array:
    sizes = sizes_of(shape)
    stream = from_key(*key_of(seed))
    try:
        parameters = np.broadcast_arrays(means, stddevs, minvals, maxvals)
    except ValueError:
        shapes = " vs. ".join(show(x.shape) for x in (means, stddevs, minvals, maxvals))
        raise invalid_argument(f"means, stddevs, minvals, maxvals must have compatible batch dimensions: {shapes}") from None
    batch = parameters[0].shape
    if sizes[len(sizes) - len(batch) :] != batch or len(batch) > len(sizes):
        raise invalid_argument(f"Shape passed in must end with broadcasted shape. It is {show(sizes)}, that {show(batch)}")
    samples = math.prod(sizes[: len(sizes) - len(batch)])
    out = np.empty((math.prod(batch), samples), means.dtype)
    for i, chosen in enumerate(zip(*(x.reshape(-1) for x in parameters), strict=True)) if samples else ():
        out[i], stream = _fill_samples(stream, list(chosen), samples)
    return out.T.reshape(sizes)


def _stateless_type(shape: Any, seed: Any, means: Any, stddevs: Any, minvals: Any, maxvals: Any) -> TensorType:
    key_type(seed)
    dims = broadcast_dims(broadcast_dims(means.dims, stddevs.dims), broadcast_dims(minvals.dims, maxvals.dims))
    return TensorType(shape_in(shape) if dims is None or shape_in(shape) is not None else None, means.dtype)


def _probability_below(x: Any) -> Any:
    """The probability that a standard normal number is below x, exact in both tails."""
    half = x * math.sqrt(0.5)
    size = ABS.call(half)
    tail = erfc(size)
    far = where(greater(half, 0.0), 2.0 - tail, tail)
    return 0.5 * where(less(size, math.sqrt(0.5)), 1.0 + erf(half), far)


def _pull_back(g: Any, out: Any, means: Any, stddevs: Any, minvals: Any, maxvals: Any) -> tuple[Any, Any, Any, Any]:
    low, high, at = ((x - means) / stddevs for x in (minvals, maxvals, out))
    limits = np.finfo(out.dtype.numpy_dtype)
    place = (_probability_below(at) - _probability_below(low)) / (_probability_below(high) - _probability_below(low))
    place = clip_by_value(place, limits.tiny, 1 - limits.eps)
    of_high = exp(0.5 * (at * at - high * high) + log(place))
    of_low = exp(0.5 * (at * at - low * low) + log1p(-place))
    return sum_to(g, means), sum_to(g * at, stddevs), sum_to(g * of_low, minvals), sum_to(g * of_high, maxvals)


STATELESS = define(
    "StatelessParameterizedTruncatedNormal",
    "shape:S seed:Tseed means:dtype stddevs:dtype minvals:dtype maxvals:dtype",
    _stateless_type,
    _stateless,
    {("means", "stddevs", "minvals", "maxvals"): _pull_back},
    dtypes={"S": INDEX, "Tseed": INDEX, "dtype": _KINDS},
    batch="numbers by their place in a stream",
)


@export("random.stateless_parameterized_truncated_normal")
def stateless_parameterized_truncated_normal(
    shape: ShapeLike, seed: IntLike, means: NumberLike = 0.0, stddevs: NumberLike = 1.0, minvals: NumberLike = -2.0,
    maxvals: NumberLike = 2.0, name: str | None = None,
) -> Tensor:  # fmt: skip
    """Normally distributed numbers between `minvals` and `maxvals`, the same for the same `seed` (two integers).

    shape: 1-D integers, whose last ones are the shape to which the parameters broadcast.  means, stddevs, minvals, maxvals: of one dtype,
    float16, float32 or float64; gradients reach them all.  One of the bounds may be infinite.  Raises InvalidArgumentError for a deviation
    that is not positive, bounds without anything between them, and shapes that do not fit.

    >>> x = tf.random.stateless_parameterized_truncated_normal([100], [1, 2], minvals=1.0, maxvals=3.0)
    >>> bool(((x.numpy() >= 1.0) & (x.numpy() <= 3.0)).all())
    True
    """
    with scope(name, "stateless_parameterized_truncated_normal") as inner:
        named = {"means": means, "stddevs": stddevs, "minvals": minvals, "maxvals": maxvals}
        parameters = [convert_to_tensor(x, name=name) for name, x in named.items()]
        return STATELESS(shape_input(shape), seed, *parameters, name=inner or None)
