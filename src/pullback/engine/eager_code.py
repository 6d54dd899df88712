"""Native code for eager kernels on large arrays, where the engine is there.

Element-wise kernels become loops for blocks of any array: see `native.blockwise`.  Kernels that go over windows become programs of one
operation for arrays of one shape, once they have been called often enough with it.  Only if they give the same bits: or what an
operation's record leaves room for (`base.tolerance`).  Calls go on with NumPy while code is made, unless `set_jit(True)` has asked for it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import ml_dtypes
import numpy as np

from ..base.dtypes import FROM_NUMPY
from ..base.tolerance import EXACT, Sums, Units
from ..ir.apply import EAGER_MEMORY
from ..ir.context import enter_graph, stop_recorders
from ..ir.function_graph import FunctionGraph
from ..ir.op import OPS, Op
from ..ir.plan import Plan, Run
from ..ir.tensor import TensorType
from ..kernels import blocked
from .background import COMPILER
from .jit_policy import Settings, native_program
from .llvm_loading import native

#: Calls with large arrays before a kernel is compiled.
_CALLS = 8
#: What sums and products may differ by, in units of the precision of float32 and float64, and of narrow ones.
_ROUNDING, _ROUNDING_NARROW = 256, 4
#: How many programs are kept in all and for one operation, and up to how many elements an array of whole numbers is one of sizes.
_PROGRAMS, _EACH, _FEW = 512, 64, 8
#: How many bytes of memory they keep for themselves, beyond which no more are made.
_MEMORY = 1 << 28


class _Native:
    """What has native code by now, and how often what has none yet was called."""

    def __init__(self) -> None:
        self._ops: dict[Any, Op] = {}
        self._count = 0
        self._found: dict[Any, Any] = {}
        self._calls: dict[Any, int] = {}

    def _is_due(self, key: Any, after: int = _CALLS) -> bool:
        if len(self._calls) >= 4 * _PROGRAMS:
            self._calls.clear()
        self._calls[key] = self._calls.get(key, 0) + 1
        return self._calls[key] > after

    def _is_ready(self, key: Any, arrays: Sequence[Any], make: Callable[[Sequence[Any]], Any]) -> bool:
        """Whether there is an answer for a key, be it None; if not, it is made by and by, or now where that was asked for.

        make: gives it for arrays like those; what is made by and by is tried with `_examples` of them.
        """
        if key not in self._found:
            if Settings.compiles_at_once():
                self._found[key] = make(arrays)
            elif not COMPILER.has((self, key)):
                given = self._examples(arrays)
                COMPILER.submit((self, key), lambda: self._found.setdefault(key, make(given)))
        return key in self._found

    def _examples(self, arrays: Sequence[Any]) -> list[Any]:
        """The first block of each array, which may be changed before code is tried with it, and numbers."""
        return [x[: blocked.BLOCK].copy() if x.ndim else x.copy() for x in arrays]

    def _op(self, kernel: Callable[..., Any] | Op) -> Op | None:
        if isinstance(kernel, Op):
            return kernel
        if self._count != len(OPS):
            self._ops, self._count = {op.kernel: op for op in OPS.values() if op.lower is not None}, len(OPS)
        return self._ops.get(kernel)


class Loops(_Native):
    """The loops of this process, by kernel, dtypes, which arguments are single numbers, and attributes."""

    def __call__(
        self,
        kernel: Callable[..., Any],
        plain: Callable[..., Any],
        arrays: Sequence[Any],
        attributes: dict[str, Any],
        checked: bool = False,
    ) -> Any:
        """What a loop for `kernel` (in blocks; `plain`: one block of it) gives for flat arrays; None where there is none yet.

        checked: numbers that the kernel refuses have been looked for.
        """
        if Settings.jit is False:
            return None
        key = (kernel, *[(x.dtype, x.ndim) for x in arrays], *attributes.values())
        found = self._found.get(key)
        if found is None:
            if key in self._found:
                return None
            op = self._op(kernel)
            tolerance = _loop_tolerance(op)
            soon = Settings.compiles_at_once() or (max(x.size for x in arrays) >= blocked.SHARED and tolerance.at_once(arrays[0].dtype))
            if op is None or not (soon or self._is_due(key)):
                return None
            if not self._is_ready(key, arrays, lambda given: self._compile_loops(op, plain, given, attributes, checked)):
                return None
            found = self._found[key]
            if found is None:
                return None
        return found(arrays, max(x.size for x in arrays))

    def _compile_loops(self, op: Op, plain: Callable[..., Any], arrays: Sequence[Any], attributes: dict[str, Any], checked: bool) -> Any:
        if any(not x.dtype.isnative for x in arrays):
            return None
        blockwise = native("blockwise")
        if blockwise is None:
            return None
        tolerance = _loop_tolerance(op)
        block = tolerance.block or (blocked.COSTLY // 2 if tolerance.costly else blocked.BLOCK)
        wanted = blockwise.Wanted(tolerance.in_time(arrays[0].dtype), tolerance.amplitude, block)
        return blockwise.loop(op, plain, arrays, attributes, wanted, checked)


def _loop_tolerance(op: Op | None) -> Units:
    return op.tolerance if op is not None and isinstance(op.tolerance, Units) else EXACT


class Updates(_Native):
    """The rules that give arrays new values, by rule, dtypes, which arguments are single numbers, and attributes."""

    def __call__(self, rule: Callable[..., Any], arrays: Sequence[Any], attributes: dict[str, Any], targets: Sequence[Any]) -> bool:
        """Whether the step has been taken, from flat arrays to `targets`, the first arrays themselves or others like them."""
        if Settings.jit is False or not all(x.dtype.isnative and x.dtype in FROM_NUMPY for x in arrays):
            return False
        key = (rule, *[(x.dtype, x.ndim) for x in arrays], *attributes.values())
        if key not in self._found:
            if not (Settings.compiles_at_once() or self._is_due(key)):
                return False
            count = len(targets)
            if not self._is_ready(key, arrays, lambda given: _update(rule, count, given, attributes)):
                return False
        found = self._found[key]
        if found is not None:
            found(arrays, targets)
        return found is not None


def _update(rule: Callable[..., Any], count: int, arrays: Sequence[Any], attributes: dict[str, Any]) -> Any:
    blockwise = native("blockwise")
    return None if blockwise is None else blockwise.update(rule, count, arrays, attributes)


class KernelPrograms(_Native):
    """The programs of this process that stand for a kernel, by kernel, shapes, dtypes, sizes and attributes."""

    def __init__(self) -> None:
        super().__init__()
        self._made: Counter[str] = Counter()
        self._memory = 0

    def __call__(self, kernel: Callable[..., Any], plain: Callable[..., Any], arrays: Sequence[Any], attributes: dict[str, Any]) -> Any:
        """What a program for `kernel` (`plain`: itself on NumPy) gives; None where there is none yet."""
        if Settings.jit is False:
            return None
        fed: list[Any] = []
        parts = [kernel]
        for x in arrays:
            if x.size <= _FEW and _is_sizes(x):
                parts += (x.shape, x.dtype, x.tobytes())
            else:
                parts += (x.shape, x.dtype)
                fed.append(x)
        key = (*parts, *[tuple(v) if isinstance(v, (list, np.ndarray)) else v for v in attributes.values()])
        program = self._found.get(key)
        if program is None:
            if key in self._found or not self._is_made(key, kernel, plain, arrays, attributes):
                return None
            program = self._found[key]
            if program is None:
                return None
        answers = None if program.ready is None else program.ready(*fed)
        if answers is None:
            answers = program.run([x if x.flags.c_contiguous else x.copy() for x in fed], Run(EAGER_MEMORY, {}))
        return None if answers is None else answers[0] if len(answers) == 1 else tuple(answers)

    def _is_made(
        self, key: Any, kernel: Callable[..., Any], plain: Callable[..., Any], arrays: Sequence[Any], attributes: dict[str, Any]
    ) -> bool:
        """Whether it is known by now what program there is for a key, be it none."""
        if not all(x.dtype.isnative and x.dtype in FROM_NUMPY for x in arrays):
            return False
        op = self._op(kernel)
        if op is None or self._is_full(op):
            return False
        if not (Settings.compiles_at_once() or self._is_due(key, _calls_before(op, arrays))):
            return False
        arrays = [x if x.flags.c_contiguous else x.copy() for x in arrays]
        if not self._is_ready(key, arrays, lambda given: self._make_program(op, plain, given, attributes)):
            return False
        self._calls.pop(key, None)
        return True

    def _examples(self, arrays: Sequence[Any]) -> list[Any]:
        return list(arrays)  # whole: a program is made for shapes; whoever changes an array that others hold copies it

    def _make_program(self, op: Op, plain: Callable[..., Any], arrays: Sequence[Any], attributes: dict[str, Any]) -> Any:
        program = _program(op, plain, arrays, attributes)
        self._made[op.name] += 1
        self._memory += 0 if program is None else program.memory
        return program

    def _is_full(self, op: Op) -> bool:
        return len(self._found) >= _PROGRAMS or self._made[op.name] >= _EACH or self._memory >= _MEMORY


def _calls_before(op: Op, arrays: Sequence[Any]) -> int:
    """After how many calls with such arrays it is compiled."""
    sums = op.tolerance if isinstance(op.tolerance, Sums) else Sums()
    if sums.calls is None or (sums.large and max(x.size for x in arrays) < blocked.SHARED):
        return _CALLS
    return sums.calls


def _is_sizes(x: Any) -> bool:
    return bool(x.ndim <= 2 and x.size <= _FEW and x.dtype.kind == "i")


def _program(op: Op, plain: Callable[..., Any], arrays: Sequence[Any], attributes: dict[str, Any]) -> Any:
    """The native program of one operation, None where it has none, or one that gives other bits; errors are the kernel's."""
    expected = plain(*arrays, **attributes)
    graph = FunctionGraph("kernel", None)
    with stop_recorders(), enter_graph(graph):
        given = [graph.constant(x.copy(), "sizes") if _is_sizes(x) else graph.declare(x.shape, FROM_NUMPY[x.dtype]) for x in arrays]
        made = op(*given, **attributes)
    fed = [t for t, x in zip(given, arrays, strict=True) if not _is_sizes(x)]
    plan = Plan([*made] if isinstance(made, (tuple, list)) else [made], fed)
    kind = partial(native("program").Program, as_kernel=True) if native("program") is not None else None
    program, _ = native_program(plan, [TensorType(t.dims, t.dtype) for t in plan.fed], kind)
    if program is None or program.refusals:
        return None
    if isinstance(op.tolerance, Sums) and op.tolerance.calls is not None:
        return program
    answers = program.run([x for x in arrays if not _is_sizes(x)], Run(EAGER_MEMORY, {}))
    if answers is None:
        return None
    pairs = zip(answers, expected if isinstance(expected, (tuple, list)) else [expected], strict=True)
    same = _are_close if isinstance(op.tolerance, Sums) else _are_equal
    return program if all(same(np.asarray(found), np.asarray(wanted)) for found, wanted in pairs) else None


def _are_equal(a: Any, b: Any) -> bool:
    return bool(a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes())


def _are_close(a: Any, b: Any) -> bool:
    """Whether two arrays differ by rounding only, any NaN as good as another."""
    if a.dtype != b.dtype or a.shape != b.shape or a.dtype.kind not in "fV":
        return bool(a.tobytes() == b.tobytes())
    dtype, narrow = a.dtype, a.dtype.itemsize == 2
    wide = np.float32 if narrow else a.dtype
    a, b = a.astype(wide), b.astype(wide)
    unit = float(ml_dtypes.finfo(dtype).eps)
    largest = float(np.abs(b).max(initial=0, where=np.isfinite(b)))
    return np.allclose(a, b, rtol=(_ROUNDING_NARROW if narrow else _ROUNDING) * unit, atol=4 * unit * largest, equal_nan=True)


run_blockwise, run_program, run_update = Loops(), KernelPrograms(), Updates()
