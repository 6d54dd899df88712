"""Pullback in one file: the architecture as a program that runs.

A graph is a list of nodes recorded without values, a tape a list of nodes recorded with values. All the rest reads that list. Every section
below carries the name of the package it stands for; tests/test_model.py says what must hold. When the design changes, this changes first.

What it leaves out, because it adds length and no idea: names and scopes, variables, complex numbers, threads, and speed.
"""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]
Shape = tuple[int | None, ...]

# ------------------------------------------------------------------------------------------------------------------- ir: tensors and nodes
_uids = itertools.count()


@dataclass(frozen=True)
class Type:
    """What is known of a tensor before it has a value; a dimension may be unknown."""

    shape: Shape
    dtype: np.dtype[Any]


class Tensor:
    """A type, and a value where there is one: an eager tensor and a constant of a graph have it, the rest of a graph does not."""

    __slots__ = ("type", "uid", "value")

    def __init__(self, type: Type, value: Array | None = None, uid: int | None = None) -> None:
        self.type, self.value, self.uid = type, value, next(_uids) if uid is None else uid

    # Operators find their op by its name, so this layer imports no operation.
    def __add__(self, other: object) -> Tensor:
        return call("Add", self, other)

    def __mul__(self, other: object) -> Tensor:
        return call("Mul", self, other)

    def __truediv__(self, other: object) -> Tensor:
        return call("Div", self, other)

    def __neg__(self) -> Tensor:
        return call("Neg", self)


def tensor(value: object) -> Tensor:
    """A tensor stays itself; anything else becomes a constant."""
    if isinstance(value, Tensor):
        return value
    array = np.asarray(value)
    return Tensor(Type(array.shape, array.dtype), array)


@dataclass(frozen=True, eq=False)
class Node:
    """One application of one op."""

    primitive: Op
    inputs: tuple[Tensor, ...]
    attrs: Mapping[str, Any]
    outputs: tuple[Tensor, ...]


@dataclass(frozen=True)
class Rows:
    """A cotangent that is zero except in some rows: (ids, values) pairs, which add up where an id repeats."""

    parts: tuple[tuple[Tensor, Tensor], ...]
    shape: Tensor

    def dense(self) -> Tensor:
        return add_up(call("ScatterRows", ids, values, self.shape) for ids, values in self.parts)


Cotangent = Tensor | Rows


@dataclass(frozen=True)
class Rule:
    """A formula for the cotangents of some inputs. Its parameters say what it reads, so nothing else need be kept for it."""

    wrt: tuple[str, ...]
    formula: Callable[..., Any]
    reads: tuple[str, ...]

    def __call__(self, node: Node, gs: Sequence[Cotangent | None]) -> tuple[Cotangent | None, ...]:
        found = self.formula(*(self.look_up(name, node, gs) for name in self.reads))
        return found if isinstance(found, tuple) else (found,)

    @staticmethod
    def look_up(name: str, node: Node, gs: Sequence[Cotangent | None]) -> Any:
        op = node.primitive
        if name in op.cotangent_names:
            i = op.cotangent_names.index(name)
            g, output = gs[i], node.outputs[i]
            if g is None:
                return spread(tensor(np.zeros((), output.type.dtype)), shape_of(output))
            return g.dense() if isinstance(g, Rows) and not op.keeps_rows else g
        if name in op.inputs:
            return node.inputs[op.inputs.index(name)]
        if name in op.outputs:
            return node.outputs[op.outputs.index(name)]
        if name in node.attrs:
            return node.attrs[name]
        return shape_of(node.inputs[op.inputs.index(name.removesuffix("_shape"))])


