"""Raw operations on variables' handles: reading parts, writing parts, gradients that stay sparse."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.golden.programs.kit import ours, raised, raises

FACE = "v2"
START = np.arange(6, dtype=np.float32).reshape(3, 2)


def reading(tf: Any) -> dict[str, Any]:
    raw = tf.raw_ops
    v = tf.Variable(START)

    def gradient(f: Any) -> Any:
        def answer() -> Any:
            with tf.GradientTape() as tape:
                tape.watch(v)
                y = f()
            g = tape.gradient(y, v)
            kind = "sparse" if isinstance(g, tf.IndexedSlices) else "dense"
            return [y, kind, tf.convert_to_tensor(g)]

        return answer

    rows = np.int32([[2, 0], [2, 1]])
    return {
        "shape": lambda: raw.VariableShape(input=v.handle),
        "shape as int64": lambda: raw.VariableShape(input=v.handle, out_type=tf.int64),
        "rows": gradient(lambda: raw.ResourceGather(resource=v.handle, indices=[2, 0, 2], dtype=tf.float32)),
        "rows of a batch": lambda: raw.ResourceGather(resource=v.handle, indices=[[1], [0], [1]], dtype=tf.float32, batch_dims=1),
        "gradient of rows of a batch, which TensorFlow refuses": ours(
            [np.float32([[1], [2], [5]]), "dense", np.float32([[0, 1], [1, 0], [0, 1]])],
            gradient(lambda: raw.ResourceGather(resource=v.handle, indices=[[1], [0], [1]], dtype=tf.float32, batch_dims=1)),
        ),
        "entries": gradient(lambda: raw.ResourceGatherNd(resource=v.handle, indices=rows, dtype=tf.float32)),
        "rows by vectors": gradient(lambda: raw.ResourceGatherNd(resource=v.handle, indices=[[2], [2]], dtype=tf.float32)),
        "no such row": raises(lambda: raw.ResourceGather(resource=v.handle, indices=[3], dtype=tf.float32)),
        "wrong dtype ends TensorFlow": ours(
            raised("InvalidArgumentError", says=("float64",)),
            raises(lambda: raw.ResourceGather(resource=v.handle, indices=[0], dtype=tf.float64)),
        ),
    }


def writing(tf: Any) -> dict[str, Any]:
    def written(op: str, **inputs: Any) -> Any:
        def answer() -> Any:
            v = tf.Variable(START)
            first = "resource" if op.startswith(("ResourceScatter", "Assign")) and "Nd" not in op else "ref"
            out = getattr(tf.raw_ops, op)(**{first: v.handle}, **inputs)
            return [out is None, v]

        return answer

    rows = {"indices": [2, 0, 2], "updates": np.float32([[1, 2], [3, 4], [5, 6]])}
    once = {"indices": [2, 0], "updates": np.float32([[1, 2], [3, 4]])}
    places = {"indices": [[2, 1], [0, 0]], "updates": np.float32([7, -3])}
    part = {"begin": [1, 0], "end": [3, 1], "strides": [1, 1], "value": np.float32([[8], [9]])}
    return {
        **{f"Assign{how}": written(f"Assign{how}VariableOp", value=START + 1) for how in ("", "Add", "Sub")},
        "AssignAdd, shapes": raises(written("AssignAddVariableOp", value=np.float32([1]))),
        **{how: written(f"ResourceScatter{how}", **rows) for how in ("Add", "Sub", "Mul", "Div", "Min", "Max")},
        "Update": written("ResourceScatterUpdate", **once),
        **{f"Nd{how}": written(f"ResourceScatterNd{how}", **places) for how in ("Add", "Sub", "Min", "Max", "Update")},
        "slice": written("ResourceStridedSliceAssign", **part),
        "no such row": raises(written("ResourceScatterAdd", indices=[3], updates=np.float32([[1, 2]]))),
        "shapes": raises(written("ResourceScatterAdd", indices=[0], updates=np.float32([1, 2, 3]))),
        "dtype": ours(
            raised("InvalidArgumentError"), raises(written("ResourceScatterNdAdd", indices=[[0]], updates=np.float64([[1, 2]])))
        ),
        "no such place": raises(written("ResourceScatterNdAdd", indices=[[3, 0]], updates=np.float32([1]))),
    }
