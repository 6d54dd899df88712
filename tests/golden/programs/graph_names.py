"""Names of operations in graphs that programs look up: reductions, variables and their writes, gradients, optimizers, groups of colocation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.golden.programs.kit import Answers

FACE = "v1"


def _made(tf: Any, make: Callable[[], Any]) -> list[str]:
    """Name and type of each operation that a call adds, in a graph of its own."""
    with tf.Graph().as_default() as graph:
        make()
        return [f"{op.name} {op.type}" for op in graph.get_operations()]


def _x(tf: Any, shape: Any = (3, 4)) -> Any:
    return tf.placeholder(tf.float32, shape, name="x")


def reductions(tf: Any) -> Answers:
    """A constant of all axes is called `Const` and stands before the reduction, one of some axes belongs to it."""
    names = ("reduce_sum", "reduce_mean", "reduce_max", "reduce_min", "reduce_prod")
    found: Answers = {name: _made(tf, lambda f=getattr(tf, name): f(_x(tf))) for name in names}
    found |= {f"{name} of one axis": _made(tf, lambda f=getattr(tf, name): f(_x(tf), 1)) for name in names}
    found["with a name"] = _made(tf, lambda: tf.reduce_mean(_x(tf), name="loss"))
    found["after a constant"] = _made(tf, lambda: (tf.constant(1.0), tf.reduce_sum(_x(tf)), tf.constant(2.0)))
    found["any"] = _made(tf, lambda: tf.reduce_any(tf.placeholder(tf.bool, [2], name="b")))
    found["of unknown rank"] = _made(tf, lambda: tf.reduce_sum(_x(tf, None)))
    found["logsumexp"] = _made(tf, lambda: tf.reduce_logsumexp(_x(tf), 1, keepdims=True))
    found["logsumexp of all"] = _made(tf, lambda: tf.reduce_logsumexp(_x(tf)))[:12]
    found["count_nonzero"] = _made(tf, lambda: tf.count_nonzero(_x(tf)))
    found["count_nonzero of rows"] = _made(tf, lambda: tf.count_nonzero(_x(tf), 1, dtype=tf.int32))
    found["standard deviation"] = _made(tf, lambda: tf.math.reduce_std(_x(tf)))
    return found


def everyday(tf: Any) -> Answers:
    """What the outermost operation of a composed function is called."""

    def last(make: Callable[[Any], Any]) -> str:
        with tf.Graph().as_default():
            return str(make(_x(tf)).name)

    return {
        "boolean_mask": last(lambda x: tf.boolean_mask(x, x[:, 0] > 0)),
        "one_hot": _made(tf, lambda: tf.one_hot([1], 3))[-1],
        "one_hot twice": last(lambda x: tf.one_hot([1], 2) + tf.one_hot([0], 2)),
        "softmax cross-entropy": last(lambda x: tf.nn.softmax_cross_entropy_with_logits(labels=x, logits=x)),
        "sort": last(tf.sort),
        "argsort": last(tf.argsort),
        "sort with a name": last(lambda x: tf.sort(x, name="mine")),
        "triangular_solve": last(lambda x: tf.linalg.triangular_solve(x[:, :3], x)),
        "trace": last(tf.trace),
        "trace with a name": last(lambda x: tf.trace(x, name="mine")),
        "reduce_logsumexp": last(tf.reduce_logsumexp),
        "reduce_logsumexp of rows": last(lambda x: tf.reduce_logsumexp(x, 1, keepdims=True)),
        "sparse matmul": last(lambda x: tf.sparse_tensor_dense_matmul(tf.SparseTensor([[0, 1]], [1.0], [3, 3]), x)),
        "map_fn": last(lambda x: tf.map_fn(lambda row: 2.0 * row, x)),
        "map_fn twice": last(lambda x: tf.map_fn(tf.sin, tf.map_fn(tf.cos, x))),
        "map_fn with a name": last(lambda x: tf.map_fn(tf.sin, x, name="mine")),
        "scan": last(lambda x: tf.scan(tf.add, x)),
        "after zeros of a large shape": _made(tf, lambda: (tf.zeros([2000]), tf.constant(1.0)))[-1],
        "cond leaves no constant": _made(tf, lambda: (tf.cond(_x(tf, []) > 0.0, lambda: 1.0, lambda: 2.0), tf.cast(1.0, tf.int32)))[-1],
    }


def sparse_tensors(tf: Any) -> Answers:
    """The parts of a sparse tensor stand in a scope of it; those that are tensors keep their names."""

    def parts(make: Callable[[], Any]) -> list[str]:
        found = make()
        return [t.name for t in (found.indices, found.values, found.dense_shape)]

    def inside() -> Any:
        with tf.name_scope("inside"):
            return tf.SparseTensor([[0]], [1.0], [1])

    return {
        "numbers": parts(lambda: tf.SparseTensor([[0]], [1.0], [1])),
        "tensors": parts(lambda: tf.SparseTensor(tf.constant([[0]], tf.int64), tf.constant([1]), [1])),
        "in a scope": parts(inside),
    }


def draws(tf: Any) -> Answers:
    """What random numbers are made of: an end of a range needs no operation where it is a whole number."""
    bounds = [(), (0,), (0, 1), (0.0, 1.0), (0, 5), (0.0, 5.0), (-1, 1), (1, 1), (0.5, 2)]
    found: Answers = {f"uniform {b}": _made(tf, lambda b=b: tf.random_uniform([2], *b)) for b in bounds}
    return found | {
        "whole numbers": _made(tf, lambda: tf.random_uniform([2], 0, 5, tf.int32)),
        "normal": _made(tf, lambda: tf.random_normal([2])),
        "truncated": _made(tf, lambda: tf.truncated_normal([2])),
        "a variable": _made(tf, lambda: tf.get_variable("w", [2, 3], use_resource=False)),
        "a variable of a range": _made(tf, lambda: tf.get_variable("w", [2], initializer=tf.random_uniform_initializer(-1, 1))),
    }


def arrays_of_tensors(tf: Any) -> Answers:
    """The operations on tensor arrays, which programs look up by name in loops and RNNs."""

    def reads_and_writes(make: Callable[[Any, Any], Any]) -> list[str]:
        found = _made(tf, lambda: make(_x(tf), tf.TensorArray(tf.float32, 3)))
        return [line for line in found if line.split()[1] in kinds]

    kinds = "TensorListSetItem TensorListGetItem TensorListStack TensorListFromTensor TensorListScatterIntoExistingList TensorListGather".split()
    return {
        "write and stack": reads_and_writes(lambda x, array: array.write(0, x).write(1, x).stack()),
        "unstack and read": reads_and_writes(lambda x, array: array.unstack(x).read(0)),
        "scatter and gather": reads_and_writes(lambda x, array: array.scatter([0, 1, 2], x).gather([0])),
        "with names": reads_and_writes(lambda x, array: array.unstack(x, name="a").stack("b")),
        "foldl": reads_and_writes(lambda x, array: tf.foldl(tf.add, x)),
        "foldr": reads_and_writes(lambda x, array: tf.foldr(tf.add, x, name="mine")),
    }


def captured(tf: Any) -> Answers:
    """What stands in a function for a tensor from outside is named after its first use."""

    def inputs(graph: Any) -> list[str]:
        return [op.name for op in graph.get_operations() if op.type == "Placeholder"]

    def nested() -> list[list[str]]:
        found = []
        with tf.Graph().as_default():
            x = _x(tf, [2])
            doubled = tf.add(x, x, name="doubled")
            halves = tf.split(x, 2, name="halves")

            def branch() -> Any:
                with tf.name_scope("inside"):
                    y = tf.multiply(doubled, 3.0, name="tripled")
                y = tf.concat([y, *halves], 0)
                found.append(inputs(tf.get_default_graph()))
                return y

            tf.cond(tf.reduce_sum(x) > 0.0, branch, lambda: tf.concat([x, x], 0))
        return found

    return {"in a branch": nested}


def _by_variable(tf: Any, answer: Callable[[bool], Any]) -> Answers:
    return {kind: (lambda resource=kind == "resource": _in_graph(tf, lambda: answer(resource))) for kind in ("reference", "resource")}


def _in_graph(tf: Any, make: Callable[[], Any]) -> Any:
    with tf.Graph().as_default():
        return make()


def variables(tf: Any) -> Answers:
    """A variable's own operations, with TensorFlow's types of both kinds of variables."""

    def own(resource: bool) -> list[str]:
        tf.Variable([1.0, 2.0], name="v", use_resource=resource)
        tf.Variable(lambda: tf.ones([2]), name="u", use_resource=resource)
        tf.get_variable("g", [2], initializer=tf.zeros_initializer(), use_resource=resource)
        return [f"{op.name} {op.type}" for op in tf.get_default_graph().get_operations()]

    return _by_variable(tf, own)


def writes(tf: Any) -> Answers:
    """Writes are named and typed after the kind of variable."""

    def names(resource: bool) -> list[str]:
        v = tf.Variable([1.0, 2.0], name="v", use_resource=resource)
        x = _x(tf, [2])
        written = [v.assign(x), v.assign_add(x), v.assign_sub(x, name="mine"), tf.assign(v, x), v.assign(x, read_value=False)]
        written += [tf.scatter_update(v, tf.constant([0]), tf.constant([1.0])), tf.is_variable_initialized(v), v.initializer]
        count = tf.Variable(0, name="count", use_resource=resource)
        written += [count.count_up_to(3), tf.count_up_to(count, 3, name="mine")]
        return [f"{op.name} {op.type}" for op in (w if isinstance(w, tf.Operation) else w.op for w in written)]

    return _by_variable(tf, names)


def shown(tf: Any) -> Answers:
    """What tensors, operations and variables are printed as."""

    def printed(resource: bool) -> list[str]:
        v = tf.Variable([1.0, 2.0], name="v", use_resource=resource)
        written = [v.assign([3.0, 4.0]), v.assign_add([1.0, 1.0], name="mine")]
        printed = [repr(v), str(v), type(v).__name__, repr(v.op), repr(v.initializer), repr(v.initial_value)]
        return printed + ([str(w) for w in written] if resource else [w.name for w in written])

    found = _by_variable(tf, printed)
    a, b = tf.placeholder(tf.float32, name="a"), tf.placeholder(tf.float32, [None, 3], name="b")
    return found | {"of unknown rank": [str(a), repr(a)], "partly known": [str(b), repr(b)], "operation": repr(a.op)}


def colocation(tf: Any) -> Answers:
    """Which operations want to share a device with which."""

    def groups(resource: bool) -> list[str]:
        x = tf.constant(2.0, name="x")
        with tf.colocate_with(x):
            y = tf.constant(3.0, name="y")
        with tf.colocate_with(y):
            z = tf.constant(4.0, name="z")
        with tf.colocate_with(x), tf.colocate_with(tf.constant(5.0, name="other")):
            both = tf.constant(6.0, name="both")
        v = tf.get_variable("v", [2], initializer=tf.zeros_initializer(), use_resource=resource)
        w = v.assign([1.0, 1.0])
        found = [x.op, y.op, z.op, both.op, v.initializer, v.op, w.op]
        return [f"{op.name} {op.colocation_groups()}" for op in found]

    def classes() -> list[Any]:
        x = tf.constant(2.0, name="x")
        with tf.colocate_with(x):
            y = tf.constant(3.0, name="y")
        return [y.op.get_attr("_class"), [t.op.colocation_groups() for t in tf.gradients(y * y, y, colocate_gradients_with_ops=True)]]

    return _by_variable(tf, groups) | {"attribute": lambda: _in_graph(tf, classes)}


def _gradient_names(tf: Any, make: Callable[..., Any], *shapes: Any) -> Callable[[], list[Any]]:
    def answer() -> list[Any]:
        with tf.Graph().as_default():
            xs = [tf.placeholder(tf.float32, shape, name=f"x{i}") for i, shape in enumerate(shapes)]
            return [None if g is None else g.name for g in tf.gradients(make(*xs), xs)]

    return answer


def gradients_of_one(tf: Any) -> Answers:
    """What the gradient of a function of one tensor is called."""
    names = (
        "abs negative exp log log1p expm1 sin cos tan asin acos atan sinh cosh asinh acosh atanh tanh sqrt rsqrt square sigmoid erf erfc "
        "lgamma digamma reciprocal sign floor reduce_sum reduce_mean reduce_max reduce_min reduce_prod"
    )
    found: Answers = {name: _gradient_names(tf, getattr(tf, name, None) or getattr(tf.math, name), [2, 3]) for name in names.split()}
    of_nn = "relu relu6 elu selu leaky_relu softmax log_softmax softplus softsign l2_loss"
    found |= {f"nn.{name}": _gradient_names(tf, getattr(tf.nn, name), [2, 3]) for name in of_nn.split()}
    shapes = {
        "reshape": lambda a: tf.reshape(a, [3, 2]),
        "transpose": tf.transpose,
        "expand_dims": lambda a: tf.expand_dims(a, 0),
        "index": lambda a: a[0],
        "slice": lambda a: tf.slice(a, [0, 0], [1, 1]),
        "tile": lambda a: tf.tile(a, [2, 1]),
        "pad": lambda a: tf.pad(a, [[1, 1], [0, 0]]),
        "stack": lambda a: tf.stack([a, a + 1.0]),
        "split": lambda a: tf.split(a, 3, 1)[0],
        "unstack": lambda a: tf.unstack(a)[0],
        "gather columns": lambda a: tf.gather(a, [0], axis=1),
        "gather_nd": lambda a: tf.gather_nd(a, [[0, 1]]),
        "where": lambda a: tf.where(a > 0, a, 2.0 * a),
        "cast": lambda a: tf.cast(a, tf.float64),
        "clip": lambda a: tf.clip_by_value(a, 0.0, 1.0),
        "broadcast": lambda a: tf.broadcast_to(a, [4, 2, 3]),
        "reverse": lambda a: tf.reverse(a, [0]),
        "sum of one axis": lambda a: tf.reduce_sum(a, 1),
        "itself twice": lambda a: a * a,
        "gather in batches": lambda a: tf.gather(a, [[0], [1]], batch_dims=1),
        "cumprod": tf.cumprod,
        "cumulative_logsumexp": lambda a: tf.math.cumulative_logsumexp(a),
        "euclidean norm": lambda a: tf.math.reduce_euclidean_norm(a),
        "diag": tf.linalg.diag,
        "diag_part": tf.linalg.diag_part,
        "ndtri": tf.math.ndtri,
        "patches": lambda a: tf.image.extract_patches(a[None, ..., None], [1, 2, 2, 1], [1, 1, 1, 1], [1, 1, 1, 1], "VALID"),
        "lrn": lambda a: tf.nn.local_response_normalization(a[None, ..., None]),
        "eigh": lambda a: tf.linalg.eigh(tf.matmul(a, a, transpose_b=True))[0],
    }
    return found | {name: _gradient_names(tf, make, [2, 3]) for name, make in shapes.items()}


def gradients_of_two(tf: Any) -> Answers:
    """What the gradients of a function of two tensors are called, by how their shapes go together."""
    shapes = {
        "same": ([2, 3], [2, 3]),
        "right scalar": ([2, 3], []),
        "left scalar": ([], [2, 3]),
        "row": ([2, 3], [3]),
        "unknown rank": (None, [2, 3]),
        "unknown rows and a row": ([None, 3], [3]),
    }
    functions = "add subtract multiply divide realdiv pow maximum minimum squared_difference atan2 div_no_nan "
    functions += "xlogy xlog1py xdivy igamma zeta polygamma"
    found: Answers = {}
    for name in functions.split():
        function = getattr(tf, name, None) or getattr(tf.math, name)
        found |= {f"{name} {label}": _gradient_names(tf, function, *pair) for label, pair in shapes.items()}
        found[f"{name} right of a number"] = _gradient_names(tf, lambda b, f=function: f(2.0, b), [2, 3])
    found["multiply unknown rows"] = _gradient_names(tf, tf.multiply, [None, 3], [2, 3])
    found["matmul"] = _gradient_names(tf, tf.matmul, [2, 3], [3, 2])
    found["matmul right"] = _gradient_names(tf, lambda b: tf.matmul(tf.ones([2, 3]), b), [3, 2])
    found["batches of matmul"] = _gradient_names(tf, tf.matmul, [4, 2, 3], [4, 3, 2])
    found["set_diag"] = _gradient_names(tf, tf.linalg.set_diag, [3, 3], [3])
    found["bias_add"] = _gradient_names(tf, tf.nn.bias_add, [2, 3], [3])
    return found


def _model(tf: Any, resource: bool) -> Any:
    """A linear model: its loss and its variables."""
    x, y = tf.placeholder(tf.float32, [None, 4], name="x"), tf.placeholder(tf.float32, [None, 1], name="y")
    with tf.variable_scope("linear", use_resource=resource):
        w, b = tf.get_variable("w", [4, 1]), tf.get_variable("b", [1], initializer=tf.zeros_initializer())
    return tf.reduce_mean(tf.square(tf.nn.xw_plus_b(x, w, b, name="out") - y), name="loss"), [w, b]


def optimizers(tf: Any) -> Answers:
    """The variables of optimizers, the gradients they ask for and the operations that apply them."""
    made = {
        "gradient descent": lambda: tf.train.GradientDescentOptimizer(0.1),
        "momentum": lambda: tf.train.MomentumOptimizer(0.1, 0.9),
        "Adam": lambda: tf.train.AdamOptimizer(),
        "RMSProp": lambda: tf.train.RMSPropOptimizer(0.1),
        "Adagrad": lambda: tf.train.AdagradOptimizer(0.1),
        "Adadelta": lambda: tf.train.AdadeltaOptimizer(0.1),
        "Ftrl": lambda: tf.train.FtrlOptimizer(0.1),
        "proximal gradient descent": lambda: tf.train.ProximalGradientDescentOptimizer(0.1),
    }

    def names(make: Callable[[], Any], resource: bool) -> list[Any]:
        loss, variables = _model(tf, resource)
        optimizer = make()
        pairs = optimizer.compute_gradients(loss, variables)
        step = tf.train.get_or_create_global_step()
        train = optimizer.apply_gradients(pairs, global_step=step)
        updates = [op.name for op in tf.get_default_graph().get_operations() if "Apply" in op.type]
        owned = [v.name for v in tf.global_variables()]
        first = [v.initializer.inputs[1].name for v in (step, *optimizer.variables())]
        return [[g.name for g, _ in pairs], train.name, owned, updates, first]

    return {
        f"{name}, {kind}": (lambda make=make, kind=kind: _in_graph(tf, lambda: names(make, kind == "resource")))
        for name, make in made.items()
        for kind in ("reference", "resource")
    }


def steps_of_optimizers(tf: Any) -> Answers:
    """All operations of a step but the gradients: the slots, their first values, the numbers and what applies them."""
    made = {
        "gradient descent": lambda: tf.train.GradientDescentOptimizer(0.1),
        "momentum": lambda: tf.train.MomentumOptimizer(0.1, 0.9),
        "Ftrl": lambda: tf.train.FtrlOptimizer(0.1),
        "Ftrl of a tensor": lambda: tf.train.FtrlOptimizer(tf.constant(0.1), beta=0.5, l2_regularization_strength=0.1),
    }

    def names(make: Callable[[], Any], resource: bool) -> list[str]:
        loss, variables = _model(tf, resource)
        optimizer = make()
        pairs = optimizer.compute_gradients(loss, variables)
        before = len(tf.get_default_graph().get_operations())
        optimizer.apply_gradients(pairs)
        return [f"{op.name} {op.type}" for op in tf.get_default_graph().get_operations()[before:]]

    return {
        f"{name}, {kind}": (lambda make=make, kind=kind: _in_graph(tf, lambda: names(make, kind == "resource")))
        for name, make in made.items()
        for kind in ("reference", "resource")
    }


def groups_of_optimizers(tf: Any) -> Answers:
    """Where the operations of a step stand: slots and updates beside their variables, the step itself beside the counter of steps."""

    def groups(make: Callable[[], Any], resource: bool) -> dict[str, list[str]]:
        with tf.Graph().as_default() as graph:
            w = tf.get_variable("w", [3, 2], use_resource=resource)
            b = tf.get_variable("b", [2], use_resource=resource)
            step = tf.train.get_or_create_global_step()
            optimizer = make()
            train = optimizer.minimize(tf.reduce_mean(tf.matmul(_x(tf, (4, 3)), w) + b), global_step=step)
            names = [train.name, f"{train.name}/update"]
            for v in optimizer.variables():
                names += [v.op.name, f"{v.op.name}/Assign"]
            names += [op.name for op in graph.get_operations() if op.type.startswith(("Apply", "ResourceApply", "AssignVariable"))]
            return {name: [g.decode() for g in graph.get_operation_by_name(name).colocation_groups()] for name in names}

    makers = {
        "gradient descent": lambda: tf.train.GradientDescentOptimizer(0.1),
        "momentum": lambda: tf.train.MomentumOptimizer(0.1, 0.9),
        "Adam": lambda: tf.train.AdamOptimizer(0.1),
        "RMSProp": lambda: tf.train.RMSPropOptimizer(0.1),
        "Adagrad": lambda: tf.train.AdagradOptimizer(0.1),
    }
    kinds = {"": False, " of resources": True}
    return {name + kind: groups(make, resource) for name, make in makers.items() for kind, resource in kinds.items()}


def operations(tf: Any) -> Answers:
    """What programs ask to tell a tensor from an operation."""
    x = _x(tf)
    made = {"tensor": x, "operation": x.op, "no_op": tf.no_op(), "variable": tf.get_variable("v", [2])}
    found: Answers = {f"{name} has op": hasattr(one, "op") for name, one in made.items()}
    return found | {f"operation of a {name}": (one.op if hasattr(one, "op") else one).name for name, one in made.items()}
