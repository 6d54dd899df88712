"""The algorithms that random numbers come from, and their names."""

from __future__ import annotations

import enum
from typing import Any

from ...base.export import export
from ...ir.tensor import Tensor


@export("random.Algorithm", "random.experimental.Algorithm")
class Algorithm(enum.Enum):
    """An algorithm for random numbers, as `alg` of `tf.random.Generator` and the stateless functions take it.

    AUTO_SELECT is Philox here, as it is in TensorFlow on a processor.  THREEFRY, which TensorFlow has in functions that XLA compiles, is
    there for uniform and normal numbers and integers, with XLA's numbers.

    >>> Algorithm.PHILOX.value
    1
    """

    PHILOX = 1
    THREEFRY = 2
    AUTO_SELECT = 3


_NAMES = {"philox": 1, "threefry": 2, "autoselect": 3}


def number_of(alg: object) -> Any:
    """The number of an algorithm given by number, name or member of `Algorithm`; a tensor stays as it is.

    Raises ValueError for an unknown one, TypeError for what names none.
    """
    if alg is None:
        return Algorithm.AUTO_SELECT.value
    if isinstance(alg, Tensor) and alg.dtype.is_integer:
        return alg
    if isinstance(alg, Algorithm):
        found: Any = alg.value
    elif isinstance(alg, str):
        found = _NAMES.get(alg.strip().lower().replace("-", "").replace("_", ""))
    elif isinstance(alg, (int, Tensor)):
        found = alg if isinstance(alg, int) and alg in _NAMES.values() else None
    else:
        raise TypeError(f"Can't convert argument `alg` (of value {alg} and type {type(alg)}) to int.")
    if found is None:
        raise ValueError(
            f"Argument `alg` got unsupported value {alg}. Supported values are philox or 1 for the Philox algorithm, threefry or 2 for the "
            "ThreeFry algorithm, and auto_select or 3 for auto-selection."
        )
    return found
