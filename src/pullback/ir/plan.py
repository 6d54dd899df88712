"""A plan: the nodes that a set of outputs needs, in an order they can run in, and the two ways to run them.

A plan is made once per graph, outputs and given inputs, and knows no session: stateful kernels work on a `Run`, so one plan serves
many sessions and many calls.  A run keeps a journal of the storages it writes; whoever started it takes the writes back when it
fails.  Small plans, and those that run again and again, become one Python function (`program`); others are walked (`walk`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from itertools import count
from types import CodeType
from typing import TYPE_CHECKING, Any

from ..base.dtypes import string
from ..base.errors import InvalidArgumentError, OpError
from ..base.lazy_import import LazyModule
from ..kernels.backend import ENGINE
from ..kernels.memory_limit import WIDE, require_room_together
from .apply import Site, explain_error, wrap
from .arrays import copy_array, ndarray
from .context import BUILDING
from .in_place import Chain, chained_links, changed_variables, find_chains, order_nodes
from .interpreter import Interpreter
from .node import Node
from .python_code import FIRST_LINE, NATIVE_RUNS, PlanFunction, compile_nodes
from .references import defer_reads
from .strings import give_arrays, map_columns
from .tensor import SymbolicTensor, TensorType

if TYPE_CHECKING:
    from ..base import progress
    from . import long_runs, overlapping
else:
    progress = LazyModule("pullback.base.progress")
    long_runs = LazyModule("pullback.ir.long_runs")
    overlapping = LazyModule("pullback.ir.overlapping")

_SMALL = 256
FAILURES = (OpError, ValueError, TypeError, IndexError, OverflowError, ZeroDivisionError, MemoryError)
#: The code of a run that has a bar, which ends with it.
SHOWN: list[CodeType] = []


class Run:
    """What stateful kernels work on: the memory all share, what each node remembers, and the values that writes replaced.

    plan: the plan that the whole run is, where whoever started it says so: what ends that plan can no longer be taken back.
    deadline: the time (`time.monotonic`) at which operations that wait give up.
    """

    __slots__ = ("deadline", "is_counted", "journal", "memory", "moved", "plan", "states")

    def __init__(
        self, memory: dict[str, Any], states: dict[Node, dict[str, Any]], plan: Plan | None = None, deadline: float | None = None
    ) -> None:
        self.memory = memory
        self.states = states
        self.plan = plan
        self.deadline = deadline
        self.journal: dict[Any, tuple[Any, Any]] = {}
        #: Whether the engine counts the time of a plan that this run is inside of.
        self.is_counted = False
        #: By its place, where a random stream stood before the run, and where it stands.
        self.moved: dict[Any, tuple[Any, Any]] | None = None

    def note(self, storage: Any, value: Any) -> None:
        """Remember what a storage had, which is going to be given a value."""
        known = self.journal.get(storage)
        self.journal[storage] = (storage.value if known is None else known[0]), value

    def take_back(self, mark: dict[Any, tuple[Any, Any]] | None = None) -> None:
        """Give every storage written the value it had, or had when the journal was `mark`, unless another thread has written to it."""
        mark = mark or {}
        for storage, entry in self.journal.items():
            if entry is not mark.get(storage):
                storage.exchange(entry[1], mark[storage][1] if storage in mark else entry[0])
        self.journal = dict(mark)


class Plan:
    """The nodes that `fetched` needs when `fed` is given, and those of `always`."""

    def __init__(self, fetched: Sequence[Any], fed: Iterable[SymbolicTensor], always: Iterable[Node] = ()) -> None:
        self.fed = list(fed)
        self.fetched = list(fetched)
        self._always = list(always)
        self._find_nodes()
        self._program: PlanFunction | None = None
        self._walk: Interpreter | None = None
        self._runs = 0
        #: The engine's own: what it knows of this plan; whether a program is wanted soon, and whether the first run waits for it.
        self.jit_state: Any = None
        #: A function of the fed values alone, where there is a native program that needs nothing else; None is its answer when it cannot.
        self.ready: Callable[..., Sequence[Any] | None] | None = None
        #: Where the native program is another device's: moves tensors there.
        self.move_tensors: Callable[[Sequence[Any]], None] | None = None
        self.soon = self.waits = False

    def _find_nodes(self) -> None:
        given = {t.uid for t in self.fed}
        needed = needed_nodes([*self.fetched, *self._always], given)
        self.nodes = [node for node in defer_reads(needed, self.fetched, self.fed) if node.primitive.name != "Const"]
        if sum(node.primitive.traits.together is not None for node in self.nodes) > 1:
            self.nodes = overlapping.join_calls(self.nodes, given)
        if any(node.primitive.traits.early for node in self.nodes):
            self.nodes = overlapping.order_early_starts(self.nodes, given)
        self._growths = self.nodes[0].graph.growths if self.nodes else 0
        self._chains: dict[int, Chain] | None = None
        self._changing: dict[frozenset[int], PlanFunction] = {}

    def give(self, makers: Collection[Node]) -> None:
        """Have the outputs of some of the nodes, which read nothing and wait for nothing, given too, in the same order."""
        self.fed += [t for node in makers for t in node.outputs]
        given = set(makers)
        self.nodes = [node for node in self.nodes if node not in given]

    def _kernels(self) -> list[Callable[..., Any]]:
        """What runs each node: strings stay packed from one to the next where nobody else reads them."""
        nodes = self.nodes
        if not any(node.primitive.packed is not None for node in nodes):
            chained = chained_links(nodes, self.fetched) if any(node.primitive.changes is not None for node in nodes) else {}
            return [kernel_of(node, node.primitive.changes if _follows(node, chained) else None) for node in nodes]
        unpacked = {t.uid for t in self.fetched if isinstance(t, SymbolicTensor)}
        unpacked.update(t.uid for node in nodes if node.primitive.packed is None for t in node.inputs)
        return [kernel_of(node) if any(t.uid in unpacked for t in node.outputs) else _kernel_over_columns(node) for node in nodes]

    @property
    def chains(self) -> dict[int, Chain]:
        """By its number, what is fetched that is a fed tensor changed where it is, or as it was."""
        if self._chains is None:
            self._chains = find_chains(self.nodes, self.fed, self.fetched)
        return self._chains

    def changing(self, owned: frozenset[int]) -> PlanFunction:
        """The plan as a function that changes the arrays of the fed tensors `owned`, by number, where `chains` lead from them."""
        program = self._changing.get(owned)
        if program is None:
            with BUILDING:
                program = self._changing[owned] = self._make_changing([chain for chain in self.chains.values() if chain.start in owned])
        return program

    def _make_changing(self, chains: Sequence[Chain]) -> PlanFunction:
        nodes = order_nodes(self.nodes, chains)
        assert nodes is not None  # `find_chains` gives only such
        kernels = dict(zip(self.nodes, self._kernels(), strict=True))
        positions: dict[Node, set[int]] = {}
        for chain in chains:
            for link in chain.links:
                positions.setdefault(link.node, set()).add(link.position)
            kernels.update((part, _wrap_copy(kernels[part])) for part in (*chain.parts, *(p for link in chain.links for p in link.parts)))
        for node, places in positions.items():
            if node.primitive.changes is not None:
                kernels[node] = kernel_of(node, node.primitive.changes)
            elif node.primitive.hands_on is not None:
                kernels[node] = kernel_of(node, partial(node.primitive.kernel, owned=frozenset(places)))
        return compile_nodes(nodes, self.fed, self.fetched, [kernels[node] for node in nodes])

    def refresh(self) -> None:
        """Find the nodes again if some were given more inputs since (loops: the lists that their gradients read)."""
        if self.nodes and self._growths != self.nodes[0].graph.growths:
            with BUILDING:
                self._find_nodes()

    def run(self, values: Iterable[Any], run: Run) -> Sequence[Any]:
        """The values of the fetched tensors (None for operations), given those of the fed ones."""
        return ENGINE.run_plan(self, list(values), run)

    def run_on_kernels(self, values: Iterable[Any], run: Run) -> Sequence[Any]:
        """The same, from the nodes' kernels."""
        program = self._program
        if program is None:
            look_on()
            self._runs += 1
            if len(self.nodes) > _SMALL * self._runs:
                return self._walk_nodes(values, run)
            with BUILDING:
                self.refresh()
                program = self._program = self._program or compile_nodes(self.nodes, self.fed, self.fetched, self._kernels())
            self._walk = None
        try:
            return program.function(run, *values)
        except FAILURES as error:
            node, inputs = self._failing(program, error)
            raise annotate_error(node, inputs, error) from None
        finally:
            if SHOWN:
                long_runs.end(program.function.__code__)

    def run_changing(self, values: Iterable[Any], run: Run, owned: frozenset[int]) -> Sequence[Any]:
        """`run`, by a function that changes the arrays of the fed tensors `owned`."""
        program = self.changing(owned)
        try:
            return program.function(run, *values)
        except FAILURES as error:
            node, inputs = self._failing(program, error)
            raise annotate_error(node, inputs, error) from None

    def _failing(self, program: PlanFunction, error: Exception) -> tuple[Node, list[Any]]:
        """The node whose kernel raised `error`, and the values it was called with."""
        trace = error.__traceback__
        while trace is not None and trace.tb_frame.f_code is not program.function.__code__:
            trace = trace.tb_next
        if trace is None:
            raise error
        node = program.nodes[trace.tb_lineno - FIRST_LINE]
        known = {**trace.tb_frame.f_globals, **trace.tb_frame.f_locals}
        return node, [known.get(program.names[t.uid]) for t in node.inputs]

    def _walk_nodes(self, values: Iterable[Any], run: Run) -> list[Any]:
        with BUILDING:
            if self._walk is None:
                self.refresh()
            walk = self._walk = self._walk or Interpreter(self.nodes, self.fed, self.fetched, self._kernels())
        at = 0
        places: list[Any] = []
        try:
            for at in walk.run(run, values, places):  # noqa: B007  # read when a step fails
                pass
        except FAILURES as error:
            node = walk.nodes[at]
            raise annotate_error(node, [places[walk.place[t.uid]] for t in node.inputs], error) from None
        finally:
            if SHOWN:
                long_runs.end(Plan._walk_nodes.__code__)
        return walk.answers(places)


