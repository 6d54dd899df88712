"""Loops written in Python (`base.byte_loops`) as text in LLVM's language.

A local variable is a place on the stack, which LLVM's simplification puts into a register.  What Python would do without saying so
(conversions between kinds, in particular) is an error here: a loop that is refused is a fault of this library, found by its tests.
"""

from __future__ import annotations

import ast
from typing import Any

import numpy as np

from ...base.byte_loops import Loop
from .byte_loop_functions import Calls
from .byte_loop_words import (
    ARRAYS,
    CONSTANT_ARRAYS,
    COPY,
    DECLARED,
    SCALARS,
    Signature,
    Unsupported,
    Value,
    literal,
    result_type,
    signature_of,
    tree_of,
    type_of,
)


class Module:
    """The text of a loop and all that it calls."""

    def __init__(self, loop: Loop) -> None:
        self.names: dict[Loop, str] = {}
        self.signatures: dict[Loop, Signature] = {}
        self.parts: list[str] = [DECLARED, COPY]
        self.constants: dict[int, tuple[Any, Value]] = {}
        self.declared: set[str] = set()
        self.require(loop)
        self.parts.append(_entry(loop.name, self.names[loop], self.signatures[loop]))
        self.text = "\n".join([*self.parts, *sorted(self.declared)])

    def require(self, loop: Loop) -> str:
        """The name of a loop's function, which is written if it has not been."""
        if loop not in self.names:
            tree = tree_of(loop)
            self.names[loop] = f"{loop.name}.{len(self.names)}"
            self.signatures[loop] = signature_of(tree)
            self.parts.append(Function(self, loop, tree).text)
        return self.names[loop]

    def constant(self, given: Any) -> Value:
        """Bytes or an array that a module names, as a constant of this module."""
        if id(given) not in self.constants:
            name = f"@constant.{len(self.constants)}"
            array = np.frombuffer(given, np.uint8) if isinstance(given, bytes) else given
            kind = CONSTANT_ARRAYS[array.dtype.name]
            item = ARRAYS[kind][0]
            items = ", ".join(f"{item} {literal(v, ARRAYS[kind][1])}" for v in array.tolist())
            self.parts.append(f"{name} = private constant [{len(array)} x {item}] [{items}]")
            self.constants[id(given)] = given, Value(kind, name)
        return self.constants[id(given)][1]


def _entry(name: str, inner: str, signature: Signature) -> str:
    """The function that is called from outside, where truth values are of 64 bits."""
    taken, given, lines = [], [], []
    for parameter, kind in signature.parameters:
        outside = "i64" if kind == "bool" else type_of(kind)
        taken.append(f"{outside} %{parameter}")
        if kind == "bool":
            lines.append(f"  %{parameter}.bit = trunc i64 %{parameter} to i1")
        given.append(f"{type_of(kind)} %{parameter}" + (".bit" if kind == "bool" else ""))
    result = result_type(signature.results)
    call = f"call {result} @{inner}({', '.join(given)})"
    if not signature.results:
        lines += [f"  {call}", "  ret void"]
    elif signature.results == ("bool",):
        lines += [f"  %.bit = {call}", "  %.word = zext i1 %.bit to i64", "  ret i64 %.word"]
    else:
        lines += [f"  %.found = {call}", f"  ret {result} %.found"]
    outside = "i64" if signature.results == ("bool",) else result
    return f"define {outside} @{name}({', '.join(taken)}) {{\n" + "\n".join(lines) + "\n}\n"


