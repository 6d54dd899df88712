"""Random streams: which numbers come when, eagerly, in sessions and from initializers.  The numbers are TensorFlow 2.21's."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import pullback as tf
from pullback.kernels.backend import ENGINE
from pullback.ops.random import candidate_kernels, kernels as kernels, truncated as random_truncated
from pullback.ops.random.binomial import binomial
from pullback.ops.random.gamma import gamma
from pullback.ops.random.philox import Philox, from_seeds
from pullback.ops.random.poisson import poisson_numbers

v1 = tf.compat.v1


@pytest.fixture(autouse=True)
def _restored() -> Iterator[None]:
    yield
    tf.random.set_seed(0)


def numbers(*tensors: Any) -> list[float]:
    return [round(float(v), 6) for t in tensors for v in np.ravel(t.numpy() if hasattr(t, "numpy") else t)]


def test_philox_is_the_published_cipher() -> None:
    # The known answers that come with Random123, kat_vectors: philox4x32, 10 rounds.
    ones = 2**32 - 1
    assert [f"{w:08x}" for w in Philox((0, 0), 0).words(4)] == ["6627e8d5", "e169c58d", "bc57ac4c", "9b00dbd8"]
    assert [f"{w:08x}" for w in Philox((ones, ones), 2**128 - 1).words(4)] == ["408f276d", "41c83b0e", "a20bc7c6", "6d5451fd"]


def test_a_counter_carries_into_its_upper_half() -> None:
    start = Philox((1, 2), 2**64 - 2)
    assert np.array_equal(start.words(16)[8:], start.skip(2).words(8))
    assert np.array_equal(Philox((1, 2), 2**128 - 1).words(8)[4:], Philox((1, 2), 0).words(4))


def test_without_a_seed_of_its_own_an_eager_operation_draws_one() -> None:
    tf.random.set_seed(7)
    assert numbers(tf.random.uniform([2]), tf.random.uniform([2])) == [0.834454, 0.233367, 0.019053, 0.649655]
    assert numbers(tf.random.normal([2])) == [1.57495, -0.529022]
    assert tf.random.uniform([2], maxval=100, dtype=tf.int32).numpy().tolist() == [10, 4]


def test_an_eager_operation_goes_on_where_its_like_stopped() -> None:
    tf.random.set_seed(7)
    first, second = tf.random.uniform([2], seed=3), tf.random.uniform([2], 0.0, 5.0, seed=3)
    assert numbers(first, second) == [0.401088, 0.376839, 1.713201, 1.739579]
    tf.random.set_seed(7)
    long_shape = tf.constant([2], tf.int64)
    drawn = [tf.random.uniform([2], seed=3), tf.random.uniform(long_shape, seed=3), tf.random.uniform([2], seed=3)]
    assert numbers(*drawn) == [0.401088, 0.376839, 0.401088, 0.376839, 0.34264, 0.347916]


@pytest.mark.parametrize(
    ("draw", "expected"),
    [
        (lambda: tf.random.truncated_normal([2], seed=3), [0.944704, -0.966791, 1.195247, -0.844708]),
        (lambda: tf.random.normal([2], seed=3, dtype=tf.float64), [0.28414, -1.747269]),
        (lambda: tf.random.uniform([2], maxval=100, seed=3, dtype=tf.int64), [61, 48]),
        (
            lambda: tf.random.gamma([2], [1.0, 2.0], seed=3),
            [0.643106, 1.708307, 1.987548, 2.572042, 1.497909, 2.205846, 0.138854, 5.104930],
        ),
    ],
)
def test_how_far_a_draw_moves_its_stream(draw: Any, expected: list[float]) -> None:
    tf.random.set_seed(7)
    assert numbers(draw(), draw())[: len(expected)] == pytest.approx(expected, abs=2e-6)


def test_shuffles_take_one_word_a_step() -> None:
    tf.random.set_seed(7)
    found = [tf.random.shuffle(tf.constant(list(range(n))), seed=3).numpy().tolist() for n in (2, 6, 1, 6)]
    assert found == [[1, 0], [4, 1, 0, 2, 3, 5], [0], [4, 5, 2, 1, 3, 0]]


def test_classes_reserve_by_fours() -> None:
    tf.random.set_seed(7)
    logits = tf.constant([[1.0, 2.0, 3.0], [0.0, 0.0, 0.0]])
    found = [tf.random.categorical(logits, n, seed=3).numpy().tolist() for n in (3, 4, 4)]
    assert found == [[[1, 2, 2], [0, 1, 2]], [[2, 1, 2, 2], [1, 1, 1, 1]], [[1, 1, 2, 2], [0, 2, 2, 2]]]


def test_extreme_seeds() -> None:
    tf.random.set_seed(0)
    assert numbers(tf.random.uniform([2], seed=0)) == [0.019757, 0.007042]
    tf.random.set_seed(2**31 + 5)
    assert numbers(tf.random.uniform([2], seed=-1)) == [0.452856, 0.713209]


def test_a_graph_numbers_its_operations() -> None:
    with tf.Graph().as_default() as graph:
        tf.random.set_seed(7)
        drawn = [tf.random.uniform([2]), tf.random.uniform([2]), tf.random.shuffle(tf.constant([0, 1, 2, 3, 4]))]
        with v1.Session() as session:
            first, second = session.run(drawn), session.run(drawn)
        with v1.Session() as session:
            assert numbers(*session.run(drawn)) == numbers(*first)
    assert [node.get_attr("seed2") for node in graph.get_operations() if "Random" in node.type] == [0, 1, 2]
    assert numbers(*first[:2]) == [0.753729, 0.077938, 0.460375, 0.928518]
    assert numbers(*second[:2]) == [0.397102, 0.684935, 0.740752, 0.292138]


def test_variables_are_seeded_as_they_are_made() -> None:
    with tf.Graph().as_default():
        v1.set_random_seed(7)
        v1.random_normal([2])
        v = v1.get_variable("v", [2, 2])
        u = v1.get_variable("u", [2, 2], initializer=v1.random_normal_initializer())
        with v1.Session() as session:
            session.run(v1.global_variables_initializer())
            assert numbers(*session.run([v, u])) == [-0.097061, 1.049651, -0.37831, -0.365060, -1.471682, -0.616456, -0.370675, 0.846266]


def test_without_any_seed_every_stream_is_new() -> None:
    with tf.Graph().as_default():
        drawn = tf.random.uniform([4])
        with v1.Session() as one, v1.Session() as two:
            assert numbers(one.run(drawn)) != numbers(two.run(drawn))


def test_dropout_without_a_rate_still_takes_its_seed() -> None:
    tf.random.set_seed(7)
    tf.nn.dropout(tf.ones([2]), 0)
    after_nothing = numbers(tf.random.uniform([2]))
    tf.random.set_seed(7)
    tf.random.uniform([2])
    assert numbers(tf.random.uniform([2])) == after_nothing


def test_large_draws_are_what_they_say() -> None:
    stream = from_seeds(1, 2)
    assert abs(kernels.normal(stream, (200_000,), np.dtype(np.float64)).std() - 1) < 0.01
    truncated = kernels.truncated_normal(stream, (200_000,), np.dtype(np.float32))
    assert np.abs(truncated).max() < 2 and abs(truncated.std() - 0.8796) < 0.01
    classes = kernels.categorical(stream, np.log(np.array([[0.1, 0.2, 0.7]])), 100_000, np.dtype(np.int64))
    assert np.bincount(classes[0]) / 1e5 == pytest.approx([0.1, 0.2, 0.7], abs=0.01)


def test_generators_stand_where_they_are_put() -> None:
    g = tf.random.Generator.from_seed(1)
    assert g.normal([5], dtype=tf.float64).shape == [5]
    assert g.state.numpy().tolist() == [1281, 0, 0]
    g.skip(3)
    assert [other.state.numpy().tolist() for other in g.split(2)] == [[0, 0, 4221951919872663963], [0, 0, -329087384103351209]]
    assert g.make_seeds(2).numpy().tolist() == [[2470399196295502633, 1832118863539921035], [0, 0]]
    assert g.state.numpy().tolist() == [3073, 0, 0]
    g.reset_from_seed(3)
    assert g.state.numpy().tolist() == [3, 0, 0]
    g.reset([1, 2, 3])
    assert (int(g.key), numbers(g.uniform([2]))) == (3, [0.459012, 0.533425])
    assert numbers(tf.random.Generator.from_key_counter(3, [1, 2], "philox").uniform([2])) == [0.459012, 0.533425]
    g.reset([-5, -1, 7])
    assert numbers(tf.random.Generator(copy_from=g).uniform([2])) == numbers(g.uniform([2]))
    assert g.state.numpy().tolist() == [507, 0, 7]


def test_a_generator_in_a_session() -> None:
    with tf.Graph().as_default():
        drawn = tf.random.Generator.from_seed(1234).normal([3])
        with v1.Session() as session:
            session.run(v1.global_variables_initializer())
            assert numbers(*[session.run(drawn) for _ in range(2)]) == [0.935661, 1.085431, -0.937884, 1.126425, -1.033829, 0.257107]


def test_the_generator_for_all() -> None:
    mine = tf.random.Generator.from_seed(5)
    before = tf.random.get_global_generator()
    try:
        tf.random.set_global_generator(mine)
        assert tf.random.get_global_generator() is mine
    finally:
        tf.random.set_global_generator(before)


@pytest.mark.parametrize("count", [257, 1000, 5000])
def test_a_long_shuffle_is_the_short_ones_steps(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Philox((count, 5), 7)
    at_once = kernels.permutation(stream, count)
    monkeypatch.setattr(kernels, "_FEW_STEPS", count)
    assert np.array_equal(at_once, kernels.permutation(stream, count))


def test_refused_words_are_drawn_again() -> None:
    """Half of all words are refused here, which candidate samplers hardly ever see."""
    n = 2**63 + 1
    words = iter(Philox((1, 2), 3).words(400).astype(np.uint64).tolist())
    expected: list[int] = []
    while len(expected) < 30:
        found = next(words) | next(words) << 32
        if found >= (2**64 - 1) % n + 1:
            expected.append(found % n)
    assert candidate_kernels.Source(Philox((1, 2), 3)).below(n, 30, 64).tolist() == expected


def test_a_refused_word_moves_the_pairs_behind_it_up() -> None:
    skewed = 2**31
    source = candidate_kernels.Source(Philox((1, 2), 3))
    found = candidate_kernels._patch_pairs(source.words(40).reshape(-1, 2), source, skewed)
    words = iter(Philox((1, 2), 3).words(400).tolist())
    expected = []
    for _ in range(20):
        first, second = next(words), next(words)
        while second < skewed:
            second = next(words)
        expected.append([first, second])
    assert found.tolist() == expected
    assert source.words(3).tolist() == [next(words) for _ in range(3)]


# ---------------------------------------------------------------------- many numbers, by native code

STREAM = Philox((5, 7), 2**64 - 30_000)  # whose counter carries on the way
LARGE = (1 << 17) + 4321
DRAWS: dict[str, tuple[Callable[[], Any], float]] = {
    **{
        f"{draw.__name__} {dtype}": (partial(draw, STREAM, (LARGE,), np.dtype(dtype)), tolerance)
        for dtype, rounding in (("float16", 4e-3), ("bfloat16", 4e-2), ("float32", 1e-6), ("float64", 2e-15))
        for draw, tolerance in ((kernels.uniform, 0.0), (kernels.normal, rounding), (kernels.truncated_normal, rounding))
    },
    **{f"bits {dtype}": (partial(kernels.bits_of, STREAM, (LARGE,), np.dtype(dtype)), 0.0) for dtype in ("int32", "uint64")},
    **{
        f"from {low} to {high}": (partial(kernels.uniform_int, STREAM, (LARGE,), np.array(low, dtype), np.array(high, dtype)), 0.0)
        for low, high, dtype in (
            (-7, 5, "int32"),
            (-(2**31), 2**31 - 1, "int32"),
            (0, 1, "int64"),
            (-7, 100, "int64"),
            (-(2**29), 2**29, "int64"),
            (5, 2**30 + 4, "int64"),
            (3, 2**40, "int64"),
            (-(2**62), 2**62, "int64"),
        )
    },
    "gamma": (lambda: gamma(STREAM, np.array([[0.01, 0.3, 1.0], [1.01, 2.0, 1e5]]), 3001), 1e-12),
    "gamma, single precision": (lambda: gamma(STREAM, np.full(20_001, 0.7, np.float32), 1), 1e-6),
    "binomial": (lambda: binomial(STREAM, np.array([20.0, 7.0, 60.0, 0.0]), np.array([0.3, 0.9, 0.5, 0.1]), (9001, 4)), 0.0),
    "poisson": (lambda: poisson_numbers(STREAM, np.array([[0.0, 0.5, 9.99], [10.0, 1e6, np.nan]]), 9001), 0.0),
}


@pytest.mark.parametrize("name", DRAWS)
def test_many_numbers_are_those_of_the_kernels(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("llvmlite")
    draw, tolerance = DRAWS[name]
    answers: list[Any] = []
    find = ENGINE.find_part
    assert find is not None

    def noting(*kinds: Any, waits: bool) -> Any:
        part = find(*kinds, waits=waits)

        def call(*given: Any) -> Any:
            answers.append(part.call(*given))
            return answers[-1]

        return SimpleNamespace(call=call)

    monkeypatch.setattr(ENGINE, "find_part", noting)
    found = draw()
    assert answers
    assert {*map(type, answers)} == {tuple}  # a number: native code did not take what it was given
    monkeypatch.setattr(ENGINE, "find_part", lambda *_, waits: None)
    expected = draw()
    assert found.dtype == expected.dtype
    if tolerance:
        np.testing.assert_allclose(found.astype(np.float64), expected.astype(np.float64), rtol=tolerance, atol=tolerance)
    else:
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("bounds", [(-1, 2), (-0.5, 0.3), (1.5, 3), (2, np.inf), (-np.inf, -1)], ids=str)
@pytest.mark.parametrize(("samples", "runs"), [(1, 200), (3, 70), (100, 4)])
def test_runs_of_bounded_normal_numbers_are_one_after_the_other(samples: int, runs: int, bounds: tuple[float, float]) -> None:
    stream = Philox((3, 4), 9)
    for dtype in (np.float32, np.float64):
        parameters: list[Any] = [dtype(v) for v in (0.3, 1.5, *bounds)]
        together = random_truncated._draw_in_runs(stream, parameters, samples, runs)
        at = stream
        for run in together:
            alone, at = random_truncated._fill_samples(at, parameters, samples)
            np.testing.assert_array_equal(run, alone)
