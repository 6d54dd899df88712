"""What editors show: Jedi, which IPython, Jupyter, Spyder, Vim and Emacs ask, completes names of both faces and knows what they take."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import jedi
import pytest

from pullback.interop.stubs import remove_stubs, write_stubs
from tests.programs import python

SRC = Path(__file__).parents[1] / "src"
PROJECT = jedi.Project(SRC, smart_sys_path=False, sys_path=[str(SRC), *(path for path in sys.path if path.endswith("site-packages"))])
TF, TF1 = "import pullback as tf\n", "import pullback.compat.v1 as tf1\n"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (TF + "tf.", {"abs", "constant", "function", "GradientTape", "hessian", "math", "nn", "reduce_sum", "Variable", "why"}),
        (TF + "tf.reduce_s", {"reduce_sum"}),
        (TF + "tf.math.", {"softplus", "reduce_sum", "lgamma"}),
        (TF + "tf.nn.rel", {"relu", "relu6"}),
        (TF + "tf.train.Checkp", {"Checkpoint", "CheckpointManager"}),
        (TF + "tf.constant(1.0).", {"dtype", "numpy", "shape"}),
        (TF + "y = tf.reduce_sum(tf.constant([1.0]))\ny.nu", {"numpy"}),
        (TF + "tf.Variable(1.0).", {"assign", "numpy", "trainable"}),
        (TF + "v = tf.Variable([1.0])\nv[0].", {"assign", "dtype", "numpy"}),
        (TF + "(tf.Variable([1.0]) * 2.0).", {"dtype", "numpy", "shape"}),
        (TF + "@tf.function\ndef f(x: tf.Tensor) -> tf.Tensor:\n    return tf.sin(x)\nf(tf.constant(1.0)).", {"dtype", "numpy"}),
        (TF + "@tf.function\ndef f(x: tf.Tensor) -> tf.Tensor:\n    return tf.sin(x)\nf.", {"get_concrete_function", "explain"}),
        (TF1 + "tf1.Variable(1.0).", {"assign", "eval", "initializer"}),
        (TF + "with tf.GradientTape() as tape:\n    tape.", {"gradient", "jacobian", "watch"}),
        (TF + "tf.compat.v1.placeh", {"placeholder"}),
        (TF1 + "tf1.", {"gradients", "placeholder", "Session", "train"}),
        (TF1 + "tf1.Session().", {"close", "run"}),
        (TF1 + "tf1.train.Ada", {"AdamOptimizer"}),
        (TF + "for x in tf.data.Dataset.range(3).batch(2):\n    x.", {"dtype", "numpy"}),
        (TF + "tf.data.Dataset.range(3).map(lambda i: i).", {"batch", "map", "prefetch"}),
        (TF + "tf.Module().trainable_variables[0].", {"assign", "numpy"}),
        (TF1 + "tf1.data.Dataset.range(3).", {"make_one_shot_iterator", "map"}),
        ("from pullback.compat import v1 as tf\ntf.placeh", {"placeholder"}),
    ],
)
def test_names_are_completed(text: str, names: set[str]) -> None:
    found = {completion.name for completion in jedi.Script(text, project=PROJECT).complete()}
    assert names <= found, sorted(found)


@pytest.mark.parametrize(
    ("text", "signature", "words"),
    [
        (TF + "tf.reduce_sum", "reduce_sum(input_tensor: NumberLike, axis: IntLike | None=None, keepdims", "The sum along `axis`"),
        (TF + "tf.GradientTape", "GradientTape(persistent: bool=False", "persistent: whether"),
        (TF + "tf.GradientTape().gradient", "(target: Source | Sequence[Source] | Structure, sources: Source", "The gradient of the sum"),
        (TF + "tf.math.softplus", "softplus(features: NumberLike", "log(1 + exp(features))"),
        (TF1 + "tf1.Session", "Session(target: str", "Runs the operations of a graph"),
        (TF1 + "tf1.Session().run", "run(fetches", "feed_dict"),
        (TF1 + "tf1.gradients", "(ys: object, xs: object, grad_ys: object=None", "grad_ys=[tf1.constant"),
    ],
)
def test_help_and_signatures(text: str, signature: str, words: str) -> None:
    script, line = jedi.Script(f"{text}(", project=PROJECT), len(text.splitlines())
    column = len(text.splitlines()[-1])
    (found,) = script.help(line, column - 1)
    assert words in found.docstring()
    signatures = [found.to_string() for found in script.get_signatures(line, column + 1)]
    assert any(signature in text for text in signatures), signatures


@pytest.fixture(scope="module")
def stubs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what `pullback stubs` writes."""
    folder = tmp_path_factory.mktemp("stubs")
    done = python("-m", "pullback", "stubs", "--to", str(folder))
    assert done.stdout == f"{folder / 'tensorflow-stubs'}\n", done.stderr
    return folder


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("import tensorflow as tf\ntf.reduce_s", {"reduce_sum"}),
        ("import tensorflow as tf\ntf.nn.rel", {"relu", "relu6"}),
        ("import tensorflow as tf\ntf.compat.v1.placeh", {"placeholder"}),
        ("import tensorflow as tf\nwith tf.GradientTape() as tape:\n    tape.", {"gradient", "watch"}),
        ("import tensorflow.compat.v1 as tf\ntf.Session().", {"close", "run"}),
        ("from tensorflow.keras.layers import Den", {"Dense"}),
        ("from tensorflow import nes", {"nest"}),
    ],
)
def test_names_are_completed_where_a_program_imports_tensorflow(text: str, names: set[str], stubs: Path) -> None:
    project = jedi.Project(SRC, smart_sys_path=False, sys_path=[str(stubs), *PROJECT.sys_path])
    found = {completion.name for completion in jedi.Script(text, project=project).complete()}
    assert names <= found, sorted(found)


def test_pyright_knows_tensorflow_by_its_stubs(stubs: Path, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    lines = ["import tensorflow as tf", "from tensorflow.compat import v1", "x: tf.Tensor = tf.reduce_sum(v1.placeholder(tf.float32))"]
    program.write_text("\n".join([*lines, "tf.reduce_summ(x)", "tf.nn.reluu(x)", "v1.Sesion()"]))
    (tmp_path / "pyrightconfig.json").write_text(json.dumps({"extraPaths": [str(SRC), str(stubs)], "reportMissingModuleSource": False}))
    command = [sys.executable, "-m", "pyright", "--pythonpath", sys.executable, "--project", str(tmp_path), "--outputjson"]
    said = json.loads(subprocess.run(command, capture_output=True, text=True, check=False).stdout)["generalDiagnostics"]
    assert [one["range"]["start"]["line"] for one in said] == [3, 4, 5], said
    assert all("is not a known attribute" in one["message"] for one in said)


def test_stubs_of_others_are_left_alone(tmp_path: Path) -> None:
    remove_stubs(tmp_path)
    package = write_stubs(tmp_path, 1)
    assert "from pullback.compat.v1 import *" in (package / "__init__.pyi").read_text()
    assert (package / "app" / "__init__.pyi").exists() and not (write_stubs(tmp_path) / "app").exists()
    remove_stubs(tmp_path)
    assert not package.exists()
    package.mkdir()
    with pytest.raises(FileExistsError, match="types-tensorflow"):
        write_stubs(tmp_path)
    assert package.exists()
