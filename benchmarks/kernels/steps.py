"""What is measured, continued: variables, parts of them, and the steps of optimizers."""

from __future__ import annotations

from functools import partial
from typing import Any

from .table import SIDE, N, Rows, inside, integers, numbers, tensors


def variables(tf: Any) -> Rows:
    table, whole = tf.Variable(numbers(100_000, 10)), tf.Variable(numbers(N))
    t = tensors(tf, g=numbers(N), ids=integers(100_000, 16_000), rows=inside(0.9, 1.1, 16_000, 10), pairs=integers(10, 100_000, 2))
    raw = tf.raw_ops
    yield "ReadVariableOp", whole.read_value
    yield "VarHandleOp", partial(tf.Variable, 0.0)
    yield "VarIsInitializedOp", partial(raw.VarIsInitializedOp, resource=whole.handle)
    yield "VariableShape", partial(raw.VariableShape, input=table.handle)
    yield "AssignSubVariableOp", partial(whole.assign_sub, t.g)
    handle = table.handle
    yield "ResourceGather", partial(raw.ResourceGather, resource=handle, indices=t.ids, dtype=tf.float32)
    yield "ResourceGatherNd", partial(raw.ResourceGatherNd, resource=handle, indices=t.pairs, dtype=tf.float32)
    for name in ("Update", "Add", "Sub", "Mul", "Div", "Min", "Max"):
        yield f"ResourceScatter{name}", partial(getattr(raw, f"ResourceScatter{name}"), resource=handle, indices=t.ids, updates=t.rows)
    for name in ("Update", "Add", "Sub", "Min", "Max"):
        call = getattr(raw, f"ResourceScatterNd{name}")
        yield f"ResourceScatterNd{name}", partial(call, ref=handle, indices=t.ids[:, None], updates=t.rows)
    part: dict[str, Any] = {"begin": [0, 0], "end": [16_000, 10], "strides": [1, 1]}
    yield "ResourceStridedSliceAssign", partial(raw.ResourceStridedSliceAssign, ref=handle, value=t.rows, **part)


def optimizers(tf: Any) -> Rows:
    """A dense step of a million numbers, and a sparse one of 16,000 rows of 10."""
    train = tf.compat.v1.train
    made = {
        "GradientDescent": partial(train.GradientDescentOptimizer, 0.01),
        "Momentum": partial(train.MomentumOptimizer, 0.01, 0.9),
        "Adam": partial(train.AdamOptimizer, 0.01),
        "RMSProp": partial(train.RMSPropOptimizer, 0.01),
        "CenteredRMSProp": partial(train.RMSPropOptimizer, 0.01, centered=True),
        "Adagrad": partial(train.AdagradOptimizer, 0.01),
        "Adadelta": partial(train.AdadeltaOptimizer, 0.01),
        "Ftrl": partial(train.FtrlOptimizer, 0.01, l1_regularization_strength=0.01),
        "ProximalGradientDescent": partial(train.ProximalGradientDescentOptimizer, 0.01),
        "ProximalAdagrad": partial(train.ProximalAdagradOptimizer, 0.01),
    }
    g, ids, rows = tf.constant(numbers(N) / SIDE), tf.constant(integers(100_000, 16_000)), tf.constant(numbers(16_000, 10) / SIDE)
    for name, make in made.items():
        yield f"Apply{name}", partial(make().apply_gradients, [(g, tf.Variable(numbers(N)))])
        slices, table = tf.IndexedSlices(rows, ids), tf.Variable(numbers(100_000, 10))
        yield f"SparseApply{name}", partial(make().apply_gradients, [(slices, table)])
    step = tf.Variable(1, dtype=tf.int64)
    yield "ApplyAdagradDA", partial(train.AdagradDAOptimizer(0.01, step).apply_gradients, [(g, tf.Variable(numbers(N)))])
    sparse = [(tf.IndexedSlices(rows, ids), tf.Variable(numbers(100_000, 10)))]
    yield "SparseApplyAdagradDA", partial(train.AdagradDAOptimizer(0.01, step).apply_gradients, sparse)
    rate = {"lr": tf.constant(0.01), "epsilon": tf.constant(1e-7)}
    whole, table = [tf.Variable(numbers(N)), tf.Variable(numbers(N) ** 2)], [tf.Variable(numbers(100_000, 10) ** 2) for _ in range(2)]
    yield (
        "ApplyAdagradV2",
        lambda: (tf.raw_ops.ResourceApplyAdagradV2(var=whole[0].handle, accum=whole[1].handle, grad=g, **rate), whole[0])[1],
    )
    yield (
        "SparseApplyAdagradV2",
        lambda: (
            tf.raw_ops.ResourceSparseApplyAdagradV2(var=table[0].handle, accum=table[1].handle, grad=rows, indices=ids, **rate), table[0]
        )[1],
    )
