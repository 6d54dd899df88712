"""`tf.app.flags`: a program's options on its command line, as TensorFlow 1 programs define and read them.

    FLAGS = tf.app.flags.FLAGS
    tf.app.flags.DEFINE_float("rate", 0.1, "The learning rate.")
    ... FLAGS.rate ...

The command line is read when `tf.app.run` starts or the first flag is, whichever is earlier.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NoReturn

from ..base.export import export


@export(v1="flags.Error")
class Error(Exception):
    """What flags raise.

    >>> issubclass(IllegalFlagValueError, Error)
    True
    """


@export(v1="flags.DuplicateFlagError")
class DuplicateFlagError(Error):
    """A flag was defined twice.

    >>> flags = FlagValues()
    >>> DEFINE_integer("steps", 10, "How many.", flags)
    >>> DEFINE_integer("steps", 20, "How many more.", flags)
    Traceback (most recent call last):
    pullback.tensorflow.flags.DuplicateFlagError: The flag 'steps' is defined twice. First with the help 'How many.'
    """


@export(v1="flags.IllegalFlagValueError")
class IllegalFlagValueError(Error):
    """A flag's value does not fit its kind.

    >>> flags = FlagValues()
    >>> DEFINE_integer("steps", 10, "How many.", flags)
    >>> flags(["program", "--steps=few"])
    Traceback (most recent call last):
    pullback.tensorflow.flags.IllegalFlagValueError: flag --steps=few: invalid literal for int() with base 0: 'few'
    """


@export(v1="flags.UnrecognizedFlagError")
class UnrecognizedFlagError(Error):
    """The command line has a flag that nobody defined.

    >>> FlagValues()(["program", "--steps=3"])
    Traceback (most recent call last):
    pullback.tensorflow.flags.UnrecognizedFlagError: Unknown command line flag 'steps'
    """


@export(v1="flags.Flag")
class Flag:
    """One option: what it is called, what it may be and what it is.

    >>> flag = Flag("steps", 10, "How many.", int)
    >>> flag.value, flag.read("3"), flag.present
    (10, 3, False)
    """

    def __init__(self, name: str, default: Any, about: str | None, parse: Callable[[str], Any], boolean: bool = False) -> None:
        self.name = name
        self.default = default
        self.help = about or ""
        self.parse = parse
        self.boolean = boolean
        self.value = default if default is None or not isinstance(default, str) else self.read(default)
        self.present = self.required = False

    def read(self, text: str) -> Any:
        """The value that `text` writes.

        Raises:
            IllegalFlagValueError: it is not a value of this flag.
        """
        try:
            return self.parse(text)
        except ValueError as error:
            raise IllegalFlagValueError(f"flag --{self.name}={text}: {error}") from error


@export(v1="flags.FlagValues")
class FlagValues:
    """The flags of a program; each is an attribute.

    >>> flags = FlagValues()
    >>> flags.define("steps", 10, "How many.", int)
    >>> flags(["program", "--steps=3", "rest"]), flags.steps
    (['program', 'rest'], 3)
    """

    def __init__(self) -> None:
        self._flags: dict[str, Flag]
        self.__dict__["_flags"] = {}
        self.__dict__["_parsed"] = False

    def define(self, name: str, default: object, about: str | None, parse: Callable[[str], Any], boolean: bool = False) -> None:
        """Add a flag.

        Raises:
            DuplicateFlagError: there is one of that name.
        """
        if name in self._flags:
            raise DuplicateFlagError(f"The flag {name!r} is defined twice. First with the help {self._flags[name].help!r}")
        self._flags[name] = Flag(name, default, about, parse, boolean)

    def __call__(self, argv: Sequence[str], known_only: bool = False) -> list[str]:
        """Read a command line and return what is not flags, the program's name first.

        Raises:
            UnrecognizedFlagError: a flag that nobody defined, unless `known_only`.
            IllegalFlagValueError: a value that does not fit its flag.
        """
        left, words = list(argv[:1]), iter(argv[1:])
        for word in words:
            if word == "--":
                left.extend(words)
            elif not word.startswith("-") or word == "-" or not self._take(word, words):
                if word.startswith("-") and word != "-" and not known_only:
                    raise UnrecognizedFlagError(f"Unknown command line flag {word.lstrip('-').partition('=')[0]!r}")
                left.append(word)
        self.__dict__["_parsed"] = True
        return left

    def _take(self, word: str, words: Iterator[str]) -> bool:
        name, given, text = word.lstrip("-").partition("=")
        flag = self._flags.get(name)
        if name in ("help", "h", "helpfull") and flag is None:
            self._show_help()
        if flag is None and name.startswith("no") and not given and name[2:] in self._flags and self._flags[name[2:]].boolean:
            flag, given, text = self._flags[name[2:]], "=", "false"
        if flag is None:
            return False
        if flag.boolean and not given:
            flag.value = True
        else:
            flag.value = flag.read(text if given else next(words, ""))
        flag.present = True
        return True

    def _show_help(self) -> NoReturn:
        print(f"flags of {sys.argv[0]}:")
        for flag in sorted(self._flags.values(), key=lambda f: f.name):
            print(f"  --{'[no]' * flag.boolean}{flag.name}: {flag.help}\n    (default: {flag.default!r})")
        raise SystemExit(1)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        flags = self.__dict__["_flags"]
        if name not in flags:
            raise AttributeError(f"No flag {name!r} is defined; there are: {', '.join(sorted(flags)) or 'none'}", name=name)
        if not self.__dict__["_parsed"]:
            self(sys.argv, known_only=True)
        return flags[name].value

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self._flags:
            raise AttributeError(f"No flag {name!r} is defined", name=name)
        self._flags[name].value = value

    def __delattr__(self, name: str) -> None:
        if name not in self._flags:
            raise AttributeError(f"No flag {name!r} is defined", name=name)
        del self._flags[name]

    def __getitem__(self, name: str) -> Flag:
        return self._flags[name]

    def __contains__(self, name: str) -> bool:
        return name in self._flags

    def __iter__(self) -> Iterator[str]:
        return iter(self._flags)

    def __len__(self) -> int:
        return len(self._flags)

    def flag_values_dict(self) -> dict[str, Any]:
        """Every flag's value by its name."""
        return {name: flag.value for name, flag in self._flags.items()}

    def is_parsed(self) -> bool:
        """Whether a command line has been read."""
        return bool(self._parsed)

    def mark_as_parsed(self) -> None:
        """Leave the command line unread: the flags keep their defaults."""
        self.__dict__["_parsed"] = True


