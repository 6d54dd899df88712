"""Loops, branches and queues of graphs where control flow is TensorFlow 1's, and of functions in them, where it is not."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

from tests.golden.programs.kit import Answers, either, raises

FACE = "v1"


def _asked(tf: Any, build: Callable[[], Any]) -> Callable[[], Any]:
    """What a graph of its own gives where control flow is TensorFlow 1's."""

    def answer() -> Any:
        tf.disable_control_flow_v2()
        try:
            with tf.Graph().as_default():
                return build()
        finally:
            tf.enable_control_flow_v2()

    return answer


def _kind(thing: Any) -> str:
    return type(thing).__name__ if isinstance(thing, (list, tuple)) else "neither"


def loops(tf: Any) -> Answers:
    def pair(variables: Any, body: Any) -> Any:
        found = tf.while_loop(lambda i, j: i < 3, body, variables)
        with tf.Session() as session:
            return [_kind(found), session.run(found)]

    def single(body: Any, **options: Any) -> Any:
        found = tf.while_loop(lambda i: i < 3, body, (tf.constant(0),), **options)
        with tf.Session() as session:
            return [_kind(found), session.run(found)]

    def inside(build: Callable[[Callable[[], Any]], Any]) -> str:
        kinds: list[str] = []

        def loop() -> Any:
            found = tf.while_loop(lambda i, j: i < 3, lambda i, j: (j, i), [tf.constant(0), tf.constant(5)])
            kinds.append(_kind(found))
            return found[0]

        build(loop)
        return kinds[-1]

    def numbers() -> list[Any]:
        return [tf.constant(0), tf.constant(5)]

    return {
        "a tuple for a list": _asked(tf, lambda: pair(numbers(), lambda i, j: (j, i))),
        "a list for a tuple": _asked(tf, lambda: pair(tuple(numbers()), lambda i, j: [j, i])),
        "one": _asked(tf, lambda: single(lambda i: i + 1)),
        "one in a list": _asked(tf, lambda: single(lambda i: [i + 1])),
        "one, nested as it was": _asked(tf, lambda: single(lambda i: i + 1, return_same_structure=True)),
        "one in a tuple, nested as it was": _asked(tf, lambda: single(lambda i: (i + 1,), return_same_structure=True)),
        "in a function": _asked(tf, lambda: inside(lambda loop: tf.function(loop)())),
        "in a branch": _asked(tf, lambda: inside(lambda loop: tf.cond(tf.constant(True), loop, lambda: 1))),
        "in a loop": _asked(tf, lambda: inside(lambda loop: tf.while_loop(lambda k: k < 1, lambda k: k + loop(), [tf.constant(0)]))),
        "in map_fn": _asked(tf, lambda: inside(lambda loop: tf.map_fn(lambda k: loop(), tf.constant([1, 2])))),
        "a number for a condition": raises(
            _asked(tf, lambda: tf.while_loop(lambda i: i, lambda i: i - 1, [tf.constant(3)])), "does not match expected type of bool"
        ),
        "a number for a condition, in a function": _asked(
            tf, lambda: tf.function(lambda: tf.while_loop(lambda i: i, lambda i: i - 1, [tf.constant(3)]))().dtype
        ),
    }


def branches(tf: Any) -> Answers:
    def one_in_a_list() -> Any:
        return tf.cond(tf.constant(True), lambda: [tf.constant(1)], lambda: [tf.constant(2)])

    def in_a_function() -> Any:
        kinds: list[str] = []
        tf.function(lambda: kinds.append(_kind(one_in_a_list())))()
        return kinds[-1]

    return {"one in a list": _asked(tf, lambda: _kind(one_in_a_list())), "in a function": _asked(tf, in_a_function)}


def operations(tf: Any) -> Answers:
    """Operations that branches return: what comes back is known once they have run."""

    def kinds(found: Any) -> Any:
        return [kinds(t) for t in found] if isinstance(found, (list, tuple)) else [found.dtype, found.shape]

    def run(choice: bool, *, nested: bool = False) -> Any:
        v = tf.Variable(1.0, use_resource=True)
        one = (lambda: tf.constant(3),) if nested else ()
        found = tf.cond(
            tf.constant(choice),
            lambda: [tf.group(v.assign_add(5.0)), *(f() for f in one)],
            lambda: [tf.no_op(), *(f() for f in one)],
        )
        with tf.Session() as session:
            session.run(v.initializer)
            return [kinds(found), session.run(found), session.run(v)]

    def before() -> Any:
        v = tf.Variable(1.0, use_resource=True)
        with tf.control_dependencies([tf.cond(tf.constant(True), lambda: tf.group(v.assign_add(5.0)), lambda: tf.no_op())]):
            value = v.read_value()
        with tf.Session() as session:
            session.run(v.initializer)
            return session.run(value)

    def switched() -> Any:
        found = tf.compat.v2.switch_case(tf.constant(1), [tf.no_op, tf.no_op])
        with tf.Session() as session:
            return [kinds(found), session.run(found)]

    def of_function() -> Any:
        return tf.function(lambda p: tf.cond(p, lambda: tf.no_op(), lambda: tf.group(tf.no_op())))(tf.constant(True)).dtype

    builds: dict[str, Callable[[], Any]] = {
        "run": lambda: run(True), "not run": lambda: run(False), "beside a tensor": lambda: run(True, nested=True),
        "before a read": before, "switch_case": switched, "in a function": of_function,
    }  # fmt: skip
    return builds | {f"{name}, version 1": _asked(tf, build) for name, build in builds.items()}


