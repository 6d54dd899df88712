"""How TensorFlow's strategies would sum over devices: options that are checked and kept. Sums go by MPI here, in a fixed order."""

from __future__ import annotations

from enum import Enum

from ..base.export import export


class _AllReduce:
    def __init__(self, num_packs: int = 1) -> None:
        if num_packs < 0:
            raise ValueError(f"{self._words} requires num_packs >= 0, but {num_packs} is specified")

    _words = "HierarchicalCopy"


@export("distribute.HierarchicalCopyAllReduce")
class HierarchicalCopyAllReduce(_AllReduce):
    """For `MirroredStrategy(cross_device_ops=...)`, which takes it; one process has one device, so there is nothing to choose.

    Raises ValueError for a `num_packs` below 0.

    >>> tf.distribute.MirroredStrategy(cross_device_ops=tf.distribute.HierarchicalCopyAllReduce()).num_replicas_in_sync
    1
    """


@export("distribute.NcclAllReduce")
class NcclAllReduce(_AllReduce):
    """As `HierarchicalCopyAllReduce`.

    >>> tf.distribute.MirroredStrategy(cross_device_ops=tf.distribute.NcclAllReduce()).num_replicas_in_sync
    1
    """

    _words = "NCCL all-reduce"


@export("distribute.ReductionToOneDevice")
class ReductionToOneDevice:
    """As `HierarchicalCopyAllReduce`.

    >>> tf.distribute.MirroredStrategy(cross_device_ops=tf.distribute.ReductionToOneDevice()).num_replicas_in_sync
    1
    """

    def __init__(self, reduce_to_device: object = None, accumulation_fn: object = None) -> None:
        pass


@export("distribute.experimental.CommunicationImplementation", "distribute.experimental.CollectiveCommunication")
class CommunicationImplementation(Enum):
    """TensorFlow's ways to sum over machines.

    >>> tf.distribute.experimental.CommunicationImplementation.AUTO.value
    'AUTO'
    """

    AUTO = "AUTO"
    RING = "RING"
    NCCL = "NCCL"


@export("distribute.experimental.CommunicationOptions")
class CommunicationOptions:
    """For `MultiWorkerMirroredStrategy(communication_options=...)`, which takes it; MPI decides here.

    Raises ValueError for a `bytes_per_pack` below 0, and for an implementation that is none.

    >>> options = tf.distribute.experimental.CommunicationOptions(timeout_seconds=120.0)
    >>> tf.distribute.MultiWorkerMirroredStrategy(communication_options=options).num_replicas_in_sync
    1
    """

    def __init__(
        self, bytes_per_pack: int = 0, timeout_seconds: float | None = None, implementation: CommunicationImplementation | str = "AUTO"
    ) -> None:
        if bytes_per_pack < 0:
            raise ValueError(f"Argument `bytes_per_pack` must be >=0, Received {bytes_per_pack}.")
        self.bytes_per_pack, self.timeout_seconds = bytes_per_pack, timeout_seconds
        named = implementation.upper() if isinstance(implementation, str) else implementation
        self.implementation = CommunicationImplementation(named)

    def __repr__(self) -> str:
        return (
            f"Options(bytes_per_pack={self.bytes_per_pack},timeout_seconds={self.timeout_seconds}, implementation={self.implementation})"
        )
