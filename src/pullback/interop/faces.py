"""Faces: namespaces of TensorFlow's names, made from one table. They import nothing of what the names stand for before it is asked for.

The table, exports.txt, is written by docs/make_exports.py from the `@export` marks of the source: a line for each namespace and each module
that has names in it. Namespaces are written as programs write them, "tf1" standing for TensorFlow 1's `tf` and "pullback" for what only we
have: "tf", "tf.math", "tf1.train". Below the two packages `compat.v1` and `compat.v2` they are modules without a file.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable, Sequence
from functools import cache
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import FunctionType, ModuleType
from typing import Any

TABLE = os.path.join(os.path.dirname(__file__), "exports.txt")

#: Namespaces that have a file.
_MODULES = {
    "tf": "pullback.compat.v2",
    "tf1": "pullback.compat.v1",
    "pullback": "pullback",
    "tf.compat": "pullback.compat",
    "tf.experimental.numpy": "pullback.numpy_api",
    "tf.experimental.numpy.random": "pullback.numpy_api.random",
}

#: Namespaces that are another one too.
SAME = {
    "tf1.app.flags": "tf1.flags",
    "tf1.compat": "tf.compat",
    "tf1.contrib.distributions": "tf1.distributions",
    "tf1.contrib.framework.nest": "tf1.nest",
    "tf1.contrib.slim.utils": "tf1.contrib.layers.utils",
}


@cache
def exports() -> dict[str, dict[str, tuple[str, str]]]:
    """Where the names of each namespace come from: namespace -> name -> (module, name there).

    >>> exports()["tf1.math"]["sin"], exports()["tf"]["tuple"]
    (('pullback.ops.math.trigonometric', 'sin'), ('pullback.ops.effects.operations', 'tuple_'))
    """
    found: dict[str, dict[str, tuple[str, str]]] = {}
    with open(TABLE, encoding="utf-8") as file:
        for space, module, *entries in map(str.split, file):
            names = found.setdefault(space, {})
            for entry in entries:
                name, _, original = entry.partition("=")
                names[name] = module, original or name
    return found


@cache
def namespaces() -> dict[str, tuple[str, ...]]:
    """The names of each namespace, with the namespaces in it.

    >>> namespaces()["tf1.app"]
    ('flags', 'run')
    """
    found = {space: set(names) for space, names in exports().items()}
    for space in (*exports(), *SAME):
        while "." in space:
            space, _, child = space.rpartition(".")
            found.setdefault(space, set()).add(child)
    return {space: tuple(sorted(names)) for space, names in found.items()}


def module_of(space: str) -> str:
    """The name of a namespace's module.

    >>> module_of("tf1.nn"), module_of("tf1.app.flags"), module_of("tf.compat")
    ('pullback.compat.v1.nn', 'pullback.compat.v1.flags', 'pullback.compat')
    """
    space = _resolve(space)
    parent, _, child = space.rpartition(".")
    return _MODULES.get(space) or f"{module_of(parent)}.{child}"


def _resolve(space: str) -> str:
    """The namespace that a namespace is."""
    parent, _, child = space.rpartition(".")
    return SAME.get(space) or (f"{_resolve(parent)}.{child}" if parent else space)


def load_name(space: str, name: str) -> Any:
    """What has a public name in a namespace.

    >>> load_name("tf.math", "sin").__name__
    'sin'
    """
    inner = f"{space}.{name}"
    if _resolve(inner) in namespaces():
        return importlib.import_module(module_of(inner))
    source, original = exports()[space][name]
    of = vars(importlib.import_module(source))
    if original not in of:
        return importlib.import_module(f"{source}.{original}")  # a module that is exported
    if isinstance(of[original], FunctionType):
        # `export` itself cannot: it lies below `ir`, and what the library calls itself needs no handler.  In the function's module too, as
        # `pickle` takes a function only if it is the one that its module has under its name.
        tracebacks = importlib.import_module("pullback.ir.tracebacks")
        of[original] = tracebacks.trims_errors(of[original], asks=True)
        return tracebacks.wrap_asking(of[original])
    return of[original]


#: By module, the dictionaries that hold its names, its own and those of its copies, and the namespace that each name is of.
_FILLED: dict[str, tuple[list[dict[str, Any]], dict[str, str]]] = {}


def note_copy(module: str, namespace: dict[str, Any]) -> None:
    """Let `load_again` reach a dictionary too that has taken names of a module."""
    if module in _FILLED:
        _FILLED[module][0].append(namespace)


def load_again() -> None:
    """Let the modules that are filled, and their copies, have their functions as `load_name` gives them now."""
    for namespace, space_of in [(namespace, space_of) for holders, space_of in _FILLED.values() for namespace in holders]:
        loaded = {name for name, value in namespace.items() if name in space_of and isinstance(value, FunctionType)}
        namespace |= {name: load_name(space_of[name], name) for name in loaded}


def fill_namespace(module: str, *spaces: str) -> None:
    """Give a module the names of namespaces: `__all__`, `dir()`, and each name when it is first asked for.

    A namespace that stands in several is the last one's.  A name that is not there is an AttributeError, which says why, and what is near
    it in the first of the namespaces.

    >>> tf.math.sinn
    Traceback (most recent call last):
    AttributeError: TensorFlow has no tf.math.sinn. The nearest name here: tf.math.sin
    """
    space_of = {name: space for space in spaces for name in namespaces()[space]}
    namespace = vars(sys.modules[module])
    _FILLED[module] = [namespace], space_of
    explain = explain_missing(spaces[0])

    def __getattr__(name: str) -> Any:
        if name not in space_of:
            return explain(name)
        value = namespace[name] = load_name(space_of[name], name)
        return value

    namespace |= {"__all__": sorted(space_of), "__getattr__": __getattr__, "__dir__": lambda: sorted(space_of)}


def explain_missing(space: str) -> Callable[[str], Any]:
    """The `__getattr__` of a namespace that has all its names: it says why another is not there."""

    def explain(name: str) -> Any:
        if name in ("__internal__", "__operators__") and space in ("tf", "tf1"):
            return importlib.import_module(".internal", __package__).internal_module(name)
        if f"{write_space(space)}.{name}" == "tf.distribute.experimental.coordinator":  # libraries ask whether values are of its classes
            return importlib.import_module(".internal", __package__).internal_module("distribute.experimental.coordinator")
        if name.startswith("__"):
            raise AttributeError(f"module {write_space(space)!r} has no attribute {name!r}", name=name)
        raise AttributeError(importlib.import_module(".names", __package__).explain(space, name), name=name)

    return explain


def write_space(space: str) -> str:
    """A namespace as programs write it."""
    return f"tf{space[3:]}" if space.startswith("tf1") else space


class _Finder(MetaPathFinder, Loader):
    """Makes the namespaces that have no file, and knows those that are another one."""

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        return ModuleSpec(fullname, self, is_package=True) if _resolve(_space_of(fullname)) in namespaces() else None

    def exec_module(self, module: ModuleType) -> None:
        space, name = _space_of(module.__name__), module.__name__
        if module_of(space) != name:
            sys.modules[name] = importlib.import_module(module_of(space))
        else:
            module.__doc__ = f"The names of `{space.replace('tf1', 'tf.compat.v1')}`."
            fill_namespace(name, space)


def _space_of(module: str) -> str:
    face = next((face for face in ("tf", "tf1") if module.startswith(f"{_MODULES[face]}.")), "")
    return f"{face}{module.removeprefix(_MODULES[face])}" if face else ""


# last, so that it is asked only for what nobody else has
sys.meta_path.append(_Finder())
