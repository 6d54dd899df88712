"""What the text of a program tells that no tape holds: under which names values go, and what becomes of them outside the library.

A tape sees operations on tensors.  That a value went through NumPy, or was computed before the tape began, stands only in the program:
its source is read when a gradient is None and the tape alone cannot tell why.
"""

from __future__ import annotations

import ast
import builtins
import functools
import inspect
import linecache
from collections.abc import Iterator, Mapping
from types import CodeType, FrameType, ModuleType
from typing import Any, NamedTuple

from ..ir.node import is_inside, place_of

#: What takes a value out of the library: methods of tensors and built-in functions, by name.
_METHODS = frozenset({"numpy", "item", "tolist", "__array__"})
#: Methods that do so in programs of graphs.
SESSIONS = frozenset({"run", "eval"})
_FUNCTIONS = frozenset({"float", "int", "complex", "round"})
_CALLBACKS = frozenset({"numpy_function", "py_func"})
#: Methods of tapes that give derivatives.
_DERIVATIVES = frozenset({"gradient", "jacobian", "batch_jacobian"})
#: Methods that put tensors in a dataset.
DATASETS = frozenset({"from_tensor_slices", "from_tensors"})
#: Methods of datasets that compute in a pipeline of their own.
MAPS = frozenset({"map", "flat_map", "interleave"})
#: What takes of a tensor nothing but its shape, and the operation that TensorFlow has for it.
ALIKE = {"ones_like": "OnesLike", "zeros_like": "ZerosLike", "shape": "Shape", "size": "Size", "rank": "Rank"}
_MODULES = ("numpy", "math", "cmath", "scipy", "random", "statistics")
_USUAL = {"np": "numpy", "numpy": "numpy", "math": "math", "scipy": "scipy"}


class Exit(NamedTuple):
    """Where a value leaves the library: what is called there, the line, and the names that it reads."""

    what: str
    line: int
    reads: frozenset[str]


class Binding(NamedTuple):
    """A statement that gives names their values: the names, those that it reads, its lines and what leaves the library in it."""

    targets: frozenset[str]
    reads: frozenset[str]
    line: int
    end: int
    exits: tuple[Exit, ...]
    is_alias: bool
    value: ast.expr | None
    augments: bool


