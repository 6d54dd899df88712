"""`RngReadAndSkip`: the position of a random generator that lives in a variable, read and moved on in one step."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base.dtypes import int64
from ..base.errors import NotFoundError
from ..ir.op import Op, define
from ..ir.tensor import TensorType
from .array_types import Array, invalid
from .random_kernels import reserved
from .random_stateless import AUTO_SELECT, PHILOX
from .state import Storage

_WORDS = 3  # two of the counter, low word first, and the key
_MASK64 = 2**64 - 1


def read_and_skip(resource: Storage, alg: Array, count: int, site: Any) -> Array:
    """Where the generator stands, which then moves on as drawing `count` numbers does."""
    if resource.value is None:
        raise NotFoundError(None, None, f"the generator's state, variable {resource.name}, is not initialized: run its initializer first")
    state = resource.value
    if alg not in (PHILOX, AUTO_SELECT) or state.shape != (_WORDS,):
        text = f"a Philox generator (algorithm {PHILOX}) has {_WORDS} numbers for state"
        raise invalid(f"{text}, got algorithm {alg} and shape {list(state.shape)}")
    low, high, key = (int(word) & _MASK64 for word in state)
    counter = (low | high << 64) + reserved(count)
    words = np.array([counter & _MASK64, counter >> 64 & _MASK64, key], np.uint64)
    site.write(resource, words.view(np.int64))
    return state


RNG_READ_AND_SKIP: Op = define(
    "RngReadAndSkip",
    "resource:R alg:int32 delta:uint64",
    lambda resource, alg, delta: TensorType((_WORDS,), int64),
    lambda resource, alg, delta, *, site: read_and_skip(resource, alg, int(delta), site),
    {},
    stateful=True,
    effects=True,
)
