"""TensorArrays in TensorFlow 1's graphs: an element is written once, and read once unless it is kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.golden.programs.kit import Answers, raises

FACE = "v1"


def _asked(tf: Any, build: Callable[[], Any]) -> Any:
    """What a graph of its own gives where control flow is TensorFlow 1's."""
    tf.disable_control_flow_v2()
    try:
        with tf.Graph().as_default(), tf.Session() as session:
            return session.run(build())
    finally:
        tf.enable_control_flow_v2()


def _array(tf: Any, **options: Any) -> Any:
    return tf.TensorArray(tf.float32, **{"size": 2, **options})


def reading(tf: Any) -> Answers:
    def after(first: Any, then: Callable[[], Any]) -> list[Any]:
        with tf.control_dependencies([first]):
            return [first, then()]

    def twice(**options: Any) -> Any:
        ta = _array(tf, **options).write(0, 1.0).write(1, 2.0)
        return after(ta.read(0), lambda: ta.read(0))

    def others() -> Any:
        ta = _array(tf).unstack([1.0, 2.0])
        return [*after(ta.read(0), lambda: ta.read(1)), ta.size()]

    def written_again() -> Any:
        ta = _array(tf).write(0, 1.0).write(1, 2.0)
        return after(ta.read(0), lambda: ta.write(0, 5.0).read(1))

    def in_a_loop(**options: Any) -> Any:
        ta = _array(tf, **options).unstack([1.0, 2.0])
        return tf.while_loop(lambda i, s: i < 4, lambda i, s: (i + 1, s + ta.read(i % 2)), [0, 0.0])

    def once_in_a_loop() -> Any:
        x = tf.constant([1.0, 2.0, 3.0])
        ta = _array(tf, size=3).unstack(x)
        _, y = tf.while_loop(lambda i, s: i < 3, lambda i, s: (i + 1, s * ta.read(i)), [0, 1.0])
        return [y, tf.gradients(y, x)[0]]

    def collected() -> Any:
        x = tf.constant(1.5)
        _, ta = tf.while_loop(lambda i, ta: i < 3, lambda i, ta: (i + 1, ta.write(i, x ** tf.cast(i, tf.float32))), [0, _array(tf, size=3)])
        y = ta.stack()
        return [y, tf.gradients(y, x)[0]]

    def two(method: str, other: str, *args: Any) -> Callable[[], Any]:
        def build() -> Any:
            ta = _array(tf).unstack([[1.0], [2.0]])
            arguments = {"read": (0,), "gather": ([0, 1],), "stack": (), "concat": ()}
            return after(getattr(ta, method)(*arguments[method]), lambda: getattr(ta, other)(*arguments[other]))

        return build

    cleared = "Could not read index 0 twice because it was cleared"
    found: Answers = {
        "twice": raises(lambda: _asked(tf, twice), cleared),
        "twice, kept": lambda: _asked(tf, lambda: twice(clear_after_read=False)),
        "others": lambda: _asked(tf, others),
        "written again": raises(lambda: _asked(tf, written_again), "has already been"),
        "in a loop": raises(lambda: _asked(tf, in_a_loop), "twice because it was cleared"),  # at whichever index comes first
        "in a loop, kept": lambda: _asked(tf, lambda: in_a_loop(clear_after_read=False)),
        "once in a loop": lambda: _asked(tf, once_in_a_loop),
        "collected": lambda: _asked(tf, collected),
    }
    methods = ("read", "gather", "stack", "concat")
    return found | {f"{a}, then {b}": raises(lambda a=a, b=b: _asked(tf, two(a, b)), cleared) for a in methods for b in methods}


def in_functions(tf: Any) -> Answers:
    @tf.function
    def twice(x: Any) -> Any:
        ta = tf.TensorArray(tf.float32, 2).unstack(x)
        return ta.read(0) + ta.read(0) * ta.read(1)

    return {"read twice": lambda: _asked(tf, lambda: twice(tf.constant([3.0, 4.0])))}


