"""`tf.function`: values, structures in and out, retracing, signatures, methods, variables, captures, concrete functions."""

from __future__ import annotations

import collections
from typing import Any

import numpy as np

from tests.golden.programs.kit import Answers, ours

FACE = "v2"

Point = collections.namedtuple("Point", ["x", "y"])


def _traced(tf: Any, *calls: Any, **options: Any) -> int:
    count = [0]

    @tf.function(**options)
    def f(*args: Any, **kwargs: Any) -> Any:
        count[0] += 1
        return tf.constant(0)

    for args in calls:
        f(*args)
    return count[0]


def structures(tf: Any) -> Answers:
    x, y = tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0])

    @tf.function
    def same(s: Any) -> Any:
        return s

    @tf.function
    def shuffled(a: Any, b: Any, *rest: Any, key: Any = None, **more: Any) -> Any:
        return {"sum": a + b, "rest": list(rest), "key": (key, more)}

    return {
        "tensor": lambda: same(x),
        "list": lambda: same([x, y]),
        "tuple": lambda: same((x, (y, [x]))),
        "dict": lambda: same({"b": x, "a": {"c": y}}),
        "namedtuple": lambda: list(same(Point(x, y))),
        "namedtuple kind": lambda: type(same(Point(x, y))).__name__,
        "python numbers come back as tensors": lambda: same([1, 2.5, True]),
        "string": lambda: same("abc"),
        "None": lambda: same([None, x]),
        "numpy": lambda: same(np.array([1.0, 2.0])),
        "numpy scalar": lambda: same(np.float32(2.0)),
        "bool array": lambda: same(np.array([True, False])),
        "varargs": lambda: shuffled(x, y, x, y, key=1.0, extra=x),
        "keywords in another order": lambda: shuffled(b=y, a=x),
        "nothing": lambda: tf.function(lambda: None)(),
        "empty list": lambda: same([]),
        "returns a variable": lambda: tf.function(lambda v=tf.Variable(2.0): v)(),
        "returns its argument anew": lambda: tf.function(lambda a: a)(x) is x,
        "IndexedSlices out": lambda: tf.function(lambda a: tf.IndexedSlices(a, tf.constant([1, 3]), tf.constant([4])))(x),
        "IndexedSlices in": lambda: tf.function(lambda s: s.values * 2.0)(tf.IndexedSlices(x, tf.constant([1, 3]), tf.constant([4]))),
        "variable in": lambda: tf.function(lambda v: v * 2.0)(tf.Variable([1.0, 2.0])),
        "list of variables": lambda: tf.function(lambda vs: vs[0] - vs[1])([tf.Variable(1.0), tf.Variable(3.0)]),
        "order of evaluation": lambda: tf.function(lambda a, n=3: a * n)(x),
    }


def retracing(tf: Any) -> Answers:
    ones = tf.ones
    obj = type("Thing", (), {})()

    def counted(*calls: Any, **options: Any) -> Any:
        return lambda: _traced(tf, *calls, **options)

    return {
        "same shape": counted((ones([2]),), (ones([2]) * 3,)),
        "another shape": counted((ones([2]),), (ones([3]),)),
        "another rank": counted((ones([2]),), (ones([2, 1]),)),
        "another dtype": counted((ones([2]),), (ones([2], tf.int32),)),
        "python ints by value": counted((1,), (1,), (2,)),
        "python float and int": ours(2, counted((1,), (1.0,))),
        "python bool and int": ours(2, counted((1,), (True,))),
        "strings": counted(("a",), ("a",), ("b",)),
        "None": counted((None,), (None,), (1,)),
        "numpy arrays are tensors": counted((np.ones(2, "f"),), (ones([2]),)),
        "numpy scalars are tensors": counted((np.float32(1),), (np.float32(2),)),
        "list and tuple": counted(([1],), ((1,),)),
        "dicts": counted(({"a": 1},), ({"a": 1},), ({"b": 1},)),
        "list lengths": counted(([ones([2])],), ([ones([2]), ones([2])],)),
        "the same object": counted((obj,), (obj,)),
        "another object": counted((type("A", (), {})(),), (obj,)),
        "functions": counted((abs,), (abs,), (len,)),
        "variables of one type": counted((tf.Variable(1.0),), (tf.Variable(2.0),)),
        "dtypes": counted((tf.float32,), (tf.float32,), (tf.int32,)),
        "keyword or position": lambda: _named(tf),
        "reduce_retracing": counted((ones([2]),), (ones([3]),), (ones([4]),), (ones([5]),), reduce_retracing=True),
        "reduce_retracing, ranks": counted((ones([2]),), (ones([2, 3]),), (ones([4, 5]),), reduce_retracing=True),
        "reduce_retracing, python values": counted((1,), (2,), (3,), reduce_retracing=True),
        "experimental_relax_shapes": counted((ones([2]),), (ones([3]),), (ones([4]),), experimental_relax_shapes=True),
        "input_signature": counted((ones([2]),), (ones([3]),), input_signature=[tf.TensorSpec([None])]),
        "tracing count": lambda: _count(tf),
        "jit_compile": counted((ones([2]),), (ones([2]),), jit_compile=True),
        "autograph=False": counted((ones([2]),), (ones([2]),), autograph=False),
    }


