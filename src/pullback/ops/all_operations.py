"""Every operation there is.

An operation is imported when it is first asked for by its name (`OPS["MatMul"]`, ir/registry.py). Whoever needs all of them asks here.
"""

from __future__ import annotations

import importlib
from functools import cache

from ..ir.op import OPS, Op
from ..ir.registry import homes


@cache
def _load() -> None:
    for module in sorted(set(homes("operations").values())):
        importlib.import_module(module)


def load_operations() -> dict[str, Op]:
    """The registry, whole: operations by name.

    >>> load_operations()["MatMul"].name
    'MatMul'
    """
    _load()
    return OPS
