"""What identifies this processor and the compiler without loading LLVM: the part of a cache's key that a second process needs at once."""

from __future__ import annotations

import importlib.util
import os
import platform
import sys
from _blake2 import blake2b
from functools import cache

import numpy as np

#: Lines of /proc/cpuinfo that change from one moment, or one core, to the next.
_CHANGING = ("cpu MHz", "bogomips", "BogoMIPS", "processor", "apicid", "initial apicid", "core id", "siblings", "cpu cores", "physical id")
_FIRST = 16384


@cache
def host_stamp() -> str | None:
    """A text that differs for processors, compilers and libraries that code could differ for; None where this system does not say."""
    try:
        with open("/proc/cpuinfo", "rb", buffering=0) as file:
            first = file.read(_FIRST).split(b"\n\n")[0].decode(errors="replace")
    except OSError:
        return None
    lines = [line for line in first.splitlines() if not line.startswith(_CHANGING)]
    facts = [platform.machine(), os.environ.get("PULLBACK_CPU", ""), sys.version, np.__version__, _version("llvmlite"), _version("scipy")]
    return blake2b("\n".join([*facts, *lines]).encode(), digest_size=32).hexdigest()


@cache
def rewriter_stamp() -> str:
    """A text that differs for versions of Python and of the package that rewrites functions."""
    return f"{sys.version} {_version('malt')}"


def _version(package: str) -> str:
    """What changes when another version of a package is installed."""
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        return ""
    file = os.stat(spec.origin)
    return f"{spec.origin} {file.st_size} {file.st_mtime_ns}"
