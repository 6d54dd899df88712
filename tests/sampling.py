"""Which rows of the case table a test run takes: every operation in every law, but only some of its near-identical rows.

The table has some 5,700 rows of 800 operations, and each law holds for each row: all of it takes half an hour on two cores. `make test`
therefore draws `ROWS` rows of each operation for each law, anew in every run. The seed stands at the head of the run's output;
`PULLBACK_ROW_SEED=that` draws the same rows again, `--every-row` (`make test-all`) takes them all. A test marked `rows(n)` has n rows of
the whole table instead, one marked `every_row` always has all of them, and so has whoever asks for tests by name (`-k`, `file::test`).
"""

from __future__ import annotations

import os
import random
from collections import defaultdict
from collections.abc import Hashable, Sequence

import pytest

from tests.cases.case import Case

ROWS = 3
SEED = "PULLBACK_ROW_SEED"


def add_option(parser: pytest.Parser) -> None:
    parser.addoption("--every-row", action="store_true", help="hold every law for every row of the case table, not for a sample")


def choose_seed() -> None:
    """Draw this run's seed, unless the environment names one; the processes of a parallel run inherit it and draw the same rows."""
    os.environ.setdefault(SEED, str(random.SystemRandom().randrange(10**6)))


def describe(config: pytest.Config) -> str:
    if _takes_every_row(config):
        return "case table: every row"
    return f"case table: {ROWS} rows of an operation for each law ({SEED}={os.environ[SEED]} draws them again, --every-row takes all)"


def sample(config: pytest.Config, items: Sequence[pytest.Item]) -> tuple[list[pytest.Item], list[pytest.Item]]:
    """The tests to run, in their order, and those left out."""
    if _takes_every_row(config):
        return list(items), []
    groups: dict[Hashable, list[pytest.Item]] = defaultdict(list)
    for item in items:
        if (key := _row_group(item)) is not None:
            groups[key].append(item)
    out = {item for key, group in groups.items() for item in _draw_out(key, group)}
    return [item for item in items if item not in out], [item for item in items if item in out]


def _takes_every_row(config: pytest.Config) -> bool:
    return bool(config.getoption("--every-row") or config.getoption("keyword") or any("::" in name for name in config.args))


def _row_group(item: pytest.Item) -> Hashable | None:
    """The law and the operation of a test of one row, with the law's other parameters; None for any other test."""
    params = item.callspec.params if isinstance(item, pytest.Function) and hasattr(item, "callspec") else {}
    case = params.get("case")
    if not isinstance(case, Case) or item.get_closest_marker("every_row"):
        return None
    if item.get_closest_marker("rows"):
        return str(item.path), item.originalname
    others = tuple(sorted((name, str(value)) for name, value in params.items() if name not in ("case", "family")))
    return str(item.path), item.originalname, others, case.op


def _draw_out(key: Hashable, group: list[pytest.Item]) -> list[pytest.Item]:
    """The rows that are not run."""
    mark = group[0].get_closest_marker("rows")
    rows = mark.args[0] if mark else ROWS
    if len(group) <= rows:
        return []
    return random.Random(f"{os.environ[SEED]} {key}").sample(group, len(group) - rows)
