"""Binomially distributed numbers, drawn as TensorFlow draws them.

Where less than 10 successes are expected, geometric numbers are added up until they exceed the trials; else by Hörmann's transformed
rejection ("The generation of binomial random variates", 1993).  More likely successes than failures are drawn as failures.  Every output
owns a stretch of the stream, from which it takes doubles, the second of a block first; all outputs go through the loops together.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.dtypes import FLOATING, INDEX, DType, as_dtype, float32, int32, int64
from ...base.export import export
from ...base.shapes import show
from ...ir.apply import convert_to_tensor
from ...ir.context import scope
from ...ir.op import define
from ...ir.tensor import DTypeLike, IntLike, NumberLike, ShapeLike, Tensor, TensorType
from ..array.type_rules import Array, invalid_argument, shape_in
from ..families import broadcast_dims
from . import gamma_loops
from .functions import shape_input
from .generator import read_and_skip
from .kernels import doubles
from .lanes import Pairs, count_rounds
from .operations import sizes_of
from .philox import Philox, from_key
from .stateless import key_of, key_type

_NUMBERS = (FLOATING | {int32, int64}) - {d for d in FLOATING if d.name == "bfloat16"}
_LARGE = 10.0  # successes
_FEW, _MANY = 42, 256  # blocks that an output owns
_TAIL = np.array([
    0.0810614667953272, 0.0413406959554092, 0.0276779256849983, 0.02079067210376509, 0.0166446911898211,
    0.0138761288230707, 0.0118967099458917, 0.0104112652619720, 0.00925546218271273, 0.00833056343336287,
])  # fmt: skip


def binomial(stream: Philox, counts: Array, probs: Array, sizes: tuple[int, ...]) -> Array:
    """Float64 numbers of `sizes`, whose last dimensions are those of `counts` and `probs` broadcast."""
    try:
        trials, chances = np.broadcast_arrays(counts, probs)
    except ValueError:
        text = f"counts and probs must have compatible batch dimensions: {show(counts.shape)} vs. {show(probs.shape)}"
        raise invalid_argument(text) from None
    if sizes[len(sizes) - trials.ndim :] != trials.shape:
        raise invalid_argument(f"Shape passed in must end with broadcasted shape. It is {show(sizes)}, that {show(trials.shape)}")
    samples = int(np.prod(sizes[: len(sizes) - trials.ndim], dtype=np.int64))
    n, p = (np.repeat(x.reshape(-1), samples) for x in (trials, chances))  # an output for each sample of the first pair, then of the next
    found = _draws(stream, n, p)
    return found.reshape(trials.size, samples).T.reshape(sizes)


def _draws(stream: Philox, n: Array, p: Array) -> Array:
    failures = p > 0.5
    q = np.where(failures, p.dtype.type(1) - p, p)
    large = n * q >= _LARGE
    trials, chance = n.astype(np.float64), q.astype(np.float64)
    out = np.where((trials > 0) & np.isnan(p), np.nan, 0.0)
    usual = (trials > 0) & (p > 0) & (p < 1)
    position = np.arange(len(n), dtype=np.uint64) * np.where(large, _MANY, _FEW).astype(np.uint64)
    uniforms = Pairs.empty(len(n))
    _draw_by_waiting(stream, uniforms, position, trials, chance, np.flatnonzero(usual & ~large), out)
    _draw_by_rejection(stream, uniforms, position, trials, chance, np.flatnonzero(usual & large), out)
    turned = usual & failures
    out[turned] = trials[turned] - out[turned]
    certain = (trials > 0) & (p >= 1)
    out[certain] = trials[certain]
    return out


def _draw_by_waiting(stream: Philox, uniforms: Pairs, position: Array, n: Array, p: Array, lanes: Array, out: Array) -> None:
    waited, rate = np.zeros(len(n)), np.log1p(-p)
    lanes = count_rounds(gamma_loops.count_waits, stream, position, waited, (n, rate), lanes, out)
    while lanes.size:
        u = uniforms.take(lanes, position, stream, doubles)
        waited[lanes] += np.ceil(np.log(u) / rate[lanes])
        lanes = lanes[waited[lanes] <= n[lanes]]
        out[lanes] += 1


def _tail(k: Array) -> Array:
    """What Stirling's formula leaves of log k!."""
    square = (k + 1) * (k + 1)
    found: Array = (1.0 / 12 - (1.0 / 360 - 1.0 / 1260 / square) / square) / (k + 1)
    small = k <= 9
    found[small] = _TAIL[k[small].astype(np.intp)]
    return found


