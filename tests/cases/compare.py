"""Cases for comparisons, logic, bits and selection."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from .case import Case, ErrorCase, bools, case, error, floats, ints
from .math import COMPLEX, REAL, SIGNED, UNSIGNED, inf, nan, via

ORDERED = (
    ("Less", "less", operator.lt),
    ("LessEqual", "less_equal", operator.le),
    ("Greater", "greater", operator.gt),
    ("GreaterEqual", "greater_equal", operator.ge),
)
MIRRORED = {"Less": "Greater", "Greater": "Less", "LessEqual": "GreaterEqual", "GreaterEqual": "LessEqual"}
EQUALITY = (("Equal", "equal", operator.eq), ("NotEqual", "not_equal", operator.ne))


def comparisons() -> Iterator[Case]:
    edges = np.array([(a, b) for a in (0.0, -0.0, 1.0, inf, -inf, nan) for b in (0.0, 1.0, inf, -inf, nan)], np.float32)
    for op, path, sign in ORDERED + EQUALITY:
        f = via(path)
        yield case(op, "same shape", f, [1.0, 2.0, 3.0], [1.0, 3.0, 2.0], smooth=False)
        yield case(op, "broadcast", f, floats(2, 1, seed=1), floats(1, 3, seed=2), smooth=False)
        yield case(op, "scalars", f, 1.0, 2.0, smooth=False)
        yield case(op, "empty", f, floats(0, 2), floats(2), smooth=False)
        yield case(op, "special points", f, edges[:, 0], edges[:, 1], smooth=False)
        extra = COMPLEX if (op, path, sign) in EQUALITY else ()
        for dtype in REAL + extra:
            yield case(op, dtype, f, floats(4, dtype=dtype), floats(4, dtype=dtype, seed=1), smooth=False)
        for dtype in SIGNED + UNSIGNED:
            yield case(op, dtype, f, ints(4, high=3, dtype=dtype), ints(4, high=3, dtype=dtype, seed=1), smooth=False)
    for op, path, sign in ORDERED:
        yield case(op, "operator", lambda tf, x, y, sign=sign: sign(x, y), floats(3), floats(3, seed=1), smooth=False)
        yield case(op, "operator number right", lambda tf, x, sign=sign: sign(x, 0.5), floats(3), smooth=False)
        yield case(MIRRORED[op], f"{path} with the number left", lambda tf, x, sign=sign: sign(0.5, x), floats(3), smooth=False)
    for op, path, _ in EQUALITY:
        yield case(op, "bool", via(path), bools(4), bools(4, seed=3), smooth=False)
        yield case(op, "strings", via(path), np.array([b"a", b"b"], object), np.array([b"a", b"c"], object), smooth=False)


def logic() -> Iterator[Case]:
    four = np.array([True, True, False, False]), np.array([True, False, True, False])
    for op, path in (("LogicalAnd", "logical_and"), ("LogicalOr", "logical_or"), ("LogicalAnd", "math.logical_xor")):
        name = path.rpartition("_")[2]
        yield case(op, f"{name} truth table", via(path), *four, smooth=False)
        yield case(op, f"{name} broadcast", via(path), bools(2, 1), bools(3, seed=1), smooth=False)
        yield case(op, f"{name} scalars", via(path), np.True_, np.False_, smooth=False)
        yield case(op, f"{name} empty", via(path), bools(0), bools(0), smooth=False)
    yield case("LogicalNot", "vector", via("logical_not"), four[0], smooth=False)
    yield case("LogicalNot", "scalar", via("logical_not"), np.True_, smooth=False)
    yield case("LogicalNot", "empty", via("logical_not"), bools(0, 2), smooth=False)
    yield case("LogicalNot", "operator", lambda tf, x: ~x, four[1], smooth=False)
    yield case("LogicalAnd", "operator", lambda tf, x, y: x & y, *four, smooth=False)
    yield case("LogicalOr", "operator", lambda tf, x, y: x | y, *four, smooth=False)
    yield case("LogicalAnd", "operator xor", lambda tf, x, y: x ^ y, *four, smooth=False)
    yield case("LogicalAnd", "python bool right", lambda tf, x: tf.logical_and(x, True), four[0], smooth=False)


def bits() -> Iterator[Case]:
    for op, path in (("BitwiseAnd", "bitwise.bitwise_and"), ("BitwiseOr", "bitwise.bitwise_or"), ("BitwiseXor", "bitwise.bitwise_xor")):
        yield case(op, "broadcast", via(path), ints(2, 1, high=100), ints(3, high=100, seed=1), smooth=False)
        for dtype in SIGNED + UNSIGNED:
            low = 0 if dtype.startswith("u") else -100
            yield case(op, dtype, via(path), ints(3, low=low, high=100, dtype=dtype), ints(3, high=100, dtype=dtype, seed=1), smooth=False)
    yield case("BitwiseAnd", "operator", lambda tf, x, y: x & y, ints(3, high=50), ints(3, high=50, seed=1), smooth=False)
    yield case("BitwiseOr", "operator", lambda tf, x, y: x | y, ints(3, high=50), ints(3, high=50, seed=1), smooth=False)
    yield case("BitwiseXor", "operator", lambda tf, x, y: x ^ y, ints(3, high=50), ints(3, high=50, seed=1), smooth=False)
    for op, path in (("LeftShift", "bitwise.left_shift"), ("RightShift", "bitwise.right_shift")):
        yield case(op, "broadcast", via(path), ints(2, 1, high=100), ints(3, high=5, seed=1), smooth=False)
        for dtype in SIGNED + UNSIGNED:
            low = 0 if dtype.startswith("u") else -100
            yield case(op, dtype, via(path), ints(3, low=low, high=100, dtype=dtype), ints(3, high=6, dtype=dtype, seed=1), smooth=False)
    for dtype in SIGNED + UNSIGNED:
        yield case("Invert", dtype, via("bitwise.invert"), ints(3, high=100, dtype=dtype), smooth=False)
    yield case("Invert", "operator", lambda tf, x: ~x, ints(3, low=-5), smooth=False)


def selection() -> Iterator[Case]:
    mask = np.array([[True, False, True], [False, False, True]])
    where = via("where")
    yield case("SelectV2", "same shape", where, mask, floats(2, 3), floats(2, 3, seed=1))
    yield case("SelectV2", "broadcast condition", where, np.array([True, False, True]), floats(2, 3), floats(2, 3, seed=1))
    yield case("SelectV2", "broadcast everything", where, np.array([[True], [False]]), floats(1, 3), floats())
    yield case("SelectV2", "scalars", where, np.True_, floats(), floats(seed=1))
    yield case("SelectV2", "scalar condition", where, np.False_, floats(2, 2), floats(2, 2, seed=1))
    yield case("SelectV2", "condition gives the shape", where, mask, floats(), floats(seed=1))
    yield case("SelectV2", "empty", where, bools(0, 3), floats(0, 3), floats(3), smooth=False)
    yield case("SelectV2", "number on the right", lambda tf, x: tf.where(x > 0.0, x, 0.0), floats(4))
    yield case("SelectV2", "number on the left", lambda tf, x: tf.where(x > 0.0, 1.0, x), floats(4))
    yield case("SelectV2", "one operand twice", lambda tf, x: tf.where(x > 0.0, x, x), floats(4))
    yield case("SelectV2", "unsafe branch", lambda tf, x: tf.where(x > 0.0, 1.0 / x, 0.0), [0.0, 2.0], smooth=False)
    yield case("SelectV2", "safe twice", lambda tf, x: tf.where(x > 0.0, 1.0 / tf.where(x > 0.0, x, 1.0), 0.0), [0.0, 2.0], smooth=False)
    yield case("SelectV2", "is_nan mask", lambda tf, x: tf.where(tf.math.is_nan(x), tf.zeros_like(x), x), [1.0, nan, 2.0], smooth=False)
    for dtype in REAL + COMPLEX:
        yield case("SelectV2", dtype, where, mask, floats(2, 3, dtype=dtype), floats(3, dtype=dtype, seed=1))
    for dtype in SIGNED + UNSIGNED:
        yield case("SelectV2", dtype, where, mask, ints(2, 3, dtype=dtype), ints(3, dtype=dtype, seed=1), smooth=False)
    yield case("SelectV2", "bool", where, mask, bools(2, 3), bools(3), smooth=False)
    yield case(
        "SelectV2", "strings", where, np.array([True, False]), np.array([b"a", b"b"], object), np.array([b"c", b"d"], object), smooth=False
    )
    yield case("Select", "same shape", where, mask, floats(2, 3), floats(2, 3, seed=1), face="v1")
    yield case("Select", "vector condition picks rows", where, np.array([True, False]), floats(2, 3), floats(2, 3, seed=1), face="v1")
    yield case("Select", "scalar condition", where, np.False_, floats(2, 3), floats(2, 3, seed=1), face="v1")
    yield case("Select", "float64", where, mask, floats(2, 3, dtype="float64"), floats(2, 3, dtype="float64", seed=1), face="v1")
    yield case("Select", "integers", where, mask, ints(2, 3), ints(2, 3, seed=1), smooth=False, face="v1")
    yield case("SelectV2", "v1 where_v2", via("where_v2"), mask, floats(2, 3), floats(3, seed=1), face="v1")
    yield case("Where", "matrix", where, mask, smooth=False)
    yield case("Where", "vector", where, np.array([False, True, True]), smooth=False)
    yield case("Where", "rank three", where, np.array([[[True], [False]], [[False], [True]]]), smooth=False)
    yield case("Where", "floats", lambda tf, x: tf.where(tf.stop_gradient(x)), [0.0, -1.5, nan], smooth=False)
    yield case("Where", "nothing found", where, np.array([[False, False]]), smooth=False)
    yield case("Where", "empty", where, bools(0, 2), smooth=False)
    yield case("Where", "v1", where, mask, smooth=False, face="v1")
    yield case("Where", "integers", where, np.array([0, 3, 0, -1], np.int32), smooth=False)


CASES: list[Case] = [*comparisons(), *logic(), *bits(), *selection()]


def _both(label: str, f: Callable[..., Any], *inputs: Any, face: Any = "v2") -> Iterator[ErrorCase]:
    yield error(label, f, *inputs, mode="eager", face=face)
    yield error(label, f, *inputs, mode="graph", face=face)


ERRORS: list[ErrorCase] = [
    *_both("Less: dtypes", via("less"), floats(2), ints(2)),
    *_both("Greater: complex", via("greater"), floats(2, dtype="complex64"), floats(2, dtype="complex64")),
    *_both("LessEqual: shapes", via("less_equal"), floats(2), floats(3)),
    *_both("Less: bool", via("less"), bools(2), bools(2)),
    *_both("Equal: shapes", via("equal"), floats(2), floats(3)),
    *_both("Equal: dtypes", via("equal"), floats(2), ints(2)),
    *_both("LogicalAnd: floats", via("logical_and"), floats(2), floats(2)),
    *_both("LogicalNot: integers", via("logical_not"), ints(2)),
    *_both("LogicalOr: shapes", via("logical_or"), bools(2), bools(3)),
    *_both("BitwiseAnd: floats", via("bitwise.bitwise_and"), floats(2), floats(2)),
    *_both("BitwiseOr: dtypes", via("bitwise.bitwise_or"), ints(2), ints(2, dtype="int64")),
    *_both("Invert: floats", via("bitwise.invert"), floats(2)),
    *_both("SelectV2: condition is not bool", via("where"), floats(2), floats(2), floats(2)),
    *_both("SelectV2: dtypes", via("where"), bools(2), floats(2), ints(2)),
    *_both("SelectV2: shapes", via("where"), bools(2), floats(3), floats(3)),
    error("Where: scalar", via("where"), np.True_),
    *_both("where with x alone", lambda tf, c, x: tf.where(c, x), bools(2), floats(2)),
    *_both("Select: shapes", via("where"), bools(2, 3), floats(3), floats(3), face="v1"),
    *_both("Select: branches differ", via("where"), bools(3), floats(3), floats(2), face="v1"),
]