@dataclass(frozen=True, eq=False)
class Op:
    """All that is known about an operation, in one record; each field has one reader."""

    name: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    infer: Callable[..., Type | tuple[Type, ...]]  # read while a graph is recorded
    kernel: Callable[..., Any]  # read while running
    rules: tuple[Rule, ...]  # read by the reverse sweep
    jvp: Callable[[Node, Sequence[Tensor | None]], Tensor] | None = None  # read by the forward sweep; else the rules are transposed
    batch: Callable[[Node, Sequence[Tensor], Sequence[bool]], Tensor] | None = None  # read by vectorize; else a loop
    lower: str | None = None  # read by the compiler; else the program calls the kernel
    broadcasts: bool = False  # read by the sweep: an input may be smaller than the output
    keeps_rows: bool = False  # read by the sweep: the rules take sparse cotangents

    @property
    def cotangent_names(self) -> tuple[str, ...]:
        return ("g",) if len(self.outputs) == 1 else tuple(f"g_{name}" for name in self.outputs)

    @property
    def saves(self) -> frozenset[str]:
        return frozenset(name for rule in self.rules for name in rule.reads)


OPS: dict[str, Op] = {}
Formulas = Mapping[Any, Callable[..., Any]]  # by the name of an input, or by a tuple of names where one formula serves several


def define(
    name: str, inputs: str, infer: Callable[..., Any], kernel: Callable[..., Any], vjp: Formulas, *, outputs: str = "out", **rest: Any
) -> Op:
    """Enter an op in the registry. A formula that reads what the op does not have is refused here, not when it first runs."""
    ins, outs = tuple(inputs.split()), tuple(outputs.split())
    attrs = {p.name for p in inspect.signature(infer).parameters.values() if p.kind is p.KEYWORD_ONLY}
    rules = []
    for key, formula in vjp.items():
        wrt, reads = (key if isinstance(key, tuple) else (key,)), tuple(inspect.signature(formula).parameters)
        rules.append(Rule(wrt, formula, reads))
        if unknown := set(wrt) - set(ins):
            raise TypeError(f"{name}: a gradient for {sorted(unknown)}, but the inputs are {ins}")
    op = Op(name, ins, outs, infer, kernel, tuple(rules), **rest)
    readable = {*op.cotangent_names, *ins, *outs, *attrs, *(f"{i}_shape" for i in ins)}
    if unreadable := op.saves - readable:
        raise TypeError(f"{name}: a gradient reads {sorted(unreadable)}; it may read {sorted(readable)}")
    if name in OPS:
        raise TypeError(f"{name} is defined twice")
    OPS[name] = op
    return op


# --------------------------------------------------------------------------------------------------------------------- ir: dispatch
Interpreter = Callable[[Op, tuple[Tensor, ...], Mapping[str, Any]], tuple[Tensor, ...]]


def run(op: Op, inputs: tuple[Tensor, ...], attrs: Mapping[str, Any]) -> tuple[Tensor, ...]:
    values = op.kernel(*(t.value for t in inputs), **attrs)
    return tuple(map(tensor, values if len(op.outputs) > 1 else (values,)))


def infer(op: Op, inputs: tuple[Tensor, ...], attrs: Mapping[str, Any]) -> tuple[Tensor, ...]:
    types = op.infer(*inputs, **attrs)
    return tuple(map(Tensor, types if isinstance(types, tuple) else (types,)))


_interpreter: ContextVar[Interpreter] = ContextVar("interpreter", default=run)
_recorders: ContextVar[tuple[Recording, ...]] = ContextVar("recorders", default=())


def apply(op: Op, *args: object, **attrs: Any) -> tuple[Tensor, ...]:
    """Every operation goes through here: the interpreter makes the outputs, every recorder hears of the node."""
    inputs = tuple(map(tensor, args))
    node = Node(op, inputs, attrs, _interpreter.get()(op, inputs, attrs))
    for recording in _recorders.get():
        recording.append(node)
    return node.outputs


def call(name: str, *args: object, **attrs: Any) -> Tensor:
    return apply(OPS[name], *args, **attrs)[0]


@dataclass
class Recording:
    """The list of nodes. It is append-only, so it is in topological order, and it knows who made which tensor."""

    forgetful: bool = False
    nodes: list[Node] = field(default_factory=list)
    maker: dict[int, int] = field(default_factory=dict)

    def append(self, node: Node) -> None:
        self.maker.update((t.uid, len(self.nodes)) for t in node.outputs)
        self.nodes.append(forget(node) if self.forgetful else node)


