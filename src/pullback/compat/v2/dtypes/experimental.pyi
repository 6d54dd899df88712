"""The names of `pullback.compat.v2.dtypes.experimental`, written by docs/make_exports.py."""

from pullback.base.dtypes import float8_e4m3fn as float8_e4m3fn
from pullback.base.dtypes import float8_e5m2 as float8_e5m2
from pullback.base.dtypes import int4 as int4
from pullback.base.dtypes import uint4 as uint4

__all__ = [
    "float8_e4m3fn",
    "float8_e5m2",
    "int4",
    "uint4",
]
