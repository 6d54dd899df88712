"""The names of `pullback.compat.v1.flags`, written by docs/make_exports.py."""

from pullback.tensorflow.flags import ArgumentParser as ArgumentParser
from pullback.tensorflow.flags import ArgumentSerializer as ArgumentSerializer
from pullback.tensorflow.flags import BaseListParser as BaseListParser
from pullback.tensorflow.flags import BooleanFlag as BooleanFlag
from pullback.tensorflow.flags import BooleanParser as BooleanParser
from pullback.tensorflow.flags import CantOpenFlagFileError as CantOpenFlagFileError
from pullback.tensorflow.flags import CsvListSerializer as CsvListSerializer
from pullback.tensorflow.flags import DEFINE as DEFINE
from pullback.tensorflow.flags import DEFINE_alias as DEFINE_alias
from pullback.tensorflow.flags import DEFINE_boolean as DEFINE_bool
from pullback.tensorflow.flags import DEFINE_boolean as DEFINE_boolean
from pullback.tensorflow.flags import DEFINE_enum as DEFINE_enum
from pullback.tensorflow.flags import DEFINE_enum_class as DEFINE_enum_class
from pullback.tensorflow.flags import DEFINE_flag as DEFINE_flag
from pullback.tensorflow.flags import DEFINE_float as DEFINE_float
from pullback.tensorflow.flags import DEFINE_integer as DEFINE_integer
from pullback.tensorflow.flags import DEFINE_list as DEFINE_list
from pullback.tensorflow.flags import DEFINE_multi as DEFINE_multi
from pullback.tensorflow.flags import DEFINE_multi_enum as DEFINE_multi_enum
from pullback.tensorflow.flags import DEFINE_multi_enum_class as DEFINE_multi_enum_class
from pullback.tensorflow.flags import DEFINE_multi_float as DEFINE_multi_float
from pullback.tensorflow.flags import DEFINE_multi_integer as DEFINE_multi_integer
from pullback.tensorflow.flags import DEFINE_multi_string as DEFINE_multi_string
from pullback.tensorflow.flags import DEFINE_spaceseplist as DEFINE_spaceseplist
from pullback.tensorflow.flags import DEFINE_string as DEFINE_string
from pullback.tensorflow.flags import DuplicateFlagError as DuplicateFlagError
from pullback.tensorflow.flags import EnumClassFlag as EnumClassFlag
from pullback.tensorflow.flags import EnumClassListSerializer as EnumClassListSerializer
from pullback.tensorflow.flags import EnumClassParser as EnumClassParser
from pullback.tensorflow.flags import EnumClassSerializer as EnumClassSerializer
from pullback.tensorflow.flags import EnumFlag as EnumFlag
from pullback.tensorflow.flags import EnumParser as EnumParser
from pullback.tensorflow.flags import Error as Error
from pullback.tensorflow.flags import FLAGS as FLAGS
from pullback.tensorflow.flags import Flag as Flag
from pullback.tensorflow.flags import FlagHolder as FlagHolder
from pullback.tensorflow.flags import FlagNameConflictsWithMethodError as FlagNameConflictsWithMethodError
from pullback.tensorflow.flags import FlagValues as FlagValues
from pullback.tensorflow.flags import FloatParser as FloatParser
from pullback.tensorflow.flags import IllegalFlagValueError as IllegalFlagValueError
from pullback.tensorflow.flags import IntegerParser as IntegerParser
from pullback.tensorflow.flags import ListParser as ListParser
from pullback.tensorflow.flags import ListSerializer as ListSerializer
from pullback.tensorflow.flags import MultiEnumClassFlag as MultiEnumClassFlag
from pullback.tensorflow.flags import MultiFlag as MultiFlag
from pullback.tensorflow.flags import UnparsedFlagAccessError as UnparsedFlagAccessError
from pullback.tensorflow.flags import UnrecognizedFlagError as UnrecognizedFlagError
from pullback.tensorflow.flags import ValidationError as ValidationError
from pullback.tensorflow.flags import WhitespaceSeparatedListParser as WhitespaceSeparatedListParser
from pullback.tensorflow.flags import adopt_module_key_flags as adopt_module_key_flags
from pullback.tensorflow.flags import declare_key_flag as declare_key_flag
from pullback.tensorflow.flags import disclaim_key_flags as disclaim_key_flags
from pullback.tensorflow.flags import doc_to_help as doc_to_help
from pullback.tensorflow.flags import flag_dict_to_args as flag_dict_to_args
from pullback.tensorflow.flags import get_help_width as get_help_width
from pullback.tensorflow.flags import mark_bool_flags_as_mutual_exclusive as mark_bool_flags_as_mutual_exclusive
from pullback.tensorflow.flags import mark_flag_as_required as mark_flag_as_required
from pullback.tensorflow.flags import mark_flags_as_mutual_exclusive as mark_flags_as_mutual_exclusive
from pullback.tensorflow.flags import mark_flags_as_required as mark_flags_as_required
from pullback.tensorflow.flags import multi_flags_validator as multi_flags_validator
from pullback.tensorflow.flags import override_value as override_value
from pullback.tensorflow.flags import register_multi_flags_validator as register_multi_flags_validator
from pullback.tensorflow.flags import register_validator as register_validator
from pullback.tensorflow.flags import set_default as set_default
from pullback.tensorflow.flags import text_wrap as text_wrap
from pullback.tensorflow.flags import validator as validator

__all__ = [
    "ArgumentParser",
    "ArgumentSerializer",
    "BaseListParser",
    "BooleanFlag",
    "BooleanParser",
    "CantOpenFlagFileError",
    "CsvListSerializer",
    "DEFINE",
    "DEFINE_alias",
    "DEFINE_bool",
    "DEFINE_boolean",
    "DEFINE_enum",
    "DEFINE_enum_class",
    "DEFINE_flag",
    "DEFINE_float",
    "DEFINE_integer",
    "DEFINE_list",
    "DEFINE_multi",
    "DEFINE_multi_enum",
    "DEFINE_multi_enum_class",
    "DEFINE_multi_float",
    "DEFINE_multi_integer",
    "DEFINE_multi_string",
    "DEFINE_spaceseplist",
    "DEFINE_string",
    "DuplicateFlagError",
    "EnumClassFlag",
    "EnumClassListSerializer",
    "EnumClassParser",
    "EnumClassSerializer",
    "EnumFlag",
    "EnumParser",
    "Error",
    "FLAGS",
    "Flag",
    "FlagHolder",
    "FlagNameConflictsWithMethodError",
    "FlagValues",
    "FloatParser",
    "IllegalFlagValueError",
    "IntegerParser",
    "ListParser",
    "ListSerializer",
    "MultiEnumClassFlag",
    "MultiFlag",
    "UnparsedFlagAccessError",
    "UnrecognizedFlagError",
    "ValidationError",
    "WhitespaceSeparatedListParser",
    "adopt_module_key_flags",
    "declare_key_flag",
    "disclaim_key_flags",
    "doc_to_help",
    "flag_dict_to_args",
    "get_help_width",
    "mark_bool_flags_as_mutual_exclusive",
    "mark_flag_as_required",
    "mark_flags_as_mutual_exclusive",
    "mark_flags_as_required",
    "multi_flags_validator",
    "override_value",
    "register_multi_flags_validator",
    "register_validator",
    "set_default",
    "text_wrap",
    "validator",
]
