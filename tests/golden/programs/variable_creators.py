"""`variable_creator_scope`: who makes variables, in what order, and where the scope holds."""

from __future__ import annotations

from typing import Any

from tests.golden.programs.kit import raises

FACE = "v2"


def _doubled(next_creator: Any, **kwargs: Any) -> Any:
    kwargs["initial_value"] = kwargs["initial_value"] * 2
    return next_creator(**kwargs)


def _plus_one(next_creator: Any, **kwargs: Any) -> Any:
    kwargs["initial_value"] = kwargs["initial_value"] + 1
    return next_creator(**kwargs)


def _noting(seen: list[Any]) -> Any:
    def creator(next_creator: Any, **kwargs: Any) -> Any:
        seen.append(kwargs)
        return next_creator(**kwargs)

    return creator


def _shown(kwargs: dict[str, Any], *without: str) -> dict[str, Any]:
    """What a creator was given; functions by that they are there."""
    told = {k: v for k, v in kwargs.items() if k not in ("synchronization", "aggregation", "use_resource", *without)}
    return {k: "function" if callable(v) else v.as_list() if hasattr(v, "as_list") else v for k, v in sorted(told.items())}


def eagerly(tf: Any) -> dict[str, Any]:
    seen: list[Any] = []
    with tf.variable_creator_scope(_noting(seen)):
        noted = tf.Variable(3.0, name="a", trainable=False)
        by_place = tf.Variable([1.0], True, dtype=tf.float64)
    with tf.variable_creator_scope(_doubled):
        one = tf.Variable(3.0)
        with tf.variable_creator_scope(_plus_one):
            both = tf.Variable(3.0)
    with tf.variable_creator_scope(lambda next_creator, **kwargs: "mine"):
        other = tf.Variable(3.0)
    return {
        "given": _shown(seen[0]),
        "given by place": _shown(seen[1]),
        "what it makes": [noted.numpy(), noted.name, noted.trainable, by_place.dtype],
        "one scope": one.numpy(),
        "the innermost first": both.numpy(),
        "anything": other,
        "after it": tf.Variable(3.0).numpy(),
        "it is a variable": isinstance(one, tf.Variable),
        "no function": raises(lambda: _within(tf, None)),
    }


def placement(tf: Any) -> dict[str, Any]:
    """How copies are kept: by default nothing is asked for, and both are never None."""
    v1 = tf.compat.v1
    options = [(None, None), (tf.VariableSynchronization.ON_READ, None), (None, tf.VariableAggregation.MEAN)]

    def told(v: Any) -> list[Any]:
        return [v.synchronization.name, v.aggregation.name, v.trainable]

    def in_graph() -> list[Any]:
        with tf.Graph().as_default():
            made = [v1.Variable(1.0), v1.get_variable("a", []), v1.get_variable("b", [], use_resource=True)]
            made.append(v1.get_variable("c", [], synchronization=tf.VariableSynchronization.ON_READ, aggregation=tf.VariableAggregation.SUM))
            made.append(v1.get_local_variable("d", [], aggregation=tf.VariableAggregation.MEAN))
            return [told(v) for v in made]

    def by_getter() -> list[Any]:
        seen: list[Any] = []

        def counted(getter: Any, name: str, **kwargs: Any) -> Any:
            seen.append([kwargs["synchronization"].name, kwargs["aggregation"].name])
            return getter(name, shape=[3])

        with tf.Graph().as_default():
            seen.append(v1.get_variable("a", [2], custom_getter=counted, aggregation=tf.VariableAggregation.MEAN).shape)
        return seen

    return {
        "eagerly": [told(tf.Variable(1.0, synchronization=s, aggregation=a)) for s, a in options],
        "is the default": [tf.Variable(1.0).synchronization == tf.VariableSynchronization.AUTO, tf.Variable(1.0).aggregation == tf.VariableAggregation.NONE],
        "in a graph": in_graph, "by a getter": by_getter,
    }  # fmt: skip


def _within(tf: Any, creator: Any) -> Any:
    with tf.variable_creator_scope(creator):
        return tf.Variable(1.0)


def in_functions(tf: Any) -> dict[str, Any]:
    made: list[Any] = []

    @tf.function
    def around(x: Any) -> Any:
        if not made:
            made.append(tf.Variable(2.0))
        return made[0] * x

    with tf.variable_creator_scope(_doubled):
        first = around(3.0)
    inside: list[Any] = []

    @tf.function
    def within(x: Any) -> Any:
        with tf.variable_creator_scope(_plus_one):
            if not inside:
                inside.append(tf.Variable(2.0))
        return inside[0] * x

    return {"around a call": first, "in a function": within(3.0)}


def in_graphs(tf: Any) -> dict[str, Any]:
    one = tf.compat.v1
    seen: list[Any] = []

    def value(make: Any) -> Any:
        with tf.Graph().as_default():
            v = make()
            with one.Session() as session:
                session.run(one.global_variables_initializer())
                return session.run(v)

    def in_scope(creator: Any, make: Any) -> Any:
        with one.variable_creator_scope(creator):
            return make()

    with tf.variable_creator_scope(_doubled):
        another = value(lambda: one.Variable(1.0))
    note = _noting(seen)
    options = {"initializer": one.zeros_initializer(), "collections": ["variables", "kept"]}
    two = value(lambda: in_scope(note, lambda: one.get_variable("w", [2], **options) + 1.0))
    changed = value(lambda: in_scope(_doubled, lambda: one.Variable(2.0)))
    return {
        "get_variable": two,
        "given": _shown(seen[0]),
        "changed": changed,
        "a scope of another graph": another,
        "after it": value(lambda: [in_scope(_doubled, lambda: one.Variable(2.0)), one.Variable(2.0)]),
    }
