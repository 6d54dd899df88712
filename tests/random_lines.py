"""The lines of random programs: calls of TensorFlow's functions on values of any dtype and shape, drawn by families."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from tests.random_lines_more import MORE

Array = np.ndarray[Any, Any]
FLOATS, WHOLE = ("float32", "float64", "float16"), ("int32", "int64")
DTYPES = ("float32", "float32", "float32", "float64", "float64", "float16", "int32", "int64", "bool")
SIZES = (0, 1, 1, 2, 3, 3, 4, 5, 5, 7, 8, 13, 17, 33)

# Bounded functions, and bounded ways to write the others, so that values stay where roundings can be told from mistakes.
UNARY = (
    "tf.tanh({0})", "tf.sin({0})", "tf.cos({0})", "tf.sigmoid({0})", "tf.exp(-tf.abs({0}))", "tf.sqrt(tf.abs({0}))",
    "tf.math.log(tf.abs({0}) + 1)", "tf.math.log1p(tf.abs({0}))", "tf.math.expm1(tf.minimum({0}, 1))", "tf.square({0})", "-{0}",
    "tf.abs({0})", "tf.sign({0})", "tf.floor({0})", "tf.math.ceil({0})", "tf.round({0})", "tf.nn.relu({0})", "tf.nn.relu6({0})",
    "tf.nn.elu({0})", "tf.nn.selu({0})", "tf.nn.softplus({0})", "tf.nn.softsign({0})", "tf.nn.leaky_relu({0}, 0.1)",
    "tf.math.erf({0})", "tf.math.atan({0})", "tf.math.rsqrt(tf.square({0}) + 1)", "tf.math.reciprocal(tf.abs({0}) + 1)",
    "tf.stop_gradient({0})", "tf.identity({0})", "tf.clip_by_value({0}, -1, 1)", "{0} ** 2", "{0} * 3", "1 - {0}",
    "tf.math.asinh({0})", "tf.nn.silu({0})", "tf.zeros_like({0})", "tf.ones_like({0}) + {0}", "{0} / 4",
    "tf.math.divide_no_nan({0}, {0} - 1)", "tf.math.tan(tf.tanh({0}))", "tf.cast(tf.math.is_nan({0}), {0}.dtype) + {0}",
    "tf.math.lgamma(tf.abs({0}) + 1)",
)  # fmt: skip
WHOLE_UNARY = (
    "-{0}", "tf.abs({0})", "tf.sign({0})", "{0} * 3", "{0} // 3", "{0} % 3", "tf.square({0} % 7)", "tf.clip_by_value({0}, -2, 5)",
    "tf.bitwise.invert({0})", "tf.maximum({0}, 1)", "tf.minimum({0}, 2)", "1 - {0}", "tf.zeros_like({0})",
)  # fmt: skip
BINARY = (
    "{0} + {1}", "{0} - {1}", "{0} * {1}", "tf.math.divide_no_nan({0}, {1})", "{0} / (tf.abs({1}) + 1)", "tf.maximum({0}, {1})",
    "tf.minimum({0}, {1})", "tf.math.squared_difference({0}, {1})", "tf.math.atan2({0}, tf.abs({1}) + 1)",
    "tf.math.multiply_no_nan({0}, {1})", "(tf.abs({0}) + 1) ** tf.tanh({1})", "tf.math.xlogy({0}, tf.abs({1}) + 1)",
    "tf.math.floormod({0}, 3)",
)  # fmt: skip
WHOLE_BINARY = (
    "{0} + {1}", "{0} - {1}", "{0} * {1}", "tf.maximum({0}, {1})", "tf.minimum({0}, {1})", "tf.bitwise.bitwise_and({0}, {1})",
    "tf.bitwise.bitwise_or({0}, {1})", "tf.bitwise.bitwise_xor({0}, {1})", "{0} // (tf.abs({1}) + 1)", "{0} % (tf.abs({1}) + 1)",
)  # fmt: skip
COMPARISONS = ("{0} < {1}", "{0} <= {1}", "{0} > {1}", "{0} >= {1}", "tf.equal({0}, {1})", "tf.not_equal({0}, {1})")
LOGICAL = (
    "tf.logical_and({0}, {1})",
    "tf.logical_or({0}, {1})",
    "tf.math.logical_xor({0}, {1})",
    "tf.equal({0}, {1})",
    "tf.not_equal({0}, {1})",
)
REDUCTIONS = ("sum", "mean", "max", "min", "prod", "logsumexp", "euclidean_norm", "variance", "std")


class Line:
    """One line: the name it gives, the call, the names it reads, whether its result is rounded (views and choices are exact), and the
    inputs that come with it; the dtypes of what it computes."""

    __slots__ = ("arrays", "kinds", "name", "reads", "rounds", "text")

    def __init__(self, name: str, text: str, reads: list[str], rounds: bool, arrays: dict[str, Array] | None = None) -> None:
        self.name, self.text, self.reads, self.rounds, self.arrays = name, text, reads, rounds, arrays or {}
        self.kinds = {x.dtype.name for x in self.arrays.values()}

    def __str__(self) -> str:
        return f"{self.name} = {self.text}"


class Draw:
    """Draws arrays and lines."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng
        self._families: list[tuple[float, Callable[[dict[str, Any]], tuple[str, list[str], bool] | None]]] = [
            (5, self._unary), (5, self._binary), (1, self._compare), (1.5, self._select), (1.5, self._cast), (1.5, self._transpose),
            (1.5, self._reshape), (2, self._slice), (1, self._reverse), (1.5, self._pad), (2, self._concat), (1, self._stack),
            (1, self._tile), (1.5, self._broadcast), (1, self._split),
            (3, self._reduce), (1.5, self._gather), (0.7, self._scatter), (2, self._matmul),
            (1, self._softmax), (1, self._cumulative), (1, self._one_hot), (0.7, self._roll), (1, self._loop), (1, self._cond),
            (0.5, self._scan), (0.6, self._band), (0.5, self._sorted), (0.4, self._entropy), (0.4, self._einsum),
            *((weight, partial(family, self)) for weight, family in MORE),
        ]  # fmt: skip
        weights = np.array([w for w, _ in self._families])
        self._weights = weights / weights.sum()

    def pick(self, among: Any) -> Any:
        """One of some things."""
        return among[int(self.rng.integers(len(among)))]

    def array(self) -> Array:
        """An input."""
        rank = int(self.rng.choice([0, 1, 1, 2, 2, 2, 3, 3, 4]))
        shape = [self.pick(SIZES) for _ in range(rank)]
        if rank == 1 and self.rng.random() < 0.2:
            shape = [int(self.rng.integers(900, 2500))]
        while rank > 1 and math.prod(shape) > 600:
            shape[int(np.argmax(shape))] = self.pick((1, 2, 3, 5))
        dtype = self.pick(DTYPES)
        if dtype == "bool":
            return self.rng.random(shape) < 0.5
        if dtype in WHOLE:
            return self.rng.integers(-9, 10, shape).astype(dtype)
        values = np.round(self.rng.normal(size=shape) * 2, 3)
        if self.rng.random() < 0.15:
            special = self.rng.choice([0.0, -0.0, np.inf, -np.inf, np.nan, 1.0], size=shape)
            values = np.where(self.rng.random(shape) < 0.2, special, values)
        return np.asarray(values).astype(dtype)

    def line(self, name: str, values: dict[str, Any]) -> Line:
        """A line that may or may not run."""
        while True:
            family = self._families[int(self.rng.choice(len(self._families), p=self._weights))][1]
            found = family(values)
            if found is not None:
                return Line(name, *found)

    # ---- choosing values

    def _one(self, values: dict[str, Any], among: Any = None, least: int = 0) -> str | None:
        """The name of a value of one of some dtypes and of some rank, new ones rather than old ones."""
        names = [n for n, v in values.items() if (among is None or v.dtype.name in among) and v.shape.rank >= least]
        if not names:
            return None
        weights = np.arange(1, len(names) + 1, dtype=float) ** 1.5
        return str(self.rng.choice(names, p=weights / weights.sum()))

    def _like(self, values: dict[str, Any], name: str) -> str:
        """A value of the same dtype that broadcasts with another one; perhaps itself."""
        first = values[name]
        fits = []
        for n, v in values.items():
            if v.dtype is first.dtype:
                pairs = zip(reversed(v.shape.as_list()), reversed(first.shape.as_list()), strict=False)
                if all(a == b or 1 in (a, b) for a, b in pairs):
                    fits.append(n)
        return str(self.pick(fits))

    def _axes(self, rank: int) -> Any:
        """None, an axis, or a list of them."""
        if not rank or self.rng.random() < 0.2:
            return None
        count = int(self.rng.integers(1, rank + 1))
        axes = [int(a) - (rank if self.rng.random() < 0.3 else 0) for a in self.rng.permutation(rank)[:count]]
        return axes[0] if count == 1 and self.rng.random() < 0.7 else axes

    # ---- element-wise

    def _unary(self, values: dict[str, Any]) -> Any:
        x = self._one(values)
        kind = values[x].dtype.name
        if kind == "bool":
            return f"tf.logical_not({x})", [x], False
        if kind.startswith("complex"):
            return None
        kind = "float16" if kind == "bfloat16" else kind
        return self.pick(UNARY if kind in FLOATS else WHOLE_UNARY).format(x), [x], kind in FLOATS

    def _binary(self, values: dict[str, Any]) -> Any:
        x = self._one(values)
        y = self._like(values, x)
        kind = values[x].dtype.name
        if kind.startswith("complex"):
            return None
        kind = "float16" if kind == "bfloat16" else kind
        if self.rng.random() < 0.5:
            x, y = y, x
        table = LOGICAL if kind == "bool" else BINARY if kind in FLOATS else WHOLE_BINARY
        return self.pick(table).format(x, y), [x, y], kind in FLOATS

    def _compare(self, values: dict[str, Any]) -> Any:
        x = self._one(values, (*FLOATS, *WHOLE))
        if x is None:
            return None
        y = self._like(values, x)
        return self.pick(COMPARISONS).format(x, y), [x, y], False

    def _select(self, values: dict[str, Any]) -> Any:
        x = self._one(values)
        y = self._like(values, x)
        c = self._one(values, ("bool",))
        if c is not None and self.rng.random() < 0.6:
            return f"tf.where({c}, {x}, {y})", [c, x, y], False
        if values[x].dtype.name == "bool":
            return None
        return f"tf.where({x} > 0, {x}, {y})", [x, y], False

    def _cast(self, values: dict[str, Any]) -> Any:
        x = self._one(values)
        kind = self.pick((*DTYPES, "uint8", "int8", "int16"))
        inner = f"tf.clip_by_value({x}, 0, 100)" if values[x].dtype.name in FLOATS and kind not in FLOATS and kind != "bool" else x
        out = f"tf.cast({inner}, tf.{kind})"
        return (f"tf.cast({out}, tf.int32)" if kind in ("uint8", "int8", "int16") else out), [x], kind in FLOATS

    # ---- views, and what moves elements

    def _transpose(self, values: dict[str, Any]) -> Any:
        x = self._one(values, least=1)
        if x is None:
            return None
        perm = [int(a) for a in self.rng.permutation(values[x].shape.rank)]
        return f"tf.transpose({x}, {perm})", [x], False

    def _reshape(self, values: dict[str, Any]) -> Any:
        x = self._one(values)
        count = values[x].shape.num_elements()
        shape: list[int] = []
        left = max(count, 1)
        for _ in range(int(self.rng.integers(0, 4))):
            factors = [d for d in range(1, left + 1) if left % d == 0]
            shape.append(int(self.pick(factors)))
            left //= shape[-1]
        if left > 1 or not shape:
            shape.insert(int(self.rng.integers(0, len(shape) + 1)), left)
        if not count:
            shape[int(self.rng.integers(len(shape)))] = 0
        elif self.rng.random() < 0.3:
            shape[int(self.rng.integers(len(shape)))] = -1
        return f"tf.reshape({x}, {shape})", [x], False

    def _slice(self, values: dict[str, Any]) -> Any:
        x = self._one(values, least=1)
        if x is None:
            return None
        parts = []
        for n in values[x].shape.as_list():
            kind = self.rng.random()
            if kind < 0.15 and n:
                parts.append(str(int(self.rng.integers(-n, n))))
            elif kind < 0.25:
                parts.append("tf.newaxis, :")
            elif kind < 0.45:
                parts.append(":")
            else:
                low, high = sorted(int(v) for v in self.rng.integers(-1, n + 2, 2))
                step = self.pick((1, 1, 2, 3))
                back = self.rng.random() < 0.3
                parts.append(
                    f"{high if high >= 0 else ''}:{low if low > 0 else ''}:{-step}" if back else f"{max(low, 0)}:{max(high, 0)}:{step}"
                )
        return f"{x}[{', '.join(parts)}]", [x], False

    def _reverse(self, values: dict[str, Any]) -> Any:
        x = self._one(values, least=1)
        if x is None:
            return None
        rank = values[x].shape.rank
        axes = sorted({int(a) for a in self.rng.integers(0, rank, int(self.rng.integers(1, rank + 1)))})
        return f"tf.reverse({x}, {axes})", [x], False

    def _pad(self, values: dict[str, Any]) -> Any:
        x = self._one(values, (*FLOATS, *WHOLE), least=1)
        if x is None:
            return None
        dims = values[x].shape.as_list()
        if self.rng.random() < 0.25 and all(n > 1 for n in dims):
            widths = [[int(v) for v in self.rng.integers(0, n, 2)] for n in dims]
            return f"tf.pad({x}, {widths}, '{self.pick(('REFLECT', 'SYMMETRIC'))}')", [x], False
        widths = [[int(v) for v in self.rng.integers(0, 3, 2)] for _ in dims]
        return f"tf.pad({x}, {widths}, constant_values={self.pick((0, 0, 2))})", [x], False

    def _concat(self, values: dict[str, Any]) -> Any:
        x = self._one(values, least=1)
        if x is None:
            return None
        rank, dims = values[x].shape.rank, values[x].shape.as_list()
        axis = int(self.rng.integers(-rank, rank))
        at = axis % rank
        fits = [
            n
            for n, v in values.items()
            if v.dtype is values[x].dtype
            and v.shape.rank == rank
            and all(a == b or i == at for i, (a, b) in enumerate(zip(dims, v.shape.as_list(), strict=True)))
        ]
        parts = [x, *(str(self.pick(fits)) for _ in range(int(self.rng.integers(1, 4))))]
        return f"tf.concat([{', '.join(parts)}], {axis})", list(dict.fromkeys(parts)), False

    def _stack(self, values: dict[str, Any]) -> Any:
        x = self._one(values)
        fits = [n for n, v in values.items() if v.dtype is values[x].dtype and v.shape.as_list() == values[x].shape.as_list()]
        parts = [x, *(str(self.pick(fits)) for _ in range(int(self.rng.integers(0, 3))))]
        return f"tf.stack([{', '.join(parts)}], {int(self.rng.integers(0, values[x].shape.rank + 1))})", list(dict.fromkeys(parts)), False

    def _tile(self, values: dict[str, Any]) -> Any:
        x = self._one(values, least=1)
        if x is None:
            return None
        return (
            f"tf.tile({x}, {[int(self.pick((1, 1, 2, 3, 0))) if self.rng.random() < 0.6 else 1 for _ in values[x].shape.as_list()]})",
            [x],
            False,
        )

    def _broadcast(self, values: dict[str, Any]) -> Any:
        x = self._one(values)
        dims = [self.pick((2, 3, 5)) if n == 1 and self.rng.random() < 0.7 else n for n in values[x].shape.as_list()]
        if self.rng.random() < 0.4:
            dims = [self.pick((1, 2, 3)), *dims]
        if dims == values[x].shape.as_list():
            return f"tf.expand_dims({x}, {int(self.rng.integers(0, len(dims) + 1))})", [x], False
        return f"tf.broadcast_to({x}, {dims})", [x], False

    def _split(self, values: dict[str, Any]) -> Any:
        x = self._one(values, least=1)
        if x is None:
            return None
        rank, dims = values[x].shape.rank, values[x].shape.as_list()
        axis = int(self.rng.integers(rank))
        n = dims[axis]
        if not n:
            return None
        if self.rng.random() < 0.4:
            return f"tf.unstack({x}, axis={axis})[{int(self.rng.integers(n))}]", [x], False
        first = int(self.rng.integers(0, n + 1))
        return f"tf.split({x}, [{first}, {n - first}], axis={axis})[{int(self.rng.integers(2))}]", [x], False

    def _roll(self, values: dict[str, Any]) -> Any:
        x = self._one(values, least=1)
        if x is None:
            return None
        return f"tf.roll({x}, {int(self.rng.integers(-3, 4))}, {int(self.rng.integers(values[x].shape.rank))})", [x], False

    # ---- reductions and products

    def _reduce(self, values: dict[str, Any]) -> Any:
        x = self._one(values)
        kind, rank = values[x].dtype.name, values[x].shape.rank
        axes, keep = self._axes(rank), bool(self.rng.random() < 0.4)
        if kind == "bool":
            return f"tf.reduce_{self.pick(('any', 'all'))}({x}, {axes}, {keep})", [x], False
        which = self.pick(REDUCTIONS if kind in FLOATS else ("sum", "max", "min", "mean", "prod"))
        inner = f"tf.tanh({x})" if which == "prod" and kind in FLOATS else x
        prefix = "tf.math.reduce_"
        return f"{prefix}{which}({inner}, {axes}, {keep})", [x], kind in FLOATS and which not in ("max", "min")

    def _softmax(self, values: dict[str, Any]) -> Any:
        x = self._one(values, FLOATS, least=1)
        if x is None:
            return None
        axis = int(self.rng.integers(-1, values[x].shape.rank))
        return f"tf.nn.{self.pick(('softmax', 'log_softmax'))}({x}, {axis})", [x], True

    def _entropy(self, values: dict[str, Any]) -> Any:
        x = self._one(values, ("float32", "float64"), least=2)
        if x is None or values[x].shape.rank != 2 or not values[x].shape.as_list()[1]:
            return None
        rows, classes = values[x].shape.as_list()
        labels = [int(k) for k in self.rng.integers(0, classes, rows)]
        return f"tf.nn.sparse_softmax_cross_entropy_with_logits(tf.constant({labels}, tf.int32), {x})", [x], True

    def _cumulative(self, values: dict[str, Any]) -> Any:
        x = self._one(values, ("float32", "float64", *WHOLE), least=1)
        if x is None:
            return None
        axis, flags = int(self.rng.integers(values[x].shape.rank)), [bool(self.rng.random() < 0.3) for _ in range(2)]
        return f"tf.cumsum({x}, {axis}, exclusive={flags[0]}, reverse={flags[1]})", [x], values[x].dtype.name in FLOATS

    def _matmul(self, values: dict[str, Any]) -> Any:
        x = self._one(values, FLOATS, least=2)
        if x is None:
            return None
        fits = []
        for n, v in values.items():
            if v.dtype is values[x].dtype and v.shape.rank >= 2 and self.may_multiply(values[x], v):
                for a in (False, True):
                    for b in (False, True):
                        if values[x].shape.as_list()[-2 if a else -1] == v.shape.as_list()[-1 if b else -2]:
                            fits.append((n, a, b))
        if not fits:
            return None
        y, a, b = self.pick(fits)
        return f"tf.matmul({x}, {y}, transpose_a={a}, transpose_b={b})", [x, y], True

    def may_multiply(self, a: Any, b: Any) -> bool:
        """Whether a product of stacks of matrices may be drawn."""
        return True

    def _einsum(self, values: dict[str, Any]) -> Any:
        x = self._one(values, ("float32", "float64"), least=1)
        if x is None or values[x].shape.rank > 3:
            return None
        letters = "ijk"[: values[x].shape.rank]
        kept = "".join(c for c in letters if self.rng.random() < 0.6)
        return f"tf.einsum('{letters},{letters}->{kept[::-1]}', {x}, {x})", [x], True

    # ---- by index

    def _gather(self, values: dict[str, Any]) -> Any:
        x = self._one(values, least=1)
        if x is None:
            return None
        rank = values[x].shape.rank
        axis = int(self.rng.integers(rank))
        n = values[x].shape.as_list()[axis]
        i = self._one(values, WHOLE)
        if i is not None and self.rng.random() < 0.5:
            return f"tf.gather({x}, {i} % {max(n, 1)}, axis={axis})", [x, i], False
        shape = self.pick(([], [1], [3], [2, 2], [0]))
        at = self.rng.integers(0, max(n, 1), shape).tolist()
        if self.rng.random() < 0.3 and axis == 0 and n:
            return f"tf.gather_nd({x}, tf.constant({[[int(k)] for k in self.rng.integers(0, n, 3)]}))", [x], False
        return f"tf.gather({x}, tf.constant({at}, tf.int32, {shape}), axis={axis})", [x], False

    def _scatter(self, values: dict[str, Any]) -> Any:
        x = self._one(values, ("float32", "float64", *WHOLE), least=1)
        if x is None:
            return None
        n = values[x].shape.as_list()[0]
        kind = self.rng.random()
        places = [int(k) for k in self.rng.integers(0, 4, n)]
        if kind < 0.4:
            return f"tf.math.unsorted_segment_sum({x}, tf.constant({places}, tf.int32, [{n}]), 5)", [x], True
        if kind < 0.7:
            return (
                f"tf.scatter_nd(tf.constant({[[p] for p in places]}, tf.int32, [{n}, 1]), {x}, [4, *{values[x].shape.as_list()[1:]}])",
                [x],
                True,
            )
        if not n:
            return None
        at = int(self.rng.integers(n))
        return f"tf.tensor_scatter_nd_{self.pick(('add', 'update', 'max'))}({x}, [[{at}]], {x}[:1] * 2)", [x], True

    def _one_hot(self, values: dict[str, Any]) -> Any:
        x = self._one(values, WHOLE)
        if x is None:
            return None
        axis = int(self.rng.integers(-1, values[x].shape.rank + 1))
        return (
            f"tf.one_hot({x} % 5, {int(self.rng.integers(1, 6))}, axis={axis}, dtype=tf.{self.pick(('float32', 'float64', 'int32'))})",
            [x],
            False,
        )

    def _band(self, values: dict[str, Any]) -> Any:
        x = self._one(values, least=2)
        if x is None:
            return None
        if self.rng.random() < 0.4:
            return f"tf.linalg.diag_part({x})", [x], False
        return f"tf.linalg.band_part({x}, {int(self.rng.integers(-1, 3))}, {int(self.rng.integers(-1, 3))})", [x], False

    def _sorted(self, values: dict[str, Any]) -> Any:
        x = self._one(values, (*FLOATS, *WHOLE), least=1)
        if x is None:
            return None
        if self.rng.random() < 0.5:
            return f"tf.{self.pick(('argmax', 'argmin'))}({x}, {int(self.rng.integers(values[x].shape.rank))})", [x], False
        return f"tf.sort({x}, -1)", [x], False

    # ---- control flow

    def _step(self, values: dict[str, Any], x: str, inner: str) -> tuple[str, list[str]]:
        """An expression of `inner` with the shape and dtype of x."""
        kind = values[x].dtype.name
        if kind == "bool":
            return f"tf.logical_not({inner})", []
        same = [n for n, v in values.items() if v.dtype is values[x].dtype and v.shape.as_list() == values[x].shape.as_list()]
        other = str(self.pick(same))
        if kind.startswith("complex"):
            return f"{inner} * 0.5 + tf.math.conj({other})", [other]
        if not values[x].shape.rank:
            return (f"tf.sin({inner})" if kind in FLOATS else f"{inner} // 2 + 1"), []
        table = (
            ("tf.tanh({0} + {1})", "tf.sin({0}) * 0.5 + {1}", "{0} * 0.5", "tf.reverse({0}, [0]) + {1}", "tf.cumsum({0}) * 0.1",
             "tf.nn.softmax({0}) - {1}", "tf.where({0} > {1}, {0} * 0.5, {1})",
             "{0} - tf.reduce_mean({0}, -1, True)", "tf.sigmoid({0}) * tf.reduce_sum({1} * 0.01)")
            if kind in FLOATS
            else ("{0} + {1}", "{0} // 2", "tf.maximum({0}, {1})", "tf.roll({0}, 1, 0)")
        )  # fmt: skip
        text = self.pick(table)
        return text.format(inner, other), [other] if "{1}" in text else []

    def _loop(self, values: dict[str, Any]) -> Any:
        x = self._one(values)
        turns = int(self.pick((0, 1, 2, 3, 5)))
        body, reads = self._step(values, x, "x")
        if self.rng.random() < 0.3 and values[x].dtype.name in FLOATS:
            turn = f"lambda i, x, s: (i + 1, {body}, s + tf.reduce_sum(x) * 0.1)"
            text = f"tf.while_loop(lambda i, x, s: i < {turns}, {turn}, (0, {x}, tf.zeros((), {x}.dtype)))[2]"
        else:
            text = f"tf.while_loop(lambda i, x: i < {turns}, lambda i, x: (i + 1, {body}), (0, {x}))[1]"
        return text, list(dict.fromkeys([x, *reads])), True

    def _cond(self, values: dict[str, Any]) -> Any:
        x = self._one(values)
        yes, reads = self._step(values, x, x)
        no, more = self._step(values, x, x)
        c = self._one(values, (*FLOATS, *WHOLE))
        if c is None:
            return None
        return (
            f"tf.cond(tf.reduce_sum(tf.cast({c}, tf.float64)) > 0.25, lambda: {yes}, lambda: {no})",
            list(dict.fromkeys([x, c, *reads, *more])),
            True,
        )

    def _scan(self, values: dict[str, Any]) -> Any:
        x = self._one(values, ("float32", "float64"), least=1)
        if x is None or not values[x].shape.as_list()[0] or values[x].shape.as_list()[0] > 8:
            return None
        text = self.pick(
            (
                "tf.scan(lambda a, b: tf.tanh(a) + b, {0})",
                "tf.map_fn(lambda r: tf.sin(r) * 2, {0})",
                "tf.foldl(lambda a, b: a * 0.5 + b, {0})",
            )
        )
        return text.format(x), [x], True
