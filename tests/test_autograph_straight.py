"""Functions of which only the calls are rewritten: which those are, and that they do what the rewriting package would make of them."""

from __future__ import annotations

import linecache
import traceback
from collections.abc import Callable
from itertools import count
from typing import Any

import numpy as np
import pytest

import pullback as tf
from pullback.trace import autograph_cache, autograph_calls
from pullback.trace.autograph_straight import rewrite_calls

_numbers = count()
TEXTS = {
    "positions, defaults and keywords": """
def f(x, /, y=2.0, *more, scale=1.0, **others):
    return helper(x, y, *more, scale=scale, **others)
""",
    "an inner function and a lambda": """
def f(x):
    def cubed(v, power=size(3)):
        return tf.reduce_sum(helper(v) ** power)
    return cubed(x), (lambda v: helper(v) + 1.0)(x), list(map(lambda v: helper(v), [x, x]))
""",
    "a custom gradient under a tape": """
def f(x):
    @tf.custom_gradient
    def halved(v):
        def gradient(upstream):
            return upstream * helper(0.5)
        return v * v, gradient
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = halved(x)
    return y, tape.gradient(y, x)
""",
    "decorators and annotations of names that are not there": """
@decorated
def f(x: Missing, y: "Missing" = None) -> Missing:
    z: Missing = helper(x)
    return z, y
""",
    "text over lines, in a block": '''
if True:
    def f(x):
        """One.
    Two."""
        return (helper(x), """a
b""", f"{size(2)}")
''',
    "variables of the function around": """
def outer(x):
    factor = 3.0
    def f(x):
        return helper(x) * factor
    return f
f = outer(1.0)
""",
    "comprehensions, stars and slices": """
def f(x):
    rows = [helper(x) for _ in [1, 2, 3]]
    first, *rest = rows
    rows[0] = rest[0]
    return dict(a=first, **{"b": rows}), {k: helper(k) for k in [4.0]}
""",
    "one of two lambdas on a line": """
g, f = (lambda x: x), (lambda x, y=size(1), *, z=size(2): helper(x) *
    (lambda v: helper(v) + y)(x) + z)
""",
    "a return in a block": """
def f(x):
    with tf.name_scope("inside"):
        return helper(x)
""",
}


GIVES = {
    "positions, defaults and keywords": 22.0,
    "an inner function and a lambda": (8000.0, 21.0, [20.0, 20.0]),
    "a custom gradient under a tape": (4.0, 0.5),
    "decorators and annotations of names that are not there": (20.0, None),
    "text over lines, in a block": (20.0, b"a\nb", b"2"),
    "variables of the function around": 60.0,
    "comprehensions, stars and slices": ({"a": 20.0, "b": [20.0, 20.0, 20.0]}, {4.0: 40.0}),
    "one of two lambdas on a line": 422.0,
    "a return in a block": 20.0,
}


def _branches(v: Any, *more: Any, scale: Any = 1.0, **others: Any) -> Any:
    if tf.reduce_sum(v) > 1.0:
        v = v * 10.0
    return v * scale + sum(more) + sum(others.values())


def function_of(text: str) -> Any:
    """The function `f` of a program, whose source is there."""
    file = f"<straight {next(_numbers)}>"
    text = "from __future__ import annotations\n" + text
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    names: dict[str, Any] = {"tf": tf, "helper": _branches, "size": int, "decorated": lambda f: f, "__name__": "straight"}
    exec(compile(text, file, "exec", dont_inherit=True), names)
    return names["f"]


def rewritten(function: Any, lines: list[str] | None = None) -> Any:
    """What `rewrite_calls` says of a function, or of it with other lines for its own."""
    source = autograph_cache._source_of(function)
    return rewrite_calls(function.__code__, lines or autograph_cache._lines_of(function, source), source)


def told(f: Callable[..., Any], *args: Any) -> Any:
    """What a function gives in a graph, as numbers."""
    return tf.nest.map_structure(lambda v: np.asarray(v).tolist() if isinstance(v, tf.Tensor) else v, tf.function(f)(*args))


