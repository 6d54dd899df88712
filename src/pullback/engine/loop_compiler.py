"""Loops written in Python (`kernels.loops`) as LLVM code.

Numbers are integers of 64 bits, booleans, floats of 32 or 64, and words without a sign, of 64 bits or 128.  A variable has the type of
what it is first given, or the wider one of what it is given later; an integer beside a float becomes one, a float literal has the precision
of what is beside it, an integer that is written down becomes a word beside one.  Elements of arrays are numbers of their dtype, narrow
integers 64 bits wide while they are computed with.  There are `for` over `range` (and `unroll`), `while`, `if`, `break`, `continue`,
`return`, assignments, conditional expressions, comparisons, `in` a tuple, `and`, `or`, `not`, arithmetic, `min` and `max` of two (as Python
has them for NaN: the first stays unless the other is less or more), `abs`, `int`, `bool` and the words of `kernels.loops`, numbers, bytes
and arrays that the module names, and calls of other such functions, by their position.  A function gives an integer, or what its annotation
says.  `//` and `%` are for numbers that are not negative: they cut towards zero.

What is on either side of a conditional expression, or right of `and` and `or`, is computed without a branch where it reads no array.
LLVM finds the vectors itself; sums of floats stay in order, so that results are the same as Python's.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import textwrap
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ..kernels import loops
from ..kernels.loops import Kind
from . import llvm_ir as ir
from .loop_calls import Calls
from .loop_types import F32, F64, I1, I64, Elements, result_of, stored_type, type_of
from .runtime.loaded import NativeError

_WIDER = ((I1, I64), (F32, F64))


def module_of(function: loops.Loop, kinds: Sequence[Kind], constants: dict[str, int], name: str = "loop") -> str:
    """The text of a module with `function` for arguments of these kinds, as `name(...)`, in which truth values are integers.

    Raises NativeError for a function that is not in this part of Python, with the line that is not.
    """
    module = ir.Module(name)
    _Module(module).entry(function, tuple(kinds), constants, name)
    return str(module)


class _Module:
    def __init__(self, module: ir.Module) -> None:
        self.module = module
        self.made: dict[Any, ir.Function] = {}
        self.constants: dict[int, tuple[Any, ir.GlobalVariable, np.dtype[Any]]] = {}

    def entry(self, function: Any, kinds: tuple[Kind, ...], constants: dict[str, int], name: str) -> None:
        """What is called from outside."""
        inner = self.write_function(function, kinds, constants)
        types = [I64 if type_of(kind) == I1 else type_of(kind) for kind in kinds]
        result = inner.function_type.return_type
        if isinstance(result, ir.LiteralStructType):
            raise NativeError(f"{function.__name__} returns several numbers, which only loops take.")
        is_number = not isinstance(result, ir.VoidType) and result != I1
        outer = ir.Function(self.module, ir.FunctionType(result if is_number else I64, types), name)
        b = ir.IRBuilder(outer.append_basic_block())
        found = b.call(inner, [b.trunc(x, I1) if type_of(kind) == I1 else x for x, kind in zip(outer.args, kinds, strict=True)])
        b.ret(found if is_number else b.zext(found, I64) if result == I1 else I64(0))
        _mark_noalias(outer, kinds)

    def write_function(self, function: Any, kinds: tuple[Kind, ...], constants: dict[str, int]) -> ir.Function:
        key = function, kinds, tuple(constants.items())
        if key not in self.made:
            result = result_of(loops.signature(function).results)
            named = f"{function.__name__}.{len(self.made)}"
            made = ir.Function(self.module, ir.FunctionType(result, [type_of(kind) for kind in kinds]), named)
            self.made[key] = made
            made.linkage = "internal"
            made.attributes.add("alwaysinline")
            _mark_noalias(made, kinds)
            _Function(self, function, made, kinds, constants).write()
        return self.made[key]

    def constant(self, given: Any) -> tuple[ir.GlobalVariable, np.dtype[Any]]:
        """Bytes or an array that Python's module names, as a constant of this one."""
        if id(given) not in self.constants:
            array = np.frombuffer(given, np.uint8) if isinstance(given, bytes) else given
            item = stored_type(array.dtype)
            kind = ir.ArrayType(item, array.size)
            made = ir.GlobalVariable(self.module, kind, f"constant.{len(self.constants)}")
            made.linkage, made.global_constant = "internal", True
            made.initializer = ir.Constant(kind, [item(x) for x in array.reshape(-1).tolist()])
            self.constants[id(given)] = given, made, array.dtype
        return self.constants[id(given)][1:]


