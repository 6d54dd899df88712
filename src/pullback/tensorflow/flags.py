"""`tf.flags` and `tf.app.run`: a program's options on its command line, which are absl's, as in TensorFlow.

    FLAGS = tf.app.flags.FLAGS
    tf.app.flags.DEFINE_float("rate", 0.1, "The learning rate.")
    ... FLAGS.rate ...

What a program defines by absl's own names is here too. The command line is read when `tf.app.run` starts or the first flag is,
whichever is earlier.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from absl import app, flags

from ..base.export import export, is_hot

flags.disclaim_key_flags()  # nor do the flags belong to this module

F = TypeVar("F", bound=Callable[..., Any])
#: The names that arguments had before TensorFlow's flags were absl's.
_OLDER = {"flag_name": "name", "default_value": "default", "docstring": "help"}


def take_older_names(define: F) -> F:
    """A definition of a flag whose arguments may have the names of TensorFlow 1's beginnings.

    >>> flags = FlagValues()
    >>> _ = DEFINE_integer(flag_name="steps", default_value=10, docstring="How many.", flag_values=flags)
    >>> flags(["program", "--steps=3", "rest"]), flags.steps
    (['program', 'rest'], 3)
    """

    @functools.wraps(define)
    def call(*args: Any, **kwargs: Any) -> Any:
        return define(*args, **{_OLDER.get(name, name): value for name, value in kwargs.items()})

    return is_hot(call)  # type: ignore[return-value]  # absl looks for the module that defines a flag: nothing may stand between


class ParsedFlags:
    """absl's flags, for which the command line is read when the first of them is.

    >>> len(ParsedFlags(FlagValues()))
    0
    """

    def __init__(self, values: flags.FlagValues) -> None:
        self.__dict__["_values"] = values

    def __getattr__(self, name: str) -> Any:
        values = self.__dict__["_values"]
        if not name.startswith("__") and name in values and not values.is_parsed():
            values(sys.argv)
        return getattr(values, name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._values, name, value)

    def __delattr__(self, name: str) -> None:
        delattr(self._values, name)

    def __dir__(self) -> list[str]:
        return dir(self._values)

    def __getitem__(self, name: str) -> flags.Flag[Any]:
        found: flags.Flag[Any] = self._values[name]
        return found

    def __setitem__(self, name: str, flag: flags.Flag[Any]) -> None:
        self._values[name] = flag

    def __contains__(self, name: str) -> bool:
        return name in self._values

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __str__(self) -> str:
        return str(self._values)

    def __call__(self, argv: Sequence[str], known_only: bool = False) -> list[str]:
        left: list[str] = self._values(argv, known_only)
        return left


FLAGS = export(v1="flags.FLAGS")(ParsedFlags(flags.FLAGS))
DEFINE_boolean = export(v1=("flags.DEFINE_bool", "flags.DEFINE_boolean"))(take_older_names(flags.DEFINE_boolean))
DEFINE_alias = export(v1="flags.DEFINE_alias")(take_older_names(flags.DEFINE_alias))
DEFINE_enum = export(v1="flags.DEFINE_enum")(take_older_names(flags.DEFINE_enum))
DEFINE_enum_class = export(v1="flags.DEFINE_enum_class")(take_older_names(flags.DEFINE_enum_class))
DEFINE_float = export(v1="flags.DEFINE_float")(take_older_names(flags.DEFINE_float))
DEFINE_integer = export(v1="flags.DEFINE_integer")(take_older_names(flags.DEFINE_integer))
DEFINE_list = export(v1="flags.DEFINE_list")(take_older_names(flags.DEFINE_list))
DEFINE_multi = export(v1="flags.DEFINE_multi")(take_older_names(flags.DEFINE_multi))
DEFINE_multi_enum = export(v1="flags.DEFINE_multi_enum")(take_older_names(flags.DEFINE_multi_enum))
DEFINE_multi_enum_class = export(v1="flags.DEFINE_multi_enum_class")(take_older_names(flags.DEFINE_multi_enum_class))
DEFINE_multi_float = export(v1="flags.DEFINE_multi_float")(take_older_names(flags.DEFINE_multi_float))
DEFINE_multi_integer = export(v1="flags.DEFINE_multi_integer")(take_older_names(flags.DEFINE_multi_integer))
DEFINE_multi_string = export(v1="flags.DEFINE_multi_string")(take_older_names(flags.DEFINE_multi_string))
DEFINE_spaceseplist = export(v1="flags.DEFINE_spaceseplist")(take_older_names(flags.DEFINE_spaceseplist))
DEFINE_string = export(v1="flags.DEFINE_string")(take_older_names(flags.DEFINE_string))

CantOpenFlagFileError = flags.CantOpenFlagFileError
export(v1="flags.CantOpenFlagFileError")(CantOpenFlagFileError)
DuplicateFlagError = flags.DuplicateFlagError
export(v1="flags.DuplicateFlagError")(DuplicateFlagError)
Error = flags.Error
export(v1="flags.Error")(Error)
FlagNameConflictsWithMethodError = flags.FlagNameConflictsWithMethodError
export(v1="flags.FlagNameConflictsWithMethodError")(FlagNameConflictsWithMethodError)
IllegalFlagValueError = flags.IllegalFlagValueError
export(v1="flags.IllegalFlagValueError")(IllegalFlagValueError)
UnparsedFlagAccessError = flags.UnparsedFlagAccessError
export(v1="flags.UnparsedFlagAccessError")(UnparsedFlagAccessError)
UnrecognizedFlagError = flags.UnrecognizedFlagError
export(v1="flags.UnrecognizedFlagError")(UnrecognizedFlagError)
ValidationError = flags.ValidationError
export(v1="flags.ValidationError")(ValidationError)
BooleanFlag = flags.BooleanFlag
export(v1="flags.BooleanFlag")(BooleanFlag)
EnumClassFlag = flags.EnumClassFlag
export(v1="flags.EnumClassFlag")(EnumClassFlag)
EnumFlag = flags.EnumFlag
export(v1="flags.EnumFlag")(EnumFlag)
Flag = flags.Flag
export(v1="flags.Flag")(Flag)
FlagHolder = flags.FlagHolder
export(v1="flags.FlagHolder")(FlagHolder)
FlagValues = flags.FlagValues
export(v1="flags.FlagValues")(FlagValues)
MultiEnumClassFlag = flags.MultiEnumClassFlag
export(v1="flags.MultiEnumClassFlag")(MultiEnumClassFlag)
MultiFlag = flags.MultiFlag
export(v1="flags.MultiFlag")(MultiFlag)
ArgumentParser = flags.ArgumentParser
export(v1="flags.ArgumentParser")(ArgumentParser)
ArgumentSerializer = flags.ArgumentSerializer
export(v1="flags.ArgumentSerializer")(ArgumentSerializer)
BaseListParser = flags.BaseListParser
export(v1="flags.BaseListParser")(BaseListParser)
BooleanParser = flags.BooleanParser
export(v1="flags.BooleanParser")(BooleanParser)
CsvListSerializer = flags.CsvListSerializer
export(v1="flags.CsvListSerializer")(CsvListSerializer)
EnumClassListSerializer = flags.EnumClassListSerializer
export(v1="flags.EnumClassListSerializer")(EnumClassListSerializer)
EnumClassParser = flags.EnumClassParser
export(v1="flags.EnumClassParser")(EnumClassParser)
EnumClassSerializer = flags.EnumClassSerializer
export(v1="flags.EnumClassSerializer")(EnumClassSerializer)
EnumParser = flags.EnumParser
export(v1="flags.EnumParser")(EnumParser)
FloatParser = flags.FloatParser
export(v1="flags.FloatParser")(FloatParser)
IntegerParser = flags.IntegerParser
export(v1="flags.IntegerParser")(IntegerParser)
ListParser = flags.ListParser
export(v1="flags.ListParser")(ListParser)
ListSerializer = flags.ListSerializer
export(v1="flags.ListSerializer")(ListSerializer)
WhitespaceSeparatedListParser = flags.WhitespaceSeparatedListParser
export(v1="flags.WhitespaceSeparatedListParser")(WhitespaceSeparatedListParser)
DEFINE = export(v1="flags.DEFINE")(flags.DEFINE)
DEFINE_flag = export(v1="flags.DEFINE_flag")(flags.DEFINE_flag)
adopt_module_key_flags = export(v1="flags.adopt_module_key_flags")(flags.adopt_module_key_flags)
declare_key_flag = export(v1="flags.declare_key_flag")(flags.declare_key_flag)
disclaim_key_flags = export(v1="flags.disclaim_key_flags")(flags.disclaim_key_flags)
doc_to_help = export(v1="flags.doc_to_help")(flags.doc_to_help)
flag_dict_to_args = export(v1="flags.flag_dict_to_args")(flags.flag_dict_to_args)
get_help_width = export(v1="flags.get_help_width")(flags.get_help_width)
mark_bool_flags_as_mutual_exclusive = export(v1="flags.mark_bool_flags_as_mutual_exclusive")(flags.mark_bool_flags_as_mutual_exclusive)
mark_flag_as_required = export(v1="flags.mark_flag_as_required")(flags.mark_flag_as_required)
mark_flags_as_mutual_exclusive = export(v1="flags.mark_flags_as_mutual_exclusive")(flags.mark_flags_as_mutual_exclusive)
mark_flags_as_required = export(v1="flags.mark_flags_as_required")(flags.mark_flags_as_required)
multi_flags_validator = export(v1="flags.multi_flags_validator")(flags.multi_flags_validator)
override_value = export(v1="flags.override_value")(flags.override_value)
register_multi_flags_validator = export(v1="flags.register_multi_flags_validator")(flags.register_multi_flags_validator)
register_validator = export(v1="flags.register_validator")(flags.register_validator)
set_default = export(v1="flags.set_default")(flags.set_default)
text_wrap = export(v1="flags.text_wrap")(flags.text_wrap)
validator = export(v1="flags.validator")(flags.validator)


@export(v1="app.run")
def run(main: Callable[[list[str]], Any] | None = None, argv: Sequence[str] | None = None) -> None:
    """Read the flags, call `main` with what is left of the command line, and exit with its result; unknown flags are left.

    Args:
        main: the function to call; None takes `main` of the running program.
        argv: the command line; None takes the process's.

    >>> run(lambda words: len(words), argv=["program", "file"])
    Traceback (most recent call last):
    SystemExit: 2
    """
    start = main if main is not None else sys.modules["__main__"].__dict__["main"]
    read = lambda words: FLAGS(sys.argv if words is None else words, known_only=True)
    app.run(main=start, argv=None if argv is None else list(argv), flags_parser=read)
