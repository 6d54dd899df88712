"""TensorFlow 1's ref variables: gradients inside branches and loops, what a loop reads, what an operation sees that waits for a write."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from .kit import Answers, ours, raises, run_all

FACE = "v1"


@contextmanager
def _first_control_flow(tf: Any) -> Iterator[None]:
    """Loops and branches of TensorFlow 1, which take references in."""
    tf.disable_control_flow_v2()
    try:
        yield
    finally:
        tf.enable_control_flow_v2()


def _run(tf: Any, build: Callable[[], list[Any]]) -> Callable[[], list[Any]]:
    def answer() -> list[Any]:
        with tf.Graph().as_default(), _first_control_flow(tf):
            return run_all(tf, build())

    return answer


def _variable(tf: Any, value: Any) -> Any:
    return tf.Variable(value, use_resource=False)


def gradients_inside(tf: Any) -> Answers:
    def slope(x: Any) -> Any:
        w = tf.global_variables()[0]
        return tf.gradients(tf.reduce_sum(w * w * x), [w])[0]

    def of(build: Callable[[Any], list[Any]]) -> Callable[[], list[Any]]:
        return _run(tf, lambda: build(_variable(tf, [1.0, 2.0])))

    ones, rows = [1.0, 1.0], [[1.0, 1.0], [2.0, 3.0]]
    return {
        "map_fn": of(lambda w: [tf.map_fn(slope, tf.ones([3, 2]))]),
        "cond": of(lambda w: [tf.cond(tf.constant(True), lambda: slope(2.0), lambda: tf.zeros([2]))]),
        "while": of(lambda w: [tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a + slope(a)), [0, tf.constant(ones)])[1]]),
        "scan": of(lambda w: [tf.scan(lambda a, x: a + slope(x), tf.ones([3, 2]) * 2.0, initializer=tf.constant(ones))]),
        "value in a loop": of(lambda w: [tf.map_fn(lambda x: tf.gradients(w * w * x, w.value())[0], tf.ones([3, 2]))]),
        # TensorFlow's branch in a loop of TensorFlow 1 gives zeros here.
        "nested": ours(
            [np.array([[-2.0, -4.0], [4.0, 12.0]], np.float32)],
            of(lambda w: [tf.map_fn(lambda x: tf.cond(x[0] > 1.0, lambda: slope(x), lambda: -slope(x)), tf.constant(rows))]),
        ),
    }


def gradients_outside(tf: Any) -> Answers:
    def of(build: Callable[[Any], Any], *more: str) -> Callable[[], list[Any]]:
        def built() -> list[Any]:
            w = _variable(tf, [1.0, 2.0])
            y = build(w)
            (found,) = tf.gradients(y, w)
            answers = [y, found, tf.gradients(y, w.value())[0]]  # TensorFlow's are sparse from a loop with `gather`
            answers = [tf.convert_to_tensor(t) for t in answers]
            return answers + ([tf.gradients(found, w)[0]] if "twice" in more else [])

        return _run(tf, built)

    return {
        "cond": of(lambda w: tf.cond(tf.constant(True), lambda: tf.reduce_sum(w * w * w), lambda: tf.reduce_sum(w)), "twice"),
        "while": of(lambda w: tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a * w), [0, tf.ones([2])])[1]),
        "scan": of(lambda w: tf.scan(lambda a, x: a * w * x, tf.ones([3, 2]) * 2.0, initializer=tf.ones([2]))),
        "map_fn of cond": of(lambda w: tf.map_fn(lambda x: tf.cond(x > 1.0, lambda: w * x, lambda: w), tf.constant([1.0, 2.0, 3.0]))),
        "gather in a loop": of(lambda w: tf.map_fn(lambda i: tf.gather(w, i) * tf.gather(w, 0), tf.constant([0, 1, 1]), dtype=tf.float32)),
    }


def loops_that_write(tf: Any) -> Answers:
    def body(v: Any, write: Callable[[Any], Any], read: Callable[[Any], Any]) -> Callable[..., Any]:
        def step(i: Any, a: Any) -> Any:
            with tf.control_dependencies([write(v)]):
                return i + 1, read(v)

        return step

    def loop(first: float, goes: Any, write: Callable[[Any], Any], read: Any = None) -> Callable[[], list[Any]]:
        def built() -> list[Any]:
            v = _variable(tf, first)
            step = body(v, write, read or (lambda v: tf.identity(v)))
            i, a = tf.while_loop(lambda i, a: goes(i, v), step, [tf.constant(0), tf.constant(0.0)], parallel_iterations=1)
            with tf.control_dependencies([i]):
                after = v + 0.0
            return [i, a, after]

        return _run(tf, built)

    return {
        "squared": loop(2.0, lambda i, v: i < 4, lambda v: v.assign(v * v)),
        "condition": loop(2.0, lambda i, v: v < 1000.0, lambda v: v.assign(v * v)),
        "counted": loop(0.0, lambda i, v: tf.less(v, 5.0), lambda v: v.assign_add(1.0), lambda v: v * 2.0),
        "written by another": loop(1.0, lambda i, v: i < 3, lambda v: tf.assign_add(v, tf.identity(v)), lambda v: v.read_value() + v),
    }


def waiting_for_a_write(tf: Any) -> Answers:
    """An operation that waits for a write, by what it reads or as it was told, sees it wherever the value it uses was made."""

    def of(build: Callable[[Any, Any], Any], change: Callable[[Any], Any] = lambda v: v.assign([5.0, 6.0])) -> Callable[[], list[Any]]:
        def built() -> list[Any]:
            v = _variable(tf, [1.0, 2.0])
            return [build(v, change(v))]

        return _run(tf, built)

    def after(u: Any, made: Callable[[], Any]) -> Any:
        with tf.control_dependencies([u]):
            return made()

    three = [3.0]
    return {
        "by data": of(lambda v, u: v * tf.identity(u)),
        "told": of(lambda v, u: after(u, lambda: v + 0.0)),
        "told of another": of(lambda v, u: v + after(u, lambda: tf.identity(three))),
        "identity": of(lambda v, u: tf.identity(tf.identity(v)) + after(u, lambda: tf.identity(three))),
        "reshape": of(lambda v, u: tf.reshape(v, [2, 1]) + after(u, lambda: tf.identity(three))),
        "expand_dims": of(lambda v, u: tf.squeeze(tf.expand_dims(v, 0), 0) + after(u, lambda: tf.identity(three))),
        "stop_gradient": of(lambda v, u: tf.stop_gradient(v) + after(u, lambda: tf.identity(three))),
        "negated before": of(lambda v, u: after(after(u.op.inputs[1], lambda: -v), lambda: tf.identity(three)) * 0.0),
        "snapshot": of(lambda v, u: after(u, lambda: v.value())),
        "cond": of(lambda v, u: after(u, lambda: tf.cond(tf.constant(True), lambda: v + 1.0, lambda: v + 2.0))),
        "cond by data": of(lambda v, u: tf.cond(u[0] > 2.0, lambda: v + 1.0, lambda: v + 0.0)),
        "gradient": of(lambda v, u: tf.gradients(after(u, lambda: tf.reduce_sum(v * v)), v)[0]),
        "gather": of(lambda v, u: after(u, lambda: tf.gather(v, [1])), lambda v: tf.scatter_add(v, [1, 1], [1.0, 1.0])),
        "written twice": of(lambda v, u: after(after(u, lambda: v.assign_add([1.0, 1.0])), lambda: u + 0.0)),
        "in a branch": of(lambda v, u: after(u, lambda: v * 2.0), lambda v: tf.cond(v[0] > 0.0, lambda: v.assign([9.0, 9.0]), lambda: v + 0.0)),
    }  # fmt: skip


def gradients_of_writes(tf: Any) -> Answers:
    """By the variable before it and by what the write gives; some writes of ref variables have no gradient registered."""
    writes: dict[str, Callable[[Any], Any]] = {
        "assign": lambda v: tf.assign(v, [5.0, 6.0, 7.0]),
        "assign_add": lambda v: tf.assign_add(v, [5.0, 6.0, 7.0]),
        "assign_sub": lambda v: tf.assign_sub(v, [5.0, 6.0, 7.0]),
        "a slice": lambda v: v[:1].assign([3.0]),
    }
    for how in ("update", "add", "sub", "mul", "div", "min", "max"):
        writes[how] = lambda v, how=how: getattr(tf, f"scatter_{how}")(v, [0, 1], [2.0, 3.0])  # type: ignore[misc]
    for how in ("update", "add", "sub"):
        writes[f"nd_{how}"] = lambda v, how=how: getattr(tf, f"scatter_nd_{how}")(v, [[0], [1]], [2.0, 3.0])  # type: ignore[misc]

    def of(write: Callable[[Any], Any], use_resource: bool, by_itself: bool) -> Callable[[], list[Any]]:
        def build() -> list[Any]:
            v = tf.Variable([1.0, 2.0, 3.0], use_resource=use_resource)
            u = write(v)
            return [*tf.gradients(u * u, u if by_itself else v)]

        return _run(tf, build)

    without = ("update", "min", "max", "a slice")
    found: Answers = {}
    for name, write in writes.items():
        answer = of(write, False, False)
        found[f"{name}, ref"] = raises(answer, "No gradient defined for operation") if name in without else answer
        found[f"{name}, ref, by itself"] = of(write, False, True)
        found[f"{name}, resource"] = of(write, True, False)
        found[f"{name}, resource, by itself"] = of(write, True, True)
    return found


def fetched(tf: Any) -> Answers:
    def together() -> Any:
        with tf.Graph().as_default(), tf.Session() as session:
            v = tf.Variable(1.0, use_resource=False)
            u = v.assign_add(5.0)
            with tf.control_dependencies([u]):
                w = v.assign_add(100.0)
            session.run(v.initializer)
            return session.run([u, w, v, tf.identity(v), tf.reshape(v, [1])])

    def fed(key: str) -> Callable[[], Any]:
        def answer() -> Any:
            with tf.Graph().as_default(), _first_control_flow(tf), tf.Session() as session:
                v = tf.Variable(1.0, use_resource=False)
                ys = [v + 1.0, tf.while_loop(lambda i: i < v, lambda i: i + v, [tf.constant(0.0)]), tf.cond(v > 2.0, lambda: v, lambda: -v)]
                session.run(v.initializer)
                return [session.run(ys, {v if key == "variable" else v.value(): 3.0}), session.run(ys)]

        return answer

    return {"with writes": together, "fed": fed("variable"), "value fed": fed("value")}


def printed(tf: Any) -> Answers:
    """Operations that take anything take a ref variable's value, not the variable."""

    def of(build: Callable[[Any], Any]) -> Callable[[], Any]:
        return _run(tf, lambda: build(_variable(tf, [1.0, 2.0])._ref()))

    return {
        "Print": of(lambda t: [tf.Print(t, [t]), tf.Print(1.0, [t])]),
        "py_func": of(lambda t: [tf.py_func(lambda x: x + 1, [t], tf.float32), tf.py_function(lambda x: x * 2.0, [t], tf.float32)]),
        "format": of(lambda t: [tf.strings.format("{}", t)]),
        "identity_n": of(lambda t: tf.identity_n([t, 2.0 * t])),
        "switch": of(lambda t: [tf.raw_ops.Switch(data=t, pred=True).output_true]),
        "branches": of(lambda t: [tf.cond(tf.constant(True), lambda: 2.0 * t, lambda: t + 1.0)]),
    }


