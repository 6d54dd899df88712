"""What `tf.experimental.numpy.experimental_enable_numpy_behavior` changes: operators, methods, keys, and functions of integers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from tests.golden.programs.kit import Answers, raises

FACE = "v2"

INTEGERS = np.int32([[7, -3, 0], [4, 12, -9]])
MATRIX = np.float32([[1.5, -2.0, 0.25], [0.0, 3.0, -1.0]])


@contextmanager
def _behaving(tf: Any, **options: Any) -> Iterator[None]:
    """NumPy's behaviour, for other programs' sake only inside the block."""
    tf.experimental.numpy.experimental_enable_numpy_behavior(**options)
    try:
        yield
    finally:
        _back(tf)


def _back(tf: Any) -> None:
    if tf.__name__.startswith("tensorflow"):
        from tensorflow.python.framework import ops
        from tensorflow.python.ops.numpy_ops import np_dtypes

        ops.set_dtype_conversion_mode("off")
        ops._numpy_style_slicing = False
        np_dtypes.set_prefer_float32(False)
    else:
        from pullback.numpy_api.behavior import disable_numpy_behavior

        disable_numpy_behavior()


def _each(tf: Any, answers: dict[str, Callable[[], Any]], **options: Any) -> Answers:
    def inside(call: Callable[[], Any]) -> Callable[[], Any]:
        def answer() -> Any:
            with _behaving(tf, **options):
                found = call()
                return found() if callable(found) else found

        return answer

    return {label: inside(call) for label, call in answers.items()}


def _products(tf: Any) -> Any:
    z, m, batch = tf.constant([1.0, 2.0]), tf.constant([[1.0, 2.0], [3.0, 4.0]]), tf.ones([3, 2, 2])
    with tf.GradientTape() as tape:
        tape.watch(z)
        y = z.T @ m @ z
    return [
        z @ m, m @ z, z @ z, y, tape.gradient(y, z), batch @ z, z @ batch, m @ m, [1.0, 2.0] @ m, z @ [1.0, 2.0],
        tf.constant([1, 2]) @ z, tf.function(lambda: z @ m)(), raises(lambda: tf.constant(2.0) @ z)(), raises(lambda: z @ tf.ones([3]))(),
        raises(lambda: tf.matmul(z, m))(),
    ]  # fmt: skip


def _operators(tf: Any) -> dict[str, Callable[[], Any]]:
    f, d, i = tf.constant(MATRIX), tf.constant(MATRIX, tf.float64), tf.constant(INTEGERS)
    b, u = tf.constant([True, False, True]), tf.constant([1, 2, 3], tf.uint8)
    return {
        "f + d": lambda: f + d,
        "f - i": lambda: f - i,
        "i * 1.5": lambda: i * 1.5,
        "1.5 * i": lambda: 1.5 * i,
        "f + 1": lambda: f + 1,
        "i + u": lambda: i + u,
        "i / u": lambda: i / u,
        "i // 2.0": lambda: i // 2.0,
        "i % 4": lambda: [i % 4, u % 2.5],
        "f ** i": lambda: f ** tf.constant([1, 2, 3]),
        "i ** 2": lambda: i**2,
        "b + 1": lambda: b + 1,
        "b * f": lambda: b * f,
        "f * 2j": lambda: f * 2j,
        "numpy scalar": lambda: [f + np.float64(1), f * np.float32(2), i + np.int64(1), i + np.int8(1)],
        "numpy array": lambda: [f * np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0, 3.0]) * i, u + np.int8([1, 1, 1])],
        "vectors in products": lambda: _products(tf),
        "list": lambda: [f + [1, 2, 3], i * [0.5, 1.0, 1.5]],
        "f @ d": lambda: f @ tf.transpose(d),
        "compare": lambda: [f < d, f >= i, i == d, i != 0.5, 1 > f, f == 1.5],
        "bits": lambda: [i & tf.constant(3, tf.int64), i | u[:3], u ^ 1],
        "unary": lambda: [-i, abs(i), +f],
        "half": lambda: [tf.constant(1.0, tf.bfloat16) + 1.0, tf.constant(1.0, tf.float16) + f, tf.constant(1, tf.int8) + 1.5],
        "variable": lambda: [tf.Variable([1.0, 2.0]) + tf.constant([1, 2]), tf.Variable(2.0) * np.float64(2)],
        "add": lambda: raises(lambda: tf.add(f, d)),
    }


def operators(tf: Any) -> Answers:
    """Operands of different dtypes."""
    return _each(tf, _operators(tf))


def operators_prefer_float32(tf: Any) -> Answers:
    """The same where Python's floats are float32."""
    tnp = tf.experimental.numpy
    made = {
        "array": lambda: [tnp.array(1.5), tnp.array([1.0, 2.0]), tnp.array(1), tnp.array(2j), tnp.zeros(2), tnp.arange(3.0), tnp.linspace(0, 1, 3)],
        "log2": lambda: [tnp.log2(MATRIX + 3), tnp.sin([1, 2]), tnp.mean([1, 2]), tnp.full([2], 1.5), tnp.result_type(1.0), tnp.result_type(float)],
        "none": lambda: [tnp.zeros([1], None), tnp.add(1.0, 2), tnp.where([True], 1.5, 2)],
    }
    return _each(tf, _operators(tf) | made, prefer_float32=True)


