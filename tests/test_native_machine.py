"""The host, and code that is loaded into memory."""

import ctypes
import textwrap
import threading
from pathlib import Path

import llvmlite.binding as llvm
import numpy as np
import pytest

from pullback.engine.runtime import codegen, entry, llvm_library, machine

from .native_programs import AXPY, ONE_OUT, TWO, X86, run, two_arrays
from .programs import python


@pytest.fixture
def arrays() -> tuple[np.ndarray, np.ndarray]:
    return two_arrays()


def test_code_is_loaded_and_called() -> None:
    code = codegen.load("@seven = global i32 7\ndefine double @half(double %x) { %y = fdiv double %x, 2.0 ret double %y }")
    assert code.function("half", ctypes.c_double, ctypes.c_double)(3.0) == 1.5
    assert ctypes.c_int32.from_address(code.address("seven")).value == 7


def test_symbols_are_given_or_found_in_the_c_library() -> None:
    text = """
    declare double @logb(double)
    declare i32 @ours(i32)
    define double @f(double %x) { %y = call double @logb(double %x) ret double %y }
    define i32 @g(i32 %x) { %y = call i32 @ours(i32 %x) ret i32 %y }
    """
    ours = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_int32)(lambda x: x + 40)
    code = codegen.load(text, {"ours": ctypes.cast(ours, ctypes.c_void_p).value or 0})
    assert code.function("f", ctypes.c_double, ctypes.c_double)(8.0) == 3.0
    assert code.function("g", ctypes.c_int32, ctypes.c_int32)(2) == 42


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nonsense", "LLVM refuses the module"),
        ("define i32 @f() { ret i64 0 }", "LLVM refuses the module"),
        ("declare i32 @nowhere_to_be_found()\ndefine i32 @f() { %x = call i32 @nowhere_to_be_found() ret i32 %x }", "nowhere_to_be_found"),
    ],
)
def test_what_cannot_be_loaded_says_why(text: str, message: str) -> None:
    with pytest.raises(machine.NativeError, match=message):
        codegen.load(text)


@pytest.mark.parametrize("level", [0, 1, 2])
def test_every_level_of_simplification_gives_the_same(level: int, arrays: tuple[np.ndarray, np.ndarray]) -> None:
    code = codegen.load(AXPY, level=level)
    out = entry.callable_of(code.address("axpy"), 0, TWO, ONE_OUT, single=True, keep=code)(*arrays)
    np.testing.assert_array_equal(out, arrays[0] * arrays[1] + np.float32(3))


def test_small_functions_are_inlined_when_asked() -> None:
    text = "define i32 @one() alwaysinline { ret i32 1 }\ndefine i32 @two() { %x = call i32 @one() %y = add i32 %x, %x ret i32 %y }"
    assert codegen.load(text).function("two", ctypes.c_int32)() == 2


COLLATZ = """
define internal i32 @collatz(i32 %n) alwaysinline {
  %half = lshr i32 %n, 1
  %three = mul i32 %n, 3
  %up = add i32 %three, 1
  %odd = trunc i32 %n to i1
  %next = select i1 %odd, i32 %up, i32 %half
  ret i32 %next
}
"""


@pytest.mark.parametrize(("calls", "most_bytes"), [(10, 2_000), (2000, 40_000)])
def test_functions_are_inlined_as_long_as_little_code_comes_of_it(calls: int, most_bytes: int) -> None:
    steps = "".join(f"  %x{i + 1} = call i32 @collatz(i32 %x{i})\n" for i in range(calls))
    made = codegen.compile_object(f"{COLLATZ}define i32 @f(i32 %x0) {{\n{steps}  ret i32 %x{calls}\n}}\n")
    expected = 27
    for _ in range(calls):
        expected = 3 * expected + 1 if expected % 2 else expected // 2
    assert codegen.link(made).function("f", ctypes.c_int32, ctypes.c_int32)(27) == expected
    assert len(made.code) < most_bytes


ROWS = """
define void @clear(ptr %p, i64 %n, i64 %row) {
entry:
  br label %head
head:
  %i = phi i64 [0, %entry], [%next, %body]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %after
body:
  %at = mul i64 %i, %row
  %where = getelementptr double, ptr %p, i64 %at
  store double 0.0, ptr %where
  %next = add i64 %i, 1
  br label %head
after:
  ret void
}
"""


def test_others_in_the_process_get_the_code_generator_as_it_was() -> None:
    target = llvm.Target.from_triple(llvm.get_process_triple()).create_target_machine(opt=2)

    def assembly() -> str:
        return target.emit_assembly(llvm.parse_assembly(ROWS))

    before = assembly()
    codegen.compile_object(ROWS)
    assert assembly() == before
    with codegen.plain_addresses(1):
        assert assembly() != before, "the option does nothing"
        found: list[str] = []
        other = threading.Thread(target=lambda: found.append(assembly()))
        other.start()
        other.join(0.5)
    other.join()
    assert found == [before], "another thread waits, and gets what it would get without us"
    assert assembly() == before


def test_functions_of_llvm_are_called_as_llvmlite_declares_them() -> None:
    assert llvm_library.find_other_declarations() == []


