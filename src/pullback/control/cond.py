"""`cond`, `case` and `switch_case`: branches chosen at run time.

Eagerly the branch is called at once.  In a graph every branch is built into a body of its own, and the bodies into one node.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from ..base import nest
from ..base.dtypes import int32, int64
from ..base.errors import InvalidArgumentError
from ..base.export import export
from ..base.lazy_import import LazyModule
from ..base.shapes import show
from ..ir.apply import convert_to_tensor
from ..ir.composite import CompositeTensor
from ..ir.context import current, enter_graph, scope
from ..ir.function_graph import Body, FunctionGraph
from ..ir.graph import Graph
from ..ir.indexed_slices import IndexedSlices
from ..ir.node import Node, show_source, user_frame
from ..ir.operators import TensorCounterpart
from ..ir.tensor import SymbolicTensor, Tensor, TensorLike
from ..ops.array.basic import identity
from ..ops.primitives.cast import cast
from ..ops.primitives.compare import greater, less_equal, logical_not
from .branch import CASE
from .loop import align_captures, name_results
from .tensor_array_checks import is_version_1

if TYPE_CHECKING:
    from ..api.variable import Variable
    from ..ops.effects import operations
    from ..ops.math import sums
else:
    operations, sums = LazyModule("pullback.ops.effects.operations"), LazyModule("pullback.ops.math.sums")

R = TypeVar("R")
S = TypeVar("S")

Branch = Callable[[], Any]


class BranchTypeError(TypeError, ValueError):
    """Branches of different dtypes or structures: TensorFlow 1 says ValueError, TensorFlow 2 TypeError."""


class BranchCountError(BranchTypeError, AssertionError):
    """Branches with different numbers of results, for which TensorFlow 2 says AssertionError."""


@export(v2="cond")
def cond(
    pred: TensorLike, true_fn: Callable[[], R] | None = None, false_fn: Callable[[], S] | None = None, name: str | None = None
) -> R | S:
    """`true_fn()` where the scalar boolean `pred` holds, else `false_fn()`.

    The functions take nothing and return the same structure of tensors of the same dtypes; in a graph both are built and one is run.
    Gradients flow through the branch taken; what only the other one reads gets zeros.
    Raises TypeError: a function that is none, or `pred` a Python bool in a graph; ValueError: structures or dtypes that differ.

    >>> tf.cond(tf.constant(True), lambda: 1.0, lambda: 2.0)
    1.0
    """
    return _cond(pred, true_fn, false_fn, name, strict=True)


@export(v1="cond")
def cond_v1(
    pred: TensorLike,
    true_fn: Callable[[], R] | None = None,
    false_fn: Callable[[], S] | None = None,
    strict: bool = False,
    name: str | None = None,
    fn1: Callable[[], R] | None = None,
    fn2: Callable[[], S] | None = None,
) -> R | S:
    """`cond` with TensorFlow 1's signature; a list of one tensor comes back as that tensor unless `strict`.

    As in TensorFlow 2.21, in graphs only where control flow is TensorFlow 1's (`disable_v2_behavior`).

    >>> with tf1.Graph().as_default(), tf1.Session() as sess:
    ...     x = tf1.placeholder(tf1.float32, [])
    ...     y = tf1.cond(x > 0.0, true_fn=lambda: x * x, false_fn=lambda: -x)
    ...     (slope,) = tf1.gradients(y, x)
    ...     print(sess.run([y, slope], {x: 3.0}), sess.run([y, slope], {x: -3.0}))
    [np.float32(9.0), np.float32(6.0)] [np.float32(3.0), np.float32(-1.0)]
    """
    for function, new, older, old in ((true_fn, "true_fn", fn1, "fn1"), (false_fn, "false_fn", fn2, "fn2")):
        if function is not None and older is not None:
            raise TypeError(f"cond(): '{new}' and '{old}' may not be set simultaneously.")
    return _cond(pred, true_fn if true_fn is not None else fn1, false_fn if false_fn is not None else fn2, name, strict)


def _cond(pred: Any, true_fn: Branch | None, false_fn: Branch | None, name: str | None, strict: bool) -> Any:
    if not callable(true_fn):
        raise TypeError("'true_fn' must be callable.")
    if not callable(false_fn):
        raise TypeError("'false_fn' must be callable.")
    graph = current().graph
    if pred is None:
        pred = convert_to_tensor(pred)  # which says why not
    if graph is None:
        return _unpack_single(true_fn() if bool(pred) else false_fn(), strict)
    if isinstance(pred, bool):
        raise TypeError("'pred' must not be a Python bool.")
    pred = convert_to_tensor(pred)
    _check_scalar(pred)
    with graph.name_scope(name or "cond") as own:
        index = _branch_index(pred)
    strict = strict or not is_version_1()
    labels = ["true_fn", "false_fn"]
    branches = [true_fn, false_fn] if strict else [_as_version_1(f, label) for f, label in zip((true_fn, false_fn), labels, strict=True)]
    return _case(graph, index, branches, labels, own, pred)


def _as_version_1(function: Branch, label: str) -> Branch:
    """A branch of TensorFlow 1's: one result in a list is that result, and there is one."""

    def branch() -> Any:
        returned = _unpack_single(function(), strict=False)
        if returned is None:
            raise ValueError(f"'{label}' must have a return value.")
        return returned

    return branch


