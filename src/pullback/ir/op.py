"""`Op`: everything the library knows about one operation, in one record; `define` checks it once, when it is made.

Inputs are written `"x y"`: every bare name is of dtype T and all of T agree; `"params:P indices:I"` names other dtype
variables, `"shape:int32"` a fixed dtype, `"x:any"` any dtype, `"*values"` any number of inputs.  `dtypes` gives the allowed set of
each variable.  `"x:T=float32"` says which dtype a value takes that leaves it open, `"x:Tidx="` that there is none (`DEFAULTS`).
A gradient formula is a function whose parameter names say what it reads; they are resolved here, once:

    g               the cotangent of the output (g_<output> where there are several, `gs` for a variable number)
    out             the output (or an output's own name)
    x               the input x;  x_type: its dims and dtype only, which costs a tape nothing
    axis            the attribute `axis`; attrs: all attributes by name, for a rule that calls an op which takes the same
    node, active    the node itself, and which of its flat inputs the sweep asks for (for ops that hold whole graphs)
    total           in a formula that adds to a cotangent (`into`): what there is already

An op whose `vjp` is None has no gradient registered: differentiating through it is a LookupError.
An op whose `vjp` is empty, or says nothing of an input, is constant with respect to it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache
from types import CodeType, FunctionType, MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeGuard, TypeVar

import numpy as np

from ..base.dtypes import ANY, DType, as_dtype, complex64, float32, int32, int64, resource
from ..base.tolerance import EXACT, Tolerance
from .attributes import fit, taken_types
from .context import Dispatch
from .node import PACKAGE
from .registry import Registry
from .strings import map_objects
from .tensor import Tensor, TensorType

if TYPE_CHECKING:
    from .node import Node

#: What a tape keeps of an input: nothing beyond its identity, its dims and dtype, or its value.
NOTHING, TYPE, VALUE = 0, 1, 2
Infer = Callable[..., TensorType | tuple[TensorType, ...]]
Kernel = Callable[..., Any]
Cotangent = Any
F = TypeVar("F", bound=Callable[..., Any])


_FIXED = frozenset(d.name for d in ANY)

#: Of variables that mean the same in every op (`Tidx` axes, `Tcomplex` what is transformed): the dtype of a value that leaves it open.
_WHOLE = "Tblock_shape Tcrops Tdim Tidx Tk Tmultiples Tnumsegments Tpaddings Tperm Tsegmentids Tshape index_type shape_type"
_LONG = "TI Tindex Tlabels Tlen Tseed Tsplits shape_dtype"
_REAL = "TInput T_threshold Treal"
DEFAULTS = {name: dtype for names, dtype in ((_WHOLE, int32), (_LONG, int64), (_REAL, float32)) for name in names.split()} | {
    "Tcomplex": complex64
}
_RESERVED = frozenset({"g", "gs", "out", "attrs", "node", "active"})


class Input:
    """One input of an op: its name, which dtype it must have, and whether it stands for any number of tensors.

    captures: whether it is whatever a body reads, a variable itself among it, not its value.
    """

    __slots__ = ("captures", "default", "dtype", "name", "variable", "variadic")

    def __init__(self, text: str) -> None:
        text, says, default = text.partition("=")
        name, _, dtype = text.partition(":")
        self.variadic = name.startswith("*")
        self.name = name.lstrip("*")
        fixed = dtype in _FIXED
        self.dtype: DType | None = as_dtype(dtype) if fixed else None
        self.variable = "" if fixed or dtype in ("any", "captured") else (dtype or "T")
        self.captures = dtype == "captured"
        #: What a value becomes that leaves its dtype open, where the op says it.
        self.default: DType | None = (as_dtype(default) if default else None) if says else DEFAULTS.get(self.variable)


class Rule:
    """A gradient formula of one or several inputs, with what it reads resolved to places in a node.

    places: where in a node each thing that the formula reads is.  call: the formula, of a node and its cotangent.
    into: `call` with a further argument, what there is already, to which it adds the cotangent; None where there is no such formula.
    """

    __slots__ = ("call", "formula", "indices", "into", "names", "places", "reads")

    def __init__(
        self, names: tuple[str, ...], indices: tuple[int, ...], formula: Callable[..., Any], reads: tuple[str, ...], places: tuple[str, ...]
    ) -> None:
        self.names = names
        self.indices = indices
        self.formula = formula
        self.reads = reads
        self.places = places
        self.call: Callable[..., Any]
        self.into: Any = None

    def __getattr__(self, name: str) -> Any:
        """`call`, made when it is first read: most rules of a program are not asked."""
        if name != "call":
            raise AttributeError(f"a rule has no {name!r}")
        self.call = _reader(self.places)(self.formula)
        return self.call


class Remedies(NamedTuple):
    """What to write instead of an operation that gives the first infinity or NaN, or no gradient, as words after "Instead: "."""

    forward: str = ""
    #: Where its gradient gives it.
    backward: str = ""
    #: Where it gives a NaN because something infinite came in.
    of_infinity: str = ""
    #: Where a gradient is wanted, and it has no derivative.
    no_derivative: str = ""


class Traits(NamedTuple):
    """What is said of an operation for readers beside dispatch, the sweeps and the engine: `define(..., traits=Traits(copies=True))`."""

    #: It hands on values that were looked at before, or makes such as are given: `enable_check_numerics` does not look at its outputs.
    copies: bool = False
    #: It places elements elsewhere: zeros that come back through it in one place were chosen nearer to the target (`why`).
    moves: bool = False
    #: What of its inputs it passes on, in words before "other elements" (`why`).
    chooses: str = ""
    #: Its cotangents are products with its other inputs (`why`).
    multiplies: bool = False
    #: Its slope falls below the last digit far out (`why`).
    saturates: bool = False
    #: Why no gradient passes it, by a code of `why`, where the reason is not that it has no derivative.
    ends: str = ""
    #: It reads of its inputs nothing but their shapes (`why`).
    reads_shape: bool = False
    #: Its slope is zero in whole regions (`why`).
    flat: bool = False
    #: Its kernel computes with shapes that are known in part.
    folds_in_part: bool = False
    #: A run may be fed another value than its inputs give: what they hold while a graph is built says nothing of its output.
    may_be_fed: bool = False
    #: An element of it takes as long as a call of a function of the C library, some eight plain operations.
    slow: bool = False
    #: Its output is its first input, as it is.
    same: bool = False
    #: TensorFlow's output has the memory of the first input: where that is a variable, it shows what is written there later.
    shares: bool = False
    #: Of a sparse tensor it is the same of the values: it keeps zeros, or TensorFlow takes it so.
    on_values: bool = False
    #: Row b of its output reads row b of its first input, where that has more than one axis, and what its other inputs have for all rows.
    by_rows: bool = False
    #: Row b of its output reads row b of every input of the output's rank, where that is above two, and all of the others.
    stacked: bool = False
    #: It is a product of matrices: the attributes that say whether its factors are transposed.
    transposes: tuple[str, ...] = ()
    #: How many multiplications its derivative takes for each element and column of its matrices, where it is a function of whole ones.
    by_matrix: int = 0
    #: Its second input names axes of its first, which its output lacks or has once.
    reduces: bool = False
    #: What to write instead where it gives no finite number, or no gradient; without them there is a general sentence.
    remedies: Remedies = Remedies()
    #: It applies bodies to its last inputs, and its outputs are what they give: a call, a branch, a loop.
    applies_bodies: bool = False
    #: TensorFlow's function opens a scope of the operation's name: gradients on tapes stand in it.
    opens_scope: bool = False
    #: Its gradient is a function's, which TensorFlow's tape calls as it is: it stands where the gradient was asked for.
    calls_gradient: bool = False
    #: When TensorFlow's gradient of its second operand has the name of the first one's on a tape that asks for no other: "always", or
    #: where the operands' shapes are "unequal" or not known.
    numbers_made: str = ""
    #: It is stateful, but running it again changes nothing.
    repeatable: bool = False
    #: It is stateful, but keeps nothing of its own from one run to the next.
    siteless: bool = False
    #: Its nodes run at the same time in a session: makes one node of several of which none waits for another.
    together: Callable[[Sequence[Node]], Node] | None = None
    #: It begins what goes on by itself: it runs as soon as what it reads is known, and what does not need to be done before comes after it.
    early: bool = False
    #: Attributes that only functions of ours set: `tf.raw_ops` does not show them.
    internal: tuple[str, ...] = ()
    #: What `tf.raw_ops` calls inputs and attributes, where it calls them otherwise than graphs do.
    raw_names: Mapping[str, str] = MappingProxyType({})
    #: How TensorFlow's kernel is told to work, which changes no result: arguments of `tf.raw_ops` that are taken and let go, and defaults.
    raw_hints: Mapping[str, object] = MappingProxyType({})


PLAIN = Traits()


class Memory:
    """What readers of a record have found out about its operation: not part of what it is."""

    __slots__ = ("array_rules", "caller", "depth", "nearest")

    def __init__(self, nearest: int = 3) -> None:
        #: Its rules as closures over arrays, by dtype.
        self.array_rules: dict[Any, tuple[tuple[int, Callable[..., Any]], ...] | None] = {}
        #: How many frames lay between a tape and the line of the program when it was last recorded, and how many there are at least.
        self.depth = self.nearest = nearest
        #: The code of the program that asked for it last, where it was that near.
        self.caller: CodeType | None = None


class Op:
    """One operation. Its record does not change.

    Each field has one reader: dispatch (`kernel`, `infer`), the sweeps (`rules`, `jvp`, `batch`), the compiler (`lower`).
    """

    __slots__ = (
        "array_vjp",
        "attribute_names",
        "attributes",
        "batch",
        "broadcasts",
        "by_element",
        "call",
        "calls_apply",
        "changes",
        "differentiable",
        "dtypes",
        "effects",
        "fallbacks",
        "fills",
        "gradient_names",
        "hands_on",
        "holomorphic",
        "infer",
        "inputs",
        "jvp",
        "keeps",
        "keeps_output",
        "kernel",
        "lists",
        "lower",
        "memory",
        "name",
        "outputs",
        "packed",
        "passes",
        "plain",
        "pointwise",
        "rules",
        "sparse",
        "stateful",
        "takes_part",
        "tolerance",
        "traits",
        "types",
        "variadic",
    )  # fmt: skip
    name: str
    inputs: tuple[Input, ...]
    outputs: tuple[str, ...]
    attributes: tuple[str, ...]
    attribute_names: frozenset[str]
    fallbacks: dict[str, Any]
    dtypes: dict[str, frozenset[DType]]
    infer: Infer
    kernel: Kernel
    #: The kernel over columns of strings (`StringArray`) where there is one; `kernel` is then the same over arrays of objects.
    packed: Kernel | None
    #: The kernel that changes the array of the first input, and gives it back, where there is one; `kernel` is then the same on a copy.
    changes: Kernel | None
    #: For an op that holds bodies: which outputs of a node are inputs changed where they are, by number (`ir.in_place`).
    hands_on: Callable[[Node], dict[int, int]] | None
    #: Whether it reads only a part of its first input, or nothing but its shape.
    takes_part: bool
    #: Whether it hands its input on, and the cotangent back, as they are.
    passes: bool
    rules: tuple[Rule, ...] | None
    jvp: Callable[..., Any] | None
    batch: Callable[..., Any] | str | None
    lower: Any
    tolerance: Tolerance
    traits: Traits
    broadcasts: bool
    holomorphic: bool
    sparse: bool
    stateful: bool
    effects: bool
    pointwise: bool  #: by_element, and the Jacobian by each input is diagonal: of the family `elementwise`
    by_element: bool
    plain: bool
    #: TensorFlow's names of an op on variables: for one of TensorFlow 1, a reference, and for a resource.
    types: tuple[str, str] | None
    variadic: int | None
    lists: int  #: how many inputs are lists
    differentiable: tuple[int, ...]
    keeps: tuple[int, ...]
    keeps_output: bool
    #: `(node, cotangents, active) -> [(uid, cotangent)]` over arrays, for sweeps that nobody listens to; None where it cannot say.
    array_vjp: Callable[..., Any] | None
    fills: bool
    gradient_names: tuple[str, ...] | Callable[[Any], tuple[str, ...]]
    call: Callable[..., Any]
    calls_apply: bool  #: whether `call` does no more than to complete the attributes and go to dispatch

    memory: Memory

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"the record of {self.name} says what was defined: it cannot be changed")

    def replace_fields(self, **fields: Any) -> Op:
        """A record with other values in some fields, which nobody finds by name."""
        return _make_op({**{slot: getattr(self, slot) for slot in Op.__slots__}, "memory": Memory(), **fields})

    def __repr__(self) -> str:
        return f"<op {self.name}({', '.join(i.name for i in self.inputs)})>"

    def __call__(self, *args: Any, name: str | None = None, **attrs: Any) -> Any:
        if self.calls_apply:
            return Dispatch.apply(self, args, attrs_of(self, attrs, args) if attrs or self.attributes else attrs, name)
        return self.call(*args, name=name, **attrs)

    def type_for(self, tensors: Sequence[Any]) -> str:
        """TensorFlow's name of the op for what it reads or, if it reads nothing, makes."""
        return self.name if self.types is None or not tensors else self.types[getattr(tensors[0], "dtype", None) is resource]

    def arguments(self, flat: tuple[Any, ...]) -> tuple[Any, ...]:
        """The flat inputs of a node, those of a variable-length input gathered in a tuple."""
        if self.variadic is None:
            return flat
        after = len(self.inputs) - 1
        if not after:
            return (flat,)
        if self.lists == 1:
            at, end = self.variadic, len(flat) - after + self.variadic
            return *flat[:at], flat[at:end], *flat[end:]
        spans = zip(self.inputs, self.spans(len(flat)), strict=True)
        return tuple(flat[span.start : span.stop] if spec.variadic else flat[span.start] for spec, span in spans)

    def spans(self, count: int) -> list[range]:
        """The places of each input among `count` flat ones; several lists have one length."""
        return _spans(self, count)

    def input_name(self, index: int, count: int) -> str:
        """The name of the flat input `index` of a node with `count` inputs."""
        if self.variadic is None:
            return self.inputs[index].name
        spec, span = next((spec, span) for spec, span in zip(self.inputs, self.spans(count), strict=True) if index in span)
        return f"{spec.name}_{index - span.start}" if spec.variadic else spec.name

    def type_attrs(self, node: Node) -> dict[str, Any]:
        """The dtype variables of a node, and N for the length of a variable-length input: TensorFlow's type attributes."""
        found: dict[str, Any] = {}
        for spec, given in zip(self.inputs, self.arguments(node.inputs), strict=True):
            first = (given[0] if given else None) if spec.variadic else given
            if spec.variable and first is not None:
                found.setdefault(spec.variable, first.dtype.base_dtype)
            if spec.variadic:
                found["N"] = len(given)
        return found


