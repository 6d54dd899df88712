"""Write docs/house.md, the size and shape of the source in numbers: `make docs`."""

import ast
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

from pullback.ir.registry import homes as _homes_of

SOURCE = Path(__file__).parent.parent / "src" / "pullback"
PAGE = Path(__file__).with_name("house.md")
HEAD = """# The source in numbers

Made by `make docs`, so that what is meant to fall is seen to fall. The aims are questions for a review, not limits.

| | today | aim |
|---|--:|--:|
{rows}

Lines are those of files as they lie, with comments and empty lines. A table of names is a list, tuple, set or dictionary of at least
five names of operations that does not stand in a definition. A circle is a set of modules each of which imports, or calls
operations or methods by name out of, all the others.  Operators and methods of tensors, variables and `IndexedSlices` call what they mean
by name, and are counted neither there nor among the lookups: what a tensor can do stands above the class.
Python calls are counted by `sys.setprofile`, after two calls that nobody counts.
"""
REGISTRIES = ("OPS", "LATE_BOUND")
#: Where operators and methods of tensors, variables and slices call what they mean, by name.
_VALUES = {f"pullback.{place}" for place in ("ir.tensor", "ir.operators", "ir.indexed_slices", "api.variable")}
_NAMES_IN_A_TABLE = 5
#: What defines operations of a kind, beside functions with `define` in their names.
_MAKERS = ("elementwise",)

COUNT_CALLS = """
import sys
import pullback as tf
x = tf.constant([1.0, 2.0, 3.0]); y = tf.constant([4.0, 5.0, 6.0])
def taped():
    with tf.GradientTape() as tape:
        tape.watch([x, y])
        z = tf.reduce_sum(x * y)
    return tape.gradient(z, [x, y])
def count(f):
    f(), f()
    calls = 0
    def note(frame, event, argument):
        nonlocal calls
        calls += event == "call"
    sys.setprofile(note)
    f()
    sys.setprofile(None)
    return calls - 1
print(count(lambda: tf.reduce_sum(x)), count(taped))
"""


@cache
def trees() -> dict[str, ast.Module]:
    """The modules of the package, by name."""
    return {_module_name(path): ast.parse(path.read_text()) for path in sorted(SOURCE.rglob("*.py"))}