def _check_scalar(pred: Tensor) -> None:
    """Refuse a condition with axes where control flow is TensorFlow 1's; in functions it may have one element."""
    if not pred.dtype.is_bool:
        kind = pred.dtype.name
        if is_version_1():
            raise TypeError(f"Input 'pred' of 'Switch' Op has type {kind} that does not match expected type of bool.")
        raise InvalidArgumentError(None, None, f"Input 'pred' passed {kind} expected bool while building NodeDef 'cond/switch_pred'")
    if pred.dims and is_version_1():
        text = f"with input shapes: {show(pred.dims)}, {show(pred.dims)}"
        raise ValueError(f"Shape must be rank 0 but is rank {len(pred.dims)} for '{{{{node cond/Switch}}}} = Switch[T=DT_BOOL]' {text}")


def _branch_index(pred: Any) -> Tensor:
    """0 where `pred` holds, else 1."""
    return cast(logical_not(convert_to_tensor(pred)), int32)


def _unpack_single(result: Any, strict: bool) -> Any:
    return result[0] if not strict and isinstance(result, (list, tuple)) and len(result) == 1 else result


@export("switch_case")
def switch_case(
    branch_index: Tensor | Variable,
    branch_fns: Sequence[Callable[[], R]] | Sequence[tuple[int, Callable[[], R]]] | Mapping[int, Callable[[], R]],
    default: Callable[[], S] | None = None,
    name: str = "switch_case",
) -> R | S:
    """The result of the function that the scalar int32 `branch_index` names.

    branch_fns: a list of functions, or a dict or list of pairs from 0, 1, 2, ... to functions.  default: for any other index; the last
    function when None.  Structures, dtypes and gradients as `cond`.

    >>> tf.switch_case(tf.constant(1), [lambda: 10, lambda: 20])
    20
    """
    if not isinstance(branch_index, TensorCounterpart):
        raise TypeError(f"'branch_index' must be a Tensor, got {type(branch_index)}")
    dtype = branch_index.dtype.base_dtype
    if not dtype.is_integer:
        raise TypeError(f"'branch_index' must be an integer Tensor, got {dtype!r}")
    functions = _index_branches(branch_fns)
    functions = [*functions, default if default is not None else functions[-1]]
    graph = current().graph
    if graph is None:
        if branch_index.shape.rank:
            raise InvalidArgumentError(None, None, f"branch_index must be a scalar, but it has shape {branch_index.shape}")
        known = int(branch_index)
        return functions[known if 0 <= known < len(functions) else -1]()
    if dtype is not int32:
        raise TypeError(f"Input 'branch_index' of 'Case' Op has type {dtype.name} that does not match expected type of int32.")
    if branch_index.shape.rank:
        raise InvalidArgumentError(None, None, f"The second input must be a scalar, but it has shape {branch_index.shape}")
    names = [f"branch {i}" for i in range(len(functions) - 1)] + ["default"]
    index = convert_to_tensor(branch_index, int32)
    with graph.name_scope(name):
        return _case(graph, index, functions, names, "indexed_case", index)