def written_twice(tf: Any) -> Answers:
    """What a write gives can be written again, once it is done."""

    def of(build: Callable[[Any], Any]) -> Callable[[], Any]:
        def answer() -> list[Any]:
            with tf.Graph().as_default(), tf.Session() as session:
                v = _variable(tf, [1.0, 2.0])
                session.run(v.initializer)
                return [session.run(build(v)), session.run(v)]

        return answer

    return {
        "assign": of(lambda v: tf.assign(tf.assign(v, [3.0, 4.0]), [5.0, 6.0])),
        "assign_add": of(lambda v: tf.assign_add(tf.assign(v, [3.0, 4.0]), [0.5, 5.0])),
        "assign_sub": of(lambda v: tf.assign_sub(v.assign_add([1.0, 1.0]), [0.5, 5.0])),
        "scatter_add": of(lambda v: tf.scatter_add(v.assign([1.0, 1.0]), [0], [5.0])),
        "scatter_nd_update": of(lambda v: tf.scatter_nd_update(tf.scatter_update(v, [1], [7.0]), [[0]], [5.0])),
        "three times": of(lambda v: tf.assign_add(tf.assign_add(tf.assign_add(v, [1.0, 1.0]), [1.0, 1.0]), [1.0, 2.0])),
        "not of a value": raises(of(lambda v: tf.assign(v + 1.0, [3.0, 4.0]))),
        "not of what was read": raises(of(lambda v: tf.assign(v.value(), [3.0, 4.0]))),
    }


