"""Bodies: graphs that are functions, with declared inputs, captures and outputs.

A tensor from outside that is used while a body is built becomes one of its inputs (a capture), so a body is closed: it can be run,
put into a node, differentiated.  A stand-in has the uid of what it stands for, so a tape that watches a tensor follows it into every body.
Constants that no gradient can reach are copied in instead.  `Body` is what a node holds: a graph, the placeholders that
stand for its inputs, and its outputs; several bodies may share one graph and differ in what they give.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import numpy as np

from ..base.dtypes import ANY, DType
from ..base.errors import InvalidArgumentError
from ..base.lazy_import import LazyModule
from ..base.shapes import show as show_dims
from .apply import EAGER_MEMORY, Site
from .arrays import hush, unhush
from .context import BUILDING, ROOT, Comparing, enter_graph
from .drawable import Drawn
from .fast_dispatch import dispatch_unary
from .graph import Graph
from .node import Nested, Node
from .op import Traits, define
from .plan import Plan, Run
from .references import READ, is_handle, is_snapshot, variable_type
from .tensor import Dims, DTypeLike, EagerTensor, SymbolicTensor, Tensor, TensorType

if TYPE_CHECKING:
    from ..pictures.diagram import Diagram
    from . import picture
else:
    picture = LazyModule("pullback.ir.picture")

T = TypeVar("T")


#: What `jit_compile` may be.
Jit = bool | Literal["xla"] | None


def _placeholder_kernel(*, site: Site, dtype: DType, shape: Dims) -> Any:
    names = {"float32": "float", "float64": "double", "float16": "half"}
    raise InvalidArgumentError(
        None,
        None,
        f"You must feed a value for placeholder tensor '{site.name}' with dtype {names.get(dtype.name, dtype.name)} and shape "
        f"{show_dims(shape)}",
    )


PLACEHOLDER = define(
    "Placeholder",
    "",
    lambda *, dtype, shape=None: TensorType(shape, dtype),
    _placeholder_kernel,
    {},
    stateful=True,
    traits=Traits(copies=True, repeatable=True),
)
IDENTITY = define(
    "Identity", "input", lambda input: TensorType(input.dims, input.dtype), lambda input: input, {"input": lambda g: g}, dtypes=ANY,
    holomorphic=False, sparse=True, by_element=True, pointwise=True, passes=True, lower=lambda builder, input: input, call=dispatch_unary,
    traits=Traits(same=True, shares=True, on_values=True, copies=True, moves=True, folds_in_part=True),
)  # fmt: skip


class FunctionGraph(Graph):
    """A graph that takes tensors of other graphs, and eager ones, in as inputs."""

    captures_others = True
    #: Whether even constants that gradients could reach are copied in: in the graph of a gradient nobody asks for theirs.
    copies_constants = False
    #: Whether gradients of loops made here keep few states and run steps again (`control/checkpointed.py`).
    spares_states = False
    #: What `jit_compile` asks for: native from the first run on (True), never (False), or once that pays; by XLA.
    jit: Jit = None

    def __init__(self, name: str, outer: Graph | None) -> None:
        super().__init__()
        self.function_name = name
        self.outer = outer
        self.inputs: list[SymbolicTensor] = []
        #: What a function returned: its tensors, and as it nests them.
        self.outputs: list[Any] = []
        self.structured_outputs: Any = None
        self.captured: dict[int, tuple[Tensor, SymbolicTensor]] = {}
        #: Who decides about variables made while this is built, and the tensors it is called on where they are known (trace/lifting.py).
        self.keeper: Any = None
        self.given: Sequence[Any] | None = None
        if outer is not None:
            self.depth = outer.depth + 1
            self._collections, self.seed = outer._collections, outer.seed
            self.keeper = outer.keeper if isinstance(outer, FunctionGraph) else None
        self.compares_elements = find_outer_graph(outer) is None and ROOT.graph is None and Comparing.elements
        self.site_prefix = f"{'' if outer is None else outer.site_prefix}{name}#{id(self)}/"

    @property
    def name(self) -> str:
        """The name of the function."""
        return self.function_name

    @property
    def outer_graph(self) -> Graph | None:
        """The graph that it was made in, None where that was none."""
        return self.outer

    def __str__(self) -> str:
        return f"FuncGraph(name={self.name}, id={id(self)})"

    @property
    def building_function(self) -> bool:
        """True: what is built here is a function's body."""
        return True

    def declare(self, dims: Dims, dtype: DTypeLike, name: str = "arg") -> SymbolicTensor:
        """A new input."""
        placeholder = self._stand_in(dims, dtype, name)
        self.inputs.append(placeholder)
        return placeholder

    def declare_like(self, tensor: Tensor, name: str) -> SymbolicTensor:
        """A new input for tensors like `tensor`; for a variable's handle it knows what variable that is."""
        declared = self.stand_in_like(tensor, name)
        self.inputs.append(declared)
        return declared

    def bind(self, tensor: Tensor, declared: SymbolicTensor) -> None:
        """Let an input stand for `tensor` from outside as well, wherever that is used while this is built; the first one does."""
        if tensor.uid not in self.captured:
            declared.uid = tensor.uid
            self.captured[tensor.uid] = (tensor, declared)

    def stand_in_like(self, tensor: Tensor, name: str) -> SymbolicTensor:
        """What stands here for a tensor like `tensor`, without being an input yet."""
        inner = self._stand_in(tensor.dims, tensor.dtype, name)
        if is_handle(tensor):
            inner.node.attrs = {**inner.node.attrs, "variable": variable_type(tensor)}
        return inner

    def _stand_in(self, dims: Any, dtype: Any, name: str) -> SymbolicTensor:
        with enter_graph(self):
            return PLACEHOLDER(dtype=dtype, shape=dims, name=self.unique_name(name) + "/")

    def own(self, tensor: Tensor, name: str = "Const") -> SymbolicTensor:
        """`tensor` as a tensor of this graph: one of its own, or the stand-in of one from outside."""
        if isinstance(tensor, SymbolicTensor):
            if tensor.node.graph is self:
                return tensor
            self._check_reach(tensor)
            if is_snapshot(tensor):
                return self._read_again(tensor)
        known = self.captured.get(tensor.uid)
        if known is not None:
            return known[1]
        if isinstance(tensor, SymbolicTensor) and tensor.node.primitive.name == "Const" and self._may_copy(tensor):
            inner = self.constant(np.array(tensor.node.attrs["value"]), name)
        else:
            inner = self._capture(tensor, name)
        self.captured[tensor.uid] = (tensor, inner)
        return inner

    def _read_again(self, reference: SymbolicTensor) -> SymbolicTensor:
        """A ref variable's value at this place of the body: what others read outside shows what the body writes."""
        handle = self.own(reference.node.inputs[0])
        with enter_graph(self):
            return READ.call(handle, name="read", **reference.node.attrs)

    def _may_copy(self, constant: SymbolicTensor) -> bool:
        """Whether nobody can ask for the gradient of a constant: not one further out than the body whose derivative this is."""
        return not constant.dtype.trainable or (self.copies_constants and constant.node.graph is self.outer)

    def _capture(self, tensor: Tensor, name: str) -> SymbolicTensor:
        """A new stand-in, named as TensorFlow's: after the input that it is first used for, or what it stands for if that is in a graph."""
        scope, _, used_for = name.rstrip("/").rpartition("/")
        scope = scope or self.scope
        with self.control_dependencies(None), self.name_scope(scope and f"{scope}/"):
            inner = self.stand_in_like(tensor, tensor.node.name if isinstance(tensor, SymbolicTensor) else used_for)
        inner.uid = tensor.uid
        if isinstance(tensor, SymbolicTensor):
            inner._constant = tensor.constant
        return inner

    def _find_awaited(self, control: Any) -> Node:
        """What is outside is waited for as a whole: the body runs after it, for it takes a tensor that is made then."""
        element = control._as_graph_element() if hasattr(control, "_as_graph_element") else control
        node = element.node if isinstance(element, SymbolicTensor) else element
        if not isinstance(node, Node) or node.graph is self:
            return super()._find_awaited(control)
        if isinstance(element, SymbolicTensor) and element.node.primitive.name != "Const":
            return self.own(element).node
        graph = node.graph
        with enter_graph(graph), graph.control_dependencies(None), graph.control_dependencies([node]):
            done = IDENTITY.call(graph.constant(np.array(0, np.int32), "done"))
        return self.own(done).node

    def _check_reach(self, tensor: SymbolicTensor) -> None:
        outer = self.outer
        while outer is not None:
            if tensor.node.graph is outer:
                return
            outer = outer.outer if isinstance(outer, FunctionGraph) else None
        inside = tensor.node.graph
        where = f"the function {inside.function_name!r}" if isinstance(inside, FunctionGraph) else "another graph"
        raise TypeError(
            f"{tensor!r} is out of scope and cannot be used here. It belongs to {where} and was made at {tensor.node.where}. "
            "Return it from there, or pass it in as an argument; do not keep it in a global, an attribute or a list "
            "(what the steps of a loop make is collected in a tf.TensorArray)."
        )

    def origin(self, tensor: SymbolicTensor) -> Tensor:
        """The outside tensor that a stand-in was made for, however far out it is; any other tensor of this graph itself."""
        outer, inner = self.captured.get(tensor.uid, (tensor, tensor))
        if inner is not tensor:
            return tensor
        return outer.node.graph.origin(outer) if isinstance(outer, SymbolicTensor) and outer is not tensor else outer

    def truncate(self, length: int) -> None:
        """Take back nodes, but never a stand-in: it is an input already."""
        captured = self.captured.values()
        keep = 1 + max((inner.node.position for _, inner in captured), default=-1)
        super().truncate(max(length, keep))

    def captures(self) -> list[tuple[Tensor, SymbolicTensor]]:
        """The outside tensors that became inputs, with their stand-ins."""
        declared = {t.node for t in self.inputs}
        return [(outer, t) for outer, t in self.captured.values() if t.node.primitive.name == "Placeholder" and t.node not in declared]

    def building(self) -> AbstractContextManager[None]:
        """Send ops to this graph for the length of a block."""
        return enter_graph(self)


