"""`stop_gradients`, gating, aggregation and colocation."""

from __future__ import annotations

from typing import Any

from tests.golden.programs.kit import gradients, raises, run_all

FACE = "v1"


def stopping(tf: Any) -> dict[str, Any]:
    a = tf.constant(3.0)
    b = a * 2.0
    c = a + b
    v = tf.Variable(4.0)
    y = v * b
    p, q = tf.split(tf.stack([a, b]), 2)
    return {
        "none": gradients(tf, c, [a, b]),
        "an intermediate": gradients(tf, c, [a, b], stop_gradients=[b]),
        "not in a list": gradients(tf, c, [a, b], stop_gradients=b),
        "both xs": gradients(tf, c, [a, b], stop_gradients=[a, b]),
        "y itself": gradients(tf, c, [a, c], stop_gradients=[c]),
        "a variable": gradients(tf, y, [v, a], stop_gradients=[v]),
        "one output of a split stops all": gradients(tf, [p, q], [a, b], stop_gradients=[p]),
        "unrelated": gradients(tf, c, [a, b], stop_gradients=[tf.constant(1.0)]),
        "empty list": gradients(tf, c, [a, b], stop_gradients=[]),
        "with zeros": gradients(tf, tf.sin(b), a, stop_gradients=[b], unconnected_gradients="zero"),
        "a number": raises(lambda: tf.gradients(c, a, stop_gradients=[1.0])),
    }


def stop_gradient_op(tf: Any) -> dict[str, Any]:
    x = tf.constant([1.0, 2.0])
    s = tf.stop_gradient(x)
    i = tf.stop_gradient(tf.constant([1, 2]))
    return {
        "gradient": gradients(tf, s * 2.0, x),
        "beside a live path": gradients(tf, s * x, x),
        "gradient to its output": gradients(tf, s * s, s),
        "is a new tensor": s is not x,
        "op type": s.op.type,
        "integer dtype": i.dtype,
        "value": run_all(tf, [s, i]),
        "straight through": gradients(tf, x + tf.stop_gradient(tf.round(x) - x), x),
        "name": tf.stop_gradient(x, name="halt").op.name,
    }


def _types(gs: list[Any]) -> list[str]:
    return [g.op.type for g in gs]


def gating(tf: Any) -> dict[str, Any]:
    a = tf.constant(2.0)
    b = tf.constant(3.0)
    y = a * b
    found: dict[str, Any] = {f"value gate {gate}": gradients(tf, y, [a, b], gate_gradients=gate) for gate in (False, True, 0, 1, 2)}
    found["op types without"] = _types(tf.gradients(y, [a, b]))
    gated = tf.gradients(y, [a, b], gate_gradients=True, name="gated")
    found["op types with"] = _types(gated)
    found["names with"] = [g.name for g in gated]
    found["control inputs of the group"] = sorted(op.name for op in gated[0].op.control_inputs)
    one = tf.gradients(tf.sin(a), a, gate_gradients=True)[0]
    found["one input is not gated"] = one.op.type
    return found


def aggregating(tf: Any) -> dict[str, Any]:
    x = tf.constant(2.0)
    y = x * x + tf.sin(x) + tf.exp(x)
    methods = tf.AggregationMethod
    found: dict[str, Any] = {
        "ADD_N": methods.ADD_N,
        "DEFAULT": methods.DEFAULT,
        "EXPERIMENTAL_TREE": methods.EXPERIMENTAL_TREE,
        "EXPERIMENTAL_ACCUMULATE_N": methods.EXPERIMENTAL_ACCUMULATE_N,
        "unknown": raises(lambda: tf.gradients(y, x, aggregation_method=3), "3", "aggregation_method"),
        "unknown text": raises(lambda: tf.gradients(y, x, aggregation_method="x")),
    }
    for method in (None, 0, 1, 2):
        g = tf.gradients(y, x, aggregation_method=method, name=f"m{method}")
        found[f"value {method}"] = run_all(tf, g)
        found[f"op type {method}"] = g[0].op.type
        found[f"inputs {method}"] = len(g[0].op.inputs)
        found[f"sums {method}"] = sum(
            op.type == "AddN" and op.name.startswith(f"m{method}/") for op in tf.get_default_graph().get_operations()
        )
    return found


def colocation(tf: Any) -> dict[str, Any]:
    a = tf.constant(2.0, name="a")
    b = tf.constant(3.0, name="b")
    y = tf.multiply(a, b, name="y")
    plain = tf.gradients(y, a)[0]
    beside = tf.gradients(y, a, colocate_gradients_with_ops=True)[0]
    with tf.colocate_with(a):
        c = tf.add(a, b, name="c")
    return {
        "of a forward op": [g.decode() for g in y.op.colocation_groups()],
        "of a plain gradient": [g.decode() for g in plain.op.colocation_groups()] == [f"loc:@{plain.op.name}"],
        "of a colocated gradient": [g.decode() for g in beside.op.colocation_groups()],
        "value": run_all(tf, [beside]),
        "colocate_with": [g.decode() for g in c.op.colocation_groups()],
    }


def original_op(tf: Any) -> dict[str, Any]:
    x = tf.constant(2.0, name="x")
    y = tf.sin(x, name="y")
    g = tf.gradients(y, x)[0]
    return {
        "gradient op type": g.op.type,
        "name": g.op.name,
        "inputs": [t.name for t in g.op.inputs],
        "outputs": [t.name for t in g.op.outputs],
        "tensors know their op": g.op.outputs[0] is g,
        "value index": g.value_index,
        "consumers of x": sorted(op.type for op in x.consumers()),
    }
