"""AutoGraph where TensorFlow's has limits, and which code is rewritten, when, and from where."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import textwrap
import types
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pullback as tf
from pullback.base.errors import InvalidArgumentError, OperatorNotAllowedInGraphError
from pullback.engine.runtime import disk_cache
from pullback.trace import autograph_calls, call_key
from pullback.trace.autograph_calls import is_users

v1 = tf.compat.v1


def test_return_in_a_loop() -> None:
    @tf.function
    def first_above(x: Any, limit: Any) -> Any:
        for row in x:
            if row > limit:
                return row * 10.0
        return tf.constant(-1.0)

    x = tf.constant([1.0, 5.0, 7.0])
    assert [float(first_above(x, tf.constant(limit))) for limit in (0.0, 4.0, 9.0)] == [10.0, 50.0, -1.0]
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = first_above(x, tf.constant(4.0))
    assert np.asarray(tape.gradient(y, x)).tolist() == [0.0, 10.0, 0.0]


def test_enumerate_and_zip_of_tensors() -> None:
    @tf.function
    def f(x: Any, y: Any) -> Any:
        total = 0.0
        for i, row in enumerate(x, 1):
            total += tf.cast(i, tf.float32) * row
        for a, b in zip(x, y):  # noqa: B905  # as in programs
            total += a * b
        return total

    assert float(f(tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0, 5.0]))) == 1.0 + 4.0 + 3.0 + 8.0


def test_break_out_of_a_python_loop_on_a_tensor() -> None:
    @tf.function
    def f(x: Any) -> Any:
        for factor in (1.0, 2.0, 3.0):
            if x > 10.0:
                break
            x = x * 4.0 * factor
        return x

    def plain(x: float) -> float:
        for factor in (1.0, 2.0, 3.0):
            if x > 10.0:
                break
            x = x * 4.0 * factor
        return x

    assert [float(f(tf.constant(x))) for x in (0.1, 1.0, 20.0)] == pytest.approx([plain(x) for x in (0.1, 1.0, 20.0)])


def test_names_set_in_conditions() -> None:
    def in_and(x: Any, n: Any) -> Any:
        return x * q if n > 3 and (q := n + 1) else x

    def in_while(x: Any, n: Any) -> Any:
        while (m := n - 1) > 2:
            n = m
        return x * m

    def in_if(x: Any, n: Any) -> Any:
        if (q := n + 1) > 3:
            x = x * q
        return x

    def in_choice(x: Any, n: Any) -> Any:
        y = (z := x * n) if n > 1 else (z := x)
        return y + z

    def in_chain(x: Any, n: Any) -> Any:
        if 0 < (q := n + 1) < 5:
            x = x * q
        return x

    for f, expected in ((in_and, [2, 10]), (in_while, [0, 4]), (in_if, [2, 10]), (in_choice, [4, 16]), (in_chain, [4, 2])):
        assert [int(tf.function(f)(tf.constant(2), n)) for n in (1, 4)] == expected
    assert int(tf.function(in_if)(tf.constant(2), tf.constant(4))) == 10
    for f in (in_and, in_while, in_choice):  # as in TensorFlow, these run as they are
        with pytest.raises(OperatorNotAllowedInGraphError):
            tf.function(f)(tf.constant(2), tf.constant(4))


def test_a_match_chooses_as_in_python() -> None:
    def scaled(x: Any, how: Any) -> Any:
        match how:
            case "double":
                return x * 2
            case [a, *_] | {"factor": a}:
                y = x * a
            case int() as n if n > 3:
                y = x * n
            case _:
                y = x
        return y

    wanted = {"double": 4, (7, 1): 14, 5: 10, 2: 2}
    assert {how: int(tf.function(scaled)(tf.constant(2), how)) for how in wanted} == wanted
    assert int(tf.function(scaled)(tf.constant(2), {"factor": 3})) == 6
    with pytest.raises(OperatorNotAllowedInGraphError):
        tf.function(scaled)(tf.constant(2), tf.constant("double"))


def test_a_message_that_is_computed() -> None:
    @tf.function
    def f(x: Any, name: str) -> Any:
        assert x > 0.0, f"{name} must be positive"
        return x

    assert float(f(tf.constant(1.0), "size")) == 1.0
    with pytest.raises(InvalidArgumentError, match="size must be positive"):
        f(tf.constant(-1.0), "size")


def test_inherited_methods_and_super() -> None:
    class Base:
        def scale(self, x: Any) -> Any:
            if x > 0.0:
                return x * 2.0
            return x

    class Derived(Base):
        @tf.function
        def scale(self, x: Any) -> Any:
            y = super().scale(x)
            return y + 1.0

    assert [float(Derived().scale(tf.constant(x))) for x in (3.0, -3.0)] == [7.0, -2.0]


def test_the_rewritten_code_can_be_seen(capsys: pytest.CaptureFixture[str]) -> None:
    def positive(x: Any) -> Any:
        return x if x > 0.0 else -x

    code = tf.autograph.to_code(positive)
    assert code.startswith("def tf__positive(x") and "ag__.if_exp" in code
    assert v1.autograph.to_code(positive, indentation="    ") == code
    assert float(tf.autograph.to_graph(positive)(tf.constant(-2.0))) == 2.0
    nothings: tuple[Any, ...] = (3, "name", print, int)
    for nothing in nothings:
        with pytest.raises(Exception, match=r"converting .*: ValueError: .*__code__") as caught:
            tf.autograph.to_code(nothing)
        assert type(caught.value).__name__ == "ConversionError"
    tf.autograph.set_verbosity(3, alsologtostdout=True)
    try:
        tf.function(lambda x: x if x > 0.0 else tf.sin(x))(1.0)
        tf.function(lambda x: tf.sin(x))(1.0)
    finally:
        tf.autograph.set_verbosity(0)
    shown = capsys.readouterr().out
    assert "tf__lam = lambda x" in shown and "lambda x: ag__.converted_call(tf.sin, (x,))" in shown


def test_what_is_traced_is_told_once(capsys: pytest.CaptureFixture[str]) -> None:
    @tf.function
    def f(x: Any) -> Any:
        for i in tf.range(3):
            tf.autograph.trace("in the loop", i.dtype.name)
        return x

    f(1.0), f(2.0)
    assert capsys.readouterr().out == "in the loop int32\n" * 2  # 1.0 and 2.0 have a trace each


def _generate() -> Any:
    yield 1


def test_whose_code_is_rewritten() -> None:
    assert is_users(test_whose_code_is_rewritten)
    assert not is_users(tf.reduce_sum)
    assert not is_users(textwrap.dedent)
    assert not is_users(_generate)


def test_functions_of_packages_that_are_left_alone_are_rewritten_where_they_ask_for_it() -> None:
    def positive(x: Any) -> Any:
        if x > 0:
            return x
        return -x

    positive.__module__ = "tensorflow_probability.layers"
    assert tf.function(positive)(tf.constant(-2.0)).numpy() == 2.0
    assert float(tf.autograph.to_graph(positive)(tf.constant(-2.0))) == 2.0
    with pytest.raises(OperatorNotAllowedInGraphError):
        tf.function(lambda x: positive(x))(tf.constant(-2.0))


def test_the_rewriter_is_loaded_by_the_first_trace_that_needs_it(tmp_path: Path) -> None:
    code = """
        import sys
        import pullback as tf
        f = tf.function(lambda x: x if x > 0 else -x)
        straight = tf.function(lambda x: tf.sin(x))
        straight(1.0)
        assert not [m for m in sys.modules if m.partition(".")[0] == "malt"]
        f(tf.constant(1))
        print("malt" in sys.modules)
    """
    program = tmp_path / "program.py"
    program.write_text(textwrap.dedent(code))
    settings = {"PYTHONPATH": str(Path(__file__).parents[1] / "src"), "PULLBACK_CACHE_DIR": str(tmp_path / "cache")}
    for loaded in ("True", "False"):
        done = subprocess.run([sys.executable, str(program)], check=True, env=settings, capture_output=True, text=True)
        assert done.stdout.strip() == loaded


REWRITTEN = """
    import sys
    import pullback as tf
    def helper(x, *, scale=2.0):
        if x > 0.0:
            return x * scale
        return -x
    @tf.function
    def program(n, x):
        found = []
        for i in tf.range(n):
            found.append(helper(x) + tf.cast(i, "float32"))
            found += [x]
        pick = lambda a: a if a > 1.0 else tf.zeros_like(a)
        return tf.stack(found), pick(x), helper(x, scale=3.0)
    print(*[t.numpy().tolist() for t in program(3, tf.constant(0.5))], *[t.numpy().tolist() for t in program(3, tf.constant(-2.0))])
    @tf.function
    def fails(x):
        while x > 0.0:
            x = tf.concat([[x], [x]], 0)
        return x
    try:
        fails(tf.constant(1.0))
    except Exception as error:
        print(type(error).__name__, error, *error.__notes__)
    print(tf.autograph.to_code(helper).splitlines()[0], file=sys.stderr)
