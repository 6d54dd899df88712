"""`while_loop`: eagerly a Python loop, in a graph one `While` node over bodies built from the functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, TypedDict, Unpack, overload

from ..base import nest
from ..base.dtypes import bool as boolean, int32
from ..base.errors import InvalidArgumentError
from ..base.export import export
from ..base.lazy_import import LazyModule
from ..base.shapes import TensorShape, are_compatible, as_dims
from ..ir.apply import convert_to_tensor
from ..ir.composite import CompositeSpec, CompositeTensor
from ..ir.context import Context, current, enter_context
from ..ir.function_graph import FunctionGraph
from ..ir.graph import Graph
from ..ir.node import show_source, user_frame
from ..ir.tensor import IntLike, Tensor
from ..ir.type_spec import TypeSpec
from ..ops.array.identity import stop_gradient
from ..ops.constant import TensorSpec
from ..ops.math.arithmetic import ADD
from ..ops.primitives.compare import less, logical_and
from .call import body_of, call
from .cond import build
from .loop import name_results, while_node
from .tensor_array_checks import is_version_1
from .variable_reads import VariableReads

if TYPE_CHECKING:
    from ..api.source_types import Point, PointList
    from . import revolve

    class Options(TypedDict, total=False):
        """What `while_loop` takes by keyword."""

        shape_invariants: object
        parallel_iterations: int
        back_prop: bool
        swap_memory: bool
        maximum_iterations: IntLike | None
        name: str | None
        checkpoint: int | str | None

    class OptionsV1(Options, total=False):
        """What TensorFlow 1's takes."""

        return_same_structure: bool

else:  # few loops keep few states
    revolve = LazyModule("pullback.control.revolve")

#: A function of the variables of a loop.  The same in all overloads, or mypy cannot choose where a lambda is given.
Step: TypeAlias = Callable[[Any], Any] | Callable[[Any, Any], Any] | Callable[..., Any]


@overload
def while_loop(cond: Step, body: Step, loop_vars: tuple[Point, Point], **options: Unpack[Options]) -> tuple[Tensor, Tensor]: ...
@overload
def while_loop(
    cond: Step, body: Step, loop_vars: tuple[Point, Point, Point], **options: Unpack[Options]
) -> tuple[Tensor, Tensor, Tensor]: ...
@overload
def while_loop(cond: Step, body: Step, loop_vars: PointList, **options: Unpack[Options]) -> list[Tensor]: ...
@overload
def while_loop(
    cond: Step, body: Step, loop_vars: object, shape_invariants: object = ..., parallel_iterations: int = ..., back_prop: bool = ...,
    swap_memory: bool = ..., maximum_iterations: IntLike | None = ..., name: str | None = ..., *, checkpoint: int | str | None = ...,
) -> Any: ...  # fmt: skip
@export(v2="while_loop")
def while_loop(
    cond: Step,
    body: Step,
    loop_vars: object,
    shape_invariants: object = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    maximum_iterations: IntLike | None = None,
    name: str | None = None,
    *,
    checkpoint: int | str | None = None,
) -> Any:
    """Apply `body` to the loop variables while `cond` of them holds; the last ones, in the structure of `loop_vars`.

    loop_vars: a list or tuple, perhaps nested, of tensors, TensorArrays or what converts.  cond: of the same arguments, a scalar
    boolean.  body: of the same arguments, their new values in the same structure, with the same dtypes and shapes.
    shape_invariants: for variables whose shape changes, what stays.  back_prop: False holds the result constant for gradients, in a graph.
    maximum_iterations: stop after so many.  parallel_iterations, swap_memory: accepted, and not needed.
    checkpoint: (ours) what the gradient keeps of the steps: None all that it reads; k every k-th state; "log" about log2(n) states.
    The rest it computes again, with the same numbers; the body must do the same when run again.
    Differentiable to any order.
    Raises TypeError: cond or body no functions, a dtype that changes; ValueError: a structure or shape that changes.

    >>> i, total = tf.while_loop(lambda i, s: i < 4, lambda i, s: (i + 1, s + i), [tf.constant(0), tf.constant(0)])
    >>> int(total)
    6
    """
    _check_parallel(parallel_iterations)
    _check_invariants(loop_vars, shape_invariants)
    return while_of(cond, body, loop_vars, shape_invariants, back_prop, maximum_iterations, name, True, checkpoint)


