"""Who is measured: where each library lives, and the shortest program that prints a gradient with it."""

import compileall
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]


@dataclass(frozen=True)
class Library:
    """A peer, or Pullback itself, in an environment of its own."""

    name: str
    distribution: str
    module: str
    first_gradient: str

    @property
    def python(self) -> Path:
        environment = "bench" if self.name == "pullback" else self.name
        return ROOT / f".venv-{environment}" / "bin" / "python"

    @property
    def worker(self) -> Path:
        return ROOT / "benchmarks" / "workers" / f"{self.name}_.py"


def keep_bytecode() -> None:
    """Have our sources compiled before anything is measured, as they are where the package is installed."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    compileall.compile_dir(ROOT / "src", quiet=2)


def version(python: str, library: Library) -> str:
    program = f"from importlib.metadata import version; print(version({library.distribution!r}))"
    try:
        return subprocess.run([python, "-c", program], check=True, capture_output=True, text=True).stdout.strip()
    except (FileNotFoundError, subprocess.CalledProcessError):
        sys.exit(f"{library.name} is not installed for {python}; `make bench` makes the environments")


TAPE = """
x = tf.constant([1.0, 2.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.reduce_sum(x * x * x)
print(tape.gradient(y, x).numpy().tolist())
"""

TORCH = """
import torch
x = torch.tensor([1.0, 2.0], requires_grad=True)
(x * x * x).sum().backward()
print(x.grad.tolist())
"""

JAX = """
import jax
import jax.numpy as np
print(jax.grad(lambda x: np.sum(x * x * x))(np.array([1.0, 2.0])).tolist())
"""

AUTOGRAD = """
import autograd.numpy as np
from autograd import grad
print(grad(lambda x: np.sum(x * x * x))(np.array([1.0, 2.0])).tolist())
"""

CASADI = """
import casadi
x = casadi.MX.sym("x", 2)
print(casadi.Function("f", [x], [casadi.gradient(casadi.sum1(x * x * x), x)])([1.0, 2.0]).full().ravel().tolist())
"""

LIBRARIES = [
    Library("pullback", "pullback", "pullback", "import pullback as tf" + TAPE),
    Library("tensorflow", "tensorflow-cpu", "tensorflow", "import tensorflow as tf" + TAPE),
    Library("torch", "torch", "torch", TORCH),
    Library("jax", "jax", "jax", JAX),
    Library("autograd", "autograd", "autograd", AUTOGRAD),
    Library("casadi", "casadi", "casadi", CASADI),
]