#: What programs that look at `type(graph).__name__` find.
FunctionGraph.__name__ = FunctionGraph.__qualname__ = "FuncGraph"


class Body(Nested, Drawn):
    """A function as a value: the placeholders and outputs of a graph, and the plan that runs it.

    part: for a body that is a stretch of a larger one, its nodes; its inputs are then tensors that others make.
    """

    __slots__ = ("_effects", "_plan", "cache", "graph", "inlined", "inputs", "linked", "outputs", "part", "states", "trainable")

    def __init__(
        self,
        graph: FunctionGraph,
        inputs: Sequence[SymbolicTensor],
        outputs: Sequence[SymbolicTensor],
        part: frozenset[Node] | None = None,
    ) -> None:
        self.graph = graph
        self.part = part
        self.inputs = tuple(inputs)
        self.outputs = tuple(outputs)
        #: Whether gradients flow through each input.
        self.trainable = tuple([t.dtype.trainable for t in inputs])
        #: The inputs, by number, whose cotangents are zeros, not None, where no path leads to them.
        self.linked: frozenset[int] = frozenset()
        #: Whether TensorFlow has its nodes in the caller's graph: then None is told for each of them, not for the body as a whole.
        self.inlined = False
        self._plan: Plan | None = None
        self._effects: list[Node] | None = None
        self.states: dict[Node, dict[str, Any]] = {}
        self.cache: dict[Any, Any] = {}

    def __repr__(self) -> str:
        return f"<body {self.graph.function_name!r}: {len(self.inputs)} inputs, {len(self.outputs)} outputs, {len(self.graph.nodes)} nodes>"

    def _diagram(self) -> Diagram:
        return picture.picture_of_body(self, self.graph.function_name)

    def effects(self) -> list[Node]:
        """The nodes that change something, and so run whether their outputs are read or not."""
        if self._effects is None:
            own = self.part
            self._effects = [node for node in self.graph.nodes if (own is None or node in own) and node_has_effects(node)]
        return self._effects

    def with_outputs(self, outputs: Iterable[SymbolicTensor]) -> Body:
        """The same function with other outputs; what its nodes remember from run to run is the same."""
        body = Body(self.graph, self.inputs, tuple(outputs), self.part)
        body.states = self.states
        body.linked, body.inlined = self.linked, self.inlined
        return body

    def plan(self) -> Plan:
        """How to run it, made once."""
        if self._plan is None:
            with BUILDING:
                if self._plan is None:
                    self._plan = Plan(self.outputs, self.inputs, self.effects())
        self._plan.refresh()
        return self._plan

    def once(self, key: object, make: Callable[[], T]) -> T:
        """What `make` gives for this body, made once and kept under a key."""
        found: T | None = self.cache.get(key)
        if found is None:
            with BUILDING:
                found = self.cache.get(key)
                if found is None:
                    found = self.cache[key] = make()
        return found

    def run(self, values: Iterable[Any], run: Run, owned: frozenset[int] = frozenset()) -> Sequence[Any]:
        """The values of the outputs, as part of a run; the arrays of the inputs `owned` may be changed."""
        return self.plan().run_changing(values, run, owned) if owned else self.plan().run(values, run)

    def call(self, values: Iterable[Any], memory: dict[str, Any] = EAGER_MEMORY) -> Sequence[Any]:
        """The values of the outputs, as a run of its own: when it fails, what it wrote is taken back.

        memory: what it works on, where that is not eager execution's.
        """
        plan = self._plan or self.plan()
        ready = plan.ready
        if ready is not None:
            values = list(values)
            answers = ready(*values)
            if answers is not None:
                return answers
        run = Run(memory, self.states, plan)
        before = hush()
        try:
            return plan.run(values, run)
        except BaseException:
            run.take_back()
            raise
        finally:
            unhush(before)


def find_outer_graph(graph: Graph | None) -> Graph | None:
    """Where a graph's outermost function is called: another graph, or None for eager execution."""
    while isinstance(graph, FunctionGraph):
        graph = graph.outer
    return graph


def bodies_of(node: Node) -> list[Body]:
    """The bodies that a node holds in its attributes."""
    return [value for value in node.attrs.values() if isinstance(value, Body)] + [
        body for value in node.attrs.values() if isinstance(value, tuple) for body in value if isinstance(body, Body)
    ]


def node_has_effects(node: Node) -> bool:
    """Whether running the node changes something."""
    return node.primitive.effects or any(body.effects() for body in bodies_of(node))


def is_eager(tensor: object) -> bool:
    """Whether a tensor has a value."""
    return isinstance(tensor, EagerTensor)