class Program:
    """The function (or module) that a piece of code is part of, as its source has it."""

    def __init__(
        self, file: str, body: list[ast.stmt], names: dict[str, Any], is_function: bool = False, methods: frozenset[str] = frozenset()
    ) -> None:  # fmt: skip
        self.file = file
        self.methods = _METHODS | methods
        self.is_function = is_function
        self.body = body
        self.names = names
        self.bindings = sorted(self._bindings(), key=lambda b: b.line)
        #: The last line that gives a name its value.
        self.last = max((b.line for b in self.bindings), default=0)

    def _bindings(self) -> Iterator[Binding]:
        for node in _own_nodes(self.body):
            if isinstance(node, ast.Assign):
                yield self._binding(node, node.targets, node.value)
            elif isinstance(node, ast.AugAssign):
                yield self._binding(node, [node.target], node.value, augments=True)
            elif isinstance(node, (ast.AnnAssign, ast.NamedExpr)):
                yield self._binding(node, [node.target], node.value or node.target)
            elif isinstance(node, ast.For):
                yield self._binding(node.iter, [node.target], node.iter)
            elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and _is_append(node.value):
                assert isinstance(node.value.func, ast.Attribute)
                yield self._binding(node, [node.value.func.value], node.value, augments=True)

    def _binding(self, node: ast.stmt | ast.expr, targets: list[ast.expr], value: ast.expr, augments: bool = False) -> Binding:
        named = frozenset(name for t in targets for name in _names(t))
        reads = frozenset(name for part in _read_of(value) for name in _names(part)) | (named if augments else frozenset())
        alias = isinstance(value, (ast.Name, ast.Attribute)) and not augments
        return Binding(named, reads, node.lineno, node.end_lineno or node.lineno, tuple(self.exits(value)), alias, value, augments)

    def exits(self, tree: ast.AST) -> Iterator[Exit]:
        """What leaves the library in an expression."""
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call):
                continue
            function = node.func
            reads = frozenset(name for part in (*node.args, *node.keywords) for name in _names(part))
            if isinstance(function, ast.Name):
                if function.id in _FUNCTIONS and reads:
                    yield Exit(f"{function.id}()", function.lineno, reads)
            elif isinstance(function, ast.Attribute):
                if function.attr in self.methods and (function.attr != "run" or reads):
                    yield Exit(f".{function.attr}()", function.end_lineno or function.lineno, reads | frozenset(_names(function.value)))
                elif reads and function.attr in MAPS and self._is_dataset(function.value):
                    yield Exit(f".{function.attr}()", function.end_lineno or function.lineno, reads)
                elif reads and (function.attr in _CALLBACKS | DATASETS or self._is_foreign(function)):
                    yield Exit(f"{ast.unparse(function)}()", function.lineno, reads)

    def find_shape_calls(self, tree: ast.AST) -> Iterator[Exit]:
        """Calls in an expression that take of a tensor nothing but its shape."""
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ALIKE:
                yield Exit(node.func.attr, node.lineno, frozenset(_names(node)))

    def _is_foreign(self, function: ast.Attribute) -> bool:
        root: ast.expr = function
        while isinstance(root, ast.Attribute):
            root = root.value
        if not isinstance(root, ast.Name):
            return False
        known = self.names.get(root.id)
        name = known.__name__ if isinstance(known, ModuleType) else _USUAL.get(root.id, "")
        return name.split(".")[0] in _MODULES

    def _is_dataset(self, tree: ast.expr) -> bool:
        known = self.names.get(tree.id) if isinstance(tree, ast.Name) else None
        return hasattr(known, "element_spec") or "Dataset." in ast.unparse(tree)

    def way(self, start: str, end: str, line: int) -> list[Binding] | None:
        """The bindings through which what `start` has at `line` comes from `end`, the nearest to `start` first; None where it does not.

        What functions of the program read of its names counts where there is no way without.
        """
        return self._way(start, end, line, False) or self._way(start, end, line, True)

    def _way(self, start: str, end: str, line: int, reads_within: bool) -> list[Binding] | None:
        seen: set[tuple[str, int]] = set()
        pending: list[tuple[str, int, list[Binding]]] = [(start, line, [])]
        while pending:
            name, before, way = pending.pop(0)
            if name == end and way:
                return way
            found = self.binding_of(name, before)
            if found is None or (name, found.line) in seen:
                continue
            seen.add((name, found.line))
            reads = set(found.reads)
            for code in self.functions_called(found.value) if reads_within and found.value is not None else ():
                reads.update(read for read in (*code.co_names, *code.co_freevars) if read == end or self.binding_of(read, found.line))
            pending += [(read, found.line - (read in found.targets), [*way, found]) for read in sorted(reads)]
        return None

    def leaves_by(self, found: Exit, names: frozenset[str]) -> bool:
        """Whether what leaves the library may be computed from one of some names: another name of the program tells that it is not."""
        return not found.reads.isdisjoint(names) or any(
            not isinstance(self.names.get(name), ModuleType) and name not in self.names and name not in vars(builtins)
            for name in found.reads
            if "." not in name
        )

    def binding_of(self, name: str, line: int) -> Binding | None:
        """What gave `name` the value that it has at `line`."""
        found = [b for b in self.bindings if name in b.targets]
        return next((b for b in reversed(found) if b.line <= line), None)

    def functions_called(self, tree: ast.AST) -> Iterator[CodeType]:
        """The code of functions of the program that an expression calls."""
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call):
                continue
            called = None
            if isinstance(node.func, ast.Name):
                called = self.names.get(node.func.id)
            elif isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name):
                called = inspect.getattr_static(self.names.get(node.func.value.id), node.func.attr, None)
                called = getattr(called, "__func__", called)  # of a static method or one of a class
            elif isinstance(node.func, ast.Call) and isinstance(node.func.func, ast.Name):
                called = inspect.getattr_static(self.names.get(node.func.func.id), "__call__", None)  # of an object made there
            called = getattr(called, "python_function", called)
            if not hasattr(called, "__code__") and not isinstance(called, type):
                called = inspect.getattr_static(type(called), "__call__", called)  # of an object that is called as a function
            code = getattr(getattr(called, "__wrapped__", called), "__code__", None)
            if isinstance(code, CodeType) and not is_inside(code.co_filename):
                yield code

    def exits_within(self, binding: Binding, names: frozenset[str]) -> Iterator[tuple[str, Exit]]:
        """What of some names leaves the library in a binding, by file: in its own expression, else in the functions that it calls."""
        yield from ((self.file, one) for one in binding.exits if self.leaves_by(one, names))
        for code in self.functions_called(binding.value) if binding.value is not None else ():
            inner = program_of(code, self.names, self.methods)
            if inner is not None:
                found = (one for statement in inner.body for one in inner.exits(statement))
                yield from ((inner.file, one) for one in found if inner.is_from_outside(one))

    def is_from_outside(self, found: Exit) -> bool:
        """Whether what leaves the library may have come in from outside this piece of the program: as an argument, say."""
        reads, _ = self._behind(found.reads, found.line)
        return any(not isinstance(self.names.get(name), ModuleType) and name not in vars(builtins) for name in reads)

    def exits_behind(self, line: int) -> list[Exit]:
        """What leaves the library in the statement at a line, or in those that give the names which it reads their values."""
        around = [n for n in _own_nodes(self.body) if isinstance(n, ast.stmt) and n.lineno <= line <= (n.end_lineno or n.lineno)]
        if not around:
            return []
        statement = min(around, key=lambda n: (n.end_lineno or n.lineno) - n.lineno)
        _, bindings = self._behind(frozenset(_names(statement)), line)
        found = [*self.exits(statement), *(one for binding in bindings for one in binding.exits)]
        return [one for one in found if not self.is_function or self.is_from_outside(one)]

    def _behind(self, reads: frozenset[str], line: int) -> tuple[set[str], list[Binding]]:
        """The names that come from outside, and the bindings, behind some names that are read at a line."""
        free: set[str] = set()
        found: dict[int, Binding] = {}
        pending = [(name, line) for name in reads]
        while pending:
            name, before = pending.pop()
            binding = self.binding_of(name, before)
            if binding is None:
                free.add(name)
            elif id(binding) not in found:
                found[id(binding)] = binding
                pending += [(read, binding.line - (read in binding.targets)) for read in binding.reads]
        return free, list(found.values())

    def block_at(self, line: int) -> tuple[int, int] | None:
        """The lines of the innermost `with` block that begins at `line`, or what comes after the line in the one around it."""
        blocks = [n for n in _own_nodes(self.body) if isinstance(n, ast.With) and n.lineno <= line <= (n.end_lineno or n.lineno)]
        if not blocks:
            return None
        block = blocks[-1]
        begins_it = any(i.context_expr.lineno <= line <= (i.context_expr.end_lineno or line) for i in block.items)
        return block.body[0].lineno if begins_it else line + 1, block.end_lineno or block.lineno

    def find_stopped_blocks(self) -> list[tuple[int, int]]:
        """The lines of the blocks in which a tape is told not to record."""
        return [
            (n.body[0].lineno, n.end_lineno or n.lineno)
            for n in _own_nodes(self.body)
            if isinstance(n, ast.With) and any("stop_recording" in ast.unparse(i.context_expr) for i in n.items)
        ]

    def calls_of(self, method: str, name: str) -> list[int]:
        """The lines where a method of this name is called with `name` as its first argument."""
        calls = [n for n in _own_nodes(self.body) if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute) and n.args]
        return [n.lineno for n in calls if n.func.attr == method and name in _names(n.args[0])]  # type: ignore[attr-defined]


