"""Random operations that remember: each call goes on where the last one of the same operation stopped.

An operation is the same when its type, its attributes and the dtypes of its inputs are (eagerly), or when it is one node of a graph
(each session remembering for itself): that is where TensorFlow keeps its counters, and so seeded programs give TensorFlow's numbers.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from threading import RLock
from typing import Any

import numpy as np

from ...base.dtypes import ANY, FLOATING, INDEX, REAL, DType, bfloat16, int64
from ...base.shapes import show
from ...ir.op import Remedies, Traits, define
from ...ir.tensor import Tensor, TensorType
from ...kernels.memory_limit import require_room
from ..array.create import range as array_range
from ..array.shape import size
from ..array.type_rules import Array, invalid_argument, require_rank, scalar_size, shape_in
from ..reduce.reductions import reduce_sum
from ..special.igamma_orders import RANDOM_GAMMA_GRAD
from ..vmap_rules import random as rows_random
from . import kernels as kernels, random_lowering
from .gamma import gamma
from .philox import Philox, from_seeds
from .seed import STREAMS

_SEEDED = {"T": INDEX}
_NUMBERS = np.dtype(np.float32)  # near enough to what is drawn, for asking whether there is memory
_FRESH = random.SystemRandom()
#: Held while a stream is read and moved on: threads never draw the same numbers.
STREAMS_LOCK = RLock()


def find_stream(site: Any, op: str, seed: int, seed2: int, key: tuple[Any, ...]) -> Philox | None:
    """The operation's stream where it stands; None where it has not begun."""
    found: Philox | None = site.memory.get(STREAMS, {}).get((site.name, op, seed, seed2, *key))
    return found


def next_stream(site: Any, op: str, seed: int, seed2: int, key: tuple[Any, ...], blocks: int) -> Philox:
    """The operation's stream where it stands, which then moves on by `blocks`."""
    streams = site.memory.setdefault(STREAMS, {})
    place = (site.name, op, seed, seed2, *key)
    with STREAMS_LOCK:
        stream: Philox | None = streams.get(place)
        if stream is None:
            stream = from_seeds(_FRESH.getrandbits(64), _FRESH.getrandbits(64)) if seed == seed2 == 0 else from_seeds(seed, seed2)
        after = streams[place] = stream.skip(blocks)
    if site.run is not None:
        if site.run.moved is None:
            site.run.moved = {}
        moved = site.run.moved
        moved[place] = moved[place][0] if place in moved else stream, after
    return stream


def sizes_of(shape: Array) -> tuple[int, ...]:
    """A shape input as a tuple; refuses negative sizes."""
    if shape.ndim != 1:
        raise invalid_argument(f"shape must be a vector, got shape {show(shape.shape)}")
    sizes = tuple(int(n) for n in shape)
    for n in sizes:
        if n < 0:
            raise invalid_argument(f"Dimension {n} must be >= 0")
    require_room(sizes, _NUMBERS)
    return sizes


def _shape_type(shape: Any, *, dtype: DType, seed: int = 0, seed2: int = 0) -> TensorType:
    require_rank(shape, 1, f"shape must be a vector, got shape {show(shape.dims)}")
    return TensorType(shape_in(shape), dtype)


def _distribution(name: str, draw: Any, lower: Any = None) -> Any:
    def kernel(shape: Array, *, dtype: DType, site: Any, seed: int = 0, seed2: int = 0) -> Array:
        sizes = sizes_of(shape)
        count = int(np.prod(sizes, dtype=np.int64))
        stream = next_stream(site, name, seed, seed2, (shape.dtype, dtype), kernels.reserved_blocks(count))
        out: Array = draw(stream, sizes, np.dtype(dtype.numpy_dtype))
        return out

    given = {**_SEEDED, "dtype": FLOATING}
    return define(name, "shape:T", _shape_type, kernel, {}, dtypes=given, stateful=True, batch=rows_random.draw, lower=lower)


RANDOM_UNIFORM = _distribution("RandomUniform", kernels.uniform, random_lowering.lower_stateful(random_lowering.uniform))
RANDOM_NORMAL = _distribution("RandomStandardNormal", kernels.normal, random_lowering.lower_stateful(random_lowering.normal))
TRUNCATED_NORMAL = _distribution(
    "TruncatedNormal", kernels.truncated_normal, random_lowering.lower_stateful(random_lowering.truncated_normal)
)


def _int_type(shape: Any, minval: Any, maxval: Any, *, seed: int = 0, seed2: int = 0) -> TensorType:
    require_rank(minval, 0, f"minval must be 0-D, got shape {show(minval.dims)}")
    require_rank(maxval, 0, f"maxval must be 0-D, got shape {show(maxval.dims)}")
    return TensorType(shape_in(shape), minval.dtype)


def check_range(minval: Array, maxval: Array) -> None:
    """Refuse an empty range of integers."""
    for name, bound in (("minval", minval), ("maxval", maxval)):
        if bound.ndim:
            raise invalid_argument(f"{name} must be 0-D, got shape {list(bound.shape)}")
    if not minval < maxval:
        raise invalid_argument(f"Need minval < maxval, got {minval} >= {maxval}")


def _uniform_int(shape: Array, minval: Array, maxval: Array, *, site: Any, seed: int = 0, seed2: int = 0) -> Array:
    sizes = sizes_of(shape)
    count = int(np.prod(sizes, dtype=np.int64))
    if count:
        check_range(minval, maxval)
    stream = next_stream(site, "RandomUniformInt", seed, seed2, (shape.dtype, minval.dtype), kernels.reserved_blocks(count))
    return kernels.uniform_int(stream, sizes, minval, maxval)


