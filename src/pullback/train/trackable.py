"""What a checkpoint walks: objects that hold variables, by the names under which they hold them.

Variables are leaves. Lists, tuples and dicts hold what is in them; any other object says what it holds (`_trackable_children`).
Every variable has one name in a file, its shortest path from the root, as in TensorFlow; which objects hold it under which names is a
list of its own (`ObjectGraph`), by which a restore goes. An object that has a `Pending` is told of restores while it has not made all
its variables, and passes them on as it makes them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Protocol

from ..api.variable import Variable
from ..base import nest
from ..base.export import export
from ..base.structures import structure_of

KEY = "/.ATTRIBUTES/VARIABLE_VALUE"
STATE = "/.ATTRIBUTES/py_state"
_ATTRIBUTES = "/.ATTRIBUTES/"


class Restoring(Protocol):
    """A restore that goes on while objects are made."""

    def go_on(self, node: int, name: str, thing: object) -> None:
        """The object bound to `node` holds `thing` under `name` now."""

    def is_done_with(self, node: int) -> bool:
        """Whether all that `node` holds has been found."""


class Pending:
    """The restores that wait for something that an object has not made yet, the latest last."""

    def __init__(self) -> None:
        self._restores: list[tuple[Restoring, int]] = []

    def wait(self, restoring: Restoring, node: int) -> None:
        """Have a restore told of what the object, bound to `node`, holds from now on."""
        self._restores = [(before, i) for before, i in self._restores if not before.is_done_with(i)] + [(restoring, node)]

    def tell(self, name: str, thing: object) -> None:
        """Something new is held under `name`."""
        for restoring, node in list(self._restores):
            restoring.go_on(node, name, variable_of(thing))

    def __deepcopy__(self, memo: dict[int, Any]) -> Pending:
        return Pending()


@export("train.experimental.PythonState")
class PythonState:
    """Something of Python's that a checkpoint saves beside variables: a class with both methods, an instance of which an object holds.

    >>> import tempfile, pullback as tf
    >>> class Count(tf.train.experimental.PythonState):
    ...     n = 3
    ...     def serialize(self):
    ...         return str(self.n)
    ...     def deserialize(self, text):
    ...         self.n = int(text)
    >>> count = Count()
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = tf.train.Checkpoint(count=count).save(folder + "/c")
    ...     count.n = 0
    ...     _ = tf.train.Checkpoint(count=count).restore(path)
    >>> count.n
    3
    """

    def serialize(self) -> str | bytes:
        """The state as text or bytes."""
        raise NotImplementedError

    def deserialize(self, string_value: str | bytes) -> None:
        """Take the state from what `serialize` gave."""
        raise NotImplementedError

    def _trackable_children(self, save_type: str = "checkpoint", **kwargs: Any) -> dict[str, Any]:
        return {}


def may_hold(thing: object) -> bool:
    """Whether a checkpoint takes `thing`: a variable, a container, or an object that says what it holds."""
    if isinstance(thing, tuple):
        return any(map(may_hold, thing))
    return isinstance(thing, (Variable, list, Mapping)) or (hasattr(thing, "_trackable_children") and not isinstance(thing, type))


def children(thing: Any, save_type: str = "checkpoint") -> dict[str, Any]:
    """What an object holds, by name: for a checkpoint, or for a SavedModel ("savedmodel"), which has functions too."""
    if isinstance(thing, Variable) or hasattr(thing, "_list_all_concrete_functions_for_serialization"):
        return {}
    if hasattr(thing, "_trackable_children"):
        return {name: variable_of(child) for name, child in thing._trackable_children(save_type=save_type).items()}
    if isinstance(thing, Mapping):
        return {str(key): variable_of(value) for key, value in thing.items()}
    return dict(zip(getattr(thing, "_fields", map(str, range(len(thing)))), map(variable_of, thing), strict=True))


def variable_of(thing: Any) -> Any:
    """The variable that a library's object stands for, which says so by an attribute, once it is made; anything else itself."""
    return thing.value if getattr(thing, "_should_act_as_resource_variable", False) and not is_promised(thing) else thing


