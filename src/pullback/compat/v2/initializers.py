"""The names of `tf.initializers`."""

from ...interop.names import missing as _missing
from ...ops.array_basic import identity
from ...ops.constant import constant
from ...ops.random import truncated_normal

__all__ = [
    "constant",
    "identity",
    "truncated_normal",
]

__getattr__ = _missing("tf.initializers", __all__)
