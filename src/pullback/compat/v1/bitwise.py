"""The names of `tf.compat.v1.bitwise`."""

from ...interop.names import missing as _missing
from ...ops.math.bitwise import bitwise_and, bitwise_or, bitwise_xor, invert, left_shift, right_shift

__all__ = [
    "bitwise_and",
    "bitwise_or",
    "bitwise_xor",
    "invert",
    "left_shift",
    "right_shift",
]

__getattr__ = _missing("tf1.bitwise", __all__)