def look_on(native: CodeType | None = None) -> None:
    """Have a bar for what runs long, where somebody sees it.  native: code that is such a run, besides plans and loops."""
    if native is not None:
        NATIVE_RUNS.add(native)
    if progress.is_watched():
        long_runs.look_on(Plan._walk_nodes.__code__, run_steps.__code__, SHOWN)


def annotate_error(node: Node, inputs: Sequence[Any], error: Exception) -> Exception:
    """The error of a kernel as TensorFlow would have it, with the node and where it was made."""
    if isinstance(error, OpError) and error.op is not None:
        return error
    values = tuple(_as_type(t, value) for t, value in zip(node.inputs, inputs, strict=True))
    attrs = {name: node.attrs[name] for name in node.primitive.attributes}
    said = explain_error(node.primitive, node.primitive.arguments(values), attrs, error)
    message = said.message.split(" [Op:")[0] if isinstance(said, OpError) else str(said)
    where = f"\n\t [[{{{{node {node.name}}}}}]] (op {node.primitive.name}, made at {node.where})"
    kind: Any = type(said) if isinstance(said, OpError) and type(said) is not OpError else InvalidArgumentError
    return kind(None, node, message + where)


def _as_type(tensor: SymbolicTensor, value: Any) -> Any:
    """What an op's type rule is told of an input's value."""
    return TensorType(tensor.dims, tensor.dtype) if value is None else wrap(value)


