"""Sessions: what may be fetched and fed, what comes back, and what is refused."""

from __future__ import annotations

import collections
from typing import Any

import numpy as np

from tests.golden.programs.kit import ours, raised, raises

FACE = "v1"
Pair = collections.namedtuple("Pair", "first second")


def fetching(tf: Any) -> dict[str, Any]:
    a = tf.constant(1.0, name="a")
    v = tf.constant([1.0, 2.0], name="v")
    op = tf.no_op(name="nothing")
    slices = tf.IndexedSlices(tf.constant([5.0]), tf.constant([1]), tf.constant([3]))
    w = tf.Variable(7.0, name="w")
    s = tf.Session()
    s.run(tf.global_variables_initializer())
    pair = s.run(Pair(a, v))
    ordered = s.run(collections.OrderedDict([("z", a), ("y", v)]))
    sparse = s.run(slices)
    return {
        "scalar": lambda: s.run(a),
        "scalar type": lambda: type(s.run(a)).__name__,
        "vector": lambda: s.run(v),
        "vector type": lambda: type(s.run(v)).__name__,
        "op": lambda: s.run(op),
        "op and tensor": lambda: s.run([op, a]),
        "tensor by name": lambda: s.run("a:0"),
        "op by name": lambda: s.run("nothing"),
        "names in a list": lambda: s.run(["a:0", "v:0"]),
        "variable": lambda: s.run(w),
        "empty list": lambda: s.run([]),
        "empty tuple": lambda: type(s.run(())).__name__,
        "empty dict": lambda: s.run({}),
        "list": lambda: s.run([a, v]),
        "list type": lambda: type(s.run([a])).__name__,
        "tuple type": lambda: type(s.run((a, v))).__name__,
        "tuple": lambda: s.run((a, v)),
        "dict": lambda: s.run({"x": a, "y": v}),
        "namedtuple type": lambda: type(pair).__name__,
        "namedtuple": lambda: list(pair),
        "ordered dict": lambda: list(ordered),
        "ordered dict type": lambda: type(ordered).__name__,
        "nested": lambda: s.run([a, (v, {"k": [a, op]})]),
        "duplicates": lambda: s.run([a, a]),
        "sparse": lambda: sparse,
        "sparse type": lambda: type(sparse).__name__,
        "sparse parts": lambda: [sparse.values, sparse.indices, sparse.dense_shape],
        "slices in a dict": lambda: s.run({"s": slices})["s"],
        "string": lambda: s.run(tf.constant("hi")),
        "string vector": lambda: s.run(tf.constant(["a", "b"])),
        "bool scalar type": lambda: type(s.run(tf.constant(True))).__name__,
        "int scalar type": lambda: type(s.run(tf.constant(1))).__name__,
        "float64 scalar type": lambda: type(s.run(tf.constant(1.0, tf.float64))).__name__,
        "complex scalar type": lambda: type(s.run(tf.constant(1j))).__name__,
    }


def refused_fetches(tf: Any) -> dict[str, Any]:
    a = tf.constant(1.0, name="a")
    i = tf.constant(1, name="i")
    with tf.Graph().as_default():
        other = tf.constant(1.0)
        empty = tf.Session(graph=tf.Graph())
    s = tf.Session()
    closed = tf.Session()
    closed.close()
    gradient = tf.gradients(tf.stop_gradient(a), a)
    return {
        "None": raises(lambda: s.run(None), "None", "fetch"),
        "None in a list": raises(lambda: s.run([a, None]), "None"),
        "a gradient that is None": raises(lambda: s.run(gradient), "None"),
        "None in a dict": raises(lambda: s.run({"k": None}), "None"),
        "a number": raises(lambda: s.run(3), "3", "int"),
        "an array": raises(lambda: s.run(np.ones(2))),
        "a missing tensor": raises(lambda: s.run("nope:0"), "nope:0"),
        "a missing op": raises(lambda: s.run("nope"), "nope"),
        "a missing output": raises(lambda: s.run("a:1"), "a:1"),
        "another graph's tensor": raises(lambda: s.run(other), "graph"),
        "an empty graph": raises(lambda: empty.run([]), "empty"),
        "a closed session": raises(lambda: closed.run(a), "closed"),
        "eval without a session": raises(lambda: a.eval(), "session"),
        "run without a session": raises(lambda: a.op.run(), "session"),
        "integer gradient of a float": ours(
            raised("TypeError", says=("None",)), raises(lambda: s.run(tf.gradients(tf.cast(i, tf.float32), i)))
        ),
    }


