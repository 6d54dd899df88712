"""Arrays and numbers of several dtypes in `tf.stack`, `tf.concat`, `tf.tensordot` and `tf.einsum`: the dtype that comes out, or the error."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .kit import Answers

FACE = "v2"
ARRAYS: dict[str, Any] = {
    "i4": np.array([1, 2], np.int32), "i8": np.array([1, 2]), "f4": np.array([0.5, 1.5], np.float32), "f8": np.array([0.5, 1.5]),
    "f2": np.array([0.5, 1.5], np.float16), "u1": np.array([1, 2], np.uint8), "big": np.array([1, 2**40]), "list": [1, 2], "floats": [0.5, 1.5],
}  # fmt: skip
NUMBERS: dict[str, Any] = {"i4": np.int32(1), "i8": np.int64(1), "f4": np.float32(0.5), "f8": np.float64(0.5), "int": 1, "float": 0.5}


def _seen(call: Callable[[], Any]) -> Callable[[], Any]:
    def answer() -> Any:
        try:
            found = call()
        except Exception as error:
            return type(error).__name__
        return [found.dtype, found]

    return answer


def _pairs(given: dict[str, Any]) -> list[tuple[str, Any, Any]]:
    return [(f"{p} {q}", given[p], given[q]) for p in given for q in given if p != q]


def stacked(tf: Any) -> Answers:
    found: Answers = {}
    for kind, given in (("arrays", ARRAYS), ("numbers", NUMBERS)):
        for name, p, q in _pairs(given):
            if name == "list floats":  # one list of lists, refused here with the words for those
                continue
            found[f"{kind} {name}"] = _seen(lambda p=p, q=q: tf.stack([p, q]))
            plain = not any(isinstance(x, (list, int, float)) and not isinstance(x, np.generic) for x in (p, q))
            if plain:
                found[f"{kind} {name} in a function"] = _seen(lambda p=p, q=q: tf.function(lambda: tf.stack([p, q]), autograph=False)())
    return found


def others(tf: Any) -> Answers:
    found: Answers = {}
    arrays = {name: array for name, array in ARRAYS.items() if isinstance(array, np.ndarray) and name not in ("u1", "big")}
    for name, p, q in _pairs(arrays):
        found[f"concat {name}"] = _seen(lambda p=p, q=q: tf.concat([p, q], 0))
        found[f"concat {name} in a function"] = _seen(lambda p=p, q=q: tf.function(lambda: tf.concat([p, q], 0), autograph=False)())
        found[f"stack {name} last"] = _seen(lambda p=p, q=q: tf.stack([p, q], axis=-1))
        found[f"tensordot {name}"] = _seen(lambda p=p, q=q: tf.tensordot(p, q, 1))
        found[f"einsum {name}"] = _seen(lambda p=p, q=q: tf.einsum("i,j->ij", p, q))
        found[f"einsum {name} in a function"] = _seen(lambda p=p, q=q: tf.function(lambda: tf.einsum("i,j->ij", p, q), autograph=False)())
    tensor = tf.constant([0.5, 1.5])
    return found | {
        "tensor first": _seen(lambda: tf.stack([tensor, ARRAYS["i4"]])),
        "einsum, tensor first": _seen(lambda: tf.einsum("i,j->ij", tensor, ARRAYS["i4"])),
        "einsum, tensor last": _seen(lambda: tf.einsum("i,j->ij", ARRAYS["f8"], tensor)),
        "tensor last": _seen(lambda: tf.stack([ARRAYS["i4"], tensor])),
        "tensordot of a list": _seen(lambda: tf.tensordot(ARRAYS["i4"], [1, 2], 1)),
        "tensordot of floats": _seen(lambda: tf.tensordot(tensor, [1, 2], 1)),
    }
