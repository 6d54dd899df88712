"""Batching rules of operations that few cases stack, where rows differ in every input that may differ, and what they refuse."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pullback as tf
from pullback.control.batch import way_of
from pullback.control.vectorize import vectorize
from pullback.ops.all_operations import load_operations

raw = tf.raw_ops
OPS = load_operations()


def test_every_operation_without_a_rule_says_why() -> None:
    """An operation that batching runs in a loop has a reason on its record."""
    loops = [op for op in load_operations().values() if (op.inputs or op.stateful) and way_of(op) == "loop"]
    assert len(loops) > 50
    assert [op.name for op in loops if not isinstance(op.batch, str) or not op.batch] == []


def ints(*shape: int, high: int, seed: int = 0, dtype: str = "int64") -> Any:
    return np.random.default_rng(seed).integers(0, high, shape).astype(dtype)


def floats(*shape: int, seed: int = 0, dtype: str = "float32") -> Any:
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


SPLITS = np.array([[0, 2, 2, 5], [0, 0, 5, 5], [0, 1, 3, 5]])
SAME = SPLITS[0]
VALUES, WEIGHTS = ints(3, 5, high=6), floats(3, 5)
NONE: Any = np.zeros(0, np.float32)
LETTERS = ints(3, 5, high=60, dtype="int32") + np.int32(60)
ENTRIES = np.array([[[0, 1], [1, 3], [2, 0]], [[0, 0], [0, 3], [2, 2]], [[1, 0], [1, 1], [1, 2]]])
OTHERS = np.array([[[0, 0], [2, 3]], [[1, 1], [1, 2]], [[0, 3], [2, 2]]])


def bincount(binary: bool) -> Callable[..., Any]:
    return lambda s, v, w: raw.RaggedBincount(splits=s, values=v, size=5, weights=w, binary_output=binary)


def shuffled(index: Any, seed: Any, most: Any) -> Any:
    return raw.RandomIndexShuffle(index=index, seed=seed, max_index=most)


def encoded(values: Any, splits: Any) -> Any:
    return raw.UnicodeEncode(input_values=values, input_splits=splits, output_encoding="UTF-8")


def histogram(values: Any, span: Any) -> Any:
    return tf.histogram_fixed_width(values, span, nbins=4)


RANGES = np.float32([[0, 1], [-1, 1], [0.5, 3]])
CASES: dict[str, tuple[Callable[..., Any], list[Any]]] = {
    "RaggedBincount": (bincount(False), [SPLITS, VALUES, WEIGHTS]),
    "RaggedBincount, binary": (bincount(True), [SPLITS, VALUES, WEIGHTS]),
    "RaggedBincount, the same splits": (lambda v, w: bincount(False)(SAME, v, w), [VALUES, WEIGHTS]),
    "RaggedBincount, no weights": (lambda s, v: bincount(False)(s, v, NONE), [SPLITS, VALUES]),
    "RaggedBincount, no rows": (lambda s, v: bincount(False)(s, v, NONE), [np.zeros((3, 1), np.int64), VALUES[:, :0]]),
    "UnicodeEncode": (encoded, [LETTERS, np.array([[0, 2, 5], [0, 0, 5], [0, 4, 5]])]),
    "UnicodeEncode, the same splits": (lambda v: encoded(v, [0, 2, 5]), [LETTERS]),
    "UnicodeEncode, one row": (encoded, [LETTERS, np.array([[0, 5], [0, 5], [0, 5]], np.int32)]),
    "RaggedCheckedSplits": (OPS["RaggedCheckedSplits"], [np.array([[0, 2, 4], [0, 0, 3], [0, 1, 1]]), np.array([4, 3, 1])]),
    "RaggedCheckedSplits, the same": (lambda count: OPS["RaggedCheckedSplits"](SAME, count), [np.array([5, 5, 5])]),
    "RaggedSameSplits": (OPS["RaggedSameSplits"], [SPLITS, SPLITS]),
    "RaggedSparseRows": (OPS["RaggedSparseRows"], [np.array([[[0, 0], [0, 1]], [[2, 0], [4, 0]], [[1, 0], [1, 1]]])]),
    "RaggedColumns": (lambda columns: OPS["RaggedColumns"](np.array([0, 2, 5]), columns), [np.array([[0, 1], [1, 1], [1, 0]])]),
    "RaggedColumns, splits": (lambda s: OPS["RaggedColumns"](s, np.array([0, 0])), [np.array([[0, 2, 5], [0, 1, 2], [0, 4, 5]])]),
    "RaggedWithin": (OPS["RaggedWithin"], [ints(3, 4, high=2), ints(3, 4, high=9), ints(3, 4, high=9) + 2]),
    "RaggedStableOrder": (lambda p: OPS["RaggedStableOrder"](p, np.int32(4)), [ints(3, 9, high=4, dtype="int32")]),
    "SparseConcatPlaces": (
        lambda a, b: list(OPS["SparseConcatPlaces"]([a, b], [np.array([3, 4])] * 2, concat_dim=1)), [ENTRIES, OTHERS],
    ),
    "SparseConcatPlaces, one alike": (
        lambda a: list(OPS["SparseConcatPlaces"]([a, OTHERS[0]], [np.array([3, 4])] * 2, concat_dim=-2)), [ENTRIES],
    ),
    "SparseSplitPlaces": (lambda a: OPS["SparseSplitPlaces"](np.int64(1), a, np.array([3, 4]), num_split=3), [ENTRIES]),
    "ReducedSize": (lambda s: OPS["ReducedSize"](s, np.array([0, -1], np.int32)), [ints(3, 3, high=5, dtype="int32")]),
    "RandomIndexShuffle": (shuffled, [ints(3, high=7), ints(3, 3, high=99, dtype="int32"), np.array([7, 8, 90])]),
    "RandomIndexShuffle, one seed": (lambda i: shuffled(i, [1, 2, 3], np.int64(70)), [ints(3, 4, high=7)]),
    "RandomIndexShuffle, seeds": (lambda s: shuffled(np.array([3, 4]), s, np.int64(70)), [ints(3, 3, high=99, dtype="int32")]),
    "HistogramFixedWidth": (histogram, [floats(3, 2, 7), RANGES]),
    "HistogramFixedWidth, one range": (lambda v: histogram(v, [0.0, 2.0]), [floats(3, 7)]),
    "HistogramFixedWidth, one value": (lambda span: histogram(np.float32(0.7), span), [RANGES]),
    "LinSpace, float16": (lambda a: raw.LinSpace(start=a, stop=a * 3, num=7), [floats(3, dtype="float16")]),
    "LinSpace, one": (lambda a: raw.LinSpace(start=a, stop=np.float32(4), num=1), [floats(3)]),
    "LinSpace, to infinity": (lambda b: raw.LinSpace(start=np.float32(0), stop=b, num=3), [np.float32([np.inf, 1, -np.inf])]),
}


@pytest.mark.parametrize("name", CASES)
def test_all_rows_at_once_are_the_rows_one_by_one(name: str) -> None:
    """With the number of rows known and not."""
    f, stacks = CASES[name]
    tensors = [tf.constant(stack) for stack in stacks]
    rows = [f(*(t[r] for t in tensors)) for r in range(3)]
    late = [tf.TensorSpec([None, *t.shape[1:]], t.dtype) for t in tensors]
    for found in (vectorize(f, *tensors), tf.function(lambda *given: vectorize(f, *given), input_signature=late)(*tensors)):
        for i, part in enumerate(found if isinstance(found, (list, tuple)) else [found]):
            each = [row[i] if isinstance(row, (list, tuple)) else row for row in rows]
            wanted = np.stack([one.numpy() for one in each])
            assert part.dtype == each[0].dtype
            np.testing.assert_array_equal(part.numpy(), wanted)


#: One row is wrong in each, and in such a way that the rows beside it could hide it.
REFUSED: dict[str, tuple[Callable[..., Any], list[Any]]] = {
    "counts that end early": (bincount(False), [np.array([[0, 2, 3], [0, 1, 5]]), VALUES[:2], WEIGHTS[:2]]),
    "counts that begin late": (bincount(False), [np.array([[0, 2, 5], [1, 2, 5]]), VALUES[:2], WEIGHTS[:2]]),
    "counts that fall": (bincount(False), [np.array([[0, 4, 2, 5], [0, 1, 1, 5]]), VALUES[:2], WEIGHTS[:2]]),
    "text beyond its row": (encoded, [LETTERS[:2], np.array([[0, 6], [0, 5]])]),
    "text before its row": (encoded, [LETTERS[:2], np.array([[0, 5], [-1, 5]])]),
    "splits that end early": (OPS["RaggedCheckedSplits"], [np.array([[0, 3], [0, 4]]), np.array([4, 4])]),
    "splits that begin late": (OPS["RaggedCheckedSplits"], [np.array([[0, 4], [1, 4]]), np.array([4, 4])]),
    "other splits": (OPS["RaggedSameSplits"], [SPLITS[:2], SPLITS[1:]]),
    "a partition too many": (lambda p: OPS["RaggedStableOrder"](p, np.int32(2)), [np.array([[0, 1], [2, 0]], np.int32)]),
    "a partition below": (lambda p: OPS["RaggedStableOrder"](p, np.int32(2)), [np.array([[0, 1], [-1, 0]], np.int32)]),
    "a range of nothing": (histogram, [floats(2, 4), RANGES[:2] * np.float32([[1], [0]])]),
    "no number": (histogram, [np.float32([[1, 2], [np.nan, 0]]), RANGES[:2]]),
    "a column beyond": (OPS["RaggedWithin"], [np.array([[0], [1]]), np.array([[0], [1]]), np.array([[1], [2]])]),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_one_row_refuses_all_rows_refuse(name: str) -> None:
    f, stacks = REFUSED[name]
    rows = [tf.constant(stack) for stack in stacks]
    failures = 0
    for r in range(2):
        try:
            f(*(t[r] for t in rows))
        except tf.errors.InvalidArgumentError:
            failures += 1
    assert failures == 1 or name == "other splits"
    with pytest.raises(tf.errors.InvalidArgumentError):
        vectorize(f, *rows)


def test_gradients_of_counts() -> None:
    """To the weights, through the counts of all rows; the ends of a linear space have none."""
    splits, values, weights = (tf.constant(x) for x in (SPLITS, VALUES, WEIGHTS))
    g = floats(3, 3, 5, seed=2)
    with tf.GradientTape() as tape:
        tape.watch(weights)
        y = vectorize(bincount(False), splits, values, weights)
    found = tape.gradient(y, weights, output_gradients=g)
    for r in range(3):
        with tf.GradientTape() as tape:
            tape.watch(weights)
            y = bincount(False)(splits[r], values[r], weights[r])
        np.testing.assert_array_equal(found[r], tape.gradient(y, weights, output_gradients=g[r])[r])
    start = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(start)
        y = vectorize(lambda a: raw.LinSpace(start=a, stop=a + 1.0, num=3), start)
    assert tape.gradient(y, start) is None


def test_draws_of_all_rows_are_each_within_their_limits() -> None:
    low = tf.constant([[0.0, 10.0], [20.0, 30.0], [40.0, 50.0]])

    def draw(low: Any) -> Any:
        return raw.ParameterizedTruncatedNormal(shape=[2, 50], means=low, stdevs=[1.0], minvals=low, maxvals=low + 1.0)

    found = vectorize(draw, low).numpy()
    assert found.shape == (3, 2, 50)
    assert ((found >= low.numpy()[..., None]) & (found <= low.numpy()[..., None] + 1)).all()
    assert len(np.unique(found)) > 290
    alike = vectorize(lambda x: draw(tf.constant([1.0])) + 0.0 * x, tf.zeros([3, 1])).numpy()
    assert alike.shape == (3, 2, 50)
    assert ((alike >= 1) & (alike <= 2)).all()


def test_integers_that_nothing_determines_differ_from_row_to_row() -> None:
    found = vectorize(lambda x: raw.NonDeterministicInts(shape=[4]) + x, tf.zeros([3], tf.int64)).numpy()
    assert found.shape == (3, 4)
    assert len(np.unique(found)) == 12
