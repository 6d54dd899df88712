"""Raw operations by TensorFlow's arguments: other names than nodes have, policies, dtypes of results, steps of optimizers."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np

from tests.golden.programs.kit import raises

FACE = "v2"
GRAD = np.array([0.5, -2.0], np.float32)
SLOTS = {
    "var": [1.0, 2.0], "m": [0.3, -0.4], "v": [0.2, 0.1], "vhat": [0.3, 0.1], "accum": [0.1, 0.2], "linear": [0.3, 0.4],
    "ms": [0.5, 0.6], "mg": [0.1, -0.1], "mom": [0.2, 0.3], "accum_update": [0.4, 0.3], "gradient_accumulator": [0.1, 0.7],
    "gradient_squared_accumulator": [0.9, 0.8],
}  # fmt: skip
NUMBERS = {
    "lr": 0.1, "alpha": 0.2, "momentum": 0.9, "rho": 0.8, "epsilon": 0.05, "l1": 0.01, "l2": 0.02, "l2_shrinkage": 0.3, "lr_power": -0.5,
    "beta1_power": 0.81, "beta2_power": 0.96, "beta1": 0.9, "beta2": 0.98, "beta": 0.7, "sign_decay": 0.6, "logbase": 1.1,
}  # fmt: skip
DENSE = (
    "GradientDescent Momentum KerasMomentum Adam AdamWithAmsgrad AdaMax AddSign PowerSign RMSProp CenteredRMSProp Adadelta Adagrad "
    "AdagradV2 AdagradDA Ftrl FtrlV2 ProximalGradientDescent ProximalAdagrad"
).split()  # fmt: skip
SPARSE = (
    "Momentum KerasMomentum RMSProp CenteredRMSProp Adadelta Adagrad AdagradV2 AdagradDA Ftrl FtrlV2 ProximalGradientDescent "
    "ProximalAdagrad"
).split()  # fmt: skip


def optimizers(tf: Any) -> dict[str, Any]:
    def stepped(op: str, **options: Any) -> Any:
        def answer() -> Any:
            names = [n for n in inspect.signature(getattr(tf.raw_ops, op)).parameters if n in SLOTS]
            wide = (lambda v: [v, v[::-1], v]) if "Sparse" in op else lambda v: v
            slots = {n: tf.Variable(np.array(wide(SLOTS[n]), np.float32)) for n in names}
            getattr(tf.raw_ops, op)(**{n: v.handle for n, v in slots.items()}, **given(op), **options)
            return slots

        return answer

    def given(op: str) -> dict[str, Any]:
        grad, indices = (np.stack([GRAD, -GRAD, GRAD / 4]), [2, 0, 2]) if "Sparse" in op else (GRAD, None)  # one row twice
        values = {**NUMBERS, "grad": grad, "delta": grad, "indices": indices, "global_step": np.int64(3)}
        names = inspect.signature(getattr(tf.raw_ops, op)).parameters
        return {n: np.float32(v) if isinstance(v, float) else v for n, v in values.items() if n in names}

    dense = {op: stepped(f"ResourceApply{op}") for op in DENSE}
    options = {
        "Nesterov's momentum": stepped("ResourceApplyMomentum", use_nesterov=True),
        "Keras's momentum, Nesterov's": stepped("ResourceApplyKerasMomentum", use_nesterov=True),
        "Adam, Nesterov's": stepped("ResourceApplyAdam", use_nesterov=True),
        "Adagrad, slots kept": stepped("ResourceApplyAdagrad", update_slots=False),
        "Adagrad, slots kept, version 2": stepped("ResourceApplyAdagradV2", update_slots=False),
        "Adagrad, slots kept, rows": stepped("ResourceSparseApplyAdagrad", update_slots=False),
        "Adagrad, slots kept, version 2, rows": stepped("ResourceSparseApplyAdagradV2", update_slots=False),
        "Ftrl, linear by the rate, rows": stepped("ResourceSparseApplyFtrl", multiply_linear_by_lr=True),
        "Ftrl, linear by the rate, version 2, rows": stepped("ResourceSparseApplyFtrlV2", multiply_linear_by_lr=True),
        "Ftrl, linear by the rate": stepped("ResourceApplyFtrl", multiply_linear_by_lr=True),
        "Ftrl, linear by the rate, version 2": stepped("ResourceApplyFtrlV2", multiply_linear_by_lr=True),
        "lacking": raises(lambda: tf.raw_ops.ResourceApplyAdam(lr=0.1)),
    }
    return {**dense, **{f"{op}, rows": stepped(f"ResourceSparseApply{op}") for op in SPARSE}, **options}


def names(tf: Any) -> dict[str, Any]:
    raw, x = tf.raw_ops, np.array([[1, 2], [3, 4]], np.float32)
    reductions = {op: lambda op=op: getattr(raw, op)(input=x, axis=0) for op in ("Sum", "Prod", "Max", "Min", "Mean", "EuclideanNorm")}
    return {
        **reductions,
        "All": lambda: raw.All(input=x > 1, axis=[1], keep_dims=True),
        "ExpandDims": lambda: raw.ExpandDims(input=x, axis=1),
        "Split": lambda: raw.Split(axis=1, value=x, num_split=2),
        "SplitV": lambda: raw.SplitV(value=x, size_splits=[1, 1], axis=0, num_split=2),
        "Squeeze": lambda: raw.Squeeze(input=x[None], axis=[0]),
        "Select": lambda: raw.Select(condition=x > 2, x=x, y=-x),
        "Where": lambda: raw.Where(condition=x > 2),
        "hints": lambda: raw.MatMul(a=x, b=x, grad_a=True),
        "ReadVariableOp": lambda: raw.ReadVariableOp(resource=tf.Variable(x).handle, dtype=tf.float32),
        "by position": raises(lambda: raw.Sum(x, 0)),
        "unknown": raises(lambda: raw.Sum(input=x, axis=0, reduction_indices=0)),
        "missing": raises(lambda: raw.Sum(input=x)),
    }


def policies(tf: Any) -> dict[str, Any]:
    raw = tf.raw_ops
    params, updates = np.array([[1, 2], [3, 4]], np.float32), np.array([7, 8, 9], np.float32)
    indices = np.array([[1, 0], [2, 0], [0, -1]], np.int32)

    def gradient(f: Any, x: Any) -> Any:
        def answer() -> Any:
            at = tf.constant(x)
            with tf.GradientTape() as tape:
                tape.watch(at)
                y = f(at)
            return [y, tape.gradient(y, at)]

        return answer

    def policy(name: str) -> dict[str, Any]:
        return {"bad_indices_policy": name}

    scatters = ("Add", "Sub", "Max", "Min", "Update")
    return {
        "gather": gradient(lambda p: raw.GatherNd(params=p, indices=indices, **policy("IGNORE")), params),
        "gather rows": lambda: raw.GatherNd(params=params, indices=[[1], [5]], **policy("IGNORE")),
        "gather, error": raises(lambda: raw.GatherNd(params=params, indices=indices, **policy("ERROR"))),
        "scatter": lambda: raw.ScatterNd(indices=indices, updates=updates, shape=[2, 2], **policy("IGNORE")),
        "scatter, unknown": raises(lambda: raw.ScatterNd(indices=indices, updates=updates, shape=[2, 2], **policy("?"))),
        **{
            f"TensorScatter{how}": lambda how=how: getattr(raw, f"TensorScatter{how}")(
                tensor=params, indices=indices, updates=updates, **policy("IGNORE")
            )
            for how in scatters
        },
        "public gather": lambda: tf.gather_nd(params, indices, **policy("IGNORE")),
        "public scatter": lambda: tf.tensor_scatter_nd_add(params, indices, updates, **policy("IGNORE")),
        "shapes that do not fit, equal": lambda: raw.Equal(x=[1.0, 2.0], y=[1.0, 2.0, 3.0], incompatible_shape_error=False),
        "shapes that do not fit, unequal": lambda: raw.NotEqual(x=[1.0, 2.0], y=[1.0, 2.0, 3.0], incompatible_shape_error=False),
        "shapes that fit": lambda: raw.Equal(x=[1.0, 2.0], y=[[1.0], [2.0]], incompatible_shape_error=False),
    }


def results(tf: Any) -> dict[str, Any]:
    raw, z = tf.raw_ops, tf.constant([1 + 2j])
    x = np.array([1.999, 3.14159, -1e-9, 1e9, np.inf, -7.3], np.float32)
    return {
        "real": lambda: raw.Real(input=z, Tout=tf.float64),
        "real, of another dtype": raises(lambda: raw.Real(input=z)),
        "complex": lambda: raw.Complex(real=tf.constant([1], tf.float64), imag=tf.constant([2], tf.float64), Tout=tf.complex128),
        "cut to bfloat16": lambda: tf.cast(raw.Cast(x=x, DstT=tf.bfloat16, Truncate=True), tf.float32),
        "cut to float16": lambda: raw.Cast(x=x, DstT=tf.float16, Truncate=True),
        "cut to float32": lambda: raw.Cast(x=tf.constant([1.999, 1 / 3, -0.1], tf.float64), DstT=tf.float32, Truncate=True),
        "rounded": lambda: raw.Cast(x=x[:2], DstT=tf.float16),
        "integers": lambda: raw.Cast(x=x[:2], DstT=tf.int32, Truncate=True),
    }
