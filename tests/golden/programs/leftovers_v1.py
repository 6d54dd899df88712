"""TensorFlow 1's `wrap_function`, `add_check_numerics_ops`, the switch of `==`, and files as strings."""

from __future__ import annotations

import os
import tempfile
from typing import Any

from tests.golden.programs.kit import raises

FACE = "v2"


def wrapped(tf: Any) -> dict[str, Any]:
    wrap, spec = tf.compat.v1.wrap_function, tf.TensorSpec

    def counted(x: Any, adds: bool) -> Any:
        v = tf.Variable(5.0)
        change = v.assign_add(x) if adds else v.assign_sub(x)
        with tf.control_dependencies([change]):
            return v.read_value()

    traces: list[int] = []

    def with_effects(x: Any, seen: Any) -> Any:
        traces.append(1)
        seen.assign_add(1.0)
        return x + 1.0

    seen = tf.Variable(0.0)
    up, down = wrap(counted, [spec([]), True]), wrap(counted, [spec([]), False])
    both = wrap(lambda a, b: {"sum": a + b, "product": a * b}, [spec([None]), spec([None])], name="both")
    effects = wrap(lambda x: with_effects(x, seen), [spec([])])
    square = wrap(lambda x: x * x, [spec([])])
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = square(x)
    one, two = tf.constant([1.0]), tf.constant([2.0])
    shared = wrap(lambda: 3.0 * tf.compat.v1.get_variable("w", [], initializer=tf.compat.v1.ones_initializer()), [])
    return {
        "its variable": [up(1.0), up(1.0), down(1.0), down(1.0), up(1.0)],
        "its variables": [v.numpy() for v in up.variables],
        "a structure": both(one, two),
        "lists": both([1.0], [2.0]),
        "pruned": both.prune(both.inputs, both.outputs[0])(one, two),
        "pruned structure": both.prune(both.inputs, {"only": both.outputs[1]})(one, two),
        "what nothing needs": [effects(1.0), effects(2.0), seen.numpy()],
        "one trace": len(traces),
        "gradient": tape.gradient(y, x),
        "get_variable": shared(),
        "a placeholder": wrap(lambda x: tf.compat.v1.placeholder_with_default(2.0, []) * x, [spec([])])(3.0),
        "None": wrap(lambda x: None, [spec([])])(1.0),
        "nothing to take": wrap(lambda x: x, [None])(),
        "a text": wrap(lambda x, s: x if s == "a" else -x, [spec([]), "b"])(1.0),
        "keywords": raises(lambda: both(a=one, b=two), "Keyword arguments are not supported"),
        "too few": raises(lambda: both(one), "Signature specifies 2 arguments, got: 1"),
        "too many": raises(lambda: square(one, two), otherwise=("ValueError",)),
        "another dtype": raises(lambda: square(tf.constant(1)), "float32", "int32"),
        "a concrete function": isinstance(square, tf.types.experimental.ConcreteFunction),
    }


def numerics(tf: Any) -> dict[str, Any]:
    one = tf.compat.v1

    def run(value: float) -> Any:
        with tf.Graph().as_default() as graph:
            x = one.placeholder(tf.float32, [], name="x")
            tf.math.log(x, name="logarithm")
            tf.constant(1)
            checks = one.add_check_numerics_ops()
            found = [[op.name, op.get_attr("message").decode()] for op in graph.get_operations() if op.type == "CheckNumerics"]
            with one.Session() as session:
                return [checks.name, [c.name for c in checks.control_inputs], found, session.run(checks, {x: value})]

    return {
        "finite": lambda: run(1.0),
        "infinite": raises(lambda: run(0.0), "logarithm:0 : Tensor had Inf values"),
        "eagerly": raises(one.add_check_numerics_ops, "not compatible with eager execution"),
    }


def equality(tf: Any) -> dict[str, Any]:
    one = tf.compat.v1
    one.disable_tensor_equality()
    try:
        x, y, v = tf.constant([1.0, 2.0]), tf.constant([1.0, 2.0]), tf.Variable(1.0)
        rows = tf.ragged.constant([[1], [2, 3]])
        found = {
            "tensors": [x == y, x == x, x != y, x == None, x in [y]],  # noqa: E711, PLR0124  # the operators are what is asked for
            "variables": [v == v, v == 1.0, v != 1.0, hash(v) == id(v), len({v, v})],  # noqa: PLR0124
            "ragged": [rows == rows, rows != rows, hash(rows) == id(rows)],  # noqa: PLR0124
            "in a function": tf.function(lambda a, b: tf.constant(a is b or bool(a == b)))(x, y),
        }
    finally:
        one.enable_tensor_equality()
    with tf.Graph().as_default():
        a, b = tf.constant([1.0]), tf.constant([1.0])
        found["in a graph"] = [a == b, a != b]
    return found | {"switched on": [x == y, v == 1.0], "unhashable": raises(lambda: hash(x)), "variable": raises(lambda: hash(v))}


def files(tf: Any) -> dict[str, Any]:
    one, path = tf.compat.v1, os.path.join(tempfile.mkdtemp(), "inner", "a")
    found = {"written": tf.io.write_file(path, "hello"), "read": tf.io.read_file(path)}
    found["in a function"] = tf.function(lambda p: tf.strings.length(tf.io.read_file(p)))(path)
    with tf.Graph().as_default(), one.Session() as session:
        write = one.write_file(path, b"\x00\xff")
        fed = one.placeholder(tf.string, [])  # TensorFlow reads a file of known name when it optimises the graph, before it is written
        with tf.control_dependencies([write]):
            read = one.read_file(fed)
        found["in a graph"] = [write.type, read.op.type, session.run(read, {fed: path}), session.run(write)]
    found["raw"] = tf.raw_ops.ReadFile(filename=path)
    return found
