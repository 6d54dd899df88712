"""Native loops for large eager kernels: the same numbers as the kernels themselves."""

import ctypes
import operator
import signal
from functools import partial
from typing import Any

import numpy as np
import pytest

import pullback as tf
from pullback.engine import blockwise, eager_code
from pullback.engine.background import wait_for_compiles
from pullback.kernels import blocked, parallel
from pullback.kernels.backend import ENGINE

pytest.importorskip("llvmlite")

SIZE = 5 * blocked.BLOCK + 1234
DRAW = np.random.default_rng(0)
TWO = ("DivNoNan", "MulNoNan", "SquaredDifference")
GRADIENTS = ("ReluGrad", "Relu6Grad", "LeakyReluGrad", "EluGrad", "SeluGrad", "SoftsignGrad")
FUNCTIONS = (
    *("Exp", "Expm1", "Log", "Log1p", "Sigmoid", "Sin", "Cos", "Tan", "Asin", "Acos", "Atan"),
    *("Sinh", "Cosh", "Tanh", "Asinh", "Acosh", "Atanh"),
)
RESULTS = ("SigmoidGrad", "TanhGrad", "SqrtGrad", "RsqrtGrad", "ReciprocalGrad")


@pytest.fixture
def loops() -> Any:
    """Fresh loops, which start at the first call."""
    before, settings = ENGINE.run_blockwise, eager_code.Settings.jit
    ENGINE.run_blockwise = found = eager_code.Loops()
    eager_code.Settings.jit = True
    yield found
    ENGINE.run_blockwise, eager_code.Settings.jit = before, settings


