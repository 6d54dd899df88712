"""Writes src/pullback/ir/homes.txt: in which module each operation is defined, and each function that `ir` calls by name.

    PYTHONPATH=src python docs/make_homes.py [--check]
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
from collections import defaultdict
from importlib.machinery import PathFinder
from importlib.util import module_from_spec
from typing import Any, ClassVar

# The package without what `import pullback` loads: nothing is defined yet.
_spec = PathFinder.find_spec("pullback")
assert _spec is not None
pullback = sys.modules["pullback"] = module_from_spec(_spec)

from pullback.ir.registry import HOMES, Registry  # noqa: E402

LAYERS = ("ir", "ops", "transforms", "control", "compile", "api", "nn", "train")


class Recorder(Registry[Any]):
    """What Registry's methods are replaced by, to note the module whose body puts a name in."""

    found: ClassVar[dict[tuple[str, str], list[str]]] = defaultdict(list)

    def __setitem__(self, name: str, value: Any) -> None:
        frame = sys._getframe(1)
        while frame.f_code.co_name != "<module>" and frame.f_back is not None:
            frame = frame.f_back
        Recorder.found[self.kind, frame.f_globals["__name__"]].append(name)
        dict.__setitem__(self, name, value)

    def update(self, *tables: Any, **values: Any) -> None:
        for name, value in dict(*tables, **values).items():
            Recorder.__setitem__(self, name, value)


def homes() -> str:
    """The file's text, found by importing every module in a process that has imported none."""
    for method in ("__setitem__", "update"):
        setattr(Registry, method, vars(Recorder)[method])
    for layer in LAYERS:
        package = importlib.import_module(f"pullback.{layer}")
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            importlib.import_module(module.name)
    return "".join(f"{kind} {module} {' '.join(sorted(names))}\n" for (kind, module), names in sorted(Recorder.found.items()))


if __name__ == "__main__":
    if "--check" in sys.argv:
        with open(HOMES, encoding="utf-8") as file:
            sys.exit(file.read() != homes())
    with open(HOMES, "w", encoding="utf-8") as file:
        file.write(homes())
