"""`why`: what a gradient is, or why it is None, in words, with the line of the program that decides."""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Mapping, Sequence
from types import FrameType
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from ..api.endpoints import (
    as_list,
    as_sources,
    call_with,
    seeds_of,
    source_of,
    source_tensor,
    source_tensor_of,
    targets_of,
    targets_on_tape,
    variable_of,
)
from ..api.gradients import gradients
from ..api.nonfinite import NotFinite
from ..base import nest
from ..base.dtypes import DType
from ..base.errors import OpError
from ..base.export import export
from ..base.garbage import pause_collection
from ..control.custom import name_of
from ..control.recompute import Recomputation
from ..ir.context import Context, enter_context, enter_graph, start_listening, stop_listening
from ..ir.function_graph import FunctionGraph
from ..ir.node import Node, user_caller
from ..ir.tensor import SymbolicTensor, Tensor
from ..ops.array.basic import zeros_of
from ..transforms.explain import Break, find_held, follow
from ..transforms.provenance import Key, Provenance, trace_graph, trace_recording
from ..transforms.recording import Recording, Unanswered, sweep
from ..transforms.reverse import find_between_graphs, find_dependents, is_trainable
from .answer import NO_VALUES, Why
from .causes import causes_on_tape, place_of_break
from .nans import first_of_tape, is_finite_tensor
from .notes import name_thing
from .place import Place, Question, place
from .program import name_holder, name_in
from .rerun import GraphRule, run_recorded
from .text_causes import explain_graph, place_of_a_number
from .traced import Trace, compute_aside, is_zero
from .unfolded import Unfolded
from .zeros import place_not_taken, zero_places

if TYPE_CHECKING:
    from ..api.session import Session
    from ..api.source_types import Source
    from ..api.tape import GradientTape


@overload
def why(
    ys: object, xs: Source, tape: GradientTape | None = ..., output_gradients: object = ..., *, stop_gradients: object = ...,
    session: Session | None = ..., feed_dict: Mapping[Any, Any] | None = ...,
) -> Why: ...  # fmt: skip
@overload
def why(
    ys: object, xs: object, tape: GradientTape | None = ..., output_gradients: object = ..., *, stop_gradients: object = ...,
    session: Session | None = ..., feed_dict: Mapping[Any, Any] | None = ...,
) -> Any: ...  # fmt: skip
@export(ours="why")
def why(
    ys: object, xs: object, tape: GradientTape | None = None, output_gradients: object = None, *, stop_gradients: object = None,
    session: Session | None = None, feed_dict: Mapping[Any, Any] | None = None,
) -> Any:  # fmt: skip
    """Why the gradient of `ys` with respect to each of `xs` is what it is: a `Why`, or a structure of them like `xs`.

    ys: tensors that a tape recorded, tensors of a graph, or a function of `xs`.  xs: a tensor or variable, or a structure of them.
    tape: the tape that recorded `ys`; it can still be asked for the gradient afterwards.  A tape that is used up can be asked where its
    gradient was None.  output_gradients: weights of the elements of `ys`, as `gradient` takes them.  stop_gradients: in a graph, what
    `tf.gradients` is to hold constant.  session, feed_dict: where a graph is run for its numbers, the default session when None, and
    with what; its variables stay as they are.  Without a session, or with values missing, the answer tells whether there is a gradient.
    Raises TypeError for eager tensors without a tape, RuntimeError for a tape that has nothing recorded any more.

    >>> x = tf.constant(3.0)
    >>> with tf.GradientTape() as tape:
    ...     y = x * x
    >>> found = tf.why(y, x, tape)
    >>> found.code, found.operation
    ('not watched', 'Mul')
    """
    frame = user_caller()
    flat = nest.flatten(xs)
    if callable(ys) and not isinstance(ys, Tensor) and not hasattr(ys, "handle"):
        answers = why_in_function(ys, xs, frame, output_gradients)
    elif tape is None and any(isinstance(t, SymbolicTensor) or getattr(t, "_graph", None) is not None for t in nest.flatten(ys)):
        answers = _explain_graph(ys, flat, output_gradients, stop_gradients, session, feed_dict, frame)
    else:
        answers = _explain_tape(ys, flat, tape or Unanswered.tape, output_gradients, frame)
    return answers[0] if len(flat) == 1 and flat[0] is xs else nest.pack_sequence_as(xs, answers)


