"""Loops written in Python (`base.byte_loops`) as text in LLVM's language.

A local variable is a place on the stack, which LLVM's simplification puts into a register.  What Python would do without saying so
(conversions between kinds, in particular) is an error here: a loop that is refused is a fault of this library, found by its tests.
"""

from __future__ import annotations

import ast
import inspect
import struct
import textwrap
from typing import Any, NamedTuple, NoReturn

import numpy as np

from ...base.byte_loops import Loop

#: What LLVM calls the kinds of numbers; and arrays: what an element is in memory, what it is read as, and how.
SCALARS = {"int": "i64", "word": "i64", "float": "double", "bool": "i1", "wide": "i128"}
ARRAYS = {
    "Bytes": ("i8", "int", "zext"),
    "Bools": ("i8", "bool", ""),
    "Ints32": ("i32", "int", "sext"),
    "Ints": ("i64", "int", ""),
    "Words": ("i64", "word", ""),
    "Floats32": ("float", "float", "fpext"),
    "Floats": ("double", "float", ""),
}
_NAMED = {"int": "int", "Word": "word", "float": "float", "bool": "bool"}
_CONSTANT_ARRAYS = {"uint8": "Bytes", "int32": "Ints32", "int64": "Ints", "uint64": "Words", "float64": "Floats"}
_SIGNED = {"lt": "slt", "le": "sle", "gt": "sgt", "ge": "sge", "eq": "eq", "ne": "ne"}
_UNSIGNED = {"lt": "ult", "le": "ule", "gt": "ugt", "ge": "uge", "eq": "eq", "ne": "ne"}
_ORDERED = {"lt": "olt", "le": "ole", "gt": "ogt", "ge": "oge", "eq": "oeq", "ne": "une"}
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

#: Bytes from one place to another: mostly few, for which a call takes longer than two moves that may overlap.
_COPY = """
define internal void @copy_bytes(ptr noalias %to, ptr noalias %from, i64 %n) alwaysinline {
  %many = icmp sgt i64 %n, 16
  br i1 %many, label %call, label %few
call:
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %n, i1 false)
  ret void
few:
  %eight = icmp sge i64 %n, 8
  br i1 %eight, label %words, label %less
words:
  %last8 = sub i64 %n, 8
  %from8 = getelementptr i8, ptr %from, i64 %last8
  %to8 = getelementptr i8, ptr %to, i64 %last8
  %a8 = load i64, ptr %from, align 1
  %b8 = load i64, ptr %from8, align 1
  store i64 %a8, ptr %to, align 1
  store i64 %b8, ptr %to8, align 1
  ret void
less:
  %four = icmp sge i64 %n, 4
  br i1 %four, label %halves, label %little
halves:
  %last4 = sub i64 %n, 4
  %from4 = getelementptr i8, ptr %from, i64 %last4
  %to4 = getelementptr i8, ptr %to, i64 %last4
  %a4 = load i32, ptr %from, align 1
  %b4 = load i32, ptr %from4, align 1
  store i32 %a4, ptr %to, align 1
  store i32 %b4, ptr %to4, align 1
  ret void
little:
  %any = icmp sgt i64 %n, 0
  br i1 %any, label %bytes, label %done
bytes:
  %half = lshr i64 %n, 1
  %last = sub i64 %n, 1
  %from1 = getelementptr i8, ptr %from, i64 %half
  %from2 = getelementptr i8, ptr %from, i64 %last
  %to1 = getelementptr i8, ptr %to, i64 %half
  %to2 = getelementptr i8, ptr %to, i64 %last
  %a = load i8, ptr %from
  %b = load i8, ptr %from1
  %c = load i8, ptr %from2
  store i8 %a, ptr %to
  store i8 %b, ptr %to1
  store i8 %c, ptr %to2
  ret void
done:
  ret void
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
"""
_DECLARED = """
declare i64 @llvm.cttz.i64(i64, i1)
declare i64 @llvm.ctlz.i64(i64, i1)
declare double @llvm.fabs.f64(double)
declare ptr @PyBytes_FromStringAndSize(ptr, i64)
declare void @Py_DecRef(ptr)
"""


class Unsupported(Exception):
    """A loop that says what these have no words for."""


class Value(NamedTuple):
    """A number: its kind (literal: not known yet) and its text; an array: its kind and its place; several: the kinds in a tuple."""

    kind: str
    text: str
    parts: tuple[Value, ...] = ()


class Signature(NamedTuple):
    """What a loop takes and gives, by name; it gives nothing, one number, or (to other loops) several."""

    parameters: tuple[tuple[str, str], ...]
    results: tuple[str, ...]


