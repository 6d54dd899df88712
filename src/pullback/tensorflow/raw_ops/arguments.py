"""What the arguments of `tf.raw_ops` are called, where TensorFlow calls them otherwise than the inputs of its nodes.

An operation's record has the names of nodes (`reduction_indices`), which graphs show and rules read; its raw function has those of
TensorFlow's API (`axis`).  Besides, TensorFlow's kernels take hints on how to work, which change no result: they are taken and let go.
"""

from __future__ import annotations

import functools
import inspect
from typing import Any

from ...ir.attributes import as_flag
from ...ir.op import Op


def argument_name(op: Op, name: str) -> str:
    """What the argument for an input or attribute is called."""
    return op.traits.raw_names.get(name, name)


@functools.cache
def signature(op: Op) -> inspect.Signature:
    """The arguments of the raw function: inputs, attributes and hints, all by keyword, those without a default first."""
    fallbacks = {**op.fallbacks, **op.traits.raw_hints, "name": None}
    outer = [n for n in op.attributes if n not in op.traits.internal]
    names = dict.fromkeys([*(i.name for i in op.inputs), *outer, *op.traits.raw_hints, "name"])
    parameters = [
        inspect.Parameter(argument_name(op, n), inspect.Parameter.KEYWORD_ONLY, default=fallbacks.get(n, inspect.Parameter.empty))
        for n in names
    ]
    return inspect.Signature(sorted(parameters, key=lambda p: p.default is not p.empty))


def bind_arguments(op: Op, given: dict[str, Any]) -> tuple[list[Any], dict[str, Any]]:
    """The inputs and attributes of a call by keyword; a TypeError that names what lacks, or what is unknown and what there is."""
    inputs, attributes, flags = _bind_names(op, tuple(given))
    for hint in flags:
        if given[hint] is not None:
            as_flag(hint, given[hint])
    found = {}
    for name, attribute in attributes:
        value = given[name]
        found[attribute] = tuple(value) if isinstance(value, list) else value  # a tuple cannot change after the node is made
    return [given[n] for n in inputs], found


@functools.lru_cache(10_000)
def _bind_names(op: Op, given: tuple[str, ...]) -> tuple[list[str], list[tuple[str, str]], list[str]]:
    """What inputs are called, of the attributes that are given what they are called there and here, and the hints given that are flags."""
    known, required, attributes, inputs, flags = _names(op)
    if not known.issuperset(given):
        there, unknown = ", ".join(signature(op).parameters), sorted(set(given) - known)
        raise TypeError(f"{op.name}() got an unexpected keyword argument {', '.join(map(repr, unknown))}; its arguments are {there}")
    if not required.issubset(given):
        lacking = [n for n in signature(op).parameters if n in required and n not in given]
        raise TypeError(f"{op.name}() missing required argument(s): {', '.join(lacking)}")
    return inputs, [(n, attributes[n]) for n in given if n in attributes], [n for n in flags if n in given]


@functools.cache
def _names(op: Op) -> tuple[frozenset[str], frozenset[str], dict[str, str], list[str], list[str]]:
    """The raw function's arguments, those without a default, attributes by what they are called, what inputs are called, hints of flags."""
    known = signature(op).parameters
    required = frozenset(n for n, p in known.items() if p.default is p.empty)
    inputs = [argument_name(op, i.name) for i in op.inputs]
    flags = [n for n, value in op.traits.raw_hints.items() if isinstance(value, bool)]
    return frozenset(known), required, {argument_name(op, n): n for n in op.attributes}, inputs, flags
