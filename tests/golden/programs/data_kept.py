"""Datasets kept in files, and tables filled by them."""

from __future__ import annotations

import os
import tempfile
from typing import Any

import numpy as np

from .kit import Answers, raises

FACE = "v2"


def _all(dataset: Any) -> list[Any]:
    return list(dataset.as_numpy_iterator())


def caches(tf: Any) -> Answers:
    data = tf.data.Dataset
    folder = tempfile.mkdtemp()

    def at(name: str) -> str:
        return os.path.join(folder, name)

    def kept() -> list[str]:
        return sorted(os.listdir(folder))

    def calls() -> Any:
        count = tf.Variable(0)
        numbers = data.range(3).map(lambda i: count.assign_add(1)).cache(at("calls"))
        found = [_all(numbers), _all(numbers), int(count)]
        others = data.range(30).map(lambda i: count.assign_add(1)).cache(at("calls"))
        return [*found, _all(others), [name for name in kept() if name.startswith("calls")]]

    def short() -> Any:
        numbers = data.range(4).cache(at("short")).take(2)
        return [_all(numbers), _all(numbers), [name for name in kept() if name.startswith("short")]]

    def twice(dataset: Any, name: str) -> Any:
        cached = dataset.cache(tf.constant(at(name)))
        return [[tf.nest.map_structure(lambda t: np.asarray(t.numpy()).tolist(), element) for element in cached] for _ in range(2)]

    def at_once() -> Any:
        numbers = data.range(3).cache(at("both"))
        first, second = iter(numbers), iter(numbers)
        next(first)
        return next(second)

    def another() -> Any:
        _all(data.range(3).cache(at("ints")))
        return _all(data.from_tensor_slices(["a"]).cache(at("ints")))

    return {
        "calls": calls,
        "short": short,
        "nested": lambda: twice(data.from_tensor_slices({"a": [1, 2], "b": ["x", "y\0"]}), "nested"),
        "ragged": lambda: [[x.numpy().tolist() for x in data.from_tensor_slices(tf.ragged.constant([[1], [2, 3]])).cache(at("r"))]],
        "nothing": lambda: twice(data.range(0), "nothing"),
        "repeated": lambda: _all(data.range(4).cache(at("repeated")).repeat(2).batch(4)),
        "cardinality": lambda: data.range(4).cache(at("size")).cardinality(),
        "at once": raises(at_once, "lockfile already exists"),
        "another dtype": raises(another, "expected string but got int64"),
        "no folder": raises(lambda: _all(data.range(3).cache(at("no/such/x")))),
        "no name": raises(lambda: data.range(3).cache(3)),
    }


def tables(tf: Any) -> Answers:
    made = tf.data.experimental
    words = tf.constant(["a", "b", "z"])

    def pairs(keys: Any, values: Any) -> Any:
        return tf.data.Dataset.from_tensor_slices((keys, values))

    def ints(*values: int) -> Any:
        return tf.constant(values, tf.int64)

    two = pairs(["a", "b"], ["apple", "banana"])
    three = tf.data.Dataset.from_tensor_slices(["a", "b", "c"])
    numbers = tf.data.Dataset.range(3)

    def inside() -> Any:
        look = tf.function(lambda: made.index_table_from_dataset(three).lookup(words))
        return look()

    return {
        "static": lambda: tf.lookup.StaticHashTable(made.DatasetInitializer(two), "?").lookup(words),
        "dtypes": lambda: [made.DatasetInitializer(two).key_dtype, made.DatasetInitializer(two).value_dtype],
        "default": lambda: made.table_from_dataset(two, default_value="n/a").lookup(words),
        "numbers": lambda: made.table_from_dataset(pairs(["a"], [4.0])).lookup(words),
        "buckets": lambda: made.table_from_dataset(pairs(["a", "b"], ints(0, 1)), num_oov_buckets=2).lookup(words),
        "size": lambda: made.table_from_dataset(pairs(["a", "b"], ints(4, 5)), num_oov_buckets=2).size(),
        "keys of integers": lambda: made.table_from_dataset(pairs(ints(1), ints(2)), key_dtype=tf.int64, num_oov_buckets=3).lookup(ints(1, 2, 3)),
        "first ones": lambda: made.table_from_dataset(two, vocab_size=1, default_value="?").lookup(words),
        "without end": lambda: made.table_from_dataset(pairs(["a"], ints(4)).repeat(), vocab_size=1).lookup(words),
        "index": lambda: made.index_table_from_dataset(three).lookup(words),
        "index, buckets": lambda: made.index_table_from_dataset(three, vocab_size=1, num_oov_buckets=1).lookup(words),
        "index in a function": inside,
        "too few": raises(lambda: made.table_from_dataset(two, vocab_size=3, default_value="?"), "expected to contain 3 elements"),
        "two values": raises(lambda: made.table_from_dataset(pairs(["a", "a"], ints(1, 2))), "has different value for same key"),
        "no default": raises(lambda: made.table_from_dataset(two), "must be specified"),
        "no size": raises(lambda: made.table_from_dataset(two, vocab_size=0, default_value="?"), "greater than 0, got 0"),
        "buckets below 0": raises(lambda: made.table_from_dataset(two, num_oov_buckets=-1, default_value="?"), "got -1"),
        "keys of floats": raises(lambda: made.table_from_dataset(two, key_dtype=tf.float32, default_value="?"), "either an integer or string"),
        "values of int32": raises(lambda: made.table_from_dataset(pairs(["a"], [4]), num_oov_buckets=1), "expected"),
        "no pairs": raises(lambda: made.DatasetInitializer(numbers)),
        "three parts": raises(lambda: made.DatasetInitializer(numbers.map(lambda i: (i, i, i))), "3 components instead of two"),
        "vectors": raises(lambda: made.DatasetInitializer(pairs([[1]], [[1]])), "non-scalar key Tensors of rank 1"),
        "a tuple as key": raises(lambda: made.DatasetInitializer(tf.data.Dataset.from_tensors(((), 1))), "non-Tensor keys"),
        "no dataset": raises(lambda: made.table_from_dataset(None)),
    }  # fmt: skip
