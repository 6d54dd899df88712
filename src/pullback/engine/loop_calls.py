"""Calls in loops written in Python as LLVM code: of other loops, and of the words of `kernels.loops`."""

from __future__ import annotations

import ast
import builtins
import inspect
import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..kernels import loops
from . import llvm_ir as ir
from .loop_types import F32, F64, FLOATS, I1, I32, I64, POINTER, WIDE, WORD, Elements, Unsigned, kind_of, type_of
from .loop_values import Values

_LIBRARY = {loops.exp: "exp", loops.log1p: "log1p"}
_INTRINSICS = {loops.sqrt: "sqrt", loops.floor: "floor", loops.ceil: "ceil", loops.rint: "rint", builtins.abs: "fabs"}
_ZEROS = {loops.low_zeros: "llvm.cttz.i64", loops.high_zeros: "llvm.ctlz.i64"}
_LOADED = {loops.load8: 8, loops.load32: 32, loops.load64: 64}
_STORED = {loops.store8: 8, loops.store32: 32, loops.store64: 64}
_ENGINES = frozenset({loops.move, loops.print_number, loops.new_bytes, loops.release})
_BYTES = np.dtype(np.uint8)


class Calls(Values):
    """Writes calls."""

    def emit_call(self, node: ast.Call) -> ir.Value:
        """The code of a call."""
        function = self.find_global(node.func)
        if function in _LOADED or function in _STORED or function in _ENGINES:
            return self.of_bytes(function, node)
        if inspect.isfunction(function) and (function.__module__ != loops.__name__ or function is loops.copy):
            return self.of_loop(function, node)
        given = [self.value(arg) for arg in node.args]
        if function in (builtins.min, builtins.max) and len(given) == 2:
            first, second = self.promote_pair(*given)
            return self.b.select(self.emit_comparison(ast.Lt() if function is builtins.min else ast.Gt(), second, first), second, first)
        if len(given) != 1 or node.keywords:
            raise self.refuse(node, "no such function")
        return self.of_number(function, given[0], node)

    def of_number(self, function: object, x: ir.Value, node: ast.Call) -> ir.Value:
        """A word of one number."""
        if function in (loops.f32, loops.f64):
            wanted = F32 if function is loops.f32 else F64
            return self.b.uitofp(x, wanted) if isinstance(x.type, Unsigned) else self.convert_to(x, wanted)
        if function is builtins.int:
            return self.integer(x, I64)
        if function in (loops.word, loops.to_uint128):
            return self.integer(x, WORD if function is loops.word else WIDE)
        if function is builtins.bool:
            return self.convert_to(x, I1)
        if function is loops.f16:
            return self.b.fpext(self.b.fptrunc(self.convert_to(x, F32), ir.HalfType()), F32)
        if function is loops.bits:
            return self.b.bitcast(x, WORD) if x.type == F64 else self.b.sext(self.b.bitcast(self.convert_to(x, F32), I32), I64)
        if function is loops.from_bits:
            return self.b.bitcast(self.convert_to(x, WORD), F64)
        if function in _ZEROS:
            return self.b.call(self.declare_function(_ZEROS[function], I64, [WORD, I1]), [self.convert_to(x, WORD), I1(0)])
        if function is builtins.abs and x.type == I64:
            return self.b.select(self.b.icmp_signed("<", x, I64(0)), self.b.neg(x), x)
        if function in _LIBRARY and x.type in FLOATS:
            return self.b.call(self.declare_function(_LIBRARY[function] + ("" if x.type == F64 else "f"), x.type, [x.type]), [x])
        if function in _INTRINSICS and x.type in FLOATS:
            name = f"llvm.{_INTRINSICS[function]}.{'f64' if x.type == F64 else 'f32'}"
            return self.b.call(self.declare_function(name, x.type, [x.type]), [x])
        raise self.refuse(node, "no such function")

    def integer(self, x: ir.Value, wanted: ir.Type) -> ir.Value:
        """A number as an integer or a word: floats without what is behind the point, the others by their bits."""
        if x.type == wanted:
            return x
        if isinstance(x, ir.Constant) and x.type in (I1, I64):
            return wanted(int(x.constant))
        if x.type in FLOATS:
            return (self.b.fptoui if isinstance(wanted, Unsigned) else self.b.fptosi)(x, wanted)
        assert isinstance(x.type, ir.IntType)
        assert isinstance(wanted, ir.IntType)
        if x.type.width == wanted.width:
            return self.b.bitcast(x, wanted)
        if x.type.width > wanted.width:
            return self.b.trunc(x, wanted)
        return (self.b.sext if x.type == I64 else self.b.zext)(x, wanted)

    # ---- bytes

    def of_bytes(self, function: Callable[..., Any], node: ast.Call) -> ir.Value:
        """A word of arrays of bytes and places in them."""
        given: list[Any] = [self.array(arg) or self.value(arg) for arg in node.args]
        if len(given) != function.__code__.co_argcount or any(isinstance(x, Elements) and x.dtype != _BYTES for x in given):
            raise self.refuse(node, "bytes are wanted")
        places = {name: given[i] for i, name in enumerate(function.__code__.co_varnames[: len(given)])}
        if any((name in ("array", "to", "source", "form")) != isinstance(x, Elements) for name, x in places.items()):
            raise self.refuse(node, "bytes are wanted, and numbers")
        if function in _LOADED or function in _STORED:
            return self.move_word(function, *given)
        if function is loops.move:
            to, at, source, place, count = given
            ends = [self.at(to, at), self.at(source, place)]
            copying = self.declare_function("llvm.memcpy.p0.p0.i64", ir.VoidType(), [POINTER, POINTER, I64, I1])
            return self.b.call(copying, [*ends, self.convert_to(count, I64), I1(0)])
        if function is loops.new_bytes:
            making = self.declare_function("PyBytes_FromStringAndSize", POINTER, [POINTER, I64])
            return self.b.ptrtoint(self.b.call(making, [self.at(given[0], given[1]), self.convert_to(given[2], I64)]), I64)
        if function is loops.release:
            place = self.b.inttoptr(self.convert_to(given[0], I64), POINTER)
            return self.b.call(self.declare_function("Py_DecRef", ir.VoidType(), [POINTER]), [place])
        to, at, room, form = given[:4]
        number: ir.Value = given[4]
        if number.type == F32:
            number = self.convert_to(number, F64)
        printing = self.declare_function("snprintf", I32, [POINTER, I64, POINTER], var_arg=True)
        return self.b.sext(self.b.call(printing, [self.at(to, at), self.convert_to(room, I64), form.start, number]), I64)

    def at(self, array: Elements, index: ir.Value) -> ir.Value:
        """A place in bytes, which may be all of memory."""
        return self.b.gep(array.start, [self.convert_to(index, I64)], source_etype=ir.IntType(8))

    def move_word(self, function: Callable[..., Any], array: Elements, index: ir.Value, given: ir.Value | None = None) -> ir.Value:
        """A word read at any place, or written there: its lowest byte comes first."""
        if sys.byteorder != "little":
            raise self.refuse(ast.Pass(), "words are read where they begin with their lowest byte")
        place, width = self.at(array, index), _LOADED[function] if given is None else _STORED[function]
        item = ir.IntType(width) if width < 64 else WORD
        if given is None:
            found = self.b.load(place, align=1, typ=item)
            return self.b.zext(found, WORD) if width < 64 else found
        given = self.convert_to(given, WORD)
        self.b.store(self.b.trunc(given, item) if width < 64 else given, place, align=1)
        return ir.Value(ir.VoidType(), "")

    # ---- functions

    def declare_function(self, name: str, result: ir.Type, taken: Sequence[ir.Type], var_arg: bool = False) -> ir.Function:
        """A function of a library, declared in the module."""
        known = self.module.module.function(name)
        return known or ir.Function(self.module.module, ir.FunctionType(result, taken, var_arg), name)

    def of_loop(self, function: Callable[..., Any], node: ast.Call) -> ir.Value:
        """The code of a call of another loop, which is compiled with this one."""
        said = [*loops.signature(function).parameters.values()]
        if len(node.args) != len(said):
            raise self.refuse(node, f"{len(said)} arguments are wanted")
        kinds: list[loops.Kind] = []
        given = []
        for arg, kind in zip(node.args, said, strict=True):
            known = self.array(arg)
            if known is not None:
                if kind is not None and kind != known.dtype:
                    raise self.refuse(arg, f"no {kind}")
                kinds.append(known.dtype)
                given.append(known.start)
            else:
                value = self.value(arg)
                if isinstance(kind, np.dtype):
                    raise self.refuse(arg, "no array")
                kinds.append(kind_of(value) if kind is None else kind)
                given.append(self.convert_to(value, type_of(kinds[-1])))
        constants = {}
        for keyword in node.keywords:
            value = self.value(keyword.value)
            if not isinstance(value, ir.Constant) or keyword.arg is None:
                raise self.refuse(node, f"{keyword.arg} is no constant")
            constants[keyword.arg] = value.constant
        return self.b.call(self.module.write_function(function, tuple(kinds), constants), given)
