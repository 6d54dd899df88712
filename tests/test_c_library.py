"""Functions as shared libraries: a program in C calls them, and they give what the engine gives."""

from __future__ import annotations

import ctypes
import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pullback as tf
from pullback.engine.export import export
from pullback.engine.lowering.builder import Unsupported
from pullback.engine.program import Program
from pullback.ir.plan import Run
from pullback.ir.tensor import TensorType
from tests.cases.case import Case
from tests.test_compiled import _array, _planned
from tests.test_laws import PLACED

pytestmark = pytest.mark.skipif(sys.platform != "linux" or shutil.which("cc") is None, reason="needs Linux and a C compiler")


def _load(folder: Path) -> tuple[Callable[..., list[np.ndarray]], ctypes.CDLL]:
    """The library of a folder as a function of arrays; a fault is a ValueError."""
    said = json.loads((folder / "signature.json").read_text())
    library = ctypes.CDLL(str(folder / f"lib{folder.name}.so"))
    new, call, free = (getattr(library, f"{folder.name}_{part}") for part in ("new", "call", "free"))
    new.restype, free.restype = ctypes.c_void_p, None

    def run(*arrays: Any) -> list[np.ndarray]:
        given = [np.ascontiguousarray(x, s["dtype"]).reshape(s["shape"]) for x, s in zip(arrays, said["inputs"], strict=True)]
        results = [np.empty(s["shape"], s["dtype"]) for s in said["outputs"]]
        context = ctypes.c_void_p(new())
        fault = call(context, *[ctypes.c_void_p(a.ctypes.data) for a in (*given, *results)])
        free(context)
        if fault:
            raise ValueError(f"fault {fault}")
        return results

    return run, library


def _numbers(*dims: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=dims).astype(np.float32)


WEIGHTS = tf.Variable(_numbers(96, 160) / 10)


def network(x: Any) -> Any:
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.tanh(x @ WEIGHTS) ** 2)
    return loss, tape.gradient(loss, WEIGHTS)


def large_product(x: Any) -> Any:
    return tf.linalg.matmul(x, x, transpose_b=True) + 1.0, x  # a product alone would be its kernel's, which adds up in another order


def loop(x: Any) -> Any:
    with tf.GradientTape() as tape:
        tape.watch(x)
        y, i = x, tf.constant(0)
        while tf.reduce_sum(y) < 100.0:
            y, i = y * y + tf.sin(x), i + 1
    return tape.gradient(y, x), i


def branch(x: Any) -> Any:
    return tf.cond(tf.reduce_max(x) > 1.0, lambda: tf.cumsum(x), lambda: tf.sort(x))


def factors(x: Any) -> Any:
    return tf.linalg.cholesky(x @ tf.transpose(x) + 3.0 * tf.eye(8))


def convolution(x: Any) -> Any:
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.nn.max_pool2d(tf.nn.conv2d(x, tf.constant(_numbers(3, 3, 2, 4)), 1, "SAME"), 2, 2, "VALID")
    return y, tape.gradient(y, x)


def of_all_kinds(x: Any) -> Any:
    z = tf.complex(x, -x)
    return {
        "complex": z * z, "half": tf.cast(x, tf.float16) * 2, "brain": tf.cast(x, tf.bfloat16), "bool": x > 0, "bytes": tf.cast(x, tf.int8),
        "draw": tf.random.stateless_uniform([3], [1, 2]), "given": x, "again": tf.identity(x), "known": tf.constant([1, 2]),
        "double": tf.cast(x, tf.float64) / 3,
    }  # fmt: skip


def below_normal(x: Any) -> Any:
    return x * tf.constant(1e-20), tf.exp(-1e21 * x)


CASES: Sequence[tuple[Callable[..., Any], np.ndarray]] = (
    (network, _numbers(64, 96)),
    (large_product, _numbers(256, 300)),
    (loop, np.array([0.5, 1.5, 0.25], np.float32)),
    (branch, np.array([0.5, 1.5, 0.25], np.float32)),
    (branch, np.array([0.5, -1.5, 0.25], np.float32)),
    (factors, _numbers(8, 8)),
    (convolution, _numbers(2, 8, 8, 2)),
    (of_all_kinds, _numbers(5)),
    (below_normal, np.array([1e-20, 1e-19, 1.0], np.float32)),
)