@overload
def while_loop_v1(cond: Step, body: Step, loop_vars: tuple[Point, Point], **options: Unpack[OptionsV1]) -> tuple[Tensor, Tensor]: ...
@overload
def while_loop_v1(
    cond: Step, body: Step, loop_vars: tuple[Point, Point, Point], **options: Unpack[OptionsV1]
) -> tuple[Tensor, Tensor, Tensor]: ...
@overload
def while_loop_v1(cond: Step, body: Step, loop_vars: PointList, **options: Unpack[OptionsV1]) -> list[Tensor]: ...
@overload
def while_loop_v1(
    cond: Step, body: Step, loop_vars: object, shape_invariants: object = ..., parallel_iterations: int = ..., back_prop: bool = ...,
    swap_memory: bool = ..., name: str | None = ..., maximum_iterations: IntLike | None = ..., return_same_structure: bool = ...,
    *, checkpoint: int | str | None = ...,
) -> Any: ...  # fmt: skip
@export(v1="while_loop")
def while_loop_v1(
    cond: Step,
    body: Step,
    loop_vars: object,
    shape_invariants: object = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: str | None = None,
    maximum_iterations: IntLike | None = None,
    return_same_structure: bool = False,
    *,
    checkpoint: int | str | None = None,
) -> Any:
    """`while_loop` with TensorFlow 1's signature; one loop variable comes back by itself unless `return_same_structure`.

    >>> with tf1.Graph().as_default(), tf1.Session() as sess:
    ...     x = tf1.constant(2.0)
    ...     _, power = tf1.while_loop(lambda i, p: i < 3, lambda i, p: (i + 1, p * x), [0, x])
    ...     print(sess.run(power), sess.run(tf1.gradients(power, x)[0]))
    16.0 32.0
    """
    _check_parallel(parallel_iterations)
    _check_invariants(loop_vars, shape_invariants)
    return while_of(cond, body, loop_vars, shape_invariants, back_prop, maximum_iterations, name, return_same_structure, checkpoint)


def while_of(
    cond: Callable[..., Any], body: Callable[..., Any], loop_vars: object, invariants: object, back_prop: bool = True,
    maximum: object = None, name: str | None = None, same_structure: bool = True, checkpoint: int | str | None = None,
) -> Any:  # fmt: skip
    """`while_loop`, with invariants that may be a flat list of the shapes of all tensors."""
    if not callable(cond):
        raise TypeError("'cond' must be callable.")
    if not callable(body):
        raise TypeError("'body' must be callable.")
    if not isinstance(loop_vars, (list, tuple)):
        loop_vars = [loop_vars]
    if not loop_vars:
        raise ValueError("'loop_vars' must be provided.")
    graph = current().graph
    every = _checkpoint_interval(checkpoint)
    if graph is None and every is not None:
        result = _as_function(cond, body, loop_vars, invariants, maximum, every)
    elif graph is None:
        result = _loop_eagerly(cond, body, loop_vars, maximum, not same_structure and len(loop_vars) == 1)
    else:
        result = _loop_in_graph(graph, cond, body, loop_vars, invariants, maximum, name or "while", every)
    if not back_prop and graph is not None:
        result = nest.map_structure(stop_gradient, result, expand_composites=True)
    return result[0] if len(loop_vars) == 1 and not same_structure and graph is not None else result


