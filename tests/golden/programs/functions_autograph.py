"""AutoGraph in `tf.function`: Python's control flow on tensors, its values and its gradients."""

from __future__ import annotations

from typing import Any

from tests.golden.programs.kit import Answers, ours, raised, raises

FACE = "v2"


def _with_gradient(tf: Any, f: Any, *xs: Any) -> list[Any]:
    """The value and the first and second derivatives in the first argument."""
    x = tf.convert_to_tensor(xs[0])
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = f(x, *xs[1:])
        g = inner.gradient(y, x)
    return [y, g, None if g is None else outer.gradient(g, x, unconnected_gradients=tf.UnconnectedGradients.ZERO)]


def branches(tf: Any) -> Answers:
    @tf.function
    def absolute(x: Any) -> Any:
        if x > 0.0:
            y = x * x
        else:
            y = -x * x * x
        return y

    @tf.function
    def early(x: Any) -> Any:
        if x > 1.0:
            return x * x
        if x > 0.0:
            return tf.sin(x)
        return tf.exp(x)

    @tf.function
    def chain(x: Any) -> Any:
        if x < -1.0:
            r = x * 2.0
        elif x < 1.0:
            r = x * x
        else:
            r = tf.exp(x)
        return r

    @tf.function
    def unchanged(x: Any) -> Any:
        y = x * 3.0
        if x > 0.0:
            y = y * x
        return y

    @tf.function
    def nested(x: Any, z: Any) -> Any:
        a = x
        if x > 0.0:
            if z > 0.0:
                a = a * z
            else:
                a = a + z
            a = a * 2.0
        return a * x

    @tf.function
    def several(x: Any) -> Any:
        if x > 0.0:
            s = {"a": x * x, "b": [x, 2.0]}
        else:
            s = {"a": -x, "b": [x * x, 3.0]}
        return s["a"] + s["b"][0] * s["b"][1]

    @tf.function
    def python_condition(x: Any, flag: bool) -> Any:
        if flag:
            return x * 2.0
        return x * 3.0

    @tf.function
    def ternary(x: Any) -> Any:
        return x * x if x > 0.0 else -x

    @tf.function
    def logic(x: Any) -> Any:
        return [x > 0.0 and x < 1.0, x < 0.0 or x > 1.0, not x > 0.0, 0.0 < x < 1.0, x == 0.5, x != 0.5]

    @tf.function
    def assigning(x: Any, v: Any) -> Any:
        if x > 0.0:
            v.assign_add(x)
        return v.read_value()

    def assigned() -> Any:
        v = tf.Variable(1.0)
        return [assigning(tf.constant(2.0), v), assigning(tf.constant(-2.0), v)]

    one = tf.constant
    return {
        "if, main": lambda: _with_gradient(tf, absolute, 2.0),
        "if, else": lambda: _with_gradient(tf, absolute, -2.0),
        "early return, first": lambda: _with_gradient(tf, early, 2.0),
        "early return, second": lambda: _with_gradient(tf, early, 0.5),
        "early return, last": lambda: _with_gradient(tf, early, -0.5),
        "elif": lambda: [_with_gradient(tf, chain, x) for x in (-2.0, 0.5, 2.0)],
        "no else": lambda: [_with_gradient(tf, unchanged, x) for x in (2.0, -2.0)],
        "nested": lambda: [_with_gradient(tf, nested, x, one(z)) for x in (2.0, -1.0) for z in (3.0, -3.0)],
        "structures": lambda: [several(one(x)) for x in (2.0, -2.0)],
        "python condition": lambda: [python_condition(one(1.0), flag) for flag in (True, False)],
        "ternary": lambda: [_with_gradient(tf, ternary, x) for x in (2.0, -2.0)],
        "logic": lambda: [logic(one(x)) for x in (0.5, 2.0, -1.0)],
        "assignment in a branch": assigned,
        "one trace": lambda: absolute.experimental_get_tracing_count(),
    }


