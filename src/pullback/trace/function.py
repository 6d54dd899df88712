"""`tf.function`: a Python function that is traced once per kind of arguments, and from then on runs as a body.

The shortest way is for a call with eager tensors, alone or nested, and plain numbers and strings: a key of these (`call_key`) finds the
trace, whose body runs on the arrays, for tapes that listen too.  Every other call binds its arguments, parts them into a `Form`, looks for
a trace that holds for it, and makes one if there is none; then one `PartitionedCall` is applied, eagerly or in the graph being built.
"""

from __future__ import annotations

import functools
import inspect
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Lock
from types import MethodType
from typing import TYPE_CHECKING, Any, Concatenate, Generic, Literal, ParamSpec, TypedDict, TypeVar, Unpack, overload

from ..base.export import export, is_hot
from ..base.garbage import pause_collection
from ..base.lazy_import import LazyModule
from ..ir.context import BUILDING, current
from ..ir.function_graph import Jit
from ..ir.tensor import EagerTensor
from ..ir.tracebacks import trim
from .arguments import Form, Parameters, fits, relax_kinds
from .autograph_features import Feature, features_of
from .call_key import note_call, order_of
from .concrete import ConcreteFunction
from .function_type import Callable as Traced, FunctionType, function_type
from .lifting import VariableKeeper
from .tracing import Kinds, trace

if TYPE_CHECKING:
    import html

    from ..engine.explanation import Explanation
    from ..pictures.drawing import Drawing
    from . import autograph
else:
    html = LazyModule("html")
    autograph = LazyModule("pullback.trace.autograph")

P = ParamSpec("P")
Q = ParamSpec("Q")
R = TypeVar("R")

#: How many keys of calls a function remembers: ever new shapes may go to one trace.
_MOST_KEYS = 1024


class _Mode:
    """Whether functions are run as plain Python, how many callers have traces of their own, and whether calls must ask for either."""

    eagerly = False
    apart = 0
    asks = False


#: What keeps traces of its own here, such as a replica; None where there is nothing of the kind.
_place: ContextVar[object | None] = ContextVar("place", default=None)
_changing_mode = Lock()


@contextmanager
def trace_apart(place: object) -> Iterator[None]:
    """A block whose calls of functions have traces of their own, kept for `place`: what is traced there reads what is only there."""
    token = _place.set(place)
    with _changing_mode:
        _Mode.apart += 1
        _Mode.asks = True
    try:
        yield
    finally:
        with _changing_mode:
            _Mode.apart -= 1
            _Mode.asks = _Mode.eagerly or _Mode.apart > 0
        _place.reset(token)


@export("config.experimental_run_functions_eagerly", "config.run_functions_eagerly")
def run_functions_eagerly(run_eagerly: bool) -> None:
    """Let every function run as the Python it is (True), for debugging, or as its trace (False).

    >>> tf.config.run_functions_eagerly(True)
    >>> tf.config.functions_run_eagerly()
    True
    >>> tf.config.run_functions_eagerly(False)
    """
    with _changing_mode:
        _Mode.eagerly = bool(run_eagerly)
        _Mode.asks = _Mode.eagerly or _Mode.apart > 0


@export("config.experimental_functions_run_eagerly", "config.functions_run_eagerly")
def functions_run_eagerly() -> bool:
    """Whether `run_functions_eagerly(True)` is in force.

    >>> tf.config.functions_run_eagerly()
    False
    """
    return _Mode.eagerly


