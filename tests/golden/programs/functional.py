"""map_fn, scan, foldl and foldr: structures, dtypes, static shapes, options and refusals."""

from __future__ import annotations

from typing import Any

from tests.golden.programs.kit import raises

FACE = "v2"


def answers(tf: Any) -> dict[str, Any]:
    x = tf.constant([1.0, 2.0, 3.0])
    n = tf.constant([1, 2, 3])
    m = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    none = tf.zeros([0, 2])
    return {
        "map_fn to another dtype": lambda: tf.map_fn(lambda t: tf.cast(t, tf.float32) / 2.0, n, fn_output_signature=tf.float32),
        "map_fn to booleans": lambda: tf.map_fn(lambda t: t > 1.0, x, dtype=tf.bool),
        "map_fn of integers": lambda: tf.map_fn(lambda t: t * t, n),
        "map_fn of strings": lambda: tf.map_fn(lambda s: s, tf.constant(["a", "bc"])),
        "map_fn of a Python list": lambda: tf.map_fn(lambda t: t[0] + t[1], [x, x], fn_output_signature=tf.float32),
        "map_fn of a dictionary": lambda: tf.map_fn(lambda t: t["a"] * t["b"], {"a": x, "b": x}, fn_output_signature=tf.float32),
        "map_fn to a dictionary": lambda: tf.map_fn(lambda t: {"p": t, "q": -t}, x, fn_output_signature={"p": tf.float32, "q": tf.float32}),
        "map_fn to a list": lambda: tf.map_fn(lambda t: [t, 2.0 * t], x, fn_output_signature=[tf.float32, tf.float32]),
        "map_fn of rows": lambda: tf.map_fn(tf.reduce_sum, m),
        "map_fn to rows": lambda: tf.map_fn(lambda t: tf.stack([t, t]), x),
        "map_fn of nothing": lambda: tf.map_fn(lambda row: row * 2.0, none),
        "map_fn, a spec": lambda: tf.map_fn(lambda t: tf.stack([t, t]), x, fn_output_signature=tf.TensorSpec([2], tf.float32)),
        "map_fn, a Python number": lambda: tf.map_fn(lambda t: 1.0, x),
        "map_fn of an array": lambda: tf.map_fn(lambda t: t + 1.0, x.numpy()),
        "scan of integers": lambda: tf.scan(lambda a, t: a + t, n),
        "scan to integers": lambda: tf.scan(lambda a, t: a + tf.cast(t, tf.int32), x, initializer=10),
        "scan in reverse": lambda: tf.scan(lambda a, t: a + t, n, reverse=True),
        "scan in reverse, initializer": lambda: tf.scan(lambda a, t: a - t, n, initializer=100, reverse=True),
        "scan of rows": lambda: tf.scan(lambda a, row: a + row, m),
        "scan of a pair": lambda: tf.scan(lambda a, t: (a[0] + t[0], a[1] * t[1]), (n, n)),
        "scan to a dictionary": lambda: tf.scan(lambda a, t: {"s": a["s"] + t}, n, initializer={"s": 0}),
        "scan, the number of steps": lambda: tf.scan(lambda a, _: a * 2, tf.range(5), initializer=1),
        "scan of one": lambda: tf.scan(lambda a, t: a + t, tf.constant([7])),
        "foldl of integers": lambda: tf.foldl(lambda a, t: a * 10 + t, n),
        "foldr of integers": lambda: tf.foldr(lambda a, t: a * 10 + t, n),
        "foldl, initializer": lambda: tf.foldl(lambda a, t: a * 10 + t, n, initializer=9),
        "foldr, initializer": lambda: tf.foldr(lambda a, t: a * 10 + t, n, initializer=9),
        "foldl to a pair": lambda: tf.foldl(lambda a, t: (a[0] + t, a[1] * t), n, initializer=(0, 1)),
        "foldl of a pair": lambda: tf.foldl(lambda a, t: a + t[0] * t[1], (n, n), initializer=0),
        "foldl of rows": lambda: tf.foldl(lambda a, row: a + row, m),
        "foldr of one": lambda: tf.foldr(lambda a, t: a + t, tf.constant([7])),
    }


