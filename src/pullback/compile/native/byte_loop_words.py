"""What loops over bytes (`byte_loops`) are made of: kinds of numbers and arrays in LLVM's words, and the text that all loops share."""

from __future__ import annotations

import ast
import inspect
import struct
import textwrap
from typing import Any, NamedTuple

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
CONSTANT_ARRAYS = {"uint8": "Bytes", "int32": "Ints32", "int64": "Ints", "uint64": "Words", "float64": "Floats"}
#: Bytes from one place to another: mostly few, for which a call takes longer than two moves that may overlap.
COPY = """
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
DECLARED = """
declare i64 @llvm.cttz.i64(i64, i1)
declare i64 @llvm.ctlz.i64(i64, i1)
declare double @llvm.fabs.f64(double)
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


def tree_of(loop: Loop) -> ast.FunctionDef:
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


def type_of(kind: str) -> str:
    return "ptr" if kind in ARRAYS else SCALARS[kind]


def result_type(results: tuple[str, ...]) -> str:
    types = [SCALARS[kind] for kind in results]
    return "void" if not types else types[0] if len(types) == 1 else "{ " + ", ".join(types) + " }"


def literal(value: Any, kind: str) -> str:
    if kind == "float":
        return f"0x{struct.unpack('<Q', struct.pack('<d', float(value)))[0]:016X}"
    if kind == "bool":
        return "true" if value else "false"
    width = 128 if kind == "wide" else 64
    value = int(value) & ((1 << width) - 1)
    return str(value - (1 << width) if value >> (width - 1) else value)


__all__ = [
    "ARRAYS",
    "CONSTANT_ARRAYS",
    "COPY",
    "DECLARED",
    "SCALARS",
    "Signature",
    "Unsupported",
    "Value",
    "literal",
    "result_type",
    "signature_of",
    "tree_of",
    "type_of",
]
