"""Signatures: functions of tensors by name that give a dict of tensors, which is how a SavedModel is served."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

from ...ir.composite import CompositeTensor
from ...ir.op import set_signature
from ...ir.tensor import Tensor
from ...ops.constant import TensorSpec
from ...trace.arguments import Form
from ...trace.concrete import ConcreteFunction
from ...trace.function import Function, function
from .parts import DEFAULT_SERVING_SIGNATURE_DEF_KEY

#: The attribute by which a root says what its default signature is.
_DEFAULT = "_default_save_signature"


def find_default(root: object, children: Mapping[str, Any]) -> Any:
    """The function that becomes the signature of a root for which none was given: its only one, if that can be one."""
    try:
        said = getattr(root, _DEFAULT, None)
    except (TypeError, ValueError):  # what a property says of a model whose inputs are not known, in TensorFlow too
        said = None
    if said is not None:
        return said
    traces = [trace for child in children.values() if (trace := _trace_of(child)) is not None and _can_be_one(trace)]
    return traces[0] if len(traces) == 1 else None


def _trace_of(given: Any) -> ConcreteFunction | None:
    """The trace that a function has for its input signature; a trace itself."""
    if isinstance(given, Function) and given.input_signature is not None:
        given = given.get_concrete_function()
    return given if isinstance(given, ConcreteFunction) else None


def _can_be_one(concrete: ConcreteFunction) -> bool:
    """Whether a function gives what a signature gives."""
    try:
        return bool(_name_outputs(concrete._returned, concrete, ""))
    except ValueError:
        return False


def make_signatures(given: object) -> dict[str, ConcreteFunction]:
    """What `signatures` of `save` says, as functions by their keys.

    Raises:
        ValueError: what is no function, has no input signature, or gives other things than tensors.
    """
    by_key = {} if given is None else given if isinstance(given, Mapping) else {DEFAULT_SERVING_SIGNATURE_DEF_KEY: given}
    for key in by_key:
        if not isinstance(key, str):
            raise ValueError(f"The key of a signature is a string, got {key!r}")
    return {key: _signature_of(key, found) for key, found in by_key.items()}


def _signature_of(key: str, given: Any) -> ConcreteFunction:
    concrete = _trace_of(given)
    if concrete is None:
        raise ValueError(
            f"Expected a TensorFlow function for which to generate a signature, but got {given}. Only `tf.functions` with an input "
            "signature or concrete functions can be used as a signature."
        )
    names = _names_of(concrete)

    def signature_wrapper(**tensors: Any) -> dict[str, Any]:
        return _name_outputs(concrete.call_on_tensors([tensors[name] for name in names]), concrete, key)

    keywords = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY) for name in sorted(names)]
    set_signature(signature_wrapper, inspect.Signature(keywords))
    specs = {name: TensorSpec(t.dims, t.dtype, name) for name, t in zip(names, concrete.body.inputs, strict=False)}
    return function(signature_wrapper, autograph=False).get_concrete_function(**specs)


def _names_of(concrete: ConcreteFunction) -> list[str]:
    """The names of the tensors among the arguments: of their specs, or of the parameters, with numbers where they stood before."""
    form, parameters = concrete._form, concrete._parameters.names
    given = [(parameters[min(i, len(parameters) - 1)], arg) for i, arg in enumerate(form.args)]
    given += [(key, form.kwargs[key]) for key in sorted(form.kwargs)]
    by_parameter = [name for name, arg in given for _ in Form((arg,), {}, [name]).leaves]
    own = [leaf.value.name if isinstance(leaf.value, TensorSpec) else None for leaf in form.leaves]
    found: list[str] = []
    for name in (mine or parameter for mine, parameter in zip(own, by_parameter, strict=True)):
        name = "".join(c if c.isalnum() or c == "_" else "_" for c in name)
        tried, count = name, 0
        while tried in found:
            count += 1
            tried = f"{name}_{count}"
        found.append(tried)
    return found


def _name_outputs(outputs: Any, concrete: ConcreteFunction, key: str) -> dict[str, Any]:
    if isinstance(outputs, Mapping):
        named = dict(outputs)
    else:
        listed = [] if outputs is None else outputs if isinstance(outputs, (list, tuple)) else [outputs]
        named = {f"output_{i}": t for i, t in enumerate(listed)}
    used = f"in the output of the function {concrete.name} used to generate the SavedModel signature {key!r}"
    for name, t in named.items():
        if not isinstance(name, str):
            raise ValueError(f"Got a dictionary with a non-string key {name!r} {used}. Received outputs: {outputs}.")
        if not isinstance(t, (Tensor, CompositeTensor)):
            raise ValueError(
                f"Got a non-Tensor value {t!r} for key {name!r} {used}. Outputs for functions used as signatures must be a single Tensor, "
                "a sequence of Tensors, or a dictionary from string to Tensor."
            )
    return named
