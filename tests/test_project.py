"""What holds for the project as a whole: start-up, imports, versions, links."""

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import make_house
import pullback
from pullback.base.version import VERSION
from tests.programs import python

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
TOP = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "CODE_OF_CONDUCT.md"]
PAGES = [*(ROOT / name for name in TOP), *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "benchmarks").glob("*.md"))]


def deferred(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Imports of this package from inside a function: they hide cycles."""
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            for node in ast.walk(function):
                if isinstance(node, ast.ImportFrom) and (node.level or (node.module or "").split(".", 1)[0] == "pullback"):
                    yield node.lineno, f"{'.' * node.level}{node.module or ''}"
                if isinstance(node, ast.Import):
                    yield from ((node.lineno, alias.name) for alias in node.names if alias.name.split(".", 1)[0] == "pullback")


def test_no_import_of_our_own_is_deferred() -> None:
    found = {
        f"{path.relative_to(SOURCE)}:{line}": name for path in SOURCE.rglob("*.py") for line, name in deferred(ast.parse(path.read_text()))
    }
    assert found == {}


#: Where operators and methods of tensors, variables and slices call what they mean, by name.
VALUES = {f"pullback/{place}.py" for place in ("ir/tensor", "ir/operators", "ir/indexed_slices", "api/variable")}


def lookups(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Operations and methods that are called by name: the registry and the name."""
    for node in ast.walk(tree):
        match node:
            case ast.Subscript(value=ast.Name("OPS" | "LATE_BOUND" as registry), slice=ast.Constant(str(name)), ctx=ast.Load()):
                yield registry, name
            case ast.Call(
                func=ast.Attribute(ast.Name("OPS" | "LATE_BOUND" as registry), "find" | "get"), args=[ast.Constant(str(name)), *_]
            ):
                yield registry, name


def test_functions_are_imported_and_not_called_by_name() -> None:
    assert set(lookups(ast.parse('OPS["Neg"].call(g), LATE_BOUND["cast"], LATE_BOUND[name], OPS.find("Abs")'))) == {
        ("OPS", "Neg"), ("LATE_BOUND", "cast"), ("OPS", "Abs"),
    }  # fmt: skip
    found: dict[str, set[str]] = {}
    for path in SOURCE.rglob("*.py"):
        place = path.relative_to(SOURCE).as_posix()
        for registry, name in lookups(ast.parse(path.read_text())):
            if place not in VALUES or registry == "OPS":
                found.setdefault(place, set()).add(name)
    assert found == {}


def test_no_modules_load_each_other_in_a_circle() -> None:
    assert make_house.largest_circle({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}) == 3
    assert make_house.largest_circle(make_house.lazy_imports()) == 0, "modules that are loaded when first asked for counted too"


def test_operations_are_found_where_they_are_defined() -> None:
    assert python(ROOT / "docs" / "make_homes.py", "--check").returncode == 0, "run `make homes`"


def test_the_public_names_are_those_that_the_source_marks() -> None:
    assert python(ROOT / "docs" / "make_exports.py", "--check").returncode == 0, "run `make exports`"


def test_one_version_everywhere() -> None:
    """The package, its metadata, the citation and the newest release in the changelog, which has a date."""
    cited = dict(line.split(": ", 1) for line in (ROOT / "CITATION.cff").read_text().splitlines() if line.startswith(("version", "date")))
    release = re.search(r"^## \[(\d+\.\d+\.\d+)\] - (\d{4}-\d{2}-\d{2})$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert release is not None
    assert release.groups() == (VERSION, cited["date-released"])
    assert PROJECT["version"] == cited["version"] == VERSION


def test_each_dependency_is_justified() -> None:
    rows = set(re.findall(r"^\| `([\w-]+)` \|", (ROOT / "docs" / "dependencies.md").read_text(), re.MULTILINE))
    extras = [r for name, requirements in PROJECT["optional-dependencies"].items() if name != "dev" for r in requirements]
    assert rows == {re.split(r"[<>=!~]", requirement)[0] for requirement in [*PROJECT["dependencies"], *extras]}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    targets = re.findall(r"\]\((?!https?:)([^)#]+)[^)]*\)", page.read_text())
    missing = [target for target in targets if not (page.parent / target).exists()]
    assert missing == []


def named_places(text: str) -> dict[str, bool]:
    """The modules, folders and functions of the source that a page names, and whether each is there."""
    files = {path.name for path in [*SOURCE.rglob("*.*"), *(ROOT / "tests").rglob("*.py"), *(ROOT / "docs").glob("*.py")]}
    found = {}
    for name in re.findall(r"`([\w*./]+(?::[\w.]+)?)`", text):
        place, _, function = name.partition(":")
        if "/" in place or place.endswith((".py", ".js")):
            there = place in files if "/" not in place and "*" not in place else any((SOURCE / "pullback").glob(f"**/{place.rstrip('/')}"))
            there = there or any((SOURCE / "pullback").glob(f"**/{place}.py")) or (ROOT / place).exists()
            if there and function:
                tree = ast.parse((SOURCE / "pullback" / place).read_text())
                defined = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)}
                there = {*function.split(".")} <= defined
            found[name] = there
    return found


def test_architecture_names_what_is_there() -> None:
    assert named_places("`ir/graph.py`, `ir/graph.py:Graph.add`, `ir/no.py`, `ir/graph.py:Graph.no`, `no.py`, `ops/no`, `*_loops.py`") == {
        "ir/graph.py": True, "ir/graph.py:Graph.add": True, "ir/no.py": False, "ir/graph.py:Graph.no": False, "no.py": False,
        "ops/no": False, "*_loops.py": True,
    }  # fmt: skip
    found = named_places((ROOT / "docs" / "architecture.md").read_text())
    assert len(found) > 50
    assert [name for name, there in found.items() if not there] == []


def test_type_checkers_are_told_that_the_package_is_typed() -> None:
    assert (Path(pullback.__file__).parent / "py.typed").exists()