def by_name(tf: Any) -> Answers:
    """The tensor of a variable's own operation, which programs look up in a graph: it is the variable's value wherever one is taken."""

    def of(build: Callable[[Any, Any], list[Any]]) -> Callable[[], Any]:
        def made() -> list[Any]:
            v = tf.get_variable("v", initializer=[1.0, 2.0], use_resource=False)
            return build(v, tf.get_default_graph().get_tensor_by_name("v:0"))

        return _run(tf, made)

    def after(v: Any, t: Any) -> list[Any]:
        with tf.control_dependencies([v.assign_add([1.0, 1.0])]):
            return [t * 2.0, tf.identity(t)]

    def trained() -> list[Any]:
        with tf.Graph().as_default(), tf.Session() as session:
            v = tf.get_variable("v", initializer=[1.0, 2.0], use_resource=False)
            t = tf.get_default_graph().get_tensor_by_name("v:0")
            step = tf.train.GradientDescentOptimizer(0.5).minimize(tf.reduce_sum(t * t))
            session.run(v.initializer)
            session.run(step)
            return [session.run(v), session.run("v:0")]

    def fed() -> list[Any]:
        with tf.Graph().as_default(), tf.Session() as session:
            v = tf.get_variable("v", initializer=[1.0, 2.0], use_resource=False)
            session.run(v.initializer)
            return [session.run(v * 2.0, {"v:0": [5.0, 6.0]}), session.run(v * 2.0, {v.op.outputs[0]: [7.0, 8.0]}), session.run(v)]

    def written(write: Callable[[Any], Any]) -> Callable[[], Any]:
        def answer() -> list[Any]:
            with tf.Graph().as_default() as graph, tf.Session() as session:
                v = tf.get_variable("v", initializer=[1.0, 2.0], use_resource=False)
                session.run(v.initializer)
                return [session.run(write(graph.get_tensor_by_name("v:0"))), session.run(v)]

        return answer

    def resource() -> Any:
        v = tf.get_variable("r", initializer=[1.0, 2.0], use_resource=True)
        return tf.assign(tf.get_default_graph().get_tensor_by_name(v.name), [3.0, 4.0])

    return {
        "times": of(lambda v, t: [t * 2.0, 3.0 - t, t + t, t > 1.5]),
        "sum": of(lambda v, t: [tf.reduce_sum(t), tf.add_n([t, t]), tf.stack([t, v]), tf.concat([t, [3.0]], 0)]),
        "shape": of(lambda v, t: [tf.shape(t), tf.size(t), tf.zeros_like(t), tf.reshape(t, [2, 1])]),
        "rows": of(lambda v, t: [t[0], t[None], tf.gather(t, [1]), tf.nn.embedding_lookup(t, [0])]),
        "cast": of(lambda v, t: [tf.cast(t, tf.float64), tf.identity(t), tf.stop_gradient(t), tf.convert_to_tensor(t) * 1.0]),
        "chosen": of(lambda v, t: [tf.where([True, False], t, [7.0, 8.0])]),
        "product": of(lambda v, t: [tf.matmul([[1.0, 3.0]], tf.expand_dims(t, 1)), tf.nn.l2_loss(t)]),
        "gradient by the variable": of(lambda v, t: [tf.gradients(t * t * 3.0, v)[0]]),
        "gradient by the tensor": of(lambda v, t: [tf.gradients(v * v * 3.0, t)[0]]),
        "gradients by both": of(lambda v, t: tf.gradients(v * t * 3.0, [v, t])),
        "second": of(lambda v, t: [tf.hessians(tf.reduce_sum(t * t * v), v)[0]]),
        "cond": of(lambda v, t: [tf.cond(tf.constant(True), lambda: t * 2.0, lambda: t + 0.0)]),
        "gradient of cond": of(lambda v, t: [tf.gradients(tf.cond(tf.constant(True), lambda: t * t, lambda: t + 0.0), v)[0]]),
        "while_loop": of(lambda v, t: [tf.while_loop(lambda i, s: i < 3, lambda i, s: (i + 1, s * t), [0, tf.ones([2])])[1]]),
        "map_fn": of(lambda v, t: [tf.map_fn(lambda x: x * t, tf.ones([3, 2]))]),
        "after a write": of(after),
        "trained": trained,
        "fed": fed,
        "assign": written(lambda t: tf.assign(t, [3.0, 4.0])),
        "assign_add": written(lambda t: tf.assign_add(t, [3.0, 4.0])),
        "assign_sub": written(lambda t: tf.assign_sub(t, [3.0, 4.0])),
        "scatter_add": written(lambda t: tf.scatter_add(t, [0], [4.0])),
        "is_variable_initialized": written(tf.is_variable_initialized),
        "assign to a resource": raises(resource),
    }