@pytest.mark.parametrize("name", TEXTS)
def test_it_does_what_the_package_makes_of_it(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    x, f = tf.constant(2.0), function_of(TEXTS[name])
    assert rewritten(f) is not None
    assert told(f, x) == GIVES[name]
    if not name.startswith(("decorators", "one of two")):  # the package evaluates annotations, and does not find such lambdas
        monkeypatch.setattr(autograph_cache, "rewrite_calls", lambda code, lines, source: None)
        assert told(function_of(TEXTS[name]), x) == GIVES[name]


LEFT = {
    "if": "    if x > 0:\n        x = x + 1\n",
    "a conditional expression": "    x = x if x > 0 else -x\n",
    "for": "    for i in range(3):\n        x = x + i\n",
    "while": "    while x < 3:\n        x = x + 1\n",
    "and": "    y = x > 0 and x < 3\n",
    "not": "    y = not x\n",
    "equality": "    y = x == 3\n",
    "a chain of comparisons": "    y = 0 < x < 3\n",
    "assert": "    assert x > 0\n",
    "try": "    try:\n        x = x + 1\n    except ValueError:\n        pass\n",
    "a list that grows": "    y = []\n    y.append(x)\n",
    "names of the frame": "    y = locals()\n",
    "a class": "    class C:\n        pass\n",
    "a private name": "    y = x.__secret\n",
    "an inner branch": "    def g(v):\n        return v if v > 0 else -v\n    x = g(x)\n",
}


@pytest.mark.parametrize("name", LEFT)
def test_what_is_left_to_the_package(name: str) -> None:
    f = function_of(f"def f(x):\n{LEFT[name]}    return x\n")
    assert rewritten(f) is None


def test_a_file_that_is_another_one_by_now_is_not_taken() -> None:
    f = function_of("def f(x):\n    return helper(x)\n")
    for lines in (["def f(y):\n", "    return helper(y)\n"], ["def g(x):\n", "    return x\n"], ["def f(x:\n"], ["x = 3\n"]):
        assert rewritten(f, lines) is None


def test_lambdas_with_a_choice_are_left_to_the_package() -> None:
    assert rewritten(function_of("f = lambda x: x if x > 0 else -x\n")) is None


def test_arguments_given_twice_are_refused() -> None:
    f = function_of("def f(x):\n    return helper(x, scale=1.0, **{'scale': 2.0})\n")
    with pytest.raises(TypeError, match="multiple values for keyword argument 'scale'"):
        tf.function(f)(tf.constant(1.0))


def test_errors_name_the_lines_and_functions_of_the_program() -> None:
    f = function_of("def f(x):\n    def inner(v):\n        return tf.reshape(\n            v,\n            [2, 3])\n    return inner(x)\n")
    with pytest.raises((ValueError, tf.errors.InvalidArgumentError)) as caught:
        tf.function(f)(tf.zeros([4]))
    shown = [(frame.name, frame.lineno) for frame in traceback.extract_tb(caught.value.__traceback__) if "straight" in frame.filename]
    assert shown[-2:] == [("f", 7), ("inner", 4)]
    assert any("in user code:" in note and "line 4, in inner" in note for note in caught.value.__notes__)


def test_equal_functions_of_two_files_each_have_their_own_lines() -> None:
    text = "def f(x):\n    return tf.reshape(x, [2, 3])\n"
    for f in (function_of(text), function_of(text)):
        with pytest.raises((ValueError, tf.errors.InvalidArgumentError)) as caught:
            tf.function(f)(tf.zeros([4]))
        assert f.__code__.co_filename in "".join(caught.value.__notes__)


def test_the_package_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(autograph_calls, "_transpiler", lambda: pytest.fail("the package was loaded"))
    f = function_of("def f(x):\n    return tf.tanh(x) * 2.0\n")
    assert told(f, tf.constant(0.0)) == 0.0
