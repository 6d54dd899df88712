"""The conversion mode "all": every kind of operand with every other, through operators and functions of two arguments."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np

from tests.golden.programs.kit import Answers
from tests.golden.programs.numpy_behavior import _each

FACE = "v2"

DTYPES = "bool uint8 uint32 int8 int32 int64 bfloat16 float16 float32 float64 complex64 complex128".split()


def _numpy(name: str) -> Any:
    return ml_dtypes.bfloat16 if name == "bfloat16" else np.dtype(name)


def _operands(tf: Any) -> dict[str, Callable[[], Any]]:
    """By kind: a tensor, an array and a scalar of NumPy's of each dtype, Python's numbers, constants of these, variables."""
    found: dict[str, Callable[[], Any]] = {}
    for name in DTYPES:
        kind = _numpy(name)
        found[f"tensor {name}"] = lambda n=name, k=kind: tf.constant(np.array(1 if n == "bool" else 3).astype(k), getattr(tf, n))
        found[f"array {name}"] = lambda k=kind: np.array([1, 1]).astype(k)
        found[f"scalar {name}"] = lambda k=kind: np.array(2).astype(k)[()]
    numbers = {"bool": True, "int": 2, "float": 2.5, "complex": 1j, "ints": [1, 2], "floats": [1.0, 2.0]}
    found |= {f"Python's {name}": (lambda v=value: v) for name, value in numbers.items()}
    found |= {f"constant {name}": (lambda v=value: tf.constant(v)) for name, value in numbers.items() if name not in ("bool", "floats")}
    return found | {"variable": lambda: tf.Variable(1.5), "variable int8": lambda: tf.Variable(3, dtype=tf.int8)}


def _word(call: Callable[[Any, Any], Any], a: Any, b: Any) -> str:
    """The dtype of a result, a star if it is weak, and what its elements sum to; "-" where there is none."""
    try:
        result = call(a, b)
    except Exception:  # the classes differ from kernel to kernel in TensorFlow; that there is no result is what is told here
        return "-"
    if not hasattr(result, "numpy"):  # NumPy's own answer, to an array and a tensor that TensorFlow refused
        return "-"
    values = np.asarray(result.numpy()).astype(np.complex128)
    total = complex(np.where(np.isfinite(values), values, 0).sum())
    star = "*" if "weak=True" in repr(result) else ""
    return f"{result.dtype.name}{star} {round(total.real, 2) + 0.0}{round(total.imag, 2) + 0.0:+}j"


def _crossed(tf: Any, calls: dict[str, Callable[[Any, Any], Any]], tensors_only: bool) -> Answers:
    """For each call and first operand, what becomes of it with each second one."""
    plain = ("array", "scalar", "Python's")

    def rows(call: Callable[[Any, Any], Any]) -> Callable[[], dict[str, str]]:
        def answer() -> dict[str, str]:
            made = {name: of() for name, of in _operands(tf).items()}
            return {
                first: "; ".join(
                    _word(call, a, b)
                    for second, b in made.items()
                    if not (tensors_only and first.startswith(plain) and second.startswith(plain))
                )
                for first, a in made.items()
            }

        return answer

    return _each(tf, {name: rows(call) for name, call in calls.items()}, dtype_conversion_mode="all")


def operators(tf: Any) -> Answers:
    names = {"+": "add", "*": "mul", "/": "truediv", "==": "eq"}
    return _crossed(tf, {sign: getattr(operator, name) for sign, name in names.items()}, True)


def functions(tf: Any) -> Answers:
    calls = {
        "add": lambda a, b: tf.add(a, b),
        "maximum": lambda a, b: tf.maximum(a, b),
        "divide": lambda a, b: tf.divide(a, b),
    }
    return _crossed(tf, calls, False)
