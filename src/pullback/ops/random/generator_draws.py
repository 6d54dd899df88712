"""Draws that move a generator's state themselves, as TensorFlow's first generators made them; today's move it by `RngReadAndSkip`."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np

from ...base.dtypes import INDEX, DType, float32, int64, uint64
from ...ir.op import define
from ...ir.tensor import TensorType
from ..array.type_rules import Array, invalid_argument, shape_in
from ..vmap_rules import random as rows_random
from . import kernels as kernels
from .generator import read_and_skip
from .operations import check_range, sizes_of
from .philox import Philox, from_key
from .stateless import range_type

_FRESH = random.SystemRandom()
_SHAPES = {"shape_dtype": INDEX}


def _advance_stream(resource: Any, algorithm: Array, sizes: tuple[int, ...], site: Any) -> Philox:
    """The stream where the generator stands, which moves on by as many numbers."""
    words = read_and_skip(resource, algorithm, math.prod(sizes), site).astype(np.uint64)
    return from_key(words[2:], words[:2])


def _distribution(name: str, draw: Any, default: DType = float32) -> Any:
    def kernel(resource: Any, algorithm: Array, shape: Array, *, site: Any, dtype: DType = default) -> Array:
        sizes = sizes_of(shape)
        out: Array = draw(_advance_stream(resource, algorithm, sizes, site), sizes, np.dtype(dtype.numpy_dtype))
        return out

    return define(
        name,
        "resource:R algorithm:int64 shape:shape_dtype",
        lambda resource, algorithm, shape, *, dtype=default: TensorType(shape_in(shape), dtype),
        kernel,
        {},
        dtypes=_SHAPES,
        stateful=True,
        effects=True,
        batch="numbers by their place in a stream",
    )


UNIFORM = _distribution("StatefulUniform", kernels.uniform)
NORMAL = _distribution("StatefulStandardNormalV2", kernels.normal)
TRUNCATED_NORMAL = _distribution("StatefulTruncatedNormal", kernels.truncated_normal)
FULL_INT = _distribution("StatefulUniformFullInt", lambda stream, shape, dtype: kernels.bits_of(stream, shape, dtype).view(dtype), uint64)


def _uniform_int(resource: Any, algorithm: Array, shape: Array, minval: Array, maxval: Array, *, site: Any) -> Array:
    if minval.dtype not in (np.int32, np.int64):
        text = "No OpKernel was registered to support Op 'StatefulUniformInt' with dtype {}; it draws int32 and int64"
        raise invalid_argument(text.format(minval.dtype.name))
    check_range(minval, maxval)
    sizes = sizes_of(shape)
    return kernels.uniform_int(_advance_stream(resource, algorithm, sizes, site), sizes, minval, maxval)


UNIFORM_INT = define(
    "StatefulUniformInt",
    "resource:R algorithm:int64 shape:shape_dtype minval:dtype=int64 maxval:dtype",
    lambda resource, algorithm, shape, minval, maxval: range_type(shape, minval, maxval),
    _uniform_int,
    {},
    dtypes=_SHAPES,
    stateful=True,
    effects=True,
    batch="numbers by their place in a stream",
)


def _skip(resource: Any, algorithm: Array, delta: Array, *, site: Any) -> None:
    read_and_skip(resource, algorithm, int(delta), site)


RNG_SKIP = define(
    "RngSkip", "resource:R algorithm:int64 delta:int64", lambda resource, algorithm, delta: (), _skip, {}, outputs="", stateful=True,
    batch="numbers by their place in a stream",
)


def _draw_fresh(shape: Array, *, site: Any, dtype: DType = int64) -> Array:
    sizes = sizes_of(shape)
    kind = np.dtype(dtype.numpy_dtype)
    return np.frombuffer(_FRESH.randbytes(math.prod(sizes) * kind.itemsize), kind).reshape(sizes).copy()


NON_DETERMINISTIC_INTS = define(
    "NonDeterministicInts",
    "shape:shape_dtype",
    lambda shape, *, dtype=int64: TensorType(shape_in(shape), dtype),
    _draw_fresh,
    {},
    dtypes=_SHAPES,
    stateful=True,
    batch=rows_random.draw,
)