def forget(node: Node) -> Node:
    """Drop every value that no rule will read: a tape then keeps alive only what it needs."""

    def keep(name: str, t: Tensor) -> Tensor:
        return t if name in node.primitive.saves else Tensor(t.type, None, t.uid)

    op = node.primitive
    return Node(op, tuple(map(keep, op.inputs, node.inputs)), node.attrs, tuple(map(keep, op.outputs, node.outputs)))


@contextmanager
def recording(interpreter: Interpreter | None = None, forgetful: bool = False) -> Iterator[Recording]:
    nodes = Recording(forgetful)
    recorders, interpreters = _recorders.set((*_recorders.get(), nodes)), _interpreter.set(interpreter or _interpreter.get())
    try:
        yield nodes
    finally:
        _recorders.reset(recorders)
        _interpreter.reset(interpreters)


def tape() -> Any:
    return recording(forgetful=True)


def graph() -> Any:
    return recording(infer)


# ------------------------------------------------------------------------------------------------------------------------- ops: families
def broadcast_type(*ts: Tensor) -> Type:
    rank = max(len(t.type.shape) for t in ts)
    columns = zip(*((1,) * (rank - len(t.type.shape)) + t.type.shape for t in ts), strict=True)
    return Type(tuple(broadcast_size(column) for column in columns), ts[0].type.dtype)


def broadcast_size(sizes: tuple[int | None, ...]) -> int | None:
    known = {n for n in sizes if n not in (1, None)}
    if len(known) > 1:
        raise ValueError(f"sizes {sizes} do not broadcast")
    return known.pop() if known else None if None in sizes else 1


def elementwise(name: str, inputs: str, kernel: Callable[..., Any], partials: Mapping[str, Callable[..., Any]], lower: str) -> Op:
    """One partial derivative for each input gives the type rule, both derivatives and the batching."""

    def scaled(partial: Callable[..., Any]) -> Callable[..., Any]:
        def formula(g: Tensor, *read: Any) -> Any:
            return g * partial(*read)

        g, own = inspect.Parameter("g", inspect.Parameter.POSITIONAL_ONLY), inspect.signature(partial).parameters.values()
        formula.__signature__ = inspect.Signature([g, *own])  # type: ignore[attr-defined]
        return formula

    def jvp(node: Node, tangents: Sequence[Tensor | None]) -> Tensor:
        by_input = dict(zip(node.primitive.inputs, tangents, strict=True))
        return add_up(rule(node, [t])[0] for rule in node.primitive.rules if (t := by_input[rule.wrt[0]]) is not None)  # type: ignore[misc]

    def batch(node: Node, xs: Sequence[Tensor], batched: Sequence[bool]) -> Tensor:
        rank = max(len(x.type.shape) - b for x, b in zip(xs, batched, strict=True))
        return call(name, *(lift(x, rank) if b else x for x, b in zip(xs, batched, strict=True)))

    def lift(x: Tensor, rank: int) -> Tensor:
        n, *rest = x.type.shape
        return call("Reshape", x, np.array([n, *[1] * (rank - len(rest)), *rest]))

    formulas: Formulas = {i: scaled(partial) for i, partial in partials.items()}
    return define(name, inputs, broadcast_type, kernel, formulas, jvp=jvp, batch=batch, lower=lower, broadcasts=True)


def linear(name: str, inputs: str, infer: Callable[..., Any], kernel: Callable[..., Any], transpose: Callable[..., Any], **rest: Any) -> Op:
    """Linear in its first input: the op is its own JVP, and its transpose is its VJP."""

    def jvp(node: Node, tangents: Sequence[Tensor | None]) -> Tensor:
        return apply(node.primitive, tangents[0], *node.inputs[1:], **node.attrs)[0]

    return define(name, inputs, infer, kernel, {inputs.split(maxsplit=1)[0]: transpose}, jvp=jvp, **rest)


def add_up(ts: Iterable[Tensor]) -> Tensor:
    first, *rest = ts
    for t in rest:
        first = first + t
    return first


# ---------------------------------------------------------------------------------------------------------------------- ops: a few records
def shape_from(x: Tensor, shape: Tensor) -> Type:
    """A shape is an input: a constant is known while the graph is recorded, a computed one only when it runs."""
    known = (None,) * (shape.type.shape[0] or 0) if shape.value is None else tuple(map(int, shape.value))
    return Type(known, x.type.dtype)


