"""`tf.flags`: definitions with all that absl's take and with the older names of their arguments, what is read, what is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .kit import Answers, raises

FACE = "v1"


def flags(tf: Any) -> Answers:
    defined = tf.flags

    def read(define: Callable[[Any], Any], words: list[str], name: str = "a") -> Callable[[], Any]:
        def answer() -> Any:
            values = defined.FlagValues()
            define(values)
            left = values(["program", *words])
            return [getattr(values, name), left]

        return answer

    def integer(**options: Any) -> Callable[[Any], Any]:
        return lambda values: defined.DEFINE_integer("a", 1, "How many.", flag_values=values, **options)

    def string(default: Any = None, **options: Any) -> Callable[[Any], Any]:
        return lambda values: defined.DEFINE_string("a", default, "Which.", flag_values=values, **options)

    def enum(**options: Any) -> Callable[[Any], Any]:
        return lambda values: defined.DEFINE_enum("a", "x", ["x", "y"], "Which.", flag_values=values, **options)

    def marked(values: Any) -> None:
        string()(values)
        defined.mark_flag_as_required(flag_name="a", flag_values=values)

    def checked(values: Any) -> None:
        integer()(values)
        defined.register_validator("a", lambda x: x > 0, "must be positive", flag_values=values)

    def renamed(values: Any) -> None:
        integer()(values)
        defined.DEFINE_alias("b", "a", flag_values=values)

    def held() -> Any:
        values = defined.FlagValues()
        holder = defined.DEFINE_integer("a", 1, "How many.", flag_values=values)
        values(["program", "--a=2"])
        return [holder.value, holder.default, holder.name, holder.present]

    def unread() -> Any:
        values = defined.FlagValues()
        integer()(values)
        return values.a

    def twice() -> None:
        values = defined.FlagValues()
        integer()(values)
        integer()(values)

    older = lambda values: defined.DEFINE_integer(flag_name="a", default_value=1, docstring="How many.", flag_values=values)
    mixed = lambda values: defined.DEFINE_string("a", default_value="x", docstring="Which.", flag_values=values)
    return {
        "older names": read(older, ["--a=3"]),
        "some older names": read(mixed, []),
        "bounds": read(integer(lower_bound=1, upper_bound=5), ["--a=5"]),
        "below": raises(read(integer(lower_bound=1), ["--a=0"]), "0 is not a positive integer"),
        "above": raises(read(integer(lower_bound=1, upper_bound=5), ["--a=9"]), "9 is not an integer in the range [1, 5]"),
        "bounds by position": read(lambda values: defined.DEFINE_integer("a", 1, "How many.", 0, 5, values), ["--a=3"]),
        "a float's bound": raises(
            read(lambda v: defined.DEFINE_float("a", 1, "d", upper_bound=2.0, flag_values=v), ["--a=3"]), "3.0 is not"
        ),
        "short": read(string("x", short_name="q"), ["-q=y"]),
        "short by its name": read(string("x", short_name="q"), ["-q", "y"], "q"),
        "required": raises(read(string(required=True), []), "must have a value other than None"),
        "required and given": read(string(required=True), ["--a=2"]),
        "required with a default": raises(read(string("z", required=True), []), "needs to have None as default"),
        "marked as required": raises(read(marked, []), "must have a value other than None"),
        "enumerated": read(enum(), ["--a=y"]),
        "in other letters": read(enum(case_sensitive=False), ["--a=Y"]),
        "none of them": raises(read(enum(), ["--a=z"]), "value should be one of <x|y>"),
        "for a module": read(lambda v: defined.DEFINE_bool("a", True, "d", v, "module"), ["--noa"]),
        "several integers": read(lambda v: defined.DEFINE_multi_integer("a", [1], "d", flag_values=v), ["--a=2", "--a=3"]),
        "words": read(lambda v: defined.DEFINE_spaceseplist("a", ["1"], "d", flag_values=v), ["--a=2 3"]),
        "validated": raises(read(checked, ["--a=-1"]), "must be positive"),
        "alias": read(renamed, ["--b=5"]),
        "without help": raises(lambda: defined.DEFINE_integer("a", 1, flag_values=defined.FlagValues()), "help"),
        "no integer": raises(read(integer(), ["--a=z"]), "invalid literal for int() with base 10"),
        "unknown": raises(read(integer(), ["--c=1"]), "Unknown command line flag 'c'"),
        "unread": raises(unread, "before flags were parsed"),
        "holder": held,
        "two of one name": raises(twice, "is defined twice"),
    }
