"""Python's statements in `tf.function`: what variables are after loops and branches, whatever they were before."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.golden.programs.kit import Answers, ours, raised, raises

FACE = "v2"


def values(tf: Any) -> Answers:
    """Variables that have no value, None, or no tensor before a loop."""

    @tf.function
    def from_none(n: Any) -> Any:
        y = None
        for i in tf.range(n):
            y = i * 2
        return y

    @tf.function
    def from_nothing(n: Any) -> Any:
        while n > 3:
            n = n - 1
            y = n * 2
        return y

    @tf.function
    def tested_for_none(n: Any) -> Any:
        y = None
        for i in tf.range(n):
            y = i + 10 if y is None else y + 1
        return y

    @tf.function
    def unread(n: Any) -> Any:
        for i in tf.range(n):
            y = i * 2  # noqa: F841  # as in programs
        return n

    @tf.function
    def structured(n: Any) -> Any:
        for i in tf.range(n):
            y = (i, {"k": i * 2})
        return y

    @tf.function
    def in_both_branches(n: Any) -> Any:
        for i in tf.range(n):
            if i > 2:
                y = i
            else:
                y = -i
        return y

    @tf.function
    def in_one_branch(n: Any) -> Any:
        for i in tf.range(n):
            if i > 2:
                y = i
        return y

    @tf.function
    def none_inside(n: Any) -> Any:
        y: Any = {"a": None}
        for i in tf.range(n):
            y = {"a": i}
        return y

    @tf.function
    def grown_dictionary(n: Any) -> Any:
        d: Any = {}
        for i in tf.range(n):
            d = {"a": i}
        return d

    @tf.function
    def item_of_a_dictionary(n: Any) -> Any:
        d = {"a": n}
        for i in tf.range(n):
            d["a"] = d["a"] + i
        return d

    @tf.function
    def string(n: Any) -> Any:
        s = "a"
        for _ in tf.range(n):
            s = "b"
        return s

    @tf.function
    def string_of_a_branch(n: Any) -> Any:
        s = "x"
        if n > 0:
            s = "y"
        return s, (n if s == "y" else -n)

    @tf.function
    def string_to_number(n: Any) -> Any:
        s: Any = "a"
        for i in tf.range(n):
            s = i
        return s

    @tf.function
    def kind_to_number(n: Any) -> Any:
        s: Any = dict
        for i in tf.range(n):
            s = i
        return s

    class Thing:
        v = 1

    @tf.function
    def thing(n: Any) -> Any:
        s = Thing()
        for _ in tf.range(n):
            s = Thing()
        return n + s.v

    @tf.function
    def function_of_a_branch(n: Any) -> Any:
        if n > 0:
            g = abs
        else:
            g = max
        return g(n)

    @tf.function
    def array(n: Any) -> Any:
        a = np.zeros(2, np.float32)
        for _ in tf.range(n):
            a = a + 1
        return a

    @tf.function
    def flag(n: Any) -> Any:
        done = False
        for i in tf.range(n):
            if i == 3:
                done = True
        return done

    @tf.function
    def mixed(n: Any) -> Any:
        a = 0
        for _ in tf.range(n):
            a = a + 1.5
        return a

    @tf.function
    def wide(n: Any) -> Any:
        a = tf.constant(0.0, tf.float64)
        for _ in tf.range(n):
            a = a + 1.5
        return a

    none, two, five = (tf.constant(n) for n in (0, 2, 5))
    return {
        "None": lambda: [from_none(two), tested_for_none(five)],
        "None, no step": raises(lambda: from_none(none), "must iterate at least once to initialize"),
        "nothing": lambda: from_nothing(five),
        "nothing, no step": raises(lambda: from_nothing(two), "must iterate at least once to initialize"),
        "nothing, unread, no step": lambda: unread(none),
        "a structure": lambda: structured(five),
        "both branches": lambda: in_both_branches(five),
        "one branch": raises(lambda: in_one_branch(five), "'y'"),
        "None inside": raises(lambda: none_inside(two)),
        "a dictionary that grows": raises(lambda: grown_dictionary(two), "'d'"),
        "an item": lambda: item_of_a_dictionary(five),
        "a string": lambda: [string(two), string(none)],
        "a string of a branch": lambda: [string_of_a_branch(n) for n in (two, none)],
        "a string, then a number": raises(lambda: string_to_number(two), "'s'", "string", "int32"),
        "a class, then a number": raises(lambda: kind_to_number(two)),
        "an object": raises(lambda: thing(two)),
        "a function of a branch": raises(lambda: function_of_a_branch(two)),
        "an array": lambda: array(two),
        "a flag": lambda: [flag(two), flag(five)],
        "int and float": raises(lambda: mixed(two)),
        "float64": lambda: wide(two),
    }


def statements(tf: Any) -> Answers:
    def run(f: Any, *xs: Any) -> Any:
        made = tf.function(f)
        return lambda: [made(tf.constant(x)) for x in xs]

    def an_operation(x: Any) -> Any:
        v = variables[0]
        if x > 0.0:
            operation = tf.group(v.assign_add(x))
        else:
            operation = tf.no_op()
        with tf.control_dependencies([operation]):
            return v.read_value()

    def an_operation_replaced(x: Any) -> Any:
        v = variables[1]
        operation = tf.no_op()
        if x > 0.0:
            operation = tf.group(v.assign_add(x))
        with tf.control_dependencies([operation]):
            return v.read_value()

    variables = [tf.Variable(1.0), tf.Variable(1.0)]

    def for_else(x: Any) -> Any:
        for _ in tf.range(3):
            if x > 2.0:
                break
            x += 1.0
        else:
            x = x * 100.0
        return x

    def while_else(x: Any) -> Any:
        while x < 3.0:
            x += 1.0
        else:  # noqa: PLW0120  # as in programs
            x = x * 10.0
        return x

    def with_a_named_error(x: Any) -> Any:
        try:
            if x > 2.0:
                x = x * 2.0
            raise ValueError("three")
        except ValueError as error:
            x = x + float(len(str(error)))
        return x

    def with_errors_in_errors(x: Any) -> Any:
        try:
            raise KeyError("one")
        except (KeyError, ValueError) as error:
            try:
                raise TypeError("seven") from error
            except TypeError as inner:
                return x + float(len(str(inner.__cause__)) * 100 + len(str(error)) * 10 + len(str(inner)))

    def with_finally(x: Any) -> Any:
        try:
            y = x * 2.0 if x > 0.0 else x
        finally:
            x = x + 1.0
        return y + x

    def with_scope(x: Any) -> Any:
        with tf.name_scope("a"):
            if x > 0.0:
                return x
            return -x

    def attribute(x: Any) -> Any:
        class Box:
            pass

        box: Any = Box()
        box.v = x
        for _ in tf.range(3):
            box.v = box.v * 2.0
        return box.v

    def item(x: Any) -> Any:
        values = [x, x]
        for _ in tf.range(3):
            values[0] = values[0] + 1.0
        return values[0]

    def dictionary(x: Any) -> Any:
        d = {"a": x, "b": x * 2.0}
        for _ in tf.range(3):
            d = {"a": d["a"] + 1.0, "b": d["b"] * 2.0}
        return d

    def swapped(x: Any) -> Any:
        a, b = x, x * 2.0
        for _ in tf.range(3):
            a, b = b, a + b
        return a, b

    def nested_break(x: Any) -> Any:
        n = 0
        for i in tf.range(5):
            for j in tf.range(5):
                if j > i:
                    break
                n += 1
            if n > 6:
                break
        return x + tf.cast(n, tf.float32)

    def backwards(n: Any) -> Any:
        s = 0
        for i in range(n, 0, -2):
            s = s * 10 + i
        for i in tf.range(n, 0, -3):
            s = s * 10 + i
        return s

    def inner(x: Any) -> Any:
        def step(y: Any) -> Any:
            if y > 10.0:
                return y
            return y * 2.0

        for _ in tf.range(5):
            x = step(x)
        return x

    def nonlocal_name(x: Any) -> Any:
        t = x

        def add(v: Any) -> None:
            nonlocal t
            t = t + v

        for _ in range(3):
            add(x)
        return t

    def rows_of_rows(x: Any) -> Any:
        s = 0.0
        for row in x:
            for y in row:
                s = s * 0.5 + y
        return s

    def pairs(x: Any) -> Any:
        t = 0.0
        for a, b in tf.stack([x, x * 2.0])[None]:
            t += a * b
        return t

    def continued(n: Any) -> Any:
        i, s = 0, 0
        while i < n:
            i += 1
            if i % 2 == 0:
                continue
            s += i
        return s

    def deleted(x: Any) -> Any:
        y = x * 2.0
        del x
        return y

    def python_while(x: Any) -> Any:
        n = 0
        while n < 5:
            n += 1
            x = x * 1.5
        return x

    def mixed_test(x: Any, y: Any = None) -> Any:
        if y is None and x > 0.0:
            return x
        return -x

    def assigned_in_a_test(x: Any) -> Any:
        if (y := x * 2.0) > 1.0:
            return y
        return y * 10.0

    def forever(x: Any) -> Any:
        while True:
            x = x * 2.0
            if x > 10.0:
                break
        return x

    def returns_in_while(x: Any) -> Any:
        while tf.constant(True):
            x = x * 2.0
            if x > 10.0:
                break
        return x

    def limited(x: Any) -> Any:
        for _ in tf.range(10):
            tf.autograph.experimental.set_loop_options(maximum_iterations=3)
            x = x + 1.0
        return x

    def limited_by_a_product(x: Any) -> Any:
        while x < 100.0:
            tf.autograph.experimental.set_loop_options(maximum_iterations=tf.cast(x * 2.0, tf.int32))
            x = x + 1.0
        return x

    def limited_by_a_variable(x: Any) -> Any:
        most = tf.constant(2)
        for _ in tf.range(10):
            tf.autograph.experimental.set_loop_options(maximum_iterations=most, parallel_iterations=1)
            most = most + 1
            x = x + tf.cast(most, tf.float32)
        return x

    def options_at_the_end(x: Any) -> Any:
        while x < 100.0:
            x = x + 1.0
            tf.autograph.experimental.set_loop_options(maximum_iterations=3)
        return x

    return {
        "an operation": run(an_operation, 1.0, -1.0),
        "an operation replaced": run(an_operation_replaced, 1.0, -1.0),
        "for and else": raises(run(for_else, 0.0, 2.0)),
        "while and else": raises(run(while_else, 0.0)),
        "an error with a name": run(with_a_named_error, 1.0, 3.0),
        "errors within errors": run(with_errors_in_errors, 1.0),
        "finally": run(with_finally, 1.0, -1.0),
        "with": run(with_scope, 1.0, -1.0),
        "attribute": run(attribute, 1.0),
        "item": run(item, 1.0),
        "dictionary": run(dictionary, 1.0),
        "swapped": run(swapped, 1.0),
        "break in both loops": run(nested_break, 0.0),
        "backwards": run(backwards, 7),
        "inner function": run(inner, 1.0),
        "nonlocal": run(nonlocal_name, 1.0),
        "rows of rows": run(rows_of_rows, [[1.0, 2.0], [3.0, 4.0]]),
        "pairs": raises(run(pairs, 2.0)),
        "continue": run(continued, 7),
        "del": run(deleted, 1.0),
        "while over Python": run(python_while, 1.0),
        "a test of both": run(mixed_test, 1.0, -1.0),
        "assigned in a test": ours([2.0, -20.0], lambda: [t.numpy().item() for t in run(assigned_in_a_test, 1.0, -1.0)()]),
        "while True": ours([16.0], lambda: [t.numpy().item() for t in run(forever, 1.0)()]),
        "while a true tensor": run(returns_in_while, 1.0),
        "maximum_iterations": run(limited, 0.0),
        "maximum_iterations of a product": run(limited_by_a_product, 2.0),
        "maximum_iterations of a variable": run(limited_by_a_variable, 0.0),
        "options that are not first": raises(run(options_at_the_end, 0.0)),
        "range of a list": ours(raised("TypeError"), lambda: raises(lambda: tf.function(lambda x: list(range(x)))([1]))()),
    }
