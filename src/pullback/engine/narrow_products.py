"""Products of matrices of bfloat16 with the processor's own instruction, which multiplies and adds pairs of them into float32.

Pairs lie along what is summed over: those of the first factor's rows as they are, those of the second's columns put side by side first, in
panels of two vectors.  A tile of rows by a panel stays in registers.  Sums are in float32, rounded once at the end; the instruction takes
denormal numbers for zeros, which is less than its rounding wherever a result is not itself one.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from functools import cache, partial

import numpy as np

from ..kernels import blas, parallel
from . import llvm_ir as ir
from .runtime.machine import host
from .runtime.objects import load_named
from .scalars.counting import carry_loop, count_loop

Array = np.ndarray

#: Numbers in a vector, columns of a panel, and the heights of tiles: what is left of the rows goes in lower ones.
LANES, _PANEL, _TILES = 16, 32, (12, 4, 1)
#: Rows that are a task of their own.
_TASK = 192
_I1, _I16, _I32, _I64, _F32, _POINTER = ir.IntType(1), ir.IntType(16), ir.IntType(32), ir.IntType(64), ir.FloatType(), ir.PointerType()
_FLOATS, _WORDS, _HALVES, _MASK = (ir.VectorType(kind, LANES) for kind in (_F32, _I32, _I16, _I1))


def fits() -> bool:
    """Whether the processor has the instruction."""
    machine = host()
    return machine.vector_bits == 512 and "+avx512bf16" in machine.features.split(",")


class _Writer:
    """Writes a function of addresses and whole numbers."""

    def __init__(self, module: ir.Module, name: str, addresses: int, numbers: int) -> None:
        self.module = module
        function = ir.Function(module, ir.FunctionType(ir.VoidType(), [_POINTER] * addresses + [_I64] * numbers), name)
        self.given: Sequence[ir.Value] = function.args
        self.b = ir.IRBuilder(function.append_basic_block())

    def declare_function(self, name: str, kind: ir.Type, *kinds: ir.Type) -> ir.Function:
        known = self.module.globals.get(name)
        return known if isinstance(known, ir.Function) else ir.Function(self.module, ir.FunctionType(kind, kinds), name)

    def place(self, base: ir.Value, index: ir.Value, kind: ir.Type) -> ir.Value:
        return self.b.gep(base, [index], source_etype=kind)

    def splat(self, value: ir.Value, kind: ir.VectorType) -> ir.Value:
        first = self.b.insert_element(ir.Constant(kind, ir.Undefined), value, _I32(0))
        return self.b.shuffle_vector(first, ir.Constant(kind, ir.Undefined), ir.Constant(_WORDS, [0] * LANES))

    def masks(self, left: ir.Value) -> list[ir.Value]:
        """Which lanes of a panel's vectors are among so many columns."""
        count = self.splat(self.b.trunc(left, _I32), _WORDS)
        return [self.b.icmp_signed("<", ir.Constant(_WORDS, list(range(at, at + LANES))), count) for at in range(0, _PANEL, LANES)]

    def words(self, at: ir.Value, mask: ir.Value) -> ir.Value:
        """Sixteen numbers as the lower halves of words; zeros where the mask has none."""
        load = self.declare_function("llvm.masked.load.v16i16.p0", _HALVES, _POINTER, _MASK, _HALVES)
        return self.b.zext(self.b.call(load, [at, mask, ir.Constant(_HALVES, None)]), _WORDS)

    def loop(self, low: ir.Value, high: ir.Value, step: int, body: Callable[[ir.Value], None]) -> None:
        count_loop(self.b, low, high, _I64(step), body)


def _write_packing(module: ir.Module) -> None:
    """`pack(b, out, k, n)`: panel after panel, for each pair of rows of b [k, n] its columns as words; zeros beyond."""
    w = _Writer(module, "pack", 2, 2)
    b, (given, out, k, n) = w.b, w.given
    pairs = b.lshr(b.add(k, _I64(1)), _I64(1))

    def panel(column: ir.Value) -> None:
        masks = w.masks(b.sub(n, column))
        to = w.place(out, b.mul(column, pairs), _I32)

        def pair(i: ir.Value) -> None:
            upper = b.shl(i, _I64(1))
            lower = b.add(upper, _I64(1))
            has_lower = w.splat(b.icmp_signed("<", lower, k), _MASK)
            for v, mask in enumerate(masks):
                at = b.add(column, _I64(v * LANES))
                first = w.words(w.place(given, b.add(b.mul(upper, n), at), _I16), mask)
                second = w.words(w.place(given, b.add(b.mul(lower, n), at), _I16), b.and_(mask, has_lower))
                word = b.or_(first, b.shl(second, ir.Constant(_WORDS, [16] * LANES)))
                b.store(word, w.place(to, b.add(b.mul(i, _I64(_PANEL)), _I64(v * LANES)), _I32), align=64)

        w.loop(_I64(0), pairs, 1, pair)

    w.loop(_I64(0), n, _PANEL, panel)
    b.ret_void()