@pytest.mark.parametrize("case", range(len(CASES)), ids=[f"{i} {f.__name__}" for i, (f, _) in enumerate(CASES)])
def test_a_library_gives_what_the_engine_gives(case: int, tmp_path: Path) -> None:
    f, x = CASES[case]
    compiled = tf.function(f, jit_compile=True)
    folder = tmp_path / "of-ours"
    compiled.export(str(folder), tf.TensorSpec(x.shape, name="x"), format="so")
    run, library = _load(folder.rename(tmp_path / "of_ours"))
    expected = [v.numpy() for v in tf.nest.flatten(compiled(tf.constant(x)))]
    for threads in (1, 3, 1):
        library.of_ours_threads(threads)
        for found, wanted in zip(run(x), expected, strict=True):
            np.testing.assert_array_equal(found, wanted)
            assert found.dtype == wanted.dtype


@pytest.mark.rows(12)
@pytest.mark.parametrize(("family", "case"), PLACED)
def test_operations_and_their_gradients_in_libraries(family: str, case: Case, tmp_path: Path) -> None:
    try:
        plan, values = _planned(case)
        types = [TensorType(x.shape, t.dtype) for x, t in zip(values, plan.fed, strict=True)]
        compiled = Program(plan, types)
    except (TypeError, ValueError, LookupError, tf.errors.OpError, Unsupported):
        pytest.skip("nothing in it has native code")
    if compiled._variables.start:
        pytest.skip("reads a variable, whose value a case does not give to a library")
    try:
        export(str(tmp_path / "f"), "so", case.id, plan, types, [f"x{i}" for i in range(len(types))], [], openblas=True)
    except ValueError as reason:  # before anything runs: what reads variables of a session's would find none
        pytest.skip(str(reason))
    with np.errstate(all="ignore"):
        expected = compiled.run(values, Run({}, {}))
    if expected is None:
        with pytest.raises(ValueError, match="fault"):
            _load(tmp_path / "f")[0](*values)
        return
    for found, wanted in zip(_load(tmp_path / "f")[0](*values), expected, strict=True):
        assert found.tobytes() == np.asarray(_array(wanted), found.dtype).tobytes()


@pytest.mark.parametrize("f", [network, large_product], ids=lambda f: f.__name__)
def test_products_without_openblas(f: Callable[..., Any], tmp_path: Path) -> None:
    x = _numbers(300, 96)
    tf.function(f).export(str(tmp_path / "plain"), tf.TensorSpec(x.shape), format="so", openblas=False)
    assert sorted(p.name for p in (tmp_path / "plain").iterdir()) == ["libplain.so", "plain.h", "signature.json"]
    run, _ = _load(tmp_path / "plain")
    for found, wanted in zip(run(x), tf.nest.flatten(f(tf.constant(x))), strict=True):
        np.testing.assert_allclose(found, wanted.numpy(), rtol=2e-5, atol=2e-4)


PROGRAM = """
#include <pthread.h>
#include <stdio.h>
#include "model.h"

static void *train(void *start) {
    float w[2] = {*(float *)start, 0}, x[6] = {1, 2, 3, 4, 5, 6}, loss, gradient[2];
    int32_t rows[3] = {0, 2, 1};
    model *context = model_new();
    for (int step = 0; step < 20; step++) {
        if (model_call(context, w, x, rows, &loss, gradient)) puts("fault");
        for (int i = 0; i < 2; i++) w[i] -= 0.01f * gradient[i];
    }
    printf("%.9g %.9g %.9g ", loss, w[0], w[1]);
    rows[1] = 3;
    printf("%d\\n", model_call(context, w, x, rows, &loss, gradient));
    model_free(context);
    return NULL;
}

int main(void) {
    float starts[2] = {0.25f, 0.5f};
    pthread_t thread;
    model_threads(2);
    train(&starts[0]);
    pthread_create(&thread, NULL, train, &starts[1]);
    pthread_join(thread, NULL);
    return 0;
}
"""


