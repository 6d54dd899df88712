"""The names of `tf.version`."""

from ...interop.faces import missing as _missing

VERSION = "2.21.0"
GIT_VERSION = "pullback"

__all__ = [
    "GIT_VERSION",
    "VERSION",
]

__getattr__ = _missing("tf.version", __all__, __name__)
