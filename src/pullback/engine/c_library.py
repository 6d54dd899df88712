"""Functions as shared libraries with a header for C: the engine's own code, and what it needs of it, without Python.

What is written for a folder `model`: `libmodel.so`, `model.h`, `signature.json`, and OpenBLAS where large products or factorisations
call it.  Our code is compiled here, as for ourselves but that nothing asks for Ctrl-C; the C around it (`c_library.c`), which has the
constants, the memory of a call and the threads, by the system's compiler, which also links.
"""

from __future__ import annotations

import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..ir.tensor import SymbolicTensor
from ..kernels import blas
from .exported import Exported
from .lowering.builder import Unsupported
from .program import Program
from .runtime import routines, threads, threads_code
from .runtime.codegen import compile_object
from .runtime.layout import FIRST_ROOM, Layout
from .runtime.loaded import ROUTINES, ObjectCode

_HERE = Path(__file__).parent
#: What C calls the elements of arrays: those of complex numbers are pairs, those of short floats their bits.
_C_TYPES = {
    "bool": "bool", "float32": "float", "float64": "double", "complex64": "float", "complex128": "double", "float16": "uint16_t",
    "bfloat16": "uint16_t",
} | {f"{sign}int{bits}": f"{sign}int{bits}_t" for sign in ("", "u") for bits in (8, 16, 32, 64)}  # fmt: skip
_ALIGNMENT = 64
#: Words that C, C++ or the library itself has, and that no argument can be called.
_RESERVED = frozenset(
    re.findall(
        r"\w+",
        """
        alignas alignof and asm auto bool break buffers case catch char class const constexpr context continue decltype default
        delete do double else enum explicit export extern false float for friend goto if inline int long mutable namespace new
        noexcept not nullptr operator or private protected public register restrict return short signed sizeof static status
        struct switch template this throw true try typedef typeid typename union unsigned using virtual void volatile while xor
        """,
    )
)


class SharedLibrary(Program):
    """A program that is a library's: its code is written, not loaded."""

    def _compile(self) -> Mapping[int, Callable[..., Sequence[Any]]]:
        self._emit_module(stops=False)
        return {}

    def write_files(self, name: str, names: Sequence[str], held: Mapping[int, np.ndarray], openblas: bool) -> Exported:
        """The library in files.

        name: what it is called.  names: of the arguments.  held: the values of inputs that are none, by tensor.
        openblas: whether it may call OpenBLAS.
        """
        name = _identifier(name, set())
        arguments = [t for t in self.spec.inputs if t.uid not in held]
        results = [t for t in self.spec.outputs if t is not None]
        taken: set[str] = set()
        given = [_identifier(n, taken) for n in names]
        outs = [_identifier("result" if len(results) == 1 else f"result{i}", taken) for i in range(len(results))]
        known = {t.uid: t.node.attrs["value"] for t in results if t.node.primitive.name == "Const"} | dict(held)
        call = _Call(dict(zip([t.uid for t in arguments], given, strict=True)), known)
        objects: list[ObjectCode] = []
        if 0 in self.layouts:
            stage = self._stages[0]
            call.run(self.layouts[0], stage.given, stage.gives, {t.uid: out for t, out in zip(results, outs, strict=True)})
            objects = [*_objects(self.text, openblas)]
        for t, out in zip(results, outs, strict=True):
            call.copy(t, out)
        described = [*zip(given, arguments, strict=True), *zip(outs, results, strict=True)]
        parameters = [f"{'const ' if n in given else ''}{_c_type(t)} *{n}" for n, t in described]
        words = call.words | {
            "NAME": name,
            "PARAMETERS": ", ".join([f"{name} *context", *parameters]),
            "ARRAYS": "".join(f"   {n}: {t.dtype.name} {list(t.dims or ())}\n" for n, t in described),
        }
        library, others = _link(name, objects, words, call.constants, openblas)
        said = [{"name": n, "shape": t.dims, "dtype": t.dtype.name} for n, t in described]
        files = {f"lib{name}.so": library, f"{name}.h": _fill_template("c_library.h", words).encode(), **others}
        return Exported(files, {"inputs": said[: len(given)], "outputs": said[len(given) :]})


