"""What a program hears when it asks a namespace for a name that is not there.

TensorFlow's public names stand in tensorflow_names.txt, a line for each namespace ("tf.math: abs ...", "tf1." for
TensorFlow 1), made by tests/golden/make_names.py. So a message can tell a name that Pullback does not have yet from one that
TensorFlow 1 has, or that nobody has.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import NoReturn

# What we have: namespace -> names. Filled by `missing` as the namespaces are imported.
_here: dict[str, tuple[str, ...]] = {}


@cache
def tensorflow_names() -> dict[str, frozenset[str]]:
    """TensorFlow's public names: namespace -> names.

    >>> "gradients" in tensorflow_names()["tf"], "placeholder" in tensorflow_names()["tf"], "placeholder" in tensorflow_names()["tf1"]
    (True, False, True)
    """
    text = (Path(__file__).parent / "tensorflow_names.txt").read_text()
    pairs = (line.split(": ") for line in text.splitlines())
    return {space: frozenset(names.split()) for space, names in pairs}


def missing(space: str, names: Iterable[str]) -> Callable[[str], NoReturn]:
    """A module's `__getattr__`: raises an AttributeError that says why the name is not there and what is near it.

    Args:
        space: the namespace as programs write it, "tf1" standing for TensorFlow 1's `tf`: "tf", "tf.math", "tf1.train".
        names: the names that the namespace has.

    >>> missing("tf.math", ["sin", "cos"])("sinn")
    Traceback (most recent call last):
    AttributeError: TensorFlow has no tf.math.sinn. The nearest name here: tf.math.sin
    """
    _here[space] = tuple(names)

    def __getattr__(name: str) -> NoReturn:
        raise AttributeError(explain(space, name), name=name)

    return __getattr__


def explain(space: str, name: str) -> str:
    """Why `space` has no `name`, and what to use instead."""
    shown = f"{_written(space)}.{name}"
    if name.startswith("__"):
        return f"module {_written(space)!r} has no attribute {name!r}"
    known = tensorflow_names()
    if name in known.get(space, ()):
        why = f"{shown} is not in Pullback yet"
    elif not space.startswith("tf1") and name in known.get(f"tf1{space[2:]}", ()):
        why = f"{shown} is TensorFlow 1's: write tf.compat.v1{shown[2:]}, or run the program with `pullback run --tf 1`"
    elif space.startswith("tf1") and name in known.get(f"tf{space[3:]}", ()):
        why = f"{shown} is TensorFlow 2's: write tf.compat.v2{shown[2:]}, or run the program with `pullback run --tf 2`"
    elif space in known:
        why = f"TensorFlow has no {shown}"
    else:
        why = f"{shown} is not in Pullback"
    near = nearest(space, name, alike="TensorFlow has no" in why or "yet" in why)
    return f"{why}. The nearest name here: {near}" if near else why


def nearest(space: str, name: str, alike: bool = True) -> str | None:
    """The same name in another namespace of the face, else, where names that are only `alike` will do, the one most like it."""
    face = space.partition(".")[0]
    spaces = [s for s in _here if s.partition(".")[0] == face]
    same = [s for s in spaces if name in _here[s]]
    if same:
        return f"{_written(min(same, key=len))}.{name}"
    for candidates in ([space], spaces) if alike else ():
        names = {n: s for s in reversed(candidates) for n in _here.get(s, ())}
        close = difflib.get_close_matches(name, names, n=1, cutoff=0.7)
        if close:
            return f"{_written(names[close[0]])}.{close[0]}"
    return None


def _written(space: str) -> str:
    return f"tf{space[3:]}" if space.startswith("tf1") else space
