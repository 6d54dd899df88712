"""What has native code gives what its kernel gives: special values of every dtype, faults, random streams, large arrays on any thread."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import pullback as tf
from pullback.engine.jit_policy import native_program
from pullback.engine.runtime import symbols, ufunc_loops
from pullback.ir.plan import Plan, Run
from pullback.ir.tensor import TensorType
from pullback.kernels import parallel
from tests.random_programs import executor

Array = np.ndarray[Any, Any]
BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
FLOATS = (np.float16, BFLOAT16, np.float32, np.float64)
SPECIAL = np.array(
    [0.5, -0.5, -1.0, -1.7, 127.5, 128.0, 200.0, 300.0, -129.0, -300.0, 32768.0, 70000.0, -70000.0, 2147483647.0, 2147483648.0,
     -2147483648.0, 3e9, 4294967295.0, 1e12, -1e12, 9.2e18, 9.3e18, -9.3e18, 1.8e19, 1.9e19, -1.9e19, 1e30, -1e30, np.inf, -np.inf, np.nan]
)  # fmt: skip


def natively(f: Callable[..., Any], *arrays: Array, calls: Sequence[str] = ()) -> tuple[list[Array], list[Array]]:
    """The answers of the executor, and those of a native program, the same bits on any number of threads.  calls: its called kernels."""
    with tf.Graph().as_default():
        given = [tf.compat.v1.placeholder(a.dtype, a.shape) for a in arrays]
        found = f(*given)
        plan = Plan(list(found) if isinstance(found, (list, tuple)) else [found], given)
    with executor(), np.errstate(all="ignore"):
        expected = [np.array(y) for y in plan.run(list(arrays), Run({}, {}))]
    program, reason = native_program(plan, [TensorType(a.shape, t.dtype) for a, t in zip(arrays, plan.fed, strict=True)])
    assert program is not None, reason
    assert sorted(node.primitive.name for node in program.refusals) == sorted(calls), program.refusals
    before, answers = parallel.threads(), []
    try:
        for threads in (1, 2, 3):
            parallel.set_threads(threads)
            got = program.run(list(arrays), Run({}, {}))
            assert got is not None, "a fault"
            answers.append([np.array(y) for y in got])
    finally:
        parallel.set_threads(before)
    assert all(a.tobytes() == b.tobytes() for other in answers[1:] for a, b in zip(answers[0], other, strict=True))
    return expected, answers[0]


def same(pair: tuple[list[Array], list[Array]]) -> None:
    for expected, found in zip(*pair, strict=True):
        assert expected.dtype == found.dtype and expected.shape == found.shape
        both_nan = [y != y for y in (expected, found)]  # noqa: PLR0124  # bfloat16 has no isnan
        assert expected.tobytes() == found.tobytes() or ((expected == found) | (both_nan[0] & both_nan[1])).all()


def close(pair: tuple[list[Array], list[Array]], rtol: float) -> None:
    for expected, found in zip(*pair, strict=True):
        assert expected.dtype == found.dtype
        np.testing.assert_allclose(found, expected, rtol=rtol, atol=rtol * float(np.abs(expected).max()))


# ---- scalars


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("given", FLOATS)
def test_casts_of_special_values(given: Any) -> None:
    """NumPy has two answers for a uint32 that is out of range, by the place in the array; one of them is that of a single number."""
    x = SPECIAL.astype(given)
    whole = (tf.int8, tf.int16, tf.int32, tf.int64, tf.uint8, tf.uint16, tf.uint64, tf.bool)
    kinds = (*whole, tf.float16, tf.bfloat16, tf.float32, tf.float64)
    others = [kind for kind in kinds if np.dtype(kind.as_numpy_dtype) != np.dtype(given)]
    same(natively(lambda x: [tf.cast(x, kind) for kind in others] + [tf.cast(x, tf.complex64), x + x], x))
    found = natively(lambda x: [tf.cast(x, tf.uint32), x + x], x)[1][0]
    assert found.tolist() == [int(v.reshape(1).astype(np.uint32)[0]) for v in x]


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64])
def test_divisions_of_whole_numbers(dtype: Any) -> None:
    rng, info = np.random.default_rng(1), np.iinfo(dtype)
    x = rng.integers(info.min, info.max, 300, dtype, endpoint=True)
    y = rng.integers(info.min, info.max, 300, dtype, endpoint=True)
    y[::2] = rng.integers(1, 9, 150)
    if info.min < 0:
        y[::4] = -y[::4]
        x[:8], y[:4], x[8:16] = info.min, -1, info.max
    y[y == 0] = 1
    some = [lambda x, y: tf.truncatemod(x, y)] if dtype in (np.int32, np.int64) else []
    functions = [tf.math.floordiv, tf.math.floormod, tf.truncatediv, tf.bitwise.left_shift, tf.bitwise.right_shift, *some]
    same(natively(lambda x, y: [f(x, y) for f in functions] + [tf.reduce_mean(x)], x, y))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("dtype", FLOATS)
def test_divisions_of_special_floats(dtype: Any) -> None:
    points = np.array([0.0, -0.0, 1, -1, 2, np.inf, -np.inf, np.nan, 0.5, -2.5], dtype)
    x, y = np.repeat(points, 10), np.tile(points, 10)
    same(natively(lambda x, y: [tf.math.floordiv(x, y), tf.truncatediv(x, y), tf.math.xdivy(x, y), x - y], x, y))
    if np.dtype(dtype).itemsize > 2:
        same(natively(lambda x, y: [tf.math.nextafter(x, y), tf.math.floormod(x, y), x - y], x, y))


def test_bits() -> None:
    x = np.random.default_rng(2).normal(size=(6, 4)).astype(np.float32)
    kinds = (tf.int8, tf.uint16, tf.int32, tf.uint32, tf.bfloat16, tf.float16)
    same(natively(lambda x: [tf.bitcast(x * 2, kind) for kind in kinds] + [tf.bitcast(tf.reshape(x, [12, 2]), tf.float64)], x))


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
def test_complex_numbers(dtype: Any) -> None:
    rng, rtol = np.random.default_rng(3), 2e-5 if dtype == np.complex64 else 1e-12
    x, y = ((rng.normal(size=(70, 90)) + 1j * rng.normal(size=(70, 90))).astype(dtype) for _ in range(2))
    functions = (tf.exp, tf.math.log, tf.sqrt, tf.sin, tf.tanh, tf.abs, tf.math.angle, tf.math.conj, tf.math.real, tf.math.imag)
    close(natively(lambda x, y: [f(x * y) for f in functions] + [x / y, x - y], x, y), rtol)
    close(natively(lambda x, y: [tf.reduce_sum(x * y), tf.reduce_sum(x, 0), tf.reduce_mean(y, 1), tf.reduce_prod(x[:, :5], 1)], x, y), rtol)
    close(natively(lambda x, y: [tf.matmul(x, y, adjoint_b=True), tf.transpose(x)[::3] * 2, tf.gather(x, [3, 1], axis=1)], x, y), rtol)


# ---- what else has native code


def test_special_functions_are_the_kernels() -> None:
    rng, of_two = np.random.default_rng(4), [tf.math.igamma, tf.math.zeta]
    for dtype, rtol in ((np.float32, 1e-6), (np.float64, 1e-13)):
        x, y, u = np.abs(rng.normal(size=40) * 4).astype(dtype), np.abs(rng.normal(size=40)).astype(dtype), rng.random(40).astype(dtype)
        pair = natively(lambda a, b, u: [*(f(a, b) for f in of_two), tf.math.betainc(a, b, u), tf.math.special.bessel_k0e(a)], x, y, u)
        for expected, found in zip(*pair, strict=True):
            assert expected.dtype == found.dtype == dtype
            np.testing.assert_allclose(found, expected, rtol=rtol)


def test_only_loops_that_a_function_has_are_found() -> None:
    assert ufunc_loops.loop("gammainc", "dd->d") is not None
    assert ufunc_loops.loop("gammainc", "ddd->d") is None
    named = ufunc_loops.symbols("gammainc", "dd->d")[0]
    assert symbols.addresses(["memcpy", named]) == {named: ufunc_loops.address(named)} and ufunc_loops.address(named)


def test_large_scans_extremes_and_segments() -> None:
    rng = np.random.default_rng(5)
    x = rng.normal(size=(130, 3000)).astype(np.float32)
    x[3, 7] = x[100] = np.nan
    ids = rng.integers(-1, 50, 130).astype(np.int32)
    same(natively(lambda x, i: [tf.argmax(x, 0), tf.argmin(x, 1, tf.int32), tf.math.unsorted_segment_max(x, i, 50)], x, ids))
    rows = np.nan_to_num(x)
    backwards = {"exclusive": True, "reverse": True}
    close(natively(lambda x: [tf.cumsum(x, 1), tf.cumsum(x, 0, **backwards), tf.math.cumulative_logsumexp(x, 1)], rows), 1e-5)


def test_factors_of_large_matrices() -> None:
    rng = np.random.default_rng(6)
    x = rng.normal(size=(6, 40, 40))
    spd = x @ x.swapaxes(1, 2) + 40 * np.eye(40)
    functions = (tf.linalg.cholesky, tf.linalg.inv, tf.linalg.det, tf.linalg.logdet, tf.linalg.eigvalsh)
    close(natively(lambda a, b: [f(a) for f in functions] + [tf.linalg.solve(a, b), tf.linalg.triangular_solve(a, b)], spd, x), 1e-9)


def test_short_rows_are_sorted_natively() -> None:
    x = np.random.default_rng(7).normal(size=(4, 5, 33)).astype(np.float32)
    x[0, 0, :6], x[1] = [np.nan, 1, np.inf, np.nan, 0, -0.0], np.round(x[1])
    same(natively(lambda x: [*tf.math.top_k(x, 5), *tf.math.top_k(x, 33), tf.sort(x, 1), tf.argsort(x, 0, "DESCENDING")], x))


# ---- faults


@pytest.mark.parametrize(
    ("f", "good", "bad"),
    [
        (lambda x: x // tf.constant([3, 4]) // x, [2, 5], [2, 0]),
        (lambda x: tf.pow(tf.constant([3, 4]), x) + x, [2, 5], [2, -1]),
        (lambda x: tf.debugging.check_numerics(1.0 / tf.cast(x, tf.float32), "here") * 2.0, [2, 5], [2, 0]),
        (lambda x: tf.linalg.inv(tf.linalg.diag(tf.cast(x, tf.float32))) * 2.0, [2, 5], [2, 0]),
        (lambda x: tf.slice(tf.range(9), x[:1], [4]) * 2, [5, 5], [6, 6]),
        (lambda x: tf.math.invert_permutation(x) * 2, [1, 0], [1, 1]),
    ],
)
def test_faults_are_the_kernels_errors(f: Any, good: list[int], bad: list[int]) -> None:
    natively(f, np.array(good, np.int32))
    compiled = tf.function(f, jit_compile=True)
    assert compiled(tf.constant(good)).shape == f(tf.constant(good)).shape
    with pytest.raises(tf.errors.InvalidArgumentError):
        compiled(tf.constant(bad))
    np.testing.assert_array_equal(compiled(tf.constant(good)), f(tf.constant(good)))


@pytest.mark.parametrize("shape", [(2, 2), (3, 2, 2), (2, 2, 3, 3)])
def test_a_matrix_without_a_cholesky_factor_gets_nan_and_the_others_theirs(shape: tuple[int, ...]) -> None:
    x = np.broadcast_to(np.eye(shape[-1], dtype=np.float32) * 4.0, shape).copy()
    x.reshape(-1, *shape[-2:])[0] *= -1.0
    expected = np.sqrt(np.abs(x))
    expected.reshape(-1, *shape[-2:])[0] = np.tril(np.full(shape[-2:], np.nan))
    for (found,) in natively(tf.linalg.cholesky, x):
        np.testing.assert_array_equal(found, expected)


# ---- random streams


def _drawn(compile: bool, wrong: bool = False) -> list[list[Array]]:
    tf.random.set_seed(7)

    @tf.function(jit_compile=compile)
    def f(n: Any) -> Any:
        whole = tf.random.uniform([7], 0, n, tf.int32, seed=5)
        drawn = tf.random.normal([5], seed=4), whole, tf.random.uniform([3], seed=6), tf.random.truncated_normal([9], seed=2)
        return tf.nn.dropout(tf.ones([4, 5]), 0.5, seed=3) * 2.0, *drawn

    found = []
    for i in range(5):
        if wrong and i == 2:
            with pytest.raises(tf.errors.InvalidArgumentError):
                f(tf.constant(0))
        found.append([y.numpy() for y in f(tf.constant(100))])
    return found


def test_streams_go_on_in_native_programs() -> None:
    expected = _drawn(False)
    for found in (_drawn(True), _drawn(True)):
        for want, got in zip(expected, found, strict=True):
            for a, b in zip(want, got, strict=True):
                np.testing.assert_allclose(a, b, rtol=1e-6, atol=1e-6)
    assert not np.array_equal(expected[0][3], expected[1][3])


def test_a_fault_moves_no_stream_twice() -> None:
    with executor():
        expected = _drawn(False, wrong=True)
    found = _drawn(True, wrong=True)
    for want, got in zip(expected, found, strict=True):
        np.testing.assert_array_equal(want[2], got[2])
        np.testing.assert_array_equal(want[3], got[3])


def _uniform(count: int, seed: Any) -> list[Any]:
    floats = [tf.random.stateless_uniform([count], seed, dtype=kind) for kind in (tf.float16, tf.float32, tf.float64)]
    whole = [tf.random.stateless_uniform([count], seed, -5, 99, kind) for kind in (tf.int32, tf.int64)]
    full = [tf.random.stateless_uniform([count], seed, None, None, kind) for kind in (tf.int32, tf.int64, tf.uint32, tf.uint64)]
    return [*floats, *whole, *full, tf.random.split(seed, 3), tf.random.fold_in(seed, 7)]


def _normal(count: int, seed: Any) -> list[Any]:
    draws = (tf.random.stateless_normal, tf.random.stateless_truncated_normal)
    return [draw([count, 3], seed, dtype=kind) for draw in draws for kind in (tf.float32, tf.float64)]


def test_classes() -> None:
    logits = np.random.default_rng(8).normal(size=(7, 13)).astype(np.float32)
    logits[2, 3:], logits[3, 5] = -np.inf, np.nan
    same(natively(lambda x: [tf.random.stateless_categorical(x, n, [1, 2], dtype=tf.int32) + 0 for n in (1, 6)], logits))
    draws = []
    for compile in (False, True):
        tf.random.set_seed(9)
        f = tf.function(lambda x: tf.random.categorical(x, 5, seed=1) * 2, jit_compile=compile)
        draws.append([f(tf.constant(logits)).numpy() for _ in range(4)])
    np.testing.assert_array_equal(*draws)


def test_stateless_draws_have_the_kernels_bits() -> None:
    for count in (1, 5, 1003):
        seed = np.array([3, -(2**40)])
        same(natively(partial(_uniform, count), seed))
        close(natively(partial(_normal, count), seed), 1e-6)


@pytest.mark.parametrize("data_format", ["NDHWC", "NCDHW"])
def test_pools_of_volumes(data_format: str) -> None:
    """They have code of their own, values and both gradients, wherever the channels are."""
    x = np.random.default_rng(3).standard_normal((2, 6, 4, 6, 4)).astype(np.float32)

    def pools(x: Any) -> list[Any]:
        largest = tf.nn.max_pool3d(x, 2, 2, "VALID", data_format)
        sums = tf.reduce_sum(largest**2) + tf.reduce_sum(tf.nn.avg_pool3d(x, 2, 2, "VALID", data_format) ** 2)
        (g,) = tf.gradients(sums, x)
        return [g, *tf.gradients(tf.reduce_sum(g * x), x)]

    close(natively(pools, x), 1e-5)
