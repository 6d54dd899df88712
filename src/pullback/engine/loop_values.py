"""Expressions of loops written in Python as LLVM code: numbers, their types, elements of arrays."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from . import llvm_ir as ir
from .loop_types import F32, F64, FLOATS, I1, I64, POINTER, WORD, Elements, Unsigned
from .runtime.loaded import NativeError

_ARITHMETIC: dict[type, tuple[str, str, str]] = {  # of integers, floats, words
    ast.Add: ("add", "fadd", "add"),
    ast.Sub: ("sub", "fsub", "sub"),
    ast.Mult: ("mul", "fmul", "mul"),
    ast.Div: ("", "fdiv", ""),
    ast.FloorDiv: ("sdiv", "", "udiv"),
    ast.Mod: ("srem", "", "urem"),
    ast.BitAnd: ("and", "", "and"),
    ast.BitOr: ("or", "", "or"),
    ast.BitXor: ("xor", "", "xor"),
    ast.LShift: ("shl", "", "shl"),
    ast.RShift: ("ashr", "", "lshr"),
}
_COMPARISONS: dict[type, str] = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}
_CHEAP = {
    "min", "max", "abs", "int", "bool", "word", "wide", "f16", "f32", "f64", "floor", "ceil", "rint", "sqrt", "bits", "from_bits",
    "low_zeros", "high_zeros",
}  # fmt: skip


class Values:
    """Writes the expressions of a function.

    names: constants, arrays, and places of variables.  module: what writes the functions that this one calls.
    """

    b: ir.IRBuilder
    function: Any
    module: Any
    names: dict[str, Any]

    def refuse(self, node: ast.AST, why: str) -> NativeError:
        """Raise the error that says why a piece of a loop has no code."""
        return NativeError(f"{self.function.__name__}, line {getattr(node, 'lineno', 0)}: {why}: {ast.unparse(node)}")

    # ---- elements

    def array(self, node: ast.expr) -> Elements | None:
        """An argument that is an array, or one that the module names; None for another expression."""
        if not isinstance(node, ast.Name):
            return None
        known = self.names[node.id] if node.id in self.names else self.find_global(node)
        if not isinstance(known, (bytes, np.ndarray)):
            return known if isinstance(known, Elements) else None
        constant, dtype = self.module.constant(known)
        return Elements(self.b.bitcast(constant, POINTER), dtype)

    def place(self, node: ast.Subscript) -> tuple[Elements, ir.Value]:
        """The address of the element that a subscript names."""
        array = self.array(node.value)
        if array is None:
            raise self.refuse(node, "no array")
        index = self.value(node.slice)
        index = index if index.type == WORD else self.convert_to(index, I64)
        return array, self.b.gep(array.start, [index], inbounds=True, source_etype=array.stored)

    def read(self, node: ast.Subscript) -> ir.Value:
        """The element that a subscript names."""
        array, place = self.place(node)
        value = self.b.load(place, align=array.dtype.itemsize, typ=array.stored)
        if array.dtype.kind == "f" or array.dtype.itemsize == 8:
            return value
        return (self.b.sext if array.dtype.kind == "i" else self.b.zext)(value, I64)

    # ---- values

    def find_global(self, node: ast.expr) -> Any:
        """What a name stands for outside the function."""
        if not isinstance(node, ast.Name):
            raise self.refuse(node, "no name")
        known = self.function.__globals__
        return known[node.id] if node.id in known else getattr(builtins, node.id, None)

    def value(self, node: ast.expr) -> ir.Value:
        """The code of an expression."""
        match node:
            case ast.Constant(value=builtins.bool() as value):
                return I1(int(value))
            case ast.Constant(value=builtins.int() as value):
                return I64(value)
            case ast.Constant(value=builtins.float() as value):
                return F32(value)
            case ast.Name():
                return self.of_name(node)
            case ast.Subscript():
                return self.read(node)
            case ast.BinOp():
                return self.arithmetic(node, node.op, self.value(node.left), self.value(node.right))
            case ast.UnaryOp(op=ast.Not()):
                return self.b.not_(self.truth(node.operand))
            case ast.UnaryOp(op=ast.USub()):
                operand = self.value(node.operand)
                if isinstance(operand, ir.Constant):
                    return operand.type(-operand.constant)
                return self.b.fneg(operand) if operand.type in FLOATS else self.b.neg(operand)
            case ast.UnaryOp(op=ast.Invert()):
                return self.b.not_(self.value(node.operand))
            case ast.Compare(ops=[ast.In()], comparators=[ast.Tuple(elts=parts)]):
                given = self.value(node.left)
                found = self.emit_comparison(ast.Eq(), given, self.value(parts[0]))
                for part in parts[1:]:
                    found = self.b.or_(found, self.emit_comparison(ast.Eq(), given, self.value(part)))
                return found
            case ast.Compare(ops=[op], comparators=[right]):
                return self.emit_comparison(op, self.value(node.left), self.value(right))
            case ast.Compare():
                compared = [self.value(part) for part in (node.left, *node.comparators)]
                return self.all_of([self.emit_comparison(op, *pair) for op, pair in zip(node.ops, pairwise(compared), strict=True)])
            case ast.BoolOp():
                return self.emit_logic(node)
            case ast.IfExp():
                return self.emit_choice(node)
            case ast.Call():
                return self.emit_call(node)
        raise self.refuse(node, "no such expression")

    def of_name(self, node: ast.Name) -> ir.Value:
        """The value of a name."""
        known = self.names.get(node.id)
        if known is None:
            known = self.find_global(node)
        if isinstance(known, (bool, np.bool_)):
            return I1(int(known))
        if isinstance(known, np.uint64):
            return WORD(int(known))
        if isinstance(known, (int, np.integer)):
            return I64(int(known))
        if isinstance(known, (float, np.floating)):
            return (F64 if type(known) is np.float64 else F32)(float(known))
        if not isinstance(known, ir.Alloca):
            raise self.refuse(node, "no number")
        return self.b.load(known, typ=known.allocated_type)

    def truth(self, node: ast.expr) -> ir.Value:
        """Whether an expression holds, as one bit."""
        return self.convert_to(self.value(node), I1)

    def convert_to(self, value: ir.Value, wanted: ir.Type) -> ir.Value:
        """A number as another type; a float is no integer unless `int` says so."""
        given = value.type
        if given == wanted:
            return value
        if isinstance(given, Unsigned) or (isinstance(wanted, Unsigned) and not isinstance(value, ir.Constant)):
            raise NativeError(f"{self.function.__name__}: {self.show_type(given)} is {self.show_type(wanted)} only where that is said.")
        if isinstance(value, ir.Constant) and wanted != I1 and (wanted in FLOATS or given not in FLOATS):
            return wanted(float(value.constant) if wanted in FLOATS else int(value.constant))
        if wanted == I1 and given == I64:
            return self.b.icmp_signed("!=", value, I64(0))
        if wanted == I64 and given == I1:
            return self.b.zext(value, I64)
        if wanted in FLOATS and given in (I1, I64):
            return (self.b.uitofp if given == I1 else self.b.sitofp)(value, wanted)
        if wanted in FLOATS and given in FLOATS:
            return self.b.fpext(value, wanted) if wanted == F64 else self.b.fptrunc(value, wanted)
        raise NativeError(f"{self.function.__name__}: a number of type {given} is none of type {wanted}.")

    def show_type(self, given: ir.Type) -> str:
        """The name of a type, for errors."""
        return f"a word of {given.width} bits" if isinstance(given, Unsigned) else f"a number of type {given}"

    def promote_pair(self, a: ir.Value, b: ir.Value) -> tuple[ir.Value, ir.Value]:
        """Two numbers as one type."""
        for x in (a, b):
            if isinstance(x.type, Unsigned):
                return self.convert_to(a, x.type), self.convert_to(b, x.type)
        literal = [isinstance(x, ir.Constant) and x.type == F32 for x in (a, b)]
        order = [I1, I64, F32, F64]
        common = max((x.type for x, is_literal in zip((a, b), literal, strict=True) if not is_literal or all(literal)), key=order.index)
        if any(literal) and common not in FLOATS:
            common = F32
        return self.convert_to(a, common), self.convert_to(b, common)

    def arithmetic(self, node: ast.AST, op: ast.operator, a: ir.Value, b: ir.Value) -> ir.Value:
        """The code of an operator between two numbers."""
        a, b = self.promote_pair(a, b)
        if a.type == I1 and not isinstance(op, (ast.BitAnd, ast.BitOr, ast.BitXor)):
            a, b = self.convert_to(a, I64), self.convert_to(b, I64)
        if type(op) is ast.Div and a.type not in FLOATS:
            raise self.refuse(node, "integers have no quotients, write // or f32")
        if isinstance(a, ir.Constant) and isinstance(b, ir.Constant) and a.type == I64:
            return I64(_fold_constants(op, a.constant, b.constant))
        name = _ARITHMETIC.get(type(op), ("", "", ""))[2 if isinstance(a.type, Unsigned) else a.type in FLOATS]
        if not name:
            raise self.refuse(node, "no such operation")
        return self.b.binary(name, a, b)

    def emit_comparison(self, op: ast.cmpop, a: ir.Value, b: ir.Value) -> ir.Value:
        """The code of a comparison of two numbers, one bit."""
        a, b = self.promote_pair(a, b)
        sign = _COMPARISONS.get(type(op), "")
        if not sign:
            raise NativeError(f"{self.function.__name__}: loops do not compare so: {type(op).__name__}")
        if a.type in FLOATS:
            return self.b.fcmp_unordered(sign, a, b) if sign == "!=" else self.b.fcmp_ordered(sign, a, b)
        if isinstance(a, ir.Constant) and isinstance(b, ir.Constant):
            x, y = a.constant, b.constant
            return I1(int({"<": x < y, "<=": x <= y, ">": x > y, ">=": x >= y, "==": x == y, "!=": x != y}[sign]))
        return (self.b.icmp_unsigned if isinstance(a.type, Unsigned) else self.b.icmp_signed)(sign, a, b)

    def all_of(self, parts: Sequence[ir.Value]) -> ir.Value:
        """Whether all of some bits are set."""
        found = parts[0]
        for part in parts[1:]:
            found = self.b.and_(found, part)
        return found

    def emit_logic(self, node: ast.BoolOp) -> ir.Value:
        """The code of `and` and `or`, whose later parts run only where they count."""
        is_and, found = isinstance(node.op, ast.And), self.truth(node.values[0])
        for part in node.values[1:]:
            if not _is_cheap(part):
                truth, known = partial(self.truth, part), partial(I1, int(not is_and))
                found = self.branching(found, truth if is_and else known, known if is_and else truth)
            else:
                found = (self.b.and_ if is_and else self.b.or_)(found, self.truth(part))
        return found

    def emit_choice(self, node: ast.IfExp) -> ir.Value:
        """The code of `a if test else b`."""
        condition = self.truth(node.test)
        if isinstance(condition, ir.Constant):
            return self.value(node.body if condition.constant else node.orelse)
        if _is_cheap(node.body) and _is_cheap(node.orelse):
            return self.b.select(condition, *self.promote_pair(self.value(node.body), self.value(node.orelse)))
        return self.branching(condition, lambda: self.value(node.body), lambda: self.value(node.orelse))

    def branching(self, condition: ir.Value, first: Callable[[], ir.Value], second: Callable[[], ir.Value]) -> ir.Value:
        """One of two values, of which only that one is computed."""
        then, other, after = (self.b.append_basic_block(name) for name in ("then", "else", "after"))
        self.b.cbranch(condition, then, other)
        found = []
        for block, make in ((then, first), (other, second)):
            self.b.position_at_end(block)
            value = make()
            found.append((value, self.b.block))
        wanted = self.promote_pair(found[0][0], found[1][0])[0].type if found[0][0].type != found[1][0].type else found[0][0].type
        ends = []
        for value, block in found:
            self.b.position_at_end(block)
            ends.append((self.convert_to(value, wanted), block))
            self.b.branch(after)
        self.b.position_at_end(after)
        met = self.b.phi(wanted)
        for value, block in ends:
            met.add_incoming(value, block)
        return met

    def emit_call(self, node: ast.Call) -> ir.Value:
        """The result of a call."""
        raise NotImplementedError


def _fold_constants(op: ast.operator, a: int, b: int) -> int:
    return int(eval(compile(ast.Expression(ast.fix_missing_locations(ast.BinOp(ast.Constant(a), op, ast.Constant(b)))), "", "eval")))


def _is_cheap(node: ast.expr) -> bool:
    """Whether an expression reads no array, calls no other loop and divides by no unknown, so that it may be computed in vain."""
    for part in ast.walk(node):
        if isinstance(part, ast.Subscript) or (isinstance(part, ast.Call) and getattr(part.func, "id", "") not in _CHEAP):
            return False
        if isinstance(part, ast.BinOp) and isinstance(part.op, (ast.FloorDiv, ast.Mod)) and not isinstance(part.right, ast.Constant):
            return False
    return True
