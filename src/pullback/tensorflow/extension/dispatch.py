"""Functions of this library that programs answer themselves for classes of their own: `tf.experimental.dispatch_for_api` and its like.

Most programs never ask for it, and no call should pay for it.  So nothing wraps the functions: when the first answer is registered for one,
its code is exchanged for code that looks at the arguments first, and put back when the last answer is taken away.  The function stays the
same object, so that whoever holds it (operators, other names, imports of long ago) asks for the answer too.
"""

from __future__ import annotations

import inspect
import types
import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import wraps
from typing import Any

from ...api.names import name_scope
from ...base.export import export
from ...ir.composite import CompositeTensor
from ...ir.indexed_slices import IndexedSlices
from ...ir.op import set_signature
from .extension_type import Answers

Test = Callable[[Any], bool]
_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


# ---- annotations as tests of arguments


def _is_composite(value: Any) -> bool:
    return isinstance(value, (CompositeTensor, IndexedSlices))


def check_for(annotation: object) -> Test:
    """Whether a value is what an annotation says: a class, a list of, or a union of such."""
    origin, parts = typing.get_origin(annotation), typing.get_args(annotation)
    if origin in (typing.Union, types.UnionType):
        tests = [check_for(part) for part in parts]
        return lambda value: any(test(value) for test in tests)
    if origin is list and len(parts) == 1:
        of_item = check_for(parts[0])
        return lambda value: isinstance(value, (list, tuple)) and all(map(of_item, value))
    if annotation is None:
        return lambda value: value is None
    if origin is None and isinstance(annotation, type) and annotation is not Any:
        return lambda value: isinstance(value, annotation)
    raise ValueError(
        f"Type annotation {annotation} is not currently supported by dispatch.  Supported annotations: type objects, List[...], and "
        "Union[...]"
    )


class _Signature:
    """What the arguments of a function must be."""

    def __init__(self, parameters: Mapping[str, inspect.Parameter], annotations: Any) -> None:
        if not isinstance(annotations, dict) or not all(isinstance(key, (str, int)) for key in annotations):
            raise TypeError("signatures must be dictionaries mapping parameter names to type annotations.")
        names, self._tests = list(parameters), dict[str, Test]()
        for key, annotation in annotations.items():
            name = names[key] if isinstance(key, int) and key < len(names) else key
            if name not in parameters:
                raise ValueError(f"signature includes annotation for unknown parameter {name!r}.")
            if parameters[name].kind not in _POSITIONAL:
                kind = parameters[name].kind.description
                raise ValueError(f"Only positional parameters have annotations for dispatch: {name} is {kind}.")
            self._tests[name] = check_for(annotation)

    def fits(self, arguments: Mapping[str, Any]) -> bool:
        """Whether the arguments are as it says, and a composite value is among those that it speaks of."""
        if any(name not in arguments or not test(arguments[name]) for name, test in self._tests.items()):
            return False
        given = [arguments[name] for name in self._tests]
        return any(_is_composite(v) or (isinstance(v, (list, tuple)) and any(map(_is_composite, v))) for v in given)


# ---- functions with answers


