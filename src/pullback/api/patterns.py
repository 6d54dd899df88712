"""Which element of a result depends on which element of the sources: patterns, found by sending index sets along with the values.

A recorder hears every operation and gives each tensor a boolean matrix with a row for each of its elements and a column for each source
element.  How sets go through an op follows from its record:

- element by element: the union of what is broadcast together;
- linear ops (`transforms.tangents.is_linear`) are asked: run on numbers that name elements, an op that moves elements (a view, a gather,
  a concatenation) says where each came from, and the rule of one that adds them up (a sum, a scatter) says where each went.  Both answers
  are verified with random numbers;
- reductions unite along their axes, products of matrices and `einsum` unite rows and columns, and the zeros of a constant matrix are known;
  a convolution with a constant filter is asked once for each element of the filter;
- an op whose batching rule says that leading axes are a batch mixes no more than what is left;
- functions, branches and loops are run operation by operation;
- any other op mixes everything: right, and said in the error when it makes a matrix that is not sparse.

Where the elements came from may depend on values (a gather by computed indices).  Such an op counts as mixing everything it could reach.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..base.dtypes import variant
from ..ir.apply import apply
from ..ir.context import Context, Recorder, enter_context, start_listening, stop_listening
from ..ir.function_graph import Body
from ..ir.node import Node
from ..ir.op import Op
from ..ir.tensor import EagerTensor
from ..ops.batching import broadcast_rows
from ..transforms.reverse import cotangents_of
from ..transforms.sparse import densify
from ..transforms.tangents import is_bilinear, is_linear
from .endpoints import call_with, source_tensor, targets_of
from .index_sets import numbers, rows_by_name, size_of, unions, unite_present

Pattern = Any
Array = np.ndarray
#: What stands for the pattern of a list of tensors: not known.
LIST = object()
_MOST = 200_000_000
#: The most elements of a constant factor that are looked at one by one.
_TAPS = 512


class PatternError(ValueError):
    """A pattern that cannot be had: an op that mixes so much that the matrix is not sparse, or numbers that are not real."""


def pattern_of(function: Callable[[Any], Any], sources: object, flat: Sequence[Any]) -> Pattern:
    """The pattern of the Jacobian of `function` at `sources` (whose flat tensors and variables are `flat`), a boolean CSR matrix.

    A row for each element of the floating results, one after the other, a column for each element of the sources.
    Raises PatternError (a ValueError) for complex numbers and where the pattern would have more than 200 million entries.
    """
    from scipy.sparse import csr_array, identity, vstack

    recorder = _Patterns(flat)
    units = identity(recorder.width, dtype=bool, format="csr")
    start = 0
    for source in flat:
        size = _count(source)
        recorder.follow(source_tensor(source), csr_array(units[start : start + size]))
        start += size
    start_listening(recorder)
    try:
        ys = targets_of(call_with(function, sources))
    finally:
        stop_listening(recorder)
    blocks = [recorder.pattern(y) for y in ys if y.dtype.trainable]
    found = csr_array(vstack(blocks, format="csr")) if blocks else csr_array((0, recorder.width), dtype=bool)
    found.sort_indices()
    return found


def _count(source: Any) -> int:
    return size_of(source.shape.as_list())


class _Patterns(Recorder):
    """The recorder: patterns by uid of what depends on the sources, and of what depends on them in any way at all."""

    def __init__(self, flat: Sequence[Any]) -> None:
        self.active: dict[int, Any] = {}
        self.touched: set[int] = set()
        self.width = sum(_count(source) for source in flat)

    def read(self, variable: Any) -> None:
        """Variables are followed by their handles."""

    def follow(self, tensor: Any, pattern: Pattern) -> None:
        self.active[tensor.uid] = pattern
        self.touched.add(tensor.uid)

    def pattern(self, tensor: Any) -> Pattern:
        """The pattern of a tensor; empty where it does not depend on the sources."""
        from scipy.sparse import csr_array

        found = self.active.get(tensor.uid)
        return csr_array((tensor.value.size, self.width), dtype=bool) if found is None else found

    def record(self, op: Op, inputs: tuple[Any, ...], attrs: dict[str, Any], outputs: tuple[Any, ...], node: Node | None) -> None:
        """The patterns of the outputs of an operation."""
        if node is not None or not any(t.uid in self.touched for t in inputs):
            return
        self.touched.update(t.uid for t in outputs)
        if op.rules == () or not any(t.uid in self.active for t in inputs) or not any(t.dtype.trainable for t in outputs):
            return
        if any(isinstance(t, EagerTensor) and t.dtype.is_complex for t in (*inputs, *outputs)):
            raise PatternError(f"{op.name} works on complex numbers, and patterns are found for real ones")
        inner = self._inside(op, attrs, inputs)
        if inner is not None:
            self.active.update((out.uid, self.active[t.uid]) for out, t in zip(outputs, inner, strict=True) if t.uid in self.active)
            return
        if any(t.dtype is variant for t in outputs):
            self.active.update((t.uid, LIST) for t in outputs)
            return
        if any(self.active.get(t.uid) is LIST for t in inputs):
            raise PatternError(f"{op.name} reads a list of tensors, through which index sets are not followed")
        for out, pattern in zip(outputs, self._find_patterns(Node(op, inputs, attrs, outputs)), strict=True):
            if pattern is not None and out.dtype.trainable:
                if pattern.nnz > _MOST:
                    raise PatternError(
                        f"{op.name} mixes so much that the pattern has {pattern.nnz} entries: the matrix is not sparse, and jacobian "
                        "or hessian is the function to ask"
                    )
                self.active[out.uid] = pattern

    # ---- how sets go through one op

    def _find_patterns(self, node: Node) -> list[Pattern]:
        op, inputs = node.primitive, node.inputs
        flows = _flows(node)
        live = [i for i in flows if inputs[i].uid in self.active]
        if not live:
            return [None] * len(node.outputs)
        if op.name == "ReadVariableOp":
            return [self.active[inputs[0].uid]]
        if op.name == "Cast" or op.pointwise or op.batch is broadcast_rows:
            return [self._unite_elements(node, live)]
        steered = any(inputs[i].uid in self.touched for i in range(len(inputs)) if i not in flows)
        if [spec.name for spec in op.inputs] == ["input", "reduction_indices"] and not steered:
            return [self._unite_axes(node)]
        if not steered and is_linear(op):
            found = self._trace_moves(node, live) or self._trace_sums(node, live)
            if found is not None:
                return found
        if op.traits.transposes:
            return [self._product(node)]
        found = self._einsum(node, live) if op.name == "Einsum" else self._by_taps(node, live) if is_bilinear(op) else None
        return found or self._by_rows(node, live) or self._everything(node, live)

    def _unite_elements(self, node: Node, live: Sequence[int]) -> Pattern:
        """Element by element."""
        shape = node.outputs[0].value.shape
        total = None
        for i in live:
            x = node.inputs[i]
            pattern = self.active[x.uid]
            if x.value.shape != shape:
                pattern = pattern[np.broadcast_to(numbers(x.value.shape), shape).ravel()]
            total = pattern if total is None else total + pattern
        return total

    def _trace_moves(self, node: Node, live: Sequence[int], other: dict[int, Array] | None = None) -> list[Pattern] | None:
        """Where each element of the outputs came from, if each is a multiple of one element or zero; `other`: values for some inputs."""
        stacked, starts = self._stack_patterns(node, live)
        names: Array = np.arange(1.0, stacked.shape[0] + 1.0)
        random: Array = np.asarray(np.random.default_rng(12).uniform(1.0, 2.0, names.shape))
        answers = [_run(node, self._name_inputs(node, starts, values, other or {})) for values in (np.ones(names.shape), names, random)]
        if any(answer is None or any(part.dtype != np.float64 for part in answer) for answer in answers):
            return None
        found: list[Pattern] = []
        for scale, named, check in zip(*(map(np.ravel, answer or ()) for answer in answers), strict=True):
            where = np.zeros(scale.shape, np.int64)
            reached = scale != 0.0
            where[reached] = np.rint(named[reached] / scale[reached])
            if where.size and not (where.min() >= 0 and where.max() <= names.size):
                return None
            if not names.size and reached.any():
                return None
            expected = np.where(reached, scale * random[np.maximum(where, 1) - 1], 0.0) if names.size else scale
            if not np.allclose(expected, check, rtol=1e-12, atol=0.0):
                return None
            found.append(rows_by_name(stacked, where))
        return found

    def _name_inputs(self, node: Node, starts: dict[int, int], values: Array, other: dict[int, Array]) -> list[Array]:
        """The inputs with names (or numbers) in the places of the live elements, zeros in the other floating ones."""
        flows = _flows(node)
        given = []
        for i, t in enumerate(node.inputs):
            if i in starts:
                given.append(values[starts[i] : starts[i] + t.value.size].reshape(t.value.shape))
            else:
                given.append(other.get(i, np.zeros(t.value.shape) if i in flows else t.value))
        return given

    def _by_taps(self, node: Node, live: Sequence[int]) -> list[Pattern] | None:
        """A product with something constant and small (a filter): the union of what each of its elements that is not zero moves."""
        others = _flows(node) - set(live)
        if len(live) != 1 or len(others) != 1:
            return None
        constant = others.pop()
        if node.inputs[constant].uid in self.touched:
            return None
        value = node.inputs[constant].value
        taps = np.flatnonzero(value)
        if taps.size > _TAPS:
            return None
        total: list[Pattern] | None = None
        for tap in taps:
            alone = np.zeros(value.shape)
            alone.reshape(-1)[tap] = 1.0
            part = self._trace_moves(node, live, {constant: alone})
            if part is None:
                return None
            total = part if total is None else [a + b for a, b in zip(total, part, strict=True)]
        return total

    def _einsum(self, node: Node, live: Sequence[int]) -> list[Pattern] | None:
        """For each element of the result the elements of an operand that its sum runs over."""
        left, _, right = str(node.attrs["equation"]).replace(" ", "").partition("->")
        terms = left.split(",")
        if "." in left + right or any(len(set(term)) < len(term) for term in (*terms, right)):
            return None
        extents = {label: n for term, t in zip(terms, node.inputs, strict=True) for label, n in zip(term, t.value.shape, strict=True)}
        summed = [label for label in extents if label not in right]
        space = [*right, *summed]
        if size_of([extents[label] for label in space]) > _MOST // 10:
            return None
        total: Pattern = None
        for i in live:
            order = [label for label in space if label in terms[i]]
            own = numbers(node.inputs[i].value.shape).transpose([terms[i].index(label) for label in order])
            wide = own.reshape([extents[label] if label in terms[i] else 1 for label in space])
            groups = np.broadcast_to(wide, [extents[label] for label in space])
            shape = size_of([extents[label] for label in right]), size_of([extents[label] for label in summed])
            part = unions(self.active[node.inputs[i].uid], groups.reshape(shape))
            total = part if total is None else total + part
        return [total]

    def _stack_patterns(self, node: Node, live: Sequence[int]) -> tuple[Pattern, dict[int, int]]:
        """The patterns of the live inputs, one under the other, and where each begins."""
        from scipy.sparse import csr_array, vstack

        starts, at = {}, 0
        for i in live:
            starts[i] = at
            at += node.inputs[i].value.size
        patterns = [self.active[node.inputs[i].uid] for i in live]
        return patterns[0] if len(patterns) == 1 else csr_array(vstack(patterns, format="csr")), starts

    def _trace_sums(self, node: Node, live: Sequence[int]) -> list[Pattern] | None:
        """Where each element of the inputs went, if each goes to one element of the outputs at most."""
        from scipy.sparse import csr_array

        wide = _widen_node(node)
        if wide is None:
            return None
        sizes = [t.value.size for t in node.outputs]
        ends = np.cumsum(sizes)
        total = int(ends[-1])
        random: Array = np.asarray(np.random.default_rng(34).uniform(1.0, 2.0, total))
        weighed = [self._pull_numbers(wide, live, numbers, ends) for numbers in (np.ones(total), np.arange(1.0, total + 1.0), random)]
        found: list[Pattern] = [None] * len(sizes)
        for k, i in enumerate(live):
            scale, named, check = (w[k] for w in weighed)
            if scale is None or named is None or check is None:
                continue
            reached = scale != 0
            where = np.zeros(scale.shape, np.int64)
            where[reached] = np.rint(named[reached] / scale[reached]).astype(np.int64) - 1
            if where.size and not (where.min() >= 0 and where.max() < max(total, 1)):
                return None
            if not np.allclose(scale * random[where] if total else scale, check, rtol=1e-9, atol=0.0):
                return None
            elements = np.flatnonzero(reached)
            for o, end in enumerate(ends):
                mine = elements[(where[elements] >= end - sizes[o]) & (where[elements] < end)]
                places = (where[mine] - (end - sizes[o]), mine)
                share = csr_array((np.ones(mine.size, bool), places), shape=(sizes[o], scale.size)) @ self.active[node.inputs[i].uid]
                found[o] = share if found[o] is None else found[o] + share
        return found

    def _pull_numbers(self, node: Node, live: Sequence[int], numbers: Array, ends: Array) -> list[Array | None]:
        parts = np.split(numbers, ends[:-1])
        gs = [EagerTensor(part.reshape(t.value.shape)) for part, t in zip(parts, node.outputs, strict=True)]
        with enter_context(Context(None, ())):
            pairs = cotangents_of(node, gs[0] if len(gs) == 1 else gs, {node.inputs[i].uid for i in live})
            by_uid = {x.uid: np.ravel(densify(g).value) for x, g in pairs}
        return [by_uid.get(node.inputs[i].uid) for i in live]

    def _unite_axes(self, node: Node) -> Pattern:
        """A union along the axes of a reduction."""
        x, axes = node.inputs[0].value, np.ravel(node.inputs[1].value)
        gone = sorted({int(a) % x.ndim for a in axes}) if x.ndim else []
        left = [a for a in range(x.ndim) if a not in gone]
        groups = (
            numbers(x.shape).transpose([*left, *gone]).reshape(size_of([x.shape[a] for a in left]), size_of([x.shape[a] for a in gone]))
        )
        return unions(self.active[node.inputs[0].uid], groups)

    def _product(self, node: Node) -> Pattern:
        """Row i of the first factor, column j of the second; with a constant factor, only where that one is not zero."""
        flags = [bool(node.attrs[name]) for name in node.primitive.traits.transposes]
        a, b = node.inputs
        first, second = numbers(a.value.shape), numbers(b.value.shape)
        first = np.swapaxes(first, -1, -2) if flags[0] else first
        second = np.swapaxes(second, -1, -2) if flags[1] else second
        shape = node.outputs[0].value.shape
        rows, columns, inner = shape[-2], shape[-1], first.shape[-1]
        count = size_of(shape[:-2])
        first = np.broadcast_to(first, (*shape[:-2], rows, inner)).reshape(count, rows, inner)
        second = np.broadcast_to(second, (*shape[:-2], inner, columns)).reshape(count, inner, columns)
        total = None
        turned = np.swapaxes(second, 1, 2)
        for by_column, mine, x, other, y in ((False, first, a, turned, b), (True, turned, b, first, a)):
            if x.uid not in self.active:
                continue
            pattern = self.active[x.uid]
            if y.uid not in self.touched and np.count_nonzero(y.value) < y.value.size:
                part = unite_present(pattern, mine, np.ravel(y.value)[other] != 0)
            else:
                united = unions(pattern, mine.reshape(mine.shape[0] * mine.shape[1], inner))
                part = united[np.repeat(np.arange(mine.shape[0] * mine.shape[1]), other.shape[1])]
            if by_column:
                order = np.arange(count * columns * rows).reshape(count, columns, rows).swapaxes(1, 2)
                part = part[order.ravel()]
            total = part if total is None else total + part
        return total

    def _by_rows(self, node: Node, live: Sequence[int]) -> list[Pattern] | None:
        """For an op to which leading axes are a batch: everything in one entry of the batch, and all of the inputs that are not in rows."""
        kind, names = getattr(node.primitive.batch, "kind", None), getattr(node.primitive.batch, "names", ())
        if kind not in ("alike", "folded") or node.primitive.variadic is not None:
            return None
        in_rows = [not names or spec.name in names for spec in node.primitive.inputs]
        free = 1 if kind == "folded" else _free_axes(node, in_rows)
        if not free:
            return None
        batch = node.outputs[0].value.shape[:free]
        if any(t.value.shape[:free] != batch for t in node.outputs):
            return None
        if any(node.inputs[i].value.shape[:free] != batch for i in live if in_rows[i]):
            return None
        count = size_of(batch)
        united: Pattern = None
        for i in live:
            x = node.inputs[i]
            entries = count if in_rows[i] else 1
            groups = numbers(x.value.shape).reshape(entries, x.value.size // max(entries, 1))
            part = unions(self.active[x.uid], groups)
            part = part if in_rows[i] else part[np.zeros(count, np.int64)]
            united = part if united is None else united + part
        return [united[np.repeat(np.arange(count), t.value.size // max(count, 1))] for t in node.outputs]

    def _everything(self, node: Node, live: Sequence[int]) -> list[Pattern]:
        """Every element of the outputs depends on all that the inputs depend on."""
        total: Pattern = None
        for i in live:
            part = unions(self.active[node.inputs[i].uid], numbers((1, node.inputs[i].value.size)))
            total = part if total is None else total + part
        entries = total.nnz * sum(t.value.size for t in node.outputs)
        if entries > _MOST:
            raise PatternError(
                f"{node.primitive.name} mixes all elements of its inputs, so the pattern would have {entries} entries: the matrix is not "
                "sparse, and jacobian or hessian is the function to ask"
            )
        return [total[np.zeros(t.value.size, np.int64)] for t in node.outputs]

    # ---- bodies

    def _inside(self, op: Op, attrs: dict[str, Any], values: Sequence[Any]) -> list[Any] | None:
        """The results of a function, a branch or a loop whose operations are run one by one; None for any other op."""
        if op.name == "PartitionedCall":
            return self._run_body(attrs["f"], values)
        if op.name == "Case":
            branches, index = attrs["branches"], int(values[0].value)
            return self._run_body(branches[index if 0 <= index < len(branches) else -1], values[1:])
        if op.name != "While":
            return None
        count = len(attrs["body"].outputs)
        found, fixed = list(values[:count]), values[count:]
        while bool(self._run_body(attrs["cond"], [*found, *fixed])[0].value):
            found = self._run_body(attrs["body"], [*found, *fixed])
        return found

    def _run_body(self, body: Body, values: Sequence[Any]) -> list[Any]:
        known = {t.uid: v for t, v in zip(body.inputs, values, strict=True)}
        with enter_context(Context(None, (self,))):
            for node in body.graph.nodes:
                if all(t.uid in known for t in node.outputs) or node.primitive.effects:
                    continue
                if node.primitive.name == "Const":
                    known[node.outputs[0].uid] = EagerTensor(node.attrs["value"])
                elif all(t.uid in known for t in node.inputs):
                    given = node.primitive.arguments(tuple(known[t.uid] for t in node.inputs))
                    kept = {name: node.attrs[name] for name in node.primitive.attributes}
                    flat = self._inside(node.primitive, node.attrs, [known[t.uid] for t in node.inputs])
                    if flat is None:
                        answer = apply(node.primitive, tuple(list(a) if isinstance(a, tuple) else a for a in given), kept)
                        flat = list(answer) if isinstance(answer, (list, tuple)) else [answer]
                    known.update((t.uid, v) for t, v in zip(node.outputs, flat, strict=True))
        return [known[t.uid] for t in body.outputs]


# ---- nodes with other inputs


def _flows(node: Node) -> set[int]:
    """The places of the inputs that gradients flow to."""
    op = node.primitive
    if not op.rules:
        return set(range(len(node.inputs)))
    spans = op.spans(len(node.inputs))
    return {position for i in op.differentiable for position in spans[i]}


def _run(node: Node, given: Sequence[Array]) -> list[Array] | None:
    """The node's kernel on other arrays; None where it does not take them."""
    attrs = {name: node.attrs[name] for name in node.primitive.attributes}
    try:
        answer = node.primitive.kernel(*[list(a) if isinstance(a, tuple) else a for a in node.primitive.arguments(tuple(given))], **attrs)
    except (TypeError, ValueError):
        return None
    return [np.asarray(a) for a in (answer if isinstance(answer, (list, tuple)) else [answer])]


