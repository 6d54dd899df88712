"""Writes src/pullback/ir/homes.txt: in which module each operation is defined, and each function that `ir` and ragged tensors call by name.

    PYTHONPATH=src python docs/make_homes.py [--check]
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
from collections import defaultdict
from importlib.machinery import PathFinder
from importlib.util import module_from_spec
from pathlib import Path
from typing import Any

HOMES = Path(__file__).parent.parent / "src" / "pullback" / "ir" / "homes.txt"
LAYERS = ("ir", "ops", "transforms", "control", "engine", "trace", "api", "nn", "train", "tensorflow")


def homes() -> str:
    """The file's text, found by importing every module; for a process that has imported none of them."""
    found: dict[tuple[str, str], list[str]] = defaultdict(list)

    def note(registry: Any, name: str, value: Any) -> None:
        """Stands for `Registry.__setitem__`, and notes the module whose body puts a name in."""
        frame = sys._getframe(1)
        while frame.f_code.co_name != "<module>" and frame.f_back is not None:
            frame = frame.f_back
        found[registry.kind, frame.f_globals["__name__"]].append(name)
        dict.__setitem__(registry, name, value)

    def note_all(registry: Any, *tables: Any, **values: Any) -> None:
        for name, value in dict(*tables, **values).items():
            note(registry, name, value)

    _replace_package_by_an_empty_one()
    registry = importlib.import_module("pullback.ir.registry").Registry
    registry.__setitem__, registry.update = note, note_all
    for layer in LAYERS:
        package = importlib.import_module(f"pullback.{layer}")
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            importlib.import_module(module.name)
    return "".join(f"{kind} {module} {' '.join(sorted(names))}\n" for (kind, module), names in sorted(found.items()))


def _replace_package_by_an_empty_one() -> None:
    """Have a package without what `import pullback` loads, so that nothing is defined yet."""
    spec = PathFinder.find_spec("pullback")
    assert spec is not None
    sys.modules["pullback"] = module_from_spec(spec)


if __name__ == "__main__":
    if "--check" in sys.argv:
        sys.exit(HOMES.read_text(encoding="utf-8") != homes())
    HOMES.write_text(homes(), encoding="utf-8")
