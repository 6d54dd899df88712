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


CASES: list[Case] = [
    case("WriteFile", "and read it", read_back, TEXT, smooth=False),
    case("ReadFile", "an empty one", read_back, BYTES, smooth=False),
]

ERRORS: list[ErrorCase] = [
    error("ReadFile: not there", lambda tf, x: tf.io.read_file(tf.strings.join([x, "-not-there"])), NAME),
    error("ReadFile: a folder", lambda tf: tf.io.read_file(tempfile.gettempdir())),
    error("ReadFile: several", lambda tf, x: tf.io.read_file(x), NAMES),
    error("ReadFile: a number", lambda tf: tf.io.read_file(3)),
    error("WriteFile: a folder", lambda tf, x: tf.io.write_file(tempfile.gettempdir(), x), TEXT),
    error("WriteFile: several names", lambda tf, x: tf.io.write_file(x, "a"), NAMES),
    error("WriteFile: several contents", lambda tf, x: tf.io.write_file(os.path.join(FOLDER, "b"), x), NAMES),
]
