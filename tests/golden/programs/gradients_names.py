"""Names of gradient ops, of ops, tensors and name scopes, as TensorFlow gives them."""

from __future__ import annotations

from typing import Any

from tests.golden.programs.kit import raises

FACE = "v1"


def _new(tf: Any, make: Any) -> list[str]:
    before = {op.name for op in tf.get_default_graph().get_operations()}
    make()
    return [f"{op.name} {op.type}" for op in tf.get_default_graph().get_operations() if op.name not in before]


def gradient_scopes(tf: Any) -> dict[str, Any]:
    a = tf.constant(2.0, name="a")
    y = tf.sin(a, name="y")
    found: dict[str, Any] = {
        "first": tf.gradients(y, a)[0].name,
        "second": tf.gradients(y, a)[0].name,
        "third": tf.gradients(y, a)[0].name,
        "named": tf.gradients(y, a, name="mine")[0].name,
        "named again": tf.gradients(y, a, name="mine")[0].name,
        "name None": tf.gradients(y, a, name=None)[0].name,
        "absolute": tf.gradients(y, a, name="g/")[0].name,
        "with a path": tf.gradients(y, a, name="p/q")[0].name,
    }
    with tf.name_scope("s"):
        found["inside a scope"] = tf.gradients(y, a)[0].name
        found["inside a scope again"] = tf.gradients(y, a)[0].name
    found["x is y"] = tf.gradients(a, a)[0].name
    found["zeros"] = tf.gradients(y, tf.constant(1.0), unconnected_gradients="zero")[0].name
    return found


def ops_made(tf: Any) -> dict[str, Any]:
    a = tf.constant(2.0, name="a")
    b = tf.constant(3.0, name="b")
    p = tf.placeholder(tf.float32, [None], name="p")
    y = tf.multiply(a, a, name="y")
    z = tf.sin(y, name="z")
    d = tf.divide(a, b, name="d")
    s = tf.add(p, a, name="s")
    return {
        "sin of a square": _new(tf, lambda: tf.gradients(z, a, name="g1")),
        "given grad_ys": _new(tf, lambda: tf.gradients(tf.identity(a, name="i"), a, grad_ys=[tf.constant(1.0, name="w")], name="g2")),
        "product of two": _new(tf, lambda: tf.gradients(tf.multiply(a, b, name="m"), [a, b], name="g3")),
        "sum": _new(tf, lambda: tf.gradients(tf.add(a, b, name="s2"), [a, b], name="g4")),
        "difference": _new(tf, lambda: tf.gradients(tf.subtract(a, b, name="s3"), [a, b], name="g5")),
        "exp": [n.split(" ")[0] for n in _new(tf, lambda: tf.gradients(tf.exp(a, name="e"), a, name="g6"))],
        "tanh": _new(tf, lambda: tf.gradients(tf.tanh(a, name="t"), a, name="g7")),
        "sigmoid": _new(tf, lambda: tf.gradients(tf.sigmoid(a, name="sg"), a, name="g8")),
        "relu": _new(tf, lambda: tf.gradients(tf.nn.relu(a, name="r"), a, name="g9")),
        "name of a quotient's gradient": tf.gradients(d, a, name="g10")[0].name.split("/")[:2],
        "square": [t.name.split("/")[:2] for t in tf.gradients(tf.square(a, name="sq"), a, name="g12")],
        "matmul": [t.name for t in tf.gradients(tf.matmul([[a]], [[b]], name="mm"), [a], name="g13")][0].split("/")[0],
        "add_n": [t.name for t in tf.gradients([y, tf.sin(a)], a, name="g14")],
    }


def op_names(tf: Any) -> dict[str, Any]:
    c = tf.constant(1.0)
    found: dict[str, Any] = {
        "constant": c.name,
        "second constant": tf.constant(1.0).name,
        "named constant": tf.constant(1.0, name="c").name,
        "named twice": tf.constant(1.0, name="c").name,
        "named thrice": tf.constant(1.0, name="c").name,
        "other case": tf.constant(1.0, name="C").name,
        "number taken": [tf.constant(1.0, name="k_1").name, tf.constant(1.0, name="k").name, tf.constant(1.0, name="k").name],
        "placeholder": tf.placeholder(tf.float32).name,
        "placeholder again": tf.placeholder(tf.float32).name,
        "no_op": tf.no_op().name,
        "group": tf.group(c).name,
        "identity": tf.identity(c).name,
    }
    x = tf.constant([1.0, 2.0], name="x")
    made = {
        "plus": x + x,
        "minus": x - x,
        "times": x * x,
        "divided": x / x,
        "floor divided": x // x,
        "modulo": x % x,
        "power": x**x,
        "minus sign": -x,
        "absolute": abs(x),
        "less": x < x,
        "less or equal": x <= x,
        "greater": x > x,
        "greater or equal": x >= x,
        "plus a number": x + 1.0,
        "number plus": 1.0 + x,
        "number minus": 1.0 - x,
        "index": x[0],
        "slice": x[:1],
        "sum": tf.reduce_sum(x),
        "mean": tf.reduce_mean(x),
        "max": tf.reduce_max(x),
        "prod": tf.reduce_prod(x),
        "reshape": tf.reshape(x, [2, 1]),
        "transpose": tf.transpose(x),
        "sin": tf.sin(x),
        "exp": tf.exp(x),
        "log": tf.log(x),
        "sqrt": tf.sqrt(x),
        "square": tf.square(x),
        "tanh": tf.tanh(x),
        "sigmoid": tf.sigmoid(x),
        "relu": tf.nn.relu(x),
        "softmax": tf.nn.softmax(x),
        "cast": tf.cast(x, tf.int32),
        "concat": tf.concat([x, x], 0),
        "stack": tf.stack([x, x]),
        "expand_dims": tf.expand_dims(x, 0),
        "squeeze": tf.squeeze([x]),
        "zeros": tf.zeros([2]),
        "ones": tf.ones([2]),
        "fill": tf.fill([2], 1.0),
        "zeros_like": tf.zeros_like(x),
        "ones_like": tf.ones_like(x),
        "range": tf.range(3),
        "add_n": tf.add_n([x, x]),
        "gather": tf.gather(x, [0]),
        "maximum": tf.maximum(x, x),
        "shape": tf.shape(x),
        "tile": tf.tile(x, [2]),
        "where": tf.where(x > 0.0, x, x),
        "argmax": tf.argmax(x),
        "matmul": tf.matmul([x], [x], transpose_b=True),
        "one_hot": tf.one_hot([1], 2),
        "stop_gradient": tf.stop_gradient(x),
    }
    folded = (
        "shape",
        "zeros",
        "ones",
        "zeros_like",
        "ones_like",
        "fill",
        "one_hot",
        "range",
    )  # whether these are ops or constants is nobody's business
    return found | {name: t.op.name if name in folded else f"{t.op.name} {t.op.type}" for name, t in made.items()}