def loops(tf: Any) -> Answers:
    @tf.function
    def power(x: Any, n: Any) -> Any:
        result = tf.ones_like(x)
        for _ in tf.range(n):
            result = result * x
        return result

    @tf.function
    def doubling(x: Any) -> Any:
        while x < 100.0:
            x = x * x
        return x

    @tf.function
    def breaking(x: Any) -> Any:
        total = x * 0.0
        for i in tf.range(10):
            if i == 4:
                break
            total = total + x ** tf.cast(i, tf.float32)
        return total

    @tf.function
    def continuing(x: Any) -> Any:
        total = x * 0.0
        for i in tf.range(6):
            if i % 2 == 0:
                continue
            total = total + x * tf.cast(i, tf.float32) * x
        return total

    @tf.function
    def rows(x: Any) -> Any:
        total = tf.zeros([2])
        for row in x:
            total = total * row + row
        return tf.reduce_sum(total)

    @tf.function
    def python_range(x: Any) -> Any:
        for i in range(3):
            x = x * x + float(i)
        return x

    @tf.function
    def tensor_in_range(n: Any) -> Any:
        total = 0
        for i in range(n):
            total += i
        return total

    @tf.function
    def double(x: Any) -> Any:
        total = x * 0.0
        for i in tf.range(3):
            for j in tf.range(i + 1):
                total = total + x * x * tf.cast(i * j, tf.float32)
        return total

    @tf.function
    def condition_and_loop(x: Any) -> Any:
        n = 0
        while x > 1.0:
            if x > 10.0:
                x = x / 3.0
            else:
                x = x - 1.0
            n += 1
        return x, n

    @tf.function
    def late(x: Any) -> Any:
        for i in tf.range(3):
            z = x * tf.cast(i, tf.float32)
        return z

    @tf.function
    def accumulated(x: Any) -> Any:
        ta = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
        for i in tf.range(4):
            x = x * 1.5
            ta = ta.write(i, x * x)
        return ta.stack()

    @tf.function
    def growing(n: Any) -> Any:
        x = tf.zeros([0])
        for i in tf.range(n):
            tf.autograph.experimental.set_loop_options(shape_invariants=[(x, tf.TensorShape([None]))])
            x = tf.concat([x, [tf.cast(i, tf.float32)]], 0)
        return x

    @tf.function
    def newton(x: Any) -> Any:
        y = x
        while tf.abs(y * y - x) > 1e-6:
            y = 0.5 * (y + x / y)
        return y

    @tf.function
    def python_list(x: Any) -> Any:
        found = []
        for i in range(3):
            found.append(x * float(i))
        return tf.stack(found)

    @tf.function
    def inner_gradient(x: Any) -> Any:
        for _ in tf.range(3):
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = (x - 3.0) ** 2
            x = x - 0.25 * tape.gradient(y, x)
        return x

    @tf.function
    def unknown_rows(x: Any) -> Any:
        total = 0.0
        for row in x:
            total += tf.reduce_sum(row * row)
        return total

    @tf.function
    def ragged_rows(values: Any) -> Any:
        total, weight = tf.constant(0.0), 1.0
        for row in tf.RaggedTensor.from_row_lengths(values, [3, 0, 1]):
            total += weight * tf.reduce_sum(row * row)
            weight += 1.0
        return total

    @tf.function
    def fizz_buzz(n: Any) -> Any:
        words = tf.TensorArray(tf.string, 0, dynamic_size=True)
        for i in tf.range(1, n + 1):
            if i % 15 == 0:
                words = words.write(words.size(), "fizzbuzz")
            elif i % 3 == 0:
                words = words.write(words.size(), "fizz")
            else:
                words = words.write(words.size(), tf.strings.as_string(i))
        return words.stack()

    @tf.function
    def joined(items: Any) -> Any:
        found = tf.zeros([1])
        for item in items:
            found = tf.concat([found, item], 0)
        return found

    @tf.function
    def joined_of_iterator(items: Any) -> Any:
        found = tf.zeros([1])
        for item in iter(items):
            found = tf.concat([found, item], 0)
        return found

    pairs = tf.data.Dataset.from_tensor_slices([[1.0, 2.0], [3.0, 4.0]])

    @tf.function
    def longest(numbers: Any) -> Any:
        most = 0
        for row in numbers:
            most = tf.maximum(most, tf.size(row))
        return most

    unknown = tf.function(unknown_rows.python_function, input_signature=[tf.TensorSpec([None, 2])])
    m = tf.constant([[1.0, 2.0], [3.0, 4.0], [0.5, 0.25]])
    return {
        "for over range": lambda: _with_gradient(tf, power, 2.0, tf.constant(3)),
        "for over range, no step": lambda: _with_gradient(tf, power, 2.0, tf.constant(0)),
        "while": lambda: _with_gradient(tf, doubling, 3.0),
        "break": lambda: _with_gradient(tf, breaking, 2.0),
        "continue": lambda: _with_gradient(tf, continuing, 2.0),
        "for over rows": lambda: _with_gradient(tf, rows, m),
        "for over ragged rows": lambda: _with_gradient(tf, ragged_rows, tf.constant([1.0, 2.0, 3.0, 4.0])),
        "TensorArray written in branches": lambda: fizz_buzz(tf.constant(16)),
        "shape that changes over a dataset": lambda: joined(pairs),
        "shape that changes over an iterator": raises(lambda: joined_of_iterator(pairs)),
        "for over ragged integers": lambda: longest(tf.ragged.constant([[3, 1, 4], [], [5, 9]])),
        "for over unknown rows": lambda: _with_gradient(tf, unknown, m),
        "python range": lambda: _with_gradient(tf, python_range, 1.5),
        "range of a tensor": lambda: tensor_in_range(tf.constant(5)),
        "loop in a loop": lambda: _with_gradient(tf, double, 2.0),
        "branch in a loop": lambda: condition_and_loop(tf.constant(20.0)),
        "defined in the loop": lambda: late(tf.constant(2.0)),
        "TensorArray": lambda: _with_gradient(tf, accumulated, 2.0),
        "shape invariants": lambda: growing(tf.constant(4)),
        "newton": lambda: _with_gradient(tf, newton, 2.0)[:2],
        "python list": lambda: _with_gradient(tf, python_list, 2.0),
        "tape in the loop": lambda: _with_gradient(tf, inner_gradient, 0.0),
    }


