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


@pytest.mark.parametrize("count", [64, 100, 999, 1000, 1025, 30_000, 1_000_003])
@pytest.mark.parametrize("most", [8, 30, 64, 100, 256, 3264])
@pytest.mark.parametrize("most_tasks", [8, 21, 32])
def test_rows_are_cut_in_whole_blocks(count: int, most: int, most_tasks: int) -> None:
    block, length = _cut_rows(count, most, most_tasks)
    assert block <= most and block % 8 == 0 and length % block == 0
    assert -(-count // length) <= most_tasks


@pytest.mark.parametrize("count", [8, 32, 100, 1000])
@pytest.mark.parametrize("most", [1, 2, 5, 30])
def test_long_rows_are_cut_in_blocks_of_any_number(count: int, most: int) -> None:
    block, length = _cut_rows(count, most, 32, 1)
    assert 1 <= block <= most and length % block == 0
    assert -(-count // length) <= 32


EXAMPLES = [(1000, 256, 8), (1024, 256, 8), (10_000, 256, 27), (30_000, 1088, 32), (30_000, 3264, 16)]


@pytest.mark.parametrize(("count", "most", "tasks"), EXAMPLES)
def test_two_threads_have_as_much_to_do(count: int, most: int, tasks: int) -> None:
    _, length = _cut_rows(count, most, 32)
    shares = [min(length, count - start) for start in range(0, count, length)]
    assert len(shares) == tasks
    assert max(sum(shares[::2]), sum(shares[1::2])) <= 0.53 * count
