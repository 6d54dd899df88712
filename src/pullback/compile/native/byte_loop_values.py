"""Expressions of loops over bytes as lines of LLVM's language."""

from __future__ import annotations

import ast
from typing import Any, NoReturn

import numpy as np

from ...base.byte_loops import Loop
from .byte_loop_words import ARRAYS, SCALARS, Unsupported, Value, literal

SIGNED = {"lt": "slt", "le": "sle", "gt": "sgt", "ge": "sge", "eq": "eq", "ne": "ne"}
UNSIGNED = {"lt": "ult", "le": "ule", "gt": "ugt", "ge": "uge", "eq": "eq", "ne": "ne"}
ORDERED = {"lt": "olt", "le": "ole", "gt": "ogt", "ge": "oge", "eq": "oeq", "ne": "une"}
_COMPARISONS: dict[type, str] = {ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge", ast.Eq: "eq", ast.NotEq: "ne"}
_OPERATIONS: dict[type, tuple[str, str, str]] = {  # of ints, words and floats
    ast.Add: ("add", "add", "fadd"),
    ast.Sub: ("sub", "sub", "fsub"),
    ast.Mult: ("mul", "mul", "fmul"),
    ast.Div: ("", "", "fdiv"),
    ast.FloorDiv: ("sdiv", "udiv", ""),
    ast.Mod: ("srem", "urem", ""),
    ast.BitAnd: ("and", "and", ""),
    ast.BitOr: ("or", "or", ""),
    ast.BitXor: ("xor", "xor", ""),
    ast.LShift: ("shl", "shl", ""),
    ast.RShift: ("ashr", "lshr", ""),
}  # fmt: skip


class Lines:
    """The lines of a function: what is said where, and in which block."""

    def __init__(self, loop: Loop) -> None:
        self.loop = loop
        self.lines: list[str] = []
        self.places: list[str] = []
        self.count = 0
        self.open = True

    def _refuse(self, node: ast.AST, why: str) -> NoReturn:
        raise Unsupported(f"{self.loop.name}, line {getattr(node, 'lineno', 0)}: {why}: {ast.unparse(node)}")

    def _say(self, line: str) -> None:
        self.lines.append(f"  {line}")

    def _new(self) -> str:
        self.count += 1
        return f"%.{self.count}"

    def _made(self, code: str) -> str:
        name = self._new()
        self._say(f"{name} = {code}")
        return name

    def _labels(self, *names: str) -> list[str]:
        self.count += 1
        return [f"{name}.{self.count}" for name in names]

    def _go(self, label: str) -> None:
        if self.open:
            self._say(f"br label %{label}")
        self.open = False

    def _part(self, condition: Value, yes: str, no: str) -> None:
        self._say(f"br i1 {condition.text}, label %{yes}, label %{no}")
        self.open = False

    def _here(self, label: str) -> None:
        self._go(label)
        self.lines.append(f"{label}:")
        self.open = True

    def _place(self, kind: str) -> str:
        name = self._new()
        self.places.append(f"  {name} = alloca {SCALARS[kind]}")
        return name


class Values(Lines):
    """Expressions, as values that lines have made."""

    def __init__(self, loop: Loop) -> None:
        super().__init__(loop)
        self.known = loop.function.__globals__
        self.names: dict[str, Value] = {}  # of a local number: its kind and where it stands

    def call(self, node: ast.Call) -> Value:
        """The result of a call."""
        raise NotImplementedError

    def constant(self, given: Any) -> Value:
        """Bytes or an array that a module names."""
        raise NotImplementedError

    def _as(self, value: Value, kind: str) -> Value:
        if value.kind == "literal":
            return Value(kind, literal(float.fromhex(value.text) if "p" in value.text else int(value.text), kind))
        if value.kind != kind:
            raise Unsupported(f"{self.loop.name}: {value.kind} where {kind} is wanted")
        return value

    def _truth(self, node: ast.expr) -> Value:
        return self._as(self._value(node), "bool")

    def _value(self, node: ast.expr) -> Value:
        if isinstance(node, ast.Constant):
            return self._constant(node, node.value)
        if isinstance(node, ast.Name):
            return self._named(node)
        if isinstance(node, ast.Subscript):
            return self._read(node)
        if isinstance(node, ast.BinOp):
            return self._operation(node, node.op, self._value(node.left), self._value(node.right))
        if isinstance(node, ast.UnaryOp):
            return self._unary(node)
        if isinstance(node, ast.Compare):
            return self._compared(node)
        if isinstance(node, ast.BoolOp):
            return self._joined(node)
        if isinstance(node, ast.IfExp):
            return self._chosen(node)
        if isinstance(node, ast.Call):
            return self.call(node)
        self._refuse(node, "no such expression")

    def _constant(self, node: ast.expr, value: Any) -> Value:
        if isinstance(value, (bool, np.bool_)):
            return Value("bool", literal(value, "bool"))
        if isinstance(value, np.uint64):
            return Value("word", literal(value, "word"))
        if isinstance(value, (int, np.integer)):
            return Value("literal", str(int(value)))
        if isinstance(value, (float, np.floating)):
            return Value("float", literal(value, "float"))
        if isinstance(value, (bytes, np.ndarray)):
            return self.constant(value)
        self._refuse(node, "no constant of a loop")

    def _named(self, node: ast.Name) -> Value:
        known = self.names.get(node.id)
        if known is None:
            if node.id not in self.known:
                self._refuse(node, "not known here")
            return self._constant(node, self.known[node.id])
        return known if known.kind in ARRAYS else Value(known.kind, self._made(f"load {SCALARS[known.kind]}, ptr {known.text}"))

    def _element(self, node: ast.Subscript) -> tuple[str, str]:
        array = self._value(node.value)
        if array.kind not in ARRAYS:
            self._refuse(node, "no array")
        return array.kind, self._at(array, self._index(node.slice))

    def _index(self, node: ast.expr) -> str:
        index = self._value(node)
        return self._as(index, "int" if index.kind == "literal" else index.kind if index.kind == "word" else "int").text

    def _at(self, array: Value, index: str, item: str = "") -> str:
        return self._made(f"getelementptr {item or ARRAYS[array.kind][0]}, ptr {array.text}, i64 {index}")

    def _read(self, node: ast.Subscript) -> Value:
        kind, at = self._element(node)
        item, read_as, how = ARRAYS[kind]
        text = self._made(f"load {item}, ptr {at}")
        if kind == "Bools":
            text = self._made(f"icmp ne i8 {text}, 0")
        elif how:
            text = self._made(f"{how} {item} {text} to {SCALARS[read_as]}")
        return Value(read_as, text)

    def _both(self, node: ast.AST, a: Value, b: Value) -> tuple[Value, Value]:
        kind = b.kind if a.kind == "literal" else a.kind
        if kind == "literal":
            kind = "int"
        if kind not in SCALARS or (b.kind not in (kind, "literal")):
            self._refuse(node, f"{a.kind} and {b.kind}")
        return self._as(a, kind), self._as(b, kind)

    def _operation(self, node: ast.AST, operator: ast.operator, a: Value, b: Value) -> Value:
        a, b = self._both(node, a, b)
        of_ints, of_words, of_floats = _OPERATIONS.get(type(operator), ("", "", ""))
        if a.kind == "bool":
            code = of_ints if of_ints in ("and", "or", "xor") else ""
        else:
            code = {"int": of_ints, "float": of_floats}.get(a.kind, of_words)
        if not code:
            self._refuse(node, f"not of kind {a.kind}")
        return Value(a.kind, self._made(f"{code} {SCALARS[a.kind]} {a.text}, {b.text}"))

    def _unary(self, node: ast.UnaryOp) -> Value:
        x = self._value(node.operand)
        if isinstance(node.op, ast.Not):
            return Value("bool", self._made(f"xor i1 {self._as(x, 'bool').text}, true"))
        if x.kind == "literal" and isinstance(node.op, ast.USub):
            return Value("literal", str(-int(x.text)))
        if x.kind == "float" and isinstance(node.op, ast.USub):
            return Value("float", self._made(f"fneg double {x.text}"))
        if isinstance(node.op, (ast.USub, ast.Invert)) and x.kind in ("int", "word", "wide"):
            kind = SCALARS[x.kind]
            return Value(x.kind, self._made(f"sub {kind} 0, {x.text}" if isinstance(node.op, ast.USub) else f"xor {kind} {x.text}, -1"))
        self._refuse(node, f"not of kind {x.kind}")

    def _compared(self, node: ast.Compare) -> Value:
        found: Value | None = None
        left = self._value(node.left)
        for operator, right_node in zip(node.ops, node.comparators, strict=True):
            right = self._value(right_node)
            a, b = self._both(node, left, right)
            if type(operator) not in _COMPARISONS:
                self._refuse(node, "no such comparison")
            table = ORDERED if a.kind == "float" else SIGNED if a.kind == "int" else UNSIGNED
            how = table[_COMPARISONS[type(operator)]]
            one = Value("bool", self._made(f"{'fcmp' if a.kind == 'float' else 'icmp'} {how} {SCALARS[a.kind]} {a.text}, {b.text}"))
            found = one if found is None else Value("bool", self._made(f"and i1 {found.text}, {one.text}"))
            left = right
        assert found is not None
        return found

    def _joined(self, node: ast.BoolOp) -> Value:
        """`and`, `or`: what comes later is looked at only where it matters."""
        place = self._place("bool")
        (after,) = self._labels("known")
        for i, operand in enumerate(node.values):
            found = self._truth(operand)
            self._say(f"store i1 {found.text}, ptr {place}")
            if i + 1 < len(node.values):
                (further,) = self._labels("more")
                self._part(found, *((further, after) if isinstance(node.op, ast.And) else (after, further)))
                self.lines.append(f"{further}:")
                self.open = True
        self._here(after)
        return Value("bool", self._made(f"load i1, ptr {place}"))

    def _chosen(self, node: ast.IfExp) -> Value:
        yes, no, after = self._labels("then", "else", "after")
        self._part(self._truth(node.test), yes, no)
        self.lines.append(f"{yes}:")
        self.open = True
        a = self._value(node.body)
        first_end = len(self.lines)
        self.lines.append(f"{no}:")
        b = self._value(node.orelse)
        a, b = self._both(node, a, b)
        place, kind = self._place(a.kind), SCALARS[a.kind]
        self.lines[first_end:first_end] = [f"  store {kind} {a.text}, ptr {place}", f"  br label %{after}"]
        self._say(f"store {kind} {b.text}, ptr {place}")
        self._here(after)
        return Value(a.kind, self._made(f"load {kind}, ptr {place}"))


__all__ = ["ORDERED", "SIGNED", "UNSIGNED", "Lines", "Values"]
