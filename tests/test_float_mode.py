"""Floats below the least normal one: zeros in compiled functions, as in TensorFlow and XLA; as they are in kernels and everywhere else."""

from __future__ import annotations

import sysconfig
from typing import Any

import numpy as np
import pytest

import pullback as tf
from pullback.engine.runtime.float_mode import CODE

TINY = {np.float32: 1e-40, np.float64: 1e-310}

pytestmark = pytest.mark.skipif(
    not sysconfig.get_platform().endswith(("x86_64", "amd64", "aarch64", "arm64")), reason="no mode of floats is known for this processor"
)


def _halve(x: Any) -> Any:
    return x * 0.5


@pytest.mark.parametrize("dtype", TINY)
@pytest.mark.parametrize("size", [3, 1_000_000])
def test_compiled_functions_take_and_give_zeros(dtype: Any, size: int) -> None:
    compiled = tf.function(lambda x: (_halve(x), x + x, x * TINY[dtype]), jit_compile=True)
    found = compiled(tf.fill([size], tf.constant(TINY[dtype], dtype)))
    assert [np.count_nonzero(part.numpy()) for part in found] == [0, 0, 0]


@pytest.mark.parametrize("size", [3, 1_000_000])
def test_kernels_keep_them(size: int) -> None:
    x = tf.fill([size], tf.constant(1e-40, tf.float32))
    for _ in range(20):  # native code for large arrays is made by then
        found = _halve(x).numpy()
    assert np.all(found == np.float32(1e-40) * np.float32(0.5))
    assert np.count_nonzero(found) == size


def test_what_runs_after_a_compiled_function_keeps_them() -> None:
    compiled = tf.function(lambda x, i: tf.gather(_halve(x), i), jit_compile=True)
    x, tiny = tf.ones([200_000]), np.full(200_000, 1e-40, np.float32)
    compiled(x, [1])
    assert np.count_nonzero(tiny * np.float32(0.5)) == len(tiny)
    with pytest.raises(tf.errors.InvalidArgumentError):
        compiled(x, [-1])
    assert np.count_nonzero(tiny * np.float32(0.5)) == len(tiny)


def test_a_gradient_that_fades_ends_in_zeros() -> None:
    @tf.function(jit_compile=True)
    def gradient(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.while_loop(lambda i, _: i < 200, lambda i, y: (i + 1, y * 0.5), (0, x))[1]
        return tape.gradient(y, x)

    assert float(gradient(tf.constant(1.0))) == 0.0
    assert float(tf.function(lambda x: x * 2.0**-120, jit_compile=True)(tf.constant(1.0))) == 2.0**-120


@pytest.mark.parametrize(("processor", "instructions"), [("x86_64", {"stmxcsr", "ldmxcsr"}), ("aarch64", {"mrs", "msr"})])
def test_the_code_is_good_for_each_processor(processor: str, instructions: set[str]) -> None:
    llvm = pytest.importorskip("llvmlite.binding")
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple(f"{processor}-linux-gnu").create_target_machine()
    module = llvm.parse_assembly(CODE[processor].replace("define internal", "define"))
    words = machine.emit_assembly(module).split()
    assert instructions <= {*words}
