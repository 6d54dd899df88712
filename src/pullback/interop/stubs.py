"""`pullback stubs`: what editors and type checkers read where a program says `import tensorflow`.

A stub package (PEP 561) beside Pullback, whose modules hand on the names of ours. Programs never import it.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from .faces import SAME, module_of, namespaces
from .hook import FACES

_HEAD = '"""TensorFlow\'s names as Pullback serves them, written by `pullback stubs`."""\n\n'
# Keras says nothing of its types to mypy, which takes what is untyped for empty.
_UNTYPED = "from typing import Any\n\nfrom {} import *\n\ndef __getattr__(name: str) -> Any: ...\n"


def write_stubs(folder: Path, version: int = 2) -> Path:
    """Write the package `tensorflow-stubs` into a folder on the path of packages, for TensorFlow 1 or 2, in place of an older one.

    Returns its path.  Raises FileExistsError where a package of that name is there that this did not write.

    >>> import tempfile
    >>> path = write_stubs(Path(tempfile.mkdtemp()))
    >>> print((path / "nn" / "__init__.pyi").read_text().splitlines()[-1])
    from pullback.compat.v2.nn import *
    """
    remove_stubs(folder)
    package = folder / "tensorflow-stubs"
    for inner, text in _modules(version):
        file = package.joinpath(*inner, "__init__.pyi")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(_HEAD + text, encoding="utf-8")
    return package


def remove_stubs(folder: Path) -> None:
    """Remove what `write_stubs` wrote into a folder, if it did.  Raises FileExistsError where another package has the name."""
    package = folder / "tensorflow-stubs"
    if not package.exists():
        return
    first = package / "__init__.pyi"
    if not (first.is_file() and first.read_text(encoding="utf-8").startswith(_HEAD)):
        raise FileExistsError(f"{package} is another package's: types-tensorflow, perhaps")
    shutil.rmtree(package)


def _modules(version: int) -> Iterator[tuple[list[str], str]]:
    """The modules of TensorFlow, by their names' parts, and what is in each."""
    yield [], f"from {FACES[version]} import *\n"
    for space in (*namespaces(), *SAME):
        face, *inner = space.split(".")
        for served, root in ((1, "tf1"), (2, "tf")):
            if face == root:
                text = f"from {module_of(space)} import *\n"
                yield ["compat", f"v{served}", *inner], text
                if served == version and inner:
                    yield inner, text
    for inner in _keras_packages():
        yield inner, _UNTYPED.format(".".join(inner))


def _keras_packages() -> Iterator[list[str]]:
    """The packages of Keras that are public; none where it is not installed."""
    spec = find_spec("keras")
    for place in (spec.submodule_search_locations or ()) if spec is not None else ():
        for file in Path(place).rglob("__init__.py"):
            inner = file.parent.relative_to(place).parts
            if inner[:1] not in (("src",), ("_tf_keras",)):
                yield ["keras", *inner]
