"""A name that holds a `tf.Variable` and is given a tensor by an `if` or a loop of the graph: it goes in as the variable's value."""

from __future__ import annotations

from typing import Any

from tests.golden.programs.kit import Answers

FACE = "v2"


def branches(tf: Any) -> Answers:
    def given(x: Any) -> Any:
        if tf.reduce_sum(x) > 0:
            x = x * 2.0
        return x

    def chosen(x: Any, flag: Any) -> Any:
        if flag:
            y = x
        else:
            y = x * 2.0
        return y

    def after_a_write(x: Any, flag: Any) -> Any:
        if flag:
            x.assign_add([1.0, 1.0])
            y = x
        else:
            y = x * 2.0
        return y

    def in_a_pair(x: Any, flag: Any) -> Any:
        if flag:
            y = (x, 1.0)
        else:
            y = (x * 2.0, 2.0)
        return y

    def call(f: Any, *args: Any) -> Any:
        return lambda: tf.function(f)(tf.Variable([1.0, 2.0]), *args)

    return {
        "given": call(given),
        **{f"chosen {flag}": call(chosen, tf.constant(flag)) for flag in (True, False)},
        **{f"after a write {flag}": call(after_a_write, tf.constant(flag)) for flag in (True, False)},
        **{f"in a pair {flag}": call(in_a_pair, tf.constant(flag)) for flag in (True, False)},
    }


def loops(tf: Any) -> Answers:
    def while_loop(x: Any) -> Any:
        while tf.reduce_sum(x) < 10.0:
            x = x * 2.0
        return x

    def for_loop(x: Any) -> Any:
        total = x
        for _ in tf.range(3):
            total = total + x
        return total

    def no_step(x: Any) -> Any:
        total = x
        for _ in tf.range(0):
            total = total + x
        return total

    def written_in_between(x: Any) -> Any:
        total = x
        for _ in tf.range(2):
            total = total + x
            x.assign(x * 10.0)
        return total, x.read_value()

    def mixed(x: Any) -> Any:
        t = x
        for i in tf.range(3):
            if i > 1:
                t = x
            else:
                t = t * 3.0
        return t

    def left_alone(x: Any) -> Any:
        v = x
        for _ in tf.range(2):
            v.assign_add([1.0, 1.0])
        return v.read_value()

    def call(f: Any) -> Any:
        return lambda: tf.function(f)(tf.Variable([1.0, 2.0]))

    def gradient(f: Any) -> Any:
        def taken() -> Any:
            x = tf.Variable([1.0, 2.0])
            with tf.GradientTape() as tape:
                y = tf.function(f)(x)
            return tape.gradient(y, x)

        return taken

    functions = {
        "while": while_loop,
        "for": for_loop,
        "no step": no_step,
        "written": written_in_between,
        "mixed": mixed,
        "left": left_alone,
    }
    return {name: call(f) for name, f in functions.items()} | {
        f"gradient of {name}": gradient(functions[name]) for name in ("while", "for", "no step", "mixed")
    }
