"""Kernels: loops over an index space, and what is computed at each index.

`build` evaluates expressions at the indices of a space: views disappear into linear indices, equal values are computed once.  A reshape may
ask for a loop to be split; then evaluation starts anew with the finer loops.  Afterwards loops that run through all memory together
are merged again, so element-wise work on whole arrays is one long loop.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from .index import ZERO, Lin, NotLinear, Split, bounds, combine_linear, flatten_index, strides, unravel_position
from .index_expr import BOOL, Affine, Buffer, Dims, Gather, IndexExpr, Iota, Pointwise, Reduce, Reshape, Scalar

INT = np.dtype(np.int64)
#: Where an expression is in memory, if it is.
Memory = Callable[[IndexExpr], Buffer | None]


#: What takes about one instruction; everything else is taken for a function of several.
_CHEAP = frozenset([
    "load", "scalar", "linear", "within", "inside", "select", "cast", "add", "sub", "mul", "neg", "max", "min", "and", "or", "xor", "not",
    "lt", "le", "gt", "ge", "eq", "ne", "abs", "square", "sign", "shl", "shr", "bits", "isnan", "isinf", "isfinite", "conj", "real",
    "imag", "complex",
])  # fmt: skip
_DEAR = 10
#: A loop of so few turns, or of fewer, beside one so long, may be written turn after turn, where that makes the kernel so many times as
#: large at most, or as large as a small one.
_SHORT, _FEW, _LONG, _GROWTH, _SMALL = 16, 4, 64, 2, 64
#: What is reduced, and the function that does it to two.
_COMBINING = {"sum": "add", "prod": "mul", "any": "or", "all": "and"}


def cost_of(function: str) -> int:
    """What a scalar function costs for one element, in plain operations, roughly."""
    return 1 if function in _CHEAP else _DEAR


class Instr:
    """One value computed in a kernel.

    op: "load" (data: buffer, position), "scalar" (data: the number), "linear" (data: a linear function), "within" (data: a linear
    function and n; whether 0 <= it < n), or a scalar function of the arguments.
    A load may have arguments: [condition or None, (index, stride, n)...] flattened as data says.
    """

    __slots__ = ("args", "data", "dtype", "op", "variables")

    def __init__(self, op: str, args: tuple[Instr, ...], data: Any, dtype: np.dtype[Any], variables: frozenset[int]) -> None:
        self.op, self.args, self.data, self.dtype, self.variables = op, args, data, dtype, variables

    def __repr__(self) -> str:
        return f"{self.op}({', '.join(a.op for a in self.args)}{self.data if self.data is not None else ''})"


class Root:
    """A result of a kernel: stored at each index (`reduce` None), or accumulated over the reduced variables.

    adds: whether what was accumulated is put together with what is there.
    """

    __slots__ = ("adds", "buffer", "position", "reduce", "value")

    def __init__(self, value: Instr, buffer: Buffer, position: Lin, reduce: str | None) -> None:
        self.value, self.buffer, self.position, self.reduce = value, buffer, position, reduce
        self.adds = False


class Kernel:
    """Loops in order (variable, extent), which of them reduce, the values in an order they can be computed in, the results.

    clipped: for a loop over a block of a longer one, (the variable that counts the blocks, their length, that of the whole).
    rows: the variable whose bounds the function is given, for a kernel that is done for some rows at a time (`tile_rows`); its extent is
    how many at most, and `even` says that it always is as many.
    """

    def __init__(self, extents: dict[int, int], reduced: frozenset[int], instrs: list[Instr], roots: list[Root]) -> None:
        self.extents, self.reduced, self.instrs, self.roots = extents, reduced, instrs, roots
        self.clipped: dict[int, tuple[int, int, int]] = {}
        #: The variables that count blocks: how far the loops inside go hangs on them, so they are never spread over lanes.
        self.counters: set[int] = set()
        self.rows: int | None = None
        self.even = False
        #: What it computes, in expressions.
        self.exprs: list[IndexExpr] = []

    @property
    def work(self) -> int:
        """What it costs, in plain operations."""
        return math.prod(self.extents.values()) * sum(cost_of(i.op) for i in self.instrs)


class Target:
    """What a kernel is asked for: an expression and where its values go (`rows`: an affine place within the buffer, None: row by row)."""

    __slots__ = ("buffer", "expr", "offset", "steps")

    def __init__(self, expr: IndexExpr, buffer: Buffer, steps: Sequence[int] | None = None, offset: int = 0) -> None:
        self.expr, self.buffer, self.offset = expr, buffer, offset
        self.steps = list(steps) if steps is not None else strides(expr.dims)


def build(space: Dims, reduced: Sequence[int], targets: Sequence[Target], memory: Memory = lambda expr: None) -> Kernel:
    """The kernel that computes `targets` over `space`, whose axes `reduced` are summed over.

    Each target is an expression over the whole space, or a Reduce of one along exactly `reduced`.  memory: the expressions that are read
    from buffers instead of being computed.  Raises NotLinear, with the expression that must be in memory, where a view cannot be an index.
    """
    factors = [[n] for n in space]
    while True:
        try:
            made = _merge_loops(_evaluate_roots(factors, frozenset(reduced), targets, memory))
            made = _unroll_short_loop(made, factors, frozenset(reduced), targets, memory) or made
            made.exprs = [target.expr for target in targets]
            return made
        except Split as split:
            axis, place = _locate_factor(factors, split.variable)
            n = factors[axis][place]
            factors[axis][place : place + 1] = [n // split.factor, split.factor]


def _locate_factor(factors: list[list[int]], variable: int) -> tuple[int, int]:
    for axis, parts in enumerate(factors):
        if variable < len(parts):
            return axis, variable
        variable -= len(parts)
    raise IndexError(variable)


def _unroll_short_loop(
    made: Kernel, factors: list[list[int]], reduced: frozenset[int], targets: Sequence[Target], memory: Memory
) -> Kernel | None:
    """The kernel with a short loop beside a long one written turn after turn, where that is better and makes it little larger."""
    short = next((v for v in made.extents if _is_better_unrolled(made, v)), None)
    if short is None or not all(r.reduce in _COMBINING for r in made.roots if r.reduce is not None and short in made.reduced):
        return None
    try:
        unrolled = _evaluate_roots(factors, reduced, targets, memory, short)
    except (NotLinear, Split):  # a reshape that goes on from one turn to the next
        return None
    before, after = (sum(cost_of(instr.op) for instr in kernel.instrs) for kernel in (made, unrolled))
    return _merge_loops(unrolled) if after <= max(_GROWTH * before, _SMALL) else None


def _is_better_unrolled(kernel: Kernel, short: int) -> bool:
    """Whether each turn of a short loop chooses among several values (the gradients of columns put side by side, say), or goes along rows
    that lie one after another, down which there is a long loop (points: what is computed of all of them then fills vectors).
    """
    turns = kernel.extents[short]
    long = [v for v, n in kernel.extents.items() if n >= _LONG]
    if turns > _SHORT or not long:
        return False
    if short not in kernel.reduced and any(i.op == "within" and i.variables == {short} for i in kernel.instrs):
        return True
    lins = [dict(lin[1]) for i in kernel.instrs for lin in _lins(i.op, i.data)] + [dict(r.position[1]) for r in kernel.roots]
    return turns <= _FEW and any(lin.get(short) == 1 and turns in (lin.get(v) for v in long) for lin in lins)


def _evaluate_roots(
    factors: list[list[int]], reduced: frozenset[int], targets: Sequence[Target], memory: Memory, unrolled: int | None = None
) -> Kernel:
    """The kernel of the targets; unrolled: a loop that is none: each of its turns gives results of its own."""
    extents: dict[int, int] = {}
    index: list[Lin] = []
    inner: set[int] = set()
    for axis, parts in enumerate(factors):
        terms = []
        for i, n in enumerate(parts):
            variable = len(extents)
            extents[variable] = n
            step = int(np.prod(parts[i + 1 :], dtype=np.int64))
            if n > 1:
                terms.append((variable, step))
            if axis in reduced:
                inner.add(variable)
        index.append((0, tuple(terms)))
    turns = [index] if unrolled is None else [[_fix(lin, unrolled, turn) for lin in index] for turn in range(extents.pop(unrolled))]
    is_combined, inner = unrolled in inner, inner - {unrolled}
    evaluator = _Evaluator(extents, memory)
    roots = []
    for target in targets:
        expr, kind, places = target.expr, None, turns
        if isinstance(expr, Reduce) and reduced:
            kind, expr = expr.kind, expr.arg
            places = [[lin for axis, lin in enumerate(at) if axis not in reduced] for at in turns]
        values = [evaluator.value(expr, tuple(at)) for at in turns]
        if kind is not None and is_combined:
            values = [evaluator.combine(values, _COMBINING[kind])]
            kind = kind if inner else None
        for value, place in zip(values, places, strict=False):
            position = combine_linear(list(zip(target.steps, place, strict=True)), target.offset)
            roots.append(Root(value, target.buffer, position, kind))
    return Kernel(extents, frozenset(inner), evaluator.instrs, roots)


def _fix(lin: Lin, variable: int, value: int) -> Lin:
    """A linear function where a variable has a value."""
    return lin[0] + dict(lin[1]).get(variable, 0) * value, tuple(term for term in lin[1] if term[0] != variable)


class _Evaluator:
    """Values of expressions at indices; nothing recurses, for chains may be thousands long."""

    def __init__(self, extents: dict[int, int], memory: Memory) -> None:
        self.extents = extents
        self.memory = memory
        self.instrs: list[Instr] = []
        self._known: dict[Any, Instr] = {}
        self._merged: dict[Any, Instr] = {}

    def value(self, expr: IndexExpr, index: tuple[Lin, ...]) -> Instr:
        pending = [(expr, index, None)]
        while pending:
            key = pending[-1]
            if key in self._known:
                pending.pop()
                continue
            waits = [part for part in self._reads(*key) if part not in self._known]
            if waits:
                pending += waits
            else:
                self._known[key] = self._make_instruction(*key)
                pending.pop()
        return self._known[expr, index, None]

    def combine(self, values: Sequence[Instr], function: str) -> Instr:
        """Values put together one after the other."""
        total = values[0]
        for value in values[1:]:
            total = self._instr(function, (total, value), None, value.dtype)
        return total

    def _reads(self, expr: IndexExpr, index: tuple[Lin, ...], when: Instr | None) -> list[Any]:
        if self.memory(expr) is not None:
            return []
        if isinstance(expr, Pointwise):
            return [(arg, index, when) for arg in expr.args]
        if isinstance(expr, Affine):
            inner, when = self._through(expr, index, when)
            return [] if when is _NEVER else [(expr.arg, inner, when)]
        if isinstance(expr, Reshape):
            return [] if self._find_stored(expr) is not None else [(expr.arg, self._reshape_index(expr, index), when)]
        if isinstance(expr, Gather):
            return [(i, index, when) for i in expr.indices if i is not None]
        return []

    def _make_instruction(self, expr: IndexExpr, index: tuple[Lin, ...], when: Instr | None) -> Instr:
        expr = self.memory(expr) or expr
        if isinstance(expr, Buffer):
            return self._load(expr, flatten_index(index, expr.dims), when, ())
        if isinstance(expr, Scalar):
            return self._instr("scalar", (), expr.value, expr.dtype)
        if isinstance(expr, Pointwise):
            return self._instr(expr.function, tuple(self._known[arg, index, when] for arg in expr.args), None, expr.dtype)
        if isinstance(expr, Affine):
            return self._view_value(expr, index, when)
        if isinstance(expr, Reshape):
            stored = self._find_stored(expr)
            if stored is not None:
                return self._load(stored, flatten_index(index, expr.dims), when, ())
            return self._known[expr.arg, self._reshape_index(expr, index), when]
        if isinstance(expr, Iota):
            return self._instr("linear", (), index[expr.axis], expr.dtype)
        if isinstance(expr, Gather):
            return self._gather_value(expr, index, when)
        raise TypeError(f"{expr!r} cannot be computed at an index: it must be in memory")

    def _find_stored(self, expr: Reshape) -> Buffer | None:
        """What a reshape is of, where that is in memory: any order of the same elements can be read from there."""
        arg = self.memory(expr.arg) or expr.arg
        return arg if isinstance(arg, Buffer) else None

    def _reshape_index(self, expr: Reshape, index: tuple[Lin, ...]) -> tuple[Lin, ...]:
        try:
            return tuple(unravel_position(flatten_index(index, expr.dims), expr.arg.dims, self.extents))
        except NotLinear:
            raise NotLinear(expr.arg) from None

    def _through(self, view: Affine, index: tuple[Lin, ...], when: Instr | None) -> tuple[tuple[Lin, ...], Instr | None]:
        """A view's index into its argument, and when there is an element there."""
        inner = tuple(combine_linear([(k, index[axis]) for axis, k in terms], c) for c, terms in view.rows)
        if view.fill is None:
            return inner, when
        for lin, n in zip(inner, view.arg.dims, strict=True):
            low, high = bounds(lin, self.extents)
            if low >= n or high < 0 or not n:
                return inner, _NEVER
            if low < 0 or high >= n:
                inside = self._instr("within", (), (lin, n), BOOL)
                when = inside if when is None else self._instr("and", (when, inside), None, BOOL)
        return inner, when

    def _view_value(self, view: Affine, index: tuple[Lin, ...], when: Instr | None) -> Instr:
        inner, inside = self._through(view, index, when)
        if inside is _NEVER:
            return self._instr("scalar", (), np.asarray(view.fill, view.dtype)[()], view.dtype)
        value = self._known[view.arg, inner, inside]
        if view.fill is None or inside is when or inside is None:
            return value
        fill = self._instr("scalar", (), np.asarray(view.fill, view.dtype)[()], view.dtype)
        return self._instr("select", (inside, value, fill), None, view.dtype)

    def _gather_value(self, expr: Gather, index: tuple[Lin, ...], when: Instr | None) -> Instr:
        table = expr.table
        assert isinstance(table, Buffer)
        lins = [combine_linear([(k, index[axis]) for axis, k in terms], c) for c, terms in expr.rows]
        looked_up = []
        condition = when
        for i, (chosen, step, n) in enumerate(zip(expr.indices, strides(table.dims), table.dims, strict=True)):
            if chosen is None:
                continue
            at = self._known[chosen, index, when]
            low, high = bounds(lins[i], self.extents)
            if expr.fill is None and low >= 0 and high < n:  # a place and what is added to it: what is found there lies in order
                looked_up.append((at, step, n - high))
                continue
            if lins[i] != ZERO:
                at = self._instr("add", (self._cast(at), self._instr("linear", (), lins[i], INT)), None, INT)
                lins[i] = ZERO
            if expr.fill is not None:
                inside = self._instr("inside", (at,), n, BOOL)
                condition = inside if condition is None else self._instr("and", (condition, inside), None, BOOL)
            looked_up.append((at, step, n))
        value = self._load(table, flatten_index(lins, table.dims), condition, tuple(looked_up))
        if expr.fill is None or condition is None:
            return value
        fill = self._instr("scalar", (), np.asarray(expr.fill, expr.dtype)[()], expr.dtype)
        return self._instr("select", (condition, value, fill), None, expr.dtype)

    def _cast(self, value: Instr) -> Instr:
        return value if value.dtype == INT else self._instr("cast", (value,), None, INT)

    def _load(self, buffer: Buffer, position: Lin, when: Instr | None, looked_up: tuple[tuple[Instr, int, int], ...]) -> Instr:
        args = tuple(at for at, _, _ in looked_up) + (() if when is None else (when,))
        data = (buffer.place, position, tuple((step, n) for _, step, n in looked_up), when is not None)
        return self._instr("load", args, data, buffer.dtype)

    def _instr(self, op: str, args: tuple[Instr, ...], data: Any, dtype: np.dtype[Any]) -> Instr:
        key = (op, args, data.tobytes() if op == "scalar" else data, dtype)
        known = self._merged.get(key)
        if known is None:
            variables = frozenset().union(*(a.variables for a in args), *(_variables(lin) for lin in _lins(op, data)))
            known = self._merged[key] = Instr(op, args, data, dtype, variables)
            self.instrs.append(known)
        return known