#: By TensorFlow's names.
OPS: Registry[Op] = Registry("operations")


@cache
def _spans(op: Op, count: int) -> list[range]:
    lists = sum(spec.variadic for spec in op.inputs)
    many = (count - len(op.inputs) + lists) // lists if lists else 1
    found, start = [], 0
    for spec in op.inputs:
        found.append(range(start, start + (many if spec.variadic else 1)))
        start = found[-1].stop
    return found


def define(
    name: str,
    inputs: str,
    infer: Infer,
    kernel: Kernel,
    vjp: Mapping[str | tuple[str, ...], Callable[..., Any]] | None,
    *,
    outputs: str = "out",
    dtypes: Iterable[DType] | Mapping[str, Iterable[DType]] | None = None,
    jvp: Callable[..., Any] | None = None,
    batch: Callable[..., Any] | str | None = None,
    lower: object = None,
    tolerance: Tolerance = EXACT,
    broadcasts: bool = False,
    holomorphic: bool = True,
    sparse: bool = False,
    stateful: bool = False,
    effects: bool | None = None,
    fills: bool = True,
    packed: bool = False,
    gradient_names: str | Callable[[Any], tuple[str, ...]] = "",
    types: tuple[str, str] | None = None,
    into: Mapping[str, Callable[..., Any]] | None = None,
    changes: Kernel | None = None,
    takes_part: bool = False,
    passes: bool = False,
    by_element: bool = False,
    pointwise: bool = False,
    hands_on: Callable[[Node], dict[int, int]] | None = None,
    array_vjp: Callable[..., Any] | None = None,
    traits: Traits = PLAIN,
    call: Callable[[Op], Callable[..., Any]] | None = None,
) -> Op:
    """Make and register an op.

    name: TensorFlow's name.  inputs, outputs: names as the head of this file tells.  infer: types (anything with `dims`, `dtype`,
    `constant`) and attributes by keyword to a `TensorType` or a tuple of them; a ValueError for shapes that do not fit.  Where it takes
    any keyword (`**_`) the attributes are those that the kernel takes.  kernel: arrays and attributes to an array or a tuple.  vjp:
    formulas by input name; a tuple of names for a formula that returns several cotangents.  batch: a rule, as ops/batching.py tells, or in
    words why it runs row by row.  tolerance: how far native code in
    the kernel's place may differ (base/tolerance.py).  broadcasts: inputs may be smaller
    than the output (the sweep sums).  holomorphic: the rules are plain transposes and the sweep conjugates for complex numbers.  sparse:
    formulas take `IndexedSlices` for g.  stateful: the kernel takes `site=`, has effects or differs from call to call, and is neither
    folded nor merged.  effects: it changes something, so a function runs it even when nobody reads its outputs (by default: stateful
    and without outputs).  fills: outputs without a cotangent get zeros before the formulas see them; otherwise None.
    packed: the kernel takes strings as a `StringArray` and may give such; arrays of objects are packed for it, and its results unpacked.
    gradient_names: what TensorFlow's `tf.gradients` calls the cotangent of each input, where the rules here end in another op;
    or a function of a node that tells them.  types: what TensorFlow calls the op for a variable that is a reference, and for a resource.
    into: for cotangents that are parts of large tensors, formulas by input name that read `total` too, what there is already, and give the
    total with the cotangent added, or None where it is to be made and added as any other.
    by_element: an element of the output reads the elements in its place in the inputs, which broadcast.
    changes, hands_on, takes_part, passes, pointwise, array_vjp: as the fields of `Op` tell.
    traits: what other readers want to know (`Traits`).  call: makes, of the op, a shorter way to call it than the general one.
    """
    if name in OPS:
        raise TypeError(f"op {name!r} is defined twice")
    given = tuple(Input(text) for text in inputs.split())
    for spec in given:  # said once, of the first
        spec.default = next((s.default for s in given if s.variable == spec.variable and spec.variable), None)
    shadowed = sorted({spec.name for spec in given} & _RESERVED)
    if shadowed:
        raise TypeError(f"{name}: an input may not be called {shadowed}: in a gradient formula these names mean something else")
    allowed = {
        variable: frozenset(members)
        for variable, members in (dtypes if isinstance(dtypes, Mapping) else {} if dtypes is None else {"T": dtypes}).items()
    }
    for spec in given:
        if len(allowed.get(spec.variable, ())) == 1:  # which is as good as a fixed dtype
            spec.dtype = next(iter(allowed[spec.variable]))
    variadic = [i for i, spec in enumerate(given) if spec.variadic]
    parameters = keyword_parameters(kernel if _takes_any_keyword(infer) else infer)
    made = _make_op({
        "name": name, "inputs": given, "outputs": tuple(outputs.split()), "dtypes": allowed, "types": types,
        "attributes": tuple(parameters), "attribute_names": frozenset(parameters),
        "fallbacks": {name: default for name, default in parameters.items() if default is not inspect.Parameter.empty},
        "variadic": variadic[0] if variadic else None, "lists": len(variadic),
        "infer": infer, "kernel": map_objects(kernel) if packed else kernel, "packed": kernel if packed else None,
        "changes": changes, "hands_on": hands_on, "takes_part": takes_part, "passes": passes,
        "stateful": stateful, "effects": stateful and not outputs if effects is None else effects,
        "pointwise": pointwise, "by_element": by_element, "traits": traits, "memory": Memory(),
        "jvp": jvp, "array_vjp": array_vjp, "broadcasts": broadcasts, "holomorphic": holomorphic, "sparse": sparse, "fills": fills,
        "gradient_names": tuple(gradient_names.split()) if isinstance(gradient_names, str) else gradient_names,
        "batch": batch, "lower": lower, "tolerance": tolerance, "calls_apply": call is None,
    })  # fmt: skip
    rules = None if vjp is None else tuple(_rule(made, wrt, formula) for wrt, formula in vjp.items())
    for wrt, formula in (into or {}).items():
        rule = next(rule for rule in rules or () if rule.names == (wrt,))
        adds = _rule(made, wrt, formula)
        if not set(adds.reads) <= {*rule.reads, "total"}:
            raise TypeError(f"{name}: the formula that adds to the gradient for {wrt!r} reads more than the one that makes it")
        rule.into = adds.call
    reads = {name for rule in rules or () for name in rule.reads}
    _set(made, "rules", rules)
    _set(made, "keeps", tuple(VALUE if spec.name in reads else TYPE if f"{spec.name}_type" in reads else NOTHING for spec in given))
    _set(made, "keeps_output", any(output.lstrip("*") in reads for output in (*made.outputs, "out", "node")))
    _set(made, "differentiable", tuple(sorted({i for rule in rules or () for i in rule.indices})))
    _set(made, "plain", bool(rules) and len(made.outputs) == 1 and not made.outputs[0].startswith("*") and made.variadic is None)
    _set(made, "call", _general_call(made) if call is None else call(made))
    OPS[name] = made
    return made


