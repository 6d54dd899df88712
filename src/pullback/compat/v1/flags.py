"""The names of `tf.compat.v1.flags`."""

from typing import TYPE_CHECKING

from ...interop.faces import missing as _missing

if TYPE_CHECKING:  # these load when first asked for
    from ...interop.flags import (
        FLAGS,
        DEFINE_bool,
        DEFINE_boolean,
        DEFINE_enum,
        DEFINE_float,
        DEFINE_integer,
        DEFINE_list,
        DEFINE_string,
        DuplicateFlagError,
        Error,
        Flag,
        FlagValues,
        IllegalFlagValueError,
        UnrecognizedFlagError,
        mark_flag_as_required,
    )

__all__ = [
    "FLAGS",
    "DEFINE_bool",
    "DEFINE_boolean",
    "DEFINE_enum",
    "DEFINE_float",
    "DEFINE_integer",
    "DEFINE_list",
    "DEFINE_string",
    "DuplicateFlagError",
    "Error",
    "Flag",
    "FlagValues",
    "IllegalFlagValueError",
    "UnrecognizedFlagError",
    "mark_flag_as_required",
]

__getattr__ = _missing("tf1.flags", __all__, __name__)
