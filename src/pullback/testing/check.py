"""`check_gradients`: do the derivatives of a function agree with the function itself?

A few random directions say yes or no at the cost of a few evaluations, whatever the number of elements; only when the answer is no are
the elements searched, by halves, for the one at fault.  The slopes to compare with come from a complex step (exact to rounding) where the
function takes complex numbers, and from differences of fourth order where it does not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from ..api.endpoints import call_with, takes_nothing, targets_of
from ..api.linearization import Linearization, linearization
from ..base import nest
from ..base.dtypes import complex128
from ..base.errors import OpError
from ..base.export import export
from ..base.progress import show_progress
from ..ir.apply import convert_to_tensor
from ..ir.tensor import EagerTensor, TensorLike
from ..ops.math.arithmetic import multiply
from ..transforms.sparse import densify

Array = np.ndarray
Point = list[Array]


@dataclass(frozen=True)
class Verdict:
    """What `check_gradients` found; true where all agrees.

    passed: whether they agree.  checks: what was compared.  error: the largest difference of two slopes, relative to the size of their
    terms.  method: "complex step" or "differences".  Where they differ: check (which comparison), source (where in the structure),
    element (its index there), derivative and expected (the two numbers for that element).
    """

    passed: bool
    checks: tuple[str, ...]
    error: float
    method: str
    check: str = ""
    source: str = ""
    element: tuple[int, ...] = ()
    derivative: complex = 0.0
    expected: complex = 0.0

    def __bool__(self) -> bool:
        return self.passed

    def __str__(self) -> str:
        if self.passed:
            return f"agree: {', '.join(self.checks)} (largest relative error {self.error:.1e}, by {self.method})"
        place = f"source {self.source}" + (f", element {self.element}" if self.element else "")
        return f"wrong: {self.check}, {place}: the derivative is {self.derivative:.6g}, by {self.method} {self.expected:.6g}"


@export(ours="check_gradients")
def check_gradients(
    f: Callable[[Any], Any], x: TensorLike, *, order: int = 2, directions: int = 3, tolerance: float | None = None, seed: int = 0
) -> Verdict:
    """Whether the derivatives of `f` at `x` agree with `f`, in both modes and to second order.

    f: a function of one structure of tensors, or one that takes nothing and reads variables; its result is a tensor or a structure of
    them, of any shapes.  x: the point, a structure of floating or complex tensors, arrays or variables, which are as before afterwards;
    float64 is checked to about six digits (twelve with a complex step), float32 to two.  order: 1 or 2.  directions: how many random
    ones.  tolerance: the relative error to accept, chosen by dtype when None.
    Returns a `Verdict`, true where all agrees; otherwise it names the input and the element at fault.
    Raises TypeError for integer inputs, ValueError for an order that is not 1 or 2 and for a result without floating tensors.

    At a point where `f` has a kink the two sides differ by nature: choose another.

    >>> print(bool(tf.check_gradients(lambda x: tf.sin(x) * x, np.array([1.0, 2.0]))))
    True
    >>> @tf.custom_gradient
    ... def cube(x):
    ...     return x**3, lambda g: g * 2.0 * x**2
    >>> print(tf.check_gradients(cube, np.array([1.0, 2.0]), order=1))
    wrong: reverse mode, source x, element (1,): the derivative is 8, by complex step 12
    """
    if order not in (1, 2):
        raise ValueError(f"order must be 1 or 2, got {order}")
    with ExitStack() as after:
        return _Check(f, x, directions, tolerance, seed, after).verdict(order)


class _Check:
    """One function at one point."""

    def __init__(self, f: Callable[[Any], Any], x: Any, directions: int, tolerance: float | None, seed: int, after: ExitStack) -> None:
        self.f = f
        self.way = linearization(f, x)
        self.structure = self.way.sources
        self.point: Point = [np.array(convert_to_tensor(s)) for s in self.way.flat_sources]
        #: The variables that a function of nothing reads, with their places in the point.
        sources = enumerate(self.way.flat_sources) if takes_nothing(f) else ()
        self.variables = [(i, s) for i, s in sources if hasattr(s, "handle")]
        for i, variable in self.variables:
            after.callback(variable.assign, self.point[i])
        self.kept = [i for i, y in enumerate(self.way.ys) if y.dtype.trainable]
        if not self.kept:
            raise ValueError("nothing in the result is floating, so it has no derivative")
        random = np.random.default_rng(seed)
        self.weights = [_random(random, np.asarray(self.way.ys[i])) for i in self.kept]
        self.directions = [[_random(random, a) for a in self.point] for _ in range(directions)]
        fine = all(a.dtype in (np.float64, np.complex128) for a in (*self.point, *self.values(self.point)))
        self.step, self.coarse = (2.0**-11, 1e-6) if fine else (2.0**-5, 2e-2)
        self.given = tolerance
        self.complex_step = fine and self._complex_step_holds()
        self.tolerance = tolerance if tolerance is not None else 1e-10 if self.complex_step else self.coarse
        self.method = "complex step" if self.complex_step else "differences"

    # ---- evaluations

    def at(self, point: Point) -> Any:
        leaves: list[Any] = [EagerTensor(a) for a in point]
        for i, variable in self.variables:
            variable.assign(point[i])
            leaves[i] = variable
        return nest.pack_sequence_as(self.structure, leaves)

    def outputs(self, point: Point) -> list[Any]:
        ys = targets_of(call_with(self.f, self.at(point)))
        return [ys[i] for i in self.kept]

    def values(self, point: Point) -> list[Array]:
        return [np.asarray(y) for y in self.outputs(point)]

    def pull_gradient(self, point: Point, weighted: bool) -> list[Array]:
        """The gradient of `<weights, y>`, or of half `<weights * y, y>`, whose second derivative does not vanish for linear functions."""
        way = linearization(self.f, self.at(point), forwards=False)
        return [_fill_zeros(g, a) for g, a in zip(way.pull(self._seeds(way, weighted)), point, strict=True)]

    def _seeds(self, way: Linearization, weighted: bool) -> list[Any]:
        seeds: list[Any] = [None] * len(way.ys)
        for i, w in zip(self.kept, self.weights, strict=True):
            seeds[i] = multiply(EagerTensor(w), way.ys[i]) if weighted else EagerTensor(w)
        return seeds

    # ---- slopes

    def slope(self, direction: Point) -> float:
        """The derivative of `<weights, f>` along a direction, from values of `f` alone."""
        return self._complex_slope(direction) if self.complex_step else self._differences(direction)

    def _differences(self, direction: Point) -> float:
        return _difference(lambda t: _dot(self.weights, self.values(_move_point(self.point, t, direction))), self.step)

    def _complex_slope(self, direction: Point) -> float:
        tiny = 1e-30
        moved = [a + 1j * tiny * d for a, d in zip(self.point, direction, strict=True)]
        return float(sum(np.sum(w * np.imag(y)) for w, y in zip(self.weights, self.values(moved), strict=True))) / tiny

    def _complex_step_holds(self) -> bool:
        """Whether the function takes complex numbers, and is then the same function: its slope near that of differences."""
        if any(a.dtype.kind == "c" for a in (*self.point, *self.weights)):
            return False
        direction = self.directions[0] if self.directions else self.point
        try:
            ys = self.outputs([a.astype(np.complex128) for a in self.point])
            if any(y.dtype is not complex128 for y in ys):
                return False
            exact = self._complex_slope(direction)
        except (OpError, TypeError, ValueError, LookupError, AttributeError):
            return False
        near = self._differences(direction)
        return abs(exact - near) <= 1e-5 * (abs(near) + 1.0)

    # ---- comparisons

    def verdict(self, order: int) -> Verdict:
        checks: list[tuple[str, Callable[[Point], tuple[float, float]], float]] = []
        gradient = self.pull_gradient(self.point, False)
        size = _size(self.weights, self.values(self.point)) + 1e-6 * sum(float(np.sum(np.abs(w))) for w in self.weights)
        checks.append(("reverse mode", lambda d: (_dot(gradient, d), self.slope(d)), self.tolerance))
        checks.append(("forward mode", lambda d: (self._forward(d), self.slope(d)), self.tolerance))
        if order == 2:
            checks.append(("second order", self._second, self.given if self.given is not None else self.coarse))
            size += _size(self.pull_gradient(self.point, True), self.directions[0] if self.directions else self.point)
        worst = 0.0
        for (name, compare, tolerance), direction in show_progress(
            list(product(checks, self.directions)), "check_gradients", "comparisons"
        ):
            error = _error(compare(direction), size)
            worst = max(worst, error)
            if not error <= tolerance:
                return self._fault(name, compare, direction, tuple(c[0] for c in checks), error)
        return Verdict(True, tuple(c[0] for c in checks), worst, self.method)

    def _forward(self, direction: Point) -> float:
        tangents = self.way.push([EagerTensor(d) for d in direction])
        return _dot(self.weights, [_fill_zeros(tangents[i], np.asarray(self.way.ys[i])) for i in self.kept])

    def _second(self, direction: Point) -> tuple[float, float]:
        """`<u, H v>` with u a fixed direction, by a sweep over the sweep and by differences of gradients."""
        u = self.directions[-1]

        def gradient(at: Any) -> list[Any]:
            way = linearization(self.f, at, forwards=False)
            return [densify(g) for g in way.pull(self._seeds(way, True)) if g is not None]

        outer = linearization(gradient, self.at(self.point))
        live = [i for i, g in enumerate(self._live()) if g]
        tangents = outer.push([EagerTensor(d) for d in direction])
        along = _dot([u[i] for i in live], [_fill_zeros(t, self.point[i]) for i, t in zip(live, tangents, strict=True)])
        return along, _difference(lambda t: _dot(u, self.pull_gradient(_move_point(self.point, t, direction), True)), self.step)

    def _live(self) -> list[bool]:
        way = linearization(self.f, self.at(self.point), forwards=False)
        return [g is not None for g in way.pull(self._seeds(way, True))]

    def _fault(
        self, name: str, compare: Callable[[Point], tuple[float, float]], direction: Point, checks: tuple[str, ...], error: float
    ) -> Verdict:
        """Search the element whose share of the difference is largest, by halves."""
        places = np.concatenate([np.full(a.size, i) for i, a in enumerate(self.point)]).astype(int)
        offsets = np.concatenate([np.arange(a.size) for a in self.point]).astype(int)
        chosen = np.arange(places.size)

        def select_members(members: Array, unit: bool = False) -> Point:
            parts = [np.zeros(a.shape, a.dtype) for a in self.point]
            for m in members:
                i, at = places[m], offsets[m]
                parts[i].reshape(-1)[at] = 1.0 if unit else direction[i].reshape(-1)[at]
            return parts

        while chosen.size > 1:
            halves = np.array_split(chosen, 2)
            apart = [abs(a - b) for a, b in (compare(select_members(half)) for half in halves)]
            chosen = halves[int(np.nan_to_num(apart[1], nan=np.inf) > np.nan_to_num(apart[0], nan=np.inf))]
        i, at = places[chosen[0]], offsets[chosen[0]]
        derivative, expected = compare(select_members(chosen, unit=True))
        element = tuple(int(k) for k in np.unravel_index(at, self.point[i].shape))
        if name != "second order":
            derivative, expected = self._compare_worst(name, derivative, expected, select_members(chosen, unit=True))
        return Verdict(False, checks, error, self.method, name, _path(self.structure, int(i)), element, derivative, expected)

    def _compare_worst(self, name: str, derivative: float, expected: float, unit: Point) -> tuple[float, float]:
        """The two numbers for the one element of the result where they differ most, instead of a weighted sum over all of them."""
        before, count = self.weights, sum(w.size for w in self.weights)
        if count > 256:
            return derivative, expected
        worst = (derivative, expected)
        largest = -1.0
        try:
            for i, w in enumerate(before):
                for at in range(w.size):
                    self.weights = [np.zeros(a.shape, a.dtype) for a in before]
                    self.weights[i].reshape(-1)[at] = 1.0
                    found = _dot(self.pull_gradient(self.point, False), unit) if name == "reverse mode" else self._forward(unit)
                    pair = (found, self.slope(unit))
                    apart = abs(pair[0] - pair[1])
                    if not apart <= largest:
                        worst, largest = pair, apart
        finally:
            self.weights = before
        return worst


# ---- arithmetic


def _random(random: np.random.Generator, like: Array) -> Array:
    drawn = random.uniform(0.5, 1.0, like.shape) * random.choice([-1.0, 1.0], like.shape)
    if like.dtype.kind == "c":
        drawn = drawn + 1j * random.uniform(-1.0, 1.0, like.shape)
    return np.asarray(drawn).astype(like.dtype)


def _move_point(point: Point, t: float, direction: Point) -> Point:
    return [np.asarray(a + np.asarray(t, a.real.dtype) * d, a.dtype) for a, d in zip(point, direction, strict=True)]


def _difference(measure: Callable[[float], float], h: float) -> float:
    return (8.0 * (measure(h) - measure(-h)) - (measure(2.0 * h) - measure(-2.0 * h))) / (12.0 * h)


def _fill_zeros(tensor: Any, like: Array) -> Array:
    return np.zeros_like(like) if tensor is None else np.asarray(densify(tensor))


def _dot(us: Sequence[Array], vs: Sequence[Array]) -> float:
    """The real inner product, complex numbers as pairs; what meets a zero in `vs` does not count, be it infinite."""
    return float(sum(np.sum(np.real(np.conj(np.where(v == 0, 0, _widen(u))) * _widen(v))) for u, v in zip(us, vs, strict=True)))


def _size(us: Sequence[Array], vs: Sequence[Array]) -> float:
    return float(sum(np.sum(np.abs(_widen(u)) * np.abs(_widen(v))) for u, v in zip(us, vs, strict=True)))


def _widen(a: Array) -> Array:
    return a.astype(np.complex128 if a.dtype.kind == "c" else np.float64)


def _error(pair: tuple[float, float], size: float) -> float:
    found, expected = pair
    if not np.isfinite(found) or not np.isfinite(expected):
        return float("inf") if found != expected else 0.0
    return abs(found - expected) / (abs(found) + abs(expected) + size + 1e-300)


def _path(structure: Any, index: int) -> str:
    """Where in a structure its leaf number `index` stands, as Python would write it."""
    numbered = nest.pack_sequence_as(structure, list(range(len(nest.flatten(structure)))))
    return "x" + (_route(numbered, index) or "")


def _route(numbered: Any, index: int) -> str | None:
    if isinstance(numbered, int):
        return "" if numbered == index else None
    if isinstance(numbered, Mapping):
        branches = [(f"[{key!r}]", branch) for key, branch in numbered.items()]
    else:
        names = getattr(numbered, "_fields", None)
        branches = [(f".{names[i]}" if names else f"[{i}]", branch) for i, branch in enumerate(numbered)]
    for step, branch in branches:
        rest = _route(branch, index)
        if rest is not None:
            return step + rest
    return None
