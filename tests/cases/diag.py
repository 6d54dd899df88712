"""Diagonals, bands, traces, transposes of matrices, cross products."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.cases.case import Case, ErrorCase, bools, case, error, floats, ints

ALIGNMENTS = ("LEFT_RIGHT", "RIGHT_LEFT", "LEFT_LEFT", "RIGHT_RIGHT")


def la(called: str, *args: Any, **kwargs: Any) -> Any:
    """`f(tf, *tensors)` that calls `tf.linalg.<called>` with the tensors first."""
    return lambda tf, *xs: getattr(tf.linalg, called)(*xs, *args, **kwargs)


CASES: list[Case] = [
    # Diag, DiagPart: tensors of any rank
    case("Diag", "vector", la("tensor_diag"), floats(3)),
    case("Diag", "matrix", la("tensor_diag"), floats(2, 3)),
    case("Diag", "float64", la("tensor_diag"), floats(2, dtype="float64")),
    case("Diag", "complex64", la("tensor_diag"), floats(2, dtype="complex64")),
    case("Diag", "int32", la("tensor_diag"), ints(3)),
    case("Diag", "empty", la("tensor_diag"), floats(0), smooth=False),
    case("Diag", "v1", lambda tf, x: tf.diag(x), floats(2), face="v1"),
    case("Diag", "v1, of a matrix", lambda tf, x: tf.diag(x), floats(2, 2), face="v1"),
    case("DiagPart", "matrix", la("tensor_diag_part"), floats(3, 3)),
    case("DiagPart", "rank four", la("tensor_diag_part"), floats(2, 3, 2, 3)),
    case("DiagPart", "float16", la("tensor_diag_part"), floats(2, 2, dtype="float16")),
    case("DiagPart", "complex128", la("tensor_diag_part"), floats(2, 2, dtype="complex128")),
    case("DiagPart", "int64", la("tensor_diag_part"), ints(2, 2, dtype="int64")),
    case("DiagPart", "v1", lambda tf, x: tf.diag_part(x), floats(2, 2), face="v1"),
    case("DiagPart", "v1, of rank four", lambda tf, x: tf.diag_part(x), floats(2, 2, 2, 2), face="v1"),
    # MatrixDiagV3
    case("MatrixDiagV3", "vector", la("diag"), floats(3)),
    case("MatrixDiagV3", "batch", la("diag"), floats(2, 3)),
    case("MatrixDiagV3", "above", la("diag", k=1, num_rows=3, num_cols=3), floats(2)),
    case("MatrixDiagV3", "below, taller", la("diag", k=-1, num_rows=4, num_cols=3), floats(2, 3)),
    case("MatrixDiagV3", "rows given", la("diag", num_rows=3), floats(2)),
    case("MatrixDiagV3", "columns given, padded", la("diag", num_cols=4, padding_value=9), floats(2)),
    case("MatrixDiagV3", "band", la("diag", k=(-1, 1)), floats(3, 3)),
    case("MatrixDiagV3", "band above", la("diag", k=(0, 1)), floats(2, 3)),
    # TensorFlow refuses the gradient of the next one.
    case(
        "MatrixDiagV3", "band beyond the matrix", lambda tf, x: tf.linalg.diag(tf.stop_gradient(x), k=(0, 1)), floats(2, 2, 1), smooth=False
    ),
    case("MatrixDiagV3", "band, batch, wider", la("diag", k=(-1, 0), num_rows=3, num_cols=4, padding_value=0.5), floats(2, 2, 3)),
    *(case("MatrixDiagV3", f"band {a}", la("diag", k=(-1, 2), num_rows=3, num_cols=4, align=a), floats(4, 3)) for a in ALIGNMENTS),
    case("MatrixDiagV3", "float64", la("diag"), floats(2, dtype="float64")),
    case("MatrixDiagV3", "complex64", la("diag", k=-1, num_rows=3, num_cols=3), floats(2, dtype="complex64")),
    case("MatrixDiagV3", "int32", la("diag"), ints(3)),
    case("MatrixDiagV3", "bool", la("diag"), bools(3)),
    case("MatrixDiagV3", "empty", la("diag"), floats(2, 0), smooth=False),
    case("MatrixDiagV3", "k is a tensor", lambda tf, x, k: tf.linalg.diag(x, k=k), floats(2), np.int32(1)),
    case("MatrixDiagV3", "v1", lambda tf, x: tf.matrix_diag(x), floats(2, 2), face="v1"),
    # MatrixDiagPartV3
    case("MatrixDiagPartV3", "square", la("diag_part"), floats(3, 3)),
    case("MatrixDiagPartV3", "wide", la("diag_part"), floats(2, 3)),
    case("MatrixDiagPartV3", "tall batch", la("diag_part"), floats(2, 3, 2)),
    case("MatrixDiagPartV3", "above", la("diag_part", k=1), floats(3, 3)),
    case("MatrixDiagPartV3", "below", la("diag_part", k=-1), floats(2, 3)),
    case("MatrixDiagPartV3", "corner", la("diag_part", k=2), floats(2, 3)),
    case("MatrixDiagPartV3", "band, padded", la("diag_part", k=(-1, 1), padding_value=7), floats(2, 3)),
    case("MatrixDiagPartV3", "band, batch", la("diag_part", k=(0, 1)), floats(2, 3, 3)),
    case("MatrixDiagPartV3", "band of one", la("diag_part", k=(1, 1)), floats(3, 3)),
    *(case("MatrixDiagPartV3", f"band {a}", la("diag_part", k=(-2, 1), align=a), floats(3, 4)) for a in ALIGNMENTS),
    case("MatrixDiagPartV3", "float64", la("diag_part"), floats(2, 2, dtype="float64")),
    case("MatrixDiagPartV3", "complex64", la("diag_part"), floats(2, 2, dtype="complex64")),
    case("MatrixDiagPartV3", "int32", la("diag_part"), ints(2, 3)),
    case("MatrixDiagPartV3", "no columns", la("diag_part"), floats(2, 0), smooth=False),
    case("MatrixDiagPartV3", "v1", lambda tf, x: tf.matrix_diag_part(x), floats(2, 2), face="v1"),
    # MatrixSetDiagV3
    case("MatrixSetDiagV3", "square", la("set_diag"), floats(3, 3), floats(3, seed=1)),
    case("MatrixSetDiagV3", "wide batch", la("set_diag"), floats(2, 2, 3), floats(2, 2, seed=1)),
    case("MatrixSetDiagV3", "above", la("set_diag", k=1), floats(3, 3), floats(2, seed=1)),
    case("MatrixSetDiagV3", "below, tall", la("set_diag", k=-1), floats(4, 3), floats(3, seed=1)),
    case("MatrixSetDiagV3", "band", la("set_diag", k=(-1, 1)), floats(3, 3), floats(3, 3, seed=1)),
    *(case("MatrixSetDiagV3", f"band {a}", la("set_diag", k=(-2, 1), align=a), floats(3, 4), floats(4, 3, seed=1)) for a in ALIGNMENTS),
    case("MatrixSetDiagV3", "complex64", la("set_diag"), floats(2, 2, dtype="complex64"), floats(2, seed=1, dtype="complex64")),
    case("MatrixSetDiagV3", "float64", la("set_diag"), floats(2, 2, dtype="float64"), floats(2, seed=1, dtype="float64")),
    case("MatrixSetDiagV3", "int32", la("set_diag"), ints(2, 2), ints(2, seed=1)),
    case("MatrixSetDiagV3", "v1", lambda tf, x, d: tf.matrix_set_diag(x, d), floats(2, 2), floats(2, seed=1), face="v1"),
    # MatrixBandPart
    case("MatrixBandPart", "upper", la("band_part", 0, -1), floats(3, 3)),
    case("MatrixBandPart", "lower", la("band_part", -1, 0), floats(2, 3)),
    case("MatrixBandPart", "diagonal", la("band_part", 0, 0), floats(2, 3, 2)),
    case("MatrixBandPart", "one each way", la("band_part", 1, 1), floats(4, 4)),
    case("MatrixBandPart", "everything", la("band_part", -1, -1), floats(2, 3)),
    case("MatrixBandPart", "sizes are tensors", lambda tf, x, a, b: tf.linalg.band_part(x, a, b), floats(3, 3), np.int32(1), np.int32(0)),
    case("MatrixBandPart", "int32", la("band_part", 0, 1), ints(3, 3)),
    case("MatrixBandPart", "complex64", la("band_part", 0, 1), floats(3, 3, dtype="complex64")),
    case("MatrixBandPart", "empty", la("band_part", 0, 0), floats(0, 3), smooth=False),
    case("MatrixBandPart", "v1", lambda tf, x: tf.matrix_band_part(x, 1, 0), floats(3, 3), face="v1"),
    # trace, transposes
    case("MatrixDiagPartV3", "trace", la("trace"), floats(3, 3)),
    case("MatrixDiagPartV3", "trace of a wide batch", la("trace"), floats(2, 2, 3, dtype="float64")),
    case("MatrixDiagPartV3", "trace of integers", la("trace"), ints(3, 3)),
    case("MatrixDiagPartV3", "trace of complex", la("trace"), floats(2, 2, dtype="complex64")),
    case("MatrixDiagPartV3", "v1 trace", lambda tf, x: tf.trace(x), floats(2, 2), face="v1"),
    case("Transpose", "matrix_transpose", la("matrix_transpose"), floats(2, 2, 3)),
    case("Transpose", "matrix_transpose, conjugate", la("matrix_transpose", conjugate=True), floats(2, 3, dtype="complex64")),
    case("Transpose", "adjoint", la("adjoint"), floats(2, 2, 3, dtype="complex64")),
    case("Transpose", "adjoint of reals", la("adjoint"), floats(2, 3)),
    # Cross
    case("Cross", "vectors", la("cross"), floats(3), floats(3, seed=1)),
    case("Cross", "rows", la("cross"), floats(2, 3), floats(2, 3, seed=1)),
    case("Cross", "float64", la("cross"), floats(2, 2, 3, dtype="float64"), floats(2, 2, 3, seed=1, dtype="float64")),
    case("Cross", "int32", la("cross"), ints(3), ints(3, seed=1)),
    case("Cross", "bfloat16", la("cross"), floats(3, dtype="bfloat16"), floats(3, seed=1, dtype="bfloat16")),
    case("Cross", "no rows", la("cross"), floats(0, 3), floats(0, 3), smooth=False),
    case("Cross", "with itself", lambda tf, x: tf.linalg.cross(x, x), floats(3)),
]


def _errors() -> list[ErrorCase]:
    found: list[ErrorCase] = []
    for mode in ("eager", "graph"):

        def wrong(label: str, f: Any, *inputs: Any, mode: Any = mode) -> None:
            found.append(error(label, f, *inputs, mode=mode))

        wrong("Diag: scalar", la("tensor_diag"), floats())
        wrong("DiagPart: sizes differ", la("tensor_diag_part"), floats(2, 3))
        wrong("DiagPart: odd rank", la("tensor_diag_part"), floats(2))
        wrong("MatrixDiagV3: scalar", la("diag"), floats())
        wrong("MatrixDiagV3: too few rows", la("diag", num_rows=1), floats(2))
        wrong("MatrixDiagV3: sizes do not fit", la("diag", num_rows=3, num_cols=4, k=1), floats(2))
        wrong("MatrixDiagV3: unknown alignment", la("diag", align="CENTER"), floats(2))
        wrong("MatrixDiagV3: band upside down", la("diag", k=(1, 0)), floats(2, 2))
        wrong("MatrixDiagPartV3: vector", la("diag_part"), floats(2))
        wrong("MatrixDiagPartV3: diagonal out of range", la("diag_part", k=5), floats(2, 3))
        wrong("MatrixDiagPartV3: trace of a vector", la("trace"), floats(2))
        wrong("MatrixSetDiagV3: too long a diagonal", la("set_diag"), floats(2, 3), floats(3))
        wrong("MatrixSetDiagV3: two dtypes", la("set_diag"), floats(2, 2), floats(2, dtype="float64"))
        wrong("MatrixBandPart: vector", la("band_part", 0, 0), floats(2))
        wrong("MatrixBandPart: too low", la("band_part", 5, 0), floats(2, 3))
        wrong("Cross: two elements", la("cross"), floats(2), floats(2))
        wrong("Cross: shapes differ", la("cross"), floats(3), floats(1, 3))
        wrong("Cross: complex", la("cross"), floats(3, dtype="complex64"), floats(3, dtype="complex64"))
        wrong("matrix_transpose: vector", la("matrix_transpose"), floats(2))
    return found


ERRORS: list[ErrorCase] = _errors()
