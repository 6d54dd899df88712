"""Transpose, reverse and roll: the elements change places and nothing else."""

from __future__ import annotations

import numpy as np

from tests.cases.case import Case, ErrorCase, case, error, floats, ints

CASES: list[Case] = [
    case("Transpose", "matrix", lambda tf, x: tf.transpose(x), floats(2, 3)),
    case("Transpose", "three axes reversed", lambda tf, x: tf.transpose(x), floats(2, 3, 4)),
    case("Transpose", "perm", lambda tf, x: tf.transpose(x, perm=[1, 2, 0]), floats(2, 3, 4)),
    case("Transpose", "perm by position", lambda tf, x: tf.transpose(x, (0, 2, 1)), floats(2, 3, 4, dtype="float64")),
    case("Transpose", "perm is an input", lambda tf, x, p: tf.transpose(x, p), floats(2, 3, 4), np.array([2, 0, 1], np.int32)),
    case("Transpose", "negative perm", lambda tf, x: tf.transpose(x, [0, -1, 1]), ints(2, 3, 4)),
    case("Transpose", "vector", lambda tf, x: tf.transpose(x), floats(3)),
    case("Transpose", "scalar", lambda tf, x: tf.transpose(x), floats()),
    case("Transpose", "empty", lambda tf, x: tf.transpose(x), floats(0, 3)),
    case("Transpose", "complex without conjugate", lambda tf, x: tf.transpose(x), floats(2, 3, dtype="complex64")),
    case("Transpose", "float16", lambda tf, x: tf.transpose(x), floats(2, 3, dtype="float16")),
    case("Transpose", "bfloat16", lambda tf, x: tf.transpose(x), floats(2, 3, dtype="bfloat16")),
    case("Transpose", "integers", lambda tf, x: tf.transpose(x), ints(2, 3)),
    case("Transpose", "matrix_transpose", lambda tf, x: tf.linalg.matrix_transpose(x), floats(2, 3, 4)),
    case("Transpose", "conjugate of real numbers", lambda tf, x: tf.transpose(x, conjugate=True), floats(2, 3)),
    case("Transpose", "used twice", lambda tf, x: tf.transpose(x) * x, floats(3, 3)),
    case("Transpose", "version 1", lambda tf, x: tf.transpose(x, [1, 0], name="t"), floats(2, 3), face="v1"),
    case("ConjugateTranspose", "matrix", lambda tf, x: tf.transpose(x, conjugate=True), floats(2, 3, dtype="complex64")),
    case("ConjugateTranspose", "perm", lambda tf, x: tf.transpose(x, [1, 0, 2], conjugate=True), floats(2, 3, 2, dtype="complex128")),
    case("ConjugateTranspose", "adjoint", lambda tf, x: tf.linalg.adjoint(x), floats(2, 3, dtype="complex128")),
    case(
        "ConjugateTranspose",
        "matrix_transpose",
        lambda tf, x: tf.linalg.matrix_transpose(x, conjugate=True),
        floats(2, 2, 3, dtype="complex64"),
    ),
    case("ReverseV2", "last axis", lambda tf, x: tf.reverse(x, [-1]), floats(2, 3)),
    case("ReverseV2", "two axes", lambda tf, x: tf.reverse(x, axis=[0, 1]), floats(2, 3, dtype="float64")),
    case("ReverseV2", "no axis", lambda tf, x: tf.reverse(x, tf.constant([], tf.int32)), floats(2, 3)),
    case("ReverseV2", "axis is an input", lambda tf, x, a: tf.reverse(x, a), floats(2, 3), np.array([0], np.int32)),
    case("ReverseV2", "integers", lambda tf, x: tf.reverse(x, [0]), ints(4)),
    case("ReverseV2", "complex64", lambda tf, x: tf.reverse(x, [0]), floats(3, dtype="complex64")),
    case("ReverseV2", "empty", lambda tf, x: tf.reverse(x, [1]), floats(2, 0)),
    case("Roll", "one axis", lambda tf, x: tf.roll(x, 2, 1), floats(2, 5)),
    case("Roll", "backwards", lambda tf, x: tf.roll(x, shift=-1, axis=0), floats(3, 2)),
    case("Roll", "two axes", lambda tf, x: tf.roll(x, shift=[1, -2], axis=[0, 1]), floats(2, 5, dtype="float64")),
    case("Roll", "same axis twice", lambda tf, x: tf.roll(x, shift=[2, 3], axis=[1, 1]), floats(2, 7)),
    case("Roll", "further than the size", lambda tf, x: tf.roll(x, 7, -1), floats(3)),
    case("Roll", "shift is an input", lambda tf, x, s, a: tf.roll(x, s, a), floats(2, 3), np.int32(1), np.int32(1)),
    case("Roll", "integers", lambda tf, x: tf.roll(x, 1, 0), ints(4)),
    case("ReverseSequence", "rows", lambda tf, x, n: tf.reverse_sequence(x, n, seq_axis=1), floats(3, 4), np.array([2, 4, 0], np.int32)),
    case(
        "ReverseSequence",
        "batch in the second axis",
        lambda tf, x, n: tf.reverse_sequence(x, n, seq_axis=0, batch_axis=1),
        floats(4, 3, 2, dtype="float64"),
        np.array([1, 2, 4], np.int64),
    ),
    case("ReverseSequence", "lengths in Python", lambda tf, x: tf.reverse_sequence(x, [3, 1], 1, 0), floats(2, 3)),
    case("ReverseSequence", "integers", lambda tf, x: tf.reverse_sequence(x, [3, 2], seq_axis=1), ints(2, 3)),
    case("ReverseSequence", "version 1", lambda tf, x: tf.reverse_sequence(x, [3, 1], seq_dim=1, batch_dim=0), floats(2, 3), face="v1"),
    case("InvertPermutation", "four", lambda tf, p: tf.math.invert_permutation(p), np.array([2, 0, 3, 1], np.int32), smooth=False),
    case("InvertPermutation", "int64", lambda tf, p: tf.math.invert_permutation(p), np.array([1, 0], np.int64), smooth=False),
    case("InvertPermutation", "empty", lambda tf, p: tf.math.invert_permutation(p), np.array([], np.int32), smooth=False),
    case(
        "InvertPermutation",
        "undoes a transposition",
        lambda tf, x, p: tf.transpose(tf.sin(tf.transpose(x, p)), tf.math.invert_permutation(p)),
        floats(2, 3, 2),
        np.array([1, 2, 0], np.int32),
    ),
]