def test_another_llvmlite_with_other_functions_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(llvm_library, "_KNOWN", "none")
    assert llvm_library.library.__wrapped__().GetVersionInfo(), "one with the same functions will do"
    monkeypatch.setitem(llvm_library._DECLARED, "GetBufferSize", (ctypes.c_size_t, ctypes.c_void_p, ctypes.c_int))
    with pytest.raises(machine.NativeError, match=r"llvmlite .* has other functions than are called here: GetBufferSize"):
        llvm_library.library.__wrapped__()


def test_threads_may_compile_at_once() -> None:
    results: list[int] = []

    def compile_one(n: int) -> None:
        for k in range(5):
            text = f"define i32 @f() {{ ret i32 {100 * n + k} }}"
            results.append(codegen.load(text).function("f", ctypes.c_int32)() - 100 * n - k)

    workers = [threading.Thread(target=compile_one, args=(n,)) for n in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert results == [0] * 20


def test_the_host_is_described() -> None:
    host = machine.host()
    assert host.vector_bits in (128, 256, 512)
    assert host.lanes(4) == host.vector_bits // 32 and host.lanes(1 << 20) == 1


@pytest.mark.skipif(not X86, reason="names processors of the x86-64 kind")
@pytest.mark.parametrize(
    ("cpu", "features", "bits", "fma"),
    [
        ("x86-64", "", 128, False),
        ("x86-64-v2", "", 128, False),
        ("haswell", "", 256, True),
        ("haswell", "-fma", 256, False),
        ("x86-64-v4", "", 512, True),
    ],
)
def test_processors_are_described(cpu: str, features: str, bits: int, fma: bool) -> None:
    found = machine.describe(cpu, features)
    assert (found.vector_bits, found.fma) == (bits, fma)


@pytest.mark.skipif(not X86, reason="names processors of the x86-64 kind")
@pytest.mark.parametrize("cpu", ["x86-64", "x86-64-v2", "x86-64-v3"])
def test_code_for_an_older_processor_gives_the_same(cpu: str, arrays: tuple[np.ndarray, np.ndarray]) -> None:
    older = machine.describe(cpu)
    if older.vector_bits > machine.host().vector_bits:
        pytest.skip("this processor cannot run it")
    code = codegen.load(AXPY, machine=older)
    out = entry.callable_of(code.address("axpy"), 0, TWO, ONE_OUT, single=True, keep=code)(*arrays)
    np.testing.assert_array_equal(out, arrays[0] * arrays[1] + np.float32(3))


TRAIN = """
    import numpy as np, pullback as tf
    w = tf.Variable(np.linspace(-1, 1, 12).reshape(3, 4).astype("f"))
    @tf.function
    def step(x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.tanh(x @ w) * tf.exp(-x @ w))
        gradient = tape.gradient(loss, w)
        w.assign_sub(0.1 * gradient)
        return loss, gradient
    for _ in range(3):
        loss, gradient = step(tf.constant(np.linspace(0, 1, 15).reshape(5, 3).astype("f")))
    print("pullback.engine.program" in __import__("sys").modules, *np.append(gradient.numpy(), loss.numpy()))
"""
NO_LLVM = "import sys; sys.modules['llvmlite'] = sys.modules['llvmlite.binding'] = None\n"


def trained(program: str = TRAIN, **environment: str) -> tuple[bool, np.ndarray]:
    """Whether training ran natively, and its last gradient and loss."""
    native, *values = run(program, **environment).split()
    return native == "True", np.array(values, float)


@pytest.mark.skipif(not X86, reason="names processors of the x86-64 kind")
@pytest.mark.parametrize("cpu", ["x86-64-v2", "haswell"])
def test_functions_run_on_an_older_processor(cpu: str) -> None:
    native, found = trained(PULLBACK_CPU=cpu, PULLBACK_JIT="1")
    executor, expected = trained(PULLBACK_JIT="0")
    assert native and not executor
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5)


def test_functions_run_without_llvm() -> None:
    native, found = trained(NO_LLVM + textwrap.dedent(TRAIN), PULLBACK_JIT="1")
    assert not native
    np.testing.assert_array_equal(found, trained(PULLBACK_JIT="0")[1])


PROGRAMS = """
import gc
import pullback as tf

def resident():
    gc.collect()
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * 4096

def compile_one(k):
    x = tf.constant([1.0, 2.0, 3.0, 4.0])
    tf.function(lambda x: tf.reduce_sum(tf.tanh(x) * (1.0 + k / 256) + tf.sin(x)), jit_compile=True)(x)

left = []
for block in range(8):
    before = resident()
    for k in range(40 * block, 40 * block + 40):
        compile_one(k)
    left.append((resident() - before) // 40)
print(sorted(left)[4])
"""


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the system does not say how much memory a process has")
def test_compiled_and_dropped_programs_leave_next_to_nothing() -> None:
    """LLVM's pass managers are never given back; made for each program they took 128 kB.

    What is loaded once, whenever that may be, is in one block of programs; what each program leaves is in every block.
    """
    done = python("-c", PROGRAMS, PULLBACK_CACHE="0")
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) < 4_000
