"""What the picture of a gradient shows: the way from the source to the targets, how large it is on the way back, and where it breaks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..ir.picture import Sketch, constant_text, leaf_of, line_text, type_text
from ..pictures.diagram import Diagram, Leaf
from ..transforms.picture import Functions
from ..transforms.provenance import SAME, Key, Provenance, Step
from .place import Place, Question, operation_of
from .traced import Trace, norm_of

if TYPE_CHECKING:
    from .answer import Why


def picture_of_why(why: Why, question: Question, trace: Trace | None) -> Diagram:
    """A diagram of what lies between a source and its targets.  trace: the cotangents, where they have values."""
    sketch = Sketch(f"the gradient of {question.target} with respect to {question.source}{': ' + why.code if why.code else ''}")
    ys, x = (question.ys, question.x) if trace is None else (trace.ys, trace.xs[0])
    steps = _select_steps(why.provenance, [y.uid for y in ys], x.uid)
    norms = _norms(trace)
    taken = {id(node) for node in trace.recording.nodes} if trace is not None else set()
    groups = Functions(question.frame.f_code if question.frame is not None else None)
    thing = question.thing
    sketch.add_source(x.uid, question.source, thing, f"the source {question.source}: {type_text(thing)}")
    makers = sketch.makers
    places = {id(place.step): place for place in reversed(why.breaks) if place.step is not None}
    places |= {id(place.node): place for place in reversed(why.breaks) if place.node is not None}
    for step in steps:
        if x.uid in step.outputs:  # what makes a source is no part of its gradient
            continue
        if step.op is SAME:
            for key, given in zip(step.outputs, step.inputs, strict=True):
                makers.setdefault(key, []).extend(makers.get(given, ()))
            continue
        made = sketch.add_leaf(_leaf(step, groups(step), places.get(id(step)) or places.get(id(step.node))))
        for i, key in enumerate(step.inputs):
            norm = norms.get((id(step.node), i)) if id(step.node) in taken else norms.get(key) if step.node and step.passes(i) else None
            sketch.add_arrows(dict.fromkeys(makers.get(key, ())), made, gradient=norm)
        for key in step.outputs:
            makers[key] = [made]
    shown = {id(one) for step in steps for one in (step, step.node) if one is not None}
    lost = [place for place in why.breaks if id(place.step) not in shown and id(place.node) not in shown]
    for i, y in enumerate(ys):
        name = question.target if len(ys) == 1 else f"target {i}"
        told = lost[0].message if lost and i == 0 else ""
        made = sketch.add_leaf(Leaf(name, (), "broken" if told else "source", "", f"the target {name}: {type_text(y)}", told))
        norm = norms.get((None, y.uid)) if why.connected else None
        sketch.add_arrows(dict.fromkeys(makers.get(y.uid, ())), made, gradient=norm)
    return sketch.diagram


def _leaf(step: Step, scope: tuple[str, ...], place: Place | None) -> Leaf:
    if step.node is not None:
        leaf = leaf_of(step.node, scope)
    elif step.op.name == "VarHandleOp" and step.attrs["shared_name"]:
        name = step.attrs["shared_name"]
        leaf = Leaf(name, scope, "source", "", "\n".join([f"the variable {name!r}", *line_text(step.source)]))
    else:
        label = constant_text(step.attrs["value"]) if step.op.name == "Const" else operation_of(step) or step.op.name
        leaf = Leaf(label, scope, "passed", "", "\n".join([f"{label}, which the tape did not take", *line_text(step.source)]))
    if place is not None:
        leaf.kind, leaf.sentence = "broken", place.message
    return leaf


def _norms(trace: Trace | None) -> dict[Any, float]:
    """The norm of each cotangent by its tensor, of each term of it by operation and input; of what comes in at a target by (None, it)"""
    found: dict[Any, float] = {}
    for uid, terms in trace.terms.items() if trace is not None else ():
        for term in terms:
            found[(None, uid) if term.node is None else (id(term.node), term.position)] = norm_of(term.value)
        found[uid] = norm_of(trace.cotangent(uid)) if trace is not None else 0.0
    return found


def _select_steps(found: Provenance, ys: Sequence[Key], x: Key) -> list[Step]:
    """The steps behind the targets in their order; where the source is not among what they read, those after it too."""
    wanted = set(ys)
    kept: set[int] = set()
    for step in reversed(found.steps):
        if any(key in wanted for key in step.outputs):
            kept.add(id(step))
            wanted.update(step.inputs)
    fed = {x}
    for step in found.steps if x not in wanted else ():
        if any(key in fed for key in step.inputs):
            kept.add(id(step))
            fed.update(step.outputs)
    return [step for step in found.steps if id(step) in kept]
