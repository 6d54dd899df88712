"""Why a gradient is all zeros: the operation that got a cotangent and gave zeros on, and why it did."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..base.dtypes import DType, float64, variant
from ..control.py_function import leaves_library
from ..control.recompute import Recomputation
from ..ir.apply import wrap
from ..ir.node import Node, place_of
from ..ir.op import Op
from ..ir.tensor import EagerTensor, Forgotten, fresh_uid
from ..transforms.recording import Recording
from ..transforms.reverse import pullback
from .place import REMEDIES, Place, Question
from .traced import Term, Trace, array_of, compute_aside, is_zero

REMEDIES |= {
    "zero derivative": "use an operation that is not flat there (tf.nn.leaky_relu, tf.nn.softplus), or move the values into its range",
    "multiplied by zero": "start from values that are not zero",
    "branch not taken": "make the target depend on it where it is wanted, or blend the branches smoothly",
    "saturated": "scale its input down, or use the form that takes logits (tf.nn.log_softmax, tf.nn.sigmoid_cross_entropy_with_logits)",
    "underflow": "scale the loss up before the gradient and the gradient down after it, or keep this part in {wider}",
    "terms cancel": "nothing is wrong where the terms are meant to cancel; weight them otherwise where not",
}
_AT_MINIMUM = "nothing is wrong where what is asked for is met exactly; start from other values where not"
_OF_EXP = "compute with logarithms (tf.reduce_logsumexp, tf.nn.log_softmax), or keep its input above {least:.0f}"
_OF_POWER = "give another exponent: what is raised to the power 0 is 1, whatever it is"
_OF_EXPONENT = "keep the base above zero (tf.abs, tf.nn.softplus)"
_OF_EQUALS = "use the {values} alone, or keep them apart: add small numbers of different sizes to the diagonal"
_OF_FUNCTION = "let the gradient function return the cotangent times a derivative that is not zero"
#: Losses whose slope is zero where their (first) input is.
_LOSSES = frozenset({"Abs", "L2Loss", "Square", "SquaredDifference"})
_CROSS_ENTROPY = "SoftmaxCrossEntropyWithLogits"


class _Zero(NamedTuple):
    code: str
    node: Node
    message: str
    remedy: str | None = None


def zero_places(question: Question, trace: Trace) -> list[Place]:
    """The places that make a gradient zero, the nearest to the targets first.  trace: one that ends at zeros."""
    found: list[_Zero] = []
    again: list[Place] = []
    for node, position, _ in trace.shut:
        assert node is not None
        is_open = any(i == position and not is_zero(value) for _, i, value in trace.given[id(node)])
        if is_open or node.inputs[position].uid not in trace.leads:
            continue
        g = _nonzero_cotangent(trace, node)
        chooser = _chooser(trace, node) if g is None else None  # of what a list holds, somebody reads other elements
        if chooser is not None:
            found.append(_choice(chooser, trace))
        elif g is not None and isinstance(node.attrs.get("rule"), Recomputation):
            again += _explain_recomputed(question, trace, node, position)
        elif g is not None:
            found.append(_explain_zero(question, trace, node, position, g))
        elif count := _count_cancelled(trace, node):
            told = f"the cotangents of {count} uses of what {node.primitive.name}{_describe_line(node)} gives add up to zero"
            found.append(_Zero("terms cancel", node, told))
    if not found and not again:
        return [_explain_zero_terms(question, trace)]
    return [*again, *(_place_of_zero(question, zero) for zero in dict.fromkeys(found))]


def _explain_recomputed(question: Question, trace: Trace, node: Node, position: int) -> list[Place]:
    """The places inside a function that is computed again (`recompute_grad`)."""
    x, inside = node.inputs[position], Recording(reads_variables=False)
    ys = node.attrs["rule"].record(inside, [x])
    gs = [trace.cotangent(t.uid) for t in node.outputs]
    return zero_places(question._replace(ys=ys, x=x), Trace(inside, ys, gs, [x], ends_at_zeros=True))


def place_not_taken(question: Question, node: Node) -> Place:
    """The place of a branch or a loop that was run without the part that uses the source."""
    line = _describe_line(node)
    what = f"the loop{line} took no step" if node.primitive.name == "While" else f"the branch that was run{line} does not use it"
    return _place_of_zero(question, _Zero("branch not taken", node, what))


def _nonzero_cotangent(trace: Trace, node: Node) -> np.ndarray[Any, Any] | None:
    for t in node.outputs:
        g = trace.cotangent(t.uid)
        if g is not None and not is_zero(g) and t.dtype is not variant:
            return array_of(g)
    return None


def _count_cancelled(trace: Trace, node: Node) -> int:
    """How many cotangents of what a node gives add up to zero, where they are not all zero."""
    terms = next((found for t in node.outputs if len(found := trace.terms.get(t.uid, ())) > 1), ())
    return len(terms) if not all(is_zero(term.value) for term in terms) else 0


def _place_of_zero(question: Question, zero: _Zero) -> Place:
    source = zero.node.source if hasattr(zero.node, "source") else None
    file, line = place_of(source)[:2] if source is not None else (None, None)
    message = f"{zero.message}, on the way from {question.target} to {question.source}."
    wider = "float32" if zero.code == "underflow" and _find_narrowest(zero.node).size == 2 else "float64"
    remedy = zero.remedy or REMEDIES[zero.code].format(what="the Python function", wider=wider)
    return Place(zero.code, zero.node.primitive.name, file, line, message, remedy, node=zero.node)


def _explain_zero_terms(question: Question, trace: Trace) -> Place:
    terms = trace.terms.get(trace.xs[0].uid, [])
    if not all(is_zero(term.value) for term in terms):
        node = _reader(trace, terms[0].node)
        message = f"{len(terms)} uses of {question.source} give terms that add up to zero"
        if node is not None:
            return _place_of_zero(question, _Zero("terms cancel", node, message))
    reader = _last_reader(trace, trace.xs[0].uid)
    if reader is not None and not all(is_zero(g) for g in trace.gs):
        told = f"{question.target} does not use what {reader.primitive.name}{_describe_line(reader)} computes from {question.source}"
        return _place_of_zero(question, _Zero("no path", reader, told))
    message = f"the cotangents that come in at {question.target} are zero, so everything behind is."
    return Place("multiplied by zero", None, None, None, message, "give output_gradients that are not zero")


def _last_reader(trace: Trace, uid: int) -> Node | None:
    """The last operation that reads a source, whether or not the targets use it; of a variable one that reads its value."""
    found = next((node for node in reversed(trace.recording.nodes) if any(t.uid == uid for t in node.inputs)), None)
    is_read = found is not None and found.primitive.name == "ReadVariableOp"
    return (_last_reader(trace, found.outputs[0].uid) or found) if found is not None and is_read else found


def _reader(trace: Trace, node: Node | None) -> Node | None:
    """The operation that reads what a node gives, where the node only reads a variable."""
    while node is not None and node.primitive.name == "ReadVariableOp":
        node = trace.terms[node.outputs[0].uid][0].node
    return node


def _explain_zero(question: Question, trace: Trace, node: Node, position: int, g: np.ndarray[Any, Any]) -> _Zero:
    name, traits = node.primitive.name, node.primitive.traits
    if traits.moves:
        chooser = _chooser(trace, node)
        if chooser is not None:
            return _choice(chooser, trace)
    line = _describe_line(node)
    live = int(np.count_nonzero(g))
    where = _describe_reached(live, g.size)
    if traits.chooses and not _is_clip(trace, node, position):
        return _choice(node, trace)
    if name in ("PartitionedCall", "StatefulPartitionedCall", "While", "Case"):
        return _explain_call(node, line)
    others = [t for i, t in enumerate(node.inputs) if i != position and isinstance(t, EagerTensor)]
    if node.primitive.inputs and _is_empty(node.inputs[position]):
        return _find_emptied(trace, node, position)
    if name == "Pow" and position == 0 and others and not others[0].value.any():
        return _Zero("zero derivative", node, f"{name}{line} has the exponent 0: its derivative is zero", _OF_POWER)
    if name == "Pow" and position == 1 and others and not np.any(others[0].value > 0):
        told = f"{name}{line} has no base above zero, and only there has a power a slope in its exponent: zeros stand for it"
        return _Zero("zero derivative", node, told, _OF_EXPONENT)
    if traits.multiplies and (not others or any(_is_zero_where(t.value, g, node.primitive.broadcasts) for t in others)):
        made = _first_underflow(trace, others)
        if made is not None:
            told = f"{made.primitive.name}{_describe_line(made)} makes values too small for {_find_narrowest(made).name}"
            return _Zero("underflow", made, f"{told}: they underflow to zero, and {name}{line} multiplies the cotangent by them")
        maker = next((one for t in others for one in trace.recording.nodes if any(out.uid == t.uid for out in one.outputs)), None)
        shut = maker is not None and maker.primitive.traits.flat
        given = (
            f" that {maker.primitive.name}{_describe_line(maker)} gives"
            if maker is not None and maker.primitive.name != "ReadVariableOp"
            else ""
        )
        remedy = REMEDIES["zero derivative"] if shut else None
        return _Zero("multiplied by zero", node, f"{name}{line} multiplies the cotangent by zeros{given}", remedy)
    if leaves_library(node, position):
        message = f"the Python function called{line} takes the value out of the library, and gives zeros for it"
        return _Zero("left the library", node, message)
    if _balances(node, g):
        told = "gets a cotangent that is the same for all of a row, whose results always add up to 1: their terms cancel"
        return _Zero("terms cancel", node, f"{name}{line} {told}")
    if name.startswith("FusedBatchNorm") and position == 0 and _is_level(node, g):
        told = f"{name}{line} gets a cotangent that is the same for all of a channel, whose results always add up to the same"
        return _Zero("terms cancel", node, f"{told}: their terms cancel")
    if name == _CROSS_ENTROPY and position == 0 and isinstance(node.outputs[0], EagerTensor) and node.outputs[0].value.any():
        return _Zero("zero derivative", node, f"{name}{line} is at its minimum: the labels are met exactly", _AT_MINIMUM)
    if name == "Exp":
        least = np.log(_find_smallest(node.outputs[0].dtype))
        told = f"{name}{line} makes values too small for {node.outputs[0].dtype.name}: they underflow to zero"
        return _Zero("underflow", node, told, _OF_EXP.format(least=least))
    if traits.saturates:
        message = f"{name}{line} is saturated: its slope is below the last digit of the dtype at {where}"
        return _Zero("saturated", node, message, _AT_MINIMUM if name.endswith(_CROSS_ENTROPY) else None)
    if name == "CustomGradient":
        return _Zero("zero derivative", node, f"the gradient function of the custom gradient{line} gives zeros", _OF_FUNCTION)
    if name in _LOSSES and _is_met(node):
        return _Zero("zero derivative", node, f"{name}{line} is at its minimum, where its derivative is zero", _AT_MINIMUM)
    equal = _EQUALS.get(name)
    if equal is not None and _has_equals(node.outputs[0]):
        told = f"{equal} are equal in {name}{line}, where the vectors have no derivative: zeros stand for it"
        return _Zero("zero derivative", node, told, _OF_EQUALS.format(values=equal))
    if _underflows(node, position, g):
        return _Zero("underflow", node, f"{name}{line} makes cotangents too small for {_find_narrowest(node).name}: they underflow to zero")
    before = _stops_others(trace, node, live)
    also = f" ({before.primitive.name}{_describe_line(before)} lets none through to the others)" if before is not None else ""
    return _Zero("zero derivative", node, f"{name}{line} is flat: its derivative is zero at {where}{also}")


def _describe_reached(live: int, size: int) -> str:
    """The words for the elements that a cotangent reaches."""
    if size == 1:
        return "its only element"
    return f"all {size} elements" if live == size else f"the {live} of {size} elements that a cotangent reaches"


def _stops_others(trace: Trace, node: Node, live: int) -> Node | None:
    """A flat operation nearer to the targets that got a cotangent for more elements than it passed on to a node."""
    for term in trace.terms.get(node.outputs[0].uid, ()):
        if term.node is not None and term.node.primitive.traits.flat:
            g = _nonzero_cotangent(trace, term.node)
            if g is not None and np.count_nonzero(g) > live:
                return term.node
    return None


#: What the first output has, of operations whose further outputs have no derivative where two of these are equal.
_EQUALS = {"Svd": "singular values", "SelfAdjointEigV2": "eigenvalues", "Eig": "eigenvalues"}


def _has_equals(values: Any) -> bool:
    return isinstance(values, EagerTensor) and bool(np.any(np.diff(np.sort(values.value, axis=-1), axis=-1) == 0))


def _is_met(node: Node) -> bool:
    """Whether what a loss is given leaves nothing to be lost."""
    given = [t.value for t in node.inputs if isinstance(t, EagerTensor)]
    if not given or len(given) < len(node.inputs):
        return False
    return not np.any(given[0] - given[1] if len(given) == 2 else given[0])


def _find_smallest(dtype: DType) -> float:
    """The smallest number above zero that a type holds."""
    tiny: float = np.nextafter(dtype.numpy_dtype.type(0), dtype.numpy_dtype.type(1)).item()
    return tiny


def _is_empty(t: Any) -> bool:
    return t.dims is not None and 0 in t.dims


def _find_emptied(trace: Trace, node: Node, position: int) -> _Zero:
    """What left an operation no elements, the last that had some itself."""
    makers = {t.uid: maker for maker in trace.recording.nodes for t in maker.outputs}
    maker = makers.get(node.inputs[position].uid)
    while maker is not None:
        empty = [t for t in maker.inputs if _is_empty(t) and t.uid in trace.recording.active]
        if not empty:
            return _Zero(
                "branch not taken", maker, f"{maker.primitive.name}{_describe_line(maker)} passes nothing on: its result has no elements"
            )
        maker = makers.get(empty[0].uid)
    return _Zero("branch not taken", node, f"{node.primitive.name}{_describe_line(node)} gets no elements")


def _describe_line(node: Node) -> str:
    scope = str(getattr(node, "name", "")).rpartition("/")[0]
    under = f" under {scope!r}" if scope else ""
    return ("" if node.source is None else f" at line {place_of(node.source)[1]}") + under


def _first_underflow(trace: Trace, factors: list[EagerTensor]) -> Node | None:
    """The operation that made zeros among some factors of what is not zero: far out, in few digits, or of other such zeros."""
    makers = {t.uid: node for node in trace.recording.nodes for t in node.outputs}
    pending, seen = [t.uid for t in factors], set[int]()
    while pending:
        node = makers.get(pending.pop())
        if node is None or id(node) in seen:
            continue
        seen.add(id(node))
        if _loses(node):
            return node
        pending += [t.uid for t in node.inputs if not isinstance(t, EagerTensor) or is_zero(t)]
    return None


def _loses(node: Node) -> bool:
    """Whether an operation gives zeros for what is not zero in float64, or would not be in more digits."""
    out, op = node.outputs[0], node.primitive
    given = [t for t in node.inputs if isinstance(t, EagerTensor)]
    if len(given) < len(node.inputs) or not all(t.dtype.is_floating and t.dtype is not float64 for t in (out, *given)) or op.stateful:
        return False
    attrs = {name: node.attrs[name] for name in op.attributes}
    with compute_aside([]):
        if op.traits.saturates and len(given) == 1:
            found = op(given[0], **attrs)
            return isinstance(found, EagerTensor) and bool(np.any((found.value == 0) & (given[0].value != 0)))
        found = op(*op.arguments(tuple([_widen_tensor(t) for t in given])), **attrs)
    return isinstance(found, EagerTensor) and bool(np.any((found.value != 0) & (found.value.astype(out.dtype.numpy_dtype) == 0)))


def _underflows(node: Node, position: int, g: np.ndarray[Any, Any]) -> bool:
    """Whether the rule of an operation gives in float64 what is not zero for an input."""
    if g.dtype.kind == "c" or node.primitive.traits.flat or not _is_wide(node.primitive):
        return False
    if not all(t.dtype.is_floating for t in (*node.inputs, *node.outputs)):
        return False
    inputs = tuple([_widen_tensor(t) for t in node.inputs])
    wide = Node(node.primitive, inputs, node.attrs, tuple([_widen_tensor(t) for t in node.outputs]))
    x = inputs[position]
    active = {t.uid: t for t in (*wide.inputs, *wide.outputs)}
    with compute_aside([]):
        (found,) = pullback((wide,), list(wide.outputs[:1]), [wrap(g.astype(np.float64))], [x], active)
    return found is not None and not is_zero(found) and bool(np.isfinite(array_of(found)).all())


def _is_wide(op: Op) -> bool:
    """Whether all inputs of an operation can be in float64."""
    allowed = [op.dtypes.get(spec.variable) if spec.dtype is None else (spec.dtype,) for spec in op.inputs]
    return all(dtypes is None or float64 in dtypes for dtypes in allowed)


def _find_narrowest(node: Node) -> DType:
    """The type of the fewest digits among those of an operation's tensors."""
    dtypes: list[DType] = [t.dtype for t in (*node.inputs, *node.outputs)]
    return min(dtypes, key=lambda dtype: dtype.size)


