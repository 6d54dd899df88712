"""Calls in rewritten code: the user's functions are rewritten in turn, and those of libraries that may meet tensors.

A function is called as it is when its file is ours, of Python's library, or of a package that never sees a symbolic tensor or has
graphs of its own; TensorFlow leaves the same packages alone.  Some of Python's built-in functions get a
meaning for tensors.  The lines of rewritten code are put down in `ir.node.REWRITTEN`, so errors and operations name the user's lines.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util  # the package forgets to
import inspect
import linecache
import os
import site
import textwrap
import traceback
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..base.garbage import pause_collection
from ..base.lazy_import import LazyModule, undo_broken_imports
from ..ir.context import current
from ..ir.node import COLUMNS, PACKAGE, REWRITTEN, locate_column
from ..ir.tensor import SymbolicTensor
from . import autograph_cache as kept
from .autograph_appends import GROWING, Appends
from .autograph_features import Feature, is_asked_for
from .autograph_kinds import GraphLoops, HasRows
from .autograph_log import tell
from .autograph_tools import ARTIFACT, Tools

if TYPE_CHECKING:
    from . import autograph_builtins as builtins
else:
    builtins = LazyModule("pullback.trace.autograph_builtins")

_CALLBACKS = frozenset(
    {
        "cond",
        "cond_v1",
        "case",
        "switch_case",
        "while_loop",
        "while_loop_v1",
        "map_fn",
        "scan",
        "foldl",
        "foldr",
        "vectorized_map",
        "pfor",
        "for_loop",
        "run",
        "call_for_each_replica",
        "merge_call",
    }
)
_SUSPENDS = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
_LIBRARY, _INSTALLED = os.path.dirname(os.__file__) + os.sep, site.getsitepackages()
_LEFT_ALONE = frozenset(
    {
        "numpy", "scipy", "matplotlib", "pandas", "PIL", "absl", "pytest", "_pytest", "keras", "tf_keras", "tensorflow_probability",
        "tensorflow_datasets",
    }
)  # fmt: skip
_refused: dict[types.CodeType, str] = {}


def call_converted(
    f: Any, args: tuple[Any, ...], kwargs: dict[str, Any] | None = None, scope: Any = None, is_requested: bool = False
) -> Any:
    """`f(*args, **kwargs)`, `f` rewritten if it is the user's, or of a package that is left alone but asks for it (`is_requested`)."""
    kwargs = kwargs or {}
    if hasattr(f, ARTIFACT):
        return f(*args, **kwargs)
    if isinstance(f, functools.partial):
        return call_converted(f.func, (*f.args, *args), {**f.keywords, **kwargs}, scope, is_requested)
    if isinstance(f, (types.BuiltinFunctionType, type)):
        return _builtin(f, args, kwargs, scope)
    entity, receiver = _entity(f)
    if entity is None or not is_users(entity, is_requested):
        return f(*_convert_callbacks(f, args), **{k: _convert_callbacks(f, (v,))[0] for k, v in kwargs.items()})
    rewritten = _rewrite_plain(entity)
    if rewritten is None:
        return f(*args, **kwargs)
    return rewritten(*receiver, *args, **kwargs)


def _entity(f: Any) -> tuple[Any, tuple[Any, ...]]:
    """The plain function that a call of `f` runs, and its first arguments; None where there is none."""
    if isinstance(f, types.MethodType):
        return (f.__func__, (f.__self__,)) if isinstance(f.__func__, types.FunctionType) else (None, ())
    if isinstance(f, types.FunctionType):
        return f, ()
    method = inspect.getattr_static(type(f), "__call__", None)
    return (method, (f,)) if isinstance(method, types.FunctionType) and not hasattr(method, ARTIFACT) else (None, ())


def is_users(function: types.FunctionType | types.MethodType, is_requested: bool = False) -> bool:
    """Whether a function is the user's, or asks for it itself, and can be rewritten."""
    if not is_requested and (function.__module__ or "").partition(".")[0] in _LEFT_ALONE:
        return False
    code = function.__code__
    return not code.co_flags & _SUSPENDS and _is_users_file(code.co_filename)


@cache
def _is_users_file(name: str) -> bool:
    if name.startswith("<") and not name.startswith(("<doctest", "<ipython")):
        return bool(linecache.getlines(name))
    if name.startswith(PACKAGE):
        return False
    return any(Path(name).is_relative_to(folder) for folder in _INSTALLED) or not name.startswith(_LIBRARY)


def _convert_callbacks(f: Any, args: tuple[Any, ...]) -> tuple[Any, ...]:
    """The arguments of a control-flow function of ours: the user's functions among them are rewritten."""
    if getattr(f, "__name__", None) not in _CALLBACKS or not (getattr(f, "__module__", None) or "").startswith("pullback."):
        return args
    return tuple(_wrap_function(a) if _is_users_function(a) else a for a in args)


