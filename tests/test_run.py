"""`pullback run`: the program is the main program, with its own arguments, lines and exit status, and `tensorflow` is Pullback."""

import ast
from pathlib import Path

import pytest

from pullback.base.version import VERSION
from pullback.interop.detect import tensorflow_version, version_votes
from tests.programs import ROOT, pullback_run, python

HEAD = "import tensorflow as tf\n"


def write(tmp_path: Path, text: str, name: str = "program.py") -> Path:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def output(tmp_path: Path, text: str, *arguments: str) -> str:
    done = pullback_run(*arguments, write(tmp_path, text))
    assert done.returncode == 0, done.stderr
    return done.stdout


class TestWhichTensorFlow:
    @pytest.mark.parametrize(
        "text",
        [
            "x = tf.placeholder(tf.float32)",
            "sess = tf.Session()",
            "tf.global_variables_initializer()",
            "opt = tf.train.AdamOptimizer(0.1)",
            "h = tf.layers.dense(x, 3)",
            "init = tf.contrib.layers.xavier_initializer()",
            "loss = tf.nn.softmax_cross_entropy_with_logits_v2(labels=y, logits=z)",
            "s = tf.reduce_sum(x, keep_dims=True)",
            "w = tf.summary.FileWriter('logs')",
            "FLAGS = tf.app.flags.FLAGS",
            "tf.set_random_seed(1)",
            "class A:\n    def f(self):\n        return tf.log(self.x)",
        ],
    )
    def test_one(self, text: str, tmp_path: Path) -> None:
        assert tensorflow_version(write(tmp_path, HEAD + text)) == 1

    @pytest.mark.parametrize(
        "text",
        [
            "x = tf.constant(1.0)",
            "with tf.GradientTape() as tape: pass",
            "opt = tf.optimizers.Adam()",
            "opt = tf.keras.optimizers.Adam()",
            "tf.random.set_seed(1)",
            "w = tf.summary.create_file_writer('logs')",
            "sess = tf.compat.v1.Session()",
            "tf.compat.v1.disable_eager_execution()",
            "v1 = tf.compat.v1\nx = v1.placeholder(v1.float32)",
        ],
    )
    def test_two(self, text: str, tmp_path: Path) -> None:
        assert tensorflow_version(write(tmp_path, HEAD + text)) == 2

    @pytest.mark.parametrize(
        ("text", "votes"),
        [
            ("from tensorflow import placeholder", [1]),
            ("import tensorflow.contrib.slim as slim", [1]),
            ("from tensorflow.contrib import layers", [1]),
            ("import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\ntf.placeholder(tf.float32)", []),
            ("from tensorflow.keras.optimizers import Adam", []),
            ("import tensorflow\ntensorflow.Session()", [1]),
            ("import numpy as tf\ntf.placeholder()", []),
        ],
    )
    def test_votes(self, text: str, votes: list[int]) -> None:
        assert list(version_votes(ast.parse(text))) == votes

    def test_neighbours_are_read(self, tmp_path: Path) -> None:
        write(tmp_path, HEAD + "x = tf.placeholder(tf.float32)", "model.py")
        assert tensorflow_version(write(tmp_path, "import model\nimport numpy\n" + HEAD)) == 1

    def test_a_neighbour_that_is_not_python_is_its_own_affair(self, tmp_path: Path) -> None:
        write(tmp_path, "print 1", "old.py")
        text = HEAD + "x = tf.placeholder(tf.float32)\ntry:\n    import old\nexcept SyntaxError:\n    print('old')"
        assert output(tmp_path, text) == "old\n"

    def test_neighbours_in_a_package_are_read(self, tmp_path: Path) -> None:
        (tmp_path / "nets").mkdir()
        write(tmp_path / "nets", "from . import parts", "__init__.py")
        write(tmp_path / "nets", HEAD + "x = tf.placeholder(tf.float32)", "net.py")
        assert tensorflow_version(write(tmp_path, "from nets import net\n" + HEAD)) == 1

    def test_override(self, tmp_path: Path) -> None:
        text = HEAD + "print(tf.executing_eagerly(), tf.__version__)"
        assert output(tmp_path, text) == "True 2.21.0\n"
        assert output(tmp_path, text, "--tf", "1") == "False 1.15.5\n"
        compat = f"import tensorflow.compat.v1 as v1, tensorflow.compat\n{HEAD}print(v1.Session is tf.Session, tf.compat.v2.__name__)"
        assert output(tmp_path, compat + "\nprint(tf.compat.as_text(b'a'))", "--tf", "1") == "True pullback.compat.v2\na\n"
        assert output(tmp_path, text + "\nimport sys\nif len(sys.argv) > 9: tf.Session()", "--tf", "2") == "True 2.21.0\n"


