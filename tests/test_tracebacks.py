"""Errors end at the program's line: the library's frames are left out, as TensorFlow leaves out its own."""

import importlib
import inspect
import subprocess
import sys
import threading
import traceback
import unittest
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pullback as tf
import pullback.compat.v1 as tf1
from pullback.interop import faces
from pullback.ir import tracebacks
from pullback.ir.context import Recorder
from pullback.ir.node import is_inside
from pullback.trace.autograph import ConversionError
from tests.programs import pullback_run

ROW = np.float32([[1.0, 2.0]])
here = __file__


@pytest.fixture(autouse=True)
def filtering() -> Iterator[None]:
    before = tracebacks.filtering.enabled
    tf.debugging.enable_traceback_filtering()
    yield
    tracebacks.filtering.enabled = before


def frames(f: Callable[[], Any]) -> list[tuple[str, str]]:
    """The functions and lines of this file that the traceback of an error shows; no other file may be in it."""
    try:
        f()
    except (KeyError, TypeError, ValueError, RuntimeError, AttributeError, tf.errors.OpError) as error:
        shown = traceback.extract_tb(error.__traceback__)
        assert {frame.filename for frame in shown} == {here}, shown
        return [(frame.name, frame.line or "") for frame in shown[1:]]  # without this function
    raise AssertionError("there was no error")


def body(x: Any) -> Any:
    raise KeyError("of the program")


def broken_rule() -> Any:
    @tf.custom_gradient
    def double(x: Any) -> Any:
        def grad(g: Any) -> Any:
            raise KeyError("of the rule")

        return x * 2.0, grad

    x = tf.Variable(1.0)
    with tf.GradientTape() as tape:
        y = double(x)
    return tape.gradient(y, x)


@tf.function
def traced(x: Any) -> Any:
    if tf.reduce_sum(x) > 0.0:
        y = multiply(x)
    else:
        y = x
    return y


def multiply(x: Any) -> Any:
    return tf.matmul(x, x)  # does not fit


@tf.function(autograph=False)
def traced_as_it_is(x: Any) -> Any:
    return multiply(x)


@tf.function
def asserting(x: Any) -> Any:
    tf.debugging.assert_less(x, 0.0)
    return x


def in_a_session(run: Callable[[Any, Any, Any], Any]) -> Callable[[], Any]:
    def program() -> Any:
        with tf1.Graph().as_default(), tf1.Session() as session:
            x = tf1.placeholder(tf.float32, [None])
            run(session, x, tf.reshape(x, [3]))

    return program


def used_up() -> Any:
    x = tf.Variable(1.0)
    with tf.GradientTape() as tape:
        y = x * x
    tape.gradient(y, x)
    tape.gradient(y, x)


def listening_twice() -> None:
    tape = tf.GradientTape()
    with tape, tape:
        pass


def multiply_concretely(x: Any) -> Any:
    return tf.function(multiply).get_concrete_function(tf.constant([[1.0]]))(x)


