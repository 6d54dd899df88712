"""Writes what is public, from the `@export` marks of the source: src/pullback/interop/exports.txt, the table that the faces load names by,
and the stubs (.pyi) that type checkers and editors read.

    python docs/make_exports.py [--check]
"""

from __future__ import annotations

import ast
import runpy
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

PACKAGE = Path(__file__).parent.parent / "src" / "pullback"
TABLE = PACKAGE / "interop" / "exports.txt"
#: Which namespaces a keyword of `export` means; without one, both of TensorFlow's.
KEYWORDS = {"v1": ("tf1",), "v2": ("tf",), "ours": ("pullback",)}


class Export(NamedTuple):
    """A public name: in which namespace, and what it stands for."""

    space: str
    name: str
    module: str
    original: str


def find_exports() -> list[Export]:
    """The marks of the whole package, sorted. Raises ValueError for a mark that cannot be read, and for a name that two things have."""
    found: dict[tuple[str, str], Export] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if "export(" not in text or path.name == "export.py":
            continue
        for marked in _exports_of(path, ast.parse(text)):
            other = found.setdefault(marked[:2], marked)
            if other is not marked:
                raise ValueError(f"{marked.space}.{marked.name} is both {other[2:]} and {marked[2:]}")
    return sorted(found.values())


def _exports_of(path: Path, tree: ast.Module) -> Iterator[Export]:
    parts = ("pullback", *path.relative_to(PACKAGE).with_suffix("").parts)
    module = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
    read: set[ast.AST] = set()
    for statement in _outermost(tree):
        for mark, original in _marks_of(statement):
            read.add(mark)
            home, name = (module, original) if original != "__name__" else _split(module)
            for space, public in _names_of(mark):
                yield Export(space, public, home, name)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "export" and node not in read:
            raise ValueError(f"{path}:{node.lineno}: `export` marks what a module defines at its outermost level")


def _outermost(tree: ast.Module) -> Iterator[ast.stmt]:
    """The statements of a module, and those that it hides from type checkers."""
    for statement in tree.body:
        yield statement
        if isinstance(statement, ast.If) and ast.unparse(statement.test) == "not TYPE_CHECKING":
            yield from statement.body


def _marks_of(statement: ast.stmt) -> Iterator[tuple[ast.Call, str]]:
    """The calls of `export` in a statement, each with the name that it makes public."""
    match statement:
        case ast.FunctionDef(name=name, decorator_list=calls) | ast.ClassDef(name=name, decorator_list=calls):
            for call in calls:
                if isinstance(call, ast.Call) and _is_export(call.func):
                    yield call, name
        case ast.Assign(targets=[ast.Name(name)], value=ast.Call(func=ast.Call(func=function) as call)) if _is_export(function):
            yield call, name
        case ast.AnnAssign(target=ast.Name(name), value=ast.Call(func=ast.Call(func=function) as call)) if _is_export(function):
            yield call, name
        case ast.Expr(value=ast.Call(func=ast.Call(func=function) as call, args=[ast.Name(name)])) if _is_export(function):
            yield call, name


def _is_export(function: ast.expr) -> bool:
    return isinstance(function, ast.Name) and function.id == "export"


def _names_of(mark: ast.Call) -> Iterator[tuple[str, str]]:
    """The namespaces and names in them that a mark gives."""
    said: list[tuple[tuple[str, ...], str]] = [(("tf", "tf1"), ast.literal_eval(name)) for name in mark.args]
    for keyword in mark.keywords:
        names = ast.literal_eval(keyword.value)
        said += [(KEYWORDS[keyword.arg or ""], name) for name in ((names,) if isinstance(names, str) else names)]
    for faces, dotted in said:
        inner, _, name = dotted.rpartition(".")
        for face in faces:
            yield f"{face}.{inner}" if inner else face, name


def table(exports: list[Export]) -> str:
    """The text of exports.txt."""
    lines: dict[tuple[str, str], list[str]] = defaultdict(list)
    for space, name, module, original in exports:
        lines[space, module].append(name if name == original else f"{name}={original}")
    return "".join(f"{space} {module} {' '.join(names)}\n" for (space, module), names in lines.items())


def stubs(exports: list[Export]) -> dict[Path, str]:
    """The text of the stub of each namespace."""
    faces = runpy.run_path(str(PACKAGE / "interop" / "faces.py"))
    same, module_of = faces["SAME"], faces["module_of"]
    imports: dict[str, set[tuple[str, str, str]]] = defaultdict(set)
    for space, name, module, original in exports:
        imports[space].add((module, original, name))
    spaces = {part for space in (*imports, *same) for part in _with_parents(space)}
    for space in spaces:
        parent, _, child = space.rpartition(".")
        if parent:
            imports[parent].add((module_of(parent), child, child) if space in same else (*_split(module_of(space)), child))
    for space in spaces:  # with TensorFlow's names beside ours, one by one: `import *` would define a second time what both have
        if space.split(".")[0] == "pullback":
            own = {public for _, _, public in imports[space]}
            imports[space] |= {entry for entry in imports[space.replace("pullback", "tf", 1)] if entry[2] not in own}
    texts = {}
    for space in spaces:
        parent, _, child = space.rpartition(".")
        module = "pullback" if space == "pullback" else f"{module_of(parent)}.{child}" if space in same else module_of(space)
        path = PACKAGE.joinpath(*module.split(".")[1:])
        if path.with_suffix(".py").exists():
            continue  # a namespace that is written by hand
        is_package = path.joinpath("__init__.py").exists() or any(other.startswith(f"{space}.") for other in spaces)
        texts[path / "__init__.pyi" if is_package else path.with_suffix(".pyi")] = (
            f'"""The names of `{module}`, written by docs/make_exports.py."""\n\n'
            + (f"from {module_of(space)} import *\nfrom {module_of(space)} import __all__\n" if space in same else _stub(imports[space]))
            + ("__version__: str\n" if space in ("tf", "tf1", "pullback") else "")
        )
    return texts


def _stub(imports: set[tuple[str, str, str]]) -> str:
    # Without `as`, Jedi takes an import of a stub for the stub's own.
    lines = [f"from {module} import {name} as {public}\n" for module, name, public in sorted(imports)]
    names = "".join(f'    "{public}",\n' for public in sorted(public for _, _, public in imports))
    return f"{''.join(lines)}\n__all__ = [\n{names}]\n"


def _split(module: str) -> tuple[str, str]:
    package, _, name = module.rpartition(".")
    return package, name


def _with_parents(space: str) -> list[str]:
    parts = space.split(".")
    return [".".join(parts[:i]) for i in range(1, len(parts) + 1)]


def write() -> None:
    exports = find_exports()
    texts = {TABLE: table(exports), **stubs(exports)}
    for path in {*PACKAGE.rglob("*.pyi")} - texts.keys():
        path.unlink()
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def is_up_to_date() -> bool:
    exports = find_exports()
    texts = {TABLE: table(exports), **stubs(exports)}
    there = {TABLE, *PACKAGE.rglob("*.pyi")}
    return there == texts.keys() and all(path.read_text(encoding="utf-8") == text for path, text in texts.items())


if __name__ == "__main__":
    if "--check" in sys.argv:
        sys.exit(not is_up_to_date())
    write()
