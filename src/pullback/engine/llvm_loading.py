"""The native engine's modules, imported when first wanted.

This is the one place that does so: LLVM takes longer to load than all else here, and llvmlite may be missing (then kernels run on NumPy).
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from threading import RLock
from typing import Any

#: Held while LLVM describes the host or links: what these calls share is not made for two threads.
LLVM = RLock()
#: Held while LLVM makes code, by one thread each.
CODE_GENERATORS = (RLock(), RLock())
#: Held while something is written to the disk: the process does not end in the middle of that.
STORES = RLock()


def native(module: str) -> Any:
    """A module of `pullback.engine`; None where llvmlite is not installed."""
    try:
        return importlib.import_module(f"pullback.engine.{module}")
    except ModuleNotFoundError as missing:
        if (missing.name or "").split(".", maxsplit=1)[0] != "llvmlite":
            raise
        return None
    except ImportError:  # what the second of two threads gets that import a module at once which needs llvmlite
        if importlib.util.find_spec("llvmlite") is not None:
            raise
        return None


def is_loaded(module: str) -> bool:
    """Whether a module of `pullback.engine` is there, so that it need not be loaded."""
    return f"pullback.engine.{module}" in sys.modules
