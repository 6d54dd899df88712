"""Loaded when an interpreter starts with PULLBACK_TENSORFLOW set to 1 or 2 (by pullback_startup.pth): `import tensorflow` gives Pullback.

It lies beside the package, so that a process that imports no TensorFlow loads nothing of Pullback, and nothing else that its interpreter
has not loaded by itself.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False  # as in `typing`, whose import would take longer than all of this
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType
    from typing import Any

HOOK = "pullback.interop.hook"


class Waiting:
    """A finder that takes TensorFlow's place when it is first asked for."""

    def __init__(self, version: int) -> None:
        self.version = version

    def find_spec(self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:
        """The spec of `tensorflow`; None for other modules."""
        if fullname.partition(".")[0] != "tensorflow":
            return None
        hook = load_hook()
        if self in sys.meta_path:
            sys.meta_path.remove(self)
        if hook.served_version() is None:
            hook.serve_tensorflow(self.version)
        spec: ModuleSpec | None = hook.Finder(hook.served_version()).find_spec(fullname, path, target)
        return spec

    def find_distributions(self, context: Any) -> Iterator[Any]:
        """The distribution `tensorflow`, where it is asked for by its name."""
        if context.name is not None and context.name.lower() == "tensorflow":
            yield from load_hook().Finder(self.version).find_distributions(context)


def load_hook() -> Any:
    """Pullback's import hook."""
    import importlib

    return importlib.import_module(HOOK)


def start(wanted: str) -> None:
    """Wait for `import tensorflow`, where `wanted` is 1 or 2; nothing where it is 0 or empty.

    Raises:
        ValueError: it is something else.
    """
    if wanted in ("1", "2"):
        sys.meta_path.insert(0, Waiting(int(wanted)))
    elif wanted not in ("", "0"):
        raise ValueError(f"PULLBACK_TENSORFLOW is the version of TensorFlow to stand in for, 1 or 2, not {wanted!r}")


start(os.environ.get("PULLBACK_TENSORFLOW", ""))
