"""The names of `pullback.compat.v1.train.experimental`, written by docs/make_exports.py."""

from pullback.train.trackable import PythonState as PythonState

__all__ = [
    "PythonState",
]
