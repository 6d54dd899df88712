"""Complex functions of the vector math against mpmath: within a few roundings of the modulus, at both widths."""

import ctypes
import itertools
from functools import cache

import mpmath
import numpy as np
import pytest

from pullback.engine import llvm_ir as ir
from pullback.engine.runtime import codegen, machine
from pullback.engine.vector import complex_math, math as vector_math
from tests.vector_kit import looped

POINTER, I64 = ir.PointerType(), ir.IntType(64)
mpmath.mp.prec = 160


def add_loop(module, name, bits, lanes, target=None):
    """Adds `name.bits(re, im, ..., out_re, out_im, n)` to a module; a real value is put in both."""
    arity = complex_math.COMPLEX[name][1]

    def emitted(b, *values):
        found = vector_math.emit_complex(b, name, *zip(values[::2], values[1::2], strict=True), machine=target)
        return (found, found) if name in vector_math.REAL_VALUED else found

    looped(module, name, bits, lanes, 2 * arity, 2, emitted)


@cache
def compiled(vector_bits):
    module = ir.Module()
    module.triple = machine.host().triple
    for name, bits in itertools.product(complex_math.COMPLEX, (32, 64)):
        add_loop(module, name, bits, max(vector_bits // bits, 1))
    return codegen.load(str(module))


def call(name, *args, vector_bits=None):
    """The function of complex arrays of a multiple of 16 elements."""
    code = compiled(machine.host().vector_bits if vector_bits is None else vector_bits)
    parts = [np.ascontiguousarray(part) for x in args for part in (x.real, x.imag)]
    parts += [np.empty_like(parts[0]), np.empty_like(parts[0])]
    entry = code.function(f"{name}.{8 * parts[0].itemsize}", None, *[ctypes.c_void_p] * len(parts), ctypes.c_int64)
    entry(*(p.ctypes.data for p in parts), parts[0].size)
    answer = np.empty(parts[0].shape, args[0].dtype)
    answer.real, answer.imag = parts[-2:]
    return answer


TRUTH = {
    "mul": lambda x, y: x * y,
    "div": lambda x, y: x / y,
    "square": lambda x: x * x,
    "reciprocal": lambda x: 1 / x,
    "abs": abs,
    "angle": mpmath.arg,
    "sigmoid": lambda x: 1 / (1 + mpmath.exp(-x)),
}
# 1 + exp(-z) next to -1 = exp(-z) keeps what its rounding leaves.
LOOSE = {"sigmoid": 2000.0}
EVERY = sorted(complex_math.COMPLEX)


def samples(name, bits):
    """Numbers of all sizes, near the unit circle and near the axes."""
    rng = np.random.default_rng(3)

    def draw(n=96):
        plane = rng.normal(size=n) + 1j * rng.normal(size=n)
        circle = np.exp(1j * rng.uniform(-3, 3, n)) * (1 + 1e-5 * rng.normal(size=n))
        axes = rng.normal(size=n) * 10 ** rng.uniform(-12, 1.4, n) + 1j * rng.normal(size=n) * 10 ** rng.uniform(-12, 1.4, n)
        drawn = np.concatenate([plane, plane * 10 ** rng.uniform(-12, 1, n), circle, axes])
        return drawn.astype(np.complex64 if bits == 32 else np.complex128)

    return [draw() for _ in range(complex_math.COMPLEX[name][1])]


@pytest.mark.parametrize("bits", [32, 64])
@pytest.mark.parametrize("name", EVERY)
def test_near_the_truth(name, bits):
    args = samples(name, bits)
    answers = call(name, *args)
    if name in vector_math.REAL_VALUED:
        answers = answers.real
    truth = TRUTH.get(name) or getattr(mpmath, name)
    eps = np.finfo(answers.dtype).eps
    for answer, *at in zip(answers.tolist(), *(a.tolist() for a in args), strict=True):
        exact = truth(*(mpmath.mpc(x) for x in at))
        assert abs(mpmath.mpmathify(answer) - exact) <= LOOSE.get(name, 4.0) * eps * abs(exact), (at, answer, exact)


@pytest.mark.parametrize("bits", [32, 64])
@pytest.mark.parametrize("name", EVERY)
def test_widths_agree(name, bits):
    args = samples(name, bits)
    np.testing.assert_array_equal(call(name, *args), call(name, *args, vector_bits=0))


@pytest.mark.skipif("x86_64" not in machine.host().triple, reason="the processor named here is x86's")
def test_without_fused_multiply_adds():
    target = machine.describe("x86-64-v2")
    module = ir.Module()
    module.triple = target.triple
    add_loop(module, "exp", 32, 4, target)
    code = codegen.load(str(module), machine=target)
    x = samples("exp", 32)[0]
    parts = [np.ascontiguousarray(x.real), np.ascontiguousarray(x.imag), np.empty(x.shape, np.float32), np.empty(x.shape, np.float32)]
    code.function("exp.32", None, *[ctypes.c_void_p] * 4, ctypes.c_int64)(*(p.ctypes.data for p in parts), x.size)
    np.testing.assert_array_equal(parts[2] + 1j * parts[3], call("exp", x))


@pytest.mark.parametrize("name", ["abs", "log", "sqrt", "div", "exp"])
def test_no_early_overflow(name):
    """Numbers whose squares are out of range."""
    big, small = np.full(16, 3e38 + 2e38j, np.complex64) / 2, np.full(16, 3e-38 - 2e-38j, np.complex64)
    at = {"exp": [np.full(16, 88.8 + 0.8j, np.complex64)], "div": [big, big]}.get(name, [big])
    tiny = {"exp": [small], "div": [small, small]}.get(name, [small])
    function = {"div": np.divide, "abs": np.abs}.get(name) or getattr(np, name)
    for args in (at, tiny):
        exact = function(*(a.astype(np.complex128) for a in args))
        np.testing.assert_allclose(call(name, *args) if name != "abs" else call(name, *args).real, exact, rtol=1e-6)


def test_branches_and_zeros():
    """The sides of the cuts are told apart by the sign of zero, and a quotient by zero is infinite."""
    cut = np.array([complex(-4, 0.0), complex(-4, -0.0)] * 8)
    assert call("sqrt", cut)[:2].tolist() == [2j, -2j]
    assert call("log", cut)[:2].imag.tolist() == [np.pi, -np.pi]
    nought = np.zeros(16, np.complex128)
    assert np.all(call("sqrt", nought) == 0)
    assert np.all(np.isinf(call("div", np.full(16, 1 + 1j), nought)))
    assert np.all(call("exp", np.full(16, 1000 + 0j)).real == np.inf)
    assert np.all(call("exp", np.full(16, 1000 + 0j)).imag == 0)


def test_supported():
    assert vector_math.supported_complex("exp", 32)
    assert not vector_math.supported_complex("exp", 16)
    assert not vector_math.supported_complex("no_such_function", 64)
