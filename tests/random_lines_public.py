"""Lines of random programs that call any public function at all: calls of the case tables, made near what the program has computed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, ClassVar

import numpy as np

import pullback
from tests.against.recorded import Call, Named, calls
from tests.random_lines import DTYPES, FLOATS, Draw
from tests.random_lines_flow import FLOW

Array = np.ndarray[Any, Any]
# Of stateful draws TensorFlow gives other numbers each time; of checks, files and prints nothing comes.
_NOT = (
    "random", "dropout", "shuffle", "sampled", "multinomial", "fractional", "distorted", "candidate", "assert", "print", "summary", "io.",
    "encode", "decode", "placeholder", "Variant", "Ragged", "ragged", "SparseTensor", "sparse.from_dense", "Assert", "Optional", "shape_n",
    "TensorList", "CSR", "constant", "while_loop", "strings", "debugging", "DeepCopy", "RandomPoisson", "is_", "group", "tuple",
)  # fmt: skip
_WIDE = (*DTYPES, *DTYPES, "bfloat16", "complex64", "complex128")
_COMPLEX = (
    "tf.math.conj({0})", "-{0}", "{0} * {1}", "{0} + {1}", "{0} - {1}", "{0} / ({1} + 5)", "tf.exp(tf.math.conj({0}) * 0.1)",
    "tf.square({0})", "tf.sin({0} * 0.2)", "tf.tanh({0} * 0.2)", "tf.cos({0} * 0.2)", "tf.sqrt({0})", "tf.math.log({0} + 5)",
    "tf.math.reciprocal({0} + 5)", "tf.sigmoid({0} * 0.2)", "tf.math.sinh({0} * 0.2)", "tf.cast(tf.abs({0}), {0}.dtype) * {1}",
    "tf.sign({0})", "({0} + 5) ** 2", "tf.math.multiply_no_nan({0}, {1})", "tf.math.divide_no_nan({0}, {1})",
    "tf.math.squared_difference({0}, {1})", "tf.math.xlogy({0}, {1} + 5)", "tf.math.rsqrt({0} + 5)", "tf.math.expm1({0} * 0.1)",
    "tf.math.log1p({0} * 0.1)", "tf.math.acosh({0} + 5)", "tf.math.atan({0} * 0.1)", "tf.math.asinh({0} * 0.2)",
)  # fmt: skip


def _arrays(x: Any) -> Iterator[Array]:
    if isinstance(x, np.ndarray):
        yield x
    elif isinstance(x, (list, tuple)):
        for part in x:
            yield from _arrays(part)


def _of_floats(x: Array) -> bool:
    return x.dtype.kind in "fc" or x.dtype.name == "bfloat16"


def _exists(name: str) -> bool:
    found = pullback
    for part in name.split("."):
        found = getattr(found, part, None)
    return callable(found)


def made_alone(tf: Any, call: Call) -> bool:
    """Whether a library computes a call."""
    try:
        scope = {"tf": tf, "np": np}
        arrays: dict[str, Array] = {}
        text = WideDraw(np.random.default_rng(0)).written(call, {}, [], arrays)
        eval(text, scope | {name: tf.constant(x) for name, x in arrays.items()})
    except Exception:  # noqa: BLE001 - whatever it raises, it does not compute the call
        return False
    return True


@cache
def usable_calls() -> dict[str, list[Call]]:
    """The recorded calls that have numbers with gradients among their arguments, by the function's name."""
    found: dict[str, list[Call]] = {}
    for name, made in calls().items():
        if any(word in name for word in _NOT) or not _exists(name):
            continue
        for call in made:
            arrays = [a for x in [*call.given, *call.named.values()] for a in _arrays(x)]
            if any(map(_of_floats, arrays)) and all(a.dtype.kind in "fciub" or a.dtype.name == "bfloat16" for a in arrays):
                found.setdefault(name, []).append(call)
    return found