def calls(tf: Any) -> Answers:
    def helper(x: Any) -> Any:
        if x > 0.0:
            return x * 2.0
        return x * 3.0

    class Layer:
        def __init__(self, by: float) -> None:
            self.by = by

        def __call__(self, x: Any) -> Any:
            if x > 0.0:
                x = x * self.by
            return x

        def method(self, x: Any) -> Any:
            return self(x) if x < 10.0 else x

    @tf.autograph.experimental.do_not_convert
    def left_alone(x: Any) -> Any:
        return tf.where(x > 0.0, x, -x)

    @tf.autograph.experimental.do_not_convert
    def wrongly_left_alone(x: Any) -> Any:
        if x > 0.0:
            return x
        return -x

    layer = Layer(5.0)
    x, y = tf.constant(2.0), tf.constant(-2.0)

    @tf.function
    def mapped(v: Any) -> Any:
        return tf.map_fn(helper, v)

    @tf.function
    def conditioned(x: Any) -> Any:
        return tf.cond(x > 0.0, lambda: helper(x), lambda: helper(x) + 1.0)

    @tf.function
    def defaults(x: Any, n: Any = 3, *rest: Any, scale: float = 2.0) -> Any:
        total = x
        for r in rest:
            if r > 0.0:
                total = total + r
        return total * n * scale

    @tf.function
    def inner_definition(x: Any) -> Any:
        def g(z: Any) -> Any:
            if z > 0.0:
                return z + 1.0
            return z - 1.0

        return g(x) * g(-x)

    @tf.function
    def lengths(x: Any) -> Any:
        return len(x), int(x[0]), float(tf.constant(3)), max(x[0], x[1]), min(x[0], x[1]), abs(x[1])

    @tf.function
    def comprehension(x: Any) -> Any:
        return [helper(x * float(i)) for i in range(-1, 2)]

    @tf.function
    def generator_outside(x: Any) -> Any:
        return sum(v * x for v in (1.0, 2.0))

    return {
        "user's function": lambda: [tf.function(helper)(v) for v in (x, y)],
        "called function": lambda: [tf.function(lambda v: helper(v) * 10.0)(v) for v in (x, y)],
        "callable object": lambda: [tf.function(layer)(v) for v in (x, y)],
        "method": lambda: [tf.function(layer.method)(v) for v in (x, y)],
        "do_not_convert": lambda: [tf.function(left_alone)(v) for v in (x, y)],
        "do_not_convert, needing it": raises(lambda: tf.function(wrongly_left_alone)(x), "bool"),
        "map_fn": lambda: mapped(tf.constant([1.0, -1.0])),
        "cond": lambda: [conditioned(v) for v in (x, y)],
        "defaults and varargs": lambda: defaults(x, 2, y, x, scale=1.0),
        "function in a function": lambda: [inner_definition(v) for v in (x, y)],
        "built-in functions": ours([2, 1, 3.0, 1.5, -2.5, 2.5], lambda: [t.numpy().item() for t in lengths(tf.constant([1.5, -2.5]))]),
        "comprehension": lambda: comprehension(x),
        "generator": lambda: generator_outside(x),
        "to_graph": lambda: tf.autograph.to_graph(helper)(tf.constant(3.0)),
        "autograph=False": raises(lambda: tf.function(helper, autograph=False)(x), "bool"),
    }


