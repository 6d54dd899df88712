"""What the functions of `tf.contrib.layers` share: their variables, and the collections that these and their results join."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any

from ...api.default import get_default_graph
from ...api.names import GraphKeys
from ...api.variable_scope import get_variable
from ...base.export import export
from ...ir.context import executing_eagerly
from ...ir.tensor import Tensor

_ALIASES = "contrib_aliases"


def make_variable(
    name: str, shape: Any, dtype: Any, initializer: Any, regularizer: Any = None, trainable: bool = True, collections: Any = None
) -> Any:
    """A variable of a layer, which is a model variable; `collections`: names of others to join, or by the variable's name which ones."""
    wanted = [GraphKeys.GLOBAL_VARIABLES, GraphKeys.MODEL_VARIABLES]
    found = get_variable(name, shape, dtype, initializer, regularizer, trainable, wanted)
    if not executing_eagerly():
        add_to_collections(collections.get(name) if isinstance(collections, dict) else collections, found)
    return found


def add_to_collections(names: Iterable[Hashable] | None, value: object) -> None:
    """Add a value to the collection, or the collections, of these names, where it is not in it yet."""
    graph = get_default_graph()
    for name in [names] if isinstance(names, str) else names or ():
        if not any(other is value for other in graph.get_collection(name)):
            graph.add_to_collection(name, value)


def collect_named_outputs(collections: Iterable[Hashable] | None, alias: str, outputs: object) -> Any:
    """A layer's result, added to collections under the name of the layer's scope."""
    if collections:
        get_default_graph().add_to_collection(_ALIASES, (outputs, alias.rstrip("/")))
        add_to_collections(collections, outputs)
    return outputs


def channels_of(x: Tensor, layout: str, layouts: tuple[str, ...] = ("NHWC", "NCHW")) -> tuple[int, int]:
    """The axis of the channels, and how many there are. ValueError for another layout, and where they are not known."""
    if layout not in layouts:
        raise ValueError(f"Invalid data_format: {layout!r}; it has to be one of {layouts}")
    rank = x.shape.ndims
    if rank is None:
        raise ValueError(f"Inputs {x} has undefined rank")
    axis = 1 if layout[1] == "C" else rank - 1
    size = x.shape.as_list()[axis]
    if size is None:
        raise ValueError(f"The number of channels of the inputs must be known, not as in the shape {x.shape}")
    return axis, int(size)


@export(v1="contrib.layers.utils.convert_collection_to_dict")
def convert_collection_to_dict(collection: str, clear_collection: bool = False) -> dict[str, Any]:
    """The tensors of a collection, by the names of the scopes of the layers that gave them.

    >>> with tf1.Graph().as_default():
    ...     y = tf1.contrib.layers.fully_connected(tf1.ones([1, 2]), 3, scope="net", outputs_collections="points")
    ...     tf1.contrib.layers.utils.convert_collection_to_dict("points") == {"net": y}
    True
    """
    graph = get_default_graph()
    found = {}
    for tensor in graph.get_collection(collection):
        named = [alias for other, alias in graph.get_collection(_ALIASES) if other is tensor]
        found[named[0] if named else tensor.op.name] = tensor
    if clear_collection:
        graph.clear_collection(collection)
    return found
