"""What a training step would cost on more replicas than there are, from parts that are measured on one.

A step of a replica computes gradients of its share of the batch, and then all replicas add theirs up.  The time of the first is measured
for several lengths of the share, and taken to be a fixed part and a part for each example.  Calls of one length differ, and all replicas
wait for the slowest: of p that draw from the times that were measured, that is how much slower.  The second is modelled: a message takes
`latency + bytes / bandwidth`, and messages of one process leave one after the other.  With p replicas and b bytes,

- the sum in a fixed order (the default) sends p - 1 headers, then b / p bytes to each of the others and as much back, or, where b is
  small, all b bytes to each of the others;
- MPI's own (`fast=True`) sends headers, and then has 2 log2(p) messages of 2 (p - 1) / p b bytes together: Rabenseifner's algorithm, as in
  R. Thakur, R. Rabenseifner and W. Gropp, "Optimization of Collective Communication Operations in MPICH", International Journal of High
  Performance Computing Applications 19 (2005);
- sparse gradients are gathered: every replica receives those of all others.

Without overlap all dense gradients are one sum, with it they go in buckets.  Replicas that share processors compute in turn.  It knows of
no two messages that are in each other's way, and of no machine that is slower than the others.
"""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..base import nest
from ..base.figures import show_amount, show_seconds
from ..ir.apply import convert_to_tensor
from ..ir.indexed_slices import IndexedSlices
from ..kernels.collective.arrays import SHARED_BYTES
from ..ops.collective.buckets import buckets_of, common_length
from ..pictures.svg import escape_text, resource

if TYPE_CHECKING:
    from ..ir.tensor import Tensor

REPLICAS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 10_000)
#: Calls before the clock counts; how many are timed then, or as many as there is time for in so many seconds.
_WARM, _TIMED, _FEW, _SECONDS = 5, 25, 5, 1.0


@dataclass(frozen=True)
class Cost:
    """A step with so many replicas; times in seconds.

    share: examples of the largest replica.  computing: its gradients.  sending: their sum over the replicas.  waiting: what of that does
    not happen while gradients are computed.
    """

    replicas: int
    share: int
    computing: float
    sending: float
    waiting: float

    @property
    def step(self) -> float:
        """Seconds of the whole step."""
        return self.computing + self.waiting


@dataclass(frozen=True)
class ScalingPlan:
    """What a step costs at several numbers of replicas: prints as a table, and shows itself in notebooks as a picture.

    examples: of the whole batch.  dense, sparse: bytes of gradients that are added up, and gathered.  messages: how many sums there are.
    fixed, each: seconds of a step whatever its examples are, and for each of them.
    """

    examples: int
    dense: int
    sparse: int
    messages: int
    fixed: float
    each: float
    costs: tuple[Cost, ...]

    def speedup(self, cost: Cost) -> float:
        """How many times quicker a step is than one of a single replica."""
        return (self.fixed + self.each * self.examples) / cost.step

    def __str__(self) -> str:
        size = show_amount(self.dense + self.sparse, "B") or "nothing"
        head = (
            f"{self.examples} examples, {size} of gradients in {self.messages} sums; "
            f"on one replica {show_seconds(self.fixed)} and {show_seconds(self.each)} for each example\n"
            f"{'replicas':>8} {'examples':>9} {'computing':>10} {'sending':>10} {'step':>10} {'speed':>8} {'of ideal':>8}"
        )
        return "\n".join([head, *map(self._line, self.costs)])

    def _line(self, cost: Cost) -> str:
        speed = self.speedup(cost)
        times = f"{show_seconds(cost.computing):>10} {show_seconds(cost.sending):>10} {show_seconds(cost.step):>10}"
        return f"{cost.replicas:8d} {cost.share:9d} {times} {speed:8.2f} {speed / cost.replicas:8.0%}"

    def to_svg(self, path: str | PathLike[str]) -> None:
        """Write the picture to a file: a bar for each number of replicas, computing and, behind it, waiting for the sum."""
        Path(path).write_text(self._repr_html_(), encoding="utf-8")

    def _repr_html_(self) -> str:
        row, width = 24, 210 / (self.fixed + self.each * self.examples)  # a bar of twice one replica's step goes to the end
        bars = []
        for i, cost in enumerate(self.costs):
            y, computing = i * row + 34, min(420.0, width * cost.computing)
            waiting = min(420.0 - computing, width * cost.waiting)
            more = "" if width * cost.step <= 420 else "... "
            words = f"{more}{show_seconds(cost.step)}, {self.speedup(cost):.2f} times as quick"
            bars += [
                f'<text x="80" y="{y + 14}" text-anchor="end">{cost.replicas}</text>',
                f'<g class="source"><title>computing {show_seconds(cost.computing)}</title>'
                f'<rect x="90" y="{y}" width="{computing:.1f}" height="18"/></g>',
                f'<g class="broken"><title>sending {show_seconds(cost.sending)}</title>'
                f'<rect x="{90 + computing:.1f}" y="{y}" width="{waiting:.1f}" height="18"/></g>',
                f'<text x="{96 + computing + waiting:.1f}" y="{y + 14}" class="note">{escape_text(words)}</text>',
            ]
        height = len(self.costs) * row + 44
        return "\n".join([
            f'<svg xmlns="http://www.w3.org/2000/svg" class="pullback" width="760" height="{height}" viewBox="0 0 760 {height}" role="img" '
            'aria-label="the time of a step by the number of replicas">',
            f"<style>{resource('picture.css')}</style>", '<rect class="paper" width="100%" height="100%"/>',
            '<text x="80" y="20" text-anchor="end">replicas</text>',
            '<text x="90" y="20">a step: computing (left), waiting for the sum of the gradients (right)</text>',
            *bars, "</svg>\n",
        ])  # fmt: skip


