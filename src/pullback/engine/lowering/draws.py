"""Random draws that remember, in native programs: where each stream stands is read, and moved on, before the program runs.

What a draw gives is then a function of a key and a counter, two arrays that the program is given, and it stands in the loops of whoever
reads it.  How often a draw in a loop or a branch happens is known when those have run: they count the turns and the times that a branch is
taken, in a loop variable of all loops around, and streams are moved on afterwards, unless another thread has done so meanwhile.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ...base.dtypes import uint64
from ...base.lazy_import import LazyModule
from ...base.named_values import NamedValues
from ...ir.function_graph import Body, bodies_of
from ...ir.node import Node
from ...ir.plan import Run, kernel_of
from ...ir.tensor import SymbolicTensor
from ..runtime.layout import Fault
from .builder import Unsupported
from .specialise import CALLS

if TYPE_CHECKING:
    from ...ops.random import operations, seed
    from ...ops.random.philox import Philox
    from .index_expr import IndexExpr
else:
    operations, seed = LazyModule("pullback.ops.random.operations"), LazyModule("pullback.ops.random.seed")


class _Draw(NamedValues):
    """A draw: the node whose memory it uses, the arguments of `next_stream` but for the blocks, those, and its key and counter.

    times: how often it happens, for one in a loop or a branch.
    """

    origin: Node
    stream: tuple[Any, ...]
    blocks: int
    given: tuple[SymbolicTensor, SymbolicTensor]
    times: SymbolicTensor | None

    @staticmethod
    def of(node: Node, origin: Node, times: SymbolicTensor | None = None) -> _Draw:
        """The draw that a node is, which stands for `origin`."""
        *stream, blocks = operations.NATIVE_STREAMS[node.primitive.name](node)
        key, counter = (SymbolicTensor(node, 0, dims, uint64, None) for dims in ((1,), (2,)))
        return _Draw(origin, tuple(stream), blocks, (key, counter), times)

    def advance(self, run: Run, blocks: int, expected: Philox | None = None) -> Philox:
        """Where the stream stands, which then moves on; a Fault where that is not as expected."""

        op, seed1, seed2, key = self.stream

        def advance_stream(*, site: Any) -> Philox:
            with operations.STREAMS_LOCK:
                if expected is not None and operations.find_stream(site, op, seed1, seed2, key) != expected:
                    raise Fault("another thread drew from the same stream")
                return operations.next_stream(site, op, seed1, seed2, key, blocks)

        found: Philox = kernel_of(self.origin, advance_stream)(run)
        return found


class LoopDraws:
    """The draws in a loop or a branch of the program, and in those inside it.

    form: gives the expression of an array that the program is given.  times, counts: for each body with draws how often it ran, and the
    expression of that, once all is lowered.
    """

    def __init__(self, node: Node, form: Callable[[SymbolicTensor], IndexExpr]) -> None:
        self._node, self._form = node, form
        self.made: list[_Draw] = []
        self.times: dict[Body, SymbolicTensor] = {}
        self.counts: dict[Body, IndexExpr] = {}

    def open(self, body: Body, node: Node, origin: Node) -> tuple[IndexExpr, IndexExpr, int]:
        """The key and the counter with which a draw of a body begins, and by how many blocks it moves on."""
        if any(draw.origin is origin for draw in self.made):
            raise Unsupported("two bodies that draw from one stream")
        times = self.times.setdefault(body, SymbolicTensor(self._node, 0, (), uint64, None))
        draw = _Draw.of(node, origin, times)
        self.made.append(draw)
        key, counter = map(self._form, draw.given)
        return key, counter, draw.blocks


class Draws:
    """The draws of a program.  origin: for each of its nodes the one whose memory it uses."""

    def __init__(self, origin: Mapping[Node, Node]) -> None:
        self._origin = origin
        self._made: list[_Draw] = []

    @staticmethod
    def has(node: Node) -> bool:
        """Whether a node is a draw that programs can do themselves."""
        if operations.__name__ not in sys.modules or node.primitive.name not in operations.NATIVE_STREAMS:
            return False
        dims = node.outputs[0].dims
        return dims is not None and None not in dims

    def streams(self, node: Node) -> tuple[SymbolicTensor, ...]:
        """The tensors that stand for the key and the counter of a draw."""
        draw = _Draw.of(node, self._origin[node])
        self._made.append(draw)
        return draw.given

    @staticmethod
    def find_bodies(nodes: Iterable[Node], own: Body) -> list[Body]:
        """The bodies with draws among the nodes of the body `own`, and in loops and branches in it."""
        found: dict[Body, None] = {}
        for node in nodes if operations.__name__ in sys.modules else ():
            if Draws.has(node):
                found[own] = None
            for body in bodies_of(node):
                found.update(dict.fromkeys(Draws.find_bodies(body.plan().nodes, own if node.primitive.name in CALLS else body)))
        return list(found)

    def add_loop(self, loop: LoopDraws) -> None:
        """Take the draws of a loop or a branch that is native.

        Raises Unsupported where another loop of the program draws from one of their streams: where that stands is known after the other.
        """
        known = {draw.origin for draw in self._made}
        if any(draw.origin in known for draw in loop.made):
            raise Unsupported("two loops that draw from one stream")
        self._made += loop.made

    def forget(self, node: Node) -> None:
        """Leave a draw to its kernel after all."""
        self._made = [draw for draw in self._made if draw.given[0].node is not node]

    @property
    def counted(self) -> set[int]:
        """The numbers of the tensors that say how often bodies with draws ran."""
        return {draw.times.uid for draw in self._made if draw.times is not None}

    def __bool__(self) -> bool:
        return bool(self._made)

    def take(self, known: dict[int, Any], run: Run) -> list[tuple[_Draw, Philox]]:
        """Note where each stream stands, and move it on; those of loops are given back, for `finish`."""
        begun = []
        for draw in self._made:
            stream = draw.advance(run, draw.blocks if draw.times is None else 0)
            words = (stream.key[0] | stream.key[1] << 32, stream.counter & _WORD, stream.counter >> 64)
            for t, value in zip(draw.given, (words[:1], words[1:]), strict=True):
                known[t.uid] = np.array(value, np.uint64)
            if draw.times is not None:
                begun.append((draw, stream))
        return begun


def finish(begun: list[tuple[_Draw, Philox]], known: dict[int, Any], run: Run) -> None:
    """Move the streams of loops on, which have run.

    Raises Fault where another thread has moved one meanwhile, so that both have drawn the same numbers.
    """
    for draw, stream in begun:
        assert draw.times is not None
        draw.advance(run, draw.blocks * int(known[draw.times.uid]), expected=stream)


_WORD = 2**64 - 1


def put_back(run: Run, mark: dict[Any, tuple[Any, Any]]) -> None:
    """Let the streams that a run moved stand where they did when `run.moved` was `mark`, unless another thread has moved them."""
    streams = run.memory.get(seed.STREAMS, {})
    with operations.STREAMS_LOCK:
        for place, entry in (run.moved or {}).items():
            if entry is not mark.get(place) and streams.get(place) is entry[1]:
                streams[place] = mark[place][1] if place in mark else entry[0]
    run.moved = mark