def _loop_eagerly(cond: Any, body: Any, loop_vars: Any, maximum: Any, bare: bool) -> Any:
    """The loop variables as the last call of the body returned them, in its list or tuple; `bare`: a single one may come without.

    Numbers and arrays become tensors at the end, as in TensorFlow: the functions are given them as they are.
    """
    if maximum is not None and (dims := convert_to_tensor(maximum).dims) != ():
        raise ValueError(f"'maximum_iterations' must be a scalar. Received shape: {dims}")
    left = None if maximum is None else int(maximum)
    variables = loop_vars
    without = False
    while (left is None or left > 0) and bool(cond(*variables)):
        given = body(*variables)
        without = bare and not isinstance(given, (list, tuple))
        variables = (given,) if without else given
        if not isinstance(variables, (list, tuple)):
            raise TypeError(f"{type(given).__name__!r} object is not iterable: body returns a list or tuple of the loop variables")
        _check_structure(loop_vars, variables, expand_composites=False)
        left = None if left is None else left - 1
    result = nest.map_structure(lambda t: t if getattr(t, "_is_composite", False) else convert_to_tensor(t), variables)
    return result[0] if without else result


def _check_structure(before: Any, after: Any, expand_composites: bool = True) -> None:
    """What a body returned has the structure of the loop variables; eagerly a composite value may take the place of a tensor."""
    if not isinstance(after, (list, tuple)) or len(after) != len(before):
        count = len(after) if isinstance(after, (list, tuple)) else 1
        raise ValueError(
            f"The two structures don't have the same nested structure. body takes {len(before)} loop variables and returned {count} "
            f"(while_loop at {show_source(user_frame())}). First structure: {before!r}. Second structure: {after!r}"
        )
    nest.assert_same_structure(list(before), list(after), expand_composites=expand_composites)


def _checkpoint_interval(checkpoint: int | str | None) -> int | None:
    """How often a state is kept: None for what needs no checkpoints, 0 for the logarithmic schedule."""
    if checkpoint is None:
        return None
    if checkpoint == "log":
        return 0
    if isinstance(checkpoint, int) and not isinstance(checkpoint, bool) and checkpoint > 0:
        return checkpoint
    raise ValueError(f"while_loop: checkpoint is None, a positive int or 'log', got {checkpoint!r}")


def _as_function(cond: Any, body: Any, loop_vars: Any, invariants: Any, maximum: Any, every: int) -> Any:
    """The loop as a graph of its own, called at once: so that its gradient can run it again."""
    graph = FunctionGraph("while", None)
    state = [convert_to_tensor(t) for t in nest.flatten(loop_vars, expand_composites=True)]
    reads = VariableReads()
    with enter_context(Context(graph, (reads,))):
        inner = nest.pack_sequence_as(loop_vars, [graph.declare(t.dims, t.dtype) for t in state], expand_composites=True)
        final = nest.flatten(_loop_in_graph(graph, cond, body, inner, invariants, maximum, "while", every), expand_composites=True)
    for recorder in current().recorders:
        for variable in reads.beyond(()):
            recorder.read(variable)
    whole, outside = body_of(graph, final)
    return nest.pack_sequence_as(loop_vars, call(whole, [*state, *outside]), expand_composites=True)


