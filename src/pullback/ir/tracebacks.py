"""Tracebacks end at the program's line: the frames of this library, and of what it calls, are left out of errors.

Where a public function or method is left, an error is trimmed on its way out.  Those that programs call most do it themselves, which costs
nothing (operators, operations, functions, sessions, tapes); all others are wrapped: functions by the faces, which call `trims_errors`, the
methods of classes here, when the classes are made.  What comes by any other way is trimmed where Python shows it, at the end of a program
or thread.
"""

from __future__ import annotations

import ast
import linecache
import os
import sys
import threading
from collections.abc import Callable
from functools import wraps
from inspect import Parameter, Signature, signature
from types import FrameType, FunctionType, MappingProxyType, TracebackType
from typing import Any, TypeVar
from weakref import WeakSet

import numpy as np

from ..base.export import prepare_classes
from .context import current
from .node import REWRITTEN, is_inside, place_of


class _Filtering(threading.local):
    """Whether errors of this thread are trimmed."""

    enabled = True


filtering = _Filtering()

#: What this library stands on: its frames are not the program's either, where this library calls them.
_SITE = os.path.dirname(os.path.dirname(np.__file__)) + os.sep
_BENEATH = tuple(
    _SITE + name + os.sep for name in ("PIL", "gast", "google", "llvmlite", "malt", "ml_dtypes", "numpy", "safetensors", "scipy")
)
_STANDARD = os.path.dirname(os.__file__) + os.sep, "<frozen "


def trim(error: BaseException) -> None:
    """Take the library's frames out of an error's traceback, as long as it is by now, and out of those of the errors before it.

    A bare `raise` afterwards adds no frame of who caught it.
    """
    graph = current().graph
    if not filtering.enabled or (graph is not None and graph.building_function):  # a function's body: where it was called, it is trimmed
        return
    seen: set[int] = set()
    pending = [error]
    while pending:
        one = pending.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        one.__traceback__ = _trim_trace(one.__traceback__)
        if one.__cause__ is not None:
            pending.append(one.__cause__)
        elif one.__context__ is not None and not one.__suppress_context__:
            pending.append(one.__context__)
            # An error that came up and was caught within the library says nothing to the program.
            one.__suppress_context__ = _trim_trace(one.__context__.__traceback__) is None


F = TypeVar("F", bound=Callable[..., Any])
C = TypeVar("C", bound=type)

#: Who may answer calls that public functions refuse, with the function and its arguments; UNANSWERED where it has no answer.
ANSWERS: list[Callable[[Callable[..., Any], tuple[Any, ...], dict[str, Any]], Any]] = []
UNANSWERED = object()
_ASKING: dict[Callable[..., Any], Callable[..., Any]] = {}


def find_answer(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], error: Exception) -> Any:
    """What is answered where a function refuses its arguments; UNANSWERED where nobody has an answer."""
    if isinstance(error, (TypeError, ValueError)):
        for answer in ANSWERS:
            if (found := answer(function, args, kwargs)) is not UNANSWERED:
                return found
    return UNANSWERED


def wrap_asking(function: F) -> F:
    """A public function that asks `ANSWERS` where it does not by itself; as long as there are none, the function."""
    if not ANSWERS or hasattr(function, "asks_others"):
        return function
    if function not in _ASKING:
        _ASKING[function] = _wrap_call(function, True)
    return _ASKING[function]  # type: ignore[return-value]  # of the function's signature


def trims_errors(function: F, asks: bool = False) -> F:
    """A function whose errors, whatever they are, end at the line that called it.

    It costs a Python call.  In operators and the operations that programs call most, where a call takes a microsecond, the handler is
    written out instead: `try: ... except Exception as error: trim(error); raise`.

    asks: whether `ANSWERS` may answer where the function refuses its arguments.
    """
    if _is_left(function):
        return function
    return _wrap_call(function, asks)


class LateSignature(Signature):
    """The signature of a function, found when it is first asked for."""

    __slots__ = ("_function",)

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    @property
    def parameters(self) -> MappingProxyType[str, Parameter]:
        """The function's parameters by name."""
        return signature(self._function).parameters

    @property
    def return_annotation(self) -> Any:
        """What the function says that it returns."""
        return signature(self._function).return_annotation

    def replace(self, **changes: Any) -> Signature:  # type: ignore[override]  # what may change is Signature's to say
        """The signature with other parameters, or another return annotation."""
        return signature(self._function).replace(**changes)

    __replace__ = replace  # type: ignore[assignment]  # what it gives is no LateSignature

    def __reduce__(self) -> Any:
        return LateSignature, (self._function,)


def _is_left(function: Callable[..., Any]) -> bool:
    """Whether a function trims its errors already, or takes care of them itself."""
    return hasattr(function, "trims_errors") or hasattr(function, "is_hot")


