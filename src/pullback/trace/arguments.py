"""What a call of a function is given: bound to the parameters, then parted into tensors and everything else.

A trace holds for all calls whose arguments have the same `form`: the same nesting, tensors of the same dtypes and shapes, equal Python
values of the same type, the same objects.  (TensorFlow takes 1, 1.0 and True for one value; here each has its own trace, so that a
function of a Python float never answers with the integer of an earlier call.)
"""

from __future__ import annotations

import inspect
import weakref
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from ..base import nest
from ..base.dtypes import DType
from ..base.shapes import as_dims
from ..base.structures import structure_of
from ..ir.apply import convert_to_tensor
from ..ir.composite import CompositeSpec, CompositeTensor
from ..ir.tensor import Dims, Tensor
from ..ir.type_spec import Placeholders, known_spec, tracing_type
from ..ops.constant import TensorSpec
from ..ops.type_specs import IndexedSlicesSpec, NoneTensorSpec

_PLAIN = (int, float, complex, str, bytes, bool, type(None))
Given = tuple[tuple[Any, ...], dict[str, Any]]
#: Specs of what is here without one's asking; they tell of such values from now on, and the faces have them from here.
SPECS = (IndexedSlicesSpec, NoneTensorSpec)


class Same:
    """An object as part of a form: equal to itself only, and not kept alive where a weak reference to it can be had."""

    __slots__ = ("number", "reference")

    def __init__(self, value: Any) -> None:
        self.number = id(value)
        try:
            self.reference: Callable[[], Any] = weakref.ref(value)
        except TypeError:
            self.reference = lambda: value

    def __hash__(self) -> int:
        return self.number

    def __eq__(self, other: object) -> bool:
        mine = self.reference()
        return isinstance(other, Same) and mine is not None and mine is other.reference()


class Leaf:
    """A tensor among the arguments: what it is, its name, and the variable whose handle it is, if it is one."""

    __slots__ = ("dims", "dtype", "name", "value", "variable")

    def __init__(self, value: Any, dims: Dims, dtype: DType, name: str, variable: Any = None) -> None:
        self.value, self.dims, self.dtype, self.name, self.variable = value, dims, dtype, name, variable

    def give_stand_in(self, stand_in: Tensor) -> Any:
        """What the Python function is given for a stand-in: the tensor itself, or the variable whose handle it stands for."""
        return stand_in if self.variable is None or not isinstance(stand_in, Tensor) else self.variable

    @property
    def kind(self) -> tuple[DType, Dims]:
        """What calls must agree in to share a trace."""
        return self.dtype, self.dims


def is_variable(value: object) -> bool:
    """Whether `value` is a variable."""
    return isinstance(getattr(value, "handle", None), Tensor) and hasattr(value, "read_value")


def is_composite(value: object) -> bool:
    """Whether `value` is made of tensors and counts as one: IndexedSlices, a TensorArray."""
    return getattr(type(value), "_is_composite", False)


def is_tensor_argument(value: Any) -> bool:
    """Whether `value` is passed to a trace as a tensor: a tensor, an array, a variable, or the spec of a tensor."""
    return isinstance(value, (Tensor, TensorSpec, np.ndarray, np.generic)) or (is_variable(value) and value._graph is None)


