"""The OpenBLAS of our own, and the threads that share blocks of work."""

import ctypes
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from pullback.base import blas, parallel

SOURCE = Path(__file__).parents[1] / "src"
LAYOUT = [ctypes.c_int] * 3 + [ctypes.c_int64] * 3


def answer(program: str, **environment: str) -> str:
    """What `program` prints in a process of its own."""
    env = {**{k: v for k, v in os.environ.items() if not k.startswith(("OPENBLAS", "PULLBACK"))}, "PYTHONPATH": str(SOURCE), **environment}
    return subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True, env=env).stdout.strip()


def test_a_function_can_be_called_by_its_address() -> None:
    a, b, c = np.arange(6.0).reshape(2, 3), np.arange(12.0).reshape(3, 4), np.empty((2, 4))
    size, place, number = ctypes.c_int64, ctypes.c_void_p, ctypes.c_double
    dgemm = ctypes.CFUNCTYPE(None, *LAYOUT, number, place, size, place, size, number, place, size)(blas.pointer("cblas_dgemm"))
    dgemm(101, 111, 111, 2, 4, 3, 1.0, blas.address(a), 3, blas.address(b), 4, 0.0, blas.address(c), 4)
    np.testing.assert_array_equal(c, a @ b)


def test_lapack_is_there_by_both_names() -> None:
    a = np.array([[4.0, 2.0], [2.0, 5.0]])
    potrf = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int, ctypes.c_char, ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64)
    assert potrf(blas.pointer("LAPACKE_dpotrf"))(101, b"L", 2, blas.address(a), 2) == 0
    np.testing.assert_allclose(np.tril(a), [[2.0, 0.0], [1.0, 2.0]])
    for name in ("sgetrf", "dgetrf", "cgetrf", "zgetrf", "dpotrf", "dgesdd", "dsyevd", "zheevd", "dgeqrf", "dtrtrs", "dgeev"):
        assert blas.pointer(name) != blas.pointer(f"LAPACKE_{name}")


def test_an_unknown_function_is_named() -> None:
    with pytest.raises(LookupError, match="has no function cblas_nothing"):
        blas.pointer("cblas_nothing")


def test_addresses_are_those_of_the_elements() -> None:
    x = np.zeros((6, 7), np.float32)
    for view in (x, x[2:, 3:], x.T, x[::-1], np.empty(0), np.array(1.0)):
        assert blas.address(view) == view.ctypes.data


def test_importing_does_not_load_it() -> None:
    program = "import pullback, sys; print('openblas64_.so' in open('/proc/self/maps').read().replace('libs/libscipy_openblas64_-', ''))"
    if sys.platform == "linux":
        assert answer(program) == "False"


def test_numpy_keeps_its_own_copy_and_the_environment_is_as_it_was() -> None:
    program = """
import os, numpy as np
from pullback.base import blas
print(blas.library().core(), os.environ["OPENBLAS_CORETYPE"], "OPENBLAS_NUM_THREADS" in os.environ)
print(np.matmul(np.eye(200), np.eye(200)).sum())
"""
    words = answer(program, PULLBACK_BLAS="Nehalem", OPENBLAS_CORETYPE="Haswell").split() if is_x86() else []
    assert words in ([], ["Nehalem", "Haswell", "False", "200.0"])


def is_x86() -> bool:
    return os.uname().machine == "x86_64" if hasattr(os, "uname") else False


def test_without_it_the_reason_is_told() -> None:
    program = """
from pullback.base import blas
print(blas.missing())
try:
    blas.pointer("cblas_dgemm")
except LookupError as error:
    print(error)
"""
    assert answer(program, PULLBACK_BLAS="numpy").splitlines() == [
        "PULLBACK_BLAS=numpy asks for NumPy's",
        "no cblas_dgemm: PULLBACK_BLAS=numpy asks for NumPy's",
    ]
    hidden = f"import importlib.util\nimportlib.util.find_spec = lambda name: None\n{program}"
    assert answer(hidden).splitlines()[0] == "the package scipy-openblas64 is not installed"


# ---- threads


@pytest.fixture(autouse=True)
def _threads_as_before() -> Iterator[None]:
    before = parallel.threads()
    yield
    parallel.set_threads(before)


@pytest.mark.parametrize("threads", [1, 2, 3, 7])
@pytest.mark.parametrize("count", [0, 1, 2, 50])
def test_each_block_is_done_once(threads: int, count: int) -> None:
    parallel.set_threads(threads)
    done: list[int] = []
    parallel.run(done.append, count)
    assert sorted(done) == list(range(count))


def test_several_threads_take_part() -> None:
    parallel.set_threads(3)
    meeting = threading.Barrier(3, timeout=20)
    parallel.run(lambda i: meeting.wait() and None, 3)
    assert not meeting.broken


def test_what_a_block_raises_reaches_the_caller_and_the_next_work_is_done() -> None:
    parallel.set_threads(2)

    def fails(i: int) -> None:
        if i == 3:
            raise ZeroDivisionError("block 3")

    for _ in range(20):
        with pytest.raises(ZeroDivisionError, match="block 3"):
            parallel.run(fails, 4)
    done: list[int] = []
    parallel.run(done.append, 4)
    assert sorted(done) == [0, 1, 2, 3]


def test_blocks_may_have_blocks() -> None:
    parallel.set_threads(2)
    done: list[tuple[int, int]] = []
    parallel.run(lambda i: parallel.run(lambda j: done.append((i, j)), 3), 3)
    assert sorted(done) == [(i, j) for i in range(3) for j in range(3)]


def test_threads_of_the_program_do_not_wait_for_each_other() -> None:
    parallel.set_threads(2)
    done: list[int] = []

    def outer(i: int) -> None:
        other = threading.Thread(target=lambda: parallel.run(done.append, 5))
        other.start()
        other.join(20)
        assert not other.is_alive()

    parallel.run(outer, 1)
    parallel.run(outer, 2)
    assert len(done) == 15


def test_the_number_of_threads() -> None:
    assert parallel.set_threads(5) == parallel.threads() == 5
    with pytest.raises(ValueError, match="at least 0"):
        parallel.set_threads(-1)
    program = "from pullback.base import parallel; print(parallel.threads())"
    assert answer(program, PULLBACK_NUM_THREADS="3", OMP_NUM_THREADS="4") == "3"
    assert answer(program, TF_NUM_INTRAOP_THREADS="0", OMP_NUM_THREADS="4") == "4"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_process_has_threads_of_its_own() -> None:
    program = """
import os
from pullback.base import parallel
parallel.set_threads(2)
parallel.run(lambda i: None, 4)
child = os.fork()
if child == 0:
    done = []
    parallel.run(done.append, 4)
    os._exit(0 if sorted(done) == [0, 1, 2, 3] else 1)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    assert answer(program) == "0"
