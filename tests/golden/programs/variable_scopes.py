"""`get_variable`, `variable_scope` and reuse; collections; variables in graphs."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.golden.programs.kit import either, ours, raises, run_all

FACE = "v1"


def naming(tf: Any) -> dict[str, Any]:
    found: dict[str, Any] = {
        "Variable": tf.Variable(1.0).name,
        "second Variable": tf.Variable(1.0).name,
        "named": tf.Variable(1.0, name="v").name,
        "named twice": tf.Variable(1.0, name="v").name,
        "get_variable": tf.get_variable("g", []).name,
    }
    with tf.variable_scope("s"):
        found["in a scope"] = tf.get_variable("g", []).name
        found["Variable in a scope"] = tf.Variable(1.0, name="v").name
        found["op in a scope"] = tf.constant(1.0, name="c").name
        with tf.variable_scope("t"):
            found["in two scopes"] = tf.get_variable("g", []).name
            found["op in two scopes"] = tf.constant(1.0, name="c").name
    with tf.variable_scope("s"):
        found["entered again: variable"] = tf.get_variable("h", []).name
        found["entered again: op"] = tf.constant(1.0, name="c").name
    with tf.name_scope("n"):
        found["name_scope: get_variable"] = tf.get_variable("k", []).name
        found["name_scope: Variable"] = tf.Variable(1.0, name="k2").name
        with tf.variable_scope("inner"):
            found["variable_scope in name_scope: variable"] = tf.get_variable("k", []).name
            found["variable_scope in name_scope: op"] = tf.constant(1.0, name="c").name
    with tf.variable_scope("s/t", reuse=True):
        found["path"] = tf.get_variable("g", []).name
    with tf.variable_scope(None, default_name="d"):
        found["default name"] = tf.get_variable("g", []).name
    with tf.variable_scope(None, default_name="d"):
        found["default name again"] = tf.get_variable("g", []).name
    with tf.variable_scope("given", "d"):
        found["given name"] = tf.get_variable("g", []).name
    return found


def reuse(tf: Any) -> dict[str, Any]:
    with tf.variable_scope("s") as scope:
        v = tf.get_variable("v", [2])
        fresh = scope.reuse
    with tf.variable_scope("s", reuse=True) as again:
        same = tf.get_variable("v", [2])
        inherits = tf.get_variable_scope().reuse
        with tf.variable_scope("below") as below:
            inherited = below.reuse
    with tf.variable_scope(scope, reuse=True):
        by_object = tf.get_variable("v")
    with tf.variable_scope("s"):
        tf.get_variable_scope().reuse_variables()
        by_call = tf.get_variable("v")
    with tf.variable_scope("auto", reuse=tf.AUTO_REUSE):
        first = tf.get_variable("a", [1])
        second = tf.get_variable("a", [1])

    def scoped(name: str, reused: Any, *args: Any, **options: Any) -> Any:
        with tf.variable_scope(name, reuse=reused):
            return tf.get_variable(*args, **options)

    return {
        "fresh scope": bool(fresh),
        "same variable": same is v,
        "by scope object": by_object is v,
        "by reuse_variables": by_call is v,
        "AUTO_REUSE": first is second,
        "reuse is inherited": [inherits, inherited],
        "scope name": again.name,
        "exists already": raises(lambda: scoped("s", None, "v", [2]), "s/v", "exist", "reuse"),
        "does not exist": raises(lambda: scoped("s", True, "w", [2]), "s/w", "not exist", "reuse"),
        "another shape": raises(lambda: scoped("s", True, "v", [3]), "s/v", "(3,)", "(2,)"),
        "another dtype": raises(lambda: scoped("s", True, "v", [2], dtype=tf.float64), "s/v", "float64", "float32"),
        "no shape": raises(lambda: tf.get_variable("unshaped"), "unshaped", "shape"),
        "initializer value and shape": raises(lambda: tf.get_variable("both", [2], initializer=tf.constant([1.0]))),
        "bad scope name": raises(lambda: scoped("a b", None, "v", [1]), "a b"),
        "no name": raises(lambda: tf.variable_scope(None).__enter__()),
    }


def initializers_of_any_shape(tf: Any) -> dict[str, Any]:
    """`get_variable` without a shape, with a function that gives the value."""
    values = {
        "vector": lambda: tf.constant([3.0, 4.0]),
        "integer": lambda: tf.constant(3),
        "python": lambda: 3.0,
        "a default": lambda shape=(2,): tf.ones(shape),
        "an argument": lambda shape: tf.ones(shape),
        "an object": tf.ones_initializer(),
        "a class": tf.ones_initializer,
    }

    def made(name: str, **options: Any) -> Any:
        v = tf.get_variable(name.replace(" ", "_"), initializer=values[name], **options)
        return [v.dtype.base_dtype, v.shape, *run_all(tf, [v])]

    return {
        f"{name} {dtype and dtype.name}": either(lambda n=name, d=dtype: made(n, dtype=d, use_resource=d is None))
        for name in values
        for dtype in (None, tf.float32)
    } | {
        "in a loop": lambda: run_all(
            tf,
            [
                tf.while_loop(
                    lambda i, s: i < 2, lambda i, s: (i + 1, s + tf.get_variable("in_a_loop", initializer=values["python"])), [0, 0.0]
                )[1]
            ],
        )
    }


def options(tf: Any) -> dict[str, Any]:
    with tf.variable_scope("s", initializer=tf.constant_initializer(3.0), dtype=tf.float64):
        a = tf.get_variable("a", [2])
    b = tf.get_variable("b", initializer=[1.0, 2.0])
    c = tf.get_variable("c", initializer=tf.constant(5))
    d = tf.get_variable("d", [2], trainable=False)
    e = tf.get_variable("e", [2, 3], initializer=tf.zeros_initializer())
    f = tf.get_variable("f", [2], initializer=tf.ones_initializer)
    h = tf.get_variable("h", [2], collections=["mine"])
    i = tf.get_variable("i", [3], tf.int32)
    x = tf.get_variable("x", [4, 4])
    r = tf.get_variable("r", [2], initializer=lambda shape, dtype=None, partition_info=None: tf.fill(shape, 9.0))
    limit = float(np.sqrt(6.0 / 8.0))
    return {
        "scope's initializer and dtype": lambda: run_all(tf, [a]),
        "value as initializer": lambda: run_all(tf, [b]),
        "shape from the value": str(b.shape),
        "integer value": c.dtype.base_dtype.name,
        "trainable": [v.name for v in tf.trainable_variables()],
        "all": [v.name for v in tf.global_variables()],
        "zeros": lambda: run_all(tf, [e]),
        "ones": lambda: run_all(tf, [f]),
        "untrainable is not trainable": d in tf.trainable_variables(),
        "own collection": [v.name for v in tf.get_collection("mine")] == [h.name],
        "integers begin with zeros": lambda: run_all(tf, [i]),
        "default initializer keeps its bound": lambda: bool(np.abs(_without(tf, x)).max() <= limit),
        "function as initializer": lambda: _without(tf, r),
        "in scope s": [v.name for v in tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES, scope="s")],
        "trainable in scope s": [v.name for v in tf.trainable_variables("s")],
    }


def _without(tf: Any, v: Any) -> Any:
    with tf.Session() as s:
        s.run(tf.variables_initializer([v]))
        return s.run(v)


def collections(tf: Any) -> dict[str, Any]:
    g = tf.get_default_graph()
    tf.add_to_collection("c", 1)
    tf.add_to_collection("c", 2)
    tf.add_to_collections(["c", "d"], 3)
    v = tf.Variable(1.0, name="v")
    u = tf.Variable(1.0, trainable=False, name="u")
    local = tf.Variable(1.0, collections=[tf.GraphKeys.LOCAL_VARIABLES], name="local")
    return {
        "get": tf.get_collection("c"),
        "get missing": tf.get_collection("nothing"),
        "both": tf.get_collection("d"),
        "copy": tf.get_collection("c") is not tf.get_collection("c"),
        "reference": tf.get_collection_ref("c") is tf.get_collection_ref("c"),
        "graph's": g.get_collection("c"),
        "keys": [tf.GraphKeys.GLOBAL_VARIABLES, tf.GraphKeys.TRAINABLE_VARIABLES, tf.GraphKeys.LOCAL_VARIABLES, tf.GraphKeys.LOSSES],
        "global": [x.name for x in tf.global_variables()],
        "trainable": [x.name for x in tf.trainable_variables()],
        "local": [x.name for x in tf.local_variables()],
        "attributes": [v.trainable, u.trainable],
        "names of variables": [v.op.name, u.op.name, local.op.name],
        "all collections": sorted(
            k for k in g.get_all_collection_keys() if k in ("c", "d", "variables", "trainable_variables", "local_variables")
        ),
    }


def graph_variables(tf: Any) -> dict[str, Any]:
    v = tf.Variable([1.0, 2.0], name="v")
    w = tf.Variable(lambda: tf.constant([[1.0], [2.0]]), name="w")
    i = tf.Variable(3, name="i")
    s = tf.Session()
    s.run(tf.global_variables_initializer())
    double = v.assign(v * 2.0)
    return {
        "dtype": v.dtype.base_dtype.name,
        "shape": str(v.shape),
        "get_shape": v.get_shape().as_list(),
        "from a function": lambda: s.run(w),
        "initial value": lambda: s.run(v.initial_value),
        "initialized_value": ours(np.array([1, 2], np.float32), lambda: s.run(v.initialized_value())),
        "value": lambda: s.run(v.value()),
        "read_value": lambda: s.run(v.read_value()),
        "assign": lambda: s.run(double),
        "assigned": lambda: s.run(v),
        "assign function": lambda: s.run(tf.assign(v, [5.0, 6.0])),
        "assign_add": lambda: s.run(tf.assign_add(v, [1.0, 1.0])),
        "assign_sub": lambda: s.run(tf.assign_sub(v, [2.0, 2.0])),
        "method assign_sub": lambda: s.run(v.assign_sub([1.0, 0.0])),
        "count_up": lambda: s.run(i.assign_add(1)),
        "plus": lambda: s.run(v + 1.0),
        "radd": lambda: s.run(1.0 + v),
        "matmul": lambda: s.run(tf.matmul(w, [[1.0, 2.0]])),
        "index": lambda: s.run(v[0]),
        "negative": lambda: s.run(-v),
        "load": lambda: (v.load([8.0, 9.0], s), s.run(v))[1],
        "scatter_update": lambda: (s.run(tf.scatter_update(v, [0], [3.0])), s.run(v))[1],
        "scatter_add": lambda: (s.run(tf.scatter_add(v, [0, 0], [1.0, 1.0])), s.run(v))[1],
        "initializer": lambda: (s.run(v.initializer), s.run(v))[1],
        "wrong shape": raises(lambda: v.assign([1.0, 2.0, 3.0])),
        "wrong dtype": raises(lambda: v.assign(tf.constant([1, 2])), "int32", "float32"),
        "graph": v.graph is tf.get_default_graph(),
        "device": v.device,
        "control": lambda: s.run(tf.convert_to_tensor(v)),
        "a gradient step": lambda: s.run(v.assign_sub(0.5 * tf.gradients(v * v, v)[0])),
    }


def graphs(tf: Any) -> dict[str, Any]:
    outer = tf.get_default_graph()
    g = tf.Graph()
    with g.as_default():
        a = tf.constant(1.0, name="a")
        inside = tf.get_default_graph() is g
    b = tf.constant(1.0, name="a")
    g.finalize()

    def grow() -> Any:
        with g.as_default():
            return tf.constant(2.0)

    x = tf.placeholder(tf.float32, [None, 2], name="x")
    with tf.control_dependencies([b]):
        after = tf.identity(x)
        with tf.control_dependencies(None):
            cleared = tf.identity(x)
        with tf.control_dependencies([x]):
            both = tf.no_op()
    with tf.device("/cpu:0"):
        placed = tf.constant(1.0)
    with tf.device("/device:CPU:0"):
        spelled = tf.constant(1.0)
    return {
        "default in the block": inside,
        "default after": tf.get_default_graph() is outer,
        "tensors know their graph": [a.graph is g, b.graph is outer],
        "names are per graph": [a.name, b.name],
        "finalized": g.finalized,
        "not finalized": outer.finalized,
        "growing a finalized graph": raises(grow, "finalized"),
        "two graphs in one op": raises(lambda: tf.add(a, b), "graph"),
        "placeholder shape": str(x.shape),
        "placeholder dims": x.shape.as_list(),
        "control inputs": [op.name for op in after.op.control_inputs],
        "cleared": [op.name for op in cleared.op.control_inputs],
        "nested": sorted(op.name for op in both.control_inputs),
        "device": placed.device,
        "device in full": spelled.device,
        "no device": b.device,
        "op type": after.op.type,
        "op inputs": [t.name for t in after.op.inputs],
        "op outputs": [t.name for t in after.op.outputs],
        "get_attr dtype": after.op.get_attr("T").name,
        "missing attr": raises(lambda: after.op.get_attr("nope"), "nope"),
        "placeholder attr": x.op.get_attr("dtype").name,
        "executing_eagerly": tf.executing_eagerly(),
        "bool of a tensor": raises(lambda: bool(x), "bool"),
        "iteration": raises(lambda: list(x), "iterat"),
        "len": raises(lambda: len(x), "len"),
        "not": raises(lambda: not x),
        "array of a symbolic tensor": raises(lambda: np.asarray(x)),
        "numpy of a symbolic tensor": raises(lambda: x.numpy()),
        "float of a symbolic tensor": raises(lambda: float(x)),
    }


def control_flow_free_names(tf: Any) -> dict[str, Any]:
    a = tf.constant(2.0, name="a")
    with tf.name_scope("layer") as scope:
        w = tf.multiply(a, 3.0, name="w")
        again = tf.multiply(a, 3.0, name="w")
    g = tf.gradients(w, a)[0]
    return {"scope": scope, "names": [w.name, again.name], "gradient": g.name, "gradient scope": g.op.name.rsplit("/", 1)[0]}


def blocks_entered_again(tf: Any) -> dict[str, Any]:
    """A scope and a block of control dependencies may be entered twice, and a scope that nobody keeps stays open."""
    scope, waits = tf.variable_scope("a", reuse=tf.AUTO_REUSE), tf.control_dependencies([tf.constant(1.0, name="w")])
    found: dict[str, Any] = {"is a class": isinstance(scope, tf.variable_scope)}
    for turn in ("once", "twice"):
        with scope as entered, waits:
            made = tf.constant(2.0)
            found[turn] = [entered.name, tf.get_variable("x", [1]).name, made.name, [op.name for op in made.op.control_inputs]]
    tf.variable_scope("open").__enter__()
    found["open"] = tf.get_variable("x", [1]).name
    return found