FLAGS = export(v1="flags.FLAGS")(FlagValues())


def _boolean(text: str) -> bool:
    if text.lower() in ("true", "t", "1", "yes", "y"):
        return True
    if text.lower() in ("false", "f", "0", "no", "n"):
        return False
    raise ValueError("not a boolean")


def _list(text: str) -> list[str]:
    return [part.strip() for part in text.split(",")] if text else []


@export(v1="flags.DEFINE_string")
def DEFINE_string(name: str, default: str | None, help: str | None = None, flag_values: FlagValues = FLAGS) -> None:
    """Define a flag that is a string.

    >>> flags = FlagValues()
    >>> DEFINE_string("model", "small", "Which model.", flags)
    >>> flags(["program", "--model", "large"]), flags.model
    (['program'], 'large')
    """
    flag_values.define(name, default, help, str)


@export(v1="flags.DEFINE_integer")
def DEFINE_integer(name: str, default: int | None, help: str | None = None, flag_values: FlagValues = FLAGS) -> None:
    """Define a flag that is an integer.

    >>> flags = FlagValues()
    >>> DEFINE_integer("steps", 10, "How many.", flags)
    >>> flags(["program", "--steps=0x10"]), flags.steps
    (['program'], 16)
    """
    flag_values.define(name, default, help, lambda text: int(text, 0))


