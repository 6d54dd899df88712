"""Native programs at their edges: parts of no size, and a value that one result holds and others read."""

from typing import Any

import numpy as np
import pytest
from benchmarks.gradbench.gmm import log_posterior

import pullback as tf
from pullback.engine.jit_policy import Settings


@pytest.fixture(autouse=True)
def natively(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Settings, "jit", True)


def compiled(f: Any, *given: Any) -> Any:
    return tf.function(f)(*given).numpy()


def test_an_empty_part_writes_nothing() -> None:
    """The parts of one shape share a kernel, so the empty one is written after both."""
    rows, none = tf.constant(np.arange(1.0, 281.0).reshape(20, 14)), tf.zeros([0, 14], tf.float64)
    joined = compiled(lambda rows, none: tf.concat([2.0 * rows, none, 3.0 * rows], 0), rows, none)
    np.testing.assert_array_equal(joined, np.concatenate([2.0 * rows.numpy(), 3.0 * rows.numpy()]))


def test_a_value_that_is_part_of_a_result_and_is_read_again() -> None:
    """The mixture's exponentials are a part of what is joined, and other kernels read them too: compiling comes to an end."""
    rng = np.random.default_rng(0)
    sizes = [(5,), (5, 2), (5, 2), (5, 1), (20, 2)]
    given = (*(tf.constant(rng.normal(size=size)) for size in sizes), 0, 1.0)
    natively = log_posterior(*given).numpy()
    Settings.jit = False
    np.testing.assert_allclose(natively, tf.function(log_posterior.python_function)(*given).numpy(), rtol=1e-13)


def test_a_gather_from_what_gathers() -> None:
    a, rows = tf.constant(np.arange(9.0).reshape(3, 3)), np.array([[0, 1, 2], [1, 2, 0]])
    found = compiled(lambda a: 3.0 * tf.gather(tf.reduce_sum(2.0 * tf.gather(a[-1], rows), axis=1), [1, 0, 1]), a)
    np.testing.assert_array_equal(found, 6.0 * a.numpy()[-1, rows].sum(1)[[1, 0, 1]])


@pytest.mark.parametrize("given", [[1.0, 1.0], [0.7, 0.4]])
def test_a_loop_in_a_loop_reads_what_the_outer_one_computed(given: list[float]) -> None:
    def outer(i: Any, x: Any) -> Any:
        z = 0.9 * x
        y = tf.while_loop(lambda j, y: j < 3, lambda j, y: (j + 1, 0.5 * y + z), [0, x])[1]
        return i + 1, z - 0.1 * y

    found = compiled(lambda x: tf.while_loop(lambda i, x: i < 4, outer, [0, x])[1], tf.constant(given, tf.float64))
    # One inner loop gives x / 8 + 7 z / 4.
    np.testing.assert_allclose(found, (0.9 - 0.1 * (0.125 + 1.75 * 0.9)) ** 4 * np.array(given), rtol=1e-14)


def test_lists_that_start_as_one_are_added() -> None:
    """Equal nodes are one in a native program, so the cotangents of two loops over a list are versions of the same zeros."""

    def total(x: Any) -> Any:
        found = []
        while x < 30.0:
            x = x * 2.0
            found.append(x)
        y = 0.0
        for a in found:
            y += a * 3.0
        for a, b in zip(found, found, strict=True):
            y += a * b
        return y / tf.cast(len(found), tf.float32)

    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.function(total)(x)
    assert (y.numpy(), tape.gradient(y, x).numpy()) == (385.0, 362.5)


@pytest.mark.parametrize("columns", [11, 19])
def test_a_register_of_margin_alone_is_zeros(columns: int) -> None:
    """Where a row ends in a register of which only the margin is stored, LLVM 20 read what lies behind the row of whole numbers."""
    x = np.arange(5 * columns).reshape(5, columns) + 1
    found = tf.function(lambda x: tf.pad(x, [[2, 0], [1, 1]]) + 0, jit_compile=True)(tf.constant(x))
    np.testing.assert_array_equal(found.numpy(), np.pad(x, [[2, 0], [1, 1]]))