def is_promised(thing: object) -> bool:
    """Whether a library's object stands for a variable that it makes later: `_initializer`, which it has already, is called then."""
    return getattr(thing, "_should_act_as_resource_variable", False) and getattr(thing, "_value", thing) is None


class Parts:
    """A structure with dataclasses or registered classes in it, which hold what they hold by the names of fields, or by place."""

    def __init__(self, whole: Any) -> None:
        self._whole = whole

    def _trackable_children(self, save_type: str = "checkpoint", **kwargs: Any) -> dict[str, Any]:
        own = structure_of(type(self._whole))
        if own is None:
            return {name: make_walkable(part) for name, part in children(self._whole).items()}
        parts, _ = own.parts(self._whole)
        return {name: make_walkable(part) for name, part in zip(own.names or map(str, range(len(parts))), parts, strict=True)}


def make_walkable(thing: object) -> Any:
    """`thing` as a checkpoint can walk it: dataclasses and registered classes, alone or in lists and dicts, are held by their parts."""
    if isinstance(thing, (list, tuple, Mapping)):
        return Parts(thing) if any(make_walkable(part) is not part for part in nest.children(thing)) else thing
    return Parts(thing) if structure_of(type(thing)) is not None and not hasattr(thing, "_trackable_children") else thing


class ObjectGraph:
    """A root and all that it holds, each once, nearest first.

    Attributes:
        objects: these. names: the shortest path of each. nodes: of each the names under which it holds others, and their numbers.
    """

    def __init__(self, root: Any, save_type: str = "checkpoint") -> None:
        self.objects, self.names, self.nodes = [root], [""], [dict[str, int]()]
        numbers = {id(root): 0}
        for i, thing in enumerate(self.objects):  # which grows meanwhile
            for name, child in children(thing, save_type).items():
                if not may_hold(child):
                    continue
                if id(child) not in numbers:
                    numbers[id(child)] = len(self.objects)
                    self.objects.append(child)
                    self.names.append(join_path(self.names[i], name))
                    self.nodes.append({})
                self.nodes[i][name] = numbers[id(child)]


def join_path(path: str, name: str) -> str:
    """A path of one name more, in which slashes stand between names only."""
    name = name.replace(".", "..").replace("/", ".S")
    return f"{path}/{name}" if path else name


def paths_of(nodes: list[dict[str, int]]) -> list[str]:
    """The shortest path of each node, "" for the root and for what it does not reach."""
    paths, queue, seen = [""] * len(nodes), [0], {0}
    for i in queue:  # which grows meanwhile
        for name, child in nodes[i].items():
            if child not in seen:
                seen.add(child)
                paths[child] = join_path(paths[i], name)
                queue.append(child)
    return paths


def tree_of(names: Iterable[str]) -> list[dict[str, int]]:
    """The nodes of a checkpoint that has names only: their parts, numbered from the root by breadth, in alphabetical order."""
    paths = {tuple(name.partition(_ATTRIBUTES)[0].split("/")) for name in names}
    places = sorted({path[:i] for path in paths for i in range(len(path) + 1)} | {()}, key=lambda path: (len(path), path))
    numbers = {path: i for i, path in enumerate(places)}
    nodes: list[dict[str, int]] = [{} for _ in places]
    for path, i in numbers.items():
        if path:
            nodes[numbers[path[:-1]]][path[-1].replace(".S", "/").replace("..", ".")] = i
    return nodes


def objects(root: object) -> Iterator[tuple[str, Any]]:
    """`root` and all that it holds, each once, by its shortest path; nearest first."""
    graph = ObjectGraph(root)
    return zip(graph.names, graph.objects, strict=True)


def walk(root: object) -> Iterator[tuple[str, Any]]:
    """Every variable that `root` holds, by its path."""
    return ((path, thing) for path, thing in objects(root) if isinstance(thing, Variable))