@export(v1="flags.DEFINE_float")
def DEFINE_float(name: str, default: float | None, help: str | None = None, flag_values: FlagValues = FLAGS) -> None:
    """Define a flag that is a float.

    >>> flags = FlagValues()
    >>> DEFINE_float("rate", 0.1, "The learning rate.", flags)
    >>> flags(["program", "--rate=1e-3"]), flags.rate
    (['program'], 0.001)
    """
    flag_values.define(name, None if default is None else float(default), help, float)


@export(v1=("flags.DEFINE_bool", "flags.DEFINE_boolean"))
def DEFINE_boolean(name: str, default: bool | None, help: str | None = None, flag_values: FlagValues = FLAGS) -> None:
    """Define a flag that is on (`--name`, `--name=true`) or off (`--noname`, `--name=false`).

    >>> flags = FlagValues()
    >>> DEFINE_boolean("train", True, "Whether to train.", flags)
    >>> flags(["program", "--notrain"]), flags.train
    (['program'], False)
    """
    flag_values.define(name, default, help, _boolean, boolean=True)


@export(v1="flags.DEFINE_list")
def DEFINE_list(name: str, default: Sequence[str] | str | None, help: str | None = None, flag_values: FlagValues = FLAGS) -> None:
    """Define a flag that is a list of strings with commas between them.

    >>> flags = FlagValues()
    >>> DEFINE_list("layers", ["a"], "Their names.", flags)
    >>> flags(["program", "--layers=a,b"]), flags.layers
    (['program'], ['a', 'b'])
    """
    flag_values.define(name, default, help, _list)


@export(v1="flags.DEFINE_enum")
def DEFINE_enum(
    name: str, default: str | None, enum_values: Sequence[str], help: str | None = None, flag_values: FlagValues = FLAGS
) -> None:
    """Define a flag that is one of the strings `enum_values`.

    >>> flags = FlagValues()
    >>> DEFINE_enum("mode", "train", ["train", "test"], "What to do.", flags)
    >>> flags(["program", "--mode=deploy"])
    Traceback (most recent call last):
    pullback.tensorflow.flags.IllegalFlagValueError: flag --mode=deploy: not one of train, test
    """

    def one_of(text: str) -> str:
        if text not in enum_values:
            raise ValueError(f"not one of {', '.join(enum_values)}")
        return text

    flag_values.define(name, default, help, one_of)


@export(v1="flags.mark_flag_as_required")
def mark_flag_as_required(name: str, flag_values: FlagValues = FLAGS) -> None:
    """Let `tf.app.run` refuse to start without this flag; a KeyError for one that nobody defined.

    >>> flags = FlagValues()
    >>> DEFINE_string("data", None, "Where it is.", flags)
    >>> mark_flag_as_required("data", flags)
    """
    flag_values[name].required = True


@export(v1="app.run")
def run(main: Callable[[list[str]], Any] | None = None, argv: Sequence[str] | None = None) -> NoReturn:
    """Read the flags, call `main` with what is left of the command line, and exit with its result.

    Args:
        main: the function to call; None takes `main` of the running program.
        argv: the command line; None takes the process's.

    >>> run(lambda words: len(words), argv=["program", "file"])
    Traceback (most recent call last):
    SystemExit: 2
    """
    try:
        left = FLAGS(sys.argv if argv is None else argv)
    except Error as error:
        print(f"FATAL Flags parsing error: {error}\nPass --help to see what there is.", file=sys.stderr)
        raise SystemExit(1) from error
    for name in FLAGS:
        if FLAGS[name].required and FLAGS[name].value is None:
            print(f"FATAL Flags parsing error: flag --{name} must have a value other than None.", file=sys.stderr)
            raise SystemExit(1)
    start = main if main is not None else sys.modules["__main__"].__dict__["main"]
    raise SystemExit(start(left))
