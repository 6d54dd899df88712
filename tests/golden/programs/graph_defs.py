"""Graphs as protocol buffers: nodes, inputs and attributes."""

from __future__ import annotations

from typing import Any

import numpy as np

from .kit import Answers, raises

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
    made = [
        x,
        w,
        y,
        total,
        halves[1] + 1.0,
        tf.cast(x, tf.int32),
        joined,
        after,
        tf.nn.conv2d(tf.fill([1, 4, 4, 1], 1.0), tf.fill([2, 2, 1, 1], 1.0), 1, "SAME"),
    ]
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
        name: [
            t.op.op_def.name,
            [a.name for a in t.op.op_def.input_arg],
            [a.type_attr for a in t.op.op_def.input_arg],
            len(t.op.op_def.output_arg),
        ]
        for name, t in made.items()
    }


def whole_definitions(tf: Any) -> Answers:
    """Every field of a definition, attributes in their order."""
    x, v, r = (
        tf.placeholder(tf.float32, [2, 2]),
        tf.get_variable("v", [2], use_resource=False),
        tf.get_variable("r", [2], use_resource=True),
    )
    queue = tf.FIFOQueue(3, tf.float32, [[2]])
    made = [
        x + 1.0, x @ x, tf.split(x, 2)[0], tf.concat([x, x], 0), tf.cast(x, tf.int32), tf.reduce_sum(x), tf.add_n([x, x]), tf.stack([x, x]), x[0],
        tf.nn.conv2d(x[None, :, :, None], tf.ones([1, 1, 1, 1]), 1, "SAME"), tf.nn.top_k(x)[0], tf.linalg.svd(x)[0], tf.where(x > 0.0), tf.shape(x),
        tf.assign(v, [1.0, 2.0]), tf.raw_ops.ReadVariableOp(resource=r.handle, dtype=tf.float32), tf.random_uniform([2]), tf.unique([1, 1])[0],
        tf.strings.split(["a b"]).values, tf.one_hot([1], 2), tf.nn.leaky_relu(x), tf.argmax(x), tf.gather(x, [0]), tf.reshape(x, [-1]), tf.squeeze(x),
        tf.image.resize_bilinear(x[None, :, :, None], [4, 4]), queue.dequeue(), tf.nn.fused_batch_norm(x[None, :, :, None], [1.0], [0.0])[0],
        tf.scatter_nd([[0]], [1.0], [2]), tf.dynamic_partition(x, [0, 1], 2)[0], tf.as_string(x), tf.bitcast(x, tf.int32), tf.identity_n([x, x])[0],
        tf.summary.image("i", x[None, :, :, None]), tf.py_func(lambda: 1.0, [], tf.float32), tf.parse_tensor("", tf.float32), tf.tile(x, [1, 2]),
    ]  # fmt: skip
    return {(t[0] if isinstance(t, list) else t).op.type: _fields((t[0] if isinstance(t, list) else t).op.op_def) for t in made}


def _fields(definition: Any) -> list[Any]:
    def plain(value: Any) -> Any:
        if value is None or value.WhichOneof("value") is None:
            return None
        held = getattr(value, kind := value.WhichOneof("value"))
        return [kind, [[f.name, *items] for f, items in held.ListFields()]] if kind == "list" else [kind, str(held)]

    def arguments(some: Any) -> list[Any]:
        return [[a.name, a.type, a.type_attr, a.number_attr, a.type_list_attr, a.is_ref] for a in some]

    attrs = [[a.name, a.type, plain(a.default_value), a.has_minimum, a.minimum, plain(a.allowed_values)] for a in definition.attr]
    flags = [definition.is_stateful, definition.is_commutative, definition.is_aggregate, definition.allows_uninitialized_input]
    return [definition.name, arguments(definition.input_arg), arguments(definition.output_arg), attrs, flags]


def outputs_of_operations(tf: Any) -> Answers:
    """Which of an operation's lists are lists: `outputs` is the same one at each reading."""
    a, b = tf.constant(1.0), tf.constant([2.0, 3.0])
    with tf.control_dependencies([a]):
        total = a + b
    parts, op = tf.split(b, 2), total.op
    return {
        "kinds": [
            type(x).__name__ for x in (op.outputs, op.inputs, op.control_inputs, op.values(), parts, a.consumers(), op.colocation_groups())
        ],
        "same": [op.outputs is op.outputs, op.outputs == [total], parts[0].op.outputs == parts],
        "added": lambda: [t.name for t in op.outputs + parts],
        "several": lambda: [type(tf.linalg.svd(tf.ones([2, 2]))).__name__, type(tf.linalg.svd(tf.ones([2, 2]))[0].op.values()).__name__],
        "none": lambda: tf.no_op().outputs,
        "of a function": lambda: _returned(tf),
    }


