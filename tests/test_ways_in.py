"""The ways to let a program find Pullback as TensorFlow: `-m`, `-c`, a call at its head, and a variable for every process."""

import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

from tests.programs import ROOT, pullback_run, python

SLOPE = "import tensorflow as tf\nx = tf.Variable(3.0)\nwith tf.GradientTape() as t:\n    y = x * x\nprint(float(t.gradient(y, x)))\n"
OF_ONE = "import tensorflow as tf\nx = tf.placeholder(tf.float32)\nprint(tf.Session().run(tf.gradients(x * x, x)[0], {x: 3.0}))\n"


def write(folder: Path, **files: str) -> None:
    for name, text in files.items():
        path = folder / f"{name.replace('__in__', '/')}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")


class TestModules:
    @pytest.fixture(autouse=True)
    def in_a_folder(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)

    def test_a_module(self, tmp_path: Path) -> None:
        write(tmp_path, slope=f"import sys\nprint(sys.argv[1:], __name__, __spec__.name, sys.path[0])\n{SLOPE}")
        done = pullback_run("-m", "slope", "-x", "--tf", "1")
        assert done.stdout == f"['-x', '--tf', '1'] __main__ slope {tmp_path}\n6.0\n", done.stderr

    def test_a_module_of_a_package(self, tmp_path: Path) -> None:
        """Its package is imported first, and it may import from it."""
        first = "import tensorflow as tf\nname = tf.__name__"
        write(tmp_path, nets__in____init__=first, nets__in__parts=OF_ONE, nets__in__train="from . import name, parts")
        assert pullback_run("-m", "nets.train").stdout == "6.0\n"  # TensorFlow 1, as its neighbour says

    def test_a_package(self, tmp_path: Path) -> None:
        main = "from nets.parts import *\nprint(__package__)"
        write(tmp_path, nets__in____init__="", nets__in____main__=main, nets__in__parts=OF_ONE)
        assert pullback_run("-m", "nets").stdout == "6.0\nnets\n"

    def test_pytest(self, tmp_path: Path) -> None:
        write(tmp_path, test_it="import tensorflow as tf\ndef test_it():\n    assert tf.executing_eagerly() and tf.__version__ > '2'\n")
        done = pullback_run("-m", "pytest", "-q", "-p", "no:cacheprovider", "test_it.py")
        assert done.returncode == 0 and "1 passed" in done.stdout, done.stdout + done.stderr

    def test_its_traceback_starts_at_its_lines(self, tmp_path: Path) -> None:
        write(tmp_path, wrong="def fail():\n    raise KeyError('mine')\nfail()")
        done = pullback_run("-m", "wrong")
        assert done.returncode == 1
        assert done.stderr.splitlines()[1] == f'  File "{tmp_path / "wrong.py"}", line 3, in <module>'

    @pytest.mark.parametrize(
        ("name", "said"),
        [
            ("nothing_of_that_name", "No module named nothing_of_that_name"),
            ("json.nothing", "No module named json.nothing"),
            ("json", "No module named json.__main__; 'json' is a package and cannot be run"),
        ],
    )
    def test_what_is_not_there(self, name: str, said: str) -> None:
        done = pullback_run("-m", name)
        assert done.returncode == 1
        assert done.stderr == f"pullback: {said}\n"