def _named(tf: Any) -> int:
    count = [0]

    @tf.function
    def f(a: Any, b: Any = 2) -> Any:
        count[0] += 1
        return a * b

    x = tf.constant(1.0)
    f(x), f(a=x), f(x, 2), f(x, b=2), f(b=2, a=x)
    return count[0]


def _count(tf: Any) -> list[int]:
    f = tf.function(lambda x: x + 1)
    found = [f.experimental_get_tracing_count()]
    for x in (1, 1, 2, tf.constant(1)):
        f(x)
        found.append(f.experimental_get_tracing_count())
    return found


def signatures(tf: Any) -> Answers:
    @tf.function(input_signature=[tf.TensorSpec([None], tf.float32), tf.TensorSpec([], tf.float32)])
    def scaled(x: Any, by: Any) -> Any:
        return x * by

    @tf.function(input_signature=[[tf.TensorSpec([None]), {"b": tf.TensorSpec([2])}]])
    def nested(s: Any) -> Any:
        return tf.reduce_sum(s[0]) * s[1]["b"]

    @tf.function(input_signature=(tf.TensorSpec(None, tf.float64),))
    def any_rank(x: Any) -> Any:
        return tf.rank(x), tf.reduce_sum(x)

    return {
        "two lengths": lambda: [scaled(tf.ones([n]), tf.constant(2.0)) for n in (1, 3)],
        "python values are converted": lambda: scaled([1, 2], 3),
        "keywords": lambda: scaled(by=tf.constant(2.0), x=tf.ones([2])),
        "nested": lambda: nested([tf.ones([3]), {"b": tf.constant([1.0, 2.0])}]),
        "any rank": lambda: [any_rank(np.ones(s)) for s in ((), (2,), (2, 3))],
        "defaults beyond the signature": lambda: tf.function(lambda a, b=2.0: a + b, input_signature=[tf.TensorSpec([])])(1.0),
        "input_signature": lambda: [repr(s.shape) for s in scaled.input_signature],
        "no signature": lambda: tf.function(lambda x: 1).input_signature,
        "no arguments": lambda: tf.function(lambda: tf.constant(7), input_signature=[])(),
        "shape inside": lambda: tf.function(lambda x: (x.shape.rank, x.shape[1]), input_signature=[tf.TensorSpec([None, 3])])(tf.ones([2, 3])),
        "dynamic shape inside": lambda: tf.function(lambda x: tf.shape(x)[0], input_signature=[tf.TensorSpec([None])])(tf.ones([5])),
    }


