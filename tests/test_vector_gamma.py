"""Native functions that leave a part of their domain to SciPy, against mpmath; and that large arrays have native code for all of them."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from typing import Any

import mpmath
import numpy as np
import pytest
import scipy.special

import pullback as tf
from pullback.engine import eager_code, llvm_ir as ir
from pullback.engine.background import wait_for_compiles
from pullback.engine.runtime import codegen, machine, symbols
from pullback.engine.vector import math as vector_math
from pullback.kernels import blocked
from pullback.kernels.backend import ENGINE
from tests.vector_kit import looped

mpmath.mp.prec = 200


def call(name: str, *xs: Any, vector_bits: int | None = None) -> Any:
    """The function of arrays, compiled for one width of vectors."""
    bits, width = 8 * xs[0].itemsize, machine.host().vector_bits if vector_bits is None else vector_bits
    entry = _compiled(name, bits, width, len(xs))
    padded = [np.concatenate([x, np.full(-x.size % 64, 0.5, x.dtype)]) for x in xs]
    out = np.empty_like(padded[0])
    entry(*(p.ctypes.data for p in padded), out.ctypes.data, out.size)
    return out[: xs[0].size]


@cache
def _compiled(name: str, bits: int, width: int, arity: int) -> Any:
    module = ir.Module()
    module.triple = machine.host().triple
    looped(module, "f", bits, max(width // bits, 1), arity, 1, lambda b, *values: [vector_math.emit(b, name, *values)])
    code = codegen.load(str(module), symbols.addresses(module.globals))
    _KEPT.append(code)
    return code.function(f"f.{bits}", None, *[ctypes.c_void_p] * (arity + 1), ctypes.c_int64)


_KEPT: list[Any] = []


def _slope(a: Any, x: Any) -> Any:
    return mpmath.diff(lambda order: mpmath.gammainc(order, 0, x, regularized=True), a)


def _draw(a: Any, x: Any) -> Any:
    return -_slope(a, x) * mpmath.gamma(a) / (x ** (a - 1) * mpmath.exp(-x))


def between(*ends: tuple[float, float]) -> Callable[[Any, int], list[Any]]:
    return lambda rng, n: [rng.uniform(low, high, n) for low, high in ends]


def powers(*ends: tuple[float, float]) -> Callable[[Any, int], list[Any]]:
    return lambda rng, n: [10.0 ** rng.uniform(low, high, n) for low, high in ends]


def near(low: float, high: float, apart: float) -> Callable[[Any, int], list[Any]]:
    """An order, and a place so far from it at most, relative to it."""

    def drawn(rng: Any, n: int) -> list[Any]:
        a = rng.uniform(low, high, n)
        return [a, a * rng.uniform(1 - apart, 1 + apart, n)]

    return drawn


GAMMAS = [between((0.1, 4), (0.1, 4)), between((1, 20), (0.1, 40)), near(50, 190, 0.1), powers((-4, 0), (-3, 1))]
# name: (the truth, where, units in the last place for float64)
FUNCTIONS: dict[str, tuple[Callable[..., Any], list[Any], float]] = {
    "zeta": (mpmath.zeta, [between((1.01, 6), (0.01, 5)), powers((0.1, 1.3), (-2, 2))], 4.0),
    "gamma": (mpmath.gamma, [lambda rng, n: [rng.integers(1, 35, n).astype(float)]], 4.0),
    "igamma": (lambda a, x: mpmath.gammainc(a, 0, x, regularized=True), GAMMAS, 4.0),
    "igammac": (lambda a, x: mpmath.gammainc(a, x, regularized=True), GAMMAS, 4.0),
    "igamma_grad_a": (_slope, [GAMMAS[0], GAMMAS[1], near(50, 300, 0.1)], 400.0),
    "random_gamma_grad": (_draw, [GAMMAS[0], near(5, 40, 0.5), near(50, 300, 0.1)], 400.0),
    "betainc": (
        lambda a, b, x: mpmath.betainc(a, b, 0, x, regularized=True),
        [between((0.1, 4), (0.1, 4), (0, 1)), between((1, 8), (1, 8), (0.01, 0.99))],
        4.0,
    ),
}


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_within_units_in_the_last_place(name: str, dtype: str) -> None:
    truth, places, ulps = FUNCTIONS[name]
    rng = np.random.default_rng(3)
    for draw in places:
        args = [x.astype(dtype) for x in draw(rng, 24)]
        for value, *at in zip(call(name, *args), *args, strict=True):
            exact = truth(*(mpmath.mpf(float(x)) for x in at))
            unit = float(np.spacing(value.dtype.type(abs(float(exact)))))
            assert abs(mpmath.mpf(float(value)) - exact) <= (1.0 if dtype == "float32" else ulps) * unit, (at, value, float(exact))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_lanes_are_independent(name: str) -> None:
    """A scalar gives the bits that a vector gives, next to whatever else."""
    args = FUNCTIONS[name][1][0](np.random.default_rng(5), 64)
    assert call(name, *args).tobytes() == call(name, *args, vector_bits=0).tobytes()


BOTH = ("float32", "float64")
OUTSIDE = [[0.0, -1.0, 2.0, np.inf, np.nan], [1.0, 1.0, np.inf, 1.0, 1.0]]
LARGE = [[500.0, 1e5], [510.0, 1e5]]  # which float32 leaves to SciPy too


@pytest.mark.parametrize(
    ("name", "scipys", "args", "dtype"),
    [
        *[("zeta", "zeta", [[0.5, 2.0, 2.5, 3.0, 600.0, 2.0], [1.0, -0.5, -0.5, 0.0, 2.0, 1e20]], dtype) for dtype in BOTH],
        *[("gamma", "gamma", [[0.5, -1.5, 30.5, 172.0, 1e3, np.inf]], dtype) for dtype in BOTH],
        *[(name, f"gammainc{name[6:]}", args, "float32") for name in ("igamma", "igammac") for args in (OUTSIDE, LARGE)],
        *[(name, f"gammainc{name[6:]}", OUTSIDE, "float64") for name in ("igamma", "igammac")],
        *[("betainc", "betainc", [[0.0, -1.0, 1.0], [1.0, 1.0, 1.0], [0.5, 0.5, 1.5]], dtype) for dtype in BOTH],
        ("betainc", "betainc", [[300.0], [300.0], [0.5]], "float32"),
    ],
)
def test_the_rest_is_scipys(name: str, scipys: str, args: list[list[float]], dtype: str) -> None:
    given = [np.array(x, dtype) for x in args]
    wide = [x.astype("float64") for x in given] if name == "betainc" else given
    wanted = getattr(scipy.special, scipys)(*wide).astype(dtype)
    np.testing.assert_array_equal(call(name, *given), wanted)


@pytest.mark.parametrize("degree", [1e3, 1e5, 1e8])
def test_the_derivative_of_draws_of_large_shape(degree: float) -> None:
    """By the kernel and natively: 1 and half of what x is apart from a, relative to a, and less than the square of that."""
    a = np.full(64, degree)
    x = a + np.linspace(-3, 3, 64) * np.sqrt(a)
    m = (x - a) / a
    expected = 1 + 0.5 * m - (m * m - 1 / a) / 6
    for found in (call("random_gamma_grad", a, x), tf.raw_ops.RandomGammaGrad(alpha=a, sample=x).numpy()):
        np.testing.assert_allclose(found, expected, atol=30 * degree**-1.5)


OPS = {
    **{f"bessel_{name}": 1 for name in ("j0", "j1", "y0", "y1", "i0", "i0e", "i1", "i1e", "k0", "k0e", "k1", "k1e")},
    **dict.fromkeys(("dawsn", "expint", "fresnel_cos", "fresnel_sin", "spence"), 1),
    **dict.fromkeys(("erf", "erfc", "erfinv", "ndtri", "lgamma", "digamma"), 1),
    **dict.fromkeys(("igamma", "igammac", "zeta", "polygamma"), 2),
    "betainc": 3,
}


@pytest.fixture
def loops() -> Any:
    """Fresh loops."""
    before, settings = ENGINE.run_blockwise, eager_code.Settings.jit
    ENGINE.run_blockwise, eager_code.Settings.jit = eager_code.Loops(), None
    yield ENGINE.run_blockwise
    ENGINE.run_blockwise, eager_code.Settings.jit = before, settings


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", OPS)
def test_large_arrays_have_native_code_at_once(name: str, dtype: str, loops: Any) -> None:
    rng = np.random.default_rng(1)
    low, high = (0.02, 0.98) if name in ("erfinv", "ndtri", "betainc") else (0.1, 20.0)
    args = [tf.constant(rng.uniform(low, high, blocked.SHARED).astype(dtype)) for _ in range(OPS[name])]
    if name == "polygamma":
        args[0] = tf.round(args[0] / 5)
    (getattr(tf.math, name, None) or getattr(tf.math.special, name))(*args)
    wait_for_compiles()
    assert [loop is not None for loop in loops._found.values()] == [True]


@pytest.mark.parametrize("size", [blocked.COSTLY, blocked.COSTLY + 77])
def test_smaller_arrays_have_it_after_some_calls(size: int, loops: Any) -> None:
    """The numbers that do not fill a block are those of a whole one."""
    x = np.random.default_rng(1).uniform(0.1, 20, size)
    found = [tf.math.digamma(tf.constant(x)).numpy() for _ in range(eager_code._CALLS + 1)]
    wait_for_compiles()
    found.append(tf.math.digamma(tf.constant(x)).numpy())
    assert [loop is not None for loop in loops._found.values()] == [True]
    np.testing.assert_allclose(found[-1], found[0], rtol=1e-13, atol=1e-15)
    np.testing.assert_array_equal(found[-1], call("digamma", x))
    tf.math.digamma(tf.constant(x[:100]))
    assert len(loops._found) == 1
