"""Functions that AutoGraph rewrote before, in this process or in an earlier one: the code it made is kept on disk.

Rewriting takes tens of milliseconds a function, and loading the package that does it as long again.  What it makes of a function follows
from the function's source and code alone, so the made source is kept under a hash of those.
"""

from __future__ import annotations

import ast
import importlib
import json
import linecache
import types
import weakref
from pathlib import Path
from typing import Any

from ..engine.llvm_loading import native
from ..ir.node import COLUMNS, REWRITTEN
from .autograph_appends import GROWING


class _Made:
    """The rewritten code of a function, to be bound to the variables of one instance of it."""

    def __init__(
        self, entity: Any, source: str, outer: str, name: str, lines: list[Any], columns: list[Any], grown: list[str]
    ) -> None:  # fmt: skip
        code = entity.__code__
        self.name = name
        self.file = f"<autograph of {code.co_qualname} at {code.co_filename}:{code.co_firstlineno}>"
        linecache.cache[self.file] = (len(source), None, source.splitlines(keepends=True), self.file)
        scope: dict[str, Any] = {"__name__": "autograph", "__file__": self.file}
        exec(compile(source, self.file, "exec", dont_inherit=True), scope)
        self.factory: types.CodeType = scope[outer]().__code__
        for line, origin, function in lines:
            REWRITTEN.setdefault((self.file, line), (code.co_filename, code.co_firstlineno + origin, function))
        for line, column, origin in columns:
            COLUMNS.setdefault((self.file, line), {}).setdefault(column, code.co_firstlineno + origin)
        GROWING.update(grown)

    def bound(self, entity: Any, tools: Any) -> Any:
        """The function, with the globals, the closure and the defaults of `entity`."""
        cells = dict(zip(entity.__code__.co_freevars, entity.__closure__ or (), strict=True))
        closure = tuple([cells[name] for name in self.factory.co_freevars])
        made = types.FunctionType(self.factory, entity.__globals__, self.name, (), closure)(ag__=tools)
        made.__defaults__, made.__kwdefaults__ = entity.__defaults__, entity.__kwdefaults__
        return made


_made: weakref.WeakKeyDictionary[types.CodeType, _Made] = weakref.WeakKeyDictionary()


def again(entity: Any, tools: Any) -> Any:
    """A function as it was rewritten before, its code calling `tools`; None where it was not."""
    found = _made.get(entity.__code__)
    if found is None:
        key = _key(entity)
        blob = None if key is None else native("runtime.disk_cache").lookup(key)
        if blob is None:
            return None
        found = _made[entity.__code__] = _Made(entity, **json.loads(blob))
    return found.bound(entity, tools)


def columns_of(tree: Any, file: str) -> list[list[int]]:
    """Where expressions of a function's rewritten tree stand in a file, line and column, each with the line that it comes from."""
    anno = importlib.import_module("malt.pyct.anno")
    written = ast.parse(Path(file).read_text(encoding="utf-8"))
    image = next(node for node in ast.walk(written) if type(node) is type(tree) and getattr(node, "name", "") == getattr(tree, "name", ""))
    found = []
    for node, there in zip(ast.walk(tree), ast.walk(image), strict=True):
        origin = anno.getanno(node, anno.Basic.ORIGIN, default=None) if isinstance(node, ast.expr) else None
        if origin is not None:
            found.append([there.lineno, there.col_offset, origin.loc.lineno])  # type: ignore[attr-defined]  # of an expression
    return found


def keep(entity: Any, made: Any, module: Any, source_map: Any, columns: list[list[int]], grown: list[str]) -> None:
    """Note what a function was rewritten to: the package's results, and the names of lists that grow in it."""
    key = _key(entity)
    if key is None:
        return
    code, source = entity.__code__, Path(module.__file__).read_text(encoding="utf-8")
    outer = next(name for name, value in vars(module).items() if isinstance(value, types.FunctionType) and "factory" in name)
    lines = [
        [place.lineno, origin.loc.lineno - code.co_firstlineno, origin.function_name]
        for place, origin in source_map.items()
        if place.filename == module.__file__ and origin.loc.filename == code.co_filename
    ]
    places = [[line, column, origin - code.co_firstlineno] for line, column, origin in columns]
    told = {"source": source, "outer": outer, "name": made.__name__, "lines": lines, "columns": places, "grown": grown}
    blob = json.dumps(told).encode()
    native("runtime.disk_cache").store(key, blob)


def _key(entity: Any) -> bytes | None:
    """What follows from all that the rewriting of a function does; None where its source is not there."""
    code = entity.__code__
    linecache.checkcache(code.co_filename)
    lines = linecache.getlines(code.co_filename, entity.__globals__)[code.co_firstlineno - 1 : _last_line(code)]
    if not lines:
        return None
    cache, stamp = native("runtime.disk_cache"), native("runtime.fingerprint")
    column = next(iter(code.co_positions()), (None,))[-1]
    known = [c for c in code.co_consts if not isinstance(c, types.CodeType)]
    text = repr((code.co_name, code.co_varnames, code.co_freevars, code.co_names, code.co_flags, known, column))
    made: bytes = cache.key("autograph", "".join(lines), code.co_code, text, stamp.rewriter_stamp(), cache.package_stamp())
    return made


def _last_line(code: types.CodeType) -> int:
    """The last line that a function has code on, functions inside it included."""
    own = max((end or 0 for _, end, *_ in code.co_positions()), default=code.co_firstlineno)
    return max([own, *(_last_line(c) for c in code.co_consts if isinstance(c, types.CodeType))])
