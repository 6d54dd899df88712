"""Raw operations on reference variables, in graphs."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.golden.programs.kit import raises, run_all

FACE = "v1"
START = np.arange(6, dtype=np.float32).reshape(3, 2)


def writing(tf: Any) -> dict[str, Any]:
    def written(op: str, **inputs: Any) -> Any:
        def answer() -> Any:
            v = tf.Variable(START, use_resource=False)
            out = getattr(tf.raw_ops, op)(ref=v._ref(), **inputs)
            with tf.control_dependencies([out]):
                after = tf.identity(v.read_value())
            return run_all(tf, [out, after])

        return answer

    places = {"indices": [[2, 1], [0, 0]], "updates": np.float32([7, -3])}
    part = {"begin": [1, 0], "end": [3, 1], "strides": [1, 1], "value": np.float32([[8], [9]])}
    return {
        **{how: written(f"ScatterNd{how}", **places) for how in ("Add", "Sub", "Update", "Max", "Min")},
        "slice": written("StridedSliceAssign", **part),
        "no such place": raises(written("ScatterNdAdd", indices=[[3, 0]], updates=np.float32([1]))),
    }


def counting(tf: Any) -> dict[str, Any]:
    def counted() -> Any:
        v = tf.Variable(0, use_resource=False)
        step, other = tf.count_up_to(v, 3), v.count_up_to(3)
        with tf.Session() as session:
            session.run(v.initializer)
            return [session.run(step), session.run(other), session.run(step), raises(lambda: session.run(step))()]

    return {"three": counted}


def rows(tf: Any) -> dict[str, Any]:
    def written() -> Any:
        v = tf.Variable(START, use_resource=False)
        return run_all(tf, [tf.batch_scatter_update(v, [[0], [1], [0]], np.float32([[7], [8], [9]]))])

    return {"batch_scatter_update": written, "array": lambda: tf.convert_to_tensor_or_indexed_slices(np.float32([1])) is not None}


def known(tf: Any) -> dict[str, Any]:
    p = tf.placeholder(tf.float32, [2, None])
    return {
        "constant": tf.get_static_value(tf.constant([1, 2])),
        "placeholder": tf.get_static_value(p),
        "shape in part": tf.get_static_value(tf.shape(p)),
        "range": tf.get_static_value(tf.range(3)),
        "array": tf.get_static_value(np.float32([1.5])),
    }


def identity(tf: Any) -> dict[str, Any]:
    v = tf.Variable([1.0, 2.0], use_resource=False)
    y = tf.raw_ops.RefIdentity(input=v._ref())
    z = tf.raw_ops.DebugGradientRefIdentity(input=v._ref())
    return {
        "value and gradient": lambda: run_all(tf, [y, *tf.gradients(y * y, [v._ref()])]),
        "of a debugger": lambda: run_all(tf, [z * 2.0]),
    }
