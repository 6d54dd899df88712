"""Datasets of files: lines, records, pieces; examples written and parsed."""

from __future__ import annotations

import os
import tempfile
from typing import Any

import numpy as np

from .kit import Answers, raises

FACE = "v2"


def _all(dataset: Any) -> list[Any]:
    return list(dataset.as_numpy_iterator())


def _path(name: str) -> str:
    return os.path.join(tempfile.mkdtemp(), name)


def _written(content: bytes) -> str:
    path = _path("file")
    with open(path, "wb") as file:
        file.write(content)
    return path


def files(tf: Any) -> Answers:
    lines = _written(b"one\ntwo\r\n\nfour")
    more = _written(b"five\nsix\n")

    def recorded(kind: Any = None) -> str:
        path = _path("records")
        with tf.io.TFRecordWriter(path, kind) as writer:
            for record in (b"one", b"", b"x" * 1000, "text".encode()):
                writer.write(record)
        return path

    plain = recorded()

    def damaged(at: int) -> str:
        with open(plain, "rb") as file:
            content = bytearray(file.read())
        content[at] ^= 1
        return _written(bytes(content))

    def cut(at: int) -> str:
        with open(plain, "rb") as file:
            return _written(file.read()[:at])

    def content() -> Any:
        with open(plain, "rb") as file:
            return np.frombuffer(file.read(), np.uint8)

    data = tf.data
    return {
        "lines": lambda: [_all(data.TextLineDataset(lines)), _all(data.TextLineDataset([lines, more])), _all(data.TextLineDataset(lines).skip(1).map(tf.strings.length)), str(data.TextLineDataset(lines).element_spec)],
        "lines in turn": lambda: [_all(data.TextLineDataset([lines, more], num_parallel_reads=2)), _all(data.Dataset.from_tensor_slices([lines, more]).interleave(data.TextLineDataset, cycle_length=2, block_length=2)),
                                  _all(data.TextLineDataset(data.Dataset.from_tensor_slices([more, lines]))), _all(data.Dataset.from_tensor_slices([lines, more]).flat_map(data.TextLineDataset))],
        "records": lambda: [_all(data.TFRecordDataset(plain)), _all(data.TFRecordDataset([recorded("GZIP")], "GZIP")), _all(data.TFRecordDataset(recorded("ZLIB"), "ZLIB")), _all(data.TFRecordDataset(recorded(tf.io.TFRecordOptions("GZIP", compression_level=3)), compression_type="GZIP")),
                            int(data.TFRecordDataset(plain).cardinality()), isinstance(data.TFRecordDataset(plain), data.Dataset)],
        "bytes": content, "pieces": lambda: [_all(data.FixedLengthRecordDataset(_written(b"--abcdef-"), 2, 2, 1)), _all(data.FixedLengthRecordDataset([_written(b"abcd")], 4))],
        "listed": lambda: [os.path.basename(p) for p in _all(data.Dataset.list_files(lines, shuffle=False))],
        "functions": lambda: tf.function(lambda name: tf.data.TextLineDataset(name).reduce(0, lambda n, line: n + tf.strings.length(line)))(tf.constant(lines)),
        "damaged": raises(lambda: _all(data.TFRecordDataset(damaged(14)))), "damaged length": raises(lambda: _all(data.TFRecordDataset(damaged(0)))), "cut": raises(lambda: _all(data.TFRecordDataset(cut(17)))),
        "cut head": lambda: _all(data.TFRecordDataset(cut(25))), "no file": raises(lambda: _all(data.TextLineDataset("/no/such/file"))), "no records": raises(lambda: _all(data.TFRecordDataset("/no/such/file"))),
        "no compression": raises(lambda: _all(data.TextLineDataset(lines, "LZW"))), "names": raises(lambda: data.TFRecordDataset(3)), "names in a dataset": raises(lambda: data.TFRecordDataset(data.Dataset.range(3))),
        "uneven pieces": raises(lambda: _all(data.FixedLengthRecordDataset(_written(b"abcde"), 2))), "no directory": raises(lambda: tf.io.TFRecordWriter("/no/such/directory/file").write(b"")),
        "options": raises(lambda: tf.io.TFRecordOptions("LZW")),
    }  # fmt: skip


def _example(tf: Any, **features: Any) -> bytes:
    def feature(values: Any) -> Any:
        if values and all(isinstance(v, int) for v in values):
            return tf.train.Feature(int64_list=tf.train.Int64List(value=values))
        if values and all(isinstance(v, float) for v in values):
            return tf.train.Feature(float_list=tf.train.FloatList(value=values))
        return tf.train.Feature(bytes_list=tf.train.BytesList(value=values))

    return tf.train.Example(features=tf.train.Features(feature={k: feature(v) for k, v in features.items()})).SerializeToString(deterministic=True)


