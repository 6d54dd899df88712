"""The answers as Markdown: a summary of the families, then each family's rows, slowest first, and what was not measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .left_out import LEFT_OUT

LINE = 1.5  # no kernel slower than TensorFlow's by more than this


@dataclass(frozen=True)
class Answer:
    """The best seconds of a row in each library, or what kept it from running."""

    family: str
    row: str
    ours: float | None
    theirs: float | None
    error: str = ""

    @property
    def ratio(self) -> float:
        return self.ours / self.theirs if self.ours and self.theirs else 0.0


def by_family(answers: Sequence[Answer]) -> dict[str, list[Answer]]:
    found: dict[str, list[Answer]] = {}
    for answer in answers:
        found.setdefault(answer.family, []).append(answer)
    return {family: sorted(rows, key=lambda a: -a.ratio) for family, rows in found.items()}


def milliseconds(seconds: float | None) -> str:
    return "" if seconds is None else f"{seconds * 1e3:.3f}"


def line_of(answer: Answer) -> str:
    times = f"| {answer.row} | {milliseconds(answer.ours)} | {milliseconds(answer.theirs)} |"
    if not answer.ratio:
        return f"{times} | {answer.error} |"
    return f"{times} {answer.ratio:.2f} | {'█' * min(round(8 * answer.ratio), 40)} |"


def counts(answers: Sequence[Answer]) -> tuple[int, int, int]:
    """Rows with a ratio, those level or ahead, those beyond the line."""
    ratios = [a.ratio for a in answers if a.ratio]
    return len(ratios), sum(r <= 1 for r in ratios), sum(r > LINE for r in ratios)


def summary(families: dict[str, list[Answer]]) -> list[str]:
    lines = ["| family | rows | level or ahead | beyond the line | median ratio | slowest |", "|---|--:|--:|--:|--:|---|"]
    for family, rows in families.items():
        measured = [a for a in rows if a.ratio]
        if measured:
            total, ahead, over = counts(measured)
            worst, middle = measured[0], measured[total // 2]
            lines.append(f"| {family} | {total} | {ahead} | {over} | {middle.ratio:.2f} | {worst.row}: {worst.ratio:.2f} |")
    return lines


def report(answers: Sequence[Answer], head: str, notes: Sequence[str] = (), image: str = "") -> str:
    """`notes` says what went wrong; `image` is the file of the picture, beside the text."""
    families = by_family(answers)
    total, ahead, over = counts(answers)
    text = f"{total} rows: {ahead} level or ahead, {over} beyond {LINE} times TensorFlow's time."
    parts = ["# Kernels against TensorFlow's, eagerly", "", head, "", text, ""]
    parts += [f"![the ratios, family by family]({image})", ""] if image else []
    parts += [*summary(families), ""]
    for family, rows in families.items():
        parts += [f"## {family}", "", "Eight blocks are TensorFlow's time.", "", "| row | Pullback, ms | TensorFlow, ms | ratio | |"]
        parts += ["|---|--:|--:|--:|---|", *map(line_of, rows), ""]
    if notes:
        parts += ["## What did not run", "", *(f"- {note}" for note in notes), ""]
    parts += ["## What has no row", ""]
    parts += [f"- {why}: {', '.join(names.split())}" for why, names in LEFT_OUT.items()]
    return "\n".join([*parts, ""])