@pytest.mark.parametrize("compiler", ["cc", "c++"])
def test_a_program_in_c(compiler: str, tmp_path: Path) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"there is no {compiler}")

    @tf.function
    def model(w: Any, x: Any, rows: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(w)
            loss = tf.reduce_mean((tf.linalg.matvec(tf.gather(x, rows), w) - 1.0) ** 2)
        return loss, tape.gradient(loss, w)

    folder = tmp_path / "model"
    model.export(
        str(folder), tf.TensorSpec([2], name="w"), tf.TensorSpec([3, 2], name="x"), tf.TensorSpec([3], tf.int32, name="rows"), format="so"
    )
    source = tmp_path / ("main.c" if compiler == "cc" else "main.cpp")
    source.write_text(PROGRAM)
    places = [f"-I{folder}", str(source), f"-L{folder}", "-lmodel", f"-Wl,-rpath,{folder}"]
    subprocess.run([compiler, "-Wall", "-Wextra", "-Werror", "-pthread", "-o", "main", *places], cwd=tmp_path, check=True)
    lines = subprocess.run([str(tmp_path / "main")], env={}, capture_output=True, text=True, check=True).stdout.splitlines()
    x, rows = tf.reshape(tf.range(1.0, 7.0), [3, 2]), tf.constant([0, 2, 1])
    for line, start in zip(lines, (0.25, 0.5), strict=True):
        w = tf.constant([start, 0.0])
        for _ in range(20):
            loss, gradient = model(w, x, rows)
            w -= 0.01 * gradient
        *found, fault = map(float, line.split())
        np.testing.assert_allclose(found, [loss, *w.numpy()], rtol=1e-4)
        assert fault == 1


def test_a_library_shows_its_own_names_alone(tmp_path: Path) -> None:
    folder = tmp_path / "2-for"
    tf.function(network).export(str(folder), tf.TensorSpec([4, 96], name="double"), format="so")
    assert "const float *_double" in (folder / "_2_for.h").read_text()
    listed = subprocess.run(["nm", "-D", "--defined-only", "lib_2_for.so"], cwd=folder, capture_output=True, text=True, check=True)
    assert {line.split()[-1].split("@")[0] for line in listed.stdout.splitlines()} - {"_2_for"} == {
        f"_2_for_{part}" for part in ("new", "free", "call", "threads")
    }


def test_what_cannot_be_a_library_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    v, spec = tf.Variable(1.0), tf.TensorSpec([2, 2])
    for f, words in (
        (lambda x: v.assign_add(tf.reduce_sum(x)), "changes variables"),
        (lambda x: tf.random.normal([2]) + x, "draws random numbers"),
        (lambda x: tf.strings.as_string(x), "AsString"),
        (lambda x: tf.py_function(lambda y: y, [x], tf.float32), "EagerPyFunc"),
    ):
        with pytest.raises(ValueError, match=f"cannot be exported as a shared library: .*{words}"):
            tf.function(f).export(str(tmp_path / "x"), spec, format="so")
    with pytest.raises(ValueError, match="w is a variable"):
        tf.function(lambda w: w + 1.0).export(str(tmp_path / "x"), tf.Variable(1.0, name="w"), format="so")
    with pytest.raises(ValueError, match="is OpenBLAS's, and openblas=False does without"):
        tf.function(factors).export(str(tmp_path / "x"), tf.TensorSpec([8, 8]), format="so", openblas=False)
    monkeypatch.setenv("CC", "no-such-compiler")
    with pytest.raises(ValueError, match="needs a C compiler, and there is no no-such-compiler: install one, or name it by CC"):
        tf.function(network).export(str(tmp_path / "x"), tf.TensorSpec([4, 96]), format="so")
    assert not list(tmp_path.iterdir())
