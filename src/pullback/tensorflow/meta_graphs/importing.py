"""`tf.train.import_meta_graph`."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from typing import Any

from ...api.default import get_default_graph
from ...api.partitioned import SaveSliceInfo
from ...api.variable import Variable
from ...api.variable_creators import VariableAggregation, VariableSynchronization
from ...base.dtypes import as_dtype
from ...base.export import export
from ...base.files import local_path
from ...ir.context import executing_eagerly
from ...ir.graph import Graph
from ...train.atomic_files import read_whole
from ...train.packing import unpack
from ..saved_model.encoding import DAMAGE, Decoder, Json
from .meta_graph import CONSTANT, DOCUMENT, VERSION, MetaGraph
from .saver import Saver


@export(v1="train.import_meta_graph")
def import_meta_graph(
    meta_graph_or_file: Any, clear_devices: bool = False, import_scope: str | None = None, *,
    restore_collections_predicate: Callable[[str], bool] | None = None, **kwargs: Any,
) -> Saver | None:  # fmt: skip
    """Add the operations and collections of a meta graph to the default graph.

    Args:
        meta_graph_or_file: what `export_meta_graph` gave, or its file; `Saver.save` writes one beside each checkpoint, `<checkpoint>.meta`.
        clear_devices: forget the devices. import_scope: a scope for the names.
        restore_collections_predicate: of the key of a collection, whether to add it.

    Returns:
        The saver it was written with; else one of all variables; None where there are none.

    Raises:
        OSError: there is no such file, or it is none of Pullback's. RuntimeError: eager execution.
        NotImplementedError: an `input_map` and its kind.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with tf1.Graph().as_default(), tf1.Session() as session:
    ...         y = tf1.multiply(tf1.Variable(3.0), 2.0, name="y")
    ...         session.run(tf1.global_variables_initializer())
    ...         path = tf1.train.Saver().save(session, folder + "/model")
    ...     with tf1.Graph().as_default(), tf1.Session() as session:
    ...         tf1.train.import_meta_graph(path + ".meta").restore(session, path)
    ...         print(session.run("y:0"))
    6.0
    """
    if executing_eagerly():
        raise RuntimeError(
            "Exporting/importing meta graphs is not supported when eager execution is enabled. No graph exists when eager execution is "
            "enabled."
        )
    if given := [name for name, value in kwargs.items() if value]:
        raise NotImplementedError(f"import_meta_graph with {', '.join(given)}: operations are added as they were written")
    graph = get_default_graph()
    found = meta_graph_or_file if isinstance(meta_graph_or_file, MetaGraph) else _read(meta_graph_or_file)
    length = len(graph.nodes)
    try:
        reader = _Reader(found, graph, import_scope)
        wanted = restore_collections_predicate or (lambda key: True)
        collections = {key: [*map(reader.item, items)] for key, items in found.document["collections"].items() if wanted(key)}
        written = found.document["saver"]
        saver = None if written is None else reader.saver(written)
    except DAMAGE as why:
        graph.truncate(length)
        raise OSError(
            f"Cannot parse meta graph {meta_graph_or_file!r}: damaged, or of another version of Pullback ({type(why).__name__}: {why})"
        ) from why
    if clear_devices or found.document["clear_devices"]:
        for node in graph.nodes[length:]:
            node.device = ""
    for key, items in collections.items():
        for item in items:
            graph.add_to_collection(key, item)
    return Saver() if saver is None and graph.get_collection("variables") else saver


def _read(path: Any) -> MetaGraph:
    file = local_path(os.fspath(path))
    if not os.path.isfile(file):
        raise OSError(f"File does not exist. Received: {path}.")
    try:
        arrays, _ = unpack(read_whole(file))
        document = json.loads(arrays[DOCUMENT].tobytes())
        constants = [arrays[CONSTANT.format(i)] for i in range(len(arrays) - 1)]
        version = document["version"]
    except (LookupError, TypeError, ValueError) as why:
        raise OSError(
            f"Cannot parse file {path}: it is damaged, or was written by TensorFlow, whose meta graphs Pullback does not read ({why})"
        ) from why
    if version != VERSION:
        raise OSError(f"{path} has version {version} of the format; this Pullback reads version {VERSION}")
    return MetaGraph(document, constants)


class _Reader:
    """Adds the operations of a meta graph to a graph, and finds by their names what its collections and saver hold."""

    def __init__(self, found: MetaGraph, graph: Graph, scope: str | None) -> None:
        self._graph, self._document = graph, found.document
        self._prefix = "" if not scope else graph.unique_name(scope) + "/"
        self._decoder = Decoder(found.document["graphs"], found.document["bodies"], found.arrays, self._refuse_object)
        self._variables: dict[str, Variable] = {}
        self._described: dict[str, Json] = {}
        for item in (item for items in found.document["collections"].values() for item in items):
            if "variable" in item:
                self._described[item["variable"]["handle"]] = item["variable"]
        self._decoder.graph(found.document["graph"], graph, self._rename)

    def _rename(self, name: str) -> str:
        full = self._prefix + name
        return self._graph.unique_name(full) if full in self._graph.by_name else full

    @staticmethod
    def _refuse_object(number: int) -> Any:
        raise ValueError(f"a meta graph has no object {number}")

    def _element(self, name: str) -> Any:
        return self._graph.as_graph_element(self._prefix + name)

    def item(self, written: Json) -> Any:
        """What a collection holds."""
        if "variable" in written:
            return self._variable(written["variable"]["handle"])
        if "tensor" in written or "operation" in written:
            return self._element(written.get("tensor", written.get("operation")))
        return self.saver(written["saver"]) if "saver" in written else self._decoder.value(written["value"])

    def saver(self, written: Json) -> Saver:
        """A saver."""
        return Saver._from_description(written, self._variable, self._element)

    def _variable(self, handle: str) -> Variable:
        if handle not in self._variables:
            known = self._described[handle]
            nodes = [self._element(known[name]) for name in ("handle", "initial", "initializer", "snapshot")]
            self._variables[handle] = made = Variable._from_graph(
                *nodes, _dtype=as_dtype(known["dtype"]), _dims=None if known["shape"] is None else tuple(known["shape"]),
                _trainable=known["trainable"], synchronization=VariableSynchronization[known["synchronization"]],
                aggregation=VariableAggregation[known["aggregation"]],
            )  # fmt: skip
            if known["part"] is not None:
                vars(made)["_save_slice_info"] = SaveSliceInfo(*known["part"])
        return self._variables[handle]
