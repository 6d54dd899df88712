"""The rows as a table on the terminal, a page, and a picture."""

import math
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.engine.run import OURS, PROCESSES, Found, Plan, Result
from benchmarks.report import machine


def amount(seconds: float) -> str:
    """A time to three digits, in its own unit."""
    if math.isnan(seconds):
        return ""
    for factor, unit in ((1e6, "us"), (1e3, "ms")):
        if seconds * factor < 1_000:
            return f"{seconds * factor:.3g} {unit}"
    return f"{seconds:.3g} s"


def lines(results: Sequence[Result], result: Result) -> list[tuple[str, bool]]:
    """What the row is to reach, and whether it does."""
    ours, peer, row = result.ours(), result.best_peer(), result.row
    if ours is None:
        return []
    met = []
    if row.ahead and peer:
        what = "level with or ahead of" if row.ahead == 1 else f"{row.ahead:g}x ahead of"
        met.append((f"{what} the best peer ({peer[1] / ours:.2f}x)", peer[1] / ours >= row.ahead))
    if row.under_seconds:
        met.append((f"under {amount(row.under_seconds)}", ours < row.under_seconds))
    others = {r.name: r for r in results}
    if row.level_with in others and (other := others[row.level_with].best_peer()) and peer:
        best = min(other[1], peer[1])
        met.append((f"level with the best of any form ({best / ours:.2f}x)", ours <= 1.05 * best))
    if row.times_of and row.times_of[0] in others and (base := others[row.times_of[0]].ours()):
        name, most = row.times_of
        met.append((f"under {most:g} times our {name} ({ours / base:.2f})", ours < most * base))
    return met


#: The geometric mean that is to be reached.
LEAST_MEAN = 3.0


def mean_ahead(results: Sequence[Result]) -> str:
    """The geometric mean, over all rows that a peer runs too, of how far ahead of the best peer we are, and whether it is enough."""
    ratios = [found[0] for r in results if (found := ahead(r))]
    if not ratios:
        return ""
    mean = math.exp(math.fsum(map(math.log, ratios)) / len(ratios))
    verdict = "met" if mean >= LEAST_MEAN else "MISSED"
    return f"Geometric mean over {len(ratios)} rows: {mean:.2f} times ahead of the best peer (to reach: {LEAST_MEAN:g}): {verdict}.\n\n"


def summary(results: Sequence[Result]) -> str:
    """Where each row stands, under how they stand together."""
    head = ["| work | pullback | best peer | its time | ahead | to reach | |", "|---|--:|---|--:|--:|---|---|"]
    body = []
    for r in results:
        ours, peer = r.ours(), r.best_peer()
        said = amount(ours) if ours else r.found[OURS].reason if OURS in r.found else "not measured"
        ahead = f"{peer[1] / ours:.2f}x" if ours and peer else ""
        reach = lines(results, r)
        verdict = ("met" if all(met for _, met in reach) else "MISSED") if reach else ""
        who, its = (peer[0], amount(peer[1])) if peer else ("", "")
        body.append(f"| {r.row.title} | {said} | {who} | {its} | {ahead} | {'; '.join(text for text, _ in reach)} | {verdict} |")
    return mean_ahead(results) + "\n".join(head + body)


def everyone(results: Sequence[Result], what: Callable[[Found], float]) -> str:
    """A column for each contestant that ran anything."""
    names = list(dict.fromkeys(name for r in results for name, found in r.found.items() if not math.isnan(what(found))))
    head = [f"| work | {' | '.join(names)} |", f"|---|{'--:|' * len(names)}"]
    body = [f"| {r.name} | {' | '.join(amount(what(r.found[n])) if n in r.found else '' for n in names)} |" for r in results]
    return "\n".join(head + body)