def without_gradient(tf: Any) -> dict[str, Any]:
    x = tf.constant([1.0, 2.0, 3.0])

    def of(f: Any) -> Any:
        with tf.GradientTape() as t:
            t.watch(x)
            y = f(x)
        return t.gradient(y, x)

    return {
        "integers": lambda: of(lambda x: tf.map_fn(lambda t: tf.cast(t, tf.int32), x, fn_output_signature=tf.int32)),
        "constants": lambda: of(lambda x: tf.map_fn(lambda t: tf.constant(1.0), x)),
        "only some": lambda: of(lambda x: tf.map_fn(lambda t: tf.stop_gradient(t) * t, x)),
        "elements, not the rest": lambda: of(lambda x: tf.map_fn(lambda t: t * tf.stop_gradient(x[0]), x)),
    }


def static_shapes(tf: Any) -> dict[str, Any]:
    v1 = tf.compat.v1

    def shape(f: Any, dims: Any, dtype: Any = None) -> Any:
        with tf.Graph().as_default():
            return f(v1.placeholder(dtype or tf.float32, dims)).shape

    return {
        "map_fn": lambda: shape(lambda x: tf.map_fn(lambda t: t * 2.0, x), [3, 2]),
        "map_fn, unknown count": lambda: shape(lambda x: tf.map_fn(lambda t: t * 2.0, x), [None, 2]),
        "map_fn to more": lambda: shape(lambda x: tf.map_fn(lambda t: tf.stack([t, t]), x), [3]),
        "map_fn, a spec": lambda: shape(lambda x: tf.map_fn(lambda t: t, x, fn_output_signature=tf.TensorSpec([None], tf.float32)), [3, 2]),
        "scan": lambda: shape(lambda x: tf.scan(lambda a, t: a + t, x), [3, 2]),
        "scan, unknown count": lambda: shape(lambda x: tf.scan(lambda a, t: a + t, x), [None, 2]),
        "foldl": lambda: shape(lambda x: tf.foldl(lambda a, t: a + t, x), [3, 2]),
        "stack after a loop": lambda: shape(lambda x: _filled(tf, x).stack(), [2]),
        "gather after a loop": lambda: shape(lambda x: _filled(tf, x).gather([0, 1]), [2]),
        "concat after a loop": lambda: shape(lambda x: _filled(tf, x).concat(), [2]),
        "read after a loop": lambda: shape(lambda x: _filled(tf, x).read(0), [2]),
    }


def _filled(tf: Any, x: Any) -> Any:
    ta = tf.TensorArray(tf.float32, 3, element_shape=[2])
    return tf.while_loop(lambda i, ta: i < 3, lambda i, ta: (i + 1, ta.write(i, x)), (tf.constant(0), ta))[1]


def refusals(tf: Any) -> dict[str, Any]:
    x = tf.constant([1.0, 2.0, 3.0])

    def in_graph(f: Any) -> Any:
        with tf.Graph().as_default():
            f(tf.constant([1.0, 2.0, 3.0]))

    return {
        "map_fn, no function": raises(lambda: tf.map_fn(1, x), otherwise=("TypeError",)),
        "map_fn, no elems": raises(lambda: tf.map_fn(lambda t: t, [])),
        "map_fn of a scalar": raises(lambda: tf.map_fn(lambda t: t, tf.constant(1.0))),
        "map_fn, other sizes": raises(lambda: tf.map_fn(lambda t: t[0], (x, tf.zeros([2])), fn_output_signature=tf.float32)),
        "map_fn, another structure": raises(lambda: tf.map_fn(lambda t: (t, t), x)),
        "scan, no function": raises(lambda: tf.scan(1, x), otherwise=("TypeError",)),
        "scan, no elems": raises(lambda: tf.scan(lambda a, t: a, []), otherwise=("ValueError",)),
        "scan, another structure": raises(lambda: tf.scan(lambda a, t: (a, t), x)),
        "scan, another shape, graph": raises(lambda: in_graph(lambda x: tf.scan(lambda a, t: tf.stack([a, t]), x))),
        "scan, other sizes": raises(lambda: tf.scan(lambda a, t: a, (x, tf.zeros([2])), initializer=0.0), otherwise=("ValueError",)),
        "foldl, no function": raises(lambda: tf.foldl(1, x), otherwise=("TypeError",)),
        "foldl, no elems": raises(lambda: tf.foldl(lambda a, t: a, []), otherwise=("ValueError",)),
        "foldl, another structure": raises(lambda: tf.foldl(lambda a, t: (a, t), x)),
        "foldr, no function": raises(lambda: tf.foldr(1, x), otherwise=("TypeError",)),
        "foldr, another dtype, graph": raises(lambda: in_graph(lambda x: tf.foldr(lambda a, t: tf.cast(a, tf.int32), x))),
    }


