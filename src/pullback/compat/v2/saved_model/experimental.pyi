"""The names of `pullback.compat.v2.saved_model.experimental`, written by docs/make_exports.py."""

from pullback.tensorflow.saved_model.parts import VariablePolicy as VariablePolicy
from pullback.train.wrappers import TrackableResource as TrackableResource

__all__ = [
    "TrackableResource",
    "VariablePolicy",
]