def ordered(tf: Any) -> Answers:
    """`sorted` of tensors."""

    @tf.function
    def plainly(x: Any) -> Any:
        return sorted(x)

    @tf.function
    def backwards(x: Any) -> Any:
        return sorted(x, reverse=True)

    @tf.function
    def by_key(x: Any) -> Any:
        return sorted(x, key=lambda e: (e - 2) * (e - 2))

    @tf.function
    def by_key_backwards(x: Any) -> Any:
        return sorted(x, key=lambda e: -e, reverse=True)

    vectors = {"integers": [3, 1, 2, 5], "floats": [2.5, -1.0, 0.0]}
    found: Answers = {}
    for name, values in vectors.items():
        for f in (plainly, backwards, by_key, by_key_backwards):
            found[f"{name}, {f.__name__}"] = lambda f=f, x=values: f(tf.constant(x))
    return found | {
        "a matrix": raises(lambda: plainly(tf.constant([[2, 1]])), "1D"),
        "keys that are vectors": raises(lambda: tf.function(lambda x: sorted(x, key=lambda e: tf.stack([e, e])))(tf.constant([2, 1])), "1D"),
        "gradient": lambda: _with_gradient(tf, lambda x: tf.reduce_sum(plainly(x) * [1.0, 2.0, 3.0]), tf.constant([2.5, -1.0, 0.0])),
    }  # fmt: skip


def refusals(tf: Any) -> Answers:
    @tf.function
    def undefined(x: Any) -> Any:
        if x > 0.0:
            y = x
        return y

    @tf.function
    def dtypes(x: Any) -> Any:
        if x > 0.0:
            y = x
        else:
            y = 1
        return y

    @tf.function
    def nothing(x: Any) -> Any:
        if x > 0.0:
            y = None
        else:
            y = x
        return y

    @tf.function
    def no_return(x: Any) -> Any:
        if x > 0.0:
            return x

    @tf.function
    def structures(x: Any) -> Any:
        if x > 0.0:
            y = [x, x]
        else:
            y = [x]
        return y

    @tf.function
    def shape(x: Any) -> Any:
        for _ in tf.range(3):
            x = tf.concat([x, x], 0)
        return x

    @tf.function
    def loop_dtype(x: Any) -> Any:
        n = 0
        while x > 0.0:
            n = x
            x = x - 1.0
        return n

    @tf.function
    def checked(x: Any) -> Any:
        assert x > 0.0, "must be positive"
        return x * 2.0

    @tf.function
    def scalar(x: Any) -> Any:
        for y in x:
            x = x + y
        return x

    x = tf.constant(1.0)
    return {
        "undefined in one branch": raises(lambda: undefined(x), "'y'", "else branch"),
        "dtypes of branches": raises(lambda: dtypes(x), "'y'", "float32", "int32"),
        "None in one branch": raises(lambda: nothing(x), "'y'", "None"),
        "no return": raises(lambda: no_return(x), "return"),
        "structures of branches": raises(lambda: structures(x)),
        "shape in a loop": raises(lambda: shape(tf.constant([1.0])), "'x'", "shape"),
        "dtype in a loop": raises(lambda: loop_dtype(x), "'n'", "dtype"),
        "assert holds": ours(True, lambda: bool(checked(x) == 2.0)),
        "assert fails": ours(raised("InvalidArgumentError", says=("must be positive",)), lambda: raises(lambda: checked(-x))()),
        "for over a scalar": raises(lambda: scalar(x)),
    }