class TestText:
    def test_a_text(self) -> None:
        done = pullback_run("-c", f"import sys\n{SLOPE}print(sys.argv, repr(sys.path[0]), '__file__' in globals())", "-m", "a")
        assert done.stdout == "6.0\n['-c', '-m', 'a'] '' False\n", done.stderr

    def test_text_of_tensorflow_1(self) -> None:
        assert pullback_run("-c", OF_ONE).stdout == "6.0\n"

    def test_parts_of_tensorflow_1(self) -> None:
        text = "import tensorflow.compat.v1 as v1, tensorflow.compat.v2 as v2, tensorflow as tf\n"
        text += "from tensorflow.compat import v1 as again\n"
        text += "print(tf.executing_eagerly(), tf.compat.v1 is v1, tf.compat.v2 is v2, again is v1, tf.placeholder is v1.placeholder)\n"
        assert pullback_run("--tf", "1", "-c", text + OF_ONE).stdout == "False True True True True\n6.0\n"

    def test_autograph_reads_it(self) -> None:
        text = "import tensorflow as tf\n@tf.function\ndef f(x):\n    if x > 0: x = -x\n    return x\nprint(float(f(tf.constant(2.0))))"
        assert pullback_run("-c", text).stdout == "-2.0\n"

    @pytest.mark.parametrize("words", [(), ("-m",), ("-c",), ("--tf", "1")])
    def test_nothing_to_run(self, words: tuple[str, ...]) -> None:
        done = pullback_run(*words)
        assert done.returncode == 2
        assert "what to run is missing: a program, -m module or -c code" in done.stderr


    def test_restarts_of_one_process(self) -> None:
        done = pullback_run("--restarts", "1", "-c", "pass")
        assert done.returncode == 2
        assert "--restarts goes with --mpi" in done.stderr


class TestServeTensorflow:
    def test_at_the_head(self) -> None:
        done = python("-c", f"import pullback as p\np.serve_tensorflow()\np.serve_tensorflow(2)\n{SLOPE}print(tf.Variable is p.Variable)")
        assert done.stdout == "6.0\nTrue\n", done.stderr

    def test_of_tensorflow_1(self) -> None:
        done = python("-c", f"import pullback\npullback.serve_tensorflow(1)\n{OF_ONE}print(tf.executing_eagerly())")
        assert done.stdout == "6.0\nFalse\n", done.stderr

    @pytest.mark.parametrize(
        ("head", "error"),
        [
            ("pullback.serve_tensorflow(3)", "ValueError: version must be 1 or 2, not 3"),
            ("pullback.serve_tensorflow(1); pullback.serve_tensorflow(2)", "RuntimeError: tensorflow is given as TensorFlow 1 already"),
            ("import sys; sys.modules['tensorflow'] = sys; pullback.serve_tensorflow()", "RuntimeError: tensorflow is imported already"),
        ],
    )
    def test_refused(self, head: str, error: str) -> None:
        assert error in python("-c", f"import pullback; {head}").stderr

    def test_compat_v1_changes_nothing_by_itself(self) -> None:
        text = "print(tf.executing_eagerly(), float(tf.constant(2.0)), type(tf.Variable(1.0)).__name__, tf.TensorShape([3])[0])"
        assert python("-c", f"import pullback.compat.v1 as tf\n{text}").stdout == "True 2.0 ResourceVariable 3\n"


class TestWhatLibrariesAsk:
    def test_the_distribution(self) -> None:
        text = """
from importlib.metadata import PackageNotFoundError, distribution, distributions, version
import importlib.util
import tensorflow as tf
found = distribution("TensorFlow")
print(version("tensorflow") == tf.__version__, found.metadata["Name"], found.requires, list(found.entry_points), found.files)
print("tensorflow" in [d.metadata["Name"] for d in distributions()], importlib.util.find_spec("tensorflow") is not None)
try:
    version("tensorflow-of-nobody")
except PackageNotFoundError as error:
    print(error)
"""
        done = pullback_run("-c", text)
        said = "No package metadata was found for tensorflow-of-nobody"
        assert done.stdout == f"True tensorflow None [] None\nTrue True\n{said}\n", done.stderr
        old = pullback_run("--tf", "1", "-c", "from importlib.metadata import version\nprint(version('tensorflow'))")
        assert old.stdout == "1.15.5\n"

    def test_modules_of_classes(self) -> None:
        text = """
import tensorflow as tf
@tf.function
def f(x):
    return print(type(x).__module__)
f(tf.constant(1.0))
numbers = tf.data.Dataset.range(2)
values = tf.constant(1.0), tf.Variable(1.0), tf.sparse.eye(2), tf.ragged.constant([[1]]), numbers, tf.IndexedSlices(1.0, 0), iter(numbers)
print({type(value).__module__.partition(".")[0] for value in values}, type(tf.constant("a")).__name__)
"""
        assert pullback_run("-c", text).stdout == "tensorflow.python.framework.ops\n{'tensorflow'} EagerTensor\n"
        assert python("-c", "import pullback as tf; print(type(tf.constant(1.0)).__module__)").stdout == "pullback.ir.tensor\n"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An interpreter whose packages hold pullback_startup.pth, as they do where the package is installed."""
    folder = tmp_path_factory.mktemp("installed")
    venv.EnvBuilder(symlinks=True).create(folder)
    (packages,) = (folder / "lib").glob("python*/site-packages")
    (packages / "paths.pth").write_text(f"{ROOT / 'src'}\n{sysconfig.get_paths()['purelib']}\n")
    (packages / "pullback_startup.pth").write_text((ROOT / "src" / "pullback_startup.pth").read_text())
    return folder / "bin" / "python"


def run(interpreter: Path, *words: str | Path, wanted: str | None = "2") -> subprocess.CompletedProcess[str]:
    settings = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PULLBACK_TENSORFLOW")}
    settings |= {} if wanted is None else {"PULLBACK_TENSORFLOW": wanted}
    return subprocess.run([interpreter, *words], env=settings, capture_output=True, text=True, check=False)


CHILDREN = """
import multiprocessing, subprocess, sys

