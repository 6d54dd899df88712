"""LLVM, as llvmlite's library has it: the functions that are called here, and what is made of them.

They are declared here, because llvmlite's own declarations come with all of LLVM and with classes that write modules: importing them takes
longer than compiling a short program.  The declarations are those of the llvmlite that is named here; of another one they are compared
with its own first.
"""

from __future__ import annotations

import ctypes
import importlib
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from ctypes import POINTER, byref, c_bool, c_char_p, c_int, c_size_t, c_uint, c_void_p
from functools import cache, partial
from pathlib import Path
from typing import Any

import llvmlite

from .loaded import NativeError

_KNOWN = "0.50."
_TEXT = POINTER(c_char_p)
_LOOP_OPTIONS = ("LoopInterleaving", "LoopVectorization", "SLPVectorization", "LoopUnrolling")
_PASSES = ("IPSCCP", "AlwaysInliner", "SROA", "LoopSimplify", "LoopRotate", "InstCombine", "SimplifyCFG")
#: Of each function: its result, and its arguments.
_DECLARED: dict[str, tuple[Any, ...]] = {
    "GetVersionInfo": (c_uint,),
    "DisposeString": (None, c_char_p),
    "SetCommandLine": (None, c_char_p, c_char_p),
    "InitializeNativeTarget": (None,),
    "InitializeNativeAsmPrinter": (None,),
    "GetProcessTriple": (None, _TEXT),
    "GetHostCPUName": (None, _TEXT),
    "GetHostCPUFeatures": (c_int, _TEXT),
    "GetTargetFromTriple": (c_void_p, c_char_p, _TEXT),
    "CreateTargetMachine": (
        c_void_p, c_void_p, c_char_p, c_char_p, c_char_p, c_int, c_char_p, c_char_p, c_int, c_int, c_char_p,
    ),
    "DisposeTargetMachine": (None, c_void_p),
    "CreateTargetMachineData": (c_void_p, c_void_p),
    "CopyStringRepOfTargetData": (None, c_void_p, _TEXT),
    "DisposeTargetData": (None, c_void_p),
    "TargetMachineEmitToMemory": (c_void_p, c_void_p, c_void_p, c_int, _TEXT),
    "GetBufferStart": (c_void_p, c_void_p),
    "GetBufferSize": (c_size_t, c_void_p),
    "DisposeMemoryBuffer": (None, c_void_p),
    "ContextCreate": (c_void_p,),
    "ContextDispose": (None, c_void_p),
    "ParseAssembly": (c_void_p, c_void_p, c_char_p, _TEXT),
    "DisposeModule": (None, c_void_p),
    "GetValueName": (c_char_p, c_void_p),
    "GetLinkage": (c_int, c_void_p),
    "IsDeclaration": (c_int, c_void_p),
    "CreatePipelineTuningOptions": (c_void_p,),
    "DisposePipelineTuningOptions": (None, c_void_p),
    "CreatePassBuilder": (c_void_p, c_void_p, c_void_p),
    "DisposePassBuilder": (None, c_void_p),
    "buildPerModuleDefaultPipeline": (c_void_p, c_void_p, c_int),
    "CreateNewModulePassManager": (c_void_p,),
    "RunNewModulePassManager": (None, c_void_p, c_void_p, c_void_p),
    "DisposeNewModulePassManger": (None, c_void_p),
    **{f"Module{kind}Iter": (c_void_p, c_void_p) for kind in ("Functions", "Globals")},
    **{f"{kind}IterNext": (c_void_p, c_void_p) for kind in ("Functions", "Globals")},
    **{f"Dispose{kind}Iter": (None, c_void_p) for kind in ("Functions", "Globals")},
    **{f"PTOSet{name}": (None, c_void_p, c_bool) for name in _LOOP_OPTIONS},
    **{f"module_Add{name}Pass": (None, c_void_p) for name in _PASSES},
}  # fmt: skip


class _Library:
    """The functions by their names, each declared when it is first called."""

    def __init__(self, path: Path) -> None:
        try:
            make_loader()()
            self._handle = ctypes.CDLL(str(path))
        except OSError as error:
            raise NativeError(f"{path} cannot be loaded: {error}") from error

    def __getattr__(self, name: str) -> Any:
        result, *arguments = _DECLARED[name]
        function = self._handle[f"LLVMPY_{name}"]
        function.restype, function.argtypes = result, arguments
        setattr(self, name, function)
        return function


@cache
def _find_file() -> Path | None:
    folder = Path(llvmlite.__file__).parent / "binding"
    names = [name for name in os.listdir(folder) if "llvmlite." in name]
    return folder / min(names) if names else None


def make_loader() -> Callable[[], object]:
    """What loads the library without the interpreter's lock, which ctypes holds for the 5 to 50 ms that this one takes.

    It needs next to nothing of Python, so that it begins at once on a thread that is seldom given the lock.
    """
    path = _find_file()
    if sys.platform != "linux" or path is None:
        return lambda: None
    load = ctypes.CDLL(None).dlopen
    load.argtypes, load.restype = [c_char_p, c_int], c_void_p
    return partial(load, os.fsencode(path), os.RTLD_NOW)


@cache
def library() -> Any:
    """The functions of llvmlite's library.

    Raises:
        NativeError: it cannot be loaded, or its functions are not those that are called here.
    """
    if not llvmlite.__version__.startswith(_KNOWN) and (unlike := find_other_declarations()):
        raise NativeError(f"llvmlite {llvmlite.__version__} has other functions than are called here: {', '.join(unlike)}")
    path = _find_file()
    if path is None:
        raise NativeError(f"llvmlite {llvmlite.__version__} has no library where it is looked for")
    return _Library(path)