def _widen_tensor(t: Any) -> Any:
    """A tensor in float64; of one that was not kept, what stands for it."""
    if isinstance(t, EagerTensor):
        return wrap(t.value.astype(np.float64))
    return Forgotten(fresh_uid(), t.dims, float64.numpy_dtype)


def _is_zero_where(factor: np.ndarray[Any, Any], g: np.ndarray[Any, Any], by_element: bool) -> bool:
    """Whether a factor is zero (or an infinite divisor) everywhere, or at the elements that a cotangent reaches."""
    counts = (factor != 0) & ~np.isinf(factor)
    return not np.any(counts) or (by_element and not np.any(np.broadcast_to(counts, g.shape)[g != 0]))


def _balances(node: Node, g: np.ndarray[Any, Any]) -> bool:
    """Whether a softmax gets a cotangent that is the same for all of a row: the sum of its results does not change."""
    return node.primitive.name == "Softmax" and g.ndim > 0 and bool(np.all(g == g[..., :1]))


def _is_level(node: Node, g: np.ndarray[Any, Any]) -> bool:
    """Whether a cotangent is the same for all of each channel."""
    channel = 1 if node.attrs["data_format"].startswith("NC") else g.ndim - 1
    return not np.any(np.ptp(g, axis=tuple(i for i in range(g.ndim) if i != channel)))


