"""`pullback.why`: programs with what it must answer, and what holds for every answer."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pullback as tf
import pullback.compat.v1 as tf1
from pullback.diagnose import answer, why as why_module
from pullback.ir import node as node_module

from .why.table import Program, programs

TABLES = {path.stem: programs(path.read_text()) for path in sorted((Path(__file__).parent / "why").glob("*.txt"))}
NANS = TABLES.pop("nans")
ALL = [pytest.param(p, id=f"{table}: {p.name}") for table, entries in TABLES.items() for p in entries]


@pytest.mark.parametrize("program", ALL)
def test_the_answer_is_right(program: Program) -> None:
    names = program.run()
    found = names["result"]
    assert (found.code, found.operation) == (program.code, program.operation), str(found)
    if program.line is not None and program.code is not None:
        assert (found.file, found.line) == (names["__file__"], program.line), str(found)
    assert found.message in str(found)


@pytest.mark.parametrize("program", [pytest.param(p, id=p.name) for p in TABLES["sums"] + TABLES["sums_in_graphs"]])
def test_what_is_added_up_is_told_and_adds_up(program: Program) -> None:
    names = program.run()
    found = names["result"]
    assert [(one.what, one.number) for one in found.sums] == [(what, number) for what, number, _ in names["expected"]]
    if program.line is not None:
        assert {(one.file, one.line) for one in found.sums} == {(names["__file__"], program.line)}
    total = sum(share.value.numpy() for share in found.shares())
    gradient = tf.convert_to_tensor(found.gradient).numpy()
    assert np.allclose(total, gradient, rtol=1e-6, atol=1e-6)
    assert gradient.any() and found.connected


@pytest.mark.parametrize("program", [pytest.param(p, id=p.name) for p in NANS])
def test_the_first_number_that_is_none_is_found(program: Program) -> None:
    names = program.run()
    found = names["trace"].found
    if program.code is None:
        assert found is None
        return
    assert (found.operation, found.backward) == (program.operation, program.code == "backward"), str(found)
    assert (found.file, found.line) == (names["__file__"], program.line), str(found)
    assert found.remedy is not None and found.kind in ("NaN", "+Inf", "-Inf")


@pytest.mark.parametrize(
    ("base", "remedy"), [(1e30, "scale its inputs down"), (-1e30, "scale its inputs down"), (0.0, "keep the base from zero")]
)
def test_a_power_that_overflows_is_told_from_one_of_zero(base: float, remedy: str) -> None:
    with tf.trace_nans(raises=False) as trace:
        tf.pow(tf.constant([1.0, base]), 2.0 if base else -1.0)
    assert trace.found is not None and remedy in (trace.found.remedy or "")


def test_the_inside_of_a_native_call_is_told_as_that_of_any_other() -> None:
    """Its tape keeps other values, from which the rest is computed again."""

    def flow(jit_compile: bool) -> dict[str, float]:
        @tf.function(jit_compile=jit_compile)
        def f(x: tf.Tensor, w: tf.Tensor) -> tf.Tensor:
            u = tf.exp(tf.nn.relu(x * 3.0 - 1.0)) * tf.sin(x)
            return tf.reduce_sum(tf.tanh(tf.matmul(u, w)) * tf.sigmoid(u))

        x, w = tf.reshape(tf.linspace(-1.0, 1.0, 12), [3, 4]), tf.reshape(tf.linspace(-0.5, 0.7, 16), [4, 4])
        for _ in range(2):  # the second call under a tape knows that there is a native program
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = f(x, w)
        (call,) = [node for node in tape._recording.nodes if "f" in node.attrs]
        assert ("_rematerialised" in call.attrs) == jit_compile
        return {step.operation: step.norm for step in tf.why(y, x, tape).flow}

    native, plain = flow(True), flow(False)
    assert list(native) == list(plain) and len(plain) > 6
    assert list(native.values()) == pytest.approx(list(plain.values()), rel=1e-5)


def test_it_is_an_error_that_tells_all() -> None:
    words = r"Log at .*test_why.py:\d+ gave the first -Inf: 1 of 2"
    with tf.trace_nans(), pytest.raises(tf.errors.InvalidArgumentError, match=words) as caught:
        tf.math.log([1.0, 0.0])
    assert caught.value.found.values == (0.0,) and caught.value.found.place == (1,)


def test_a_run_that_is_refused_leaves_variables_as_they_were() -> None:
    v = tf.Variable(1.0)

    @tf.function
    def step(by: tf.Tensor) -> None:
        v.assign(v / by)

    with tf.trace_nans():
        step(tf.constant(2.0))
        with pytest.raises(tf.errors.InvalidArgumentError, match="RealDiv"):
            step(tf.constant(0.0))
        assert v.numpy() == 0.5
    step(tf.constant(0.0))
    assert np.isinf(v.numpy())


def floor_loss(v: tf.Variable) -> tf.Tensor:
    return tf.floor(v)  # the line that messages name


def test_optimizers_tell_why_there_is_no_gradient() -> None:
    v = tf.Variable(1.5, name="kernel")
    with tf.GradientTape() as tape:
        loss = floor_loss(v)
    gradient = tape.gradient(loss, v)
    with pytest.raises(ValueError, match=r"'kernel' is None: loss is computed from .* through Floor at line \d+, which has no derivative"):
        tf1.train.GradientDescentOptimizer(0.1).apply_gradients([(gradient, v)])
    with pytest.raises(ValueError, match=r"'kernel' is None.* through Floor at line"):
        tf1.train.GradientDescentOptimizer(0.1).minimize(lambda: floor_loss(v), var_list=[v])


def test_optimizers_of_graphs_tell_why_there_is_no_gradient() -> None:
    with tf1.Graph().as_default():
        v = tf1.get_variable("kernel", [])
        loss = tf.stop_gradient(v) * 2.0
        with pytest.raises(ValueError, match=r"'kernel' is None: loss is computed from .* tf.stop_gradient \(StopGradient at line \d+\)"):
            tf1.train.GradientDescentOptimizer(0.1).minimize(loss)


def test_a_gradient_that_is_none_is_told_where_it_is_used() -> None:
    x = tf.Variable(1.5)
    with tf.GradientTape() as tape:
        y = tf.floor(x)
    slope = tape.gradient(y, x)
    with pytest.raises(ValueError, match=r"\(None\) with an unsupported.*If this is the gradient .*y is computed from x through Floor"):
        x + slope


def test_a_gradient_function_that_raises_says_whose_it_is() -> None:
    @tf.custom_gradient
    def double(x: tf.Tensor) -> object:
        def grad(g: tf.Tensor) -> tf.Tensor:
            raise KeyError("scale")

        return 2.0 * x, grad

    x = tf.Variable(1.0)
    with tf.GradientTape() as tape:
        y = double(x)
    with pytest.raises(KeyError) as caught:
        tape.gradient(y, x)
    assert "the gradient of" in caught.value.__notes__[0] and "test_why.py" in caught.value.__notes__[0]
    assert caught.value.__notes__[1] == "It is on the way from the target to x."
    with tf1.Graph().as_default(), pytest.raises(KeyError) as caught:
        v = tf1.get_variable("kernel", [])
        tf1.gradients(double(v), v)
    assert caught.value.__notes__[1] == "It is on the way from the target to the variable 'kernel'."


def test_a_registered_gradient_that_raises_says_whose_it_is() -> None:
    @tf1.RegisterGradient("RaisesAlways")
    def grad(op: object, g: tf.Tensor) -> tf.Tensor:
        raise KeyError("scale")

    with tf1.Graph().as_default() as graph, pytest.raises(KeyError) as caught:
        v = tf1.get_variable("kernel", [])
        with graph.gradient_override_map({"Sin": "RaisesAlways"}):
            y = tf.sin(v)
        tf1.gradients(y, v)
    first, second = caught.value.__notes__
    assert first.startswith("This is the gradient of RaisesAlways, registered for Sin, used at ") and "test_why.py" in first
    assert second == "It is on the way from the target to the variable 'kernel'."


def test_what_underflows_is_said() -> None:
    x = tf.Variable(tf.constant([0.5], tf.float16))
    with tf.GradientTape() as tape:
        y = tf.reduce_sum((x * tf.constant(1e-4, tf.float16)) * tf.constant(1e-2, tf.float16))
    assert "The cotangent underflows in Mul (line " in str(tf.why(y, x, tape))


def no_path(tf: Any, x: Any, tape: Any) -> Any:
    return tf.Variable(2.0) * 1.0


def not_watched(tf: Any, x: Any, tape: Any) -> Any:
    return x * x


def watched_too_late(tf: Any, x: Any, tape: Any) -> Any:
    y = x * x
    tape.watch(x)
    return y


def outside_the_tape(tf: Any, x: Any, tape: Any) -> Any:
    with tape.stop_recording():
        return x * x


def no_derivative(tf: Any, x: Any, tape: Any) -> Any:
    return tf.floor(x)


def integer(tf: Any, x: Any, tape: Any) -> Any:
    return tf.cast(tf.cast(x, tf.int32), tf.float32)


def stop_gradient(tf: Any, x: Any, tape: Any) -> Any:
    return tf.stop_gradient(x) * 2.0


def reassigned(tf: Any, x: Any, tape: Any) -> Any:
    kept = tf.Variable(0.0)
    kept.assign(x)
    return kept * 2.0


def left_the_library(tf: Any, x: Any, tape: Any) -> Any:
    return tf.constant(x.numpy()) * 2.0


def custom_gradient_gave_none(tf: Any, x: Any, tape: Any) -> Any:
    @tf.custom_gradient
    def double(x: Any) -> Any:
        return x * 2.0, lambda g: None

    return double(x)


def not_trainable(tf: Any, x: Any, tape: Any) -> Any:
    return x * x


CAUSES: dict[str, tuple[Callable[..., Any], Callable[[Any], Any]]] = {
    "no path": (no_path, lambda tf: tf.Variable(1.0)),
    "not watched": (not_watched, lambda tf: tf.constant(1.0)),
    "watched too late": (watched_too_late, lambda tf: tf.constant(1.0)),
    "outside the tape": (outside_the_tape, lambda tf: tf.Variable(1.0)),
    "no derivative": (no_derivative, lambda tf: tf.Variable(1.0)),
    "integer": (integer, lambda tf: tf.Variable(1.0)),
    "stop_gradient": (stop_gradient, lambda tf: tf.Variable(1.0)),
    "reassigned": (reassigned, lambda tf: tf.Variable(1.0)),
    "left the library": (left_the_library, lambda tf: tf.Variable(1.0)),
    "custom gradient gave None": (custom_gradient_gave_none, lambda tf: tf.Variable(1.0)),
    "not trainable": (not_trainable, lambda tf: tf.Variable(1.0, trainable=False)),
}


@pytest.mark.parametrize("code", CAUSES)
@pytest.mark.parametrize("face", [tf, tf1], ids=["tf2", "tf1"])
def test_a_plain_tape_tells_each_cause_where_its_none_is_used(face: Any, code: str) -> None:
    target, source = CAUSES[code]
    x = source(face)
    with face.GradientTape() as tape:
        y = target(face, x, tape)
    gradient = tape.gradient(y, x)
    assert gradient is None
    found = tf.why(y, x, tape)
    assert found.code == code and found.message in str(found)
    with pytest.raises(ValueError) as used:
        face.constant(1.0) + gradient
    assert found.message in str(used.value)
    if hasattr(x, "handle"):
        with pytest.raises(ValueError) as applied:
            tf1.train.GradientDescentOptimizer(0.1).apply_gradients([(gradient, x)])
        name = f"The gradient with respect to the variable {x.name.removesuffix(':0')!r} is None: "
        assert name + found.message in str(applied.value)


def test_a_none_of_a_graph_is_not_taken_for_an_older_one_of_a_tape() -> None:
    x = tf.Variable(1.5)
    with tf.GradientTape() as tape:
        y = tf.floor(x)
    tape.gradient(y, x)
    with tf1.Graph().as_default():
        with pytest.raises(ValueError, match="None values not supported") as none:
            tf1.placeholder(tf.float32) + None
        assert "gradient" not in str(none.value)
        v = tf1.get_variable("kernel", [])
        slope = tf1.gradients(tf.round(v), v)[0]
        with pytest.raises(ValueError, match=r"is the gradient asked for at .*test_why.py:\d+: .* the variable 'kernel' through Round"):
            v + slope
        with tf1.Session() as session, pytest.raises(TypeError, match=r"the gradient asked for at .* the variable 'kernel' through Round"):
            session.run(slope)


def test_each_gradient_that_may_be_a_none_is_told() -> None:
    v, w = tf.Variable(1.5, name="kernel"), tf.Variable(1.0, name="bias")
    with tf.GradientTape() as tape:
        y = tf.floor(v) + tf.stop_gradient(w)
    slopes = tape.gradient(y, [v, w])
    each = r".* the variable 'kernel' through Floor.* the variable 'bias' through tf.stop_gradient"
    with pytest.raises(ValueError, match="a gradient that the last tape gave as None:" + each):
        v + slopes[0]
    with tf1.Graph().as_default():
        v, w = tf1.get_variable("kernel", []), tf1.get_variable("bias", [])
        slopes = tf1.gradients(tf.floor(v) + tf.stop_gradient(w), [v, w])
        with pytest.raises(ValueError, match="one of the gradients asked for at" + each):
            v + slopes[0]


def test_a_none_that_no_gradient_gave_names_the_variable() -> None:
    with tf.GradientTape():
        v = tf.Variable(1.0, name="kernel")
    with pytest.raises(ValueError, match="What was given for the variable 'kernel' is None"):
        tf1.train.GradientDescentOptimizer(0.1).apply_gradients([(None, v)])


def test_the_command_line_traces_nans(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import tensorflow as tf\nx = tf.Variable(0.0)\nwith tf.GradientTape() as tape:\n    y = tf.sqrt(x)\nprint(tape.gradient(y, x))\n"
    )
    path = os.pathsep.join([str(Path(tf.__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
    command = [sys.executable, "-m", "pullback", "run", "--trace-nans", str(program)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": path})
    assert done.returncode == 1
    assert "the gradient of Sqrt at " in done.stderr and "program.py:4 gave the first +Inf" in done.stderr
    assert "from 0.0. Instead: take the root of x + 1e-12" in done.stderr


KERAS = """
import warnings
import {name} as tf