def structures(tf: Any) -> Answers:
    """Branches that do not return alike."""
    one = {
        "a tuple": lambda: (tf.constant(1),),
        "a list": lambda: [tf.constant(1)],
        "none": lambda: None,
        "a number": lambda: tf.constant(1),
    }
    many = {"two": lambda: [tf.constant(1), tf.constant(2)], "an operation": tf.no_op}

    def meet(first: Callable[[], Any], second: Callable[[], Any]) -> Any:
        return _kind(tf.cond(tf.constant(True), first, second))

    found: Answers = {}
    for (name, first), (other, second) in itertools.combinations([*one.items(), *many.items()], 2):
        found[f"{name} and {other}"] = either(lambda f=first, g=second: meet(f, g))
        found[f"{name} and {other}, version 1"] = either(_asked(tf, lambda f=first, g=second: meet(f, g)))
    return found | {"none and none, version 1": raises(_asked(tf, lambda: meet(one["none"], one["none"])), "must have a return value")}


def containers(tf: Any) -> Answers:
    def sizes() -> Any:
        queues = []
        for container in ("first", "second", "first", ""):
            with tf.container(container):
                queues.append(tf.FIFOQueue(5, tf.int32, shared_name="numbers"))
        with tf.Session() as session:
            session.run(queues[0].enqueue(3))
            return session.run([queue.size() for queue in queues]) + [queue.queue_ref.op.get_attr("container") for queue in queues]

    return {"queues": sizes}


def conditions(tf: Any) -> Answers:
    """A condition is a scalar."""

    def choose(pred: Any) -> Any:
        return _asked(tf, lambda: tf.cond(pred(), lambda: 1.0, lambda: 2.0))

    return {
        "a vector of one": raises(choose(lambda: tf.constant([True])), "Shape must be rank 0 but is rank 1"),
        "a vector": raises(choose(lambda: tf.constant([True, False])), "Shape must be rank 0 but is rank 1"),
        "a list": raises(choose(lambda: [True]), "Shape must be rank 0 but is rank 1"),
        "an unknown size": raises(choose(lambda: tf.placeholder(tf.bool, [None])), "Shape must be rank 0 but is rank 1"),
        "case": raises(
            _asked(tf, lambda: tf.case([(tf.constant([True]), lambda: 1.0)], default=lambda: 2.0)), "Shape must be rank 0 but is rank 1"
        ),
    }


def unconnected_gradients(tf: Any) -> Answers:
    """None where no path leads through a body; a function in the graph gives zeros."""

    def loop(x: Any, y: Any) -> Any:
        return tf.while_loop(lambda i, a, b: i < 2, lambda i, a, b: (i + 1, a * 2.0, tf.sin(b)), [0, x, y])[2]

    def branch(x: Any, y: Any) -> Any:
        return tf.cond(x > 0.0, lambda: (x * 2.0, y), lambda: (x, y * 3.0))[1]

    def loop_in_a_loop(x: Any, y: Any) -> Any:
        def inner(a: Any, b: Any) -> Any:
            return tuple(tf.while_loop(lambda j, c, d: j < 2, lambda j, c, d: (j + 1, c * 2.0, d + 1.0), [0, a, b])[1:])

        return tf.while_loop(lambda i, a, b: i < 2, lambda i, a, b: (i + 1, *inner(a, b)), [0, x, y])[2]

    def crossed(x: Any, y: Any) -> Any:
        """x comes to the result in the second turn only."""
        return tf.while_loop(lambda i, a, b, c: i < 3, lambda i, a, b, c: (i + 1, a, a * y, b + 1.0), [0, x, y, y])[3]

    def steady(x: Any, y: Any) -> Any:
        return tf.while_loop(lambda i, a, b: i < 2, lambda i, a, b: (i + 1, a * x, b + y), [0, y, y])[2]

    def stopped(x: Any, y: Any) -> Any:
        return tf.cond(
            y > 0.0, lambda: tf.while_loop(lambda i, a: i < 2, lambda i, a: (i + 1, a * x), [0, y])[1], lambda: tf.stop_gradient(x)
        )

    def replaced(x: Any, y: Any) -> Any:
        return tf.while_loop(lambda i, a: i < 2, lambda i, a: (i + 1, y), [0, x])[1]

    def scanned(x: Any, y: Any) -> Any:
        return tf.scan(lambda c, t: y, tf.stack([x, y]), initializer=x)

    def chosen(x: Any, y: Any) -> Any:
        return tf.case([(x > 0.0, lambda: y)], default=lambda: tf.stop_gradient(x))

    def slopes(f: Any, then: Callable[[], None] = lambda: None) -> Any:
        x, y = tf.placeholder(tf.float32, []), tf.placeholder(tf.float32, [])
        made = f(x, y)
        then()
        found = tf.gradients(made, [x, y])
        with tf.Session() as session:
            return [None if g is None else session.run(g, {x: 0.5, y: 0.7}) for g in found]

    def made_in_version_2() -> Any:
        tf.enable_control_flow_v2()
        return slopes(loop, tf.disable_control_flow_v2)

    made_in = {
        "a loop made before version 2 is asked for": _asked(tf, lambda: slopes(loop, tf.enable_control_flow_v2)),
        "a loop made before version 1 is asked for": _asked(tf, made_in_version_2),
    }
    programs = [loop, branch, loop_in_a_loop, crossed, steady, stopped, replaced, scanned, chosen]
    return (
        made_in
        | {f.__name__.replace("_", " "): _asked(tf, lambda f=f: slopes(f)) for f in programs}
        | {f"{f.__name__.replace('_', ' ')}, in a function": _asked(tf, lambda f=f: slopes(tf.function(f))) for f in programs}
    )