def _index_branches(branch_fns: Any) -> list[Branch]:
    if isinstance(branch_fns, dict):
        branch_fns = sorted(branch_fns.items())
    if not isinstance(branch_fns, (list, tuple)):
        raise TypeError(f"'branch_fns' must be a dict or a list, got {type(branch_fns).__name__}")
    if not branch_fns:
        raise ValueError("'branch_fns' must not be empty")
    if all(callable(f) for f in branch_fns):
        return list(branch_fns)
    for pair in branch_fns:
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise TypeError(f"Each entry in 'branch_fns' must be a 2-tuple of an index and a function, got {pair!r}")
        if not isinstance(pair[0], int):
            raise TypeError(f"key must be a Python `int`, got {type(pair[0])}")
    pairs = sorted(branch_fns, key=lambda pair: pair[0])
    keys = [key for key, _ in pairs]
    if keys != list(range(len(pairs))):
        raise ValueError(f"branch indices (keys) must form contiguous range of [0 to {len(pairs)}) but found {{{str(keys)[1:-1]}}}")
    if not all(callable(f) for _, f in pairs):
        raise TypeError("every branch function must be callable")
    return [f for _, f in pairs]


@export("case")
def case(
    pred_fn_pairs: Sequence[tuple[Any, Callable[[], R]]] | Mapping[Any, Callable[[], R]],
    default: Callable[[], S] | None = None,
    exclusive: bool = False,
    strict: bool = False,
    name: str = "case",
) -> R | S:
    """The result of the first function whose scalar boolean holds, else of `default`.

    pred_fn_pairs: a list or dict of (boolean, function).  exclusive: InvalidArgumentError at run time where several hold.
    default: the last function when None (then one of them must hold).

    >>> tf.case([(tf.constant(False), lambda: 1)], default=lambda: 2)
    2
    """
    pairs = list(pred_fn_pairs.items()) if isinstance(pred_fn_pairs, dict) else list(pred_fn_pairs)
    for pair in pairs:
        if not isinstance(pair, tuple) or len(pair) != 2 or not callable(pair[1]):
            raise TypeError(f"Each entry in pred_fn_pairs must be a pair of a boolean and a function, got {pair!r}")
    pairs = [(p.deref() if hasattr(p, "deref") else p, f) for p, f in pairs]
    if default is not None and not callable(default):
        raise TypeError("'default' must be callable.")
    if default is None and not pairs:
        raise ValueError("case needs at least one pair or a default")
    if default is None:
        default, pairs = _last_of(pairs), pairs[:-1]
    result: Branch = default
    for pred, function in reversed(pairs):
        result = _choose_rest(pred, function, result, strict)
    with scope(name, "case"):
        if not exclusive or not pairs:
            return result()
        held = _cast_indices(pairs)
        names = ", ".join(str(getattr(p, "name", p)) for p, _ in pairs)
        said = f"Input error: exclusive=True: more than 1 conditions ({names}) evaluated as True:"
        return _run_after(operations.Assert(less_equal(sums.add_n(held), 1), [said, *held]), result)


def _cast_indices(pairs: Sequence[tuple[Any, Branch]]) -> list[Any]:
    return [cast(convert_to_tensor(p), int32) for p, _ in pairs]


def _last_of(pairs: Sequence[tuple[Any, Branch]]) -> Branch:
    """The last function in the place of a default, which wants one of the booleans to hold."""

    def default() -> Any:
        held = _cast_indices(pairs)
        checked = operations.Assert(greater(sums.add_n(held), 0), ["Input error: None of conditions evaluated as True:", *held])
        return _run_after(checked, pairs[-1][1])

    return default


def _run_after(checked: Any, function: Branch) -> Any:
    """The result of a function, in a graph once an operation has run."""
    graph = current().graph
    if graph is None or checked is None:
        return function()
    with graph.control_dependencies([checked]):
        return nest.map_structure(identity, function(), expand_composites=True)


def _choose_rest(pred: Any, function: Branch, rest: Branch, strict: bool) -> Branch:
    return lambda: _cond(pred, function, rest, None, strict)


# ---- in a graph


def build(graph: Graph, function: Callable[..., Any], name: str, args: Sequence[Any] = ()) -> tuple[FunctionGraph, Any]:
    """The graph of `function` applied to stand-ins for tensors like `args`, and what it returned, with tensors of that graph."""
    inner = FunctionGraph(name, graph)
    with inner.building():
        stand_ins = [inner.declare(t.dims, t.dtype) for t in args]
        returned = function(*stand_ins)
        flat = nest.flatten(returned, expand_composites=True)
        converted = [t if t is None or isinstance(t, Node) else inner.own(convert_to_tensor(t)) for t in flat]
    return inner, _pack_with_shapes(converted, [returned])