def _wrap_function(function: Any) -> Any:
    @functools.wraps(function)
    def call_rewritten(*args: Any, **kwargs: Any) -> Any:
        return call_converted(function, args, kwargs)

    return call_rewritten


def _convert_later(f: Any) -> Callable[..., Any]:
    """`f`, to be called by somebody else, rewritten."""
    return lambda *args, **kwargs: call_converted(f, args, kwargs)


def _is_users_function(value: Any) -> bool:
    return isinstance(value, (types.FunctionType, types.MethodType)) and not hasattr(value, ARTIFACT) and is_users(value)


# ---- rewriting


#: What rewritten code calls.
_TOOLS = Tools(call_converted)


@cache
def _transpiler() -> Any:
    """diastatic-malt, with operators of ours in its place."""
    with undo_broken_imports("malt"):
        directives = importlib.import_module("malt.lang.directives")
        api = importlib.import_module("malt.impl.api")
        converter = importlib.import_module("malt.core.converter")
        templates = importlib.import_module("malt.pyct.templates")
    ast = importlib.import_module("ast")
    loops = importlib.import_module("pullback.trace.autograph_loops")

    class Repairs(ast.NodeTransformer):  # type: ignore[name-defined, misc]  # loaded with the package
        """What the package does not take: assertions with any message, errors with a name, and our name for its options of loops."""

        def __init__(self, namespace: dict[str, Any]) -> None:
            self.namespace = namespace

        def visit_Expr(self, node: Any) -> Any:
            if isinstance(node.value, ast.Call) and self._meant(node.value.func) is loops.set_loop_options:
                self.namespace["ag__set_loop_options"] = directives.set_loop_options
                node.value.func = ast.Name("ag__set_loop_options", ast.Load())
            return self.generic_visit(node)

        def _meant(self, name: Any) -> Any:
            """What a name of the function, or of a module that it names, stands for; None where that is known only when it runs."""
            if isinstance(name, ast.Attribute):
                module = self._meant(name.value)
                return getattr(module, name.attr, None) if isinstance(module, types.ModuleType) else None
            return self.namespace.get(name.id) if isinstance(name, ast.Name) else None

        def visit_BoolOp(self, node: Any) -> Any:
            self._refuse_names(node.values)
            return self.generic_visit(node)

        def visit_Compare(self, node: Any) -> Any:
            self._refuse_names([node] if len(node.ops) > 1 else [])
            return self.generic_visit(node)

        def visit_IfExp(self, node: Any) -> Any:
            self._refuse_names([node.body, node.orelse])
            return self.generic_visit(node)

        def visit_While(self, node: Any) -> Any:
            self._refuse_names([node.test])
            return self.generic_visit(node)

        def visit_Match(self, node: Any) -> Any:
            raise NotImplementedError(f"a `match`, at line {node.lineno} of the function")

        def _refuse_names(self, expressions: list[Any]) -> None:
            """What is computed here becomes a function, in which `:=` would set a name of its own."""
            for named in (part for whole in expressions for part in ast.walk(whole) if isinstance(part, ast.NamedExpr)):
                raise NotImplementedError(f"`{ast.unparse(named)}` in a condition or a choice, at line {named.lineno} of the function")

        def visit_Assert(self, node: Any) -> Any:
            message = node.msg if node.msg is not None else ast.Constant("Assertion error")
            return templates.replace("ag__.assert_stmt(test, lambda: msg)", test=node.test, msg=message)

        def visit_ExceptHandler(self, node: Any) -> Any:
            node = self.generic_visit(node)
            if node.name is not None:
                node.body[:0] = templates.replace("name = ag__.handled_error()", name=node.name)
                node.name = None
            return node

    class Rewriter(api.PyToPy):  # type: ignore[name-defined, misc]  # loaded with the package
        """The package's rewriter, with our operators as the names its code calls."""

        def get_extra_locals(self) -> dict[str, Any]:
            return {"ag__": _TOOLS}

        def get_transformed_name(self, node: Any) -> str:
            return "tf__" + str(super().get_transformed_name(node)).removeprefix("ag__")

        def transform(self, obj: Any, user_context: Any) -> Any:
            if obj.__name__ == "<lambda>" and inspect.getmodule(obj) is None:
                raise ValueError("the source of a lambda is looked for by its module, which is not among the loaded ones")
            self.tree = None  # as it stays where the package knows what it has made of the function
            return super().transform(obj, user_context)

        def transform_ast(self, node: Any, ctx: Any) -> Any:
            appends = Appends(templates.replace)
            node = appends.visit(Repairs(ctx.info.namespace).visit(node))
            self.grown = sorted(appends.grown)
            GROWING.update(self.grown)
            self.tree = super().transform_ast(node, ctx)
            return self.tree

    features = (converter.Feature.BUILTIN_FUNCTIONS, converter.Feature.EQUALITY_OPERATORS)
    options = converter.ConversionOptions(recursive=True, user_requested=True, optional_features=features)
    return Rewriter(), converter.ProgramContext(options=options), refusals()


