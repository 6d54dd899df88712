"""Random operations that remember nothing: the same seed gives the same numbers, on every call and every machine.

The user's seed, two integers, is scrambled into a key and a counter (`StatelessRandomGetKeyCounter`), which the drawing operations take.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.dtypes import ANY, FLOATING, INDEX, INTEGER, REAL, DType, bfloat16, float32, int64, uint64
from ...base.shapes import Shape, show
from ...ir.apply import ShapeError
from ...ir.op import define
from ...ir.tensor import Tensor, TensorType
from ..array.basic import sum_to
from ..array.type_rules import Array, invalid_argument, match_dims, read_whole, shape_in
from ..special.igamma_orders import RANDOM_GAMMA_GRAD
from . import kernels as kernels, random_lowering, threefry as random_threefry
from .gamma import gamma
from .operations import check_classes, check_range, multinomial_type, sizes_of
from .philox import Philox, from_key, scramble
from .threefry import ThreeFry

PHILOX, THREEFRY, AUTO_SELECT = 1, 2, 3
_KEYED = "shape:Tshape key:uint64 counter:uint64 alg:int32"
_DTYPES = {"Tshape": INDEX}


def _require_seed(seed: Any) -> None:
    if seed.dims is not None and (len(seed.dims) != 1 or seed.dims[0] not in (2, None)):
        text = f"seed must have shape [2], not {show(seed.dims)}"
        raise ShapeError(text, text)


def key_type(seed: Tensor) -> tuple[TensorType, TensorType]:
    """The types of key and counter; refuses a seed of another shape."""
    _require_seed(seed)
    return TensorType((1,), uint64), TensorType((2,), uint64)


def seeded_type(shape: Any, seed: Any, dtype: DType) -> TensorType:
    """The type rule of numbers of a shape that a seed gives."""
    _require_seed(seed)
    return TensorType(shape_in(shape), dtype)


def key_of(seed: Array) -> tuple[Array, Array]:
    """Key and counter that a seed stands for."""
    if seed.shape != (2,):
        raise invalid_argument(f"seed must have shape [2], not {show(seed.shape)}")
    return scramble(seed)


GET_KEY_COUNTER = define(
    "StatelessRandomGetKeyCounter", "seed:Tseed", key_type, key_of, {}, outputs="key counter", dtypes={"Tseed": INDEX},
    lower=random_lowering.key_and_counter,
    batch="numbers by their place in a stream",
)  # fmt: skip


def _stream(key: Array, counter: Array, alg: Array) -> Philox:
    if read_whole(alg, f"alg must be a scalar, got shape {show(alg.shape)}") not in (PHILOX, AUTO_SELECT):
        given = f"Unsupported algorithm id: {alg}; those there are: Philox, {PHILOX}, and {AUTO_SELECT}, which stands for it"
        raise invalid_argument(f"{given}. ThreeFry, {THREEFRY}, is there for uniform and normal numbers.")
    if key.shape != (1,) or counter.shape != (2,):
        raise invalid_argument(f"key must have shape [1] and counter shape [2], not {show(key.shape)} and {show(counter.shape)}")
    return from_key(key, counter)


def _threefry(key: Array, counter: Array) -> ThreeFry:
    if key.shape != (1,) or counter.ndim != 1 or not counter.size:
        raise invalid_argument(f"key must have shape [1] and counter at least one number, not {show(key.shape)} and {show(counter.shape)}")
    return ThreeFry(int(key[0]), int(counter[0]))


def keyed_shape(shape: Any, key: Any, counter: Any, alg: Any) -> Shape:
    """The shape that is asked for; a ShapeError where it, the key, its counter or the algorithm has another rank."""
    match_dims("1, _, ", key, counter, alg)
    return shape_in(shape)


def _distribution(name: str, draw: Any, by_threefry: Any, lower: Any = None, default: DType = float32) -> Any:
    def infer(shape: Any, key: Any, counter: Any, alg: Any, *, dtype: DType = default) -> TensorType:
        return TensorType(keyed_shape(shape, key, counter, alg), dtype)

    def kernel(shape: Array, key: Array, counter: Array, alg: Array, *, dtype: DType = default) -> Array:
        drawn, stream = (by_threefry, _threefry(key, counter)) if alg == THREEFRY else (draw, _stream(key, counter, alg))
        out: Array = drawn(stream, sizes_of(shape), np.dtype(dtype.numpy_dtype))
        return out

    kinds = INTEGER if name.endswith("FullIntV2") else FLOATING
    given = {**_DTYPES, "dtype": kinds}
    return define(name, _KEYED, infer, kernel, {}, dtypes=given, lower=lower, batch="numbers by their place in a stream")


STATELESS_UNIFORM = _distribution("StatelessRandomUniformV2", kernels.uniform, random_threefry.uniform, random_lowering.uniform)
STATELESS_NORMAL = _distribution("StatelessRandomNormalV2", kernels.normal, random_threefry.normal, random_lowering.normal)
STATELESS_TRUNCATED_NORMAL = _distribution(
    "StatelessTruncatedNormalV2", kernels.truncated_normal, random_threefry.truncated_normal, random_lowering.truncated_normal
)
STATELESS_FULL_INT = _distribution(
    "StatelessRandomUniformFullIntV2",
    lambda stream, shape, dtype: kernels.bits_of(stream, shape, dtype).view(dtype),
    random_threefry.full_int,
    random_lowering.full_int,
    uint64,
)


def range_type(shape: Tensor, minval: Tensor, maxval: Tensor) -> TensorType:
    """The type rule of integers between bounds."""
    for name, bound in (("minval", minval), ("maxval", maxval)):
        if bound.dims is not None and bound.dims != ():
            raise ShapeError(f"Shape must be rank 0 but is rank {len(bound.dims)}", f"{name} must be 0-D, got shape {show(bound.dims)}")
    return TensorType(shape_in(shape), minval.dtype)


def _uniform_int_type(shape: Any, key: Any, counter: Any, alg: Any, minval: Any, maxval: Any) -> TensorType:
    keyed_shape(shape, key, counter, alg)
    return range_type(shape, minval, maxval)


def _uniform_int(shape: Array, key: Array, counter: Array, alg: Array, minval: Array, maxval: Array) -> Array:
    check_range(minval, maxval)
    if alg == THREEFRY:
        return random_threefry.uniform_int(_threefry(key, counter), sizes_of(shape), minval, maxval)
    return kernels.uniform_int(_stream(key, counter, alg), sizes_of(shape), minval, maxval)


STATELESS_INT = define(
    "StatelessRandomUniformIntV2", f"{_KEYED} minval:dtype maxval:dtype",
    _uniform_int_type, _uniform_int, {},
    dtypes={**_DTYPES, "dtype": INTEGER}, lower=random_lowering.uniform_int,
    batch="numbers by their place in a stream",
)  # fmt: skip


def _multinomial_type(logits: Any, num_samples: Any, seed: Any, *, output_dtype: DType = int64) -> TensorType:
    _require_seed(seed)
    return multinomial_type(logits, num_samples, output_dtype)


def _multinomial(logits: Array, num_samples: Array, seed: Array, *, output_dtype: DType = int64) -> Array:
    return kernels.categorical(from_key(*key_of(seed)), logits, check_classes(logits, num_samples), np.dtype(output_dtype.numpy_dtype))


STATELESS_MULTINOMIAL = define(
    "StatelessMultinomial",
    "logits num_samples:int32 seed:Tseed",
    _multinomial_type,
    _multinomial,
    {},
    dtypes={"T": REAL, "Tseed": INDEX},
    lower=random_lowering.stateless_classes,
    batch="numbers by their place in a stream",
)


def _shuffle(value: Array, key: Array, counter: Array, alg: Array) -> Array:
    return value[kernels.permutation(_stream(key, counter, alg), len(value))] if value.ndim else value.copy()


STATELESS_SHUFFLE = define(
    "StatelessShuffle",
    "value key:uint64 counter:uint64 alg:int32",
    lambda value, key, counter, alg: TensorType(value.dims, value.dtype),
    _shuffle,
    None,
    dtypes=ANY,
    batch="numbers by their place in a stream",
)


def draw_gamma(stream: Philox, sizes: tuple[int, ...], alpha: Array) -> Array:
    """Gamma-distributed numbers whose last dimensions are those of `alpha`."""
    if sizes[len(sizes) - alpha.ndim :] != alpha.shape:
        raise invalid_argument(f"Shape passed in must end with the shape of alpha: {show(sizes)} vs. {show(alpha.shape)}")
    samples = int(np.prod(sizes[: len(sizes) - alpha.ndim], dtype=np.int64))
    return gamma(stream, alpha, samples).reshape(sizes)


STATELESS_GAMMA = define(
    "StatelessRandomGammaV3",
    "shape:shape_dtype=int32 key:uint64 counter:uint64 alg:int32 alpha:dtype",
    lambda shape, key, counter, alg, alpha: TensorType(keyed_shape(shape, key, counter, alg), alpha.dtype),
    lambda shape, key, counter, alg, alpha: draw_gamma(_stream(key, counter, alg), sizes_of(shape), alpha),
    {"alpha": lambda g, out, alpha: sum_to(g * RANDOM_GAMMA_GRAD(alpha, out), alpha)},
    dtypes={"shape_dtype": INDEX, "dtype": FLOATING - {bfloat16}},
    batch="numbers by their place in a stream",
)