RANDOM_UNIFORM_INT = define(
    "RandomUniformInt",
    "shape:T minval:Tout maxval:Tout",
    _int_type,
    _uniform_int,
    {},
    dtypes={"T": INDEX, "Tout": INDEX},
    stateful=True,
    batch=rows_random.draw,
    lower=random_lowering.lower_stateful_int,
)


def _stream_of(node: Any) -> tuple[Any, ...]:
    """The arguments of `next_stream` for a node whose shape is known, after the site."""
    (out,), attrs = node.outputs, node.attrs
    key = (np.dtype(node.inputs[0].dtype.numpy_dtype), np.dtype(out.dtype.numpy_dtype) if "dtype" not in attrs else attrs["dtype"])
    return node.primitive.name, attrs["seed"], attrs["seed2"], key, kernels.reserved_blocks(math.prod(out.dims))


#: Draws that native programs do themselves once they know where the stream stands.
NATIVE_STREAMS: dict[str, Callable[[Any], tuple[Any, ...]]] = {
    op.name: _stream_of for op in (RANDOM_UNIFORM, RANDOM_NORMAL, TRUNCATED_NORMAL, RANDOM_UNIFORM_INT)
}


def _shuffle(value: Array, *, site: Any, seed: int = 0, seed2: int = 0) -> Array:
    rows = len(value) if value.ndim else 1
    words = max(rows - 1, 0)
    stream = next_stream(site, "RandomShuffle", seed, seed2, (value.dtype,), -(-words // 4))
    return value.take(kernels.permutation(stream, rows), axis=0) if value.ndim else value.copy()


RANDOM_SHUFFLE = define(
    "RandomShuffle",
    "value",
    lambda value, *, seed=0, seed2=0: TensorType(value.dims, value.dtype),
    _shuffle,
    {},
    dtypes=ANY,
    stateful=True,
    batch="numbers by their place in a stream",
)


def multinomial_type(logits: Any, num_samples: Any, output_dtype: DType) -> TensorType:
    """The type rule of draws of classes."""
    require_rank(logits, 2, f"logits should be a matrix, got shape {show(logits.dims)}")
    require_rank(num_samples, 0, f"num_samples should be a scalar, got shape {show(num_samples.dims)}")
    return TensorType((logits.dims and logits.dims[0], scalar_size(num_samples, 1)), output_dtype)


def check_classes(logits: Array, num_samples: Array) -> int:
    """Refuse what no class can be drawn from; the number of samples."""
    if logits.ndim != 2:
        raise invalid_argument(f"logits should be a matrix, got shape {show(logits.shape)}")
    if num_samples < 0:
        raise invalid_argument(f"num_samples should be non-negative, got {num_samples}")
    if not logits.shape[1]:
        raise invalid_argument("num_classes should be positive, got 0")
    return int(num_samples)


def _blocks_of_classes(rows: int, samples: int) -> int:
    return 2 * 4 * -(-samples // 4) * rows


def _multinomial(logits: Array, num_samples: Array, *, site: Any, seed: int = 0, seed2: int = 0, output_dtype: DType = int64) -> Array:
    samples = check_classes(logits, num_samples)
    blocks = kernels.reserved_blocks(_blocks_of_classes(len(logits), samples))
    stream = next_stream(site, "Multinomial", seed, seed2, (logits.dtype, output_dtype), blocks)
    return kernels.categorical(stream, logits, samples, np.dtype(output_dtype.numpy_dtype))


MULTINOMIAL = define(
    "Multinomial",
    "logits num_samples:int32",
    lambda logits, num_samples, *, seed=0, seed2=0, output_dtype=int64: multinomial_type(logits, num_samples, output_dtype),
    _multinomial,
    {},
    dtypes=REAL,
    stateful=True,
    batch=rows_random.classes,
    lower=random_lowering.lower_stateful_classes,
    traits=Traits(
        remedies=Remedies(
            no_derivative="weight the logarithm of the probability of what was drawn, "
            "or draw smoothly: tf.nn.softmax of logits and Gumbel noise"
        )
    ),
)


def _stream_of_classes(node: Any) -> tuple[Any, ...]:
    (rows, samples), attrs = node.outputs[0].dims, node.attrs
    key = (np.dtype(node.inputs[0].dtype.numpy_dtype), attrs["output_dtype"])
    return node.primitive.name, attrs["seed"], attrs["seed2"], key, kernels.reserved_blocks(_blocks_of_classes(rows, samples))


NATIVE_STREAMS["Multinomial"] = _stream_of_classes


# ---------------------------------------------------------------------- gamma, which has a gradient


def _random_gamma(shape: Array, alpha: Array, *, site: Any, seed: int = 0, seed2: int = 0) -> Array:
    sizes = sizes_of(shape)
    count = int(np.prod(sizes, dtype=np.int64))
    stream = next_stream(site, "RandomGamma", seed, seed2, (shape.dtype, alpha.dtype), kernels.reserved_blocks(count * alpha.size))
    return gamma(stream, alpha, count).reshape(sizes + alpha.shape)


def _random_gamma_type(shape: Any, alpha: Any, *, seed: int = 0, seed2: int = 0) -> TensorType:
    sizes = shape_in(shape)
    return TensorType(None if sizes is None or alpha.dims is None else (*sizes, *alpha.dims), alpha.dtype)


def _pull_to_alpha(g: Any, out: Any, shape: Any, alpha: Any) -> Tensor:
    return reduce_sum(g * RANDOM_GAMMA_GRAD(alpha, out), array_range(size(shape)))


RANDOM_GAMMA = define(
    "RandomGamma",
    "shape:S alpha",
    _random_gamma_type,
    _random_gamma,
    {"alpha": _pull_to_alpha},
    dtypes={"S": INDEX, "T": FLOATING - {bfloat16}},
    stateful=True,
    batch=rows_random.draw_for_each,
)
