"""The names of `pullback.compat.v1.flags`, written by docs/make_exports.py."""

from pullback.tensorflow.flags import DEFINE_boolean as DEFINE_bool
from pullback.tensorflow.flags import DEFINE_boolean
from pullback.tensorflow.flags import DEFINE_enum
from pullback.tensorflow.flags import DEFINE_float
from pullback.tensorflow.flags import DEFINE_integer
from pullback.tensorflow.flags import DEFINE_list
from pullback.tensorflow.flags import DEFINE_string
from pullback.tensorflow.flags import DuplicateFlagError
from pullback.tensorflow.flags import Error
from pullback.tensorflow.flags import FLAGS
from pullback.tensorflow.flags import Flag
from pullback.tensorflow.flags import FlagValues
from pullback.tensorflow.flags import IllegalFlagValueError
from pullback.tensorflow.flags import UnrecognizedFlagError
from pullback.tensorflow.flags import mark_flag_as_required

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