class Form:
    """Arguments parted: `leaves` are the tensors in order, `structure` is a hashable form of the rest."""

    def __init__(self, args: tuple[Any, ...], kwargs: dict[str, Any], names: list[str]) -> None:
        self.args, self.kwargs = args, kwargs
        self.leaves: list[Leaf] = []
        self._variables: dict[int, int] = {}
        parts = [self._part(a, names[min(i, len(names) - 1)] if names else "args") for i, a in enumerate(args)]
        self.structure: Any = (tuple(parts), tuple((k, self._part(kwargs[k], k)) for k in sorted(kwargs)))

    @property
    def kinds(self) -> tuple[Any, ...]:
        """The dtypes and shapes of the tensors."""
        return tuple(leaf.kind for leaf in self.leaves)

    def _part(self, value: Any, name: str) -> Any:
        if isinstance(value, Tensor):
            return self._leaf(value, value.dims, value.dtype.base_dtype, name)
        if isinstance(value, TensorSpec):
            return self._leaf(value, as_dims(value.shape), value.dtype, value.name or name)
        if isinstance(value, (np.ndarray, np.generic)):  # before Python's numbers: np.float64 is one of them
            return self._part(convert_to_tensor(value), name)
        if isinstance(value, _PLAIN):
            return type(value), value if value == value else "nan"  # noqa: PLR0124  # only nan differs from itself
        if is_composite(value):
            parts = tuple(self._part(t, name) for t in value._components())
            kind = value.value_type if isinstance(value, CompositeSpec) else type(value)
            return kind, getattr(value, "_form", None), parts
        if is_variable(value) and value._graph is None:
            return self._variable(value, name)
        traced = tracing_type(value)
        if traced is not None:
            return traced, tuple(self._part(t, name) for t in traced.to_tensors(value))
        if isinstance(value, Mapping) and structure_of(type(value)) is None:
            return type(value), tuple((key, self._part(value[key], f"{name}_{key}")) for key in nest.sorted_keys(value))
        if nest.is_nested(value):
            static = nest.static_part(value)
            parts = tuple(self._part(v, name) for v in nest.children(value))
            static = tuple(static) if type(static) is list else static  # as optree gives the keys of a dict
            return (type(value), parts) if static is None else (type(value), _object(static), parts)
        return _object(value)

    def _leaf(self, value: Any, dims: Dims, dtype: DType, name: str, variable: Any = None) -> str:
        self.leaves.append(Leaf(value, dims, dtype, name, variable))
        return "tensor"

    def _variable(self, variable: Any, name: str) -> Any:
        number = self._variables.setdefault(id(variable), len(self._variables))
        self._leaf(variable.handle, (), variable.handle.dtype, name, variable)
        return "variable", number, variable.dtype, variable.dims, variable._trainable

    def with_stand_ins(self, stand_ins: list[Any]) -> Given:
        """The arguments with these tensors in place of their own; containers are new ones."""
        return self._rewritten(stand_ins, _replace_parts)

    def as_specs(self, specs: list[TensorSpec]) -> Given:
        """The arguments with these specs in place of their tensors, and the spec of each composite value."""
        return self._rewritten(specs, lambda value, parts: tracing_type(value) or known_spec(value))

    def _rewritten(self, stand_ins: list[Any], composite: Callable[[Any, list[Any]], Any]) -> Given:
        given = iter(zip(self.leaves, stand_ins, strict=True))
        whole = [self.args, self.kwargs]
        args, kwargs = nest.pack_sequence_as(whole, [_replace_tensors(leaf, given, composite) for leaf in nest.flatten(whole)])
        return args, kwargs


def _object(value: Any) -> Any:
    """Any other object: by value where it is compared so, else the object itself."""
    compared = getattr(type(value), "__eq__", None)
    if compared is not object.__eq__ and getattr(type(value), "__hash__", None) is not None:
        return type(value), value
    if compared is object.__eq__ or type(value).__module__ != "builtins":
        return Same(value)
    raise TypeError(
        f"Could not generate a generic TraceType for {value!r}: it can neither be hashed nor weakly referenced, so calls with it could "
        "not share a trace. Pass tensors, numbers, strings, or lists, tuples and dicts of them."
    )


def _replace_parts(value: Any, parts: list[Any]) -> Any:
    """A composite value, or one that says what it is to a trace, made of other parts."""
    kind = tracing_type(value)
    if kind is not None and not isinstance(value, CompositeTensor):
        return kind.placeholder_value(Placeholders(parts))
    return value._as_argument(parts) if isinstance(value, CompositeTensor) else value._from_components(parts)