def needed_nodes(fetched: Sequence[Any], fed: set[int]) -> list[Node]:
    """The nodes that the fetched tensors and operations need where some tensors are fed, by uid, in an order in which they can run."""
    seen: set[Node] = set()
    pending = [t.node if isinstance(t, SymbolicTensor) else t for t in fetched if not (isinstance(t, SymbolicTensor) and t.uid in fed)]
    while pending:
        node = pending.pop()
        if node not in seen:
            seen.add(node)
            pending += [t.node for t in node.inputs if t.uid not in fed]
            pending += [c for c in node._control_inputs if c.primitive.name != "Placeholder" or c.outputs[0].uid not in fed]
    return sorted(seen, key=lambda node: node.position)


def _follows(node: Node, chained: Mapping[Node, int]) -> bool:
    """Whether a node changes what another one of its chain made, which nobody else reads."""
    return node in chained and node.inputs[0].node in chained


def _kernel_over_columns(node: Node) -> Callable[..., Any]:
    op = node.primitive
    return kernel_of(node) if op.packed is None or op.stateful else map_columns(op.packed)


def _wrap_copy(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """A kernel whose result is no view of what it reads."""

    def call(*values: Any, **attrs: Any) -> Any:
        result = kernel(*values, **attrs)
        return result.copy() if type(result) is ndarray and result.base is not None else result

    return call


def kernel_of(node: Node, instead: Callable[..., Any] | None = None) -> Callable[..., Any]:
    """What runs a node: its op's kernel, or another one `instead`, which for a stateful op takes the run first."""
    kernel = node.primitive.kernel if instead is None else instead
    if node.primitive.packed is None and any(t.dtype is string for t in node.outputs):
        kernel = give_arrays(kernel)
    if node.primitive.stateful:
        return _bind_site(node, kernel)
    return _wrap_memory_check(kernel) if instead is None and _may_grow(node) else kernel


def _may_grow(node: Node) -> bool:
    """Whether broadcasting may make much more of what a node of two inputs reads than there is of it."""
    op, inputs = node.primitive, node.inputs
    if not op.broadcasts or op.lists or len(inputs) != 2:
        return False
    a, b = inputs[0].dims, inputs[1].dims
    if a is None or b is None or None in a or None in b:
        return a != () and b != ()
    return a != b and math.prod(a) * math.prod(b) > WIDE


def _wrap_memory_check(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """A kernel of two arrays before which memory is asked for where broadcasting makes many elements of few."""

    def call(a: Any, b: Any, **attrs: Any) -> Any:
        if a.shape != b.shape and a.size * b.size > WIDE:
            require_room_together(a, b)
        return kernel(a, b, **attrs)

    return call


def run_steps(
    test: Plan, step: Plan, variables: Sequence[Any], invariants: Sequence[Any], run: Run, owned: frozenset[int] = frozenset()
) -> Sequence[Any]:  # fmt: skip
    """The values after `step` ran again and again while `test` of them held; straight from function to function once both are ready.

    owned: the variables whose arrays may be changed from the first step on; others of which each step changes a part are copied once.
    """
    turns = turns_before = 0
    while test._program is None or step._program is None:
        if not test.run((*variables, *invariants), run)[0]:
            return variables
        variables = step.run((*variables, *invariants), run)
        turns = turns_before = turns + 1
    changed = changed_variables(step.chains)
    first, then = test._program, step._program
    if changed:
        variables = [copy_array(v) if number in changed and number not in owned else v for number, v in enumerate(variables)]
        then = step.changing(frozenset(changed))
    holds, after = first.function, then.function
    try:
        for turns in count(turns_before):  # noqa: B007  # a bar shows it
            if not holds(run, *variables, *invariants)[0]:
                break
            variables = after(run, *variables, *invariants)
    except FAILURES as error:
        for plan, program in ((test, first), (step, then)):
            if program.ran(error):
                node, inputs = plan._failing(program, error)
                raise annotate_error(node, inputs, error) from None
        raise
    finally:
        if SHOWN:
            long_runs.end(run_steps.__code__)
    return variables


def _bind_site(node: Node, kernel: Callable[..., Any]) -> Callable[..., Any]:
    name = node.graph.site_prefix + node.name

    def call_at_site(run: Run, *values: Any, **attrs: Any) -> Any:
        states = run.states
        state = states.get(node)
        if state is None:
            state = states.setdefault(node, {})
        return kernel(*values, site=Site(run.memory, name, state, run), **attrs)

    return call_at_site
