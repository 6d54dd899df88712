"""The native engine's modules, imported when first wanted.

This is the one place that does so: LLVM takes longer to load than all else here, and llvmlite may be missing (then kernels run on NumPy).
"""

from __future__ import annotations

import importlib
from typing import Any


def native(module: str) -> Any:
    """A module of `pullback.compile.native`; None where llvmlite is not installed."""
    try:
        return importlib.import_module(f"pullback.compile.native.{module}")
    except ModuleNotFoundError as missing:
        if (missing.name or "").split(".", maxsplit=1)[0] != "llvmlite":
            raise
        return None


__all__ = ["native"]
