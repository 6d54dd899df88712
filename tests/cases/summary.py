"""Cases: TensorFlow 1's summaries, byte for byte where TensorFlow's bytes do not hang on a PNG encoder."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .case import Case, ErrorCase, case, error, floats, ints


def scalar(tf: Any, x: Any) -> Any:
    return tf.summary.scalar("loss", x)


def histogram(tf: Any, x: Any) -> Any:
    return tf.summary.histogram("weights", x)


def text(tf: Any, x: Any) -> Any:
    return tf.summary.text("note", x)


def in_a_session(build: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """What cannot run eagerly in TensorFlow, run in a session of its own."""

    def call(tf: Any) -> Any:
        with tf.Graph().as_default(), tf.Session() as session:
            found = session.run(build(tf))
        return tf.constant(found)

    return call


def merged(tf: Any) -> Any:
    return tf.summary.merge([tf.summary.scalar("a", HALF), tf.summary.scalar("b", TWO)])


def picture(*shape: int, **options: Any) -> Callable[[Any], Any]:
    """The shape of the summary of a picture."""
    return lambda tf: tf.shape(tf.summary.image("picture", floats(*shape, **options)))


def sounds(*shape: int, rate: float = 8000.0, **options: Any) -> Callable[[Any], Any]:
    """The summary of sounds, some of which are too loud."""
    return in_a_session(lambda tf: tf.summary.audio("sound", floats(*shape) * np.float32(1.5), rate, **options))


HALF, TWO = np.array(0.5, "float32"), np.array(2, "int32")
V1: dict[str, Any] = {"face": "v1"}

CASES: list[Case] = [
    *(case("ScalarSummary", d, scalar, np.array(3, d), **V1) for d in ("float32", "float64", "float16", "int32", "int64", "uint8")),
    case("ScalarSummary", "a name with a space", lambda tf, x: tf.summary.scalar("a b", x), HALF, **V1),
    case("ScalarSummary", "not a number", scalar, np.array(np.nan, "float32"), **V1),
    case("HistogramSummary", "powers of two", histogram, np.array([-4.0, -0.5, 0.25, 0.25, 8.0], "float32"), **V1),
    case("HistogramSummary", "zeros", histogram, np.zeros((2, 2), "float32"), **V1),
    case("HistogramSummary", "one integer", histogram, np.array([5], "int32"), **V1),
    case("HistogramSummary", "beyond the last limit", histogram, np.array([2.0**80, -(2.0**80)], "float64"), **V1),
    case("HistogramSummary", "int64 matrix", histogram, ints(3, 3, dtype="int64"), **V1),
    case("ImageSummary", "grey", in_a_session(picture(3, 2, 4, 1)), **V1),
    case("ImageSummary", "half precision", in_a_session(picture(1, 2, 2, 3, dtype="float16")), **V1),
    case("AudioSummaryV2", "one channel", sounds(2, 5), **V1),
    case("AudioSummaryV2", "two channels, more than are kept", sounds(3, 4, 2, max_outputs=2), **V1),
    case("AudioSummaryV2", "one kept", sounds(3, 4, 1, max_outputs=1, family="words"), **V1),
    case("AudioSummaryV2", "no sound", sounds(0, 4), **V1),
    case("AudioSummaryV2", "no moments", sounds(1, 0, rate=44100.5), **V1),
    case("AudioSummaryV2", "a moment every other second", sounds(1, 2, rate=0.4), **V1),
    case("MergeSummary", "two", in_a_session(merged), **V1),
    case("MergeSummary", "all", in_a_session(lambda tf: [merged(tf), tf.summary.merge_all()][1]), **V1),
    case("TensorSummaryV2", "a string", text, np.array(b"hello", object), **V1),
]

ERRORS: list[ErrorCase] = [
    error("summary of a vector as a scalar", scalar, np.zeros(2, "float32"), mode="graph", face="v1"),
    error("histogram of nan", histogram, np.array([np.nan], "float32"), mode="graph", face="v1"),
    error("sound of a vector", sounds(3), mode="graph", face="v1"),
    error("sound of rank 4", sounds(1, 2, 2, 1), mode="graph", face="v1"),
    error("sound without a rate", sounds(1, 3, rate=0.0), mode="graph", face="v1"),
    error("sound with a rate below zero", sounds(1, 3, rate=-8000.0), mode="graph", face="v1"),
    error("sound without channels", sounds(1, 3, 0), mode="graph", face="v1"),
    error("sounds of which none is kept", sounds(1, 3, max_outputs=0), mode="graph", face="v1"),
    error("image of a matrix", in_a_session(lambda tf: tf.summary.image("picture", floats(2, 2))), mode="graph", face="v1"),
]
