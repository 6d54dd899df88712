"""One thing wrong with a call: another dtype, rank, shape, axis, None, a string, a size below zero, an argument too many or too few."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from tests.against.recorded import Call, Given, Named

Array = np.ndarray[Any, Any]
_WORDS = ("bogus", "", b"x")
_DTYPES = ("float16", "float32", "float64", "int8", "int32", "int64", "uint8", "bool", "complex64", "string", "bfloat16")


class Spoiler:
    """Makes right calls wrong, by drawing."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng

    def pick(self, among: Any) -> Any:
        """One of some things."""
        return among[int(self.rng.integers(len(among)))]

    def spoiled(self, call: Call, parameters: list[str]) -> tuple[str, Call]:
        """What is wrong now, and the call; `parameters` are the function's, in order."""
        call = Call(call.name, [self._entered(x) for x in copy.deepcopy(call.given)], {k: self._entered(x) for k, x in call.named.items()})
        places: list[Any] = [*range(len(call.given)), *call.named]
        kind = self.rng.random()
        missing = [p for p in parameters[len(call.given) :] if p not in call.named and p != "name"]
        if kind < 0.04 and places:
            return self._dropped(call, places)
        if kind < 0.06:
            call.named["bogus"] = 1
            return "an argument it does not have", call
        if kind < 0.2 and missing:
            name = self.pick(missing)
            words, call.named[name] = self._anything()
            return f"{name}: {words}", call
        if not places:
            return "nothing", call
        place = self.pick(places)
        holder: Any = call.given if isinstance(place, int) else call.named
        words, holder[place] = self._other(holder[place])
        where = parameters[place] if isinstance(place, int) and place < len(parameters) else place
        return f"{where}: {words}", call

    def _dropped(self, call: Call, places: list[Any]) -> tuple[str, Call]:
        place = places[-1]
        if isinstance(place, int):
            call.given.pop()
        else:
            del call.named[place]
        return "an argument is missing", call

    def _entered(self, x: Any) -> Any:
        """Arrays enter as tensors, mostly."""
        if isinstance(x, np.ndarray):
            return Given(x) if self.rng.random() < 0.7 else x
        if isinstance(x, (list, tuple)):
            return type(x)(self._entered(part) for part in x)
        return x

    def _anything(self) -> tuple[str, Any]:
        choices: tuple[tuple[str, Any], ...] = (
            ("None", None),
            ("a string", "bogus"),
            ("-1", -1),
            ("-100", -100),
            ("99", 99),
            ("1.5", 1.5),
            ("a list", [1, 2]),
            ("0", 0),
            ("a vector", Given(np.ones(3, np.float32))),
            ("a dtype", Named("complex64")),
            ("True", True),
            ("[]", []),
            ("nan", float("nan")),
        )
        return self.pick(choices)

    def _other(self, x: Any) -> tuple[str, Any]:
        if isinstance(x, Given):
            words, array = self._array(x.array)
            return words, Given(array) if isinstance(array, np.ndarray) and self.rng.random() < 0.7 else array
        if isinstance(x, np.ndarray):
            return self._array(x)
        if isinstance(x, bool):
            return self.pick(
                (("None for a flag", None), ("a string for a flag", "bogus"), ("2 for a flag", 2), ("a list for a flag", [True]))
            )
        if isinstance(x, int):
            return self._whole(x)
        if isinstance(x, (float, complex)):
            return self.pick(
                (
                    ("a string for a number", "bogus"),
                    ("None for a number", None),
                    ("nan", float("nan")),
                    ("a list for a number", [1.0, 2.0]),
                    ("a complex number", 1j),
                    ("-1", -1.0),
                    ("a vector for a number", Given(np.ones(2, np.float32))),
                    ("inf", float("inf")),
                )
            )
        if isinstance(x, (str, bytes)):
            return self.pick(
                (("another word", self.pick(_WORDS)), ("None for a word", None), ("a number for a word", 3), ("a list for a word", ["a"]))
            )
        if isinstance(x, Named):
            return self.pick(
                (
                    ("another dtype", Named(self.pick(_DTYPES))),
                    ("a word for a dtype", "bogus"),
                    ("a number for a dtype", 99),
                    ("None for a dtype", None),
                )
            )
        if isinstance(x, (list, tuple)):
            return self._sequence(x)
        return self._anything()

    def _whole(self, x: int) -> tuple[str, Any]:
        return self.pick(
            (
                ("-1", -1),
                ("-100", -100),
                ("0", 0),
                ("99", 99),
                ("2**40", 2**40),
                ("1.5 for a whole number", 1.5),
                ("None for a number", None),
                ("a string for a number", "bogus"),
                ("a list for a number", [x, x]),
                ("a float tensor for a number", Given(np.float32(x) + np.zeros((), np.float32))),
                ("a vector for a number", Given(np.array([x, x]))),
                ("True for a number", True),
                ("one more", x + 1),
            )
        )

    def _sequence(self, x: Any) -> tuple[str, Any]:
        items = list(x)
        kind = int(self.rng.integers(8))
        if kind == 0 or not items:
            return "one item more", type(x)([*items, items[-1] if items else 1])
        if kind == 1:
            return "one item less", type(x)(items[:-1])
        if kind == 2:
            return "no items", type(x)()
        if kind == 3:
            return "an item for a sequence", items[0]
        if kind == 4:
            return "None for a sequence", None
        if kind == 5:
            return "a string for a sequence", "bogus"
        at = int(self.rng.integers(len(items)))
        words, items[at] = self._other(items[at])
        return f"in an item {words}", type(x)(items)

    def _array(self, x: Array) -> tuple[str, Any]:
        kind = int(self.rng.integers(16))
        if kind <= 3:
            dtype = self.pick(_DTYPES)
            return f"{dtype} for {'string' if x.dtype.kind in 'OSU' else x.dtype.name}", _cast(x, dtype)
        if kind == 4:
            return "one dimension more", x[None]
        if kind == 5 and x.ndim:
            return "one dimension less", np.asarray(x[0]) if len(x) else np.zeros(x.shape[1:], x.dtype)
        if kind <= 8 and x.ndim:
            axis = int(self.rng.integers(x.ndim))
            longer = np.concatenate([x, np.take(x, [0], axis)], axis) if x.shape[axis] else x
            return f"dimension {axis} longer", longer
        if kind == 9 and x.ndim:
            axis = int(self.rng.integers(x.ndim))
            return f"dimension {axis} empty", np.take(x, [], axis)
        if kind == 10:
            return "None for a tensor", None
        if kind == 11:
            return "a string for a tensor", "bogus"
        if kind == 12:
            return "a ragged list for a tensor", [[1.0, 2.0], [3.0]]
        if kind == 13:
            return "a scalar for a tensor", np.asarray(x.ravel()[0]) if x.size else 1
        if kind == 14 and x.dtype.kind in "iuf":
            return "large numbers", (x * 0 + (10**6 if x.dtype.itemsize > 2 else 100)).astype(x.dtype)
        if x.dtype.kind in "if":
            return "numbers below zero", (-np.abs(x) - 1).astype(x.dtype)
        return "a list for a tensor", [1, 2, 3]


def _cast(x: Array, dtype: str) -> Any:
    if dtype == "string":
        return np.full(x.shape, b"a", object)
    if dtype == "bfloat16":
        import ml_dtypes

        return np.ones(x.shape, ml_dtypes.bfloat16)
    if x.dtype.kind in "OSU":
        return np.ones(x.shape, dtype)
    with np.errstate(all="ignore"):
        return x.real.astype(dtype) if x.dtype.kind == "c" and dtype != "complex64" else x.astype(dtype)
