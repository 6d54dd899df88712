"""`make_template` eagerly, and its variables in graphs too; `get_variable` eagerly."""

from __future__ import annotations

import tempfile
from typing import Any

from .kit import Answers, raises

FACE = "v2"


def eager(tf: Any) -> Answers:
    tf1 = tf.compat.v1

    def scaled(x: Any) -> Any:
        return x * tf1.get_variable("w", [2], initializer=tf1.ones_initializer())

    def both(x: Any) -> Any:
        return inner(x) * tf1.get_variable("q", [], initializer=tf1.ones_initializer(), trainable=False)

    def ever_new(x: Any, count: list[int]) -> Any:
        count[0] += 1
        return x * tf1.get_variable(f"w{count[0]}", [2], initializer=tf1.ones_initializer())

    def doubled(getter: Any, name: str, *args: Any, **kwargs: Any) -> Any:
        return getter(name, *args, **kwargs) * 2.0

    def names(variables: Any) -> list[str]:
        return [v.name for v in variables]

    made = tf1.make_template("t", scaled)
    before = [made.variables, made.name, made.variable_scope_name, made.var_scope]
    values = [made(2.0), made(3.0)]
    inner = tf1.make_template("inner", scaled)
    outer = tf1.make_template("outer", both, create_scope_now_=True)
    outer(2.0), outer(3.0)
    own = tf1.make_template("own", lambda x: tf1.make_template("deep", scaled)(x))
    own(1.0), own(2.0)
    twins = [tf1.make_template("same", scaled) for _ in range(2)]
    with tf1.variable_scope("around"):
        there = tf1.make_template("same", scaled)
        there(1.0)
    bad = tf1.make_template("bad", ever_new, count=[0])
    bad(1.0)
    compiled = tf1.make_template("compiled", scaled)
    function = tf.function(lambda x: compiled(x))
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(made(3.0))

    def restored() -> Any:
        checkpoint = tf.train.Checkpoint(t=made)
        path = checkpoint.save(tempfile.mkdtemp() + "/c")
        made.variables[0].assign([5.0, 6.0])
        checkpoint.restore(path)
        return made.variables[0]

    return {
        "before": before,
        "values": values,
        "names": [names(made.variables), made.name, made.variable_scope_name, made.variable_scope.name, made.var_scope.name],
        "kinds": [len(made.trainable_variables), len(made.non_trainable_variables), len(made.global_variables), len(made.local_variables)],
        "weights": [len(made.weights), len(made.trainable_weights), len(made.non_trainable_weights)],
        "nested": [names(outer.variables), names(outer.trainable_variables), names(outer.non_trainable_variables), names(inner.variables)],
        "nested anew": names(own.variables),
        "two of a name": lambda: [[names(t.variables) for t in twins if t(1.0) is not None], twins[0].variables[0] is twins[1].variables[0]],
        "in a scope": [names(there.variables), there.name],
        "made later": raises(lambda: bad(1.0), "Trainable variable created when calling a template after the first time"),
        "arguments": lambda: tf1.make_template("k", lambda x, s: x * s * scaled(1.0), s=3.0)(2.0),
        "unique name": raises(lambda: tf1.make_template("k", scaled, unique_name_="u")),
        "getter": lambda: [f(1.0) for f in [tf1.make_template("c", scaled, custom_getter_=doubled)]],
        "in a function": lambda: tf.function(lambda x: made(x))(3.0),
        "made in a function": lambda: [function(3.0), function(4.0), names(compiled.variables)],
        "gradient": lambda: tape.gradient(y, made.trainable_variables),
        "checkpoint": restored,
    }


def in_graphs(tf: Any) -> Answers:
    tf1 = tf.compat.v1
    with tf.Graph().as_default():
        made = tf1.make_template("t", lambda x: x * tf1.get_variable("w", [], trainable=False) + tf1.get_variable("b", []))
        before = [made.variables, made.name, made.variable_scope_name]
        made(1.0), made(2.0)
        groups = made.variables, made.trainable_variables, made.non_trainable_variables, made.global_variables, made.local_variables
        return {
            "before": before,
            "after": [[v.name for v in group] for group in groups],
            "names": [made.name, made.variable_scope_name, made.var_scope.name],
        }


def get_variable(tf: Any) -> Answers:
    """Eagerly every call makes a variable."""
    tf1 = tf.compat.v1

    def one(reuse: Any = None) -> Any:
        with tf1.variable_scope("a", reuse=reuse):
            return tf1.get_variable("w", [2], initializer=tf1.ones_initializer())

    return {
        "twice": one() is one(),
        "reused": [one(tf1.AUTO_REUSE) is one(tf1.AUTO_REUSE), one(True).name],
    }
