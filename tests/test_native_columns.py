"""Sums down the columns of large matrices, which native programs read row by row; and rows that are read in blocks."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pullback as tf
from tests.native_kit import draw, held

pytestmark = pytest.mark.usefixtures("natively")


def orders(f: Callable[..., Any], x: np.ndarray) -> list[list[tuple[int, bool]]]:
    """The loops of a function's kernels from the outermost on: how long they are, and whether they reduce."""
    parts = tf.function(f).explain(tf.constant(x)).all_parts()
    return [[(loop.size, loop.reduces) for loop in part.loops] for part in parts if part.kind == "kernel"]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("shape", [(1024, 512), (1100, 333), (513, 2047), (2, 700, 300), (1024, 5000)])
def test_sums_down_columns(dtype: Any, shape: tuple[int, ...]) -> None:
    """Alone, of what is computed and kept beside it, two at a time; and the largest, which is none."""
    x, y = draw(*shape, dtype=dtype), draw(*shape, dtype=dtype)
    rtol = 1e-11 if dtype == np.float64 else 3e-5
    f = lambda x, y: (tf.reduce_sum(tf.tanh(x) * y, -2), tf.tanh(x) * y, tf.reduce_sum(x, -2), tf.reduce_max(x, -2))
    held(f, x, y, rtol=rtol)


def test_long_rows_are_read_one_after_another() -> None:
    """A column of short rows is read by itself: its sum is in a register."""
    f = lambda x: tf.reduce_sum(tf.tanh(x), 0)
    assert orders(f, draw(1024, 512, dtype=np.float32))[0] == [(4, False), (256, True), (512, False)]
    assert orders(f, draw(4096, 64, dtype=np.float32))[0] == [(16, False), (64, False), (256, True)]


@pytest.mark.parametrize("kind", ["sum", "max"])
def test_blocks_of_a_row_are_read_one_after_another(kind: str) -> None:
    reduce = getattr(tf, f"reduce_{kind}")
    f = lambda x: reduce(tf.tanh(x), 1)
    x = draw(600, 1000, dtype=np.float32)
    held(f, x, rtol=3e-5)
    assert orders(f, x)[0] == [(600, False), (4, False), (256, True)]
