"""What a checkpoint walks: objects that hold variables, by the names under which they hold them.

Variables are leaves. Lists, tuples and dicts hold what is in them; any other object says what it holds (`_trackable_children`).
Every variable has one name, its shortest path from the root, as in TensorFlow. An object that has a `Pending` is told of
restores while it has not made all its variables, and passes them on as it makes them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ..api.variable import Variable

KEY = "/.ATTRIBUTES/VARIABLE_VALUE"
STATE = "/.ATTRIBUTES/py_state"


class Pending:
    """The latest restore, waiting for variables which are not made yet."""

    def __init__(self) -> None:
        self._prefix = ""
        self._restore: Callable[[str, Any], None] | None = None

    def wait(self, prefix: str, restore: Callable[[str, Any], None]) -> None:
        """Have `restore(path, variable)` called for what is made from now on, at paths that begin with `prefix`."""
        self._prefix, self._restore = prefix, restore

    def tell(self, name: str, thing: Any) -> None:
        """Something new is held under `name`."""
        if self._restore is not None:
            for path, variable in walk(thing, f"{self._prefix}{name}"):
                self._restore(path, variable)


class AutoTrackable:
    """An object whose attributes a checkpoint saves and restores, if they are or hold variables."""

    def _trackable_children(self) -> dict[str, Any]:
        return {name: thing for name, thing in vars(self).items() if may_hold(thing)}

    @property
    def _pending(self) -> Pending:
        return self.__dict__.setdefault("_waiting", Pending())  # type: ignore[no-any-return]

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, value)
        if may_hold(value):
            self._pending.tell(name, value)


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

    def deserialize(self, string_value: Any) -> None:
        """Take the state from what `serialize` gave."""
        raise NotImplementedError

    def _trackable_children(self) -> dict[str, Any]:
        return {}


def may_hold(thing: Any) -> bool:
    """Whether a checkpoint takes `thing`: a variable, a container, or an object that says what it holds."""
    return isinstance(thing, (Variable, list, tuple, Mapping)) or (hasattr(thing, "_trackable_children") and not isinstance(thing, type))


def children(thing: Any) -> dict[str, Any]:
    """What an object holds, by name."""
    if isinstance(thing, Variable):
        return {}
    if isinstance(thing, Mapping):
        return {str(key): value for key, value in thing.items()}
    if isinstance(thing, (list, tuple)):
        return {str(i): value for i, value in enumerate(thing)}
    return dict(thing._trackable_children())


def objects(root: Any, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """`root` and all that it holds, each once, by its shortest path; nearest first."""
    seen = {id(root)}
    queue = deque([(prefix, root)])
    while queue:
        path, thing = queue.popleft()
        yield path, thing
        for name, child in children(thing).items():
            if may_hold(child) and id(child) not in seen:
                seen.add(id(child))
                queue.append((f"{path}/{name}" if path else name, child))


def walk(root: Any, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Every variable that `root` holds, by its path."""
    return ((path, thing) for path, thing in objects(root, prefix) if isinstance(thing, Variable))


def states(root: Any, prefix: str = "") -> Iterator[tuple[str, PythonState]]:
    """Every state of Python's that `root` holds, by its path."""
    return ((path, thing) for path, thing in objects(root, prefix) if isinstance(thing, PythonState))
