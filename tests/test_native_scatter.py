"""Rows of variables changed by native loops: NumPy's numbers, row after row, and nothing changed where an index is wrong."""

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import pullback as tf
from pullback.base.errors import InvalidArgumentError
from pullback.engine.jit_policy import Settings

pytest.importorskip("llvmlite")
DRAW = np.random.default_rng(0)
HOWS = ("Update", "Add", "Sub", "Mul", "Div", "Min", "Max")
DTYPES = ("float32", "float64", "float16", "bfloat16", "complex64", "complex128", "int8", "int32", "int64", "uint8", "uint64", "bool")


def _values(shape: tuple[int, ...], dtype: str, how: str) -> Any:
    """Numbers that any order of sums and products keeps exact, and for the rest some that are none."""
    kind = ml_dtypes.bfloat16 if dtype == "bfloat16" else np.dtype(dtype)
    if dtype.startswith("uint") or dtype == "bool":
        return DRAW.integers(0, 2, shape).astype(kind)
    if how in ("Mul", "Div"):
        return DRAW.choice([1, -1] if "int" in dtype else [1, -1, 2, 0.5], shape).astype(kind)
    x = DRAW.integers(-3, 3, shape).astype(kind)
    if "int" not in dtype:
        x.reshape(-1)[5::1499] = np.nan
        x.reshape(-1)[6::1499] = np.inf
    return x


def _has_one_answer(how: str, dtype: str) -> bool:
    if dtype.startswith("complex") or dtype == "bool":
        return how == "Update" or (how in ("Add", "Sub") and dtype != "bool")
    return how != "Div" or "int" not in dtype


@pytest.mark.parametrize(("how", "dtype"), [(how, dtype) for how in HOWS for dtype in DTYPES if _has_one_answer(how, dtype)])
@pytest.mark.parametrize("width", [1, 3, 50])
def test_rows(how: str, dtype: str, width: int) -> None:
    count = 12_000 // width
    start, updates = _values((60, width), dtype, how), _values((count, width), dtype, how)
    indices = DRAW.integers(0, 60, count).astype("int32" if width == 3 else "int64")
    if how == "Update":
        indices = DRAW.permutation(60)[:count] if width == 1 else indices
        updates = updates[: len(indices)]
    answers = []
    with np.errstate(all="ignore"):
        for native in (True, False):
            settings = Settings.jit
            try:
                Settings.jit = native
                v = tf.Variable(start)
                held = v.read_value() if width == 3 else None
                getattr(tf.raw_ops, f"ResourceScatter{how}")(resource=v.handle, indices=indices, updates=updates)
                answers.append(v.numpy().astype("float32") if dtype == "bfloat16" else v.numpy())
                if how not in ("Mul", "Div"):
                    w = tf.Variable(start)
                    getattr(tf.raw_ops, f"ResourceScatterNd{how}")(ref=w.handle, indices=indices[:, None], updates=updates)
                    np.testing.assert_array_equal(w.numpy().astype(answers[-1].dtype), answers[-1])
                assert held is None or held.numpy().tobytes() == start.tobytes()
            finally:
                Settings.jit = settings
    np.testing.assert_array_equal(answers[0], answers[1])


@pytest.mark.parametrize("wrong", [-1, 60])
def test_a_wrong_index_changes_nothing(wrong: int) -> None:
    v, indices = tf.Variable(np.zeros((60, 3), np.float32)), np.zeros(5000, np.int32)
    indices[4000] = wrong
    settings = Settings.jit
    try:
        Settings.jit = True
        with pytest.raises(InvalidArgumentError, match=rf"indices\[4000\] = {wrong} is not in \[0, 60\)"):
            tf.raw_ops.ResourceScatterAdd(resource=v.handle, indices=indices, updates=np.ones((5000, 3), np.float32))
        with pytest.raises(InvalidArgumentError, match=rf"indices\[4000\] = \[{wrong}\] does not index into"):
            tf.raw_ops.ResourceScatterNdAdd(ref=v.handle, indices=indices[:, None], updates=np.ones((5000, 3), np.float32))
    finally:
        Settings.jit = settings
    assert not v.numpy().any()


def test_the_first_call_changes_rows_where_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Settings, "jit", True)
    table = tf.Variable(tf.ones([50, 4]))

    @tf.function
    def step(ids: Any) -> Any:
        read = tf.gather(table, ids) * 2.0
        table.scatter_sub(tf.IndexedSlices(read, ids, [50, 4]))
        return tf.reduce_sum(read)

    where = table.handle.value.value.ctypes.data
    for i in range(2):
        step(tf.constant([i, 7, 7]))
        assert table.handle.value.value.ctypes.data == where
    np.testing.assert_array_equal(table.numpy()[:8, 0], [-1, -1, 1, 1, 1, 1, 1, 9])
    with pytest.raises(InvalidArgumentError):
        step(tf.constant([0, 50, 7]))
    np.testing.assert_array_equal(table.numpy()[:8, 0], [-1, -1, 1, 1, 1, 1, 1, 9])