EAGER: dict[str, Callable[[], Any]] = {
    "operator": lambda: tf.constant(ROW) + tf.constant([1.0, 2.0, 3.0]),
    "operator on the right": lambda: [1.0, 2.0, 3.0] * tf.constant(ROW),
    "operator @": lambda: tf.constant(ROW) @ tf.constant(ROW),
    "comparison": lambda: tf.constant(ROW) < tf.constant([1.0, 2.0, 3.0]),
    "index": lambda: tf.constant(ROW)[5],
    "truth value": lambda: bool(tf.constant(ROW)),
    "a number of a matrix": lambda: float(tf.constant(ROW)),
    "negation": lambda: -tf.constant("a"),
    "name": lambda: tf.constant(ROW).name,
    "item": lambda: tf.constant(ROW).__setitem__(0, 1.0),
    "transpose": lambda: tf.constant(1.0).T,
    "set_shape": lambda: tf.constant(ROW).set_shape([3]),
    "part of a variable": lambda: tf.Variable(ROW)[0].assign("a"),
    "a tape that listens": listening_twice,
    "an iterator": lambda: next(iter(tf.data.Dataset.range(3).map(lambda x: tf.ensure_shape(tf.ones([x]), [7])))),
    "a concrete function": lambda: multiply_concretely(tf.constant("a")),
    "an initializer": lambda: tf.zeros_initializer()([2], "a"),
    "a cell": lambda: tf.nn.RNNCellDropoutWrapper(3),
    "a linear operator": lambda: tf.linalg.LinearOperatorDiag([1.0]).solve(tf.ones([3, 3])),
    "a shape": lambda: tf.TensorShape([1]).merge_with([2]),
    "a class of TensorFlow 1": lambda: tf1.Variable(),
    "attribute of an operation": in_a_session(lambda session, x, y: x.op.get_attr("a")),
    "a tensor of a name": in_a_session(lambda session, x, y: session.graph.get_tensor_by_name("a:0")),
    "numpy() in a graph": in_a_session(lambda session, x, y: x.numpy()),
    "length": lambda: len(tf.constant(1.0)),
    "matmul": lambda: tf.matmul(ROW, ROW),
    "multiply": lambda: tf.multiply(ROW, [1.0, 2.0, 3.0]),
    "reshape": lambda: tf.reshape(ROW, [7]),
    "concat": lambda: tf.concat([ROW, ROW[0]], 0),
    "reduce_sum": lambda: tf.reduce_sum(ROW, 5),
    "einsum": lambda: tf.einsum("ij,jk", ROW, ROW),
    "conv2d": lambda: tf.nn.conv2d(ROW, ROW, 1, "SAME"),
    "softmax_cross_entropy": lambda: tf.nn.softmax_cross_entropy_with_logits(labels=ROW, logits=[1.0, 2.0, 3.0]),
    "inv": lambda: tf.linalg.inv(ROW),
    "constant": lambda: tf.constant("a", tf.float32),
    "convert_to_tensor": lambda: tf.convert_to_tensor([[1, 2], [3]]),
    "assign": lambda: tf.Variable(ROW).assign([1.0]),
    "optimizer": lambda: tf1.train.GradientDescentOptimizer(0.1).apply_gradients([]),
    "session": in_a_session(lambda session, x, y: session.run(y, {x: [1.0]})),
    "fetch": in_a_session(lambda session, x, y: session.run(None)),
    "graph": in_a_session(lambda session, x, y: tf.matmul(x, y)),
    "truth value in a graph": in_a_session(lambda session, x, y: bool(x)),
    "gradients": in_a_session(lambda session, x, y: tf.gradients(y, None)),
    "tape": used_up,
    "a compiled assertion": lambda: asserting(tf.constant(ROW)),
}


@pytest.mark.parametrize("name", EAGER)
def test_an_error_ends_at_the_line_of_the_program(name: str) -> None:
    shown = frames(EAGER[name])
    assert 1 <= len(shown) <= 3, shown


def public_functions() -> Iterator[tuple[str, Callable[..., Any]]]:
    """The functions of both faces, each once, without those that take anything, or that change what holds for the whole process."""
    seen = set()
    for space, names in faces.exports().items():
        for name in names:
            f = getattr(importlib.import_module(faces.module_of(space)), name)
            changes = name.removeprefix("experimental_").startswith(("disable", "enable", "set_", "reset", "run", "input"))
            changes = changes or str(getattr(f, "__module__", "")).startswith("absl.")  # flags are the process's; the errors are absl's
            if inspect.isfunction(f) and id(f) not in seen and not changes:
                seen.add(id(f))
                yield f"{space}.{name}", f


ERRORS = (
    AttributeError, TypeError, ValueError, LookupError, NotImplementedError, RuntimeError, OSError, AssertionError, tf.errors.OpError,
    ConversionError,
)  # fmt: skip


def test_functions_that_get_what_they_cannot_take_leave_no_frame_of_theirs() -> None:
    shown = []
    calls = 0
    for name, f in public_functions():
        wanted = [p for p in inspect.signature(f).parameters.values() if p.kind is p.POSITIONAL_OR_KEYWORD and p.default is p.empty]
        if not wanted:
            continue
        try:
            f(*[object()] * len(wanted))
        except ERRORS as error:
            calls += 1
            if any(is_inside(frame.filename) for frame in traceback.extract_tb(error.__traceback__)):
                shown.append(name)
    assert calls > 900 and not shown, (shown, calls)


def public_classes() -> list[tuple[str, type]]:
    """The classes of ours in both faces, each once."""
    found = {}
    for space, names in faces.exports().items():
        for name in names:
            c = getattr(importlib.import_module(faces.module_of(space)), name)
            if inspect.isclass(c) and str(c.__module__).startswith("pullback"):
                found.setdefault(c, f"{space}.{name}")
    return [(name, c) for c, name in found.items()]


