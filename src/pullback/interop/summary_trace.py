"""`tf.summary.trace_on` and `trace_export`: the graphs of the functions that ran in between, for TensorBoard's page of graphs."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..base.export import export
from ..ir.context import Watcher, executing_eagerly, start_listening, stop_listening
from ..ir.function_graph import Body
from ..ir.graph import Graph
from ..ir.tensor import IntLike
from ..tensorflow.summary.function_library import field, graph_bytes
from ..tensorflow.summary.functions import write_page

log = logging.getLogger("pullback")
#: The page that shows graphs which ran, and what it wants to know of a series of them.
_PLUGIN, _CONTENT = "graph_run_metadata_graph", b"1"
#: Fields of TensorFlow's messages: RunMetadata's `function_graphs`, and the `pre_optimization_graph` and `post_optimization_graph` in one.
_FUNCTION_GRAPHS, _GIVEN, _RUN = 4, 2, 3


class _Trace(Watcher):
    """The graphs of the functions that have run since it listens, in the order in which they ran first."""

    def __init__(self) -> None:
        super().__init__()
        self.graphs: dict[int, Graph] = {}

    def ran(self, body: Any, values: Sequence[Any], answers: Sequence[Any], before: Sequence[tuple[Any, Any]], run: Any) -> None:
        """Note the graph of a body."""
        if isinstance(body, Body):
            self.graphs.setdefault(id(body.graph), body.graph)


class _Now:
    """The trace that is being made."""

    trace: _Trace | None = None


@export(v2="summary.trace_on")
def trace_on(graph: bool = True, profiler: bool = False, profiler_outdir: object = None) -> None:
    """Note the graphs of the functions that run from now on, for `trace_export`.

    graph: whether to.  profiler, profiler_outdir: there is no profile of TensorFlow's kind; a warning says what there is instead.

    >>> import tempfile
    >>> f = tf.function(lambda x: tf.sin(x) * 2.0)
    >>> with tempfile.TemporaryDirectory() as logs, tf.summary.create_file_writer(logs).as_default():
    ...     tf.summary.trace_on()
    ...     _ = f(tf.constant([1.0, 2.0]))
    ...     tf.summary.trace_export("f", step=0)
    """
    if not executing_eagerly():
        log.warning("Cannot enable trace inside a tf.function.")
        return
    if _Now.trace is not None:
        log.warning("Trace already enabled")
        return
    if profiler or profiler_outdir is not None:
        log.warning("No profile is written: function.profile(*arguments).write_chrome_trace(path) writes one of a function.")
    _Now.trace = _Trace()
    if graph:
        start_listening(_Now.trace)


@export(v2="summary.trace_export")
def trace_export(name: str, step: IntLike | None = None, profiler_outdir: object = None) -> None:
    """Write the graphs of the functions that have run since `trace_on` to the default writer, and end the trace.

    name: what TensorBoard calls them.  step: theirs; `tf.summary.experimental.set_step`'s when None.
    Raises ValueError without a trace, or without a step.

    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as logs:
    ...     with tf.summary.create_file_writer(logs).as_default():
    ...         tf.summary.trace_on()
    ...         _ = tf.function(tf.sin)(tf.constant(1.0))
    ...         tf.summary.trace_export("sine", step=0)
    ...     len(list(Path(logs).iterdir()))
    1
    """
    if not executing_eagerly():
        log.warning("Cannot export trace inside a tf.function.")
        return
    if _Now.trace is None:
        raise ValueError("Must enable trace before export through tf.summary.trace_on.")
    messages = [graph_bytes(graph) for graph in _Now.trace.graphs.values()]
    metadata = b"".join(field(_FUNCTION_GRAPHS, field(_GIVEN, one) + field(_RUN, one)) for one in messages)
    write_page(name, np.array(metadata, object), step, _PLUGIN, content=_CONTENT)
    trace_off()


@export(v2="summary.trace_off")
def trace_off() -> None:
    """End the trace that `trace_on` began, and forget it.

    >>> tf.summary.trace_on()
    >>> tf.summary.trace_off()
    """
    if _Now.trace is not None:
        stop_listening(_Now.trace)
        _Now.trace = None
