"""Loops written in Python, compiled and callable: arrays are checked and passed by their addresses."""

from __future__ import annotations

import ast
import ctypes
import inspect
import textwrap
from collections.abc import Callable
from typing import Any

import numpy as np

from ...base import blas
from ...base.byte_loops import Loop
from .byte_loops import signature_of, text_of
from .host.loaded import NativeError
from .host.objects import load_cached, load_named

_ITEMS = {
    "Bytes": "uint8",
    "Bools": "bool",
    "Ints32": "int32",
    "Ints": "int64",
    "Words": "uint64",
    "Floats32": "float32",
    "Floats": "float64",
}
_NUMBERS: dict[str, Any] = {"int": ctypes.c_int64, "word": ctypes.c_uint64, "float": ctypes.c_double, "bool": ctypes.c_int64}
_CALLED = ("PyBytes_FromStringAndSize", "Py_DecRef")


def _pythons(names: Any) -> dict[str, int]:
    """Addresses of the interpreter's functions."""
    return {name: ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value or 0 for name in _CALLED if name in names}


def compiled(loop: Loop) -> Callable[..., Any]:
    """A function of arrays (or addresses) and numbers.  Raises NativeError where there is no code generator."""
    function = loop.function
    if function.__module__.partition(".")[0] == "pullback":
        code = load_named(f"{function.__module__}.{loop.name}", lambda: text_of(loop), _pythons)
    else:
        code = load_cached(text_of(loop), _pythons(_CALLED))
    (tree,) = ast.parse(textwrap.dedent(inspect.getsource(function))).body
    assert isinstance(tree, ast.FunctionDef)
    signature = signature_of(tree)
    kind = ctypes.PYFUNCTYPE if loop.holds_lock else ctypes.CFUNCTYPE
    result = _NUMBERS[signature.results[0]] if signature.results else None
    call = kind(result, *[_NUMBERS.get(k, ctypes.c_void_p) for _, k in signature.parameters])(code.address(loop.name))
    scope: dict[str, Any] = {"call": call, "code": code, "address": blas.address, "ndarray": np.ndarray, "refused": _refused}
    lines, given = [], []
    for name, k in signature.parameters:
        if k in _ITEMS:
            scope[f"dtype_{name}"] = np.dtype(_ITEMS[k])
            lines += [
                f" if type({name}) is ndarray:",
                f"  if {name}.dtype is not dtype_{name} or not {name}.flags.c_contiguous: refused({name!r}, {name}, dtype_{name})",
                f"  given_{name} = address({name})",
                f" else: given_{name} = {name}",
            ]
        given.append(f"given_{name}" if k in _ITEMS else name)
    asked = f"call({', '.join(given)})"
    lines.append(f" return {asked} != 0" if signature.results == ("bool",) else f" return {asked}")
    exec(f"def {loop.name}({', '.join(name for name, _ in signature.parameters)}):\n" + "\n".join(lines), scope)
    found: Callable[..., Any] = scope[loop.name]
    return found


def _refused(name: str, array: Any, dtype: Any) -> None:
    if array.dtype != dtype or not array.flags.c_contiguous:
        raise TypeError(f"{name} is a contiguous array of {dtype}, not {array.dtype} with strides {array.strides}")


__all__ = ["NativeError", "compiled"]
