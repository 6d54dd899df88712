"""The names of `pullback.compat.v1.app`, written by docs/make_exports.py."""

from pullback.compat.v1.app import flags as flags
from pullback.tensorflow.flags import run as run

__all__ = [
    "flags",
    "run",
]
