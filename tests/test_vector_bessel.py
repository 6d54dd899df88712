"""Modified Bessel functions of large arrays in native code: float32 against SciPy's of float64, float64 against mpmath."""

from itertools import pairwise
from typing import Any

import mpmath
import numpy as np
import pytest
import scipy.special

import pullback as tf
from pullback.engine import eager_code
from pullback.engine.background import wait_for_compiles
from pullback.kernels import blocked
from pullback.kernels.backend import ENGINE

pytest.importorskip("llvmlite")

SPECIAL = np.array([0.0, -0.0, 1e-40, 1e-30, 2.0, 8.0, np.nextafter(8, 9), 87.0, 89.0, 104.0, 3e38, np.inf, np.nan], np.float32)


@pytest.fixture
def loops() -> Any:
    """Fresh loops."""
    before, settings = ENGINE.run_blockwise, eager_code.Settings.jit
    ENGINE.run_blockwise, eager_code.Settings.jit = eager_code.Loops(), None
    yield ENGINE.run_blockwise
    ENGINE.run_blockwise, eager_code.Settings.jit = before, settings


def native(name: str, x: Any) -> Any:
    """What native code gives, once it has come."""
    function = getattr(tf.math.special, name)
    function(tf.constant(x))
    wait_for_compiles()
    return function(tf.constant(x)).numpy()


@pytest.mark.parametrize("name", ["i0", "i0e", "i1", "i1e", "k0", "k0e", "k1", "k1e"])
def test_bessel_functions_are_within_two_units_in_the_last_place(name: str, loops: Any) -> None:
    rng = np.random.default_rng(0)
    parts = [rng.uniform(0, 20, 1 << 16), 10 ** rng.uniform(-30, 2, 1 << 16), rng.uniform(1.9, 2.1, 1 << 14), SPECIAL]
    x = np.concatenate(parts).astype(np.float32)
    x = np.concatenate([x, -x])
    found = native(f"bessel_{name}", x)
    assert [loop is not None for loop in loops._found.values()] == [True]
    with np.errstate(over="ignore"):
        wide = getattr(scipy.special, name)(x.astype(np.float64))
        exact = np.where(x <= 0, np.inf, wide) if name[0] == "k" else wide
        rounded = exact.astype(np.float32)
    finite = np.isfinite(rounded)
    np.testing.assert_array_equal(found[~finite], rounded[~finite])
    far = np.abs(found[finite] - exact[finite]) / np.spacing(np.abs(rounded[finite]))
    assert far.max() <= 2, (x[finite][far.argmax()], far.max())


@pytest.mark.parametrize("name", ["i0", "i0e", "i1", "i1e", "k0", "k0e", "k1", "k1e"])
def test_in_float64_within_four_units(name: str, loops: Any) -> None:
    rng = np.random.default_rng(2)
    ends = [1e-9, 0.5, 1, 2, 4, 8, 30, 700]
    some = np.concatenate([rng.uniform(low, high, 10) for low, high in pairwise(ends)])
    x = np.resize(some, blocked.SHARED)
    found = native(f"bessel_{name}", x)
    assert [loop is not None for loop in loops._found.values()] == [True]
    truth = mpmath.besseli if name[0] == "i" else mpmath.besselk
    with mpmath.workprec(100):
        for at, value in zip(some, found, strict=False):
            exact = truth(int(name[1]), mpmath.mpf(float(at)))
            if name.endswith("e"):
                exact *= mpmath.exp(-float(at) if name[0] == "i" else float(at))
            assert abs(mpmath.mpf(float(value)) - exact) <= 4 * np.spacing(abs(float(exact))), (at, value)
