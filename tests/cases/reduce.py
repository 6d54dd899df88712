"""Reductions: sums, products, extremes, logic, norms and what is composed of them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tests.cases.case import Case, ErrorCase, bools, case, error, floats, ints

NUMERIC = {"Sum": "reduce_sum", "Mean": "reduce_mean", "Prod": "reduce_prod", "Max": "reduce_max", "Min": "reduce_min"}
LOGICAL = {"Any": "reduce_any", "All": "reduce_all"}
FLOATING = ("float16", "bfloat16", "float64")
NAN = float("nan")


def reducer(called: str, *args: Any, **kwargs: Any) -> Any:
    """`f(tf, x)` that calls `tf.math.<called>` with these arguments."""
    return lambda tf, x: getattr(tf.math, called)(x, *args, **kwargs)


def _every_reduction(op: str, name: str) -> list[Case]:
    """What Sum, Mean, Prod, Max and Min have in common."""
    extreme = op in ("Max", "Min")
    return [
        case(op, "all axes", reducer(name), floats(2, 3)),
        case(op, "first axis", reducer(name, 0), floats(2, 3)),
        case(op, "last axis kept", reducer(name, -1, True), floats(2, 3)),
        case(op, "two axes in any order", reducer(name, axis=[2, 0]), floats(2, 3, 4)),
        case(op, "two axes kept", reducer(name, axis=(0, -1), keepdims=True), floats(2, 3, 2)),
        case(op, "all axes kept", reducer(name, keepdims=True), floats(2, 3)),
        case(op, "no axes", reducer(name, []), floats(2, 3)),
        case(op, "int64 axis", reducer(name, np.array([1], np.int64)), floats(2, 3)),
        case(op, "axes in a column", reducer(name, [[0], [1]]), floats(2, 3)),
        case(op, "scalar", reducer(name), floats()),
        case(op, "size one", reducer(name, 1), floats(3, 1)),
        case(op, "empty", reducer(name), floats(0), smooth=False),
        case(op, "empty axis", reducer(name, 1), floats(2, 0), smooth=False),
        case(op, "empty result", reducer(name, 1), floats(0, 3), smooth=False),
        case(op, "int32", reducer(name, 0), ints(2, 3, low=-5, high=5)),
        case(op, "int64 rows", reducer(name, 1), ints(2, 3, low=-5, high=6, dtype="int64")),
        case(op, "uint8", reducer(name), ints(5, dtype="uint8")),
        case(op, "int8 keeps its type", reducer(name, 0), ints(4, low=-3, high=4, dtype="int8")),
        case(op, "empty int32", reducer(name), ints(0)),
        case(op, "name", reducer(name, 0, name="reduced"), floats(3)),
        case(op, "not a number", reducer(name, 1), np.array([[1, NAN, 3], [1, 2, 3]], np.float32), smooth=False),
        case(op, "infinite", reducer(name, 1), np.array([[1, math.inf], [-math.inf, 2]], np.float32), smooth=False),
        *(case(op, dtype, reducer(name, 1), floats(2, 3, dtype=dtype)) for dtype in FLOATING),
        *(case(op, dtype, reducer(name, 1), floats(2, 3, dtype=dtype)) for dtype in ("complex64", "complex128") if not extreme),
    ]


def _ties() -> list[Case]:
    x = np.array([[1, 3, 3], [-2, -2, -2]], np.float32)
    return [
        case(op, label, reducer(NUMERIC[op], axis), x, smooth=False)
        for op in ("Max", "Min")
        for label, axis in (("ties in rows", 1), ("ties in all", None), ("ties in columns", 0))
    ]


def _products() -> list[Case]:
    return [
        case("Prod", "one zero", reducer("reduce_prod"), [0.0, 2.0, 3.0]),
        case("Prod", "one zero in a row", reducer("reduce_prod", 1), np.array([[0, 2, 3], [1, 4, 2]], np.float64)),
        case("Prod", "two zeros", reducer("reduce_prod"), [0.0, 2.0, 0.0]),
        case("Prod", "middle axis", reducer("reduce_prod", 1, True), floats(2, 3, 2)),
        case("Prod", "complex with a zero", reducer("reduce_prod"), np.array([0, 1 + 2j, 3j], np.complex64)),
        case("Mean", "int32 truncates", reducer("reduce_mean"), [-1, -2, -4]),
        case("Sum", "int8 wraps", reducer("reduce_sum"), np.array([100, 100, 100], np.int8)),
        case("Sum", "axis is a tensor", lambda tf, x, axis: tf.reduce_sum(x, axis), floats(2, 3), np.int32(1)),
        case("Sum", "of a list", lambda tf, x: tf.reduce_sum([x, 2 * x], 0), floats(3)),
        case("Sum", "bfloat16 sums wider", reducer("reduce_sum"), np.array([256.0] + [1.0] * 20).astype(floats(0, dtype="bfloat16").dtype)),
        case("Mean", "all of a matrix", lambda tf, x: tf.reduce_mean(x * x), floats(3, 4)),
    ]


def _logic() -> list[Case]:
    found: list[Case] = []
    for op, name in LOGICAL.items():
        found += [
            case(op, "all axes", reducer(name), bools(2, 3)),
            case(op, "rows", reducer(name, 1), bools(2, 3)),
            case(op, "columns kept", reducer(name, 0, keepdims=True), bools(2, 3)),
            case(op, "empty", reducer(name), bools(0)),
            case(op, "scalar", reducer(name), np.array(True)),
            case(op, "no axes", reducer(name, []), bools(3)),
            case(op, "two axes", reducer(name, [0, 1]), bools(2, 3, 2, seed=3)),
        ]
    return found


def _norms() -> list[Case]:
    eu = "reduce_euclidean_norm"
    vector_orders = [("euclidean", "euclidean"), ("one", 1), ("two", 2), ("three", 3), ("two and a half", 2.5), ("infinity", np.inf)]
    matrix_orders = [("frobenius", "fro"), ("euclidean", "euclidean"), ("one", 1), ("infinity", np.inf)]
    return [
        case("EuclideanNorm", "all axes", reducer(eu), floats(2, 3)),
        case("EuclideanNorm", "rows kept", reducer(eu, 1, True), floats(2, 3)),
        case("EuclideanNorm", "columns", reducer(eu, 0), floats(2, 3, dtype="float64")),
        case("EuclideanNorm", "two axes", reducer(eu, [0, 2]), floats(2, 3, 2)),
        case("EuclideanNorm", "int32", reducer(eu), [3, 4]),
        case("EuclideanNorm", "zero", reducer(eu), np.zeros(2, np.float32), smooth=False),
        case("EuclideanNorm", "empty", reducer(eu, 1), floats(2, 0), smooth=False),
        case("EuclideanNorm", "bfloat16", reducer(eu), floats(5, dtype="bfloat16")),
        case("EuclideanNorm", "complex64", reducer(eu), floats(3, dtype="complex64"), smooth=False),
        *(case("Sum", f"norm {k} of all", lambda tf, x, o=o: tf.norm(x, o), floats(2, 3)) for k, o in vector_orders),
        *(case("Sum", f"norm {k} of rows", lambda tf, x, o=o: tf.norm(x, o, axis=1), floats(2, 3)) for k, o in vector_orders),
        *(
            case("Sum", f"norm {k} of matrices", lambda tf, x, o=o: tf.norm(x, o, axis=[-2, -1], keepdims=True), floats(2, 3, 2))
            for k, o in matrix_orders
        ),
        case("Sum", "norm kept", lambda tf, x: tf.norm(x, axis=0, keepdims=True), floats(2, 3, dtype="float64")),
        case("Sum", "norm of zero", lambda tf, x: tf.norm(x), np.zeros(2, np.float32), smooth=False),
        case("Sum", "norm one of complex", lambda tf, x: tf.norm(x, 1), floats(3, dtype="complex64")),
        case("Sum", "norm of complex", lambda tf, x: tf.norm(x), floats(3, dtype="complex64")),
        case("Sum", "normalize rows", lambda tf, x: tf.linalg.normalize(x, axis=1), floats(2, 3)),
        case("Sum", "normalize all, order one", lambda tf, x: tf.linalg.normalize(x, 1), floats(2, 3)),
    ]


def _composed() -> list[Case]:
    lse, std, var = "reduce_logsumexp", "reduce_std", "reduce_variance"
    inf = math.inf
    count = reducer("count_nonzero")
    return [
        case("Sum", "logsumexp of all", reducer(lse), floats(2, 3)),
        case("Sum", "logsumexp rows kept", reducer(lse, 1, True), floats(2, 3)),
        case("Sum", "logsumexp two axes", reducer(lse, [0, 2]), floats(2, 3, 2, dtype="float64")),
        case("Sum", "logsumexp large", reducer(lse), [1000.0, 1000.5]),
        case("Sum", "logsumexp minus infinity", reducer(lse, 1), np.array([[-inf, 1], [0, 1]], np.float32), smooth=False),
        case("Sum", "logsumexp all minus infinity", reducer(lse), np.array([-inf, -inf], np.float32), smooth=False),
        case("Sum", "logsumexp infinity", reducer(lse), np.array([inf, 1], np.float32), smooth=False),
        case("Sum", "logsumexp empty", reducer(lse), floats(0), smooth=False),
        case("Sum", "logsumexp float16", reducer(lse, 0), floats(3, dtype="float16")),
        case("Mean", "std of all", reducer(std), floats(2, 3)),
        case("Mean", "std columns kept", reducer(std, 0, True), floats(3, 2)),
        case("Mean", "std of equal numbers", reducer(std), np.ones(3, np.float32), smooth=False),
        case("Mean", "variance of all", reducer(var), floats(2, 3)),
        case("Mean", "variance rows", reducer(var, axis=1, keepdims=True), floats(2, 3, dtype="float64")),
        case("Mean", "variance two axes", reducer(var, [0, 1]), floats(2, 3, 2)),
        case("Mean", "variance of complex", reducer(var), floats(3, dtype="complex64")),
        case("Mean", "std of complex", reducer(std), floats(3, dtype="complex128")),
        case("Mean", "variance of equal numbers", reducer(var), np.ones(3, np.float32)),
        case("Sum", "count_nonzero", count, ints(2, 3, high=2)),
        case("Sum", "count_nonzero rows", reducer("count_nonzero", 1, True, "int32"), ints(2, 3, high=2)),
        case("Sum", "count_nonzero of floats", count, np.array([0, 1, 0, -2], np.float32), smooth=False),
        case("Sum", "count_nonzero of bools", count, bools(5)),
        case("Sum", "count_nonzero of strings", count, np.array([b"", b"a"], object)),
        case("Sum", "count_nonzero as float", lambda tf, x: tf.math.count_nonzero(x, dtype=tf.float32), ints(4, high=2)),
        case("Mean", "zero_fraction", lambda tf, x: tf.math.zero_fraction(x), np.array([0, 1, 2, 0], np.float32), smooth=False),
        case("Mean", "zero_fraction of integers", lambda tf, x: tf.math.zero_fraction(x), np.array([0, 1, 2], np.int32)),
    ]


def _version_1() -> list[Case]:
    found: list[Case] = []
    for op, name in (NUMERIC | LOGICAL).items():
        x = floats(2, 3) if op in NUMERIC else bools(2, 3)
        found += [
            case(op, "v1 reduction_indices", lambda tf, x, n=name: getattr(tf, n)(x, reduction_indices=[1]), x, face="v1"),
            case(op, "v1 keep_dims", lambda tf, x, n=name: getattr(tf, n)(x, 1, keep_dims=True), x, face="v1"),
        ]
    return [
        *found,
        case("Sum", "v1 logsumexp", lambda tf, x: tf.reduce_logsumexp(x, reduction_indices=1, keep_dims=True), floats(2, 3), face="v1"),
        case("Sum", "v1 norm", lambda tf, x: tf.norm(x, keep_dims=True), floats(2, 3), face="v1"),
        case("Sum", "v1 count_nonzero", lambda tf, x: tf.count_nonzero(x, reduction_indices=0), ints(2, 3, high=2), face="v1"),
    ]


CASES: list[Case] = [
    *(one for op, name in NUMERIC.items() for one in _every_reduction(op, name)),
    *_ties(),
    *_products(),
    *_logic(),
    *_norms(),
    *_composed(),
    *_version_1(),
]


def _errors() -> list[ErrorCase]:
    found: list[ErrorCase] = []
    for op, name in (NUMERIC | LOGICAL).items():
        x = floats(2, 3) if op in NUMERIC else bools(2, 3)
        for mode in ("eager", "graph"):
            found += [
                error(f"{op}: axis out of range", reducer(name, 5), x, mode=mode),
                error(f"{op}: negative axis out of range", reducer(name, [-3]), x, mode=mode),
                error(f"{op}: axis is a float", reducer(name, 1.5), x, mode=mode),
            ]
        found.append(error(f"{op}: axis twice", reducer(name, [0, -2]), x))
    for mode in ("eager", "graph"):
        found += [
            *(error(f"{op}: bools", reducer(name), bools(3), mode=mode) for op, name in NUMERIC.items()),
            *(error(f"{op}: floats", reducer(name), floats(3), mode=mode) for op, name in LOGICAL.items()),
            *(error(f"{op}: complex", reducer(NUMERIC[op]), floats(3, dtype="complex64"), mode=mode) for op in ("Max", "Min")),
            error("reduce_std of integers", reducer("reduce_std"), ints(3), mode=mode),
            error("reduce_variance of integers", reducer("reduce_variance"), ints(3), mode=mode),
            error("IsFinite: logsumexp of integers", reducer("reduce_logsumexp"), ints(3), mode=mode),
            error("norm: unknown vector order", lambda tf, x: tf.norm(x, "fro"), floats(3), mode=mode),
            error("norm: order zero", lambda tf, x: tf.norm(x, 0), floats(3), mode=mode),
            error("norm: unknown matrix order", lambda tf, x: tf.norm(x, 3, axis=[0, 1]), floats(2, 2), mode=mode),
            error("norm: three axes", lambda tf, x: tf.norm(x, axis=[0, 1, 2]), floats(1, 1, 1), mode=mode),
            error("norm: one axis twice", lambda tf, x: tf.norm(x, axis=[0, 0]), floats(2, 2), mode=mode),
            error("norm: bools", lambda tf, x: tf.norm(x), bools(3), mode=mode),
            error("Sqrt: norm of integers", lambda tf, x: tf.norm(x), ints(3), mode=mode),
            error(
                "reduce_sum: both axis and reduction_indices",
                lambda tf, x: tf.reduce_sum(x, 0, reduction_indices=0),
                floats(3),
                mode=mode,
                face="v1",
            ),
            error(
                "reduce_sum: both keepdims and keep_dims",
                lambda tf, x: tf.reduce_sum(x, 0, keepdims=True, keep_dims=True),
                floats(3),
                mode=mode,
                face="v1",
            ),
        ]
    return found


ERRORS: list[ErrorCase] = _errors()
