"""Calls of LAPACK and of the BLAS for one matrix after another of a stack.

LAPACK takes matrices by columns: what lies row by row is the transpose to it.  A factorisation of a Hermitian matrix is asked for of the
upper triangle then, which is the lower one row by row; for the others the lowering rules hand over transposes.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from .. import llvm_ir as ir
from ..lowering.factors import Factorisation
from ..lowering.index_expr import Buffer, Place
from ..scalars import scalars
from ..scalars.counting import count_loop
from .blas_calls import factor

I8, I32, I64, POINTER = ir.IntType(8), ir.IntType(32), ir.IntType(64), ir.PointerType()
_LETTERS = {"f": "s", "d": "d", "F": "c", "D": "z"}
_COLUMNS, _ROWS = 102, 101
_LEFT, _UPPER, _LOWER, _PLAIN, _TURNED, _ADJOINT, _ANY_DIAGONAL = 141, 121, 122, 111, 112, 113, 131


def emit_factorisation(b: ir.IRBuilder, step: Factorisation, task: ir.Value, address: Callable[[Place], ir.Value]) -> int:
    """Write one task; gives the number of tasks."""
    length, tasks = step.tasks()
    low = b.mul(task, _int(length))
    high, whole = b.add(low, _int(length)), _int(step.stack)
    high = b.select(b.icmp_signed("<", high, whole), high, whole)
    pointers = {name: address(buffer.place) for name, buffer in step.buffers.items()}
    count_loop(b, low, high, _int(1), lambda i: _Matrix(b, step, pointers, i).write())
    return tasks


class _Matrix:
    """Writes what is done for matrix number `i`."""

    def __init__(self, b: ir.IRBuilder, step: Factorisation, pointers: dict[str, ir.Value], i: ir.Value) -> None:
        self.b, self.step, self.pointers, self.i = b, step, pointers, i
        self.n = _int(step.size)

    def write(self) -> None:
        getattr(self, f"_{self.step.routine}")()

    # ---- routines

    def _cholesky(self) -> None:
        self._copy("a", "out")
        self._report(self._lapack("potrf", _letter("U"), self.n, self._at("out"), self.n))

    def _triangular(self) -> None:
        self._copy("right", "out")
        step, dtype = self.step, self.step.dtype
        number = scalars.memory_type(dtype, 1) if dtype not in scalars.PARTS else POINTER
        columns = _int(step.columns)
        kinds = [I32] * 5 + [I64, I64, number, POINTER, I64, POINTER, I64]
        trsm = scalars.declare_function(self.b.module, f"cblas_{_LETTERS[dtype.char]}trsm", ir.VoidType(), kinds)
        turned = _ADJOINT if dtype in scalars.PARTS else _TURNED
        flags = [_ROWS, _LEFT, _LOWER if step.lower else _UPPER, turned if step.adjoint else _PLAIN, _ANY_DIAGONAL]
        one = factor(self.b, 1.0, dtype)
        self.b.call(trsm, [*(_flag(f) for f in flags), self.n, columns, one, self._at("a"), self.n, self._at("out"), columns])

    def _lu(self) -> None:
        self._copy("a", "out")
        self._report(self._lapack("getrf", self.n, self.n, self._at("out"), self.n, self._at("pivots")))

    def _solve(self) -> None:
        self._copy("a", "factors")
        self._copy("right", "out")
        columns = _int(self.step.columns)
        where = [self._at("factors"), self.n, self._at("pivots"), self._at("out"), self.n]
        self._report(self._lapack("gesv", self.n, columns, *where))

    def _inverse(self) -> None:
        b = self.b
        self._copy("a", "out")
        found = self._lapack("getrf", self.n, self.n, self._at("out"), self.n, self._at("pivots"))
        self._report(found)
        with b.if_then(b.icmp_signed("==", found, _int(0))):
            self._report(self._lapack("getri", self.n, self._at("out"), self.n, self._at("pivots")))

    def _eigen(self) -> None:
        self._copy("a", "out")
        name = "heevd" if self.step.dtype in scalars.PARTS else "syevd"
        job = _letter("V" if self.step.vectors else "N")
        self._report(self._lapack(name, job, _letter("L"), self.n, self._at("out"), self.n, self._at("values")))

    # ---- helpers

    def _at(self, name: str) -> ir.Value:
        """Where the part of a buffer is that belongs to this matrix."""
        size = _bytes(self.step.buffers[name], self.step.stack)
        return self.b.gep(self.pointers[name], [self.b.mul(self.i, _int(size))], source_etype=I8)

    def _copy(self, source: str, target: str) -> None:
        size = _int(_bytes(self.step.buffers[source], self.step.stack))
        copy = scalars.declare_function(self.b.module, "memcpy", POINTER, [POINTER, POINTER, I64])
        self.b.call(copy, [self._at(target), self._at(source), size])

    def _lapack(self, name: str, *args: ir.Value) -> ir.Value:
        kinds = [I32, *(a.type for a in args)]
        routine = scalars.declare_function(self.b.module, f"LAPACKE_{_LETTERS[self.step.dtype.char]}{name}", I64, kinds)
        return self.b.call(routine, [_flag(_COLUMNS), *args])

    def _report(self, found: ir.Value) -> None:
        self.b.store(found, self._at("info"))


def _bytes(buffer: Buffer, stack: int) -> int:
    return math.prod(buffer.dims) // stack * buffer.dtype.itemsize


def _flag(value: int) -> ir.Constant:
    return ir.Constant(I32, value)


def _letter(text: str) -> ir.Constant:
    return ir.Constant(I32, ord(text))


def _int(value: int) -> ir.Constant:
    return ir.Constant(I64, value)
