"""Copies that nobody needs: an array that is only copied into another one is written there in the first place.

A stack of stacks asks for each inner one in memory of its own, and for a copy of it; attention asks for products with their axes in another
order, and for stacks of such.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from .blocks import Layout, Product
from .builder import Builder, Materialise, Step
from .index import strides
from .index_expr import Affine, Buffer, Dims, IndexExpr, Place, Reshape


def elide_copies(builder: Builder) -> None:
    """Let the steps that write to a temporary memory, which one step alone reads, to copy it, write to where that one would."""
    copies = [step for step in builder.steps if isinstance(step, Materialise) and _is_copy(step, builder)]
    if not copies:
        return
    writers: dict[Place, dict[Step, None]] = defaultdict(dict)
    for step in builder.steps:
        for place in step.writes:
            writers[place][step] = None
    readers = _count_readers(builder)
    moved: dict[Step, Step] = {}
    dropped: set[Step] = set()
    for copy in copies:
        (*views, source) = _views(copy.expr)
        assert isinstance(source, Buffer)
        if readers[source.place] > 1 or any(readers[view] > 1 for view in views):
            continue
        found = {step: _move_writer(step, copy, builder) for step in writers[source.place]}
        made = {step: new for step, new in found.items() if new is not None}
        if made and len(made) == len(found):
            moved.update(made)
            dropped.add(copy)
            del writers[copy.buffer.place][copy]
            writers[copy.buffer.place].update(dict.fromkeys(made.values()))
    builder.steps = [_follow(step, moved) for step in builder.steps if step not in dropped]


def _follow(step: Step, moved: dict[Step, Step]) -> Step:
    while step in moved:
        step = moved[step]
    return step


def _views(expr: IndexExpr) -> list[IndexExpr]:
    """An expression and what it is another shape of, or has the axes of in another order, down to what is none."""
    found = [expr]
    while isinstance(expr, Reshape) or Builder.undo_transpose(expr)[0] is not expr:
        assert isinstance(expr, (Reshape, Affine))
        expr = expr.arg
        found.append(expr)
    return found


def _is_copy(step: Materialise, builder: Builder) -> bool:
    source, target = _views(step.expr)[-1], step.buffer.place
    if not isinstance(source, Buffer) or step.over or not source.size or not {source.place, target} <= builder.places:
        return False
    return source.place.kind == "temporary" and target.kind in ("temporary", "output")


def _count_readers(builder: Builder) -> Counter[IndexExpr | Place]:
    """How many expressions and steps read each expression, and each place."""
    found: Counter[IndexExpr | Place] = Counter()
    pending: list[IndexExpr] = []
    seen: set[IndexExpr] = set()

    def count_place(place: Place) -> None:
        found.update((place, *place.backing))

    def count(expr: IndexExpr, asked: bool) -> None:
        known = expr if isinstance(expr, Buffer) else None if asked else builder.realised.get(expr)
        if known is not None:
            count_place(known.place)
            return
        found[expr] += 1
        if expr not in seen:
            seen.add(expr)
            pending.append(expr)

    for step in builder.steps:
        if isinstance(step, Materialise):
            count(step.expr, True)
        else:
            for place in step.reads:
                count_place(place)
    while pending:
        for part in pending.pop().parts:
            count(part, False)
    for check in builder.checks:
        count_place(check.place)
    for scatter in builder.deferred:
        for place in (*scatter.reads, *scatter.writes):
            count_place(place)
    return found


def _move_writer(step: Step, copy: Materialise, builder: Builder) -> Materialise | Product | None:
    """A step that writes to where a copy takes its values from, writing to where the copy puts them.

    None where that is no step that can, or where its values would not lie in steps there.
    """
    target = _find_target(copy)
    if target is None:
        return None
    if isinstance(step, Product):
        return _move_product(step, copy.buffer, target)
    if not isinstance(step, Materialise) or step.over or not step.expr.size or step.expr in builder.realised:
        return None
    if step.buffer.dtype != copy.expr.dtype:  # its bytes are read as other numbers
        return None
    own = step.steps if step.steps is not None else strides(step.expr.dims)
    moved = target.move(list(zip(step.expr.dims, own, strict=True)), step.offset)
    if moved is None or len(moved[0]) > len(own):
        return None
    return Materialise(step.expr, copy.buffer, [pace for _, pace in moved[0]], moved[1])


def _move_product(product: Product, out: Buffer, target: _Target) -> Product | None:
    """A product that writes to where a copy would put its result: rows in order, and its matrices in at most two steps."""
    of_out = product.layouts[2]
    if product.batch == 1 or product.panel or not product.out.size or product.out.dtype != out.dtype:
        return None
    inner = of_out.every or product.batch
    stacks = [(product.batch // inner, of_out.outer), (inner, of_out.stack)]
    moved = target.move([*stacks, (product.m, of_out.row), (product.n, 1)], product.offset)
    if moved is None:
        return None
    axes, offset = moved
    axes = [axis for axis in axes if axis[0] > 1] or axes[-1:]
    if len(axes) > 4 or [n for n, _ in axes[-2:]] != [product.m, product.n] or axes[-1][1] != 1:
        return None
    *stacks, (_, row), _ = [(1, 0), (1, 0), *axes]
    (_, outer), (every, stack) = stacks[-2:]
    made = Product(product.a, product.b, out, (product.m, product.n, product.k), product.batch, product.layouts)
    made.layouts = *product.layouts[:2], Layout(stack, row, 1, every, outer) if len(axes) == 4 else Layout(stack, row, 1)
    made.offset = offset
    return made


class _Target:
    """Where a copy puts what it takes: the dims of that, how far apart neighbours along each of them are put, and where the first is."""

    def __init__(self, dims: Sequence[int], paces: Sequence[int], offset: int) -> None:
        self.dims, self.paces, self.offset = dims, paces, offset

    def move(self, axes: list[tuple[int, int]], start: int) -> tuple[list[tuple[int, int]], int] | None:
        """Axes, (how many, how far apart) elements from `start` on of what is copied, as they lie where it is put; None where they do not.

        An axis that goes through several of what is copied is cut.
        """
        apart = strides(tuple(self.dims))
        last = [start // pace % n for pace, n in zip(apart, self.dims, strict=True)]
        offset = self.offset + sum(i * pace for i, pace in zip(last, self.paces, strict=True))
        made: list[tuple[int, int]] = []
        waiting = axes[::-1]
        while waiting:
            count, pace = waiting.pop()
            axis = next(a for a in range(len(self.dims)) if apart[a] <= max(pace, 1))
            times, rest = divmod(pace, apart[axis])
            n = self.dims[axis]
            if rest == 0 and times == 1 and count > n and count % n == 0 and last[axis] == 0:
                waiting += [(n, pace), (count // n, pace * n)]
                continue
            last[axis] += (count - 1) * times
            if count > 1 and (rest or last[axis] >= n):
                return None
            made.append((count, times * self.paces[axis]))
        return made, offset


def _find_target(copy: Materialise) -> _Target | None:
    """Where a copy puts what it takes; None where it takes it apart by more than one order of axes, or puts it with gaps."""
    view = _undo_reshapes(copy.expr)
    if isinstance(view, Buffer):
        return _Target(*_merge_axes(copy.expr.dims, copy.steps), copy.offset)
    given, order = Builder.undo_transpose(view)
    is_whole = copy.steps is None or list(copy.steps) == strides(copy.expr.dims)
    if given is view or not isinstance(_undo_reshapes(given), Buffer) or not (is_whole or view is copy.expr):
        return None
    paces = strides(view.dims) if is_whole or copy.steps is None else copy.steps
    return _Target(given.dims, [paces[axis] for axis in order], copy.offset)


def _undo_reshapes(expr: IndexExpr) -> IndexExpr:
    while isinstance(expr, Reshape):
        expr = expr.arg
    return expr


def _merge_axes(dims: Dims, steps: Sequence[int] | None) -> tuple[list[int], list[int]]:
    """Dims, and how far apart the elements are put along each, with as few axes as will do; the last one's elements lie in order."""
    sizes, paces = [1], [1]
    for n, pace in zip(reversed(dims), reversed(steps if steps is not None else strides(dims)), strict=True):
        if n == 1:
            continue
        if sizes == [1] or pace == sizes[0] * paces[0]:
            paces[0] = pace if sizes == [1] else paces[0]
            sizes[0] *= n
        else:
            sizes.insert(0, n)
            paces.insert(0, pace)
    return sizes, paces
