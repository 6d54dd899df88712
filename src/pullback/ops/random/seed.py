"""Seeds: how the global seed and an operation's own seed become the two numbers that choose its stream.

TensorFlow's rules.  Eagerly, an operation without a seed of its own draws one from a generator that the global seed started; in a graph
it takes the next of 0, 1, 2, ...  With neither seed, the stream is a fresh one each time.
"""

from __future__ import annotations

import random
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from ...base.dtypes import DType
from ...base.export import export
from ...ir.apply import EAGER_MEMORY
from ...ir.context import current
from ...ir.function_graph import FunctionGraph
from ...ir.graph import Graph
from ...ir.tensor import SymbolicTensor

DEFAULT_GRAPH_SEED = 87654321
_LARGEST = 2**31 - 1

#: The key under which an interpreter's memory holds the positions of its random streams.
STREAMS = "random streams"


class _Eager:
    """The global seed of eager execution and the generator of seeds it started."""

    def __init__(self) -> None:
        self.seed: int | None = None
        self.generator = random.Random()


_eager = _Eager()
_graph_counts: WeakKeyDictionary[Graph, int] = WeakKeyDictionary()


@export(v2="random.set_seed")
def set_seed(seed: Any) -> None:
    """Set the global seed: of the graph being built, or of eager execution, whose random operations all start again.

    seed: an integer; None for none.

    >>> tf.random.set_seed(7)
    >>> first = tf.random.uniform([]).numpy()
    >>> tf.random.set_seed(7)
    >>> bool(first == tf.random.uniform([]).numpy())
    True
    """
    graph = current().graph
    if graph is not None:
        graph.seed = seed
        return
    _eager.seed = seed
    _eager.generator = random.Random(seed if seed is None or isinstance(seed, (int, float, str, bytes)) else int(np.asarray(seed)))
    EAGER_MEMORY.pop(STREAMS, None)


@export(v1=("get_seed", "random.get_seed"))
def get_seed(op_seed: Any) -> tuple[Any, Any]:
    """The two seeds of an operation whose own seed is `op_seed` (None for none): `(None, None)` where nothing is seeded.

    >>> tf.compat.v1.get_seed(None), tf.compat.v1.get_seed(7)
    ((None, None), (87654321, 7))
    >>> tf.random.set_seed(3)
    >>> tf.compat.v1.get_seed(7)
    (3, 7)
    """
    if isinstance(op_seed, (str, DType)):
        raise TypeError(f"a seed is a whole number, not {op_seed!r}")
    graph = current().graph
    global_seed = _global_seed(graph)
    if global_seed is None:
        return (None, None) if op_seed is None else (DEFAULT_GRAPH_SEED, _limit_seed(op_seed))
    if op_seed is None:
        op_seed = _eager.generator.randint(0, _LARGEST) if graph is None else _next_count(graph)
    seeds = _limit_seed(global_seed), _limit_seed(op_seed)
    return (0, _LARGEST) if seeds == (0, 0) else seeds


def _limit_seed(seed: Any) -> Any:
    """A seed below 2**31; what is no number before a run stays a tensor, which no operation takes for a seed."""
    if isinstance(seed, SymbolicTensor):
        return seed % _LARGEST
    try:
        return int(seed) % _LARGEST
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f"Expected int for argument 'seed2' not {seed!r}.") from None


def _global_seed(graph: Graph | None) -> int | None:
    """The global seed of a graph; a function's body goes by what surrounds it."""
    while isinstance(graph, FunctionGraph) and graph.seed is None:
        graph = graph.outer
    return _eager.seed if graph is None else graph.seed


def _next_count(graph: Graph) -> int:
    count = _graph_counts.get(graph, 0)
    _graph_counts[graph] = count + 1
    return count


def seed_attributes(op_seed: object) -> dict[str, Any]:
    """The attributes `seed` and `seed2` of a random operation; zeros ask for a fresh stream."""
    seed, seed2 = get_seed(op_seed)
    return {"seed": 0 if seed is None else seed, "seed2": 0 if seed2 is None else seed2}
