"""Strings keep the zeros at their end, single strings too, wherever they go: NumPy's own fields of bytes would lose them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pullback as tf

WORDS = [[b"a\0\0", b"b\0"], [b"c", b"\0"]]
Dataset = tf.data.Dataset
EXAMPLE = tf.train.Example(
    features=tf.train.Features(feature={"a": tf.train.Feature(bytes_list=tf.train.BytesList(value=[b"q\0\0"]))})
).SerializeToString()


def feature(example: Any) -> Any:
    return tf.io.parse_single_example(example, {"a": tf.io.FixedLenFeature([], tf.string)})["a"]


SINGLE: dict[str, tuple[Callable[[Any], Any], bytes]] = {
    "gather": (lambda m: tf.gather(m[0], 1), b"b\0"),
    "gather_nd": (lambda m: tf.gather_nd(m, [0, 0]), b"a\0\0"),
    "add": (lambda m: m[0, 0] + m[0, 1], b"a\0\0b\0"),
    "a branch": (lambda m: tf.cond(tf.size(m) > 1, lambda: m[0, 0] + "", lambda: m[0, 1]), b"a\0\0"),
    "a loop": (lambda m: tf.while_loop(lambda i, s: i < 2, lambda i, s: (i + 1, s + m[0, 0]), [0, tf.constant(b"")])[1], b"a\0\0a\0\0"),
    "foldl": (lambda m: tf.foldl(lambda a, x: a + x, m[0]), b"a\0\0b\0"),
    "numpy_function": (lambda m: tf.numpy_function(lambda s: s, [m[0, 0]], tf.string), b"a\0\0"),
    "py_function": (lambda m: tf.py_function(lambda s: s, [m[0, 0]], tf.string), b"a\0\0"),
    "a parsed example": (lambda m: feature(tf.constant(EXAMPLE)), b"q\0\0"),
    "pad": (lambda m: tf.pad(m, [[1, 0], [0, 0]])[1, 0], b"a\0\0"),
}


@pytest.mark.parametrize("name", SINGLE)
def test_a_single_string_of_a_graph(name: str) -> None:
    compute, expected = SINGLE[name]
    words = tf.constant(WORDS)
    assert compute(words).numpy() == tf.function(compute)(words).numpy() == expected
    length = tf.function(lambda m: tf.strings.length(compute(m)))(words)
    assert int(length) == len(expected)
    assert tf.function(lambda m: tf.io.decode_raw(compute(m), tf.uint8))(words).numpy().tobytes() == expected


def test_lists_that_functions_of_numpy_give() -> None:
    found = tf.function(lambda: tf.numpy_function(lambda: [[b"a\0", b"b"]], [], tf.string))()
    assert found.numpy().tolist() == [b"a\0", b"b"]


def test_elements_of_datasets(tmp_path: Path) -> None:
    def generate() -> Any:
        yield b"g\0", [b"a\0", b"b\0\0"]

    made = Dataset.from_generator(generate, output_types=(tf.string, tf.string))
    assert [(a.numpy(), b.numpy().tolist()) for a, b in made] == [(b"g\0", [b"a\0", b"b\0\0"])]
    words = Dataset.from_tensor_slices(WORDS[0])
    assert words.reduce(b"", lambda state, word: state + word).numpy() == b"a\0\0b\0"
    assert [s.numpy() for s in words.scan(b"", lambda state, word: (state + word, state + word))] == [b"a\0\0", b"a\0\0b\0"]
    assert [int(n) for n in Dataset.from_tensors(EXAMPLE).map(lambda e: tf.strings.length(feature(e)))] == [3]
    words.save(str(tmp_path / "saved"))
    assert [w.numpy() for w in Dataset.load(str(tmp_path / "saved"))] == WORDS[0]


def test_a_tensor_in_an_example() -> None:
    zeros = tf.io.serialize_tensor(tf.zeros([2, 2], tf.int32)).numpy()
    kept = tf.train.Feature(bytes_list=tf.train.BytesList(value=[zeros]))
    example = tf.train.Example(features=tf.train.Features(feature={"a": kept})).SerializeToString()
    (found,) = Dataset.from_tensors(example).map(lambda e: tf.io.parse_tensor(feature(e), tf.int32))
    np.testing.assert_array_equal(found, np.zeros([2, 2], np.int32))


def test_margins_around_strings_are_empty() -> None:
    assert tf.pad([b"a"], [[1, 1]]).numpy().tolist() == [b"", b"a", b""]
    assert tf.function(lambda: tf.strings.length(tf.pad([b"ab"], [[1, 0]])))().numpy().tolist() == [0, 2]
