"""The host: what processor code is made for, as LLVM describes it."""

from __future__ import annotations

import os
import platform
import re
from functools import cache
from typing import Any, NamedTuple

from ..llvm_loading import LLVM
from . import llvm_library
from .loaded import Loaded, NativeError, library_symbol

_X86 = ("x86_64", "amd64")


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
        return "|".join((self.triple, self.cpu, self.features, llvm_library.version()))

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


@cache
def initialize() -> None:
    """Have LLVM know this processor; before a thread holds llvmlite's lock with others, who wait for nobody.

    Raises:
        NativeError: LLVM cannot be loaded.
    """
    with LLVM:
        llvm_library.library().InitializeNativeTarget()
        llvm_library.library().InitializeNativeAsmPrinter()


@cache
def _triple() -> str:
    return llvm_library.call_for_text("GetProcessTriple")[1]


def _this_host() -> Machine:
    with LLVM:
        initialize()
        cpu, found = (llvm_library.call_for_text(f"GetHostCPU{what}")[1] for what in ("Name", "Features"))
    features = ",".join(sorted(filter(None, found.split(",")), key=lambda feature: feature[1:]))
    if platform.machine().lower() not in _X86:
        return describe(cpu, features)
    has = {*features.split(",")}.issuperset
    wide = has(("+avx512f", "+avx512bw", "+avx512dq", "+avx512vl"))
    # LLVM halves 512-bit vectors for processors on which it prefers 256 bits; the width is chosen here.
    features += ",-prefer-256-bit" if wide else ""
    bits = 512 if wide else 256 if has(("+avx2",)) else 128
    return Machine(_triple(), cpu, features, bits, has(("+fma",)), has(("+f16c",)))


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
        initialize()
        if platform.machine().lower() in _X86:
            features = ",".join(filter(None, ("+64bit,+sse2", features)))
        code = _assembly(Machine(_triple(), cpu, features, 128, False, False))
    bits = 512 if "%zmm" in code else 256 if "%ymm" in code else 128
    fused = bool(re.search(r"\b(vfmadd|fmla|fmadd)", code))
    half = not re.search(r"extendhfsf2|gnu_h2f_ieee", code)
    return Machine(_triple(), cpu, features, bits, fused, half)


def _assembly(machine: Machine) -> str:
    target = create_target_machine(machine, 1)
    try:
        with llvm_library.parse_module(_PROBE) as module:
            return llvm_library.emit(target, module, is_object=False).decode()
    finally:
        llvm_library.library().DisposeTargetMachine(target)


def create_target_machine(machine: Machine, effort: int) -> Any:
    """LLVM's code generator for a machine, for one thread at a time."""
    initialize()
    return llvm_library.create_target_machine(machine.triple, machine.cpu, machine.features, effort)


__all__ = ["Loaded", "Machine", "NativeError", "create_target_machine", "describe", "host", "initialize", "library_symbol"]