_NEVER: Any = Instr("never", (), None, BOOL, frozenset())


def _variables(lin: Lin) -> list[int]:
    return [v for v, _ in lin[1]]


def _lins(op: str, data: Any) -> list[Lin]:
    """The linear functions in an instruction."""
    if op == "load":
        return [data[1]]
    if op == "linear":
        return [data]
    return [data[0]] if op == "within" else []


# ---- merging loops


def _merge_loops(kernel: Kernel) -> Kernel:
    """The kernel with neighbouring loops that step through everything together made one, and loops of one step gone."""
    order = sorted((v for v, n in kernel.extents.items() if n != 1), key=lambda v: (v in kernel.reduced, v))
    extents = {v: kernel.extents[v] for v in order}
    lins = [dict(lin[1]) for i in kernel.instrs for lin in _lins(i.op, i.data)] + [dict(r.position[1]) for r in kernel.roots]
    gone = set()
    for at in range(len(order) - 2, -1, -1):
        outer, inner = order[at], order[at + 1]
        together = (outer in kernel.reduced) == (inner in kernel.reduced)
        if together and all(lin.get(outer, 0) == lin.get(inner, 0) * extents[inner] for lin in lins):
            extents[inner] *= extents.pop(outer)
            gone.add(order.pop(at))
    _forget(kernel, frozenset(gone))
    return Kernel(extents, kernel.reduced & frozenset(extents), kernel.instrs, kernel.roots)


