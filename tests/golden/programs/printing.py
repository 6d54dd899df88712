"""How tensors, variables, shapes and dtypes print."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.cases.case import ints

FACE = "v2"


def tensors(tf: Any) -> dict[str, Any]:
    values = {
        "scalar": tf.constant(1.0),
        "integer": tf.constant(3),
        "bool": tf.constant(True),
        "string": tf.constant("hello"),
        "complex": tf.constant(1 + 2j),
        "float16": tf.constant(1.5, tf.float16),
        "bfloat16": tf.constant(1.5, tf.bfloat16),
        "float64": tf.constant(0.1, tf.float64),
        "int64": tf.constant(7, tf.int64),
        "uint8": tf.constant(255, tf.uint8),
        "third": tf.constant(1.0) / 3.0,
        "tenth in half precision": tf.constant(0.1, tf.float16),
        "tenth in bfloat16": tf.constant(0.1, tf.bfloat16),
        "complex64": tf.constant(0.1 + 0.2j, tf.complex64),
        "large": tf.constant(1e20),
        "small": tf.constant(1e-20),
        "nan and infinity": tf.constant([float("nan"), float("inf"), -float("inf")]),
        "vector": tf.constant([1.0, 2.0, 3.0]),
        "mixed magnitudes": tf.constant([1e-10, 1.0, 1e10]),
        "integer vector": tf.constant([1, 20, 300]),
        "bool vector": tf.constant([True, False]),
        "string vector": tf.constant(["a", "bc"]),
        "complex vector": tf.constant([1 + 2j, -3.5j]),
        "matrix": tf.constant([[1.0, 2.0], [3.0, 4.0]]),
        "row": tf.constant([[1, 2, 3]]),
        "empty": tf.constant([]),
        "empty matrix": tf.zeros([0, 3]),
        "three dimensions": tf.reshape(tf.range(8), [2, 2, 2]),
        "long": tf.range(2000),
        "wide": tf.zeros([3, 40]),
        "half matrix": tf.constant([[0.5, 1.25]], tf.float16),
        "bfloat16 vector": tf.constant([0.5, 1.25], tf.bfloat16),
    }
    found: dict[str, Any] = {}
    for name, t in values.items():
        found[f"repr {name}"] = lambda t=t: repr(t)
        found[f"str {name}"] = lambda t=t: str(t)
    return found


def formats(tf: Any) -> dict[str, Any]:
    x = tf.constant(1.23456789)
    return {
        "format": f"{tf.constant(2)}",
        "format with digits": lambda: f"{x:.3f}",
        "format of a vector": lambda: f"{tf.constant([1, 2])}",
        "percent": "%.2f" % tf.constant(2.5),
        "float": float(x),
        "int": int(tf.constant(7)),
        "int of a float": int(tf.constant(7.9)),
        "complex": lambda: complex(tf.constant(1 + 2j)),
        "bool": [bool(tf.constant(0.0)), bool(tf.constant([3])), bool(tf.constant(True))],
        "index": [10, 20, 30][tf.constant(1)],
        "range": list(range(tf.constant(3))),
        "hex": lambda: hex(tf.constant(255)),
        "round": lambda: round(float(tf.constant(2.5))),
        "len": len(tf.constant([1, 2, 3])),
        "iteration": [int(t) for t in tf.constant([1, 2, 3])],
        "rows": [t.numpy() for t in tf.constant([[1, 2], [3, 4]])],
        "numpy": tf.constant([1.0, 2.0]).numpy(),
        "numpy of a scalar": type(tf.constant(1.0).numpy()).__name__,
        "numpy of a string": tf.constant("ab").numpy(),
        "numpy of bfloat16": str(tf.constant(1.5, tf.bfloat16).numpy().dtype),
        "asarray": np.asarray(tf.constant([1, 2])),
        "asarray with dtype": lambda: np.asarray(tf.constant([1, 2]), np.float64),
        "array of a scalar": np.array(tf.constant(1.0)),
        "numpy function": np.sum(tf.constant([1.0, 2.0])),
        "numpy times tensor": lambda: type(np.array([1.0, 2.0], np.float32) * tf.constant([1.0, 2.0])).__name__ != "ndarray",
        "type of a product with an array": lambda: (tf.constant([1.0, 2.0]) * np.array([1.0, 2.0], np.float32)).numpy(),
        "tolist": tf.constant([[1, 2]]).numpy().tolist(),
        "ndim": tf.constant([[1]]).ndim,
        "dtype": tf.constant([[1]]).dtype,
        "shape": tf.constant([[1]]).shape,
        "get_shape": tf.constant([[1]]).get_shape(),
        "device ends with": tf.constant(1).device.endswith("CPU:0"),
    }


def ragged(tf: Any) -> dict[str, Any]:
    """Ragged tensors as arrays, which are objects only where rows differ in length, and as text."""
    values = {
        "rows": tf.ragged.constant([[1, 2], [], [3]]),
        "rows of one length": tf.ragged.constant([[1, 2], [3, 4]]),
        "rows of rows": tf.ragged.constant([[[1, 2, 3], [4]], [[5], [], [6]], [[7]]]),
        "as many rows each": tf.ragged.constant([[[1, 2, 3], [4]], [[5], [6]]]),
        "a matrix in each": tf.ragged.constant([[[1, 2], [4, 3]], [[5, 5]]]),
        "no row": tf.RaggedTensor.from_row_splits(tf.zeros([0, 2]), [0]),
        "empty rows": tf.ragged.constant([[], []]),
        "uniform": tf.RaggedTensor.from_uniform_row_length(tf.RaggedTensor.from_row_splits(tf.range(10), [0, 3, 5, 9, 10]), 2),
        "strings": tf.ragged.constant([["a"], ["b", "c"]]),
        "of wide values": tf.RaggedTensor.from_row_splits(tf.reshape(tf.range(12), [6, 2]), [0, 3, 4, 6]),
        "long": tf.ragged.constant([["Will", "it", "rain", "later", "today"], ["Who", "is", "in", "the", "house", "at", "last", "then"]]),
    }
    return {name: [repr(value), str(value), repr(value.numpy())] for name, value in values.items()}


def variables(tf: Any) -> dict[str, Any]:
    return {
        "scalar": lambda: repr(tf.Variable(1.0)),
        "named": lambda: repr(tf.Variable([1, 2], name="v")),
        "matrix": lambda: repr(tf.Variable([[1.0, 2.0], [3.0, 4.0]])),
        "str": lambda: str(tf.Variable([1.0])),
        "float64": lambda: repr(tf.Variable(1.0, dtype=tf.float64)),
        "untrainable": lambda: repr(tf.Variable(True, trainable=False)),
        "string": lambda: repr(tf.Variable("a")),
        "tenth": lambda: repr(tf.Variable(0.1)),
        "unknown shape": lambda: repr(tf.Variable([1.0], shape=tf.TensorShape([None]))),
    }


def in_functions(tf: Any) -> dict[str, Any]:
    """Variables while a function is traced have no value to show."""
    v = tf.Variable([1.0, 2.0], name="v")
    shown: dict[str, Any] = {}

    @tf.function
    def traced() -> None:
        shown["type of an operation"] = type(tf.constant(1.0).op).__name__
        shown["type of a write"] = type(v.assign([1.0, 2.0])).__name__
        shown.update({"repr": repr(v), "str": str(v), "format": f"{v}", "a write": repr(v.assign([3.0, 4.0]))})
        with tf.init_scope():
            shown["init_scope"] = repr(v)

    traced()
    with tf.Graph().as_default():
        shown["in a graph"] = repr(v)
    shown["type of an eager write"] = type(v.assign([5.0, 6.0])).__name__
    return shown | {"afterwards": repr(v)}


def shapes_and_dtypes(tf: Any) -> dict[str, Any]:
    made = {
        "known": tf.TensorShape([2, 3]),
        "scalar": tf.TensorShape([]),
        "one": tf.TensorShape([2]),
        "unknown dimension": tf.TensorShape([None, 3]),
        "unknown": tf.TensorShape(None),
    }
    found: dict[str, Any] = {}
    for name, shape in made.items():
        found |= {f"repr {name}": repr(shape), f"str {name}": str(shape)}
    dtypes = ("float32", "float64", "float16", "bfloat16", "int32", "int64", "uint8", "bool", "string", "complex64", "complex128")
    for name in dtypes:
        dtype = getattr(tf, name)
        found[f"dtype {name}"] = [repr(dtype), str(dtype), dtype.name, dtype.size, dtype.is_floating, dtype.is_integer, dtype.is_complex]
        found[f"numpy dtype {name}"] = dtype.as_numpy_dtype.__name__
    found["spec"] = repr(tf.TensorSpec([None, 2], tf.float32, name="x"))
    found["spec unnamed"] = repr(tf.TensorSpec([3]))
    found["slices"] = str(tf.IndexedSlices(tf.constant([1.0]), tf.constant([0])))[:13]
    found["integers"] = repr(tf.constant(ints(2, 3)))
    return found
