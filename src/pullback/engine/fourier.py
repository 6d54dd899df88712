"""Fourier transforms of eight lines in single precision at once, each in a lane of its own: Stockham's passes of radix 4, 2, 3 and 5.

A line is a row (then blocks of eight rows and four columns are turned on the way in and out) or runs across rows (then lanes lie side by
side already).  Rows of real numbers are taken for complex ones in pairs, and taken apart after.  Passes go from one half of the scratch
memory to the other, [length] vectors of eight complex numbers each.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any

import numpy as np

from ..kernels import blas, parallel
from . import llvm_ir as ir
from .runtime.machine import host
from .runtime.objects import load_cached

LANES = 8
_TURNED = 4
_LONGEST = 1 << 13  # of a line: beyond, scratch memory leaves the processor's cache
_F32, _I64, _POINTER = ir.FloatType(), ir.IntType(64), ir.PointerType()
_VECTOR = ir.VectorType(_F32, 2 * LANES)
_WORDS, _SHORT = ir.VectorType(_I64, LANES), ir.VectorType(_I64, _TURNED)
_I32 = ir.IntType(32)


def radices(n: int) -> list[int] | None:
    """What a length is a product of; None where there is another prime, or no multiple of four."""
    found = []
    for r in (4, 2, 3, 5):
        while n and n % r == 0:
            found.append(r)
            n //= r
    return found if n == 1 and found[:1] == [4] else None


@cache
def twiddles(n: int, sign: int) -> np.ndarray:
    """For each pass but the last, and each group of butterflies, the factors of all outputs but the first."""
    found: list[np.ndarray] = []
    left = n
    for r in radices(n) or ():
        groups = left // r
        found.append(np.exp(sign * 2j * math.pi * np.outer(np.arange(groups), np.arange(1, r)) / left).reshape(-1))
        left = groups
    return np.concatenate(found).astype(np.complex64)


class _Writer:
    """Writes the passes of one length.  sign: of the exponent."""

    def __init__(self, b: ir.IRBuilder, n: int, sign: int) -> None:
        self.b, self.n, self.sign = b, n, sign

    @contextmanager
    def loop(self, count: Any) -> Iterator[ir.Value]:
        b = self.b
        before, body, after = b.block, b.append_basic_block(), b.append_basic_block()
        end = count if isinstance(count, ir.Value) else _I64(count)
        b.branch(body)
        b.position_at_end(body)
        i = b.phi(_I64)
        i.add_incoming(_I64(0), before)
        yield i
        following = b.add(i, _I64(1))
        i.add_incoming(following, b.block)
        b.cbranch(b.icmp_signed("<", following, end), body, after)
        b.position_at_end(after)

    def place(self, base: ir.Value, index: ir.Value, size: int) -> ir.Value:
        return self.b.gep(base, [self.b.mul(index, _I64(size))], source_etype=ir.IntType(8))

    def splat(self, value: float) -> ir.Value:
        return ir.Constant(_VECTOR, [value] * (2 * LANES))

    def times(self, x: ir.Value, factor: float) -> ir.Value:
        return self.b.fmul(x, self.splat(factor))

    def fma(self, x: ir.Value, y: ir.Value, z: ir.Value) -> ir.Value:
        name = f"llvm.fma.v{2 * LANES}f32"
        known = self.b.module.globals.get(name) or ir.Function(self.b.module, ir.FunctionType(_VECTOR, [_VECTOR] * 3), name)
        return self.b.call(known, [x, y, z])

    def rotate(self, x: ir.Value, sign: int) -> ir.Value:
        """x times i, or -i."""
        order = ir.Constant(ir.VectorType(_I32, 2 * LANES), [i ^ 1 for i in range(2 * LANES)])
        swapped = self.b.shuffle_vector(x, ir.Constant(_VECTOR, ir.Undefined), order)
        return self.b.fmul(swapped, ir.Constant(_VECTOR, [-float(sign), float(sign)] * LANES))

    def butterfly(self, a: Sequence[ir.Value]) -> list[ir.Value]:
        b, s = self.b, self.sign
        if len(a) == 2:
            return [b.fadd(a[0], a[1]), b.fsub(a[0], a[1])]
        if len(a) == 3:
            t = b.fadd(a[1], a[2])
            middle = self.fma(t, self.splat(-0.5), a[0])
            side = self.rotate(self.times(b.fsub(a[1], a[2]), math.sin(math.pi / 3)), s)
            return [b.fadd(a[0], t), b.fadd(middle, side), b.fsub(middle, side)]
        if len(a) == 4:
            t0, t1, t2 = b.fadd(a[0], a[2]), b.fsub(a[0], a[2]), b.fadd(a[1], a[3])
            t3 = self.rotate(b.fsub(a[1], a[3]), s)
            return [b.fadd(t0, t2), b.fadd(t1, t3), b.fsub(t0, t2), b.fsub(t1, t3)]
        c1, c2, s1, s2 = (f(k * math.pi / 5) for f in (math.cos, math.sin) for k in (2, 4))
        t1, t2, t3, t4 = b.fadd(a[1], a[4]), b.fadd(a[2], a[3]), b.fsub(a[1], a[4]), b.fsub(a[2], a[3])
        m1 = self.fma(t2, self.splat(c2), self.fma(t1, self.splat(c1), a[0]))
        m2 = self.fma(t2, self.splat(c1), self.fma(t1, self.splat(c2), a[0]))
        u1 = self.rotate(self.fma(t4, self.splat(s2), self.times(t3, s1)), s)
        u2 = self.rotate(self.fma(t4, self.splat(-s1), self.times(t3, s2)), s)
        return [b.fadd(b.fadd(a[0], t1), t2), b.fadd(m1, u1), b.fadd(m2, u2), b.fsub(m2, u2), b.fsub(m1, u1)]

    def passes(self, first: ir.Value, second: ir.Value, factors: ir.Value) -> ir.Value:
        """All passes; where the result lies."""
        m, left, at = 1, self.n, 0
        for r in radices(self.n) or ():
            groups = left // r
            self._pass(first, second, factors, r, groups, m, at)
            first, second, m, left, at = second, first, m * r, groups, at + groups * (r - 1)
        return first

    def _pass(self, source: ir.Value, target: ir.Value, factors: ir.Value, r: int, groups: int, m: int, at: int) -> None:
        b, size = self.b, 8 * LANES
        with self.loop(groups) as j:
            weights = []
            for p in range(r - 1) if groups > 1 else ():
                place = self.place(factors, b.add(b.mul(j, _I64(r - 1)), _I64(at + p)), 8)
                parts = [b.load(b.gep(place, [_I64(k)], source_etype=_F32), typ=_F32) for k in (0, 1)]
                weights.append([self._all(part) for part in parts])
            with self.loop(m) as k:
                start = b.add(k, b.mul(j, _I64(m)))
                a = [b.load(self.place(source, b.add(start, _I64(m * groups * q)), size), typ=_VECTOR, align=size) for q in range(r)]
                start = b.add(k, b.mul(j, _I64(m * r)))
                for p, y in enumerate(self.butterfly(a)):
                    if p and weights:
                        real, imaginary = weights[p - 1]
                        y = self.fma(self.rotate(y, 1), imaginary, b.fmul(y, real))
                    b.store(y, self.place(target, b.add(start, _I64(m * p)), size), align=size)

    def _all(self, x: ir.Value) -> ir.Value:
        b = self.b
        one = b.insert_element(ir.Constant(_VECTOR, ir.Undefined), x, _I32(0))
        return b.shuffle_vector(one, ir.Constant(_VECTOR, ir.Undefined), ir.Constant(ir.VectorType(_I32, 2 * LANES), [0] * (2 * LANES)))

    def of_real(self, z: ir.Value, target: ir.Value, roots: ir.Value) -> None:
        """From the transform of pairs of real numbers as complex ones that of the numbers; roots: the powers of the first root of unity."""
        b, size, n = self.b, 8 * LANES, _I64(self.n)
        upright = ir.Constant(_VECTOR, [1.0, -1.0] * LANES)
        with self.loop(self.n + 1) as k:
            behind = b.sub(n, k)
            mine = b.select(b.icmp_signed("==", k, n), _I64(0), k)
            mirror = b.select(b.icmp_signed("==", k, _I64(0)), _I64(0), behind)
            x = b.load(self.place(z, mine, size), typ=_VECTOR, align=size)
            y = b.fmul(b.load(self.place(z, mirror, size), typ=_VECTOR, align=size), upright)
            even, odd = self.times(b.fadd(x, y), 0.5), self.rotate(self.times(b.fsub(x, y), 0.5), -1)
            place = self.place(roots, k, 8)
            real, imaginary = (self._all(b.load(b.gep(place, [_I64(i)], source_etype=_F32), typ=_F32)) for i in (0, 1))
            found = self.fma(self.rotate(odd, 1), imaginary, self.fma(odd, real, even))
            b.store(found, self.place(target, k, size), align=size)

    # ---- in and out

    def _shuffle(self, x: ir.Value, y: ir.Value, order: list[int]) -> ir.Value:
        return self.b.shuffle_vector(x, y, ir.Constant(ir.VectorType(_I32, len(order)), order))

    def take_rows(self, rows: ir.Value, scratch: ir.Value) -> None:
        b = self.b
        with self.loop(self.n // _TURNED) as block:
            column = b.mul(block, _I64(_TURNED))
            read = [b.load(self.place(rows, b.add(column, _I64(i * self.n)), 8), typ=_SHORT, align=8) for i in range(LANES)]
            for k in range(_TURNED):
                whole = [self._shuffle(read[i], read[i + 1], [k, _TURNED + k]) for i in range(0, LANES, 2)]
                fours = [self._shuffle(whole[i], whole[i + 1], [0, 1, 2, 3]) for i in (0, 2)]
                vector = self._shuffle(fours[0], fours[1], list(range(LANES)))
                b.store(b.bitcast(vector, _VECTOR), self.place(scratch, b.add(column, _I64(k)), 8 * LANES), align=8 * LANES)

    def give_rows(self, scratch: ir.Value, rows: ir.Value, scale: float, length: int) -> None:
        b = self.b
        with self.loop(length // _TURNED) as block:
            column = b.mul(block, _I64(_TURNED))
            read = [self._load_scaled(scratch, b.add(column, _I64(k)), scale) for k in range(_TURNED)]
            for i in range(LANES):
                pairs = [self._shuffle(read[k], read[k + 1], [i, LANES + i]) for k in (0, 2)]
                b.store(self._shuffle(pairs[0], pairs[1], [0, 1, 2, 3]), self.place(rows, b.add(column, _I64(i * length)), 8), align=8)
        for k in range(length - length % _TURNED, length):
            words = self._load_scaled(scratch, _I64(k), scale)
            for i in range(LANES):
                b.store(b.extract_element(words, _I32(i)), self.place(rows, _I64(k + i * length), 8), align=8)

    def _load_scaled(self, scratch: ir.Value, index: ir.Value, scale: float) -> ir.Value:
        x = self.b.load(self.place(scratch, index, 8 * LANES), typ=_VECTOR, align=8 * LANES)
        return self.b.bitcast(x if scale == 1 else self.times(x, scale), _WORDS)

    def take_columns(self, columns: ir.Value, stride: ir.Value, scratch: ir.Value) -> None:
        b = self.b
        with self.loop(self.n) as i:
            x = b.load(self.place(columns, b.mul(i, stride), 8), typ=_VECTOR, align=8)
            b.store(x, self.place(scratch, i, 8 * LANES), align=8 * LANES)

    def give_columns(self, scratch: ir.Value, columns: ir.Value, stride: ir.Value, scale: float) -> None:
        b = self.b
        with self.loop(self.n) as i:
            b.store(self._load_scaled(scratch, i, scale), self.place(columns, b.mul(i, stride), 8), align=8)


@cache
def _lines(n: int, inverse: bool, in_rows: bool) -> Callable[..., None]:
    """A function that transforms lines by eights.

    It takes the addresses of the first line and of where its transform goes, how many numbers apart a line's elements are (not read of
    rows), how many bytes apart the eights are, how many there are, scratch memory and factors.  Raises NativeError where there is no code.
    """
    module = ir.Module("fourier")
    module.triple = host().triple
    kinds = [_POINTER, _POINTER, _I64, _I64, _I64, _POINTER, _POINTER]
    function = ir.Function(module, ir.FunctionType(ir.VoidType(), kinds), "lines")
    first, goes, stride, step, count, scratch, factors = function.args
    b = ir.IRBuilder(function.append_basic_block())
    writer = _Writer(b, n, 1 if inverse else -1)
    other = b.gep(scratch, [_I64(8 * LANES * n)], source_etype=ir.IntType(8))
    scale = 1.0 / n if inverse else 1.0
    with writer.loop(count) as i:
        offset = b.mul(i, step)
        source, target = (b.gep(at, [offset], source_etype=ir.IntType(8)) for at in (first, goes))
        if in_rows:
            writer.take_rows(source, scratch)
            writer.give_rows(writer.passes(scratch, other, factors), target, scale, n)
        else:
            writer.take_columns(source, stride, scratch)
            writer.give_columns(writer.passes(scratch, other, factors), target, stride, scale)
    b.ret_void()
    place, whole = ctypes.c_void_p, ctypes.c_int64
    return load_cached(str(module)).function("lines", None, place, place, whole, whole, whole, place, place)


@cache
def _real_lines(n: int) -> Callable[..., None]:
    """The same of rows of 2 n real numbers: addresses of rows and results, how many eights, scratch memory, factors and roots."""
    module = ir.Module("fourier_of_real")
    module.triple = host().triple
    function = ir.Function(module, ir.FunctionType(ir.VoidType(), [_POINTER, _POINTER, _I64, _POINTER, _POINTER, _POINTER]), "lines")
    first, goes, count, scratch, factors, roots = function.args
    b = ir.IRBuilder(function.append_basic_block())
    writer = _Writer(b, n, -1)
    other = b.gep(scratch, [_I64(8 * LANES * (n + 1))], source_etype=ir.IntType(8))
    with writer.loop(count) as i:
        writer.take_rows(writer.place(first, i, 8 * n * LANES), scratch)
        found = writer.passes(scratch, other, factors)
        free = other if found is scratch else scratch
        writer.of_real(found, free, roots)
        writer.give_rows(free, writer.place(goes, i, 8 * (n + 1) * LANES), 1.0, n + 1)
    b.ret_void()
    place = ctypes.c_void_p
    return load_cached(str(module)).function("lines", None, place, place, ctypes.c_int64, place, place, place)


@cache
def _roots(n: int) -> np.ndarray:
    return np.asarray(np.exp(-1j * math.pi * np.arange(n + 1) / n), np.complex64)


def transform_real(x: np.ndarray) -> np.ndarray:
    """The transform of each row of a contiguous matrix of float32, half of it and one; an even length whose half fits, eight rows at least.

    Raises NativeError where there is no code.
    """
    rows, n = x.shape[0], x.shape[1] // 2
    code, factors, roots, out = _real_lines(n), twiddles(n, -1), _roots(n), np.empty((rows, n + 1), np.complex64)
    source, target, table, powers = (blas.address(a) for a in (x, out, factors, roots))
    each = -(-rows // LANES // 16)

    def run(row: int, count: int) -> None:
        scratch = np.empty(2 * 8 * LANES * (n + 1) + 64, np.uint8)
        place = blas.address(scratch)
        code(source + 8 * n * row, target + 8 * (n + 1) * row, count, place - place % -64, table, powers)

    starts = range(0, rows // LANES, each)
    parallel.run(lambda i: run(starts[i] * LANES, min(each, rows // LANES - starts[i])), len(starts))
    if rows % LANES:
        run(rows - LANES, 1)
    return out


def fits(shape: tuple[int, int, int]) -> bool:
    """Whether `transform` takes an array of a shape."""
    outer, n, inner = shape
    return radices(n) is not None and n <= _LONGEST and (outer if inner == 1 else inner) >= LANES and outer > 0


def fits_real(shape: tuple[int, int]) -> bool:
    """Whether `transform_real` takes a matrix of a shape."""
    rows, n = shape
    return n % 2 == 0 and fits((rows, n // 2, 1))


def transform(x: np.ndarray, inverse: bool) -> np.ndarray:
    """The transform along the second of three axes, of a contiguous array of complex64 that fits; the inverse is divided by the length.

    Raises NativeError where there is no code.
    """
    outer, n, inner = x.shape
    code, factors, out = _lines(n, inverse, inner == 1), twiddles(n, 1 if inverse else -1), np.empty_like(x)
    source, target, table = (blas.address(a) for a in (x, out, factors))
    lines, step = (outer, 8 * n * LANES) if inner == 1 else (inner, 8 * LANES)
    each = -(-lines // LANES // 16) if inner == 1 else lines // LANES

    def run(start: int, count: int) -> None:
        scratch = np.empty(2 * 8 * LANES * n + 64, np.uint8)
        place = blas.address(scratch)
        code(source + start, target + start, inner, step, count, place - place % -64, table)

    parts = [
        (block * 8 * n * inner + first * step, min(each, lines // LANES - first))
        for block in range(1 if inner == 1 else outer)
        for first in range(0, lines // LANES, each)
    ]
    parallel.run(lambda i: run(*parts[i]), len(parts))
    if lines % LANES:  # the last eight once more
        for block in range(1 if inner == 1 else outer):
            run(block * 8 * n * inner + (lines - LANES) * (step // LANES), 1)
    return out
