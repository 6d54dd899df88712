"""Callables that lead straight into native code."""

import ctypes
import gc
import sys
import threading
import weakref
from typing import Any

import numpy as np
import pytest

import pullback as tf
from pullback.engine.runtime import codegen, entry
from pullback.ir.tensor import EagerTensor, fresh_uid

from .native_programs import AXPY, F32, ONE_OUT, TENSORS, TWO, two_arrays


@pytest.fixture
def arrays() -> tuple[np.ndarray, np.ndarray]:
    return two_arrays()


@pytest.fixture
def axpy() -> codegen.Loaded:
    return codegen.load(AXPY)


@pytest.fixture(params=["native", "ctypes"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Both ways in: the native one, and the one for interpreters whose objects are laid out otherwise."""
    if request.param == "ctypes":
        monkeypatch.setattr(entry, "_entry", lambda: None)
    elif sys.implementation.name == "cpython":
        assert entry._entry() is not None
    return str(request.param)


def make(code: codegen.Loaded, *, context: int = 0, arguments: Any = TWO, outputs: Any = ONE_OUT, **options: Any) -> entry.Call:
    return entry.callable_of(code.address("axpy"), context, arguments, outputs, keep=code, **options)


def test_arrays_go_in_and_come_out(way: str, axpy: codegen.Loaded, arrays: tuple[np.ndarray, np.ndarray]) -> None:
    expected = arrays[0] * arrays[1] + np.float32(3)
    (out,) = make(axpy)(*arrays)
    assert type(out) is np.ndarray and out.flags.owndata and out.flags.writeable and out.flags.c_contiguous
    np.testing.assert_array_equal(out, expected)
    np.testing.assert_array_equal(make(axpy, single=True)(*arrays), expected)
    np.testing.assert_array_equal(make(axpy, single=True, release_gil=True)(*arrays), expected)


def test_tensors_go_in_and_come_out(way: str, axpy: codegen.Loaded, arrays: tuple[np.ndarray, np.ndarray]) -> None:
    a, b = map(tf.constant, arrays)
    call = make(axpy, wrapper=TENSORS, single=True)
    first, second = call(a, b), call(a, arrays[1])
    assert type(first) is EagerTensor and first.uid != second.uid and first.dtype == tf.float32
    np.testing.assert_array_equal(first.numpy(), arrays[0] * arrays[1] + np.float32(3))
    np.testing.assert_array_equal(second.numpy(), first.numpy())
    assert tf.reduce_sum(first).shape == ()
    assert type(make(axpy, wrapper=TENSORS, single=True, bare=True)(a, b)) is np.ndarray


def test_without_outputs_the_answer_is_the_status(way: str, axpy: codegen.Loaded, arrays: tuple[np.ndarray, np.ndarray]) -> None:
    out = np.zeros((4, 16), F32)
    status = ctypes.c_int32(0)
    three = [*TWO, entry.Argument(F32, (4, 16), writeable=True)]
    call = make(axpy, context=ctypes.addressof(status), arguments=three, outputs=())
    assert call(*arrays, out) is None
    np.testing.assert_array_equal(out, arrays[0] * arrays[1] + np.float32(3))
    status.value = 17
    assert call(*arrays, out) == 17
    assert make(axpy, context=ctypes.addressof(status))(*arrays) == 17


def test_a_callable_is_redirected(way: str, axpy: codegen.Loaded, arrays: tuple[np.ndarray, np.ndarray]) -> None:
    call = make(axpy, single=True)
    np.testing.assert_array_equal(call(*arrays), arrays[0] * arrays[1] + np.float32(3))
    other = codegen.load(AXPY.replace("float 3.0", "float 5.0"))
    known = weakref.ref(other)
    entry.redirect(call, other.address("axpy"), other)
    del other
    gc.collect()
    assert known() is not None, "the callable keeps it"
    np.testing.assert_array_equal(call(*arrays), arrays[0] * arrays[1] + np.float32(5))


def test_other_arguments_are_refused(way: str, axpy: codegen.Loaded, arrays: tuple[np.ndarray, np.ndarray]) -> None:
    a, b = arrays
    call = make(axpy, wrapper=TENSORS)
    frozen = np.zeros((4, 16), F32)
    frozen.flags.writeable = False
    assert call(a) == -1 and call(a, b, b) == -1 and call() == -1
    for wrong in (
        1.0,
        None,
        [1.0],
        a.astype(np.float64),
        a.astype(">f4"),
        a[:3],
        a.reshape(16, 4).T,
        a.reshape(64),
        a.ravel()[0],
        np.zeros((8, 16), F32)[::2],
        np.ma.masked_array(a),
        np.frombuffer(b"\0" * 257, np.uint8)[1:].view(F32).reshape(4, 16),
        tf.Variable(a),
        tf.constant(a.astype(np.float64)),
    ):
        assert call(wrong, b) == -2, repr(wrong)
        assert call(a, wrong) == -3, repr(wrong)
    assert type(call(frozen, b)) is tuple
    written = make(axpy, arguments=[entry.Argument(F32, (4, 16), writeable=True)] * 2)
    assert written(a, frozen) == -3


def test_a_dtype_or_a_shape_may_be_left_open(way: str, axpy: codegen.Loaded, arrays: tuple[np.ndarray, np.ndarray]) -> None:
    a, b = arrays
    call = make(axpy, arguments=[entry.Argument(F32), entry.Argument(shape=(4, 16))])
    expected = a * b + np.float32(3)
    np.testing.assert_array_equal(call(a.reshape(2, 2, 16), b)[0], expected)
    np.testing.assert_array_equal(call(a, b.view(np.int32))[0], expected)
    assert call(a.view(np.int32), b) == -2 and call(a, b.reshape(64)) == -3


def test_an_output_that_is_held_is_not_written_again(way: str, axpy: codegen.Loaded, arrays: tuple[np.ndarray, np.ndarray]) -> None:
    a, b = arrays
    call = make(axpy, wrapper=TENSORS, single=True)
    held = [call(a * np.float32(k), b) for k in range(7)]
    views = [call(a * np.float32(k), b).value[1:] for k in range(7)]
    for k in range(7):
        expected = a * np.float32(k) * b + np.float32(3)
        np.testing.assert_array_equal(held[k].numpy(), expected)
        np.testing.assert_array_equal(views[k], expected[1:])


def test_memory_of_outputs_is_used_again(axpy: codegen.Loaded, arrays: tuple[np.ndarray, np.ndarray]) -> None:
    if entry._entry() is None:
        pytest.skip("outputs are kept by native callables only")
    call = make(axpy, single=True)
    places = set()
    for _ in range(20):
        result = call(*arrays)
        places.add(result.ctypes.data)
    assert len(places) == 2


def test_references_are_counted(axpy: codegen.Loaded, arrays: tuple[np.ndarray, np.ndarray]) -> None:
    counted = (arrays[0], F32, EagerTensor, fresh_uid)
    call = make(axpy, wrapper=TENSORS)
    call(*arrays)
    before = [sys.getrefcount(thing) for thing in counted]
    for _ in range(1000):
        call(*arrays)
        call(arrays[0], None)
    assert [sys.getrefcount(thing) for thing in counted] == before
    del call
    gc.collect()


def test_references_that_other_threads_hold_do_not_turn_native_callables_off(monkeypatch: pytest.MonkeyPatch) -> None:
    code, held, native = entry._entry(), list[Any](), entry._native
    if code is None:
        pytest.skip("there are native callables only where objects lie in memory as they expect")

    def hold_references(*given: Any, **options: Any) -> Any:
        call = native(*given, **options)
        return lambda value: (held.append(np.dtype(np.float64)), call(value))[1]

    monkeypatch.setattr(entry, "_native", hold_references)
    assert entry._works(code) and held


def test_a_callable_keeps_its_code_alive(arrays: tuple[np.ndarray, np.ndarray]) -> None:
    call = make(codegen.load(AXPY), single=True)
    gc.collect()
    np.testing.assert_array_equal(call(*arrays), arrays[0] * arrays[1] + np.float32(3))


SLOW = """
define i32 @slow(ptr %buffers, ptr %context) {
start:
  br label %loop
loop:
  %i = phi i64 [ 0, %start ], [ %next, %loop ]
  %old = load volatile i64, ptr %context
  %new = add i64 %old, 1
  store volatile i64 %new, ptr %context
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, 20000
  br i1 %more, label %loop, label %out
out:
  ret i32 0
}
"""


def test_a_callable_is_whole_after_its_self_was_emptied(axpy: codegen.Loaded) -> None:
    """The garbage collector empties what callables keep alive before it drops the callables, which refer to their definition until then."""
    call: Any = make(axpy)
    call.__self__.__dict__.clear()
    others = [entry._MethodDef(b"other", 0, 0x200, None) for _ in range(1000)]
    assert call.__name__ == "program"
    del call, others


def test_a_program_runs_once_at_a_time(way: str) -> None:
    memory = ctypes.c_int64(0)
    code = codegen.load(SLOW)
    call = entry.callable_of(code.address("slow"), ctypes.addressof(memory), (), release_gil=True, keep=code)
    callers = [threading.Thread(target=lambda: [call() for _ in range(50)]) for _ in range(4)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert memory.value == 4 * 50 * 20_000


def test_single_is_for_one_output(axpy: codegen.Loaded) -> None:
    with pytest.raises(ValueError, match="one output"):
        make(axpy, outputs=[*ONE_OUT, *ONE_OUT], single=True)