class TestTheMainProgram:
    def test_arguments_and_names(self, tmp_path: Path) -> None:
        path = write(tmp_path, HEAD + "import sys\nprint(sys.argv[1:], __name__, __file__, sys.modules['__main__'].__file__)")
        done = pullback_run(path, "--rate", "0.1", "--tf", "-h")
        assert done.stdout == f"['--rate', '0.1', '--tf', '-h'] __main__ {path} {path}\n", done.stderr

    def test_a_relative_path(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """As `python program.py`: the command line as it was given, the file as an absolute path."""
        write(tmp_path, HEAD + "import sys\nprint(sys.argv, __file__, sys.path[0])")
        monkeypatch.chdir(tmp_path)
        assert pullback_run("program.py", "x").stdout == f"['program.py', 'x'] {tmp_path / 'program.py'} {tmp_path}\n"

    def test_imports_from_its_own_directory(self, tmp_path: Path) -> None:
        write(tmp_path, HEAD + "def square(x):\n    return tf.square(x)", "helper.py")
        assert output(tmp_path, HEAD + "import helper\nprint(float(helper.square(tf.constant(3.0))))") == "9.0\n"

    def test_a_directory_with_a_main(self, tmp_path: Path) -> None:
        write(tmp_path, HEAD + "print(float(tf.constant(2.0)))", "__main__.py")
        assert pullback_run(tmp_path).stdout == "2.0\n"

    @pytest.mark.parametrize(
        ("end", "status"),
        [("", 0), ("import sys; sys.exit(3)", 3), ("raise SystemExit('no')", 1), ("1 / 0", 1), ("tf.app.run(lambda _: 5)", 5)],
    )
    def test_exit_status(self, end: str, status: int, tmp_path: Path) -> None:
        assert pullback_run("--tf", "1", write(tmp_path, HEAD + end)).returncode == status

    def test_traceback_starts_at_its_lines(self, tmp_path: Path) -> None:
        path = write(tmp_path, HEAD + "def fail():\n    raise KeyError('mine')\n\nfail()\n")
        done = pullback_run(path)
        assert done.returncode == 1
        assert done.stderr.splitlines()[:3] == ["Traceback (most recent call last):", f'  File "{path}", line 5, in <module>', "    fail()"]
        assert "pullback" not in done.stderr.replace(str(path), "")

    def test_a_cause_is_shown_too(self, tmp_path: Path) -> None:
        text = "try:\n    1 / 0\nexcept ZeroDivisionError as e:\n    raise ValueError('second') from e\n"
        done = pullback_run(write(tmp_path, HEAD + text))
        assert done.stderr.index("ZeroDivisionError") < done.stderr.index("direct cause") < done.stderr.index("ValueError: second")

    def test_wrong_syntax(self, tmp_path: Path) -> None:
        path = write(tmp_path, HEAD + "x = = 1\n")
        done = pullback_run(path)
        assert done.returncode == 1
        assert done.stderr.startswith(f'  File "{path}", line 2') and "SyntaxError" in done.stderr

    def test_its_error_names_its_line(self, tmp_path: Path) -> None:
        path = write(tmp_path, HEAD + "x = tf.placeholder(tf.float32, [2], name='x')\ny = x * 2.0\nprint(tf.Session().run(y))\n")
        done = pullback_run(path)
        assert done.returncode == 1
        assert f'{path}", line 4' in done.stderr and "'x'" in done.stderr

    def test_placeholders_of_unknown_rank(self, tmp_path: Path) -> None:
        text = """
x, y = tf.placeholder("float"), tf.placeholder("float")
w = tf.Variable(2.0)
cost = tf.reduce_sum(tf.pow(x * w - y, 2)) / 2
train = tf.train.GradientDescentOptimizer(0.1).minimize(cost)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(train, {x: 3.0, y: 4.0})
    print("%.4f" % sess.run(w))
    sess.run(train, {x: [1.0, 2.0], y: [0.0, 1.0]})
    print("%.4f" % sess.run(w))
"""
        assert output(tmp_path, HEAD + text) == "1.4000\n0.9000\n"

    def test_no_such_program(self, tmp_path: Path) -> None:
        done = pullback_run(tmp_path / "none.py")
        assert done.returncode == 2
        assert done.stderr == f"pullback: cannot read {tmp_path / 'none.py'}: No such file or directory\n"

    def test_version(self) -> None:
        assert python("-m", "pullback", "--version").stdout == f"pullback {VERSION}\n"
        assert f'version = "{VERSION}"' in (ROOT / "pyproject.toml").read_text()

    def test_encoding_cookie(self, tmp_path: Path) -> None:
        path = tmp_path / "program.py"
        path.write_bytes("# -*- coding: latin-1 -*-\nprint('caf\xe9')\n".encode("latin-1"))
        assert pullback_run(path).stdout == "café\n"


class TestModuleNames:
    @pytest.mark.parametrize(
        ("text", "printed"),
        [
            ("import tensorflow.compat.v1 as tf\nprint(tf.executing_eagerly(), tf.placeholder.__name__)", "True placeholder"),
            ("from tensorflow.compat import v1 as tf\ntf.disable_v2_behavior()\nprint(tf.executing_eagerly())", "False"),
            ("import tensorflow.compat.v2 as tf\nprint(tf.executing_eagerly(), hasattr(tf, 'placeholder'))", "True False"),
            ("import tensorflow as tf\ntf.compat.v1.disable_eager_execution()\nprint(tf.executing_eagerly())", "False"),
            ("import tensorflow\nprint(tensorflow.__name__, float(tensorflow.constant(1.0)))", "tensorflow 1.0"),
            ("from tensorflow import constant, float64\nprint(constant(1, float64).dtype.name)", "float64"),
            ("from tensorflow.python.framework import ops, dtypes\nprint(ops.Graph.__name__, dtypes.float32.name)", "Graph float32"),
            (
                "from tensorflow.python.ops import math_ops, array_ops as a\nprint(float(math_ops.add(1, 2)), a.identity.__name__)",
                "3.0 identity",
            ),
            ("from tensorflow.python.ops.gradients_impl import gradients\nprint(gradients.__name__[:9])", "gradients"),
            ("from tensorflow.python.eager import backprop\nprint(backprop.GradientTape.__name__)", "GradientTape"),
            ("from tensorflow.python.framework.ops import RegisterGradient\nprint(RegisterGradient.__name__)", "RegisterGradient"),
            (
                "from tensorflow.python.ops.parallel_for import control_flow_ops as c, pfor\n"
                "print(c.pfor(lambda i: i * i, 3).numpy().tolist(), c.pfor is pfor, c.vectorized_map.__name__)",
                "[0, 1, 4] False vectorized_map",
            ),
            ("from tensorflow.python.training import adam, optimizer as o\nprint(issubclass(adam.AdamOptimizer, o.Optimizer))", "True"),
            ("import tensorflow.python.ops.nn_ops as nn\nprint(nn.relu.__name__)", "relu"),
            ("from tensorflow import *\nimport sys\nsys.stdout.write(repr(float(constant(2.0))))", "2.0"),
            ("import tensorflow as tf, pullback\nprint(tf.Variable is pullback.Variable, pullback.__spec__.name)", "True pullback"),
        ],
    )
    def test_import(self, text: str, printed: str, tmp_path: Path) -> None:
        assert output(tmp_path, text).strip() == printed

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("import tensorflow.feature_column", "tf.feature_column is not in Pullback: serving, tables"),
            ("import tensorflow.python.data.kernel_tests", "programs about gradients"),
            ("from tensorflow.python.ops import math_ops\nmath_ops.nonsense", "tensorflow.python.ops.math_ops.nonsense"),
            ("import tensorflow as tf\ntf.feature_column.numeric_column", "tf.feature_column is not in Pullback: serving, tables"),
            ("import tensorflow as tf\ntf.reduce_summ", "TensorFlow has no tf.reduce_summ. The nearest name here: tf.reduce_sum"),
            ("from tensorflow import reduce_summ", "TensorFlow has no tf.reduce_summ. The nearest name here: tf.reduce_sum"),
            ("import tensorflow as tf\ntf.compat.v1.Sessoin", "TensorFlow has no tf.Sessoin. The nearest name here: tf.Session"),
            ("from tensorflow.keras import layerz", "no module 'tensorflow.keras.layerz'"),
        ],
    )
    def test_what_is_not_there(self, text: str, said: str, tmp_path: Path) -> None:
        done = pullback_run(write(tmp_path, text))
        assert done.returncode == 1
        assert said in done.stderr
