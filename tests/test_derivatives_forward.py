"""Forward mode: every op's short rule against the transpose of its VJP, and what accumulators cost and follow."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pullback as tf
from pullback.api.linearization import Journal
from pullback.ir.context import start_listening, stop_listening
from pullback.ops.all_operations import load_operations
from pullback.transforms import tangents
from pullback.transforms.forward import pushforward
from tests import cases as table
from tests.cases.case import Case, floats, is_float
from tests.golden import observe
from tests.golden.programs.forward_mode import ALONG, POINT, functions
from tests.lawkit import heard

EVERY = [pytest.param(case, id=f"{family}:{case.id}") for family in table.families() for case in table.cases(family)]


@pytest.mark.parametrize("case", EVERY)
def test_short_rules_are_the_transposed_ones(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    """What an op's record allows forwards (partials, the op itself) gives what transposing its VJP gives, kinks and ties included."""
    face = tf if case.face == "v2" else tf.compat.v1
    inputs = [observe.constant(tf, x) for x in case.inputs]
    sources = [x for x in inputs if is_float(x.dtype.as_numpy_dtype)]
    journal = Journal(sources)
    start_listening(journal)
    try:
        ys = [y for y in observe.leaves(case.f(face, *inputs)) if observe.differentiable(y) and isinstance(y, tf.Tensor)]
    finally:
        stop_listening(journal)
    if not sources or not ys:
        return
    along = [observe.constant(tf, floats(*x.shape, low=-1.0, high=1.0, dtype=x.dtype.as_numpy_dtype, seed=5)) for x in sources]
    short, failed = observe.outcome(lambda: pushforward(journal.nodes, sources, along, ys))
    long, refused = _transposed(monkeypatch, lambda: pushforward(journal.nodes, sources, along, ys), kept=())
    if refused is not None and failed is None and any(node.primitive.name == "PartitionedCall" for node in journal.nodes):
        # A call was not prepared to be transposed by the residuals among its outputs; its forward rule is the transposed derivative.
        long, refused = _transposed(monkeypatch, lambda: pushforward(journal.nodes, sources, along, ys), kept=("PartitionedCall",))
    if refused is not None:
        assert failed is not None, f"{case.id}: transposing is refused ({refused['message'][:200]}), the short rule is not"
        return
    assert failed is None, f"{case.id}: {failed}"
    for a, b in zip(short, long, strict=True):
        a, b = (np.zeros(()) if t is None else np.asarray(t).astype(np.complex128) for t in (a, b))
        tolerance = 5e-2 if any(x.dtype.name in ("float16", "bfloat16") for x in (*sources, *ys)) else 1e-4
        size = max(1.0, float(np.nanmax(np.where(np.isfinite(b), np.abs(b), 0.0), initial=0.0)))
        finite = np.isfinite(a) & np.isfinite(b)
        assert np.array_equal(np.isfinite(a) | ~np.isfinite(b), np.ones_like(finite)) or case.smooth is False, case.id
        np.testing.assert_allclose(
            np.where(finite, a, 0.0), np.where(finite, b, 0.0), rtol=tolerance, atol=tolerance * size, err_msg=case.id
        )


def _transposed(monkeypatch: pytest.MonkeyPatch, push: Callable[[], Any], kept: tuple[str, ...]) -> tuple[Any, Any]:
    """What a pushforward gives, or how it is refused, with no forward rules but those of the ops `kept`."""
    with monkeypatch.context() as patch:
        patch.setattr(tangents, "forward_rule", lambda op: op.jvp if op.name in kept else None)
        return observe.outcome(push)


def test_element_wise_and_linear_ops_need_no_transposing() -> None:
    short = {name for name, op in load_operations().items() if op.rules and tangents.forward_rule(op) is not None}
    assert {"Sin", "Mul", "Pow", "Transpose", "GatherV2", "ConcatV2", "Sum", "MatMul", "Conv2D", "StridedSlice"} <= short
    assert not {"Bitcast", "PlaceholderWithDefault", "PreventGradient", "PadV2", "CustomGradient"} & short


def test_forward_mode_costs_about_one_more_operation_for_each() -> None:
    x, v = tf.constant(np.linspace(0.1, 1.0, 50)), tf.ones([50], tf.float64)

    def chain(x: Any) -> Any:
        for _ in range(40):
            x = tf.sin(x) * 1.5
        return x

    with heard() as plain:
        chain(x)
    with heard() as accumulated, tf.autodiff.ForwardAccumulator(x, v) as acc:
        chain(x)
    assert acc.jvp(x) is v
    assert len(accumulated) <= 3.1 * len(plain)  # sin's slope is a cosine and a product, 1.5's a product


def test_gradients_of_their_own_are_honoured() -> None:
    @tf.custom_gradient
    def cube(x: Any) -> Any:
        return x**3, lambda g: g * 10.0

    x = tf.constant(2.0)
    with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as acc:
        y = cube(x)
    assert acc.jvp(y).numpy() == 10.0


def test_an_op_without_a_gradient_is_named() -> None:
    x = tf.constant([1.0, 2.0])
    with pytest.raises(LookupError, match="GuaranteeConst"), tf.autodiff.ForwardAccumulator(x, x):
        tf.guarantee_const(x)


