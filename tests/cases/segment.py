"""Segments: rows of a tensor reduced by the segment they belong to."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.cases.case import Case, ErrorCase, case, error, floats, ints

SORTED = {f"Segment{kind}": f"segment_{kind.lower()}" for kind in ("Sum", "Mean", "Prod", "Max", "Min")}
UNSORTED = {f"UnsortedSegment{kind}": f"unsorted_segment_{kind.lower()}" for kind in ("Sum", "Prod", "Max", "Min")}
TIES = np.array([[1, 5], [3, 2], [3, 2], [4, 4]], np.float32)


def by(name: str, *args: Any) -> Any:
    """`f(tf, data, ids)` that calls `tf.math.<name>`."""
    return lambda tf, data, ids: getattr(tf.math, name)(data, ids, *args)


def values_only(name: str, *args: Any) -> Any:
    """As `by`, without gradient."""
    return lambda tf, data, ids: getattr(tf.math, name)(tf.stop_gradient(data), ids, *args)


def _sorted(op: str, name: str) -> list[Case]:
    f = by(name)
    complexes = [case(op, "complex64", f, floats(3, dtype="complex64"), [0, 0, 1])] if op[7:] in ("Sum", "Mean") else []
    return [
        case(op, "rows", f, floats(4, 2), [0, 0, 1, 1]),
        case(op, "vector", f, floats(5), [0, 1, 1, 1, 2]),
        case(op, "with a gap", f, floats(3, 2), [0, 0, 3]),
        case(op, "starting late", f, floats(3), [1, 1, 2]),
        case(op, "int64 ids", f, floats(3, 2, 2), np.array([0, 0, 1], np.int64)),
        case(op, "one segment", f, floats(3), [0, 0, 0]),
        case(op, "empty", f, floats(0, 2), ints(0), smooth=False),
        case(op, "empty rows", f, floats(3, 0), [0, 0, 1], smooth=False),
        case(op, "ties", f, TIES, [0, 0, 0, 1], smooth=op in ("SegmentSum", "SegmentMean", "SegmentProd")),
        case(op, "integers", f, [1, 2, 4, -7], [0, 0, 2, 2]),
        case(op, "float64", f, floats(4, dtype="float64"), [0, 0, 1, 1]),
        case(op, "float16", f, floats(4, dtype="float16"), [0, 0, 1, 1]),
        case(op, "bfloat16", f, floats(4, dtype="bfloat16"), [0, 1, 1, 1]),
        *complexes,
    ]


def _unsorted(op: str, name: str) -> list[Case]:
    smooth = op[len("UnsortedSegment") :] in ("Sum", "Prod")  # a segment without rows is the least or greatest number for the others
    complexes = [case(op, "complex64", by(name, 2), floats(3, dtype="complex64"), [1, 0, 1])] if op == "UnsortedSegmentSum" else []
    return [
        case(op, "rows", by(name, 3), floats(4, 2), [2, 0, 0, 2], smooth=smooth),
        case(op, "no segment empty", by(name, 2), floats(4, 2), [1, 0, 0, 1]),
        case(op, "negative ids are dropped", by(name, 2), floats(4, 2), [-1, 0, 1, 0]),
        case(op, "matrix of ids", by(name, 2), floats(2, 3), [[0, 1, 0], [1, 1, 0]]),
        case(op, "matrix of ids, rows", by(name, 2), floats(2, 2, 3), [[0, 1], [1, 1]]),
        case(op, "one id", by(name, 2), floats(2, 2), 1, smooth=smooth),
        case(op, "int64 ids", by(name, np.array(2, np.int64)), floats(3), np.array([1, 0, 1], np.int64)),
        case(op, "empty", by(name, 2), floats(0, 2), ints(0), smooth=False),
        case(op, "no segments", by(name, 0), floats(0), ints(0), smooth=False),
        case(op, "ties", by(name, 2), TIES, [0, 0, 0, 1], smooth=smooth),
        case(op, "integers", by(name, 4), [1, 2, 4, -7], [0, 0, 2, 2]),
        case(op, "float64", by(name, 3), floats(4, dtype="float64"), [0, 2, 1, 0]),
        case(op, "float16", by(name, 2), floats(4, dtype="float16"), [0, 0, 1, 1]),
        case(op, "number is a tensor", lambda tf, x, i, n: getattr(tf.math, name)(x, i, n), floats(3), [1, 0, 1], np.int32(2)),
        *complexes,
    ]


CASES: list[Case] = [
    *(one for op, name in SORTED.items() for one in _sorted(op, name)),
    *(one for op, name in UNSORTED.items() for one in _unsorted(op, name)),
    # TensorFlow's gradients of complex segment products lack a conjugation: the differences deny them.  Only the values are golden.
    case("SegmentProd", "complex64, values", values_only("segment_prod"), floats(3, dtype="complex64"), [0, 0, 1], smooth=False),
    case(
        "UnsortedSegmentProd",
        "complex64, values",
        values_only("unsorted_segment_prod", 2),
        floats(3, dtype="complex64"),
        [1, 0, 1],
        smooth=False,
    ),
    case("SegmentProd", "a zero", by("segment_prod"), [0.0, 2.0, 3.0], [0, 0, 1]),
    case("UnsortedSegmentProd", "one zero", by("unsorted_segment_prod", 2), [0.0, 2.0, 3.0], [0, 0, 1]),
    case("UnsortedSegmentProd", "two zeros", by("unsorted_segment_prod", 2), [0.0, 2.0, 0.0, 5.0], [0, 0, 0, 1]),
    case("UnsortedSegmentProd", "a zero by itself", by("unsorted_segment_prod", 2), [0.0, 2.0, 3.0], [0, 1, 1]),
    case("UnsortedSegmentSum", "mean", by("unsorted_segment_mean", 4), floats(4, 2), [2, 0, 0, 2]),
    case("UnsortedSegmentSum", "mean, negative ids", by("unsorted_segment_mean", 2), floats(4), [-1, 0, 1, 0]),
    case("UnsortedSegmentSum", "mean, matrix of ids", by("unsorted_segment_mean", 2), floats(2, 3), [[0, 1, 0], [1, 1, 0]]),
    case("UnsortedSegmentSum", "mean of integers", by("unsorted_segment_mean", 3), [1, 2, 4, -7], [0, 0, 2, 2]),
    case("UnsortedSegmentSum", "sqrt_n", by("unsorted_segment_sqrt_n", 4), floats(4, 2), [2, 0, 0, 2]),
    case("SegmentSum", "v1", lambda tf, x, i: tf.segment_sum(x, i), floats(3), [0, 0, 1], face="v1"),
    case("UnsortedSegmentSum", "v1", lambda tf, x, i: tf.unsorted_segment_sum(x, i, 2), floats(3), [0, 0, 1], face="v1"),
]


def _errors() -> list[ErrorCase]:
    found: list[ErrorCase] = []
    for op, name in SORTED.items():
        found += [
            error(f"{op}: ids fall", by(name), floats(3, 2), [1, 0, 0]),
            error(f"{op}: negative id", by(name), floats(3, 2), [-1, 0, 0]),
            error(f"{op}: too few ids", by(name), floats(3, 2), [0, 0]),
            error(f"{op}: matrix of ids", by(name), floats(3, 2), [[0, 0, 1]]),
            error(f"{op}: float ids", by(name), floats(3, 2), [0.0, 0.0, 1.0]),
            error(f"{op}: scalar", by(name), floats(), [0]),
            error(f"{op}: too few ids", by(name), floats(3, 2), [0, 0], mode="graph"),
            error(f"{op}: matrix of ids", by(name), floats(3, 2), [[0, 0, 1]], mode="graph"),
            error(f"{op}: float ids", by(name), floats(3, 2), [0.0, 0.0, 1.0], mode="graph"),
        ]
    for op, name in UNSORTED.items():
        found += [
            error(f"{op}: id out of range", by(name, 2), floats(3, 2), [5, 0, 0]),
            error(f"{op}: too few ids", by(name, 2), floats(3, 2), [0, 0]),
            error(f"{op}: negative number", by(name, -1), floats(3, 2), [0, 0, 0]),
            error(f"{op}: float ids", by(name, 2), floats(3, 2), [0.0, 0.0, 1.0]),
            error(f"{op}: too few ids", by(name, 2), floats(3, 2), [0, 0], mode="graph"),
        ]
    return found


ERRORS: list[ErrorCase] = _errors()