"""


def test_a_second_process_runs_the_rewritten_code_of_the_first(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(textwrap.dedent(REWRITTEN))
    settings = {"PYTHONPATH": str(Path(__file__).parents[1] / "src"), "PULLBACK_CACHE_DIR": str(tmp_path / "cache")}
    first, second = (
        subprocess.run([sys.executable, str(program)], check=True, env=settings, capture_output=True, text=True) for _ in range(2)
    )
    assert first.stdout == second.stdout
    numbers, failure = first.stdout.splitlines()[0], "".join(first.stdout.splitlines()[1:])
    assert numbers == "[1.0, 0.5, 2.0, 0.5, 3.0, 0.5] 0.0 1.5 [2.0, -2.0, 3.0, -2.0, 4.0, -2.0] 0.0 2.0"
    assert failure.startswith("ValueError") and f'File "{program}", line 19, in fails' in failure


def test_a_function_that_was_edited_is_rewritten_anew(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    settings = {"PYTHONPATH": str(Path(__file__).parents[1] / "src"), "PULLBACK_CACHE_DIR": str(tmp_path / "cache")}
    text = "import pullback as tf\nf = tf.function(lambda x: x + ADDED if x > 0.0 else x)\nprint(float(f(tf.constant(1.0))))"
    for added in ("1.0", "5.0", "1.0"):
        program.write_text(text.replace("ADDED", added))
        done = subprocess.run([sys.executable, str(program)], check=True, env=settings, capture_output=True, text=True)
        assert float(done.stdout) == 1.0 + float(added)


@pytest.mark.parametrize("installed", [True, False])  # a library in a folder that Python does not know as one of packages, too
def test_libraries_are_rewritten_but_those_that_never_meet_tensors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, installed: bool
) -> None:
    source = "def down(x):\n    while x > 1.0:\n        x = x / 2.0\n    return x\n"
    for name in ("meets_tensors", "scipy"):
        (tmp_path / f"{name}").mkdir()
        (tmp_path / name / "loops_of_this_test.py").write_text(source)
    if installed:
        monkeypatch.setattr(autograph_calls, "_INSTALLED", (str(tmp_path),))
    monkeypatch.setattr(autograph_calls, "_is_users_file", autograph_calls._is_users_file.__wrapped__)

    def call(name: str) -> Any:
        found = importlib.util.spec_from_file_location(name, tmp_path / name / "loops_of_this_test.py")
        assert found is not None and found.loader is not None
        module = importlib.util.module_from_spec(found)
        found.loader.exec_module(module)
        return tf.function(lambda x: module.down(x))(tf.constant(8.0))

    assert call("meets_tensors").numpy() == 1.0
    with pytest.raises(OperatorNotAllowedInGraphError):
        call("scipy")
    monkeypatch.setattr(autograph_calls, "_INSTALLED", (str(Path(tf.__file__).parents[1]),))
    assert not autograph_calls._is_users_file(call_key.__file__)


def test_a_lambda_of_a_module_that_is_not_loaded_runs_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "ghost.py"
    file.write_text("f = lambda x: x * 2.0\ng = lambda x: 1.0 if x > 0.0 else 2.0\n")
    ghost = types.ModuleType("ghost")
    exec(compile(file.read_text(), str(file), "exec"), vars(ghost))
    assert float(tf.function(ghost.f)(tf.constant(3.0))) == 6.0
    with pytest.raises(OperatorNotAllowedInGraphError, match="keep its source where Python finds it"):
        tf.function(ghost.g)(tf.constant(3.0))


def test_without_a_cache_on_the_disk_functions_are_traced_again() -> None:
    def doubled(x: Any) -> Any:
        if tf.reduce_sum(x) > 0.0:
            x = x * 2.0
        return x

    @tf.function
    def f(x: Any) -> Any:
        if tf.reduce_sum(x) > 0.0:
            x = x * 3.0
        return doubled(x)

    disk_cache.configure(enabled=False)
    try:
        assert float(f(tf.constant(1.0))) == 6.0
        assert f(tf.constant([1.0, 2.0])).numpy().tolist() == [6.0, 12.0]
    finally:
        disk_cache.configure()
