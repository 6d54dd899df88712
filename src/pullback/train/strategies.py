"""The strategies of `tf.distribute`: one device, and one replica a process of an MPI program.

A process holds one replica, so a value of a replica is a plain tensor, and what crosses replicas is a collective that all of them call.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Sequence
from typing import Any

from ..api.variable import ResourceVariable
from ..base import nest
from ..base.dtypes import NUMERIC, bool
from ..base.export import export
from ..ir.apply import convert_to_tensor
from ..ir.tensor import DEVICE, TensorLike
from ..kernels.collective.agreement import agree_on_seed
from ..kernels.collective.world import world
from ..ops.array.basic import shape_of
from ..ops.collective.buckets import all_reduce_together
from ..ops.collective.functions import all_gather, all_reduce, broadcast
from ..ops.math.arithmetic import minimum
from ..ops.primitives.cast import cast
from .distribute import ReduceOp, Strategy, get_replica_context
from .distribute_inputs import InputContext, ValueContext


class MirroredVariable(ResourceVariable):
    """A variable of which each replica has a copy.  What replicas assign becomes one value by `aggregation`, where it has one."""

    def assign(self, value: TensorLike, *args: Any, **kwargs: Any) -> Any:
        """Assign what the replicas' values become by the variable's `aggregation`."""
        return super().assign(self._aggregated(value), *args, **kwargs)

    def assign_add(self, delta: TensorLike, *args: Any, **kwargs: Any) -> Any:
        """Add what the replicas' values become by the variable's `aggregation`."""
        return super().assign_add(self._aggregated(delta), *args, **kwargs)

    def assign_sub(self, delta: TensorLike, *args: Any, **kwargs: Any) -> Any:
        """Subtract what the replicas' values become by the variable's `aggregation`."""
        return super().assign_sub(self._aggregated(delta), *args, **kwargs)

    def _aggregated(self, value: Any) -> Any:
        context = get_replica_context()
        if context is None or context.num_replicas_in_sync == 1:
            return value
        how = self.aggregation.name
        if how == "NONE":
            return value
        value = convert_to_tensor(value, dtype=self.dtype)
        return broadcast(value) if how == "ONLY_FIRST_REPLICA" else all_reduce(value, how)


class SyncOnReadVariable(ResourceVariable):
    """A variable that replicas write apart.  Across replicas it is read as what their values become, for which all of them have to ask."""

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
        value = super()._read(name)
        if self._is_apart():
            return value
        return broadcast(value) if self._how() == "ONLY_FIRST_REPLICA" else all_reduce(value, self._how())

    def assign(self, value: TensorLike, *args: Any, **kwargs: Any) -> Any:
        """Assign here; across replicas, what makes it be read as `value`: of a sum each replica gets its part."""
        if not self._is_apart() and self._how() == "SUM":
            value = cast(convert_to_tensor(value, dtype=self.dtype) / self._distribute_strategy.num_replicas_in_sync, self.dtype)
        return super().assign(value, *args, **kwargs)

    def assign_add(self, delta: TensorLike, *args: Any, **kwargs: Any) -> Any:
        """Add here, or on all replicas; ValueError for a sum across replicas."""
        self._refuse_sums("assign_add")
        return super().assign_add(delta, *args, **kwargs)

    def assign_sub(self, delta: TensorLike, *args: Any, **kwargs: Any) -> Any:
        """Subtract here, or on all replicas; ValueError for a sum across replicas."""
        self._refuse_sums("assign_sub")
        return super().assign_sub(delta, *args, **kwargs)

    def _refuse_sums(self, method: str) -> None:
        if not self._is_apart() and self._how() == "SUM":
            raise ValueError(
                f"SyncOnReadVariable does not support `{method}` in cross-replica context when aggregation is set to "
                f"`tf.VariableAggregation.SUM`: call it in strategy.run. The variable is {self.name}"
            )


class _OfReplicas(Strategy):
    """A strategy whose replicas are the processes of the program."""

    def __init__(self) -> None:
        super().__init__()
        self._world = world()
        agree_on_seed()

    @property
    def num_replicas_in_sync(self) -> int:
        """How many replicas there are: one a process."""
        return self._world.size

    @property
    def _replica(self) -> int:
        return self._world.rank

    def _all_reduce(self, how: ReduceOp, value: Any) -> Any:
        if self._world.size == 1:
            return super()._all_reduce(how, value)
        flat = [convert_to_tensor(part) if isinstance(part, (int, float)) else part for part in nest.flatten(value)]
        return nest.pack_sequence_as(value, all_reduce_together(flat, how.name))

    def _all_gather(self, value: Any, axis: int) -> Any:
        return nest.map_structure(lambda part: all_gather(part, axis), value)

    def _reduce_axis(self, how: ReduceOp, value: Any, axis: int) -> Any:
        return all_reduce(value, how.name, axis)

    def _make_variable(self, following: Callable[..., Any], kwargs: dict[str, Any]) -> Any:
        if self._world.size == 1:
            return following(**kwargs)
        given, dtype = kwargs.get("initial_value"), kwargs.get("dtype")

        def agreed() -> Any:
            value = convert_to_tensor(given() if callable(given) else given, dtype=dtype)
            return broadcast(value) if value.dtype in NUMERIC or value.dtype is bool else value

        variable = following(**kwargs if given is None else {**kwargs, "initial_value": agreed})
        if variable.aggregation.name == "MEAN" and not variable.dtype.is_floating:
            raise ValueError(
                f"creating distributed tf.Variable with aggregation=MEAN and a non-floating dtype is not supported: {variable.name} is "
                f"{variable.dtype.name}. Take a floating dtype, or tf.VariableAggregation.SUM"
            )
        if type(variable) is ResourceVariable:
            apart = getattr(kwargs.get("synchronization"), "name", None) == "ON_READ"
            variable.__class__ = SyncOnReadVariable if apart else MirroredVariable
        return variable

    def experimental_distribute_dataset(self, dataset: Any, options: Any = None) -> Any:
        """The dataset of this replica's part of each batch: of 10 examples for 4 replicas they have 3, 3, 3 and 1.

        Every replica reads the whole dataset, so it must give all of them the same; a shuffle without a seed does.
        """
        replicas, replica = self._world.size, self._world.rank
        if replicas == 1:
            return dataset

        def cut(part: Any) -> Any:
            count = shape_of(part)[0]
            share = (count + replicas - 1) // replicas
            return part[minimum(replica * share, count) : minimum((replica + 1) * share, count)]

        return dataset.map(lambda *parts: nest.map_structure(cut, parts if len(parts) > 1 else parts[0]))

    def distribute_datasets_from_function(self, dataset_fn: Callable[[InputContext], Any], options: Any = None) -> Any:
        """The dataset that a function makes for this replica."""
        return dataset_fn(InputContext(self._world.size, self._world.rank, self._world.size))

    def experimental_distribute_values_from_function(self, value_fn: Callable[[ValueContext], Any]) -> Any:
        """What a function makes for this replica."""
        return value_fn(ValueContext(self._world.size, self._world.rank))


def _check_devices(devices: Sequence[str]) -> None:
    if len(devices) > 1 or "CPU:0" not in f"{devices[0]}".upper():
        raise ValueError(f"there is one device for each process, {DEVICE}, and not {', '.join(map(str, devices))}")


@export("distribute.OneDeviceStrategy")
class OneDeviceStrategy(Strategy):
    """Everything on one device; ValueError for one that is not there.

    >>> import pullback as tf
    >>> tf.distribute.OneDeviceStrategy("/cpu:0").run(lambda x: x * 2.0, args=(tf.constant(3.0),)).numpy().item()
    6.0
    """

    def __init__(self, device: str) -> None:
        super().__init__()
        _check_devices([device])


@export("distribute.experimental.CentralStorageStrategy")
class CentralStorageStrategy(OneDeviceStrategy):
    """Variables on the CPU and work on the devices of the machine: here the one CPU for both.

    >>> import pullback as tf
    >>> tf.distribute.experimental.CentralStorageStrategy().num_replicas_in_sync
    1
    """

    def __init__(self, compute_devices: Sequence[str] | None = None, parameter_device: str | None = None) -> None:
        super().__init__(DEVICE)
        _check_devices([*(compute_devices or ()), parameter_device or DEVICE])


@export("distribute.MirroredStrategy")
class MirroredStrategy(_OfReplicas):
    """A copy of every variable in each process of an MPI program (`pullback run --mpi 4`); one without MPI.

    devices: the device of this process, of which there is one; ValueError for others.

    >>> import pullback as tf
    >>> strategy = tf.distribute.MirroredStrategy()
    >>> with strategy.scope():
    ...     v = tf.Variable(1.0)
    >>> strategy.num_replicas_in_sync, strategy.extended.variable_created_in_scope(v)
    (1, True)
    """

    def __init__(self, devices: Sequence[str] | None = None, cross_device_ops: Any = None) -> None:
        _check_devices(devices or [DEVICE])
        super().__init__()


@export("distribute.experimental.MultiWorkerMirroredStrategy", v2="distribute.MultiWorkerMirroredStrategy")
class MultiWorkerMirroredStrategy(_OfReplicas):
    """As `MirroredStrategy`, on several machines: the processes are those that the MPI launcher started.

    cluster_resolver, communication_options: accepted; MPI knows where the processes are.

    >>> import pullback as tf
    >>> tf.distribute.MultiWorkerMirroredStrategy().num_replicas_in_sync
    1
    """

    def __init__(self, cluster_resolver: Any = None, communication_options: Any = None) -> None:
        super().__init__()


class _Elsewhere(Strategy):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        raise NotImplementedError(
            f"tf.distribute.{type(self).__name__} spreads work over accelerators or servers, which are not here. "
            "Instead: tf.distribute.MultiWorkerMirroredStrategy() in processes that MPI starts, or tf.distribute.get_strategy()"
        )


@export("distribute.experimental.TPUStrategy", v2="distribute.TPUStrategy")
class TPUStrategy(_Elsewhere):
    """Work on TPUs, which are not here.

    >>> import pullback as tf
    >>> tf.distribute.TPUStrategy()
    Traceback (most recent call last):
    NotImplementedError: tf.distribute.TPUStrategy spreads work over accelerators or servers, ...
    """


@export("distribute.experimental.ParameterServerStrategy", v2="distribute.ParameterServerStrategy")
class ParameterServerStrategy(_Elsewhere):
    """Variables on other machines, which are not here.

    >>> import pullback as tf
    >>> tf.distribute.ParameterServerStrategy()
    Traceback (most recent call last):
    NotImplementedError: tf.distribute.ParameterServerStrategy spreads work over accelerators or servers, ...
    """
