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

from pullback.kernels import blas, gemm, parallel
from pullback.kernels.shared_library import load_again

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
    program = """
import pullback
maps = open("/proc/self/maps").read()
print("openblas64_.so" in maps or "memfd" in maps)
"""
    if sys.platform == "linux":
        assert answer(program) == "False"


def test_numpy_keeps_its_own_copy_and_the_environment_is_as_it_was() -> None:
    program = """
import os, numpy as np
from pullback.kernels import blas
print(blas.library().core(), os.environ["OPENBLAS_CORETYPE"], "OPENBLAS_NUM_THREADS" in os.environ)
print(np.matmul(np.eye(200), np.eye(200)).sum())
"""
    words = answer(program, PULLBACK_BLAS="Nehalem", OPENBLAS_CORETYPE="Haswell").split() if is_x86() else []
    assert words in ([], ["Nehalem", "Haswell", "False", "200.0"])


def is_x86() -> bool:
    return os.uname().machine == "x86_64" if hasattr(os, "uname") else False


def test_without_it_the_reason_is_told() -> None:
    program = """
from pullback.kernels import blas
print(blas.explain_missing())
try:
    blas.pointer("cblas_dgemm")
except LookupError as error:
    print(error)
"""
    assert answer(program, PULLBACK_BLAS="numpy").splitlines() == [
        "PULLBACK_BLAS=numpy asks for NumPy's",
        "no cblas_dgemm: PULLBACK_BLAS=numpy asks for NumPy's",
    ]
    hidden = f"""import importlib.util
find = importlib.util.find_spec
importlib.util.find_spec = lambda name, *more: None if "openblas" in name else find(name, *more)
{program}"""
    empty = "from pathlib import Path\nPath.glob = lambda *_: iter(())\n"
    assert answer(empty + hidden).splitlines()[0] == (
        "NumPy brings none: pip install scipy-openblas64" if sys.platform == "linux" else "the package scipy-openblas64 is not installed"
    )


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere it is a package of its own")
def test_numpys_file_is_loaded_a_second_time() -> None:
    """With settings of its own: what is set here does not reach NumPy, and a product is the same."""
    program = """
import importlib.util
find = importlib.util.find_spec
importlib.util.find_spec = lambda name, *more: None if "openblas" in name else find(name, *more)
import numpy as np
import pullback as tf
from pullback.kernels import blas
library = blas.library()
maps = open("/proc/self/maps").read()
print(library.path.parent.name, f"memfd:{library.path.name}" in maps, f"{library.path.parent}/{library.path.name}" in maps)
a = np.random.default_rng(0).normal(size=(300, 300))
print(np.allclose(tf.linalg.matmul(a, a).numpy(), a @ a), np.allclose(tf.linalg.cholesky(a @ a.T).numpy(), np.linalg.cholesky(a @ a.T)))
"""
    assert answer(program).split() == ["numpy.libs", "True", "True", "True", "True"]


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere it is a package of its own")
@pytest.mark.parametrize("asks", [False, True])
def test_code_is_mapped_from_the_file_unless_the_linker_calls_it(asks: bool) -> None:
    program = f"""
import numpy as np
from ctypes import c_double, c_int64, c_void_p
from pullback.kernels import blas, shared_library
elf = shared_library._Elf
class Asked(elf):
    asks_its_code = {asks}
shared_library._Elf = Asked
library = blas.Library(next(blas._NUMPY.glob("libscipy_openblas64*")), None)
maps = open("/proc/self/maps").read().splitlines()
print(sum("memfd" in line for line in maps) > 0, sum("memfd" in line and " r-xp " in line for line in maps))
dot, x = getattr(library.handle, library.symbol("cblas_ddot")), np.arange(5.0)
dot.restype = c_double
print(dot(c_int64(5), c_void_p(x.ctypes.data), c_int64(1), c_void_p(x.ctypes.data), c_int64(1)))
math = next(line.split()[-1] for line in maps if "/libm.so" in line or "/libm-" in line)
print(*[elf(open(path, "rb")).asks_its_code for path in (library.path, math)])
"""
    copied, code, product, openblas, math = answer(program).split()
    assert (copied, code, product, openblas) == ("True", "1" if asks else "0", "30.0", "False")
    assert math == "True" or not is_x86()  # glibc chooses its sines by the processor


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere it is a package of its own")
def test_what_is_no_library_is_refused(tmp_path: Path) -> None:
    (tmp_path / "short").write_bytes(b"\x7fELF")
    with pytest.raises(OSError, match="not a shared library"):
        load_again(tmp_path / "short")


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
    program = "from pullback.kernels import parallel; print(parallel.threads())"
    assert answer(program, PULLBACK_NUM_THREADS="3", OMP_NUM_THREADS="4") == "3"
    assert answer(program, TF_NUM_INTRAOP_THREADS="0", OMP_NUM_THREADS="4") == "4"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_process_has_threads_of_its_own() -> None:
    program = """
import os
from pullback.kernels import parallel
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


# ---- products

SIZES = [
    (1, 1, 1),
    (3, 0, 4),
    (0, 3, 4),
    (8, 9, 10),
    (70, 64, 65),
    (1, 200, 300),
    (300, 200, 1),
    (257, 300, 129),
    (65, 4000, 3),
    (600, 64, 700),
]


def numbers(shape: tuple[int, ...], dtype: str, seed: int = 0) -> "np.ndarray[tuple[int, ...], np.dtype[np.generic]]":
    draw = np.random.default_rng(seed)
    real = draw.standard_normal(shape)
    return (real + 1j * draw.standard_normal(shape) if np.dtype(dtype).kind == "c" else real).astype(dtype)


def laid_out(x: "np.ndarray[tuple[int, ...], np.dtype[np.generic]]", way: str) -> "np.ndarray[tuple[int, ...], np.dtype[np.generic]]":
    """The same numbers, otherwise in memory."""
    if way == "columns":
        return np.asfortranarray(x)
    if way == "spread":
        wide = np.zeros((2 * x.shape[0], 3 * x.shape[1]), x.dtype)
        wide[::2, ::3] = x
        return wide[::2, ::3]
    if way == "part":
        wide = np.zeros((x.shape[0] + 1, x.shape[1] + 5), x.dtype)
        wide[1:, 2:-3] = x
        return wide[1:, 2:-3]
    return x[::-1][::-1] if way == "rows" else np.ascontiguousarray(x[::-1])[::-1]


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    "ways", [("rows", "rows"), ("columns", "rows"), ("rows", "columns"), ("columns", "columns"), ("spread", "part"), ("part", "backwards")]
)
def test_a_product_is_numpys_for_any_size_and_layout(dtype: str, size: tuple[int, int, int], ways: tuple[str, str]) -> None:
    m, k, n = size
    a, b = numbers((m, k), dtype, 1), numbers((k, n), dtype, 2)
    expected = np.matmul(a.astype("complex128"), b.astype("complex128"))
    found = gemm.matmul(laid_out(a, ways[0]), laid_out(b, ways[1]))
    assert found.dtype == dtype and found.flags.c_contiguous
    np.testing.assert_allclose(found, expected, rtol=0, atol=10 * np.finfo(dtype).eps * k)


def test_stacks_of_products_are_numpys() -> None:
    shapes = [
        ((5, 70, 64), (5, 64, 65)), ((5, 70, 64), (64, 65)), ((70, 64), (5, 64, 65)), ((2, 1, 70, 64), (3, 64, 65)),
        ((2, 3, 40, 9), (1, 1, 9, 700)),
        ((3, 300, 300), (1, 300, 300)), ((2, 2, 300, 300), (2, 300, 300)), ((4000, 3, 4), (4000, 4, 5)),
        ((1, 5000, 20, 20), (20, 20)), ((0, 70, 64), (64, 65)),
        ((3, 0, 64), (3, 64, 65)), ((2, 500, 600), (2, 600, 1)), ((40, 1, 600), (1, 600, 90)),
    ]  # fmt: skip
    for one, other in shapes:
        for dtype in ("float64", "complex64"):
            a, b = numbers(one, dtype, 1), numbers(other, dtype, 2)
            for x in (a, np.ascontiguousarray(a.swapaxes(-1, -2)).swapaxes(-1, -2)):
                np.testing.assert_allclose(gemm.multiply_stacks(x, b), np.matmul(a, b), rtol=0, atol=2000 * np.finfo(dtype).eps)


def test_products_of_other_dtypes_are_numpys() -> None:
    a = np.arange(70 * 70).reshape(70, 70) % 7
    for dtype in ("int32", "uint8", ">f4", "float16", "bool"):
        np.testing.assert_array_equal(gemm.matmul(a.astype(dtype), a.astype(dtype)), np.matmul(a.astype(dtype), a.astype(dtype)))


@pytest.mark.parametrize(
    "shapes",
    [
        ((512, 512), (512, 512)),
        ((700, 300), (300, 1200)),
        ((1, 3000), (3000, 1500)),
        ((3000, 2000), (2000, 1)),
        ((40, 90, 100), (40, 100, 70)),
        ((3000, 20, 20), (3000, 20, 20)),
        ((3, 300, 300), (300, 300)),
    ],
)
def test_no_bit_depends_on_the_number_of_threads(shapes: tuple[tuple[int, ...], tuple[int, ...]]) -> None:
    a, b = (numbers(shape, "float32", i) for i, shape in enumerate(shapes))
    found = []
    for threads in (1, 2, 3):
        parallel.set_threads(threads)
        found.append(gemm.multiply_stacks(a, b))
    np.testing.assert_array_equal(found[0], found[1])
    np.testing.assert_array_equal(found[0], found[2])


def test_nan_infinity_and_denormals_are_as_numpys() -> None:
    a, b = np.abs(numbers((80, 90), "float32", 1)), np.abs(numbers((90, 100), "float32", 2))
    a[3, 4], a[5, 6], b[7, 8], b[1, 2], b[2, 2] = np.nan, np.inf, -np.inf, np.inf, 0.0
    a[9] = np.float32(1e-42)
    for one, other in ((a, b), (a, b[:, 2:3]), (a[5:6], b)):
        with np.errstate(invalid="ignore"):
            expected = np.matmul(one.astype("float64"), other.astype("float64")).astype("float32")
            tall = np.concatenate([other] * 3, 1) if other.shape[1] == 1 else other
            found = gemm.matmul(np.concatenate([one] * 200), tall)[: len(one), : expected.shape[1]]
        np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-44)


def test_sizes_that_do_not_fit_are_refused() -> None:
    for a, b in (((70, 70), (71, 70)), ((3, 70, 70), (71, 70)), ((2, 70, 70), (3, 70, 70))):
        with pytest.raises(ValueError, match="mismatch"):
            gemm.multiply_stacks(np.zeros(a), np.zeros(b))


def test_without_the_library_products_are_numpys() -> None:
    program = """