def _draw_by_rejection(stream: Philox, uniforms: Pairs, position: Array, trials: Array, chance: Array, lanes: Array, out: Array) -> None:
    while lanes.size:
        n, p = trials[lanes], chance[lanes]
        deviation = np.sqrt(n * p * (1 - p))
        b = 1.15 + 2.53 * deviation
        a = -0.0873 + 0.0248 * b + 0.01 * p
        u = uniforms.take(lanes, position, stream, doubles) - 0.5
        v = uniforms.take(lanes, position, stream, doubles)
        edge = 0.5 - np.abs(u)
        k = np.floor((2 * a / edge + b) * u + n * p + 0.5)
        accepted = (edge >= 0.07) & (v <= 0.92 - 4.2 / b)
        open_ = ~accepted & (k >= 0) & (k <= n)
        v = np.log(v * (2.83 + 5.1 / b) * deviation / (a / (edge * edge) + b))
        accepted[open_] = v[open_] <= _bound_of(n[open_], p[open_], k[open_])
        out[lanes[accepted]] = k[accepted]
        lanes = lanes[~accepted]


def _bound_of(n: Array, p: Array, k: Array) -> Array:
    ratio = p / (1 - p)
    m = np.floor((n + 1) * p)
    found: Array = (
        (m + 0.5) * np.log((m + 1) / (ratio * (n - m + 1)))
        + (n + 1) * np.log((n - m + 1) / (n - k + 1))
        + (k + 0.5) * np.log(ratio * (n - k + 1) / (k + 1))
        + _tail(m) + _tail(n - m) - _tail(k) - _tail(n - k)
    )  # fmt: skip
    return found


def _type(shape: Any, counts: Any, probs: Any, dtype: DType) -> TensorType:
    if counts.dims is not None and probs.dims is not None:
        broadcast_dims(counts.dims, probs.dims)
    return TensorType(shape_in(shape), dtype)


def _cast_to(found: Array, dtype: DType) -> Array:
    return found.astype(dtype.numpy_dtype)


def _stateless_type(shape: Any, seed: Any, counts: Any, probs: Any, *, dtype: DType = int64) -> TensorType:
    key_type(seed)
    return _type(shape, counts, probs, dtype)


STATELESS_BINOMIAL = define(
    "StatelessRandomBinomial",
    "shape:S seed:Tseed counts:T=float64 probs:T",
    _stateless_type,
    lambda shape, seed, counts, probs, *, dtype=int64: _cast_to(binomial(from_key(*key_of(seed)), counts, probs, sizes_of(shape)), dtype),
    {},
    dtypes={"S": INDEX, "Tseed": INDEX, "T": _NUMBERS},
    batch="numbers by their place in a stream",
)


def _draw_of_generator(
    resource: Any, algorithm: Array, shape: Array, counts: Array, probs: Array, *, site: Any, dtype: DType = int64
) -> Array:
    sizes = sizes_of(shape)
    rank = max(counts.ndim, probs.ndim)
    if rank > len(sizes):
        raise invalid_argument("Shape passed in must end with broadcasted shape.")
    batches = int(np.prod(sizes[len(sizes) - rank :], dtype=np.int64))
    samples = int(np.prod(sizes[: len(sizes) - rank], dtype=np.int64))
    words = read_and_skip(resource, algorithm, batches * 2 * 100 * (samples + 3) // 4, site).astype(np.uint64)
    return _cast_to(binomial(from_key(words[2:], words[:2]), counts, probs, sizes), dtype)


STATEFUL_BINOMIAL = define(
    "StatefulRandomBinomial",
    "resource:R algorithm:int64 shape:S counts:T=float64 probs:T",
    lambda resource, algorithm, shape, counts, probs, *, dtype=int64: _type(shape, counts, probs, dtype),
    _draw_of_generator,
    {},
    dtypes={"S": INDEX, "T": _NUMBERS},
    stateful=True,
    effects=True,
    batch="numbers by their place in a stream",
)


@export("random.stateless_binomial")
def stateless_binomial(
    shape: ShapeLike, seed: IntLike, counts: NumberLike, probs: NumberLike, output_dtype: DTypeLike = int32, name: str | None = None
) -> Tensor:
    """How many of `counts` trials succeed that do so with probability `probs`, the same for the same `seed` (two integers).

    shape: 1-D integers, whose last ones are the shape to which counts and probs broadcast.  counts, probs: of one dtype, floating, int32
    or int64.  Without a gradient.  Raises InvalidArgumentError (in graphs ValueError) for shapes that do not fit.

    >>> tf.random.stateless_binomial([6], [1, 2], 10.0, 0.3).numpy().tolist()
    [5, 5, 5, 4, 4, 3]
    """
    with scope(name, "stateless_random_binomial") as inner:
        chances = convert_to_tensor(probs, dtype_hint=float32, name="probs")
        trials = convert_to_tensor(counts, dtype_hint=chances.dtype, name="counts")
        return STATELESS_BINOMIAL(shape_input(shape), seed, trials, chances, dtype=as_dtype(output_dtype), name=inner or None)
