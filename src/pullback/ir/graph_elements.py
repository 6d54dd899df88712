"""What a graph says about itself: its operations and tensors by name, what may be fed and fetched, and its collections."""

from __future__ import annotations

import re
from typing import Any

from .drawable import Drawn
from .node import Node
from .tensor import SymbolicTensor


class Elements(Drawn):
    """The names and collections of a graph."""

    nodes: list[Node]
    by_name: dict[str, Node]

    def __init__(self) -> None:
        self._collections: dict[Any, list[Any]] = {}
        self.unfeedable: set[int] = set()
        self.unfetchable: set[Any] = set()

    def get_operations(self) -> list[Node]:
        """The operations in the order they were made."""
        return list(self.nodes)

    def as_graph_element(self, obj: object, allow_tensor: bool = True, allow_operation: bool = True) -> Any:
        """The tensor or operation that `obj` is, names or stands for; a KeyError, ValueError or TypeError as TensorFlow's."""
        if hasattr(obj, "_as_graph_element"):
            obj = obj._as_graph_element()
        if isinstance(obj, SymbolicTensor) and allow_tensor:
            if obj.graph is not self:
                raise ValueError(f"Tensor {obj} is not an element of this graph.")
            return obj
        if isinstance(obj, Node) and allow_operation:
            if obj.graph is not self:
                raise ValueError(f"Operation {obj!r} is not an element of this graph.")
            return obj
        if isinstance(obj, (str, bytes)):
            return self._find_named(obj if isinstance(obj, str) else obj.decode(), allow_tensor, allow_operation)
        wanted = " or ".join(["Tensor"] * allow_tensor + ["Operation"] * allow_operation)
        raise TypeError(f"Can not convert a {type(obj).__name__} into a {wanted}.")

    def _find_named(self, name: str, allow_tensor: bool, allow_operation: bool) -> Any:
        operation, colon, index = name.partition(":")
        if colon and allow_tensor:
            if not index.isdigit():
                raise ValueError(
                    f"The name {name!r} looks a like a Tensor name, but is not a valid one. Tensor names must be of the form "
                    '"<op_name>:<output_index>".'
                )
            node = self.by_name.get(operation)
            if node is None:
                raise KeyError(
                    f"The name {name!r} refers to a Tensor which does not exist. The operation, {operation!r}, does not exist in the graph."
                )
            if int(index) >= len(node.outputs):
                raise KeyError(
                    f"The name {name!r} refers to a Tensor which does not exist. The operation, {operation!r}, exists but only has "
                    f"{len(node.outputs)} outputs."
                )
            return node.outputs[int(index)]
        if not colon and allow_operation:
            if name not in self.by_name:
                raise KeyError(f"The name {name!r} refers to an Operation not in the graph.")
            return self.by_name[name]
        if not colon:
            if name in self.by_name:
                raise ValueError(
                    f'The name {name!r} refers to an Operation, not a Tensor. Tensor names must be of the form "<op_name>:<output_index>".'
                )
            raise ValueError(
                f"The name {name!r} looks like an (invalid) Operation name, not a Tensor. Tensor names must be of the form "
                '"<op_name>:<output_index>".'
            )
        raise ValueError(f"Name {name!r} appears to refer to a Tensor, not an Operation.")

    def as_operation(self, obj: object) -> Node:
        """The operation that `obj` is, or that makes it."""
        element = self.as_graph_element(obj)
        return element.node if isinstance(element, SymbolicTensor) else element

    def get_tensor_by_name(self, name: str) -> SymbolicTensor:
        """The tensor `"op:0"`; a KeyError where there is none, a ValueError for a name that is none of a tensor."""
        if not isinstance(name, str):
            raise TypeError(f"Tensor names are strings (or similar), not {type(name).__name__}.")
        return self.as_graph_element(name, True, False)

    def get_operation_by_name(self, name: str) -> Node:
        """The operation `name`; a KeyError where there is none."""
        if not isinstance(name, str):
            raise TypeError(f"Operation names are strings (or similar), not {type(name).__name__}.")
        return self.as_graph_element(name, False, True)

    def is_feedable(self, tensor: object) -> bool:
        """Whether a session may be fed a value for `tensor`."""
        return self.as_graph_element(tensor).uid not in self.unfeedable

    def prevent_feeding(self, tensor: Any) -> None:
        """Refuse values fed for `tensor`."""
        self.unfeedable.add(tensor.uid)

    def is_fetchable(self, tensor_or_op: object) -> bool:
        """Whether a session may fetch a tensor or an operation."""
        return tensor_or_op not in self.unfetchable

    def prevent_fetching(self, op: Node) -> None:
        """Refuse to fetch an operation and its outputs."""
        self.unfetchable.update((op, *op.outputs))

    # ---- collections

    @property
    def collections(self) -> list[Any]:
        """The names of all collections."""
        return list(self._collections)

    def add_to_collection(self, name: object, value: object) -> None:
        """Append `value` to the collection `name`."""
        self._collections.setdefault(name, []).append(value)

    def add_to_collections(self, names: Any, value: Any) -> None:
        """Append `value` to each of the collections `names`, once each."""
        for name in dict.fromkeys((names,) if isinstance(names, str) else names):
            self.add_to_collection(name, value)

    def get_collection_ref(self, name: object) -> list[Any]:
        """The list behind the collection `name` itself."""
        return self._collections.setdefault(name, [])

    def get_collection(self, name: object, scope: str | None = None) -> list[Any]:
        """A copy of the collection `name`; with `scope`, only items whose name matches it from its start."""
        items = list(self._collections.get(name, []))
        if scope is None:
            return items
        pattern = re.compile(scope)
        return [item for item in items if hasattr(item, "name") and pattern.match(item.name)]

    def clear_collection(self, name: str | None) -> None:
        """Empty the collection `name`."""
        self._collections.pop(name, None)

    def get_all_collection_keys(self) -> list[Any]:
        """The names of the collections that are strings."""
        return [name for name in self._collections if isinstance(name, str)]
