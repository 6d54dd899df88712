"""The names of a namespace that are not there at once: those that load when first asked for, and what a program hears of the others.

A name that few programs use is imported in a face's `if TYPE_CHECKING:` block and named in its `__all__`, no more: type checkers read
the import, and so do we when the name is first asked for, in the syntax tree of the module's source. One list serves both.

TensorFlow's public names stand in tensorflow_names.txt, a line for each namespace ("tf.math: abs ...", "tf1." for
TensorFlow 1), made by tests/golden/make_names.py. So a message can tell a name that Pullback does not have yet from one that
TensorFlow 1 has, or that nobody has.
"""

from __future__ import annotations

import ast
import difflib
import importlib.util
import sys
from collections.abc import Callable, Iterable
from functools import cache
from importlib.abc import InspectLoader
from pathlib import Path
from typing import Any

from .elsewhere import Reason, name_reason, said

# What we have: namespace -> names. Filled by `missing` as the namespaces are imported.
_here: dict[str, tuple[str, ...]] = {}


@cache
def tensorflow_names() -> dict[str, frozenset[str]]:
    """TensorFlow's public names: namespace -> names.

    >>> "gradients" in tensorflow_names()["tf"], "placeholder" in tensorflow_names()["tf"], "placeholder" in tensorflow_names()["tf1"]
    (True, False, True)
    """
    text = (Path(__file__).parent / "tensorflow_names.txt").read_text()
    pairs = (line.split(": ") for line in text.splitlines())
    return {space: frozenset(names.split()) for space, names in pairs}


@cache
def late_imports(module: str) -> dict[str, tuple[str, str]]:
    """Where the names of a face's `if TYPE_CHECKING:` block come from: name -> (module, name there).

    >>> late_imports("pullback.compat.v2")["sparse"]
    ('pullback.compat.v2', 'sparse')
    """
    spec = importlib.util.find_spec(module)
    source = spec.loader.get_source(module) if spec is not None and isinstance(spec.loader, InspectLoader) else None
    if spec is None or source is None:
        raise ImportError(f"the names that {module} loads late are read from its source, which is not there", name=module)
    package = module if spec.submodule_search_locations is not None else module.rpartition(".")[0]
    blocks = (s for s in ast.parse(source).body if isinstance(s, ast.If) and getattr(s.test, "id", "") == "TYPE_CHECKING")
    imports = (s for block in blocks for s in block.body if isinstance(s, ast.ImportFrom))
    return {
        alias.asname or alias.name: (importlib.util.resolve_name("." * s.level + (s.module or ""), package), alias.name)
        for s in imports
        for alias in s.names
    }


def _load(module: str, name: str) -> Any:
    source, original = late_imports(module)[name]
    # `from . import name` asks a package for its submodule, which may be this very namespace's
    value = None if source == module else getattr(importlib.import_module(source), original, None)
    value = importlib.import_module(f"{source}.{original}") if value is None else value
    setattr(sys.modules[module], name, value)
    return value


def missing(space: str, names: Iterable[str], module: str | None = None) -> Callable[[str], Any]:
    """A module's `__getattr__`: loads a name of its `if TYPE_CHECKING:` block, and raises an AttributeError for any other.

    The error says why the name is not there and what is near it.

    Args:
        space: the namespace as programs write it, "tf1" standing for TensorFlow 1's `tf`: "tf", "tf.math", "tf1.train".
        names: the names that the namespace has.
        module: the module's own `__name__`, if some of them load late.

    >>> missing("tf.math", ["sin", "cos"])("sinn")
    Traceback (most recent call last):
    AttributeError: TensorFlow has no tf.math.sinn. The nearest name here: tf.math.sin
    """
    here = _here[space] = tuple(names)

    def __getattr__(name: str) -> Any:
        if module is not None and name in here and name in late_imports(module):
            return _load(module, name)
        raise AttributeError(explain(space, name), name=name)

    return __getattr__


def explain(space: str, name: str) -> str:
    """Why `space` has no `name`, and what to use instead."""
    shown = f"{_written(space)}.{name}"
    if name.startswith("__"):
        return f"module {_written(space)!r} has no attribute {name!r}"
    known = tensorflow_names()
    if name in known.get(space, ()):
        elsewhere = reason_in(space, name)
        if elsewhere is not None:
            return f"{shown} is not in Pullback: {said(elsewhere)}"
        why = f"{shown} is not in Pullback yet"
    elif not space.startswith("tf1") and name in known.get(f"tf1{space[2:]}", ()):
        why = f"{shown} is TensorFlow 1's: write tf.compat.v1{shown[2:]}, or run the program with `pullback run --tf 1`"
    elif space.startswith("tf1") and name in known.get(f"tf{space[3:]}", ()):
        why = f"{shown} is TensorFlow 2's: write tf.compat.v2{shown[2:]}, or run the program with `pullback run --tf 2`"
    elif space in known:
        why = f"TensorFlow has no {shown}"
    else:
        why = f"{shown} is not in Pullback"
    near = nearest(space, name, alike="TensorFlow has no" in why or "yet" in why)
    return f"{why}. The nearest name here: {near}" if near else why


def reason_in(space: str, name: str) -> Reason | None:
    """Why a name of TensorFlow's is out of scope, or all that is in the namespace of that name; None where it is not.

    >>> reason_in("tf.quantization", "experimental").why
    'serving, tables and columns of features'
    """
    whole = tensorflow_names().get(f"{space}.{name}", ())
    own = name_reason(name)
    reasons = [name_reason(inner) for inner in sorted(whole)]
    return own if own is not None or not reasons or None in reasons else reasons[0]


def nearest(space: str, name: str, alike: bool = True) -> str | None:
    """The same name in another namespace of the face, else, where names that are only `alike` will do, the one most like it."""
    face = space.partition(".")[0]
    spaces = [s for s in _here if s.partition(".")[0] == face]
    same = [s for s in spaces if name in _here[s]]
    if same:
        return f"{_written(min(same, key=len))}.{name}"
    for candidates in ([space], spaces) if alike else ():
        names = {n: s for s in reversed(candidates) for n in _here.get(s, ())}
        close = difflib.get_close_matches(name, names, n=1, cutoff=0.7)
        if close:
            return f"{_written(names[close[0]])}.{close[0]}"
    return None


def _written(space: str) -> str:
    return f"tf{space[3:]}" if space.startswith("tf1") else space
