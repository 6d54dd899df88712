"""Events that hold a graph, for TensorBoard's page of graphs."""

from __future__ import annotations

import time
from typing import Any

from ...ir.graph import Graph


def graph_event(graph: Graph, step: Any = None) -> Any:
    """An event with a graph, its shapes in it; from a graph or a GraphDef, None for anything else."""
    from tensorboardX.proto import event_pb2, graph_pb2

    if isinstance(graph, Graph):
        graph = graph.as_graph_def(add_shapes=True)
    if not isinstance(graph, graph_pb2.GraphDef):
        return None
    event = event_pb2.Event(wall_time=time.time(), graph_def=graph.SerializeToString())
    if step is not None:
        event.step = int(step)
    return event
