"""Gaussian elimination in native code where LAPACK's calls cost more than its arithmetic, or its loops are slow: small matrices of a stack
one after the other, tridiagonal systems, and banded triangular ones.

Rows are vectors: of a small matrix and its right sides as a whole, of other right sides piece by piece, the last piece as long as what is
left.  So code is made for a number of columns, and no vector is masked.  Real numbers only.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from functools import cache

import numpy as np

from ..kernels import blas, parallel
from . import llvm_ir as ir
from .runtime.machine import host
from .runtime.objects import load_cached
from .scalars.counting import carry_loop, count_loop

Array = np.ndarray

LARGEST = 16  # rows and right sides of a small matrix
_TOGETHER = 1 << 12  # elements of matrices of a block
_I8, _I32, _I64, _POINTER = ir.IntType(8), ir.IntType(32), ir.IntType(64), ir.PointerType()
_NUMBERS = {"f": ir.FloatType(), "d": ir.DoubleType()}


class _Writer:
    """Writes a function of addresses and whole numbers over elements of one dtype."""

    def __init__(self, name: str, letter: str, addresses: int, numbers: int) -> None:
        self.module, self.number, self.size = ir.Module(name), _NUMBERS[letter], np.dtype(letter).itemsize
        self.module.triple = host().triple
        kind = ir.FunctionType(ir.VoidType(), [_POINTER] * addresses + [_I64] * numbers)
        self.function = ir.Function(self.module, kind, name)
        self.b = ir.IRBuilder(self.function.append_basic_block())
        self.kinds = [ctypes.c_void_p] * addresses + [ctypes.c_int64] * numbers

    def code(self) -> Callable[..., None]:
        """The function, compiled."""
        self.b.ret_void()
        return load_cached(str(self.module)).function(self.function.name, None, *self.kinds)

    def loop(self, low: ir.Value, high: ir.Value, body: Callable[[ir.Value], None]) -> None:
        count_loop(self.b, low, high, _I64(1), body)

    def place(self, base: ir.Value, index: ir.Value, kind: ir.Type | None = None) -> ir.Value:
        return self.b.gep(base, [index], source_etype=kind or self.number)

    def get(self, base: ir.Value, index: ir.Value, kind: ir.Type | None = None) -> ir.Value:
        """A number or vector that begins at element `index`."""
        return self.b.load(self.place(base, index), typ=kind or self.number, align=self.size)

    def put(self, value: ir.Value, base: ir.Value, index: ir.Value) -> None:
        self.b.store(value, self.place(base, index), align=self.size)

    def vector(self, length: int) -> ir.Type:
        return ir.VectorType(self.number, length)

    def all(self, x: ir.Value, length: int) -> ir.Value:
        """A vector of one number."""
        kind = ir.VectorType(x.type, length)
        one = self.b.insert_element(ir.Constant(kind, ir.Undefined), x, _I32(0))
        return self.b.shuffle_vector(one, ir.Constant(kind, ir.Undefined), ir.Constant(ir.VectorType(_I32, length), [0] * length))

    def intrinsic(self, name: str, *x: ir.Value) -> ir.Value:
        kind = x[0].type
        suffix = {4: "f32", 8: "f64"}[self.size]
        whole = f"llvm.{name}.{f'v{kind.count}' if isinstance(kind, ir.VectorType) else ''}{suffix}"
        known = self.module.globals.get(whole) or ir.Function(self.module, ir.FunctionType(kind, [kind] * len(x)), whole)
        return self.b.call(known, list(x))

    def less(self, x: ir.Value, y: ir.Value, z: ir.Value) -> ir.Value:
        """x - y z."""
        return self.intrinsic("fmuladd", self.b.fneg(y), z, x)

    def pieces(self, columns: ir.Value, rest: int, body: Callable[[ir.Value, int], None]) -> None:
        """`body` for the first column and the length of each piece of a row of `columns`, whose last piece has `rest`."""
        lanes = lanes_of(self.size)
        last = self.b.sub(columns, _I64(rest))
        count_loop(self.b, _I64(0), last, _I64(lanes), lambda at: body(at, lanes))
        if rest:
            body(last, rest)


def lanes_of(size: int) -> int:
    """How many elements of so many bytes a vector has."""
    return host().lanes(size)


# ---- small matrices


@cache
def _small_code(letter: str, n: int, columns: int) -> Callable[..., None]:
    """Of addresses of matrices, their right sides (of `columns`), orders of rows, reports, and a count: factors and solutions in place."""
    w = _Writer("small", letter, 4, 1)
    matrices, sides, orders, reports, count = w.function.args
    b = w.b

    def solve_one(i: ir.Value) -> None:
        a = w.place(matrices, b.mul(i, _I64(n * n)))
        x = w.place(sides, b.mul(i, _I64(n * columns)))
        order = w.place(orders, b.mul(i, _I64(n)), _I64)
        report = w.place(reports, i, _I64)
        b.store(_I64(0), report)
        w.loop(_I64(0), _I64(n), lambda k: b.store(k, w.place(order, k, _I64)))
        w.loop(_I64(0), _I64(n), lambda k: _eliminate_step(w, a, x, order, report, k, n, columns))
        if columns:
            w.loop(_I64(1 - n), _I64(1), lambda k: _substitute_row(w, a, x, b.neg(k), n, columns))

    w.loop(_I64(0), count, solve_one)
    return w.code()


def _swap_elements(w: _Writer, base: ir.Value, i: ir.Value, j: ir.Value, kind: ir.Type, align: int) -> None:
    places = [w.b.gep(base, [at], source_etype=_I8) for at in (i, j)]
    x, y = (w.b.load(place, typ=kind, align=align) for place in places)
    w.b.store(y, places[0], align=align)
    w.b.store(x, places[1], align=align)


def _eliminate_step(w: _Writer, a: ir.Value, x: ir.Value, order: ir.Value, report: ir.Value, k: ir.Value, n: int, columns: int) -> None:
    """Step k: the row with the largest element, the first of equal ones, changes places with row k, and is taken from those below."""
    b, row, side, after = w.b, w.vector(n), w.vector(columns) if columns else None, w.b.add(k, _I64(1))

    def get_element(i: ir.Value, j: ir.Value) -> ir.Value:
        return w.get(a, b.add(b.mul(i, _I64(n)), j))

    def choose_larger(i: ir.Value, now: Sequence[ir.Value]) -> list[ir.Value]:
        size = w.intrinsic("fabs", get_element(i, k))
        is_larger = b.fcmp_ordered(">", size, now[0])
        return [b.select(is_larger, size, now[0]), b.select(is_larger, i, now[1])]

    _, found = carry_loop(b, after, _I64(n), _I64(1), [w.intrinsic("fabs", get_element(k, k)), k], choose_larger)
    for base, width, kind, align in ((a, w.size * n, row, w.size), (x, w.size * columns, side, w.size), (order, 8, _I64, 8)):
        if kind is not None:
            _swap_elements(w, base, b.mul(k, _I64(width)), b.mul(found, _I64(width)), kind, align)
    pivot, pivots = get_element(k, k), w.get(a, b.mul(k, _I64(n)), row)
    with b.if_then(b.fcmp_ordered("==", pivot, w.number(0.0))):
        b.store(after, report)
    lane = ir.Constant(ir.VectorType(_I64, n), list(range(n)))
    behind = b.icmp_signed(">", lane, w.all(k, n))
    here = b.icmp_signed("==", lane, w.all(k, n))
    top = None if side is None else w.get(x, b.mul(k, _I64(columns)), side)

    def eliminate_row(i: ir.Value) -> None:
        factor = b.fdiv(get_element(i, k), pivot)
        start = b.mul(i, _I64(n))
        own = w.get(a, start, row)
        new = b.select(behind, w.less(own, w.all(factor, n), pivots), own)
        w.put(b.select(here, w.all(factor, n), new), a, start)
        if top is not None:
            start = b.mul(i, _I64(columns))
            w.put(w.less(w.get(x, start, side), w.all(factor, columns), top), x, start)

    w.loop(after, _I64(n), eliminate_row)


def _substitute_row(w: _Writer, a: ir.Value, x: ir.Value, k: ir.Value, n: int, columns: int) -> None:
    """Row k of the solutions, of U, is divided by the pivot and taken from the rows above."""
    b, side = w.b, w.vector(columns)

    def get_factor(i: ir.Value) -> ir.Value:
        return w.all(w.get(a, b.add(b.mul(i, _I64(n)), k)), columns)

    start = b.mul(k, _I64(columns))
    found = b.fdiv(w.get(x, start, side), get_factor(k))
    w.put(found, x, start)

    def update_row(i: ir.Value) -> None:
        place = b.mul(i, _I64(columns))
        w.put(w.less(w.get(x, place, side), get_factor(i), found), x, place)

    w.loop(_I64(0), k, update_row)


def fits(n: int, columns: int = 0) -> bool:
    """Whether matrices of n rows, with so many right sides, are small ones."""
    return 0 < n <= LARGEST and columns <= LARGEST


def factor_and_solve(a: Array, sides: Array | None) -> tuple[Array, Array, Array, Array | None]:
    """L and U of each matrix in one, the order of its rows, reports, positive where it is singular, and the solutions.

    a: [count, n, n] of float32 or float64, which fit.  sides: [count, n, columns].  Raises NativeError without code.
    """
    count, n, _ = a.shape
    factors, orders, reports = np.array(a, order="C"), np.empty((count, n), np.int64), np.empty(count, np.int64)
    solutions = None if sides is None else np.array(sides, order="C")
    columns = 0 if sides is None else sides.shape[2]
    code, size = _small_code(a.dtype.char, n, columns), a.dtype.itemsize
    at, order, report = (blas.address(x) for x in (factors, orders, reports))
    side = at if solutions is None else blas.address(solutions)
    each = max(_TOGETHER // (n * n), 1)

    def block(i: int) -> None:
        first = i * each
        rows = first * n * size
        code(at + rows * n, side + rows * columns, order + first * n * 8, report + first * 8, min(each, count - first))

    parallel.run(block, -(-count // each))
    return factors, orders, reports, solutions


# ---- tridiagonal systems


@cache
def _tridiagonal(letter: str, rest: int) -> Callable[..., None]:
    """Of addresses of three rows and the solutions (in place), of a row of scratch memory and a report, rows and columns."""
    w = _Writer("tridiagonal", letter, 4, 2)
    rows, x, second, report, n, columns = w.function.args
    b, zero = w.b, w.number(0.0)
    above, middle, below = rows, w.place(rows, n), w.place(rows, b.mul(n, _I64(2)))
    last, one = b.sub(n, _I64(1)), _I64(1)
    w.loop(_I64(0), n, lambda i: w.put(zero, second, i))

    def eliminate_row(i: ir.Value) -> None:
        after = b.add(i, one)
        under, here, upper, next_ = w.get(below, after), w.get(middle, i), w.get(above, i), w.get(middle, after)
        swap = b.fcmp_ordered("<", w.intrinsic("fabs", here), w.intrinsic("fabs", under))
        pivot = b.select(swap, under, here)
        factor = b.fdiv(b.select(swap, here, under), pivot)
        upper, lower = b.select(swap, next_, upper), b.select(swap, upper, next_)
        w.put(pivot, middle, i)
        w.put(w.less(lower, factor, upper), middle, after)
        w.put(upper, above, i)
        far = w.get(above, after)
        w.put(b.select(swap, far, zero), second, i)
        w.put(b.select(swap, w.less(zero, factor, far), far), above, after)
        first, other = b.mul(i, columns), b.mul(after, columns)
        from_, to = b.select(swap, other, first), b.select(swap, first, other)

        def piece(at: ir.Value, length: int) -> None:
            kind = w.vector(length)
            top, bottom = w.get(x, b.add(from_, at), kind), w.get(x, b.add(to, at), kind)
            w.put(top, x, b.add(first, at))
            w.put(w.less(bottom, w.all(factor, length), top), x, b.add(other, at))

        w.pieces(columns, rest, piece)

    w.put(zero, above, last)  # stands outside the matrix
    w.loop(_I64(0), last, eliminate_row)
    b.store(_I64(0), report)

    def substitute_row(turned: ir.Value) -> None:
        i = b.sub(last, turned)
        pivot, upper, far, start = w.get(middle, i), w.get(above, i), w.get(second, i), b.mul(i, columns)
        with b.if_then(b.fcmp_ordered("==", pivot, zero)):
            b.store(one, report)
        count = b.select(b.icmp_signed("<", turned, _I64(2)), turned, _I64(2))

        def piece(at: ir.Value, length: int) -> None:
            kind, place = w.vector(length), b.add(start, at)
            factors = [w.all(upper, length), w.all(far, length)]
            own = w.get(x, place, kind)

            def subtract_known(j: ir.Value, now: Sequence[ir.Value]) -> list[ir.Value]:
                row = w.get(x, b.add(place, b.mul(b.add(j, one), columns)), kind)
                factor = b.select(b.icmp_signed("==", j, _I64(0)), factors[0], factors[1])
                return [w.less(now[0], factor, row)]

            (found,) = carry_loop(b, _I64(0), count, one, [own], subtract_known)
            w.put(b.fdiv(found, w.all(pivot, length)), x, place)

        w.pieces(columns, rest, piece)

    w.loop(_I64(0), n, substitute_row)
    return w.code()


def tridiagonal(rows: Array, sides: Array) -> tuple[Array, bool]:
    """The solution of a tridiagonal system by elimination with pivots, and whether the matrix is not singular.

    rows: [3, n], of one dtype (float32 or float64) with sides [n, columns].  Raises NativeError where there is no code.
    """
    (n, columns), size = sides.shape, sides.dtype.itemsize
    own, x = np.array(rows, order="C"), np.array(sides, order="C")
    second, report = np.empty(n, sides.dtype), np.empty(1, np.int64)
    code = _tridiagonal(sides.dtype.char, columns % lanes_of(size))
    code(*(blas.address(a) for a in (own, x, second, report)), n, columns)
    return x, not report[0]


# ---- banded triangular systems


@cache
def _banded_code(letter: str, rest: int) -> Callable[..., None]:
    """Of addresses of bands and solutions (in place); rows, columns, bands, and how far apart rows are in the order they are solved."""
    w = _Writer("banded", letter, 2, 4)
    bands, x, n, columns, count, stride = w.function.args
    b, one = w.b, _I64(1)

    def row(i: ir.Value) -> None:
        start = b.mul(i, stride)
        few = b.select(b.icmp_signed("<", i, b.sub(count, one)), b.add(i, one), count)
        pivot = w.get(bands, i)

        def piece(at: ir.Value, length: int) -> None:
            kind, place = w.vector(length), b.add(start, at)

            def subtract_known(d: ir.Value, now: Sequence[ir.Value]) -> list[ir.Value]:
                factor = w.all(w.get(bands, b.add(b.mul(d, n), i)), length)
                return [w.less(now[0], factor, w.get(x, b.sub(place, b.mul(d, stride)), kind))]

            (found,) = carry_loop(b, one, few, one, [w.get(x, place, kind)], subtract_known)
            w.put(b.fdiv(found, w.all(pivot, length)), x, place)

        w.pieces(columns, rest, piece)

    w.loop(_I64(0), n, row)
    return w.code()


def solve_bands(bands: Array, sides: Array, upwards: bool) -> Array:
    """The solution of a banded triangular system, row by row; `upwards`: the last row first.

    bands: [count, n], the diagonal first, column i for the row that is solved as number i.  sides: [n, columns], of the same dtype, float32
    or float64.  Raises NativeError where there is no code.
    """
    (n, columns), size = sides.shape, sides.dtype.itemsize
    bands, x = np.ascontiguousarray(bands), np.array(sides, order="C")
    code = _banded_code(x.dtype.char, columns % lanes_of(size))
    first = blas.address(x) + ((n - 1) * columns * size if upwards else 0)
    code(blas.address(bands), first, n, columns, len(bands), -columns if upwards else columns)
    return x