def dtypes_from_variables(tf: Any) -> Answers:
    """What a program makes of a ref variable's dtype is of its base."""
    v = tf.Variable([1.0, 2.0], use_resource=False)
    n = tf.Variable(1, use_resource=False)
    return {
        "get_variable": lambda: tf.get_variable("a", [2], v.dtype, use_resource=False).dtype,
        "get_variable, a resource": lambda: tf.get_variable("b", [2], v.dtype, use_resource=True).dtype,
        "get_variable of integers": lambda: tf.get_variable("c", [], n.dtype, tf.zeros_initializer(), use_resource=False).dtype,
        "found again": lambda: tf.get_variable("a", [2], v.dtype).dtype if tf.get_variable_scope().reuse_variables() is None else None,
        "placeholder": lambda: tf.placeholder(v.dtype, [2]).dtype,
        "placeholder of integers": lambda: tf.placeholder(n.dtype).dtype,
        "cast": lambda: [tf.cast(1, v.dtype).dtype, tf.cast(v, n.dtype).dtype],
        "zeros": lambda: [tf.zeros([2], v.dtype).dtype, tf.zeros_like(v).dtype, tf.ones([1], n.dtype).dtype, tf.constant(1.0, v.dtype).dtype],
        "the dtype": lambda: [str(v.dtype), v.dtype.name, v.dtype.as_datatype_enum, v.dtype.size, v.dtype.is_floating, n.dtype.is_integer],
        "compared": lambda: [v.dtype == tf.float32, v.dtype.base_dtype == tf.float32, v.dtype.is_compatible_with(tf.float32), v.dtype == tf.as_dtype("float32_ref")],
        "the other way": lambda: [tf.float32.is_compatible_with(v.dtype), v.dtype in (tf.float32, tf.float64), tf.as_dtype(101), tf.as_dtype("int32_ref")],
    }
