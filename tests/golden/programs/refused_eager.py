"""What programs ask of tensors, operations and variables eagerly: notes of their own, initializers, names of TensorFlow 1."""

from __future__ import annotations

import copy
import tempfile
from typing import Any

from tests.golden.programs.kit import either, raises

FACE = "v2"


def notes(tf: Any) -> dict[str, Any]:
    """Attributes that a program sets on what it is given."""
    v1 = tf.compat.v1
    with v1.Graph().as_default() as graph:
        symbolic = v1.placeholder(tf.float32, [2])
        held = {"graph": graph, "symbolic": symbolic, "operation": symbolic.op, "graph variable": v1.Variable(1.0)}
    variable, sparse = tf.Variable([1.0, 2.0]), tf.SparseTensor([[0]], [1.0], [1])
    held |= {"eager": tf.constant([1.0]), "text": tf.constant("a"), "result": tf.add(1.0, 2.0), "part": variable[1:], "sparse": sparse}
    held |= {"variable": variable, "handle": variable.handle, "slices": tf.IndexedSlices([1.0], [0]), "ragged": tf.ragged.constant([[1]])}

    def noted(thing: Any) -> Any:
        thing.keep = 1
        thing.keep += 1
        found = [thing.keep, hasattr(thing, "nothing")]
        del thing.keep
        return [*found, hasattr(thing, "keep")]

    kept = tf.constant(1.0)
    kept.keep = 3
    return {
        **{label: lambda thing=thing: noted(thing) for label, thing in held.items()},
        "copies keep them": lambda: [copy.copy(kept).keep, copy.deepcopy(kept).keep, tf.convert_to_tensor(kept).keep],
        "results do not": raises(lambda: tf.identity(kept).keep),
        "shape": raises(lambda: setattr(kept, "shape", [])),
        "dtype": raises(lambda: setattr(kept, "dtype", tf.int32)),
    }


def variables(tf: Any) -> dict[str, Any]:
    v1 = tf.compat.v1
    v = tf.Variable([1.0, 2.0])
    return {
        "initializer": lambda: v.initializer,
        "initial_value": raises(lambda: v.initial_value, "not supported when eager execution is enabled"),
        "create": raises(lambda: v.create, "not supported when eager execution is enabled"),
        "eval": raises(lambda: v.eval(), "not supported when eager execution is enabled"),
        "initialized": lambda: v1.is_variable_initialized(v),
        "variables_initializer": lambda: v1.variables_initializer([v]),
        "global": lambda: v1.global_variables_initializer(),
        "initializers in a list": lambda: [w.initializer for w in (v, v1.get_variable("g", [2]))],
        "of get_variable": lambda: v1.get_variable("h", [2]).initializer,
        "in a function": lambda: tf.function(lambda: 1.0 if v.initializer is None else 2.0)(),
        "initial_value in a function": lambda: tf.function(lambda: v.initial_value)(),
    }


def only_in_graphs(tf: Any) -> dict[str, Any]:
    """What TensorFlow 1 has for graphs says so."""
    v1, x = tf.compat.v1, tf.constant([1.0, 2.0])
    return {
        "placeholder": raises(lambda: v1.placeholder(tf.float32), "not compatible with eager execution"),
        "sparse_placeholder": raises(lambda: v1.sparse_placeholder(tf.float32), "not compatible with eager execution"),
        "ragged placeholder": raises(lambda: v1.ragged.placeholder(tf.float32, 1), "not compatible with eager execution"),
        "placeholder_with_default": lambda: v1.placeholder_with_default(x, [None]),
        "gradients": raises(lambda: v1.gradients(x, x), "not supported when eager execution is enabled"),
        "hessians": raises(lambda: v1.hessians(x, x), "not supported when eager execution is enabled"),
        "session": raises(lambda: v1.Session().run(x)),
        "minimize": raises(lambda: v1.train.GradientDescentOptimizer(0.1).minimize(x)),
        "metrics": raises(lambda: v1.metrics.mean(x), "not supported when eager execution is enabled"),
        "merge": raises(lambda: v1.summary.merge([]), "not compatible with eager execution"),
        "merge_all": raises(lambda: v1.summary.merge_all(), "not compatible with eager execution"),
        "FileWriter": raises(lambda: v1.summary.FileWriter(tempfile.mkdtemp()), "not compatible with eager execution"),
        "Saver": raises(lambda: v1.train.Saver(), "`var_list` must specify"),
        "get_total_loss": either(lambda: v1.losses.get_total_loss()),
        "collections": lambda: v1.get_collection("losses"),
        "learning rate": lambda: v1.train.exponential_decay(0.1, 1, 2, 0.5)(),
        "control_dependencies": lambda: v1.control_dependencies([x]).__enter__(),
        "scalar": lambda: len(v1.summary.scalar("a", x[0]).numpy()) > 0,
        "no_op": lambda: v1.no_op(),
        "group": lambda: v1.group(x, x),
        "nothing is switched": lambda: [v1.executing_eagerly(), v1.resource_variables_enabled(), repr(tf.zeros([2]).shape[0])],
    }
