"""What is read often begins at a cache line, and is an array like others in all else."""

import sys
import threading

import numpy as np
import pytest

import pullback as tf
from pullback.kernels import aligned, memory

#: `aligned` leaves arrays as NumPy makes them on systems whose C library it does not know.
IS_KNOWN = sys.platform == "linux"


def handler_of(*array: np.ndarray) -> str:
    """The name of the handler that an array's memory is of, or of NumPy's own at the moment."""
    found: str = vars(sys.modules["numpy._core.multiarray"])["get_handler_name"](*array)
    return found


@pytest.mark.parametrize("size", [5_000, 20_011, 300_000])
def test_constants_variables_and_results_of_programs_begin_at_a_line(size: int) -> None:
    given = np.arange(size, dtype=np.float32)
    x, v = tf.constant(given), tf.Variable(given)
    f = tf.function(lambda x: x * 2.0 + tf.abs(x), jit_compile=True)
    for array, expected in ((x.value, given), (v.handle.value.value, given), (f(x).value, 3 * given)):
        assert array.base is None
        assert array.ctypes.data % 64 == 0 or not IS_KNOWN
        np.testing.assert_array_equal(array, expected)


@pytest.mark.parametrize("rows", [3, 100])
def test_variables_lie_row_by_row_and_constants_as_they_are(rows: int) -> None:
    given = np.asfortranarray(np.arange(rows * 200.0).reshape(rows, 200))
    x = tf.constant(given)
    assert x.value.flags.f_contiguous
    for initial in (given, x, tf.transpose(tf.constant(given.T.copy()))):
        v = tf.Variable(initial)
        assert v.handle.value.value.flags.c_contiguous
        np.testing.assert_array_equal(v, given)


def test_numpy_is_left_as_it_was() -> None:
    before = handler_of()
    array = memory.copy_array(np.ones(10_000))
    assert (handler_of(), handler_of(array)) == (before, "pullback" if IS_KNOWN else before)
    with pytest.raises(MemoryError):
        aligned.make_aligned(lambda: np.empty(1 << 44))
    assert handler_of() == before


def test_memory_that_is_given_back_is_given_to_others() -> None:
    """Arrays of both kinds are made, grown and dropped, by threads too."""
    failed: list[int] = []

    def work() -> None:
        for size in np.random.default_rng(0).integers(1, 60_000, 300).tolist():
            array = memory.copy_array(np.full(size, size))
            array.resize(size + 1000, refcheck=False)
            if not (array[:size] == size).all() or array[size:].any():
                failed.append(size)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    work()
    assert not failed


def test_another_handler_than_numpys_is_not_built_upon() -> None:
    known = aligned._set_handler()
    assert (known is not None) == IS_KNOWN
    if known is not None:
        set_handler, another, _ = known
        before = set_handler(another)
        try:
            assert aligned._set_handler.__wrapped__() is None
        finally:
            set_handler(before)