def test_functions_with_loops_inside_functions() -> None:
    """Second order, through a loop and a branch, accumulators inside a function: TensorFlow 2.21 fails here."""

    def f(x: Any) -> Any:
        y = tf.cond(tf.reduce_sum(x) > 0.0, lambda: x * x, lambda: -x)
        return tf.while_loop(lambda i, s: i < 5, lambda i, s: (i + 1, tf.sin(s) * y), [0, y])[1]

    @tf.function
    def second(x: Any, v: Any) -> Any:
        with tf.autodiff.ForwardAccumulator(x, v) as outer:
            with tf.autodiff.ForwardAccumulator(x, v) as inner:
                y = f(x)
            first = inner.jvp(y)
        return outer.jvp(first)

    x, v = tf.constant([0.5, 1.5], tf.float64), tf.constant([1.0, -2.0], tf.float64)
    h = 1e-4
    at = [np.asarray(f(x + t * h * v)) for t in (-1.0, 0.0, 1.0)]
    np.testing.assert_allclose(second(x, v).numpy(), (at[0] - 2.0 * at[1] + at[2]) / h**2, rtol=1e-4)


def test_through_a_function_that_keeps_residuals() -> None:
    w = tf.constant(np.linspace(-1.0, 1.0, 12).reshape(4, 3))
    inputs = tf.constant(np.linspace(0.0, 1.0, 8).reshape(2, 4))

    def loss(w: Any) -> Any:
        return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[0, 2], logits=tf.tanh(inputs @ w)))

    v = np.cos(np.arange(12.0)).reshape(4, 3)
    for ask in (lambda f: tf.jvp(f, w, v)[1], lambda f: tf.hvp(f, w, v), lambda f: tf.linearize(f, w)[1](v), lambda f: tf.jacobian(f, w)):
        np.testing.assert_allclose(ask(tf.function(loss)).numpy(), ask(loss).numpy(), rtol=1e-10)
    with tf.autodiff.ForwardAccumulator(w, tf.constant(v)) as outer:
        with tf.autodiff.ForwardAccumulator(w, tf.constant(v)) as inner:
            y = tf.function(loss)(w)
        first = inner.jvp(y)
    np.testing.assert_allclose(outer.jvp(first).numpy(), np.sum(tf.hvp(loss, w, v).numpy() * v), rtol=1e-10)


def test_operations_without_results_are_passed_by() -> None:
    @tf.function
    def f(x: Any, v: Any) -> Any:
        with tf.autodiff.ForwardAccumulator(x, v) as acc:
            tf.debugging.assert_positive(x)
            y = x * x
            tf.debugging.assert_less(y, 100.0)
        return acc.jvp(y)

    assert f(tf.constant(3.0), tf.constant(2.0)).numpy() == 12.0


def test_in_a_graph() -> None:
    tf1 = tf.compat.v1
    with tf1.Graph().as_default(), tf1.Session() as session:
        x = tf1.placeholder(tf.float32, [None])
        with tf1.autodiff.ForwardAccumulator(x, 2.0 * x) as acc:
            y = tf.sin(x) * x
        found = session.run(acc.jvp(y), {x: [0.5, 1.0]})
    point = np.array([0.5, 1.0])
    np.testing.assert_allclose(found, (np.cos(point) * point + np.sin(point)) * 2.0 * point, rtol=1e-6)


THIRD = ["cubes", "sine times x", "product with itself", "softmax", "log of sums of exponentials", "products along an axis", "layers",
         "division and powers", "cumulative sums", "an inverse", "norms", "einsum"]  # fmt: skip


@pytest.mark.parametrize("name", THIRD)
def test_third_order(name: str) -> None:
    """A sample: three accumulators, an accumulator over a tape over a tape, and differences of Hessian products agree."""
    f = functions(tf)[name]
    x, v = tf.constant(POINT), tf.constant(ALONG)

    def loss(x: Any) -> Any:
        return tf.reduce_sum(f(x) ** 2)

    accumulator = tf.autodiff.ForwardAccumulator
    with accumulator(x, v) as one:
        with accumulator(x, v) as two:
            with accumulator(x, v) as three:
                y = loss(x)
            first = three.jvp(y)
        second = two.jvp(first)
    forward = one.jvp(second).numpy()

    with accumulator(x, v) as acc:
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = loss(x)
            slope = tf.reduce_sum(tf.convert_to_tensor(inner.gradient(y, x)) * v)
        curvature = tf.reduce_sum(tf.convert_to_tensor(outer.gradient(slope, x)) * v)
    np.testing.assert_allclose(acc.jvp(curvature).numpy(), forward, rtol=1e-9, atol=1e-9)

    def along(t: float) -> float:
        return float(np.sum(np.asarray(tf.hvp(loss, tf.constant(POINT + t * ALONG), ALONG)) * ALONG))

    h = 1e-4
    slope_of_curvature = (8.0 * (along(h) - along(-h)) - (along(2.0 * h) - along(-2.0 * h))) / (12.0 * h)
    np.testing.assert_allclose(forward, slope_of_curvature, rtol=1e-5, atol=1e-5 * max(1.0, abs(along(0.0))))
