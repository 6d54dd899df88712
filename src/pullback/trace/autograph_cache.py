"""Functions that AutoGraph rewrote before, in this process or in an earlier one: the code it made is kept on disk.

Rewriting takes tens of milliseconds a function, and loading the package that does it as long again.  What it makes of a function follows
from the function's source and code alone, so the made source is kept under a hash of those.
"""

from __future__ import annotations

import ast
import importlib
import linecache
import marshal
import types
import weakref
from pathlib import Path
from typing import Any

from ..engine.llvm_loading import native
from ..ir.node import COLUMNS, REWRITTEN
from .autograph_appends import GROWING
from .autograph_straight import rewrite_calls, show_calls


class _Made:
    """The rewritten code of a function, to be bound to the variables of one instance of it."""

    def __init__(
        self, entity: Any, source: str, module: types.CodeType, outer: str, name: str, lines: list[Any], columns: list[Any],
        grown: list[str],
    ) -> None:  # fmt: skip
        code = entity.__code__
        self.name = name
        self.file = _file_of(code)
        linecache.cache[self.file] = (len(source), None, source.splitlines(keepends=True), self.file)
        scope: dict[str, Any] = {"__name__": "autograph", "__file__": self.file}
        exec(_set_file(module, self.file), scope)
        self.factory: types.CodeType = scope[outer]().__code__
        for line, origin, function in lines:
            REWRITTEN.setdefault((self.file, line), (code.co_filename, code.co_firstlineno + origin, function))
        for line, column, origin in columns:
            COLUMNS.setdefault((self.file, line), {}).setdefault(column, code.co_firstlineno + origin)
        GROWING.update(grown)

    def bind_function(self, entity: Any, tools: Any) -> Any:
        """The function, with the globals, the closure and the defaults of `entity`."""
        cells = dict(zip(entity.__code__.co_freevars, entity.__closure__ or (), strict=True))
        closure = tuple([cells[name] for name in self.factory.co_freevars])
        made = types.FunctionType(self.factory, entity.__globals__, self.name, (), closure)(ag__=tools)
        made.__defaults__, made.__kwdefaults__ = entity.__defaults__, entity.__kwdefaults__
        return made


def _file_of(code: types.CodeType) -> str:
    """The name of the file that the rewritten code of a function is said to be of."""
    return f"<autograph of {code.co_qualname} at {code.co_filename}:{code.co_firstlineno}>"


_made: weakref.WeakKeyDictionary[types.CodeType, _Made] = weakref.WeakKeyDictionary()


def find_rewritten(entity: Any, tools: Any) -> Any:
    """A function as it was rewritten before, its code calling `tools`; None where it was not."""
    found = _made.get(entity.__code__)
    if found is None or found.file != _file_of(entity.__code__):  # equal code of another file counts as the same
        source = _source_of(entity)
        lines = _lines_of(entity, source)
        told = rewrite_calls(entity.__code__, lines, source) if lines else None
        if told is None and lines:
            blob = native("runtime.disk_cache").lookup(_key(entity, lines))
            told = None if blob is None else marshal.loads(blob)
        if told is None:
            return None
        found = _made[entity.__code__] = _Made(entity, **told)
    return found.bind_function(entity, tools)


def source_of_calls(entity: Any) -> str | None:
    """The code of a function of which only the calls are rewritten; None of others."""
    source = _source_of(entity)
    return show_calls(entity.__code__, _lines_of(entity, source), source)


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
    known = _lines_of(entity, _source_of(entity))
    if not known:
        return
    code, source = entity.__code__, Path(module.__file__).read_text(encoding="utf-8")
    outer = next(name for name, value in vars(module).items() if isinstance(value, types.FunctionType) and "factory" in name)
    lines = [
        [place.lineno, origin.loc.lineno - code.co_firstlineno, origin.function_name]
        for place, origin in source_map.items()
        if place.filename == module.__file__ and origin.loc.filename == code.co_filename
    ]
    places = [[line, column, origin - code.co_firstlineno] for line, column, origin in columns]
    told = {
        "source": source, "module": compile(source, "<autograph>", "exec", dont_inherit=True), "outer": outer, "name": made.__name__,
        "lines": lines, "columns": places, "grown": grown,
    }  # fmt: skip
    native("runtime.disk_cache").store(_key(entity, known), marshal.dumps(told))


def _source_of(entity: Any) -> list[str]:
    """The lines of the file that a function is in; none where it is not there."""
    file = entity.__code__.co_filename
    linecache.checkcache(file)
    return linecache.getlines(file, entity.__globals__)


def _lines_of(entity: Any, source: list[str]) -> list[str]:
    """The lines of a file on which a function has code."""
    code = entity.__code__
    return source[code.co_firstlineno - 1 : _last_line(code)]


def _key(entity: Any, lines: list[str]) -> bytes:
    """What follows from all that the rewriting of a function does."""
    code = entity.__code__
    cache, stamp = native("runtime.disk_cache"), native("runtime.fingerprint")
    column = next(iter(code.co_positions()), (None,))[-1]
    known = [c for c in code.co_consts if not isinstance(c, types.CodeType)]
    text = repr((code.co_name, code.co_varnames, code.co_freevars, code.co_names, code.co_flags, known, column))
    made: bytes = cache.key("autograph", "".join(lines), code.co_code, text, stamp.rewriter_stamp(), cache.package_stamp())
    return made


def _set_file(code: types.CodeType, file: str) -> types.CodeType:
    """Compiled code, that of functions inside it included, of another file: errors name it."""
    inner = tuple(_set_file(one, file) if isinstance(one, types.CodeType) else one for one in code.co_consts)
    return code.replace(co_filename=file, co_consts=inner)


def _last_line(code: types.CodeType) -> int:
    """The last line that a function has code on, functions inside it included."""
    own = max((end or 0 for _, end, *_ in code.co_positions()), default=code.co_firstlineno)
    return max([own, *(_last_line(c) for c in code.co_consts if isinstance(c, types.CodeType))])
