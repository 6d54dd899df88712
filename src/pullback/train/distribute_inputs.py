"""What functions that make data for replicas are told, and TensorFlow's names for what lies on several of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from ..base import nest
from ..base.export import export
from ..ir.tensor import Tensor
from ..ops.array.basic import shape_of
from ..ops.math.arithmetic import minimum
from .replica_values import PerReplicaSpec


@export("distribute.InputContext")
class InputContext:
    """What a function that makes a dataset is told: how many places read, and which this is.

    >>> tf.distribute.get_strategy().distribute_datasets_from_function(lambda context: context.num_input_pipelines)
    1
    """

    def __init__(self, num_input_pipelines: int = 1, input_pipeline_id: int = 0, num_replicas_in_sync: int = 1) -> None:
        self.num_input_pipelines, self.input_pipeline_id = num_input_pipelines, input_pipeline_id
        self.num_replicas_in_sync = num_replicas_in_sync

    def get_per_replica_batch_size(self, global_batch_size: int) -> int:
        """The part of a batch that one replica takes; a ValueError where replicas do not divide it.

        >>> tf.distribute.InputContext(num_replicas_in_sync=2).get_per_replica_batch_size(8)
        4
        """
        if global_batch_size % self.num_replicas_in_sync:
            raise ValueError(
                f"The `global_batch_size` {global_batch_size} is not divisible by `num_replicas_in_sync` {self.num_replicas_in_sync}"
            )
        return global_batch_size // self.num_replicas_in_sync


@export("distribute.experimental.ValueContext")
class ValueContext:
    """What a function that makes a value for each replica is told: which replica that is, and how many there are.

    >>> context = tf.distribute.experimental.ValueContext(replica_id_in_sync_group=2, num_replicas_in_sync=4)
    >>> context.replica_id_in_sync_group / context.num_replicas_in_sync
    0.5
    """

    def __init__(self, replica_id_in_sync_group: int = 0, num_replicas_in_sync: int = 1) -> None:
        self.replica_id_in_sync_group, self.num_replicas_in_sync = replica_id_in_sync_group, num_replicas_in_sync


@export(v2="distribute.RunOptions")
class RunOptions(NamedTuple):
    """For `Strategy.run(options=...)`, which takes it: what it says is of XLA and of TPUs.

    >>> tf.distribute.get_strategy().run(lambda: 3, options=tf.distribute.RunOptions())
    3
    """

    experimental_enable_dynamic_batch_size: bool = True
    experimental_bucketizing_dynamic_shape: bool = False
    experimental_xla_options: Any = None


def share_of(replica: int, replicas: int, batch: Tensor) -> Tensor:
    """The rows of a batch for one of the replicas: of 10 for 4 replicas they have 3, 3, 3 and 1."""
    count = batch.dims[0] if batch.dims and batch.dims[0] is not None else shape_of(batch)[0]
    share = (count + replicas - 1) // replicas
    least: Callable[[Any, Any], Any] = min if isinstance(count, int) else minimum
    return batch[least(replica * share, count) : least((replica + 1) * share, count)]


class _Distributed(type):
    """Has a dataset or an iterator count as distributed where its elements hold the parts of several replicas."""

    def __instancecheck__(cls, thing: object) -> bool:
        spec = getattr(thing, "element_spec", None)
        return hasattr(thing, "get_next") is cls._gives_next and any(isinstance(leaf, PerReplicaSpec) for leaf in nest.flatten(spec))

    _gives_next = False


@export(v2="distribute.DistributedDataset")
class DistributedDataset(metaclass=_Distributed):
    """A dataset whose elements are split among the replicas of one process.

    >>> strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])
    >>> halves = strategy.experimental_distribute_dataset(tf.data.Dataset.range(4).batch(4))
    >>> isinstance(halves, tf.distribute.DistributedDataset), next(iter(halves))
    (True, PerReplica:{
      0: <tf.Tensor: shape=(2,), dtype=int64, numpy=array([0, 1])>,
      1: <tf.Tensor: shape=(2,), dtype=int64, numpy=array([2, 3])>
    })
    """


@export(v2="distribute.DistributedIterator")
class DistributedIterator(metaclass=_Distributed):
    """An iterator over elements that are split among the replicas of one process.

    >>> strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])
    >>> halves = strategy.experimental_distribute_dataset(tf.data.Dataset.range(4).batch(4))
    >>> isinstance(iter(halves), tf.distribute.DistributedIterator)
    True
    """

    _gives_next = True


def check_aggregation(variable: Any) -> None:
    """Refuse a mean of what is not floating, with a ValueError."""
    if variable.aggregation.name == "MEAN" and not variable.dtype.is_floating:
        raise ValueError(
            f"creating distributed tf.Variable with aggregation=MEAN and a non-floating dtype is not supported: {variable.name} is "
            f"{variable.dtype.name}. Take a floating dtype, or tf.VariableAggregation.SUM"
        )
