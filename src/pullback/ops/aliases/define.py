"""Other names of an operation: one that TensorFlow had before, or has for what another does too.

`version` makes a record from a record.  What the newer op takes besides, as inputs or attributes, is given once and for all (`fixed`); the
kernel, the type rule, the gradient formulas and the batching rule are the other op's, called with it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...base.dtypes import DType, as_dtype as dtype_of
from ...ir.apply import convert_to_tensor
from ...ir.op import Op, Rule, define, set_signature
from ...ir.tensor import TensorType
from ..batching import Batched, rule_of

if TYPE_CHECKING:
    from ..vmap_rules.base import Rows

#: The default of an attribute that has none.
REQUIRED = inspect.Parameter.empty


class _Plan:
    """How a call of the version becomes a call of the op it is a version of."""

    def __init__(self, op: Op, inputs: str, renamed: Mapping[str, str], fixed: Mapping[str, Any], attributes: Mapping[str, Any]) -> None:
        self.op, self.fixed = op, fixed
        self.own = [text.partition(":")[0].lstrip("*") for text in inputs.split()]
        self.back = {theirs: ours for ours, theirs in renamed.items()}
        kept = {name: op.fallbacks.get(name, REQUIRED) for name in op.attributes if name not in fixed}
        self.attributes = {**kept, **attributes}
        self.asked = {name: list(inspect.signature(value).parameters) for name, value in fixed.items() if callable(value)}
        self.sources = [(spec.name, spec.name in fixed) for spec in op.inputs]

    def ours(self, theirs: str) -> str:
        return self.back.get(theirs, theirs)

    def constant(self, theirs: str, known: Mapping[str, Any]) -> Any:
        """What is fixed for an input or attribute: a value, or a function of inputs and attributes of the version."""
        value, asked = self.fixed[theirs], self.asked.get(theirs)
        return value if asked is None else value(*[known[name] for name in asked])

    def inputs(self, given: Sequence[Any], attrs: Mapping[str, Any], wrap: Callable[[Any], Any]) -> list[Any]:
        known = {**attrs, **dict(zip(self.own, given, strict=True))}
        return [wrap(self.constant(name, known)) if is_fixed else known[self.ours(name)] for name, is_fixed in self.sources]

    def attrs(self, given: Mapping[str, Any]) -> dict[str, Any]:
        return {name: self.constant(name, given) if name in self.fixed else given[name] for name in self.op.attributes}

    def signature(self, names: Iterable[str]) -> inspect.Signature:
        positional = [inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD) for name in names]
        keyword = [inspect.Parameter(n, inspect.Parameter.KEYWORD_ONLY, default=value) for n, value in self.attributes.items()]
        return inspect.Signature([*positional, *keyword])

    def formula(self, rule: Rule) -> Callable[..., Any]:
        """A gradient formula that reads the same, under the version's names."""
        reads = [self.place(read) for read in rule.reads if read not in self.fixed]
        extra = sorted({name for read in rule.reads for name in self.asked.get(read, ())} - set(reads))

        def formula(*read: Any) -> Any:
            known = dict(zip((*reads, *extra), read, strict=True))
            if "attrs" in known:
                known["attrs"] = self.attrs(known["attrs"])
            return rule.formula(*(self.fill_fixed(r, known) if r in self.fixed else known[self.place(r)] for r in rule.reads))

        return set_signature(formula, (*reads, *extra))

    def fill_fixed(self, theirs: str, known: Mapping[str, Any]) -> Any:
        """What is fixed, as a gradient formula reads it: inputs are tensors."""
        value = self.constant(theirs, known)
        return convert_to_tensor(value) if any(spec.name == theirs for spec in self.op.inputs) else value

    def place(self, read: str) -> str:
        name, kind = (read[:-5], "_type") if read.endswith("_type") else (read, "")
        return self.ours(name) + kind


