"""A plan as a native program for given shapes: native segments, and between them calls of the kernels that have no lowering.

Nodes are put in stages, in turn native and called, each as early as what it reads allows; nodes with effects keep their order.  Nothing
is changed before the whole program has run: new values of variables are results like others, and are put in place at the end.  So when
a segment reports a fault (an index out of range), the plan runs again on kernels, which know the words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from ..base.dtypes import variant
from ..base.lazy_import import LazyModule
from ..base.shapes import is_fully_known
from ..ir.function_graph import bodies_of, node_has_effects
from ..ir.node import Node
from ..ir.plan import FAILURES, Plan, Run, annotate_error, kernel_of, needed_nodes
from ..ir.references import is_handle, variable_type
from ..ir.tensor import SymbolicTensor, TensorType
from ..ops.state.locks import lock_all
from ..ops.state.variables import Storage, make_own
from . import llvm_ir as ir
from .compile_times import stage as timed_stage
from .emission.segment import Segment
from .lower import CONTROL, WITH_BODIES, constant, is_list_operation, is_native, is_plain, lower_operation, replaces_value
from .lowering.builder import Builder, Unsupported
from .lowering.draws import Draws, LoopDraws, finish, put_back
from .lowering.index_expr import Buffer, IndexExpr
from .lowering.partial_updates import choose_chained
from .lowering.specialise import specialise_graph
from .runtime import baseline, symbols
from .runtime.driver import SegmentProgram, Sources
from .runtime.layout import Fault, Layout, Native
from .runtime.machine import host
from .runtime.objects import load_cached

if TYPE_CHECKING:
    from . import control_flow, explain_parts
    from .parts import Part
    from .runtime import profile
else:
    control_flow = LazyModule("pullback.engine.control_flow")
    explain_parts = LazyModule("pullback.engine.explain_parts")
    profile = LazyModule("pullback.engine.runtime.profile")


#: What no stage has to run: others use its value, or only wait for it.
_NOT_PLACED = ("Const", "VarHandleOp", "NoOp")


class Stage:
    """A stretch of nodes that are all native (`builder`), or all called."""

    def __init__(self, builder: Builder | None) -> None:
        self.nodes: list[Node] = []
        self.builder = builder
        self.given: list[int] = []
        self.gives: list[int] = []

    @property
    def native(self) -> Builder:
        """The builder of a native stage."""
        assert self.builder is not None
        return self.builder


class Variables:
    """The variables that a native program reads and writes itself: their values are inputs, and their new values results.

    `now` has the tensor that stands for a variable's value, by handle; one that is written has another one at the end.
    """

    def __init__(self, nodes: Sequence[Node], fed: Iterable[SymbolicTensor], flow: bool) -> None:
        handles = {t.uid: t for t in (*fed, *(t for node in nodes for t in node.outputs)) if is_handle(t)}
        self.makers = [node for node in nodes if node.primitive.name == "VarHandleOp"]
        others = {t.uid for node in nodes if not _keeps_to_values(node, flow) for t in node.inputs if t.uid in handles}
        if any("PyFunc" in node.primitive.name for node in nodes):
            others.update(handles)
        self.start: dict[int, SymbolicTensor] = {}
        for uid, handle in handles.items():
            dtype, dims = variable_type(handle)
            if uid not in others and is_native(dtype, dims):
                self.start[uid] = SymbolicTensor(handle.node, 0, dims, dtype, None)
        self.now = dict(self.start)
        #: The numbers of the tensors that stand for values at the start.
        self.before = {t.uid for t in self.start.values()}

    def owns(self, node: Node) -> bool:
        """Whether all the variables that a node touches are the program's own."""
        handles = [t.uid for t in node.inputs if is_handle(t)]
        return bool(handles) and all(uid in self.start for uid in handles)

    @property
    def written(self) -> list[tuple[int, SymbolicTensor]]:
        """The handles of variables with new values, and the tensors that stand for those."""
        return [(uid, t) for uid, t in self.now.items() if t is not self.start[uid]]


def _keeps_to_values(node: Node, flow: bool) -> bool:
    """Whether all that a node does to variables is to read or replace their values.

    With `flow`, loops and branches may read them, and loops may replace them, with all that is in them.
    """
    if not flow or node.primitive.name not in CONTROL:
        return node.primitive.name == "ReadVariableOp" or (node.primitive.effects and node.primitive.lower is not None)
    return _reads_or_replaces(node, node.primitive.name == "While")