_set = object.__setattr__


def _make_op(fields: dict[str, Any]) -> Op:
    op = Op.__new__(Op)
    for field, value in fields.items():
        _set(op, field, value)
    return op


def _general_call(op: Op) -> Callable[..., Any]:
    def call(*args: Any, name: str | None = None, **attrs: Any) -> Any:
        return Dispatch.apply(op, args, attrs_of(op, attrs, args), name)

    return call


def _rule(op: Op, wrt: str | tuple[str, ...], formula: Callable[..., Any]) -> Rule:
    names = (wrt,) if isinstance(wrt, str) else wrt
    positions = {spec.name: i for i, spec in enumerate(op.inputs)}
    for name in names:
        if name not in positions:
            raise TypeError(f"{op.name}: gradient for unknown input {name!r}; inputs are {sorted(positions)}")
    reads = parameter_names(formula)
    places = _places(op)
    unknown = [read for read in reads if read not in places]
    if unknown:
        raise TypeError(f"{op.name}: the gradient for {wrt!r} reads {unknown}; it may read {sorted(places)}")
    return Rule(names, tuple(positions[n] for n in names), formula, reads, tuple(places[read] for read in reads))


def _is_plain(function: Callable[..., Any]) -> bool:
    """Whether a function's own code says what its parameters are: reading that takes a tenth of what `inspect.signature` does."""
    return type(function) is FunctionType and not function.__dict__


