"""Random operations that remember nothing: the same seed gives the same numbers, on every call and every machine.

The user's seed, two integers, is scrambled into a key and a counter (`StatelessRandomGetKeyCounter`), which the drawing operations take.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base.dtypes import ANY, FLOATING, INDEX, INTEGER, REAL, DType, float32, int64, uint64
from ..base.shapes import show
from ..ir.apply import ShapeError
from ..ir.op import define
from ..ir.tensor import TensorType
from . import native_random
from . import random_kernels as kernels
from .array_basic import sum_to
from .array_types import Array, dims_in, invalid
from .random_gamma import gamma
from .random_ops import RANDOM_GAMMA_GRAD, check_classes, check_range, multinomial_type, sizes_of
from .random_philox import Philox, from_key, scramble

PHILOX = 1
_KEYED = "shape:Tshape key:uint64 counter:uint64 alg:int32"
_DTYPES = {"Tshape": INDEX}


def _require_seed(seed: Any) -> None:
    if seed.dims is not None and (len(seed.dims) != 1 or seed.dims[0] not in (2, None)):
        text = f"seed must have shape [2], not {show(seed.dims)}"
        raise ShapeError(text, text)


def _key_type(seed: Any) -> tuple[TensorType, TensorType]:
    _require_seed(seed)
    return TensorType((1,), uint64), TensorType((2,), uint64)


def _key(seed: Array) -> tuple[Array, Array]:
    if seed.shape != (2,):
        raise invalid(f"seed must have shape [2], not {show(seed.shape)}")
    return scramble(seed)


GET_KEY_COUNTER = define(
    "StatelessRandomGetKeyCounter", "seed:Tseed", _key_type, _key, {}, outputs="key counter", dtypes={"Tseed": INDEX},
    lower=native_random.key_and_counter,
)  # fmt: skip


def _stream(key: Array, counter: Array, alg: Array) -> Philox:
    if alg != PHILOX:
        raise invalid(f"Unsupported algorithm id: {alg}; the one there is, Philox, is {PHILOX}")
    if key.shape != (1,) or counter.shape != (2,):
        raise invalid(f"key must have shape [1] and counter shape [2], not {show(key.shape)} and {show(counter.shape)}")
    return from_key(key, counter)


def _drawn_type(shape: Any, key: Any, counter: Any, alg: Any, *, dtype: DType = float32) -> TensorType:
    return TensorType(dims_in(shape), dtype)


def _distribution(name: str, draw: Any, lower: Any = None) -> Any:
    def kernel(shape: Array, key: Array, counter: Array, alg: Array, *, dtype: DType = float32) -> Array:
        out: Array = draw(_stream(key, counter, alg), sizes_of(shape), np.dtype(dtype.numpy))
        return out

    return define(name, _KEYED, _drawn_type, kernel, {}, dtypes=_DTYPES, lower=lower)


STATELESS_UNIFORM = _distribution("StatelessRandomUniformV2", kernels.uniform, native_random.uniform)
STATELESS_NORMAL = _distribution("StatelessRandomNormalV2", kernels.normal, native_random.normal)
STATELESS_TRUNCATED_NORMAL = _distribution("StatelessTruncatedNormalV2", kernels.truncated_normal)
STATELESS_FULL_INT = _distribution(
    "StatelessRandomUniformFullIntV2",
    lambda stream, shape, dtype: kernels.bits_of(stream, shape, dtype).view(dtype),
    native_random.full_int,
)


def _int_type(shape: Any, key: Any, counter: Any, alg: Any, minval: Any, maxval: Any) -> TensorType:
    for name, bound in (("minval", minval), ("maxval", maxval)):
        if bound.dims is not None and bound.dims != ():
            raise ShapeError(f"Shape must be rank 0 but is rank {len(bound.dims)}", f"{name} must be 0-D, got shape {show(bound.dims)}")
    return TensorType(dims_in(shape), minval.dtype)


def _uniform_int(shape: Array, key: Array, counter: Array, alg: Array, minval: Array, maxval: Array) -> Array:
    check_range(minval, maxval)
    return kernels.uniform_int(_stream(key, counter, alg), sizes_of(shape), minval, maxval)


STATELESS_INT = define(
    "StatelessRandomUniformIntV2", f"{_KEYED} minval:dtype maxval:dtype", _int_type, _uniform_int, {},
    dtypes={**_DTYPES, "dtype": INTEGER}, lower=native_random.uniform_int,
)  # fmt: skip


def _multinomial(logits: Array, num_samples: Array, seed: Array, *, output_dtype: DType = int64) -> Array:
    return kernels.categorical(from_key(*_key(seed)), logits, check_classes(logits, num_samples), np.dtype(output_dtype.numpy))


STATELESS_MULTINOMIAL = define(
    "StatelessMultinomial",
    "logits num_samples:int32 seed:Tseed",
    lambda logits, num_samples, seed, *, output_dtype=int64: multinomial_type(logits, num_samples, output_dtype),
    _multinomial,
    {},
    dtypes={"T": REAL, "Tseed": INDEX},
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
)


def _gamma(shape: Array, key: Array, counter: Array, alg: Array, alpha: Array) -> Array:
    sizes = sizes_of(shape)
    if sizes[len(sizes) - alpha.ndim :] != alpha.shape:
        raise invalid(f"Shape passed in must end with the shape of alpha: {show(sizes)} vs. {show(alpha.shape)}")
    samples = int(np.prod(sizes[: len(sizes) - alpha.ndim], dtype=np.int64))
    return gamma(_stream(key, counter, alg), alpha, samples).reshape(sizes)


STATELESS_GAMMA = define(
    "StatelessRandomGammaV3",
    "shape:shape_dtype key:uint64 counter:uint64 alg:int32 alpha:dtype",
    lambda shape, key, counter, alg, alpha: TensorType(dims_in(shape), alpha.dtype),
    _gamma,
    {"alpha": lambda g, out, alpha: sum_to(g * RANDOM_GAMMA_GRAD(alpha, out), alpha)},
    dtypes={"shape_dtype": INDEX, "dtype": FLOATING},
)