def plan_scaling(
    step: Callable[[Any], Any], examples: Tensor, replicas: Iterable[int], bandwidth: float, latency: float, overlap: float, fast: bool,
    processors: int | None,
) -> ScalingPlan:  # fmt: skip
    """See `Strategy.plan`."""
    counts = list(replicas)
    if not counts or min(counts) < 1:
        raise ValueError(f"plan: replicas are numbers from 1 on, and not {counts}")
    if processors is not None and processors < 1:
        raise ValueError(f"plan: replicas compute on at least 1 processor, and not on {processors}")
    if bandwidth <= 0 or latency < 0 or not 0 <= overlap <= 1:
        raise ValueError(
            "plan: bandwidth is above 0 bytes a second, latency 0 seconds or more, overlap from 0 to 1, "
            f"and not {bandwidth}, {latency}, {overlap}"
        )
    leaves = [convert_to_tensor(leaf) for leaf in nest.flatten(examples)]
    total = common_length(leaves)
    if not total:
        raise ValueError("plan: there are no examples to run the step on")
    shares = sorted({math.ceil(total / parts) for parts in (1, 2, 4, 8)})
    timed = [_time_step(step, nest.pack_sequence_as(examples, [leaf[:share] for leaf in leaves])) for share in shares]
    usual = [statistics.median(seconds) for seconds, _ in timed]
    fixed, each = _fit_line(shares, usual)
    ratios = sorted(t / middle for (seconds, _), middle in zip(timed, usual, strict=True) for t in seconds)
    gradients = [leaf for leaf in nest.flatten(timed[-1][1]) if leaf is not None]
    sparse = [(g.values.numpy().nbytes + g.indices.numpy().nbytes) / total for g in gradients if isinstance(g, IndexedSlices)]
    dense = [convert_to_tensor(g) for g in gradients if not isinstance(g, IndexedSlices)]
    buckets = buckets_of(dense) if overlap else [range(len(dense))] if dense else []
    sums = [sum(dense[i].numpy().nbytes for i in places) for places in buckets]

    def cost(p: int) -> Cost:
        share = math.ceil(total / p)
        computing = (fixed + each * share) * max(1.0, p / (processors or p)) * _expect_slowest(p, ratios) / _expect_slowest(1, ratios)
        gathered = sum(3 * (p - 1) * latency + (p - 1) * size * share / bandwidth for size in sparse)
        sending = gathered + sum(_sum_seconds(p, size, bandwidth, latency, fast) for size in sums)
        return Cost(p, share, computing, sending, max(0.0, sending - overlap * computing))

    return ScalingPlan(
        total, sum(sums), round(sum(sparse) * total), len(sums) + 2 * len(sparse), fixed, each, tuple(cost(p) for p in counts)
    )


def _sum_seconds(p: int, size: int, bandwidth: float, latency: float, fast: bool) -> float:
    """One sum of so many bytes over p replicas."""
    if p == 1:
        return 0.0
    headers = (p - 1) * latency
    if fast:
        return headers + 2 * math.ceil(math.log2(p)) * latency + 2 * (p - 1) / p * size / bandwidth
    if p > 2 and size >= SHARED_BYTES:
        return headers + 2 * (p - 1) * (latency + size / p / bandwidth)
    return headers + (p - 1) * (latency + size / bandwidth)


def _expect_slowest(p: int, times: Sequence[float]) -> float:
    """The time of the slowest of p replicas, expected where each has one of these times, which stand in their order."""
    n = len(times)
    return sum(t * (((i + 1) / n) ** p - (i / n) ** p) for i, t in enumerate(times))


def _time_step(step: Callable[[Any], Any], part: Any) -> tuple[list[float], Any]:
    """The seconds of several calls, and what the step gives."""
    for _ in range(_WARM):
        given = step(part)
    times: list[float] = []
    while len(times) < _FEW or (len(times) < _TIMED and sum(times) < _SECONDS):
        start = time.perf_counter()
        given = step(part)
        times.append(time.perf_counter() - start)
    return times, given


def _fit_line(shares: Sequence[int], seconds: Sequence[float]) -> tuple[float, float]:
    """The fixed part and the part for each example, neither below 0, that fit best relative to what was measured."""
    weights = 1 / np.asarray(seconds)
    columns = np.stack([np.ones(len(shares)), np.asarray(shares, float)], 1)
    fixed, each = np.linalg.lstsq(columns * weights[:, None], np.ones(len(shares)), rcond=None)[0]
    if each < 0:
        return float(np.mean(seconds)), 0.0
    if fixed < 0:
        return 0.0, float(np.mean(np.asarray(seconds) / shares))
    return float(fixed), float(each)
