"""Expressions of loops written in Python (`written`) as LLVM code: numbers, their types, elements of arrays, calls."""

from __future__ import annotations

import ast
import builtins
import inspect
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
from llvmlite import ir

from ...base import loops
from .host.loaded import NativeError

I1, I32, I64, F32, F64 = ir.IntType(1), ir.IntType(32), ir.IntType(64), ir.FloatType(), ir.DoubleType()
_FLOATS = (F32, F64)
_LIBRARY = {loops.exp: "exp", loops.log1p: "log1p"}
_INTRINSICS = {loops.sqrt: "sqrt", loops.floor: "floor", loops.ceil: "ceil", loops.rint: "rint", builtins.abs: "fabs"}
_ARITHMETIC: dict[type, tuple[str, str]] = {
    ast.Add: ("add", "fadd"),
    ast.Sub: ("sub", "fsub"),
    ast.Mult: ("mul", "fmul"),
    ast.Div: ("", "fdiv"),
    ast.FloorDiv: ("sdiv", ""),
    ast.Mod: ("srem", ""),
    ast.BitAnd: ("and_", ""),
    ast.BitOr: ("or_", ""),
    ast.BitXor: ("xor", ""),
    ast.LShift: ("shl", ""),
    ast.RShift: ("ashr", ""),
}
_COMPARISONS: dict[type, str] = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}
_CHEAP = frozenset({"min", "max", "abs", "int", "bool", "f16", "f32", "f64", "floor", "ceil", "rint", "sqrt", "bits"})


class Elements:
    """An array: where it starts, and the dtype of its elements."""

    def __init__(self, start: ir.Value, dtype: np.dtype[Any]) -> None:
        self.start, self.dtype = start, dtype

    @property
    def stored(self) -> ir.Type:
        return stored(self.dtype)


def stored(dtype: np.dtype[Any]) -> ir.Type:
    """The type of elements in memory."""
    if dtype.kind in "iub":
        return ir.IntType(8 * dtype.itemsize)
    if dtype.char in "fd":
        return F32 if dtype.char == "f" else F64
    raise NativeError(f"Loops have no numbers of dtype {dtype}.")


#: An argument's type: an array's dtype, or `int` or `float` (of single precision).
Kind = np.dtype[Any] | type