def _replace_tensors(value: Any, given: Iterator[tuple[Leaf, Any]], composite: Callable[[Any, list[Any]], Any]) -> Any:
    """`value` with the next stand-ins in place of its tensors, in the order in which `Form` found them."""
    if isinstance(value, (Tensor, TensorSpec, np.ndarray, np.generic)):
        return next(given)[1]
    if isinstance(value, _PLAIN):
        return value
    if is_composite(value):
        return composite(value, [_replace_tensors(t, given, composite) for t in value._components()])
    if is_variable(value) and value._graph is None:
        leaf, stand_in = next(given)
        return leaf.give_stand_in(stand_in)
    kind = tracing_type(value)
    return value if kind is None else composite(value, [_replace_tensors(t, given, composite) for t in kind.to_tensors(value)])


class Parameters:
    """The parameters of a Python function, and perhaps the signature that all calls must fit."""

    def __init__(self, function: Callable[..., Any], input_signature: Any, skip_first: bool = False) -> None:
        signature = inspect.signature(function)
        parameters = list(signature.parameters.values())
        if skip_first and parameters and parameters[0].kind in (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD):
            parameters = parameters[1:]
        self.signature = signature.replace(parameters=parameters)
        self.names = [p.name for p in parameters if p.kind is not p.VAR_KEYWORD and p.kind is not p.KEYWORD_ONLY]
        self.count = len(parameters) if all(p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) for p in parameters) else -1
        self.input_signature = _check_signature(input_signature, parameters)

    def bind(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Given:
        """The arguments as (positional, keyword-only), defaults filled in; TypeError where they do not fit."""
        if kwargs or len(args) != self.count:
            try:
                bound = self.signature.bind(*args, **kwargs)
            except TypeError as error:
                raise self.explain_refusal(str(error), args, kwargs) from None
            bound.apply_defaults()
            args, kwargs = bound.args, bound.kwargs
        if self.input_signature is not None:
            args = self._fit_arguments(args, kwargs)
        return args, kwargs

    def declare_kinds(self, kinds: tuple[Any, ...]) -> tuple[Any, ...]:
        """The kinds that the input signature declares, for the arguments it speaks of."""
        specs = [(s.dtype, as_dims(s.shape)) for s in nest.flatten(list(self.input_signature), expand_composites=True)]
        return (*specs, *kinds[len(specs) :])

    def accepts(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
        """Whether arguments can be bound as they are."""
        try:
            self.signature.bind(*args, **kwargs)
        except TypeError:
            return False
        return True

    def by_name(self, args: tuple[Any, ...], kwargs: dict[str, Any], otherwise: dict[str, Any] | None = None) -> dict[str, Any]:
        """The arguments by the names of the parameters; those left out from `otherwise`.  TypeError where they do not fit."""
        try:
            given = self.signature.bind_partial(*args, **kwargs).arguments
        except TypeError as error:
            raise self.explain_refusal(str(error), args, kwargs) from None
        if otherwise is None:
            return dict(given)
        for name, value in otherwise.items():
            if name not in given:
                if any(is_tensor_argument(leaf) or is_composite(leaf) for leaf in nest.flatten(value)):
                    raise self.explain_refusal(f"missing a required argument: '{name}'", args, kwargs)
                given[name] = value
        return dict(given)

    def explain_refusal(self, reason: str, args: object, kwargs: object) -> TypeError:
        """The error of arguments that do not fit."""
        return TypeError(
            f"Binding inputs to tf.function failed due to `{reason}`. Received args: {args} and kwargs: {kwargs} for "
            f"signature: {self.show()}."
        )

    def show(self) -> str:
        """The parameters, with the specs they must fit."""
        specs = iter(self.input_signature or ())
        texts = []
        for p in self.signature.parameters.values():
            spec = next(specs, None)
            texts.append(str(p.replace(annotation=inspect.Parameter.empty)) if spec is None else f"{p.name}: {spec}")
        return f"({', '.join(texts)})"

    def _fit_arguments(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
        fitted: list[Any] = []
        for spec, arg in zip(self.input_signature, args, strict=False):
            try:
                parts = nest.flatten_up_to(spec, arg)
            except (TypeError, ValueError) as error:
                raise self.explain_refusal(str(error), args, kwargs) from None
            tensors = [self._cast(s, part, args, kwargs) for s, part in zip(nest.flatten(spec), parts, strict=True)]
            fitted.append(nest.pack_sequence_as(spec, tensors))
        defaults = list(self.signature.parameters.values())[len(fitted) :]
        for parameter, arg in zip(defaults, args[len(fitted) :], strict=False):
            if parameter.kind is not parameter.VAR_POSITIONAL and arg is not parameter.default and arg != parameter.default:
                raise self.explain_refusal(f"Can not cast {arg!r} to Literal[{parameter.default!r}]", args, kwargs)
        return (*fitted, *args[len(fitted) :])

    def _cast(self, spec: Any, value: Any, args: Any, kwargs: Any) -> Tensor:
        if isinstance(spec, CompositeSpec):
            try:
                return spec._cast(value)
            except (TypeError, ValueError) as error:
                raise self.explain_refusal(str(error), args, kwargs) from None
        if isinstance(value, TensorSpec):
            tensor: Any = value
        else:
            try:
                tensor = value if isinstance(value, Tensor) else convert_to_tensor(value, None if is_variable(value) else spec.dtype)
            except (TypeError, ValueError) as error:
                raise self.explain_refusal(str(error), args, kwargs) from None
        if tensor.dtype.base_dtype != spec.dtype or not _fits(as_dims(tensor.shape), as_dims(spec.shape)):
            shown = TensorSpec(tensor.shape, tensor.dtype)
            raise self.explain_refusal(f"Can not cast {shown} to {spec}", args, kwargs)
        return tensor


def _fits(dims: Dims, wanted: Dims) -> bool:
    """Whether a shape is one of those that `wanted` stands for."""
    if wanted is None:
        return True
    return dims is not None and len(dims) == len(wanted) and all(n is None or m == n for m, n in zip(dims, wanted, strict=True))


def fits(kinds: tuple[Any, ...], wanted: tuple[Any, ...]) -> bool:
    """Whether tensors of these kinds may be passed where the `wanted` ones were declared."""
    return all(d is w and _fits(dims, shape) for (d, dims), (w, shape) in zip(kinds, wanted, strict=True))


def relax_kinds(kinds: tuple[Any, ...], others: tuple[Any, ...]) -> tuple[Any, ...] | None:
    """The kinds that both fit, sizes unknown where they differ; None where dtypes do."""
    if any(d is not e for (d, _), (e, _) in zip(kinds, others, strict=True)):
        return None
    return tuple((d, _common_dims(m, n)) for (d, m), (_, n) in zip(kinds, others, strict=True))


def _common_dims(a: Dims, b: Dims) -> Dims:
    if a is None or b is None or len(a) != len(b):
        return None
    return tuple(m if m == n else None for m, n in zip(a, b, strict=True))


def _check_signature(input_signature: Any, parameters: list[inspect.Parameter]) -> Any:
    if input_signature is None:
        return None
    if not isinstance(input_signature, (tuple, list)):
        raise TypeError(f"input_signature must be either a tuple or a list, got {type(input_signature)}.")
    leaves = nest.flatten(list(input_signature))
    wrong = [leaf for leaf in leaves if not isinstance(leaf, (TensorSpec, CompositeSpec))]
    if wrong:
        raise TypeError(
            f"input_signature must be a possibly nested sequence of TensorSpec objects, got invalid args {wrong} with types "
            f"{[type(leaf) for leaf in wrong]}."
        )
    return _match_specs(tuple(input_signature), parameters)


def _match_specs(specs: tuple[Any, ...], parameters: list[inspect.Parameter]) -> tuple[Any, ...]:
    positional = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    variadic = any(p.kind is p.VAR_POSITIONAL for p in parameters)
    if len(specs) > len(positional) and not variadic:
        raise TypeError(f"input_signature contains {len(specs) - len(positional)} extra type constraints.")
    for p in positional[len(specs) :]:
        if p.default is p.empty:
            raise TypeError(f"input_signature missing type constraint for {p.name}")
    for p in parameters:
        if p.kind is p.KEYWORD_ONLY and p.default is p.empty:
            raise TypeError(f"Since input_signature is defined, keyword-only parameter `{p.name}` must have a default value")
    return specs