def sum_to(x: Array, shape: Array) -> Array:
    lower = np.sum(x, axis=tuple(range(x.ndim - len(shape))), keepdims=False)
    found: Array = np.sum(lower, axis=tuple(i for i, n in enumerate(shape) if n == 1 != lower.shape[i]), keepdims=True)
    return found


def scatter_rows(ids: Array, values: Array, shape: Array) -> Array:
    out = np.zeros(shape, values.dtype)
    np.add.at(out, ids, values)
    return out


elementwise("Add", "x y", np.add, {"x": lambda: 1.0, "y": lambda: 1.0}, "{0} + {1}")
elementwise("Mul", "x y", np.multiply, {"x": lambda y: y, "y": lambda x: x}, "{0} * {1}")
elementwise("Neg", "x", np.negative, {"x": lambda: -1.0}, "-{0}")
elementwise("Sin", "x", np.sin, {"x": lambda x: call("Cos", x)}, "np.sin({0})")
elementwise("Cos", "x", np.cos, {"x": lambda x: -call("Sin", x)}, "np.cos({0})")
elementwise("Exp", "x", np.exp, {"x": lambda out: out}, "np.exp({0})")
define("Div", "x y", broadcast_type, np.divide, {("x", "y"): lambda g, y, out: (q := g / y, -q * out)}, broadcasts=True)  # shared work
linear("Identity", "x", lambda x: x.type, lambda x: x, lambda g: g, keeps_rows=True)
linear("Reshape", "x shape", shape_from, lambda x, shape: x.reshape(shape), lambda g, x_shape: call("Reshape", g, x_shape))
linear("SpreadTo", "x shape", shape_from, lambda x, shape: np.broadcast_to(x, shape), lambda g, x_shape: call("SumTo", g, x_shape))
linear("SumTo", "x shape", shape_from, sum_to, lambda g, x_shape: spread(g, x_shape))
linear("Transpose", "x", lambda x: Type(x.type.shape[::-1], x.type.dtype), np.transpose, lambda g: call("Transpose", g))
define("Shape", "x", lambda x: Type((len(x.type.shape),), np.dtype(int)), lambda x: np.array(x.shape, int), {})
define(
    "MatMul",
    "a b",
    lambda a, b: Type((a.type.shape[0], b.type.shape[1]), a.type.dtype),
    np.matmul,
    {"a": lambda g, b: matmul(g, call("Transpose", b)), "b": lambda g, a: matmul(call("Transpose", a), g)},
    lower="{0} @ {1}",
)
define(
    "Gather",
    "table ids",
    lambda table, ids: Type(ids.type.shape + table.type.shape[1:], table.type.dtype),
    lambda table, ids: table[ids],
    {"table": lambda g, ids, table_shape: Rows(((ids, g),), table_shape)},
)
define(
    "ScatterRows",
    "ids values shape",
    lambda ids, values, shape: shape_from(values, shape),
    scatter_rows,
    {"values": lambda g, ids: call("Gather", g, ids)},
)
define(  # two outputs, of which only one can have a cotangent
    "Largest",
    "x",
    lambda x: (Type((), x.type.dtype), Type((1,), np.dtype(int))),
    lambda x: (x.max(), np.array([x.argmax()])),
    {"x": lambda g_value, index, x_shape: Rows(((index, call("Reshape", g_value, np.array([1]))),), x_shape)},
    outputs="value index",
)


def matmul(a: Tensor, b: Tensor) -> Tensor:
    return call("MatMul", a, b)


def shape_of(x: Tensor) -> Tensor:
    """The shape as a tensor: a constant where it is known, computed at run time where it is not."""
    known = tuple(n for n in x.type.shape if n is not None)
    return tensor(np.array(known, int)) if len(known) == len(x.type.shape) else call("Shape", x)


def spread(x: Tensor, shape: Tensor) -> Tensor:
    return call("SpreadTo", x, shape)


def total(x: Tensor) -> Tensor:
    return call("SumTo", x, np.array([], int))


