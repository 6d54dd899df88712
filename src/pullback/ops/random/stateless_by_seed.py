"""Stateless random operations as TensorFlow first had them: they take the seed itself and find key and counter by themselves."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.dtypes import FLOATING, INDEX, DType, bfloat16, float32, int32, uint64
from ...ir.op import define
from ...ir.tensor import TensorType
from ..array.basic import sum_to
from ..array.type_rules import Array
from ..special.igamma_orders import RANDOM_GAMMA_GRAD
from . import kernels as kernels, random_lowering
from .operations import check_range, sizes_of
from .philox import from_key
from .stateless import PHILOX, draw_gamma, key_of, key_type, range_type, seeded_type

_DTYPES = {"T": INDEX, "Tseed": INDEX}


def _distribution(name: str, draw: Any, lower: Any, default: DType = float32) -> Any:
    def kernel(shape: Array, seed: Array, *, dtype: DType = default) -> Array:
        out: Array = draw(from_key(*key_of(seed)), sizes_of(shape), np.dtype(dtype.numpy_dtype))
        return out

    return define(
        name, "shape:T=int32 seed:Tseed", lambda shape, seed, *, dtype=default: seeded_type(shape, seed, dtype), kernel, {}, dtypes=_DTYPES,
        lower=random_lowering.lower_seeded(lower),
        batch="numbers by their place in a stream",
    )  # fmt: skip


UNIFORM = _distribution("StatelessRandomUniform", kernels.uniform, random_lowering.uniform)
NORMAL = _distribution("StatelessRandomNormal", kernels.normal, random_lowering.normal)
TRUNCATED_NORMAL = _distribution("StatelessTruncatedNormal", kernels.truncated_normal, random_lowering.truncated_normal)
FULL_INT = _distribution(
    "StatelessRandomUniformFullInt",
    lambda stream, shape, dtype: kernels.bits_of(stream, shape, dtype).view(dtype),
    random_lowering.full_int,
    uint64,
)


def _int_type(shape: Any, seed: Any, minval: Any, maxval: Any) -> TensorType:
    key_type(seed)
    return range_type(shape, minval, maxval)


def _uniform_int(shape: Array, seed: Array, minval: Array, maxval: Array) -> Array:
    check_range(minval, maxval)
    return kernels.uniform_int(from_key(*key_of(seed)), sizes_of(shape), minval, maxval)


UNIFORM_INT = define(
    "StatelessRandomUniformInt", "shape:T seed:Tseed minval:dtype maxval:dtype", _int_type, _uniform_int, {},
    dtypes={**_DTYPES, "dtype": INDEX}, lower=random_lowering.lower_seeded(random_lowering.uniform_int),
    batch="numbers by their place in a stream",
)  # fmt: skip
GAMMA = define(
    "StatelessRandomGammaV2",
    "shape:T seed:Tseed alpha:dtype",
    lambda shape, seed, alpha: seeded_type(shape, seed, alpha.dtype),
    lambda shape, seed, alpha: draw_gamma(from_key(*key_of(seed)), sizes_of(shape), alpha),
    {"alpha": lambda g, out, alpha: sum_to(g * RANDOM_GAMMA_GRAD(alpha, out), alpha)},
    dtypes={**_DTYPES, "dtype": FLOATING - {bfloat16}},
    batch="numbers by their place in a stream",
)


# ---- the algorithm

GET_ALG = define("StatelessRandomGetAlg", "", lambda: TensorType((), int32), lambda: np.array(PHILOX, np.int32), {})
GET_KEY_COUNTER_ALG = define(
    "StatelessRandomGetKeyCounterAlg",
    "seed:Tseed",
    lambda seed: (*key_type(seed), TensorType((), int32)),
    lambda seed: (*key_of(seed), np.array(PHILOX, np.int32)),
    {},
    outputs="key counter alg",
    dtypes={"Tseed": INDEX},
    batch="numbers by their place in a stream",
)
