"""What the laws are made of: cases in the widest dtype they take, directions, slopes, and an ear at dispatch."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import pullback
from pullback.ir.context import Recorder, start_listening, stop_listening
from pullback.ir.graph import Graph
from pullback.transforms.forward import pushforward
from pullback.transforms.recording import Recording
from pullback.transforms.reverse import pullback as reverse
from tests.cases.case import Array, Case, cotangent, floats, is_float
from tests.golden import observe

_REFUSALS = (TypeError, ValueError, pullback.errors.InvalidArgumentError, pullback.errors.UnimplementedError)


@dataclass(frozen=True)
class Application:
    """One op applied to values, as dispatch told it."""

    op: Any
    inputs: tuple[Any, ...]
    attrs: dict[str, Any]
    outputs: tuple[Any, ...]


class _Ear(Recorder):
    def __init__(self) -> None:
        self.heard: list[Application] = []
        self.active: dict[int, Any] = {}  # it watches nothing

    def record(self, op: Any, inputs: tuple[Any, ...], attrs: dict[str, Any], outputs: tuple[Any, ...], node: Any) -> None:
        self.heard.append(Application(op, inputs, attrs, outputs))

    def read(self, variable: Any) -> None:
        """Reading a variable applies an op of its own, which is heard."""


@contextmanager
def heard() -> Iterator[list[Application]]:
    """Every application of an op inside the block, gradients included."""
    ear = _Ear()
    start_listening(ear)
    try:
        yield ear.heard
    finally:
        stop_listening(ear)


@contextmanager
def op_types(monkeypatch: pytest.MonkeyPatch) -> Iterator[set[str]]:
    """The types of all ops that run or are built inside the block, in the bodies of functions too."""
    found: set[str] = set()
    add = Graph.add

    def noting(graph: Graph, op: Any, *args: Any, **options: Any) -> Any:
        found.add(op.name)
        return add(graph, op, *args, **options)

    with monkeypatch.context() as patch, heard() as applications:
        patch.setattr(Graph, "add", noting)
        yield found
        found.update(a.op.name for a in applications)


@dataclass(frozen=True)
class Precision:
    """How far apart the points of a difference stand, and how near its slope comes."""

    step: float
    tolerance: float
    noise: float
    rounding: float


FINE = Precision(2.0**-13, 2e-6, 1e-9, 1e-12)
COARSE = Precision(2.0**-6, 4e-3, 2e-4, 1e-5)


class Smooth:
    """A case at its inputs, in the widest floating dtype that it takes."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.face = pullback if case.face == "v2" else pullback.compat.v1
        self.inputs, self.precision = self._widest()
        self.places = [i for i, x in enumerate(self.inputs) if is_float(x.dtype)]
        self.points = [self.inputs[i] for i in self.places]
        self.directions = [floats(*x.shape, low=-1.0, high=1.0, dtype=x.dtype, seed=77 + k) for k, x in enumerate(self.points)]
        self.require_something_to_judge()

    def _widest(self) -> tuple[list[Array], Precision]:
        for real, mixed, precision in (("float64", "complex128", FINE), ("float32", "complex64", COARSE)):
            wide = [x.astype(mixed if x.dtype.kind == "c" else real) if is_float(x.dtype) else x for x in self.case.inputs]
            try:
                outputs = self.outputs([observe.constant(pullback, x) for x in wide])
            except _REFUSALS:
                continue
            fine = precision is FINE and all(y.dtype.name in ("float64", "complex128") for y in outputs)
            return wide, FINE if fine else COARSE
        return list(self.case.inputs), COARSE

    def outputs(self, tensors: Sequence[Any]) -> list[Any]:
        """The differentiable outputs."""
        return [y for y in observe.leaves(self.case.f(self.face, *tensors)) if observe.differentiable(y)]

    def require_something_to_judge(self) -> None:
        """A case without a floating input or a differentiable output would pass every law of numbers."""
        assert self.points, f"{self.case.id} has no floating input: `smooth=False` says so"
        assert self.outputs(self.tensors(self.points)[0]), f"{self.case.id} has no differentiable output: `smooth=False` says so"

    def tensors(self, points: Sequence[Array]) -> tuple[list[Any], list[Any]]:
        """All inputs as tensors with `points` in the places of the floating ones, and those alone."""
        every = [observe.constant(pullback, x) for x in self.inputs]
        for place, point in zip(self.places, points, strict=True):
            every[place] = observe.constant(pullback, point)
        return every, [every[i] for i in self.places]

    def gradient(self, points: Sequence[Array], *, weighted: bool = False) -> list[Any]:
        """The tape's gradients at `points` with the fixed cotangents (times the outputs when `weighted`), sparse ones made dense."""
        every, sources = self.tensors(points)
        with pullback.GradientTape() as tape:
            tape.watch(sources)
            targets = self.outputs(every)
        us = seeds(targets)
        found = tape.gradient(targets, sources, output_gradients=_products(us, targets) if weighted else us)
        return [None if g is None else pullback.convert_to_tensor(g) for g in found]

    def second(self, weights: Sequence[Array]) -> list[Any]:
        """The gradients of `<weights, gradient>`, the gradient being weighted: so its cotangent depends on the inputs as well."""
        every, sources = self.tensors(self.points)
        with pullback.GradientTape() as outer:
            outer.watch(sources)
            with pullback.GradientTape() as inner:
                inner.watch(sources)
                targets = self.outputs(every)
            found = inner.gradient(targets, sources, output_gradients=_products(seeds(targets), targets))
            live = [(pullback.convert_to_tensor(g), w) for g, w in zip(found, weights, strict=True) if g is not None]
        if not live:
            return [None] * len(sources)
        again = outer.gradient([g for g, _ in live], sources, output_gradients=[observe.constant(pullback, w) for _, w in live])
        return [None if g is None else pullback.convert_to_tensor(g) for g in again]

    def both_modes(self) -> tuple[list[Any], list[Any], list[Any]]:
        """The cotangents of the outputs, the tangents of the outputs along the directions, and the cotangents of the inputs."""
        every, sources = self.tensors(self.points)
        recording = Recording(reads_variables=True)
        for source in sources:
            recording.watch(source)
        start_listening(recording)
        try:
            targets = self.outputs(every)
        finally:
            stop_listening(recording)
        us = seeds(targets)
        nodes = tuple(recording.nodes)
        forward = pushforward(nodes, sources, [observe.constant(pullback, d) for d in self.directions], targets)
        backward = reverse(nodes, targets, us, sources, recording.active)
        return us, forward, [None if g is None else pullback.convert_to_tensor(g) for g in backward]

    def slope(self, measure: Callable[[list[Array]], float]) -> float:
        """The derivative of `measure` along the direction, by differences of fourth order."""
        h = self.precision.step

        def at(t: float) -> float:
            return measure([(x + np.asarray(t, x.dtype) * d).astype(x.dtype) for x, d in zip(self.points, self.directions, strict=True)])

        return (8.0 * (at(h) - at(-h)) - (at(2.0 * h) - at(-2.0 * h))) / (12.0 * h)


