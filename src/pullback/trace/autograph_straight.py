"""Functions without statements that a tensor could decide: only the calls in them are rewritten, in a hundredth of the time.

Most functions that are traced have no `if`, loop, `and` or `assert` of their own.  What diastatic-malt would make of them is their own
code with each call made through `ag__.converted_call`; that takes a parse and a compilation, and neither loads the package (30 ms) nor
needs the disk.  Lines stay where they are.  Everything else, and what asks for the frame it runs in, is left to the package.
"""

from __future__ import annotations
import __future__

import ast
import types
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


def rewrite_calls(code: types.CodeType, lines: list[str]) -> dict[str, Any] | None:
    """A function's source with its calls rewritten, as `autograph_cache` keeps it; None where there is more to do.

    lines: the source from the function's first line on, decorators included, to its last.
    """
    function = _parsed(code, lines)
    if function is None or any(map(_is_left, ast.walk(function))):
        return None
    named = [(node.lineno, node.end_lineno or node.lineno, node.name) for node in ast.walk(function) if isinstance(node, ast.FunctionDef)]
    module = ast.Module([_factory(function, code.co_freevars)], [])
    annotations = code.co_flags & __future__.annotations.compiler_flag
    made = compile(ast.fix_missing_locations(module), "<autograph>", "exec", flags=annotations, dont_inherit=True)
    innermost = {line: name for first, last, name in named for line in range(first, last + 1)}  # inner functions come later
    places = [[line, line - 1, name] for line, name in innermost.items()]
    return {
        "source": "".join(lines), "module": made, "outer": _OUTER, "name": f"tf__{code.co_name}", "lines": places, "columns": [],
        "grown": [],
    }  # fmt: skip


def _parsed(code: types.CodeType, lines: list[str]) -> ast.FunctionDef | None:
    """The definition that the lines hold, its first line being 1, without what is evaluated where it stands, which the function has
    already; None where they hold another thing.
    """
    is_indented = lines[0][:1].isspace()
    try:
        found = ast.parse("".join(["if 1:\n", *lines] if is_indented else lines)).body
    except SyntaxError:  # a lambda, or the end of a bracket is missing
        return None
    body = found[0].body if is_indented and isinstance(found[0], ast.If) else found
    function = body[0]
    if len(body) != 1 or not isinstance(function, ast.FunctionDef) or function.name != code.co_name:
        return None
    args = function.args
    given = (*args.posonlyargs, *args.args, *args.kwonlyargs)
    if tuple(one.arg for one in given) != code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]:
        return None  # the file is another one by now
    if is_indented:
        ast.increment_lineno(function, -1)
    function.decorator_list, function.returns = [], None
    args.defaults = [ast.Constant(None) for _ in args.defaults]
    args.kw_defaults = [None if default is None else ast.Constant(None) for default in args.kw_defaults]
    for one in (*given, *filter(None, (args.vararg, args.kwarg))):
        one.annotation = None
    return function


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
        made = _at(node, "converted_call", [node.func, *given])
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
        return _at(node, "autograph_artifact", [node])


def _tool(name: str) -> ast.Attribute:
    return ast.Attribute(ast.Name("ag__", ast.Load()), name, ast.Load())


def _at(node: ast.expr, tool: str, args: list[ast.expr]) -> ast.Call:
    """A call of a tool in the place of an expression."""
    function = ast.copy_location(_tool(tool), node)
    function.end_lineno, function.end_col_offset = node.lineno, node.col_offset
    return ast.copy_location(ast.Call(function, args, []), node)


def _dictionary(keywords: list[ast.keyword]) -> ast.expr:
    """The keyword arguments as a dictionary; `dict` itself refuses those that are given twice."""
    if any(one.arg is None for one in keywords):
        return ast.Call(_tool("dict"), [], keywords)
    return ast.Dict([ast.Constant(one.arg) for one in keywords], [one.value for one in keywords])


def _factory(function: ast.FunctionDef, free: tuple[str, ...]) -> ast.FunctionDef:
    """What makes the function from `ag__`, in a scope that has its free variables."""
    function.body = [_Calls().visit(one) for one in function.body]
    function.name = f"tf__{function.name}"
    gives = ast.Return(ast.Name(function.name, ast.Load()))
    inner = _definition("inner_factory", ["ag__"], [function, gives])
    variables: list[ast.stmt] = [ast.Assign([ast.Name(name, ast.Store())], ast.Constant(None)) for name in free]
    return _definition(_OUTER, [], [*variables, inner, ast.Return(ast.Name("inner_factory", ast.Load()))])


def _definition(name: str, parameters: list[str], body: list[ast.stmt]) -> ast.FunctionDef:
    made = ast.parse(f"def {name}({', '.join(parameters)}): pass").body[0]
    assert isinstance(made, ast.FunctionDef)
    made.body = body
    return made


__all__ = ["rewrite_calls"]