def methods(tf: Any) -> Answers:
    class Model(tf.Module):
        def __init__(self, start: float) -> None:
            super().__init__()
            self.w = tf.Variable(start)
            self.traces = 0
            self.late = None

        @tf.function
        def __call__(self, x: Any) -> Any:
            self.traces += 1
            return self.w * x

        @tf.function(input_signature=[tf.TensorSpec([None])])
        def total(self, x: Any) -> Any:
            return tf.reduce_sum(self.w * x)

        @tf.function
        def lazy(self, x: Any) -> Any:
            if self.late is None:
                self.late = tf.Variable(tf.ones([2]) * 3.0)
            return self.late * x

        @staticmethod
        @tf.function
        def static(x: Any) -> Any:
            return x + 1.0

        @classmethod
        def of_class(cls, x: Any) -> Any:
            return tf.function(lambda y: y * 2.0)(x)

    x = tf.constant([1.0, 2.0])

    def two() -> Any:
        a, b = Model(2.0), Model(3.0)
        found = [a(x), b(x), a(x), b(x)]
        return [*found, a.traces, b.traces]

    def lazy() -> Any:
        m = Model(1.0)
        return [m.lazy(x), m.lazy(x), m.late, m.lazy.experimental_get_tracing_count()]

    def trained() -> Any:
        m = Model(2.0)
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(m(x))
        return tape.gradient(y, m.trainable_variables)

    return {
        "two instances": two,
        "input_signature": lambda: (lambda m: m.total(x))(Model(2.0)),
        "made on the first call": lazy,
        "static": lambda: Model.static(x),
        "in a class method": lambda: Model.of_class(x),
        "through the class": lambda: Model.__call__(Model(4.0), x),
        "gradient of an attribute": trained,
        "of a temporary": lambda: Model(5.0)(x),
    }


def variables(tf: Any) -> Answers:
    def counter() -> Any:
        v = tf.Variable(0.0)

        @tf.function
        def step(x: Any) -> Any:
            v.assign_add(x)
            first = v * 1.0
            v.assign(v * 2.0)
            return first, v

        return [step(tf.constant(1.0)), step(tf.constant(1.0)), v]

    def once() -> Any:
        made: list[Any] = []

        @tf.function
        def f(x: Any) -> Any:
            if not made:
                made.append(tf.Variable(x * 2.0))
            return made[0].assign_add(x)

        return [f(tf.constant(3.0)), f(tf.constant(1.0)), len(made), f.experimental_get_tracing_count()]

    def callable_initial() -> Any:
        box: dict[str, Any] = {}

        @tf.function
        def f(x: Any) -> Any:
            if "v" not in box:
                box["v"] = tf.Variable(lambda: tf.ones([2]) * 4.0)
            return box["v"] * x

        return [f(tf.constant(2.0)), box["v"]]

    def order() -> Any:
        v, log = tf.Variable(1.0), tf.Variable(tf.zeros([3]))

        @tf.function
        def f() -> None:
            a = v.read_value()
            v.assign(5.0)
            b = v.read_value()
            v.assign_sub(1.0)
            log.assign(tf.stack([a, b, v]))

        f()
        return [log, v]

    def inner() -> Any:
        v = tf.Variable(1.0)
        add = tf.function(lambda x: v.assign_add(x))

        @tf.function
        def outer(x: Any) -> Any:
            add(x)
            add(x)
            return v * 10.0

        return [outer(tf.constant(1.0)), outer(tf.constant(1.0)), v]

    def failing() -> Any:
        v = tf.Variable([1.0, 2.0])

        @tf.function
        def f(i: Any) -> Any:
            return tf.gather(v, i)

        return [f(tf.constant(1)), v]

    def scattered() -> Any:
        v = tf.Variable([1.0, 2.0, 3.0])

        @tf.function
        def f() -> None:
            v.scatter_add(tf.IndexedSlices(tf.constant([10.0, 20.0]), tf.constant([0, 2])))

        f()
        f()
        return v

    def initial_scope() -> Any:
        @tf.function
        def f(x: Any) -> Any:
            with tf.init_scope():
                eager = tf.executing_eagerly()
            return x, tf.constant(eager), tf.constant(tf.executing_eagerly())

        return f(tf.constant(1.0))

    return {
        "reads and writes": counter,
        "made once": once,
        "callable initial value": callable_initial,
        "program order": order,
        "inner function": inner,
        "gather": failing,
        "scatter": scattered,
        "init_scope": initial_scope,
    }