def _loop_in_graph(
    graph: Graph, cond: Any, body: Any, loop_vars: Any, invariants: Any, maximum: Any, name: str, every: int | None
) -> Any:  # fmt: skip
    every = 0 if every is None and getattr(graph, "spares_states", False) else every
    state = [convert_to_tensor(t) for t in nest.flatten(loop_vars, expand_composites=True)]
    state = [graph.own(t) for t in state]
    stand_ins = [_declare_variable(t, dims) for t, dims in zip(state, _invariants(loop_vars, state, invariants), strict=True)]
    counted = [] if maximum is None and every is None else [graph.own(convert_to_tensor(0, int32))]
    limit = None if maximum is None else convert_to_tensor(maximum, int32)
    if limit is not None and limit.dims:
        raise InvalidArgumentError(None, None, f"'maximum_iterations' must be a scalar, but it has shape {list(limit.dims)}")
    version_1, like = is_version_1(), loop_vars

    def condition(*flat: Any) -> Any:
        held = convert_to_tensor(cond(*_pack_variables(loop_vars, flat[len(counted) :], invariants)))
        if version_1 and (kind := held.dtype.base_dtype) is not boolean:
            raise TypeError(f"Input 'input' of 'LoopCond' Op has type {kind.name} that does not match expected type of bool.")
        if limit is not None:
            return logical_and(less(flat[0], limit), held)
        return held

    def step(*flat: Any) -> list[Any]:
        nonlocal like
        inner = _pack_variables(loop_vars, flat[len(counted) :], invariants)
        given = body(*inner)
        variables = [given] if len(loop_vars) == 1 and not isinstance(given, (list, tuple)) else given
        _check_structure(inner, variables)
        like = variables if version_1 else loop_vars
        new = [convert_to_tensor(t) for t in nest.flatten(variables, expand_composites=True)]
        return [*([ADD.call(flat[0], 1)] if counted else []), *new]

    shapes = [*counted, *stand_ins]
    cond_graph, verdict = build(graph, condition, f"{name}_cond", shapes)
    body_graph, outputs = build(graph, step, f"{name}_body", shapes)
    _check_step(state, stand_ins, outputs[len(counted) :])
    final = while_node([*counted, *state], (cond_graph, verdict), body_graph, outputs, name)
    if every is not None:
        node = final[0].node
        revolve.check_repeatable(node.attrs["body"])
        node.attrs = {**node.attrs, "_revolve": revolve.revolve_rule(every)}
    return _pack_variables(like, name_results(final[len(counted) :], "Exit", first=2), invariants)


def _pack_variables(loop_vars: Any, flat: Sequence[Any], invariants: Any) -> Any:
    """Loop variables of these tensors; sparse ones have the shape that they begin with, or that their spec among `invariants` says."""
    result = nest.pack_sequence_as(loop_vars, flat, expand_composites=True)
    values, origins = nest.flatten(result), nest.flatten(loop_vars)
    said = [None] * len(values) if invariants is None or isinstance(invariants, ShapesOfTensors) else _flat_shapes(invariants)
    for value, origin, shape in zip(values, origins, said, strict=True):
        if isinstance(value, CompositeTensor) and (shape is None or isinstance(shape, CompositeSpec)):
            value._keep_common_shape([origin if shape is None else shape])
    return result


def _declare_variable(tensor: Tensor, dims: Any) -> Any:
    """What a body is told of a loop variable: its dtype, and of its shape what does not change."""
    return Stand(dims, tensor.dtype)


class Stand:
    """The type of a loop variable."""

    __slots__ = ("dims", "dtype")

    def __init__(self, dims: Any, dtype: Any) -> None:
        self.dims, self.dtype = dims, dtype


class ShapesOfTensors(list[Any]):
    """Invariants of which there is one for each tensor that goes round, as AutoGraph gives them, and not one for each variable."""


def _invariants(loop_vars: Any, state: Sequence[Tensor], invariants: Any) -> list[Any]:
    """What stays of the shape of each tensor that goes round; a composite variable says what that is for its parts."""
    variables = nest.flatten(loop_vars)
    shapes = [None] * len(variables) if invariants is None else _flat_shapes(invariants)
    if isinstance(invariants, ShapesOfTensors):
        variables = list(state)
    if len(shapes) != len(variables):
        raise ValueError(f"shape_invariants has {len(shapes)} shapes for {len(variables)} loop variables")
    wanted = [dims for variable, shape in zip(variables, shapes, strict=True) for dims in invariant_dims(variable, shape)]
    found = []
    for t, invariant in zip(state, wanted, strict=True):
        dims = t.dims if invariant is _AS_IT_IS else invariant
        if not are_compatible(t.dims, dims):
            raise ValueError(f"The shape invariant {dims} is not compatible with the shape {t.dims} that the loop variable {t} enters with")
        found.append(dims)
    return found