def first_calls(results: Sequence[Result]) -> str:
    """Our first call in shares of JAX's: half is to be reached, and a tenth by a second process."""
    body = ["| work | pullback | share of JAX's | second process | share of JAX's | |", "|---|--:|--:|--:|--:|---|"]
    for r in results:
        ran = r.ran()
        if OURS in ran and "jax jit" in ran:
            ours, jax = ran[OURS], ran["jax jit"].first
            reached = ours.first <= jax / 2 and ours.again <= jax / 10
            cells = [amount(ours.first), f"{ours.first / jax:.2f}", amount(ours.again), f"{ours.again / jax:.2f}"]
            body.append(f"| {r.name} | {' | '.join(cells)} | {'met' if reached else 'MISSED'} |")
    return "\n".join(body)


def faults(results: Sequence[Result]) -> list[str]:
    """What failed, and who does not agree with the first peer."""
    failed = [f"{r.name}: {name}: {found.reason}" for r in results for name, found in r.found.items() if found.reason]
    return failed + disagreements(results)


def disagreements(results: Sequence[Result]) -> list[str]:
    return [
        f"{r.name}: {name} differs from the first peer by {found.off:.1e}, more than {r.row.tolerance:g}"
        for r in results
        for name, found in r.ran().items()
        if found.off > r.row.tolerance
    ]


def page(results: Sequence[Result], versions: dict[str, str], plan: Plan) -> str:
    which = ", ".join(f"{name} {version}" for name, version in versions.items())
    parts = [
        "# Compiled programs with their gradients: Pullback and its peers",
        f"Measured on {datetime.now(UTC):%Y-%m-%d} by `make bench`, on {machine()}, {plan.threads} threads each.\nAll in one run: {which}.",
        "![how far ahead of the best peer, work by work](engine.svg)",
        summary(results),
        "## Every contestant, a call\n\nThe median call of the quietest of the rounds.",
        everyone(results, lambda found: found.seconds),
        "## The first call\n\nTrace, compile, run; the library is imported, its data in place. Ours is to take half of JAX's time,"
        " and a second process, which finds what the first left on the disk, a tenth."
        f" Of these two the medians of {PROCESSES} processes.",
        first_calls(results),
        everyone(results, lambda found: found.first),
        "## The first call of a second process, from what the first left on the disk",
        everyone(results, lambda found: found.again),
    ]
    if said := faults(results):
        parts += ["## What did not run, or does not agree", "\n".join(f"- {line}" for line in said)]
    return "\n\n".join(parts) + "\n"


def ahead(result: Result) -> tuple[float, str] | None:
    """The best peer's time in times of ours, and who that is."""
    ours, peer = result.ours(), result.best_peer()
    return (peer[1] / ours, peer[0]) if ours and peer else None


def picture(results: Sequence[Result], path: Path) -> None:
    """A bar for each work: how many times our time the best peer takes, on a logarithmic scale, with the least it is to be."""
    import matplotlib as mpl

    mpl.use("svg")
    from matplotlib import pyplot as plt

    mpl.rcParams.update({"svg.hashsalt": "pullback", "svg.fonttype": "none"})
    compared = [(r.row.ahead, r.name, *ratio) for r in reversed(results) if (ratio := ahead(r))]
    names, ratios = [name for _, name, _, _ in compared], [x for _, _, x, _ in compared]
    figure, axis = plt.subplots(figsize=(9, 1.2 + 0.34 * len(compared)), layout="constrained")
    colors = ["#c4562f" if x >= 1 else "#9db3c4" for x in ratios]
    axis.barh(names, [x - 1 for x in ratios], left=1, color=colors)
    for at, (least, _, times, peer) in enumerate(compared):
        axis.text(1.01, at, f"{times:.2f}   {peer}", transform=axis.get_yaxis_transform(), va="center", fontsize=8)
        if least:
            axis.plot([least, least], [at - 0.4, at + 0.4], color="black", linewidth=1.5)
    axis.axvline(1, color="black", linewidth=0.6)
    axis.set(xscale="log", title="The best peer's time, in times of Pullback's; a stroke is what is to be reached")
    axis.title.set_fontsize(9)
    axis.tick_params(labelsize=8)
    axis.xaxis.set_major_formatter("{x:g}")
    axis.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)
