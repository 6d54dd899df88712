"""Tables of TensorFlow 1's graphs: filled by an operation, in each session by itself."""

from __future__ import annotations

from typing import Any

import pytest

import pullback.compat.v1 as tf


def _table(keys: Any = ("a", "b"), values: Any = (1, 2)) -> Any:
    return tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(list(keys), list(values)), -1)


def test_a_table_is_filled_in_each_session() -> None:
    with tf.Graph().as_default(), tf.Session() as sess, tf.Session() as other:
        table = _table()
        found = table.lookup(tf.constant(["b", "z"]))
        with pytest.raises(tf.errors.FailedPreconditionError, match="Table not initialized"):
            sess.run(found)
        assert sess.run(table.size()) == 0
        sess.run(table.initializer)
        sess.run(table.initializer)
        assert sess.run(found).tolist() == [2, -1] and sess.run(table.size()) == 2
        assert sess.run(table.export())[0].tolist() == [b"a", b"b"]
        with pytest.raises(tf.errors.FailedPreconditionError, match="Table not initialized"):
            other.run(found)


def test_tables_initializer_fills_all_tables() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        tables = [_table(), _table(["c"], [7])]
        assert tf.get_collection(tf.GraphKeys.TABLE_INITIALIZERS) == [table.initializer for table in tables]
        assert [t.initializer.name for t in tables] == ["key_value_init/LookupTableImportV2", "key_value_init_1/LookupTableImportV2"]
        sess.run(tf.tables_initializer())
        assert [sess.run(table.lookup(tf.constant(["c"]))).tolist() for table in tables] == [[-1], [7]]
        sess.run(tf.tables_initializer())


def test_words_with_buckets_for_others_and_in_bodies() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        words = tf.lookup.KeyValueTensorInitializer(["a", "b"], tf.constant([0, 1], tf.int64))
        table = tf.lookup.StaticVocabularyTable(words, 3)
        sess.run(table.initializer)
        assert sess.run(table.lookup(tf.constant(["a", "b", "zz"]))).tolist() == [0, 1, 3] and sess.run(table.size()) == 5
        each = tf.map_fn(lambda word: table.lookup(word), tf.constant(["b", "zz"]), dtype=tf.int64)
        chosen = tf.cond(tf.constant(True), lambda: table.lookup(tf.constant("b")), lambda: tf.constant(9, tf.int64))
        assert sess.run(each).tolist() == [1, 3] and sess.run(chosen) == 1


def test_eagerly_a_table_is_filled_at_once() -> None:
    table = _table()
    assert table.initializer is None and table.lookup(tf.constant(["b"])).numpy().tolist() == [2]