def _tree(loop: Loop) -> ast.FunctionDef:
    (function,) = ast.parse(textwrap.dedent(inspect.getsource(loop.function))).body
    assert isinstance(function, ast.FunctionDef)
    return function


def _kind_of(note: ast.expr | None) -> str:
    name = note.id if isinstance(note, ast.Name) else ""
    if name in ARRAYS:
        return name
    if name not in _NAMED:
        raise Unsupported(f"an annotation of {ast.unparse(note) if note else 'nothing'}")
    return _NAMED[name]


def signature_of(function: ast.FunctionDef) -> Signature:
    parameters = tuple((a.arg, _kind_of(a.annotation)) for a in function.args.args)
    note = function.returns
    if note is None or (isinstance(note, ast.Constant) and note.value is None):
        return Signature(parameters, ())
    if isinstance(note, ast.Subscript):
        kinds = note.slice.elts if isinstance(note.slice, ast.Tuple) else [note.slice]
        return Signature(parameters, tuple(_kind_of(kind) for kind in kinds))
    return Signature(parameters, (_kind_of(note),))


def _type(kind: str) -> str:
    return "ptr" if kind in ARRAYS else SCALARS[kind]


def _result_type(results: tuple[str, ...]) -> str:
    types = [SCALARS[kind] for kind in results]
    return "void" if not types else types[0] if len(types) == 1 else "{ " + ", ".join(types) + " }"


class Module:
    """The text of a loop and all that it calls."""

    def __init__(self, loop: Loop) -> None:
        self.names: dict[Loop, str] = {}
        self.signatures: dict[Loop, Signature] = {}
        self.parts: list[str] = [_DECLARED, _COPY]
        self.constants: dict[int, tuple[Any, Value]] = {}
        self.require(loop)
        self.parts.append(_entry(loop.name, self.names[loop], self.signatures[loop]))
        self.text = "\n".join(self.parts)

    def require(self, loop: Loop) -> str:
        """The name of a loop's function, which is written if it has not been."""
        if loop not in self.names:
            tree = _tree(loop)
            self.names[loop] = f"{loop.name}.{len(self.names)}"
            self.signatures[loop] = signature_of(tree)
            self.parts.append(Function(self, loop, tree).text)
        return self.names[loop]

    def constant(self, given: Any) -> Value:
        """Bytes or an array that a module names, as a constant of this module."""
        if id(given) not in self.constants:
            name = f"@constant.{len(self.constants)}"
            array = np.frombuffer(given, np.uint8) if isinstance(given, bytes) else given
            kind = _CONSTANT_ARRAYS[array.dtype.name]
            item = ARRAYS[kind][0]
            items = ", ".join(f"{item} {_literal(v, ARRAYS[kind][1])}" for v in array.tolist())
            self.parts.append(f"{name} = private constant [{len(array)} x {item}] [{items}]")
            self.constants[id(given)] = given, Value(kind, name)
        return self.constants[id(given)][1]


def _entry(name: str, inner: str, signature: Signature) -> str:
    """The function that is called from outside, where truth values are of 64 bits."""
    taken, given, lines = [], [], []
    for parameter, kind in signature.parameters:
        outside = "i64" if kind == "bool" else _type(kind)
        taken.append(f"{outside} %{parameter}")
        if kind == "bool":
            lines.append(f"  %{parameter}.bit = trunc i64 %{parameter} to i1")
        given.append(f"{_type(kind)} %{parameter}" + (".bit" if kind == "bool" else ""))
    result = _result_type(signature.results)
    call = f"call {result} @{inner}({', '.join(given)})"
    if not signature.results:
        lines += [f"  {call}", "  ret void"]
    elif signature.results == ("bool",):
        lines += [f"  %.bit = {call}", "  %.word = zext i1 %.bit to i64", "  ret i64 %.word"]
    else:
        lines += [f"  %.found = {call}", f"  ret {result} %.found"]
    outside = "i64" if signature.results == ("bool",) else result
    return f"define {outside} @{name}({', '.join(taken)}) {{\n" + "\n".join(lines) + "\n}\n"


def _literal(value: Any, kind: str) -> str:
    if kind == "float":
        return f"0x{struct.unpack('<Q', struct.pack('<d', float(value)))[0]:016X}"
    if kind == "bool":
        return "true" if value else "false"
    width = 128 if kind == "wide" else 64
    value = int(value) & ((1 << width) - 1)
    return str(value - (1 << width) if value >> (width - 1) else value)