def feeding(tf: Any) -> dict[str, Any]:
    """What is fed counts, also where TensorFlow 2.21 has folded a constant too early and forgets the feed."""
    p = tf.placeholder(tf.float32, [2], name="p")
    free = tf.placeholder(tf.float32, name="free")
    rows = tf.placeholder(tf.float32, [None, 2], name="rows")
    i = tf.placeholder(tf.int32, [], name="i")
    default = tf.placeholder_with_default([1.0, 2.0], [2], name="default")
    sizes = tf.placeholder_with_default([2, 3], [2])
    shaped = tf.reshape(tf.range(6), sizes * 1)
    x = tf.constant(3.0, name="x")
    y = x * x
    z = y + 1.0
    v = tf.Variable(5.0, name="v")
    s = tf.Session()
    s.run(tf.global_variables_initializer())
    return {
        "default sizes": lambda: [shaped.shape, tf.get_static_value(sizes), s.run(shaped), s.run(shaped, {sizes: [3, 2]})],
        "list": lambda: s.run(p * 2.0, {p: [1.0, 2.0]}),
        "array": lambda: s.run(p * 2.0, {p: np.array([1, 2], np.float32)}),
        "float64 array": lambda: s.run(p * 2.0, {p: np.array([1, 2], np.float64)}),
        "integer array": lambda: s.run(p * 2.0, {p: np.array([1, 2])}),
        "by name": lambda: s.run(p * 2.0, {"p:0": [1.0, 2.0]}),
        "keyword": lambda: s.run(p * 2.0, feed_dict={p: [1.0, 2.0]}),
        "unknown shape": lambda: s.run(free * 2.0, {free: [[1.0]]}),
        "unknown rows": lambda: s.run(tf.reduce_sum(rows, 0), {rows: [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]}),
        "no rows": lambda: s.run(tf.reduce_sum(rows, 0), {rows: np.zeros([0, 2])}),
        "default": lambda: s.run(default * 2.0),
        "default replaced": lambda: s.run(default * 2.0, {default: [5.0, 5.0]}),
        "a constant": lambda: s.run(z, {x: 4.0}),
        "an intermediate": ours(np.float32(101.0), lambda: s.run(z, {y: 100.0})),
        "an intermediate and its source": ours([np.array(100.0, np.float32), np.float32(101.0)], lambda: s.run([y, z], {y: 100.0, x: 1.0})),
        "a gradient uses what is fed": lambda: s.run(tf.gradients(z, x), {x: 5.0}),
        "an intermediate in a gradient": ours([np.float32(120.0)], lambda: s.run(tf.gradients(y * y, x), {y: 10.0})),
        "fed and fetched": lambda: s.run(x, {x: 8.0}),
        "fed and fetched type": lambda: type(s.run(x, {x: 8.0})).__name__,
        "a variable": lambda: s.run(v * 2.0, {v: 11.0}),
        "a variable keeps its value": lambda: s.run(v),
        "floats for integers are truncated": lambda: s.run(i, {i: 1.5}),
        "bool for float": lambda: s.run(x + 0.0, {x: True}),
        "empty feed": lambda: s.run(x, {}),
        "feed None": lambda: s.run(x, None),
        "tuple key": lambda: s.run(z, {(x,): (2.0,)}),
        "float16": lambda: s.run(x + 0.0, {x: np.float16(1.5)}),
    }


