"""Cases: files read and written as strings."""

from __future__ import annotations

import os
import tempfile
from typing import Any

import numpy as np

from .case import Case, ErrorCase, case, error

FOLDER = os.path.join(tempfile.gettempdir(), f"pullback-cases-{os.getpid()}")
TEXT, BYTES = np.array(b"caf\xc3\xa9\n\x00\xff", object), np.array(b"", object)
NAME, NAMES = np.array(os.path.join(FOLDER, "inner", "a").encode(), object), np.array([b"a", b"b"], object)


def read_back(tf: Any, contents: Any) -> Any:
    path = os.path.join(FOLDER, "inner", "a")
    written = tf.io.write_file(path, contents)
    with tf.control_dependencies([] if written is None else [written]):
        return tf.io.read_file(path)


def read_message(tf: Any, x: Any) -> Any:
    return tf.io.parse_tensor(tf.io.serialize_tensor(x), x.dtype)


MESSAGES = {
    "floats": np.float32([[1.5, -2.0], [3.0, np.inf]]), "a number": np.int32(3), "truths": np.array([True, False]), "words": NAMES,
    "a word": TEXT, "nothing": np.zeros([2, 0], np.float64), "complex": np.complex64([1 + 2j, 3]), "halves": np.float16([0.1]),
    "bytes": np.uint8([1, 255]), "long ones": np.int64(-(2**60)), "long ones without sign": np.uint64(2**63 + 1),
}  # fmt: skip
RECORDS = np.array([b"1,2.5,a", b'3,,"b,""c"""', b",4,"], object)


def columns(tf: Any, records: Any) -> Any:
    return tf.io.decode_csv(records, [[7], tf.constant([0.5], tf.float64), ""])


CASES: list[Case] = [
    case("DecodeCSV", "fields that are missing and quoted", columns, RECORDS, smooth=False),
    case("DecodeCSV", "one record", columns, RECORDS[1:2].reshape([]), smooth=False),
    case("DecodeCSV", "a matrix", columns, RECORDS.reshape([1, 3]), smooth=False),
    case(
        "DecodeCSV",
        "chosen columns, another delimiter and what is missing",
        lambda tf: tf.io.decode_csv(["1|NA|q", "2|3|'"], [tf.constant([], tf.int64), [9]], "|", na_value="NA", select_cols=[0, 1]),
        smooth=False,
    ),
    case(
        "DecodeCSV", "quotes that are letters", lambda tf: tf.io.decode_csv(['"a,b"'], ["", ""], use_quote_delim=False), smooth=False
    ),
    *(case("SerializeTensor", what, lambda tf, x: tf.io.serialize_tensor(x), x, smooth=False) for what, x in MESSAGES.items()),
    *(case("ParseTensor", what, read_message, x, smooth=False) for what, x in MESSAGES.items()),
    case(
        "ParseTensor",
        "fewer than the shape has",
        lambda tf: tf.io.parse_tensor(tf.make_tensor_proto([7.0, 8.0], shape=[2, 2]).SerializeToString(), tf.float32),
        smooth=False,
    ),
    case("WriteFile", "and read it", read_back, TEXT, smooth=False),
    case("ReadFile", "an empty one", read_back, BYTES, smooth=False),
]

ERRORS: list[ErrorCase] = [
    *(
        error(f"DecodeCSV: {what}", lambda tf, record=record: tf.io.decode_csv([record], [[0], tf.constant([], tf.float32)]))
        for what, record in {
            "too few": "1", "too many": "1,2,3", "no number": "x,2", "a broken one": "1.5,2", "too large": "3000000000,1",
            "missing": "1,", "a lone quote": '1,"a"b"', "a quote inside": '1,2"', "no end": '1,"2', "a line's end": "1\n,2", "nothing": "",
        }.items()
    ),
    error("DecodeCSV: two defaults", lambda tf: tf.io.decode_csv(["1"], [[1, 2]])),
    error("DecodeCSV: truths", lambda tf: tf.io.decode_csv(["1"], [[True]])),
    error("DecodeCSV: a long delimiter", lambda tf: tf.io.decode_csv(["1"], [[1]], field_delim=",,")),
    error("DecodeCSV: columns that do not grow", lambda tf: tf.io.decode_csv(["1,2"], [[1], [1]], select_cols=[1, 0])),
    error("DecodeCSV: another number of columns", lambda tf: tf.io.decode_csv(["1,2"], [[1]], select_cols=[0, 1])),
    error("ParseTensor: another dtype", lambda tf, x: tf.io.parse_tensor(tf.io.serialize_tensor(x), tf.int32), np.float32([1.0])),
    error("ParseTensor: no message", lambda tf: tf.io.parse_tensor("abc", tf.int32)),
    error("ParseTensor: several", lambda tf, x: tf.io.parse_tensor(x, tf.int32), NAMES),
    error("ReadFile: not there", lambda tf, x: tf.io.read_file(tf.strings.join([x, "-not-there"])), NAME),
    error("ReadFile: a folder", lambda tf: tf.io.read_file(tempfile.gettempdir())),
    error("ReadFile: several", lambda tf, x: tf.io.read_file(x), NAMES),
    error("ReadFile: a number", lambda tf: tf.io.read_file(3)),
    error("WriteFile: a folder", lambda tf, x: tf.io.write_file(tempfile.gettempdir(), x), TEXT),
    error("WriteFile: several names", lambda tf, x: tf.io.write_file(x, "a"), NAMES),
    error("WriteFile: several contents", lambda tf, x: tf.io.write_file(os.path.join(FOLDER, "b"), x), NAMES),
]