def _read_of(value: ast.expr) -> list[ast.expr]:
    """The parts of an expression that it is computed from: of a tape's gradient, the target and not the sources."""
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr in _DERIVATIVES:
        return value.args[:1] or [word.value for word in value.keywords if word.arg == "target"]
    return [value]


def _is_append(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr in ("append", "extend", "assign", "assign_add", "assign_sub")


def _names(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield ast.unparse(node)


def _own_nodes(body: list[ast.stmt]) -> Iterator[ast.AST]:
    """The nodes of a body, without those of functions and classes in it."""
    pending: list[ast.AST] = list(reversed(body))
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            pending += reversed(list(ast.iter_child_nodes(node)))


@functools.lru_cache(maxsize=32)
def _parse_text(file: str, text: str) -> ast.Module | None:
    try:
        return ast.parse(text)
    except SyntaxError:
        return None


def program_of(code: CodeType, names: dict[str, Any], methods: frozenset[str] = frozenset()) -> Program | None:
    """The part of a program that `code` is, with what its names stand for; None where there is no source."""
    file, first, _ = place_of((code, 0))
    tree = _parse_text(file, "".join(linecache.getlines(file)))
    if tree is None or not tree.body:
        return None
    body = tree.body
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == code.co_name:
            if min([node.lineno, *(d.lineno for d in node.decorator_list)]) <= first <= (node.end_lineno or node.lineno):
                body = node.body
        elif isinstance(node, ast.Lambda) and code.co_name == "<lambda>" and _is_code_of(node, code):
            body = [ast.copy_location(ast.Expr(node.body), node.body)]
    return Program(file, body, names, body is not tree.body, methods)


def programs_of(file: str, names: dict[str, Any]) -> Iterator[Program]:
    """The functions of a file, those in classes too, and what stands outside of them."""
    tree = _parse_text(file, "".join(linecache.getlines(file)))
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Module)):
            yield Program(file, node.body, names, not isinstance(node, ast.Module))


