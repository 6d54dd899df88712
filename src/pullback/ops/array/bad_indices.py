"""What becomes of index vectors that lie outside: `bad_indices_policy` of gathers and scatters.

"ERROR" (and "DEFAULT" and "", which on a CPU are the same) raises, which the kernels do by themselves. "IGNORE" gathers zeros and leaves
updates out: the same operations behind a mask (`IndicesWithin`), so that their gradients are theirs.  Operations that change a variable,
and have the policy as an attribute, ask the mask's kernel.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.dtypes import INDEX
from ...base.dtypes import bool as bool_
from ...base.errors import InvalidArgumentError
from ...ir.apply import convert_to_tensor
from ...ir.attributes import as_word
from ...ir.op import OPS, Op, define
from ...ir.tensor import TensorType
from ..batching import alike
from .basic import ZEROS_LIKE, fill, reshape, shape
from .join import CONCAT
from .shape import rank
from .where import where

Array = np.ndarray[Any, Any]
_RAISING = ("", "DEFAULT", "ERROR")


def ignores(policy: str) -> bool:
    """Whether a policy is to ignore indices out of range; InvalidArgumentError for one that TensorFlow does not know."""
    if as_word("bad_indices_policy", policy) not in (*_RAISING, "IGNORE"):
        raise InvalidArgumentError(None, None, f"Unknown bad indices handling attribute: {policy!r}; it is one of {[*_RAISING, 'IGNORE']}")
    return policy == "IGNORE"


def within(indices: Array, sizes: Any) -> Array:
    """For each index vector, the last axis of `indices`, whether it names a place within `sizes`, the sizes of all axes."""
    limits = np.asarray(sizes, np.int64)[: indices.shape[-1]]
    return np.asarray(((indices >= 0) & (indices < limits)).all(-1))


WITHIN: Op = define(
    "IndicesWithin",
    "indices:Tindices sizes:Tsizes",
    lambda indices, sizes: TensorType(None if indices.dims is None else indices.dims[:-1], bool_),
    within,
    {},
    dtypes={"Tindices": INDEX, "Tsizes": INDEX},
    batch=alike("indices"),
)


def gathered(params: Any, indices: Any, name: str | None) -> Any:
    """`GatherNd` with zeros for index vectors that lie outside."""
    params, indices = convert_to_tensor(params), convert_to_tensor(indices)
    inside = WITHIN(indices, shape(params))
    safe = where(inside[..., None], indices, ZEROS_LIKE(indices))
    found = OPS["GatherNd"](params, safe)
    extra = rank(found) - rank(inside)
    wide = reshape(inside, CONCAT([shape(inside), fill(extra[None], np.int32(1))], 0))
    return where(wide, found, ZEROS_LIKE(found), name=name)


def scattered(op: Op, indices: Any, updates: Any, sizes: Any, before: tuple[Any, ...], after: tuple[Any, ...], name: str | None) -> Any:
    """A scatter of the updates whose index vectors lie within `sizes`: `op(*before, indices, updates, *after)`."""
    indices, updates = convert_to_tensor(indices), convert_to_tensor(updates)
    inside = reshape(WITHIN(indices, sizes), [-1])
    rows = reshape(where(inside), [-1])
    depth = shape(indices)[-1:]
    rest = shape(updates)[rank(indices) - 1 :]
    every = reshape(indices, CONCAT([np.array([-1], np.int32), depth], 0))
    each = reshape(updates, CONCAT([np.array([-1], np.int32), rest], 0))
    taken = (OPS["GatherV2"](t, rows, np.int32(0)) for t in (every, each))
    return op(*before, *taken, *after, name=name)
