"""Products of matrices and tensors: matmul, matvec, tensordot, einsum."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from tests.cases.case import Case, ErrorCase, bools, case, error, floats, ints

REAL = ("float16", "bfloat16", "float64")
COMPLEX = ("complex64", "complex128")


def mm(**flags: bool) -> Any:
    """`f(tf, a, b)` for `tf.matmul` with these flags."""
    return lambda tf, a, b: tf.matmul(a, b, **flags)


def _laid(rows: int, columns: int, turned: bool, *batch: int, **options: Any) -> Any:
    """A matrix, or its transpose to be turned back by a flag."""
    return floats(*batch, *((columns, rows) if turned else (rows, columns)), **options)


def _matrices() -> list[Case]:
    op = "MatMul"
    found = [case(op, "plain", mm(), floats(2, 3), floats(3, 4, seed=1))]
    for a, b in ((True, False), (False, True), (True, True)):
        found.append(case(op, f"transposed {a} {b}", mm(transpose_a=a, transpose_b=b), _laid(2, 3, a), _laid(3, 4, b, seed=1)))
    for a, b in product((False, True), repeat=2):
        pair = _laid(2, 3, a, dtype="complex64"), _laid(3, 2, b, dtype="complex64", seed=1)
        found.append(case(op, f"adjoint {a} {b}", mm(adjoint_a=a, adjoint_b=b), *pair))
        found.append(case(op, f"complex transposed {a} {b}", mm(transpose_a=a, transpose_b=b), *pair))
    return [
        *found,
        case(
            op,
            "adjoint and transposed",
            mm(adjoint_a=True, transpose_b=True),
            floats(3, 2, dtype="complex128"),
            floats(2, 3, dtype="complex128", seed=1),
        ),
        case(op, "real adjoint", mm(adjoint_b=True), floats(2, 3), floats(4, 3, seed=1)),
        case(op, "outer", mm(), floats(3, 1), floats(1, 2, seed=1)),
        case(op, "one by one", mm(), floats(1, 1), floats(1, 1, seed=1)),
        case(op, "no inner size", mm(), floats(2, 0), floats(0, 3), smooth=False),
        case(op, "no rows", mm(), floats(0, 2), floats(2, 3), smooth=False),
        case(op, "with itself", lambda tf, a: tf.matmul(a, a), floats(2, 2)),
        case(op, "with itself turned", lambda tf, a: tf.matmul(a, a, transpose_b=True), floats(2, 3)),
        case(op, "operator", lambda tf, a, b: a @ b, floats(2, 3), floats(3, 2, seed=1)),
        case(op, "int32", mm(), ints(2, 3, low=-4, high=5), ints(3, 2, seed=1)),
        case(op, "int64", mm(transpose_b=True), ints(2, 3, dtype="int64"), ints(2, 3, seed=1, dtype="int64")),
        *(case(op, dtype, mm(), floats(2, 3, dtype=dtype), floats(3, 2, seed=1, dtype=dtype)) for dtype in (*REAL, *COMPLEX)),
        case(op, "sparse flag in float64", mm(a_is_sparse=True), floats(2, 3, dtype="float64"), floats(3, 2, seed=1, dtype="float64")),
        case("SparseMatMul", "bfloat16 and float32", mm(), floats(2, 3, dtype="bfloat16"), floats(3, 2, seed=1)),
        case("SparseMatMul", "float32 and bfloat16, a turned", mm(transpose_a=True), floats(3, 2), floats(3, 2, seed=1, dtype="bfloat16")),
        case("SparseMatMul", "a is sparse", mm(a_is_sparse=True), floats(2, 3), floats(3, 2, seed=1)),
        case("SparseMatMul", "b is sparse and turned", mm(b_is_sparse=True, transpose_b=True), floats(2, 3), floats(4, 3, seed=1)),
        case(
            "SparseMatMul",
            "both sparse and turned",
            mm(a_is_sparse=True, b_is_sparse=True, transpose_a=True, transpose_b=True),
            floats(3, 2),
            floats(4, 3, seed=1),
        ),
        case(op, "a list on the left", lambda tf, b: tf.matmul([[1.0, 2.0]], b), floats(2, 2)),
        case(op, "matvec", lambda tf, a, x: tf.linalg.matvec(a, x), floats(2, 3), floats(3, seed=1)),
        case(op, "matvec turned", lambda tf, a, x: tf.linalg.matvec(a, x, transpose_a=True), floats(3, 2), floats(3, seed=1)),
        case(
            op,
            "matvec adjoint",
            lambda tf, a, x: tf.linalg.matvec(a, x, adjoint_a=True),
            floats(3, 2, dtype="complex64"),
            floats(3, seed=1, dtype="complex64"),
        ),
        case(op, "v1", mm(transpose_b=True), floats(2, 3), floats(4, 3, seed=1), face="v1"),
    ]


def _batches() -> list[Case]:
    op = "BatchMatMulV2"
    found = [case(op, "batch", mm(), floats(2, 2, 3), floats(2, 3, 2, seed=1))]
    for a, b in ((True, False), (False, True), (True, True)):
        pair = _laid(2, 3, a, 2), _laid(3, 2, b, 2, seed=1)
        found.append(case(op, f"transposed {a} {b}", mm(transpose_a=a, transpose_b=b), *pair))
        pair = _laid(2, 3, a, 2, dtype="complex64"), _laid(3, 2, b, 2, seed=1, dtype="complex64")
        found.append(case(op, f"adjoint {a} {b}", mm(adjoint_a=a, adjoint_b=b), *pair))
        found.append(case(op, f"complex transposed {a} {b}", mm(transpose_a=a, transpose_b=b), *pair))
    return [
        *found,
        case(op, "matrix on the left", mm(), floats(2, 3), floats(4, 3, 2, seed=1)),
        case(op, "matrix on the right", mm(), floats(4, 2, 3), floats(3, 2, seed=1)),
        case(op, "matrix on the right, turned", mm(transpose_b=True), floats(2, 2, 3), floats(2, 3, seed=1)),
        case(op, "both batches stretch", mm(), floats(2, 1, 2, 3), floats(3, 3, 2, seed=1)),
        case(op, "batch of one", mm(), floats(1, 2, 3), floats(4, 3, 2, seed=1)),
        case(op, "empty batch", mm(), floats(0, 2, 3), floats(0, 3, 2), smooth=False),
        case(op, "no inner size", mm(), floats(2, 2, 0), floats(2, 0, 3), smooth=False),
        case(op, "int32", mm(), ints(2, 2, 3), ints(2, 3, 2, seed=1)),
        case(op, "operator", lambda tf, a, b: a @ b, floats(2, 2, 3), floats(3, 2, seed=1)),
        *(case(op, dtype, mm(), floats(2, 2, 3, dtype=dtype), floats(3, 2, seed=1, dtype=dtype)) for dtype in (*REAL, *COMPLEX)),
        case(op, "matvec", lambda tf, a, x: tf.linalg.matvec(a, x), floats(2, 2, 3), floats(2, 3, seed=1)),
        case(op, "matvec, one matrix", lambda tf, a, x: tf.linalg.matvec(a, x), floats(2, 3), floats(4, 3, seed=1)),
    ]


def _tensordot() -> list[Case]:
    def dot(axes: Any) -> Any:
        return lambda tf, a, b: tf.tensordot(a, b, axes)

    return [
        case("MatMul", "tensordot of one axis", dot(1), floats(2, 3), floats(3, 2, seed=1)),
        case("MatMul", "tensordot of two axes", dot(2), floats(2, 3, 2), floats(3, 2, 2, seed=1)),
        case("MatMul", "tensordot of no axis", dot(0), floats(2), floats(3, seed=1)),
        case("MatMul", "tensordot of listed axes", dot([[0, 2], [1, 0]]), floats(2, 3, 4), floats(4, 2, 2, seed=1)),
        case("MatMul", "tensordot of negative axes", dot([[-1], [-1]]), floats(2, 3), floats(2, 3, seed=1)),
        case("MatMul", "tensordot of an axis pair", dot([1, 1]), floats(2, 3), floats(2, 3, seed=1)),
        case("MatMul", "tensordot of vectors", dot(1), floats(3), floats(3, seed=1)),
        case("MatMul", "tensordot of complex", dot(1), floats(2, 3, dtype="complex64"), floats(3, dtype="complex64", seed=1)),
        case("MatMul", "tensordot of integers", dot(1), ints(2, 3), ints(3, 2, seed=1)),
        case("MatMul", "tensordot of everything", dot([[0, 1], [0, 1]]), floats(2, 3), floats(2, 3, seed=1)),
    ]


EQUATIONS: tuple[tuple[str, str, tuple[tuple[int, ...], ...]], ...] = (
    ("product", "ij,jk->ik", ((2, 3), (3, 2))),
    ("implicit product", "ij,jk", ((2, 3), (3, 2))),
    ("implicit order", "ba", ((2, 3),)),
    ("transpose", "ij->ji", ((2, 3),)),
    ("permutation", "ijk->kij", ((2, 3, 2),)),
    ("sum", "ij->", ((2, 3),)),
    ("sum of rows", "ij->i", ((2, 3),)),
    ("trace", "ii", ((3, 3),)),
    ("trace of a batch", "bii->b", ((2, 3, 3),)),
    ("diagonal", "ii->i", ((3, 3),)),
    ("three alike", "iii->i", ((2, 2, 2),)),
    ("diagonal times", "ii,i->i", ((3, 3), (3,))),
    ("dot", "i,i->", ((3,), (3,))),
    ("outer", "i,j->ij", ((2,), (3,))),
    ("outer turned", "i,j->ji", ((2,), (3,))),
    ("element-wise", "ij,ij->ij", ((2, 3), (2, 3))),
    ("batch product", "bij,bjk->bik", ((2, 2, 3), (2, 3, 2))),
    ("attention", "bqhd,bkhd->bhqk", ((1, 2, 2, 3), (1, 3, 2, 3))),
    ("contracted twice", "ijk,kj->i", ((2, 3, 2), (2, 3))),
    ("left over is summed", "ij,k->i", ((2, 3), (2,))),
    ("bilinear", "bi,ijk,bk->bj", ((2, 2), (2, 3, 2), (2, 2))),
    ("four", "ij,jk,kl,lm->im", ((2, 2), (2, 3), (3, 2), (2, 1))),
    ("ellipsis", "...ij,...jk->...ik", ((2, 2, 3), (2, 3, 2))),
    ("ellipsis stretches", "...ij,jk->...ik", ((2, 2, 3), (3, 2))),
    ("ellipsis stretches both", "...i,...i->...", ((2, 1, 3), (4, 3))),
    ("ellipsis of one input", "...ii->...", ((2, 3, 3),)),
    ("ellipsis transposes", "...ij->...ji", ((2, 2, 3),)),
    ("ellipsis stands for nothing", "...ij->...j", ((2, 3),)),
    ("implicit ellipsis", "...ij,...jk", ((2, 2), (2, 2))),
    ("ellipsis at the end", "i...,i...->...", ((2, 3), (2, 3))),
    ("spaces", " i j , j k -> i k ", ((2, 3), (3, 2))),
    ("capitals", "Ij,jk->Ik", ((2, 3), (3, 2))),
    ("scalars", ",->", ((), ())),
    ("scalar times", ",ij->ij", ((), (2, 3))),
    ("identity", "i->i", ((3,),)),
    ("size one", "ij,jk->ik", ((1, 3), (3, 1))),
    ("no inner size", "ij,jk->ik", ((2, 0), (0, 2))),
)


def es(equation: str, **options: Any) -> Any:
    """`f(tf, *tensors)` for `tf.einsum`."""
    return lambda tf, *xs: tf.einsum(equation, *xs, **options)


def _einsum() -> list[Case]:
    pair = ((2, 3), (3, 2))
    return [
        *(
            case("Einsum", label, es(equation), *(floats(*s, seed=i) for i, s in enumerate(shapes)), smooth=0 not in sum(shapes, ()))
            for label, equation, shapes in EQUATIONS
        ),
        *(
            case("Einsum", dtype, es("ij,jk->ik"), *(floats(*s, seed=i, dtype=dtype) for i, s in enumerate(pair)))
            for dtype in (*REAL, *COMPLEX)
        ),
        case("Einsum", "int32", es("ij,jk->ik"), ints(2, 3), ints(3, 2, seed=1)),
        case("Einsum", "int64 sum", es("ij->j"), ints(2, 3, dtype="int64")),
        case("Einsum", "complex trace", es("ii,j->j"), floats(2, 2, dtype="complex64"), floats(3, seed=1, dtype="complex64")),
        case("Einsum", "optimize", es("ij,jk,kl->il", optimize="optimal"), floats(2, 2), floats(2, 3, seed=1), floats(3, 2, seed=2)),
        case("Einsum", "with itself", lambda tf, x: tf.einsum("ij,kj->ik", x, x), floats(2, 3)),
        case("Einsum", "linalg's name", lambda tf, x: tf.linalg.einsum("ij->j", x), floats(2, 3)),
    ]


CASES: list[Case] = [*_matrices(), *_batches(), *_tensordot(), *_einsum()]


def _errors() -> list[ErrorCase]:
    found: list[ErrorCase] = []
    for mode in ("eager", "graph"):

        def wrong(label: str, f: Any, *inputs: Any, mode: Any = mode) -> None:
            found.append(error(label, f, *inputs, mode=mode))

        wrong("MatMul: inner sizes differ", mm(), floats(2, 3), floats(2, 3))
        wrong("MatMul: inner sizes differ, turned", mm(transpose_a=True), floats(2, 3), floats(3, 2))
        wrong("MatMul: vector on the right", mm(), floats(2, 3), floats(3))
        wrong("MatMul: vector on the left", mm(), floats(2), floats(2, 3))
        wrong("MatMul: scalar", mm(), floats(2, 3), floats())
        wrong("MatMul: two dtypes", mm(), floats(2, 3), floats(3, 2, dtype="float64"))
        wrong("MatMul: integers by floats", mm(), ints(2, 3), floats(3, 2))
        wrong("MatMul: bools", mm(), bools(2, 3), bools(3, 2))
        wrong("MatMul: int8", mm(), ints(2, 3, dtype="int8"), ints(3, 2, dtype="int8"))
        wrong("BatchMatMulV2: inner sizes differ", mm(), floats(2, 2, 3), floats(2, 2, 3))
        wrong("BatchMatMulV2: batches do not fit", mm(), floats(2, 2, 3), floats(3, 3, 2))
        wrong("BatchMatMulV2: two dtypes", mm(), floats(1, 2, 3), floats(1, 3, 2, dtype="float64"))
        wrong("matmul: transposed and adjoint a", mm(transpose_a=True, adjoint_a=True), floats(2, 2), floats(2, 2))
        wrong("matmul: transposed and adjoint b", mm(transpose_b=True, adjoint_b=True), floats(2, 2), floats(2, 2))
        wrong("MatMul: matvec sizes differ", lambda tf, a, x: tf.linalg.matvec(a, x), floats(2, 3), floats(2))
        wrong("MatMul: tensordot sizes differ", lambda tf, a, b: tf.tensordot(a, b, 1), floats(2, 3), floats(2, 3))
        wrong("tensordot: negative axes", lambda tf, a, b: tf.tensordot(a, b, -1), floats(2, 3), floats(3, 2))
        wrong("tensordot: more axes than there are", lambda tf, a, b: tf.tensordot(a, b, 3), floats(2, 3), floats(3, 2))
        wrong("tensordot: three lists", lambda tf, a, b: tf.tensordot(a, b, [[1], [0], [0]]), floats(2, 3), floats(3, 2))
        wrong("tensordot: lists of two lengths", lambda tf, a, b: tf.tensordot(a, b, [[0, 1], [0]]), floats(2, 3), floats(3, 2))
        wrong("Einsum: sizes differ", es("ij,jk->ik"), floats(2, 3), floats(2, 3))
        wrong("Einsum: rank differs", es("ijk->ik"), floats(2, 3))
        wrong("einsum: too few inputs", es("ij,jk->ik"), floats(2, 3))
        wrong("einsum: unknown output label", es("ij->iz"), floats(2, 3))
        wrong("einsum: repeated output label", es("i->ii"), floats(2))
        wrong("einsum: bad character", es("i1->i"), floats(2, 3))
        wrong("einsum: two arrows", es("ij->i->j"), floats(2, 3))
        wrong("Einsum: no ellipsis in the output", es("...i->i"), floats(2, 3))
        wrong("Einsum: a label does not stretch", es("ij,ij->ij"), floats(1, 3), floats(2, 3))
        wrong("einsum: unknown keyword", es("i->i", best=True), floats(2))
        wrong("Einsum: two dtypes", es("i,i->"), floats(2), floats(2, dtype="float64"))
    return [
        *found,
        error("SparseMatMul: batch", mm(a_is_sparse=True), floats(1, 2, 2), floats(1, 2, 2)),
        error("MatMul: integers by floats in a list", lambda tf, b: tf.matmul([[1, 2]], b), np.ones((2, 1), np.float32)),
    ]


ERRORS: list[ErrorCase] = _errors()
