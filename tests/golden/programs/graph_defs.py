"""Graphs as protocol buffers: nodes, inputs and attributes."""

from __future__ import annotations

from typing import Any

import numpy as np

from .kit import Answers

FACE = "v1"


def nodes(tf: Any) -> Answers:
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    w = tf.constant([[1.0], [2.0]], name="w")
    y = tf.matmul(x, w, name="y")
    total = tf.reduce_sum(y, axis=0, keepdims=True)
    halves = tf.split(x, 2, 1)
    joined = tf.concat([x, x], 1)
    with tf.control_dependencies([y]):
        after = tf.identity(x)
    made = [x, w, y, total, halves[1] + 1.0, tf.cast(x, tf.int32), joined, after, tf.nn.conv2d(tf.fill([1, 4, 4, 1], 1.0), tf.fill([2, 2, 1, 1], 1.0), 1, "SAME")]
    found = tf.get_default_graph().as_graph_def(add_shapes=True)
    skipped = {"grad_a", "grad_b", "Truncate", "use_cudnn_on_gpu", "_has_manual_control_dependencies"}  # which change nothing here
    answers: Answers = {
        "names": [n.name for n in found.node[:13]], "operations": [n.op for n in found.node[:13]], "inputs": [list(n.input) for n in found.node[:13]],
        "version": found.versions.producer > 0, "read again": type(found).FromString(found.SerializeToString()).node[0].name,
    }  # fmt: skip
    for tensor in made:
        definition = tensor.op.node_def
        answers[f"{definition.op} {definition.name}"] = [
            definition.name, list(definition.input), {key: str(definition.attr[key]) for key in sorted(definition.attr) if key not in skipped}
        ]  # fmt: skip
    shapes = {n.name: str(n.attr["_output_shapes"]) for n in found.node if n.name in ("x", "w", "y", "Sum", "split")}
    answers |= {"an operation as text": str(tf.add(x, 1.0, name="z").op), "with a control input": str(after.op)}
    return answers | {f"shapes of {name}": text for name, text in shapes.items()}


def constants(tf: Any) -> Answers:
    values = {
        "words": tf.constant(["a", "bc"]), "an integer": tf.constant(3), "a truth value": tf.constant(True), "half": tf.constant([1.0, 2.0], tf.float16),
        "nothing": tf.constant([], tf.int64), "a complex number": tf.constant(1 + 2j), "int64": tf.constant(2**40), "a half": tf.constant(1.5, tf.float16),
        "double": tf.constant(0.1, tf.float64), "an unsigned byte": tf.constant(200, tf.uint8), "an array": tf.constant(np.arange(6).reshape(2, 3)),
        "bfloat16": tf.constant(1.5, tf.bfloat16),
    }  # fmt: skip
    return {name: str(tensor.op.node_def.attr["value"]) for name, tensor in values.items()}


def definitions(tf: Any) -> Answers:
    x = tf.placeholder(tf.float32, [2, 2])
    made = {"Transpose": tf.transpose(x), "ConcatV2": tf.concat([x, x], 0), "Placeholder": x, "Sum": tf.reduce_sum(x), "MatMul": x @ x}
    return {
        name: [t.op.op_def.name, [a.name for a in t.op.op_def.input_arg], [a.type_attr for a in t.op.op_def.input_arg], len(t.op.op_def.output_arg)]
        for name, t in made.items()
    }
