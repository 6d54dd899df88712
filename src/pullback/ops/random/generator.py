"""`RngReadAndSkip`: the position of a random generator that lives in a variable, read and moved on in one step."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.dtypes import int64
from ...base.errors import NotFoundError
from ...ir.op import Op, define
from ...ir.tensor import TensorType
from ..array.type_rules import Array, invalid_argument
from ..state.locks import run_alone
from ..state.variables import Storage
from .kernels import reserved_blocks
from .stateless import AUTO_SELECT, PHILOX, THREEFRY

#: By algorithm, the numbers of a state: those of the counter, low ones first, and the key.
_WORDS = {PHILOX: 3, THREEFRY: 2, AUTO_SELECT: 3}
_LONGEST = 3
_MASK64 = 2**64 - 1


def read_and_skip(resource: Storage, alg: Array, count: int, site: object) -> Array:
    """Where the generator stands, with zeros up to the longest state; it then moves on as drawing `count` numbers does."""
    return run_alone(resource, _read_and_skip, resource, alg, count, site)


def _read_and_skip(resource: Storage, alg: Array, count: int, site: Any) -> Array:
    if resource.value is None:
        raise NotFoundError(None, None, f"the generator's state, variable {resource.name}, is not initialized: run its initializer first")
    state = resource.value
    words = _WORDS.get(int(alg))
    if words is None or state.shape != (words,):
        raise invalid_argument(
            f"a generator's state has 3 numbers (Philox) or 2 (ThreeFry), got algorithm {alg} and shape {list(state.shape)}"
        )
    *low_first, key = (int(word) & _MASK64 for word in state)
    counter = sum(word << 64 * i for i, word in enumerate(low_first)) + reserved_blocks(count)
    new = np.array([*(counter >> 64 * i & _MASK64 for i in range(words - 1)), key], np.uint64)
    site.write(resource, new.view(np.int64))
    return np.concatenate([state, np.zeros(_LONGEST - words, np.int64)])


RNG_READ_AND_SKIP: Op = define(
    "RngReadAndSkip",
    "resource:R alg:int32 delta:uint64",
    lambda resource, alg, delta: TensorType((_LONGEST,), int64),
    lambda resource, alg, delta, *, site: read_and_skip(resource, alg, int(delta), site),
    {},
    stateful=True,
    effects=True,
    batch="numbers by their place in a stream",
)
