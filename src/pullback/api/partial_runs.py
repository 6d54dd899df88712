"""Runs that go on: what `Session.partial_run_setup` sets up is computed as far as the values fed so far allow, each node once."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from ..base.errors import InvalidArgumentError
from ..ir.interpreter import Interpreter
from ..ir.node import Node
from ..ir.plan import FAILURES, Plan, Run, annotate_error, kernel_of
from ..ir.references import is_snapshot
from ..ir.tensor import SymbolicTensor
from .fetches import stand_in_for


class PartialRun:
    """A run of a plan in several calls.

    feeds: the tensors that the calls may feed.  run: the memory and the journal of all the calls together.
    """

    def __init__(self, plan: Plan, feeds: Sequence[SymbolicTensor], run: Run) -> None:
        for t in feeds:
            if feeds.count(t) > 1:
                raise InvalidArgumentError(None, None, f'Endpoint "{t.name}" fed more than once.')
            if t in plan.fetched:
                raise InvalidArgumentError(None, None, f"{t.name} is both fed and fetched.")
        if not plan.fetched:
            raise InvalidArgumentError(None, None, "Must specify at least one target to fetch or execute.")
        self._feeds = {t.name for t in feeds}
        self._unfed = set(plan.fed)
        self._fetches = {t.name for t in plan.fetched if isinstance(t, SymbolicTensor)}
        self._unfetched = set(self._fetches)
        kept = [*plan.fetched, *(t for node in plan.nodes for t in node.outputs)]
        self._walk = Interpreter(plan.nodes, plan.fed, kept, [kernel_of(node) for node in plan.nodes])
        self._pending, self._last = _group_nodes(plan.nodes)
        self._failed = False
        self._run = run
        self._places = [run, *self._walk.template[1:]]

    @property
    def is_over(self) -> bool:
        """Whether no call can follow: all was fed and fetched, or an operation failed."""
        return self._failed or (not self._unfetched and not any(t.name in self._feeds for t in self._unfed))

    def fetch(self, fetched: Sequence[SymbolicTensor], fed: Mapping[SymbolicTensor, Any]) -> list[Any]:
        """Compute all that needs no more than what is fed by now, and give the values of `fetched`.

        Raises InvalidArgumentError: a tensor that was not set up or comes a second time, a fetch that needs more than is fed; the run
        can go on then.  The error of an operation that fails; then the run is taken back.
        """
        self._check("feed", "fed", fed, self._feeds, {t.name for t in self._unfed})
        self._check("fetch", "fetched", fetched, self._fetches, self._unfetched)
        variables = {t.node.inputs[0] for t in fed if is_snapshot(t)}
        unfed = {t for t in self._unfed if t not in fed and t not in variables}
        ready, pending, missing = self._split(unfed)
        for t in fetched:
            if t.uid in missing:
                raise InvalidArgumentError(None, None, f"Fetch {t.name} can't be computed from the feeds that have been fed so far.")
        for t in self._unfed - unfed:
            self._places[self._walk.place[t.uid]] = fed[t] if t in fed else stand_in_for(t, fed)
        self._unfed, self._pending = unfed, pending
        self._compute(ready if pending else ready + self._last)
        self._unfetched -= {t.name for t in fetched}
        return [self._places[self._walk.place[t.uid]] for t in fetched]

    def _check(self, kind: str, done: str, tensors: Collection[SymbolicTensor], known: set[str], left: set[str]) -> None:
        for t in tensors:
            if t.name not in known:
                raise InvalidArgumentError(None, None, f"The {kind} {t.name} was not specified in partial_run_setup.")
            if t.name not in left:
                raise InvalidArgumentError(None, None, f"The {kind} {t.name} has already been {done}.")

    def _split(self, unfed: Collection[SymbolicTensor]) -> tuple[list[int], list[list[int]], set[int]]:
        """The steps that can be run, the groups that wait for what is not fed, and the uids of all that is not known then."""
        missing = {t.uid for t in unfed}
        waiting: set[Node] = set()
        ready: list[int] = []
        pending: list[list[int]] = []
        for group in self._pending:
            node = self._walk.nodes[group[-1]]
            again = {t.uid for at in group[:-1] for t in self._walk.nodes[at].outputs}
            if any(t.uid in missing and t.uid not in again for t in node.inputs) or any(
                other in waiting or any(t.uid in missing for t in other.outputs) for other in node._control_inputs
            ):
                pending.append(group)
                waiting.add(node)
                missing.update(t.uid for t in node.outputs)
            else:
                ready += group
        return ready, pending, missing

    def _compute(self, steps: Sequence[int]) -> None:
        at = 0
        self._failed = True
        try:
            with np.errstate(all="ignore"):
                for at in steps:
                    self._walk.steps[at][0](self._places)
            self._failed = False
        except FAILURES as error:
            node = self._walk.nodes[at]
            raise annotate_error(node, [self._places[self._walk.place[t.uid]] for t in node.inputs], error) from None
        finally:
            if self._failed:
                self._run.take_back()


def _group_nodes(nodes: Sequence[Node]) -> tuple[list[list[int]], list[int]]:
    """The places of nodes in a list, each after those that read a variable again for it; and of those that do so at the end."""
    made: set[int] = set()
    groups: list[list[int]] = []
    group: list[int] = []
    for at, node in enumerate(nodes):
        group.append(at)
        if not any(t.uid in made for t in node.outputs):
            made.update(t.uid for t in node.outputs)
            groups.append(group)
            group = []
    return groups, group