def seeds(targets: Sequence[Any]) -> list[Any]:
    """The fixed cotangents of some tensors."""
    return [observe.constant(pullback, cotangent(tuple(y.shape.as_list()), y.dtype.as_numpy_dtype)) for y in targets]


def _products(us: Sequence[Any], ys: Sequence[Any]) -> list[Any]:
    return [u * y for u, y in zip(us, ys, strict=True)]


def dot(us: Sequence[Any], vs: Sequence[Any]) -> float:
    """The real inner product of two lists of arrays or tensors, complex numbers as pairs; None is zero."""
    pairs = [(np.asarray(u), np.asarray(v)) for u, v in zip(us, vs, strict=True) if u is not None and v is not None]
    return float(sum(np.sum(np.real(np.conj(u.astype(_wide(u))) * v.astype(_wide(v)))) for u, v in pairs))


def size(us: Sequence[Any], vs: Sequence[Any]) -> float:
    """The sum of the sizes of the terms of `dot`: what its rounding is measured by."""
    pairs = [(np.asarray(u), np.asarray(v)) for u, v in zip(us, vs, strict=True) if u is not None and v is not None]
    return float(sum(np.sum(np.abs(u.astype(_wide(u))) * np.abs(v.astype(_wide(v)))) for u, v in pairs))


def _wide(x: Array) -> type[Any]:
    return np.complex128 if x.dtype.kind == "c" else np.float64