class _Dispatcher:
    """A function's answers."""

    def __init__(self, function: types.FunctionType) -> None:
        self.function, self.signature = function, inspect.signature(function)
        self._own_signature = vars(function).get("__signature__")
        self.answers: list[tuple[Any, Callable[..., Any], list[_Signature]]] = []  # as registered, as called, when
        self._code = function.__code__
        self.plain = types.FunctionType(
            function.__code__, function.__globals__, function.__name__, function.__defaults__, function.__closure__
        )
        self.plain.__kwdefaults__ = function.__kwdefaults__

    def __call__(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        try:
            given = self.signature.bind(*args, **kwargs).arguments
        except TypeError:
            return self.plain(*args, **kwargs)  # which has the words for it
        return (self.answer(given) or self.plain)(*args, **kwargs)

    def answer(self, given: Mapping[str, Any]) -> Callable[..., Any] | None:
        """What answers a call with these arguments, None where nothing does; a ValueError where several do."""
        found = [called for _, called, signatures in self.answers if any(s.fits(given) for s in signatures)]
        if len(found) > 1:
            names = " and ".join(map(str, found))
            raise ValueError(
                f"Multiple dispatch targets that were registered with tf.dispatch_for ({names}) match the arguments to "
                f"{self.function.__name__}"
            )
        return found[0] if found else None

    def add(self, registered: Any, called: Callable[..., Any], signatures: list[_Signature]) -> None:
        if not self.answers:
            self.function.__code__ = _make_asking_code(self, len(self._code.co_freevars))
            self.function.__dict__["__signature__"] = self.signature
        self.answers.append((registered, called, signatures))

    def remove(self, registered: Any) -> bool:
        left = [answer for answer in self.answers if answer[0] is not registered]
        was_there = len(left) < len(self.answers)
        self.answers = left
        if was_there and not left:
            self.function.__code__ = self._code
            if self._own_signature is None:
                del self.function.__dict__["__signature__"]
        return was_there


def _make_asking_code(dispatcher: _Dispatcher, closed: int) -> types.CodeType:
    """The code of a function that asks a dispatcher, with as many variables of the functions around it as the one it stands for has."""
    free = [f"free{i}" for i in range(closed)]
    lines = [f"def around({', '.join(free)}):", " def call(*args, **kwargs):"]
    lines += [f"  if 0: {', '.join(free)}"] if free else []
    lines += ["  ask = 'the dispatcher'", "  return ask(args, kwargs)", " return call"]
    names: dict[str, Any] = {}
    exec("\n".join(lines), names)
    code: types.CodeType = names["around"](*free).__code__
    constants: Any = tuple(dispatcher if constant == "the dispatcher" else constant for constant in code.co_consts)
    return code.replace(co_consts=constants, co_name=dispatcher.function.__name__)


_DISPATCHERS: dict[types.FunctionType, _Dispatcher] = {}


def _dispatcher(api: Any) -> _Dispatcher:
    api = inspect.unwrap(api) if isinstance(api, types.FunctionType) else api  # what the library itself calls
    if api not in _DISPATCHERS:
        if not isinstance(api, types.FunctionType) or api.__module__.partition(".")[0] != __name__.partition(".")[0]:
            raise ValueError(f"{api} does not support dispatch.")
        kinds = {p.kind for p in inspect.signature(api).parameters.values()}
        if kinds & {inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD}:
            raise ValueError(f"{api} does not support dispatch: it takes any number of arguments.")
        _DISPATCHERS[api] = _Dispatcher(api)
    return _DISPATCHERS[api]


@export("experimental.dispatch_for_api")
def dispatch_for_api(api: object, *signatures: Any) -> Callable[[Any], Any]:
    """A decorator of a function that answers calls of `api`, a public function, where the arguments fit a signature.

    signatures: dictionaries from names (or numbers) of parameters to annotations: classes, `list` of one, unions.  One of them has to fit,
    and one of the arguments that it names has to be a composite value, such as one of an extension type.  Without any, the annotations of
    the decorated function are the signature.  The function has the parameters of `api`; it may do without `name`, and is then called
    within a scope of that name.  Raises ValueError for an `api` that is none, parameters that differ, annotations of other kinds; a call
    that several functions answer raises ValueError.

    >>> class Money(tf.experimental.ExtensionType):
    ...     amount: tf.Tensor
    >>> @tf.experimental.dispatch_for_api(tf.add, {"x": Money, "y": Money})
    ... def add_money(x, y):
    ...     return Money(x.amount + y.amount)
    >>> tf.add(Money(1.0), Money(2.0)).amount.numpy().item()
    3.0
    >>> tf.experimental.unregister_dispatch_for(add_money)
    """
    dispatcher = _dispatcher(api)
    parameters = dispatcher.signature.parameters
    checked = [_Signature(parameters, signature) for signature in signatures]

    def decorator(dispatch_target: Any) -> Callable[..., Any]:
        if not callable(dispatch_target):
            raise TypeError(f"Expected dispatch_target to be callable; got {dispatch_target!r}")
        called = _add_name(dispatch_target, dispatcher.signature)
        _check_parameters(dispatcher.signature, called)
        own = checked or [_Signature(parameters, _annotations(dispatch_target))]
        dispatcher.add(called, called, own)
        return called

    return decorator


def _annotations(function: Any) -> dict[str, Any]:
    found = {n: p.annotation for n, p in inspect.signature(function, eval_str=True).parameters.items() if p.annotation is not p.empty}
    if not found:
        raise ValueError(
            "The dispatch_for_api decorator must be called with at least one signature, or applied to a function that has type annotations "
            "on its parameters."
        )
    return found


def _add_name(function: Any, signature: inspect.Signature) -> Callable[..., Any]:
    """The function, with a `name` to be called within where only the other one has one."""
    mine = inspect.signature(function)
    if "name" not in signature.parameters or "name" in mine.parameters:
        return function
    if any(p.kind is p.VAR_KEYWORD for p in mine.parameters.values()):
        return function
    at = list(signature.parameters).index("name")

    @wraps(function)
    def call_named(*args: Any, **kwargs: Any) -> Any:
        args, kwargs, name = _take_name(args, kwargs, at)
        return _call_in_scope(name, function, *args, **kwargs)

    return set_signature(call_named, mine.replace(parameters=[*mine.parameters.values(), signature.parameters["name"]]))


def _take_name(args: tuple[Any, ...], kwargs: dict[str, Any], at: int) -> tuple[tuple[Any, ...], dict[str, Any], Any]:
    if 0 <= at < len(args):
        return (*args[:at], *args[at + 1 :]), kwargs, args[at]
    return args, {key: value for key, value in kwargs.items() if key != "name"}, kwargs.get("name") if at >= 0 else None


def _call_in_scope(name: str | None, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    if name is None:
        return function(*args, **kwargs)
    with name_scope(name):
        return function(*args, **kwargs)


def _check_parameters(wanted: inspect.Signature, function: Any) -> None:
    found = inspect.signature(function)
    if [p.kind for p in found.parameters.values()] == [inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD]:
        return
    if [(p.name, p.kind) for p in found.parameters.values()] != [(p.name, p.kind) for p in wanted.parameters.values()]:
        raise ValueError(f"Dispatch function's signature {found} does not match API's signature {wanted}.")


# ---- functions of a kind


class Kind:
    """Functions that are answered together: element-wise ones of one argument or two, and assertions.

    functions: gives them, when an answer is first registered.  what: how an error calls a handler.
    """

    def __init__(self, what: str, count: int, functions: Callable[[], Sequence[Any]]) -> None:
        self.what, self.count, self._functions = what, count, functions
        self.handlers: dict[tuple[Any, ...], tuple[Any, list[Any]]] = {}

    def register(self, kinds: tuple[Any, ...], handler: Callable[..., Any]) -> Callable[..., Any]:
        """Have a handler answer for arguments of these kinds."""
        if kinds in self.handlers:
            shown = kinds[0] if len(kinds) == 1 else kinds
            raise ValueError(f"A {self.what} dispatch handler ({self.handlers[kinds][0]}) has already been registered for {shown}.")
        self.handlers[kinds] = handler, [self._make_answer(api, kinds, handler) for api in self._functions()]
        return handler

    def _make_answer(self, api: Any, kinds: tuple[Any, ...], handler: Any) -> Callable[..., Any]:
        parameters = list(_dispatcher(api).signature.parameters)
        names, at = parameters[: self.count], parameters.index("name") if "name" in parameters else -1

        def answer(*args: Any, **kwargs: Any) -> Any:
            args, kwargs, name = _take_name(args, kwargs, at)
            given = [args[i] if i < len(args) else kwargs.pop(n) for i, n in enumerate(names)]
            rest = args[self.count :]
            function = (lambda *values: api(*values, *rest, **kwargs)) if rest or kwargs else api
            return _call_in_scope(name, handler, function, *given)

        answer.__name__ = answer.__qualname__ = f"elementwise_dispatch_target_for_{api.__name__}"
        return dispatch_for_api(api, dict(zip(names, kinds, strict=True)))(answer)

    def remove(self, handler: Callable[..., Any]) -> Iterator[Any]:
        """Forget a handler; the answers that it was registered with."""
        for kinds in [kinds for kinds, (one, _) in self.handlers.items() if one is handler]:
            yield from self.handlers.pop(kinds)[1]


KINDS: list[Kind] = []
#: The functions that operators of tensors stand for, by the operation's name.
OPERATORS: dict[str, Any] = {}


def _dispatch_operator(operation: str, args: tuple[Any, ...], name: str | None) -> Any:
    function = OPERATORS.get(operation)
    dispatcher = None if function is None else _DISPATCHERS.get(inspect.unwrap(function))
    found = None if dispatcher is None else dispatcher.answer(dispatcher.signature.bind(*args).arguments)
    return NotImplemented if found is None else found(*args)


Answers.to = _dispatch_operator


@export("experimental.unregister_dispatch_for")
def unregister_dispatch_for(dispatch_target: Any) -> None:
    """Take back what a decorator `dispatch_for_...` has registered; a ValueError for a function that none has.

    >>> class Angle(tf.experimental.ExtensionType):
    ...     degrees: tf.Tensor
    >>> @tf.experimental.dispatch_for_api(tf.abs)
    ... def abs_angle(x: Angle):
    ...     return Angle(tf.abs(x.degrees))
    >>> tf.abs(Angle(-5)).degrees.numpy().item()
    5
    >>> tf.experimental.unregister_dispatch_for(abs_angle)
    >>> tf.abs(Angle(-5))
    Traceback (most recent call last):
    ...
    pullback.ir.composite.NotATensor: Attempt to convert a value ...
    """
    found = [dispatcher.remove(dispatch_target) for dispatcher in _DISPATCHERS.values()]
    answers = [answer for kind in KINDS for answer in kind.remove(dispatch_target)]
    for answer in answers:
        for dispatcher in _DISPATCHERS.values():
            dispatcher.remove(answer)
    if not any(found) and not answers:
        raise ValueError(f"Function {dispatch_target} was not registered using a `@dispatch_for_*` decorator.")