def set_signature(function: F, parameters: inspect.Signature | Sequence[str] | Mapping[str, Any]) -> F:
    """The function, saying to `inspect.signature`, and so to `define`, that it has these parameters.

    Names are of positional ones, names with defaults of such as are given by keyword only.
    """
    if isinstance(parameters, Mapping):
        only = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=value) for name, value in parameters.items()]
        parameters = inspect.Signature(only)
    elif not isinstance(parameters, inspect.Signature):
        parameters = inspect.Signature([inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD) for name in parameters])
    vars(function)["__signature__"] = parameters
    return function


def parameter_names(function: Callable[..., Any]) -> tuple[str, ...]:
    """The names of a function's parameters."""
    if _is_plain(function):
        code = function.__code__
        if not code.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS):
            return code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    return tuple(inspect.signature(function).parameters)


def keyword_parameters(function: Callable[..., Any]) -> dict[str, Any]:
    """The parameters of a function that are given by keyword only, with their defaults or `inspect.Parameter.empty`; but for `site`."""
    empty = inspect.Parameter.empty
    if _is_plain(function):
        code, defaults = function.__code__, function.__kwdefaults__ or {}
        names = code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
        return {name: defaults.get(name, empty) for name in names if name != "site"}
    parameters = inspect.signature(function).parameters.values()
    return {p.name: p.default for p in parameters if p.kind is p.KEYWORD_ONLY and p.name != "site"}


