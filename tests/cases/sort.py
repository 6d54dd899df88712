"""Order: argmax, top_k, sorting, membership, the n-th element, and counting."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.cases.case import Case, ErrorCase, bools, case, error, floats, ints

ARGS = {"ArgMax": "argmax", "ArgMin": "argmin"}
TIES = np.array([[1, 3, 3, 2], [2, 0, 0, 5]], np.float32)


def call(name: str, *args: Any, **kwargs: Any) -> Any:
    """`f(tf, x)` that calls `tf.math.<name>` or `tf.<name>` with these arguments."""
    return lambda tf, x: getattr(tf.math if hasattr(tf.math, name) else tf, name)(x, *args, **kwargs)


def parts(result: Any) -> list[Any]:
    """The two tensors of a named tuple."""
    return [result.values, result.indices]


def top(*args: Any, **kwargs: Any) -> Any:
    """`f(tf, x)` for `tf.math.top_k`."""
    return lambda tf, x: parts(tf.math.top_k(x, *args, **kwargs))


def _positions(op: str, name: str) -> list[Case]:
    return [
        case(op, "first axis by default", call(name), floats(2, 3)),
        case(op, "rows", call(name, 1), floats(2, 3)),
        case(op, "last axis", call(name, axis=-1), floats(2, 2, 3)),
        case(op, "ties take the first", call(name, 1), TIES),
        case(op, "int32 result", lambda tf, x: getattr(tf, name)(x, 1, output_type=tf.int32), floats(2, 3)),
        case(op, "of integers", call(name, 0), ints(3, 2)),
        case(op, "of bools", call(name, 0), bools(4)),
        case(op, "float64", call(name, 0), floats(4, dtype="float64")),
        case(op, "bfloat16", call(name, 0), floats(4, dtype="bfloat16")),
        case(op, "empty result", call(name, 1), floats(0, 3)),
        case(op, "size one", call(name, 1), floats(3, 1)),
        case(op, "not a number", call(name, 1), np.array([[1, np.nan, 3], [2, 4, np.nan]], np.float32), smooth=False),
        case(op, "no gradient flows", lambda tf, x: tf.cast(getattr(tf, name)(x, 0), x.dtype), floats(4), smooth=False),
        case(op, "v1 dimension", lambda tf, x: getattr(tf, name)(x, dimension=1), floats(2, 3), face="v1"),
        case(op, f"v1 {name[:3]}_{name[3:]}", lambda tf, x: getattr(tf, f"{name[:3]}_{name[3:]}")(x, 1), floats(2, 3), face="v1"),
    ]


def _slope_of_squares(tf: Any, x: Any) -> Any:
    """The gradient, under a tape of its own, of the squares of the two greatest elements."""
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.math.top_k(x, 2).values ** 2
    return tape.gradient(y, x)


def _top() -> list[Case]:
    op = "TopKV2"
    # The gradient of top_k with indices that are not int32 fails in TensorFlow: those two cases have integer values.
    return [
        case(op, "one by default", top(), floats(2, 4)),
        case(op, "two", top(2), floats(2, 4)),
        case(op, "all", top(k=4), floats(4)),
        case(op, "none", top(0), floats(4), smooth=False),
        case(op, "not sorted", lambda tf, x: tf.reduce_sum(tf.math.top_k(x, 3, sorted=False).values), floats(5)),
        case(op, "int64 indices", lambda tf, x: parts(tf.math.top_k(x, 2, index_type=tf.int64)), ints(2, 4)),
        case(op, "int16 indices", lambda tf, x: parts(tf.nn.top_k(x, 2, index_type=tf.int16)), ints(4)),
        case(op, "ties take the first", top(3), TIES, smooth=False),
        case(op, "integers", top(2), ints(2, 4)),
        case(op, "uint8", top(2), ints(4, dtype="uint8")),
        case(op, "float64 of three axes", top(2), floats(2, 2, 3, dtype="float64")),
        case(op, "float16", top(2), floats(4, dtype="float16")),
        case(op, "bfloat16", top(2), floats(4, dtype="bfloat16")),
        case(op, "values only", lambda tf, x: tf.math.top_k(x, 2)[0], floats(2, 4)),
        case(op, "indices only", lambda tf, x: tf.math.top_k(x, 2).indices, floats(2, 4)),
        case(op, "empty rows", top(2), floats(0, 4), smooth=False),
        case(op, "k is a tensor", lambda tf, x, k: parts(tf.math.top_k(x, k)), floats(2, 4), np.int32(3)),
        case(op, "gradient differentiated again", _slope_of_squares, floats(2, 4)),
        case(op, "then squared", lambda tf, x: tf.math.top_k(x, 2).values ** 2, floats(2, 4)),
    ]


def _sorts() -> list[Case]:
    return [
        case("TopKV2", "sort", call("sort"), floats(2, 4)),
        case("TopKV2", "sort first axis", call("sort", 0), floats(3, 2)),
        case("TopKV2", "sort middle axis", call("sort", axis=1), floats(2, 3, 2)),
        case("TopKV2", "sort descending", call("sort", direction="DESCENDING"), floats(2, 4)),
        case("TopKV2", "sort descending columns", call("sort", 0, "DESCENDING"), floats(3, 2, dtype="float64")),
        case("TopKV2", "sort integers", call("sort"), np.array([3, 1, -2, 1, -(2**31)], np.int32)),
        case("TopKV2", "sort uint8", call("sort"), np.array([3, 1, 255], np.uint8)),
        case("TopKV2", "sort size one", call("sort"), floats(1)),
        case("TopKV2", "sort ties", call("sort"), TIES, smooth=False),
        case("TopKV2", "sort empty", call("sort"), ints(0)),
        case("TopKV2", "argsort", call("argsort"), floats(2, 4)),
        case("TopKV2", "argsort ties", call("argsort"), TIES),
        case("TopKV2", "argsort stable", call("argsort", stable=True), TIES),
        case("TopKV2", "argsort descending ties", call("argsort", direction="DESCENDING"), TIES),
        case("TopKV2", "argsort first axis", call("argsort", axis=0), floats(3, 2)),
        case("TopKV2", "argsort integers", call("argsort"), ints(6, low=-3, high=3)),
    ]


def _nth() -> list[Case]:
    def nth(n: int, reverse: bool = False) -> Any:
        return lambda tf, x: tf.raw_ops.NthElement(input=x, n=n, reverse=reverse)

    return [
        case("NthElement", "least", nth(0), floats(2, 4)),
        case("NthElement", "third", nth(2), floats(2, 4)),
        case("NthElement", "greatest", nth(0, True), floats(4)),
        case("NthElement", "second greatest", nth(1, True), floats(2, 2, 3, dtype="float64")),
        case("NthElement", "ties", nth(1), TIES, smooth=False),
        case("NthElement", "integers", nth(1), ints(2, 4)),
    ]


def _membership() -> list[Case]:
    scores = np.array([[0.1, 0.2, 0.2], [0.1, 0.2, 0.3], [0.9, 0.2, 0.3]], np.float32)
    odd = np.array([[0.2, 0.2, 0.2], [0.1, 0.2, 0.3], [0.1, 0.2, np.nan], [np.nan, 1, 1]], np.float32)
    inside = lambda tf, t, p, k=1: tf.math.in_top_k(t, p, k)
    return [
        case("InTopKV2", "first", inside, [1, 0, 2], scores, smooth=False),
        case("InTopKV2", "second", lambda tf, t, p: tf.math.in_top_k(targets=t, predictions=p, k=2), [1, 0, 2], scores, smooth=False),
        case("InTopKV2", "ties, out of range, not a number", inside, [1, 7, 2, 0], odd, smooth=False),
        case("InTopKV2", "int64 targets", inside, np.array([1, 0, 2], np.int64), scores, smooth=False),
        case("InTopKV2", "nn, k is zero", lambda tf, t, p: tf.nn.in_top_k(t, p, 0), [1, 0, 2], scores, smooth=False),
        case("InTopKV2", "v1 order", lambda tf, p, t: tf.nn.in_top_k(p, t, 2), scores, [1, 0, 2], smooth=False, face="v1"),
    ]


def _counting() -> list[Case]:
    numbers, rows = np.array([1, 1, 3], np.int32), np.array([[1, 1, 3], [0, 0, 0]], np.int32)
    values = np.array([-1, 0, 1.5, 2, 5, 15], np.float32)
    hist = lambda tf, v, **k: tf.histogram_fixed_width(v, tf.constant([0, 5], v.dtype), nbins=5, **k)
    bins = lambda tf, v, **k: tf.histogram_fixed_width_bins(v, tf.constant([0, 5], v.dtype), nbins=5, **k)
    return [
        case("DenseBincount", "plain", call("bincount"), numbers),
        case("DenseBincount", "at least six", call("bincount", minlength=6), numbers),
        case("DenseBincount", "at most two", call("bincount", maxlength=2), numbers),
        case("DenseBincount", "at least six and at most four", call("bincount", minlength=6, maxlength=4), numbers),
        case("DenseBincount", "floats", lambda tf, x: tf.math.bincount(x, dtype=tf.float32), numbers),
        case("DenseBincount", "rows", call("bincount", axis=-1), rows),
        case("DenseBincount", "all of a matrix", call("bincount"), rows),
        case("DenseBincount", "only whether", call("bincount", binary_output=True), numbers),
        case("DenseBincount", "empty", call("bincount"), ints(0)),
        case("DenseBincount", "int64", call("bincount"), numbers.astype(np.int64)),
        case("DenseBincount", "v1", lambda tf, x: tf.bincount(x, minlength=5), numbers, face="v1"),
        case("ScatterNd", "confusion_matrix", lambda tf, a, b: tf.math.confusion_matrix(a, b), [1, 2, 4], [2, 2, 4]),
        case(
            "ScatterNd",
            "confusion_matrix of four",
            lambda tf, a, b: tf.math.confusion_matrix(a, b, 4, dtype=tf.float32),
            [1, 2, 0],
            [2, 2, 0],
        ),
        case("ScatterNd", "confusion_matrix of columns", lambda tf, a, b: tf.math.confusion_matrix(a, b), [[1], [2]], [1, 2]),
        case(
            "ScatterNd",
            "confusion_matrix weighed",
            lambda tf, a, b, w: tf.math.confusion_matrix(a, b, weights=w, dtype=tf.float32),
            [1, 2, 0],
            [2, 2, 0],
            floats(3),
        ),
        case("ScatterNd", "v1 confusion_matrix", lambda tf, a, b: tf.confusion_matrix(a, b, 3, tf.int64), [1, 2], [2, 2], face="v1"),
        case("HistogramFixedWidth", "floats", hist, values, smooth=False),
        case("HistogramFixedWidth", "int64 counts", lambda tf, v: hist(tf, v, dtype=tf.int64), values, smooth=False),
        case("HistogramFixedWidth", "integers", hist, np.array([-1, 0, 1, 2, 5, 15], np.int32)),
        case("HistogramFixedWidth", "matrix", hist, values.reshape(2, 3).astype(np.float64), smooth=False),
        case("HistogramFixedWidth", "bins", bins, values, smooth=False),
        case("HistogramFixedWidth", "bins of a matrix", bins, values.reshape(2, 3), smooth=False),
    ]


CASES: list[Case] = [
    *(one for op, name in ARGS.items() for one in _positions(op, name)),
    case("ArgMax", "int16 result", lambda tf, x: tf.argmax(x, 1, tf.int16), floats(2, 3)),
    *_top(),
    *_sorts(),
    *_nth(),
    *_membership(),
    *_counting(),
]


def _errors() -> list[ErrorCase]:
    found: list[ErrorCase] = []
    for mode in ("eager", "graph"):
        for op, name in ARGS.items():
            found += [
                error(f"{op}: axis out of range", call(name, 5), floats(2, 3), mode=mode),
                error(f"{op}: float result", lambda tf, x, n=name: getattr(tf, n)(x, 0, tf.float32), floats(3), mode=mode),
                error(f"{op}: complex", call(name), floats(3, dtype="complex64"), mode=mode),
                error(f"{op}: axis is a list", call(name, [0]), floats(3), mode=mode),
            ]
        found += [
            error("TopKV2: k larger than the row", top(5), floats(2, 3), mode=mode),
            error("TopKV2: scalar", top(), floats(), mode=mode),
            error("TopKV2: negative k", top(-1), floats(3), mode=mode),
            error("TopKV2: bools", top(), bools(3), mode=mode),
            error("sort: unknown direction", call("sort", 0, "UP"), floats(3), mode=mode),
            error("NthElement: n past the row", lambda tf, x: tf.raw_ops.NthElement(input=x, n=3), floats(2, 3), mode=mode),
            error("InTopKV2: different lengths", lambda tf, t, p: tf.math.in_top_k(t, p, 1), [1, 2], floats(3, 2), mode=mode),
            error(
                "InTopKV2: float64 predictions", lambda tf, t, p: tf.math.in_top_k(t, p, 1), [1], floats(1, 2, dtype="float64"), mode=mode
            ),
        ]
    return [
        *found,
        error("ArgMax: scalar", call("argmax"), floats()),
        error("ArgMax: empty axis", call("argmax"), floats(0)),
        error("DenseBincount: negative", call("bincount"), [-1]),
        error("confusion_matrix: negative label", lambda tf, a, b: tf.math.confusion_matrix(a, b), [-1, 2], [2, 2]),
        error("confusion_matrix: too few classes", lambda tf, a, b: tf.math.confusion_matrix(a, b, 3), [1, 4], [2, 2]),
        error("HistogramFixedWidth: empty range", lambda tf, x: tf.histogram_fixed_width(x, [5.0, 0.0]), floats(3)),
        error("HistogramFixedWidth: no bins", lambda tf, x: tf.histogram_fixed_width(x, [0.0, 5.0], 0), floats(3)),
        error("HistogramFixedWidth: not a number", lambda tf, x: tf.histogram_fixed_width(x, [0.0, 5.0]), np.array([np.nan], np.float32)),
    ]


ERRORS: list[ErrorCase] = _errors()
