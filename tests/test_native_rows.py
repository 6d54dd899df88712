"""Kernels and products that go through the same rows run a few rows at a time, and give what they give one after the other."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pullback as tf
from pullback.engine.lowering import row_tiling
from tests import random_programs
from tests.native_kit import draw, held

F64 = np.float64

pytestmark = pytest.mark.usefixtures("natively")


@pytest.fixture
def small_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs for results of a few hundred bytes, in blocks of a few rows."""
    for name, value in {"_WORTH": 256, "_LARGE": 64, "_NEAR": 1 << 14, "_FEWEST_TASKS": 2}.items():
        monkeypatch.setattr(row_tiling, name, value)


def check(f: Callable[..., Any], *given: np.ndarray, rtol: float = 1e-12) -> list[Any]:
    """Hold a function against its kernels; gives its runs."""
    return [part for part in held(f, *given, rtol=rtol) if part.kind == "run"]


@pytest.mark.usefixtures("small_runs")
@pytest.mark.parametrize("count", [64, 67, 200, 513])
@pytest.mark.parametrize(("inner", "columns"), [(33, 5), (17, 40), (20, 101)])
@pytest.mark.parametrize("turned", [False, True])
def test_products_by_rows_and_over_rows(count: int, inner: int, columns: int, turned: bool) -> None:
    """A dense layer and its gradient: one product by rows, and two that are summed over them."""

    def step(x: Any, w: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(w)
            y = tf.reduce_sum(tf.tanh(tf.matmul(tf.exp(x), w, transpose_b=turned)) ** 2)
        return y, tape.gradient(y, w)

    w = draw(columns, inner) if turned else draw(inner, columns)
    (run,) = check(step, draw(count, inner), 0.1 * w)
    assert sum(part.kind == "product" for part in run.inside) == 2


@pytest.mark.usefixtures("small_runs")
@pytest.mark.parametrize("dtype", [np.float32, F64])
def test_stacks_of_products(dtype: Any) -> None:
    """Products with one matrix for each of several columns, whose rows lie apart."""

    def step(x: Any, factors: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(factors)
            centred = x[:, None, :] - tf.constant(draw(7, 18, dtype=dtype))
            z = tf.einsum("kij,nkj->nki", factors, centred)
            y = tf.reduce_sum(tf.reduce_logsumexp(-0.5 * tf.reduce_sum(z * z, 2), 1))
        return y, tape.gradient(y, factors)

    found = check(step, draw(131, 18, dtype=dtype), 0.3 * draw(7, 18, 18, dtype=dtype), rtol=2e-5 if dtype == np.float32 else 1e-11)
    assert len(found) == 1


@pytest.mark.usefixtures("small_runs")
@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize(("batch", "heads", "length", "size"), [(2, 4, 32, 16), (3, 3, 33, 20), (8, 1, 40, 24), (2, 2, 48, 17)])
def test_stacks_go_matrix_by_matrix(
    monkeypatch: pytest.MonkeyPatch, batch: int, heads: int, length: int, size: int, turned: bool
) -> None:
    """Attention and its gradient, head by head; the gradients of queries, keys and values are parts of one array."""
    monkeypatch.setattr(row_tiling, "_NEAR", 1 << 17)

    def step(joint: Any, given: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(joint)
            split = tf.reshape(joint, [batch, length, 3, heads, size])
            queries, keys, values = (tf.transpose(split[:, :, i], [0, 2, 1, 3]) for i in range(3))
            scores = tf.matmul(queries, keys, transpose_b=True) / size**0.5
            weights = tf.nn.softmax(scores)
            seen = tf.matmul(weights, values, transpose_a=turned)
            out = tf.reshape(tf.transpose(seen, [0, 2, 1, 3]), [batch, length, heads * size])
        return out, tape.gradient(out, joint, output_gradients=given)

    found = check(step, draw(batch, length, 3 * heads * size), draw(batch, length, heads * size))
    assert any(sum(part.kind == "product" for part in run.inside) > 1 for run in found)


@pytest.mark.usefixtures("small_runs")
@pytest.mark.parametrize("count", [40, 301])
def test_stacks_of_small_matrices(count: int) -> None:
    """Chains of products of small matrices, with what is done to each in between."""

    def step(x: Any, y: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch([x, y])
            z = tf.tanh(tf.matmul(tf.exp(x), y))
            total = tf.reduce_sum(tf.matmul(z, x, transpose_a=True) ** 2)
        return total, tape.gradient(total, [x, y])

    assert check(step, draw(count, 20, 17), draw(count, 17, 17))


@pytest.mark.usefixtures("small_runs")
@pytest.mark.parametrize("kind", ["sum", "max", "min", "prod", "any", "all"])
@pytest.mark.parametrize("count", [24, 61])
def test_reductions_over_rows_and_along_them(kind: str, count: int) -> None:
    """What is reduced over rows is put together from tasks; what is reduced along a row stays in it."""
    reduce = getattr(tf, f"reduce_{kind}")

    def f(x: Any) -> Any:
        along = tf.reduce_sum(tf.exp(x), 1, keepdims=True)
        shares = tf.exp(x) / along
        given = shares > 0.05 if kind in ("any", "all") else 10.0 * shares
        return tf.cast(reduce(given, 0), tf.float64), shares

    assert check(f, draw(count, 13))


@pytest.mark.usefixtures("small_runs")
def test_what_others_read_is_in_memory() -> None:
    """A result that is given away, one that is read in another row, and one that is read after a sum over all rows."""

    def f(x: Any, w: Any) -> Any:
        h = tf.matmul(tf.tanh(x), w)
        kept = tf.matmul(tf.sin(h), w)
        turned = tf.matmul(tf.cos(h), w)[::-1]
        mean = tf.reduce_mean(tf.exp(h), 0)
        return kept, tf.matmul(turned - kept, w), tf.reduce_sum((h - mean) ** 2, 0)

    assert check(f, draw(83, 19), 0.2 * draw(19, 19))


@pytest.mark.usefixtures("small_runs")
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("block", range(3))
def test_random_programs(block: int) -> None:
    said = [random_programs.report(seed) for seed in range(5000 + 15 * block, 5015 + 15 * block)]
    assert not any(said), "\n".join(filter(None, said))


def test_small_results_need_no_run() -> None:
    assert not check(lambda x, w: tf.matmul(tf.tanh(tf.matmul(tf.exp(x), w)), w), draw(64, 20), 0.1 * draw(20, 20))


def test_a_run_of_the_usual_size() -> None:
    """About two megabytes between two products: several blocks for each task, the last of them short."""

    def f(x: Any, w: Any) -> Any:
        return tf.reduce_sum(tf.tanh(tf.matmul(tf.tanh(tf.matmul(x, w)), w)), 0)

    (run,) = check(f, draw(4001, 40, dtype=np.float32), 0.2 * draw(40, 40, dtype=np.float32), rtol=1e-5)
    assert [part.kind for part in run.inside] == ["product", "kernel", "product", "kernel"]
    assert str(run.loops[0]) == "4001"