def _module_name(path: Path) -> str:
    parts = ("pullback", *path.relative_to(SOURCE).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def nodes_of(kind: type[ast.AST]) -> Iterator[tuple[str, ast.AST]]:
    """Every node of a kind, with the name of its module."""
    return ((name, node) for name, tree in trees().items() for node in ast.walk(tree) if isinstance(node, kind))


def calls_by_name() -> Iterator[tuple[str, str]]:
    """The modules that look up an operation or a method by its name, and that name; but for operators and methods of values."""
    for module, node in nodes_of(ast.Subscript):
        assert isinstance(node, ast.Subscript)
        called = isinstance(node.value, ast.Name) and node.value.id in REGISTRIES and isinstance(node.ctx, ast.Load)
        if called and module not in _VALUES and (name := _text(node.slice)):
            yield module, name


def _text(node: ast.expr) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


@cache
def homes() -> dict[str, str]:
    """The module that defines each operation, and each method that is called by name."""
    return {**_homes_of("methods"), **_homes_of("operations")}


def tables_of_names() -> int:
    """Collections of names of operations that stand outside their records."""
    inside = {id(part) for _, call in nodes_of(ast.Call) if _is_definition(call) for part in ast.walk(call)}
    kinds = (ast.List, ast.Tuple, ast.Set, ast.Dict)
    found = 0
    for kind in kinds:
        for _, node in nodes_of(kind):
            parts = node.keys if isinstance(node, ast.Dict) else node.elts if isinstance(node, (ast.List, ast.Tuple, ast.Set)) else []
            names = [part for part in parts if part is not None and _text(part) in _homes_of("operations")]
            found += id(node) not in inside and len(names) >= _NAMES_IN_A_TABLE
    return found


def _is_definition(call: ast.AST) -> bool:
    return isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and ("define" in call.func.id or call.func.id in _MAKERS)


def imports() -> dict[str, set[str]]:
    """What each module imports when it is loaded or by name while it runs, within the package."""
    edges: dict[str, set[str]] = {name: set() for name in trees()}
    packages = {name.rpartition(".")[0] for name in trees()}
    for module, tree in trees().items():
        package = module.split(".") if module in packages else module.split(".")[:-1]
        hidden = {id(n) for node in ast.walk(tree) if isinstance(node, ast.If) and _is_for_types(node) for n in ast.walk(node)}
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and id(node) not in hidden:
                base = package[: len(package) + 1 - node.level] if node.level else []
                origin = ".".join([*base, *([node.module] if node.module else [])])
                inner = (f"{origin}.{alias.name}" for alias in node.names)  # modules, or what is in the module `origin`
                edges[module] |= {name if name in edges else origin for name in inner} & edges.keys() - {module}
    for module, name in calls_by_name():
        if (home := homes().get(name)) and home != module:
            edges[module].add(home)
    return edges


def lazy_imports() -> dict[str, set[str]]:
    """`imports`, and the modules that each has loaded when it first asks for one of their names."""
    edges = {module: {*others} for module, others in imports().items()}
    for module, node in nodes_of(ast.Call):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "LazyModule":
            edges[module] |= {_text(node.args[0])} & edges.keys()
    return edges


def _is_for_types(node: ast.If) -> bool:
    return isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def largest_circle(edges: dict[str, set[str]]) -> int:
    """How many modules the largest strongly connected part has (Tarjan 1972), 0 where there is none."""
    stack, sizes = list[str](), [0]
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    sys.setrecursionlimit(10_000)

    def visit(module: str) -> None:
        index[module] = low[module] = len(index)
        stack.append(module)
        for other in edges[module]:
            if other not in index:
                visit(other)
            if other in stack:
                low[module] = min(low[module], low[other])
        if low[module] == index[module]:
            part = stack[stack.index(module) :]
            del stack[-len(part) :]
            sizes.append(len(part) if len(part) > 1 else 0)

    for module in edges:
        if module not in index:
            visit(module)
    return max(sizes)


def public_functions() -> list[ast.FunctionDef]:
    """Functions and methods whose names, and those of what holds them, begin with a letter."""
    found: list[ast.FunctionDef] = []
    for tree in trees().values():
        holders: list[ast.Module | ast.ClassDef] = [tree]
        for holder in holders:
            holders += [n for n in holder.body if isinstance(n, ast.ClassDef) and not n.name.startswith("_")]
            found += [n for n in holder.body if isinstance(n, ast.FunctionDef) and not n.name.startswith("_")]
    return found


def untyped_parameters() -> float:
    """The share of the parameters of public functions that are typed `Any`."""
    given = [a for f in public_functions() for a in (*f.args.posonlyargs, *f.args.args, *f.args.kwonlyargs) if a.annotation is not None]
    return sum(_is_any(a.annotation) for a in given) / len(given)


def untyped_results() -> float:
    """The share of the results of public functions that are typed `Any`."""
    given = [f.returns for f in public_functions() if f.returns is not None]
    return sum(map(_is_any, given)) / len(given)


def _is_any(annotation: ast.expr | None) -> bool:
    return isinstance(annotation, ast.Name) and annotation.id == "Any"


def documented() -> float:
    """The share of public functions with a docstring."""
    functions = [f for f in public_functions() if not any(map(_restates, f.decorator_list))]
    return sum(ast.get_docstring(f) is not None for f in functions) / len(functions)


def _restates(decorator: ast.expr) -> bool:
    """Whether what it decorates is documented elsewhere: an overload by its function, a setter by its property."""
    return ast.unparse(decorator).endswith(("overload", ".setter"))


def _said(program: str) -> list[str]:
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()


def numbers() -> dict[str, tuple[str, str]]:
    """What is shown: for each number its value and the aim."""
    lines = sum(len(path.read_text().splitlines()) for path in SOURCE.rglob("*.py"))
    longest = max((len(path.read_text().splitlines()), path.relative_to(SOURCE).as_posix()) for path in SOURCE.rglob("*.py"))
    loaded = _said("import sys, pullback; print(sum(name.split('.')[0] == 'pullback' for name in sys.modules))")[0]
    reduction, taped = _said(COUNT_CALLS)
    percent: Callable[[float], str] = "{:.0%}".format
    return {
        "lines": (f"{lines:,}", "115,000"),
        "modules": (f"{len(trees()):,}", ""),
        f"lines of the longest (`{longest[1]}`)": (f"{longest[0]:,}", "400"),
        "modules in the largest circle, such calls by name counted": (str(largest_circle(imports())), "0"),
        "the same, with modules that are loaded when first asked for": (str(largest_circle(lazy_imports())), "0"),
        '`OPS["..."]` and `LATE_BOUND["..."]` outside operators and methods of tensors': (f"{len(list(calls_by_name())):,}", "0"),
        "tables of names of operations outside their records": (str(tables_of_names()), "0"),
        "modules that `import pullback` loads": (loaded, "150"),
        "Python calls of an eager `reduce_sum`": (reduction, "12"),
        "Python calls of a gradient of `reduce_sum(x * y)` by a tape": (taped, "70"),
        "parameters of public functions typed `Any`": (percent(untyped_parameters()), "10%"),
        "results of public functions typed `Any`": (percent(untyped_results()), "10%"),
        "public functions with a docstring": (percent(documented()), "100%"),
    }


def page() -> str:
    """The page."""
    return HEAD.format(rows="\n".join(f"| {what} | {today} | {aim} |" for what, (today, aim) in numbers().items()))


if __name__ == "__main__":
    PAGE.write_text(page())
