"""The default graph, and the switch between eager execution and TensorFlow 1's graph mode."""

from __future__ import annotations

from ..base.export import export
from ..ir.context import ROOT, current
from ..ir.graph import Graph, default_sessions

_fallback: list[Graph] = []


@export(v1="get_default_graph")
def get_default_graph() -> Graph:
    """The graph that ops are added to; outside any graph, one for the process that eager code does not touch.

    >>> with tf1.Graph().as_default() as graph:
    ...     print(tf1.get_default_graph() is graph)
    True
    """
    graph = current().graph
    if graph is not None:
        return graph
    if not _fallback:
        _fallback.append(Graph())
    return _fallback[0]


@export(v1="reset_default_graph")
def reset_default_graph() -> None:
    """Put a new, empty graph in place of the default one; an AssertionError inside `as_default` blocks.

    >>> before = tf.compat.v1.get_default_graph()
    >>> tf.compat.v1.reset_default_graph()
    >>> tf.compat.v1.get_default_graph() is before
    False
    """
    if current().graph is not ROOT.graph:
        raise AssertionError(
            "Do not use tf.reset_default_graph() to clear nested graphs. If you need a cleared graph, exit the nesting and create "
            "a new graph."
        )
    fresh = Graph()
    _fallback[:] = [fresh]
    if ROOT.graph is not None:
        ROOT.graph = fresh


def disable_eager_execution() -> None:
    """From here on ops go to the default graph (TensorFlow 1's way)."""
    if ROOT.graph is None:
        ROOT.graph = get_default_graph()


def enable_eager_execution() -> None:
    """From here on ops run at once (TensorFlow 2's way)."""
    if default_sessions.stack:
        raise ValueError("tf.enable_eager_execution must be called before a Session is the default.")
    ROOT.graph = None