def gradients_by_hand(tf: Any) -> Answers:
    """`TensorArray.grad`: what is written is added."""

    def array(**options: Any) -> Any:
        return _array(tf, size=3, clear_after_read=False, **options)

    def rows() -> Any:
        return array().unstack([1.0, 2.0, 3.0])

    def asked(change: Callable[[Any], Any]) -> Callable[[], Any]:
        return lambda: _asked(tf, lambda: change(rows().grad("g")))

    def two(first: str, second: str) -> Any:
        ta = rows()
        with tf.control_dependencies([ta.grad(first).write(0, 1.0).flow]):
            return ta.grad(second).write(0, 4.0).read(0)

    def read_and_written() -> Any:
        w = array().write(0, 1.0).write(1, 2.0)
        g = w.grad("grad").write(0, 5.0).write(0, 2.0).write(1, 7.0)
        return [w.read(0), g.read(0), g.read(1)]

    def of_a_flow() -> Any:
        ta = array()
        return ta.grad("g", flow=ta.write(0, 1.0).flow).write(0, 3.0).read(0)

    def in_a_loop() -> Any:
        def body(i: Any, g: Any) -> Any:
            return i + 1, g.write(i % 3, tf.cast(i, tf.float32))

        return tf.while_loop(lambda i, g: i < 6, body, [0, rows().grad("g")])[1].stack()

    def of_whole_numbers() -> Any:
        return tf.TensorArray(tf.int32, 3).unstack([1, 2, 3]).grad("g").write(0, 1).read(0)

    return {
        "write": asked(lambda g: g.write(0, 1.0).write(0, 2.0).read(0)),
        "write, stacked": asked(lambda g: g.write(0, 1.0).write(0, 2.0).write(2, 5.0).stack()),
        "nothing": lambda: _asked(tf, lambda: array().unstack([[1.0, 2.0]] * 3).grad("g").stack()),
        "one of nothing": asked(lambda g: g.read(1)),
        "of a shape": lambda: _asked(tf, lambda: array(element_shape=[2]).grad("g").read(1)),
        "of no shape": raises(lambda: _asked(tf, lambda: array().grad("g").read(1))),
        "unstack": asked(lambda g: g.unstack([1.0, 2.0, 3.0]).unstack([1.0, 2.0, 3.0]).stack()),
        "scatter": asked(lambda g: g.scatter([0, 2, 0], [1.0, 2.0, 3.0]).stack()),
        "scatter again": asked(lambda g: g.scatter([0, 2], [1.0, 2.0]).scatter([2, 1], [1.0, 2.0]).stack()),
        "past the end": raises(asked(lambda g: g.write(3, 1.0).read(0))),
        "rows too many": raises(asked(lambda g: g.unstack([1.0] * 4).stack())),
        "size": lambda: _asked(tf, lambda: array(dynamic_size=True).unstack([1.0] * 4).grad("g").size()),
        "another shape": raises(asked(lambda g: g.write(0, [1.0, 2.0]).read(0)), "Inconsistent shapes"),
        "one source": lambda: _asked(tf, lambda: two("g", "g")),
        "two sources": lambda: _asked(tf, lambda: two("g", "h")),
        "of the array and the gradients": lambda: _asked(tf, read_and_written),
        "of a flow": lambda: _asked(tf, of_a_flow),
        "in a loop": lambda: _asked(tf, in_a_loop),
        "of whole numbers": lambda: _asked(tf, of_whole_numbers),
        "of gradients": raises(asked(lambda g: g.grad("h").write(0, 1.0).read(0))),
        "in TensorFlow 2": raises(lambda: rows().grad("g")),
    }


def raw_gradients(tf: Any) -> Answers:
    """`TensorArrayGradV3`: what is written is added, and a place past the end is refused when a session runs."""
    raw = tf.raw_ops

    def asked(change: Callable[[Any, Any], Any], count: int = 2, **options: Any) -> Callable[[], Any]:
        def build() -> Any:
            made = raw.TensorArrayV3(size=count, dtype=tf.float32, clear_after_read=False)
            flow = raw.TensorArrayScatterV3(handle=made.handle, indices=list(range(count)), value=[1.0] * count, flow_in=made.flow)
            grad = raw.TensorArrayGradWithShape if options else raw.TensorArrayGradV3
            return change(*grad(handle=made.handle, flow_in=flow, source="g", **options))

        return lambda: _asked(tf, build)

    def write(handle: Any, flow: Any, index: int, value: Any) -> Any:
        return raw.TensorArrayWriteV3(handle=handle, index=index, value=value, flow_in=flow)

    def scatter(handle: Any, flow: Any, *indices: int) -> Any:
        return raw.TensorArrayScatterV3(handle=handle, indices=indices, value=[1.0, 2.0], flow_in=flow)

    def split(handle: Any, flow: Any, count: int) -> Any:
        return raw.TensorArraySplitV3(handle=handle, value=[3.0] * count, lengths=[1] * count, flow_in=flow)

    def gather(handle: Any, flow: Any, count: int = 2) -> Any:
        return raw.TensorArrayGatherV3(handle=handle, indices=list(range(count)), flow_in=flow, dtype=tf.float32)

    return {
        "write": asked(lambda h, f: gather(h, write(h, write(h, f, 0, 1.0), 0, 2.0))),
        "scatter": asked(lambda h, f: gather(h, scatter(h, scatter(h, f, 0, 1), 1, 2), 3), 3),
        "size": asked(lambda h, f: raw.TensorArraySizeV3(handle=h, flow_in=f), 3),
        "shape to prepend": asked(lambda h, f: gather(h, write(h, f, 0, [1.0, 2.0])), shape_to_prepend=[2]),
        "write past the end": raises(asked(lambda h, f: gather(h, write(h, f, 2, 1.0)))),
        "write past the end, flow alone": raises(asked(lambda h, f: write(h, f, 2, 1.0))),
        "scatter past the end": raises(asked(lambda h, f: gather(h, scatter(h, f, 0, 2)))),
        "split into too many": raises(asked(lambda h, f: split(h, f, 3))),
    }
