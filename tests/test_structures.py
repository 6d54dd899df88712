"""Dataclasses, named tuples, attrs classes, registered classes and optree's are structures wherever structures are taken."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import attrs
import numpy as np
import optree
import pytest

import pullback as tf
import pullback.compat.v1 as tf1


@dataclasses.dataclass
class Data:
    w: Any
    b: Any


@dataclasses.dataclass(frozen=True, slots=True)
class Frozen:
    w: Any
    b: Any
    name: str = dataclasses.field(default="frozen", metadata={"static": True})


class Named(NamedTuple):
    w: Any
    b: Any


@attrs.define
class Attrs:
    w: Any
    b: Any


@attrs.frozen(kw_only=True)
class Keywords:
    w: Any
    _b: Any

    @property
    def b(self) -> Any:
        return self._b


class Plain:
    def __init__(self, w: Any, b: Any) -> None:
        self.w, self.b = w, b


class Registered(Plain):
    pass


class OfOptree(Plain):
    pass


class OfTensorFlow(Plain):
    def __tf_flatten__(self) -> Any:
        return ("kept",), (self.w, self.b)

    @classmethod
    def __tf_unflatten__(cls, metadata: Any, components: Any) -> Any:
        assert metadata == ("kept",)
        return cls(*components)


tf.register_structure(Registered, lambda x: ((x.w, x.b), None), lambda _, parts: Registered(*parts))
optree.register_pytree_node(OfOptree, lambda x: ((x.w, x.b), None, ("w", "b")), lambda _, parts: OfOptree(*parts), namespace="mine")

KINDS: list[Callable[..., Any]] = [
    Data,
    Frozen,
    Named,
    Attrs,
    lambda w, b: Keywords(w=w, b=b),
    Registered,
    OfOptree,
    OfTensorFlow,
]
NAMES = ["Data", "Frozen", "Named", "Attrs", "Keywords", "Registered", "OfOptree", "OfTensorFlow"]
every = pytest.mark.parametrize("made", KINDS, ids=NAMES)


def point(made: Callable[..., Any]) -> Any:
    return made(tf.constant([1.0, 2.0]), tf.constant(3.0))


def scalar(p: Any) -> Any:
    return tf.reduce_sum(p.w**2) * p.b


def judge(found: Any, like: Any, w: Any, b: Any) -> None:
    assert type(found) is type(like)
    np.testing.assert_allclose(found.w, w)
    np.testing.assert_allclose(found.b, b)


@every
def test_derivatives(made: Callable[..., Any]) -> None:
    p = point(made)
    judge(tf.value_and_gradient(scalar, p)[1], p, [6, 12], 5)
    judge(tf.hessian(scalar, p).b, p, [2, 4], 0)
    judge(tf.hvp(scalar, p, p), p, [12, 24], 10)
    judge(tf.jvp(lambda p: made(p.w * p.b, p.b), p, p)[1], p, [6, 12], 3)
    judge(tf.vjp(lambda p: made(p.w * p.b, p.b), p)[1](p), p, [3, 6], 8)
    judge(tf.jacobian(lambda p: p.w * p.b, p), p, [[3, 0], [0, 3]], [1, 2])
    tf.check_gradients(scalar, p)


@every
def test_tapes_and_accumulators(made: Callable[..., Any]) -> None:
    p = point(made)
    with tf.GradientTape() as tape:
        tape.watch(p)
        y = scalar(p)
    judge(tape.gradient(y, p), p, [6, 12], 5)
    with tf.autodiff.ForwardAccumulator(p, p) as accumulator:
        y = made(p.w * 2.0, p.b * p.b)
    judge(accumulator.jvp(y), p, [2, 4], 18)


@every
def test_functions_trace_once(made: Callable[..., Any]) -> None:
    traces = []

    @tf.function
    def step(p: Any) -> Any:
        traces.append(1)
        return made(p.w * 2.0, p.b + p.w[0])

    p = point(made)
    judge(step(p), p, [2, 4], 4)
    judge(step(step(p)), p, [4, 8], 6)
    assert len(traces) == 1


@every
def test_control_flow(made: Callable[..., Any]) -> None:
    p = point(made)
    (end,) = tf.while_loop(lambda p: p.b < 10.0, lambda p: (made(p.w * 2.0, p.b * 2.0),), [p])
    judge(end, p, [4, 8], 12)
    judge(tf.function(lambda x: tf.cond(x > 0, lambda: p, lambda: made(p.w * 2.0, p.b)))(tf.constant(-1.0)), p, [2, 4], 3)
    rows = made(tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0]))
    judge(tf.map_fn(lambda p: made(p.w * 2.0, p.b), rows), p, [2, 4], [3, 4])
    judge(tf.vectorized_map(lambda p: made(p.w * 2.0, p.b), rows), p, [2, 4], [3, 4])
    judge(tf.scan(lambda a, p: made(a.w + p.w, p.b), rows), p, [1, 3], [3, 4])


@every
def test_custom_gradient_and_rematerialisation(made: Callable[..., Any]) -> None:
    p = point(made)

    @tf.custom_gradient
    def product(p: Any) -> Any:
        return tf.reduce_sum(p.w) * p.b, lambda g: made(g * p.w * 7.0, g * p.b)

    judge(tf.value_and_gradient(product, p)[1], p, [7, 14], 3)
    judge(tf.value_and_gradient(tf.recompute_grad(scalar), p)[1], p, [6, 12], 5)


@every
def test_minimize(made: Callable[..., Any]) -> None:
    p = point(made)
    found = tf.optimize.minimize(lambda p: tf.reduce_sum((p.w - 1.0) ** 2) + (p.b - 2.0) ** 2, p)
    assert type(found.x) is type(p)
    np.testing.assert_allclose(found.x.w, [1, 1], atol=1e-4)
    np.testing.assert_allclose(found.x.b, 2, atol=1e-4)


@every
def test_checkpoints(made: Callable[..., Any], tmp_path: Path) -> None:
    v = made([made(tf.Variable([1.0, 2.0]), 0), tf.Variable(5.0)], tf.Variable(3.0))
    path = tf.train.Checkpoint(state=v).save(str(tmp_path / "c"))
    assert len(tf.train.list_variables(path)) == 4
    for one in (v.w[0].w, v.w[1], v.b):
        one.assign(tf.zeros_like(one))
    tf.train.Checkpoint(state=v).restore(path).assert_consumed()
    judge(made(v.w[0].w, v.b), v, [1, 2], 3)
    assert float(v.w[1]) == 5.0


@every
def test_fetches_of_sessions(made: Callable[..., Any]) -> None:
    with tf1.Graph().as_default(), tf1.Session() as session:
        p = made(tf1.constant([1.0, 2.0]), tf1.constant(3.0))
        judge(session.run([p])[0], p, [1, 2], 3)


@every
def test_tf_nest(made: Callable[..., Any]) -> None:
    p = made(1, 2)
    leaf = type(p) in (Data, Frozen)  # as in TensorFlow, which programs rely on
    assert tf.nest.is_nested(p) is not leaf
    assert tf.nest.flatten([p]) == ([p] if leaf else [1, 2])
    doubled = tf.nest.map_structure(lambda x: x if leaf else 2 * x, p)
    assert (doubled.w, doubled.b) == ((1, 2) if leaf else (2, 4))


def test_static_fields_and_what_is_not_part() -> None:
    p = Frozen(tf.constant([1.0, 2.0]), tf.constant(3.0), name="mine")
    assert tf.value_and_gradient(scalar, p)[1].name == "mine"
    traces = []
    step = tf.function(lambda p: traces.append(p.name) or p.w)  # type: ignore[func-returns-value]
    for name in ("mine", "mine", "yours"):
        step(dataclasses.replace(p, name=name))
    assert traces == ["mine", "yours"]
    with pytest.raises(ValueError, match="differ in what is no part"):
        tf.while_loop(lambda p: p.b < 5.0, lambda p: [Frozen(p.w, p.b + 1.0, name="other")], [p])


def test_objects_without_tensors_are_passed_on_as_they_are() -> None:
    seen = []
    settings = Data(3, [4, "text"])
    model = Data(tf.Variable(1.0), None)
    tf.function(lambda s, m, x: seen.append((s, m)) or x)(settings, model, tf.constant(1.0))  # type: ignore[func-returns-value]
    assert seen[0][0] is settings
    assert seen[0][1] is model


def test_methods_of_dataclasses_are_functions() -> None:
    @dataclasses.dataclass(eq=False)
    class Model:
        w: Any
        calls: int = 0

        @tf.function
        def __call__(self, x: Any) -> Any:
            self.calls += 1
            return self.w * x

    model = Model(tf.constant(3.0))
    assert float(model(tf.constant(2.0))) == 6.0
    assert model.calls == 1


def test_registration_is_checked() -> None:
    with pytest.raises(ValueError, match="Registered has been registered"):
        tf.register_structure(Registered, lambda x: ((), None), lambda m, p: p)
    with pytest.raises(TypeError, match="takes a class and two functions"):
        tf.register_structure(3, lambda x: ((), None), lambda m, p: p)  # type: ignore[arg-type]


def test_two_namespaces_of_optree_are_refused() -> None:
    class Twice(Plain):
        pass

    for space in ("one", "two"):
        optree.register_pytree_node(Twice, lambda x: ((x.w, x.b), None), lambda _, parts: Twice(*parts), namespace=space)
    with pytest.raises(ValueError, match="Twice in several namespaces"):
        tf.nest.flatten(Twice(1, 2))


def test_a_class_may_be_registered_after_it_was_a_leaf() -> None:
    class Late(Plain):
        pass

    assert tf.nest.flatten(Late(1, 2))[0].w == 1
    tf.register_structure(Late, lambda x: ((x.w, x.b), None), lambda _, parts: Late(*parts))
    assert tf.nest.flatten(Late(1, 2)) == [1, 2]
