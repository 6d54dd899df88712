"""What becomes of index vectors that lie outside: `bad_indices_policy` of gathers and scatters.

"ERROR" (and "DEFAULT" and "", which on a CPU are the same) raises, which the kernels do by themselves. "IGNORE" gathers zeros and leaves
updates out: the same operations behind a mask (`IndicesWithin`), so that their gradients are theirs.  Operations that change a variable,
and have the policy as an attribute, ask the mask's kernel.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.dtypes import INDEX, bool as bool_
from ...base.errors import InvalidArgumentError
from ...ir.attributes import as_word
from ...ir.op import Op, define
from ...ir.tensor import TensorType
from ..batching import stack_rows

Array = np.ndarray[Any, Any]
_RAISING = ("", "DEFAULT", "ERROR")


def ignores(policy: str | None) -> bool:
    """Whether a policy (None: the default) ignores indices out of range; InvalidArgumentError for one that TensorFlow does not know."""
    if policy is not None and as_word("bad_indices_policy", policy) not in (*_RAISING, "IGNORE"):
        raise InvalidArgumentError(None, None, f"Unknown bad indices handling attribute: {policy!r}; it is one of {[*_RAISING, 'IGNORE']}")
    return policy == "IGNORE"


def are_within(indices: Array, sizes: object) -> Array:
    """For each index vector, the last axis of `indices`, whether it names a place within `sizes`, the sizes of all axes."""
    limits = np.asarray(sizes, np.int64)[: indices.shape[-1]]
    return np.asarray(((indices >= 0) & (indices < limits)).all(-1))


WITHIN: Op = define(
    "IndicesWithin",
    "indices:Tindices sizes:Tsizes",
    lambda indices, sizes: TensorType(None if indices.dims is None else indices.dims[:-1], bool_),
    are_within,
    {},
    dtypes={"Tindices": INDEX, "Tsizes": INDEX},
    batch=stack_rows("indices"),
)
