"""The host, and how text in LLVM's language becomes object code.

Object code is emitted here and linked elsewhere (`linking`): the same bytes then come from the compiler or from the disk, and dropping a
`Loaded` frees its code.  Names that a module declares and does not define are given addresses when it is linked, so object code holds no
address of this process and can be kept on disk.

The pipeline hands constants on to the functions called with them, inlines what is marked so as long as little code comes of it, and
simplifies: the text that comes in has explicit vectors, and neither vectorisers nor unrolling would gain anything.  The code generator
works at its level 1, whose code is that of level 2 without a second scheduling of instructions: that takes a third of the time for long
blocks, and processors that run instructions out of order gain nothing by it.
"""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from functools import cache
from typing import Any, NamedTuple

import llvmlite.binding as llvm

from ..background import interruptibly
from ..llvm_loading import LLVM
from .linking import link
from .loaded import Loaded, NativeError, ObjectCode, library_symbol

_X86 = ("x86_64", "amd64")
_GROWTH = 1500


class Machine(NamedTuple):
    """A kind of processor that code is made for.

    triple: LLVM's name of the platform.  cpu, features: as LLVM spells them.
    vector_bits: the width of the vector registers to use, 128, 256 or 512.
    fma: whether there is a fused multiply-add.  half: whether float16 is converted in hardware.
    """

    triple: str
    cpu: str
    features: str
    vector_bits: int
    fma: bool
    half: bool

    @property
    def key(self) -> str:
        """What object code made for this machine depends on."""
        return "|".join((self.triple, self.cpu, self.features, ".".join(map(str, llvm.llvm_version_info))))

    def lanes(self, item_bytes: int) -> int:
        """How many items of so many bytes fill a vector register."""
        return max(1, self.vector_bits // (8 * item_bytes))


@cache
def host() -> Machine:
    """The processor of this process, or the one that the environment's PULLBACK_CPU names ("x86-64-v2", "haswell -fma").

    Naming a processor that can do more than this one makes programs that the system kills.

    Raises:
        NativeError: LLVM has no code generator for this platform.
    """
    named = os.environ.get("PULLBACK_CPU", "").split()
    return describe(named[0], ",".join(named[1:])) if named else _this_host()


def _initialize() -> None:
    try:
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
    except RuntimeError as error:
        raise NativeError(f"LLVM has no code generator for {platform.machine()}: {error}") from error


def _this_host() -> Machine:
    with LLVM:
        _initialize()
        cpu, found = llvm.get_host_cpu_name(), llvm.get_host_cpu_features()
    if platform.machine().lower() not in _X86:
        return describe(cpu, found.flatten())
    wide = all(found.get(name) for name in ("avx512f", "avx512bw", "avx512dq", "avx512vl"))
    # LLVM halves 512-bit vectors for processors on which it prefers 256 bits; the width is chosen here.
    features = found.flatten() + (",-prefer-256-bit" if wide else "")
    bits = 512 if wide else 256 if found.get("avx2") else 128
    return Machine(llvm.get_process_triple(), cpu, features, bits, bool(found.get("fma")), bool(found.get("f16c")))


_PROBE = """
define <16 x float> @probe(<16 x float> %a, <16 x float> %b, <16 x float> %c, <16 x half> %h) {
  %d = call <16 x float> @llvm.fma.v16f32(<16 x float> %a, <16 x float> %b, <16 x float> %c)
  %e = fpext <16 x half> %h to <16 x float>
  %f = fadd <16 x float> %d, %e
  ret <16 x float> %f
}
declare <16 x float> @llvm.fma.v16f32(<16 x float>, <16 x float>, <16 x float>)
"""


def describe(cpu: str, features: str = "") -> Machine:
    """The machine of a processor's name in LLVM's spelling, with its features changed: `describe("haswell", "-fma")`.

    What it can do is read off the code that LLVM makes for it.  A name that LLVM does not know (it says so on the standard error)
    stands for the oldest processor of this kind.
    """
    with LLVM:
        _initialize()
        if platform.machine().lower() in _X86:
            features = ",".join(filter(None, ("+64bit,+sse2", features)))
        code = _assembly(Machine(llvm.get_process_triple(), cpu, features, 128, False, False))
    bits = 512 if "%zmm" in code else 256 if "%ymm" in code else 128
    fused = bool(re.search(r"\b(vfmadd|fmla|fmadd)", code))
    half = not re.search(r"extendhfsf2|gnu_h2f_ieee", code)
    return Machine(llvm.get_process_triple(), cpu, features, bits, fused, half)


def _assembly(machine: Machine) -> str:
    with _module(_PROBE) as module:
        return str(_create(machine, 1).emit_assembly(module))


def _create(machine: Machine, effort: int) -> Any:
    target = llvm.Target.from_triple(machine.triple)
    return target.create_target_machine(cpu=machine.cpu, features=machine.features, opt=effort, reloc="pic", codemodel="small", jit=True)


def new_target_machine() -> Any:
    """LLVM's code generator for the host, for somebody who keeps it for himself."""
    _initialize()
    return _create(host(), 2)


@cache
def target_machine(machine: Machine, effort: int = 1) -> Any:
    """LLVM's code generator for a machine; use it while holding `LLVM`."""
    _initialize()
    return _create(machine, effort)


@contextmanager
def _module(text: str) -> Iterator[Any]:
    """The text parsed, in a context of its own: what LLVM interns for it (types, constants) goes away with it."""
    context = llvm.create_context()
    try:
        module = llvm.parse_assembly(text, context)
    except RuntimeError as error:
        raise NativeError(f"LLVM refuses the module: {str(error).strip()}") from error
    try:
        yield module
    finally:
        module.close()
        context.close()


#: Level 1, in this order.  Loops are turned to end with their test: instructions then leave them in the code generator, which also finds
#: what is computed twice.  LLVM's NewGVN is not among them: it makes wrong code of gradients of overlapping pools.
_PASSES = ("ipsccp", "always_inliner", "sroa", "loop_simplify", "loop_rotate", "instruction_combine", "simplify_cfg")
#: How many runs a builder of passes serves: it leaves 1.5 kB behind that nothing gives back, and each of its runs makes the next slower.
_RUNS = 16


class _Simplifier:
    """The passes of level 1, made once: what LLVM makes for each manager of passes and each builder is never given back."""

    def __init__(self) -> None:
        self._manager = llvm.create_new_module_pass_manager()
        for name in _PASSES:
            getattr(self._manager, f"add_{name}_pass")()
        self._builder: Any = None
        self._left = 0

    def run(self, module: Any, target: Any) -> None:
        """Simplify a module; whoever calls holds `LLVM`."""
        if not self._left:
            self._builder, self._left = llvm.create_pass_builder(target, _options(1)), _RUNS
        self._left -= 1
        self._manager.run(module, self._builder)


@cache
def _simplifier() -> _Simplifier:
    return _Simplifier()


def _options(level: int) -> Any:
    options = llvm.create_pipeline_tuning_options(speed_level=min(level, 3))
    options.loop_vectorization = options.slp_vectorization = options.loop_unrolling = options.loop_interleaving = level > 3
    return options


def _simplify(module: Any, target: Any, level: int) -> None:
    if level == 1:
        _simplifier().run(module, target)
    elif level > 1:
        builder = llvm.create_pass_builder(target, _options(level))
        builder.getModulePassManager().run(module, builder)


@contextmanager
def plain_addresses(level: int) -> Iterator[None]:
    """At level 1 the code generator leaves addresses as they are written: looking for cheaper ones takes a third of its time.

    LLVM has this as an option of the process, so it is set back for others who use it, and llvmlite's lock keeps them out meanwhile.
    """
    if level > 1:
        yield
        return
    with getattr(llvm.ffi.lib, "_lock", nullcontext()):
        llvm.set_option("pullback", "-disable-lsr")
        try:
            yield
        finally:
            llvm.set_option("pullback", "-disable-lsr=false")


_INLINED = re.compile(r'^define [^\n]*@"?([\w.]+)"?\([^\n]*\balwaysinline\b[^{]*\{(.*?)^\}', re.MULTILINE | re.DOTALL)


def _within_budget(text: str) -> str:
    """The text, with functions to be inlined that are called in so many places that it would grow by more than `_GROWTH` lines made calls.

    The smallest growth is granted first.  Code generation takes 50 us a line, so that a program of hundreds of sines and tangents would
    take a second, and gain 15 percent.
    """
    found = [(match.group(2).count("\n") * _uses(text, match.group(1)), match) for match in _INLINED.finditer(text)]
    left = _GROWTH
    for growth, match in sorted(found, key=lambda pair: pair[0]):
        left -= growth
        if left < 0:
            head = text[match.start() : match.start(2)]
            text = text.replace(head, head.replace("alwaysinline", "noinline"), 1)
    return text


def _uses(text: str, name: str) -> int:
    return text.count(f'@"{name}"(') + text.count(f"@{name}(") - 1


def _laid_out(text: str, target: Any) -> str:
    """The text with the target's layout of data: without it, LLVM takes a layout with other alignments."""
    layout = f'target datalayout = "{target.target_data}"\n'
    given = re.search(r'^target datalayout = "(.*)"\n', text, re.MULTILINE)
    if given is None:
        return layout + text
    return text if given.group(1) else text[: given.start()] + layout + text[given.end() :]


def compile_object(text: str, machine: Machine | None = None, level: int = 1, meanwhile: Callable[[], None] | None = None) -> ObjectCode:
    """Object code of a module in LLVM's language.

    Args:
        machine: what it is made for; the host when None.
        level: 0 leaves the module as it is, 1 simplifies each function, 2 and 3 the module as a whole, 4 makes vectors of plain loops too.
        meanwhile: what to do while LLVM works.

    Raises:
        NativeError: the text is not a module that LLVM accepts.
    """
    return interruptibly(lambda: _object_of(text, machine or host(), level), meanwhile)


def _object_of(text: str, machine: Machine, level: int) -> ObjectCode:
    target = target_machine(machine, min(level, 1))
    with LLVM, _module(_laid_out(_within_budget(text), target)) as module:
        _simplify(module, target, level)
        functions = list(module.functions)
        defines = [f.name for f in functions if not f.is_declaration and f.linkage.name == "external"]
        needs = [f.name for f in functions if f.is_declaration and not f.name.startswith("llvm.")]
        for variable in module.global_variables:
            if variable.is_declaration:
                needs.append(variable.name)
            elif variable.linkage.name == "external":
                defines.append(variable.name)
        with plain_addresses(level):
            return ObjectCode(target.emit_object(module), tuple(defines), tuple(needs))


def load(text: str, symbols: Mapping[str, int] | None = None, machine: Machine | None = None, level: int = 1, keep: Any = None) -> Loaded:
    """A module in LLVM's language, compiled and linked; arguments as `compile_object` and `link` have them.

    >>> import ctypes
    >>> code = load("define i32 @twice(i32 %x) { %y = add i32 %x, %x ret i32 %y }")
    >>> code.function("twice", ctypes.c_int, ctypes.c_int)(21)
    42
    """
    return link(compile_object(text, machine, level), symbols, keep)


__all__ = [
    "Loaded",
    "Machine",
    "NativeError",
    "ObjectCode",
    "compile_object",
    "describe",
    "host",
    "library_symbol",
    "link",
    "load",
    "new_target_machine",
    "plain_addresses",
    "target_machine",
]
