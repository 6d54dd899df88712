"""Which interpreter runs an op and who listens: a context variable, so threads and async code stay apart.

`graph` is the graph that new nodes go to, or None for eager execution; `recorders` are the tapes that are recording.
The root context is what code sees that entered nothing; TensorFlow 1's face points it at the default graph.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from threading import RLock
from typing import TYPE_CHECKING, Any

from ..base.export import export

if TYPE_CHECKING:
    from .graph import Graph
    from .node import Node
    from .op import Memory, Op
    from .tensor import Tensor


class Dispatch:
    """What tensors and records call of the modules that are made of them: each puts its function here when it is loaded.

    apply: the way in of `ir.apply`, of an op, its arguments, attributes and name.  convert: `convert_to_tensor` there.  pack: makes one
    tensor of a nested list that holds some, of the value, the dtype wanted, a hint and a name; of `ops.array.join`.  why_none: what is
    known of the last gradient that was None, for the message of a None that is used as a tensor; of `api.tape`.
    """

    apply: Callable[..., Any]
    convert: Callable[..., Tensor]
    pack: Callable[..., Tensor]
    why_none: Callable[[], str]


class Recorder:
    """Somebody who listens to dispatch: a tape.  `active` has what stands for each tensor it follows, by uid."""

    __slots__ = ()
    active: dict[int, Any]
    #: Whether it is told, by `sweep`, which operation's gradient it hears.
    follows_sweeps = False

    def record_short(self, op: Op, x: Tensor, y: Tensor | None, attrs: dict[str, Any], out: Tensor, memory: Memory) -> None:
        """`record` of an eager operation of one tensor (y is None) or two that gave one: what most of them are.

        memory: where to find, and to keep, how far away the caller is: the operation's, or that of an operator.
        """
        self.record(op, (x,) if y is None else (x, y), attrs, (out,), None)

    def record(self, op: Op, inputs: tuple[Tensor, ...], attrs: dict[str, Any], outputs: tuple[Tensor, ...], node: Node | None) -> None:
        """Take note of one application; `node` is there when a graph recorded it as well."""

    def read(self, variable: object) -> None:
        """Take note that a variable was read."""

    def sweep(self, node: Node | None) -> None:
        """Take note that the gradient of `node`, which a tape kept, comes next; with None, that the sweep is over."""


class Context:
    """An interpreter and its listeners."""

    __slots__ = ("graph", "recorders")

    def __init__(self, graph: Graph | None, recorders: tuple[Recorder, ...]) -> None:
        self.graph = graph
        self.recorders = recorders


ROOT = Context(None, ())


#: Held while functions are traced, differentiated and compiled: threads that ask for the same thing at once get one.  Who holds it does
#: not wait for a variable's lock; the other way round is right.
BUILDING = RLock()


class Comparing:
    """Whether `==` and `!=` of eager tensors and variables compare elements; else they ask whether two are the same object."""

    elements = True


_current: ContextVar[Context] = ContextVar("pullback", default=ROOT)
current = _current.get


@export("executing_eagerly", v1=("contrib.eager.executing_eagerly", "contrib.eager.in_eager_mode"))
def executing_eagerly() -> bool:
    """Whether ops run at once (True) or are added to a graph (False).

    >>> inside = tf.function(lambda x: tf.executing_eagerly())
    >>> tf.executing_eagerly(), bool(inside(1.0))
    (True, False)
    """
    return current().graph is None


@contextmanager
def enter_graph(graph: Graph | None) -> Iterator[None]:
    """Send ops to `graph` (None: run them at once) for the length of the block."""
    before = current().graph
    _current.set(Context(graph, current().recorders))
    try:
        yield
    finally:
        _current.set(Context(before, current().recorders) if current().recorders or before is not ROOT.graph else ROOT)


@contextmanager
def enter_context(context: Context) -> Iterator[None]:
    """Make `context` the current one for the length of the block."""
    before = current()
    _current.set(context)
    try:
        yield
    finally:
        _current.set(before)


def stop_recorders() -> AbstractContextManager[None]:
    """Let nobody listen for the length of the block."""
    return enter_context(Context(current().graph, ()))


def start_listening(recorder: Recorder) -> None:
    """Add a recorder to the current context."""
    context = current()
    _current.set(Context(context.graph, (*context.recorders, recorder)))


def stop_listening(recorder: Recorder) -> None:
    """Remove a recorder, wherever in the order it stands; recorders may leave in any order."""
    context = current()
    recorders = context.recorders
    left = () if len(recorders) == 1 and recorders[0] is recorder else tuple([r for r in recorders if r is not recorder])
    _current.set(Context(context.graph, left) if left or context.graph is not ROOT.graph else ROOT)


class Watcher(Recorder):
    """Who is told what operations, sweeps and calls gave, and takes part in nothing: they run as if it were not there, at full speed."""

    def __init__(self) -> None:
        self.active: dict[int, Any] = {}  # always empty: it follows no tensor

    def record(self, op: Op, inputs: tuple[Any, ...], attrs: dict[str, Any], outputs: tuple[Any, ...], node: Node | None) -> None:
        """An operation has run, or a node was made."""

    def read(self, variable: Any) -> None:
        """A variable was read."""

    def note_sweep(
        self, nodes: Sequence[Any], ys: Sequence[Any], gs: Sequence[Any], xs: Sequence[Any], active: object, found: Sequence[Any]
    ) -> None:  # fmt: skip
        """A reverse sweep over a tape's nodes gave `found`."""

    def ran(self, body: Any, values: Sequence[Any], answers: Sequence[Any], before: Sequence[tuple[Any, Any]], run: Any) -> None:
        """A body (or a session's plan) ran on arrays.  before: storages that it may write, and what they had.  run: for another run."""


def watchers() -> list[Watcher]:
    """Those who watch now."""
    return [r for r in current().recorders if isinstance(r, Watcher)]


def drop_recorders(found: Sequence[Watcher]) -> Context:
    """The current context without some watchers."""
    context = current()
    return Context(context.graph, tuple([r for r in context.recorders if r not in found]))


# ---- the names of what is added to a graph

_NO_SCOPE = nullcontext("")


class ScopeName(str):
    """A node's name that is a scope too: TensorFlow's function opens it, so that gradients of the node stand in it."""

    __slots__ = ()


def scope(name: str | None, default: str) -> AbstractContextManager[str]:
    """Open the name scope `name` (or `default`) of the graph being built; eager execution has no names and pays nothing for them.

    Gives the scope's own name with a slash: the node named so bears the name that the user asked for.
    """
    graph = current().graph
    return _NO_SCOPE if graph is None else graph.name_scope(name or default)
