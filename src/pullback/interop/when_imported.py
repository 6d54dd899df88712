"""What is done when another library is imported, by whomever: before it finds TensorFlow, or once its functions may take tensors."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType


def run_before_import(name: str, do: Callable[[], object]) -> None:
    """Have something done each time that the module `name` is looked for."""
    sys.meta_path.insert(0, _Watch(name, do))


class _Watch(MetaPathFinder):
    def __init__(self, name: str, do: Callable[[], object]) -> None:
        self._name, self._do = name, do

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None) -> None:
        """None: others find modules."""
        if fullname == self._name:
            self._do()


def run_when_imported(name: str, do: Callable[[], object]) -> None:
    """Have something done after the module `name` has been imported; at once where it has been."""
    if name in sys.modules:
        do()
    else:
        sys.meta_path.insert(0, _Waiting(name, do))


class _Waiting(MetaPathFinder):
    """Waits for one module, whose loader it has tell of the import."""

    def __init__(self, name: str, do: Callable[[], object]) -> None:
        self._name, self._do = name, do

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        """The spec that others find, with a loader that does what waits; None for all other modules."""
        if fullname != self._name:
            return None
        if self in sys.meta_path:
            sys.meta_path.remove(self)
        spec = importlib.util.find_spec(fullname)
        if spec is not None and spec.loader is not None:
            spec.loader = _Telling(spec.loader, self._do)
        return spec


class _Telling(Loader):
    def __init__(self, loader: Loader, do: Callable[[], object]) -> None:
        self._loader, self._do = loader, do

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        if module.__spec__ is not None:
            module.__spec__.loader = self._loader
        module.__loader__ = self._loader
        self._loader.exec_module(module)
        self._do()
