"""Readers, the queues that give them names, and the batches of what they read, in graphs and sessions."""

from __future__ import annotations

import os
import tempfile
import zlib
from collections.abc import Callable
from typing import Any

import numpy as np

from .kit import Answers, raises

FACE = "v1"


def _files(tf: Any) -> dict[str, str]:
    folder = tempfile.mkdtemp()
    contents = {
        "lines": b"head\none\r\ntwo",
        "more": b"head\nthree\n",
        "bytes": b"-abcdef!",
        "packed": zlib.compress(b"abcdef"),
        "empty": b"",
    }
    for name, content in contents.items():
        with open(os.path.join(folder, name), "wb") as file:
            file.write(content)
    for name, options in (("records", None), ("zipped", tf.python_io.TFRecordOptions(tf.python_io.TFRecordCompressionType.GZIP))):
        with tf.python_io.TFRecordWriter(os.path.join(folder, name), options=options) as writer:
            for text in (b"first", b"", b"third"):
                writer.write(text)
    return {name: os.path.join(folder, name) for name in (*contents, "records", "zipped")}


def _short(key: bytes) -> bytes:
    return key.rsplit(b"/", 1)[-1]


def in_sessions(tf: Any) -> Answers:
    paths = _files(tf)

    def runs(program: Callable[[Any], Any]) -> Callable[[], Any]:
        def answer() -> Any:
            with tf.Graph().as_default(), tf.Session() as session:
                return program(session)

        return answer

    def all_of(make: Callable[[], Any], *names: str) -> Callable[[Any], Any]:
        """What a reader gives until the queue of names is at its end, and what it has counted."""

        def program(session: Any) -> Any:
            queue = tf.FIFOQueue(9, tf.string, [[]])
            reader = make()
            record, counts = reader.read(queue), [reader.num_records_produced(), reader.num_work_units_completed()]
            session.run(queue.enqueue_many([[paths[name] for name in names]]))
            session.run(queue.close())
            found: list[Any] = []
            try:
                while len(found) < 20:
                    key, value = session.run(record)
                    found += [_short(key), _short(value)]
            except tf.errors.OutOfRangeError:
                return [*found, *session.run(counts)]

        return program

    def several(session: Any) -> Any:
        queue, reader = tf.FIFOQueue(9, tf.string, [[]]), tf.TextLineReader()
        keys, values = reader.read_up_to(queue, 5)
        session.run(queue.enqueue_many([[paths["lines"], paths["more"]]]))
        found = [session.run(values) for _ in range(2)]
        return [*found, keys.shape, values.shape, keys.name, reader.reader_ref.op.type, reader.supports_serialize]

    def anew(session: Any) -> Any:
        queue, reader = tf.FIFOQueue(9, tf.string, [[]]), tf.TextLineReader()
        value = reader.read(queue)[1]
        session.run(queue.enqueue_many([[paths["lines"], paths["more"]]]))
        found = session.run(value)
        session.run(reader.reset())
        return [found, session.run(value), session.run(reader.num_records_produced())]

    def missing(session: Any) -> Any:
        queue = tf.FIFOQueue(9, tf.string, [[]])
        value = tf.WholeFileReader().read(queue)[1]
        session.run(queue.enqueue("/nowhere"))
        session.run(value)

    def matching(session: Any) -> Any:
        names = tf.train.match_filenames_once(os.path.join(os.path.dirname(paths["more"]), "*e*s"))
        session.run(tf.local_variables_initializer())
        return [[_short(n) for n in session.run(names)], [_short(n) for n in session.run(tf.matching_files(paths["more"][:-1] + "?"))]]

    kinds = {
        "whole": (tf.WholeFileReader, "lines", "empty"),
        "lines": (tf.TextLineReader, "lines", "empty", "more"),
        "lines without heads": (lambda: tf.TextLineReader(skip_header_lines=1), "lines", "more"),
        "records": (tf.TFRecordReader, "records", "records"),
        "names": (tf.IdentityReader, "lines", "more"),
        "zipped": (lambda: tf.TFRecordReader(options=tf.python_io.TFRecordOptions(tf.python_io.TFRecordCompressionType.GZIP)), "zipped"),
        "pieces": (lambda: tf.FixedLengthRecordReader(2, header_bytes=1, footer_bytes=1), "bytes"),
        "overlapping": (lambda: tf.FixedLengthRecordReader(3, header_bytes=1, hop_bytes=1), "bytes"),
        "packed": (lambda: tf.FixedLengthRecordReader(2, encoding="ZLIB"), "packed"),
        "with a rest": (lambda: tf.FixedLengthRecordReader(3), "bytes"),
    }
    return {name: runs(all_of(make, *files)) for name, (make, *files) in kinds.items()} | {
        "several": runs(several),
        "anew": runs(anew),
        "missing": raises(runs(missing)),
        "matching": runs(matching),
    }


