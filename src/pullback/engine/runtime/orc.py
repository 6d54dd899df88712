"""LLVM's linker (ORC): one session for the process, one library for each `Loaded`, whose code is freed with it."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from functools import cache
from typing import Any

import llvmlite.binding as llvm

from ..llvm_loading import LLVM
from .loaded import Loaded, NativeError, ObjectCode
from .machine import host


@cache
def _session() -> Any:
    # JITLink puts a library's sections side by side, so that no relocation overflows.
    machine = host()
    target = llvm.Target.from_triple(machine.triple).create_target_machine(
        cpu=machine.cpu, features=machine.features, opt=2, reloc="pic", codemodel="small", jit=True
    )
    return llvm.create_lljit_compiler(target, use_jit_link=True, suppress_errors=True)


_numbers = itertools.count()


def link(made: ObjectCode, addresses: Mapping[str, int], keep: object = None) -> Loaded:
    """Object code, linked into this process, what it needs at `addresses`.

    Raises:
        NativeError: LLVM cannot link it.
    """
    builder = llvm.JITLibraryBuilder().add_object_img(made.code)
    for name, address in addresses.items():
        builder.import_symbol(name, address)
    for name in made.defines:
        builder.export_symbol(name)
    with LLVM:
        try:
            tracker = builder.link(_session(), f"pullback.{next(_numbers)}")
        except RuntimeError as error:
            raise NativeError(f"Native code cannot be linked: {error}") from error
    return Loaded({name: int(tracker[name]) for name in made.defines}, (tracker, keep))
