"""Programs under `vectorized_map` against a loop over the rows: values, sizes known late, gradients outside and inside, second order."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pullback as tf
from pullback.control.batch import batch_body
from pullback.control.vectorize import vectorize

Program = Callable[..., Any]
X = np.array([[1.0, 2.0], [3.0, 0.4], [0.5, 6.0], [-1.0, -2.0]])
S = np.array([1.0, 3.0, 0.5, -2.0])
K = np.array([1, 0, 0, 1], np.int32)
W = tf.Variable(np.array([0.3, 0.7]))
C = tf.constant(np.float64(1.5))


@tf.custom_gradient
def _own(a: Any, b: Any) -> Any:
    return a * b, lambda g: (g * a * 3.0, g * tf.sin(b) * C)


def _loop(step: Program, start: Any, steps: Any = 3, **options: Any) -> Any:
    return tf.while_loop(lambda i, a: i < steps, lambda i, a: (i + 1, step(i, a)), [tf.constant(0), start], **options)[1]


def _grow(a: Any) -> Any:
    return tf.while_loop(lambda a: a * a < 100.0, lambda a: (a * (1.5 + 0.1 * W[0]),), [tf.abs(a) + 0.5])[0]


def _array(r: Any) -> Any:
    ta = tf.TensorArray(tf.float64, 3, clear_after_read=False)
    return tf.while_loop(lambda i, t: i < 3, lambda i, t: (i + 1, t.write(i, r * tf.cast(i, tf.float64) * W)), [0, ta])[1].stack()


def _written(r: Any, k: Any) -> Any:
    ta = tf.TensorArray(tf.float64, 2, clear_after_read=False, element_shape=[])
    return ta.unstack(r * W).write(k, W[0] * 3.0).stack()


_inner = tf.function(lambda a: tf.reduce_sum(tf.sin(a) * W))
PROGRAMS: dict[str, tuple[Program, tuple[Any, ...]]] = {
    "a branch": (lambda r: tf.cond(r > 0, lambda: tf.math.log(r) * W[0], lambda: r * r * W[1]), (S,)),
    "a branch of a variable": (lambda r: tf.cond(W[0] > 0, lambda: tf.sin(r) * W[0], lambda: r * r), (S,)),
    "a switch": (lambda r: tf.switch_case(tf.cast(r, tf.int32), [lambda: r * W[0], lambda: r * r, lambda: tf.sin(r)]), (S,)),
    "a loop": (lambda r: _loop(lambda i, a: tf.sin(a * W) * 1.3, r), (X,)),
    "a loop with an end of each row's own": (_grow, (S,)),
    "steps of each row's own": (lambda r, k: _loop(lambda i, a: a * tf.sin(a) * W[0], r, k), (S, np.array([1, 0, 3, 2], np.int32))),
    "a checkpointed loop": (lambda r: _loop(lambda i, a: tf.sin(a * W), r, 4, checkpoint=2), (X,)),
    "a loop in a branch": (lambda r: tf.cond(r > 0.0, lambda: _grow(r), lambda: r * W[0]), (S,)),
    "a branch in a loop": (lambda r: _loop(lambda i, a: tf.cond(a > 1.0, lambda: a * 0.5 * W[0], lambda: a * 1.4 + 1.0), r, 4), (S,)),
    "an array": (_array, (X,)),
    "read at an index of each row's own": (
        lambda r, k: tf.TensorArray(tf.float64, 2, clear_after_read=False).unstack(r * W).read(k),
        (X, K),
    ),
    "written at an index of each row's own": (_written, (X, K)),
    "scan": (lambda r: tf.scan(lambda a, b: a * b + W[0], r), (X,)),
    "map_fn": (lambda r: tf.map_fn(lambda b: tf.sin(b) * W[1], r), (X,)),
    "a gradient of one's own": (lambda r: _own(r, r * 2.0), (S,)),
    "a gradient of one's own with a shared argument": (lambda r: _own(r, C), (S,)),
    "recomputed": (lambda r: tf.recompute_grad(lambda a: tf.sin(a * a) * W)(r), (X,)),
    "a function": (lambda r: _inner(r) * _inner(r * 2.0), (X,)),
    "a map in a map": (lambda r: tf.vectorized_map(lambda q: q * tf.reduce_sum(r) * W[0], r), (X,)),
    "a branch in a map in a map": (
        lambda r: tf.vectorized_map(
            lambda q: tf.cond(q > 1.0, lambda: tf.math.log(q) * tf.reduce_sum(r), lambda: q * W[0]), r
        ),
        (X,),
    ),
    "a loop in a map in a map": (lambda r: tf.vectorized_map(lambda q: _grow(q), r), (X,)),
    "a scan in a map in a map": (lambda r: tf.vectorized_map(lambda q: tf.scan(lambda a, b: a * b * q, r), r), (X,)),
    "an index of each row's own": (lambda r, k: r[k] * W[k], (X, K)),
    "a slice at each row's own place": (lambda r, k: tf.slice(r, [k], [1]) * W[0], (X, K)),
    "sparse rows": (lambda r: tf.reduce_sum(tf.gather(W, [0, 1, 1])) * r[0], (X,)),
    "a shared matrix solved": (lambda r: tf.linalg.solve(tf.constant([[2.0, 1.0], [0.0, 1.0]], tf.float64), (r * W)[:, None]), (X,)),
}  # fmt: skip
EVERY = pytest.mark.parametrize("name", PROGRAMS)


def _tensors(name: str) -> list[Any]:
    return [tf.constant(x) for x in PROGRAMS[name][1]]


def _one_by_one(f: Program, tensors: list[Any]) -> list[Any]:
    return [f(*[t[i] for t in tensors]) for i in range(len(tensors[0]))]


def _agree(found: Any, rows: list[Any]) -> None:
    for k, y in enumerate(tf.nest.flatten(found)):
        wanted = np.stack([np.asarray(tf.convert_to_tensor(tf.nest.flatten(row)[k])) for row in rows])
        np.testing.assert_allclose(np.asarray(tf.convert_to_tensor(y)), wanted, 1e-9, 1e-9)


def _total(f: Program) -> Program:
    return lambda *args: tf.add_n([tf.reduce_sum(tf.sin(y)) for y in tf.nest.flatten(f(*args))])


def _slopes(f: Program) -> Program:
    """The gradients of the sum of the sines of what `f` gives, for the floating arguments and the variable."""

    def inside(*args: Any) -> list[Any]:
        sources = [t for t in args if t.dtype.is_floating]
        with tf.GradientTape() as tape:
            tape.watch(sources)
            y = _total(f)(*args)
        return [tf.convert_to_tensor(g) for g in tape.gradient(y, [*sources, W], unconnected_gradients="zero")]

    return inside


@pytest.fixture(autouse=True)
def _no_warning() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


@EVERY
def test_values(name: str) -> None:
    f, tensors = PROGRAMS[name][0], _tensors(name)
    rows = _one_by_one(f, tensors)
    _agree(vectorize(f, *tensors), rows)
    late = [tf.TensorSpec([None] * len(t.shape), t.dtype) for t in tensors]
    _agree(tf.function(lambda *args: vectorize(f, *args), input_signature=late, autograph=False)(*tensors), rows)


@EVERY
def test_a_tape_outside(name: str) -> None:
    f, tensors = PROGRAMS[name][0], _tensors(name)

    def in_turn(*args: Any) -> list[Any]:
        return _one_by_one(f, list(args))

    wanted = _slopes(in_turn)(*tensors)
    found = _slopes(lambda *args: vectorize(f, *args))(*tensors)
    for g, w in zip(found, wanted, strict=True):
        np.testing.assert_allclose(g.numpy(), w.numpy(), 1e-9, 1e-9)


@EVERY
def test_a_tape_inside(name: str) -> None:
    f, tensors = PROGRAMS[name][0], _tensors(name)
    slopes = _slopes(f)
    _agree(vectorize(slopes, *tensors), _one_by_one(slopes, tensors))


@EVERY
def test_a_tape_inside_and_one_outside(name: str) -> None:
    f, tensors = PROGRAMS[name][0], _tensors(name)
    slopes = _slopes(f)
    wanted = _slopes(lambda *args: _one_by_one(slopes, list(args)))(*tensors)
    found = _slopes(lambda *args: vectorize(slopes, *args))(*tensors)
    for g, w in zip(found, wanted, strict=True):
        np.testing.assert_allclose(g.numpy(), w.numpy(), 1e-7, 1e-7)


@EVERY
def test_forward_mode_outside_and_inside(name: str) -> None:
    """<u, Jv> = <J'u, v>, and the tangents of each row."""
    f, tensors = PROGRAMS[name][0], _tensors(name)
    sources = [t for t in tensors if t.dtype.is_floating]
    directions = [tf.cos(3.0 * t) for t in sources]
    with tf.autodiff.ForwardAccumulator(sources, directions) as accumulator, tf.GradientTape() as tape:
        tape.watch(sources)
        ys = tf.nest.flatten(vectorize(f, *tensors))
    us = [tf.sin(y) for y in ys]
    tangents = accumulator.jvp(ys)
    cotangents = [tf.convert_to_tensor(g) for g in tape.gradient(ys, sources, us)]
    forward = sum(float(tf.reduce_sum(u * t)) for u, t in zip(us, tangents, strict=True))
    backward = sum(float(tf.reduce_sum(g * d)) for g, d in zip(cotangents, directions, strict=True))
    np.testing.assert_allclose(forward, backward, 1e-9, 1e-9)

    def inside(*rows: Any) -> list[Any]:
        own = [r for r in rows if r.dtype.is_floating]
        with tf.autodiff.ForwardAccumulator(own, [tf.cos(3.0 * r) for r in own]) as accumulator:
            ys = tf.nest.flatten(f(*rows))
        return list(accumulator.jvp(ys))

    for found, wanted in zip(vectorize(inside, *tensors), tangents, strict=True):
        np.testing.assert_allclose(found.numpy(), wanted.numpy(), 1e-9, 1e-9)