def find_other_declarations() -> list[str]:
    """The functions that llvmlite itself declares otherwise."""
    theirs = importlib.import_module("llvmlite.binding").ffi.lib
    return [name for name, declared in _DECLARED.items() if not _is_alike(getattr(theirs, f"LLVMPY_{name}", None), *declared)]


def _is_alike(theirs: Any, result: Any, *arguments: Any) -> bool:
    if theirs is None:
        return False
    known = theirs.argtypes
    is_same_result = result is None or ctypes.sizeof(result) == ctypes.sizeof(theirs.restype or c_int)
    return is_same_result and (known is None or list(map(ctypes.sizeof, known)) == list(map(ctypes.sizeof, arguments)))


def call_for_text(name: str, *arguments: Any) -> tuple[Any, str]:
    """What a function gives, and the text that it leaves where its last argument points."""
    llvm, said = library(), c_char_p()
    found = getattr(llvm, name)(*arguments, byref(said))
    text = said.value
    if text is None:
        return found, ""
    llvm.DisposeString(said)
    return found, text.decode()


def version() -> str:
    """LLVM's version."""
    return ".".join(map(str, library().GetVersionInfo().to_bytes(4, "big").lstrip(b"\0")))


def set_option(option: str) -> None:
    """Set an option of LLVM's command line, for the whole process."""
    library().SetCommandLine(b"pullback", option.encode())


def create_target_machine(triple: str, cpu: str, features: str, effort: int) -> Any:
    """LLVM's code generator for a processor.

    Raises:
        NativeError: there is none.
    """
    target, why = call_for_text("GetTargetFromTriple", triple.encode())
    if not target:
        raise NativeError(f"LLVM has no code generator for {triple}: {why}")
    names = [name.encode() for name in (triple, cpu, features)]
    made = library().CreateTargetMachine(target, *names, effort, b"pic", b"small", False, True, b"")
    if not made:
        raise NativeError(f"LLVM has no code generator for {cpu} with {features}")
    return made


def layout_of(target: Any) -> str:
    """How a target lays out data."""
    data = library().CreateTargetMachineData(target)
    try:
        return call_for_text("CopyStringRepOfTargetData", data)[1]
    finally:
        library().DisposeTargetData(data)


@contextmanager
def parse_module(text: str) -> Iterator[Any]:
    """The text parsed, in a context of its own: what LLVM interns for it (types, constants) goes away with it.

    Raises:
        NativeError: it is not a module.
    """
    llvm = library()
    context = llvm.ContextCreate()
    try:
        module, why = call_for_text("ParseAssembly", context, text.encode())
        if not module:
            raise NativeError(f"LLVM refuses the module: {why.strip()}")
        try:
            yield module
        finally:
            llvm.DisposeModule(module)
    finally:
        llvm.ContextDispose(context)


def names_of(module: Any) -> tuple[list[str], list[str]]:
    """The names that a module gives to others, and those that it needs."""
    llvm, external = library(), 0
    defines, needs = [], []
    for kind in ("Functions", "Globals"):
        values = getattr(llvm, f"Module{kind}Iter")(module)
        while value := getattr(llvm, f"{kind}IterNext")(values):
            name = llvm.GetValueName(value).decode()
            if not llvm.IsDeclaration(value):
                if llvm.GetLinkage(value) == external:
                    defines.append(name)
            elif not name.startswith("llvm."):
                needs.append(name)
        getattr(llvm, f"Dispose{kind}Iter")(values)
    return defines, needs


def emit(target: Any, module: Any, is_object: bool = True) -> bytes:
    """A module's object code, or its text in the assembler's language.

    Raises:
        NativeError: LLVM cannot make it.
    """
    llvm = library()
    buffer, why = call_for_text("TargetMachineEmitToMemory", target, module, is_object)
    if not buffer:
        raise NativeError(f"LLVM cannot make code of the module: {why}")
    try:
        return ctypes.string_at(llvm.GetBufferStart(buffer), llvm.GetBufferSize(buffer))
    finally:
        llvm.DisposeMemoryBuffer(buffer)


class PassBuilder:
    """What LLVM's passes are run with; vectors: whether plain loops are made ones of vectors, and unrolled."""

    def __init__(self, target: Any, vectors: bool = False) -> None:
        llvm = library()
        self._options = llvm.CreatePipelineTuningOptions()
        for name in _LOOP_OPTIONS:
            getattr(llvm, f"PTOSet{name}")(self._options, vectors)
        self.built = llvm.CreatePassBuilder(target, self._options)

    def run(self, manager: Any, module: Any) -> None:
        """Run passes on a module."""
        library().RunNewModulePassManager(manager, module, self.built)

    def close(self) -> None:
        """Free it."""
        library().DisposePassBuilder(self.built)
        library().DisposePipelineTuningOptions(self._options)


def new_pass_manager() -> Any:
    """The passes of level 1, in this order.

    Loops are turned to end with their test: instructions then leave them in the code generator, which also finds what is computed twice.
    LLVM's NewGVN is not among them: it makes wrong code of gradients of overlapping pools.
    """
    llvm = library()
    manager = llvm.CreateNewModulePassManager()
    for name in _PASSES:
        getattr(llvm, f"module_Add{name}Pass")(manager)
    return manager


def run_pipeline(target: Any, module: Any, level: int) -> None:
    """Run LLVM's own passes of a level, 2 to 4."""
    builder = PassBuilder(target, vectors=level > 3)
    manager = library().buildPerModuleDefaultPipeline(builder.built, min(level, 3))
    try:
        builder.run(manager, module)
    finally:
        library().DisposeNewModulePassManger(manager)
        builder.close()
