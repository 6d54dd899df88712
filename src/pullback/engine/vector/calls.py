"""Functions of libmvec and libm, called on vectors: a whole vector where libmvec has the function, else lane by lane.

Calls are made in functions of their own that are not inlined: code around them stays small.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import cache

from .. import llvm_ir as ir
from ..runtime.machine import Machine, library_symbol
from .code import I32, Code, Number
from .registers import lanes_of


@cache
def _vector_variants(machine: Machine, bits: int) -> tuple[tuple[str, int], ...]:
    """What libmvec's names begin with on a machine, and the lanes of each, widest first."""
    if "x86_64" not in machine.triple and "amd64" not in machine.triple:
        return (("_ZGVnN", 128 // bits),) if "aarch64" in machine.triple and sys.platform == "linux" else ()
    known = []
    if machine.vector_bits == 512:
        known.append(("_ZGVeN", 512 // bits))
    if machine.vector_bits >= 256 and machine.fma:
        known.append(("_ZGVdN", 256 // bits))
    return tuple(known)


@cache
def _vector_symbol(machine: Machine, name: str, bits: int, lanes: int, arity: int) -> tuple[str, int] | None:
    """libmvec's function for vectors of so many lanes, or of a part of them."""
    for start, width in _vector_variants(machine, bits):
        symbol = f"{start}{width}{'v' * arity}_{library_name(name, bits)}"
        if width <= lanes and lanes > 1 and library_symbol(symbol) is not None:
            return symbol, width
    return None


def library_name(name: str, bits: int) -> str:
    """A function's name in the C library."""
    return name + "f" if bits == 32 else name


def _declare_symbol(c: Code, symbol: str, lanes: int, arity: int) -> ir.Function:
    known = c.b.module.function(symbol)
    if known is None:
        kind = Code(c.b, c.bits, lanes, c.machine).real_type
        known = ir.Function(c.b.module, ir.FunctionType(kind, [kind] * arity), symbol)
    return known


def _lanes(c: Code, value: ir.Value, start: int, width: int) -> ir.Value:
    if width == c.lanes:
        return value
    if width == 1:
        return c.b.extract_element(value, ir.Constant(I32, start))
    picked = ir.Constant(ir.VectorType(I32, width), list(range(start, start + width)))
    return c.b.shuffle_vector(value, value, picked)


def call_library(c: Code, name: str, *args: Number) -> Number:
    """The C library's function of that name, of every lane."""
    found = _vector_symbol(c.machine, name, c.bits, c.lanes, len(args))
    symbol, width = found or (library_name(name, c.bits), 1)
    function = _declare_symbol(c, symbol, width, len(args))
    parts = [c.b.call(function, [_lanes(c, a.value, start, width) for a in args]) for start in range(0, c.lanes, width)]
    if width == 1 and c.lanes > 1:
        total: ir.Value = ir.Constant(c.real_type, ir.Undefined)
        for i, part in enumerate(parts):
            total = c.b.insert_element(total, part, ir.Constant(I32, i))
        return Number(c, total)
    while len(parts) > 1:
        parts = [_join_lanes(c, x, y) for x, y in zip(parts[::2], parts[1::2], strict=True)]
    return Number(c, parts[0])


def _join_lanes(c: Code, x: ir.Value, y: ir.Value) -> ir.Value:
    count = 2 * lanes_of(x)
    return c.b.shuffle_vector(x, y, ir.Constant(ir.VectorType(I32, count), list(range(count))))


def call_by_lane(c: Code, name: str, args: Sequence[Number], answer: Number, chosen: Number) -> Number:
    """The answer, but the C library's where `chosen`: nothing is called where no lane is."""
    any_lane = chosen.value
    if c.lanes > 1:
        any_lane = c.b.icmp_unsigned("!=", c.b.bitcast(any_lane, ir.IntType(c.lanes)), ir.Constant(ir.IntType(c.lanes), 0))
    before = c.b.block
    with c.b.if_then(any_lane, likely=False):
        exact = c.b.select(chosen.value, c.b.call(_library_vector(c, name, len(args)), [a.value for a in args]), answer.value)
        inside = c.b.block
    joined = c.b.phi(c.real_type)
    joined.add_incoming(answer.value, before)
    joined.add_incoming(exact, inside)
    return Number(c, joined)


def _library_vector(c: Code, name: str, arity: int) -> ir.Function:
    """A function of the module that calls the C library's for every lane of a vector, in a loop: it is short, and seldom called."""
    own = f"pullback.lanes.{name}.{c.lanes}x{c.bits}"
    known = c.b.module.function(own)
    if known is not None:
        return known
    function = ir.Function(c.b.module, ir.FunctionType(c.real_type, [c.real_type] * arity), own)
    function.linkage = "internal"
    function.attributes.add("noinline")
    function.attributes.add("cold")
    b = ir.IRBuilder(function.append_basic_block())
    scalar = _declare_symbol(c, library_name(name, c.bits), 1, arity)
    if c.lanes == 1:
        b.ret(b.call(scalar, function.args))
        return function
    kept = [b.alloca(c.real_type) for _ in function.args]
    for place, given in zip(kept, function.args, strict=True):
        b.store(given, place)
    start, turn, end = b.block, b.append_basic_block(), b.append_basic_block()
    b.branch(turn)
    b.position_at_end(turn)
    lane = b.phi(I32)
    places = [b.gep(place, [lane], source_etype=scalar.function_type.return_type) for place in kept]
    b.store(b.call(scalar, [b.load(place, typ=scalar.function_type.return_type) for place in places]), places[0])
    following = b.add(lane, ir.Constant(I32, 1))
    lane.add_incoming(ir.Constant(I32, 0), start)
    lane.add_incoming(following, turn)
    b.cbranch(b.icmp_unsigned("<", following, ir.Constant(I32, c.lanes)), turn, end)
    b.position_at_end(end)
    b.ret(b.load(kept[0], typ=c.real_type))
    return function