def test_a_body_without_rows_is_refused() -> None:
    body = tf.function(lambda x: x * 2.0).get_concrete_function(tf.zeros([2])).body
    with pytest.raises(ValueError, match="no input has rows"):
        batch_body(body, (False,))


def test_a_batched_body_is_made_once() -> None:
    body = tf.function(lambda x: x * 2.0).get_concrete_function(tf.zeros([2])).body
    assert batch_body(body, (True,)) is batch_body(body, (True,))


def test_what_all_rows_share_is_computed_once() -> None:
    """The product of what no row makes different stands unchanged in the batched body."""
    w = tf.constant(np.ones((3, 3)))
    body = tf.function(lambda x, w: tf.linalg.matvec(tf.exp(w), x)).get_concrete_function(tf.zeros([3], tf.float64), w).body
    (shared,) = [node for node in batch_body(body, (True, False)).plan().nodes if node.primitive.name == "Exp"]
    assert shared.outputs[0].dims == (3, 3)


def test_in_a_graph_of_version_1() -> None:
    v1 = tf.compat.v1
    with v1.Graph().as_default():
        x = v1.placeholder(tf.float64, [None, 2])
        y = v1.vectorized_map(lambda r: tf.reduce_sum(r**3), x)
        g = v1.gradients(y, x)[0]
        assert y.shape.as_list() == [None]
        with v1.Session() as session:
            values, slopes = session.run([y, g], {x: X})
    np.testing.assert_allclose(values, (X**3).sum(1))
    np.testing.assert_allclose(slopes, 3 * X**2)


def test_a_variable_is_watched() -> None:
    with tf.GradientTape() as tape:
        y = tf.vectorized_map(lambda r: tf.reduce_sum(r * W), tf.constant(X))
    np.testing.assert_allclose(tape.gradient(y, W).numpy(), X.sum(0))
