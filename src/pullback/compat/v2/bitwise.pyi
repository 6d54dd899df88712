"""The names of `pullback.compat.v2.bitwise`, written by docs/make_exports.py."""

from pullback.ops.math.bitwise import bitwise_and as bitwise_and
from pullback.ops.math.bitwise import bitwise_or as bitwise_or
from pullback.ops.math.bitwise import bitwise_xor as bitwise_xor
from pullback.ops.math.bitwise import invert as invert
from pullback.ops.math.bitwise import left_shift as left_shift
from pullback.ops.math.bitwise import right_shift as right_shift

__all__ = [
    "bitwise_and",
    "bitwise_or",
    "bitwise_xor",
    "invert",
    "left_shift",
    "right_shift",
]
