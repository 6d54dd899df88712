"""Tables of `tf.lookup`: looked up eagerly, in functions and in datasets, filled from tensors and files, changed."""

from __future__ import annotations

import tempfile
from typing import Any

from tests.golden.programs.kit import Answers, raises

FACE = "v2"


def static(tf: Any) -> Answers:
    make = tf.lookup.KeyValueTensorInitializer
    table = tf.lookup.StaticHashTable(make(["a", "b"], [1, 2]), -1)
    words = tf.constant([["b", "z"]])
    numbers = tf.lookup.StaticHashTable(make([1, 2], [1.5, 2.5]), 0)
    names = tf.lookup.StaticHashTable(make([1, 2], ["one", "two"], key_dtype=tf.int64), "none")
    return {
        "words": lambda: table.lookup(words),
        "by brackets": lambda: table[tf.constant("a")],
        "numbers": lambda: numbers.lookup(tf.constant([1, 5])),
        "names": lambda: names.lookup(tf.constant([2, 3], tf.int64)),
        "size": table.size,
        "default": lambda: table.default_value,
        "sparse": lambda: tf.sparse.to_dense(table.lookup(tf.sparse.from_dense([["a", ""], ["", "q"]]))),
        "ragged": lambda: table.lookup(tf.ragged.constant([["a"], ["b", "c"]])).to_list(),
        "in a function": lambda: tf.function(table.lookup)(words),
        "in a dataset": lambda: list(tf.data.Dataset.from_tensor_slices(["a", "q"]).map(table.lookup).as_numpy_iterator()),
        "other keys": raises(lambda: table.lookup(tf.constant([1])), "Dtype of argument `keys`"),
        "two values": raises(lambda: tf.lookup.StaticHashTable(make(["a", "a"], [1, 2]), -1), "different value for same key"),
        "the same twice": lambda: tf.lookup.StaticHashTable(make(["a", "a"], [1, 1]), -1).size(),
        "dtypes": lambda: [table.key_dtype, table.value_dtype],
    }


def vocabulary(tf: Any) -> Answers:
    table = tf.lookup.StaticVocabularyTable(tf.lookup.KeyValueTensorInitializer(["a", "b"], tf.constant([0, 1], tf.int64)), 3)
    words = tf.constant(["a", "b", "q", "r", "s"])
    return {"numbers": lambda: table.lookup(words), "size": table.size, "in a function": lambda: tf.function(table.lookup)(words)}


def files(tf: Any) -> Answers:
    index = tf.lookup.TextFileIndex

    def read(text: str, *arguments: Any, **more: Any) -> Any:
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
            file.write(text)
            file.flush()
            return tf.lookup.StaticHashTable(tf.lookup.TextFileInitializer(file.name, *arguments, **more), -1)

    def lines(**more: Any) -> Any:
        return read("a\nb\nc\n", tf.string, index.WHOLE_LINE, tf.int64, index.LINE_NUMBER, **more).lookup(tf.constant(["c", "b", "d"]))

    return {
        "lines": lines,
        "some lines": lambda: lines(vocab_size=2),
        "numbers moved": lambda: lines(value_index_offset=5),
        "columns": lambda: read("x 3\ny 4\n", tf.string, 0, tf.int64, 1, delimiter=" ").lookup(tf.constant(["y"])),
        "no number": raises(lambda: read("", tf.string, index.LINE_NUMBER, tf.int64, 0), "must be int64"),
    }


def changed(tf: Any) -> Answers:
    def steps() -> Any:
        table = tf.lookup.experimental.MutableHashTable(tf.string, tf.int64, -1)
        table.insert(["x", "y"], [5, 6])
        table.insert(["x"], [7])
        before = table.lookup(tf.constant(["x", "q"]))
        table.remove(tf.constant(["x", "q"]))
        keys, values = table.export()
        return [before, table.size(), keys, values]

    def defaults() -> Any:
        table = tf.lookup.experimental.MutableHashTable(tf.string, tf.int64, -1)
        table.insert(["x"], [5])
        one, each = tf.constant(9, tf.int64), tf.constant([10, 20, 30], tf.int64)
        keys = tf.constant(["x", "q", "r"])
        found = [table.lookup(keys, one), table.lookup(keys, dynamic_default_values=each)]
        return [*found, tf.function(lambda keys: table.lookup(keys, one))(tf.constant([["x", "q"]]))]

    def inside() -> Any:
        table = tf.lookup.experimental.MutableHashTable(tf.int64, tf.float32, 0.0)

        @tf.function
        def count(key: Any) -> Any:
            table.insert(key, table.lookup(key) + 1.0)
            return table.lookup(key)

        return [count(tf.constant([3], tf.int64)), count(tf.constant([3], tf.int64)), table.size()]

    return {"steps": steps, "in a function": inside, "defaults": defaults}
