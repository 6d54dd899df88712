"""Threads that change the same variables and draw from the same generators: no update is lost, no number comes twice.

Each way is a function of nothing that makes what the threads share and gives two: what one of them does again and again, and how many
updates or draws are missing at the end.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import Any

import numpy as np

import pullback as tf
import pullback.compat.v1 as tf1
from tests.against.report import Difference, Part

Way = Callable[[], tuple[Callable[[], Any], Callable[[int], float]]]


def together(work: Callable[[], Any], times: int, threads: int) -> list[BaseException]:
    """Let threads do something at once, each so many times, changing turns as often as Python can; what they raised."""
    raised: list[BaseException] = []
    start = threading.Barrier(threads)

    def thread() -> None:
        start.wait()
        try:
            for _ in range(times):
                work()
        except Exception as error:  # noqa: BLE001  # whatever a thread raises is found
            raised.append(error)

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        running = [threading.Thread(target=thread) for _ in range(threads)]
        for t in running:
            t.start()
        for t in running:
            t.join()
    finally:
        sys.setswitchinterval(before)
    return raised


def _adding(change: Callable[[Any, Any], Any], shape: tuple[int, ...] = (3, 4), sign: float = 1.0) -> Way:
    """A change that adds `sign` to the first row of a variable; it is given the variable and a row of ones."""

    def way() -> tuple[Callable[[], Any], Callable[[int], float]]:
        v, row = tf.Variable(tf.zeros(shape)), tf.ones((1, *shape[1:]))
        return lambda: change(v, row), lambda count: count - sign * float(np.min(v.numpy()[0]))

    return way


def _compiled(change: Callable[[Any, Any], Any], shape: tuple[int, ...] = (3, 4)) -> Way:
    return _adding(tf.function(change), shape)


def _loop(v: Any, row: Any) -> Any:
    return tf.while_loop(lambda i: i < 1, lambda i: (i + int(v.scatter_nd_add([[0]], row) is None) + 1,), [0])


def _step(optimizer: Any) -> Way:
    def way() -> tuple[Callable[[], Any], Callable[[int], float]]:
        v, g = tf.Variable(tf.zeros([3])), tf.ones([3])
        made = optimizer(1.0)
        made.apply_gradients([(tf.zeros([3]), v)])
        return lambda: made.apply_gradients([(g, v)]), lambda count: count + float(np.max(v.numpy()))

    return way


def _session(resource: bool, fetch: Callable[[Any], Any]) -> Way:
    def way() -> tuple[Callable[[], Any], Callable[[int], float]]:
        with tf1.Graph().as_default() as graph:
            v = tf1.Variable(tf1.zeros([3, 4]), use_resource=resource)
            fetched, session = fetch(v), tf1.Session(graph=graph)
            session.run(v.initializer)
        return lambda: session.run(fetched), lambda count: count - float(np.min(session.run(v)[0]))

    return way


def _draws(make: Callable[[], Callable[[], Any]]) -> Way:
    """How many draws of two numbers came before."""

    def way() -> tuple[Callable[[], Any], Callable[[int], float]]:
        draw, drawn = make(), []
        return lambda: drawn.append(draw().numpy().tobytes()), lambda count: count - len(set(drawn))

    return way


def _generator() -> Callable[[], Any]:
    generator = tf.random.Generator.from_seed(7)
    return lambda: generator.uniform([2], dtype=tf.float64)


UPDATES: dict[str, Way] = {
    "assign_add": _adding(lambda v, row: v.assign_add(tf.repeat(row, 3, 0))),
    "assign_sub": _adding(lambda v, row: v.assign_sub(tf.repeat(row, 3, 0)), sign=-1.0),
    "scatter_add": _adding(lambda v, row: v.scatter_add(tf.IndexedSlices(row, [0]))),
    "scatter_add of many numbers": _adding(lambda v, row: v.scatter_add(tf.IndexedSlices(row, [0])), (10, 20_000)),
    "scatter_nd_add": _adding(lambda v, row: v.scatter_nd_add([[0]], row)),
    "part": _adding(lambda v, row: v[:1].assign(row) if v.numpy()[0, 0] < 0 else v.scatter_nd_add([[0]], row)),
    "raw operations": _adding(lambda v, row: tf.raw_ops.ResourceScatterNdAdd(ref=v.handle, indices=[[0]], updates=row)),
    "raw steps": _adding(lambda v, row: tf.raw_ops.ResourceApplyGradientDescent(var=v.handle, alpha=-1.0, delta=tf.repeat(row, 3, 0))),
    "function": _compiled(lambda v, row: v.scatter_nd_add([[0]], row)),
    "function of several steps": _compiled(lambda v, row: v.assign_add(tf.tanh(row - row) + tf.repeat(row, 3, 0))),
    "function with a loop": _compiled(_loop),
    "SGD": _step(tf.keras.optimizers.SGD),
    "GradientDescentOptimizer": _step(tf1.train.GradientDescentOptimizer),
    "session": _session(True, lambda v: v.assign_add(tf1.ones([3, 4]))),
    "session, ref variable": _session(False, lambda v: v.assign_add(tf1.ones([3, 4]))),
    "session, scatter": _session(False, lambda v: tf1.scatter_nd_add(v, [[0]], tf1.ones([1, 4]))),
}
DRAWS: dict[str, Way] = {
    "Generator": _draws(_generator),
    "Generator in a function": _draws(lambda: tf.function(_generator())),
    "tf.random": _draws(lambda: lambda: tf.random.uniform([2], dtype=tf.float64)),
    "tf.random in a function": _draws(lambda: tf.function(lambda: tf.random.normal([2], dtype=tf.float64, seed=3))),
}


def run(count: int = 1_000_000, threads: int = 8) -> Part:
    """Do `count` updates, and a tenth as many draws, in all ways together; figures and differences are what is missing."""
    part = Part("threads")
    done = missing = 0
    for ways, each in ((UPDATES, count // len(UPDATES) // threads), (DRAWS, count // 10 // len(DRAWS) // threads)):
        for name, way in ways.items():
            work, left = way()
            raised = together(work, each, threads)
            lost = left(each * threads)
            done, missing = done + each * threads, missing + int(lost)
            if lost or raised:
                words = f"{lost:g} of {each * threads} lost" if lost else repr(raised[0])
                part.add(Difference(name, "lost" if lost else "raised", words))
    part.figures |= {"threads": threads, "updates and draws": done, "lost": missing}
    part.goals["updates and draws kept"] = (done - missing, done, 1.0)
    return part
