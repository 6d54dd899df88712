"""TensorFlow and Pullback: `function`, the same compiled by XLA, and a Session of TensorFlow 1 that calls the function.

Pullback compiles a function while its calls go on, with `jit_compile=True` at its first call; the latter is what is measured, so that a
first call holds all that is done once.
"""

from collections.abc import Callable
from typing import Any

from benchmarks.engine.program import Program, Running


def ready(tf: Any, make: Callable[[], Program], mode: str) -> Callable[[], Running]:
    """The program, and what is left to do when the clock starts: to trace and compile."""
    return in_session(tf, make) if mode == "session" else in_function(tf, make(), jit=mode == "xla" or tf.__name__ == "pullback")


def in_function(tf: Any, program: Program, jit: bool) -> Callable[[], Running]:
    arguments = [tf.constant(a) for a in program.arguments]

    def start() -> Running:
        function = tf.function(program.function, autograph=False, jit_compile=jit or None) if program.traced else program.function
        return Running(lambda: function(*arguments), read)

    def read(outputs: Any) -> Any:
        return program.layout([number(value) for value in tf.nest.flatten([outputs, program.state or []])])

    return start


def number(value: Any) -> Any:
    """A tensor's or variable's value; the elements of a SciPy matrix, row after row."""
    return value.data if hasattr(value, "tocsr") else value.numpy()


def in_session(tf: Any, make: Callable[[], Program]) -> Callable[[], Running]:
    """Session.run of a graph that calls the function, through `make_callable`, TensorFlow 1's quickest way."""
    v1 = tf.compat.v1
    graph = v1.Graph()
    session = v1.Session(graph=graph)
    with graph.as_default():
        program = make()
        session.run(v1.global_variables_initializer())

    def start() -> Running:
        with graph.as_default():
            fed = [v1.placeholder(a.dtype, a.shape) for a in program.arguments]
            fetches = tf.nest.flatten(tf.function(program.function, autograph=False)(*fed))
            run = session.make_callable(fetches, fed)
        return Running(lambda: run(*program.arguments), read)

    def read(outputs: Any) -> Any:
        return program.layout([*outputs, *session.run(tf.nest.flatten(program.state or []))])

    return start
