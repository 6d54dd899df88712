"""The registry of gradients: registering, overriding, and what a gradient function may return."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.golden.programs.kit import gradients, ours, raised, raises

FACE = "v1"


def registering(tf: Any) -> dict[str, Any]:
    @tf.RegisterGradient("GoldenTimesTen")
    def times_ten(op: Any, g: Any) -> Any:
        return g * 10.0

    @tf.RegisterGradient("GoldenPair")
    def pair(op: Any, g: Any) -> Any:
        return [g * op.inputs[1] * 100.0, None]

    x = tf.constant([1.0, 2.0])
    y = tf.constant([3.0, 4.0])
    graph = tf.get_default_graph()
    with graph.gradient_override_map({"Sin": "GoldenTimesTen", "Mul": "GoldenPair"}):
        s = tf.sin(x)
        m = x * y
        c = tf.cos(x)
    plain = tf.sin(x)
    return {
        "decorator returns the function": times_ten.__name__,
        "overridden": gradients(tf, s, x),
        "overridden binary": gradients(tf, m, [x, y]),
        "not named in the map": gradients(tf, c, x),
        "outside the block": gradients(tf, plain, x),
        "attribute": s.op.get_attr("_gradient_op_type"),
        "overridden within a chain": gradients(tf, tf.exp(s) * 2.0, x),
        "nested": _nested(tf, graph, x),
    }


def _nested(tf: Any, graph: Any, x: Any) -> Any:
    with graph.gradient_override_map({"Sin": "GoldenTimesTen"}), graph.gradient_override_map({"Cos": "GoldenTimesTen"}):
        both = tf.sin(x) + tf.cos(x)
    return gradients(tf, both, x)


def returning(tf: Any) -> dict[str, Any]:
    x = tf.constant([1.0, 2.0])
    graph = tf.get_default_graph()

    def overridden(name: str, rule: Any) -> Any:
        tf.RegisterGradient(name)(rule)
        with graph.gradient_override_map({"Sin": name}):
            y = tf.sin(x)
        return lambda: gradients(tf, y, x)()

    return {
        "None": overridden("GoldenNone", lambda op, g: None),
        "a list": overridden("GoldenList", lambda op, g: [g]),
        "a tuple": overridden("GoldenTuple", lambda op, g: (g * 2.0,)),
        "reads outputs": overridden("GoldenOutputs", lambda op, g: g * op.outputs[0]),
        "reads inputs": overridden("GoldenInputs", lambda op, g: g * op.inputs[0]),
        "reads the type": overridden("GoldenType", lambda op, g: g * float(len(op.type))),
        "too many": raises(overridden("GoldenTwo", lambda op, g: [g, g]), "2", "1", "sin"),
        "wrong shape": raises(overridden("GoldenShape", lambda op, g: tf.ones([3])), "Sin", "(3,)", "(2,)"),
        "an array": ours(
            raised("TypeError", "AttributeError", "ValueError"), raises(overridden("GoldenArray", lambda op, g: np.ones(2, np.float32)))
        ),
        "raises": raises(overridden("GoldenRaises", _refuse), "no way"),
    }


def _refuse(op: Any, g: Any) -> Any:
    raise ValueError("no way")


def refusals(tf: Any) -> dict[str, Any]:
    x = tf.constant(1.0)
    graph = tf.get_default_graph()
    tf.RegisterGradient("GoldenTwice")(lambda op, g: g)

    def unregistered() -> Any:
        with graph.gradient_override_map({"Sin": "GoldenNobody"}):
            y = tf.sin(x)
        return tf.gradients(y, x)

    def mapped(mapping: Any) -> Any:
        with graph.gradient_override_map(mapping):
            return tf.sin(x)

    return {
        "twice": raises(lambda: tf.RegisterGradient("GoldenTwice")(lambda op, g: g), "GoldenTwice"),
        "built-in twice": raises(lambda: tf.RegisterGradient("Sin")(lambda op, g: g), "Sin"),
        "not a string": raises(lambda: tf.RegisterGradient(3), "string"),
        "not differentiable, not a string": raises(lambda: tf.NotDifferentiable(3), "string"),
        "not differentiable twice": raises(lambda: tf.NotDifferentiable("Sin"), "Sin"),
        "override by nobody": raises(unregistered, "Sin"),
        "map is not a dictionary": raises(lambda: mapped("Sin"), "dictionary"),
        "map with a number": raises(lambda: mapped({"Sin": 3}), "string"),
        "map with a number for a key": raises(lambda: mapped({3: "Sin"}), "string"),
        "no_gradient is the same": tf.no_gradient is tf.NotDifferentiable or tf.NoGradient is tf.NotDifferentiable,
    }


def not_differentiable(tf: Any) -> dict[str, Any]:
    tf.NotDifferentiable("GoldenConstant")
    x = tf.constant([1.0, 2.0])
    with tf.get_default_graph().gradient_override_map({"Sin": "GoldenConstant"}):
        y = tf.sin(x)
    return {"override by a name without gradient": gradients(tf, y, x), "beside another path": gradients(tf, y + x, x)}


def missing(tf: Any) -> dict[str, Any]:
    x = tf.constant([1.5, 2.5])
    made = tf.raw_ops.GuaranteeConst(input=x, name="nameless")
    return {
        "no gradient registered": raises(lambda: tf.gradients(made, x), "GuaranteeConst", "stop_gradient"),
        "further up": raises(lambda: tf.gradients(tf.sin(made) * x, x), "GuaranteeConst"),
        "not on the path": gradients(tf, made * x, made),
        "stopped before": gradients(tf, tf.stop_gradient(made) * x, x),
        "gradient disabled": raises(lambda: tf.gradients(tf.raw_ops.PreventGradient(input=x, message="hi"), x), "hi"),
        "a constant stands in": lambda: _overridden(tf, x),
    }


def _overridden(tf: Any, x: Any) -> Any:
    tf.RegisterGradient("GoldenStandIn")(lambda op, g: g * 3.0)
    with tf.get_default_graph().gradient_override_map({"GuaranteeConst": "GoldenStandIn"}):
        y = tf.raw_ops.GuaranteeConst(input=x)
    return gradients(tf, y, x)


def op_attributes(tf: Any) -> dict[str, Any]:
    a = tf.constant([[1.0, 2.0]], name="a")
    m = tf.matmul(a, a, transpose_b=True, name="m")
    s = tf.squeeze(a, [0], name="s")
    c = tf.cast(a, tf.float64, name="c")
    r = tf.reduce_sum(a, 1, keepdims=True, name="r")
    return {
        "transpose_b": m.op.get_attr("transpose_b"),
        "transpose_a": m.op.get_attr("transpose_a"),
        "T": m.op.get_attr("T").name,
        "squeeze_dims": list(s.op.get_attr("squeeze_dims")),
        "SrcT": c.op.get_attr("SrcT").name,
        "DstT": c.op.get_attr("DstT").name,
        "keep_dims": r.op.get_attr("keep_dims"),
        "inputs of a sum": [t.op.type for t in r.op.inputs],
        "types": [t.op.type for t in (a, m, s, c, r)],
        "outputs": [t.name for t in m.op.outputs],
        "graph": m.op.graph is tf.get_default_graph(),
    }
