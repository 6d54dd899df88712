"""An import hook that answers `import tensorflow` with Pullback.

`serve_tensorflow` puts a finder in front of the others. Each module it serves is a new one that holds a face's names, so
that what the import system writes on a module (its spec, its submodules) does not land on Pullback's own. The faces are named
here, not imported: they lie above this layer, and which one a program wants is known when it runs.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

from ..base.counterparts import take_names
from ..base.export import export
from ..base.lazy_import import LazyModule
from .faces import note_copy
from .internal import internal_module, is_internal
from .python_modules import PYTHON_PACKAGES, find_python_name

distribution = LazyModule(f"{__package__}.distribution")

#: The environment variable that serves TensorFlow in every process, read by pullback_startup.py.
VARIABLE = "PULLBACK_TENSORFLOW"
FACES = {1: "pullback.compat.v1", 2: "pullback"}
_FACES_BELOW = ["compat", "v1"], ["compat", "v2"]
VERSIONS = {1: "1.15.5", 2: "2.21.0"}


class ServedModule(ModuleType):
    """A module of TensorFlow's name with the content of one of ours."""

    def __init__(self, name: str, source: ModuleType) -> None:
        super().__init__(name, source.__doc__)
        here = source.__dict__
        names = here["__all__"] if "__all__" in here else [k for k in here if not k.startswith("_")]
        self.__dict__.update({k: here[k] for k in names if k in here})  # the others load late
        self.__dict__["_source"] = source
        note_copy(source.__name__, self.__dict__)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__dict__["_source"], name)


class PythonModule(ModuleType):
    """A module of `tensorflow.python`: TensorFlow's inside, of which programs use the public part by another road."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}", name=name)
        inside = self.__name__.removeprefix("tensorflow.python").lstrip(".")
        if f"{inside}.{name}".lstrip(".") in PYTHON_PACKAGES:
            return importlib.import_module(f"{self.__name__}.{name}")
        one, two = (importlib.import_module(FACES[version]) for version in (1, 2))
        return find_python_name(inside, name, one, two)


class Finder(MetaPathFinder, Loader):
    """Finds and makes the modules of TensorFlow's names."""

    def __init__(self, version: int) -> None:
        self.version = version

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        """The spec of a module that starts with `tensorflow`; None for others."""
        if fullname == "tensorflow" or fullname.startswith("tensorflow."):
            return ModuleSpec(fullname, self, origin="pullback", is_package=True)
        return None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """The module.

        Raises:
            ImportError: Pullback has no such module. It is not a ModuleNotFoundError, which `from tensorflow import name` would
                swallow together with what it says about the name.
        """
        parts = spec.name.split(".")[1:]
        if parts[:2] == ["python", "keras"]:
            parts = parts[1:]  # programs reach for the public names by this road
        inside = ".".join(parts[2:] if parts[:2] in _FACES_BELOW else parts)
        if parts[:1] != ["python"] and is_internal(inside):
            return internal_module(inside)
        if parts[:1] == ["python"]:
            return self._python_module(spec.name, ".".join(parts[1:]))
        module = ServedModule(spec.name, self._source(spec.name, parts))
        if not parts:
            module.__dict__["__version__"] = VERSIONS[self.version]
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Nothing: a served module is complete when it is made."""

    def find_distributions(self, context: object) -> Iterator[Any]:
        """What `importlib.metadata` says of an installed tensorflow: its name and version."""
        yield from distribution.find(VERSIONS[self.version], context)

    def _source(self, fullname: str, parts: list[str]) -> ModuleType:
        face = self.version
        if parts[:2] in _FACES_BELOW:
            face, parts = int(parts[1][1]), parts[2:]
        if parts[:1] == ["contrib"] and "python" in parts:
            parts = parts[: parts.index("python")]  # the modules inside tf.contrib hold what is public there
        found: Any = importlib.import_module(FACES[face])
        for name in parts:
            try:
                found = getattr(found, name)
            except AttributeError as error:
                raise ImportError(f"no module {fullname!r}: {error}", name=fullname) from error
        if not isinstance(found, ModuleType):
            raise ImportError(f"{fullname!r} is not a module", name=fullname)
        return found

    def _python_module(self, fullname: str, inner: str) -> ModuleType:
        if inner not in PYTHON_PACKAGES:
            raise ImportError(
                f"no module {fullname!r}: it is inside TensorFlow, and Pullback stands in only for "
                f"the parts of tensorflow.python that programs about gradients use",
                name=fullname,
            )
        return PythonModule(fullname)


def served_version() -> int | None:
    """Which TensorFlow `import tensorflow` gives Pullback as; None where it does not."""
    return next((finder.version for finder in sys.meta_path if isinstance(finder, Finder)), None)


@export(ours="serve_tensorflow")
def serve_tensorflow(version: int = 2) -> None:
    """From now on `import tensorflow` gives Pullback in this process.

    It stands at the head of a program, before whatever imports TensorFlow. Processes that the program starts, by `multiprocessing` or
    another way, are told by the environment variable PULLBACK_TENSORFLOW, 1 or 2, which does the same from their beginning.

    Args:
        version: 2, or 1 for TensorFlow 1's names and ways: graphs from the start.

    Raises:
        RuntimeError: `tensorflow` was imported before, or is given as the other version.
        ValueError: another version.

    >>> import pullback
    >>> pullback.serve_tensorflow()
    >>> import tensorflow as tf
    >>> tf.constant is pullback.constant, tf.__version__
    (True, '2.21.0')
    """
    if version not in FACES:
        raise ValueError(f"version must be 1 or 2, not {version!r}")
    before = served_version()
    if before == version:
        return
    if before is not None:
        raise RuntimeError(f"tensorflow is given as TensorFlow {before} already: ask for {version} first, or in a process of its own")
    if "tensorflow" in sys.modules:
        raise RuntimeError("tensorflow is imported already; Pullback can only take its place before")
    take_names()
    sys.meta_path.insert(0, Finder(version))
    if version == 1:
        importlib.import_module(FACES[1]).disable_v2_behavior()
