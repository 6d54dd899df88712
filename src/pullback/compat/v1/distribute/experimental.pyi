"""The names of `pullback.compat.v1.distribute.experimental`, written by docs/make_exports.py."""

from pullback.train.communication import CommunicationImplementation as CollectiveCommunication
from pullback.train.communication import CommunicationImplementation as CommunicationImplementation
from pullback.train.communication import CommunicationOptions as CommunicationOptions
from pullback.train.distribute_inputs import ValueContext as ValueContext
from pullback.train.strategies import CentralStorageStrategy as CentralStorageStrategy
from pullback.train.strategies import MultiWorkerMirroredStrategy as MultiWorkerMirroredStrategy
from pullback.train.strategies import ParameterServerStrategy as ParameterServerStrategy
from pullback.train.strategies import TPUStrategy as TPUStrategy

__all__ = [
    "CentralStorageStrategy",
    "CollectiveCommunication",
    "CommunicationImplementation",
    "CommunicationOptions",
    "MultiWorkerMirroredStrategy",
    "ParameterServerStrategy",
    "TPUStrategy",
    "ValueContext",
]
