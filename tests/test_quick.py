"""The ways around NumPy's slow loops give NumPy's answers."""

from typing import Any

import ml_dtypes
import numpy as np
import pytest

from pullback.kernels import blocked as quick, constant_fill, reductions

DRAW = np.random.default_rng(0)
SPECIAL = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 1e-42, 1.0, -1.0])


def mixed(dtype: str, *shape: int, special: bool = True) -> Any:
    x = DRAW.standard_normal(shape) * 100
    if special and np.dtype(dtype).kind in "fc":
        x[DRAW.random(shape) < 0.1] = DRAW.choice(SPECIAL)
        x.ravel()[:8] = SPECIAL
    return x.astype(dtype)


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "int8", "int64", "complex64", "complex128", "bool"])
def test_select_is_where_to_the_bit(dtype: str) -> None:
    full, row, column = (200, 100), (100,), (200, 1)
    for c, m, n in [(full, full, full), (full, full, ()), (full, (), full), (full, row, column), (column, row, full), (full, (), ())]:
        condition = DRAW.random(c) < 0.5
        a, b = (np.asarray(mixed(dtype, *shape) if shape else mixed(dtype, 8)[3]) for shape in (m, n))
        found, expected = quick.select(condition, a, b), np.where(condition, a, b)
        assert found.dtype == expected.dtype and found.shape == expected.shape and found.tobytes() == expected.tobytes()
    a, b, condition = mixed(dtype, *full), mixed(dtype, *full), DRAW.random(full) < 0.5
    np.testing.assert_array_equal(quick.select(condition.T, a.T, b.T), np.where(condition.T, a.T, b.T))


SHAPES = [
    (2000, 10),
    (2000, 64),
    (30, 1000),
    (5, 7777),
    (20_001,),
    (100, 40, 9),
    (6, 6000),
    (20_000, 3),
    (4099, 16),
    (20_000, 1),
    (20, 37, 29),
    (9, 2000, 5),
    (1, 20_000),
]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("keep", [False, True])
def test_reductions_are_numpys(shape: tuple[int, ...], keep: bool) -> None:
    rank = len(shape)
    for axes in {(0,), (-1,), (rank // 2,), tuple(range(rank)), tuple(range(rank - 1)) or (0,), tuple(range(1, rank)) or (0,)}:
        x = DRAW.uniform(0.5, 1.5, shape).astype("float32")
        found = reductions.total(x, axes, keep)
        if found is not None:
            expected = np.sum(x, axes, keepdims=keep, dtype="float64")
            assert found.dtype == x.dtype and found.shape == np.sum(x, axes, keepdims=keep).shape
            assert found == pytest.approx(expected, rel=1e-6)
        for special in (False, True):
            for dtype in ("float32", "int32"):
                y = mixed(dtype, *shape, special=special)
                for combine in (np.maximum, np.minimum):
                    best = reductions.extreme(y, axes, keep, combine)
                    if best is not None:
                        np.testing.assert_array_equal(best, combine.reduce(y, axis=axes, keepdims=keep))


def test_sums_round_no_more_than_numpys() -> None:
    x = DRAW.random((64, 100_000)).astype("float32")
    exact = x.sum(1, dtype="float64")
    found = reductions.total(x, (1,), False)
    assert found is not None
    assert np.abs(found - exact).max() <= 2 * np.abs(x.sum(1) - exact).max()


def test_sums_of_infinities_and_nan() -> None:
    x = np.ones((200, 1000), "float32")
    x[0, 5], x[1, 6], x[2, 7], x[2, 8] = np.nan, np.inf, np.inf, -np.inf
    with np.errstate(invalid="ignore"):
        np.testing.assert_array_equal(reductions.total(x, (1,), False), x.sum(1))


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "uint8", "int64", "uint32"])
@pytest.mark.parametrize("special", [False, True])
def test_orders_are_stable_ones(dtype: str, special: bool) -> None:
    for shape in ((20, 1000), (20_000,), (3, 2, 4000)):
        x = np.round(mixed(dtype, *shape, special=False) / 20).astype(dtype)  # many equal ones, zeros of both signs
        if special and np.dtype(dtype).kind == "f":
            x.ravel()[:8] = SPECIAL
        np.testing.assert_array_equal(quick.order(x), np.argsort(x, axis=-1, kind="stable"))
        down = shape[-1] - 1 - np.argsort(x[..., ::-1], axis=-1, kind="stable")[..., ::-1]
        for count in (0, 1, 7, shape[-1]):
            np.testing.assert_array_equal(quick.find_largest(x, count), down[..., :count])


