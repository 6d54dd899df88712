"""What is read often begins at a cache line, and is an array like others in all else."""

import sys
import threading

import numpy as np
import pytest

import pullback as tf
from pullback.kernels import aligned, memory

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="memory is aligned where the C library is known to do it")
SIZES = [5_000, 20_011, 300_000]


def begins_at_a_line(array: np.ndarray) -> bool:
    return array.ctypes.data % 64 == 0 and array.base is None and array.flags.owndata


@pytest.mark.parametrize("size", SIZES)
def test_constants_variables_and_results_of_programs_begin_at_a_line(size: int) -> None:
    given = np.arange(size, dtype=np.float32)
    kept = [given[:7].copy() for _ in range(5)]  # whatever lies between
    x, v = tf.constant(given), tf.Variable(given)
    f = tf.function(lambda x: x * 2.0 + tf.abs(x), jit_compile=True)
    for array, expected in ((x.value, given), (v.handle.value.value, given), (f(x).value, 3 * given)):
        assert begins_at_a_line(array), len(kept)
        np.testing.assert_array_equal(array, expected)


def test_numpy_is_left_as_it_was() -> None:
    name = np._core.multiarray.get_handler_name  # type: ignore[attr-defined]
    before = name()
    array = memory.copy_array(np.ones(10_000))
    assert (name(), name(array)) == (before, "pullback")
    with pytest.raises(MemoryError):
        aligned.make_aligned(np.empty, 1 << 44)
    assert name() == before


def test_memory_that_is_given_back_is_given_to_others() -> None:
    """Arrays of both kinds are made, grown and dropped, by threads too."""

    def work() -> None:
        for size in np.random.default_rng(0).integers(1, 60_000, 300).tolist():
            array = memory.copy_array(np.full(size, size))
            array.resize(size + 1000, refcheck=False)
            assert (array[:size] == size).all()
            assert not array[size:].any()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    work()


def test_another_handler_of_numpy_is_not_taken_for_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(aligned, "_set_handler", lambda: None)
    assert (memory.copy_array(np.ones(10_000)) == 1).all()
