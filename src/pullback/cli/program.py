"""What `pullback run` runs as the main program: a file, a module (`-m`) or text (`-c`), as Python itself takes them."""

from __future__ import annotations

import importlib
import importlib.util
import linecache
import os
import sys
from dataclasses import dataclass, field
from importlib.abc import InspectLoader
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import CodeType, ModuleType

from ..interop.detect import tensorflow_version


@dataclass(frozen=True)
class Program:
    """A main program.

    path: its file, or "<string>".  source: its text; None where it is compiled code only.  name: what sys.argv begins with.
    directory: where it imports from first.  root: the directory that its absolute imports start at.  spec: of the module that it is.
    """

    path: str
    source: bytes | None
    name: str
    directory: str
    root: Path = field(default_factory=Path.cwd)
    spec: ModuleSpec | None = None

    def version(self) -> int:
        """1 or 2: the TensorFlow that it was written for."""
        return 2 if self.source is None else tensorflow_version(Path(self.path), self.source, self.root)

    def run(self, arguments: list[str]) -> None:
        """Run it as the main program of this process, whose arguments follow its name on the command line."""
        module = ModuleType("__main__")
        module.__dict__.update(__file__=self.path, __cached__=None, __builtins__=__builtins__)
        if self.path == "<string>":
            del module.__dict__["__file__"], module.__dict__["__cached__"]
        sys.argv = [self.name, *arguments]
        sys.path[0] = self.directory
        if self.spec is not None:
            module.__dict__.update(__spec__=self.spec, __package__=self.spec.parent, __loader__=self.spec.loader)
            if self.spec.parent:
                importlib.import_module(self.spec.parent)
        sys.modules["__main__"] = module
        exec(self._code(), module.__dict__)

    def _code(self) -> CodeType:
        if self.source is not None:
            return compile(self.source, self.path, "exec", dont_inherit=True)
        loader = None if self.spec is None else self.spec.loader
        if self.spec is None or not isinstance(loader, InspectLoader) or (code := loader.get_code(self.spec.name)) is None:
            raise ImportError(f"there is no Python code in {self.path}", path=self.path)
        return code


def file_program(name: str) -> Program:
    """The program in a Python file, or in a directory with a `__main__.py`.

    Raises:
        OSError: it cannot be read.
    """
    path = Path(name).absolute()
    if path.is_dir():
        path = path / "__main__.py"
    return Program(str(path), path.read_bytes(), name, str(path.parent), path.parent)


def text_program(text: str) -> Program:
    """The program that a text is."""
    # so that tracebacks show its lines, and AutoGraph can read its functions
    linecache.cache["<string>"] = len(text), None, text.splitlines(keepends=True), "<string>"
    return Program("<string>", text.encode(), "-c", "")


def module_program(name: str) -> Program:
    """The program that a module is, or the `__main__` of a package.  Nothing is imported yet: it may import TensorFlow.

    Raises:
        ImportError: there is no such module.
    """
    sys.path[0] = os.getcwd()
    spec, root = _find(name), None
    if spec is not None and spec.submodule_search_locations is not None:
        root = Path(next(iter(spec.submodule_search_locations))).parents[name.count(".")]
        spec = _find(f"{name}.__main__")
        if spec is None:
            raise ImportError(f"No module named {name}.__main__; {name!r} is a package and cannot be run", name=name)
    if spec is None or spec.loader is None:
        raise ImportError(f"No module named {name}", name=name)
    path = Path(spec.origin or name)
    source = path.read_bytes() if path.suffix == ".py" and path.is_file() else None
    return Program(str(path), source, str(path), os.getcwd(), root or path.absolute().parents[name.count(".")], spec)


def _find(name: str) -> ModuleSpec | None:
    """The spec of a module, whose packages are looked at, not imported."""
    first, *parts = name.split(".")
    spec = importlib.util.find_spec(first)
    for part in parts:
        if spec is None or spec.submodule_search_locations is None:
            return None
        spec = PathFinder.find_spec(f"{spec.name}.{part}", list(spec.submodule_search_locations))
    return spec
