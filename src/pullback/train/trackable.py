"""What a checkpoint walks: objects that hold variables, by the names under which they hold them.

Variables are leaves. Lists, tuples and dicts hold what is in them; an object may say what it holds (`_trackable_children`);
any other object with attributes (a `tf.Module`, a program's own class) holds those attributes that hold something. Every object
has one name, its shortest path from the root, as in TensorFlow.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ..api.variable import Variable

KEY = "/.ATTRIBUTES/VARIABLE_VALUE"


class Pending:
    """Restores that wait for variables which are not made yet."""

    def __init__(self) -> None:
        self._waiting: list[tuple[str, Callable[[str, Any], None]]] = []

    def add(self, prefix: str, restore: Callable[[str, Any], None]) -> None:
        """Have `restore(path, variable)` called for what is made later below `prefix`."""
        self._waiting.append((prefix, restore))

    def restore(self, name: str, thing: Any) -> None:
        """Tell of something new, held under `name`."""
        for prefix, call in self._waiting:
            for path, variable in walk(thing, f"{prefix}{name}"):
                call(path, variable)


def children(thing: Any) -> dict[str, Any]:
    """What `thing` holds, by name; empty for leaves."""
    if isinstance(thing, Variable):
        return {}
    own = getattr(thing, "_trackable_children", None)
    if own is not None:
        return dict(own())
    if isinstance(thing, Mapping):
        return {str(key): value for key, value in thing.items()}
    if isinstance(thing, (list, tuple)):
        return {str(i): value for i, value in enumerate(thing)}
    return dict(getattr(thing, "__dict__", {}))


def may_hold(thing: Any) -> bool:
    """Whether a checkpoint takes `thing`: a variable, a container, or an object with attributes."""
    if isinstance(thing, (Variable, list, tuple, Mapping)) or hasattr(thing, "_trackable_children"):
        return True
    return hasattr(thing, "__dict__") and not isinstance(thing, type) and not callable(getattr(thing, "__get__", None))


def walk(root: Any, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Every variable that `root` holds, by its shortest path, each once."""
    for path, thing in _objects(root, prefix):
        if isinstance(thing, Variable):
            yield path, thing


def waiting(root: Any) -> Iterator[tuple[str, Pending]]:
    """The objects that can be told of restores for variables they will make, by path with a slash."""
    for path, thing in _objects(root, ""):
        pending = getattr(thing, "_pending", None)
        if isinstance(pending, Pending):
            yield f"{path}/" if path else "", pending


def _objects(root: Any, prefix: str) -> Iterator[tuple[str, Any]]:
    seen = {id(root)}
    queue = deque([(prefix, root)])
    while queue:
        path, thing = queue.popleft()
        yield path, thing
        for name, child in children(thing).items():
            if may_hold(child) and id(child) not in seen:
                seen.add(id(child))
                queue.append((f"{path}/{name}" if path else name, child))
