"""Events that hold a graph, for TensorBoard's page of graphs."""

from __future__ import annotations

import time
from typing import Any

from ...ir.graph import Graph
from .function_library import graph_bytes


def graph_event(graph: object, step: Any = None) -> Any:
    """An event with a graph, its shapes and functions in it; from a graph or a GraphDef, None for anything else."""
    from tensorboardX.proto import event_pb2, graph_pb2

    if isinstance(graph, Graph):
        message = graph_bytes(graph)
    elif isinstance(graph, graph_pb2.GraphDef):
        message = graph.SerializeToString()
    else:
        return None
    event = event_pb2.Event(wall_time=time.time(), graph_def=message)
    if step is not None:
        event.step = int(step)
    return event