def captures(tf: Any) -> Answers:
    def closure() -> Any:
        a = tf.constant(3.0)
        f = tf.function(lambda x: x * a)
        return [f(tf.constant(2.0)), len(f.get_concrete_function(tf.constant(1.0)).captured_inputs)]

    def outer_tensor() -> Any:
        @tf.function
        def outer(x: Any) -> Any:
            y = x * 2.0

            @tf.function
            def inner(z: Any) -> Any:
                return y + z

            return inner(x) + inner(y)

        return outer(tf.constant(1.5))

    def recursive() -> Any:
        @tf.function
        def power(x: Any, n: int) -> Any:
            return x if n == 1 else x * power(x, n - 1)

        return power(tf.constant(2.0), 5)

    def shared() -> Any:
        half = tf.function(lambda x: x / 2.0)

        @tf.function
        def both(x: Any) -> Any:
            return half(x) + half(x + 1.0)

        return [half(tf.constant(1.0)), both(tf.constant(1.0)), half.experimental_get_tracing_count()]

    def python_state() -> Any:
        seen: list[int] = []

        @tf.function
        def f(x: Any) -> Any:
            seen.append(1)
            return x + len(seen)

        return [f(tf.constant(0)), f(tf.constant(0)), f(tf.constant([0])), len(seen)]

    def eagerly() -> Any:
        seen: list[bool] = []
        f = tf.function(lambda x: seen.append(tf.executing_eagerly()) or x * 2.0)
        x = tf.constant(1.0)
        f(x)
        tf.config.run_functions_eagerly(True)
        on = tf.config.functions_run_eagerly()
        f(x), f(x)
        tf.config.run_functions_eagerly(False)
        f(x)
        return [seen, on, tf.config.functions_run_eagerly()]

    return {
        "closure": closure,
        "outer tensor": outer_tensor,
        "recursive": recursive,
        "shared inner function": shared,
        "python state is read while tracing": python_state,
        "run_functions_eagerly": eagerly,
        "python_function": lambda: tf.function(lambda x: x + 1).python_function(2),
        "name": lambda: tf.function(lambda x: x).get_concrete_function(1).structured_input_signature[0][0],
    }


def concrete(tf: Any) -> Answers:
    v = tf.Variable(1.0)
    double = tf.function(lambda x: x * 2.0)
    c = double.get_concrete_function(tf.TensorSpec([None], tf.float32))
    full = tf.function(lambda a, b, n=3: {"s": a + b * n + v}).get_concrete_function(tf.TensorSpec([2]), b=tf.TensorSpec([2], name="bb"), n=4)
    x = tf.ones([2])
    return {
        "call": lambda: c(tf.ones([3])),
        "keyword": lambda: c(x=tf.ones([3])),
        "list": lambda: c([1.0, 2.0]),
        "named spec": lambda: full(x, bb=x),
        "given python value": lambda: full(x, x, 4),
        "left out python value": lambda: full(x, x),
        "structured outputs": lambda: [full.structured_outputs["s"].shape, full.structured_outputs["s"].dtype],
        "inputs": lambda: [(t.shape, t.dtype) for t in full.inputs[:2]],
        "inputs and captures": lambda: [len(full.inputs), len(full.captured_inputs), len(full.outputs)],
        "variables": lambda: [w is v for w in full.variables],
        "trainable variables": lambda: len(full.trainable_variables),
        "signature": lambda: [repr(s) for s in full.structured_input_signature[0]],
        "signature of keywords": lambda: full.structured_input_signature[1],
        "pretty": lambda: c.pretty_printed_signature(),
        "pretty, python value": lambda: full.pretty_printed_signature().split("Captures:")[0],
        "traces": lambda: (double.get_concrete_function(tf.TensorSpec([None], tf.float32)) is c, double.experimental_get_tracing_count()),
        "gradient": lambda: _gradient_of(tf, c),
    }


def _gradient_of(tf: Any, f: Any) -> Any:
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return tape.gradient(y, x)
