"""Vector math against mpmath: each function keeps its promised ulps over its domain, and IEEE's special cases, at every width."""

import ctypes
import itertools
import math
from functools import cache, partial

import mpmath
import numpy as np
import pytest
import scipy.special

from pullback.engine import llvm_ir as ir
from pullback.engine.runtime import codegen, machine
from pullback.engine.vector import math as vector_math, rare
from tests.vector_kit import looped

FUNCTIONS = {**vector_math.FUNCTIONS, **rare.ALONE}

RNG_SEED = 20
FLOATS = {32: np.float32, 64: np.float64}
POINTER, I64 = ir.PointerType(), ir.IntType(64)

mpmath.mp.prec = 160


# ---- loops over arrays, made of the functions under test


def add_loop(module, name, bits, lanes, target):
    """Adds `name.bits(x..., out, n)` to a module: n numbers, a multiple of the lanes."""
    arity = FUNCTIONS[name].arity
    looped(module, name, bits, lanes, arity, 1, lambda b, *values: [vector_math.emit(b, name, *values, machine=target)])


@cache
def compiled(vector_bits, cpu=None):
    """All functions in one module, for this or another processor; vector_bits 0 for scalars."""
    target = machine.host() if cpu is None else machine.describe(cpu)
    module = ir.Module()
    module.triple = target.triple
    for name, bits in itertools.product(FUNCTIONS, (32, 64)):
        add_loop(module, name, bits, max(vector_bits // bits, 1), target)
    return codegen.load(str(module), machine=target)


def call(name, *xs, vector_bits=None, cpu=None):
    """The function of arrays."""
    code = compiled(machine.host().vector_bits if vector_bits is None else vector_bits, cpu)
    bits = 8 * xs[0].itemsize
    entry = code.function(f"{name}.{bits}", None, *[ctypes.c_void_p] * (len(xs) + 1), ctypes.c_int64)
    n = xs[0].size
    padded = [np.concatenate([x, np.full(-n % 64, 0.5, x.dtype)]) for x in xs]
    out = np.empty_like(padded[0])
    entry(*(p.ctypes.data for p in padded), out.ctypes.data, out.size)
    return out[:n]


# ---- what is true


def exactly(value):
    return mpmath.mpf(float(value))


def normal_quantile(p):
    """The normal distribution's quantile, by Newton's method on the logarithm of the nearer tail."""
    tail = min(p, 1 - p)
    y = mpmath.sqrt(-2 * mpmath.log(tail)) * mpmath.mpf("0.9") if tail < 0.1 else mpmath.mpf(1)
    for _ in range(100):
        reached = mpmath.ncdf(-y)
        step = mpmath.log(reached / tail) * reached / mpmath.npdf(y)
        y += step
        if abs(step) < mpmath.mpf(2) ** -120:
            break
    return y if p > 0.5 else -y


# Near their zeros among the negative numbers these are exact to the last place of 1.
FLOORS = {
    "digamma": 1.0,
    "ndtri": 1e-3,
    **dict.fromkeys(("j0", "j1", "y0", "y1"), lambda x: math.sqrt(2 / (math.pi * abs(x))) if abs(x) > 1.2 else 0.0),
}
TRUTH = {
    **{f"{kind}{order}": partial(f, order) for kind, f in (("j", mpmath.besselj), ("y", mpmath.bessely)) for order in (0, 1)},
    "dawsn": lambda x: mpmath.sqrt(mpmath.pi) / 2 * mpmath.exp(-x * x) * mpmath.erfi(x),
    "expint": mpmath.ei,
    "fresnel_cos": mpmath.fresnelc,
    "fresnel_sin": mpmath.fresnels,
    "spence": lambda x: mpmath.re(mpmath.polylog(2, 1 - x)),
    "exp2": lambda x: mpmath.mpf(2) ** x,
    "log2": lambda x: mpmath.log(x) / mpmath.log(2),
    "log10": lambda x: mpmath.log(x) / mpmath.log(10),
    "erfinv": mpmath.erfinv,
    "ndtri": lambda p: normal_quantile(p),
    "lgamma": lambda x: mpmath.log(abs(mpmath.gamma(x))),
    "sigmoid": lambda x: 1 / (1 + mpmath.exp(-x)),
    "softplus": lambda x: mpmath.log1p(mpmath.exp(x)),
    "rsqrt": lambda x: 1 / mpmath.sqrt(x),
    "pow": lambda x, y: x**y,
    "cbrt": lambda x: mpmath.sign(x) * mpmath.cbrt(abs(x)),
    "rint": mpmath.nint,
    "trunc": lambda x: mpmath.floor(x) if x > 0 else mpmath.ceil(x),
    "fmod": lambda x, y: x - y * TRUTH["trunc"](x / y),
    "floormod": lambda x, y: x - y * mpmath.floor(x / y),
    "copysign": lambda x, y: abs(x) if y >= 0 else -abs(x),
}


def ulps(answers, args, truth, floor=0.0):
    """How far each answer is from the truth, in units of the last place of the truth rounded, or of `floor` where that is more.

    floor: a number, or a function of the arguments.
    """
    dtype = answers.dtype.type
    tiny = exactly(np.finfo(dtype).smallest_subnormal)
    far = []
    for answer, *at in zip(answers, *args, strict=True):
        exact = truth(*map(exactly, at))
        with np.errstate(over="ignore"):
            rounded = dtype(float(exact))
        if not np.isfinite(rounded) or not np.isfinite(answer):
            # The greatest finite number and infinity are neighbours.
            big = np.finfo(dtype).max
            near = abs(answer) >= big and abs(rounded) >= big and np.sign(answer) == np.sign(rounded)
            far.append(0.0 if near else np.inf)
            continue
        least = floor(*map(float, at)) if callable(floor) else floor
        unit = max(exactly(np.spacing(max(abs(rounded), dtype(least)))), tiny)
        far.append(float(abs(exactly(answer) - exact) / unit))
    return np.array(far)


# ---- where they are looked at


def around(*centres, width=0.3):
    """Numbers near each centre."""
    return lambda rng, n: np.concatenate([c + rng.uniform(-width, width, n) for c in centres])


def uniform(low, high):
    return lambda rng, n: rng.uniform(low, high, n)


def powers(low, high, signed=True):
    """Numbers of every magnitude from 2^low to 2^high."""
    return lambda rng, n: 2.0 ** rng.uniform(low, high, n) * (rng.choice([-1.0, 1.0], n) if signed else 1.0)


def pi_multiples(rng, n):
    """Numbers next to multiples of a quarter of pi, and huge ones."""
    return np.concatenate([rng.integers(-60000, 60000, n) * (np.pi / 4), rng.uniform(-1e12, 1e12, n // 4)])


def halves(rng, n):
    """Whole numbers and those between two."""
    return rng.integers(-9, 9, n) / 2


EXPONENTIAL = {32: [uniform(-104, 89), uniform(-2, 2), powers(-149, 2)], 64: [uniform(-746, 710), uniform(-2, 2), powers(-1074, 2)]}
POSITIVE = {
    32: [powers(-149, 128, False), uniform(0.5, 2), around(1, width=1e-3)],
    64: [powers(-1074, 1024, False), uniform(0.5, 2), around(1, width=1e-3)],
}
UNIT = [uniform(-1, 1), powers(-60, 0), lambda rng, n: 1 - 2.0 ** rng.uniform(-24, -1, n)]
ALL = [uniform(-3, 3), powers(-120, 126), uniform(-40, 40)]
WHERE = {
    **dict.fromkeys(("exp", "exp2", "expm1", "tanh", "sigmoid", "softplus", "sinh", "cosh"), EXPONENTIAL),
    **dict.fromkeys(("log", "log2", "log10", "sqrt", "rsqrt"), POSITIVE),
    "log1p": [powers(-120, 120, False), uniform(-1, 1), powers(-30, 0)],
    **{name: [uniform(-10, 10), powers(-120, 3), pi_multiples] for name in ("sin", "cos", "tan")},
    **dict.fromkeys(("asin", "acos", "atanh"), UNIT),
    "acosh": [lambda rng, n: 1 + 2.0 ** rng.uniform(-24, 100, n), uniform(1, 3)],
    **{name: [uniform(-5, 5), halves, powers(-30, 60)] for name in ("floor", "ceil", "rint", "trunc")},
    "erfinv": UNIT,
    "ndtri": {32: [uniform(0, 1), powers(-149, -1, False)], 64: [uniform(0, 1), powers(-1074, -1, False)]},
    "digamma": [uniform(1e-3, 3), powers(-100, 100, False), uniform(-4.99, 0)],
    "lgamma": [uniform(1e-3, 3), powers(-100, 100, False), uniform(-4.99, 0)],
    "erfc": {32: [uniform(-4, 10), powers(-120, 0)], 64: [uniform(-6, 27), powers(-120, 0)]},
    "erf": [uniform(-6, 6), powers(-120, 0)],
    **dict.fromkeys(("j0", "j1"), (uniform(-5, 5), uniform(-60, 60), powers(-100, 20))),
    **dict.fromkeys(("y0", "y1"), (uniform(1e-3, 5), uniform(0, 60), powers(-100, 20, False))),
    "dawsn": [uniform(-7, 7), powers(-100, 60)],
    "expint": [uniform(0, 1), uniform(0, 80), around(0.37, width=0.1), powers(-100, 5, False)],
    **dict.fromkeys(("fresnel_cos", "fresnel_sin"), (uniform(-6, 6), powers(-30, 12))),
    "spence": [uniform(0, 1), uniform(1, 5), around(1, width=1e-3), powers(-100, 40, False)],
}
PAIRS = {
    "pow": [
        (powers(-6, 6, False), uniform(-12, 12)),
        (around(1, width=0.05), uniform(-900, 900)),
        (powers(-120, 120, False), uniform(-1, 1)),
    ],
    "atan2": [(uniform(-3, 3), uniform(-3, 3)), (powers(-60, 60), powers(-60, 60)), (powers(100, 127), powers(100, 127))],
    "hypot": [(uniform(-3, 3), uniform(-3, 3)), (powers(-60, 60), powers(-60, 60)), (powers(120, 127), powers(120, 126))],
    **{name: [(uniform(-30, 30), uniform(-3, 3)), (powers(-20, 40), powers(-20, 20))] for name in ("fmod", "floormod")},
    "copysign": [(uniform(-3, 3), uniform(-3, 3))],
}


def samples(name, bits, each=200):
    """Arguments of a function, arrays of the format."""
    rng = np.random.default_rng(RNG_SEED)
    with np.errstate(over="ignore"):
        if name in PAIRS:
            drawn = [[draw(rng, each) for draw in pair] for pair in PAIRS[name]]
            made = [np.concatenate(parts) for parts in zip(*drawn, strict=True)]
        else:
            where = WHERE.get(name, ALL)
            made = [np.concatenate([draw(rng, each) for draw in (where[bits] if isinstance(where, dict) else where)])]
        return [m.astype(FLOATS[bits]) for m in made]


EVERY = sorted(FUNCTIONS)


@pytest.mark.parametrize("bits", [32, 64])
@pytest.mark.parametrize("name", EVERY)
def test_ulps(name, bits):
    args = samples(name, bits)
    answers = call(name, *args)
    far = ulps(answers, args, TRUTH.get(name) or getattr(mpmath, name), FLOORS.get(name, 0.0))
    worst = int(np.argmax(far))
    assert far[worst] <= FUNCTIONS[name].ulps[bits], ([a[worst] for a in args], answers[worst], far[worst])


@pytest.mark.parametrize("bits", [32, 64])
@pytest.mark.parametrize("name", EVERY)
def test_widths_agree(name, bits):
    """A scalar, a vector and one of half as many lanes give the same bits."""
    args = [np.concatenate([a[::7], s]) for a, s in zip(samples(name, bits), specials(name, bits), strict=True)]
    whole = call(name, *args)
    tolerance = 0 if FUNCTIONS[name].own else 4
    np.testing.assert_array_max_ulp(whole, call(name, *args, vector_bits=0), tolerance)
    np.testing.assert_array_max_ulp(whole, call(name, *args, vector_bits=machine.host().vector_bits // 2), tolerance)


# ---- zeros, infinities, NaN, denormals, the greatest numbers


def points(bits):
    """Numbers with cases of their own."""
    info = np.finfo(FLOATS[bits])
    sizes = [0, info.smallest_subnormal, info.tiny, info.tiny / 8, 0.5, 1, 2, 2.5, 3, 1000, info.max, np.inf]
    return np.array([*sizes, *(-s if s else -0.0 for s in sizes), np.nan], FLOATS[bits])


def specials(name, bits):
    """Special numbers, for two arguments all pairs of them."""
    at = points(bits)
    return [np.repeat(at, at.size), np.tile(at, at.size)] if FUNCTIONS[name].arity == 2 else [at]


NUMPY = {
    **{name: getattr(np, "arc" + name[1:]) for name in ("asin", "acos", "atan", "asinh", "acosh", "atanh", "atan2")},
    "pow": np.power,
    "floormod": np.mod,
    "erf": scipy.special.erf,
    "erfc": scipy.special.erfc,
    "erfinv": scipy.special.erfinv,
    "ndtri": scipy.special.ndtri,
    "sigmoid": lambda x: np.exp(-np.logaddexp(0, -x.astype(np.longdouble))).astype(x.dtype),
    "softplus": lambda x: np.logaddexp(0, x.astype(np.longdouble)).astype(x.dtype),
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "dawsn": scipy.special.dawsn,
    "expint": lambda x: np.where((x >= 0) & (x < np.inf), scipy.special.expi(x), np.nan),
}


def numpy_function(name):
    return NUMPY.get(name) or getattr(np, name, None)


@pytest.mark.parametrize("vector_bits", [0, None])
@pytest.mark.parametrize("bits", [32, 64])
@pytest.mark.parametrize("name", [n for n in EVERY if numpy_function(n)])
def test_special_cases(name, bits, vector_bits):
    """As NumPy has them, the signs of zeros included."""
    args = specials(name, bits)
    got = call(name, *args, vector_bits=vector_bits)
    with np.errstate(all="ignore"):
        wanted = numpy_function(name)(*args)
    assert np.array_equal(np.isnan(got), np.isnan(wanted)), [a[np.isnan(got) != np.isnan(wanted)] for a in args]
    there = ~np.isnan(got)
    np.testing.assert_allclose(got[there], wanted[there], rtol=8 * np.finfo(got.dtype).eps, atol=4 * np.finfo(got.dtype).smallest_subnormal)
    assert np.array_equal(np.signbit(got[there]), np.signbit(wanted[there])), [a[there] for a in args]


def test_lgamma_at_poles_and_ends():
    at = np.array([0.0, -0.0, -1.0, -np.inf, np.inf, 1.0, 2.0, 5e-324])
    np.testing.assert_allclose(call("lgamma", at), [np.inf] * 5 + [0.0, 0.0, 744.4400719213812], rtol=1e-15)
    assert np.isnan(call("lgamma", np.array([np.nan], np.float32)))


# ---- other processors


@pytest.mark.skipif("x86_64" not in machine.host().triple, reason="processors named here are x86's")
@pytest.mark.parametrize("cpu", ["x86-64-v2", "x86-64-v3"])
def test_other_processors(cpu):
    """Without AVX-512 the same numbers; without fused multiply-adds the library's."""
    target = machine.describe(cpu)
    for name, bits in itertools.product(EVERY, (32, 64)):
        args = [a[::5] for a in samples(name, bits)]
        function = FUNCTIONS[name]
        tolerance = 0 if function.own and target.fma else 8
        np.testing.assert_array_max_ulp(call(name, *args), call(name, *args, vector_bits=target.vector_bits, cpu=cpu), tolerance)


def test_a_lane_does_not_depend_on_its_neighbours():
    """One huge argument sends only itself to the library."""
    args = np.full(64, 0.7, np.float32)
    args[5] = 1e30
    got = call("sin", args)
    assert np.all(got[np.arange(64) != 5] == call("sin", np.full(1, 0.7, np.float32))[0])
    assert abs(got[5] - np.sin(np.float32(1e30))) < 1e-6


def test_supported():
    assert vector_math.is_supported("exp", 32)
    assert not vector_math.is_supported("exp", 16)
    assert not vector_math.is_supported("no_such_function", 64)
