"""What the parts of the instrument find, the reasons that are known, and the page that shows both: docs/against.md."""

from __future__ import annotations

import fnmatch
import json
import sys
import time
import tomllib
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parents[2] / "docs" / "against.md"
REASONS = Path(__file__).with_name("reasons.toml")
RUNS = Path(__file__).with_name("runs.json")  # of parts that are run again and again with other seeds, what each run found
_HEAD = """# Held against TensorFlow

Made by `make against`, which runs TensorFlow {version} and Pullback side by side: the examples of TensorFlow's own docstrings, random
programs, nested loops and branches, wrong calls, right calls with arguments of another kind, and threads and kills. Every difference
stands here, with its reason where one is known ([reasons.toml](../tests/against/reasons.toml)); of those that random programs meet for one
reason, the first {shown}.
Each part says when it was run; what was mended since is still listed.
"""
_READ = "What nobody had a reason for when a run ended was read then, and was mended or has one in reasons.toml."
_SHOWN = 20  # differences of one known reason, in parts that are run again and again


@dataclass
class Difference:
    """One place where the two differ: its name, its kind, in words what is seen; `count` of it."""

    name: str
    kind: str
    words: str
    count: int = 1


@dataclass
class Part:
    """What one part found: figures, goals as (some, of all, the share wanted), differences, figures that add up over runs.

    known_as: the table of reasons.toml that is read, if not the one of this title.
    """

    title: str
    figures: dict[str, Any] = field(default_factory=dict)
    goals: dict[str, tuple[int, int, float]] = field(default_factory=dict)
    differences: list[Difference] = field(default_factory=list)
    summed: dict[str, int] = field(default_factory=dict)
    known_as: str = ""

    def reason(self, found: Difference, known: dict[str, dict[str, str]]) -> str:
        """Why two differ, or "" where nobody has said so."""
        return reason(self.known_as or self.title.replace(" ", "_"), found, known)

    def add(self, found: Difference) -> None:
        """Keep a difference."""
        self.differences.append(found)


class Progress:
    """One line on a terminal that says how far a part is."""

    def __init__(self, title: str, of: int) -> None:
        self._title, self._of, self._done, self._start, self._shown = title, of, 0, time.monotonic(), 0.0

    def step(self, what: str = "", by: int = 1) -> None:
        """So many more are done; `what` is next."""
        self._done += by
        now = time.monotonic()
        if now - self._shown > (0.2 if sys.stderr.isatty() else 20.0):
            self._shown = now
            end = "" if sys.stderr.isatty() else "\n"
            line = f"\r{self._title}: {self._done} of {self._of}, {now - self._start:.0f} s  {what[:60]:60}"
            print(line, end=end, file=sys.stderr, flush=True)

    def end(self) -> None:
        """The part is done."""
        line = f"\r{self._title}: {self._done} of {self._of} in {time.monotonic() - self._start:.0f} s"
        print(f"{line:100}", file=sys.stderr, flush=True)


def reasons() -> dict[str, dict[str, str]]:
    """The known reasons: for each part, patterns of names or words, and the reason."""
    return tomllib.loads(REASONS.read_text())


def reason(part: str, found: Difference, known: dict[str, dict[str, str]]) -> str:
    """Why two differ, or "" where nobody has said so."""
    for pattern, why in known.get(part, {}).items():
        if fnmatch.fnmatchcase(found.name, pattern) or fnmatch.fnmatchcase(f"{found.name}: {found.words}", pattern):
            return why
    return ""


def unexplained(part: Part, kind: str = "") -> int:
    """How many differences of a part, or of one kind, nobody has given a reason for."""
    known = reasons()
    return sum(d.count for d in part.differences if kind in ("", d.kind) and not part.reason(d, known))


def goals_missed(parts: list[Part]) -> list[str]:
    """The goals that are not reached, in words."""
    return [
        f"{part.title}: {name} {100 * some / of:.2f} % of {of}, the goal is {100 * wanted:.1f} %"
        for part in parts
        for name, (some, of, wanted) in part.goals.items()
        if of and some / of < wanted
    ]


def write(parts: list[Part], version: str, when: str, page: Path = PAGE) -> None:
    """Write the page; what other parts found earlier stays."""
    known = reasons()
    runs = json.loads(RUNS.read_text())
    for part in parts:
        if part.summed:
            runs.setdefault(part.title, []).append({"on": when, **part.summed})
    RUNS.write_text(json.dumps(runs, indent=1) + "\n")
    kept = _sections(page.read_text()) if page.exists() else {}
    kept |= {part.title: _section(part, known, when) + _all_runs(runs.get(part.title, [])) for part in parts}
    page.write_text("\n".join([_HEAD.format(version=version, shown=_SHOWN), *(kept[title] for title in kept)]))


def _sections(text: str) -> dict[str, str]:
    found = {}
    for piece in text.split("\n## ")[1:]:
        title = piece.partition("\n")[0]
        found[title.lower()] = f"## {piece.rstrip()}\n"
    return found


def _section(part: Part, known: dict[str, dict[str, str]], when: str) -> str:
    figures = {"run on": when, **part.figures}
    lines = [f"## {part.title.capitalize()}", "", "| | |", "|---|--:|", *(f"| {name} | {value} |" for name, value in figures.items())]
    lines += [f"| goal: {name} | {100 * wanted:g} % |" for name, (_, _, wanted) in part.goals.items()]
    explained: dict[str, Counter[str]] = {}
    for d in part.differences:
        explained.setdefault(part.reason(d, known), Counter())[f"{d.name} {d.kind}: {_safe(d.words)}"] += d.count
    for why in sorted(explained, key=lambda w: (bool(w), -explained[w].total())):
        found = explained[why]
        lines += ["", f"**{why or 'No reason known'}** ({found.total()})", ""]
        shown = found.most_common(_SHOWN if why and part.summed else None)
        lines += [f"- {words}" + (f" ({count} times)" if count > 1 else "") for words, count in shown]
        lines += [f"- and {len(found) - len(shown)} others"] if len(shown) < len(found) else []
    return "\n".join(lines) + "\n"


def _all_runs(runs: list[dict[str, Any]]) -> str:
    """What earlier runs found, and the sums; the differences are those of the last."""
    if not runs:
        return ""
    names = [name for name in runs[-1] if name != "on"]
    rows = [f"| {run['on']} | " + " | ".join(str(run[name]) for name in names) + " |" for run in runs]
    rows.append("| all | " + " | ".join(str(sum(run[name] for run in runs)) for name in names) + " |")
    table = [f"| run on | {' | '.join(names)} |", "|---|" + "--:|" * len(names), *rows]
    return "\n".join(["", *table, "", _READ]) + "\n"


def _safe(words: str) -> str:
    return words.replace("\n", " ").replace("[", "\\[").replace("](", "]\\(").replace("<", "&lt;").replace(">>>", "")
