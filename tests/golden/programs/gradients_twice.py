"""First and second gradients of one, and of all, of three inputs through control flow: a number, a zero or None.

An answer tells for each first gradient (`a b c`: asked for by itself; `A B C`: for all three at once) that it is None, or what its own
gradients by a, b and c are: `x` a number, `0` zero, `N` None.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.golden.programs.kit import Answers

FACE = "v2"
Body = Callable[[Any, Any, Any], Any]
Flow = Callable[[Body, Any, Any, Any, Any], Any]
VALUES = 0.7, 1.2, 0.4


def _bodies(tf: Any) -> dict[str, Body]:
    return {
        "a": lambda a, b, c: tf.identity(a),
        "2a": lambda a, b, c: 2.0 * a,
        "a + b": lambda a, b, c: a + b,
        "a b": lambda a, b, c: a * b,
        "sin a": lambda a, b, c: tf.sin(a),
        "a + b c": lambda a, b, c: a + b * c,
        "b + sin a": lambda a, b, c: tf.sin(a) + b,
        "held a b": lambda a, b, c: tf.stop_gradient(a) * b,
        "a constant": lambda a, b, c: tf.constant(1.5),
    }


def _loop(tf: Any, step: Callable[[Any], Any], start: Any) -> Any:
    return tf.while_loop(lambda i, s: i < 2, lambda i, s: (i + 1, step(s)), [tf.constant(0), start])[1]


def _calls(tf: Any) -> dict[str, Flow]:
    """Through functions."""

    def function(f: Callable[..., Any]) -> Any:
        return tf.function(f, autograph=False)

    return {
        "function": lambda f, a, b, c, p: function(f)(a, b, c),
        "function of captures": lambda f, a, b, c, p: function(lambda: f(a, b, c))(),
        "first of two results": lambda f, a, b, c, p: function(lambda a, b, c: (f(a, b, c), tf.sin(b) * c))(a, b, c)[0],
        "function in a function": lambda f, a, b, c, p: function(lambda a, b, c: 2.0 * function(f)(a, b, c))(a, b, c),
        "function with a cond": lambda f, a, b, c, p: function(lambda a, b, c: tf.cond(p, lambda: f(a, b, c), lambda: tf.identity(a)))(
            a, b, c
        ),
        "function with a loop": lambda f, a, b, c, p: function(lambda a, b, c: _loop(tf, lambda s: f(s, b, c), a))(a, b, c),
        "function with a map": lambda f, a, b, c, p: function(
            lambda a, b, c: tf.reduce_sum(tf.map_fn(lambda x: f(x, b, c), tf.stack([a, 1.0])))
        )(a, b, c),
        "function that clips": lambda f, a, b, c, p: function(lambda a, b, c: tf.clip_by_value(f(a, b, c), -9.0, b))(a, b, c),
        "function in a loop": lambda f, a, b, c, p: _loop(tf, lambda s: function(f)(s, b, c), tf.identity(a)),
        "function in a cond": lambda f, a, b, c, p: tf.cond(p, lambda: function(f)(a, b, c), lambda: tf.identity(a)),
        "vectorized_map": lambda f, a, b, c, p: tf.reduce_sum(tf.vectorized_map(lambda x: f(x, b, c), tf.stack([a, 1.0]))),
    }


def _flows(tf: Any) -> dict[str, Flow]:
    """Through branches and loops."""
    return {
        "cond": lambda f, a, b, c, p: tf.cond(p, lambda: f(a, b, c), lambda: tf.identity(a)),
        "cond, not taken": lambda f, a, b, c, p: tf.cond(p, lambda: tf.identity(b), lambda: f(a, b, c)),
        "cond beside a sine": lambda f, a, b, c, p: tf.cond(p, lambda: f(a, b, c), lambda: tf.sin(c)),
        "case": lambda f, a, b, c, p: tf.case([(p, lambda: f(a, b, c)), (c > 9.0, lambda: b * b)], default=lambda: tf.identity(a)),
        "switch_case": lambda f, a, b, c, p: tf.switch_case(
            tf.cast(p, tf.int32), [lambda: tf.identity(a), lambda: f(a, b, c), lambda: b * c]
        ),
        "loop": lambda f, a, b, c, p: _loop(tf, lambda s: f(s, b, c), tf.identity(a)),
        "loop that adds": lambda f, a, b, c, p: _loop(tf, lambda s: s + f(a, b, c), tf.constant(0.5)),
        "loop that multiplies": lambda f, a, b, c, p: _loop(tf, lambda s: s * f(a, b, c), tf.constant(0.5)),
        "loop that sets": lambda f, a, b, c, p: _loop(tf, lambda s: f(a, b, c), tf.constant(0.5)),
        "second of two loop variables": lambda f, a, b, c, p: tf.while_loop(
            lambda i, s, r: i < 2, lambda i, s, r: (i + 1, f(s, b, c), 2.0 * r), [tf.constant(0), tf.identity(a), tf.identity(b)]
        )[2],
        "map_fn": lambda f, a, b, c, p: tf.reduce_sum(tf.map_fn(lambda x: f(x, b, c), tf.stack([a, 1.0]))),
        "scan": lambda f, a, b, c, p: tf.scan(lambda s, x: f(s, x, c), tf.stack([b, 1.0]), initializer=tf.identity(a))[-1],
        "foldl": lambda f, a, b, c, p: tf.foldl(lambda s, x: f(s, x, c), tf.stack([b, 1.0]), initializer=tf.identity(a)),
        "cond in a loop": lambda f, a, b, c, p: _loop(tf, lambda s: tf.cond(p, lambda: f(s, b, c), lambda: tf.identity(s)), tf.identity(a)),
        "loop in a cond": lambda f, a, b, c, p: tf.cond(p, lambda: _loop(tf, lambda s: f(s, b, c), tf.identity(a)), lambda: tf.identity(b)),
        "loop in a loop": lambda f, a, b, c, p: _loop(tf, lambda s: _loop(tf, lambda r: f(r, b, c), s), tf.identity(a)),
        "cond in a cond": lambda f, a, b, c, p: tf.cond(
            p, lambda: tf.cond(a > -9.0, lambda: f(a, b, c), lambda: tf.identity(a)), lambda: b * c
        ),
        "loop into an array": lambda f, a, b, c, p: tf.reduce_sum(
            tf.while_loop(
                lambda i, t: i < 2, lambda i, t: (i + 1, t.write(i, f(a, b, c))), [tf.constant(0), tf.TensorArray(tf.float32, 2)]
            )[1].stack()
        ),
        "switch and merge": lambda f, a, b, c, p: _merged(tf, f, [tf.raw_ops.Switch(data=t, pred=p) for t in (a, b, c)]),
    }


def _merged(tf: Any, f: Body, switched: list[Any]) -> Any:
    return tf.raw_ops.Merge(inputs=[tf.identity(switched[0].output_false), f(*[s.output_true for s in switched])]).output


def _describe(firsts: dict[str, Any], seconds: dict[str, list[Any]]) -> str:
    found = []
    for name, first in firsts.items():
        signs = ["N" if g is None else "x" if float(g) else "0" for g in seconds.get(name, ())]
        found.append(f"{name}:{'None' if first is None else ''.join(signs)}")
    return " ".join(found)


def _in_a_graph(tf: Any, flow: Flow, body: Body) -> str:
    v1 = tf.compat.v1
    with v1.Graph().as_default(), v1.Session() as session:
        xs = [tf.constant(value) for value in VALUES]
        y = flow(body, *xs, tf.constant(True))
        firsts = {name: v1.gradients(y, x)[0] for name, x in zip("abc", xs, strict=True)}
        firsts |= dict(zip("ABC", v1.gradients(y, xs), strict=True))
        seconds = {name: v1.gradients(g, xs) for name, g in firsts.items() if g is not None}
        live = {(name, i): g for name, gs in seconds.items() for i, g in enumerate(gs) if g is not None}
        values = session.run(live)
        return _describe(firsts, {name: [values.get((name, i)) for i in range(3)] for name in seconds})


def _by_tapes(tf: Any, flow: Flow, body: Body, narrow: bool) -> str:
    """A tape in a tape.  narrow: the inner one watches only what it is asked for."""
    xs, pred = [tf.constant(value) for value in VALUES], tf.constant(True)
    firsts: dict[str, Any] = {}
    seconds: dict[str, list[Any]] = {}
    for names, asked in [("a", xs[:1]), ("b", xs[1:2]), ("c", xs[2:]), ("ABC", xs)]:
        with tf.GradientTape(persistent=True) as outer:
            outer.watch(xs)
            with tf.GradientTape() as inner:
                inner.watch(asked if narrow else xs)
                y = flow(body, *xs, pred)
            found = dict(zip(names, inner.gradient(y, asked), strict=True))
        firsts |= found
        seconds |= {name: outer.gradient(g, xs) for name, g in found.items() if g is not None}
    return _describe(firsts, seconds)


def in_graphs(tf: Any) -> Answers:
    def each(flow: Flow) -> Any:
        return {label: _in_a_graph(tf, flow, body) for label, body in _bodies(tf).items()}

    return {label: (lambda flow=flow: each(flow)) for label, flow in (_calls(tf) | _flows(tf)).items()}


def in_graphs_of_version_1(tf: Any) -> Answers:
    """Conditionals of TensorFlow 1, which are switches; its loops have no second gradient there."""

    def each(flow: Flow) -> Any:
        tf.compat.v1.disable_control_flow_v2()
        try:
            return {label: _in_a_graph(tf, flow, body) for label, body in _bodies(tf).items()}
        finally:
            tf.compat.v1.enable_control_flow_v2()

    branches = ("cond", "cond, not taken", "cond beside a sine", "case", "switch_case", "cond in a cond", "switch and merge")
    return {label: (lambda flow=flow: each(flow)) for label, flow in _flows(tf).items() if label in branches}


def by_tapes(tf: Any) -> Answers:
    def each(flow: Flow, narrow: bool) -> Any:
        return {label: _by_tapes(tf, flow, body, narrow) for label, body in _bodies(tf).items()}

    found = {label: (lambda flow=flow: each(flow, False)) for label, flow in _calls(tf).items()}
    return found | {f"{label}, watched narrowly": (lambda flow=flow: each(flow, True)) for label, flow in _calls(tf).items()}


def _arrays(tf: Any) -> dict[str, Flow]:
    """Through arrays that are filled eagerly, whose elements are tensors by themselves."""

    def array(size: int = 2, **options: Any) -> Any:
        return tf.TensorArray(tf.float32, size, **options)

    def written(f: Body, a: Any, b: Any, c: Any, **options: Any) -> Any:
        return array(**options).write(0, f(a, b, c)).write(1, b)

    def read_twice(f: Body, elements: Any, c: Any) -> Any:
        return f(elements.read(0), elements.read(1), c)

    return {
        "stack": lambda f, a, b, c, p: tf.reduce_sum(written(f, a, b, c).stack()),
        "stack of one": lambda f, a, b, c, p: tf.reduce_sum(array().write(0, f(a, b, c)).stack()),
        "product": lambda f, a, b, c, p: tf.reduce_prod(written(f, a, b, c).stack()),
        "read": lambda f, a, b, c, p: written(f, a, b, c).read(0),
        "read of the other": lambda f, a, b, c, p: written(f, a, b, c).read(1),
        "read of both": lambda f, a, b, c, p: read_twice(f, written(f, a, b, c, clear_after_read=False), c),
        "gather of both": lambda f, a, b, c, p: f(tf.reduce_sum(written(f, a, b, c).gather([1, 0])), b, c),
        "split and read both": lambda f, a, b, c, p: read_twice(
            f, array(infer_shape=False).split(tf.stack([f(a, b, c), b]), [1, 1]), c
        ),
        "written twice": lambda f, a, b, c, p: written(f, a, b, c).write(1, tf.sin(c)).read(1),
        "gather": lambda f, a, b, c, p: tf.reduce_sum(written(f, a, b, c).gather([0])),
        "unstack and read": lambda f, a, b, c, p: f(array().unstack(tf.stack([a, b])).read(0), b, c),
        "unstack and read both": lambda f, a, b, c, p: read_twice(f, array().unstack(tf.stack([a, b])), c),
        "scatter": lambda f, a, b, c, p: tf.reduce_sum(array().scatter([1, 0], tf.stack([f(a, b, c), c])).stack()),
        "split and concat": lambda f, a, b, c, p: f(
            tf.reduce_sum(array(infer_shape=False).split(tf.stack([a, b, c]), [1, 2]).concat()), b, c
        ),
        "dynamic": lambda f, a, b, c, p: tf.reduce_sum(array(0, dynamic_size=True).write(0, f(a, b, c)).write(1, b).stack()),
        "hole": lambda f, a, b, c, p: tf.reduce_sum(array(3, element_shape=[]).write(0, f(a, b, c)).write(2, b).stack()),
    }  # fmt: skip


def by_tapes_through_flows(tf: Any) -> Answers:
    """Eagerly a branch is the one that is taken, and a loop is its steps; the raw switch has no gradient there."""

    def each(flow: Flow) -> Any:
        return {label: _by_tapes(tf, flow, body, narrow=False) for label, body in _bodies(tf).items()}

    flows = {label: flow for label, flow in _flows(tf).items() if label != "switch and merge"} | _arrays(tf)
    return {label: (lambda flow=flow: each(flow)) for label, flow in flows.items()}