LATER = """
import traceback
import tensorflow as tf

kind = tf.data.TextLineDataset  # which is made now, and says that it is of TensorFlow's module
print(kind.__mro__[2].__module__)
try:
    object.__new__(kind).take(1)
except AttributeError as error:
    print(len(traceback.extract_tb(error.__traceback__)))
"""


def test_classes_with_tensorflows_names_leave_no_frame_of_theirs(tmp_path: Path) -> None:
    program = tmp_path / "later.py"
    program.write_text(LATER)
    assert pullback_run(program).stdout.split() == ["tensorflow.python.data.ops.dataset_ops", "1"]


def wanted_by(f: Callable[..., Any]) -> int:
    """How many arguments a function must be given; of some of Python's own, nobody knows."""
    try:
        parameters = inspect.signature(f).parameters.values()
    except ValueError:
        return 1
    return sum(p.kind is p.POSITIONAL_OR_KEYWORD and p.default is p.empty for p in parameters)


def leaves_frames(f: Callable[..., Any], *args: Any) -> bool | None:
    """Whether an error shows frames of ours; None where there is none."""
    try:
        f(*args)
    except ERRORS as error:
        return any(is_inside(frame.filename) for frame in traceback.extract_tb(error.__traceback__))
    return None


def test_classes_that_get_what_they_cannot_take_leave_no_frame_of_theirs() -> None:
    shown = {}
    for name, c in public_classes():
        if c is tf1.InteractiveSession:  # which needs nothing, and would stay the session of the tests after this one
            continue
        for more in (0, 1):
            shown[f"{name}, {more} too many"] = leaves_frames(c, *[object()] * (wanted_by(c) + more))
    assert sum(one is not None for one in shown.values()) > 300 and not [name for name, one in shown.items() if one]


BY_SYNTAX = {"__call__", "__getitem__", "__setitem__", "__len__", "__contains__", "__iter__", "__next__", "__exit__"}


def errors_of_methods() -> tuple[int, list[str]]:
    """How many methods of objects that are not whole raise an error, and which of them show frames of ours."""
    shown = {}
    for name, c in public_classes():
        if issubclass(c, (unittest.TestCase, threading.Thread)) or hasattr(c, "__del__"):  # which show all, or cannot be closed
            continue
        try:
            nothing = object.__new__(c)
        except TypeError:  # of a class of Python's own, or one that is abstract
            continue
        for method in dir(c):
            member = inspect.getattr_static(c, method)
            is_hot = hasattr(member.fget if isinstance(member, property) else member, "is_hot") or method in vars(Recorder)
            if is_hot or (method.startswith("_") and method not in BY_SYNTAX):
                continue
            if isinstance(member, property):
                shown[f"{name}.{method}"] = leaves_frames(getattr, nothing, method)
            elif callable(member) or isinstance(member, (classmethod, staticmethod)):
                call = getattr(nothing, method, None)
                if call is not None:
                    shown[f"{name}.{method}"] = leaves_frames(call, *[object()] * wanted_by(call))
    return sum(one is not None for one in shown.values()), [name for name, one in shown.items() if one]


def test_methods_of_objects_that_are_not_whole_leave_no_frame_of_theirs() -> None:
    # some of them make their object the default of the process (a writer of summaries, a graph), so the process is another one
    with ProcessPoolExecutor(1, get_context("fork")) as pool:
        count, wrong = pool.submit(errors_of_methods).result()
    assert count > 2500 and not wrong


CALLBACKS: dict[str, Callable[[], Any]] = {
    "map_fn": lambda: tf.map_fn(body, tf.constant(ROW)),
    "vectorized_map": lambda: tf.vectorized_map(body, tf.constant(ROW)),
    "while_loop": lambda: tf.while_loop(lambda i: i < 3, body, [tf.constant(0)]),
    "cond": lambda: tf.cond(tf.constant(True), lambda: body(1), lambda: 1),
    "function": lambda: tf.function(body)(tf.constant(ROW)),
    "initial value": lambda: tf.Variable(lambda: body(1)),
    "jacobian of a function": lambda: tf.jvp(body, [tf.constant(ROW)], [tf.constant(ROW)]),
    "minimize": lambda: tf1.train.GradientDescentOptimizer(0.1).minimize(lambda: body(1)),
}