def _takes_any_keyword(function: Callable[..., Any]) -> bool:
    if _is_plain(function):
        return bool(function.__code__.co_flags & inspect.CO_VARKEYWORDS)
    return any(p.kind is p.VAR_KEYWORD for p in inspect.signature(function).parameters.values())


def _places(op: Op) -> dict[str, str]:
    """What a formula may read, each as the Python expression that finds it in a node `n` with cotangent `g`."""
    places = {attribute: f"n.attrs[{attribute!r}]" for attribute in op.attributes}
    places |= {"node": "n", "active": "a", "total": "t", "attrs": f"{{{', '.join(f'{a!r}: {place}' for a, place in places.items())}}}"}
    if len(op.outputs) == 1 and not op.outputs[0].startswith("*"):
        places |= {"g": "g", op.outputs[0]: "n.outputs[0]", "out": "n.outputs[0]"}
    elif op.outputs[0].startswith("*"):
        places |= {"gs": "(g if type(g) is list else [g])", op.outputs[0].lstrip("*"): "n.outputs"}
    else:
        for i, output in enumerate(op.outputs):
            places |= {f"g_{output}": f"g[{i}]", output: f"n.outputs[{i}]"}
    after, lists = len(op.inputs), sum(spec.variadic for spec in op.inputs)
    if lists > 1 and lists < after:
        raise TypeError(f"{op.name}: an op with several lists of inputs has no other inputs")
    for i, spec in enumerate(op.inputs):
        at = op.variadic
        if lists > 1:
            where = f"n.inputs[len(n.inputs)*{i}//{lists}:len(n.inputs)*{i + 1}//{lists}]"
        elif at is None or i < at:
            where = f"n.inputs[{i}]"
        elif i == at:
            where = f"n.inputs[{i}:len(n.inputs)-{after - 1 - i}]"
        else:
            where = f"n.inputs[{i - after}]"
        places |= {spec.name: where, f"{spec.name}_type": where}
    return places


