"""What is measured, continued: the rest of the elementwise operations, and those that hand a tensor on."""

from __future__ import annotations

from functools import partial
from typing import Any

from .table import N, Rows, inside, integers, numbers, tensors


def elements(tf: Any) -> Rows:
    t = tensors(tf, x=numbers(N), y=numbers(N, seed=1), p=inside(0.1, 4, N), q=inside(0.1, 4, N, seed=2), i=integers(1000, N))
    j, a, b = tf.constant(integers(999, N, seed=1) % 30 + 1), t.x > 0.0, t.y > 0.0
    raw = tf.raw_ops
    for name in ("LessEqual", "Greater", "Div", "ApproximateEqual"):
        yield name, partial(getattr(raw, name), x=t.x, y=t.y)
    for name in ("BitwiseOr", "BitwiseXor", "RightShift", "TruncateMod", "Mod"):
        yield name, partial(getattr(raw, name), x=t.i, y=j)
    yield "LogicalOr", partial(raw.LogicalOr, x=a, y=b)
    yield "Select", partial(tf.compat.v1.where, a, t.x, t.y)
    yield "PopulationCount", partial(raw.PopulationCount, x=t.i)
    yield "Inv", partial(raw.Inv, x=t.p)
    yield "InvGrad", partial(raw.InvGrad, y=t.p, dy=t.x)
    yield "IgammaGradA", partial(raw.IgammaGradA, a=t.p, x=t.q)
    yield "RandomGammaGrad", partial(raw.RandomGammaGrad, alpha=t.p, sample=t.q)
    yield "CheckNumerics", partial(raw.CheckNumerics, tensor=t.x, message="")
    yield "CheckNumericsV2", partial(raw.CheckNumericsV2, tensor=t.x, message="")
    yield "DeepCopy", partial(raw.DeepCopy, x=t.x)
    boundaries = [x / 10 for x in range(-20, 20)]
    yield "Bucketize", partial(raw.Bucketize, input=t.x, boundaries=boundaries)


def passed_on(tf: Any) -> Rows:
    """Calls that compute nothing: what an eager call costs."""
    x, raw = tf.constant(numbers(N)), tf.raw_ops
    matrix = tf.reshape(x, [1, 1000, 1000])
    for name in ("Identity", "StopGradient", "GuaranteeConst", "PreventGradient", "Snapshot", "DebugGradientIdentity", "DebugIdentityV2"):
        yield name, partial(getattr(raw, name), input=x)
    yield "IdentityN", partial(raw.IdentityN, input=[x, matrix])
    for name in ("Shape", "Size", "Rank", "Squeeze"):
        yield name, partial(getattr(raw, name), input=matrix)
    yield "ShapeN", partial(raw.ShapeN, input=[x, matrix])
    yield "ExpandDims", partial(tf.expand_dims, x, 0)
    yield "EnsureShape", partial(raw.EnsureShape, input=x, shape=[N])
    yield "PlaceholderWithDefault", partial(raw.PlaceholderWithDefault, input=x, shape=[N])
    yield "Const", partial(tf.constant, numbers(N))
    yield "Assert", partial(raw.Assert, condition=True, data=[x])
    yield "PartitionedCall", partial(tf.function(lambda x: x[0]), x)
    yield "EagerPyFunc", partial(tf.py_function, lambda x: x, [x], tf.float32)
    yield "PyFunc", partial(tf.numpy_function, lambda x: x, [x], tf.float32)
    yield "PyFuncStateless", partial(tf.numpy_function, lambda x: x, [x], tf.float32, stateful=False)
    yield "Timestamp", raw.Timestamp
    rows, columns = tf.constant([4, 1, 5, 1]), tf.constant([3, 1, 2])
    yield "BroadcastArgs", partial(raw.BroadcastArgs, s0=rows, s1=columns)
    yield "BroadcastGradientArgs", partial(raw.BroadcastGradientArgs, s0=rows, s1=columns)
    yield "ConcatOffset", partial(raw.ConcatOffset, concat_dim=1, shape=[tf.constant([2, 3]), tf.constant([2, 5])])
