"""`x.append(e)` made an assignment, `x = list_append(x, e)`, so that statements see the list as a variable that they change.

Only a name of the function itself is assigned: for one from outside the assignment would make another variable.  A list that may have a
second name (an argument, `y = x`, `[x, 1]`) is marked, because a loop that gives `x` another value would not change `y`; what was said of
it after the last statement in which it grows does not matter.
"""

from __future__ import annotations

import ast
from typing import Any

#: The names of all lists that rewritten functions let grow: whoever traces a statement looks at these.
GROWING: set[str] = set()


class Appends(ast.NodeTransformer):
    """`x.append(e)` and `x.extend(e)` made assignments, for names that are the function's own."""

    def __init__(self, replace: Any) -> None:
        self._replace = replace
        self._names: dict[str, str] = {}
        #: The names of lists that grow, in all that was visited.
        self.grown: set[str] = set()

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """Visit what is inside, which has lists of its own."""
        outer, (self._names, grown) = self._names, _own_lists(node)
        self.grown |= grown
        node.body = [self.visit(statement) for statement in node.body]
        self._names = outer
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        """Visit what is inside, which has lists of its own."""
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        """Visit what is inside, which has lists of its own."""
        return node

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        """Rewrite a statement such as `xs.append(x)` whose list is local."""
        found = _grows(node)
        if found is None or found[0] not in self._names:
            return node
        name, method, argument = found
        return self._replace(f"name = ag__.list_{method}{self._names[name]}(name, element)", name=name, element=argument)[0]


def _grows(node: ast.AST) -> tuple[str, str, ast.expr] | None:
    """The name, method and argument of a statement `name.append(argument)`."""
    call = node.value if isinstance(node, ast.Expr) else None
    if not isinstance(call, ast.Call) or len(call.args) != 1 or call.keywords or isinstance(call.args[0], ast.Starred):
        return None
    target = call.func
    if isinstance(target, ast.Attribute) and target.attr in ("append", "extend") and isinstance(target.value, ast.Name):
        return target.value.id, target.attr, call.args[0]
    return None


def _own_lists(function: ast.FunctionDef) -> tuple[dict[str, str], set[str]]:
    """The function's own names that grow, "_shared" for those that may stand for lists that have a second name while they do; and all
    names that grow in it.
    """
    scope = _Scope()
    for at, statement in enumerate(function.body):
        scope.at = at
        scope.visit(statement)
    arguments = function.args
    given = {a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg) if a}
    local = (scope.made | scope.bound | given) - scope.outer
    new = scope.made - scope.bound - given
    alone = {name for name, last in scope.grown.items() if name in new and scope.shared.get(name, last + 1) > last}
    return {name: "" if name in alone else "_shared" for name in scope.grown if name in local}, set(scope.grown)


class _Scope(ast.NodeVisitor):
    """What one function's own code does with names; `at` is the number of the statement."""

    def __init__(self) -> None:
        self.at = 0
        #: Names that are given new lists, and names that are given anything else.
        self.made: set[str] = set()
        self.bound: set[str] = set()
        #: Names that are not the function's own.
        self.outer: set[str] = set()
        #: The last statement in which a name's list grows, and the first in which it gets a second name.
        self.grown: dict[str, int] = {}
        self.shared: dict[str, int] = {}

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self.bound.add(node.name)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.bound.add(node.name)

    def visit_Lambda(self, node: ast.Lambda) -> None:
        pass

    def visit_Global(self, node: ast.Global | ast.Nonlocal) -> None:
        self.outer.update(node.names)

    visit_Nonlocal = visit_Global

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Store):
            self.bound.add(node.id)

    def visit_Expr(self, node: ast.Expr) -> None:
        found = _grows(node)
        if found is not None:
            self.grown[found[0]] = self.at
            self._share(found[2])
        self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> None:
        if len(node.targets) == 1:
            self._assign(node.targets[0], node.value)
        else:
            self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self._assign(node.target, node.value)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        if isinstance(node.op, ast.Add) and isinstance(node.target, ast.Name):
            self.made.add(node.target.id)
            self.grown[node.target.id] = self.at
            self.visit(node.value)
        else:
            self.generic_visit(node)

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:
        self._share(node.value)
        self.generic_visit(node)

    def visit_display(self, node: ast.AST) -> None:
        """What stands in a display has a second name."""
        for part in ast.iter_child_nodes(node):
            self._share(part)
        self.generic_visit(node)

    visit_Tuple = visit_List = visit_Set = visit_Dict = visit_Yield = visit_display

    def _assign(self, target: ast.expr, value: ast.expr) -> None:
        pair = (target, value)
        if all(isinstance(side, (ast.Tuple, ast.List)) for side in pair) and len(target.elts) == len(value.elts):  # type: ignore[attr-defined]
            for one, its in zip(target.elts, value.elts, strict=True):  # type: ignore[attr-defined]  # both are displays
                self._assign(one, its)
            return
        self._share(value)
        self.visit(value)
        if isinstance(target, ast.Name) and _is_new(value):
            self.made.add(target.id)
            if isinstance(value, ast.BinOp) and isinstance(value.left, ast.Name) and value.left.id == target.id:
                self.grown[target.id] = self.at
        else:
            self.visit(target)

    def _share(self, value: ast.AST | None) -> None:
        """Note a name whose very value is used."""
        if isinstance(value, ast.Name):
            self.shared.setdefault(value.id, self.at)
        elif isinstance(value, (ast.IfExp, ast.BoolOp, ast.Starred, ast.NamedExpr)):
            for part in ast.iter_child_nodes(value):
                self._share(part)


def _is_new(value: ast.expr) -> bool:
    """Whether the value of an expression is a list that nobody else holds, or none at all."""
    named = isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "list"
    return named or isinstance(value, (ast.List, ast.ListComp, ast.BinOp)) or (isinstance(value, ast.Constant) and value.value is None)
