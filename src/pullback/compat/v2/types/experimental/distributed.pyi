"""The names of `pullback.compat.v2.types.experimental.distributed`, written by docs/make_exports.py."""

from pullback.train.replica_values import Mirrored as Mirrored
from pullback.train.replica_values import PerReplica as PerReplica

__all__ = [
    "Mirrored",
    "PerReplica",
]
