"""Running sums, products and log-sum-exps along one axis."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tests.cases.case import Case, ErrorCase, bools, case, error, floats, ints

SCANS = {"Cumsum": "cumsum", "Cumprod": "cumprod", "CumulativeLogsumexp": "cumulative_logsumexp"}


def scan(name: str, *args: Any, **kwargs: Any) -> Any:
    """`f(tf, x)` that calls `tf.math.<name>` with these arguments."""
    return lambda tf, x: getattr(tf.math, name)(x, *args, **kwargs)


def _complex(op: str, name: str) -> list[Case]:
    """TensorFlow's gradient of a complex cumprod lacks a conjugation: the differences deny it.  Only the values are golden there."""
    kept = (lambda tf, x: tf.stop_gradient(x)) if op == "Cumprod" else (lambda tf, x: x)
    smooth = op != "Cumprod"
    return [
        case(op, "complex64", lambda tf, x: scan(name)(tf, kept(tf, x)), floats(3, dtype="complex64"), smooth=smooth),
        case(
            op, "complex128 reverse", lambda tf, x: scan(name, reverse=True)(tf, kept(tf, x)), floats(3, dtype="complex128"), smooth=smooth
        ),
    ]


def _every_scan(op: str, name: str) -> list[Case]:
    found = [
        case(op, "vector", scan(name), floats(4)),
        case(op, "columns", scan(name), floats(3, 2)),
        case(op, "rows", scan(name, 1), floats(2, 3)),
        case(op, "last axis of three", scan(name, axis=-1), floats(2, 2, 3)),
        case(
            op, "exclusive", scan(name, exclusive=True), floats(4), smooth=op != "CumulativeLogsumexp"
        ),  # minus infinity is its first element
        case(op, "reverse", scan(name, reverse=True), floats(4)),
        case(op, "exclusive reverse rows", scan(name, 1, True, True), floats(2, 3), smooth=op != "CumulativeLogsumexp"),
        case(op, "size one", scan(name), floats(1)),
        case(op, "size one exclusive", scan(name, 1, exclusive=True), floats(2, 1), smooth=False),
        case(op, "empty", scan(name), floats(0), smooth=False),
        case(op, "empty rows", scan(name, 1, exclusive=True), floats(2, 0), smooth=False),
        case(op, "axis is a tensor", lambda tf, x, a, n=name: getattr(tf.math, n)(x, a), floats(2, 3), np.int32(1)),
        case(op, "float64", scan(name, 0, reverse=True), floats(4, dtype="float64")),
        case(op, "float16", scan(name), floats(4, dtype="float16")),
        case(op, "bfloat16", scan(name), floats(4, dtype="bfloat16")),
    ]
    if op == "CumulativeLogsumexp":
        return found
    return [
        *found,
        case(op, "int32", scan(name), ints(4, low=-3, high=4)),
        case(op, "int64 exclusive", scan(name, 1, exclusive=True), ints(2, 3, low=1, high=4, dtype="int64")),
        case(op, "uint8", scan(name), ints(4, low=1, high=3, dtype="uint8")),
        *_complex(op, name),
    ]


CASES: list[Case] = [
    *(one for op, name in SCANS.items() for one in _every_scan(op, name)),
    case(
        "CumulativeLogsumexp", "exclusive, all but the first", lambda tf, x: tf.math.cumulative_logsumexp(x, exclusive=True)[1:], floats(4)
    ),
    case("CumulativeLogsumexp", "large", scan("cumulative_logsumexp"), [1000.0, 999.0, 1001.0]),
    case(
        "CumulativeLogsumexp", "minus infinity first", scan("cumulative_logsumexp"), np.array([-math.inf, 2, 3], np.float32), smooth=False
    ),
    # TensorFlow's gradient of cumprod is zero wherever the product passed a zero; ours is the derivative, so only the values are golden.
    case("Cumprod", "a zero, values", lambda tf, x: tf.math.cumprod(tf.stop_gradient(x)), [2.0, 0.0, 3.0], smooth=False),
    case(
        "Cumprod",
        "two zeros, values",
        lambda tf, x: tf.math.cumprod(tf.stop_gradient(x), exclusive=True),
        [2.0, 0.0, 3.0, 0.0],
        smooth=False,
    ),
]


def _errors() -> list[ErrorCase]:
    found: list[ErrorCase] = []
    for op, name in SCANS.items():
        for mode in ("eager", "graph"):
            found += [
                error(f"{op}: axis out of range", scan(name, 2), floats(2, 3), mode=mode),
                error(f"{op}: negative axis out of range", scan(name, -3), floats(2, 3), mode=mode),
                error(f"{op}: axis is a vector", scan(name, [0]), floats(2, 3), mode=mode),
                error(f"{op}: bools", scan(name), bools(3), mode=mode),
            ]
        found.append(error(f"{op}: scalar", scan(name), floats()))
    return found


ERRORS: list[ErrorCase] = _errors()
