"""The loops of scans: a vector of neighbours goes along the axis at a time, one after another where the axis is the last."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from .. import llvm_ir as ir
from ..lowering.index_expr import BOOL, Place, identity
from ..lowering.scans import Scan
from ..scalars import scalars
from ..scalars.counting import carry_loop, count_loop

I64 = ir.IntType(64)
_KIND = {"add": "sum", "mul": "prod", "max": "max", "min": "min", "logaddexp": "max", "recurrence": "sum"}


def emit_scan(b: ir.IRBuilder, scan: Scan, task: ir.Value, vector_bytes: int, address: Callable[[Place], ir.Value]) -> int:
    """Write one task of a scan; gives the number of tasks."""
    size = scalars.real_part(scan.x.dtype).itemsize
    lanes = max(vector_bytes // size, 1) if scan.x.dtype != BOOL and scan.x.dtype not in scalars.PARTS else 1
    while lanes > scan.inner:
        lanes //= 2
    length, tasks = scan.tasks(lanes)
    runs = -(-scan.inner // lanes)
    low = b.mul(task, _int(length))
    high, whole = b.add(low, _int(length)), _int(scan.outer * runs)
    high = b.select(b.icmp_signed("<", high, whole), high, whole)
    writer = _Run(b, scan, address)

    def run(i: ir.Value) -> None:
        row, part = b.sdiv(i, _int(runs)), b.srem(i, _int(runs))
        start = b.mul(part, _int(lanes))
        # The last run of a row begins early, so that it is a whole one: what both compute is the same.
        start = b.select(b.icmp_signed("<", start, _int(scan.inner - lanes)), start, _int(scan.inner - lanes))
        writer.write(b.add(b.mul(row, _int(scan.length * scan.inner)), start), lanes)

    count_loop(b, low, high, _int(1), run)
    return tasks


class _Run:
    """Writes the loop along the axis for a vector of neighbours."""

    def __init__(self, b: ir.IRBuilder, scan: Scan, address: Callable[[Place], ir.Value]) -> None:
        self.b, self.scan, self.dtype = b, scan, scan.x.dtype
        self.x, self.out = address(scan.x.place), address(scan.out.place)
        self.factors = None if scan.factors is None else address(scan.factors.place)

    def write(self, start: ir.Value, lanes: int) -> None:
        """From `start`, the first element of the run in order of memory, on."""
        scan, one = self.scan, _int(1)
        self.start, self.lanes = start, lanes
        nothing = scalars.constant(identity(_KIND[scan.function], self.dtype), self.dtype, lanes)
        if scan.function == "recurrence":
            self._store(nothing, _int(0))
            carry_loop(self.b, one, _int(scan.length), one, [self._load(self.x, _int(0))], self._before)
            return
        if scan.exclusive:
            carry_loop(self.b, _int(0), _int(scan.length), one, [nothing], self._before)
            return
        first = self._load(self.x, _int(0))
        self._store(first, _int(0))
        carry_loop(self.b, one, _int(scan.length), one, [first], self._after)

    def _before(self, k: ir.Value, now: Sequence[ir.Value]) -> list[ir.Value]:
        """Leave what has come together, then take one more."""
        self._store(now[0], k)
        return [self._combine_next(now[0], k)]

    def _after(self, k: ir.Value, now: Sequence[ir.Value]) -> list[ir.Value]:
        found = self._combine_next(now[0], k)
        self._store(found, k)
        return [found]

    def _combine_next(self, now: ir.Value, k: ir.Value) -> ir.Value:
        step = partial(scalars.emit, self.b, given=self.dtype, result=self.dtype)
        x = self._load(self.x, k)
        if self.factors is not None:
            return step("add", [x, step("mul", [self._load(self.factors, k), now])])
        return _log_of_sum(self, now, x) if self.scan.function == "logaddexp" else step(self.scan.function, [now, x])

    def _place(self, k: ir.Value) -> ir.Value:
        k = self.b.sub(_int(self.scan.length - 1), k) if self.scan.reverse else k
        return self.b.add(self.start, self.b.mul(k, _int(self.scan.inner)))

    def _load(self, pointer: ir.Value, k: ir.Value) -> ir.Value:
        where = self.b.gep(pointer, [self._place(k)], source_etype=scalars.memory_type(self.dtype, 1))
        return self.b.load(where, typ=scalars.memory_type(self.dtype, self.lanes), align=scalars.real_part(self.dtype).itemsize)

    def _store(self, value: ir.Value, k: ir.Value) -> None:
        where = self.b.gep(self.out, [self._place(k)], source_etype=scalars.memory_type(self.dtype, 1))
        self.b.store(value, where, align=scalars.real_part(self.dtype).itemsize)


def _log_of_sum(run: _Run, x: ir.Value, y: ir.Value) -> ir.Value:
    """log(exp(x) + exp(y)) as NumPy's logaddexp: the greater one, and what the smaller one adds to it."""
    b, dtype = run.b, run.dtype
    step = partial(scalars.emit, b, given=dtype, result=dtype)
    apart = step("sub", [x, y])
    rest = step("log1p", [step("exp", [step("neg", [step("abs", [apart])])])])
    greater = step("max", [x, y])
    same = b.fcmp_ordered("==", x, y)
    log_2 = scalars.constant(0.6931471805599453, dtype, run.lanes)
    return b.select(same, step("add", [x, log_2]), step("add", [greater, rest]))


def _int(value: int) -> ir.Constant:
    return ir.Constant(I64, value)
