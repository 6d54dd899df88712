"""Variables of strategies with several replicas: in the processes of an MPI program, a copy in each; in one process, shared."""

from __future__ import annotations

import builtins
from typing import TYPE_CHECKING, Any

from ..api.variable import ResourceVariable, Variable
from ..ir.apply import convert_to_tensor
from ..ir.tensor import NumberLike, TensorLike
from ..ops.collective.functions import all_reduce, broadcast
from ..ops.primitives.cast import cast
from .distribute import Strategy, get_replica_context
from .replica_values import DistributedValues, Mirrored, PerReplica

if TYPE_CHECKING:
    from .local_replicas import LocalReplicas


class _OfReplicas(ResourceVariable):
    """A variable whose writes depend on where they are made."""

    def _write_by(self, method: str, value: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        return self._write_here(method, value, args, kwargs)

    def _write_here(self, method: str, value: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        return getattr(super(), method)(value, *args, **kwargs)

    def assign(self, value: TensorLike, *args: Any, **kwargs: Any) -> Any:
        """Assign: what the replicas' values become, or each its own; see the class."""
        return self._write_by("assign", value, args, kwargs)

    def assign_add(self, delta: NumberLike, *args: Any, **kwargs: Any) -> Any:
        """Add: what the replicas' values become, or each its own; see the class."""
        return self._write_by("assign_add", delta, args, kwargs)

    def assign_sub(self, delta: NumberLike, *args: Any, **kwargs: Any) -> Any:
        """Subtract: what the replicas' values become, or each its own; see the class."""
        return self._write_by("assign_sub", delta, args, kwargs)


class MirroredVariable(_OfReplicas):
    """A variable of which each process has a copy.  What replicas assign becomes one value by `aggregation`, where it has one."""

    def _write_by(self, method: str, value: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        context, how = get_replica_context(), self.aggregation.name
        if context is not None and context.num_replicas_in_sync > 1 and how != "NONE":
            value = convert_to_tensor(value, dtype=self.dtype)
            value = broadcast(value) if how == "ONLY_FIRST_REPLICA" else all_reduce(value, how)
        return self._write_here(method, value, args, kwargs)


class SyncOnReadVariable(_OfReplicas):
    """A variable that replicas write apart.  Across replicas it is read as what their values become, for which all of them have to ask.

    Across replicas, of what is assigned to a sum each gets its part; ValueError for what is added to a sum there.
    """

    _distribute_strategy: Strategy

    def _is_apart(self) -> builtins.bool:
        context = get_replica_context()
        return context is not None and context.strategy is self._distribute_strategy

    def _how(self) -> str:
        how = self.aggregation.name
        if how == "NONE":
            raise ValueError(
                "Could not convert from `tf.VariableAggregation` NONE to `tf.distribute.ReduceOp` type: across replicas, "
                f"{self.name} is read as what the replicas' values become. Make it with aggregation=tf.VariableAggregation.SUM, or read it "
                "in strategy.run"
            )
        return how

    def _read(self, name: str | None = None) -> Any:
        return super()._read(name) if self._is_apart() else self._joined(self._how())

    def _joined(self, how: str) -> Any:
        value = super()._read()
        return broadcast(value) if how == "ONLY_FIRST_REPLICA" else all_reduce(value, how)

    def _write_by(self, method: str, value: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if not self._is_apart() and self._how() == "SUM":
            if method != "assign":
                raise ValueError(
                    f"SyncOnReadVariable does not support `{method}` in cross-replica context when aggregation is set to "
                    f"`tf.VariableAggregation.SUM`: call it in strategy.run. The variable is {self.name}"
                )
            value = cast(convert_to_tensor(value, dtype=self.dtype) / self._distribute_strategy.num_replicas_in_sync, self.dtype)
        return self._write_here(method, value, args, kwargs)


# ---- where all replicas are in one process


class SharedVariable(_OfReplicas, Mirrored):
    """A variable that the replicas of one process share.  What they assign becomes one value by `aggregation`, which it must have."""

    _distribute_strategy: LocalReplicas

    @property
    def values(self) -> tuple[Any, ...]:
        """What each replica has of it: the variable."""
        return (self,) * self._distribute_strategy.num_replicas_in_sync

    def _write_by(self, method: str, value: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        replica, how = self._distribute_strategy.replica_here(), self.aggregation.name
        if replica is None:
            return self._write_here(method, value, args, kwargs)
        if how == "NONE":
            raise ValueError(
                f"{self._name}, which is trained, is assigned in a replica without aggregation: replicas of one process share it. Make it "
                "with aggregation=tf.VariableAggregation.MEAN, SUM or ONLY_FIRST_REPLICA, or with trainable=False for one in each replica"
            )

        def write_once(strategy: LocalReplicas, value: Any) -> Any:
            written = self._write_here(method, strategy.joined(how, value), args, kwargs)
            reads = isinstance(written, Variable)
            return PerReplica([self.read_value() if reads else written for _ in range(strategy.num_replicas_in_sync)])

        return replica.merge_call(write_once, (value,))

    def _apply(self, op: Any, *inputs: Any, **attrs: Any) -> Any:
        if self._distribute_strategy.replica_here() is not None:
            raise NotImplementedError(
                f"{self._name} is shared by the replicas of this process: a replica changes it with assign, assign_add and assign_sub, and "
                f"not with {op.name}, which is for `merge_call` and across replicas"
            )
        return super()._apply(op, *inputs, **attrs)

    def __repr__(self) -> str:
        shown, own = super().__repr__(), f"'{self.name}'"
        names = [own, *(f"'{self._shared_name}/replica_{i}:0'" for i in range(1, self._distribute_strategy.num_replicas_in_sync))]
        return PerReplica([shown.replace(own, name, 1) for name in names])._shown(str, "MirroredVariable")


class CopiedVariable(_OfReplicas, DistributedValues):
    """A plain variable for each replica of one process: in a replica its own, across them the first is read and all are written."""

    _distribute_strategy: LocalReplicas
    _shown_as = "MirroredVariable"

    def __init__(self, copies: list[ResourceVariable]) -> None:
        vars(self).update(vars(copies[0]))
        self._copies = copies

    @property
    def values(self) -> tuple[Any, ...]:
        """The variable of each replica."""
        return tuple(self._copies)

    def _own(self) -> list[ResourceVariable]:
        """What is written here."""
        replica = self._distribute_strategy.replica_here()
        return self._copies if replica is None else [self._copies[replica.number]]

    @property
    def handle(self) -> Any:
        """That of the replica's own variable; across replicas, of the first."""
        return self._own()[0].handle

    def _write_here(self, method: str, value: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        written = [getattr(copy, method)(value, *args, **kwargs) for copy in self._own()]
        return written[0] if len(written) == 1 else self

    def _apply(self, op: Any, *inputs: Any, **attrs: Any) -> Any:
        applied = [copy._apply(op, *inputs, **attrs) for copy in self._own()]
        return applied[0]

    def _as_written(self) -> Any:
        return self._own()[0]._as_written()

    def __repr__(self) -> str:
        return PerReplica(self._copies)._shown(repr, self._shown_as)


class CopiedMirroredVariable(CopiedVariable, Mirrored):
    """Such copies of a variable that is not trained."""


class CopiedSyncOnReadVariable(CopiedVariable, SyncOnReadVariable):
    """Such copies, which are read across replicas as what they become by `aggregation`."""

    _distribute_strategy: LocalReplicas
    _shown_as = "SyncOnReadVariable"

    def _joined(self, how: str) -> Any:
        return self._distribute_strategy.joined(how, PerReplica([copy.read_value() for copy in self._copies]))


# What programs and libraries look for by name.
SharedVariable.__name__ = CopiedMirroredVariable.__name__ = "MirroredVariable"
CopiedSyncOnReadVariable.__name__ = "SyncOnReadVariable"