# ------------------------------------------------------------------------------------------------------------ transforms: the reverse sweep
def between(nodes: Recording, xs: Sequence[Tensor], ys: Sequence[Tensor]) -> tuple[list[Node], set[int]]:
    """The nodes on a path from xs to ys, in order, and the tensors that depend on xs. Costs what lies behind ys, however large the list."""
    behind: set[int] = set()
    todo = list(ys)
    while todo:
        position = nodes.maker.get(todo.pop().uid)
        if position is not None and position not in behind:
            behind.add(position)
            todo.extend(nodes.nodes[position].inputs)
    active, path = {x.uid for x in xs if differentiable(x)}, []
    for node in (nodes.nodes[position] for position in sorted(behind)):
        if any(t.uid in active for t in node.inputs):
            active.update(t.uid for t in node.outputs if differentiable(t))
            path.append(node)
    return path, active


def differentiable(t: Tensor) -> bool:
    return t.type.dtype.kind in "fc"


def pullback(nodes: Recording, ys: Sequence[Tensor], gs: Sequence[Tensor], xs: Sequence[Tensor]) -> list[Cotangent | None]:
    """Cotangents of ys go in, cotangents of xs come out. Whatever reads a tensor adds to its cotangent."""
    path, active = between(nodes, xs, ys)
    arrived: dict[int, list[Cotangent]] = {}
    for y, g in zip(ys, gs, strict=True):
        if y.uid in active:
            arrived.setdefault(y.uid, []).append(g)

    def cotangent(t: Tensor) -> Cotangent | None:
        if found := arrived.get(t.uid):
            found[:] = [aggregate(found)]
            return found[0]
        return None

    for node in reversed(path):
        incoming = [cotangent(t) for t in node.outputs]
        if all(g is None for g in incoming):
            continue
        wanted = {name for name, t in zip(node.primitive.inputs, node.inputs, strict=True) if t.uid in active}
        if missing := wanted.difference(*(rule.wrt for rule in node.primitive.rules)):
            raise LookupError(f"{node.primitive.name} has no gradient for {sorted(missing)}")
        for rule in node.primitive.rules:
            if not wanted.isdisjoint(rule.wrt):
                for name, pulled in zip(rule.wrt, rule(node, incoming), strict=True):
                    x = node.inputs[node.primitive.inputs.index(name)]
                    if name in wanted and pulled is not None:
                        arrived.setdefault(x.uid, []).append(undo_broadcast(pulled, x) if node.primitive.broadcasts else pulled)
    return [cotangent(x) for x in xs]


def undo_broadcast(g: Cotangent, x: Tensor) -> Cotangent:
    """Here, and so in no rule: an input that was repeated gets the sum over its repetitions."""
    if isinstance(g, Rows) or (g.type.shape == x.type.shape and None not in x.type.shape):
        return g
    return call("SumTo", g, shape_of(x))


def aggregate(gs: Sequence[Cotangent]) -> Cotangent:
    """Sparse stays sparse while everything is."""
    rows = [g for g in gs if isinstance(g, Rows)]
    if len(rows) == len(gs):
        return Rows(tuple(part for r in rows for part in r.parts), rows[0].shape)
    return add_up(g.dense() if isinstance(g, Rows) else g for g in gs)


# ------------------------------------------------------------------------------------------------- transforms: the forward sweep, batching
def pushforward(nodes: Recording, xs: Sequence[Tensor], ts: Sequence[Tensor], ys: Sequence[Tensor]) -> list[Tensor | None]:
    """Tangents of xs go in, tangents of ys come out."""
    tangent = {x.uid: t for x, t in zip(xs, ts, strict=True)}
    for node in between(nodes, xs, ys)[0]:
        arriving = [tangent.get(t.uid) for t in node.inputs]
        t = (node.primitive.jvp or transpose_rules)(node, arriving)
        tangent[node.outputs[0].uid] = spread(t, shape_of(node.outputs[0]))
    return [tangent.get(y.uid) for y in ys]