ERRORS: list[ErrorCase] = [
    *(
        found
        for mode in ("eager", "graph")
        for found in (
            error("Transpose: perm too short", lambda tf, x: tf.transpose(x, [0]), floats(2, 3), mode=mode),
            error("Transpose: perm out of range", lambda tf, x: tf.transpose(x, [0, 2]), floats(2, 3), mode=mode),
            error("matrix_transpose: vector", lambda tf, x: tf.linalg.matrix_transpose(x), floats(3), mode=mode),
            error("ReverseV2: axis out of range", lambda tf, x: tf.reverse(x, [2]), floats(2, 3), mode=mode),
            error("ReverseV2: axis twice", lambda tf, x: tf.reverse(x, [0, 0]), floats(2, 3), mode=mode),
            error("ReverseV2: scalar axis", lambda tf, x: tf.reverse(x, 0), floats(2, 3), mode=mode),
            error("Roll: scalar input", lambda tf, x: tf.roll(x, 1, 0), floats(), mode=mode),
            error("Roll: shift and axis differ in length", lambda tf, x: tf.roll(x, [1, 2], [0]), floats(2, 3), mode=mode),
            error(
                "ReverseSequence: lengths do not fit the batch",
                lambda tf, x: tf.reverse_sequence(x, [1], seq_axis=1),
                floats(2, 3),
                mode=mode,
            ),
        )
    ),
    error("Transpose: perm repeats", lambda tf, x: tf.transpose(x, [0, 0]), floats(2, 3)),
    error("ReverseSequence: same axes", lambda tf, x: tf.reverse_sequence(x, [1, 1], seq_axis=0, batch_axis=0), floats(2, 3)),
    error("Roll: axis out of range", lambda tf, x: tf.roll(x, 1, 2), floats(2, 3)),
    error("ReverseSequence: length beyond the axis", lambda tf, x: tf.reverse_sequence(x, [1, 4], seq_axis=1), floats(2, 3)),
    error("InvertPermutation: repeated", lambda tf, p: tf.math.invert_permutation(p), np.array([0, 0], np.int32)),
    error("InvertPermutation: out of range", lambda tf, p: tf.math.invert_permutation(p), np.array([0, 2], np.int32)),
    error("InvertPermutation: matrix", lambda tf, p: tf.math.invert_permutation(p), np.array([[0, 1]], np.int32), mode="graph"),
]
