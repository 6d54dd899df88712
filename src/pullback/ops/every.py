"""Every operation there is, those of families that load when first asked for included.

`import pullback` must be quick, so a family that few programs use (images, signals, sparse matrices) is imported when a face is
first asked for one of its names (interop/names.py). Whoever needs the whole registry, or an op by a name given as text, asks here.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from pathlib import Path

from ..ir.op import OPS, Op


@cache
def _load() -> None:
    for module in pkgutil.walk_packages([str(Path(__file__).parent)], f"{__package__}."):
        importlib.import_module(module.name)


def every_operation() -> dict[str, Op]:
    """The registry, whole: operations by name.

    >>> every_operation()["MatMul"].name
    'MatMul'
    """
    _load()
    return OPS


def find_operation(name: str) -> Op | None:
    """The operation called `name`, its family loaded if need be; None where there is none."""
    return OPS.get(name) or every_operation().get(name)
