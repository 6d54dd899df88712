"""Several replicas in one process, for a strategy over several devices: they take turns on the one CPU.

A replica's function runs in a thread until it needs the others (`merge_call`, `all_reduce`, a variable's aggregation), then the next one
runs: their order is always the same.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from ..api.variable import ResourceVariable
from ..api.variable_creators import VariableSynchronization
from ..base import nest
from ..ir.apply import convert_to_tensor
from ..ir.context import current, enter_graph
from ..ir.indexed_slices import IndexedSlices
from ..ir.tensor import Tensor
from ..ops.array.basic import identity, shape_of
from ..ops.array.create import zeros
from ..ops.array.gather import gather
from ..ops.array.join import concat
from ..ops.math.sums import add_n
from ..ops.primitives.cast import cast
from ..ops.reduce.reductions import reduce_prod, reduce_sum
from ..trace.function import Function, trace_apart
from .distribute import ReduceOp, ReplicaContext, Strategy, StrategyExtended, enter_strategy, get_replica_context, refuse_another
from .distribute_inputs import InputContext, ValueContext, check_aggregation, share_of
from .distributed_variables import CopiedMirroredVariable, CopiedSyncOnReadVariable, CopiedVariable, SharedVariable
from .replica_values import DistributedValues, PerReplica, Turns, regroup, select


class LocalReplica(ReplicaContext):
    """One of the replicas of this process."""

    def __init__(self, strategy: LocalReplicas, number: int) -> None:
        super().__init__(strategy, number)
        self.number = number
        self.turns: Turns | None = None

    @property
    def replica_id_in_sync_group(self) -> Tensor:
        """Which of them this is, a scalar tensor."""
        return convert_to_tensor(self.number)

    @property
    def devices(self) -> tuple[str, ...]:
        """The device of the replica."""
        return (self._strategy.extended.worker_devices[self.number],)

    def merge_call(self, merge_fn: Callable[..., Any], args: Sequence[Any] = (), kwargs: dict[str, Any] | None = None) -> Any:
        """What `merge_fn(strategy, *args, **kwargs)` gives, called once, when all replicas have come to such a call.

        What the replicas give in the arguments are `DistributedValues` there; of those in the result, each replica gets its own.
        RuntimeError in a function or branch that is traced within the replica's function, where the others cannot come meanwhile.
        """
        if self.turns is None or current().graph is not self.turns.graph:
            raise RuntimeError(
                "`merge_call` called while defining a new graph or a tf.function. This can often happen if the function `fn` passed to "
                "`strategy.run()` contains a nested `@tf.function`, or control flow, in which replicas wait for each other, as where an "
                "optimizer applies gradients. Decorate the function that calls `strategy.run`, or `fn` itself, instead"
            )
        return self.turns.suspend((merge_fn, tuple(args), dict(kwargs or {})))

    def all_reduce(self, reduce_op: object, value: object, options: object = None) -> Any:
        """The sum or mean over replicas of each tensor in `value`; a tensor that all replicas give counts once, as in TensorFlow."""
        how = ReduceOp.of(reduce_op).name

        def join(strategy: LocalReplicas, part: Any) -> Any:
            if isinstance(part, DistributedValues):
                return strategy.joined(how, PerReplica(part.values))
            return part if isinstance(part, Tensor | IndexedSlices) else strategy.joined(how, part)

        return self.merge_call(lambda strategy, value: strategy.for_each(partial(join, strategy), value), (value,))

    def all_gather(self, value: object, axis: int, options: object = None) -> Any:
        """The values of all replicas, one behind the other."""
        return self.merge_call(lambda strategy, value: strategy.for_each(lambda part: strategy.gather(part, axis), value), (value,))


class LocalExtended(StrategyExtended):
    """What libraries ask of such a strategy."""

    def __init__(self, container_strategy: LocalReplicas, devices: tuple[str, ...]) -> None:
        super().__init__(container_strategy)
        self._devices = devices

    def update(
        self, var: Any, fn: Callable[..., Any], args: Sequence[Any] = (), kwargs: dict[str, Any] | None = None, group: bool = True
    ) -> Any:  # fmt: skip
        """What `fn(var, *args, **kwargs)` gives: once for a variable that replicas share, else for each of theirs.

        Of `DistributedValues` in the arguments each is given its own, a shared variable the first replica's.
        """
        own = var.values if isinstance(var, CopiedVariable) else [var]
        with enter_strategy(self._strategy, None):
            return regroup([fn(v, *select(i, tuple(args)), **select(i, kwargs or {})) for i, v in enumerate(own)])


class LocalReplicas(Strategy):
    """A strategy whose replicas are all in this process.

    devices: a name for each of them. ValueError for one that is named twice.
    """

    _merges = True

    def __init__(self, devices: Sequence[str]) -> None:
        super().__init__()
        names = tuple(_full_name(device) for device in devices)
        self._extended = LocalExtended(self, names)
        if len(set(names)) < len(names):
            raise ValueError(f"No duplicates allowed in `devices` argument: {names}")
        self._replicas = [LocalReplica(self, i) for i in range(len(names))]
        self._traced: weakref.WeakKeyDictionary[Any, Any] = weakref.WeakKeyDictionary()

    @property
    def num_replicas_in_sync(self) -> int:
        """How many replicas there are: one for each device."""
        return len(self._replicas)

    def replica_here(self) -> LocalReplica | None:
        """The replica that this runs in; None across replicas and outside of the strategy."""
        here = get_replica_context()
        return here if isinstance(here, LocalReplica) and here.strategy is self else None

    # ---- running

    def run(self, fn: Callable[..., Any], args: Sequence[Any] = (), kwargs: dict[str, Any] | None = None, options: object = None) -> Any:
        """What `fn(*args, **kwargs)` gives in each replica: `DistributedValues` where it is not the same thing in all of them.

        Of `DistributedValues` in the arguments each replica is given its own.  A `tf.function` becomes one function of all replicas.
        """
        refuse_another(self)
        if not isinstance(fn, Function):
            return self._run_all(fn, args, kwargs or {})
        if fn not in self._traced:
            self._traced[fn] = fn.of_another(partial(self._run_all, fn.converted))
        return self._traced[fn](args, kwargs or {})

    def _run_all(self, fn: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
        replicas = [LocalReplica(self, i) for i in range(self.num_replicas_in_sync)]
        turns = [Turns(partial(self._run_one, replica, fn, args, kwargs)) for replica in replicas]
        for replica, own in zip(replicas, turns, strict=True):
            replica.turns = own
        answers: list[Any] = [None] * len(replicas)
        try:
            while True:
                given = [own.resume(answer) for own, answer in zip(turns, answers, strict=True)]
                done = [own.is_done for own in turns]
                if all(done):
                    return regroup(given)
                if any(done):
                    raise RuntimeError("Some replicas made a different number of replica_context().merge_call() calls.")
                merge_fn = given[0][0]
                with enter_strategy(self, None):
                    merged = merge_fn(self, *regroup([args for _, args, _ in given]), **regroup([kwargs for _, _, kwargs in given]))
                answers = [select(i, merged) for i in range(len(replicas))]
        finally:
            for own in turns:
                own.end()

    def _run_one(self, replica: LocalReplica, fn: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
        with enter_strategy(self, replica), trace_apart(self._replicas[replica.number]):
            return fn(*select(replica.number, tuple(args)), **select(replica.number, kwargs))

    # ---- what replicas have, together

    def for_each(self, join: Callable[[Any], Any], value: Any) -> Any:
        """For every replica what `join` makes of each `PerReplica` in a structure."""

        def copy_to_all(part: Any) -> PerReplica:
            joined = join(part)
            return PerReplica([nest.map_structure(identity, joined, expand_composites=True) for _ in self._replicas])

        return nest.map_structure(copy_to_all, value)

    def joined(self, how: str, value: Any) -> Any:
        """One value of those of all replicas: their SUM or MEAN, or that of ONLY_FIRST_REPLICA."""
        if not isinstance(value, PerReplica):
            if how == "SUM":
                raise ValueError(f"A non-DistributedValues value {value!s} cannot be reduced with the given reduce op ReduceOp.SUM.")
            return value
        parts: list[Any] = [part if isinstance(part, IndexedSlices) else convert_to_tensor(part) for part in value.values]
        if how == "ONLY_FIRST_REPLICA":
            return parts[0]
        count = len(parts) if how == "MEAN" else 1
        if any(isinstance(part, IndexedSlices) for part in parts):
            values = concat([part.values for part in parts], 0)
            indices = concat([part.indices for part in parts], 0)
            return IndexedSlices(values / count if count > 1 else values, indices, parts[0].dense_shape)
        total = add_n(parts)
        return total / count if count > 1 else total

    def _all_reduce(self, how: ReduceOp, value: Any) -> Any:
        return nest.map_structure(partial(self.joined, how.name), value)

    def _reduce_axis(self, how: ReduceOp, value: Any, axis: int) -> Any:
        if not isinstance(value, PerReplica):
            value = PerReplica([value] * self.num_replicas_in_sync)
        total = self.joined("SUM", PerReplica([reduce_sum(part, axis=axis) for part in value.values]))
        if how is ReduceOp.SUM:
            return total
        return total / cast(add_n([reduce_prod(gather(shape_of(part), axis)) for part in value.values]), total.dtype)

    def _all_gather(self, value: Any, axis: int) -> Any:
        return nest.map_structure(lambda part: concat(part.values, axis) if isinstance(part, PerReplica) else identity(part), value)

    def experimental_local_results(self, value: Any) -> tuple[Any, ...]:
        """What each replica has."""
        if isinstance(value, DistributedValues):
            return tuple(value.values)
        return tuple(select(i, value) for i in range(self.num_replicas_in_sync)) if nest.is_nested(value) else (value,)

    # ---- variables and data

    def _make_variable(self, following: Callable[..., Any], kwargs: dict[str, Any]) -> Any:
        first = following(**kwargs)
        check_aggregation(first)
        if type(first) is not ResourceVariable:
            return first
        on_read = first.synchronization.name == "ON_READ"
        if not on_read:
            first.synchronization = VariableSynchronization.ON_WRITE
        if not on_read and (first.trainable or first.aggregation.name != "NONE"):
            first.__class__ = SharedVariable
            return first
        if first._graph is not None:
            raise NotImplementedError(f"{first.name}, of which each replica of the process has its own, cannot be made in a graph")
        with enter_graph(None):
            value, names = first.read_value(), [f"{first._shared_name}/replica_{i}" for i in range(1, len(self._replicas))]
            copies = [first, *(following(**{**kwargs, "initial_value": value, "name": name}) for name in names)]
        return (CopiedSyncOnReadVariable if on_read else CopiedMirroredVariable)(copies)

    def experimental_distribute_dataset(self, dataset: Any, options: object = None) -> Any:
        """The dataset whose elements are `DistributedValues`: of each batch, the parts of the replicas."""
        count = self.num_replicas_in_sync

        def split(part: Any) -> PerReplica:
            return PerReplica([share_of(i, count, part) for i in range(count)])

        return dataset.map(lambda *parts: nest.map_structure(split, parts if len(parts) > 1 else parts[0]))

    def distribute_datasets_from_function(self, dataset_fn: Callable[[InputContext], Any], options: object = None) -> Any:
        """The dataset whose elements are `DistributedValues`: each replica's is the next element of the dataset that a function makes.

        Where there is none left for the last replicas, theirs have no rows.
        """
        count = self.num_replicas_in_sync
        dataset = dataset_fn(InputContext(1, 0, count))

        def share(*windows: Any) -> Any:
            window = dataset.zip(windows if len(windows) > 1 else windows[0])
            nothing = dataset.from_tensors(nest.map_structure(_make_empty, dataset.element_spec))
            return regroup([window.skip(i).concatenate(nothing).take(1).get_single_element() for i in range(count)])

        return dataset.window(count).map(share)

    def experimental_distribute_values_from_function(self, value_fn: Callable[[ValueContext], Any]) -> Any:
        """What a function makes for each replica."""
        count = self.num_replicas_in_sync
        made = [value_fn(ValueContext(i, count)) for i in range(count)]
        return nest.map_structure(lambda *parts: PerReplica(parts), *made)


def _make_empty(spec: Any) -> Tensor:
    return zeros([0, *(size or 0 for size in spec.shape[1:])], spec.dtype)


def _full_name(device: str) -> str:
    kind, _, number = str(device).upper().rstrip("/").rpartition("/")[2].removeprefix("DEVICE:").partition(":")
    return f"/job:localhost/replica:0/task:0/device:{kind}:{number or 0}"