def why_on_tape(ys: object, x: object, tape: GradientTape, frame: FrameType | None) -> Why:
    """`why` of one source of a tape, asked from a frame."""
    return _explain_tape(ys, [x], tape, None, frame)[0]


def _explain_tape(ys: Any, xs: list[Any], tape: Any, output_gradients: Any, frame: FrameType | None) -> list[Why]:
    if tape is None:
        raise TypeError(
            "an eager tensor does not know what it was computed from: give the tape that recorded it as tape=, or the function that "
            "computes it from the sources"
        )
    number = next((y for y in nest.flatten(ys) if isinstance(y, (float, int, complex, np.ndarray, np.generic))), None)
    if number is not None:
        asked = [_question(ys, [], x, source_tensor_of(x), frame) for x in xs]
        return [Why(one, None, [place_of_a_number(one, number)], Provenance, None) for one in asked]
    recording = tape._recording or tape._used
    if recording is None:
        raise RuntimeError(
            "the tape is used up: ask pullback.why(ys, xs, tape) before tape.gradient, or make the tape with persistent=True"
        )
    sources = [source_tensor_of(x) for x in xs]
    targets = [source_tensor_of(t) for t in targets_on_tape(ys)]
    return _answers(ys, targets, xs, sources, recording, seeds_of(targets, output_gradients), frame)


def why_in_function(function: Callable[..., Any], xs: object, frame: FrameType | None, output_gradients: object = None) -> list[Why]:
    """`why` of each source of a function, which is run for it, asked from a frame."""
    flat = as_sources(nest.flatten(xs))
    sources = [source_tensor(x) for x in flat]
    recording = Recording(reads_variables=True)
    for x in sources:
        recording.watch(x)
    start_listening(recording)
    try:
        target = call_with(function, nest.pack_sequence_as(xs, flat))
    finally:
        stop_listening(recording)
    targets = targets_of(target)
    seeds = seeds_of(targets, output_gradients)
    return _answers(target, targets, flat, sources, recording, seeds, frame, f"the result of {name_of(function)}")


@pause_collection()
def _answers(
    ys: Any, targets: list[Any], xs: list[Any], sources: list[Any], recording: Recording, seeds: list[Any],
    frame: FrameType | None, target: str = "the target", not_taken: Callable[[Any], Node | None] | None = None,
) -> list[Why]:  # fmt: skip
    swept = Trace(recording, targets, seeds, sources) if not_taken is not None and len(sources) == 1 else None
    with compute_aside(seeds):
        found = sweep(recording, targets, seeds, sources) if swept is None else swept.found
    inside = functools.cache(lambda: Unfolded(recording, targets))
    known = functools.cache(lambda: trace_recording(recording))
    known_inside = functools.cache(lambda: trace_recording(inside().recording))

    def trace_sweep(x: Any, ends_at_zeros: bool = False) -> Trace:
        if swept is not None and not ends_at_zeros and inside().recording is recording:
            return swept
        return Trace(inside().recording, [inside().of(y) for y in targets], seeds, [inside().of(x)], ends_at_zeros)

    def unfold_question(question: Question, x: Any) -> Question | None:
        """The question about what the calls ran; None where there were none."""
        if inside().recording is recording:
            return None
        start = inside().of(x)
        known_inside().dtypes[start.uid] = known().dtypes[x.uid]
        return question._replace(ys=[inside().of(y) for y in targets], x=start)

    def runs(question: Question, x: Any) -> bool:
        """Whether the branches that were run lead to a source."""
        asked = unfold_question(question, x) if inside().chooses else None
        return asked is not None and follow(known_inside(), [y.uid for y in asked.ys], asked.x.uid).connected

    answers = []
    for thing, x, gradient in zip(xs, sources, found, strict=True):
        question = _question(ys, targets, thing, x, frame, target)
        passed = not_taken(x) if gradient is None and not_taken is not None else None
        if gradient is None and passed is None:
            outside = functools.cache(functools.partial(Trace, recording, targets, seeds, [x]))
            known().dtypes[x.uid] = _dtype_of(thing, x)
            places = [] if known().chooses and runs(question, x) else _causes_on_tape(question, recording, known(), outside)
            asked = None if places else unfold_question(question, x)
            if asked is not None:
                places = _causes_on_tape(asked, inside().recording, known_inside(), functools.cache(functools.partial(trace_sweep, x)))
            answers.append(Why(question, None, _distinct(places), known, outside))
            continue
        trace = functools.cache(functools.partial(trace_sweep, x))
        places = []
        if gradient is None or is_zero(gradient):
            start, to_zeros = inside().of(x), trace_sweep(x, ends_at_zeros=True)
            is_unfolded = inside().recording is not recording
            is_cut = gradient is None or (is_unfolded and start.uid not in to_zeros.terms and start.uid not in trace().terms)
            passed = passed or (inside().not_taken(start) if is_cut else None)
            places = _breaks_inside(question, trace(), known_inside()) if is_cut else []
            if not places:
                places = [place_not_taken(question, passed)] if passed is not None else zero_places(question, to_zeros)
        elif not is_finite_tensor(gradient):
            places = [_place_of_nan(question, first_of_tape(trace()))]
        if gradient is None:
            with compute_aside(seeds):
                gradient = zeros_of(x)
        answers.append(Why(question, gradient, places, known_inside, trace))
    return answers