class _Traces:
    """The traces of one function (of one instance, for a method)."""

    def __init__(self) -> None:
        #: By the key of a call: a trace, and the order in which it takes the tensors (None: as they come).
        self.quick: dict[Any, tuple[ConcreteFunction, list[int] | None]] = {}
        self.exact: dict[Any, ConcreteFunction] = {}
        self.by_structure: dict[Any, list[tuple[Kinds, ConcreteFunction]]] = {}
        self.count = 0
        self.settled = False
        self._of_places: weakref.WeakKeyDictionary[Any, _Traces] = weakref.WeakKeyDictionary()

    def here(self) -> _Traces:
        """Those that calls made here may use."""
        place = _place.get()
        return self if place is None else self._of_places.setdefault(place, _Traces())

    def find(self, form: Form, kinds: Kinds) -> ConcreteFunction | None:
        """A trace that holds for arguments of this form and can be used where we are."""
        graph = current().graph
        found = self.exact.get((form.structure, kinds))
        if found is not None and found.reachable(graph):
            return found
        for wanted, concrete in self.by_structure.get(form.structure, ()):
            if fits(kinds, wanted) and concrete.reachable(graph):
                self.exact[form.structure, kinds] = concrete
                return concrete
        return None

    def general(self, form: Form, kinds: Kinds) -> Kinds:
        """The kinds to trace for where sizes that vary are to stay unknown."""
        for wanted, _ in self.by_structure.get(form.structure, ()):
            common = relax_kinds(kinds, wanted)
            if common is not None:
                kinds = common
        return kinds

    def add(self, form: Form, kinds: Kinds, concrete: ConcreteFunction) -> None:
        """Keep a trace; one that can be used in more places goes first."""
        self.exact[form.structure, kinds] = concrete
        self.by_structure.setdefault(form.structure, []).append((kinds, concrete))


class _OwnSignature:
    """The parameters of a function, where `inspect.getfullargspec` looks; the class itself has its own."""

    def __get__(self, function: Function[Any, Any] | None, owner: object = None) -> inspect.Signature:
        if function is None:
            raise AttributeError("__signature__")
        return inspect.signature(vars(function)["__wrapped__"])