class WideDraw(Draw):
    """Draws lines of every family, and arrays of every dtype with gradients; `calls` are those that may be drawn."""

    calls: ClassVar[dict[str, list[Call]]] = {}

    def __init__(self, rng: np.random.Generator) -> None:
        super().__init__(rng)
        more: list[tuple[float, Callable[[dict[str, Any]], Any]]] = [
            *((weight, lambda values, family=family: family(self, values)) for weight, family in FLOW),
            (12.0, self._public),
            (2.0, self._of_complex),
        ]
        self._families += more
        weights = np.array([w for w, _ in self._families])
        self._weights = weights / weights.sum()
        self._special, self._count = rng.random() < 0.1, 0

    def array(self) -> Array:
        """An input; numbers that are none, or infinite, in one program of ten."""
        found = super().array()
        if _of_floats(found):
            if not self._special:
                found = np.where(np.isfinite(found), found, 0.5).astype(found.dtype)
            kind = self.pick(_WIDE)
            if kind == "bfloat16":
                import ml_dtypes

                return found.astype(ml_dtypes.bfloat16)
            if kind.startswith("complex"):
                return (found.astype(np.float64) * (1 + 0.5j) + 0.25j).astype(kind)
        return found

    def may_multiply(self, a: Any, b: Any) -> bool:
        """TensorFlow's products of broadcast stacks of stacks write where they must not: what runs after them is wrong, or crashes."""
        return max(a.shape.rank, b.shape.rank) < 4 or a.shape.as_list()[:-2] == b.shape.as_list()[:-2]

    def _of_complex(self, values: dict[str, Any]) -> Any:
        x = self._one(values, ("complex64", "complex128"))
        if x is None:
            return None
        y = self._like(values, x)
        text = self.pick(_COMPLEX)
        return text.format(x, y), list(dict.fromkeys([x, y] if "{1}" in text else [x])), True

    def _public(self, values: dict[str, Any]) -> Any:
        if not self.calls:
            return None
        call = self.pick(self.calls[self.pick(tuple(self.calls))])
        reads: list[str] = []
        arrays: dict[str, Array] = {}
        text = self.written(call, values, reads, arrays)
        return f"h.part({text}, {int(self.rng.integers(3))})", list(dict.fromkeys(reads)), True, arrays

    def written(self, call: Call, values: dict[str, Any], reads: list[str], arrays: dict[str, Array]) -> str:
        """A call as text, with what it reads and the inputs that come with it."""
        given = [self._written(x, values, reads, arrays) for x in call.given]
        given += [f"{key}={self._written(x, values, reads, arrays)}" for key, x in call.named.items()]
        return f"tf.{call.name}({', '.join(given)})"

    def _written(self, x: Any, values: dict[str, Any], reads: list[str], arrays: dict[str, Array]) -> str:
        """An argument as text; arrays become inputs, and most floats are moved by a value of the program."""
        if isinstance(x, Named):
            return f"tf.{x.path}"
        if isinstance(x, (list, tuple)):
            parts = ", ".join(self._written(part, values, reads, arrays) for part in x)
            return f"({parts}{',' * (len(x) == 1)})" if isinstance(x, tuple) else f"[{parts}]"
        if not isinstance(x, np.ndarray):
            return repr(x)
        if not _of_floats(x) and x.size <= 64:
            return f"np.array({x.tolist()!r}, np.{x.dtype.name}).reshape({x.shape})"
        self._count += 1
        name = f"b{self._count}"
        arrays[name] = x
        reads.append(name)
        value = self._one(values, (x.dtype.name,)) or self._one(values, (*FLOATS, "bfloat16"))
        if not _of_floats(x) or value is None or self.rng.random() < 0.2:
            return name
        reads.append(value)
        return f"{name} + {self.pick((0.05, 0.2))} * h.fit({value}, {list(x.shape)}, '{x.dtype.name}')"