def _causes_on_tape(question: Question, recording: Recording, found: Provenance, trace: Callable[[], Trace]) -> list[Place]:
    """The places that break the ways under a tape; those inside functions that are computed again (`recompute_grad`) in their place."""
    places: list[Place] = []
    for one in causes_on_tape(question, recording, found, functools.partial(_find_withheld, trace)):
        node = one.step.node if one.step is not None else None
        rule = node.attrs.get("rule") if node is not None and one.code == "custom gradient gave None" else None
        if node is not None and isinstance(rule, GraphRule):
            places += _causes_again(question, rule.node, one.position) or [one]
            continue
        if node is None or not isinstance(rule, Recomputation) or any(isinstance(t, SymbolicTensor) for t in rule.flat):
            places.append(one)
            continue
        x, inside = node.inputs[one.position], Recording(reads_variables=False)
        ys = rule.record(inside, [x])
        known = trace_recording(inside)
        known.dtypes[x.uid] = found.dtypes.get(x.uid, x.dtype)
        traced = functools.cache(functools.partial(Trace, inside, ys, seeds_of(ys, None), [x]))
        places += _causes_on_tape(question._replace(ys=ys, x=x), inside, known, traced)
    return places


def _causes_again(question: Question, node: Node, position: int) -> list[Place]:
    """The places inside a function of a graph that is computed again which let nothing pass to an input; none of any other node."""
    rule = node.attrs.get("rule")
    if not isinstance(rule, Recomputation):
        return []
    graph = FunctionGraph("again", node.graph)
    with enter_context(Context(graph, ())):
        x = graph.own(node.inputs[position])
        ys = [graph.own(y) for y in rule.record(Recording(reads_variables=False), [])]
    inside = trace_graph(ys)
    if not follow(inside, [y.uid for y in ys], x.uid).connected:
        return []
    return _causes_in_graph(question._replace(ys=ys, x=x), inside, ())


def _breaks_inside(question: Question, trace: Trace, found: Provenance) -> list[Place]:
    """The places inside loops and calls that let no gradient pass, where what gives none outside gives zeros."""
    ways = follow(found, [y.uid for y in trace.ys], trace.xs[0].uid)
    return _distinct([place_of_break(question, cut) for cut in ways.breaks])


def _distinct(places: Sequence[Place]) -> list[Place]:
    """Each place once, though a loop comes by it in every turn."""
    return list({(one.code, one.operation, one.file, one.line): one for one in reversed(places)}.values())[::-1]


@pause_collection()
def _explain_graph(
    ys: Any, xs: list[Any], output_gradients: Any, stop: Any, session: Any, feed_dict: Any, frame: FrameType | None
) -> list[Why]:  # fmt: skip
    targets, sources = targets_of(ys), [source_of(x) for x in xs]
    graph = next(y.graph for y in targets if isinstance(y, SymbolicTensor))
    with enter_graph(graph):
        stopped = frozenset({source_of(t).uid for t in as_list(stop)} if stop is not None else ())
    held = [stopped or find_held(graph, targets, x) for x in sources]
    known = functools.cache(lambda: trace_graph(targets))

    def answer_without_values(thing: Any, x: Any, gradient: Any, uids: Collection[Key], missing: Exception | None = None) -> Why:
        question = _question(ys, targets, thing, x, frame)
        places: list[Place] = []
        if gradient is None:
            known().dtypes[x.uid] = _dtype_of(thing, x)
            places = _causes_in_graph(question, known(), uids)
        return Why(question, gradient, places, known, None, missing)

    answers = [
        None if _leads_to(targets, x, uids) else answer_without_values(thing, x, None, uids)
        for thing, x, uids in zip(xs, sources, held, strict=True)
    ]
    left = [i for i, answer in enumerate(answers) if answer is None]
    things, open_ = [xs[i] for i in left], [sources[i] for i in left]
    runs = session if session is not None else None if graph.building_function else graph.default_session()
    missing: Exception = ValueError(NO_VALUES)
    found: list[Why] | None = None
    if left and runs is not None:
        try:
            ran = run_recorded(runs, feed_dict, targets, open_, output_gradients, stopped)
        except OpError as error:
            if session is not None or feed_dict is not None:
                raise
            missing = error
        else:
            found = _answers(ys, ran.ys, things, ran.xs, ran.recording, ran.gs, frame, not_taken=ran.not_taken)
    if left and found is None:
        with enter_graph(graph):
            symbolic = gradients(targets, things, output_gradients, stop_gradients=stop)
        found = [answer_without_values(thing, x, g, stopped, missing) for thing, x, g in zip(things, open_, symbolic, strict=True)]
    rest = iter(found or ())
    return [answer if answer is not None else next(rest) for answer in answers]