@pytest.mark.parametrize("name", CALLBACKS)
def test_the_frames_of_a_function_that_the_library_calls_stay(name: str) -> None:
    assert frames(CALLBACKS[name])[-1] == ("body", 'raise KeyError("of the program")')


def test_the_frames_of_a_gradient_function_stay() -> None:
    assert [name for name, _ in frames(broken_rule)] == ["broken_rule", "grad"]


def test_a_rewritten_function_shows_the_lines_of_the_program() -> None:
    shown = frames(lambda: traced(tf.constant(ROW)))
    assert ("traced", "if tf.reduce_sum(x) > 0.0:") in shown and ("traced", "y = multiply(x)") in shown
    assert shown[-1] == ("multiply", "return tf.matmul(x, x)  # does not fit")
    assert frames(lambda: traced_as_it_is(tf.constant(ROW)))[-2:] == [
        ("traced_as_it_is", "return multiply(x)"),
        ("multiply", "return tf.matmul(x, x)  # does not fit"),
    ]


def test_a_rewritten_frame_has_the_names_of_its_function() -> None:
    with pytest.raises(ValueError) as caught:
        traced_as_it_is(tf.constant(ROW))
        traced(tf.constant(ROW))
    trace = caught.value.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    assert trace is not None and "x" in trace.tb_frame.f_locals


def test_errors_within_the_library_are_no_context_and_those_of_the_program_are() -> None:
    with pytest.raises(ValueError) as caught:
        tf.convert_to_tensor([[1, 2], [3]])
    assert "site-packages" not in "".join(traceback.format_exception(caught.value))
    with pytest.raises(TypeError) as second:
        try:
            body(1)
        except KeyError:
            tf.constant("a", tf.float32)
    text = "".join(traceback.format_exception(second.value))
    assert "During handling" in text and "of the program" in text


def test_all_frames_are_there_when_asked_for_in_this_thread() -> None:
    tf.debugging.disable_traceback_filtering()
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        tf.constant(ROW) + tf.constant([1.0, 2.0, 3.0])
    assert any(is_inside(frame.filename) for frame in traceback.extract_tb(caught.value.__traceback__))
    found: list[bool] = []
    thread = threading.Thread(target=lambda: found.append(tf.debugging.is_traceback_filtering_enabled()))
    thread.start()
    thread.join()
    assert found == [True] and not tf1.debugging.is_traceback_filtering_enabled()


@pytest.mark.parametrize("is_filtering", [True, False])
@pytest.mark.parametrize(
    "mistake",
    [
        lambda: tf.Variable([1.0, 2.0], shape=[3]),
        lambda: tf.Variable([1.0, 2.0]).assign([1.0, 2.0, 3.0]),
        lambda: tf.TensorShape([2]).merge_with([3]),
        lambda: tf.TensorArray(tf.float32, 2).read(5),
        lambda: tf.GradientTape().gradient(tf.constant(1.0), tf.constant(1.0)),
    ],
    ids=["Variable", "assign", "merge_with", "read", "gradient"],
)
def test_frames_of_methods_and_constructors_are_there_when_asked_for(mistake: Callable[[], Any], is_filtering: bool) -> None:
    if not is_filtering:
        tf.debugging.disable_traceback_filtering()
    with pytest.raises((ValueError, RuntimeError, tf.errors.OpError)) as caught:
        mistake()
    shown = [is_inside(frame.filename) for frame in traceback.extract_tb(caught.value.__traceback__)]
    assert any(shown) is not is_filtering and not shown[0]


PROGRAM = """
import threading
import pullback as tf

def work():
    tf.nn.bias_add([1.0], [2.0, 3.0])

print(tf.debugging.is_traceback_filtering_enabled())
thread = threading.Thread(target=work)
thread.start()
thread.join()
{last}work()
"""


@pytest.mark.parametrize("last, inside", [("", False), ("tf.debugging.disable_traceback_filtering()\n", True)])
def test_what_python_prints_at_the_end_of_programs_and_threads(last: str, inside: bool) -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM.format(last=last)], capture_output=True, text=True, check=False)
    of_thread, _, of_program = done.stderr.rpartition("Traceback")
    assert done.stdout == "True\n" and done.returncode == 1
    assert of_program.count("in work") == of_thread.count("in work") == 1
    assert "pullback/" not in of_thread and ("pullback/" in of_program) is inside
