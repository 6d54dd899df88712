"""Bars for what takes long: where they are shown, what they say, and that nothing else is done for them."""

import errno
import io
import os
import re
import subprocess
import sys
import threading
import types
from pathlib import Path

import numpy as np
import pytest

import pullback as tf
from pullback.api import coloring, jacobian_plan
from pullback.base import progress
from pullback.base.progress import Progress, show_progress
from pullback.ir import long_runs
from pullback.train import atomic_files


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """The standard error as a terminal on which bars are shown at once."""
    stream = Terminal()
    # pytest sets sys.stderr anew between fixtures and the test
    monkeypatch.setattr(progress, "sys", types.SimpleNamespace(stderr=stream, modules=sys.modules))
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    monkeypatch.setattr(progress, "PAUSE", 0.0)
    # the thread that looks at long runs would go on after the test
    monkeypatch.setattr(long_runs, "_watchers", [object()])
    monkeypatch.delenv("PULLBACK_PROGRESS", raising=False)
    return stream


def test_a_bar_says_how_far_it_is(terminal: Terminal) -> None:
    assert list(show_progress([1, 2, 3, 4], "rows")) == [1, 2, 3, 4]
    text = terminal.getvalue()
    assert text.startswith("\rrows:  25%|") and "| 2/4 [" in text and "\rrows: 100%|" in text and text.endswith("\n")


def test_a_task_of_unknown_length_says_what_it_has(terminal: Terminal) -> None:
    with Progress("minimize", unit="evaluations") as bar:
        bar.advance(value=2.5)
        bar.advance(value=np.float32(0.125))
    assert "minimize: 1 evaluations [" in terminal.getvalue() and "value 2.5" in terminal.getvalue()
    assert "minimize: 2 evaluations [" in terminal.getvalue() and "value 0.125" in terminal.getvalue()


def test_what_is_short_shows_nothing(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "PATIENCE", 3600.0)
    assert list(show_progress(range(5), "rows")) == [0, 1, 2, 3, 4]
    assert terminal.getvalue() == ""


def test_where_nobody_looks_on_nothing_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    log = io.StringIO()
    monkeypatch.setattr(sys, "stderr", log)
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    things = [1, 2]
    assert show_progress(things, "rows") is things
    with Progress("rows", 2) as bar:
        bar.advance()
    assert log.getvalue() == ""
    monkeypatch.setattr(sys, "stderr", None)
    assert show_progress(things, "rows") is things


