"""The laws of DESIGN.md section 6: the case table crossed with everything that must hold of every op."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import pullback
from pullback.engine.jit_policy import Settings
from pullback.ir.apply import apply
from pullback.ir.op import NOTHING, OPS, outputs_of
from pullback.ir.tensor import EagerTensor, TensorType
from pullback.ops.all_operations import load_operations
from pullback.ops.tensor_list.value import ListValue
from tests import cases as table
from tests.cases.case import Case, is_float
from tests.golden import observe, store
from tests.golden.compare import differences
from tests.lawkit import Application, Smooth, dot, heard, seeds, size
from tests.verify_graph import verify

CASES = [(family, case) for family in table.families() for case in table.cases(family)]
EVERY = [pytest.param(case, id=f"{family}:{case.id}") for family, case in CASES]
PLACED = [pytest.param(family, case, id=f"{family}:{case.id}") for family, case in CASES]
GOLDEN = {family: store.read(f"cases_{family}") for family in table.families()}


def _has_gradient(family: str, case: Case) -> bool:
    """Whether some input has one, on TensorFlow or, where it has no rule or no kernel, here."""
    record = GOLDEN[family]["cases"].get(case.id, {})
    return any(is_float(x.dtype) for x in case.inputs) and any(g is not None for g in record.get("gradients", [True]))


SMOOTH = [pytest.param(case, id=f"{family}:{case.id}") for family, case in CASES if case.smooth and _has_gradient(family, case)]
OPERATIONS = sorted(load_operations())


@pytest.mark.parametrize("case", EVERY)
def test_type_rule_says_what_the_kernel_gives(case: Case) -> None:
    """Shapes and dtypes; with contents and dimensions unknown the rule must not contradict the kernel, nor fail."""
    with heard() as applications:
        observe.eager(pullback, case)
    wrong = [w for application in applications for w in _type_faults(application)]
    assert not wrong, "\n".join([case.id, *wrong])


def _type_faults(a: Application) -> list[str]:
    if not all(isinstance(t, EagerTensor) for t in (*a.inputs, *a.outputs)):
        return []  # handles of variables have no array to compare with
    found = []
    for told, hide in (("everything", False), ("no dimension", True)):
        types = tuple(_hidden(t) if hide else t for t in a.inputs)
        inferred = outputs_of(a.op.infer(*a.op.arguments(types), **a.attrs))
        if len(inferred) != len(a.outputs):
            found.append(f"{a.op.name}: the type rule gives {len(inferred)} outputs, the kernel {len(a.outputs)}")
            continue
        for i, (rule, out) in enumerate(zip(inferred, a.outputs, strict=True)):
            if rule.dtype.as_numpy_dtype is not out.dtype.as_numpy_dtype:
                found.append(f"{a.op.name} output {i}: the type rule says {rule.dtype.name}, the kernel gave {out.dtype.name}")
            if not _fits(rule.dims, tuple(out.shape), exact=not hide and not a.op.stateful and a.op.name not in DATA_DEPENDENT):
                found.append(f"{a.op.name} output {i}, told {told}: the type rule says {rule.dims}, the kernel gave {tuple(out.shape)}")
    return found


# The shape of the result depends on values that a type rule does not see.
DATA_DEPENDENT = frozenset({
    "Where", "Unique", "UniqueV2", "UniqueWithCounts", "UniqueWithCountsV2", "ListDiff", "DynamicPartition", "DynamicStitch",
    "ParallelDynamicStitch", "BooleanMask", "PlaceholderWithDefault", "TensorListGetItem", "TensorListStack", "TensorListConcatV2",
    "TensorListGather", "SparseSlice", "SparseSplit", "SparseFillEmptyRows", "SparseAdd", "SparseSparseMaximum", "SparseSparseMinimum",
    "SparseReduceSumSparse", "SparseReduceMaxSparse", "CSRSparseMatrixComponents", "FeatureCross", "DenseCountSparseOutput",
    "SparseCountSparseOutput", "RaggedCountSparseOutput", "SparseKeptIndices", "DenseToDenseSetOperation", "DenseToSparseSetOperation",
    "SparseToSparseSetOperation", "RaggedRange", "RaggedTensorFromVariant", "RaggedGather", "RaggedTensorToTensor",
    "RaggedTensorToSparse", "RaggedFillEmptyRows", "RaggedRows", "TensorListConcat", "OptionalGetValue",
    "CompositeTensorVariantToComponents", "TensorListElementShape", "CTCBeamSearchDecoder", "CTCGreedyDecoder", "DecodeRaw",
    "StringSplit", "StringSplitV2", "StringNGrams", "UnicodeDecode", "UnicodeDecodeWithOffsets", "ComputeAccidentalHits",
    "NonMaxSuppression", "NonMaxSuppressionV2", "NonMaxSuppressionV3", "NonMaxSuppressionV4", "NonMaxSuppressionV5",
    "NonMaxSuppressionWithOverlaps", "DecodePng", "DecodeJpeg", "DecodeWav", "DecodeBmp", "DecodeGif", "DecodeWebP", "DecodeImage",
    "DecodeAndCropJpeg", "ParseTensor",
})  # fmt: skip


def _hidden(t: Any) -> TensorType:
    """The type of a floating input with every dimension unknown; of others (axes, shapes) only the content is hidden."""
    return TensorType((None,) * len(t.dims), t.dtype, None)


def _fits(dims: Any, shape: tuple[int, ...], *, exact: bool) -> bool:
    if dims is None:
        return not exact
    return len(dims) == len(shape) and all(d == n or (d is None and not exact) for d, n in zip(dims, shape, strict=True))


@pytest.mark.parametrize("known", [True, False], ids=["known shapes", "unknown dimensions"])
@pytest.mark.parametrize(("family", "case"), PLACED)
def test_graph_and_session_give_what_eager_execution_gives(family: str, case: Case, known: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Values to the bit; gradients to rounding, for graphs may add them up in another order.  The graph keeps its promises.

    Kernels alone: when native code takes over from one the clock decides, and tests/test_eager_programs.py holds it against them.
    """
    monkeypatch.setattr(Settings, "jit", False)
    here = observe.eager(pullback, case)
    there, failed = observe.outcome(lambda: observe.graph(pullback, case, known=known, check=verify))
    if failed is not None:
        refused = GOLDEN[family]["cases"][case.id].get("graph" if known else "unknown", {}).get("refused")
        assert refused is not None, f"{case.id}: {failed['class']}: {failed['message']}"
        return
    if _is_random(case):
        pytest.skip("draws other numbers in a graph")
    wrong = differences(here["outputs"], there["outputs"], "outputs", rtol=1e-15)
    if "gradients" in here and "gradients" in there:
        pair = here["gradients"], there["gradients"]
        # Whether a gradient may stay sparse can hang on a size (`gather_nd` by index vectors of length one): unknown, it is dense.
        pair = pair if known else ([_dense(g) for g in pair[0]], [_dense(g) for g in pair[1]])
        wrong += differences(*pair, "gradients", case.rtol, case.atol)
    assert not wrong, "\n".join([case.id, *wrong])