class Function(Calls):
    """One loop being written."""

    def __init__(self, module: Module, loop: Loop, tree: ast.FunctionDef) -> None:
        super().__init__(loop)
        self.module, self.signature = module, module.signatures[loop]
        self.around: list[tuple[str, str]] = []  # where `continue` and `break` lead
        for name, kind in self.signature.parameters:
            if kind in ARRAYS:
                self.names[name] = Value(kind, f"%{name}")
            else:
                self._assign(name, Value(kind, f"%{name}"))
        self._block(tree.body)
        if self.open:
            self._say("unreachable" if self.signature.results else "ret void")
        taken = ", ".join(f"{type_of(k)} {'noalias ' if k in ARRAYS else ''}%{n}" for n, k in self.signature.parameters)
        head = f"define internal {result_type(self.signature.results)} @{module.names[loop]}({taken}) alwaysinline {{\nentry:"
        self.text = "\n".join([head, *self.places, *self.lines, "}", ""])

    def require(self, loop: Loop) -> tuple[str, Signature]:
        return self.module.require(loop), self.module.signatures[loop]

    def constant(self, given: Any) -> Value:
        return self.module.constant(given)

    def declare(self, text: str) -> None:
        self.module.declared.add(f"declare {text}")

    # ---- statements

    def _block(self, body: list[ast.stmt]) -> None:
        for statement in body:
            if not self.open:
                self._refuse(statement, "never reached")
            self._statement(statement)

    def _statement(self, node: ast.stmt) -> None:
        if isinstance(node, ast.Expr):
            if not isinstance(node.value, ast.Constant):
                self._value(node.value)
        elif isinstance(node, ast.Assign) and len(node.targets) == 1:
            self._assigned(node.targets[0], node.value)
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            self._assigned(node.target, node.value)
        elif isinstance(node, ast.AugAssign):
            self._store(node.target, self._operation(node, node.op, self._value(node.target), self._value(node.value)))
        elif isinstance(node, ast.If):
            self._if(node)
        elif isinstance(node, ast.While):
            self._while(node)
        elif isinstance(node, ast.For):
            self._for(node)
        elif isinstance(node, ast.Return):
            self._return(node)
        elif isinstance(node, (ast.Break, ast.Continue)):
            self._go(self.around[-1][isinstance(node, ast.Break)])
        elif not isinstance(node, ast.Pass):
            self._refuse(node, "no such statement")

    def _assigned(self, target: ast.expr, value: ast.expr) -> None:
        if not isinstance(target, ast.Tuple):
            self._store(target, self._value(value))
            return
        found = [self._value(v) for v in value.elts] if isinstance(value, ast.Tuple) else list(self._value(value).parts)
        if len(found) != len(target.elts):
            self._refuse(target, f"{len(found)} values")
        for one, part in zip(target.elts, found, strict=True):
            self._store(one, part)

    def _assign(self, name: str, value: Value) -> None:
        known = self.names.get(name)
        if known is None:
            kind = "int" if value.kind == "literal" else value.kind
            known = self.names[name] = Value(kind, self._place(kind))
        value = self._as(value, known.kind)
        self._say(f"store {SCALARS[known.kind]} {value.text}, ptr {known.text}")

    def _store(self, target: ast.expr, value: Value) -> None:
        if value.kind in ARRAYS or value.parts:
            self._refuse(target, "no number")
        if isinstance(target, ast.Name):
            if target.id in self.names and self.names[target.id].kind in ARRAYS:
                self._refuse(target, "an array")
            self._assign(target.id, value)
        elif isinstance(target, ast.Subscript):
            kind, at = self._element(target)
            item, read_as, how = ARRAYS[kind]
            text = self._as(value, read_as).text
            if kind == "Bools":
                text = self._made(f"zext i1 {text} to i8")
            elif how:
                text = self._made(f"{'fptrunc' if how == 'fpext' else 'trunc'} {SCALARS[read_as]} {text} to {item}")
            self._say(f"store {item} {text}, ptr {at}")
        else:
            self._refuse(target, "no place for a number")

    def _if(self, node: ast.If) -> None:
        yes, no, after = self._labels("then", "else", "after")
        self._part(self._truth(node.test), yes, no if node.orelse else after)
        ends = []
        for label, body in ((yes, node.body), (no, node.orelse)):
            if body:
                self.lines.append(f"{label}:")
                self.open = True
                self._block(body)
                ends.append(self.open)
                self._go(after)
        if any(ends) or not node.orelse:
            self.lines.append(f"{after}:")
            self.open = True

    def _while(self, node: ast.While) -> None:
        head, body, after = self._labels("while", "do", "after")
        endless = isinstance(node.test, ast.Constant) and node.test.value is True
        self._here(head)
        if endless:
            self._go(body)
        else:
            self._part(self._truth(node.test), body, after)
        self.lines.append(f"{body}:")
        self.open = True
        self._repeated(node, node.body, head, after)
        self._go(head)
        if not endless or any(isinstance(n, ast.Break) for n in ast.walk(node)):
            self.lines.append(f"{after}:")
            self.open = True

    def _repeated(self, node: ast.While | ast.For, body: list[ast.stmt], again: str, after: str) -> None:
        if node.orelse:
            self._refuse(node, "no else of a loop")
        self.around.append((again, after))
        self._block(body)
        self.around.pop()

    def _for(self, node: ast.For) -> None:
        call, target = node.iter, node.target
        over_range = isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "range"
        if not over_range or not isinstance(call, ast.Call) or not isinstance(target, ast.Name):
            self._refuse(node, "only over a range")
        given = [self._as(self._value(a), "int") for a in call.args]
        first, last = (Value("int", "0"), given[0]) if len(given) == 1 else given[:2]
        step = given[2].text if len(given) == 3 else "1"
        counter = self._place("int")
        self._say(f"store i64 {first.text}, ptr {counter}")
        head, body, again, after = self._labels("for", "do", "next", "after")
        self._here(head)
        at = self._made(f"load i64, ptr {counter}")
        self._part(Value("bool", self._made(f"icmp {'sgt' if step.startswith('-') else 'slt'} i64 {at}, {last.text}")), body, after)
        self.lines.append(f"{body}:")
        self.open = True
        self._assign(target.id, Value("int", at))
        self._repeated(node, node.body, again, after)
        self._here(again)
        following = self._made(f"load i64, ptr {counter}")
        self._say(f"store i64 {self._made(f'add i64 {following}, {step}')}, ptr {counter}")
        self._go(head)
        self.lines.append(f"{after}:")
        self.open = True

    def _return(self, node: ast.Return) -> None:
        kinds = self.signature.results
        given = [] if node.value is None else node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
        found = [self._as(self._value(v), kind) for v, kind in zip(given, kinds, strict=True)]
        if not found:
            self._say("ret void")
        elif len(found) == 1:
            self._say(f"ret {SCALARS[kinds[0]]} {found[0].text}")
        else:
            whole, text = result_type(kinds), "undef"
            for i, part in enumerate(found):
                text = self._made(f"insertvalue {whole} {text}, {SCALARS[part.kind]} {part.text}, {i}")
            self._say(f"ret {whole} {text}")
        self.open = False


def text_of(loop: Loop) -> str:
    """The loop as a module, in which it has its own name.  Raises Unsupported for what is no loop."""
    return Module(loop).text


__all__ = ["ARRAYS", "Signature", "Unsupported", "signature_of", "text_of"]