@pytest.mark.parametrize("combine", [np.add, np.multiply, np.maximum, np.minimum])
@pytest.mark.parametrize("ids", ["rising", "any", "one", "skewed"])
def test_rows_with_one_id_are_combined(combine: Any, ids: str) -> None:
    rows = DRAW.uniform(0.9, 1.1, (3000, 8)).astype("float64")
    few = DRAW.integers(0, 500, 3000)
    of = {"rising": np.sort(few), "any": few, "one": np.zeros(3000, int), "skewed": few * (DRAW.random(3000) < 0.2)}[ids]
    found, result = quick.combine_rows(combine, rows, of.astype("int32"))
    np.testing.assert_array_equal(found, np.unique(of))
    for i, row in zip(found, result, strict=True):
        np.testing.assert_allclose(row, combine.reduce(rows[of == i]), rtol=1e-12)


def test_no_rows_are_combined() -> None:
    found, result = quick.combine_rows(np.add, np.ones((0, 3)), np.zeros(0, int))
    assert found.shape == (0,) and result.shape == (0, 3)


@pytest.mark.parametrize("high", [50, 1 << 30])
@pytest.mark.parametrize("dtype", ["int32", "int64", "uint8", "float32", "float64"])
def test_distinct_is_unique(dtype: str, high: int) -> None:
    x = DRAW.integers(0, min(high, 250 if dtype == "uint8" else high), 30_000).astype(dtype) - (0 if dtype == "uint8" else 5)
    x = x.astype(dtype)
    for one, other in zip(quick.distinct(x), np.unique(x, return_index=True, return_inverse=True, return_counts=True), strict=True):
        np.testing.assert_array_equal(one, other)
        assert one.dtype == other.dtype


def test_kernels_in_blocks_are_the_same_kernels() -> None:
    kernel = lambda x, y, *, shift=0.0: np.floor(x * y + shift)
    blocked = quick.block_kernel(kernel)
    big, other = mixed("float32", 70, 3000, special=False), mixed("float32", 70, 3000, special=False)
    for x, y in (
        (big, other),
        (big, np.float32(2)),
        (np.array(2, "float32"), big),
        (big.T, other.T),
        (big, other[0]),
        (big[:2], other[:2]),
    ):
        np.testing.assert_array_equal(blocked(x, y, shift=1.5), kernel(x, y, shift=1.5))


@pytest.mark.parametrize("combine", [np.add, np.subtract, np.multiply, np.maximum, np.minimum, np.divide])
@pytest.mark.parametrize("dtype", ["float32", "float64", "int32"])
def test_changes_at_indices_are_numpys(combine: Any, dtype: str) -> None:
    if combine is np.divide and dtype == "int32":
        return
    for shape, depth, count in (((500,), 1, 4000), ((300, 20), 1, 2000), ((300, 20), 2, 5000), ((30, 20, 8), 2, 900), ((300, 20), 1, 10)):
        out = DRAW.uniform(1, 2, shape).astype(dtype)
        index = tuple(DRAW.integers(0, n, count).astype("int32") for n in shape[:depth])
        updates = DRAW.uniform(1, 1.1, (count, *shape[depth:])).astype(dtype)
        found, expected = out.copy(), out.copy()
        quick.change(combine, found, index if depth > 1 else index[0], updates)
        combine.at(expected, index, updates)
        np.testing.assert_allclose(found, expected, rtol=2e-5)
    turned, other = np.ones((20, 300), "float32"), np.ones((20, 300), "float32")
    quick.change(np.add, turned.T, index[0], updates.astype("float32"))
    np.add.at(other.T, index[0], updates.astype("float32"))
    np.testing.assert_allclose(turned, other, rtol=1e-5)


def test_orders_of_long_integers() -> None:
    for high in (1000, 1 << 40):
        x = DRAW.integers(-high, high, 30_000)
        np.testing.assert_array_equal(quick.order(x), np.argsort(x, kind="stable"))


def test_the_product_of_all_numbers_of_a_large_array() -> None:
    x = DRAW.uniform(0.9, 1.1, (300, 200)).astype("float32")
    for y in (x, x.reshape(-1)):
        found = reductions.extreme(y, tuple(range(y.ndim)), False, np.multiply)
        assert found is not None
        assert found.shape == ()
        assert found == pytest.approx(np.prod(x, dtype="float64"), rel=1e-4)


@pytest.mark.parametrize("dtype", ["bool", "int8", "int32", "float16", "bfloat16", "float32", "float64", "complex64", "complex128"])
@pytest.mark.parametrize("value", [0, 1, -0.0, 2.5])
def test_large_arrays_of_one_number(dtype: str, value: float) -> None:
    kind = np.dtype(ml_dtypes.bfloat16 if dtype == "bfloat16" else dtype)
    for shape in ((3,), (7, 90_001), (0, 5), (1 << 20,)):
        expected, found = np.full(shape, value, kind), constant_fill.fill_array(shape, value, kind)
        assert found.dtype == kind and found.shape == shape and found.tobytes() == expected.tobytes()
        for ours, theirs in ((constant_fill.zeros_like, np.zeros_like), (constant_fill.ones_like, np.ones_like)):
            assert ours(found).tobytes() == theirs(found).tobytes() and ours(found).shape == shape