def _returned(tf: Any) -> Any:
    graph = tf.function(lambda x: (x + 1.0, [x * 2.0])).get_concrete_function(tf.TensorSpec([2])).graph
    kinds = [type(x).__name__ for x in (graph.outputs, graph.inputs, graph.structured_outputs, graph.structured_outputs[1])]
    return [kinds, [t.shape for t in graph.outputs], len(graph.outputs)]


def attributes_of_definitions(tf: Any) -> Answers:
    """Which attributes an operation has, and the type of each."""
    x, v = tf.placeholder(tf.float32, [2, 2]), tf.get_variable("v", [2], use_resource=True)
    made = {
        "Const": tf.constant(1), "AddV2": x + 1.0, "Cast": tf.cast(x, tf.int32), "Sum": tf.reduce_sum(x), "Pack": tf.stack([x, x]),
        "StridedSlice": x[0], "ConcatV2": tf.concat([x, x], 0), "Relu": tf.nn.relu(x), "Split": tf.split(x, 2)[0], "AddN": tf.add_n([x, x]),
        "Squeeze": tf.squeeze(x[None], [0]), "ReadVariableOp": v.value(), "Max": tf.reduce_max(x, keepdims=True),
        "LeakyRelu": tf.nn.leaky_relu(x, 0.3), "AvgPool": tf.nn.avg_pool2d(x[None, :, :, None], 2, 1, "SAME"),
    }  # fmt: skip
    return {
        name: {
            "attributes": {a.name: a.type for a in sorted(t.op.op_def.attr, key=lambda a: a.name)},
            "keeps state": t.op.op_def.is_stateful,
            "inputs": [[a.name, a.number_attr] for a in t.op.op_def.input_arg],
        }
        for name, t in made.items()
    }


def attributes_read(tf: Any) -> Answers:
    """By `get_attr`: arrays and shapes are messages."""
    x = tf.placeholder(tf.float32, [None, 2])
    images, queue = tf.nn.conv2d(tf.ones([1, 2, 2, 1]), tf.ones([1, 1, 1, 1]), 1, "SAME").op, tf.FIFOQueue(1, tf.int32, [[2]]).queue_ref.op
    words, numbers = tf.constant(["a", "bc"]).op.get_attr("value"), tf.constant([[1.0, 2.0]]).op.get_attr("value")
    variables = [tf.get_variable(name, [2, 3], use_resource=name == "r") for name in "vr"]
    return {
        "an array": lambda: tf.make_ndarray(numbers),
        "words": lambda: list(words.string_val),
        "a number": lambda: list(tf.constant(1).op.get_attr("value").int_val),
        "its class": type(numbers).__name__,
        "a shape": lambda: [d.size for d in x.op.get_attr("shape").dim],
        "no shape": lambda: tf.placeholder(tf.float32).op.get_attr("shape").unknown_rank,
        "shapes of variables": lambda: [[d.size for d in v.op.get_attr("shape").dim] for v in variables],
        "shapes": lambda: [[d.size for d in shape.dim] for shape in queue.get_attr("shapes")],
        "dtypes": lambda: queue.get_attr("component_types"),
        "numbers": lambda: images.get_attr("strides"),
        "a word": lambda: images.get_attr("padding"),
        "a flag": lambda: tf.matmul(x, x, transpose_b=True).op.get_attr("transpose_b"),
        "a dtype": lambda: tf.reduce_sum(x).op.get_attr("Tidx"),
    }


def _text(graph_def: Any) -> list[Any]:
    return [(node.name, node.op, list(node.input)) for node in graph_def.node]


def _attributes(node: Any, *left_out: str) -> dict[str, str]:
    return {key: str(node.attr[key]) for key in sorted(node.attr) if key not in {"_has_manual_control_dependencies", *left_out}}


def variables(tf: Any) -> Answers:
    w = tf.Variable([[1.0], [2.0]], name="w", use_resource=False)
    r = tf.Variable([0.5], name="r", use_resource=True)
    made = {
        "w": w.op,
        "r": r.op,
        "a read": w.value().op,
        "a read of a resource": tf.raw_ops.ReadVariableOp(resource=r.handle, dtype=tf.float32).op,
        "written": tf.assign(w, [[1.0], [1.0]]).op,
    }
    # What locks and checks of shapes do is not of this graph.
    left_out = {"use_locking", "validate_shape", "allowed_devices", "debug_name"}
    initializer = tf.global_variables_initializer()
    assert initializer.type == "NoOp"
    found = {name: [op.type, _attributes(op.node_def, *left_out)] for name, op in made.items()}
    return found | {"sorted": [list(node.input) for node in tf.get_default_graph().as_graph_def().node if node.name == "init"]}