_readers: dict[tuple[str, ...], Callable[[Callable[..., Any]], Callable[[Any, Any], Any]]] = {}


def _reader(places: tuple[str, ...]) -> Callable[[Callable[..., Any]], Callable[[Any, Any], Any]]:
    """From a formula to `call(node, g, active, total)`; one piece of code for all formulas that read the same places."""
    if places not in _readers:
        text = f"lambda f: lambda n, g, a=None, t=None: f({', '.join(places)})"
        _readers[places] = eval(compile(text, PACKAGE + "rules", "eval"))  # so that its frames are this library's
    return _readers[places]


def attrs_of(op: Op, given: dict[str, Any], args: tuple[Any, ...] = ()) -> dict[str, Any]:
    """The attributes of a call with defaults filled in; a TypeError that names one that is missing, unknown or of another kind."""
    if not op.attributes:
        if given:
            raise TypeError(f"{op.name} has no attribute {sorted(given)}")
        return given
    types = _taken_types(op)
    for name, value in given.items():
        taken = types.get(name, ())
        if taken is not None and type(value) not in taken:
            break
    else:
        attrs = {**op.fallbacks, **given}
        if len(attrs) == len(types):
            return attrs
    key: tuple[Any, ...] | None = None
    if len(given) >= _LEAST_LOOKED_UP and not any(type(v) in _LISTS and len(v) > _LONGEST_LIST for v in given.values()):
        values = [(*v, *map(type, v)) if type(v) in _LISTS else v for v in given.values()]
        key = (op, *given, *map(type, given.values()), *values)
        try:
            if (known := _fitted.get(key)) is not None:
                return known.copy()
        except TypeError:  # a value that has no hash
            key = None
    attrs = {**op.fallbacks, **fit(op.name, op.fallbacks, given, args, op.dtypes)} if given else op.fallbacks.copy()
    if attrs.keys() != op.attribute_names:
        missing = [name for name in op.attributes if name not in attrs]
        unknown = [name for name in attrs if name not in op.attributes]
        raise TypeError(f"{op.name}: missing attributes {missing}, unknown attributes {unknown}")
    if key is not None and all(map(_is_plain_value, given.values())):
        if len(_fitted) == _MOST_FITTED:
            _fitted.clear()
        _fitted[key] = {name: [*v] if type(v) is list else v for name, v in attrs.items()}
    return attrs


