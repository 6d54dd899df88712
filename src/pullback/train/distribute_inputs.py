"""What functions that make data for replicas are told, and TensorFlow's names for what lies on several of them."""

from __future__ import annotations

from ..base.export import export


@export("distribute.InputContext")
class InputContext:
    """What a function that makes a dataset is told: how many places read, and which this is.

    >>> import pullback as tf
    >>> tf.distribute.get_strategy().distribute_datasets_from_function(lambda context: context.num_input_pipelines)
    1
    """

    def __init__(self, num_input_pipelines: int = 1, input_pipeline_id: int = 0, num_replicas_in_sync: int = 1) -> None:
        self.num_input_pipelines, self.input_pipeline_id = num_input_pipelines, input_pipeline_id
        self.num_replicas_in_sync = num_replicas_in_sync

    def get_per_replica_batch_size(self, global_batch_size: int) -> int:
        """The part of a batch that one replica takes; a ValueError where replicas do not divide it.

        >>> import pullback as tf
        >>> tf.distribute.InputContext(num_replicas_in_sync=2).get_per_replica_batch_size(8)
        4
        """
        if global_batch_size % self.num_replicas_in_sync:
            raise ValueError(
                f"The `global_batch_size` {global_batch_size} is not divisible by `num_replicas_in_sync` {self.num_replicas_in_sync}"
            )
        return global_batch_size // self.num_replicas_in_sync


class ValueContext:
    """What a function that makes a value for each replica is told."""

    def __init__(self, num_replicas_in_sync: int = 1, replica_id_in_sync_group: int = 0) -> None:
        self.num_replicas_in_sync, self.replica_id_in_sync_group = num_replicas_in_sync, replica_id_in_sync_group


@export(v2="distribute.DistributedValues")
class DistributedValues:
    """A value that differs from replica to replica.  A process has one replica, so none is made.

    >>> import pullback as tf
    >>> isinstance(tf.distribute.MirroredStrategy().run(lambda: tf.constant(1.0)), tf.distribute.DistributedValues)
    False
    """


@export(v2="distribute.DistributedDataset")
class DistributedDataset:
    """A dataset whose elements are split among replicas.  A process has one replica, so none is made.

    >>> import pullback as tf
    >>> isinstance(tf.distribute.MirroredStrategy().run(lambda: tf.constant(1.0)), tf.distribute.DistributedDataset)
    False
    """


@export(v2="distribute.DistributedIterator")
class DistributedIterator:
    """An iterator over elements that are split among replicas.  A process has one replica, so none is made.

    >>> import pullback as tf
    >>> isinstance(tf.distribute.MirroredStrategy().run(lambda: tf.constant(1.0)), tf.distribute.DistributedIterator)
    False
    """
