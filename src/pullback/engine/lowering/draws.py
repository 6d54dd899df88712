"""Random draws that remember, in native programs: where each stream stands is read, and moved on, before the program runs.

What a draw gives is then a function of a key and a counter, two arrays that the program is given, and it stands in the loops of whoever
reads it.  Draws inside loops and branches happen as often as those do, so there they stay calls.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ...base.dtypes import uint64
from ...base.lazy_import import LazyModule
from ...ir.node import Node
from ...ir.plan import Run, kernel_of
from ...ir.tensor import SymbolicTensor

if TYPE_CHECKING:
    from ...ops.random import operations, seed
    from ...ops.random.philox import Philox
else:
    operations, seed = LazyModule("pullback.ops.random.operations"), LazyModule("pullback.ops.random.seed")


class Draws:
    """The draws of a program.  origin: for each of its nodes the one whose memory it uses."""

    def __init__(self, origin: Mapping[Node, Node]) -> None:
        self._origin = origin
        self._made: list[tuple[Node, tuple[SymbolicTensor, ...]]] = []

    @staticmethod
    def has(node: Node) -> bool:
        """Whether a node is a draw that programs can do themselves."""
        if operations.__name__ not in sys.modules or node.primitive.name not in operations.NATIVE_STREAMS:
            return False
        dims = node.outputs[0].dims
        return dims is not None and None not in dims

    def streams(self, node: Node) -> tuple[SymbolicTensor, ...]:
        """The tensors that stand for the key and the counter of a draw."""
        made = tuple([SymbolicTensor(node, 0, dims, uint64, None) for dims in ((1,), (2,))])
        self._made.append((node, made))
        return made

    def forget(self, node: Node) -> None:
        """Leave a draw to its kernel after all."""
        self._made = [found for found in self._made if found[0] is not node]

    def __bool__(self) -> bool:
        return bool(self._made)

    def take(self, known: dict[int, Any], run: Run) -> None:
        """Move each stream on, and note where it stood."""
        for node, tensors in self._made:
            op, seed1, seed2, key, blocks = operations.NATIVE_STREAMS[node.primitive.name](node)

            def advance_stream(*, site: Any, given: Any = (op, seed1, seed2, key, blocks)) -> Philox:
                return operations.next_stream(site, *given)

            stream: Philox = kernel_of(self._origin[node], advance_stream)(run)
            words = (stream.key[0] | stream.key[1] << 32, stream.counter & _WORD, stream.counter >> 64)
            for t, value in zip(tensors, (words[:1], words[1:]), strict=True):
                known[t.uid] = np.array(value, np.uint64)


_WORD = 2**64 - 1


def put_back(run: Run, mark: dict[Any, tuple[Any, Any]]) -> None:
    """Let the streams that a run moved stand where they did when `run.moved` was `mark`, unless another thread has moved them."""
    streams = run.memory.get(seed.STREAMS, {})
    with operations.STREAMS_LOCK:
        for place, entry in (run.moved or {}).items():
            if entry is not mark.get(place) and streams.get(place) is entry[1]:
                streams[place] = mark[place][1] if place in mark else entry[0]
    run.moved = mark