@export(v2=("types.experimental.GenericFunction", "types.experimental.PolymorphicFunction"))
class Function(Traced, Generic[P, R]):
    """What `tf.function` makes of a Python function: call it as that one.

    >>> f = tf.function(lambda x: x * x)
    >>> isinstance(f, tf.types.experimental.GenericFunction), f(3.0).numpy(), f(tf.constant(3.0)).numpy()
    (True, np.float32(9.0), np.float32(9.0))
    >>> f.experimental_get_tracing_count()
    2
    """

    __signature__ = _OwnSignature()

    def __init__(
        self,
        python_function: Callable[P, R],
        name: str,
        input_signature: Any,
        autograph: bool,
        reduce_retracing: bool,
        jit_compile: Jit = None,
        features: frozenset[Feature] = frozenset(),
    ) -> None:
        self._python_function = python_function
        self._name = name
        self._signature = input_signature
        self._autograph = autograph
        self._features = features
        self._reduce_retracing = reduce_retracing
        self._jit_compile = jit_compile
        self._instance: Any = None
        self._traces = _Traces()
        self._of_instances: weakref.WeakKeyDictionary[Any, _Traces] = weakref.WeakKeyDictionary()
        self._of_others: dict[int, tuple[Any, _Traces]] = {}
        self._known_parameters: Parameters | None = None
        functools.update_wrapper(self, python_function, updated=())
        self.__dict__ = {**getattr(python_function, "__dict__", {}), **self.__dict__}  # what it has, the function has

    # ---- calling

    @is_hot
    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run the function: its trace for arguments of this kind, made now if there is none."""
        try:
            context = current()
            if context.graph is not None or _Mode.asks:
                return self._call(args, kwargs)
            tensors: list[Any] = []
            if len(args) == 1 and type(args[0]) is EagerTensor and not kwargs:
                tensors.append(args[0])
                value = args[0].value
                key: Any = (value.dtype, value.shape)
            else:
                key = note_call(args, kwargs, tensors)
            found = self._traces.quick.get(key)
            if found is None:
                return self._call(args, kwargs, key, tensors)
            concrete, order = found
            if order is not None:
                tensors = [tensors[i] for i in order]
            if concrete.is_for_xla:
                concrete.move_tensors(tensors)
            if context.recorders:
                return concrete.call_listened(tensors, context.recorders)
            return concrete.call_on_arrays([t.value for t in tensors])
        except Exception as error:
            trim(error)
            raise

    def _call(self, args: tuple[Any, ...], kwargs: dict[str, Any], key: Any = None, tensors: Sequence[Any] = ()) -> Any:
        """A call whose key is not known; from here on it is."""
        if _Mode.eagerly:
            return self.python_function(*args, **kwargs)
        form = self._form(args, kwargs)
        concrete = self._concrete(form, called=True)
        given = [leaf.value for leaf in form.leaves]
        if key is not None and not concrete._reaches and self._traces.here() is self._traces:
            order = order_of(tensors, given)
            if order is not None:
                if len(self._traces.quick) >= _MOST_KEYS:
                    self._traces.quick.clear()
                self._traces.quick[key] = concrete, None if order == sorted(order) else order
        for recorder in current().recorders:
            for leaf in form.leaves:
                if leaf.variable is not None:
                    recorder.read(leaf.variable)
        return concrete.call_on_tensors(given)

    def _form(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Form:
        parameters = self._parameters
        bound, named = parameters.bind(args, kwargs)
        return Form(bound, named, parameters.names)

    @property
    def _parameters(self) -> Parameters:
        if self._known_parameters is None:
            self._known_parameters = Parameters(self._python_function, self._signature, skip_first=self._instance is not None)
        return self._known_parameters

    def _concrete(self, form: Form, called: bool) -> ConcreteFunction:
        """The trace for arguments of this form."""
        traces = self._traces.here()
        kinds = form.kinds
        if self._signature is not None:
            kinds = self._parameters.declare_kinds(kinds)
        found = traces.find(form, kinds)
        if found is None:
            with BUILDING:
                found = traces.find(form, kinds)
                if found is None:
                    if self._reduce_retracing:
                        kinds = traces.general(form, kinds)
                    found = self._trace(form, kinds, called)
                    traces.add(form, kinds, found)
        return found

    @pause_collection()
    def _trace(self, form: Form, kinds: Kinds, called: bool) -> ConcreteFunction:
        traces = self._traces
        function = self.converted
        keeper = VariableKeeper(self._name, allowed=not traces.settled)
        traces.count += 1
        concrete = trace(function, self._name, self._parameters, form, kinds, keeper, called)
        traces.settled = True
        if keeper.made:
            traces.count += 1
            concrete = trace(function, self._name, self._parameters, form, kinds, VariableKeeper(self._name, allowed=False), called)
        concrete.set_jit(self._jit_compile)
        return concrete

    # ---- methods

    @overload
    def __get__(self, instance: None, owner: Any = None) -> Function[P, R]: ...
    @overload
    def __get__(self: Function[Concatenate[Any, Q], R], instance: Any, owner: Any = None) -> Function[Q, R]: ...
    @is_hot
    def __get__(self, instance: Any, owner: Any = None) -> Any:
        if instance is None:
            return self
        bound: Any = object.__new__(Function)
        bound.__dict__.update(self.__dict__)
        bound._instance, bound.__wrapped__ = instance, MethodType(self._python_function, instance)
        bound._known_parameters = None
        bound._traces = self._traces_of(instance)
        return bound

    def _traces_of(self, instance: Any) -> _Traces:
        try:
            return self._of_instances.setdefault(instance, _Traces())
        except TypeError:
            return self._of_others.setdefault(id(instance), (instance, _Traces()))[1]

    def _decorate(self, decorator: Callable[[Callable[..., Any]], Callable[..., Any]]) -> None:
        """Decorate the Python function in its place: how libraries enter a module's name scope in its functions.

        Raises ValueError once the function has been called.
        """
        if self._traces.count or len(self._of_instances) or self._of_others:
            raise ValueError(f"Functions cannot be decorated after they have been traced: {self._name}")
        self._python_function = decorator(self._python_function)
        self._known_parameters = None

    # ---- what it is

    @property
    def python_function(self) -> Callable[..., Any]:
        """The Python function itself; of a method, bound."""
        if self._instance is None:
            return self._python_function
        return self._python_function.__get__(self._instance)

    @property
    def converted(self) -> Callable[..., Any]:
        """The Python function as it is traced: by AutoGraph, unless that is not wanted."""
        plain = self.python_function
        return autograph.convert_function(plain, self._features, is_requested=True) if self._autograph else plain

    def of_another(self, python_function: Callable[..., Any]) -> Function[..., Any]:
        """A function of this one's options, but of another Python function, which is traced as it is and takes other arguments."""
        return Function(python_function, self._name, None, False, self._reduce_retracing, self._jit_compile, self._features)

    @property
    def name(self) -> str:
        """The name of the Python function."""
        return self._name

    @property
    def input_signature(self) -> Any:
        """The specs given as `input_signature`, or None."""
        return None if self._signature is None else tuple(self._signature)

    @property
    def function_type(self) -> FunctionType:
        """The parameters, with the specs of the `input_signature`."""
        specs = dict(zip(self._parameters.names, self._parameters.input_signature or (), strict=False))
        return function_type(self._parameters.signature, specs)

    def get_concrete_function(self, *args: Any, **kwargs: Any) -> ConcreteFunction:
        """The trace for arguments like these: tensors or `TensorSpec`s, Python values; none are needed with an `input_signature`."""
        if self._signature is not None and not args and not kwargs:
            args = tuple(self._signature)
        return self._concrete(self._form(args, kwargs), called=False)

    def explain(self, *args: Any, **kwargs: Any) -> Explanation:
        """The native program for arguments like these, tensors or `TensorSpec`s; see `ConcreteFunction.explain`."""
        concrete, values = self._find_trace(args, kwargs)
        return concrete.explain_on(values if all(isinstance(v, EagerTensor) for v in values) else None)

    def export(self, path: str, *args: Any, format: Literal["stablehlo", "so"] = "stablehlo", openblas: bool = True, **kwargs: Any) -> None:
        """Write the trace for arguments like these, tensors or `TensorSpec`s, to a folder; see `ConcreteFunction.export`."""
        self._find_trace(args, kwargs)[0].export(path, format=format, openblas=openblas)

    def draw(self, *args: Any, **kwargs: Any) -> Drawing:
        """The picture of the trace for arguments like these, tensors or `TensorSpec`s; see `ConcreteFunction.draw`."""
        return self._find_trace(args, kwargs)[0].draw()

    def _repr_html_(self) -> str:
        every = self._concrete_functions()
        return every[-1]._repr_html_() if every else f"<pre>{html.escape(repr(self))}</pre>"

    def profile(self, *args: Any, **kwargs: Any) -> Explanation:
        """The native program for these arguments with the times of its parts; see `ConcreteFunction.profile`."""
        concrete, values = self._find_trace(args, kwargs)
        if not all(isinstance(v, EagerTensor) for v in values):
            raise TypeError(f"profile runs {self._name}, so it needs values: `explain` takes specs")
        return concrete.profile_on(values)

    def _find_trace(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[ConcreteFunction, list[Any]]:
        """The trace for arguments like these, and what they have for its inputs."""
        if self._signature is not None and not args and not kwargs:
            args = tuple(self._signature)
        form = self._form(args, kwargs)
        return self._concrete(form, called=False), [leaf.value for leaf in form.leaves]

    def experimental_get_tracing_count(self) -> int:
        """How often the Python function has been traced."""
        return self._traces.count

    def pretty_printed_concrete_signatures(self) -> str:
        """The signatures of all traces in words."""
        return "\n\n".join(concrete.pretty_printed_signature() for concrete in self._concrete_functions())

    def _concrete_functions(self) -> list[ConcreteFunction]:
        return [concrete for group in self._traces.by_structure.values() for _, concrete in group]

    _list_all_concrete_functions = _concrete_functions

    def _list_all_concrete_functions_for_serialization(self) -> list[ConcreteFunction]:
        if self._signature is not None and not self._traces.by_structure:
            self.get_concrete_function()
        return self._concrete_functions()

    def _trackable_children(self, save_type: str = "checkpoint", **kwargs: Any) -> dict[str, Any]:
        traces = [] if save_type == "checkpoint" else self._list_all_concrete_functions_for_serialization()
        return {f"trace_{i}": trace for i, trace in enumerate(traces)}

    def __repr__(self) -> str:
        return f"<tf.function {self._name!r}>"


class _Options(TypedDict, total=False):
    """What `function` takes by keyword."""

    input_signature: Sequence[Any] | None
    autograph: bool
    jit_compile: Jit
    reduce_retracing: bool
    experimental_implements: str | None
    experimental_autograph_options: Any
    experimental_attributes: Any
    experimental_relax_shapes: bool | None
    experimental_compile: bool | None
    experimental_follow_type_hints: bool | None


@overload
def function(func: Callable[P, R], **options: Unpack[_Options]) -> Function[P, R]: ...
@overload
def function(func: None = None, **options: Unpack[_Options]) -> Callable[[Callable[P, R]], Function[P, R]]: ...
@export("function", v1=("contrib.eager.function", "contrib.eager.defun"))
def function(
    func: Callable[..., Any] | None = None,
    input_signature: object = None,
    autograph: bool = True,
    jit_compile: Jit = None,
    reduce_retracing: bool = False,
    experimental_implements: str | None = None,
    experimental_autograph_options: object = None,
    experimental_attributes: object = None,
    experimental_relax_shapes: bool | None = None,
    experimental_compile: bool | None = None,
    experimental_follow_type_hints: bool | None = None,
) -> Any:
    """A function that is traced into a graph once per kind of arguments; also a decorator, with or without parentheses.

    input_signature: a list of `TensorSpec`s (perhaps nested), one for each argument: one trace serves all calls, arguments are converted.
    autograph: make Python's `if`, `while`, `for` and the like on tensors part of the graph.  reduce_retracing: leave sizes that vary
    unknown instead of tracing for each.  jit_compile: run natively from the first call on (True), never (False), or once it pays
    (None), or "xla": by XLA from the first call on (`pip install pullback[xla]`); what has no native code runs on NumPy kernels all the
    same, what XLA does not take natively, and `explain` says why.  experimental_compile is its old name.
    experimental_autograph_options: a `tf.autograph.experimental.Feature` or several; with `BUILTIN_FUNCTIONS` or `ALL`, `print` prints the
    values of tensors at every call, without them the symbols once, while tracing.
    The other `experimental_` options are accepted; they change nothing here.
    Calls differ in kind by the dtypes and shapes of tensors, by Python values, and by the identity of other objects.
    Raises TypeError: `func` no function, arguments that do not fit, a result that is no tensor; ValueError: variables made again in a
    later trace, arguments changed, both `jit_compile` and `experimental_compile`.

    >>> @tf.function
    ... def square_if_positive(x):
    ...     if x > 0:
    ...         return x * x
    ...     return tf.zeros_like(x)
    >>> float(square_if_positive(tf.constant(3.0))), float(square_if_positive(tf.constant(-3.0)))
    (9.0, 0.0)
    """
    features = features_of(experimental_autograph_options)
    relax = reduce_retracing or bool(experimental_relax_shapes)
    if jit_compile is not None and experimental_compile is not None:
        raise ValueError("Cannot specify both 'experimental_compile' and 'jit_compile'.")
    wish = jit_compile if experimental_compile is None else experimental_compile
    jit: Jit = "xla" if wish == "xla" else None if wish is None else bool(wish)

    def decorate(inner: Callable[P, R]) -> Function[P, R]:
        if not callable(inner):
            raise TypeError(f"{inner!r} is not a callable object")
        made = Function(inner, _name_of(inner), input_signature, autograph, relax, jit, features)
        if input_signature is not None:
            _ = made._parameters if not _is_method(inner) else None
        return made

    return decorate if func is None else decorate(func)


def _is_method(inner: Any) -> bool:
    """Whether a function is written in a class, so that its first parameter is not an argument."""
    path = getattr(inner, "__qualname__", "").split(".")
    return len(path) > 1 and path[-2] != "<locals>"


def _name_of(inner: Any) -> str:
    while isinstance(inner, functools.partial):
        inner = inner.func
    name = getattr(inner, "__name__", type(inner).__name__)
    return "lambda" if name == "<lambda>" else str(name)