import numpy as np
from pullback.kernels import gemm
x = np.eye(100)
print(gemm.matmul(x, x).sum(), gemm.multiply_stacks(np.stack([x, x]), x).sum())
"""
    assert answer(program, PULLBACK_BLAS="numpy") == "100.0 200.0"


# ---- memory


def test_freed_memory_is_kept_unless_the_environment_says_otherwise() -> None:
    program = """
import resource
from pullback.kernels import memory
import numpy as np
def faults():
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(20):
        parts = [np.ones(1 << 20) for _ in range(3)]
        del parts
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before
faults()
print(memory.reusable_bytes(), faults())
"""
    if sys.platform == "linux" and hasattr(ctypes.CDLL(None), "mallopt"):
        kept, faults = map(int, answer(program).split())
        assert kept >= 1 << 27 and faults < 2000  # 24 MB, 20 times, are 122,880 pages
        assert answer(program, PULLBACK_KEEP_MEMORY="0").split()[0] == "0"
        assert answer(program, MALLOC_TRIM_THRESHOLD_="200000").split()[0] == "0"
        assert answer(program, PULLBACK_KEEP_MEMORY="1000000").split()[0] == "1000000"


@pytest.mark.parametrize("dtype", ["int32", "int64", "uint8", "uint32"])
def test_products_of_integers_are_exact_and_wrap(dtype: str) -> None:
    draw = np.random.default_rng(0)
    for high in (100, np.iinfo(dtype).max):
        a, b = draw.integers(0, high, (70, 80)).astype(dtype), draw.integers(0, high, (80, 90)).astype(dtype)
        np.testing.assert_array_equal(gemm.matmul(a, b), np.matmul(a, b))