def _reads_or_replaces(node: Node, writes: bool) -> bool:
    """Whether all that is done to variables in a node's bodies is to read their values or, with `writes`, to replace them."""
    inside = [inner for body in bodies_of(node) for inner in body.plan().nodes]
    writes = writes and all(map(_may_have_code, inside))
    return all(
        inner.primitive.name == "ReadVariableOp"
        or (inner.primitive.name in WITH_BODIES and _reads_or_replaces(inner, writes))
        or (writes and replaces_value(inner))
        for inner in inside
        if any(is_handle(t) for t in inner.inputs)
    )


def _may_have_code(node: Node) -> bool:
    """Whether a node is not one that programs call in any case."""
    op = node.primitive
    return not op.stateful or op.lower is not None or op.name in ("ReadVariableOp", *_NOT_PLACED, *WITH_BODIES) or is_list_operation(node)


class Program:
    """What runs a plan natively for inputs of `types`.

    flow: whether loops, branches and lists are to be native too; in_place: whether rows of variables are changed where they are;
    as_kernel: whether it is to give a kernel's bits, and arrays of its own each time; else it fills arrays again that nobody holds, and
    takes floats below the least normal one for zeros.
    Raises Unsupported where that cannot be had.
    """

    #: What its native stages are written to.
    builder_type: ClassVar[type[Builder]] = Builder

    def __init__(
        self, plan: Plan, types: Sequence[TensorType], flow: bool = True, in_place: bool = True, timed: bool = False,
        as_kernel: bool = False,
    ) -> None:  # fmt: skip
        self._plan = plan
        self._as_kernel = as_kernel
        self._flow = flow
        self._in_place = in_place
        self._timed: list[Any] | None = [] if timed else None
        self.profile: profile.Profile | None = None
        with timed_stage("simplify"):
            self.spec = specialise_graph(plan.nodes, plan.fed, plan.fetched, types)
        self.refusals: dict[Node, str] = {}
        #: The segments as they were planned, by the number of their stage.
        self.planned: dict[int, Segment] = {}
        self._stages: list[Stage] = []
        self._stage_of: dict[int, int] = {}
        self._exprs: dict[int, dict[int, IndexExpr]] = {}
        graph = self.spec.graph
        effects = [node for node in graph.nodes if node_has_effects(node)]
        self._fed = {t.uid for t in self.spec.inputs}
        nodes = needed_nodes([*(t for t in self.spec.outputs if t is not None), *effects], self._fed)
        self._variables = Variables(nodes, self.spec.inputs, flow)
        given = {t.node for t in self.spec.inputs}
        self._fed |= {t.uid for node in self._variables.makers for t in node.outputs}
        self._fed |= self._variables.before
        self._draws = Draws(self.spec.origin)
        self._chained = choose_chained(nodes, self.spec.outputs)
        with timed_stage("lower"):
            self._place_nodes([node for node in nodes if node.primitive.name not in _NOT_PLACED and node not in given])
            self._connect()
        self.segments = self._compile()
        self._updates = [
            (uid, self._variables.start[uid].uid if self._is_in_place(new) else new.uid) for uid, new in self._variables.written
        ]
        #: The variables of which rows are changed where they are, and what stands for their values.
        self._changed = [(uid, self._variables.start[uid].uid) for uid, new in self._variables.written if self._is_in_place(new)]
        #: Where the program is one native segment for arrays and variables: what runs it, with no stages between.
        self.single = self._single()
        self.ready = None if self.single is None else self.single.ready

    def _single(self) -> SegmentProgram | None:
        if len(self.segments) != 1 or any(s.nodes for s in self._stages if s.builder is None) or self._variables.makers or self._draws:
            return None
        ((at, native),) = self.segments.items()
        code: Any = native
        stage = self._stages[at]
        fed = {t.uid: i for i, t in enumerate(self.spec.inputs)}
        variables = {start.uid: fed[uid] for uid, start in self._variables.start.items()}
        given = [(variables[uid], True) if uid in variables else (fed[uid], False) for uid in stage.given]
        place = {uid: i for i, uid in enumerate(stage.gives)}
        answers: list[tuple[str, Any]] = []
        for t in self.spec.outputs:
            if t is None or t.node.primitive.name == "Const":
                answers.append(("known", None if t is None else t.node.attrs["value"]))
            else:
                answers.append(("output", place[t.uid]) if t.uid in place else ("fed", fed[t.uid]))
        writes = [(fed[uid], place[t.uid]) for uid, t in self._variables.written if t.uid in place]
        changed = [fed[uid] for uid, _ in self._changed]
        return SegmentProgram(self._plan, code, Sources(len(fed), given, answers, writes, changed))

    # ---- stages

    def _place_nodes(self, nodes: Sequence[Node]) -> None:
        last_effect = first = 0
        for node in nodes:
            owned = self._variables.owns(node)
            read = [self._variables.now[t.uid] if owned and is_handle(t) else t for t in node.inputs]
            stages = [self._stage_of[t.uid] for t in read if t.uid in self._stage_of]
            if self._may_be_native(node, read, owned):
                if self._lower(node, read, max([first, *(s + s % 2 for s in stages)])):
                    continue
            if owned:
                raise Unsupported(f"{node.primitive.name} of a variable: {self.refusals.get(node)}")
            at = max((s + 1 - s % 2 for s in stages), default=1)
            if node.primitive.stateful:
                at = last_effect = max(at, last_effect)
            if node.primitive.traits.early:
                first = at + 1
            self._stage(at).nodes.append(node)
            self._stage_of.update((t.uid, at) for t in node.outputs)

    def _stage(self, at: int) -> Stage:
        while len(self._stages) <= at:
            self._stages.append(Stage(None if len(self._stages) % 2 else self.builder_type()))
        return self._stages[at]

    def _may_be_native(self, node: Node, read: Sequence[SymbolicTensor], owned: bool) -> bool:
        if node.primitive.name in CONTROL or is_list_operation(node):
            return self._flow and all(t.dtype is variant or is_native(t.dtype, t.dims) for t in read)
        return (owned or not node.primitive.stateful or Draws.has(node)) and all(is_native(t.dtype, t.dims) for t in read)

    def _lower(self, node: Node, inputs: Sequence[SymbolicTensor], at: int) -> bool:
        stage = self._stage(at)
        builder = stage.native
        builder.chained = self._chained
        mark, known = builder.mark(), len(stage.given)
        draws = builder.loop_draws = LoopDraws(node, lambda t: self._form(t, at)) if node.primitive.name in CONTROL else None
        try:
            streams = self._draws.streams(node) if Draws.has(node) else ()
            given = [self._form(t, at) for t in (*streams, *inputs)]
            found = self._lower_node(node, builder, given, bool(streams))
        except Unsupported as reason:
            self._draws.forget(node)
            self._take_back_inputs(stage, at, known)
            of_lists = is_list_operation(node) or node.primitive.name in CONTROL
            if self._flow and of_lists and any(t.dtype is variant for t in (*node.inputs, *node.outputs)):
                raise
            builder.rollback(mark)
            self.refusals[node] = str(reason)
            return False
        stage.nodes.append(node)
        if node.primitive.name == "While":
            values = found[len(node.outputs) :]
            self._write(node, [node.inputs[place] for place in builder.replaced], values, at)
        elif node.primitive.effects:
            self._write(node, [t for t in node.inputs if is_handle(t)], found, at)
        for t, expr in zip(node.outputs, found, strict=False):
            self._define(t, expr, at)
        if draws is not None:
            self._draws.add_loop(draws)
            for body, times in draws.times.items():
                self._define(times, draws.counts[body], at)
        return True

    def _take_back_inputs(self, stage: Stage, at: int, known: int) -> None:
        """Forget the arrays that a stage was given, all but the first so many."""
        for uid in stage.given[known:]:
            del self._exprs[at][uid]
        del stage.given[known:], stage.native.inputs[known:]

    def _lower_node(self, node: Node, builder: Builder, inputs: list[IndexExpr], drawn: bool) -> list[Any]:
        """The outputs of a node; drawn: whether it draws random numbers from streams that are among its inputs."""
        if node.primitive.name == "ReadVariableOp":
            return inputs
        if node.primitive.effects or drawn or is_plain(node, builder, inputs):
            return lower_operation(node, builder, inputs)
        return control_flow.lower_node(node, builder, inputs)

    def _define(self, t: SymbolicTensor, expr: IndexExpr, at: int) -> None:
        self._stage_of[t.uid] = at
        self._exprs.setdefault(at, {})[t.uid] = expr

    def _write(self, node: Node, handles: Sequence[SymbolicTensor], values: Sequence[IndexExpr], at: int) -> None:
        """Let the results of a node that writes variables stand for their values."""
        for handle, expr in zip(handles, values, strict=False):
            old = self._variables.start[handle.uid]
            new = self._variables.now[handle.uid] = SymbolicTensor(node, 0, old.dims, old.dtype, None)
            self._define(new, expr, at)

    def _form(self, t: SymbolicTensor, at: int) -> IndexExpr:
        """A tensor as an expression in stage `at`: computed there, a constant, or an array it is given."""
        exprs = self._exprs.setdefault(at, {})
        known = exprs.get(t.uid)
        if known is None:
            builder = self._stages[at].native
            if t.dtype is variant:
                known = self._new_list(t, at, builder)
            elif t.node.primitive.name == "Const":
                known = constant(t.node.attrs["value"], builder)
            else:
                assert is_fully_known(t.dims)
                known = builder.input(t.dims, t.dtype.numpy_dtype)
                self._stages[at].given.append(t.uid)
                if self._in_place and t.uid in self._variables.before:
                    builder.changeable.add(known.place)
            exprs[t.uid] = known
        if isinstance(known, Buffer) and self._is_changed(t, at):
            raise Unsupported("a variable is read after some of its rows were changed")
        return known

    def _new_list(self, t: SymbolicTensor, at: int, builder: Builder) -> Any:
        """A list that is made of tensors alone, in another stage than where it was made first."""
        node = t.node
        if t.uid in self._fed or not is_list_operation(node) or any(given.dtype is variant for given in node.inputs):
            raise Unsupported("a list that comes from outside")
        if not all(is_native(given.dtype, given.dims) for given in node.inputs):
            raise Unsupported("a list of tensors whose shape is known when it runs")
        return control_flow.lower_node(node, builder, [self._form(given, at) for given in node.inputs])[node.outputs.index(t)]

    def _is_changed(self, t: SymbolicTensor, at: int) -> bool:
        """Whether a tensor is what a variable becomes when rows of it are changed in place."""
        expr, builder = self._exprs[at].get(t.uid), self._stages[at].builder
        if builder is None or not isinstance(expr, Buffer) or expr.place not in builder.changed:
            return False
        return t.uid not in self._variables.before

    def _is_in_place(self, t: SymbolicTensor) -> bool:
        return self._is_changed(t, self._stage_of[t.uid])

    def _connect(self) -> None:
        """Let each native stage give away what later stages and the caller read."""
        wanted: dict[int, None] = {}
        for at, stage in enumerate(self._stages):
            reads = stage.given if stage.builder is not None else [t.uid for node in stage.nodes for t in node.inputs]
            wanted.update((uid, None) for uid in reads if self._stage_of.get(uid, at) < at)
        wanted.update((t.uid, None) for t in self.spec.outputs if t is not None)
        wanted.update((uid, None) for uid in self._draws.counted)
        wanted.update((t.uid, None) for _, t in self._variables.written if not self._is_in_place(t))
        for uid in wanted:
            at = self._stage_of.get(uid, -1)
            home = self._stages[at] if at >= 0 else None
            if home is not None and home.builder is not None:
                expr = self._exprs[at][uid]
                if not isinstance(expr, IndexExpr):
                    raise Unsupported("a list that is given away")
                if isinstance(expr, Buffer) and expr.place in home.builder.changed:
                    raise Unsupported("a variable whose rows are changed is given away")
                home.gives.append(uid)
                home.builder.output(expr)

    def parts(self) -> tuple[Part, ...]:
        """What it runs, in order, for `explain`."""
        return explain_parts.parts_of(self)

    # ---- code

    def _compile(self) -> Mapping[int, Callable[..., Sequence[Any]]]:
        self._emit_module(stops=True, named=symbols.compile_ahead)
        others: dict[str, int] = {}
        if self._timed is not None:
            self.profile = profile.Profile([profile.Region(name, 0, 0) for name, _ in self._timed])
            others = {**profile.symbols(), "pb_profile": self.profile.address}
        code = load_cached(self.text, lambda names: symbols.addresses(names) | others, baseline=self._begins_with_baseline())
        again = 0 if self._as_kernel else 2
        return {at: Native(layout, code, again, flushes=not self._as_kernel) for at, layout in self.layouts.items()}

    def _begins_with_baseline(self) -> bool:
        """Whether its first code is to be there soon, rather than run fast (`runtime.baseline`); one with loops may run for any time."""
        if self._timed is not None or any(segment.has_loop for segment in self.planned.values()):
            return False
        return baseline.is_worthwhile(self.text, sum(segment.own_work for segment in self.planned.values()))

    def _emit_module(self, stops: bool, named: Callable[[str], object] | None = None) -> None:
        """The segments' code as `text`; stops: whether Ctrl-C ends it; named: is told the functions that it calls, as they come."""
        module = ir.Module("program", named)
        machine = host()
        for at, stage in enumerate(self._stages):
            if stage.builder is not None and stage.gives:
                with timed_stage("fuse"):
                    segment = self.planned[at] = Segment(f"segment{at}", stage.builder, machine.vector_bits // 8)
                segment.timed, segment.stops = self._timed, stops
                with timed_stage("emit"):
                    segment.emit(module)
        module.triple = machine.triple
        with timed_stage("emit"):
            self.text = str(module)
        self.layouts = {at: layout_of(segment) for at, segment in self.planned.items()}

    # ---- running

    @property
    def memory(self) -> int:
        """The bytes that the program keeps for intermediate results and constants."""
        return sum(layout.arena + sum(c.nbytes for c in layout.constants) for layout in self.layouts.values())

    def run(self, values: Sequence[Any], run: Run) -> list[Any] | None:
        """The values of what was fetched; None where a native segment could not give its results."""
        if self.single is not None:
            return self.single.run(values, run)
        known: dict[int, Any] = dict(zip([t.uid for t in self.spec.inputs], values, strict=True))
        for node in self._variables.makers:
            self._call(node, known, run)
        variables = [value for value in known.values() if isinstance(value, Storage)] if self._updates else ()
        with lock_all(variables):
            return self._run_or_fail(known, run)

    def _run_or_fail(self, known: dict[int, Any], run: Run) -> list[Any] | None:
        written, moved = dict(run.journal), dict(run.moved or {})
        try:
            return self._run(known, run)
        except Fault:
            run.take_back(written)
            put_back(run, moved)
            return None

    def _run(self, known: dict[int, Any], run: Run) -> list[Any]:
        begun = self._draws.take(known, run)
        for uid, start in self._variables.start.items():
            known[start.uid] = known[uid].value
        for uid, value in self._changed:
            storage = known[uid]
            if storage.value is not None:
                last = run.plan is self._plan and self._ends_with_changes()
                known[value] = None  # or it would count as held by somebody
                known[value] = make_own(storage) if last else storage.value.copy()
        if self._updates and len({id(known[uid]) for uid in self._variables.start}) < len(self._variables.start):
            raise Fault("one variable is given under two names")
        for at, stage in enumerate(self._stages):
            if stage.builder is None:
                for node in stage.nodes:
                    self._call(node, known, run)
            elif at in self.segments:
                known.update(zip(stage.gives, self.segments[at](*[known[uid] for uid in stage.given]), strict=True))
        finish(begun, known, run)
        for uid, new in self._updates:
            storage, value = known[uid], known[new]
            run.note(storage, value)
            storage.value = value
        return [None if t is None else self._value(t, known) for t in self.spec.outputs]

    def _ends_with_changes(self) -> bool:
        """Whether nothing that can fail comes after the segment that changes arrays where they are."""
        at = max(i for i, stage in enumerate(self._stages) if stage.builder is not None and stage.builder.deferred)
        return not any(stage.nodes for stage in self._stages[at + 1 :])

    def _value(self, t: SymbolicTensor, known: dict[int, Any]) -> Any:
        return t.node.attrs["value"] if t.node.primitive.name == "Const" else known[t.uid]

    def _call(self, node: Node, known: dict[int, Any], run: Run) -> None:
        origin = self.spec.origin[node]
        given = node.primitive.arguments(tuple([self._value(t, known) for t in node.inputs]))
        values = [list(v) if isinstance(v, tuple) else v for v in given]
        attrs = {name: node.attrs[name] for name in node.primitive.attributes}
        kernel = kernel_of(origin)
        try:
            result = kernel(run, *values, **attrs) if node.primitive.stateful else kernel(*values, **attrs)
        except FAILURES as error:
            raise annotate_error(origin, [self._value(t, known) for t in node.inputs], error) from None
        several = result if isinstance(result, (tuple, list)) else (result,)
        known.update(zip([t.uid for t in node.outputs], several, strict=False))


def layout_of(segment: Segment) -> Layout:
    """Where the arrays of a segment lie in its memory."""
    builder = segment.builder
    return Layout(
        segment.name,
        segment.arena_bytes,
        tuple(builder.constants),
        builder.words,
        tuple([(stack.word, stack.of) for stack in builder.stacks]),
        tuple([(b.dims, b.dtype) for b in builder.inputs]),
        tuple([(b.dims, b.dtype) for b in builder.outputs]),
        segment.is_long,
    )
