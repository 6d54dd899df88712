"""Every public name of both faces and of `array_api` has a docstring, with an example that runs; every public method has its line."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from functools import cache
from types import ModuleType
from typing import Any

import pullback
from pullback import array_api
from pullback.interop.behavior import enable_v2_behavior
from tests.test_faces import SPACES

MODULES: dict[str, ModuleType] = {
    **SPACES, "pullback": pullback, "pullback.optimize": pullback.optimize,
    "array_api": array_api, "array_api.fft": array_api.fft, "array_api.linalg": array_api.linalg,
}  # fmt: skip


@cache
def public() -> dict[str, Any]:
    """The functions and classes of our own that programs can name, each by one of its names."""
    found: dict[int, tuple[str, Any]] = {}
    for space, module in sorted(MODULES.items()):
        for name in module.__all__:
            value = getattr(module, name)
            ours = str(getattr(value, "__module__", "")).startswith("pullback")
            if ours and callable(value) and not isinstance(value, pullback.DType):
                found.setdefault(id(value), (f"{space}.{name}", value))
    return dict(found.values())


@cache
def examples() -> dict[str, list[doctest.Example]]:
    """By docstring, the examples in it that doctests run."""
    finder = doctest.DocTestFinder()
    names = [m.name for m in pkgutil.walk_packages(pullback.__path__, "pullback.") if not m.name.endswith("__main__")]
    tests = [test for name in names for test in finder.find(importlib.import_module(name), name)]
    enable_v2_behavior()  # the face of TensorFlow 1 is among them
    return {test.docstring: [e for e in test.examples if not e.options.get(doctest.SKIP)] for test in tests}


def test_each_says_what_it_is_and_gives_an_example() -> None:
    def shown(value: Any) -> bool:
        return any(not e.source.startswith(("import ", "from ")) for e in examples().get(value.__doc__ or "", ()))

    assert len(public()) > 1400
    assert sorted(name for name, value in public().items() if not shown(value)) == []


def members(cls: type) -> Iterator[tuple[str, Any]]:
    """The public methods and properties that are written here."""
    for name in dir(cls):
        member = inspect.getattr_static(cls, name)
        function = getattr(member, "__func__", getattr(member, "fget", member))
        if not name.startswith("_") and inspect.isfunction(function) and function.__module__.startswith("pullback"):
            yield name, member


def test_each_method_says_what_it_does() -> None:
    """Itself, or where a base class has it."""
    silent = [
        f"{public_name}.{name}"
        for public_name, value in public().items()
        if inspect.isclass(value)
        for name, _ in members(value)
        if not any(inspect.getdoc(vars(base)[name]) for base in value.__mro__ if name in vars(base))
    ]
    assert silent == []