def _is_clip(trace: Trace, node: Node, position: int) -> bool:
    """Whether a maximum or minimum is with a constant: a clip, as ReLU is one."""
    if node.primitive.name not in ("Maximum", "Minimum"):
        return False
    return node.inputs[1 - position].uid not in trace.recording.active


def _chooser(trace: Trace, node: Node) -> Node | None:
    """The operation nearer to the targets that chose what got a cotangent; None where there is none."""
    seen: set[int] = set()
    pending: list[Term] = [term for t in node.outputs for term in trace.terms.get(t.uid, ())]
    while pending:
        maker = pending.pop().node
        if maker is None or id(maker) in seen:
            continue
        seen.add(id(maker))
        if maker.primitive.traits.chooses:
            return maker
        pending += [term for t in maker.outputs for term in trace.terms.get(t.uid, ())]
    return None


def _choice(node: Node, trace: Trace) -> _Zero:
    name = node.primitive.name
    line = _describe_line(node)
    return _Zero("branch not taken", node, f"{name}{line} passes nothing on: {node.primitive.traits.chooses} other elements")


def _explain_call(node: Node, line: str) -> _Zero:
    body = node.attrs.get("f")
    branches = [inner for inner in body.graph.nodes if "branches" in inner.attrs] if body is not None else []
    if branches:
        return _Zero("branch not taken", branches[0], f"the branch that was run in the function called{line} does not use it")
    return _Zero("zero derivative", node, f"the function called{line} has a zero derivative")
