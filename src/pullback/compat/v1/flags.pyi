"""The names of `pullback.compat.v1.flags`, written by docs/make_exports.py."""

from pullback.interop.flags import DEFINE_boolean as DEFINE_bool
from pullback.interop.flags import DEFINE_boolean
from pullback.interop.flags import DEFINE_enum
from pullback.interop.flags import DEFINE_float
from pullback.interop.flags import DEFINE_integer
from pullback.interop.flags import DEFINE_list
from pullback.interop.flags import DEFINE_string
from pullback.interop.flags import DuplicateFlagError
from pullback.interop.flags import Error
from pullback.interop.flags import FLAGS
from pullback.interop.flags import Flag
from pullback.interop.flags import FlagValues
from pullback.interop.flags import IllegalFlagValueError
from pullback.interop.flags import UnrecognizedFlagError
from pullback.interop.flags import mark_flag_as_required

__all__ = [
    "DEFINE_bool",
    "DEFINE_boolean",
    "DEFINE_enum",
    "DEFINE_float",
    "DEFINE_integer",
    "DEFINE_list",
    "DEFINE_string",
    "DuplicateFlagError",
    "Error",
    "FLAGS",
    "Flag",
    "FlagValues",
    "IllegalFlagValueError",
    "UnrecognizedFlagError",
    "mark_flag_as_required",
]
