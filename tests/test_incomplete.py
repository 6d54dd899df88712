"""The incomplete gamma and beta functions of float64 against mpmath, in every region of their formulas, by NumPy and natively: 4 ulp."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import pytest

import pullback as tf
from pullback.ops.special import incomplete_beta, incomplete_gamma
from pullback.ops.special.arrays import Arrays
from tests.test_vector_gamma import call

Draw = Callable[[Any, int], list[Any]]


def _gamma_side(a: Any, x: Any, upper: bool) -> Any:
    """By the sum for the lower one, in digits enough for 1 less it."""
    with mpmath.workprec(400):
        if x > a + 1 and x > 2:
            found = mpmath.gammainc(a, x, regularized=True)
            return found if upper else 1 - found
        found = mpmath.gammainc(a, 0, x, regularized=True)
        return 1 - found if upper else found


def _beta_sum(a: Any, b: Any, x: Any, y: Any) -> Any:
    """The incomplete beta function by the power series of x, whose terms are positive."""
    term = total = mpmath.mpf(1)
    n = 1
    while term > total * mpmath.mpf(2) ** -400 or (a + b + n) * x > a + n + 1:
        term *= (a + b + n - 1) / (a + n) * x
        total += term
        n += 1
    factor = a * mpmath.log(x) + b * mpmath.log(y) + mpmath.loggamma(a + b) - mpmath.loggamma(a) - mpmath.loggamma(b)
    return total * mpmath.exp(factor) / a


def _beta(a: Any, b: Any, x: Any) -> Any:
    with mpmath.workprec(400):
        y = 1 - x
        return 1 - _beta_sum(b, a, y, x) if x > 0.9 or (x > 0.5 and a * y < b * x) else _beta_sum(a, b, x, y)


TRUTH: dict[str, Callable[..., Any]] = {
    "igamma": lambda a, x: _gamma_side(a, x, False),
    "igammac": lambda a, x: _gamma_side(a, x, True),
    "betainc": _beta,
}


def by_numpy(name: str, *args: Any) -> Any:
    with np.errstate(all="ignore"):
        if name == "betainc":
            value, inside = incomplete_beta.evaluate_incomplete(Arrays, *args)
        else:
            value, inside = incomplete_gamma.evaluate_incomplete(Arrays, name == "igammac", *args)
    assert inside.all()
    return value


def powers(rng: Any, low: float, high: float, n: int) -> Any:
    return 10.0 ** rng.uniform(low, high, n)


def _near_order(rng: Any, n: int) -> list[Any]:
    a = powers(rng, 1, 6, n)
    return [a, a + rng.uniform(-3, 6, n) * np.sqrt(a)]


def _past_order(rng: Any, n: int) -> list[Any]:
    a = rng.uniform(1, 10, n)
    return [a, a + rng.uniform(0, 3, n)]


def _near_mean(low: float, high: float) -> Draw:
    def drawn(rng: Any, n: int) -> list[Any]:
        a, b = powers(rng, low, high, n), powers(rng, low, high, n)
        return [a, b, a / (a + b) * np.exp(-np.abs(rng.normal(size=n)) / np.sqrt(a))]

    return drawn


GAMMA: dict[str, Draw] = {
    "small": lambda rng, n: [rng.uniform(0.05, 10, n), rng.uniform(0, 12, n)],
    "tiny order": lambda rng, n: [powers(rng, -10, -1, n), powers(rng, -3, 0.4, n)],
    "tiny both": lambda rng, n: [powers(rng, -10, 0, n), powers(rng, -10, 0, n)],
    "past the order": _past_order,
    "large": lambda rng, n: [rng.uniform(10, 200, n), rng.uniform(1, 250, n)],
    "near the order": _near_order,
    "tails": lambda rng, n: [powers(rng, -1, 2, n), powers(rng, -2, 2.5, n)],
}
BETA: dict[str, Draw] = {
    "small": lambda rng, n: [rng.uniform(0.01, 4, n), rng.uniform(0.01, 4, n), rng.uniform(0, 1, n)],
    "both tiny": lambda rng, n: [powers(rng, -10, 0, n), powers(rng, -10, 0, n), rng.uniform(0, 1, n)],
    "second tiny": lambda rng, n: [powers(rng, -1, 2, n), powers(rng, -10, -1, n), 1 - powers(rng, -4, 0, n)],
    "first tiny": lambda rng, n: [powers(rng, -10, -1, n), powers(rng, -1, 2, n), powers(rng, -4, 0, n)],
    "one large": lambda rng, n: [powers(rng, 0, 3, n), rng.uniform(0.1, 10, n), 1 - powers(rng, -4, -0.3, n)],
    "near the mean": _near_mean(0, 2.5),
    "large": _near_mean(1, 3),
}
ROWS = [
    *[pytest.param(name, draw, id=f"{name} {place}") for name in ("igamma", "igammac") for place, draw in GAMMA.items()],
    *[pytest.param("betainc", draw, id=f"betainc {place}") for place, draw in BETA.items()],
]


@pytest.mark.parametrize(("name", "draw"), ROWS)
def test_within_four_units_in_the_last_place(name: str, draw: Draw) -> None:
    """Where the truth is no normal number, units are those of the least normal one."""
    args = draw(np.random.default_rng(11), 40)
    found = [by_numpy(name, *args), call(name, *args)]
    least = float(np.finfo(np.float64).tiny)
    for one, other, *at in zip(*found, *args, strict=True):
        exact = TRUTH[name](*(mpmath.mpf(float(x)) for x in at))
        unit = mpmath.mpf(float(np.spacing(max(abs(float(exact)), least))))
        assert abs(mpmath.mpf(float(one)) - exact) <= 4 * unit, (at, one, float(exact))
        assert abs(mpmath.mpf(float(other)) - exact) <= 4 * unit, (at, other, float(exact))


@pytest.mark.parametrize(
    ("name", "args", "value"),
    [
        ("igamma", (1e6, 1e6), 0.5001329807608725),
        ("igammac", (1e6, 1e6), 0.4998670192391274),
        ("igamma", (1e50, 1e50), 0.5),
        ("igamma", (1e-10, 1e-300), 0.9999999309801711),
        ("igamma", (5.0, 1e-70), 0.0),
        ("igammac", (1e-290, 1.0), 2.193839343955203e-291),
        ("igammac", (2.0, 1e90), 0.0),
        ("igammac", (3e38, 1e-310), 1.0),
        ("igamma", (3e38, 1e-310), 0.0),
        ("betainc", (1e6, 1e6, 0.5), 0.5),
        ("betainc", (1e20, 1e20, 0.5), 0.5),
        ("betainc", (1e-100, 1e-100, 0.25), 0.5),
        ("betainc", (1e29, 2.0, 1e-300), 0.0),
        ("betainc", (1.0, 1.0, 1e-307), 1e-307),
        ("betainc", (1.0, 1.0, 1 - 2**-53), 1 - 2**-53),
    ],
)
def test_ends_of_the_domain(name: str, args: tuple[float, ...], value: float) -> None:
    given = [np.full(3, x) for x in args]
    for found in (by_numpy(name, *given), call(name, *given)):
        np.testing.assert_allclose(found, value, rtol=1e-15, atol=0)


@pytest.mark.parametrize("name", ["igamma", "igammac", "betainc"])
def test_forms_of_arrays(name: str) -> None:
    """Single numbers, nothing, arrays that are broadcast, strided or cannot be written: as by plain arrays, and again once it is native."""
    rng = np.random.default_rng(2)
    f, count = getattr(tf.math, name), 3 if name == "betainc" else 2
    args = [rng.uniform(0.1, 0.9, (6, 8)) for _ in range(count)]
    wanted = by_numpy(name, *(a.ravel() for a in args)).reshape(6, 8)
    for a in args:
        a.setflags(write=False)
    kept = [a.copy() for a in args]
    for _ in range(12):
        np.testing.assert_allclose(f(*args).numpy(), wanted, rtol=1e-15)
        np.testing.assert_allclose(f(*(a[::2, 1::3] for a in args)).numpy(), wanted[::2, 1::3], rtol=1e-15)
        np.testing.assert_allclose(f(*(a[2, 3] for a in args)).numpy(), wanted[2, 3], rtol=1e-15)
        np.testing.assert_allclose(f(args[0][2, 3], *args[1:]).numpy()[2, 3], wanted[2, 3], rtol=1e-15)
        assert f(*(a[:0] for a in args)).shape == (0, 8)
    assert all((a == b).all() for a, b in zip(args, kept, strict=True))
