"""`tf.function`: what it refuses, and how."""

from __future__ import annotations

from typing import Any

from tests.golden.programs.kit import Answers, raises

FACE = "v2"


def arguments(tf: Any) -> Answers:
    f = tf.function(lambda x: x * 2)
    g = tf.function(lambda x: x * 2, input_signature=[tf.TensorSpec([None], tf.float32)])
    c = f.get_concrete_function(tf.TensorSpec([None], tf.float32))
    n = tf.function(lambda a, n: a * n).get_concrete_function(tf.TensorSpec([]), 4.0)

    def changed(a: Any) -> Any:
        a.append(1)
        return a[0]

    return {
        "missing": raises(lambda: f(), "x"),
        "too many": raises(lambda: f(1, 2)),
        "unknown keyword": raises(lambda: f(z=1)),
        "no function": raises(lambda: tf.function(3), "callable"),
        "unhashable": raises(lambda: tf.function(lambda s: 1)({1, 2})),
        "changed list": raises(lambda: tf.function(changed)([tf.constant(1.0)]), "modif"),
        "signature: rank": raises(lambda: g(tf.ones([2, 2]))),
        "signature: dtype": raises(lambda: g(tf.ones([2], tf.int32))),
        "signature: string": raises(lambda: g("a")),
        "signature: missing": raises(lambda: g(), "x"),
        "signature: too many": raises(lambda: g([1.0], 2)),
        "signature: longer than the parameters": raises(
            lambda: tf.function(lambda x: x, input_signature=[tf.TensorSpec([]), tf.TensorSpec([])])(1.0, 2.0)
        ),
        "signature: no specs": raises(lambda: tf.function(lambda a: a, input_signature=[3])(1.0), "input_signature"),
        "signature: no list": raises(lambda: tf.function(lambda a: a, input_signature=tf.TensorSpec([]))(1.0), "input_signature"),
        "signature: keyword only": raises(lambda: tf.function(lambda *, a: a, input_signature=[tf.TensorSpec([])])(a=1.0)),
        "signature: other default": raises(lambda: tf.function(lambda a, b=2.0: a + b, input_signature=[tf.TensorSpec([])])(1.0, 3.0)),
        "concrete: dtype": raises(lambda: c(tf.ones([2], tf.int32))),
        "concrete: missing": raises(lambda: c(), "x"),
        "concrete: too many": raises(lambda: c(tf.ones([2]), tf.ones([2]))),
        "concrete: python value": raises(lambda: n(1.0, 5.0)),
    }


def results(tf: Any) -> Answers:
    class Thing:
        pass

    return {
        "an object": raises(lambda: tf.function(lambda: Thing())(), "Thing"),
        "a list with an object": raises(lambda: tf.function(lambda x: [x, Thing()])(1.0)),
        "a function": raises(lambda: tf.function(lambda: abs)()),
    }


def leaks(tf: Any) -> Answers:
    kept: list[Any] = []

    @tf.function
    def keeps(x: Any) -> Any:
        kept.append(x * 2.0)
        return x

    keeps(tf.constant(1.0))
    return {
        "operator": raises(lambda: kept[0] + 1.0, "scope"),
        "operation": raises(lambda: tf.add(tf.constant(1.0), kept[0]), "scope"),
        "reduction": raises(lambda: tf.reduce_sum(kept[0]), "scope"),
        "in another function": raises(lambda: tf.function(lambda: kept[0] + 1.0)(), "scope"),
        "returned by another function": raises(lambda: tf.function(lambda: kept[0])(), "scope"),
        "numpy": raises(lambda: kept[0].numpy()),
        "bool": raises(lambda: bool(kept[0])),
    }


def without_autograph(tf: Any) -> Answers:
    @tf.function(autograph=False)
    def branch(x: Any) -> Any:
        if x > 0:
            return x
        return -x

    @tf.function(autograph=False)
    def each(x: Any) -> Any:
        return [y for y in x]

    @tf.function(autograph=False)
    def loop(x: Any) -> Any:
        while x < 3.0:
            x = x + 1.0
        return x

    return {
        "if": raises(lambda: branch(tf.constant(1.0)), "bool"),
        "for": raises(lambda: each(tf.constant([1.0])), "Iterating"),
        "while": raises(lambda: loop(tf.constant(1.0)), "bool"),
        "float": raises(lambda: tf.function(lambda x: float(x), autograph=False)(tf.constant(1.0))),
        "numpy": raises(lambda: tf.function(lambda x: x.numpy())(tf.constant(1.0))),
        "len": raises(lambda: tf.function(lambda x: len(x), autograph=False)(tf.constant([1.0]))),
    }


def variables(tf: Any) -> Answers:
    @tf.function
    def each_time(x: Any) -> Any:
        return tf.Variable(1.0) * x

    flag: list[int] = []
    held: list[Any] = []

    @tf.function
    def later(x: Any) -> Any:
        if flag:
            held.append(tf.Variable(1.0))
        return x

    def second() -> Any:
        later(tf.constant(1.0))
        flag.append(1)
        return later(tf.constant([1.0]))

    return {
        "made every time": raises(lambda: each_time(tf.constant(1.0)), "tf.Variable"),
        "made on a later call": raises(second),
    }


def run_time(tf: Any) -> Answers:
    @tf.function
    def checked(x: Any) -> Any:
        tf.debugging.assert_positive(x)
        return x

    @tf.function(input_signature=[tf.TensorSpec(None), tf.TensorSpec(None)])
    def product(a: Any, b: Any) -> Any:
        return tf.matmul(a, b)

    return {
        "assertion": raises(lambda: checked(tf.constant(-1.0))),
        "shapes known at run time": raises(lambda: product(tf.ones([2, 3]), tf.ones([2, 3]))),
        "shapes known while tracing": raises(lambda: tf.function(lambda a, b: tf.matmul(a, b))(tf.ones([2, 3]), tf.ones([2, 3]))),
        "user's own error": raises(lambda: tf.function(lambda x: {}["missing"])(1.0), "missing"),
    }