def _forget(kernel: Kernel, gone: frozenset[int]) -> None:
    """Leave the variables `gone` out of every linear function."""
    _rewrite(kernel, lambda lin: (lin[0], tuple((v, k) for v, k in lin[1] if v not in gone)))


def _rewrite(kernel: Kernel, change: Callable[[Lin], Lin]) -> None:
    """Change every linear function in a kernel."""
    for instr in kernel.instrs:
        if instr.op == "load":
            place, position, looked_up, guarded = instr.data
            instr.data = (place, change(position), looked_up, guarded)
        elif instr.op == "linear":
            instr.data = change(instr.data)
        elif instr.op == "within":
            instr.data = (change(instr.data[0]), instr.data[1])
        own = [v for lin in _lins(instr.op, instr.data) for v in _variables(lin)]
        instr.variables = frozenset(own).union(*(a.variables for a in instr.args))
    for root in kernel.roots:
        root.position = change(root.position)


# ---- blocks


def reduce_in_blocks(kernel: Kernel, variable: int, length: int, partial: Callable[[Root, Dims, list[int]], Buffer]) -> int:
    """Reduce over blocks of `length` of a variable apart: each result becomes one for every block.

    partial: the buffer for a root's results, block by block; it is told the dims of one block's, and how far apart they were to be put in
    the root's own buffer, of which they may be a part.  Returns the number of blocks.
    """
    whole = kernel.extents[variable]
    blocks = -(-whole // length)
    counter = max(kernel.extents) + 1
    _rewrite(kernel, lambda lin: combine_linear([(1, lin), (dict(lin[1]).get(variable, 0), (0, ((counter, length),)))]))
    kernel.counters.add(counter)
    kernel.extents = {counter: blocks, **kernel.extents, variable: length}
    if whole % length:
        kernel.clipped[variable] = (counter, length, whole)
    for root in kernel.roots:
        if root.reduce is not None:
            kept = sorted(root.position[1], key=lambda term: -term[1])
            dims = tuple(kernel.extents[v] for v, _ in kept)
            root.buffer = partial(root, dims, [pace for _, pace in kept])
            apart = [(pace, (0, ((v, 1),))) for pace, (v, _) in zip(strides(dims), kept, strict=True)]
            root.position = combine_linear([*apart, (math.prod(dims), (0, ((counter, 1),)))])
    return blocks


def tile_rows(kernel: Kernel, variable: int, inner: int, block: int, even: bool) -> None:
    """Let a kernel be done for some rows at a time, at most `block`: each is `inner` steps of a variable."""
    row = variable
    if inner > 1:
        row = max(kernel.extents) + 1
        _rewrite(kernel, lambda lin: combine_linear([(1, lin), (dict(lin[1]).get(variable, 0) * inner, (0, ((row, 1),)))]))
        kernel.extents = {v: n for at in kernel.extents for v, n in _split(kernel.extents, at, variable, row, inner)}
        kernel.reduced |= {row} if variable in kernel.reduced else frozenset()
    kernel.extents[row] = block
    kernel.rows, kernel.even = row, even


def _split(extents: Mapping[int, int], at: int, variable: int, row: int, inner: int) -> list[tuple[int, int]]:
    return [(row, extents[at] // inner), (variable, inner)] if at == variable else [(at, extents[at])]