def refused_feeds(tf: Any) -> dict[str, Any]:
    p = tf.placeholder(tf.float32, [2], name="p")
    rows = tf.placeholder(tf.float32, [None, 2], name="rows")
    i = tf.placeholder(tf.int32, [], name="i")
    with tf.Graph().as_default():
        other = tf.constant(1.0)
    s = tf.Session()
    return {
        "missing": raises(lambda: s.run(p * 2.0), "p", "feed"),
        "missing fetch": raises(lambda: s.run(p), "p", "feed"),
        "wrong length": raises(lambda: s.run(p, {p: [1.0, 2.0, 3.0]}), "(3,)", "(2,)", "p:0"),
        "wrong rank": raises(lambda: s.run(p, {p: 1.0}), "()", "(2,)"),
        "wrong columns": raises(lambda: s.run(rows, {rows: [[1.0]]}), "(1, 1)", "2)"),
        "None": raises(lambda: s.run(p, {p: None}), "p:0"),
        "a tensor": raises(lambda: s.run(p, {p: tf.ones([2])}), "tensor"),
        "a number as key": raises(lambda: s.run(p, {3.0: 1.0}), "float"),
        "an unknown name as key": raises(lambda: s.run(p, {"nope:0": 1.0}), "nope"),
        "another graph's key": raises(lambda: s.run(p, {other: 1.0, p: [1.0, 2.0]}), "graph"),
        "too large an integer": raises(lambda: s.run(i, {i: 2**40}), str(2**40), "int32"),
        "text": raises(lambda: s.run(p, {p: ["a", "b"]}), "a"),
        "ragged": raises(lambda: s.run(rows, {rows: [[1.0, 2.0], [3.0]]})),
        "a list for the dictionary": raises(lambda: s.run(p, [p, 1.0])),
    }


def sessions(tf: Any) -> dict[str, Any]:
    a = tf.constant(2.0)
    v = tf.Variable(1.0)
    add = v.assign_add(1.0)
    init = tf.global_variables_initializer()
    found: dict[str, Any] = {"no default": tf.get_default_session()}
    with tf.Session() as s:
        found["default in the block"] = tf.get_default_session() is s
        found["eval"] = a.eval()
        found["eval of a sum"] = (a + 1.0).eval()
        init.run()
        found["variable eval"] = v.eval()
        found["op run"] = add.op.run()
        found["after an assign"] = v.eval()
        found["assign gives the new value"] = s.run(add)
        found["graph"] = s.graph is tf.get_default_graph()
    t = tf.Session()
    t.run(init)
    with t.as_default():
        found["as_default"] = a.eval()
        found["another session has its own variables"] = v.eval()
    found["eval with a session"] = a.eval(session=t)
    found["eval with a feed"] = (a * 3.0).eval({a: 5.0}, session=t)
    i = tf.InteractiveSession()
    found["interactive"] = a.eval()
    i.close()
    fresh = tf.Session()
    found["uninitialised"] = raises(lambda: fresh.run(v), "Variable")
    found["uninitialised in a gradient"] = raises(lambda: fresh.run(tf.gradients(v * v, v)), "Variable")
    found["is_variable_initialized"] = [x.item() for x in (fresh.run(tf.is_variable_initialized(v)), t.run(tf.is_variable_initialized(v)))]
    found["report_uninitialized_variables"] = fresh.run(tf.report_uninitialized_variables())
    return found


def devices(tf: Any) -> dict[str, Any]:
    first = tf.Session().list_devices()[0]
    return {
        "device": [first.name, first.device_type, first.memory_limit_bytes],
        "no configuration": raises(lambda: tf.Session(config=3), "must be a tf.ConfigProto"),
        "no graph": raises(lambda: tf.Session(graph="g"), "must be a tf.Graph"),
        "a target": raises(lambda: tf.Session(tf.Graph())),
    }


def reset(tf: Any) -> dict[str, Any]:
    v = tf.Variable(1.0, use_resource=True)
    value = v.value()

    def after(containers: Any) -> Any:
        session = tf.Session()
        session.run(v.initializer)
        before = session.run(value)
        return session, [before, tf.Session.reset("", containers)]

    def begun_anew() -> Any:
        after(None)
        with tf.Session() as session:
            session.run(v.initializer)
            return session.run(value)

    return {
        "nothing comes back": lambda: after(None)[1],
        "a session is closed": raises(lambda: after(None)[0].run(value), "closed", otherwise=("RuntimeError",)),
        "of a container": raises(lambda: after(["mine"])[0].run(value), "closed", otherwise=("RuntimeError",)),
        "a new one": begun_anew,
    }


def order_and_state(tf: Any) -> dict[str, Any]:
    v = tf.Variable([1.0, 2.0], name="v")
    c = tf.Variable(0, name="count", trainable=False)
    with tf.control_dependencies([v.assign([5.0, 6.0])]):
        after = tf.identity(v.read_value())
    with tf.control_dependencies([c.assign_add(1)]):
        ticked = tf.identity(3.0)
    both = tf.group(v.assign(v + 1.0), c.assign_add(10))
    s = tf.Session()
    s.run(tf.global_variables_initializer())
    found = {
        "control dependencies run first": lambda: s.run(after),
        "only what is fetched runs": lambda: s.run(c),
        "a dependency of what is fetched runs": lambda: s.run([ticked, c.assign_add(0)])[0],
        "count": lambda: s.run(c),
        "group returns None": lambda: s.run(both),
        "group ran both": lambda: s.run([v, c]),
        "tuple": lambda: s.run(tf.tuple([v + 0.0, c + 0])),
        "one run, one assignment": lambda: s.run([v.assign_add([1.0, 1.0])] * 2),
        "after": lambda: s.run(v),
    }
    found["static shape error"] = raises(lambda: tf.reshape(tf.ones([2]), [3]))
    return found


