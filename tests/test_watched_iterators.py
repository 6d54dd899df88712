"""Functions that take an iterator, while somebody watches what runs: they give what they give alone, and lose no element."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import pullback as tf


@tf.function
def two_steps(iterator):
    first = next(iterator)
    return first + tf.math.log(next(iterator))


def test_traces_for_tensorboard(tmp_path: Path) -> None:
    iterator = iter(tf.data.Dataset.from_tensor_slices([1.0, 1.0, 2.0, 1.0]))
    tf.summary.trace_on(graph=True)
    assert [two_steps(iterator).numpy() for _ in range(2)] == [1.0, 2.0]
    with tf.summary.create_file_writer(str(tmp_path)).as_default():
        tf.summary.trace_export("steps", step=0)


@pytest.mark.parametrize("native", [False, True])
def test_where_a_nan_began(native: bool) -> None:
    """The elements that gave it are looked at again, and then the iterator goes on behind them."""
    iterator = iter(tf.data.Dataset.from_tensor_slices([1.0, 1.0, 2.0, -3.0, 5.0, 1.0]))
    function = tf.function(lambda i: next(i) + tf.math.log(next(i)), jit_compile=native or None)
    with tf.trace_nans(raises=False) as trace:
        assert function(iterator).numpy() == 1.0 and trace.found is None
        assert np.isnan(function(iterator).numpy())
        assert trace.found is not None and trace.found.operation == "Log"
        assert function(iterator).numpy() == 5.0


def test_an_iterator_that_is_asked_first() -> None:
    """What a loop looks ahead for is not handed out twice."""

    @tf.function
    def total(iterator):
        found = 0.0
        for x in iterator:
            found += tf.math.log(x)
        return found

    with tf.trace_nans(raises=False) as trace:
        assert np.isnan(total(iter(tf.data.Dataset.from_tensor_slices([1.0, -1.0, 2.0]))).numpy())
    assert trace.found is not None and trace.found.operation == "Log"