def _is_code_of(node: ast.Lambda, code: CodeType) -> bool:
    """Whether the code is what became of a lambda: its last expression ends where that of the lambda does."""
    return any((last, end) == (node.body.end_lineno, node.body.end_col_offset) for _, last, _, end in code.co_positions())


def program_at(frame: FrameType, methods: frozenset[str] = frozenset()) -> Program | None:
    """The part of a program that a frame runs.  methods: what takes values out of the library in it, beside those that do everywhere."""
    return program_of(frame.f_code, {**frame.f_globals, **frame.f_locals}, methods)


def name_in(frame: FrameType | None, thing: object) -> str | None:
    """The name under which a frame knows a value."""
    for names in () if frame is None else (frame.f_locals, frame.f_globals):
        for name, value in names.items():
            if value is thing and not name.startswith("_"):
                return name
    held = () if frame is None else members_of(frame.f_locals)
    return next((member.name for member in held if member.held is thing and member.family is not None), None)


def name_holder(frame: FrameType | None, thing: object) -> str | None:
    """The words for a value that a frame has in a list or dictionary."""
    for names in () if frame is None else (frame.f_locals, frame.f_globals):
        for member in members_of(names):
            if member.held is thing and member.family is None:
                return member.name
    return None


class Member(NamedTuple):
    """What an object, a list or a dictionary of a program holds: the words for it, what holds it, and for an object its class."""

    name: str
    held: Any
    holder: str
    family: type | None


def members_of(names: Mapping[str, Any]) -> Iterator[Member]:
    """What is held by the values of some names, one level deep."""
    for name, value in names.items():
        if isinstance(value, (type, ModuleType)):
            continue
        pairs: Any = value.items() if type(value) is dict else enumerate(value) if type(value) in (list, tuple) else ()
        yield from (Member(f"{name}[{key!r}]", held, name, None) for key, held in pairs if not name.startswith("_"))
        yield from (Member(f"{name}.{key}", held, name, type(value)) for key, held in getattr(value, "__dict__", {}).items())
