"""Work that threads share: in so many blocks that two, four or eight have as much to do."""

import pytest

from pullback.engine.lowering.row_tiling import _cut_rows
from pullback.engine.lowering.sharing import count_blocks


@pytest.mark.parametrize("count", range(1, 60))
@pytest.mark.parametrize("most", [1, 4, 8, 16, 32])
def test_blocks_are_shared_evenly(count: int, most: int) -> None:
    blocks = count_blocks(100 * count + 99, 100, most)
    assert blocks in (1, 2, 4) or blocks % 8 == 0
    assert min(count, most) <= blocks <= min(2 * count, most)


@pytest.mark.parametrize("count", [64, 100, 999, 1000, 30_000, 1_000_003])
@pytest.mark.parametrize("most", [8, 64, 256, 3264])
@pytest.mark.parametrize("most_tasks", [8, 21, 32])
def test_rows_are_shared_evenly(count: int, most: int, most_tasks: int) -> None:
    block, length = _cut_rows(count, most, most_tasks)
    tasks = -(-count // length)
    assert block <= most and block % 8 == 0 and length % block == 0
    assert tasks <= most_tasks
    halves = [sum(min(length, count - i * length) for i in range(start, tasks, 2)) for start in (0, 1)]
    assert max(halves) <= count / 2 * 1.07 + length / 8 + 8