def _widen_node(node: Node) -> Node | None:
    """The node in float64, so that names of elements are exact."""
    inputs = [EagerTensor(t.value.astype(np.float64)) if t.dtype.is_floating else t for t in node.inputs]
    given = node.primitive.arguments(tuple(inputs))
    attrs = {name: node.attrs[name] for name in node.primitive.attributes}
    try:
        with enter_context(Context(None, ())):
            answer = apply(node.primitive, tuple(list(a) if isinstance(a, tuple) else a for a in given), attrs)
    except (TypeError, ValueError):
        return None
    return Node(node.primitive, tuple(inputs), node.attrs, tuple(answer) if isinstance(answer, (list, tuple)) else (answer,))


def _free_axes(node: Node, in_rows: Sequence[bool]) -> int:
    """How many leading axes the op does without: as many as its type rule lets one drop."""
    ranks = [t.value.ndim for t, flag in zip(node.inputs, in_rows, strict=True) if flag]
    attrs = {name: node.attrs[name] for name in node.primitive.attributes}
    for free in range(min(ranks, default=0), 0, -1):
        types = [_Cut(t, free) if flag else t for t, flag in zip(node.inputs, in_rows, strict=True)]
        try:
            answer = node.primitive.infer(*types, **attrs)
        except (TypeError, ValueError, IndexError):
            continue
        kinds = answer if isinstance(answer, tuple) else (answer,)
        if all(k.dims == t.value.shape[free:] for k, t in zip(kinds, node.outputs, strict=True)):
            return free
    return 0


class _Cut:
    """The type of a tensor without its first axes."""

    constant = None

    def __init__(self, tensor: Any, free: int) -> None:
        self.dims = tensor.value.shape[free:]
        self.dtype = tensor.dtype
