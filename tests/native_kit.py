"""What tests of native programs share: arrays, and functions held against their kernels on one thread and on three."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pullback as tf
from pullback.engine.jit_policy import Settings
from pullback.engine.loop_code import find_loop
from pullback.engine.runtime.linking import can_lay_out
from pullback.kernels import parallel
from pullback.kernels.backend import ENGINE

#: For what only our own linker does.
needs_layout = pytest.mark.skipif(not can_lay_out(), reason="object code of another kind is linked by LLVM")


def draw(*shape: int, dtype: Any = np.float64) -> np.ndarray:
    """Normal numbers, the same ones at every call."""
    return np.random.default_rng(sum(shape)).normal(size=shape).astype(dtype)


def answers(f: Callable[..., Any], *given: Any) -> list[np.ndarray]:
    """What a function gives that is traced anew, the same bits on one thread and on three, and by baseline code."""
    found = []
    for threads, Settings.baseline in ((1, True), (1, False), (3, False)):
        parallel.set_threads(threads)
        found.append([t.numpy() for t in tf.nest.flatten(tf.function(f)(*(tf.constant(a) for a in given)))])
    for of_baseline, one, three in zip(*found, strict=True):
        assert of_baseline.tobytes() == one.tobytes() == three.tobytes()
    return found[1]


def run_loops(native: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Kernels' loops (`kernels.loops`) are compiled from the first call on, or never."""
    monkeypatch.setattr(Settings, "jit", True)
    monkeypatch.setattr(ENGINE, "find_loop", find_loop if native else lambda *_: None)


def held(f: Callable[..., Any], *given: np.ndarray, rtol: float = 1e-11) -> list[Any]:
    """Hold a function against its kernels; gives the parts of its program."""
    Settings.jit = False
    expected = answers(f, *given)
    Settings.jit = True
    for one, known in zip(answers(f, *given), expected, strict=True):
        np.testing.assert_allclose(one, known, rtol=rtol, atol=rtol * max(float(np.max(np.abs(known), initial=0)), 1e-30))
    explained = tf.function(f).explain(*(tf.constant(a) for a in given))
    assert explained.native
    return list(explained.all_parts())
