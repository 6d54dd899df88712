"""What an installed Pullback must do, run by `make package` and `make oldest` away from the source: `python -I tests/package_smoke.py`.

It needs nothing but the package: every check is an assertion, and the last line says that all of them held.
"""

import math
import os
import subprocess
import sys
import tempfile
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path

import pullback as tf
import pullback.compat.v1 as tf1

SOURCE = Path(__file__).resolve().parents[1] / "src"
PROGRAM = "import tensorflow as tf\nx = tf.Variable(3.0)\nwith tf.GradientTape() as t:\n    y = x * x\nprint(t.gradient(y, x).numpy())\n"


def check_installed() -> None:
    """The package is the installed one, and says that it is typed."""
    assert SOURCE not in Path(tf.__file__).resolve().parents, f"{tf.__file__} is the source tree"
    assert files("pullback").joinpath("py.typed").is_file()
    assert tf.__version__ == version("pullback")


def check_tape() -> None:
    """Eagerly, to second order."""
    x = tf.constant([0.5, 2.0])
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = tf.reduce_sum(tf.sin(x) * x)
        slope = inner.gradient(y, x)
    wanted = [2 * math.cos(v) - v * math.sin(v) for v in (0.5, 2.0)]
    assert all(math.isclose(a, b, rel_tol=1e-5) for a, b in zip(outer.gradient(slope, x).numpy(), wanted, strict=True))


def check_compiled() -> None:
    """A function and its gradient as native code, products, loops and linear algebra included."""

    @tf.function(jit_compile=True)
    def step(a: tf.Tensor) -> tf.Tensor:
        with tf.GradientTape() as tape:
            tape.watch(a)
            b = a
            for _ in tf.range(3):
                b = tf.tanh(b @ a)
            y = tf.reduce_sum(tf.linalg.solve(tf.eye(4) + b, a))
        return tape.gradient(y, a)

    a = tf.reshape(tf.range(16.0), (4, 4)) / 40.0
    compiled, plain = step(a), step.python_function(a)
    assert all(math.isclose(p, q, rel_tol=1e-4, abs_tol=1e-5) for p, q in zip(compiled.numpy().ravel(), plain.numpy().ravel(), strict=True))


def check_session() -> None:
    """TensorFlow 1's way."""
    with tf1.Graph().as_default(), tf1.Session() as session:
        x = tf1.placeholder(tf.float32, [None])
        (g,) = tf1.gradients(tf.reduce_sum(x**3), [x])
        assert session.run(g, {x: [1.0, 2.0]}).tolist() == [3.0, 12.0]


def check_rest() -> None:
    """One thing of each dependency: strings, special functions, files."""
    assert tf.strings.regex_replace("abc", "[bc]", "x").numpy() == b"axx"
    assert math.isclose(float(tf.math.digamma(2.0)), 0.42278433, rel_tol=1e-6)
    with tempfile.TemporaryDirectory() as folder:
        v = tf.Variable(4.0)
        path = tf.train.Checkpoint(v=v).save(str(Path(folder) / "c"))
        v.assign(0.0)
        tf.train.Checkpoint(v=v).restore(path)
        assert float(v) == 4.0
        program = Path(folder) / "program.py"
        program.write_text(PROGRAM)
        shown = subprocess.run([sys.executable, "-m", "pullback", "run", str(program)], capture_output=True, text=True, check=False)
        assert shown.stdout == "6.0\n", shown.stderr
        settings = {**os.environ, "PULLBACK_TENSORFLOW": "2"}
        shown = subprocess.run([sys.executable, str(program)], env=settings, capture_output=True, text=True, check=False)
        assert shown.stdout == "6.0\n", shown.stderr


if __name__ == "__main__":
    for check in (check_installed, check_tape, check_compiled, check_session, check_rest):
        check()
    print(f"pullback {tf.__version__} on Python {sys.version.split()[0]}: installed, and it works")