def parts_of_graphs(tf: Any) -> Answers:
    x = tf.placeholder(tf.float32, [2], name="x")
    first = tf.identity(x, name="first")
    second = tf.identity(first, name="second")
    with tf.control_dependencies([x]):
        third = tf.identity(second, name="third")
    with tf.control_dependencies([second]):
        tf.negative(third, name="negative")
    halves = tf.split(x, 2, name="halves")
    half = tf.identity(halves[1], name="half")
    exp = tf.exp(half, name="exp")
    checked = tf.check_numerics(exp, "no number", name="checked")
    tf.log(checked, name="log")
    with tf.control_dependencies([checked]):
        tf.sin(exp, name="sin")
    found, util = tf.get_default_graph().as_graph_def(), tf.graph_util

    def part(*names: str) -> Any:
        return lambda: _text(util.extract_sub_graph(found, list(names)))

    shape = util.tensor_shape_from_node_def_name
    graph = tf.get_default_graph()
    return {
        "part": part("log"), "part that waits": part("sin"), "two parts": part("log", "negative"), "no part": part(), "input": part("x"),
        "a missing name": raises(part("other"), "other is not in graph"), "a result": raises(part("log:0"), "log:0 is not in graph"),
        "one name": raises(lambda: util.extract_sub_graph(found, "log"), "dest_nodes must be an iterable of strings"),
        "no graph": raises(lambda: util.extract_sub_graph(3, ["log"]), "graph_def must be a graph_pb2.GraphDef proto"),
        "version": lambda: util.extract_sub_graph(found, ["log"]).versions.producer == found.versions.producer,
        "for inference": lambda: _text(util.remove_training_nodes(found)),
        "protected": lambda: _text(util.remove_training_nodes(found, ["first", "checked"])),
        "a set protected": lambda: _text(util.remove_training_nodes(found, {"half"})),
        "shapes": lambda: [shape(graph, name) for name in ("x", "halves", "halves:1")],
        "no shape": raises(lambda: shape(graph, "other"), "other"),
    }  # fmt: skip


def on_the_cpu(tf: Any) -> Answers:
    must, x = tf.graph_util.must_run_on_cpu, tf.placeholder(tf.float32, [2])
    v, r = (tf.Variable(1.0, use_resource=resource) for resource in (False, True))
    made = {
        "word": tf.constant("a"), "integer": tf.constant(1), "long": tf.constant(1, tf.int64), "float": tf.constant(1.0), "add": tf.add(1, 2),
        "identity": tf.identity("a"), "to int": tf.cast(x, tf.int32), "from int": tf.cast(tf.range(3), tf.float32), "to long": tf.cast(x, tf.int64),
        "stitch": tf.dynamic_stitch([[0], [1]], [[1], [2]]), "floats stitched": tf.dynamic_stitch([[0], [1]], [[1.0], [2.0]]), "variable": v, "resource": r,
    }  # fmt: skip
    answers: Answers = {name: [must(t.op), must(t.op, True), must(t.op.node_def)] for name, t in made.items()}
    return answers | {"tensor": raises(lambda: must(x)), "number": raises(lambda: must(3))}


def frozen(tf: Any) -> Answers:
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    w = tf.Variable([[1.0], [2.0]], name="w", use_resource=False)
    r = tf.Variable([0.5], name="r", use_resource=True)
    tf.add(tf.matmul(x, w), tf.raw_ops.ReadVariableOp(resource=r.handle, dtype=tf.float32, name="read"), name="y")
    tf.identity(tf.assign(w, w * 2.0, name="write"), name="written")
    found, freeze = tf.get_default_graph().as_graph_def(), tf.graph_util.convert_variables_to_constants
    session = tf.Session()
    refused = raises(lambda: freeze(session, found, ["y"]), "Attempting to use uninitialized value w")()
    session.run(tf.global_variables_initializer())

    def text(*names: str, **lists: list[str]) -> Any:
        return lambda: _text(freeze(session, found, list(names), **lists))

    return {
        "all": text("y"), "listed": text("y", variable_names_whitelist=["w"]), "but one": text("y", variable_names_blacklist=["w"]), "written": text("written"),
        "both": text("y", variable_names_whitelist=["w", "r"], variable_names_blacklist=["r"]), "no variable": text("x"), "without values": refused,
        "attributes": lambda: {node.name: _attributes(node) for node in freeze(session, found, ["w/read", "read"]).node},
        "a missing name": raises(text("z"), "z is not in graph"), "one name": raises(lambda: freeze(session, found, "y"), "iterable of strings"),
    }  # fmt: skip
