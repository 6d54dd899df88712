"""Lists of NumPy's numbers and arrays: the first number says the kind, and what does not go together is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .kit import Answers

FACE = "v2"
NUMBERS: dict[str, list[Any]] = {
    "int32, float32": [np.int32(1), np.float32(0.5)], "int64s": [np.int64(1), np.int64(2)], "large int64s": [np.int64(1), np.int64(2**40)],
    "float32, int": [np.float32(2.5), 1], "int, float32": [1, np.float32(2.5)], "int8s": [np.int8(1), np.int8(2)], "int8, int": [np.int8(1), 2],
    "float16, float": [np.float16(1), 2.5], "float16, float32": [np.float16(1), np.float32(2.5)], "float32, float16": [np.float32(1), np.float16(2.5)],
    "float32, float64": [np.float32(1), np.float64(2.5)], "float, float64": [1.5, np.float64(2.5)], "float64, int": [np.float64(1), 2],
    "complex64, float": [np.complex64(2j), 1.0], "float, complex64": [1.0, np.complex64(2j)], "int, complex": [1, 2j], "complex64": [np.complex64(2j)],
    "uint8, float64": [np.uint8(1), np.float64(2.5)], "uint64": [np.uint64(1)], "uint32": [np.uint32(2**31)], "bool, int": [np.bool_(True), 1],
    "rank 0": [np.array(1), 2.5], "rank 0 float": [np.array(1.5), 2], "rows": [[np.int16(1)], [np.int16(2)]],
}  # fmt: skip
ARRAYS: dict[str, list[Any]] = {
    "int64, float64": [np.array([1, 2]), np.array([0.5, 1.5])], "float32, int32": [np.array([0.5, 1.5], np.float32), np.array([1, 2], np.int32)],
    "int64": [np.array([1, 2]), np.array([3, 4])], "float64": [np.array([1.0, 2.0])], "float16": [np.array([1.5], np.float16)],
    "uint8": [np.array([1, 2], np.uint8)], "array, list": [np.array([1.0, 2.0]), [3, 4]], "list, array": [[3, 4], np.array([1.0, 2.0])],
    "empty": [np.array([], np.float64)], "bool, int": [np.array([True]), [1]], "words": [np.array(["a"]), np.array(["b"])],
    "beyond 63 bits": [2**63], "beyond behind others": [1, 2**63],
}  # fmt: skip
DTYPES = (None, "int8", "int32", "int64", "float32", "float64", "float16", "bool", "complex64")


def _seen(call: Callable[[], Any]) -> Callable[[], Any]:
    def answer() -> Any:
        try:
            found = call()
        except Exception as error:
            return type(error).__name__
        return [found.dtype, found]

    return answer


def constants(tf: Any) -> Answers:
    found: Answers = {}
    for name, given in (*NUMBERS.items(), *((f"arrays {name}", arrays) for name, arrays in ARRAYS.items())):
        for dtype in DTYPES:
            found[f"{name} {dtype}"] = _seen(lambda given=given, dtype=dtype: tf.constant(given, dtype))
    for name, given in NUMBERS.items():
        for dtype in (None, "int32", "float64"):
            call = lambda given=given, dtype=dtype: tf.function(lambda: tf.constant(given, dtype), autograph=False)()  # noqa: E731
            found[f"{name} {dtype} in a function"] = _seen(call)
    return found


def hinted(tf: Any) -> Answers:
    found: Answers = {}
    for name in ("int64s", "float64, int", "float32, int", "int8s"):
        for hint in ("int32", "int64", "float32"):
            found[f"{name} {hint}"] = _seen(lambda name=name, hint=hint: tf.convert_to_tensor(NUMBERS[name], dtype_hint=hint))
    return found


def operations(tf: Any) -> Answers:
    of = ARRAYS | NUMBERS
    ones, floats = tf.constant([1, 2]), tf.Variable([1.0, 2.0])
    fractions = np.array([0.5, 1.5], np.float32)
    found: dict[str, Callable[[], Any]] = {
        "add": lambda: tf.add(of["int64s"], [np.int32(2), 3]), "times a tensor": lambda: ones * of["float32, int"],
        "reduce_sum": lambda: tf.reduce_sum(of["int64"]), "Variable": lambda: tf.Variable(of["int64s"]),
        "stack": lambda: tf.stack(of["int64"]), "stack of int8": lambda: tf.stack(of["int8s"]), "stack last": lambda: tf.stack(of["int64"], axis=-1),
        "stack of lists": lambda: tf.stack([[1, 2], [3, 4.0]]), "stack of a complex number": lambda: tf.stack([1.0, 2j]),
        "stack in a function": lambda: tf.function(lambda: tf.stack(of["int64"]), autograph=False)(),
        "stack of numbers in a function": lambda: tf.function(lambda: tf.stack(of["int64s"]), autograph=False)(),
        "stack beside a variable": lambda: tf.stack([[3, 4], floats]),
        "matmul int float": lambda: tf.matmul([np.array([1, 2], np.int32)], [fractions[:1], fractions[1:]]),
        "matmul lists": lambda: tf.matmul([[1, 2]], [[0.5], [1.5]]), "matmul float int": lambda: tf.matmul([[1.0, 2.0]], [[1], [2]]),
        "matmul of a variable": lambda: tf.matmul([[3, 4]], floats[:, None]), "matmul int64": lambda: tf.matmul([np.array([1, 2])], [[1], [2]]),
        "searchsorted int float": lambda: tf.searchsorted(np.array([1, 2, 3], np.int32), fractions),
        "searchsorted float int": lambda: tf.searchsorted([1.0, 2.5, 3.0], [2]), "searchsorted": lambda: tf.searchsorted([1.0, 2.5, 3.0], [2.0]),
        "set_diag": lambda: tf.linalg.set_diag(np.ones((2, 2), np.int32), fractions), "bias_add": lambda: tf.nn.bias_add([[1, 2]], fractions),
        "where of a list and a variable": lambda: tf.where([True, False], [3, 4], floats),
        "where of an array and a variable": lambda: tf.where([True, False], np.array([3, 4]), floats),
        "where of a tensor and a variable": lambda: tf.where([True, False], ones, floats),
        "where of a variable and a list": lambda: tf.where([True, False], floats, [3, 4]),
        "where of a number and a variable": lambda: tf.where(ones > 1, 3, floats),
        "maximum of a list and a variable": lambda: tf.maximum([3, 4], floats), "maximum of a number and a variable": lambda: tf.maximum(3, floats),
        "set_diag of a list and a variable": lambda: tf.linalg.set_diag([[3, 4], [5, 6]], floats),
        "where of a list and a tensor": lambda: tf.where([True, False], [3, 4], fractions + ones[:0].shape.rank),
    }  # fmt: skip
    answers: Answers = {name: _seen(call) for name, call in found.items()}
    repeats = {"floats": [1.5, 2.5], "a float": 2.5, "a float tensor": tf.constant([2.5, 1.0]), "a variable": floats, "booleans": [True, False],
               "a float array": np.array([2.5, 1.0]), "int16": np.array([1, 2], np.int16), "a complex number": 1j, "a word": "1",
               "booleans in a tensor": tf.constant([True, False])}  # fmt: skip
    answers |= {f"repeat {name}": _seen(lambda counts=counts: tf.repeat([1, 2], counts)) for name, counts in repeats.items()}
    splits = {"the rest alone": [-1], "all": [4], "less": [3], "the rest first": [-1, 4], "too much": [-1, 5], "the rest twice": [-1, -1], "below": [-2, 6]}
    for name, sizes in splits.items():
        answers[f"split {name}"] = _seen(lambda sizes=sizes: tf.split(tf.range(4), sizes)[0])
    return answers


def of_arrays_in_functions(tf: Any) -> Answers:
    """Lists that hold arrays with axes, while a graph is built: refused, but where each is an input of its own."""
    a, whole = np.array([1.0, 2.0]), np.array([1, 2])
    lists = {
        "arrays": [a, a], "integers": [whole, whole], "nested": [[a], [a]], "a tuple": (a,), "numbers": [np.array(1.0), np.array(2.0)],
        "an array before a list": [a, [1.0, 2.0]], "a list before an array": [[1.0, 2.0], a], "nothing": [np.zeros(0)],
        "words": [np.array(["a", "b"])], "a matrix": [np.ones((2, 2))],
    }  # fmt: skip
    calls = {
        "constant": tf.constant, "convert": tf.convert_to_tensor, "float32": lambda v: tf.constant(v, tf.float32),
        "sum": tf.reduce_sum, "add": lambda v: tf.add(v, v), "matmul": lambda v: tf.matmul(v, v), "identity": tf.identity,
        "reshape": lambda v: tf.reshape(v, [-1]), "times": lambda v: tf.constant(1.0, tf.float64) * v, "zeros": tf.zeros,
    }  # fmt: skip
    apart = ("sum of words", "zeros of numbers", "times of words", "matmul of numbers")
    found: Answers = {}
    for name, call in calls.items():
        for kind, given in lists.items():
            if f"{name} of {kind}" not in apart:
                found[f"{name} of {kind}"] = _seen(lambda call=call, given=given: tf.function(lambda: call(given), autograph=False)())
    for kind in ("arrays", "integers", "a tuple", "nothing", "a matrix"):
        found[f"stack of {kind}"] = _seen(lambda given=lists[kind]: tf.function(lambda: tf.stack(given), autograph=False)())
        found[f"concat of {kind}"] = _seen(lambda given=lists[kind]: tf.function(lambda: tf.concat(given, 0), autograph=False)())
    return found
