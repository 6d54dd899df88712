"""Lists of tensors, by TensorArray: every op of theirs to second order, forwards, and with places never written."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.cases.case import Case, ErrorCase, case, error, floats


def _array(tf: Any, x: Any, **options: Any) -> Any:
    return tf.TensorArray(x.dtype, **{"size": 3, "clear_after_read": False, **options})


def _written(tf: Any, x: Any) -> Any:
    ta = _array(tf, x)
    for i in range(3):
        ta = ta.write(i, x[i] * x[2 - i])
    return ta.stack()


def _overwritten(tf: Any, x: Any) -> Any:
    return _array(tf, x).unstack(x * x).write(1, x[0] * x[1] * x[2]).write(1, x[2] * x[2]).stack()


def _read(tf: Any, x: Any) -> Any:
    ta = _array(tf, x).unstack(x * x)
    return ta.read(0) * ta.read(2) + ta.read(0)


def _grown(tf: Any, x: Any) -> Any:
    ta = _array(tf, x, size=0, dynamic_size=True, element_shape=[])
    return ta.write(1, x[0] * x[1]).write(3, x[2] ** 3).stack()


def _half_written(tf: Any, x: Any) -> Any:
    ta = _array(tf, x, element_shape=[2]).write(1, x * x)
    return [ta.stack(), ta.read(0), ta.read(1)]


def _scattered_twice(tf: Any, x: Any) -> Any:
    return _array(tf, x, size=4, element_shape=[]).scatter([0, 3, 1], x * x).scatter([1, 2, 3], x * x * x).stack()


def _pieces(tf: Any, x: Any) -> Any:
    ta = _array(tf, x, infer_shape=False).split(x * x, [2, 0, 1])
    return [ta.concat(), ta.read(0), ta.read(2)]


def _pieces_replaced(tf: Any, x: Any) -> Any:
    return _array(tf, x, infer_shape=False).split(x * x, [2, 0, 1]).write(1, x[:2] * x[1:]).concat()


CASES: list[Case] = [
    case("TensorListSetItem", "written one by one", _written, floats(3)),
    case("TensorListSetItem", "rows", _written, floats(3, 2)),
    case("TensorListSetItem", "float64", _written, floats(3, dtype="float64")),
    case("TensorListSetItem", "complex", _written, floats(3, dtype="complex64")),
    case("TensorListSetItem", "bfloat16", _written, floats(3, dtype="bfloat16"), smooth=False),
    case("TensorListSetItem", "overwritten", _overwritten, floats(3)),
    case("TensorListSetItem", "grown", _grown, floats(3)),
    case("TensorListSetItem", "half written", _half_written, floats(2)),
    case("TensorListSetItem", "integers", _written, np.array([1, 2, 3], np.int32), smooth=False),
    case("TensorListGetItem", "read", _read, floats(3)),
    case("TensorListGetItem", "read rows", _read, floats(3, 2)),
    case("TensorListStack", "rows of rows", lambda tf, x: _array(tf, x, size=2).unstack(x * x).stack(), floats(2, 3, 2)),
    case("TensorListGather", "some", lambda tf, x: _array(tf, x).unstack(x * x).gather([2, 0]), floats(3)),
    case("TensorListGather", "rows", lambda tf, x: _array(tf, x).unstack(x * x).gather([1, 0]), floats(3, 2)),
    case("TensorListGather", "half written", lambda tf, x: _array(tf, x, element_shape=[]).write(0, x * x).gather([0, 1]), floats()),
    case("TensorListScatterIntoExistingList", "all", lambda tf, x: _array(tf, x).scatter([2, 0, 1], x * x).stack(), floats(3)),
    case("TensorListScatterIntoExistingList", "over others", _scattered_twice, floats(3)),
    case("TensorListSplit", "pieces", _pieces, floats(3)),
    case("TensorListSplit", "a piece replaced", _pieces_replaced, floats(3)),
    case("TensorListSplit", "rows", _pieces, floats(3, 2)),
    case("TensorListConcatV2", "joined", lambda tf, x: _array(tf, x, size=2).unstack(x * x).concat(), floats(2, 3)),
]
ERRORS: list[ErrorCase] = [
    error("write past the end", lambda tf, x: _array(tf, x).write(3, x[0]), floats(3)),
    error("read past the end", lambda tf, x: _array(tf, x).unstack(x).read(3), floats(3)),
    error("TensorListGetItem: read past the end", lambda tf, x: _array(tf, x).unstack(x).read(3), floats(3), mode="graph"),
    error("TensorListSetItem: write at -1", lambda tf, x: _array(tf, x).unstack(x).write(-1, x[0]).stack(), floats(3), mode="graph"),
    error("another shape", lambda tf, x: _array(tf, x).write(0, x).write(1, x[0]), floats(3)),
    error("another shape", lambda tf, x: _array(tf, x).write(0, x).write(1, x[0]), floats(3), mode="graph"),
]
