"""Platforms that this machine is not, as far as it can play them: docs/platforms.md says what that proves and what it does not.

Each program runs in a process of its own, which says before the import of Pullback that it is another system or processor, or that a
package is not there.  Widths of vectors and older processors are in test_native_fallbacks.py, threads without futex in
test_native_threads.py.
"""

from __future__ import annotations

import textwrap
from pathlib import Path

import numpy as np
import pytest

from .native_programs import run

# What asks for the platform as it is loaded, for itself, comes first.
PLAYED = """
    import ctypes, multiprocessing, platform, subprocess, sys, tempfile, threading
    import llvmlite.binding, numpy, scipy.linalg, scipy.special
    sys.platform, machine = {system!r}, {machine!r}
    platform.machine = lambda: machine
    platform.system = lambda: dict(win32="Windows", darwin="Darwin", linux="Linux")[sys.platform]
"""
MISSING = """
    import sys
    sys.modules.update(dict.fromkeys({packages!r}))
"""
PROGRAM = """
    import numpy as np
    import pullback as tf
    import pullback.compat.v1 as tf1

    x = tf.constant(np.linspace(-2, 2, 1001, dtype=np.float32))

    def gradient(x):
        return tf.value_and_gradient(lambda x: tf.reduce_sum(tf.sin(x) * tf.exp(-x * x)), x)[1]

    def show(g):
        print(*map(float, g[::100]))

    show(gradient(x))
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(tf.linalg.matvec(tf.reshape(x[:1000], [10, 100]), tf.ones([100])) ** 2)
    print(float(tf.norm(tape.gradient(y, x))))
    with tf1.Graph().as_default(), tf1.Session() as session:
        p = tf1.placeholder(tf1.float32)
        print(session.run(tf1.gradients(p * p, p)[0], {p: 3.0}))
"""
COMPILED = """
    f = tf.function(gradient)
    show(f(x))
    show(f(x))
    print(*(type(p).__name__ for p in f.get_concrete_function(x).body.plan().jit_state.programs.values()))
"""
X = np.linspace(-2, 2, 1001)[::100]
SLOPE = (np.cos(X) - 2 * X * np.sin(X)) * np.exp(-X * X)


def judge(text: str, program: str, **environment: str) -> list[str]:
    """Whether a program's numbers are right; what else it prints."""
    slope, length, session, *rest = run(text + textwrap.dedent(program), **environment).splitlines()
    np.testing.assert_allclose([float(n) for n in slope.split()], SLOPE, rtol=2e-5, atol=1e-6)
    rows = np.linspace(-2, 2, 1001)[:1000].reshape(10, 100).sum(1)
    np.testing.assert_allclose(float(length), np.sqrt(100 * np.sum((2 * rows) ** 2)), rtol=1e-5)
    assert session == "6.0"
    for line in rest[:2]:
        np.testing.assert_allclose([float(n) for n in line.split()], SLOPE, rtol=2e-5, atol=1e-6)
    return rest[2:]


SYSTEMS = [("win32", "AMD64"), ("darwin", "arm64"), ("darwin", "x86_64"), ("linux", "aarch64"), ("linux", "riscv64")]


@pytest.mark.parametrize(("system", "machine"), SYSTEMS)
def test_another_system_or_processor(system: str, machine: str, tmp_path: Path) -> None:
    pytest.importorskip("llvmlite")
    played = textwrap.dedent(PLAYED.format(system=system, machine=machine))
    said = judge(played + textwrap.dedent(PROGRAM), COMPILED, PULLBACK_JIT="1", PULLBACK_CACHE_DIR=str(tmp_path))
    # native code, by LLVM's linker: our own is for Linux on x86-64; Windows' C library is not here, so its programs run on NumPy
    assert said == ["NoneType" if system == "win32" else "Program"]


@pytest.mark.parametrize(
    "packages",
    [
        ["llvmlite"],
        ["scipy_openblas64"],
        ["llvmlite", "scipy_openblas64", "re2", "tqdm", "tensorboardX", "safetensors", "malt", "PIL"],
    ],
    ids=["llvmlite", "scipy_openblas64", "all but NumPy, SciPy and ml_dtypes"],
)
def test_without_a_package(packages: list[str]) -> None:
    missing = textwrap.dedent(MISSING.format(packages=packages))
    assert judge(missing, PROGRAM) == []


def test_without_llvmlite_functions_run_on_numpy() -> None:
    missing = textwrap.dedent(MISSING.format(packages=["llvmlite"]))
    assert judge(missing + textwrap.dedent(PROGRAM), COMPILED, PULLBACK_JIT="1") == ["NoneType"]
