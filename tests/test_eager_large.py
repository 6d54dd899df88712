"""Large eager kernels that go other ways than small ones, blocks, products, programs: the numbers of NumPy's straight way."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import pullback as tf
from pullback.engine import eager_code
from pullback.engine.background import wait_for_compiles
from pullback.engine.jit_policy import Settings
from pullback.kernels import blocked
from pullback.kernels.backend import ENGINE

DRAW = np.random.default_rng(0)
X = DRAW.normal(size=(400, 500)).astype(np.float32)
CUBE = DRAW.normal(size=(60, 70, 50)).astype(np.float32)
IDS = np.sort(DRAW.integers(0, 300, 400)).astype(np.int32) * 2  # every other segment is empty
ODD = np.where(DRAW.random((400, 500)) < 0.002, DRAW.choice([np.nan, np.inf, -np.inf], (400, 500)), X).astype(np.float32)
ODD[7], ODD[8] = -np.inf, np.inf
STACK = DRAW.normal(size=(9000, 3, 5)).astype(np.float32)
NEAR_ONE = DRAW.uniform(0.9, 1.1, (400, 500)).astype(np.float32)


@pytest.fixture
def programs() -> Iterator[eager_code.KernelPrograms]:
    """Fresh programs, and the settings as they were afterwards."""
    pytest.importorskip("llvmlite")
    before, settings = ENGINE.run_program, Settings.jit
    ENGINE.run_program = found = eager_code.KernelPrograms()
    Settings.jit = None
    yield found
    ENGINE.run_program, Settings.jit = before, settings


def _segments(combine: Any, empty: float) -> Any:
    of = [X[np.equal(IDS, number)] for number in range(int(IDS[-1]) + 1)]
    return np.array([combine.reduce(rows, axis=0) if len(rows) else np.full(500, empty) for rows in of], np.float32)


def _entropies(labels: Any) -> Any:
    wide = X.astype(np.float64)
    return (labels * (np.log(np.exp(wide).sum(1, keepdims=True)) - wide)).sum(1)


EXACT: dict[str, tuple[Callable[[], Any], Callable[[], Any]]] = {
    "MatrixBandPart": (lambda: tf.linalg.band_part(X, 3, -1), lambda: np.triu(X, -3)),
    "Max, between": (lambda: tf.reduce_max(CUBE, 1), lambda: CUBE.max(1)),
    "Min, short rows": (lambda: tf.reduce_min(CUBE, 2), lambda: CUBE.min(2)),
    "Max, around": (lambda: tf.reduce_max(CUBE, [0, 2]), lambda: CUBE.max((0, 2))),
    "Max, all": (lambda: tf.reduce_max(CUBE), lambda: CUBE.max()),
    "Min, NaN in rows": (lambda: tf.reduce_min(ODD, 1), lambda: ODD.min(1)),
    "Max, NaN in columns": (lambda: tf.reduce_max(ODD, 0), lambda: ODD.max(0)),
    "ArgMax": (lambda: tf.argmax(X, 0), lambda: X.argmax(0)),
    "Cumsum": (lambda: tf.cumsum(X, 0, reverse=True), lambda: X[::-1].cumsum(0)[::-1]),
    "SegmentMax": (lambda: tf.math.segment_max(X, IDS), lambda: _segments(np.maximum, 0)),
    "SegmentMin": (lambda: tf.math.segment_min(X, IDS), lambda: _segments(np.minimum, 0)),
    "DenseBincount": (
        lambda: tf.math.bincount(np.tile(IDS, 400), minlength=99, maxlength=99),
        lambda: 400 * np.bincount(IDS[IDS < 99], minlength=99),
    ),
    "UpperBound": (
        lambda: tf.searchsorted(np.sort(X.ravel()), X.ravel()[::-1], side="right"),
        lambda: np.searchsorted(np.sort(X.ravel()), X.ravel()[::-1], side="right"),
    ),
}
ROUNDED: dict[str, tuple[Callable[[], Any], Callable[[], Any]]] = {
    "Prod, rows": (lambda: tf.reduce_prod(NEAR_ONE, 1), lambda: np.prod(NEAR_ONE, 1, dtype="float64")),
    "Softmax": (lambda: tf.nn.softmax(X), lambda: np.exp(X) / np.exp(X).sum(1, keepdims=True)),
    "LogSoftmax": (lambda: tf.nn.log_softmax(X), lambda: X - np.log(np.exp(X.astype("float64")).sum(1, keepdims=True))),
    "CumulativeLogsumexp": (lambda: tf.math.cumulative_logsumexp(X), lambda: np.logaddexp.accumulate(X)),
    "SoftmaxCrossEntropyWithLogits": (lambda: tf.nn.softmax_cross_entropy_with_logits(NEAR_ONE, X), lambda: _entropies(NEAR_ONE)),
    "SparseSoftmaxCrossEntropyWithLogits": (
        lambda: tf.nn.sparse_softmax_cross_entropy_with_logits(IDS % 500, X),
        lambda: _entropies(np.eye(500)[IDS % 500]),
    ),
    "BatchMatMulV2": (lambda: tf.matmul(STACK, STACK, transpose_b=True), lambda: STACK @ STACK.swapaxes(1, 2)),
    "SegmentSum": (lambda: tf.math.segment_sum(X, IDS), lambda: _segments(np.add, 0)),
    "SegmentMean": (lambda: tf.math.segment_mean(X, IDS), lambda: _segments(np.add, 0) / np.maximum(np.bincount(IDS), 1)[:, None]),
    "SegmentProd": (lambda: tf.math.segment_prod(X, IDS), lambda: _segments(np.multiply, 1)),
}


@pytest.mark.parametrize("name", [*EXACT, *ROUNDED])
def test_programs_take_over(name: str, programs: eager_code.KernelPrograms) -> None:
    """After some calls; before and after, the results are right."""
    call, straight = (EXACT | ROUNDED)[name]
    expected = straight()
    for _ in range(10):
        found = call().numpy()
        wait_for_compiles()
        assert found.shape == expected.shape
        if name in EXACT:
            np.testing.assert_array_equal(found, expected)
        else:
            np.testing.assert_allclose(found, expected, 2e-5, 1e-5)
    assert programs._found and all(program is not None for program in programs._found.values())


def test_refused_numbers_are_the_kernels_to_tell(programs: eager_code.KernelPrograms) -> None:
    Settings.jit = True
    numbers = np.tile(IDS, 400)
    numbers[7] = -1
    for _ in range(2):
        with pytest.raises(tf.errors.InvalidArgumentError, match="must be non-negative"):
            tf.math.bincount(numbers, minlength=9, maxlength=9)
        with pytest.raises(tf.errors.InvalidArgumentError, match="are not increasing"):
            tf.math.segment_sum(X, IDS[::-1])
        with pytest.raises(tf.errors.InvalidArgumentError, match="NaN"):
            tf.histogram_fixed_width(np.where(X > 3, np.float32(np.nan), X), [0.0, 1.0], 4)


@pytest.mark.parametrize("reduce", [tf.reduce_sum, tf.reduce_max, tf.reduce_prod, tf.math.reduce_euclidean_norm])
@pytest.mark.parametrize("axis", [2, -3])
def test_axes_that_are_not_there(reduce: Any, axis: int) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="Invalid reduction dimension"):
        reduce(X, axis)


@pytest.mark.parametrize("shape", [(400, 500), (4, 10_007), (30, 900, 7), (40_000,), (3, 20_000)])
def test_norms(shape: tuple[int, ...]) -> None:
    x = DRAW.normal(size=shape).astype(np.float32)
    for axes in (None, 0, -1):
        expected = np.sqrt(np.square(x, dtype=np.float64).sum(axes))
        np.testing.assert_allclose(tf.math.reduce_euclidean_norm(x, axes).numpy(), expected, 2e-6)


@pytest.mark.parametrize("shape", [(500, 400), (50, 40, 30)])
def test_places_of_what_is_true(shape: tuple[int, ...]) -> None:
    inside = DRAW.random(shape) < 0.3
    np.testing.assert_array_equal(tf.where(inside).numpy(), np.argwhere(inside))
    np.testing.assert_array_equal(tf.where(inside.T).numpy(), np.argwhere(inside.T))


@pytest.mark.parametrize(
    ("start", "limit", "delta", "dtype"),
    [(-5, 700_000, 3, "int32"), (2**31 - 1, -(2**31) + 1, -9001, "int32"), (7.0, 3e5, 1.25, "float32"), (1e6, -3e5, -0.7, "float64")],
)
def test_long_ranges(start: Any, limit: Any, delta: Any, dtype: str) -> None:
    found = tf.range(*(tf.constant(v, dtype) for v in (start, limit, delta))).numpy()
    wide: Any = np.int64 if dtype == "int32" else np.float64
    first, step = (wide(np.array(v, dtype)) for v in (start, delta))
    assert len(found) >= blocked.SHARED
    np.testing.assert_array_equal(found, (first + np.arange(len(found), dtype=wide) * step).astype(dtype))


@pytest.mark.parametrize("divide", [tf.math.floordiv, tf.math.floormod, tf.truncatediv, tf.truncatemod])
def test_divisions_of_integers(divide: Any) -> None:
    """In blocks, then in native loops: the least number too, whose quotient by -1 there is not, and zeros are told each time."""
    x, y = DRAW.integers(-1000, 1000, blocked.SHARED).astype(np.int32), DRAW.integers(1, 50, blocked.SHARED).astype(np.int32)
    y[::2] *= -1
    x[:3], y[:3] = -(2**31), -1
    parts = [divide(x[i : i + 1000], y[i : i + 1000]).numpy() for i in range(0, len(x), 1000)]
    for _ in range(10):
        np.testing.assert_array_equal(divide(x, y).numpy(), np.concatenate(parts))
        wait_for_compiles()
    y[77] = 0
    with pytest.raises(tf.errors.InvalidArgumentError, match="division by zero"):
        divide(x, y)


def test_rows_of_a_variable_are_changed_where_nobody_else_holds_them() -> None:
    variable = tf.Variable(np.zeros((500, 3), np.float32))
    held = variable.value()
    with tf.GradientTape() as tape:
        squares = tf.reduce_sum(variable.read_value() ** 2)
        for number in (1, 2):
            variable.scatter_update(tf.IndexedSlices(tf.fill([2, 3], float(number)), tf.constant([number, 3])))
            variable.scatter_add(tf.IndexedSlices(tf.ones([1, 3]), tf.constant([0])))
    assert not held.numpy().any()
    assert not tape.gradient(squares, variable).numpy().any()
    assert variable.numpy()[:4].tolist() == [[2] * 3, [1] * 3, [2] * 3, [2] * 3]
    with pytest.raises(tf.errors.InvalidArgumentError, match="is not in"):
        variable.scatter_update(tf.IndexedSlices(tf.ones([2, 3]), tf.constant([0, 500])))
    assert variable.numpy()[0].tolist() == [2] * 3


@pytest.mark.parametrize("dtype", ["float32", "float64", "int8", "bool"])
@pytest.mark.parametrize("rest", [(3,), (2, 5), (100,), ()])
def test_rows_put_in_a_variable(dtype: str, rest: tuple[int, ...]) -> None:
    start, rows = (DRAW.integers(0, 2, (n, *rest)).astype(dtype) for n in (50, 8))
    places = DRAW.permutation(50)[:8].astype(np.int32)
    variable = tf.Variable(start)
    variable.scatter_update(tf.IndexedSlices(tf.constant(rows), tf.constant(places)))
    start[places] = rows
    np.testing.assert_array_equal(variable.numpy(), start)


@pytest.mark.parametrize("length", [1, 3, 10, 63, 130])
@pytest.mark.parametrize("dtype", ["float32", "float64", "int32"])
def test_segments_in_runs(length: int, dtype: str, programs: eager_code.KernelPrograms) -> None:
    """Ids that stay, change, come back, are missing and negative: each row is combined with the right one, in order."""
    count = blocked.SHARED // length + 1
    ids = np.repeat(DRAW.integers(-1, 40, count), DRAW.integers(1, 9, count))[:count].astype(np.int32)
    rows = DRAW.uniform(0.5, 1.5, (count, length)).astype(dtype) if dtype != "int32" else DRAW.integers(-9, 9, (count, length), dtype)
    reductions = (tf.math.unsorted_segment_sum, tf.math.unsorted_segment_max, tf.math.unsorted_segment_min, tf.math.unsorted_segment_prod)
    for reduction in reductions:
        Settings.jit = False
        expected = reduction(rows, ids, 50).numpy()
        Settings.jit = True
        np.testing.assert_allclose(reduction(rows, ids, 50).numpy(), expected, 0 if dtype == "int32" else 3e-5)
    assert [program is not None for program in programs._found.values()] == [True] * len(reductions)


def test_programs_keep_no_results(programs: eager_code.KernelPrograms) -> None:
    """What a caller drops is free: programs for many shapes stay, and would hold as many arrays."""
    Settings.jit = True
    found = tf.nn.softmax(X)
    array = weakref.ref(found.numpy().base if found.numpy().base is not None else found.numpy())
    assert programs._memory == sum(program.memory for program in programs._found.values())
    del found
    gc.collect()
    assert array() is None
    before, eager_code._MEMORY = eager_code._MEMORY, 0
    try:
        tf.nn.log_softmax(X)
    finally:
        eager_code._MEMORY = before
    assert len(programs._found) == 1


STEPS: dict[str, Callable[[], Any]] = {
    "descent": lambda: tf.compat.v1.train.GradientDescentOptimizer(0.1),
    "momentum": lambda: tf.compat.v1.train.MomentumOptimizer(0.1, 0.9, use_nesterov=True),
    "Adam": lambda: tf.compat.v1.train.AdamOptimizer(0.1),
    "RMSProp": lambda: tf.compat.v1.train.RMSPropOptimizer(0.1, momentum=0.5, centered=True),
    "Adagrad": lambda: tf.compat.v1.train.AdagradOptimizer(0.1),
    "Ftrl": lambda: tf.compat.v1.train.FtrlOptimizer(0.1, l1_regularization_strength=0.01),
}


@pytest.mark.parametrize("name", STEPS)
@pytest.mark.parametrize("is_held", [False, True])
def test_steps_of_optimizers_are_native_after_some_calls_with_the_same_bits(name: str, is_held: bool) -> None:
    pytest.importorskip("llvmlite")
    before, settings = ENGINE.run_update, Settings.jit
    found = eager_code.Updates()
    answers = []
    try:
        Settings.jit = None
        for ENGINE.run_update in (lambda *_: False, found):
            v, optimizer = tf.Variable(X), STEPS[name]()
            held = [v.read_value()] if is_held else []
            for _ in range(12):
                optimizer.apply_gradients([(tf.constant(X * X), v)])
                wait_for_compiles()
                held += [v.read_value()] if is_held else []
            answers.append([v.numpy().tobytes(), *(t.numpy().tobytes() for t in held)])
    finally:
        ENGINE.run_update, Settings.jit = before, settings
    assert answers[0] == answers[1]
    assert found._found and all(found._found.values())
    assert len(set(answers[1])) == (13 if is_held else 1)


@pytest.fixture
def updates() -> Iterator[eager_code.Updates]:
    pytest.importorskip("llvmlite")
    before, settings = ENGINE.run_update, Settings.jit
    ENGINE.run_update = found = eager_code.Updates()
    Settings.jit = True
    yield found
    ENGINE.run_update, Settings.jit = before, settings


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "bfloat16"])
def test_a_step_changes_arrays_where_they_are_unless_somebody_holds_them(dtype: str, updates: eager_code.Updates) -> None:
    g = tf.cast(X, dtype)
    answers = []
    for Settings.jit in (True, False):
        v, accum = tf.Variable(g), tf.Variable(g)
        places, held = [], None
        for i in range(4):
            held = v.read_value() if i == 3 else None
            tf.raw_ops.ResourceApplyMomentum(var=v.handle, accum=accum.handle, lr=0.1, grad=g, momentum=0.5)
            places.append(tuple(x.handle.value.value.ctypes.data for x in (v, accum)))
            if held is not None:
                answers[-1:] += [v.numpy().tobytes(), accum.numpy().tobytes(), held.numpy().tobytes()]
            answers.append(v.numpy().tobytes())
        if Settings.jit:
            assert places[0] == places[1] == places[2]
            assert places[3][0] != places[2][0] and places[3][1] == places[2][1]
    assert answers[: len(answers) // 2] == answers[len(answers) // 2 :]
    assert all(updates._found.values())


def test_a_native_step_of_several_variables_is_all_or_nothing(updates: eager_code.Updates) -> None:
    def refused(value: Any) -> Any:
        raise OverflowError("no more")

    optimizer = tf.compat.v1.train.MomentumOptimizer(0.1, 0.5)
    first, second = tf.Variable(X), tf.Variable(X)
    pairs = [(tf.constant(X), v) for v in (first, second)]
    optimizer.apply_gradients(pairs)
    kept = [first, second, *optimizer.variables()]
    before = [v.numpy().tobytes() for v in kept]
    second.constraint = refused
    with pytest.raises(OverflowError, match="no more"):
        optimizer.apply_gradients(pairs)
    assert [v.numpy().tobytes() for v in kept] == before
    assert all(updates._found.values())