def gradients(loss):
    model = tf.keras.Sequential([tf.keras.layers.Dense(2, name="d")])
    model.build((None, 3))
    with tf.GradientTape() as tape:
        y = loss(model(tf.ones([4, 3])), model.trainable_variables)
    return tape.gradient(y, model.trainable_variables), model.trainable_variables

optimizer = tf.keras.optimizers.SGD(0.1)
try:
    optimizer.apply_gradients(zip(*gradients(lambda y, v: tf.reduce_sum(tf.floor(y)))))
except ValueError as error:
    print(error)
with warnings.catch_warnings(record=True) as told:
    tf.keras.optimizers.SGD(0.1).apply_gradients(zip(*gradients(lambda y, v: tf.reduce_sum(v[0]))))
print(*[one.message for one in told])
"""


@pytest.mark.parametrize(("name", "words"), [("pullback", []), ("tensorflow", ["-m", "pullback", "run"])])
def test_optimizers_of_keras_tell_why_there_is_no_gradient(name: str, words: list[str], tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(KERAS.replace("{name}", name))
    env = {**os.environ, "PYTHONPATH": str(Path(tf.__file__).parents[1]), "KERAS_BACKEND": "tensorflow"}
    done = subprocess.run([sys.executable, *words, str(program)], capture_output=True, text=True, check=True, env=env)
    error, warning = done.stdout.splitlines()
    assert error.startswith("No gradients provided for any variable. ")
    assert "The gradient with respect to the variable 'sequential/d/kernel' is None: " in error
    assert error.endswith(f"through Floor at line 14, which has no derivative. ({program}:14)")
    assert warning.startswith("Gradients do not exist for variables ['sequential_1/d/bias'] when")
    assert "The gradient with respect to the variable 'sequential_1/d/bias' is None: the target is not computed from " in warning


def test_importing_does_not_load_the_explanations() -> None:
    program = "import sys, pullback; print(any(name.startswith('pullback.diagnose') for name in sys.modules))"
    env = {**os.environ, "PYTHONPATH": str(Path(tf.__file__).parents[1])}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, env=env)
    assert done.stdout.strip() == "False"


def test_one_sentence_is_said_once() -> None:
    i = tf.Variable(3)
    with tf.GradientTape() as tape:
        y = i * i
    assert "Also" not in str(tf.why(y, i, tape))


def test_an_error_of_a_gradient_function_in_a_function_names_the_variable() -> None:
    @tf.custom_gradient
    def double(a: tf.Tensor) -> tuple[tf.Tensor, Callable[[tf.Tensor], tf.Tensor]]:
        def grad(g: tf.Tensor) -> tf.Tensor:
            raise ValueError("of the gradient function")

        return a * 2.0, grad

    w = tf.Variable(1.0, name="w")
    f = tf.function(lambda: double(w) * 1.0)
    with pytest.raises(ValueError, match="of the gradient function") as raised, tf.GradientTape():
        f()
    assert any("to the variable 'w'" in note for note in raised.value.__notes__)


def test_printing_sweeps_once_more_and_no_oftener(monkeypatch: pytest.MonkeyPatch) -> None:
    """What takes long is done where it is asked for: the order of all operations and the norms on the way are not, by the text."""
    made: list[str] = []

    def counted(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        return lambda *args, **named: made.append(name) or function(*args, **named)

    for module, name in ((why_module, "sweep"), (why_module, "Trace"), (why_module, "trace_recording"), (answer, "flow_of")):
        monkeypatch.setattr(module, name, counted(name, getattr(module, name)))

    def function(v: Any) -> Any:
        for _ in range(20):
            v = tf.sin(v) * 0.5 + v * 0.5
        return tf.reduce_sum(v)

    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = function(x)
    found = tf.why(y, x, tape)
    assert made == ["sweep"]
    assert "Added up: " in str(found)
    assert made == ["sweep", "Trace"]
    assert (len(found.flow), len(found.shares())) == (83, 2)
    assert made == ["sweep", "Trace", "flow_of"]
    made.clear()
    with tf1.Graph().as_default(), tf1.Session() as session:
        w = tf1.get_variable("w", [2])
        z = function(w)
        session.run(tf1.global_variables_initializer())
        assert "Added up: " in str(tf.why(z, w))
    assert made == ["Trace"]


def test_the_lines_of_code_are_gone_through_once() -> None:
    """A program of many lines asks for as many places: each is a look into one table."""
    source = "\n".join(f"x{i} = {i}\n" if i % 3 else f"x{i} = (\n  {i},\n  x0)\n" for i in range(1, 400))
    code = compile("x0 = 0\n" + source, "many_lines.py", "exec")
    expected = {at: line for start, end, line in code.co_lines() for at in range(start, end, 2)}
    node_module._LINES.pop(id(code), None)
    assert {at: node_module.line_of((code, at)) for at in expected} == {at: line or code.co_firstlineno for at, line in expected.items()}
    table = node_module._LINES[id(code)]
    assert node_module.line_of((code, 0)) and node_module._LINES[id(code)] is table
    for i in range(2 * node_module._MANY):
        assert node_module.line_of((compile("y = 1", f"{i}.py", "exec"), 0)) in (0, 1)
    assert len(node_module._LINES) <= node_module._MANY
