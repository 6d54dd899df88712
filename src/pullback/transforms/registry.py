"""Gradients that users register: `RegisterGradient`, `NotDifferentiable`, `gradient_override_map`, `get_gradient_function`.

Built-in ops carry their rules in their records; this table holds what users add, by name, and what a node's
`_gradient_op_type` attribute asks for.  A registered function gets the node and the cotangents of its outputs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..base.export import export
from ..ir.node import Node, line_of, user_frame
from ..ir.op import OPS
from ..ir.tensor import IndexedSlices, Tensor

GradientFunction = Callable[..., Any]
_registered: dict[str, GradientFunction | None] = {}
_made_at: dict[str, str] = {}


@export("RegisterGradient")
class RegisterGradient:
    """Decorator: register the gradient of an op type, a function of the operation and the cotangents of its outputs.

    op_type: a string; KeyError where it has a gradient already, TypeError where it is no string.

    >>> @tf1.RegisterGradient("DocsTwice")
    ... def _twice(op, g):
    ...     return 2.0 * g
    """

    def __init__(self, op_type: str) -> None:
        if not isinstance(op_type, str):
            raise TypeError("op_type must be a string")
        self._op_type = op_type

    def __call__(self, function: GradientFunction) -> GradientFunction:
        _register(self._op_type, function)
        return function


@export("no_gradient", v1=("NoGradient", "NotDifferentiable"))
def not_differentiable(op_type: str) -> None:
    """Register that ops of type `op_type` are constant: their gradient is None.

    >>> tf.no_gradient("MyRounding")
    >>> tf.no_gradient("Sin")
    Traceback (most recent call last):
    KeyError: "Registering two gradient with name 'Sin'! (Previous registration was in this library's own record of the op)"
    """
    if not isinstance(op_type, str):
        raise TypeError("op_type must be a string")
    _register(op_type, None)


#: What the note of an error begins with that a gradient function raised.
OF_A_RULE = "This is the gradient of"


def _register(op_type: str, function: GradientFunction | None) -> None:
    ours = OPS.find(op_type)
    if op_type in _registered or (ours is not None and ours.rules is not None):
        where = _made_at.get(op_type, "this library's own record of the op")
        raise KeyError(f"Registering two gradient with name '{op_type}'! (Previous registration was in {where})")
    _registered[op_type] = function
    source = user_frame()
    _made_at[op_type] = "an unknown place" if source is None else f"{source[0].co_filename}:{line_of(source)}"


def _find_registered(node: Node) -> str | None:
    """The name of the registered gradient that this node is to use, None for the op's own."""
    asked = node.attrs.get("_gradient_op_type") if node.attrs else None
    if asked is not None:
        return str(asked)
    return node.primitive.name if node.primitive.rules is None and node.primitive.name in _registered else None


def custom_gradient_of(node: Node) -> Callable[[Node, Any], list[tuple[Any, Any]]] | None:
    """The registered gradient that stands in for the op's own rules, as a function giving (input, cotangent) pairs."""
    if not node.attrs and node.primitive.rules is not None:
        return None
    asked = _find_registered(node)
    if asked is None:
        return None
    if asked not in _registered:
        ours = OPS.find(asked)
        if ours is not None and ours.rules is not None:
            return None
        raise LookupError(
            f"gradient registry has no entry for: {asked} (gradient_override_map asks for it in place of {node.primitive.name}'s, "
            f"at {node.where})"
        )
    return lambda n, g: _check_answers(n, _registered[asked], g)


def _check_answers(node: Node, function: GradientFunction | None, g: Any) -> list[tuple[Any, Any]]:
    if function is None:
        return []
    try:
        answer = function(node, *(g if isinstance(g, list) else [g]))
    except Exception as error:
        error.add_note(f"{OF_A_RULE} {_find_registered(node)}, registered for {node.type}, used at {node.where}.")
        raise
    answers = list(answer) if isinstance(answer, (list, tuple)) else [answer]
    if len(answers) != len(node.inputs):
        raise ValueError(
            f'Num gradients {len(answers)} generated for op name: "{node.name}" op: "{node.type}" do not match num inputs '
            f'{len(node.inputs)}'
        )
    for gx in answers:
        if gx is not None and not isinstance(gx, (Tensor, IndexedSlices)):
            raise AttributeError(
                f"'{type(gx).__module__}.{type(gx).__name__}' object has no attribute 'name': the gradient of {node.type} must "
                "return tensors"
            )
    return list(zip(node.inputs, answers, strict=True))


def get_gradient_function(node: Node) -> GradientFunction | None:
    """The gradient function of an operation: None where it is registered as not differentiable or has no inputs.

    Raises LookupError where no gradient is registered.
    """
    if not node.inputs:
        return None
    asked = _find_registered(node)
    if asked in _registered:
        return _registered[asked]
    if asked is not None and OPS.find(asked) is None:
        raise LookupError(f"gradient registry has no entry for: {asked}")
    if node.primitive.rules is None:
        raise LookupError(f"gradient registry has no entry for: {node.primitive.name}")
    if not node.primitive.rules:
        return None
    from_rules = node.primitive.rules

    def gradient(op: Node, *grads: Any) -> Any:
        answers: list[Any] = [None] * len(op.inputs)
        spans = op.primitive.spans(len(op.inputs))
        active = tuple(t.dtype.trainable for t in op.inputs)
        for rule in from_rules:
            given = rule.call(op, grads[0] if len(grads) == 1 else list(grads), active)
            for i, gx in zip(rule.indices, given if len(rule.indices) > 1 else (given,), strict=True):
                if op.primitive.inputs[i].variadic:
                    answers[spans[i].start : spans[i].stop] = gx
                else:
                    answers[spans[i].start] = gx
        return answers[0] if len(answers) == 1 else answers

    return gradient
