"""Raw control flow of TensorFlow 1, eagerly, in functions and in graphs, and the stacks of its gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.golden.programs.kit import Answers, raises

FACE = "v2"


def eager(tf: Any) -> Answers:
    raw = tf.raw_ops

    def merged(pred: bool) -> Any:
        return list(raw.Merge(inputs=list(raw.Switch(data=[1.0, 2.0], pred=pred))))

    def slope(op: Callable[[Any], Any]) -> Any:
        x = tf.constant([1.0, 2.0])
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = op(x * x)
        return tape.gradient(y, x)

    return {
        "true": lambda: list(raw.Switch(data=[1.0, 2.0], pred=True)),
        "false": lambda: list(raw.Switch(data=[1.0, 2.0], pred=False)),
        "by name": lambda: raw.Switch(data=[1.0, 2.0], pred=False).output_false,
        "dead and used": lambda: raw.Switch(data=[1.0, 2.0], pred=False).output_true + 1,
        "a vector": raises(lambda: raw.Switch(data=[1.0], pred=[False]), "must be a scalar"),
        "a number": raises(lambda: raw.Switch(data=[1.0], pred=1), "dtype bool"),
        "merge": lambda: list(raw.Merge(inputs=[[1.0], [2.0]])),
        "merge whole numbers": lambda: raw.Merge(inputs=[3]).output,
        "merge nothing": raises(lambda: raw.Merge(inputs=[]), "at least minimum 1"),
        "merge two dtypes": raises(lambda: raw.Merge(inputs=[1, 2.0]), "dtype int32"),
        "merge both": lambda: merged(True) + merged(False),
        "enter": lambda: raw.Enter(data=[1.0], frame_name="a", is_constant=True, parallel_iterations=3),
        "exit": lambda: raw.Exit(data=[1.0]),
        "next": lambda: raw.NextIteration(data=[1.0]),
        "condition": lambda: raw.LoopCond(input=True),
        "condition of a number": raises(lambda: raw.LoopCond(input=1), "dtype bool"),
        "slope of enter": lambda: slope(lambda x: raw.Enter(data=x, frame_name="a")),
        "slope of next": lambda: slope(lambda x: raw.NextIteration(data=x)),
    }


def functions(tf: Any) -> Answers:
    raw = tf.raw_ops

    @tf.function
    def chosen(x: Any, pred: Any) -> Any:
        a, b = raw.Switch(data=x, pred=pred)
        return list(raw.Merge(inputs=[a + 1, b * 10]))

    @tf.function
    def around(x: Any) -> Any:
        return raw.Exit(data=raw.NextIteration(data=raw.Enter(data=x, frame_name="q")))

    x = tf.constant(2.0)
    return {
        "true": lambda: chosen(x, tf.constant(True)),
        "false": lambda: chosen(x, tf.constant(False)),
        "around": lambda: around(x),
    }


def graphs(tf: Any) -> Answers:
    """Conditionals made of switches: values, gradients, what the dead side does not do."""
    v1 = tf.compat.v1
    raw = v1.raw_ops

    def asked(build: Callable[[Any], Any], *preds: Any, of: Any = None) -> Callable[[], Any]:
        def run() -> Any:
            with v1.Graph().as_default(), v1.Session() as session:
                pred = v1.placeholder(of or tf.bool, [])
                fetched = build(pred)
                session.run(v1.global_variables_initializer())
                return [session.run(fetched, {pred: value}) for value in preds]

        return run

    def two(pred: Any) -> Any:
        x = tf.constant([1.0, 2.0])
        a, b = raw.Switch(data=x, pred=pred)
        y = raw.Merge(inputs=[a * 2, b * b * b])
        slope = v1.gradients(y.output, x)[0]
        return [*y, slope, v1.gradients(slope, x)[0] if slope is not None else y.output]

    def of_an_inverse(pred: Any) -> Any:
        x = tf.constant([0.0, 2.0])
        a, b = raw.Switch(data=x, pred=pred)
        y = raw.Merge(inputs=[a + 1, tf.sqrt(b) / b])
        return [y.output, v1.gradients(y.output, x)[0]]

    def nested(pred: Any) -> Any:
        x = tf.constant(3.0)
        a, b = raw.Switch(data=x, pred=pred)
        inner = raw.Merge(inputs=list(raw.Switch(data=b * 2, pred=b > 2.0))).output
        return raw.Merge(inputs=[a, inner * 10]).output

    def selected(number: Any) -> Any:
        x = tf.constant([1.0, 2.0])
        ways = [tf.sqrt, tf.square, tf.negative]
        found = [way(raw.Switch(data=x, pred=tf.equal(number, i)).output_true) for i, way in enumerate(ways)]
        return list(raw.Merge(inputs=found))

    def counted(pred: Any) -> Any:
        v = v1.Variable(0.0, use_resource=True)
        a, b = raw.Switch(data=1.0, pred=pred)
        y = raw.Merge(inputs=[a, v.assign_add(b)]).output
        with v1.control_dependencies([y]):
            return v.read_value()

    def dead(pred: Any) -> Any:
        return raw.Switch(data=1.0, pred=pred).output_true

    def dead_both(pred: Any) -> Any:
        a, b = raw.Switch(data=1.0, pred=pred)
        return raw.Merge(inputs=[b, b * 2]).output

    one_of_three = asked(selected, 0, 1, 2, of=tf.int32)
    return {
        "two": asked(two, True, False),
        "where the other is not finite": asked(of_an_inverse, False),
        "nested": asked(nested, True, False),
        "one of three": one_of_three,
        "none of three": raises(asked(selected, 3, of=tf.int32)),
        "counted": asked(counted, True, False, True),
        "alive": asked(dead, True),
        "dead": raises(asked(dead, False), "does not have value"),
        "dead, merged": raises(asked(dead_both, False), "does not have value"),
    }


def stacks(tf: Any) -> Answers:
    raw = tf.raw_ops

    def made(most: Any = -1, **options: Any) -> Any:
        return raw.StackV2(max_size=most, elem_type=tf.float32, **options)

    def push(to: Any, *values: Any) -> Any:
        return [raw.StackPushV2(handle=to, elem=value) for value in values]

    def pop(of: Any, dtype: Any = None) -> Any:
        return raw.StackPopV2(handle=of, elem_type=dtype or tf.float32)

    def both(stack: Any) -> Any:
        return [*push(stack, 1.0, [2.0, 3.0]), pop(stack), pop(stack)]

    def closed() -> Any:
        stack = made()
        push(stack, 1.0)
        raw.StackCloseV2(handle=stack)
        return pop(stack)

    def popped(dtype: Any) -> Any:
        stack = made()
        push(stack, 1.0)
        return pop(stack, dtype)

    def of_one_name() -> Any:
        first, second = made(stack_name="q"), made(stack_name="q")
        push(first, 1.0)
        push(second, 2.0)
        return [pop(first), pop(second)]

    @tf.function
    def in_function(x: Any) -> Any:
        stack = made()
        push(stack, x, x + 1)
        return [pop(stack), pop(stack)]

    def in_graph() -> Any:
        v1 = tf.compat.v1
        with v1.Graph().as_default(), v1.Session() as session:
            stack = made()
            with v1.control_dependencies(push(stack, 5.0)):
                y = pop(stack)
            return [session.run(y), session.run(y)]

    return {
        "both": lambda: both(made()),
        "empty": raises(lambda: pop(made()), "is empty when calling Pop()"),
        "full": raises(lambda: push(made(1), 1.0, 2.0), "overflowed its max_size (1)"),
        "full of nothing": raises(lambda: push(made(0), 1.0), "overflowed its max_size (0)"),
        "a vector": raises(lambda: made([1]), "must be a scalar"),
        "another dtype": raises(lambda: push(made(), 1), "Must have type"),
        "popped as another": raises(lambda: popped(tf.int32), "Type mismatch: actual float"),
        "closed": raises(closed, "has already been closed"),
        "of one name": of_one_name,
        "in a function": lambda: in_function(tf.constant(2.0)),
        "in a graph": in_graph,
    }