def transpose_rules(node: Node, tangents: Sequence[Tensor | None]) -> Tensor:
    """A rule is linear in its cotangent, so its own pullback is the derivative in the other direction."""
    live = {name: t for name, t in zip(node.primitive.inputs, tangents, strict=True) if t is not None}
    g = spread(tensor(np.zeros((), node.outputs[0].type.dtype)), shape_of(node.outputs[0]))
    with recording() as back:
        pulled = [(name, p) for rule in node.primitive.rules for name, p in zip(rule.wrt, rule(node, [g]), strict=True) if name in live]
        dense = [(name, p.dense() if isinstance(p, Rows) else p) for name, p in pulled if p is not None]
    (found,) = pullback(back, [p for _, p in dense], [live[name] for name, _ in dense], [g])
    assert isinstance(found, Tensor)
    return found


def vectorize(nodes: Recording, x: Tensor, rows: Tensor, y: Tensor) -> Tensor:
    """y for every row of x at once."""
    many = {x.uid: rows}
    for node in between(nodes, [x], [y])[0]:
        batched = [t.uid in many for t in node.inputs]
        many[node.outputs[0].uid] = (node.primitive.batch or loop_over)(node, [many.get(t.uid, t) for t in node.inputs], batched)
    return many[y.uid]


def loop_over(node: Node, xs: Sequence[Tensor], batched: Sequence[bool]) -> Tensor:
    count = next(len(x.value) for x, b in zip(xs, batched, strict=True) if b and x.value is not None)
    each = ([x.value[i] if b and x.value is not None else x.value for x, b in zip(xs, batched, strict=True)] for i in range(count))
    return tensor(np.stack([node.primitive.kernel(*row, **node.attrs) for row in each]))


# -------------------------------------------------------------------------------------------------------------------------------- compile
def source(nodes: Recording, xs: Sequence[Tensor], ys: Sequence[Tensor]) -> tuple[str, dict[str, Any]]:
    """A graph is printed as the Python that computes it; what nobody fetches is pruned."""
    names: dict[int, str] = {x.uid: f"x{i}" for i, x in enumerate(xs)}
    known: dict[str, Any] = {"np": np, "kernel": {name: op.kernel for name, op in OPS.items()}}

    def name_of(t: Tensor) -> str:
        if t.uid not in names:
            names[t.uid] = f"c{t.uid}"
            known[names[t.uid]] = t.value
        return names[t.uid]

    needed = {y.uid for y in ys}
    kept: list[Node] = []
    for node in reversed(nodes.nodes):
        if any(t.uid in needed for t in node.outputs):
            needed.update(t.uid for t in node.inputs)
            kept.append(node)
    lines = [f"def program({', '.join(map(name_of, xs))}):"]
    for node in reversed(kept):
        args = [name_of(t) for t in node.inputs]
        names.update((t.uid, f"v{t.uid}") for t in node.outputs)
        fallback = f"kernel[{node.primitive.name!r}]({', '.join([*args, *(f'{k}={v!r}' for k, v in node.attrs.items())])})"
        written = node.primitive.lower.format(*args) if node.primitive.lower else fallback
        lines.append(f"    {', '.join(map(name_of, node.outputs))} = {written}")
    return "\n".join([*lines, f"    return [{', '.join(map(name_of, ys))}]"]), known


def compiled(nodes: Recording, xs: Sequence[Tensor], ys: Sequence[Tensor]) -> Callable[..., list[Array]]:
    text, known = source(nodes, xs, ys)
    exec(text, known)
    program: Callable[..., list[Array]] = known["program"]
    return program


# ---------------------------------------------------------------------------------------------------------------------------- api: is thin
def gradients(nodes: Recording, ys: Sequence[Tensor], xs: Sequence[Tensor]) -> list[Cotangent | None]:
    ones = [spread(tensor(np.ones((), y.type.dtype)), shape_of(y)) for y in ys]
    return pullback(nodes, ys, ones, xs)


def number(g: Cotangent | None) -> Array:
    dense = g.dense() if isinstance(g, Rows) else g
    assert dense is not None and dense.value is not None
    return dense.value


def dense(g: Cotangent | None) -> Tensor:
    assert g is not None
    return g.dense() if isinstance(g, Rows) else g
