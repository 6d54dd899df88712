"""`tf.train.export_meta_graph`: a graph with its collections and its saver, in a file that needs no Python of the program to be read.

Operations are written as those of a SavedModel; what collections hold, by the names of variables, tensors and operations.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np

from ...api.default import get_default_graph
from ...api.variable import Variable
from ...base.export import export
from ...base.files import local_path
from ...ir.context import executing_eagerly
from ...ir.graph import Graph
from ...ir.node import Node
from ...ir.tensor import SymbolicTensor
from ...train.atomic_files import write_atomically
from ...train.packing import pack
from ..saved_model.encoding import Encoder, Json, NotEncodable

_log = logging.getLogger("tensorflow")
#: What the file has beside constants: this text.
DOCUMENT, CONSTANT = "meta_graph.json", "constants/{}"
VERSION = 1


@runtime_checkable
class NamedParts(Protocol):
    """Something in a collection that says of itself what it is made of, by names in the graph: a saver."""

    def _describe(self) -> dict[str, Json]: ...


@export(v1="MetaGraphDef")
class MetaGraph:
    """A graph with its collections, as `export_meta_graph` gives it and `import_meta_graph` takes it.

    TensorFlow's `MetaGraphDef` is a protocol buffer with the same name; this one has no fields, and a format of its own.

    >>> with tf1.Graph().as_default():
    ...     x = tf1.constant(1.0, name="x")
    ...     meta_graph = tf1.train.export_meta_graph()
    >>> with tf1.Graph().as_default() as graph:
    ...     _ = tf1.train.import_meta_graph(meta_graph)
    ...     print(graph.get_tensor_by_name("x:0").dtype.name)
    float32
    """

    def __init__(self, document: Json, arrays: Sequence[np.ndarray]) -> None:
        self.document, self.arrays = document, arrays

    def SerializeToString(self) -> bytes:
        """The content of its file."""
        text = np.frombuffer(json.dumps(self.document, separators=(",", ":")).encode(), np.uint8)
        return pack({DOCUMENT: text, **{CONSTANT.format(i): array for i, array in enumerate(self.arrays)}})

    def write(self, path: str) -> None:
        """Write its file."""
        write_atomically(local_path(os.fspath(path)), self.SerializeToString())


@export(v1="train.export_meta_graph")
def export_meta_graph(
    filename: str | None = None, meta_info_def: Any = None, graph_def: Any = None, saver_def: Any = None,
    collection_list: Sequence[str] | None = None, as_text: bool = False, graph: Graph | None = None, export_scope: str | None = None,
    clear_devices: bool = False, clear_extraneous_savers: bool = False, strip_default_attrs: bool = False, save_debug_info: bool = False,
    **kwargs: Any,
) -> MetaGraph:  # fmt: skip
    """A graph with its collections, written to `filename` unless that is None.

    Args:
        graph: the default graph when None. collection_list: the collections to write, all when None.
        saver_def: a `Saver`, which `import_meta_graph` gives back. clear_devices: write no devices.
        meta_info_def, clear_extraneous_savers, strip_default_attrs, save_debug_info: accepted, and not needed.

    Raises:
        RuntimeError: eager execution. ValueError: an operation holds Python, as `py_func` does. NotImplementedError: a `graph_def`, an
            `export_scope`, or text.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder, tf1.Graph().as_default():
    ...     tf1.add_to_collection("inputs", tf1.placeholder(tf1.float32, name="x"))
    ...     _ = tf1.train.export_meta_graph(folder + "/model.meta")
    ...     with tf1.Graph().as_default():
    ...         _ = tf1.train.import_meta_graph(folder + "/model.meta")
    ...         print(tf1.get_collection("inputs")[0].name)
    x:0
    """
    if executing_eagerly():
        raise RuntimeError(
            "Exporting/importing meta graphs is not supported when eager execution is enabled. No graph exists when eager execution is "
            "enabled."
        )
    for given, what in ((graph_def, "graph_def"), (export_scope, "export_scope"), (as_text, "as_text")):
        if given:
            raise NotImplementedError(f"export_meta_graph with {what}: a whole graph is written, in a format of Pullback's own")
    graph = graph or get_default_graph()
    encoder = Encoder()
    number = encoder.graph(graph)
    keys = graph.get_all_collection_keys() if collection_list is None else collection_list
    found = {key: [_encode_item(encoder, key, item) for item in graph.get_collection(key)] for key in keys}
    document = {
        "version": VERSION, "graph": number, "graphs": encoder.graphs, "bodies": encoder.bodies, "clear_devices": clear_devices,
        "collections": {key: [item for item in items if item is not None] for key, items in found.items()},
        "saver": saver_def._describe() if isinstance(saver_def, NamedParts) else None,
    }  # fmt: skip
    made = MetaGraph(document, encoder.arrays)
    if filename is not None:
        made.write(filename)
    return made


def _encode_item(encoder: Encoder, key: str, item: Any) -> Json:
    """What a collection holds, by name; None, with a warning, where no file can hold it."""
    if isinstance(item, Variable):
        return {"variable": describe_variable(item)}
    if isinstance(item, SymbolicTensor):
        return {"tensor": item.name}
    if isinstance(item, Node):
        return {"operation": item.name}
    if isinstance(item, NamedParts):
        return {"saver": item._describe()}
    try:
        return {"value": encoder.value(item)}
    except NotEncodable as why:
        _log.warning("Collection %r is written without %s: a meta graph holds no Python.", key, why)
        return None


def describe_variable(variable: Variable) -> dict[str, Json]:
    """A variable of a graph, by names."""
    info = getattr(variable, "_save_slice_info", None)
    return {
        "handle": variable.handle.name, "initial": variable._initial.name, "initializer": variable._initializer.name,
        "snapshot": variable._snapshot.name, "trainable": variable.trainable, "synchronization": variable.synchronization.name,
        "aggregation": variable.aggregation.name, "dtype": variable.dtype.base_dtype.name, "is_ref": variable._is_ref,
        "shape": None if variable.dims is None else list(variable.dims),
        "part": None if info is None else [info.full_name, info.full_shape, list(info.var_offset), list(info.var_shape)],
    }  # fmt: skip
