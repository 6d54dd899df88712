"""The strategies of `tf.distribute`: one device, one replica a process of an MPI program, and several in one process.

A process of an MPI program holds one replica, so a value of a replica is a plain tensor, and what crosses replicas is a collective that
all of them call.  local_replicas.py has those of one process.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from ..api.variable import ResourceVariable
from ..api.variable_creators import VariableSynchronization
from ..base import nest
from ..base.dtypes import NUMERIC, bool
from ..base.export import export
from ..ir.apply import convert_to_tensor
from ..ir.tensor import DEVICE, LOGICAL_DEVICES
from ..kernels.collective.agreement import agree_on_seed
from ..kernels.collective.world import world
from ..ops.collective.buckets import all_reduce_together
from ..ops.collective.functions import all_gather, all_reduce, broadcast
from .distribute import ReduceOp, Strategy
from .distribute_inputs import InputContext, ValueContext, check_aggregation, share_of
from .distributed_variables import MirroredVariable, SyncOnReadVariable
from .local_replicas import LocalReplicas


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

        def agree_on_value() -> Any:
            value = convert_to_tensor(given() if callable(given) else given, dtype=dtype)
            return broadcast(value) if value.dtype in NUMERIC or value.dtype is bool else value

        variable = following(**kwargs if given is None else {**kwargs, "initial_value": agree_on_value})
        check_aggregation(variable)
        if type(variable) is ResourceVariable:
            apart = getattr(kwargs.get("synchronization"), "name", None) == "ON_READ"
            variable.__class__ = SyncOnReadVariable if apart else MirroredVariable
            if not apart:
                variable.synchronization = VariableSynchronization.ON_WRITE
        return variable

    def experimental_distribute_dataset(self, dataset: Any, options: Any = None) -> Any:
        """The dataset of this replica's part of each batch: of 10 examples for 4 replicas they have 3, 3, 3 and 1.

        Every replica reads the whole dataset, so it must give all of them the same; a shuffle without a seed does.
        """
        replicas, replica = self._world.size, self._world.rank
        if replicas == 1:
            return dataset

        return dataset.map(lambda *parts: nest.map_structure(partial(share_of, replica, replicas), parts if len(parts) > 1 else parts[0]))

    def distribute_datasets_from_function(self, dataset_fn: Callable[[InputContext], Any], options: Any = None) -> Any:
        """The dataset that a function makes for this replica."""
        return dataset_fn(InputContext(self._world.size, self._world.rank, self._world.size))

    def experimental_distribute_values_from_function(self, value_fn: Callable[[ValueContext], Any]) -> Any:
        """What a function makes for this replica."""
        return value_fn(ValueContext(self._world.rank, self._world.size))


def _check_devices(devices: Sequence[str]) -> None:
    if len(devices) > 1 or "CPU:0" not in f"{devices[0]}".upper():
        raise ValueError(f"there is one device for each process, {DEVICE}, and not {', '.join(map(str, devices))}")


@export("distribute.OneDeviceStrategy")
class OneDeviceStrategy(Strategy):
    """Everything on one device; ValueError for one that is not there.

    >>> tf.distribute.OneDeviceStrategy("/cpu:0").run(lambda x: x * 2.0, args=(tf.constant(3.0),)).numpy().item()
    6.0
    """

    def __init__(self, device: str) -> None:
        super().__init__()
        _check_devices([device])


@export("distribute.experimental.CentralStorageStrategy")
class CentralStorageStrategy(OneDeviceStrategy):
    """Variables on the CPU and work on the devices of the machine: here the one CPU for both.

    >>> tf.distribute.experimental.CentralStorageStrategy().num_replicas_in_sync
    1
    """

    def __init__(self, compute_devices: Sequence[str] | None = None, parameter_device: str | None = None) -> None:
        super().__init__(DEVICE)
        _check_devices([*(compute_devices or ()), parameter_device or DEVICE])


@export("distribute.MirroredStrategy")
class MirroredStrategy(_OfReplicas):
    """A replica in each process of an MPI program (`pullback run --mpi 4`), or, for several devices, so many in this process.

    devices: names. One: that of this process. Several: a replica for each, which take turns on the CPU, whatever they are called
    (docs/scale.md); not in an MPI program. None: those of `tf.config.set_logical_device_configuration`, of which there is one otherwise.
    ValueError for one device that is not there, and for names that are not different.

    >>> strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])
    >>> with strategy.scope():
    ...     v = tf.Variable(1.0, aggregation=tf.VariableAggregation.SUM)
    >>> strategy.num_replicas_in_sync, strategy.extended.variable_created_in_scope(v)
    (2, True)
    >>> strategy.run(lambda: v.assign_add(tf.constant(1.0)))
    PerReplica:{
      0: <tf.Tensor: shape=(), dtype=float32, numpy=3.0>,
      1: <tf.Tensor: shape=(), dtype=float32, numpy=3.0>
    }
    """

    def __new__(cls, devices: Sequence[str] | None = None, cross_device_ops: Any = None) -> MirroredStrategy:
        several = len(LOGICAL_DEVICES) > 1 and world().size == 1 if devices is None else len(devices) > 1
        return super().__new__(LocalMirroredStrategy if several else cls)

    def __init__(self, devices: Sequence[str] | None = None, cross_device_ops: Any = None) -> None:
        _check_devices(devices or [DEVICE])
        super().__init__()


class LocalMirroredStrategy(LocalReplicas, MirroredStrategy):
    """`MirroredStrategy` over several devices of this process."""

    def __init__(self, devices: Sequence[str] | None = None, cross_device_ops: Any = None) -> None:
        names = LOGICAL_DEVICES if devices is None else devices
        if world().size > 1:
            raise ValueError(f"in an MPI program each process has one replica, and not one for each of {', '.join(map(str, names))}")
        LocalReplicas.__init__(self, names)


@export("distribute.experimental.MultiWorkerMirroredStrategy", v2="distribute.MultiWorkerMirroredStrategy")
class MultiWorkerMirroredStrategy(_OfReplicas):
    """As `MirroredStrategy`, on several machines: the processes are those that the MPI launcher started.

    cluster_resolver, communication_options: accepted; MPI knows where the processes are.

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

    >>> tf.distribute.TPUStrategy()
    Traceback (most recent call last):
    NotImplementedError: tf.distribute.TPUStrategy spreads work over accelerators or servers, ...
    """


@export("distribute.experimental.ParameterServerStrategy", v2="distribute.ParameterServerStrategy")
class ParameterServerStrategy(_Elsewhere):
    """Variables on other machines, which are not here.

    >>> tf.distribute.ParameterServerStrategy()
    Traceback (most recent call last):
    NotImplementedError: tf.distribute.ParameterServerStrategy spreads work over accelerators or servers, ...
    """