@cache
def _taken_types(op: Op) -> dict[str, Collection[type] | None]:
    """Of each attribute of an op, the types of values that are taken as they are, None for all."""
    return {name: taken_types(name, op.fallbacks, op.dtypes) for name in op.attributes}


_LEAST_LOOKED_UP = 3  # attributes: fewer are fit sooner than they are found
_LONGEST_LIST = 32  # items, for the same reason
_MOST_FITTED = 10_000
#: Of calls whose attributes are plain values, what `attrs_of` gave: by the op, the names, their types and values.
_fitted: dict[tuple[Any, ...], dict[str, Any]] = {}
_PLAIN, _LISTS = frozenset({bool, int, str, bytes, type(None), DType}), (list, tuple)


def _is_plain_value(value: Any) -> bool:
    """Whether a value, or every item of a list, is one that nothing changes later, and that equals no other one: 0.0 equals -0.0."""
    if type(value) in _LISTS:
        return all(map(_is_plain_value, value))
    return type(value) in _PLAIN or (type(value) is float and value != 0)


def is_known(constant: Any) -> TypeGuard[np.ndarray]:
    """Whether a constant is known whole, not only in part."""
    return constant is not None and (constant.dtype.kind != "O" or all(isinstance(v, bytes) for v in np.ravel(constant)))


def outputs_of(inferred: TensorType | tuple[TensorType, ...]) -> tuple[TensorType, ...]:
    """Type rules may give one type or several; always a tuple."""
    return inferred if isinstance(inferred, tuple) else (inferred,)


__all__ = [
    "OPS", "Cotangent", "Input", "Op", "Rule", "Tensor", "attrs_of", "define", "is_known", "keyword_parameters", "outputs_of",
    "parameter_names", "set_signature",
]  # fmt: skip
