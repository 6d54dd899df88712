"""The names of `pullback.compat.v1.flags`, written by docs/make_exports.py."""

from pullback.tensorflow.flags import DEFINE_boolean as DEFINE_bool
from pullback.tensorflow.flags import DEFINE_boolean as DEFINE_boolean
from pullback.tensorflow.flags import DEFINE_enum as DEFINE_enum
from pullback.tensorflow.flags import DEFINE_float as DEFINE_float
from pullback.tensorflow.flags import DEFINE_integer as DEFINE_integer
from pullback.tensorflow.flags import DEFINE_list as DEFINE_list
from pullback.tensorflow.flags import DEFINE_string as DEFINE_string
from pullback.tensorflow.flags import DuplicateFlagError as DuplicateFlagError
from pullback.tensorflow.flags import Error as Error
from pullback.tensorflow.flags import FLAGS as FLAGS
from pullback.tensorflow.flags import Flag as Flag
from pullback.tensorflow.flags import FlagValues as FlagValues
from pullback.tensorflow.flags import IllegalFlagValueError as IllegalFlagValueError
from pullback.tensorflow.flags import UnrecognizedFlagError as UnrecognizedFlagError
from pullback.tensorflow.flags import mark_flag_as_required as mark_flag_as_required

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
