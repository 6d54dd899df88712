"""Functions without statements that a tensor could decide: only the calls in them are rewritten, in a hundredth of the time.

Most functions that are traced have no `if`, loop, `and` or `assert` of their own.  What diastatic-malt would make of them is their own
code with each call made through `ag__.converted_call`; that takes a parse and a compilation, and neither loads the package (30 ms) nor
needs the disk.  Lines stay where they are.  Everything else, and what asks for the frame it runs in, is left to the package.
"""

from __future__ import annotations
import __future__

import ast
import copy
import types
from functools import lru_cache
from typing import Any

#: What a tensor could decide, what makes scopes of its own, and what the package has its own way with.
_LEFT = (
    ast.If, ast.IfExp, ast.For, ast.While, ast.BoolOp, ast.Not, ast.Eq, ast.NotEq, ast.Assert, ast.Try, ast.TryStar, ast.Match,
    ast.ClassDef, ast.Delete, ast.Global, ast.Nonlocal, ast.Yield, ast.YieldFrom, ast.Await, ast.AsyncFunctionDef, ast.AsyncFor,
    ast.AsyncWith,
)  # fmt: skip
_FRAMES = frozenset({"super", "eval", "exec", "globals", "locals", "vars", "breakpoint", "pdb", "ipdb", "__class__", "ag__"})
_GROWS = frozenset({"append", "extend"})
_OUTER = "outer_factory"


def rewrite_calls(code: types.CodeType, lines: list[str], source: list[str]) -> dict[str, Any] | None:
    """A function's source with its calls rewritten, as `autograph_cache` keeps it; None where there is more to do.

    lines: those of the function, decorators included.  source: those of its file.
    """
    function = _rewrite_code(code, lines, source)
    if function is None:
        return None
    module = ast.fix_missing_locations(ast.Module([_factory(function, code.co_freevars)], []))
    annotations = code.co_flags & __future__.annotations.compiler_flag
    made = compile(module, "<autograph>", "exec", flags=annotations, dont_inherit=True)
    places = [[line, line - 1, name] for line, name in _names(function).items()]
    return {
        "source": "".join(lines), "module": made, "outer": _OUTER, "name": f"tf__{code.co_name}", "lines": places, "columns": [],
        "grown": [],
    }  # fmt: skip


def show_calls(code: types.CodeType, lines: list[str], source: list[str]) -> str | None:
    """The source of what `rewrite_calls` makes, for people; None where there is more to do."""
    function = _rewrite_code(code, lines, source)
    return None if function is None else ast.unparse(ast.fix_missing_locations(function))


def _rewrite_code(code: types.CodeType, lines: list[str], source: list[str]) -> ast.FunctionDef | ast.Lambda | None:
    function = _lambda(code, source) if code.co_name == "<lambda>" else _definition(code, lines)
    if function is None or not _is_as_written(function.args, code):
        return None
    _take_off(function)
    if any(map(_is_left, ast.walk(function))):
        return None
    if isinstance(function, ast.Lambda):
        function.body = _Calls().visit(function.body)
    else:
        function.body = [_Calls().visit(one) for one in function.body]
    return function


def _definition(code: types.CodeType, lines: list[str]) -> ast.FunctionDef | None:
    """The definition that the lines hold, its first line being 1; None where they hold another thing."""
    is_indented = lines[0][:1].isspace()
    try:
        found = ast.parse("".join(["if 1:\n", *lines] if is_indented else lines)).body
    except SyntaxError:  # the end of a bracket is missing
        return None
    body = found[0].body if is_indented and isinstance(found[0], ast.If) else found
    function = body[0]
    if len(body) != 1 or not isinstance(function, ast.FunctionDef) or function.name != code.co_name:
        return None
    return ast.increment_lineno(function, -1) if is_indented else function


def _lambda(code: types.CodeType, source: list[str]) -> ast.Lambda | None:
    """The lambda of a file whose code this is, its first line being 1: the one whose value stands where the code computes it."""
    lambdas = _lambdas("".join(source))
    found = next((lambdas[place] for place in code.co_positions() if place in lambdas), None)
    return None if found is None else ast.increment_lineno(copy.deepcopy(found), 1 - code.co_firstlineno)


@lru_cache(4)
def _lambdas(source: str) -> dict[tuple[int | None, ...], ast.Lambda]:
    """The lambdas of a file, by the lines and columns of their values."""
    try:
        found = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Lambda)]
    except SyntaxError:  # a cell of a notebook with commands of its own
        return {}
    return {(one.body.lineno, one.body.end_lineno, one.body.col_offset, one.body.end_col_offset): one for one in found}


