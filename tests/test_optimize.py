"""SciPy's solvers on structures: every method, bounds, constraints, sparse Jacobians, operators, the line about progress."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.optimize import Bounds, LinearConstraint
from scipy.sparse import issparse

import pullback as tf
from pullback.optimize import hessian_operator, jacobian_operator, least_squares, minimize, root


def rosenbrock(x: Any) -> Any:
    return tf.reduce_sum((1.0 - x[:-1]) ** 2 + 100.0 * (x[1:] - x[:-1] ** 2) ** 2)


START = np.array([1.2, 0.7, 0.9, 1.1])
METHODS = [
    None, "BFGS", "L-BFGS-B", "CG", "Newton-CG", "TNC", "SLSQP", "trust-ncg", "trust-krylov", "trust-exact", "trust-constr",
    "Nelder-Mead", "Powell", "COBYLA",
]  # fmt: skip


@pytest.mark.parametrize("method", METHODS)
def test_every_method_goes_down(method: str | None) -> None:
    found = minimize(rosenbrock, START, method)
    assert isinstance(found.x, tf.Tensor)
    assert float(found.fun) < 0.1 * float(rosenbrock(tf.constant(START)))
    np.testing.assert_array_equal(found.x.numpy(), found.vector)
    if method not in ("Nelder-Mead", "Powell", "COBYLA", "SLSQP", "TNC", "CG"):
        np.testing.assert_allclose(found.x.numpy(), np.ones(4), atol=1e-3)


def test_dogleg_takes_the_whole_hessian() -> None:
    found = minimize(
        lambda p: tf.reduce_sum(tf.exp(p["a"]) - 2.0 * p["a"]) + p["b"] ** 2, {"a": np.zeros(2), "b": np.float64(3.0)}, "dogleg"
    )
    np.testing.assert_allclose(found.x["a"].numpy(), np.log(2.0), atol=1e-6)
    assert found.x["b"].numpy() == pytest.approx(0.0, abs=1e-6)


def test_structures_and_variables() -> None:
    v = tf.Variable(np.array([3.0, 4.0]))
    found = minimize(lambda: tf.reduce_sum((v - 1.0) ** 2), [v])
    np.testing.assert_allclose(v.numpy(), [1.0, 1.0], atol=1e-6)
    np.testing.assert_allclose(found.x[0].numpy(), v.numpy())
    nest = minimize(lambda p: (p["a"] - 3.0) ** 2 + tf.reduce_sum(p["b"][0] ** 2), {"a": np.float64(0.0), "b": [np.ones((2, 2))]}, "BFGS")
    assert nest.x["a"].numpy() == pytest.approx(3.0, abs=1e-6)
    assert nest.x["b"][0].shape == (2, 2)
    assert nest.jac["b"][0].shape == (2, 2)


@pytest.mark.parametrize("bounds", [(None, {"a": 2.0, "b": [5.0, 5.0]}), (-1.0, {"a": 2.0, "b": 5.0}), Bounds([-9.0] * 3, [2.0, 5.0, 5.0])])
def test_bounds(bounds: Any) -> None:
    found = minimize(
        lambda p: (p["a"] - 3.0) ** 2 + tf.reduce_sum(p["b"] ** 2), {"a": np.float64(0.0), "b": np.ones(2)}, "L-BFGS-B", bounds=bounds
    )
    assert found.x["a"].numpy() == pytest.approx(2.0)


@pytest.mark.parametrize("method", ["SLSQP", "trust-constr", "COBYLA"])
def test_constraints(method: str) -> None:
    sums = {"type": "eq", "fun": lambda x: x[0] + x[1] - 1.0}
    inside = {"type": "ineq", "fun": lambda x: x[0] + x[1] - 1.0}
    found = minimize(lambda x: tf.reduce_sum(x**2), np.array([2.0, 0.0]), method, constraints=[inside if method == "COBYLA" else sums])
    np.testing.assert_allclose(found.x.numpy(), [0.5, 0.5], atol=1e-3)


def test_a_constraint_alone_and_constraints_of_scipys() -> None:
    def norm(x: Any) -> Any:
        return tf.reduce_sum(x**2)

    line = {"type": "eq", "fun": lambda x: x[0] + x[1] - 1.0}
    alone = minimize(norm, tf.constant([2.0, 0.0], tf.float64), "SLSQP", tol=1e-12, constraints=line)
    np.testing.assert_allclose(alone.x.numpy(), [0.5, 0.5], atol=1e-6)
    by_name = minimize(norm, tf.constant([2.0, 0.0], tf.float64), "SLSQP", tol=1e-12, constraints={"line": line}.values())
    np.testing.assert_allclose(by_name.x.numpy(), [0.5, 0.5], atol=1e-6)
    theirs = minimize(norm, tf.constant([2.0, 0.0], tf.float64), "SLSQP", tol=1e-12, constraints=LinearConstraint([[1.0, 2.0]], 5.0, 5.0))
    np.testing.assert_allclose(theirs.x.numpy(), [1.0, 2.0], atol=1e-6)


def test_callbacks_see_structures() -> None:
    for method in ("BFGS", "trust-constr"):
        seen: list[Any] = []
        minimize(lambda p: p["a"] ** 2, {"a": np.float64(1.0)}, method, callback=seen.append)
        assert seen
        assert all(set(p) == {"a"} for p in seen)


def chain(x: Any) -> Any:
    return tf.concat([x[1:] - x[:-1] - 0.1, x[:1] ** 2 - 1.0], 0)


@pytest.mark.parametrize(("jac", "size"), [("dense", 20), ("sparse", 20), ("operator", 20), ("auto", 20), ("auto", 300)])
def test_least_squares_with_every_jacobian(jac: str, size: int) -> None:
    found = least_squares(chain, np.full(size, 0.5), jac=jac)
    np.testing.assert_allclose(found.x.numpy(), 1.0 + 0.1 * np.arange(size), atol=1e-5)
    assert issparse(found.jac) == (jac == "sparse" or size == 300)


def test_least_squares_on_structures() -> None:
    t = np.linspace(0.0, 1.0, 20)
    found = least_squares(
        lambda p: (p["a"] * tf.exp(p["k"][0] * t) - 2.0 * np.exp(-t), p["k"] * 0.0), {"a": np.float64(1.0), "k": np.zeros(1)}, "lm"
    )
    assert found.x["a"].numpy() == pytest.approx(2.0)
    assert found.x["k"].numpy()[0] == pytest.approx(-1.0)
    bounded = least_squares(lambda x: x - 3.0, np.zeros(2), bounds=(None, [1.0, 9.0]))
    np.testing.assert_allclose(bounded.x.numpy(), [1.0, 3.0])


@pytest.mark.parametrize("method", ["hybr", "lm", "krylov", "broyden1"])
def test_roots(method: str) -> None:
    found = root(lambda p: {"x": p["a"] ** 2 - p["b"], "y": p["b"] - 4.0}, {"a": np.float64(1.5), "b": np.float64(3.0)}, method)
    assert found.x["a"].numpy() == pytest.approx(2.0, abs=1e-4)


def test_operators() -> None:
    x = np.array([1.0, 2.0, 3.0])
    point = {"a": x, "b": np.float64(2.0)}

    def f(p: Any) -> Any:
        return (p["a"][1:] * p["b"], tf.reduce_sum(p["a"]))

    operator = jacobian_operator(f, point)
    expected = np.array([[0.0, 2.0, 0.0, 2.0], [0.0, 0.0, 2.0, 3.0], [1.0, 1.0, 1.0, 0.0]])
    np.testing.assert_allclose(operator @ np.eye(4), expected)
    np.testing.assert_allclose(operator.T @ np.eye(3), expected.T)
    hessian = hessian_operator(rosenbrock, START)
    np.testing.assert_allclose(hessian @ np.eye(4), tf.hessian(rosenbrock, tf.constant(START)).numpy())
    np.testing.assert_allclose(hessian.T @ START, hessian @ START)


def test_the_line_is_written_when_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    minimize(rosenbrock, START, progress=True)
    assert "minimize: 1 evaluations" in capsys.readouterr().err


def test_what_is_refused() -> None:
    refused: list[tuple[Callable[[], Any], type[Exception], str]] = [
        (lambda: minimize(lambda x: x * 2.0, np.ones(2)), ValueError, r"one number.*\(2,\).*least_squares"),
        (lambda: minimize(rosenbrock, np.array([1, 2])), TypeError, "int64"),
        (lambda: minimize(lambda p: p[0] ** 2, [np.float64(1.0), np.float64(2.0)]), ValueError, "no gradient leads.*is not computed from"),
        (lambda: minimize(rosenbrock, np.ones(3), "no-such-method"), ValueError, "no-such-method"),
        (lambda: minimize(rosenbrock, np.ones(3), bounds=3.0), ValueError, "pair"),
        (lambda: least_squares(chain, np.ones(3), "lm", jac="sparse"), ValueError, "'lm' takes a dense"),
        (lambda: least_squares(chain, np.ones(3), jac="other"), ValueError, "'auto', 'dense', 'sparse' or 'operator'"),
        (lambda: root(lambda x: x[:1], np.ones(2)), ValueError, "got 1 for 2.*least_squares"),
    ]
    for call, kind, words in refused:
        with pytest.raises(kind, match=words):
            call()