class Function:
    """One loop being written."""

    def __init__(self, module: Module, loop: Loop, tree: ast.FunctionDef) -> None:
        self.module, self.loop, self.signature = module, loop, module.signatures[loop]
        self.known = loop.function.__globals__
        self.lines: list[str] = []
        self.places: list[str] = []
        self.names: dict[str, Value] = {}  # of a local number: its kind and where it stands
        self.count = 0
        self.around: list[tuple[str, str]] = []  # where `continue` and `break` lead
        self.open = True
        for name, kind in self.signature.parameters:
            if kind in ARRAYS:
                self.names[name] = Value(kind, f"%{name}")
            else:
                self._assign(name, Value(kind, f"%{name}"))
        self._block(tree.body)
        if self.open:
            self._say("unreachable" if self.signature.results else "ret void")
        taken = ", ".join(f"{_type(k)} {'noalias ' if k in ARRAYS else ''}%{n}" for n, k in self.signature.parameters)
        head = f"define internal {_result_type(self.signature.results)} @{module.names[loop]}({taken}) alwaysinline {{\nentry:"
        self.text = "\n".join([head, *self.places, *self.lines, "}", ""])

    # ---- words

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
            whole, text = _result_type(kinds), "undef"
            for i, part in enumerate(found):
                text = self._made(f"insertvalue {whole} {text}, {SCALARS[part.kind]} {part.text}, {i}")
            self._say(f"ret {whole} {text}")
        self.open = False

    # ---- values

    def _as(self, value: Value, kind: str) -> Value:
        if value.kind == "literal":
            return Value(kind, _literal(float.fromhex(value.text) if "p" in value.text else int(value.text), kind))
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
            return self._call(node)
        self._refuse(node, "no such expression")

    def _constant(self, node: ast.expr, value: Any) -> Value:
        if isinstance(value, (bool, np.bool_)):
            return Value("bool", _literal(value, "bool"))
        if isinstance(value, np.uint64):
            return Value("word", _literal(value, "word"))
        if isinstance(value, (int, np.integer)):
            return Value("literal", str(int(value)))
        if isinstance(value, (float, np.floating)):
            return Value("float", _literal(value, "float"))
        if isinstance(value, (bytes, np.ndarray)):
            return self.module.constant(value)
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
            table = _ORDERED if a.kind == "float" else _SIGNED if a.kind == "int" else _UNSIGNED
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

    # ---- calls

    def _call(self, node: ast.Call) -> Value:
        if not isinstance(node.func, ast.Name) or node.keywords:
            self._refuse(node, "no such call")
        name = node.func.id
        called = self.known.get(name)
        if isinstance(called, Loop):
            return self._called(node, called)
        written = getattr(self, f"_call_{name}", None)
        if written is None:
            self._refuse(node, "no such function")
        found: Value = written(node, [self._value(a) for a in node.args])
        return found

    def _called(self, node: ast.Call, loop: Loop) -> Value:
        name, signature = self.module.require(loop), None
        signature = self.module.signatures[loop]
        if len(node.args) != len(signature.parameters):
            self._refuse(node, f"{len(signature.parameters)} arguments are wanted")
        given = []
        for arg, (_, kind) in zip(node.args, signature.parameters, strict=True):
            value = self._value(arg)
            given.append(f"{_type(kind)} {(value if value.kind == kind else self._as(value, kind)).text}")
        result = _result_type(signature.results)
        call = f"call {result} @{name}({', '.join(given)})"
        if not signature.results:
            self._say(call)
            return Value("nothing", "")
        whole = self._made(call)
        if len(signature.results) == 1:
            return Value(signature.results[0], whole)
        parts = tuple(Value(k, self._made(f"extractvalue {result} {whole}, {i}")) for i, k in enumerate(signature.results))
        return Value("several", "", parts)

    def _converted(self, node: ast.Call, x: Value, kind: str, ways: dict[str, str]) -> Value:
        if x.kind in ("literal", kind):
            return self._as(x, kind)
        if x.kind not in ways:
            self._refuse(node, f"not of kind {x.kind}")
        way = ways[x.kind]
        return Value(kind, self._made(f"{way} {SCALARS[x.kind]} {x.text} to {SCALARS[kind]}") if way else x.text)

    def _call_int(self, node: ast.Call, args: list[Value]) -> Value:
        return self._converted(node, args[0], "int", {"word": "", "bool": "zext", "float": "fptosi", "wide": "trunc"})

    def _call_word(self, node: ast.Call, args: list[Value]) -> Value:
        return self._converted(node, args[0], "word", {"int": "", "bool": "zext", "float": "fptoui", "wide": "trunc"})

    def _call_float(self, node: ast.Call, args: list[Value]) -> Value:
        return self._converted(node, args[0], "float", {"int": "sitofp", "word": "uitofp"})

    def _call_wide(self, node: ast.Call, args: list[Value]) -> Value:
        return self._converted(node, args[0], "wide", {"int": "sext", "word": "zext"})

    def _call_bits(self, node: ast.Call, args: list[Value]) -> Value:
        return self._converted(node, args[0], "word", {"float": "bitcast"})

    def _call_from_bits(self, node: ast.Call, args: list[Value]) -> Value:
        return self._converted(node, args[0], "float", {"word": "bitcast"})

    def _extreme(self, node: ast.Call, args: list[Value], how: str) -> Value:
        a, b = self._both(node, *args)
        table = _ORDERED if a.kind == "float" else _SIGNED if a.kind == "int" else _UNSIGNED
        kind = SCALARS[a.kind]
        first = self._made(f"{'fcmp' if a.kind == 'float' else 'icmp'} {table[how]} {kind} {a.text}, {b.text}")
        return Value(a.kind, self._made(f"select i1 {first}, {kind} {a.text}, {kind} {b.text}"))

    def _call_min(self, node: ast.Call, args: list[Value]) -> Value:
        return self._extreme(node, args, "lt")

    def _call_max(self, node: ast.Call, args: list[Value]) -> Value:
        return self._extreme(node, args, "gt")

    def _call_abs(self, node: ast.Call, args: list[Value]) -> Value:
        (x,) = args
        if x.kind == "float":
            return Value("float", self._made(f"call double @llvm.fabs.f64(double {x.text})"))
        return self._extreme(node, [x, Value("int", self._made(f"sub i64 0, {self._as(x, 'int').text}"))], "gt")

    def _loaded(self, node: ast.Call, args: list[Value], item: str) -> Value:
        array, index = args
        if array.kind != "Bytes":
            self._refuse(node, "words are read from bytes")
        at = self._at(array, self._as(index, "int").text, "i8")
        return Value("word", self._made(f"load {item}, ptr {at}, align 1"))

    def _call_load64(self, node: ast.Call, args: list[Value]) -> Value:
        return self._loaded(node, args, "i64")

    def _call_load32(self, node: ast.Call, args: list[Value]) -> Value:
        return Value("word", self._made(f"zext i32 {self._loaded(node, args, 'i32').text} to i64"))

    def _call_store64(self, node: ast.Call, args: list[Value]) -> Value:
        array, index, value = args
        at = self._at(array, self._as(index, "int").text, "i8")
        self._say(f"store i64 {self._as(value, 'word').text}, ptr {at}, align 1")
        return Value("nothing", "")

    def _call_copy(self, node: ast.Call, args: list[Value]) -> Value:
        to, at, source, place, count = args
        if to.kind != "Bytes" or source.kind != "Bytes":
            self._refuse(node, "bytes are copied")
        there, here = self._at(to, self._as(at, "int").text), self._at(source, self._as(place, "int").text)
        self._say(f"call void @copy_bytes(ptr {there}, ptr {here}, i64 {self._as(count, 'int').text})")
        return Value("nothing", "")

    def _call_low_zeros(self, node: ast.Call, args: list[Value]) -> Value:
        return Value("int", self._made(f"call i64 @llvm.cttz.i64(i64 {self._as(args[0], 'word').text}, i1 false)"))

    def _call_high_zeros(self, node: ast.Call, args: list[Value]) -> Value:
        return Value("int", self._made(f"call i64 @llvm.ctlz.i64(i64 {self._as(args[0], 'word').text}, i1 false)"))

    def _call_new_bytes(self, node: ast.Call, args: list[Value]) -> Value:
        array, at, count = args
        here = self._at(array, self._as(at, "int").text)
        made = self._made(f"call ptr @PyBytes_FromStringAndSize(ptr {here}, i64 {self._as(count, 'int').text})")
        return Value("int", self._made(f"ptrtoint ptr {made} to i64"))

    def _call_release(self, node: ast.Call, args: list[Value]) -> Value:
        place = self._made(f"inttoptr i64 {self._as(args[0], 'int').text} to ptr")
        self._say(f"call void @Py_DecRef(ptr {place})")
        return Value("nothing", "")


def text_of(loop: Loop) -> str:
    """The loop as a module, in which it has its own name.  Raises Unsupported for what is no loop."""
    return Module(loop).text


__all__ = ["ARRAYS", "Signature", "Unsupported", "signature_of", "text_of"]
