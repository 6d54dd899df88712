"""`tf.io.write_graph`: a graph as TensorFlow's protocol buffer in a file, for programs that show graphs."""

from __future__ import annotations

import os
from typing import Any

from ...base.export import export
from ...base.files import local_path, make_folders
from ...ir.graph import Graph
from ...train.atomic_files import write_atomically


@export("io.write_graph", v1="train.write_graph")
def write_graph(graph_or_graph_def: Any, logdir: Any, name: str, as_text: bool = True) -> str:
    """Write a graph as a GraphDef, and give the file's path.

    Args:
        graph_or_graph_def: a `tf.Graph`, or what its `as_graph_def` gives. logdir: the folder, made if it is not there. name: of the file.
        as_text: whether it is text; else the message's bytes.

    TensorFlow's `import_graph_def` reads a graph of forward operations whose variables `tf.compat.v1.graph_util` has frozen. Operations
    of gradients, branches and loops are Pullback's own, for looking at. Pullback reads no such file: `tf.train.export_meta_graph` writes
    a graph that `import_meta_graph` restores.

    >>> import pathlib, tempfile
    >>> with tf1.Graph().as_default() as graph, tempfile.TemporaryDirectory() as folder:
    ...     _ = tf1.constant(1.0, name="x")
    ...     path = tf1.train.write_graph(graph, folder, "graph.pbtxt")
    ...     print(pathlib.Path(path).read_text().splitlines()[1])
      name: "x"
    """
    from google.protobuf import text_format

    message = graph_or_graph_def.as_graph_def() if isinstance(graph_or_graph_def, Graph) else graph_or_graph_def
    folder = os.fspath(logdir)
    make_folders(local_path(folder))
    path = os.path.join(folder, name)
    write_atomically(local_path(path), text_format.MessageToString(message).encode() if as_text else message.SerializeToString())
    return path
