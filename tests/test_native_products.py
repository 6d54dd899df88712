"""Large matrix products, whose factors native programs put in order first, and copies that turn matrices."""

from collections.abc import Callable
from itertools import product
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest

import pullback as tf
from pullback.engine.emission import blas_calls, panels
from tests.native_kit import answers, draw, held

F32, F64 = np.float32, np.float64

pytestmark = pytest.mark.usefixtures("natively")


def kinds(f: Callable[..., Any], *given: np.ndarray) -> list[str]:
    return [part.kind for part in tf.function(f).explain(*[tf.constant(a) for a in given]).all_parts()]


@pytest.mark.parametrize("dtype", [F32, F64])
@pytest.mark.parametrize(
    ("m", "n", "k"), [(64, 32, 512), (131, 77, 150), (257, 33, 129), (70, 300, 65), (512, 256, 64), (65, 1000, 33), (600, 650, 530)]
)
@pytest.mark.parametrize("turns", [(False, False), (True, False), (False, True), (True, True)])
def test_products_of_all_orders(dtype: Any, m: int, n: int, k: int, turns: tuple[bool, bool]) -> None:
    """With edges in rows, columns and sums; turned factors, and ones that are computed before."""
    a, b = draw(*((k, m) if turns[0] else (m, k)), dtype=dtype), draw(*((n, k) if turns[1] else (k, n)), dtype=dtype)
    f = lambda a, b: tf.matmul(a, b * 2.0, transpose_a=turns[0], transpose_b=turns[1]) + 1.0
    (found,) = answers(f, a, b)
    left, right = (x.astype(F64).T if turn else x.astype(F64) for x, turn in zip((a, b), turns, strict=True))
    exact, size = 2.0 * left @ right + 1.0, np.abs(left) @ np.abs(right)
    assert np.max(np.abs(found - exact) / (2.0 * size + 1.0)) < 4.0 * np.finfo(dtype).eps * k**0.5
    assert {"order", "run"} & set(kinds(f, a, b))


def test_a_product_that_is_a_part_of_something() -> None:
    """Factors and results with several axes in one, and a slice of a factor."""
    x, w = draw(4, 40, 96), draw(100, 8, 12)
    f = lambda x, w: (tf.einsum("abhd,nhd->abn", tf.reshape(x, [4, 40, 8, 12]), w), x[1:3] + 1.0)
    found = answers(f, x, w)[0]
    np.testing.assert_allclose(found, np.einsum("abhd,nhd->abn", x.reshape(4, 40, 8, 12), w), rtol=1e-11, atol=1e-11)


def test_small_products_are_not_put_in_order() -> None:
    assert "order" not in kinds(lambda a, b: tf.matmul(a, b) + 1.0, draw(40, 64), draw(64, 40))


