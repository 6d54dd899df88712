"""Values that differ among the replicas of one process, and the turns in which those replicas run a function."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import copy_context
from typing import Any, ClassVar

from ..base import nest
from ..base.export import export
from ..ir.composite import CompositeSpec, CompositeTensor
from ..ir.context import BUILDING, current
from ..ir.graph import BLOCKS, Graph
from ..ir.type_spec import describe, type_spec_from_value


@export(v2="distribute.DistributedValues")
class DistributedValues:
    """A value that differs from replica to replica of one process: `strategy.experimental_local_results` gives its parts.

    >>> strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])
    >>> numbers = strategy.run(lambda: tf.distribute.get_replica_context().replica_id_in_sync_group)
    >>> isinstance(numbers, tf.distribute.DistributedValues), [int(n) for n in strategy.experimental_local_results(numbers)]
    (True, [0, 1])
    """

    @property
    def values(self) -> tuple[Any, ...]:
        """The value of each replica."""
        raise NotImplementedError(f"{type(self).__name__} does not say what replicas have")


@export(v2="types.experimental.distributed.Mirrored")
class Mirrored(DistributedValues):
    """A value that is to be the same in all replicas of one process: a variable that they write together.

    >>> with tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"]).scope():
    ...     variable = tf.Variable(1.0)
    >>> isinstance(variable, tf.types.experimental.distributed.Mirrored)
    True
    """


@export(v2="types.experimental.distributed.PerReplica")
class PerReplica(CompositeTensor, DistributedValues):
    """One value for each replica of one process; to functions, loops and datasets it is one value made of them.

    >>> strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])
    >>> numbers = strategy.run(lambda: tf.distribute.get_replica_context().replica_id_in_sync_group)
    >>> isinstance(numbers, tf.types.experimental.distributed.PerReplica)
    True
    """

    _counts_as_tensor = False
    functions: ClassVar[dict[str, Callable[..., Any]]] = {}

    def __init__(self, values: Sequence[Any]) -> None:
        self._values = tuple(values)

    @property
    def values(self) -> tuple[Any, ...]:
        """The value of each replica."""
        return self._values

    @property
    def _type_spec(self) -> PerReplicaSpec:
        return PerReplicaSpec(*map(type_spec_from_value, self._values))

    def _components(self) -> list[Any]:
        return list(self._values)

    def _from_components(self, parts: Sequence[Any]) -> PerReplica:
        return PerReplica(parts)

    def _shown(self, show: Callable[[Any], str], kind: str = "PerReplica") -> str:
        parts = ",\n".join(f"  {i}: {show(value)}" for i, value in enumerate(self._values))
        return f"{kind}:{{\n{parts}\n}}"

    def __str__(self) -> str:
        return self._shown(str)

    def __repr__(self) -> str:
        return self._shown(repr)


class PerReplicaSpec(CompositeSpec):
    """The specs of the values of each replica."""

    def __init__(self, *value_specs: Any) -> None:
        self._value_specs = value_specs

    @property
    def value_type(self) -> type[PerReplica]:
        """The class of what it describes."""
        return PerReplica

    def _serialize(self) -> tuple[Any, ...]:
        return self._value_specs

    def _components(self) -> list[Any]:
        return list(self._value_specs)

    def _from_components(self, parts: Sequence[Any]) -> PerReplica:
        return PerReplica(parts)

    def _cast(self, value: Any) -> PerReplica:
        if not isinstance(value, PerReplica) or not self.is_compatible_with(value):
            raise TypeError(f"Can not cast {value!r} to {self!r}")
        return value


describe([PerReplica], lambda value: value._type_spec)


def select(replica: int, structure: Any) -> Any:
    """What one replica has of a structure."""
    return nest.map_structure(lambda part: part.values[replica] if isinstance(part, PerReplica) else part, structure)


def regroup(values: Sequence[Any]) -> Any:
    """One structure of the structures of the replicas: what is not the same thing in all of them becomes a `PerReplica`."""
    first = values[0]
    if nest.is_nested(first):
        for other in values[1:]:
            nest.assert_same_structure(first, other)
        parts = [regroup(of_all) for of_all in zip(*(nest.children(value) for value in values), strict=True)]
        return nest.rebuild(first, parts, False)
    return first if all(value is first for value in values) else PerReplica(values)


# ---- turns

#: Who waits here lets go of the lock under which functions are traced, however deep it is held: a replica may be traced meanwhile.
_TURN = threading.Condition(BUILDING)


class _Ended(BaseException):
    """Ends a replica that nobody waits for any more, because another one raised."""


class Turns:
    """A function in a thread of its own, which runs only while `resume` waits for it, and gives way with `suspend`.

    It has the context variables of who made it.  The blocks of the graph being built that it has entered (name scopes, control
    dependencies) are its own.
    """

    def __init__(self, function: Callable[[], Any]) -> None:
        self._context, self._function, self.graph = copy_context(), function, current().graph
        self._runs, self._sent, self._given = False, None, None
        self._error: BaseException | None = None
        self._blocks: dict[str, Any] | None = None
        self.is_done = False
        self._thread = threading.Thread(target=self._work, daemon=True)

    def resume(self, sent: Any = None) -> Any:
        """Let it run on, `sent` being the answer of its `suspend`, until it gives something: see `is_done`. Raises what it raises."""
        with self._in_its_blocks(), _TURN:
            self._sent, self._runs = sent, True
            if self._thread.ident is None:
                self._thread.start()
            _TURN.notify_all()
            _TURN.wait_for(lambda: not self._runs)
        if self._error is not None:
            raise self._error
        return self._given

    def suspend(self, given: Any) -> Any:
        """In the function: let who resumed it go on with `given`, and wait for the answer."""
        with _TURN:
            self._give_way(given)
            _TURN.wait_for(lambda: self._runs)
        if self._sent is _Ended:
            raise _Ended
        return self._sent

    def end(self) -> None:
        """End it where it stands."""
        if not self.is_done and self._thread.ident is not None:
            with suppress(_Ended):
                self.resume(_Ended)

    def _give_way(self, given: Any) -> None:
        self._given, self._runs = given, False
        _TURN.notify_all()

    def _work(self) -> None:
        given = None
        try:
            given = self._context.run(self._function)
        except BaseException as error:  # noqa: BLE001 - raised again where it is waited for
            self._error = error
        with _TURN:
            self.is_done = True
            self._give_way(given)

    @contextmanager
    def _in_its_blocks(self) -> Iterator[None]:
        graph = current().graph
        if graph is None:
            yield
            return
        before = _blocks(graph)
        for name, value in (self._blocks or before).items():
            setattr(graph, name, value)
        try:
            yield
        finally:
            self._blocks = _blocks(graph)
            for name, value in before.items():
                setattr(graph, name, value)


def _blocks(graph: Graph) -> dict[str, Any]:
    return {name: getattr(graph, name) for name in BLOCKS}