def _later(f: Any, x: Any) -> Any:
    return lambda: f(x)


def array_refusals(tf: Any) -> dict[str, Any]:
    v1 = tf.compat.v1

    def ta(**options: Any) -> Any:
        return tf.TensorArray(tf.float32, **{"size": 3, **options})

    def in_graph(f: Any) -> Any:
        with tf.Graph().as_default():
            y = f()
            with v1.Session() as session:
                return session.run(y)

    def full() -> Any:
        return ta().unstack([1.0, 2.0, 3.0])

    def read_twice(**options: Any) -> Any:
        array = ta(**options).unstack([1.0, 2.0, 3.0])
        return array.read(0) + array.read(0)

    both: dict[str, Any] = {
        "write past the end": (lambda: ta().write(3, 1.0).stack(), "3"),
        "write at -1": (lambda: ta().write(-1, 1.0).stack(), "-1"),
        "read past the end": (lambda: full().read(5), "5"),
        "read at -1": (lambda: full().read(-1), "-1"),
        "another dtype": (lambda: ta().write(0, tf.constant(1)).stack(), "float", "int32"),
        "another shape": (lambda: ta().write(0, 1.0).write(1, [1.0, 2.0]).stack(), "(2,)", "()"),
        "another shape than given": (lambda: ta(element_shape=[2]).write(0, 1.0).stack(), "(2,)", "()"),
        "pieces longer than the whole": (lambda: ta(infer_shape=False).split([1.0, 2.0, 3.0], [1, 0, 1]).read(2), "3"),
        "a scalar in pieces": (lambda: ta(infer_shape=False).split(1.0, [1, 0, 2]).read(2),),
        "scalars joined": (lambda: full().concat(),),
    }
    found: dict[str, Any] = {}
    for label, (f, *says) in both.items():
        found[label] = raises(f, *says)
        found[f"{label}, graph"] = raises(_later(in_graph, f), *says)
    return found | {
        "read twice": raises(read_twice, "0", "cleared", "clear_after_read"),
        "read twice, kept": lambda: read_twice(clear_after_read=False),
        "read twice, graph": lambda: in_graph(read_twice),
        "written twice": lambda: ta().write(0, 1.0).write(0, 2.0).write(1, 3.0).write(2, 4.0).stack(),
        "written twice, graph": lambda: in_graph(lambda: ta().write(0, 1.0).write(0, 2.0).write(1, 3.0).write(2, 4.0).stack()),
        "never written, graph": raises(lambda: in_graph(lambda: ta().read(1)), "element_shape"),
        "never written, shape known": lambda: ta(element_shape=[2]).read(1),
        "partly written": lambda: ta().write(1, 1.0).stack(),
        "partly written, graph": lambda: in_graph(lambda: ta().write(1, 1.0).stack()),
        "nothing written, graph": raises(lambda: in_graph(lambda: ta().stack()), "uninitialized"),
        "of no size": raises(lambda: tf.TensorArray(tf.float32), "size"),
        "of negative size, graph": raises(lambda: in_graph(lambda: ta(size=-1).stack()), "-1"),
        "gather past the end, graph": raises(lambda: in_graph(lambda: full().gather([2, 3])), "3"),
        "more rows than places": raises(lambda: ta(size=2).unstack([1.0, 2.0, 3.0]), "3", "2"),
        "more rows than places, graph": raises(lambda: in_graph(lambda: ta(size=2).unstack([1.0, 2.0, 3.0]).stack()), "3", "2"),
        "more pieces than places": raises(lambda: ta(infer_shape=False).split([1.0, 2.0, 3.0], [1, 2])),
        "scatter past the end": raises(lambda: ta().scatter([2, 3], [1.0, 2.0]), "3"),
        "grad": raises(lambda: ta().grad("x")),
    }