def _wrap_call(function: F, asks: bool = False) -> F:
    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs) if kwargs else function(*args)  # which makes no dictionary
        except Exception as error:
            if asks and ANSWERS and (found := find_answer(call, args, kwargs, error)) is not UNANSWERED:
                return found
            trim(error)
            raise

    vars(call)["trims_errors"] = True  # so that nobody does it again
    vars(call)["__signature__"] = LateSignature(function)  # `inspect.getfullargspec` looks nowhere else
    if asks:
        vars(call)["asks_others"] = True
    return call  # type: ignore[return-value]  # by a ParamSpec mypy would not know the types of functions that stand further down


#: The packages that our classes say they are of: TensorFlow's while `import tensorflow` gives Pullback.
_OURS = ("pullback.", "tensorflow.python.")
#: Modules of bases whose methods run with every operation: they trim errors themselves.
_QUICK = frozenset({"pullback.ir.context", "pullback.ir.operators"})
#: Methods of all classes that tell a program no error of ours.
_TELLS_NONE = frozenset({"__del__", "__hash__", "__init_subclass__", "__class_getitem__", "__repr__", "__str__", "__eq__", "__ne__"})

#: Classes that are done: noted here, for what is noted on a protocol its instances must have.
_TRIMMED: WeakSet[type] = WeakSet()


def _trim_class(public: type) -> None:
    """Let a public class's methods, and those it has from classes of ours that are not public, trim their errors."""
    for one in public.__mro__:
        module = str(one.__module__)  # which None is, of protocol messages
        if module.startswith(_OURS) and module not in _QUICK and one not in _TRIMMED:
            for name, member in list(vars(one).items()):
                if name not in _TELLS_NONE and (not name.startswith("_") or name.endswith("__")):
                    trimming = _trim_member(member)
                    if trimming is not member:
                        setattr(one, name, trimming)
                    elif isinstance(member, type) and member.__qualname__ == f"{one.__qualname__}.{name}":
                        _trim_class(member)
            _TRIMMED.add(one)


def trims_methods(kind: C) -> C:
    """A class that is not public itself, but whose instances a public one hands out: its methods trim errors like those."""
    _trim_class(kind)
    return kind


def _trim_member(member: Any) -> Any:
    """A method, or a property, that trims its errors; anything else as it is."""
    if isinstance(member, FunctionType):
        return member if _is_left(member) or not is_inside(member.__code__.co_filename) else _wrap_call(member)
    if isinstance(member, (staticmethod, classmethod)):
        function = _trim_member(member.__func__)
        return member if function is member.__func__ else type(member)(function)
    if isinstance(member, property):
        return property(_trim_member(member.fget), _trim_member(member.fset), _trim_member(member.fdel), member.__doc__)
    return member


prepare_classes(_trim_class)


def _trim_trace(trace: TracebackType | None) -> TracebackType | None:
    kept: list[TracebackType] = []
    below = False  # whether the frame before is the library's
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        below = is_inside(file) or (below and _is_beneath(file))
        if not below:
            kept.append(_restore_line(trace))
        trace = trace.tb_next
    following = None
    for one in reversed(kept):
        one.tb_next = following
        following = one
    return following


def _is_beneath(file: str) -> bool:
    """Whether a file is Python's own or of a package that this library stands on."""
    return file.startswith(_BENEATH) or (file.startswith(_STANDARD) and not file.startswith(_SITE))


def _restore_line(trace: TracebackType) -> TracebackType:
    """An entry of a traceback; for one of a rewritten function, one with the line that the program has there."""
    code = trace.tb_frame.f_code
    if (code.co_filename, trace.tb_lineno) not in REWRITTEN:
        return trace
    file, line, name = place_of((code, trace.tb_lasti))
    frame = _frame_at(file, line, name or "<lambda>", trace.tb_frame)
    return TracebackType(None, frame, frame.f_lasti, line)


def _frame_at(file: str, line: int, name: str, like: FrameType) -> FrameType:
    """A frame of a line of a file, with the names that another has: as the line cannot be run there, of an error that is raised there."""
    text = linecache.getline(file, line, like.f_globals).rstrip()
    place = {"lineno": line, "end_lineno": line, "col_offset": len(text) - len(text.lstrip()), "end_col_offset": len(text)}
    raised = ast.Raise(ast.Name("StopIteration", ast.Load(), **place), None, **place)
    code = compile(ast.Module([raised], []), file, "exec").replace(co_name=name, co_qualname=name)
    try:
        exec(code, like.f_globals, dict(like.f_locals))
    except StopIteration as error:
        assert error.__traceback__ is not None and error.__traceback__.tb_next is not None
        return error.__traceback__.tb_next.tb_frame
    raise AssertionError("the line was to raise an error")


def install() -> None:
    """Let Python show errors without the library's frames, at the end of the program and of threads."""
    show, show_of_thread = sys.excepthook, threading.excepthook

    def show_trimmed(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        trim(error)
        show(kind, error, error.__traceback__)

    def show_trimmed_of_thread(args: threading.ExceptHookArgs) -> None:
        if args.exc_value is not None:
            trim(args.exc_value)
            args = threading.ExceptHookArgs([args.exc_type, args.exc_value, args.exc_value.__traceback__, args.thread])
        show_of_thread(args)

    sys.excepthook, threading.excepthook = show_trimmed, show_trimmed_of_thread