def _is_as_written(args: ast.arguments, code: types.CodeType) -> bool:
    """Whether code has the arguments that its source says: the file may be another one by now."""
    given = tuple(one.arg for one in (*args.posonlyargs, *args.args, *args.kwonlyargs))
    return given == code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]


def _take_off(function: ast.FunctionDef | ast.Lambda) -> None:
    """Leave out what is evaluated where a function is defined, which it has already: decorators, defaults and annotations."""
    args = function.args
    if isinstance(function, ast.FunctionDef):
        function.decorator_list, function.returns = [], None
    args.defaults = [ast.Constant(None) for _ in args.defaults]
    args.kw_defaults = [None if default is None else ast.Constant(None) for default in args.kw_defaults]
    for one in (*args.posonlyargs, *args.args, *args.kwonlyargs, *filter(None, (args.vararg, args.kwarg))):
        one.annotation = None


def _names(function: ast.FunctionDef | ast.Lambda) -> dict[int, str]:
    """By line, the name of the function that it is of: the innermost."""
    found: dict[int, str] = {}
    for node in ast.walk(function):  # inner functions come later
        if isinstance(node, ast.FunctionDef) or node is function:
            assert isinstance(node, ast.stmt | ast.expr)
            found |= dict.fromkeys(range(node.lineno, (node.end_lineno or node.lineno) + 1), getattr(node, "name", "<lambda>"))
    return found


def _is_left(node: ast.AST) -> bool:
    """Whether something makes its function one for the package."""
    if isinstance(node, ast.Name):
        return node.id in _FRAMES or _is_private(node.id)
    if isinstance(node, ast.Attribute):
        return node.attr in _GROWS or _is_private(node.attr)
    return isinstance(node, _LEFT) or bool(getattr(node, "type_params", ())) or (isinstance(node, ast.Compare) and len(node.ops) > 1)


def _is_private(name: str) -> bool:
    """Whether a class gives a name another spelling."""
    return name.startswith("__") and not name.endswith("__")


class _Calls(ast.NodeTransformer):
    """Calls made through `ag__`, and inner functions marked as rewritten."""

    def visit_Call(self, node: ast.Call) -> ast.Call:
        self.generic_visit(node)
        given = [ast.Tuple(node.args, ast.Load()), *([_dictionary(node.keywords)] if node.keywords else [])]
        made = _call_at(node, "converted_call", [node.func, *given])
        if isinstance(node.func, ast.Attribute):  # Python says of `x.f(...)` that it is where `f` is
            made.func.lineno = made.func.end_lineno = node.func.end_lineno or node.lineno
        return made

    def visit_With(self, node: ast.With) -> ast.With:
        node.body = [self.visit(one) for one in node.body]  # as the package: managers are called as they are
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        self.generic_visit(node)
        node.decorator_list.append(ast.copy_location(_tool("autograph_artifact"), node))
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.Call:
        self.generic_visit(node)
        return _call_at(node, "autograph_artifact", [node])


def _tool(name: str) -> ast.Attribute:
    return ast.Attribute(ast.Name("ag__", ast.Load()), name, ast.Load())


def _call_at(node: ast.expr, tool: str, args: list[ast.expr]) -> ast.Call:
    """A call of a tool in the place of an expression."""
    function = ast.copy_location(_tool(tool), node)
    function.end_lineno, function.end_col_offset = node.lineno, node.col_offset
    return ast.copy_location(ast.Call(function, args, []), node)


def _dictionary(keywords: list[ast.keyword]) -> ast.expr:
    """The keyword arguments as a dictionary; `dict` itself refuses those that are given twice."""
    if any(one.arg is None for one in keywords):
        return ast.Call(_tool("dict"), [], keywords)
    return ast.Dict([ast.Constant(one.arg) for one in keywords], [one.value for one in keywords])


def _factory(function: ast.FunctionDef | ast.Lambda, free: tuple[str, ...]) -> ast.FunctionDef:
    """What makes the function from `ag__`, in a scope that has its free variables."""
    if isinstance(function, ast.Lambda):
        body: list[ast.stmt] = [ast.Return(function)]
    else:
        body = [function, ast.Return(ast.Name(function.name, ast.Load()))]
    inner = _function("inner_factory", ["ag__"], body)
    variables: list[ast.stmt] = [ast.Assign([ast.Name(name, ast.Store())], ast.Constant(None)) for name in free]
    return _function(_OUTER, [], [*variables, inner, ast.Return(ast.Name("inner_factory", ast.Load()))])


def _function(name: str, parameters: list[str], body: list[ast.stmt]) -> ast.FunctionDef:
    made = ast.parse(f"def {name}({', '.join(parameters)}): pass").body[0]
    assert isinstance(made, ast.FunctionDef)
    made.body = body
    return made


__all__ = ["rewrite_calls", "show_calls"]
