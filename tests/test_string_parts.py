"""Strings taken apart, put together, coded and compared, natively and without."""

import base64
import random
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

import pullback as tf
from pullback.tensorflow.strings.distance import EDIT_DISTANCE
from tests.native_kit import run_loops

PIECES = [b" ", b",", b"a", b"b", b"\n", b"\0", b"", b"\xc3\xa9", b"ab"]


def drawn(rng: random.Random, count: int) -> Any:
    found = np.empty(count, object)
    found[:] = [b"".join(rng.choices(PIECES, k=rng.randint(0, 6))) for _ in range(count)]
    return tf.constant(found)


def both_ways(f: Callable[[], Any]) -> list[Any]:
    """What a function gives natively; it gives the same where Python runs its loops."""
    answers = []
    with pytest.MonkeyPatch.context() as patch:
        for native in (True, False):
            run_loops(native, patch)
            answers.append([np.asarray(t.numpy()) for t in f()])
    for x, y in zip(*answers, strict=True):
        assert x.dtype == y.dtype
        assert x.shape == y.shape
        assert x.tolist() == y.tolist()
    return answers[0]


@pytest.mark.parametrize("count", [0, 1, 40])
def test_splits(count: int) -> None:
    rng = random.Random(count)
    x = drawn(rng, count)
    for sep in ("", " ", ",", "ab", "aba"):
        for limit in (-1, 0, 1, 2):
            indices, values, shape = both_ways(partial(tf.raw_ops.StringSplitV2, input=x, sep=sep, maxsplit=limit))
            if sep:
                rows = [s.split(sep.encode(), limit) for s in x.numpy()]
                assert values.tolist() == [part for row in rows for part in row]
                assert shape.tolist() == [count, max(map(len, rows), default=0)]
                assert indices.tolist() == [[i, k] for i, row in enumerate(rows) for k in range(len(row))]
        for skip in (True, False):
            both_ways(partial(tf.raw_ops.StringSplit, input=x, delimiter=sep, skip_empty=skip))


def test_ngrams() -> None:
    rng = random.Random(5)
    for _ in range(60):
        count = rng.choice([0, 1, 2, 20])
        splits = np.array([0, *sorted(rng.choices(range(count + 1), k=rng.randint(0, 4))), count], rng.choice([np.int32, np.int64]))
        how: dict[str, Any] = {
            "separator": rng.choice(["", "--"]),
            "ngram_widths": rng.choice([[1], [2], [3], [2, 3], [4, 1]]),
            "left_pad": rng.choice(["", "<<"]),
            "right_pad": rng.choice(["", ">"]),
            "pad_width": rng.choice([-1, 0, 1, 2, 5]),
            "preserve_short_sequences": rng.random() < 0.5,
        }
        both_ways(partial(tf.raw_ops.StringNGrams, data=drawn(rng, count), data_splits=splits, **how))


@pytest.mark.parametrize("pad", [True, False])
def test_base_64(pad: bool) -> None:
    rng = random.Random(6)
    rows = [b"", *(rng.randbytes(rng.randint(0, 9)) for _ in range(200))]
    (coded,) = both_ways(lambda: [tf.io.encode_base64(rows, pad=pad)])
    expected = [base64.urlsafe_b64encode(s) for s in rows]
    assert coded.tolist() == [s if pad else s.rstrip(b"=") for s in expected]
    assert both_ways(lambda: [tf.io.decode_base64(coded)])[0].tolist() == rows


@pytest.mark.parametrize("native", [True, False])
@pytest.mark.parametrize("wrong", [b"a", b"ab=c", b"a===", b"====", b"ab+d", b"=", b"abcde", b"ab\n=", b"AB=", b"\xff\xff"])
def test_what_is_not_base_64(wrong: bytes, native: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    run_loops(native, monkeypatch)
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"Base64 string length|Invalid character"):
        tf.io.decode_base64([b"abcd", wrong])


def plainly(a: list[Any], b: list[Any]) -> int:
    """An edit distance by its definition."""
    costs = [*range(len(b) + 1)]
    for i, x in enumerate(a):
        before, costs[0] = costs[0], i + 1
        for j, y in enumerate(b):
            before, costs[j + 1] = costs[j + 1], min(before + (x != y), costs[j] + 1, costs[j + 1] + 1)
    return int(costs[-1])


@pytest.mark.parametrize("longest", [1, 5, 63, 64, 65, 130])
@pytest.mark.parametrize("dtype", [np.int64, np.int8, np.uint8, object, np.float32])
def test_edit_distances(longest: int, dtype: Any) -> None:
    rng = random.Random(longest)
    pairs = [[[rng.randrange(3) for _ in range(rng.choice([0, longest, rng.randint(0, longest)]))] for _ in range(2)] for _ in range(8)]
    sparse: list[Any] = []
    for which in (0, 1):
        rows = [pair[which] for pair in pairs]
        indices = np.array([[i, j] for i, row in enumerate(rows) for j in range(len(row))], np.int64).reshape(-1, 2)
        flat = [n for row in rows for n in row]
        values = np.array([b"%d" % n for n in flat], object) if dtype is object else np.array(flat, dtype)
        sparse += [indices, values, np.array([8, longest], np.int64)]
    (found,) = both_ways(lambda: [EDIT_DISTANCE(*sparse, normalize=False)])
    assert found.tolist() == [plainly(*pair) for pair in pairs]
