"""Candidate samplers and streams of words: native loops and NumPy draw the same."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pullback as tf
from pullback.engine.jit_policy import Settings
from pullback.kernels.backend import ENGINE
from pullback.ops.random import candidate_kernels as kernels
from pullback.ops.random.philox import Philox, from_seeds

pytest.importorskip("llvmlite")
RAW = tf.raw_ops


def both(draw: Callable[[], Any]) -> tuple[Any, Any]:
    """What is drawn with native loops, and without them."""
    found, settings = ENGINE.find_loop, Settings.jit
    assert found is not None
    try:
        Settings.jit = True
        native = draw()
        ENGINE.find_loop = lambda *_: None
        return native, draw()
    finally:
        ENGINE.find_loop, Settings.jit = found, settings


@pytest.mark.parametrize("counter", [0, 2**32 - 5, 2**64 - 5, 2**96 - 5, 2**128 - 5])
def test_words_carry_over(counter: int) -> None:
    native, plain = both(lambda: Philox((0xFFFFFFFF, 0x80000001), counter).words(4 * 50 - 1).tobytes())
    assert native == plain


@pytest.mark.parametrize("unique", [True, False])
@pytest.mark.parametrize("name", ["Uniform", "LogUniform", "LearnedUnigram"])
@pytest.mark.parametrize(("size", "count"), [(1, 1), (7, 7), (64, 50), (100_000, 1000), (100_000, 3000)])
def test_samplers(name: str, size: int, count: int, unique: bool) -> None:
    """Several calls: the stream goes on, and the learned sampler learns."""
    true = (np.arange(40, dtype=np.int64) ** 2 % size)[:, None]
    call = getattr(RAW, f"{name}CandidateSampler")

    def draw() -> list[bytes]:
        tf.random.set_seed(1)
        given: dict[str, Any] = {"num_true": 1, "num_sampled": count, "unique": unique, "range_max": size, "seed": 3, "seed2": count}
        outputs = [t for _ in range(3) for t in call(true_classes=true, **given)]
        assert len({t.numpy().tobytes() for t in outputs[::3]}) > 1 or size < 64
        return [t.numpy().tobytes() for t in outputs]

    native, plain = both(draw)
    assert native == plain


@pytest.mark.parametrize("n", [2**31 - 1, 2**31, 3 * 2**40 + 1, 2**61 - 1, 2**62 + 12345])
def test_unique_numbers_of_wide_ranges(n: int) -> None:
    native, plain = both(lambda: kernels.draw_classes(kernels.Uniform(n), kernels.Source(from_seeds(5, 7)), 500, True))
    np.testing.assert_array_equal(native[0], plain[0])
    assert native[1] == plain[1] == 500


def test_weights_that_sum_to_more_than_words_hold() -> None:
    def draw() -> Any:
        sampler = kernels.Weighted(9)
        sampler.weights[:] = 2**31, 0, 2**32, 5, 0, 0, 2**33, 1, 2**31
        sampler.total = int(sampler.weights.sum())
        sampler.count(np.array([[2], [6]]))
        found = sampler.sample(kernels.Source(from_seeds(5, 7)), 4000)
        return found, sampler.probability(np.arange(9)), kernels.draw_classes(sampler, kernels.Source(from_seeds(1, 2)), 4, True)[0]

    native, plain = both(draw)
    for a, b in zip(native, plain, strict=True):
        np.testing.assert_array_equal(a, b)
    shares = np.bincount(plain[0], minlength=9) / 4000
    np.testing.assert_allclose(shares, plain[1], atol=0.03)
    assert not shares[[1, 4, 5]].any() and sorted(plain[2].tolist()) == [0, 2, 6, 8]


@pytest.mark.parametrize("rows", [1, 40])
@pytest.mark.parametrize("largest", [0, 300, 70_000, 2**31 - 1, 2**61, 2**62 + 9])
def test_shuffled_indices(largest: int, rows: int) -> None:
    """More of them than there are numbers or fewer, with one seed or one each; by their last cipher and all others."""
    draw = np.random.default_rng(3)
    index, seed = draw.integers(0, largest + 1, 40), draw.integers(0, 2**31, (rows, 3)).astype("int32")
    index = np.tile(index, 10) if largest == 300 and rows == 1 else index
    call = {"index": index, "seed": seed if rows > 1 else seed[0], "max_index": np.int64(largest), "rounds": 6}
    native, plain = both(lambda: RAW.RandomIndexShuffle(**call).numpy())
    np.testing.assert_array_equal(native, plain)
    assert native.max() <= largest and (native[:40] == native[-40:]).all()