def _write_products(module: ir.Module) -> None:
    """`multiply(a, packed, out, rows, k, n)` for rows of a [rows, k] and out [rows, n]; k is even."""
    w = _Writer(module, "multiply", 3, 3)
    b, (a, packed, out, rows, k, n) = w.b, w.given
    pairs = b.lshr(k, _I64(1))
    dot = w.declare_function("llvm.x86.avx512bf16.dpbf16ps.512", _FLOATS, _FLOATS, _WORDS, _WORDS)
    store = w.declare_function("llvm.masked.store.v16i16.p0", ir.VoidType(), _HALVES, _POINTER, _MASK)

    def panel(column: ir.Value) -> None:
        masks = w.masks(b.sub(n, column))
        own = w.place(packed, b.mul(column, pairs), _I32)

        def tile(top: ir.Value, height: int) -> None:
            lines = [w.place(a, b.mul(b.add(top, _I64(r)), k), _I16) for r in range(height)]

            def pair(i: ir.Value, sums: Sequence[ir.Value]) -> list[ir.Value]:
                at = b.mul(i, _I64(_PANEL))
                columns = [b.load(w.place(own, b.add(at, _I64(v * LANES)), _I32), typ=_WORDS, align=64) for v in range(len(masks))]
                found = []
                for r, line in enumerate(lines):
                    number = w.splat(b.load(w.place(line, i, _I32), typ=_I32, align=2), _WORDS)
                    found += [b.call(dot, [sums[len(masks) * r + v], number, vector]) for v, vector in enumerate(columns)]
                return found

            none = [ir.Constant(_FLOATS, None)] * (height * len(masks))
            for r, total in enumerate(carry_loop(b, _I64(0), pairs, _I64(1), none, pair)):
                row, v = divmod(r, len(masks))
                to = w.place(out, b.add(b.mul(b.add(top, _I64(row)), n), b.add(column, _I64(v * LANES))), _I16)
                b.call(store, [_round_to_bfloat16(b, total), to, masks[v]])

        top: ir.Value = _I64(0)
        for height in _TILES:
            end = b.sub(rows, b.urem(b.sub(rows, top), _I64(height)))
            w.loop(top, end, height, partial(tile, height=height))
            top = end

    w.loop(_I64(0), n, _PANEL, panel)
    b.ret_void()


def _round_to_bfloat16(b: ir.IRBuilder, total: ir.Value) -> ir.Value:
    """Numbers of float32 as bfloat16: to the nearest, ties to even, a NaN stays one."""
    bits = b.bitcast(total, _WORDS)
    odd = b.and_(b.lshr(bits, ir.Constant(_WORDS, [16] * LANES)), ir.Constant(_WORDS, [1] * LANES))
    nearest = b.add(b.add(bits, ir.Constant(_WORDS, [0x7FFF] * LANES)), odd)
    nearest = b.select(b.fcmp_unordered("uno", total, total), b.or_(bits, ir.Constant(_WORDS, [0x400000] * LANES)), nearest)
    return b.trunc(b.lshr(nearest, ir.Constant(_WORDS, [16] * LANES)), _HALVES)


def _text() -> str:
    module = ir.Module("narrow_products")
    module.triple = host().triple
    _write_packing(module)
    _write_products(module)
    return str(module)


@cache
def _code() -> tuple[Callable[..., None], Callable[..., None]]:
    loaded = load_named("products of bfloat16", _text)
    address, number = ctypes.c_void_p, ctypes.c_int64
    return loaded.function("pack", None, *[address] * 2, *[number] * 2), loaded.function("multiply", None, *[address] * 3, *[number] * 3)


def product(a: Array, b: Array) -> Array:
    """The product of two matrices of bfloat16.

    Raises NativeError where there is no code generator.
    """
    pack, multiply = _code()
    (m, k), n = a.shape, b.shape[1]
    given = a.view(np.uint16)
    if k % 2:
        given = np.pad(given, ((0, 0), (0, 1)))
    given, other, out = np.ascontiguousarray(given), np.ascontiguousarray(b), np.empty((m, n), a.dtype)
    even = k + k % 2
    room = np.empty(-(-n // _PANEL) * _PANEL * even * 2 + 64, np.uint8)
    packed = room[-room.ctypes.data % 64 :]
    pack(blas.address(other), blas.address(packed), k, n)
    at_a, at_packed, at_out = blas.address(given), blas.address(packed), blas.address(out)

    def multiply_rows(i: int) -> None:
        first = i * _TASK
        multiply(at_a + 2 * even * first, at_packed, at_out + 2 * n * first, min(_TASK, m - first), even, n)

    parallel.run(multiply_rows, -(-m // _TASK))
    return out
