"""Floats of 8 bits, integers of 4, and other calls that Keras makes: loops over numbers, bands, distinct rows of nothing, strides with dilations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .kit import Answers

FACE = "v2"
_NUMBERS = [0.1, 1.7, -300.0, 1e6, float("inf"), float("nan"), 1e-9, 448.0, 464.0, 465.0, 57344.0, 61440.0]


def _class_of_error(call: Callable[[], Any]) -> Callable[[], Any]:
    def answer() -> Any:
        try:
            return call()
        except Exception as error:
            return type(error).__name__

    return answer


def _float32(x: Any) -> Any:
    """The numbers, which no file of answers holds in 8 bits."""
    return x.dtype.name, x.numpy().astype("float32")


def floats(tf: Any) -> Answers:
    found: Answers = {}
    for name in ("float8_e4m3fn", "float8_e5m2"):
        dtype = tf.as_dtype(name)
        x = tf.constant(_NUMBERS)
        few = tf.cast(x[:4], dtype)
        traits = "name size is_floating is_integer is_numpy_compatible as_datatype_enum is_complex is_quantized is_numeric".split()
        found[f"{name}: traits"] = lambda dtype=dtype, traits=traits: [getattr(dtype, trait) for trait in traits]
        found[f"{name}: limits"] = lambda dtype=dtype: [float(dtype.min), float(dtype.max)]
        found[f"{name}: of experimental"] = lambda dtype=dtype, name=name: getattr(tf.dtypes.experimental, name) is dtype
        found[f"{name}: from float32"] = lambda dtype=dtype, x=x: _float32(tf.cast(x, dtype))
        found[f"{name}: saturated"] = lambda dtype=dtype, x=x: _float32(tf.saturate_cast(x, dtype))
        for other in ("float16", "bfloat16", "float64", "int32", "int64", "uint8", "bool", "complex64"):
            found[f"{name}: from {other}"] = _class_of_error(
                lambda dtype=dtype, other=other, x=x: _float32(tf.cast(tf.cast(x[:3], other), dtype))
            )
            if other not in ("uint8", "bfloat16"):  # -300 as uint8 depends on the processor
                found[f"{name}: to {other}"] = lambda other=other, few=few: tf.cast(few[:3], other)
        calls = {
            "reshape": lambda y: tf.reshape(y, [2, 2]), "concat": lambda y: tf.concat([y, y], 0), "gather": lambda y: tf.gather(y, [0, 2]),
            "slice": lambda y: y[1:], "variable": lambda y: tf.Variable(y).assign(y[::-1]), "constant": lambda y: tf.constant(y.numpy()),
            "function": lambda y: tf.function(lambda y: tf.cast(tf.cast(y, tf.float32) * 2.0, y.dtype))(y),
            "add": lambda y: y + y, "matmul": lambda y: tf.matmul([y], [y]), "exp": tf.exp, "sum": tf.reduce_sum, "maximum": lambda y: tf.maximum(y, y),
        }  # fmt: skip
        for called, call in calls.items():
            found[f"{name}: {called}"] = _class_of_error(lambda call=call, few=few: _float32(call(few)))

        def gradient(dtype: Any = dtype, x: Any = x) -> Any:
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = tf.cast(tf.cast(x, dtype), tf.float32) * 3.0
            return tape.gradient(y, x)

        found[f"{name}: gradient"] = gradient
    return found


def held(tf: Any) -> Answers:
    """Numbers of 8 bits and less that have names, and arrays that become tensors: they are cast to nothing, and nothing to them."""
    found: Answers = {}
    traits = "name size is_floating is_integer is_unsigned is_numpy_compatible as_datatype_enum is_numeric min max".split()
    for name in ("float8_e4m3fnuz", "float8_e4m3b11fnuz", "float8_e5m2fnuz", "float4_e2m1fn", "int2", "uint2"):
        dtype = tf.as_dtype(name)
        array = np.array([0, 1], dtype.as_numpy_dtype)

        def seen(x: Any) -> Any:
            return x.dtype.name, x.shape.as_list(), x.numpy().astype("float32")

        found[f"{name}: traits"] = lambda dtype=dtype: [getattr(dtype, trait) for trait in traits[:-2]]
        found[f"{name}: limits"] = lambda dtype=dtype: [float(dtype.min), float(dtype.max)]
        found[f"{name}: of experimental"] = lambda dtype=dtype, name=name: getattr(tf.dtypes.experimental, name) is dtype
        found[f"{name}: an array"] = lambda array=array, seen=seen: seen(tf.constant(array))
        found[f"{name}: of floats"] = lambda dtype=dtype, seen=seen: seen(tf.constant(np.array([0.0, 1.0]), dtype))
        found[f"{name}: in a function"] = lambda array=array, seen=seen: seen(tf.function(lambda: tf.constant(array))())
        if "fnuz" not in name:  # TensorFlow's variables have no kernel for those
            found[f"{name}: a variable"] = lambda array=array, seen=seen: seen(tf.Variable(array))
        found[f"{name}: the shape"] = lambda array=array: tf.shape(tf.constant(array))
        for other in ("float32", "int8", "float16"):
            found[f"{name}: from {other}"] = _class_of_error(lambda dtype=dtype, other=other: tf.cast(tf.ones([2], other), dtype))
            found[f"{name}: to {other}"] = _class_of_error(lambda array=array, other=other: tf.cast(tf.constant(array), other))
        found[f"{name}: bits"] = _class_of_error(lambda dtype=dtype: tf.bitcast(tf.constant([1], tf.uint8), dtype))
    return found


def integers_of_four_bits(tf: Any) -> Answers:
    """They are cast to and from integers, around their ends; there is no arithmetic on them."""

    def whole(x: Any) -> Any:
        return x.dtype.name, x.numpy().astype("int64")

    def v1(build: Callable[[], Any]) -> Any:
        with tf.Graph().as_default(), tf.compat.v1.Session() as session:
            return session.run(build())

    found: Answers = {}
    for name in ("int4", "uint4"):
        dtype = tf.as_dtype(name)
        few = tf.cast(tf.constant([1, 2, -3, 7]), dtype)
        traits = "name size is_floating is_integer is_unsigned is_numpy_compatible as_datatype_enum is_complex is_quantized".split()
        found[f"{name}: traits"] = lambda dtype=dtype, traits=traits: [getattr(dtype, trait) for trait in traits]
        found[f"{name}: limits"] = lambda dtype=dtype: [int(dtype.min), int(dtype.max)]
        found[f"{name}: limits of images"] = _class_of_error(lambda dtype=dtype: dtype.limits)
        found[f"{name}: of experimental"] = lambda dtype=dtype, name=name: getattr(tf.dtypes.experimental, name) is dtype
        found[f"{name}: by NumPy's"] = lambda dtype=dtype: tf.as_dtype(dtype.as_numpy_dtype) is dtype
        found[f"{name}: around"] = lambda dtype=dtype: whole(tf.cast(tf.constant([-300, -20, -9, -8, -1, 0, 7, 8, 15, 16, 300]), dtype))
        others = "int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 bfloat16 float32 float64 bool complex64 string int4 uint4".split()
        for other in others:
            if other != "string":
                found[f"{name}: from {other}"] = _class_of_error(
                    lambda dtype=dtype, other=other: whole(tf.cast(tf.cast(tf.constant([1, 3]), other), dtype))
                )
            found[f"{name}: to {other}"] = _class_of_error(lambda other=other, few=few: whole(tf.cast(few, other)))
        calls: dict[str, Callable[[Any], Any]] = {
            "constant": lambda y: tf.constant([1, 2], y.dtype), "constant, around": lambda y: tf.constant([100], y.dtype),
            "constant of a fraction": lambda y: tf.constant([1.5], y.dtype), "constant of an array": lambda y: tf.constant(y.numpy()),
            "identity": tf.identity, "reshape": lambda y: tf.reshape(y, [2, 2]), "expand": lambda y: tf.expand_dims(y, 0),
            "squeeze": lambda y: tf.squeeze(tf.reshape(y, [1, 4])), "split": lambda y: tf.split(y, 2)[1], "stop": tf.stop_gradient,
            "zeros": lambda y: tf.zeros([2], y.dtype), "ones": lambda y: tf.ones([2], y.dtype), "variable": lambda y: tf.Variable(y).read_value(),
            "assign": lambda y: tf.Variable(y).assign(tf.zeros([4], y.dtype)), "function": tf.function(lambda y: tf.reshape(y, [2, 2])),
            "function of casts": lambda y: tf.function(lambda t: tf.cast(tf.cast(t, y.dtype), tf.int32))(tf.constant([1, 9, -9])),
            "cond": lambda y: tf.cond(True, lambda: y, lambda: y), "ensure": lambda y: tf.ensure_shape(y, [4]),
            "loop": lambda y: tf.while_loop(lambda i, t: i < 2, lambda i, t: (i + 1, t), [0, y])[1],
            "add": lambda y: y + y, "subtract": lambda y: y - y, "multiply": lambda y: y * y, "divide": lambda y: y / y,
            "floordiv": lambda y: y // y, "mod": lambda y: y % y, "negative": lambda y: -y, "abs": tf.abs, "less": lambda y: y < y,
            "and": lambda y: tf.bitwise.bitwise_and(y, y), "bitcast": lambda y: tf.bitcast(y, tf.int8), "sum": tf.reduce_sum,
            "max": tf.reduce_max, "argmax": tf.argmax, "sort": tf.sort, "cumsum": tf.cumsum, "square": tf.square,
            "minimum": lambda y: tf.minimum(y, y), "clip": lambda y: tf.clip_by_value(y, y, y), "pow": lambda y: y**y,
            "segments": lambda y: tf.math.segment_sum(y, [0, 0, 1, 1]),
        }  # fmt: skip
        for called, call in calls.items():
            found[f"{name}: {called}"] = _class_of_error(lambda call=call, few=few: whole(call(few)))
        found[f"{name}: shown"] = lambda few=few: repr(few)
        found[f"{name}: in a session"] = lambda dtype=dtype: v1(lambda: tf.cast(tf.cast(tf.constant([9, -9]), dtype), tf.int32))
    return found


def loops_over_numbers(tf: Any) -> Answers:
    """Eagerly a loop's functions are given numbers and arrays as they are, and tensors come out."""
    loop, older = tf.while_loop, tf.compat.v1.while_loop
    kinds: list[Any] = []
    calls: dict[str, Callable[[], Any]] = {
        "a number and an array": lambda: loop(lambda i, v: i < 10, lambda i, v: (i + 1, v + i), (0, np.array(0))),
        "kinds": lambda: loop(lambda i, v: i < 2, lambda i, v: (kinds.append(type(i).__name__), (i + 1, v * 2.0))[1], (0, 1.5)),
        "the kinds seen": lambda: kinds,
        "a bare number": lambda: loop(lambda i: i < 2, lambda i: i + 1, [0]),
        "a bare tensor": lambda: loop(lambda i: i < 2, lambda i: i + 1, [tf.constant(0)]),
        "a bare tensor of version 1": lambda: older(lambda i: i < 2, lambda i: i + 1, [tf.constant(0)]),
        "a list of version 1": lambda: older(lambda i: i < 2, lambda i: [i + 1], [tf.constant(0)]),
        "a list": lambda: loop(lambda i: i < 2, lambda i: [i + 1], (0,)),
        "strings": lambda: loop(lambda i, n: i < 2, lambda i, n: [i + 1, n + "a"], [0, "b"]),
        "no turn": lambda: loop(lambda i, n: i < 2, lambda i, n: [i + 1, n], [3, 2.5]),
        "one turn at most": lambda: loop(lambda i, n: i < 2, lambda i, n: [i + 1.0, n], [0, 2.5], maximum_iterations=1),
        "None": lambda: loop(lambda i, n: i < 2, lambda i, n: [i + 1, n], [0, None]),
        "one too many": lambda: loop(lambda i: i < 3, lambda i: (i + 1, i), [tf.constant(0)]),
        "another key": lambda: loop(lambda i, d: i < 3, lambda i, d: (i + 1, {"b": d["a"]}), [0, {"a": 1.5}]),
    }
    return {name: _class_of_error(call) for name, call in calls.items()}