def _check_parallel(iterations: int) -> None:
    if iterations < 1:
        raise TypeError("'parallel_iterations' must be a positive integer.")


def _check_invariants(loop_vars: Any, invariants: Any) -> None:
    """Refuse invariants that are not nested as the loop variables are, or that are no shapes or specs."""
    if invariants is None or current().graph is None:
        return
    if not isinstance(loop_vars, (list, tuple)):
        loop_vars = [loop_vars]
    if not isinstance(invariants, (list, tuple, Mapping)):
        raise ValueError(f"The two structures don't have the same nested structure: {loop_vars} and shape_invariants={invariants!r}")
    nest.assert_same_structure(loop_vars, nest.map_structure(lambda shape: 0, invariants))
    for variable, said in zip(nest.flatten(loop_vars), nest.flatten(invariants), strict=True):
        if said is not None and not isinstance(said, (TensorShape, TypeSpec)):
            raise TypeError(f"'shape' must be one of TypeSpec, TensorShape or None. Received: {type(said)}")
        if isinstance(said, TensorSpec) and said.dtype != convert_to_tensor(variable).dtype.base_dtype:
            raise TypeError(f"TypeSpec {said!r} is not compatible with {variable!r}")


_AS_IT_IS = object()


def invariant_dims(variable: Any, shape: Any) -> list[Any]:
    """The shapes that `shape`, one of `shape_invariants`, leaves the tensors of a variable."""
    count = len(nest.flatten(variable, expand_composites=True))
    if isinstance(shape, CompositeSpec):
        parts = [as_dims(spec.shape) for spec in shape.flatten()]
        if len(parts) != count:
            raise TypeError(f"TypeSpec {shape!r} is not compatible with {variable!r}")
        return parts
    if hasattr(variable, "_invariant_dims"):
        return variable._invariant_dims(None if shape is None else as_dims(shape), shape is None)
    if shape is None:
        return [_AS_IT_IS] * count
    if isinstance(variable, CompositeTensor):
        raise TypeError(f"To describe or constrain a {type(variable).__name__}, use a spec of it instead of {shape!r}.")
    return [as_dims(getattr(shape, "shape", shape) if not isinstance(shape, TensorShape) else shape)]


def _flat_shapes(invariants: Any) -> list[Any]:
    if isinstance(invariants, (TensorShape, CompositeSpec)) or invariants is None or hasattr(invariants, "shape"):
        return [invariants]
    if isinstance(invariants, dict):
        return [s for key in sorted(invariants) for s in _flat_shapes(invariants[key])]
    return [s for part in invariants for s in _flat_shapes(part)]


def check_dtype(before: Any, after: Any) -> None:
    """Refuse a loop variable of a graph whose dtype changes."""
    if before.dtype.base_dtype is not after.dtype.base_dtype:
        raise TypeError(
            f"Loop var {before.name} enters the loop with type {before.dtype} but has type {after.dtype} after 1 iteration. "
            f"{before.name} type should remain constant; cast what is made at {after.node.where}."
        )


def _check_step(state: Sequence[Any], stand_ins: Sequence[Any], outputs: Sequence[Any]) -> None:
    for t, declared, new in zip(state, stand_ins, outputs, strict=True):
        check_dtype(t, new)
        if not _keeps_known_dims(declared.dims, new.dims):
            raise ValueError(
                f"Input tensor '{t.name}' enters the loop with shape {declared.dims}, but has shape {new.dims} after one iteration "
                f"(made at {new.node.where}). To allow the shape to vary across iterations, use the `shape_invariants` argument of "
                "tf.while_loop to specify a less-specific shape."
            )


def _keeps_known_dims(declared: Any, new: Any) -> bool:
    """Whether a shape is at least as well known as the one declared."""
    if declared is None:
        return True
    return new is not None and len(new) == len(declared) and all(m is None or m == n for m, n in zip(declared, new, strict=True))