def methods(tf: Any) -> Answers:
    """Methods of tensors."""
    f, i = tf.constant(MATRIX), tf.constant(INTEGERS)
    cube = tf.reshape(tf.range(24), [2, 3, 4])

    def slope() -> Any:
        with tf.GradientTape() as tape:
            tape.watch(f)
            y = f.T.reshape(2, 3).clip(-1, 2.0).ravel().astype(np.float64).mean() * 3
        return [y, tape.gradient(y, f)]

    return _each(
        tf,
        {
            "T": lambda: [f.T, cube.T, f[0].T],
            "reshape": lambda: [f.reshape(3, 2), f.reshape([-1]), f.reshape((1, -1)), f.reshape(3, 2, order="F"), f.reshape(-1)],
            "reshape wrong": lambda: raises(lambda: f.reshape(3, 2, way="F")),
            "astype": lambda: [f.astype(np.int32), i.astype(tf.float64), i.astype(float), f.astype("complex64")],
            "clip": lambda: [f.clip(-1, 1), i.clip(0.5, 3), i.clip(None, 3)],
            "extremes": lambda: [f.max(), f.min(axis=0), i.mean(), f.mean(1, keepdims=True), i.max(1)],
            "flatten": lambda: [f.flatten(), f.flatten("F"), cube.ravel()],
            "transpose": lambda: [cube.transpose(), cube.transpose([1, 0, 2])],
            "size": lambda: [int(f.size), f.ndim, f.data, f.tolist(), f[0, 0].tolist()],
            "round": lambda: [round(f), round(f * 1.26, 1), round(i)],
            "gradient": slope,
            "keys": lambda: [cube[[0, 1], [2, 0]], cube[:, [0, 2]], cube[tf.constant([1, 0])], f[f > 0], cube[-1, ..., [3, -4]], cube[1]],
            "more keys": lambda: [
                cube[[0, 1], :, [2, 0]],
                cube[[True, False], [0, 2], 1],
                cube[:, None, [0, 2]],
                cube[[[0, 1], [1, 0]], [2, 0]],
                cube[np.array([1]), ...],
                cube[..., tf.constant([2, 0]), 1:3],
            ],
            "wrong key": lambda: raises(lambda: cube[[1.5]], otherwise=("TypeError",)),
        },
    )


def functions(tf: Any) -> Answers:
    """Functions that TensorFlow has for integers only now."""
    tnp = tf.experimental.numpy
    names = "sin cos exp expm1 arctan sinh tanh deg2rad rad2deg ceil floor fix sinc isnan isfinite cbrt log1p exp2 round around"
    names += " nansum nanmean nanprod average log2 log10 square negative abs std var"
    given = np.int32([[1, 3], [4, 12]])
    found: dict[str, Callable[[], Any]] = {f"{name} integers": (lambda f=getattr(tnp, name): f(given)) for name in names.split()}
    found |= {f"{name} float32": (lambda f=getattr(tnp, name): f(np.float32([0.25, 0.5]))) for name in names.split()}
    two = "hypot heaviside logaddexp logaddexp2 power true_divide arctan2 mod"
    found |= {f"{name} mixed": (lambda f=getattr(tnp, name): f(np.float32([1.5, -2.0]), np.float64([0.0, 3.0]))) for name in two.split()}
    found |= {f"{name} integers": (lambda f=getattr(tnp, name): f(given, np.int32([1, 3]))) for name in "hypot heaviside logaddexp true_divide".split()}
    return _each(
        tf,
        found
        | {
            "around": lambda: [tnp.around(np.float32([1.25, -2.55]), 1), tnp.around(1234.5, -2), tnp.round([0.5, 1.5, 2.5]), tnp.around(155, -1)],
            "logaddexp edges": lambda: tnp.logaddexp(tnp.array([np.inf, -np.inf, np.nan]), tnp.array([np.inf, -np.inf, 1.0])),
            "angle": lambda: [tnp.angle(-1), tnp.angle(1j, deg=True)],
            "average weights": lambda: [tnp.average(given, weights=[1, 2], axis=0), tnp.average(given, weights=given)],
            "meshgrid": lambda: tnp.meshgrid([1, 2], [3.5]),
            "geomspace": lambda: tnp.geomspace(1, 16, 5),
        },
    )


def modes(tf: Any) -> Answers:
    """The other conversion modes."""
    f, d = tf.constant(MATRIX), tf.constant(MATRIX, tf.float64)
    enable = tf.experimental.numpy.experimental_enable_numpy_behavior
    off = {"methods": lambda: f.T, "operators": lambda: raises(lambda: f + d), "keys": lambda: f[:, [0, 2]]}
    return _each(tf, off, dtype_conversion_mode="off") | {
        "bad": raises(lambda: enable(dtype_conversion_mode="bad")),
        "after": raises(lambda: f + d),
    }
