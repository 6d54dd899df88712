"""Loops written in Python (`base.loops`) as LLVM code.

Numbers are integers of 64 bits, booleans, and floats of 32 or 64.  A variable has the type of what it is first given, or the wider one of
what it is given later; an integer beside a float becomes one, a float literal has the precision of what is beside it.  Elements of arrays
are numbers of their dtype, narrow integers 64 bits wide while they are computed with.  There are `for` over `range` (and `unrolled`),
`while`, `if`, `break`, `continue`, `return`, assignments, conditional expressions, comparisons, `in` a tuple, `and`, `or`, `not`,
arithmetic, `min` and `max` of two (as Python has them for NaN: the first stays unless the other is less or more), `abs`, `int`, `bool` and
the words of `base.loops`, and calls of other such functions, by their position.  A function gives an integer, or a float of 32 bits where
its annotation says `float`.  `//` and `%` are for numbers that are not negative, and nothing looks whether an index is within its array.

What is on either side of a conditional expression, or right of `and` and `or`, is computed without a branch where it reads no array.
LLVM finds the vectors itself; sums of floats stay in order, so that results are the same as Python's.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import textwrap
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

import numpy as np
from llvmlite import ir

from ...base import loops
from .host.loaded import NativeError

I1, I32, I64, F32, F64 = ir.IntType(1), ir.IntType(32), ir.IntType(64), ir.FloatType(), ir.DoubleType()
_FLOATS = (F32, F64)
_POINTER = ir.PointerType()
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
_WIDER = ((I1, I64), (F32, F64))
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


def module_of(function: loops.Loop, kinds: Sequence[Kind], constants: dict[str, int], name: str = "loop") -> str:
    """The text of a module with `function` for arguments of these kinds, as `i64 name(...)`.

    Raises NativeError for a function that is not in this part of Python, with the line that is not.
    """
    module = ir.Module(name)
    _Module(module).written(function, tuple(kinds), constants, name)
    return str(module)


class _Module:
    def __init__(self, module: ir.Module) -> None:
        self.module = module
        self.made: dict[Any, ir.Function] = {}

    def written(self, function: Any, kinds: tuple[Kind, ...], constants: dict[str, int], name: str = "") -> ir.Function:
        key = function, kinds, tuple(constants.items())
        if key not in self.made:
            types = [_POINTER if isinstance(kind, np.dtype) else _type_of(kind) for kind in kinds]
            result = F32 if inspect.signature(function).return_annotation in ("float", float) else I64
            made = ir.Function(self.module, ir.FunctionType(result, types), name or f"{function.__name__}.{len(self.made)}")
            self.made[key] = made
            if not name:
                made.linkage = "internal"
                made.attributes.add("alwaysinline")
            for argument, kind in zip(made.args, kinds, strict=True):
                if isinstance(kind, np.dtype):
                    argument.add_attribute("noalias")
            _Function(self, function, made, kinds, constants).write()
        return self.made[key]


def _type_of(kind: type) -> ir.Type:
    return {int: I64, float: F32, bool: I1, np.float64: F64}[kind]


class _WiderError(Exception):
    """A variable that was thought to be narrower than what it is given."""


class _Function:
    """Writes one function: the statements of its body into blocks, its variables into places on the stack, which LLVM takes away.

    A variable that turns out to be given something wider later (a double, where it began as 0.0) is that wide from the start: the function
    is written once more.
    """

    def __init__(self, module: _Module, function: Any, made: ir.Function, kinds: Sequence[Kind], constants: dict[str, int]) -> None:
        self.module, self.function, self.made = module, function, made
        try:
            source = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
        except OSError as error:
            raise NativeError(f"{function.__name__} has no source here: {error}") from error
        if not isinstance(source, ast.FunctionDef):
            raise NativeError(f"{function.__name__} is not written with `def`")
        self.source, self.kinds, self.constants = source, kinds, constants
        self.wide: dict[str, ir.Type] = {}

    def begin(self) -> None:
        self.made.blocks.clear()
        self.names: dict[str, Any] = dict(self.constants)  # constants, arrays, and places of variables
        self.first = self.made.append_basic_block("entry")
        self.b = ir.IRBuilder(self.made.append_basic_block("body"))
        self.turns: list[tuple[ir.Block, ir.Block]] = []  # of the loops around: where a turn ends, and what comes after
        parameters = [argument.arg for argument in self.source.args.args]
        for parameter, kind, given in zip(parameters, self.kinds, self.made.args, strict=True):
            if isinstance(kind, np.dtype):
                self.names[parameter] = Elements(given, kind)
            else:
                self.assign(parameter, given)

    def refuse(self, node: ast.AST, why: str) -> NativeError:
        return NativeError(f"{self.function.__name__}, line {getattr(node, 'lineno', 0)}: {why}: {ast.unparse(node)}")

    def write(self) -> None:
        while True:
            try:
                self.begin()
                body = self.b.block
                self.statements(self.source.body)
                break
            except _WiderError:
                continue
        if not self.b.block.is_terminated:
            self.b.ret(self.made.ftype.return_type(0))
        ir.IRBuilder(self.first).branch(body)

    # ---- statements

    def statements(self, body: Iterable[ast.stmt]) -> None:
        for statement in body:
            write = getattr(self, f"write_{type(statement).__name__}", None)
            if write is None:
                raise self.refuse(statement, "no such statement")
            write(statement)
            if self.b.block.is_terminated:
                return

    def write_Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):  # a docstring is one
            self.value(node.value)

    def write_Pass(self, node: ast.Pass) -> None:
        pass

    def write_Return(self, node: ast.Return) -> None:
        wanted = self.made.ftype.return_type
        self.b.ret(wanted(0) if node.value is None else self.made_to(self.value(node.value), wanted))

    def write_Assign(self, node: ast.Assign) -> None:
        (target,) = node.targets
        if isinstance(target, ast.Tuple):
            if not isinstance(node.value, ast.Tuple):
                raise self.refuse(node, "no tuple of values")
            values = [self.value(part) for part in node.value.elts]
            for part, value in zip(target.elts, values, strict=True):
                self.put(part, value)
        else:
            self.put(target, self.value(node.value))

    def write_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is None:
            raise self.refuse(node, "nothing is assigned")
        self.put(node.target, self.value(node.value))

    def write_AugAssign(self, node: ast.AugAssign) -> None:
        read = ast.copy_location(ast.parse(ast.unparse(node.target), mode="eval").body, node)
        self.put(node.target, self.arithmetic(node, node.op, self.value(read), self.value(node.value)))

    def write_Break(self, node: ast.Break) -> None:
        self.b.branch(self.turns[-1][1])

    def write_Continue(self, node: ast.Continue) -> None:
        self.b.branch(self.turns[-1][0])

    def write_If(self, node: ast.If) -> None:
        condition = self.truth(node.test)
        if isinstance(condition, ir.Constant):
            self.statements(node.body if condition.constant else node.orelse)
            return
        then, other, after = (self.b.append_basic_block(name) for name in ("then", "else", "after"))
        self.b.cbranch(condition, then, other)
        for block, body in ((then, node.body), (other, node.orelse)):
            self.b.position_at_end(block)
            self.statements(body)
            if not self.b.block.is_terminated:
                self.b.branch(after)
        self.b.position_at_end(after)

    def write_While(self, node: ast.While) -> None:
        head, inside, after = (self.b.append_basic_block(name) for name in ("head", "inside", "after"))
        self.b.branch(head)
        self.b.position_at_end(head)
        self.b.cbranch(self.truth(node.test), inside, after)
        self.turn(inside, head, after, node.body)

    def turn(self, inside: ir.Block, end: ir.Block, after: ir.Block, body: Iterable[ast.stmt]) -> None:
        self.b.position_at_end(inside)
        self.turns.append((end, after))
        self.statements(body)
        self.turns.pop()
        if not self.b.block.is_terminated:
            self.b.branch(end)
        self.b.position_at_end(after)

    def write_For(self, node: ast.For) -> None:
        if not isinstance(node.iter, ast.Call):
            raise self.refuse(node.iter, "loops go over ranges")
        kind, given = self.named(node.iter.func), [self.value(arg) for arg in node.iter.args]
        if kind is loops.unrolled:
            self.unrolled(node, given[0])
            return
        if kind is not builtins.range or not isinstance(node.target, ast.Name):
            raise self.refuse(node.iter, "loops go over ranges")
        low, high, step = [I64(0), *given, I64(1)] if len(given) == 1 else [*given, I64(1)][:3]
        if not isinstance(step, ir.Constant):
            raise self.refuse(node.iter, "steps of ranges are constants")
        head, inside, end, after = (self.b.append_basic_block(name) for name in ("head", "inside", "end", "after"))
        before = self.b.block
        self.b.branch(head)
        self.b.position_at_end(head)
        at = self.b.phi(I64)
        at.add_incoming(low, before)
        self.b.cbranch(self.b.icmp_signed("<" if step.constant > 0 else ">", at, high), inside, after)
        self.b.position_at_end(end)
        at.add_incoming(self.b.add(at, step, flags=("nsw",)), end)
        self.b.branch(head)
        self.b.position_at_end(inside)
        self.assign(node.target.id, at)
        self.turn(inside, end, after, node.body)

    def unrolled(self, node: ast.For, count: ir.Value) -> None:
        if not isinstance(count, ir.Constant) or not isinstance(node.target, ast.Name):
            raise self.refuse(node.iter, "how often is no constant")
        before = self.names.get(node.target.id)
        for i in range(count.constant):
            self.names[node.target.id] = i
            self.statements(node.body)
        if before is None:
            self.names.pop(node.target.id, None)
        else:
            self.names[node.target.id] = before

    # ---- variables and elements

    def put(self, target: ast.expr, value: ir.Value) -> None:
        if isinstance(target, ast.Name):
            self.assign(target.id, value)
            return
        if not isinstance(target, ast.Subscript):
            raise self.refuse(target, "nothing to assign to")
        array, place = self.place(target)
        self.b.store(self.narrowed(value, array), place, align=array.dtype.itemsize)

    def assign(self, name: str, value: ir.Value) -> None:
        if name not in self.names:
            with self.b.goto_block(self.first):
                self.names[name] = self.b.alloca(self.wide.get(name, value.type), name=name)
        place = self.names[name]
        if (place.allocated_type, value.type) in _WIDER:
            self.wide[name] = value.type
            raise _WiderError
        self.b.store(self.made_to(value, place.allocated_type), place)

    def place(self, node: ast.Subscript) -> tuple[Elements, ir.Value]:
        array = self.names.get(node.value.id) if isinstance(node.value, ast.Name) else None
        if not isinstance(array, Elements):
            raise self.refuse(node, "no array")
        index = self.made_to(self.value(node.slice), I64)
        return array, self.b.gep(array.start, [index], inbounds=True, source_etype=array.stored)

    def narrowed(self, value: ir.Value, array: Elements) -> ir.Value:
        if array.dtype.kind == "f":
            return self.made_to(value, array.stored)
        value = self.made_to(value, I64)
        return self.b.trunc(value, array.stored) if array.dtype.itemsize < 8 else value

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


__all__ = ["Elements", "Kind", "module_of", "stored"]
