"""A plan as XLA's program: the stretches that XLA takes as StableHLO modules, and between them calls of the kernels that it does not."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ...ir.node import Node
from ...ir.plan import Plan, Run
from ...ir.tensor import EagerTensor, TensorType
from ...ops.state.variables import Storage
from ..compile_times import stage as timed_stage
from ..lower import expressions_of
from ..lowering.builder import Unsupported
from ..lowering.index_expr import Buffer, IndexExpr, Scalar
from ..parts import Part
from ..program import Program, Stage
from ..runtime.layout import Fault
from .builder import XlaBuilder
from .client import client
from .control_flow import lower_node
from .module import BOOL


class XlaProgram(Program):
    """What runs a plan by XLA for inputs of `types`."""

    builder_type = XlaBuilder

    def __init__(self, plan: Plan, types: Sequence[TensorType], flow: bool = True) -> None:
        super().__init__(plan, types, flow, in_place=False)

    def move_tensors(self, tensors: Sequence[Any]) -> None:
        """Move tensors to the device where they are not there; they stay.  Arrays do not, for they may change."""
        here = client()
        for t in tensors:
            if type(t) is EagerTensor and t.value.dtype.kind in "fiucb" and not here.is_kept(t.value):
                t.value = here.keep(t.value)

    def run(self, values: Sequence[Any], run: Run) -> list[Any] | None:
        """The values of what was fetched; None where a module reports a fault."""
        if self.single is not None:
            _keep([v for t, v in zip(self.spec.inputs, values, strict=True) if t.uid in self._variables.start], run)
        return super().run(values, run)

    def _run(self, known: dict[int, Any], run: Run) -> list[Any]:
        _keep([known[uid] for uid in self._variables.start], run)
        return super()._run(known, run)

    def _lower_node(self, node: Node, builder: Any, inputs: list[IndexExpr], drawn: bool) -> list[Any]:
        found = expressions_of(node, builder, inputs) if node.primitive.effects or drawn else lower_node(node, builder, inputs)
        return [builder.memory(expr) if isinstance(expr, IndexExpr) and not isinstance(expr, (Buffer, Scalar)) else expr for expr in found]

    def _compile(self) -> dict[int, Callable[..., list[np.ndarray]]]:
        self.layouts = {}
        found: dict[int, Callable[..., list[np.ndarray]]] = {}
        for at, stage in enumerate(self._stages):
            if stage.builder is not None and stage.gives:
                assert isinstance(stage.builder, XlaBuilder)
                takes = {} if stage.builder.is_cut else self._takes(stage)
                with timed_stage("emit"):
                    text = module_of(stage, takes)
                with timed_stage("compile"):
                    found[at] = Module(text, stage.builder, [uid in self._variables.before for uid in stage.given], takes)
        return found

    def _takes(self, stage: Stage) -> dict[int, int]:
        """By the number of a result that is a variable's new value that of its old one among what the stage is given."""
        found: dict[int, int] = {}
        for uid, new in self._variables.written:
            old = self._variables.start[uid]
            if new.uid in stage.gives and old.uid in stage.given:
                number, at = stage.gives.index(new.uid), stage.given.index(old.uid)
                before, after = stage.native.inputs[at], stage.native.outputs[number]
                if (before.dims, before.dtype) == (after.dims, after.dtype) and before.dtype.kind != "V":
                    found.setdefault(number, at)
        return found

    def parts(self) -> tuple[Part, ...]:
        """What it runs, in order, for `explain`."""
        found = []
        for at, stage in enumerate(self._stages):
            if at in self.segments:
                assert stage.builder is not None
                read, written = (sum(b.size * b.dtype.itemsize for b in every) for every in (stage.builder.inputs, stage.builder.outputs))
                names = tuple(node.primitive.name for node in stage.nodes)
                found.append(Part("module", f"module{at}", names, read=read, written=written))
            elif stage.builder is None:
                found += [
                    Part("call", node.name, (node.primitive.name,), reason=self.refusals.get(node, "it has no lowering"))
                    for node in stage.nodes
                ]
        return tuple(found)


def _keep(storages: Sequence[Storage], run: Run) -> None:
    """Move variables to the device where they are not there; they stay."""
    here = client()
    for storage in storages:
        value = storage.value
        if value is not None and not here.is_kept(value) and storage not in run.journal:
            storage.exchange(value, here.keep(value))


def module_of(stage: Stage, takes: Mapping[int, int]) -> str:
    """A stretch as a module; its last result, where it checks anything, says whether there was a fault.

    takes: by the number of a result that of the argument in whose place it may be written; with a fault that stays as it is.
    """
    builder = stage.builder
    assert isinstance(builder, XlaBuilder)
    results = [builder.value(b) for b in builder.outputs]
    args = [builder.value(b) for b in builder.inputs]
    if builder.checks:
        fault = builder.fault()
        for number, at in takes.items():
            results[number] = builder.unless(fault, results[number], args[at])
        results.append(fault)
    cut = builder.is_cut
    function = builder.writer.function("main", args, results, ' {mhlo.sharding = "{replicated}"}' if cut else "", takes)
    head = f" attributes {{mhlo.num_partitions = {len(client().devices)} : i32, mhlo.num_replicas = 1 : i32}}" if cut else ""
    return f"module @pullback{head} {{\n{function}\n}}\n"


class Module:
    """A module that is ready to run.

    variables: for each array that it takes whether it is the value of a variable.  asks: whether it has no short way.
    takes: by the number of a result that of the array in whose place it may be written.
    """

    is_long = True

    def __init__(self, text: str, builder: XlaBuilder, variables: Sequence[bool], takes: Mapping[int, int]) -> None:
        here = client()
        self.takes, self.give_away = frozenset(takes), here.give_away
        self.asks = builder.is_cut
        kinds, gives = ([(b.dims, b.dtype) for b in every] for every in (builder.inputs, builder.outputs))
        self._checks = bool(builder.checks)
        if self._checks:
            gives.append(((), BOOL))
        try:
            self._run = here.compile_module(text, kinds, gives, builder.is_cut, takes)
        except here.failures as error:
            raise Unsupported(f"XLA refuses the module: {str(error).splitlines()[0]}") from error
        self._stays = [of and dtype.kind != "V" for of, (_, dtype) in zip(variables, kinds, strict=True)]

    def call(self, *arrays: np.ndarray | None) -> list[np.ndarray] | int:
        """The results; a number where a variable has no such value, or is not on the device yet, and for a fault."""
        results = self._run(arrays, self._stays)
        return 0 if results is None or (self._checks and results.pop()) else results

    def __call__(self, *arrays: np.ndarray | None) -> list[np.ndarray]:
        """The results; Fault where there are none."""
        results = self._run(arrays)
        if results is None:
            raise Fault("a variable that has no value yet, or one of another shape")
        if self._checks and results.pop():
            raise Fault("a check of the module failed")
        return results
