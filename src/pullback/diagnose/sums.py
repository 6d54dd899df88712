"""What a gradient adds up: where terms were summed, what each use of the source contributes, and how large cotangents are on the way."""

from __future__ import annotations

import linecache
import math
from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ..base.dtypes import float16
from ..ir.node import Node, Source
from ..ir.tensor import EagerTensor, IndexedSlices
from ..transforms.provenance import Provenance
from ..transforms.sparse import densify
from .place import line_of
from .traced import Term, Trace, compute_aside, norm_of

_BROADCASTS = frozenset({"BroadcastTo", "Tile"})
_PRODUCTS = frozenset({"MatMul", "BatchMatMul", "BatchMatMulV2"})
_FILTERS = frozenset({"Conv2D", "Conv3D", "DepthwiseConv2dNative", "BiasAdd"})
_ROWS = frozenset({"GatherV2", "Gather", "ResourceGather"})
_ADDING = _BROADCASTS | _PRODUCTS | _FILTERS | _ROWS
#: How much smaller or larger a cotangent gets, in one operation or altogether, before that is worth a word.
_ONE, _ALL = 1e3, 1e6


class Sum(NamedTuple):
    """A place where terms were added: what they are, how many, and where."""

    what: str
    number: int
    file: str | None
    line: int | None


class Share(NamedTuple):
    """What one use of a source contributes to its gradient, for one of the targets."""

    target: int
    operation: str | None
    file: str | None
    line: int | None
    value: Any


class Flow(NamedTuple):
    """The cotangent that an operation got: its norm, and what the operation made of it where that is worth a word."""

    operation: str
    file: str | None
    line: int | None
    norm: float
    dtype: str
    remark: str | None


def _where(node: Node) -> tuple[str | None, int | None]:
    return line_of(getattr(node, "source", None))


def sums_of(trace: Trace, found: Callable[[], Provenance], name: str) -> list[Sum]:
    """Every place where terms of the gradient with respect to the only source of a trace were added."""
    sums = []
    if len(trace.ys) > 1:
        sums.append(Sum("several ys", len(trace.ys), *line_of(_source_of(trace, found, trace.ys[0].uid))))
    for y in trace.ys:
        size = math.prod(y.dims) if y.uid in trace.terms and None not in y.dims else 1
        if size > 1:
            sums.append(Sum("elements of y", size, *line_of(_source_of(trace, found, y.uid))))
    for node in trace.nodes:
        sums += _find_rule_sums(trace, node)
    return sums + _find_uses(trace, trace.xs[0].uid, f"uses of {name}")


def _source_of(trace: Trace, found: Callable[[], Provenance], uid: int) -> Source | None:
    """Where the program asked for a target, inside a call too; `found` has the operations that are not in the sweep, and takes its time."""
    maker = next((node for node in trace.nodes if any(t.uid == uid for t in node.outputs)), None)
    known = found() if maker is None else Provenance()
    if maker is not None:
        known.add_node(maker)
    step = known.maker_of([uid])
    return None if step is None else step.source


def _find_uses(trace: Trace, x: int, what: str) -> list[Sum]:
    """The uses of the source, and of what is computed on the way: those at one place of the program are steps of a loop."""
    sums = []
    makers = {t.uid: node for node in trace.nodes for t in node.outputs}
    for uid, terms in [(x, uses_of(trace, x)), *((uid, terms) for uid, terms in trace.terms.items() if uid != x)]:
        maker = makers.get(uid)
        if len(terms) < 2 or uid not in trace.leads or (uid != x and maker is not None and maker.primitive.name == "ReadVariableOp"):
            continue  # the uses of a variable's value count as the variable's
        places = Counter(_place(term, i) for i, term in enumerate(terms) if term.node is not None)
        for (source, *_), count in places.items():
            if count > 1:
                sums.append(Sum("steps of a loop", count, *line_of(source)))
        if len(places) > 1:
            label = what if uid == x else f"uses of what {maker.primitive.name} gives" if maker is not None else "uses of a tensor"
            first = next(term.node for term in reversed(terms) if term.node is not None)
            sums.append(Sum(label, len(places), *_where(first)))
    return sums


def _place(term: Term, i: int) -> tuple[Any, ...]:
    """Where the program uses a tensor; all that rules do is asked for at one line, so each use there is a place of its own."""
    assert term.node is not None
    source = term.node.source
    file, line = line_of(source)
    return source, term.node.primitive, term.position, i if "gradient" in linecache.getline(file or "", line or 0) else None


def uses_of(trace: Trace, x: int) -> list[Term]:
    """The terms of a cotangent; for a variable those of the values that were read of it."""
    found: list[Term] = []
    for term in trace.terms.get(x, ()):
        is_read = term.node is not None and term.node.primitive.name == "ReadVariableOp"
        found += trace.terms.get(term.node.outputs[0].uid, ()) if is_read and term.node is not None else [term]
    return found