def numbers(dtype: str, size: int = SIZE) -> Any:
    x = DRAW.standard_normal(size).astype(dtype)
    x[DRAW.integers(0, size, size // 10)] = DRAW.choice(np.array([0, -0.0, np.inf, -np.inf, np.nan, 1e-40, 6, 1e30]), size // 10)
    return x


def call(name: str, x: Any, y: Any) -> Any:
    raw = getattr(tf.raw_ops, name)
    if name in TWO:
        return raw(x=x, y=y)
    if name in RESULTS:
        return raw(y=x, dy=y)
    return raw(gradients=x, **{"outputs" if name in ("EluGrad", "SeluGrad") else "features": y})


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", [*TWO, *GRADIENTS, *RESULTS])
def test_loops_give_the_kernels_bits(name: str, dtype: str, loops: Any) -> None:
    x, y = numbers(dtype), numbers(dtype)
    found = call(name, tf.constant(x), tf.constant(y)).numpy()
    ENGINE.run_blockwise = lambda *_: None
    expected = call(name, tf.constant(x), tf.constant(y)).numpy()
    np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(np.signbit(found[~np.isnan(found)]), np.signbit(expected[~np.isnan(expected)]))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", [*FUNCTIONS, "Softplus", "SoftplusGrad", "Xlogy", "Xlog1py", "Atan2"])
def test_functions_differ_in_the_last_places_only(name: str, dtype: str, loops: Any) -> None:
    """After some calls."""
    x, y = (np.abs(numbers(dtype)) if name.startswith("X") else numbers(dtype) for _ in range(2))
    named = {"Softplus": {"features": x}, "SoftplusGrad": {"gradients": x, "features": y}}
    arguments = named.get(name, {"x": x} if name in FUNCTIONS else {"x": x, "y": y})
    eager_code.Settings.jit = None
    found = []
    for _ in range(eager_code._CALLS + 2):
        found.append(getattr(tf.raw_ops, name)(**arguments).numpy())
        wait_for_compiles()
    assert [loop is not None for loop in loops._found.values()] == [True]
    assert all(one.tobytes() == found[0].tobytes() for one in found[:-1])
    finite = np.isfinite(found[0])
    np.testing.assert_array_equal(found[0][~finite], found[-1][~finite])
    first, last = found[0][finite], found[-1][finite]
    assert (np.abs(first - last) <= 4 * np.spacing(np.abs(first))).all()


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_special_functions_are_scipys(dtype: str, loops: Any) -> None:
    import scipy.special

    x = DRAW.uniform(-4, 4, SIZE).astype(dtype)
    exact = scipy.special.erf(x.astype(np.longdouble).astype("float64"))
    found = tf.math.erf(tf.constant(x)).numpy()
    assert (np.abs(found - exact) <= 4 * np.spacing(np.abs(exact.astype(dtype)))).all()


def test_a_loop_is_used_where_there_is_one_and_threads_do_not_show(loops: Any) -> None:
    x, condition = numbers("float32"), DRAW.random(SIZE) < 0.5
    before, found = parallel.threads(), []
    for threads in (1, 2, 3):
        parallel.set_threads(threads)
        found.append([tf.nn.leaky_relu(x, 0.3).numpy(), tf.where(condition, x, tf.constant(2.0)).numpy()])
    parallel.set_threads(before)
    assert sum(loop is not None for loop in loops._found.values()) == 2
    for one, *others in zip(*found, strict=True):
        assert all(one.tobytes() == other.tobytes() for other in others)
    np.testing.assert_array_equal(found[0][1], np.where(condition, x, np.float32(2)))


def test_ctrl_c_ends_a_loop_between_its_parts(loops: Any) -> None:
    """A loop that takes several times the twentieth of a second after which the interpreter is asked first."""
    a, x, out = np.full(2_000_000, 2.5), np.full(2_000_000, 1.5), np.zeros(2_000_000)
    tf.math.igamma(a[:10_000], x[:10_000])
    (loop,) = loops._found.values()
    count = x.size // loop._block
    words = loop._blocks._words(a.ctypes.data, x.ctypes.data, out.ctypes.data, count, 1, 0)
    before, threads, seen = signal.getsignal(signal.SIGINT), parallel.threads(), list[int]()
    signal.signal(signal.SIGINT, lambda number, frame: seen.append(number))
    parallel.set_threads(1)
    try:
        # nothing of Python's runs between the two, which would see to the signal
        _, was_ended = map(operator.call, [ctypes.pythonapi.PyErr_SetInterrupt, partial(loop._blocks._run, words, count)])
    finally:
        parallel.set_threads(threads)
        signal.signal(signal.SIGINT, before)
    assert was_ended and seen == [signal.SIGINT]
    assert out[0] and not out[-1]


def test_the_kernel_does_what_a_loop_was_kept_from(loops: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    x = numbers("float32")
    assert tf.tanh(x).numpy().tobytes() != np.tanh(x).tobytes()
    monkeypatch.setattr(blockwise._Blocks, "__call__", lambda *_: False)
    assert tf.tanh(x).numpy().tobytes() == np.tanh(x).tobytes()


def test_a_loop_begins_after_some_calls_or_never(loops: Any) -> None:
    x = tf.constant(numbers("float32"))
    eager_code.Settings.jit = None
    for _ in range(eager_code._CALLS):
        tf.nn.leaky_relu(x)
        wait_for_compiles()
        assert not loops._found
    tf.nn.leaky_relu(x)
    wait_for_compiles()
    assert len(loops._found) == 1
    ENGINE.run_blockwise = other = eager_code.Loops()
    eager_code.Settings.jit = False
    for _ in range(eager_code._CALLS + 2):
        tf.nn.leaky_relu(x)
    assert not other._found


def test_shapes_and_small_arrays_are_as_before(loops: Any) -> None:
    x = numbers("float32", 6 * blocked.BLOCK)
    assert tf.nn.leaky_relu(x.reshape(6, -1)).shape == (6, blocked.BLOCK)
    np.testing.assert_array_equal(tf.nn.leaky_relu(x.reshape(6, -1)).numpy().ravel(), tf.nn.leaky_relu(x).numpy())
    tf.nn.leaky_relu(x[:100])
    assert len(loops._found) == 1


@pytest.mark.parametrize(
    "pair",
    [
        ("float16", "float32"),
        ("float32", "float16"),
        ("float32", "float64"),
        ("float32", "int32"),
        ("int32", "float32"),
        ("bool", "float32"),
    ],
)
def test_casts_give_numpys_bits(pair: tuple[str, str], loops: Any) -> None:
    with np.errstate(invalid="ignore", over="ignore"):
        x = numbers("float32").astype(pair[0])
        expected = x.astype(pair[1])
    for _ in range(2):
        assert tf.cast(tf.constant(x), pair[1]).numpy().tobytes() == expected.tobytes()


@pytest.mark.parametrize("dtype", [tf.float16, tf.bfloat16], ids=lambda d: d.name)
@pytest.mark.parametrize("name", ["add", "multiply", "divide", "maximum", "less", "square", "sqrt"])
def test_narrow_numbers_have_the_kernels_bits(name: str, dtype: Any, loops: Any) -> None:
    with np.errstate(invalid="ignore", over="ignore"):
        x, y = numbers("float32").astype(dtype.numpy_dtype), numbers("float32").astype(dtype.numpy_dtype)
    given = [tf.constant(x)] if name in ("square", "sqrt") else [tf.constant(x), tf.constant(y)]
    found = getattr(tf.math, name)(*given).numpy()
    assert [loop is not None for loop in loops._found.values()] == [True]
    ENGINE.run_blockwise = lambda *_: None
    expected = getattr(tf.math, name)(*given).numpy()
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(found.astype(np.float32), expected.astype(np.float32))


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
@pytest.mark.parametrize("name", ["exp", "log", "sqrt", "sin", "cosh", "reciprocal", "tan", "sigmoid", "asin", "acosh", "atan"])
def test_complex_functions_are_numpys(name: str, dtype: str, loops: Any) -> None:
    """Within 4 units in the last place of the modulus, or as near as NumPy's are to the truth, and what is not finite as the C library."""
    part = "float32" if dtype == "complex64" else "float64"
    x = np.empty(SIZE, dtype)
    x.real, x.imag = numbers(part), numbers(part)
    found = getattr(tf.math, name)(tf.constant(x)).numpy()
    assert [loop is not None for loop in loops._found.values()] == [True]
    ENGINE.run_blockwise = lambda *_: None
    expected = getattr(tf.math, name)(tf.constant(x)).numpy()
    finite = np.isfinite(expected)
    np.testing.assert_array_equal(found[~finite], expected[~finite])
    most = 2048 if name in ("tan", "sigmoid", "asin", "acosh", "atan") else 8
    assert (np.abs(found[finite] - expected[finite]) <= most * np.spacing(np.abs(expected[finite]))).all()


@pytest.mark.parametrize("num_bits", [2, 8])
def test_simulated_quantisation_has_the_kernels_bits(num_bits: int, loops: Any) -> None:
    x, g = numbers("float32"), numbers("float32")
    raw = tf.raw_ops

    def both() -> list[Any]:
        settings: dict[str, Any] = {"min": -0.7, "max": 2.2, "num_bits": num_bits, "narrow_range": num_bits == 8}
        forward = raw.FakeQuantWithMinMaxArgs(inputs=x, **settings)
        return [forward.numpy(), raw.FakeQuantWithMinMaxArgsGradient(gradients=g, inputs=x, **settings).numpy()]

    found = both()
    assert [loop is not None for loop in loops._found.values()] == [True, True]
    ENGINE.run_blockwise = lambda *_: None
    for one, other in zip(found, both(), strict=True):
        np.testing.assert_array_equal(one, other)