def why_in_graph(ys: Sequence[Any], x: Any, thing: Any, held: Collection[Key], frame: FrameType | None) -> Why:
    """Why a gradient that was None in a graph was.  x: the source's tensor; thing: what the program calls it.  held: uids held constant."""
    provenance = trace_graph([y for y in ys if isinstance(y, SymbolicTensor)])
    provenance.dtypes[x.uid] = _dtype_of(thing, x)
    question = _question(ys, list(ys), thing, x, frame)
    return Why(question, None, _causes_in_graph(question, provenance, held), lambda: provenance, None)


def _leads_to(ys: Sequence[Any], x: Any, held: Collection[Key]) -> bool:
    """Whether a gradient finds a way from one of several tensors of a graph to a source."""
    nodes = find_between_graphs(ys, [x])
    if held:
        nodes = [node for node in nodes if not any(t.uid in held for t in node.outputs)]
    active = find_dependents(nodes, [x], is_trainable)
    return any(y.uid in active for y in ys)


def _place_of_nan(question: Question, found: NotFinite | None) -> Place:
    """The place where a gradient became infinite or NaN."""
    if found is None:
        message = f"{question.target} or what came to it is infinite or NaN already; pullback.trace_nans() finds where that began."
        return Place("not finite", None, None, None, message, "find where it began with pullback.trace_nans()")
    return Place("not finite", found.operation, found.file, found.line, found.message, found.remedy or "keep its values finite")


def _causes_in_graph(question: Question, found: Provenance, held: Collection[Key]) -> list[Place]:
    ways = follow(found, [y.uid for y in question.ys], question.x.uid, held)
    maker = found.maker_of(y.uid for y in question.ys)
    if not ways.connected:
        told = explain_graph(question)
        return [told or place(question, "no path", f"{question.target} is not computed from {question.source}.", maker)]
    places = [place_of_break(question, cut) for cut in ways.breaks]
    custom = [step for step in found.steps if step.op.name == "CustomGradient" or step.op.rules is None]
    for step in reversed(custom) if not places else ():
        for i, key in enumerate(step.inputs):
            if not places and step.node is not None and follow(found, [key], question.x.uid).connected:
                places = _causes_again(question, step.node, i)
    if not places and custom:
        places = [place_of_break(question, Break("custom gradient gave None", custom[-1], 0))]
    return places or [place(question, "no derivative", f"no way from {question.target} to {question.source} has a derivative.", maker)]


def _find_withheld(trace: Callable[[], Trace]) -> list[tuple[Node, int]]:
    return trace().withheld()


def _question(ys: Any, targets: list[Any], thing: Any, x: Any, frame: FrameType | None, target: str = "the target") -> Question:
    flat = as_list(ys)
    y_name = name_in(frame, ys) or (name_in(frame, flat[0]) if len(flat) == 1 else None)
    x_name = name_in(frame, thing)
    target = y_name or (name_thing(flat[0], target) if len(flat) == 1 else "the targets")
    source = name_thing(thing, x_name or name_holder(frame, thing) or "the source")
    return Question(targets, x, variable_of(thing), target, source, frame, x_name, y_name)


def _dtype_of(thing: Any, x: Any) -> DType:
    """The dtype of a source: for a variable's handle that of its value."""
    found: DType = variable_of(thing).dtype.base_dtype if hasattr(thing, "handle") else x.dtype
    return found