def test_it_can_be_turned_off(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PULLBACK_PROGRESS", "0")
    things = [1, 2]
    assert show_progress(things, "rows") is things and terminal.getvalue() == ""


def test_a_notebook_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    class ZMQInteractiveShell:
        pass

    monkeypatch.delenv("PULLBACK_PROGRESS", raising=False)
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    assert not progress.is_watched()
    monkeypatch.setitem(sys.modules, "IPython", types.SimpleNamespace(get_ipython=ZMQInteractiveShell))
    assert progress.is_watched()


def test_no_thread_is_started(terminal: Terminal) -> None:
    before = threading.active_count()
    with Progress("rows", 2) as bar:
        bar.advance()
        assert threading.active_count() == before


def test_jacobians_show_one(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    x = tf.constant(np.linspace(0.0, 1.0, 256))
    whole = tf.jacobian(tf.sin, x).numpy()
    assert terminal.getvalue() == ""
    monkeypatch.setattr(jacobian_plan, "_LONG", 0.0)
    assert np.array_equal(tf.jacobian(tf.sin, x).numpy(), whole)
    assert "256 directions:  50%|" in terminal.getvalue()
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.sin(x)
    assert np.array_equal(tape.jacobian(y, x).numpy(), whole)
    diagonal = tf.hessian_diagonal(lambda x: tf.reduce_sum(tf.cos(x)), x)
    assert np.allclose(diagonal.numpy(), -np.cos(x.numpy()))


def test_jacobians_of_few_directions_that_take_long_show_one(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    x = tf.constant(np.linspace(0.0, 1.0, 36).reshape(6, 6))
    whole, by_rows = tf.jacobian(tf.linalg.expm, x).numpy(), tf.batch_jacobian(tf.sin, x).numpy()
    assert terminal.getvalue() == ""
    monkeypatch.setattr(jacobian_plan, "_LONG", 0.0)
    monkeypatch.setattr(jacobian_plan, "_TOUCHED", 1.0)
    monkeypatch.setattr(jacobian_plan, "_CALLED", 1.0)
    np.testing.assert_allclose(tf.jacobian(tf.linalg.expm, x), whole, rtol=1e-12)
    assert "36 directions: 100%|" in terminal.getvalue()
    np.testing.assert_allclose(tf.batch_jacobian(tf.sin, x), by_rows, rtol=1e-12)
    assert "6 directions: 100%|" in terminal.getvalue()


def test_functions_of_matrices_are_known_to_take_long(terminal: Terminal) -> None:
    x = tf.constant(np.linspace(0.0, 0.1, 400).reshape(20, 20))
    tf.jacobian(tf.linalg.expm, x)
    assert "400 directions: 100%|" in terminal.getvalue()


def test_colourings_checks_and_solvers_show_one(terminal: Terminal) -> None:
    pattern = np.eye(6) + np.eye(6, k=1) + np.eye(6, k=-1)
    coloring.color_jacobian(pattern)
    assert "colours of rows that share columns: " in terminal.getvalue()
    coloring.color_hessian(pattern)
    assert "colours of a Hessian: " in terminal.getvalue()
    assert tf.check_gradients(tf.sin, np.array([1.0, 2.0]))
    assert "check_gradients: 100%|" in terminal.getvalue()
    tf.test.compute_gradient(tf.sin, [np.array([1.0, 2.0])])
    assert "compute_gradient: 100%|" in terminal.getvalue()
    tf.optimize.minimize(lambda x: tf.reduce_sum(x * x), np.array([1.0, 2.0]))
    assert "minimize: 1 evaluations [" in terminal.getvalue()


def test_large_files_show_one(terminal: Terminal, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(atomic_files, "_PIECE", 4)
    atomic_files.write_atomically(str(tmp_path / "model"), b"0123456789")
    assert (tmp_path / "model").read_bytes() == b"0123456789"
    assert "write model: 100%|" in terminal.getvalue()


_LONG_RUN = """
import time
import numpy as np
import pullback as tf
import pullback.compat.v1 as tf1
from pullback.base import progress

progress.PATIENCE, progress.PAUSE = 0.3, 0.05


def wait(x):
    time.sleep(0.05)
    return x


def waits(x):
    for _ in range(20):
        x = tf.numpy_function(wait, [x], tf.float64) + 1.0
    return x


print(tf.function(waits)(np.float64(0.0)).numpy())  # in a function
with tf1.Graph().as_default(), tf1.Session() as sess:
    y = waits(tf.constant(0.0, tf.float64))
    for _ in range(300):
        y += 1.0
    print(sess.run(y))  # in a session
"""


_LONG_LOOPS = """
import threading
import time
import numpy as np
import pullback as tf
from pullback.base import progress

progress.PATIENCE, progress.PAUSE = 0.3, 0.05
tf.config.optimizer.set_jit(False)


def wait(x):
    time.sleep(0.02)
    return x


def waited(x):
    return tf.ensure_shape(tf.numpy_function(wait, [x], tf.float64), [])


@tf.function
def counted(n):
    return tf.while_loop(lambda i, x: i < n, lambda i, x: (i + 1, waited(x)), [0, tf.constant(0.0, tf.float64)])


@tf.function
def until(n):
    return tf.while_loop(lambda x: tf.not_equal(x, n), lambda x: (waited(x) + 1.0,), [tf.constant(0.0, tf.float64)])


counted(60)  # in a loop
until(np.float64(60.0))  # in a loop of unknown length


def other():
    counted(60)  # in another thread


thread = threading.Thread(target=other)
thread.start()
thread.join()


@tf.function(jit_compile=True)
def native(n):
    return tf.while_loop(lambda i, x: i < n, lambda i, x: (i + 1, tf.sin(x) + 1.0), [0, tf.constant(0.0)])


tf.config.optimizer.set_jit(True)
native(tf.constant(1))
seconds = []
for _ in range(5):  # whatever else the machine does
    begun = time.perf_counter()
    native(tf.constant(1_000_000))
    seconds.append(time.perf_counter() - begun)
turns = tf.constant(int(1.5e6 / min(seconds)))
native(turns)  # in native code
x = tf.Variable(0.0)


@tf.function(jit_compile=True)
def assigned(n):
    x.assign(tf.while_loop(lambda i, x: i < n, lambda i, x: (i + 1, tf.sin(x) + 1.0), [0, x.value()])[1])


assigned(turns)  # that assigns
"""


def _shown_by(program: Path, on_terminal: bool, **environment: str) -> str:
    """What a program writes to its standard error, which is a pseudo-terminal or a pipe."""
    here, there = os.openpty() if on_terminal else os.pipe()
    with subprocess.Popen([sys.executable, str(program)], stderr=there, stdout=subprocess.DEVNULL, env={**os.environ, **environment}):
        os.close(there)
        shown = b""
        while piece := _read(here):
            shown += piece
    os.close(here)
    return shown.decode()


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 4096)
    except OSError as error:  # how a pseudo-terminal says that the other end is closed
        if error.errno != errno.EIO:
            raise
        return b""


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="a pseudo-terminal is needed")
def test_long_runs_of_functions_and_sessions_show_one(tmp_path: Path) -> None:
    program = tmp_path / "waits.py"
    program.write_text(_LONG_RUN)
    lines = _LONG_RUN.splitlines()
    in_function, in_session = ([end in line for line in lines].index(True) + 1 for end in ("# in a function", "# in a session"))
    shown = _shown_by(program, True, PULLBACK_PROGRESS="1")
    assert re.search(rf"waits.py:{in_function}: +\d+%\|.*/40 \[.* operations/s\]", shown)
    assert re.search(rf"waits.py:{in_session}: +\d+%\|.*/340 \[.* operations/s\]", shown)
    assert _shown_by(program, True, PULLBACK_PROGRESS="0") == ""
    assert _shown_by(program, False, PULLBACK_PROGRESS="1") == ""


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="a pseudo-terminal is needed")
def test_long_loops_other_threads_and_native_programs_show_one(tmp_path: Path) -> None:
    program = tmp_path / "loops.py"
    program.write_text(_LONG_LOOPS)
    lines = _LONG_LOOPS.splitlines()
    told = ("in a loop", "in a loop of unknown length", "in another thread", "in native code", "that assigns")
    at = {end: [line.endswith(f"# {end}") for line in lines].index(True) + 1 for end in told}
    shown = _shown_by(program, True, PULLBACK_PROGRESS="1")
    assert re.search(rf"loops.py:{at['in a loop']}: +\d+%\|.*/60 \[.* turns/s\]", shown), shown
    assert re.search(rf"loops.py:{at['in a loop of unknown length']}: \d+ turns \[.* turns/s\]", shown), shown
    assert re.search(rf"loops.py:{at['in another thread']}: +\d+%\|.*/60 \[.* turns/s\]", shown), shown
    assert re.search(rf"loops.py:{at['in native code']} in native code: 00:0\d", shown), shown
    assert re.search(rf"loops.py:{at['that assigns']} in native code: 00:0\d", shown), shown
    assert _shown_by(program, True, PULLBACK_PROGRESS="0") == ""
    assert _shown_by(program, False, PULLBACK_PROGRESS="1") == ""


def test_nobody_watches_a_closed_stream() -> None:
    stream = io.StringIO()
    stream.close()
    assert not progress.is_watched(stream)