def _mark_noalias(function: ir.Function, kinds: Sequence[Kind]) -> None:
    """Says that no array is given twice."""
    for argument, kind in zip(function.args, kinds, strict=True):
        if isinstance(kind, np.dtype):
            argument.add_attribute("noalias")


class _WiderError(Exception):
    """A variable that was thought to be narrower than what it is given."""


class _Function(Calls):
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
            self.end()
        ir.IRBuilder(self.first).branch(body)

    def end(self) -> None:
        """Returns nothing, or what nobody asks for."""
        wanted = self.made.function_type.return_type
        if isinstance(wanted, ir.VoidType):
            self.b.ret_void()
        else:
            self.b.ret(ir.Constant(wanted, ir.Undefined if isinstance(wanted, ir.LiteralStructType) else 0))

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
        wanted = self.made.function_type.return_type
        if node.value is None or isinstance(wanted, ir.VoidType):
            self.end()
        elif isinstance(wanted, ir.LiteralStructType):
            whole: ir.Value = ir.Constant(wanted, ir.Undefined)
            for i, (kind, value) in enumerate(zip(wanted.elements, self.values_of(node.value), strict=True)):
                whole = self.b.insert_value(whole, self.convert_to(value, kind), i)
            self.b.ret(whole)
        else:
            self.b.ret(self.convert_to(self.value(node.value), wanted))

    def values_of(self, node: ast.expr) -> list[ir.Value]:
        """The numbers of a tuple, which may be what another loop returns."""
        if isinstance(node, ast.Tuple):
            return [self.value(part) for part in node.elts]
        whole = self.value(node)
        if not isinstance(whole.type, ir.LiteralStructType):
            raise self.refuse(node, "no tuple of values")
        return [self.b.extract_value(whole, i) for i in range(len(whole.type.elements))]

    def write_Assign(self, node: ast.Assign) -> None:
        (target,) = node.targets
        if isinstance(target, ast.Tuple):
            for part, value in zip(target.elts, self.values_of(node.value), strict=True):
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
        kind, given = self.find_global(node.iter.func), [self.value(arg) for arg in node.iter.args]
        if kind is loops.unroll:
            self.unroll_loop(node, given[0])
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

    def unroll_loop(self, node: ast.For, count: ir.Value) -> None:
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

    # ---- variables

    def put(self, target: ast.expr, value: ir.Value) -> None:
        if isinstance(target, ast.Name):
            self.assign(target.id, value)
            return
        if not isinstance(target, ast.Subscript):
            raise self.refuse(target, "nothing to assign to")
        array, place = self.place(target)
        self.b.store(self.narrow_value(value, array), place, align=array.dtype.itemsize)

    def assign(self, name: str, value: ir.Value) -> None:
        if isinstance(value.type, (ir.VoidType, ir.LiteralStructType)) or isinstance(self.names.get(name), Elements):
            raise NativeError(f"{self.function.__name__}: {name} is a number, and is given something else or is an array")
        if name not in self.names:
            with self.b.goto_block(self.first):
                self.names[name] = self.b.alloca(self.wide.get(name, value.type))
        place = self.names[name]
        if (place.allocated_type, value.type) in _WIDER:
            self.wide[name] = value.type
            raise _WiderError
        self.b.store(self.convert_to(value, place.allocated_type), place)

    def narrow_value(self, value: ir.Value, array: Elements) -> ir.Value:
        if array.dtype.kind == "f" or array.dtype.itemsize == 8:
            return self.convert_to(value, array.stored)
        if array.dtype.kind == "b":
            return self.b.zext(self.convert_to(value, I1), array.stored)
        return self.b.trunc(self.convert_to(value, I64), array.stored)