@pytest.mark.parametrize("work", [1, 1 << 13])
def test_products_in_many_blocks(monkeypatch: pytest.MonkeyPatch, work: int) -> None:
    """Rows and panels in blocks of their own, the last ones short."""
    monkeypatch.setattr(panels, "_BLOCK_WORK", work)
    monkeypatch.setattr(panels, "_MOST_BLOCKS", 61)
    monkeypatch.setattr(panels, "_BLOCK_ROWS", 8)
    a, b = draw(151, 90), draw(90, 171)
    (found,) = answers(lambda a, b: tf.matmul(a, b) + 1.0, a, b)
    np.testing.assert_allclose(found, a @ b + 1.0, rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("dtype", [F32, F64, np.int32, np.int64])
@pytest.mark.parametrize(
    ("shape", "axes"),
    [
        ((64, 48), (1, 0)), ((37, 53), (1, 0)), ((16, 300), (1, 0)), ((3, 40, 50), (2, 1, 0)), ((3, 40, 50), (0, 2, 1)),
        ((5, 3, 33, 20), (2, 3, 0, 1)), ((700, 900), (1, 0)),
    ],
)  # fmt: skip
def test_copies_that_turn_matrices(dtype: Any, shape: tuple[int, ...], axes: tuple[int, ...]) -> None:
    x = (1000 * draw(*shape)).astype(dtype)
    found = answers(lambda x: (tf.transpose(x, axes), x + 1), x)
    np.testing.assert_array_equal(found[0], x.transpose(axes))


@pytest.mark.parametrize("dtype", [F32, F64])
@pytest.mark.parametrize(
    ("batch", "m", "n", "k", "turns"),
    [
        *(((), 20, 33, 17, (turned, False)) for turned in (False, True)),
        *(
            (*sizes, turns)
            for sizes in (((3,), 18, 40, 50), ((2, 3), 64, 21, 30), ((40,), 16, 100, 60))
            for turns in product((False, True), repeat=2)
        ),
    ],
)
def test_small_products_and_stacks_of_them(
    monkeypatch: pytest.MonkeyPatch, dtype: Any, batch: tuple[int, ...], m: int, n: int, k: int, turns: tuple[bool, bool]
) -> None:
    """The BLAS has no part in them, whatever order the factors of a stack lie in."""
    monkeypatch.setattr(blas_calls, "_call", None)
    monkeypatch.setattr(blas_calls, "_WORTH", 0)
    a, b = (draw(*batch, *(shape[::-1] if turn else shape), dtype=dtype) for turn, shape in zip(turns, ((m, k), (k, n)), strict=True))
    (found,) = answers(lambda a, b: tf.matmul(a, b, transpose_a=turns[0], transpose_b=turns[1]) + 1.0, a, b)
    left, right = ((x.swapaxes(-1, -2) if turn else x).astype(F64) for x, turn in zip((a, b), turns, strict=True))
    exact, size = left @ right + 1.0, np.abs(left) @ np.abs(right)
    assert np.max(np.abs(found - exact) / (size + 1.0)) < 4.0 * np.finfo(dtype).eps * k**0.5


@pytest.mark.parametrize(("worth", "m", "n", "k"), [(0, 8, 64, 64), (0, 64, 64, 1000), (blas_calls._WORTH, 64, 64, 64)])
def test_turned_factors_that_are_not_worth_a_copy(monkeypatch: pytest.MonkeyPatch, worth: int, m: int, n: int, k: int) -> None:
    """Few rows, a long sum, little work in all: the BLAS multiplies."""
    call = Mock(wraps=blas_calls._call)
    monkeypatch.setattr(blas_calls, "_call", call)
    monkeypatch.setattr(blas_calls, "_WORTH", worth)
    a, b = draw(3, m, k), draw(3, n, k)
    (found,) = answers(lambda a, b: tf.matmul(a, b, transpose_b=True) + 1.0, a, b)
    np.testing.assert_allclose(found, a @ b.swapaxes(-1, -2) + 1.0, rtol=1e-11, atol=1e-11)
    assert call.called


@pytest.mark.parametrize("dtype", [F32, F64])
@pytest.mark.parametrize(("m", "k"), [(1000, 400), (70, 9000), (9000, 70)])
@pytest.mark.parametrize("turned", [False, True])
def test_products_with_a_vector_are_sums(dtype: Any, m: int, k: int, turned: bool) -> None:
    """Whatever their size; with both gradients."""
    a, v = draw(*((k, m) if turned else (m, k)), dtype=dtype), draw(k, 1, dtype=dtype)

    def f(a: Any, v: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch([a, v])
            y = tf.matmul(a, v, transpose_a=turned)
        return y, *tape.gradient(y, [a, v], 2.0 * tf.ones_like(y))

    assert "product" not in kinds(f, a, v)
    y, by_a, by_v = answers(f, a, v)
    left = (a.T if turned else a).astype(F64)
    room = 4.0 * np.finfo(dtype).eps * max(m, k) ** 0.5
    assert np.max(np.abs(y - left @ v) / (np.abs(left) @ np.abs(v))) < room
    np.testing.assert_array_equal(by_a, np.broadcast_to(2.0 * (v if turned else v.T), a.shape))
    assert np.max(np.abs(by_v[:, 0] - 2.0 * left.sum(0)) / np.abs(left).sum(0)) < 2.0 * room


@pytest.mark.parametrize("rows", [100, 20_000])
def test_rows_of_a_large_table_are_fetched_once(rows: int) -> None:
    """Those of a small one are as near as a copy of them."""
    table, w, ids = draw(rows, 64, dtype=F32), draw(64, 1, dtype=F32), np.arange(0, 1200, 3, dtype=np.int32) % rows

    def f(table: Any, w: Any, ids: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(w)
            y = tf.reduce_sum(tf.tanh(tf.matmul(tf.gather(table, ids), w)))
        return y, tape.gradient(y, w)

    parts = tf.function(f).explain(*map(tf.constant, (table, w, ids))).all_parts()
    assert sum("GatherV2" in part.operations for part in parts) == (1 if rows > 100 else 2)
    y, gradient = answers(f, table, w, ids)
    exact = np.tanh(table[ids].astype(F64) @ w)
    np.testing.assert_allclose(y, exact.sum(), rtol=1e-4, atol=1e-4)
    np.testing.assert_allclose(gradient, table[ids].T.astype(F64) @ (1.0 - exact**2), rtol=1e-4, atol=1e-3)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.complex64])
@pytest.mark.parametrize(("rows", "columns", "inner"), [(200, 3, 900), (250, 10, 1000), (250, 16, 1000), (100, 10, 1000)])
def test_results_of_few_columns_are_computed_turned(rows: int, columns: int, inner: int, dtype: Any) -> None:
    """The gradient of the factors of many rows, say: where the columns leave part of vectors empty, and rows make whole ones."""
    rng = np.random.default_rng(0)
    a, b = (rng.standard_normal(shape).astype(dtype) for shape in ((inner, rows), (inner, columns)))
    sizes = (columns, rows) if rows >= 200 and columns % 8 else (rows, columns)
    results = [
        (a, b, sizes, lambda a, b: tf.matmul(a, b, transpose_a=True)),
        (a, b, sizes, lambda a, b: tf.einsum("ki,kj->ij", a, b) * 2.0 + tf.ones([columns], a.dtype)),
        (a, b, sizes, lambda a, b: tf.reduce_sum(tf.matmul(tf.transpose(a), b), 1)),
        (a.T.copy(), b, (rows, columns), tf.matmul),
        (a, b, (columns, rows), lambda a, b: tf.matmul(b, a, transpose_a=True)),
    ]
    for left, right, (m, n), f in results:
        call, x, y = tf.function(f, jit_compile=True, autograph=False), tf.constant(left), tf.constant(right)
        assert f"{m} x {n} x {inner}" in str(call.explain(x, y))
        np.testing.assert_allclose(call(x, y).numpy(), f(x, y).numpy(), rtol=1e-10 if dtype == np.float64 else 1e-3, atol=1e-3)


@pytest.mark.parametrize(
    ("equation", "sizes"),
    [
        ("bi,ijk,bk->bj", {"b": 30, "i": 7, "j": 5, "k": 6}),
        ("ij,jk,kl,lm->im", {"i": 20, "j": 30, "k": 3, "l": 40, "m": 2}),
        ("i,j,k->ijk", {"i": 4, "j": 5, "k": 6}),
        ("ai,bi,ci->abc", {"a": 9, "b": 8, "c": 7, "i": 20}),
        ("ijk,jx,k,y->xi", {"i": 3, "j": 4, "k": 5, "x": 6, "y": 7}),
        ("abc,abc,abc->", {"a": 3, "b": 40, "c": 5}),
        ("ijk->k", {"i": 30, "j": 40, "k": 20}),
        ("ijk->kji", {"i": 3, "j": 4, "k": 5}),
    ],
)
def test_einsum_of_any_number_of_tensors(equation: str, sizes: dict[str, int]) -> None:
    """Two at a time, with their gradients, which are such equations with ones among the tensors."""
    given = [draw(*(sizes[k] for k in own)) for own in equation.partition("->")[0].split(",")]

    def step(*inputs: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(inputs)
            y = tf.einsum(equation, *inputs)
            total = tf.reduce_sum(tf.sin(y))
        return y, tape.gradient(total, inputs)

    assert all(part.kind != "call" for part in held(step, *given))
