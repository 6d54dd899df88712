"""What follows from what: families of ops whose type rule, gradient and forward rule come from less.

`elementwise`: one formula per input.  A formula that reads `g` is the whole cotangent; one that does not is the partial
derivative, which the family multiplies with g; a partial that reads nothing and is 1 passes g on as it is.
`fused_gradient`: what an elementwise op's gradient is, of the cotangents and the input or the output.
`linear`: an op of its first input that is linear with real coefficients; its formula is its transpose.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ..base.dtypes import DType
from ..base.shapes import broadcast, show as show_dims
from ..base.tolerance import EXACT, Tolerance
from ..ir.apply import ShapeError
from ..ir.fast_dispatch import dispatch_binary, dispatch_unary
from ..ir.op import PLAIN, Op, Traits, define, parameter_names, set_signature
from ..ir.tensor import Dims, Tensor, TensorType
from ..kernels.blocked import block_kernel
from .batching import stack_rows


def broadcast_dims(a: Dims, b: Dims) -> Dims:
    """The dims of the result of broadcasting; unknown dims stay unknown unless the other side decides.

    Raises ShapeError where known dims do not fit.
    """
    if a == b:
        return a
    try:
        return broadcast(a, b)
    except ValueError:
        pairs = zip(reversed(a or ()), reversed(b or ()), strict=False)
        m, n = next((m, n) for m, n in pairs if m != n and m not in (1, None) and n not in (1, None))
        eagerly = f"Incompatible shapes: {show_dims(a)} vs. {show_dims(b)}"
        raise ShapeError(f"Dimensions must be equal, but are {m} and {n}", eagerly) from None


def _unary_type(x: Any) -> TensorType:
    return TensorType(x.dims, x.dtype)


def _binary_type(x: Any, y: Any) -> TensorType:
    return TensorType(broadcast_dims(x.dims, y.dims), x.dtype)


def _many_type(*types: Any) -> TensorType:
    dims: Dims = types[0].dims
    for t in types[1:]:
        dims = broadcast_dims(dims, t.dims)
    return TensorType(dims, types[0].dtype)


def elementwise(
    name: str,
    inputs: str,
    kernel: Callable[..., Any],
    partials: Mapping[str, Callable[..., Any] | float] | None,
    *,
    dtypes: Iterable[DType],
    output: DType | None = None,
    holomorphic: bool = True,
    lower: object = None,
    tolerance: Tolerance = EXACT,
    gradient_names: str = "",
    passes_on: bool = False,
    traits: Traits = PLAIN,
    call: Callable[[Op], Callable[..., Any]] | None = None,
) -> Op:
    """An op that works element by element on inputs that broadcast against each other.

    partials: by input name a formula (see the head of this file), or 1 or -1 for a constant partial.  {}: constant with respect to all.
    output: the dtype of the result where it is not that of the inputs.  passes_on: as `passes` of `Op`.  call: as in `define`.
    """
    count = len(inputs.split())
    rule = _unary_type if count == 1 else _binary_type if count == 2 else _many_type
    infer: Callable[..., TensorType] = rule if output is None else lambda *types: TensorType(rule(*types).dims, output)
    vjp: Any = None if partials is None else {wrt: _cotangent(d) for wrt, d in partials.items()}
    passes = partials is not None and all(d == 1 for d in partials.values())
    return define(
        name, inputs, infer, kernel, vjp,
        dtypes=dtypes, jvp=None, lower=lower, tolerance=tolerance, broadcasts=count > 1, holomorphic=holomorphic and not passes,
        sparse=passes and bool(partials), gradient_names=gradient_names, by_element=True, pointwise=True, passes=passes_on, traits=traits,
        call=call or (dispatch_unary if count == 1 else dispatch_binary if count == 2 else None),
    )  # fmt: skip


def _cotangent(partial: Callable[..., Any] | float) -> Callable[..., Any]:
    if not callable(partial):
        return (lambda g: g) if partial == 1 else (lambda g: -g)
    names = parameter_names(partial)
    if "g" in names:
        return partial
    formula = partial

    def scale(g: Any, *read: Any) -> Tensor:
        return g * formula(*read)

    return set_signature(scale, ("g", *names))


def push_symmetric(node: Any, given: list[Any]) -> list[Any]:
    """`Op.jvp` of an op whose Jacobian by each input is its own transpose, as for an op that works element by element: its VJP rules."""
    total = None
    for rule in node.primitive.rules:
        (index,) = rule.indices
        if given[index] is not None:
            term = rule.call(node, given[index])
            if term is not None:
                total = term if total is None else total + term
    return [total]


def fused_gradient(
    name: str,
    second: str,
    infer: Callable[..., TensorType],
    kernel: Callable[..., Any],
    vjp: Mapping[str | tuple[str, ...], Callable[..., Any]],
    **more: Any,
) -> Op:
    """The gradient of an elementwise op as an op of its own, `name(gradients, second)`, so that it can be differentiated again."""
    return define(
        name, f"gradients {second}", infer, block_kernel(kernel), vjp, jvp=push_symmetric, batch=stack_rows(), call=dispatch_binary, **more
    )


def linear(
    name: str,
    inputs: str,
    infer: Callable[..., Any],
    kernel: Callable[..., Any],
    transpose: Callable[..., Any],
    *,
    dtypes: Any = None,
    sparse: bool = False,
    lower: Any = None,
    batch: Callable[..., Any] | None = None,
    gradient_names: str = "",
    traits: Traits = PLAIN,
) -> Op:
    """An op that is linear, with real coefficients, in its first input; further inputs (shapes, axes) are constants."""
    wrt = inputs.split(maxsplit=1)[0].partition(":")[0].lstrip("*")
    return define(
        name, inputs, infer, kernel, {wrt: transpose}, dtypes=dtypes, holomorphic=False, sparse=sparse, lower=lower, batch=batch,
        gradient_names=gradient_names, traits=traits,
    )  # fmt: skip
