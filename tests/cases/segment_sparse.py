"""Sparse segments: rows chosen by number, reduced by the segment each choice belongs to, and the operations that are their gradients."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.cases.case import Case, ErrorCase, case, error, floats, ints

KINDS = {"Sum": "sum", "Mean": "mean", "SqrtN": "sqrt_n"}
NONE = np.zeros(0, np.int32)


def by(name: str, **options: Any) -> Any:
    """`f(tf, data, indices, ids)` that calls `tf.sparse.segment_<name>`."""
    return lambda tf, data, indices, ids: getattr(tf.sparse, f"segment_{name}")(data, indices, ids, **options)


def stopped(f: Any) -> Any:
    """The same without gradients."""
    return lambda tf, x, *ids: f(tf, tf.stop_gradient(x), *ids)


def _grad(op: str, size: int) -> Any:
    return lambda tf, g, indices, ids: getattr(tf.raw_ops, op)(grad=g, indices=indices, segment_ids=ids, output_dim0=size)


def _grad_v2(op: str, size: int) -> Any:
    return lambda tf, g, indices, ids: list(
        getattr(tf.raw_ops, op)(grad=g, indices=indices, segment_ids=ids, dense_output_dim0=size)
    )


def _of(kind: str, name: str) -> list[Case]:
    op, f = f"SparseSegment{kind}", by(name)
    counted = f"{op}WithNumSegments"
    return [
        case(op, "rows", f, floats(4, 2), [3, 0, 0, 1], [0, 0, 1, 1]),
        case(op, "vector", f, floats(3), [0, 2, 1, 1], [0, 0, 0, 1]),
        case(op, "cubes", f, floats(3, 2, 2), [2, 0], [0, 1]),
        case(op, "a row twice", f, floats(2, 2), [1, 1, 1], [0, 0, 0]),
        case(op, "with a gap", f, floats(3, 2), [0, 1, 2], [0, 0, 3]),
        case(op, "starting late", f, floats(3), [0, 1], [1, 2]),
        case(op, "int64", f, floats(3), np.array([0, 1], np.int64), np.array([0, 0], np.int64)),
        # without choices TensorFlow's gradient is memory that nobody wrote
        case(op, "nothing chosen", stopped(f), floats(3, 2), NONE, NONE, smooth=False),
        case(op, "empty rows", f, floats(3, 0), [0, 1], [0, 1], smooth=False),
        case(op, "float64", f, floats(4, dtype="float64"), [3, 0, 1], [0, 0, 1]),
        case(op, "float16", f, floats(4, dtype="float16"), [3, 0, 1], [0, 0, 1]),
        case(op, "bfloat16", f, floats(4, dtype="bfloat16"), [3, 0, 1], [0, 0, 1]),
        case(op, "sparse gradient", by(name, sparse_gradient=True), floats(4, 2), [3, 0, 0], [0, 0, 1]),
        case(counted, "more segments", by(name, num_segments=4), floats(4, 2), [3, 0, 0], [0, 0, 1]),
        case(counted, "none", stopped(by(name, num_segments=0)), floats(4, 2), NONE, NONE, smooth=False),
        case(counted, "sparse gradient", by(name, num_segments=3, sparse_gradient=True), floats(4), [3, 0, 0], [0, 0, 1]),
        case(counted, "int64", by(name, num_segments=np.int64(3)), floats(4), [3, 0, 0], [0, 0, 1]),
    ]


#: TensorFlow has no gradients for these: ours are held against differences.
def _grads(kind: str) -> list[Case]:
    op, v2 = f"SparseSegment{kind}Grad", f"SparseSegment{kind}GradV2"
    return [
        case(op, "rows", _grad(op, 4), floats(2, 2), [3, 0, 0], [0, 0, 1]),
        case(op, "vector", _grad(op, 3), floats(2), [1, 0], [0, 1]),
        case(v2, "rows", _grad_v2(v2, 4), floats(2, 2), [3, 0, 0], [0, 0, 1]),
        case(v2, "float64", _grad_v2(v2, 4), floats(2, dtype="float64"), [3, 0, 0], [0, 0, 1]),
    ]


CASES: list[Case] = [
    *(one for kind, name in KINDS.items() for one in (*_of(kind, name), *_grads(kind))),
    case("SparseSegmentSum", "integers", by("sum"), ints(4), [3, 0, 1], [0, 0, 1]),
    case(
        "SparseSegmentMean",
        "TensorFlow 1's name",
        lambda tf, x, i, s: tf.sparse_segment_mean(x, i, s, num_segments=3),
        floats(4),
        [3, 0, 1],
        [0, 0, 1],
        face="v1",
    ),
]
ERRORS: list[ErrorCase] = [
    error("SparseSegmentSum: ids fall", by("sum"), floats(3), [0, 2, 1], [1, 0, 2]),
    error("SparseSegmentSum: a negative id", by("sum"), floats(3), [0, 2, 1], [-1, 0, 2]),
    error("SparseSegmentMean: an index out of range", by("mean"), floats(3), [0, 3, 1], [0, 0, 1]),
    error("SparseSegmentMean: a negative index", by("mean"), floats(3), [0, -1, 1], [0, 0, 1]),
    error("SparseSegmentSqrtN: fewer ids", by("sqrt_n"), floats(3), [0, 1, 1], [0, 1]),
    error("SparseSegmentSqrtN: fewer ids", by("sqrt_n"), floats(3), [0, 1, 1], [0, 1], mode="graph"),
    error("SparseSegmentSum: scalar data", by("sum"), floats(), [0], [0]),
    error("SparseSegmentSum: a matrix of ids", by("sum"), floats(3), [[0, 1]], [[0, 1]]),
    error("SparseSegmentMean: integers", by("mean"), ints(3), [0, 1], [0, 0]),
    error("SparseSegmentSumWithNumSegments: an id too great", by("sum", num_segments=1), floats(3), [0, 1], [0, 1]),
    error("SparseSegmentSumWithNumSegments: a negative number", by("sum", num_segments=-1), floats(3), [0, 1], [0, 1]),
]