def scopes(tf: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    with tf.name_scope("s") as s:
        found["value of a scope"] = s
        found["inside"] = tf.constant(1.0, name="c").name
        with tf.name_scope("t") as t:
            found["value of an inner scope"] = t
            found["inside inner"] = tf.constant(1.0, name="c").name
    with tf.name_scope("s") as again:
        found["same scope again"] = again
        found["inside again"] = tf.constant(1.0, name="c").name
    with tf.name_scope("s/"):
        found["absolute re-entry"] = tf.constant(1.0, name="c").name
    with tf.name_scope(s):
        found["re-entry by value"] = tf.constant(1.0, name="d").name
    with tf.name_scope("a"), tf.name_scope(None):
        found["None leaves all scopes"] = tf.constant(1.0, name="root").name
    with tf.name_scope("a"), tf.name_scope(""):
        found["empty leaves all scopes"] = tf.constant(1.0, name="root").name
    with tf.name_scope(None, "default") as default:
        found["default name"] = default
    with tf.name_scope("given", "default") as given:
        found["given name"] = given
    with tf.name_scope("u/v") as path:
        found["path as a scope"] = path
    found["get_name_scope outside"] = tf.get_default_graph().get_name_scope()
    with tf.name_scope("w"), tf.name_scope("x"):
        found["get_name_scope inside"] = tf.get_default_graph().get_name_scope()
    found["unique_name"] = [tf.get_default_graph().unique_name("zz") for _ in range(2)]
    found["unique_name unmarked"] = [tf.get_default_graph().unique_name("yy", mark_as_used=False) for _ in range(2)]
    found["op takes the scope's name"] = tf.constant(1.0, name="s").name
    found["name ending in a slash"] = tf.constant(1.0, name="exact/").name
    found["bad op name"] = raises(lambda: tf.constant(1.0, name="a b"), "a b")
    found["bad scope name"] = raises(lambda: tf.name_scope("a b").__enter__(), "a b")
    return found


def look_ups(tf: Any) -> dict[str, Any]:
    g = tf.get_default_graph()
    x = tf.constant(1.0, name="x")
    p, q = tf.split(tf.constant([1.0, 2.0]), 2, name="sp")
    return {
        "tensor by name": g.get_tensor_by_name("x:0") is x,
        "second output": g.get_tensor_by_name("sp:1") is q,
        "output names": [p.name, q.name],
        "operation by name": g.get_operation_by_name("x") is x.op,
        "element, tensor": g.as_graph_element("x:0") is x,
        "element, op": g.as_graph_element("x") is x.op,
        "is itself an element": g.as_graph_element(x) is x,
        "operations in order": [op.name for op in g.get_operations()],
        "repr of an op": repr(x.op).splitlines()[0].split(" ")[0],
        "str of a tensor": str(x),
        "repr of a tensor": repr(x),
        "str of two outputs": str(q),
        "missing tensor": raises(lambda: g.get_tensor_by_name("nope:0"), "nope"),
        "missing output": raises(lambda: g.get_tensor_by_name("x:1"), "x:1"),
        "not a tensor name": raises(lambda: g.get_tensor_by_name("x"), "x"),
        "missing operation": raises(lambda: g.get_operation_by_name("nope"), "nope"),
        "tensor name for an operation": raises(lambda: g.get_operation_by_name("x:0"), "x:0"),
        "another graph's": (lambda t: raises(lambda: g.as_graph_element(t)))(_elsewhere(tf)),
        "a number": raises(lambda: g.as_graph_element(3.0), "float"),
    }


def _elsewhere(tf: Any) -> Any:
    with tf.Graph().as_default():
        return tf.constant(1.0)