def _dense(gradient: Any) -> Any:
    return gradient["sparse"] if isinstance(gradient, dict) else gradient


def _is_random(case: Case) -> bool:
    return any("Random" in name or name in ("Multinomial", "TruncatedNormal") for name in (case.op,)) and not case.op.startswith(
        "Stateless"
    )


@pytest.mark.parametrize("case", EVERY)
def test_gradients_need_only_what_rules_name(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    """What no rule reads is overwritten with rubbish between the recording and the gradient: nothing may change."""
    monkeypatch.setattr(Settings, "jit", False)
    face = pullback if case.face == "v2" else pullback.compat.v1
    inputs = [observe.constant(pullback, x.copy()) for x in case.inputs]
    sources = [x for x in inputs if x.dtype.is_floating or x.dtype.is_complex]
    with heard() as applications, pullback.GradientTape() as tape:
        tape.watch(sources)
        outputs = list(observe.leaves(case.f(face, *inputs)))
    targets = [y for y in outputs if observe.differentiable(y)]
    if not sources or not targets or _is_random(case):
        pytest.skip("has no gradient, or draws other numbers the next time")
    expected = observe.eager(pullback, case)
    given = seeds(targets)
    _spoil(applications)
    found, failed = observe.outcome(lambda: [observe.value(g) for g in tape.gradient(targets, sources, output_gradients=given)])
    if failed is not None:
        assert failed["class"] == expected.get("gradient error", {}).get("class"), f"{case.id}: {failed}"
        return
    assert not differences(expected["gradients"], found, "gradients", rtol=1e-12), case.id


def _spoil(applications: list[Application]) -> None:
    """Fill with rubbish every array that no application needs for its gradient."""
    needed: set[int] = set()
    arrays: dict[int, Any] = {}
    for a in applications:
        every_input = a.op.rules is None or a.op.name == "CustomGradient"  # a function of the user's reads what it likes
        keeps = [k for k, span in zip(a.op.keeps, a.op.spans(len(a.inputs)), strict=True) for _ in span]
        for t, keep in zip(a.inputs, keeps, strict=True):
            _note(t, keep > 1 or every_input, needed, arrays)
        for t in a.outputs:
            _note(t, a.op.keeps_output or every_input, needed, arrays)
    for key, array in arrays.items():
        if key not in needed and array.flags.writeable and array.dtype.kind in "fc":
            array.fill(np.nan)


def _note(t: Any, read: bool, needed: set[int], arrays: dict[int, Any]) -> None:
    if isinstance(t, EagerTensor) and isinstance(t.value, ListValue) and read:  # a list needs what it is made of
        for item in t.value.items():
            if isinstance(item, np.ndarray):
                _note(EagerTensor(item), True, needed, arrays)
    if not isinstance(t, EagerTensor) or not isinstance(t.value, np.ndarray):  # handles of variables hold no array
        return
    array = t.value
    while isinstance(array.base, np.ndarray):
        array = array.base
    arrays[id(array)] = array
    if read:
        needed.add(id(array))


@pytest.mark.parametrize("case", EVERY)
def test_a_tape_holds_only_what_rules_name(case: Case) -> None:
    """No value is held for a rule that does not name it; where an op has no rules all its values are, for one may be registered."""
    face = pullback if case.face == "v2" else pullback.compat.v1
    inputs = [observe.constant(pullback, x) for x in case.inputs]
    sources = [x for x in inputs if x.dtype.is_floating or x.dtype.is_complex]
    with pullback.GradientTape() as tape:
        tape.watch(sources)
        case.f(face, *inputs)
    nodes = tape._recording.nodes if tape._recording is not None else []
    named = {x.uid for x in sources}.union(*(_named(node) for node in nodes))
    held = {t.uid: node.primitive.name for node in nodes for t in (*node.inputs, *node.outputs) if isinstance(t, EagerTensor)}
    needless = sorted({name for uid, name in held.items() if uid not in named})
    assert not needless, f"{case.id}: the tape holds values of {needless} that no rule names"


def _named(node: Any) -> set[int]:
    """The tensors that the rules of a node read."""
    op = node.primitive
    if op.rules is None:
        return {t.uid for t in (*node.inputs, *node.outputs)}
    reads = {name for rule in op.rules for name in rule.reads}
    found = {t.uid for t in node.outputs} if reads & {"out", "node", *(output.lstrip("*") for output in op.outputs)} else set()
    for spec, given in zip(op.inputs, op.arguments(node.inputs), strict=True):
        if spec.name in reads:
            found |= {t.uid for t in (given if isinstance(given, tuple) else (given,))}
    return found


@pytest.mark.parametrize("case", SMOOTH)
def test_gradient_against_differences(case: Case) -> None:
    law = Smooth(case)
    gradient = law.gradient(law.points)
    targets = law.outputs(law.tensors(law.points)[0])
    us = [np.asarray(u) for u in seeds(targets)]
    slope = law.slope(lambda points: dot(us, law.outputs(law.tensors(points)[0])))
    along = dot(gradient, law.directions)
    room = law.precision.tolerance * size(gradient, law.directions) + law.precision.noise * size(us, targets)
    assert abs(slope - along) <= room + 1e-12, f"{case.id}: the gradient says {along}, differences {slope} (room {room})"


@pytest.mark.parametrize("case", SMOOTH)
def test_forward_mode_is_adjoint_to_reverse_mode(case: Case) -> None:
    """<u, Jv> = <J'u, v>, to rounding."""
    law = Smooth(case)
    us, jv, ju = law.both_modes()
    forward, backward = dot(us, jv), dot(ju, law.directions)
    room = law.precision.rounding * (size(us, jv) + size(ju, law.directions))
    assert abs(forward - backward) <= room + 1e-12, f"{case.id}: <u, Jv> is {forward}, <J'u, v> is {backward} (room {room})"


@pytest.mark.parametrize("case", SMOOTH)
def test_second_order_against_differences(case: Case) -> None:
    law = Smooth(case)
    weights = [np.asarray(d[::-1] if d.ndim else d) for d in law.directions]
    gradient = law.gradient(law.points, weighted=True)
    again = law.second(weights)
    slope = law.slope(lambda points: dot(law.gradient(points, weighted=True), weights))
    along = dot(again, law.directions)
    room = law.precision.tolerance * size(again, law.directions) + law.precision.noise * (1.0 + size(gradient, weights))
    assert abs(slope - along) <= room + 1e-12, f"{case.id}: the second gradient says {along}, differences {slope} (room {room})"


@pytest.mark.parametrize("name", OPERATIONS)
def test_a_wrong_number_of_inputs_is_refused_in_words(name: str) -> None:
    op = OPS[name]
    with pytest.raises(TypeError, match=rf"\b{name} takes {len(op.inputs)} inputs?\b.*{len(op.inputs) + 1} given"):
        apply(op, (1.0,) * (len(op.inputs) + 1), dict(op.fallbacks))


@pytest.mark.parametrize("name", OPERATIONS)
def test_an_unknown_attribute_is_refused_in_words(name: str) -> None:
    op = OPS[name]
    with pytest.raises(TypeError, match=rf"{name}|unexpected keyword argument"):
        op.call(*(1.0,) * len(op.inputs), no_such_attribute=1)


def test_rules_name_only_what_exists() -> None:
    """A rule that reads nothing of a tensor must not make a tape hold it."""
    additions = [OPS[name] for name in ("AddV2", "Sub", "Neg") if name in OPS]
    assert additions
    assert all(keep == NOTHING for op in additions for keep in op.keeps)
    assert not any(op.keeps_output for op in additions)