def version(
    name: str,
    inputs: str,
    of: Op,
    *,
    renamed: Mapping[str, str] | None = None,
    fixed: Mapping[str, Any] | None = None,
    attributes: Mapping[str, Any] | None = None,
    dtypes: Any = None,
    check: Callable[..., tuple[Any, ...] | None] | None = None,
    **flags: Any,
) -> Op:
    """Make and register `name`, which does what `of` does.

    inputs: as in `define`.  renamed: the name here of an input, to its name there.  fixed: values of the inputs and attributes of `of` that
    are not given here; a function takes inputs and attributes of this op by name.  attributes: what this op has besides those of `of`, with
    their defaults.  check: types and attributes; refuses what only `of` takes, and may give the types as this op narrows them.
    """
    plan = _Plan(of, inputs, renamed or {}, fixed or {}, attributes or {})

    def infer(*types: Any, **attrs: Any) -> Any:
        if check is not None:
            types = check(*types, **attrs) or types
        return of.infer(*plan.inputs(types, attrs, _constant_type), **plan.attrs(attrs))

    def kernel(*arrays: Any, **attrs: Any) -> Any:
        if check is not None:
            check(*(_types_of(a) for a in arrays), **attrs)
        site = {"site": attrs.pop("site")} if of.stateful else {}
        return of.kernel(*plan.inputs(arrays, attrs, np.asarray), **plan.attrs(attrs), **site)

    def batch(rows: Rows, *given: Any, **attrs: Any) -> Batched:
        own, rows.op = rows.op, of
        rule = rule_of(of)
        assert rule is not None
        try:
            return rule(rows, *plan.inputs(given, attrs, convert_to_tensor), **plan.attrs(attrs))
        finally:
            rows.op = own

    set_signature(infer, plan.signature(plan.own))
    rules = None if of.rules is None else {_unwrap_single(map(plan.ours, rule.names)): plan.formula(rule) for rule in of.rules}
    settings = {
        "outputs": " ".join(of.outputs), "broadcasts": of.broadcasts, "holomorphic": of.holomorphic, "sparse": of.sparse,
        "stateful": of.stateful, "effects": of.effects, **flags,
    }  # fmt: skip
    return define(
        name, inputs, infer, kernel, rules,
        dtypes=of.dtypes if dtypes is None else dtypes,
        batch=batch if check is not None or callable(of.batch) or (of.batch is None and not of.pointwise) else of.batch,
        lower=_lower_alias(of, plan), pointwise=of.pointwise, by_element=of.pointwise, **settings,
    )  # fmt: skip


def _lower_alias(of: Op, plan: _Plan) -> Any:
    """The lowering for the engine: the other op's, with what is fixed as constants."""
    if of.lower is None or isinstance(of.lower, str):
        return of.lower
    if of.stateful:
        return of.lower if not plan.fixed and not plan.attributes.keys() - set(of.attributes) else None

    def lower(builder: Any, *given: Any, **attrs: Any) -> Any:
        return of.lower(builder, *plan.inputs(given, attrs, lambda value: builder.fix_array(np.asarray(value))), **plan.attrs(attrs))

    return lower


def _unwrap_single(names: Iterable[str]) -> str | tuple[str, ...]:
    found = tuple(names)
    return found[0] if len(found) == 1 else found


def _constant_type(value: Any) -> TensorType:
    array = np.asarray(value)
    return TensorType(array.shape, dtype_of(array.dtype), array)


def _types_of(array: Any) -> Any:
    if isinstance(array, (list, tuple)):
        return [_types_of(a) for a in array]
    return TensorType(array.shape, dtype_of(array.dtype), array) if isinstance(array, np.ndarray) else array


def zero_like(x: Any) -> Any:
    """A zero of the dtype of an array, a type or a tensor: false for truth values, empty for text."""
    dtype = x.dtype.numpy_dtype if isinstance(x.dtype, DType) else x.dtype
    return np.array(b"", object) if np.dtype(dtype).hasobject else np.zeros((), dtype)
