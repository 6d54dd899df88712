"""docs/adding-an-op.md is true: its file and its row, in a copy of the project, are an operation that lacks nothing."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.programs import ROOT

BLOCKS = dict(re.findall(r"```python\n# (\S+)\n(.*?)```", (ROOT / "docs" / "adding-an-op.md").read_text(), re.DOTALL))
ROW_OF = "tests/cases/nn_activations.py"

EVERYWHERE = """
import pullback as tf
from pullback.engine.jit_policy import Settings

v1 = tf.compat.v1
assert v1.nn.hardtanh is tf.nn.hardtanh and "hardtanh" in dir(tf.nn)
x = tf.constant([[-2.0, -0.5, 0.5], [0.25, 1.5, -0.75]])
flat = lambda y: y.numpy().ravel().tolist()
print(flat(tf.nn.hardtanh(x)))
with tf.GradientTape() as outer:
    outer.watch(x)
    with tf.GradientTape() as inner:
        inner.watch(x)
        y = tf.nn.hardtanh(x) ** 3
    slope = inner.gradient(y, x)
print(flat(outer.gradient(slope, x)))
with v1.Graph().as_default(), v1.Session() as session:
    fed = v1.placeholder(tf.float32, [None, 3])
    y = tf.nn.hardtanh(fed)
    print(y.name, *[a.ravel().tolist() for a in session.run([y, *v1.gradients(y, fed)], {fed: x.numpy()})])
print(flat(tf.vectorized_map(tf.nn.hardtanh, x)))
Settings.jit = True
print(tf.function(tf.nn.hardtanh).explain(x).native)
print(flat(tf.function(tf.nn.hardtanh)(x)), flat(tf.raw_ops.Hardtanh(features=x)))
try:
    tf.nn.hardtanh([1, 2])
except tf.errors.InvalidArgumentError as error:
    print(str(error).partition(":")[0])
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project with what the page adds, and what it says to run."""
    root = tmp_path_factory.mktemp("project")
    without = shutil.ignore_patterns("__pycache__", ".*")
    for name in ("src", "docs", "tests"):
        shutil.copytree(ROOT / name, root / name, ignore=without)
    for name in ("pyproject.toml", "conftest.py"):
        shutil.copy(ROOT / name, root / name)
    for path, text in BLOCKS.items():
        if path == ROW_OF:
            cases = (root / path).read_text()
            (root / path).write_text(f"{cases}\nCASES += [\n{text}]\n")
        else:
            assert not (root / path).exists()
            (root / path).write_text(text)
    for script in ("make_exports.py", "make_homes.py", "make_ops.py"):
        run(root, f"docs/{script}")
    return root


def run(project: Path, *arguments: str | Path) -> str:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(project / "src"), str(project)])}
    command = [sys.executable, *map(str, arguments)]
    done = subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_it_is_everywhere(project: Path) -> None:
    assert run(project, "-c", EVERYWHERE).splitlines() == [
        "[-1.0, -0.5, 0.5, 0.25, 1.0, -0.75]",
        "[-0.0, -3.0, 3.0, 1.5, 0.0, -4.5]",
        "Hardtanh:0 [-1.0, -0.5, 0.5, 0.25, 1.0, -0.75] [0.0, 1.0, 1.0, 1.0, 0.0, 1.0]",
        "[-1.0, -0.5, 0.5, 0.25, 1.0, -0.75]",
        "True",
        "[-1.0, -0.5, 0.5, 0.25, 1.0, -0.75] [-1.0, -0.5, 0.5, 0.25, 1.0, -0.75]",
        "Value for attr 'T' of int32 is not in the list of allowed values",
    ]


def test_it_is_written_down(project: Path) -> None:
    for face in ("v1", "v2"):
        stub = project / "src" / "pullback" / "compat" / face / "nn" / "__init__.pyi"
        assert "from pullback.ops.nn.hardtanh import hardtanh as hardtanh\n" in stub.read_text()
    assert "| `Hardtanh` | `features`:" in (project / "docs" / "ops.md").read_text()


def test_the_page_runs(project: Path) -> None:
    assert "1 passed" in run(project, "-m", "pytest", "-q", "docs/adding-an-op.md")


def test_the_laws_judge_it(project: Path) -> None:
    """Every test that draws its cases from the table, with that row, and the example of the docstring."""
    said = run(project, "-m", "pytest", "-q", "tests/test_laws.py", "tests/test_compiled.py", "-k", "Hardtanh", "--every-row", "-rN")
    assert int(re.search(r"(\d+) passed", said)[1]) >= 10 and "failed" not in said and "skipped" not in said
    assert "1 passed" in run(project, "-m", "pytest", "-q", "src/pullback/ops/nn/hardtanh.py")