def slope(v):
    import tensorflow as tf
    x = tf.constant(v)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    return float(tape.gradient(y, x)), type(x).__module__

if __name__ == "__main__":
    for way in ("spawn", "fork", "forkserver"):
        with multiprocessing.get_context(way).Pool(1) as pool:
            print(way, pool.map(slope, [3.0]))
    print(subprocess.run([sys.executable, "-c", "import tensorflow as tf; print(tf.__name__)"], capture_output=True, text=True).stdout)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")
class TestEveryProcess:
    ANSWERS = "".join(f"{way} [(6.0, 'tensorflow.python.framework.ops')]\n" for way in ("spawn", "fork", "forkserver")) + "tensorflow\n\n"

    def test_the_variable(self, installed: Path, tmp_path: Path) -> None:
        write(tmp_path, program=CHILDREN)
        done = run(installed, tmp_path / "program.py")
        assert done.stdout == self.ANSWERS, done.stderr

    def test_a_run_tells_its_children(self, installed: Path, tmp_path: Path) -> None:
        write(tmp_path, program=CHILDREN)
        done = run(installed, "-m", "pullback", "run", tmp_path / "program.py", wanted=None)
        assert done.stdout == self.ANSWERS, done.stderr

    def test_of_tensorflow_1(self, installed: Path) -> None:
        done = run(installed, "-c", OF_ONE, wanted="1")
        assert done.stdout == "6.0\n", done.stderr

    def test_the_first_import_may_be_of_a_part(self, installed: Path) -> None:
        done = run(installed, "-c", "from tensorflow.python.framework import ops\nprint(ops.Graph.__name__)")
        assert done.stdout == "Graph\n", done.stderr

    def test_versions(self, installed: Path) -> None:
        text = "import sys\nfrom importlib.metadata import version\nprint('pullback' in sys.modules, version('tensorflow'))"
        assert run(installed, "-c", text).stdout == "False 2.21.0\n"
        assert run(installed, "-c", text, wanted="1").stdout == "False 1.15.5\n"

    @pytest.mark.parametrize("wanted", [None, "", "0"])
    def test_off(self, installed: Path, wanted: str | None) -> None:
        """Without it another tensorflow is found, or none."""
        done = run(installed, "-c", "import sys\nprint('pullback_startup' in sys.modules and len(sys.meta_path) > 3)", wanted=wanted)
        assert done.stdout == "False\n", done.stderr

    def test_a_wrong_value(self, installed: Path) -> None:
        said = "PULLBACK_TENSORFLOW is the version of TensorFlow to stand in for, 1 or 2, not 'yes'"
        assert said in run(installed, "-c", "", wanted="yes").stderr
