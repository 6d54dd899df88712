"""Faces: modules that hold names of TensorFlow's and import none of what these stand for before it is asked for.

A face's imports stand in its `if TYPE_CHECKING:` block, and their names in its `__all__`, no more: type checkers read the imports, and so
do we when one of the names is first asked for, in the module's source. One list serves both. What both versions of TensorFlow have stands
in `compat/common`, for a face to take by `from ..common.math import *`.
"""

from __future__ import annotations

import ast
import importlib.util
import sys
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

#: What we have: namespace -> names. Filled by `missing` as the namespaces are imported.
NAMESPACES: dict[str, tuple[str, ...]] = {}


@cache
def late_imports(module: str) -> dict[str, tuple[str, str]]:
    """Where the names of a face's `if TYPE_CHECKING:` block come from: name -> (module, name there).  A star is the names of a module.

    >>> late_imports("pullback.compat.v2")["sparse"], late_imports("pullback.compat.v1.math")["sin"]
    (('pullback.compat.v2', 'sparse'), ('pullback.ops.math.functions', 'sin'))
    """
    spec = importlib.util.find_spec(module)
    read: Callable[[str], str | None] | None = None if spec is None else getattr(spec.loader, "get_source", None)
    source = None if read is None else read(module)
    if spec is None or source is None:
        raise ImportError(f"the names that {module} loads late are read from its source, which is not there", name=module)
    package = module if spec.submodule_search_locations is not None else module.rpartition(".")[0]
    found: dict[str, tuple[str, str]] = {}
    blocks = [s.body for s in ast.parse(source).body if isinstance(s, ast.If) and ast.unparse(s.test).endswith("TYPE_CHECKING")]
    for statement in (s for body in blocks for s in body if isinstance(s, ast.ImportFrom)):
        origin = importlib.util.resolve_name("." * statement.level + (statement.module or ""), package)
        for alias in statement.names:
            if alias.name == "*":
                found |= {name: (origin, name) for name in importlib.import_module(origin).__all__} | late_imports(origin)
            else:
                found[alias.asname or alias.name] = origin, alias.name
    return found


def _load(module: str, name: str) -> Any:
    source, original = late_imports(module)[name]
    # `from . import name` asks a package for its submodule, which may be this very namespace's
    of = importlib.import_module(source)
    has = source != module and hasattr(of, original)
    value = getattr(of, original) if has else importlib.import_module(f"{source}.{original}")
    setattr(sys.modules[module], name, value)
    return value


def missing(space: str, names: Iterable[str], module: str) -> Callable[[str], Any]:
    """A module's `__getattr__`: loads a name of its `if TYPE_CHECKING:` block, and raises an AttributeError for any other.

    The error says why the name is not there and what is near it.  `dir()` of the module lists the names that are not loaded yet too.

    Args:
        space: the namespace as programs write it, "tf1" standing for TensorFlow 1's `tf`: "tf", "tf.math", "tf1.train".
        names: the names that the namespace has.
        module: the module's own `__name__`.

    >>> missing("tf.math", ["sin", "cos"], "pullback.compat.v2.math")("sinn")
    Traceback (most recent call last):
    AttributeError: TensorFlow has no tf.math.sinn. The nearest name here: tf.math.sin
    """
    NAMESPACES[space] = tuple(names)
    here = frozenset(NAMESPACES[space])
    namespace = vars(sys.modules[module])
    namespace["__dir__"] = lambda: sorted({*namespace, *here})

    def __getattr__(name: str) -> Any:
        if name in here:
            return _load(module, name)
        if name.startswith("__"):
            raise AttributeError(f"module {written(space)!r} has no attribute {name!r}", name=name)
        raise AttributeError(importlib.import_module(".names", __package__).explain(space, name), name=name)

    return __getattr__


def written(space: str) -> str:
    """A namespace as programs write it."""
    return f"tf{space[3:]}" if space.startswith("tf1") else space


__all__ = ["NAMESPACES", "late_imports", "missing", "written"]
