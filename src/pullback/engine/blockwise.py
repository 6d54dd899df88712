"""Eager element-wise kernels as one native loop, from the op's own lowering, whose blocks threads share.

`blocked.block_kernel` goes through large arrays in blocks of one size, so one loop over a block serves arrays of any shape.  A loop is
compiled once a kernel has been called often enough with large arrays, and is used only if it gives the bits that the NumPy kernel gives on
a block of the data at hand: nobody can see when it takes over, except by the clock.  Functions such as `exp`, for which NumPy may have no
vectors, may differ by some units in the last place then.  So may special functions, which are compiled at their first call with a large
array, where a loop takes a twentieth of SciPy's time.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..base.dtypes import FROM_NUMPY
from ..ir.context import enter_graph, stop_recorders
from ..ir.function_graph import FunctionGraph
from ..ir.op import Op
from ..kernels import blas, blocked
from ..kernels.memory import make_empty
from . import llvm_ir as ir
from .emission.interrupts import I32, share
from .emission.segment import Segment
from .lower import is_native, lower_operation
from .lowering.builder import Builder, Unsupported
from .runtime.machine import NativeError, host
from .runtime.objects import load_cached
from .runtime.symbols import addresses
from .scalars.counting import count_loop

_RUN = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_int64)
_I64, _POINTER = ir.IntType(64), ir.PointerType()


class Loop:
    """A compiled kernel for blocks of so many numbers.

    Raises Unsupported or NativeError where there is none.
    """

    def __init__(
        self,
        op: Op,
        dtypes: Sequence[np.dtype[Any]],
        scalar: Sequence[bool],
        attributes: dict[str, Any],
        checked: bool = False,
        block: int = blocked.BLOCK,
    ) -> None:
        self._block = block
        graph = FunctionGraph("blockwise", None)
        with stop_recorders(), enter_graph(graph):
            inputs = [graph.declare(() if one else (block,), FROM_NUMPY[d]) for d, one in zip(dtypes, scalar, strict=True)]
            made = op(*inputs, **attributes)
        out = made[0] if isinstance(made, (tuple, list)) else made  # of an operation with more, the first is the one in blocks
        builder = Builder()
        if not all(is_native(t.dtype, t.dims) for t in (*inputs, out)):
            raise Unsupported("a dtype without native code")
        exprs = [builder.input(() if one else (block,), d) for d, one in zip(dtypes, scalar, strict=True)]
        builder.output(lower_operation(out.node, builder, list(exprs))[0])
        if checked:
            builder.drop_checks()
        self.dtype = out.dtype.numpy_dtype
        steps_of = [0 if one else d.itemsize * block for d, one in zip(dtypes, scalar, strict=True)]
        self._blocks = _Blocks(builder, [*steps_of, self.dtype.itemsize * block], block, stops=True)

    def __call__(self, arrays: Sequence[np.ndarray], size: int) -> np.ndarray | None:
        """The results for flat arrays of `size` numbers, or of no dimensions; None where Ctrl-C was pressed meanwhile."""
        out, block = make_empty((size,), self.dtype), self._block
        whole, rest = divmod(size, block)
        if whole:
            if not self._blocks([*arrays, out], whole, rest):
                return None
        elif rest:
            padded = [np.resize(x, block) if x.ndim else x for x in arrays]
            last = np.empty(block, self.dtype)
            self._blocks([*padded, last], 1)
            out[:] = last[:rest]
        return out


class Update:
    """A compiled rule that gives the first `count` of its arrays new values: a step of an optimizer.

    Raises Unsupported or NativeError where there is none.
    """

    def __init__(self, rule: Callable[..., tuple[Any, ...]], count: int, arrays: Sequence[np.ndarray], attributes: dict[str, Any]) -> None:
        self._rule, self._attributes = rule, attributes
        builder = Builder()
        exprs = [builder.input((_STEP,) if x.ndim else (), x.dtype) for x in arrays]
        for expr in rule(*exprs, **attributes):
            builder.output(expr)
        widths = [x.itemsize * _STEP if x.ndim else 0 for x in arrays]
        self._blocks = _Blocks(builder, [*widths, *widths[:count]], _STEP, stops=False)

    def __call__(self, arrays: Sequence[np.ndarray], targets: Sequence[np.ndarray]) -> None:
        """Take the step, with flat arrays and numbers; targets: where the new values go, the first arrays themselves or others."""
        whole = arrays[0].size // _STEP
        rest = slice(whole * _STEP, None)
        last = self._rule(*(x[rest] if x.ndim else x for x in arrays), **self._attributes)  # first, for it may raise
        self._blocks([*arrays, *targets], whole)
        for target, new in zip(targets, last, strict=True):
            target[rest] = new


#: How many numbers a block of a step has: what is left over goes through NumPy.
_STEP = 1 << 11


def update(rule: Callable[..., tuple[Any, ...]], count: int, arrays: Sequence[np.ndarray], attributes: dict[str, Any]) -> Update | None:
    """A compiled rule, if there is one that gives the rule's own bits on the first of `arrays`' numbers."""
    try:
        found = Update(rule, count, arrays, attributes)
    except (Unsupported, NativeError):
        return None
    parts = [x[: blocked.BLOCK].copy() if x.ndim else x for x in arrays]
    wanted = rule(*parts, **attributes)
    found(parts, parts[:count])
    return found if all(are_close(a, np.asarray(b), 0) for a, b in zip(parts, wanted, strict=False)) else None


#: Of LLVM's passes (`codegen`): a loop goes over many numbers, and is 5 to 10 percent quicker for a quarter more time to compile it once.
_LEVEL = 2


#: Of how many parts the blocks of an array are for threads at most, and the least work of one.
_PARTS, _WORK = 16, 20_000


class _Blocks:
    """The code of steps that are one loop over a block, for any number of blocks.

    strides: bytes from an array's block to its next.  stops: whether Ctrl-C ends it between two parts.
    """

    def __init__(self, builder: Builder, strides: Sequence[int], block: int, stops: bool) -> None:
        machine = host()
        segment = Segment("blockwise", builder, machine.vector_bits // 8)
        if segment.arena_bytes or builder.constants or len(segment.stretches) != 1:
            raise Unsupported("more than one loop")
        module = ir.Module("blockwise")
        segment.emit(module)
        module.triple = machine.triple
        _emit_parts(module, strides, _emit_block_loop(module, strides, block), stops)
        self._words, self._least = ctypes.c_int64 * (len(strides) + 3), max(_WORK // max(segment.work, 1), 1)
        self._code = load_cached(str(module), addresses(module.globals), level=_LEVEL)
        self._run = _RUN(self._code.address("parts"))

    def __call__(self, arrays: Sequence[np.ndarray], count: int, rest: int = 0) -> bool:
        """Run `count` blocks, and where there is a rest behind them, one more that ends with it: it begins in the last block.

        The answer is whether all of them ran.
        """
        each = max(-(-count // _PARTS), self._least)
        return not self._run(self._words(*[blas.address(x) for x in arrays], count, each, rest), -(-count // each))


def _emit_block_loop(module: ir.Module, steps: Sequence[int], block: int) -> ir.Function:
    """Add `blocks`, which runs the code of a block for so many blocks and a rest; it moves the addresses it is given."""
    function = ir.Function(module, ir.FunctionType(ir.VoidType(), [_POINTER, _I64, _I64]), "blocks")
    function.linkage = "internal"
    places, count, rest = function.args
    b = ir.IRBuilder(function.append_basic_block("entry"))
    run = module.function("blockwise")
    assert run is not None

    def run_once() -> None:
        b.call(run, [places, *(ir.Constant(kind, None) for kind in run.function_type.args[1:])])

    def move(by: Callable[[int], ir.Value]) -> None:
        for i, step in enumerate(steps):
            slot = b.gep(places, [_I64(i)], source_etype=_I64)
            b.store(b.add(b.load(slot, typ=_I64), by(step)), slot)

    def next_one(_: ir.Value) -> None:
        run_once()
        move(_I64)

    count_loop(b, _I64(0), count, _I64(1), next_one)
    with b.if_then(b.icmp_signed(">", rest, _I64(0))):
        missing = b.sub(rest, _I64(block))
        move(lambda step: b.mul(missing, _I64(step // block)))
        run_once()
    b.ret_void()
    return function


def _emit_parts(module: ir.Module, steps: Sequence[int], blocks: ir.Function, stops: bool) -> None:
    """Add `parts`, which shares out the blocks of arrays among threads, and answers whether Ctrl-C has ended that.

    It is given the arrays' addresses, the number of blocks, how many are a part, and the rest behind them; and the number of parts.
    """
    task = ir.Function(module, ir.FunctionType(ir.VoidType(), [_POINTER, _I64]), "part")
    task.linkage = "internal"
    given, part = task.args
    b = ir.IRBuilder(task.append_basic_block("entry"))
    own = b.alloca(_I64, len(steps))
    *starts, count, each, rest = [b.load(b.gep(given, [_I64(i)], source_etype=_I64), typ=_I64) for i in range(len(steps) + 3)]
    first = b.mul(part, each)
    for i, (start, step) in enumerate(zip(starts, steps, strict=True)):
        b.store(b.add(start, b.mul(first, _I64(step))), b.gep(own, [_I64(i)], source_etype=_I64))
    left = b.sub(count, first)
    is_last = b.icmp_signed("<=", left, each)
    b.call(blocks, [b.bitcast(own, _POINTER), b.select(is_last, left, each), b.select(is_last, rest, _I64(0))])
    b.ret_void()
    function = ir.Function(module, ir.FunctionType(I32, [_POINTER, _I64]), "parts")
    b = ir.IRBuilder(function.append_basic_block("entry"))
    look = None
    if stops:
        look = b.alloca(_I64)
        b.store(_I64(0), look)
    hit = share(b, task, function.args[0], function.args[1], look)
    b.ret(ir.Constant(I32, 0) if hit is None else hit)


def _repair_nonfinite(found: Loop, kernel: Callable[..., Any]) -> Callable[..., np.ndarray | None]:
    """A loop of complex numbers whose results that are not finite come from the kernel: what those are, the C library says."""

    def call(arrays: Sequence[np.ndarray], size: int) -> np.ndarray | None:
        out = found(arrays, size)
        if out is not None and not np.isfinite(out.view(out.real.dtype)).all():
            places = np.flatnonzero(~np.isfinite(out))
            out[places] = kernel(*(x[places] if x.ndim else x for x in arrays))
        return out

    return call


class Wanted(NamedTuple):
    """What is asked of a loop.

    ulp: how far it may be from the kernel, in units in the last place.  amplitude: whose units those are where the value is less.
    block: how many numbers it takes at once; what is left over costs as much as a block.
    """

    ulp: int
    amplitude: Callable[..., np.ndarray] | None = None
    block: int = blocked.BLOCK


def loop(
    op: Op, kernel: Callable[..., Any], arrays: Sequence[np.ndarray], attributes: dict[str, Any], wanted: Wanted, checked: bool = False
) -> Callable[..., np.ndarray | None] | None:
    """A loop for a kernel, if there is one that gives its numbers on the first block of `arrays`, up to what is wanted.

    It must do so on a block of zeros, infinities, NaN, denormals and their like too.  checked: what the kernel refuses is not there.
    """
    try:
        compiled = Loop(op, [x.dtype for x in arrays], [not x.ndim for x in arrays], attributes, checked, wanted.block)
    except (Unsupported, NativeError):
        return None
    found = _repair_nonfinite(compiled, kernel) if compiled.dtype.kind == "c" and wanted.ulp else compiled
    parts = [np.resize(x, blocked.BLOCK) if x.ndim and x.size < blocked.BLOCK else x[: blocked.BLOCK] if x.ndim else x for x in arrays]
    for given in (parts, _put_special(parts)):
        least = None if wanted.amplitude is None else wanted.amplitude(*given)
        answer = found(given, blocked.BLOCK)
        if answer is None or not are_close(answer, np.asarray(kernel(*given, **attributes)), wanted.ulp, least):
            return None
    return found


_SPECIAL = (0.0, -0.0, 1.0, -1.0, 0.5, -0.75, 3.0, 6.0, -7.25, np.inf, -np.inf, np.nan, 1e-40, -1e-40, 1e-310, 3e38, -3e38, 17.0)


def _put_special(arrays: Sequence[np.ndarray]) -> list[np.ndarray]:
    """The arrays with every combination of special numbers in place of floating ones."""
    places = np.arange(blocked.BLOCK)
    found = []
    for x in arrays:
        dtype = FROM_NUMPY[x.dtype]
        if not (x.ndim and (dtype.is_floating or dtype.is_complex)):
            found.append(x)
            continue
        special = np.empty_like(x)
        for part in (special.real, special.imag) if dtype.is_complex else (special,):
            with np.errstate(over="ignore"):
                part[...] = np.array(_SPECIAL).astype(part.dtype)[places % len(_SPECIAL)]
            places = places // len(_SPECIAL)
        found.append(special)
    return found


def are_close(a: np.ndarray, b: np.ndarray, ulp: int, least: np.ndarray | None = None) -> bool:
    """Whether two arrays differ by at most so many units in the last place, any NaN as good as another; with 0, to the bit.

    Of complex numbers, the last place is that of the modulus, of reals below `least` that of `least`.
    """
    if a.dtype != b.dtype or a.shape != b.shape:
        return False
    if a.dtype.kind not in "fcV":
        return a.tobytes() == b.tobytes()
    kind: Any = f"i{a.real.dtype.itemsize}"
    one, other = a.view(a.real.dtype), b.view(b.real.dtype)
    equal = (one.view(kind) == other.view(kind)) | (np.isnan(one) & np.isnan(other))
    if ulp:
        with np.errstate(all="ignore"):
            size = np.abs(b)[..., None].repeat(2, -1).reshape(other.shape) if b.dtype.kind == "c" else np.abs(other)
            size = size if least is None else np.fmax(size, least)
            equal |= np.abs(one - other) <= ulp * np.spacing(size)
    return bool(equal.all())
