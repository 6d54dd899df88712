"""What a write of a variable gives, and writes of parts of variables, in graphs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.golden.programs.kit import either

FACE = "v1"
START = np.arange(6, dtype=np.float32).reshape(3, 2)
ONES = np.ones((3, 2), np.float32)


def parts(tf: Any, v: Any) -> dict[str, Callable[[], Any]]:
    """Writes of parts of a variable of shape (3, 2)."""
    return {
        "rows": lambda: v[1:].assign(np.zeros((2, 2), np.float32)),
        "a number": lambda: v[1:].assign(9.0),
        "a row for all": lambda: v[1:].assign([7.0, 8.0]),
        "one row": lambda: v[0].assign([7.0, 8.0]),
        "one element": lambda: v[0, 1].assign(7.0),
        "a column": lambda: v[:, 1].assign([7.0, 8.0, 9.0]),
        "backwards": lambda: v[::-1, 0].assign([7.0, 8.0, 9.0]),
        "every other": lambda: v[::2].assign([[7.0, 8.0], [1.0, 1.0]]),
        "from a tensor": lambda: v[tf.constant(1) :].assign([[7.0, 8.0], [1.0, 1.0]]),
        "ellipsis": lambda: v[..., 0].assign([7.0, 8.0, 9.0]),
        "new axis": lambda: v[tf.newaxis, 0].assign([[7.0, 8.0]]),
        "all": lambda: v[:].assign(ONES),
        "nothing": lambda: v[3:].assign(np.zeros((0, 2), np.float32)),
        "of another shape": lambda: v[1:].assign(ONES),
        "of another dtype": lambda: v[1:].assign(tf.constant([[1, 2], [3, 4]])),
        "a part of a part": lambda: v[1:][0].assign([7.0, 8.0]),
        "no such method": lambda: v[1:].assign_add([7.0, 8.0]),
    }


def results(tf: Any, v: Any) -> dict[str, Callable[[], Any]]:
    """What a program does with what a write of a resource variable gives."""
    return {
        "assign": lambda: v.assign(ONES).read_value(),
        "assign_add": lambda: v.assign_add(ONES).read_value(),
        "assign_sub": lambda: v.assign_sub(ONES).value(),
        "chain": lambda: v.assign_add(ONES).assign_add(ONES),
        "chain of three": lambda: v.assign_add(ONES).assign_sub(ONES).assign_add(ONES).read_value(),
        "plus": lambda: v.assign_add(ONES) + 1.0,
        "part": lambda: v.assign_add(ONES)[0],
        "shape": lambda: tf.constant(v.assign_add(ONES).shape.as_list()),
        "initialized": lambda: v.assign_add(ONES).is_initialized(),
        "handle": lambda: tf.constant(v.assign_add(ONES).handle is v.handle),
        "is a variable": lambda: tf.constant(isinstance(v.assign(ONES), tf.Variable)),
        "operation": lambda: v.assign_add(ONES).op,
        "no value": lambda: v.assign_add(ONES, read_value=False),
        "gradient": lambda: tf.gradients(v.assign_add(ONES) * 2.0, v)[0],
        "identity": lambda: tf.identity(v.assign_add(ONES)),
        "group": lambda: tf.group(v.assign_add(ONES)),
        "cond": lambda: tf.cond(tf.constant(True), lambda: v.assign_add(ONES), lambda: v.read_value()),
        "used in a cond": lambda: (lambda w: tf.cond(tf.constant(True), lambda: w + 1.0, lambda: w + 0.0))(v.assign_add(ONES)),
        "used in a loop": lambda: (lambda w: tf.while_loop(lambda i, x: i < 2, lambda i, x: (i + 1, x + w), [0, tf.zeros([3, 2])])[1])(
            v.assign_add(ONES)
        ),
        "matmul": lambda: tf.matmul(v.assign_add(ONES), ONES, transpose_b=True),
        "stack": lambda: tf.stack([v.assign_add(ONES), ONES]),
        "scatter": lambda: v.scatter_update(tf.IndexedSlices([[9.0, 9.0]], [0])).read_value(),
        "scatter_add": lambda: v.scatter_add(tf.IndexedSlices([[9.0, 9.0]], [0])).read_value(),
        "scatter_nd": lambda: v.scatter_nd_update([[0, 0]], [9.0]).read_value(),
        "tf.assign": lambda: tf.assign(v, ONES).read_value(),
        "tf.assign_add": lambda: tf.assign_add(v, ONES).value(),
        "tf.scatter_update": lambda: tf.scatter_update(v, [0], [[9.0, 9.0]]).read_value(),
        "eval": lambda: tf.constant(v.assign_add(ONES).eval()),
    }


def _run(tf: Any, calls: Callable[..., Any], label: str, use_resource: bool) -> Any:
    with tf.Graph().as_default(), tf.Session() as session:
        v = tf.Variable(START, use_resource=use_resource)
        session.run(v.initializer)
        return [session.run(calls(tf, v)[label]()), session.run(v)]


def _answers(tf: Any, calls: Callable[..., Any], use_resource: bool) -> dict[str, Any]:
    return {label: either(lambda label=label: _run(tf, calls, label, use_resource)) for label in calls(tf, tf.Variable(START))}


def parts_of_variables(tf: Any) -> dict[str, Any]:
    return _answers(tf, parts, True)


def parts_of_references(tf: Any) -> dict[str, Any]:
    return {label: call for label, call in _answers(tf, parts, False).items() if label != "of another dtype"}


def results_of_writes(tf: Any) -> dict[str, Any]:
    return _answers(tf, results, True)


def order(tf: Any) -> dict[str, Any]:
    """A write waits for the one that it is made of."""

    def run(use_resource: bool) -> Any:
        with tf.Graph().as_default(), tf.Session() as session:
            v = tf.Variable([1.0, 2.0], use_resource=use_resource)
            session.run(v.initializer)
            with tf.control_dependencies([v[0].assign(5.0)]):
                after = v.read_value() + v[1].assign(7.0)
            return [session.run(after), session.run(v)]

    return {"resource": lambda: run(True), "reference": lambda: run(False)}