def pipelines(tf: Any) -> Answers:
    def runs(make: Callable[[], Any], until_the_end: bool = True) -> Callable[[], Any]:
        """Every answer of what `make` gives, while threads fill the queues."""

        def answer() -> Any:
            with tf.Graph().as_default(), tf.Session() as session:
                tf.set_random_seed(1)
                wanted = make()
                session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
                coordinator = tf.train.Coordinator()
                threads = tf.train.start_queue_runners(session, coordinator)
                found: list[Any] = []
                try:
                    while len(found) < (50 if until_the_end else 3):
                        found.append(session.run(wanted))
                except tf.errors.OutOfRangeError:
                    found.append("the end")
                coordinator.request_stop()
                coordinator.join(threads)
                return found

        return answer

    def named() -> Any:
        with tf.Graph().as_default():
            queue = tf.train.string_input_producer(["a", "b"], num_epochs=2)
            rows = tf.train.slice_input_producer([np.zeros([3, 2], np.float32), ["x", "y", "z"]])
            batches = tf.train.batch([*rows, queue.dequeue()], 4)
            more = tf.train.shuffle_batch({"b": rows[0], "a": rows[1]}, 4, 20, 5, num_threads=2, allow_smaller_final_batch=True)
            runners = tf.get_collection(tf.GraphKeys.QUEUE_RUNNERS)
            found = [
                queue.name,
                [t.name for t in rows],
                [t.name for t in batches],
                [t.shape for t in batches],
                sorted(more),
                more["b"].shape,
            ]
            locals_ = [v.name for v in tf.local_variables()]
            return [
                *found,
                [r.name for r in runners],
                [len(r.enqueue_ops) for r in runners],
                locals_,
                len(tf.get_collection(tf.GraphKeys.SUMMARIES)),
            ]

    def shuffled() -> Any:
        found = runs(lambda: tf.train.slice_input_producer([list(range(6))], num_epochs=2, seed=3)[0])()
        return found

    numbers = lambda **how: tf.train.range_input_producer(7, num_epochs=1, shuffle=False, **how).dequeue()
    rows = np.arange(12, dtype=np.float32).reshape(6, 2)

    def of_two_threads() -> Any:
        found = runs(lambda: tf.train.batch_join([[numbers()], [numbers() + 10]], 7))()
        return [sorted(int(n) for batch in found[:-1] for n in batch), found[-1]]

    def in_any_order() -> Any:
        found = runs(lambda: tf.train.shuffle_batch([numbers(), numbers()], 7, 30, 10))()
        return [sorted(int(n) for n in found[0][i]) for i in range(2)]

    def joined_in_any_order() -> Any:
        found = runs(lambda: tf.train.shuffle_batch_join([[numbers()], [numbers()]], 14, 30, 10))()
        return sorted(int(n) for n in found[0])

    def kept() -> Any:
        number = numbers()
        return tf.train.maybe_batch([number], number % 2 > 0, 2, allow_smaller_final_batch=True)

    def kept_rows() -> Any:
        part = tf.train.input_producer(rows, num_epochs=1, shuffle=False).dequeue_many(3)
        return tf.train.maybe_batch([part], part[:, 0] > 3, 2, enqueue_many=True)

    return {
        "names": named,
        "shuffled": shuffled,
        "of two threads": of_two_threads,
        "in any order": in_any_order,
        "joined in any order": joined_in_any_order,
        "again and again": runs(lambda: tf.train.string_input_producer(["a", "b"], shuffle=False).dequeue(), False),
        "twice": runs(lambda: tf.train.string_input_producer(["a", "b"], num_epochs=2, shuffle=False).dequeue()),
        "rows": runs(lambda: tf.train.input_producer(rows, num_epochs=1, shuffle=False).dequeue()),
        "batches": runs(lambda: tf.train.batch([numbers(), rows[0]], 3)),
        "with the rest": runs(lambda: tf.train.batch([numbers()], 3, allow_smaller_final_batch=True)),
        "a dictionary": runs(lambda: tf.train.batch({"n": numbers(), "m": tf.constant([1.0, 2.0])}, 4)),
        "one": runs(lambda: tf.train.batch({"n": numbers()}, 4)),
        "filled up": runs(lambda: tf.train.batch([tf.range(numbers())], 3, dynamic_pad=True)),
        "kept": runs(kept),
        "kept rows": runs(kept_rows),
        "many": runs(
            lambda: tf.train.batch([tf.train.limit_epochs(tf.constant(rows), 1)], 4, enqueue_many=True, allow_smaller_final_batch=True)
        ),
        "none": raises(lambda: tf.train.string_input_producer([])),
        "no epochs": raises(lambda: tf.train.limit_epochs(tf.constant(1), 0)),
        "nothing": raises(lambda: tf.train.batch([], 2)),
        "no rank": raises(lambda: tf.train.batch([tf.placeholder(tf.float32)], 2)),
        "too few": raises(lambda: tf.train.shuffle_batch([tf.constant(1)], 2, 5, 5)),
        "no shape": raises(lambda: tf.train.input_producer(tf.placeholder(tf.float32, [None, None]))),
        "other dtypes": raises(lambda: tf.train.batch_join([[tf.constant(1)], [tf.constant(1.0)]], 2)),
        "other keys": raises(lambda: tf.train.batch_join([{"a": tf.constant(1)}, {"b": tf.constant(1)}], 2)),
        "a vector says": raises(lambda: tf.train.maybe_batch([tf.constant([1])], tf.constant([True]), 2)),
    }
