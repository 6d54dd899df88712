"""Tables of graphs: filled by an operation, in each session by itself."""

from __future__ import annotations

import tempfile
from typing import Any

from tests.golden.programs.kit import Answers, raises

FACE = "v1"


def _table(tf: Any, keys: Any = ("a", "b"), values: Any = (1, 2)) -> Any:
    return tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(list(keys), list(values)), -1)


def _filled(tf: Any, table: Any, *fetches: Any) -> Any:
    with tf.Session() as session:
        session.run(table.initializer)
        return session.run(list(fetches))


def static(tf: Any) -> Answers:
    words = tf.constant([["b", "z"]])

    def unread() -> Any:
        with tf.Session() as session:
            return session.run(_table(tf).lookup(words))

    def sizes() -> Any:
        table = _table(tf)
        with tf.Session() as session:
            before = session.run(table.size())
            session.run(tf.tables_initializer())
            return [before, session.run(table.size())]

    def fed() -> Any:
        keys = tf.placeholder(tf.string, [None])
        table = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(keys, tf.range(tf.size(keys))), -1)
        with tf.Session() as session:
            session.run(table.initializer, {keys: ["x", "y"]})
            return session.run(table.lookup(tf.constant(["y", "z"])))

    def looked_up() -> Any:
        table = _table(tf)
        return _filled(tf, table, table.lookup(words), table.size())

    def refused() -> Any:
        table = _table(tf, ["a", "a"])
        return _filled(tf, table)

    def filled_by(*keys: list[str]) -> Any:
        fed = tf.placeholder(tf.string, [None])
        table = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(fed, tf.range(tf.size(fed))), -1)
        with tf.Session() as session:
            for given in keys[:-1]:
                session.run(table.initializer, {fed: given})
            try:
                session.run(table.initializer, {fed: keys[-1]})
            except tf.errors.FailedPreconditionError:
                return session.run(table.lookup(tf.constant(["x", "y", "z"])))
            return [session.run(table.lookup(tf.constant(["x", "y", "z"]))), session.run(table.size())]

    return {
        "words": looked_up,
        "sizes": sizes,
        "keys that are fed": fed,
        "not filled": raises(unread, "Table not initialized"),
        "two values": raises(refused, "different value for same key"),
        "refused, it is not filled": raises(lambda: filled_by(["x", "x"]), "Table not initialized"),
        "the same again": lambda: filled_by(["x", "y"], ["x", "y"]),
        "other keys": lambda: filled_by(["x", "y"], ["z", "y", "x"]),
        "operation": lambda: _table(tf).initializer.type,
    }


def lines(tf: Any) -> Answers:
    def read() -> Any:
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
            file.write("emerson 10\nlake 20\n")
            file.flush()
            table = tf.lookup.StaticHashTable(tf.lookup.TextFileInitializer(file.name, tf.string, 0, tf.int64, 1, delimiter=" "), -1)
            return _filled(tf, table, table.lookup(tf.constant(["lake", "palmer"])))

    return {"columns": read}


def vocabulary(tf: Any) -> Answers:
    def numbered() -> Any:
        words = tf.lookup.KeyValueTensorInitializer(["a", "b"], tf.constant([0, 1], tf.int64))
        table = tf.lookup.StaticVocabularyTable(words, 3)
        return _filled(tf, table, table.lookup(tf.constant(["a", "b", "zz"])), table.size())

    return {"numbers": numbered}
