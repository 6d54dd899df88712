"""Rows that leave a vector part empty: every length, and a narrower vector instead of a mask where one has just that length."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pullback as tf
from pullback.engine.runtime.machine import host
from tests.native_kit import draw, held
from tests.test_native_instructions import text_of

FLOATS = [np.float32, np.float64]


@pytest.mark.parametrize("dtype", [*FLOATS, np.float16, np.complex64])
@pytest.mark.parametrize("n", [1, 2, 3, 5, 7, 9, 10, 12, 17, 19, 20, 24, 33, 35, 40, 66])
def test_rows_of_every_length(n: int, dtype: Any) -> None:
    def f(x: Any, b: Any) -> Any:
        y = x * x + b
        return y, tf.reduce_sum(y, 1), tf.reduce_sum(y, 0), tf.where(tf.abs(x) > 0.5, x, y), y[:, ::-1] * b

    held(f, draw(7, n, dtype=dtype), draw(n, dtype=dtype), rtol={2: 1e-2, 4: 1e-5}.get(np.dtype(dtype).itemsize, 1e-6))


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("inner", [3, 40])
@pytest.mark.parametrize("n", [1, 3, 9, 10, 11, 17, 20, 33, 40])
def test_products_of_every_width(n: int, inner: int, dtype: Any) -> None:
    def f(x: Any, w: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(w)
            y = tf.tanh(x @ w)
        return y, tape.gradient(y, w)

    held(f, draw(50, inner, dtype=dtype), draw(inner, n, dtype=dtype), rtol=1e-5 if dtype is np.float32 else 1e-11)


@pytest.mark.parametrize("dtype", FLOATS)
def test_a_row_that_ends_with_a_narrower_vector_needs_no_mask(dtype: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    lanes = host().lanes(np.dtype(dtype).itemsize)
    if lanes < 4:
        pytest.skip("what is left of vectors of two is one number")

    def find_masks(function: Callable[..., Any], n: int) -> list[str]:
        text = text_of(monkeypatch, function, draw(6, 8, dtype=dtype), draw(8, n, dtype=dtype))
        assert "segment0" in text
        return re.findall(r"llvm.masked.\w+", text)

    for function in (lambda x, w: tf.nn.relu(x @ w + w[0]), lambda x, b: tf.tanh(b) * b[0]):
        assert not find_masks(function, lanes + lanes // 4)
        assert find_masks(function, lanes + 3)