def failed_runs_change_nothing(tf: Any) -> dict[str, Any]:
    p = tf.placeholder(tf.float32, None)
    v = tf.Variable([1.0, 2.0], use_resource=True)
    update = v.assign_add(tf.reshape(p, [2]))
    s = tf.Session()
    s.run(tf.global_variables_initializer())
    return {
        "the failure": raises(lambda: s.run(update, {p: [1.0, 2.0, 3.0]}), "reshape"),
        "the value": lambda: s.run(v),
        "a good run": lambda: s.run(update, {p: [1.0, 2.0]}),
        "the new value": lambda: s.run(v),
    }


def partial_runs(tf: Any) -> dict[str, Any]:
    a, b, c = (tf.placeholder(tf.float32, [], name=n) for n in "abc")
    add = tf.add(a, b, name="add")
    mul = tf.multiply(add, c, name="mul")
    draw = tf.random_uniform([])
    twice = draw * c
    v = tf.Variable(1.0, name="v", use_resource=False)
    w = tf.Variable(1.0, name="w", use_resource=True)
    more = [x.assign_add(a) for x in (v, w)]
    sparse = tf.sparse_placeholder(tf.float32)
    dense = tf.sparse.to_dense(sparse)
    above = a + 1.0
    with tf.control_dependencies([c]):
        waits = tf.identity(a)

    def session() -> Any:
        s = tf.Session()
        s.run(tf.global_variables_initializer())
        return s

    def parts(fetches: Any, feeds: Any, *calls: Any, error: str = "") -> Any:
        def answer() -> Any:
            s = session()
            handle = s.partial_run_setup(fetches, feeds)
            return [s.partial_run(handle, *call) for call in calls]

        return raises(answer, error) if error else answer

    def once() -> bool:
        s = session()
        handle = s.partial_run_setup([draw, twice], [c])
        return bool(s.partial_run(handle, draw) == s.partial_run(handle, twice, {c: 1.0}))

    def goes_on() -> list[Any]:
        """A call that is refused changes nothing; variables are written as soon as what they read is fed."""
        s = session()
        handle = s.partial_run_setup([add, mul, *more], [a, b, c])
        first = s.partial_run(handle, [], {a: 1.0})
        refused = raises(lambda: s.partial_run(handle, mul, {b: 2.0}), "can't be computed from the feeds that have been fed so far")()
        written = s.partial_run(handle, more)
        last = s.partial_run(handle, [add, mul], {b: 2.0, c: 3.0})
        return [first, refused["raises"], written, last, s.run([v, w])]

    def operation() -> list[Any]:
        s = session()
        handle = s.partial_run_setup([add, *(x.op for x in more)], [a, b])
        return [s.partial_run(handle, add, {a: 1.0, b: 2.0}), s.run([v, w])]

    def two_at_once() -> list[Any]:
        s = session()
        handles = [s.partial_run_setup([add, mul], [a, b, c]) for _ in range(2)]
        first = [s.partial_run(h, add, {a: float(i), b: 2.0}) for i, h in enumerate(handles)]
        return [*first, *(s.partial_run(h, mul, {c: 10.0}) for h in reversed(handles)), len(set(handles))]

    three = [a, b, c]
    return {
        "two calls": parts([add, mul], three, (add, {a: 1.0, b: 2.0}), (mul, {c: 10.0})),
        "names": parts(["add:0", "mul:0"], ["a:0", b, "c:0"], ("add:0", {"a:0": 1.0, b: 2.0}), ({"k": mul}, {c: 10.0})),
        "feeds first": parts([add, mul], three, ([], {a: 1.0, b: 2.0}), ([add, (mul, mul)], {c: 10.0})),
        "fed in the middle": parts([mul], [add, c], (mul, {add: 10.0, c: 2.0})),
        "one of each": parts({"k": add}, (a, b), (add, {a: 1.0, b: 2.0})),
        "a feed alone": parts(above, a, (above, {a: 1.0})),
        "no feeds": parts([v, w], None, ([w, v],)),
        "a sparse tensor": parts([dense], [sparse], (dense, {sparse: tf.SparseTensorValue([[0]], [3.0], [2])})),
        "a ref variable": parts([v, more[0], mul], three, (v, {a: 1.0}), ([more[0], mul], {b: 2.0, c: 1.0})),
        "told to wait": parts([waits, above], [a, c], (above, {a: 2.0}), (waits, {c: 1.0})),
        "once": once,
        "goes on": goes_on,
        "operation": operation,
        "two at once": two_at_once,
        "fetched again": parts([add, mul], three, (add, {a: 1.0, b: 2.0}), (add,), error="The fetch add:0 has already been fetched"),
        "fed again": parts([add, mul], three, (add, {a: 1.0, b: 2.0}), (mul, {a: 1.0, c: 1.0}), error="The feed a:0 has already been fed"),
        "not a feed": parts([add], [a, b], (add, {a: 1.0, b: 2.0, c: 1.0}), error="The feed c:0 was not specified in partial_run_setup"),
        "not a fetch": parts([add], [a, b], (mul, {a: 1.0, b: 2.0}), error="The fetch mul:0 was not specified in partial_run_setup"),
        "too few feeds": parts([mul], three, (mul, {a: 1.0, b: 2.0}), error="can't be computed from the feeds that have been fed so far"),
        "after the end": parts([add], [a, b], (add, {a: 1.0, b: 2.0}), (add,), error="Must run 'setup' before performing partial runs"),
        "no such run": raises(lambda: session().partial_run("none", add, {a: 1.0, b: 2.0}), "Must run 'setup'"),
        "an operation fetched": parts([add], [a, b], (add.op, {a: 1.0, b: 2.0}), error="partial_run() requires empty `target_list`"),
        "nothing": parts([], [a], error="Must specify at least one target to fetch or execute"),
        "twice a feed": parts([add], [a, b, a], error='Endpoint "a:0" fed more than once'),
        "fed and fetched": parts([add, mul], [*three, add], error="add:0 is both fed and fetched"),
        # TensorFlow looks for the `message` of its own TypeError, and raises AttributeError.
        "a number to feed": ours(raised("TypeError", says=("Can not convert a int",)), parts([add], [3], error="int")),
        "a wrong shape": parts([add], [a, b], (add, {a: [1.0, 2.0], b: 1.0}), error="Cannot feed value of shape (2,) for Tensor a:0"),
    }  # fmt: skip