def _pack_with_shapes(flat: Sequence[Any], origins: Sequence[Any]) -> Any:
    """A structure like the origins, of these tensors; its sparse tensors have the shapes that those of the origins have in common."""
    result = nest.pack_sequence_as(origins[0], flat, expand_composites=True)
    for value, *given in zip(nest.flatten(result), *map(nest.flatten, origins), strict=True):
        if isinstance(value, CompositeTensor):
            value._keep_common_shape(given)
    return result


def _case(graph: Graph, index: Any, functions: Sequence[Branch], labels: Sequence[str], name: str, choice: Tensor) -> Any:
    """The result of the function that `index` names; `choice` stands for operations among what a function returns."""
    own = name.rstrip("/").rpartition("/")[2]
    built = [build(graph, f, f"{own}_{label}".replace(" ", "_")) for f, label in zip(functions, labels, strict=True)]
    built = _unify_indices([_run_operations(inner, returned, choice) for inner, returned in built])
    _check_same([returned for _, returned in built], labels)
    outside: dict[int, Tensor] = {t.uid: t for inner, _ in built for t, _ in inner.captures()}
    bodies = []
    for inner, returned in built:
        outputs = [t for t in nest.flatten(returned, expand_composites=True) if isinstance(t, Tensor)]
        bodies.append(Body(inner, align_captures(inner, inner.captures(), outside), outputs))  # type: ignore[arg-type]  # graph tensors all
        bodies[-1].inlined = labels[0] == "true_fn" and is_version_1()
    with enter_graph(graph):
        results = CASE(index, list(outside.values()), branches=tuple(bodies), name=name)
        answers = name_results(results, "Merge" if labels[0] == "true_fn" else "Identity")
    template = built[0][1]
    given = iter(answers)
    flat = [next(given) if isinstance(t, Tensor) else None for t in nest.flatten(template, expand_composites=True)]
    return _pack_with_shapes(flat, [returned for _, returned in built])


def _run_operations(inner: FunctionGraph, returned: Any, choice: Tensor) -> tuple[FunctionGraph, Any]:
    """What a branch returned, with a tensor that is known once an operation has run in the place of each operation."""

    def follow_operation(t: Any) -> Any:
        if not isinstance(t, Node):
            return t
        with inner.building(), inner.control_dependencies([t]):
            return identity(choice)

    return inner, nest.map_structure(follow_operation, returned)


def _unify_indices(built: list[tuple[FunctionGraph, Any]]) -> list[tuple[FunctionGraph, Any]]:
    """Slices whose indices are int32 in one branch and int64 in another get int64 in all."""
    flat = [nest.flatten(returned) for _, returned in built]
    if len({*map(len, flat)}) > 1:
        return built
    for i, outputs in enumerate(zip(*flat, strict=True)):
        if all(isinstance(out, IndexedSlices) for out in outputs) and len({out.indices.dtype for out in outputs}) > 1:
            for (inner, _), of_branch, out in zip(built, flat, outputs, strict=True):
                with inner.building():
                    of_branch[i] = IndexedSlices(out.values, cast(out.indices, int64), out.dense_shape)
    return [(inner, nest.pack_sequence_as(returned, outputs)) for (inner, returned), outputs in zip(built, flat, strict=True)]


def _check_same(results: Sequence[Any], labels: Sequence[str]) -> None:
    where = show_source(user_frame())
    op = "cond" if labels[0] == "true_fn" else "switch_case"
    for other, label in zip(results[1:], labels[1:], strict=True):
        try:
            nest.assert_same_structure(results[0], other, expand_composites=True)
        except (TypeError, ValueError) as error:
            counts = {len(nest.flatten(returned)) for returned in (results[0], other)}
            raise (BranchCountError if len(counts) > 1 else BranchTypeError)(
                f"{labels[0]} and {label} arguments to tf.{op} must have the same number, type, and overall structure of return values "
                f"({where}). '{labels[0]}' returned {results[0]}, "
                f"'{label}' {other}. {error}"
            ) from None
        for t, u in zip(*(nest.flatten(r, expand_composites=True) for r in (results[0], other)), strict=True):
            if (t is None) != (u is None):
                text = f"'{labels[0]}' returned {results[0]}, '{label}' {other} ({where}): None and a tensor have nothing in common"
                raise BranchTypeError(text)
            if isinstance(t, SymbolicTensor) and t.dtype != u.dtype:
                raise BranchTypeError(
                    f"Outputs of '{labels[0]}' and '{label}' must have the same type(s). Received {t.dtype.name} from '{labels[0]}' "
                    f"(made at {t.node.where}) and {u.dtype.name} from '{label}' (made at {u.node.where}); cast one of them."
                )