def refusals() -> tuple[type[Exception], ...]:
    """What the package raises for functions that it cannot rewrite.

    PyCTError is its analysis's own.  Beside it: ValueError for source that is not one function, NotImplementedError for statements it
    does not know, SyntaxError for source that is no longer whole, OSError for source that is no longer there.
    """
    found = importlib.import_module("malt.pyct.errors")
    return (found.PyCTError, ValueError, NotImplementedError, SyntaxError, OSError)


def _rewrite_plain(entity: Any) -> Callable[..., Any] | None:
    """A plain function rewritten; None where that cannot be done."""
    if entity.__code__ in _refused:
        return None
    known = kept.find_rewritten(entity, _TOOLS)
    if known is not None:
        tell(3, lambda: f"AutoGraph runs {entity} as\n{kept.source_of_calls(entity) or source_of(known)}")
        return known
    with pause_collection():
        rewriter, program, errors = _transpiler()
    try:
        with pause_collection():
            made, module, source_map = rewriter.transform(entity, program)
    except errors as error:
        _refused[entity.__code__] = f"{type(error).__name__}: {error}"
        tell(1, lambda: f"AutoGraph runs {entity} as it is: {_refused[entity.__code__]}")
        return None
    tell(3, lambda: f"AutoGraph runs {entity} as\n{source_of(made)}")
    if rewriter.tree is None:
        return made
    for place, origin in source_map.items():
        REWRITTEN.setdefault((place.filename, place.lineno), (origin.loc.filename, origin.loc.lineno, origin.function_name))
    columns = kept.columns_of(rewriter.tree, module.__file__)
    for line, column, origin in columns:
        COLUMNS.setdefault((module.__file__, line), {}).setdefault(column, origin)
    kept.keep(entity, made, module, source_map, columns, rewriter.grown)
    return made


def rewrite_once(entity: object) -> Callable[..., Any]:
    """A function or method rewritten, for somebody who asks for it; the package's error where that cannot be done, ValueError where
    there is no code.
    """
    if not hasattr(entity, "__code__"):
        raise ValueError(
            "Cannot apply autograph to a function that doesn't expose a __code__ object. If this is a @tf.function, try passing "
            "f.python_function instead."
        )
    rewriter, program, _ = _transpiler()
    return rewriter.transform(entity, program)[0]


def source_of(made: Callable[..., Any]) -> str:
    """The code of a rewritten function."""
    return textwrap.dedent(inspect.getsource(made))


@contextmanager
def user_errors() -> Iterator[None]:
    """Let errors that leave the block tell where in the user's program they came up."""
    try:
        yield
    except Exception as error:
        if not any(note.startswith("in user code:") for note in getattr(error, "__notes__", ())):
            places = dict.fromkeys(text for frame in traceback.extract_tb(error.__traceback__) if (text := _show_frame(frame)))
            if places:
                error.add_note("in user code:\n" + "\n".join(places) + _reasons(error))
        raise


def _show_frame(frame: traceback.FrameSummary) -> str:
    at = frame.filename, frame.lineno or 0
    place = REWRITTEN.get(at)
    if place is None:
        return ""
    file, line, name = locate_column(place, COLUMNS.get(at, {}), frame.colno)
    return f'    File "{file}", line {line}, in {name or "<lambda>"}\n        {linecache.getline(file, line).strip()}'


def _reasons(error: Exception) -> str:
    """What was not rewritten, for an error that comes of that."""
    if type(error).__name__ != "OperatorNotAllowedInGraphError" or not _refused:
        return ""
    return "\nAutoGraph ran these as they are:" + "".join(
        f"\n    {c.co_name} ({c.co_filename}:{c.co_firstlineno}): {why}" for c, why in _refused.items()
    )


# ---- Python's own functions


def _builtin(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], scope: Any) -> Any:
    """A class or built-in function: some of them mean something else for tensors."""
    if f in (eval, super, globals, locals) and not (f is super and args):
        return builtins.call_in_context(f, args, scope)
    if f is print and not is_asked_for(Feature.BUILTIN_FUNCTIONS):
        return f(*args, **kwargs)
    found = next((a for a in args if isinstance(a, GraphLoops)), None)
    if found is not None and current().graph is not None and f.__name__ in found._builtins:
        return found._builtins[f.__name__](*args, **kwargs)
    if any(isinstance(a, (SymbolicTensor, HasRows)) for a in args):
        meant = builtins.MEANT.get(f) if isinstance(f, (type, types.BuiltinFunctionType)) and f.__module__ == "builtins" else None
        if meant is not None:
            return meant(*args, **kwargs)
    if f in (map, filter, sorted) and args and _is_users_function(args[0]):
        return f(_convert_later(args[0]), *args[1:], **kwargs)
    return f(*args, **kwargs)


__all__ = ["ARTIFACT", "call_converted", "is_users", "refusals", "rewrite_once", "source_of", "user_errors"]