class _Call:
    """The C of a call: what is put in its table and its buffers, and what is copied.

    names: of the arguments, by tensor; known: the values of tensors that are no arguments.
    """

    def __init__(self, names: Mapping[int, str], known: Mapping[int, Any]) -> None:
        self._names, self._known = names, known
        self._parts: list[bytes] = []
        self._filled: dict[int, str] = {}
        self._setup: list[str] = []
        self._cleanup: list[str] = []
        self._lines: list[str] = []
        self._words, self._arena, self._declared = 1, 1, ""

    def run(self, layout: Layout, given: Sequence[int], gives: Sequence[int], outs: Mapping[int, str]) -> None:
        """Run a segment for inputs and results, which are tensors; outs: the names of the call's results, by tensor."""
        first = 1 + len(layout.constants)
        self._words, self._arena = first + layout.words, layout.arena
        self._declared = f"int {layout.name}(void **buffers, uint64_t *table);"
        self._setup += [f"context->table[{i}] = (uint64_t)({self._constant(c)});" for i, c in enumerate(layout.constants, 1)]
        for word, kind in layout.stacks:
            at = first + word
            self._cleanup.append(f"free((void *)context->table[{at}]);")
            if kind is not None:
                size = FIRST_ROOM * max(math.prod(kind[0]) * kind[1].itemsize, 1)
                self._setup.append(f"if (!(context->table[{at}] = (uint64_t)malloc({size}))) goto failed;")
                self._setup.append(f"context->table[{at + 1}] = {FIRST_ROOM};")
        self._filled = {uid: outs[uid] for uid in gives}
        buffers = ", ".join([f"(void *)({self._source(uid)})" for uid in (*given, *gives)])
        self._lines += [f"void *buffers[] = {{{buffers}}};", f"status = {layout.name}(buffers, context->table);"]

    def copy(self, t: SymbolicTensor, out: str) -> None:
        """Put a tensor in a result, unless that is where it was computed."""
        source = self._source(t.uid)
        if source != out:
            self._lines.append(f"memcpy({out}, {source}, {math.prod(n or 0 for n in t.dims or ()) * t.dtype.size});")

    def _source(self, uid: int) -> str:
        return self._filled.get(uid) or self._names.get(uid) or self._constant(self._known[uid])

    def _constant(self, value: Any) -> str:
        at = sum(map(len, self._parts))
        part = np.ascontiguousarray(value).tobytes()
        self._parts.append(part + bytes(-len(part) % _ALIGNMENT))
        return f"(pb_constants + {at})"

    @property
    def constants(self) -> bytes:
        """The constants, one after the other."""
        return b"".join(self._parts) or bytes(_ALIGNMENT)

    @property
    def words(self) -> dict[str, str]:
        """What `c_library.c` says of it."""
        return {
            "WORDS": str(self._words),
            "ARENA": str(max(-(-self._arena // _ALIGNMENT), 1) * _ALIGNMENT),
            "SEGMENT": self._declared,
            "SETUP": "\n    ".join(self._setup),
            "CLEANUP": "\n    ".join(self._cleanup),
            "CALL": "\n    ".join(self._lines),
        }


def _identifier(name: str, taken: set[str]) -> str:
    """A name for C that is like `name` and not yet taken; it is taken then."""
    found = re.sub(r"\W", "_", name, flags=re.ASCII) or "_"
    if found[0].isdigit() or found in _RESERVED:
        found = f"_{found}"
    while found in taken:
        found += "_"
    taken.add(found)
    return found


def _c_type(t: SymbolicTensor) -> str:
    if t.dtype.name not in _C_TYPES:
        raise Unsupported(f"C has no arrays of {t.dtype.name}")
    return _C_TYPES[t.dtype.name]


def _fill_template(template: str, words: Mapping[str, str]) -> str:
    text = (_HERE / template).read_text()
    return re.sub(r"@(\w+)@", lambda match: words[match[1]], text)


def _objects(text: str, openblas: bool) -> Iterator[ObjectCode]:
    """The object code of a module and of what it calls of ours."""
    waiting, seen = [text], set[str]()
    while waiting:
        made = compile_object(_resolve_symbols(waiting.pop(), openblas))
        for needed in {*made.needs} - seen:
            if needed.startswith("pullback."):
                raise Unsupported(f"{needed.split('.')[2]} is SciPy's, which a library does not have")
            seen.add(needed)
            if needed.startswith(ROUTINES):
                waiting.append(routines.text_of(needed))
        yield made


#: `c_library.c` calls these around the engine's code, as `entry_code` does.
_FLOAT_MODE = """
define i64 @pb_take_zeros() {
  %before = call i64 @float_mode()
  %mode = call i64 @zeros_mode(i64 %before)
  call void @set_float_mode(i64 %mode)
  ret i64 %before
}
define void @pb_restore_floats(i64 %mode) {
  call void @set_float_mode(i64 %mode)
  ret void
}
"""
_OF_BLAS = re.compile(r'@"((?:cblas|LAPACKE)_\w+)"')


def _resolve_symbols(text: str, openblas: bool) -> str:
    """A module that calls the functions of OpenBLAS by the names they have in its library."""
    wanted = {*_OF_BLAS.findall(text)}
    library = blas.library()
    if openblas and wanted and library is None:
        raise Unsupported(f"there is no OpenBLAS: {blas.explain_missing()}; openblas=False does without")
    if openblas and library is not None:
        return _OF_BLAS.sub(lambda match: f'@"{library.symbol(match[1])}"', text)
    others = wanted - {"cblas_sgemm", "cblas_dgemm"}
    if others:
        raise Unsupported(f"{min(others)} is OpenBLAS's, and openblas=False does without")
    return text


def _link(
    name: str, objects: Sequence[ObjectCode], words: Mapping[str, str], constants: bytes, openblas: bool
) -> tuple[bytes, dict[str, bytes | Path]]:
    """The library, and the files that it needs beside it."""
    compiler = os.environ.get("CC", "cc")
    if sys.platform != "linux" or shutil.which(compiler) is None:
        missing = f"a C compiler, and there is no {compiler}: install one, or name it by CC" if sys.platform == "linux" else "Linux"
        raise Unsupported(f"that needs {missing}")
    library = blas.library()
    needs = {need for made in objects for need in made.needs}
    calls_library = library is not None and openblas and any(need.startswith("scipy_") for need in needs)
    others: dict[str, bytes | Path] = {}
    with tempfile.TemporaryDirectory() as temporary:
        here = Path(temporary)
        (here / "constants.bin").write_bytes(constants)
        (here / f"{name}.h").write_text(_fill_template("c_library.h", words))
        (here / "library.c").write_text(_fill_template("c_library.c", words))
        (here / "exports").write_text(f"{{ global: {name}_*; local: *; }};\n")
        pool = compile_object(threads_code.pool_text(threads.futex_call(), "declare i32 @pb_interrupted(ptr)\n" + _FLOAT_MODE))
        for i, made in enumerate([pool, *objects]):
            (here / f"{i}.o").write_bytes(made.code)
        command = [compiler, "-std=c11", "-O3", "-shared", "-fPIC", "-pthread", "-o", f"lib{name}.so", "library.c"]
        command += [f"{i}.o" for i in range(len(objects) + 1)]
        command += ["-Wl,--version-script=exports", "-Wl,--no-undefined", "-Wl,-z,noexecstack", "-lm"]
        command += ["-DFUTEX"] if threads.futex_call() else []
        command += ["-DPRODUCTS"] if any(need.startswith("cblas_") for need in needs) else []
        command += ["-march=native"] if "PULLBACK_CPU" not in os.environ else []
        command += ["-lmvec"] if any(need.startswith("_ZGV") for need in needs) else []
        if calls_library and library is not None:
            others = {path.name: path for path in library.files}
            folder = str(library.path.parent)
            command += [f"-DOPENBLAS={library.symbol('openblas_set_num_threads')}", f"-L{folder}", f"-l:{library.path.name}"]
            command += [f"-Wl,-rpath-link,{folder}", "-Wl,--disable-new-dtags,-rpath,$ORIGIN"]  # which those it needs are found by too
        run = subprocess.run(command, cwd=here, capture_output=True, text=True, check=False)
        if run.returncode:
            raise Unsupported(f"{compiler} fails:\n{run.stderr.strip()}")
        return (here / f"lib{name}.so").read_bytes(), others
