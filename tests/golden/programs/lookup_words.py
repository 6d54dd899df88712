"""Tables that number words, made from files and tensors: `tensorflow.python.ops.lookup_ops`, which was `tf.contrib.lookup`."""

from __future__ import annotations

import importlib
import os
import tempfile
from typing import Any

from .kit import Answers, raises

FACE = "v1"


def _functions(tf: Any) -> Any:
    return importlib.import_module("tensorflow.python.ops.lookup_ops") if "tensorflow" in tf.__name__ else tf.contrib.lookup


def _file(content: str = "a\nb\nc\n") -> str:
    path = os.path.join(tempfile.mkdtemp(), "words.txt")
    with open(path, "w", encoding="utf-8") as file:
        file.write(content)
    return path


def words(tf: Any) -> Answers:
    lookup, path = _functions(tf), _file()

    def looked_up(make: Any, *keys: Any) -> Any:
        def answer() -> Any:
            with tf.Graph().as_default(), tf.Session() as session:
                table = make()
                dtype = tf.string if isinstance(keys[0], str) else tf.int64
                found = table.lookup(tf.constant(keys, dtype)), table.size()
                session.run(tf.tables_initializer())
                return session.run(found)

        return answer

    def sparse() -> Any:
        table = lookup.index_table_from_file(path, num_oov_buckets=1)
        given = tf.SparseTensor([[0, 0], [1, 1]], ["a", "q"], [2, 2])
        with tf.Session() as session:
            session.run(tf.tables_initializer())
            return session.run(table.lookup(given).values)

    strong = lookup.StrongHashSpec([1, 2])
    from_file, from_tensor = lookup.index_table_from_file, lookup.index_table_from_tensor
    back_from_file, back_from_tensor = lookup.index_to_string_table_from_file, lookup.index_to_string_table_from_tensor
    columns = {"key_column_index": 0, "value_column_index": 1, "delimiter": " "}
    return {
        "file": looked_up(lambda: from_file(path), "b", "z"),
        "default": looked_up(lambda: from_file(path, default_value=0), "b", "z"),
        "buckets": looked_up(lambda: from_file(path, num_oov_buckets=2), "b", "z", "y"),
        "strong": looked_up(lambda: from_file(path, num_oov_buckets=5, hasher_spec=strong), "b", "z", "y"),
        "some lines": looked_up(lambda: from_file(path, vocab_size=2), "b", "c"),
        "integers": looked_up(lambda: from_file(_file("7 70\n9 90\n"), key_dtype=tf.int64, **columns), 9, 1),
        "tensor": looked_up(lambda: from_tensor(["x", "y"], num_oov_buckets=1), "y", "z"),
        "tensor of integers": looked_up(lambda: from_tensor([10, 20], dtype=tf.int64), 20, 3),
        "back": looked_up(lambda: back_from_file(path, default_value="U"), 1, 9),
        "back from a tensor": looked_up(lambda: back_from_tensor(["x", "y"]), 1, 9),
        "sparse": sparse,
        "no file": raises(lambda: from_file(""), "must be specified"),
        "no size": raises(lambda: from_file(path, vocab_size=0), "greater than 0, got 0"),
        "too many lines": raises(looked_up(lambda: from_file(path, vocab_size=9), "b"), "Invalid vocab_size", "expected 9 but got 3"),
        "a file that is not there": raises(looked_up(lambda: from_file(path + "x"), "b")),
        "buckets below 0": raises(lambda: from_file(path, num_oov_buckets=-1), "got -1"),
        "keys of floats": raises(lambda: from_file(path, key_dtype=tf.float32), "either integer or string"),
        "no words": raises(lambda: from_tensor(None), "must be specified"),
        "floats": raises(lambda: from_tensor([1.0, 2.0]), "Invalid `dtype`"),
        "integers as words": raises(lambda: from_tensor([1, 2], dtype=tf.string), "Invalid `dtype`"),
        "words as integers": raises(lambda: from_tensor(["a"], dtype=tf.int64), "Invalid `dtype`"),
        "a hasher of another kind": raises(lambda: from_tensor(["a"], num_oov_buckets=1, hasher_spec=3), "HasherSpec"),
        "an unknown hasher": raises(
            looked_up(lambda: from_tensor(["a"], num_oov_buckets=1, hasher_spec=lookup.HasherSpec("x", None)), "z"), "unknown hasher"
        ),
        "a key of one": raises(lambda: lookup.StrongHashSpec([1]), "size 2, received 1"),
        "back, no words": raises(lambda: back_from_tensor(None), "must be specified"),
        "back, no file": raises(lambda: back_from_file(""), "must be specified"),
    }
