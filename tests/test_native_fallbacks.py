"""Where a program cannot be compiled, or not as usual, it still gives its answers, with a reason one can read."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pullback as tf
from pullback.engine import llvm_loading
from pullback.engine.jit_policy import Settings, native_program
from pullback.ir.plan import Plan
from pullback.ir.tensor import TensorType
from pullback.kernels import blas, lapack

from .native_programs import X86, run

X = np.linspace(-1, 1, 60, dtype=np.float32).reshape(4, 15)
PROGRAM = """
    import numpy as np
    import pullback as tf
    f = tf.function(lambda x: tf.reduce_sum(tf.tanh(x) * x, 1))
    x = tf.constant(np.linspace(-1, 1, 60, dtype=np.float32).reshape(4, 15))
    answers = [f(x).numpy() for _ in range(4)]
    assert all((a == answers[0]).all() for a in answers)
    jit_state = f.get_concrete_function(x).body.plan().jit_state
    print(*map(float, answers[0]))
    print([type(p).__name__ for p in jit_state.programs.values()], jit_state.reason)
"""


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(Settings, "jit", True)
    yield


def answers_of(before: str = "", after: str = "", **environment: str) -> list[str]:
    """What the program prints in a process of its own, once its answers are right."""
    text = "\n".join(textwrap.dedent(part) for part in (before, PROGRAM, after))
    numbers, *rest = run(text, PULLBACK_JIT="1", **environment).splitlines()
    np.testing.assert_allclose([float(n) for n in numbers.split()], (np.tanh(X) * X).sum(1), rtol=1e-6)
    return rest


def test_without_llvmlite_programs_run_on_numpy() -> None:
    (said,) = answers_of("import sys\nsys.modules['llvmlite'] = None")
    assert said == "['NoneType'] the engine needs llvmlite, which is not installed"


def test_another_missing_module_is_an_error() -> None:
    with pytest.raises(ModuleNotFoundError, match="nowhere"):
        llvm_loading.native("nowhere")


@pytest.mark.skipif(not X86, reason="names of processors of another make")
@pytest.mark.parametrize(("cpu", "bits"), [("x86-64", 128), ("x86-64-v2", 128), ("x86-64-v3", 256)])
def test_older_processors_run_native_programs(cpu: str, bits: int) -> None:
    said = answers_of(after="from pullback.engine.runtime.machine import host\nprint(host().vector_bits)", PULLBACK_CPU=cpu)
    assert said == ["['Program'] None", str(bits)]


@pytest.mark.skipif(not X86, reason="names of processors of another make")
def test_random_programs_on_an_older_processor() -> None:
    """Without AVX, FMA and half floats in hardware: other code for every function."""
    program = """
        import warnings
        warnings.simplefilter("ignore")
        import sys
        sys.path.insert(0, ROOT)
        from tests.random_programs import report
        print("".join(report(seed) for seed in range(15)) or "no difference")
    """.replace("ROOT", repr(str(Path(__file__).parents[1])))
    assert run(program, PULLBACK_CPU="x86-64-v2").strip() == "no difference"


def test_a_folder_that_takes_nothing_costs_only_time(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    after = "from pullback.engine.runtime import disk_cache\nprint(disk_cache.why_not())"
    said = answers_of(after=after, PULLBACK_CACHE_DIR=str(tmp_path / "file"))
    assert said[0] == "['Program'] None" and "Not a directory" in said[1]


@pytest.mark.usefixtures("at_once")
def test_shapes_that_do_not_fit_are_told_as_ever() -> None:
    f = tf.function(lambda x, y: tf.tanh(x) + y, input_signature=[tf.TensorSpec([None]), tf.TensorSpec([None])])
    np.testing.assert_allclose(f([1.0, 2.0], [3.0, 4.0]).numpy(), np.tanh([1.0, 2.0]) + np.array([3.0, 4.0]), rtol=1e-6)
    for _ in range(2):
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"(?s)\[3\] vs\. \[2\].*op AddV2"):
            f([1.0, 2.0, 3.0], [3.0, 4.0])
    np.testing.assert_allclose(f([1.0], [3.0, 4.0]).numpy(), np.tanh(1.0) + np.array([3.0, 4.0]), rtol=1e-6)


def _update(x: Any, axes: int, value: Any) -> Any:
    return tf.raw_ops.TensorStridedSliceUpdate(input=x, begin=[0] * axes, end=[1] * axes, strides=[1] * axes, value=value)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda x, _: _update(x, 1, tf.ones([2, 15])), "broadcast"),
        (lambda x, _: _update(x, 3, tf.ones([1])), "Index out of range using input dim 2"),
        (lambda x, i: tf.nn.sparse_softmax_cross_entropy_with_logits(i, x[:, :0]), "at least one class"),
        (lambda x, i: tf.gather_nd(x[0, 0], tf.reshape(i, [4, 0])), "params must be at least a vector"),
    ],
)
def test_shapes_that_fit_no_kernel_are_not_taken(call: Any, words: str) -> None:
    """Where the shapes are known when the program is made, and no earlier."""
    f = tf.function(call, jit_compile=True, input_signature=[tf.TensorSpec(None, tf.float32), tf.TensorSpec(None, tf.int32)])
    index = np.zeros(0 if "at least one" not in words else 4, np.int32)
    with pytest.raises(tf.errors.InvalidArgumentError, match=words):
        f(X, index)


@pytest.mark.usefixtures("at_once")
def test_indices_out_of_range_are_told_as_ever_and_nothing_is_written() -> None:
    v = tf.Variable([1.0, 2.0, 3.0])

    @tf.function
    def f(at: Any) -> Any:
        v.assign_add([1.0, 1.0, 1.0])
        return tf.gather(v * 2.0, at)

    assert f(tf.constant([2])).numpy().tolist() == [8.0]
    with pytest.raises(tf.errors.InvalidArgumentError, match="GatherV2"):
        f(tf.constant([5]))
    assert v.numpy().tolist() == [2.0, 3.0, 4.0]
    assert f(tf.constant([0])).numpy().tolist() == [6.0]


def test_what_has_no_native_code_says_so() -> None:
    with tf.Graph().as_default():
        x = tf.compat.v1.placeholder(tf.string, [2])
        plan = Plan([x + x], [x])
    program, reason = native_program(plan, [TensorType((2,), tf.string)])
    assert program is None and reason == "nothing in it has native code"


def test_a_constant_that_fails_fails_only_when_it_runs() -> None:
    """The branch that would gather out of range is never taken: folding its constants must not fail."""

    @tf.function
    def f(x: Any) -> Any:
        return tf.cond(x > 0.0, lambda: x * 2.0, lambda: tf.gather(tf.constant([1.0, 2.0]), tf.constant(7)) * x)

    Settings.jit, before = True, Settings.jit
    try:
        assert f(tf.constant(3.0)).numpy() == 6.0
        with pytest.raises(tf.errors.InvalidArgumentError, match="7"):
            f(tf.constant(-3.0))
    finally:
        Settings.jit = before


@pytest.mark.usefixtures("at_once")
def test_a_library_that_cannot_be_loaded_costs_speed_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken(blas.Library):
        def __init__(self, *_: Any) -> None:
            raise OSError("its file is broken")

    monkeypatch.setattr(blas, "Library", Broken)
    monkeypatch.setattr(blas, "_load", cache(blas._load.__wrapped__))
    x = tf.constant(np.ones((33, 33)) * 2j)
    f = tf.function(lambda x: tf.exp(x @ x / 132.0) + 1.0)
    np.testing.assert_allclose(f(x).numpy(), np.full((33, 33), np.exp(-1.0) + 1.0))
    parts = {part.kind: part.reason for part in f.explain(x).parts}
    assert "its file is broken" in (parts["call"] or ""), "the product alone is called"
    assert "kernel" in parts


@pytest.mark.usefixtures("at_once")
def test_without_a_library_of_our_own_products_and_factors_are_called(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (blas, lapack):
        monkeypatch.setattr(module, "library" if module is blas else "is_ready", lambda: None)
    monkeypatch.setattr(blas, "explain_not_found", lambda: "it is not installed")
    x = tf.constant(X @ X.T + 2 * np.eye(4, dtype=np.float32))
    wide = tf.tile(x, [9, 9])
    f = tf.function(lambda x, wide: (tf.linalg.inv(2.0 * x), wide @ wide + 1.0, tf.cast(wide, tf.complex64) @ tf.cast(wide, tf.complex64)))
    called = {part.operations[0]: part.reason for part in f.explain(x, wide).parts if part.kind == "call"}
    assert set(called) == {"MatrixInverse", "MatMul"} and "it is not installed" in (called["MatMul"] or "")
    for found, expected in zip(f(x, wide), f.python_function(x, wide), strict=True):
        np.testing.assert_allclose(found.numpy(), expected.numpy(), rtol=1e-5)