class Values:
    """Writes the expressions of a function.

    names: constants, arrays, and places of variables.  module: what writes the functions that this one calls.
    """

    b: ir.IRBuilder
    function: Any
    module: Any
    names: dict[str, Any]

    def refuse(self, node: ast.AST, why: str) -> NativeError:
        return NativeError(f"{self.function.__name__}, line {getattr(node, 'lineno', 0)}: {why}: {ast.unparse(node)}")

    # ---- elements

    def place(self, node: ast.Subscript) -> tuple[Elements, ir.Value]:
        array = self.names.get(node.value.id) if isinstance(node.value, ast.Name) else None
        if not isinstance(array, Elements):
            raise self.refuse(node, "no array")
        index = self.made_to(self.value(node.slice), I64)
        return array, self.b.gep(array.start, [index], inbounds=True, source_etype=array.stored)

    def read(self, node: ast.Subscript) -> ir.Value:
        array, place = self.place(node)
        value = self.b.load(place, align=array.dtype.itemsize, typ=array.stored)
        if array.dtype.kind == "f" or array.dtype.itemsize == 8:
            return value
        return (self.b.sext if array.dtype.kind == "i" else self.b.zext)(value, I64)

    # ---- values

    def named(self, node: ast.expr) -> Any:
        """What a name stands for outside the function."""
        if not isinstance(node, ast.Name):
            raise self.refuse(node, "no name")
        known = self.function.__globals__
        return known[node.id] if node.id in known else getattr(builtins, node.id, None)

    def value(self, node: ast.expr) -> ir.Value:
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
                value = self.value(node.operand)
                if isinstance(value, ir.Constant):
                    return value.type(-value.constant)
                return self.b.fneg(value) if value.type in _FLOATS else self.b.neg(value)
            case ast.UnaryOp(op=ast.Invert()):
                return self.b.not_(self.value(node.operand))
            case ast.Compare(ops=[ast.In()], comparators=[ast.Tuple(elts=parts)]):
                given = self.value(node.left)
                found = self.compared(ast.Eq(), given, self.value(parts[0]))
                for part in parts[1:]:
                    found = self.b.or_(found, self.compared(ast.Eq(), given, self.value(part)))
                return found
            case ast.Compare(ops=[op], comparators=[right]):
                return self.compared(op, self.value(node.left), self.value(right))
            case ast.Compare():
                left, pairs = self.value(node.left), []
                for op, part in zip(node.ops, node.comparators, strict=True):
                    right = self.value(part)
                    pairs.append(self.compared(op, left, right))
                    left = right
                return self.all_of(pairs)
            case ast.BoolOp():
                return self.joined(node)
            case ast.IfExp():
                return self.chosen(node)
            case ast.Call():
                return self.called(node)
        raise self.refuse(node, "no such expression")

    def of_name(self, node: ast.Name) -> ir.Value:
        known = self.names.get(node.id)
        if known is None:
            known = self.named(node)
        if isinstance(known, (bool, np.bool_)):
            return I1(int(known))
        if isinstance(known, (int, np.integer)):
            return I64(int(known))
        if isinstance(known, (float, np.floating)):
            return (F64 if type(known) is np.float64 else F32)(float(known))
        if not isinstance(known, ir.AllocaInstr):
            raise self.refuse(node, "no number")
        return self.b.load(known, typ=known.allocated_type)

    def truth(self, node: ast.expr) -> ir.Value:
        return self.made_to(self.value(node), I1)

    def made_to(self, value: ir.Value, wanted: ir.Type) -> ir.Value:
        """A number as another type; a float is no integer unless `int` says so."""
        given = value.type
        if given == wanted:
            return value
        if isinstance(value, ir.Constant) and wanted != I1 and (wanted in _FLOATS or given not in _FLOATS):
            return wanted(float(value.constant) if wanted in _FLOATS else int(value.constant))
        if wanted == I1 and given == I64:
            return self.b.icmp_signed("!=", value, I64(0))
        if wanted == I64 and given == I1:
            return self.b.zext(value, I64)
        if wanted in _FLOATS and given in (I1, I64):
            return (self.b.uitofp if given == I1 else self.b.sitofp)(value, wanted)
        if wanted in _FLOATS and given in _FLOATS:
            return self.b.fpext(value, wanted) if wanted == F64 else self.b.fptrunc(value, wanted)
        raise NativeError(f"{self.function.__name__}: a number of type {given} is none of type {wanted}.")

    def paired(self, a: ir.Value, b: ir.Value) -> tuple[ir.Value, ir.Value]:
        """Two numbers as one type."""
        literal = [isinstance(x, ir.Constant) and x.type == F32 for x in (a, b)]
        order = [I1, I64, F32, F64]
        common = max((x.type for x, is_literal in zip((a, b), literal, strict=True) if not is_literal or all(literal)), key=order.index)
        if any(literal) and common not in _FLOATS:
            common = F32
        return self.made_to(a, common), self.made_to(b, common)

    def arithmetic(self, node: ast.AST, op: ast.operator, a: ir.Value, b: ir.Value) -> ir.Value:
        a, b = self.paired(a, b)
        if a.type == I1 and not isinstance(op, (ast.BitAnd, ast.BitOr, ast.BitXor)):
            a, b = self.made_to(a, I64), self.made_to(b, I64)
        if type(op) is ast.Div and a.type not in _FLOATS:
            raise self.refuse(node, "integers have no quotients, write // or f32")
        if isinstance(a, ir.Constant) and isinstance(b, ir.Constant) and a.type == I64:
            return I64(_folded(op, a.constant, b.constant))
        name = _ARITHMETIC.get(type(op), ("", ""))[a.type in _FLOATS]
        if not name:
            raise self.refuse(node, "no such operation")
        return getattr(self.b, name)(a, b)

    def compared(self, op: ast.cmpop, a: ir.Value, b: ir.Value) -> ir.Value:
        a, b = self.paired(a, b)
        sign = _COMPARISONS.get(type(op), "")
        if not sign:
            raise NativeError(f"{self.function.__name__}: loops do not compare so: {type(op).__name__}")
        if a.type in _FLOATS:
            return self.b.fcmp_unordered(sign, a, b) if sign == "!=" else self.b.fcmp_ordered(sign, a, b)
        if isinstance(a, ir.Constant) and isinstance(b, ir.Constant):
            x, y = a.constant, b.constant
            return I1(int({"<": x < y, "<=": x <= y, ">": x > y, ">=": x >= y, "==": x == y, "!=": x != y}[sign]))
        return self.b.icmp_signed(sign, a, b)

    def all_of(self, parts: Sequence[ir.Value]) -> ir.Value:
        found = parts[0]
        for part in parts[1:]:
            found = self.b.and_(found, part)
        return found

    def joined(self, node: ast.BoolOp) -> ir.Value:
        is_and, found = isinstance(node.op, ast.And), self.truth(node.values[0])
        for part in node.values[1:]:
            if not _is_cheap(part):
                truth, known = partial(self.truth, part), partial(I1, int(not is_and))
                found = self.branching(found, truth if is_and else known, known if is_and else truth)
            else:
                found = (self.b.and_ if is_and else self.b.or_)(found, self.truth(part))
        return found

    def chosen(self, node: ast.IfExp) -> ir.Value:
        condition = self.truth(node.test)
        if isinstance(condition, ir.Constant):
            return self.value(node.body if condition.constant else node.orelse)
        if _is_cheap(node.body) and _is_cheap(node.orelse):
            return self.b.select(condition, *self.paired(self.value(node.body), self.value(node.orelse)))
        return self.branching(condition, lambda: self.value(node.body), lambda: self.value(node.orelse))

    def branching(self, condition: ir.Value, first: Callable[[], ir.Value], second: Callable[[], ir.Value]) -> ir.Value:
        then, other, after = (self.b.append_basic_block(name) for name in ("then", "else", "after"))
        self.b.cbranch(condition, then, other)
        found = []
        for block, make in ((then, first), (other, second)):
            self.b.position_at_end(block)
            value = make()
            found.append((value, self.b.block))
        wanted = self.paired(found[0][0], found[1][0])[0].type if found[0][0].type != found[1][0].type else found[0][0].type
        ends = []
        for value, block in found:
            self.b.position_at_end(block)
            ends.append((self.made_to(value, wanted), block))
            self.b.branch(after)
        self.b.position_at_end(after)
        met = self.b.phi(wanted)
        for value, block in ends:
            met.add_incoming(value, block)
        return met

    # ---- calls

    def called(self, node: ast.Call) -> ir.Value:
        function = self.named(node.func)
        if inspect.isfunction(function) and function.__module__ != loops.__name__:
            return self.of_loop(function, node)
        given = [self.value(arg) for arg in node.args]
        if function in (builtins.min, builtins.max) and len(given) == 2:
            first, second = self.paired(*given)
            return self.b.select(self.compared(ast.Lt() if function is builtins.min else ast.Gt(), second, first), second, first)
        if len(given) != 1:
            raise self.refuse(node, "no such function")
        (x,) = given
        if function in (loops.f32, loops.f64):
            return self.made_to(x, F32 if function is loops.f32 else F64)
        if function is builtins.int:
            return self.b.fptosi(x, I64) if x.type in _FLOATS else self.made_to(x, I64)
        if function is builtins.bool:
            return self.made_to(x, I1)
        if function is loops.f16:
            return self.b.fpext(self.b.fptrunc(self.made_to(x, F32), ir.HalfType()), F32)
        if function is loops.bits:
            return self.b.sext(self.b.bitcast(self.made_to(x, F32), I32), I64)
        if function is builtins.abs and x.type == I64:
            return self.b.select(self.b.icmp_signed("<", x, I64(0)), self.b.neg(x), x)
        if function in _LIBRARY:
            return self.b.call(self.declared(_LIBRARY[function] + ("" if x.type == F64 else "f"), x.type), [x])
        if function in _INTRINSICS:
            return self.b.call(self.declared(f"llvm.{_INTRINSICS[function]}.{'f64' if x.type == F64 else 'f32'}", x.type), [x])
        raise self.refuse(node, "no such function")

    def declared(self, name: str, kind: ir.Type) -> ir.Function:
        known = self.module.module.globals.get(name)
        return known or ir.Function(self.module.module, ir.FunctionType(kind, [kind]), name)

    def of_loop(self, function: Any, node: ast.Call) -> ir.Value:
        kinds: list[Kind] = []
        given = []
        for arg in node.args:
            known = self.names.get(arg.id) if isinstance(arg, ast.Name) else None
            if isinstance(known, Elements):
                kinds.append(known.dtype)
                given.append(known.start)
            else:
                value = self.value(arg)
                kinds.append({I64: int, I1: bool, F32: float, F64: np.float64}[value.type])
                given.append(value)
        constants = {}
        for keyword in node.keywords:
            value = self.value(keyword.value)
            if not isinstance(value, ir.Constant) or keyword.arg is None:
                raise self.refuse(node, f"{keyword.arg} is no constant")
            constants[keyword.arg] = value.constant
        return self.b.call(self.module.written(function, tuple(kinds), constants), given)


def _folded(op: ast.operator, a: int, b: int) -> int:
    return int(eval(compile(ast.Expression(ast.fix_missing_locations(ast.BinOp(ast.Constant(a), op, ast.Constant(b)))), "", "eval")))


def _is_cheap(node: ast.expr) -> bool:
    """Whether an expression reads no array and calls no other loop, so that it may be computed in vain."""
    return all(
        not isinstance(part, ast.Subscript) and (not isinstance(part, ast.Call) or getattr(part.func, "id", "") in _CHEAP)
        for part in ast.walk(node)
    )


__all__ = ["F32", "F64", "I1", "I64", "Elements", "Kind", "Values", "stored"]