def _find_rule_sums(trace: Trace, node: Node) -> list[Sum]:
    """What the rule of one operation adds up: what it repeated, rows of a batch, rows taken more than once."""
    sums: list[Sum] = []
    out = node.outputs[0].dims
    name = node.primitive.name
    if not node.primitive.broadcasts and name not in _ADDING:
        return sums
    for i, t in enumerate(node.inputs):
        if t.uid not in trace.leads or t.dims is None or out is None or None in t.dims or None in out:
            continue
        repeated = math.prod(out) // max(math.prod(t.dims), 1) if node.primitive.broadcasts or name in _BROADCASTS else 1
        if repeated > 1:
            sums.append(Sum("dimensions that broadcasting repeated", repeated, *_where(node)))
        if name in _PRODUCTS and i == 1 and len(out) > 1 and math.prod(out[:-1]) > 1 and len(t.dims) == 2:
            sums.append(Sum("rows of a batch", math.prod(out[:-1]), *_where(node)))
        if name in _FILTERS and i == 1 and out[0] > 1:
            sums.append(Sum("rows of a batch", out[0], *_where(node)))
        if name in _ROWS and i == 0:
            most = _count_most_repeated(trace, node, t.uid)
            if most > 1:
                sums.append(Sum("repeated rows of IndexedSlices", most, *_where(node)))
    return sums


def _count_most_repeated(trace: Trace, node: Node, uid: int) -> int:
    """How often the row is taken that is taken most often."""
    for term in trace.terms.get(uid, ()):
        if term.node is node and isinstance(term.value, IndexedSlices) and isinstance(term.value.indices, EagerTensor):
            rows = np.bincount(np.ravel(term.value.indices.value) - int(np.min(term.value.indices.value, initial=0)))
            return int(rows.max(initial=0))
    return 0


def shares_of(trace: Trace) -> list[Share]:
    """What each use of the source contributes for each of the targets; all of them add up to the gradient."""
    shares = []
    for i, (y, g) in enumerate(zip(trace.ys, trace.gs, strict=True)):
        one = trace if len(trace.ys) == 1 else Trace(trace.recording, [y], [g], trace.xs)
        for term in uses_of(one, one.xs[0].uid):
            with compute_aside([term.value]):
                value = densify(term.value) if isinstance(term.value, IndexedSlices) else term.value
            file, line = _where(term.node) if term.node is not None else (None, None)
            shares.append(Share(i, None if term.node is None else term.node.primitive.name, file, line, value))
    return shares


def flow_of(trace: Trace) -> list[Flow]:
    """The norm of the cotangent at each operation on the way, from the targets to the source."""
    flow = []
    leads = trace.leads
    where: dict[Any, tuple[str | None, int | None]] = {}  # a loop of the program has few places
    for node in trace.nodes:
        given = [term for term in trace.given[id(node)] if node.inputs[term.position].uid in leads]
        norm = _norm_at(trace, node)
        after = math.hypot(*[trace.norm(term) for term in given])
        dtype = next((t.dtype for t in node.outputs if t.uid in trace.terms), node.outputs[0].dtype)
        source = getattr(node, "source", None)
        if source not in where:
            where[source] = line_of(source)
        flow.append(Flow(node.primitive.name, *where[source], norm, dtype.name, _remark(norm, after, [term.value for term in given])))
    return flow


def _norm_at(trace: Trace, node: Node) -> float:
    """The norm of the cotangents that a node got."""
    norms = []
    for t in node.outputs:
        given = trace.terms.get(t.uid)
        if given:
            norms.append(trace.norm(given[0]) if len(given) == 1 else norm_of(trace.cotangent(t.uid)))
    return math.hypot(*norms)


def _remark(before: float, after: float, given: list[Any]) -> str | None:
    if not given or not math.isfinite(before) or before == 0:
        return None
    if not math.isfinite(after):
        return "becomes infinite or NaN"
    if any(_has_underflown(g) for g in given):
        return "underflows"
    return "explodes" if after > _ONE * before else "vanishes" if after * _ONE < before else None


def _has_underflown(g: Any) -> bool:
    """Whether elements of a cotangent of two bytes each are below its smallest normal number."""
    value = getattr(g.values if isinstance(g, IndexedSlices) else g, "value", None)
    if not isinstance(value, np.ndarray) or value.dtype != np.float16:
        return False
    size = np.abs(value)
    return bool(np.any((size > 0) & (size < np.finfo(np.float16).smallest_normal)))


def summary_of(trace: Trace, flow: Callable[[], list[Flow]], end: float) -> str | None:
    """What became of the cotangent from one end to the other, where that is worth a sentence; `flow` is seldom asked."""
    is_half = any(getattr(term.value, "dtype", None) is float16 for terms in trace.terms.values() for term in terms)
    small = next((one for one in flow() if one.remark == "underflows"), None) if is_half else None
    if small is not None:
        return f"The cotangent underflows in {small.operation} (line {small.line}): {small.dtype} keeps few of its digits, or none."
    begin = math.hypot(*[norm_of(trace.cotangent(t.uid)) for node in trace.nodes[:1] for t in node.outputs])
    if not math.isfinite(end) or begin == 0 or not math.isfinite(begin):
        return None
    factor = end / begin
    word = "vanishes" if 0 < factor * _ALL < 1 else "explodes" if factor > _ALL else None
    if word is None:
        return None
    norms = [*(one.norm for one in flow()), end]
    steps = Counter[str]()
    for one, following in zip(flow(), norms[1:], strict=True):
        if one.norm > 0 and following > 0:
            steps[one.operation] += round(1000 * math.log10(following / one.norm))
    name = (min if factor < 1 else max)(steps, key=lambda operation: steps[operation])
    line = next(one.line for one in flow() if one.operation == name)
    return f"The cotangent {word} on the way, from a norm of {begin:.3g} to {end:.3g}, most of all in {name} (line {line})."
