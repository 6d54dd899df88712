"""The executable model of the architecture, docs/model.py, holds."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from model import (
    OPS,
    Array,
    Rows,
    Tensor,
    Type,
    apply,
    between,
    call,
    compiled,
    define,
    dense,
    gradients,
    graph,
    matmul,
    number,
    pullback,
    pushforward,
    recording,
    tape,
    tensor,
    total,
    vectorize,
)

RNG = np.random.default_rng(0)
X, W = RNG.normal(size=(3, 4)), RNG.normal(size=(4,))


def sin(x: Tensor) -> Tensor:
    return call("Sin", x)


def example(x: Tensor, w: Tensor) -> Tensor:
    return total(sin(x * w) + call("Exp", x) / w)


def slope(f: Callable[[Array], Any], x: Array, v: Array, step: float = 1e-6) -> float:
    return float((f(x + step * v) - f(x - step * v)) / (2 * step))


def test_a_tape_and_what_it_forgets() -> None:
    x, w, v = tensor(X), tensor(W), RNG.normal(size=W.shape)
    with tape() as t:
        y = example(x, w)
    gw = number(gradients(t, [y], [w])[0])
    np.testing.assert_allclose((gw * v).sum(), slope(lambda w: example(x, tensor(w)).value, W, v), rtol=1e-6)
    kept = {n.primitive.name: ([i.value is not None for i in n.inputs], [o.value is not None for o in n.outputs]) for n in t.nodes}
    assert kept["Sin"] == ([True], [False])
    assert kept["Exp"] == ([False], [True])
    assert kept["Add"] == ([False, False], [False])


def test_derivatives_of_any_order() -> None:
    x = tensor(0.7)
    with tape() as outer:
        with tape() as middle:
            with tape() as inner:
                y = sin(x)
            first = dense(gradients(inner, [y], [x])[0])
        second = dense(gradients(middle, [first], [x])[0])
    third = number(gradients(outer, [second], [x])[0])
    np.testing.assert_allclose([first.value, second.value, third], [np.cos(0.7), -np.sin(0.7), -np.cos(0.7)])


def test_a_graph_with_unknown_sizes() -> None:
    x, w = Tensor(Type((None, 4), np.dtype(float))), Tensor(Type((4,), np.dtype(float)))
    with graph() as g:
        y = example(x, w)
        gx, gw = map(dense, gradients(g, [y], [x, w]))
        hw = dense(gradients(g, [total(gw * gw)], [w])[0])
    program = compiled(g, [x, w], [gx, gw, hw])
    with tape() as t:
        eager = example(ex := tensor(X), ew := tensor(W))
    for ours, theirs in zip(program(X, W), gradients(t, [eager], [ex, ew]), strict=False):
        np.testing.assert_allclose(ours, number(theirs))
    v = RNG.normal(size=W.shape)
    np.testing.assert_allclose((program(X, W)[2] * v).sum(), slope(lambda w: (program(X, w)[1] ** 2).sum(), W, v), rtol=1e-5)
    assert program(X[:2], W)[0].shape == (2, 4)


def test_a_tape_inside_a_graph() -> None:
    w = Tensor(Type((4,), np.dtype(float)))
    with graph() as g:
        with tape() as t:
            y = total(sin(w) * w)
        gw = dense(gradients(t, [y], [w])[0])
    np.testing.assert_allclose(compiled(g, [w], [gw])(W)[0], np.cos(W) * W + np.sin(W))


def test_sparse_cotangents_stay_sparse() -> None:
    table, ids = tensor(X), tensor(np.array([2, 0, 2]))
    with tape() as t:
        rows = call("Identity", call("Gather", call("Identity", table), ids))
        y = total(rows) + total(call("Gather", table, tensor(np.array([1]))))
    (g,) = gradients(t, [y], [table])
    assert isinstance(g, Rows) and len(g.parts) == 2
    np.testing.assert_array_equal(number(g), np.array([[1.0] * 4, [1.0] * 4, [2.0] * 4]))
    with tape() as t:
        y = total(call("Gather", table, ids)) + total(table * table)
    assert isinstance(gradients(t, [y], [table])[0], Tensor)


def test_several_outputs() -> None:
    x = tensor(W)
    with tape() as t:
        value, index = apply(OPS["Largest"], x)
        y = value * value
    np.testing.assert_array_equal(number(gradients(t, [y], [x])[0]), np.where(W.max() == W, 2 * W.max(), 0))
    assert gradients(t, [index], [x]) == [None]


def test_only_what_lies_between_is_visited() -> None:
    x = tensor(0.5)
    with tape() as t:
        y = sin(x)
        call("Shape", y)  # has no rule, and needs none: it is not on the way
        for _ in range(50_000):
            y = y + x
    assert number(gradients(t, [y], [x])[0]) == np.cos(0.5) + 50_000
    assert len(between(t, [x], [t.nodes[0].outputs[0]])[0]) == 1


def test_the_forward_sweep_is_the_transpose() -> None:
    a, b, table = tensor(RNG.normal(size=(2, 3))), tensor(RNG.normal(size=(3, 5))), np.array([1, 0, 1])
    with recording() as r:
        z = call("Gather", sin(matmul(a, b)) / a_row(a), table)
    u, t = tensor(RNG.normal(size=(3, 5))), tensor(RNG.normal(size=(2, 3)))
    (jv,) = pushforward(r, [a], [t], [z])
    (ju,) = pullback(r, [z], [u], [a])
    np.testing.assert_allclose((number(u) * number(jv)).sum(), (number(ju) * number(t)).sum(), rtol=1e-12)


def a_row(a: Tensor) -> Tensor:
    return call("SumTo", a * a, np.array([2, 1]))


def test_a_jacobian_is_one_batched_pullback() -> None:
    w, a = tensor(W), tensor(RNG.normal(size=(3, 4)))
    with recording() as r:
        y = call("Reshape", matmul(a, call("Reshape", sin(w) * w, np.array([4, 1]))), np.array([3]))
    g = tensor(np.zeros(3))
    with recording() as back:
        (row,) = pullback(r, [y], [g], [w])
    jacobian = vectorize(back, g, tensor(np.eye(3)), dense(row))
    np.testing.assert_allclose(number(jacobian), number(a) * (np.cos(W) * W + np.sin(W)))


@pytest.mark.parametrize(
    ("vjp", "message"),
    [
        ({"x": lambda g, z: g * z}, r"Bad: a gradient reads \['z'\]; it may read \['g', 'out', 'x', 'x_shape'\]"),
        ({"y": lambda g: g}, r"Bad: a gradient for \['y'\], but the inputs are \('x',\)"),
    ],
)
def test_a_wrong_rule_is_refused_at_definition(vjp: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        define("Bad", "x", lambda x: x.type, np.sin, vjp)


def test_a_missing_rule_is_named() -> None:
    define("NoRule", "x", lambda x: x.type, np.sin, {})
    x = tensor(0.5)
    with tape() as t:
        y = call("NoRule", x)
    with pytest.raises(LookupError, match=r"NoRule has no gradient for \['x'\]"):
        gradients(t, [y], [x])
