"""Object code laid out and linked by ourselves: its words, its memory, and what the system refuses."""

import ctypes
import gc
from typing import Any

import pytest

import pullback as tf
from pullback.engine.runtime import codegen, linking, objects
from pullback.engine.runtime.loaded import Image, NativeError

from .native_kit import needs_layout

pytest.importorskip("llvmlite")
pytestmark = needs_layout

#: It reads a table of addresses, writes a variable, and calls a function elsewhere.
TEXT = """
@count = global i32 7
@table = constant [2 x ptr] [ptr @count, ptr @f]
declare i32 @elsewhere(i32)
define i32 @f() {
  %place = load ptr, ptr @table
  %before = load i32, ptr %place
  %after = add i32 %before, 1
  store i32 %after, ptr %place
  %answer = call i32 @elsewhere(i32 %after)
  ret i32 %answer
}
"""
DOUBLED = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_int32)(lambda x: 2 * x)
ADDRESSES = {"elsewhere": ctypes.cast(DOUBLED, ctypes.c_void_p).value or 0}


class Library:
    """The C library, with some functions that are not its own."""

    def __init__(self, **functions: Any) -> None:
        self.__dict__.update(functions)
        self.real = linking._c_library.__wrapped__()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.real, name)


@pytest.fixture
def freed(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """The pieces of memory that were given back."""
    pieces: list[tuple[int, int]] = []
    library = Library()
    library.munmap = lambda base, size: pieces.append((base, size)) or library.real.munmap(base, size)
    monkeypatch.setattr(linking, "_c_library", lambda: library)
    return pieces


def compiled() -> Image:
    image = linking.lay_out(codegen.compile_object(TEXT, level=0))
    assert isinstance(image, Image)
    return image


def test_an_image_runs_where_it_is_put_and_as_often() -> None:
    image = compiled()
    assert image.needs == ("elsewhere",)
    assert {name for _, name, _ in image.words} == {"", "elsewhere"}
    first, second = (linking.link(image, ADDRESSES).function("f", ctypes.c_int32) for _ in range(2))
    assert [first(), first(), second()] == [16, 18, 16], "each has its own data"


def test_an_image_comes_back_from_its_bytes() -> None:
    image = compiled()
    ((again,), _) = objects.unpack(objects.pack((image,)))
    assert vars(again) == vars(image)
    made = codegen.compile_object(TEXT, level=0)
    ((unlike,), _) = objects.unpack(objects.pack((made,)))
    assert type(unlike) is type(made) and vars(unlike) == vars(made), "object code that is for LLVM's linker too"


def test_memory_is_given_back_with_the_last_who_holds_it(freed: list[tuple[int, int]]) -> None:
    image = compiled()
    code = linking.link(image, ADDRESSES)
    call = code.function("f", ctypes.c_int32)
    at = code.address("f")
    del code
    gc.collect()
    assert call() == 16 and not freed
    del call
    gc.collect()
    ((base, size),) = freed
    assert base <= at < base + size == base + image.size


@pytest.mark.parametrize(
    ("function", "answer", "match"), [("mmap", linking._FAILED, "gives no"), ("mprotect", -1, "lets no code be run")]
)
def test_a_system_without_memory_for_code_says_so(function: str, answer: int, match: str, monkeypatch: pytest.MonkeyPatch) -> None:
    library = Library(**{function: lambda *_: answer})
    monkeypatch.setattr(linking, "_c_library", lambda: library)
    with pytest.raises(NativeError, match=match):
        linking.link(compiled(), ADDRESSES)


def test_what_cannot_be_linked_stays_on_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    library = Library(mprotect=lambda *_: -1)
    monkeypatch.setattr(linking, "_c_library", lambda: library)
    f, x = tf.function(lambda x: tf.sin(x) * x + 0.4271, jit_compile=True), tf.constant([0.0, 0.0])
    assert f(x).numpy().tolist() == pytest.approx([0.4271, 0.4271])
    assert "lets no code be run" in str(f.explain(x))