def bands(tf: Any) -> Answers:
    x = tf.reshape(tf.range(16.0), [4, 4])
    narrow, wide = tf.constant(1), tf.constant(1, tf.int64)
    ends = {"int32 after": (-1, narrow), "int64 after": (-1, wide), "int32 before": (narrow, -1), "int64 before": (wide, -1), "both": (narrow, wide)}
    found: Answers = {name: _class_of_error(lambda pair=pair: tf.linalg.band_part(x, *pair)) for name, pair in ends.items()}
    for name in ("int32 after", "int32 before", "int64 before"):
        found[f"{name} in a function"] = lambda pair=ends[name]: tf.function(lambda: tf.linalg.band_part(x, *pair))()
    return found


def distinct_rows(tf: Any) -> Answers:
    shapes = {"no rows": ([0, 3], 0), "no columns": ([2, 0], 0), "columns of nothing": ([0, 3], 1)}
    return {
        name: lambda shape=shape, axis=axis: tf.raw_ops.UniqueWithCountsV2(x=tf.zeros(shape), axis=[axis])
        for name, (shape, axis) in shapes.items()
    }


def strides_and_dilations(tf: Any) -> Answers:
    found: Answers = {}
    for count in (1, 2, 3):
        x, filters = tf.ones([1, *[9] * count, 2]), tf.ones([*[3] * count, 2, 2])
        for strides, dilations in ((2, 2), ([2] * count, [2] * count), ([2] * count, 1), (1, 2), (None, 2)):
            found[f"{count}, {strides}, {dilations}"] = _class_of_error(
                lambda x=x, filters=filters, strides=strides, dilations=dilations: tf.nn.convolution(
                    x, filters, strides=strides, dilations=dilations
                )
            )
    return found
