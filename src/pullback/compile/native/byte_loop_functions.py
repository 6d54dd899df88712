"""Calls in loops over bytes: of other loops, and of the words that `base.byte_loops` names."""

from __future__ import annotations

import ast

from ...base.byte_loops import Loop
from .byte_loop_values import ORDERED, SIGNED, UNSIGNED, Values
from .byte_loop_words import SCALARS, Signature, Value, result_type, type_of


class Calls(Values):
    """Calls, as values."""

    def require(self, loop: Loop) -> tuple[str, Signature]:
        """The name of another loop's function, and what it takes and gives."""
        raise NotImplementedError

    def declare(self, text: str) -> None:
        """Say what a function of another library takes and gives."""
        raise NotImplementedError

    def call(self, node: ast.Call) -> Value:
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
        name, signature = self.require(loop)
        if len(node.args) != len(signature.parameters):
            self._refuse(node, f"{len(signature.parameters)} arguments are wanted")
        given = []
        for arg, (_, kind) in zip(node.args, signature.parameters, strict=True):
            value = self._value(arg)
            given.append(f"{type_of(kind)} {(value if value.kind == kind else self._as(value, kind)).text}")
        result = result_type(signature.results)
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
        table = ORDERED if a.kind == "float" else SIGNED if a.kind == "int" else UNSIGNED
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
        self.declare("ptr @PyBytes_FromStringAndSize(ptr, i64)")
        made = self._made(f"call ptr @PyBytes_FromStringAndSize(ptr {here}, i64 {self._as(count, 'int').text})")
        return Value("int", self._made(f"ptrtoint ptr {made} to i64"))

    def _call_release(self, node: ast.Call, args: list[Value]) -> Value:
        place = self._made(f"inttoptr i64 {self._as(args[0], 'int').text} to ptr")
        self.declare("void @Py_DecRef(ptr)")
        self._say(f"call void @Py_DecRef(ptr {place})")
        return Value("nothing", "")

    def _call_printed(self, node: ast.Call, args: list[Value]) -> Value:
        to, at, room, form, number = args
        if to.kind != "Bytes" or form.kind != "Bytes" or number.kind not in ("int", "float"):
            self._refuse(node, "numbers are printed into bytes")
        self.declare("i32 @snprintf(ptr, i64, ptr, ...)")
        given = f"ptr {self._at(to, self._as(at, 'int').text)}, i64 {self._as(room, 'int').text}, ptr {form.text}"
        count = self._made(f"call i32 (ptr, i64, ptr, ...) @snprintf({given}, {SCALARS[number.kind]} {number.text})")
        return Value("int", self._made(f"sext i32 {count} to i64"))


__all__ = ["Calls"]