def strings_fed(tf: Any) -> dict[str, Any]:
    words, rows = tf.placeholder(tf.string), tf.placeholder(tf.string, [None])
    same = tf.identity(words)
    s = tf.Session()
    values = {
        "text": "\xe9", "bytes": b"x", "array of text": np.array(["a", "b"]), "array of bytes": np.array([b"a", b"b\0c"]), "list": ["a", "\xe9", b"\xff"],
        "matrix": [["a"], ["b"]], "NumPy's text": np.str_("a"), "nothing": [], "no rows": np.zeros([0, 2]),
    }  # fmt: skip
    wrong = {"integer": 3, "truth value": True, "float": 3.5, "integers": [3], "mixed": ["a", 3], "an array": np.array([1.5]), "None among them": ["a", None]}
    answers: dict[str, Any] = {f"{name}, read": lambda value=value: s.run(same, {words: value}) for name, value in values.items()}
    for name, value in values.items():
        answers[f"{name}, as fed"] = lambda value=value: repr(s.run(words, {words: value}))
    answers |= {f"{name}, refused": raises(lambda value=value: s.run(same, {words: value})) for name, value in wrong.items()}
    return answers | {
        "type": lambda: [type(s.run(fetch, {words: "a"})).__name__ for fetch in (words, same)],
        "in a structure": lambda: repr(s.run({"a": rows, "b": (rows, rows[0])}, {rows: ["a", "\xe9"]})),
        "in the middle": lambda: repr(s.run(same, {same: "\xe9"})),
        "by name": lambda: repr(s.run([words.name, same], {words.name: "\xe9"})),
        "a wrong shape": raises(lambda: s.run(rows, {rows: "a"}), "Cannot feed value of shape ()"),
    }
