"""Sets: rows of dense and sparse tensors as sets of their values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.cases.case import Case, ErrorCase, case, error, ints
from tests.cases.sparse import parts, sparse

A = np.int32([[1, 2, 2], [3, 4, 5]])
B = np.int32([[2, 9], [3, 5]])
PLACES = [[0, 0], [1, 0], [1, 1]]
WORDS = np.array([b"b", b"z", b"a"], object)
OPERATIONS = ("intersection", "difference", "union")


def dense(name: str, **options: Any) -> Callable[..., Any]:
    """Of two tensors."""
    return lambda tf, a, b: parts(getattr(tf.sets, name)(a, b, **options))


def mixed(name: str, first: bool = False, **options: Any) -> Callable[..., Any]:
    """Of a tensor and a sparse one, the sparse one second or first."""

    def call(tf: Any, a: Any, v: Any) -> Any:
        x = sparse(tf, v, PLACES, (2, 2))
        return parts(getattr(tf.sets, name)(*((x, a) if first else (a, x)), **options))

    return call


def both(name: str, **options: Any) -> Callable[..., Any]:
    """Of two sparse tensors."""
    return lambda tf, v, w: parts(
        getattr(tf.sets, name)(sparse(tf, v, PLACES, (2, 2)), sparse(tf, w, [[0, 0], [0, 1], [1, 0]], (2, 2)), **options)
    )


CASES: list[Case] = [
    *(case("DenseToDenseSetOperation", name, dense(name), A, B) for name in OPERATIONS),
    case("DenseToDenseSetOperation", "b - a", dense("difference", aminusb=False), A, B),
    case("DenseToDenseSetOperation", "nothing in common", dense("intersection"), A, np.int32([[7], [8]])),
    case("DenseToDenseSetOperation", "cubes", dense("union"), ints(2, 2, 3), ints(2, 2, 2, seed=1)),
    case("DenseToDenseSetOperation", "int64", dense("union"), A.astype(np.int64), B.astype(np.int64)),
    case("DenseToDenseSetOperation", "uint8", dense("union"), A.astype(np.uint8), B.astype(np.uint8)),
    case("DenseToDenseSetOperation", "strings", dense("union"), np.array([[b"b", b"a"]], object), np.array([[b"c", b"a"]], object)),
    case("DenseToDenseSetOperation", "empty sets", dense("union"), ints(2, 0), B),
    *(case("DenseToSparseSetOperation", name, mixed(name), A, np.int32([2, 3, 9])) for name in OPERATIONS),
    *(case("DenseToSparseSetOperation", f"{name}, sparse first", mixed(name, first=True), A, np.int32([2, 3, 9])) for name in OPERATIONS),
    *(case("SparseToSparseSetOperation", name, both(name), np.int32([2, 3, 9]), np.int32([2, 4, 9])) for name in OPERATIONS),
    case("SparseToSparseSetOperation", "strings", both("union"), WORDS, WORDS),
    case("SetSize", "rows", lambda tf, v: tf.sets.size(sparse(tf, v, [[0, 0], [0, 1], [2, 0]], (3, 2))), np.int32([1, 1, 4])),
    case("SetSize", "cubes", lambda tf, v: tf.sets.size(sparse(tf, v, [[0, 0, 1], [0, 1, 1], [1, 0, 0]], (2, 2, 2))), np.int64([1, 1, 4])),
    case("SetSize", "TensorFlow 1's name", lambda tf, v: tf.sets.set_size(sparse(tf, v, PLACES, (2, 2))), WORDS, face="v1"),
]
ERRORS: list[ErrorCase] = [
    error("DenseToDenseSetOperation: other sizes", dense("union"), A, np.int32([[1, 2]])),
    error("DenseToDenseSetOperation: vectors", dense("union"), A[0], B[0]),
    error("other dtypes", dense("union"), A, B.astype(np.int64)),
    error("DenseToDenseSetOperation: no such operation", lambda tf, a, b: tf.raw_ops.DenseToDenseSetOperation(
        set1=a, set2=b, set_operation="xor"), A, B),
    error("SparseToSparseSetOperation: out of order", lambda tf, v: tf.sets.union(
        sparse(tf, v, [[1, 0], [0, 1], [1, 1]], (2, 2)), sparse(tf, v, PLACES, (2, 2))), np.int32([1, 2, 3])),
    error("SetSize: out of order", lambda tf, v: tf.sets.size(sparse(tf, v, [[1, 0], [0, 1], [1, 1]], (2, 2))), np.int32([1, 2, 3])),
    error("a size of a tensor", lambda tf, a: tf.sets.size(a), A),
]  # fmt: skip