def examples(tf: Any) -> Answers:
    io = tf.io
    one, two = _example(tf, n=[1, 2], x=[0.5], s=[b"a", b"bc"]), _example(tf, n=[3, 4], s=[])
    both = [one, two]

    def message() -> Any:
        found = tf.train.Example.FromString(one)
        other = tf.train.Example()
        other.features.feature["k"].int64_list.value.extend([4, 5])
        return [list(found.features.feature["n"].int64_list.value), list(found.features.feature["s"].bytes_list.value), sorted(found.features.feature), found.features.feature["x"].WhichOneof("kind"), other.SerializeToString(), str(other)]

    def sparse(x: Any) -> Any:
        return [x.indices, x.values, x.dense_shape, str(x.shape)]

    features = {"n": io.FixedLenFeature([2], tf.int64), "x": io.FixedLenFeature([], tf.float32, default_value=9.0)}

    def dataset() -> Any:
        path = _path("examples")
        with io.TFRecordWriter(path) as writer:
            for i in range(5):
                writer.write(_example(tf, i=[i], pixels=[float(i)] * 4, name=[f"n{i}".encode()]))
        spec = {"i": io.FixedLenFeature([], tf.int64), "pixels": io.FixedLenFeature([2, 2], tf.float32), "name": io.FixedLenFeature([], tf.string)}
        records = tf.data.TFRecordDataset(path)
        single = records.map(lambda r: io.parse_single_example(r, spec))
        return [_all(single)[3], _all(single.batch(2))[1], _all(records.batch(3).map(lambda r: io.parse_example(r, spec)))[1], str(single.element_spec)]

    steps = tf.train.FeatureLists(feature_list={
        "n": tf.train.FeatureList(feature=[tf.train.Feature(int64_list=tf.train.Int64List(value=[i, i + 1])) for i in range(3)]),
        "w": tf.train.FeatureList(feature=[tf.train.Feature(bytes_list=tf.train.BytesList(value=[b"a"] * i)) for i in (2, 0, 1)]),
    })  # fmt: skip
    sequence = tf.train.SequenceExample(context=tf.train.Features(feature={"c": tf.train.Feature(int64_list=tf.train.Int64List(value=[7]))}), feature_lists=steps).SerializeToString()
    context, sequences = {"c": io.FixedLenFeature([], tf.int64)}, {"n": io.FixedLenSequenceFeature([2], tf.int64), "w": io.VarLenFeature(tf.string)}

    def of_sequence() -> Any:
        c, s = io.parse_single_sequence_example(sequence, context, sequences)
        return [c["c"], s["n"], *sparse(s["w"])]

    def of_sequences() -> Any:
        c, s, lengths = io.parse_sequence_example([sequence, sequence], context, {"n": sequences["n"]})
        return [c["c"], s["n"], lengths["n"], str(s["n"].shape)]

    return {
        "message": message, "dataset": dataset, "fixed": lambda: io.parse_example(both, features), "single": lambda: io.parse_single_example(one, features), "shapes": lambda: [str(v.shape) for v in io.parse_example(both, features).values()],
        "defaults": lambda: io.parse_example([two], {"x": io.FixedLenFeature([2], tf.float32, [1.0, 2.0]), "q": io.FixedLenFeature([], tf.string, "none")}),
        "variable": lambda: [sparse(io.parse_example(both, {"s": io.VarLenFeature(tf.string)})["s"]), sparse(io.parse_single_example(one, {"s": io.VarLenFeature(tf.string)})["s"]), sparse(io.parse_single_example(two, {"q": io.VarLenFeature(tf.int64)})["q"])],
        "ragged": lambda: [io.parse_example(both, {"s": io.RaggedFeature(tf.string)})["s"].to_list(), io.parse_single_example(one, {"s": io.RaggedFeature(tf.string)})["s"], io.parse_example(both, {"r": io.RaggedFeature(tf.int64, "n", row_splits_dtype=tf.int64)})["r"].to_list()],
        "sparse": lambda: [sparse(io.parse_example([_example(tf, at=[3, 1], v=[0.5, 1.5]), _example(tf)], {"f": io.SparseFeature("at", "v", tf.float32, 10)})["f"]),
                           sparse(io.parse_single_example(_example(tf, at=[3, 1], by=[0, 2], v=[0.5, 1.5]), {"f": io.SparseFeature(["at", "by"], "v", tf.float32, [10, 4])})["f"])],
        "sequences of values": lambda: [io.parse_example([_example(tf, a=[1, 2, 3, 4]), _example(tf, a=[5, 6]), _example(tf)], {"a": io.FixedLenSequenceFeature([2], tf.int64, allow_missing=True, default_value=-1)})["a"],
                                        io.parse_single_example(_example(tf, a=[1, 2]), {"a": io.FixedLenSequenceFeature([], tf.int64, allow_missing=True)})["a"]],
        "sequence example": of_sequence, "sequence examples": of_sequences,
        "in a function": lambda: tf.function(lambda s: io.parse_single_example(s, features)["n"] * 2)(tf.constant(one)),
        "missing": raises(lambda: io.parse_example([two], {"x": io.FixedLenFeature([], tf.float32)})), "another dtype": raises(lambda: io.parse_single_example(one, {"n": io.FixedLenFeature([2], tf.float32)})),
        "another number": raises(lambda: io.parse_example([one], {"n": io.FixedLenFeature([3], tf.int64)})), "no example": raises(lambda: io.parse_single_example(b"abc", features)), "no features": raises(lambda: io.parse_example([one], {})),
        "none": raises(lambda: io.parse_single_example(one, None)), "no feature": raises(lambda: io.parse_example([one], {"n": 3})), "missing sequence": raises(lambda: io.parse_single_sequence_example(sequence, None, {"q": io.FixedLenSequenceFeature([], tf.int64)})),
        "no sequence features": raises(lambda: io.parse_single_sequence_example(sequence)), "int32": raises(lambda: io.parse_example([one], {"n": io.FixedLenFeature([2], tf.int32)})),
        "unknown shape": raises(lambda: io.parse_example([one], {"n": io.FixedLenFeature([None], tf.int64)})),
    }  # fmt: skip
