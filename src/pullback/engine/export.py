"""Functions in files, for those who do not have this library: StableHLO modules (`xla.export`) and shared libraries (`c_library`)."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..base.dtypes import resource
from ..base.lazy_import import LazyModule
from ..ir.plan import Plan
from ..ir.tensor import TensorType
from ..ops.state.variables import Storage
from .exported import Exported
from .lowering.builder import Unsupported

if TYPE_CHECKING:
    from . import c_library
    from .program import Program
    from .xla import export as xla_export
else:
    c_library = LazyModule("pullback.engine.c_library")
    xla_export = LazyModule("pullback.engine.xla.export")


#: For each format what a user calls it, and the program, not compiled, of a plan for types.
_FORMATS: dict[str, tuple[str, Callable[[], Any]]] = {
    "stablehlo": ("StableHLO", lambda: xla_export.ModuleProgram),
    "so": ("a shared library", lambda: c_library.SharedLibrary),
}


def export(
    path: str, format: str, name: str, plan: Plan, types: Sequence[TensorType], names: Sequence[str], outside: Sequence[Any], **options: Any
) -> None:
    """Write a plan to a folder: its first inputs, which have names, are arguments, those after them have the values `outside`.

    options: of the format, for its `write_files`.
    Raises ValueError for another format, unknown shapes, and where the format does not take all of it.
    """
    if format not in _FORMATS:
        raise ValueError(f"a function is exported as {' or '.join(map(repr, _FORMATS))}, not as {format!r}")
    unknown = [n for n, t in zip(names, types, strict=False) if t.dims is None or None in t.dims]
    if unknown:
        raise ValueError(f"{name} cannot be exported: the shape of {unknown[0]} is not known; export it for specs with all sizes")
    variables = [n for n, t in zip(names, types, strict=False) if t.dtype is resource]
    if variables:
        raise ValueError(f"{name} cannot be exported: {variables[0]} is a variable; a function that reads it has its value of that moment")
    folder = Path(path)
    said, kind = _FORMATS[format]
    try:
        program = kind()(plan, types)
        _require_whole(program)
        values = [v.read() if isinstance(v, Storage) else np.asarray(v) for v in outside]
        held = dict(zip([t.uid for t in program.spec.inputs[len(names) :]], values, strict=True))
        held |= {start.uid: held[uid] for uid, start in program._variables.start.items()}
        exported: Exported = program.write_files(folder.resolve().name, names, held, **options)
    except Unsupported as reason:
        raise ValueError(f"{name} cannot be exported as {said}: {reason}") from reason
    folder.mkdir(parents=True, exist_ok=True)
    for file, content in exported.files.items():
        (folder / file).write_bytes(content if isinstance(content, bytes) else content.read_bytes())
    (folder / "signature.json").write_text(json.dumps(exported.signature, indent=1) + "\n")


def _require_whole(program: Program) -> None:
    """Raise Unsupported unless a program is code alone, whose results depend on its arguments only."""
    called = [node for stage in program._stages if stage.builder is None for node in stage.nodes]
    if called:
        raise Unsupported(f"{called[0].primitive.name}: {program.refusals.get(called[0], 'it has no lowering')}")
    if program._variables.written or program._draws:
        raise Unsupported("it changes variables, or draws random numbers from a stream: return new values, draw by seeds")
